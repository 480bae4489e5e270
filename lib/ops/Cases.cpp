//===- Cases.cpp - What holds where a predicate is known ------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Cases.h"
#include "InferState.h"
#include "graph/GraphsInside.h"
#include <algorithm>
#include <array>
#include <iterator>

namespace condlint {

std::optional<bool> Case::truthOf(ValueId predicate) const {
  const auto at = std::ranges::find(holds, predicate, &Known::predicate);
  return at == holds.end() ? std::nullopt : std::optional(at->truth);
}

bool Case::implies(const Case &other) const {
  return declared == other.declared &&
         std::ranges::all_of(other.holds, [&](const Known &k) { return std::ranges::find(holds, k) != holds.end(); });
}

Case Case::with(Known k) const {
  Case c = *this;
  const auto at = std::ranges::lower_bound(c.holds, k.predicate.index(), {},
                                           [](const Known &other) { return other.predicate.index(); });
  c.holds.insert(at, k);
  return c;
}

std::uint32_t CaseTable::intern(const Case &c) {
  std::vector<std::uint64_t> key{c.declared ? c.declared.index() + std::uint64_t{1} : 0};
  for (const Known &k : c.holds)
    key.push_back(std::uint64_t{k.predicate.index()} * 2 + (k.truth ? 1 : 0));
  const auto [at, isNew] = index.try_emplace(std::move(key), static_cast<std::uint32_t>(list.size()));
  if (isNew)
    list.push_back(c);
  return at->second;
}

namespace {

/// The cases of one value: more are joined again, so that conditionals in conditionals do not multiply.
constexpr std::size_t mostCases = 8;

/// \p n is the operator \p name of ONNX.
bool isOf(const Model &m, NodeId n, std::string_view name) {
  const Operator &op = m[m[n].op];
  return op.dialect == Dialect::Onnx && m.text(op.name) == name && m.text(op.domain).empty();
}

bool isIf(const Model &m, NodeId n) { return n && isOf(m, n, "If"); }

/// The branch of \p n for \p truth; none when it is missing.
GraphId branchOf(const Model &m, NodeId n, bool truth) {
  for (const GraphId g : m.regions(n))
    if (g && m.text(m[g].role) == (truth ? "then_branch" : "else_branch"))
      return g;
  return {};
}

/// A caller says which it is, whatever else happens.
bool isFree(const Model &m, ValueId v) {
  return m[v].origin == ValueOrigin::Parameter && m[v].graph == m.main() && !m[v].constant;
}

/// What the graphs inside of \p n, and the bodies of the functions that it calls, hold.
struct Inside {
  std::vector<ValueId> values;   ///< that they define
  std::vector<ValueId> captured; ///< that they read of the graphs around
};

Inside insideOf(const Model &m, NodeId n) {
  Inside inside;
  std::vector<bool> seen(m.graphCount(), false);
  const auto addRange = [&](Range r) {
    for (std::uint32_t i = 0; i < r.count; ++i)
      inside.values.emplace_back(r.first + i);
  };
  forEachGraphRunBy(m, n, [&](GraphId g) {
    seen[g.index()] = true;
    addRange(m[g].parameters);
    addRange(m[g].constants);
    for (const NodeId node : m.nodes(g)) {
      addRange(m[node].results);
      std::ranges::copy_if(m.operands(node), std::back_inserter(inside.captured),
                           [&](ValueId v) { return v && !seen[m[v].graph.index()]; });
    }
  });
  return inside;
}

} // namespace

std::string textOf(const Model &m, std::span<const Known> when) {
  std::string out;
  for (const Known &k : when) {
    const std::string_view name = m.name(k.predicate);
    out += out.empty() ? "where " : " and ";
    out += name.empty() ? "the predicate" : "'" + std::string(name) + "'";
    out += k.truth ? " is true" : " is false";
  }
  return out;
}

const std::vector<CaseType> &InferState::casesOf(ValueId v) const {
  static const std::vector<CaseType> none;
  const auto at = caseTypes.find(v);
  return at == caseTypes.end() ? none : at->second;
}

const CaseType *InferState::typeIn(ValueId v, const Case &c) const {
  const CaseType *best = nullptr;
  for (const CaseType &t : casesOf(v))
    if (c.implies(caseTable[t.which]) &&
        (!best || caseTable[t.which].holds.size() > caseTable[best->which].holds.size()))
      best = &t;
  return best;
}

std::optional<bool> InferState::truthIn(ContentId content) const {
  if (!content || m.content(content).size() != 1 || !m.content(content)[0].known())
    return std::nullopt;
  const auto number = m.dims.asConstant(m.content(content)[0]);
  return number ? std::optional(*number != 0) : std::nullopt;
}

Known InferState::rootOf(ValueId v) const {
  Known k{v, true};
  constexpr unsigned farthest = 64;
  for (unsigned step = 0; step < farthest && m[k.predicate].origin == ValueOrigin::Result; ++step) {
    const NodeId n = m[k.predicate].def;
    const ValueId given = m.operands(n).empty() ? ValueId() : m.operands(n)[0];
    if (!given)
      break;
    const bool negates = isOf(m, n, "Not");
    const bool keeps = isOf(m, n, "Identity") || isOf(m, n, "Squeeze") || isOf(m, n, "Unsqueeze") ||
                       isOf(m, n, "Reshape") || (isOf(m, n, "Cast") && typeOf(given).element == DType::Bool);
    if (!keeps && !negates)
      break;
    k.truth = k.truth != negates;
    k.predicate = given;
  }
  return k;
}

std::optional<bool> InferState::decided(NodeId n) const {
  if (!isIf(m, n) || m.operands(n).size() != 1 || !m.operands(n)[0])
    return std::nullopt;
  const ValueId predicate = m.operands(n)[0];
  if (assumed) {
    const Known root = rootOf(predicate);
    if (const auto truth = assumed->truthOf(root.predicate))
      return *truth == root.truth;
  }
  return truthIn(m[predicate].content);
}

bool InferState::isDeadIn(const Case &c, GraphId from, GraphId outer) const {
  for (GraphId g = from; g && g != outer; g = m[g].parent) {
    const NodeId owner = m[g].owner;
    if (!isIf(m, owner) || m.operands(owner).size() != 1 || !m.operands(owner)[0])
      continue;
    const ValueId predicate = m.operands(owner)[0];
    const Known root = rootOf(predicate);
    const CaseType *known = typeIn(predicate, c);
    std::optional<bool> truth = truthIn(known ? known->content : m[predicate].content);
    if (const auto assumedTruth = c.truthOf(root.predicate))
      truth = *assumedTruth == root.truth;
    if (truth && branchOf(m, owner, !*truth) == g)
      return true;
  }
  return false;
}

bool InferState::mayHappen(const Case &c, GraphId from, GraphId outer) const {
  std::vector<ValueId> predicates;
  for (const Known &k : c.holds)
    predicates.push_back(k.predicate);
  for (GraphId g = from; g && g != outer; g = m[g].parent) {
    const NodeId owner = m[g].owner;
    if (!isIf(m, owner) || m.operands(owner).empty() || !m.operands(owner)[0])
      continue;
    // A branch that comes wherever the case holds asks for nothing more.
    const CaseType *known = typeIn(m.operands(owner)[0], c);
    if (truthIn(known ? known->content : m[m.operands(owner)[0]].content))
      continue;
    const ValueId root = rootOf(m.operands(owner)[0]).predicate;
    if (std::ranges::find(predicates, root) == predicates.end())
      predicates.push_back(root);
  }
  return predicates.size() < 2 || std::ranges::all_of(predicates, [&](ValueId v) { return isFree(m, v); });
}

void InferState::uniteCases(NodeId n, std::size_t i, ValueId whenTrue, ValueId whenFalse) {
  if (assumed)
    return;
  const ValueId predicate = m.operands(n).size() == 1 ? m.operands(n)[0] : ValueId();
  if (!predicate)
    return;
  // Where nothing has cases yet, two sides that are alike have none.
  if (caseTypes.empty() && effective(whenTrue) == effective(whenFalse) && m[whenTrue].content == m[whenFalse].content)
    return;
  const Known root = rootOf(predicate);
  const std::array<ValueId, 2> sides{whenTrue, whenFalse};
  std::vector<CaseType> all;
  const auto add = [&](const Case &c, TypeId type, ContentId content) {
    const std::uint32_t which = caseTable.intern(c);
    if (type && std::ranges::find(all, which, &CaseType::which) == all.end())
      all.push_back({which, type, content});
  };
  // In a case that knows the predicate one side comes.
  for (const CaseType &known : std::vector(casesOf(predicate)))
    if (const auto truth = truthIn(known.content)) {
      const ValueId v = sides[*truth ? 0 : 1];
      const CaseType *there = typeIn(v, caseTable[known.which]);
      add(caseTable[known.which], there ? there->type : effective(v), there ? there->content : m[v].content);
    }
  for (const bool truth : {true, false}) {
    const ValueId v = sides[truth ? 0 : 1];
    const Known here{root.predicate, truth == root.truth};
    const std::vector<CaseType> leaves = casesOf(v);
    for (const CaseType &leaf : leaves) {
      const Case inner = caseTable[leaf.which];
      const CaseType *known = typeIn(predicate, inner);
      const auto decidedThere = known ? truthIn(known->content) : inner.truthOf(root.predicate);
      const bool isSame = !decidedThere || *decidedThere == (known ? truth : here.truth);
      if (!inner.declared && isSame)
        add(decidedThere ? inner : inner.with(here), leaf.type, leaf.content);
    }
    if (leaves.empty())
      add(Case().with(here), effective(v), m[v].content);
  }
  if (all.size() > mostCases) {
    out.casesLeftOut = true;
    all.clear();
    for (const bool truth : {true, false})
      add(Case().with({root.predicate, truth == root.truth}), effective(sides[truth ? 0 : 1]),
          m[sides[truth ? 0 : 1]].content);
  }
  const auto isLikeFirst = [&](const CaseType &t) { return t.type == all[0].type && t.content == all[0].content; };
  if (std::ranges::all_of(all, isLikeFirst))
    return;
  pendingCases.resize(pending.size());
  pendingCases[i] = std::move(all);
}

/// Types that stand in for those of values while it lives.
class InferState::Substitution {
public:
  explicit Substitution(Model &model) : m(model) {}
  ~Substitution() {
    for (auto it = former.rbegin(); it != former.rend(); ++it) {
      m[it->value].type = it->type;
      m[it->value].content = it->content;
      m[it->value].contradicted = it->contradicted;
    }
  }
  Substitution(const Substitution &) = delete;
  Substitution &operator=(const Substitution &) = delete;

  /// \p v may change.
  void keep(ValueId v) { former.push_back({v, m[v].type, m[v].content, m[v].contradicted}); }
  void set(ValueId v, const CaseType &t) {
    keep(v);
    m[v].type = t.type;
    m[v].content = t.content;
    m[v].contradicted = false;
  }

private:
  struct Former {
    ValueId value;
    TypeId type;
    ContentId content;
    bool contradicted;
  };
  Model &m;
  std::vector<Former> former;
};

std::vector<std::uint32_t> InferState::casesOfOperands(NodeId n, std::span<const ValueId> captured) {
  std::vector<std::uint32_t> which;
  const auto add = [&](std::span<const ValueId> values) {
    for (const ValueId v : values)
      for (const CaseType &t : v ? casesOf(v) : std::vector<CaseType>())
        if (std::ranges::find(which, t.which) == which.end())
          which.push_back(t.which);
  };
  add(m.operands(n));
  add(captured);
  // Where two conditionals meet, callers decide the four ways of both.
  const std::size_t single = which.size();
  bool isCut = single > mostCases;
  for (std::size_t i = 0; i < single && !isCut; ++i)
    for (std::size_t j = i + 1; j < single && !isCut; ++j) {
      const Case &a = caseTable[which[i]], &b = caseTable[which[j]];
      if (a.declared || b.declared || a.implies(b) || b.implies(a))
        continue;
      Case both = a;
      bool isPossible = true;
      for (const Known &k : b.holds) {
        const auto known = both.truthOf(k.predicate);
        isPossible = isPossible && known.value_or(k.truth) == k.truth;
        if (!known)
          both = both.with(k);
      }
      if (!isPossible || !mayHappen(both, GraphId(), GraphId()))
        continue;
      isCut = which.size() == mostCases;
      if (!isCut)
        which.push_back(caseTable.intern(both));
    }
  if (isCut) {
    which.resize(mostCases);
    out.casesLeftOut = true;
  }
  return which;
}

void InferState::inferCases(NodeId n) {
  if (assumed || caseTypes.empty() || isIf(m, n))
    return;
  const Inside inside = m[n].regions.empty() && !m[n].callee ? Inside() : insideOf(m, n);
  const std::vector<std::uint32_t> which = casesOfOperands(n, inside.captured);
  if (which.empty())
    return;
  const std::vector<TypeId> base = pending;
  pendingCases.assign(base.size(), {});
  GraphId outer = m[n].graph; // the one in which the outermost of the values lies
  for (const ValueId v : m.operands(n))
    if (v && !casesOf(v).empty() && m[m[v].graph].depth < m[outer].depth)
      outer = m[v].graph;
  bool isTold = false;
  for (const std::uint32_t w : which) {
    constexpr std::size_t mostTimes = 8;
    if (!mayRepeat(mostTimes)) {
      out.casesLeftOut = true;
      break;
    }
    const Case here = caseTable[w];
    if (isDeadIn(here, m[n].graph, outer))
      continue;
    isTold = inferCase(n, w, inside.values, inside.captured, !isTold && mayHappen(here, m[n].graph, outer)) || isTold;
  }
  pending = base;
  // A case that says nothing else than what is true of all says nothing.
  for (std::size_t i = 0; i < base.size(); ++i) {
    const ContentId content = m[m.result(n, i)].content;
    if (std::ranges::all_of(pendingCases[i],
                            [&](const CaseType &t) { return t.type == base[i] && t.content == content; }))
      pendingCases[i].clear();
  }
}

bool InferState::inferCase(NodeId n, std::uint32_t which, std::span<const ValueId> inner,
                           std::span<const ValueId> captured, bool reports) {
  const Case here = caseTable[which];
  const Faults before = faults();
  const std::size_t conditions = out.conditions.size();
  std::vector<CaseType> found;
  bool fits = false;
  {
    Substitution instead(m);
    for (const ValueId v : inner)
      instead.keep(v);
    const auto substitute = [&](std::span<const ValueId> values) {
      for (const ValueId v : values)
        if (const CaseType *t = v ? typeIn(v, here) : nullptr)
          instead.set(v, CaseType(*t));
    };
    substitute(captured);
    substitute(m.operands(n));
    for (std::size_t i = 0; i < pending.size(); ++i) {
      instead.keep(m.result(n, i));
      m[m.result(n, i)].content = ContentId();
    }
    pending.assign(pending.size(), TypeId());
    ++typed;
    assumed = &here;
    InferContext ctx(m, n, this);
    if (m[n].callee)
      callFunction(n);
    fits = (m[n].callee || inferOperator(n, ctx)) && out.invalid.size() == before.invalid;
    assumed = nullptr;
    for (std::size_t i = 0; fits && i < pending.size(); ++i)
      if (pending[i])
        pendingCases[i].push_back({which, pending[i], m[m.result(n, i)].content});
  }
  std::optional<InvalidOperand> fault;
  if (out.invalid.size() > before.invalid)
    fault = out.invalid[before.invalid];
  forgetSince(before);
  out.conditions.resize(conditions);
  if (!fault || !reports)
    return false;
  if (here.declared) {
    out.followUps.push_back({here.declared, std::move(*fault)});
    return false;
  }
  fault->when = here.holds;
  out.invalid.push_back(std::move(*fault));
  return true;
}

/// \p settled, which has taken in what the file records, without what is so in some cases alone; \p inferred is what
/// is true of all.
TypeId InferState::unite(TypeId settled, TypeId inferred, std::span<const CaseType> cases) {
  Type t = m.types[settled];
  const Type &own = m.types[inferred];
  if (!t.isTensor() || !t.hasRank)
    return settled;
  std::vector<Dim> dims(t.dims.begin(), t.dims.end());
  const Type *first = nullptr;
  bool varies = false;
  for (const CaseType &c : cases) {
    const Type &x = m.types[c.type];
    if (caseTable[c.which].declared || !x.isTensor() || !x.hasRank)
      continue;
    if (x.dims.size() != dims.size()) {
      t.hasRank = t.hasStrides = false;
      t.dims = t.strides = {};
      return m.types.intern(t);
    }
    for (std::size_t k = 0; first && k < dims.size(); ++k)
      if (first->dims[k] != x.dims[k]) {
        dims[k] = own.hasRank && own.dims.size() == dims.size() ? own.dims[k] : Dim();
        varies = true;
      }
    if (!first)
      first = &x;
  }
  if (!varies)
    return settled;
  t.dims = dims;
  t.hasStrides = false;
  t.strides = {};
  return m.types.intern(t);
}

std::vector<Contradiction> InferState::mergeCases(ValueId v, TypeId inferred, std::vector<CaseType> cases,
                                                  std::vector<Contradiction> &inCases) {
  std::vector<Contradiction> always = merge(v, inferred);
  const TypeId settled = m[v].type;
  bool isContradicted = false;
  for (CaseType &c : cases) {
    std::vector<Contradiction> here = merge(v, c.type);
    c.type = m[v].type;
    m[v].type = settled;
    const Case &which = caseTable[c.which];
    if (here.empty() || which.declared || !always.empty())
      continue;
    // Of two ranks the conditional itself tells.
    const bool isOtherRank = m.types[c.type].dims.size() != m.types[m[v].recorded].dims.size();
    if (!isContradicted && !isOtherRank && mayHappen(which, m[v].graph, m[v].graph))
      for (Contradiction &x : here) {
        x.when = which.holds;
        inCases.push_back(std::move(x));
      }
    isContradicted = true;
  }
  if (always.empty())
    m[v].type = unite(settled, inferred, cases);
  if (isContradicted) {
    m[v].contradicted = true;
    Case asDeclared;
    asDeclared.declared = v;
    cases.push_back({caseTable.intern(asDeclared), settled, {}});
  }
  caseTypes.insert_or_assign(v, std::move(cases));
  return always;
}

} // namespace condlint
