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

/// Also of what may be none, as an operator's `train`.
bool isAlwaysTrue(const Expr *e, const ASTContext &ast) {
  if (e != nullptr)
    e = plain(e);
  if (const auto *optional = dyn_cast_or_null<CXXConstructExpr>(e); optional != nullptr && optional->getNumArgs() == 1)
    e = plain(optional->getArg(0));
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

/// What a function of `torch::nn::functional` is told by its options, `DropoutFuncOptions().p(0.1).training(true)`, as
/// far as they are made in the call.
class DropoutOptions {
public:
  /// The options among the arguments of \p call.
  explicit DropoutOptions(const CallExpr *call) {
    const FunctionDecl *f = call->getDirectCallee();
    for (const ParmVarDecl *p : f->parameters()) {
      const CXXRecordDecl *r = p->getType().getNonReferenceType()->getAsCXXRecordDecl();
      training = fieldOf(r, "training_");
      rate = fieldOf(r, "p_");
      if (training == nullptr || rate == nullptr)
        continue;
      const Expr *e = argumentOf(call, p->getFunctionScopeIndex());
      areKnown = e == nullptr || follow(plain(e), r); // none: what the function says without
      return;
    }
  }

  bool areKnown = false;
  const Expr *givenTraining = nullptr;
  const Expr *givenRate = nullptr;

  /// What holds where nothing is given.
  const Expr *defaultTraining() const { return training->getInClassInitializer(); }
  const Expr *defaultRate() const { return rate->getInClassInitializer(); }

private:
  static const FieldDecl *fieldOf(const CXXRecordDecl *r, StringRef name) {
    if (r != nullptr && r->hasDefinition())
      for (const FieldDecl *f : r->fields())
        if (f->getName() == name)
          return f;
    return nullptr;
  }

  /// From the last setter to the first; the last of one name holds.
  bool follow(const Expr *e, const CXXRecordDecl *options) {
    while (const auto *setter = dyn_cast<CXXMemberCallExpr>(e)) {
      if (setter->getNumArgs() != 1 || setter->getMethodDecl() == nullptr ||
          setter->getMethodDecl()->getIdentifier() == nullptr)
        return false;
      const StringRef name = setter->getMethodDecl()->getName();
      if (name == "training" && givenTraining == nullptr)
        givenTraining = setter->getArg(0);
      else if (name == "p" && givenRate == nullptr)
        givenRate = setter->getArg(0);
      e = plain(setter->getImplicitObjectArgument());
    }
    if (const auto *list = dyn_cast<InitListExpr>(e))
      return list->getNumInits() == 0 || list->getType()->getAsCXXRecordDecl() == options;
    const auto *made = dyn_cast<CXXConstructExpr>(e);
    return made != nullptr && made->getNumArgs() == 0;
  }

  const FieldDecl *training = nullptr;
  const FieldDecl *rate = nullptr;
};

std::optional<ConstantFlag> constantOptionsOf(const CallExpr *call, StringRef name, const ConstantRate &rate,
                                              const ASTContext &ast) {
  const DropoutOptions options(call);
  if (!options.areKnown || !rate.is(options.givenRate != nullptr ? options.givenRate : options.defaultRate()))
    return std::nullopt;
  if (options.givenTraining != nullptr)
    return isAlwaysTrue(options.givenTraining, ast)
               ? std::optional(ConstantFlag{options.givenTraining, name.str() + ": its 'training' is always true"})
               : std::nullopt;
  return isAlwaysTrue(options.defaultTraining(), ast)
             ? std::optional(ConstantFlag{call, name.str() + ": its 'training' is left at true"})
             : std::nullopt;
}

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
    return at ? argumentOf(call, *at) : nullptr;
  };
  // The probability of attention is all that says whether it trains.
  if (const Expr *p = given("dropout_p"); p != nullptr && rate.is(p))
    return ConstantFlag{p, name.str() + ": its dropout is the same in evaluation"};
  const Expr *train = given("train");
  if (train == nullptr)
    return constantOptionsOf(call, name, rate, ast);
  if (!isAlwaysTrue(train, ast))
    return std::nullopt;
  // Where the rate hangs on the flag, or who calls gives it, the flag need not be asked twice.
  for (const StringRef parameter : {"p", "dropout"}) // the layers of a recurrent operator drop out by the second
    if (const Expr *p = given(parameter); p != nullptr && !rate.is(p))
      return std::nullopt;
  return ConstantFlag{train, name.str() + ": its 'train' is always true"};
}

} // namespace condlint::cxx
