//===- KernelTrees.cpp - Trees that kernels refuse ------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KernelTrees.h"
#include "KernelWords.h"
#include "ops/AttributeLists.h"
#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace condlint {

namespace {

std::optional<TargetLimit> outside(const KernelNode &x, std::string_view name, std::int64_t value, std::int64_t count) {
  return value >= 0 && value < count ? std::nullopt
                                     : x.limit(fmt::format("'{}' has {}, where 0 to {} are", name, value, count - 1));
}

/// The columns of the input are \p features; the kernel finds one that is beyond them when it runs.
std::optional<TargetLimit> outsideOfInput(const KernelNode &x, const std::vector<std::int64_t> &features) {
  const auto rank = x.rank(0);
  const auto columns = rank && *rank != 0 ? x.size(0, *rank - 1) : std::nullopt;
  for (const std::int64_t feature : features) {
    if (feature < 0)
      return outside(x, "nodes_featureids", feature, columns.value_or(1));
    if (!columns || feature < *columns)
      continue;
    auto bad = outside(x, "nodes_featureids", feature, *columns);
    bad->isOfNumbers = true;
    return bad;
  }
  return std::nullopt;
}

/// How many entries the attribute \p name lists, none where it is not there; nothing where that is not known, as of
/// what a function is given.
std::optional<std::size_t> entries(const KernelNode &x, std::string_view name) {
  const Attribute *a = x.m.attribute(x.n, name);
  return a ? entriesOf(x.m, *a) : 0;
}

/// The attributes of the node are of the kinds of its schema, and given here, not by who calls a function.
bool isWritten(const KernelNode &x) {
  constexpr std::string_view lists[] = {"class_", "classlabels_", "nodes_", "target_"};
  return std::ranges::all_of(x.m.attributes(x.n), [&](const Attribute &a) {
    const std::string_view name = x.m.text(a.name);
    if (std::ranges::none_of(lists, [&](std::string_view l) { return name.starts_with(l); }))
      return true;
    const auto isOf = [&](std::initializer_list<std::string_view> ends) {
      return std::ranges::any_of(ends, [&](std::string_view e) { return name.ends_with(e); });
    };
    const AttributeKind kind = isOf({"_as_tensor"})                         ? AttributeKind::Tensor
                               : isOf({"_modes", "_strings"})               ? AttributeKind::Strings
                               : isOf({"_values", "_weights", "_hitrates"}) ? AttributeKind::Floats
                                                                            : AttributeKind::Ints;
    return a.kind == kind && entries(x, name).has_value();
  });
}

struct CountedList {
  std::string_view name;
  std::string_view otherwise = {}; ///< where the same may stand in a tensor
};

/// All of \p lists have as many entries as the first.
std::optional<TargetLimit> unlike(const KernelNode &x, std::initializer_list<CountedList> lists) {
  const auto count = [&](const CountedList &l) {
    const std::size_t given = entries(x, l.name).value_or(0);
    return given == 0 && !l.otherwise.empty() ? entries(x, l.otherwise).value_or(0) : given;
  };
  const CountedList &first = *lists.begin();
  for (const CountedList &l : lists)
    if (count(l) != count(first))
      return x.limit(fmt::format("'{}' has {} entries, where '{}' has {}", l.name, count(l), first.name, count(first)));
  return std::nullopt;
}

constexpr std::string_view modes[] = {"BRANCH_EQ", "BRANCH_GT",     "BRANCH_GTE", "BRANCH_LEQ",
                                      "BRANCH_LT", "BRANCH_MEMBER", "BRANCH_NEQ", "LEAF"};

/// The words of the node's attributes are known ones.
std::optional<TargetLimit> unknownWords(const KernelNode &x) {
  if (auto bad = unknownWord(x, "aggregate_function", "SUM", {"AVERAGE", "MAX", "MIN", "SUM"}))
    return bad;
  if (auto bad = unknownTransform(x))
    return bad;
  const Attribute *a = x.m.attribute(x.n, "nodes_modes");
  for (const StringId word : x.m.stringsIn(a->list))
    if (!std::ranges::binary_search(modes, x.m.text(word)))
      return x.limit(fmt::format("'nodes_modes' is '{}', which the kernel does not know", x.m.text(word)));
  return std::nullopt;
}

using Place = std::pair<std::int64_t, std::int64_t>; ///< of a node: its tree, and its number there

/// Each node is there once, and what leads to a node, or gives to a target, names one that is there.
std::optional<TargetLimit> lostNode(const KernelNode &x, std::string_view given) {
  const auto trees = x.numbers("nodes_treeids"), ids = x.numbers("nodes_nodeids"),
             features = x.numbers("nodes_featureids");
  const auto words = x.m.stringsIn(x.m.attribute(x.n, "nodes_modes")->list);
  std::set<Place> places;
  const auto lost = [&](std::string_view name, Place at) {
    return x.limit(fmt::format("'{}' names node {} of tree {}, which is not there", name, at.second, at.first));
  };
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (!places.insert({trees[i], ids[i]}).second)
      return x.limit(fmt::format("node {} of tree {} is there twice", ids[i], trees[i]));
  std::vector<std::int64_t> asked;
  for (const std::string_view side : {"nodes_truenodeids", "nodes_falsenodeids"}) {
    const auto next = x.numbers(side);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (x.m.text(words[i]) == "LEAF")
        continue;
      if (const Place at{trees[i], next[i]}; !places.contains(at))
        return lost(side, at);
      if (next[i] == ids[i])
        return x.limit(fmt::format("node {} of tree {} leads to itself", ids[i], trees[i]));
      asked.push_back(features[i]);
    }
  }
  const std::string treeName = fmt::format("{}_treeids", given), nodeName = fmt::format("{}_nodeids", given);
  const auto treesOf = x.numbers(treeName), nodesOf = x.numbers(nodeName);
  for (std::size_t i = 0; i < nodesOf.size(); ++i)
    if (const Place at{treesOf[i], nodesOf[i]}; !places.contains(at))
      return lost(nodeName, at);
  return outsideOfInput(x, asked);
}

/// A node that asks whether a feature is a member has members; only whether there are any at all is looked at.
std::optional<TargetLimit> noMembers(const KernelNode &x) {
  constexpr char isMember = 6;
  const Attribute *a = x.m.attribute(x.n, "nodes_modes");
  if (!a || a->kind != AttributeKind::Tensor || entries(x, "membership_values").value_or(1) != 0)
    return std::nullopt;
  const std::string_view nodes = x.m[ConstantId(a->list.first)].bytes;
  return nodes.find(isMember) == std::string_view::npos
             ? std::nullopt
             : x.limit("a node asks for members, and there are no 'membership_values'");
}

} // namespace

std::optional<TargetLimit> refusedTrees(const KernelNode &x) {
  constexpr std::int64_t lastAggregation = 4, lastTransformation = 5;
  const auto features = x.numbers("nodes_featureids"), targets = x.numbers("leaf_targetids");
  const auto nodes = static_cast<std::int64_t>(features.size()), leaves = static_cast<std::int64_t>(targets.size());
  for (const auto &[name, count] :
       {std::pair("aggregate_function", lastAggregation), {"post_transform", lastTransformation}})
    if (auto bad = outside(x, name, x.number(name).value_or(0), count))
      return bad;
  if (!x.m.attribute(x.n, "n_targets"))
    return x.limit("the kernel needs 'n_targets'");
  for (const std::int64_t target : targets)
    if (auto bad = outside(x, "leaf_targetids", target, x.number("n_targets").value_or(target + 1)))
      return bad;
  for (const std::int64_t root : x.numbers("tree_roots"))
    if (auto bad = outside(x, "tree_roots", root, nodes))
      return bad;
  for (const bool side : {true, false}) {
    const std::string_view name = side ? "nodes_truenodeids" : "nodes_falsenodeids";
    const auto next = x.numbers(name), isLeaf = x.numbers(side ? "nodes_trueleafs" : "nodes_falseleafs");
    for (std::size_t i = 0; i < std::min(next.size(), isLeaf.size()); ++i)
      if (auto bad = outside(x, name, next[i], isLeaf[i] != 0 ? leaves : nodes))
        return bad;
  }
  if (auto bad = noMembers(x))
    return bad;
  return outsideOfInput(x, features);
}

std::optional<TargetLimit> refusedOlderTrees(const KernelNode &x) {
  if (!isWritten(x))
    return std::nullopt;
  const bool isClassifier = x.op == "TreeEnsembleClassifier";
  const std::string_view given = isClassifier ? "class" : "target";
  const auto labels = entries(x, "classlabels_int64s").value_or(0) + entries(x, "classlabels_strings").value_or(0);
  const auto count = isClassifier                      ? std::optional(static_cast<std::int64_t>(labels))
                     : x.m.attribute(x.n, "n_targets") ? x.number("n_targets")
                                                       : std::optional<std::int64_t>(0);
  if (count && *count <= 0)
    return x.limit(isClassifier ? "there are no class labels" : "the kernel needs 'n_targets', above 0");
  if (auto bad = unlike(x, {{"nodes_falsenodeids"},
                            {"nodes_featureids"},
                            {"nodes_modes"},
                            {"nodes_nodeids"},
                            {"nodes_treeids"},
                            {"nodes_truenodeids"},
                            {"nodes_values", "nodes_values_as_tensor"}}))
    return bad;
  const std::string ids = fmt::format("{}_ids", given), nodes = fmt::format("{}_nodeids", given),
                    trees = fmt::format("{}_treeids", given), weights = fmt::format("{}_weights", given),
                    tensor = fmt::format("{}_weights_as_tensor", given);
  if (auto bad = unlike(x, {{ids}, {nodes}, {trees}, {weights, tensor}}))
    return bad;
  for (const std::int64_t id : x.numbers(ids))
    if (auto bad = outside(x, ids, id, count.value_or(id + 1)))
      return bad;
  if (x.numbers("nodes_nodeids").empty())
    return std::nullopt;
  if (auto bad = unknownWords(x))
    return bad;
  return lostNode(x, given);
}

} // namespace condlint
