"""Symbolic sizes: what the caller declares of them, and how they are written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from . import _torch_compat as compat
from ._errors import InputError

Json = dict[str, Any]


class SizeText(str):
    """A size as an expression: other text of a graph may look like it."""


@dataclass
class Declared:
    """A size that the caller says can change."""

    name: str
    symbol: Any
    low: int
    high: int | None


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

    def declare(self, name: str | None, hint: int, low: int = 0, high: int | None = None) -> Any:
        """The symbolic size of that name, made at its first mention; without a name another one each time."""
        if name is None:
            name = f"s{self._anonymous}"
            self._anonymous += 1
        known = self.declared.get(name)
        if known is not None:
            return known.symbol
        symbol = compat.new_symbol(self.env, name, hint, low, high)
        self.declared[name] = Declared(name, symbol, low, high)
        if isinstance(symbol, self.torch.SymInt):
            self._by_symbol[str(compat.expression_of(symbol))] = name
        return symbol

    def text(self, size: Any) -> int | str | None:
        """A size as graph JSON writes it: a number, an expression, or None."""
        if isinstance(size, int):
            return int(size)
        if not isinstance(size, self.torch.SymInt):
            return None
        return self._text_of(compat.expression_of(size))

    def _text_of(self, expr: Any) -> int | str | None:
        if expr not in self._texts:
            self._texts[expr] = _number_or(self._spell(expr))
        return self._texts[expr]

    def settled(self, graph: Json) -> Json:
        """`graph` in the sizes that the end of the recording knows: two may have turned out to be one after they were written."""
        known = {text: (expr, compat.settled(self.env, expr)) for expr, text in self._texts.items() if isinstance(text, SizeText)}
        changed = {text: self._text_of(now) for text, (expr, now) in known.items() if now != expr}

        def rewritten(part: Any) -> Any:
            if isinstance(part, dict):
                return {key: rewritten(value) for key, value in part.items()}
            if isinstance(part, list):
                return [rewritten(item) for item in part]
            return changed.get(part, part) if isinstance(part, SizeText) else part

        return rewritten(graph) if changed else graph

    def symbols_of(self, value: Any) -> set[str]:
        """The names of the symbols in a symbolic number or truth value."""
        return {self._name(symbol) for symbol in compat.expression_of(value).free_symbols}

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

    def predicate(self, expr: Any, write: Any) -> Any:
        """The nodes that compute a comparison of sizes; `write(op, attributes)` adds one and returns its result."""
        import sympy
        from sympy.core.relational import Equality, GreaterThan, LessThan, StrictGreaterThan, StrictLessThan, Unequality

        operators = {
            StrictGreaterThan: "gt",
            GreaterThan: "ge",
            StrictLessThan: "lt",
            LessThan: "le",
            Equality: "eq",
            Unequality: "ne",
        }
        if expr is sympy.true or expr is sympy.false:
            return bool(expr)
        for kind, name in operators.items():
            if isinstance(expr, kind):
                sides = [self._operand(side) for side in expr.args]
                return write(f"_operator.{name}", [{"name": "a", **sides[0]}, {"name": "b", **sides[1]}])
        if isinstance(expr, (sympy.And, sympy.Or)):
            name = "and_" if isinstance(expr, sympy.And) else "or_"
            parts = [self.predicate(part, write) for part in sorted(expr.args, key=str)]
            result = parts[0]
            for part in parts[1:]:
                result = write(f"_operator.{name}", [{"name": "a", "operand": result}, {"name": "b", "operand": part}])
            return result
        if isinstance(expr, sympy.Not):
            return write("_operator.not_", [{"name": "a", "operand": self.predicate(expr.args[0], write)}])
        return {"literal": "sym_bool"}

    def _operand(self, expr: Any) -> Json:
        text = self._text_of(expr)
        if isinstance(text, int):
            return {"int": text}
        return {"operand": {"literal": "sym_int", **({} if text is None else {"content": [text]})}}

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


def _number_or(text: str | None) -> int | str | None:
    if text is None:
        return None
    return int(text) if text.lstrip("-").isdigit() else SizeText(text)


def declared_size(sizes: Sizes, spec: Any, size: int, where: str) -> Any:
    """The size that an entry of `dynamic_shapes` makes of a size of the example."""
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
        return sizes.declare(None, size, low=getattr(spec, "min", None) or 0, high=getattr(spec, "max", None))
    name = getattr(spec, "__name__", None)
    if name is None:
        raise InputError(f"dynamic_shapes: {where} is {spec!r}; expected a torch.export.Dim, an int or None")
    low, high = getattr(spec, "min", 0), getattr(spec, "max", None)
    finite = isinstance(high, int) and high < 2**62
    return sizes.declare(name, size, low=int(low) if isinstance(low, int) else 0, high=high if finite else None)


def _solve(function: Any, size: int, where: str) -> int:
    """The size for which a derived one is `size`."""
    for candidate in range(max(2 * size + 2, 64) + 4096):
        if function(candidate) == size:
            return candidate
    raise InputError(f"dynamic_shapes: {where}: no size makes the derived one {size}")
