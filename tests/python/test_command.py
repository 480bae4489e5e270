"""`python -m condlint check package.module:factory`: what is imported and run, and what is said where that fails."""

import sys

import pytest

from condlint.__main__ import main

MODULE = """
import sys

def model(x):
    return x

def alone(): return model
def with_inputs_alone(): return model, 3
def with_other_inputs(): return model, (), [1]
def needs(size): return model, ()
def fails(): raise ValueError("no weights")
def leaves(): sys.exit("usage: …")
SIZE = 3
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, text in {
        "made.py": MODULE,
        "leaves.py": "import sys; sys.exit('usage: …')\n",
        "lacks.py": "import no_such_package\n",
        "broken.py": "x = 1 +\n",
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for name in ("made", "leaves", "lacks", "broken"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("made:alone", "returned function; a factory takes nothing and returns (module, args)"),
        ("made:with_inputs_alone", "returned (function, int); the inputs are a tuple"),
        ("made:with_other_inputs", "returned (function, tuple, list); kwargs is a dict"),
        ("made:needs", "missing 1 required positional argument: 'size'; a factory takes nothing"),
        ("made:fails", "raised ValueError: no weights (made.py:11)"),
        ("made:leaves", "raised SystemExit: usage: … (made.py:12)"),
        ("made:SIZE", "'SIZE' of made cannot be called"),
        ("made:missing", "made has no 'missing'"),
        ("leaves:make", "importing leaves raised SystemExit: usage: … (leaves.py:1)"),
        ("lacks:make", "lacks cannot be imported: No module named 'no_such_package' (lacks.py:1)"),
        ("broken:make", "importing broken raised SyntaxError"),
        ("nowhere:make", "there is no module 'nowhere' to import; run condlint in the folder that holds it"),
        ("made.py:alone", "here python -m condlint check made:alone"),
        ("models/made.py:alone", "here in the folder models python -m condlint check made:alone"),
        ("made:alone()", "here python -m condlint check made:alone"),
        ("made:", "here python -m condlint check made:FACTORY"),
        ("made.py", "python -m condlint check made:FACTORY, where FACTORY returns the module and its inputs"),
    ],
)
def test_errors_of_factories(folder, capsys, given, said):
    assert main(["check", given]) == 3
    told = capsys.readouterr().err.splitlines()
    assert said in told[-1], told
    assert len(told) <= 2 and not any("Traceback" in line for line in told)


def test_factory_is_run_and_said(folder, capsys):
    torch = pytest.importorskip("torch")
    (folder / "gate.py").write_text(
        "import torch\n\ndef forward(x):\n    return torch.cond(x.sum() > 0, lambda x: x, lambda x: x * 2, (x,))\n\n"
        "def make(): return forward, (torch.ones(3),), {}, {'x': {0: torch.export.Dim.AUTO}}\n"
        "def sound(): return (lambda x: x * 2), (), {'x': torch.ones(3)}\n",
        encoding="utf-8",
    )
    del torch
    assert main(["check", "-q", "gate:make"]) == 1
    told = capsys.readouterr()
    assert told.err == "condlint: importing gate and running gate:make\n" and "gate.py:4:12: error" in told.out
    assert main(["check", "gate:sound"]) == 0
    sys.modules.pop("gate")
