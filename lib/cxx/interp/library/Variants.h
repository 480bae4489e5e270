//===- Variants.h - What holds one of several types -------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A variant and what holds anything are the value that they hold.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_LIBRARY_VARIANTS_H
#define CONDLINT_CXX_INTERP_LIBRARY_VARIANTS_H

#include "LibraryModel.h"

namespace condlint::cxx {

class Variants : public LibraryModel {
public:
  using LibraryModel::LibraryModel;
  Answer construct(Call &c, std::string_view cls);
  Answer holder(Call &c, std::string_view method);
  Answer variant(Call &c, std::string_view name);
  /// The methods of `std::type_info`.
  Answer info(Call &c, std::string_view method);

private:
  Value emptyVariant(const Call &c);
  /// \p given, the first argument, as what a variant or an `any` of the type \p own makes of it.
  Value heldOf(const Call &c, clang::QualType own, const Value &given);
  Value anyCast(Call &c);
  /// The `std::type_info` of what the object holds, which may hold anything.
  Value typeHeld(Call &c);
  /// The number of the alternative that \p v, a variant of the \p type, holds.
  Value heldAlternative(const Value &v, clang::QualType type);
  /// Whether it is the alternative \p i.
  Value isHeld(const Value &v, clang::QualType type, unsigned i, const clang::Expr *at);
  /// \p v as that alternative, and where that lies: the variant lies at \p at.
  Value asAlternative(const Value &v, clang::QualType type, unsigned i);
  Argument placeOfAlternative(const Pointer &at, const Value &v, clang::QualType type, unsigned i);
  /// Calls the visitor with what is held by the arguments before \p next, and the others for each that they may hold.
  Value visited(Call &c, std::size_t next, std::vector<Argument> held);
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_LIBRARY_VARIANTS_H
