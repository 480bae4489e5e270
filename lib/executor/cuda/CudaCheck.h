//===- CudaCheck.h - What CUDA says is wrong --------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_EXECUTOR_CUDA_CUDACHECK_H
#define CONDLINT_LIB_EXECUTOR_CUDA_CUDACHECK_H

#include "ops/Kernel.h"
#include <cuda_runtime.h>
#include <fmt/format.h>
#include <string_view>

namespace condlint {

/// Throws what CUDA says is wrong.
inline void check(cudaError_t status, std::string_view what) {
  if (status != cudaSuccess)
    throw KernelFailure{fmt::format("CUDA cannot {}: {}", what, cudaGetErrorString(status))};
}

} // namespace condlint

#endif // CONDLINT_LIB_EXECUTOR_CUDA_CUDACHECK_H
