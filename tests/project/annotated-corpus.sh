#!/usr/bin/env bash
# The annotated sources beside the checkout, where there are some, with a real
# libtorch: the program finds what they say, and clang-tidy with our checks the same. What passed is
# not done again while the program, the checks and the sources stay the same.
set -euo pipefail
. "$(dirname "$0")/torch.sh"
folder=${CONDLINT_CORPUS:-$CONDLINT_SOURCE/../shared/corpus}
corpora=()
for name in cxx-torch cxx-tracing wild-cxx; do
  [ -d "$folder/$name" ] && corpora+=("$folder/$name")
done
[ ${#corpora[@]} -gt 0 ] || { echo "skipped: there are no annotated sources in $folder"; exit 77; }
command -v clang-tidy-22 >/dev/null || { echo "skipped: clang-tidy-22 is not installed"; exit 77; }
work=$CONDLINT_BUILD/annotated
mkdir -p "$work"
modules=("$CONDLINT_BUILD"/lib/condlint/*.so)
stamp=$work/$({ cat "$CONDLINT_BUILD/tool/condlint" "${modules[@]}" "$0" "$CONDLINT_SOURCE/tests/annotated.py"; find "${corpora[@]}" -type f | sort |
  xargs -d '\n' cat; echo "$torch"; } | sha256sum | cut -d' ' -f1)
[ ! -e "$stamp" ] || { echo "passed before"; exit 0; }

# The wild ones use either library.
flags=(-std=c++17 -I"$CONDLINT_SOURCE/include" "${torch_flags[@]}" -isystem"$CONDLINT_SOURCE/tests/mocks/tensorrt" -DCONDLINT_MOCK_TENSORRT=103)
# clang-tidy reads every body of libtorch's headers each time: parsed once, they are loaded.
pch=$work/torch.pch
printf '#include <torch/torch.h>\n' >"$work/torch.h"
clang++-22 -w "${flags[@]}" -xc++-header "$work/torch.h" -fpch-instantiate-templates -o "$pch"
XDG_CACHE_HOME=$CONDLINT_BUILD/cache "$CONDLINT_SOURCE/tests/annotated.py" --bin "$CONDLINT_BUILD/tool/condlint" \
  --plugin "${modules[0]%/*}/condlint-tidy.so" --pch "$pch" "${flags[@]/#/--flag=}" "${corpora[@]}"
rm -f "$pch"
touch "$stamp"
