//===- ModelFacts.cpp - Uses, scopes and orders of a model ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ModelFacts.h"
#include "BranchNodes.h"
#include "NetworkFacts.h"
#include "RejectedLayers.h"
#include "SourceFacts.h"
#include "StrongComponents.h"
#include "condlint/Op.h"
#include "condlint/SourceGraph.h"
#include <algorithm>

namespace condlint {

GraphId regionUnder(const Model &m, GraphId outer, GraphId inner) {
  while (inner && m[inner].parent != outer)
    inner = m[inner].parent;
  return inner;
}

NodeId holderIn(const Model &m, GraphId outer, GraphId inner) {
  const GraphId region = regionUnder(m, outer, inner);
  return region ? m[region].owner : NodeId();
}

GraphId commonScope(const Model &m, GraphId a, GraphId b) {
  while (a && b && a != b) {
    if (m[a].depth >= m[b].depth)
      a = m[a].parent;
    else
      b = m[b].parent;
  }
  return a == b ? a : GraphId();
}

/// The graphs of functions that are never called.
static std::vector<bool> uncalledGraphs(const Model &m) {
  std::vector<bool> uncalled(m.graphCount(), m.functionCount() != 0);
  std::vector<GraphId> todo;
  const auto reach = [&](GraphId g) {
    if (g && uncalled[g.index()]) {
      uncalled[g.index()] = false;
      todo.push_back(g);
    }
  };
  reach(m.main());
  while (!todo.empty()) {
    const GraphId g = todo.back();
    todo.pop_back();
    reach(m[g].instanceOf);
    for (NodeId n = m[g].firstNode; n; n = m[n].next) {
      reach(m[n].callee);
      std::ranges::for_each(m.regions(n), reach);
    }
  }
  return uncalled;
}

ModelFacts::ModelFacts(Model &model, const std::vector<Conditional> &conditionals, const Inference &inference)
    : source(std::make_unique<SourceFacts>(model)), network(std::make_unique<NetworkFacts>(model)), undeclared(model),
      checkerTypes(model), ofInputs(model), constants(model, ofInputs, undeclared),
      runData(model, ofInputs, constants, undeclared), laterTrips(model), needed(model), openShapes(model),
      asserted(model), exported(model), results(model, exported), used(model.valueCount(), false),
      conditional(model.nodeCount(), false), replaced(model.graphCount(), false), uncalled(uncalledGraphs(model)),
      m(model) {
  for (const Conditional &c : conditionals) {
    conditional[c.node.index()] = true;
    if (const GraphId body = m[m[c.node].graph].instanceOf)
      copies[{body, m[c.node].position}].push_back(c.node);
  }
  for (std::uint32_t g = 0; g < m.graphCount(); ++g)
    if (const GraphId body = m[GraphId(g)].instanceOf)
      replaced[body.index()] = true;
  for (std::size_t i = 0; i < inference.contradictions.size(); ++i)
    contradictions[inference.contradictions[i].value].push_back(i);
  for (const SizeCondition &c : inference.conditions)
    if (std::vector<Dim> &known = conditionsIn[m[c.node].graph];
        known.size() < 256 && std::ranges::find(known, c.notNegative) == known.end())
      known.push_back(c.notNegative);
  // A model names few operators and holds many nodes.
  notableOperators.assign(m.operatorCount(), false);
  for (std::uint32_t o = 0; o < m.operatorCount(); ++o) {
    const Operator &op = m[OperatorId(o)];
    // An operator whose effects depend on what it is given may be one (Dropout).
    const bool random = op.definition && (has(op.definition->traits, OpTrait::Random) || op.definition->refineEffects);
    notableOperators[o] = (op.dialect == Dialect::Onnx && random) || mayBecomeRejectedLayer(m, OperatorId(o));
    anyNotable = anyNotable || notableOperators[o];
  }
  scanUses();
}

ModelFacts::~ModelFacts() = default;

std::span<const NodeId> ModelFacts::copiesOf(NodeId n) const {
  const auto it = copies.find({m[m[n].graph].instanceOf, m[n].position});
  return it == copies.end() ? std::span<const NodeId>() : it->second;
}

NodeId ModelFacts::nearestConditional(GraphId g, GraphId outer) const {
  for (; g && g != outer; g = m[g].parent)
    if (const NodeId owner = m[g].owner; owner && conditional[owner.index()])
      return owner;
  return {};
}

Tri ModelFacts::specialised(NodeId n) const {
  if (!conditional[n.index()] || m.info.dialect != Dialect::Torch || !isRecorded(m) ||
      conditionalAt(m, n).predicateKind != PredicateKind::Literal)
    return Tri::No;
  return isTracedWithin(m[n].graph) ? Tri::Unknown : Tri::Yes;
}

GraphId ModelFacts::takenOf(NodeId n) const {
  if (specialised(n) == Tri::No)
    return {};
  const Conditional c = conditionalAt(m, n);
  const std::size_t taken = c.literal ? 0 : 1;
  return taken < c.branches.size() ? c.branches[taken].graph : GraphId();
}

bool ModelFacts::isTracedWithin(GraphId g) const {
  for (; g; g = m[g].parent)
    if (const NodeId owner = m[g].owner; owner && specialised(owner) != Tri::Yes)
      return true;
  return false;
}

/// Where a conditional and its predicate are on one cycle, that is what is wrong with the cycle,
/// wherever its back edge is.
static void blamePredicates(const Model &m, const std::vector<bool> &conditional,
                            const std::vector<std::uint32_t> &cycles, std::vector<ScopeProblem> &scope) {
  std::map<std::uint32_t, NodeId> blamed;
  for (std::uint32_t i = 0; i < m.nodeCount(); ++i) {
    const NodeId n(i);
    const ValueId predicate = conditional[i] && !m.operands(n).empty() ? m.operands(n)[0] : ValueId();
    if (predicate && m[predicate].origin == ValueOrigin::Result && cycles[m[predicate].def.index()] == cycles[i])
      blamed.try_emplace(cycles[i], n);
  }
  for (ScopeProblem &p : scope) {
    const auto it = p.fault == ScopeFault::Cyclic ? blamed.find(cycles[m[p.value].def.index()]) : blamed.end();
    if (it == blamed.end())
      continue;
    p.fault = ScopeFault::PredicateSelf;
    p.conditional = it->second;
    p.value = m.operands(it->second)[0];
  }
}

void ModelFacts::scanUses() {
  for (std::uint32_t g = 0; g < m.graphCount(); ++g)
    if (!replaced[g])
      scanGraph(GraphId(g));
  if (!cycles.empty())
    blamePredicates(m, conditional, cycles, scope);
  for (const ScopeProblem &p : scope)
    if (p.fault == ScopeFault::PredicateSelf)
      brokenPredicates.insert(p.conditional);
}

void ModelFacts::scanGraph(GraphId g) {
  for (NodeId n = m[g].firstNode; n; n = m[n].next) {
    const auto operands = m.operands(n);
    bool isOfInput = false;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const ValueId v = operands[i];
      if (!v)
        continue;
      used[v.index()] = true;
      isOfInput = isOfInput || ofInputs.contains(v);
      const Value &x = m[v];
      // The nodes of one graph are numbered in its order.
      if (x.graph == g && (x.def < n || x.origin == ValueOrigin::Parameter || x.origin == ValueOrigin::Constant))
        continue;
      // The predicate is the first operand of a conditional of any system.
      use(v, g, n, i == 0 && conditional[n.index()]);
    }
    if (isOfInput)
      ofInputs.noteResults(n);
  }
  for (ValueId v : m.results(g)) {
    if (!v)
      continue;
    used[v.index()] = true;
    if (const Value &x = m[v]; x.graph != g || x.origin == ValueOrigin::Undefined)
      use(v, g, NodeId(), false);
  }
}

bool ModelFacts::readsLostOutside(GraphId g) const {
  return std::ranges::any_of(scope, [&](const ScopeProblem &p) { return !p.graph || !m.encloses(g, p.graph); });
}

void ModelFacts::use(ValueId v, GraphId user, NodeId node, bool predicate) {
  const Value &x = m[v];
  if (!m.hasClosedGraphs() && x.origin != ValueOrigin::Undefined && x.graph != user && m.encloses(x.graph, user)) {
    const NodeId holder = holderIn(m, x.graph, user);
    if (x.origin != ValueOrigin::Result || m[x.def].position < m[holder].position)
      return; // an ordinary capture
  }
  const ScopeProblem problem = classify(v, user, node, predicate);
  // A program that compiles defines its values before their use; it may still carry
  // them out of a branch.
  if (m.info.format == Format::Cxx && problem.fault != ScopeFault::CrossBranch && problem.fault != ScopeFault::Leak)
    return;
  scope.push_back(problem);
  if (predicate)
    brokenPredicates.insert(node);
}

static ScopeFault laterIn(const Model &m, GraphId g) {
  return g == m.main() ? ScopeFault::MainLater : ScopeFault::Later;
}

ScopeProblem ModelFacts::classify(ValueId v, GraphId user, NodeId node, bool predicate) {
  const Value &x = m[v];
  ScopeProblem p{ScopeFault::Undefined, v, user, node, nearestConditional(user)};
  if (x.origin == ValueOrigin::Undefined)
    return p;
  if (x.graph == user) {
    const bool isCycle = onOneCycle(x.def, node);
    if (predicate && isCycle) {
      p.fault = ScopeFault::PredicateSelf;
      p.conditional = node;
    } else if (isCycle) {
      p.fault = ScopeFault::Cyclic;
    } else {
      p.fault = laterIn(m, user);
    }
    return p;
  }
  if (m.encloses(x.graph, user)) {
    if (m.hasClosedGraphs()) {
      // A closed graph: only a branch's own parameters may be read. The body of
      // a loop is closed as well, but that is no business of a conditional.
      if (const NodeId inner = nearestConditional(user, x.graph)) {
        p.fault = ScopeFault::Capture;
        p.conditional = inner;
      }
      return p;
    }
    const NodeId holder = holderIn(m, x.graph, user);
    p.fault = onOneCycle(x.def, holder) ? ScopeFault::Cyclic : laterIn(m, x.graph);
    return p;
  }
  const GraphId common = commonScope(m, x.graph, user);
  if (!common)
    return p;
  const NodeId maker = holderIn(m, common, x.graph);
  if (!maker || !conditional[maker.index()])
    return p;
  p.conditional = maker;
  if (user != common && holderIn(m, common, user) == maker)
    p.fault = ScopeFault::CrossBranch;
  else
    p.fault = predicate && node == maker ? ScopeFault::PredicateSelf : ScopeFault::Leak;
  return p;
}

bool ModelFacts::onOneCycle(NodeId a, NodeId b) {
  if (cycles.empty())
    findCycles();
  return a == b || cycles[a.index()] == cycles[b.index()];
}

void ModelFacts::findCycles() {
  // A node needs what it reads, and what is read inside of it from the graph that it stands in.
  std::vector<std::vector<NodeId>> asked(m.nodeCount());
  const auto add = [&](ValueId v, NodeId user, GraphId g) {
    if (!v || m[v].origin != ValueOrigin::Result)
      return;
    if (const NodeId holder = m[v].graph == g ? user : holderIn(m, m[v].graph, g))
      asked[holder.index()].push_back(m[v].def);
  };
  for (std::uint32_t i = 0; i < m.graphCount(); ++i) {
    const GraphId g(i);
    for (const NodeId n : m.nodes(g))
      for (const ValueId v : m.operands(n))
        add(v, n, g);
    for (const ValueId v : m.results(g))
      if (v && m[v].graph != g)
        add(v, NodeId(), g);
  }
  cycles.assign(m.nodeCount(), 0);
  std::uint32_t last = 0;
  const auto next = [&](NodeId n) { return std::move(asked[n.index()]); };
  forEachStrongComponent(m.nodeCount(), next, [&](const std::vector<NodeId> &component) {
    ++last;
    for (const NodeId n : component)
      cycles[n.index()] = last;
  });
}

void ModelFacts::collectHolders() {
  holders.emplace();
  // A size occurs many times: its symbols are looked up once.
  std::unordered_map<std::uint32_t, std::vector<std::vector<ValueId> *>> lists;
  const auto add = [&](Dim d, ValueId v) {
    if (!d.known() || m.dims.asConstant(d))
      return;
    const auto [known, isNew] = lists.try_emplace(d.index);
    if (isNew)
      for (const Symbol &s : m.dims.symbolsOf(d))
        known->second.push_back(&(*holders)[s.name]);
    for (std::vector<ValueId> *list : known->second)
      if (list->empty() || list->back() != v)
        list->push_back(v);
  };
  for (std::uint32_t i = 0; i < m.valueCount(); ++i) {
    const ValueId v(i);
    const Type &t = m.type(v);
    if (t.hasRank)
      for (Dim d : t.dims)
        add(d, v);
    if (m[v].content)
      for (Dim d : m.content(m[v].content))
        add(d, v);
  }
}

std::optional<std::size_t> ModelFacts::returnedAt(ValueId v) {
  if (!returned) {
    returned.emplace();
    for (std::uint32_t g = 0; g < m.graphCount(); ++g) {
      const auto all = m.results(GraphId(g));
      for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i] && m[all[i]].graph == GraphId(g))
          returned->try_emplace(all[i], i);
    }
  }
  const auto at = returned->find(v);
  return at == returned->end() ? std::nullopt : std::optional(at->second);
}

bool ModelFacts::knownBefore(const std::string &name, NodeId node) {
  if (!holders)
    collectHolders();
  const auto it = holders->find(name);
  if (it == holders->end())
    return false;
  for (ValueId v : it->second) {
    const Value &x = m[v];
    if (!x.graph || !m.encloses(x.graph, m[node].graph))
      continue;
    if (x.origin != ValueOrigin::Result)
      return true;
    const NodeId here = x.graph == m[node].graph ? node : holderIn(m, x.graph, m[node].graph);
    if (m[x.def].position < m[here].position)
      return true;
  }
  return false;
}

const std::vector<NodeId> &ModelFacts::notableNodes(GraphId body) {
  const auto [known, isNew] = notable.try_emplace(body);
  if (!isNew)
    return known->second;
  // A body that calls itself finds the empty list that stands here meanwhile;
  // the calls of a file nest as deep as it says, so no recursion.
  std::vector<GraphId> todo{body};
  std::vector<bool> seen(m.graphCount());
  seen[body.index()] = true;
  std::vector<NodeId> found;
  while (!todo.empty()) {
    const GraphId g = todo.back();
    todo.pop_back();
    forEachNode(*this, m, g, [&](NodeId n) {
      if (notableOperators[m[n].op.index()])
        found.push_back(n);
      if (const GraphId callee = m[n].callee; callee && !seen[callee.index()]) {
        seen[callee.index()] = true;
        todo.push_back(callee);
      }
    });
  }
  return notable[body] = std::move(found);
}

} // namespace condlint
