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
stamp() {
  echo "$stamps/$({ echo "$common"; cat "$1"; } | sha256sum | cut -d' ' -f1)"
}
check() {
  local passed output
  passed=$(stamp "$1")
  [ -e "$passed" ] && return
  if output=$("$tidy" --quiet -p "$commands" "$1" 2>/dev/null); then
    touch "$passed"
  else
    printf '%s\n' "$output"
    return 1
  fi
}
# Several sources at a time; each alone when something is found, or they do not go together.
check_batch() {
  local IFS=$'\t' parts source passed new=() wrong=0
  read -r -a parts <<<"$1"
  for source in "${parts[@]:1}"; do
    passed=$(stamp "$source")
    [ -e "$passed" ] || new+=("$passed")
  done
  [ ${#new[@]} -gt 0 ] || return 0
  if [ ${#new[@]} -gt 1 ] &&
    "$tidy" --quiet -p "$commands" --checks=-bugprone-suspicious-include --header-filter='/(include/condlint|lib|checks|tool|integration)/' "${parts[0]}" >/dev/null 2>&1; then
    touch "${new[@]}"
    return
  fi
  for source in "${parts[@]:1}"; do
    check "$source" || wrong=1
  done
  return $wrong
}
export -f stamp check check_batch
if [ -e "$stamps/batches" ] && [ "$commands" = "$stamps" ]; then
  grep -E "^[^	]*	$CONDLINT_SOURCE/(lib|checks|tool|integration)/" "$stamps/batches" | xargs -d '\n' -P "$(nproc)" -I{} bash -c 'check_batch "$1"' _ {}
else
  condlint_own_sources | grep -E '^(lib|checks|tool|integration)/.*\.cpp$' | xargs -d '\n' -P "$(nproc)" -I{} bash -c 'check "$1"' _ {}
fi
