"""What the fuzzers share that write C++: programs are drawn, compiled, run and checked in batches."""
import argparse
import collections
import os
import sys
import tempfile
import time


def arguments(description, count, batch):
    """A parser for what all of them are told; count programs are drawn, where nobody says how many, batch at a time."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--batch", type=int, default=batch, help="so many programs are compiled and run together")
    parser.add_argument("--keep", help="leave the sources in this folder")
    return parser


def folder_of(args, name):
    """Where the sources go; absolute."""
    folder = os.path.abspath(args.keep or tempfile.mkdtemp(prefix=name))
    os.makedirs(folder, exist_ok=True)
    return folder


def run_all(args, batch, folder):
    """Calls batch(args, first, count, folder, tally), which returns how many contradictions it has found and adds to tally
    what it has seen, until all are done; returns both."""
    tally = collections.Counter()
    bad = 0
    began = time.monotonic()
    for first in range(args.first, args.first + args.count, args.batch):
        bad += batch(args, first, min(args.batch, args.first + args.count - first), folder, tally)
        done = min(first + args.batch - args.first, args.count)
        print(f"{done} of {args.count}: {bad} contradictions, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    return bad, tally
