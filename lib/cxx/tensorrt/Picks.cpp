//===- Picks.cpp - Values that code picks for what it builds ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Picks.h"
#include <algorithm>
#include <array>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>

namespace condlint::cxx {

bool isDimensions(clang::QualType type) {
  const auto *record = type.isNull() ? nullptr : type.getNonReferenceType()->getAsCXXRecordDecl();
  return record && record->getIdentifier() && record->getName().starts_with("Dims");
}

namespace {

bool isElementType(clang::QualType type) {
  const auto *e = type.getNonReferenceType()->getAs<clang::EnumType>();
  return e && e->getDecl()->getName() == "DataType";
}

/// A number that is no truth value and no character.
bool isWrittenNumber(const clang::ASTContext &ast, const clang::Expr &e) {
  const clang::QualType type = e.getType();
  if (!type->isIntegerType() || type->isBooleanType() || type->isAnyCharacterType() || type->isEnumeralType() ||
      e.isValueDependent())
    return false;
  clang::Expr::EvalResult value;
  return e.EvaluateAsInt(value, ast);
}

bool isValue(const clang::ASTContext &ast, const clang::Expr &e) {
  return isElementType(e.getType()) || isDimensions(e.getType()) || isWrittenNumber(ast, e);
}

/// An object, a text, or something that can be called or pointed to.
bool isObject(clang::QualType type) {
  type = type.getNonReferenceType();
  return type->isRecordType() || type->isAnyPointerType() || type->isFunctionType() || type->isArrayType();
}

/// Finds what is written to something.
class WriteFinder : public clang::DynamicRecursiveASTVisitor {
public:
  bool found = false;
  bool TraverseLambdaExpr(clang::LambdaExpr *) override { return true; }
  bool VisitBinaryOperator(clang::BinaryOperator *e) override { return is(e->isAssignmentOp()); }
  bool VisitUnaryOperator(clang::UnaryOperator *e) override { return is(e->isIncrementDecrementOp()); }
  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr *e) override { return is(e->isAssignmentOp()); }
  bool VisitCXXMemberCallExpr(clang::CXXMemberCallExpr *e) override { return is(isChanging(e->getMethodDecl())); }

private:
  static bool isChanging(const clang::CXXMethodDecl *method) {
    constexpr std::array changing{"push_back", "emplace_back", "push_front", "emplace_front", "insert", "emplace",
                                  "erase",     "assign",       "append",     "reset",         "clear",  "pop_back",
                                  "resize",    "push",         "swap",       "try_emplace",   "set"};
    return method && method->getParent()->isInStdNamespace() && method->getIdentifier() &&
           std::ranges::find(changing, method->getName()) != changing.end();
  }
  bool is(bool writes) {
    found = found || writes;
    return !found;
  }
};

/// Of a single statement of an arm.
Pick pickOf(const clang::ASTContext &ast, const clang::Stmt &s) {
  if (const auto *r = llvm::dyn_cast<clang::ReturnStmt>(&s)) {
    const clang::Expr *given = r->getRetValue();
    if (!given)
      return Pick::None;
    return isElementType(given->getType()) ? Pick::Returned : Pick::OtherReturned;
  }
  const auto *e = llvm::dyn_cast<clang::Expr>(&s);
  e = e ? e->IgnoreImplicit()->IgnoreParens() : nullptr;
  const clang::Expr *given = nullptr;
  if (const auto *assign = llvm::dyn_cast_or_null<clang::BinaryOperator>(e);
      assign && assign->getOpcode() == clang::BO_Assign)
    given = assign->getRHS();
  else if (const auto *call = llvm::dyn_cast_or_null<clang::CXXOperatorCallExpr>(e);
           call && call->getOperator() == clang::OO_Equal && call->getNumArgs() == 2)
    given = call->getArg(1);
  if (given && isValue(ast, *given))
    return Pick::Value;
  WriteFinder finder;
  finder.TraverseStmt(const_cast<clang::Stmt *>(&s));
  return finder.found ? Pick::Other : Pick::None;
}

Pick pickOfArm(const clang::ASTContext &ast, const clang::Stmt *arm) {
  const auto *block = llvm::dyn_cast_or_null<clang::CompoundStmt>(arm);
  if (!block)
    return arm ? pickOf(ast, *arm) : Pick::None;
  Pick found = Pick::None;
  for (const clang::Stmt *s : block->body())
    found = std::max(found, pickOf(ast, *s));
  return found;
}

} // namespace

Pick pickOf(const clang::ASTContext &ast, std::span<const clang::Stmt *const> arms) {
  if (arms.size() != 2)
    return Pick::None;
  // Of `?:` the arms are what is picked from.
  const auto *a = llvm::dyn_cast_or_null<clang::Expr>(arms[0]);
  const auto *b = llvm::dyn_cast_or_null<clang::Expr>(arms[1]);
  if (a && b && !a->getType()->isVoidType()) {
    // `width > 0 ? width : 64`: one of the numbers is written down.
    const bool numbers = a->getType()->isIntegerType() && b->getType()->isIntegerType();
    const bool first = isValue(ast, *a), second = isValue(ast, *b);
    if ((first && second) || (numbers && (first || second)))
      return Pick::Value;
    // What is written in neither was picked from what there is.
    return isObject(a->getType()) || a->getType()->isIntegralOrEnumerationType() ? Pick::Other : Pick::None;
  }
  return std::max(pickOfArm(ast, arms[0]), pickOfArm(ast, arms[1]));
}

Pick pickIn(const clang::SwitchStmt &s) {
  WriteFinder finder;
  finder.TraverseStmt(const_cast<clang::Stmt *>(s.getBody()));
  return finder.found ? Pick::Other : Pick::None;
}

} // namespace condlint::cxx
