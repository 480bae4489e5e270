//===- TakenTogether.cpp - Which branches one run takes -------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TakenTogether.h"
#include "ConditionalsAround.h"
#include "Equality.h"
#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_set>

namespace condlint {

namespace {

/// What a predicate follows from is looked at so far; beyond it nothing is known.
constexpr std::size_t mostValues = 1000;

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
    const ValueId v = open.back() ? outsideOf(m, open.back()) : ValueId();
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
  Truth out{outsideOf(m, predicate)};
  for (std::size_t steps = 0; steps < mostValues; ++steps) {
    const NodeId n = m[out.value].origin == ValueOrigin::Result ? m[out.value].def : NodeId();
    const std::string_view name = n ? m.text(m[m[n].op].name) : std::string_view();
    const bool negates = name == "logical_not" || name == "bitwise_not" || name == "Not";
    if (!negates || m.operands(n).size() != 1 || !m.operands(n)[0] || m.type(m.operands(n)[0]).element != DType::Bool)
      return out;
    out = {outsideOf(m, m.operands(n)[0]), !out.isNegated};
  }
  return out;
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

/// What is known of the side that a conditional takes.
struct Sided {
  Truth truth = {};
  Origins origins = {};
  bool isFixed = false;                 ///< the same in each run
  std::optional<std::size_t> side = {}; ///< it stands in a branch of a conditional on the same flag
};

/// The side that the conditionals around a graph give a truth value that is read in it.
struct SideAround {
  std::optional<std::size_t> side;
  bool mayBeOther = false; ///< one of them follows from more than is looked at, and may be on the same truth value
};

SideAround sideAround(const Model &m, const Truth &truth, GraphId g) {
  SideAround out;
  anyConditionalAround(m, g, [&](const Conditional &around, std::size_t taken) {
    const Truth outer = truthOf(m, around.predicate);
    const Tri isSame = sameComputation(m, outer.value, truth.value);
    out.mayBeOther = out.mayBeOther || isSame == Tri::Unknown;
    if (isSame == Tri::Yes)
      out.side = outer.isNegated == truth.isNegated ? taken : 1 - taken;
    return isSame == Tri::Yes;
  });
  return out;
}

/// Of a conditional in the graph \p g.
Sided sidedOf(const Model &m, const AliasAnalysis &aliases, ValueId predicate, GraphId g) {
  Sided out;
  if (!predicate) {
    out.isFixed = true; // written in the node
    return out;
  }
  out.truth = truthOf(m, predicate);
  out.origins = originsOf(m, aliases, predicate, g);
  out.isFixed = out.origins.isComplete && out.origins.varying.empty();
  if (out.origins.isComplete) {
    const SideAround around = sideAround(m, out.truth, g);
    out.side = around.side;
    out.origins.isComplete = around.side || !around.mayBeOther;
  }
  return out;
}

} // namespace

Verdict TakenTogether::takes(BranchPairs pairs) const {
  const auto holds = [&](BranchPairs way) { return (way & pairs) != 0; };
  if (std::ranges::all_of(ways, holds))
    return Verdict::Violated;
  return std::ranges::any_of(ways, holds) ? Verdict::Possible : Verdict::Proved;
}

std::optional<SideWithin> sideWithin(const Model &m, const AliasAnalysis &aliases, const Conditional &c) {
  const GraphId g = m[c.node].graph;
  if (!c.predicate || !m[g].owner)
    return std::nullopt;
  const SideAround around = sideAround(m, truthOf(m, c.predicate), g);
  if (!around.side && !around.mayBeOther)
    return std::nullopt;
  return SideWithin{around.side, around.side && originsOf(m, aliases, c.predicate, g).isComplete};
}

TakenTogether takenTogether(const Model &m, const AliasAnalysis &aliases, const Conditional &first, NodeId later) {
  using Why = TakenTogether::Why;
  const GraphId g = m[first.node].graph;
  const Sided a = sidedOf(m, aliases, first.predicate, g);
  const Sided b = isConditional(m, later) ? sidedOf(m, aliases, conditionalAt(m, later).predicate, g) : Sided();
  if (a.side || b.side) {
    const BranchPairs open = (a.side ? ofFirst(*a.side) : all) & (b.side ? ofLater(*b.side) : all);
    if ((a.isFixed && !a.side) || (b.isFixed && !b.side))
      return {singly(open), Why::Weights};
    return {{open}};
  }
  if (a.truth.value && b.truth.value && a.origins.isComplete && b.origins.isComplete &&
      isSameComputation(m, a.truth.value, b.truth.value)) {
    const BranchPairs taken = a.truth.isNegated == b.truth.isNegated ? same : opposite;
    return a.isFixed ? TakenTogether{singly(taken), Why::Weights} : TakenTogether{{taken}};
  }
  if (a.isFixed && b.isFixed)
    return {singly(all), Why::Weights};
  if (a.isFixed)
    return {{ofFirst(0), ofFirst(1)}, Why::Weights};
  if (b.isFixed)
    return {{ofLater(0), ofLater(1)}, Why::Weights};
  const bool isRelated =
      b.truth.value &&
      (!a.origins.isComplete || !b.origins.isComplete ||
       std::ranges::any_of(a.origins.varying, [&](ValueId v) { return b.origins.varying.contains(v); }));
  // Each of the two takes both of its branches: either some run takes two of one side and some two of the other, or
  // none does.
  return isRelated ? TakenTogether{{same, opposite}, Why::Related} : TakenTogether{{all}};
}

} // namespace condlint
