//===- LinearAlgebra.cpp - Matrices ---------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kernels/LinearAlgebra.h"
#include "Broadcast.h"
#include "Elementwise.h"
#include "Facets.h"
#include "Families.h"
#include "Matrices.h"
#include "OpTable.h"
#include "Promotion.h"
#include "Shape.h"
#include "graph/TypeWords.h"
#include "kernels/Factorizations.h"
#include "kernels/Spectra.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {
namespace {

/// The smaller of rows and columns.
Dim smaller(InferContext &c, const Type &a) { return c.dims().min(dimAt(a, -2), dimAt(a, -1)); }

void inferOnnxDet(InferContext &c) {
  const Type &a = c.type(0);
  if (!square(c, a))
    return c.setResult(0, c.tensor(a.element));
  const auto shape = batchShape(a, 2, {});
  c.setResult(0, shape ? c.tensor(a.element, *shape) : c.tensor(a.element));
}

/// det: one number, then what its gradient needs: LU and pivots.
void inferDet(InferContext &c) {
  const Type &a = matrix(c);
  if (!square(c, a))
    return;
  setNumber(c, 0, a.element, a);
  setSame(c, 1, a.element, a);
  setVector(c, 2, DType::Int32, a, dimAt(a, -1));
}

/// sign and logarithm of its size, then LU and pivots.
void inferSlogdet(InferContext &c) {
  const Type &a = matrix(c);
  if (!square(c, a))
    return;
  setNumber(c, 0, a.element, a);
  setNumber(c, 1, realType(a.element), a);
  setSame(c, 2, a.element, a);
  setVector(c, 3, DType::Int32, a, dimAt(a, -1));
}

/// inverse, Cholesky factor, exponential, power: the same shape, then whether it worked.
void inferSquare(InferContext &c) {
  const Type &a = matrix(c);
  if (!square(c, a))
    return;
  setSame(c, 0, a.element, a);
  setNumber(c, 1, DType::Int32, a);
}

/// The old `cholesky`, unlike `linalg.cholesky`, looks at the sizes only where there are elements.
void inferOldCholesky(InferContext &c) {
  const Type &a = matrix(c);
  if (a.hasRank && std::ranges::any_of(a.dims, [&](Dim d) { return !d.known() || c.dims().boundsOf(d).min < 1; })) {
    return setTorchResult(c, 0, looseTensor(c, a.element, copyDims(a.dims), a));
  }
  inferSquare(c);
}

void inferEig(InferContext &c) {
  const Type &a = matrix(c);
  if (!square(c, a))
    return;
  setVector(c, 0, complexType(a.element), a, dimAt(a, -1));
  setSame(c, 1, complexType(a.element), a);
}
/// Of symmetric matrices: real values.
void inferEigh(InferContext &c) {
  const Type &a = matrix(c);
  if (!square(c, a))
    return;
  setVector(c, 0, realType(a.element), a, dimAt(a, -1));
  if (c.opName() != "_linalg_eigh" || c.intAttr("compute_v", 1) != 0)
    setSame(c, 1, a.element, a);
}

void inferQr(InferContext &c) {
  const Type &a = matrix(c);
  // The older operator says `some` instead of a mode.
  std::string_view mode = c.stringAttr("mode", "reduced");
  if (c.opName() == "qr")
    mode = c.intAttr("some", 1) != 0 ? "reduced" : "complete";
  const Dim rows = dimAt(a, -2), columns = dimAt(a, -1), k = smaller(c, a);
  if (mode == "r")
    c.setResult(0, freshTensor(c, a.element, {c.constant(0)}, a).view());
  else
    setMatrix(c, 0, a.element, a, rows, mode == "complete" ? rows : k);
  setMatrix(c, 1, a.element, a, mode == "complete" ? rows : k, columns);
}

void inferSvd(InferContext &c) {
  const Type &a = matrix(c);
  const bool old = c.opName() == "svd";
  const bool full =
      old ? c.intAttr("some", 1) == 0 : c.intAttr("full_matrices", c.opName() == "linalg_svd" ? 1 : 0) != 0;
  const bool vectors = c.intAttr("compute_uv", 1) != 0;
  const Dim rows = dimAt(a, -2), columns = dimAt(a, -1), k = smaller(c, a);
  setVector(c, 1, realType(a.element), a, k);
  if (old) { // V itself, not its transpose; zeros of full size where not asked for
    setMatrix(c, 0, a.element, a, rows, full || !vectors ? rows : k);
    setMatrix(c, 2, a.element, a, columns, full || !vectors ? columns : k);
  } else if (vectors) {
    setMatrix(c, 0, a.element, a, rows, full ? rows : k);
    setMatrix(c, 2, a.element, a, full ? columns : k, columns);
  } else {
    for (std::size_t i : {std::size_t(0), std::size_t(2)})
      c.setResult(i, freshTensor(c, a.element, {c.constant(0)}, a).view());
  }
}
void inferSingularValues(InferContext &c) {
  const Type &a = matrix(c);
  setVector(c, 0, realType(a.element), a, smaller(c, a));
}

/// P, L and U.
void inferLu(InferContext &c) {
  const Type &a = matrix(c);
  if (c.opName() == "lu_unpack" && (c.intAttr("unpack_data", 1) == 0 || c.intAttr("unpack_pivots", 1) == 0))
    return;
  const Dim rows = dimAt(a, -2), columns = dimAt(a, -1), k = smaller(c, a);
  if (c.intAttr("pivot", 1) != 0)
    setMatrix(c, 0, a.element, a, rows, rows);
  setMatrix(c, 1, a.element, a, rows, k);
  setMatrix(c, 2, a.element, a, k, columns);
}
/// L and U in one matrix, pivots, and whether it worked.
void inferLuFactor(InferContext &c) {
  const Type &a = matrix(c);
  setSame(c, 0, a.element, a);
  setVector(c, 1, DType::Int32, a, smaller(c, a));
  setNumber(c, 2, DType::Int32, a);
}
/// The same of symmetric matrices, which are square.
void inferLdlFactor(InferContext &c) {
  if (square(c, matrix(c)))
    inferLuFactor(c);
}
/// The factors in the matrix and a vector beside it.
void inferGeqrf(InferContext &c) {
  const Type &a = matrix(c);
  setSame(c, 0, a.element, a);
  setVector(c, 1, a.element, a, smaller(c, a));
}

/// The pseudo-inverse has the transposed shape.
void inferPseudoInverse(InferContext &c) {
  const Type &a = matrix(c);
  if (c.intAttr("hermitian", 0) != 0 && !mayBeEmpty(c.dims(), a) && !square(c, a))
    return;
  setMatrix(c, 0, a.element, a, dimAt(a, -1), dimAt(a, -2));
}
void inferRank(InferContext &c) { setNumber(c, 0, DType::Int64, matrix(c)); }
void inferCondition(InferContext &c) { setNumber(c, 0, realType(matrix(c).element), matrix(c)); }

/// Both operands of a cross product, neither of which is stretched along the axis of the vectors. `cross` looks for one
/// of three elements where none is named.
void expectThreeElements(InferContext &c, const Type &x, const Type &y) {
  const auto axis = c.opName() == "cross" ? c.intAttr("dim") : c.intAttr("dim", -1);
  for (const Type *t : {&x, &y}) {
    const auto at = axis && t->hasRank ? normalizeAxis(*axis, t->dims.size()) : std::nullopt;
    if (at && t->dims[*at].known() && !c.dims().boundsOf(t->dims[*at]).contains(3))
      return c.reject(
          fmt::format("{}: the vectors have {} elements, expected 3", c.opName(), c.dims().str(t->dims[*at])));
  }
}

/// The product of the vectors along `dim`, and their cross product.
void inferVectorProduct(InferContext &c) {
  const bool cross = c.opName() != "linalg_vecdot";
  const Type &x = c.argType(cross ? "self" : "x"), &y = c.argType(cross ? "other" : "y");
  if (!x.isTensor() || !y.isTensor())
    return;
  const DType element = cross ? resultType(c, {"self", "other"}) : resultType(c, {"x", "y"});
  if (cross && x.hasRank && y.hasRank && x.dims.size() != y.dims.size())
    c.reject(fmt::format("{}: the operands have {} and {} axes, expected as many", c.opName(), x.dims.size(),
                         y.dims.size()));
  const Type both[] = {x, y};
  Shape shape = broadcast(c.dims(), both);
  if (cross)
    expectThreeElements(c, x, y);
  if (shape.mismatch && c.model().info.format != Format::Cxx)
    c.reject(fmt::format("{}: the operands do not broadcast: {} and {}", c.opName(), spellDims(c.dims(), x.dims),
                         spellDims(c.dims(), y.dims)));
  if (!shape.hasRank || shape.mismatch)
    return setTorchResult(c, 0, freshTensor(c, element, x));
  if (!cross) {
    const auto axis = c.hasAttribute("dim") ? c.intAttr("dim") : std::optional<std::int64_t>(-1);
    const auto at = axis ? normalizeAxis(*axis, shape.dims.size()) : std::nullopt;
    if (!at)
      return setTorchResult(c, 0, freshTensor(c, element, x));
    shape.dims.erase(shape.dims.begin() + static_cast<std::ptrdiff_t>(*at));
  }
  setTorchResult(c, 0, looseTensor(c, element, shape.dims, x));
}

/// Pairwise distances of the rows of [..., P, M] and [..., R, M].
void inferDistances(InferContext &c) {
  const Type &x = c.argType("x1"), &y = c.argType("x2");
  if (!x.isTensor() || !y.isTensor())
    return;
  for (const Type *t : {&x, &y})
    if (t->hasRank && t->dims.size() < 2)
      return c.reject(fmt::format("{}: an operand has {} axes, expected at least 2", c.opName(), t->dims.size()));
  mustEqual(c, dimAt(x, -1), dimAt(y, -1), "columns of x1 and of x2");
  setFromBoth(c, 0, x, y, {dimAt(x, -2), dimAt(y, -2)});
}

/// The outer sizes of the first and of the last; vectors there leave none.
void inferMultiDot(InferContext &c) {
  const std::vector<ValueId> list = c.argList(c.opName() == "chain_matmul" ? "matrices" : "tensors");
  if (list.size() < 2 || !list.front() || !list.back())
    return;
  const Type &first = c.typeOf(list.front()), &last = c.typeOf(list.back());
  if (!first.isTensor() || !last.isTensor())
    return;
  if (!first.hasRank || !last.hasRank || first.dims.empty() || last.dims.empty())
    return setTorchResult(c, 0, freshTensor(c, first.element, first));
  std::vector<Dim> shape;
  if (first.dims.size() == 2)
    shape.push_back(first.dims[0]);
  if (last.dims.size() == 2)
    shape.push_back(last.dims[1]);
  setTorchResult(c, 0, looseTensor(c, first.element, std::move(shape), first));
}

/// [..., n] to [..., n, N], N = n unless given.
void inferVander(InferContext &c) {
  const Type &x = c.argType("x");
  const Attribute *n = c.attribute("N");
  const Dim rows = x.hasRank && x.dims.empty() ? c.constant(1) : dimAt(x, -1);
  const Dim columns = n && n->kind != AttributeKind::None ? c.dimArg("N") : rows;
  const DType element = isIntegral(x.element) || x.element == DType::Bool ? DType::Int64 : x.element;
  if (x.hasRank && x.dims.empty()) // a number is a list of one
    return c.setResult(0, freshTensor(c, element, {rows, columns}, x).view());
  setBatched(c, 0, element, x, 0, {columns});
}

/// The axes from `ind` on come to the front.
void inferTensorInverse(InferContext &c) {
  const Type &a = matrix(c);
  if (!a.isTensor())
    return;
  const std::int64_t split = c.intAttr("ind", 2);
  if (!a.hasRank || split <= 0 || static_cast<std::size_t>(split) > a.dims.size())
    return c.setResult(0, freshTensor(c, a.element, a).view());
  std::vector<Dim> shape(a.dims.begin(), a.dims.end());
  std::rotate(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(split), shape.end());
  setTorchResult(c, 0, looseTensor(c, a.element, std::move(shape), a));
}

/// What a factorization that went wrong throws.
void inferCheck(InferContext &) {}

/// `linalg_norm`: over `dim`, or over everything.
void inferNorm(InferContext &c) {
  const Type &a = c.argType("self");
  if (!a.isTensor())
    return;
  const auto given = [&](std::string_view name) {
    const Attribute *value = c.attribute(name);
    return value && value->kind != AttributeKind::None;
  };
  const DType element = given("dtype") ? c.dtypeAttr("dtype").value_or(DType::Unknown) : realType(a.element);
  const bool keep = c.intAttr("keepdim", 0) != 0;
  if (!given("dim") && !keep)
    return setTorchResult(c, 0, freshTensor(c, element, {}, a));
  std::optional<std::vector<bool>> reduced;
  if (a.hasRank && !given("dim"))
    reduced = std::vector<bool>(a.dims.size(), true);
  else if (const auto axes = a.hasRank ? c.intsAttr("dim") : std::nullopt)
    reduced = axes->empty() ? std::vector<bool>(a.dims.size(), true) : axisMask(*axes, a.dims.size(), true);
  if (!reduced)
    return setTorchResult(c, 0, freshTensor(c, element, a));
  setTorchResult(c, 0, looseTensor(c, element, reducedShape(c.dims(), a.dims, *reduced, keep), a));
}

/// The sum of the diagonal; integers add up to int64.
void inferTrace(InferContext &c) {
  const Type &a = c.argType("self");
  if (a.isTensor())
    setTorchResult(c, 0, freshTensor(c, accumulateType(a.element), {}, a));
}

constexpr OpRow rows[] = {
    {"det", inferDet, executeDet, "aten.det aten.linalg_det aten._linalg_det aten.logdet", ""},
    {"onnx_det", inferOnnxDet, executeDet, "", "Det"},
    {"slogdet", inferSlogdet, executeDet, "aten.slogdet aten.linalg_slogdet aten._linalg_slogdet", ""},
    {"square_matrix_function", inferSquare, executeSquareMatrixFunction,
     "aten.inverse aten.linalg_inv aten.linalg_inv_ex aten.linalg_cholesky aten.linalg_cholesky_ex "
     "aten.matrix_exp aten.linalg_matrix_exp aten.matrix_power aten.linalg_matrix_power",
     ""},
    {"cholesky", inferOldCholesky, executeSquareMatrixFunction, "aten.cholesky", ""},
    {"cholesky_inverse", inferSquare, executeCholeskyInverse, "aten.cholesky_inverse", ""},
    {"eig", inferEig, executeEig, "aten.linalg_eig aten.linalg_eigvals aten._linalg_eigvals", ""},
    {"eigh", inferEigh, executeEigh, "aten.linalg_eigh aten.linalg_eigvalsh aten._linalg_eigh", ""},
    {"qr", inferQr, executeQr, "aten.linalg_qr aten.qr", ""},
    {"svd", inferSvd, executeSvd, "aten.linalg_svd aten._linalg_svd aten.svd", ""},
    {"singular_values", inferSingularValues, executeSingularValues, "aten.linalg_svdvals", ""},
    {"lu", inferLu, executeLu, "aten.linalg_lu", ""},
    {"lu_unpack", inferLu, executeLuUnpack, "aten.lu_unpack", ""},
    {"lu_factor", inferLuFactor, executeLuFactor, "aten.linalg_lu_factor aten.linalg_lu_factor_ex aten._lu_with_info",
     ""},
    {"ldl_factor", inferLdlFactor, executeLdlFactor, "aten.linalg_ldl_factor aten.linalg_ldl_factor_ex", ""},
    {"geqrf", inferGeqrf, executeGeqrf, "aten.geqrf", ""},
    {"pseudo_inverse", inferPseudoInverse, executePseudoInverse, "aten.pinverse aten.linalg_pinv", ""},
    {"matrix_rank", inferRank, executeMatrixRank, "aten.linalg_matrix_rank", ""},
    {"condition_number", inferCondition, executeConditionNumber, "aten.linalg_cond", ""},
    {"vector_product", inferVectorProduct, executeVectorProduct, "aten.linalg_cross aten.cross aten.linalg_vecdot", ""},
    {"distances", inferDistances, executeDistances, "aten.cdist aten._cdist_forward", ""},
    {"multi_dot", inferMultiDot, executeMultiDot, "aten.linalg_multi_dot aten.chain_matmul", ""},
    {"vander", inferVander, executeVander, "aten.linalg_vander", ""},
    {"tensor_inverse", inferTensorInverse, executeTensorInverse, "aten.linalg_tensorinv", ""},
    {"check_errors", inferCheck, executeCheckErrors, "aten._linalg_check_errors", "",
     OpTrait::Trivial | OpTrait::HostSync},
    {"linalg_norm", inferNorm, executeLinalgNorm, "aten.linalg_norm", ""},
    {"trace", inferTrace, executeTrace, "aten.trace", ""},
};

} // namespace

OpFamily linearAlgebraFamily() {
  static const OpTable table{rows};
  return table.family();
}

} // namespace condlint
