#!/usr/bin/env python3
"""What changes on the disk while files are open: disk_test.py CONDLINT [unittest's arguments]

With a client that watches the folders of its workspace, as VS Code does, and with one that watches nothing, as Neovim on
Linux: what the first one is not asked about, or cannot see, the server finds out by itself.
"""

import fnmatch
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
import zipfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from case import ALIAS, Case, HEAD, MODULE, ROOT, SOUND, lsp, main  # noqa: E402

BLIND = json.loads(json.dumps(lsp.FULL))
del BLIND["workspace"]["didChangeWatchedFiles"]
CREATED, CHANGED, DELETED = 1, 2, 3


class Disk(Case):
    capabilities = lsp.FULL

    def begin(self, *arguments, **more):
        self.client = self.serve(*arguments, capabilities=self.capabilities, **more)
        return self.client

    def tell(self, path, kind):
        """What an editor that watches says of it: of the files that it was asked about, in its folders."""
        if self.capabilities is BLIND or self.folder not in path.parents:
            return
        asked = [r["params"]["registrations"][0]["registerOptions"]["watchers"] for r in self.client.requests
                 if r["method"] == "client/registerCapability"][0]
        for pattern in (w["globPattern"] for w in asked):
            several = re.search(r"\{(.*)\}", pattern)
            for each in several.group(1).split(",") if several else [""]:
                own = pattern.replace(several.group(0), each) if several else pattern
                if fnmatch.fnmatchcase(path.name, own.removeprefix("**/")):
                    self.client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": kind}]})
                    return

    def put(self, path, text):
        """As most programs do it: written beside it, and put into its place."""
        kind = CHANGED if path.exists() else CREATED
        beside = path.with_name(path.name + ".new")
        beside.write_text(text)
        beside.rename(path)
        self.tell(path, kind)

    def write_into(self, path, text):
        path.write_text(text)
        self.tell(path, CHANGED)

    def remove(self, path):
        path.unlink()
        self.tell(path, DELETED)

    def wait_for(self, uri, rules):
        self.client.until(lambda: self.rules(self.client.published.get(uri, {}).get("diagnostics", [{"severity": 1}])) == rules,
                          20, f"not {rules}, but {self.client.published.get(uri)}")

    def elsewhere(self):
        folder = pathlib.Path(tempfile.mkdtemp()).resolve()
        self.addCleanup(shutil.rmtree, folder)
        return folder


class Settings(Disk):
    MODEL = ROOT / "examples" / "returned_operand.pt2"

    def test_a_configuration_comes_changes_and_goes(self):
        shutil.copy(self.MODEL, self.folder / "m.pt2")
        found = self.checked(self.folder / "m.pt2")
        c = self.begin()
        uri = c.open(self.folder / "m.pt2", "")
        self.wait_for(uri, found)
        own = self.folder / ".condlint.json"
        self.put(own, json.dumps({"ignore": found}))
        self.wait_for(uri, [])
        self.write_into(own, "{}")
        self.wait_for(uri, found)
        self.put(own, json.dumps({"severity": {rule: "off" for rule in found}}))
        self.wait_for(uri, [])
        self.remove(own)
        self.wait_for(uri, found)
        c.stop()

    def test_the_configuration_of_the_command_line(self):
        shutil.copy(self.MODEL, self.folder / "m.pt2")
        found = self.checked(self.folder / "m.pt2")
        for own in (self.folder / "lint.json", self.elsewhere() / "lint.json"):
            own.write_text("{}")
            c = self.begin("--config", str(own) if own.parent != self.folder else "lint.json")
            uri = c.open(self.folder / "m.pt2", "")
            self.wait_for(uri, found)
            self.put(own, json.dumps({"ignore": found}))
            self.wait_for(uri, [])
            c.stop()

    def test_a_folder_joins_the_workspace(self):
        other = self.elsewhere()
        script = other / "net.py"
        script.write_text("\n" * 1000)
        with zipfile.ZipFile(self.MODEL) as old, zipfile.ZipFile(other / "m.pt2", "w") as new:
            for name in old.namelist():
                data = old.read(name)
                if name.endswith(".json"):
                    data = re.sub(rb'File \\"[^"]+\\"', b'File \\"' + str(script).encode() + b'\\"', data)
                new.writestr(name, data)
        found = self.checked(self.MODEL)
        c = self.begin()
        uri = c.open(other / "m.pt2", "")
        self.wait_for(uri, found)
        event = {"added": [{"uri": other.as_uri(), "name": "o"}], "removed": []}
        c.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        self.wait_for(script.as_uri(), found)
        self.wait_for(uri, [])
        event = {"added": [], "removed": [{"uri": other.as_uri(), "name": "o"}]}
        c.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        self.wait_for(uri, found)
        self.wait_for(script.as_uri(), [])
        c.stop()


class Models(Disk):
    def test_exported_anew(self):
        path = self.folder / "m.pt2"
        shutil.copy(ROOT / "examples" / "returned_operand.pt2", path)
        c = self.begin()
        uri = c.open(path, "")
        self.wait_for(uri, self.checked(path))
        for other in ("early_exit.pt2", "written_operand.pt2"):
            shutil.copy(ROOT / "examples" / other, path)
            self.tell(path, CHANGED)
            self.wait_for(uri, self.checked(path))
        c.stop()


class Sources(Disk):
    def setUp(self):
        if not MODULE:
            self.skipTest("this condlint reads no C++")
        super().setUp()

    def commands(self, *flags):
        own = f"clang++ -std=c++17 -I{ROOT}/include -isystem {ROOT}/tests/mocks {' '.join(flags)} -c a.cpp"
        return json.dumps([{"directory": str(self.folder), "file": "a.cpp", "command": own}])

    def test_compile_commands_of_every_kind(self):
        text = "#ifdef ON\n" + HEAD + ALIAS + "#endif\n"
        (self.folder / "compile_commands.json").unlink()
        c = self.begin()
        uri = c.open(self.write("a.cpp", text))
        self.wait_for(uri, [])
        # The first build makes the folder.
        build = self.folder / "build"
        build.mkdir()
        self.put(build / "compile_commands.json", self.commands("-DON"))
        self.wait_for(uri, ["output-alias"])
        self.put(build / "compile_commands.json", self.commands())
        self.wait_for(uri, [])
        # A link to those of another build comes before them.
        debug = self.folder / "out" / "debug"
        debug.mkdir(parents=True)
        self.put(debug / "compile_commands.json", self.commands("-DON"))
        (self.folder / "compile_commands.json").symlink_to(debug / "compile_commands.json")
        self.tell(self.folder / "compile_commands.json", CREATED)
        self.wait_for(uri, ["output-alias"])
        self.put(debug / "compile_commands.json", self.commands())
        self.wait_for(uri, [])
        self.remove(self.folder / "compile_commands.json")
        self.put(build / "compile_commands.json", self.commands("-DON"))
        self.wait_for(uri, ["output-alias"])
        shutil.rmtree(build)
        self.tell(build / "compile_commands.json", DELETED)
        self.wait_for(uri, [])
        c.stop()

    def test_compile_commands_that_the_command_line_names(self):
        text = "#ifdef ON\n" + HEAD + ALIAS + "#endif\n"
        build = self.elsewhere()
        (build / "compile_commands.json").write_text(self.commands())
        c = self.begin("-p", str(build))
        uri = c.open(self.write("a.cpp", text))
        self.wait_for(uri, [])
        self.put(build / "compile_commands.json", self.commands("-DON"))
        self.wait_for(uri, ["output-alias"])
        c.stop()

    def test_headers_of_every_kind(self):
        other = self.folder / "include"
        other.mkdir()
        for header in (self.folder / "h.h", other / "h.inl", other / "h"):
            include = header.relative_to(self.folder)
            header.write_text(f"#pragma once\n{HEAD}inline {SOUND}")
            c = self.begin()
            uri = c.open(self.write("a.cpp", f'#include "{include}"\n'))
            of_header = header.as_uri()
            self.wait_for(uri, [])
            self.put(header, f"#pragma once\n{HEAD}inline {ALIAS}")
            self.wait_for(of_header, ["output-alias"])
            self.write_into(header, f"#pragma once\n{HEAD}inline {SOUND}")
            self.wait_for(of_header, [])
            # It goes, and comes back.
            missing = lambda: any("file not found" in d["message"] for d in c.published[uri]["diagnostics"])
            self.remove(header)
            c.until(missing, 20, "nothing is missing")
            self.put(header, f"#pragma once\n{HEAD}inline {ALIAS}")
            c.until(lambda: not missing(), 20, "it is there again")
            self.wait_for(of_header, ["output-alias"])
            c.stop()

    def test_a_header_that_was_not_there(self):
        c = self.begin()
        uri = c.open(self.write("a.cpp", '#include "made.h"\n' + HEAD + ALIAS.replace("return a;", "return OF(a);")))
        c.until(lambda: any("file not found" in d["message"] for d in c.diagnostics(uri)), 20)
        self.put(self.folder / "made.h", "#define OF(a) a\n")
        self.wait_for(uri, ["output-alias"])
        c.stop()


class BlindSettings(Settings):
    capabilities = BLIND


class BlindModels(Models):
    capabilities = BLIND


class BlindSources(Sources):
    capabilities = BLIND


if __name__ == "__main__":
    main()
