#!/usr/bin/env bash
# The readers' tests, and the whole way from bytes to report on damaged files, in
# a build with AddressSanitizer and UndefinedBehaviorSanitizer.
set -euo pipefail
cd "$CONDLINT_SOURCE"
cmake --preset asan -DCONDLINT_TESTS=ON -DCONDLINT_FUZZ=ON -DCONDLINT_CXX=OFF >/dev/null
cmake --build --preset asan --target readers_tests hostile
build/asan/tests/readers_tests --gtest_brief=1
# Every 23rd length and position, as far as the seconds reach; `hostile` alone tries all of them.
build/asan/fuzz/hostile --stride 23 --seconds 4 examples/*.onnx examples/*.pt2
