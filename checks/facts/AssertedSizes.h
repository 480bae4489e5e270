//===- AssertedSizes.h - Sizes that a program asserts to be others -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_ASSERTEDSIZES_H
#define CONDLINT_CHECKS_FACTS_ASSERTEDSIZES_H

#include "condlint/Graph.h"
#include <optional>
#include <set>
#include <utility>

namespace condlint {

/// Which sizes a .pt2 asserts to be equal to something: `_assert_scalar(sym_size(y, 0) == 3)`. What torch was told
/// (`torch._check`, a broadcast behind the conditional) it records in the place of the symbol, also where the symbol
/// is made. They are found for the whole model when it is first asked for one.
class AssertedSizes {
public:
  explicit AssertedSizes(const Model &model) : m(model) {}

  /// The size of axis \p axis of \p tensor.
  bool holds(ValueId tensor, std::size_t axis);

private:
  using Size = std::pair<ValueId, std::int64_t>;

  const Model &m;
  std::optional<std::set<Size>> found;

  std::set<Size> find() const;
};

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_ASSERTEDSIZES_H
