#!/usr/bin/env bash
# Tests in builds with sanitizers: sanitized.sh PART...
#   readers   the readers, and the whole way from bytes to report on damaged files
#   ops checks executor cxx   the tests of these libraries, and of those beside them
#   tool      the program with several inputs at a time, under ThreadSanitizer
#   share     the readers and one of ops, checks and executor, each day another: what continuous integration runs
#   all       everything
# All but `tool` under AddressSanitizer and UndefinedBehaviorSanitizer.
set -euo pipefail
cd "${CONDLINT_SOURCE:-$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../..}"
quick=(ops checks executor)
case "${1:-readers}" in
all) parts=(readers "${quick[@]}" cxx tool) ;;
share) parts=(readers "${quick[10#$(date +%j) % ${#quick[@]}]}") ;;
*) parts=("$@") ;;
esac

# LLVM is not built with the sanitizers: it fills containers that our code reads, and takes memory from arenas that
# its headers, compiled here, have marked as not yet given.
export ASAN_OPTIONS=detect_container_overflow=0:allow_user_poisoning=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}
# Clang keeps a diagnostic for each template that may not be allowed to call what it calls, and never gives its strings back.
leaks=$(mktemp)
trap 'rm -f "$leaks"' EXIT
echo "leak:clang::DiagnosticStorage::operator=" >"$leaks"
export LSAN_OPTIONS=suppressions=$leaks:print_suppressions=0${LSAN_OPTIONS:+:$LSAN_OPTIONS}
export TSAN_OPTIONS=halt_on_error=1${TSAN_OPTIONS:+:$TSAN_OPTIONS}
options=(-DCONDLINT_TESTS=ON -DCONDLINT_FUZZ=ON)
for folder in "${CONDLINT_BUILD:-build/release}" build/release; do
  [ ! -d "$folder/onnx-backend/data" ] || options+=("-DCONDLINT_ONNX_DATA=$(readlink -f "$folder")/onnx-backend/data")
done

# build PRESET CXX TARGET...
build() {
  local preset=$1 cxx=$2
  shift 2
  cmake --preset "$preset" "${options[@]}" -DCONDLINT_CXX="$cxx" >/dev/null
  cmake --build --preset "$preset" --target "$@"
}

for part in "${parts[@]}"; do
  echo "sanitized: $part"
  case $part in
  readers)
    build asan OFF readers_tests hostile
    build/asan/tests/readers_tests --gtest_brief=1
    # Every 23rd length and position, as far as the seconds reach; `hostile` alone tries all of them.
    build/asan/fuzz/hostile --stride 23 --seconds 4 examples/*.onnx examples/*.pt2
    ;;
  ops | executor)
    build asan OFF ${part}_tests
    build/asan/tests/${part}_tests --gtest_brief=1
    ;;
  checks)
    build asan OFF graph_tests checks_tests report_tests
    for tests in graph checks report; do
      build/asan/tests/${tests}_tests --gtest_brief=1
    done
    ;;
  cxx)
    build asan ON cxx_tests tensorrt_tests
    build/asan/tests/cxx_tests --gtest_brief=1
    build/asan/tests/tensorrt_tests --gtest_brief=1
    ;;
  tool)
    build tsan OFF tool_tests
    build/tsan/tests/tool/tool_tests --gtest_brief=1
    build/tsan/tool/condlint check -j 2 --fail-on never --quiet examples/*.onnx examples/*.pt2 >/dev/null
    ;;
  *)
    echo "sanitized.sh: there is no part '$part' (readers, ops, checks, executor, cxx, tool, share, all)" >&2
    exit 2
    ;;
  esac
done
