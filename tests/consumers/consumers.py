#!/usr/bin/env python3
"""Shows that the programs which read condlint's reports do read them.

Usage: consumers.py PROGRAM FOLDER [--fetch] [INPUT...]

Checks INPUT... (default: the examples) with every format and hands each report to real consumers: Microsoft's SARIF
multitool with GitHub's rules and its schema, sarif-tools, junitparser; the page goes to headless Chromium and axe-core, and
the SARIF report to Microsoft's web component, where a Chromium is installed; and the reports before and after a repair to those
that compare two: the multitool, and a CodeChecker server on loopback. FOLDER holds them; with --fetch npm and pip bring
what is missing. Prints a line a consumer; exits with 77 where none is there, with 1 where one objects.
"""
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

MULTITOOL = "@microsoft/sarif-multitool-linux@5.7.0"
MODULES = ["playwright-core@1.56.1", "axe-core@4.11.0"]
VIEWER = ["@microsoft/sarif-web-component@0.6.0-29", "react@16.14.0", "react-dom@16.14.0", "esbuild@0.25.10", "playwright-core@1.56.1"]
BROWSERS = ["chromium", "chromium-browser", "google-chrome"]
PACKAGES = ["sarif-tools==3.0.5", "check-jsonschema==0.39.0", "junitparser==5.0.3"]
CODECHECKER = "codechecker==6.29.1"
HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(HERE, "..", "..", "examples")


def call(command, timeout=300, **more):
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=timeout, **more)


def fetch(folder):
    os.makedirs(folder, exist_ok=True)
    if not os.path.exists(os.path.join(folder, "package")):
        packed = call(["npm", "pack", MULTITOOL], cwd=folder)
        if packed.returncode == 0:
            call(["tar", "xzf", packed.stdout.split()[-1]], cwd=folder)
    if not os.path.exists(os.path.join(folder, "node_modules", "axe-core")):
        call(["npm", "install", "--silent", "--prefix", folder, *MODULES])
    viewer = os.path.join(folder, "viewer")
    if not os.path.exists(viewer):
        os.makedirs(viewer)
        call(["npm", "install", "--silent", "--legacy-peer-deps", "--prefix", viewer, *VIEWER])
    if not os.path.exists(os.path.join(folder, "venv")):
        call([sys.executable, "-m", "venv", os.path.join(folder, "venv")])
        call([os.path.join(folder, "venv", "bin", "pip"), "install", "-q", *PACKAGES], timeout=1800)
    if not os.path.exists(os.path.join(folder, "codechecker", "bin", "CodeChecker")):
        call([sys.executable, "-m", "venv", os.path.join(folder, "codechecker")])
        call([os.path.join(folder, "codechecker", "bin", "pip"), "install", "-q", CODECHECKER], timeout=1800)


class Consumers:
    def __init__(self, program, folder, reports):
        self.program = os.path.abspath(program)
        self.folder = os.path.abspath(folder)
        self.reports = reports
        self.ran = 0
        self.failed = 0

    def tool(self, name):
        path = os.path.join(self.folder, "venv", "bin", name)
        return path if os.path.exists(path) else None

    def say(self, name, done, objection):
        self.ran += 1
        self.failed += bool(objection)
        print(f"{'FAILED' if objection else 'ok'}: {name}: {objection or done}")

    def multitool(self):
        program = os.path.join(self.folder, "package", "Sarif.Multitool")
        if not os.path.exists(program):
            return
        os.chmod(program, 0o755)
        environment = {**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"}
        with tempfile.TemporaryDirectory() as scratch:
            out = os.path.join(scratch, "out.sarif")
            done = call([program, "validate", self.reports["sarif"], "--rule-kind", "Sarif;Ghas", "--level", "Error;Warning",
                         "--output", out, "--log", "ForceOverwrite"], env=environment)
            found = [r for run in json.load(open(out, encoding="utf-8-sig"))["runs"] for r in run.get("results", [])]
        self.say("sarif-multitool validate, with GitHub's rules", "no error, no warning",
                 "; ".join(f"{r['ruleId']}: {r['message']}" for r in found[:5]) or (done.returncode and done.stdout))

    def sarif_schema(self):
        schema = os.path.join(self.folder, "package", "sarif-2.1.0.json")
        if self.tool("check-jsonschema") and os.path.exists(schema):
            done = call([self.tool("check-jsonschema"), "--schemafile", schema, self.reports["sarif"]])
            self.say("the schema of SARIF 2.1.0", "valid", done.returncode and done.stdout)

    def json_schema(self):
        if self.tool("check-jsonschema"):
            schema = os.path.join(HERE, "..", "..", "docs", "report.schema.json")
            done = call([self.tool("check-jsonschema"), "--schemafile", schema, self.reports["json"]])
            self.say("docs/report.schema.json", "valid", done.returncode and done.stdout)

    def sarif_tools(self):
        if self.tool("sarif"):
            done = call([self.tool("sarif"), "summary", self.reports["sarif"]])
            self.say("sarif-tools summary", "read", done.returncode and done.stderr)
            with tempfile.TemporaryDirectory() as scratch:
                out = os.path.join(scratch, "diff.json")
                done = call([self.tool("sarif"), "diff", "-o", out, self.reports["sarif"], self.reports["sarif"]])
                self.say("sarif-tools diff", "read", done.returncode and done.stderr)

    def junit(self):
        python = self.tool("python")
        if self.tool("sarif"):  # the same environment
            done = call([python, "-c", "import sys; from junitparser import JUnitXml; x = JUnitXml.fromfile(sys.argv[1]);"
                         "print(x.tests, sum(s.tests for s in x))", self.reports["junit"]])
            counts = done.stdout.split()
            self.say("junitparser", f"{counts[:1]} cases", done.stderr or (len(set(counts)) != 1 and "the sums differ"))

    def page(self):
        modules = os.path.join(self.folder, "node_modules")
        browser = next(filter(None, map(shutil.which, BROWSERS)), None)
        if browser and shutil.which("node") and os.path.exists(modules):
            done = call(["node", os.path.join(HERE, "page.mjs"), modules, browser, self.reports["html"]])
            wrong = [line for line in done.stdout.splitlines() if line.startswith("FAILED")]
            self.say("Chromium and axe-core", "read, light and dark, with a script and without", done.returncode and ("; ".join(wrong) or done.stderr))

    def viewer(self):
        modules = os.path.join(self.folder, "viewer", "node_modules")
        browser = next(filter(None, map(shutil.which, BROWSERS)), None)
        if browser and shutil.which("node") and os.path.exists(modules):
            done = call(["node", os.path.join(HERE, "viewer.mjs"), modules, browser, self.reports["sarif"]])
            self.say("Microsoft's SARIF web component in Chromium", done.stdout.strip(), done.returncode and done.stdout + done.stderr)

    def before_and_after(self, scratch):
        """SARIF reports on models of the examples, and on what is left when one of them is repaired, in folders of theirs.
        Returns how many findings stay and which rule is gone."""
        os.makedirs(os.path.join(scratch, "models"))
        models = [name for name in sorted(os.listdir(EXAMPLES)) if name.endswith((".pt2", ".onnx"))]
        for name in models:
            shutil.copy(os.path.join(EXAMPLES, name), os.path.join(scratch, name))
        for name in ("cond_rules.py", "dynamo.py"):  # the sources that they say they are made of
            with open(os.path.join(scratch, "models", name), "w", encoding="utf-8") as file:
                file.writelines(f"x = {i}\n" for i in range(400))
        counts = []
        for folder, inputs in (("before", models), ("after", [m for m in models if m != "written_operand.pt2"])):
            os.makedirs(os.path.join(scratch, folder))
            call([self.program, "check", *inputs, "--output", f"sarif={folder}/r.sarif"], cwd=scratch)
            with open(os.path.join(scratch, folder, "r.sarif"), encoding="utf-8") as file:
                counts.append(len(json.load(file)["runs"][0]["results"]))
        return counts[1], "input-mutation"

    def match_forward(self):
        program = os.path.join(self.folder, "package", "Sarif.Multitool")
        if not os.path.exists(program):
            return
        environment = {**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"}
        with tempfile.TemporaryDirectory() as scratch:
            kept, gone = self.before_and_after(scratch)
            out = os.path.join(scratch, "matched.sarif")
            done = call([program, "match-results-forward", "after/r.sarif", "--previous", "before/r.sarif", "--output-file-path", out,
                         "--log", "ForceOverwrite"], env=environment, cwd=scratch)
            states = {}
            if os.path.exists(out):
                with open(out, encoding="utf-8-sig") as file:
                    for run in json.load(file)["runs"]:
                        for result in run["results"]:
                            states.setdefault(result["baselineState"], []).append(result["ruleId"])
        right = {k: len(v) for k, v in states.items()} == {"unchanged": kept, "absent": 1} and states["absent"] == [gone]
        self.say("sarif-multitool match-results-forward", f"{kept} unchanged, the repaired one absent", not right and f"{states} {done.stdout}")

    def codechecker(self):
        program = os.path.join(self.folder, "codechecker", "bin", "CodeChecker")
        if not os.path.exists(program):
            return
        environment = {**os.environ, "PATH": os.path.dirname(program) + ":" + os.environ["PATH"]}
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        url = f"http://127.0.0.1:{port}/Default"
        with tempfile.TemporaryDirectory() as scratch:
            kept, gone = self.before_and_after(scratch)
            parsed = call([program, "parse", "before"], cwd=scratch, env=environment)
            with open(os.path.join(scratch, "log"), "w", encoding="utf-8") as log:
                server = subprocess.Popen([program, "server", "--workspace", os.path.join(scratch, "server"), "--host", "127.0.0.1",
                                           "--port", str(port), "--skip-db-cleanup"], env=environment, stdout=log, stderr=log)
            try:
                for _ in range(60):
                    time.sleep(1)
                    with open(os.path.join(scratch, "log"), encoding="utf-8") as log:
                        if "waiting for client requests" in log.read():
                            break
                stored = [call([program, "store", name, "-n", name, "--url", url], cwd=scratch, env=environment) for name in ("before", "after")]
                found = {}
                for kind in ("new", "resolved", "unresolved"):
                    diff = call([program, "cmd", "diff", "-b", "before", "-n", "after", f"--{kind}", "--url", url, "-o", "json"],
                                cwd=scratch, env=environment)
                    reports = json.loads(diff.stdout or "[]")
                    reports = reports["reports"] if isinstance(reports, dict) else reports
                    found[kind] = [r.get("checker_name") or r.get("checkerId") for r in reports]
            finally:
                server.terminate()
                server.wait(30)
        self.say("CodeChecker parse", "read", "Number of analyzer reports" not in parsed.stdout and parsed.stdout + parsed.stderr)
        right = found["new"] == [] and found["resolved"] == [gone] and len(found["unresolved"]) == kept
        self.say("CodeChecker store and cmd diff", f"none new, {gone} resolved, {kept} unresolved",
                 not right and f"{found} {stored[0].stderr} {stored[1].stderr}")

    def run(self):
        for consumer in (self.multitool, self.match_forward, self.codechecker, self.sarif_schema, self.json_schema, self.sarif_tools, self.junit, self.page, self.viewer):
            consumer()


def main():
    arguments = [a for a in sys.argv[1:] if a != "--fetch"]
    if len(arguments) < 2:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    program, folder = arguments[:2]
    inputs = arguments[2:] or [EXAMPLES]
    if "--fetch" in sys.argv[1:]:
        fetch(folder)
    if not os.path.isdir(folder):
        print(f"skipped: no consumers are there: {os.path.basename(__file__)} --fetch brings them")
        return 77
    with tempfile.TemporaryDirectory() as scratch:
        reports = {name: os.path.join(scratch, "report." + name) for name in ("json", "sarif", "gitlab", "rdjson", "junit", "ndjson", "html")}
        done = call([program, "check", "--quiet", *inputs, *(f"--output={name}={path}" for name, path in reports.items())])
        if not os.path.exists(reports["sarif"]):
            print(done.stderr)
            return 1
        for name in ("gitlab", "rdjson"):
            json.load(open(reports[name], encoding="utf-8"))
        consumers = Consumers(program, folder, reports)
        consumers.run()
    if consumers.ran == 0:
        print("skipped: no consumers are there")
        return 77
    return 1 if consumers.failed else 0


if __name__ == "__main__":
    sys.exit(main())
