"""Numbers of numpy that a branch makes: torch.export makes tensors of them, which are constants of the branch, used or not."""

from __future__ import annotations

import ast
import functools
import sys
import types
from collections.abc import Callable
from typing import Any

from . import _torch_compat as compat
from ._record_source import tree_of

CONSTANT_OF_NUMPY = "one made of a number of numpy, as by np.float32(2)"
# Nodes that may compute with a number of numpy, or ask it for its truth.
Node = ast.Call | ast.BinOp | ast.AugAssign | ast.Compare | ast.Attribute | ast.If | ast.While | ast.IfExp | ast.Assert | ast.BoolOp | ast.UnaryOp | ast.For | ast.comprehension
_NODES = (ast.Call, ast.BinOp, ast.AugAssign, ast.Compare, ast.Attribute, ast.If, ast.While, ast.IfExp, ast.Assert, ast.BoolOp, ast.UnaryOp, ast.For, ast.comprehension)
# Functions of Python that torch.export does not call with a number of numpy, nor those of `math`; all of them compute with one of Python.
_OF_PYTHON = (complex, hash, max, min, range, repr, round, sorted, str, sum)
# Those that take a list of them as well.
_OF_LISTS = (max, min, sorted, sum)
# Functions and methods of numpy that yield the kind of number that they are given.
_SAME_KIND = frozenset("abs ceil clip copy cos cumsum exp floor log max min prod ravel reshape sin sqrt sum tanh".split())
# Functions that make an array of numbers, or compute with them; of those that fill one torch.export makes operators.
_OF_NUMBERS = frozenset(
    """array asarray asanyarray amax amin around clip cumprod cumsum dot geomspace linspace max mean median min prod round sort std sum var""".split()
)


def is_of_numpy(value: Any) -> bool:
    """Whether a value is numpy itself, or one of its types and functions."""
    if isinstance(value, types.ModuleType):
        return value.__name__ == "numpy"
    module = getattr(value, "__module__", None) if isinstance(value, (type, types.FunctionType)) else type(value).__module__
    return module == "numpy"


def nodes_at(code: types.CodeType, line: int) -> list[Node]:
    """What code computes on a line whatever happens, and may compute with a number of numpy."""
    nodes = _nodes(code.co_filename)[0].get(line)
    if not nodes:
        return []
    places = _places(code)
    return [node for node in nodes if not places or _place(node) in places]


@functools.lru_cache(maxsize=4096)
def nodes_by_instruction(code: types.CodeType) -> dict[int, Node]:
    """The same of what it computes in one case and not in another, by the instruction that does; unknown before Python 3.11."""
    nodes = _nodes(code.co_filename)[1]
    if not nodes or not hasattr(code, "co_positions"):
        return {}
    found: dict[Node, int] = {}
    for at, place in enumerate(code.co_positions()):
        if (node := nodes.get(place)) is not None:
            found.setdefault(node, 2 * at)
    return {at: node for node, at in found.items()}


@functools.lru_cache(maxsize=4096)
def _places(code: types.CodeType) -> frozenset[tuple[int | None, ...]]:
    """Where the instructions of code come from: what is written in a lambda is not of the function around it; unknown before Python 3.11."""
    return frozenset(code.co_positions()) if hasattr(code, "co_positions") else frozenset()


def _place(node: Node) -> tuple[int | None, ...]:
    at: Any = node
    if isinstance(node, (ast.If, ast.While, ast.IfExp, ast.Assert)):
        at = node.test
    elif isinstance(node, (ast.For, ast.comprehension)):
        at = node.iter
    elif isinstance(node, ast.BoolOp):
        at = node.values[0]
    elif isinstance(node, ast.UnaryOp):
        at = node.operand
    return at.lineno, at.end_lineno, at.col_offset, at.end_col_offset


@functools.lru_cache(maxsize=256)
def _nodes(path: str) -> tuple[dict[int, list[Node]], dict[tuple[int | None, ...], Node]]:
    """By the line on which they begin: those that no condition within an expression stands before; by their place: the others."""
    always: dict[int, list[Node]] = {}
    sometimes: dict[tuple[int | None, ...], Node] = {}
    todo: list[tuple[ast.AST, bool]] = [(tree_of(path), False)]
    while todo:
        node, is_arm = todo.pop()
        if isinstance(node, _NODES) and not (isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not)):
            if is_arm:
                sometimes.setdefault(_place(node), node)
            else:
                always.setdefault(_place(node)[0] or 0, []).append(node)
        if isinstance(node, ast.IfExp):
            todo += [(node.test, is_arm), (node.body, True), (node.orelse, True)]
        elif isinstance(node, ast.BoolOp):
            todo += [(node.values[0], is_arm), *((value, True) for value in node.values[1:])]
        else:
            # What a lambda computes is computed when it is called.
            todo += [(child, is_arm and not isinstance(node, ast.Lambda)) for child in ast.iter_child_nodes(node)]
    return always, sometimes


def effect_of(node: Node, value_of: Callable[[ast.expr], Any]) -> tuple[str, str] | None:
    """What torch.export makes of numbers of numpy where user code computes: the kind of effect, and its name; `value_of` says what an expression is."""
    numpy: Any = sys.modules["numpy"]
    if isinstance(node, ast.Call):
        return _of_call(node, value_of)
    if isinstance(node, (ast.BinOp, ast.AugAssign)):
        sides = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.target, node.value)
        values = [_operand(side, value_of) for side in sides]
        if isinstance(values[0], str) and isinstance(values[1], numpy.generic):
            return "call", "'%' with a number of numpy"
        return ("constant", CONSTANT_OF_NUMPY) if _converts(*values) else None
    if isinstance(node, ast.Attribute):
        held = node.attr in ("dtype", "tolist") and isinstance(value_of(node.value), (numpy.generic, numpy.ndarray))
        return ("call", f"{node.attr} of a number or an array of numpy") if held else None
    if isinstance(node, (ast.For, ast.comprehension)):
        if isinstance(node.iter, ast.Call) and value_of(node.iter.func) is range and compat.follows_held_range():
            return ("call", "range of a number of numpy") if any(isinstance(value_of(part), numpy.generic) for part in node.iter.args) else None
        return ("call", "a loop over an array of numpy") if isinstance(value_of(node.iter), numpy.ndarray) else None
    if isinstance(node, ast.Compare):
        return ("constant", CONSTANT_OF_NUMPY) if _compares(node, value_of, with_python=True) else None
    asked = node.values[:-1] if isinstance(node, ast.BoolOp) else [node.operand] if isinstance(node, ast.UnaryOp) else [node.test]
    if any(isinstance(value_of(part), numpy.generic) or _compares(part, value_of, with_python=False) for part in asked[:1]):
        return "call", "the truth of a number of numpy, which is a tensor for it"
    return None


def _of_call(call: ast.Call, value_of: Callable[[ast.expr], Any]) -> tuple[str, str] | None:
    numpy: Any = sys.modules["numpy"]
    if not (call.args or call.keywords) or not isinstance(call.func, (ast.Name, ast.Attribute)):
        return None
    if is_constant(call, value_of) or _computes(call, value_of):
        return "constant", CONSTANT_OF_NUMPY
    function = value_of(call.func)
    function = getattr(function, "__wrapped__", function)
    holds = any(function is known for known in _OF_LISTS)
    values = [value_of(part) for given in call.args for part in (given.elts if holds and isinstance(given, (ast.List, ast.Tuple)) else [given])]
    if any(isinstance(value, numpy.generic) for value in values) and _stops_at(function, values):
        return "call", f"{function.__name__} of a number of numpy"
    return None


def _stops_at(function: Any, values: list[Any]) -> bool:
    of_math = isinstance(function, types.BuiltinFunctionType) and function.__module__ == "math"
    if function is range and compat.follows_held_range():
        return False  # where nothing runs over it
    if function is pow:
        return not compat.raises_held_number()
    return any(function is known for known in _OF_PYTHON) or of_math and not any(isinstance(value, float) for value in values)


def _computes(call: ast.Call, value_of: Callable[[ast.expr], Any]) -> bool:
    """Whether a function of numpy computes with a number of its own and one of Python's."""
    numpy: Any = sys.modules["numpy"]
    function = value_of(call.func)
    if not isinstance(function, numpy.ufunc) and not (is_of_numpy(function) and getattr(function, "__name__", "") == "clip"):
        return False
    values = [_operand(part, value_of) for part in call.args]
    return any(_converts(values[0], value) for value in values[1:]) if values else False


def _operand(part: ast.expr, value_of: Callable[[ast.expr], Any]) -> Any:
    """A number or an array, or one of those computed of some; nothing for what is not known."""
    if isinstance(part, ast.Constant):
        return part.value
    if isinstance(part, ast.UnaryOp) and isinstance(part.op, (ast.USub, ast.UAdd)):
        return _operand(part.operand, value_of)
    # Of what is computed of an array or a number the kind counts alone, which is that of what it is computed of.
    if isinstance(part, ast.Subscript) and isinstance(held := value_of(part.value), sys.modules["numpy"].ndarray):
        return held
    if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute):
        if part.func.attr == "dim" and isinstance(value_of(part.func.value), sys.modules["torch"].Tensor):
            return value_of(part.func.value).dim()
        if part.func.attr in _SAME_KIND and isinstance(held := value_of(part.func.value), (sys.modules["numpy"].generic, sys.modules["numpy"].ndarray)):
            return held
        if is_of_numpy(value_of(part.func.value)) and part.func.attr in _SAME_KIND and part.args:
            return _operand(part.args[0], value_of)
    return value_of(part)


def _converts(one: Any, other: Any) -> bool:
    """Whether arithmetic of the two makes a tensor of the one that is a number of Python: of a whole one beside whole ones of numpy it makes none."""
    numpy: Any = sys.modules["numpy"]
    held, number = (one, other) if isinstance(one, (numpy.generic, numpy.ndarray)) else (other, one)
    if not isinstance(held, (numpy.generic, numpy.ndarray)) or type(number) not in (bool, int, float):
        return False
    return type(number) is not int or not numpy.issubdtype(held.dtype, numpy.integer)


def _compares(node: ast.expr, value_of: Callable[[ast.expr], Any], *, with_python: bool) -> bool:
    """Whether an expression compares a number of numpy; with a number of Python's: torch.export makes a tensor of that."""
    numpy: Any = sys.modules["numpy"]
    if not isinstance(node, ast.Compare) or len(node.ops) > 1 or isinstance(node.ops[0], (ast.Is, ast.IsNot)):
        return False
    sides = [_operand(side, value_of) for side in (node.left, node.comparators[0])]
    if not any(isinstance(side, (numpy.generic, numpy.ndarray)) for side in sides):
        return False
    return not with_python or isinstance(node.ops[0], (ast.In, ast.NotIn)) or any(type(side) in (bool, int, float) for side in sides)


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
    if function is numpy.full:  # an operator fills it, with a constant
        value = call.args[1:2] or [word.value for word in call.keywords if word.arg == "fill_value"]
        return bool(value) and _is_number(value[0], value_of)
    return makes and bool(call.args) and all(_is_number(part, value_of) for part in call.args)


_NUMBERS = (bool, int, float, complex)


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
    if not isinstance(part, (ast.Name, ast.Attribute, ast.Subscript)):
        return False
    value = value_of(part)
    return all(type(each) in _NUMBERS for each in value) if isinstance(value, (list, tuple)) else type(value) in _NUMBERS
