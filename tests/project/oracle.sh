#!/usr/bin/env bash
# What condlint says for one system beside what that system does, where its package is installed:
#   oracle.sh openvino|executorch|onnx
# CONDLINT_PYTHON names the Python that has the package (python3 where it is not set).
set -euo pipefail
python=${CONDLINT_PYTHON:-python3}
cd "$CONDLINT_SOURCE/tests/oracles"
case $1 in
  openvino) modules="openvino onnx onnxruntime numpy" ;;
  executorch) modules="executorch.exir executorch.runtime torch numpy" ;;
  onnx) modules="onnx onnxruntime numpy" ;;
esac
for module in $modules; do
  "$python" -c "import $module" >/dev/null 2>&1 || { echo "skipped: $python has no $module"; exit 77; }
done
binary=$CONDLINT_BUILD/tool/condlint
case $1 in
  openvino) "$python" openvino_oracle.py --condlint "$binary" --known known-openvino.txt --cases --graphs 40 ;;
  # Drawn models of one node, those of each run the same.
  onnx) "$python" onnx_node_oracle.py --condlint "$binary" --nodes 600 ;;
  executorch)
    "$python" executorch_kernels.py --table "$CONDLINT_SOURCE/checks/facts/ExecuTorchKernels.cpp"
    "$python" executorch_oracle.py --condlint "$binary" --known known-executorch.txt --graphs 20
    # What is advised, and the memory of results, in one way of lowering.
    for part in remedy/ memory/; do
      "$python" executorch_oracle.py --condlint "$binary" --known known-executorch.txt --way edge --cases --only "$part"
    done ;;
esac
