#!/usr/bin/env bash
# Annotated code that builds TensorRT networks, that in tests/data and, where there is one, the corpus
# beside the checkout: against the stand-in for TensorRT's headers, and against the real ones where
# CONDLINT_TENSORRT_HEADERS names a folder with one folder of headers for each version (10.3/NvInfer.h);
# they include cuda_runtime_api.h, which CPATH may lead to.
set -euo pipefail
export XDG_CACHE_HOME=$CONDLINT_BUILD/cache
folders=("$CONDLINT_SOURCE/tests/data/cxx/tensorrt")
corpus=${CONDLINT_CORPUS:-$CONDLINT_SOURCE/../shared/corpus}/cxx-tensorrt
[ ! -d "$corpus" ] || folders+=("$corpus")
annotated=("$CONDLINT_SOURCE/tests/annotated.py" --bin "$CONDLINT_BUILD/tool/condlint" --flag=-std=c++17)
stand_in=(--flag=-isystem"$CONDLINT_SOURCE/tests/mocks/tensorrt" --flag=-DCONDLINT_MOCK_TENSORRT={number})
plugin=()
! command -v clang-tidy-22 >/dev/null || plugin=(--plugin "$CONDLINT_BUILD/lib/condlint/condlint-tidy.so")
"${annotated[@]}" "${stand_in[@]}" "${plugin[@]}" "${folders[@]}"
# Without --target the version is the headers'.
"${annotated[@]}" "${stand_in[@]}" --own-target "${folders[@]}"
if [ -n "${CONDLINT_TENSORRT_HEADERS:-}" ]; then
  "${annotated[@]}" --flag=-isystem"$CONDLINT_TENSORRT_HEADERS/{version}" "${folders[@]}"
fi
