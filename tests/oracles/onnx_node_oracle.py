#!/usr/bin/env python3
"""Holds what condlint says of ONNX models of one node, and what it computes of them, against onnx and ONNX Runtime.

    onnx_node_oracle.py --condlint BIN [--nodes N] [--seed N] [--keep FOLDER] [--all]

Models are drawn by onnx_drawn_nodes.py. Of each: what `check` says for onnx against checker and full check, for onnxruntime against a
load and a run there; what `condlint run` yields against the run. Told are
  values     both run and other values, types or shapes come out
  false      an error where the system takes and runs the model
  missed     no error where it refuses it
  runs       `run` computes what ONNX Runtime refuses in a run, and check has no error either
  stops      `run` does not compute what ONNX Runtime does (only with --all, as what it does not implement)
What is known to differ, and why, stands in KNOWN. Exit code 1: something else of the first four differs; 77: a package is not
installed.
"""
import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
import warnings

warnings.simplefilter("ignore")

try:
    import numpy as np
    import onnx
    import onnxruntime as ort
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

import onnx_drawn_nodes
import verdicts
from onnx_reference import plain_arrays
from worker import Worker

TOLERANCE = {"float16": (2e-2, 1e-3), "float32": (1e-3, 1e-5), "float64": (1e-3, 1e-6)}
NOT_IMPLEMENTED = re.compile("NOT_IMPLEMENTED|Could not find an implementation|is under development|No Op registered|"
                             "Opset .* is not|is not currently supported|Version mismatch|implemented only for the following types|"
                             "Non per-tensor quantization|is not defined for empty set")
# What the interface of Python cannot hand over says nothing of the model.
NOT_FED = re.compile("Unexpected input data type|not supported.*numpy|Unable to handle object|bfloat16.*numpy|Numpy_type|NumPy type|"
                     "No corresponding Numpy")


# Kind, what was drawn and what is told of it, as patterns; and why it is no fault of condlint's.
KNOWN = [(re.compile(kind), re.compile(drawn), re.compile(text)) for kind, drawn, text, _ in [
    ("values", "Dropout", "", "what it draws"),
    ("values", "MaxUnpool", "", "with an output_shape ONNX Runtime parts from onnx's own test"),
    ("values", "Resize", "", "linear: corners of a smaller image, and axes that keep their size in a region"),
    ("values", "LpPool", "", "beyond float32"),
    ("values", "Celu", "", "alpha 0 or 1e30: the steps of the function overflow"),
    ("values", "NonZero", r"is \[0", "ONNX Runtime yields a row for a scalar, inference none"),
    ("values", "Pow", r"for -(2147483648|9223372036854775808);", "0 to a negative power, of integers"),
    ("values", "ReduceLogSumExp", r": -?\d+ for -?\d+;", "ONNX Runtime sums integers as integers"),
    ("values", "Shrink|Cast", r"\d{10}", "a number that the type does not hold"),
    ("values", "TreeEnsemble.* tree_roots", "", "whose members are whose where nodes come before the root"),
    ("values", "MeanVarianceNormalization", "for nan", "of equal numbers: a variance that ONNX Runtime rounds below 0"),
    ("missed", "ReduceLogSum", "uint(32|64)", "of integers without a sign, of which its function takes the logarithm"),
    ("false", "Conv.* pads.* kernel_shape", "", "more pads than axes, where nobody knows how many axes the filters have"),
    ("false onnxruntime", "Unique|TopK|RotaryEmbedding|Attention|BatchNormalization|Reduce|Cast", "",
     "a flag that is neither 0 nor 1, where it changes nothing"),
    ("missed", "StringNormalizer", "locale", "the machine has no such locale"),
    ("missed", "", "InsertedPrecisionFreeCast", "float16 before opset 6, where casts that ONNX Runtime inserts are not what they were"),
]]


def is_known(kind, drawn, text):
    return any(k.match(kind) and d.search(drawn) and t.search(text) for k, d, t in KNOWN)


def short(error):
    return re.sub(r"\s+", " ", str(error))[-220:]


def real(path, given, results):
    """What the real systems say of a model: a text for what is refused, nothing for what is taken."""
    said = {}
    model = onnx.load(path)
    for key, full in (("checker", False), ("full", True)):
        try:
            onnx.checker.check_model(model, full_check=full)
        except Exception as why:
            said[key] = short(why)
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    try:
        session = ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except Exception as why:
        return {**said, "load": short(why)}
    try:
        with np.load(given, allow_pickle=False) as arrays:
            values = {n: arrays[n].astype(object) if arrays[n].dtype.kind == "U" else arrays[n] for n in arrays.files}
        known = {i.name for i in session.get_inputs()}
        out = session.run(None, {n: v for n, v in values.items() if n in known})
        np.savez(results, **{f"out{i}": v for i, v in enumerate(plain_arrays(out))})
    except Exception as why:
        said["not fed" if NOT_FED.search(str(why)) else "run"] = short(why)
    return said


def serve():
    # What ONNX Runtime prints is not an answer.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    drawer = onnx_drawn_nodes.Nodes()
    for line in sys.stdin:
        seed, path = json.loads(line)
        what, model, arrays = drawer.draw(seed)  # asks onnx's inference, which may crash
        stored = {i.name for i in model.graph.initializer}
        names = [v.name for v in model.graph.input if v.name not in stored]
        onnx.save(model, path)
        np.savez(path + ".in.npz", **dict(zip(names, plain_arrays(arrays))))
        with open(path + ".txt", "w", encoding="utf-8") as file:
            file.write(what)
        print(json.dumps(real(path, path + ".in.npz", path + ".out.npz")), file=answers, flush=True)


def parted(ours, theirs):
    """How two files of results differ, or nothing."""
    with np.load(ours, allow_pickle=False) as a, np.load(theirs, allow_pickle=False) as b:
        mine, wanted = [a[n] for n in a.files], [b[f"out{i}"] for i in range(len(b.files))]
    if len(mine) != len(wanted):
        return f"{len(mine)} results for {len(wanted)}"
    for i, (x, y) in enumerate(zip(mine, wanted)):
        if x.dtype.kind != y.dtype.kind or (x.dtype != y.dtype and x.dtype.kind != "U"):
            return f"result {i} is {x.dtype} for {y.dtype}"
        if x.shape != y.shape:
            return f"result {i} is {list(x.shape)} for {list(y.shape)}"
        if x.dtype.kind in "fc":
            relative, absolute = TOLERANCE[x.dtype.name]
            finite = np.abs(y[np.isfinite(y)])
            absolute *= max(1, float(finite.max()) if finite.size else 1)  # of sums in which much cancels
            with np.errstate(all="ignore"):
                same = np.isclose(x, y, relative, absolute, equal_nan=True)
        else:
            same = x == y
        if not np.all(same):
            at = tuple(int(k) for k in np.argwhere(~same)[0])
            return f"result {i} at {list(at)}: {x[at]} for {y[at]}; {int(np.sum(~same))} of {x.size} elements"
    return ""


def execute(binary, path, given, results):
    """Exit code and message of `condlint run`."""
    try:
        done = subprocess.run([binary, "run", path, "--inputs", given, "--save", results, "--time-limit", "20"],
                              capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return 4, "it does not end"
    return done.returncode, short(done.stderr or done.stdout)


def judge(said, checks, ran, difference):
    """(kind, text) for each thing that parts."""
    ours = {t: sorted(checks[t]["error"]) for t in checks}
    # What ORT runs only because an optional check is not made is onnx's matter alone.
    onnx_refuses = said.get("checker") or said.get("full")
    refuses = said.get("load") or said.get("run")
    unknown = {t: checks[t]["unknown"] or checks[t]["warning"] for t in checks}
    if difference and not ours["onnxruntime"]:
        yield "values", difference
    if ours["onnx"] and not onnx_refuses and not refuses:
        yield "false onnx", str(ours["onnx"])
    if ours["onnxruntime"] and not refuses and not said.get("not fed") and not difference:
        yield "false onnxruntime", str(ours["onnxruntime"])
    if onnx_refuses and not ours["onnx"] and not unknown["onnx"]:
        yield "missed onnx", onnx_refuses
    if refuses and NOT_IMPLEMENTED.search(refuses):
        yield "not implemented", refuses
    elif said.get("load") and not ours["onnxruntime"] and not unknown["onnxruntime"]:
        yield "missed onnxruntime", said["load"]
    elif said.get("run") and not ours["onnxruntime"] and ran[0] == 0:
        yield "runs", said["run"]
    if not refuses and not said.get("not fed") and ran[0] != 0:
        yield "stops", ran[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--condlint", required=True)
    parser.add_argument("--nodes", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep")
    parser.add_argument("--all", action="store_true")
    arguments = parser.parse_args()
    worker = Worker([sys.executable, os.path.abspath(__file__), "--serve"])
    counts, found = collections.Counter(), {}
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.keep or scratch
        os.makedirs(folder, exist_ok=True)
        for seed in range(arguments.seed, arguments.seed + arguments.nodes):
            path = os.path.join(folder, f"{seed}.onnx")
            answer = worker.ask([seed, path])
            if os.path.exists(path + ".txt"):
                with open(path + ".txt", encoding="utf-8") as file:
                    found[path] = (file.read(), answer if answer is not None else {"load": "the process ended"})
        worker.close()
        checks = {t: verdicts.of(arguments.condlint, list(found), t) for t in ("onnx", "onnxruntime")}
        for path, (what, said) in found.items():
            ran = execute(arguments.condlint, path, path + ".in.npz", path + ".ours.npz")
            both = ran[0] == 0 and os.path.exists(path + ".out.npz")
            difference = parted(path + ".ours.npz", path + ".out.npz") if both else ""
            told = [(k, t) for k, t in judge(said, {t: checks[t][path] for t in checks}, ran, difference) if not is_known(k, what, t)]
            counts["models"] += 1
            counts["agreed"] += not told
            for kind, text in told:
                counts[kind] += 1
                if arguments.all or kind not in ("stops", "not implemented"):
                    print(f"{kind} | {os.path.basename(path)} {what} | {text}", flush=True)
    print("; ".join(f"{n} {k}" for k, n in counts.items()))
    return 1 if any(counts[k] for k in counts if k.split()[0] in ("values", "false", "missed", "runs")) else 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--serve"]:
        serve()
        sys.exit(0)
    sys.exit(main())
