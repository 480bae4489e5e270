//===- RangeView.h - Views of ranges ----------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_VALUES_RANGEVIEW_H
#define CONDLINT_CXX_INTERP_VALUES_RANGEVIEW_H

#include "Value.h"
#include <algorithm>
#include <utility>
#include <vector>

namespace condlint::cxx {

/// The `origin` of a list that is a view (`std::views::take` and its kin): its items point to the elements.
/// A part of a span is one too.
class RangeView : public Datum {
public:
  /// What is called with each element when it is read.
  struct Step {
    Value function;
    bool filters = false; ///< it says whether the element is there (`std::views::filter`), not what it becomes
  };
  RangeView() = default;
  explicit RangeView(std::vector<Step> calls) : steps(std::move(calls)) {}
  bool equals(const Datum &other) const override { return this == &other; }
  bool filters() const { return std::ranges::any_of(steps, &Step::filters); }
  bool transforms() const {
    return std::ranges::any_of(steps, [](const Step &s) { return !s.filters; });
  }
  std::vector<Step> steps; ///< one after the other
};

/// \p v as a view; null for what is none.
inline const RangeView *viewIn(const Value &v) {
  const List *list = v.list();
  return list && list->origin ? dynamic_cast<const RangeView *>(list->origin.get()) : nullptr;
}

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_VALUES_RANGEVIEW_H
