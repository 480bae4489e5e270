//===- Maps.h - Maps --------------------------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Maps by the keys that are told apart here.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_LIBRARY_MAPS_H
#define CONDLINT_CXX_INTERP_LIBRARY_MAPS_H

#include "LibraryModel.h"

namespace condlint::cxx {

class Maps : public LibraryModel {
public:
  using LibraryModel::LibraryModel;
  Answer construct(Call &c, std::string_view cls);
  Answer map(Call &c, std::string_view method);

private:
  Value constructMap(Call &c);
  /// The key \p v of the map that \p c is a method of, which holds \p known; nothing where it is not known which
  /// of its keys that is.
  /// \p another: it is put in beside those of its kind that a multimap holds.
  std::optional<std::string> keyIn(Call &c, const Value &v, const Map *known, bool another = false);
  std::optional<std::string> keyAmong(Call &c, const Value &v, const Map *known, bool another);
  std::optional<Among> among(Call &c, const Value &v, const Map &known);
  /// The argument \p i as a key.
  Value keyGiven(Call &c, std::size_t i);
  Value mapEntry(Call &c, std::string_view method, Value whole);
  Answer countInOpen(Call &c, const std::optional<std::string> &key, const Value &whole);
  Answer mapQuestion(Call &c, std::string_view method, const Value &whole);
  Value lostPosition(Call &c);
  Value firstPosition(Call &c);
  Answer mapChange(Call &c, std::string_view method, const Value &whole);
  Answer eraseInMap(Call &c, const Map &known);
  Answer mergeInMap(Call &c, const Value &whole);
  Answer extracted(Call &c, const Map &known);
  Answer eraseAll(Call &c, const Value &which, const Map &known);
  Answer insertInMap(Call &c, std::string_view method, const Map &known);
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_LIBRARY_MAPS_H
