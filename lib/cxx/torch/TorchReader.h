//===- TorchReader.h - The cond-like calls of a unit ------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TORCH_TORCHREADER_H
#define CONDLINT_CXX_TORCH_TORCHREADER_H

#include "../Reading.h"

namespace condlint::cxx {

/// Adds to \p out a model of all functions of the unit that hold a cond-like call, if there are any.
void readTorch(clang::ASTContext &ast, clang::Preprocessor *pp, const SourceOptions &options, UnitReading &out);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TORCH_TORCHREADER_H
