//===- ConstantFlags.cpp - Constants where the training flag belongs --------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ConstantFlags.h"
#include "Dependence.h"
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

namespace condlint::cxx {

using namespace clang;
using llvm::StringRef;

namespace {

/// The position of the callee's parameter \p name.
std::optional<unsigned> positionOf(const FunctionDecl &f, StringRef name) {
  for (const ParmVarDecl *p : f.parameters())
    if (p->getName() == name)
      return p->getFunctionScopeIndex();
  return std::nullopt;
}

bool isAlwaysTrue(const Expr *e, const ASTContext &ast) {
  bool truth = false;
  return e != nullptr && !e->isValueDependent() && e->EvaluateAsBooleanCondition(truth, ast) && truth;
}

/// A number above zero that nothing changes: written down, or a member that is set where the module is made.
class ConstantRate {
public:
  ConstantRate(const Assignments &s, ReachingDefinitions &r, const ASTContext &a)
      : assignments(s), reaching(r), ast(a) {}

  bool is(const Expr *e) const {
    if (e == nullptr || dependenceOf(e, assignments, reaching, ast) != Dependence::Nothing)
      return false;
    e = plain(e);
    for (unsigned i = 0; i < deepestTraced; ++i) {
      const VarDecl *v = variable(e);
      const Expr *value = v != nullptr && v->hasLocalStorage() ? assignments.onlyValue(v) : nullptr;
      if (value == nullptr)
        break;
      e = plain(value);
    }
    if (const auto *member = dyn_cast<MemberExpr>(e)) {
      const auto *field = dyn_cast<FieldDecl>(member->getMemberDecl());
      return field != nullptr && isThis(member->getBase()) && field->getType()->isFloatingType() &&
             assignments.to(field).empty();
    }
    llvm::APFloat number(0.0);
    if (e->isValueDependent() || !e->getType()->isFloatingType())
      return false;
    return e->EvaluateAsFloat(number, ast) && !number.isZero() && !number.isNegative();
  }

private:
  const Assignments &assignments;
  ReachingDefinitions &reaching;
  const ASTContext &ast;
};

} // namespace

std::optional<ConstantFlag> constantFlagIn(const CallExpr *call, const Assignments &assignments,
                                           ReachingDefinitions &reaching, const ASTContext &ast) {
  const FunctionDecl *f = call->getDirectCallee();
  const StringRef name = torchCallee(call);
  if (f == nullptr || name.empty())
    return std::nullopt;
  const ConstantRate rate(assignments, reaching, ast);
  const auto given = [&](StringRef parameter) {
    const auto at = positionOf(*f, parameter);
    const Expr *e = at ? argumentOf(call, *at) : nullptr;
    return e != nullptr && !isa<CXXDefaultArgExpr>(e) ? e : nullptr;
  };
  // The probability of attention is all that says whether it trains.
  if (const Expr *p = given("dropout_p"); p != nullptr && rate.is(p))
    return ConstantFlag{p, name.str() + ": its dropout is the same in evaluation"};
  const Expr *train = given("train");
  if (train == nullptr || !isAlwaysTrue(train, ast))
    return std::nullopt;
  // Where the rate hangs on the flag, or who calls gives it, the flag need not be asked twice.
  if (const Expr *p = given("p"); p != nullptr && !rate.is(p))
    return std::nullopt;
  return ConstantFlag{train, name.str() + ": its 'train' is always true"};
}

} // namespace condlint::cxx
