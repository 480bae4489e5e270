//===- SourceMap.cpp - Places of Clang's as places of the model -----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SourceMap.h"
#include "../interp/machine/Types.h"
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

namespace condlint::cxx {

/// Where the name stands in \p callee; invalid where it names nothing.
static clang::SourceLocation nameIn(const clang::Expr *callee) {
  if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(callee))
    return member->getMemberLoc();
  if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(callee))
    return ref->getLocation();
  if (const auto *overloads = llvm::dyn_cast<clang::OverloadExpr>(callee))
    return overloads->getNameLoc();
  return {};
}

clang::SourceLocation placeOf(const clang::Stmt &s) {
  const auto *e = llvm::dyn_cast<clang::Expr>(&s);
  if (!e)
    return s.getBeginLoc();
  e = e->IgnoreImplicit();
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(e); call && !llvm::isa<clang::CXXOperatorCallExpr>(call)) {
    // A conversion operator is called without its name.
    const clang::SourceLocation name = nameIn(call->getCallee()->IgnoreParenImpCasts());
    return name.isValid() ? name : call->getBeginLoc();
  }
  if (const auto *broken = llvm::dyn_cast<clang::RecoveryExpr>(e); broken && !broken->subExpressions().empty())
    if (const auto name = nameIn(broken->subExpressions().front()->IgnoreParenImpCasts()); name.isValid())
      return name;
  return e->getExprLoc();
}

const clang::FunctionDecl *namedFunction(const clang::FunctionDecl *f) {
  while (f) {
    const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(f);
    if (!method || !method->getParent()->isLambda())
      return f;
    const clang::DeclContext *around = method->getParent()->getDeclContext();
    while (around && !around->isTranslationUnit() && !llvm::isa<clang::FunctionDecl>(around))
      around = around->getParent();
    const auto *outer = llvm::dyn_cast_or_null<clang::FunctionDecl>(around);
    if (!outer)
      return f;
    f = outer;
  }
  return f;
}

SourceLocation sourceLocation(const clang::ASTContext &ast, clang::SourceRange range, std::string_view function) {
  SourceLocation out;
  const clang::SourceManager &sm = ast.getSourceManager();
  if (range.getBegin().isInvalid())
    return out;
  const clang::SourceLocation begin = sm.getExpansionLoc(range.getBegin());
  clang::SourceLocation end = range.getEnd().isValid() ? sm.getExpansionRange(range.getEnd()).getEnd() : begin;
  const auto [file, first] = sm.getDecomposedLoc(begin);
  if (sm.getFileID(end) != file)
    end = begin;
  end = clang::Lexer::getLocForEndOfToken(end, 0, sm, ast.getLangOpts());
  if (const auto entry = sm.getFileEntryRefForID(file))
    out.path = entry->getName().str();
  out.function = function;
  out.line = sm.getLineNumber(file, first);
  out.column = sm.getColumnNumber(file, first);
  if (end.isValid()) {
    const unsigned last = sm.getFileOffset(end);
    out.endLine = sm.getLineNumber(file, last);
    out.endColumn = sm.getColumnNumber(file, last);
  }
  return out;
}

LocationId SourceMap::at(clang::SourceRange range, const clang::FunctionDecl *in) {
  const clang::FunctionDecl *named = namedFunction(in);
  const auto key = std::make_tuple(range.getBegin().getRawEncoding(), range.getEnd().getRawEncoding(), named);
  auto [entry, isNew] = known.try_emplace(key, LocationId());
  if (isNew) {
    const auto [name, isFirst] = names.try_emplace(named);
    if (isFirst && named)
      name->second = qualifiedNameOf(*named);
    entry->second = m.addLocation(sourceLocation(ast, range, name->second));
  }
  return entry->second;
}

LocationId SourceMap::at(const clang::Stmt &s, const clang::FunctionDecl *in) {
  const clang::SourceLocation place = placeOf(s);
  clang::SourceLocation end = s.getEndLoc();
  const clang::SourceManager &sm = ast.getSourceManager();
  if (place.isValid() && end.isValid() && sm.isBeforeInTranslationUnit(end, place))
    end = place;
  return at({place, end}, in);
}

} // namespace condlint::cxx
