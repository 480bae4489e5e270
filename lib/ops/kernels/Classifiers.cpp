//===- Classifiers.cpp - Linear classifiers, support vectors, categories --===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Classifiers.h"
#include "Checked.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace condlint {

namespace {

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

} // namespace

void transformScores(const ExecContext &c, std::span<double> scores) {
  const std::string_view how = c.text("post_transform", "NONE");
  if (how == "NONE" || scores.empty())
    return;
  if (how == "PROBIT" || scores.size() == 1)
    c.fail(fmt::format("condlint does not execute the transformation {} of {} score{}", how, scores.size(),
                       scores.size() == 1 ? "" : "s"));
  if (how == "LOGISTIC") {
    std::ranges::transform(scores, scores.begin(), logistic);
    return;
  }
  if (how != "SOFTMAX" && how != "SOFTMAX_ZERO")
    c.fail(fmt::format("{} is no transformation of scores", how));
  const double top = std::ranges::max(scores);
  // What is zero stays so.
  constexpr double nothing = 1e-7;
  double sum = 0;
  for (double &s : scores) {
    s = how == "SOFTMAX_ZERO" && std::abs(s) <= nothing ? s * std::exp(-top) : std::exp(s - top);
    sum += s;
  }
  for (double &s : scores)
    s = sum == 0 ? 0 : s / sum;
}

std::array<double, 2> twoScores(const ExecContext &c, double score, bool complement) {
  const std::string_view how = c.text("post_transform", "NONE");
  if (how == "LOGISTIC")
    return {logistic(-score), logistic(score)};
  if (how != "NONE")
    c.fail(fmt::format("condlint does not execute the transformation {} of one score", how));
  return {complement ? 1 - score : -score, score};
}

ClassLabels::ClassLabels(const ExecContext &c, std::string_view ints, std::string_view strings)
    : numbers(c.integers(ints).value_or(Sizes())) {
  for (const std::string_view s : c.texts(strings))
    texts.emplace_back(s);
  if (!numbers.empty() && !texts.empty())
    c.fail("the classes have two sets of labels");
}

Tensor ClassLabels::of(const ExecContext &c, const std::vector<std::size_t> &chosen) const {
  std::vector<std::int64_t> asNumbers;
  std::vector<std::string> asTexts;
  for (const std::size_t i : chosen) {
    if (size() != 0 && i >= size())
      c.fail("a class has no label");
    if (!texts.empty())
      asTexts.push_back(texts[i]);
    else
      asNumbers.push_back(numbers.empty() ? static_cast<std::int64_t>(i) : numbers[i]);
  }
  const std::int64_t shape[] = {static_cast<std::int64_t>(chosen.size())};
  return texts.empty() ? tensorOf(c, asNumbers) : tensorOf(c, shape, asTexts);
}

Features featuresOf(const ExecContext &c) {
  const Tensor &x = c.in(0);
  if (x.rank() == 0 || x.rank() > 2)
    c.fail(fmt::format("a tensor of shape {} is no list of features", shapeText(x.sizes())));
  return {doublesOf(c, x), x.rank() == 2 ? x.size(0) : 1, x.size(x.rank() - 1)};
}

void executeLinearClassifier(ExecContext &c) {
  const Features x = featuresOf(c);
  const std::vector<double> w = c.reals("coefficients").value_or(std::vector<double>()),
                            b = c.reals("intercepts").value_or(std::vector<double>());
  const ClassLabels labels(c, "classlabels_ints", "classlabels_strings");
  const auto targets = static_cast<std::int64_t>(b.size());
  if (targets == 0 || static_cast<std::int64_t>(w.size()) != times(c, targets, x.width))
    c.fail("the coefficients do not fit the features");
  const bool isBinary = targets == 1 && labels.size() == 2;
  std::vector<double> scores, row(b.size());
  std::vector<std::size_t> chosen;
  for (std::int64_t i = 0; i < x.rows; ++i) {
    for (std::size_t t = 0; t < row.size(); ++t) {
      row[t] = b[t];
      for (std::size_t k = 0; k < x.row(i).size(); ++k)
        row[t] += x.row(i)[k] * w[t * x.row(i).size() + k];
    }
    chosen.push_back(targets == 1 ? (row[0] > 0 ? 1 : 0)
                                  : static_cast<std::size_t>(std::ranges::max_element(row) - row.begin()));
    if (isBinary) {
      std::ranges::copy(twoScores(c, row[0], true), std::back_inserter(scores));
    } else {
      transformScores(c, row);
      std::ranges::copy(row, std::back_inserter(scores));
    }
  }
  c.set(0, labels.of(c, chosen));
  c.set(1, cast(c, tensorOf(c, Sizes{x.rows, isBinary ? 2 : targets}, scores), DType::Float32));
}

void executeOneHotEncoder(ExecContext &c) {
  const Tensor &x = c.in(0);
  const bool isText = x.dtype() == DType::String;
  std::vector<std::optional<std::size_t>> found;
  std::size_t width = 0;
  // Of a category that stands twice the last place counts.
  const auto look = [&](const auto &categories, const auto &values) {
    std::map<std::decay_t<decltype(values.front())>, std::size_t> places;
    width = categories.size();
    for (std::size_t i = 0; i < width; ++i)
      places[std::decay_t<decltype(values.front())>(categories[i])] = i;
    for (const auto &v : values) {
      const auto at = places.find(v);
      found.push_back(at == places.end() ? std::nullopt : std::optional(at->second));
    }
  };
  if (isText)
    look(c.texts("cats_strings"), stringsOf(c, x));
  else
    look(c.integers("cats_int64s").value_or(Sizes()), integersOf(c, cast(c, x, DType::Int64)));
  if (width == 0)
    c.fail("there are no categories");
  const bool toleratesOthers = c.flag("zeros", true);
  std::vector<double> out(found.size() * width, 0.0);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i])
      out[i * width + *found[i]] = 1;
    else if (!toleratesOthers)
      c.fail("a value is of no category");
  }
  Sizes shape = sizesOf(x);
  shape.push_back(static_cast<std::int64_t>(width));
  c.set(0, cast(c, tensorOf(c, shape, out), DType::Float32));
}

// --- support vectors --------------------------------------------------------------

namespace {

/// How alike two rows of features are.
class Kernel {
public:
  explicit Kernel(const ExecContext &c) : kind(c.text("kernel_type", "LINEAR")) {
    const std::vector<double> given = c.reals("kernel_params").value_or(std::vector<double>());
    if (!given.empty() && given.size() != 3)
      c.fail("a kernel has three parameters");
    std::ranges::copy(given, parameters.begin());
    if (kind != "LINEAR" && kind != "POLY" && kind != "RBF" && kind != "SIGMOID")
      c.fail(fmt::format("{} is no kernel", kind));
  }

  double operator()(std::span<const double> a, std::span<const double> b) const {
    const auto &[gamma, start, degree] = parameters;
    double sum = 0;
    if (kind == "RBF") {
      for (std::size_t i = 0; i < a.size(); ++i)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
      return std::exp(-gamma * sum);
    }
    for (std::size_t i = 0; i < a.size(); ++i)
      sum += a[i] * b[i];
    if (kind == "POLY")
      return std::pow(gamma * sum + start, degree);
    return kind == "SIGMOID" ? std::tanh(gamma * sum + start) : sum;
  }

private:
  std::string_view kind;
  std::array<double, 3> parameters{};
};

/// The vectors of a machine, of as many features as the input has.
struct Vectors {
  Vectors(const ExecContext &c, std::size_t width, std::int64_t count)
      : data(c.reals("support_vectors").value_or(std::vector<double>())), features(width) {
    if (count < 0 || width == 0 || data.size() % width != 0 || data.size() / width != static_cast<std::size_t>(count))
      c.fail("the support vectors do not fit the features");
  }
  std::size_t size() const { return data.size() / features; }
  std::span<const double> operator[](std::size_t i) const { return std::span(data).subspan(i * features, features); }

  std::vector<double> data;
  std::size_t features;
};

} // namespace

void executeSvmRegressor(ExecContext &c) {
  const Features x = featuresOf(c);
  const std::int64_t supports = c.integer("n_supports", 0);
  const std::vector<double> w = c.reals("coefficients").value_or(std::vector<double>()),
                            rho = c.reals("rho").value_or(std::vector<double>());
  const Kernel kernel(c);
  const auto width = static_cast<std::size_t>(x.width);
  if (rho.size() != 1 || w.size() != (supports > 0 ? static_cast<std::size_t>(supports) : width))
    c.fail("the coefficients do not fit the features");
  if (c.text("post_transform", "NONE") != "NONE")
    c.fail("condlint executes regression by support vectors without a transformation only");
  std::vector<double> out;
  const Vectors vectors(c, width, std::max<std::int64_t>(supports, 0));
  for (std::int64_t i = 0; i < x.rows; ++i) {
    double sum = rho[0];
    if (supports > 0)
      for (std::size_t s = 0; s < w.size(); ++s)
        sum += w[s] * kernel(x.row(i), vectors[s]);
    else
      sum += kernel(x.row(i), w);
    out.push_back(c.flag("one_class") ? (sum > 0 ? 1.0 : -1.0) : sum);
  }
  c.set(0, cast(c, tensorOf(c, Sizes{x.rows, 1}, out), DType::Float32));
}

namespace {

/// What one class against one says of a row, brought to one probability a class: the second algorithm of Wu, Lin and
/// Weng, "Probability Estimates for Multi-class Classification by Pairwise Coupling", as libsvm has it. At
/// [i * classes + j] of \p pairs: how likely it is the class i, if it is that or j.
std::vector<double> coupled(std::span<const double> pairs, std::size_t classes) {
  std::vector<double> q(classes * classes), p(classes, 1 / static_cast<double>(classes)), qp(classes);
  for (std::size_t i = 0; i < classes; ++i)
    for (std::size_t j = 0; j < classes; ++j)
      if (i != j) {
        const double back = pairs[j * classes + i];
        q[i * classes + i] += back * back;
        q[i * classes + j] = -back * pairs[i * classes + j];
      }
  constexpr int trips = 100;
  for (int trip = 0; trip < trips; ++trip) {
    double pqp = 0, off = 0;
    for (std::size_t i = 0; i < classes; ++i) {
      qp[i] = 0;
      for (std::size_t j = 0; j < classes; ++j)
        qp[i] += q[i * classes + j] * p[j];
      pqp += p[i] * qp[i];
    }
    for (const double v : qp)
      off = std::max(off, std::abs(v - pqp));
    if (off < 0.005 / static_cast<double>(classes))
      break;
    for (std::size_t i = 0; i < classes; ++i) {
      const double own = q[i * classes + i], step = (pqp - qp[i]) / own;
      p[i] += step;
      pqp = (pqp + step * (step * own + 2 * qp[i])) / (1 + step) / (1 + step);
      for (std::size_t j = 0; j < classes; ++j) {
        qp[j] = (qp[j] + step * q[i * classes + j]) / (1 + step);
        p[j] /= 1 + step;
      }
    }
  }
  return p;
}

/// The scores of every class against every later one. A vector of the class i has a weight for each other class, those
/// of a class before \p i in a row less.
class Machine {
public:
  Machine(const ExecContext &c, std::size_t width, std::size_t classes)
      : kernel(c), counts(c.integers("vectors_per_class").value_or(Sizes())),
        weights(c.reals("coefficients").value_or(std::vector<double>())),
        rho(c.reals("rho").value_or(std::vector<double>())), vectors(c, width, sum(c, counts)) {
    if (counts.size() != classes || rho.size() != classes * (classes - 1) / 2 ||
        weights.size() != (classes - 1) * vectors.size())
      c.fail("the coefficients do not fit the classes");
  }

  std::vector<double> operator()(std::span<const double> row) const {
    std::vector<double> alike(vectors.size()), scores(rho);
    for (std::size_t s = 0; s < alike.size(); ++s)
      alike[s] = kernel(row, vectors[s]);
    std::size_t at = 0, first = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const auto ends = first + static_cast<std::size_t>(counts[i]);
      for (std::size_t j = i + 1, start = ends; j < counts.size(); ++j, ++at) {
        const auto stop = start + static_cast<std::size_t>(counts[j]);
        for (std::size_t s = first; s < ends; ++s)
          scores[at] += weights[(j - 1) * alike.size() + s] * alike[s];
        for (; start < stop; ++start)
          scores[at] += weights[i * alike.size() + start] * alike[start];
      }
      first = ends;
    }
    return scores;
  }

private:
  static std::int64_t sum(const ExecContext &c, const Sizes &counts) {
    std::int64_t all = 0;
    for (const std::int64_t n : counts)
      if (n < 0 || __builtin_add_overflow(all, n, &all))
        c.fail("the support vectors cannot be counted");
    return all;
  }

  Kernel kernel;
  Sizes counts;
  std::vector<double> weights, rho;
  Vectors vectors;
};

} // namespace

void executeSvmClassifier(ExecContext &c) {
  const Features x = featuresOf(c);
  const ClassLabels labels(c, "classlabels_ints", "classlabels_strings");
  const std::size_t classes = labels.size();
  const std::vector<double> a = c.reals("prob_a").value_or(std::vector<double>()),
                            b = c.reals("prob_b").value_or(std::vector<double>());
  if (c.integers("vectors_per_class").value_or(Sizes()).empty())
    c.fail("condlint does not execute a classifier of support vectors that has none");
  if (classes < 2)
    c.fail("one class is nothing to choose from");
  const Machine machine(c, static_cast<std::size_t>(x.width), classes);
  const std::size_t pairs = classes * (classes - 1) / 2;
  if (a.size() != b.size() || (!a.empty() && a.size() != pairs))
    c.fail("the coefficients of the probabilities do not fit the classes");
  std::vector<double> out, likely(classes * classes);
  std::vector<std::size_t> chosen, votes;
  for (std::int64_t n = 0; n < x.rows; ++n) {
    std::vector<double> scores = machine(x.row(n));
    votes.assign(classes, 0);
    for (std::size_t i = 0, at = 0; i < classes; ++i)
      for (std::size_t j = i + 1; j < classes; ++j, ++at) {
        ++votes[scores[at] > 0 ? i : j];
        if (a.empty())
          continue;
        constexpr double least = 1e-7;
        const double p = std::clamp(logistic(-(scores[at] * a[at] + b[at])), least, 1 - least);
        likely[i * classes + j] = p;
        likely[j * classes + i] = 1 - p;
      }
    chosen.push_back(static_cast<std::size_t>(std::ranges::max_element(votes) - votes.begin()));
    if (!a.empty())
      scores = coupled(likely, classes);
    if (scores.size() == 1) {
      std::ranges::copy(twoScores(c, scores[0], false), std::back_inserter(out));
    } else {
      transformScores(c, scores);
      std::ranges::copy(scores, std::back_inserter(out));
    }
  }
  const std::size_t width = !a.empty() || classes == 2 ? classes : pairs;
  c.set(0, labels.of(c, chosen));
  c.set(1, cast(c, tensorOf(c, Sizes{x.rows, static_cast<std::int64_t>(width)}, out), DType::Float32));
}

} // namespace condlint
