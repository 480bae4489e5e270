#!/usr/bin/env bash
# The annotated sources of tests/data/cxx: the program finds what they say, and
# clang-tidy with our checks finds the same.
set -euo pipefail
export XDG_CACHE_HOME=$CONDLINT_BUILD/cache
plugin=()
if command -v clang-tidy-22 >/dev/null; then
  plugin=(--plugin "$CONDLINT_BUILD/lib/condlint/condlint-tidy.so")
else
  echo "clang-tidy-22 is not installed: the program alone"
fi
"$CONDLINT_SOURCE/tests/annotated.py" --bin "$CONDLINT_BUILD/tool/condlint" "${plugin[@]}" \
  --flag=-std=c++17 --flag=-I"$CONDLINT_SOURCE/tests/mocks" --flag=-I"$CONDLINT_SOURCE/include" "$CONDLINT_SOURCE/tests/data/cxx"
