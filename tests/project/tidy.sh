#!/usr/bin/env bash
# clang-tidy, as .clang-tidy says, over our libraries and the program. A file
# that passed is not looked at again while it, the headers and the checks stay
# the same.
set -euo pipefail
. "$(dirname "$0")/own-sources.sh"
tidy=$(command -v clang-tidy-22) || { echo "skipped: clang-tidy-22 is not installed"; exit 77; }
cd "$CONDLINT_SOURCE"
stamps=$CONDLINT_BUILD/tidy
mkdir -p "$stamps"
common=$({ cat .clang-tidy; condlint_own_sources | grep '\.h$' | xargs -d '\n' cat; "$tidy" --version; } | sha256sum)
commands=$CONDLINT_BUILD
if compiler=$(command -v clang++-22); then
  python3 tests/project/tidy_commands.py "$CONDLINT_BUILD" "$stamps" "$compiler"
  commands=$stamps
fi
export tidy stamps common commands
check() {
  local stamp output
  stamp=$stamps/$({ echo "$common"; cat "$1"; } | sha256sum | cut -d' ' -f1)
  [ -e "$stamp" ] && return
  if output=$("$tidy" --quiet -p "$commands" "$1" 2>/dev/null); then
    touch "$stamp"
  else
    printf '%s\n' "$output"
    return 1
  fi
}
export -f check
condlint_own_sources | grep -E '^(lib|checks|tool)/.*\.cpp$' | xargs -d '\n' -P "$(nproc)" -I{} bash -c 'check {}'
