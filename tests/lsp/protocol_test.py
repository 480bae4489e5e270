#!/usr/bin/env python3
"""The language server as clients meet it: protocol_test.py CONDLINT [unittest's arguments]

Each test starts `condlint lsp`, plays an editor and looks at what it is told.
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from case import ALIAS, Case, HEAD, MODULE, PROGRAM, ROOT, SOUND, lsp, main  # noqa: E402


class Session(Case):
    def test_says_what_it_can(self):
        c = self.serve()
        can = c.server["capabilities"]
        self.assertEqual(can["textDocumentSync"]["change"], 2)
        self.assertEqual(can["positionEncoding"], "utf-8")
        for name in ("hoverProvider", "codeLensProvider", "inlayHintProvider", "implementationProvider"):
            self.assertTrue(can[name], name)
        self.assertNotIn("diagnosticProvider", can)  # an editor that is told and asks shows all twice
        c.until(lambda: any(r["method"] == "client/registerCapability" for r in c.requests))
        self.assertEqual(c.stop(), 0)

    def test_ends_with_its_client(self):
        c = self.serve()
        c.process.stdin.close()
        self.assertEqual(c.process.wait(10), 1)

    def test_exit_without_shutdown_is_one(self):
        c = self.serve()
        c.notify("exit", None)
        self.assertEqual(c.process.wait(10), 1)

    def test_ends_when_the_client_dies_and_leaves_its_pipes(self):
        other = subprocess.Popen(["sleep", "60"])
        c = lsp.Client([PROGRAM, "lsp"], initialize=False)
        self.clients.append(c)
        c.request("initialize", {"processId": other.pid, "capabilities": {}})
        other.kill()
        other.wait()
        c.process.wait(10)

    def test_before_initialize(self):
        c = lsp.Client([PROGRAM, "lsp"], initialize=False)
        self.clients.append(c)
        with self.assertRaises(lsp.Failure) as e:
            c.request("textDocument/hover", {})
        self.assertEqual(e.exception.code, -32002)
        c.request("initialize", {"processId": None, "capabilities": {}})
        with self.assertRaises(lsp.Failure) as e:
            c.request("initialize", {"capabilities": {}})
        self.assertEqual(e.exception.code, -32600)

    def test_messages_that_are_none(self):
        c = self.serve()
        for body, code in [
            (b"{", -32700),
            (b"[1]", -32600),
            (b'{"id": 5}', -32600),
            (b'{"jsonrpc": "2.0", "method": 5}', -32600),
            (b'{"jsonrpc": "2.0", "id": {}, "method": "shutdown"}', -32600),
            (b'{"jsonrpc": "2.0", "id": null, "method": "shutdown"}', -32600),
            (b'{"jsonrpc": "2.0", "method": "initialized", "params": 5}', -32600),
            (b'{"jsonrpc": "2.0", "method": "\xff\xfe"}', -32700),
        ]:
            with self.subTest(body):
                c.strays.clear()
                c.answers.clear()
                c.send_bytes(body)
                c.until(lambda: c.strays or 5 in c.answers, 10, "no answer")
                answer = c.strays[0] if c.strays else c.answers.pop(5)
                self.assertEqual(answer["error"]["code"], code)
        c.strays.clear()
        c.process.stdin.write(b"Content-Type: x\r\nContent-Length: none\r\n\r\n")
        c.process.stdin.flush()
        c.until(lambda: c.strays, 10, "no answer")
        with self.assertRaises(lsp.Failure) as e:
            c.request("no/such", {})
        self.assertEqual(e.exception.code, -32601)
        for method in ("textDocument/hover", "textDocument/codeAction", "workspace/executeCommand"):
            with self.assertRaises(lsp.Failure) as e:
                c.request(method, {"textDocument": 3, "position": "x"})
            self.assertEqual(e.exception.code, -32602)
        for method in ("textDocument/didOpen", "textDocument/didChange", "textDocument/didClose",
                       "workspace/didChangeWatchedFiles", "workspace/didChangeWorkspaceFolders"):
            c.notify(method, {"textDocument": {"uri": 5}, "changes": 3, "event": []})
            c.notify(method, [])
        self.assertEqual(c.stop(), 0)


class Sources(Case):
    def setUp(self):
        if not MODULE:
            self.skipTest("this condlint reads no C++")
        super().setUp()

    def test_typing(self):
        path = self.write("a.cpp", HEAD + SOUND)
        c = self.serve()
        uri = c.open(path)
        self.assertEqual(self.rules(c.diagnostics(uri)), [])
        line = (HEAD + SOUND).splitlines().index("      p, [](const Tensor &a) { return a * 2; },")
        c.edit(uri, (line, 39), (line, 43), "")
        found = c.diagnostics(uri)
        self.assertEqual(self.rules(found), ["output-alias"])
        d = [d for d in found if d.get("code") == "output-alias"][0]
        self.assertEqual(c.published[uri]["version"], 2)
        self.assertEqual(d["source"], "condlint")
        self.assertIn("/checks/output-alias.md", d["codeDescription"]["href"])
        self.assertEqual(d["range"]["start"], {"line": line, "character": 31})
        self.assertIn("fingerprint", d["data"])
        c.edit(uri, (line, 39), (line, 39), " + 1")
        self.assertEqual(self.rules(c.diagnostics(uri)), [])
        c.stop()

    def test_a_session_that_ends_with_its_first_findings_leaves_parsed_headers(self):
        cache = self.folder / "cache"
        kept = lambda: [f.suffix for f in cache.rglob("*") if f.is_file() and f.suffix != ".h"]
        for name, text, ends in [
            ("sound", SOUND, lambda c: c.stop()),
            ("with an error", ALIAS + "int half( {", lambda c: c.stop()),
            ("without a header", "#include <no/such.h>\n" + ALIAS, lambda c: c.stop()),
            ("whose client dies", ALIAS, lambda c: c.process.stdin.close()),
        ]:
            with self.subTest(name):
                shutil.rmtree(cache, ignore_errors=True)
                c = self.serve(env={"XDG_CACHE_HOME": str(cache)})
                c.diagnostics(c.open(self.write("a.cpp", HEAD + text)))
                ends(c)
                c.process.wait(10)
                end = time.monotonic() + 30
                while kept() != [".pch"] and time.monotonic() < end:
                    time.sleep(0.1)
                self.assertEqual(kept(), [".pch"])

    def test_headers_that_cannot_be_kept_are_not_tried_for_each_text(self):
        library = pathlib.Path(tempfile.mkdtemp()).resolve()
        self.addCleanup(shutil.rmtree, library)
        (library / "bad.h").write_text("#pragma once\n#include <no/such.h>\n")
        database = self.folder / "compile_commands.json"
        database.write_text(database.read_text().replace("-I.", f"-isystem {library}"))
        cache = self.folder / "cache"
        c = self.serve(env={"XDG_CACHE_HOME": str(cache)})
        uri = c.open(self.write("a.cpp", "#include <bad.h>\n" + HEAD + ALIAS))
        c.diagnostics(uri)
        failed = lambda: [f for f in cache.rglob("*.turn") if f.stat().st_size]
        c.until(lambda: time.sleep(0.1) or failed(), 30)
        (turn,) = failed()
        tried = turn.stat().st_mtime_ns
        c.change(uri, "#include <bad.h>\n" + HEAD + SOUND)
        self.assertEqual(self.rules(c.diagnostics(uri)), [])
        c.stop()
        time.sleep(1)
        self.assertEqual(turn.stat().st_mtime_ns, tried)
        self.assertEqual([f.suffix for f in cache.rglob("*") if f.is_file()].count(".pch"), 0)

    def test_related_and_fix(self):
        path = self.write("a.cpp", HEAD + ALIAS)
        c = self.serve()
        uri = c.open(path)
        found = c.diagnostics(uri)
        d = [d for d in found if d.get("code") == "output-alias"][0]
        actions = c.at(uri, "textDocument/codeAction", range=d["range"], context={"diagnostics": [d]})
        fixes = [a for a in actions if a.get("isPreferred")]
        self.assertEqual(len(fixes), 1, actions)
        change = fixes[0]["edit"]["documentChanges"][0]
        self.assertEqual(change["textDocument"], {"uri": uri, "version": 1})
        c.change(uri, lsp.apply(c.texts[uri], change["edits"]))
        self.assertEqual(self.rules(c.diagnostics(uri)), [])
        # What is not to be mended is suppressed, or explained.
        c.change(uri, HEAD + ALIAS)
        d = [d for d in c.diagnostics(uri) if d.get("code") == "output-alias"][0]
        actions = c.at(uri, "textDocument/codeAction", range=d["range"], context={"diagnostics": [d], "only": ["quickfix"]})
        quiet = [a for a in actions if a["title"].startswith("Suppress output-alias")][0]
        c.change(uri, lsp.apply(c.texts[uri], quiet["edit"]["documentChanges"][0]["edits"]))
        self.assertIn("      // NOLINTNEXTLINE(condlint-output-alias): why", c.texts[uri])
        self.assertEqual(self.rules(c.diagnostics(uri)), [])
        self.assertIn(["output-alias"], [a["command"]["arguments"] for a in actions if a["title"].startswith("Explain")])
        self.assertEqual(
            c.at(uri, "textDocument/codeAction", range=d["range"], context={"diagnostics": [], "only": ["refactor"]}), []
        )
        c.stop()

    def test_reason_and_picture(self):
        path = self.write("a.cpp", HEAD + ALIAS)
        place = {"start": {"line": 6, "character": 0}, "end": {"line": 7, "character": 50}}
        # The client shows documents: it is asked to select the reason.
        c = self.serve()
        uri = c.open(path)
        c.diagnostics(uri)
        actions = c.at(uri, "textDocument/codeAction", range=place, context={"diagnostics": []})
        quiet = [a for a in actions if a["title"].startswith("Suppress output-alias")][0]
        c.change(uri, lsp.apply(c.texts[uri], quiet["edit"]["documentChanges"][0]["edits"]))
        c.request("workspace/executeCommand", {k: quiet["command"][k] for k in ("command", "arguments")})
        asked = [r["params"] for r in c.requests if r["method"] == "window/showDocument"][-1]
        start, end = asked["selection"]["start"], asked["selection"]["end"]
        self.assertEqual(c.texts[uri].split("\n")[start["line"]][start["character"] : end["character"]], "why it is right here")
        # A picture of what is open, not of what lies on the disk, in the cache.
        c.change(uri, HEAD + "\n" + SOUND)
        c.diagnostics(uri)
        place = {"start": {"line": 7, "character": 9}, "end": {"line": 7, "character": 9}}
        actions = c.at(uri, "textDocument/codeAction", range=place, context={"diagnostics": []})
        both = [a for a in actions if a["title"].startswith("Show both branches")][0]
        answer = c.request("workspace/executeCommand", {k: both["command"][k] for k in ("command", "arguments")})
        asked = [r["params"] for r in c.requests if r["method"] == "window/showDocument"][-1]
        self.assertEqual((asked["uri"], asked["external"]), (answer["page"], True))
        page = pathlib.Path(answer["page"].removeprefix("file://")).read_text()
        self.assertIn("<svg", page)
        self.assertIn("a.cpp:8", page)
        self.assertIn("|", answer["markdown"])
        with self.assertRaises(lsp.Failure):
            c.request("workspace/executeCommand", {"command": "condlint.showBoth", "arguments": [uri, "none"]})
        c.stop()
        # One that takes snippets, and one that can neither.
        capable = json.loads(json.dumps(lsp.FULL))
        capable["workspace"]["workspaceEdit"]["snippetEditSupport"] = True
        place = {"start": {"line": 6, "character": 0}, "end": {"line": 7, "character": 50}}
        for capabilities, wanted in ((capable, True), ({"textDocument": lsp.FULL["textDocument"]}, False)):
            c = self.serve(capabilities=capabilities)
            uri = c.open(path)
            c.diagnostics(uri)
            actions = c.at(uri, "textDocument/codeAction", range=place, context={"diagnostics": []})
            quiet = [a for a in actions if a["title"].startswith("Suppress output-alias")][0]
            self.assertNotIn("command", quiet)
            if wanted:
                edit = quiet["edit"]["documentChanges"][0]["edits"][0]
                self.assertIn("(condlint-output-alias): ${1:why it is right here}\n", edit["snippet"]["value"])
            else:
                both = [a for a in actions if a["title"].startswith("Show both branches")][0]
                c.request("workspace/executeCommand", {k: both["command"][k] for k in ("command", "arguments")})
                c.until(lambda: any(n["method"] == "window/showMessage" and ".html" in n["params"]["message"]
                                    for n in c.notifications), problem="the page is not named")
            c.stop()

    def test_contract(self):
        path = self.write("a.cpp", HEAD + SOUND)
        c = self.serve(options={"hints": True})
        uri = c.open(path)
        c.diagnostics(uri)
        line = 6
        hover = c.at(uri, "textDocument/hover", line, 20)
        text = hover["contents"]["value"]
        self.assertIn("| 0 | `float32[N, 8]`", text)
        self.assertIn("proved", text)
        self.assertIsNone(c.at(uri, "textDocument/hover", 0, 0))
        lens = c.at(uri, "textDocument/codeLens")
        self.assertEqual([l["command"]["title"] for l in lens], ["then float32[N, 8] · else float32[N, 8] · proved"])
        self.assertEqual(lens[0]["range"]["start"]["line"], line)
        hints = c.at(uri, "textDocument/inlayHint",
                     range={"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}})
        self.assertEqual([h["label"] for h in hints], [": float32[N, 8]"])
        symbols = c.at(uri, "textDocument/documentSymbol")
        self.assertEqual(len(symbols), 1)
        self.assertEqual(len(symbols[0]["children"]), 2)
        self.assertTrue(c.at(uri, "textDocument/foldingRange"))
        self.assertEqual(len(c.request("workspace/symbol", {"query": "float32"})), 1)
        self.assertEqual(c.request("workspace/symbol", {"query": "no such"}), [])
        one = c.at(uri, "textDocument/implementation", 7, 31)
        self.assertEqual([l["range"]["start"]["line"] for l in one], [8])
        two = c.at(uri, "textDocument/implementation", 8, 31)
        self.assertEqual([l["range"]["start"]["line"] for l in two], [7])
        self.assertEqual(len(c.at(uri, "textDocument/implementation", 6, 20)), 2)
        c.notify("workspace/didChangeConfiguration", {"settings": {"condlint": {"lens": False, "hints": False}}})
        self.assertEqual(c.at(uri, "textDocument/codeLens"), [])
        c.stop()

    def test_hover_at_the_whole_call_but_in_no_body(self):
        path = self.write("a.cpp", HEAD + ALIAS)
        c = self.serve()
        uri = c.open(path)
        text = path.read_text().splitlines()
        for line, part, is_there in (
            (6, "return", False),
            (6, "condlint::", True),
            (6, "cond(", True),
            (7, "p,", True),
            (7, "[](", True),
            (7, "Tensor &a", True),
            (7, "return a", False),
            (8, "[](", True),
            (8, "{x}", True),
            (8, "torch::relu", False),
        ):
            with self.subTest(line=line, part=part):
                at = text[line].index(part) + 1
                hover = c.at(uri, "textDocument/hover", line, at)
                self.assertEqual(hover is not None, is_there)
                if hover:
                    self.assertIn("f/cond@7:20", hover["contents"]["value"])
                    start, end = hover["range"]["start"], hover["range"]["end"]
                    self.assertEqual((start["line"], end["line"]), (line, line))
                    self.assertTrue(start["character"] <= at <= end["character"])
        finding = [d for d in c.diagnostics(uri) if d["code"] == "output-alias"][0]
        self.assertEqual(finding["range"]["start"]["line"], 7)
        actions = c.at(uri, "textDocument/codeAction", range=finding["range"], context={"diagnostics": []})
        self.assertIn("Show both branches of f/cond@7:20", [a["title"] for a in actions])
        c.stop()

    def test_hover_at_calls_of_many_lines_and_in_one_another(self):
        text = HEAD + """Tensor f(const Tensor &x, const Tensor &p, const Tensor &q) {
  CONDLINT_SCALAR(p, Bool);
  CONDLINT_SCALAR(q, Bool);
  CONDLINT_TENSOR(x, Float, "N", 8);
  return condlint::cond(
      p,
      [](const Tensor &größe,
         const Tensor &inner)
      {
        Tensor once = größe.sin();
        return condlint::cond(
            inner, // of the inner one
            [](const Tensor &b) { return b.exp(); }, [](const Tensor &b) { return b.cos(); },
            {once});
      },
      [](const Tensor &größe, const Tensor &) { return größe.tan(); }, // of the outer one
      {x, q});
}
"""
        path = self.write("a.cpp", text)
        lines = text.splitlines()
        for units in ("utf-8", "utf-16"):
            c = self.serve(capabilities={**lsp.FULL, "general": {"positionEncodings": [units]}})
            uri = c.open(path)
            outer, inner = "f/cond@8:20", "/cond@14:26"
            for part, expected in (
                ("      p,", outer),
                ("[](const Tensor &größe,", outer),
                ("const Tensor &inner", outer),
                ("Tensor once", None),
                ("return condlint::cond(\n            inner", inner),
                ("inner, // of", inner),
                ("// of the inner one", inner),
                ("return b.exp", None),
                ("[](const Tensor &b) { return b.cos", inner),
                ("{once}", inner),
                ("return größe.tan", None),
                ("tan(); }", None),
                ("// of the outer", outer),
                ("{x, q}", outer),
            ):
                with self.subTest(units=units, part=part):
                    begin = text.index(part)
                    line = text.count("\n", 0, begin)
                    before = lines[line][: begin - (text.rfind("\n", 0, begin) + 1)]
                    at = len(before.encode()) if units == "utf-8" else len(before)
                    at += 7 if part.startswith("return condlint") or part.startswith("      p") else 0
                    at -= 1 if part.startswith("      p") else 0
                    hover = c.at(uri, "textDocument/hover", line, at)
                    self.assertEqual(hover is not None, expected is not None)
                    if hover:
                        self.assertIn(expected, hover["contents"]["value"].splitlines()[0])
                        start, end = hover["range"]["start"], hover["range"]["end"]
                        self.assertEqual((start["line"], end["line"]), (line, line))
                        self.assertTrue(start["character"] <= at <= end["character"])
            c.stop()

    def test_layers_that_are_lazy_eager_and_shared(self):
        text = """#include <NvInfer.h>
using namespace nvinfer1;
void build(INetworkDefinition *net) {
  ITensor *x = net->addInput("x", DataType::kFLOAT, Dims4{1, 2, 3, 4});
  ITensor *p = net->addInput("p", DataType::kBOOL, Dims{0, {}});
  IActivationLayer *before = net->addActivation(*x, ActivationType::kRELU);
  ITensor *both = before->getOutput(0);
  IIfConditional *c = net->addIfConditional();
  c->setCondition(
      *p);
  ITensor *in = c->addInput(*both)->getOutput(0);
  ITensor *a = net->addActivation(*in, ActivationType::kSIGMOID)->getOutput(0);
  ITensor *b = net->addActivation(*both, ActivationType::kTANH)->getOutput(0);
  ITensor *out = c->addOutput(
                      *a,
                      *b)->getOutput(0);
  net->markOutput(*out);
}
"""
        command = f"clang++ -std=c++17 -isystem {ROOT}/tests/mocks/tensorrt -c a.cpp"
        self.write("compile_commands.json",
                   json.dumps([{"directory": str(self.folder), "file": "a.cpp", "command": command}]))
        c = self.serve()
        uri = c.open(self.write("a.cpp", text))
        lines = text.splitlines()

        def said(part, word):
            line = next(k for k, l in enumerate(lines) if part in l)
            hover = c.at(uri, "textDocument/hover", line, lines[line].rindex(word))
            return hover and hover["contents"]["value"]

        self.assertIn("is **shared** for the conditional at line 8: always evaluated", said("kRELU", "addActivation"))
        self.assertIn("is **lazy** for the conditional at line 8", said("kSIGMOID", "addActivation"))
        self.assertIn("is **eager** for the conditional at line 8", said("kTANH", "addActivation"))
        contract = said("addIfConditional", "addIfConditional")
        for word in ("lazy", "eager", "shared"):
            self.assertRegex(contract, rf"\n- {word}: `")
        for part, word in (("setCondition", "setCondition"), ("      *p);", "*p"), ("c->addInput", "both"),
                           ("c->addOutput", "addOutput"), ("      *a,", "*a"), ("      *b)", "b")):
            with self.subTest(part):
                self.assertEqual(said(part, word), contract)
        c.stop()

    def test_a_network(self):
        shutil.copy(ROOT / "examples" / "builder.cpp", self.folder / "a.cpp")
        command = f"clang++ -std=c++17 -isystem {ROOT}/tests/mocks/tensorrt -c a.cpp"
        self.write("compile_commands.json",
                   json.dumps([{"directory": str(self.folder), "file": "a.cpp", "command": command}]))
        c = self.serve()
        uri = c.open(self.folder / "a.cpp")
        lines = lambda l, ch: [p["range"]["start"]["line"] for p in c.at(uri, "textDocument/implementation", l, ch)]
        self.assertEqual(lines(8, 36), [13, 16])  # addIfConditional
        self.assertEqual(lines(18, 30), [13, 16])  # addOutput
        self.assertEqual(lines(13, 30), [16])
        self.assertEqual(lines(16, 30), [13])
        self.assertEqual(lines(6, 30), [])  # addInput of the network
        place = {"line": 8, "character": 36}
        other = c.request(
            "workspace/executeCommand", {"command": "condlint.otherBranch", "arguments": [uri, place]}
        )
        self.assertEqual(len(other), 2)
        folds = c.at(uri, "textDocument/foldingRange")
        self.assertIn({"startLine": 8, "endLine": 18}, folds)
        symbol = c.at(uri, "textDocument/documentSymbol")[0]
        self.assertEqual([s["range"]["start"]["line"] for s in symbol["children"]], [13, 16])
        c.stop()

    def test_a_network_whose_layers_another_function_adds(self):
        text = """#include <NvInfer.h>
using namespace nvinfer1;
static ITensor *act(INetworkDefinition &net, ITensor &in, ActivationType kind) {
  return net.addActivation(in, kind)->getOutput(0);
}
void build(INetworkDefinition &net) {
  ITensor *x = net.addInput("x", DataType::kFLOAT, Dims4{1, 2, 3, 4});
  ITensor *p = net.addInput("p", DataType::kBOOL, Dims{0, {}});
  IIfConditional *c = net.addIfConditional();
  c->setCondition(*p);
  ITensor *in = c->addInput(*x)->getOutput(0);
  ITensor *a = act(net, *in, ActivationType::kSIGMOID);
  ITensor *b = net.addActivation(*in, ActivationType::kTANH)->getOutput(0);
  net.markOutput(*c->addOutput(*a, *b)->getOutput(0));
}
"""
        command = f"clang++ -std=c++17 -isystem {ROOT}/tests/mocks/tensorrt -c a.cpp"
        self.write("compile_commands.json",
                   json.dumps([{"directory": str(self.folder), "file": "a.cpp", "command": command}]))
        c = self.serve()
        uri = c.open(self.write("a.cpp", text))
        # Neither what is folded nor the outline runs through both functions.
        self.assertEqual(c.at(uri, "textDocument/foldingRange"), [{"startLine": 8, "endLine": 13}])
        symbol = c.at(uri, "textDocument/documentSymbol")[0]
        self.assertEqual((symbol["range"]["start"]["line"], symbol["range"]["end"]["line"]), (8, 13))
        self.assertEqual([s["range"]["start"]["line"] for s in symbol["children"]], [12])
        c.stop()

    def test_templates_that_bodies_use(self):
        once = ALIAS.replace("Tensor f(", "template <class T> Tensor once(").replace("const Tensor &x", "const T &x")
        text = HEAD + once + "\n".join([
            "Tensor one(const Tensor &x, const Tensor &p) {", "  return once(x, p);", "}",
            "Tensor two(const Tensor &x, const Tensor &p) {", "  return x + p;", "}", ""])
        path = self.write("a.cpp", text)
        c = self.serve()
        uri = c.open(path)
        self.assertEqual(self.rules(c.diagnostics(uri)), ["output-alias"])
        of = {name: text.splitlines().index(f"Tensor {name}(const Tensor &x, const Tensor &p) {{") + 1 for name in ("one", "two")}

        def put(name, line):
            lines = c.texts[uri].split("\n")
            lines[of[name]] = line
            c.change(uri, "\n".join(lines))
            return self.rules(c.diagnostics(uri))  # what is said first, before all is parsed anew

        # What is made of the template is there as long as a body uses it.
        self.assertEqual(put("one", "  return x * 2;"), [])
        self.assertEqual(put("two", "  return once(x, p);"), ["output-alias"])
        self.assertEqual(put("one", "  return once(x, p) * 2;"), ["output-alias"])
        time.sleep(2)  # by now it is parsed anew, with both
        self.assertEqual(put("two", "  return [&](auto y) { return once(y, p); }(x) + 1;"), ["output-alias"])
        self.assertEqual(put("one", "  return condlint::cond(p, [](const Tensor &a) { return a; }, [](const Tensor &a) { return a * 2; }, {x});"),
                         ["output-alias", "output-alias"])
        self.assertEqual(put("one", "  return condlint::cond(p, [](const Tensor &a) { return a + 1; }, [](const Tensor &a) { return a * 2; }, {x});"),
                         ["output-alias"])
        self.assertEqual(put("two", "  return x;"), [])
        c.stop()

    def test_unknown_on_request(self):
        text = HEAD + "Tensor g(const Tensor &);\n" + ALIAS.replace("return a;", "return g(a);")
        path = self.write("a.cpp", text)
        c = self.serve()
        uri = c.open(path)
        self.assertEqual([d for d in c.diagnostics(uri) if d["severity"] == 4], [])
        c.stop()
        c = self.serve(options={"unknown": True})
        uri = c.open(path)
        hints = [d for d in c.diagnostics(uri) if d["severity"] == 4]
        self.assertTrue(hints)
        self.assertTrue(all("not decided" in d["message"] for d in hints))
        c.stop()

    def test_positions_in_other_units(self):
        text = HEAD + ALIAS.replace("p, [](const", "/* äß𝄞 */ p, [](const")
        path = self.write("a.cpp", text)
        line = next(i for i, l in enumerate(text.splitlines()) if "𝄞" in l)
        column = text.splitlines()[line].index("return")
        for units, capabilities in (
            ("utf-16", {}),
            ("utf-8", {"general": {"positionEncodings": ["utf-16", "utf-8"]}}),
            ("utf-32", {"general": {"positionEncodings": ["utf-32"]}}),
        ):
            with self.subTest(units):
                c = self.serve(capabilities=capabilities)
                self.assertEqual(c.server["capabilities"]["positionEncoding"], units)
                uri = c.open(path, text)
                d = [d for d in c.diagnostics(uri) if d.get("code") == "output-alias"][0]
                before = text.splitlines()[line][:column]
                width = {"utf-8": len(before.encode()), "utf-16": len(before.encode("utf-16-le")) // 2, "utf-32": len(before)}
                self.assertEqual(d["range"]["start"], {"line": line, "character": width[units]})
                # What is put in stands where it was meant to: behind the comment.
                end = width[units] + len("return a")
                c.edit(uri, (line, end), (line, end), " * 2")
                self.assertEqual(self.rules(c.diagnostics(uri)), [])
                c.stop()

    def test_headers(self):
        header = self.write("h.h", "#pragma once\n" + HEAD + "inline " + SOUND)
        path = self.write("a.cpp", '#include "h.h"\nTensor g(const Tensor &x, const Tensor &p) { return f(x, p); }\n')
        c = self.serve()
        uri, of_header = c.open(path), header.as_uri()
        self.assertEqual(self.rules(c.diagnostics(uri)), [])
        c.open(header)
        c.diagnostics(of_header)
        # Not saved, and it counts: for the header, by way of the source.
        c.change(of_header, "#pragma once\n" + HEAD + "inline " + ALIAS)
        c.until(lambda: self.rules(c.published.get(of_header, {}).get("diagnostics", [])) == ["output-alias"])
        self.assertTrue(c.at(of_header, "textDocument/codeLens"))
        self.assertEqual(self.rules(c.published[uri]["diagnostics"]), [])
        # It is saved by another program.
        c.close(of_header)
        c.until(lambda: self.rules(c.published[of_header]["diagnostics"]) == [])
        header.write_text("#pragma once\n" + HEAD + "inline " + ALIAS)
        c.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": of_header, "type": 2}]})
        c.until(lambda: self.rules(c.published[of_header]["diagnostics"]) == ["output-alias"])
        c.close(uri)
        c.until(lambda: self.rules(c.published[of_header]["diagnostics"]) == [])
        c.stop()

    def test_a_header_alone(self):
        header = self.write("h.h", "#pragma once\n" + HEAD + "inline " + ALIAS)
        c = self.serve()
        uri = c.open(header)
        self.assertEqual(self.rules(c.diagnostics(uri)), ["output-alias"])
        c.stop()

    def test_pull(self):
        path = self.write("a.cpp", HEAD + ALIAS)
        c = self.serve(options={"diagnostics": "pull"})
        self.assertTrue(c.server["capabilities"]["diagnosticProvider"])
        uri = c.open(path)
        answer = c.at(uri, "textDocument/diagnostic")
        self.assertEqual(answer["kind"], "full")
        self.assertEqual(self.rules(answer["items"]), ["output-alias"])
        self.assertNotIn(uri, c.published)
        c.stop()

    def test_pulled_headers_are_not_pushed(self):
        text = "#pragma once\n" + HEAD + "inline " + ALIAS
        header = self.write("h.h", text)
        c = self.serve(options={"diagnostics": "pull"})
        uri, of_header = c.open(self.write("a.cpp", '#include "h.h"\n')), header.as_uri()
        pushed = lambda: self.rules(c.published.get(of_header, {"diagnostics": []})["diagnostics"])
        self.assertEqual(self.rules(c.at(uri, "textDocument/diagnostic")["items"]), [])
        c.until(lambda: pushed() == ["output-alias"])  # the editor does not ask about what is not open
        # As soon as it is open it asks, and is told in that way alone.
        c.open(header)
        self.assertEqual(self.rules(c.at(of_header, "textDocument/diagnostic")["items"]), ["output-alias"])
        self.assertEqual(c.published[of_header]["diagnostics"], [])
        before = len(c.history)
        c.change(of_header, text.replace("return a;", "return a * 2;"))
        self.assertEqual(self.rules(c.at(of_header, "textDocument/diagnostic")["items"]), [])
        c.at(uri, "textDocument/diagnostic")
        # Nor does a setting change what was agreed upon.
        c.notify("workspace/didChangeConfiguration", {"settings": {"condlint": {"diagnostics": "push"}}})
        c.at(uri, "textDocument/diagnostic")
        self.assertEqual(c.history[before:], [])
        # Closed without being saved: the disk counts, and is pushed.
        c.close(of_header)
        c.until(lambda: pushed() == ["output-alias"])
        header.write_text(text.replace("return a;", "return a * 2;"))
        c.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": of_header, "type": 2}]})
        c.until(lambda: pushed() == [])
        header.write_text(text)
        c.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": of_header, "type": 2}]})
        c.until(lambda: pushed() == ["output-alias"])
        c.close(uri)
        c.until(lambda: pushed() == [])
        c.stop()

    def test_findings_of_an_older_text_are_not_of_a_newer_one(self):
        text = "#pragma once\n" + HEAD + "inline " + ALIAS
        header = self.write("h.h", text)
        c = self.serve(options={"debounce": 0})
        uris = [c.open(self.write(name, '#include "h.h"\n')) for name in ("a.cpp", "b.cpp")]
        of_header = c.open(header)
        for uri in (*uris, of_header):
            c.diagnostics(uri)
        line = text.splitlines().index("      p, [](const Tensor &a) { return a; },")
        versions = {1: [line], 2: [line + 2], 3: []}
        c.change(of_header, "\n\n" + text)
        c.at(of_header, "textDocument/codeLens")  # one of the three was read with it
        c.notify("workspace/didChangeConfiguration", {"settings": {"condlint": {}}})
        for uri in uris:
            c.at(uri, "textDocument/codeLens")
        self.assertEqual(self.rules(c.diagnostics(of_header)), ["output-alias"])
        c.change(of_header, text.replace("return a;", "return a * 2;"))
        c.notify("workspace/didChangeConfiguration", {"settings": {"condlint": {}}})
        self.assertEqual(self.rules(c.diagnostics(of_header)), [])
        for uri in (of_header, *uris):
            c.at(uri, "textDocument/codeLens")
        for uri, said, _ in c.history:
            if uri == of_header and "version" in said:
                lines = [d["range"]["start"]["line"] for d in said["diagnostics"] if d.get("code") == "output-alias"]
                self.assertEqual(lines, versions[said["version"]], said["version"])
        # A file that is not open has no version, and yet no finding of an older text beside one of a newer.
        c.close(of_header)
        c.until(lambda: self.rules(c.published[of_header]["diagnostics"]) == ["output-alias"])
        for uri in uris:
            c.at(uri, "textDocument/codeLens")
        before = len(c.history)
        header.write_text("\n\n" + text)
        c.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": of_header, "type": 2}]})
        for uri in uris:
            c.at(uri, "textDocument/codeLens")
        said = [[d["range"]["start"]["line"] for d in p["diagnostics"] if d.get("code") == "output-alias"]
                for u, p, _ in c.history[before:] if u == of_header]
        self.assertTrue(said)
        self.assertTrue(all(lines == [line + 2] for lines in said), said)
        c.stop()

    def test_a_header_that_changes_while_a_source_is_read_first(self):
        text = "#pragma once\n#define OF(a) a * 2\n"
        c = self.serve(options={"debounce": 0})
        of_header = c.open(self.write("h.h", text))
        c.diagnostics(of_header)
        source = self.write("a.cpp", HEAD + '#include "h.h"\n' + ALIAS.replace("return a;", "return OF(a);"))
        uri = c.open(source)
        time.sleep(0.05)  # it is being read
        c.change(of_header, text.replace("a * 2", "a"))
        c.at(uri, "textDocument/codeLens")  # is of what it includes now, not of what its first reading found
        self.assertEqual(self.rules(c.diagnostics(uri)), ["output-alias"])
        c.stop()

    def test_changes_that_are_none(self):
        path = self.write("a.cpp", HEAD + ALIAS)
        c = self.serve(options={"debounce": 0})
        uri = c.open(path)
        self.assertEqual(self.rules(c.diagnostics(uri)), ["output-alias"])
        place = lambda line, character: {"line": line, "character": character}
        sound = {"range": {"start": place(0, 0), "end": place(0, 0)}, "text": "// "}
        for changes in (
            [{"text": 5}],
            [{}],
            [5],
            {"text": ""},
            None,
            [{"range": {"start": place(0, 0)}, "text": ""}],
            [{"range": {"start": place(-1, 0), "end": place(9, 0)}, "text": ""}],
            [{"range": {"start": place(0, "x"), "end": place(9, 0)}, "text": ""}],
            [{"range": {"start": place(0, 0.5), "end": place(9, 0)}, "text": ""}],
            [{"range": 5, "text": ""}],
            [{"range": {"start": place(9, 0), "end": place(0, 0)}, "text": ""}],
            [{"range": {"start": place(0, 9), "end": place(0, 0)}, "text": ""}],
            [sound, {"text": 5}],
        ):
            with self.subTest(changes):
                logged = lambda: [n["params"] for n in c.notifications if n["method"] == "window/logMessage"]
                before, said = len(logged()), len(c.history)
                c.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": changes})
                c.until(lambda: len(logged()) > before, 10, "nothing is logged")
                self.assertEqual(logged()[-1]["type"], 1)
                self.assertIn("a.cpp", logged()[-1]["message"])
                self.assertEqual(len(c.at(uri, "textDocument/codeLens")), 1)
                self.assertEqual(len(c.history), said)
        # The text is the one before: what is right is done to it. A range may be null, and reach beyond the end.
        c.versions[uri] = 2
        c.edit(uri, (7, 39), (7, 39), "")
        self.assertEqual(self.rules(c.diagnostics(uri)), ["output-alias"])
        c.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": 4},
                                            "contentChanges": [{"range": None, "text": HEAD + SOUND}]})
        c.versions[uri] = 4
        self.assertEqual(self.rules(c.diagnostics(uri)), [])
        c.edit(uri, (0, 0), (9999, 9999), HEAD + ALIAS)
        self.assertEqual(self.rules(c.diagnostics(uri)), ["output-alias"])
        # A text that is none is not an empty one.
        c.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "cpp", "version": 9, "text": 5}})
        self.assertEqual(len(c.at(uri, "textDocument/codeLens")), 1)
        c.stop()

    @staticmethod
    def children(pid):
        out = []
        for status in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = status.read_text().rpartition(")")[2].split()
            except OSError:
                continue  # it has ended
            if int(fields[1]) == pid and fields[0] != "Z":
                out.append(int(status.parent.name))
        return out

    def test_the_process_that_forks_is_killed(self):
        c = self.serve(options={"debounce": 0})
        uri = c.open(self.write("a.cpp", HEAD + ALIAS))
        self.assertEqual(self.rules(c.diagnostics(uri)), ["output-alias"])
        told = lambda: [n["params"] for n in c.notifications if n["method"] == "window/showMessage"]
        for text, wanted in ((HEAD + "\n" + SOUND, []), (HEAD + ALIAS, ["output-alias"])):
            child = self.children(c.process.pid)
            self.assertEqual(len(child), 1)
            os.kill(child[0], signal.SIGKILL)
            other = c.open(self.write("b.cpp", text))
            c.at(other, "textDocument/codeLens")
            self.assertEqual(self.rules(c.diagnostics(other)), wanted)
            c.change(uri, text)  # what was parsed waits in a process of its own
            self.assertEqual(self.rules(c.diagnostics(uri)), wanted)
            c.close(other)
        self.assertEqual(len(told()), 1, told())
        self.assertEqual(told()[0]["type"], 2)
        # A command needs it as well; and what waits ends with what it was parsed for.
        child = self.children(c.process.pid)[0]
        os.kill(child, signal.SIGKILL)
        c.until(lambda: child not in self.children(c.process.pid))
        model = ROOT / "examples" / "squeeze.onnx"
        page = c.request("workspace/executeCommand", {"command": "condlint.runBoth", "arguments": [model.as_uri()]})
        self.assertIn("both branches of", page["markdown"])
        self.assertEqual(len([t for t in told() if "memory" in t["message"]]), 1)
        self.assertEqual(c.stop(), 0)

    def test_cancel(self):
        path = self.write("a.cpp", HEAD + ALIAS)
        c = self.serve(options={"debounce": 5000})
        uri = c.open(path)
        c.diagnostics(uri)
        c.change(uri, HEAD + SOUND)  # analysed in five seconds
        number = c.start("textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 6, "character": 12}})
        c.notify("$/cancelRequest", {"id": number})
        with self.assertRaises(lsp.Failure) as e:
            c.wait(number, 4)
        self.assertEqual(e.exception.code, -32800)
        c.stop()

    def test_an_analysis_that_breaks_down(self):
        path = self.write("a.cpp", HEAD + ALIAS)
        c = self.serve(env={"CONDLINT_LSP_BREAK_ON": "BREAK" + "DOWN"})
        uri = c.open(path)
        self.assertEqual(self.rules(c.diagnostics(uri)), ["output-alias"])
        c.change(uri, HEAD + ALIAS + "// BREAKDOWN\n")
        whole = c.diagnostics(uri)
        self.assertIn("broke down", whole[0]["message"])
        c.until(lambda: [n for n in c.notifications if n["method"] == "window/showMessage"])
        # It is left alone, and the others are not.
        c.change(uri, HEAD + SOUND + "// BREAKDOWN\n")
        other = c.open(self.write("b.cpp", HEAD + ALIAS))
        self.assertEqual(self.rules(c.diagnostics(other)), ["output-alias"])
        c.change(uri, HEAD + SOUND)
        c.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        self.assertEqual(self.rules(c.diagnostics(uri)), [])
        c.stop()

    def test_compile_commands_change(self):
        path = self.write("a.cpp", "#ifdef ON\n" + HEAD + ALIAS + "#endif\n")
        c = self.serve()
        uri = c.open(path)
        self.assertEqual(self.rules(c.diagnostics(uri)), [])
        database = self.folder / "compile_commands.json"
        database.write_text(database.read_text().replace("-std=c++17", "-std=c++17 -DON"))
        before = len(c.history)
        c.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": database.as_uri(), "type": 2}]})
        c.until(lambda: len(c.history) > before)
        self.assertEqual(self.rules(c.diagnostics(uri)), ["output-alias"])
        c.stop()

    def test_several_folders(self):
        other = pathlib.Path(tempfile.mkdtemp()).resolve()
        self.addCleanup(shutil.rmtree, other)
        (other / "compile_flags.txt").write_text(f"-std=c++17\n-I{ROOT}/include\n-isystem\n{ROOT}/tests/mocks\n")
        (other / "x.cpp").write_text(HEAD + ALIAS)
        c = self.serve()
        c.notify(
            "workspace/didChangeWorkspaceFolders",
            {"event": {"added": [{"uri": other.as_uri(), "name": "o"}], "removed": []}},
        )
        one, two = c.open(self.write("a.cpp", HEAD + ALIAS)), c.open(other / "x.cpp")
        self.assertEqual(self.rules(c.diagnostics(one)), ["output-alias"])
        self.assertEqual(self.rules(c.diagnostics(two)), ["output-alias"])
        c.stop()

    def test_clients_that_can_less(self):
        path = self.write("a.cpp", HEAD + ALIAS)
        c = self.serve(capabilities={})
        uri = c.open(path)
        d = [d for d in c.diagnostics(uri) if d.get("code") == "output-alias"][0]
        for key in ("codeDescription", "relatedInformation", "tags", "data"):
            self.assertNotIn(key, d)
        self.assertEqual(c.requests, [])
        actions = c.at(uri, "textDocument/codeAction", range=d["range"], context={"diagnostics": [d]})
        self.assertEqual({a["command"] for a in actions}, {"condlint.explain", "condlint.showBoth"})
        self.assertIn("location", c.at(uri, "textDocument/documentSymbol")[0])
        c.stop()
        c = self.serve(capabilities={"textDocument": {"hover": {"contentFormat": ["plaintext"]}}})
        hover = c.at(c.open(path), "textDocument/hover", 6, 20)["contents"]
        self.assertEqual(hover["kind"], "plaintext")
        self.assertIn("conditional f/cond@7:20 for ", hover["value"])
        self.assertIn("0\tfloat32[N, 8]; its storage is", hover["value"])
        for mark in ("**", "](", "`", "|---"):
            self.assertNotIn(mark, hover["value"])
        c.stop()


if __name__ == "__main__":
    main()
