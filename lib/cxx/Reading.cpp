//===- Reading.cpp - A parsed translation unit to graphs ------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reading.h"

namespace condlint::cxx {

UnitReading readConditionals(clang::ASTContext &, clang::Preprocessor *, const SourceOptions &) {
  // Nothing is read yet, and an empty reading claims nothing.
  return {};
}

} // namespace condlint::cxx
