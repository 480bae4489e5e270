//===- SignedNumbers.cpp - Numbers from outside below zero ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SignedNumbers.h"
#include <vector>

namespace condlint::cxx {

/// While it lives, the symbols of some expressions have the bounds of numbers.
class SignedNumbers::Widened {
public:
  Widened(const SignedNumbers &numbers, DimTable &table, std::initializer_list<Dim> of) : dims(table) {
    for (const Dim d : of)
      if (d.known() && !numbers.names.empty())
        for (Symbol &s : dims.symbolsOf(d))
          if (numbers.names.contains(s.name) && s.bounds.min >= 0) {
            dims.setBounds(s.name, {Interval().min, s.bounds.max});
            narrow.push_back(std::move(s));
          }
  }
  Widened(const Widened &) = delete;
  Widened &operator=(const Widened &) = delete;
  ~Widened() {
    for (const Symbol &s : narrow)
      dims.setBounds(s.name, s.bounds);
  }

private:
  DimTable &dims;
  std::vector<Symbol> narrow;
};

bool SignedNumbers::areOf(clang::QualType type) {
  const bool isLargest = type->isSpecificBuiltinType(clang::BuiltinType::ULong) ||
                         type->isSpecificBuiltinType(clang::BuiltinType::ULongLong);
  return isLargest || (type->isSignedIntegerType() && !type->isEnumeralType());
}

Dim SignedNumbers::fresh(DimTable &dims, std::string_view hint, bool isSigned) {
  const Dim d = dims.fresh(hint, SymbolOrigin::Anonymous);
  if (isSigned)
    if (const auto symbol = dims.asSymbol(d))
      names.insert(symbol->name);
  return d;
}

Interval SignedNumbers::boundsOf(DimTable &dims, Dim d) const {
  const Widened all(*this, dims, {d});
  return dims.boundsOf(d);
}

DimComparison SignedNumbers::compare(DimTable &dims, Dim a, Dim b) const {
  const Widened all(*this, dims, {a, b});
  return dims.compare(a, b);
}

} // namespace condlint::cxx
