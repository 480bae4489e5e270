//===- Reduction.h - What the definitions of reductions share ---*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_REDUCTION_H
#define CONDLINT_LIB_OPS_REDUCTION_H

#include "Elementwise.h"
#include "OpTable.h"

namespace condlint {

/// The axes that a torch reduction names in \p argument: nothing when absent, None
/// or (unless \p emptyIsNone is off) empty, which all mean every axis.
std::optional<std::vector<std::int64_t>> torchAxes(InferContext &c, std::string_view argument = "dim",
                                                   bool emptyIsNone = true);
/// The fresh tensor that reducing \p self over \p axes (all when absent) yields. An
/// axis out of range is rejected and leaves the shape unknown.
OwnedType reducedTensor(InferContext &c, DType dtype, const Type &self,
                        const std::optional<std::vector<std::int64_t>> &axes, bool keep);

// The parts of the reduction family.
std::span<const OpRow> torchReductionRows();
std::span<const OpRow> onnxReductionRows();
std::span<const OpRow> scanRows();

} // namespace condlint

#endif // CONDLINT_LIB_OPS_REDUCTION_H
