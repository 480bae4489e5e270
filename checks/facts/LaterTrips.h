//===- LaterTrips.h - What later trips of a loop may be given ---*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_LATERTRIPS_H
#define CONDLINT_CHECKS_FACTS_LATERTRIPS_H

#include "condlint/Conditional.h"
#include "condlint/Graph.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace condlint {

/// Which values of a model follow from what a loop carries in other shapes from trip to trip: what holds of them in the
/// first trip, or as the body declares them, may not hold in the next.
class LaterTrips {
public:
  explicit LaterTrips(const Model &model) : m(model) {}

  /// Some loop carries a value of which any of this holds.
  bool any() { return !found().empty(); }
  /// A trip may give \p v another shape than the first does.
  bool changes(ValueId v) { return (stateOf(v) & changed) != 0; }
  /// The type of \p v rests on what a body declares, which some trip may contradict.
  bool isBelieved(ValueId v) { return (stateOf(v) & believed) != 0; }
  /// torch: some trip may lay \p v out in memory otherwise than the first does.
  bool isMoved(ValueId v) { return (stateOf(v) & moved) != 0; }
  /// A node in a branch of \p c reads what another trip may give another shape: that one; else none.
  NodeId readerIn(const Conditional &c);

private:
  static constexpr std::uint8_t changed = 1, believed = 2, moved = 4;
  const Model &m;
  std::optional<std::vector<std::uint8_t>> states; ///< by value; empty where no loop carries such a thing

  /// Looks through the model when it is first asked.
  const std::vector<std::uint8_t> &found();
  std::uint8_t stateOf(ValueId v);
  std::vector<std::uint8_t> find();
  /// One pass over the model; whether it found more.
  bool spread(std::vector<std::uint8_t> &found);
};

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_LATERTRIPS_H
