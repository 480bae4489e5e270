#!/usr/bin/env bash
# The released wheel alone is enough: installed into a fresh virtual environment it checks graphs and C++ and executes
# models, where no compiler, no LLVM, no torch and no onnx is within reach. integration/python/release-wheel.sh makes it;
# CONDLINT_WHEEL names another. Where PyPI is within reach, then also with OpenBLAS (the extra `run`) and in its clang-tidy.
set -euo pipefail
shopt -s nullglob
wheels=("$CONDLINT_SOURCE"/build/dist/condlint-*.whl)
wheel=${CONDLINT_WHEEL:-${wheels[0]:-}}
[ -n "$wheel" ] || { echo "skipped: no wheel in build/dist (integration/python/release-wheel.sh makes one)"; exit 77; }
python3 -c 'import venv, ensurepip' 2>/dev/null || { echo "skipped: python3-venv is not installed"; exit 77; }

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
fail() { echo "wheel: $*" >&2; exit 1; }
python3 -m venv "$place/venv"
"$place/venv/bin/pip" -q install --disable-pip-version-check --no-index --no-deps "$wheel"
packages=$(echo "$place"/venv/lib/python3*/site-packages)
version=$(sed -nE 's/^project\(condlint VERSION ([0-9.]+).*/\1/p' "$CONDLINT_SOURCE/CMakeLists.txt")

# Nothing of this machine but glibc and the program's own environment.
for file in "$place/venv/bin/condlint" "$packages"/condlint/_lib/*.so; do
  needed=$(objdump -p "$file" 2>/dev/null | awk '/NEEDED/ {print $2}')
  for library in $needed; do
    case $library in
      libc.so.6 | libm.so.6 | libdl.so.2 | libpthread.so.0 | librt.so.1 | ld-linux-x86-64.so.2 | libgcc_s.so.1) ;;
      *) fail "${file##*/} needs $library" ;;
    esac
  done
done
[ "$(head -c 4 "$place/venv/bin/condlint" | tail -c 3)" = ELF ] || fail "the program is no plain executable"

# A folder of sources and models; what is read is not this checkout.
cp -r "$CONDLINT_SOURCE/examples" "$place/work"
cp -r "$CONDLINT_SOURCE/tests/mocks" "$place/work/mocks"
cp "$CONDLINT_SOURCE/tests/data/onnx/undefined_name.onnx" "$place/work/"
cp "$CONDLINT_SOURCE/tests/project/wheel.py" "$place/"
cd "$place/work"
mkdir "$place/home"
# LLVM is out of sight where the system lets us hide it.
hidden=(env -i HOME="$place/home" LANG=C.UTF-8 PATH="$place/venv/bin")
if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
  empty=$place/empty
  mkdir "$empty"
  hidden=(unshare -m bash -c 'for folder in /usr/lib/llvm-*; do mount --bind "$0" "$folder"; done; exec "$@"' "$empty" "${hidden[@]}")
fi
"${hidden[@]}" "$place/venv/bin/python" "$place/wheel.py" "$version"

# The checks of clang-tidy load in Debian's program, and in that of PyPI.
tidy_finds() { # CLANG-TIDY
  local said
  said=$("$1" --load="$("$place/venv/bin/condlint" tidy-plugin)" --checks='-*,condlint-output-dtype' gate.cpp -- \
    -std=c++17 -isystem mocks -isystem "$CONDLINT_SOURCE/include" 2>&1) || true
  [[ $said == *'[condlint-output-dtype'* ]] || fail "$1 with our checks says: ${said:0:500}"
}
if command -v clang-tidy-22 >/dev/null; then
  tidy_finds clang-tidy-22
else
  echo "left out: clang-tidy-22 is not installed"
fi
if "$place/venv/bin/pip" -q install --disable-pip-version-check 'clang-tidy==22.1.8' 'scipy-openblas32' >/dev/null 2>&1; then
  tidy_finds "$place/venv/bin/clang-tidy"
  # The OpenBLAS of the system comes first.
  system=$(ldconfig -p | awk '/libopenblas.so.0 / {print $NF}')
  if [ -z "$system" ] || { [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; }; then
    run=(env -i PATH="$place/venv/bin" LD_DEBUG=files "$place/venv/bin/condlint" run nested.onnx)
    [ -z "$system" ] || run=(unshare -m bash -c 'for file in $0; do mount --bind /dev/null "$file"; done; exec "$@"' "$system" "${run[@]}")
    loaded=$("${run[@]}" 2>&1 | grep -c 'calling init: .*libscipy_openblas') || true
    [ "$loaded" -gt 0 ] || fail "condlint run does not use the OpenBLAS of the extra 'run'"
  else
    echo "left out: the extra 'run', beside an OpenBLAS of the system that cannot be hidden"
  fi
else
  echo "left out: clang-tidy and scipy-openblas32 of PyPI"
fi
