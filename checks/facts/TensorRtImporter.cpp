//===- TensorRtImporter.cpp - What older ONNX parsers make of an If -------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TensorRtImporter.h"
#include "condlint/Op.h"
#include "graph/StoredConstant.h"
#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>

namespace condlint {

namespace {

/// The nodes of \p branch and of the graphs in it.
std::vector<NodeId> nodesWithin(const Model &m, GraphId branch) {
  std::vector<NodeId> all;
  std::vector<GraphId> open{branch};
  while (!open.empty()) {
    const GraphId g = open.back();
    open.pop_back();
    for (NodeId n : m.nodes(g)) {
      all.push_back(n);
      for (GraphId r : m.regions(n))
        if (r)
          open.push_back(r);
    }
  }
  return all;
}

/// A tensor that a layer makes or the network receives, not weights, which an input with an initializer is as well.
bool isTensorOfALayer(const Model &m, ValueId v) {
  return (m[v].origin == ValueOrigin::Parameter && !m[v].constant) ||
         (m[v].origin == ValueOrigin::Result && !nodeHas(m, m[v].def, OpTrait::Constant));
}

/// Known to be two. What lies in a file of its own, or is written in two ways, may be the same.
bool areDifferent(const Model &m, ConstantId a, ConstantId b) {
  const Constant &x = m[a];
  const Constant &y = m[b];
  if (a == b || x.file || y.file || x.sparse || y.sparse)
    return false;
  return x.type != y.type || (x.ints.count == y.ints.count && !std::ranges::equal(m.ints(x.ints), m.ints(y.ints))) ||
         (x.bytes.size() == y.bytes.size() && x.bytes != y.bytes) ||
         (x.message.size() == y.message.size() && x.message != y.message);
}

/// The importer of \p n makes layers of all weights that it is given, and keeps none for its own layer.
bool makesLayersOfWeights(const Model &m, NodeId n) {
  // Sorted.
  constexpr std::array<std::string_view, 15> all{"Add",  "Concat", "Div", "Equal", "Greater", "Less", "MatMul", "Max",
                                                 "Mean", "Min",    "Mul", "Pow",   "Sub",     "Sum",  "Where"};
  return std::ranges::binary_search(all, m.operatorName(m[n].op));
}

/// Names, to find those that begin with another or are its beginning.
class NamesByBeginning {
public:
  /// Of names that begin alike the shortest tells as much as all.
  explicit NamesByBeginning(const std::set<std::string_view> &all) {
    for (const std::string_view name : all)
      if (names.empty() || !name.starts_with(*names.rbegin()))
        names.insert(names.end(), name);
  }

  bool holdAlike(std::string_view name) const {
    const auto next = names.lower_bound(name);
    return (next != names.end() && next->starts_with(name)) ||
           (next != names.begin() && name.starts_with(*std::prev(next)));
  }

private:
  std::set<std::string_view> names;
};

} // namespace

bool isMissedByName(const Model &m, GraphId branch) {
  const std::vector<NodeId> nodes = nodesWithin(m, branch);
  std::set<std::string_view> entering;
  for (NodeId n : nodes) {
    if (m[n].callee)
      return false; // its layers are called otherwise
    for (ValueId v : m.operands(n))
      if (v && isTensorOfALayer(m, v) && !m.encloses(branch, m[v].graph))
        entering.insert(m.name(v));
  }
  // A layer is called like its node, or like the node's first result where that has no
  // name, with a number behind it where there is one of that name.
  const auto mayEnter = [&, names = NamesByBeginning(entering)](NodeId n) {
    return names.holdAlike(m.text(m[n].name)) || (m.resultCount(n) != 0 && names.holdAlike(m.name(m.result(n, 0))));
  };
  return !entering.empty() && std::ranges::none_of(nodes, mayEnter);
}

std::vector<ValueId> overlookedResults(const Model &m, GraphId branch) {
  const auto isLayer = [&](NodeId n) { return !nodeHas(m, n, OpTrait::Constant) && !nodeHas(m, n, OpTrait::Trivial); };
  std::set<ValueId> read;
  for (NodeId n : nodesWithin(m, branch))
    for (ValueId v : m.operands(n))
      if (v && isLayer(n))
        read.insert(v);
  std::vector<ValueId> overlooked;
  bool anyFound = false;
  for (ValueId v : m.results(branch)) {
    const NodeId maker = v && m[v].graph == branch && m[v].origin == ValueOrigin::Result ? m[v].def : NodeId();
    if (!maker || !isLayer(maker))
      continue;
    if (read.contains(v))
      overlooked.push_back(v);
    else
      anyFound = true;
  }
  return anyFound ? overlooked : std::vector<ValueId>();
}

std::vector<ConfusedWeights> confusedWeights(const Model &m) {
  std::map<std::string_view, std::vector<ValueId>> byName;
  std::set<std::string_view> told;
  std::vector<ConfusedWeights> found;
  for (NodeId n : nodesWithin(m, m.main())) {
    if (m[n].graph == m.main() || !makesLayersOfWeights(m, n))
      continue;
    for (ValueId v : m.operands(n)) {
      const ConstantId weights = v && m[v].graph != m.main() ? storedConstant(m, v) : ConstantId();
      // Of bools the layer was that of a cast, and had no name.
      if (!weights || m.name(v).empty() || m.type(v).element == DType::Bool)
        continue;
      std::vector<ValueId> &all = byName[m.name(v)];
      const auto other = std::ranges::find_if(all, [&](ValueId w) {
        return !m.encloses(m[w].graph, m[v].graph) && !m.encloses(m[v].graph, m[w].graph) &&
               areDifferent(m, storedConstant(m, w), weights);
      });
      if (other != all.end() && told.insert(m.name(v)).second)
        found.push_back(other->index() < v.index() ? ConfusedWeights{*other, v} : ConfusedWeights{v, *other});
      all.push_back(v);
    }
  }
  return found;
}

} // namespace condlint
