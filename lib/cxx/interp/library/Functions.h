//===- Functions.h - Functions of the standard library ----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions of numbers, tuples, streams, files and of C, by name.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_LIBRARY_FUNCTIONS_H
#define CONDLINT_CXX_INTERP_LIBRARY_FUNCTIONS_H

#include "LibraryModel.h"

namespace condlint::cxx {

class Functions : public LibraryModel {
public:
  using LibraryModel::LibraryModel;
  /// Of a tuple or a pair.
  Answer constructTuple(Call &c, std::string_view cls);
  Answer pair(Call &c, std::string_view name);
  /// An operator that compares tuples or pairs part by part, or an order with 0.
  Answer comparison(Call &c, std::string_view name);
  Answer arithmetic(Call &c, std::string_view name);
  Answer operation(Call &c, std::string_view className);
  Answer stream(Call &c, std::string_view name);
  Answer cFunction(Call &c, std::string_view name);
  /// \p v is stored in any of the elements from where \p to points on.
  void storeFrom(const Value &to, clang::QualType pointee, const Value &v, const Call &c);
  Answer fileFunction(Call &c, std::string_view name); ///< std::filesystem's

private:
  /// What a stream is read into holds what nobody knows.
  void readInto(Call &c);
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_LIBRARY_FUNCTIONS_H
