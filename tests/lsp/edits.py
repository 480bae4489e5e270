#!/usr/bin/env python3
"""Random edits: edits.py CONDLINT [--edits N] [--seed S]

Types into a source as nobody would: characters, lines and words are put in and taken out, also half of something, and now
and then undone. The server must not end, must in the end say of the text what `condlint check` says, and must not grow.
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import client as lsp  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
PIECES = ["{", "}", "(", ")", ";", "[", "<", '"', "'", "/*", "*/", "#if 0\n", "\n", "\\", "return ", "x", "a.clone()",
          "condlint::cond(", "[](const Tensor &a) { return a; }", "template <", "ä𝄞", "//", "auto ", "&&", "0x", "::"]


def resident(pid):
    """Megabytes of the process and those that it started."""
    below, size = {}, {}
    for folder in pathlib.Path("/proc").iterdir():
        try:
            fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
            below.setdefault(int(fields[1]), []).append(int(folder.name))
            size[int(folder.name)] = int((folder / "statm").read_text().split()[1]) * 4096
        except (OSError, IndexError, ValueError):
            continue
    total, todo = 0, [pid]
    while todo:
        each = todo.pop()
        total += size.get(each, 0)
        todo += below.get(each, [])
    return total >> 20


def key(rule, severity, line):
    return (rule, severity, line)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("--edits", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    folder = pathlib.Path(tempfile.mkdtemp()).resolve()
    flags = ["-std=c++17", f"-I{ROOT}/include", "-isystem", f"{ROOT}/tests/mocks"]
    (folder / "compile_flags.txt").write_text("\n".join(flags) + "\n")
    original = (ROOT / "tests/data/cxx/outputs.cpp").read_text()
    path = folder / "a.cpp"
    path.write_text(original)
    client = lsp.Client([args.program, "lsp"], folder=folder, options={"debounce": 20},
                        capabilities={"general": {"positionEncodings": ["utf-32"]}})
    uri = client.open(path, original)
    client.diagnostics(uri)
    text, checked, sizes = original, 0, []
    stale = 0
    for number in range(args.edits):
        lines = text.split("\n")
        if rng.random() < 0.02:
            text = original
            client.change(uri, text)
        else:
            line = rng.randrange(len(lines))
            column = rng.randrange(len(lines[line]) + 1)
            end = min(len(lines[line]), column + rng.choice([0, 0, 0, 1, 1, 3, 20]))
            piece = rng.choice(PIECES) if rng.random() < 0.7 else ""
            client.edit(uri, (line, column), (line, end), piece)
            begin = sum(len(l) + 1 for l in lines[:line])
            text = text[: begin + column] + piece + text[begin + end :]
        if rng.random() < 0.1:
            client.start("textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 8, "character": 20}})
        if number % 50 == 49:
            client.diagnostics(uri, 120)
            sizes.append(resident(client.process.pid))
        if number % 100 == 99:
            got = {key(d["code"], d["severity"], d["range"]["start"]["line"] + 1)
                   for d in client.diagnostics(uri, 120) if "code" in d}
            (folder / "b.cpp").write_text(text)
            done = subprocess.run([args.program, "check", "--output", "json", "b.cpp"], cwd=folder, capture_output=True)
            wanted = {key(f["rule"], {"error": 1, "warning": 2, "note": 3}[f["severity"]], f["location"]["line"])
                      for f in json.loads(done.stdout)["findings"]}
            checked += 1
            if got != wanted:
                stale += 1
                print(f"after {number + 1} edits: {sorted(wanted - got)} missing, {sorted(got - wanted)} not found by check")
    code = client.stop()
    shutil.rmtree(folder)
    broken = sum("broke down" in d["message"] for _, p, _ in client.history for d in p["diagnostics"])
    first, last = sizes[len(sizes) // 4], sizes[-1]
    print(f"{args.edits} edits, seed {args.seed}: exit code {code}, compared {checked} times, {stale} different, "
          f"{broken} breakdowns, memory {first} MB after a quarter, {last} MB at the end")
    return 1 if code or stale or broken or last > first * 1.2 + 10 else 0


if __name__ == "__main__":
    sys.exit(main())
