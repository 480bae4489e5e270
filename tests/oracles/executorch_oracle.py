#!/usr/bin/env python3
"""Compares what condlint says of torch models for ExecuTorch with what ExecuTorch does.

    executorch_oracle.py [--condlint BIN] [--graphs COUNT] [--seed SEED] [--lower] [--known FILE] [FOLDER]...

COUNT modules are drawn (executorch_graphs.py), and each .pt2 of the folders is taken with the inputs of its runs; each is
lowered by to_edge (with --lower by to_edge_transform_and_lower), run, and compared with eager. A disagreement is

    false alarm   condlint reports an error, and ExecuTorch computes what eager does
    silent miss   condlint reports nothing and has decided output-memory, and ExecuTorch refuses or computes something else

Those that are listed in FILE (`KIND NAME  reason` a line) are counted apart. Exit code 1: others were seen; 77: ExecuTorch is
not installed.
"""
import argparse
import json
import logging
import os
import subprocess
import sys
import tempfile
import warnings

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)

try:
    import numpy as np
    import torch
    from executorch.exir import to_edge, to_edge_transform_and_lower
    from executorch.runtime import Runtime
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

import executorch_graphs
import known_differences

TARGET = "executorch@1.5"


def flat(value):
    return [v for v in torch.utils._pytree.tree_leaves(value)]


def agree(want, have):
    if len(want) != len(have):
        return f"{len(have)} outputs, not {len(want)}"
    for i, (w, v) in enumerate(zip(want, have)):
        w, v = torch.as_tensor(w), torch.as_tensor(v)
        if w.shape != v.shape or w.dtype != v.dtype:
            return f"output {i} is {v.dtype}{list(v.shape)}, not {w.dtype}{list(w.shape)}"
        if not torch.allclose(w.double(), v.double(), rtol=1e-3, atol=1e-4, equal_nan=True):
            return f"output {i} is {v.ravel()[:4].tolist()}, not {w.ravel()[:4].tolist()}"
    return ""


def executed(program, ways, lower):
    """(stage, text): refused-lower, refused-run, wrong, right; accepted without inputs."""
    # Copies: lowering changes what it is given.
    eager = program.module()
    wanted = []
    for way in ways:
        try:
            wanted.append((way, flat(eager(*[w.clone() if isinstance(w, torch.Tensor) else w for w in way]))))
        except Exception:
            continue
    try:
        edge = to_edge_transform_and_lower(program) if lower else to_edge(program)
        buffer = edge.to_executorch().buffer
        method = Runtime.get().load_program(buffer).load_method("forward")
    except BaseException as why:
        return "refused-lower", f"{type(why).__name__}: {why}"
    for way, want in wanted:
        try:
            have = method.execute([w.clone() if isinstance(w, torch.Tensor) else w for w in flat(list(way))])
        except BaseException as why:
            return "refused-run", f"{type(why).__name__}: {why}"
        difference = agree(want, list(have))
        if difference:
            return "wrong", difference
    return ("right", "") if wanted else ("accepted", "no inputs")


def corpus(folder):
    """(name, path, inputs) of every .pt2 that is to be read."""
    with open(os.path.join(folder, "expected.json"), encoding="utf-8") as file:
        entries = json.load(file)["files"]
    for name in sorted(entries):
        path = os.path.join(folder, name)
        entry = entries[name]
        if not name.endswith(".pt2") or entry.get("status") == "failed" or not os.path.exists(path):
            continue
        ways = []
        for run in entry.get("runs", []):
            file = os.path.join(folder, run["inputs"])
            if file.endswith(".npz") and os.path.exists(file):
                with np.load(file, allow_pickle=False) as arrays:
                    if all(k == f"in{i}" for i, k in enumerate(arrays.files)):
                        ways.append([torch.from_numpy(arrays[k]) for k in arrays.files])
        yield os.path.basename(folder) + "/" + name, path, ways


def said(binary, path):
    done = subprocess.run([binary, "check", "--output", "json", "--no-config", "--target", TARGET, path], capture_output=True,
                          text=True)
    report = json.loads(done.stdout)
    loud = sorted({f["rule"] for f in report["findings"] if f["severity"] == "error"})
    soft = sorted({f["rule"] for f in report["findings"] if f["severity"] == "warning"})
    open_rules = sorted({r for c in report["conditionals"] for r, v in c["rules"].items() if v == "unknown"})
    return report["inputs"][0]["status"], loud, soft, open_rules


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--condlint")
    parser.add_argument("--graphs", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lower", action="store_true")
    parser.add_argument("--known")
    parser.add_argument("--only", help="names that hold this text alone")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    known = known_differences.read(arguments.known) if arguments.known else {}

    counts, bad, excused = {}, [], 0

    def judge(name, path, program, ways, text=""):
        nonlocal excused
        stage, why = executed(program, ways, arguments.lower)
        kind = ""
        verdict = ("", [], [], [])
        if arguments.condlint:
            verdict = said(arguments.condlint, path)
            status, loud, soft, open_rules = verdict
            broken = stage not in ("right", "accepted")
            kind = ("false-alarm" if loud and stage == "right" else
                    "silent-miss" if broken and status == "ok" and not loud and not soft
                    and "output-memory" not in open_rules else "")
            mark = "error" if loud else "unknown" if "output-memory" in open_rules else "nothing"
            stage = f"{stage} ({mark})"
        counts[stage] = counts.get(stage, 0) + 1
        if arguments.verbose:
            print(f"{name}: {stage} {why[:160]!r} {verdict[1:]}", flush=True)
        if kind and (kind, name) in known:
            excused += 1
        elif kind:
            bad.append(f"{kind}: {name}: {stage} {why[:160]!r}; condlint: {verdict[1]}\n{text}")

    with tempfile.TemporaryDirectory() as scratch:
        for seed in range(arguments.seed, arguments.seed + arguments.graphs):
            text, module, ways = executorch_graphs.draw(seed)
            program = torch.export.export(module, ways[0])
            path = os.path.join(scratch, f"{seed}.pt2")
            torch.export.save(program, path)
            judge(f"graph/{seed}", path, program, ways, text)
            os.remove(path)
        for folder in arguments.folders:
            for name, path, ways in corpus(os.path.abspath(folder)):
                if arguments.only and arguments.only not in name:
                    continue
                try:
                    program = torch.export.load(path)
                except BaseException:
                    counts["torch does not load it"] = counts.get("torch does not load it", 0) + 1
                    continue
                judge(name, path, program, ways)
    for line in bad:
        print(line)
    print(f"ExecuTorch: {sum(counts.values())} models: " + ", ".join(f"{n} {s}" for s, n in sorted(counts.items()))
          + f"; {len(bad)} disagreements, {excused} known ones")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
