//===- Unseen.h - Code that is not seen -------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What code without a body that is looked into may do to what it can get at.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_UNSEEN_H
#define CONDLINT_CXX_INTERP_MACHINE_UNSEEN_H

#include "Machine.h"

namespace condlint::cxx {

/// What code that is not seen may do.
class Machine::Unseen {
public:
  explicit Unseen(Machine &machine) : m(machine) {}
  /// It may have changed all that \p p, or what it holds, leads to. \p depth: how many others that lies behind.
  void forget(const Pointer &p, ReasonId why, unsigned depth = 0);
  void forget(const Value &v, ReasonId why, unsigned depth = 0);
  /// The same, but for what \p p leads to itself: that is constant.
  void forgetBehind(const Pointer &p, ReasonId why, unsigned depth = 0);
  /// Code that is not seen may have set the numbers that it can name.
  void forgetGlobals(std::string_view why);
  /// It may have changed all that it can get at without being given it: globals, what a pointer from outside leads to,
  /// and what other code that is not seen was given before.
  void forgetReachable(std::string_view why);
  void noteEscape(ObjectId o);
  /// Where this code has left something that code which is not seen can get at.
  std::vector<Pointer> seenElsewhere() const;

private:
  Value withoutWritten(const Value &v, clang::QualType type, ReasonId why);

  Machine &m;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_UNSEEN_H
