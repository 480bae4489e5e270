//===- ComputedOfInputs.h - What plainly comes of an input ------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_COMPUTEDOFINPUTS_H
#define CONDLINT_CHECKS_FACTS_COMPUTEDOFINPUTS_H

#include "condlint/Graph.h"
#include <cstdint>
#include <vector>

namespace condlint {

/// Values that are computed of the elements of an input of the main graph, from operator to operator, as nearly all
/// are: no number is known of any on the way, no function is called, no operator looks at a shape alone. So a run
/// decides them, and they are not the same in every run, without a look at what they come of. Of other values nothing
/// is said.
class ComputedOfInputs {
public:
  explicit ComputedOfInputs(const Model &model);

  /// \p v is known to be one.
  bool contains(ValueId v) const { return known[v.index()] != 0; }
  /// The results of \p n are, as an operand of it is one; for nodes in the order of their graph.
  void noteResults(NodeId n);
  /// The operator \p o looks at the type of its first operand, and not at its elements.
  bool looksAtType(OperatorId o) const { return ofTypes[o.index()]; }

private:
  const Model &m;
  std::vector<std::uint8_t> known; ///< by value
  std::vector<bool> ofTypes;       ///< by operator
};

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_COMPUTEDOFINPUTS_H
