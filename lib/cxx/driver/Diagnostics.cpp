//===- Diagnostics.cpp - What Clang says, as text -------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Diagnostics.h"
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/SmallString.h>

namespace condlint::cxx {

void ErrorCollector::HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &info) {
  constexpr std::size_t kept = 20, keptPlaces = 1000;
  if (muted || level < clang::DiagnosticsEngine::Error)
    return;
  if (info.hasSourceManager() && info.getLocation().isValid() && places.size() < keptPlaces)
    places.push_back(info.getSourceManager().getExpansionLoc(info.getLocation()));
  if (++count > kept)
    return;
  CxxRemark error;
  llvm::SmallString<256> text;
  info.FormatDiagnostic(text);
  error.message = text.str().str();
  if (info.hasSourceManager() && info.getLocation().isValid()) {
    const clang::SourceManager &sm = info.getSourceManager();
    const clang::PresumedLoc at = sm.getPresumedLoc(sm.getExpansionLoc(info.getLocation()));
    if (at.isValid()) {
      error.location.path = at.getFilename();
      error.location.line = at.getLine();
      error.location.column = at.getColumn();
    }
  }
  errors.push_back(std::move(error));
}

} // namespace condlint::cxx
