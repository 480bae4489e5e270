//===- Parts.h - The parts of values ----------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is known of a field, an element or an entry of a value of each form.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_PARTS_H
#define CONDLINT_CXX_INTERP_MACHINE_PARTS_H

#include "Machine.h"

namespace condlint::cxx {

/// The part of a value of each form.
class Machine::Parts {
public:
  explicit Parts(Machine &machine) : m(machine) {}
  Value partOfList(const List &l, const Step &step, clang::QualType type);
  Value partOfMap(const Map &map, const Step &step, clang::QualType type);
  Value partOfSymbol(SymbolId s, const Step &step, clang::QualType type);
  Value unknownPart(ReasonId why, clang::QualType type);
  /// \p step leads to a field of a class that \p whole has as a base more than once: which of them is not followed.
  static bool isOfEqualBases(const clang::CXXRecordDecl *whole, const Step &step);

private:
  Machine &m;
};

/// The part \p step of what is given, which has the type \p type: where it lies, or its value. Nobody wrote it.
Argument partOf(Machine &m, const Argument &whole, const Step &step, clang::QualType type);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_PARTS_H
