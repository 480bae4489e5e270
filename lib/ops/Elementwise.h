//===- Elementwise.h - What elementwise definitions share -------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_ELEMENTWISE_H
#define CONDLINT_LIB_OPS_ELEMENTWISE_H

#include "condlint/Op.h"
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace condlint {

struct OpRow;

/// A type that owns its dims and strides until it is handed to the context.
struct OwnedType {
  Type type;
  std::vector<Dim> dims;
  std::vector<Dim> strides;

  OwnedType() = default;
  explicit OwnedType(const Type &t);
  void setDims(std::vector<Dim> d);
  void setStrides(std::vector<Dim> s);
  void dropShape(); ///< rank, dims, strides and offset become unknown
  void dropStrides();
  /// With its spans pointing to its own vectors.
  Type view() const;
};

/// The operator writes into its first argument: `add_`, `__iand__`.
bool isInPlace(const InferContext &c);
/// The values of the node's tensor operands, without those passed as `out`.
std::vector<ValueId> inputOperands(const InferContext &c);
/// A symbolic or host scalar: it promotes as a number and has no shape.
bool scalarOperand(const Type &t);
/// Where torch computes with \p operands: a 0-dim tensor of the CPU goes along
/// with any device. Leaves the device unknown when it is not sure.
void setCommonDevice(const Model &m, Type &t, std::span<const Type> operands);
void setDevice(InferContext &c, Type &t, std::string_view name, int index = -1);

/// Sets result \p i: what \p t says, unless the operator is in-place (the type of
/// the argument `self`) or is given `out` (the type of \p out with the shape of \p t).
void setTorchResult(InferContext &c, std::size_t i, const OwnedType &t, std::string_view out = "out");
/// A freshly allocated, row-major torch tensor on the device of \p like.
OwnedType freshTensor(InferContext &c, DType dtype, std::vector<Dim> shape, const Type &like);
OwnedType freshTensor(InferContext &c, DType dtype, std::vector<Dim> shape);
/// The same of unknown rank.
OwnedType freshTensor(InferContext &c, DType dtype, const Type &like);

/// An element type, layout and device that the arguments `dtype`, `layout` and
/// `device` of a factory name, else those of \p like; `cpu` when there is none.
void setFactoryOptions(InferContext &c, Type &t, const Type *like);
/// `empty_like`: the shape of \p self, laid out as the argument `memory_format`
/// says (\p otherwise when absent), with the options of a factory.
OwnedType likeTensor(InferContext &c, const Type &self);
/// Says that the result has the shape of an operand, whatever that is; \p dense: and
/// that torch lays it out as its elementwise kernels do.
void keepsShape(InferContext &c, std::size_t operand = 0, bool dense = false);
/// Source: gives the new, dense tensor \p t of unknown order the strides that all
/// such tensors have, as far as one can say.
void setSomeStrides(InferContext &c, OwnedType &t);

/// The type of an elementwise result of \p operands: broadcast shape, and for torch
/// strides, device and layout. Shapes that never fit are rejected.
OwnedType elementwiseType(InferContext &c, DType dtype, std::span<const ValueId> operands);
/// Sets result 0 to it, over all inputs of the node.
void setElementwise(InferContext &c, DType dtype);
/// The same for operators that torch composes of others: the strides are claimed
/// only where all operands are laid out alike.
void setComposite(InferContext &c, DType dtype);
/// ONNX: result 0 is like operand \p from, with another element type if given.
void setLikeOperand(InferContext &c, std::size_t from = 0, std::optional<DType> dtype = std::nullopt);

// --- folding of small integer tensors (shape arithmetic) --------------------
/// Contents are kept for at most this many elements.
constexpr std::size_t maxContent = 64;
using FoldFunction = std::function<Dim(DimTable &, std::span<const Dim>)>;
/// Elementwise \p f, which reads \p least numbers, over the contents of all operands,
/// with broadcasting; the content of result 0. Does nothing when something needed is not
/// known, or a file has left out operands. When \p f returns unknown that element stays
/// unknown.
void foldElementwise(InferContext &c, std::size_t least, const FoldFunction &f);
/// `a == b` and `a < b` as 1, 0 or unknown.
Dim foldEqual(DimTable &dims, Dim a, Dim b);
Dim foldLess(DimTable &dims, Dim a, Dim b);
/// Division rounding towards zero, where that is decided.
Dim foldTruncDiv(DimTable &dims, Dim a, Dim b);
/// Constant sizes of operand \p i, or nothing.
std::optional<std::vector<std::int64_t>> constantShape(InferContext &c, std::size_t i);

// The parts of the elementwise family.
std::span<const OpRow> unaryRows();
std::span<const OpRow> binaryRows();
std::span<const OpRow> activationRows();
std::span<const OpRow> castRows();
std::span<const OpRow> selectionRows();

} // namespace condlint

#endif // CONDLINT_LIB_OPS_ELEMENTWISE_H
