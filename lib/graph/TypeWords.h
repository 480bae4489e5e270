//===- TypeWords.h - Types and sizes in words --------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_GRAPH_TYPEWORDS_H
#define CONDLINT_GRAPH_TYPEWORDS_H

#include "condlint/Graph.h"
#include <span>
#include <string>
#include <string_view>

namespace condlint {

/// Sizes or strides for messages: "[s0, 4]".
std::string spellDims(const DimTable &table, std::span<const Dim> dims);
/// A type for messages: "float32[s0, 4]", "float32 of unknown rank", "sequence of float32[2]", "None".
std::string spellType(const Model &m, const Type &t);
/// Its element type: "float32", "some floating type", "int64 or some floating type", "unknown dtype".
std::string spellElement(const Type &t);
/// A kind as one would say it: "tensor", "symbolic int", "string".
std::string_view spellKind(ValueKind k);

} // namespace condlint

#endif // CONDLINT_GRAPH_TYPEWORDS_H
