"""What holds state in Python, and whether it was written: how a value is read, compared and put back."""

from __future__ import annotations

import collections
import gc
import itertools
import pickle
import sys
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from . import _record_host

MISSING = object()
ATOMS = (int, float, complex, str, bytes, bool, type(None), type(...))
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
    spends: bool = False  # an iterator: it cannot be run over twice


def empty_kind(value: Any) -> Any:
    """The type of what a defaultdict makes of a missing key; none where the user's code makes it, or nothing does."""
    made = value.default_factory if isinstance(value, collections.defaultdict) else None
    if made is None:
        return None
    for kind in _EMPTY:
        # While a module is recorded, some of Python's types are stood in for by ours, of the same name.
        stands_in = getattr(made, "__module__", "") == _record_host.__name__ and getattr(made, "__name__", "") == kind.__name__
        if made is kind or stands_in:
            return kind
    return None


def content_of(value: Any) -> Any:
    return dict(value) if isinstance(value, dict) else list(value)


def refill(value: Any) -> Callable[[Any], None]:
    def put(before: Any) -> None:
        value.clear()
        if isinstance(value, (dict, set)):
            value.update(before)
        else:
            value.extend(before)

    return put


def overwrite(array: Any) -> Callable[[Any], None]:
    def put(before: bytes) -> None:
        array[...] = sys.modules["numpy"].frombuffer(before, dtype=array.dtype).reshape(array.shape)

    return put


def same(a: Any, b: Any) -> bool:
    """Whether nothing was written: the same objects, or equal numbers and texts."""
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, ATOMS):
        return bool(a == b)
    if isinstance(a, (list, tuple, collections.deque)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return len(a) == len(b) and all(k in b and same(v, b[k]) for k, v in a.items())
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


def attributes_of(cls: type) -> dict[str, bool]:
    """The names that a class has itself, but for those of Python's own."""
    return {key: True for key in vars(cls) if not (key.startswith("__") or key.startswith("_abc_"))}


def put_at(value: Any) -> Callable[[Any], None]:
    """Writes bytes back into an array or a view."""

    def put(before: bytes) -> None:
        if hasattr(value, "frombytes"):
            del value[:]
            value.frombytes(before)
        elif not value.readonly:
            value.cast("B")[:] = before

    return put


def is_iterator(value: Any) -> bool:
    """Whether a value is an iterator of Python's own, or a generator: to look at it is to use it up."""
    if isinstance(value, types.GeneratorType):
        return True
    cls = type(value)
    return isinstance(value, Iterator) and cls.__module__ in ("builtins", "itertools", "collections", "_collections")


def position_of(value: Any, depth: int = 0) -> Any:
    """How far an iterator has come, without a step of it."""
    if isinstance(value, tuple) and depth <= 8:
        return tuple(position_of(held, depth + 1) for held in value)
    if isinstance(value, types.GeneratorType):
        frame = value.gi_frame
        if frame is None:
            return "used up"
        return frame.f_lasti, tuple(position_of(v, depth + 1) for v in list(frame.f_locals.values()))
    if depth > 8 or not is_iterator(value):
        return value
    if isinstance(value, itertools.count):
        return repr(value)
    if hasattr(value, "__length_hint__"):
        return value.__length_hint__()
    # Those that stand for others hold them.
    return tuple(position_of(held, depth + 1) for held in gc.get_referents(value) if not isinstance(held, type))


def rewinder(value: Any) -> Callable[[], None]:
    """Sets an iterator back to where it is now, where Python can: that of a list or a range which has more to give."""
    steps: list[Callable[[], None]] = []

    def visit(iterator: Any, depth: int) -> None:
        if isinstance(iterator, tuple):
            for held in iterator:
                visit(held, depth + 1)
        elif not is_iterator(iterator):
            return
        elif type(iterator).__module__ == "builtins" and hasattr(iterator, "__setstate__"):
            reduced = iterator.__reduce__()
            if len(reduced) == 3 and isinstance(reduced[2], int):
                steps.append(lambda: iterator.__setstate__(reduced[2]))
        elif depth < 8 and not isinstance(iterator, types.GeneratorType):
            for held in gc.get_referents(iterator):
                visit(held, depth + 1)

    visit(value, 0)

    def rewind() -> None:
        for step in steps:
            step()

    return rewind


def state_of_numpy(value: Any) -> tuple[Callable[[], Any], Callable[[Any], None]] | None:
    """How the state of a generator of numpy is read and put back; nothing for what is none."""
    if not type(value).__module__.startswith("numpy.random"):
        return None
    if hasattr(value, "get_state"):
        return (lambda: pickle.dumps(value.get_state())), (lambda before: value.set_state(pickle.loads(before)))
    bits = getattr(value, "bit_generator", value)
    if not hasattr(bits, "state"):
        return None
    return (lambda: pickle.dumps(bits.state)), (lambda before: setattr(bits, "state", pickle.loads(before)))
