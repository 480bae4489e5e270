"""The interface: reports, models in memory, errors, the command line."""

import json
import os
import subprocess
import sys
import threading

import pytest

import condlint
from conftest import SOURCE

BROKEN = {
    "condlint": "graph-1",
    "dialect": "torch",
    "version": "2.13",
    "graph": {
        "parameters": [{"name": "p", "type": "bool[]"}, {"name": "x", "type": "float32[4]"}],
        "nodes": [
            {
                "op": "higher_order.cond",
                "name": "cond",
                "attributes": [
                    {"operand": "p"},
                    {
                        "region": {
                            "name": "true_graph_0",
                            "parameters": [{"name": "x", "type": "float32[4]"}],
                            "nodes": [
                                {
                                    "op": "aten.sin.default",
                                    "attributes": [{"name": "self", "operand": "x"}],
                                    "results": [{"name": "sin", "type": "float32[4]"}],
                                }
                            ],
                            "results": ["sin"],
                        }
                    },
                    {
                        "region": {
                            "name": "false_graph_0",
                            "parameters": [{"name": "x", "type": "float32[4]"}],
                            "nodes": [
                                {
                                    "op": "aten.to.dtype",
                                    "attributes": [{"name": "self", "operand": "x"}, {"name": "dtype", "dtype": "float16"}],
                                    "results": [{"name": "half", "type": "float16[4]"}],
                                }
                            ],
                            "results": ["half"],
                        }
                    },
                    {"operands": ["x"]},
                ],
                "results": [{"name": "y", "type": "float32[4]"}],
                "location": {"path": "model.py", "line": 12},
            }
        ],
        "results": ["y"],
    },
}


def test_both_branches_are_drawn_in_a_notebook():
    shown = condlint.check(BROKEN)._repr_html_()
    assert shown.count("<svg") == shown.count("</svg>") == 2 and "<script" not in shown
    # A report that came from elsewhere has its tables alone.
    again = condlint.Report(condlint.check(BROKEN).to_dict())._repr_html_()
    assert "<svg" not in again and "output-dtype" in again


def test_exceptions_are_named_as_they_are_imported():
    import pickle

    assert repr(condlint.InputError) == "<class 'condlint.InputError'>"
    again = pickle.loads(pickle.dumps(condlint.InputError("no such file")))
    assert isinstance(again, condlint.CondlintError) and str(again) == "no such file"


def test_report():
    report = condlint.check(BROKEN)
    assert not report.ok
    finding = next(f for f in report.findings if f.rule == "output-dtype")
    assert (finding.severity, finding.verdict, finding.target) == ("error", "violated", "torch@2.13")
    assert str(finding.location) == "model.py:12" and finding.conditional == "main/cond"
    assert report.conditionals[0].rules["output-dtype"] == "violated"
    assert report.summary.findings["error"] == len(report.at_least("error"))
    assert report.to_dict() == json.loads(report.to_json())
    assert "output-dtype" in str(report) and "<graph>" in str(report)
    assert "output-dtype" in report._repr_html_() and "<script" not in report._repr_html_()
    with pytest.raises(condlint.FindingsError, match="output-dtype") as raised:
        report.raise_for_findings()
    assert raised.value.report is report
    with pytest.raises(condlint.InputError, match="severity"):
        report.at_least("fatal")


def test_options():
    assert condlint.check(BROKEN, ignore=["output-dtype", "output-declared"]).ok
    assert [f.rule for f in condlint.check(BROKEN, select="output-dtype").findings] == ["output-dtype"]
    report = condlint.check(BROKEN, select="output-dtype", severity={"output-dtype": "note"})
    assert report.ok and report.findings[0].severity == "note"
    with pytest.raises(condlint.CondlintError, match="output-dtype"):
        condlint.check(BROKEN, select="output-dtyp")


def test_bytes_and_paths(tmp_path):
    text = json.dumps(BROKEN).encode()
    path = tmp_path / "model.json"
    path.write_bytes(text)
    by_bytes, by_path = condlint.check(text), condlint.check(path)
    assert [f.rule for f in by_bytes.findings] == [f.rule for f in by_path.findings]
    assert by_path.inputs[0].path == str(path) and by_bytes.inputs[0].path == "<bytes>"
    for damaged in (b"", b"PK\x03\x04nothing", text[:200], b"\x08"):
        with pytest.raises(condlint.CondlintError):
            condlint.check(damaged)
    folder = tmp_path / "empty"
    folder.mkdir()
    with pytest.raises(condlint.CondlintError):
        condlint.check(folder)


def test_tables_and_pages():
    assert any(r["id"] == "output-alias" for r in condlint.rules())
    assert any(t["name"] == "torch" for t in condlint.targets())
    assert condlint.explain("output-alias").lstrip().startswith(("# output-alias", "output-alias"))
    with pytest.raises(condlint.CondlintError, match="output-alias"):
        condlint.explain("output-alis")
    assert "higher_order.cond" in condlint.dump(BROKEN)
    assert condlint.version()[0].isdigit()


def test_threads():
    text = json.dumps(BROKEN).encode()
    counts = []

    def work():
        counts.extend(len(condlint.check(text).findings) for _ in range(5))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(counts)) == 1 and len(counts) == 20


def test_import_is_cheap():
    code = (
        "import sys; before = set(sys.modules); import condlint; "
        "print([m for m in sys.modules if m.split('.')[0] in ('torch', 'onnx', 'numpy', 'json', 'ctypes')])"
    )
    done = subprocess.run([sys.executable, "-S", "-c", f"import sys; sys.path.insert(0, {SOURCE + '/integration/python'!r}); {code}"],
                          capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_onnx_models():
    onnx = pytest.importorskip("onnx")
    numpy = pytest.importorskip("numpy")
    from onnx import TensorProto, helper, numpy_helper

    def branch(name, dtype):
        return helper.make_graph(
            [helper.make_node("Cast", ["x"], [name], to=dtype)], name, [], [helper.make_tensor_value_info(name, dtype, [1000])]
        )

    graph = helper.make_graph(
        [
            helper.make_node("Add", ["a", "w"], ["x"]),
            helper.make_node(
                "If", ["p"], ["y"], then_branch=branch("t", TensorProto.FLOAT16), else_branch=branch("e", TensorProto.DOUBLE)
            ),
        ],
        "g",
        [helper.make_tensor_value_info("p", TensorProto.BOOL, []), helper.make_tensor_value_info("a", TensorProto.FLOAT, [1000])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT16, [1000])],
        [numpy_helper.from_array(numpy.zeros(1000, numpy.float32), "w")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    whole = condlint.check(model.SerializeToString())
    report = condlint.check(model)
    assert [f.rule for f in report.findings] == [f.rule for f in whole.findings]
    assert "output-dtype" in [f.rule for f in report.findings]
    from condlint._onnx_slim import slim

    assert len(slim(model)) < 1000 < len(model.SerializeToString())
    assert len(model.graph.initializer[0].raw_data) == 4000
    ir = pytest.importorskip("onnx_ir")
    again = ir.from_proto(model)
    assert [f.rule for f in condlint.check(again).findings] == [f.rule for f in whole.findings]
    assert again.graph.initializers["w"].const_value.nbytes == 4000
    assert onnx.checker is not None


def test_exported_programs():
    torch = pytest.importorskip("torch")

    class Module(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = torch.nn.Linear(4, 4)

        def forward(self, x):
            return torch.cond(x.sum() > 0, self.linear, lambda x: x * 2, (x,))

    program = condlint.torch.export(Module(), (torch.ones(3, 4),))
    report = condlint.check(program)
    assert report.ok and report.summary.conditionals["total"] == 1

    class Broken(Module):
        def forward(self, x):
            y = torch.cond(x.sum() > 0, lambda x: x, lambda x: x * 2, (x,))
            return torch.cond(y.sum() > 0, lambda y: y.sum(0), lambda y: y * 2, (y,))

    with pytest.raises(condlint.FindingsError) as raised:
        condlint.torch.export(Broken(), (torch.ones(3, 4),))
    assert [f.rule for f in raised.value.report.at_least("error")] == ["output-alias", "output-rank"]
    with pytest.raises(Exception), condlint.explain_export(file=sys.stdout) as reports:  # noqa: B017, PT011 - torch's own
        torch.export.export(Broken(), (torch.ones(3, 4),))
    assert len(reports) == 1 and len(reports[0].at_least("error")) == 2
    from torch.export import export

    with pytest.raises(Exception), condlint.explain_export(file=sys.stdout) as reports:  # noqa: B017, PT011 - torch's own
        export(Broken(), (torch.ones(3, 4),))
    assert len(reports) == 1
    assert export(Module(), (torch.ones(3, 4),)) is not None
    with pytest.raises(condlint.InputError, match="tuple of the module's inputs"):
        condlint.torch.export(Module(), torch.ones(3, 4))


def test_exports_refuse_what_torch_would_stumble_over(tmp_path):
    torch = pytest.importorskip("torch")

    class Module(torch.nn.Module):
        def forward(self, x):
            return torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: x * 2, (x,))

    args = (torch.ones(3, 4),)
    program = condlint.torch.export(Module(), args)
    missing = str(tmp_path / "none" / "m.pt2")
    for call, said in (
        (lambda: condlint.torch.save(program, missing), "there is no folder"),
        (lambda: condlint.torch.save(program, str(tmp_path)), "is a folder"),
        (lambda: condlint.torch.save(program, 5), "a path or a file that is open for writing, not int"),
        (lambda: condlint.torch.save(program, str(tmp_path / "m.pt2"), compress=True), "no option 'compress'"),
        (lambda: condlint.torch.save(Module(), str(tmp_path / "m.pt2")), "not Module"),
        (lambda: condlint.torch.export(Module(), args, opset=3), "torch.export.export has no option 'opset'"),
        (lambda: condlint.onnx.export(Module(), args, missing), "there is no folder"),
    ):
        with pytest.raises(condlint.InputError, match=said):
            call()
    condlint.torch.save(program, str(tmp_path / "m.pt2"), extra_files={"note": "one"})
    with open(tmp_path / "n.pt2", "wb") as file:
        condlint.torch.save(program, file)
    assert condlint.check(str(tmp_path / "n.pt2")).ok


def test_run_leaves_the_model_as_it_is():
    onnx = pytest.importorskip("onnx")
    numpy = pytest.importorskip("numpy")
    weight = onnx.numpy_helper.from_array(numpy.ones((40, 40), numpy.float32), "w")
    values = [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [2, 40]) for name in "xy"]
    graph = onnx.helper.make_graph([onnx.helper.make_node("MatMul", ["x", "w"], ["y"])], "g", values[:1], values[1:], [weight])
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8)
    before = model.SerializeToString()
    assert condlint.run(model).ok
    assert model.SerializeToString() == before
    ir = pytest.importorskip("onnx_ir")
    assert condlint.run(ir.from_proto(model)).ok


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: condlint.check(b"x", target=5), "list of strings"),
        (lambda: condlint.check(b"x", config=5), "expected a path"),
        (lambda: condlint.check({"condlint": {1}}), "no graph JSON"),
        (lambda: condlint.dump((1, 2, 3, 4, 5)), "given as"),
        (lambda: condlint.explain(5), "expected the name"),
    ],
)
def test_arguments_of_another_kind(call, said):
    with pytest.raises(condlint.InputError, match=said):
        call()


@pytest.mark.parametrize(
    ("sizes", "said"),
    [
        (lambda dim: {"x": {0: dim("n", min=4)}, "y": None}, "is 3 in the example, and 4 or more"),
        (lambda dim: {"x": {0: dim("n")}, "y": {0: dim("n")}}, "'n' is 3 and 5"),
        (lambda dim: {"x": {0: 4}, "y": None}, "is 3 in the example, and dynamic_shapes says 4"),
    ],
)
def test_examples_that_do_not_fit_dynamic_shapes(sizes, said):
    torch = pytest.importorskip("torch")
    with pytest.raises(condlint.InputError, match=said):
        condlint.check(lambda x, y: x * 2, (torch.ones(3, 4), torch.ones(5, 4)), dynamic_shapes=sizes(torch.export.Dim))


def test_command_line(tmp_path, monkeypatch, capsys):
    from condlint.__main__ import main

    (tmp_path / "net.py").write_text(
        "from torch import nn\n\nclass Net(nn.Module):\n    def forward(self, x):\n        if self.training:\n"
        "            x = x + 1\n        return x\n"
    )
    monkeypatch.chdir(tmp_path)
    assert main(["check", "net.py", "--target", "nnscaler"]) == 0
    assert "control-flow-frozen" in capsys.readouterr().out
    assert main(["check", "net.py", "--target", "nnscaler", "--fail-on", "warning"]) == 1
    assert main(["check", "net.py"]) == 3
    assert "nnscaler" in capsys.readouterr().err
    pytest.importorskip("torch")
    (tmp_path / "made.py").write_text(
        "import torch\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
        "        return torch.cond(x.sum() > 0, lambda x: x, lambda x: x * 2, (x,))\n\n"
        "def make():\n    return Net(), (torch.ones(2, 3),)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    capsys.readouterr()
    assert main(["check", "made:make"]) == 1
    printed = capsys.readouterr()
    assert "made.py:5:" in printed.out and "[output-alias]" in printed.out and "importing made" in printed.err
    assert main(["check", "made:missing"]) == 3
    assert "no 'missing'" in capsys.readouterr().err


def test_pytest_plugin(pytester, monkeypatch):
    pytester.makefile(".onnx", broken="no model")
    pytester.makepyfile(
        test_module="""
        def test_graph(condlint_check):
            import json, os
            with open(os.environ["GRAPH"]) as file:
                condlint_check(json.load(file))
        """
    )
    graph = pytester.path / "graph.json"
    graph.write_text(json.dumps(BROKEN))
    monkeypatch.setenv("GRAPH", str(graph))
    monkeypatch.setenv("PYTHONPATH", SOURCE + "/integration/python")
    result = pytester.runpytest_subprocess("-p", "condlint.pytest_plugin", "--condlint")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*output-dtype*"])
    result.stdout.no_fnmatch_line("*Traceback*")


def test_headers_are_told():
    held = os.listdir(os.path.join(condlint.get_include(), "condlint"))
    assert {"cond.h", "annotations.h"} <= set(held)
