#!/usr/bin/env python3
"""Measures how many findings of a baseline are known again when a model is exported anew.

Usage: fingerprints.py PROGRAM [--limit N] MODEL...

Of each model (.onnx, .pt2) with findings variants are made that another export could have made: every value and node has
another name, modules have another name, layers are inserted before and between, and all of it at once. The baseline of
the model is applied to each: what is found must be known (`kept`). Then one break becomes another (an output of a branch
is cast to another dtype): what is new must not be taken for what was known (`mistaken`). A .pt2 whose name begins with a
version of torch, `t213_CASE.pt2`, is exported anew by the others that are given: `t214_CASE.pt2`. Of these, a finding
counts that both have: as many by each rule as in the one with fewer, for one target. Prints the sums; needs onnx.
"""
import collections
import copy
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

import onnx
from onnx import TensorProto, helper

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "oracles"))
from onnx_graphs import graphs_in  # noqa: E402


def renamed(model, value_of, node_of):
    """The model with other names of values that are no inputs or outputs of it, and of nodes."""
    model = copy.deepcopy(model)
    fixed = {v.name for v in (*model.graph.input, *model.graph.output)} | {""}
    names = {}

    def new(name):
        if name in fixed:
            return name
        return names.setdefault(name, value_of(name, len(names)))

    count = 0
    for graph in graphs_in(model.graph):
        for node in graph.node:
            node.input[:] = [new(n) for n in node.input]
            node.output[:] = [new(n) for n in node.output]
            if node.name:
                node.name = node_of(node.name, count)
            count += 1
        for sparse in graph.sparse_initializer:
            sparse.values.name = new(sparse.values.name)
        for value in (*graph.initializer, *graph.value_info, *graph.output, *graph.input):
            value.name = new(value.name)
    return model


def with_layers(model):
    """The model with a layer in front of each input of floats that its nodes read, and some that nothing reads."""
    model = copy.deepcopy(model)
    graph = model.graph
    inserted = []
    for value in graph.input:
        if value.type.tensor_type.elem_type != TensorProto.FLOAT:
            continue
        inserted.append(helper.make_node("Abs", [value.name], [value.name + "_new"], name="/new/Abs"))
        for inner in graphs_in(graph):
            for node in inner.node:
                node.input[:] = [value.name + "_new" if n == value.name else n for n in node.input]
    for i, node in enumerate(inserted):
        graph.node.insert(i, node)
    if graph.input:
        graph.node.insert(0, helper.make_node("Shape", [graph.input[0].name], ["shape_new"], name="/new/Shape"))
    return model


ONNX_VARIANTS = {
    "renumbered": lambda m: renamed(m, lambda n, i: f"v{i + 1000}", lambda n, i: f"n{i + 1000}"),
    "renamed": lambda m: renamed(m, lambda n, i: "/outer/block.3" + ("" if n.startswith("/") else "/") + n, lambda n, i: "/outer" + n),
    "layers": with_layers,
    "all": lambda m: renamed(with_layers(m), lambda n, i: f"x_{i}", lambda n, i: f"node_{i}"),
}


def another_break(model):
    """The model with the first output of one branch cast to float64, which no other is; None where there is no If."""
    model = copy.deepcopy(model)
    for graph in graphs_in(model.graph):
        for node in graph.node:
            branches = [a.g for a in node.attribute if a.type == onnx.AttributeProto.GRAPH]
            if node.op_type == "If" and branches and branches[0].output:
                branch = branches[0]
                name = branch.output[0].name
                branch.node.append(helper.make_node("Cast", [name], [name + "_cast"], to=TensorProto.DOUBLE))
                branch.output[0].name = name + "_cast"
                branch.output[0].ClearField("type")
                return model
    return None


class Onnx:
    """A model, and what else an export could have made of it."""

    name = "m.onnx"

    def __init__(self, path):
        self.model = onnx.load(path, load_external_data=False)
        if len(self.model.functions):
            raise ValueError("names of functions are part of what they are")

    def variants(self):
        for name, make in ONNX_VARIANTS.items():
            yield name, lambda place, make=make: onnx.save(make(self.model), place)

    def other(self):
        other = another_break(self.model)
        return other and (lambda place: onnx.save(other, place))


class Pt2:
    """The same of an exported program, whose names stand in the JSON inside."""

    name = "m.pt2"

    def __init__(self, path):
        self.path = path
        with zipfile.ZipFile(path) as archive:
            self.members = [(item, archive.read(item)) for item in archive.infolist()]
        self.at = next(i for i, (item, _) in enumerate(self.members)
                       if re.search(r"(^|/)(models/[^/]*|serialized_exported_program)\.json$", item.filename))
        self.program = json.loads(self.members[self.at][1])

    def write(self, program, place):
        with zipfile.ZipFile(place, "w") as archive:
            for i, (item, data) in enumerate(self.members):
                archive.writestr(item, json.dumps(program) if i == self.at else data)

    @staticmethod
    def renumbered(program):
        program = copy.deepcopy(program)
        names = {}

        def define(item):
            if isinstance(item, dict):
                if "target" in item and "outputs" in item:
                    for output in item["outputs"]:
                        for kind, value in output.items():
                            for each in value if isinstance(value, list) else [value]:
                                if isinstance(each, dict):
                                    name = each.get("name") or each.get("as_name")
                                    if name:
                                        names.setdefault(name, f"value_{len(names) + 1000}")
                for value in item.values():
                    define(value)
            elif isinstance(item, list):
                for value in item:
                    define(value)

        def rename(item):
            if isinstance(item, list):
                return [rename(value) for value in item]
            if not isinstance(item, dict):
                return item
            if set(item) == {"name"} or "as_name" in item:
                return {k: names.get(v, v) if k in ("name", "as_name") and isinstance(v, str) else rename(v) for k, v in item.items()}
            out = {}
            for key, value in item.items():
                if key.endswith("_values") and isinstance(value, dict):
                    out[key] = {names.get(k, k): v for k, v in value.items()}
                elif key == "metadata":
                    out[key] = value
                elif key == "name" and "target" in item and "outputs" in item:
                    out[key] = names.get(value, value)
                else:
                    out[key] = rename(value)
            return out

        define(program)
        return rename(program)

    @staticmethod
    def with_layers(program):
        program = copy.deepcopy(program)
        graph = program["graph_module"]["graph"]
        for i, item in enumerate(list(graph["inputs"])):
            given = item.get("as_tensor", {}).get("name")
            if given not in graph["tensor_values"] or not graph["nodes"]:
                continue
            layer = {k: None for k in graph["nodes"][0]}
            layer.update(target="torch.ops.aten.abs.default", metadata={}, outputs=[{"as_tensor": {"name": f"new_layer_{i}"}}],
                         inputs=[{"name": "self", "arg": {"as_tensor": {"name": given}}, "kind": 1}])
            if "name" in layer:
                layer["name"] = f"new_layer_{i}"
            graph["tensor_values"][f"new_layer_{i}"] = graph["tensor_values"][given]
            graph["nodes"].insert(0, layer)
        return program

    def variants(self):
        for name, make in (("renumbered", self.renumbered), ("layers", self.with_layers),
                           ("all", lambda p: self.renumbered(self.with_layers(p)))):
            yield ".pt2 " + name, lambda place, make=make: self.write(make(self.program), place)

    @staticmethod
    def other():
        return None


def check(program, folder, name, *more):
    done = subprocess.run([program, "check", name, "--no-config", "--output", "json", *more], cwd=folder, capture_output=True,
                          text=True, check=False, timeout=120)
    report = json.loads(done.stdout) if done.stdout else None
    return report if report and report["inputs"][0]["status"] == "ok" else None


def rules_of(findings):
    return collections.Counter(f["rule"] for f in findings)


def known_of(report):
    return [f for f in report.get("suppressed", []) if f["suppression"]["kind"] == "baseline"]


class Measure:
    def __init__(self, program, limit):
        self.program, self.limit = program, limit
        self.sums = {}
        self.models = self.variants = self.breaks = self.mistaken = 0

    def count(self, name, kept, wanted):
        known, total = self.sums.get(name, (0, 0))
        self.sums[name] = (known + min(kept, wanted), total + wanted)
        self.variants += 1

    def variants_of(self, path):
        try:
            model = (Pt2 if path.endswith(".pt2") else Onnx)(path)
        except Exception:  # what is broken is exported by nobody
            return
        with tempfile.TemporaryDirectory() as folder:
            place = os.path.join(folder, model.name)
            shutil.copy(path, place)
            before = check(self.program, folder, model.name, "--write-baseline", "--fail-on", "never")
            if before is None or not before.get("suppressed"):
                return
            if any(f["rule"] in ("graph-malformed", "value-undefined") for f in before["suppressed"]):
                return
            self.models += 1
            for name, write in model.variants():
                write(place)
                after = check(self.program, folder, model.name, "--baseline", "condlint.baseline.json")
                if after is None:
                    continue
                kept, wanted = len(known_of(after)), len(before["suppressed"])
                self.count(name, kept, wanted)
                if kept < wanted and "-v" in os.environ.get("FINGERPRINTS", ""):
                    print(path, name, [f["message"] for f in after["findings"]])
            other = model.other()
            after = None
            if other:
                other(place)
                after = check(self.program, folder, model.name, "--baseline", "condlint.baseline.json")
            if after is not None:
                old = {f["message"] for f in before["suppressed"]}
                taken = [f for f in after.get("suppressed", []) if "float64" in f["message"] and f["message"] not in old]
                self.breaks += 1
                self.mistaken += len(taken)
                if taken and os.environ.get("FINGERPRINTS"):
                    print(path, "mistaken", [f["message"] for f in taken])

    def versions(self, paths):
        """What one version of torch wrote, under the baseline of what another wrote of the same."""
        cases = collections.defaultdict(list)
        for path in paths:
            named = re.fullmatch(r"t(\d+)_(.*)\.pt2", os.path.basename(path))
            if named:
                cases[named[2]].append((named[1], path))
        for same in cases.values():
            for version, path in same:
                for other, again in same:
                    if version != other:
                        self.between(path, again, f".pt2 of torch {version} and {other}")

    def between(self, path, again, name):
        with tempfile.TemporaryDirectory() as folder:
            common = ["--target", "torch@2.13"]
            shutil.copy(path, os.path.join(folder, "m.pt2"))
            before = check(self.program, folder, "m.pt2", *common, "--write-baseline", "--fail-on", "never")
            shutil.copy(again, os.path.join(folder, "m.pt2"))
            after = check(self.program, folder, "m.pt2", *common, "--baseline", "condlint.baseline.json")
        if before is None or after is None or not before.get("suppressed"):
            return
        met = rules_of(after["findings"]) + rules_of(known_of(after))
        wanted = rules_of(before["suppressed"]) & met
        kept = rules_of(known_of(after)) & wanted
        if wanted:
            self.count(name, kept.total(), wanted.total())
        if kept != wanted and "-v" in os.environ.get("FINGERPRINTS", ""):
            print(again, name, [f["message"] for f in after["findings"]], [f["message"] for f in before["suppressed"]])


def main():
    arguments = sys.argv[1:]
    limit = 200
    if "--limit" in arguments:
        at = arguments.index("--limit")
        limit = int(arguments[at + 1])
        del arguments[at:at + 2]
    if len(arguments) < 2:
        sys.exit(__doc__)
    measure = Measure(os.path.abspath(arguments[0]), limit)
    for path in arguments[1:]:
        if measure.variants >= limit:
            break
        measure.variants_of(path)
    measure.versions(arguments[1:])
    known, total = (sum(s[i] for s in measure.sums.values()) for i in (0, 1))
    for name, (kept, of) in measure.sums.items():
        print(f"{name}: {kept} of {of} findings kept")
    print(f"{measure.models} models, {measure.variants} exports anew: {known} of {total} kept ({100 * known / max(total, 1):.1f} %); "
          f"{measure.mistaken} mistaken in {measure.breaks} with another break")


if __name__ == "__main__":
    main()
