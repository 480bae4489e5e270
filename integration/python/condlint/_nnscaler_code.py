"""Python source as nnScaler's tracer meets it: which functions run, what is a flag, a module or a tensor in them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

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
_FLAG_NAMES = ("training", "is_training")
# Methods of a tensor that say nothing of its elements.
_HOST_METHODS = frozenset(
    "size dim numel ndimension stride element_size is_contiguous type get_device is_floating_point is_complex "
    "data_ptr storage_offset".split()
)
_HOST_ATTRIBUTES = frozenset("shape ndim dtype device is_cuda requires_grad layout names is_sparse is_quantized".split())
_VALUE_METHODS = frozenset("item tolist is_nonzero".split())
_KNOWN = {
    "dropout": ["input", "p", "training", "inplace"],
    "alpha_dropout": ["input", "p", "training", "inplace"],
    "dropout1d": ["input", "p", "training", "inplace"],
    "dropout2d": ["input", "p", "training", "inplace"],
    "dropout3d": ["input", "p", "training", "inplace"],
    "feature_alpha_dropout": ["input", "p", "training", "inplace"],
    "batch_norm": ["input", "running_mean", "running_var", "weight", "bias", "training", "momentum", "eps"],
    "rrelu": ["input", "lower", "upper", "training", "inplace"],
}
# Those of the package torch itself.
_KNOWN_OF_TORCH = {
    **dict.fromkeys(("dropout", "alpha_dropout", "feature_dropout", "feature_alpha_dropout"), ["input", "p", "train"]),
    "batch_norm": ["input", "weight", "bias", "running_mean", "running_var", "training"],
    "rrelu": ["input", "lower", "upper", "training"],
}


def spell(node: ast.AST) -> str:
    """The source of an expression."""
    return ast.unparse(node)


def is_flag(node: ast.expr) -> bool:
    """`self.training`, written so."""
    return (
        isinstance(node, ast.Attribute)
        and node.attr == "training"
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    )


@dataclass
class Class:
    """A class of the source."""

    name: str
    bases: list[str]
    methods: dict[str, ast.FunctionDef | ast.AsyncFunctionDef] = field(default_factory=dict)
    modules: set[str] = field(default_factory=set)  # attributes that hold modules


class Function:
    """A function that is traced."""

    def __init__(self, node: ast.FunctionDef | ast.AsyncFunctionDef, cls: Class | None) -> None:
        self.node = node
        self.cls = cls
        self.flags: set[str] = set()
        self.tensors: set[str] = set()
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        for argument in arguments:
            annotation = spell(argument.annotation) if argument.annotation is not None else ""
            if argument.arg in _FLAG_NAMES:
                self.flags.add(argument.arg)
            elif annotation.split(".")[-1] == "Tensor" or annotation.endswith("Tensor]"):
                self.tensors.add(argument.arg)
        if node.name == "forward":
            # What forward receives without a word of its type is a tensor.
            plain = [*node.args.posonlyargs, *node.args.args][1:]
            defaults = len(node.args.defaults)
            required = plain[: len(plain) - defaults] if defaults else plain
            self.tensors |= {a.arg for a in required if a.annotation is None and a.arg not in _FLAG_NAMES}
        for _ in range(3):  # assignments may stand in any order within loops
            for child in ast.walk(node):
                if isinstance(child, ast.Assign) and len(child.targets) == 1:
                    self._assign(child.targets[0], child.value)
                elif isinstance(child, (ast.AnnAssign, ast.NamedExpr)) and child.value is not None:
                    self._assign(child.target, child.value)

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        if not isinstance(target, ast.Name):
            return
        if is_flag(value):
            self.flags.add(target.id)
        elif self.is_tensor(value):
            self.tensors.add(target.id)

    def flag_in(self, test: ast.expr) -> ast.expr | None:
        """The first read of a training flag in a condition."""
        for node in self._parts(test):
            if isinstance(node, ast.Attribute) and node.attr in _FLAG_NAMES:
                return node
            if isinstance(node, ast.Name) and (node.id in self.flags or node.id in _FLAG_NAMES):
                return node
        return None

    def tensor_in(self, test: ast.expr) -> ast.expr | None:
        """What of a condition is a tensor whose value decides."""
        if isinstance(test, ast.BoolOp):
            return next((found for part in test.values if (found := self.tensor_in(part)) is not None), None)
        if isinstance(test, ast.UnaryOp):
            return self.tensor_in(test.operand)
        if isinstance(test, ast.Call):
            name = spell(test.func)
            if name in ("bool", "int", "float", "abs", "len", "any", "all") and len(test.args) == 1:
                return test.args[0] if name != "len" and self.is_tensor(test.args[0]) else None
            if isinstance(test.func, ast.Attribute) and test.func.attr in _VALUE_METHODS:
                return test
            if name in ("torch.equal", "torch.allclose", "torch.is_nonzero"):
                return test
        if isinstance(test, ast.Compare):
            if all(isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in test.ops):
                return None
            sides = [test.left, *test.comparators]
            return next((s for s in sides if self.is_tensor(s) or self.tensor_in(s) is not None), None)
        if isinstance(test, ast.Name):
            return None  # `if mask:` may ask for None, or for an empty list
        return test if self.is_tensor(test) else None

    @staticmethod
    def _parts(test: ast.expr) -> Iterator[ast.expr]:
        """The parts of a condition outermost first; what is passed to a call is no part of it."""
        todo: list[ast.AST] = [test]
        while todo:
            node = todo.pop(0)
            if isinstance(node, ast.expr):
                yield node
            if isinstance(node, ast.Call):
                todo.insert(0, node.func)
            elif isinstance(node, ast.IfExp):
                todo.insert(0, node.test)
            elif not isinstance(node, ast.Lambda):
                todo[:0] = list(ast.iter_child_nodes(node))

    def is_tensor(self, node: ast.expr) -> bool:
        """Whether an expression is surely a tensor."""
        if isinstance(node, ast.Name):
            return node.id in self.tensors
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute):
                owner = node.func.value
                if isinstance(owner, ast.Name) and owner.id in ("torch", "F"):
                    return node.func.attr not in ("is_tensor", "numel", "Size", "equal", "allclose", "is_floating_point")
                return self.is_tensor(owner) and node.func.attr not in _HOST_METHODS | _VALUE_METHODS
            return False
        if isinstance(node, ast.BinOp):
            return self.is_tensor(node.left) or self.is_tensor(node.right)
        if isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not):
            return self.is_tensor(node.operand)
        if isinstance(node, ast.Compare):
            known = any(self.is_tensor(side) for side in (node.left, *node.comparators))
            return known and not any(isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in node.ops)
        if isinstance(node, ast.Subscript):
            return self.is_tensor(node.value)
        if isinstance(node, ast.Attribute):
            return self.is_tensor(node.value) and node.attr not in _HOST_ATTRIBUTES
        return False

    def is_module(self, node: ast.expr) -> bool:
        """Whether an expression is surely a module: `self`, or an attribute that the constructor makes one."""
        if isinstance(node, ast.Name):
            return node.id == "self" and self.cls is not None
        return (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == "self"
            and self.cls is not None
            and node.attr in self.cls.modules
        )


class Code:
    """The classes and functions of a source."""

    def __init__(self, tree: ast.Module) -> None:
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
            if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call):
                made = spell(statement.value.func)
                for target in statement.targets:
                    if isinstance(target, ast.Attribute) and spell(target.value) == "self" and self._makes_module(made):
                        cls.modules.add(target.attr)

    def _makes_module(self, name: str) -> bool:
        return name.startswith(("nn.", "torch.nn.")) and "functional" not in name and name.split(".")[-1] not in (
            "Parameter", "Buffer",
        ) or (name in self.classes and self._is_module(self.classes[name]))

    def _is_module(self, cls: Class, seen: frozenset[str] = frozenset()) -> bool:
        if cls.name in seen:
            return False
        for base in cls.bases:
            if base.split(".")[-1] == "Module" or base.startswith(("nn.", "torch.nn.")):
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
            done[id(node)] = Function(node, owner)
            roots += self._called(node, owner)
        return sorted(done.values(), key=lambda f: f.node.lineno)

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

    def arguments(self, call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
        """The arguments of a call by the names of the parameters, where these are known."""
        for keyword in call.keywords:
            if keyword.arg is not None:
                yield keyword.arg, keyword.value
        name = spell(call.func)
        known: list[str] = []
        if name in self.functions:
            parameters = self.functions[name].args
            known = [a.arg for a in [*parameters.posonlyargs, *parameters.args]]
        elif name.startswith(("F.", "torch.nn.functional.", "nn.functional.")):
            known = _KNOWN.get(name.split(".")[-1], [])
        elif name.startswith("torch."):
            known = _KNOWN_OF_TORCH.get(name.removeprefix("torch."), [])
        for parameter, value in zip(known, call.args):
            yield parameter, value
