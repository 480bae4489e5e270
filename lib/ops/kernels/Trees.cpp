//===- Trees.cpp - Classification and regression by trees -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Trees.h"
#include "Checked.h"
#include "Classifiers.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>

namespace condlint {

namespace {

/// What the leaves that a row reaches give to one class or target.
struct Gathered {
  double value = 0;
  std::int64_t leaves = 0;
};

/// The trees of `TreeEnsembleClassifier` and `TreeEnsembleRegressor`: nodes by tree and number, leaves with weights.
class Trees {
public:
  /// \p what: "class" or "target", as the attributes of the leaves begin.
  Trees(const ExecContext &context, const std::string &what) : c(context) {
    readNodes();
    readLeaves(what);
  }

  std::size_t count() const { return roots.size(); }
  /// All classes or targets that leaves give to.
  const std::set<std::int64_t> &receivers() const { return given; }
  bool isPositive() const { return positive; }

  /// Calls \p take with each receiver and weight of the leaves that \p row reaches.
  template <class Take> void forEachWeight(std::span<const double> row, const Take &take) const {
    for (const std::size_t root : roots)
      for (const auto &[to, weight] : nodes[leafOf(root, row)].leaf)
        take(to, weight);
  }

private:
  struct Node {
    std::string_view mode;
    std::int64_t feature = 0;
    double value = 0;
    bool missingIsTrue = false;
    std::size_t yes = 0, no = 0;
    std::vector<std::pair<std::int64_t, double>> leaf; ///< class or target, weight
  };
  using Place = std::pair<std::int64_t, std::int64_t>; ///< tree, number in it

  std::vector<double> numbers(const std::string &name) const {
    if (const Attribute *a = c.attribute(name + "_as_tensor"); a && a->kind == AttributeKind::Tensor)
      return doublesOf(c, c.constant(ConstantId(a->list.first)));
    return c.reals(name).value_or(std::vector<double>());
  }
  Sizes list(std::string_view name) const { return c.integers(name).value_or(Sizes()); }

  void readNodes() {
    const Sizes trees = list("nodes_treeids"), ids = list("nodes_nodeids"), features = list("nodes_featureids"),
                yes = list("nodes_truenodeids"), no = list("nodes_falsenodeids"),
                missing = list("nodes_missing_value_tracks_true");
    const std::vector<double> values = numbers("nodes_values");
    const std::vector<std::string_view> modes = c.texts("nodes_modes");
    const std::size_t n = trees.size();
    if (n == 0 || ids.size() != n || features.size() != n || yes.size() != n || no.size() != n || values.size() != n ||
        modes.size() != n)
      c.fail("the trees are not complete");
    for (std::size_t i = 0; i < n; ++i)
      if (!places.try_emplace({trees[i], ids[i]}, i).second)
        c.fail("a tree has two nodes of one number");
    std::vector<bool> isChild(n, false);
    nodes.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      Node &node = nodes[i];
      node.mode = modes[i];
      node.feature = features[i];
      node.value = values[i];
      node.missingIsTrue = i < missing.size() && missing[i] != 0;
      if (node.mode == "LEAF")
        continue;
      node.yes = at({trees[i], yes[i]});
      node.no = at({trees[i], no[i]});
      isChild[node.yes] = isChild[node.no] = true;
    }
    for (std::size_t i = 0; i < n; ++i)
      if (!isChild[i])
        roots.push_back(i);
  }

  void readLeaves(const std::string &what) {
    const Sizes trees = list(what + "_treeids"), ids = list(what + "_nodeids"), to = list(what + "_ids");
    const std::vector<double> weights = numbers(what + "_weights");
    if (ids.size() != trees.size() || to.size() != trees.size() || weights.size() != trees.size())
      c.fail("the leaves are not complete");
    for (std::size_t i = 0; i < trees.size(); ++i) {
      nodes[at({trees[i], ids[i]})].leaf.emplace_back(to[i], weights[i]);
      given.insert(to[i]);
      positive = positive && weights[i] >= 0;
    }
  }

  std::size_t at(const Place &place) const {
    const auto it = places.find(place);
    if (it == places.end())
      c.fail(fmt::format("tree {} has no node {}", place.first, place.second));
    return it->second;
  }

  bool holds(const Node &node, double v) const {
    if (std::isnan(v) && node.missingIsTrue)
      return true;
    if (node.mode == "BRANCH_LEQ")
      return v <= node.value;
    if (node.mode == "BRANCH_LT")
      return v < node.value;
    if (node.mode == "BRANCH_GTE")
      return v >= node.value;
    if (node.mode == "BRANCH_GT")
      return v > node.value;
    if (node.mode == "BRANCH_EQ")
      return v == node.value;
    if (node.mode == "BRANCH_NEQ")
      return v != node.value;
    c.fail(fmt::format("{} is no comparison of a tree", node.mode));
  }

  std::size_t leafOf(std::size_t n, std::span<const double> row) const {
    for (std::size_t steps = 0; steps <= nodes.size(); ++steps) {
      const Node &node = nodes[n];
      if (node.mode == "LEAF")
        return n;
      if (node.feature < 0 || static_cast<std::size_t>(node.feature) >= row.size())
        c.fail(fmt::format("a tree asks for the feature {} of {}", node.feature, row.size()));
      n = holds(node, row[static_cast<std::size_t>(node.feature)]) ? node.yes : node.no;
    }
    c.fail("a tree leads to no leaf");
  }

  const ExecContext &c;
  std::vector<Node> nodes;
  std::map<Place, std::size_t> places;
  std::vector<std::size_t> roots;
  std::set<std::int64_t> given;
  bool positive = true;
};

std::vector<double> baseValues(const ExecContext &c) {
  if (const Attribute *a = c.attribute("base_values_as_tensor"); a && a->kind == AttributeKind::Tensor)
    return doublesOf(c, c.constant(ConstantId(a->list.first)));
  return c.reals("base_values").value_or(std::vector<double>());
}

} // namespace

void executeTreeRegressor(ExecContext &c) {
  const Features x = featuresOf(c);
  const Trees trees(c, "target");
  const std::int64_t targets = c.integer("n_targets", 1);
  const std::vector<double> base = baseValues(c);
  const std::string_view how = c.text("aggregate_function", "SUM");
  if (targets <= 0 ||
      (!trees.receivers().empty() && (*trees.receivers().begin() < 0 || *trees.receivers().rbegin() >= targets)))
    c.fail("a leaf is of no target");
  if (!base.empty() && base.size() != static_cast<std::size_t>(targets))
    c.fail("the base values do not fit the targets");
  requireRoom(c, times(c, x.rows, targets));
  std::vector<double> out;
  for (std::int64_t i = 0; i < x.rows; ++i) {
    std::vector<Gathered> row(static_cast<std::size_t>(targets));
    trees.forEachWeight(x.row(i), [&](std::int64_t to, double w) {
      Gathered &g = row[static_cast<std::size_t>(to)];
      const bool isFirst = g.leaves++ == 0;
      if (how == "MIN")
        g.value = isFirst ? w : std::min(g.value, w);
      else if (how == "MAX")
        g.value = isFirst ? w : std::max(g.value, w);
      else
        g.value += w;
    });
    std::vector<double> scores;
    for (std::size_t t = 0; t < row.size(); ++t) {
      // ONNX Runtime adds the base value to what leaves gave alone, the standard to nothing as well.
      if (row[t].leaves == 0 && !base.empty() && base[t] != 0)
        c.fail("no leaf gives anything to a target with a base value, of which runtimes make different things");
      const double value = how == "AVERAGE" ? row[t].value / static_cast<double>(trees.count()) : row[t].value;
      scores.push_back(value + (base.empty() ? 0 : base[t]));
    }
    transformScores(c, scores);
    std::ranges::copy(scores, std::back_inserter(out));
  }
  c.set(0, cast(c, tensorOf(c, Sizes{x.rows, targets}, out), DType::Float32));
}

void executeTreeClassifier(ExecContext &c) {
  const Features x = featuresOf(c);
  const Trees trees(c, "class");
  const ClassLabels labels(c, "classlabels_int64s", "classlabels_strings");
  const std::vector<double> base = baseValues(c);
  const auto &classes = trees.receivers();
  const auto count = static_cast<std::int64_t>(labels.size());
  if (classes.empty() || *classes.begin() < 0 || *classes.rbegin() >= count)
    c.fail("a leaf is of no class");
  // One score stands for the second of two classes.
  const bool isBinary = count == 2 && classes.size() == 1 && *classes.begin() == 0;
  const auto scoresOfRow = static_cast<std::size_t>(isBinary ? 1 : count);
  if (!base.empty() && base.size() != scoresOfRow)
    c.fail("the base values do not fit the classes");
  if (count < 3 && !isBinary)
    c.fail("the leaves give to both of two classes or to the second alone, of which runtimes make different things");
  std::vector<double> out;
  std::vector<std::size_t> chosen;
  for (std::int64_t i = 0; i < x.rows; ++i) {
    std::vector<Gathered> row(scoresOfRow);
    trees.forEachWeight(x.row(i), [&](std::int64_t to, double w) {
      row[static_cast<std::size_t>(to)].value += w;
      ++row[static_cast<std::size_t>(to)].leaves;
    });
    for (std::size_t k = 0; k < row.size() && !base.empty(); ++k) {
      row[k].value += base[k];
      ++row[k].leaves;
    }
    if (isBinary) {
      const double score = row[0].value;
      chosen.push_back(score > (trees.isPositive() ? 0.5 : 0) ? 1 : 0);
      std::ranges::copy(twoScores(c, score, trees.isPositive()), std::back_inserter(out));
      continue;
    }
    // A class that no leaf gives to is chosen by the standard where the others are below 0, by ONNX Runtime never.
    std::optional<std::size_t> best, bestOfAll;
    std::vector<double> scores;
    for (std::size_t k = 0; k < row.size(); ++k) {
      scores.push_back(row[k].value);
      if (row[k].leaves != 0 && (!best || row[k].value > row[*best].value))
        best = k;
      if (!bestOfAll || row[k].value > row[*bestOfAll].value)
        bestOfAll = k;
    }
    if (best != bestOfAll)
      c.fail("no leaf gives anything to a class, of which runtimes make different things");
    chosen.push_back(*best);
    transformScores(c, scores);
    std::ranges::copy(scores, std::back_inserter(out));
  }
  c.set(0, labels.of(c, chosen));
  c.set(1, cast(c, tensorOf(c, Sizes{x.rows, count}, out), DType::Float32));
}

} // namespace condlint
