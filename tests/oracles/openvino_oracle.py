#!/usr/bin/env python3
"""Compares what condlint says of ONNX models for OpenVINO with what OpenVINO does.

    openvino_oracle.py [--condlint BIN] [--openvino PYTHON]... [--cases] [--graphs COUNT] [--seed SEED] [--cache FOLDER]
                       [--known FILE] [FOLDER]...

COUNT models are drawn (onnx_drawn.py), and each .onnx of the folders is taken. Each model is read, compiled for the CPU and run by
the OpenVINO of each Python named (this one where none is), on inputs that take both sides of its conditionals, and compared with ONNX
Runtime. 2023.3 wants a numpy older than 2 beside it, of which it takes each bool for true otherwise. A disagreement is

    false alarm   condlint reports an error, and OpenVINO computes what ONNX Runtime does
    silent miss   condlint reports nothing and leaves nothing open of a model with conditionals, and OpenVINO refuses it or
                  computes something else

Those that are listed in FILE (`KIND NAME  reason` a line) are counted apart. Exit code 1: others were seen; 77: OpenVINO is
not installed.
"""
import argparse
import hashlib
import json
import os
import sys
import tempfile

import numpy as np
import onnx

import known_differences
import onnx_cases
import onnx_drawn
import onnx_reference
import verdicts
from worker import Worker

HERE = os.path.dirname(os.path.abspath(__file__))


def agree(want, have):
    if len(want) != len(have):
        return f"{len(have)} outputs, not {len(want)}"
    for i, (w, v) in enumerate(zip(want, have)):
        if w.shape != v.shape:
            return f"output {i} is {list(v.shape)}, not {list(w.shape)}"
        if w.dtype != v.dtype and w.dtype.kind != "U":
            return f"output {i} is {v.dtype}, not {w.dtype}"
        if w.dtype.kind == "f":
            same = np.allclose(w, v, rtol=1e-2 if w.dtype.itemsize == 2 else 1e-3, atol=1e-4, equal_nan=True)
        else:
            same = np.array_equal(w, v)
        if not same:
            return f"output {i} is {v.ravel()[:4]}, not {w.ravel()[:4]}"
    return ""


class Task:
    """A model, its inputs, what ONNX Runtime makes of them, and where the files lie."""

    def __init__(self, name, path, folder, given=(), names=()):
        self.name, self.path, self.folder = name, path, folder
        self.inputs, self.names, self.pairs, self.by, self.why = list(given), names, [], "nothing", ""
        self.whole = False  # ONNX Runtime ran on all inputs

    def files(self, kind):
        return [os.path.join(self.folder, f"{kind}{i}.npz") for i in range(len(self.inputs))]

    def prepare(self, reference):
        os.makedirs(self.folder, exist_ok=True)
        for path, values in zip(self.files("in"), self.inputs):
            np.savez(path, **{f"in{i}": v for i, v in enumerate(onnx_reference.plain_arrays(values))})
        answer = reference.ask({"model": self.path, "inputs": self.files("in"), "outputs": self.files("want")})
        if answer is None:
            self.why = "ONNX Runtime crashed"
            return
        self.by, self.why = answer["by"], answer["error"]
        self.pairs = [(self.files("in")[i], self.files("want")[i]) for i in answer["ran"]]
        self.whole = len(self.pairs) == len(self.inputs)


def ask_openvino(worker, task):
    """(stage, text): refused-read, refused-compile, refused-run, crashed, wrong, right; accepted without a reference."""
    seen = ask_process(worker, task)
    # What was refused before it leaves the process in ruins: others are then refused or wrong that are right alone.
    if seen[0] not in ("right", "accepted") and worker.asked != 1:
        worker.stop()
        seen = ask_process(worker, task)
    return seen


def ask_process(worker, task):
    pairs = task.pairs
    outputs = [os.path.join(task.folder, f"have{i}.npz") for i in range(len(pairs))]
    for path in outputs:
        if os.path.exists(path):
            os.remove(path)
    answer = worker.ask({"model": task.path, "names": task.names, "inputs": [a for a, _ in pairs], "outputs": outputs})
    if answer is None:
        return "crashed", ""
    for (_, want), have in zip(pairs, outputs):
        if os.path.exists(have):
            difference = agree(onnx_reference.saved(want, "out"), onnx_reference.saved(have, "out"))
            if difference:
                return "wrong", difference
    if answer["stage"] != "ok":
        return "refused-" + answer["stage"], answer["error"]
    return ("right", "") if pairs else ("accepted", task.why)


def corpus(folder):
    """(name, path, inputs of its runs) of every model of a corpus."""
    entries = {}
    listing = os.path.join(folder, "expected.json")
    if os.path.exists(listing):
        with open(listing, encoding="utf-8") as file:
            entries = json.load(file)["files"]
    for base, _, files in sorted(os.walk(folder)):
        for name in sorted(files):
            if name.endswith(".onnx"):
                path = os.path.join(base, name)
                yield os.path.relpath(path, os.path.dirname(folder)), path, entries.get(os.path.relpath(path, folder), {})


class Kept:
    """What was seen of each model by each version, by what they are, in a file of the folder where there is one."""

    def __init__(self, folder):
        self.rows, self.path = {}, ""
        self.scripts = [content(os.path.join(HERE, s)) for s in ("openvino_worker.py", "onnx_reference.py")]
        if folder:
            os.makedirs(folder, exist_ok=True)
            self.path = os.path.join(folder, "answers.jsonl")
            if os.path.exists(self.path):
                with open(self.path, encoding="utf-8") as file:
                    self.rows = {row["key"]: row for row in map(json.loads, file)}

    def key(self, version, path, entry):
        sum_ = hashlib.sha256()
        for part in (version.encode(), *self.scripts, content(path), json.dumps(entry.get("runs", [])).encode()):
            sum_.update(hashlib.sha256(part).digest())
        return sum_.hexdigest()

    def add(self, row):
        self.rows[row["key"]] = row
        if self.path:
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")


def content(path):
    with open(path, "rb") as file:
        return file.read()


def holds(path, operators):
    """Whether a model has a node of one of these, nested ones and functions' too; also where it cannot be read."""
    try:
        model = onnx.load(path, load_external_data=False)
    except Exception:
        return True
    lists = [model.graph.node, *[f.node for f in model.functions]]
    while lists:
        for node in lists.pop():
            if node.op_type in operators:
                return True
            lists += [a.g.node for a in node.attribute if a.HasField("g")]
    return False


def recorded_runs(path, entry):
    found = []
    for run in entry.get("runs", []):
        file = os.path.join(os.path.dirname(path), run["inputs"]) if isinstance(run.get("inputs"), str) else ""
        if file.endswith(".npz") and os.path.exists(file):
            with np.load(file, allow_pickle=False) as arrays:
                if all(k == f"in{i}" for i, k in enumerate(sorted(arrays.files, key=lambda k: int(k[2:]) if k[2:].isdigit() else 0))):
                    found.append([arrays[f"in{i}"] for i in range(len(arrays.files))])
    return found


def tasks_of(name, path, entry, scratch):
    """The model itself, and with its computed predicates forced either way."""
    folder = os.path.join(scratch, name.replace("/", "_"))
    try:
        model = onnx.load(path, load_external_data=False)
        drawn = onnx_reference.inputs_of(model)
    except Exception:
        return [Task(name, path, folder)]
    tasks = [Task(name, path, folder, recorded_runs(path, entry) + drawn, onnx_reference.input_names(model))]
    other = onnx_reference.forced(model)
    if other is not None:
        # Beside the model, whose weights it may name.
        os.makedirs(folder, exist_ok=True)
        moved = os.path.join(folder, "forced.onnx")
        onnx.save(other, moved)
        tasks.append(Task(name + " (forced)", moved, folder + ".forced", onnx_reference.inputs_of(other),
                          onnx_reference.input_names(other)))
    return tasks


ORDER = ["right", "accepted", "wrong", "refused-run", "refused-compile", "refused-read", "crashed"]


# What computes something else each time.
RANDOM = {"RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike", "Bernoulli", "Multinomial"}


def disagreement(said, stage, compared):
    """The kind of it; empty where there is none. Where ONNX Runtime refuses some of the inputs, that may be what an error
    speaks of; of a model without conditionals nothing is said."""
    if said["error"]:
        return "false-alarm" if stage == "right" and compared else ""
    quiet = said["status"] == "ok" and not said["warning"] and not said["unknown"] and said["conditionals"]
    return "silent-miss" if quiet and stage not in ("right", "accepted") else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--condlint")
    parser.add_argument("--openvino", action="append", default=[])
    parser.add_argument("--cases", action="store_true", help="the small models of onnx_cases.py as well")
    parser.add_argument("--graphs", type=int, default=0, help="so many models that are drawn as well")
    parser.add_argument("--seed", type=int, default=1, help="the first of them")
    parser.add_argument("--known", help="disagreements that are known, each with its reason")
    parser.add_argument("--only", help="names that hold this text alone")
    parser.add_argument("--cache", help="a folder, which is made, for what was seen")
    parser.add_argument("--holding", help="models alone that hold one of these operators, separated by commas")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--save", help="what was seen, as JSON")
    arguments = parser.parse_args()

    pythons = arguments.openvino or [sys.executable]
    workers = {}
    for python in pythons:
        worker = Worker([python, os.path.join(HERE, "openvino_worker.py")], hello=True)
        worker.start()
        if "version" not in worker.greeting:
            print(f"skipped: {python} has no openvino")
            return 77
        workers[worker.greeting["version"]] = worker
    known = known_differences.read(arguments.known) if arguments.known else {}

    with tempfile.TemporaryDirectory() as scratch:
        models = []
        made_here = list(onnx_cases.cases()) if arguments.cases else []
        made_here += [(f"drawn/{seed}", onnx_drawn.draw(seed)) for seed in range(arguments.seed, arguments.seed + arguments.graphs)]
        for name, made in made_here:
            path = os.path.join(scratch, name.replace("/", "__") + ".onnx")
            onnx.save(made, path)
            models.append((name, path, {}))
        for folder in arguments.folders:
            models += corpus(os.path.abspath(folder))
        models = [m for m in models if (not arguments.only or arguments.only in m[0])
                  and (not arguments.holding or holds(m[1], set(arguments.holding.split(","))))]
        says = {}
        if arguments.condlint:
            for version in workers:
                target = "openvino@" + ".".join(version.split(".")[:2])
                says[version] = verdicts.of(arguments.condlint, [p for _, p, _ in models], target)
        reference = Worker([sys.executable, os.path.join(HERE, "onnx_reference.py")])
        seen, bad, excused = [], [], []
        kept = Kept(arguments.cache)
        for name, path, entry in models:
            keys = {v: kept.key(v, path, entry) for v in workers}
            missing = [v for v in workers if keys[v] not in kept.rows]
            tasks = tasks_of(name, path, entry, scratch) if missing else []
            for task in tasks:
                task.prepare(reference)
            for version in missing:
                stage, text = max([ask_openvino(workers[version], t) for t in tasks], key=lambda a: ORDER.index(a[0]))
                kept.add({"key": keys[version], "stage": stage, "text": text, "by": tasks[0].by,
                          "why": tasks[0].why if tasks[0].by != "onnxruntime" else "", "whole": all(t.whole for t in tasks)})
            for version in workers:
                row = {"name": name, "version": version, **kept.rows[keys[version]]}
                stage, text = row["stage"], row["text"]
                if says:
                    said = says[version][path]
                    row.update({k: sorted(v) if isinstance(v, set) else v for k, v in said.items()})
                    kind = disagreement(said, stage, row["by"] == "onnxruntime" and row["whole"])
                    if kind == "silent-miss" and stage == "wrong" and holds(path, RANDOM):
                        kind = ""
                    if kind:
                        # Copies of one model lie in several folders.
                        names = {name, os.path.basename(name)}
                        (excused if any((kind, n) in known for n in names) else bad).append((kind, row))
                seen.append(row)
                if arguments.verbose:
                    print(f"{version} {name}: {stage} {text[:300]!r} by {row['by']}", flush=True)
        reference.close()
        for worker in workers.values():
            worker.close()

    if arguments.save:
        with open(arguments.save, "w", encoding="utf-8") as file:
            json.dump(seen, file, indent=1)
    for kind, row in bad:
        print(f"{kind}: openvino {row['version']} {row['name']}: {row['stage']} {row['text'][:200]!r}; "
              f"condlint: {row.get('error')}")
    counts = {}
    for row in seen:
        counts[row["stage"]] = counts.get(row["stage"], 0) + 1
    print(f"{len(models)} models, OpenVINO {' '.join(workers)}: "
          + ", ".join(f"{n} {s}" for s, n in sorted(counts.items()))
          + f"; {len(bad)} disagreements, {len(excused)} known ones")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
