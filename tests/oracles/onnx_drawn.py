#!/usr/bin/env python3
"""Draws ONNX models with several conditionals, from a seed: what the OpenVINO oracle holds condlint against.

`draw(seed)` gives a model, which may be broken on purpose: branches that part in type, rank or size, predicates of any type and
rank, conditionals in Loop, Scan and functions and these in branches, sequences, optionals and strings.
"""
import random

import numpy as np
import onnx
from onnx import TensorProto as T
from onnx import helper as h
from onnx import numpy_helper as nh

UNARY = {T.FLOAT: ["Neg", "Abs", "Sin", "Tanh", "Sigmoid", "Relu", "Identity", "Floor"], T.INT64: ["Neg", "Abs", "Identity"],
         T.INT32: ["Neg", "Abs", "Identity"], T.BOOL: ["Not", "Identity"], T.STRING: ["Identity"]}
BINARY = {T.FLOAT: ["Add", "Sub", "Mul", "Max", "Min"], T.INT64: ["Add", "Sub", "Mul"], T.INT32: ["Add", "Sub"],
          T.BOOL: ["And", "Or", "Xor"]}
SYMBOL_SIZE = 3  # what inputs_of gives an open size
MOST_ELEMENTS = 400


class Value:
    """A tensor: its sizes are numbers, those that the file names (number, name)."""

    def __init__(self, name, dtype, dims, constant=False):
        self.name, self.dtype, self.dims, self.constant = name, dtype, list(dims), constant

    @property
    def sizes(self):
        return [d[0] if isinstance(d, tuple) else d for d in self.dims]

    def shape(self):
        return [d[1] if isinstance(d, tuple) else d for d in self.dims]


class Scope:
    def __init__(self, outer=None):
        self.nodes, self.values, self.initializers, self.outer = [], [], [], outer

    def visible(self):
        return self.values + (self.outer.visible() if self.outer else [])


class Drawing:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.count = 0
        self.opset = self.rng.choice([13, 16, 17, 17, 18, 21])
        self.inputs, self.functions = [], []

    def fresh(self, stem="v"):
        self.count += 1
        return f"{stem}{self.count}"

    # --- values -----------------------------------------------------------------
    def node(self, scope, op, inputs, outputs=None, **attributes):
        outputs = outputs or [self.fresh()]
        scope.nodes.append(h.make_node(op, [i.name if isinstance(i, Value) else i for i in inputs], outputs,
                                       name=self.fresh(op + "_"), **attributes))
        return outputs[0]

    def keep(self, scope, name, dtype, dims):
        made = Value(name, dtype, dims)
        scope.values.append(made)
        return made

    def constant(self, scope, array, node=None):
        name = self.fresh("k")
        if self.rng.random() < 0.5 if node is None else node:
            scope.nodes.append(h.make_node("Constant", [], [name], value=nh.from_array(np.asarray(array))))
        else:
            scope.initializers.append(nh.from_array(np.asarray(array), name))
        return name

    def pick(self, scope, wanted=lambda v: True):
        found = [v for v in scope.visible() if wanted(v)]
        return self.rng.choice(found) if found else None

    def computed(self, scope, v):
        """A step from `v` that keeps its type, its rank and its sizes."""
        r = self.rng.random()
        other = self.pick(scope, lambda o: o.dtype == v.dtype and o.dims == v.dims)
        if r < 0.4 and v.dtype in BINARY and other:
            return self.keep(scope, self.node(scope, self.rng.choice(BINARY[v.dtype]), [v, other]), v.dtype, v.dims)
        if r < 0.5 and v.dtype == T.FLOAT and v.dims:
            return self.keep(scope, self.node(scope, "Softmax", [v], axis=-1), v.dtype, v.dims)
        return self.keep(scope, self.node(scope, self.rng.choice(UNARY[v.dtype]), [v]), v.dtype, v.dims)

    def resized(self, scope, v):
        """Another size, the same rank."""
        if not v.dims or v.dtype == T.STRING:
            return v
        axis = self.rng.randrange(len(v.dims))
        dims = list(v.dims)
        if self.rng.random() < 0.5 and v.sizes[axis] > 1:
            name = self.node(scope, "Slice", [v, self.constant(scope, [0]), self.constant(scope, [v.sizes[axis] - 1]),
                                              self.constant(scope, [axis])])
            dims[axis] = v.sizes[axis] - 1
        else:
            name = self.node(scope, "Concat", [v, v], axis=axis)
            dims[axis] = 2 * v.sizes[axis]
        return self.keep(scope, name, v.dtype, dims)

    def reranked(self, scope, v):
        """Another rank."""
        r = self.rng.random()
        if r < 0.4 or not v.dims:
            axis = self.rng.randint(0, len(v.dims))
            name = self.node(scope, "Unsqueeze", [v, self.constant(scope, [axis])])
            return self.keep(scope, name, v.dtype, v.dims[:axis] + [1] + v.dims[axis:])
        ones = [i for i, s in enumerate(v.dims) if s == 1]
        if r < 0.6 and ones:
            name = self.node(scope, "Squeeze", [v, self.constant(scope, [ones[0]])])
            return self.keep(scope, name, v.dtype, v.dims[:ones[0]] + v.dims[ones[0] + 1:])
        if r < 0.8 and v.dtype == T.FLOAT:
            name = self.node(scope, "ReduceSum", [v, self.constant(scope, [0])], keepdims=0)
            return self.keep(scope, name, v.dtype, v.dims[1:])
        return self.keep(scope, self.node(scope, "Reshape", [v, self.constant(scope, [-1])]), v.dtype,
                         [int(np.prod(v.sizes))])

    def recast(self, scope, v):
        if v.dtype == T.STRING:
            return v
        to = self.rng.choice([t for t in (T.FLOAT, T.INT64, T.INT32, T.BOOL) if t != v.dtype])
        return self.keep(scope, self.node(scope, "Cast", [v], to=to), to, v.dims)

    def free(self, scope):
        """A value of any kind."""
        v = self.pick(scope)
        r = self.rng.random()
        if v.dtype == T.FLOAT and r < 0.08 and v.dims:
            name = self.node(scope, "NonZero", [v])
            return self.keep(scope, self.node(scope, "ReduceSum", [name, self.constant(scope, [1])], keepdims=1), T.INT64,
                             [len(v.dims), 1])
        if v.dtype == T.FLOAT and r < 0.14 and len(v.dims) == 2:
            return self.keep(scope, self.node(scope, "Transpose", [v], perm=[1, 0]), v.dtype, v.dims[::-1])
        if r < 0.2:
            return self.keep(scope, self.node(scope, "Shape", [v]), T.INT64, [len(v.dims)])
        if r < 0.3:
            return self.resized(scope, v)
        if r < 0.4:
            return self.reranked(scope, v)
        if r < 0.5:
            return self.recast(scope, v)
        return self.computed(scope, v)

    # --- predicates -------------------------------------------------------------
    def predicate(self, scope):
        rng = self.rng
        r = rng.random()
        flag = self.pick(scope, lambda v: v.dtype == T.BOOL and v.dims == [])
        if flag and r < 0.45:
            return flag if rng.random() < 0.6 else Value(self.node(scope, "Not", [flag]), T.BOOL, [])
        source = self.pick(scope, lambda v: v.dtype == T.FLOAT)
        if r < 0.75 and source:
            flat = self.node(scope, "Reshape", [source, self.constant(scope, [-1])])
            keepdims = int(rng.random() < 0.3)
            axes = {"axes": [0]} if self.opset < 18 else {}
            extra = [] if self.opset < 18 else [self.constant(scope, [0])]
            top = self.node(scope, "ReduceMax", [flat] + extra, keepdims=keepdims, **axes)
            limit = self.constant(scope, np.float32(rng.choice([0.0, 0.5, 1.0])))
            return Value(self.node(scope, "Greater", [top, limit]), T.BOOL, [1] * keepdims)
        if r < 0.82:
            any_flag = self.pick(scope, lambda v: v.dtype == T.BOOL)
            if any_flag:
                return any_flag
        if r < 0.87:
            number = self.pick(scope, lambda v: v.dtype in (T.FLOAT, T.INT64) and v.dims in ([], [1]))
            if number:
                return number
        if r < 0.92 and source:
            size = self.node(scope, "Size", [source])
            return Value(self.node(scope, "Greater", [size, self.constant(scope, np.int64(4))]), T.BOOL, [])
        shape = rng.choice([[], [], [1]])
        stored = self.constant(scope, np.full(shape, rng.random() < 0.5))
        return Value(stored if rng.random() < 0.6 else self.node(scope, "Not", [stored]), T.BOOL, shape)

    # --- conditionals -----------------------------------------------------------
    def declared(self, v):
        r = self.rng.random()
        if r < 0.1:
            return onnx.ValueInfoProto(name=v.name)
        return h.make_tensor_value_info(v.name, v.dtype, v.shape() if r < 0.7 else None)

    def result(self, scope, v, depth, given):
        """What a branch returns where `v` is what both are to return."""
        rng = self.rng
        r = rng.random()
        if r < 0.05:
            return given if given in scope.outer.visible() else v
        if r < 0.08 and v.dtype == T.FLOAT and not any(isinstance(d, tuple) for d in v.dims):
            return Value(self.constant(scope, np.full(v.sizes, 0.5, np.float32)), v.dtype, v.dims)
        if r < 0.17:
            return self.resized(scope, self.computed(scope, v))
        if r < 0.22:
            return self.reranked(scope, v)
        if r < 0.26:
            return self.recast(scope, v)
        return self.computed(scope, v)

    def branch(self, outer, targets, depth, name):
        rng = self.rng
        scope = Scope(outer)
        for _ in range(rng.choice([0, 0, 1, 2])):
            self.free(scope)
        if depth < 3 and rng.random() < 0.2:
            self.statement(scope, depth + 1)
        returned = []
        for v in targets:
            got = self.result(scope, v, depth, v)
            if got.name in [g.name for g in returned] or (got not in scope.values and rng.random() < 0.7):
                got = Value(self.node(scope, "Identity", [got]), got.dtype, got.dims)
            returned.append(got)
        if rng.random() < 0.03 and len(returned) > 1:
            returned.pop()
        elif rng.random() < 0.03:
            returned.append(self.computed(scope, rng.choice(targets)))
        return h.make_graph(scope.nodes, name, [], [self.declared(v) for v in returned], scope.initializers), returned

    def conditional(self, scope, depth):
        rng = self.rng
        targets = [self.pick(scope) for _ in range(rng.choice([1, 1, 1, 2, 3]))]
        predicate = self.predicate(scope)
        yes, first = self.branch(scope, targets, depth, self.fresh("then"))
        no, second = self.branch(scope, targets, depth, self.fresh("else"))
        names = [self.fresh("y") for _ in targets]
        self.node(scope, "If", [predicate], names, then_branch=yes, else_branch=no)
        for name, a, b in zip(names, first, second):
            if a.dtype == b.dtype and len(a.dims) == len(b.dims):
                if a.sizes == b.sizes:
                    self.keep(scope, name, a.dtype, a.dims)
                else:
                    # Whatever reads it must take both.
                    flat = self.node(scope, "Shape", [name])
                    self.keep(scope, flat, T.INT64, [len(a.dims)])
                    scope.values.append(Value(self.node(scope, "Size", [name]), T.INT64, []))
                    self.ends.append((scope, name, a.dtype))
            else:
                self.ends.append((scope, name, a.dtype))

    def loop(self, scope, depth):
        v = self.pick(scope, lambda v: v.dtype in (T.FLOAT, T.INT64))
        if v is None:
            return
        body = Scope(scope)
        i, go, carried = Value(self.fresh("i"), T.INT64, []), Value(self.fresh("go"), T.BOOL, []), Value(self.fresh("c"), v.dtype, v.dims)
        body.values = [i, go, carried]
        self.statement(body, depth + 1)
        out = self.computed(body, self.pick(body, lambda o: o.dtype == v.dtype and o.dims == v.dims) or carried)
        still = self.node(body, "Identity", [go])
        scanned = [self.computed(body, carried)] if self.rng.random() < 0.3 else []
        graph = h.make_graph(body.nodes, self.fresh("body"),
                             [h.make_tensor_value_info(b.name, b.dtype, b.shape()) for b in (i, go, carried)],
                             [h.make_tensor_value_info(still, T.BOOL, []), h.make_tensor_value_info(out.name, out.dtype, out.shape()),
                              *[h.make_tensor_value_info(s.name, s.dtype, s.shape()) for s in scanned]], body.initializers)
        trips = self.rng.randint(1, 3)
        names = [self.fresh("l") for _ in range(1 + len(scanned))]
        self.node(scope, "Loop", [self.constant(scope, np.int64(trips)), self.constant(scope, np.bool_(True)), v], names, body=graph)
        self.keep(scope, names[0], v.dtype, v.dims)
        if scanned:
            self.keep(scope, names[1], v.dtype, [trips] + v.dims)

    def scan(self, scope, depth):
        v = self.pick(scope, lambda v: v.dtype == T.FLOAT and v.dims)
        if v is None:
            return
        # What a Scan reads from around it OpenVINO takes for values that it carries, with or without an If.
        body = Scope()
        row = Value(self.fresh("row"), v.dtype, v.dims[1:])
        body.values = [row]
        self.statement(body, depth + 1)
        out = self.computed(body, self.pick(body, lambda o: o.dtype == v.dtype and o.dims == row.dims) or row)
        graph = h.make_graph(body.nodes, self.fresh("body"), [h.make_tensor_value_info(row.name, row.dtype, row.shape())],
                             [h.make_tensor_value_info(out.name, out.dtype, out.shape())], body.initializers)
        self.keep(scope, self.node(scope, "Scan", [v], body=graph, num_scan_inputs=1), v.dtype, v.dims)

    def sequence(self, scope, depth):
        rng = self.rng
        v = self.pick(scope, lambda v: v.dtype == T.FLOAT)
        if v is None:
            return
        at = self.constant(scope, np.int64(0))
        how = rng.randrange(4)
        if how == 0 and v.dims:
            made = self.node(scope, "SplitToSequence", [v], axis=0, keepdims=1)
            got = [1] + v.dims[1:]
        else:
            made = self.node(scope, "SequenceConstruct", [v] * rng.randint(1, 3))
            got = v.dims
        if how == 1:
            graphs = []
            for name in ("then", "else"):
                inner = Scope(scope)
                out = self.node(inner, "SequenceConstruct", [self.computed(inner, v) for _ in range(rng.randint(1, 2))])
                graphs.append(h.make_graph(inner.nodes, self.fresh(name), [],
                                           [h.make_tensor_sequence_value_info(out, T.FLOAT, None)], inner.initializers))
            made = self.node(scope, "If", [self.predicate(scope)], then_branch=graphs[0], else_branch=graphs[1])
        if rng.random() < 0.3:
            self.keep(scope, self.node(scope, "SequenceLength", [made]), T.INT64, [])
        elif rng.random() < 0.3 and v.dims:
            self.ends.append((scope, self.node(scope, "ConcatFromSequence", [made], axis=0), T.FLOAT))
        else:
            self.keep(scope, self.node(scope, "SequenceAt", [made, at]), T.FLOAT, got)

    def optional(self, scope, depth):
        v = self.pick(scope, lambda v: v.dtype == T.FLOAT)
        if v is None:
            return
        made = self.node(scope, "Optional", [v])
        self.keep(scope, self.node(scope, "OptionalGetElement", [made]), v.dtype, v.dims)

    def call(self, scope, depth):
        v = self.pick(scope, lambda v: v.dtype == T.FLOAT)
        flag = self.pick(scope, lambda v: v.dtype == T.BOOL and v.dims == [])
        if v is None or flag is None:
            return
        name = self.fresh("Choose")
        inner = Scope()
        yes = h.make_graph([h.make_node("Neg", ["x"], ["t"])], "yes", [], [onnx.ValueInfoProto(name="t")])
        no = h.make_graph([h.make_node("Abs", ["x"], ["e"])], "no", [], [onnx.ValueInfoProto(name="e")])
        self.node(inner, "If", ["p"], ["o"], then_branch=yes, else_branch=no)
        self.functions.append(h.make_function("local", name, ["p", "x"], ["o"], inner.nodes, [h.make_opsetid("", self.opset)]))
        out = self.fresh()
        scope.nodes.append(h.make_node(name, [flag.name, v.name], [out], domain="local"))
        self.keep(scope, out, v.dtype, v.dims)

    def statement(self, scope, depth):
        r = self.rng.random()
        if r < 0.7 or depth > 2:
            self.conditional(scope, depth)
        elif r < 0.79:
            self.loop(scope, depth)
        elif r < 0.86:
            self.scan(scope, depth)
        elif r < 0.95:
            self.sequence(scope, depth)
        elif r < 0.97 and depth > 0:
            self.optional(scope, depth)
        else:
            self.call(scope, depth)

    def model(self):
        rng = self.rng
        self.ends = []
        scope = Scope()
        shapes = [[4], [2, 3], [(SYMBOL_SIZE, "n")], [(SYMBOL_SIZE, "n"), 2], [1], [], [1, 4], [2, 1, 2]]
        given = [Value("p", T.BOOL, []), Value("x", T.FLOAT, rng.choice(shapes)), Value("w", T.FLOAT, rng.choice(shapes))]
        given += rng.sample([Value("q", T.BOOL, rng.choice([[], [1], [1, 1], [3]])), Value("k", T.INT64, rng.choice([[], [1], [3]])),
                             Value("s", T.STRING, [2])], rng.choice([0, 1, 1, 2]))
        scope.values = list(given)
        for _ in range(rng.randint(1, 3)):
            for _ in range(rng.randint(0, 3)):
                self.free(scope)
            self.statement(scope, 0)
        made = [v for v in scope.values if v not in given and np.prod(v.sizes) <= MOST_ELEMENTS]
        results = made[-rng.randint(1, 4):]
        outputs = [h.make_tensor_value_info(v.name, v.dtype, v.shape() if rng.random() < 0.5 else None) for v in results]
        outputs += [h.make_tensor_value_info(n, t, None) for s, n, t in self.ends if s is scope]
        graph = h.make_graph(scope.nodes, "drawn", [h.make_tensor_value_info(v.name, v.dtype, v.shape()) for v in given],
                             outputs, scope.initializers)
        domains = [h.make_opsetid("", self.opset)] + ([h.make_opsetid("local", 1)] if self.functions else [])
        return h.make_model(graph, opset_imports=domains, ir_version=8 if self.opset < 21 else 10, functions=self.functions)


def draw(seed):
    return Drawing(seed).model()


if __name__ == "__main__":
    import sys
    print(onnx.printer.to_text(draw(int(sys.argv[1]))))
