"""Each client's capabilities, as pytest-lsp records them, with the whole way of a finding: `pytest profiles_test.py` with
CONDLINT naming the program. Skipped without pytest-lsp."""

import os
import pathlib
import sys

import pytest

pytest_lsp = pytest.importorskip("pytest_lsp")
types = pytest.importorskip("lsprotocol.types")
from lsprotocol.converters import get_converter  # noqa: E402

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import client as lsp  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROFILES = sorted(p.stem for p in (pathlib.Path(pytest_lsp.__file__).parent / "clients").glob("*.json"))
TEXT = """#include <condlint/cond.h>
#include <torch/torch.h>
using torch::Tensor;
Tensor f(const Tensor &x, const Tensor &p) {
  CONDLINT_SCALAR(p, Bool);
  CONDLINT_TENSOR(x, Float, "N", 8);
  return condlint::cond(p, [](const Tensor &a) { return a; }, [](const Tensor &a) { return torch::relu(a); }, {x});
}
"""


@pytest.mark.parametrize("profile", PROFILES)
def test_the_way_of_a_finding(profile, tmp_path):
    name, _, version = profile.rpartition("_v")
    capabilities = get_converter().unstructure(
        pytest_lsp.client_capabilities(f"{name}@{version}"), types.ClientCapabilities
    )
    (tmp_path / "compile_flags.txt").write_text(f"-std=c++17\n-I{ROOT}/include\n-isystem\n{ROOT}/tests/mocks\n")
    path = tmp_path / "a.cpp"
    path.write_text(TEXT)
    c = lsp.Client([os.environ["CONDLINT"], "lsp"], capabilities=capabilities, folder=tmp_path)
    try:
        uri = c.open(path)
        found = [d for d in c.diagnostics(uri) if d.get("code") == "output-alias"]
        assert len(found) == 1
        assert "float32[N, 8]" in c.at(uri, "textDocument/hover", 6, 20)["contents"]["value"]
        actions = c.at(uri, "textDocument/codeAction", range=found[0]["range"], context={"diagnostics": found})
        preferred = [a for a in actions if a.get("isPreferred")]
        if preferred:
            edit = preferred[0]["edit"]
            edits = edit["changes"][uri] if "changes" in edit else edit["documentChanges"][0]["edits"]
            c.change(uri, lsp.apply(TEXT, edits))
            assert not [d for d in c.diagnostics(uri) if d.get("code") == "output-alias"]
    finally:
        c.stop()
