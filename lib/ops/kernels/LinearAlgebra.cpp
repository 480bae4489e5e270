//===- LinearAlgebra.cpp - Decompositions and solvers, executed -----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LinearAlgebra.h"
#include "Columns.h"
#include "ElementKernels.h"
#include "FunctorsMath.h"
#include "Rows.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace condlint {

namespace {

/// Square or rectangular matrices of double (or complex) one after the other.
struct Matrices {
  Tensor data; ///< Complex128, [count, rows, columns]
  std::int64_t count = 0, rows = 0, columns = 0;
  Sizes lead;
  ComplexDouble *at(std::int64_t i) const { return data.out<ComplexDouble>() + i * rows * columns; }
};
Matrices matricesOf(const ExecContext &c, const Tensor &t, bool square) {
  if (t.rank() < 2 || (square && t.size(t.rank() - 1) != t.size(t.rank() - 2)))
    c.fail(fmt::format("a tensor of shape {} is no {}matrix", shapeText(t.sizes()), square ? "square " : ""));
  Matrices m;
  m.lead.assign(t.sizes().begin(), t.sizes().end() - 2);
  m.rows = t.size(t.rank() - 2);
  m.columns = t.size(t.rank() - 1);
  m.count = product(m.lead);
  const std::int64_t shape[] = {m.count, m.rows, m.columns};
  m.data = copied(c, reshaped(c, cast(c, t, DType::Complex128), shape));
  return m;
}

/// Gauss with partial pivoting, in place: the sign of the permutation, and 0 for a
/// singular matrix. \p right, \p width columns, is transformed along.
double eliminate(ComplexDouble *a, std::int64_t n, ComplexDouble *right, std::int64_t width) {
  double sign = 1;
  for (std::int64_t k = 0; k < n; ++k) {
    std::int64_t pivot = k;
    for (std::int64_t i = k + 1; i < n; ++i)
      if (math::abs(a[i * n + k]) > math::abs(a[pivot * n + k]))
        pivot = i;
    if (a[pivot * n + k] == ComplexDouble(0))
      return 0;
    if (pivot != k) {
      sign = -sign;
      std::swap_ranges(a + pivot * n, a + (pivot + 1) * n, a + k * n);
      if (width != 0)
        std::swap_ranges(right + pivot * width, right + (pivot + 1) * width, right + k * width);
    }
    for (std::int64_t i = k + 1; i < n; ++i) {
      const ComplexDouble f = a[i * n + k] / a[k * n + k];
      if (f == ComplexDouble(0))
        continue;
      for (std::int64_t j = k; j < n; ++j)
        a[i * n + j] -= f * a[k * n + j];
      for (std::int64_t j = 0; j < width; ++j)
        right[i * width + j] -= f * right[k * width + j];
    }
  }
  return sign;
}

/// Solves a upper triangular system in place.
void substitute(const ComplexDouble *a, std::int64_t n, ComplexDouble *right, std::int64_t width) {
  for (std::int64_t i = n; i-- > 0;)
    for (std::int64_t j = 0; j < width; ++j) {
      ComplexDouble sum = right[i * width + j];
      for (std::int64_t k = i + 1; k < n; ++k)
        sum -= a[i * n + k] * right[k * width + j];
      right[i * width + j] = sum / a[i * n + i];
    }
}

Tensor identity(const ExecContext &c, const Matrices &m) {
  const std::int64_t shape[] = {m.count, m.rows, m.rows};
  const Tensor eye = filled(c, DType::Complex128, shape, Scalar::of(0.0));
  for (std::int64_t i = 0; i < m.count; ++i)
    for (std::int64_t k = 0; k < m.rows; ++k)
      eye.out<ComplexDouble>()[(i * m.rows + k) * m.rows + k] = 1;
  return eye;
}

/// \p t column after column, as torch lays out what LAPACK yields.
Tensor columnMajor(const ExecContext &c, const Tensor &t) {
  const std::size_t row = t.rank() - 2, column = t.rank() - 1;
  return contiguous(c, t.transposed(row, column)).transposed(row, column);
}

/// a x = b for each of the matrices; b of [count, rows, width].
void solveInPlace(const ExecContext &c, const Matrices &m, const Tensor &b) {
  const std::int64_t width = b.size(2);
  for (std::int64_t i = 0; i < m.count; ++i) {
    ComplexDouble *right = b.out<ComplexDouble>() + i * m.rows * width;
    if (eliminate(m.at(i), m.rows, right, width) == 0)
      c.fail("the matrix is singular");
    substitute(m.at(i), m.rows, right, width);
  }
}

/// From result \p first on: L and U in one matrix, and the pivots.
void finishFactors(ExecContext &c, const Tensor &x, std::size_t first) {
  const LuFactors lu = luOf(c, columnsOf(c, x, true));
  c.finish(first, tensorOf(c, lu.matrices, x.dtype()));
  c.finish(first + 1, lu.pivots);
}

} // namespace

void executeDet(ExecContext &c) {
  const Tensor &x = matrixArgument(c);
  const Matrices m = matricesOf(c, x, true);
  const std::string_view name = c.opName();
  const Tensor value = c.empty(DType::Complex128, m.lead), logarithm = c.empty(DType::Float64, m.lead);
  const bool split = name.ends_with("slogdet") || name == "logdet";
  for (std::int64_t i = 0; i < m.count; ++i) {
    ComplexDouble d = eliminate(m.at(i), m.rows, nullptr, 0);
    double sum = 0;
    for (std::int64_t k = 0; k < m.rows; ++k) {
      const ComplexDouble p = m.at(i)[k * m.rows + k];
      sum += std::log(math::abs(p));
      d *= split && p != ComplexDouble(0) ? p / math::abs(p) : p;
    }
    value.out<ComplexDouble>()[i] = d;
    logarithm.out<double>()[i] = d == ComplexDouble(0) && split ? -HUGE_VAL : sum;
    if (name == "logdet")
      logarithm.out<double>()[i] = d.real() > 0 ? sum : d == ComplexDouble(0) ? -HUGE_VAL : std::nan("");
  }
  if (name == "logdet")
    return c.finish(0, cast(c, logarithm, x.dtype()));
  c.finish(0, cast(c, value, x.dtype()));
  if (split)
    c.finish(1, cast(c, logarithm, realType(x.dtype())));
  // torch factors what lies column after column: the transpose of real matrices that lie row after row.
  const bool turned = x.isContiguous() && !isComplex(x.dtype());
  if (const std::size_t next = split ? 2 : 1; c.resultCount() > next)
    finishFactors(c, turned ? x.transposed(x.rank() - 2, x.rank() - 1) : x, next);
}

/// inverse, cholesky, matrix_power, matrix_exp.
void executeSquareMatrixFunction(ExecContext &c) {
  const Tensor &x = matrixArgument(c);
  const std::string_view name = c.opName();
  // Without elements the old `cholesky` asks for no square matrices.
  if (name == "cholesky" && product(x.sizes()) == 0)
    return c.finish(0, c.empty(x.dtype(), x.sizes()));
  const Matrices m = matricesOf(c, x, true);
  const std::int64_t n = m.rows;
  const auto finish = [&](const Tensor &t, bool ofLapack = true) {
    const Tensor out = cast(c, reshaped(c, t, x.sizes()), x.dtype());
    c.finish(0, ofLapack ? columnMajor(c, out) : out);
    if (c.resultCount() > 1)
      c.finish(1, filled(c, DType::Int32, m.lead, Scalar::of(std::int64_t{0})));
  };
  if (name.find("inv") != name.npos) {
    const Tensor eye = identity(c, m);
    solveInPlace(c, m, eye);
    return finish(eye);
  }
  if (name.ends_with("matrix_power")) {
    const std::int64_t exponent = c.integer("n");
    auto power = static_cast<std::uint64_t>(exponent);
    Tensor base = m.data, result = identity(c, m);
    if (exponent < 0) {
      const Tensor eye = identity(c, m);
      solveInPlace(c, m, eye);
      base = eye;
      power = 0 - power;
    }
    for (; power > 0; power /= 2) {
      if (power % 2 != 0)
        result = matmul(c, result, base);
      base = power > 1 ? matmul(c, base, base) : base;
    }
    return finish(result, exponent == -1);
  }
  if (name.ends_with("matrix_exp")) {
    // Scaled until it is small, by its series, then squared back.
    const Tensor out = identity(c, m);
    for (std::int64_t i = 0; i < m.count; ++i) {
      double norm = 0;
      for (std::int64_t k = 0; k < n * n; ++k)
        norm = std::max(norm, math::abs(m.at(i)[k]));
      const int halvings =
          norm > 0 ? std::max(0, static_cast<int>(std::ceil(std::log2(norm * static_cast<double>(n)))) + 4) : 0;
      const Tensor a = mul(c, operandOf(m.data.selected(0, i)), operandOf(std::ldexp(1.0, -halvings)));
      Tensor sum = copied(c, out.selected(0, i)), term = sum;
      for (int k = 1; k < 20; ++k) {
        term = mul(c, operandOf(matmul(c, term, a)), operandOf(1.0 / k));
        sum = add(c, operandOf(sum), operandOf(term));
      }
      for (int k = 0; k < halvings; ++k)
        sum = matmul(c, sum, sum);
      copyInto(c, out.selected(0, i), sum);
    }
    return finish(out, false);
  }
  if (name.starts_with("cholesky") ? name == "cholesky" : name.find("cholesky") != name.npos) {
    const bool upper = c.flag("upper");
    const Tensor out = filled(c, DType::Complex128, m.data.sizes(), Scalar::of(0.0));
    for (std::int64_t i = 0; i < m.count; ++i) {
      ComplexDouble *l = out.out<ComplexDouble>() + i * n * n;
      for (std::int64_t r = 0; r < n; ++r)
        for (std::int64_t k = 0; k <= r; ++k) {
          ComplexDouble sum = m.at(i)[r * n + k];
          for (std::int64_t j = 0; j < k; ++j)
            sum -= l[r * n + j] * math::conj(l[k * n + j]);
          if (r == k && !(sum.real() > 0))
            c.fail("the matrix is not positive-definite");
          l[r * n + k] = r == k ? ComplexDouble(std::sqrt(sum.real())) : sum / l[k * n + k];
        }
    }
    return finish(upper ? map(c, Conjugate(), {operandOf(contiguous(c, out.transposed(1, 2)))}) : out);
  }
  c.fail("condlint cannot execute this function of matrices");
}

void executeSolve(ExecContext &c) {
  const Tensor &x = matrixArgument(c), &b = c.tensor("B");
  const bool left = c.flag("left", true);
  const bool vector =
      b.rank() == 1 || (b.rank() + 1 == x.rank() && std::ranges::equal(b.sizes(), x.sizes().first(x.rank() - 1)));
  Tensor right = vector ? b.unsqueezed(b.rank()) : b;
  const Sizes lead = broadcast(c, x.sizes().first(x.rank() - 2), right.sizes().first(right.rank() - 2));
  Sizes full = lead;
  full.insert(full.end(), x.sizes().end() - 2, x.sizes().end());
  Matrices m = matricesOf(c, expanded(c, left ? x : x.transposed(x.rank() - 2, x.rank() - 1), full), true);
  if (!left)
    right = right.transposed(right.rank() - 2, right.rank() - 1);
  full = lead;
  full.insert(full.end(), right.sizes().end() - 2, right.sizes().end());
  if (right.size(right.rank() - 2) != m.rows)
    c.fail("the right side does not fit the matrix");
  const std::int64_t shape[] = {m.count, m.rows, right.size(right.rank() - 1)};
  const Tensor work = copied(c, reshaped(c, cast(c, expanded(c, right, full), DType::Complex128), shape));
  solveInPlace(c, m, work);
  Tensor out = columnMajor(c, cast(c, reshaped(c, work, full), x.dtype()));
  if (!left)
    out = out.transposed(out.rank() - 2, out.rank() - 1);
  c.finish(0, vector ? out.squeezed(out.rank() - 1) : out);
  const bool withFactors = c.opName() == "_linalg_solve_ex";
  if (withFactors)
    finishFactors(c, x, 1);
  c.finish(withFactors ? 3 : 1, filled(c, DType::Int32, lead, Scalar::of(std::int64_t{0})));
}

/// linalg_solve_triangular, triangular_solve.
void executeSolveTriangular(ExecContext &c) {
  const bool old = c.opName() == "triangular_solve";
  const Tensor &given = c.tensor(old ? "A" : "self"), &b = c.tensor(old ? "self" : "B");
  const bool upper = c.flag("upper", old), unit = c.flag("unitriangular"), left = c.flag("left", true);
  if (given.rank() < 2 || b.rank() < 2)
    c.fail("matrices are solved for matrices");
  const Sizes lead = broadcast(c, given.sizes().first(given.rank() - 2), b.sizes().first(b.rank() - 2));
  const auto stretched = [&](const Tensor &t) {
    Sizes full = lead;
    full.insert(full.end(), t.sizes().end() - 2, t.sizes().end());
    return expanded(c, t, full);
  };
  // What lies on the other side of the diagonal is taken for zero.
  Matrices m = matricesOf(c, stretched(given), true);
  for (std::int64_t i = 0; i < m.count; ++i)
    for (std::int64_t r = 0; r < m.rows; ++r)
      for (std::int64_t k = 0; k < m.rows; ++k) {
        if (upper ? k < r : k > r)
          m.at(i)[r * m.rows + k] = 0;
        if (unit && r == k)
          m.at(i)[r * m.rows + k] = 1;
      }
  if ((old && c.flag("transpose")) == left) // X A = B is A^T X^T = B^T
    m.data = copied(c, m.data.transposed(1, 2));
  const Tensor right = stretched(left ? b : b.transposed(b.rank() - 2, b.rank() - 1));
  const std::int64_t shape[] = {m.count, m.rows, right.size(right.rank() - 1)};
  if (right.size(right.rank() - 2) != m.rows)
    c.fail("the right side does not fit the matrix");
  const Tensor work = copied(c, reshaped(c, cast(c, right, DType::Complex128), shape));
  solveInPlace(c, m, work);
  const Tensor out = cast(c, reshaped(c, work, right.sizes()), b.dtype());
  c.finish(0, columnMajor(c, left ? out : out.transposed(out.rank() - 2, out.rank() - 1)));
  if (old && c.resultCount() > 1)
    c.finish(1, columnMajor(c, copied(c, stretched(given))));
}

/// The inverse of a tensor as a map from its last axes to its first `ind`.
void executeTensorInverse(ExecContext &c) {
  const Tensor &x = matrixArgument(c);
  const std::int64_t split = c.integer("ind", 2);
  if (split <= 0 || split >= static_cast<std::int64_t>(x.rank()))
    c.fail(fmt::format("{} is no number of leading axes of a tensor of rank {}", split, x.rank()));
  const auto at = static_cast<std::size_t>(split);
  Sizes shape(x.sizes().begin() + split, x.sizes().end());
  shape.insert(shape.end(), x.sizes().begin(), x.sizes().begin() + split);
  const std::int64_t flat[] = {product(x.sizes().first(at)), product(x.sizes().subspan(at))};
  const Matrices m = matricesOf(c, reshaped(c, x, flat), true);
  const Tensor inverse = identity(c, m);
  solveInPlace(c, m, inverse);
  const Tensor out = columnMajor(c, cast(c, reshaped(c, inverse, flat), x.dtype()));
  c.finish(0, reshaped(c, out, shape));
}

/// The same system for one right side.
void executeTensorSolve(ExecContext &c) {
  Tensor a = c.tensor("self");
  const Tensor &b = c.tensor("other");
  if (const auto dims = c.integers("dims")) {
    // These axes go to the end, in the order in which they are named.
    std::vector<std::size_t> order, last;
    for (std::int64_t axis : *dims)
      last.push_back(axisOf(c, axis, a.rank()));
    axesOf(c, *dims, a.rank());
    for (std::size_t i = 0; i < a.rank(); ++i)
      if (std::ranges::find(last, i) == last.end())
        order.push_back(i);
    order.insert(order.end(), last.begin(), last.end());
    a = a.permuted(order);
  }
  if (b.rank() > a.rank())
    c.fail(fmt::format("shapes {} and {} do not fit each other", shapeText(a.sizes()), shapeText(b.sizes())));
  const SizeSpan shape = a.sizes().subspan(b.rank());
  const std::int64_t flat[] = {product(shape), product(shape)}, right[] = {1, b.numel(), 1};
  if (b.numel() != flat[0] || a.numel() != flat[0] * flat[0])
    c.fail(fmt::format("shapes {} and {} do not fit each other", shapeText(a.sizes()), shapeText(b.sizes())));
  const Matrices m = matricesOf(c, reshaped(c, a, flat), true);
  const Tensor work = copied(c, reshaped(c, cast(c, b, DType::Complex128), right));
  solveInPlace(c, m, work);
  c.finish(0, cast(c, reshaped(c, work, shape), b.dtype()));
}

namespace {

/// Fails for the first matrix that could not be factored.
void checkFactored(const ExecContext &c, const Tensor &info, std::string_view what) {
  for (std::int64_t at : integersOf(c, info))
    if (at != 0)
      c.fail(fmt::format("{}: the matrix is singular or not positive-definite at {}", what, at));
}

} // namespace

void executeCheckErrors(ExecContext &c) { checkFactored(c, c.tensor("info"), c.text("api_name")); }

/// What is called stands between the token and its operands, which have no names.
void executeWithEffects(ExecContext &c) {
  std::vector<std::string_view> texts;
  for (const Attribute &a : c.model().attributes(c.node()))
    if (a.kind == AttributeKind::String)
      texts.push_back(c.model().text(a.text));
  const std::string_view what = texts.empty() ? std::string_view() : texts.front();
  if (what == "torch.ops.aten._linalg_check_errors.default")
    checkFactored(c, c.in(1), texts.size() > 1 ? texts[1] : what);
  else if (!what.empty() && what != "torch.ops.aten._print.default")
    c.fail(fmt::format("condlint does not execute {}", what));
  const std::int64_t none[] = {0};
  c.set(0, c.empty(DType::Float32, none));
}

void executeTrace(ExecContext &c) {
  const Tensor &x = matrixArgument(c);
  if (x.rank() != 2)
    c.fail("a trace is that of a matrix");
  const std::int64_t n = std::min(x.size(0), x.size(1)), size[] = {n}, step[] = {x.stride(0) + x.stride(1)};
  const std::size_t first[] = {0};
  c.finish(0, reduced(c, x.with(size, step, x.offset()), first, false, Reduction::Sum, accumulateType(x.dtype())));
}

/// linalg_cross, linalg_vecdot.
void executeVectorProduct(ExecContext &c) {
  Tensor a = c.hasArg("self") ? c.tensor("self") : c.tensor("x"),
         b = c.hasArg("other") ? c.tensor("other") : c.tensor("y");
  const Sizes shape = broadcast(c, a.sizes(), b.sizes());
  a = expanded(c, a, shape);
  b = expanded(c, b, shape);
  // The older cross product takes the first axis of three where none is named.
  const auto three = static_cast<std::int64_t>(std::ranges::find(shape, 3) - shape.begin());
  const bool named = c.opName() != "cross" || c.hasArg("dim");
  const std::size_t axis = axisOf(c, named ? c.integer("dim", -1) : three, shape.size());
  if (c.opName() == "linalg_vecdot") {
    const Tensor conjugate = isComplex(a.dtype()) ? map(c, Conjugate(), {operandOf(a)}) : a;
    const auto axes = axesOf(c, Sizes{static_cast<std::int64_t>(axis)}, shape.size());
    return c.finish(0, reduced(c, mul(c, operandOf(conjugate), operandOf(b)), axes, false, Reduction::Sum, a.dtype()));
  }
  if (shape.empty() || shape[axis] != 3)
    c.fail("a cross product needs vectors of three");
  std::vector<Tensor> parts;
  for (std::int64_t k = 0; k < 3; ++k) {
    const std::int64_t p = (k + 1) % 3, q = (k + 2) % 3;
    const Tensor first = mul(c, operandOf(a.selected(axis, p)), operandOf(b.selected(axis, q)));
    const Tensor second = mul(c, operandOf(a.selected(axis, q)), operandOf(b.selected(axis, p)));
    parts.push_back(sub(c, operandOf(first), operandOf(second)).unsqueezed(axis));
  }
  c.finish(0, concatenated(c, parts, axis));
}

void executeDistances(ExecContext &c) {
  const Tensor &a = c.tensor("x1"), &b = c.tensor("x2");
  const double p = c.real("p", 2.0);
  if (a.rank() < 2 || b.rank() < 2 || a.size(a.rank() - 1) != b.size(b.rank() - 1))
    c.fail(fmt::format("points of the shapes {} and {}", shapeText(a.sizes()), shapeText(b.sizes())));
  const Tensor d = sub(c, operandOf(a.unsqueezed(a.rank() - 1)), operandOf(b.unsqueezed(b.rank() - 2)));
  const std::size_t last[] = {d.rank() - 1};
  c.finish(0, normOf(c, d, last, false, p, a.dtype()));
}

void executeMultiDot(ExecContext &c) {
  const std::vector<Tensor> list = c.tensors(c.opName() == "chain_matmul" ? "matrices" : "tensors");
  if (list.size() < 2)
    c.fail("nothing is multiplied");
  Tensor result = list[0];
  for (std::size_t i = 1; i < list.size(); ++i)
    result = matmul(c, result, list[i]);
  c.finish(0, result);
}

void executeVander(ExecContext &c) {
  const Tensor &given = c.tensor("x");
  const bool whole = isIntegral(given.dtype()) || given.dtype() == DType::Bool;
  const Tensor wide = whole ? cast(c, given, DType::Int64) : given;
  const Tensor x = wide.rank() == 0 ? wide.unsqueezed(0) : wide; // a number is a list of one
  const std::int64_t n = c.integer("N", x.size(x.rank() - 1));
  Sizes shape = sizesOf(x);
  shape.push_back(n);
  const Tensor out = c.empty(x.dtype(), shape);
  Tensor power = filled(c, x.dtype(), x.sizes(), Scalar::of(std::int64_t{1}));
  for (std::int64_t k = 0; k < n; ++k) {
    copyInto(c, out.selected(x.rank(), k), power);
    power = mul(c, operandOf(power), operandOf(x));
  }
  c.finish(0, out);
}

namespace {

/// A norm of the matrices of the axes \p row and \p column, which are left with one element each.
Tensor matrixNorm(const ExecContext &c, const Tensor &x, std::size_t row, std::size_t column, double p, bool nuclear) {
  const DType real = realType(x.dtype());
  const bool largest = p > 0;
  if (nuclear || std::fabs(p) == 2) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < x.rank(); ++i)
      if (i != row && i != column)
        order.push_back(i);
    order.insert(order.end(), {row, column});
    const Tensor values = singularValues(c, x.permuted(order));
    const std::size_t last[] = {values.rank() - 1};
    const Reduction how = nuclear ? Reduction::Sum : largest ? Reduction::Maximum : Reduction::Minimum;
    Sizes shape = sizesOf(x);
    shape[row] = shape[column] = 1;
    return cast(c, reshaped(c, reduced(c, values, last, false, how, DType::Float64), shape), real);
  }
  if (std::fabs(p) != 1 && !std::isinf(p))
    c.fail(fmt::format("{} is the order of no norm of matrices", p));
  const std::size_t summed[] = {std::isinf(p) ? column : row}, compared[] = {std::isinf(p) ? row : column};
  const Tensor sums = normOf(c, x, summed, true, 1, real);
  return reduced(c, sums, compared, true, largest ? Reduction::Maximum : Reduction::Minimum, real);
}

} // namespace

/// linalg_norm, linalg_matrix_norm, nuclear_norm.
void executeLinalgNorm(ExecContext &c) {
  const Tensor &given = matrixArgument(c);
  const bool ofMatrices = c.opName() == "linalg_matrix_norm", keep = c.flag("keepdim");
  auto dims = c.integers("dim");
  if (!dims && ofMatrices)
    dims = Sizes{-2, -1};
  const std::string_view usual = c.opName() == "nuclear_norm" ? "nuc" : ofMatrices && !c.hasArg("ord") ? "fro" : "";
  const std::string_view word = c.text("ord", usual);
  const bool ordered = c.hasArg("ord") || !word.empty();
  const Tensor x = cast(c, given, c.dtype("dtype").value_or(floatOf(c, given.dtype())));
  const auto axes = axesOf(c, dims ? SizeSpan(*dims) : SizeSpan(), x.rank());
  const std::size_t many = dims ? dims->size() : x.rank();
  if (!ordered || word == "fro" || (word.empty() && many != 2)) {
    if (ordered && many > 2)
      c.fail(fmt::format("{} axes have no norm of this order", many));
    return c.finish(0, normOf(c, x, axes, keep, ordered && word.empty() ? c.real("ord") : 2, realType(x.dtype())));
  }
  if (many != 2 || (!word.empty() && word != "nuc"))
    c.fail(fmt::format("{} axes have no norm of this order", many));
  const std::size_t row = axisOf(c, dims ? (*dims)[0] : 0, x.rank()),
                    column = axisOf(c, dims ? (*dims)[1] : 1, x.rank());
  const Tensor norm = matrixNorm(c, x, row, column, word.empty() ? c.real("ord") : 2, word == "nuc");
  Sizes shape;
  for (std::size_t i = 0; i < norm.rank(); ++i)
    if (keep || (i != row && i != column))
      shape.push_back(norm.size(i));
  c.finish(0, reshaped(c, norm, shape));
}

/// By singular values, or by a norm of the matrix and of its inverse.
void executeConditionNumber(ExecContext &c) {
  const Tensor &x = matrixArgument(c);
  if (x.rank() < 2)
    c.fail(fmt::format("a tensor of shape {} is no matrix", shapeText(x.sizes())));
  const std::string_view word = c.text("p");
  const double p = word.empty() && c.hasArg("p") ? c.real("p") : 2;
  const std::size_t row = x.rank() - 2, column = x.rank() - 1, both[] = {row, column};
  const auto normOfOrder = [&](const Tensor &t) {
    return word == "fro" ? normOf(c, t, both, true, 2, realType(t.dtype()))
                         : matrixNorm(c, t, row, column, p, word == "nuc");
  };
  const Sizes lead(x.sizes().begin(), x.sizes().end() - 2);
  if (!word.empty() && word != "fro" && word != "nuc")
    c.fail(fmt::format("'{}' names no norm of matrices", word));
  if (word.empty() && std::fabs(p) == 2) {
    const Tensor wide = cast(c, x, isComplex(x.dtype()) ? DType::Complex128 : DType::Float64);
    const Tensor ratio = div(c, operandOf(matrixNorm(c, wide, row, column, p, false)),
                             operandOf(matrixNorm(c, wide, row, column, -p, false)));
    return c.finish(0, cast(c, reshaped(c, ratio, lead), realType(x.dtype())));
  }
  const Matrices m = matricesOf(c, x, true);
  const Tensor inverse = identity(c, m);
  for (std::int64_t i = 0; i < m.count; ++i) {
    ComplexDouble *out = inverse.out<ComplexDouble>() + i * m.rows * m.rows;
    if (eliminate(m.at(i), m.rows, out, m.rows) != 0)
      substitute(m.at(i), m.rows, out, m.rows);
    else // infinitely far from it
      std::fill_n(out, m.rows * m.rows, ComplexDouble(HUGE_VAL));
  }
  const Tensor product =
      mul(c, operandOf(normOfOrder(x)), operandOf(normOfOrder(cast(c, reshaped(c, inverse, x.sizes()), x.dtype()))));
  c.finish(0, reshaped(c, product, lead));
}

} // namespace condlint
