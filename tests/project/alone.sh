#!/usr/bin/env bash
# Each source compiles alone, without precompiled headers, under Clang without a warning: what changed, and for as many
# seconds as CONDLINT_ALONE_SECONDS says (in continuous integration 60) some of the others (alone.py).
set -euo pipefail
compiler=$(command -v clang++-22) || { echo "skipped: clang-22 is not installed"; exit 77; }
seconds=${CONDLINT_ALONE_SECONDS:-${CI:+60}}
exec python3 "$CONDLINT_SOURCE/tests/project/alone.py" "$CONDLINT_BUILD" "$CONDLINT_BUILD/alone" "$compiler" --seconds "${seconds:-0}"
