#!/usr/bin/env bash
# Builds the libraries that Debian has as shared ones alone, fmt, simdjson and libzip, as static ones, for the release
# wheel: static-libraries.sh FOLDER
#
# The sources are Debian's own, of the versions whose headers are installed. They come by apt, with package
# lists of this script's own, so that what is configured on the machine stays as it is.
set -euo pipefail
[ $# = 1 ] || { echo "usage: static-libraries.sh FOLDER" >&2; exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
work=$folder/src
export LC_ALL=C

# PACKAGE:SOURCE:ARCHIVE
libraries=(libfmt-dev:fmtlib:libfmt.a libsimdjson-dev:simdjson:libsimdjson.a libzip-dev:libzip:libzip.a)
missing=()
for each in "${libraries[@]}"; do
  IFS=: read -r package source archive <<<"$each"
  version=$(dpkg-query -W -f '${source:Version}' "$package")
  if [ ! -e "$folder/$archive" ] || [ "$(cat "$folder/$archive.version" 2>/dev/null)" != "$version" ]; then
    missing+=("$source=$version")
  fi
done
if [ ${#missing[@]} -gt 0 ]; then
  rm -rf "$work"
  mkdir -p "$work/parts" "$work/lists/partial"
  for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ -e "$list" ] && sed -n 's/^deb /deb-src /p' "$list" >>"$work/parts/all.list"
  done
  for list in /etc/apt/sources.list.d/*.sources; do
    [ -e "$list" ] && sed 's/^Types:.*/Types: deb-src/' "$list" >"$work/parts/${list##*/}"
  done
  apt=(apt-get -qq -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$work/parts"
    -o Dir::State::Lists="$work/lists" -o APT::Sandbox::User=root)
  "${apt[@]}" update || true # a source of other packages may have none of this kind
  (cd "$work" && "${apt[@]}" source --download-only "${missing[@]}")
  for tarball in "$work"/*.orig.tar.*; do
    tar -C "$work" -xf "$tarball"
  done
fi

compile() { # ARCHIVE FLAGS... -- SOURCE...
  local archive=$1 flags=() objects=() source
  shift
  while [ "$1" != -- ]; do flags+=("$1"); shift; done
  shift
  for source in "$@"; do
    g++ -c -O2 -DNDEBUG -fPIC -std=c++17 -ffunction-sections -fdata-sections "${flags[@]}" "$source" -o "$work/${source##*/}.o"
    objects+=("$work/${source##*/}.o")
  done
  rm -f "$folder/$archive"
  ar rcs "$folder/$archive" "${objects[@]}"
}

for each in "${libraries[@]}"; do
  IFS=: read -r package source archive <<<"$each"
  [[ " ${missing[*]-} " == *" $source="* ]] || continue
  sources=$(echo "$work/$source"-*/)
  case $source in
    fmtlib) compile "$archive" -- "$sources/src/format.cc" "$sources/src/os.cc" ;;
    simdjson) compile "$archive" -DSIMDJSON_THREADS_ENABLED=1 "-I$sources/include" "-I$sources/src" -- "$sources/src/simdjson.cpp" ;;
    libzip)
      # Archives of models are stored or deflated, and never encrypted.
      cmake -S "$sources" -B "$work/libzip" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
        -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DCMAKE_C_FLAGS="-ffunction-sections -fdata-sections" \
        -DENABLE_COMMONCRYPTO=OFF -DENABLE_GNUTLS=OFF -DENABLE_MBEDTLS=OFF -DENABLE_OPENSSL=OFF \
        -DENABLE_BZIP2=OFF -DENABLE_LZMA=OFF -DBUILD_TOOLS=OFF -DBUILD_REGRESS=OFF -DBUILD_EXAMPLES=OFF \
        -DBUILD_DOC=OFF >/dev/null
      cmake --build "$work/libzip" --target zip >/dev/null
      cp "$work/libzip/lib/libzip.a" "$folder/$archive"
      ;;
  esac
  dpkg-query -W -f '${source:Version}' "$package" >"$folder/$archive.version"
done
