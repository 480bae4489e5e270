"""What statements do that leaves no trace: a list that is filled and emptied again, a lock that is held for a while."""

from __future__ import annotations

import array
import ast
import collections
import contextlib
import dis
import functools
import sys
import threading
import types
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from . import _torch_compat as compat
from ._record_locate import Change, statement_at
from ._record_numpy import Node, effect_of, nodes_at, nodes_by_instruction
from ._record_places import is_installed, is_users, may_catch, place_of_expression
from ._record_slots import MISSING, Slot, content_of
from ._record_source import asserts, calls_for_context, tree_of

# Methods that torch.export takes for a write whatever they come to, and those that it follows where nothing changes.
_WRITES = frozenset(
    """append appendleft insert popleft popitem clear sort reverse rotate remove add move_to_end __setitem__ __delitem__
    __iadd__ __ior__""".split()
)
_MAY_WRITE = frozenset(
    """extend extendleft pop update setdefault discard difference_update intersection_update symmetric_difference_update
    subtract""".split()
)
_CONTAINERS = (list, dict, set, collections.deque)
# Types in C that torch.export makes no objects of.
_MADE = ("datetime", "decimal", "_decimal", "_io", "_random", "_thread")
_NAMES_MADE = frozenset(
    """date datetime time timedelta timezone Decimal StringIO BytesIO Random SystemRandom Lock RLock bytes bytearray memoryview
    object property SimpleNamespace array Generator""".split()
)
_TYPES_MADE = (bytes, bytearray, memoryview, object, property, types.SimpleNamespace, array.array)
_AS_CONTEXT = "with {}"
# Of what Python asks of any object, what torch.export does not answer for a tensor where code asks by that name.
_OF_OBJECT = frozenset("__deepcopy__ __dir__ __dlpack_device__ __format__ __hash__ __iter__ __reduce_ex__ __sizeof__".split())
# What says how large a tensor is, and functions of Python's that make of that what may be no symbol.
_SIZES = frozenset("element_size len nelement numel shape size stride storage_offset".split())
_TELL_SIZES = frozenset("ascii bin chr complex divmod format hex logging max oct print repr sorted str".split())
_TELL_AS_ATTRIBUTES = frozenset("__bool__ __str__ _check comb factorial format gcd isclose isqrt lcm sort to_bytes truth".split())
_LOCKS = (type(threading.Lock()), type(threading.RLock()), threading.Condition, threading.Semaphore)


@dataclass(frozen=True)
class _Mark:
    """A part of a statement: `stores` into what an expression names, `enters` it, or what it `yields`, or `makes` an object of that type.

    Or it `asks` an object for `name`, which every object has.
    """

    kind: str
    of: ast.expr
    name: str = ""


class Statements:
    """Watches a branch while it runs, where code that is reachable does such things.

    Attributes
    ----------
    written : dict
        By slot: the slot, and the places that wrote it.
    holds_numbers : bool
        Whether a number or an array of numpy is held outside, where the branch may read it.
    makes_numbers : bool
        Whether the branch made a number of numpy, or a constant of one.
    """

    def __init__(self, torch: Any) -> None:
        self.torch = torch
        self.written: dict[int, Change] = {}
        self._holders: dict[int, Slot] = {}
        self._cells: dict[tuple[types.CodeType, str], Slot] = {}
        self._marked = self._calls = self._may_fail = self._may_catch = self._tells_sizes = self._names_sizes = False
        self._of_numpy: set[str] = set()  # the files whose code may call numpy, or compute with what is held of it
        self._met: set[str] = set()  # those of all code
        self._holds_numpy = False
        self.holds_numbers = self.makes_numbers = False
        self.is_held: Callable[[Any], bool] = lambda value: False  # whether the branch finds an object outside
        self._pending: list[tuple[Any, Any]] = []

    # What is reachable.

    def holds(self, value: Any, slot: Slot) -> None:
        """A list, a dict or a set that outlives the branch."""
        self._holders[id(value)] = slot

    def binds(self, code: types.CodeType, name: str, slot: Slot) -> None:
        """A variable of an outer function that `code` knows."""
        self._cells[code, name] = slot

    def meets(self, code: types.CodeType) -> None:
        """Code that the branch may run."""
        facts = _facts(code)
        self._met.add(code.co_filename)
        self._marked = self._marked or facts.marked
        self._calls = self._calls or facts.calls
        self._may_fail = self._may_fail or facts.may_fail
        self._may_catch = self._may_catch or facts.may_catch
        # What a library makes of sizes is its own matter, and takes time to look at.
        self._tells_sizes = self._tells_sizes or facts.tells_sizes and not is_installed(code.co_filename)
        self._names_sizes = self._names_sizes or facts.names_sizes

    @property
    def tells_sizes(self) -> bool:
        """Whether code that the branch may run makes of sizes what is none."""
        return self._tells_sizes and self._names_sizes

    def meets_numpy(self, code: types.CodeType, value: Any) -> None:
        """Code that the branch may run, and that names numpy or something of it, `value`."""
        self._of_numpy.add(code.co_filename)
        self.holds_numbers = self.holds_numbers or not isinstance(value, (type, types.ModuleType)) and not callable(value)

    def finds_numpy(self) -> None:
        """A number or an array of numpy, in an attribute or a container: all code may compute with it."""
        self._holds_numpy = self.holds_numbers = True

    # What happens.

    @contextlib.contextmanager
    def watched(
        self, until: types.FrameType | None, entered: Callable[[str, str, Any], None], failed: Callable[[Exception], None]
    ) -> Iterator[None]:
        """Hands what torch.export cannot enter or make to `entered`, and errors that it cannot raise to `failed`.

        `entered` is given what kind of effect it is, its name and where it is.
        """
        if self._holds_numpy:
            self._of_numpy |= self._met
        if not self._marked and not self._of_numpy and not (self._may_fail and self._may_catch):
            yield
            return

        def local(frame: types.FrameType, event: str, arg: Any) -> Any:
            if event == "line":
                self._line(frame, until, entered)
            elif event == "opcode":
                if (node := nodes_by_instruction(frame.f_code).get(frame.f_lasti)) is not None:
                    self._numbers_of_numpy((node,), frame, until, entered)
            elif event == "exception" and arg[2] is not None and arg[2].tb_next is None:
                error = arg[1]
                if self._is_of_assert(frame, error) or self._is_of_tensor(frame, error):
                    failed(error)
            return local

        def returned(frame: types.FrameType, event: str, arg: Any) -> Any:
            # A function of the user's yields what is entered.
            if event == "return" and frame.f_back is not None and (name := self._untraced_context(arg)):
                entered("call", name, statement_at(frame.f_back, until))
            return returned

        def both(frame: types.FrameType, event: str, arg: Any) -> Any:
            returned(frame, event, arg)
            local(frame, event, arg)
            return both

        def trace(frame: types.FrameType, event: str, arg: Any) -> Any:
            code = frame.f_code
            if not is_users(code.co_filename):
                return None
            facts = _facts(code)
            if code.co_filename in self._of_numpy and nodes_by_instruction(code):
                frame.f_trace_opcodes = True
            if frame.f_back is not None and calls_for_context(frame.f_back):
                return returned if not facts.marked else both
            return local if facts.marked or facts.may_fail or code.co_filename in self._of_numpy else None

        old = sys.gettrace()
        sys.settrace(trace)
        try:
            yield
        finally:
            sys.settrace(old)

    def watcher(self, until: types.FrameType | None) -> Callable[[types.FrameType, str, Any], None] | None:
        """What is to see the calls of functions in C, as a profiler does; nothing where there are none of interest."""
        if not self._calls or not self._holders:
            return None

        def call(frame: types.FrameType, event: str, function: Any) -> None:
            owner = getattr(function, "__self__", None)
            if not isinstance(owner, _CONTAINERS) or not is_users(frame.f_code.co_filename):
                return
            name = function.__name__
            if event == "c_call" and name in _MAY_WRITE and (name != "update" or not isinstance(owner, dict)):
                self._pending.append((owner, content_of(owner)))
            elif event == "c_call" and (name in _WRITES or name == "update"):
                self._wrote(owner, frame, until)
            elif event == "c_return" and name in _MAY_WRITE and self._pending and self._pending[-1][0] is owner:
                if _differs(self._pending.pop()[1], content_of(owner)):
                    self._wrote(owner, frame, until)

        return call

    def _line(self, frame: types.FrameType, until: types.FrameType | None, entered: Callable[[str, str, Any], None]) -> None:
        code = frame.f_code
        if code.co_filename in self._of_numpy:
            self._numbers_of_numpy(nodes_at(code, frame.f_lineno), frame, until, entered)
        for name in _cells_at(code).get(frame.f_lineno, ()):
            self._touch(self._cells.get((code, name)), frame, until)
        for mark in _marks(code.co_filename).get(frame.f_lineno, ()):
            value = self._value(mark.of, frame)
            if mark.kind == "stores" and isinstance(value, _CONTAINERS):
                self._wrote(value, frame, until)
            elif mark.kind == "enters" and (name := self._untraced_context(value)):
                entered("call", name, statement_at(frame, until))
            elif mark.kind == "yields" and (made_by := compat.untraced_contexts().get(id(getattr(value, "__wrapped__", value)))):
                entered("call", _AS_CONTEXT.format(made_by), statement_at(frame, until))
            elif mark.kind == "asks" and isinstance(value, self.torch.Tensor) and (mark.name == "__dict__" or not compat.answers_as_object()):
                entered("call", f"Tensor.{mark.name}", statement_at(frame, until))
            elif mark.kind == "makes" and isinstance(value, type) and self._is_made(value):
                module = value.__module__.lstrip("_")
                entered("call", value.__name__ if module == "builtins" else f"{module}.{value.__name__}", statement_at(frame, until))

    def _numbers_of_numpy(
        self, nodes: Iterable[Node], frame: types.FrameType, until: types.FrameType | None, entered: Callable[[str, str, Any], None]
    ) -> None:
        """Numbers of numpy in what is to run: those that are made, those that stand for a dimension, and those that are computed with."""
        value_of = functools.partial(self._value, frame=frame)
        for node in nodes:
            if (effect := effect_of(node, value_of)) is not None and (at := statement_at(frame, until)) is not None:
                self.makes_numbers = self.makes_numbers or effect[0] == "constant"
                whole = node if isinstance(node, ast.expr) else node.test if isinstance(node, (ast.If, ast.While, ast.Assert)) else None
                entered(*effect, at if whole is None else (place_of_expression(at[0], whole), at[1]))

    def _untraced_context(self, value: Any) -> str:
        """What to call an object that torch.export does not enter within a branch; nothing where it does."""
        if isinstance(value, _LOCKS):
            return f"threading.{type(value).__name__}"
        contexts = compat.untraced_contexts()
        # Of those that are made by a generator its function is what is known.
        name = contexts.get(id(type(value))) or contexts.get(id(getattr(value, "func", None)))
        if name:
            return _AS_CONTEXT.format(name)
        return f"with an object of {type(value).__name__}, which is held outside" if self._is_held_outside(value) else ""

    def _is_held_outside(self, value: Any) -> bool:
        """Whether a context is entered that the branch did not make: one of torch, or one of Python code by a version that does not know how."""
        if compat.exports_strictly() or not self.is_held(value):
            return False
        if isinstance(value, compat.modes_of_gradients()):
            return True
        enters = getattr(type(value), "__enter__", None)
        by_user = isinstance(enters, types.FunctionType) and is_users(enters.__code__.co_filename)
        return not compat.enters_own_contexts() and (by_user or isinstance(value, contextlib.suppress))

    def _is_made(self, cls: type) -> bool:
        return cls.__module__ in _MADE or cls in _TYPES_MADE or cls is self.torch.Generator

    def _wrote(self, holder: Any, frame: types.FrameType, until: types.FrameType | None) -> None:
        self._touch(self._holders.get(id(holder)), frame, until)

    def _touch(self, slot: Slot | None, frame: types.FrameType, until: types.FrameType | None) -> None:
        if slot is not None and (at := statement_at(frame, until)) is not None:
            change = self.written.setdefault(id(slot), Change(slot, slot.name))
            if at not in change.places:
                change.places.append(at)

    def _is_of_assert(self, frame: types.FrameType, error: Any) -> bool:
        """Whether an error came of an `assert`: torch.export makes an operator of it."""
        return isinstance(error, AssertionError) and frame.f_lineno in asserts(frame.f_code.co_filename)

    def _is_of_tensor(self, frame: types.FrameType, error: Any) -> bool:
        """Whether an error came of a tensor's sizes, asked beyond their number."""
        if not isinstance(error, IndexError):
            return False
        return any(isinstance(self._value(base, frame), (self.torch.Size, self.torch.Tensor))
                   for base in _bases(frame.f_code.co_filename).get(frame.f_lineno, ()))

    def _value(self, expression: ast.expr, frame: types.FrameType) -> Any:
        """What an expression of names and attributes stands for; no code of the user's runs for it."""
        if isinstance(expression, ast.Name):
            for space in (frame.f_locals, frame.f_globals, frame.f_builtins):
                if expression.id in space:
                    return space[expression.id]
        elif isinstance(expression, ast.Attribute):
            owner = self._value(expression.value, frame)
            if expression.attr == "shape" and isinstance(owner, self.torch.Tensor):
                return owner.shape
            return MISSING if owner is MISSING else _held(owner, expression.attr)
        elif isinstance(expression, ast.Subscript) and isinstance(expression.slice, ast.Constant):
            owner = self._value(expression.value, frame)
            if type(owner) in (list, dict, tuple, self.torch.Size) or type(owner) is getattr(sys.modules.get("numpy"), "ndarray", list):
                with contextlib.suppress(LookupError, TypeError):
                    return owner[expression.slice.value]
        return MISSING


def _held(owner: Any, name: str) -> Any:
    """An attribute that is held, not computed."""
    if isinstance(owner, (types.ModuleType, type)):
        classes = owner.__mro__ if isinstance(owner, type) else (owner,)
        found = next((vars(cls)[name] for cls in classes if name in vars(cls)), MISSING)
        # Some modules of torch are objects that hold another.
        is_of_torch = found is MISSING and isinstance(owner, types.ModuleType) and owner.__name__.split(".")[0] == "torch"
        return getattr(owner, name, MISSING) if is_of_torch else found
    own = getattr(owner, "__dict__", {})
    if name in own:
        return own[name]
    for table in ("_modules", "_buffers", "_parameters"):
        if isinstance(inner := own.get(table), dict) and name in inner:
            return inner[name]
    for cls in type(owner).__mro__:
        if name in vars(cls):
            found = vars(cls)[name]
            if isinstance(found, types.MemberDescriptorType):
                return getattr(owner, name, MISSING)
            return MISSING if hasattr(type(found), "__get__") else found
    return MISSING


def _differs(before: Any, after: Any) -> bool:
    if len(before) != len(after):
        return True
    if isinstance(before, dict):
        return any(k not in after or after[k] is not v for k, v in before.items())
    return any(a is not b for a, b in zip(before, after))


# What source and code say before anything runs.


@dataclass(frozen=True)
class _Facts:
    marked: bool  # stores into something, enters something, or writes a variable of an outer function
    calls: bool  # names a method of containers that writes
    may_fail: bool  # asserts, or asks for sizes
    may_catch: bool
    tells_sizes: bool  # calls what may make of a size what is no size
    names_sizes: bool


# More functions than a large code base has: who goes over all of them again and again finds none of them in a smaller one.
_MOST_FUNCTIONS = 1 << 16


def _operations(code: types.CodeType) -> set[str]:
    """The names of the operations that occur in code: each is two bytes."""
    return {dis.opname[number] for number in set(code.co_code[::2])}


@functools.lru_cache(maxsize=_MOST_FUNCTIONS)
def _facts(code: types.CodeType) -> _Facts:
    """Of code and what is defined in it."""
    operations = _operations(code)
    names = set(code.co_names)
    stores = operations & {"STORE_SUBSCR", "DELETE_SUBSCR", "BEFORE_WITH", "SETUP_WITH"} or any(
        name.startswith("INPLACE_") for name in operations) or "BINARY_OP" in operations and _augments(code)
    inner = [_facts(constant) for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return _Facts(
        marked=bool(stores) or bool(names & (_NAMES_MADE | _OF_OBJECT | {"__dict__", "vars"})) or bool(_cells_at(code)) or any(f.marked for f in inner),
        calls=bool(names & (_WRITES | _MAY_WRITE)) or any(f.calls for f in inner),
        may_fail="LOAD_ASSERTION_ERROR" in operations or bool(names & {"shape", "size"})
        or any(f.may_fail for f in inner),
        may_catch=may_catch(code) or any(f.may_catch for f in inner),
        tells_sizes=_tells_sizes(code, operations) or any(f.tells_sizes for f in inner),
        names_sizes=bool(names & _SIZES) or any(f.names_sizes for f in inner),
    )


def _tells_sizes(code: types.CodeType, operations: set[str]) -> bool:
    """Whether code names what may make of a size what is none, or puts something into a text by `%`."""
    if not _TELL_AS_ATTRIBUTES.isdisjoint(code.co_names) or "UNARY_INVERT" in operations:
        return True
    if any(isinstance(constant, str) and "%" in constant for constant in code.co_consts):
        return True
    # A tensor's `max` is no matter.
    return not _TELL_SIZES.isdisjoint(code.co_names) and any(
        i.argval in _TELL_SIZES and i.opname.startswith("LOAD_") and not i.opname.startswith(("LOAD_ATTR", "LOAD_METHOD"))
        for i in dis.get_instructions(code) if isinstance(i.argval, str)
    )


def _augments(code: types.CodeType) -> bool:
    # From Python 3.11 on one operation is for all of `+=`, `|=` and their like.
    return any(i.opname == "BINARY_OP" and i.argrepr.endswith("=") for i in dis.get_instructions(code))


@functools.lru_cache(maxsize=_MOST_FUNCTIONS)
def _cells_at(code: types.CodeType) -> dict[int, set[str]]:
    """By line: the variables of outer functions that are assigned there."""
    found: dict[int, set[str]] = {}
    if not _operations(code) & {"STORE_DEREF", "DELETE_DEREF"}:
        return found
    line = code.co_firstlineno
    for instruction in dis.get_instructions(code):
        if isinstance(instruction.starts_line, int) and not isinstance(instruction.starts_line, bool):
            line = instruction.starts_line
        line = getattr(instruction, "line_number", None) or line
        if instruction.opname in ("STORE_DEREF", "DELETE_DEREF") and instruction.argval in code.co_freevars:
            found.setdefault(line, set()).add(instruction.argval)
    return found


def assigned_attributes(code: types.CodeType) -> frozenset[str]:
    """The names of attributes that code, and what is defined in it, sets or deletes."""
    return _assigned(code, ("STORE_ATTR", "DELETE_ATTR"))


def assigned_globals(code: types.CodeType) -> frozenset[str]:
    """The names of global variables that code, and what is defined in it, sets or deletes."""
    return _assigned(code, ("STORE_GLOBAL", "DELETE_GLOBAL"))


@functools.lru_cache(maxsize=_MOST_FUNCTIONS)
def _assigned(code: types.CodeType, setters: tuple[str, ...]) -> frozenset[str]:
    writes = not _operations(code).isdisjoint(setters)
    found = {i.argval for i in dis.get_instructions(code) if i.opname in setters} if writes else set()
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found |= _assigned(constant, setters)
    return frozenset(found)


@functools.lru_cache(maxsize=256)
def _marks(path: str) -> dict[int, list[_Mark]]:
    """By the line on which a statement begins: what it stores into, and what it enters."""
    found: dict[int, list[_Mark]] = {}

    def stores(target: ast.expr, line: int) -> None:
        if isinstance(target, (ast.Tuple, ast.List)):
            for part in target.elts:
                stores(part, line)
        elif isinstance(target, ast.Starred):
            stores(target.value, line)
        elif isinstance(target, ast.Subscript):
            found.setdefault(line, []).append(_Mark("stores", target.value))

    for node in ast.walk(tree_of(path)):
        if isinstance(node, (ast.Assign, ast.Delete)):
            for target in node.targets:
                stores(target, node.lineno)
        elif isinstance(node, (ast.AnnAssign, ast.For)):
            stores(node.target, node.lineno)
        elif isinstance(node, ast.AugAssign):
            stores(node.target, node.lineno)
            # What is named is written itself, where it is a container.
            found.setdefault(node.lineno, []).append(_Mark("stores", node.target))
        elif isinstance(node, ast.Attribute) and node.attr == "__dict__":
            found.setdefault(node.lineno, []).append(_Mark("asks", node.value, node.attr))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _OF_OBJECT:
            found.setdefault(node.lineno, []).append(_Mark("asks", node.func.value, node.func.attr))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "vars" and node.args:
            found.setdefault(node.lineno, []).append(_Mark("asks", node.args[0], "__dict__"))
        elif isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute)):
            if (node.func.id if isinstance(node.func, ast.Name) else node.func.attr) in _NAMES_MADE:
                found.setdefault(node.lineno, []).append(_Mark("makes", node.func))
        elif isinstance(node, ast.With):
            for item in node.items:
                entered = item.context_expr
                mark = _Mark("yields", entered.func) if isinstance(entered, ast.Call) else _Mark("enters", entered)
                found.setdefault(node.lineno, []).append(mark)
    return found


@functools.lru_cache(maxsize=256)
def _bases(path: str) -> dict[int, list[ast.expr]]:
    """By line: what is asked for a size, `t.shape[…]` and `t.size(…)`."""
    found: dict[int, list[ast.expr]] = {}
    for node in ast.walk(tree_of(path)):
        base = None
        if isinstance(node, ast.Subscript):
            base = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("size", "stride"):
            base = node.func.value
        if base is not None and isinstance(node, ast.expr):
            found.setdefault(node.lineno, []).append(base)
    return found
