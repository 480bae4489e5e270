//===- Matrices.h - Batches of matrices and what is made of them *- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_MATRICES_H
#define CONDLINT_LIB_OPS_MATRICES_H

#include "condlint/Op.h"
#include <initializer_list>

namespace condlint {

// A stands for batches of matrices [..., rows, columns]. Results come out of
// LAPACK column by column in some versions and row by row in others, so that no
// strides are claimed for matrices.

/// The operand that is a batch of matrices, whatever its operator calls it.
const Type &matrix(InferContext &c);
/// Result \p i: the batch of \p a, which \p matrixAxes axes follow, then \p tail.
void setBatched(InferContext &c, std::size_t i, DType element, const Type &a, std::size_t matrixAxes,
                std::initializer_list<Dim> tail);
/// For each matrix of \p a a number, a vector or a matrix, or one of the same sizes.
void setNumber(InferContext &c, std::size_t i, DType element, const Type &a);
void setVector(InferContext &c, std::size_t i, DType element, const Type &a, Dim size);
void setMatrix(InferContext &c, std::size_t i, DType element, const Type &a, Dim rows, Dim columns);
void setSame(InferContext &c, std::size_t i, DType element, const Type &a);
/// Result \p i: the batches of \p a and \p b stretched to each other, then \p tail.
void setFromBoth(InferContext &c, std::size_t i, const Type &a, const Type &b, std::initializer_list<Dim> tail);
/// Rejects what is definitely no batch of square matrices.
bool square(InferContext &c, const Type &a);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_MATRICES_H
