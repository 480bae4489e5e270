"""What source says of the place that user code is at: which function it calls, whether it asserts, asks for sizes, or makes a text."""

from __future__ import annotations

import ast
import dis
import functools
import linecache
import math
import sys
import types
from typing import Any

from . import _torch_compat as compat
from ._record_places import columns, place_of


@functools.lru_cache(maxsize=256)
def tree_of(path: str) -> ast.AST:
    """The source of a file; one without statements where it cannot be read."""
    try:
        return ast.parse("".join(linecache.getlines(path)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def fails_otherwise(frame: types.FrameType, callee: types.FrameType, expr: Any, answer: Any) -> bool:
    """Whether user code in `frame` ends where `expr`, which it or what it calls asks of sizes, is answered otherwise."""
    asked_by = callee.f_code
    if asked_by.co_name == "__bool__":
        return frame.f_lineno in asserts(frame.f_code.co_filename)
    if asked_by.co_name.startswith("_check"):
        return True
    # Operators ask whether sizes are equal where they must be.
    return type(expr).__name__ == ("Equality" if answer else "Unequality")


def asks_sizes(path: str, line: int) -> bool:
    """Whether a line says something of sizes."""
    return line in _sizes(path)


@functools.lru_cache(maxsize=256)
def _sizes(path: str) -> set[int]:
    """The lines that name what tells sizes."""
    found: set[int] = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, (ast.Attribute, ast.Name)):
            name = node.attr if isinstance(node, ast.Attribute) else node.id
            if name in ("shape", "size", "numel", "nelement", "stride", "len"):
                found.add(node.lineno)
    return found


def is_followed(frame: types.FrameType, callee: types.FrameType) -> bool:
    """Whether torch.export makes a symbol of what user code asks of sizes, as of `min(n, 4)` and `torch.tensor(n)`.

    A number that is asked for otherwise (`range(n)`, `math.log(n)`), and a truth (`if n > 2`), it takes from the example.
    """
    choices = (max, min) if compat.follows_choice() else ()
    if callee.f_code.co_name == "__int__" and compat.follows_conversion() and calls_method(frame, "__int__"):
        return True
    return any(function in choices for function in running(frame)) or callee.f_code.co_name != "__bool__" and makes_symbol(frame)


def makes_symbol(frame: types.FrameType) -> bool:
    """Whether user code calls what makes of a symbol another, or a tensor."""
    torch = sys.modules["torch"]
    makers = (math.sqrt, math.pow, math.radians, _own(torch.tensor), torch.Tensor.new_tensor)
    return any(function in makers for function in running(frame))


def fills_array(frame: types.FrameType) -> bool:
    """Whether user code calls one of the functions of numpy that torch.export gives a size that can change."""
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return False
    return any(function in (numpy.arange, numpy.empty, numpy.eye, numpy.full, numpy.ones, numpy.zeros) for function in running(frame))


def takes_array(frame: types.FrameType) -> bool:
    """Whether user code makes a tensor of an array of numpy now: one that it holds, or one that a function makes of no list."""
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return False
    for call in _calls_at(frame):
        for part in map(_origin, call.args[:1]):
            made_by = named(part.func, frame) if isinstance(part, ast.Call) else None
            if isinstance(part, ast.List) and len(part.elts) == 1 and isinstance(named(part.elts[0], frame), numpy.generic):
                return compat.follows_held_number()
            of_list = made_by in (numpy.array, numpy.asarray) or isinstance(made_by, type) and issubclass(made_by, numpy.number)
            held = (numpy.ndarray, numpy.generic) if compat.follows_held_number() else numpy.ndarray
            if isinstance(named(part, frame), held) or made_by is not None and not of_list and _is_of_numpy(made_by):
                return True
    return False


def _origin(part: ast.expr) -> ast.expr:
    """What an array is computed of by its methods and by arithmetic: of `np.arange(4).reshape(2, 2) + 1` it is `np.arange(4)`."""
    while True:
        if isinstance(part, ast.BinOp):
            part = part.left
        elif isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and isinstance(part.func.value, (ast.BinOp, ast.Call)):
            part = part.func.value
        else:
            return part


def _is_of_numpy(function: Any) -> bool:
    return (getattr(function, "__module__", None) or type(function).__module__).split(".")[0] == "numpy"


def running(frame: types.FrameType) -> list[Any]:
    """The function in C that user code calls now; before Python 3.11 all that its line calls."""
    found = (named(call.func, frame) for call in _calls_at(frame))
    return [_own(function) for function in found if function is not None]


def _own(function: Any) -> Any:
    """A function itself, where another stands in for it while a module is recorded."""
    return getattr(function, "__wrapped__", function)


def _calls_at(frame: types.FrameType) -> list[ast.Call]:
    """The call that user code is at; before Python 3.11 all that its line makes."""
    place = place_of(frame)
    calls = _called(frame.f_code.co_filename).get(frame.f_lineno, [])
    if not place.column:
        return calls
    return [call for call in calls if (call.lineno, call.end_lineno) == (place.line, place.end_line)
            and (columns(place.path, call)) == (place.column, place.end_column)]


def warns_by_text(frame: types.FrameType) -> bool:
    """Whether user code warns now by a text alone: torch.export drops that, and stops at a category and a `Warning`."""
    for call in _calls_at(frame):
        made = named(call.args[0].func, frame) if call.args and isinstance(call.args[0], ast.Call) else None
        by_name = call.keywords and (compat.refuses_print_with_names() or any(word.arg not in ("message", "stacklevel") for word in call.keywords))
        if len(call.args) > 1 or by_name or isinstance(made, type) and issubclass(made, Warning):
            return False
    return True


def calls_for_context(frame: types.FrameType) -> bool:
    """Whether user code calls a function now to enter what it yields: `with mode():`."""
    lines = _contexts(frame.f_code.co_filename)
    if frame.f_lineno not in lines:
        return False
    calls = _calls_at(frame)
    return any(call in lines[frame.f_lineno] for call in calls)


@functools.lru_cache(maxsize=256)
def _contexts(path: str) -> dict[int, list[ast.expr]]:
    """By line: the calls that yield what a `with` enters."""
    found: dict[int, list[ast.expr]] = {}
    for node in ast.walk(tree_of(path)):
        for item in node.items if isinstance(node, ast.With) else ():
            entered = item.context_expr
            for call in (entered.body, entered.orelse) if isinstance(entered, ast.IfExp) else (entered,):
                if isinstance(call, ast.Call):
                    found.setdefault(call.lineno, []).append(call)
    return found


def calls_method(frame: types.FrameType, name: str) -> bool:
    """Whether user code calls a method of that name now."""
    return any(isinstance(call.func, ast.Attribute) and call.func.attr == name for call in _calls_at(frame))


def counts_elements(frame: types.FrameType) -> bool:
    """Whether user code calls `numel()` of a shape, which Python's part of torch computes without a symbol."""
    return calls_method(frame, "numel")


def takes_text(frame: types.FrameType) -> bool:
    """Whether user code puts a number into a text now by `%`, and not by a tuple that Python compiles as an f-string."""
    place = place_of(frame)
    return any(
        isinstance(node, ast.BinOp) and not (isinstance(node.right, ast.Tuple) and formats(frame)) and isinstance(node.left, ast.Constant)
        and isinstance(node.left.value, str) and columns(place.path, node) == (place.column, place.end_column)
        for node in _formats(frame.f_code.co_filename).get(place.line, ())
    )


def converts_container(frame: types.FrameType) -> bool:
    """Whether user code makes a text of a container now to put it into another: `f"{x.shape!s}"`, `"%s" % (x.shape,)`."""
    if not converts(frame):
        return False
    place = place_of(frame)
    # Python compiles `%` with a tuple as an f-string, whose parts stand where those of the tuple do.
    return any(
        is_container(part, frame) and (not place.column or columns(place.path, part) == (place.column, place.end_column))
        for node in _formats(frame.f_code.co_filename).get(place.line, ())
        if isinstance(node, ast.BinOp) and isinstance(node.right, ast.Tuple)
        for part in node.right.elts
    ) or any(part.conversion != -1 and is_container(part.value, frame) for part in _parts_of_strings(frame.f_code.co_filename).get(place.line, ()))


def converts(frame: types.FrameType) -> bool:
    """Whether user code puts a value into an f-string now by its text: `{n!r}`, `{n=}`."""
    code, at = frame.f_code.co_code, frame.f_lasti
    name = dis.opname[code[at]]
    return name == "CONVERT_VALUE" or name == "FORMAT_VALUE" and bool(code[at + 1] & 3)


def is_container(expression: ast.expr, frame: types.FrameType) -> bool:
    """Whether an expression is a container that may hold sizes: `x.shape`, `x.size()`, `(n, 2)`, or a name for one."""
    if isinstance(expression, ast.Call) and isinstance(expression.func, ast.Attribute):
        return expression.func.attr == "size" and not expression.args
    if isinstance(expression, ast.Name):
        return isinstance(named(expression, frame), (tuple, list, dict, set))
    return isinstance(expression, (ast.Tuple, ast.List, ast.Dict, ast.Set)) or isinstance(expression, ast.Attribute) and expression.attr == "shape"


def formats(frame: types.FrameType) -> bool:
    """Whether user code puts a value into an f-string now."""
    return dis.opname[frame.f_code.co_code[frame.f_lasti]].startswith(("FORMAT_", "CONVERT_"))


def makes_text(frame: types.FrameType) -> bool:
    """Whether user code makes a text now otherwise than of parts: by an f-string, `format`, or `%` with a tuple that Python compiles as one."""
    if formats(frame):
        return False
    place = place_of(frame)
    for node in _formats(frame.f_code.co_filename).get(place.line, ()):
        if columns(place.path, node) == (place.column, place.end_column):
            return isinstance(node, ast.BinOp)
    return True


@functools.lru_cache(maxsize=256)
def _formats(path: str) -> dict[int, list[ast.expr]]:
    """By the line on which it begins: what makes a text of parts."""
    found: dict[int, list[ast.expr]] = {}
    for node in ast.walk(tree_of(path)):
        of_parts = (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format") or (
            isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod))
        if of_parts and isinstance(node, ast.expr):
            found.setdefault(node.lineno, []).append(node)
    return found


@functools.lru_cache(maxsize=256)
def _parts_of_strings(path: str) -> dict[int, list[ast.FormattedValue]]:
    """By line: what f-strings are made of."""
    found: dict[int, list[ast.FormattedValue]] = {}
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.FormattedValue):
            found.setdefault(node.value.lineno, []).append(node)
    return found


def named(expression: ast.expr, frame: types.FrameType) -> Any:
    """What a name, or a name of a module or of one in it, stands for in a frame."""
    if isinstance(expression, ast.Attribute) and expression.attr == "new_tensor":
        return sys.modules["torch"].Tensor.new_tensor
    if isinstance(expression, ast.Attribute) and isinstance(expression.value, (ast.Name, ast.Attribute)):
        owner = named(expression.value, frame)
        return vars(owner).get(expression.attr) if isinstance(owner, types.ModuleType) else None
    if not isinstance(expression, ast.Name):
        return None
    return next((space[expression.id] for space in (frame.f_locals, frame.f_globals, frame.f_builtins)
                 if expression.id in space), None)


@functools.lru_cache(maxsize=256)
def _called(path: str) -> dict[int, list[ast.Call]]:
    """By line: the calls on it."""
    found: dict[int, list[ast.Call]] = {}
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Call):
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                found.setdefault(line, []).append(node)
    return found


@functools.lru_cache(maxsize=256)
def asserts(path: str) -> set[int]:
    """The lines of assertions."""
    found: set[int] = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Assert):
            found.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return found
