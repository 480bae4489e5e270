"""What nnScaler converts and what it freezes, case by case (labels NS1 to NS12)."""

import ast

import pytest

from condlint import InputError, check
from condlint._nnscaler import is_converted

# Through nnScaler's own OperatorTransformer: the expressions that it makes a call of.
CONVERTED = [
    "a if self.training else b",
    "a if (self.training) else b",
    "a.p if self.training else b.q",
    "a[0] if self.training else b",
    "a + b if self.training else b",
    "a / b if self.training else b",
    "a @ b if self.training else b",
    "-a if self.training else ~b",
    "a < b < c if self.training else b",
    "(not a) if self.training else b",
    "(a is None) if self.training else (a in b)",
    "[i for i in a] if self.training else b",
    "(y := a) if self.training else b",
    "f'{a}' if self.training else b",
    "(a, b) if self.training else (b, a)",
    "(yield a) if self.training else b",
    "a or b if self.training else b",
    "a if self.training else (b if self.training else c)",
    "None if self.training else b",
    "(b if c else d) if self.training else a",
]
# Those that it keeps, so that they are frozen to the way that was taken while tracing.
KEPT = [
    "g(a) if self.training else b",
    "a if self.training else g(b)",
    "a if self.training else a.float()",
    "(lambda: g(a)) if self.training else b",
    "[g(i) for i in a] if self.training else b",
    "a if self.training else (b if self.training else g(c))",
    "a if not self.training else b",
    "a if self.training == True else b",
    "a if self.training is True else b",
    "a if self.training and c else b",
    "a if self.training or c else b",
    "a if self.is_training() else b",
    "a if self.sub.training else b",
    "a if module.training else b",
    "a if training else b",
]
# Expressions within others: which of them are converted.
INNER = [
    ("(a if self.training else b) if c else d", 1),
    ("g(a if self.training else b)", 1),
    ("self.training and a or b", 0),
]
STATEMENTS = [
    "if self.training:\n            a = b",
    "while self.training:\n            a = b",
    "while self.training:\n            break\n        else:\n            a = b",
    "if (flag := self.training):\n            a = b",
    "if c is None:\n            a = b\n        elif self.training:\n            a = c",
    "match self.training:\n            case True:\n                a = b",
    "match c:\n            case 1 if self.training:\n                a = b",
    "x = [i for i in (a, b) if self.training]",
    "x = {i: i for i in (1, 2) if i and not self.training}",
    "x = sum(i for i in (a, b) if self.training)",
    "flag = self.training\n        x = a if flag else b",
    "def inner(z):\n            if self.training:\n                return z\n            return b\n        x = inner(a)",
    "x = torch.dropout(a, 0.1, self.training and c)",
    "if bool(self.training):\n            a = b",
    "if any([self.training, c]):\n            a = b",
    "if getattr(self, 'training'):\n            a = b",
    "flag = self.training\n        other = flag\n        if other:\n            a = b",
    "flag, p = self.training, 2\n        if flag:\n            a = b",
]
# What is decided, or done as often, by what the host made of a tensor.
VALUES = [
    "if a.sum() > 0:\n            a = b",
    "if c.item() > 0:\n            a = b",
    "n = a.sum().item()\n        if n > 0:\n            a = b",
    "k = int(a.max()) + 1\n        if k > 3:\n            a = b",
    "while float(a.mean()) > 1:\n            a = b",
    "for row in a:\n            if row.sum() > 0:\n                a = b",
    "for _ in range(int(a.max())):\n            a = b",
    "x = [b for i in range(a.sum().item())]",
    "if torch.equal(a, b):\n            a = b",
]
# What says nothing of a tensor's value.
SIZES = [
    "if a.shape[0] > 2:\n            a = b",
    "if a is None:\n            a = b",
    "if a.dim() == 2:\n            a = b",
    "if min(a.shape[0], 4) > 2:\n            a = b",
    "for _ in range(a.shape[0]):\n            a = b",
    "for row in a:\n            b = row",
    "if torch.is_grad_enabled() or torch.get_default_dtype() == a.dtype:\n            a = b",
]
# Expressions and statements that are followed as they stand, with the flag where it belongs.
FOLLOWED = [
    "x = F.dropout(a, 0.1, self.training)",
    "x = F.dropout(a, p=0.1, training=self.training)",
    "x = (a, b)[self.training]",
    "with torch.set_grad_enabled(self.training):\n            a = b",
    "x = [i for i in (a, b) if i is not None]",
    "match c:\n            case 1 if d is None:\n                a = b",
]


def source(body):
    return (
        "import torch\nfrom torch import nn\n\nclass Net(nn.Module):\n    def forward(self, a, b, c, d):\n"
        f"        {body}\n        return a\n"
    )


def rules_of(body, **options):
    return [(f.severity, f.rule) for f in check(source(body), target="nnscaler", **options).findings]


@pytest.mark.parametrize("text", CONVERTED)
def test_ns2_converted(text):
    node = ast.parse(text, mode="eval").body
    assert is_converted(node)
    found = rules_of(f"x = {text}")
    assert ("note", "select-convertible") in found
    assert ("warning", "control-flow-frozen") not in found


@pytest.mark.parametrize("text", KEPT)
def test_ns3_ns4_kept(text):
    assert not is_converted(ast.parse(text, mode="eval").body)
    assert ("warning", "control-flow-frozen") in rules_of(f"x = {text}")


@pytest.mark.parametrize(("text", "count"), INNER)
def test_inner(text, count):
    nodes = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.expr) and is_converted(n)]
    assert len(nodes) == count
    found = rules_of(f"x = {text}")
    assert found.count(("note", "select-convertible")) == count
    assert (("warning", "control-flow-frozen") in found) == (count == 0)


@pytest.mark.parametrize("text", STATEMENTS)
def test_ns1_statements(text):
    assert ("warning", "control-flow-frozen") in rules_of(text)


@pytest.mark.parametrize("text", FOLLOWED)
def test_followed(text):
    assert rules_of(text) == []


def test_ns5_effects_of_arms():
    assert ("error", "select-eager") in rules_of("x = (y := a) if self.training else b")
    assert ("error", "select-eager") in rules_of("x = (yield a) if self.training else b")
    assert ("error", "select-eager") not in rules_of("x = a[0] / b if self.training else b")


def test_ns6_short_circuit():
    assert ("warning", "control-flow-frozen") in rules_of("x = torch.dropout(a, 0.1, c or self.training)")


def test_ns7_submodule():
    text = source("x = a if self.sub.training else b").replace(
        "    def forward", "    def __init__(self):\n        self.sub = nn.Linear(2, 2)\n\n    def forward"
    )
    found = [(f.severity, f.rule) for f in check(text, target="nnscaler").findings]
    assert ("warning", "training-flag") in found
    passed = text.replace("x = a if self.sub.training else b", "x = g(a, training=self.sub.training)")
    assert [(f.severity, f.rule) for f in check(passed, target="nnscaler").findings] == [("warning", "training-flag")]
    other = text.replace("x = a if self.sub.training else b", "x = g(a, training=self.options.training)")
    assert check(other, target="nnscaler").findings == ()
    parts = text.replace("nn.Linear(2, 2)", "nn.ModuleList([nn.Linear(2, 2)])").replace(
        "x = a if self.sub.training else b",
        "for i, part in enumerate(self.sub):\n            x = g(a, training=part.training)\n        self.sub[0].eval()",
    )
    assert [(f.severity, f.rule) for f in check(parts, target="nnscaler").findings] == [("warning", "training-flag")] * 2
    options = source("x = a if self.options.training else b")
    assert [f.rule for f in check(options, target="nnscaler").findings] == ["control-flow-frozen"]


def test_ns8_impostor():
    text = source("x = a if self.training else b").replace("(nn.Module)", "")
    assert ("error", "training-flag") in [(f.severity, f.rule) for f in check(text, target="nnscaler").findings]
    inherited = text.replace("class Net:", "from other import Base\nclass Net(Base):")
    assert "training-flag" not in [f.rule for f in check(inherited, target="nnscaler").findings]


def test_ns9_module_as_flag():
    assert ("error", "training-flag") in rules_of("x = torch.nn.functional.dropout(a, 0.1, self)")
    assert ("error", "training-flag") in rules_of("x = torch.dropout(a, 0.1, self)")
    assert rules_of("x = torch.dropout(a, 0.1, self.training)") == []
    assert ("error", "training-flag") in rules_of("x = g(a, training=self)")
    assert rules_of("x = torch.nn.functional.dropout(a, 0.1, self.training)") == []


@pytest.mark.parametrize(
    "text",
    [
        "from torch.nn.functional import dropout\nclass Net(Module):\n    def forward(self, a):\n        return dropout(a, 0.1, self)\n",
        "import torch.nn.functional as f\nclass Net(Module):\n    def forward(self, a):\n        return f.dropout(a, 0.1, self)\n",
        "class Net(Module):\n    def forward(self, a):\n        return self.drop(a, self)\n\n"
        "    def drop(self, a, training):\n        return a\n",
        "class Net(Module):\n    def forward(self, a):\n        return self.drop(a, self)\n\n"
        "    @staticmethod\n    def drop(a, training):\n        return a\n",
    ],
)
def test_ns9_by_other_names(text):
    found = check("from torch.nn import Module\n" + text, target="nnscaler").findings
    assert [(f.severity, f.rule) for f in found] == [("error", "training-flag")]


def test_what_a_function_is_given():
    text = source("x = helper(a, self.training, a.item(), 3)") + (
        "\ndef helper(a, drop, count, many):\n    if drop:\n        a = a + 1\n    if count > 2:\n        a = a + 1\n"
        "    if many:\n        a = a + 1\n    if a.sum() > 0:\n        a = a + 1\n    return a\n"
    )
    assert [f.location.line for f in check(text, target="nnscaler").findings] == [10, 12, 16]


def test_each_condition_is_told():
    text = "if self.training:\n            a = b\n        x = a if not self.training else b\n        while a.sum() > 0 and c:\n            a = b"
    assert rules_of(text) == [("warning", "control-flow-frozen")] * 3


def test_columns_are_those_of_characters():
    found = check(source("s = 'é'; x = a if not self.training else b"), target="nnscaler").findings
    assert [(f.location.column, f.location.endColumn) for f in found] == [(27, 44)]


def test_ns10_where():
    assert ("warning", "select-eager") in rules_of("x = a.log().where(a > 0, b)")
    assert ("error", "select-eager") in rules_of("x = torch.where(a > 0, b.add_(1), b)")
    assert ("warning", "select-eager") in rules_of("x = torch.where(a > 0, a.log(), b)")
    assert ("warning", "select-eager") in rules_of("x = torch.where(a > 0, b / a, b)")
    assert rules_of("x = torch.where(a > 0, b.log(), b)") == []


@pytest.mark.parametrize("text", VALUES)
def test_ns11_values(text):
    assert rules_of(text) == [("warning", "control-flow-frozen")]


@pytest.mark.parametrize("text", SIZES)
def test_ns11_sizes(text):
    assert rules_of(text) == []


def test_ns12_passed_on():
    assert rules_of("x = torch.nn.functional.dropout(a, 0.1, training=self.training)") == []


def test_traced_functions_only():
    text = source("x = helper(self, a)") + (
        "\ndef helper(self, a):\n    if self.training:\n        a = a + 1\n    return a\n"
        "\ndef unused(self, a):\n    if self.training:\n        a = a + 1\n    return a\n"
    )
    findings = check(text, target="nnscaler").findings
    assert [f.location.line for f in findings] == [10]


def test_options_and_errors():
    assert rules_of("x = a if self.training else b", ignore="select-convertible") == []
    assert rules_of("x = a if self.training else b", severity={"select-convertible": "warning"}) == [
        ("warning", "select-convertible")
    ]
    with pytest.raises(InputError, match="no Python source"):
        check("def f(:\n  pass\n", target="nnscaler")
    with pytest.raises(InputError, match="only target"):
        check(source("pass"), target=["nnscaler", "torch"])
