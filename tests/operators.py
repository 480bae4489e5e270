#!/usr/bin/env python3
"""Brings docs/operators.md up to date: what the executor can execute.

    operators.py [BUILD]

Runs the node tests of ONNX with the test program of BUILD (build/release where none is named), which must be built, and writes
the table. The test OnnxNodes.WhatPassesIsWhatTheTableSays compares the table with what happens.
"""
import collections
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def measured(build):
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "operators")
        subprocess.run([os.path.join(build, "tests", "executor_tests"), "--gtest_filter=OnnxNodes.WrittenForTheTable"],
                       env={**os.environ, "CONDLINT_OPERATORS": file}, stdout=subprocess.DEVNULL, check=True)
        with open(file, encoding="utf-8", errors="replace") as lines:
            rows = [line.rstrip("\n").split("\t") for line in lines]
    return [r[1:] for r in rows if r[0] == "onnx"], [r[1:] for r in rows if r[0] == "aten"]


def page(tests, core):
    by_operator = collections.defaultdict(list)
    for name, operator, problem in tests:
        by_operator[operator].append((name, problem))
    passing = sum(not problem for _, _, problem in tests)
    complete = sorted(o for o, rows in by_operator.items() if not any(p for _, p in rows))
    lines = ["# What `condlint run` executes", "",
             "`tests/operators.py` writes this page; a test compares it with what happens. An operator that is missing stops a run with",
             "its name and place; `--branch both` still validates every conditional that can be reached without it.", "",
             "## ONNX", "",
             f"Of the {len(tests)} node tests that ONNX 1.22 publishes for runtimes, {passing} pass on the CPU within the tolerances of "
             "ONNX's own", "runner (1e-3 relative, 1e-7 absolute). What an operator's definition expands to counts for that operator.", "",
             "### Operators with tests that do not pass", "", "| operator | pass | do not pass |", "|---|--:|---|"]
    for operator in sorted(by_operator):
        wrong = [(n, p) for n, p in by_operator[operator] if p]
        if not wrong:
            continue
        whys = collections.defaultdict(list)
        for name, problem in wrong:
            whys[problem.replace("|", "\\|")].append(f"`{name}`")
        cell = "; ".join(f"{', '.join(names)}: {why}" for why, names in sorted(whys.items(), key=lambda x: x[1]))
        lines.append(f"| {operator} | {len(by_operator[operator]) - len(wrong)} of {len(by_operator[operator])} | {cell} |")
    lines += ["", "### Operators of which every test passes", ""]
    row = ""
    for operator in complete:
        piece = f"{operator} ({len(by_operator[operator])})"
        if row and len(row) + len(piece) > 124:
            lines.append(row + ",")
            row = ""
        row += (", " if row else "") + piece
    lines.append(row + ".")
    executed = [name for name, state in core if state == "executed"]
    missing = [name for name, state in core if state != "executed"]
    lines += ["", "## Core ATen IR", "",
              f"Of the {len(core)} operators that torch 2.13 counts to its core, {len(executed)} are executed, by name:", ""]
    row = ""
    for name in executed:
        piece = f"`{name}`"
        if row and len(row) + len(piece) > 124:
            lines.append(row + ",")
            row = ""
        row += (", " if row else "") + piece
    lines.append(row + ".")
    if missing:
        lines += ["", "Not executed: " + ", ".join(f"`{name}`" for name in missing) + "."]
    return "\n".join(lines) + "\n"


def main():
    build = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build", "release")
    tests, core = measured(build)
    if not tests:
        print("operators: the node tests are not there; run tests/fetch_onnx_backend.py", file=sys.stderr)
        return 1
    with open(os.path.join(ROOT, "docs", "operators.md"), "w", encoding="utf-8") as file:
        file.write(page(tests, core))
    return 0


if __name__ == "__main__":
    sys.exit(main())
