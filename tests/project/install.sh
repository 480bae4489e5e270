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
cmake -S "$CONDLINT_SOURCE/tests/project/consumer" -B "$place/build" -G Ninja -DCMAKE_PREFIX_PATH="$place/usr" >/dev/null
cmake --build "$place/build"
"$place/build/consumer" "$CONDLINT_SOURCE"/examples/*.onnx
