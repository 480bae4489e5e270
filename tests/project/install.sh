#!/usr/bin/env bash
# What `cmake --install` leaves behind is whole: the program runs, and another
# project finds the package, compiles against it and links.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cmake --install "$CONDLINT_BUILD" --prefix "$place/usr" >/dev/null
cd "$place/usr"
for file in bin/condlint share/man/man1/condlint.1 share/bash-completion/completions/condlint \
  share/zsh/site-functions/_condlint share/fish/vendor_completions.d/condlint.fish; do
  [ -s "$file" ] || { echo "$file is not installed"; exit 1; }
done
bin/condlint --version
# The C interface, with the program of its page.
library=$(ls "$place"/usr/lib*/libcondlint.so "$place"/usr/lib*/*/libcondlint.so 2>/dev/null | head -n 1) || true
[ -n "$library" ] || { echo "libcondlint.so is not installed"; exit 1; }
sed -n '/^```c$/,/^```$/p' "$CONDLINT_SOURCE/docs/c-api.md" | sed '1d;$d' >"$place/first.c"
cc -std=c99 -Wall -Wextra -Wpedantic -Werror -Iinclude "$place/first.c" -L"${library%/*}" -lcondlint -Wl,-rpath,"${library%/*}" -o "$place/first"
(cd "$place" && cp "$CONDLINT_SOURCE/examples/squeeze.onnx" model.onnx && { ./first >first.txt || true; } && grep -q 'output-rank' first.txt) ||
  { echo "the program of docs/c-api.md finds nothing"; exit 1; }
CONDLINT_SOURCE=$PWD/share/doc/condlint "$CONDLINT_SOURCE/tests/project/documents.py" --links
cmake -S "$CONDLINT_SOURCE/tests/project/consumer" -B "$place/build" -G Ninja -DCMAKE_PREFIX_PATH="$place/usr" >/dev/null
cmake --build "$place/build"
"$place/build/consumer" "$CONDLINT_SOURCE"/examples/*.onnx

# condlint_check, where C++ can be read.
module=("$place"/usr/lib*/condlint/libcondlint-cxx.so "$place"/usr/lib*/*/condlint/libcondlint-cxx.so)
module=$(ls "${module[@]}" 2>/dev/null | head -n 1) || true
[ -n "$module" ] || exit 0
export XDG_CACHE_HOME=$CONDLINT_BUILD/cache
consumer() {
  cmake -S "$CONDLINT_SOURCE/tests/project/consumer" -B "$place/$1" -G Ninja -DCMAKE_PREFIX_PATH="$place/usr" \
    -DMODEL="$1" -DMOCKS="$CONDLINT_SOURCE/tests/mocks" >/dev/null
  cmake --build "$place/$1" --target all
}
consumer sound
# What did not change is not checked again.
[[ $(cmake --build "$place/sound") == *'no work to do'* ]] || { echo "condlint_check runs although nothing has changed"; exit 1; }
if said=$(consumer broken); then
  echo "a broken conditional does not fail the build"
  exit 1
fi
grep -q 'broken.cpp:5:20: error: .*\[output-dtype\]' <<<"$said" || { printf 'instead of the finding:\n%s\n' "$said"; exit 1; }
said=$(ctest --test-dir "$place/broken" -V -R '^conditionals$')
grep -q '"rule": *"output-dtype"' <<<"$said" || { printf 'the test does not run:\n%s\n' "$said"; exit 1; }

# The checks of clang-tidy.
command -v clang-tidy-22 >/dev/null || exit 0
said=$(clang-tidy-22 --config='{}' -load "${module%/*}/condlint-tidy.so" -checks='-*,condlint-*' -p "$place/broken" \
  "$CONDLINT_SOURCE/tests/project/consumer/broken.cpp" 2>/dev/null)
grep -q 'broken.cpp:5:20: warning: .*\[condlint-output-dtype\]' <<<"$said" ||
  { printf 'clang-tidy does not say the finding:\n%s\n' "$said"; exit 1; }
