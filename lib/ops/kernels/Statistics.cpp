//===- Statistics.cpp - Histograms and statistics, executed ---------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Statistics.h"
#include "../Promotion.h"
#include "ElementKernels.h"
#include "FunctorsMath.h"
#include "Rows.h"
#include <fmt/format.h>
#include <numeric>

namespace condlint {

namespace {

/// The sum along \p axis, which stays where \p keep says so.
Tensor summed(const ExecContext &c, const Tensor &t, std::size_t axis, bool keep = false) {
  const std::size_t axes[] = {axis};
  return reduced(c, t, axes, keep, Reduction::Sum, t.dtype());
}

/// Each vector of \p t along \p axis as one of length 1; shorter ones than \p least are divided by that.
Tensor normalized(const ExecContext &c, const Tensor &t, std::size_t axis, double least) {
  const std::size_t axes[] = {axis};
  const DType real = realType(t.dtype());
  const Tensor length = map(c, Maximum(), {operandOf(normOf(c, t, axes, true, 2, real)), operandOf(least)});
  return div(c, operandOf(t), operandOf(cast(c, length, t.dtype())));
}

/// What each observation counts; nothing where all count the same.
std::optional<std::vector<double>> weightsOf(const ExecContext &c, std::string_view name, std::int64_t observations) {
  const Tensor *given = c.maybeTensor(name);
  if (!given)
    return std::nullopt;
  std::vector<double> weights = doublesOf(c, *given);
  if (given->rank() != 1 || std::ssize(weights) != observations)
    c.fail(fmt::format("'{}' has the shape {} for {} observations", name, shapeText(given->sizes()), observations));
  return weights;
}

/// Of rows of observations: [rows, rows].
Tensor covarianceOf(const ExecContext &c, const Tensor &x, double correction) {
  const std::int64_t observations = x.size(1);
  const auto often = weightsOf(c, "fweights", observations), important = weightsOf(c, "aweights", observations);
  std::vector<double> weights(static_cast<std::size_t>(observations), 1.0);
  double squares = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] = (often ? (*often)[i] : 1) * (important ? (*important)[i] : 1);
    squares += weights[i] * (important ? (*important)[i] : 1);
  }
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  const Tensor w = cast(c, tensorOf(c, Sizes{observations}, weights), x.dtype());
  const Tensor mean = div(c, operandOf(summed(c, mul(c, operandOf(x), operandOf(w)), 1, true)), operandOf(total));
  const Tensor centred = sub(c, operandOf(x), operandOf(mean));
  Tensor other = mul(c, operandOf(centred), operandOf(w));
  if (isComplex(x.dtype()))
    other = map(c, Conjugate(), {operandOf(other)});
  const double norm = total - correction * (important && total != 0 ? squares / total : 1);
  return div(c, operandOf(matmul(c, centred, contiguous(c, other.transposed(0, 1)))), operandOf(norm > 0 ? norm : 0.0));
}

/// \p matrix over the roots of the numbers on its diagonal, cut to what a correlation can be.
Tensor correlationOf(const ExecContext &c, const Tensor &matrix) {
  const std::int64_t size[] = {matrix.size(0)}, step[] = {matrix.stride(0) + matrix.stride(1)};
  const Tensor deviation = map(c, Sqrt(), {operandOf(contiguous(c, matrix.with(size, step, matrix.offset())))});
  const Tensor columns = div(c, operandOf(matrix), operandOf(deviation.unsqueezed(1)));
  const Tensor both = div(c, operandOf(columns), operandOf(deviation.unsqueezed(0)));
  return map(c, Clamp(), {operandOf(both), operandOf(-1.0), operandOf(1.0)});
}

/// How far each point of \p x lies from the one before it, along \p axis of a tensor of \p rank axes.
Tensor distancesOf(const ExecContext &c, Tensor x, std::size_t rank, std::size_t axis) {
  const bool vector = x.rank() == 1;
  while (x.rank() < rank)
    x = vector && x.rank() > rank - 1 - axis ? x.unsqueezed(0) : x.unsqueezed(vector ? x.rank() : 0);
  const std::size_t at = vector ? axis : x.rank() - rank + axis;
  const std::int64_t count = std::max<std::int64_t>(x.size(at) - 1, 0);
  return sub(c, operandOf(x.sliced(at, std::min<std::int64_t>(x.size(at), 1), count)),
             operandOf(x.sliced(at, 0, count)));
}

} // namespace

/// cosine_similarity, pairwise_distance.
void executeVectorComparison(ExecContext &c) {
  Tensor x = c.tensor("x1"), y = c.tensor("x2");
  const DType both = promoted(c, {operandOf(x), operandOf(y)});
  if (c.opName() == "pairwise_distance") {
    const DType t = floatOf(c, both);
    const Tensor apart = sub(c, operandOf(cast(c, x, t)), operandOf(cast(c, y, t)));
    if (apart.rank() == 0)
      c.fail("a number is no vector");
    const std::size_t last[] = {apart.rank() - 1};
    return c.finish(0, normOf(c, add(c, operandOf(apart), operandOf(c.real("eps", 1e-6))), last, c.flag("keepdim"),
                              c.real("p", 2), realType(t)));
  }
  if (!isFloating(both))
    c.fail(fmt::format("vectors of {} have no similarity", dtypeName(both)));
  const Sizes shape = broadcast(c, x.sizes(), y.sizes());
  const std::size_t axis = axisOf(c, c.integer("dim", 1), shape.size());
  // A number is a vector of one.
  const auto vectors = [&](const Tensor &t) {
    const Tensor whole = expanded(c, cast(c, t, both), shape);
    return normalized(c, shape.empty() ? reshaped(c, whole, Sizes{1}) : whole, axis, c.real("eps", 1e-8));
  };
  c.finish(0, summed(c, mul(c, operandOf(vectors(x)), operandOf(vectors(y))), axis));
}

/// cov, corrcoef.
void executeCovariance(ExecContext &c) {
  const Tensor &self = c.tensor("self");
  const bool correlation = c.opName() == "corrcoef";
  if (self.rank() > 2 || self.dtype() == DType::Bool)
    c.fail(fmt::format("{}{} are no rows of observations", dtypeName(self.dtype()), shapeText(self.sizes())));
  if (correlation && isComplex(self.dtype()))
    c.fail("condlint does not correlate complex numbers");
  const Sizes rows = self.rank() == 2 ? sizesOf(self) : Sizes{1, self.numel()};
  const Tensor *weights = c.maybeTensor("aweights");
  const DType t = weights ? promoted(c, {operandOf(self), operandOf(*weights)}) : self.dtype();
  const Tensor x = cast(c, reshaped(c, self, rows), floatOf(c, t));
  Tensor matrix = covarianceOf(c, x, correlation ? 1 : c.real("correction", 1));
  if (correlation)
    matrix = correlationOf(c, matrix);
  c.finish(0, rows[0] == 1 ? reshaped(c, matrix, {}) : matrix);
}

/// trapezoid, trapz, cumulative_trapezoid.
void executeTrapezoid(ExecContext &c) {
  const Tensor &given = c.tensor("y");
  const Tensor *points = c.maybeTensor("x");
  if (given.rank() == 0 || (points && points->rank() == 0) || given.dtype() == DType::Bool)
    c.fail("a trapezoid needs points along an axis");
  const std::size_t axis = axisOf(c, c.integer("dim", -1), given.rank());
  DType t = given.dtype();
  if (points)
    t = promoted(c, {operandOf(given), operandOf(*points)});
  const Tensor y = cast(c, given, t);
  const std::int64_t count = std::max<std::int64_t>(y.size(axis) - 1, 0);
  Tensor area = add(c, operandOf(y.sliced(axis, std::min<std::int64_t>(y.size(axis), 1), count)),
                    operandOf(y.sliced(axis, 0, count)));
  if (points && points->rank() > given.rank())
    c.fail("condlint does not integrate over points of more axes than the values have");
  if (points)
    area = mul(c, operandOf(area), operandOf(distancesOf(c, cast(c, *points, t), given.rank(), axis)));
  // Whole numbers are added up as such.
  area = cast(c, area, accumulateType(t));
  const double width = points ? 0.5 : c.real("dx", 1) / 2;
  const auto finish = [&](const Tensor &sum) {
    c.finish(0, mul(c, operandOf(cast(c, sum, floatOf(c, t))), operandOf(width)));
  };
  if (c.opName() != "cumulative_trapezoid")
    return finish(summed(c, area, axis));
  const Rows rows = rowsAlong(c, area, axis);
  const Tensor sums = c.empty(rows.data.dtype(), rows.data.sizes());
  withCompute(computeOf(rows.data.dtype()), [&](auto zero) {
    using T = decltype(zero);
    const T *from = rows.data.as<T>();
    T *to = sums.out<T>();
    for (std::int64_t i = 0; i < rows.count; ++i) {
      T sum(0);
      for (std::int64_t k = 0; k < rows.length; ++k) {
        sum += from[i * rows.length + k];
        to[i * rows.length + k] = sum;
      }
    }
  });
  finish(fromRows(c, sums, area, axis, area.dtype()));
}

/// bilinear(input1, input2, weight, bias): x W_o y for each output o.
void executeBilinear(ExecContext &c) {
  const Tensor &x = c.tensor("input1"), &y = c.tensor("input2"), &w = c.tensor("weight");
  const std::size_t last = x.rank() - 1;
  if (x.rank() == 0 || x.rank() != y.rank() || w.rank() != 3 || x.size(last) != w.size(1) ||
      y.size(last) != w.size(2) || !std::ranges::equal(x.sizes().first(last), y.sizes().first(last)))
    c.fail(fmt::format("a bilinear form of the shape {} for operands of the shapes {} and {}", shapeText(w.sizes()),
                       shapeText(x.sizes()), shapeText(y.sizes())));
  const std::int64_t count = product(x.sizes().first(last)), outputs = w.size(0);
  const Tensor left = reshaped(c, x, Sizes{count, w.size(1)}), right = reshaped(c, y, Sizes{count, 1, w.size(2)});
  // [outputs, in1, in2] with the rows of x: [count, outputs, in2].
  const Tensor turned = reshaped(c, permuted(w, {1, 0, 2}), Sizes{w.size(1), outputs * w.size(2)});
  const Tensor mixed = reshaped(c, matmul(c, left, turned), Sizes{count, outputs, w.size(2)});
  Tensor sum = summed(c, mul(c, operandOf(mixed), operandOf(right)), 2);
  if (const Tensor *bias = c.maybeTensor("bias"))
    sum = add(c, operandOf(sum), operandOf(*bias));
  Sizes shape = sizesOf(x);
  shape.back() = outputs;
  c.finish(0, reshaped(c, sum, shape));
}

} // namespace condlint
