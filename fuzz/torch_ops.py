"""Each pointwise operator, each reduction and what is made of them, of ATen, alone, over element types and values at their edges, against torch.

    fuzz/torch_ops.py CONDLINT [--samples] [--only WORD]

With `--samples` each operator that the samples of torch's own tests come to. What torch refuses, condlint has to refuse as well; what condlint says that it cannot execute is counted and no fault.
"""
import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
import warnings

import numpy
import torch

warnings.filterwarnings("ignore")
torch.set_num_threads(1)
NAN, INF = float("nan"), float("inf")
FLOATS = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
WHOLE = [torch.int8, torch.uint8, torch.int32, torch.int64]
TYPES = FLOATS + WHOLE + [torch.bool, torch.complex64]
EDGES = {torch.float16: 60000.0, torch.bfloat16: 3e38, torch.float32: 3e38, torch.float64: 1e300}
# Whose values are undefined, random or not of their operands alone.
LEFT_OUT = {"empty_like", "bernoulli", "rand_like", "randn_like", "dropout", "native_dropout", "rrelu", "rrelu_with_noise",
            "alpha_dropout", "feature_dropout", "clamp", "clip"}


def values(dtype, shape, turn=0):
    if dtype == torch.bool:
        base = [True, False, True, True, False, False]
    elif dtype.is_complex:
        base = [1 + 2j, -0.5j, 0j, 3 - 1j, -2 + 0.25j, 0.5 + 0j]
    elif dtype.is_floating_point:
        base = [1.5, -2.5, NAN, 0.0, -0.0, INF, -INF, 0.3, EDGES[dtype], -0.7, 2.5, 3.0] if turn < 2 else [
            0.3, -0.7, 0.9, 1.5, -2.5, 0.01, 3.0, -1.0]
    else:
        limits = torch.iinfo(dtype)
        # The least number has no negative: what torch computes of it is undefined, or ends the process.
        base = [7, limits.min + 1, 3, 0, limits.max, 5, 1, 2] if turn != 1 else [3, 1, 2, 5, 4, 7, 6]
        if dtype != torch.uint8 and turn == 1:
            base[2] = -2
    count = int(numpy.prod(shape))
    base = base[turn % len(base):] + base[:turn % len(base)]
    return torch.tensor((base * (count // len(base) + 1))[:count], dtype=dtype).reshape(shape)


def text(t):
    return f"{str(t.dtype).removeprefix('torch.')}{list(t.shape)}"


def spelled(v):
    return v if v == v and abs(v) != INF else "nan" if v != v else "inf" if v > 0 else "-inf"


def tensors_of(arguments):
    """(name, tensor) of each argument and of what lists hold."""
    for name, value in arguments.items():
        if isinstance(value, torch.Tensor):
            yield name, value
        elif isinstance(value, list):
            yield from ((f"{name}_{i}", v) for i, v in enumerate(value) if isinstance(v, torch.Tensor))


def model(op, arguments, results):
    """The graph of one node; tensors among the arguments are its inputs."""
    parameters, attributes = [], []
    for name, value in arguments.items():
        entry = {"name": name}
        if isinstance(value, torch.Tensor):
            entry["operand"] = name
            parameters.append({"name": name, "type": text(value)})
        elif isinstance(value, list) and any(isinstance(v, torch.Tensor) for v in value):
            entry["operands"] = [v if v is None else f"{name}_{i}" for i, v in enumerate(value)]
            parameters.extend({"name": f"{name}_{i}", "type": text(v)} for i, v in enumerate(value) if v is not None)
        elif isinstance(value, list):
            kinds = {type(v) for v in value}
            entry["ints" if kinds <= {int} else "bools" if kinds == {bool} else "strings" if kinds == {str} else "floats"] = value
        elif isinstance(value, complex):
            entry["complex"] = [value.real, value.imag]
        elif isinstance(value, torch.dtype):
            entry["dtype"] = str(value).removeprefix("torch.")
        else:
            entry[{bool: "bool", int: "int", float: "float", str: "string"}[type(value)]] = value
        attributes.append(entry)
    names = [f"r{i}" for i in range(len(results))]
    node = {"op": op, "attributes": attributes,
            "results": [{"name": n, "type": text(r)} for n, r in zip(names, results)]}
    for entry in attributes:  # JSON has no infinity
        for key in {"float", "floats", "complex"} & entry.keys():
            entry[key] = [spelled(v) for v in entry[key]] if isinstance(entry[key], list) else spelled(entry[key])
    return {"condlint": "graph-1", "dialect": "torch", "version": "2.13",
            "graph": {"parameters": parameters, "nodes": [node], "results": names}}


def stored(prefix, tensors):
    arrays = {}
    for name, t in tensors:
        t = t.detach().contiguous()
        if t.dtype == torch.bfloat16:
            arrays[f"{prefix}{name}__bf16"] = t.view(torch.uint16).numpy()
        else:
            arrays[f"{prefix}{name}"] = t.resolve_conj().resolve_neg().numpy()
    return arrays


def reductions():
    """(operator, arguments without the operand)."""
    dims = [{"dim": [0]}, {"dim": [1], "keepdim": True}, {"dim": [0, 1]}]
    for name in ("sum", "mean", "nansum"):
        yield from ((f"{name}.{'default' if name == 'nansum' else 'dim_IntList' if name == 'sum' else 'dim'}", d) for d in dims)
    for name in ("sum", "mean", "prod", "max", "min", "any", "all", "median", "nanmedian", "argmax", "argmin", "std", "var", "amax",
                 "amin", "norm", "count_nonzero", "aminmax", "cumsum", "cumprod", "logcumsumexp", "logsumexp"):
        if name in ("cumsum", "cumprod", "logcumsumexp"):
            yield from ((f"{name}.default", {"dim": d}) for d in (0, 1))
        elif name == "norm":
            yield from ((f"linalg_vector_norm.default", {"ord": p, "dim": [1]}) for p in (0.0, 1.0, 2.0, 3.0, INF, -INF))
        elif name in ("amax", "amin", "logsumexp"):
            yield from ((f"{name}.default", d) for d in dims)
        elif name in ("argmax", "argmin"):
            yield from ((f"{name}.default", d) for d in ({}, {"dim": 0}, {"dim": 1, "keepdim": True}))
        elif name in ("max", "min", "median", "nanmedian"):
            yield f"{name}.default", {}
            yield from ((f"{name}.dim", {"dim": d, "keepdim": d == 1}) for d in (0, 1))
        elif name in ("any", "all"):
            yield f"{name}.default", {}
            yield f"{name}.dim", {"dim": 1}
        elif name == "prod":
            yield f"{name}.default", {}
            yield f"{name}.dim_int", {"dim": 1}
        elif name in ("std", "var"):
            yield from ((f"{name}.correction", {"dim": [1], "correction": k}) for k in (0, 1, 2))
            yield f"{name}_mean.correction", {"dim": [0]}
        elif name == "count_nonzero":
            yield f"{name}.dim_IntList", {"dim": [1]}
        else:
            yield f"{name}.default", {}
    for name in ("cummax", "cummin"):
        yield f"{name}.default", {"dim": 1}
    for name in ("_softmax", "_log_softmax"):
        yield f"{name}.default", {"dim": 1, "half_to_float": False}
    yield "sort.default", {"dim": 1, "descending": True}
    yield "topk.default", {"k": 2, "dim": 1}
    yield "kthvalue.default", {"k": 2, "dim": 1}


def pointwise():
    """Overloads that torch tags as pointwise, and those of their arguments that have no default."""
    for name in sorted(dir(torch.ops.aten)):
        if name.startswith("__") or name.endswith("_") or name.endswith("backward") or name in LEFT_OUT:
            continue
        packet = getattr(torch.ops.aten, name)
        for overload in packet.overloads() if hasattr(packet, "overloads") else []:
            op = getattr(packet, overload)
            if torch.Tag.pointwise not in op.tags or "out" in overload or torch.Tag.nondeterministic_seeded in op.tags:
                continue
            wanted = [a for a in op._schema.arguments if not a.has_default_value()]
            if all(str(a.type) in ("Tensor", "number", "int", "float") for a in wanted) and any(
                    str(a.type) == "Tensor" for a in wanted) and str(op._schema.returns[0].type) == "Tensor":
                yield f"{name}.{overload}", wanted


def composites():
    """What torch computes by other operators, and keeps as one node of a program: (operator, arguments)."""
    for dtype in (torch.float16, torch.float32, torch.float64, torch.int64, torch.complex64):
        first, second = (3, 2) if dtype != torch.int64 else (1, 1)
        x, y = values(dtype, (3, 4), first), values(dtype, (3, 4), second).flip(1)
        for dim in (0, 1, -1):
            yield "cosine_similarity.default", {"x1": x, "x2": y[:1], "dim": dim}
        for more in ({}, {"p": 1.0, "keepdim": True}, {"p": 3.0, "eps": 0.5}):
            yield "pairwise_distance.default", {"x1": x, "x2": y, **more}
        yield "cross.default", {"self": values(dtype, (2, 3, 4), first), "other": values(dtype, (2, 3, 4), second)}
        yield "cross.default", {"self": values(dtype, (4, 3), first), "other": values(dtype, (1, 3), second), "dim": 1}
        often, important = torch.tensor([1, 2, 1, 3]), torch.tensor([0.5, 1.0, 2.0, 0.25])
        for more in ({}, {"correction": 0}, {"fweights": often}, {"aweights": important},
                     {"fweights": often, "aweights": important}, {"correction": 9}):
            for rows in (x, x[0], x[:1]):
                yield "cov.default", {"self": rows, **more}
        for rows in (x, x[0]):
            yield "corrcoef.default", {"self": rows}
        for name in ("trapezoid", "cumulative_trapezoid"):
            for dim in (0, 1):
                for more in ({}, {"dx": 0.5}):
                    yield f"{name}.dx", {"y": x, "dim": dim, **more}
                yield f"{name}.x", {"y": x, "x": y[0] if dim == 1 else y[:, 0], "dim": dim}
                yield f"{name}.x", {"y": x, "x": y, "dim": dim}
        yield "bilinear.default", {"input1": x, "input2": values(dtype, (3, 2), 3), "weight": values(dtype, (5, 4, 2), 3),
                                   "bias": values(dtype, (5,), second)}
        signal, window = values(dtype, (2, 23), 3), values(dtype, (6,), 3)
        for more in ({}, {"hop_length": 3, "window": window, "win_length": 6}, {"normalized": True, "onesided": False}):
            for complex_out in (True, False):
                yield "stft.default", {"self": signal, "n_fft": 8, "return_complex": complex_out, **more}
                for mode in ("reflect", "constant", "replicate", "circular"):
                    yield "stft.center", {"self": signal[0], "n_fft": 8, "pad_mode": mode, "return_complex": complex_out, **more}
        if dtype.is_complex:
            ones = torch.ones(8)
            for more in ({}, {"hop_length": 3, "window": ones}, {"normalized": True, "length": 9}, {"center": False},
                         {"onesided": True, "return_complex": False}):
                yield "istft.default", {"self": values(dtype, (2, 5, 6), 3), "n_fft": 8, **more}
            yield "istft.default", {"self": values(dtype, (8, 4), 3), "n_fft": 8, "onesided": False, "return_complex": True}


def sampled(only):
    import torch_samples
    for op, arguments in torch_samples.calls((torch.float32, torch.complex64, torch.int64, torch.bfloat16), only):
        name, overload = op.removeprefix("aten.").split(".")[:2]
        if not op.startswith("aten.") or name in LEFT_OUT or name.startswith(("empty", "new_empty")):
            continue
        if torch.Tag.nondeterministic_seeded not in getattr(getattr(torch.ops.aten, name), overload).tags:
            yield f"{name}.{overload}", arguments


def cases():
    shape = (3, 4)
    yield from composites()
    for op, wanted in pointwise():
        for dtype in TYPES:
            for turn in (0, 1):
                arguments, place = {}, 0
                for a in wanted:
                    if str(a.type) == "Tensor":
                        arguments[a.name] = values(dtype, shape, turn + place)
                        place += 1
                    else:
                        arguments[a.name] = 2 if str(a.type) == "int" or not dtype.is_floating_point else 1.5
                yield op, arguments
    for op, more in reductions():
        for dtype in TYPES:
            for given in ((3, 4), (0, 3), (3, 0)):
                for turn in (0, 2) if 0 not in given else (0,):
                    yield op, {"self": values(dtype, given, turn), **more}


def close(a, b, dtype, op):
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if any(word in op for word in ("svd", "eig")):  # vectors whose signs are free
        a, b = abs(a), abs(b)
    if a.dtype.kind in "biu":
        return bool((a == b).all())
    tolerance = {torch.float16: 4e-3, torch.bfloat16: 2e-2, torch.float32: 2e-5}.get(dtype, 1e-6)
    if "linalg" in op:
        tolerance *= 10
    return numpy.allclose(a.astype(complex), b.astype(complex), rtol=tolerance, atol=tolerance, equal_nan=True)


def wide(array, name):
    return torch.from_numpy(array.view(numpy.int16).copy()).view(torch.bfloat16).float().numpy() if name.endswith("__bf16") else array


def judge(program, folder, number, op, arguments):
    """Nothing, "cannot" or what differs."""
    name, overload = op.split(".")
    refused = None
    try:
        given = {k: v.clone() if isinstance(v, torch.Tensor) else v for k, v in arguments.items()}  # which may be written
        results = getattr(getattr(torch.ops.aten, name), overload)(**given)
        results = [r for part in (results if isinstance(results, (tuple, list)) else [results])
                   for r in (part if isinstance(part, list) else [part])]
        if not all(isinstance(r, torch.Tensor) and r.layout == torch.strided for r in results):
            return None
    except Exception as e:  # torch refuses with whatever it likes
        refused, results = str(e).split("\n")[0], []
    path = os.path.join(folder, str(number))
    recorded = results or [v for _, v in tensors_of(arguments)][:1]
    if not recorded or any("float8" in str(t.dtype) or "float4" in str(t.dtype) for t in results + [v for _, v in tensors_of(arguments)]):
        return None  # an array file has no such types
    with open(path + ".json", "w") as f:
        json.dump(model("aten." + op, arguments, recorded), f)
    numpy.savez(path + ".npz", **stored("", tensors_of(arguments)))
    run = subprocess.run([program, "run", path + ".json", "--inputs", path + ".npz", "--save", path + "o.npz", "-q"],
                         capture_output=True, text=True)
    shown = {k: (text(v) if isinstance(v, torch.Tensor) else v) for k, v in arguments.items()}
    if "cannot execute" in run.stderr or "does not" in run.stderr:
        return "cannot"
    if refused is not None and ("not implemented for" in refused or "MKL" in refused):  # a gap of torch's on this device
        return None
    if refused is not None:
        return None if run.returncode else f"{op} {shown}: torch refuses ({refused[:90]}), condlint does not"
    if run.returncode:
        return f"{op} {shown}: {run.stderr.strip().replace(path, '')[:160]}"
    with numpy.load(path + "o.npz") as got:
        for i, wanted in enumerate(results):
            key = next(k for k in got.files if k in (f"out{i}", f"out{i}__bf16"))
            a, b = wide(got[key], key), wide(*[(v, k) for k, v in stored("", [("x", wanted)]).items()][0])
            if not close(a, b, wanted.dtype, op):
                return f"{op} {shown}: result {i} is {a.dtype}{a.tolist()}, torch {b.dtype}{b.tolist()}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("condlint")
    parser.add_argument("--samples", action="store_true", help="the samples of torch's own tests")
    parser.add_argument("--only", default="", help="operators whose name holds this")
    a = parser.parse_args()
    cannot, faults, count = set(), 0, 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = [(op, pool.submit(judge, a.condlint, folder, i, op, arguments))
                for i, (op, arguments) in enumerate(sampled(a.only) if a.samples else cases()) if a.only in op]
        for op, job in jobs:
            count += 1
            outcome = job.result()
            if outcome == "cannot":
                cannot.add(op)
            elif outcome:
                faults += 1
                print(outcome, flush=True)
    print(f"{count} cases, {faults} differ; not executed: {', '.join(sorted(cannot)) or 'none'}")
    return 1 if faults else 0


sys.exit(main())
