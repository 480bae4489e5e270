//===- Trial.h - Running only to learn what is written ----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is run while a trial lives is run only to learn what it makes and writes: all it
// did is taken back in the end.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_TRIAL_H
#define CONDLINT_CXX_INTERP_MACHINE_TRIAL_H

#include "Machine.h"

namespace condlint::cxx {

/// Built and destroyed where the code is alive.
class Machine::Trial {
public:
  explicit Trial(Machine &machine);
  Trial(const Trial &) = delete;
  Trial &operator=(const Trial &) = delete;
  ~Trial();
  const Store::Mark mark; ///< where it began

private:
  Machine &m;
  std::vector<Trace *> traces;
  Left left;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_TRIAL_H
