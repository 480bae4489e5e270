//===- Normalization.cpp - Normalisations, executed -----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Normalization.h"
#include "Checked.h"
#include "ElementKernels.h"
#include "FunctorsMath.h"
#include "Parts.h"
#include "Rows.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {

namespace {

std::vector<std::size_t> axesFrom(std::size_t first, std::size_t rank) {
  std::vector<std::size_t> axes;
  for (std::size_t i = first; i < rank; ++i)
    axes.push_back(i);
  return axes;
}

/// (x - mean) * rsqrt(variance + eps) over rows, with numbers for each place of a row.
template <class T>
void normalizeRows(const ExecContext &c, const Rows &r, const T *scale, const T *shift, double eps, bool centre,
                   const Tensor &out, const Tensor &mean, const Tensor &inverse) {
  const T *x = r.data.deviceAs<T>();
  T *o = out.deviceOut<T>(), *m = mean.deviceOut<T>(), *s = inverse.deviceOut<T>();
  const std::int64_t n = r.length;
  forEachRow(c.device(), r.count, [=] CONDLINT_HD(std::int64_t i) {
    const T *row = x + i * n;
    T *to = o + i * n;
    const double mu = centre ? sumOf(row, n, [](double v) { return v; }) / static_cast<double>(n) : 0;
    const double square = sumOf(row, n, [mu](double v) { return (v - mu) * (v - mu); });
    const double scaleBy = 1 / std::sqrt(square / static_cast<double>(n) + eps);
    for (std::int64_t k = 0; k < n; ++k) {
      T v = static_cast<T>((static_cast<double>(row[k]) - mu) * scaleBy);
      v = scale ? v * scale[k] : v;
      to[k] = shift ? v + shift[k] : v;
    }
    m[i] = static_cast<T>(mu);
    s[i] = static_cast<T>(scaleBy);
  });
}

} // namespace

Normalized normalized(const ExecContext &c, const Tensor &x, std::span<const std::size_t> axes, const Tensor *weight,
                      const Tensor *bias, double eps, bool centre) {
  const Tensor data = floating(c, x);
  if (isComplex(data.dtype()))
    c.fail("complex numbers are not normalised");
  const Rows r = rowsOf(c, data, axes);
  const auto numbers = [&](const Tensor *t) {
    if (!t)
      return Tensor();
    if (t->numel() != r.length)
      c.fail(fmt::format("{} weights for rows of {} elements", t->numel(), r.length));
    return contiguous(c, cast(c, *t, data.dtype()));
  };
  const Tensor w = numbers(weight), b = numbers(bias);
  Normalized n;
  n.out = c.empty(data.dtype(), data.sizes());
  n.mean = c.empty(data.dtype(), r.keptDim);
  n.inverse = c.empty(data.dtype(), r.keptDim);
  withFloating(computeOf(data.dtype()), [&](auto zero) {
    using T = decltype(zero);
    normalizeRows<T>(c, r, w ? w.deviceAs<T>() : nullptr, b ? b.deviceAs<T>() : nullptr, eps, centre, n.out, n.mean,
                     n.inverse);
  });
  n.out = cast(c, n.out, x.dtype());
  return n;
}

void executeLayerNorm(ExecContext &c) {
  const Tensor &x = c.tensor("input");
  const Sizes shape = c.integers("normalized_shape").value_or(Sizes());
  if (shape.empty() || shape.size() > x.rank() || !std::ranges::equal(shape, x.sizes().last(shape.size())))
    c.fail(fmt::format("rows of shape {} are no part of {}", shapeText(shape), shapeText(x.sizes())));
  const Normalized n = normalized(c, x, axesFrom(x.rank() - shape.size(), x.rank()), c.maybeTensor("weight"),
                                  c.maybeTensor("bias"), c.real("eps", 1e-5));
  c.finish(0, n.out);
  if (c.opName() == "native_layer_norm") {
    const DType t = x.dtype() == DType::Float16 || x.dtype() == DType::BFloat16 ? x.dtype() : n.mean.dtype();
    c.finish(1, cast(c, n.mean, t));
    c.finish(2, cast(c, n.inverse, t));
  }
}

namespace {

/// torch squares complex numbers as they are: the mean is complex too.
Tensor complexRmsNorm(const ExecContext &c, const Tensor &x, std::span<const std::size_t> axes, double eps) {
  const Tensor squares = mul(c, operandOf(x), operandOf(x));
  const Tensor mean = add(c, operandOf(reduced(c, squares, axes, true, Reduction::Mean, x.dtype())), operandOf(eps));
  const Tensor out = mul(c, operandOf(x), operandOf(map(c, Rsqrt(), {operandOf(mean)})));
  const Tensor *weight = c.maybeTensor("weight");
  return weight ? mul(c, operandOf(out), operandOf(*weight)) : out;
}

} // namespace

void executeRmsNorm(ExecContext &c) {
  const Tensor &x = c.tensor("input");
  const Sizes shape = c.integers("normalized_shape").value_or(Sizes());
  if (shape.empty() || shape.size() > x.rank())
    c.fail(fmt::format("rows of shape {} are no part of {}", shapeText(shape), shapeText(x.sizes())));
  const double eps = c.hasArg("eps")               ? c.real("eps")
                     : x.dtype() == DType::Float64 ? 2.220446049250313e-16
                                                   : 1.1920928955078125e-07;
  const std::vector<std::size_t> axes = axesFrom(x.rank() - shape.size(), x.rank());
  if (isComplex(x.dtype()) && c.opName() == "rms_norm")
    return c.finish(0, complexRmsNorm(c, x, axes, eps));
  const Normalized n = normalized(c, x, axes, c.maybeTensor("weight"), nullptr, eps, false);
  c.finish(0, n.out);
  if (c.opName() == "_fused_rms_norm")
    c.finish(1, n.inverse);
}

namespace {

/// Channels (axis 1) in groups; weight and bias are one a channel.
Tensor groupNormalized(const ExecContext &c, const Tensor &x, std::int64_t groups, const Tensor *weight,
                       const Tensor *bias, double eps, Tensor *mean = nullptr, Tensor *inverse = nullptr) {
  if (x.rank() < 2 || groups <= 0 || x.size(1) % groups != 0)
    c.fail(fmt::format("the channels of {} do not make {} groups", shapeText(x.sizes()), groups));
  const std::int64_t rows = times(c, x.size(0), groups);
  const std::int64_t shape[] = {x.size(0), groups, rows == 0 ? 0 : x.numel() / rows};
  const std::size_t last[] = {2};
  const Normalized n = normalized(c, reshaped(c, x, shape), last, nullptr, nullptr, eps);
  Tensor out = reshaped(c, n.out, x.sizes());
  Sizes perChannel(x.rank(), 1);
  perChannel[1] = x.size(1);
  if (weight)
    out = mul(c, operandOf(out), operandOf(reshaped(c, *weight, perChannel)));
  if (bias)
    out = add(c, operandOf(out), operandOf(reshaped(c, *bias, perChannel)));
  const std::int64_t kept[] = {x.size(0), groups};
  if (mean)
    *mean = reshaped(c, n.mean, kept);
  if (inverse)
    *inverse = reshaped(c, n.inverse, kept);
  return out;
}

} // namespace

void executeGroupNorm(ExecContext &c) {
  const Tensor &x = c.tensor("input");
  Tensor mean, inverse;
  const bool native = c.opName() == "native_group_norm";
  const Tensor out = groupNormalized(c, x, c.integer(native ? "group" : "num_groups"), c.maybeTensor("weight"),
                                     c.maybeTensor("bias"), c.real("eps", 1e-5), &mean, &inverse);
  c.finish(0, keepFormat(c, out, x));
  if (native) {
    c.finish(1, cast(c, mean, x.dtype()));
    c.finish(2, cast(c, inverse, x.dtype()));
  }
}

namespace {

/// x of [n, channels, …] with a mean and a variance for each channel.
Tensor normalizedByChannel(const ExecContext &c, const Tensor &x, const Tensor &mean, const Tensor &variance,
                           const Tensor *weight, const Tensor *bias, double eps) {
  Sizes shape(x.rank(), 1);
  if (x.rank() > 1)
    shape[1] = x.size(1);
  const DType t = dtypeOf(computeOf(x.dtype()));
  const auto column = [&](const Tensor &v) { return operandOf(reshaped(c, cast(c, v, t), shape)); };
  const Tensor inverse = map(c, Rsqrt(), {operandOf(add(c, column(variance), operandOf(eps)))});
  const Tensor factor = weight ? mul(c, operandOf(inverse), column(*weight)) : inverse;
  Tensor out = mul(c, operandOf(sub(c, operandOf(cast(c, x, t)), column(mean))), operandOf(factor));
  if (bias)
    out = add(c, operandOf(out), column(*bias));
  return cast(c, out, x.dtype());
}

std::vector<std::size_t> allButChannels(const Tensor &x) {
  std::vector<std::size_t> axes;
  for (std::size_t i = 0; i < x.rank(); ++i)
    if (i != 1)
      axes.push_back(i);
  return axes;
}

/// running = (1 - momentum) * running + momentum * now, in place.
void updateRunning(const ExecContext &c, const Tensor *running, const Tensor &now, double momentum) {
  if (!running)
    return;
  const Tensor fresh = add(c, operandOf(mul(c, operandOf(*running), operandOf(1 - momentum))),
                           operandOf(mul(c, operandOf(now), operandOf(momentum))));
  c.noteWrite(*running);
  copyInto(c, *running, fresh);
}

} // namespace

/// Batch norm in all of torch's names; in training it writes its running statistics (M6).
void executeBatchNorm(ExecContext &c) {
  const std::string_view name = c.opName();
  const Tensor &x = c.tensor("input");
  const Tensor *weight = c.maybeTensor("weight"), *bias = c.maybeTensor("bias");
  const Tensor *runningMean = c.maybeTensor("running_mean"), *runningVar = c.maybeTensor("running_var");
  const double momentum =
      c.real(c.attribute("exponential_average_factor") ? "exponential_average_factor" : "momentum", 0.1);
  const double eps = c.real(c.attribute("epsilon") ? "epsilon" : "eps", 1e-5);
  bool training = c.flag("training") || c.flag("train");
  if (name == "_native_batch_norm_legit_no_training" || name == "_batch_norm_no_update")
    training = false;
  if (name.starts_with("_batch_norm_with_update"))
    training = true;
  if (x.rank() < 2)
    c.fail(fmt::format("a tensor of shape {} has no channels", shapeText(x.sizes())));
  if (!training && (!runningMean || !runningVar)) {
    if (name == "_native_batch_norm_legit")
      training = true;
    else
      c.fail("Expected running_mean and running_var to be defined when training=False");
  }
  const bool functional = name.ends_with("_functional");
  Tensor mean, variance, savedMean, savedInverse;
  const DType t = dtypeOf(computeOf(x.dtype()));
  if (training) {
    const auto axes = allButChannels(x);
    std::tie(variance, mean) = varianceOf(c, cast(c, x, t), axes, false, 0);
    const std::int64_t count = x.size(1) == 0 ? 0 : x.numel() / x.size(1);
    const double unbias = count > 1 ? static_cast<double>(count) / static_cast<double>(count - 1) : 1;
    const Tensor spread = mul(c, operandOf(variance), operandOf(unbias));
    savedMean = mean;
    savedInverse = map(c, Rsqrt(), {operandOf(add(c, operandOf(variance), operandOf(eps)))});
    if (functional) {
      const auto updated = [&](const Tensor *running, const Tensor &now) {
        return running ? add(c, operandOf(mul(c, operandOf(*running), operandOf(1 - momentum))),
                             operandOf(mul(c, operandOf(now), operandOf(momentum))))
                       : Tensor(now);
      };
      c.set(3, updated(runningMean, mean));
      c.set(4, updated(runningVar, spread));
    } else {
      updateRunning(c, runningMean, mean, momentum);
      updateRunning(c, runningVar, spread, momentum);
    }
  } else {
    mean = *runningMean;
    variance = *runningVar;
    const std::int64_t none[] = {0};
    savedMean = savedInverse = c.empty(t, none);
  }
  const Tensor out = normalizedByChannel(c, x, mean, variance, weight, bias, eps);
  c.finish(0, keepFormat(c, out, x));
  if (c.resultCount() > 1) {
    c.finish(1, savedMean);
    c.finish(2, savedInverse);
    if (c.resultCount() > 3 && !functional)
      c.finish(3, c.empty(DType::UInt8, Sizes{0}));
  }
}

void executeInstanceNorm(ExecContext &c) {
  const Tensor &x = c.tensor("input");
  const Tensor *weight = c.maybeTensor("weight"), *bias = c.maybeTensor("bias");
  if (c.flag("use_input_stats", true)) {
    const Tensor *runningMean = c.maybeTensor("running_mean");
    if (runningMean)
      c.fail("condlint does not execute instance_norm that updates running statistics");
    return c.finish(
        0, contiguous(c, groupNormalized(c, x, x.rank() < 2 ? 0 : x.size(1), weight, bias, c.real("eps", 1e-5))));
  }
  c.finish(0, contiguous(c, normalizedByChannel(c, x, c.tensor("running_mean"), c.tensor("running_var"), weight, bias,
                                                c.real("eps", 1e-5))));
}

void executeGlu(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  const std::size_t axis = axisOf(c, c.integer("dim", -1), x.rank());
  if (x.rank() == 0 || x.size(axis) % 2 != 0)
    c.fail("glu needs an axis of even size");
  const std::int64_t half = x.size(axis) / 2;
  const Tensor gate = map(c, Sigmoid(), {operandOf(x.sliced(axis, half, half))});
  c.finish(0, mul(c, operandOf(x.sliced(axis, 0, half)), operandOf(gate)));
}

/// _weight_norm(v, g, dim), renorm(self, p, dim, maxnorm).
void executeWeightNorm(ExecContext &c) {
  const bool renorm = c.opName().starts_with("renorm");
  const Tensor &v = renorm ? c.tensor("self") : c.tensor("v");
  const std::int64_t dim = c.integer("dim", 0);
  const std::size_t axis = axisOf(c, dim, v.rank());
  std::vector<std::size_t> axes;
  for (std::size_t i = 0; i < v.rank(); ++i)
    if (i != axis)
      axes.push_back(i);
  const Tensor norm = normOf(c, v, axes, true, renorm ? c.real("p") : 2, realType(v.dtype()));
  if (!renorm)
    return c.finish(0, mul(c, operandOf(v), operandOf(div(c, operandOf(c.tensor("g")), operandOf(norm)))));
  const double most = c.real("maxnorm");
  const Tensor factor = div(c, operandOf(filled(c, norm.dtype(), norm.sizes(), Scalar::of(most))),
                            operandOf(add(c, operandOf(norm), operandOf(1e-7))));
  const Tensor isLong = map(c, Greater(), {operandOf(norm), operandOf(most)});
  c.finish(0, contiguous(c, mul(c, operandOf(v), operandOf(select(c, isLong, operandOf(factor), operandOf(1.0))))));
}

// --- ONNX -----------------------------------------------------------------------

void executeBatchNormalization(ExecContext &c) {
  const Tensor &x = c.in(0), &scale = c.in(1), &bias = c.in(2);
  const double eps = c.real("epsilon", 1e-5), momentum = c.real("momentum", 0.9);
  const bool training = c.version() >= 14
                            ? c.flag("training_mode")
                            : c.version() < 7 && c.version() >= 1 &&
                                  !c.flag("is_test", c.version() == 6 ? false : true) && c.resultCount() > 1;
  if (x.rank() < 2 && x.rank() != 1)
    c.fail("the input has no channels");
  if (!training)
    return c.set(0, normalizedByChannel(c, x, c.in(3), c.in(4), &scale, &bias, eps));
  const auto [variance, mean] = varianceOf(c, cast(c, x, dtypeOf(computeOf(x.dtype()))), allButChannels(x), false, 0);
  c.set(0, normalizedByChannel(c, x, mean, variance, &scale, &bias, eps));
  const auto running = [&](std::size_t i, const Tensor &now) {
    const Tensor &old = c.in(i);
    return add(c, operandOf(mul(c, operandOf(old), operandOf(momentum))),
               operandOf(mul(c, operandOf(now), operandOf(1 - momentum))));
  };
  if (c.resultCount() > 1)
    c.set(1, running(3, mean));
  if (c.resultCount() > 2)
    c.set(2, running(4, variance));
}

void executeLayerNormalization(ExecContext &c) {
  const Tensor &x = c.in(0);
  const std::size_t axis = axisOf(c, c.integer("axis", -1), x.rank());
  const bool rms = c.opName() == "RMSNormalization";
  const auto axes = axesFrom(axis, x.rank());
  // The weights are stretched to a row.
  const SizeSpan row = x.sizes().subspan(std::min(axis, x.rank()));
  const auto wide = [&](const Tensor *t) -> std::optional<Tensor> {
    if (!t)
      return std::nullopt;
    Tensor v = *t;
    while (v.rank() > row.size() && v.size(0) == 1)
      v = v.squeezed(0);
    return contiguous(c, expanded(c, v, row));
  };
  // A bias without elements is none.
  const Tensor *offset = rms ? nullptr : c.maybe(2);
  if (offset && offset->rank() == 1 && offset->size(0) == 0)
    offset = nullptr;
  const auto scale = wide(c.maybe(1)), bias = wide(offset);
  const Normalized n =
      normalized(c, x, axes, scale ? &*scale : nullptr, bias ? &*bias : nullptr, c.real("epsilon", 1e-5), !rms);
  c.set(0, n.out);
  if (!rms) {
    const DType stash = dtypeOfOnnx(static_cast<std::int32_t>(c.integer("stash_type", 1))).value_or(n.mean.dtype());
    c.set(1, cast(c, n.mean, stash));
    c.set(2, cast(c, n.inverse, stash));
  }
}

namespace {

void executeLrn(ExecContext &c) {
  const Tensor x = contiguous(c, cast(c, c.in(0), DType::Float64));
  const std::int64_t size = c.integer("size");
  const double alpha = c.real("alpha", 1e-4), beta = c.real("beta", 0.75), bias = c.real("bias", 1.0);
  if (x.rank() < 3 || size <= 0)
    c.fail("LRN needs an image and a size");
  const std::int64_t channels = x.size(1), inner = product(x.sizes().subspan(2));
  const Tensor out = c.empty(DType::Float64, x.sizes());
  const double *from = x.deviceAs<double>();
  double *to = out.deviceOut<double>();
  // What lies beyond all channels is nothing.
  const std::int64_t below = std::min((size - 1) / 2, channels), above = std::min(size - 1 - (size - 1) / 2, channels);
  forEach(c.device(), x.numel(), [=] CONDLINT_HD(std::int64_t i) {
    const std::int64_t channel = i / inner % channels, base = i - channel * inner;
    double sum = 0;
    for (std::int64_t k = channel - below; k <= channel + above; ++k)
      if (k >= 0 && k < channels)
        sum += from[base + k * inner] * from[base + k * inner];
    to[i] = from[i] / std::pow(bias + alpha / static_cast<double>(size) * sum, beta);
  });
  c.set(0, cast(c, out, c.in(0).dtype()));
}

} // namespace

void executeNormalization(ExecContext &c) {
  const std::string_view name = c.opName();
  const Tensor &x = c.in(0);
  if (name == "LRN")
    return executeLrn(c);
  if (name == "InstanceNormalization" && x.rank() < 3)
    c.fail(fmt::format("a tensor of shape {} has nothing to normalise in a channel", shapeText(x.sizes())));
  if (name == "InstanceNormalization")
    return c.set(0, groupNormalized(c, x, x.rank() < 2 ? 0 : x.size(1), &c.in(1), &c.in(2), c.real("epsilon", 1e-5)));
  if (name == "GroupNormalization") {
    const std::int64_t groups = c.integer("num_groups");
    if (x.rank() < 2)
      c.fail(fmt::format("a tensor of shape {} has no channels", shapeText(x.sizes())));
    if (c.in(1).numel() == x.size(1) && c.version() >= 21)
      return c.set(0, groupNormalized(c, x, groups, &c.in(1), &c.in(2), c.real("epsilon", 1e-5)));
    // Up to opset 20 one number a group.
    const auto perChannel = [&](const Tensor &t) {
      const std::int64_t wide[] = {groups, x.size(1) / std::max<std::int64_t>(groups, 1)}, flat[] = {x.size(1)};
      return t.numel() == groups ? reshaped(c, contiguous(c, expanded(c, t.unsqueezed(1), wide)), flat) : t;
    };
    const Tensor w = perChannel(c.in(1)), b = perChannel(c.in(2));
    return c.set(0, groupNormalized(c, x, groups, &w, &b, c.real("epsilon", 1e-5)));
  }
  if (name == "LpNormalization") {
    const auto axes = axesOf(c, Sizes{c.integer("axis", -1)}, x.rank());
    const Tensor norm = normOf(c, x, axes, true, static_cast<double>(c.integer("p", 2)), x.dtype());
    const Tensor zero = map(c, Equal(), {operandOf(norm), operandOf(0.0)});
    const Tensor safe = select(c, zero, operandOf(1.0), operandOf(norm));
    return c.set(
        0, select(c, expanded(c, zero, x.sizes()), operandOf(0.0), operandOf(div(c, operandOf(x), operandOf(safe)))));
  }
  // MeanVarianceNormalization
  const auto given = c.integers("axes");
  const auto axes = axesOf(c, given.value_or(Sizes{0, 2, 3}), x.rank());
  const auto [variance, mean] = varianceOf(c, x, axes, true, 0);
  const Tensor deviation = map(c, Sqrt(), {operandOf(variance)});
  c.set(0, div(c, operandOf(sub(c, operandOf(x), operandOf(mean))),
               operandOf(add(c, operandOf(deviation), operandOf(1e-9)))));
}

} // namespace condlint
