#!/usr/bin/env python3
"""Annotated C++ sources: what the program finds is what they say, and the clang-tidy plugin finds the same.

    annotated.py --bin CONDLINT [--plugin condlint-tidy.so] [--tidy clang-tidy-22] [--flag FLAG]... [--pch FILE] FOLDER...

In a --flag, {version} is the version of the source's target and {number} is 100 * major + minor. With --own-target no
target is asked for: it must follow from the source.

A source begins with `// condlint-test: target=NAME [flags...]`; each finding stands on its line as `// expect: error
output-dtype` (several separated by `;`, `expect@+1` for another line; in a header, as `HEADER` beside the source), and
`// expect-unknown: RULE` asks that the rule is not decided there. Errors and warnings beyond these are false; notes are
compared where one is expected.

The plugin must say the same words at the same places: errors and warnings as warnings, notes as remarks. Prints a line for
each source that differs, and the counts. Exit code 0 only if there is none.
"""
import argparse
import collections
import concurrent.futures
import glob
import json
import os
import re
import subprocess
import sys

EXPECTED = re.compile(r"//\s*expect(?:@([+-]\d+))?:\s*(.+?)\s*$")
UNKNOWN = re.compile(r"//\s*expect-unknown(?:@([+-]\d+))?:\s*(.+?)\s*$")
TIDY = re.compile(r"^(?P<path>/[^:\n]+):(?P<line>\d+):(?P<column>\d+): (?P<level>warning|remark|error): "
                  r"(?P<message>.*) \[condlint-(?P<rule>[a-z-]+)\]$", re.M)


def absolute(path, folder):
    return os.path.normpath(os.path.join(folder, path))


def annotations(path):
    """(path, line, severity, rule) -> count, and the (line, rule) that are not decided."""
    want, unknown = collections.Counter(), set()
    for file in [path, *glob.glob(os.path.splitext(path)[0] + ".h")]:
        for number, line in enumerate(open(file, encoding="utf-8"), 1):
            if hit := EXPECTED.search(line):
                for part in hit[2].split(";"):
                    severity, rule = part.split()[:2]
                    want[(os.path.realpath(file), number + int(hit[1] or 0), severity, rule)] += 1
            if hit := UNKNOWN.search(line):
                unknown |= {(number + int(hit[1] or 0), rule.strip()) for rule in hit[2].split(",")}
    return want, unknown


def with_tool(args, path, target, flags):
    command = [args.bin, "check", "--output", "json", *(["--target", target] if target else []), path, "--", "-xc++", *flags]
    done = subprocess.run(command, capture_output=True, timeout=args.timeout)
    return json.loads(done.stdout)


def with_plugin(args, path, target, flags):
    """What clang-tidy prints. A source with flags of its own cannot load what was parsed with others."""
    options = json.dumps({"CheckOptions": {"condlint-*.Target": target or ""}})
    pch = ["-Xclang", "-include-pch", "-Xclang", args.pch] if args.pch and flags == args.flag else []
    command = [args.tidy, "-load", args.plugin, "-checks=-*,condlint-*", "-config=" + options, "-header-filter=.*", "--quiet",
               path, "--", "-xc++", "-w", *pch, *flags]
    done = subprocess.run(command, capture_output=True, timeout=args.timeout)
    text = done.stdout.decode(errors="replace")
    if done.returncode != 0 and "error:" not in text:
        raise RuntimeError(f"clang-tidy ended with {done.returncode}: {done.stderr.decode(errors='replace')[-400:]}")
    return text


def differences(args, path, target, flags):
    """The differences of one source, in words: from what it says, and between program and plugin."""
    report = with_tool(args, path, None if args.own_target else target, flags)
    here = os.getcwd()
    if report["inputs"][0]["status"] == "failed":
        return [f"refused: {report['inputs'][0]['reason']}"], []
    want, unknown = annotations(path)
    got, said = collections.Counter(), set()
    for f in report["findings"]:
        place = f["location"]
        file = os.path.realpath(absolute(place["path"], here))
        key = (file, place["line"], f["severity"], f["rule"])
        if f["severity"] != "note" or key in want:
            got[key] += 1
        said.add((file, place["line"], place["column"], f["severity"] == "note", f["rule"], f["message"]))
    problems = [f"missed {os.path.basename(k[0])}:{k[1]}: {k[2]} {k[3]}" for k in want - got]
    problems += [f"extra {os.path.basename(k[0])}:{k[1]}: {k[2]} {k[3]}" for k in got - want]
    if args.own_target:
        problems += [f"checked for {c['target']}, not for {target}" for c in report["conditionals"] if c["target"] != target]
    verdicts = collections.defaultdict(set)
    for c in report["conditionals"] + report.get("loops", []):
        for rule, verdict in c["rules"].items():
            verdicts[((c["location"] or {}).get("line"), rule)].add(verdict)
    problems += [f"line {k[0]}: {k[1]} should be unknown" for k in unknown if "unknown" not in verdicts.get(k, ())]
    if not args.plugin:
        return problems, []
    output = with_plugin(args, path, target, flags)
    if "[clang-diagnostic-error]" in output and report["inputs"][0]["status"] == "ok":
        return problems, ["does not compile under clang-tidy: " + output[:400]]
    tidy = {(os.path.realpath(m["path"]), int(m["line"]), int(m["column"]), m["level"] == "remark", m["rule"], m["message"])
            for m in TIDY.finditer(output)}
    unlike = [f"not from the plugin: {os.path.basename(k[0])}:{k[1]}:{k[2]}: {k[4]}: {k[5]}" for k in sorted(said - tidy)]
    unlike += [f"from the plugin alone: {os.path.basename(k[0])}:{k[1]}:{k[2]}: {k[4]}: {k[5]}" for k in sorted(tidy - said)]
    return problems, unlike


def judge(args, path):
    head = re.match(r"//\s*condlint-test:\s*(.*)", open(path, encoding="utf-8").readline())
    if not head:
        return None
    words = head[1].split()
    target = next((w[7:] for w in words if w.startswith("target=")), None)
    try:
        major, _, minor = (target or "").partition("@")[2].partition(".")
        number = str(100 * int(major or 0) + int(minor or 0))
        given = [f.replace("{version}", f"{major}.{minor}").replace("{number}", number) for f in args.flag]
        return differences(args, path, target, [*given, *(w for w in words if not w.startswith("target="))])
    except (ValueError, RuntimeError, subprocess.TimeoutExpired) as error:
        return [], [str(error)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--bin", required=True)
    parser.add_argument("--plugin")
    parser.add_argument("--tidy", default="clang-tidy-22")
    parser.add_argument("--flag", action="append", default=[])
    parser.add_argument("--pch", help="what clang-tidy loads first")
    parser.add_argument("--own-target", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--timeout", type=float, default=120)
    args = parser.parse_args()
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for folder in args.folders:
            paths = sorted(glob.glob(os.path.join(os.path.abspath(folder), "*.cpp")))
            results = [(p, r) for p, r in zip(paths, pool.map(lambda p: judge(args, p), paths)) if r is not None]
            for path, (problems, unlike) in results:
                wrong += bool(problems or unlike)
                if problems or unlike:
                    print(f"{os.path.relpath(path)}: " + "; ".join(problems + unlike))
            print(f"{folder}: {sum(not any(r) for _, r in results)} of {len(results)} right")
            wrong += not results
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
