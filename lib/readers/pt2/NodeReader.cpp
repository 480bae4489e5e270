//===- NodeReader.cpp - Nodes and their operators ---------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProgramReader.h"
#include "StackTrace.h"
#include "ops/AtenEffects.h"
#include <algorithm>

namespace condlint::pt2 {

namespace {

/// Distinct operators: torch has under 4,000 overloads.
constexpr std::size_t maxOperators = 16384;

/// torch looks a target up in these modules; another one it takes for no operator, whatever it names.
bool isOfModule(std::string_view target) {
  return target.starts_with("torch") || target.starts_with("_operator") || target.starts_with("math");
}

} // namespace

void ProgramReader::nodes() {
  if (!c.is(JsonKind::Array)) {
    scope->lostNames = true;
    return unexpected("a list of nodes");
  }
  c.array([&](std::uint32_t i) {
    const At at(*this, {}, i);
    node(i);
  });
}

void ProgramReader::node(std::uint32_t i) {
  if (!c.is(JsonKind::Object)) {
    scope->lostNames = true;
    return unexpected("a node, which is an object");
  }
  frame = stackEnds();
  NodeFields given;
  given.start = c.position();
  const std::size_t firstIssue = m.issues.size();
  fields([&](std::string_view key) { nodeField(given, key); });
  if (c.failed())
    return;
  if (!given.target)
    malformed("the node has no 'target'");
  if (!given.hasInputs)
    malformed("the node has no 'inputs'");
  if (!given.hasOutputs) {
    scope->lostNames = true;
    malformed("the node has no 'outputs'");
  }
  if (!given.hasMetadata)
    malformed("the node has no 'metadata'");

  // A node without a value passes torch's verifier only where the operator has a schema that returns nothing. Of a
  // conditional a rule says so.
  if (given.target && given.hasOutputs && results.size() == frame.results && m.issues.size() == firstIssue &&
      given.target->starts_with("torch.ops.higher_order.") && *given.target != "torch.ops.higher_order.cond")
    malformed("a higher-order operator without outputs, which torch.export.load refuses");

  // Of a branch that returns a tensor and no tuple the conditional takes the first row instead.
  if (given.target == "torch.ops.higher_order.cond")
    for (std::size_t r = frame.regions; r < regions.size(); ++r)
      if (regions[r] && std::ranges::find(singles, regions[r]) != singles.end())
        malformed(fmt::format("'{}' returns its value and no tuple of it (is_single_tensor_return), of which the "
                              "conditional takes the first element",
                              m.text(m[regions[r]].role)));

  const NodeId n = addNode(given, i);
  m[n].position = i;
  for (std::size_t k = firstIssue; k < m.issues.size(); ++k)
    if (m.issues[k].graph == currentGraph && !m.issues[k].node)
      m.issues[k].node = n;
  defineResults(n, frame.results, frame.results + m.resultCount(n));
  if (const NodeId inner = m[n].next) {
    m[inner].position = i;
    defineResults(inner, frame.results + m.resultCount(n), results.size());
  }
  operands.resize(frame.operands);
  attributes.resize(frame.attributes);
  regions.resize(frame.regions);
  results.resize(frame.results);
}

void ProgramReader::nodeField(NodeFields &given, std::string_view key) {
  if (same(key, "target")) {
    given.target = text("an operator's name");
    if (given.target)
      frame.target = *given.target;
  } else if (same(key, "inputs") && !given.hasInputs) {
    given.hasInputs = true;
    // How a list of integers is meant depends on the operator.
    if (!given.target && scope->depth <= maxReorderDepth)
      findTarget(given.start);
    nodeInputs();
  } else if (same(key, "outputs") && !given.hasOutputs) {
    given.hasOutputs = true;
    nodeOutputs();
  } else if (same(key, "metadata")) {
    given.hasMetadata = true;
    if (c.is(JsonKind::Object))
      given.location = nodeLocation();
    else
      unexpected("metadata, which are an object");
  } else if (same(key, "name") && !c.is(JsonKind::Null)) {
    given.name = text("a node's name").value_or(std::string_view());
  } else {
    c.skip();
  }
}

void ProgramReader::findTarget(std::uint32_t start) {
  const std::uint32_t back = c.position();
  c.seek(start);
  c.object([&](std::string_view key) {
    if (same(key, "target") && c.is(JsonKind::String) && frame.target.empty())
      frame.target = c.string();
    else
      c.skip();
  });
  c.seek(back);
}

void ProgramReader::nodeOutputs() {
  if (!c.is(JsonKind::Array)) {
    scope->lostNames = true;
    return unexpected("a list of outputs");
  }
  c.array([&](std::uint32_t o) {
    const At at(*this, {}, o);
    declared(results);
  });
}

LocationId ProgramReader::nodeLocation() {
  LocationId location;
  c.object([&](std::string_view key) {
    if (!same(key, "stack_trace") || !c.is(JsonKind::String))
      return c.skip();
    const std::string_view trace = c.rawString();
    // The nodes that one line makes share its trace.
    if (!lastLocation || trace != lastTrace) {
      lastTrace = trace;
      lastLocation = m.addLocation(trace, &locationOfStackTrace);
    }
    location = lastLocation;
  });
  return location;
}

NodeId ProgramReader::addNode(const NodeFields &given, std::uint32_t position) {
  const std::string_view target = given.target.value_or("?");
  const OperatorId op = operatorOf(target);
  const std::string_view inner = target == "torch.ops.higher_order.with_effects" ? operatorInside() : "";
  const auto add = [&](OperatorId which, StringId name, const Frame &from, const Frame &to) {
    resultNames.clear();
    for (std::size_t r = from.results; r < to.results; ++r)
      resultNames.push_back(results[r].name);
    const NodeId n =
        m.addNode(currentGraph, which, name, std::span(operands).subspan(from.operands, to.operands - from.operands),
                  resultNames, std::span(attributes).subspan(from.attributes, to.attributes - from.attributes));
    m[n].location = given.location;
    return n;
  };
  const StringId name = nodeName(given.name, frame.results, op, position);
  if (!inner.empty()) {
    // The token is an operand, a named argument and a result; the operator's name is an argument.
    Frame token = frame, call = frame;
    token.operands = call.operands = frame.operands + 1;
    token.results = call.results = frame.results + 1;
    token.attributes = frame.attributes + 1;
    call.attributes = frame.attributes + 2;
    const NodeId first = add(op, name, frame, token);
    const OperatorId standsInside = operatorOf(inner);
    // What returns nothing has a None in the place of its results.
    if (results.size() == call.results + 1 && results.back().kind == ValueKind::None)
      results.pop_back();
    nameArguments(standsInside);
    add(standsInside, nodeName({}, call.results, standsInside, position), call, stackEnds());
    return first;
  }
  const NodeId n = add(op, name, frame, stackEnds());
  if (regions.size() > frame.regions)
    m.setRegions(n, std::span<const GraphId>(regions).subspan(frame.regions));
  for (std::size_t r = frame.regions; r < regions.size(); ++r)
    if (regions[r])
      m[regions[r]].owner = n;
  return n;
}

std::string_view ProgramReader::operatorInside() const {
  const std::span<const Attribute> given = std::span<const Attribute>(attributes).subspan(frame.attributes);
  if (given.size() < 2 || given[0].kind != AttributeKind::Operand || given[1].kind != AttributeKind::String ||
      results.size() == frame.results || regions.size() > frame.regions)
    return {};
  const std::string_view name = m.text(given[1].text);
  // One without an overload is of a higher order, or no operator.
  return name.starts_with("torch.ops.") && std::ranges::count(name, '.') == 4 ? name : std::string_view();
}

void ProgramReader::nameArguments(OperatorId op) {
  const Operator &o = m[op];
  const EffectsRow *row = findAtenEffects(m.text(o.domain), m.text(o.name), m.text(o.overload));
  const std::vector<AtenParameter> parameters = row ? row->parameters() : std::vector<AtenParameter>();
  const auto own = std::span(attributes).subspan(frame.attributes + 2);
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i].kind == AttributeKind::Operand || own[i].kind == AttributeKind::Operands)
      --own[i].list.first; // the token stands no more before them
    if (m.text(own[i].name).empty() && i < parameters.size())
      own[i].name = intern(parameters[i].name);
  }
}

void ProgramReader::defineResults(NodeId n, std::size_t from, std::size_t to) {
  bool repeated = false; // a node that stands twice defines each of its results again
  for (std::size_t r = from; r < to; ++r) {
    const Declared d = results[r];
    const ValueId v = m.result(n, r - from);
    if (d.name) {
      repeated = !define(d.name, v, repeated) || repeated;
      expected.emplace_back(v, d.kind);
      continue;
    }
    m[v].recorded = kindType(d.kind);
    if (d.constant) {
      const Dim number = m.dims.constant(*d.constant);
      m[v].content = m.addContent({&number, 1});
    }
    if (d.real)
      m.setReal(v, *d.real);
  }
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
  } else if (const std::size_t dot = target.rfind('.'); dot != std::string_view::npos && isOfModule(target)) {
    domain = target.substr(0, dot); // "_operator.ge", "math.trunc", "torch.sym_max"
    name = target.substr(dot + 1);
  }
  op.domain = intern(domain);
  op.name = intern(name);
  op.overload = intern(overload);
  return operatorsByName[id.index()] = m.addOperator(op);
}

} // namespace condlint::pt2
