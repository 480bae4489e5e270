//===- Operators.h - Built-in operators and conversions ---------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What built-in operators and conversions make of values.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_OPERATORS_H
#define CONDLINT_CXX_INTERP_MACHINE_OPERATORS_H

#include "Machine.h"

namespace condlint::cxx {

class Machine::Operators {
public:
  explicit Operators(Machine &machine) : m(machine) {}
  Value evalCast(const clang::CastExpr &e);
  Value evalUnary(const clang::UnaryOperator &e, Pointer *where = nullptr);
  Value evalBinary(const clang::BinaryOperator &e, Pointer *where = nullptr);
  Value comparePointers(unsigned opcode, const Pointer &p, const Pointer &q, const clang::Expr *at);
  Number compareNumbers(unsigned opcode, const Number &x, const Number &y, const clang::Expr *at);
  Value evalLogical(const clang::BinaryOperator &e);
  /// How far \p to is from \p from, the first position of a container; nothing where \p from is another one.
  std::optional<Value> distanceFromFirst(const Place &from, const Place &to);

private:
  Machine &m;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_OPERATORS_H
