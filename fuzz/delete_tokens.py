#!/usr/bin/env python3
"""Deletes random tokens of C++ sources and checks what is left: nothing may break down, and nothing may hang.

    delete_tokens.py --bin CONDLINT [--variants N] [--seed N] [--limit SECONDS] [--target NAME]... [--flag FLAG]... SOURCE...

SOURCE is a file or a folder. Each variant lacks one to eight tokens of one of the sources; the same seed makes the same
variants. What goes wrong is left beside the messages, in a temporary folder. Exit code 0 only if nothing did.
"""
import argparse
import glob
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile

TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|::|->|<<|>>|[^\s\w]")
TOGETHER = 10  # sources one run reads, in the time that one may take
PATIENCE = 20  # times the limit: what waits for nothing is stopped then, however busy the machine is


def variant(text, random_numbers):
    """The text without some tokens; comments and directives stay."""
    code = [m for m in TOKEN.finditer(text)
            if not text[text.rfind("\n", 0, m.start()) + 1:m.start() + 1].lstrip().startswith(("#", "//"))]
    for m in sorted(random_numbers.sample(code, min(len(code), random_numbers.randint(1, 8))), key=lambda m: -m.start()):
        text = text[:m.start()] + text[m.end():]
    return text


def check(args, paths, limit):
    """What is wrong with a run over some sources; nothing when all is well."""
    targets = [word for t in args.target for word in ("--target", t)]
    command = [args.bin, "check", "--no-config", "--output", "json", "-j", "1", *targets, *paths, "--", "-xc++", *args.flag]
    seconds = max(1, round(limit))
    try:
        done = subprocess.run(command, capture_output=True, timeout=limit * PATIENCE,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1)))
    except subprocess.TimeoutExpired:
        return f"no answer in {limit * PATIENCE:g} s"
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return f"no answer in {seconds} s of a processor"
    if done.returncode not in (0, 1, 3):
        return f"exit code {done.returncode}: {done.stderr.decode(errors='replace')[-300:]}"
    try:
        inputs = json.loads(done.stdout)["inputs"]
    except (ValueError, KeyError) as error:
        return f"no report: {error}"
    broken = [i["path"] for i in inputs if "broke down" in (i["reason"] or "")]
    return f"broke down on {', '.join(broken)}" if broken or len(inputs) != len(paths) else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="+", metavar="SOURCE")
    parser.add_argument("--bin", required=True)
    parser.add_argument("--variants", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=10, help="seconds of a processor for one source")
    parser.add_argument("--target", action="append", default=[])
    parser.add_argument("--flag", action="append", default=[])
    args = parser.parse_args()
    sources = sorted(f for s in args.sources for f in (glob.glob(os.path.join(s, "*.cpp")) if os.path.isdir(s) else [s]))
    if not sources:
        parser.error("there are no sources")
    random_numbers = random.Random(args.seed)
    folder = tempfile.mkdtemp(prefix="condlint-tokens-")
    wrong, made = 0, []
    for number in range(args.variants):
        source = random_numbers.choice(sources)
        path = os.path.join(folder, f"{number:05}-{os.path.basename(source)}")
        with open(source, encoding="utf-8") as original, open(path, "w", encoding="utf-8") as out:
            out.write(variant(original.read(), random_numbers))
        made.append(path)
        if len(made) < TOGETHER and number + 1 < args.variants:
            continue
        # One by one only where something went wrong.
        suspects = list(made) if check(args, made, args.limit) else []
        for suspect in suspects:
            if problem := check(args, [suspect], args.limit):
                print(f"{suspect}: {problem}", flush=True)
                wrong += 1
                made.remove(suspect)
        for fine in made:
            os.remove(fine)
        made = []
    print(f"{args.variants} variants of {len(sources)} sources, seed {args.seed}: {wrong} went wrong")
    if not wrong:
        os.rmdir(folder)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
