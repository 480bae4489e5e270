//===- TakenTogether.cpp - Which branches one run takes -------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TakenTogether.h"
#include "ConstantValues.h"
#include "Equality.h"
#include "RegionArguments.h"
#include "ops/DeclaredOperators.h"
#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace condlint {

namespace {

/// What a predicate follows from is looked at so far; beyond it nothing is known.
constexpr std::size_t mostValues = 1000;

/// What \p v is outside of the branches that it is passed to.
ValueId resolved(const Model &m, ValueId v) {
  for (RegionArgument given = regionArgument(m, v); given.value && !given.isSlice; given = regionArgument(m, v)) {
    if (nodeHas(m, m[m[v].graph].owner, OpTrait::Loop))
      return v; // which is another in each trip
    v = given.value;
  }
  return v;
}

/// A node whose results are the same wherever its operands are.
bool isRepeatable(const Model &m, NodeId n) {
  const NodeEffects effects = effectsOf(m, n);
  return !effects.random && !mayDoAnything(m, n, effects);
}

/// What a predicate follows from.
struct Origins {
  std::unordered_set<ValueId> varying; ///< what another run may have other values of
  std::unordered_set<ValueId> all;     ///< everything on the way, these included
  bool isComplete = true;              ///< else it follows from more, of which nothing is known
};

/// The value that stands for a parameter nobody knows more of: of a loop's body one for all.
ValueId unknownParameter(const Model &m, ValueId v) { return ValueId(m[m[v].graph].parameters.first); }

bool isWeight(const Model &m, ValueId v) {
  const ParameterRole role = m[v].role;
  return m[v].graph == m.main() &&
         (role == ParameterRole::Parameter || role == ParameterRole::Buffer || role == ParameterRole::Constant);
}

/// Something on the way is written to: it may be another value each time it is read, and in each run.
bool isWritten(const Model &m, const AliasAnalysis &aliases, const Origins &origins, GraphId g) {
  for (GraphId around = g; around; around = m[around].parent) {
    if (!aliases.opaqueNodes(around).empty())
      return true;
    const auto writes = aliases.writes(around);
    if (!writes.empty() && writes.size() * origins.all.size() > 10 * mostValues)
      return true;
    for (const AliasAnalysis::Write &w : writes)
      for (const ValueId v : origins.all)
        if (m[v].graph == around && m.text(m[m[w.writer].op].name) != "detach_" &&
            aliases.share(w.target, v) != AliasAnalysis::Sharing::No)
          return true;
  }
  return false;
}

/// Of a predicate in the graph \p g.
Origins originsOf(const Model &m, const AliasAnalysis &aliases, ValueId predicate, GraphId g) {
  Origins out;
  std::vector<ValueId> open{predicate};
  while (!open.empty()) {
    const ValueId v = open.back() ? resolved(m, open.back()) : ValueId();
    open.pop_back();
    if (!v || !out.all.insert(v).second)
      continue;
    if (out.all.size() > mostValues) {
      out.isComplete = false;
      return out;
    }
    if (m[v].origin == ValueOrigin::Parameter && !isWeight(m, v))
      out.varying.insert(m[v].graph == m.main() ? v : unknownParameter(m, v));
    if (m[v].origin != ValueOrigin::Result || !m[v].def)
      continue;
    if (!isRepeatable(m, m[v].def))
      out.varying.insert(v);
    open.insert(open.end(), m.operands(m[v].def).begin(), m.operands(m[v].def).end());
  }
  out.isComplete = !isWritten(m, aliases, out, g);
  return out;
}

/// A truth value, or what is not it.
struct Truth {
  ValueId value;
  bool isNegated = false;
};

Truth truthOf(const Model &m, ValueId predicate) {
  Truth out{resolved(m, predicate)};
  for (std::size_t steps = 0; steps < mostValues; ++steps) {
    const NodeId n = m[out.value].origin == ValueOrigin::Result ? m[out.value].def : NodeId();
    const std::string_view name = n ? m.text(m[m[n].op].name) : std::string_view();
    if ((name != "logical_not" && name != "bitwise_not") || m.operands(n).size() != 1 || !m.operands(n)[0] ||
        m.type(m.operands(n)[0]).element != DType::Bool)
      return out;
    out = {resolved(m, m.operands(n)[0]), !out.isNegated};
  }
  return out;
}

/// Computed alike from the same values.
bool isSameComputation(const Model &m, ValueId a, ValueId b) {
  std::vector<std::pair<ValueId, ValueId>> open{{a, b}};
  for (std::size_t steps = 0; !open.empty(); ++steps) {
    const auto [x, y] = open.back();
    open.pop_back();
    const ValueId v = x ? resolved(m, x) : x, w = y ? resolved(m, y) : y;
    if (v == w)
      continue;
    if (steps > mostValues || !v || !w || m[v].origin != ValueOrigin::Result || m[w].origin != ValueOrigin::Result ||
        m[v].index != m[w].index)
      return false;
    const NodeId p = m[v].def, q = m[w].def;
    const auto from = m.operands(p), to = m.operands(q);
    if (m[p].op != m[q].op || m[p].callee != m[q].callee || !m.regions(p).empty() || !isRepeatable(m, p) ||
        from.size() != to.size() ||
        !std::ranges::equal(m.attributes(p), m.attributes(q),
                            [&](const auto &s, const auto &t) { return isSameAttribute(m, s, t); }))
      return false;
    for (std::size_t i = 0; i < from.size(); ++i)
      open.emplace_back(from[i], to[i]);
  }
  return true;
}

constexpr BranchPairs same = branchPair(0, 0) | branchPair(1, 1);
constexpr BranchPairs opposite = branchPair(0, 1) | branchPair(1, 0);
constexpr BranchPairs all = same | opposite;

std::vector<BranchPairs> singly(BranchPairs pairs) {
  std::vector<BranchPairs> out;
  for (unsigned bit = 0; bit < 4; ++bit)
    if (const auto pair = static_cast<BranchPairs>(1U << bit); (pairs & pair) != 0)
      out.push_back(pair);
  return out;
}

BranchPairs ofFirst(std::size_t side) { return branchPair(side, 0) | branchPair(side, 1); }
BranchPairs ofLater(std::size_t side) { return branchPair(0, side) | branchPair(1, side); }

} // namespace

Verdict TakenTogether::takes(BranchPairs pairs) const {
  const auto holds = [&](BranchPairs way) { return (way & pairs) != 0; };
  if (std::ranges::all_of(ways, holds))
    return Verdict::Violated;
  return std::ranges::any_of(ways, holds) ? Verdict::Possible : Verdict::Proved;
}

TakenTogether takenTogether(const Model &m, const AliasAnalysis &aliases, const Conditional &first, NodeId later) {
  using Why = TakenTogether::Why;
  const GraphId g = m[first.node].graph;
  const ValueId predicate = first.predicate;
  const ValueId other = isConditional(m, later) ? conditionalAt(m, later).predicate : ValueId();
  if (!predicate)
    return {{ofFirst(0), ofFirst(1)}, Why::Weights};
  const Origins from = originsOf(m, aliases, predicate, g);
  const bool isFixed = from.isComplete && from.varying.empty();
  if (!other)
    return isFixed ? TakenTogether{{ofFirst(0), ofFirst(1)}, Why::Weights} : TakenTogether{{all}};
  const Origins others = originsOf(m, aliases, other, g);
  const bool isOtherFixed = others.isComplete && others.varying.empty();

  const Truth a = truthOf(m, predicate), b = truthOf(m, other);
  if (from.isComplete && others.isComplete && isSameComputation(m, a.value, b.value)) {
    const BranchPairs taken = a.isNegated == b.isNegated ? same : opposite;
    return isFixed ? TakenTogether{singly(taken), Why::Weights} : TakenTogether{{taken}};
  }
  if (isFixed && isOtherFixed)
    return {singly(all), Why::Weights};
  if (isFixed)
    return {{ofFirst(0), ofFirst(1)}, Why::Weights};
  if (isOtherFixed)
    return {{ofLater(0), ofLater(1)}, Why::Weights};
  const bool isRelated = !from.isComplete || !others.isComplete ||
                         std::ranges::any_of(from.varying, [&](ValueId v) { return others.varying.contains(v); });
  // Each of the two takes both of its branches: either some run takes two of one side and some two of the other, or
  // none does.
  return isRelated ? TakenTogether{{same, opposite}, Why::Related} : TakenTogether{{all}};
}

} // namespace condlint
