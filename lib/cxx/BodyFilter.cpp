//===- BodyFilter.cpp - Whose bodies are read -----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reading.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/Basic/SourceManager.h>

namespace condlint::cxx {

bool BodyFilter::needsBody(const clang::Decl &function, const clang::SourceManager &sm) {
  // A function that a macro makes is the code of whoever uses the macro.
  clang::SourceLocation at = sm.getExpansionLoc(function.getLocation());
  if (at.isInvalid())
    return false;
  clang::FileID file = sm.getFileID(at);
  if (file == sm.getMainFileID())
    return true;
  auto [entry, isNew] = files.try_emplace(static_cast<std::int32_t>(file.getHashValue()), false);
  if (isNew && !sm.isInSystemHeader(at)) {
    clang::OptionalFileEntryRef ref = sm.getFileEntryRefForID(file);
    entry->second = ref && (!opts.isProjectFile || opts.isProjectFile(std::string_view(ref->getName())));
  }
  return entry->second;
}

void BodyFilter::forEachRead(clang::ASTContext &ast, const std::function<void(clang::Decl *)> &visit) {
  const auto offer = [&](clang::Decl *d) {
    if (needsBody(*d, ast.getSourceManager()))
      visit(d);
  };
  for (clang::Decl *d : ast.getTraversalScope())
    if (auto *unit = llvm::dyn_cast<clang::TranslationUnitDecl>(d))
      std::ranges::for_each(unit->decls(), offer);
    else
      offer(d);
}

} // namespace condlint::cxx
