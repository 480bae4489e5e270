//===- Conditional.cpp - One noun for cond, If and IIfConditional ---------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/Conditional.h"
#include "condlint/SourceGraph.h"
#include <algorithm>
#include <array>
#include <unordered_map>

namespace condlint {

namespace {

/// An argument by its kind: in one word, and as one would say it.
struct ArgumentWords {
  std::string_view name, phrase;
};

ArgumentWords wordsFor(AttributeKind kind, bool isSource) {
  switch (kind) {
  case AttributeKind::None:
    return {"none", isSource ? "nothing" : "None"};
  case AttributeKind::Bool:
    return {"bool", "a bool"};
  case AttributeKind::Int:
    return {"int", "an integer"};
  case AttributeKind::Float:
    return {"float", "a floating number"};
  case AttributeKind::String:
    return {"string", "a string"};
  case AttributeKind::DType:
    return {"dtype", "a dtype"};
  case AttributeKind::Layout:
    return {"layout", "a layout"};
  case AttributeKind::MemoryFormat:
    return {"memory_format", "a memory format"};
  case AttributeKind::Device:
    return {"device", "a device"};
  case AttributeKind::Complex:
    return {"complex", "a complex number"};
  case AttributeKind::Bools:
    return {"bools", "a list of bools"};
  case AttributeKind::Ints:
    return {"ints", "a list of integers"};
  case AttributeKind::Floats:
    return {"floats", "a list of floating numbers"};
  case AttributeKind::Strings:
    return {"strings", "a list of strings"};
  case AttributeKind::Dims:
    return {"sizes", "a list of sizes"};
  case AttributeKind::Operand:
    return {"value", "a value"};
  case AttributeKind::Operands:
    return {"values", "a list of values"};
  case AttributeKind::Region:
    return {"graph", "a graph"};
  case AttributeKind::Regions:
    return {"graphs", "a list of graphs"};
  case AttributeKind::Tensor:
    return {"constant", "a constant tensor"};
  case AttributeKind::Tensors:
    return {"constants", "a list of constant tensors"};
  case AttributeKind::Type:
    return {"type", "a type"};
  case AttributeKind::Reference:
    return {"reference", "an attribute of the function around it"};
  case AttributeKind::Location:
  case AttributeKind::Locations:
    return {"place", "a place in the source"};
  case AttributeKind::Opaque:
    break;
  }
  return {"unknown", "something else"};
}

Misplaced misplaced(const Attribute &a) { return {a.kind, a.kind == AttributeKind::Opaque ? a.text : StringId()}; }

ValueId operandAt(const Model &m, NodeId n, std::uint32_t i) {
  const auto operands = m.operands(n);
  return i < operands.size() ? operands[i] : ValueId();
}

void readPredicate(const Model &m, Conditional &c, const Attribute &a) {
  switch (a.kind) {
  case AttributeKind::Operand:
    c.predicate = operandAt(m, c.node, a.list.first);
    c.predicateKind = c.predicate ? PredicateKind::Value : PredicateKind::Missing;
    return;
  case AttributeKind::Bool:
    c.predicateKind = PredicateKind::Literal;
    c.literal = a.number != 0;
    return;
  default:
    c.predicateKind = PredicateKind::Other;
    c.predicateInstead = misplaced(a);
  }
}

/// A region by its attribute. An `as_graph` whose content is no graph is the
/// reader's to report; another tag or nothing is a missing branch.
Branch readBranch(const Model &m, NodeId n, const Attribute *a, std::string_view name) {
  Branch b;
  b.name = name;
  if (!a) {
    b.problem = Branch::Problem::Absent;
    return b;
  }
  if (a->kind == AttributeKind::Reference) {
    b.problem = Branch::Problem::Reference;
    return b;
  }
  if (a->kind != AttributeKind::Region) {
    b.problem = Branch::Problem::Misplaced;
    b.instead = misplaced(*a);
    return b;
  }
  const auto regions = m.regions(n);
  if (a->list.first < regions.size())
    b.graph = regions[a->list.first];
  if (!b.graph)
    b.problem = Branch::Problem::Unreadable;
  else if (!m.text(m[b.graph].role).empty())
    b.name = m.text(m[b.graph].role);
  return b;
}

void readOperands(const Model &m, Conditional &c, const Attribute *a) {
  if (!a) // torch.cond's operands default to ()
    return;
  if (a->kind == AttributeKind::Operands) {
    for (std::uint32_t i = 0; i < a->list.count; ++i) {
      ConditionalOperand o;
      o.value = operandAt(m, c.node, a->list.first + i);
      c.operands.push_back(o);
    }
    return;
  }
  if (a->kind == AttributeKind::Ints && a->list.count == 0)
    return;
  c.operandsMalformed = true;
  c.operandsInstead = misplaced(*a);
}

/// The arguments of a `cond`, which have no names in source: what a front end says
/// about them besides (docs/cxx-graph.md) has one, and stands behind them.
std::span<const Attribute> argumentsOf(const Model &m, NodeId n) {
  const auto all = m.attributes(n);
  if (m.info.format != Format::Cxx && m.info.frontEnd == FrontEnd::None)
    return all;
  const auto besides = std::ranges::find_if(all, [&](const Attribute &a) { return !m.text(a.name).empty(); });
  return all.first(static_cast<std::size_t>(besides - all.begin()));
}

Conditional torchConditional(const Model &m, NodeId n) {
  Conditional c;
  c.node = n;
  c.dialect = Dialect::Torch;
  const auto arguments = argumentsOf(m, n);
  std::size_t next = 0;
  // Four arguments are taken by position. With fewer, a graph in the first place
  // means that the predicate is what is missing.
  const bool whole = arguments.size() >= 4;
  if (!arguments.empty() && (whole || arguments[0].kind != AttributeKind::Region))
    readPredicate(m, c, arguments[next++]);
  constexpr std::array<std::string_view, 2> names{"true", "false"};
  for (std::string_view name : names) {
    const bool here = next < arguments.size() && (whole || arguments[next].kind == AttributeKind::Region);
    c.branches.push_back(readBranch(m, n, here ? &arguments[next] : nullptr, name));
    next += here ? 1 : 0;
  }
  if (next < arguments.size())
    readOperands(m, c, &arguments[next++]);
  c.extraInputs = static_cast<std::uint32_t>(arguments.size() - next);
  return c;
}

Conditional onnxConditional(const Model &m, NodeId n) {
  Conditional c;
  c.node = n;
  c.dialect = Dialect::Onnx;
  c.capturesAllowed = true;
  const auto operands = m.operands(n);
  if (!operands.empty() && operands[0]) {
    c.predicateKind = PredicateKind::Value;
    c.predicate = operands[0];
  }
  c.extraInputs = operands.size() > 1 ? static_cast<std::uint32_t>(operands.size() - 1) : 0;
  for (std::string_view name : {"then_branch", "else_branch"}) {
    c.branches.push_back(readBranch(m, n, m.attribute(n, name), name));
    c.branches.back().name = name;
  }
  constexpr std::array<std::int32_t, 9> versions{1, 11, 13, 16, 19, 21, 23, 24, 25};
  for (std::int32_t v : versions)
    if (v <= m[m[n].op].version)
      c.sinceVersion = v;
  return c;
}

/// What its boundary layers say is added by `addBoundary`.
Conditional networkConditional(NodeId n) {
  Conditional c;
  c.node = n;
  c.dialect = Dialect::TensorRT;
  c.capturesAllowed = true;
  for (std::string_view name : {"true", "false"}) {
    c.branches.emplace_back();
    c.branches.back().name = name;
  }
  return c;
}

/// The handle of the conditional that \p n belongs to; none for what is at no boundary.
ValueId handleOf(const Model &m, NodeId n) {
  const Operator &op = m[m[n].op];
  return op.dialect == Dialect::TensorRT && m.text(op.name).starts_with("IfConditional.") ? operandAt(m, n, 0)
                                                                                          : ValueId();
}

void addBoundary(const Model &m, Conditional &c, NodeId n) {
  const std::string_view name = m.text(m[m[n].op].name);
  if (name == "IfConditional.setCondition") {
    if (c.conditionLayers.empty()) {
      c.predicate = operandAt(m, n, 1);
      c.predicateKind = c.predicate ? PredicateKind::Value : PredicateKind::Missing;
    }
    c.conditionLayers.push_back(n);
  } else if (name == "IfConditional.addInput") {
    c.inputLayers.push_back(n);
    c.operands.push_back({operandAt(m, n, 1), {}});
  } else {
    c.outputLayers.push_back(n);
  }
}

/// The graphs of \p m that conditionals are looked for in, in the file's order.
std::vector<GraphId> roots(const Model &m, bool instances) {
  std::vector<GraphId> out;
  if (m.main())
    out.push_back(m.main());
  if (m.functionCount() == 0)
    return out;
  std::vector<std::vector<GraphId>> copies(instances ? m.graphCount() : 0);
  for (std::uint32_t g = 0; instances && g < m.graphCount(); ++g)
    if (const Graph &graph = m[GraphId(g)]; graph.instanceOf && !graph.parent)
      copies[graph.instanceOf.index()].push_back(GraphId(g));
  for (std::uint32_t f = 0; f < m.functionCount(); ++f) {
    const GraphId body = m[FunctionId(f)].body;
    if (!body)
      continue;
    if (instances && !copies[body.index()].empty())
      out.insert(out.end(), copies[body.index()].begin(), copies[body.index()].end());
    else
      out.push_back(body);
  }
  return out;
}

} // namespace

std::string spellMisplaced(const Model &m, const Misplaced &x) {
  if (x.kind == AttributeKind::Opaque && x.text)
    return std::string(m.text(x.text));
  return std::string(wordsFor(x.kind, m.info.format == Format::Cxx).phrase);
}

std::string_view nameOfMisplaced(const Model &m, const Misplaced &x) {
  return x.kind == AttributeKind::Opaque && x.text ? m.text(x.text) : wordsFor(x.kind, false).name;
}

static bool makesConditionals(const Model &m, const Operator &op) {
  if (op.dialect == Dialect::Torch)
    return m.text(op.name) == condOperator && m.text(op.domain) == higherOrderDomain;
  if (op.dialect == Dialect::Onnx)
    return m.text(op.name) == "If" && m.text(op.domain).empty();
  return m.text(op.name) == "addIfConditional" && m.text(op.domain).empty();
}

bool isConditional(const Model &m, NodeId n) { return makesConditionals(m, m[m[n].op]); }

Conditional conditionalAt(const Model &m, NodeId n) {
  if (m[m[n].op].dialect == Dialect::TensorRT) {
    Conditional c = networkConditional(n);
    for (NodeId k : m.nodes(m[n].graph))
      if (const ValueId handle = handleOf(m, k); handle && handle == m.result(n, 0))
        addBoundary(m, c, k);
    return c;
  }
  return m[m[n].op].dialect == Dialect::Onnx ? onnxConditional(m, n) : torchConditional(m, n);
}

std::vector<Conditional> conditionals(const Model &m, bool instances) {
  std::vector<Conditional> out;
  std::vector<bool> selects(m.operatorCount());
  for (std::uint32_t o = 0; o < selects.size(); ++o)
    selects[o] = makesConditionals(m, m[OperatorId(o)]);
  // The graphs still to be walked, as the node to go on with: no recursion, for
  // a file may nest as deep as it likes.
  std::vector<NodeId> stack;
  std::unordered_map<ValueId, std::size_t> handles;
  for (GraphId root : roots(m, instances)) {
    stack.push_back(m[root].firstNode);
    while (!stack.empty()) {
      NodeId n = stack.back();
      stack.pop_back();
      for (bool descends = false; n && !descends; n = m[n].next) {
        if (selects[m[n].op.index()]) {
          const bool isOfNetwork = m[m[n].op].dialect == Dialect::TensorRT;
          if (isOfNetwork)
            handles.emplace(m.result(n, 0), out.size());
          out.push_back(isOfNetwork ? networkConditional(n) : conditionalAt(m, n));
        }
        const auto regions = m.regions(n);
        if (regions.empty())
          continue;
        descends = true;
        stack.push_back(m[n].next);
        for (std::size_t r = regions.size(); r-- > 0;)
          if (regions[r])
            stack.push_back(m[regions[r]].firstNode);
      }
    }
    // A layer may be rewired to a conditional that is added after it.
    if (handles.empty())
      continue;
    for (NodeId n : m.nodes(root))
      if (const auto of = handles.find(handleOf(m, n)); of != handles.end())
        addBoundary(m, out[of->second], n);
    handles.clear();
  }
  return out;
}

} // namespace condlint
