//===- StandardLibrary.h - What std:: and C's library do --------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The standard library by what it means instead of by how it is written: a
// vector is a list, a tuple is one too, a smart pointer is a pointer, a
// std::function is what it holds. Shared by all domains. Finds the model of what
// is called: of a class by its row (LibraryClasses.h), of a function by its name.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_LIBRARY_STANDARDLIBRARY_H
#define CONDLINT_CXX_INTERP_LIBRARY_STANDARDLIBRARY_H

#include "LibraryModel.h"

namespace condlint::cxx {

class StandardLibrary : public LibraryModel {
public:
  using LibraryModel::LibraryModel;
  /// A function or method of the library (or of a class that the domain says is
  /// like one of its); nothing for others, and for those that call back what
  /// they are given in ways that have no model.
  Answer call(Call &c);
  Answer construct(Call &c);
  /// What is left of what a function is given that no model knows.
  Answer fallback(Call &c);
  /// \p c is a function, method or constructor of the library that makes what it makes of what it is given,
  /// and asks neither the system nor the clock nor a file.
  static bool isClosed(Machine &m, const Call &c);

private:
  /// `first`, `last` and `subspan` of a span that holds \p span.
  Answer partOfSpan(Call &c, std::string_view method, const Value &span);
  /// A method of a span that holds where each of its elements lies.
  Value methodOfPart(Call &c, std::string_view method, const List &part);
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_LIBRARY_STANDARDLIBRARY_H
