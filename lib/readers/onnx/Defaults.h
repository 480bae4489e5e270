//===- Defaults.h - Sizes of inputs that have defaults ---------*- C++ -*- ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_READERS_ONNX_DEFAULTS_H
#define CONDLINT_READERS_ONNX_DEFAULTS_H

#include "condlint/Graph.h"

namespace condlint::onnx {

/// An input of the main graph that has an initializer may be left out, and is then as large as that: of a name that
/// another input declares its size by, too (`x: [N]`, `w: [N]` with three numbers), nobody knows then that both mean
/// the same. Such a size becomes a symbol of its own. One that all inputs of the name have from defaults alike stays.
void freeSizesOfDefaults(Model &m);

} // namespace condlint::onnx

#endif // CONDLINT_READERS_ONNX_DEFAULTS_H
