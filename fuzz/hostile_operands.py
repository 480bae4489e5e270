#!/usr/bin/env python3
"""Every operator with operands that no sound model has, one at a time: nothing may break down, hang, or take what it may not.

    hostile_operands.py CONDLINT [--dialect torch|onnx] [--only WORD] [--count N] [--seed S] [--keep FOLDER]

CONDLINT should be built with the sanitizers (the preset `asan`). The sound calls are those that torch's own operator tests make,
and the node tests of ONNX; of each one thing is changed: an operand's rank, sizes, element type or values, an argument's number,
the length of a list, or it is left out. What is computed of that is not compared; it must end with words. The same seed makes the
same cases. A case that breaks down is kept in FOLDER; exit code 0 only where there is none, and 77 without torch or ONNX.
"""
import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import warnings

import numpy

warnings.filterwarnings("ignore")
TOGETHER = 48  # nodes of one run
LIMIT = 10  # seconds that one node may take
MEMORY = "256M"
NUMBERS = [0, -1, 1, 2, -3, 7, 65, 2 ** 31, 2 ** 40, 2 ** 62, 2 ** 63 - 1, -2 ** 63]
REALS = [0.0, -1.0, float("nan"), float("inf"), float("-inf"), 1e300]
PLACES = [-1, 1, -1000, 1000, 2 ** 62, 2 ** 63 - 1, -2 ** 63]
SANITIZERS = {"ASAN_OPTIONS": "detect_leaks=0:max_allocation_size_mb=2048:hard_rss_limit_mb=3000:abort_on_error=0",
              "UBSAN_OPTIONS": "print_stacktrace=1"}


class Case:
    """One node: its arguments are arrays, numbers, words and lists of them, by name, or by position where it has none."""

    def __init__(self, op, arguments, what="as it is", results=1, version=None):
        self.op, self.arguments, self.what, self.results, self.version = op, arguments, what, results, version

    def changed(self, key, value, what):
        arguments = dict(self.arguments)
        if value is None:
            del arguments[key]
        else:
            arguments[key] = value
        return Case(self.op, arguments, f"{key}: {what}", self.results, self.version)

    def text(self):
        shown = {str(k): f"{v.dtype}{list(v.shape)}" if isinstance(v, numpy.ndarray) else v for k, v in self.arguments.items()}
        return f"{self.op} ({self.what}) {shown}"


# --- what is changed ---------------------------------------------------------------


def tensors(x):
    """Other tensors in the place of \\p x, and what is odd about them."""
    flat = x.reshape(-1)
    yield numpy.asarray(flat[0] if x.size else 0, dtype=x.dtype), "of rank 0"
    yield numpy.zeros((0,), x.dtype), "of shape [0]"
    yield numpy.ones((1,), x.dtype), "of shape [1]"
    yield x.reshape((1, 1, 1, 1, 1, 1, 1) + x.shape), "of seven axes more"
    yield x[None], "of an axis more"
    if x.ndim:
        middle = x.ndim // 2
        yield numpy.zeros(x.shape[:middle] + (0,) + x.shape[middle + 1:], x.dtype), "empty in the middle"
        yield numpy.concatenate([x, x], axis=0), "twice as long"
        yield numpy.concatenate([x, x], axis=-1), "twice as wide"
        yield (numpy.asarray(x[0]) if x.shape[0] else numpy.zeros(x.shape[1:], x.dtype)), "of an axis less"
        yield numpy.zeros((0,) * x.ndim, x.dtype), "empty everywhere"
    for t in ("float32", "int64", "bool", "complex64", "uint8", "float64", "float16"):
        if x.dtype != t and x.dtype.kind != "U":
            yield x.astype(t), t
    if x.dtype.kind in "iu" and x.size:
        for n in PLACES:
            if x.dtype == numpy.int64 or abs(n) < 120:
                yield numpy.full_like(x, n) if x.dtype.kind == "i" or n >= 0 else x, f"all {n}"
                last = x.copy().reshape(-1)
                last[-1] = n if x.dtype.kind == "i" else abs(n)
                yield last.reshape(x.shape), f"the last is {n}"
    if x.dtype.kind == "f":
        for v in REALS[1:]:
            yield numpy.full_like(x, v), f"all {v}"


def numbers(n):
    return ((v, v) for v in (REALS if isinstance(n, float) else NUMBERS))


def lists(items):
    yield [], "empty"
    yield items + items[-1:] if items else [1], "too long"
    yield items * 7 or [1] * 70, "seven times as long"
    if items:
        yield items[:-1], "too short"
        for value, what in numbers(items[0]):
            yield items[:-1] + [value], f"the last is {what}"
            yield [value] + items[1:], f"the first is {what}"
            yield [value] * len(items), f"all {what}"


def variants(case):
    """\\p case, and it with one thing changed."""
    yield case
    for key, value in case.arguments.items():
        yield case.changed(key, None, "left out")
        if isinstance(value, numpy.ndarray):
            for other, what in tensors(value):
                yield case.changed(key, other, what)
        elif isinstance(value, bool):
            yield case.changed(key, not value, "the other")
        elif isinstance(value, (int, float)):
            for other, what in numbers(value):
                yield case.changed(key, other, what)
        elif isinstance(value, str):
            yield case.changed(key, "nonsense", "nonsense")
        elif isinstance(value, list) and value and isinstance(value[0], numpy.ndarray):
            yield case.changed(key, value[:1], "one alone")
            yield case.changed(key, value + value, "twice")
            for i in {0, len(value) - 1}:
                for other, what in tensors(value[i]):
                    yield case.changed(key, value[:i] + [other] + value[i + 1:], f"the tensor {i} {what}")
        elif isinstance(value, list) and all(type(v) in (int, float) for v in value):
            for other, what in lists(value):
                yield case.changed(key, other, what)
    # All of them at once, as a model without any sense has them.
    for what in ("of rank 0", "of shape [0]", "empty in the middle", "of seven axes more", "int64", "complex64"):
        arguments = {}
        for key, value in case.arguments.items():
            found = [t for t, w in tensors(value) if w == what] if isinstance(value, numpy.ndarray) else []
            arguments[key] = found[0] if found else value
        yield Case(case.op, arguments, f"every tensor {what}", case.results, case.version)


# --- sound calls -------------------------------------------------------------------


def torch_cases(chooser):
    """The calls that the samples of torch's own tests come to; a few of each overload."""
    import torch
    import torch_samples
    from torch.utils._python_dispatch import TorchDispatchMode
    seen = {}

    def argument(value):
        if isinstance(value, torch.Tensor):
            value = value.detach()
            value = value.float() if value.dtype == torch.bfloat16 else value.resolve_conj().resolve_neg()
            return value.contiguous().numpy().copy() if value.layout == torch.strided and not value.is_quantized else None
        if isinstance(value, (bool, int, float, str)):
            return value
        if isinstance(value, torch.dtype):
            return ("dtype", str(value).removeprefix("torch."))
        if isinstance(value, (list, tuple)):
            items = [argument(v) for v in value]
            return None if any(v is None or isinstance(v, list) for v in items) else items
        return None

    def note(function, args, kwargs, results):
        name = function._schema.name.replace("::", ".") + "." + (function._schema.overload_name or "default")
        known = seen.setdefault(name, {})
        if len(known) >= 6:
            return
        arguments = {}
        for a, value in list(zip(function._schema.arguments, args)) + [(a, kwargs.get(a.name)) for a in function._schema.arguments
                                                                        if a.name in kwargs]:
            plain = argument(value)
            if plain is None and value is not None:
                return
            if plain is not None:
                arguments[a.name] = plain
        if sum(v.size for v in arguments.values() if isinstance(v, numpy.ndarray)) > 4096:
            return
        form = str([(k, v.ndim if isinstance(v, numpy.ndarray) else type(v)) for k, v in arguments.items()])
        count = sum(len(r) if isinstance(r, (list, tuple)) else 1 for r in (results if isinstance(results, (list, tuple)) else [results]))
        known.setdefault(form, Case(name, arguments, results=max(count, 1)))

    class Noting(TorchDispatchMode):
        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            before = [a.clone() if isinstance(a, torch.Tensor) else a for a in args]  # what is written is noted as it was
            results = function(*args, **(kwargs or {}))
            note(function, before, kwargs or {}, results)
            return results

    torch_samples.each_sample(
        lambda op: [torch.float32] if op.supports_dtype(torch.float32, "cpu") else list(op.dtypes)[:1], Noting(),
        lambda function, args, kwargs: note(function, args, kwargs, function(*args, **kwargs)),
        ("linalg.lu_factor_ex", "svd_lowrank", "pca_lowrank", "nn.functional.ctc"))
    for name in sorted(seen):
        kept = list(seen[name].values())
        yield from chooser.sample(kept, min(len(kept), 2))


def onnx_cases(chooser):
    """The nodes of ONNX's node tests, with the inputs that these give."""
    import onnx
    from onnx import numpy_helper
    import onnx.backend.test
    folder = os.path.join(os.path.dirname(onnx.backend.test.__file__), "data", "node")
    seen = {}
    for name in sorted(os.listdir(folder)):
        model = onnx.load(os.path.join(folder, name, "model.onnx"))
        data = os.path.join(folder, name, "test_data_set_0")
        if len(model.graph.node) != 1:
            continue
        node, arguments, sound = model.graph.node[0], {}, True
        for i, given in enumerate(node.input):
            place = [k for k, v in enumerate(model.graph.input) if v.name == given]
            if not given or not place:
                continue
            proto = onnx.TensorProto()
            try:
                with open(os.path.join(data, f"input_{place[0]}.pb"), "rb") as f:
                    proto.ParseFromString(f.read())
                value = numpy_helper.to_array(proto)
                sound = sound and value.dtype.kind in "biufc" and str(value.dtype) in STORED and value.size <= 4096
                arguments[i] = value
            except Exception:  # a sequence, an optional
                sound = False
        for a in node.attribute:
            value = onnx.helper.get_attribute_value(a)
            if isinstance(value, (onnx.GraphProto, onnx.SparseTensorProto, onnx.TypeProto)):
                sound = False
            elif isinstance(value, onnx.TensorProto):
                sound = False
            elif isinstance(value, bytes):
                arguments[a.name] = value.decode(errors="replace")
            elif isinstance(value, (int, float)):
                arguments[a.name] = value
            else:
                arguments[a.name] = [v.decode(errors="replace") if isinstance(v, bytes) else v for v in value]
        if not sound:
            continue
        domain = "" if node.domain == "ai.onnx" else node.domain
        version = tuple(sorted((o.domain, o.version) for o in model.opset_import))
        form = str([(k, v.ndim if isinstance(v, numpy.ndarray) else type(v)) for k, v in arguments.items()])
        op = f"{domain}::{node.op_type}" if domain else node.op_type
        seen.setdefault(op, {}).setdefault(form, Case(op, arguments, results=len(node.output), version=version))
    for op in sorted(seen):
        kept = list(seen[op].values())
        yield from chooser.sample(kept, min(len(kept), 3))


# --- runs --------------------------------------------------------------------------

STORED = {"bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64",
          "complex64", "complex128"}


def attribute(name, value, held):
    entry = {"name": name}
    if isinstance(value, numpy.ndarray):
        entry["operand"] = held(value)
    elif isinstance(value, tuple):
        entry[value[0]] = value[1]
    elif isinstance(value, list):
        kinds = {type(v) for v in value}
        if numpy.ndarray in kinds:
            entry["operands"] = [held(v) for v in value]
        elif kinds <= {int}:
            entry["ints"] = value
        elif kinds <= {bool}:
            entry["bools"] = value
        elif kinds <= {str}:
            entry["strings"] = value
        else:
            entry["floats"] = [literal(float(v)) for v in value]
    elif isinstance(value, float):
        entry["float"] = literal(value)
    else:
        entry[{bool: "bool", int: "int", str: "string"}[type(value)]] = value
    return entry


def literal(v):
    """JSON has no NaN and no infinity: the graph format writes them as words."""
    return v if v == v and abs(v) != float("inf") else "nan" if v != v else "inf" if v > 0 else "-inf"


def graph(cases, onnx):
    """One graph with a node for each case, and its inputs. Nothing is declared of their shapes, so that kernels find out."""
    parameters, nodes, arrays = [], [], {}

    def held(value):
        name = f"in{len(parameters)}"
        arrays[name] = value
        parameters.append({"name": name, "type": f"{value.dtype}[...]"})
        return name

    for number, case in enumerate(cases):
        node = {"op": case.op, "name": f"n{number}", "results": [f"r{number}_{i}" for i in range(case.results)]}
        places = [k for k in case.arguments if isinstance(k, int)]
        if places:
            node["operands"] = [held(case.arguments[i]) if i in places else None for i in range(max(places) + 1)]
        node["attributes"] = [attribute(k, v, held) for k, v in case.arguments.items() if isinstance(k, str)]
        nodes.append(node)
    model = {"condlint": "graph-1", "dialect": "onnx" if onnx else "torch",
             "graph": {"parameters": parameters, "nodes": nodes, "results": []}}
    if onnx:
        model["opsets"] = dict(cases[0].version)
    else:
        model["version"] = "2.13"
    return model, arrays


class Runner:
    def __init__(self, program, folder, onnx):
        self.program, self.folder, self.onnx = program, folder, onnx
        self.unknown = {}

    def run(self, cases, keep=None):
        """How a run on \\p cases breaks down, or nothing; and how many nodes are known to be behind it."""
        path = keep or os.path.join(self.folder, "case")
        model, arrays = graph(cases, self.onnx)
        with open(path + ".json", "w") as f:
            json.dump(model, f)
        numpy.savez(path + ".npz", **arrays)
        command = [self.program, "run", path + ".json", "--branch", "both", "--inputs", path + ".npz", "--memory-limit", MEMORY,
                   "--output", "json"]
        try:
            done = subprocess.run(command, capture_output=True, timeout=LIMIT + len(cases) / 4, env={**os.environ, **SANITIZERS})
        except subprocess.TimeoutExpired:
            return "hangs"
        errors = done.stderr.decode(errors="replace")
        if done.returncode in (0, 1, 3) and "ERROR: AddressSanitizer" not in errors and "runtime error" not in errors:
            if (read := json.loads(done.stdout)["inputs"][0])["status"] == "failed":
                sys.exit(f"hostile_operands: this is no graph: {read['reason']}")
            for line in re.findall(r"cannot execute the operator ([\w.:]+)", done.stdout.decode(errors="replace")):
                self.unknown[line] = True
            return None
        lines = [l for l in errors.split("\n") if "runtime error" in l or "ERROR: " in l or "condlint:" in l][:1]
        frames = [m.group(1) for m in re.finditer(r"#\d+ 0x\w+ in (?:condlint::)?([^\n]*?/(?:lib|tool)/[^\n]*)", errors)][:3]
        return f"exit code {done.returncode}: {' '.join(lines)[-160:]} {frames}"

    def broken(self, cases):
        """Those of \\p cases that break down alone, each with how."""
        if not self.run(cases):
            return []
        if len(cases) == 1:
            problem = self.run(cases)
            return [(cases[0], problem)] if problem else []
        half = len(cases) // 2
        return self.broken(cases[:half]) + self.broken(cases[half:])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("condlint")
    parser.add_argument("--dialect", choices=["torch", "onnx"], default="torch")
    parser.add_argument("--only", default="", help="operators whose name holds this")
    parser.add_argument("--count", type=int, default=0, help="as many cases, chosen at random; all without it")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", default=".", metavar="FOLDER")
    parser.add_argument("--part", default="0/1", help="K/N: the K-th of N parts")
    a = parser.parse_args()
    chooser = random.Random(a.seed)
    try:
        sound = list((torch_cases if a.dialect == "torch" else onnx_cases)(chooser))
    except ImportError as e:
        print(f"hostile_operands: {e}", file=sys.stderr)
        return 77
    cases = [v for case in sound if a.only in case.op for v in variants(case)]
    cases = [c for c in cases if all(str(x.dtype) in STORED for x in c.arguments.values() if isinstance(x, numpy.ndarray))]
    if a.count and a.count < len(cases):
        cases = [cases[i] for i in sorted(chooser.sample(range(len(cases)), a.count))]
    part, parts = map(int, a.part.split("/"))
    by_version = {}
    for c in cases[len(cases) * part // parts:len(cases) * (part + 1) // parts]:
        by_version.setdefault(c.version, []).append(c)
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(a.condlint, folder, a.dialect == "onnx")
        for group in by_version.values():
            for at in range(0, len(group), TOGETHER):
                for case, problem in runner.broken(group[at:at + TOGETHER]):
                    wrong += 1
                    kept = os.path.join(a.keep, f"hostile-{a.dialect}-{part}-{wrong}")
                    runner.run([case], kept)
                    print(f"{kept}.json: {case.text()[:400]}\n    {problem}", flush=True)
    print(f"{len(cases)} cases of {len(sound)} calls, {wrong} break down; not executed: {', '.join(sorted(runner.unknown)) or 'none'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
