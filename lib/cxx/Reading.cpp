//===- Reading.cpp - A parsed translation unit to graphs ------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reading.h"
#include "tensorrt/ReadNetworks.h"
#include "torch/TorchReader.h"

namespace condlint::cxx {

UnitReading readConditionals(clang::ASTContext &ast, clang::Preprocessor *pp, const SourceOptions &options) {
  UnitReading out;
  readTorch(ast, pp, options, out);
  if (auto networks = readNetworks(ast, pp, options, out.notUnderstood))
    out.models.push_back(std::move(*networks));
  return out;
}

} // namespace condlint::cxx
