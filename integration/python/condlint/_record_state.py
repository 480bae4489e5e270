"""What a branch changes of Python's own state: compared before and after, put back, and found by line."""

from __future__ import annotations

import array
import collections
import enum
import functools
import logging
import os
import pickle
import random
import sys
import threading
import types
import weakref
from collections.abc import Iterable, Iterator
from typing import Any

from . import _record_calls
from ._record_holders import Holders
from ._record_locate import Change
from ._record_numpy import is_of_numpy
from ._record_places import is_installed, is_users
from ._record_slots import (
    ATOMS,
    content_of,
    is_iterator,
    overwrite,
    put_at,
    refill,
    same,
    state_of_numpy,
)
from ._record_statements import Statements, assigned_attributes, assigned_globals

_LIMIT = 50_000  # objects that are looked at
_LARGEST_ARRAY = 1 << 23  # bytes of an array of numpy that are compared
# Tables that keep no key or no value alive: what they hold is what is in `data`.
_WEAK = (weakref.WeakKeyDictionary, weakref.WeakValueDictionary, weakref.WeakSet)
_LEAVES = frozenset(ATOMS)
# What torch keeps in each module and user code does not change.
_MODULE_INTERNALS = frozenset(
    """_backward_hooks _backward_pre_hooks _forward_hooks _forward_hooks_always_called _forward_hooks_with_kwargs
    _forward_pre_hooks _forward_pre_hooks_with_kwargs _is_full_backward_hook _load_state_dict_post_hooks
    _load_state_dict_pre_hooks _non_persistent_buffers_set _state_dict_hooks _state_dict_pre_hooks _compiled_call_impl
    _flat_weights _flat_weight_refs""".split()
)


class Snapshot(Holders):
    """The state that is reachable from some objects, as it is now.

    Attributes
    ----------
    asks_host : bool
        Whether code that is reachable may call functions of the host (`_record_calls`).
    statements : Statements
        What its statements do that leaves no trace behind.
    """

    def __init__(self, torch: Any, roots: list[tuple[str, Any]], *, to_restore: bool = False) -> None:
        """Looks at what `roots` lead to; with `to_restore` it is enough that everything can be put back, whatever is changed."""
        super().__init__()
        self.torch = torch
        self._to_restore = to_restore
        self.asks_host = False
        self.statements = Statements(torch)
        seen = self._seen  # and not the snapshot, which would hold itself
        self.statements.is_held = lambda value: id(value) in seen
        self._process()
        todo = collections.deque((name, "reference", value) for name, value in roots)
        while todo and len(self._seen) < _LIMIT:
            name, kind, value = todo.popleft()
            if type(value) not in _LEAVES and id(value) not in self._seen:
                todo.extend(self._walk(name, kind, value))

    def changes(self, watched: list[Change]) -> list[Change]:
        """The slots that are not what they were, or were written all the same.

        Of those that were `watched`, and of what was written without a trace, the lines are known.
        """
        known = {id(change.slot): change for change in watched}
        written = self.statements.written
        return [
            known.get(id(slot)) or (Change(slot) if changed else written[id(slot)])
            for slot in self.slots
            if (changed := not same(slot.before, slot.read())) or id(slot) in written
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
        self._dict("global", "os.environ", getattr(os.environ, "_data"))
        self._add("global", "sys.path", lambda: list(sys.path), refill(sys.path))
        if (generator := sys.modules.get("random")) is not None:
            self._state("the generator of random", generator.getstate, generator.setstate)
        if (generator := sys.modules.get("numpy.random")) is not None:
            self._state("the generator of numpy.random", generator.get_state, generator.set_state)
        if (cudnn := sys.modules.get("torch.backends.cudnn")) is not None:
            for key in ("allow_tf32", "benchmark", "deterministic", "enabled"):
                self._attribute(cudnn, key)
        self._state("the seed of torch", self.torch.initial_seed, self.torch.default_generator.manual_seed)

    def _walk(self, name: str, kind: str, value: Any) -> Iterator[tuple[str, str, Any]]:
        if isinstance(value, ATOMS) or id(value) in self._seen:
            if is_of_numpy(value):  # some of its numbers are Python's, too
                self.statements.finds_numpy()
            return
        self._seen.add(id(value))
        self._kept.append(value)
        torch = self.torch
        if isinstance(value, types.FunctionType):
            yield from self._function(value)
        elif isinstance(value, type):
            yield from self._class(value)
        elif isinstance(value, torch.Tensor):
            self._tensor(kind, name, value)
        elif isinstance(value, types.MethodType):
            yield "self" if name == "" else name, kind, value.__self__
            yield name, kind, value.__func__
        elif isinstance(value, functools.partial):
            for part in (value.func, value.args, value.keywords):
                yield name, kind, part
        elif isinstance(value, (list, collections.deque)):
            self._add(kind, name, lambda: list(value), refill(value))
            self.statements.holds(value, self.slots[-1])
            yield from self._each(name, kind, value)
        elif isinstance(value, dict):
            self._dict(kind, name, value)
            self.statements.holds(value, self.slots[-1])
            if isinstance(value, collections.OrderedDict):
                self._order(kind, name, value)
            yield from self._each(name, kind, list(value.values()))
        elif isinstance(value, (array.array, memoryview)):
            self._add(kind, name, value.tobytes, put_at(value))
        elif isinstance(value, (set, bytearray)):
            self._add(kind, name, lambda: type(value)(value), refill(value))
            self.statements.holds(value, self.slots[-1])
        elif type(value).__module__ == "numpy" and hasattr(value, "tobytes"):
            # An array, or a number; large ones are data.
            self.statements.finds_numpy()
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
            data = getattr(value, "data")
            self._add(kind, name, lambda: content_of(data), refill(data))
        elif isinstance(value, logging.Logger):
            if self._to_restore:  # what a branch does with one is told by `_record_logging`
                for key in ("level", "disabled", "propagate", "handlers"):
                    self._attribute(value, key)
                self._add(kind, name, lambda: list(value.handlers), refill(value.handlers))
        elif isinstance(value, (tuple, frozenset)):
            yield from self._each(name, kind, value)
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

    def _each(self, name: str, kind: str, values: Iterable[Any]) -> Iterator[tuple[str, str, Any]]:
        """Those of some values that lead to anything."""
        return ((name, kind, value) for value in values if type(value) not in _LEAVES)

    def _is_foreign(self, cls: type) -> bool:
        module = getattr(cls, "__module__", "") or ""
        if issubclass(cls, self.torch.nn.Module) or module.startswith("torch.distributions."):
            return False  # of a distribution torch computes what is asked, and keeps it there
        return module.split(".", 1)[0] in ("builtins", "torch", "_thread", "weakref", "re", "typing", "logging", "pathlib", "sympy")

    def _object(self, name: str, value: Any) -> Iterator[tuple[str, str, Any]]:
        is_module = isinstance(value, self.torch.nn.Module)
        self.asks_host = self.asks_host or isinstance(value, self.torch.nn.RNNBase)
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
                elif type(stored) not in _LEAVES:
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
            if key.startswith("_") and issubclass(cls, enum.Enum):
                continue  # a combination of flags is made once, and kept
            if isinstance(stored, (types.FunctionType, staticmethod, classmethod)):
                yield key, "member", getattr(stored, "__func__", stored)
            elif isinstance(stored, property):
                yield key, "member", stored.fget
            else:
                if not self._to_restore:
                    self._attribute(cls, key)
                if type(stored) not in _LEAVES:
                    yield key, "member", stored
        if self._to_restore:
            self._attributes(cls)
        else:
            self._attributes_made(cls)
        for base in cls.__bases__:
            yield base.__name__, "member", base

    def _function(self, function: types.FunctionType) -> Iterator[tuple[str, str, Any]]:
        code = function.__code__
        if not is_users(code.co_filename):
            if (wrapped := getattr(function, "__wrapped__", None)) is not None:
                yield function.__name__, "reference", wrapped
            return
        looks = not self._to_restore  # who only puts back asks nothing of code
        if looks:
            self.statements.meets(code)
        for name, cell in zip(code.co_freevars, function.__closure__ or ()):
            self.statements.binds(code, name, self._cell(name, cell))
            try:
                stored = cell.cell_contents
            except ValueError:
                continue
            if looks:
                self.asks_host = self.asks_host or _record_calls.leads_to_host(stored)
                if is_of_numpy(stored):
                    self.statements.meets_numpy(code, stored)
            if type(stored) not in _LEAVES:
                yield name, "reference", stored
        own = vars(function)
        yield from self._each(function.__name__, "reference", function.__defaults__ or ())
        yield from self._each(function.__name__, "reference", (function.__kwdefaults__ or {}).values())
        if own or "." not in function.__qualname__:
            self._dict("member", function.__name__, own)
        yield from self._each(function.__name__, "reference", own.values())
        space = function.__globals__
        if is_installed(code.co_filename):
            return  # the globals of a library lead to all of it
        names, made = _names_of(code)
        self.asks_host = self.asks_host or looks and _record_calls.mentions(names, space)
        for name in names:
            if name in space:
                stored = space[name]
                if not isinstance(stored, (types.FunctionType, type, types.ModuleType)):
                    self._global(space, name)
                if looks and is_of_numpy(stored):
                    self.statements.meets_numpy(code, stored)
                if isinstance(stored, types.ModuleType):
                    yield from self._names_of_module(stored, code)
                elif type(stored) not in _LEAVES and id(stored) not in self._seen:
                    yield name, "global", stored
            elif name not in __builtins_names__:
                if name in made:
                    self._global(space, name)
                if isinstance(imported := sys.modules.get(name), types.ModuleType):
                    if looks and is_of_numpy(imported):
                        self.statements.meets_numpy(code, imported)
                    yield from self._names_of_module(imported, code)

    def _names_of_module(self, module: types.ModuleType, code: types.CodeType) -> Iterator[tuple[str, str, Any]]:
        names, space = _names_of(code)[0], vars(module)
        if not is_users(getattr(module, "__file__", None) or "<none>"):
            # Of a module of somebody else's what the code sets, and nothing that it reads.
            for name in assigned_attributes(code):
                self._global(space, name)
            for name in names:
                if isinstance(within := space.get(name), types.ModuleType) and id(within) not in self._seen:
                    self._seen.add(id(within))
                    yield from self._names_of_module(within, code)
            return
        made = assigned_attributes(code)
        for name in names:
            if name in space:
                stored = space[name]
                if not isinstance(stored, (types.FunctionType, type, types.ModuleType)):
                    self._global(space, name)
                yield name, "global", stored
            elif name in made:
                self._global(space, name)


__builtins_names__ = frozenset(dir(__import__("builtins")))


# By identity: to compare code with other code is to go over all of it.
_known_names: dict[int, tuple[types.CodeType, frozenset[str], frozenset[str]]] = {}


def _names_of(code: types.CodeType) -> tuple[frozenset[str], frozenset[str]]:
    """The names that code mentions, and those of global variables that it sets."""
    known = _known_names.get(id(code))
    if known is None or known[0] is not code:
        if len(_known_names) > 1 << 16:
            _known_names.clear()
        known = _known_names[id(code)] = code, _names(code), assigned_globals(code)
    return known[1], known[2]


@functools.lru_cache(maxsize=1 << 16)
def _names(code: types.CodeType) -> frozenset[str]:
    """The global names and attributes that code and what is defined in it mention."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= _names(constant)
    return frozenset(names)
