//===- NodeReader.cpp - NodeProto to nodes ------------------------------ ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GraphReader.h"
#include "Proto.h"
#include "Traceback.h"
#include "WireDepth.h"
#include "graph/Spelling.h"
#include "ops/OnnxOpset.h"
#include <algorithm>
#include <fmt/format.h>
#include <span>

namespace condlint::onnx {

namespace {

constexpr std::string_view longDomain = "is written 'ai.onnx', not ''";

} // namespace

void GraphReader::lookAhead(std::string_view bytes, NodeAhead &node) const {
  node.inputs.clear();
  node.attributes.clear();
  node.outputs.clear();
  node.name = node.opType = node.domain = {};
  node.hasMore = false;
  for (WireReader r(bytes); r.next();) {
    switch (r.key()) {
    case lengthKey(nodeProto::input):
      node.inputs.push_back(r.bytes());
      break;
    case lengthKey(nodeProto::output):
      node.outputs.push_back({r.bytes(), m.strings.prefetch(r.bytes())});
      break;
    case lengthKey(nodeProto::name):
      node.name = r.bytes();
      node.nameHash = m.strings.prefetch(r.bytes());
      break;
    case lengthKey(nodeProto::opType):
      node.opType = r.bytes();
      break;
    case lengthKey(nodeProto::attribute):
      node.attributes.push_back(r.bytes());
      break;
    case lengthKey(nodeProto::domain):
      node.domain = r.bytes();
      break;
    default:
      node.hasMore = true;
    }
  }
}

/// What few nodes have.
struct GraphReader::RareFields {
  std::string_view overload, doc, traceback;
};

GraphReader::RareFields GraphReader::readRareFields(std::string_view bytes, std::uint32_t depth) {
  RareFields f;
  for (WireReader r(bytes); r.next();) {
    switch (r.key()) {
    case lengthKey(nodeProto::input):
    case lengthKey(nodeProto::output):
    case lengthKey(nodeProto::name):
    case lengthKey(nodeProto::opType):
    case lengthKey(nodeProto::attribute):
    case lengthKey(nodeProto::domain):
      break; // read by `lookAhead`
    case lengthKey(nodeProto::docString):
      f.doc = r.bytes();
      break;
    case lengthKey(nodeProto::overload):
      f.overload = r.bytes();
      break;
    case lengthKey(nodeProto::metadata): {
      const Entry e = readEntry(c, r.bytes(), depth + 1);
      if (isTracebackKey(e.key) && !e.value.empty())
        f.traceback = e.value;
      break;
    }
    case lengthKey(nodeProto::devices):
      c.reach(deepestMessage(r.bytes(), Message::NodeDevices, depth + 1));
      break;
    default:
      c.skip(r, nodeProto::known, depth, "NodeProto");
    }
  }
  return f;
}

void GraphReader::readNames(const NodeAhead &f, GraphId g) {
  operandIds.clear();
  for (const std::string_view input : f.inputs)
    operandIds.push_back(input.empty() ? ValueId() : use(names.intern(input), g));
  resultNames.clear();
  for (const auto &[name, hash] : f.outputs)
    resultNames.push_back(name.empty() ? emptyId : names.intern(name, hash));
}

bool GraphReader::readPlainNode(const NodeAhead &f, GraphId g, const char *at) {
  if (f.hasMore || function || f.name.empty() || !f.domain.empty() || !f.attributes.empty() || f.opType == "Constant")
    return false;
  const Operators::Entry &op = operators.find({}, f.opType, {});
  if (op.atFault || op.function)
    return false;
  const StringId name = m.strings.internStable(f.name, f.nameHash);
  nodeNames.push_back(name);
  defineResults(m.addNode(g, op.op, name, operandIds, resultNames, {}), at);
  return true;
}

void GraphReader::readAnyNode(std::string_view bytes, const NodeAhead &f, GraphId g, std::uint32_t depth) {
  const std::size_t issues = m.issues.size();
  const RareFields rare = f.hasMore ? readRareFields(bytes, depth) : RareFields();
  attributes.clear();
  Frame<Pending> graphs(pendingGraphs);
  const std::size_t firstPending = pendingGraphs.size();
  const bool isConstant = f.opType == "Constant" && isOnnxDomain(f.domain);
  for (std::string_view attribute : f.attributes)
    attributes.push_back(readAttribute(attribute, depth + 1, firstPending, g, isConstant && isSettled(f.opType, g)));
  if (!attributes.empty())
    checkAttributeNames(g, isConstant, firstPending, bytes.data());

  Operators::Entry &op = operators.find(f.domain, f.opType, rare.overload);
  const StringId nodeName =
      f.name.empty() ? operators.positionName(op, m[g].nodeCount) : m.strings.internStable(f.name, f.nameHash);
  // ONNX Runtime has made initializers of constants when it looks at names.
  if (!f.name.empty() && !isConstant)
    nodeNames.push_back(nodeName);
  const NodeId n = m.addNode(g, op.op, nodeName, operandIds, resultNames, attributes);
  m[n].callee = op.callee;
  if (op.function && function)
    callList.push_back({function, n, op.function});
  if (!rare.traceback.empty() || !rare.doc.empty())
    m[n].location = m.addLocation(rare.traceback.empty() ? rare.doc : rare.traceback, decodeTraceback);
  if (m.issues.size() != issues) [[unlikely]]
    locateIssues(issues, n, isConstant);
  if (op.atFault)
    operators.blame(op, n, bytes.data(), isEmptyPassed(f.opType, g));
  if ((function || g != m.main()) && isOnnxDomain(f.domain))
    checkDomain(f.domain, n, bytes.data());
  if (!firstLong && !op.atFault && f.domain == longOnnxDomain)
    firstLong = n;
  if (op.isIf)
    checkIf(n, bytes.data());
  // Branches see what is defined before their node, not its own results.
  if (graphs.size() != 0)
    readRegions(n, graphs.all(), depth + 2);
  defineResults(n, bytes.data());
}

void GraphReader::locateIssues(std::size_t since, NodeId n, bool isConstant) {
  const GraphId g = m[n].graph;
  // ONNX Runtime makes initializers of constants, but inside of nodes it runs onnx's checker first.
  const auto doubled = tensors.doubledData();
  if (doubled && *doubled >= since && *doubled + 1 == m.issues.size() && isConstant && !m[g].owner)
    c.locate(*doubled, g, n, m.result(n, 0));
  c.locate(since, g, n);
  if (const auto wrong = tensors.wrongData();
      wrong && *wrong >= since && *wrong + 1 == m.issues.size() && isConstant && m.resultCount(n) != 0)
    keepWrongData(m.result(n, 0), false);
}

void GraphReader::checkAttributeNames(GraphId g, bool isConstant, std::size_t firstPending, const char *at) {
  const auto isDoubled = [&](const Attribute &a) {
    const std::span before(attributes.data(), static_cast<std::size_t>(&a - attributes.data()));
    return std::ranges::find(before, a.name, &Attribute::name) != before.end();
  };
  constexpr std::size_t few = 16;
  if (attributes.size() <= few && std::ranges::none_of(attributes, isDoubled))
    return;
  // A generation for each node makes an array of names a set that needs no clearing.
  if (attributeOwner.size() < m.strings.size())
    attributeOwner.resize(m.strings.size() * 2, 0xffffffffu);
  const auto next = static_cast<std::uint32_t>(m.nodeCount());
  const std::size_t issues = m.issues.size();
  for (const Attribute &a : attributes) {
    std::uint32_t &owner = attributeOwner[a.name.index()];
    if (owner == next)
      c.report(FormatIssue::Kind::Malformed, at, fmt::format("the attribute {} stands twice", quoted(m.text(a.name))));
    owner = next;
  }
  if (m.issues.size() == issues || !isDoublePassed(g, isConstant))
    return;
  passIssues(issues, m.issues.size());
  if (!isConstant)
    keepLastOfEach(firstPending);
}

/// "ai.onnx" means ONNX's own domain as "" does, but ONNX Runtime replaces it by that in the nodes of the main graph
/// alone, and finds what a function imports by the very word that its nodes have. onnx's checker knows operators by ""
/// alone, wherever their nodes stand.
void GraphReader::checkDomain(std::string_view domain, NodeId n, const char *at) {
  const bool isLong = !domain.empty();
  if (function && !operators.imports(domain)) {
    // Imported by neither word, the operator is at fault itself.
    if (operators.imports(isLong ? "" : longOnnxDomain))
      sayDomain(n, at, isLong ? "is written 'ai.onnx' and imported as ''" : "is imported as 'ai.onnx' alone");
  } else if (function && isLong) {
    longDomains.push_back(n); // which is wrong where the function is called
  } else if (isLong) {
    sayDomain(n, at, longDomain);
  }
}

void GraphReader::sayDomain(NodeId n, const char *at, std::string_view how) {
  if (!std::exchange(domainSaid, true))
    c.report(
        FormatIssue::Kind::MalformedOnnx, at,
        fmt::format("the domain of {} {}: onnx's checker takes the two for different ones, and ONNX Runtime inside "
                    "of nodes and functions",
                    m.text(m[m[n].op].name), how),
        m[n].graph, n);
}

void GraphReader::settleDomains() {
  if (!longDomains.empty())
    checkCalledDomains();
  if (firstLong && !domainSaid)
    c.report(FormatIssue::Kind::MalformedChecker, nullptr,
             fmt::format("the domain of {} {}: onnx's checker knows no operator by that, though ONNX Runtime takes it",
                         m.text(m[m[firstLong].op].name), longDomain),
             m[firstLong].graph, firstLong);
}

void GraphReader::checkCalledDomains() {
  std::vector<bool> called(m.graphCount(), false);
  for (std::uint32_t i = 0; i < m.nodeCount(); ++i)
    if (const GraphId callee = m[NodeId(i)].callee)
      called[callee.index()] = true;
  for (const NodeId n : longDomains) {
    GraphId body = m[n].graph;
    while (m[body].parent)
      body = m[body].parent;
    if (called[body.index()])
      sayDomain(n, nullptr, longDomain);
  }
}

void GraphReader::checkMappedResults(NodeId n, GraphId body) {
  const auto isBranch = [&](GraphId g) { return m[g].owner && m.text(m[m[m[g].owner].op].name) == "If"; };
  GraphId around = m[n].graph;
  while (around && around != m.main() && !isBranch(around))
    around = m[around].parent;
  if (around != m.main())
    return;
  for (const ValueId v : m.results(body))
    if (v && m.types[m[v].recorded].kind == ValueKind::Unknown)
      return void(c.report(
          FormatIssue::Kind::MalformedOrt, nullptr,
          fmt::format("the output {} of the body has no type, which ONNX Runtime needs", quoted(m.name(v))), body));
}

void GraphReader::checkBodyInputs(NodeId n) {
  const std::string_view op = m.text(m[m[n].op].name);
  const GraphId body = m.regions(n).size() == 1 ? m.regions(n)[0] : GraphId();
  if (!body || (op != "Loop" && op != "SequenceMap"))
    return;
  const Range parameters = m[body].parameters;
  const auto typeOf = [&](std::uint32_t i) -> const Type & {
    return m.types[m[ValueId(parameters.first + i)].recorded];
  };
  const auto nameOf = [&](std::uint32_t i) { return quoted(m.name(ValueId(parameters.first + i))); };
  if (op == "SequenceMap")
    return checkMappedResults(n, body);
  // What is not given has the type that the body declares; of the number of the trip that is never looked at before a
  // run, for which ONNX Runtime needs its shape.
  const auto operands = m.operands(n);
  const bool isConditionGiven = operands.size() > 1 && operands[1];
  if (parameters.count > 1 && !isConditionGiven && typeOf(1).kind == ValueKind::Unknown)
    // A type that is there and empty is one that onnx's inference hands on; ONNX Runtime counts it as none.
    c.report(emptyTyped.contains(ValueId(parameters.first + 1)) ? FormatIssue::Kind::MalformedOrt
                                                                : FormatIssue::Kind::Malformed,
             nullptr,
             fmt::format("the condition {} of the loop's body has no type: none is given to the loop, and type "
                         "inference fails",
                         nameOf(1)),
             body);
  else if (parameters.count > 0 && !typeOf(0).hasRank)
    c.report(FormatIssue::Kind::MalformedOrt, nullptr,
             fmt::format("the trip number {} of the loop's body has no shape: ONNX Runtime fails when the loop runs",
                         nameOf(0)),
             body);
  else if (parameters.count > 1 && !isConditionGiven && !typeOf(1).hasRank)
    c.report(FormatIssue::Kind::MalformedOrt, nullptr,
             fmt::format("the condition {} of the loop's body has no shape: ONNX Runtime fails when the loop runs",
                         nameOf(1)),
             body);
}

void GraphReader::defineResults(NodeId n, const char *at) {
  const Range results = m[n].results;
  std::optional<std::uint32_t> unnamed;
  for (std::uint32_t i = 0; i < results.count; ++i) {
    const ValueId v(results.first + i);
    define(m[v].name, v, at, Definition::Plain);
    if (m[v].name == emptyId && !unnamed)
      unnamed = i;
  }
  if (unnamed) [[unlikely]]
    sayUnnamed(n, *unnamed, at);
}

void GraphReader::sayUnnamed(NodeId n, std::uint32_t result, const char *at) {
  const Operator &op = m[m[n].op];
  if (!m[n].callee && result < onnxSingleOutputs(m.text(op.domain), m.text(op.name), op.version))
    c.report(FormatIssue::Kind::Malformed, at,
             fmt::format("output {} of {} has no name, and is none that may be left out", result, m.text(op.name)),
             m[n].graph, n);
  if (m[n].regions.count != 0 && m.text(op.domain).empty())
    c.report(FormatIssue::Kind::MalformedOrt, at,
             fmt::format("output {} of {} has no name: ONNX Runtime needs one for whatever a subgraph yields, used or "
                         "not, and fails or crashes without",
                         result, m.text(op.name)),
             m[n].graph, n);
}

void GraphReader::checkIf(NodeId n, const char *at) {
  constexpr std::string_view branches[] = {"then_branch", "else_branch"};
  for (const Attribute &a : m.attributes(n)) {
    const std::string_view name = m.text(a.name);
    // Names that begin so are tools' own.
    if (name == branches[0] || name == branches[1] || name.empty() || name.starts_with("__"))
      continue;
    // A branch that is misspelt is one that is missing, which a rule finds.
    const std::string_view meant = a.kind == AttributeKind::Region ? nearestName(name, branches) : std::string_view();
    const bool isMisspelt = !meant.empty() && m.attribute(n, meant) == nullptr;
    if (!isMisspelt)
      c.report(FormatIssue::Kind::Malformed, at,
               fmt::format("If has no attribute {}: only then_branch and else_branch", quoted(name)), m[n].graph, n);
  }
}

void GraphReader::readRegions(NodeId n, std::span<const Pending> pending, std::uint32_t depth) {
  Frame<GraphId> regions(regionIds);
  const std::size_t first = static_cast<std::size_t>(pending.data() - pendingGraphs.data());
  const std::size_t count = pending.size();
  for (std::size_t i = 0; i < count; ++i) {
    // Nested nodes push onto the same stack.
    const Pending p = pendingGraphs[first + i];
    const GraphId g = m.addGraph(StringId(), p.role, m[n].graph, n);
    regions.add(g);
    readGraph(p.bytes, g, depth);
  }
  m.setRegions(n, regions.all());
  if (m.text(m[m[n].op].domain).empty())
    checkBodyInputs(n);
}

} // namespace condlint::onnx
