//===- LinearAlgebra.cpp - Matrices ---------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Broadcast.h"
#include "Facets.h"
#include "Families.h"
#include "Promotion.h"
#include "Shape.h"
#include "condlint/TypeWords.h"
#include "kernels/Kernels.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {
namespace {

// A stands for batches of matrices [..., rows, columns]. Results come out of
// LAPACK column by column in some versions and row by row in others, so that no
// strides are claimed for matrices.

const Type &matrix(InferContext &c) {
  for (std::string_view name : {"self", "A", "input", "LU", "LU_data"})
    if (const ValueId v = c.arg(name))
      return c.typeOf(v);
  return c.type(0);
}

/// The smaller of rows and columns.
Dim smaller(InferContext &c, const Type &a) { return c.dims().min(dimAt(a, -2), dimAt(a, -1)); }

/// Result \p i: the batch of \p a, then \p tail.
void setBatched(InferContext &c, std::size_t i, DType element, const Type &a, std::size_t matrixAxes,
                std::initializer_list<Dim> tail) {
  if (i >= c.resultCount() || !a.isTensor())
    return;
  const auto shape = batchShape(a, matrixAxes, tail);
  const OwnedType t = shape ? looseTensor(c, element, *shape, a) : freshTensor(c, element, a);
  if (c.resultCount() == 1)
    setTorchResult(c, i, t);
  else
    c.setResult(i, t.view());
}
void setNumber(InferContext &c, std::size_t i, DType element, const Type &a) { setBatched(c, i, element, a, 2, {}); }
void setVector(InferContext &c, std::size_t i, DType element, const Type &a, Dim size) {
  setBatched(c, i, element, a, 2, {size});
}
void setMatrix(InferContext &c, std::size_t i, DType element, const Type &a, Dim rows, Dim columns) {
  setBatched(c, i, element, a, 2, {rows, columns});
}
void setSame(InferContext &c, std::size_t i, DType element, const Type &a) {
  setMatrix(c, i, element, a, dimAt(a, -2), dimAt(a, -1));
}

/// Rejects what is definitely no batch of square matrices.
bool square(InferContext &c, const Type &a) {
  if (!a.hasRank)
    return true;
  if (a.dims.size() < 2) {
    c.reject(fmt::format("{} takes matrices, but the input has {} axes", c.opName(), a.dims.size()), 0);
    return false;
  }
  mustEqual(c, dimAt(a, -2), dimAt(a, -1), "rows and columns", 0);
  return true;
}

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

/// The batches of \p a and \p b stretched to each other, then \p tail.
std::optional<std::vector<Dim>> batchOfBoth(InferContext &c, const Type &a, const Type &b,
                                            std::initializer_list<Dim> tail) {
  if (!a.hasRank || !b.hasRank || a.dims.size() < 2 || b.dims.size() < 2)
    return std::nullopt;
  Shape batch = broadcast(c.dims(), a.dims.first(a.dims.size() - 2), b.dims.first(b.dims.size() - 2));
  if (batch.mismatch)
    return std::nullopt;
  batch.dims.insert(batch.dims.end(), tail);
  return batch.dims;
}

void setFromBoth(InferContext &c, std::size_t i, const Type &a, const Type &b, std::initializer_list<Dim> tail) {
  if (i >= c.resultCount() || !a.isTensor())
    return;
  const auto shape = batchOfBoth(c, a, b, tail);
  const OwnedType t = shape ? looseTensor(c, a.element, *shape, a) : freshTensor(c, a.element, a);
  if (c.resultCount() == 1)
    setTorchResult(c, i, t);
  else
    c.setResult(i, t.view());
}

/// `linalg_solve` takes a right side of one axis for a vector, and one of the sizes of A without its last for a batch
/// of them; any other has as many rows as A, or columns where it stands on the left.
void expectRightSide(InferContext &c, const Type &a, const Type &b) {
  if (!a.hasRank || !b.hasRank || a.dims.size() < 2 || b.dims.empty())
    return;
  const bool isLeft = c.intAttr("left", 1) != 0;
  if (b.dims.size() == 1) {
    if (isLeft)
      mustEqual(c, b.dims[0], dimAt(a, -1), "the vector and the columns");
    return;
  }
  bool mayBeVectors = b.dims.size() + 1 == a.dims.size();
  for (std::size_t i = 0; mayBeVectors && i < b.dims.size(); ++i)
    mayBeVectors = !neverEqual(c.dims(), a.dims[i], b.dims[i]);
  if (mayBeVectors)
    return;
  mustEqual(c, dimAt(b, isLeft ? -2 : -1), dimAt(a, -1), isLeft ? "the rows of A and of B" : "the columns of A and B");
  const Shape batch = broadcast(c.dims(), a.dims.first(a.dims.size() - 2), b.dims.first(b.dims.size() - 2));
  if (batch.mismatch)
    c.reject(fmt::format("{}: the batches of A and B do not broadcast: {} and {}", c.opName(),
                         spellDims(c.dims(), a.dims), spellDims(c.dims(), b.dims)));
}

/// X with A X = B. A right side of one axis less may be a batch of vectors.
void inferSolve(InferContext &c) {
  const Type &a = c.argType("A"), &b = c.argType("B");
  if (!a.isTensor() || !b.isTensor() || !square(c, a))
    return;
  expectRightSide(c, a, b);
  bool vectors = b.hasRank && b.dims.size() == 1;
  if (a.hasRank && b.hasRank && a.dims.size() >= 2 && b.dims.size() + 1 == a.dims.size()) {
    // linalg_solve: vectors where the sizes are those of A without its last.
    vectors = true;
    for (std::size_t i = 0; i < b.dims.size(); ++i)
      vectors = vectors && a.dims[i].known() && a.dims[i] == b.dims[i];
    if (!vectors && b.dims.size() != 1) {
      c.setResult(0, freshTensor(c, a.element, a).view());
      return;
    }
  }
  if (vectors && b.dims.size() == 1 && a.hasRank && a.dims.size() > 2) {
    c.setResult(0, freshTensor(c, a.element, a).view());
    return;
  }
  if (vectors)
    setBatched(c, 0, a.element, b, 0, {});
  else
    setFromBoth(c, 0, a, b, {dimAt(b, -2), dimAt(b, -1)});
  if (c.opName() == "_linalg_solve_ex") {
    setSame(c, 1, a.element, a);
    setVector(c, 2, DType::Int32, a, dimAt(a, -1));
    setNumber(c, 3, DType::Int32, a);
  } else {
    setNumber(c, 1, DType::Int32, a);
  }
}
/// Solvers that take the factor: the right side's matrix, stretched batches.
void inferSolveFactored(InferContext &c) {
  const std::string_view name = c.opName();
  const bool rightFirst = name == "triangular_solve" || name == "cholesky_solve" || name == "lu_solve";
  const Type &b = c.argType(rightFirst ? "self" : "B");
  const Type &a = name == "triangular_solve"          ? c.argType("A")
                  : name == "cholesky_solve"          ? c.argType("input2")
                  : name == "lu_solve"                ? c.argType("LU_data")
                  : name == "linalg_solve_triangular" ? c.argType("self")
                  : name == "linalg_ldl_solve"        ? c.argType("LD")
                                                      : c.argType("LU");
  if (!a.isTensor() || !b.isTensor())
    return;
  setFromBoth(c, 0, a, b, {dimAt(b, -2), dimAt(b, -1)});
  setFromBoth(c, 1, a, b, {dimAt(a, -2), dimAt(a, -1)});
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

bool isLess(InferContext &c, Dim a, Dim b) {
  return a.known() && b.known() && c.dims().boundsOf(a).max < c.dims().boundsOf(b).min;
}

/// The reflectors in \p a have a factor each in \p tau, beside them in the same batch.
bool expectFactors(InferContext &c, const Type &a, const Type &tau) {
  if (!a.hasRank || !tau.hasRank || a.dims.size() < 2)
    return false;
  const std::size_t batch = a.dims.size() - 2;
  bool fits = tau.dims.size() == batch + 1;
  for (std::size_t i = 0; fits && i < batch; ++i)
    fits = !neverEqual(c.dims(), a.dims[i], tau.dims[i]);
  fits = fits && !isLess(c, a.dims[batch + 1], tau.dims[batch]);
  if (!fits)
    c.reject(fmt::format("{}: factors of the shape {} do not fit reflectors of the shape {}", c.opName(),
                         spellDims(c.dims(), tau.dims), spellDims(c.dims(), a.dims)));
  return fits;
}

/// Q from its factors: like the first operand, which is at least as high as wide.
void inferLikeFactors(InferContext &c) {
  const Type &a = matrix(c);
  expectFactors(c, a, c.argType(c.opName() == "orgqr" ? "input2" : "tau"));
  if (isLess(c, dimAt(a, -2), dimAt(a, -1)))
    c.reject(fmt::format("{}: the reflectors are {}, wider than high", c.opName(), spellDims(c.dims(), a.dims)));
  setSame(c, 0, a.element, a);
}
/// Like the one that Q multiplies, from the left or from the right.
void inferMultiplyQ(InferContext &c) {
  const Type &a = matrix(c), &other = c.argType("input3");
  if (expectFactors(c, a, c.argType("input2")) && other.hasRank && other.dims.size() >= 2) {
    mustEqual(c, dimAt(other, c.intAttr("left", 1) != 0 ? -2 : -1), dimAt(a, -2),
              "the side that is multiplied and the rows of the reflectors");
    bool isOneBatch = other.dims.size() == a.dims.size();
    for (std::size_t i = 0; isOneBatch && i + 2 < a.dims.size(); ++i)
      isOneBatch = !neverEqual(c.dims(), a.dims[i], other.dims[i]);
    if (!isOneBatch)
      c.reject(fmt::format("{}: the batches of {} and {} differ", c.opName(), spellDims(c.dims(), a.dims),
                           spellDims(c.dims(), other.dims)));
  }
  setSame(c, 0, other.element, other);
}

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

/// X with the tensor A as a map to B: what of A's sizes B has not.
void inferTensorSolve(InferContext &c) {
  const Type &a = c.argType("self"), &b = c.argType("other");
  if (!a.isTensor() || !b.isTensor())
    return;
  const Attribute *moved = c.attribute("dims");
  if (!a.hasRank || !b.hasRank || b.dims.size() > a.dims.size() || (moved && moved->kind != AttributeKind::None))
    return c.setResult(0, freshTensor(c, a.element, a).view());
  const auto rest = a.dims.subspan(b.dims.size());
  setTorchResult(c, 0, looseTensor(c, a.element, std::vector<Dim>(rest.begin(), rest.end()), a));
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

void inferLeastSquares(InferContext &c) {
  const Type &a = c.argType("self"), &b = c.argType("b");
  if (!a.isTensor() || !b.isTensor() || !a.hasRank || !b.hasRank || a.dims.size() != b.dims.size())
    return;
  setFromBoth(c, 0, a, b, {dimAt(a, -1), dimAt(b, -1)});
  // Residuals, rank and singular values are empty or not as the driver chooses.
  c.setResult(1, freshTensor(c, realType(a.element), a).view());
  c.setResult(2, freshTensor(c, DType::Int64, a).view());
  c.setResult(3, freshTensor(c, realType(a.element), a).view());
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
    {"solve", inferSolve, executeSolve, "aten.linalg_solve aten.linalg_solve_ex aten._linalg_solve_ex", ""},
    {"ldl_solve", inferSolveFactored, executeLdlSolve, "aten.linalg_ldl_solve", ""},
    {"lu_solve", inferSolveFactored, executeLuSolve, "aten.lu_solve aten.linalg_lu_solve", ""},
    {"cholesky_solve", inferSolveFactored, executeCholeskySolve, "aten.cholesky_solve", ""},
    {"solve_triangular", inferSolveFactored, executeSolveTriangular,
     "aten.triangular_solve aten.linalg_solve_triangular", ""},
    {"pseudo_inverse", inferPseudoInverse, executePseudoInverse, "aten.pinverse aten.linalg_pinv", ""},
    {"matrix_rank", inferRank, executeMatrixRank, "aten.linalg_matrix_rank", ""},
    {"condition_number", inferCondition, executeConditionNumber, "aten.linalg_cond", ""},
    {"householder_product", inferLikeFactors, executeHouseholderProduct, "aten.linalg_householder_product aten.orgqr",
     ""},
    {"ormqr", inferMultiplyQ, executeOrmqr, "aten.ormqr", ""},
    {"vector_product", inferVectorProduct, executeVectorProduct, "aten.linalg_cross aten.cross aten.linalg_vecdot", ""},
    {"distances", inferDistances, executeDistances, "aten.cdist aten._cdist_forward", ""},
    {"multi_dot", inferMultiDot, executeMultiDot, "aten.linalg_multi_dot aten.chain_matmul", ""},
    {"vander", inferVander, executeVander, "aten.linalg_vander", ""},
    {"tensor_inverse", inferTensorInverse, executeTensorInverse, "aten.linalg_tensorinv", ""},
    {"tensor_solve", inferTensorSolve, executeTensorSolve, "aten.linalg_tensorsolve", ""},
    {"check_errors", inferCheck, executeCheckErrors, "aten._linalg_check_errors", "",
     OpTrait::Trivial | OpTrait::HostSync},
    {"linalg_norm", inferNorm, executeLinalgNorm, "aten.linalg_norm", ""},
    {"trace", inferTrace, executeTrace, "aten.trace", ""},
    {"least_squares", inferLeastSquares, executeLeastSquares, "aten.linalg_lstsq", ""},
};

} // namespace

OpFamily linearAlgebraFamily() {
  static const OpTable table{rows};
  return table.family();
}

} // namespace condlint
