#!/usr/bin/env bash
# condlint/cond.h and condlint/annotations.h with a real libtorch: warning-free
# under every compiler there is, refused where they must be, and run. A program
# that passed is not built again while it, the headers and the tools stay the same.
set -euo pipefail
. "$(dirname "$0")/torch.sh"
tests=$CONDLINT_SOURCE/tests/libtorch
flags=(-std=c++17 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wundef -Werror -I"$CONDLINT_SOURCE/include" "${torch_flags[@]}")
stamps=$CONDLINT_BUILD/libtorch-tests
mkdir -p "$stamps"
stamp=$stamps/$({ cat "$CONDLINT_SOURCE"/include/condlint/{cond,annotations}.h "$tests"/* "$0"; echo "$torch"; g++ --version; } |
  sha256sum | cut -d' ' -f1)
[ ! -e "$stamp" ] || { echo "passed before"; exit 0; }

wanted=$(sed -nE 's,.*// refused: ,,p' "$tests/Refused.cpp" | sed 's/; /\n/g')
for compiler in g++ clang++-22; do
  command -v "$compiler" >/dev/null || continue
  said=$("$compiler" "${flags[@]}" -fsyntax-only "$tests/Refused.cpp" 2>&1 || true)
  said=$(grep -E 'error: ' <<<"$said" || true)
  paste -d '\n' <(echo "$wanted") <(echo "$said") | while read -r want && read -r got; do
    [[ $got == *"condlint::cond: $want"* ]] || { echo "$compiler: instead of an error '$want': '$got'"; exit 1; }
  done
  [ "$(wc -l <<<"$said")" = "$(wc -l <<<"$wanted")" ] || { printf '%s: other errors:\n%s\n' "$compiler" "$said"; exit 1; }
done

for mode in 0 1; do
  program=$stamps/cond_test_$mode
  g++ "${flags[@]}" -O0 -DCONDLINT_VALIDATE=$mode "$tests/CondTest.cpp" -o "$program" -L"$torch/lib" -ltorch_cpu -lc10 \
    -Wl,-rpath,"$torch/lib" -Wl,--allow-shlib-undefined -lgtest -lgtest_main -lpthread
  "$program" --gtest_brief=1
done
touch "$stamp"
