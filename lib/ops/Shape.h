//===- Shape.h - How sizes and strides move ---------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_SHAPE_H
#define CONDLINT_LIB_OPS_SHAPE_H

#include "Elementwise.h"
#include "condlint/Op.h"
#include <optional>
#include <span>
#include <vector>

namespace condlint {

/// No system computes with tensors of more axes; what has more is not followed.
constexpr std::size_t maxRank = 256;

// --- sizes ------------------------------------------------------------------
/// The smaller and the larger one; the known bounds decide where they can.
Dim smaller(DimTable &dims, Dim a, Dim b);
Dim larger(DimTable &dims, Dim a, Dim b);
/// The two sizes differ whatever the symbols are.
bool neverEqual(const DimTable &dims, Dim a, Dim b);
/// As many sizes, of which no two differ whatever the symbols are.
bool mayAgree(const DimTable &dims, std::span<const Dim> a, std::span<const Dim> b);
/// \p a is larger than \p b whatever the symbols are: their bounds say so.
bool isAlwaysLarger(const DimTable &dims, Dim a, Dim b);
/// Rejects the node when \p channels are known not to be \p groups of one size. \returns false then.
bool expectEvenGroups(InferContext &c, Dim channels, Dim groups);
/// Rejects the node when the sizes differ always; \p what says what they are.
void expectEqual(InferContext &c, Dim a, Dim b, std::string_view what);
/// Consecutive \p types stretch to one another, or the operator stops.
void requireBroadcast(InferContext &c, std::span<const Type> types);
/// Rejects the node when \p t has definitely another rank than one of \p ranks.
bool expectRank(InferContext &c, const Type &t, std::initializer_list<std::size_t> ranks, std::string_view what);
/// Whether the sizes \p from may become \p to by stretching axes of one element, and by new axes in front.
bool stretches(const DimTable &dims, std::span<const Dim> from, std::span<const Dim> to);
/// Rejects operand \p i when it never broadcasts to the sizes of \p target without stretching them
/// (ONNX: unidirectional broadcasting). \returns false then.
bool expectStretches(InferContext &c, std::size_t i, const Type &target);
/// Rejects an axis that is out of range and returns nothing.
std::optional<std::size_t> axisOf(InferContext &c, std::int64_t axis, std::size_t rank, bool wrapScalar = false);

/// What `x[start:end:step]` takes of an axis. Starts and ends count from the
/// back when negative and are clamped; an absent one is not given.
struct SliceRange {
  Dim start; ///< the first element taken, as an offset
  Dim length;
};
SliceRange sliceRange(DimTable &dims, Dim size, std::optional<Dim> start, std::optional<Dim> end, std::int64_t step);

/// The sizes that a reshape of \p from to \p target gives: -1 stands for what
/// remains, and \p zeroCopies makes 0 stand for the old size (ONNX). The rank of
/// \p from may be unknown. Rejects a definite mismatch.
std::vector<Dim> reshapeSizes(InferContext &c, const Type &from, std::span<const Dim> target, bool zeroCopies);

/// A list argument of \p rank entries, of which one may stand for all; the
/// \p otherwise when absent. Nothing when it has another length.
std::optional<std::vector<Dim>> spread(InferContext &c, std::string_view name, std::size_t rank,
                                       std::optional<std::int64_t> otherwise);

// --- types ------------------------------------------------------------------
/// A tensor type on its way through shape changes: \p t without what a result
/// does not take over from its operand.
OwnedType viewOf(const Type &t);
void permuteAxes(OwnedType &t, std::span<const std::size_t> order);
/// A new axis of size 1 before axis \p at (0..rank).
void insertAxis(DimTable &dims, OwnedType &t, std::size_t at);
void removeAxis(OwnedType &t, std::size_t at);
/// `select`: axis \p at goes, its element \p index stays. Negative counts from the back.
void selectAxis(DimTable &dims, OwnedType &t, std::size_t at, Dim index);
/// Axis \p at becomes \p range with \p step between its elements.
void sliceAxis(DimTable &dims, OwnedType &t, std::size_t at, const SliceRange &range, std::int64_t step);
/// New sizes over the same elements: strides stay a view where they can
/// (`Tri::Yes`), are dense after a copy (`Tri::No`), else unknown.
Tri reshapeTo(DimTable &dims, OwnedType &t, std::vector<Dim> shape, bool mayCopy);
/// Torch: freshly allocated, row-major.
void makeContiguous(InferContext &c, OwnedType &t);
/// Torch: a fresh result of \p shape that is channels last when all of \p like
/// are (`suggest_memory_format`), and row-major when none is; without strides when
/// that is not sure.
OwnedType freshInFormatOf(InferContext &c, DType dtype, std::vector<Dim> shape, std::span<const Type> like);
/// Torch: a fresh result of the sizes of \p like, with its order of strides.
OwnedType freshLike(InferContext &c, DType dtype, const Type &like);

/// Sets result \p i to a view: a copy for `*_copy` operators, and for `out`.
void setView(InferContext &c, std::size_t i, OwnedType t);
/// Sets result \p i of either dialect.
void setFresh(InferContext &c, std::size_t i, const OwnedType &t, std::string_view out = "out");
/// A fresh result of \p shape on the device of \p like, for either dialect.
void setFresh(InferContext &c, std::size_t i, DType dtype, std::vector<Dim> shape, const Type &like,
              std::string_view out = "out");
/// The same of which only the element type is known.
void setFresh(InferContext &c, std::size_t i, DType dtype, const Type &like, std::string_view out = "out");

/// `scatter`, `tril` and their like: the operand's sizes, and in torch a row-major copy.
void inferRowMajorCopy(InferContext &c);

// --- operands ---------------------------------------------------------------
/// The first operand by position, in either dialect.
inline const Type &input(InferContext &c) { return c.type(0); }
/// The data of ONNX operand \p i stand in the file: an initializer or a Constant.
bool isLiteral(InferContext &c, std::size_t i);
/// ONNX operand \p i is known to be computed, or given to the model: whoever infers shapes has no
/// numbers of it.
bool isComputed(InferContext &c, std::size_t i);
/// Sizes in ONNX operand \p i are a vector. Where they stand in the file onnx and runtimes read the
/// numbers and do not look at the axes.
void expectSizes(InferContext &c, std::size_t i);
/// The constant integers in ONNX operand \p i.
std::optional<std::vector<std::int64_t>> constantInts(InferContext &c, std::size_t i);
/// How many numbers ONNX operand \p i, a 1-D tensor, holds.
std::optional<std::size_t> lengthOf(InferContext &c, std::size_t i);
std::vector<Dim> copyDims(std::span<const Dim> d);

// --- folding ----------------------------------------------------------------
/// Follows numbers through an operator that moves elements without changing
/// them: \p source gives, for each index into the result, the index into operand
/// 0. Sizes must be constants.
using MoveFunction = std::function<std::vector<std::int64_t>(std::span<const std::int64_t>)>;
void foldMove(InferContext &c, std::size_t result, std::span<const Dim> shape, const MoveFunction &source);
/// The result has the numbers of operand 0 in the same order.
void foldSame(InferContext &c, std::size_t result = 0);
std::optional<std::vector<std::int64_t>> constantSizes(const DimTable &dims, std::span<const Dim> shape);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_SHAPE_H
