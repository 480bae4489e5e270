//===- Annotated.h - Sources that say what is to be found -------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TESTS_CXX_ANNOTATED_H
#define CONDLINT_TESTS_CXX_ANNOTATED_H

#include "condlint/Rule.h"
#include "cxx/CxxReader.h"
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace condlint::test {

/// A source that was read and checked.
struct Checked {
  CxxUnit unit;
  std::size_t conditionals = 0; ///< by their paths
  std::vector<Finding> findings;
  std::vector<ConditionalSummary> summaries;

  /// The verdict of \p rule on the conditional at \p line ("absent" where the rule
  /// says nothing), and the reason where it is not decided.
  std::string verdict(std::string_view rule, std::uint32_t line) const;
};

/// Reads \p source, which finds our small libtorch and the headers for models
/// included, and checks it for \p target. `line 1` is the source's first line.
Checked checkSource(const std::string &source, const std::string &target = "torch@2.14",
                    const CxxSettings &settings = {});

/// What differs between the errors and warnings found in \p source and those that
/// it says: `// expect: error output-dtype` at the end of a line (several
/// separated by `;`), `// expect-unknown: RULE` where a rule is not decided.
/// Empty when nothing differs and the source compiles.
std::string differences(const std::string &source, const std::string &target = "torch@2.14",
                        const CxxSettings &settings = {});

} // namespace condlint::test

/// Each source yields what it says and nothing else.
#define EXPECT_AS_SAID(...) EXPECT_EQ(::condlint::test::differences(__VA_ARGS__), "")

#endif // CONDLINT_TESTS_CXX_ANNOTATED_H
