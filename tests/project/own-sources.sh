# Sourced: the C++ files that are ours, one a line, from the working tree.
condlint_own_sources() {
  cd "$CONDLINT_SOURCE" || return
  local folder
  for folder in include lib checks tool integration tests bench fuzz; do
    [ ! -d "$folder" ] || find "$folder" -type f \( -name '*.h' -o -name '*.cpp' \)
  done | grep -v '^tests/data/' | sort
}
