//===- LinearSolve.cpp - Equations, and products of reflectors ------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
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
#include "kernels/LinearAlgebra.h"
#include "kernels/Spectra.h"
#include <fmt/format.h>

namespace condlint {
namespace {

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
  if (mayAgree(c.dims(), a.dims.first(a.dims.size() - 1), b.dims))
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

/// The reflectors in \p a have a factor each in \p tau, beside them in the same batch.
bool expectFactors(InferContext &c, const Type &a, const Type &tau) {
  if (!a.hasRank || !tau.hasRank || a.dims.size() < 2)
    return false;
  const std::size_t batch = a.dims.size() - 2;
  const bool fits = tau.dims.size() == batch + 1 && mayAgree(c.dims(), a.dims.first(batch), tau.dims.first(batch)) &&
                    !isAlwaysLarger(c.dims(), tau.dims[batch], a.dims[batch + 1]);
  if (!fits)
    c.reject(fmt::format("{}: factors of the shape {} do not fit reflectors of the shape {}", c.opName(),
                         spellDims(c.dims(), tau.dims), spellDims(c.dims(), a.dims)));
  return fits;
}

/// Q from its factors: like the first operand, which is at least as high as wide.
void inferLikeFactors(InferContext &c) {
  const Type &a = matrix(c);
  expectFactors(c, a, c.argType(c.opName() == "orgqr" ? "input2" : "tau"));
  if (isAlwaysLarger(c.dims(), dimAt(a, -1), dimAt(a, -2)))
    c.reject(fmt::format("{}: the reflectors are {}, wider than high", c.opName(), spellDims(c.dims(), a.dims)));
  setSame(c, 0, a.element, a);
}
/// Like the one that Q multiplies, from the left or from the right.
void inferMultiplyQ(InferContext &c) {
  const Type &a = matrix(c), &other = c.argType("input3");
  if (expectFactors(c, a, c.argType("input2")) && other.hasRank && other.dims.size() >= 2) {
    mustEqual(c, dimAt(other, c.intAttr("left", 1) != 0 ? -2 : -1), dimAt(a, -2),
              "the side that is multiplied and the rows of the reflectors");
    if (!mayAgree(c.dims(), a.dims.first(a.dims.size() - 2), other.dims.first(other.dims.size() - 2)))
      c.reject(fmt::format("{}: the batches of {} and {} differ", c.opName(), spellDims(c.dims(), a.dims),
                           spellDims(c.dims(), other.dims)));
  }
  setSame(c, 0, other.element, other);
}

constexpr OpRow rows[] = {
    {"solve", inferSolve, executeSolve, "aten.linalg_solve aten.linalg_solve_ex aten._linalg_solve_ex", ""},
    {"ldl_solve", inferSolveFactored, executeLdlSolve, "aten.linalg_ldl_solve", ""},
    {"lu_solve", inferSolveFactored, executeLuSolve, "aten.lu_solve aten.linalg_lu_solve", ""},
    {"cholesky_solve", inferSolveFactored, executeCholeskySolve, "aten.cholesky_solve", ""},
    {"solve_triangular", inferSolveFactored, executeSolveTriangular,
     "aten.triangular_solve aten.linalg_solve_triangular", ""},
    {"householder_product", inferLikeFactors, executeHouseholderProduct, "aten.linalg_householder_product aten.orgqr",
     ""},
    {"ormqr", inferMultiplyQ, executeOrmqr, "aten.ormqr", ""},
    {"tensor_solve", inferTensorSolve, executeTensorSolve, "aten.linalg_tensorsolve", ""},
    {"least_squares", inferLeastSquares, executeLeastSquares, "aten.linalg_lstsq", ""},
};

} // namespace

OpFamily linearSolveFamily() {
  static const OpTable table{rows};
  return table.family();
}

} // namespace condlint
