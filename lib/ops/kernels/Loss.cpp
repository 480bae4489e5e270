//===- Loss.cpp - Losses, executed ----------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Loss.h"
#include "ElementKernels.h"
#include "FunctorsMath.h"
#include "Rows.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {

namespace {

/// torch's `reduction`: 0 none, 1 mean, 2 sum.
void finishReduced(ExecContext &c, const Tensor &loss) {
  const std::int64_t how = c.integer("reduction", 1);
  if (how == 0)
    return c.finish(0, loss);
  c.finish(0, reduced(c, loss, axesOf(c, {}, loss.rank()), false, how == 1 ? Reduction::Mean : Reduction::Sum,
                      loss.dtype()));
}

struct SquaredError : ElementFunctor<2, Floats> {
  template <class T> CONDLINT_HD T operator()(T a, T b) const { return (a - b) * (a - b); }
};
struct AbsoluteError : ElementFunctor<2, Floats> {
  template <class T> CONDLINT_HD T operator()(T a, T b) const { return std::fabs(a - b); }
};
struct SmoothError : ElementFunctor<2, Floats> {
  double beta = 1;
  bool huber = false;
  template <class T> CONDLINT_HD T operator()(T a, T b) const {
    const T d = std::fabs(a - b), limit = T(beta);
    if (huber)
      return d <= limit ? T(0.5) * d * d : limit * (d - T(0.5) * limit);
    return d < limit ? T(0.5) * d * d / limit : d - T(0.5) * limit;
  }
};
struct Divergence : ElementFunctor<2, Floats> {
  bool logTarget = false;
  template <class T> CONDLINT_HD T operator()(T x, T target) const {
    if (logTarget)
      return std::exp(target) * (target - x);
    return (target > T(0) ? target * std::log(target) : T(0)) - target * x;
  }
};
struct SoftMargin : ElementFunctor<2, Floats> {
  template <class T> CONDLINT_HD T operator()(T x, T target) const { return std::log1p(std::exp(-target * x)); }
};
struct Hinge : ElementFunctor<2, Floats> {
  double margin = 1;
  template <class T> CONDLINT_HD T operator()(T x, T target) const {
    const T m = T(margin) - x;
    return target == T(1) ? x : (target == T(-1) ? (m > T(0) ? m : T(0)) : T(0));
  }
};
struct CrossEntropy : ElementFunctor<2, Floats> {
  template <class T> CONDLINT_HD T operator()(T x, T target) const {
    const T a = std::log(x), b = std::log1p(-x), low = T(-100);
    return -(target * (a < low ? low : a) + (T(1) - target) * (b < low ? low : b));
  }
};
/// With logits and the weight of positives.
struct LogitCrossEntropy : ElementFunctor<3, Floats> {
  template <class T> CONDLINT_HD T operator()(T x, T target, T positive) const {
    const T weight = T(1) + (positive - T(1)) * target;
    return (T(1) - target) * x + weight * (std::log1p(std::exp(-std::fabs(x))) + (x < T(0) ? -x : T(0)));
  }
};
struct Poisson : ElementFunctor<2, Floats> {
  bool logInput = true, full = false;
  double eps = 1e-8;
  template <class T> CONDLINT_HD T operator()(T x, T target) const {
    T loss = logInput ? std::exp(x) - target * x : x - target * std::log(x + T(eps));
    if (full && target > T(1))
      loss += target * std::log(target) - target + T(0.5) * std::log(T(6.283185307179586) * target);
    return loss;
  }
};

} // namespace

void executePointwiseLoss(ExecContext &c) {
  const std::string_view name = c.opName();
  const Tensor &x = firstOperand(c), &target = c.tensor("target");
  const DType t = promoted(c, {operandOf(x), operandOf(target)});
  const auto run = [&](const auto &f) { return elementwise(c, f, computeOf(t), t, {operandOf(x), operandOf(target)}); };
  Tensor loss;
  if (name == "mse_loss")
    loss = run(SquaredError());
  else if (name == "l1_loss")
    loss = run(AbsoluteError());
  else if (name == "smooth_l1_loss" || name == "huber_loss") {
    SmoothError f;
    f.huber = name == "huber_loss";
    f.beta = c.real(f.huber ? "delta" : "beta", 1.0);
    loss = f.beta == 0 ? run(AbsoluteError()) : run(f);
  } else if (name == "kl_div") {
    Divergence f;
    f.logTarget = c.flag("log_target");
    loss = run(f);
  } else if (name == "soft_margin_loss")
    loss = run(SoftMargin());
  else if (name == "hinge_embedding_loss") {
    Hinge f;
    f.margin = c.real("margin", 1.0);
    loss = run(f);
  } else if (name == "binary_cross_entropy") {
    for (const Tensor &given : {x, target})
      if (std::ranges::any_of(doublesOf(c, given), [](double p) { return p < 0 || p > 1; }))
        c.fail("a probability lies outside of [0, 1]");
    loss = run(CrossEntropy());
  } else {
    const Tensor *positive = c.maybeTensor("pos_weight");
    loss = elementwise(c, LogitCrossEntropy(), computeOf(t), t,
                       {operandOf(x), operandOf(target), positive ? operandOf(*positive) : operandOf(1.0)});
  }
  if (const Tensor *weight = c.maybeTensor("weight"))
    loss = mul(c, operandOf(loss), operandOf(*weight));
  finishReduced(c, loss);
}

void executePoissonLoss(ExecContext &c) {
  Poisson f;
  f.logInput = c.flag("log_input", true);
  f.full = c.flag("full");
  f.eps = c.real("eps", 1e-8);
  finishReduced(c, map(c, f, {operandOf(c.tensor("input")), operandOf(c.tensor("target"))}));
}

void executeMarginRankingLoss(ExecContext &c) {
  const Tensor d = sub(c, operandOf(c.tensor("input1")), operandOf(c.tensor("input2")));
  const Tensor signedBy = mul(c, operandOf(mul(c, operandOf(d), operandOf(c.tensor("target")))), operandOf(-1.0));
  finishReduced(
      c, map(c, Maximum(), {operandOf(add(c, operandOf(signedBy), operandOf(c.real("margin", 0.0)))), operandOf(0.0)}));
}

void executeCosineEmbeddingLoss(ExecContext &c) {
  const Tensor &a = c.tensor("input1"), &b = c.tensor("input2"), &target = c.tensor("target");
  if (a.rank() == 0 || a.rank() != b.rank())
    c.fail(fmt::format("vectors of the shapes {} and {}", shapeText(a.sizes()), shapeText(b.sizes())));
  const std::size_t last[] = {a.rank() - 1};
  const auto dot = [&](const Tensor &p, const Tensor &q) {
    return reduced(c, mul(c, operandOf(p), operandOf(q)), last, false, Reduction::Sum, p.dtype());
  };
  const double eps = 1e-12;
  const Tensor norms = mul(c, operandOf(add(c, operandOf(dot(a, a)), operandOf(eps))),
                           operandOf(add(c, operandOf(dot(b, b)), operandOf(eps))));
  const Tensor cosine = div(c, operandOf(dot(a, b)), operandOf(map(c, Sqrt(), {operandOf(norms)})));
  const Tensor away =
      map(c, Maximum(), {operandOf(sub(c, operandOf(cosine), operandOf(c.real("margin", 0.0)))), operandOf(0.0)});
  const Tensor near = add(c, operandOf(mul(c, operandOf(cosine), operandOf(-1.0))), operandOf(1.0));
  const Tensor isNear = map(c, Equal(), {operandOf(target), operandOf(1.0)}),
               isAway = map(c, Equal(), {operandOf(target), operandOf(-1.0)});
  finishReduced(c, select(c, isNear, operandOf(near), operandOf(select(c, isAway, operandOf(away), operandOf(0.0)))));
}

void executeTripletMarginLoss(ExecContext &c) {
  const Tensor &anchor = c.tensor("anchor"), &positive = c.tensor("positive"), &negative = c.tensor("negative");
  const double p = c.real("p", 2.0), eps = c.real("eps", 1e-6);
  const auto distance = [&](const Tensor &a, const Tensor &b) {
    if (a.rank() == 0 || a.rank() != b.rank())
      c.fail(fmt::format("points of the shapes {} and {}", shapeText(a.sizes()), shapeText(b.sizes())));
    const std::size_t last[] = {a.rank() - 1};
    return normOf(c, add(c, operandOf(sub(c, operandOf(a), operandOf(b))), operandOf(eps)), last, false, p, a.dtype());
  };
  const Tensor near = distance(anchor, positive);
  Tensor far = distance(anchor, negative);
  if (c.flag("swap"))
    far = map(c, Minimum(), {operandOf(far), operandOf(distance(positive, negative))});
  const Tensor margin = add(c, operandOf(sub(c, operandOf(near), operandOf(far))), operandOf(c.real("margin", 1.0)));
  finishReduced(c, map(c, Maximum(), {operandOf(margin), operandOf(0.0)}));
}

namespace {

struct ClassLoss {
  Tensor loss;        ///< one a target
  double weights = 0; ///< their sum
};

/// -weight[target] * logp[target], 0 where the target is ignored. The part \p smoothing of
/// it is shared by all classes.
ClassLoss negativeLogLikelihood(const ExecContext &c, const Tensor &logp, const Tensor &target, const Tensor *weight,
                                std::optional<std::int64_t> ignored, double smoothing = 0) {
  const bool single = logp.rank() == 1;
  const std::int64_t n = single ? 1 : logp.size(0), classes = single ? logp.size(0) : logp.size(1);
  const std::int64_t inner = n * classes == 0 ? 0 : logp.numel() / (n * classes);
  const Sizes at = integersOf(c, target);
  if (static_cast<std::int64_t>(at.size()) != n * inner)
    c.fail(fmt::format("targets of shape {} do not fit {}", shapeText(target.sizes()), shapeText(logp.sizes())));
  const std::vector<double> p = doublesOf(c, logp), w = weight ? doublesOf(c, *weight) : std::vector<double>();
  if (weight && static_cast<std::int64_t>(w.size()) != classes)
    c.fail("there is not one weight for each class");
  ClassLoss r;
  r.loss = c.empty(DType::Float64, target.sizes());
  for (std::size_t i = 0; i < at.size(); ++i) {
    const std::int64_t k = at[i];
    if (ignored && k == *ignored) {
      r.loss.out<double>()[i] = 0;
      continue;
    }
    if (k < 0 || k >= classes)
      c.fail(fmt::format("Target {} is out of bounds.", k));
    const double by = w.empty() ? 1 : w[static_cast<std::size_t>(k)];
    const auto weighted = [&](std::int64_t label) {
      const std::int64_t place =
          (static_cast<std::int64_t>(i) / inner * classes + label) * inner + static_cast<std::int64_t>(i) % inner;
      return (w.empty() ? 1 : w[static_cast<std::size_t>(label)]) * p[static_cast<std::size_t>(place)];
    };
    double loss = -weighted(k);
    if (smoothing > 0) {
      double all = 0;
      for (std::int64_t label = 0; label < classes; ++label)
        all -= weighted(label);
      loss = (1 - smoothing) * loss + smoothing / static_cast<double>(classes) * all;
    }
    r.loss.out<double>()[i] = loss;
    r.weights += by;
  }
  return r;
}

double sumOf(const Tensor &t) {
  double sum = 0;
  for (std::int64_t i = 0; i < t.numel(); ++i)
    sum += t.as<double>()[i];
  return sum;
}

} // namespace

/// nll_loss, cross_entropy_loss and their forward parts.
void executeClassLoss(ExecContext &c) {
  const std::string_view name = c.opName();
  const Tensor &x = firstOperand(c), &target = c.tensor("target");
  const Tensor *weight = c.maybeTensor("weight");
  const std::int64_t how = c.integer("reduction", 1);
  const std::size_t axis = x.rank() == 1 ? 0 : 1;
  if (x.rank() == 0)
    c.fail("a number has no classes");
  const bool entropy = name == "cross_entropy_loss";
  const Tensor logp = entropy ? softmax(c, x, axis, dtypeOf(computeOf(x.dtype())), true) : x;
  const double smoothing = c.real("label_smoothing", 0.0);
  if (entropy && isFloating(target.dtype())) {
    // Probabilities of the classes.
    Tensor p = target;
    const auto classes = static_cast<double>(x.size(axis));
    if (smoothing > 0)
      p = add(c, operandOf(mul(c, operandOf(p), operandOf(1 - smoothing))), operandOf(smoothing / classes));
    Tensor product = mul(c, operandOf(logp), operandOf(p));
    if (weight) {
      Sizes shape(x.rank(), 1);
      shape[axis] = weight->numel();
      product = mul(c, operandOf(product), operandOf(reshaped(c, *weight, shape)));
    }
    const std::size_t axes[] = {axis};
    Tensor loss = mul(c, operandOf(reduced(c, product, axes, false, Reduction::Sum, product.dtype())), operandOf(-1.0));
    if (how != 0) {
      const double count = static_cast<double>(std::max<std::int64_t>(loss.numel(), 1));
      loss = reduced(c, loss, axesOf(c, {}, loss.rank()), false, Reduction::Sum, loss.dtype());
      loss = how == 1 ? mul(c, operandOf(loss), operandOf(1 / count)) : loss;
    }
    return c.finish(0, cast(c, loss, x.dtype()));
  }
  const ClassLoss r = negativeLogLikelihood(c, logp, target, weight, c.integer("ignore_index", -100), smoothing);
  if (how == 0) {
    c.finish(0, cast(c, r.loss, x.dtype()));
  } else {
    const double sum = sumOf(r.loss);
    c.finish(0, filled(c, x.dtype(), {}, Scalar::of(how == 1 ? sum / r.weights : sum)));
  }
  if (c.resultCount() > 1)
    c.finish(1, filled(c, x.dtype(), {}, Scalar::of(how == 0 ? 0 : r.weights)));
}

/// ONNX's SoftmaxCrossEntropyLoss and NegativeLogLikelihoodLoss.
void executeClassificationLoss(ExecContext &c) {
  const Tensor &x = c.in(0), &target = c.in(1);
  const bool entropy = c.opName() == "SoftmaxCrossEntropyLoss";
  if (x.rank() < 2)
    c.fail("the scores have no classes");
  const Tensor logp = entropy ? softmax(c, x, 1, dtypeOf(computeOf(x.dtype())), true) : x;
  std::optional<std::int64_t> ignored;
  if (c.hasArg("ignore_index"))
    ignored = c.integer("ignore_index");
  const ClassLoss r = negativeLogLikelihood(c, logp, target, c.maybe(2), ignored);
  const std::string_view how = c.text("reduction", "mean");
  if (how == "none")
    c.set(0, cast(c, r.loss, x.dtype()));
  else
    c.set(0, filled(c, x.dtype(), {}, Scalar::of(how == "mean" ? sumOf(r.loss) / r.weights : sumOf(r.loss))));
  if (entropy && c.wants(1))
    c.set(1, cast(c, logp, x.dtype()));
}

} // namespace condlint
