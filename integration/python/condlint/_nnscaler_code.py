"""Python source as nnScaler's tracer meets it: its classes, which of its functions run, and what these are given."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ._nnscaler_function import Class, Function, spell
from ._nnscaler_names import Names

#: As checks/rules.json has them for nnscaler.
SEVERITIES = {
    ("control-flow-frozen", ""): "warning",
    ("select-eager", ""): "error",
    ("select-eager", "gradient"): "warning",
    ("select-type", ""): "warning",
    ("training-flag", ""): "error",
    ("training-flag", "submodule"): "warning",
    ("select-convertible", ""): "note",
}


class Code:
    """The classes and functions of a source."""

    def __init__(self, tree: ast.Module) -> None:
        self.names = Names(tree)
        self.classes: dict[str, Class] = {}
        self.functions: dict[str, ast.FunctionDef | ast.AsyncFunctionDef] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                self._add_class(node)
        for node in tree.body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.functions[node.name] = node

    def _add_class(self, node: ast.ClassDef) -> None:
        cls = Class(node.name, [spell(base) for base in node.bases])
        for item in node.body:
            if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef)):
                cls.methods[item.name] = item
        self.classes[node.name] = cls
        for statement in ast.walk(cls.methods.get("__init__", ast.Module(body=[], type_ignores=[]))):
            if isinstance(statement, (ast.Assign, ast.AnnAssign)) and isinstance(statement.value, ast.Call):
                made = spell(statement.value.func)
                for target in statement.targets if isinstance(statement, ast.Assign) else [statement.target]:
                    if isinstance(target, ast.Attribute) and spell(target.value) == "self" and self._makes_module(made):
                        cls.modules.add(target.attr)

    def _makes_module(self, name: str) -> bool:
        return self.names.is_module(name) or (name in self.classes and self._is_module(self.classes[name]))

    def _is_module(self, cls: Class, seen: frozenset[str] = frozenset()) -> bool:
        if cls.name in seen:
            return False
        for base in cls.bases:
            if base.split(".")[-1] == "Module" or self.names.is_module(base):
                return True
            if base in self.classes and self._is_module(self.classes[base], seen | {cls.name}):
                return True
        return False

    def is_no_module(self, cls: Class, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a class surely derives from no module: one with a base from elsewhere may."""
        if self._is_module(cls):
            return False
        return all(
            base == "object" or base in self.classes and base not in seen
            and self.is_no_module(self.classes[base], seen | {cls.name})
            for base in cls.bases
        )

    def traced(self, wanted: str | None) -> list[Function]:
        """The functions that a tracer runs: `forward` of each module, and what it calls here; without one, all."""
        roots: list[tuple[str, Class | None]] = []
        if wanted is not None:
            parts = wanted.split(".")
            if parts[-1] in self.classes:
                cls = self.classes[parts[-1]]
                roots = [(name, cls) for name in cls.methods if name in ("forward", "__call__")]
            elif len(parts) > 1 and parts[-2] in self.classes:
                roots = [(parts[-1], self.classes[parts[-2]])]
            elif parts[-1] in self.functions:
                roots = [(parts[-1], None)]
        else:
            roots = [("forward", cls) for cls in self.classes.values() if "forward" in cls.methods]
            roots += [("__call__", cls) for cls in self.classes.values() if "__call__" in cls.methods]
        if not roots:
            roots = [(name, None) for name in self.functions]
            roots += [(name, cls) for cls in self.classes.values() for name in cls.methods if name != "__init__"]
        done: dict[int, Function] = {}
        while roots:
            name, of_class = roots.pop()
            node, owner = self._find(name, of_class)
            if node is None or id(node) in done:
                continue
            done[id(node)] = Function(node, owner, self.names)
            roots += self._called(node, owner)
        self._pass_on(done)
        return sorted(done.values(), key=lambda f: f.node.lineno)

    def _pass_on(self, functions: dict[int, Function]) -> None:
        """What functions of the source are given by one another."""
        todo = list(functions.values())
        while todo:
            function = todo.pop()
            for call in ast.walk(function.node):
                if not isinstance(call, ast.Call):
                    continue
                node, _ = self._callee(call, function.cls)
                callee = functions.get(id(node))
                if callee is None:
                    continue
                news = [callee.receives(name, value, function) for name, value in self.arguments(call, function.cls)]
                if any(news):
                    callee.follow()
                    todo.append(callee)

    def _callee(self, call: ast.Call, cls: Class | None) -> tuple[ast.FunctionDef | ast.AsyncFunctionDef | None, bool]:
        """The function of the source that is called, and whether it gets `self` besides."""
        target = call.func
        if isinstance(target, ast.Name):
            return self.functions.get(target.id), False
        if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self" and cls is not None:
            node, _ = self._find(target.attr, cls)
            return node, node is not None and "staticmethod" not in [spell(d) for d in node.decorator_list]
        return None, False

    def _find(self, name: str, cls: Class | None) -> tuple[ast.FunctionDef | ast.AsyncFunctionDef | None, Class | None]:
        if cls is None:
            return self.functions.get(name), None
        todo: list[Class] = [cls]
        seen: set[str] = set()
        while todo:
            here: Class = todo.pop(0)
            if here.name in seen:
                continue
            seen.add(here.name)
            if name in here.methods:
                return here.methods[name], here
            todo += [self.classes[base] for base in here.bases if base in self.classes]
        return None, None

    def _called(self, node: ast.AST, cls: Class | None) -> list[tuple[str, Class | None]]:
        out: list[tuple[str, Class | None]] = []
        for child in ast.walk(node):
            if isinstance(child, ast.Name) and child.id in self.functions:
                out.append((child.id, None))
            elif isinstance(child, ast.Attribute) and isinstance(child.value, ast.Name) and child.value.id == "self":
                if cls is not None:
                    out.append((child.attr, cls))
        return out

    def arguments(self, call: ast.Call, cls: Class | None) -> Iterator[tuple[str, ast.expr]]:
        """The arguments of a call by the names of the parameters, where these are known."""
        for keyword in call.keywords:
            if keyword.arg is not None:
                yield keyword.arg, keyword.value
        node, bound = self._callee(call, cls)
        known = self.names.parameters(spell(call.func))
        if node is not None:
            known = [a.arg for a in [*node.args.posonlyargs, *node.args.args]][bound:]
        yield from zip(known, call.args)
