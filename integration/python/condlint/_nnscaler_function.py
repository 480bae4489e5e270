"""A function that nnScaler traces: which of its names hold flags, tensors, numbers of tensors, and modules."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from ._nnscaler_names import HOST_ATTRIBUTES, HOST_METHODS, VALUE_METHODS, Names

_FLAG_NAMES = ("training", "is_training")
# Functions of Python whose answer hangs on what they are given.
_NUMBERS = ("abs", "bool", "float", "int", "max", "min", "round")
_TRUTHS = ("all", "any", *_NUMBERS)


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
    """A function that is traced.

    Attributes
    ----------
    flags, tensors, numbers, modules : set of str
        Its names that hold a training flag, a tensor, what the host made of a tensor's value, a module.
    """

    def __init__(self, node: ast.FunctionDef | ast.AsyncFunctionDef, cls: Class | None, names: Names) -> None:
        self.node = node
        self.cls = cls
        self.names = names
        self.flags: set[str] = set()
        self.tensors: set[str] = set()
        self.numbers: set[str] = set()
        self.modules: set[str] = set()
        for argument in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]:
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
        self.follow()

    def follow(self) -> None:
        """Finds what the names are that are assigned."""
        for _ in range(3):  # assignments may stand in any order within loops
            for child in ast.walk(self.node):
                if isinstance(child, ast.Assign):
                    for target in child.targets:
                        self._assign(target, child.value)
                elif isinstance(child, (ast.AnnAssign, ast.NamedExpr)) and child.value is not None:
                    self._assign(child.target, child.value)
                elif isinstance(child, (ast.For, ast.comprehension)):
                    self._loops(child.target, child.iter)

    def receives(self, parameter: str, value: ast.expr, caller: Function) -> bool:
        """`caller` passes `value`; whether that says something new of the parameter."""
        kinds = ((caller.is_flag(value), self.flags), (caller.is_tensor(value), self.tensors), (caller.is_number(value), self.numbers))
        held = next((names for given, names in kinds if given), None)
        if held is None or parameter in held:
            return False
        held.add(parameter)
        return True

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, (ast.Tuple, ast.List)):
            if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts):
                for part, given in zip(target.elts, value.elts):
                    self._assign(part, given)
            return
        if not isinstance(target, ast.Name):
            return
        if self.is_flag(value):
            self.flags.add(target.id)
        elif self.is_tensor(value):
            self.tensors.add(target.id)
        elif self.is_number(value):
            self.numbers.add(target.id)
        elif self.is_module(value):
            self.modules.add(target.id)

    def _loops(self, target: ast.expr, over: ast.expr) -> None:
        """`for row in x`, `for i, block in enumerate(self.blocks)`."""
        if isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and isinstance(target, ast.Tuple):
            name, given = over.func.id, over.args
            if name == "enumerate" and len(given) == 1 and len(target.elts) == 2:
                self._loops(target.elts[1], given[0])
            elif name == "zip":
                for part, each in zip(target.elts, given):
                    self._loops(part, each)
        elif isinstance(target, ast.Name) and self.is_tensor(over):
            self.tensors.add(target.id)
        elif isinstance(target, ast.Name) and self._holds_modules(over):
            self.modules.add(target.id)

    def _holds_modules(self, node: ast.expr) -> bool:
        """What gives modules when it is looped over: a list of them, `self.children()`."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            return node.func.attr in ("children", "modules", "values") and not node.args and self.is_module(node.func.value)
        return isinstance(node, ast.Attribute) and self.is_module(node)

    # What an expression is.

    def is_flag(self, node: ast.expr) -> bool:
        """Whether an expression is the module's flag, or a name for it."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "getattr" and len(node.args) in (2, 3):
                of, name = node.args[:2]
                return isinstance(of, ast.Name) and of.id == "self" and isinstance(name, ast.Constant) and name.value == "training"
            return node.func.id == "bool" and len(node.args) == 1 and self.is_flag(node.args[0])
        return is_flag(node) or isinstance(node, ast.Name) and node.id in self.flags

    def flag_in(self, test: ast.expr) -> ast.expr | None:
        """The first read of a training flag in a condition."""
        for node in self._parts(test):
            if isinstance(node, ast.Attribute) and node.attr in _FLAG_NAMES:
                return node
            if self.is_flag(node) or isinstance(node, ast.Name) and node.id in _FLAG_NAMES:
                return node
        return None

    def tensor_in(self, test: ast.expr) -> ast.expr | None:
        """What of a condition is a tensor whose value decides."""
        if isinstance(test, ast.BoolOp):
            return next((found for part in test.values if (found := self.tensor_in(part)) is not None), None)
        if isinstance(test, ast.UnaryOp):
            return self.tensor_in(test.operand)
        if isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.func.id in _TRUTHS and len(test.args) == 1:
            return test.args[0] if self.is_tensor(test.args[0]) or self.is_number(test.args[0]) else None
        if isinstance(test, ast.Compare):
            if all(isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in test.ops):
                return None
            sides = [test.left, *test.comparators]
            return next((s for s in sides if self.is_tensor(s) or self.tensor_in(s) is not None), None)
        if isinstance(test, ast.Name) and test.id in self.tensors:
            return None  # `if mask:` may ask for None, or for an empty list
        return test if self.is_tensor(test) or self.is_number(test) else None

    def trips_in(self, over: ast.expr) -> ast.expr | None:
        """What of a tensor's value says how often a `for` goes round: `range(int(x.max()))`."""
        if isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and over.func.id in ("range", "enumerate", "zip"):
            return next((part for part in over.args if self.is_number(part)), None)
        return over if self.is_number(over) else None

    @staticmethod
    def _parts(test: ast.expr) -> Iterator[ast.expr]:
        """The parts of a condition outermost first; what is passed to a call is no part of it, but to `bool` and its like."""
        todo: list[ast.AST] = [test]
        while todo:
            node = todo.pop(0)
            if isinstance(node, ast.expr):
                yield node
            if isinstance(node, ast.Call):
                todo[:0] = node.args if isinstance(node.func, ast.Name) and node.func.id in _TRUTHS else [node.func]
            elif isinstance(node, ast.IfExp):
                todo.insert(0, node.test)
            elif not isinstance(node, ast.Lambda):
                todo[:0] = list(ast.iter_child_nodes(node))

    def is_number(self, node: ast.expr) -> bool:
        """Whether an expression is a number of the host that was made of a tensor's value: `x.item()`, `int(x) + 1`."""
        if isinstance(node, ast.Name):
            return node.id in self.numbers
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute) and node.func.attr in VALUE_METHODS:
                return True
            if isinstance(node.func, ast.Name) and node.func.id in _NUMBERS:
                return any(self.is_tensor(part) or self.is_number(part) for part in node.args)
            return self.names.full(spell(node.func)) in ("torch.equal", "torch.allclose", "torch.is_nonzero")
        if isinstance(node, ast.BinOp):
            sides = (node.left, node.right)
            return any(self.is_number(side) for side in sides) and not any(self.is_tensor(side) for side in sides)
        if isinstance(node, ast.UnaryOp):
            return self.is_number(node.operand)
        return isinstance(node, ast.Subscript) and self.is_number(node.value)

    def is_tensor(self, node: ast.expr) -> bool:
        """Whether an expression is surely a tensor."""
        if isinstance(node, ast.Name):
            return node.id in self.tensors
        if isinstance(node, ast.Call):
            if self.names.gives_tensor(spell(node.func)):
                return True
            if isinstance(node.func, ast.Attribute):
                return self.is_tensor(node.func.value) and node.func.attr not in HOST_METHODS | VALUE_METHODS
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
            return self.is_tensor(node.value) and node.attr not in HOST_ATTRIBUTES
        return False

    def is_module(self, node: ast.expr) -> bool:
        """Whether an expression is surely a module: `self`, an attribute that the constructor makes one, or a part of that."""
        if isinstance(node, ast.Name):
            return node.id == "self" and self.cls is not None or node.id in self.modules
        return self.is_other_module(node)

    def is_other_module(self, node: ast.expr) -> bool:
        """Whether an expression is surely a module, and not `self`."""
        if isinstance(node, ast.Subscript):
            return self.is_other_module(node.value)
        if isinstance(node, ast.Name):
            return node.id in self.modules
        return (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == "self"
            and self.cls is not None
            and node.attr in self.cls.modules
        )
