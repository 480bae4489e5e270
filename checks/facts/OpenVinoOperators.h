//===- OpenVinoOperators.h - What OpenVINO makes of single nodes -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_OPENVINOOPERATORS_H
#define CONDLINT_CHECKS_FACTS_OPENVINOOPERATORS_H

#include "condlint/Graph.h"
#include "condlint/Target.h"

namespace condlint {

/// Why OpenVINO does not read a node of a branch that takes a sequence apart, although it reads its operator (OV9).
enum class SequenceFault {
  None,
  Element,  ///< an element of a sequence that was put together in the branch
  Unsure,   ///< the same where that element may be one that the branch computes
  Outer,    ///< the sequence comes from the graph around the branch
  Inserted, ///< the whole of a sequence that something was inserted into
  Copied,   ///< the sequence went through an Identity
};
SequenceFault sequenceFault(const Model &m, NodeId n, Version version);

/// Whether OpenVINO, from 2026.2 on, drops \p v where \p branch returns more than its conditional declares: a value of
/// the graph around it, or what one node of its own makes of such a value alone (OV4). Measured; of what was not it is
/// false.
bool isDroppedAsSurplus(const Model &m, ValueId v, GraphId branch);

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_OPENVINOOPERATORS_H
