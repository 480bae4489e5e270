//===- Iterators.h - Positions in containers --------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is done with a position: it is moved, compared and followed.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_LIBRARY_ITERATORS_H
#define CONDLINT_CXX_INTERP_LIBRARY_ITERATORS_H

#include "LibraryModel.h"

namespace condlint::cxx {

class Iterators : public LibraryModel {
public:
  using LibraryModel::LibraryModel;
  Answer iterator(Call &c, std::string_view method);
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_LIBRARY_ITERATORS_H
