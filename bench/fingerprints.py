#!/usr/bin/env python3
"""Measures how many findings of a baseline are known again when a model is exported anew.

Usage: fingerprints.py PROGRAM [--limit N] MODEL.onnx...

Of each model with findings four variants are made that another export could have made: every value and node has another
name, modules have another name, layers are inserted before and between, and all of it at once. The baseline of the model
is applied to each: what is found must be known (`kept`). Then one break becomes another (an output of a branch is cast to
another dtype): what is new must not be taken for what was known (`mistaken`). Prints the sums; needs onnx.
"""
import copy
import json
import os
import subprocess
import sys
import tempfile

import onnx
from onnx import TensorProto, helper


def graphs_of(graph):
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                yield from graphs_of(attribute.g)
            for each in attribute.graphs:
                yield from graphs_of(each)


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
    for graph in graphs_of(model.graph):
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
        for inner in graphs_of(graph):
            for node in inner.node:
                node.input[:] = [value.name + "_new" if n == value.name else n for n in node.input]
    for i, node in enumerate(inserted):
        graph.node.insert(i, node)
    if graph.input:
        graph.node.insert(0, helper.make_node("Shape", [graph.input[0].name], ["shape_new"], name="/new/Shape"))
    return model


VARIANTS = {
    "renumbered": lambda m: renamed(m, lambda n, i: f"v{i + 1000}", lambda n, i: f"n{i + 1000}"),
    "renamed": lambda m: renamed(m, lambda n, i: "/outer/block.3" + ("" if n.startswith("/") else "/") + n, lambda n, i: "/outer" + n),
    "layers": with_layers,
    "all": lambda m: renamed(with_layers(m), lambda n, i: f"x_{i}", lambda n, i: f"node_{i}"),
}


def another_break(model):
    """The model with the first output of one branch cast to float64, which no other is; None where there is no If."""
    model = copy.deepcopy(model)
    for graph in graphs_of(model.graph):
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


def check(program, folder, *more):
    done = subprocess.run([program, "check", "m.onnx", "--no-config", "--output", "json", *more], cwd=folder, capture_output=True,
                          text=True, check=False, timeout=120)
    return json.loads(done.stdout) if done.stdout else None


def main():
    arguments = sys.argv[1:]
    limit = 200
    if "--limit" in arguments:
        at = arguments.index("--limit")
        limit = int(arguments[at + 1])
        del arguments[at:at + 2]
    if len(arguments) < 2:
        sys.exit(__doc__)
    program = os.path.abspath(arguments[0])
    sums = {}
    models = variants = breaks = mistaken = 0
    for path in arguments[1:]:
        if variants >= limit:
            break
        try:
            model = onnx.load(path, load_external_data=False)
            if len(model.functions):
                continue  # whose names are part of what they are
        except Exception:  # what is broken is exported by nobody
            continue
        with tempfile.TemporaryDirectory() as folder:
            place = os.path.join(folder, "m.onnx")
            onnx.save(model, place)
            before = check(program, folder, "--write-baseline", "--fail-on", "never")
            if before is None or before["inputs"][0]["status"] != "ok" or not before.get("suppressed"):
                continue
            if any(f["rule"] in ("graph-malformed", "value-undefined") for f in before["suppressed"]):
                continue
            models += 1
            for name, make in VARIANTS.items():
                onnx.save(make(model), place)
                after = check(program, folder, "--baseline", "condlint.baseline.json")
                if after is None or after["inputs"][0]["status"] != "ok":
                    continue
                variants += 1
                kept = sum(f["suppression"]["kind"] == "baseline" for f in after.get("suppressed", []))
                known, total = sums.get(name, (0, 0))
                wanted = len(before["suppressed"])
                sums[name] = (known + min(kept, wanted), total + wanted)
                if kept < wanted and "-v" in os.environ.get("FINGERPRINTS", ""):
                    print(path, name, [f["message"] for f in after["findings"]])
            other = another_break(model)
            if other is not None:
                onnx.save(other, place)
                after = check(program, folder, "--baseline", "condlint.baseline.json")
                if after is not None and after["inputs"][0]["status"] == "ok":
                    old = {f["message"] for f in before["suppressed"]}
                    taken = [f for f in after.get("suppressed", []) if "float64" in f["message"] and f["message"] not in old]
                    breaks += 1
                    mistaken += len(taken)
                    if taken and os.environ.get("FINGERPRINTS"):
                        print(path, "mistaken", [f["message"] for f in taken])
    known, total = (sum(s[i] for s in sums.values()) for i in (0, 1))
    for name, (kept, of) in sums.items():
        print(f"{name}: {kept} of {of} findings kept")
    print(f"{models} models, {variants} exports anew: {known} of {total} kept ({100 * known / max(total, 1):.1f} %); "
          f"{mistaken} mistaken in {breaks} with another break")


if __name__ == "__main__":
    main()
