//===- Columns.h - Matrices as LAPACK takes them ----------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_COLUMNS_H
#define CONDLINT_LIB_OPS_KERNELS_COLUMNS_H

#include "TensorOps.h"

namespace condlint {

/// Matrices of complex doubles, one after the other, each column after column.
struct Columns {
  Tensor data; ///< Complex128, [count, columns, rows]
  Sizes lead;  ///< the batch that they are
  std::int64_t count = 0;
  int rows = 0, columns = 0;
  int smaller() const { return std::min(rows, columns); }
  ComplexDouble *at(std::int64_t i) const { return data.out<ComplexDouble>() + i * rows * columns; }
};

/// The operand that an operator on matrices works on.
const Tensor &matrixArgument(const ExecContext &c);
/// The matrices of \p t, copied. Other numbers than float, double and complex ones are refused, as torch does.
Columns columnsOf(const ExecContext &c, const Tensor &t, bool square = false);
/// The same stretched to the batch \p lead.
Columns columnsOf(const ExecContext &c, const Tensor &t, const Sizes &lead);
/// Matrices of zeros.
Columns zeroColumns(const ExecContext &c, const Sizes &lead, std::int64_t rows, std::int64_t columns);
/// \p m as element type \p t, laid out column after column as torch has them.
Tensor tensorOf(const ExecContext &c, const Columns &m, DType t);
/// \p m, row after row.
Tensor rowMajor(const ExecContext &c, const Columns &m, DType t);
/// A number of type \p t for each column of \p size, in the batch \p lead.
Tensor emptyVectors(const ExecContext &c, DType t, const Sizes &lead, std::int64_t size);

/// L and U of square or rectangular matrices, in one matrix, and the exchanged rows.
struct LuFactors {
  Columns matrices;
  Tensor pivots; ///< int32, counted from 1
  Tensor info;   ///< int32: the pivot that is zero, or 0
};
LuFactors luOf(const ExecContext &c, const Columns &a);

/// Singular values of each matrix, descending, as doubles.
Tensor singularValues(const ExecContext &c, const Tensor &x);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_COLUMNS_H
