#!/usr/bin/env python3
"""Holds what condlint says of ONNX operators in a branch against which of them OpenVINO converts.

    openvino_operators.py --condlint BIN [--openvino PYTHON]... [--only TEXT] [--nodes]

Each operator that onnx and ONNX Runtime know, in each of its versions, stands alone in a branch, with operands that mean nothing
to it: OpenVINO says that it has no conversion, or complains of something else, which is no matter here, nor that its process ends
over such operands, as that of 2026.4 does of com.microsoft's Attention, FusedConv and Pad, which it reads. With --nodes the node
tests of onnx are put into a branch instead, up to four of each operator, and run: what is refused is to be an error. Exit code 1:
something differs; 77: a package is not installed.
"""
import argparse
import os
import re
import sys
import tempfile
import warnings

warnings.simplefilter("ignore")

try:
    import numpy as np
    import onnx
    from onnx import TensorProto as T
    from onnx import helper as h
    from onnx import numpy_helper as nh
    from onnxruntime.capi import onnxruntime_pybind11_state as runtime
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

import onnx_reference
import verdicts
from worker import Worker

HERE = os.path.dirname(os.path.abspath(__file__))
NO_CONVERSION = re.compile(r"No conversion rule found|does not support the following ONNX operations")
# 2023.3 leaves what it does not convert, of which no rank is known.
LEFT = "If operation with dynamic rank"
RULE = "unsupported-in-branch"
MOST_NODE_TESTS = 4
# Sequences and optionals are no operands of these models: onnx_cases.py has models of them.
NESTED = re.compile("Sequence|Optional")


def schemas():
    """(domain, name, version, least operands, results) of each operator."""
    for s in onnx.defs.get_all_schemas_with_history():
        if s.domain in ("", "ai.onnx.ml") and not s.deprecated and not NESTED.search(s.name):
            yield s.domain, s.name, s.since_version, s.min_input, s.min_output
    for s in runtime.get_all_operator_schema():
        if s.domain == "com.microsoft":
            yield s.domain, s.name, s.since_version, 1, 1


def bare(domain, op, version, inputs, outputs):
    names = [f"x{i}" for i in range(max(inputs, 1))]
    matrix = [h.make_tensor_value_info(n, T.FLOAT, [2, 2]) for n in (*names, "t0", "e", "y")]
    node = h.make_node(op, names[:inputs], [f"t{i}" for i in range(max(outputs, 1))], domain=domain)
    then = h.make_graph([node], "then", [], [matrix[-3]])
    other = h.make_graph([h.make_node("Identity", ["x0"], ["e"])], "else", [], [matrix[-2]])
    chosen = h.make_node("If", ["p"], ["y"], then_branch=then, else_branch=other)
    graph = h.make_graph([chosen], "g", [h.make_tensor_value_info("p", T.BOOL, []), *matrix[:-3]], [matrix[-1]])
    domains = [h.make_opsetid("", 17 if domain else version)] + ([h.make_opsetid(domain, version)] if domain else [])
    return h.make_model(graph, opset_imports=domains, ir_version=8)


def in_branch(made, outputs):
    """The model with its nodes in a branch; the other yields constants of the same types."""
    def typed(name, array):
        return h.make_tensor_value_info(name, nh.from_array(array).data_type, array.shape)

    graph, names = made.graph, [v.name for v in made.graph.output]
    held = {i.name for i in graph.initializer}
    zeros = [np.full(o.shape, "") if o.dtype.kind in "OUS" else np.zeros_like(o) for o in outputs]
    then = h.make_graph(list(graph.node), "then", [], [typed(n, z) for n, z in zip(names, zeros)], list(graph.initializer))
    other = h.make_graph([h.make_node("Constant", [], ["other_" + n], value=nh.from_array(z)) for n, z in zip(names, zeros)], "else", [],
                         [typed("other_" + n, z) for n, z in zip(names, zeros)])
    chosen = h.make_node("If", ["the_flag"], ["out_" + n for n in names], then_branch=then, else_branch=other)
    whole = h.make_graph([chosen], "g", [h.make_tensor_value_info("the_flag", T.BOOL, []), *[v for v in graph.input if v.name not in held]],
                         [typed("out_" + n, z) for n, z in zip(names, zeros)])
    return h.make_model(whole, opset_imports=list(made.opset_import), ir_version=min(made.ir_version, 10), functions=list(made.functions))


def node_tests():
    """(name, model, inputs) of node tests of tensors that are one node."""
    from onnx.backend.test.case.node import collect_testcases
    taken = {}
    for case in collect_testcases(None):
        graph = case.model.graph
        tensors = all(v.type.WhichOneof("value") == "tensor_type" for v in [*graph.input, *graph.output])
        if len(graph.node) != 1 or not tensors or not case.data_sets:
            continue
        op = graph.node[0].op_type
        taken[op] = taken.get(op, 0) + 1
        if taken[op] > MOST_NODE_TESTS:
            continue
        inputs, outputs = ([nh.to_array(a) if isinstance(a, onnx.TensorProto) else np.asarray(a) for a in side] for side in case.data_sets[0])
        try:
            yield f"{op} {case.name}", in_branch(case.model, outputs), [np.array(True), *inputs]
        except (NotImplementedError, ValueError):
            continue  # types that numpy lacks


def models(arguments, scratch):
    """(name, path, file of inputs)"""
    made = (((f"{d or 'ai.onnx'} {op} {v}"), bare(d, op, v, i, o), None) for d, op, v, i, o in sorted(set(schemas())))
    for place, (name, model, inputs) in enumerate(node_tests() if arguments.nodes else made):
        if arguments.only and arguments.only not in name:
            continue
        path = os.path.join(scratch, f"{place}.onnx")
        fed = os.path.join(scratch, f"{place}.npz")
        try:
            onnx.save(model, path)
            if inputs:
                np.savez(fed, **{f"in{i}": v for i, v in enumerate(onnx_reference.plain_arrays(inputs))})
        except (ValueError, TypeError):
            continue
        yield name, path, fed if inputs else "", onnx_reference.input_names(model)


def is_unread(answer, version, isNode):
    if answer is None:
        return isNode
    if isNode:
        return answer["stage"] != "ok"
    return bool(NO_CONVERSION.search(answer["error"])) and version != "2023.3"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--condlint", required=True)
    parser.add_argument("--openvino", action="append", default=[])
    parser.add_argument("--only")
    parser.add_argument("--nodes", action="store_true")
    arguments = parser.parse_args()
    differ = asked = 0
    with tempfile.TemporaryDirectory() as scratch:
        found = list(models(arguments, scratch))
        for python in arguments.openvino or [sys.executable]:
            worker = Worker([python, os.path.join(HERE, "openvino_worker.py")], hello=True)
            worker.start()
            if "version" not in worker.greeting:
                print(f"skipped: {python} has no openvino")
                return 77
            version = ".".join(worker.greeting["version"].split(".")[:2])
            says = verdicts.of(arguments.condlint, [p for _, p, _, _ in found], "openvino@" + version)
            for name, path, fed, names in found:
                task = {"model": path, "names": names, "inputs": [fed] if fed else [], "outputs": [path + ".out.npz"] if fed else []}
                answer = worker.ask(task)
                if is_unread(answer, version, arguments.nodes) and worker.asked != 1:
                    worker.stop()  # what was refused before leaves the process in ruins
                    answer = worker.ask(task)
                if answer is None or answer["error"]:
                    worker.stop()
                unread, said = is_unread(answer, version, arguments.nodes), says[path]
                asked += 1
                isError = RULE in said["error"] or (arguments.nodes and bool(said["error"]))
                # An operator that is converted may be refused here for its operands; only what says so is lacking.
                isReadFully = answer is not None and not answer["error"]
                if (unread and not isError and not said["unknown"]) or (isReadFully and RULE in said["error"]):
                    differ += 1
                    text = re.sub(r"\s+", " ", answer["error"])[-160:] if answer else "the process ended"
                    print(f"{version} {name}: {'not read' if unread else 'read'}, condlint {sorted(said['error'])}: {text}", flush=True)
            worker.close()
    print(f"{asked} answers of {len(found)} operators; {differ} differ")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
