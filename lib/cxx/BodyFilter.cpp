//===- BodyFilter.cpp - Whose bodies are read -----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reading.h"
#include <clang/AST/DeclBase.h>
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

} // namespace condlint::cxx
