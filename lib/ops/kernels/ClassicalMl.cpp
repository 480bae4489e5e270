//===- ClassicalMl.cpp - Trees, linear models, encoders, executed ---------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ClassicalMl.h"
#include "Checked.h"
#include "ElementKernels.h"
#include "Functors.h"
#include "Rows.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace condlint {

namespace {

/// A tensor attribute; nothing when it is absent.
std::optional<Tensor> tensorAttribute(const ExecContext &c, std::string_view name) {
  const Attribute *a = c.attribute(name);
  if (!a || a->kind != AttributeKind::Tensor)
    return std::nullopt;
  return c.constant(ConstantId(a->list.first));
}

std::vector<double> numbersAttribute(const ExecContext &c, std::string_view name) {
  return c.reals(name).value_or(std::vector<double>());
}

/// One number a column, the second axis of several; else the first for all.
Tensor imputed(const ExecContext &c, const Tensor &x, std::vector<double> v) {
  const std::size_t axis = x.rank() > 1 ? 1 : 0;
  if (x.rank() == 0 || static_cast<std::int64_t>(v.size()) != x.size(axis))
    v.resize(1);
  if (v.size() == 1 || x.numel() == 0)
    return reshaped(c, tensorOf(c, Sizes{1}, v), {});
  std::vector<double> all;
  for (std::int64_t i = 0; i < x.numel(); ++i)
    all.push_back(v[static_cast<std::size_t>(i) % v.size()]);
  return tensorOf(c, x.sizes(), all);
}

/// One number a column of a matrix, or one for all.
Tensor columns(const ExecContext &c, const std::vector<double> &v) {
  const std::int64_t shape[] = {static_cast<std::int64_t>(v.size())};
  const Tensor t = tensorOf(c, shape, v);
  return v.size() == 1 ? reshaped(c, t, {}) : t;
}

} // namespace

void executeArrayFeatureExtractor(ExecContext &c) {
  const Tensor &x = c.in(0);
  const Sizes at = integersOf(c, c.in(1));
  if (x.rank() == 0)
    c.fail("a number has no features");
  const std::size_t axis = x.rank() - 1;
  Sizes shape = sizesOf(x);
  shape[axis] = static_cast<std::int64_t>(at.size());
  const Tensor out = c.empty(x.dtype(), shape);
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (at[i] < 0 || at[i] >= x.size(axis))
      c.fail(fmt::format("the feature {} is not there", at[i]));
    copyInto(c, out.selected(axis, static_cast<std::int64_t>(i)), x.selected(axis, at[i]));
  }
  c.set(0, x.rank() == 1 ? out.unsqueezed(0) : out);
}

void executeBinarizer(ExecContext &c) {
  const Tensor &x = c.in(0);
  c.set(0, elementwise(c, Greater(), computeOf(x.dtype()), x.dtype(),
                       {operandOf(x), operandOf(c.real("threshold", 0.0))}));
}

void executeScaler(ExecContext &c) {
  const Tensor x = cast(c, c.in(0), DType::Float64);
  const std::vector<double> offset = numbersAttribute(c, "offset"), scale = numbersAttribute(c, "scale");
  Tensor out = offset.empty() ? x : sub(c, operandOf(x), operandOf(columns(c, offset)));
  if (!scale.empty())
    out = mul(c, operandOf(out), operandOf(columns(c, scale)));
  c.set(0, cast(c, out, DType::Float32));
}

void executeImputer(ExecContext &c) {
  const Tensor &x = c.in(0);
  const bool real = isFloating(x.dtype());
  std::vector<double> values = numbersAttribute(c, real ? "imputed_value_floats" : "imputed_value_int64s");
  const double replaced = real ? c.real("replaced_value_float", 0.0) : c.real("replaced_value_int64", 0.0);
  if (values.empty())
    c.fail("there is nothing to put in");
  const Tensor missing =
      std::isnan(replaced) ? map(c, IsNan(), {operandOf(x)}) : map(c, Equal(), {operandOf(x), operandOf(replaced)});
  c.set(0, select(c, missing, operandOf(cast(c, imputed(c, x, std::move(values)), x.dtype())), operandOf(x)));
}

void executeNormalizer(ExecContext &c) {
  const Tensor x = cast(c, c.in(0), DType::Float64);
  const std::string_view norm = c.text("norm", "MAX");
  const auto axes = axesOf(c, Sizes{x.rank() <= 1 ? 0 : 1}, x.rank());
  const double p = norm == "L1" ? 1 : norm == "L2" ? 2 : HUGE_VAL;
  const Tensor size = norm == "MAX" ? reduced(c, x, axes, true, Reduction::Maximum, DType::Float64)
                                    : normOf(c, x, axes, true, p, DType::Float64);
  const Tensor zero = map(c, Equal(), {operandOf(size), operandOf(0.0)});
  c.set(0, cast(c, div(c, operandOf(x), operandOf(select(c, zero, operandOf(1.0), operandOf(size)))), DType::Float32));
}

void executeLinearRegressor(ExecContext &c) {
  const Tensor x = cast(c, c.in(0), DType::Float64);
  const std::int64_t targets = c.integer("targets", 1);
  const std::vector<double> w = numbersAttribute(c, "coefficients"), b = numbersAttribute(c, "intercepts");
  if (x.rank() != 2 || targets <= 0 || static_cast<std::int64_t>(w.size()) != times(c, targets, x.size(1)))
    c.fail("the coefficients do not fit the features");
  if (c.text("post_transform", "NONE") != "NONE")
    c.fail("condlint executes linear regression without a transformation only");
  const std::int64_t shape[] = {targets, x.size(1)};
  const Tensor m = tensorOf(c, shape, w);
  Tensor out = matmul(c, x, m.transposed(0, 1));
  if (!b.empty())
    out = add(c, operandOf(out), operandOf(columns(c, b)));
  c.set(0, cast(c, out, DType::Float32));
}

// --- labels ---------------------------------------------------------------------

namespace {

/// Keys or values of a dictionary: numbers or texts, from the attribute that is there.
struct Labels {
  std::vector<double> numbers;
  std::vector<std::string> texts;
  DType type = DType::Unknown;
  std::size_t size() const { return std::max(numbers.size(), texts.size()); }
};
Labels labelsOf(const ExecContext &c, std::string_view prefix) {
  const std::string name(prefix);
  Labels l;
  if (const auto t = tensorAttribute(c, name + "_tensor")) {
    l.type = t->dtype();
    if (l.type == DType::String)
      l.texts = stringsOf(c, *t);
    else
      l.numbers = doublesOf(c, *t);
  } else if (c.attribute(name + "_strings")) {
    l.type = DType::String;
    for (std::string_view s : c.texts(name + "_strings"))
      l.texts.emplace_back(s);
  } else if (c.attribute(name + "_int64s")) {
    l.type = DType::Int64;
    l.numbers = numbersAttribute(c, name + "_int64s");
  } else {
    l.type = DType::Float32;
    l.numbers = numbersAttribute(c, name + "_floats");
  }
  return l;
}

/// Keys and values; version 1 maps the texts of a list to their places in it, or places to texts.
std::pair<Labels, Labels> mappingOf(const ExecContext &c, DType from) {
  if (!c.attribute("classes_strings"))
    return {labelsOf(c, "keys"), labelsOf(c, "values")};
  Labels texts = labelsOf(c, "classes"), places;
  places.type = DType::Int64;
  places.numbers.resize(texts.texts.size());
  std::iota(places.numbers.begin(), places.numbers.end(), 0.0);
  if (from == DType::String)
    return {std::move(texts), std::move(places)};
  return {std::move(places), std::move(texts)};
}

} // namespace

void executeLabelEncoder(ExecContext &c) {
  const Tensor &x = c.in(0);
  const auto [keys, values] = mappingOf(c, x.dtype());
  if (keys.size() != values.size() || (keys.type == DType::String) != (x.dtype() == DType::String))
    c.fail("the keys do not fit the values or the input");
  std::vector<std::optional<std::size_t>> found;
  if (x.dtype() == DType::String) {
    std::map<std::string, std::size_t> index;
    for (std::size_t i = keys.texts.size(); i-- > 0;)
      index.insert_or_assign(keys.texts[i], i);
    for (const std::string &s : stringsOf(c, x))
      found.push_back(index.contains(s) ? std::optional(index[s]) : std::nullopt);
  } else {
    std::map<double, std::size_t> index;
    std::optional<std::size_t> nan;
    for (std::size_t i = keys.numbers.size(); i-- > 0;) {
      if (std::isnan(keys.numbers[i]))
        nan = i;
      else
        index.insert_or_assign(keys.numbers[i], i);
    }
    for (double v : doublesOf(c, x))
      found.push_back(std::isnan(v) ? nan : index.contains(v) ? std::optional(index[v]) : std::nullopt);
  }
  if (values.type == DType::String) {
    std::string otherwise(c.text("default_string", "_Unused"));
    if (const auto t = tensorAttribute(c, "default_tensor"); t && t->dtype() == DType::String && t->numel() == 1)
      otherwise = stringsOf(c, *t)[0];
    std::vector<std::string> out;
    for (const auto &f : found)
      out.push_back(f ? values.texts[*f] : otherwise);
    return c.set(0, tensorOf(c, x.sizes(), out));
  }
  double otherwise = values.type == DType::Int64 ? c.real("default_int64", -1.0)
                     : isFloating(values.type)   ? c.real("default_float", -0.0)
                                                 : -1.0;
  if (const auto t = tensorAttribute(c, "default_tensor"); t && t->numel() == 1)
    otherwise = scalarOfTensor(c, *t).toDouble();
  const Tensor out = c.empty(DType::Float64, x.sizes());
  for (std::size_t i = 0; i < found.size(); ++i)
    out.out<double>()[i] = found[i] ? values.numbers[*found[i]] : otherwise;
  c.set(0, cast(c, out, values.type));
}

// --- trees ----------------------------------------------------------------------

namespace {

/// A forest in the form of TreeEnsemble: nodes that compare a feature, and leaves.
struct Forest {
  Sizes roots, features, modes, trueIds, falseIds, trueLeafs, falseLeafs, leafTargets, missingTrue;
  std::vector<double> splits, leafWeights;
  std::vector<std::set<double>> members; ///< by node, for set membership

  std::size_t nodes() const { return splits.size(); }
};

/// The leaf that \p row reaches from \p root; nothing when the tree leads nowhere.
std::optional<std::size_t> leafOf(const Forest &f, std::int64_t root, const double *row, std::int64_t width) {
  auto node = static_cast<std::size_t>(root);
  for (std::size_t steps = 0; steps <= f.nodes(); ++steps) {
    if (node >= f.nodes() || f.features[node] < 0 || f.features[node] >= width)
      return std::nullopt;
    const double v = row[f.features[node]], split = f.splits[node];
    bool yes = false;
    switch (f.modes[node]) {
    case 0:
      yes = v <= split;
      break;
    case 1:
      yes = v < split;
      break;
    case 2:
      yes = v >= split;
      break;
    case 3:
      yes = v > split;
      break;
    case 4:
      yes = v == split;
      break;
    case 5:
      yes = v != split;
      break;
    default:
      yes = f.members[node].contains(v);
    }
    if (!f.missingTrue.empty() && f.missingTrue[node] != 0 && std::isnan(v))
      yes = true;
    const std::int64_t next = yes ? f.trueIds[node] : f.falseIds[node];
    if (next < 0)
      return std::nullopt;
    if ((yes ? f.trueLeafs[node] : f.falseLeafs[node]) != 0)
      return static_cast<std::size_t>(next);
    node = static_cast<std::size_t>(next);
  }
  return std::nullopt;
}

} // namespace

void executeTreeEnsemble(ExecContext &c) {
  const Tensor &x = c.in(0);
  Forest f;
  const auto list = [&](std::string_view name) { return c.integers(name).value_or(Sizes()); };
  const auto splits = tensorAttribute(c, "nodes_splits"), modes = tensorAttribute(c, "nodes_modes"),
             weights = tensorAttribute(c, "leaf_weights");
  if (!splits || !modes || !weights || x.rank() != 2)
    c.fail("the trees are not complete");
  f.roots = list("tree_roots");
  f.features = list("nodes_featureids");
  f.trueIds = list("nodes_truenodeids");
  f.falseIds = list("nodes_falsenodeids");
  f.trueLeafs = list("nodes_trueleafs");
  f.falseLeafs = list("nodes_falseleafs");
  f.leafTargets = list("leaf_targetids");
  f.missingTrue = list("nodes_missing_value_tracks_true");
  f.splits = doublesOf(c, *splits);
  f.modes = integersOf(c, *modes);
  f.leafWeights = doublesOf(c, *weights);
  f.members.resize(f.nodes());
  for (const Sizes *s : {&f.features, &f.modes, &f.trueIds, &f.falseIds, &f.trueLeafs, &f.falseLeafs})
    if (s->size() != f.nodes())
      c.fail("the trees are not complete");
  if (f.leafTargets.size() != f.leafWeights.size() || (!f.missingTrue.empty() && f.missingTrue.size() != f.nodes()))
    c.fail("the trees are not complete");
  if (const auto members = tensorAttribute(c, "membership_values")) {
    const std::vector<double> values = doublesOf(c, *members);
    std::size_t at = 0;
    // The sets stand in the order in which the trees are walked, true branch first.
    std::vector<std::size_t> walk;
    std::vector<bool> seen(f.nodes());
    for (auto root = f.roots.rbegin(); root != f.roots.rend(); ++root)
      walk.push_back(static_cast<std::size_t>(*root));
    while (!walk.empty()) {
      const std::size_t n = walk.back();
      walk.pop_back();
      if (n >= f.nodes() || seen[n])
        continue;
      seen[n] = true;
      if (f.modes[n] == 6) {
        while (at < values.size() && !std::isnan(values[at]))
          f.members[n].insert(values[at++]);
        ++at;
      }
      if (f.falseLeafs[n] == 0)
        walk.push_back(static_cast<std::size_t>(f.falseIds[n]));
      if (f.trueLeafs[n] == 0)
        walk.push_back(static_cast<std::size_t>(f.trueIds[n]));
    }
  }
  const std::int64_t targets = c.integer("n_targets"), how = c.integer("aggregate_function", 1), width = x.size(1);
  if (c.integer("post_transform", 0) != 0)
    c.fail("condlint executes trees without a transformation only");
  if (targets <= 0)
    c.fail("there are no targets");
  const std::int64_t shape[] = {x.size(0), targets};
  const double start = how == 2 ? HUGE_VAL : how == 3 ? -HUGE_VAL : 0;
  const Tensor out = filled(c, DType::Float64, shape, Scalar::of(start));
  const std::vector<double> rows = doublesOf(c, x);
  for (std::int64_t i = 0; i < x.size(0); ++i)
    for (std::int64_t root : f.roots) {
      const auto leaf = leafOf(f, root, rows.data() + i * width, width);
      if (!leaf || *leaf >= f.leafWeights.size() || f.leafTargets[*leaf] < 0 || f.leafTargets[*leaf] >= targets)
        c.fail("a tree leads to no leaf");
      double &to = out.out<double>()[i * targets + f.leafTargets[*leaf]];
      const double w = f.leafWeights[*leaf];
      if (how == 2)
        to = std::min(to, w);
      else if (how == 3)
        to = std::max(to, w);
      else
        to += how == 0 ? w / static_cast<double>(f.roots.size()) : w;
    }
  c.set(0, cast(c, out, x.dtype()));
}

} // namespace condlint
