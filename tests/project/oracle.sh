#!/usr/bin/env bash
# What condlint says for one system beside what that system does, where its package is installed:
#   oracle.sh openvino|executorch
# CONDLINT_PYTHON names the Python that has the package (python3 where it is not set).
set -euo pipefail
python=${CONDLINT_PYTHON:-python3}
cd "$CONDLINT_SOURCE/tests/oracles"
case $1 in
  openvino) modules="openvino onnx onnxruntime numpy" ;;
  executorch) modules="executorch.exir executorch.runtime torch numpy" ;;
esac
for module in $modules; do
  "$python" -c "import $module" >/dev/null 2>&1 || { echo "skipped: $python has no $module"; exit 77; }
done
case $1 in
  openvino) "$python" openvino_oracle.py --condlint "$CONDLINT_BUILD/tool/condlint" --known known-openvino.txt --cases ;;
  executorch) "$python" executorch_oracle.py --condlint "$CONDLINT_BUILD/tool/condlint" --known known-executorch.txt --graphs 25 ;;
esac
