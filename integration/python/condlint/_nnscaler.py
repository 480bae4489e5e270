"""What nnScaler freezes and converts when it traces Python source (labels NS1 to NS13 of docs/constraints.md)."""

from __future__ import annotations

import ast
import hashlib
import inspect
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ._engine import engine
from ._errors import InputError
from ._nnscaler_code import SEVERITIES, Code
from ._nnscaler_function import Function, is_flag, spell
from ._report import Report

TARGET = "nnscaler"


def is_converted(node: ast.expr) -> bool:
    """Whether nnScaler makes a call of a conditional expression, so that both arms are evaluated.

    It does so exactly where the condition is written `self.training` and neither arm holds a call, at any depth.
    """
    return (
        isinstance(node, ast.IfExp)
        and isinstance(node.test, ast.Attribute)
        and node.test.attr == "training"
        and isinstance(node.test.value, ast.Name)
        and node.test.value.id == "self"
        and not _has_call(node.body)
        and not _has_call(node.orelse)
    )


def _has_call(node: ast.AST) -> bool:
    return any(isinstance(child, ast.Call) for child in ast.walk(node))


@dataclass
class Fact:
    """Something to report, at a node of the syntax tree."""

    rule: str
    node: ast.AST
    message: str
    help: str
    variant: str = ""


def source_of(obj: Any) -> tuple[str, str, str | None, int] | None:
    """Path, text, the function or class that is meant (None: all), and the line where the text begins; or None."""
    if isinstance(obj, (str, os.PathLike)):
        path = os.fspath(obj)
        if path.endswith(".py"):
            try:
                with open(path, encoding="utf-8") as file:
                    return path, file.read(), None, 1
            except OSError as error:
                raise InputError(f"{path}: {error.strerror}") from error
            except UnicodeDecodeError as error:
                raise InputError(f"{path}: no Python source: {error}") from error
        return ("<source>", path, None, 1) if "\n" in path else None
    wanted = obj if isinstance(obj, type) or inspect.isroutine(obj) else type(obj)
    if getattr(wanted, "__module__", "").split(".")[0] in ("builtins", "torch", "onnx"):
        return None
    try:
        path = inspect.getsourcefile(wanted)
        if path is None:
            raise OSError
        with open(path, encoding="utf-8") as file:
            return path, file.read(), wanted.__qualname__, 1
    except (OSError, TypeError):
        raise InputError(f"the source of {wanted.__qualname__} is not available: give the file that holds it") from None


def check_source(path: str, text: str, wanted: str | None, first: int, options: dict[str, Any]) -> Report:
    """Judges Python source by the rules of the group Tracing."""
    del first
    try:
        tree = ast.parse(text, filename=path)
    except (SyntaxError, ValueError) as error:
        line = f":{error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
        raise InputError(f"{path}{line}: no Python source: {getattr(error, 'msg', error)}") from None
    code = Code(tree)
    facts: list[Fact] = []
    for function in code.traced(wanted):
        facts += Judge(code, function).facts()
    return _report(path, text, facts, options)


class Judge:
    """Judges one traced function."""

    def __init__(self, code: Code, function: Function) -> None:
        self.code = code
        self.function = function
        self.found: list[Fact] = []
        self._told: set[ast.AST] = set()

    def facts(self) -> list[Fact]:
        """All that is to be said of it."""
        for node in self._nodes(self.function.node):
            self._visit(node)
        return self.found

    def _nodes(self, root: ast.AST) -> Iterator[ast.AST]:
        """The nodes of the function in the order of the source; classes within are not part of it."""
        for child in ast.iter_child_nodes(root):
            if isinstance(child, ast.ClassDef):
                continue
            yield child
            yield from self._nodes(child)

    def _visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.IfExp):
            self._selection(node)
        elif isinstance(node, (ast.If, ast.While)):
            self._frozen(node.test, "if" if isinstance(node, ast.If) else "while")
        elif isinstance(node, ast.Match):
            self._frozen(node.subject, "match")
        elif isinstance(node, ast.match_case) and node.guard is not None:
            self._frozen(node.guard, "case")
        elif isinstance(node, ast.For):
            self._trips(node.iter, "for")
        elif isinstance(node, ast.comprehension):
            self._trips(node.iter, "comprehension")
            for test in node.ifs:
                self._frozen(test, "comprehension")
        elif isinstance(node, ast.BoolOp):
            self._frozen(node, "and" if isinstance(node.op, ast.And) else "or")
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            self._frozen(node, "not")
        elif isinstance(node, ast.Call):
            self._call(node)
        elif isinstance(node, ast.Attribute) and node.attr == "training" and node not in self._told:
            if self._is_other_module(node):  # NS7
                self._other_flag(node)

    def _selection(self, node: ast.IfExp) -> None:
        if not is_converted(node):
            self._frozen(node.test, "conditional expression")
            if is_flag(node.test) and (_has_call(node.body) or _has_call(node.orelse)):
                self.found[-1].help = "nnScaler converts it only where neither arm holds a call: make the calls before it"
            return
        cls = self.function.cls
        if cls is not None and self.code.is_no_module(cls):  # NS8
            self._add("training-flag", node.test, f"'{cls.name}' is no module, and nnScaler takes its 'training' for the "
                      "traced module's flag", "derive the class from torch.nn.Module, or give the attribute another name")
        unsafe = [(arm, why) for arm in (node.body, node.orelse) for why in _unsafe(arm)]
        for _, (at, why) in unsafe:  # NS5
            self._add("select-eager", at, f"both arms are evaluated always, and this one {why}",
                      "compute it before, so that it does not hang on the flag")
        self._add("select-convertible", node.test, "nnScaler converts this selection: both arms are evaluated, whatever "  # NS2
                  "the flag says", "arms without side effects, which cannot raise, are safe")

    def _frozen(self, test: ast.expr, what: str) -> None:
        """NS1, NS3, NS4, NS6, NS11: only the way that was taken while tracing survives."""
        # What hangs on it is told once, for the outermost.
        if any(part in self._told for part in _expressions(test)):
            return
        flag = self.function.flag_in(test)
        value = None if flag is not None else self.function.tensor_in(test)
        if flag is None and value is None:
            return
        self._told.update(_expressions(test))
        if value is not None:
            return self._frozen_value(test, value, what, "only the way that is taken while tracing is kept")
        assert flag is not None
        if self._is_other_module(flag):  # NS7
            self._other_flag(flag)
        message = f"the {what} hangs on the training flag ('{spell(flag)}'): only the way that is taken while tracing is kept"
        repair = "write `a if self.training else b` without calls in the arms, or pass self.training on as an argument"
        self._add("control-flow-frozen", test, message, repair)

    def _trips(self, over: ast.expr, what: str) -> None:
        """NS11: a loop goes round as often as it did while tracing."""
        if (value := self.function.trips_in(over)) is not None:
            self._frozen_value(over, value, what, "it goes round as often as it did while tracing")

    def _frozen_value(self, at: ast.expr, value: ast.expr, what: str, kept: str) -> None:
        self._add("control-flow-frozen", at, f"the {what} hangs on a tensor's value ('{spell(value)}'): {kept}",
                  "select with torch.where, or register the function as an operator of its own")

    def _other_flag(self, flag: ast.expr) -> None:
        self._add("training-flag", flag, f"'{spell(flag)}' is a submodule's own flag: nnScaler keeps one flag, that of the "
                  "traced module", "read self.training", "submodule")

    def _is_other_module(self, flag: ast.expr) -> bool:
        return isinstance(flag, ast.Attribute) and self.function.is_other_module(flag.value)

    def _call(self, node: ast.Call) -> None:
        for name, value in self.code.arguments(node, self.function.cls):  # NS9
            if name.startswith(("train", "is_train")) and self.function.is_module(value):
                self._add("training-flag", value, f"'{spell(value)}' is a module, and '{name}' wants a flag: it is always true",
                          f"pass {spell(value)}.training")
        target = node.func
        if isinstance(target, ast.Attribute) and target.attr in ("train", "eval"):
            owner = target.value  # NS7
            if self.function.is_other_module(owner):
                self._add("training-flag", node, f"'{spell(owner)}' is switched on its own: nnScaler keeps one flag for all "
                          "modules", "switch the whole module before it is traced", "submodule")
        if self.code.names.full(spell(target)) in ("torch.where", "where") and len(node.args) == 3:
            self._where(*node.args)
        elif isinstance(target, ast.Attribute) and target.attr == "where" and len(node.args) == 2 and self.function.is_tensor(target.value):
            self._where(node.args[0], target.value, node.args[1])

    def _where(self, condition: ast.expr, *arms: ast.expr) -> None:
        """NS10: both arms of `torch.where` are computed."""
        guarded = {spell(n) for n in ast.walk(condition) if isinstance(n, (ast.Name, ast.Attribute))}
        for arm in arms:
            for part in ast.walk(arm):
                name = part.func.attr if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) else ""
                if name.endswith("_") and not name.endswith("__"):
                    self._add("select-eager", part, f"torch.where computes both arms, and this one writes in place ({name})",
                              "write outside, or use the operator that returns a new tensor")
                elif name in ("log", "sqrt", "rsqrt", "reciprocal") and spell(_operand(part)) in guarded:
                    self._add("select-eager", part, f"torch.where computes both arms: {name} of the guarded value has no "
                              "gradient where the condition keeps it away", "replace the value before, as in "
                              f"torch.where(c, x, 1.0).{name}()", "gradient")
                elif isinstance(part, ast.BinOp) and isinstance(part.op, ast.Div) and spell(part.right) in guarded:
                    self._add("select-eager", part, "torch.where computes both arms: the division by the guarded value has no "
                              "gradient where the condition keeps it away", "replace the divisor before", "gradient")

    def _add(self, rule: str, node: ast.AST, message: str, repair: str, variant: str = "") -> None:
        self.found.append(Fact(rule, node, message, repair, variant))


def _expressions(node: ast.AST) -> Iterator[ast.expr]:
    """The expressions in a part of a source; of what else it is made (`ast.Load()`) other parts have the same."""
    return (part for part in ast.walk(node) if isinstance(part, ast.expr))


def _operand(call: ast.AST) -> ast.expr:
    assert isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
    inner = call.func.value
    return call.args[0] if isinstance(inner, ast.Name) and inner.id in ("torch", "F") and call.args else inner


def _unsafe(arm: ast.expr) -> Iterator[tuple[ast.AST, str]]:
    """What in a converted arm has an effect: operators and subscripts of tensors are taken to be safe."""
    for node in ast.walk(arm):
        if isinstance(node, ast.NamedExpr):
            yield node, f"assigns '{spell(node.target)}'"
        elif isinstance(node, (ast.Yield, ast.YieldFrom)):
            yield node, "yields"
        elif isinstance(node, ast.Await):
            yield node, "awaits"


def _report(path: str, text: str, facts: list[Fact], options: dict[str, Any]) -> Report:
    lines = text.split("\n")  # as Python counts them
    severities = _severities(options)
    findings: list[dict[str, Any]] = []
    seen: dict[str, int] = {}
    for fact in sorted(facts, key=lambda f: (f.node.lineno, f.node.col_offset, f.rule)):  # type: ignore[attr-defined]
        severity = severities.get((fact.rule, fact.variant), severities.get((fact.rule, ""), "off"))
        if severity == "off":
            continue
        place = _place(path, fact.node, lines)
        base = f"{fact.rule}|{path}|{lines[place['line'] - 1].strip()}|{fact.message}"
        seen[base] = seen.get(base, 0) + 1
        fingerprint = hashlib.sha256(f"{base}|{seen[base]}".encode()).hexdigest()[:16]
        findings.append(
            {
                "rule": fact.rule, "severity": severity, "verdict": "violated", "target": TARGET, "message": fact.message,
                "help": fact.help, "input": path, "conditional": None, "location": place, "graphPath": None, "related": [],
                "witness": None, "fixes": [], "fingerprint": fingerprint,
            }
        )
    counts = {s: sum(f["severity"] == s for f in findings) for s in ("error", "warning", "note")}
    return Report(
        {
            "schemaVersion": "1.0",
            "tool": {"name": "condlint", "version": engine().version()},
            "summary": {
                "exitCode": 1 if counts["error"] else 0,
                "inputs": {"total": 1, "analyzed": 1, "partial": 0, "failed": 0, "skipped": 0},
                "findings": counts,
                "conditionals": dict.fromkeys(("total", "proved", "violated", "possible", "unknown"), 0),
                "untypedOperators": {},
            },
            "inputs": [
                {"path": path, "kind": None, "status": "ok", "reason": None, "targets": [TARGET], "conditionals": 0}
            ],
            "conditionals": [],
            "findings": findings,
        }
    )


def _severities(options: dict[str, Any]) -> dict[tuple[str, str], str]:
    """By rule and variant, what the table says and the caller chose."""
    chosen = dict(options.get("severity") or {})
    config = options.get("config")
    if isinstance(config, dict):
        chosen = {**config.get("severity", {}), **chosen}
    out = {}
    for (rule, variant), severity in SEVERITIES.items():
        if options.get("select") and rule not in options["select"] or rule in (options.get("ignore") or ()):
            severity = "off"
        out[rule, variant] = "off" if severity == "off" else chosen.get(rule, severity)
    return out


def _place(path: str, node: Any, lines: list[str]) -> dict[str, Any]:
    def column(line: int, offset: int) -> int:
        # Python counts bytes of UTF-8.
        return len(lines[line - 1].encode("utf-8")[:offset].decode("utf-8", "replace")) + 1

    return {
        "path": path, "line": node.lineno, "column": column(node.lineno, node.col_offset), "endLine": node.end_lineno,
        "endColumn": column(node.end_lineno, node.end_col_offset),
    }
