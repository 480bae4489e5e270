//===- Reading.cpp - A parsed translation unit to graphs ------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reading.h"
#include "tensorrt/ReadNetworks.h"
#include "torch/TorchReader.h"
#include <algorithm>
#include <clang/Basic/SourceManager.h>

namespace condlint::cxx {

bool holdsError(const SourceOptions &options, const clang::SourceManager &sm, clang::SourceRange code) {
  const ErrorPlaces &errors = options.errors;
  if ((errors.known.empty() && errors.untoldFrom.isInvalid()) || code.isInvalid())
    return false;
  const clang::SourceLocation begin = sm.getExpansionLoc(code.getBegin()), end = sm.getExpansionLoc(code.getEnd());
  if (errors.untoldFrom.isValid() && !sm.isBeforeInTranslationUnit(end, errors.untoldFrom))
    return true;
  return std::ranges::any_of(errors.known, [&](clang::SourceLocation error) {
    return !sm.isBeforeInTranslationUnit(error, begin) && !sm.isBeforeInTranslationUnit(end, error);
  });
}

UnitReading readConditionals(clang::ASTContext &ast, clang::Preprocessor *pp, const SourceOptions &options) {
  UnitReading out;
  readTorch(ast, pp, options, out);
  if (auto networks = readNetworks(ast, pp, options, out.notUnderstood))
    out.models.push_back(std::move(*networks));
  return out;
}

} // namespace condlint::cxx
