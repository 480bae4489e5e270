#!/usr/bin/env bash
# The module with the checks of clang-tidy wants no type information of Clang or LLVM: PyPI's clang-tidy is built without it
# (integration/clang-tidy/TypeInfo.cpp stands in for it).
set -euo pipefail
shopt -s nullglob
modules=("$CONDLINT_BUILD"/lib/condlint/condlint-tidy-*.so)
[ "${#modules[@]}" -gt 0 ] || { echo "skipped: there is no module for clang-tidy"; exit 77; }
for module in "${modules[@]}"; do
  wanted=$(nm --dynamic --undefined-only "$module" | grep -E ' _ZTIN(5clang|4llvm)' || true)
  [ -z "$wanted" ] || { echo "${module##*/} wants what a clang-tidy without RTTI lacks:"$'\n'"$wanted" >&2; exit 1; }
done
