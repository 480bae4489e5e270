#!/usr/bin/env python3
"""Derives the operators for which ExecuTorch has no portable kernel, and holds condlint's table against them.

    executorch_kernels.py [--table FILE] [--measure]

An operator has none where torch neither decomposes it on the way to ExecuTorch nor its runtime registers a kernel of its name,
or of the copy that stands for a view. So it is of single overloads. What the table says besides follows from what an operator
is decomposed into: --measure takes torch's own samples of each operator (op_db, some 700), in a process that is started anew
after a crash and every 50 operators, decomposes them as to_edge does, and asks its verifier and the registry; what the table
says otherwise is lowered in earnest. Exit code 1: something differs; 77: ExecuTorch is not installed.
"""
import argparse
import json
import logging
import os
import re
import signal
import sys
import warnings

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)

try:
    import torch
    from executorch import version
    from executorch.exir import to_edge
    from executorch.exir.tracer import _default_decomposition_table
    from executorch.exir.verification.verifier import EXIRATenDialectVerifier
    from executorch.runtime import Runtime
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

from worker import Worker

# Nobody writes them, or they are gone before memory is planned.
NOT_MEANT = re.compile(r"_$|backward|_out$|_check_errors|^_(?!_|fft|unique|linalg|embedding|to_sparse|to_dense|standard_gamma|int_mm|grouped_mm|scaled)"
                       r"|^(cudnn|miopen|mkldnn|sym_constrain|is_|convolution_over|sparse_dim|dense_dim|alias|lift|equal|empty_strided|"
                       r"new_empty_strided|resize|quantized|dim$|numel|storage_offset)|_for_mps|_cudnn_")


# What is left of a normalisation that updates running statistics: the program tells it by what it writes, not by the table.
UPDATES = {"aten._native_batch_norm_legit_functional.default", "aten._batch_norm_with_update_functional.default"}


def registered():
    return {n.split("::")[1].split(".")[0] for n in Runtime.get().operator_registry.operator_names if n.startswith("aten::")}


def is_composed(overload):
    try:
        return overload._can_decompose()
    except RuntimeError:  # of a number, which is no operator of the dispatcher
        return False


def is_core(name):
    """Of an operator that is not, to_edge lets no kernel be used."""
    packet = getattr(torch.ops.aten, name)
    return any(torch.Tag.core in getattr(packet, o).tags for o in packet.overloads())


def is_of_tensors(overload, names):
    """Those that a graph of tensors may hold; others are TorchScript's alone."""
    schema = overload._schema
    return (not schema.is_mutable and overload.name() in names and "hacked_twin" not in overload._overloadname
            and all(any("Tensor" in str(v.type) for v in side) for side in (schema.returns, schema.arguments)))


def missing():
    """Names of ATen of which no overload is decomposed, and NAME.OVERLOAD of those of which that one is not."""
    there, decomposed = registered(), {**torch.export.default_decompositions(), **_default_decomposition_table()}
    verifier, names = EXIRATenDialectVerifier(), set(torch._C._dispatch_get_all_op_names())

    def is_refused(overload):
        try:
            verifier.check_valid_op(overload)
        except Exception:
            return True
        return False

    for name in sorted(dir(torch.ops.aten)):
        packet = getattr(torch.ops.aten, name)
        if NOT_MEANT.search(name) or not hasattr(packet, "overloads"):
            continue
        overloads = [getattr(packet, o) for o in packet.overloads() if "dimname" not in o]
        left = [o for o in overloads if o not in decomposed and not is_composed(o)]
        if not {name, name + "_copy"} & there and len(left) == len(overloads):
            yield name
            continue
        yield from (f"{name}.{o._overloadname}" for o in left if is_of_tensors(o, names) and is_refused(o))


def rows(path):
    """(name, last version without a kernel, whether for some arguments alone) of each row of the table."""
    with open(path, encoding="utf-8") as file:
        for name, major, minor, some in re.findall(r'\{"([\w.]+)", \{(?:(\d+), (\d+))?\}(, true)?', file.read()):
            yield name, (int(major), int(minor)) if major else None, bool(some)


class Sample(torch.nn.Module):
    """An operator as a sample calls it; its tensors are the module's inputs."""

    def __init__(self, operator, sample):
        super().__init__()
        self.operator = operator
        self.leaves, self.spec = torch.utils._pytree.tree_flatten(((sample.input, *sample.args), sample.kwargs))
        self.inputs = tuple(v for v in self.leaves if isinstance(v, torch.Tensor))

    def forward(self, *inputs):
        given = iter(inputs)
        leaves = [next(given) if isinstance(v, torch.Tensor) else v for v in self.leaves]
        arguments, keywords = torch.utils._pytree.tree_unflatten(leaves, self.spec)
        return self.operator(*arguments, **keywords)


def samples(index):
    """The name of an operator of op_db, and its first, its middle and its last sample."""
    from torch.testing._internal.common_methods_invocations import op_db
    info = op_db[index]
    types = info.supported_dtypes("cpu")
    for dtype in (torch.float32, torch.int64, torch.bool, torch.complex64, torch.float16):
        if dtype in types:
            made = [s for _, s in zip(range(16), info.sample_inputs("cpu", dtype, requires_grad=False))]
            for place in sorted({0, len(made) // 2, len(made) - 1}) if made else []:
                yield Sample(info.op, made[place])
            return


def called(program):
    return [n.target for g in program.graph_module.modules() if isinstance(g, torch.fx.GraphModule)
            for n in g.graph.nodes if n.op == "call_function" and isinstance(n.target, torch._ops.OpOverload)]


def untaken(program, kernels, verifier):
    """Operators of a program, once decomposed, that to_edge refuses or that have no kernel."""
    found = set()
    for operator in called(program.run_decompositions(_default_decomposition_table())):
        name = operator._schema.name.split("::")[1]
        try:
            verifier.check_valid_op(operator)
        except Exception:
            found.add(str(operator))
        if operator.namespace == "aten" and not name.startswith(("sym_", "_assert")) and not {name, name + "_copy"} & kernels:
            found.add(str(operator))
    return sorted(found)


def refusal(program):
    """Why the program is not lowered, or not loaded; empty where it is."""
    try:
        made = to_edge(program).to_executorch().buffer
        Runtime.get().load_program(made).load_method("forward")
    except BaseException as error:
        return re.sub(r"\s+", " ", f"{type(error).__name__}: {error}")[:200]
    return ""


def answer(task, kernels, verifier):
    rows, seen = [], set()
    for sample in samples(task["index"]):
        if not sample.inputs or any(t.numel() > 2000 or t.layout != torch.strided for t in sample.inputs):
            continue
        try:
            program = torch.export.export(sample, sample.inputs)
        except Exception:
            continue
        operators = sorted({str(o) for o in called(program)})
        if tuple(operators) in seen:
            continue
        seen.add(tuple(operators))
        row = {"operators": operators}
        if task.get("earnest"):
            row["refusal"] = refusal(program)
        else:
            try:
                row["untaken"] = untaken(program, kernels, verifier)
            except Exception as error:
                row["untaken"] = [type(error).__name__]
        rows.append(row)
    return rows


def serve():
    """Answers {"index": INDEX, "earnest": BOOL} of each line with a line, of the samples of an operator of op_db."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    from torch.testing._internal.common_methods_invocations import op_db
    print(json.dumps([i.name for i in op_db]), file=out, flush=True)
    kernels, verifier = registered(), EXIRATenDialectVerifier()

    def late(*_):
        raise RuntimeError("too long")

    signal.signal(signal.SIGALRM, late)
    for line in sys.stdin:
        signal.alarm(600)
        try:
            rows = answer(json.loads(line), kernels, verifier)
        except Exception:
            rows = []
        signal.alarm(0)
        print(json.dumps(rows), file=out, flush=True)


def name_of(operator):
    """As the table spells it: of what writes to its first operand the one that returns it."""
    _, name, overload = operator.split(".")
    return (name[:-1] if name.endswith("_") and not name.endswith("__") else name), overload


def measured(said):
    """What op_db shows that the table says otherwise; and how many operators of the table it holds."""
    worker = Worker([sys.executable, os.path.abspath(__file__), "--serve"], hello=True)
    worker.start()
    names, rows = worker.greeting, []
    for index, name in enumerate(names):
        if worker.asked >= 50:
            worker.stop()
        for row in worker.ask({"index": index}) or []:
            rows.append((index, name, row))
    taken = {o for _, _, row in rows if not row["untaken"] for o in row["operators"]}

    def is_said(operator):
        name, overload = name_of(operator)
        return operator.startswith("aten.") and (name in said or f"{name}.{overload}" in said)

    differ, doubted, seen = [], {}, set()
    for index, name, row in rows:
        listed = [o for o in row["operators"] if is_said(o)]
        seen.update(listed)
        if not row["untaken"]:
            differ += [f"{o}: the table says that it has no kernel, and {name} is taken" for o in listed
                       if not said.get(name_of(o)[0])]
        elif not listed and not set(row["untaken"]) <= UPDATES:
            doubted.setdefault(index, []).append(row)
    for index, doubts in doubted.items():
        for row in worker.ask({"index": index, "earnest": True}) or []:
            wanted = next((d for d in doubts if d["operators"] == row["operators"]), None)
            if wanted and row["refusal"]:
                left = [o for o in row["operators"] if o not in taken]
                differ.append(f"{', '.join(left)}: not in the table, and refused by way of {', '.join(wanted['untaken'])}: {row['refusal']}")
    worker.close()
    return sorted(set(differ)), len(rows), len(seen)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table")
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    if arguments.serve:
        return serve()
    derived = set(missing())
    if not arguments.table:
        print("\n".join(sorted(derived)))
        return 0
    now = tuple(int(n) for n in version.__version__.split("+")[0].split(".")[:2])
    said = {name: some for name, until, some in rows(arguments.table) if until is None or now <= until}
    wrong = [f"{name}: the table does not say that it has no kernel" for name in sorted(derived)
             if not {name, name.split(".")[0]} & set(said)]
    wrong += [f"{name}: the table says that it has no kernel" for name in sorted(set(said) & registered()) if is_core(name)]
    shown = ""
    if arguments.measure:
        differ, programs, listed = measured(said)
        wrong += differ
        shown = f"; {programs} programs of torch's samples, {listed} operators of the table among them"
    for line in wrong:
        print(line)
    print(f"ExecuTorch {version.__version__}: {len(said)} operators without a kernel{shown}; {len(wrong)} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
