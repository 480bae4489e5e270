//===- WrittenOutputs.cpp - Where a return spells its outputs -------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "WrittenOutputs.h"
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

namespace condlint::cxx {

namespace {

/// "at::Tensor", "std::tuple"; empty for what is no class.
std::string nameOf(clang::QualType type) {
  const clang::CXXRecordDecl *record = type.isNull() ? nullptr : type.getNonReferenceType()->getAsCXXRecordDecl();
  if (!record)
    return {};
  std::string name;
  llvm::raw_string_ostream out(name);
  clang::PrintingPolicy policy(record->getASTContext().getLangOpts());
  policy.SuppressInlineNamespace = llvm::to_underlying(clang::PrintingPolicy::SuppressInlineNamespaceMode::All);
  record->printQualifiedName(out, policy);
  return name;
}

bool isList(const std::string &name) {
  return name == "std::vector" || name == "std::tuple" || name == "std::pair" || name == "std::array";
}

/// What \p e says behind the copies and conversions that nobody wrote.
const clang::Expr *written(const clang::Expr *e) {
  while (true) {
    const clang::Expr *inner = e->IgnoreImplicit();
    const auto *construct = llvm::dyn_cast<clang::CXXConstructExpr>(inner);
    if (construct && !llvm::isa<clang::CXXTemporaryObjectExpr>(construct) && construct->getNumArgs() == 1 &&
        construct->getConstructor()->isCopyOrMoveConstructor())
      inner = construct->getArg(0);
    else if (const auto *list = llvm::dyn_cast<clang::CXXStdInitializerListExpr>(inner))
      inner = list->getSubExpr();
    else if (const auto *cast = llvm::dyn_cast<clang::CXXFunctionalCastExpr>(inner);
             cast && isList(nameOf(cast->getType())))
      inner = cast->getSubExpr();
    if (inner == e)
      return e;
    e = inner;
  }
}

/// True where `.clone()` behind \p e would belong to a part of it.
bool isCompound(const clang::Expr &e) {
  if (const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&e))
    return call->getOperator() != clang::OO_Call && call->getOperator() != clang::OO_Subscript;
  return !llvm::isa<clang::DeclRefExpr, clang::MemberExpr, clang::CallExpr, clang::ParenExpr, clang::ArraySubscriptExpr,
                    clang::CXXTemporaryObjectExpr>(e);
}

bool collect(const clang::Expr *e, std::vector<WrittenOutput> &out, unsigned depth) {
  constexpr unsigned deepest = 8, most = 256;
  e = written(e);
  if (depth > deepest || out.size() > most || e->getBeginLoc().isMacroID() || e->getEndLoc().isMacroID())
    return false;
  const auto all = [&](auto parts) {
    for (const clang::Expr *part : parts)
      if (!llvm::isa<clang::CXXDefaultArgExpr>(part) && !collect(part, out, depth + 1))
        return false;
    return true;
  };
  const std::string type = nameOf(e->getType());
  if (type == "at::Tensor") {
    out.push_back({e->getSourceRange(), isCompound(*e)});
    return true;
  }
  if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(e))
    return all(list->inits());
  if (!isList(type))
    return false;
  if (const auto *construct = llvm::dyn_cast<clang::CXXConstructExpr>(e))
    return all(construct->arguments());
  const auto *call = llvm::dyn_cast<clang::CallExpr>(e);
  const clang::FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  if (!callee || !callee->isInStdNamespace() || !callee->getIdentifier() ||
      (callee->getName() != "make_tuple" && callee->getName() != "make_pair"))
    return false;
  return all(call->arguments());
}

/// What is written in \p function is compiled once.
bool isCompiledOnce(const clang::FunctionDecl &function) {
  for (const clang::DeclContext *at = &function; at && !at->isFileContext(); at = at->getParent()) {
    if (llvm::isa<clang::ClassTemplateSpecializationDecl>(at))
      return false;
    const auto *f = llvm::dyn_cast<clang::FunctionDecl>(at);
    if (!f || !f->isTemplateInstantiation())
      continue;
    // A generic lambda that is called in one way.
    const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(f);
    const clang::FunctionTemplateDecl *pattern = f->getPrimaryTemplate();
    if (!method || !method->getParent()->isLambda() || !pattern ||
        std::distance(pattern->spec_begin(), pattern->spec_end()) != 1)
      return false;
  }
  return true;
}

} // namespace

std::vector<WrittenOutput> writtenOutputs(const clang::ReturnStmt &statement, const clang::FunctionDecl &function) {
  std::vector<WrittenOutput> out;
  if (!statement.getRetValue() || function.getReturnType()->isReferenceType() || !isCompiledOnce(function) ||
      !collect(statement.getRetValue(), out, 0))
    out.clear();
  return out;
}

std::optional<bool> needsParentheses(const clang::Expr &e, const clang::FunctionDecl &function) {
  const clang::Expr *said = written(&e);
  if (said->getBeginLoc().isMacroID() || said->getEndLoc().isMacroID() || !isCompiledOnce(function))
    return std::nullopt;
  return isCompound(*said);
}

} // namespace condlint::cxx
