//===- Views.h - std::views -------------------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Views of a range by what they leave out and make of it.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_LIBRARY_VIEWS_H
#define CONDLINT_CXX_INTERP_LIBRARY_VIEWS_H

#include "LibraryModel.h"

namespace condlint::cxx {

class Views : public LibraryModel {
public:
  using LibraryModel::LibraryModel;
  /// A method of the class \p cls of `std::views`, or a function beside these.
  Answer view(Call &c, std::string_view cls, std::string_view name);

private:
  std::optional<List> viewOf(Argument &range);
  Answer adapted(List view, std::string_view adaptor, std::span<const Value> given);
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_LIBRARY_VIEWS_H
