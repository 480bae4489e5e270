#!/usr/bin/env python3
"""Draws ONNX models of one node, from a seed: what the oracle of ONNX Runtime (onnx_node_oracle.py) holds condlint against.

`Nodes().draw(seed)` gives a model, its inputs and what was drawn. The node is one of onnx's own node tests of which up to two things are
changed (a type, a rank, a size, a value, an attribute, an operand that is left out), or it is drawn from the operator's schema: any
version, types that the schema admits or others, ranks that go together or do not. It stands by itself, or in a branch of an If.
"""
import copy
import random
import warnings

import numpy as np
import onnx
from onnx import AttributeProto as A
from onnx import TensorProto as T
from onnx import helper as h
from onnx import numpy_helper as nh

DTYPES = [T.FLOAT, T.DOUBLE, T.FLOAT16, T.INT32, T.INT64, T.BOOL, T.UINT8, T.INT8, T.STRING, T.INT16, T.UINT16, T.UINT32, T.UINT64]
NAMED = {f"tensor({T.DataType.Name(t).lower()})": t for t in DTYPES}
# What holds graphs, and what no two systems answer alike.
LEFT_OUT = {"If", "Loop", "Scan", "SequenceMap", "FlexAttention", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike",
            "Bernoulli", "Multinomial", "ImageDecoder"}
INTS = [-3, -2, -1, 0, 1, 1, 2, 2, 3, 4, 100]
FLOATS = [-1.0, 0.0, 0.5, 1.0, 2.0, 1e30]
WORDS = ["NOTSET", "SAME_UPPER", "VALID", "forward", "reverse", "bidirectional", "nearest", "linear", "constant", "reflect", "edge", "DCR",
         "CRD", "mean", "sum", "none", "add", "mul", "max", "LEFT", "tanh", "Tanh", "relu", "SOFTMAX", "TFIDF", "", "other"]
LAST_OPSET = 25  # the newest that onnxruntime 1.32 promises
MOST_SIZE = 4


def cast(array, to):
    if to == T.STRING:
        return array.astype(str).astype(object)
    if array.dtype == object:
        return np.ones(array.shape, h.tensor_dtype_to_np_dtype(to))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return array.astype(h.tensor_dtype_to_np_dtype(to))


def node_tests():
    """(model, inputs) of onnx's node tests of one node, of tensors alone; by operator."""
    from onnx.backend.test.case.node import collect_testcases
    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = collect_testcases(None)
    for case in cases:
        graph = case.model.graph
        plain = all(v.type.WhichOneof("value") == "tensor_type" for v in [*graph.input, *graph.output])
        if len(graph.node) != 1 or not plain or not case.data_sets or graph.node[0].op_type in LEFT_OUT or case.model.functions:
            continue
        given = [nh.to_array(a) if isinstance(a, onnx.TensorProto) else np.asarray(a) for a in case.data_sets[0][0]]
        if len(given) == len(graph.input) and all(a.dtype.kind in "biufOU" and a.size < 20000 for a in given):
            found.setdefault(graph.node[0].op_type, []).append((case.model, given))
    return found


class Drawing:
    """One node with its operands: arrays by name, which the model stores or is fed."""

    def __init__(self, rng, node, opsets, operands, dtypes, what):
        self.rng, self.node, self.opsets, self.what = rng, node, opsets, what
        self.operands, self.dtypes = operands, dtypes

    def changed(self):
        kinds = ["dtype", "dtype", "rank", "size", "value", "attribute", "attribute", "unset", "drop"]
        kind = self.rng.choice(kinds)
        names = [n for n in self.operands]
        if kind in ("dtype", "rank", "size", "value"):
            if names:
                self.change_operand(self.rng.choice(names), kind)
        elif kind == "drop" and self.node.input:
            place = self.rng.randrange(len(self.node.input))
            self.node.input[place] = ""
            self.what.append(f"operand {place} left out")
        elif self.node.attribute:
            self.change_attribute(self.rng.choice(list(self.node.attribute)), kind)

    def change_operand(self, name, kind):
        rng, array = self.rng, self.operands[name]
        if kind == "dtype":
            self.dtypes[name] = rng.choice(DTYPES)
            array = cast(array, self.dtypes[name])
        elif kind == "rank":
            array = array[None] if rng.random() < 0.5 or array.ndim == 0 or array.shape[0] == 0 else array[:1].reshape(array.shape[1:])
        elif kind == "size" and array.ndim:
            axis = rng.randrange(array.ndim)
            shorter = array.take(range(max(array.shape[axis] - 1, 0)), axis=axis)
            array = shorter if rng.random() < 0.5 else np.concatenate([array, array.take(range(min(array.shape[axis], 1)), axis=axis)], axis)
        elif kind == "value" and array.dtype.kind in "iu":
            array = np.full(array.shape, abs(rng.choice(INTS)) if array.dtype.kind == "u" else rng.choice(INTS), array.dtype)
        self.operands[name] = array
        self.what.append(f"{kind} of {name}: {T.DataType.Name(self.dtypes[name])}{list(array.shape)}")

    def change_attribute(self, attribute, kind):
        rng = self.rng
        if kind == "unset":
            self.node.attribute.remove(attribute)
        elif attribute.type == A.INT:
            attribute.i = rng.choice(INTS)
        elif attribute.type == A.FLOAT:
            attribute.f = rng.choice(FLOATS)
        elif attribute.type == A.STRING:
            attribute.s = rng.choice([attribute.s.lower(), attribute.s.upper(), rng.choice(WORDS).encode()])
        elif attribute.type in (A.INTS, A.FLOATS, A.STRINGS):
            held = {A.INTS: attribute.ints, A.FLOATS: attribute.floats, A.STRINGS: attribute.strings}[attribute.type]
            more = {A.INTS: rng.choice(INTS), A.FLOATS: rng.choice(FLOATS), A.STRINGS: rng.choice(WORDS).encode()}[attribute.type]
            how = rng.random()
            if how < 0.3 or not held:
                held.append(more)
            elif how < 0.6:
                held.pop()
            else:
                held[rng.randrange(len(held))] = more
        self.what.append(f"{kind} {attribute.name}")

    def stored(self, name):
        """What says sizes, axes and the like mostly stands in the file; so must what cannot be fed."""
        array = self.operands[name]
        exotic = array.dtype.name not in ("bool", "object") and array.dtype.kind not in "iuf"
        return exotic or self.rng.random() < (0.7 if array.dtype.kind == "i" and array.ndim <= 1 and name != self.node.input[0] else 0.1)

    def model(self, in_branch):
        """(model, arrays of its inputs)."""
        stored = [n for n in self.operands if self.stored(n)]
        fed = [n for n in self.operands if n not in stored]
        open_sizes = self.rng.random() < 0.3
        inputs = [h.make_tensor_value_info(n, self.dtypes[n], [f"{n}_{i}" if open_sizes else s for i, s in enumerate(self.operands[n].shape)])
                  for n in fed]
        held = [nh.from_array(self.operands[n], n) for n in stored]
        arrays = [self.operands[n] for n in fed]
        outputs = [o for o in self.node.output if o]
        bare = h.make_model(h.make_graph([self.node], "drawn", inputs, [onnx.ValueInfoProto(name=o) for o in outputs], held),
                            opset_imports=self.opsets, ir_version=10)
        types = result_types(bare, arrays, outputs)
        if not in_branch:
            for o, t in zip(bare.graph.output, types):
                o.type.CopyFrom(h.make_tensor_type_proto(t[0], [None] * t[1]))
            return bare, arrays
        other = [h.make_node("Identity", [f"other_{i}"], [f"else_{i}"]) for i in range(len(outputs))]
        for i, (dtype, rank) in enumerate(types):
            inputs.append(h.make_tensor_value_info(f"other_{i}", dtype, [f"q{i}_{a}" for a in range(rank)]))
            arrays.append(np.full([1] * rank, "a", object) if dtype == T.STRING else np.zeros([1] * rank, h.tensor_dtype_to_np_dtype(dtype)))
        then = h.make_graph([self.node], "then", [], [onnx.ValueInfoProto(name=o) for o in outputs], held)
        otherwise = h.make_graph(other, "else", [], [onnx.ValueInfoProto(name=n.output[0]) for n in other])
        chosen = h.make_node("If", ["flag"], [f"r{i}" for i in range(len(outputs))], then_branch=then, else_branch=otherwise)
        results = [h.make_tensor_value_info(f"r{i}", dtype, [None] * rank) for i, (dtype, rank) in enumerate(types)]
        graph = h.make_graph([chosen], "drawn", [*inputs, h.make_tensor_value_info("flag", T.BOOL, [])], results)
        opsets = self.opsets if any(not o.domain for o in self.opsets) else [*self.opsets, h.make_opsetid("", 17)]
        return h.make_model(graph, opset_imports=opsets, ir_version=10), [*arrays, np.array(True)]


def result_types(model, arrays, outputs):
    """(dtype, rank) of each result: as onnx infers it, else as ONNX Runtime computes it, else float32 of rank 1."""
    try:
        inferred = onnx.shape_inference.infer_shapes(model)
        types = {v.name: v.type.tensor_type for v in [*inferred.graph.output, *inferred.graph.value_info]}
    except Exception:
        types = {}
    found = [(types[o].elem_type, len(types[o].shape.dim)) if o in types and types[o].HasField("shape") else None for o in outputs]
    if None in found:
        try:
            made = computed(model, arrays)
            found = [f or (h.np_dtype_to_tensor_dtype(v.dtype) if v.dtype != object else T.STRING, v.ndim) for f, v in zip(found, made)]
        except Exception:
            found = [f or (types[o].elem_type or T.FLOAT if o in types else T.FLOAT, 1) for f, o in zip(found, outputs)]
    return found


def computed(model, arrays):
    import onnxruntime as ort
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    session = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, {i.name: a for i, a in zip(session.get_inputs(), arrays)})


class Nodes:
    def __init__(self):
        self.tests = node_tests()
        self.schemas = {}
        for s in onnx.defs.get_all_schemas_with_history():
            if s.domain in ("", "ai.onnx.ml") and not s.deprecated and s.name not in LEFT_OUT and s.since_version <= LAST_OPSET:
                if not any("seq(" in t or "optional(" in t or "map(" in t for c in s.type_constraints for t in c.allowed_type_strs[:1]):
                    self.schemas.setdefault((s.domain, s.name), []).append(s)

    def from_test(self, rng):
        op = rng.choice(sorted(self.tests))
        model, given = rng.choice(self.tests[op])
        model = copy.deepcopy(model)
        names = [v.name for v in model.graph.input]
        dtypes = {v.name: v.type.tensor_type.elem_type for v in model.graph.input}
        opsets = [h.make_opsetid(o.domain, min(o.version, LAST_OPSET) if not o.domain else o.version) for o in model.opset_import]
        drawn = Drawing(rng, model.graph.node[0], opsets, dict(zip(names, (a.copy() for a in given))), dtypes, [op])
        for _ in range(rng.choice([0, 1, 1, 1, 2])):
            drawn.changed()
        return drawn

    def from_schema(self, rng):
        domain, name = rng.choice(sorted(self.schemas))
        schema = rng.choice(sorted(self.schemas[domain, name], key=lambda s: s.since_version)[-3:])
        constraints = {c.type_param_str: c.allowed_type_strs for c in schema.type_constraints}
        count = rng.randint(schema.min_input, min(schema.max_input, max(schema.min_input, len(schema.inputs), 3)))
        common = [rng.randint(1, MOST_SIZE) for _ in range(rng.choice([0, 1, 2, 2, 3, 3, 4, 4, 5]))]
        bound, operands, dtypes, inputs = {}, {}, {}, []
        for place in range(count):
            formal = schema.inputs[min(place, len(schema.inputs) - 1)]
            if formal.option == onnx.defs.OpSchema.FormalParameterOption.Optional and rng.random() < 0.4:
                inputs.append("")
                continue
            allowed = [NAMED[t] for t in sorted(constraints.get(formal.type_str, [formal.type_str])) if t in NAMED] or DTYPES
            dtype = bound.setdefault(formal.type_str, rng.choice(allowed if rng.random() < 0.7 or T.FLOAT not in allowed else [T.FLOAT]))
            if rng.random() < 0.03:
                dtype = rng.choice(DTYPES)
            shape = list(common)
            how = rng.random()
            if place and how < 0.3:
                shape = [rng.randint(1, MOST_SIZE) for _ in range(rng.randint(0, 2))]
            elif place and how < 0.5:
                shape = [1 if rng.random() < 0.4 else s for s in common[rng.randint(0, len(common)):]]
            values = np.array([rng.choice([0, 1, 1, 2, 2, 3, -1, -2]) for _ in range(int(np.prod(shape)))], np.float32).reshape(shape)
            values = values if dtype not in (T.UINT8, T.UINT16, T.UINT32, T.UINT64) else np.abs(values)
            values = values + np.float32(0.25) if dtype in (T.FLOAT, T.DOUBLE, T.FLOAT16) else values
            operands[f"x{place}"], dtypes[f"x{place}"] = np.asarray(cast(values, dtype)), dtype
            inputs.append(f"x{place}")
        outputs = max(schema.min_output, rng.randint(schema.min_output, min(schema.max_output, 4)))
        node = h.make_node(name, inputs, [f"y{i}" for i in range(outputs)], domain=domain)
        for a in schema.attributes.values():
            if a.required or rng.random() < 0.3:
                node.attribute.extend(self.attribute(rng, a))
        opsets = [h.make_opsetid(domain, schema.since_version)] + ([h.make_opsetid("", 17)] if domain else [])
        return Drawing(rng, node, opsets, operands, dtypes, [f"{name}-{schema.since_version} drawn"])

    @staticmethod
    def attribute(rng, schema):
        kind = schema.type
        made = {onnx.defs.OpSchema.AttrType.INT: lambda: rng.choice([0, 1, 1, 2, -1, 7]),
                onnx.defs.OpSchema.AttrType.FLOAT: lambda: rng.choice(FLOATS),
                onnx.defs.OpSchema.AttrType.STRING: lambda: rng.choice(WORDS),
                onnx.defs.OpSchema.AttrType.INTS: lambda: [rng.choice([0, 1, 1, 2, 3, -1]) for _ in range(rng.randint(1, 4))],
                onnx.defs.OpSchema.AttrType.FLOATS: lambda: [rng.choice(FLOATS) for _ in range(rng.randint(1, 4))],
                onnx.defs.OpSchema.AttrType.STRINGS: lambda: [rng.choice(WORDS) for _ in range(rng.randint(1, 3))]}
        return [h.make_attribute(schema.name, made[kind]())] if kind in made else []

    def draw(self, seed):
        """(what was drawn, model, arrays of its inputs)."""
        rng = random.Random(seed)
        for _ in range(20):
            drawn = self.from_test(rng) if rng.random() < 0.6 else self.from_schema(rng)
            if not any(drawn.node.output):
                continue
            in_branch = rng.random() < 0.5
            try:
                model, arrays = drawn.model(in_branch)
                model.SerializeToString()
            except (ValueError, TypeError, NotImplementedError):
                continue  # types that numpy lacks
            if all(a.dtype.kind in "biufOU" for a in arrays):
                return ("branch: " if in_branch else "bare: ") + "; ".join(drawn.what), model, arrays
        return None


if __name__ == "__main__":
    import sys
    told, made, _ = Nodes().draw(int(sys.argv[1]))
    print(told)
    print(onnx.printer.to_text(made))
