"""Random graphs of ATen operators in condlint's own JSON, and what torch makes of them, operator by operator."""
import json
import math
import os

import numpy
import torch

from graphs import EPS, Generator, Scope, Value, broadcast

torch.set_num_threads(1)


class Graphs(Generator):
    def __init__(self, rng):
        super().__init__(rng)
        self.node_count = self.conditional_count = 0
        self.makers = [self.unary] * 3 + [self.exact_unary] * 2 + [self.binary] * 4 + [self.scalar_binary] * 2 + [
            self.compare, self.logic, self.where, self.reduction, self.reduction, self.permute, self.view, self.cat, self.slice,
            self.select, self.expand, self.squeeze, self.index_select, self.gather, self.matmul, self.softmax, self.argmax,
            self.cumsum, self.to, self.clamp, self.pad, self.repeat, self.flip, self.split, self.factory, self.in_place,
            self.in_place, self.as_strided, self.pool, self.conv, self.layer_norm, self.rounding, self.while_loop, self.tril,
            self.index_put, self.topk, self.roll, self.stack, self.addmm, self.variance, self.clone, self.embedding]

    # --- emitting ---------------------------------------------------------------
    def argument(self, name, value):
        entry = {"name": name}
        if isinstance(value, Value):
            entry["operand"] = value.name
        elif isinstance(value, list) and value and all(v is None or isinstance(v, Value) for v in value):
            entry["operands"] = [v.name if v else None for v in value]
        elif isinstance(value, list):
            entry["ints"] = value
        elif isinstance(value, torch.dtype):
            entry["dtype"] = str(value).removeprefix("torch.")
        elif isinstance(value, bool):
            entry["bool"] = value
        elif isinstance(value, int):
            entry["int"] = value
        elif isinstance(value, float):
            entry["float"] = value
        elif isinstance(value, str):
            entry["string"] = value
        else:
            entry["none"] = True
        return entry

    def call(self, scope, op, /, **arguments):
        """Runs torch.ops.aten.OP and notes the node; the result as (name, tensor), or a list of them."""
        def plain(v):
            if isinstance(v, Value):
                return v.tensor
            return [plain(x) for x in v] if isinstance(v, list) else v
        name, overload = op.split(".")
        result = getattr(getattr(torch.ops.aten, name), overload)(**{k: plain(v) for k, v in arguments.items()})
        several = isinstance(result, (tuple, list))
        out = [(self.fresh(), t) for t in (result if several else [result])]
        attributes = [self.argument(k, v) for k, v in arguments.items()]
        node = {"op": "aten." + op, "attributes": attributes, "results": [n for n, _ in out]}
        if isinstance(result, list):  # one result that is a list of tensors
            node["results"] = [n for n, _ in out]
        scope.nodes.append(node)
        self.node_count += 1
        return out if several else out[0]

    @staticmethod
    def made(out, bounds, dtype=None):
        """The value that a call yielded, with the bounds of another."""
        name, tensor = out
        dtype = str(tensor.dtype).removeprefix("torch.")
        v = Value(name, dtype, list(tensor.shape), bounds.top, bounds.error, bounds.grain if bounds.exact else None)
        if v.floating and v.grain is None and bounds.exact and not bounds.floating:
            v.grain = 1.0
        v.tensor = tensor
        return v

    def same(self, scope, v, op, /, **arguments):
        """An operator that moves elements."""
        return self.made(self.call(scope, op, self=v, **arguments), v)

    @staticmethod
    def promoted(v, dtype):
        grain = v.grain if v.floating else 1.0
        return Value("", dtype, v.shape, v.top, v.error, grain if v.exact else None)

    def both(self, a, b, bound):
        """Bounds of a binary operator in the type that torch promotes to."""
        dtype = str(torch.result_type(a.tensor, b.tensor)).removeprefix("torch.")
        return bound(self.promoted(a, dtype), self.promoted(b, dtype), "", broadcast(a.shape, b.shape))

    def make(self, folder, _):
        scope = Scope()
        inputs = self.inputs()
        arrays = self.data(inputs, numpy)
        for v, a in zip(inputs, arrays):
            v.tensor = torch.from_numpy(a.copy())
        scope.values = list(inputs)
        self.grow(scope, self.rng.randint(4, 20))
        self.conditional(scope)
        outputs = [v for v in scope.values if v not in inputs][-6:]
        if not outputs:
            outputs = [self.same(scope, inputs[0], "clone.default")]
        graph = {"parameters": [{"name": v.name, "type": "%s%s" % (v.dtype, v.shape)} for v in inputs], "nodes": scope.nodes,
                 "results": [v.name for v in outputs]}
        text = json.dumps({"condlint": "graph-1", "dialect": "torch", "version": "2.13", "graph": graph}, indent=1)
        path = os.path.join(folder, "m.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        # In-place operators came after some values were made: what counts is what they hold at the end.
        return path, text, outputs, arrays, [v.tensor.numpy() for v in outputs]

    def pick_tensor(self, scope, test=lambda v: True):
        return self.pick(scope, lambda v: v.size > 0 and test(v))

    # --- operators --------------------------------------------------------------
    def unary(self, scope):
        op, slope, top = self.rng.choice([("tanh", 1, 1), ("sigmoid", 0.25, 1), ("sin", 1, 1), ("cos", 1, 1), ("erf", 1.2, 1),
                                          ("softplus", 1, None), ("elu", 1, None), ("selu", 1.8, None), ("atan", 1, 2),
                                          ("silu", 1.2, None), ("gelu", 1.2, None), ("hardswish", 2, None), ("exp", None, None),
                                          ("sqrt", None, None), ("log1p", None, None), ("rsqrt", None, None)])
        v = self.pick(scope, lambda v: v.floating)
        if v is None:
            return None
        if op in ("exp", "sqrt", "log1p", "rsqrt"):
            if op == "exp":
                if v.top > 6:
                    return None
                slope = top = math.exp(v.top)
            else:
                one = self.same(scope, v, "abs.default")
                one = self.made(self.call(scope, "add.Scalar", self=one, other=1), self.smooth(v, "", 1, v.top + 1))
                v, slope, top = one, 1, max(1.0, math.sqrt(v.top))
        return self.made(self.call(scope, op + ".default", self=v), self.smooth(v, "", slope, top or 2 * v.top + 2))

    def exact_unary(self, scope):
        op = self.rng.choice(["neg", "abs", "relu", "square", "alias", "detach", "logical_not", "isnan"])
        v = self.pick(scope, lambda v: v.dtype != "bool" or op in ("alias", "detach", "logical_not"))
        if v is None:
            return None
        if op in ("logical_not", "isnan"):
            return self.made(self.call(scope, op + ".default", self=v), Value("", "bool", [], 1)) if v.exact else None
        bounds = self.multiplied(v, v, "", v.shape) if op == "square" else v
        return self.made(self.call(scope, op + ".default", self=v), bounds)

    def binary(self, scope):
        op = self.rng.choice(["add", "sub", "mul", "maximum", "minimum", "div", "rsub", "remainder", "hypot"])
        a = self.pick(scope, lambda v: v.dtype != "bool" and v.top < 1000)
        b = self.pick(scope, lambda v: a is not None and v.dtype != "bool" and v.top < 1000 and
                      broadcast(a.shape, v.shape) is not None)
        if b is None:
            return None
        if op in ("add", "sub", "rsub"):
            alpha = self.rng.choice([1, 1, 2])
            bounds = self.both(a, b, lambda x, y, n, s: self.added(
                x, y if op == "rsub" else self.multiplied(y, Value("", y.dtype, [], alpha, 0, 1.0), "", y.shape), n, s))
            if op == "rsub":
                return self.made(self.call(scope, "rsub.Tensor", self=a, other=b), bounds)
            return self.made(self.call(scope, op + ".Tensor", self=a, other=b, alpha=alpha), bounds)
        if op == "mul":
            return self.made(self.call(scope, "mul.Tensor", self=a, other=b), self.both(a, b, self.multiplied))
        if op in ("maximum", "minimum"):
            bounds = self.both(a, b, lambda x, y, n, s: self.merged(Value("", x.dtype, s, x.top, x.error, x.grain), y, n))
            return self.made(self.call(scope, op + ".default", self=a, other=b), bounds)
        if op == "remainder" and not a.floating and not b.floating:
            low = self.same(scope, b, "abs.default")
            low = self.made(self.call(scope, "add.Scalar", self=low, other=1), Value("", b.dtype, [], b.top + 1))
            return self.made(self.call(scope, "remainder.Tensor", self=a, other=low), Value("", b.dtype, [], 2000))
        if op == "div":
            low = self.same(scope, b, "abs.default")
            low = self.made(self.call(scope, "add.Scalar", self=low, other=1), Value("", b.dtype, [], b.top + 1, b.error, b.grain))
            bounds = self.both(a, low, lambda x, y, n, s: Value(
                n, x.dtype, s, x.top, x.error + x.top * y.error + 4 * (x.top + y.top) * EPS.get(x.dtype, EPS["float32"])))
            out = self.call(scope, "div.Tensor", self=a, other=low)
            bounds.dtype = str(out[1].dtype).removeprefix("torch.")
            return self.made(out, Value("", "float32", [], bounds.top, bounds.error))
        return None

    def scalar_binary(self, scope):
        op = self.rng.choice(["add.Scalar", "mul.Scalar", "sub.Scalar", "pow.Tensor_Scalar", "div.Scalar"])
        v = self.pick(scope, lambda v: v.top < 100 and (v.dtype != "bool" or op in ("add.Scalar", "mul.Scalar")))
        if v is None:
            return None
        s = self.rng.choice([2, -3, 0.5, 1.25]) if op != "pow.Tensor_Scalar" else self.rng.choice([2, 3])
        if op == "pow.Tensor_Scalar":
            out = self.call(scope, op, self=v, exponent=s)
            bounds = self.multiplied(v, v, "", v.shape)
            return self.made(out, self.multiplied(bounds, v, "", v.shape) if s == 3 else bounds)
        out = self.call(scope, op, self=v, other=s)
        dtype = str(out[1].dtype).removeprefix("torch.")
        x, y = self.promoted(v, dtype), Value("", dtype, [], abs(s), 0, 0.25)
        if op == "div.Scalar":
            return self.made(out, self.smooth(x, "", 4, v.top * 4))
        return self.made(out, (self.multiplied if op == "mul.Scalar" else self.added)(x, y, "", v.shape))

    def compare(self, scope):
        a = self.pick(scope, lambda v: v.exact)
        b = self.pick(scope, lambda v: a is not None and v.exact and broadcast(a.shape, v.shape) is not None)
        if b is None:
            return None
        op = self.rng.choice(["lt", "gt", "eq", "le", "ge", "ne"])
        if self.rng.random() < 0.4:
            return self.made(self.call(scope, op + ".Scalar", self=a, other=self.rng.choice([0, 1, 0.5])), Value("", "bool", [], 1))
        return self.made(self.call(scope, op + ".Tensor", self=a, other=b), Value("", "bool", [], 1))

    def logic(self, scope):
        a, b, _ = self.pair(scope, lambda v: v.dtype in ("bool", "int64", "int32"))
        if b is None:
            return None
        op = self.rng.choice(["bitwise_and", "bitwise_or", "bitwise_xor"])
        return self.made(self.call(scope, op + ".Tensor", self=a, other=b), Value("", a.dtype, [], 1 if a.dtype == "bool" else 2 * (a.top + b.top) + 2))

    def where(self, scope):
        c = self.pick(scope, lambda v: v.dtype == "bool")
        a = self.pick(scope)
        b = self.pick(scope, lambda v: broadcast(a.shape, v.shape) is not None)
        if c is None or b is None or broadcast(c.shape, broadcast(a.shape, b.shape)) is None:
            return None
        bounds = self.both(a, b, lambda x, y, n, s: self.merged(Value("", x.dtype, s, x.top, x.error, x.grain), y, n))
        return self.made(self.call(scope, "where.self", condition=c, self=a, other=b), bounds)

    def reduction(self, scope):
        op = self.rng.choice(["sum", "mean", "amax", "amin", "any", "all", "prod", "logsumexp", "sum_all"])
        v = self.pick_tensor(scope, lambda v: v.shape)
        if v is None or (op in ("any", "all") and not v.exact) or (op in ("mean", "logsumexp") and not v.floating):
            return None
        axes = self.rng.sample(range(-len(v.shape), 0), self.rng.randint(1, len(v.shape)))
        count = math.prod(v.shape[i] for i in axes)
        keep = self.rng.random() < 0.5
        eps = EPS.get(v.dtype, 0)
        if op == "sum_all":
            count = v.size
            return self.made(self.call(scope, "sum.default", self=v), Value("", v.dtype, [], v.top * count, v.error * count + (
                0 if v.exact else v.top * count * count * eps), v.grain if v.exact else None))
        if op == "sum":
            out = self.call(scope, "sum.dim_IntList", self=v, dim=axes, keepdim=keep)
            return self.made(out, Value("", v.dtype, [], v.top * count, v.error * count + (0 if v.exact else v.top * count * count * eps),
                                        v.grain if v.exact else None))
        if op == "mean":
            return self.made(self.call(scope, "mean.dim", self=v, dim=axes, keepdim=keep),
                             Value("", v.dtype, [], v.top, v.error + v.top * (count + 2) * eps))
        if op in ("amax", "amin"):
            return self.same(scope, v, op + ".default", dim=axes, keepdim=keep)
        if op in ("any", "all"):
            return self.made(self.call(scope, op + ".dim", self=v, dim=axes[0], keepdim=keep), Value("", "bool", [], 1))
        if op == "prod":
            count = v.shape[axes[0]]
            if not v.floating or v.top ** count > 1e4:
                return None
            return self.made(self.call(scope, "prod.dim_int", self=v, dim=axes[0], keepdim=keep), Value(
                "", v.dtype, [], max(v.top ** count, 1e-3), count * max(v.top, 1) ** (count - 1) * v.error + v.top ** count * count * eps))
        if v.top > 20:
            return None
        return self.made(self.call(scope, "logsumexp.default", self=v, dim=axes, keepdim=keep),
                         Value("", v.dtype, [], v.top + math.log(count) + 1, v.error + (v.top + count + 4) * 8 * eps))

    def permute(self, scope):
        v = self.pick(scope, lambda v: len(v.shape) > 1)
        if v is None:
            return None
        if self.rng.random() < 0.4:
            a, b = self.rng.sample(range(-len(v.shape), 0), 2)
            return self.same(scope, v, "transpose.int", dim0=a, dim1=b)
        return self.same(scope, v, "permute.default", dims=self.rng.sample(range(len(v.shape)), len(v.shape)))

    def view(self, scope):
        op = self.rng.choice(["view", "reshape", "flatten"])
        v = self.pick_tensor(scope, lambda v: op != "view" or v.tensor.is_contiguous())
        if v is None:
            return None
        if op == "flatten":
            return self.same(scope, v, "flatten.using_ints", start_dim=0, end_dim=-1)
        shape, left = [], v.size
        while left > 1 and len(shape) < 3:
            factor = self.rng.choice([f for f in range(1, left + 1) if left % f == 0])
            shape.append(factor)
            left //= factor
        shape.append(left)
        if self.rng.random() < 0.4:
            shape[self.rng.randrange(len(shape))] = -1
        return self.same(scope, v, op + ".default", **{"size" if op == "view" else "shape": shape})

    def cat(self, scope):
        a = self.pick(scope, lambda v: v.shape)
        if a is None:
            return None
        axis = self.rng.randrange(len(a.shape))
        b = self.rng.choice([v for v in scope.values if len(v.shape) == len(a.shape) and
                             all(i == axis or x == y for i, (x, y) in enumerate(zip(v.shape, a.shape)))])
        out = self.call(scope, "cat.default", tensors=[a, b], dim=axis - self.rng.choice([0, len(a.shape)]))
        dtype = str(out[1].dtype).removeprefix("torch.")
        return self.made(out, self.merged(self.promoted(a, dtype), self.promoted(b, dtype), ""))

    def stack(self, scope):
        a = self.pick(scope, lambda v: len(v.shape) < 4)
        b = self.rng.choice([v for v in scope.values if v.shape == a.shape and v.dtype == a.dtype])
        out = self.call(scope, "stack.default", tensors=[a, b], dim=self.rng.randint(0, len(a.shape)))
        return self.made(out, self.merged(self.promoted(a, a.dtype), self.promoted(b, a.dtype), "") if a.floating else a if a.top > b.top else b)

    def slice(self, scope):
        v = self.pick_tensor(scope, lambda v: v.shape)
        if v is None:
            return None
        axis = self.rng.randrange(len(v.shape))
        n = v.shape[axis]
        begin, step = self.rng.randint(-n, n - 1), self.rng.choice([1, 1, 2])
        end = self.rng.choice([9223372036854775807, self.rng.randint(-n, n)])
        return self.same(scope, v, "slice.Tensor", dim=axis, start=begin, end=end, step=step)

    def select(self, scope):
        v = self.pick_tensor(scope, lambda v: v.shape)
        if v is None:
            return None
        axis = self.rng.randrange(-len(v.shape), len(v.shape))
        return self.same(scope, v, "select.int", dim=axis, index=self.rng.randrange(-v.shape[axis], v.shape[axis]))

    def expand(self, scope):
        v = self.pick(scope, lambda v: v.size < 64 and len(v.shape) < 4)
        shape = [self.rng.choice([s, -1]) if s != 1 else self.rng.choice([1, 2, 3]) for s in v.shape]
        lead = [self.rng.choice([1, 2])] if self.rng.random() < 0.5 else []
        return self.same(scope, v, "expand.default", size=lead + shape) if lead + shape else None

    def squeeze(self, scope):
        v = self.pick(scope, lambda v: len(v.shape) < 4)
        if 1 in v.shape and self.rng.random() < 0.6:
            return self.same(scope, v, "squeeze.dim", dim=v.shape.index(1))
        return self.same(scope, v, "unsqueeze.default", dim=self.rng.randint(-len(v.shape) - 1, len(v.shape)))

    def indices(self, scope, count, below, shape=None):
        values = [self.rng.randrange(below) for _ in range(count)]
        first, last = min(values), max(values)
        name, tensor = self.call(scope, "arange.start", start=0, end=count, dtype=torch.int64)
        v = self.made((name, tensor), Value("", "int64", [], count))
        return self.made(self.call(scope, "remainder.Scalar", self=self.made(self.call(
            scope, "add.Scalar", self=v, other=first + last), v), other=below), Value("", "int64", [], below))

    def index_select(self, scope):
        v = self.pick_tensor(scope, lambda v: v.shape)
        if v is None:
            return None
        axis = self.rng.randrange(len(v.shape))
        index = self.indices(scope, self.rng.randint(1, 4), v.shape[axis])
        return self.made(self.call(scope, "index_select.default", self=v, dim=axis, index=index), v)

    def gather(self, scope):
        v = self.pick_tensor(scope, lambda v: v.shape)
        if v is None:
            return None
        axis = self.rng.randrange(len(v.shape))
        index = self.indices(scope, v.shape[axis], v.shape[axis])
        shape = [1] * axis + [v.shape[axis]] + [1] * (len(v.shape) - axis - 1)
        wide = self.same(scope, self.same(scope, index, "view.default", size=shape), "expand.default", size=list(v.shape))
        return self.made(self.call(scope, "gather.default", self=v, dim=axis, index=wide), v)

    def embedding(self, scope):
        v = self.pick_tensor(scope, lambda v: len(v.shape) == 2 and v.floating)
        if v is None:
            return None
        index = self.indices(scope, self.rng.randint(1, 4), v.shape[0])
        return self.made(self.call(scope, "embedding.default", weight=v, indices=index), v)

    def index_put(self, scope):
        v = self.pick_tensor(scope, lambda v: v.shape and v.floating)
        if v is None:
            return None
        w = self.pick(scope, lambda w: w.dtype == v.dtype and not w.shape)
        if w is None:
            return None
        index = self.indices(scope, 2, v.shape[0])
        return self.made(self.call(scope, "index_put.default", self=v, indices=[index], values=w, accumulate=False),
                         self.merged(v, Value("", v.dtype, v.shape, w.top, w.error, w.grain if w.exact else None), ""))

    def matmul(self, scope):
        a = self.pick_tensor(scope, lambda v: v.floating and v.shape)
        if a is None:
            return None
        b = self.pick_tensor(scope, lambda v: v.dtype == a.dtype and v.shape and v.shape[-2 if len(v.shape) > 1 else -1] == a.shape[-1])
        if b is None or len(a.shape) > 1 and len(b.shape) > 1 and broadcast(a.shape[:-2], b.shape[:-2]) is None:
            return None
        return self.made(self.call(scope, "matmul.default", self=a, other=b), self.multiplied(a, b, "", [], a.shape[-1]))

    def addmm(self, scope):
        a = self.pick_tensor(scope, lambda v: v.floating and len(v.shape) == 2)
        b = self.pick_tensor(scope, lambda v: a is not None and v.dtype == a.dtype and len(v.shape) == 2 and v.shape[0] == a.shape[1])
        c = self.pick(scope, lambda v: b is not None and v.dtype == a.dtype and
                      broadcast(v.shape, [a.shape[0], b.shape[1]]) == [a.shape[0], b.shape[1]])
        if c is None:
            return None
        out = self.call(scope, "addmm.default", self=c, mat1=a, mat2=b, beta=0.5, alpha=2)
        twice = self.multiplied(self.multiplied(a, b, "", [], a.shape[1]), Value("", a.dtype, [], 2, 0, 1.0), "", [])
        return self.made(out, self.added(twice, Value("", c.dtype, [], c.top, c.error, c.grain and c.grain / 2), "", []))

    def softmax(self, scope):
        v = self.pick_tensor(scope, lambda v: v.floating and v.shape and v.top < 50)
        if v is None:
            return None
        axis = self.rng.randrange(-len(v.shape), len(v.shape))
        op = self.rng.choice(["softmax.int", "log_softmax.int", "_softmax.default"])
        more = {"half_to_float": False} if op[0] == "_" else {}
        return self.made(self.call(scope, op, self=v, dim=axis, **more), self.smooth(v, "", 2, 1 if "log" not in op else 2 * v.top + v.shape[axis]))

    def argmax(self, scope):
        v = self.pick_tensor(scope, lambda v: v.exact and v.shape and v.dtype != "bool")
        if v is None:
            return None
        axis = self.rng.randrange(len(v.shape))
        return self.made(self.call(scope, self.rng.choice(["argmax", "argmin"]) + ".default", self=v, dim=axis,
                                   keepdim=self.rng.random() < 0.5), Value("", "int64", [], max(1, v.shape[axis])))

    def cumsum(self, scope):
        v = self.pick_tensor(scope, lambda v: v.shape and v.floating)
        if v is None:
            return None
        axis = self.rng.randrange(len(v.shape))
        n = v.shape[axis]
        return self.made(self.call(scope, "cumsum.default", self=v, dim=axis), Value(
            "", v.dtype, [], v.top * n, v.error * n + (0 if v.exact else v.top * n * n * EPS[v.dtype]), v.grain if v.exact else None))

    def to(self, scope):
        v = self.pick(scope, lambda v: v.exact and v.top < 1e5)
        if v is None:
            return None
        to = self.rng.choice([torch.float32, torch.float64, torch.int64, torch.int32, torch.bool])
        out = self.call(scope, "to.dtype", self=v, dtype=to)
        return self.made(out, Value("", v.dtype, [], 1 if to == torch.bool else v.top, 0, v.grain if v.floating else None))

    def clone(self, scope):
        return self.same(scope, self.pick(scope), self.rng.choice(["clone.default", "contiguous.default"]))

    def rounding(self, scope):
        v = self.pick(scope, lambda v: v.exact and v.floating)
        if v is None:
            return None
        op = self.rng.choice(["floor", "ceil", "round", "sign", "trunc"])
        return self.made(self.call(scope, op + ".default", self=v), Value("", v.dtype, [], v.top + 1, 0, 1.0))

    def clamp(self, scope):
        v = self.pick(scope, lambda v: v.floating)
        if v is None:
            return None
        low, high = sorted([self.rng.randint(-4, 4), self.rng.randint(-4, 4)])
        ends = {"min": low, "max": high}
        if self.rng.random() < 0.3:
            ends[self.rng.choice(["min", "max"])] = None
        return self.made(self.call(scope, "clamp.default", self=v, **ends),
                         Value("", v.dtype, [], max(v.top, 4), v.error, v.grain and min(v.grain, 1.0)))

    def pad(self, scope):
        v = self.pick_tensor(scope, lambda v: v.shape)
        if v is None:
            return None
        width = [self.rng.choice([0, 1, 2]) for _ in range(2 * self.rng.randint(1, len(v.shape)))]
        return self.same(scope, v, "constant_pad_nd.default", pad=width)

    def repeat(self, scope):
        v = self.pick(scope, lambda v: v.size < 64 and v.shape)
        return self.same(scope, v, "repeat.default", repeats=[self.rng.choice([1, 1, 2, 3]) for _ in v.shape]) if v else None

    def flip(self, scope):
        v = self.pick(scope, lambda v: v.shape)
        return self.same(scope, v, "flip.default", dims=[self.rng.randrange(len(v.shape))]) if v else None

    def roll(self, scope):
        v = self.pick_tensor(scope, lambda v: v.shape)
        return self.same(scope, v, "roll.default", shifts=[self.rng.randint(-3, 3)], dims=[self.rng.randrange(len(v.shape))]) if v else None

    def split(self, scope):
        v = self.pick_tensor(scope, lambda v: v.shape and max(v.shape) > 1)
        if v is None:
            return None
        axis = v.shape.index(max(v.shape))
        first = self.rng.randint(1, v.shape[axis] - 1)
        return [self.made(out, v) for out in self.call(scope, "split_with_sizes.default", self=v,
                                                       split_sizes=[first, v.shape[axis] - first], dim=axis)]

    def factory(self, scope):
        v = self.pick(scope)
        op = self.rng.choice(["ones_like", "zeros_like", "full_like", "new_full"])
        more = {"full_like": {"fill_value": 3}, "new_full": {"size": self.shape() or [2], "fill_value": 2}}.get(op, {})
        return self.made(self.call(scope, op + ".default", self=v, **more), Value("", v.dtype, [], 3, 0, 1.0 if v.floating else None))

    def in_place(self, scope):
        """A copy, a view of it, and a write through one of them: both must see it."""
        v = self.pick_tensor(scope, lambda v: v.floating and v.shape and v.top < 100)
        if v is None:
            return None
        own = self.same(scope, v, "clone.default")
        part = self.rng.choice([
            lambda: self.same(scope, own, "select.int", dim=0, index=self.rng.randrange(v.shape[0])),
            lambda: self.same(scope, own, "slice.Tensor", dim=0, start=0, end=1, step=1),
            lambda: self.same(scope, own, "unsqueeze.default", dim=0)])()
        op = self.rng.choice(["add_.Scalar", "mul_.Scalar", "fill_.Scalar", "zero_.default", "relu_.default"])
        more = {"add_.Scalar": {"other": 2}, "mul_.Scalar": {"other": 2}, "fill_.Scalar": {"value": 2}}.get(op, {})
        target = self.rng.choice([own, part])
        self.call(scope, op, self=target, **more)
        for x in (own, part):
            x.top = 2 * x.top + 2
            x.error *= 2
            x.grain = x.grain and min(x.grain, 1.0)
        return [own, part]

    def as_strided(self, scope):
        v = self.pick_tensor(scope, lambda v: v.tensor.is_contiguous() and v.tensor.storage_offset() == 0 and v.size >= 4)
        if v is None:
            return None
        return self.same(scope, v, "as_strided.default", size=[2, 2], stride=self.rng.choice([[2, 1], [1, 2], [1, 1], [0, 1]]))

    def image(self, scope):
        v = self.pick_tensor(scope, lambda v: v.dtype == "float32" and len(v.shape) >= 2 and min(v.shape[-2:]) >= 2 and v.size < 256)
        if v is None:
            return None
        return self.same(scope, v, "reshape.default", shape=[1, math.prod(v.shape[:-2])] + v.shape[-2:])

    def pool(self, scope):
        v = self.image(scope)
        if v is None:
            return None
        pad, stride = self.rng.choice([0, 1]), self.rng.choice([1, 2])
        if self.rng.random() < 0.5:
            return self.made(self.call(scope, "max_pool2d_with_indices.default", self=v, kernel_size=[2, 2], stride=[stride, stride],
                                       padding=[pad, pad])[0], v)
        return self.made(self.call(scope, "avg_pool2d.default", self=v, kernel_size=[2, 2], stride=[stride, stride],
                                   padding=[pad, pad], count_include_pad=self.rng.random() < 0.5),
                         Value("", v.dtype, [], v.top, v.error + 8 * v.top * EPS[v.dtype]))

    def conv(self, scope):
        v = self.image(scope)
        if v is None or v.top > 100:
            return None
        kernel = [self.rng.randint(1, s) for s in v.shape[2:]]
        ones = self.made(self.call(scope, "new_full.default", self=v, size=[2, v.shape[1]] + kernel, fill_value=2),
                         Value("", v.dtype, [], 2, 0, 1.0))
        pad, stride = self.rng.choice([0, 1]), self.rng.choice([1, 2])
        out = self.call(scope, "convolution.default", input=v, weight=ones, bias=None, stride=[stride, stride], padding=[pad, pad],
                        dilation=[1, 1], transposed=False, output_padding=[0, 0], groups=1)
        return self.made(out, self.multiplied(v, ones, "", [], ones.size // 2))

    def layer_norm(self, scope):
        v = self.pick_tensor(scope, lambda v: v.dtype == "float32" and v.exact and v.shape and v.shape[-1] > 1)
        if v is None:
            return None
        out = self.call(scope, "native_layer_norm.default", input=v, normalized_shape=v.shape[-1:], weight=None, bias=None, eps=1.0)
        return self.made(out[0], Value("", v.dtype, [], v.top + 1, 64 * v.top * v.shape[-1] * EPS[v.dtype]))

    def variance(self, scope):
        v = self.pick_tensor(scope, lambda v: v.floating and v.exact and v.shape and v.shape[-1] > 1 and v.top < 100)
        if v is None:
            return None
        return self.made(self.call(scope, "var.correction", self=v, dim=[-1], correction=self.rng.choice([0, 1]), keepdim=False),
                         Value("", v.dtype, [], 4 * v.top * v.top, 64 * v.top * v.top * v.shape[-1] * EPS[v.dtype]))

    def tril(self, scope):
        v = self.pick(scope, lambda v: len(v.shape) > 1)
        return self.same(scope, v, self.rng.choice(["tril", "triu"]) + ".default", diagonal=self.rng.randint(-2, 2)) if v else None

    def topk(self, scope):
        v = self.pick_tensor(scope, lambda v: v.exact and v.dtype != "bool" and v.shape)
        if v is None:
            return None
        axis = self.rng.randrange(len(v.shape))
        return self.made(self.call(scope, "topk.default", self=v, k=self.rng.randint(1, v.shape[axis]), dim=axis,
                                   largest=self.rng.random() < 0.5, sorted=True)[0], v)  # of equal ones nobody says which

    # --- control flow -----------------------------------------------------------
    def reduce_to_truth(self, scope, v):
        name, tensor = self.call(scope, "any.default" if v.dtype == "bool" else self.rng.choice(["max.default", "min.default"]), self=v)
        if v.dtype == "bool":
            return self.made((name, tensor), Value("", "bool", [], 1))
        return self.made(self.call(scope, "gt.Scalar", self=self.made((name, tensor), v), other=self.rng.randint(-2, 2)), Value("", "bool", [], 1))

    @staticmethod
    def names_in(nodes):
        used = []
        for node in nodes:
            for a in node["attributes"]:
                used += ([a["operand"]] if "operand" in a else []) + [n for n in a.get("operands", []) if n]
        return used

    def region(self, name, parameters, nodes, results):
        return {"region": {"name": name, "parameters": parameters, "nodes": nodes, "results": results}}

    def conditional(self, scope):
        p = self.predicate(scope)
        if p is None:
            return None
        sides, chosen = self.branches(scope)
        # What is returned must be the branch's own.
        outer = {v.name for v in scope.values}
        if not chosen:
            return None
        for side, k in zip(sides, (0, 1)):
            for i, pair in enumerate(chosen):
                own = self.same(side, pair[k], "clone.default")
                chosen[i] = (own, pair[1]) if k == 0 else (pair[0], own)
        operands = []
        for side in sides:
            for n in self.names_in(side.nodes):
                if n in outer and n not in operands:
                    operands.append(n)
        parameters = [{"name": n} for n in operands]
        names = [self.fresh() for _ in chosen]
        scope.nodes.append({"op": "higher_order.cond", "attributes": [
            {"operand": p.name}, self.region("true_graph", parameters, sides[0].nodes, [x.name for x, _ in chosen]),
            self.region("false_graph", parameters, sides[1].nodes, [y.name for _, y in chosen]), {"operands": operands}],
            "results": names})
        # A conditional uses what its branches use.
        self.conditional_count += 1
        self.node_count += 1
        taken = 0 if bool(p.tensor) else 1
        out = []
        for n, pair in zip(names, chosen):
            v = self.merged(*[Value("", x.dtype, x.shape, x.top, x.error, x.grain if x.exact else None) for x in pair], n)
            v.tensor = pair[taken].tensor.clone()
            out.append(v)
        return out

    def while_loop(self, scope):
        v = self.pick_tensor(scope, lambda v: v.floating)
        w = self.pick_tensor(scope, lambda w: v is not None and w.dtype == v.dtype and broadcast(w.shape, v.shape) == v.shape)
        if w is None or scope.depth >= 3:
            return None
        trips = self.rng.randint(0, 4)
        begin = self.made(self.call(scope, "full.default", size=[], fill_value=0, dtype=torch.int64), Value("", "int64", [], 1))
        i, x, y = "i", "x", "w"
        parameters = [{"name": i}, {"name": x}, {"name": y}]
        test = [{"op": "aten.lt.Scalar", "attributes": [{"name": "self", "operand": i}, {"name": "other", "int": trips}], "results": ["go"]}]
        body = [{"op": "aten.add.Scalar", "attributes": [{"name": "self", "operand": i}, {"name": "other", "int": 1}], "results": ["j"]},
                {"op": "aten.add.Tensor", "attributes": [{"name": "self", "operand": x}, {"name": "other", "operand": y}], "results": ["z"]}]
        names = [self.fresh(), self.fresh()]
        scope.nodes.append({"op": "higher_order.while_loop", "attributes": [
            self.region("cond_fn", parameters, test, ["go"]), self.region("body_fn", parameters, body, ["j", "z"]),
            {"operands": [begin.name, v.name]}, {"operands": [w.name]}], "results": names})
        self.node_count += 1
        out = v.tensor
        for _ in range(trips):
            out = out + w.tensor
        bounds = self.added(v, Value("", w.dtype, w.shape, w.top * max(trips, 1), w.error * trips, w.grain), "", v.shape)
        return self.made((names[1], out.clone()), bounds)
