//===- FunctionCalls.cpp - Calls of functions of the model ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "InferState.h"
#include "OwnSizes.h"
#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <optional>

namespace condlint {

namespace {

// A call of a function of the model is typed on a copy of its body, one copy
// for each distinct way of calling it, because a body has no types of its own.
// Calls that differ in nothing that matters share a copy; the limits keep a
// model of functions that call each other twice from growing without bound:
// so many nodes may be copied, and so many for each node of the file.
constexpr std::size_t clonedNodesForAny = 200'000;
constexpr std::size_t clonedNodesForEach = 20;
constexpr unsigned maxCallDepth = 100;

/// Numbers matter by value, not by where they are kept.
bool haveSameContent(const Model &m, ContentId a, ContentId b) {
  return a == b || (a && b && std::ranges::equal(m.content(a), m.content(b)));
}

void appendNumber(std::string &key, std::uint32_t n) {
  key.append(reinterpret_cast<const char *>(&n), sizeof(n)); // NOLINT: bytes of a key, not a text
}

/// The attributes that a call gives, as part of what tells calls apart.
void appendAttributes(std::string &key, const Model &m, NodeId call) {
  for (const Attribute &a : m.attributes(call)) {
    key += '|';
    key += m.text(a.name);
    appendNumber(key, static_cast<std::uint32_t>(a.kind));
    appendNumber(key, a.text.index());
    appendNumber(key, static_cast<std::uint32_t>(a.number));
    appendNumber(key, static_cast<std::uint32_t>(a.number >> 32));
    key.append(std::to_string(a.real));
    switch (a.kind) {
    case AttributeKind::Ints:
    case AttributeKind::Bools:
      for (std::int64_t i : m.ints(a.list))
        key += std::to_string(i) + ',';
      break;
    case AttributeKind::Floats:
    case AttributeKind::Complex:
      for (double d : m.reals(a.list))
        key += std::to_string(d) + ',';
      break;
    case AttributeKind::Strings:
      for (StringId s : m.stringsIn(a.list))
        appendNumber(key, s.index());
      break;
    case AttributeKind::Region:
    case AttributeKind::Regions:
      for (std::uint32_t r = a.list.first; r < a.list.first + a.list.count && r < m.regions(call).size(); ++r)
        appendNumber(key, m.regions(call)[r].index());
      break;
    default:
      appendNumber(key, a.list.first);
      appendNumber(key, a.list.count);
    }
  }
}

} // namespace

InferState::InferState(Model &model, Inference &result)
    : m(model), out(result), mostClonedNodes(clonedNodesForAny + clonedNodesForEach * model.nodeCount()) {}

void InferState::callFunction(NodeId n) {
  if (assumed)
    return retypeCallee(n);
  if (isAgain)
    return retypeForAllCalls(n);
  const GraphId body = m[n].callee;
  std::string key;
  appendNumber(key, body.index());
  const auto operands = m.operands(n);
  InferContext call(m, n, this);
  if (operands.size() > m[body].parameters.count)
    call.reject(
        fmt::format("it is given {} value(s), but the function takes {}", operands.size(), m[body].parameters.count));
  if (m.resultCount(n) > m.results(body).size())
    call.reject(fmt::format("{} value(s) are taken from it, but the function yields {}", m.resultCount(n),
                            m.results(body).size()));
  for (ValueId v : operands) {
    key += v ? '+' : '-';
    appendNumber(key, v ? effective(v).index() : TypeId().index());
    // Numbers matter by value, not by where they are kept.
    if (v && m[v].content)
      for (Dim d : m.content(m[v].content))
        appendNumber(key, d.index);
    key += ';';
  }
  appendAttributes(key, m, n);
  // What is never run calls it: that is no further way in which it is called.
  if (body.index() < typedForRuns.size() && typedForRuns[body.index()])
    return;

  GraphId instance;
  const auto known = instances.find(key);
  const bool isShared = known != instances.end();
  if (isShared) {
    instance = known->second;
  } else {
    if (callDepth >= maxCallDepth || clonedNodes >= mostClonedNodes) {
      ++out.untyped[m.operatorName(m[n].op) + " (too many calls of functions)"];
      return;
    }
    instance = instantiate(body, n);
    instances.emplace(std::move(key), instance);
    handOver(n, instance);
    inferBody(instance);
  }
  m[n].callee = instance;
  takeResults(n, instance, isShared);
}

void InferState::takeResults(NodeId n, GraphId callee, bool isShared) {
  const auto results = m.results(callee);
  std::optional<OwnSizes> own;
  if (isShared)
    own.emplace(m, n);
  for (std::size_t i = 0; i < results.size() && i < pending.size(); ++i) {
    if (!results[i])
      continue;
    pending[i] = own ? own->of(effective(results[i])) : effective(results[i]);
    const ContentId content = m[results[i]].content;
    m[m.result(n, i)].content = own ? own->of(content) : content;
  }
}

void InferState::handOver(NodeId n, GraphId body) {
  const Range parameters = m[body].parameters;
  const auto operands = m.operands(n);
  for (std::uint32_t i = 0; i < parameters.count; ++i)
    if (const ValueId given = i < operands.size() ? operands[i] : ValueId()) {
      m[ValueId(parameters.first + i)].type = effective(given);
      m[ValueId(parameters.first + i)].content = m[given].content;
    }
}

void InferState::inferBody(GraphId body) {
  ++callDepth;
  std::vector<TypeId> saved;
  saved.swap(pending);
  inferGraph(body);
  pending.swap(saved);
  --callDepth;
}

void InferState::retypeCallee(NodeId n) {
  const GraphId body = m[n].callee;
  if (!m[body].instanceOf || callDepth >= maxCallDepth)
    return;
  handOver(n, body);
  inferBody(body);
  takeResults(n, body, false);
}

void InferState::retypeForAllCalls(NodeId n) {
  const GraphId body = m[n].callee;
  if (!m[body].instanceOf || callDepth >= maxCallDepth || !mayRepeat())
    return;
  const bool isFirst = typedAgain.insert(body).second;
  const Range parameters = m[body].parameters;
  const auto operands = m.operands(n);
  bool isOther = isFirst;
  for (std::uint32_t i = 0; i < parameters.count; ++i) {
    const ValueId given = i < operands.size() ? operands[i] : ValueId();
    if (!given)
      continue;
    Value &v = m[ValueId(parameters.first + i)];
    const TypeId type = isFirst ? effective(given) : join(v.type, effective(given));
    const ContentId content =
        isFirst || haveSameContent(m, v.content, m[given].content) ? m[given].content : ContentId();
    isOther = isOther || type != v.type || (v.content && !content);
    v.type = type;
    v.content = content;
  }
  if (isOther)
    inferBody(body);
  takeResults(n, body, !isOther);
}

/// A graph that is copied for a call, and what has been copied of it.
struct InferState::Cloning {
  NodeId call; ///< whose operands and attributes the copy is given
  std::map<std::uint32_t, ValueId> values;

  ValueId of(ValueId v) const {
    const auto it = v ? values.find(v.index()) : values.end();
    return it == values.end() ? v : it->second;
  }
};

GraphId InferState::instantiate(GraphId body, NodeId call) {
  const GraphId copy = m.addGraph(m[body].name, m[body].role, GraphId(), NodeId());
  m[copy].instanceOf = body;
  m[copy].function = m[body].function;
  Cloning cloning{call, {}};
  cloneInto(body, copy, cloning);
  mapLateUses(copy, cloning);
  return copy;
}

/// What the body reads before, or beside, where it is made had no copy when the node that
/// reads it was copied.
void InferState::mapLateUses(GraphId instance, const Cloning &cloning) {
  for (std::uint32_t i = instance.index(); i < m.graphCount(); ++i) {
    const GraphId g(i);
    for (const NodeId n : m.nodes(g))
      for (std::size_t o = 0; o < m.operands(n).size(); ++o)
        if (const ValueId v = m.operands(n)[o]; cloning.of(v) != v)
          m.setOperand(n, o, cloning.of(v));
    for (std::size_t r = 0; r < m.results(g).size(); ++r)
      if (const ValueId v = m.results(g)[r]; cloning.of(v) != v)
        m.setResult(g, r, cloning.of(v));
  }
}

void InferState::cloneInto(GraphId from, GraphId to, Cloning &cloning) {
  m[to].tooDeep = m[from].tooDeep;
  cloneInputs(from, to, cloning);
  for (NodeId n = m[from].firstNode; n; n = m[n].next)
    cloneNode(n, to, cloning);
  std::vector<ValueId> results;
  for (ValueId v : m.results(from))
    results.push_back(cloning.of(v));
  m.setResults(to, results);
}

void InferState::cloneInputs(GraphId from, GraphId to, Cloning &cloning) {
  const Range parameters = m[from].parameters;
  for (std::uint32_t i = 0; i < parameters.count; ++i) {
    const Value old = m[ValueId(parameters.first + i)];
    ValueId &copy = cloning.values[parameters.first + i];
    copy = m.addParameter(to, old.name, old.recorded, old.role);
    // What the call leaves out is left out wherever the body reads it.
    if (!m[to].parent && (i >= m.operands(cloning.call).size() || !m.operands(cloning.call)[i]))
      copy = ValueId();
  }
  const Range constants = m[from].constants;
  for (std::uint32_t i = 0; i < constants.count; ++i) {
    const Value old = m[ValueId(constants.first + i)];
    const ValueId copy = m.addConstant(to, old.name, old.constant);
    m[copy].recorded = old.recorded;
    if (const ValueId outer = m.passedInstead(ValueId(constants.first + i)))
      m.setPassedInstead(copy, cloning.of(outer));
    cloning.values[constants.first + i] = copy;
  }
}

namespace {

/// What the graph \p g, which \p call gives a function, reads from around it is what the function is given by the same
/// name. Whether other names are the caller's or the function's the tools do not agree on.
bool readsWhatIsGiven(const Model &m, GraphId g, NodeId call) {
  const GraphId body = m[call].callee;
  const auto isGiven = [&](ValueId v) {
    if (!v || m.encloses(g, m[v].graph))
      return true;
    const auto operands = m.operands(call);
    for (std::uint32_t i = 0; i < m[body].parameters.count && i < operands.size(); ++i)
      if (operands[i] == v && m[ValueId(m[body].parameters.first + i)].name == m[v].name)
        return true;
    return false;
  };
  std::vector<GraphId> open{g};
  while (!open.empty()) {
    const GraphId inner = open.back();
    open.pop_back();
    if (!std::ranges::all_of(m.results(inner), isGiven))
      return false;
    for (const NodeId n : m.nodes(inner)) {
      if (!std::ranges::all_of(m.operands(n), isGiven))
        return false;
      std::ranges::copy_if(m.regions(n), std::back_inserter(open), [](GraphId r) { return r.valid(); });
    }
  }
  return true;
}

} // namespace

std::vector<Attribute> InferState::cloneAttributes(NodeId n, FunctionId function, NodeId call,
                                                   std::vector<GraphId> &regions) {
  std::vector<Attribute> attributes;
  for (const Attribute &a : m.attributes(n)) {
    if (a.kind != AttributeKind::Reference) {
      attributes.push_back(a);
      continue;
    }
    // The attribute of the call stands here, or the function's default;
    // without either it is absent (onnx.proto, AttributeProto.ref_attr_name).
    const Attribute *given = m.attribute(call, m.text(a.text));
    const GraphId graph = given && given->kind == AttributeKind::Region && given->list.first < m.regions(call).size()
                              ? m.regions(call)[given->list.first]
                              : GraphId();
    const bool isGraph = graph && readsWhatIsGiven(m, graph, call);
    if (!given && function)
      for (const Attribute &d : m.attributesIn(m[function].defaults))
        if (d.name == a.text)
          given = &d;
    if (given && !isGraph && (given->kind == AttributeKind::Region || given->kind == AttributeKind::Regions))
      given = &a;
    if (!given)
      continue;
    attributes.push_back(*given);
    attributes.back().name = a.name;
    // A graph is the call's own: it stands in the scopes of the call, which the function's body does not see.
    if (isGraph) {
      regions.push_back(graph);
      attributes.back().list = {static_cast<std::uint32_t>(regions.size() - 1), 1};
    }
  }
  return attributes;
}

void InferState::cloneNode(NodeId n, GraphId to, Cloning &cloning) {
  ++clonedNodes;
  const Node old = m[n];
  std::vector<ValueId> operands;
  for (ValueId v : m.operands(n))
    operands.push_back(cloning.of(v));
  std::vector<StringId> names;
  for (std::uint32_t i = 0; i < old.results.count; ++i)
    names.push_back(m[m.result(n, i)].name);
  std::vector<GraphId> regions(m.regions(n).begin(), m.regions(n).end());
  const std::size_t own = regions.size();
  const std::vector<Attribute> attributes = cloneAttributes(n, m[to].function, cloning.call, regions);
  const NodeId copy = m.addNode(to, old.op, old.name, operands, names, attributes);
  m[copy].location = old.location;
  m[copy].callee = old.callee;
  for (std::uint32_t i = 0; i < old.results.count; ++i) {
    m[m.result(copy, i)].recorded = m[m.result(n, i)].recorded;
    cloning.values[old.results.first + i] = m.result(copy, i);
  }
  for (std::size_t r = 0; r < own; ++r) {
    const GraphId region = regions[r];
    if (!region)
      continue;
    const GraphId inner = m.addGraph(m[region].name, m[region].role, to, copy);
    m[inner].instanceOf = region;
    m[inner].function = m[to].function;
    cloneInto(region, inner, cloning);
    regions[r] = inner;
  }
  if (!regions.empty())
    m.setRegions(copy, regions);
}

} // namespace condlint
