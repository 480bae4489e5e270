//===- RangeView.h - Views of ranges ----------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_VALUES_RANGEVIEW_H
#define CONDLINT_CXX_INTERP_VALUES_RANGEVIEW_H

#include "Value.h"

namespace condlint::cxx {

/// The `origin` of a list that is a view (`std::views::take` and its kin): its items point to the elements.
class RangeView : public Datum {
public:
  explicit RangeView(std::vector<Value> calls) : functions(std::move(calls)) {}
  bool equals(const Datum &other) const override { return this == &other; }
  /// What is called, one after the other, with each element when it is read (`std::views::transform`).
  std::vector<Value> functions;
};

/// \p v as a view; null for what is none.
inline const RangeView *viewIn(const Value &v) {
  const List *list = v.list();
  return list && list->origin ? dynamic_cast<const RangeView *>(list->origin.get()) : nullptr;
}

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_VALUES_RANGEVIEW_H
