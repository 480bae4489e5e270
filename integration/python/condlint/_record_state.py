"""What a branch changes of Python's own state: compared before and after, put back, and found by line."""

from __future__ import annotations

import array
import collections
import functools
import logging
import os
import pickle
import random
import sys
import threading
import types
import weakref
from collections.abc import Callable, Iterator
from typing import Any

from . import _record_calls
from . import _torch_compat as compat
from ._record_graph import storage_of
from ._record_locate import Change
from ._record_places import is_installed, is_users
from ._record_slots import (
    ATOMS,
    MISSING,
    Slot,
    attributes_of,
    content_of,
    empty_kind,
    is_iterator,
    overwrite,
    position_of,
    put_at,
    refill,
    rewinder,
    same,
    state_of_numpy,
)

_LIMIT = 50_000  # objects that are looked at
_LARGEST_ARRAY = 1 << 23  # bytes of an array of numpy that are compared
# Tables that keep no key or no value alive: what they hold is what is in `data`.
_WEAK = (weakref.WeakKeyDictionary, weakref.WeakValueDictionary, weakref.WeakSet)
# What torch keeps in each module and user code does not change.
_MODULE_INTERNALS = frozenset(
    """_backward_hooks _backward_pre_hooks _forward_hooks _forward_hooks_always_called _forward_hooks_with_kwargs
    _forward_pre_hooks _forward_pre_hooks_with_kwargs _is_full_backward_hook _load_state_dict_post_hooks
    _load_state_dict_pre_hooks _non_persistent_buffers_set _state_dict_hooks _state_dict_pre_hooks _compiled_call_impl
    _flat_weights _flat_weight_refs""".split()
)


class Snapshot:
    """The state that is reachable from some objects, as it is now.

    Attributes
    ----------
    asks_host : bool
        Whether code that is reachable may call functions of the host (`_record_calls`).
    """

    def __init__(self, torch: Any, roots: list[tuple[str, Any]], exclude: frozenset[int] = frozenset()) -> None:
        self.torch = torch
        self.slots: list[Slot] = []
        self.asks_host = False
        self._seen: set[int] = set(exclude)
        self._kept: list[Any] = []
        self._process()
        todo = collections.deque((name, "reference", value) for name, value in roots)
        while todo and len(self._seen) < _LIMIT:
            name, kind, value = todo.popleft()
            for found in self._walk(name, kind, value):
                todo.append(found)

    def changes(self, watched: list[Change]) -> list[Change]:
        """The slots that are not what they were; of those that were `watched` the lines are known."""
        known = {id(change.slot): change for change in watched}
        return [
            known.get(id(slot)) or Change(slot) for slot in self.slots if not same(slot.before, slot.read())
        ]

    def restore(self) -> None:
        """Puts everything back."""
        for slot in self.slots:
            if slot.grows or not same(slot.before, slot.read()):
                slot.restore()

    def forget_looks(self) -> None:
        """Takes out what looks at missing keys left in defaultdicts."""
        for slot in self.slots:
            if slot.grows:
                slot.restore()

    def _process(self) -> None:
        """What belongs to the process as a whole."""
        self._dict("global", "os.environ", os.environ._data)
        self._add("global", "sys.path", lambda: list(sys.path), refill(sys.path))
        if (generator := sys.modules.get("random")) is not None:
            self._state("the generator of random", generator.getstate, generator.setstate)
        if (generator := sys.modules.get("numpy.random")) is not None:
            self._state("the generator of numpy.random", generator.get_state, generator.set_state)
        self._state("the seed of torch", self.torch.initial_seed, self.torch.default_generator.manual_seed)

    def _state(self, name: str, read: Callable[[], Any], restore: Callable[[Any], Any]) -> None:
        # Long states are compared as bytes.
        before = pickle.dumps(read())
        self.slots.append(
            Slot("global", name, lambda: pickle.dumps(read()), lambda: restore(pickle.loads(before)) and None, before)
        )

    def _walk(self, name: str, kind: str, value: Any) -> Iterator[tuple[str, str, Any]]:
        if isinstance(value, ATOMS) or id(value) in self._seen:
            return
        self._seen.add(id(value))
        self._kept.append(value)
        torch = self.torch
        if isinstance(value, torch.Tensor):
            self._tensor(kind, name, value)
        elif isinstance(value, types.MethodType):
            yield "self" if name == "" else name, kind, value.__self__
            yield name, kind, value.__func__
        elif isinstance(value, types.FunctionType):
            yield from self._function(value)
        elif isinstance(value, functools.partial):
            for part in (value.func, value.args, value.keywords):
                yield name, kind, part
        elif isinstance(value, (list, collections.deque)):
            self._add(kind, name, lambda: list(value), refill(value))
            for item in value:
                yield name, kind, item
        elif isinstance(value, dict):
            self._dict(kind, name, value)
            if isinstance(value, collections.OrderedDict):
                self._order(kind, name, value)
            for item in list(value.values()):
                yield name, kind, item
        elif isinstance(value, (array.array, memoryview)):
            self._add(kind, name, value.tobytes, put_at(value))
        elif isinstance(value, (set, bytearray)):
            self._add(kind, name, lambda: type(value)(value), refill(value))
        elif type(value).__module__ == "numpy" and hasattr(value, "tobytes"):
            # An array, or a number; large ones are data.
            if value.shape and value.nbytes <= _LARGEST_ARRAY and not value.dtype.hasobject:
                self._add(kind, name, value.tobytes, overwrite(value))
        elif (generator := state_of_numpy(value)) is not None:
            self._add(kind, name, *generator)
        elif isinstance(value, random.Random) and type(value) is not random.SystemRandom:
            self._add(kind, name, lambda: pickle.dumps(value.getstate()), lambda before: value.setstate(pickle.loads(before)))
        elif isinstance(value, torch.Generator):
            self._add(kind, name, value.initial_seed, value.manual_seed)
        elif is_iterator(value):
            self._iterator(kind, name, value)
        elif isinstance(value, threading.local):
            self._dict("member", name, value.__dict__)
        elif isinstance(value, _WEAK):
            self._add(kind, name, lambda: content_of(value.data), refill(value.data))
        elif isinstance(value, logging.Logger):
            for key in ("level", "disabled", "propagate", "handlers"):
                self._attribute(value, key)
        elif isinstance(value, (tuple, frozenset)):
            for item in value:
                yield name, kind, item
        elif isinstance(value, type):
            yield from self._class(value)
        elif isinstance(value, types.ModuleType):
            return
        elif self._is_foreign(type(value)):
            self.asks_host = self.asks_host or _record_calls.leads_to_host(value)
            wrapped = getattr(value, "__wrapped__", None)
            if wrapped is not None:
                yield name, kind, wrapped
        else:
            self.asks_host = self.asks_host or _record_calls.leads_to_host(value)
            yield from self._object(name, value)

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

    def _is_foreign(self, cls: type) -> bool:
        module = getattr(cls, "__module__", "") or ""
        if issubclass(cls, self.torch.nn.Module):
            return False
        return module.split(".", 1)[0] in ("builtins", "torch", "_thread", "weakref", "re", "typing", "logging", "sympy")

    def _object(self, name: str, value: Any) -> Iterator[tuple[str, str, Any]]:
        is_module = isinstance(value, self.torch.nn.Module)
        own = getattr(value, "__dict__", None)
        if isinstance(own, dict):
            for key in list(own):
                stored = own[key]
                if is_module and key in _MODULE_INTERNALS:
                    if key.endswith("_hooks") and "state_dict" not in key and "backward" not in key:
                        yield from ((key, "member", hook) for hook in list(stored.values()))
                    continue
                if is_module and key in ("_parameters", "_buffers", "_modules"):
                    self._dict("member", name, stored)
                    yield from ((k, "member", v) for k, v in list(stored.items()))
                else:
                    yield key, "member", stored
            skipped = _MODULE_INTERNALS if is_module else frozenset()
            self._dict("member", name, own, skipped)
        for cls in type(value).__mro__:
            slots = cls.__dict__.get("__slots__", ())
            for key in (slots,) if isinstance(slots, str) else slots:
                if key in ("__dict__", "__weakref__"):
                    continue
                self._attribute(value, key)
                if (stored := getattr(value, key, None)) is not None:
                    yield key, "member", stored
        if isinstance(value, (list, dict, set, collections.deque)):
            self._add("member", name, lambda: content_of(value), refill(value))
        yield type(value).__name__, "member", type(value)

    def _class(self, cls: type) -> Iterator[tuple[str, str, Any]]:
        module = sys.modules.get(cls.__module__)
        path = getattr(module, "__file__", None) or "<none>"
        if self._is_foreign(cls) or not is_users(path) or is_installed(path):
            return
        for key, stored in list(vars(cls).items()):
            if key.startswith("__") and key.endswith("__") and key != "__call__":
                continue
            if isinstance(stored, (types.FunctionType, staticmethod, classmethod)):
                yield key, "member", getattr(stored, "__func__", stored)
            elif isinstance(stored, property):
                yield key, "member", stored.fget
            else:
                self._attribute(cls, key)
                yield key, "member", stored
        self._attributes_made(cls)
        for base in cls.__bases__:
            yield base.__name__, "member", base

    def _attributes_made(self, cls: type) -> None:
        before = attributes_of(cls)

        def restore() -> None:
            for key in attributes_of(cls):
                if key not in before:
                    delattr(cls, key)

        self.slots.append(Slot("member", cls.__name__, lambda: attributes_of(cls), restore, before))

    def _function(self, function: types.FunctionType) -> Iterator[tuple[str, str, Any]]:
        code = function.__code__
        if not is_users(code.co_filename):
            if (wrapped := getattr(function, "__wrapped__", None)) is not None:
                yield function.__name__, "reference", wrapped
            return
        for name, cell in zip(code.co_freevars, function.__closure__ or ()):
            self._cell(name, cell)
            try:
                stored = cell.cell_contents
            except ValueError:
                continue
            self.asks_host = self.asks_host or _record_calls.leads_to_host(stored)
            yield name, "reference", stored
        for default in function.__defaults__ or ():
            yield function.__name__, "reference", default
        for default in (function.__kwdefaults__ or {}).values():
            yield function.__name__, "reference", default
        if vars(function) or "." not in function.__qualname__:
            self._dict("member", function.__name__, vars(function))
        for attribute in vars(function).values():
            yield function.__name__, "reference", attribute
        space = function.__globals__
        if is_installed(code.co_filename):
            return  # the globals of a library lead to all of it
        names = _names(code)
        self.asks_host = self.asks_host or _record_calls.mentions(names, space)
        for name in names:
            if name in space:
                stored = space[name]
                if not isinstance(stored, (types.FunctionType, type, types.ModuleType)):
                    self._global(space, name)
                if isinstance(stored, types.ModuleType):
                    yield from self._names_of_module(stored, code)
                else:
                    yield name, "global", stored
            elif name not in __builtins_names__:
                self._global(space, name)  # a global that the code may make

    def _names_of_module(self, module: types.ModuleType, code: types.CodeType) -> Iterator[tuple[str, str, Any]]:
        if not is_users(getattr(module, "__file__", None) or "<none>"):
            return
        for name in _names(code):
            if name in vars(module):
                stored = vars(module)[name]
                if not isinstance(stored, (types.FunctionType, type, types.ModuleType)):
                    self._global(vars(module), name)
                yield name, "global", stored
            elif name not in __builtins_names__:
                self._global(vars(module), name)  # one that the code may make

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

    def _cell(self, name: str, cell: Any) -> None:
        if id(cell) in self._seen:
            return
        self._seen.add(id(cell))
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

        self.slots.append(Slot("reference", name, read, restore, before))

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


__builtins_names__ = frozenset(dir(__import__("builtins")))


def _names(code: types.CodeType) -> set[str]:
    """The global names and attributes that code and what is defined in it mention."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= _names(constant)
    return names


