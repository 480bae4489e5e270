//===- Faults.h - Memory that was touched from the wrong side ---*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TESTS_CUDA_STANDIN_FAULTS_H
#define CONDLINT_TESTS_CUDA_STANDIN_FAULTS_H

#include <cstddef>

namespace standin {

/// Whether devices made from now on find cuBLAS.
extern bool hasCublas;

/// Bytes of the device's memory that are taken.
std::size_t bytesTaken();

/// What the device was asked for so far.
struct Counts {
  unsigned atOnce = 0;   ///< kernels and matrix products outside of graphs
  unsigned inGraphs = 0; ///< the same in launches of graphs
  unsigned launches = 0; ///< of graphs
};
extern Counts counts;

} // namespace standin

#endif // CONDLINT_TESTS_CUDA_STANDIN_FAULTS_H
