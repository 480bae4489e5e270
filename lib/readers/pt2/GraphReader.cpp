//===- GraphReader.cpp - Graphs, nodes and their values ---------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProgramReader.h"
#include "StackTrace.h"

namespace condlint::pt2 {

namespace {

/// Graphs nest this deep; what is deeper is not read.
constexpr std::uint32_t maxGraphDepth = 256;
/// Up to this depth a part that stands in an unusual order is read twice. Deeper
/// that would make the time grow with the depth.
constexpr std::uint32_t maxReorderDepth = 8;
/// Distinct operators: torch has under 4,000 overloads.
constexpr std::size_t maxOperators = 16384;

} // namespace

/// A graph while it is read.
struct ProgramReader::Scope {
  Scope *outer = nullptr;
  GraphId parent;
  GraphId id; ///< none until the first field shows that it is a graph
  std::uint32_t depth = 0;
  std::size_t hidden = 0;
  std::size_t expected = 0;
  std::size_t pending = 0;
  std::size_t pendingDims = 0;
  bool hasInputs = false;
  bool hasOutputs = false;
  bool hasNodes = false;
  unsigned sections = 0;
  std::optional<std::uint32_t> outputsAt; ///< outputs stand before the nodes that make them
  std::optional<std::uint32_t> nodesAt;   ///< nodes that stand before the inputs
};

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

void ProgramReader::define(StringId name, ValueId v) {
  if (!name)
    return;
  const ValueId old = lookup(name);
  if (old && m[old].origin != ValueOrigin::Undefined)
    issue(FormatIssue::Kind::Redefined, fmt::format("'{}' is defined twice in its graph", m.text(name)), {}, v);
  bind(name, v);
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
    return;
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

  c.object([&](std::string_view key) {
    const At at(*this, key);
    graphField(s, key);
  });
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
    if (!s.hasInputs)
      malformed("the graph has no 'inputs'");
    if (!s.hasOutputs)
      malformed("the graph has no 'outputs'");
    if (!s.hasNodes)
      malformed("the graph has no 'nodes'");
    closeGraph(s);
  }

  scope = s.outer;
  currentGraph = outerGraph;
  frame = outerFrame;
  if (!s.id)
    malformed("expected a graph, found an object without 'inputs', 'outputs' and 'nodes'");
  return s.id;
}

GraphId ProgramReader::openGraph(Scope &s) {
  if (!s.id) {
    s.id = m.addGraph(StringId(), StringId(), s.parent, NodeId());
    currentGraph = s.id;
  }
  return s.id;
}

void ProgramReader::graphField(Scope &s, std::string_view key) {
  const auto once = [&](bool &seen) {
    openGraph(s);
    if (!seen)
      return seen = true;
    malformed(fmt::format("the graph has two '{}'", key));
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
  } else {
    c.skip();
  }
}

void ProgramReader::closeGraph(Scope &s) {
  for (std::size_t i = s.pending; i < pending.size(); ++i) {
    const Pending p = pending[i];
    const ValueId v = lookup(p.name);
    if (v && m[v].origin != ValueOrigin::Undefined)
      record(p.name, v, p.type, p.content);
  }
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
    if (kind == ValueKind::SymInt)
      section = "sym_int_values";
    else if (kind == ValueKind::SymBool)
      section = "sym_bool_values";
    else if (kind != ValueKind::Tensor)
      continue; // older schemas have no such section
    const Value &value = m[v];
    const std::string below = value.def ? fmt::format(".nodes[{}].outputs[{}]", m[value.def].position, value.index)
                                        : fmt::format(".inputs[{}]", value.index);
    issue(FormatIssue::Kind::Malformed, fmt::format("'{}' is not in '{}'", m.text(value.name), section), below, v);
  }
}

void ProgramReader::graphInputs(Scope &s) {
  if (!c.is(JsonKind::Array))
    return unexpected("a list of inputs");
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
    define(d.name, v);
    if (d.name)
      expected.emplace_back(v, d.kind);
  }
}

void ProgramReader::graphOutputs() {
  if (!c.is(JsonKind::Array))
    return unexpected("a list of outputs");
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
    frame = Frame{operands.size(), attributes.size(), regions.size(), results.size(), {}};
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
      break;
    case AttributeKind::String:
      literal(ValueKind::String);
      break;
    default:
      literal(ValueKind::Object);
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
    // The names lie where they were defined, far back in the document.
    constexpr std::size_t ahead = 8;
    if (next + ahead < expected.size())
      __builtin_prefetch(m.name(expected[next + ahead].first).data());
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

// --- nodes ---------------------------------------------------------------------

void ProgramReader::nodes() {
  if (!c.is(JsonKind::Array))
    return unexpected("a list of nodes");
  c.array([&](std::uint32_t i) {
    const At at(*this, {}, i);
    node(i);
  });
}

void ProgramReader::node(std::uint32_t i) {
  if (!c.is(JsonKind::Object))
    return unexpected("a node, which is an object");
  const GraphId g = currentGraph;
  frame = Frame{operands.size(), attributes.size(), regions.size(), results.size(), {}};
  const std::size_t firstIssue = m.issues.size();
  const std::uint32_t start = c.position();
  std::optional<std::string_view> target;
  std::string_view given;
  LocationId location;
  bool inputs = false;
  bool outputs = false;

  const auto readTarget = [&] {
    target = text("an operator's name");
    if (target)
      frame.target = *target;
  };
  c.object([&](std::string_view key) {
    const At at(*this, key);
    if (same(key, "target")) {
      readTarget();
    } else if (same(key, "inputs") && !inputs) {
      inputs = true;
      if (!target && scope->depth <= maxReorderDepth) {
        // How a list of integers is meant depends on the operator.
        const std::uint32_t back = c.position();
        c.seek(start);
        c.object([&](std::string_view k) {
          if (same(k, "target") && c.is(JsonKind::String))
            frame.target = c.string();
          else
            c.skip();
        });
        c.seek(back);
      }
      nodeInputs();
    } else if (same(key, "outputs") && !outputs) {
      outputs = true;
      if (c.is(JsonKind::Array))
        c.array([&](std::uint32_t o) {
          const At here(*this, {}, o);
          declared(results);
        });
      else
        unexpected("a list of outputs");
    } else if (same(key, "metadata") && c.is(JsonKind::Object)) {
      c.object([&](std::string_view k) {
        if (!same(k, "stack_trace") || !c.is(JsonKind::String))
          return c.skip();
        const std::string_view trace = c.rawString();
        // The nodes that one line makes share its trace.
        if (!lastLocation || trace != lastTrace) {
          lastTrace = trace;
          lastLocation = m.addLocation(trace, &locationOfStackTrace);
        }
        location = lastLocation;
      });
    } else if (same(key, "name") && !c.is(JsonKind::Null)) {
      if (const auto s = text("a node's name"))
        given = *s;
    } else {
      c.skip();
    }
  });
  if (c.failed())
    return;
  if (!target)
    malformed("the node has no 'target'");
  if (!inputs)
    malformed("the node has no 'inputs'");
  if (!outputs)
    malformed("the node has no 'outputs'");

  resultNames.clear();
  for (std::size_t r = frame.results; r < results.size(); ++r)
    resultNames.push_back(results[r].name);
  const OperatorId op = operatorOf(target.value_or("?"));
  const NodeId n = m.addNode(g, op, nodeName(given, frame.results, op, i),
                             std::span<const ValueId>(operands).subspan(frame.operands), resultNames,
                             std::span<const Attribute>(attributes).subspan(frame.attributes));
  m[n].location = location;
  if (regions.size() > frame.regions)
    m.setRegions(n, std::span<const GraphId>(regions).subspan(frame.regions));
  for (std::size_t r = frame.regions; r < regions.size(); ++r)
    if (regions[r])
      m[regions[r]].owner = n;
  for (std::size_t k = firstIssue; k < m.issues.size(); ++k)
    if (m.issues[k].graph == g && !m.issues[k].node)
      m.issues[k].node = n;
  for (std::size_t r = frame.results; r < results.size(); ++r) {
    const Declared d = results[r];
    const ValueId v = m.result(n, r - frame.results);
    if (d.name) {
      define(d.name, v);
      expected.emplace_back(v, d.kind);
      continue;
    }
    m[v].recorded = kindType(d.kind);
    if (d.constant) {
      const Dim number = m.dims.constant(*d.constant);
      m[v].content = m.addContent({&number, 1});
    }
  }
  operands.resize(frame.operands);
  attributes.resize(frame.attributes);
  regions.resize(frame.regions);
  results.resize(frame.results);
}

StringId ProgramReader::nodeName(std::string_view given, std::size_t firstResult, OperatorId op,
                                 std::uint32_t position) {
  const StringId first = firstResult < results.size() ? results[firstResult].name : StringId();
  if (!given.empty() && given != m.text(first))
    return intern(given);
  if (first)
    return first;
  return m.strings.intern(fmt::format("{}_{}", m.text(m[op].name), position));
}

OperatorId ProgramReader::operatorOf(std::string_view target) {
  const StringId id = intern(target);
  if (id.index() >= operatorsByName.size())
    operatorsByName.resize(std::max<std::size_t>(id.index() + 1, operatorsByName.size() * 2));
  if (const OperatorId before = operatorsByName[id.index()])
    return before;
  Operator op;
  op.dialect = Dialect::Torch;
  if (++operatorCount > maxOperators) {
    if (operatorCount == maxOperators + 1)
      malformed(fmt::format("more than {} distinct operators; the rest is not told apart", maxOperators));
    op.name = m.strings.intern("?");
    return operatorsByName[id.index()] = m.addOperator(op);
  }
  constexpr std::string_view ops = "torch.ops.";
  std::string_view domain;
  std::string_view name = target;
  std::string_view overload;
  if (target.starts_with(ops)) {
    // torch.ops.<namespace>.<name>[.<overload>]; higher-order operators have none.
    name.remove_prefix(ops.size());
    const std::size_t dot = name.find('.');
    if (dot != std::string_view::npos) {
      domain = name.substr(0, dot);
      name.remove_prefix(dot + 1);
    }
    const std::size_t last = name.rfind('.');
    if (last != std::string_view::npos) {
      overload = name.substr(last + 1);
      name = name.substr(0, last);
    }
  } else if (const std::size_t colon = target.find(':'); target.starts_with('#') && colon != std::string_view::npos) {
    domain = target.substr(0, colon); // an extension: "#<namespace>:<name>"
    name = target.substr(colon + 1);
  } else if (const std::size_t dot = target.rfind('.'); dot != std::string_view::npos) {
    domain = target.substr(0, dot); // "_operator.ge", "math.trunc", "torch.sym_max"
    name = target.substr(dot + 1);
  }
  op.domain = intern(domain);
  op.name = intern(name);
  op.overload = intern(overload);
  return operatorsByName[id.index()] = m.addOperator(op);
}

} // namespace condlint::pt2
