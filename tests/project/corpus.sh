#!/usr/bin/env bash
# The corpora beside the checkout, where there are some: every label is met.
set -euo pipefail
folder=${CONDLINT_CORPUS:-$CONDLINT_SOURCE/../shared/corpus}
corpora=()
for name in pt2-models pt2-rules pt2-broken onnx-if onnx-exported; do
  [ -f "$folder/$name/expected.json" ] && corpora+=("$folder/$name")
done
[ ${#corpora[@]} -gt 0 ] || { echo "skipped: there are no corpora in $folder"; exit 77; }
python3 "$CONDLINT_SOURCE/tests/score_corpus.py" --bin "$CONDLINT_BUILD/tool/condlint" \
  --known "$CONDLINT_SOURCE/tests/disputed-labels.txt" "${corpora[@]}"
