//===- LossRows.cpp - Losses row by row, executed -------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Losses of which each row, or each sequence, is computed by itself.
#include "Loss.h"
#include "TensorOps.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace condlint {

namespace {

/// Sets result 0 to the \p losses in \p shape, their sum or their mean.
void finishLosses(ExecContext &c, const std::vector<double> &losses, SizeSpan shape, DType t) {
  const std::int64_t how = c.integer("reduction", 1);
  if (how == 0) {
    const Tensor all = c.empty(DType::Float64, shape);
    std::ranges::copy(losses, all.out<double>());
    return c.finish(0, cast(c, all, t));
  }
  double sum = 0;
  for (double l : losses)
    sum += l;
  c.finish(0, filled(c, t, {}, Scalar::of(how == 1 ? sum / static_cast<double>(losses.size()) : sum)));
}

/// The rows of scores: one for [C], N for [N, C]. A number is a row of one.
struct Scores {
  std::int64_t rows, classes;
  std::vector<double> values;
  double at(std::int64_t row, std::int64_t k) const { return values[static_cast<std::size_t>(row * classes + k)]; }
};

Scores scoresOf(const ExecContext &c, const Tensor &x) {
  const std::int64_t classes = x.rank() == 0 ? 1 : x.size(x.rank() - 1);
  if (x.rank() > 2 || classes == 0)
    c.fail(fmt::format("scores of the shape {}, expected rows of classes", shapeText(x.sizes())));
  return {x.rank() < 2 ? 1 : x.size(0), classes, doublesOf(c, x)};
}

/// How far each other class comes too near to the one that is meant.
void multiMargin(ExecContext &c, const Tensor &x, const Scores &s, const Sizes &target) {
  const double p = c.real("p", 1.0), margin = c.real("margin", 1.0);
  if (p != 1 && p != 2)
    c.fail("only p == 1 and p == 2 supported");
  const Tensor *weight = c.maybeTensor("weight");
  const std::vector<double> w = weight ? doublesOf(c, *weight) : std::vector<double>();
  if (static_cast<std::int64_t>(target.size()) != s.rows || (weight && std::ssize(w) != s.classes))
    c.fail("there is not one target for each row, or not one weight for each class");
  std::vector<double> losses;
  for (std::int64_t i = 0; i < s.rows; ++i) {
    const std::int64_t meant = target[static_cast<std::size_t>(i)];
    if (meant < 0 || meant >= s.classes)
      c.fail(fmt::format("the target {} is none of {} classes", meant, s.classes));
    double sum = 0;
    for (std::int64_t k = 0; k < s.classes; ++k) {
      const double z = margin - s.at(i, meant) + s.at(i, k);
      if (k != meant && z > 0)
        sum += (p == 1 ? z : z * z) * (weight ? w[static_cast<std::size_t>(meant)] : 1);
    }
    losses.push_back(sum / static_cast<double>(s.classes));
  }
  finishLosses(c, losses, x.rank() < 2 ? Sizes{} : Sizes{s.rows}, x.dtype());
}

/// The same of several classes that are meant; the first negative target ends them.
void multiLabelMargin(ExecContext &c, const Tensor &x, const Scores &s, const Tensor &labels) {
  const Sizes target = integersOf(c, labels);
  if (static_cast<std::int64_t>(target.size()) != s.rows * s.classes)
    c.fail(fmt::format("targets of the shape {} for scores of {}", shapeText(labels.sizes()), shapeText(x.sizes())));
  const Tensor meant = filled(c, DType::Float64, labels.sizes(), Scalar::of(0.0));
  std::vector<double> losses;
  for (std::int64_t i = 0; i < s.rows; ++i) {
    const std::int64_t *row = target.data() + i * s.classes;
    double *marks = meant.out<double>() + i * s.classes;
    const std::int64_t count = std::find_if(row, row + s.classes, [](std::int64_t k) { return k < 0; }) - row;
    for (std::int64_t k = 0; k < count; ++k) {
      if (row[k] >= s.classes)
        c.fail(fmt::format("the target {} is none of {} classes", row[k], s.classes));
      marks[row[k]] = 1;
    }
    double sum = 0;
    for (std::int64_t k = 0; k < count; ++k)
      for (std::int64_t other = 0; other < s.classes; ++other)
        if (const double z = 1 - s.at(i, row[k]) + s.at(i, other); marks[other] == 0 && z > 0)
          sum += z;
    losses.push_back(sum / static_cast<double>(s.classes));
  }
  finishLosses(c, losses, x.rank() < 2 ? Sizes{} : Sizes{s.rows}, x.dtype());
  if (c.resultCount() > 1)
    c.finish(1, cast(c, meant, x.dtype()));
}

/// log(exp(a) + exp(b) + exp(d))
double addLogs(double a, double b, double d) {
  const double most = std::max({a, b, d});
  if (most == -std::numeric_limits<double>::infinity())
    return most;
  return most + std::log(std::exp(a - most) + std::exp(b - most) + std::exp(d - most));
}

/// The labels of one sequence with blanks around each.
struct Alignment {
  const std::int64_t *labels;
  std::int64_t count, blank;
  std::int64_t length() const { return 2 * count + 1; }
  std::int64_t at(std::int64_t i) const { return i % 2 == 0 ? blank : labels[i / 2]; }
};

/// -log of the probability of all ways to read \p labels in \p steps, each of which
/// has the logarithms of its classes at logs(step, class).
template <class Logs> double unlikelihood(const Alignment &a, std::int64_t steps, const Logs &logs) {
  constexpr double never = -std::numeric_limits<double>::infinity();
  if (steps == 0)
    return a.count == 0 ? 0 : -never;
  std::vector<double> now(static_cast<std::size_t>(a.length()), never), before;
  now[0] = logs(0, a.blank);
  if (a.count > 0)
    now[1] = logs(0, a.at(1));
  for (std::int64_t t = 1; t < steps; ++t) {
    before = now;
    for (std::int64_t i = 0; i < a.length(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      const bool skips = i > 1 && a.at(i) != a.blank && a.at(i) != a.at(i - 2);
      now[k] = addLogs(before[k], i > 0 ? before[k - 1] : never, skips ? before[k - 2] : never) + logs(t, a.at(i));
    }
  }
  const auto last = static_cast<std::size_t>(a.length() - 1);
  return -addLogs(now[last], a.count > 0 ? now[last - 1] : never, never);
}

/// The lengths of the sequences: a list, or a tensor.
Sizes lengthsOf(const ExecContext &c, std::string_view name, std::int64_t count, std::int64_t most) {
  const Tensor *t = c.maybeTensor(name);
  Sizes lengths = t ? integersOf(c, *t) : c.integers(name).value_or(Sizes());
  const auto fits = [&](std::int64_t l) { return l >= 0 && l <= most; };
  if (static_cast<std::int64_t>(lengths.size()) != count || !std::ranges::all_of(lengths, fits))
    c.fail(fmt::format("'{}' is not one length of at most {} for each of {} sequences", name, most, count));
  return lengths;
}

} // namespace

/// multi_margin_loss, multilabel_margin_loss and its forward part.
void executeRowLoss(ExecContext &c) {
  const Tensor &x = c.tensor("self"), &target = c.tensor("target");
  const Scores s = scoresOf(c, x);
  if (c.opName() == "multi_margin_loss")
    return multiMargin(c, x, s, integersOf(c, target));
  multiLabelMargin(c, x, s, target);
}

/// log_probs [T, N, C] or [T, C]; targets [N, S], or all of them one after the other.
void executeCtcLoss(ExecContext &c) {
  const Tensor &x = c.tensor("log_probs"), &targets = c.tensor("targets");
  if (x.rank() < 2 || x.rank() > 3)
    c.fail(fmt::format("log_probs of the shape {}", shapeText(x.sizes())));
  const bool single = x.rank() == 2;
  const std::int64_t steps = x.size(0), count = single ? 1 : x.size(1), classes = x.size(x.rank() - 1);
  const std::int64_t blank = c.integer("blank", 0);
  if (blank < 0 || blank >= classes)
    c.fail("blank must be in label range");
  const std::vector<double> p = doublesOf(c, x);
  const Sizes labels = integersOf(c, targets);
  const bool padded = targets.rank() == 2;
  const auto all = static_cast<std::int64_t>(labels.size());
  const std::int64_t row = padded ? targets.size(1) : all;
  if (padded && targets.size(0) != count)
    c.fail(fmt::format("targets of the shape {} for {} sequences", shapeText(targets.sizes()), count));
  const Sizes spoken = lengthsOf(c, "input_lengths", count, steps),
              written = lengthsOf(c, "target_lengths", count, row);
  if (std::ranges::any_of(labels, [&](std::int64_t l) { return l < 0 || l >= classes; }))
    c.fail(fmt::format("a target is none of {} classes", classes));
  const bool zeroes = c.flag("zero_infinity"), isMean = c.integer("reduction", 1) == 1;
  std::vector<double> losses;
  std::int64_t begin = 0;
  for (std::int64_t n = 0; n < count; ++n) {
    const std::int64_t length = written[static_cast<std::size_t>(n)], at = padded ? n * row : begin;
    if (at + length > all)
      c.fail("there are fewer targets than their lengths say");
    double loss = unlikelihood(
        {labels.data() + at, length, blank}, spoken[static_cast<std::size_t>(n)],
        [&](std::int64_t t, std::int64_t k) { return p[static_cast<std::size_t>((t * count + n) * classes + k)]; });
    if (zeroes && std::isinf(loss))
      loss = 0;
    losses.push_back(isMean ? loss / static_cast<double>(std::max<std::int64_t>(length, 1)) : loss);
    begin += length;
  }
  finishLosses(c, losses, single ? Sizes{} : Sizes{count}, x.dtype());
}

} // namespace condlint
