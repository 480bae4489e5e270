//===- Shadows.h - Initializers that hide a name around them ----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_GRAPH_SHADOWS_H
#define CONDLINT_LIB_GRAPH_SHADOWS_H

#include "condlint/Graph.h"
#include <cstddef>
#include <optional>
#include <span>

namespace condlint {

/// An initializer of a nested graph that has the name of a value around it.
struct Shadow {
  ValueId value, outer;
  std::optional<std::size_t> issue = {}; ///< of the model: that it is so
};

/// Finds out, when all of \p m is read, which of the two ONNX Runtime takes: it passes an `If` whatever one of its
/// branches reads from outside, and the nodes of each branch take what has a name that they know; what hides it in a
/// loop's body is the body's own. Where the outer value counts, and is not known to be equal, the issue becomes
/// `ShadowedConstant`, and the model says what is passed instead.
void settleShadows(Model &m, std::span<const Shadow> shadows);

} // namespace condlint

#endif // CONDLINT_LIB_GRAPH_SHADOWS_H
