#!/usr/bin/env python3
"""The findings in the editor are those of `condlint check`: findings.py CONDLINT [--flag FLAG]... FOLDER...

Opens every annotated C++ source below the folders in the language server, as a text that is not saved, and compares what
is published with what `check` finds for the same text. Prints a line for each source that differs, and the count.
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import client as lsp  # noqa: E402

LEVELS = {"error": 1, "warning": 2, "note": 3}


def sources(folders):
    for folder in folders:
        for path in sorted(pathlib.Path(folder).resolve().rglob("*")):
            if path.suffix in (".cpp", ".cc", ".cu") and path.is_file():
                first = path.read_text(errors="replace").split("\n", 1)[0]
                if first.startswith("// condlint-test:"):
                    words = first.split(":", 1)[1].split()
                    target = words[0].removeprefix("target=") if words and words[0].startswith("target=") else None
                    yield path, target, words[1:] if target else words


def checked(program, path, target, flags):
    words = ["check", "--output", "json", "--no-config", *(["--target", target] if target else [])]
    done = subprocess.run([program, *words, str(path), "--", "-xc++", *flags], capture_output=True, check=False)
    out = collections.Counter()
    for f in json.loads(done.stdout)["findings"]:
        at = f["location"] or {}
        where = os.path.normpath(os.path.join(os.getcwd(), at["path"])) if at else str(path)
        out[(where, at.get("line", 1), at.get("column", 1), LEVELS[f["severity"]], f["rule"])] += 1
    return set(out)


def server(program, target, flags):
    return [program, "lsp", "--no-config", *(["--target", target] if target else []), "--", "-xc++", *flags]


def flags_for(flags, target):
    """Those of the command line, with the version of the target put in."""
    version = (target or "").split("@")[-1] if "@" in (target or "") else "0.0"
    major, minor = (version.split(".") + ["0"])[:2]
    number = str(100 * int(major) + int(minor))
    return [f.replace("{version}", version).replace("{number}", number) for f in flags]


def published(client):
    client.request("workspace/symbol", {"query": ""})  # what was published of headers has come before its answer
    out = set()
    for where, params in client.published.items():
        for d in params["diagnostics"]:
            if "code" in d:
                start = d["range"]["start"]
                out.add((lsp_path(where), start["line"] + 1, start["character"] + 1, d["severity"], d["code"]))
    return out


def shown(program, path, target, flags):
    # A line that changes nothing: the text is another than that on the disk.
    client = lsp.Client(server(program, target, flags), folder=path.parent)
    try:
        uri = client.open(path, path.read_text() + "\n")
        client.diagnostics(uri, 300)
        return published(client)
    finally:
        client.stop()


def lsp_path(uri):
    from urllib.parse import unquote, urlparse

    return unquote(urlparse(uri).path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("--flag", action="append", default=[])
    parser.add_argument("folders", nargs="+")
    args = parser.parse_args()
    count = different = findings = 0
    for path, target, flags in sources(args.folders):
        all_flags = flags_for(args.flag, target) + flags
        wanted, got = checked(args.program, path, target, all_flags), shown(args.program, path, target, all_flags)
        count += 1
        findings += len(wanted)
        if wanted != got:
            different += 1
            print(f"{path}: missing {sorted(wanted - got)}, not found by check {sorted(got - wanted)}")
    print(f"{count} sources, {findings} findings, {different} different")
    return 1 if different or not count else 0


if __name__ == "__main__":
    sys.exit(main())
