#!/usr/bin/env bash
# Every C++ file of ours is formatted as .clang-format says, and has a title.
set -euo pipefail
. "$(dirname "$0")/own-sources.sh"
formatter=$(command -v clang-format-22) || { echo "skipped: clang-format-22 is not installed"; exit 77; }
cd "$CONDLINT_SOURCE"
condlint_own_sources | xargs -d '\n' "$formatter" --dry-run -Werror

# Each begins with a title: its name, and what it is.
titled=yes
while IFS= read -r file; do
  name=$(basename "$file")
  IFS= read -r first <"$file"
  [[ $first == [/][/*]"===- $name - "* ]] || { echo "$file: its first line is no title: $first"; titled=no; }
done < <(condlint_own_sources | grep -vE '^tests/(mocks|project)/')
[ $titled = yes ]
