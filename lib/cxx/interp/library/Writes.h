//===- Writes.h - What functions of the library write -----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What functions that nobody modelled write, and through which of their arguments.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_LIBRARY_WRITES_H
#define CONDLINT_CXX_INTERP_LIBRARY_WRITES_H

#include "LibraryModel.h"

namespace condlint::cxx {

class Writes : public LibraryModel {
public:
  using LibraryModel::LibraryModel;
  /// Writes where a function that is known by its name alone writes for certain; false for others.
  bool writesThrough(Call &c);
  /// Whether one that nobody modelled may write to what lies outside: a parameter would let it.
  bool mayWriteOuter(Call &c);
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_LIBRARY_WRITES_H
