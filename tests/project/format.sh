#!/usr/bin/env bash
# Every C++ file of ours is formatted as .clang-format says.
set -euo pipefail
. "$(dirname "$0")/own-sources.sh"
formatter=$(command -v clang-format-22) || { echo "skipped: clang-format-22 is not installed"; exit 77; }
cd "$CONDLINT_SOURCE"
condlint_own_sources | xargs -d '\n' "$formatter" --dry-run -Werror
