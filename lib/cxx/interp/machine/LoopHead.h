//===- LoopHead.h - What holds at the head of each trip ---------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop that is not followed trip by trip begins each trip with what holds before
// the loop and after any trip. What that is, is found by trying a trip out: what
// it leaves is widened to what both have in common, until a trip keeps it.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_LOOPHEAD_H
#define CONDLINT_CXX_INTERP_MACHINE_LOOPHEAD_H

#include "Machine.h"

namespace condlint::cxx {

class Machine::LoopHead {
public:
  LoopHead(Machine &machine, const std::function<void()> &anyTrip, bool areTripsDetermined)
      : m(machine), trip(anyTrip), determinedTrips(areTripsDetermined), why(m.reason("assigned in a loop")) {}

  /// Runs a trip only to learn what it writes. A nested loop need not be tried out again for that.
  void scout();
  /// Leaves in each variable that a trip writes what holds before any trip.
  void reachFixpoint();
  /// What the last trip that was tried out wrote.
  const Delta &written() const { return writes; }
  /// The numbers that a trip changes, and what they were before any.
  const std::vector<std::pair<ObjectId, Number>> &counters() const { return begun; }

private:
  /// What a trip leaves in a variable, without the values that the trip made.
  struct Outline {
    std::shared_ptr<const Datum> summary; ///< the domain's word for a value of its own
    std::vector<Outline> parts; ///< of the elements of a list, the fields of a record, the value of an optional
    bool isEmpty() const { return !summary && parts.empty(); }
  };
  Outline outlineOf(const Value &v, unsigned depth = 0);

  /// What to do with what a trip does not keep: keep what there is in common, forget that, or forget all that was
  /// only kept so far.
  enum class Doubt : std::uint8_t { Common, Forget, ForgetAll };
  /// False where a trip keeps everything.
  bool widen(Doubt doubt);
  /// \p old without what a trip that leaves \p now does not keep of it.
  Value forgotten(const Value &old, const Value &now, bool asDetermined);
  /// What stands for what was forgotten, \p by, stands for \p v or \p place as well.
  bool isCovered(const Value &by, const Value &v);
  bool isCovered(const Place &by, const Place &place) const;
  /// What \p old, which held before a trip, and \p now have in common, of which only the structure and
  /// \p outline still stand. \p old is absent where nothing held.
  Value common(const Value &old, const Value &now, const Outline &outline);
  Value commonRecord(const Value &old, const Record &now, const Outline &outline);
  Value commonList(const Value &old, const List &now, const Outline &outline);
  Value commonOptional(const Value &old, const Optional &now, const Outline &outline);

  Machine &m;
  const std::function<void()> &trip;
  bool determinedTrips;
  ReasonId why;
  Delta writes;
  llvm::DenseMap<std::uint32_t, Outline> outlines; ///< by object
  llvm::DenseSet<std::uint32_t> given;             ///< of these a trip did not keep all, and nothing need be common
  bool isContested = false;                        ///< of what was only kept so far something was widened again
  std::vector<Value> placeholders;                 ///< what stands for what was forgotten: a trip need not keep it
  std::vector<ObjectId> kept;
  std::vector<std::pair<ObjectId, Number>> begun;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_LOOPHEAD_H
