#!/usr/bin/env bash
# The readers' tests in a build with AddressSanitizer and UndefinedBehaviorSanitizer.
set -euo pipefail
cd "$CONDLINT_SOURCE"
cmake --preset asan -DCONDLINT_TESTS=ON >/dev/null
cmake --build --preset asan --target readers_tests
build/asan/tests/readers_tests --gtest_brief=1
