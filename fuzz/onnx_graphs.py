"""Random ONNX graphs, and what ONNX Runtime makes of them."""
import math
import os

import numpy
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from graphs import EPS, Generator, Scope, Value, broadcast

TYPES = {"float32": TensorProto.FLOAT, "float64": TensorProto.DOUBLE, "int64": TensorProto.INT64, "int32": TensorProto.INT32,
         "bool": TensorProto.BOOL}
OPSET = 18


class Graphs(Generator):
    def __init__(self, rng):
        super().__init__(rng)
        self.node_count = self.conditional_count = 0
        self.makers = [self.unary] * 3 + [self.exact_unary] * 2 + [self.binary] * 4 + [self.compare, self.logic, self.where,
                       self.reduction, self.reduction, self.transposed, self.reshaped, self.concat, self.sliced, self.gather,
                       self.matmul, self.softmax, self.argmax, self.cumsum, self.cast, self.clip, self.pad, self.tile,
                       self.expand, self.squeezed, self.split, self.pool, self.conv, self.layernorm, self.onehot, self.trilu,
                       self.rounding, self.loop, self.gemm, self.einsum, self.scatter, self.shape_of, self.extreme,
                       self.gather_nd]

    # --- emitting ---------------------------------------------------------------
    def node(self, scope, op, inputs, count=1, **attributes):
        names = [self.fresh() for _ in range(count)]
        scope.nodes.append(helper.make_node(op, [i.name if isinstance(i, Value) else i for i in inputs], names, **attributes))
        self.node_count += 1
        return names[0] if count == 1 else names

    def constant(self, scope, array):
        name = self.fresh()
        scope.nodes.append(helper.make_node("Constant", [], [name], value=numpy_helper.from_array(numpy.asarray(array))))
        return name

    def make(self, folder, _):
        scope = Scope()
        inputs = self.inputs()
        scope.values = list(inputs)
        arrays = self.data(inputs, numpy)
        self.grow(scope, self.rng.randint(4, 20))
        self.conditional(scope)
        outputs = [v for v in scope.values if v not in inputs][-6:]
        if not outputs:
            outputs = [self.keeps(inputs[0], self.node(scope, "Identity", [inputs[0]]), inputs[0].shape)]
        info = lambda v: helper.make_tensor_value_info(v.name, TYPES[v.dtype], v.shape)
        graph = helper.make_graph(scope.nodes, "g", [info(v) for v in inputs], [info(v) for v in outputs])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
        path = os.path.join(folder, "m.onnx")
        onnx.save(model, path)
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4
        try:
            session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        except onnxruntime.capi.onnxruntime_pybind11_state.NotImplemented as error:
            raise NotImplementedError(str(error).split(":")[-1].split(" node")[0].strip()) from error
        except onnxruntime.capi.onnxruntime_pybind11_state.Fail as error:
            onnx.checker.check_model(path, full_check=True)  # raises where the model itself is wrong
            raise NotImplementedError("ONNX Runtime does not load what onnx's checker accepts") from error
        try:
            wanted = session.run(None, {v.name: a for v, a in zip(inputs, arrays)})
        except onnxruntime.capi.onnxruntime_pybind11_state.Fail as error:
            # A fault of its own says nothing of ours.
            raise NotImplementedError("ONNX Runtime itself stops, with a Missing Input" if "Missing Input" in str(error) else str(error)) from error
        return path, onnx.printer.to_text(model), outputs, arrays, wanted

    # --- operators --------------------------------------------------------------
    def unary(self, scope):
        op, slope, top = self.rng.choice([("Tanh", 1, 1), ("Sigmoid", 0.25, 1), ("Sin", 1, 1), ("Cos", 1, 1), ("Erf", 1.2, 1),
                                          ("Softplus", 1, None), ("Elu", 1, None), ("Selu", 1.8, None), ("Softsign", 1, 1),
                                          ("Atan", 1, 2), ("HardSigmoid", 0.2, 1), ("HardSwish", 2, None), ("Celu", 1, None),
                                          ("Exp", None, None), ("Sqrt", None, None), ("Log", None, None), ("Gelu", None, None)])
        single = ("Erf", "Softplus", "Selu", "HardSwish", "Celu", "Softsign", "Atan")
        v = self.pick(scope, lambda v: v.dtype == "float32" or (v.floating and op not in single))
        if v is None or op == "Gelu":
            return None
        if op == "Exp":
            if v.top > 6:
                return None
            slope = top = math.exp(v.top)
        elif op in ("Sqrt", "Log"):
            # Of something that is 1 at least.
            v = self.smooth(v, self.node(scope, "Add", [self.node(scope, "Abs", [v]), self.constant(scope, numpy.array(1, v.dtype))]),
                            1, v.top + 1)
            slope, top = 1, max(1.0, math.sqrt(v.top))
        return self.smooth(v, self.node(scope, op, [v]), slope, top or 2 * v.top + 2)

    def exact_unary(self, scope):
        op = self.rng.choice(["Neg", "Abs", "Relu", "Identity", "LeakyRelu"])
        v = self.pick(scope, lambda v: v.floating or (v.dtype != "bool" and op in ("Neg", "Abs")) or op == "Identity")
        if v is None:
            return None
        if op == "LeakyRelu":
            out = self.keeps(v, self.node(scope, op, [v], alpha=0.25), v.shape)
            return Value(out.name, v.dtype, v.shape, v.top, v.error, v.grain and v.grain / 4)
        return self.keeps(v, self.node(scope, op, [v]), v.shape)

    def binary(self, scope):
        op = self.rng.choice(["Add", "Sub", "Mul", "Max", "Min", "Div", "Pow", "Mod", "Mean", "PRelu"])
        a, b, shape = self.pair(scope, lambda v: v.dtype != "bool" and v.top < 1000)
        if b is None:
            return None
        if op in ("Add", "Sub"):
            return self.added(a, b, self.node(scope, op, [a, b]), shape)
        if op == "Mul":
            return self.multiplied(a, b, self.node(scope, op, [a, b]), shape)
        if op in ("Max", "Min"):
            grain = min(a.grain, b.grain) if a.exact and b.exact and a.floating else None
            return Value(self.node(scope, op, [a, b]), a.dtype, shape, max(a.top, b.top), max(a.error, b.error), grain)
        if op == "Mod" and not a.floating:
            b = self.node(scope, "Add", [self.node(scope, "Abs", [b]), self.constant(scope, numpy.array(1, a.dtype))])
            return Value(self.node(scope, "Mod", [a, b]), a.dtype, shape, 2000)
        if op == "Div":
            if not a.floating:
                return None
            low = self.node(scope, "Add", [self.node(scope, "Abs", [b]), self.constant(scope, numpy.array(1, a.dtype))])
            return Value(self.node(scope, "Div", [a, low]), a.dtype, shape, a.top,
                         a.error + a.top * b.error + 4 * (a.top + b.top) * EPS[a.dtype])
        if op == "PRelu":
            if not a.floating or broadcast(a.shape, b.shape) != a.shape:
                return None
            return self.multiplied(a, Value("", a.dtype, [], max(b.top, 1), b.error, b.grain and min(b.grain, 1)),
                                   self.node(scope, op, [a, b]), shape)
        if op == "Mean" and a.dtype == "float32":
            s = self.added(a, b, self.node(scope, op, [a, b]), shape)
            return Value(s.name, s.dtype, s.shape, s.top, s.error, s.grain and s.grain / 2)
        if op == "Pow" and a.top < 20:
            power = self.rng.choice([2, 3])
            c = self.constant(scope, numpy.array(power, a.dtype))
            name = self.node(scope, "Pow", [a, c])
            grain = a.grain ** power if a.exact and a.floating else None
            return Value(name, a.dtype, a.shape, a.top ** power,
                         power * a.top ** (power - 1) * a.error + (0 if grain else 4 * a.top ** power * EPS.get(a.dtype, 0)), grain)
        return None

    def compare(self, scope):
        a, b, shape = self.pair(scope, lambda v: v.exact and v.dtype != "bool")
        if b is None:
            return None
        op = self.rng.choice(["Less", "Greater", "Equal", "LessOrEqual", "GreaterOrEqual"])
        return Value(self.node(scope, op, [a, b]), "bool", shape, 1)

    def logic(self, scope):
        a, b, shape = self.pair(scope, lambda v: v.dtype == "bool")
        if b is None:
            return None
        op = self.rng.choice(["And", "Or", "Xor", "Not"])
        return Value(self.node(scope, op, [a] if op == "Not" else [a, b]), "bool", a.shape if op == "Not" else shape, 1)

    def where(self, scope):
        c = self.pick(scope, lambda v: v.dtype == "bool")
        a, b, shape = self.pair(scope, lambda v: v.dtype != "bool")
        if c is None or b is None or broadcast(c.shape, shape) is None:
            return None
        return self.merged(Value("", a.dtype, broadcast(c.shape, shape), a.top, a.error, a.grain if a.exact else None),
                           Value("", a.dtype, broadcast(c.shape, shape), b.top, b.error, b.grain if b.exact else None),
                           self.node(scope, "Where", [c, a, b]))

    def reduction(self, scope):
        op = self.rng.choice(["ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceSumSquare", "ReduceL1", "ReduceProd",
                              "ReduceLogSumExp", "ReduceL2"])
        v = self.pick(scope, lambda v: v.floating and v.size > 0 and v.shape)
        if v is None:
            return None
        axes = sorted(self.rng.sample(range(len(v.shape)), self.rng.randint(1, len(v.shape))))
        keep = self.rng.random() < 0.5
        shape = [1 if i in axes else s for i, s in enumerate(v.shape) if keep or i not in axes]
        count = math.prod(v.shape[i] for i in axes)
        if op == "ReduceProd" and v.top > 1 and count * math.log(v.top) > math.log(1e4) or op == "ReduceLogSumExp" and v.top > 20:
            return None
        given = [a if self.rng.random() < 0.5 else a - len(v.shape) for a in axes]
        name = self.node(scope, op, [v, self.constant(scope, numpy.array(given, "int64"))], keepdims=int(keep))
        eps = EPS[v.dtype]
        if op in ("ReduceMax", "ReduceMin"):
            return self.keeps(v, name, shape)
        if op in ("ReduceSum", "ReduceL1"):
            return Value(name, v.dtype, shape, v.top * count, v.error * count + (0 if v.exact else v.top * count * count * eps),
                         v.grain if v.exact else None)
        if op == "ReduceMean":
            return Value(name, v.dtype, shape, v.top, v.error + v.top * (count + 2) * eps)
        if op == "ReduceProd":
            top = v.top ** count
            return Value(name, v.dtype, shape, max(top, 1e-3), count * max(v.top, 1) ** (count - 1) * v.error + top * count * eps)
        if op == "ReduceLogSumExp":
            return Value(name, v.dtype, shape, v.top + math.log(count) + 1, v.error + (v.top + count + 4) * 8 * eps)
        if op == "ReduceL2" and not v.exact:
            return None  # not smooth at zero
        top = v.top * v.top * count
        error = 2 * v.top * v.error * count + top * (count + 1) * eps
        return Value(name, v.dtype, shape, math.sqrt(top) + 1 if op == "ReduceL2" else top,
                     math.sqrt(error) * 0 + (v.top * count * 8 * eps if op == "ReduceL2" else error))

    def transposed(self, scope):
        v = self.pick(scope, lambda v: len(v.shape) > 1)
        if v is None:
            return None
        order = self.rng.sample(range(len(v.shape)), len(v.shape))
        return self.keeps(v, self.node(scope, "Transpose", [v], perm=order), [v.shape[i] for i in order])

    def reshaped(self, scope):
        v = self.pick(scope)
        if self.rng.random() < 0.3 and v.shape:
            axis = self.rng.randint(0, len(v.shape))
            shape = [math.prod(v.shape[:axis]), math.prod(v.shape[axis:])]
            return self.keeps(v, self.node(scope, "Flatten", [v], axis=axis), shape)
        if v.size == 0:
            return None  # a 0 that is asked for means the size that was there
        shape, left = [], v.size
        while left > 1 and len(shape) < 3:
            factor = self.rng.choice([f for f in range(1, left + 1) if left % f == 0])
            shape.append(factor)
            left //= factor
        shape.append(left)
        self.rng.shuffle(shape)
        written = list(shape)
        if self.rng.random() < 0.4 and v.size > 0:
            written[self.rng.randrange(len(written))] = -1
        return self.keeps(v, self.node(scope, "Reshape", [v, self.constant(scope, numpy.array(written, "int64"))]), shape)

    def concat(self, scope):
        a = self.pick(scope, lambda v: v.shape)
        if a is None:
            return None
        axis = self.rng.randrange(len(a.shape))
        others = [v for v in scope.values if v.dtype == a.dtype and len(v.shape) == len(a.shape) and
                  all(i == axis or x == y for i, (x, y) in enumerate(zip(v.shape, a.shape)))]
        b = self.rng.choice(others)
        shape = list(a.shape)
        shape[axis] += b.shape[axis]
        side = lambda v: Value("", v.dtype, shape, v.top, v.error, v.grain if v.exact else None)
        return self.merged(side(a), side(b), self.node(scope, "Concat", [a, b], axis=axis))

    def sliced(self, scope):
        v = self.pick(scope, lambda v: v.shape and v.size > 0)
        if v is None:
            return None
        axis = self.rng.randrange(len(v.shape))
        step = self.rng.choice([1, 1, 1, 2, -1, -2])
        n = v.shape[axis]
        begin, end = self.rng.randint(-n, n), self.rng.choice([self.rng.randint(-n, n), 1000, -1000])
        taken = len(range(n)[begin:end:step])
        if taken == 0 and self.rng.random() < 0.8:
            return None
        ints = lambda x: self.constant(scope, numpy.array([x], "int64"))
        shape = list(v.shape)
        shape[axis] = taken
        return self.keeps(v, self.node(scope, "Slice", [v, ints(begin), ints(end), ints(axis), ints(step)]), shape)

    def gather(self, scope):
        v = self.pick(scope, lambda v: v.shape and v.size > 0)
        if v is None:
            return None
        axis = self.rng.randrange(len(v.shape))
        n, index = v.shape[axis], self.shape()
        if self.rng.random() < 0.5:
            where = numpy.array([self.rng.randrange(-n, n) for _ in range(math.prod(index))], "int64").reshape(index)
            return self.keeps(v, self.node(scope, "Gather", [v, self.constant(scope, where)], axis=axis),
                              v.shape[:axis] + index + v.shape[axis + 1:])
        shape = list(v.shape)
        shape[axis] = self.rng.randint(1, 3)
        where = numpy.array([self.rng.randrange(n) for _ in range(math.prod(shape))], "int64").reshape(shape)
        return self.keeps(v, self.node(scope, "GatherElements", [v, self.constant(scope, where)], axis=axis), shape)

    def gather_nd(self, scope):
        v = self.pick(scope, lambda v: v.shape and v.size > 0)
        if v is None:
            return None
        depth, count = self.rng.randint(1, len(v.shape)), self.rng.randint(1, 3)
        where = numpy.array([[self.rng.randrange(v.shape[k]) for k in range(depth)] for _ in range(count)], "int64")
        return self.keeps(v, self.node(scope, "GatherND", [v, self.constant(scope, where)]), [count] + v.shape[depth:])

    def scatter(self, scope):
        v = self.pick(scope, lambda v: v.shape and v.size > 0 and v.floating)
        if v is None:
            return None
        axis = self.rng.randrange(len(v.shape))
        shape = list(v.shape)
        shape[axis] = 1
        where = numpy.full(shape, self.rng.randrange(v.shape[axis]), "int64")
        update = numpy.full(shape, self.rng.randint(-4, 4), v.dtype)
        return self.merged(v, Value("", v.dtype, v.shape, 4, 0, 1.0), self.node(
            scope, "ScatterElements", [v, self.constant(scope, where), self.constant(scope, update)], axis=axis))

    def matmul(self, scope):
        a = self.pick(scope, lambda v: v.floating and v.shape)
        if a is None:
            return None
        b = self.pick(scope, lambda v: v.dtype == a.dtype and v.shape and v.shape[-2 if len(v.shape) > 1 else -1] == a.shape[-1])
        if b is None or len(a.shape) > 1 and len(b.shape) > 1 and broadcast(a.shape[:-2], b.shape[:-2]) is None:
            return None
        shape = broadcast(a.shape[:-2], b.shape[:-2]) + a.shape[-2:-1] + (b.shape[-1:] if len(b.shape) > 1 else [])
        return self.multiplied(a, b, self.node(scope, "MatMul", [a, b]), shape, a.shape[-1])

    def gemm(self, scope):
        a = self.pick(scope, lambda v: v.floating and len(v.shape) == 2 and v.size > 0)  # ONNX Runtime forgets beta without a sum
        if a is None:
            return None
        flip = self.rng.random() < 0.5
        k, m = (a.shape[0], a.shape[1]) if flip else (a.shape[1], a.shape[0])
        b = self.pick(scope, lambda v: v.dtype == a.dtype and len(v.shape) == 2 and k in v.shape)
        if b is None:
            return None
        other = b.shape[0] != k or (b.shape[1] == k and self.rng.random() < 0.5)
        n = b.shape[0] if other else b.shape[1]
        c = self.pick(scope, lambda v: v.dtype == a.dtype and broadcast(v.shape, [m, n]) == [m, n])
        product = self.multiplied(a, b, "", [m, n], k)
        if c is None:
            return self.multiplied(a, b, self.node(scope, "Gemm", [a, b], transA=int(flip), transB=int(other)), [m, n], k)
        half = Value("", c.dtype, c.shape, c.top * 0.5, c.error, c.grain and c.grain / 2)
        return self.added(product, half, self.node(scope, "Gemm", [a, b, c], transA=int(flip), transB=int(other), beta=0.5), [m, n])

    def einsum(self, scope):
        a, b, _ = self.pair(scope, lambda v: v.floating and len(v.shape) == 2 and v.shape[0] == v.shape[1])
        if b is None or a.shape != b.shape:
            return None
        n = a.shape[0]
        text, shape, count = self.rng.choice([("ij,jk->ik", [n, n], n), ("ij,kj->ki", [n, n], n), ("ij,ij->i", [n], n),
                                              ("ii,jk->kj", [n, n], n), ("ij,jk->", [], n ** 3)])
        return self.multiplied(a, b, self.node(scope, "Einsum", [a, b], equation=text), shape, count)

    def softmax(self, scope):
        v = self.pick(scope, lambda v: v.floating and v.shape and v.top < 50 and v.size > 0)
        if v is None:
            return None
        op = self.rng.choice(["Softmax", "LogSoftmax"])
        axis = self.rng.randrange(-len(v.shape), len(v.shape))
        n = v.shape[axis]
        return self.smooth(v, self.node(scope, op, [v], axis=axis), 2, 1 if op == "Softmax" else 2 * v.top + n)

    def argmax(self, scope):
        v = self.pick(scope, lambda v: v.exact and v.shape and v.dtype != "bool" and v.size > 0 and v.dtype != "int64")
        if v is None:
            return None
        axis, keep = self.rng.randrange(len(v.shape)), self.rng.random() < 0.5
        shape = [1 if i == axis else s for i, s in enumerate(v.shape) if keep or i != axis]
        name = self.node(scope, self.rng.choice(["ArgMax", "ArgMin"]), [v], axis=axis, keepdims=int(keep),
                         select_last_index=self.rng.choice([0, 0, 1]))
        return Value(name, "int64", shape, max(v.shape[axis] - 1, 1))

    def cumsum(self, scope):
        v = self.pick(scope, lambda v: v.shape and v.floating)
        if v is None:
            return None
        axis = self.rng.randrange(len(v.shape))
        n = v.shape[axis]
        name = self.node(scope, "CumSum", [v, self.constant(scope, numpy.array(axis, "int64"))],
                         exclusive=self.rng.choice([0, 1]), reverse=self.rng.choice([0, 1]))
        return Value(name, v.dtype, v.shape, v.top * max(n, 1), v.error * n + (0 if v.exact else v.top * n * n * EPS[v.dtype]),
                     v.grain if v.exact else None)

    def cast(self, scope):
        v = self.pick(scope, lambda v: v.exact and v.top < 1e5)
        if v is None:
            return None
        to = self.rng.choice(list(TYPES))
        name = self.node(scope, "Cast", [v], to=TYPES[to])
        grain = (v.grain if v.floating else 1.0) if to in EPS else None
        return Value(name, to, v.shape, 1 if to == "bool" else v.top, 0, grain)

    def rounding(self, scope):
        v = self.pick(scope, lambda v: v.exact and v.floating)
        if v is None:
            return None
        op = self.rng.choice(["Floor", "Ceil", "Round", "Sign"])
        return Value(self.node(scope, op, [v]), v.dtype, v.shape, v.top + 1, 0, 1.0)

    def clip(self, scope):
        v = self.pick(scope, lambda v: v.floating)
        if v is None:
            return None
        low, high = sorted([self.rng.randint(-4, 4), self.rng.randint(-4, 4)])
        ends = [self.constant(scope, numpy.array(x, v.dtype)) for x in (low, high)]
        if self.rng.random() < 0.3:
            ends[self.rng.randrange(2)] = ""
        return Value(self.node(scope, "Clip", [v] + ends), v.dtype, v.shape, max(v.top, 4), v.error,
                     v.grain and min(v.grain, 1.0))

    def pad(self, scope):
        v = self.pick(scope, lambda v: v.shape and v.dtype in ("float32", "float64") and min(v.shape) > 0)
        if v is None:
            return None
        mode = self.rng.choice(["constant", "edge", "reflect"])
        most = [s - 1 if mode == "reflect" else 2 for s in v.shape]
        begin, end = [[self.rng.randint(0, min(m, 2)) for m in most] for _ in range(2)]
        shape = [s + b + e for s, b, e in zip(v.shape, begin, end)]
        name = self.node(scope, "Pad", [v, self.constant(scope, numpy.array(begin + end, "int64"))], mode=mode)
        return self.keeps(v, name, shape)

    def tile(self, scope):
        v = self.pick(scope, lambda v: v.shape and v.size < 64)
        if v is None:
            return None
        times = [self.rng.choice([1, 1, 2, 3]) for _ in v.shape]
        return self.keeps(v, self.node(scope, "Tile", [v, self.constant(scope, numpy.array(times, "int64"))]),
                          [s * t for s, t in zip(v.shape, times)])

    def expand(self, scope):
        v = self.pick(scope, lambda v: v.size < 64)
        shape = self.shape()
        if broadcast(v.shape, shape) is None:
            return None
        return self.keeps(v, self.node(scope, "Expand", [v, self.constant(scope, numpy.array(shape, "int64"))]),
                          broadcast(v.shape, shape))

    def squeezed(self, scope):
        v = self.pick(scope, lambda v: len(v.shape) < 4)
        ones = [i for i, s in enumerate(v.shape) if s == 1]
        if ones and self.rng.random() < 0.6:
            axis = self.rng.choice(ones)
            shape = v.shape[:axis] + v.shape[axis + 1:]
            return self.keeps(v, self.node(scope, "Squeeze", [v, self.constant(scope, numpy.array([axis], "int64"))]), shape)
        axis = self.rng.randint(0, len(v.shape))
        return self.keeps(v, self.node(scope, "Unsqueeze", [v, self.constant(scope, numpy.array([axis], "int64"))]),
                          v.shape[:axis] + [1] + v.shape[axis:])

    def split(self, scope):
        v = self.pick(scope, lambda v: v.shape and max(v.shape) > 1)
        if v is None:
            return None
        axis = v.shape.index(max(v.shape))
        first = self.rng.randint(1, v.shape[axis] - 1)
        sizes = [first, v.shape[axis] - first]
        names = self.node(scope, "Split", [v, self.constant(scope, numpy.array(sizes, "int64"))], count=2, axis=axis)
        return [self.keeps(v, n, v.shape[:axis] + [s] + v.shape[axis + 1:]) for n, s in zip(names, sizes)]

    def image(self, scope):
        """A float32 value as [1, channels, height, width], with room for a window."""
        v = self.pick(scope, lambda v: v.dtype == "float32" and len(v.shape) >= 2 and min(v.shape[-2:]) >= 2 and 0 < v.size < 256)
        if v is None:
            return None
        shape = [1, math.prod(v.shape[:-2])] + v.shape[-2:]
        return self.keeps(v, self.node(scope, "Reshape", [v, self.constant(scope, numpy.array(shape, "int64"))]), shape)

    def pool(self, scope):
        v = self.image(scope)
        if v is None:
            return None
        op, pad = self.rng.choice(["MaxPool", "AveragePool"]), self.rng.choice([0, 1])
        stride = self.rng.choice([1, 2])
        shape = v.shape[:2] + [(s + 2 * pad - 2) // stride + 1 for s in v.shape[2:]]
        more = {"count_include_pad": self.rng.choice([0, 1])} if op == "AveragePool" else {}
        name = self.node(scope, op, [v], kernel_shape=[2, 2], strides=[stride] * 2, pads=[pad] * 4, **more)
        if op == "MaxPool":
            return self.keeps(v, name, shape)
        return Value(name, v.dtype, shape, v.top, v.error + 8 * v.top * EPS[v.dtype])

    def conv(self, scope):
        v = self.image(scope)
        if v is None or v.top > 100:
            return None
        group = self.rng.choice([1, v.shape[1]])
        out = group * self.rng.randint(1, 2)
        kernel = [self.rng.randint(1, s) for s in v.shape[2:]]
        weight = numpy.array([self.rng.randint(-2, 2) for _ in range(out * v.shape[1] // group * kernel[0] * kernel[1])],
                             "float32").reshape([out, v.shape[1] // group] + kernel)
        pad, stride = self.rng.choice([0, 1]), self.rng.choice([1, 2])
        shape = [1, out] + [(s + 2 * pad - k) // stride + 1 for s, k in zip(v.shape[2:], kernel)]
        name = self.node(scope, "Conv", [v, self.constant(scope, weight)], group=group, pads=[pad] * 4, strides=[stride] * 2)
        return self.multiplied(v, Value("", "float32", [], 2, 0, 1.0), name, shape, weight[0].size)

    def layernorm(self, scope):
        v = self.pick(scope, lambda v: v.dtype == "float32" and v.exact and v.shape and v.shape[-1] > 1)
        if v is None:
            return None
        n = v.shape[-1]
        scale = self.constant(scope, numpy.array([self.rng.randint(1, 3) for _ in range(n)], v.dtype))
        # What hardly varies is divided by next to nothing: the epsilon is large.
        name = self.node(scope, "LayerNormalization", [v, scale], axis=-1, epsilon=1.0)
        return Value(name, v.dtype, v.shape, 3 * v.top, 64 * v.top * n * EPS[v.dtype])

    def onehot(self, scope):
        v = self.pick(scope, lambda v: v.dtype == "int64" and v.size < 64 and 1 <= len(v.shape) < 3)
        if v is None:
            return None
        depth = self.rng.randint(1, 4)
        ends = numpy.array([0, self.rng.randint(1, 4)], "float32")
        name = self.node(scope, "OneHot", [v, self.constant(scope, numpy.array(depth, "int64")), self.constant(scope, ends)])
        return Value(name, "float32", v.shape + [depth], 4, 0, 1.0)

    def trilu(self, scope):
        v = self.pick(scope, lambda v: len(v.shape) > 1 and v.dtype in ("float32", "float64", "int64"))
        if v is None:
            return None
        k = self.constant(scope, numpy.array(self.rng.randint(-2, 2), "int64"))
        return self.keeps(v, self.node(scope, "Trilu", [v, k], upper=self.rng.choice([0, 1])), v.shape)

    def shape_of(self, scope):
        v = self.pick(scope)
        op = self.rng.choice(["Shape", "Size"])
        return Value(self.node(scope, op, [v]), "int64", [len(v.shape)] if op == "Shape" else [], max(v.size, 5))

    def extreme(self, scope):
        v = self.pick(scope, lambda v: v.exact and v.dtype in ("float32", "float64", "int64") and v.shape and v.size > 0)
        if v is None:
            return None
        axis = self.rng.randrange(len(v.shape))
        k = self.rng.randint(1, v.shape[axis])
        names = self.node(scope, "TopK", [v, self.constant(scope, numpy.array([k], "int64"))], count=2, axis=axis,
                          largest=self.rng.choice([0, 1]))
        return self.keeps(v, names[0], v.shape[:axis] + [k] + v.shape[axis + 1:])  # of equal ones nobody says which

    # --- control flow -----------------------------------------------------------
    def reduce_to_truth(self, scope, v):
        if v.dtype == "bool":
            v = Value(self.node(scope, "Cast", [v], to=TYPES["float32"]), "float32", v.shape, 1, 0, 1.0)
        if v.dtype != "float32":
            v = Value(self.node(scope, "Cast", [v], to=TYPES["float32"]), "float32", v.shape, v.top, 0, v.grain or 1.0)
        low = self.constant(scope, numpy.array(self.rng.randint(-2, 2), "float32"))
        return self.node(scope, "Less", [low, self.node(scope, self.rng.choice(["ReduceMax", "ReduceMin"]), [v], keepdims=0)])

    def conditional(self, scope):
        p = self.predicate(scope)
        if p is None:
            return None
        sides, chosen = self.branches(scope)
        if not chosen:
            return None
        graphs = []
        for k, (side, name) in enumerate(zip(sides, ("then", "else"))):
            graphs.append(helper.make_graph(side.nodes, name, [], [
                helper.make_tensor_value_info(pair[k].name, TYPES[pair[k].dtype], pair[k].shape) for pair in chosen]))
        names = self.node(scope, "If", [p], count=len(chosen), then_branch=graphs[0], else_branch=graphs[1])
        self.conditional_count += 1
        names = [names] if len(chosen) == 1 else names
        return [self.merged(Value("", x.dtype, x.shape, x.top, x.error, x.grain if x.exact else None),
                            Value("", y.dtype, y.shape, y.top, y.error, y.grain if y.exact else None), n)
                for n, (x, y) in zip(names, chosen)]

    def loop(self, scope):
        """A value that is added to a few times, and what it was each time."""
        v = self.pick(scope, lambda v: v.floating and v.size > 0)
        w = self.pick(scope, lambda w: v is not None and w.dtype == v.dtype and broadcast(w.shape, v.shape) == v.shape)
        if w is None or scope.depth >= 3:
            return None
        trips = self.rng.randint(1, 4)
        body = Scope(scope)
        i, go, a = self.fresh(), self.fresh(), self.fresh()
        b = self.node(body, "Add", [a, w])
        out = self.node(body, "Identity", [go])
        also = self.node(body, "Neg", [b])
        graph = helper.make_graph(body.nodes, "body", [
            helper.make_tensor_value_info(i, TYPES["int64"], []), helper.make_tensor_value_info(go, TYPES["bool"], []),
            helper.make_tensor_value_info(a, TYPES[v.dtype], v.shape)], [
            helper.make_tensor_value_info(out, TYPES["bool"], []), helper.make_tensor_value_info(b, TYPES[v.dtype], v.shape),
            helper.make_tensor_value_info(also, TYPES[v.dtype], v.shape)])
        names = self.node(scope, "Loop", [self.constant(scope, numpy.array(trips, "int64")), "", v], count=2, body=graph)
        many = Value("", w.dtype, w.shape, w.top * trips, w.error * trips, w.grain)
        last = self.added(v, many, names[0], v.shape)
        return [last, Value(names[1], v.dtype, [trips] + v.shape, last.top, last.error, last.grain)]
