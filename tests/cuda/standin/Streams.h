//===- Streams.h - What a stream is asked for -------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TESTS_CUDA_STANDIN_STREAMS_H
#define CONDLINT_TESTS_CUDA_STANDIN_STREAMS_H

#include "cuda_runtime.h"

namespace standin {

bool isCapturing(cudaStream_t stream);
/// As \c submit, and not counted as a kernel.
cudaError_t submitCopy(cudaStream_t stream, std::function<void()> work);
/// A kernel is running.
bool onDevice();

} // namespace standin

#endif // CONDLINT_TESTS_CUDA_STANDIN_STREAMS_H
