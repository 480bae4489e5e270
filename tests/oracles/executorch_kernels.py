#!/usr/bin/env python3
"""Derives the operators for which ExecuTorch has no portable kernel, and holds condlint's table against them.

    executorch_kernels.py [--table FILE] [--measure]

An operator has none where torch neither decomposes it on the way to ExecuTorch nor its runtime registers a kernel of its name,
or of the copy that stands for a view. What the table says besides follows from what an operator is decomposed into. --measure
lowers each operator of the table in a branch, on the first arguments that it takes. Exit code 1: something differs; 77:
ExecuTorch is not installed.
"""
import argparse
import logging
import re
import sys
import warnings

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)

try:
    import torch
    from executorch import version
    from executorch.exir import to_edge
    from executorch.exir.tracer import _default_decomposition_table
    from executorch.runtime import Runtime
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

# Nobody writes them, or they are gone before memory is planned.
NOT_MEANT = re.compile(r"_$|backward|_out$|_check_errors|^_(?!_|fft|unique|linalg|embedding|to_sparse|to_dense|standard_gamma|int_mm|grouped_mm|scaled)"
                       r"|^(cudnn|miopen|mkldnn|sym_constrain|is_|convolution_over|sparse_dim|dense_dim|alias|lift|equal|empty_strided|"
                       r"new_empty_strided|resize|quantized|dim$|numel|storage_offset)|_for_mps|_cudnn_")


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


def missing():
    """Names of ATen, of which no overload is decomposed."""
    there, decomposed = registered(), {**torch.export.default_decompositions(), **_default_decomposition_table()}
    for name in sorted(dir(torch.ops.aten)):
        packet = getattr(torch.ops.aten, name)
        if NOT_MEANT.search(name) or not hasattr(packet, "overloads") or {name, name + "_copy"} & there:
            continue
        overloads = [getattr(packet, o) for o in packet.overloads() if "dimname" not in o]
        if not any(o in decomposed or is_composed(o) for o in overloads):
            yield name


def rows(path):
    """(name, last version without a kernel) of each row of the table."""
    with open(path, encoding="utf-8") as file:
        for name, major, minor in re.findall(r'\{"(\w+)", \{(?:(\d+), (\d+))?\}', file.read()):
            yield name, (int(major), int(minor)) if major else None


class One(torch.nn.Module):
    def __init__(self, operator, arguments):
        super().__init__()
        self.operator, self.arguments = operator, arguments

    def forward(self, p, x, y):
        def taken(x, y):
            out = self.operator(*[{"x": x, "y": y}.get(a, a) if isinstance(a, str) else a for a in self.arguments])
            out = out[0] if isinstance(out, (tuple, list)) else out
            return (torch.view_as_real(out) if out.is_complex() else out) * 1

        return torch.cond(p, taken, lambda x, y: torch.zeros_like(taken(x, y)), (x, y))


ARGUMENTS = [["x"], ["x", "y"], ["x", 0], ["x", 1], ["x", [0]], ["x", [2]], ["x", 2, 0], ["x", "y", "y"], ["x", 0, "y", "x"],
             ["x", 0, "y", "x", "sum"], ["x", [0], 1, True], ["x", 2, False], [4], [2, 2], ["x", "x"], ["x", 1, 2, 0, 0.5],
             ["x", 0, 1, 1], ["x", [2, 2]], ["x", [1], 0, False], [5, [2, 2]], [0, 5, [2, 2]], ["x", "y", 0, "x"], ["x", True]]


def measured(name):
    """What becomes of the operator in a branch; nothing where it was never exported."""
    x = torch.tensor([[2.0, 0.5], [0.25, 1.5]])
    for inputs in ((x, x + 1), (x.abs().long(), x.long()), (x, x.long() % 2), (x[0], x[1]), (x[None], x[None] + 1), (x[None, None], x),
                   (torch.complex(x, x), x)):
        for arguments in ARGUMENTS:
            module = One(getattr(torch.ops.aten, name), arguments)
            try:
                taken = module.operator(*[{"x": inputs[0], "y": inputs[1]}.get(a, a) if isinstance(a, str) else a for a in arguments])
                if not isinstance(taken[0] if isinstance(taken, (tuple, list)) else taken, torch.Tensor):
                    continue
                program = torch.export.export(module, (torch.tensor(True), *inputs))
            except Exception:
                continue
            try:
                made = to_edge(program).to_executorch().buffer
                Runtime.get().load_program(made).load_method("forward")
            except BaseException as error:
                return "refused: " + re.sub(r"\s+", " ", str(error))[:120]
            return "taken"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table")
    parser.add_argument("--measure", action="store_true")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    derived = set(missing())
    if not arguments.table:
        print("\n".join(sorted(derived)))
        return 0
    now = tuple(int(n) for n in version.__version__.split("+")[0].split(".")[:2])
    said = {name for name, until in rows(arguments.table) if until is None or now <= until}
    wrong = [f"{name}: the table does not say that it has no kernel" for name in sorted(derived - said)]
    wrong += [f"{name}: the table says that it has no kernel" for name in sorted(said & registered()) if is_core(name)]
    counts = {}
    for name in sorted(said) if arguments.measure else []:
        stage = measured(name)
        print(f"{name}: {stage or 'not exported'}", flush=True)
        counts[stage.split(":")[0] or "not exported"] = counts.get(stage.split(":")[0] or "not exported", 0) + 1
        if stage == "taken":
            wrong.append(f"{name}: it is taken in a branch")
    for line in wrong:
        print(line)
    print(f"ExecuTorch {version.__version__}: {len(said)} operators without a kernel; "
          + "".join(f"{n} {s}, " for s, n in sorted(counts.items())) + f"{len(wrong)} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
