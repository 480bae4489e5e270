//===- Sets.h - Sets --------------------------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sets, whose elements are a list in the order in which the set has them.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_LIBRARY_SETS_H
#define CONDLINT_CXX_INTERP_LIBRARY_SETS_H

#include "LibraryModel.h"

namespace condlint::cxx {

class Sets : public LibraryModel {
public:
  using LibraryModel::LibraryModel;
  Answer construct(Call &c, std::string_view cls);
  Answer set(Call &c, std::string_view method);

private:
  /// The elements \p v as the set that \p c makes has them: each once, in its order.
  Value asSet(const Value &v, const Call &c);
  /// Something was put into a set, and where it stands is not known.
  Value lostSet(Call &c);
  /// `merge`: what is not there yet comes over, and the other set keeps the rest.
  Answer merged(Call &c);
  /// Those of \p items, in a set of the \p type, that are the same as \p item.
  std::optional<Among> amongElements(const Value &item, std::span<const Value> items, clang::QualType type,
                                     const clang::Expr *at);
  /// The same of \p items that their keys sort; nothing where a key is not known.
  static std::optional<Among> amongSorted(const Value &item, std::span<const Value> items);
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_LIBRARY_SETS_H
