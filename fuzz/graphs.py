#!/usr/bin/env python3
"""Random well-typed graphs with conditionals, executed by condlint and by another executor, and compared.

    graphs.py --program CONDLINT [--device cuda] [--against onnxruntime|torch] [--count N] [--seed S] [--keep FOLDER]

Graph number i of seed S is always the same one. Each value carries a bound of its magnitude and of the error that it may have,
so that what is compared is what must agree: a step (a comparison, a rounding, a predicate) is only taken of values that are
exact. A graph that differs is kept with its inputs in FOLDER; the exit code is 1 then, and 77 where the other executor is absent.
"""
import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile

EPS = {"float32": 2.0 ** -23, "float64": 2.0 ** -52}
BITS = {"float32": 24, "float64": 53}


class Value:
    """A tensor of the graph: `top` bounds its magnitude, `error` what rounding may have changed, `grain` is a power of two that
    divides every element of an exact one."""

    def __init__(self, name, dtype, shape, top, error=0.0, grain=None):
        self.name, self.dtype, self.shape, self.top, self.error, self.grain = name, dtype, list(shape), top, error, grain
        if grain is not None and dtype in BITS and top > 0 and math.log2(top) - math.log2(grain) >= BITS[dtype]:
            self.grain, self.error = None, error + top * EPS[dtype]

    @property
    def exact(self):
        return self.dtype not in EPS or self.grain is not None

    @property
    def floating(self):
        return self.dtype in EPS

    @property
    def size(self):
        return math.prod(self.shape)


def broadcast(a, b):
    out = []
    for i in range(max(len(a), len(b))):
        x = a[-1 - i] if i < len(a) else 1
        y = b[-1 - i] if i < len(b) else 1
        if x != y and 1 not in (x, y):
            return None
        out.insert(0, y if x == 1 else x)
    return out


class Scope:
    """The values that a graph may use, and the nodes that it has so far."""

    def __init__(self, parent=None):
        self.values = list(parent.values) if parent else []
        self.nodes = []
        self.depth = parent.depth + 1 if parent else 0
        self.outer = len(self.values)


class Generator:
    def __init__(self, rng):
        self.rng = rng
        self.names = 0

    def fresh(self):
        self.names += 1
        return "v%d" % self.names

    # --- choosing ---------------------------------------------------------------
    def pick(self, scope, test=lambda v: True):
        fitting = [v for v in scope.values if test(v)]
        if not fitting:
            return None
        # What was made last is used most, so that graphs are deep and not only wide.
        return fitting[-1 - min(int(self.rng.expovariate(0.4)), len(fitting) - 1)]

    def pair(self, scope, test):
        a = self.pick(scope, test)
        if a is None:
            return None, None, None
        b = self.pick(scope, lambda v: v.dtype == a.dtype and test(v) and broadcast(a.shape, v.shape) is not None)
        return a, b, broadcast(a.shape, b.shape) if b else None

    def shape(self):
        return [self.rng.choice([1, 2, 2, 3, 3, 4, 5]) for _ in range(self.rng.choice([0, 1, 1, 2, 2, 2, 3]))]

    def inputs(self):
        out = []
        for _ in range(self.rng.randint(2, 4)):
            dtype = self.rng.choice(["float32"] * 5 + ["float64", "int64", "int32", "bool"])
            out.append(Value(self.fresh(), dtype, self.shape(), 1 if dtype == "bool" else 4, 0.0, 0.25))
        return out

    def data(self, inputs, numpy):
        arrays = []
        for v in inputs:
            count = v.size
            if v.dtype == "bool":
                flat = [self.rng.random() < 0.5 for _ in range(count)]
            elif v.floating:
                flat = [self.rng.randint(-16, 16) / 4 for _ in range(count)]
            else:
                flat = [self.rng.randint(-4, 4) for _ in range(count)]
            arrays.append(numpy.array(flat, dtype=v.dtype).reshape(v.shape))
        return arrays

    # --- bounds -----------------------------------------------------------------
    def keeps(self, v, name, shape, dtype=None):
        """The same elements, elsewhere or some of them."""
        return Value(name, dtype or v.dtype, shape, v.top, v.error, v.grain)

    def added(self, a, b, name, shape):
        grain = min(a.grain, b.grain) if a.exact and b.exact and a.floating else None
        top = a.top + b.top
        return Value(name, a.dtype, shape, top, a.error + b.error + (0 if grain else top * EPS.get(a.dtype, 0)), grain)

    def multiplied(self, a, b, name, shape, count=1):
        grain = a.grain * b.grain if a.exact and b.exact and a.floating else None
        top = a.top * b.top * count
        error = count * (a.error * b.top + b.error * a.top + a.error * b.error)
        return Value(name, a.dtype, shape, top, error + (0 if grain else top * (count + 1) * EPS.get(a.dtype, 0)), grain)

    def smooth(self, v, name, slope, top):
        """A function of slope `slope` at most, and of magnitude `top`."""
        return Value(name, v.dtype, v.shape, top, v.error * slope + (4 * top + slope * v.top) * EPS[v.dtype] * 4)

    def grow(self, scope, count):
        for _ in range(count):
            for _ in range(20):
                if self.step(scope):
                    break

    def step(self, scope):
        makers = self.makers + ([self.conditional] * 3 if scope.depth < 3 else [])
        made = self.rng.choice(makers)(scope)
        if not made:
            return False
        for v in made if isinstance(made, list) else [made]:
            if v.size <= 4096 and v.top < 1e6 and (not v.floating or v.error < 1e-2 * max(1.0, v.top)):
                scope.values.append(v)
        return True

    def predicate(self, scope):
        """A bool of one element, from exact values alone."""
        v = self.pick(scope, lambda v: v.exact and v.size > 0)
        return self.reduce_to_truth(scope, v) if v else None

    def merged(self, a, b, name):
        """What is true of a value that is `a` or `b`."""
        grain = min(a.grain, b.grain) if a.grain is not None and b.grain is not None else None
        out = Value(name, a.dtype, a.shape, max(a.top, b.top), max(a.error, b.error), grain)
        if out.floating and grain is None and a.floating:
            out.error = max(out.error, out.top * EPS[out.dtype])
        return out

    def branches(self, scope):
        """Two scopes, and pairs of values of one type from each."""
        sides = [Scope(scope), Scope(scope)]
        for side in sides:
            self.grow(side, self.rng.randint(1, 5))
        own = [[v for v in side.values[side.outer:] if v.size > 0] for side in sides]
        pairs = [(a, b) for a in own[0] for b in own[1] if a.dtype == b.dtype and a.shape == b.shape]
        self.rng.shuffle(pairs)
        chosen, used = [], set()
        for a, b in pairs:
            if a.name not in used and b.name not in used and len(chosen) < 3:
                chosen.append((a, b))
                used |= {a.name, b.name}
        return sides, chosen


def tolerance(v):
    return 1e-6 * max(1.0, v.top) + 64 * v.error


def differs(numpy, got, wanted, v):
    """Why the arrays are not the same value; None when they are."""
    if str(got.dtype) != str(wanted.dtype) or got.shape != wanted.shape:
        return "%s%s against %s%s" % (got.dtype, list(got.shape), wanted.dtype, list(wanted.shape))
    if v.floating and not v.exact:
        same = numpy.isclose(got, wanted, rtol=1e-5, atol=tolerance(v), equal_nan=True)
    else:
        same = (got == wanted) | ((got != got) & (wanted != wanted))
    if numpy.all(same):
        return None
    at = tuple(int(i) for i in numpy.argwhere(~numpy.atleast_1d(same))[0])
    return "at %s: %r against %r (allowed %g)" % (at, numpy.atleast_1d(got)[at], numpy.atleast_1d(wanted)[at],
                                                 0 if v.exact else tolerance(v))


def run_ours(program, device, folder, model, arrays, numpy):
    numpy.savez(os.path.join(folder, "in.npz"), **{"in%d" % i: a for i, a in enumerate(arrays)})
    out = os.path.join(folder, "out.npz")
    if os.path.exists(out):
        os.remove(out)
    done = subprocess.run([program, "run", model, "--device", device, "--inputs", os.path.join(folder, "in.npz"), "--save", out,
                           "--quiet"], capture_output=True, text=True)
    if done.returncode != 0:
        return None, "exit code %d: %s" % (done.returncode, (done.stderr or done.stdout).strip())
    with numpy.load(out) as file:
        return [file["out%d" % i] for i in range(len(file.files))], None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--device", default="cpu", help="of condlint: cpu or cuda")
    parser.add_argument("--against", choices=["onnxruntime", "torch"], default="onnxruntime")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, help="the one graph of this number")
    parser.add_argument("--keep", default=".")
    a = parser.parse_args()
    try:
        import numpy
        if a.against == "torch":
            from torch_graphs import Graphs
        else:
            from onnx_graphs import Graphs
    except ImportError as error:
        print("graphs: skipped: %s" % error)
        return 77
    wrong = nodes = conditionals = 0
    left_out = {}
    numbers = [a.only] if a.only is not None else range(a.count)
    with tempfile.TemporaryDirectory() as folder:
        for number in numbers:
            graphs = Graphs(random.Random("%d/%d" % (a.seed, number)))
            try:
                model, text, outputs, arrays, wanted = graphs.make(folder, numpy)
            except NotImplementedError as error:
                left_out[str(error)] = left_out.get(str(error), 0) + 1
                continue
            nodes += graphs.node_count
            conditionals += graphs.conditional_count
            got, problem = run_ours(a.program, a.device, folder, model, arrays, numpy)
            if problem is None and len(got) != len(wanted):
                problem = "%d outputs against %d" % (len(got), len(wanted))
            for v, x, y in zip(outputs, got or [], wanted):
                problem = problem or (lambda d: d and "output %s %s" % (v.name, d))(differs(numpy, x, y, v))
            if problem is None:
                continue
            wrong += 1
            name = "graph-%s-%d-%d" % (a.against, a.seed, number)
            kept = os.path.join(a.keep, name + os.path.splitext(model)[1])
            with open(model, "rb") as source, open(kept, "wb") as out:
                out.write(source.read())
            os.replace(os.path.join(folder, "in.npz"), os.path.join(a.keep, name + ".npz"))
            print("%s: %s\n%s" % (kept, problem, text))
    print("%d graphs of %d nodes and %d conditionals in all, against %s: %d differ" %
          (len(numbers), nodes, conditionals, a.against, wrong))
    for why, count in sorted(left_out.items()):
        print("  left out: %d graphs: %s" % (count, why))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    sys.exit(main())
