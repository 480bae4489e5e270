//===- Reading.cpp - A parsed translation unit to graphs ------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reading.h"
#include "torch/TorchReader.h"

namespace condlint::cxx {

UnitReading readConditionals(clang::ASTContext &ast, clang::Preprocessor *pp, const SourceOptions &options) {
  UnitReading out;
  readTorch(ast, pp, options, out);
  return out;
}

} // namespace condlint::cxx
