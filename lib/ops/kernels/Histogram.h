//===- Histogram.h - Kernels of histograms ----------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels that the tables of operators refer to for histograms.
// A kernel reads the node's operands and arguments from its context and sets the results.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_HISTOGRAM_H
#define CONDLINT_LIB_OPS_KERNELS_HISTOGRAM_H

namespace condlint {

class ExecContext;

void executeHistogram(ExecContext &c);
void executeHistogramOfPoints(ExecContext &c);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_HISTOGRAM_H
