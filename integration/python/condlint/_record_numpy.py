"""Numbers of numpy that a branch makes: torch.export makes tensors of them, which are constants of the branch, used or not."""

from __future__ import annotations

import ast
import functools
import sys
import types
from collections.abc import Callable
from typing import Any

from ._record_source import operator_of, tree_of

CONSTANT_OF_NUMPY = "one made of a number of numpy, as by np.float32(2)"
# Functions that make an array of numbers, or compute with them; of those that fill one torch.export makes operators.
_OF_NUMBERS = frozenset(
    """array asarray asanyarray amax amin around clip cumprod cumsum dot max mean median min prod round sort std sum var""".split()
)


def is_of_numpy(value: Any) -> bool:
    """Whether a value is numpy itself, or one of its types and functions."""
    if isinstance(value, types.ModuleType):
        return value.__name__ == "numpy"
    module = getattr(value, "__module__", None) if isinstance(value, (type, types.FunctionType)) else type(value).__module__
    return module == "numpy"


def calls_at(code: types.CodeType, line: int) -> list[ast.Call]:
    """The calls that code makes on a line whatever happens, of a name or of a name in a module, with something that is given."""
    calls = _calls(code.co_filename).get(line)
    if not calls:
        return []
    places = _places(code)
    return [call for call in calls if not places or (call.lineno, call.end_lineno, call.col_offset, call.end_col_offset) in places]


@functools.lru_cache(maxsize=4096)
def _places(code: types.CodeType) -> frozenset[tuple[int | None, ...]]:
    """Where the instructions of code come from: what is written in a lambda is not of the function around it; unknown before Python 3.11."""
    return frozenset(code.co_positions()) if hasattr(code, "co_positions") else frozenset()


@functools.lru_cache(maxsize=256)
def _calls(path: str) -> dict[int, list[ast.Call]]:
    """By the line on which they begin: those calls that no condition within an expression stands before."""
    found: dict[int, list[ast.Call]] = {}
    todo: list[ast.AST] = [tree_of(path)]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Call) and (node.args or node.keywords) and isinstance(node.func, (ast.Name, ast.Attribute)):
            found.setdefault(node.lineno, []).append(node)
        if isinstance(node, ast.IfExp):
            todo.append(node.test)
        elif isinstance(node, ast.BoolOp):
            todo.append(node.values[0])
        else:
            todo.extend(ast.iter_child_nodes(node))
    return found


def is_constant(call: ast.Call, value_of: Callable[[ast.expr], Any]) -> bool:
    """Whether a call makes a number or an array of numpy, of numbers alone; `value_of` says what a name stands for."""
    numpy: Any = sys.modules["numpy"]
    function = value_of(call.func)
    if isinstance(function, type):
        makes = issubclass(function, numpy.generic)
    elif isinstance(function, numpy.ufunc):
        makes = True
    else:
        makes = getattr(function, "__name__", "") in _OF_NUMBERS and (getattr(function, "__module__", None) or "").startswith("numpy")
    return makes and bool(call.args) and all(_is_number(part, value_of) for part in call.args)


def held_dimension(call: ast.Call, frame: types.FrameType, value_of: Callable[[ast.expr], Any]) -> str:
    """The operator that a call hands a number of numpy for a dimension and the like, where a branch reads one that is held outside."""
    numpy: Any = sys.modules["numpy"]
    given = [*enumerate(call.args), *((word.arg, word.value) for word in call.keywords)]
    held = [
        (at, part) for at, part in given
        if isinstance(part, (ast.Name, ast.Attribute)) and isinstance(value_of(part), numpy.integer)
        and not (isinstance(part, ast.Name) and part.id in frame.f_code.co_varnames)
    ]
    if not held:
        return ""
    name, first = operator_of(call.func, frame)
    return name if any(_takes_number(name, at if isinstance(at, str) or at is None else at + first) for at, _ in held) else ""


@functools.lru_cache(maxsize=1024)
def _takes_number(name: str, at: int | str | None) -> bool:
    """Whether in all forms of an operator in which it has an argument of that position or name that is a number which must be known."""
    packet: Any = None if not name or name.startswith("__") else getattr(sys.modules["torch"].ops.aten, name, None)
    kinds = set()
    for form in packet.overloads() if packet is not None else ():
        # The text of a schema tells numbers that may be symbols from others, its types do not.
        arguments = str(getattr(packet, form)._schema).split("(", 1)[1].split(") ->")[0].split(", ")
        for where, argument in enumerate(argument for argument in arguments if argument != "*"):
            kind, _, rest = argument.partition(" ")
            if rest.split("=")[0] == at or where == at:
                kinds.add(kind.split("[")[0].rstrip("?"))
    return "int" in kinds and "SymInt" not in kinds


def _is_number(part: ast.expr, value_of: Callable[[ast.expr], Any]) -> bool:
    """Whether an expression is a number of Python's, computed of some, or a list of them; a size that can change is a symbol."""
    if isinstance(part, ast.Constant):
        return isinstance(part.value, (bool, int, float, complex))
    if isinstance(part, ast.UnaryOp):
        return _is_number(part.operand, value_of)
    if isinstance(part, ast.BinOp):
        return _is_number(part.left, value_of) and _is_number(part.right, value_of)
    if isinstance(part, (ast.List, ast.Tuple)):
        return all(_is_number(each, value_of) for each in part.elts)
    return isinstance(part, (ast.Name, ast.Attribute, ast.Subscript)) and type(value_of(part)) in (bool, int, float, complex)
