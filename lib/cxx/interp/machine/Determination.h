//===- Determination.h - Whether the code itself determines a value *- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value is determined where nothing that is given from outside has a part in it,
// whether it is known or not.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_DETERMINATION_H
#define CONDLINT_CXX_INTERP_MACHINE_DETERMINATION_H

#include "Machine.h"

namespace condlint::cxx {

/// Whether the code itself determines a value.
class Machine::Determination {
public:
  explicit Determination(Machine &machine) : m(machine) {}
  bool isDetermined(const Value &v, unsigned &budget);
  bool isDetermined(const Pointer &p, unsigned &budget);
  /// All that \p call is given is determined, and it asks nobody else.
  bool isDetermined(const Call &call);
  /// \p made of \p inputs: where these are determined, so is it. So it is where one of them is that was not worked out,
  /// for a domain that holds together what is asked: nobody chooses it freely.
  Value madeOf(Value made, std::initializer_list<const Value *> inputs);
  /// The answer \p v of \p call, a function of the library, where that was asked of a container that the code has made
  /// or changed, and was not worked out: nobody chooses it freely.
  Value answeredBy(const Call &call, Value v);
  /// The containers that \p call, a function of the library, may change, of which something is known.
  std::vector<Place> containersGiven(const Call &call);
  /// What is not known any more of these was made by the code.
  void leaveMade(const std::vector<Place> &containers);
  /// What is left of what \p call was given, itself determined, is so too.
  void determine(const Call &call);

private:
  /// What lies at \p at is determined.
  void mark(const Place &at);

  Machine &m;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_DETERMINATION_H
