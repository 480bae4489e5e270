//===- UndeclaredTypes.h - Types that no declaration decides ----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_OPS_UNDECLAREDTYPES_H
#define CONDLINT_OPS_UNDECLAREDTYPES_H

#include "condlint/Graph.h"
#include <vector>

namespace condlint {

/// What a value is, as far as no declaration says so.
struct UndeclaredType {
  TypeId type;
  ContentId content; ///< the numbers that it holds, which may be sizes of others
};

/// ONNX: the type and the numbers of each value of \p m as they follow from the model's inputs and constants and from
/// the operators alone. Of what a node yields, and of what the body of a loop is passed, declared ranks and sizes are
/// left out: a runtime takes whatever shape comes there, and what it does not know does not become known by a name in
/// the file.
/// \p m has been typed (`inferTypes`), and stays as it is but for new symbols and types in its tables. None where no
/// declaration says more than that: the types are those that \p m has.
std::vector<UndeclaredType> undeclaredTypes(Model &m);

/// ONNX: the values whose records onnx's own checker finds to contradict what their operators yield (`full_check`). It
/// knows less than `inferTypes`: no numbers but those of constants of the same graph, no shapes of what a Loop carries
/// but declared ones, and nothing of what some operators yield. \p m is left as by `undeclaredTypes`.
std::vector<ValueId> contradictedForChecker(Model &m);

/// ONNX: what that checker takes each value of \p m for. \p m is left as by `undeclaredTypes`.
std::vector<TypeId> typesForChecker(Model &m);

} // namespace condlint

#endif // CONDLINT_OPS_UNDECLAREDTYPES_H
