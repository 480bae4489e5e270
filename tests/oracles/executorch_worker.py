#!/usr/bin/env python3
"""Lowers torch models with ExecuTorch, runs them and compares with eager; runs in the Python that has it.

Standard input: a JSON object a line, {"seed": SEED, "ways": [WAY, ...], "save": PATH} for a drawn module, with {"case": NAME} for
one of executorch_cases.py, or {"model": PATH, "inputs": [NPZ, ...], "ways": [WAY, ...]} for a .pt2, which is run on what it was
exported with where it has no inputs. Standard output: one a line, {"load": TEXT, "answers": {WAY: [STAGE, TEXT]}}, where TEXT of
load says why torch itself does not load or export it. A way is a row of WAYS; a stage one of right, wrong, refused-lower,
refused-run, and accepted, of which there is nothing to compare with. A model that crashes the process leaves no line, which
whoever started it sees.
"""
import copy
import gc
import json
import logging
import os
import sys
import warnings

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)

import numpy as np
import torch
from executorch import version
from executorch.exir import ExecutorchBackendConfig, to_edge, to_edge_transform_and_lower
from executorch.exir.memory_planning import MemoryPlanningAlgorithmSuite, naive
from executorch.exir.passes import MemoryPlanningPass
from executorch.runtime import Runtime

import executorch_cases
import executorch_graphs


def planned(**options):
    return lambda: ExecutorchBackendConfig(memory_planning_pass=MemoryPlanningPass(**options))


def partitioned(program):
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
    return to_edge_transform_and_lower(program, partitioner=[XnnpackPartitioner()])


# How the model is lowered, and what the program is made with.
WAYS = {
    "edge": (to_edge, ExecutorchBackendConfig),
    "lower": (to_edge_transform_and_lower, ExecutorchBackendConfig),
    "no-input": (to_edge, planned(alloc_graph_input=False)),
    "no-output": (to_edge, planned(alloc_graph_output=False)),
    "no-input-output": (to_edge, planned(alloc_graph_input=False, alloc_graph_output=False)),
    "naive": (to_edge, planned(memory_planning_algo=MemoryPlanningAlgorithmSuite(algo_list=[naive]))),
    "share-buffers": (to_edge, planned(share_mutable_buffers=True)),
    "overlap": (to_edge, planned(allow_lifetime_and_storage_overlap=True)),
    "keep-views": (to_edge, lambda: ExecutorchBackendConfig(remove_view_copy=False)),
    "xnnpack": (partitioned, ExecutorchBackendConfig),
}


def flat(value):
    return list(torch.utils._pytree.tree_leaves(value))


def copied(values):
    return tuple(v.clone() if isinstance(v, torch.Tensor) else v for v in values)


def agree(want, have):
    if len(want) != len(have):
        return f"{len(have)} outputs, not {len(want)}"
    for i, (w, v) in enumerate(zip(want, have)):
        w, v = torch.as_tensor(w), torch.as_tensor(v)
        if w.shape != v.shape or w.dtype != v.dtype:
            return f"output {i} is {v.dtype}{list(v.shape)}, not {w.dtype}{list(w.shape)}"
        rtol, atol = {torch.bfloat16: (2e-2, 2e-2), torch.float16: (1e-2, 1e-3)}.get(w.dtype, (1e-3, 1e-4))
        w, v = (t if t.is_complex() else t.double() for t in (w, v))
        if not torch.allclose(w, v, rtol=rtol, atol=atol, equal_nan=True):
            return f"output {i} is {v.ravel()[:4].tolist()}, not {w.ravel()[:4].tolist()}"
    return ""


def eager(program, inputs):
    """(inputs, outputs) of those that eager takes, and takes alike twice: what draws numbers is nothing to compare with. A
    module of its own for each, since a run may change buffers."""
    wanted = []
    for way in inputs:
        try:
            first, again = (copied(flat(program.module()(*copied(way)))) for _ in range(2))
        except Exception:
            continue
        if not agree(first, again):
            wanted.append((way, first))
    return wanted


def why_not(error):
    return f"{type(error).__name__}: {error}"[:2000]


def executed(edge, config, wanted):
    try:
        buffer = edge.to_executorch(config()).buffer
        program = Runtime.get().load_program(buffer)
        program.load_method("forward")
    except BaseException as error:
        return "refused-lower", why_not(error)
    ran = 0
    for way, want in wanted:
        try:
            # A method of its own for each, as above.
            have = program.load_method("forward").execute(copied(flat(list(way))))
        except BaseException as error:
            if "set_inputs" in str(error):
                continue  # larger than what was planned: the sizes of the export are the bound where no other is given
            return "refused-run", why_not(error)
        ran += 1
        difference = agree(want, list(have))
        if difference:
            return "wrong", difference
    return ("right", "") if ran else ("accepted", "no inputs that it takes")


def answers_for(program, again, inputs, ways):
    """Each lowering has a program of its own, `program` or what `again` makes: a copy shares the environment of its sizes, and
    the symbols that to_edge leaves there make to_edge_transform_and_lower refuse what it takes otherwise."""
    wanted = eager(program, inputs)
    answers, edges = {}, {}
    for way in ways:
        lower, config = WAYS[way]
        if lower not in edges:
            try:
                edges[lower] = lower(again() if edges else program)
            except BaseException as error:
                edges[lower] = why_not(error)
        edge = edges[lower]
        answers[way] = ("refused-lower", edge) if isinstance(edge, str) else executed(copy.deepcopy(edge), config, wanted)
    return answers


def read_inputs(paths):
    for path in paths:
        with np.load(path, allow_pickle=False) as arrays:
            if all(k == f"in{i}" for i, k in enumerate(arrays.files)):
                yield tuple(torch.from_numpy(arrays[k]) for k in arrays.files)


def exported_inputs(program):
    """What a file was exported with: as it is, and with all flags set, none, and the first alone, among other numbers."""
    example, keywords = program.example_inputs or ((), {})
    if keywords or not example:
        return []
    drawn = torch.Generator().manual_seed(1)

    def changed(value, flag):
        if not isinstance(value, torch.Tensor):
            return value
        if value.dtype == torch.bool and value.numel() == 1:
            return torch.full_like(value, flag)
        return torch.randn(value.shape, generator=drawn).to(value.dtype) if value.dtype.is_floating_point else value.clone()

    return [example, *(tuple(changed(v, flags[i > 0]) for i, v in enumerate(example)) for flags in ((1, 1), (0, 0), (1, 0)))]


def answer(task):
    if "model" not in task:
        if "seed" in task:
            _, module, inputs = executorch_graphs.draw(task["seed"])
            keywords = {}
        else:
            module, inputs, keywords = executorch_cases.CASES[task["case"]]()

        def made():
            return torch.export.export(module, copied(inputs[0]), **keywords)
    else:
        def made():
            return torch.export.load(task["model"])
    try:
        program = made()
        if "model" not in task:
            torch.export.save(program, task["save"])
    except BaseException as error:
        return {"load": why_not(error), "answers": {}}
    if "model" in task:
        inputs = list(read_inputs(task["inputs"])) or exported_inputs(program)
    return {"load": "", "answers": answers_for(program, made, inputs, task["ways"])}


def main():
    # What the real system prints is not an answer.
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    torch.set_num_threads(1)
    # A sixth of a model's time is otherwise the search for garbage among all of torch.
    gc.collect()
    gc.freeze()
    gc.set_threshold(100000, 50, 50)
    print(json.dumps({"version": version.__version__.split("+")[0], "torch": torch.__version__}), file=out, flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), file=out, flush=True)


if __name__ == "__main__":
    main()
