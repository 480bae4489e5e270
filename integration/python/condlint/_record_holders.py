"""Slots for what holds state: variables, attributes, containers, tensors, iterators, generators."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

from . import _torch_compat as compat
from ._record_graph import storage_of
from ._record_slots import MISSING, Slot, attributes_of, empty_kind, position_of, rewinder


class Holders:
    """The slots of one look, and how each kind of them is made."""

    def __init__(self) -> None:
        self.slots: list[Slot] = []
        self._seen: set[int] = set()
        self._kept: list[Any] = []
        self._cells: dict[int, Slot] = {}

    def _state(self, name: str, read: Callable[[], Any], restore: Callable[[Any], Any]) -> None:
        # Long states are compared as bytes.
        before = pickle.dumps(read())
        self.slots.append(
            Slot("global", name, lambda: pickle.dumps(read()), lambda: restore(pickle.loads(before)) and None, before)
        )

    def _add(self, kind: str, name: str, read: Callable[[], Any], refill: Callable[[Any], None]) -> None:
        before = read()
        self.slots.append(Slot(kind, name, read, lambda: refill(before), before))

    def _dict(self, kind: str, name: str, value: dict[Any, Any], skipped: frozenset[str] = frozenset()) -> None:
        # A shallow copy keeps the order and the identity of what it holds.
        before = {k: v for k, v in value.items() if k not in skipped} if skipped else dict(value)
        default = empty_kind(value)
        grows = default is not None

        def is_default(key: Any, held: Any) -> bool:
            # What a look at a missing key leaves behind says what the next look would say.
            return key not in before and grows and type(held) is default and not held

        def read() -> Any:
            return {k: v for k, v in value.items() if k not in skipped and not is_default(k, v)}

        def restore() -> None:
            for key in [k for k in value if k not in before and k not in skipped]:
                del value[key]
            value.update(before)

        self.slots.append(Slot(kind, name, read, restore, before, grows))

    def _cell(self, name: str, cell: Any) -> Slot:
        if (known := self._cells.get(id(cell))) is not None:
            return known
        self._kept.append(cell)

        def read() -> Any:
            try:
                return cell.cell_contents
            except ValueError:
                return MISSING

        before = read()

        def restore() -> None:
            if before is MISSING:
                del cell.cell_contents
            else:
                cell.cell_contents = before

        slot = self._cells[id(cell)] = Slot("reference", name, read, restore, before)
        self.slots.append(slot)
        return slot

    def _global(self, space: dict[str, Any], name: str) -> None:
        key = hash((id(space), name))
        if key in self._seen:
            return
        self._seen.add(key)
        before = space.get(name, MISSING)

        def restore() -> None:
            if before is MISSING:
                space.pop(name, None)
            else:
                space[name] = before

        self.slots.append(Slot("global", name, lambda: space.get(name, MISSING), restore, before))

    def _attribute(self, owner: Any, name: str) -> None:
        def read() -> Any:
            return owner.__dict__.get(name, MISSING) if isinstance(owner, type) else getattr(owner, name, MISSING)

        before = read()

        def restore() -> None:
            if before is not MISSING:
                setattr(owner, name, before)
            elif read() is not MISSING:
                delattr(owner, name)

        self.slots.append(Slot("member", name, read, restore, before))

    def _attributes(self, cls: type) -> None:
        """All that a class has itself, but for what Python and `abc` keep there."""
        before = _own(cls)

        def restore() -> None:
            now = _own(cls)
            for key in now.keys() - before.keys():
                delattr(cls, key)
            for key, value in before.items():
                if now.get(key, MISSING) is not value:
                    setattr(cls, key, value)

        self.slots.append(Slot("member", cls.__name__, lambda: _own(cls), restore, before))

    def _attributes_made(self, cls: type) -> None:
        before = attributes_of(cls)

        def restore() -> None:
            for key in attributes_of(cls):
                if key not in before:
                    delattr(cls, key)

        self.slots.append(Slot("member", cls.__name__, lambda: attributes_of(cls), restore, before))

    def _tensor(self, kind: str, name: str, tensor: Any) -> None:
        """What code may hang on a tensor: attributes, its gradient, whether it has one, other memory."""
        own = compat.attributes_of_tensor

        def read() -> dict[str, Any]:
            # What is computed has a gradient where its operands have one: an operator in place may bring it.
            wants = tensor.requires_grad and tensor.grad_fn is None
            found = {**own(tensor), "requires_grad": wants, "data": storage_of(tensor)}
            if wants:
                found["grad"] = tensor.grad
            return found

        before = read()

        def restore() -> None:
            for key in [key for key in own(tensor) if key not in before]:
                delattr(tensor, key)
            for key in own(tensor):
                setattr(tensor, key, before[key])
            if tensor.grad_fn is None and tensor.requires_grad != before["requires_grad"]:
                tensor.requires_grad_(before["requires_grad"])
            if "grad" in before and tensor.grad_fn is None:
                tensor.grad = before["grad"]

        self.slots.append(Slot("member", name, read, restore, before))

    def _iterator(self, kind: str, name: str, value: Any) -> None:
        """How far an iterator has come."""
        before = position_of(value)
        last = [before]

        def read() -> Any:
            # Within a generator nothing is said: the step is its caller's.
            if not getattr(value, "gi_running", False):
                last[0] = position_of(value)
            return last[0]

        self.slots.append(Slot(kind, name, read, rewinder(value), before, spends=True))

    def _order(self, kind: str, name: str, value: Any) -> None:
        """In which order an OrderedDict holds its keys."""

        def put(before: list[Any]) -> None:
            for key in before:
                if key in value:
                    value.move_to_end(key)

        self._add(kind, name, lambda: list(value), put)


def _own(cls: type) -> dict[str, Any]:
    return {key: value for key, value in vars(cls).items() if not key.startswith(("__", "_abc_"))}
