//===- LoopCarries.h - What a loop carries from trip to trip ----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_GRAPH_LOOPCARRIES_H
#define CONDLINT_GRAPH_LOOPCARRIES_H

#include "condlint/Graph.h"
#include <cstddef>

namespace condlint {

/// Where what a loop of a serialized graph carries from trip to trip goes in, and where it comes back, for whoever asks
/// what holds in later trips. The inference of loops (ops/OnnxLoops.cpp, ops/TorchLoops.cpp) numbers them by itself.
struct LoopCarries {
  GraphId body;
  std::size_t count = 0;          ///< how many values are carried; of a Loop its condition is the first
  std::size_t firstOperand = 0;   ///< of the loop: what the first trip is given
  std::size_t firstParameter = 0; ///< of the body, and of the condition of a while_loop
  std::size_t firstResult = 0;    ///< of the body: what the next trip is given

  /// The carried value that stands \p i-th, by its place; none where the graph has no such value.
  ValueId given(const Model &m, NodeId loop, std::size_t i) const;
  ValueId parameter(const Model &m, std::size_t i) const;
  ValueId next(const Model &m, std::size_t i) const;
};

/// What \p loop carries; nothing for an operator that carries nothing, or one whose body is missing.
LoopCarries carriedBy(const Model &m, NodeId loop);

} // namespace condlint

#endif // CONDLINT_GRAPH_LOOPCARRIES_H
