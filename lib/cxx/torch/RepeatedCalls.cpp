//===- RepeatedCalls.cpp - Calls of helpers that are summarised -----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a helper does that only computes something of what it is given is in the graph
// once it was called there. Called again with tensors of the same types it does the
// same again: one node `cxx.call` stands for it, which yields tensors of the types that
// the first call yielded. Whatever is wrong inside the helper stands where it is
// written, and is found in the first call.
//
// Types hold names and symbols. Those of a result that were there before the call are
// what its arguments say; a new one says something of this call alone, as a size that
// data decide: then there is no summary of the call.
//
//===----------------------------------------------------------------------===//

#include "TorchDomain.h"
#include "condlint/Op.h"
#include "condlint/SourceGraph.h"
#include <algorithm>
#include <array>

namespace condlint::cxx {

namespace {

/// The summary of a call.
class CallSummary : public TorchDatum<CallSummary> {
public:
  bool same(const CallSummary &o) const { return this == &o; }

  struct Made {
    ValueId was;
    TypeId type;
    std::optional<std::size_t> of; ///< the read that holds the tensor whose storage it has
    AliasKind kind = AliasKind::Must;
  };
  std::vector<Token> given; ///< what it read, one for each read; the tag 0: no tensor
  std::vector<Made> made;
  struct Result {
    std::optional<std::size_t> made;  ///< this
    std::optional<std::size_t> given; ///< or what it was given; neither: no tensor at all
  };
  std::vector<Result> results;
  bool asksConstraints = false; ///< a constraint of its arguments had a part in it
};

/// Where the storage of a value comes from that a call made.
struct Storages {
  std::set<ValueId> own; ///< made in the call
  ValueId given;         ///< or the one tensor that was there before
  AliasKind kind = AliasKind::Must;
};

AliasKind weaker(AliasKind a, AliasKind b) {
  if (a == AliasKind::May || b == AliasKind::May)
    return AliasKind::May;
  return a == AliasKind::Eager ? a : b;
}

/// Finds where the storage of \p v comes from; nothing where that is not one tensor, or not known.
std::optional<Storages> storagesOf(const Model &m, ValueId v, std::size_t firstMade) {
  constexpr std::size_t most = 256;
  struct Step {
    ValueId value;
    AliasKind kind = AliasKind::Must;
    bool isJoined = false;
  };
  Storages out;
  std::vector<Step> open{{v}};
  std::set<ValueId> seen;
  while (!open.empty()) {
    const Step one = open.back();
    open.pop_back();
    if (one.value.index() < firstMade) {
      if (one.isJoined || (out.given && (out.given != one.value || out.kind != one.kind)))
        return std::nullopt;
      out.given = one.value;
      out.kind = one.kind;
      continue;
    }
    if (!seen.insert(one.value).second)
      continue;
    const NodeId def = m[one.value].origin == ValueOrigin::Result ? m[one.value].def : NodeId();
    if (seen.size() > most || (def && isCxx(m, def, CxxOp::Unknown)))
      return std::nullopt;
    bool isView = false;
    for (const NodeEffects::Alias &a : def ? effectsOf(m, def).aliases : std::vector<NodeEffects::Alias>())
      if (a.result < m.resultCount(def) && m.result(def, a.result) == one.value && m.operands(def)[a.operand]) {
        open.push_back(
            {m.operands(def)[a.operand], weaker(one.kind, a.kind), one.isJoined || isCxx(m, def, CxxOp::Join)});
        isView = true;
      }
    if (!isView)
      out.own.insert(one.value);
  }
  return out.given && !out.own.empty() ? std::nullopt : std::optional(std::move(out));
}

/// The node \p n does nothing that another call would have to do again: what is wrong with it is
/// said of its place, and what it writes was made in the call.
bool isToldOnce(const Model &m, NodeId n, std::size_t firstMade) {
  constexpr std::array own{CxxOp::Join,   CxxOp::Perhaps,  CxxOp::None,     CxxOp::New,
                           CxxOp::Assume, CxxOp::Unknown,  CxxOp::HostRead, CxxOp::Effect,
                           CxxOp::Store,  CxxOp::Gradient, CxxOp::Call};
  const std::optional<CxxOp> op = cxxOpOf(m, n);
  if ((m.text(m[m[n].op].domain) != "aten" && (!op || std::ranges::find(own, *op) == own.end())) ||
      !m[n].regions.empty() || m[n].callee)
    return false;
  if (has(m, n, attr::unsized) || has(m, n, attr::open) || has(m, n, attr::loop) || has(m, n, attr::doubtAt))
    return false;
  const NodeEffects effects = effectsOf(m, n);
  const auto isOwn = [&](std::uint32_t operand) {
    const ValueId written = operand < m.operands(n).size() ? m.operands(n)[operand] : ValueId();
    const auto storages = written ? storagesOf(m, written, firstMade) : std::nullopt;
    return storages && !storages->given;
  };
  return !effects.opaque && std::ranges::all_of(effects.writes, isOwn) && std::ranges::all_of(effects.mayWrite, isOwn);
}

/// The type \p id without strides that nobody knows: they are symbols of each tensor's own, which say nothing.
TypeId withoutOpenStrides(Model &m, TypeId id) {
  Type t = m.types[id];
  if (std::ranges::none_of(t.strides, [&](Dim d) { return m.dims.mentions(d, SymbolOrigin::Anonymous); }))
    return id;
  t.hasStrides = false;
  t.strides = {};
  return m.types.intern(t);
}

/// Each facet of \p t that is not known has a name, so that who is of the same type has the same of it.
bool isNamed(const Model &m, const Type &t) {
  const auto allKnown = [](std::span<const Dim> dims) {
    return std::ranges::all_of(dims, [](Dim d) { return d.known(); });
  };
  const bool isLaidOut =
      t.layout != Layout::Unknown && t.hasStrides && allKnown(t.strides) && t.storageOffset.known() &&
      std::ranges::none_of(t.strides, [&](Dim d) { return m.dims.mentions(d, SymbolOrigin::Anonymous); });
  return t.isTensor() && (t.names.element || t.element != DType::Unknown) &&
         (t.names.shape || (t.hasRank && allKnown(t.dims))) && (t.names.device || t.device) &&
         (t.names.memory || isLaidOut);
}

} // namespace

std::optional<Domain::CallStart> TorchDomain::beginCall(Machine &) {
  // What was tried out and taken back gave its numbers, and so its names, to something else.
  if (overflown || graphs.nodeCount() < everNodes || graphs.valueCount() < everValues)
    return std::nullopt;
  return CallStart{graph().index(), graphs.nodeCount(), graphs.valueCount(), graphs.types.size()};
}

std::shared_ptr<const Datum> TorchDomain::summarise(Machine &, const CallStart &start,
                                                    std::span<const std::pair<ObjectId, Value>> reads,
                                                    std::span<const Token> results) {
  constexpr std::size_t mostGiven = 64;
  if (overflown || graph().index() != start.where || graphs.valueCount() < start.values ||
      graphs.nodeCount() < start.nodes)
    return nullptr;
  for (std::size_t i = start.nodes; i < graphs.nodeCount(); ++i)
    if (const NodeId n(static_cast<std::uint32_t>(i));
        graphs[n].graph != graph() || !isToldOnce(graphs, n, start.values))
      return nullptr;
  auto summary = std::make_shared<CallSummary>();
  std::map<ValueId, std::size_t> given;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const auto &[object, value] = reads[i];
    const Token *t = value.token();
    summary->given.push_back(t ? *t : Token{});
    summary->asksConstraints = summary->asksConstraints || (object == pathConstraints && !constrainsNothing(value));
    if (t && t->tag == ValueTag)
      given.try_emplace(ValueId(t->id), i);
  }
  if (given.size() > mostGiven)
    return nullptr;
  std::map<ValueId, std::size_t> made;
  std::set<ValueId> storages;
  for (const Token &t : results) {
    CallSummary::Result &r = summary->results.emplace_back();
    if (t.tag != ValueTag)
      continue;
    const ValueId v(t.id);
    if (v.index() < start.values) {
      const auto read = given.find(v);
      if (read == given.end())
        return nullptr;
      r.given = read->second;
      continue;
    }
    const auto [entry, isNew] = made.try_emplace(v, summary->made.size());
    r.made = entry->second;
    if (!isNew)
      continue;
    const auto from = storagesOf(graphs, v, start.values);
    const TypeId type = withoutOpenStrides(graphs, graphs[v].type);
    if (!from || !graphs.types[type].isTensor() || type.index() >= start.types || graphs[v].content)
      return nullptr;
    CallSummary::Made one{v, type, std::nullopt, from->kind};
    if (from->given) {
      const auto read = given.find(from->given);
      if (read == given.end())
        return nullptr;
      one.of = read->second;
    }
    for (const ValueId own : from->own)
      if (!storages.insert(own).second)
        return nullptr; // two results of one storage
    summary->made.push_back(one);
  }
  return summary;
}

bool TorchDomain::isAlike(Machine &, const Token &before, const Token &now) {
  if (before.tag != ValueTag || now.tag != ValueTag)
    return before.tag == now.tag && before.id == now.id;
  const auto defOf = [&](ValueId v) { return graphs[v].origin == ValueOrigin::Result ? graphs[v].def : NodeId(); };
  // One of several is another one where the way there is known.
  const auto isOne = [&](ValueId v) {
    return !joined.contains(v.index()) && !(defOf(v) && has(graphs, defOf(v), attr::unsized));
  };
  const ValueId a(before.id), b(now.id);
  if (a.index() >= graphs.valueCount() || !isOne(a) || !isOne(b))
    return false;
  if (a == b)
    return true;
  const condlint::Value &x = graphs[a], &y = graphs[b];
  const auto isMade = [&](NodeId def) {
    return !def || graphs.text(graphs[graphs[def].op].domain) == "aten" || isCxx(graphs, def, CxxOp::Call) ||
           isCxx(graphs, def, CxxOp::New);
  };
  const auto hasSizes = [&](ValueId v) {
    const auto size = sizes.lower_bound({v.index(), INT64_MIN});
    return size != sizes.end() && size->first.first == v.index();
  };
  return x.origin == y.origin && withoutOpenStrides(graphs, x.type) == withoutOpenStrides(graphs, y.type) &&
         !x.content && !y.content && isNamed(graphs, graphs.type(a)) && isMade(defOf(a)) && isMade(defOf(b)) &&
         (graphs.type(a).hasRank || (!hasSizes(a) && !hasSizes(b)));
}

std::optional<std::vector<Token>> TorchDomain::repeat(Machine &m, const Datum &recorded, std::span<const Value> now,
                                                      std::string_view name, const clang::Expr *at) {
  const auto *summary = dynamic_cast<const CallSummary *>(&recorded);
  if (!summary || overflown || summary->given.size() != now.size())
    return std::nullopt;
  std::vector<ValueId> operands;
  std::vector<std::size_t> operandOfRead(now.size());
  for (std::size_t i = 0; i < now.size(); ++i) {
    const Token *t = now[i].token();
    if (!t || t->tag != ValueTag)
      continue;
    // A constraint is one of a tensor by its name.
    if (summary->asksConstraints && t->id != summary->given[i].id)
      return std::nullopt;
    const auto known = std::ranges::find(operands, ValueId(t->id));
    operandOfRead[i] = static_cast<std::size_t>(known - operands.begin());
    if (known == operands.end())
      operands.emplace_back(t->id);
  }
  std::vector<ValueId> made;
  if (!summary->made.empty()) {
    NodeDraft d(graphs, CxxOp::Call);
    d.values("values", operands);
    d.set(attr::name, name);
    std::vector<std::int64_t> aliases;
    for (std::size_t i = 0; i < summary->made.size(); ++i)
      if (const auto of = summary->made[i].of)
        for (const std::size_t part : {i, operandOfRead[*of], static_cast<std::size_t>(summary->made[i].kind)})
          aliases.push_back(static_cast<std::int64_t>(part));
    d.set(attr::aliases, aliases);
    const NodeId n = emit(d, summary->made.size(), at);
    for (std::size_t i = 0; i < summary->made.size(); ++i) {
      made.push_back(graphs.result(n, i));
      graphs[made.back()].recorded = summary->made[i].type;
      if (const auto one = joined.find(summary->made[i].was.index()); one != joined.end()) {
        Joined again = one->second;
        again.decision = m.pathCondition().lastNumber();
        joined[made.back().index()] = again;
      }
    }
    inferNode(graphs, n);
  }
  std::vector<Token> out;
  for (const CallSummary::Result &r : summary->results)
    out.push_back(r.made    ? Token{made[*r.made].index(), ValueTag}
                  : r.given ? *now[*r.given].token()
                            : Token{0, UndefinedTag});
  return out;
}

} // namespace condlint::cxx
