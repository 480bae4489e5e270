//===- Texts.h - Strings ----------------------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Strings whose text is known: names of layers and keys of maps are made of them.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_LIBRARY_TEXTS_H
#define CONDLINT_CXX_INTERP_LIBRARY_TEXTS_H

#include "LibraryModel.h"

namespace condlint::cxx {

class Texts : public LibraryModel {
public:
  using LibraryModel::LibraryModel;
  Answer construct(Call &c, std::string_view cls);
  Answer text(Call &c, std::string_view method);
  Answer textFunction(Call &c, std::string_view name);
  Answer cTextFunction(Call &c, std::string_view name);
  /// The number that a text says: `std::stoi("42")`, `atof("0.5")`.
  Answer number(Call &c, std::string_view name);

private:
  /// Where the character lies that \p method leads to, if it is one that does.
  Answer character(Call &c, std::string_view method);
  Answer textQuestion(Call &c, std::string_view method, const std::string &known);
  /// The same of a text, or about one, that is not known.
  Answer openQuestion(Call &c, std::string_view method, const AskedText &whole);
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_LIBRARY_TEXTS_H
