//===----------------------------------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ElementKernels.h"
#include "FunctorsMath.h"
#include "Kernels.h"
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

const Tensor &matrixArgument(const ExecContext &c) {
  for (std::string_view name : {"A", "self", "input"})
    if (const Tensor *t = c.maybeTensor(name))
      return *t;
  return c.in(0);
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
  if (c.resultCount() > (split ? 2u : 1u))
    c.fail("condlint computes no factors of a determinant");
}

/// inverse, cholesky, matrix_power, matrix_exp.
void executeSquareMatrixFunction(ExecContext &c) {
  const Tensor &x = matrixArgument(c);
  const std::string_view name = c.opName();
  const Matrices m = matricesOf(c, x, true);
  const std::int64_t n = m.rows;
  const auto finish = [&](const Tensor &t) {
    c.finish(0, cast(c, reshaped(c, t, x.sizes()), x.dtype()));
    if (c.resultCount() > 1)
      c.finish(1, filled(c, DType::Int32, m.lead, Scalar::of(std::int64_t{0})));
  };
  if (name.find("inv") != name.npos && name != "cholesky_inverse") {
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
    return finish(result);
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
    return finish(out);
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
  Tensor out = cast(c, reshaped(c, work, full), x.dtype());
  if (!left)
    out = out.transposed(out.rank() - 2, out.rank() - 1);
  c.finish(0, vector ? out.squeezed(out.rank() - 1) : out);
  if (c.opName() == "linalg_solve_ex")
    c.finish(1, filled(c, DType::Int32, lead, Scalar::of(std::int64_t{0})));
  else if (c.resultCount() > 1)
    c.fail("condlint computes the solution only");
}

/// linalg_solve_triangular, triangular_solve.
void executeSolveFactored(ExecContext &c) {
  const std::string_view name = c.opName();
  const bool old = name == "triangular_solve";
  if (!old && name != "linalg_solve_triangular")
    c.fail("condlint cannot execute this solver");
  const Tensor &b = old ? c.tensor("self") : c.tensor("B");
  const Tensor &a = c.tensor(old ? "A" : "self");
  const bool upper = c.flag("upper", old), unit = c.flag("unitriangular");
  const bool transposed = old && c.flag("transpose");
  if (!old && !c.flag("left", true))
    c.fail("condlint solves triangular systems from the left only");
  // What lies on the other side of the diagonal is taken for zero.
  Matrices m = matricesOf(c, a, true);
  for (std::int64_t i = 0; i < m.count; ++i)
    for (std::int64_t r = 0; r < m.rows; ++r)
      for (std::int64_t k = 0; k < m.rows; ++k) {
        if (upper ? k < r : k > r)
          m.at(i)[r * m.rows + k] = 0;
        if (unit && r == k)
          m.at(i)[r * m.rows + k] = 1;
      }
  if (transposed)
    m.data = copied(c, m.data.transposed(1, 2));
  const std::int64_t shape[] = {m.count, m.rows, b.rank() < 2 ? 0 : b.size(b.rank() - 1)};
  if (b.rank() != a.rank() || b.numel() != product(shape))
    c.fail("the right side does not fit the matrix");
  const Tensor work = copied(c, reshaped(c, cast(c, b, DType::Complex128), shape));
  solveInPlace(c, m, work);
  c.finish(0, cast(c, reshaped(c, work, b.sizes()), b.dtype()));
  if (old && c.resultCount() > 1)
    c.finish(1, copied(c, a));
}

namespace {

/// Eigenvalues of a Hermitian matrix by Jacobi's rotations (real symmetric here), ascending.
std::vector<double> symmetricEigenvalues(std::vector<double> a, std::int64_t n) {
  const auto at = [&](std::int64_t i, std::int64_t k) -> double & { return a[static_cast<std::size_t>(i * n + k)]; };
  for (int sweep = 0; sweep < 100; ++sweep) {
    double off = 0;
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t k = i + 1; k < n; ++k)
        off += at(i, k) * at(i, k);
    if (off < 1e-300)
      break;
    for (std::int64_t p = 0; p < n; ++p)
      for (std::int64_t q = p + 1; q < n; ++q) {
        if (at(p, q) == 0)
          continue;
        const double theta = (at(q, q) - at(p, p)) / (2 * at(p, q));
        const double t = std::copysign(1.0, theta) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
        const double co = 1 / std::sqrt(t * t + 1), si = t * co;
        for (std::int64_t k = 0; k < n; ++k) {
          const double x = at(k, p), y = at(k, q);
          at(k, p) = co * x - si * y;
          at(k, q) = si * x + co * y;
        }
        for (std::int64_t k = 0; k < n; ++k) {
          const double x = at(p, k), y = at(q, k);
          at(p, k) = co * x - si * y;
          at(q, k) = si * x + co * y;
        }
      }
  }
  std::vector<double> values;
  for (std::int64_t i = 0; i < n; ++i)
    values.push_back(at(i, i));
  std::ranges::sort(values);
  return values;
}

/// Singular values of each matrix, descending.
Tensor singularValues(const ExecContext &c, const Tensor &x) {
  if (isComplex(x.dtype()) || x.rank() < 2)
    c.fail("condlint computes singular values of real matrices only");
  const Tensor wide = cast(c, x, DType::Float64);
  const bool tall = x.size(x.rank() - 2) >= x.size(x.rank() - 1);
  const Tensor turned = wide.transposed(x.rank() - 2, x.rank() - 1);
  const Tensor gram = contiguous(c, tall ? matmul(c, turned, wide) : matmul(c, wide, turned));
  const std::int64_t n = gram.size(gram.rank() - 1);
  Sizes shape(x.sizes().begin(), x.sizes().end() - 2);
  const std::int64_t count = product(shape);
  shape.push_back(n);
  const Tensor out = c.empty(DType::Float64, shape);
  for (std::int64_t i = 0; i < count; ++i) {
    const double *g = gram.as<double>() + i * n * n;
    const std::vector<double> values = symmetricEigenvalues(std::vector<double>(g, g + n * n), n);
    for (std::int64_t k = 0; k < n; ++k)
      out.out<double>()[i * n + k] = std::sqrt(std::max(values[static_cast<std::size_t>(n - 1 - k)], 0.0));
  }
  return out;
}

} // namespace

void executeSingularValues(ExecContext &c) {
  const Tensor &x = matrixArgument(c);
  c.finish(0, cast(c, singularValues(c, x), x.dtype()));
}

void executeEigh(ExecContext &c) {
  const Tensor &x = matrixArgument(c);
  if (c.opName() != "linalg_eigvalsh")
    c.fail("condlint computes no eigenvectors");
  const Matrices m = matricesOf(c, x, true);
  if (isComplex(x.dtype()))
    c.fail("condlint computes eigenvalues of real symmetric matrices only");
  const bool upper = c.text("UPLO", "L") == "U";
  Sizes shape = m.lead;
  shape.push_back(m.rows);
  const Tensor out = c.empty(DType::Float64, shape);
  for (std::int64_t i = 0; i < m.count; ++i) {
    std::vector<double> a(static_cast<std::size_t>(m.rows * m.rows));
    for (std::int64_t r = 0; r < m.rows; ++r)
      for (std::int64_t k = 0; k < m.rows; ++k) {
        const std::int64_t p = upper ? std::min(r, k) : std::max(r, k), q = upper ? std::max(r, k) : std::min(r, k);
        a[static_cast<std::size_t>(r * m.rows + k)] = m.at(i)[p * m.rows + q].real();
      }
    std::ranges::copy(symmetricEigenvalues(std::move(a), m.rows), out.out<double>() + i * m.rows);
  }
  c.finish(0, cast(c, out, x.dtype()));
}

void executeMatrixRank(ExecContext &c) {
  const Tensor &x = matrixArgument(c);
  const Tensor s = singularValues(c, x);
  const std::int64_t n = s.size(s.rank() - 1), count = n == 0 ? 0 : s.numel() / n;
  const double eps = x.dtype() == DType::Float64 ? 2.220446049250313e-16 : 1.1920928955078125e-07;
  const double relative = c.hasArg("rtol")
                              ? c.real("rtol")
                              : static_cast<double>(std::max(x.size(x.rank() - 1), x.size(x.rank() - 2))) * eps;
  const double absolute = c.hasArg("atol") ? c.real("atol") : c.hasArg("tol") ? c.real("tol") : 0;
  const Tensor out = c.empty(DType::Int64, s.sizes().first(s.rank() - 1));
  for (std::int64_t i = 0; i < count; ++i) {
    const double *v = s.as<double>() + i * n;
    const double limit = std::max(absolute, c.hasArg("tol") ? 0 : relative * v[0]);
    out.out<std::int64_t>()[i] = std::count_if(v, v + n, [&](double value) { return value > limit; });
  }
  c.finish(0, out);
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
  const std::vector<Tensor> list = c.tensors("tensors");
  if (list.size() < 2)
    c.fail("nothing is multiplied");
  Tensor result = list[0];
  for (std::size_t i = 1; i < list.size(); ++i)
    result = matmul(c, result, list[i]);
  c.finish(0, result);
}

void executeVander(ExecContext &c) {
  const Tensor &x = c.tensor("x");
  const std::int64_t n = c.integer("N", x.rank() == 0 ? 0 : x.size(x.rank() - 1));
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

void executeLinalgNorm(ExecContext &c) {
  const Tensor &x = matrixArgument(c);
  const auto dims = c.integers("dim");
  const std::string_view word = c.text("ord");
  const bool given = c.hasArg("ord");
  const std::size_t reducedAxes = dims ? dims->size() : x.rank();
  if (!word.empty() && word != "fro")
    c.fail("condlint does not compute the nuclear norm");
  if (given && word.empty() && reducedAxes == 2)
    c.fail("condlint does not compute this matrix norm");
  const auto axes = axesOf(c, dims ? SizeSpan(*dims) : SizeSpan(), x.rank());
  c.finish(0, normOf(c, x, axes, c.flag("keepdim"), given && word.empty() ? c.real("ord") : 2,
                     realType(c.dtype("dtype").value_or(floatOf(c, x.dtype())))));
}

} // namespace condlint
