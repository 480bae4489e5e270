//===- Joins.h - Where paths meet -------------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is known of a variable, and of all that paths wrote, where these paths meet.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_JOINS_H
#define CONDLINT_CXX_INTERP_MACHINE_JOINS_H

#include "Machine.h"

namespace condlint::cxx {

/// What two paths left in one variable.
class Machine::Joins {
public:
  explicit Joins(Machine &machine) : m(machine) {}
  Value joinedPointers(const Value &a, const Value &b);
  Value joined(const Value &a, const Value &b);
  Value joinRecords(const Record &a, const Record &b);
  Value joinLists(const List &a, const List &b);
  /// Leaves in the store what each of \p deltas, one a path, has left there; the paths meet as \p where says. The
  /// paths of \p inDoubt, if it is not empty, may never be taken.
  void mergeDeltas(std::span<const Delta *const> deltas, JoinPoint where, std::span<const bool> inDoubt = {});
  /// What several paths leave, one after the other: which of them may never be taken, as of \ref mergeDeltas.
  class OneByOne {
  public:
    explicit OneByOne(Machine &machine) : m(machine) {}
    void add(const Value &v, bool inDoubt);
    const Value &all() const { return joined; }

  private:
    Machine &m;
    Value joined;
    bool isFirst = true, isInDoubt = false;
  };

private:
  Machine &m;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_JOINS_H
