#!/usr/bin/env python3
"""Reads, compiles and runs ONNX models with OpenVINO; runs in the Python that has it.

Standard input: a JSON object a line, {"model": PATH, "names": [INPUT, ...], "inputs": [NPZ, ...],
"outputs": [NPZ, ...]}. Standard output: one a line, {"stage": "read" | "compile" | "run" | "ok", "error": TEXT}. An array
stands in an .npz under its place; bfloat16 as uint16. A model that crashes the process leaves no line, which whoever started it sees.
"""
import json
import os
import sys

import numpy as np

# It reports to its makers from a process of its own, which would outlive this one.
sys.modules["openvino_telemetry"] = None
import openvino as ov


def main():
    # What the real system prints is not an answer.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    core = ov.Core()
    core.set_property("CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    print(json.dumps({"version": ov.__version__.split("-")[0]}), file=answers, flush=True)
    for line in sys.stdin:
        task = json.loads(line)
        stage = "read"
        try:
            model = core.read_model(task["model"])
            stage = "compile"
            compiled = core.compile_model(model, "CPU")
            stage = "run"
            for given, wanted in zip(task["inputs"], task["outputs"]):
                with np.load(given, allow_pickle=False) as arrays:
                    values = {n: arrays[f"in{i}"] for i, n in enumerate(task["names"])}
                request = compiled.create_infer_request()
                # An input that nothing reads may be gone, and one that is an output as well may have no name.
                named = [next((n for n in port.get_names() if n in values), None) for port in compiled.inputs]
                left = [n for n in task["names"] if n not in named]
                feeds = {port: values[n or left.pop(0)] for port, n in zip(compiled.inputs, named)}
                results = request.infer(feeds)
                out = {f"out{i}": np.array(results[port]) for i, port in enumerate(compiled.outputs)}
                np.savez(wanted, **out)
            stage = "ok"
            answer = {"stage": stage, "error": ""}
        except Exception as error:  # whatever the real system says
            answer = {"stage": stage, "error": str(error)}
        print(json.dumps(answer), file=answers, flush=True)


main()
