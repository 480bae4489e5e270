//===- Reduction.cpp - Reductions, executed -------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Reduction.h"
#include "ElementKernels.h"
#include "FunctorsMath.h"
#include "Rows.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace condlint {

namespace {

/// The axes of the argument `dim` (one, a list, or all).
std::vector<std::size_t> dimAxes(const ExecContext &c, const Tensor &t) {
  const auto given = c.integers("dim");
  return axesOf(c, given ? SizeSpan(*given) : SizeSpan(), t.rank());
}

/// torch: bool and integers are summed as int64, unless `dtype` says otherwise.
DType sumType(const ExecContext &c, DType t) {
  if (const auto given = c.dtype("dtype"))
    return *given;
  return c.isTorch() ? accumulateType(t) : t;
}

void reduceTorch(ExecContext &c, Reduction how, DType to) {
  Tensor x = firstOperand(c);
  if (const auto given = c.dtype("dtype"))
    x = cast(c, x, *given);
  c.finish(0, reduced(c, x, dimAxes(c, x), c.flag("keepdim"), how, to));
}

} // namespace

void executeSum(ExecContext &c) { reduceTorch(c, Reduction::Sum, sumType(c, firstOperand(c).dtype())); }
void executeNansum(ExecContext &c) {
  const DType t = firstOperand(c).dtype();
  reduceTorch(c, isFloating(t) ? Reduction::NanSum : Reduction::Sum, sumType(c, t));
}
void executeProd(ExecContext &c) { reduceTorch(c, Reduction::Product, sumType(c, firstOperand(c).dtype())); }

void executeMean(ExecContext &c) {
  const DType t = c.dtype("dtype").value_or(firstOperand(c).dtype());
  if (!isFloating(t) && !isComplex(t))
    c.fail(fmt::format("the mean of {} is not defined", dtypeName(t)));
  reduceTorch(c, c.opName() == "nanmean" ? Reduction::NanMean : Reduction::Mean, t);
}

namespace {

double correctionOf(const ExecContext &c) {
  if (c.hasArg("unbiased"))
    return c.flag("unbiased") ? 1 : 0;
  return c.real("correction", 1.0);
}

} // namespace

namespace {

void refuseWhole(const ExecContext &c, const Tensor &x) {
  if (!isFloating(x.dtype()) && !isComplex(x.dtype()))
    c.fail(fmt::format("is defined for floating and complex numbers, not for {}", dtypeName(x.dtype())));
}

/// The largest of nothing is nothing.
void refuseEmpty(const ExecContext &c, const Tensor &x, std::span<const std::size_t> axes) {
  for (std::size_t axis : axes)
    if (axis < x.rank() && x.size(axis) == 0)
      c.fail(fmt::format("the largest of no elements is asked for: axis {} is empty", axis));
}

} // namespace

void executeVar(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  refuseWhole(c, x);
  // The root of a variance that the element type cannot hold may be one that it can.
  const Tensor wide = cast(c, x, isFloating(x.dtype()) ? DType::Float64 : DType::Complex128);
  auto [variance, mean] = varianceOf(c, wide, dimAxes(c, x), c.flag("keepdim"), correctionOf(c));
  const bool pair = c.opName().ends_with("_mean");
  if (c.opName().starts_with("std"))
    variance = map(c, Power(), {operandOf(variance), operandOf(0.5)});
  c.finish(0, cast(c, variance, realType(x.dtype())));
  if (pair)
    c.finish(1, cast(c, mean, x.dtype()));
}

void executeNorm(ExecContext &c) {
  const Tensor &x = c.hasArg("A") ? c.tensor("A") : firstOperand(c);
  const std::string_view name = c.opName();
  refuseWhole(c, x);
  double p = 2;
  if (name == "norm")
    p = c.real("p", 2.0);
  else if (name == "linalg_vector_norm")
    p = c.real("ord", 2.0);
  const std::vector<std::size_t> axes = dimAxes(c, x);
  const DType to = realType(c.dtype("dtype").value_or(floatOf(c, x.dtype())));
  c.finish(0, normOf(c, x, axes, c.flag("keepdim"), p, to));
}

/// _is_all_true, _is_any_true.
void executeTruthOfAll(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  const Reduction how = c.opName() == "_is_all_true" ? Reduction::All : Reduction::Any;
  c.finish(0, reduced(c, x, axesOf(c, {}, x.rank()), false, how, DType::Bool));
}

namespace {

/// Complex numbers have no greatest: torch takes the greatest real part out of the sum, where it is finite.
Tensor complexLogSumExp(const ExecContext &c, const Tensor &x, std::span<const std::size_t> axes, bool keepDim) {
  const auto total = [&](const Tensor &t, bool kept) {
    return map(c, Log(), {operandOf(reduced(c, map(c, Exp(), {operandOf(t)}), axes, kept, Reduction::Sum, t.dtype()))});
  };
  if (x.numel() == 0)
    return total(x, keepDim);
  const DType real = realType(x.dtype());
  const Tensor most = reduced(c, cast(c, x, real), axes, true, Reduction::Maximum, real);
  const Tensor taken = select(c, map(c, IsInfinite(), {operandOf(most)}), operandOf(0.0), operandOf(most));
  const Tensor sum = add(c, operandOf(total(sub(c, operandOf(x), operandOf(taken)), true)), operandOf(taken));
  return keepDim ? sum : reshaped(c, sum, rowsOf(c, x, axes).shape(false));
}

} // namespace

void executeLogSumExp(ExecContext &c) {
  const Tensor x = floating(c, firstOperand(c));
  const DType to = floatOf(c, firstOperand(c).dtype());
  if (isComplex(x.dtype()))
    return c.finish(0, cast(c, complexLogSumExp(c, x, dimAxes(c, x), c.flag("keepdim")), to));
  c.finish(0, reduced(c, x, dimAxes(c, x), c.flag("keepdim"), Reduction::LogSumExp, to));
}

void executeAmax(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  refuseEmpty(c, x, dimAxes(c, x));
  c.finish(0, reduced(c, x, dimAxes(c, x), c.flag("keepdim"),
                      c.opName() == "amax" ? Reduction::Maximum : Reduction::Minimum, x.dtype()));
}

void executeAny(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  const DType to = x.dtype() == DType::UInt8 ? DType::UInt8 : DType::Bool;
  c.finish(0,
           reduced(c, x, dimAxes(c, x), c.flag("keepdim"), c.opName() == "any" ? Reduction::Any : Reduction::All, to));
}

void executeArgmax(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  if (x.dtype() == DType::Bool)
    c.fail("is not defined for bool");
  const Reduction how = c.opName() == "argmax" ? Reduction::ArgMax : Reduction::ArgMin;
  c.finish(0, reduced(c, x, dimAxes(c, x), c.flag("keepdim"), how, DType::Int64));
}

void executeCountNonzero(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  c.finish(0, reduced(c, x, dimAxes(c, x), false, Reduction::CountNonzero, DType::Int64));
}

namespace {

/// The element of rank \p k (from 0) of each row along \p axis, and where it was.
void finishOrderStatistic(ExecContext &c, const Tensor &x, std::size_t axis, const std::vector<std::int64_t> &ranks,
                          const Tensor &order) {
  const Rows sorted = rowsAlong(c, order, axis);
  const Tensor indices = c.empty(DType::Int64, sorted.kept);
  for (std::int64_t i = 0; i < sorted.count; ++i)
    indices.out<std::int64_t>()[i] =
        sorted.data.as<std::int64_t>()[i * sorted.length + ranks[static_cast<std::size_t>(i)]];
  const Tensor column = x.rank() == 0 ? indices : indices.unsqueezed(axis);
  Tensor values = x.rank() == 0 ? x : gatherAlong(c, x, axis, contiguous(c, column));
  const bool keep = c.flag("keepdim") || x.rank() == 0;
  c.finish(0, keep ? values : values.squeezed(axis));
  c.finish(1, keep ? contiguous(c, column) : indices);
}

/// NaN decides the median, unless it is to be ignored.
std::vector<std::int64_t> medianRanks(const ExecContext &c, const Tensor &x, std::size_t axis, bool ignoreNan) {
  const Rows r = rowsAlong(c, cast(c, x, DType::Float64), axis);
  std::vector<std::int64_t> ranks;
  for (std::int64_t i = 0; i < r.count; ++i) {
    std::int64_t nans = 0;
    for (std::int64_t k = 0; k < r.length; ++k)
      nans += isNan(r.data.as<double>()[i * r.length + k]) ? 1 : 0;
    const std::int64_t whole = r.length - nans;
    ranks.push_back(nans == 0 || ignoreNan ? std::max<std::int64_t>(whole - 1, 0) / 2 : whole);
  }
  return ranks;
}

} // namespace

/// max, min, median: of all elements, along an axis with indices, or of two tensors.
void executeExtreme(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  const std::string_view name = c.opName();
  const bool median = name.ends_with("median");
  if (c.hasArg("other")) {
    const Operand a = operandOf(x), b = c.tensorOrScalar("other");
    const DType t = promoted(c, {a, b});
    return name == "max" ? finishElementwise(c, Maximum(), computeOf(t), t, {a, b})
                         : finishElementwise(c, Minimum(), computeOf(t), t, {a, b});
  }
  if (!c.hasArg("dim")) {
    if (x.numel() == 0 && !median)
      c.fail("the largest of no elements is asked for");
    if (!median)
      return c.finish(0, reduced(c, x, axesOf(c, {}, x.rank()), false,
                                 name == "max" ? Reduction::Maximum : Reduction::Minimum, x.dtype()));
    const std::int64_t flat[] = {x.numel()};
    const Tensor row = reshaped(c, x, flat);
    if (x.numel() == 0)
      return c.finish(0, filled(c, x.dtype(), {}, Scalar::of(std::nan(""))));
    const Tensor order = sortedIndices(c, row, 0, false);
    const std::int64_t at = medianRanks(c, row, 0, name == "nanmedian")[0];
    return c.finish(0, copied(c, row.selected(0, order.as<std::int64_t>()[at])));
  }
  const std::size_t axis = axisOf(c, c.integer("dim"), x.rank());
  if (x.rank() != 0 && x.size(axis) == 0)
    c.fail("the largest of no elements is asked for");
  if (median)
    return finishOrderStatistic(c, x, axis, medianRanks(c, x, axis, name == "nanmedian"),
                                sortedIndices(c, x, axis, false));
  const std::size_t axes[] = {axis};
  const bool keep = c.flag("keepdim");
  const Reduction how = name == "max" ? Reduction::ArgMax : Reduction::ArgMin;
  if (x.rank() == 0) {
    c.finish(0, copied(c, x));
    return c.finish(1, filled(c, DType::Int64, {}, Scalar::of(std::int64_t{0})));
  }
  const Tensor indices = reduced(c, x, axes, true, how, DType::Int64);
  const Tensor values = gatherAlong(c, x, axis, indices);
  c.finish(0, keep ? values : values.squeezed(axis));
  c.finish(1, keep ? indices : indices.squeezed(axis));
}

void executeMode(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  const std::size_t axis = axisOf(c, c.integer("dim", -1), x.rank());
  const Tensor order = sortedIndices(c, x, axis, false);
  if (c.opName() == "kthvalue") {
    const std::int64_t k = c.integer("k"), size = x.rank() == 0 ? 1 : x.size(axis);
    if (k < 1 || k > size)
      c.fail(fmt::format("the element {} of {} is asked for", k, size));
    return finishOrderStatistic(c, x, axis, std::vector<std::int64_t>(static_cast<std::size_t>(x.numel()), k - 1),
                                order);
  }
  // The value that occurs most often, the smallest of several; its last place.
  const Rows sorted = rowsAlong(c, order, axis), values = rowsAlong(c, cast(c, x, DType::Float64), axis);
  std::vector<std::int64_t> ranks;
  for (std::int64_t i = 0; i < sorted.count; ++i) {
    const std::int64_t n = sorted.length, *row = sorted.data.as<std::int64_t>() + i * n;
    const double *v = values.data.as<double>() + i * n;
    std::int64_t best = 0, most = 0, run = 0;
    for (std::int64_t k = 0; k < n; ++k) {
      run = k != 0 && v[row[k]] == v[row[k - 1]] ? run + 1 : 1;
      if (run > most) {
        most = run;
        best = k;
      }
    }
    ranks.push_back(best);
  }
  finishOrderStatistic(c, x, axis, ranks, order);
}

void executeAminmax(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  const auto axes = dimAxes(c, x);
  refuseEmpty(c, x, axes);
  c.finish(0, reduced(c, x, axes, c.flag("keepdim"), Reduction::Minimum, x.dtype()));
  c.finish(1, reduced(c, x, axes, c.flag("keepdim"), Reduction::Maximum, x.dtype()));
}

void executeQuantile(ExecContext &c) {
  Tensor x = firstOperand(c);
  const bool whole = !c.hasArg("dim"), ignoreNan = c.opName() == "nanquantile";
  const std::size_t rankBefore = x.rank();
  if (whole) {
    const std::int64_t flat[] = {x.numel()};
    x = reshaped(c, x, flat);
  }
  const std::size_t axis = whole ? 0 : axisOf(c, c.integer("dim"), x.rank());
  const Tensor *list = c.maybeTensor("q");
  const std::vector<double> q = list ? doublesOf(c, *list) : std::vector<double>{c.real("q")};
  const std::string_view mode = c.text("interpolation", "linear");
  const Rows r = rowsAlong(c, cast(c, x, DType::Float64), axis);
  Sizes shape = r.kept;
  if (c.flag("keepdim"))
    shape = whole ? Sizes(rankBefore, 1) : r.keptDim;
  if (list && list->rank() != 0)
    shape.insert(shape.begin(), list->numel());
  const Tensor out = c.empty(DType::Float64, shape);
  for (std::int64_t i = 0; i < r.count; ++i) {
    std::vector<double> row(r.data.as<double>() + i * r.length, r.data.as<double>() + (i + 1) * r.length);
    const bool hasNan = std::ranges::any_of(row, [](double v) { return std::isnan(v); });
    if (ignoreNan)
      std::erase_if(row, [](double v) { return std::isnan(v); });
    std::ranges::sort(row, [](double a, double b) { return a < b || (std::isnan(b) && !std::isnan(a)); });
    for (std::size_t k = 0; k < q.size(); ++k) {
      double value = std::nan("");
      if (!row.empty() && (!hasNan || ignoreNan)) {
        const double at = q[k] * static_cast<double>(row.size() - 1);
        const double low = row[static_cast<std::size_t>(std::floor(at))],
                     high = row[static_cast<std::size_t>(std::ceil(at))];
        if (mode == "lower")
          value = low;
        else if (mode == "higher")
          value = high;
        else if (mode == "midpoint")
          value = (low + high) / 2;
        else if (mode == "nearest")
          value = row[static_cast<std::size_t>(std::nearbyint(at))];
        else
          value = low + (high - low) * (at - std::floor(at));
      }
      out.out<double>()[static_cast<std::int64_t>(k) * r.count + i] = value;
    }
  }
  c.finish(0, cast(c, out, firstOperand(c).dtype()));
}

void executeDist(ExecContext &c) {
  const Tensor d = sub(c, operandOf(firstOperand(c)), c.tensorOrScalar("other"));
  c.finish(0, normOf(c, d, axesOf(c, {}, d.rank()), false, c.real("p", 2.0), realType(d.dtype())));
}

void executePdist(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  const std::int64_t n = x.rank() == 2 ? x.size(0) : 0;
  const std::int64_t shape[] = {n * (n - 1) / 2};
  const Tensor out = c.empty(x.dtype(), shape);
  std::int64_t at = 0;
  const std::size_t last[] = {0};
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = i + 1; j < n; ++j) {
      const Tensor d = sub(c, operandOf(x.selected(0, i)), operandOf(x.selected(0, j)));
      copyInto(c, out.selected(0, at++), normOf(c, d, last, false, c.real("p", 2.0), x.dtype()));
    }
  c.finish(0, out);
}

void executeHistc(ExecContext &c) {
  const std::vector<double> x = doublesOf(c, firstOperand(c));
  const std::int64_t bins = c.integer("bins", 100);
  double low = c.real("min", 0.0), high = c.real("max", 0.0);
  if (bins <= 0)
    c.fail("a histogram needs a bin");
  if (low == high && !x.empty()) {
    low = *std::ranges::min_element(x);
    high = *std::ranges::max_element(x);
  }
  if (low == high) {
    low -= 1;
    high += 1;
  }
  const std::int64_t shape[] = {bins};
  const Tensor out = filled(c, DType::Float64, shape, Scalar::of(0.0));
  for (double v : x)
    if (v >= low && v <= high)
      out.out<double>()[std::min<std::int64_t>(
          static_cast<std::int64_t>((v - low) / (high - low) * static_cast<double>(bins)), bins - 1)] += 1;
  c.finish(0, cast(c, out, firstOperand(c).dtype()));
}

void executeBincount(ExecContext &c) {
  const Sizes x = integersOf(c, firstOperand(c));
  const Tensor *weights = c.maybeTensor("weights");
  std::int64_t length = c.integer("minlength", 0);
  for (std::int64_t v : x) {
    if (v < 0)
      c.fail("bincount counts numbers that are not negative");
    length = std::max(length, v + 1);
  }
  const std::int64_t shape[] = {length};
  if (!weights) {
    const Tensor out = filled(c, DType::Int64, shape, Scalar::of(std::int64_t{0}));
    for (std::int64_t v : x)
      ++out.out<std::int64_t>()[v];
    return c.finish(0, out);
  }
  const std::vector<double> w = doublesOf(c, *weights);
  if (w.size() != x.size())
    c.fail("bincount has other weights than numbers");
  const Tensor out = filled(c, DType::Float64, shape, Scalar::of(0.0));
  for (std::size_t i = 0; i < x.size(); ++i)
    out.out<double>()[x[i]] += w[i];
  c.finish(0, weights->dtype() == DType::Float32 ? cast(c, out, DType::Float32) : out);
}

void executeSumToSize(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  const Sizes size = c.integers("size").value_or(Sizes());
  if (size.size() > x.rank())
    c.fail("sum_to_size cannot add axes");
  std::vector<std::size_t> axes;
  const std::size_t lead = x.rank() - size.size();
  for (std::size_t i = 0; i < x.rank(); ++i)
    if (i < lead || (size[i - lead] == 1 && x.size(i) != 1))
      axes.push_back(i);
  if (axes.empty())
    return c.finish(0, x);
  c.finish(0, reshaped(c, reduced(c, x, axes, true, Reduction::Sum, x.dtype()), size));
}

// --- ONNX -----------------------------------------------------------------------

void executeReduceOnnx(ExecContext &c) {
  const Tensor &x = c.in(0);
  const auto given = c.integers("axes", 1);
  const bool keep = c.integer("keepdims", 1) == 1;
  const std::string_view name = c.opName();
  if ((!given || given->empty()) && c.flag("noop_with_empty_axes")) {
    Tensor same = x; // each element is reduced alone
    if (name == "ReduceL1" || name == "ReduceL2")
      same = map(c, Absolute(), {operandOf(x)});
    else if (name == "ReduceSumSquare")
      same = mul(c, operandOf(x), operandOf(x));
    else if (name == "ReduceLogSum")
      same = cast(c, normOf(c, cast(c, x, DType::Float64), {}, false, 1, DType::Float64), x.dtype());
    if (name != "ReduceLogSum" && name != "ReduceLogSumExp")
      return c.set(0, same);
  }
  const std::vector<std::size_t> axes = (!given || given->empty()) && c.flag("noop_with_empty_axes")
                                            ? std::vector<std::size_t>()
                                            : axesOf(c, given ? SizeSpan(*given) : SizeSpan(), x.rank());
  const bool real = isFloating(x.dtype());
  const auto simple = [&](Reduction how) { c.set(0, reduced(c, x, axes, keep, how, x.dtype())); };
  if (name == "ReduceSum")
    return simple(Reduction::Sum);
  if (name == "ReduceProd")
    return simple(Reduction::Product);
  if (name == "ReduceMax")
    return simple(Reduction::Maximum);
  if (name == "ReduceMin")
    return simple(Reduction::Minimum);
  if (name == "ReduceMean")
    return simple(Reduction::Mean);
  if (name == "ReduceSumSquare")
    return simple(Reduction::SumSquare);
  if (name == "ReduceL1")
    return simple(Reduction::SumAbsolute);
  if (name == "ReduceL2")
    return c.set(0, normOf(c, x, axes, keep, 2, x.dtype()));
  const Tensor wide = real ? x : cast(c, x, DType::Float64);
  if (name == "ReduceLogSumExp")
    return c.set(0, reduced(c, wide, axes, keep, Reduction::LogSumExp, x.dtype()));
  const Tensor sum = reduced(c, cast(c, wide, DType::Float64), axes, keep, Reduction::Sum, DType::Float64);
  c.set(0, cast(c, map(c, Log(), {operandOf(sum)}), x.dtype()));
}

void executeArgExtreme(ExecContext &c) {
  const Tensor &x = c.in(0);
  const auto axes = axesOf(c, Sizes{c.integer("axis", 0)}, x.rank());
  const bool last = c.flag("select_last_index"), largest = c.opName() == "ArgMax";
  const Reduction how =
      largest ? (last ? Reduction::ArgMaxLast : Reduction::ArgMax) : (last ? Reduction::ArgMinLast : Reduction::ArgMin);
  c.set(0, reduced(c, x, axes, c.integer("keepdims", 1) == 1, how, DType::Int64));
}

} // namespace condlint
