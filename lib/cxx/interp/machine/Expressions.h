//===- Expressions.h - The kinds of expressions -----------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the kinds of expressions come to, and where glvalues lie.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_INTERP_MACHINE_EXPRESSIONS_H
#define CONDLINT_CXX_INTERP_MACHINE_EXPRESSIONS_H

#include "Machine.h"

namespace condlint::cxx {

class Machine::Expressions {
public:
  explicit Expressions(Machine &machine) : m(machine) {}
  Value evalInner(const clang::Expr *e);
  std::optional<Value> evalLiteral(const clang::Expr *e);
  std::optional<Value> evalName(const clang::ValueDecl &d);
  std::optional<Value> evalOperation(const clang::Expr *e);
  Value evalThis(const clang::Expr *e);
  Value evalThrow(const clang::CXXThrowExpr &e);
  Value evalSuspension(const clang::CoroutineSuspendExpr &e); ///< `co_await`, `co_yield`
  Value evalStatements(const clang::StmtExpr &e);
  Pointer lvalueInner(const clang::Expr *e);
  Pointer pointedMember(const clang::BinaryOperator &e); ///< `s.*m`, `p->*m`
  std::optional<Pointer> placeOfOperation(const clang::Expr *e);
  Pointer placeOfTemporary(const clang::MaterializeTemporaryExpr &e);
  Value evalConditional(const clang::Expr *condition, const clang::Expr *yes, const clang::Expr *no, bool glvalue);
  Value evalLambda(const clang::LambdaExpr &e);
  Pointer variable(const clang::ValueDecl &d, const clang::Expr *at);
  Pointer globalVariable(const clang::VarDecl &d);
  Pointer member(const clang::MemberExpr &e);
  /// Where the first character lies of a text that a pointer leads to.
  Pointer charactersOf(const Value &text);
  Value resultOf(const clang::Expr *e, Value v);

private:
  /// \p v means the same wherever it is read: it leads to nothing that was made on the way.
  bool isPlain(const Value &v, unsigned depth = 0) const;

  Machine &m;
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_INTERP_MACHINE_EXPRESSIONS_H
