"""What becomes of what user code computes: nothing, a truth that is tested, a text whose letters count."""

from __future__ import annotations

import ast
import builtins
import functools
import operator
import re
import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from . import _torch_compat as compat
from ._record_places import columns, is_users, place_of
from ._record_source import formats, named, running, tree_of

_HOLDERS = (ast.Tuple, ast.List)
_COMPREHENSIONS = (ast.DictComp, ast.GeneratorExp, ast.ListComp, ast.SetComp)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.Module)
# Expressions and statements that want the letters of a text.
_READ = (
    ast.Attribute, ast.AugAssign, ast.BinOp, ast.BoolOp, ast.Compare, ast.For, ast.If, ast.IfExp, ast.Match, ast.Set, ast.Starred,
    ast.Subscript, ast.UnaryOp, ast.While, ast.comprehension,
)
# Those that ask whether it has any.
_TESTS = (ast.BoolOp, ast.If, ast.IfExp, ast.UnaryOp, ast.While)
# Methods and functions that keep what they are given, as it is.
_KEEP = frozenset("append appendleft enumerate insert setdefault".split())
# Functions that want the letters of what is in a list or a tuple, too.
_READ_PARTS = frozenset("frozenset join max min print repr set sorted str".split())
_DEPTH = 4  # names that are followed from one to the next


def is_dropped(frame: types.FrameType) -> bool:
    """Whether nothing is done with what user code computes now: it is no part of what torch.export writes down."""
    found = _at(frame, (ast.Attribute, ast.Call, ast.BinOp, ast.UnaryOp, ast.Compare))
    return bool(found) and not any(list(_consumers(node, frame.f_code.co_filename)) for node in found)


def is_computed_with(frame: types.FrameType) -> bool:
    """Whether user code makes something of the attribute that it reads now, other than holding it, or asking whether it is the same object."""
    takers = [taker for node in _at(frame, (ast.Attribute,)) for taker, _ in _consumers(node, frame.f_code.co_filename)]
    same = [taker for taker in takers if isinstance(taker, ast.Compare) and all(isinstance(op, (ast.Is, ast.IsNot)) for op in taker.ops)]
    return any(isinstance(taker, (*_READ, ast.Call, ast.Assert)) and taker not in same for taker in takers)


def is_unused(frame: types.FrameType) -> bool:
    """Whether nothing comes of what user code computes now, also by way of comparisons and lists."""
    found, path = _at(frame, (ast.Attribute, ast.Call)), frame.f_code.co_filename
    if not found or all(_leads_nowhere(node, path) for node in found):
        return bool(found)
    # What a function returns its caller may drop.
    caller = frame.f_back
    returns = all(isinstance(by, ast.Return) for node in found for by, _ in _consumers(node, path))
    return returns and caller is not None and is_users(caller.f_code.co_filename) and is_unused(caller)


def is_tested_alone(frame: types.FrameType) -> bool:
    """Whether all that becomes of what user code calls now is that it is asked for its truth."""
    takers = [taker for node in _at(frame, (ast.Call,)) for taker in _consumers(node, frame.f_code.co_filename)]
    return bool(takers) and all(_tests(by, what, frame) for by, what in takers)


def is_unused_truth(frame: types.FrameType) -> bool:
    """Whether user code asks for a truth now, by `in` or `bool`, and nothing comes of it: torch.export passes over that."""
    found = [
        node for node in _at(frame, (ast.Call, ast.Compare))
        if isinstance(node, ast.Call) or isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], (ast.In, ast.NotIn))
    ]
    asked = all(isinstance(node, ast.Compare) and compat.passes_over_truths(False) or isinstance(node, ast.Call) and _asks_truth(node.func) for node in found)
    return bool(found) and asked and all(_leads_nowhere(node, frame.f_code.co_filename) for node in found)


def _asks_truth(function: ast.expr) -> bool:
    if isinstance(function, ast.Name):
        return function.id in ("bool", "contains") and compat.passes_over_truths(function.id == "bool")
    return isinstance(function, ast.Attribute) and function.attr in ("__contains__", "contains") and compat.passes_over_truths(False)


def _leads_nowhere(node: ast.expr, path: str) -> bool:
    for by, _ in _consumers(node, path):
        if isinstance(by, ast.comprehension):
            by = _parents(path)[by]
        makes_list = isinstance(by, ast.Call) and isinstance(by.func, ast.Name) and by.func.id in ("list", "tuple")
        if not makes_list and not isinstance(by, (ast.Compare, ast.ListComp)) or not isinstance(by, ast.expr) or not _leads_nowhere(by, path):
            return False
    return True


def is_tested(frame: types.FrameType) -> bool:
    """Whether user code goes one way or another by the comparison that it makes now, or it is one that torch.export answers at once."""
    if operator.contains in running(frame):
        return False
    found = _at(frame, (ast.Compare,)) or [call for call in _at(frame, (ast.Call,)) if isinstance(call, ast.Call) and _compares(call)]
    return not found or any(
        isinstance(node, ast.Compare) and not _is_symbolic(node, frame) or _tests(by, what, frame)
        for node in found for by, what in list(_consumers(node, frame.f_code.co_filename)) or ([(node, node)] if isinstance(node, ast.Compare) else [])
    )


def _compares(call: ast.Call) -> bool:
    """Whether a call compares as an operator does: `bool(n > 2)`, `operator.truth(n)`, `x.shape.__eq__((3, 4))`."""
    function = call.func
    name = function.id if isinstance(function, ast.Name) else function.attr if isinstance(function, ast.Attribute) else ""
    if name == "truth" and compat.follows_conversion():
        return bool(call.args) and not isinstance(call.args[0], ast.Compare)
    return name == "bool" if isinstance(function, ast.Name) else name in ("__contains__", "__eq__")


def _is_symbolic(node: ast.Compare, frame: types.FrameType) -> bool:
    """Whether torch.export makes a symbol of a comparison of containers: of `==`, and of `in` with what is written down; of dicts it makes none."""
    if len(node.ops) > 1 or any(_is_dict(side, frame) for side in (node.left, *node.comparators)):
        return False
    written = isinstance(node.comparators[0], _HOLDERS) or isinstance(node.comparators[0], ast.Attribute) and node.comparators[0].attr == "shape"
    return isinstance(node.ops[0], ast.Eq) or isinstance(node.ops[0], ast.In) and written


def _is_dict(expression: ast.expr, frame: types.FrameType) -> bool:
    """Whether an expression is a dict, or a list or a tuple of one."""
    if isinstance(expression, _HOLDERS):
        return any(_is_dict(part, frame) for part in expression.elts)
    made = named(expression.func, frame) if isinstance(expression, ast.Call) else None
    return isinstance(expression, ast.Dict) or isinstance(made, type) and issubclass(made, dict) or isinstance(named(expression, frame), dict)


def is_read(frame: types.FrameType, or_tested: bool = True, or_kept: bool = True) -> bool:
    """Whether user code wants the letters of the text that it makes now of parts, by an f-string, `format` or `%`.

    With `or_tested` it is enough that it asks whether there are any, with `or_kept` that the text is in a set, or a key.
    """
    return any(
        _reads(by, what, frame) and (or_tested or not isinstance(by, _TESTS)) and (or_kept or not _is_set(by))
        for node in _texts(frame) for by, what in _consumers(node, frame.f_code.co_filename)
    )


def _is_set(by: ast.AST) -> bool:
    """Whether it makes a set or a dict of what it takes."""
    return isinstance(by, (ast.Set, ast.Dict)) or (
        isinstance(by, ast.Call) and isinstance(by.func, ast.Name) and by.func.id in ("frozenset", "set"))


def is_part(frame: types.FrameType) -> bool:
    """Whether user code makes a text now that is one of several parts of another: `f"rows {n}"`, `f"{n=}"`, `"%s rows" % (n,)`."""
    if not formats(frame):
        return False
    place = place_of(frame)
    # Python compiles `%` with a tuple as an f-string.
    return any(isinstance(node, ast.JoinedStr) and len(node.values) > 1 for node in _texts(frame)) or any(
        isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and isinstance(node.right, ast.Tuple) and not _is_one_part(node)
        and any(columns(place.path, part) == (place.column, place.end_column) for part in node.right.elts)
        for node in _expressions(frame.f_code.co_filename).get(place.line, ())
    )


def _is_one_part(node: ast.BinOp) -> bool:
    """Whether a text that is made by `%` is that of one value, and nothing else."""
    return isinstance(node.left, ast.Constant) and re.fullmatch(r"%[^%a-zA-Z]*[a-zA-Z]", str(node.left.value)) is not None


def is_printed(frame: types.FrameType) -> bool:
    """Whether all that becomes of the text that user code makes now is that it is printed."""
    takers = [by for node in _texts(frame) for by, _ in _consumers(node, frame.f_code.co_filename)]
    return bool(takers) and all(isinstance(by, ast.Call) and named(by.func, frame) is builtins.print for by in takers)


def _texts(frame: types.FrameType) -> list[ast.expr]:
    """The expression by which a frame makes a text of parts now."""
    if not formats(frame):
        return [node for node in _at(frame, (ast.Call, ast.BinOp)) if _is_text(node)]
    # The place is that of the whole, or of the part from Python 3.12 on.
    place = place_of(frame)
    around: list[ast.expr] = []
    for node in _strings(frame.f_code.co_filename):
        first, last = columns(place.path, node)
        begins = (node.lineno, first) <= (place.line, place.column or first)
        if begins and (place.end_line or place.line, place.end_column) <= (node.end_lineno or 0, last):
            around.append(node)
    return around[-1:]


def _is_text(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute) and node.func.attr == "format"
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod)


def _at(frame: types.FrameType, kinds: tuple[type[ast.expr], ...]) -> list[ast.expr]:
    """The expression of those kinds that a frame is at; before Python 3.11 all that begin on its line."""
    place = place_of(frame)
    found = [node for node in _expressions(frame.f_code.co_filename).get(place.line, ()) if isinstance(node, kinds)]
    if not place.column:
        return found
    return [node for node in found if (node.end_lineno, *columns(place.path, node)) == (place.end_line, place.column, place.end_column)]


@functools.lru_cache(maxsize=256)
def _expressions(path: str) -> dict[int, list[ast.expr]]:
    """By the line on which it begins: the expressions of interest."""
    found: dict[int, list[ast.expr]] = {}
    for node in ast.walk(tree_of(path)):
        if isinstance(node, (ast.Attribute, ast.Call, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Subscript)):
            found.setdefault(node.lineno, []).append(node)
    return found


@functools.lru_cache(maxsize=256)
def _strings(path: str) -> list[ast.JoinedStr]:
    """The f-strings of a file, those within others behind them; how a number is written (`:.2f`) is none."""
    nodes = list(ast.walk(tree_of(path)))
    forms = {node.format_spec for node in nodes if isinstance(node, ast.FormattedValue)}
    return [node for node in nodes if isinstance(node, ast.JoinedStr) and node not in forms]


@functools.lru_cache(maxsize=256)
def _parents(path: str) -> dict[ast.AST, ast.AST]:
    found: dict[ast.AST, ast.AST] = {}
    for node in ast.walk(tree_of(path)):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.expr, ast.stmt, ast.keyword, ast.comprehension, ast.withitem)):
                found[child] = node
    return found


def _consumers(node: ast.expr, path: str, depth: int = _DEPTH) -> Iterator[tuple[ast.AST, ast.expr]]:
    """What takes the value of an expression, and the expression that it takes: through names, lists and tuples."""
    parents = _parents(path)
    by = parents.get(node)
    if by is None or isinstance(by, ast.Expr):
        return
    if isinstance(by, (ast.Assign, ast.AnnAssign, ast.NamedExpr)) and by.value is node:
        if isinstance(by, ast.NamedExpr):
            yield from _consumers(by, path, depth)
        for target in by.targets if isinstance(by, ast.Assign) else [by.target]:
            if isinstance(target, ast.Name) and depth:
                for read in _reads_of(target, path):
                    yield from _consumers(read, path, depth - 1)
            elif not isinstance(target, ast.Name):
                yield by, node
    elif isinstance(by, _HOLDERS):
        yield from ((taker, by) for taker, _ in _consumers(by, path, depth))
    elif isinstance(by, ast.IfExp) and by.test is not node:
        yield from _consumers(by, path, depth)
    elif isinstance(by, ast.JoinedStr) and len(by.values) == 1:
        yield from _consumers(by, path, depth)
    elif isinstance(by, ast.FormattedValue):
        yield from _consumers(by, path, depth)
    elif isinstance(by, (ast.GeneratorExp, ast.ListComp, ast.SetComp)) and by.elt is node:
        yield from ((taker, by) for taker, _ in _consumers(by, path, depth))
    elif isinstance(by, ast.keyword):
        yield parents[by], node
    else:
        yield by, node


def _reads_of(name: ast.Name, path: str) -> list[ast.Name]:
    """The places that read a variable, in the function that assigns it."""
    parents = _parents(path)
    within: ast.AST = name
    while within in parents and not isinstance(within, _FUNCTIONS):
        within = parents[within]
    return [node for node in ast.walk(within) if isinstance(node, ast.Name) and node.id == name.id and isinstance(node.ctx, ast.Load)
            and not _is_of_comprehension(node, within, parents)]


def _is_of_comprehension(name: ast.Name, within: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether a name is a variable of a comprehension around it, and not of the function."""
    node: ast.AST = name
    while node is not within and node in parents:
        below, node = node, parents[node]
        if isinstance(node, _COMPREHENSIONS) and below is not node.generators[0]:
            if any(isinstance(part, ast.Name) and part.id == name.id for each in node.generators for part in ast.walk(each.target)):
                return True
        elif isinstance(node, ast.comprehension) and below is not node.iter:
            if any(isinstance(part, ast.Name) and part.id == name.id for part in ast.walk(node.target)):
                return True
    return False


def _tests(by: ast.AST, what: ast.expr, frame: types.FrameType) -> bool:
    """Whether `by` asks `what` for its truth."""
    if isinstance(by, (ast.If, ast.While, ast.IfExp, ast.Assert)):
        return by.test is what
    if isinstance(by, ast.Call):
        function = named(by.func, frame)
        return function in (bool, all, any, print, str, repr, sorted, max, min)
    return isinstance(by, (ast.BoolOp, ast.Match, ast.comprehension)) or isinstance(by, ast.UnaryOp) and isinstance(by.op, ast.Not)


@dataclass(frozen=True)
class _Inside:
    """A function of the user's that is called, as far as names mean something in it, as a frame has them."""

    f_code: types.CodeType
    f_globals: dict[str, Any]
    f_builtins: dict[str, Any]
    f_locals: dict[str, Any]
    depth: int


def _reads(by: ast.AST, what: ast.expr, frame: Any) -> bool:
    """Whether `by` wants the letters of the text `what`, or of those in it."""
    if isinstance(by, ast.JoinedStr):
        return True  # with other parts beside it
    if isinstance(by, ast.Dict):
        return what in by.keys
    if isinstance(by, ast.BinOp) and isinstance(what, ast.Tuple):
        return isinstance(by.op, ast.Mod)
    if not isinstance(by, ast.Call):
        return isinstance(by, _READ) and not isinstance(what, (*_HOLDERS, ast.GeneratorExp, ast.ListComp))
    if what is by.func:
        return False
    name = by.func.id if isinstance(by.func, ast.Name) else by.func.attr if isinstance(by.func, ast.Attribute) else ""
    if isinstance(what, (*_HOLDERS, ast.GeneratorExp, ast.ListComp)):
        return name in _READ_PARTS
    if _is_code(by.func, frame):
        return _reads_inside(by, what, frame)
    return name not in _KEEP


def _reads_inside(call: ast.Call, what: ast.expr, frame: Any) -> bool:
    """Whether a function of the user's that is called with the text `what` wants its letters."""
    function, bound = _callee(call.func, frame)
    depth = getattr(frame, "depth", _DEPTH)
    if not isinstance(function, types.FunctionType) or not is_users(function.__code__.co_filename) or not depth:
        return False
    code = function.__code__
    name = next((keyword.arg for keyword in call.keywords if keyword.value is what), None)
    at = next((at for at, part in enumerate(call.args) if part is what), None)
    if at is not None and at + bound < code.co_argcount:
        name = code.co_varnames[at + bound]
    inside = _Inside(code, function.__globals__, frame.f_builtins, {}, depth - 1)
    reads = [node for node in ast.walk(_definition(code)) if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)]
    return any(_reads(by, part, inside) for read in reads for by, part in _consumers(read, code.co_filename))


def _definition(code: types.CodeType) -> ast.AST:
    """The source of a function; nothing where it is not found."""
    for node in ast.walk(tree_of(code.co_filename)):
        if isinstance(node, (ast.FunctionDef, ast.Lambda)) and getattr(node, "name", "<lambda>") == code.co_name:
            if code.co_firstlineno in (node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))):
                return node
    return ast.Module([], [])


def _callee(function: ast.expr, frame: Any) -> tuple[Any, bool]:
    """The function that an expression stands for in a frame, and whether it is one of an object's, which it is given first."""
    found = named(function, frame)
    if found is None and isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        owner: Any = frame.f_locals.get(function.value.id, frame.f_globals.get(function.value.id))
        if owner is not None:
            return getattr(type(owner), function.attr, None), True
    return found, False


def _is_code(function: ast.expr, frame: Any) -> bool:
    """Whether it is code of the user's or of torch's that is called: what that does with a text is seen there, or not known."""
    found, _ = _callee(function, frame)
    if found is None:
        return not isinstance(function, ast.Attribute)
    if isinstance(found, type):
        return not issubclass(found, BaseException) and found.__module__ != "builtins"
    code = getattr(found, "__code__", None)
    return code is not None and is_users(code.co_filename) or (getattr(found, "__module__", None) or "").split(".")[0] == "torch"
