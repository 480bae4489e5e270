#!/usr/bin/env bash
# The labelled models in tests/data: each yields exactly what it must.
set -euo pipefail
python3 "$CONDLINT_SOURCE/tests/score_corpus.py" --bin "$CONDLINT_BUILD/tool/condlint" \
  --known "$CONDLINT_SOURCE/tests/disputed-labels.txt" "$CONDLINT_SOURCE"/tests/data/labelled/*/
