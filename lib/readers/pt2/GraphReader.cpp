//===- GraphReader.cpp - Graphs and their values -----------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProgramReader.h"
#include <algorithm>

namespace condlint::pt2 {

namespace {

/// Graphs nest this deep; what is deeper is not read.
constexpr std::uint32_t maxGraphDepth = 256;

} // namespace

// --- names ---------------------------------------------------------------------

ValueId ProgramReader::lookup(StringId name) const {
  if (!name || name.index() >= slots.size())
    return {};
  const Slot &s = slots[name.index()];
  return s.graph == currentGraph ? s.value : ValueId();
}

void ProgramReader::bind(StringId name, ValueId v) {
  if (slots.size() <= name.index())
    slots.resize(std::max<std::size_t>(name.index() + 1, slots.size() * 2));
  Slot &s = slots[name.index()];
  if (s.graph != currentGraph)
    hidden.emplace_back(name, s);
  s = {currentGraph, v};
}

bool ProgramReader::define(StringId name, ValueId v, bool isReported) {
  if (!name)
    return true;
  const ValueId old = lookup(name);
  const bool isNew = !old || m[old].origin == ValueOrigin::Undefined;
  if (!isNew && !isReported)
    issue(FormatIssue::Kind::Redefined, fmt::format("'{}' is defined twice in its graph", m.text(name)), {}, v);
  bind(name, v);
  return isNew;
}

ValueId ProgramReader::use(std::string_view name) {
  const StringId id = intern(name);
  ValueId v = lookup(id);
  if (!v) {
    v = m.addUndefined(currentGraph, id);
    bind(id, v);
  }
  return v;
}

void ProgramReader::record(StringId name, ValueId v, TypeId type, Dim content) {
  if (!v || m[v].origin == ValueOrigin::Undefined) {
    pending.push_back({name, type, content});
    return;
  }
  Value &value = m[v];
  if (value.recorded)
    return issue(FormatIssue::Kind::Malformed, fmt::format("'{}' is recorded twice", m.text(name)), {}, v);
  value.recorded = type;
  if (content.known())
    value.content = m.addContent({&content, 1});
}

// --- graphs --------------------------------------------------------------------

GraphId ProgramReader::graph(GraphId parent) {
  if (!c.is(JsonKind::Object)) {
    unexpected("a graph, which is an object");
    return {};
  }
  Scope s;
  s.outer = scope;
  s.parent = parent;
  s.depth = parent ? m[parent].depth + 1 : 0;
  if (s.depth > maxGraphDepth) {
    const GraphId g = m.addGraph(StringId(), StringId(), parent, NodeId());
    m[g].tooDeep = true;
    issue(FormatIssue::Kind::TooDeep,
          fmt::format("graphs nest deeper than {} levels; the rest is not read", maxGraphDepth));
    c.skip();
    return g;
  }
  s.hidden = hidden.size();
  s.expected = expected.size();
  s.pending = pending.size();
  s.pendingDims = pendingDims.size();
  const GraphId outerGraph = currentGraph;
  const Frame outerFrame = frame;
  scope = &s;

  fields([&](std::string_view key) { graphField(s, key); });
  const auto later = [&](std::optional<std::uint32_t> position, std::string_view key, auto &&read) {
    if (!position || c.failed())
      return;
    const At at(*this, key);
    const std::uint32_t back = c.position();
    c.seek(*position);
    read();
    c.seek(back);
  };
  later(s.nodesAt, "nodes", [&] { nodes(); });
  later(s.outputsAt, "outputs", [&] { graphOutputs(); });
  if (s.id && !c.failed()) {
    if (!s.hasInputs) {
      s.lostInputs = s.lostNames = true;
      malformed("the graph has no 'inputs'");
    }
    if (!s.hasOutputs) {
      s.lostOutputs = true;
      malformed("the graph has no 'outputs'");
    }
    if (!s.hasNodes) {
      s.lostNames = true;
      malformed("the graph has no 'nodes'");
    }
    demandSections(s);
    if (s.isSingle && s.hasOutputs && !s.lostOutputs && m.results(s.id).size() != 1)
      malformed(fmt::format("the graph returns {} values, but is said to return a single one", m.results(s.id).size()));
    else if (s.isSingle)
      singles.push_back(s.id);
    closeGraph(s);
  }

  scope = s.outer;
  currentGraph = outerGraph;
  frame = outerFrame;
  if (!s.id)
    malformed("expected a graph, found an object without 'inputs', 'outputs' and 'nodes'");
  return s.id;
}

void ProgramReader::demandSections(Scope &s) {
  constexpr std::pair<Section, std::string_view> demanded[] = {
      {Tensors, "tensor_values"}, {SymInts, "sym_int_values"}, {SymBools, "sym_bool_values"}};
  for (const auto &[section, name] : demanded)
    if ((s.sections & section) == 0)
      malformed(fmt::format("the graph has no '{}'", name));
}

GraphId ProgramReader::openGraph(Scope &s) {
  if (!s.id) {
    s.id = m.addGraph(StringId(), StringId(), s.parent, NodeId());
    s.firstValue = static_cast<std::uint32_t>(m.valueCount());
    currentGraph = s.id;
  }
  return s.id;
}

void ProgramReader::graphField(Scope &s, std::string_view key) {
  const auto once = [&](bool &seen) {
    openGraph(s);
    if (!seen)
      return seen = true;
    c.skip();
    return false;
  };
  const auto section = [&](Section which) {
    openGraph(s);
    s.sections |= which;
    values(which);
  };
  if (same(key, "inputs")) {
    if (once(s.hasInputs))
      graphInputs(s);
  } else if (same(key, "outputs")) {
    if (!once(s.hasOutputs))
      return;
    // Torch writes them before the nodes; their names are resolved afterwards.
    s.outputsAt = c.position();
    c.skip();
  } else if (same(key, "nodes")) {
    if (!once(s.hasNodes))
      return;
    if (!s.hasInputs && s.depth <= maxReorderDepth) {
      s.nodesAt = c.position();
      return c.skip();
    }
    nodes();
  } else if (same(key, "tensor_values")) {
    section(Tensors);
  } else if (same(key, "sym_int_values")) {
    section(SymInts);
  } else if (same(key, "sym_bool_values")) {
    section(SymBools);
  } else if (same(key, "sym_float_values")) {
    section(SymFloats);
  } else if (same(key, "custom_obj_values")) {
    section(Objects);
  } else if (same(key, "is_single_tensor_return")) {
    // Python asks whether it is true, of whatever stands there.
    if (c.is(JsonKind::Bool))
      s.isSingle = c.boolean();
    else if (c.is(JsonKind::String))
      s.isSingle = !c.string().empty();
    else
      c.skip();
  } else {
    c.skip();
  }
}

void ProgramReader::closeGraph(Scope &s) {
  if (s.lostNames)
    forgiveNames(s);
  // What is not known whole is not compared with what it belongs to.
  m[s.id].tooDeep = m[s.id].tooDeep || s.lostInputs || s.lostOutputs;
  mainIsLost = mainIsLost || (s.outer == nullptr && (s.lostNames || s.lostInputs || s.lostOutputs));
  std::unordered_set<StringId> absent;
  for (std::size_t i = s.pending; i < pending.size(); ++i) {
    const Pending p = pending[i];
    const ValueId v = lookup(p.name);
    if (v && m[v].origin != ValueOrigin::Undefined)
      record(p.name, v, p.type, p.content);
    else if (v)
      absent.insert(p.name);
  }
  if (!absent.empty())
    nameAbsentResults(absent);
  pending.resize(s.pending);
  checkRecorded(s);
  expected.resize(s.expected);
  for (std::size_t i = s.pendingDims; i < pendingDims.size(); ++i) {
    const PendingDim &p = pendingDims[i];
    const ContentId content = m[p.value].content;
    if (content && m.content(content).size() == 1)
      m.setDim(p.list, p.index, m.content(content)[0]);
  }
  pendingDims.resize(s.pendingDims);
  // The main graph's names stay: the signature refers to them.
  if (s.outer == nullptr)
    return;
  while (hidden.size() > s.hidden) {
    slots[hidden.back().first.index()] = hidden.back().second;
    hidden.pop_back();
  }
}

/// A name that nothing defines may be the one that could not be read, which was said.
void ProgramReader::forgiveNames(const Scope &s) {
  for (std::uint32_t i = s.firstValue; i < m.valueCount(); ++i)
    if (Value &v = m[ValueId(i)]; v.origin == ValueOrigin::Undefined && v.graph == s.id)
      v.name = StringId();
}

void ProgramReader::nameAbsentResults(const std::unordered_set<StringId> &names) {
  const TypeId none = kindType(ValueKind::None);
  std::size_t left = names.size();
  std::vector<ValueId> others;
  for (NodeId n : m.nodes(currentGraph))
    for (std::size_t r = 0; r < m.resultCount(n); ++r) {
      const ValueId v = m.result(n, r);
      if (m[v].name || m[v].recorded != none)
        continue;
      // A node of one result has its name.
      if (names.contains(m[n].name) && m.resultCount(n) == 1) {
        m[v].name = m[n].name;
        --left;
      } else {
        others.push_back(v);
      }
    }
  if (left != 1 || others.size() != 1)
    return;
  const auto isTaken = [&](StringId name) {
    return std::ranges::any_of(m.nodes(currentGraph),
                               [&](NodeId n) { return m.resultCount(n) == 1 && m[m.result(n, 0)].name == name; });
  };
  for (StringId name : names)
    if (!isTaken(name))
      m[others.front()].name = name;
}

void ProgramReader::checkRecorded(const Scope &s) {
  for (std::size_t i = s.expected; i < expected.size(); ++i) {
    const auto [v, kind] = expected[i];
    if (m[v].recorded)
      continue;
    // A name that is defined twice is recorded once.
    const ValueId last = lookup(m[v].name);
    if (last && last != v && m[last].recorded) {
      m[v].recorded = m[last].recorded;
      continue;
    }
    m[v].recorded = kindType(kind);
    std::string_view section = "tensor_values";
    Section which = Tensors;
    if (kind == ValueKind::SymInt) {
      section = "sym_int_values";
      which = SymInts;
    } else if (kind == ValueKind::SymBool) {
      section = "sym_bool_values";
      which = SymBools;
    } else if (kind != ValueKind::Tensor) {
      continue; // older schemas have no such section
    }
    if ((s.sections & which) == 0)
      continue; // said of the graph
    const Value &value = m[v];
    const std::string below = value.def ? fmt::format(".nodes[{}].outputs[{}]", m[value.def].position, value.index)
                                        : fmt::format(".inputs[{}]", value.index);
    issue(FormatIssue::Kind::Malformed, fmt::format("'{}' is not in '{}'", m.text(value.name), section), below, v);
  }
}

void ProgramReader::graphInputs(Scope &s) {
  if (!c.is(JsonKind::Array)) {
    s.lostInputs = s.lostNames = true;
    return unexpected("a list of inputs");
  }
  std::vector<Declared> list;
  c.array([&](std::uint32_t i) {
    const At at(*this, {}, i);
    declared(list);
  });
  for (const Declared &d : list) {
    const ValueId v = m.addParameter(s.id, d.name, d.name ? TypeId() : kindType(d.kind));
    if (d.constant) {
      const Dim number = m.dims.constant(*d.constant);
      m[v].content = m.addContent({&number, 1});
    }
    if (d.real)
      m.setReal(v, *d.real);
    define(d.name, v);
    if (d.name)
      expected.emplace_back(v, d.kind);
  }
}

void ProgramReader::graphOutputs() {
  if (!c.is(JsonKind::Array)) {
    scope->lostOutputs = true;
    return unexpected("a list of outputs");
  }
  const GraphId g = currentGraph;
  inOutputs = true;
  std::vector<ValueId> list;
  const auto literal = [&](ValueKind kind, std::optional<std::int64_t> number = std::nullopt) {
    ContentId content;
    if (number) {
      const Dim d = m.dims.constant(*number);
      content = m.addContent({&d, 1});
    }
    list.push_back(m.addLiteral(g, kindType(kind), content));
  };
  c.array([&](std::uint32_t i) {
    const At at(*this, {}, i);
    frame = stackEnds();
    const std::size_t before = issueCount;
    const Attribute a = argument();
    const std::span<const ValueId> used(operands.data() + frame.operands, operands.size() - frame.operands);
    switch (a.kind) {
    case AttributeKind::Operand:
    case AttributeKind::Operands:
      list.insert(list.end(), used.begin(), used.end());
      break;
    case AttributeKind::Dims: {
      std::size_t next = 0;
      for (const Dim d : m.dimsIn(a.list)) {
        if (d.known())
          literal(ValueKind::SymInt, m.dims.asConstant(d));
        else if (next < used.size())
          list.push_back(used[next++]);
      }
      break;
    }
    case AttributeKind::None:
      literal(ValueKind::None);
      break;
    case AttributeKind::Int:
      literal(ValueKind::SymInt, a.number);
      break;
    case AttributeKind::Bool:
      literal(ValueKind::SymBool, a.number);
      break;
    case AttributeKind::Float:
      literal(ValueKind::SymFloat);
      m.setReal(list.back(), a.real);
      break;
    case AttributeKind::String:
      literal(ValueKind::String);
      break;
    default: // what no argument is was said: nothing follows from it
      literal(issueCount == before ? ValueKind::Object : ValueKind::Unknown);
    }
    operands.resize(frame.operands);
    regions.resize(frame.regions);
  });
  inOutputs = false;
  m.setResults(g, list);
}

void ProgramReader::values(Section section) {
  if (!c.is(JsonKind::Object))
    return unexpected("metadata by name, which is an object");
  const ValueKind skipped = section == Tensors ? ValueKind::SymInt : ValueKind::Tensor;
  std::size_t next = scope->expected;
  c.object([&](std::string_view key) {
    const At at(*this, key);
    // Torch writes the metadata in the order of the definitions: guessing the
    // value that comes next spares a look-up by name.
    StringId name;
    while (next < expected.size() && (m[expected[next].first].recorded || expected[next].second == skipped))
      ++next;
    if (next < expected.size() && m.name(expected[next].first) == key)
      name = m[expected[next].first].name;
    else
      name = intern(key);
    const ValueId v = lookup(name);
    Dim content;
    TypeId type;
    switch (section) {
    case Tensors:
      type = tensorMeta(!oldLayout || !v || m[v].origin != ValueOrigin::Result);
      break;
    case SymInts:
      content = symInt(Role::Value);
      type = kindType(ValueKind::SymInt);
      break;
    case SymBools:
      content = symBool();
      type = kindType(ValueKind::SymBool);
      break;
    case SymFloats:
      symFloat();
      type = kindType(ValueKind::SymFloat);
      break;
    case Objects:
      c.skip();
      type = kindType(ValueKind::Object);
      break;
    }
    record(name, v, type, content);
  });
}

} // namespace condlint::pt2
