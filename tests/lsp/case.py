"""What the tests of the language server share: a folder with sources, clients that end with the test, how they are run."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import client as lsp  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = sys.argv.pop(1)
SAID = subprocess.run([PROGRAM, "lsp"], capture_output=True, text=True, stdin=subprocess.DEVNULL).stderr
MODULE = "built without C++ support" not in subprocess.run([PROGRAM, "--version"], capture_output=True, text=True).stdout

HEAD = "#include <condlint/cond.h>\n#include <torch/torch.h>\nusing torch::Tensor;\n"
ALIAS = """Tensor f(const Tensor &x, const Tensor &p) {
  CONDLINT_SCALAR(p, Bool);
  CONDLINT_TENSOR(x, Float, "N", 8);
  return condlint::cond(
      p, [](const Tensor &a) { return a; },
      [](const Tensor &a) { return torch::relu(a); }, {x});
}
"""
SOUND = ALIAS.replace("return a;", "return a * 2;")


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp()).resolve()
        self.addCleanup(shutil.rmtree, self.folder)
        self.clients = []
        self.addCleanup(lambda: [c.kill() for c in self.clients])
        command = f"clang++ -std=c++17 -I{ROOT}/include -isystem {ROOT}/tests/mocks -I. -c "
        (self.folder / "compile_commands.json").write_text(
            json.dumps(
                [{"directory": str(self.folder), "file": n, "command": command + n} for n in ("a.cpp", "b.cpp")]
            )
        )

    def serve(self, *arguments, **more):
        more.setdefault("folder", self.folder)
        client = lsp.Client([PROGRAM, "lsp", *arguments], **more)
        self.clients.append(client)
        return client

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    @staticmethod
    def checked(path):
        done = subprocess.run([PROGRAM, "check", "--output", "json", path], capture_output=True)
        report = json.loads(done.stdout)
        return sorted(f["rule"] for f in report["findings"] if f["severity"] != "note")

    @staticmethod
    def rules(diagnostics):
        return sorted(d.get("code", "") for d in diagnostics if d["severity"] <= 2)


def main():
    if "built without the language server" in SAID:
        print("skipped: " + SAID.strip())
        sys.exit(77)
    unittest.main("__main__")
