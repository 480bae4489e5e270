//===- Expressions.h - What a value is computed from, as a number -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_COMPARE_EXPRESSIONS_H
#define CONDLINT_LIB_COMPARE_EXPRESSIONS_H

#include "condlint/Conditional.h"
#include "condlint/Graph.h"
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace condlint::compare {

/// Numbers for values of one model: equal ones are computed alike. Names of nodes do not count, nor do conversions of
/// the element type, copies, and the last digits of constants, for these are what tools change. Values from outside
/// count by their names, less what a tool has put in front of all of them.
class Expressions {
public:
  explicit Expressions(const Model &model, std::string removed = {}) : m(model), prefix(std::move(removed)) {}

  std::uint64_t of(ValueId v);
  /// What the branch returns, in order; 0 where there is none.
  std::uint64_t of(const Branch &b);
  /// The value behind conversions and copies.
  ValueId origin(ValueId v) const;
  /// \p v is another value's negation: that one.
  ValueId negated(ValueId v) const;
  std::string plainName(std::string_view name) const;

private:
  std::uint64_t leaf(ValueId v) const;
  std::uint64_t node(NodeId n, std::uint32_t result);
  std::uint64_t constant(ConstantId c) const;
  const Model &m;
  std::string prefix;
  std::unordered_map<ValueId, std::uint64_t> known;
};

} // namespace condlint::compare

#endif // CONDLINT_LIB_COMPARE_EXPRESSIONS_H
