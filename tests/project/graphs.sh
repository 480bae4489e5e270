#!/usr/bin/env bash
# Random graphs with conditionals: what condlint's executor makes of them is what
# ONNX Runtime and torch make of them. Where neither is installed this is skipped.
set -euo pipefail
status=77
for against in onnxruntime torch; do
  for python in "${CONDLINT_PYTHON:-}" "${VIRTUAL_ENV:+$VIRTUAL_ENV/bin/python}" "$CONDLINT_BUILD/peers/bin/python" python3; do
    [ -n "$python" ] && "$python" -c "import numpy, $against" 2>/dev/null || continue
    [ "$against" = torch ] || "$python" -c "import onnx" 2>/dev/null || continue
    "$python" "$CONDLINT_SOURCE/fuzz/graphs.py" --program "$CONDLINT_BUILD/tool/condlint" --against "$against" --count 200 \
      --keep "$CONDLINT_BUILD"
    status=0
    break
  done
done
[ "$status" = 0 ] || echo "skipped: no Python with onnx and onnxruntime, or with torch; CONDLINT_PYTHON names one"
exit $status
