#!/usr/bin/env python3
"""Compares what condlint says of torch models for ExecuTorch with what ExecuTorch does.

    executorch_oracle.py [--condlint BIN] [--executorch PYTHON] [--graphs COUNT] [--seed SEED] [--cases] [--way WAY]...
                         [--cache FOLDER] [--known FILE] [FOLDER]...

COUNT modules are drawn (executorch_graphs.py), and each .pt2 of the folders is taken with the inputs of its runs; each is
lowered in every WAY (executorch_worker.py: `edge`, which is to_edge, and `lower`, to_edge_transform_and_lower, where none is
named), run by the ExecuTorch of the Python named (this one where none is), and compared with eager. What was seen is kept in the
cache, by what the model is, and by the versions. A disagreement is

    false alarm   condlint reports an error, and ExecuTorch computes what eager does
    silent miss   condlint reports nothing of a model with conditionals, and ExecuTorch refuses it or computes something else;
                  of what is computed wrongly, not where condlint says that it does not know where the results lie

Those that are listed in FILE (`KIND NAME  reason` a line) are counted apart. Exit code 1: others were seen; 77: ExecuTorch is
not installed.
"""
import argparse
import hashlib
import json
import os
import shutil
import sys
import tempfile

import known_differences
import verdicts
from worker import Worker

HERE = os.path.dirname(os.path.abspath(__file__))
# What ran the cached answers, and what made the models of the two kinds that are made here.
WORKER, GRAPHS, CASES = "executorch_worker.py", "executorch_graphs.py", "executorch_cases.py"


def digest(*parts):
    sum_ = hashlib.sha256()
    for part in parts:
        sum_.update(part if isinstance(part, bytes) else str(part).encode())
        sum_.update(b"\0")
    return sum_.hexdigest()[:32]


def content(path):
    with open(path, "rb") as file:
        return file.read()


class Answers:
    """What ExecuTorch did with each model, in each way; of what is kept, nothing is run again."""

    def __init__(self, worker, folder):
        self.worker, self.folder, self.kept, self.hits = worker, folder, {}, 0
        self.path = os.path.join(folder, "answers.jsonl")
        if os.path.exists(self.path):
            with open(self.path, encoding="utf-8") as file:
                for line in file:
                    row = json.loads(line)
                    self.kept[row["key"]] = row
        self.versions = json.dumps(worker.greeting)
        self.script = content(os.path.join(HERE, WORKER))

    def ask(self, parts, task, ways):
        """{"load": TEXT, "answers": {WAY: [STAGE, TEXT]}}"""
        keys = {way: digest(self.versions, self.script, way, *parts) for way in ways}
        missing = [w for w in ways if keys[w] not in self.kept]
        self.hits += not missing
        if missing:
            answer = self.worker.ask({**task, "ways": missing})
            rows = []
            for way in missing:
                if answer is None and len(missing) > 1:
                    rows.append((way, self.worker.ask({**task, "ways": [way]})))
                else:
                    rows.append((way, answer))
            with open(self.path, "a", encoding="utf-8") as file:
                for way, one in rows:
                    stage, text = one["answers"].get(way, ["refused-load", one["load"]]) if one else ["crashed", ""]
                    self.kept[keys[way]] = {"key": keys[way], "way": way, "stage": stage, "text": text}
                    file.write(json.dumps(self.kept[keys[way]]) + "\n")
        return {way: (self.kept[keys[way]]["stage"], self.kept[keys[way]]["text"]) for way in ways}


def corpus(folder):
    """(name, path, files of inputs) of every .pt2 that is to be read."""
    with open(os.path.join(folder, "expected.json"), encoding="utf-8") as file:
        entries = json.load(file)["files"]
    for name in sorted(entries):
        path = os.path.join(folder, name)
        entry = entries[name]
        if not name.endswith(".pt2") or entry.get("status") == "failed" or not os.path.exists(path):
            continue
        inputs = [os.path.join(folder, run["inputs"]) for run in entry.get("runs", []) if isinstance(run.get("inputs"), str)]
        yield os.path.basename(folder) + "/" + name, path, [i for i in inputs if i.endswith(".npz") and os.path.exists(i)]


def disagreement(said, stage):
    """The kind of it; empty where there is none."""
    if said["error"] and stage == "right":
        return "false-alarm"
    # What torch itself does not load is not ExecuTorch's matter.
    if stage in ("right", "accepted", "refused-load") or said["status"] != "ok" or said["error"] or said["warning"] or not said["conditionals"]:
        return ""
    open_ = stage == "wrong" and "output-memory" in said["unknown"] or "unsupported-in-branch" in said["unknown"]
    return "" if open_ else "silent-miss"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--condlint")
    parser.add_argument("--executorch", default=sys.executable, metavar="PYTHON")
    parser.add_argument("--graphs", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", action="store_true", help="the modules of executorch_cases.py as well")
    parser.add_argument("--way", action="append", default=[])
    parser.add_argument("--cache", help="a folder, which is made")
    parser.add_argument("--known")
    parser.add_argument("--only", help="names that hold this text alone")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--save", help="what was seen, as JSON")
    arguments = parser.parse_args()
    ways = arguments.way or ["edge", "lower"]
    known = known_differences.read(arguments.known) if arguments.known else {}
    worker = Worker([arguments.executorch, os.path.join(HERE, "executorch_worker.py")], hello=True)
    worker.start()
    if "version" not in worker.greeting:
        print(f"skipped: {arguments.executorch} has no executorch")
        return 77
    target = "executorch@" + ".".join(worker.greeting["version"].split(".")[:2])

    scratch = arguments.cache or tempfile.mkdtemp()
    os.makedirs(scratch, exist_ok=True)
    answers = Answers(worker, scratch)
    models = []
    drawn, cases = (content(os.path.join(HERE, s)) for s in (GRAPHS, CASES))
    for seed in range(arguments.seed, arguments.seed + arguments.graphs):
        path = os.path.join(scratch, f"{digest(drawn, seed)}.pt2")
        models.append((f"graph/{seed}", path, ["graph", drawn, seed], {"seed": seed, "save": path}))
    if arguments.cases:
        import executorch_cases
        for name in executorch_cases.CASES:
            path = os.path.join(scratch, f"{digest(cases, name)}.pt2")
            models.append((name, path, ["case", cases, name], {"case": name, "save": path}))
    for folder in arguments.folders:
        for name, path, inputs in corpus(os.path.abspath(folder)):
            parts = [content(path), *[content(i) for i in inputs]]
            models.append((name, path, parts, {"model": path, "inputs": inputs}))
    models = [m for m in models if not arguments.only or arguments.only in m[0]]

    rows = []
    for name, path, parts, task in models:
        seen = answers.ask(parts, task, ways)
        rows.append({"name": name, "path": path, "ways": seen})
        if arguments.verbose:
            print(f"{name}: " + "; ".join(f"{w} {s} {t[:120]!r}" for w, (s, t) in seen.items()), flush=True)
    worker.close()
    there = [r["path"] for r in rows if os.path.exists(r["path"])]
    says = verdicts.of(arguments.condlint, there, target) if arguments.condlint else {}
    bad, excused = [], 0
    counts = {way: {} for way in ways}
    for row in rows:
        said = says.get(row["path"])
        row["said"] = {k: sorted(v) if isinstance(v, set) else v for k, v in said.items()} if said else None
        for way, (stage, text) in row["ways"].items():
            mark = ""
            if said:
                mark = (" (error)" if said["error"] else " (warning)" if said["warning"]
                        else " (unknown)" if "output-memory" in said["unknown"] else " (nothing)")
                kind = disagreement(said, stage)
                if kind and (kind, row["name"]) in known:
                    excused += 1
                elif kind:
                    bad.append(f"{kind}: {row['name']} ({way}): {stage} {text[:200]!r}; condlint: {row['said']['error']}")
            counts[way][stage + mark] = counts[way].get(stage + mark, 0) + 1
    if arguments.save:
        with open(arguments.save, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)
    if not arguments.cache:
        shutil.rmtree(scratch)
    for line in bad:
        print(line)
    for way, stages in counts.items():
        print(f"{way}: " + ", ".join(f"{n} {s}" for s, n in sorted(stages.items())))
    print(f"{len(rows)} models, ExecuTorch {worker.greeting['version']} with torch {worker.greeting['torch']}, {answers.hits} from the "
          f"cache; {len(bad)} disagreements, {excused} known ones")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
