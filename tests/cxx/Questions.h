//===- Questions.h - Two questions, one after the other ---------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two questions about what is given from outside: where the first one holds, whether the
// second one may. A branch writes to its operand where both do.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TESTS_CXX_QUESTIONS_H
#define CONDLINT_TESTS_CXX_QUESTIONS_H

#include <string>
#include <vector>

namespace condlint::test {

struct Questions {
  std::string first, second;
  std::string together;    ///< "may", "never" or "unknown"
  std::string before = {}; ///< code in front of them
};

/// \p prelude: the source's first lines. \p parameters: what the questions are about.
void expectTogether(const std::string &prelude, const std::string &parameters, const std::vector<Questions> &all);

} // namespace condlint::test

#endif // CONDLINT_TESTS_CXX_QUESTIONS_H
