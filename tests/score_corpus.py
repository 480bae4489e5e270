#!/usr/bin/env python3
"""Compares `condlint check --output json` with what a corpus says of its models.

    score_corpus.py --bin CONDLINT [--jobs N] [--verbose] [--known FILE] CORPUS...

A corpus is a folder with models and an expected.json:

    {"format": 1, "files": {"a.pt2": {"status": "ok", "conditionals": 2, "may": ["operand-unused"],
        "targets": {"torch@2.13": [{"rule": "output-dtype", "severity": "error", "conditional": "main/cond"}]}}}}

For each target the errors and warnings must be exactly the listed ones, except rules under "may"; a listed note must be
there, others do not count. `status: failed` must be refused with a reason and exit code 3. --known names a file of lines
"CORPUS/FILE: why we think that the label is wrong": these are shown and do not count.

Prints a line for each file that differs and one for each corpus. Exit code 0 only if all agree.
"""
import argparse
import concurrent.futures
import json
import os
import subprocess
import sys

COUNTED = ("error", "warning")


def analyse(args, path, targets):
    """The report on one file and the exit code; a string instead of the report when there is none."""
    command = [args.bin, "check", "--no-config", "-j", "1", "--output", "json"]
    for target in targets:
        command += ["--target", target]
    try:
        done = subprocess.run(command + [path], capture_output=True, timeout=args.timeout)
        return json.loads(done.stdout), done.returncode
    except subprocess.TimeoutExpired:
        return f"no answer in {args.timeout} s", None
    except ValueError:
        return f"no report; exit code {done.returncode}: {done.stderr.decode(errors='replace').strip()[-300:]}", None


def is_expected(label, finding):
    want, got = label.get("conditional"), finding["conditional"] or ""
    return (finding["rule"], finding["severity"]) == (label["rule"], label["severity"]) and (
        want is None or got == want or got.endswith("/" + want))


def compare(labels, findings, may):
    """What is missed and what is too much, in words. Each label takes one finding."""
    left, problems = list(findings), []
    for label in labels:
        hit = next((f for f in left if is_expected(label, f)), None)
        if hit:
            left.remove(hit)
        else:
            problems.append(f"missed {label['severity']} {label['rule']} at {label.get('conditional', '*')}")
    for f in left:
        if f["severity"] in COUNTED and f["rule"] not in may:
            problems.append(f"extra {f['severity']} {f['rule']} at {f['conditional'] or f['graphPath']}: {f['message']}")
    return problems


def score(args, path, entry):
    """The differences of one file."""
    targets = entry.get("targets") or {}
    report, code = analyse(args, path, targets)
    if code is None:
        return [report]
    state = report["inputs"][0]
    if entry.get("status") == "failed":
        refused = code == 3 and state["status"] == "failed" and state["reason"]
        return [] if refused else [f"should be refused with a reason and exit code 3: {state['status']}, {code}"]
    if state["status"] != "ok":
        return [f"{state['status']}: {state['reason']}"]
    problems = []
    if state["conditionals"] != entry.get("conditionals", state["conditionals"]):
        problems.append(f"{state['conditionals']} conditionals instead of {entry['conditionals']}")
    if targets and sorted(state["targets"]) != sorted(targets):
        problems.append(f"checked for {state['targets']}")
    for target, labels in targets.items():
        found = [f for f in report["findings"] if f["target"] == target]
        problems += [f"[{target}] {p}" for p in compare(labels, found, set(entry.get("may", [])))]
    return problems


def read_known(path):
    """CORPUS/FILE -> reason."""
    if not path or not os.path.exists(path):
        return {}
    lines = [line.strip() for line in open(path, encoding="utf-8")]
    return dict(line.split(": ", 1) for line in lines if line and not line.startswith("#"))


def score_corpus(args, folder, known, pool):
    files = json.load(open(os.path.join(folder, "expected.json"), encoding="utf-8"))["files"]
    corpus = os.path.basename(os.path.normpath(folder))
    jobs = {n: pool.submit(score, args, os.path.join(folder, n), e) for n, e in files.items()}
    right = disputed = 0
    for name, job in jobs.items():
        problems, reason = job.result(), known.get(f"{corpus}/{name}")
        right += not problems
        if problems and reason:
            disputed += 1
            problems = [f"disputed ({reason})", *problems]
        if problems or args.verbose:
            print(f"{corpus}/{name}: {'; '.join(problems) or 'right'}")
    print(f"{corpus}: {right} of {len(files)} right" + (f", {disputed} disputed" if disputed else ""))
    return right + disputed == len(files)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", metavar="CORPUS")
    parser.add_argument("--bin", required=True)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--known")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    known = read_known(args.known)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        results = [score_corpus(args, folder, known, pool) for folder in args.folders]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
