//===- Gaps.cpp - Where code is missing in an AST -------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gaps.h"
#include "StmtWalk.h"
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceManager.h>

namespace condlint::cxx {

static bool holds(const clang::SourceManager &sm, clang::SourceRange code, clang::SourceLocation at) {
  return code.isValid() && !sm.isBeforeInTranslationUnit(at, sm.getExpansionLoc(code.getBegin())) &&
         !sm.isBeforeInTranslationUnit(sm.getExpansionLoc(code.getEnd()), at);
}

/// An error in \p s changes nothing for what comes behind it but what \p s declares; a lambda is run on its own.
static bool isContained(const clang::Stmt &s) {
  return llvm::isa<clang::DeclStmt, clang::ReturnStmt, clang::LambdaExpr>(s);
}

clang::SourceLocation firstGap(const SourceOptions &options, const clang::SourceManager &sm, const clang::Stmt &body) {
  clang::SourceLocation first;
  const auto consider = [&](clang::SourceLocation at) {
    if (first.isInvalid() || sm.isBeforeInTranslationUnit(at, first))
      first = at;
  };
  const clang::SourceRange all = body.getSourceRange();
  for (const clang::SourceLocation error : options.errors.known)
    if (holds(sm, all, error) && !findStatement(&body, [&](const clang::Stmt &s) {
          return !holds(sm, s.getSourceRange(), error) ? Walk::Past : isContained(s) ? Walk::Found : Walk::On;
        }))
      consider(error);
  const clang::SourceLocation untold = options.errors.untoldFrom;
  if (untold.isValid() && all.isValid() && !sm.isBeforeInTranslationUnit(sm.getExpansionLoc(all.getEnd()), untold))
    consider(holds(sm, all, untold) ? untold : sm.getExpansionLoc(all.getBegin()));
  return first;
}

} // namespace condlint::cxx
