#!/usr/bin/env bash
# The annotated sources with some tokens missing: nothing breaks down or hangs.
# fuzz/delete_tokens.py by itself tries 2,000 variants.
set -euo pipefail
export XDG_CACHE_HOME=$CONDLINT_BUILD/cache
for target in torch nnscaler; do
  "$CONDLINT_SOURCE/fuzz/delete_tokens.py" --bin "$CONDLINT_BUILD/tool/condlint" --variants 75 --target $target --flag=-std=c++17 \
    --flag=-isystem"$CONDLINT_SOURCE/tests/mocks" --flag=-I"$CONDLINT_SOURCE/include" "$CONDLINT_SOURCE/tests/data/cxx"
done
