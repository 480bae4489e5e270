//===- Random.cpp - Random numbers, executed ------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Random.h"
#include "ElementKernels.h"
#include "Functors.h"
#include "Rows.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace condlint {

namespace {

enum class Draw : std::uint8_t { Uniform, Normal, Whole, Exponential, Geometric, Cauchy, LogNormal };

/// Fills \p t with numbers drawn one by one; a and b are the distribution's.
void drawInto(const ExecContext &c, const Philox &random, const Tensor &t, Draw how, double a, double b) {
  const Tensor dense = c.empty(t.dtype(), t.sizes());
  const DType type = t.dtype();
  char *to = dense.deviceOutBytes();
  forEach(c.device(), t.numel(), [=] CONDLINT_HD(std::int64_t i) {
    const auto at = static_cast<std::uint64_t>(i);
    const double u = random.uniform(at);
    double v = 0;
    switch (how) {
    case Draw::Uniform:
      v = a + u * (b - a);
      break;
    case Draw::Normal:
      v = a + b * random.normal(at);
      break;
    case Draw::Whole:
      v = a + std::floor(u * (b - a));
      break;
    case Draw::Exponential:
      v = -std::log1p(-u) / a;
      break;
    case Draw::Geometric:
      v = std::ceil(std::log1p(-u) / std::log1p(-a));
      break;
    case Draw::Cauchy:
      v = a + b * std::tan(3.141592653589793 * (u - 0.5));
      break;
    case Draw::LogNormal:
      v = std::exp(a + b * random.normal(at));
      break;
    }
    storeElement<double>(type, to, i, v);
  });
  copyInto(c, t, dense);
}

Tensor factory(const ExecContext &c, DType otherwise) {
  const auto sizes = c.integers("size");
  if (!sizes)
    c.fail("the argument 'size' is missing");
  const DType recorded = c.recordedDType(0);
  const DType t = c.dtype("dtype").value_or(recorded != DType::Unknown ? recorded : otherwise);
  return c.empty(t, *sizes);
}

} // namespace

void executeRandomFactory(ExecContext &c) {
  const Tensor t = factory(c, DType::Float32);
  drawInto(c, c.draw(), t, c.opName() == "randn" ? Draw::Normal : Draw::Uniform, 0, 1);
  c.finish(0, t);
}

void executeRandint(ExecContext &c) {
  const Tensor t = factory(c, DType::Int64);
  drawInto(c, c.draw(), t, Draw::Whole, c.real("low", 0.0), c.real("high"));
  c.finish(0, t);
}

void executeRandperm(ExecContext &c) {
  const std::int64_t n = c.integer("n");
  const Philox random = c.draw();
  std::vector<std::int64_t> order(static_cast<std::size_t>(std::clamp<std::int64_t>(n, 0, 1 << 28)));
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = static_cast<std::int64_t>(i);
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[random.bits(i) % i]);
  c.finish(0, cast(c, tensorOf(c, order), c.dtype("dtype").value_or(DType::Int64)));
}

void executeRandomLike(ExecContext &c) {
  const Tensor &self = c.tensor("self");
  const Tensor t = c.emptyStrided(c.dtype("dtype").value_or(self.dtype()), self.sizes(),
                                  formatStrides(c, self, c.integer("memory_format", 4)));
  const std::string_view name = c.opName();
  if (name == "randint_like")
    drawInto(c, c.draw(), t, Draw::Whole, c.real("low", 0.0), c.real("high"));
  else
    drawInto(c, c.draw(), t, name == "randn_like" ? Draw::Normal : Draw::Uniform, 0, 1);
  c.finish(0, t);
}

/// normal in its many forms: of numbers, of tensors, in place.
void executeNormal(ExecContext &c) {
  const Tensor *mean = c.maybeTensor("mean"), *deviation = c.maybeTensor("std");
  Sizes shape;
  DType t = DType::Float32;
  if (const Tensor *self = c.maybeTensor("self")) {
    shape = sizesOf(*self);
    t = self->dtype();
  } else if (mean || deviation) {
    shape = broadcast(c, mean ? mean->sizes() : SizeSpan(), deviation ? deviation->sizes() : SizeSpan());
    t = mean ? mean->dtype() : deviation->dtype();
  } else {
    const Tensor made = factory(c, DType::Float32);
    shape = sizesOf(made);
    t = made.dtype();
  }
  Tensor out = c.empty(t, shape);
  drawInto(c, c.draw(), out, Draw::Normal, mean || deviation ? 0 : c.real("mean", 0.0),
           mean || deviation ? 1 : c.real("std", 1.0));
  if (mean || deviation) {
    out = mul(c, operandOf(out), deviation ? operandOf(*deviation) : operandOf(c.real("std", 1.0)));
    out = add(c, operandOf(out), mean ? operandOf(*mean) : operandOf(c.real("mean", 0.0)));
  }
  c.finish(0, out);
}

void executeRandomInPlace(ExecContext &c) {
  const std::string_view name = c.opName();
  const Tensor &self = c.tensor("self");
  const Tensor t = c.empty(self.dtype(), self.sizes());
  const auto is = [&](std::string_view what) { return name.starts_with(what); };
  if (is("random")) {
    const double top = isFloating(self.dtype())
                           ? 16777216
                           : std::min(std::ldexp(1.0, static_cast<int>(dtypeBits(self.dtype())) - 1), 9e18);
    const double from = c.real("from", 0.0), to = c.hasArg("to") ? c.real("to") : self.dtype() == DType::Bool ? 2 : top;
    if (from >= to)
      c.fail(fmt::format("no number lies from {} up to {}", from, to));
    drawInto(c, c.draw(), t, Draw::Whole, from, to);
  } else if (is("uniform")) {
    const double from = c.real("from", 0.0), to = c.real("to", 1.0);
    if (from > to)
      c.fail(fmt::format("no number lies from {} up to {}", from, to));
    drawInto(c, c.draw(), t, Draw::Uniform, from, to);
  } else if (is("exponential")) {
    drawInto(c, c.draw(), t, Draw::Exponential, c.real("lambd", 1.0), 0);
  } else if (is("geometric")) {
    const double p = c.real("p");
    if (!(p > 0 && p < 1))
      c.fail(fmt::format("'p' is {}, but must lie between 0 and 1", p));
    drawInto(c, c.draw(), t, Draw::Geometric, p, 0);
  } else if (is("cauchy")) {
    drawInto(c, c.draw(), t, Draw::Cauchy, c.real("median", 0.0), c.real("sigma", 1.0));
  } else if (is("log_normal")) {
    drawInto(c, c.draw(), t, Draw::LogNormal, c.real("mean", 1.0), c.real("std", 2.0));
  } else if (is("normal")) {
    drawInto(c, c.draw(), t, Draw::Normal, c.real("mean", 0.0), c.real("std", 1.0));
  } else {
    c.fail("condlint does not draw from this distribution");
  }
  c.finish(0, t);
}

namespace {

/// 1 where a number drawn is below the probability.
struct Below : ElementFunctor<2, Floats> {
  template <class T> CONDLINT_HD T operator()(T u, T p) const { return u < p ? T(1) : T(0); }
};

Tensor uniformLike(ExecContext &c, SizeSpan sizes) {
  const Tensor u = c.empty(DType::Float64, sizes);
  drawInto(c, c.draw(), u, Draw::Uniform, 0, 1);
  return u;
}

} // namespace

void executeBernoulli(ExecContext &c) {
  const Tensor &self = firstOperand(c);
  const Tensor u = uniformLike(c, self.sizes());
  Operand p = operandOf(self);
  if (c.hasArg("p"))
    p = c.tensorOrScalar("p");
  const DType t = c.isTorch() ? self.dtype() : c.dtype("dtype").value_or(self.dtype());
  if (c.isTorch()) {
    const std::vector<double> all = p.isTensor() ? doublesOf(c, p.tensor) : std::vector<double>{p.scalar.toDouble()};
    if (std::ranges::any_of(all, [](double x) { return !(x >= 0 && x <= 1); }))
      c.fail("a probability lies outside of [0, 1]");
    if (p.isTensor() && !isFloating(p.dtype()))
      c.fail(fmt::format("probabilities are floating numbers, not {}", dtypeName(p.dtype())));
  }
  c.finish(0, elementwise(c, Below(), Compute::F64, t, {operandOf(u), p}));
}

void executeMultinomial(ExecContext &c) {
  const Tensor &self = firstOperand(c);
  const std::int64_t samples = c.isTorch() ? c.integer("num_samples") : c.integer("sample_size", 1);
  const bool replace = c.isTorch() ? c.flag("replacement") : true;
  const std::int64_t n = self.rank() == 0 ? 0 : self.size(self.rank() - 1), rows = n == 0 ? 0 : self.numel() / n;
  const std::vector<double> given = doublesOf(c, self);
  Sizes shape(self.sizes().begin(), self.sizes().end());
  if (n == 0 || samples < 0 || (!replace && samples > n))
    c.fail("cannot draw so many samples");
  shape.back() = samples;
  const Tensor out = c.empty(DType::Int64, shape);
  const Philox random = c.draw();
  for (std::int64_t r = 0; r < rows; ++r) {
    std::vector<double> weight(given.begin() + r * n, given.begin() + (r + 1) * n);
    if (!c.isTorch()) // log probabilities
      for (double &w : weight)
        w = std::exp(w);
    else if (std::ranges::any_of(weight, [](double w) { return !(w >= 0) || std::isinf(w); }))
      c.fail("a weight is negative, infinite or no number");
    for (std::int64_t s = 0; s < samples; ++s) {
      double sum = 0;
      for (double w : weight)
        sum += w;
      if (!(sum > 0))
        c.fail("there is nothing left to draw from");
      double at = random.uniform(static_cast<std::uint64_t>(r * samples + s)) * sum;
      std::int64_t k = 0;
      while (k + 1 < n && (at -= weight[static_cast<std::size_t>(k)]) >= 0)
        ++k;
      while (weight[static_cast<std::size_t>(k)] == 0 && k > 0)
        --k;
      out.out<std::int64_t>()[r * samples + s] = k;
      if (!replace)
        weight[static_cast<std::size_t>(k)] = 0;
    }
  }
  c.finish(0, c.isTorch() ? out : cast(c, out, c.dtype("dtype").value_or(DType::Int32)));
}

void executeDropout(ExecContext &c) {
  if (!c.isTorch()) {
    const Tensor &x = c.in(0);
    double ratio = 0.5;
    bool training = false;
    if (c.version() >= 12) {
      ratio = c.has(1) ? c.scalarIn(1).toDouble() : 0.5;
      training = c.has(2) && c.scalarIn(2).isTrue();
      if (!(ratio >= 0 && ratio < 1))
        c.fail(fmt::format("the ratio must be from 0 up to, but not 1, and is {}", ratio));
    }
    if (!training || ratio == 0) {
      c.set(0, x);
      return c.set(1, filled(c, c.version() >= 10 ? DType::Bool : x.dtype(), x.sizes(), Scalar::of(true)));
    }
    const Tensor mask = elementwise(c, Below(), Compute::F64, DType::Bool,
                                    {operandOf(uniformLike(c, x.sizes())), operandOf(1 - ratio)});
    c.set(0, mul(c, operandOf(x), operandOf(mul(c, operandOf(cast(c, mask, x.dtype())), operandOf(1 / (1 - ratio))))));
    return c.set(1, mask);
  }
  const std::string_view name = c.opName();
  const Tensor &x = firstOperand(c);
  const double p = c.real("p", 0.5);
  const bool train = c.flag("train") || c.flag("training");
  if (!train || p == 0) {
    if (c.isInPlace())
      return c.finish(0, x);
    return c.set(0, name == "dropout" ? laidOut(c, copied(c, x), preservedStrides(x)) : x); // as a tracer does
  }
  if (name.find("alpha") != name.npos)
    c.fail("condlint does not execute alpha dropout in training");
  Sizes shape = sizesOf(x);
  if (name.starts_with("feature"))
    for (std::size_t i = 2; i < shape.size(); ++i)
      shape[i] = 1;
  const Tensor mask =
      elementwise(c, Below(), Compute::F64, x.dtype(), {operandOf(uniformLike(c, shape)), operandOf(1 - p)});
  c.finish(0, mul(c, operandOf(x), operandOf(p == 1 ? mask : mul(c, operandOf(mask), operandOf(1 / (1 - p))))));
}

void executeNativeDropout(ExecContext &c) {
  const Tensor &x = c.tensor("input");
  const double p = c.real("p");
  if (p == 0 || (c.hasArg("train") && !c.flag("train"))) {
    c.set(0, x); // as a tracer does
    return c.finish(1, filled(c, DType::Bool, x.sizes(), Scalar::of(true)));
  }
  const Tensor mask =
      elementwise(c, Below(), Compute::F64, DType::Bool, {operandOf(uniformLike(c, x.sizes())), operandOf(1 - p)});
  c.finish(0, mul(c, operandOf(x),
                  operandOf(mul(c, operandOf(cast(c, mask, x.dtype())), operandOf(p == 1 ? 0 : 1 / (1 - p))))));
  c.finish(1, mask);
}

void executeRandomOnnx(ExecContext &c) {
  const std::string_view name = c.opName();
  const bool like = name.ends_with("Like");
  const DType t = c.dtype("dtype").value_or(like ? c.in(0).dtype() : DType::Float32);
  Sizes shape = like ? sizesOf(c.in(0)) : c.integers("shape").value_or(Sizes());
  const Tensor out = c.empty(t, shape);
  if (name.starts_with("RandomNormal"))
    drawInto(c, c.draw(), out, Draw::Normal, c.real("mean", 0.0), c.real("scale", 1.0));
  else
    drawInto(c, c.draw(), out, Draw::Uniform, c.real("low", 0.0), c.real("high", 1.0));
  c.set(0, out);
}

} // namespace condlint
