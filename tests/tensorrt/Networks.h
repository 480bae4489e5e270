//===- Networks.h - Code that builds networks, read and checked ----*- C++ -* -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TESTS_TENSORRT_NETWORKS_H
#define CONDLINT_TESTS_TENSORRT_NETWORKS_H

#include "condlint/Rule.h"
#include <string>
#include <string_view>
#include <vector>

namespace condlint::test {

/// What came out of one translation unit.
struct Checked {
  std::vector<Finding> findings;
  std::vector<ConditionalSummary> conditionals; ///< and loops behind them
  std::vector<std::string> notUnderstood;
  std::string version; ///< as the headers say it
  std::size_t functions = 0;
  bool compiled = false;

  /// The first finding of \p rule; an empty one if there is none.
  Finding of(std::string_view rule) const;
};

/// Parses \p code against the stand-in for TensorRT's headers of \p version (1003 is
/// 10.3) and checks it for \p target; for the headers' version when it is empty.
Checked checkNetwork(const std::string &code, int version, const std::string &target = {});

/// How the errors and warnings of \p code differ from its `// expect: error RULE`
/// comments, and the verdicts from its `// expect-unknown: RULE`, `expect-open` (unknown or possible) and
/// `expect-proved`, of loops too; empty: not at all.
std::string differences(const std::string &code, int version = 1013);
/// The same for code that begins with `// condlint-test: target=tensorrt@10.3`.
std::string differencesOfFile(const std::string &path);

/// \p functions as a source: behind TensorRT's header, in its namespace.
std::string networks(const std::string &functions);
/// Expects \p functions to yield what they say and nothing else.
void expectNone(const std::string &functions, int version = 1013);

} // namespace condlint::test

#endif // CONDLINT_TESTS_TENSORRT_NETWORKS_H
