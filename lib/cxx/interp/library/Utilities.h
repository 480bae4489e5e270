//===- Utilities.h - Handing on, calling, owning ----------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that hand on what they are given, call it, bind it or own it.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_LIBRARY_UTILITIES_H
#define CONDLINT_CXX_INTERP_LIBRARY_UTILITIES_H

#include "LibraryModel.h"

namespace condlint::cxx {

class Utilities : public LibraryModel {
public:
  using LibraryModel::LibraryModel;
  Answer utility(Call &c, std::string_view name);
  /// Where the data member lies that \p function points to, in the argument \p object (`std::invoke(&P::n, p) = 2`).
  Answer dataMember(Call &c, const Value &function, std::size_t object);

private:
  Answer handedOn(Call &c, std::string_view name);
  Answer called(Call &c, std::string_view name);
  Answer bound(Call &c, std::string_view name);
  Answer owned(Call &c, std::string_view name);
  Answer position(Call &c, std::string_view name);
  /// The number of std::placeholders::_1, _2, …
  std::optional<unsigned> placeholder(const Argument &a);
  /// How many arguments \p callable takes, its object among them where it is a pointer to a method.
  std::optional<std::size_t> parametersOf(const Value &callable);
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_LIBRARY_UTILITIES_H
