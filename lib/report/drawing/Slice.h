//===- Slice.h - The part of a branch that matters --------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_REPORT_DRAWING_SLICE_H
#define CONDLINT_LIB_REPORT_DRAWING_SLICE_H

#include "SideGraph.h"
#include <cstdint>
#include <vector>

namespace condlint::drawing {

/// Which vertices of \p g matter, at most about \p most: each of \p named with one way from a port and one to an
/// output, then \p outputs (all where none is given and no way leads to one) with what makes them, the nearest first.
std::vector<bool> sliceOf(const SideGraph &g, const std::vector<std::uint32_t> &named,
                          const std::vector<std::uint32_t> &outputs, std::size_t most);

} // namespace condlint::drawing

#endif // CONDLINT_LIB_REPORT_DRAWING_SLICE_H
