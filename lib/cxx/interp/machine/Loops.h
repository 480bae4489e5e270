//===- Loops.h - Loops ------------------------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a loop is run: trip by trip where it is known how many it makes, once for any trip
// where nobody knows.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_LOOPS_H
#define CONDLINT_CXX_INTERP_MACHINE_LOOPS_H

#include "Machine.h"

namespace condlint::cxx {

struct Machine::LoopParts {
  const clang::Stmt *loop = nullptr;
  const clang::VarDecl *conditionVariable = nullptr;
  const clang::Expr *condition = nullptr;
  const clang::Expr *increment = nullptr;
  const clang::Stmt *item = nullptr; ///< of a range: what declares the element of a trip
  const clang::Stmt *body = nullptr;
  bool bodyFirst = false; ///< do … while
};

class Machine::Loops {
public:
  explicit Loops(Machine &machine) : m(machine) {}
  /// A loop of so many trips is not followed trip by trip.
  bool isLong(std::uint64_t trips) const;
  void runLoop(const LoopParts &parts);
  void runLoopOnce(const LoopParts &parts);
  /// The number that \p increment steps differs from trip to trip.
  void beginCounting(const clang::Expr &increment, AssumedTrips &assumed);
  /// Runs trip by trip; false where it is not known whether another one comes. \p determinedTrips: as below.
  bool followTrips(const LoopParts &parts, AssumedTrips &assumed, bool &determinedTrips);
  void runAnyTrip(const LoopParts &parts);
  /// What follows \p loop runs where no trip left for further out.
  void leave(const clang::Stmt &loop, std::size_t leftPaths);
  /// What happens in the first trip of a loop that writes \p written, of which more may be known than of any other.
  void runFirstTrip(const std::function<void()> &trip, const Delta &written);
  Value afterTrips(const Value &before, const Value &now);
  /// Behind a loop: a number at \p object that only grows, and was \p before once, is no less from there on.
  void keepCount(ObjectId object, const Number &before);
  Value widened(const Value &old, const Value &now, ReasonId why);
  void markCounters(Store::Mark since);

private:
  Machine &m;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_LOOPS_H
