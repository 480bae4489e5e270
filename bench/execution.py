"""Models for the comparison of executors, and their peers: onnx.reference, ONNX Runtime and eager torch, each on one thread.

    execution.py make FOLDER                       writes NAME.onnx and NAME.npz for each model, and a chain of a million nodes
    execution.py parts FOLDER                      the models, and of each NAME-taken.onnx, in which the taken branch stands in
                                                   place of the conditional, and NAME-trunk.onnx, in which nothing does
    execution.py onnxruntime|reference|torch|torch-cuda NAME FOLDER RUNS    the seconds of the fastest run
"""
import os
import sys
import time

NAMES = ("early-exit", "early-exit-batch", "transformer", "convolution")
# An early exit is decided for one request; a batch of them shows the matrix products alone.
LAYERS, WIDTH, BATCHES = 8, 256, {"early-exit": 1, "early-exit-batch": 64}
HEADS, TOKENS = 4, 128
CHANNELS, SIZE = 32, 56


def weights():
    import numpy
    rng = numpy.random.default_rng(0)

    def matrix(*shape):
        return (rng.standard_normal(shape) * (2.0 / shape[-1]) ** 0.5).astype("float32")
    return matrix


def make(folder, part=""):
    """The models; with the part "taken" or "trunk" what is left of them without their conditional."""
    import numpy
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    class Builder:
        def __init__(self):
            self.matrix, self.initializers, self.count = weights(), [], 0

        def fresh(self):
            self.count += 1
            return "v%d" % self.count

        def weight(self, *shape):
            self.initializers.append(numpy_helper.from_array(self.matrix(*shape), self.fresh()))
            return self.initializers[-1].name

        def constant(self, array):
            self.initializers.append(numpy_helper.from_array(numpy.asarray(array), self.fresh()))
            return self.initializers[-1].name

        def node(self, nodes, op, *inputs, **attributes):
            out = self.fresh()
            nodes.append(helper.make_node(op, list(inputs), [out], **attributes))
            return out

        def choice(self, nodes, predicate, yes, no, shape):
            """If: each side is a function that adds nodes and names its result. No predicate here is ever true."""
            if part:
                self.predicate = predicate
                return no(nodes) if part == "taken" else yes(nodes)
            graphs = []
            for name, side in (("then", yes), ("else", no)):
                inner = []
                result = side(inner)
                graphs.append(helper.make_graph(inner, name, [], [helper.make_tensor_value_info(result, TensorProto.FLOAT, shape)]))
            return self.node(nodes, "If", predicate, then_branch=graphs[0], else_branch=graphs[1])

        def save(self, name, nodes, shape, result, out):
            outputs = [helper.make_tensor_value_info(result, TensorProto.FLOAT, out)]
            if part:
                name += "-" + part
                outputs.append(helper.make_tensor_value_info(self.predicate, TensorProto.BOOL, []))
            graph = helper.make_graph(nodes, name, [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
                                      outputs, self.initializers)
            model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
            onnx.checker.check_model(model)
            onnx.save(model, os.path.join(folder, name + ".onnx"))
            numpy.savez(os.path.join(folder, name + ".npz"), in0=numpy.random.default_rng(1).standard_normal(shape).astype("float32"))

    def early_exit(name, batch):
        b, nodes, x = Builder(), [], "x"

        def layer(inner, value):
            return b.node(inner, "Relu", b.node(inner, "Add", b.node(inner, "MatMul", value, b.weight(WIDTH, WIDTH)), b.weight(WIDTH)))
        for _ in range(LAYERS // 2):
            x = layer(nodes, x)
        sure = b.node(nodes, "Greater", b.node(nodes, "ReduceMean", b.node(nodes, "Abs", x), keepdims=0), b.constant(numpy.float32(1e9)))

        def deep(inner):
            value = x
            for _ in range(LAYERS // 2):
                value = layer(inner, value)
            return value
        b.save(name, nodes, [batch, WIDTH], b.choice(nodes, sure, lambda inner: b.node(inner, "Identity", x), deep, [batch, WIDTH]),
               [batch, WIDTH])
    for name, batch in BATCHES.items():
        early_exit(name, batch)

    b, nodes = Builder(), []
    shape = [1, TOKENS, WIDTH]

    def heads(inner, value):
        wide = b.node(inner, "Reshape", b.node(inner, "MatMul", value, b.weight(WIDTH, WIDTH)),
                      b.constant(numpy.array([1, TOKENS, HEADS, WIDTH // HEADS])))
        return b.node(inner, "Transpose", wide, perm=[0, 2, 1, 3])

    def norm(inner, value):
        return b.node(inner, "LayerNormalization", value, b.constant(numpy.ones(WIDTH, "float32")), axis=-1)
    first = norm(nodes, "x")
    q, k, v = heads(nodes, first), heads(nodes, first), heads(nodes, first)
    scores = b.node(nodes, "Mul", b.node(nodes, "MatMul", q, b.node(nodes, "Transpose", k, perm=[0, 1, 3, 2])),
                    b.constant(numpy.float32((WIDTH // HEADS) ** -0.5)))
    mixed = b.node(nodes, "Transpose", b.node(nodes, "MatMul", b.node(nodes, "Softmax", scores, axis=-1), v), perm=[0, 2, 1, 3])
    mixed = b.node(nodes, "Reshape", mixed, b.constant(numpy.array(shape)))
    x = b.node(nodes, "Add", "x", b.node(nodes, "MatMul", mixed, b.weight(WIDTH, WIDTH)))
    skip = b.node(nodes, "Greater", b.node(nodes, "ReduceMean", b.node(nodes, "Abs", x), keepdims=0), b.constant(numpy.float32(1e9)))

    def feed(inner):
        wide = b.node(inner, "MatMul", norm(inner, x), b.weight(WIDTH, 4 * WIDTH))
        half = b.node(inner, "Mul", wide, b.constant(numpy.float32(0.5)))
        bent = b.node(inner, "Add", b.node(inner, "Erf", b.node(inner, "Mul", wide, b.constant(numpy.float32(0.5 ** 0.5)))),
                      b.constant(numpy.float32(1)))
        return b.node(inner, "Add", x, b.node(inner, "MatMul", b.node(inner, "Mul", half, bent), b.weight(4 * WIDTH, WIDTH)))
    b.save("transformer", nodes, shape, b.choice(nodes, skip, lambda inner: b.node(inner, "Identity", x), feed, shape), shape)

    b, nodes, x = Builder(), [], "x"

    def convolution(inner, value):
        return b.node(inner, "Relu", b.node(inner, "Conv", value, b.weight(CHANNELS, CHANNELS, 3, 3), b.weight(CHANNELS), pads=[1] * 4))
    for _ in range(2):
        x = convolution(nodes, x)
    dark = b.node(nodes, "Greater", b.node(nodes, "ReduceMean", x, keepdims=0), b.constant(numpy.float32(1e9)))
    shape = [1, CHANNELS, SIZE, SIZE]
    y = b.choice(nodes, dark, lambda inner: b.node(inner, "Identity", x), lambda inner: convolution(inner, convolution(inner, x)), shape)
    y = b.node(nodes, "GlobalAveragePool", b.node(nodes, "MaxPool", y, kernel_shape=[2, 2], strides=[2, 2]))
    b.save("convolution", nodes, shape, y, [1, CHANNELS, 1, 1])


def make_chain(folder, length):
    """A chain of `length` small operators, each on a tensor of four elements."""
    import numpy
    import onnx
    from onnx import TensorProto, helper
    model = helper.make_model(helper.make_graph([], "chain", [helper.make_tensor_value_info("v0", TensorProto.FLOAT, [4])],
                                                [helper.make_tensor_value_info("v%d" % length, TensorProto.FLOAT, [4])]),
                              opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
    for i in range(length):
        node = model.graph.node.add()
        node.op_type = ("Neg", "Relu", "Abs", "Add")[i % 4]
        node.input.append("v%d" % i)
        if i % 4 == 3:
            node.input.append("v0")
        node.output.append("v%d" % (i + 1))
    onnx.save(model, os.path.join(folder, "chain.onnx"))
    numpy.savez(os.path.join(folder, "chain.npz"), in0=numpy.zeros(4, "float32"))


def fastest(run, runs, clock=time.process_time):
    """Time of the processor, for which it does not matter what else the machine does."""
    best = 1e9
    for _ in range(runs):
        begin = clock()
        run()
        best = min(best, clock() - begin)
    return best


def peer(which, name, folder, runs):
    import numpy
    with numpy.load(os.path.join(folder, name + ".npz")) as file:
        x = file["in0"]
    path = os.path.join(folder, name + ".onnx")
    if which == "reference":
        import onnx
        from onnx.reference import ReferenceEvaluator
        evaluator = ReferenceEvaluator(onnx.load(path))
        return fastest(lambda: evaluator.run(None, {"x": x}), runs)
    if which == "onnxruntime":
        import onnxruntime
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        return fastest(lambda: session.run(None, {"x": x}), runs)
    import torch
    import torch.nn.functional as F
    torch.set_num_threads(1)
    matrix = weights()
    device = "cuda" if which == "torch-cuda" else "cpu"
    tensor = lambda *shape: torch.from_numpy(matrix(*shape)).to(device)
    x = torch.from_numpy(x).to(device)
    if name in BATCHES:
        layers = [(tensor(WIDTH, WIDTH), tensor(WIDTH)) for _ in range(LAYERS)]

        def model(x):
            for w, b in layers[:LAYERS // 2]:
                x = torch.relu(x @ w + b)
            if x.abs().mean() > 1e9:
                return x.clone()
            for w, b in layers[LAYERS // 2:]:
                x = torch.relu(x @ w + b)
            return x
    elif name == "transformer":
        wq, wk, wv, wo = [tensor(WIDTH, WIDTH) for _ in range(4)]
        up, down = tensor(WIDTH, 4 * WIDTH), tensor(4 * WIDTH, WIDTH)

        def model(x):
            first = F.layer_norm(x, [WIDTH])
            q, k, v = [(first @ w).view(1, TOKENS, HEADS, WIDTH // HEADS).transpose(1, 2) for w in (wq, wk, wv)]
            mixed = torch.softmax(q @ k.transpose(2, 3) * (WIDTH // HEADS) ** -0.5, -1) @ v
            x = x + mixed.transpose(1, 2).reshape(1, TOKENS, WIDTH) @ wo
            if x.abs().mean() > 1e9:
                return x.clone()
            return x + F.gelu(F.layer_norm(x, [WIDTH]) @ up) @ down
    else:
        filters = [(tensor(CHANNELS, CHANNELS, 3, 3), tensor(CHANNELS)) for _ in range(4)]

        def model(x):
            for w, b in filters[:2]:
                x = torch.relu(F.conv2d(x, w, b, padding=1))
            if not x.mean() > 1e9:
                for w, b in filters[2:]:
                    x = torch.relu(F.conv2d(x, w, b, padding=1))
            return F.max_pool2d(x, 2).mean((2, 3))
    with torch.no_grad():
        if device == "cuda":
            return fastest(lambda: model(x).cpu(), runs, time.perf_counter)
        return fastest(lambda: model(x), runs)


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2])
        make_chain(sys.argv[2], 1000000)
    elif sys.argv[1] == "parts":
        for part in ("", "taken", "trunk"):
            make(sys.argv[2], part)
    else:
        print(peer(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])))
