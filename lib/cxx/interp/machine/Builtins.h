//===- Builtins.h - Functions of the compiler's and the device's own --*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls of functions that no header defines: the compiler's own, and those that run on a
// CUDA device alone.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_BUILTINS_H
#define CONDLINT_CXX_INTERP_MACHINE_BUILTINS_H

#include "Machine.h"

namespace condlint::cxx {

class Machine::Builtins {
public:
  explicit Builtins(Machine &machine) : m(machine) {}
  /// One that hands on what it is given, or says how the code goes on.
  std::optional<Value> plainBuiltin(Call &call);
  /// One that neither the domain nor the library's models know.
  std::optional<Value> ofBuiltin(Call &call);
  /// One of the system's that runs on a CUDA device alone: it changes what it is given a pointer to, and nothing else.
  std::optional<Value> ofDevice(Call &call);
  /// What a pointer among the arguments leads to becomes unknown where the function may write it; not where it only \p
  /// reads.
  void writeThroughArguments(Call &call, bool reads);

private:
  Machine &m;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_BUILTINS_H
