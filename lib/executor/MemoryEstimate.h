//===- MemoryEstimate.h - What a run takes at least -------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_EXECUTOR_MEMORYESTIMATE_H
#define CONDLINT_LIB_EXECUTOR_MEMORYESTIMATE_H

#include "condlint/Graph.h"
#include <cstdint>

namespace condlint {

/// The moment of a run at which the main graph's own tensors take most.
struct MemoryEstimate {
  std::uint64_t bytes = 0;
  NodeId node; ///< what runs then
};

/// A lower bound: only what is known beforehand counts, with \p symbols of the inputs, and
/// only results that are no views. So a run that is refused for it could not have ended.
/// \p enough: a bound that does not interest.
MemoryEstimate leastMemory(const Model &m, const Assignment &symbols, std::uint64_t enough);

} // namespace condlint

#endif // CONDLINT_LIB_EXECUTOR_MEMORYESTIMATE_H
