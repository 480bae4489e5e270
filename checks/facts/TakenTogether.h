//===- TakenTogether.h - Which branches one run takes -----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_TAKENTOGETHER_H
#define CONDLINT_CHECKS_FACTS_TAKENTOGETHER_H

#include "condlint/Alias.h"
#include "condlint/Conditional.h"
#include "condlint/Finding.h"
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace condlint {

/// A set of pairs of branches: of a conditional, and of what runs regions later in the same graph.
using BranchPairs = std::uint8_t;

constexpr BranchPairs branchPair(std::size_t first, std::size_t later) {
  return static_cast<BranchPairs>(1U << (2 * first + later));
}

/// The pairs of branches that runs of a torch model take, as far as their predicates tell: two conditionals on one flag
/// take the same side, one whose predicate follows from weights always takes the same.
struct TakenTogether {
  enum class Why : std::uint8_t {
    Free,    ///< one way, and each of its pairs is taken by some run
    Weights, ///< which way it is hangs on weights, which nobody looks at
    Related, ///< on how two predicates that follow from the same values hang together
  };
  std::vector<BranchPairs> ways; ///< it is one of these, and each pair of that one is taken by some run
  Why why = Why::Free;

  /// Whether some run takes one of \p pairs: violated where it does in each way, possible where in some.
  Verdict takes(BranchPairs pairs) const;
};

/// The one branch that a conditional takes where it stands, in a branch of one on the same flag or its negation.
struct SideWithin {
  std::optional<std::size_t> branch; ///< none: it follows from more than is looked at, and may be that flag
  bool isCertain = false;            ///< else something that the flag follows from may be written on the way
};

/// None where no conditional on the same flag is around \p c.
std::optional<SideWithin> sideWithin(const Model &m, const AliasAnalysis &aliases, const Conditional &c);

/// \p later is a node of the graph of \p first; of one that is no conditional both regions are run.
TakenTogether takenTogether(const Model &m, const AliasAnalysis &aliases, const Conditional &first, NodeId later);

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_TAKENTOGETHER_H
