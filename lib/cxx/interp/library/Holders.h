//===- Holders.h - Optionals, pointers, functions ---------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What holds one value: an optional, a smart pointer, a std::function.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_LIBRARY_HOLDERS_H
#define CONDLINT_CXX_INTERP_LIBRARY_HOLDERS_H

#include "LibraryModel.h"

namespace condlint::cxx {

class Holders : public LibraryModel {
public:
  using LibraryModel::LibraryModel;
  Answer constructOptional(Call &c, std::string_view cls);
  Answer constructPointer(Call &c, std::string_view cls);
  Answer constructReference(Call &c, std::string_view cls);
  Answer constructFunction(Call &c, std::string_view cls);
  Answer optional(Call &c, std::string_view method);
  Answer smartPointer(Call &c, std::string_view method);
  Answer function(Call &c, std::string_view method);
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_LIBRARY_HOLDERS_H
