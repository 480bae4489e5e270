//===- JsonReader.cpp - A graph in JSON becomes a model -------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "json/JsonReader.h"
#include "condlint/Reader.h"
#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace condlint::json {
namespace {

template <class Enum, class Names> Enum enumerator(const View &v, const Names &names) {
  const std::string text = v.text();
  const auto at = std::find(std::begin(names), std::end(names), text);
  if (at == std::end(names)) {
    std::string all;
    for (const std::string_view n : names)
      all += fmt::format("{}'{}'", all.empty() ? "" : ", ", n);
    v.refuse(fmt::format("expected one of {}, found '{}'", all, text));
  }
  return static_cast<Enum>(at - std::begin(names));
}

const std::array<std::string_view, 7> roleNames{
    parameterRoleName(ParameterRole::Input),        parameterRoleName(ParameterRole::Parameter),
    parameterRoleName(ParameterRole::Buffer),       parameterRoleName(ParameterRole::Constant),
    parameterRoleName(ParameterRole::CustomObject), parameterRoleName(ParameterRole::Token),
    parameterRoleName(ParameterRole::ScalarInput)};

const std::array<std::string_view, 4> formatNames{formatName(Format::Pt2), formatName(Format::Onnx),
                                                  formatName(Format::Json), formatName(Format::Cxx)};
const std::array<std::string_view, 3> dialectNames{dialectName(Dialect::Torch), dialectName(Dialect::Onnx),
                                                   dialectName(Dialect::TensorRT)};

template <class Enum, std::size_t count> std::array<std::string_view, count> namesOf(std::string_view (*name)(Enum)) {
  std::array<std::string_view, count> out;
  for (std::size_t i = 0; i < count; ++i)
    out[i] = name(static_cast<Enum>(i));
  return out;
}
const auto captureKindNames = namesOf<CaptureKind, 8>(captureKindName);
const auto captureContentNames = namesOf<CaptureContent, 4>(captureContentName);

/// Calls \p f with each element of the array \p key, if there is one.
template <class F> void each(const View &v, std::string_view key, F f) {
  if (const auto list = v.find(key))
    for (std::size_t i = 0; i < list->size(); ++i)
      f((*list)[i], i);
}

} // namespace

JsonReader::JsonReader() : bytes(std::make_shared<std::deque<std::string>>()) { m.backing.push_back(bytes); }

Model JsonReader::read(const View &root) {
  root.keys({"condlint", "format", "dialect", "name", "producer", "version", "irVersion", "schemaVersion", "opsets",
             "otherDefaultFloat", "recorded", "wireDepth", "symbols", "graph", "functions", "issues"});
  if (const std::string tag = root.at("condlint").text(); tag != formatTag)
    root.at("condlint").refuse(fmt::format("expected \"{}\", found \"{}\"", formatTag, tag));
  info(root);
  scope = std::make_unique<NameScope>(m.info.dialect == Dialect::Torch);
  currentOpsets = &m.info.opsets;
  findIssues = !root.find("issues");
  if (const auto v = root.find("symbols"))
    symbols(*v);
  // Functions exist before the calls of them are read.
  each(root, "functions", [&](const View &v, std::size_t) {
    v.keys({"domain", "name", "overload", "attributes", "defaults", "opsets", "graph"});
    Function f;
    f.domain = v.find("domain") ? intern(*v.find("domain")) : m.strings.intern("");
    f.name = intern(v.at("name"));
    f.overload = v.find("overload") ? intern(*v.find("overload")) : StringId();
    m.addFunction(std::move(f));
  });
  if (const auto v = root.find("graph"); v && !v->isNull())
    m.setMain(graph(*v, "main", GraphId(), NodeId()));
  each(root, "functions",
       [&](const View &v, std::size_t i) { function(v, FunctionId(static_cast<std::uint32_t>(i))); });
  applyPatches();
  for (const auto &[g, list] : captured)
    m.setCaptures(g, list);
  linkCalls();
  settleShadows(m, shadows);
  if (const auto v = root.find("issues"))
    issues(*v);
  for (const auto &[name, range] : bounds)
    m.dims.setBounds(name, range);
  resolveUndefined(m);
  return std::move(m);
}

void JsonReader::info(const View &root) {
  if (const auto v = root.find("format"))
    m.info.format = enumerator<Format>(*v, formatNames);
  m.info.dialect = enumerator<Dialect>(root.at("dialect"), dialectNames);
  if (m.info.format == Format::Cxx) // what a tracer freezes is no graph
    m.info.frontEnd = m.info.dialect == Dialect::TensorRT ? FrontEnd::TensorRT : FrontEnd::Torch;
  if (const auto v = root.find("recorded"); v && v->boolean()) {
    if (m.info.format != Format::Json || m.info.dialect != Dialect::Torch)
      v->refuse("only a graph of torch that was read from no file is recorded");
    m.info.frontEnd = FrontEnd::Torch;
  }
  if (const auto v = root.find("name"))
    m.info.name = v->text();
  if (const auto v = root.find("producer"))
    m.info.producer = v->text();
  if (const auto v = root.find("version"))
    m.info.version = v->text();
  if (const auto v = root.find("otherDefaultFloat"))
    m.info.otherDefaultFloat = v->boolean();
  if (const auto v = root.find("irVersion"))
    m.info.irVersion = v->integer();
  if (const auto v = root.find("schemaVersion")) {
    v->keys({"major", "minor"});
    m.info.schemaMajor = v->at("major").integer();
    m.info.schemaMinor = v->at("minor").integer();
  }
  if (const auto v = root.find("opsets"))
    m.info.opsets = opsets(*v);
  if (const auto v = root.find("wireDepth"))
    m.info.wireDepth = v->index32();
}

/// An object from domains to versions, or a list of pairs (domains that occur twice).
Opsets JsonReader::opsets(const View &v) const {
  Opsets out;
  if (v.isObject()) {
    v.eachMember([&](const std::string &domain, const View &version) { out.emplace_back(domain, version.integer()); });
    return out;
  }
  for (std::size_t i = 0; i < v.size(); ++i) {
    const View pair = v[i];
    if (pair.size() != 2)
      pair.refuse("expected a domain and a version");
    out.emplace_back(pair[0].text(), pair[1].integer());
  }
  return out;
}

void JsonReader::symbols(const View &v) {
  const auto declare = [&](const std::string &name, const View &facts) {
    Interval range{0, std::numeric_limits<std::int64_t>::max()};
    if (const auto min = facts.find("min"))
      range.min = min->isNull() ? std::numeric_limits<std::int64_t>::min() : min->integer();
    if (const auto max = facts.find("max"); max && !max->isNull())
      range.max = max->integer();
    if (range.min > range.max)
      facts.refuse("expected min to be at most max");
    const auto origin = facts.find("origin");
    // Sizes are read as they are written: bounds by which they could be
    // simplified are set at the end.
    m.dims.symbol(name, origin ? enumerator<SymbolOrigin>(*origin, originNames) : SymbolOrigin::Declared, Interval());
    if (!knownSymbols.insert(name).second)
      facts.refuse("the symbol is declared twice");
    bounds.emplace_back(name, range);
  };
  if (v.isObject()) {
    v.eachMember([&](const std::string &name, const View &f) {
      f.keys({"min", "max", "origin"});
      declare(name, f);
    });
    return;
  }
  for (std::size_t i = 0; i < v.size(); ++i) {
    const View f = v[i];
    f.keys({"name", "min", "max", "origin"});
    declare(f.at("name").text(), f);
  }
}

void JsonReader::function(const View &v, FunctionId f) {
  std::vector<StringId> names, domains;
  std::vector<Attribute> defaults;
  each(v, "attributes", [&](const View &x, std::size_t) { names.push_back(intern(x)); });
  each(v, "defaults", [&](const View &x, std::size_t) { defaults.push_back(attribute(x, nullptr)); });
  m[f].attributes = m.poolStrings(names);
  m[f].defaults = m.poolAttributes(defaults);
  Opsets imports;
  if (const auto x = v.find("opsets"))
    imports = opsets(*x);
  for (const auto &[domain, version] : imports) {
    domains.push_back(m.strings.intern(domain));
    m[f].opsetVersions.push_back(version);
  }
  m[f].opsetDomains = m.poolStrings(domains);
  std::string role(m.text(m[f].domain));
  role += (role.empty() ? "" : ".") + std::string(m.text(m[f].name));
  currentOpsets = &imports;
  const GraphId body = graph(v.at("graph"), role, GraphId(), NodeId());
  currentOpsets = &m.info.opsets;
  m[f].body = body;
  m[body].function = f;
}

GraphId JsonReader::graph(const View &v, std::string_view role, GraphId parent, NodeId owner) {
  v.keys({"name", "role", "id", "location", "captures", "parameters", "constants", "nodes", "results", "resultRoles",
          "tooDeep"});
  const auto name = v.find("name"), writtenRole = v.find("role");
  const GraphId g = m.addGraph(name ? intern(*name) : StringId(),
                               writtenRole ? intern(*writtenRole) : m.strings.intern(role), parent, owner);
  remember(v, graphIds, g.index());
  if (const auto x = v.find("location"))
    m[g].location = location(*x);
  captures(v, g, parent);
  if (const auto x = v.find("tooDeep"))
    m[g].tooDeep = x->boolean();
  if (m[g].depth > maxGraphDepth) {
    m[g].tooDeep = true;
    issue(FormatIssue::Kind::TooDeep, v,
          fmt::format("graphs nest deeper than {} levels; the rest is not read", maxGraphDepth), g, owner, ValueId());
    return g;
  }
  scope->enter();
  parameters(v, g);
  constants(v, g);
  each(v, "nodes", [&](const View &x, std::size_t) { node(x, g); });
  std::vector<ValueId> results;
  each(v, "results", [&](const View &x, std::size_t i) { results.push_back(reference(x, g, pending, i)); });
  m.setResults(g, results);
  std::vector<StringId> roles;
  each(v, "resultRoles", [&](const View &x, std::size_t) { roles.push_back(intern(x)); });
  if (!roles.empty() && roles.size() != results.size())
    v.at("resultRoles").refuse(fmt::format("expected one role for each of the {} results", results.size()));
  m.setResultRoles(g, roles);
  scope->leave();
  return g;
}

void JsonReader::captures(const View &v, GraphId g, GraphId parent) {
  std::vector<Capture> list;
  each(v, "captures", [&](const View &x, std::size_t i) {
    x.keys({"name", "kind", "content", "varies", "variable", "firstUse", "calls", "value"});
    Capture c;
    c.name = intern(x.at("name"));
    if (const auto kind = x.find("kind"))
      c.kind = enumerator<CaptureKind>(*kind, captureKindNames);
    if (const auto content = x.find("content"))
      c.content = enumerator<CaptureContent>(*content, captureContentNames);
    if (const auto varies = x.find("varies"))
      c.varies = varies->boolean();
    if (const auto variable = x.find("variable"))
      c.variable = variable->integer();
    if (const auto use = x.find("firstUse"))
      c.firstUse = location(*use);
    if (const auto calls = x.find("calls"))
      c.calls = locations(*calls);
    if (const auto value = x.find("value")) {
      std::vector<Patch> patches;
      c.value = reference(*value, parent ? parent : g, patches, i);
      for (Patch &p : patches) {
        p.graph = g;
        p.capture = true;
        pending.push_back(std::move(p));
      }
    }
    list.push_back(c);
  });
  if (!list.empty())
    captured.emplace(g, std::move(list));
}

void JsonReader::parameters(const View &v, GraphId g) {
  each(v, "parameters", [&](const View &x, std::size_t) {
    x.keys({"name", "type", "role", "id", "inferred", "content", "real", "contradicted", "data"});
    const auto name = x.find("name"), role = x.find("role");
    const ConstantId data = dataOf(x);
    const ValueId p = m.addParameter(g, name ? intern(*name) : StringId(), TypeId(),
                                     role ? enumerator<ParameterRole>(*role, roleNames) : ParameterRole::Input);
    m[p].constant = data;
    facts(x, p);
    define(x, p, false);
  });
}

ConstantId JsonReader::dataOf(const View &v) {
  const auto data = v.find("data"), name = v.find("name"), recorded = v.find("type");
  if (!data)
    return {};
  const ConstantId c = constantData(*data, recorded ? type(*recorded) : TypeId());
  if (!m[c].name && name)
    m[c].name = intern(*name);
  return c;
}

void JsonReader::constants(const View &v, GraphId g) {
  each(v, "constants", [&](const View &x, std::size_t) {
    x.keys({"name", "type", "id", "inferred", "content", "real", "contradicted", "data"});
    const auto name = x.find("name");
    const ConstantId data = dataOf(x);
    const ValueId id = m.addConstant(g, name ? intern(*name) : StringId(), data);
    facts(x, id);
    define(x, id, true);
  });
}

void JsonReader::facts(const View &v, ValueId id) {
  if (const auto x = v.find("type"))
    m[id].recorded = type(*x);
  if (const auto x = v.find("inferred"))
    m[id].type = type(*x);
  if (const auto x = v.find("content"))
    m[id].content = content(*x);
  if (const auto x = v.find("real"))
    m.setReal(id, x->real());
  if (const auto x = v.find("contradicted"))
    m[id].contradicted = x->boolean();
  remember(v, valueIds, id.index());
}

void JsonReader::define(const View &v, ValueId id, bool isConstant) {
  const StringId name = m[id].name;
  if (m.text(name).empty())
    return;
  const auto sound = [&](ValueId old) { return old && m[old].origin != ValueOrigin::Undefined; };
  const GraphId g = m[id].graph;
  const std::string_view text = m.text(name);
  if (sound(scope->own(name)))
    issue(FormatIssue::Kind::Redefined, v, fmt::format("'{}' is defined twice in its graph", text), g, m[id].def, id);
  else if (sound(scope->lookup(name)))
    hide(v, id, scope->lookup(name), isConstant);
  scope->define(name, id);
}

void JsonReader::hide(const View &v, ValueId id, ValueId outer, bool isConstant) {
  const GraphId g = m[id].graph;
  const bool isOnnx = m.info.dialect == Dialect::Onnx;
  const bool isOfLoop =
      isOnnx && m[id].origin == ValueOrigin::Parameter && m[g].owner && m.operatorName(m[m[g].owner].op) != "If";
  FormatIssue::Kind kind = isOfLoop ? FormatIssue::Kind::ShadowedByInput : FormatIssue::Kind::Shadowed;
  if (isConstant)
    kind = isOnnx ? FormatIssue::Kind::ShadowedUnread : FormatIssue::Kind::ShadowedConstant;
  issue(kind, v, fmt::format("'{}' is defined in a scope around its graph already", m.name(id)), g, m[id].def, id);
  if (isConstant)
    shadows.push_back({id, outer, findIssues ? std::optional(m.issues.size() - 1) : std::nullopt});
}

void JsonReader::remember(const View &v, std::unordered_map<std::int64_t, std::uint32_t> &ids, std::uint32_t index) {
  if (const auto id = v.find("id"))
    if (!ids.emplace(id->integer(), index).second)
      id->refuse("the id is given twice");
}

void JsonReader::issue(FormatIssue::Kind kind, const View &v, std::string message, GraphId g, NodeId n, ValueId value) {
  if (findIssues)
    m.issues.push_back({kind, g, n, value, v.pointer(), std::move(message)});
}

ValueId JsonReader::reference(const View &v, GraphId g, std::vector<Patch> &patches, std::size_t index) {
  if (v.isNull())
    return {};
  if (v.isText()) {
    const StringId name = intern(v);
    if (m.text(name).empty())
      v.refuse("expected a name; null stands for an absent operand");
    ValueId found = scope->lookup(name);
    if (!found) {
      found = m.addUndefined(g, name);
      scope->define(name, found);
    }
    return found;
  }
  if (v.isInteger() || v.isBoolean()) {
    Type t;
    t.kind = v.isBoolean() ? ValueKind::SymBool : ValueKind::SymInt;
    const Dim number = m.dims.constant(v.isBoolean() ? (v.boolean() ? 1 : 0) : v.integer());
    return m.addLiteral(g, m.types.intern(t), m.addContent({&number, 1}));
  }
  v.keys({"ref", "undefined", "literal", "content", "real"});
  if (const auto id = v.find("ref")) {
    patches.push_back({NodeId(), g, index, false, id->integer(), v.pointer()});
    return {};
  }
  if (const auto name = v.find("undefined"))
    return m.addUndefined(g, intern(*name));
  const TypeId t = type(v.at("literal"));
  const auto numbers = v.find("content");
  const ValueId id = m.addLiteral(g, t, numbers ? content(*numbers) : ContentId());
  if (const auto real = v.find("real"))
    m.setReal(id, real->real());
  return id;
}

OperatorId JsonReader::operation(const View &v) {
  Operator op;
  op.dialect = m.info.dialect;
  if (!v.isObject() || v.isText()) {
    const std::string text = v.text();
    const OperatorParts parts = splitOperator(op.dialect, text);
    op.domain = m.strings.intern(plainDomain(parts.domain));
    op.name = m.strings.intern(parts.name);
    op.overload = m.strings.intern(parts.overload);
    op.version = impliedVersion(op.dialect, *currentOpsets, m.text(op.domain));
    return m.addOperator(op);
  }
  v.keys({"dialect", "domain", "name", "overload", "version"});
  if (const auto x = v.find("dialect"))
    op.dialect = enumerator<Dialect>(*x, dialectNames);
  const auto domain = v.find("domain"), overload = v.find("overload"), version = v.find("version");
  op.domain = domain ? intern(*domain) : m.strings.intern("");
  op.name = intern(v.at("name"));
  op.overload = overload ? intern(*overload) : m.strings.intern("");
  op.version = version ? static_cast<std::int32_t>(version->integer(std::numeric_limits<std::int32_t>::min(),
                                                                    std::numeric_limits<std::int32_t>::max()))
                       : impliedVersion(op.dialect, *currentOpsets, m.text(op.domain));
  return m.addOperator(op);
}

LocationId JsonReader::location(const View &v) {
  if (v.isText()) { // "path:line:column"
    SourceLocation l;
    l.path = v.text();
    std::array<std::uint32_t, 2> numbers{};
    for (std::uint32_t &number : numbers) {
      const std::size_t colon = l.path.rfind(':');
      const char *first = l.path.data() + (colon == std::string::npos ? 0 : colon + 1);
      const char *last = l.path.data() + l.path.size();
      const auto [end, error] = std::from_chars(first, last, number);
      if (colon == std::string::npos || error != std::errc() || end != last)
        v.refuse("expected a place as \"path:line:column\"");
      l.path.resize(colon);
    }
    l.line = numbers[1];
    l.column = numbers[0];
    return m.addLocation(std::move(l));
  }
  v.keys({"path", "function", "line", "column", "endLine", "endColumn"});
  SourceLocation l;
  if (const auto x = v.find("path"))
    l.path = x->text();
  if (const auto x = v.find("function"))
    l.function = x->text();
  for (const auto &[key, field] : {std::pair("line", &l.line), std::pair("column", &l.column),
                                   std::pair("endLine", &l.endLine), std::pair("endColumn", &l.endColumn)})
    if (const auto x = v.find(key))
      *field = x->index32();
  return m.addLocation(std::move(l));
}

Range JsonReader::locations(const View &v) {
  std::vector<LocationId> out;
  for (std::size_t i = 0; i < v.size(); ++i)
    out.push_back(location(v[i]));
  return m.poolLocations(out);
}

void JsonReader::node(const View &v, GraphId g) {
  v.keys({"op", "name", "id", "operands", "attributes", "results", "regions", "location"});
  Draft draft;
  draft.graph = g;
  each(v, "operands",
       [&](const View &x, std::size_t i) { draft.operands.push_back(reference(x, g, draft.patches, i)); });
  if (const auto x = v.find("regions"))
    draft.regions = static_cast<std::uint32_t>(x->size());
  each(v, "attributes", [&](const View &x, std::size_t) { draft.attributes.push_back(attribute(x, &draft)); });
  std::vector<StringId> names;
  each(v, "results", [&](const View &x, std::size_t) {
    if (x.isText()) {
      names.push_back(intern(x));
      return;
    }
    x.keys({"name", "type", "id", "inferred", "content", "real", "contradicted"});
    names.push_back(x.find("name") ? intern(*x.find("name")) : m.strings.intern(""));
  });
  const OperatorId op = operation(v.at("op"));
  StringId name;
  if (const auto x = v.find("name"))
    name = intern(*x);
  else if (m.info.dialect == Dialect::Torch && !names.empty() && !m.text(names[0]).empty())
    name = names[0];
  else
    name = m.strings.intern(
        fmt::format("{}_{}", m.info.dialect == Dialect::Torch ? "target" : m.text(m[op].name), m[g].nodeCount));
  const NodeId n = m.addNode(g, op, name, draft.operands, names, draft.attributes);
  for (Patch &p : draft.patches) {
    p.node = n;
    pending.push_back(std::move(p));
  }
  if (const auto x = v.find("location"))
    m[n].location = location(*x);
  remember(v, nodeIds, n.index());
  readRegions(v, n);
  // The results are no part of the node's own regions.
  nodeResults(v, n);
}

void JsonReader::readRegions(const View &v, NodeId n) {
  std::vector<GraphId> regions;
  const GraphId g = m[n].graph;
  const auto read = [&](const View &x, std::string_view role) {
    const bool named = x.isObject() && role.empty() && x.find("name");
    regions.push_back(x.isNull() ? GraphId() : graph(x, named ? x.at("name").text() : std::string(role), g, n));
  };
  each(v, "regions", [&](const View &x, std::size_t) { read(x, {}); });
  each(v, "attributes", [&](const View &x, std::size_t) {
    const std::string role = x.find("name") ? x.at("name").text() : std::string();
    if (const auto one = x.find("region"))
      read(*one, role);
    each(x, "regions", [&](const View &r, std::size_t) { read(r, role); });
  });
  m.setRegions(n, regions);
}

void JsonReader::nodeResults(const View &v, NodeId n) {
  each(v, "results", [&](const View &x, std::size_t i) {
    const ValueId id = m.result(n, i);
    if (!x.isText())
      facts(x, id);
    define(x, id, false);
  });
}

void JsonReader::applyPatches() {
  for (const Patch &p : pending) {
    const auto at = valueIds.find(p.id);
    if (at == valueIds.end())
      throw Refusal{p.pointer, fmt::format("no value has the id {}", p.id)};
    if (p.capture)
      captured[p.graph][p.index].value = ValueId(at->second);
    else if (p.node)
      m.setOperand(p.node, p.index, ValueId(at->second));
    else
      m.setResult(p.graph, p.index, ValueId(at->second));
  }
}

void JsonReader::issues(const View &v) {
  for (std::size_t i = 0; i < v.size(); ++i) {
    const View x = v[i];
    x.keys({"kind", "graph", "node", "value", "place", "message"});
    const auto index = [&](std::string_view key, const std::unordered_map<std::int64_t, std::uint32_t> &ids) {
      const auto id = x.find(key);
      if (!id)
        return std::optional<std::uint32_t>();
      const auto at = ids.find(id->integer());
      if (at == ids.end())
        id->refuse("nothing has this id");
      return std::optional(at->second);
    };
    FormatIssue found;
    found.kind = enumerator<FormatIssue::Kind>(x.at("kind"), issueNames);
    if (const auto g = index("graph", graphIds))
      found.graph = GraphId(*g);
    if (const auto n = index("node", nodeIds))
      found.node = NodeId(*n);
    if (const auto value = index("value", valueIds))
      found.value = ValueId(*value);
    found.place = x.find("place") ? x.at("place").text() : std::string();
    found.message = x.find("message") ? x.at("message").text() : std::string();
    m.issues.push_back(std::move(found));
  }
}

/// Finds the function that each node calls. A call that would lead back to
/// itself has no body: what it means cannot be written down.
void JsonReader::linkCalls() {
  if (m.functionCount() == 0)
    return;
  std::unordered_map<std::string, FunctionId> byName;
  const auto key = [&](StringId domain, StringId name, StringId overload) {
    std::string k(m.text(domain));
    for (const StringId part : {name, overload}) {
      k += '\0';
      k += m.text(part);
    }
    return k;
  };
  for (std::uint32_t i = 0; i < m.functionCount(); ++i) {
    const Function &f = m[FunctionId(i)];
    byName.try_emplace(key(f.domain, f.name, f.overload), FunctionId(i));
  }
  std::vector<std::vector<std::pair<NodeId, FunctionId>>> calls(m.functionCount());
  for (std::uint32_t i = 0; i < m.nodeCount(); ++i) {
    const NodeId n(i);
    const Operator &op = m[m[n].op];
    const auto called = byName.find(key(op.domain, op.name, op.overload));
    if (called == byName.end())
      continue;
    m[n].callee = m[called->second].body;
    GraphId root = m[n].graph;
    while (m[root].parent)
      root = m[root].parent;
    if (m[root].function)
      calls[m[root].function.index()].emplace_back(n, called->second);
  }
  // Depth first; a call of a function that is still open closes a circle.
  enum class Mark : std::uint8_t { New, Open, Done };
  std::vector<Mark> marks(m.functionCount(), Mark::New);
  for (std::uint32_t start = 0; start < m.functionCount(); ++start) {
    if (marks[start] != Mark::New)
      continue;
    std::vector<std::pair<std::uint32_t, std::size_t>> path{{start, 0}};
    marks[start] = Mark::Open;
    while (!path.empty()) {
      const std::uint32_t caller = path.back().first;
      if (path.back().second == calls[caller].size()) {
        marks[caller] = Mark::Done;
        path.pop_back();
        continue;
      }
      const auto [n, callee] = calls[caller][path.back().second++];
      if (marks[callee.index()] == Mark::Open) {
        m[n].callee = GraphId();
        if (findIssues)
          m.issues.push_back({FormatIssue::Kind::Malformed, m[n].graph, n, ValueId(), m.path(n),
                              "the function calls itself, which has no end"});
      } else if (marks[callee.index()] == Mark::New) {
        marks[callee.index()] = Mark::Open;
        path.emplace_back(callee.index(), 0);
      }
    }
  }
}

namespace {

Expected<std::vector<Model>> readModels(std::string_view text, const std::string &path) {
  const Document document(text);
  const View root(document);
  std::vector<Model> models;
  const auto read = [&](const View &v) {
    models.push_back(JsonReader().read(v));
    models.back().info.path = path;
  };
  if (!root.isArray())
    read(root);
  else
    for (std::size_t i = 0; i < root.size(); ++i)
      read(root[i]);
  if (models.empty())
    root.refuse("expected at least one model");
  return models;
}

} // namespace
} // namespace condlint::json

namespace condlint {

Expected<std::vector<Model>> readJson(std::shared_ptr<const FileBytes> bytes, const std::string &path) {
  try {
    return json::readModels(bytes->view(), path);
  } catch (const json::Refusal &r) {
    return Error{path, r.place(), r.message, "docs/graph-json.md describes condlint's graph JSON"};
  } catch (const std::length_error &) {
    return Error{path, {}, "holds more than a model can", {}};
  } catch (const std::bad_alloc &) {
    return Error{path, {}, "not enough memory to read the file", {}};
  }
}

} // namespace condlint
