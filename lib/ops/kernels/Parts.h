//===- Parts.h - Kernels that others go on with -----------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What several nodes begin or end with: ONNX Runtime fuses an operator with what follows it.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_PARTS_H
#define CONDLINT_LIB_OPS_KERNELS_PARTS_H

#include "TensorOps.h"

namespace condlint {

// --- Convolution.cpp, MatrixProduct.cpp
/// What Conv and Gemm yield for the operands 0 to 2.
Tensor convOf(const ExecContext &c);
Tensor gemmOf(const ExecContext &c);

// --- Normalization.cpp
struct Normalized {
  Tensor out, mean, inverse; ///< mean and 1 / deviation of each row, in the compute type
};
/// The rows of \p x along \p axes; \p centre false: by the root mean square alone.
Normalized normalized(const ExecContext &c, const Tensor &x, std::span<const std::size_t> axes, const Tensor *weight,
                      const Tensor *bias, double eps, bool centre = true);

// --- Attention.cpp
/// [batch, length, heads * width] as [batch, heads, length, width]; of four axes it is that already.
Tensor splitHeads(const ExecContext &c, const Tensor &t, std::int64_t heads);
/// The way back.
Tensor joinHeads(const ExecContext &c, const Tensor &t);
/// The rows \p at of the matrix \p table.
Tensor rowsAt(const ExecContext &c, const Tensor &table, const Sizes &at);
/// \p x, [batch, length, heads, width], with pairs of its first \p width elements turned by the angles whose cosines
/// and sines are given, [batch, length, 1, width / 2].
Tensor rotatedPairs(const ExecContext &c, const Tensor &x, const Tensor &cosine, const Tensor &sine, std::int64_t width,
                    bool interleaved);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_PARTS_H
