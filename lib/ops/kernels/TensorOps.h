//===- TensorOps.h - Tensors as kernels compose them ------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_TENSOROPS_H
#define CONDLINT_LIB_OPS_KERNELS_TENSOROPS_H

#include "../Kernel.h"
#include "../Promotion.h"
#include "Element.h"
#include <array>
#include <initializer_list>

namespace condlint {

using SizeSpan = std::span<const std::int64_t>;

// --- words, numbers, axes -------------------------------------------------------
std::string shapeText(SizeSpan s); ///< "[2, 3]"
/// The elements of an integer or bool tensor.
Sizes integersOf(const ExecContext &c, const Tensor &t);
/// The elements of a tensor of numbers.
std::vector<double> doublesOf(const ExecContext &c, const Tensor &t);
std::vector<std::string> stringsOf(const ExecContext &c, const Tensor &t);
Tensor tensorOf(const ExecContext &c, SizeSpan sizes, const std::vector<std::string> &values);
Tensor tensorOf(const ExecContext &c, const std::vector<std::int64_t> &values);           ///< int64, of rank 1
Tensor tensorOf(const ExecContext &c, SizeSpan sizes, const std::vector<double> &values); ///< float64
Scalar scalarOfTensor(const ExecContext &c, const Tensor &t);                             ///< of one element
/// \p axis counted from the front; -1 is the last. A rank of 0 counts as 1.
std::size_t axisOf(const ExecContext &c, std::int64_t axis, std::size_t rank);
/// The axes meant, sorted; all for an empty list.
std::vector<std::size_t> axesOf(const ExecContext &c, SizeSpan axes, std::size_t rank);
Sizes sizesOf(const Tensor &t);
std::int64_t product(SizeSpan s);

// --- shapes and layouts ---------------------------------------------------------
Sizes broadcast(const ExecContext &c, SizeSpan a, SizeSpan b);
Tensor expanded(const ExecContext &c, const Tensor &t, SizeSpan sizes);
/// Strides of a dense tensor whose axes lie in memory in \p order, innermost first.
Sizes denseStrides(SizeSpan sizes, std::span<const std::size_t> order);
bool isDense(const Tensor &t);
bool isChannelsLast(const Tensor &t); ///< rank 4 or 5
/// The axes of \p t, of rank 4 or 5, lie in the order of channels last, gaps or not: the memory format that torch's
/// kernels give what they make of it.
bool suggestsChannelsLast(const Tensor &t);
Sizes channelsLastStrides(SizeSpan sizes);
/// How torch lays out the result of an elementwise operator (TensorIterator). \p numbers:
/// some operand is a number.
Sizes elementwiseStrides(SizeSpan shape, std::span<const Tensor *const> operands, bool numbers);
/// The layout of `torch.preserve_format`.
Sizes preservedStrides(const Tensor &t);
/// The strides of \p t, gaps between its elements included; where some of them lie in one place, dense ones.
Sizes ownStrides(const Tensor &t);
/// torch's memory formats: 1 contiguous, 2 and 3 channels last, 4 preserve.
Sizes formatStrides(const ExecContext &c, const Tensor &t, std::int64_t format);

// --- copies ---------------------------------------------------------------------
/// Converts and stretches \p from into \p to, which the caller may write.
void copyInto(const ExecContext &c, const Tensor &to, const Tensor &from);
Tensor copied(const ExecContext &c, const Tensor &t);     ///< row-major
Tensor contiguous(const ExecContext &c, const Tensor &t); ///< itself where it is row-major
Tensor cast(const ExecContext &c, const Tensor &t, DType to);
Tensor laidOut(const ExecContext &c, const Tensor &t, SizeSpan strides); ///< a copy unless they are its strides
/// \p out in channels last, where \p like suggests that.
Tensor keepFormat(const ExecContext &c, const Tensor &out, const Tensor &like);
Tensor reshaped(const ExecContext &c, const Tensor &t, SizeSpan sizes); ///< a view where possible
Tensor filled(const ExecContext &c, DType t, SizeSpan sizes, const Scalar &value);
void fill(const ExecContext &c, const Tensor &t, const Scalar &value);
Tensor scalarTensor(const ExecContext &c, const Scalar &value, DType t);
/// Row-major, in the type it is computed in.
Tensor computing(const ExecContext &c, const Tensor &t);
/// The same in floating point: integers become float, or double.
Tensor floating(const ExecContext &c, const Tensor &t);
Tensor concatenated(const ExecContext &c, std::span<const Tensor> list, std::size_t axis);
Tensor permuted(const Tensor &t, std::initializer_list<std::size_t> axes);
/// The view of the storage of \p t that the arguments `size` and `stride` describe, from \p offset on.
Tensor stridedView(const ExecContext &c, const Tensor &t, std::int64_t offset);

// --- elementwise ----------------------------------------------------------------
/// Runs \p loops over \p operands, stretched to \p out.
void elementwise(const ExecContext &c, const ElementLoops &loops, const void *functor, Compute compute,
                 const Tensor &out, std::span<const Operand> operands);
/// The same into a new tensor of element type \p t; torch: laid out as torch does.
Tensor elementwise(const ExecContext &c, const ElementLoops &loops, const void *functor, Compute compute, DType t,
                   std::span<const Operand> operands);
template <class F>
Tensor elementwise(const ExecContext &c, const F &f, Compute compute, DType t,
                   std::initializer_list<Operand> operands) {
  return elementwise(c, elementLoops<F>(), &f, compute, t, std::span(operands.begin(), operands.size()));
}
/// \p f over \p operands, which have the type of the first that is a tensor; the
/// result has it too.
template <class F> Tensor map(const ExecContext &c, const F &f, std::initializer_list<Operand> operands) {
  DType t = DType::Unknown;
  for (const Operand &o : operands)
    if (o.isTensor() && t == DType::Unknown)
      t = o.dtype();
  return elementwise(c, f, computeOf(t), F::predicate ? DType::Bool : t, operands);
}
inline Operand operandOf(const Tensor &t) { return {t, {}}; }
inline Operand operandOf(double v) { return {{}, Scalar::of(v)}; }

// Arithmetic on tensors and numbers, in the type of the first tensor.
Tensor add(const ExecContext &c, const Operand &a, const Operand &b);
Tensor sub(const ExecContext &c, const Operand &a, const Operand &b);
Tensor mul(const ExecContext &c, const Operand &a, const Operand &b);
Tensor div(const ExecContext &c, const Operand &a, const Operand &b);
Tensor select(const ExecContext &c, const Tensor &condition, const Operand &a, const Operand &b);

/// Indices of the elements that are not zero: int64 [n, rank] (Indexing).
Tensor nonzero(const ExecContext &c, const Tensor &t);
/// To the nearest, ties to even; to 8 bits with saturation.
Tensor castRounded(const ExecContext &c, const Tensor &t, DType to);
/// Casts with strings, and for 8-bit floats with saturation, as ONNX does.
Tensor castOnnx(const ExecContext &c, const Tensor &t, DType to, bool saturate);

// --- matrices (MatrixProduct) -------------------------------------------------------
/// The product over the last two axes, with leading axes stretched; in the type
/// of the operands, which are of one element type.
Tensor matmul(const ExecContext &c, const Tensor &a, const Tensor &b);
/// The same in the type that it is computed in: of halves, in single precision.
Tensor wideMatmul(const ExecContext &c, const Tensor &a, const Tensor &b);
/// out = a * b for matrices of one compute type; the rows of \p out are dense.
void multiplyInto(const ExecContext &c, const Tensor &a, const Tensor &b, const Tensor &out);
/// round(x / scale) + zero, saturated to the 8 bits of \p zero.
Tensor requantized(const ExecContext &c, const Tensor &x, const Tensor &scale, const Tensor &zero);

/// Calls \p f with a value of the type that \p c computes in.
template <class F> void withCompute(Compute c, const F &f) {
  switch (c) {
  case Compute::F32:
    return f(float{});
  case Compute::F64:
    return f(double{});
  case Compute::I64:
    return f(std::int64_t{});
  case Compute::U64:
    return f(std::uint64_t{});
  case Compute::C128:
    return f(ComplexDouble{});
  }
}
/// The same for what has no complex numbers; those fail.
template <class F> void withReal(const ExecContext &e, Compute c, const F &f) {
  if (c == Compute::C128)
    e.fail("complex numbers are not supported here");
  else if (c == Compute::F32)
    f(float{});
  else if (c == Compute::F64)
    f(double{});
  else if (c == Compute::I64)
    f(std::int64_t{});
  else
    f(std::uint64_t{});
}
template <class F> void withFloating(Compute c, const F &f) {
  if (c == Compute::F32)
    f(float{});
  else
    f(double{});
}

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_TENSOROPS_H
