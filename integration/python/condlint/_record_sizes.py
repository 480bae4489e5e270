"""Symbolic sizes: what the caller declares of them, and how they are written."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from . import _torch_compat as compat
from ._errors import InputError

Json = dict[str, Any]

# sympy's comparisons: Python's operators of them by name and as they are written.
_COMPARISONS = {
    "StrictGreaterThan": ("gt", ">"),
    "GreaterThan": ("ge", ">="),
    "StrictLessThan": ("lt", "<"),
    "LessThan": ("le", "<="),
    "Equality": ("eq", "=="),
    "Unequality": ("ne", "!="),
}


# What computes sympy's functions.
_OPERATIONS = {
    "Abs": "_operator.abs",
    "Add": "_operator.add",
    "CeilToInt": "math.ceil",
    "FloatPow": "_operator.pow",
    "FloatTrueDiv": "_operator.truediv",
    "FloorToInt": "math.floor",
    "IntTrueDiv": "_operator.truediv",
    "Mul": "_operator.mul",
    "Pow": "_operator.pow",
    "ToFloat": "torch.sym_float",
    "TruncToInt": "math.trunc",
}


class Spelt(str):
    """A size as it was spelt; what code asks of sizes afterwards may show it to be another's, or a number."""

    expr: Any


@dataclass
class Declared:
    """A size that the caller says can change.

    Attributes
    ----------
    hint : int
        The size in the example.
    kept : str
        What torch.export holds on to whatever code asks of the size: its range and more ("range": a named one), that it
        is no number ("dynamic": Dim.DYNAMIC), or nothing ("": Dim.AUTO).
    """

    name: str
    symbol: Any
    hint: int
    low: int
    high: int | None
    kept: str = ""


class Sizes:
    """The symbols of a recording, by the names that the user gave them."""

    def __init__(self, torch: Any, env: Any) -> None:
        self.torch = torch
        self.env = env
        self.declared: dict[str, Declared] = {}
        self._by_symbol: dict[str, str] = {}
        self._used: dict[str, Any] = {}
        self._texts: dict[Any, int | str | None] = {}
        self._anonymous = 0
        self._tries = itertools.count()
        self.notes: list[str] = []  # what of `dynamic_shapes` torch.export does not take

    def declare(self, name: str | None, hint: int, low: int = 0, high: int | None = None, kept: str = "") -> Any:
        """The symbolic size of that name, made at its first mention; without a name another one each time."""
        if name is None:
            name = f"s{self._anonymous}"
            self._anonymous += 1
        known = self.declared.get(name)
        if known is not None:
            if known.hint != hint:
                raise InputError(f"dynamic_shapes: '{name}' is {known.hint} and {hint} in the example: give inputs of one size, or two names")
            return known.symbol
        if kept == "range" and not low <= hint <= (hint if high is None else high):
            admitted = f"{low} or more" if high is None else f"from {low} to {high}"
            raise InputError(f"dynamic_shapes: '{name}' is {hint} in the example, and {admitted} are admitted: give inputs of such a size")
        if kept and hint < 2:
            said = name if kept == "range" else "a size"
            self.notes.append(f"dynamic_shapes: '{said}' is {hint} in the example, and is to change: torch.export refuses that; give inputs of 2 or more")
        # Of a hint's bounds torch.export does not ask whether the example keeps to them.
        low, high = min(low, hint), None if high is None else max(high, hint)
        symbol = compat.new_symbol(self.env, name, hint, low, high)
        self.declared[name] = Declared(name, symbol, hint, low, high, kept)
        if isinstance(symbol, self.torch.SymInt):
            self._by_symbol[str(compat.expression_of(symbol))] = name
        return symbol

    @contextlib.contextmanager
    def tried(self) -> Iterator[Callable[[int], Any]]:
        """Yields what makes a symbol for a size, one for all of that number; none of them is in the graph."""
        known = self._by_symbol, self._used, self._texts
        self._by_symbol, self._used, self._texts = dict(self._by_symbol), dict(self._used), dict(self._texts)
        made: dict[int, Any] = {}

        def symbol(size: int) -> Any:
            if size not in made:
                name = f"__tried{next(self._tries)}"
                made[size] = compat.new_symbol(self.env, name, size, 0, None)
                self._by_symbol[str(compat.expression_of(made[size]))] = name
            return made[size]

        try:
            yield symbol
        finally:
            self._by_symbol, self._used, self._texts = known

    def text(self, size: Any) -> int | str | None:
        """A size as graph JSON writes it: a number, an expression, or None."""
        if isinstance(size, int):
            return int(size)
        if not isinstance(size, self.torch.SymInt):
            return None
        expr = compat.expression_of(size)
        if expr in self._texts:
            return self._texts[expr]
        text = self._texts[expr] = self._text(expr)
        return text

    def _text(self, expr: Any) -> int | str | None:
        text = _number_or(self._spell(expr))
        if isinstance(text, str):
            text = Spelt(text)
            text.expr = expr
        return text

    def settled(self, value: Any) -> Any:
        """What was written down, with the sizes that turned out to be others, or numbers."""
        if not self.env.replacements:
            return value
        if isinstance(value, dict):
            return {key: self.settled(held) for key, held in value.items()}
        if isinstance(value, list):
            return [self.settled(held) for held in value]
        return self._text(compat.settled(self.env, value.expr)) if isinstance(value, Spelt) else value

    def pinned(self, expr: Any, answer: Any) -> tuple[str, list[str]] | None:
        """What code asked of sizes, and of which: of those that torch.export does not let it ask that of."""
        names = []
        if any(abs(int(number)) >= 2**62 for number in expr.atoms() if number.is_Integer):
            return None  # whether a size is infinite, as older versions ask of slices
        for symbol in sorted(expr.free_symbols, key=str):
            declared = self.declared.get(self._by_symbol.get(str(symbol), ""))
            if declared is None:
                continue
            is_number = not compat.settled(self.env, symbol).free_symbols
            if declared.kept == "range" or declared.kept == "dynamic" and is_number:
                names.append(declared.name)
        return (self.words(expr, answer), names) if names else None

    def may_pin(self, tensor: Any) -> bool:
        """Whether a tensor has sizes that torch.export holds on to, and none that data decides."""
        symbolic = [size for size in tensor.shape if isinstance(size, self.torch.SymInt)]
        symbols = {str(symbol) for size in symbolic for symbol in compat.expression_of(size).free_symbols}
        names = [self._by_symbol[symbol] for symbol in symbols if symbol in self._by_symbol]
        kept = [self.declared[name].kept for name in names if name in self.declared]
        return len(kept) == len(symbols) and any(kept)

    def are_sizes(self, expr: Any) -> bool:
        """Whether a symbolic number is made of sizes, and not of a tensor's values."""
        return all(str(symbol) in self._by_symbol for symbol in expr.free_symbols)

    def kind_of(self, expr: Any) -> str:
        """What a symbolic number is, in words."""
        of = "a number of a tensor"
        if self.are_sizes(expr):
            names = {self._by_symbol[str(symbol)] for symbol in expr.free_symbols}
            of = "a size that can change" if names <= self.declared.keys() else "a size, which is a symbol where torch.export traces a branch"
        return f"a comparison of {of}" if expr.is_Boolean else of

    def words(self, expr: Any, answer: Any) -> str:
        """A comparison of sizes as it would be read; of a number, that it is `answer`."""
        if (compared := _COMPARISONS.get(type(expr).__name__)) is None:
            text = self._spell(expr) if not expr.is_Boolean else None
            return str(expr) if text is None else f"{text} == {answer}"
        sides = [self._spell(side) for side in expr.args]
        return str(expr) if None in sides else f"{sides[0]} {compared[1]} {sides[1]}"

    def symbols_of(self, value: Any) -> set[str]:
        """The names of the symbols in a symbolic number or truth value."""
        return self.names_of(compat.expression_of(value))

    def names_of(self, expr: Any) -> set[str]:
        """The names of the symbols in an expression."""
        return {self._name(symbol) for symbol in expr.free_symbols}

    def to_json(self) -> Json:
        """The symbols and their ranges."""
        out: Json = {}
        for declared in self.declared.values():
            out[declared.name] = {"origin": "declared", "min": declared.low, "max": declared.high}
        for declared in self.declared.values():
            if isinstance(declared.symbol, self.torch.SymInt):
                same = out.get(self._by_symbol.get(str(compat.expression_of(declared.symbol)), ""))
                if same is not None:
                    same["min"] = max(same["min"], declared.low)
                    same["max"] = min((high for high in (same["max"], declared.high) if high is not None), default=None)
        for name, symbol in self._used.items():
            if name in out:
                continue
            low, high = compat.range_of(self.env, symbol)
            out[name] = {"origin": "unbacked", "min": 0 if low is None else low, "max": high}
        return out

    def predicate(self, expr: Any, write: Any, made: Mapping[str, str]) -> Any:
        """The nodes that compute a comparison; `write(op, attributes, kind)` adds one and returns its result.

        `made` says of symbols which node's result they are, in the graph in hand.
        """
        import sympy

        if expr is sympy.true or expr is sympy.false:
            return bool(expr)
        if (compared := _COMPARISONS.get(type(expr).__name__)) is not None:
            sides = [self._operand(side, write, made) for side in expr.args]
            return write(f"_operator.{compared[0]}", [{"name": "a", **sides[0]}, {"name": "b", **sides[1]}])
        if isinstance(expr, (sympy.And, sympy.Or)):
            name = "and_" if isinstance(expr, sympy.And) else "or_"
            parts = [self.predicate(part, write, made) for part in sorted(expr.args, key=str)]
            result = parts[0]
            for part in parts[1:]:
                result = write(f"_operator.{name}", [{"name": "a", "operand": result}, {"name": "b", "operand": part}])
            return result
        if isinstance(expr, sympy.Not):
            return write("_operator.not_", [{"name": "a", "operand": self.predicate(expr.args[0], write, made)}])
        return {"literal": "sym_bool"}

    def _operand(self, expr: Any, write: Any, made: Mapping[str, str]) -> Json:
        text = self._text(expr)
        if isinstance(text, int):
            return {"int": text}
        if text is None and (name := self._computed(expr, write, made)) is not None:
            return {"operand": name}
        kind = "sym_int" if expr.is_integer else "sym_float"
        return {"operand": {"literal": kind, **({} if text is None else {"content": [text]})}}

    def _computed(self, expr: Any, write: Any, made: Mapping[str, str]) -> str | None:
        """What computes `expr` of numbers of tensors; none where it is one of sizes alone, or nobody knows how."""
        if expr.is_Symbol:
            return made.get(self._name(expr))
        op = _OPERATIONS.get(type(expr).__name__)
        if op is None or not any(self._name(symbol) in made for symbol in expr.free_symbols):
            return None
        parts = [{"float": float(part)} if part.is_number else self._operand(part, write, made) for part in expr.args]
        while len(parts) > 2:  # sums and products of more than two
            parts[:2] = [{"operand": write(op, _operands(parts[:2]), "sym_float")}]
        return str(write(op, _operands(parts), "sym_int" if expr.is_integer else "sym_float"))

    def _name(self, symbol: Any) -> str:
        name = self._by_symbol.get(str(symbol), str(symbol))
        self._used.setdefault(name, symbol)
        return name

    def _spell(self, expr: Any, level: int = 0) -> str | None:
        """`expr` in the words of graph JSON; None where there are none for it."""
        import sympy

        if expr.is_Integer:
            return str(int(expr)) if int(expr) >= 0 or level == 0 else f"({int(expr)})"
        if expr.is_Symbol:
            if not expr.is_integer:
                return None
            name = self._name(expr)
            return name if name.isidentifier() else "'" + name.replace("'", "") + "'"
        kind = type(expr).__name__
        if isinstance(expr, sympy.Add):
            return self._joined(expr.args, " + ", level > 0)
        if isinstance(expr, sympy.Mul):
            return self._joined(expr.args, "*", level > 1, inner=2)
        if isinstance(expr, sympy.Pow) and expr.exp.is_Integer and 0 < int(expr.exp) <= 8:
            return self._joined([expr.base] * int(expr.exp), "*", level > 1, inner=2)
        if kind in ("FloorDiv", "CleanDiv", "IntTrueDiv") and len(expr.args) == 2 and kind != "IntTrueDiv":
            return self._joined(expr.args, "//", level > 0, inner=3)
        if kind in ("Mod", "PythonMod") and len(expr.args) == 2:
            return self._joined(expr.args, " % ", level > 0, inner=3)
        if kind in ("Max", "Min"):
            return self._called(kind.lower(), expr.args)
        return None

    def _joined(self, args: Any, by: str, enclosed: bool, inner: int = 1) -> str | None:
        parts = [self._spell(arg, inner) for arg in args]
        if any(part is None for part in parts):
            return None
        text = by.join(part for part in parts if part is not None)
        return f"({text})" if enclosed else text

    def _called(self, name: str, args: Any) -> str | None:
        parts = [self._spell(arg) for arg in args]
        return None if any(part is None for part in parts) else f"{name}({', '.join(p for p in parts if p)})"


def _operands(parts: list[Json]) -> list[Json]:
    return [{"name": name, **part} for name, part in zip("ab", parts)]


def _number_or(text: str | None) -> int | str | None:
    if text is not None and text.lstrip("-").isdigit():
        return int(text)
    return text


def declared_size(sizes: Sizes, spec: Any, size: int, where: str) -> Any:
    """The size that an entry of `dynamic_shapes` makes of a size of the example."""
    if isinstance(spec, int) and spec != size:
        raise InputError(f"{where} is {size} in the example, and dynamic_shapes says {spec}")
    if spec is None or isinstance(spec, int):
        return size
    if isinstance(spec, str):
        return sizes.declare(spec, size)
    root = getattr(spec, "root", None)
    if root is not None and hasattr(spec, "fn"):  # 2 * dim
        return spec.fn(declared_size(sizes, root, _solve(spec.fn, size, where), where))
    kind = str(getattr(spec, "name", spec)) if not hasattr(spec, "__name__") else ""
    if "STATIC" in kind:
        return size
    if "AUTO" in kind or "DYNAMIC" in kind:
        low, high = getattr(spec, "min", None) or 0, getattr(spec, "max", None)
        return sizes.declare(None, size, low=low, high=high, kept="dynamic" if "DYNAMIC" in kind else "")
    name = getattr(spec, "__name__", None)
    if name is None:
        raise InputError(f"dynamic_shapes: {where} is {spec!r}; expected a torch.export.Dim, an int or None")
    low, high = getattr(spec, "min", 0), getattr(spec, "max", None)
    finite = isinstance(high, int) and high < 2**62
    low = int(low) if isinstance(low, int) else 0
    return sizes.declare(name, size, low=low, high=high if finite else None, kept="range")


def _solve(function: Any, size: int, where: str) -> int:
    """The size for which a derived one is `size`."""
    for candidate in range(max(2 * size + 2, 64) + 4096):
        if function(candidate) == size:
            return candidate
    raise InputError(f"dynamic_shapes: {where}: no size makes the derived one {size}")
