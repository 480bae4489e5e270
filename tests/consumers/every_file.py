#!/usr/bin/env python3
"""Checks each file of some folders with every format, and each report against what its readers ask of it.

Usage: every_file.py PROGRAM FOLDER CORPUS...

FOLDER is that of consumers.py: the Python in it has jsonschema and junitparser, and the SARIF multitool's package the
schema of SARIF. Prints what is wrong, and a line with the sums; exits with 77 where FOLDER lacks them, with 1 where a
report is not what it should be. It takes minutes for a large corpus, so that it is no test that runs each time.
"""
import html.parser
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
FORMATS = ("text", "json", "sarif", "gitlab", "rdjson", "github", "junit", "ndjson", "html")
SUFFIXES = (".onnx", ".pt2", ".json", ".cpp", ".cc", ".cu", ".h")
# What GitLab's page on Code Quality asks for; Debian and PyPI have no schema of it.
GITLAB = {"type": "array", "items": {
    "type": "object", "required": ["description", "check_name", "fingerprint", "severity", "location"],
    "properties": {"description": {"type": "string", "minLength": 1}, "check_name": {"type": "string", "minLength": 1},
                   "fingerprint": {"type": "string", "minLength": 1},
                   "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
                   "location": {"type": "object", "required": ["path", "lines"], "properties": {
                       "path": {"type": "string", "pattern": "^(?!\\./|/)"},
                       "lines": {"type": "object", "required": ["begin"], "properties": {"begin": {"type": "integer", "minimum": 1}}}}}}}}
# reviewdog's DiagnosticResult (proto/rdf/reviewdog.proto), as JSON.
POSITION = {"type": "object", "required": ["line"], "properties": {"line": {"type": "integer", "minimum": 1},
                                                                   "column": {"type": "integer", "minimum": 1}}}
RANGE = {"type": "object", "required": ["start"], "properties": {"start": POSITION, "end": POSITION}}
PLACE = {"type": "object", "required": ["path"], "properties": {"path": {"type": "string"}, "range": RANGE}}
RDJSON = {"type": "object", "required": ["source", "diagnostics"], "properties": {
    "source": {"type": "object", "required": ["name"]},
    "diagnostics": {"type": "array", "items": {
        "type": "object", "required": ["message", "location"],
        "properties": {"message": {"type": "string"}, "location": PLACE, "severity": {"enum": ["ERROR", "WARNING", "INFO"]},
                       "code": {"type": "object", "required": ["value"]},
                       "suggestions": {"type": "array", "items": {"type": "object", "required": ["range", "text"],
                                                                  "properties": {"range": RANGE}}}}}}}}
VOID = {"meta", "br", "hr", "img", "input", "link"}


class Balanced(html.parser.HTMLParser):
    """Whether each element ends where it should, and each link within the page leads somewhere."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.problems = [], set(), set(), []

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if "id" in attrs:
            if attrs["id"] in self.ids:
                self.problems.append(f"the id {attrs['id']} stands twice")
            self.ids.add(attrs["id"])
        if attrs.get("href", "").startswith("#"):
            self.links.add(attrs["href"][1:])
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.problems.append(f"</{tag}> ends {self.open[-1:]}")
        else:
            self.open.pop()

    def wrong(self):
        return self.problems + [f"<{t}> has no end" for t in self.open] + [f"#{l} is nowhere" for l in self.links - self.ids]


class Validator:
    def __init__(self, folder):
        import jsonschema
        import junitparser

        self.junitparser = junitparser

        def schema(value):
            return jsonschema.validators.validator_for(value)(value)

        with open(os.path.join(HERE, "..", "..", "docs", "report.schema.json"), encoding="utf-8") as file:
            self.report = schema(json.load(file))
        with open(os.path.join(folder, "package", "sarif-2.1.0.json"), encoding="utf-8-sig") as file:
            self.by_schema = {"json": self.report, "sarif": schema(json.load(file)), "gitlab": schema(GITLAB), "rdjson": schema(RDJSON)}

    def wrong(self, name, text):
        """What is wrong with the report `text`."""
        if name in self.by_schema:
            value = json.loads(text)
            found = [f"{'/'.join(map(str, e.absolute_path))}: {e.message[:200]}" for e in self.by_schema[name].iter_errors(value)]
            if name == "gitlab" and not found and len({f["fingerprint"] for f in value}) != len(value):
                found.append("a fingerprint stands twice")
            return found
        if name == "ndjson":
            return self.ndjson(text)
        if name == "junit":
            suites = self.junitparser.JUnitXml.fromstring(text.encode())
            return [] if suites.tests == sum(s.tests for s in suites) == sum(len(list(s)) for s in suites) else ["the sums differ"]
        if name == "github":
            line = re.compile(r"::(error|warning|notice)( file=[^:]*)?::.+|::(error|warning|notice) [a-zA-Z]+=.*::.+")
            return [one[:120] for one in text.splitlines() if not line.fullmatch(one)]
        if name == "html":
            page = Balanced()
            page.feed(text)
            return page.wrong()
        return ["a control character"] if re.search(r"[\x00-\x08\x0b-\x1f\x7f]", text) else []

    def ndjson(self, text):
        """The records make a report of one object."""
        records = [json.loads(line) for line in text.splitlines()]
        kinds = [r.pop("type") for r in records]
        if kinds[0] != "header" or kinds[-1] != "summary":
            return ["a header or a summary is missing"]
        whole = {**records[0], "summary": records[-1]}
        for list_name, kind in (("inputs", "input"), ("conditionals", "conditional"), ("loops", "loop"), ("findings", "finding"),
                                ("suppressed", "suppressed")):
            found = [r for r, k in zip(records, kinds) if k == kind]
            if found or kind not in ("loop", "suppressed"):
                whole[list_name] = found
        return [e.message[:200] for e in self.report.iter_errors(whole)]


def files_of(folders):
    for folder in folders:
        for place, _, names in sorted(os.walk(folder)):
            for name in sorted(names):
                if name.endswith(SUFFIXES) and name != "expected.json":
                    yield os.path.join(place, name)


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    program, folder = map(os.path.abspath, sys.argv[1:3])
    python = os.path.join(folder, "venv", "bin", "python")
    if not os.path.exists(python) or not os.path.exists(os.path.join(folder, "package", "sarif-2.1.0.json")):
        print("skipped: consumers.py --fetch brings what this needs")
        return 77
    if os.path.realpath(sys.prefix) != os.path.realpath(os.path.join(folder, "venv")):
        return subprocess.run([python, os.path.abspath(__file__), program, folder, *map(os.path.abspath, sys.argv[3:])], check=False).returncode
    validator = Validator(folder)
    files = reports = failed = 0
    codes = {}
    with tempfile.TemporaryDirectory() as scratch:
        for path in files_of(sys.argv[3:]):
            files += 1
            outputs = {name: os.path.join(scratch, name) for name in FORMATS}
            done = subprocess.run([program, "check", os.path.basename(path), "--quiet", "--no-config",
                                   *(f"--output={name}={to}" for name, to in outputs.items())],
                                  cwd=os.path.dirname(path), capture_output=True, text=True, check=False, timeout=300)
            codes[done.returncode] = codes.get(done.returncode, 0) + 1
            if done.returncode not in (0, 1, 3):
                print(f"{path}: exit code {done.returncode}: {done.stderr[:300]}")
                failed += 1
                continue
            for name, to in outputs.items():
                reports += 1
                try:
                    with open(to, encoding="utf-8", newline="") as file:
                        problems = validator.wrong(name, file.read())
                except Exception as e:  # pylint: disable=broad-except # not even of its kind
                    problems = [f"{type(e).__name__}: {e}"]
                failed += bool(problems)
                for problem in problems[:3]:
                    print(f"{path}: {name}: {problem}")
    print(f"{files} files, {reports} reports in {len(FORMATS)} formats, {failed} that are not as they should be; exit codes {codes}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
