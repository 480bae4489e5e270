//===- Diagnostics.h - What Clang says, as text -----------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_DRIVER_DIAGNOSTICS_H
#define CONDLINT_CXX_DRIVER_DIAGNOSTICS_H

#include "../Reading.h"
#include "cxx/CxxReader.h"
#include <clang/Basic/Diagnostic.h>
#include <string>
#include <vector>

namespace condlint::cxx {

/// Keeps Clang's errors; warnings and notes are not our question.
class ErrorCollector : public clang::DiagnosticConsumer {
public:
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &info) override;

  /// While this is set nothing is kept: what the compiler tries on our behalf is
  /// no error of the source.
  bool muted = false;
  std::size_t count = 0;
  std::vector<CxxRemark> errors; ///< the first ones
  ErrorPlaces places;

private:
  void keepPlace(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &info);
};

} // namespace condlint::cxx

#endif // CONDLINT_CXX_DRIVER_DIAGNOSTICS_H
