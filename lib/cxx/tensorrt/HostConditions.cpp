//===- HostConditions.cpp - Conditions that are the same -------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostConditions.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <fmt/format.h>
#include <utility>

namespace condlint::cxx {

namespace {

constexpr unsigned deepest = 16; ///< of expressions within one another

/// \p e, or what is denied by it, with \p truth turned as often.
const clang::Expr *withoutNot(const clang::Expr *e, bool &truth) {
  for (;;) {
    e = e->IgnoreParenImpCasts();
    const auto *u = llvm::dyn_cast<clang::UnaryOperator>(e);
    if (!u || u->getOpcode() != clang::UO_LNot)
      return e;
    truth = !truth;
    e = u->getSubExpr();
  }
}

const clang::BinaryOperator *asLogical(const clang::Expr *e) {
  const auto *b = llvm::dyn_cast<clang::BinaryOperator>(e);
  return b && b->isLogicalOp() ? b : nullptr;
}

/// Writes down what is asked of which values; what cannot be recognised again has no words.
class Spelling {
public:
  explicit Spelling(Machine &machine) : m(machine) {}

  /// Of a condition that is no `!`, `&&` or `||`; \p truth is turned where the opposite is written.
  std::optional<std::string> question(const clang::Expr *e, bool &truth) {
    if (const auto *b = llvm::dyn_cast<clang::BinaryOperator>(e); b && b->isComparisonOp())
      return comparison(b->getOpcode(), b->getLHS(), b->getRHS(), truth);
    if (const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e); call && call->getNumArgs() == 2) {
      const auto op = clang::BinaryOperator::getOverloadedOpcode(call->getOperator());
      if (clang::BinaryOperator::isComparisonOp(op))
        return comparison(op, call->getArg(0), call->getArg(1), truth);
    }
    return holds(value(e, 0));
  }
  std::vector<Value> asked; ///< what lies at the places that the words name

private:
  using Words = std::optional<std::string>;

  static Words holds(const Words &what) { return what ? Words("bool(" + *what + ")") : what; }

  Words comparison(clang::BinaryOperatorKind op, const clang::Expr *a, const clang::Expr *b, bool &truth) {
    if (op == clang::BO_NE || op == clang::BO_GE || op == clang::BO_LE) {
      truth = !truth;
      op = clang::BinaryOperator::negateComparisonOp(op);
    }
    const auto isNull = [&](const clang::Expr *e) {
      return e->isNullPointerConstant(m.ast(), clang::Expr::NPC_ValueDependentIsNotNull) != clang::Expr::NPCK_NotNull;
    };
    if (op == clang::BO_EQ && a->getType()->isPointerType() && isNull(b)) {
      truth = !truth;
      return holds(value(a, 0));
    }
    Words x = value(a, 0), y = value(b, 0);
    if (!x || !y)
      return std::nullopt;
    if (op == clang::BO_GT) {
      std::swap(x, y);
      op = clang::BO_LT;
    }
    if (op == clang::BO_EQ && *y < *x)
      std::swap(x, y);
    return *x + (op == clang::BO_EQ ? " == " : op == clang::BO_LT ? " < " : " <=> ") + *y;
  }

  Words value(const clang::Expr *e, unsigned depth) {
    if (depth > deepest)
      return std::nullopt;
    e = e->IgnoreParenImpCasts();
    if (const auto *wrapper = llvm::dyn_cast<clang::FullExpr>(e))
      return value(wrapper->getSubExpr(), depth + 1);
    if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(e))
      return value(temporary->getSubExpr(), depth + 1);
    if (const auto *temporary = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(e))
      return value(temporary->getSubExpr(), depth + 1);
    if (const auto *text = llvm::dyn_cast<clang::StringLiteral>(e))
      return fmt::format("'{}'", text->getBytes().str());
    if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(e)) // a std::string of what is written
      return made->getNumArgs() != 0 ? value(made->getArg(0), depth + 1) : std::nullopt;
    clang::Expr::EvalResult number;
    if (e->getType()->isIntegralOrEnumerationType() && !e->isValueDependent() && e->EvaluateAsInt(number, m.ast()))
      return fmt::format("{}", number.Val.getInt().getExtValue());
    if (const auto *real = llvm::dyn_cast<clang::FloatingLiteral>(e))
      return fmt::format("{}", real->getValueAsApproximateDouble());
    if (const auto *call = llvm::dyn_cast<clang::CallExpr>(e))
      return answerOf(*call, depth);
    return held(*e);
  }

  /// What a const method or an operator says: the same of the same values.
  Words answerOf(const clang::CallExpr &call, unsigned depth) {
    const auto *method = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call);
    const auto *op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call);
    const clang::FunctionDecl *callee = call.getDirectCallee();
    const auto *declared = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
    if (!callee || (!method && !op) || (declared && !declared->isConst() && !declared->getParent()->isInStdNamespace()))
      return std::nullopt;
    if (op && (op->isAssignmentOp() || op->getOperator() == clang::OO_PlusPlus ||
               op->getOperator() == clang::OO_MinusMinus || op->getOperator() == clang::OO_Call))
      return std::nullopt;
    std::string words;
    if (method) {
      Words self = value(method->getImplicitObjectArgument(), depth + 1);
      if (!self)
        return self;
      const bool asks = llvm::isa<clang::CXXConversionDecl>(callee) || callee->getNameAsString() == "has_value";
      if (asks)
        return self;
      words = *self;
    }
    words += "." + callee->getNameAsString();
    for (const clang::Expr *argument : call.arguments()) {
      const Words one = value(argument, depth + 1);
      if (!one)
        return one;
      words += "," + *one;
    }
    return words;
  }

  /// What lies at a name, which nothing is done by evaluating it.
  Words held(const clang::Expr &e) {
    if (!e.isGLValue() || e.HasSideEffects(m.ast()))
      return std::nullopt;
    const Pointer at = m.lvalue(&e);
    const Place *only = at.only();
    if (!only || !only->object)
      return std::nullopt;
    const Value v = m.peek(*only, e.getType());
    if (const Symbol *s = v.symbol())
      return fmt::format("s{}", s->id.index());
    switch (m.object(only->object).storage) {
    case Storage::Local: // `const bool gated = config.mode == "gated";`
      if (!e.getType()->isBooleanType())
        return std::nullopt;
      [[fallthrough]];
    case Storage::This:
    case Storage::Pointee:
    case Storage::Parameter:
    case Storage::Global:
    case Storage::Static: {
      asked.push_back(v);
      std::string place = fmt::format("o{}", only->object.index());
      for (const Step &step : only->path)
        place += step.str();
      return place;
    }
    default:
      return std::nullopt;
    }
  }

  Machine &m;
};

/// Nobody has written it in between, as far as that can be seen.
bool isStill(const Value &a, const Value &b) {
  const Number *x = a.number(), *y = b.number();
  return a.same(b) || (x && y && !x->known && !y->known && x->kind == y->kind);
}

} // namespace

std::optional<bool> HostConditions::decided(Machine &m, const clang::Expr *condition) const {
  if (answers.empty())
    return std::nullopt;
  bool truth = true;
  const clang::Expr *e = withoutNot(condition, truth);
  if (const clang::BinaryOperator *both = asLogical(e)) {
    const bool isAnd = both->getOpcode() == clang::BO_LAnd;
    const auto a = decided(m, both->getLHS());
    const auto b = decided(m, both->getRHS());
    if ((a && *a != isAnd) || (b && *b != isAnd))
      return truth != isAnd; // one of them settles it
    return a && b ? std::optional(truth == isAnd) : std::nullopt;
  }
  Spelling spelling(m);
  const auto words = spelling.question(e, truth);
  const auto known = words ? answers.find(*words) : answers.end();
  if (known == answers.end() || !std::ranges::equal(known->second.asked, spelling.asked, isStill))
    return std::nullopt;
  return known->second.truth == truth;
}

void HostConditions::assume(Machine &m, const clang::Expr *condition, bool truth) {
  const clang::Expr *e = withoutNot(condition, truth);
  if (const clang::BinaryOperator *both = asLogical(e)) {
    if (truth != (both->getOpcode() == clang::BO_LAnd))
      return; // either of them may be why
    assume(m, both->getLHS(), truth);
    assume(m, both->getRHS(), truth);
    return;
  }
  Spelling spelling(m);
  if (const auto words = spelling.question(e, truth))
    answers.insert_or_assign(*words, Answer{truth, std::move(spelling.asked)});
}

} // namespace condlint::cxx
