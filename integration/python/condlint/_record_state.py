"""What a branch changes of Python's own state: compared before and after, put back, and found by line."""

from __future__ import annotations

import collections
import functools
import os
import sys
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from . import _record_host
from ._record_places import Place, is_installed, is_users, place_of_statement, user_frames

_MISSING = object()
_LIMIT = 50_000  # objects that are looked at
_LARGEST_ARRAY = 1 << 20  # bytes of an array of numpy that are compared
# What torch keeps in each module and user code does not change.
_MODULE_INTERNALS = frozenset(
    """_backward_hooks _backward_pre_hooks _forward_hooks _forward_hooks_always_called _forward_hooks_with_kwargs
    _forward_pre_hooks _forward_pre_hooks_with_kwargs _is_full_backward_hook _load_state_dict_post_hooks
    _load_state_dict_pre_hooks _non_persistent_buffers_set _state_dict_hooks _state_dict_pre_hooks _compiled_call_impl
    _flat_weights _flat_weight_refs""".split()
)
_ATOMS = (int, float, complex, str, bytes, bool, type(None), type(...))

# What a defaultdict makes of a missing key without code of the user's, and what of it is still empty.
_EMPTY = (int, float, complex, str, bytes, bool, list, dict, set, tuple)


@dataclass
class Slot:
    """A variable, an attribute or a container that outlives the branch."""

    kind: str  # "global", "member", "reference": the words of docs/cxx-graph.md
    name: str
    read: Callable[[], Any]
    restore: Callable[[], None]
    before: Any
    grows: bool = False  # a defaultdict: a look may leave something that is no change


@dataclass
class Change:
    """A slot that a branch wrote, and the lines that did it."""

    slot: Slot
    places: list[tuple[Place, list[Place]]] = field(default_factory=list)


class Snapshot:
    """The state that is reachable from some objects, as it is now."""

    def __init__(self, torch: Any, roots: list[tuple[str, Any]], exclude: frozenset[int] = frozenset()) -> None:
        self.torch = torch
        self.slots: list[Slot] = []
        self._seen: set[int] = set(exclude)
        self._kept: list[Any] = []
        self._process()
        todo = collections.deque((name, "reference", value) for name, value in roots)
        while todo and len(self._seen) < _LIMIT:
            name, kind, value = todo.popleft()
            for found in self._walk(name, kind, value):
                todo.append(found)

    def changes(self) -> list[Change]:
        """The slots that are not what they were."""
        return [Change(slot) for slot in self.slots if not _same(slot.before, slot.read())]

    def restore(self) -> None:
        """Puts everything back."""
        for slot in self.slots:
            if slot.grows or not _same(slot.before, slot.read()):
                slot.restore()

    def forget_looks(self) -> None:
        """Takes out what looks at missing keys left in defaultdicts."""
        for slot in self.slots:
            if slot.grows:
                slot.restore()

    def _process(self) -> None:
        """What belongs to the process as a whole."""
        self._dict("global", "os.environ", os.environ._data)
        if (generator := sys.modules.get("random")) is not None:
            self._state("the generator of random", generator.getstate, generator.setstate)
        if (generator := sys.modules.get("numpy.random")) is not None:
            self._state("the generator of numpy.random", lambda: _plain(generator.get_state()), generator.set_state)
        self._state("the seed of torch", self.torch.initial_seed, self.torch.default_generator.manual_seed)

    def _state(self, name: str, read: Callable[[], Any], restore: Callable[[Any], Any]) -> None:
        before = read()
        self.slots.append(Slot("global", name, read, lambda: restore(before) and None, before))

    def _walk(self, name: str, kind: str, value: Any) -> Iterator[tuple[str, str, Any]]:
        if isinstance(value, _ATOMS) or id(value) in self._seen:
            return
        self._seen.add(id(value))
        self._kept.append(value)
        torch = self.torch
        if isinstance(value, torch.Tensor):
            return
        if isinstance(value, types.MethodType):
            yield "self" if name == "" else name, kind, value.__self__
            yield name, kind, value.__func__
        elif isinstance(value, types.FunctionType):
            yield from self._function(value)
        elif isinstance(value, functools.partial):
            for part in (value.func, value.args, value.keywords):
                yield name, kind, part
        elif isinstance(value, (list, collections.deque)):
            self._add(kind, name, lambda: list(value), _refill(value))
            for item in value:
                yield name, kind, item
        elif isinstance(value, dict):
            self._dict(kind, name, value)
            for item in list(value.values()):
                yield name, kind, item
        elif isinstance(value, (set, bytearray)):
            self._add(kind, name, lambda: type(value)(value), _refill(value))
        elif type(value).__module__ == "numpy" and hasattr(value, "tobytes"):
            # An array, or a number; large ones are data.
            if value.shape and value.nbytes <= _LARGEST_ARRAY and not value.dtype.hasobject:
                self._add(kind, name, value.tobytes, _overwrite(value))
        elif isinstance(value, (tuple, frozenset)):
            for item in value:
                yield name, kind, item
        elif isinstance(value, type):
            yield from self._class(value)
        elif isinstance(value, types.ModuleType):
            return
        elif self._is_foreign(type(value)):
            wrapped = getattr(value, "__wrapped__", None)
            if wrapped is not None:
                yield name, kind, wrapped
        else:
            yield from self._object(name, value)

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
            self._add("member", name, lambda: _content(value), _refill(value))
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
        for base in cls.__bases__:
            yield base.__name__, "member", base

    def _function(self, function: types.FunctionType) -> Iterator[tuple[str, str, Any]]:
        code = function.__code__
        if not is_users(code.co_filename):
            if (wrapped := getattr(function, "__wrapped__", None)) is not None:
                yield function.__name__, "reference", wrapped
            return
        for name, cell in zip(code.co_freevars, function.__closure__ or ()):
            self._cell(name, cell)
            try:
                yield name, "reference", cell.cell_contents
            except ValueError:
                pass
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
        for name in _names(code):
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

    def _add(self, kind: str, name: str, read: Callable[[], Any], refill: Callable[[Any], None]) -> None:
        before = read()
        self.slots.append(Slot(kind, name, read, lambda: refill(before), before))

    def _dict(self, kind: str, name: str, value: dict[Any, Any], skipped: frozenset[str] = frozenset()) -> None:
        # A shallow copy keeps the order and the identity of what it holds.
        before = {k: v for k, v in value.items() if k not in skipped} if skipped else dict(value)
        default = _empty_kind(value)
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
                return _MISSING

        before = read()

        def restore() -> None:
            if before is _MISSING:
                del cell.cell_contents
            else:
                cell.cell_contents = before

        self.slots.append(Slot("reference", name, read, restore, before))

    def _global(self, space: dict[str, Any], name: str) -> None:
        key = hash((id(space), name))
        if key in self._seen:
            return
        self._seen.add(key)
        before = space.get(name, _MISSING)

        def restore() -> None:
            if before is _MISSING:
                space.pop(name, None)
            else:
                space[name] = before

        self.slots.append(Slot("global", name, lambda: space.get(name, _MISSING), restore, before))

    def _attribute(self, owner: Any, name: str) -> None:
        def read() -> Any:
            return owner.__dict__.get(name, _MISSING) if isinstance(owner, type) else getattr(owner, name, _MISSING)

        before = read()

        def restore() -> None:
            if before is not _MISSING:
                setattr(owner, name, before)
            elif read() is not _MISSING:
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


def _empty_kind(value: Any) -> Any:
    """The type of what a defaultdict makes of a missing key; none where the user's code makes it, or nothing does."""
    made = getattr(value, "default_factory", None) if isinstance(value, collections.defaultdict) else None
    for kind in _EMPTY:
        # While a module is recorded, some of Python's types are stood in for by ours, of the same name.
        stands_in = getattr(made, "__module__", "") == _record_host.__name__ and made.__name__ == kind.__name__
        if made is kind or stands_in:
            return kind
    return None


def _content(value: Any) -> Any:
    return dict(value) if isinstance(value, dict) else list(value)


def _refill(value: Any) -> Callable[[Any], None]:
    def refill(before: Any) -> None:
        value.clear()
        if isinstance(value, (dict, set)):
            value.update(before)
        else:
            value.extend(before)

    return refill


def _plain(state: Any) -> Any:
    """numpy's state with its array as numbers."""
    return tuple(part.tolist() if hasattr(part, "tolist") else part for part in state)


def _overwrite(array: Any) -> Callable[[Any], None]:
    def overwrite(before: bytes) -> None:
        array[...] = sys.modules["numpy"].frombuffer(before, dtype=array.dtype).reshape(array.shape)

    return overwrite


def _same(a: Any, b: Any) -> bool:
    """Whether nothing was written: the same objects, or equal numbers and texts."""
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, _ATOMS):
        return bool(a == b)
    if isinstance(a, (list, tuple, collections.deque)):
        return len(a) == len(b) and all(map(_same, a, b))
    if isinstance(a, dict):
        return len(a) == len(b) and all(k in b and _same(v, b[k]) for k, v in a.items())
    if isinstance(a, (set, frozenset)):
        return len(a) == len(b) and {id(x) for x in a} == {id(x) for x in b} or _equal(a, b)
    if isinstance(a, bytearray):
        return bool(a == b)
    return False


def _equal(a: Any, b: Any) -> bool:
    try:
        return bool(a == b)
    except Exception:
        return False


def describe(change: Change) -> str:
    """What of a slot was written: the attribute or key where it is one."""
    before, after = change.slot.before, change.slot.read()
    if isinstance(before, dict) and isinstance(after, dict):
        for key in after:
            if key not in before or not _same(before[key], after[key]):
                return _key_of(change.slot, key)
        for key in before:
            if key not in after:
                return _key_of(change.slot, key)
    return change.slot.name


def _key_of(slot: Slot, key: Any) -> str:
    if isinstance(key, str) and slot.kind == "member" and key.isidentifier():
        return key
    return f"{slot.name}[{key!r}]" if slot.name else repr(key)


def locate(changes: list[Change], run: Callable[[], None], until: types.FrameType | None) -> None:
    """Runs the branch again, line by line, and notes which lines write."""
    last: list[Any] = [None]
    known = [change.slot.read() for change in changes]

    def look() -> None:
        for at, change in enumerate(changes):
            now = change.slot.read()
            if _same(known[at], now):
                continue
            known[at] = now
            if last[0] is not None and last[0] not in change.places:
                change.places.append(last[0])

    def note(frame: types.FrameType) -> None:
        frames = user_frames(frame, until)
        if frames:
            code = frames[0].f_code
            inner = place_of_statement(code.co_filename, frames[0].f_lineno, getattr(code, "co_qualname", code.co_name))
            calls = [
                place_of_statement(f.f_code.co_filename, f.f_lineno, f.f_code.co_name) for f in reversed(frames[1:])
            ]
            last[0] = (inner, calls)

    def local(frame: types.FrameType, event: str, arg: Any) -> Any:
        look()
        if event == "line":
            note(frame)
        elif event == "return" and frame.f_back is not None and is_users(frame.f_back.f_code.co_filename):
            note(frame.f_back)
        return local

    def trace(frame: types.FrameType, event: str, arg: Any) -> Any:
        return local if is_users(frame.f_code.co_filename) else None

    old = sys.gettrace()
    sys.settrace(trace)
    try:
        run()
    finally:
        sys.settrace(old)
    look()
