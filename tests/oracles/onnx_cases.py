#!/usr/bin/env python3
"""Small ONNX models with a conditional, one property changed in each: what the ONNX oracles measure systems with.

`cases()` yields (name, model). Names are group/what; a model is valid or broken on purpose, the oracle asks what a system
makes of it.
"""
import numpy as np
import onnx
import onnx.inliner
from onnx import TensorProto as T
from onnx import helper as h
from onnx import numpy_helper as nh

NAMES = {T.FLOAT: "float", T.DOUBLE: "double", T.FLOAT16: "half", T.BFLOAT16: "bfloat16", T.INT64: "int64",
         T.INT32: "int32", T.INT8: "int8", T.UINT8: "uint8", T.INT16: "int16", T.UINT16: "uint16", T.UINT32: "uint32",
         T.UINT64: "uint64", T.BOOL: "bool", T.STRING: "string"}


def info(name, dtype=T.FLOAT, shape=(3,)):
    if dtype is None:
        return onnx.ValueInfoProto(name=name)
    return h.make_tensor_value_info(name, dtype, shape)


def branch(name, nodes, outputs, init=()):
    return h.make_graph(nodes, name, [], outputs, list(init))


def model(nodes, inputs, outputs, init=(), opset=17, functions=(), ir=8):
    domains = [h.make_opsetid("", opset)] + ([h.make_opsetid("local", 1)] if functions else [])
    return h.make_model(h.make_graph(nodes, "g", inputs, outputs, list(init)), opset_imports=domains, ir_version=ir,
                        functions=list(functions))


def node(op, inputs, outputs, **attributes):
    return h.make_node(op, inputs, outputs, **attributes)


def conditional(then_branch, else_branch, outputs=("y",), cond="p", name="the_if"):
    return h.make_node("If", [cond], list(outputs), name=name, then_branch=then_branch, else_branch=else_branch)


def unary(op, name, out, source="x", declared=None):
    return branch(name, [node(op, [source], [out])], [declared if declared is not None else info(out)])


P, X, Y = info("p", T.BOOL, []), info("x"), info("y")


def plain(**kw):
    return conditional(unary("Neg", "a", "t"), unary("Abs", "b", "e"), **kw)


def predicates():
    for dtype in (T.BOOL, T.FLOAT, T.DOUBLE, T.FLOAT16, T.INT64, T.INT32, T.INT8, T.UINT8, T.STRING):
        yield f"predicate/dtype-{NAMES[dtype]}", model([plain()], [info("p", dtype, []), X], [Y])
    for shape in ([], [1], [1, 1], [1, 1, 1], [2], [3], [0], ["n"], ["n", "m"], [1, "n"], [1, 3]):
        words = "x".join(map(str, shape)) or "scalar"
        yield f"predicate/shape-{words}", model([plain()], [info("p", T.BOOL, shape), X], [Y])
    # Sizes that are computed and not declared.
    compare = [node("ReduceMax", ["x"], ["m"], keepdims=1), node("Greater", ["m", "zero"], ["p"])]
    zero = nh.from_array(np.zeros([], np.float32), "zero")
    yield "predicate/computed-1", model(compare + [plain()], [X], [Y], [zero])
    yield "predicate/computed-3", model([node("Greater", ["x", "zero"], ["p"]), plain()], [X], [Y], [zero])
    squeezed = [node("Greater", ["x", "zero"], ["q"]), node("Squeeze", ["q"], ["p"]), plain()]
    yield "predicate/squeezed", model(squeezed, [info("x", T.FLOAT, ["n"])], [info("y", T.FLOAT, ["n"])], [zero])
    yield "predicate/untyped-rank", model([plain()], [h.make_tensor_value_info("p", T.BOOL, None), X], [Y])
    cast = [node("Cast", ["q"], ["p"], to=T.BOOL), plain()]
    for dtype in (T.FLOAT, T.INT64, T.INT32):
        yield f"predicate/cast-{NAMES[dtype]}", model(cast, [info("q", dtype, []), X], [Y])
    compared = [node("Equal", ["q", "q0"], ["r"]), node("Not", ["r"], ["p"]), plain()]
    for dtype, np_type in ((T.FLOAT, np.float32), (T.INT64, np.int64)):
        q0 = nh.from_array(np.zeros([], np_type), "q0")
        yield f"predicate/compared-{NAMES[dtype]}", model(compared, [info("q", dtype, []), X], [Y], [q0])
    reshape = [node("Reshape", ["q", "none"], ["p"]), plain()]
    none = nh.from_array(np.zeros([0], np.int64), "none")
    yield "predicate/reshaped", model(reshape, [info("q", T.BOOL, [1, 1]), X], [Y], [none])
    gather = [node("ReduceMax", ["q32"], ["r32"], keepdims=0), node("Cast", ["r32"], ["p"], to=T.BOOL), plain()]
    yield "predicate/reduced", model([node("Cast", ["q"], ["q32"], to=T.INT32)] + gather,
                                     [info("q", T.BOOL, [3]), X], [Y])


def constants():
    for value in (True, False):
        for shape in ([], [1]):
            p = nh.from_array(np.full(shape, value), "p")
            yield f"constant/{value}-{len(shape)}-initializer", model([plain()], [X], [Y], [p])
            yield (f"constant/{value}-{len(shape)}-node",
                   model([node("Constant", [], ["p"], value=nh.from_array(np.full(shape, value), "v")), plain()], [X], [Y]))
    p3 = nh.from_array(np.array([True, False, False]), "p")
    yield "constant/three", model([plain()], [X], [Y], [p3])
    half = nh.from_array(np.array(0.5, np.float32), "p")
    yield "constant/half", model([plain()], [X], [Y], [half])
    one = nh.from_array(np.array(1, np.int64), "p")
    yield "constant/int", model([plain()], [X], [Y], [one])
    many = nh.from_array(np.array(256, np.int64), "p")
    yield "constant/int-256", model([plain()], [X], [Y], [many])
    yield "constant/int-of-sizes", model([node("Size", ["w"], ["p"]), plain()], [info("w", T.FLOAT, [256]), X], [Y])
    for value in (True, False):
        p = nh.from_array(np.array(value), "p")
        yield (f"constant/{value}-ranks", model([conditional(
            unary("Neg", "a", "t"),
            branch("b", [node("Unsqueeze", ["x", "ax"], ["e"])], [info("e", T.FLOAT, [1, 3])]))],
            [X], [info("y", T.FLOAT, None)], [p, nh.from_array(np.array([0]), "ax")]))
        yield (f"constant/{value}-dtypes", model([conditional(
            unary("Neg", "a", "t"),
            branch("b", [node("Cast", ["x"], ["e"], to=T.INT64)], [info("e", T.INT64)]))], [X], [Y], [p]))
        yield (f"constant/{value}-counts", model([conditional(
            unary("Neg", "a", "t"),
            branch("b", [node("Abs", ["x"], ["e"]), node("Neg", ["x"], ["e2"])], [info("e"), info("e2")]))],
            [X], [Y], [p]))
        yield (f"constant/{value}-dead-is-broken", model([conditional(
            unary("Neg", "a", "t"),
            branch("b", [node("MatMul", ["x", "five"], ["e"])], [info("e", T.FLOAT, [])]))],
            [X], [h.make_tensor_value_info("y", T.FLOAT, None)],
            [p, nh.from_array(np.zeros([5], np.float32), "five")]))
    yield "constant/1x1", model([plain()], [X], [Y], [nh.from_array(np.ones([1, 1], bool), "p")])
    wide = branch("b", [node("Unsqueeze", ["x", "ax"], ["e"])], [info("e", T.FLOAT, [1, 3])])
    axis = nh.from_array(np.array([0]), "ax")
    whole = branch("b", [node("Cast", ["x"], ["e"], to=T.INT64)], [info("e", T.INT64)])
    for words, nodes, init in (
            ("not", [node("Not", ["c"], ["p"])], [nh.from_array(np.array(False), "c")]),
            ("equal", [node("Equal", ["c", "c"], ["p"])], [nh.from_array(np.array(3), "c")]),
            ("cast", [node("Cast", ["c"], ["p"], to=T.BOOL)], [nh.from_array(np.array(1), "c")]),
            ("identity", [node("Identity", ["c"], ["p"])], [nh.from_array(np.array(True), "c")])):
        yield (f"constant/folded-{words}-ranks", model(nodes + [conditional(unary("Neg", "a", "t"), wide)], [X],
                                                       [info("y", T.FLOAT, None)], init + [axis]))
        yield (f"constant/folded-{words}-dtypes", model(nodes + [conditional(unary("Neg", "a", "t"), whole)], [X], [Y],
                                                        init))
    yield "constant/unused-ranks", model([conditional(unary("Neg", "a", "t"), wide), node("Exp", ["x"], ["z"])], [P, X],
                                         [info("z")], [axis])
    yield "constant/unused-dtypes", model([conditional(unary("Neg", "a", "t"), whole), node("Exp", ["x"], ["z"])], [P, X],
                                          [info("z")])
    shape = [node("Shape", ["x"], ["s"]), node("Gather", ["s", "zero"], ["d"]), node("Greater", ["d", "two"], ["p"])]
    init = [nh.from_array(np.array(0), "zero"), nh.from_array(np.array(2), "two")]
    yield "constant/from-shape", model(shape + [plain()], [X], [Y], init)
    yield "constant/from-shape-ranks", model(shape + [conditional(
        unary("Neg", "a", "t"),
        branch("b", [node("Unsqueeze", ["x", "zero1"], ["e"])], [info("e", T.FLOAT, [1, 3])]))],
        [X], [info("y", T.FLOAT, None)], init + [nh.from_array(np.array([0]), "zero1")])
    yield "constant/from-dynamic-shape", model(shape + [plain()], [info("x", T.FLOAT, ["n"])],
                                               [info("y", T.FLOAT, ["n"])], init)


def outputs():
    two = [info("t"), info("t2")]
    a2 = branch("a", [node("Neg", ["x"], ["t"]), node("Exp", ["x"], ["t2"])], two)
    b2 = branch("b", [node("Abs", ["x"], ["e"]), node("Sin", ["x"], ["e2"])], [info("e"), info("e2")])
    a1, b1 = unary("Neg", "a", "t"), unary("Abs", "b", "e")
    none_a, none_b = branch("a", [], []), branch("b", [], [])
    y2 = info("y2")
    yield "count/two", model([conditional(a2, b2, ("y", "y2"))], [P, X], [Y, y2])
    yield "count/two-one-used", model([conditional(a2, b2, ("y", ""))], [P, X], [Y])
    yield "count/two-first-unnamed", model([conditional(a2, b2, ("", "y"))], [P, X], [Y])
    yield "count/fewer-declared", model([conditional(a2, b2, ("y",))], [P, X], [Y])
    yield "count/more-declared", model([conditional(a1, b1, ("y", "y2"))], [P, X], [Y, y2])
    yield "count/surplus-then", model([conditional(a2, b1)], [P, X], [Y])
    yield "count/surplus-else", model([conditional(a1, b2)], [P, X], [Y])
    yield "count/short-then", model([conditional(a1, b2, ("y", "y2"))], [P, X], [Y, y2])
    yield "count/short-else", model([conditional(a2, b1, ("y", "y2"))], [P, X], [Y, y2])
    first = branch("a", [node("Neg", ["x"], ["t"]), node("Exp", ["x"], ["t2"])], [info("t2"), info("t")])
    yield "count/surplus-then-first", model([conditional(first, b1)], [P, X], [Y])
    # What OpenVINO leaves out, and what it does not, and where as many are left.
    for words, then, other in (("add", "Add", None), ("both-add", "Add", "Mul"), ("add-and-exp", "Add", "Exp"), ("both-exp", "Exp", "Exp")):
        def with_(name, op, more, o):
            reads = ["x", "x"] if more in ("Add", "Mul") else ["x"]
            return branch(name, [node(op, ["x"], [o])] + ([node(more, reads, [o + "2"])] if more else []),
                          [info(o)] + ([info(o + "2")] if more else []))
        yield f"count/surplus-{words}", model([conditional(with_("a", "Neg", then, "t"), with_("b", "Abs", other, "e"))], [P, X], [Y])
    yield "count/surplus-unused", model([conditional(a2, b1, ("v",)), node("Exp", ["x"], ["y"])], [P, X], [Y])
    yield "count/none", model([conditional(none_a, none_b, ()), node("Neg", ["x"], ["y"])], [P, X], [Y])
    yield "count/none-then", model([conditional(none_a, b1)], [P, X], [Y])
    yield "count/none-else", model([conditional(a1, none_b)], [P, X], [Y])
    yield "count/unused", model([plain(), node("Neg", ["x"], ["z"])], [P, X], [info("z")])
    yield "count/twice-the-same", model([conditional(
        branch("a", [node("Neg", ["x"], ["t"])], [info("t"), info("t")]),
        branch("b", [node("Abs", ["x"], ["e"])], [info("e"), info("e")]), ("y", "y2"))], [P, X], [Y, y2])
    for dtype in (T.FLOAT, T.DOUBLE, T.FLOAT16, T.BFLOAT16, T.INT64, T.INT32, T.INT8, T.UINT8, T.INT16, T.UINT16,
                  T.UINT32, T.UINT64, T.BOOL, T.STRING):
        same = [branch(n, [node("Identity", [s], [o])], [info(o, dtype)]) for n, s, o in (("a", "x", "t"), ("b", "w", "e"))]
        yield (f"dtype/{NAMES[dtype]}", model([conditional(*same)], [P, info("x", dtype), info("w", dtype)],
                                              [info("y", dtype)]))
    for left in (T.FLOAT, T.INT64):
        for right in (T.FLOAT, T.DOUBLE, T.FLOAT16, T.INT64, T.INT32, T.BOOL, T.UINT8, T.STRING):
            if left != right and not (left == T.INT64 and right == T.FLOAT):
                ab = [branch(n, [node("Identity", [s], [o])], [info(o, d)])
                      for n, s, o, d in (("a", "x", "t", left), ("b", "w", "e", right))]
                yield (f"dtype/{NAMES[left]}-{NAMES[right]}",
                       model([conditional(*ab)], [P, info("x", left), info("w", right)], [info("y", left)]))
                yield (f"dtype/{NAMES[right]}-{NAMES[left]}",
                       model([conditional(*ab[::-1])], [P, info("x", left), info("w", right)], [info("y", right)]))
    shapes = {"3-3": ([3], [3]), "3-4": ([3], [4]), "scalar-1": ([], [1]), "1-scalar": ([1], []), "scalar-3": ([], [3]),
              "3-scalar": ([3], []), "3-1x3": ([3], [1, 3]), "1x3-3": ([1, 3], [3]), "2x3-3x2": ([2, 3], [3, 2]),
              "0-3": ([0], [3]), "3-0": ([3], [0]), "1-3": ([1], [3]), "3-1": ([3], [1]), "2x3-2x3x1": ([2, 3], [2, 3, 1]),
              "2x3x4-5x6x7": ([2, 3, 4], [5, 6, 7]), "scalar-scalar": ([], []), "n-3": (["n"], [3]), "n-m": (["n"], ["m"]),
              "nx3-2xm": (["n", 3], [2, "m"]), "scalar-1x1": ([], [1, 1]), "n-1xn": (["n"], [1, "n"])}
    for words, (s, u) in shapes.items():
        ab = [branch(n, [node("Neg", [i], [o])], [info(o, T.FLOAT, d)])
              for n, i, o, d in (("a", "x", "t", s), ("b", "w", "e", u))]
        out = info("y", T.FLOAT, None)
        yield (f"shape/{words}", model([conditional(*ab)], [P, info("x", T.FLOAT, s), info("w", T.FLOAT, u)], [out]))
        if len(s) == len(u):
            yield (f"shape/{words}-then-used", model([conditional(*ab), node("Exp", ["y"], ["z"])],
                                                     [P, info("x", T.FLOAT, s), info("w", T.FLOAT, u)],
                                                     [info("z", T.FLOAT, None)]))
    # Rank unknown: of the branches, of the inputs.
    reshape = [branch(n, [node("Reshape", ["x", s], [o])], [info(o, T.FLOAT, None)])
               for n, s, o in (("a", "s1", "t"), ("b", "s2", "e"))]
    shape_inputs = [info("s1", T.INT64, [1]), info("s2", T.INT64, [1])]
    yield "shape/by-input", model([conditional(*reshape)], [P, info("x", T.FLOAT, [6])] + shape_inputs,
                                  [info("y", T.FLOAT, None)])
    yield ("shape/declared-wrong-inside", model([conditional(
        branch("a", [node("Neg", ["x"], ["t"])], [info("t", T.FLOAT, [7])]), unary("Abs", "b", "e"))], [P, X], [Y]))
    yield ("shape/declared-wrong-rank-inside", model([conditional(
        branch("a", [node("Neg", ["x"], ["t"])], [info("t", T.FLOAT, [1, 3])]), unary("Abs", "b", "e"))], [P, X], [Y]))
    yield ("dtype/declared-wrong-inside", model([conditional(
        branch("a", [node("Neg", ["x"], ["t"])], [info("t", T.INT64)]), unary("Abs", "b", "e"))], [P, X], [Y]))
    yield ("dtype/declared-wrong-outside", model([plain()], [P, X], [info("y", T.INT64)]))
    yield ("shape/declared-wrong-outside", model([plain()], [P, X], [info("y", T.FLOAT, [7])]))
    yield ("shape/declared-wrong-rank-outside", model([plain()], [P, X], [info("y", T.FLOAT, [1, 3])]))
    yield ("untyped/branch-outputs", model([conditional(
        branch("a", [node("Neg", ["x"], ["t"])], [info("t", None)]),
        branch("b", [node("Abs", ["x"], ["e"])], [info("e", None)]))], [P, X], [Y]))
    # A rank that a dynamic operator leaves open, and what makes it known again.
    squeeze = conditional(branch("a", [node("Squeeze", ["x", "axis"], ["t"])], [info("t", T.FLOAT, None)]),
                          branch("b", [node("Identity", ["x"], ["e"])], [info("e", T.FLOAT, None)]))
    axis = nh.from_array(np.array([1]), "axis")
    yield "shape/squeeze", model([squeeze], [P, info("x", T.FLOAT, [2, 1])], [info("y", T.FLOAT, None)], [axis])
    back = nh.from_array(np.array([2, -1]), "back")
    yield ("shape/squeeze-then-reshaped", model([squeeze, node("Reshape", ["y", "back"], ["z"])],
                                                [P, info("x", T.FLOAT, [2, 1])], [info("z", T.FLOAT, [2, 1])],
                                                [axis, back]))
    inside = conditional(
        branch("a", [node("Squeeze", ["x", "axis"], ["t0"]), node("Unsqueeze", ["t0", "axis"], ["t"])],
               [info("t", T.FLOAT, [2, 1])]),
        branch("b", [node("Identity", ["x"], ["e"])], [info("e", T.FLOAT, [2, 1])]))
    yield "shape/rank-mended-inside", model([inside], [P, info("x", T.FLOAT, [2, 1])], [info("y", T.FLOAT, [2, 1])], [axis])
    nonzero = [branch(n, [node("NonZero", [s], [o])], [info(o, T.INT64, [1, None])])
               for n, s, o in (("a", "x", "t"), ("b", "w", "e"))]
    yield "shape/data-dependent", model([conditional(*nonzero)], [P, X, info("w")], [info("y", T.INT64, [1, None])])


def captures():
    yield "capture/returned", model([conditional(branch("a", [], [info("x")]), unary("Abs", "b", "e"))], [P, X], [Y])
    yield "capture/returned-else", model([conditional(unary("Abs", "a", "t"), branch("b", [], [info("x")]))], [P, X], [Y])
    yield "capture/returned-both", model([conditional(branch("a", [], [info("x")]), branch("b", [], [info("w")]))],
                                         [P, X, info("w")], [Y])
    yield "capture/identity", model([conditional(
        branch("a", [node("Identity", ["x"], ["t"])], [info("t")]), unary("Abs", "b", "e"))], [P, X], [Y])
    yield "capture/identity-both", model([conditional(
        branch("a", [node("Identity", ["x"], ["t"])], [info("t")]),
        branch("b", [node("Identity", ["w"], ["e"])], [info("e")]))], [P, X, info("w")], [Y])
    one = nh.from_array(np.ones(3, np.float32), "one")
    yield "capture/initializer-outside", model([conditional(
        branch("a", [node("Add", ["x", "one"], ["t"])], [info("t")]), unary("Abs", "b", "e"))], [P, X], [Y], [one])
    yield "capture/initializer-inside", model([conditional(
        branch("a", [node("Add", ["x", "one"], ["t"])], [info("t")], [one]), unary("Abs", "b", "e"))], [P, X], [Y])
    yield "capture/initializer-returned", model([conditional(
        branch("a", [], [info("one")], [one]), unary("Abs", "b", "e"))], [P, X], [Y])
    yield "capture/initializer-outside-returned", model([conditional(
        branch("a", [], [info("one")]), unary("Abs", "b", "e"))], [P, X], [Y], [one])
    yield "capture/constants-only", model([conditional(
        branch("a", [node("Constant", [], ["t"], value=nh.from_array(np.ones(3, np.float32)))], [info("t")]),
        branch("b", [node("Constant", [], ["e"], value=nh.from_array(np.zeros(3, np.float32)))], [info("e")]))], [P], [Y])
    yield "capture/one-side-only", model([conditional(
        unary("Neg", "a", "t", "x"), unary("Abs", "b", "e", "w"))], [P, X, info("w")], [Y])
    yield "capture/predicate", model([conditional(
        branch("a", [node("Cast", ["p"], ["f"], to=T.FLOAT), node("Add", ["x", "f"], ["t"])], [info("t")]),
        unary("Abs", "b", "e"))], [P, X], [Y])
    yield "capture/computed", model([node("Exp", ["x"], ["v"]), conditional(
        unary("Neg", "a", "t", "v"), unary("Abs", "b", "e", "v"))], [P, X], [Y])
    yield "capture/computed-returned", model([node("Exp", ["x"], ["v"]), conditional(
        branch("a", [], [info("v")]), unary("Abs", "b", "e", "v"))], [P, X], [Y])
    yield "capture/same-names", model([conditional(unary("Neg", "a", "t"), unary("Abs", "b", "t"))], [P, X], [Y])
    yield "capture/names-as-outside", model([conditional(unary("Neg", "a", "y"), unary("Abs", "b", "y"))], [P, X], [Y])
    shadow = branch("a", [node("Exp", ["w"], ["v"]), node("Neg", ["v"], ["t"])], [info("t")])
    yield "capture/shadowed", model([node("Sin", ["x"], ["v"]), conditional(shadow, unary("Abs", "b", "e", "v"))],
                                    [P, X, info("w")], [Y])
    yield "capture/shadowed-initializer", model([conditional(
        branch("a", [node("Add", ["x", "v"], ["t"])], [info("t")], [nh.from_array(np.full(3, 5, np.float32), "v")]),
        unary("Abs", "b", "e"))], [P, X, ], [Y], [nh.from_array(np.ones(3, np.float32), "v")])
    yield "capture/undefined", model([conditional(unary("Neg", "a", "t", "nowhere"), unary("Abs", "b", "e"))], [P, X], [Y])
    yield "capture/other-branch", model([conditional(
        branch("a", [node("Exp", ["x"], ["i"]), node("Neg", ["i"], ["t"])], [info("t")]), unary("Abs", "b", "e", "i"))],
        [P, X], [Y])
    yield "capture/leak", model([conditional(
        branch("a", [node("Exp", ["x"], ["i"]), node("Neg", ["i"], ["t"])], [info("t")]), unary("Abs", "b", "e")),
        node("Add", ["y", "i"], ["z"])], [P, X], [info("z")])
    yield "capture/unsorted", model([plain(), node("Not", ["q"], ["p"])], [info("q", T.BOOL, []), X], [Y])
    yield "capture/unsorted-inside", model([conditional(
        branch("a", [node("Neg", ["i"], ["t"]), node("Exp", ["x"], ["i"])], [info("t")]), unary("Abs", "b", "e"))],
        [P, X], [Y])
    yield "capture/branch-with-inputs", model([conditional(
        h.make_graph([node("Neg", ["i"], ["t"])], "a", [info("i")], [info("t")]), unary("Abs", "b", "e"))], [P, X], [Y])
    yield "capture/branch-with-unused-inputs", model([conditional(
        h.make_graph([node("Neg", ["x"], ["t"])], "a", [info("i")], [info("t")]), unary("Abs", "b", "e"))], [P, X], [Y])
    yield "capture/two-ifs", model([
        plain(outputs=("v",)), conditional(unary("Exp", "a2", "t2", "v"), unary("Sin", "b2", "e2", "v"), name="second")],
        [P, X], [Y])
    yield "capture/two-ifs-one-result-live", model([
        plain(outputs=("v",)), conditional(unary("Exp", "a2", "t2"), unary("Sin", "b2", "e2"), ("w",), name="second"),
        node("Add", ["v", "w"], ["y"])], [P, X], [Y])


def nested():
    for depth in (2, 3, 5, 10):
        inner = unary("Neg", "leaf", "t0")
        for level in range(1, depth + 1):
            inner = branch(f"a{level}", [conditional(inner, unary("Abs", f"b{level}", f"e{level}"), (f"t{level}",),
                                                     name=f"if{level}")], [info(f"t{level}")])
        made = model([h.make_node("If", ["p"], ["y"], name="top", then_branch=inner,
                                  else_branch=unary("Exp", "last", "last_out"))], [P, X], [Y])
        yield f"nested/{depth}", made
    deep = branch("a", [node("Exp", ["x"], ["m"]), conditional(
        unary("Neg", "aa", "tt", "m"), unary("Abs", "bb", "ee", "w"), ("t",), cond="q", name="inner")], [info("t")])
    yield "nested/captures-two-levels", model([conditional(deep, unary("Abs", "b", "e"))],
                                              [P, info("q", T.BOOL, []), X, info("w")], [Y])
    ranks = branch("a", [conditional(
        branch("aa", [node("Unsqueeze", ["x", "ax"], ["tt"])], [info("tt", T.FLOAT, [1, 3])]),
        branch("bb", [node("Abs", ["x"], ["ee"])], [info("ee")]), ("r",), cond="q", name="inner"),
        node("Reshape", ["r", "three"], ["t"])], [info("t")])
    yield "nested/ranks-inside", model([conditional(ranks, unary("Abs", "b", "e"))],
                                       [P, info("q", T.BOOL, []), X], [Y],
                                       [nh.from_array(np.array([0]), "ax"), nh.from_array(np.array([3]), "three")])
    loop_body = h.make_graph([node("Neg", ["v"], ["v1"]), conditional(
        unary("Abs", "a", "t", "v1"), unary("Exp", "b", "e", "v1"), ("v2",)), node("Identity", ["c"], ["c1"])],
        "body", [info("i", T.INT64, []), info("c", T.BOOL, []), info("v")], [info("c1", T.BOOL, []), info("v2")])
    yield "nested/in-a-loop", model([h.make_node("Loop", ["n", "go", "x"], ["y"], name="loop", body=loop_body)],
                                    [P, X], [Y], [nh.from_array(np.array(3), "n"), nh.from_array(np.array(True), "go")])
    inner_loop = h.make_graph([node("Add", ["v", "x"], ["v1"]), node("Identity", ["c"], ["c1"])], "body",
                              [info("i", T.INT64, []), info("c", T.BOOL, []), info("v")],
                              [info("c1", T.BOOL, []), info("v1")])
    yield "nested/loop-inside", model([conditional(
        branch("a", [h.make_node("Loop", ["n", "go", "x"], ["t"], name="loop", body=inner_loop)], [info("t")]),
        unary("Abs", "b", "e"))], [P, X], [Y],
        [nh.from_array(np.array(3), "n"), nh.from_array(np.array(True), "go")])


def functions():
    body = [plain(outputs=("o",))]
    f = h.make_function("local", "Choose", ["p", "x"], ["o"], body, [h.make_opsetid("", 17)])
    call = h.make_node("Choose", ["p", "x"], ["y"], domain="local")
    yield "function/if-inside", model([call], [P, X], [Y], functions=[f])
    g = h.make_function("local", "Twist", ["x"], ["o"], [node("Neg", ["x"], ["i"]), node("Exp", ["i"], ["o"])],
                        [h.make_opsetid("", 17)])
    in_branch = conditional(branch("a", [h.make_node("Twist", ["x"], ["t"], domain="local")], [info("t")]),
                            unary("Abs", "b", "e"))
    yield "function/called-in-branch", model([in_branch], [P, X], [Y], functions=[g])
    twice = [h.make_node("Choose", ["p", "x"], ["v"], domain="local"),
             h.make_node("Choose", ["q", "v"], ["y"], domain="local")]
    yield "function/twice", model(twice, [P, info("q", T.BOOL, []), X], [Y], functions=[f])


def loops():
    """What a Loop around a conditional makes wrong by itself."""
    n, c, v = info("n", T.INT64, []), info("c", T.BOOL, []), info("v")
    three, true = nh.from_array(np.array(3), "three"), nh.from_array(np.array(True), "true")
    chosen = conditional(unary("Neg", "a", "t", "v"), unary("Abs", "b", "e", "v"), outputs=("w",))

    def around(nodes, condition, begins="true", given=(), chosen=chosen):
        body = h.make_graph([*nodes, chosen], "body", [n, c, v], [info(condition, T.BOOL, []), info("w")])
        return model([node("Loop", ["three", begins, "x"], ["y"], body=body)], [P, X, *given], [Y], [three, true])

    yield "loop/condition-copied", around([node("Identity", ["c"], ["c2"])], "c2")
    yield "loop/condition-itself", around([], "c")
    read = conditional(branch("ca", [node("Cast", ["c"], ["f"], to=T.FLOAT), node("Add", ["v", "f"], ["ct"])], [info("ct")]),
                       unary("Abs", "cb", "ce", "v"), outputs=("w",))
    yield "loop/condition-read-and-copied", around([node("Identity", ["c"], ["c2"])], "c2", chosen=read)
    yield "loop/condition-read-and-negated", around([node("Not", ["c"], ["c2"])], "c2", chosen=read)
    yield "loop/condition-read", around([node("Identity", ["true"], ["c2"])], "c2", chosen=read)
    yield "loop/condition-constant", around([node("Identity", ["true"], ["c2"])], "c2")
    yield "loop/no-trip", around([node("Identity", ["true"], ["c2"])], "c2", "q", [info("q", T.BOOL, [])])


def kinds():
    seq = h.make_tensor_sequence_value_info
    one = [branch(n, [node("SequenceConstruct", names, [o])], [seq(o, T.FLOAT, [3])])
           for n, names, o in (("a", ["x", "x"], "t"), ("b", ["w"], "e"))]
    at = nh.from_array(np.array(0), "at")
    yield "kind/sequence", model([conditional(*one, outputs=("s",)), node("SequenceAt", ["s", "at"], ["y"])],
                                 [P, X, info("w")], [Y], [at])
    two = [branch(n, [node("SequenceConstruct", names, [o])], [seq(o, T.FLOAT, [3])])
           for n, names, o in (("a", ["x", "w"], "t"), ("b", ["w", "x"], "e"))]
    three = branch("b", [node("SequenceConstruct", ["w", "x", "x"], ["e"])], [seq("e", T.FLOAT, [3])])
    alone = branch("a", [node("Neg", ["x"], ["n"]), node("SequenceConstruct", ["n"], ["t"])], [seq("t", T.FLOAT, [3])])
    given, size = [P, X, info("w")], info("y", T.INT64, [])
    entry = node("SequenceAt", ["s", "at"], ["y"])
    yield "kind/sequence-entry", model([conditional(*two, outputs=("s",)), entry], given, [Y], [at])
    yield "kind/sequence-counted", model([conditional(*two, outputs=("s",)), node("SequenceLength", ["s"], ["y"])], given, [size])
    yield "kind/sequence-erased", model([conditional(*two, outputs=("s",)), node("SequenceErase", ["s", "at"], ["r"]),
                                         node("SequenceAt", ["r", "at"], ["y"])], given, [Y], [at])
    yield "kind/sequence-whole", model([conditional(*two, outputs=("s",)), node("ConcatFromSequence", ["s"], ["y"], axis=0)],
                                       given, [info("y", T.FLOAT, [6])])
    yield "kind/sequence-inserted", model([conditional(*two, outputs=("s",)), node("SequenceInsert", ["s", "x"], ["r"]),
                                           node("SequenceAt", ["r", "at"], ["y"])], given, [Y], [at])
    yield "kind/sequence-two-and-three", model([conditional(two[0], three, outputs=("s",)), entry], given, [Y], [at])
    yield "kind/sequence-one-and-two", model([conditional(alone, two[1], outputs=("s",)), entry], given, [Y], [at])
    yield "kind/sequence-one-and-two-counted", model([conditional(one[1], two[0], outputs=("s",)),
                                                      node("SequenceLength", ["s"], ["y"])], given, [size])
    yield "kind/sequence-unused", model([conditional(two[0], three, outputs=("s",)), node("Neg", ["x"], ["y"])], given, [Y])
    made = node("SequenceConstruct", ["x", "w", "x"], ["s"])
    for words, nodes in (
            ("counted", [node("SequenceLength", ["s"], ["l"]), node("Cast", ["l"], ["f"], to=T.FLOAT), node("Add", ["f", "x"], ["t"])]),
            ("erased", [node("SequenceErase", ["s", "at"], ["r"]), node("ConcatFromSequence", ["r"], ["t"], axis=0)]),
            ("erased-entry", [node("SequenceErase", ["s", "at"], ["r"]), node("SequenceAt", ["r", "at"], ["t"])]),
            ("inserted", [node("SequenceInsert", ["s", "x"], ["r"]), node("ConcatFromSequence", ["r"], ["t"], axis=0)]),
            ("copied", [node("Identity", ["s"], ["r"]), node("ConcatFromSequence", ["r"], ["t"], axis=0)]),
            ("copied-entry", [node("Identity", ["s"], ["r"]), node("SequenceAt", ["r", "at"], ["t"])])):
        for place in ("inside", "outside"):
            nodes_of = ([made] if place == "inside" else []) + nodes
            yield f"kind/sequence-{place}-{words}", model(([] if place == "inside" else [made]) + [conditional(
                branch("a", nodes_of, [info("t", T.FLOAT, ["n"])]), unary("Abs", "b", "e", declared=info("e", T.FLOAT, ["m"])))],
                given, [info("y", T.FLOAT, ["k"])], [at])
    yield "kind/sequence-out", model([conditional(*one, outputs=("s",))], [P, X, info("w")], [seq("s", T.FLOAT, [3])])
    yield "kind/sequence-tensor", model([conditional(one[0], unary("Abs", "b", "e"), outputs=("s",))], [P, X],
                                        [seq("s", T.FLOAT, [3])])
    inner = [branch(n, [node("SequenceConstruct", [i, i], ["s" + o]), node("SequenceAt", ["s" + o, "at"], [o])], [info(o)])
             for n, i, o in (("a", "x", "t"), ("b", "w", "e"))]
    yield "kind/sequence-inside", model([conditional(*inner)], [P, X, info("w")], [Y], [at])
    grown = [node("SequenceConstruct", ["w", "w"], ["s0"]), node("SequenceInsert", ["s0", "x"], ["s1"]),
             node("SequenceAt", ["s1", "at"], ["t"])]
    yield "kind/sequence-inserted-inside", model([conditional(branch("a", grown, [info("t")]), unary("Abs", "b", "e"))],
                                                 [P, X, info("w")], [Y], [at])
    outside = node("SequenceConstruct", ["x", "x"], ["s"])
    stack = [node("ConcatFromSequence", ["s"], ["c"], axis=0, new_axis=1), node("Gather", ["c", "at"], ["t"], axis=0)]
    yield "kind/sequence-outside-at", model([outside, conditional(
        branch("a", [node("SequenceAt", ["s", "at"], ["t"])], [info("t")]), unary("Abs", "b", "e"))], [P, X], [Y], [at])
    yield "kind/sequence-outside-concat", model([outside, conditional(branch("a", stack, [info("t")]), unary("Abs", "b", "e"))],
                                                [P, X], [Y], [at])
    opt = h.make_value_info
    optional = h.make_optional_type_proto(h.make_tensor_type_proto(T.FLOAT, [3]))
    some = branch("a", [node("Optional", ["x"], ["t"])], [opt("t", optional)])
    nothing = branch("b", [h.make_node("Optional", [], ["e"], type=h.make_tensor_type_proto(T.FLOAT, [3]))],
                     [opt("e", optional)])
    yield "kind/optional", model([conditional(some, nothing, outputs=("o",)), node("OptionalHasElement", ["o"], ["y"])],
                                 [P, X], [info("y", T.BOOL, [])], opset=18)


def open_sizes():
    """Sizes that the file leaves open, in both branches: the results of one run after another."""
    n = ["n"]

    def of(op, name, out, source="x", shape=n):
        return unary(op, name, out, source, info(out, T.FLOAT, shape))

    yield "open/same", model([conditional(of("Neg", "a", "t"), of("Abs", "b", "e"))],
                             [P, info("x", T.FLOAT, n)], [info("y", T.FLOAT, n)])
    yield "open/batch", model([conditional(of("Neg", "a", "t", shape=["n", 4]), of("Abs", "b", "e", shape=["n", 4]))],
                              [P, info("x", T.FLOAT, ["n", 4])], [info("y", T.FLOAT, ["n", 4])])
    yield "open/other-axis", model([conditional(
        of("Neg", "a", "t", shape=["n", 4]), of("Abs", "b", "e", "w", ["n", 5]))],
        [P, info("x", T.FLOAT, ["n", 4]), info("w", T.FLOAT, ["n", 5])], [info("y", T.FLOAT, ["n", None])])
    yield "open/reduced", model([conditional(
        unary("ReduceSum", "a", "t", declared=info("t", T.FLOAT, [1])),
        unary("ReduceMax", "b", "e", declared=info("e", T.FLOAT, [1])))], [P, info("x", T.FLOAT, n)],
        [info("y", T.FLOAT, [1])])
    yield "open/used", model([conditional(of("Neg", "a", "t"), of("Abs", "b", "e")), node("Exp", ["y"], ["z"])],
                             [P, info("x", T.FLOAT, n)], [info("z", T.FLOAT, n)])
    yield "open/unused", model([conditional(of("Neg", "a", "t"), of("Abs", "b", "e")), node("Exp", ["x"], ["z"])],
                               [P, info("x", T.FLOAT, n)], [info("z", T.FLOAT, n)])


def returned():
    """A value that the graph returns and a branch reads; what one branch alone reads, and where in the list it stands."""
    z = node("Tanh", ["x"], ["z"])
    exp = node("Exp", ["x"], ["v"])
    for then, other in (("v", "x"), ("x", "v"), ("v", "v")):
        one = conditional(unary("Neg", "a", "t", then), unary("Sin", "b", "e", other))
        two = conditional(branch("a", [node("Neg", [then], ["t"]), node("Abs", ["x"], ["t2"])], [info("t"), info("t2")]),
                          branch("b", [node("Sin", [other], ["e"]), node("Cos", ["x"], ["e2"])], [info("e"), info("e2")]),
                          ("y", "y2"))
        for place in range(3):
            yield (f"returned/{then}-{other}-{place}", model([exp, z, one], [P, X], [Y, info("z")][:place] + [info("v")]
                                                             + [Y, info("z")][place:]))
            if place:
                yield (f"returned/{then}-{other}-{place}-of-two",
                       model([exp, two], [P, X], [Y, info("y2")][:place] + [info("v")] + [Y, info("y2")][place:]))
    yield "returned/read-by-what-is-dropped", model([exp, conditional(
        branch("a", [node("Sin", ["v"], ["d"]), node("Neg", ["x"], ["t"])], [info("t")]), unary("Abs", "b", "e"))],
        [P, X], [info("v"), Y])
    inner = conditional(unary("Sin", "aa", "tt", "v"), unary("Cos", "bb", "ee", "v"), ("t",), "q", "inner")
    yield "returned/read-inside", model([exp, conditional(branch("a", [inner], [info("t")]), unary("Abs", "b", "e"))],
                                        [P, info("q", T.BOOL, []), X], [info("v"), Y])
    yield "returned/predicate", model([node("Not", ["p"], ["q"]), plain(cond="q")], [P, X], [info("q", T.BOOL, []), Y])
    of_branch = conditional(unary("Sin", "aa", "tt", "m"), unary("Cos", "bb", "ee", "x"), ("t",), "q", "inner")
    yield "returned/by-a-branch", model([conditional(
        branch("a", [node("Exp", ["x"], ["m"]), of_branch], [info("m"), info("t")]),
        branch("b", [node("Abs", ["x"], ["e"]), node("Neg", ["x"], ["e2"])], [info("e"), info("e2")]), ("y", "y2"))],
        [P, info("q", T.BOOL, []), X], [Y, info("y2")])
    copy = node("Identity", ["v"], ["w"])
    for then, other in (("v", "x"), ("v", "v")):
        yield f"remedy/returned-{then}-{other}", model(
            [exp, conditional(unary("Neg", "a", "t", then), unary("Sin", "b", "e", other)), copy], [P, X], [info("w"), Y])


def scans():
    """A Scan around a conditional, and in one; what its body reads."""
    rows, out = info("x", T.FLOAT, [4, 3]), info("y", T.FLOAT, [4, 3])
    k = nh.from_array(np.ones(3, np.float32), "k")
    zero = node("Constant", [], ["zero"], value=nh.from_array(np.zeros([], np.float32)))
    test = [zero, node("ReduceMax", ["r"], ["m"], keepdims=0), node("Greater", ["m", "zero"], ["p"])]

    def scan(nodes, result="y", init=()):
        body = h.make_graph(nodes, "body", [info("r")], [info("o")], list(init))
        return h.make_node("Scan", ["x"], [result], name="scan", body=body, num_scan_inputs=1)

    def inside(nodes, before=(), init=()):
        return model(list(before) + [conditional(branch("a", [scan(nodes, "t")], [info("t", T.FLOAT, [4, 3])], init),
                                                 unary("Abs", "b", "e", declared=info("e", T.FLOAT, [4, 3])))],
                     [P, rows, info("w")], [out])

    row = conditional(unary("Neg", "a", "t", "r"), unary("Abs", "b", "e", "r"), ("o",))
    yield "scan/around", model([scan(test + [row])], [rows], [out])
    dropped = conditional(unary("Neg", "a", "t", "r"), unary("Abs", "b", "e", "r"), ("d",))
    yield "scan/around-what-is-dropped", model([scan(test + [dropped, node("Neg", ["r"], ["o"])])], [rows], [out])
    yield "scan/inside", inside([node("Neg", ["r"], ["o"])])
    yield "scan/inside-reads-an-input", inside([node("Mul", ["r", "w"], ["o"])])
    yield "scan/inside-reads-a-value", inside([node("Mul", ["r", "v"], ["o"])], [node("Exp", ["w"], ["v"])])
    yield "scan/inside-reads-a-constant", inside([node("Mul", ["r", "k"], ["o"])], [node("Constant", [], ["k"], value=k)])
    yield "scan/inside-reads-a-weight", inside([node("Mul", ["r", "k"], ["o"])], init=[k])
    state = h.make_graph([node("Identity", ["s"], ["s1"]), node("Mul", ["r", "s"], ["o"])], "body", [info("s"), info("r")],
                         [info("s1"), info("o")])
    passed = h.make_node("Scan", ["w", "x"], ["f", "t"], name="scan", body=state, num_scan_inputs=1)
    yield "remedy/scan-state", model([conditional(branch("a", [passed], [info("t", T.FLOAT, [4, 3])]),
                                                  unary("Abs", "b", "e", declared=info("e", T.FLOAT, [4, 3])))],
                                     [P, rows, info("w")], [out])

    def loop(nodes, result, init=()):
        body = h.make_graph([node("Gather", ["x", "i"], ["r"], axis=0), *nodes, node("Identity", ["c"], ["c1"])], "body",
                            [info("i", T.INT64, []), info("c", T.BOOL, [])], [info("c1", T.BOOL, []), info("o")])
        return h.make_node("Loop", ["n", "go"], [result], name="loop", body=body)

    trips = [nh.from_array(np.array(4), "n"), nh.from_array(np.array(True), "go")]
    yield "remedy/scan-as-loop", model([loop(test + [row], "y")], [rows], [out], trips)
    yield "remedy/scan-inside-as-loop", model([conditional(
        branch("a", [loop([node("Mul", ["r", "w"], ["o"])], "t")], [info("t", T.FLOAT, [4, 3])]),
        unary("Abs", "b", "e", declared=info("e", T.FLOAT, [4, 3])))], [P, rows, info("w")], [out], trips)
    chosen = [zero, node("ReduceMax", ["r"], ["m"], keepdims=1), node("Greater", ["m", "zero"], ["q"]),
              node("Neg", ["r"], ["a"]), node("Abs", ["r"], ["b"]), node("Where", ["q", "a", "b"], ["o"])]
    yield "remedy/scan-where", model([scan(chosen)], [rows], [out])


def dropped():
    """What OpenVINO has no conversion for, where nothing needs it."""
    square = info("m", T.FLOAT, [2, 2])
    det = node("Det", ["m"], ["d"])
    for words, dead in (("one", [det]), ("chain", [det, node("Exp", ["d"], ["d2"])])):
        yield f"dropped/{words}", model([conditional(branch("a", dead + [node("Neg", ["x"], ["t"])], [info("t")]),
                                                     unary("Abs", "b", "e"))], [P, X, square], [Y])
    small = conditional(branch("a", [det], [info("d", T.FLOAT, [])]),
                        branch("b", [node("ReduceMax", ["m"], ["e"], keepdims=0)], [info("e", T.FLOAT, [])]), ("dead",))
    yield "dropped/conditional", model([small, node("Exp", ["x"], ["y"])], [P, X, square], [Y])


def weight(name, value, shape, dtype=np.float32):
    return nh.from_array(np.full(shape, value, dtype), name)


OPERATOR_SHAPE = [2, 4, 3]


def holding(nodes, init=(), opset=17, shape=OPERATOR_SHAPE, given=()):
    """A branch of these nodes, which make t of x; the other is made of constants."""
    other = node("Constant", [], ["e"], value=nh.from_array(np.ones(shape, np.float32)))
    then = branch("a", nodes, [info("t", T.FLOAT, shape)], init)
    made = model([conditional(then, branch("b", [other], [info("e", T.FLOAT, shape)]))],
                 [P, info("x", T.FLOAT, OPERATOR_SHAPE), *given], [info("y", T.FLOAT, shape)], opset=opset, ir=10)
    domains = {n.domain for n in nodes} - {""}
    made.opset_import.extend(h.make_opsetid(d, 3 if d == "ai.onnx.ml" else 1) for d in sorted(domains))
    return made


def operators():
    """Operators that single versions of OpenVINO lack in a branch, and uses of others (OV8)."""
    ones, scale, flag = weight("s", 1, [3]), weight("q", 0.5, []), nh.from_array(np.array(True), "train")
    groups, each = [weight("s", 1, [2]), weight("b", 0, [2])], [weight("s", 1, [4]), weight("b", 0, [4])]
    exp = node("Exp", ["x"], ["f"])
    back = node("DequantizeLinear", ["u", "q"], ["t"])
    yield "operator/layer_norm", holding([node("LayerNormalization", ["x", "s"], ["t"])], [ones])
    yield "operator/layer_norm-with-mean", holding([node("LayerNormalization", ["x", "s"], ["u", "mean"]),
                                                    node("Add", ["u", "mean"], ["t"])], [ones])
    yield "operator/rms_norm", holding([node("RMSNormalization", ["x", "s"], ["t"])], [ones], opset=23)
    yield "operator/swish", holding([node("Swish", ["x"], ["t"])], opset=24)
    yield "operator/group_norm", holding([node("GroupNormalization", ["x", "s", "b"], ["t"], num_groups=2)], groups, opset=18)
    yield "operator/group_norm-of-channels", holding([node("GroupNormalization", ["x", "s", "b"], ["t"], num_groups=2)], each, opset=21)
    yield "operator/quantize-without-zero", holding([node("QuantizeLinear", ["x", "q"], ["u"]), back], [scale])
    yield "operator/dropout", holding([exp, node("Dropout", ["f"], ["t"])])
    yield "operator/dropout-of-an-input", holding([node("Dropout", ["x"], ["t"])])
    yield "operator/dropout-trains", holding([exp, node("Dropout", ["f", "q", "train"], ["t"])], [weight("q", 0, []), flag])
    yield "operator/dropout-by-flag", holding([exp, node("Dropout", ["f", "q", "p"], ["t"])], [weight("q", 0, [])])
    norm = [weight(n, v, [4]) for n, v in (("s", 1), ("b", 0), ("m", 0), ("v", 1))]
    yield "operator/batch_norm", holding([node("BatchNormalization", ["x", "s", "b", "m", "v"], ["t"])], norm)
    yield "operator/batch_norm-trains", holding([node("BatchNormalization", ["x", "s", "b", "m", "v"], ["t", "m2", "v2"],
                                                      training_mode=1)], norm)
    yield "operator/scatter-adds", holding([node("ScatterND", ["x", "i", "u"], ["t"], reduction="add")],
                                           [weight("i", 1, [1, 1], np.int64), weight("u", 2, [1, 4, 3])])
    yield "operator/loss", holding([node("SoftmaxCrossEntropyLoss", ["x", "i"], ["t"], reduction="none")],
                                   [weight("i", 1, [2, 3], np.int64)], shape=[2, 3])
    yield "operator/loss-ignores", holding([node("NegativeLogLikelihoodLoss", ["x", "i"], ["t"], reduction="none", ignore_index=1)],
                                           [weight("i", 1, [2, 3], np.int64)], shape=[2, 3])
    for op in ("Gelu", "FastGelu", "QuickGelu"):
        yield f"operator/{op}", holding([h.make_node(op, ["x"], ["t"], domain="com.microsoft")])
    yield from runtime_operators()
    yield from typed_operators()
    flat = [node("Reshape", ["x", "r"], ["u"]), h.make_node("Normalizer", ["u"], ["t"], domain="ai.onnx.ml", norm="L2")]
    yield "operator/normalizer", holding(flat, [nh.from_array(np.array([6, 4]), "r")], shape=[6, 4])
    # What is advised.
    zero = [node("QuantizeLinear", ["x", "q", "z"], ["u"]), node("DequantizeLinear", ["u", "q", "z"], ["t"])]
    yield "remedy/operator-zero-point", holding(zero, [scale, nh.from_array(np.array(0, np.uint8), "z")])
    yield "remedy/operator-mean", holding([node("LayerNormalization", ["x", "s"], ["u"]), node("ReduceMean", ["x"], ["mean"], axes=[2]),
                                           node("Add", ["u", "mean"], ["t"])], [ones])


def runtime_operators():
    """Operators of ONNX Runtime's own: attributes that a node may leave out, and under remedy/ what is meant then."""
    def own(op, operands, results=("t",), **attributes):
        return h.make_node(op, operands, results, domain="com.microsoft", **attributes)

    def both(name, nodes, init=(), **meant):
        for words, given in ((f"operator/{name}", {}), (f"remedy/operator-{name}", meant)):
            yield words, holding(nodes(given), init)

    def quantized(given):
        return [node("QuantizeLinear", ["x", "q", "z"], ["u"]), own("QLinearLeakyRelu", ["u", "q", "z", "q", "z"], ["v"], **given),
                node("DequantizeLinear", ["v", "q", "z"], ["t"])]

    def turned(given):
        return [node("Unsqueeze", ["x", "i"], ["u"]), node("Slice", ["u", "from", "to", "last"], ["v"]),
                own("RotaryEmbedding", ["v", "at", "c", "c"], ["w"], **given), node("ReduceSum", ["w", "all"], ["one"], keepdims=0),
                node("Add", ["x", "one"], ["t"])]

    def embedded(given):
        return [own("EmbedLayerNormalization", ["ids", "ids", "e", "e", "e", "g", "g"], ["u", "mask"], **given),
                node("Unsqueeze", ["g", "i"], ["v"]), node("Add", ["x", "v"], ["w"]), node("ReduceMax", ["u"], ["one"], keepdims=0),
                node("Add", ["w", "one"], ["t"])]

    def convolved(given):
        return [own("FusedConv", ["x", "k"], **given)]

    ones = weight("s", 1, [3])
    scales = [weight("q", 0.5, []), weight("z", 3, [], np.uint8)]
    places = [weight("i", 0, [1], np.int64), weight("from", 0, [1], np.int64), weight("to", 2, [1], np.int64),
              weight("last", 3, [1], np.int64), weight("at", 0, [1], np.int64), weight("c", 0.5, [8, 1]),
              nh.from_array(np.arange(4), "all")]
    words = [weight("ids", 1, [1, 3], np.int32), nh.from_array(np.linspace(-1, 2, 15, dtype=np.float32).reshape(5, 3), "e"),
             weight("g", 1, [3]), weight("i", 0, [1], np.int64)]
    yield from both("quick-gelu", lambda given: [own("QuickGelu", ["x"], **given)], alpha=1.702)
    yield from both("skip-norm", lambda given: [own("SkipLayerNormalization", ["x", "x", "s"], **given)], [ones], epsilon=1e-12)
    yield from both("skip-simplified-norm", lambda given: [own("SkipSimplifiedLayerNormalization", ["x", "x", "s"], **given)], [ones],
                    epsilon=1e-12)
    yield from both("leaky-relu", quantized, scales, alpha=0.01)
    yield from both("rotary", turned, places, interleaved=0)
    yield from both("embedding", embedded, words, epsilon=1e-12)
    kernel = [weight("k", 0.5, [4, 4, 1])]
    yield "operator/fused-conv", holding(convolved({}), kernel)
    yield "remedy/operator-fused-conv", holding([node("Conv", ["x", "k"], ["t"])], kernel)
    yield "operator/fused-conv-relu", holding(convolved({"activation": "Relu"}), kernel)
    yield "operator/own-pad", holding([own("Pad", ["x", "p0"])], [weight("p0", 0, [6], np.int64)])
    yield "operator/own-gather", holding([own("GatherND", ["x", "i"])], [nh.from_array(np.array([[1], [0]]), "i")])


def typed_operators():
    """Operators of types that OpenVINO refuses, or computes wrongly in a branch (OV8), and ranks that hang on an input (OV12)."""
    def of(nodes, dtype, given=(), shape=OPERATOR_SHAPE, opset=17, result=None):
        ones = np.ones([d or 1 for d in shape], h.tensor_dtype_to_np_dtype(result or dtype))
        then = branch("a", nodes, [info("t", result or dtype, shape)])
        other = branch("b", [node("Constant", [], ["e"], value=nh.from_array(ones))], [info("e", result or dtype, shape)])
        return model([conditional(then, other)], [P, info("x", dtype, OPERATOR_SHAPE), *given], [info("y", result or dtype, shape)],
                     opset=opset, ir=10)

    def cast(*pairs, to):
        return [node("Cast", [a], [b], to=to) for a, b in pairs]

    half = [node("ConstantOfShape", ["s"], ["d"], value=nh.from_array(np.array([2], np.int64)))]
    for words, dtype in (("int8", T.INT8), ("uint8", T.UINT8)):
        two = [node("Shape", ["x"], ["s"]), *half, *cast(("d", "d8"), to=dtype)]
        yield f"operator/div-{words}", of([*two, node("Div", ["x", "d8"], ["t"])], dtype)
        yield f"remedy/operator-div-{words}", of([*two, *cast(("x", "u"), ("d8", "v"), to=T.INT32), node("Div", ["u", "v"], ["w"]),
                                                  *cast(("w", "t"), to=dtype)], dtype)
    for words, dtype in (("float16", T.FLOAT16), ("float64", T.DOUBLE)):
        yield f"operator/celu-{words}", of([node("Celu", ["x"], ["t"])], dtype, opset=28)
        yield f"remedy/operator-celu-{words}", of([*cast(("x", "u"), to=T.FLOAT), node("Celu", ["u"], ["v"]), *cast(("v", "t"), to=dtype)],
                                                  dtype, opset=28)
    axis = info("a", T.INT64, [1])
    stored = node("Constant", [], ["a"], value=nh.from_array(np.array([1])))
    yield "open-rank/unsqueeze", of([node("Unsqueeze", ["x", "a"], ["t"])], T.FLOAT, [axis], [None] * 4)
    yield "remedy/open-rank-unsqueeze", of([stored, node("Unsqueeze", ["x", "a"], ["t"])], T.FLOAT, shape=[None] * 4)
    yield "open-rank/reduced", of([node("ReduceMax", ["x", "a"], ["t"], keepdims=0)], T.FLOAT, [axis], [None] * 2, 18)
    yield "open-rank/reduced-keeps", of([node("ReduceMax", ["x", "a"], ["t"])], T.FLOAT, [axis], [None] * 3, 18)


def unneeded():
    """Outputs of other ranks that nothing needs, beside others and by way of an outer If (OV3)."""
    flat = node("ReduceSum", ["x"], ["t2"], keepdims=0)
    two = conditional(branch("a", [node("Neg", ["x"], ["t"]), flat], [info("t"), info("t2", T.FLOAT, [])]),
                      branch("b", [node("Abs", ["x"], ["e"]), node("Unsqueeze", ["x", "ax"], ["e2"])],
                             [info("e"), info("e2", T.FLOAT, [1, 3])]), ("y", "u"))
    axis, open_ = nh.from_array(np.array([0]), "ax"), info("u", T.FLOAT, None)
    yield "unneeded/beside", model([two], [P, X], [Y], [axis])
    yield "unneeded/needed", model([two], [P, X], [Y, open_], [axis])
    inner = conditional(branch("aa", [node("ReduceSum", ["x"], ["it"], keepdims=0)], [info("it", T.FLOAT, [])]),
                        branch("bb", [node("Unsqueeze", ["x", "ax"], ["ie"])], [info("ie", T.FLOAT, [1, 3])]), ("r",), "q", "inner")
    outer = conditional(branch("a", [node("Neg", ["x"], ["t"]), inner], [info("t"), info("r", T.FLOAT, None)]),
                        branch("b", [node("Abs", ["x"], ["e"]), node("Exp", ["x"], ["e2"])], [info("e"), info("e2")]), ("y", "u"))
    yield "unneeded/leaves-an-outer-one", model([outer], [P, info("q", T.BOOL, []), X], [Y], [axis])
    yield "unneeded/leaves-a-needed-one", model([outer], [P, info("q", T.BOOL, []), X], [Y, open_], [axis])


def entries():
    """Which entry of a sequence that a branch puts together it takes (OV9)."""
    at, other = nh.from_array(np.array(0), "at"), nh.from_array(np.array(1), "other")
    for words, made in (("computed", ["f", "g"]), ("outer", ["x", "w"]), ("computed-of-both", ["f", "x"]), ("outer-of-both", ["x", "f"])):
        nodes = [node("Exp", ["x"], ["f"]), node("Sin", ["w"], ["g"]), node("SequenceConstruct", made, ["s"]),
                 node("SequenceAt", ["s", "at"], ["t0"]), node("Neg", ["t0"], ["t"])]
        yield f"kind/entry-{words}", model([conditional(branch("a", nodes, [info("t")]), unary("Abs", "b", "e"))],
                                           [P, X, info("w")], [Y], [at, other])


def remedies():
    """What condlint advises, done."""
    axes = nh.from_array(np.array([1]), "axes")
    yield "remedy/predicate-squeezed", model([node("Squeeze", ["q", "axes"], ["p"]), plain()],
                                             [info("q", T.BOOL, [1, 1]), X], [Y], [axes])
    one = nh.from_array(np.array([1]), "one")
    yield "remedy/predicate-reshaped-1", model([node("Reshape", ["q", "one"], ["p"]), plain()],
                                               [info("q", T.BOOL, [1, 1]), X], [Y], [one])
    reduced = [node("Cast", ["q"], ["i"], to=T.INT32), node("ReduceMax", ["i"], ["m"], keepdims=0),
               node("Cast", ["m"], ["p"], to=T.BOOL), plain()]
    yield "remedy/predicate-reduced", model(reduced, [info("q", T.BOOL, [3]), X], [Y])
    yield "remedy/predicate-reduced-open", model(reduced, [info("q", T.BOOL, ["n"]), X], [Y])
    for dtype in (T.FLOAT, T.INT64, T.INT8):
        yield f"remedy/predicate-cast-{NAMES[dtype]}", model([node("Cast", ["q"], ["p"], to=T.BOOL), plain()],
                                                             [info("q", dtype, []), X], [Y])
    back = nh.from_array(np.array([3]), "back")
    ax = nh.from_array(np.array([0]), "ax")
    yield "remedy/rank-reshaped-inside", model([conditional(
        unary("Neg", "a", "t"),
        branch("b", [node("Unsqueeze", ["x", "ax"], ["u"]), node("Reshape", ["u", "back"], ["e"])], [info("e")]))],
        [P, X], [Y], [ax, back])
    yield "remedy/scalar-unsqueezed", model([conditional(
        branch("a", [node("ReduceSum", ["x"], ["t0"], keepdims=0), node("Unsqueeze", ["t0", "ax"], ["t"])],
               [info("t", T.FLOAT, [1])]), unary("Neg", "b", "e"))], [P, X], [info("y", T.FLOAT, [None])], [ax])
    yield "remedy/dtype-cast-inside", model([conditional(
        unary("Neg", "a", "t"),
        branch("b", [node("Cast", ["x"], ["i"], to=T.INT64), node("Cast", ["i"], ["e"], to=T.FLOAT)], [info("e")]))],
        [P, X], [Y])
    yield "remedy/initializer-identity", model([conditional(
        branch("a", [node("Identity", ["one"], ["t"])], [info("t")]), unary("Abs", "b", "e"))], [P, X], [Y],
        [nh.from_array(np.ones(3, np.float32), "one")])
    one = nh.from_array(np.ones(3, np.float32), "one")
    yield "remedy/own-weight-identity", model([conditional(
        branch("a", [node("Identity", ["one"], ["t"])], [info("t")], [one]), unary("Abs", "b", "e"))], [P, X], [Y])
    yield "remedy/own-weight-constant", model([conditional(
        branch("a", [node("Constant", [], ["t"], value=one)], [info("t")]), unary("Abs", "b", "e"))], [P, X], [Y])
    at = nh.from_array(np.array(0), "at")
    yield "remedy/sequence-concat-gather", model([conditional(branch("a", [
        node("SequenceConstruct", ["x", "x"], ["s"]), node("ConcatFromSequence", ["s"], ["c"], axis=0, new_axis=1),
        node("Gather", ["c", "at"], ["t"], axis=0)], [info("t")]), unary("Abs", "b", "e"))], [P, X], [Y], [at])
    yield "remedy/sequence-split-inside", model([conditional(branch("a", [
        node("SplitToSequence", ["x"], ["s"], axis=0, keepdims=1), node("SequenceAt", ["s", "at"], ["r"]),
        node("Add", ["r", "x"], ["t"])], [info("t")]), unary("Abs", "b", "e"))], [P, X], [Y], [at])
    yield "remedy/count-zeros", model([conditional(
        branch("a", [node("Neg", ["x"], ["t"]), node("Exp", ["x"], ["t2"])], [info("t"), info("t2")]),
        branch("b", [node("Abs", ["x"], ["e"]), node("Sub", ["x", "x"], ["e2"])], [info("e"), info("e2")]), ("y", "y2"))],
        [P, X], [Y, info("y2")])
    yield "remedy/leak-returned", model([conditional(
        branch("a", [node("Exp", ["x"], ["i"]), node("Neg", ["i"], ["t"])], [info("t"), info("i")]),
        branch("b", [node("Abs", ["x"], ["e"]), node("Exp", ["x"], ["j"])], [info("e"), info("j")]), ("y", "k")),
        node("Add", ["y", "k"], ["z"])], [P, X], [info("z")])
    yield "remedy/sequence-as-tensor", model([conditional(*[branch(n, [
        node("SequenceConstruct", [s, s], ["s" + o]), node("ConcatFromSequence", ["s" + o], [o], axis=0)],
        [info(o, T.FLOAT, [6])]) for n, s, o in (("a", "x", "t"), ("b", "w", "e"))])], [P, X, info("w")],
        [info("y", T.FLOAT, [6])])
    # Concat does without a sequence in every version.
    yield "remedy/concat", model([conditional(*[branch(n, [node("Concat", [s, s], [o], axis=0)], [info(o, T.FLOAT, [6])])
                                                for n, s, o in (("a", "x", "t"), ("b", "w", "e"))])], [P, X, info("w")],
                                 [info("y", T.FLOAT, [6])])
    for name, made in functions():
        yield "remedy/inlined-" + name.split("/")[1], onnx.inliner.inline_local_functions(made)
    both = [node("Neg", ["x"], ["t"]), node("Abs", ["x"], ["e"]), node("Where", ["p", "t", "e"], ["y"])]
    yield "remedy/where", model(both, [P, info("x", T.FLOAT, ["n"])],
                                [info("y", T.FLOAT, ["n"])])


def opsets():
    for opset in (1, 7, 9, 10, 11, 12, 13, 16, 19, 21, 23, 24, 25):
        yield f"opset/{opset}", model([plain()], [P, X], [Y], opset=opset, ir=min(max(3, opset - 8), 11))
        ab = [branch(n, [node("Abs", [i], [o])], [info(o, T.FLOAT, d)])
              for n, i, o, d in (("a", "x", "t", [3]), ("b", "w", "e", [4]))]
        yield f"opset/{opset}-sizes", model([conditional(*ab)], [P, X, info("w", T.FLOAT, [4])],
                                            [info("y", T.FLOAT, [None])], opset=opset, ir=min(max(3, opset - 8), 11))


def cases():
    for group in (predicates, constants, outputs, captures, nested, functions, kinds, entries, loops, open_sizes, returned, scans, dropped,
                  unneeded, operators, remedies, opsets):
        yield from group()


if __name__ == "__main__":
    for name, made in cases():
        print(name, made.ByteSize())
