//===- DirectConvolution.h - Convolutions without columns -------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_DIRECTCONVOLUTION_H
#define CONDLINT_LIB_OPS_KERNELS_DIRECTCONVOLUTION_H

#include "Windows.h"

namespace condlint {

/// Computes a convolution with few channels in a group on the host, where a product of matrices would be too narrow to
/// pay: depthwise ones, and those of many groups. \p x [n, channels, …] and \p weight [outputs, channels / groups, …]
/// are dense and of the type of \p out. False, and nothing is done, where it does not suit.
bool convolveDirectly(const ExecContext &c, const Tensor &x, const Tensor &weight, const SlidingWindow &w,
                      std::int64_t groups, const Tensor &out);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_DIRECTCONVOLUTION_H
