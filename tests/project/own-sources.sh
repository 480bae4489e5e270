# Sourced: the C++ files that are ours, one a line, from the working tree.
condlint_own_sources() {
  cd "$CONDLINT_SOURCE" || return
  find include lib checks tool integration tests bench fuzz -type f \( -name '*.h' -o -name '*.cpp' \) 2>/dev/null |
    grep -v '^tests/data/' | sort
}
