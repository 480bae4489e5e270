//===- GraphReader.cpp - GraphProto and FunctionProto to graphs -------- ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GraphReader.h"
#include "../Agreement.h"
#include "Defaults.h"
#include "Proto.h"
#include "WireDepth.h"
#include <algorithm>
#include <fmt/format.h>
#include <unordered_set>

namespace condlint::onnx {

void GraphReader::readGraph(std::string_view bytes, GraphId g, std::uint32_t depth) {
  c.reach(depth);
  if (m[g].depth >= deepestGraph) {
    m[g].tooDeep = true;
    walkGraph(bytes, depth);
    if (!std::exchange(tooDeepSaid, true))
      c.report(FormatIssue::Kind::TooDeep, bytes.data(),
               fmt::format("graphs nest deeper than {}; what lies further inside is not read", deepestGraph), g,
               m[g].owner);
    return;
  }
  Frame<std::string_view> nodes(nodeViews), inputs(inputViews), outputs(outputViews), infos(infoViews),
      initializers(initializerViews), sparse(sparseViews);
  if (g == m.main()) {
    constexpr std::size_t usualNode = 40, most = 1 << 17; // in bytes, of which large weights take as many as they like
    nodeViews.reserve(std::min(bytes.size() / usualNode, most));
  }
  const std::size_t issues = m.issues.size();
  std::string_view name;
  // The processor does not guess that the next page of the file is read too.
  constexpr std::size_t farAhead = 2048;
  for (WireReader r(bytes); r.next();) {
    switch (r.key()) {
    case lengthKey(graphProto::node):
      nodes.add(r.bytes());
      __builtin_prefetch(r.bytes().data() + farAhead);
      break;
    case lengthKey(graphProto::name):
      name = r.bytes();
      break;
    case lengthKey(graphProto::initializer):
      initializers.add(r.bytes());
      break;
    case lengthKey(graphProto::docString):
      break;
    case lengthKey(graphProto::input):
      inputs.add(r.bytes());
      break;
    case lengthKey(graphProto::output):
      outputs.add(r.bytes());
      break;
    case lengthKey(graphProto::valueInfo):
      infos.add(r.bytes());
      break;
    case lengthKey(graphProto::quantization):
      c.reach(deepestMessage(r.bytes(), Message::Annotation, depth + 1));
      break;
    case lengthKey(graphProto::sparseInitializer):
      sparse.add(r.bytes());
      break;
    case lengthKey(graphProto::metadata):
      readEntry(c, r.bytes(), depth + 1);
      break;
    default:
      c.skip(r, graphProto::known, depth, "GraphProto");
    }
  }
  if (g == m.main())
    reserve(nodes.size(), bytes.size());
  m[g].name = m.strings.internStable(name);
  if (name.empty() && g != m.main()) // of the main graph a rule says so
    c.report(FormatIssue::Kind::Malformed, bytes.data(), "the graph has no name, which ONNX demands");
  const std::size_t entered = scope.enter();
  readInputs(inputs.all(), g, depth + 1);
  readInitializers(initializerViews.size() - initializers.size(), initializers.size(), g, depth + 1, false);
  readInitializers(sparseViews.size() - sparse.size(), sparse.size(), g, depth + 1, true);
  if (g == m.main())
    freeSizesOfDefaults(m);
  c.locate(issues, g, NodeId());
  readNodes(nodeViews.size() - nodes.size(), nodes.size(), g, depth + 1);
  const std::size_t after = m.issues.size();
  readOutputs(outputs.all(), g, depth + 1);
  readValueInfos(infos.all(), g, depth + 1);
  c.locate(after, g, NodeId());
  scope.leave(entered);
}

void GraphReader::reserve(std::size_t nodes, std::size_t bytes) {
  // Nested graphs hold nodes too; a node takes some twenty bytes at least, so
  // that a file with large weights does not reserve for what it does not hold.
  constexpr std::size_t smallestNode = 20;
  const std::size_t expected = std::min(nodes + nodes / 4, bytes / smallestNode);
  const std::size_t others = expected / 16; // parameters, initializers, graphs: doubling for a few of them is dear
  m.reserve(expected, expected + others, expected * 2, expected / 4);
  const std::size_t nameCount = expected * 2 + others; // a node has a name and makes a value
  m.strings.reserve(nameCount);
  scope.reserve(nameCount, expected + others);
}

void GraphReader::readNodes(std::size_t first, std::size_t count, GraphId g, std::uint32_t depth) {
  Frame<StringId> named(nodeNames);
  if (aheadDepth == aheads.size())
    aheads.push_back(std::make_unique<NodesAhead>());
  NodesAhead &ahead = *aheads[aheadDepth++];
  const auto look = [&](std::size_t i) {
    if (i < count)
      lookAhead(nodeViews[first + i], ahead[i]);
  };
  if (count != 0)
    c.reach(depth);
  for (std::size_t i = 0; i < nodesAhead; ++i)
    look(i);
  for (std::size_t i = 0; i < count; ++i) {
    look(i + nodesAhead);
    const NodeAhead &node = ahead[i];
    const std::string_view bytes = nodeViews[first + i]; // a copy: nested nodes push onto the same stack
    readNames(node, g);
    if (!readPlainNode(node, g, bytes.data()))
      readAnyNode(bytes, node, g, depth);
  }
  --aheadDepth;
  checkNodeNames(named.all(), g, count != 0 ? nodeViews[first].data() : nullptr);
}

void GraphReader::readFunction(std::string_view bytes, GraphId g, FunctionId id, std::uint32_t depth) {
  Frame<std::string_view> nodes(nodeViews), outputs(outputViews), infos(infoViews);
  const std::size_t issues = m.issues.size();
  const std::size_t entered = scope.enter();
  function = id;
  std::vector<StringId> attributeNames;
  std::vector<Attribute> defaults;
  // Inputs come before everything that could use or make values.
  for (WireReader r(bytes); r.next();) {
    switch (r.key()) {
    case lengthKey(functionProto::input): {
      const StringId name = m.strings.internStable(r.bytes());
      define(name, m.addParameter(g, name, TypeId()), r.at(), Definition::Plain);
      break;
    }
    case lengthKey(functionProto::output):
      outputs.add(r.bytes());
      break;
    case lengthKey(functionProto::attribute):
      attributeNames.push_back(m.strings.internStable(r.bytes()));
      break;
    case lengthKey(functionProto::attributeProto):
      defaults.push_back(readAttribute(r.bytes(), depth + 1, noRegions, GraphId()));
      break;
    case lengthKey(functionProto::node):
      nodes.add(r.bytes());
      break;
    case lengthKey(functionProto::valueInfo):
      infos.add(r.bytes());
      break;
    case lengthKey(functionProto::metadata):
      readEntry(c, r.bytes(), depth + 1);
      break;
    default:
      // Name, domain, overload and imports were read when it was declared.
      break;
    }
  }
  m[id].attributes = m.poolStrings(attributeNames);
  m[id].defaults = m.poolAttributes(defaults);
  c.locate(issues, g, NodeId());
  readNodes(nodeViews.size() - nodes.size(), nodes.size(), g, depth + 1);
  const std::size_t after = m.issues.size();
  std::vector<ValueId> results;
  for (std::string_view name : outputs.all())
    results.push_back(use(m.strings.internStable(name), g));
  m.setResults(g, results);
  readValueInfos(infos.all(), g, depth + 1);
  c.locate(after, g, NodeId());
  scope.leave(entered);
  function = FunctionId();
}

void GraphReader::walkGraph(std::string_view bytes, std::uint32_t depth) {
  c.reach(deepestMessage(bytes, Message::Graph, depth));
}

GraphReader::NamedType GraphReader::readValueInfo(std::string_view bytes, std::uint32_t depth) {
  c.reach(depth);
  NamedType v;
  Embedded type;
  for (WireReader r(bytes); r.next();) {
    switch (r.key()) {
    case lengthKey(valueInfoProto::name):
      v.name = r.bytes();
      break;
    case lengthKey(valueInfoProto::type):
      type.add(r.bytes());
      break;
    case lengthKey(valueInfoProto::docString):
      break;
    case lengthKey(valueInfoProto::metadata):
      readEntry(c, r.bytes(), depth + 1);
      break;
    default:
      c.skip(r, valueInfoProto::known, depth, "ValueInfoProto");
    }
  }
  v.type = type.whole(c);
  v.hasType = type.isGiven();
  return v;
}

void GraphReader::sayLacksElement(std::string_view name, const char *at) {
  c.report(FormatIssue::Kind::MalformedOrt, at,
           fmt::format("the type of {} has no element type, which ONNX Runtime refuses", quoted(name)));
}

void GraphReader::readInputs(std::span<const std::string_view> inputs, GraphId g, std::uint32_t depth) {
  const bool isMain = g == m.main();
  for (std::string_view bytes : inputs) {
    const NamedType v = readValueInfo(bytes, depth);
    const StringId name = m.strings.internStable(v.name);
    TypeId type;
    if (v.hasType)
      type = isMain ? types.readInput(v.type, depth + 1, v.name) : types.read(v.type, depth + 1);
    if (v.name.empty())
      c.report(FormatIssue::Kind::Malformed, bytes.data(), "an input of the graph has no name");
    else if (isMain && (!type || types.lacksElement()))
      c.report(FormatIssue::Kind::Malformed, bytes.data(),
               fmt::format("the model's input {} has no {}, which ONNX demands", quoted(v.name),
                           type ? "element type" : "type"));
    else if (!isMain && v.hasType && types.lacksElement())
      sayLacksElement(v.name, bytes.data());
    const ValueId input = m.addParameter(g, name, type);
    if (v.hasType && !type)
      emptyTyped.insert(input);
    define(name, input, bytes.data(), Definition::Plain);
  }
}

void GraphReader::readInitializers(std::size_t first, std::size_t count, GraphId g, std::uint32_t depth, bool sparse) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view bytes = (sparse ? sparseViews : initializerViews)[first + i];
    const ConstantId data = sparse ? tensors.readSparse(bytes, depth) : tensors.read(bytes, depth);
    const StringId name = m[data].name;
    const std::string_view text = m.text(name);
    if (text.empty()) {
      const std::size_t issue = m.issues.size();
      c.report(FormatIssue::Kind::Malformed, bytes.data(), "an initializer has no name");
      const ValueId nameless = m.addConstant(g, name, data);
      if (g == m.main() && !sparse && c.freeInitializers())
        c.locate(issue, g, NodeId(), nameless);
      keepWrongData(nameless, sparse);
      continue;
    }
    const ValueId input = scope.lookup(name);
    if (input && m[input].graph == g && m[input].origin == ValueOrigin::Parameter && !m[input].constant) {
      // A default, which the caller may replace: the input is no constant.
      m[input].constant = data;
      Type type = m.types[m[data].type];
      const TypeId declared = m[input].recorded;
      const Type own = m.types[declared];
      if (sparse && m[input].recorded) // a dense tensor that is stored so, unless the input is of a sparse type
        type.layout = m.types[m[input].recorded].layout;
      if (const auto issue = tensors.doubledData(); issue && !sparse && g == m.main())
        passIssues(*issue, *issue + 1);
      declare(input, m.types.intern(type), bytes.data(), false);
      // ONNX Runtime counts an input that has an initializer among the initializers: it may stand twice.
      if (const auto doubled = doubledInputs.find(input); doubled != doubledInputs.end())
        m.issues[doubled->second].kind = FormatIssue::Kind::RedefinedConstant;
      // Runtimes take the shape of the initializer; what is declared goes on having none, which onnx's checker refuses.
      if (own.isTensor() && !own.hasRank && g == m.main()) {
        m[input].type = m[input].recorded;
        m[input].recorded = declared;
      }
      if (c.freeInitializers() && m[g].owner && m.text(m[m[m[g].owner].op].name) != "If")
        c.report(FormatIssue::Kind::Malformed, bytes.data(),
                 fmt::format("{} is an input and an initializer of a nested graph", quoted(text)), g, NodeId(), input);
      continue;
    }
    if (input && m[input].graph == g && m[input].origin == ValueOrigin::Parameter && g == m.main() && !sparse &&
        !m[m[input].constant].sparse && m[m[input].constant].type == m[data].type) {
      m[input].constant = data; // the last one counts
      c.report(FormatIssue::Kind::RedefinedConstant, bytes.data(),
               fmt::format("two initializers have the name {}: the last one counts", quoted(text)), g, NodeId(), input);
      continue;
    }
    const ValueId constant = m.addConstant(g, name, data);
    // Inside of nodes ONNX Runtime runs onnx's checker.
    if (const auto issue = tensors.doubledData(); issue && !sparse && !m[g].owner)
      c.locate(*issue, g, NodeId(), constant);
    keepWrongData(constant, sparse);
    define(name, constant, bytes.data(), Definition::Initializer);
  }
}

void GraphReader::keepWrongData(ValueId initializer, bool sparse) {
  const bool isSeen = m[initializer].graph != m.main() && !tensors.hasTooMuchData();
  if (const auto issue = tensors.wrongData(); issue && !sparse && !isSeen && !function)
    wrongData.push_back({initializer, *issue});
}

void GraphReader::readOutputs(std::span<const std::string_view> outputs, GraphId g, std::uint32_t depth) {
  operandIds.clear();
  for (std::string_view bytes : outputs) {
    const NamedType v = readValueInfo(bytes, depth);
    if (v.name.empty())
      c.report(FormatIssue::Kind::Malformed, bytes.data(), "an output of the graph has no name");
    const ValueId value = use(names.intern(v.name), g);
    operandIds.push_back(value);
    const TypeId type = v.hasType ? types.read(v.type, depth + 1) : TypeId();
    // An output may be left untyped, but a type is whole.
    if (g == m.main() && v.hasType && types.lacksElement())
      c.report(FormatIssue::Kind::Malformed, bytes.data(),
               fmt::format("the model's output {} has no element type, which ONNX demands", quoted(v.name)));
    else if (g != m.main() && v.hasType && types.lacksElement() &&
             !(value && m[value].graph == g && m[value].origin == ValueOrigin::Constant))
      sayLacksElement(v.name, bytes.data());
    // What a branch says of an outer value that it returns is not about that value.
    if (value && m[value].graph == g)
      declare(value, type, bytes.data(), true);
  }
  m.setResults(g, operandIds);
}

void GraphReader::readValueInfos(std::span<const std::string_view> infos, GraphId g, std::uint32_t depth) {
  const auto results = m.results(g);
  const std::unordered_set<ValueId> outputs(results.begin(), results.end());
  for (std::string_view bytes : infos) {
    const NamedType v = readValueInfo(bytes, depth);
    if (!v.hasType)
      continue;
    const TypeId type = types.read(v.type, depth + 1);
    if (types.lacksElement())
      sayLacksElement(v.name, bytes.data());
    const ValueId value = scope.lookup(names.intern(v.name));
    // Inputs, outputs and initializers are declared where they stand; of others the last word counts.
    if (value && m[value].graph == g)
      declare(value, type, bytes.data(), m[value].origin == ValueOrigin::Result && !outputs.contains(value));
    else if (value)
      outerInfos.push_back({value, type, g, bytes.data()});
  }
}

void GraphReader::checkOuterInfos() {
  for (const OuterInfo &info : outerInfos) {
    const auto reads = [&](NodeId n) {
      const auto operands = m.operands(n);
      return std::ranges::find(operands, info.value) != operands.end();
    };
    NodeId n = m[info.graph].firstNode;
    while (n && !reads(n))
      n = m[n].next;
    if (!n)
      continue;
    std::string conflict;
    if (const TypeId recorded = m[info.value].recorded)
      types.merge(recorded, info.type, conflict);
    else if (m[info.value].origin == ValueOrigin::Result)
      m[info.value].recorded = info.type; // for its own node to be held against
    if (!conflict.empty())
      c.report(FormatIssue::Kind::Malformed, info.at,
               fmt::format("the file declares {} again inside of a node, as {}", quoted(m.name(info.value)), conflict),
               info.graph, n);
  }
}

void GraphReader::declare(ValueId v, TypeId type, const char *at, bool preferred) {
  Value &value = m[v];
  if (!type || value.recorded == type)
    return;
  if (!value.recorded) {
    value.recorded = type;
    return;
  }
  std::string conflict;
  const TypeId first = value.recorded;
  const TypeId merged =
      preferred ? types.merge(type, value.recorded, conflict) : types.merge(value.recorded, type, conflict);
  m[v].recorded = merged;
  if (conflict.empty())
    return;
  // What no operator makes is as one of the two says, and nobody knows which: nothing follows from either.
  if (m[v].origin == ValueOrigin::Parameter || m[v].origin == ValueOrigin::Constant)
    m[v].recorded = agreedType(m, first, type);
  c.report(FormatIssue::Kind::Malformed, at,
           fmt::format("the file declares {} twice, as {}", quoted(m.name(v)), conflict), m[v].graph, m[v].def, v);
}

void GraphReader::defineAgain(ValueId before, ValueId v, const char *at, Definition how) {
  const GraphId g = m[v].graph;
  const StringId name = m[v].name;
  if (m[before].graph == g) {
    redefine(before, v, at, how);
  } else if (how == Definition::Initializer) {
    if (c.report(FormatIssue::Kind::ShadowedUnread, at,
                 fmt::format("the initializer {} hides a value of that name around this graph", quoted(m.text(name))),
                 g, m[v].def, v) != nullptr)
      shadows.push_back({v, before, m.issues.size() - 1});
  } else if (m[v].origin == ValueOrigin::Parameter && m[g].owner && m.operatorName(m[m[g].owner].op) != "If") {
    c.report(FormatIssue::Kind::ShadowedByInput, at,
             fmt::format("the input {} of the graph hides a value of that name around it", quoted(m.text(name))), g,
             NodeId(), v);
  } else {
    c.report(
        FormatIssue::Kind::Shadowed, at,
        fmt::format("the name {} is defined again inside a graph where it is visible already", quoted(m.text(name))), g,
        m[v].def, v);
  }
}

void GraphReader::redefine(ValueId before, ValueId v, const char *at, Definition how) {
  const GraphId g = m[v].graph;
  const std::string name = quoted(m.name(v));
  const auto isDense = [&](ValueId x) { return m[x].constant && !m[m[x].constant].sparse; };
  // Of two initializers ONNX Runtime takes the last, but inside of nodes it runs onnx's checker.
  const bool isHarmless = how == Definition::Initializer && g == m.main() && isDense(before) && isDense(v) &&
                          m[before].origin == ValueOrigin::Constant &&
                          m[m[before].constant].type == m[m[v].constant].type;
  const bool isTold = c.report(isHarmless ? FormatIssue::Kind::RedefinedConstant : FormatIssue::Kind::Redefined, at,
                               isHarmless ? fmt::format("two initializers have the name {}: the last one counts", name)
                                          : fmt::format("the name {} is defined twice in one graph", name),
                               g, m[v].def, v) != nullptr;
  if (isTold && g == m.main() && m[v].origin == ValueOrigin::Parameter)
    doubledInputs.emplace(v, m.issues.size() - 1);
}

ValueId GraphReader::useUndefined(StringId name, GraphId g) {
  if (name == emptyId)
    return {};
  ValueId &stand = undefined[(std::uint64_t{g.index()} << 32) | name.index()];
  if (!stand)
    stand = m.addUndefined(g, name);
  return stand;
}

void GraphReader::checkNodeNames(std::span<const StringId> named, GraphId g, const char *at) {
  // A name that nothing had before has a higher id than all others: so are nearly all, and then none stands twice.
  if (std::ranges::adjacent_find(named, std::greater_equal<>()) == named.end())
    return;
  if (nameOwner.size() < m.strings.size())
    nameOwner.resize(m.strings.size() * 2, 0xffffffffu);
  std::size_t doubled = 0;
  StringId first;
  for (StringId name : named) {
    std::uint32_t &owner = nameOwner[name.index()];
    if (owner == g.index() && doubled++ == 0)
      first = name;
    owner = g.index();
  }
  if (doubled != 0)
    c.report(FormatIssue::Kind::MalformedOrt, at,
             fmt::format("two nodes of one graph have the name {}, which ONNX Runtime refuses{}", quoted(m.text(first)),
                         doubled == 1 ? std::string() : fmt::format(" (and {} more)", doubled - 1)),
             g);
}

} // namespace condlint::onnx
