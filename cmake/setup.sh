# Shell functions that ./run and ./test share: install what is missing, build
# without noise. Sourced with `root` set to the project's folder.

# condlint_packages_of PATTERN: the packages of cmake/packages whose name matches PATTERN as a whole, or (!) does not.
condlint_packages_of() {
  awk -v want="$1" '/^[A-Za-z]/ && (want ~ /^!/ ? $1 !~ "^(" substr(want, 2) ")$" : $1 ~ "^(" want ")$") { print $2 }' "$root/cmake/packages"
}

# What C++ sources need. Without them condlint reads graphs alone.
mapfile -t condlint_optional_packages < <(condlint_packages_of Clang)

condlint_say() { printf 'condlint: %s\n' "$*" >&2; }

# condlint_install_missing [TOOL:PACKAGE...]: the tools and the libraries, by apt
# where one is missing. Where there is no apt, CMake names what it does not find.
condlint_install_missing() {
  local missing=() pair package installed
  for pair in "$@"; do
    command -v "${pair%%:*}" >/dev/null || missing+=("${pair#*:}")
  done
  if command -v dpkg-query >/dev/null; then
    local libraries
    # A command is looked for as one.
    mapfile -t libraries < <(condlint_packages_of '!Clang|Wheel' | grep -v -- '^pkg-config$')
    installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "${libraries[@]}" 2>/dev/null || true)
    for package in "${libraries[@]}"; do
      [[ $'\n'$installed$'\n' == *$'\n'"$package installed"$'\n'* ]] || missing+=("$package")
    done
  fi
  if [ ${#missing[@]} -eq 0 ]; then
    condlint_install_optional
    return 0
  fi
  command -v apt-get >/dev/null || { condlint_say "please install: ${missing[*]}"; return 0; }
  condlint_say "installing ${missing[*]}"
  condlint_apt_install "${missing[@]}" || { cat "$condlint_apt_log" >&2; condlint_say "could not install all of: ${missing[*]}"; }
  condlint_install_optional
}

# condlint_apt_install PACKAGE...: with what apt said in $condlint_apt_log.
condlint_apt_install() {
  local as_root=()
  condlint_apt_log=${condlint_apt_log:-$(mktemp)}
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || { echo "no sudo here; please run: apt-get install $*" >"$condlint_apt_log"; return 1; }
    as_root=(sudo)
    [ -t 0 ] || as_root+=(-n)
  fi
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o DPkg::Lock::Timeout=300)
  "${apt[@]}" install --no-install-recommends "$@" >"$condlint_apt_log" 2>&1 </dev/null ||
    # Most often the lists of packages are old or not there yet.
    { "${apt[@]}" update && "${apt[@]}" install --no-install-recommends "$@"; } >"$condlint_apt_log" 2>&1 </dev/null
}

# Tries once for each checkout; where there are no such packages condlint is
# built without support for C++ sources.
condlint_install_optional() {
  local tried=$root/build/.optional-packages
  if [ -e "$tried" ] || ! command -v apt-get >/dev/null ||
    dpkg-query -W -f '${db:Status-Status}\n' "${condlint_optional_packages[@]}" 2>/dev/null | grep -c '^installed$' |
    grep -q "^${#condlint_optional_packages[@]}$"; then
    return 0
  fi
  condlint_say "installing ${condlint_optional_packages[*]}, for C++ sources"
  condlint_apt_install "${condlint_optional_packages[@]}" || {
    grep '^E:' "$condlint_apt_log" >&2 || true
    condlint_say "they cannot be installed here: condlint is built without support for C++ sources." \
      "Debian 12 has them in bookworm-security; once apt knows that archive, remove $root/build and start again"
  }
  mkdir -p "$root/build" && touch "$tried"
}

# condlint_quietly LOG TITLE COMMAND...: runs COMMAND with its output in LOG,
# which is shown only when it fails; says what is going on when it takes long.
condlint_quietly() {
  local log=$1 title=$2 status=0
  shift 2
  (
    sleep 3 </dev/null >/dev/null 2>&1
    condlint_say "$title (log: $log)"
    while sleep 20 </dev/null >/dev/null 2>&1; do
      condlint_say "$title $(tail -c 200 "$log" 2>/dev/null | grep -oE '\[[0-9]+/[0-9]+\]' | tail -n 1)"
    done
  ) </dev/null >/dev/null 9>&- & # its sleep outlives it, and must not hold the lock of the build
  local notifier=$!
  "$@" >"$log" 2>&1 </dev/null || status=$?
  kill "$notifier" 2>/dev/null || true
  wait "$notifier" 2>/dev/null || true
  [ $status -eq 0 ] || { cat "$log" >&2; condlint_say "failed: $title"; }
  return $status
}

# condlint_build PRESET TARGET [CMAKE-OPTION...]: configures, where that was not done with these options, and builds.
condlint_build() {
  local preset=$1 target=$2 build=$root/build/$1
  shift 2
  mkdir -p "$build"
  (
    flock 9 # two calls at a time must not build into each other
    cd "$root"
    local configured=$build/.configured # with which options
    # Whoever gives none takes the build as it is: CMake itself sees what has changed, but for the presets.
    if [ ! -f "$build/build.ninja" ] || [ ! -f "$configured" ] || [ CMakePresets.json -nt "$configured" ] ||
      { [ $# -gt 0 ] && [ "$*" != "$(cat "$configured")" ]; }; then
      condlint_quietly "$build/configure.log" "configuring $preset" cmake --preset "$preset" "$@" || exit
      printf '%s' "$*" >"$configured"
    fi
    condlint_quietly "$build/build.log" "building $preset" ninja -C "$build" "$target"
  ) 9>"$build/.lock"
}
