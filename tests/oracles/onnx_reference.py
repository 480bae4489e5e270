#!/usr/bin/env python3
"""What an ONNX model computes: inputs drawn for it, and the outputs of ONNX Runtime, else of onnx's reference evaluator.

As a program it is the worker that `worker.Worker` starts: a model on standard input, an answer on standard output, so that what
crashes takes nobody with it.
"""
import itertools
import json
import os
import sys

import numpy as np
import onnx
from onnx import TensorProto as T
from onnx import helper as h

from onnx_graphs import graphs_in

MOST_INPUTS = 8


def draw(value, sizes, rng, place):
    """An array for the graph input `value`, or nothing where it is no tensor."""
    kind = value.type.WhichOneof("value")
    if kind != "tensor_type" or not value.type.tensor_type.elem_type:
        return None
    tensor = value.type.tensor_type
    shape = []
    if tensor.HasField("shape"):
        for dim in tensor.shape.dim:
            shape.append(dim.dim_value if dim.HasField("dim_value") else sizes.setdefault(dim.dim_param or id(dim), 3))
    count = int(np.prod(shape)) if shape else 1
    if count > 1 << 22:
        return None
    if tensor.elem_type == T.STRING:
        return np.array([["a", "b", ""][(place + i) % 3] for i in range(count)], object).reshape(shape)
    dtype = h.tensor_dtype_to_np_dtype(tensor.elem_type)
    if tensor.elem_type == T.BOOL:
        return np.array([(place + i) % 2 == 0 for i in range(count)]).reshape(shape)
    if tensor.elem_type in (T.FLOAT, T.DOUBLE, T.FLOAT16, T.BFLOAT16):
        values = rng.standard_normal(count) * 1.5
        if count == 1:
            values = np.array([[0.5, -0.5, 0.0, 2.0, 1.0][place % 5]])
        return values.astype(dtype).reshape(shape)
    values = np.array([[2, 0, 1, 3, 256][place % 5]]) if count == 1 else rng.integers(0, 4, count)
    return values.astype(dtype).reshape(shape)


def input_names(model):
    held = {i.name for i in model.graph.initializer}
    return [v.name for v in model.graph.input if v.name not in held]


def inputs_of(model):
    """Lists of arrays in the order of the inputs; each bool both ways where there are few."""
    held = {i.name for i in model.graph.initializer}
    wanted = [v for v in model.graph.input if v.name not in held]
    flags = [i for i, v in enumerate(wanted) if v.type.tensor_type.elem_type == T.BOOL]
    ways = list(itertools.product((True, False), repeat=min(len(flags), 3)))
    rng = np.random.default_rng(7)
    found = []
    for place in range(max(MOST_INPUTS if not flags else len(ways), 5)):
        sizes = {}
        values = [draw(v, sizes, rng, place) for v in wanted]
        if any(v is None for v in values):
            return []
        for i, way in zip(flags, ways[place % len(ways)]):
            values[i][...] = way
        found.append(values)
    return found[:MOST_INPUTS]


def forced(model):
    """The model with an input in the place of each bool predicate that is computed; nothing where there is none."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    outer = {v.name for v in copy.graph.input} | {i.name for i in copy.graph.initializer}
    changed = 0
    try:
        typed = onnx.shape_inference.infer_shapes(model)
    except Exception:
        return None
    types = {v.name: v.type.tensor_type for g in graphs_in(typed.graph) for v in g.value_info}
    for g in graphs_in(copy.graph):
        constant = {n.output[0] for n in g.node if n.op_type == "Constant"} | {i.name for i in g.initializer}
        for node in g.node:
            if node.op_type != "If" or len(node.input) != 1 or node.input[0] in outer | constant or changed == 3:
                continue
            t = types.get(node.input[0])
            if t is None or t.elem_type != T.BOOL:
                continue
            shape = [1] * len(t.shape.dim) if t.HasField("shape") else []
            name = f"forced_predicate_{changed}"
            copy.graph.input.append(h.make_tensor_value_info(name, T.BOOL, shape))
            node.input[0] = name
            changed += 1
    return copy if changed else None


def saved(path, prefix):
    with np.load(path, allow_pickle=False) as arrays:
        return [arrays[f"{prefix}{i}"] for i in range(len(arrays.files))]


def plain_arrays(values):
    """Strings and bfloat16 as .npz keeps them without a pickle."""
    out = []
    for v in values:
        v = np.asarray(v)
        if v.dtype == object:
            v = v.astype(str)
        elif v.dtype.kind == "V" or v.dtype.name == "bfloat16":
            v = v.view(np.uint16)
        out.append(v)
    return out


def compute(path, inputs, outputs):
    """Runs the model on each file of `inputs`; says with what, and which of them ran."""
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    by, ran, error = "onnxruntime", [], ""
    try:
        session = ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        given = session.get_inputs()
        def run(values):
            return session.run(None, dict(zip([i.name for i in given], values)))
    except Exception as why:
        error = str(why)
        by = "onnx"
        from onnx.reference import ReferenceEvaluator
        try:
            evaluator = ReferenceEvaluator(path)
        except Exception as again:
            return {"by": "nothing", "ran": [], "error": error + " / " + str(again)}
        names = evaluator.input_names
        def run(values):
            return evaluator.run(None, dict(zip(names, values)))
    for place, (source, target) in enumerate(zip(inputs, outputs)):
        values = saved(source, "in")
        try:
            values = [v.astype(object) if v.dtype.kind == "U" else v for v in values]
            results = run(values)
            if all(isinstance(r, (np.ndarray, np.generic)) for r in results):
                np.savez(target, **{f"out{i}": v for i, v in enumerate(plain_arrays(results))})
                ran.append(place)
        except Exception as why:
            error = error or str(why)
    return {"by": by, "ran": ran, "error": error}


if __name__ == "__main__":
    # What ONNX Runtime prints is not an answer.
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        task = json.loads(line)
        print(json.dumps(compute(task["model"], task["inputs"], task["outputs"])), file=out, flush=True)
