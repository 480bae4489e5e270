//===- Cases.h - What holds where a predicate is known ----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The result of a conditional has the type of the branch that was taken. What is
// true of both types is its type; each of the two is its type in a case. What reads
// it is typed in each of its cases as well, and so on: a consumer that takes one of
// them alone is found, and no declaration takes the place of the other.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_OPS_CASES_H
#define CONDLINT_OPS_CASES_H

#include "condlint/Op.h"
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace condlint {

/// Predicates that are known, in the order of their values; or a value that is what the file declares of it.
struct Case {
  std::vector<Known> holds;
  ValueId declared;

  std::optional<bool> truthOf(ValueId predicate) const;
  /// Whatever \p other knows is known here.
  bool implies(const Case &other) const;
  /// The same and that \p k holds as well.
  Case with(Known k) const;
};

/// What a value is in one case.
struct CaseType {
  std::uint32_t which = 0; ///< in the table of cases
  TypeId type;
  ContentId content;
};

/// The cases of one model, each once.
class CaseTable {
public:
  std::uint32_t intern(const Case &c);
  const Case &operator[](std::uint32_t i) const { return list[i]; }

private:
  std::vector<Case> list;
  std::map<std::vector<std::uint64_t>, std::uint32_t> index;
};

} // namespace condlint

#endif // CONDLINT_OPS_CASES_H
