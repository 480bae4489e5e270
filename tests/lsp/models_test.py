#!/usr/bin/env python3
"""The language server with models and networks, and without C++: models_test.py CONDLINT [unittest's arguments]"""

import os
import pathlib
import re
import shutil
import sys
import zipfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from case import ALIAS, Case, HEAD, MODULE, PROGRAM, ROOT, lsp, main  # noqa: E402


class Models(Case):
    MODEL = ROOT / "examples" / "returned_operand.pt2"

    def test_a_model_is_analysed(self):
        path = self.folder / "m.pt2"
        shutil.copy(self.MODEL, path)
        c = self.serve()
        uri = c.open(path, "PK\x03\x04 what an editor makes of it")
        found = self.checked(path)
        self.assertEqual(self.rules(c.diagnostics(uri)), found)
        self.assertTrue(found)
        # It is exported anew, and sound.
        shutil.copy(ROOT / "examples" / "early_exit.pt2", path)
        before = len(c.history)
        c.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 2}]})
        c.until(lambda: any(u == uri for u, _, _ in c.history[before:]))
        self.assertEqual(self.rules(c.published[uri]["diagnostics"]), self.checked(path))
        c.stop()

    def exported_from(self, own):
        path = self.folder / "m.pt2"
        with zipfile.ZipFile(self.MODEL) as old, zipfile.ZipFile(path, "w") as new:
            for name in old.namelist():
                data = old.read(name)
                if name.endswith(".json"):
                    data = re.sub(rb'File \\"[^"]+\\"', b'File \\"' + str(own).encode() + b'\\"', data)
                new.writestr(name, data)
        return path

    def test_findings_at_the_lines_that_it_was_exported_from(self):
        # As if it had been exported from a script in this folder.
        own = self.write("net.py", "\n" * 1000)
        path = self.exported_from(own)
        c = self.serve()
        uri = c.open(path, "")
        self.assertEqual(self.rules(c.diagnostics(uri)), [])
        c.until(lambda: own.as_uri() in c.published)
        found = c.published[own.as_uri()]["diagnostics"]
        self.assertEqual(self.rules(found), self.checked(self.MODEL))
        self.assertGreater(found[0]["range"]["start"]["line"], 0)
        c.close(uri)
        c.until(lambda: c.published[own.as_uri()]["diagnostics"] == [])
        c.stop()

    def test_a_script_that_was_made_shorter(self):
        own = self.write("net.py", "\n" * 1000)
        path = self.exported_from(own)
        c = self.serve()
        uri = c.open(path, "")
        c.until(lambda: c.published.get(own.as_uri(), {}).get("diagnostics"))
        line = c.published[own.as_uri()]["diagnostics"][0]["range"]["start"]["line"]
        place = lambda k: {"start": {"line": k, "character": 0}, "end": {"line": k, "character": 0}}
        ask = lambda k: c.at(own.as_uri(), "textDocument/codeAction", range=place(k), context={"diagnostics": []})
        self.assertTrue(ask(line))
        self.assertTrue(c.at(own.as_uri(), "textDocument/codeLens"))
        # What stood behind its end is told of the model itself, with the place that it was exported from.
        own.write_text("import torch\n")
        c.notify("textDocument/didSave", {"textDocument": {"uri": own.as_uri()}})
        c.until(lambda: c.published[own.as_uri()]["diagnostics"] == [])
        found = c.diagnostics(uri)
        self.assertEqual(self.rules(found), self.checked(self.MODEL))
        self.assertIn(f"net.py:{line + 1}", found[0]["message"])
        for method in ("codeLens", "inlayHint", "documentSymbol", "foldingRange"):
            self.assertEqual(c.at(own.as_uri(), f"textDocument/{method}", range=place(line)), [], method)
        for k in (0, line, 100000):
            self.assertEqual(ask(k), [])
            self.assertIsNone(c.at(own.as_uri(), "textDocument/hover", k, 0))
            self.assertEqual(c.at(own.as_uri(), "textDocument/implementation", k, 0), [])
        # And back at its line when that is there again.
        own.write_text("\n" * 1000)
        c.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": own.as_uri(), "type": 2}]})
        c.until(lambda: c.published[own.as_uri()]["diagnostics"])
        self.assertEqual(c.diagnostics(uri), [])
        own.unlink()
        c.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": own.as_uri(), "type": 3}]})
        c.until(lambda: c.published[own.as_uri()]["diagnostics"] == [])
        self.assertEqual(self.rules(c.diagnostics(uri)), self.checked(self.MODEL))
        c.stop()

    def test_commands(self):
        c = self.serve(options={"showsPages": True})
        page = c.request("workspace/executeCommand", {"command": "condlint.explain", "arguments": ["output-dtype"]})
        self.assertIn("# output-dtype", page["markdown"])
        for arguments in ({"command": "condlint.explain", "arguments": ["no-rule"]}, {"command": "none"}):
            with self.assertRaises(lsp.Failure) as e:
                c.request("workspace/executeCommand", arguments)
            self.assertEqual(e.exception.code, -32602)
        model = ROOT / "examples" / "squeeze.onnx"
        page = c.request(
            "workspace/executeCommand", {"command": "condlint.runBoth", "arguments": [model.as_uri()]}
        )
        self.assertIn("both branches of 1 conditional were run", page["markdown"])
        self.assertRegex(page["markdown"], r"when executed.*: \[4\] against \[1, 4\]")
        page = c.request(
            "workspace/executeCommand",
            {"command": "condlint.runBoth", "arguments": [(ROOT / "examples" / "nested.onnx").as_uri()]},
        )
        self.assertIn("both branches of 2 conditionals were run: 0 findings", page["markdown"])
        with self.assertRaises(lsp.Failure):
            c.request(
                "workspace/executeCommand",
                {"command": "condlint.runBoth", "arguments": [(self.folder / "none.onnx").as_uri()]},
            )
        c.stop()

    def test_what_does_not_run_to_its_end(self):
        # An operator that nobody knows, in a branch: its name is as long as the one that is there.
        model = self.folder / "m.onnx"
        model.write_bytes((ROOT / "examples" / "squeeze.onnx").read_bytes().replace(b"\x07Squeeze", b"\x07Squeezd"))
        c = self.serve(options={"showsPages": True})
        page = c.request("workspace/executeCommand", {"command": "condlint.runBoth", "arguments": [model.as_uri()]})
        self.assertIn("both branches of 1 conditional were run in part", page["markdown"])
        self.assertIn("Squeezd", page["markdown"])
        c.stop()

    def test_messages_are_plain_text(self):
        c = self.serve()
        model = ROOT / "examples" / "squeeze.onnx"
        c.request("workspace/executeCommand", {"command": "condlint.runBoth", "arguments": [model.as_uri()]})
        told = [n["params"]["message"] for n in c.notifications if n["method"] == "window/showMessage"][-1]
        self.assertIn("- warning output-rank: the branches return different ranks", told)
        self.assertIn("when executed", told)
        for mark in ("**", "](", "`"):
            self.assertNotIn(mark, told)
        c.stop()

    def test_actions_wherever_one_is_in_a_model(self):
        c = self.serve()
        for name, rules in (
            ("squeeze.onnx", {"output-rank", "branch-empty"}),
            ("returned_operand.pt2", {"output-alias"}),
            ("nested.onnx", set()),
            ("early_exit.pt2", set()),
        ):
            with self.subTest(name):
                uri = c.open(ROOT / "examples" / name, "")
                conditionals = {s["name"] for s in c.at(uri, "textDocument/documentSymbol")}
                self.assertTrue(conditionals)
                for line in (0, 7):
                    place = {"line": line, "character": 0}
                    actions = c.at(uri, "textDocument/codeAction", range={"start": place, "end": place},
                                   context={"diagnostics": []})
                    commands = [(a["command"]["command"], a["command"]["arguments"]) for a in actions]
                    self.assertIn(("condlint.runBoth", [uri]), commands)
                    self.assertEqual({a[1] for k, a in commands if k == "condlint.showBoth"}, conditionals)
                    self.assertLessEqual(rules, {a[0] for k, a in commands if k == "condlint.explain"})
        c.stop()

    def test_the_script_that_a_model_was_exported_from(self):
        own = self.write("net.py", "\n" * 1000)
        path = self.exported_from(own)
        c = self.serve()
        place = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
        ask = lambda where: c.at(own.as_uri(), "textDocument/codeAction", range=where, context={"diagnostics": []})
        self.assertEqual(ask(place), [])
        self.assertIsNone(c.at(own.as_uri(), "textDocument/hover", 0, 0))
        uri = c.open(path, "")
        c.diagnostics(uri)
        c.until(lambda: own.as_uri() in c.published)
        found = c.published[own.as_uri()]["diagnostics"][0]
        actions = ask(found["range"])
        self.assertEqual(
            {a["command"]["command"] for a in actions}, {"condlint.explain", "condlint.runBoth", "condlint.showBoth"}
        )
        for a in actions:
            if a["command"]["command"] != "condlint.explain":
                self.assertEqual(a["command"]["arguments"][0], uri)
        self.assertEqual(ask(place), [])
        hover = c.at(own.as_uri(), "textDocument/hover", found["range"]["start"]["line"], 0)
        self.assertRegex(hover["contents"]["value"], r"`float32\[3, 4\] strides \[4, 1\] on cpu` of `aten.cos.default`")
        symbol = c.request("workspace/symbol", {"query": ""})[0]
        self.assertEqual(symbol["location"]["uri"], own.as_uri())
        # Where the script is not, the model itself is shown.
        own.unlink()
        symbol = c.request("workspace/symbol", {"query": ""})[0]
        self.assertEqual(symbol["location"], {"uri": uri, "range": place})
        c.stop()

    def test_workspace_symbols(self):
        c = self.serve()
        models = [ROOT / "examples" / n for n in ("early_exit.pt2", "nested.onnx", "squeeze.onnx", "lengths.onnx")]
        for m in models:
            c.diagnostics(c.open(m, ""))
        found = [s["location"] for s in c.request("workspace/symbol", {"query": ""})]
        self.assertEqual(len(found), 5)
        self.assertEqual({l["uri"] for l in found}, {m.as_uri() for m in models})
        self.assertEqual({l["range"]["start"]["line"] for l in found}, {0})
        c.stop()

    def test_a_wrong_configuration_is_told_once(self):
        shutil.copy(self.MODEL, self.folder / "m.pt2")
        self.write(".condlint.json", '{"targett": 1}')
        c = self.serve()
        uri = c.open(self.folder / "m.pt2", "")
        c.diagnostics(uri)
        told = lambda: [n["params"]["message"] for n in c.notifications if n["method"] == "window/showMessage"]
        self.assertEqual(len(told()), 1)
        self.assertIn("targett", told()[0])
        self.write(".condlint.json", '{"ignore": ["output-alias"]}')
        before = len(c.history)
        c.notify(
            "workspace/didChangeWatchedFiles",
            {"changes": [{"uri": (self.folder / ".condlint.json").as_uri(), "type": 2}]},
        )
        c.until(lambda: len(c.history) > before)
        self.assertNotIn("output-alias", self.rules(c.published[uri]["diagnostics"]))
        c.stop()


class WithoutCxx(Case):
    """A condlint that reads graphs alone: built without C++, or without its module beside it."""

    def setUp(self):
        super().setUp()
        self.program = PROGRAM
        if MODULE:
            (self.folder / "bin").mkdir()
            self.program = shutil.copy(PROGRAM, self.folder / "bin" / "condlint")

    def test_sources_get_one_note_and_models_are_served(self):
        shutil.copy(Models.MODEL, self.folder / "m.pt2")
        c = lsp.Client([self.program, "lsp"], folder=self.folder, options={"showsPages": True})
        self.clients.append(c)
        for name in ("a.cpp", "b.cpp"):
            uri = c.open(self.write(name, HEAD + ALIAS))
            self.assertEqual(c.diagnostics(uri), [])
            self.assertEqual(c.at(uri, "textDocument/codeLens"), [])
            self.assertIsNone(c.at(uri, "textDocument/hover", 7, 20))
        told = [n["params"] for n in c.notifications if n["method"] == "window/showMessage"]
        self.assertEqual([t["type"] for t in told], [3])
        self.assertIn("condlint leaves a.cpp out: C++ source, but ", told[0]["message"])
        self.assertIn("reads C++" if MODULE else "built without C++ support", told[0]["message"])
        model = c.open(self.folder / "m.pt2", "")
        self.assertEqual(self.rules(c.diagnostics(model)), self.checked(self.folder / "m.pt2"))
        self.assertTrue(c.request("workspace/symbol", {"query": ""}))
        page = c.request("workspace/executeCommand", {"command": "condlint.showBoth", "arguments": [model, "main/getitem"]})
        self.assertIn("<svg", pathlib.Path(page["page"].removeprefix("file://")).read_text())
        self.assertEqual(c.stop(), 0)


if __name__ == "__main__":
    main()
