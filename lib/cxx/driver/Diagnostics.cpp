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

/// The user made an error of a warning; what the source says is there all the same.
static bool isStrictWarning(const clang::Diagnostic &info) {
  const clang::DiagnosticIDs &ids = *info.getDiags()->getDiagnosticIDs();
  return ids.isWarningOrExtension(info.getID()) && !ids.isDefaultMappingAsError(info.getID());
}

void ErrorCollector::keepPlace(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &info) {
  constexpr std::size_t kept = 1000;
  if (!info.hasSourceManager() || places.untoldFrom.isValid())
    return;
  const clang::SourceManager &sm = info.getSourceManager();
  const clang::SourceLocation at = sm.getExpansionLoc(info.getLocation());
  if (at.isValid())
    places.known.push_back(at);
  // Behind a fatal error the compiler is silent.
  if (level == clang::DiagnosticsEngine::Fatal || places.known.size() >= kept)
    places.untoldFrom = !places.known.empty() ? places.known.back() : sm.getLocForStartOfFile(sm.getMainFileID());
}

void ErrorCollector::HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &info) {
  constexpr std::size_t kept = 20;
  if (muted || level < clang::DiagnosticsEngine::Error || isStrictWarning(info))
    return;
  keepPlace(level, info);
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
