#!/usr/bin/env python3
"""Two programs report the same, byte for byte: what a change that must not change behaviour is held against.

    compare_reports.py ONE OTHER [--flag FLAG]... [--timeout SECONDS] [-j N] [FOLDER...]

ONE and OTHER are two builds of condlint. Each checks every model and source in tests/data and in the FOLDERs for its default
target, and once more for all targets that it is labelled for: those of an expected.json beside it, or that of a source's first line
(`// condlint-test: target=NAME [flags...]`). The JSON reports and the exit codes must be equal. Sources are parsed with
the small stand-ins for headers in tests/mocks, or with the --flags (in which {version} is the version of the source's target and
{number} is 100 * major + minor).

Prints the files that differ, and how many were compared. Exit code 0 only if none differs.
"""
import argparse
import concurrent.futures
import difflib
import json
import os
import re
import subprocess
import sys
import tempfile

SOURCE = os.environ.get("CONDLINT_SOURCE") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MODELS = (".pt2", ".onnx", ".json")
SOURCES = (".cpp", ".cc", ".cu", ".cxx")
STAND_INS = ["-std=c++17", f"-I{SOURCE}/tests/mocks", f"-I{SOURCE}/include", f"-isystem{SOURCE}/tests/mocks/tensorrt",
             "-DCONDLINT_MOCK_TENSORRT={number}"]


def inputs(folders):
    for top in folders:
        for folder, below, names in os.walk(top):
            below.sort()
            yield from (os.path.join(folder, n) for n in sorted(names) if n.endswith((*MODELS, *SOURCES)) and n != "expected.json")


def labels(folder, known={}):
    """{file: targets} of the folder's expected.json."""
    if folder not in known:
        try:
            with open(os.path.join(folder, "expected.json"), encoding="utf-8") as file:
                known[folder] = {name: list(entry.get("targets") or {}) for name, entry in json.load(file)["files"].items()}
        except (OSError, ValueError, KeyError, AttributeError):
            known[folder] = {}
    return known[folder]


def questions(args, path):
    """The command lines behind `condlint check` that are asked of one file."""
    if not path.endswith(SOURCES):
        targets = labels(os.path.dirname(path)).get(os.path.basename(path), [])
        flags = []
    else:
        with open(path, encoding="utf-8", errors="replace") as file:
            head = re.match(r"//\s*condlint-test:\s*(.*)", file.readline())
        words = head[1].split() if head else []
        targets = [w[7:] for w in words if w.startswith("target=")]
        major, _, minor = (targets[0] if targets else "").partition("@")[2].partition(".")
        number = 100 * int(major or 10) + int(minor or 13 * (not major))
        given = [f.replace("{version}", f"{number // 100}.{number % 100}").replace("{number}", str(number)) for f in args.flag or STAND_INS]
        flags = ["--", "-xc++", *given, *(w for w in words if not w.startswith("target="))]
    yield [path, *flags]
    if targets:
        yield [*(word for t in targets for word in ("--target", t)), path, *flags]


def answer(args, program, question):
    command = [program, "check", "--no-config", "-j", "1", "--output", "json", *question]
    try:
        done = subprocess.run(command, capture_output=True, timeout=args.timeout, check=False)
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        return "no answer in time", b""


def compare(args, question):
    """What is not the same, in lines."""
    (one, was), (other, now) = (answer(args, program, question) for program in (args.one, args.other))
    if (one, was) == (other, now):
        return []
    lines = difflib.unified_diff(*(t.decode(errors="replace").splitlines() for t in (was, now)), f"exit code {one}", f"exit code {other}", "", "", 0, "")
    return [line[:400] for line in lines][:8] or [f"exit code {one}, now {other}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("one")
    parser.add_argument("other")
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--flag", action="append")
    parser.add_argument("--timeout", type=float, default=120)
    parser.add_argument("-j", type=int, default=os.cpu_count())
    args = parser.parse_intermixed_args()
    args.one, args.other = (os.path.abspath(p) for p in (args.one, args.other))
    asked = [q for path in inputs([os.path.join(SOURCE, "tests", "data"), *map(os.path.abspath, args.folders)]) for q in questions(args, path)]
    different = 0
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache # neither reads what the other, or another program before, has kept of headers
        with concurrent.futures.ThreadPoolExecutor(args.j) as pool:
            for question, lines in zip(asked, pool.map(lambda q: compare(args, q), asked)):
                if lines:
                    different += 1
                    print(" ".join(question), *lines, sep="\n  ")
    print(f"{len(asked)} reports, {different} differ")
    return 1 if different or not asked else 0


if __name__ == "__main__":
    sys.exit(main())
