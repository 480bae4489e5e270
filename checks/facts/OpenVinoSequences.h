//===- OpenVinoSequences.h - A sequence that leaves an If -------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_OPENVINOSEQUENCES_H
#define CONDLINT_CHECKS_FACTS_OPENVINOSEQUENCES_H

#include "NeededValues.h"
#include "condlint/Conditional.h"
#include "condlint/Graph.h"
#include "condlint/TensorType.h"
#include <cstddef>
#include <cstdint>

namespace condlint {

/// What is done with a sequence of which OpenVINO, since it reads some that leave an If, finds the entries (OV4).
enum class SequenceUse : std::uint8_t {
  Dropped, ///< nothing that is needed reads it
  Entries, ///< its entries are read by position or erased, and nothing else
  Counted, ///< they are counted, too
  Open,    ///< something of which nobody knows
  Whole,   ///< it is put together, inserted into or returned, which OpenVINO does not read
};

/// The worst that is done with output \p i of the conditional \p n.
SequenceUse sequenceUse(const Model &m, NeededValues &needed, NodeId n, std::size_t i);

/// Whether the entries that both branches yield in one position are found (OV4).
enum class SequenceEntries : std::uint8_t {
  Found,   ///< as many in both branches, of one rank and dtype
  Open,    ///< not known
  Mistaken ///< other numbers of them: refused, or one branch's are taken for the other's
};
SequenceEntries sequenceEntries(const Model &m, const Conditional &c, SequenceUse use, ValueId a, ValueId b);

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_OPENVINOSEQUENCES_H
