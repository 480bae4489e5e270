//===- AssumedTrips.h - Loops of unknown length, run for some trips --*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A domain that looks at one execution at a time (what a function builds when it goes
// one way) has a loop whose length nobody knows run for a few trips: the program may
// make just as many. Behind it only that is known which every further trip would keep.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_ASSUMEDTRIPS_H
#define CONDLINT_CXX_INTERP_MACHINE_ASSUMEDTRIPS_H

#include "Machine.h"

namespace condlint::cxx {

class Machine::AssumedTrips {
public:
  AssumedTrips(Machine &machine, const clang::Stmt &stmt) : m(machine), loop(stmt), start(machine.memory.mark()) {}
  AssumedTrips(const AssumedTrips &) = delete;
  AssumedTrips &operator=(const AssumedTrips &) = delete;
  ~AssumedTrips() { leave(); }

  /// Begins to assume; nothing where the domain does not want it.
  std::optional<unsigned> begin();
  /// Whether the loop goes on, where \p condition or the domain says it.
  std::optional<bool> goesOn(const Value &condition);
  /// The number at \p object is what the loop itself counts with.
  void countWith(ObjectId object) { counter = object; }
  void endTrip();
  /// The loop has ended: forgets what differs from trip to trip.
  void end();

private:
  Delta before(const Delta &now);
  void openCounters();
  std::optional<Value> inFurtherTrips(const Value &before, const Value &now, bool counts);
  void leave() {
    if (most)
      m.assumedNumber = around;
  }

  Machine &m;
  const clang::Stmt &loop;
  Store::Mark start;
  bool asked = false;
  std::optional<unsigned> most;
  unsigned made = 0;
  unsigned ended = 0;
  std::uint32_t around = 0;
  Delta first; ///< what the first trip left
  ObjectId counter;
};

/// In the current trip \p n is known, and in further ones it is something else: what is asked of it is open.
bool isOpen(const Machine &m, const Number &n);
/// \p made, which the operator \p opcode makes of \p x and \p y: open where one of them is.
Number openAs(Machine &m, unsigned opcode, const Number &x, const Number &y, Number made);

/// \p v, which the glvalue \p e held: open where it is an element by an open index.
Value openElement(Machine &m, const clang::Expr &e, Value v);

/// \p n as a condition. What a number of a loop of unknown length says that differs from trip to trip
/// is known only if it is the same in all further ones.
std::optional<bool> truthIn(Machine &m, const Number &n);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_ASSUMEDTRIPS_H
