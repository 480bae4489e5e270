#!/usr/bin/env bash
# The tests of the Python package: run.sh PROGRAM. Exit code 77 without pytest, or without torch (after the other tests passed).
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=$(readlink -f "$1")
python=${CONDLINT_TEST_PYTHON:-python3}
if ! "$python" -c 'import pytest' 2>/dev/null; then
  echo "skipped: $python has no pytest (CONDLINT_TEST_PYTHON names another)"
  exit 77
fi
cd "$here/../.." || exit 1
CONDLINT_PROGRAM=$program "$python" -m pytest -q -p no:cacheprovider "$here" || exit 1
if ! "$python" -c 'import torch' 2>/dev/null; then
  echo "skipped: $python has no torch; what needs none passed"
  exit 77
fi
