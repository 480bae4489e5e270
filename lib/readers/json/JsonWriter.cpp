//===- JsonWriter.cpp - A model becomes JSON ------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "json/JsonWriter.h"
#include "condlint/Reader.h"
#include "condlint/SourceGraph.h"
#include <algorithm>

namespace condlint::json {

JsonWriter::JsonWriter(const Model &model) : m(model), scope(model.info.dialect == Dialect::Torch) {}

std::string JsonWriter::write() {
  if (m.main())
    markWritten(m.main());
  for (std::uint32_t f = 0; f < m.functionCount(); ++f)
    if (const GraphId body = m[FunctionId(f)].body)
      markWritten(body);
  for (const FormatIssue &i : m.issues) {
    if (i.graph && written.contains(i.graph))
      graphIds.want(i.graph);
    if (i.node && written.contains(m[i.node].graph))
      nodeIds.want(i.node);
    if (i.value && m[i.value].origin != ValueOrigin::Undefined && written.contains(m[i.value].graph))
      valueIds.want(i.value);
  }
  std::size_t length = 0;
  const auto pass = [&](bool keeps) {
    valueIds.restart();
    nodeIds.restart();
    graphIds.restart();
    JsonStream stream(keeps, keeps ? length + 1 : 0); // with the line feed at its end
    out = &stream;
    document();
    length = stream.size();
    return keeps ? stream.take() : std::string();
  };
  do {
    again = false;
    pass(false);
  } while (again);
  return pass(true);
}

void JsonWriter::markWritten(GraphId g) {
  std::vector<GraphId> pending{g};
  while (!pending.empty()) {
    const GraphId next = pending.back();
    pending.pop_back();
    if (!written.insert(next).second)
      continue;
    for (const NodeId n : m.nodes(next))
      for (const GraphId r : m.regions(n))
        if (r)
          pending.push_back(r);
  }
}

void JsonWriter::document() {
  out->beginObject();
  out->member("condlint", formatTag);
  info();
  symbols();
  currentOpsets = &m.info.opsets;
  out->key("graph");
  if (m.main())
    graph(m.main(), "main");
  else
    out->value(JsonOut());
  if (m.functionCount() != 0) {
    out->key("functions");
    out->beginArray();
    for (std::uint32_t f = 0; f < m.functionCount(); ++f)
      function(FunctionId(f));
    out->end();
  }
  out->member("issues", issues());
  out->end();
}

void JsonWriter::info() {
  const ModelInfo &i = m.info;
  out->member("format", formatName(i.format));
  out->member("dialect", dialectName(i.dialect));
  for (const auto &[key, text] :
       {std::pair("name", &i.name), std::pair("producer", &i.producer), std::pair("version", &i.version)})
    if (!text->empty())
      out->member(key, *text);
  if (isRecorded(m))
    out->member("recorded", true);
  if (i.otherDefaultFloat)
    out->member("otherDefaultFloat", true);
  if (i.irVersion != 0)
    out->member("irVersion", i.irVersion);
  if (i.schemaMajor != 0 || i.schemaMinor != 0) {
    JsonOut version = JsonOut::of("major", i.schemaMajor);
    version["minor"] = i.schemaMinor;
    out->member("schemaVersion", std::move(version));
  }
  if (!i.opsets.empty())
    out->member("opsets", opsetsJson(i.opsets));
  if (i.wireDepth != 0)
    out->member("wireDepth", i.wireDepth);
}

/// An object where that says all: the order of its members says nothing.
JsonOut JsonWriter::opsetsJson(const Opsets &opsets) const {
  bool plain = true;
  for (std::size_t i = 0; i < opsets.size(); ++i)
    plain = plain && isUtf8(opsets[i].first) && (i == 0 || opsets[i - 1].first < opsets[i].first);
  JsonOut o = plain ? JsonOut::object() : JsonOut::array();
  for (const auto &[domain, version] : opsets)
    if (plain)
      o.append(domain, version);
    else
      o.push_back(JsonOut::array({domain, version}));
  return o;
}

void JsonWriter::symbols() {
  if (usedSymbols.empty())
    return;
  const bool plain = std::all_of(usedSymbols.begin(), usedSymbols.end(), [](const auto &s) { return isUtf8(s.first); });
  JsonOut all = plain ? JsonOut::object() : JsonOut::array();
  for (const auto &[symbolName, s] : usedSymbols) {
    JsonOut one = JsonOut::object();
    if (!plain)
      one["name"] = JsonOut(symbolName);
    one["origin"] = originNames[static_cast<std::size_t>(s.origin)];
    if (s.bounds.min == std::numeric_limits<std::int64_t>::min())
      one["min"] = nullptr;
    else
      one["min"] = s.bounds.min;
    if (s.bounds.max != std::numeric_limits<std::int64_t>::max())
      one["max"] = s.bounds.max;
    if (plain)
      all.append(symbolName, std::move(one));
    else
      all.push_back(std::move(one));
  }
  out->member("symbols", std::move(all));
}

JsonOut JsonWriter::issues() {
  JsonOut all = JsonOut::array();
  for (const FormatIssue &i : m.issues) {
    JsonOut one = JsonOut::object();
    one["kind"] = issueNames[static_cast<std::size_t>(i.kind)];
    if (i.graph && graphIds.isWanted(i.graph))
      one["graph"] = graphIds.give(i.graph);
    if (i.node && nodeIds.isWanted(i.node))
      one["node"] = nodeIds.give(i.node);
    if (i.value && valueIds.isWanted(i.value))
      one["value"] = valueIds.give(i.value);
    if (!i.place.empty())
      one["place"] = JsonOut(i.place);
    one["message"] = JsonOut(i.message);
    all.push_back(std::move(one));
  }
  return all;
}

void JsonWriter::name(JsonOut &object, std::string_view key, StringId s) const {
  if (!m.text(s).empty())
    object[key] = m.text(s);
}

void JsonWriter::name(std::string_view key, StringId s) {
  if (!m.text(s).empty())
    out->member(key, m.text(s));
}

void JsonWriter::function(FunctionId id) {
  const Function &f = m[id];
  out->beginObject();
  name("domain", f.domain);
  out->member("name", JsonOut(m.text(f.name)));
  name("overload", f.overload);
  if (!f.attributes.empty()) {
    JsonOut names = JsonOut::array();
    for (const StringId s : m.stringsIn(f.attributes))
      names.push_back(JsonOut(m.text(s)));
    out->member("attributes", std::move(names));
  }
  if (!f.defaults.empty()) {
    out->key("defaults");
    out->beginArray();
    for (const Attribute &a : m.attributesIn(f.defaults))
      attribute(a, NodeId(), Placement(), 0);
    out->end();
  }
  Opsets imports;
  const auto domains = m.stringsIn(f.opsetDomains);
  for (std::size_t i = 0; i < domains.size() && i < f.opsetVersions.size(); ++i)
    imports.emplace_back(m.text(domains[i]), f.opsetVersions[i]);
  if (!imports.empty())
    out->member("opsets", opsetsJson(imports));
  currentOpsets = &imports;
  std::string role(m.text(f.domain));
  role += (role.empty() ? "" : ".") + std::string(m.text(f.name));
  out->key("graph");
  if (f.body)
    graph(f.body, role);
  else
    out->value(JsonOut::object());
  currentOpsets = &m.info.opsets;
  out->end();
}

/// What \p list lists of a graph besides nodes: each value with what is known of it.
void JsonWriter::values(std::string_view key, Range list, bool tellsRoles) {
  if (list.empty())
    return;
  out->key(key);
  out->beginArray();
  for (std::uint32_t i = 0; i < list.count; ++i) {
    const ValueId v(list.first + i);
    JsonOut one = JsonOut::object();
    name(one, "name", m[v].name);
    if (tellsRoles && m[v].role != ParameterRole::Input)
      one["role"] = parameterRoleName(m[v].role);
    facts(one, v);
    if (m[v].constant)
      one["data"] = constantData(m[v].constant, m[v].recorded, m[v].name);
    define(v);
    out->value(std::move(one));
  }
  out->end();
}

void JsonWriter::references(std::span<const ValueId> list) {
  out->beginArray();
  for (const ValueId v : list)
    out->value(reference(v));
  out->end();
}

void JsonWriter::graph(GraphId id, std::string_view role) {
  const Graph &g = m[id];
  out->beginObject();
  name("name", g.name);
  if (m.text(g.role) != role)
    out->member("role", JsonOut(m.text(g.role)));
  number(graphIds, id);
  if (g.tooDeep)
    out->member("tooDeep", true);
  if (const SourceLocation l = m.location(id); l != SourceLocation())
    out->member("location", location(l));
  if (!m.captures(id).empty()) {
    JsonOut captures = JsonOut::array();
    for (const Capture &c : m.captures(id))
      captures.push_back(capture(c));
    out->member("captures", std::move(captures));
  }
  scope.enter();
  values("parameters", g.parameters, true);
  values("constants", g.constants, false);
  out->key("nodes");
  out->beginArray();
  for (const NodeId n : m.nodes(id))
    node(n);
  out->end();
  out->key("results");
  references(m.results(id));
  if (!g.resultRoles.empty()) {
    JsonOut roles = JsonOut::array();
    for (const StringId s : m.stringsIn(g.resultRoles))
      roles.push_back(JsonOut(m.text(s)));
    out->member("resultRoles", std::move(roles));
  }
  scope.leave();
  out->end();
}

void JsonWriter::region(GraphId g, std::string_view attributeName) {
  if (!g)
    return out->value(JsonOut());
  graph(g, attributeName.empty() ? m.text(m[g].name) : attributeName);
}

void JsonWriter::node(NodeId id) {
  const Node &n = m[id];
  out->beginObject();
  out->member("op", operation(m[n.op]));
  out->member("name", JsonOut(m.text(n.name)));
  number(nodeIds, id);
  const Placement placement = placementOf(id);
  if (!placement.operandsInside) {
    out->key("operands");
    references(m.operands(id));
  }
  if (!placement.regionsInside) {
    out->key("regions");
    out->beginArray();
    for (const GraphId r : m.regions(id))
      region(r, {});
    out->end();
  }
  if (!n.attributes.empty()) {
    out->key("attributes");
    out->beginArray();
    std::size_t position = 0;
    for (const Attribute &a : m.attributes(id))
      attribute(a, id, placement, position++);
    out->end();
  }
  out->key("results");
  out->beginArray();
  for (std::size_t i = 0; i < m.resultCount(id); ++i) {
    const ValueId v = m.result(id, i);
    JsonOut one = JsonOut::object();
    name(one, "name", m[v].name);
    facts(one, v);
    define(v);
    out->value(std::move(one));
  }
  out->end();
  if (const SourceLocation l = m.location(id); l != SourceLocation())
    out->member("location", location(l));
  out->end();
}

JsonOut JsonWriter::operation(const Operator &op) const {
  const std::string_view domain = m.text(op.domain), opName = m.text(op.name), overload = m.text(op.overload);
  const std::int32_t version = impliedVersion(op.dialect, *currentOpsets, domain);
  std::string text(domain);
  if (op.dialect == Dialect::Torch)
    text += (domain.empty() ? "" : ".") + std::string(opName) + (overload.empty() ? "" : ".") + std::string(overload);
  else
    text += (domain.empty() ? "" : "::") + std::string(opName);
  const OperatorParts parts = splitOperator(op.dialect, text);
  if (op.dialect == m.info.dialect && op.version == version && parts.domain == domain && parts.name == opName &&
      parts.overload == overload && domain != longOnnxDomain)
    return JsonOut(text);
  JsonOut o = JsonOut::object();
  if (op.dialect != m.info.dialect)
    o["dialect"] = dialectName(op.dialect);
  name(o, "domain", op.domain);
  o["name"] = JsonOut(opName);
  name(o, "overload", op.overload);
  if (op.version != version)
    o["version"] = op.version;
  return o;
}

JsonOut JsonWriter::capture(const Capture &c) {
  JsonOut o = JsonOut::object();
  o["name"] = JsonOut(m.text(c.name));
  o["kind"] = captureKindName(c.kind);
  o["content"] = captureContentName(c.content);
  if (c.varies)
    o["varies"] = true;
  if (c.variable >= 0)
    o["variable"] = c.variable;
  if (const SourceLocation l = m.location(c.firstUse); l != SourceLocation())
    o["firstUse"] = location(l);
  if (!c.calls.empty())
    o["calls"] = locations(c.calls);
  if (c.value)
    o["value"] = reference(c.value);
  return o;
}

JsonOut JsonWriter::locations(Range r) const {
  JsonOut o = JsonOut::array();
  for (const SourceLocation &l : m.locationsIn(r))
    o.push_back(location(l));
  return o;
}

JsonOut JsonWriter::location(const SourceLocation &l) const {
  JsonOut o = JsonOut::object();
  for (const auto &[key, text] : {std::pair("path", &l.path), std::pair("function", &l.function)})
    if (!text->empty())
      o[key] = *text;
  for (const auto &[key, value] : {std::pair("line", l.line), std::pair("column", l.column),
                                   std::pair("endLine", l.endLine), std::pair("endColumn", l.endColumn)})
    if (value != 0)
      o[key] = value;
  return o;
}

void JsonWriter::facts(JsonOut &object, ValueId id) {
  const Value &v = m[id];
  if (valueIds.isWanted(id))
    object["id"] = valueIds.give(id);
  if (v.recorded)
    object["type"] = type(v.recorded);
  if (v.type && v.type != v.recorded)
    object["inferred"] = type(v.type);
  if (v.content)
    object["content"] = dims(m.content(v.content));
  if (const auto real = m.real(id))
    object["real"] = *real;
  if (v.contradicted)
    object["contradicted"] = true;
}

void JsonWriter::define(ValueId v) {
  if (!m.text(m[v].name).empty())
    scope.define(m[v].name, v);
}

JsonOut JsonWriter::reference(ValueId id) {
  if (!id)
    return JsonOut();
  const Value &v = m[id];
  const ValueId meant = m.text(v.name).empty() ? ValueId() : scope.lookup(v.name);
  if (v.origin == ValueOrigin::Undefined) {
    if (!m.text(v.name).empty() && (!meant || m[meant].origin == ValueOrigin::Undefined)) {
      scope.define(v.name, id);
      return JsonOut(m.text(v.name));
    }
    return JsonOut::of("undefined", m.text(v.name));
  }
  const bool listed =
      v.origin != ValueOrigin::Constant || (v.graph && id.index() >= m[v.graph].constants.first &&
                                            id.index() - m[v.graph].constants.first < m[v.graph].constants.count);
  if (!listed) {
    const Type &t = m.types[v.recorded];
    Type bare;
    bare.kind = t.kind;
    const auto numbers = v.content ? m.content(v.content) : std::span<const Dim>();
    const auto one = numbers.size() == 1 ? m.dims.asConstant(numbers[0]) : std::nullopt;
    if (one && t.kind == ValueKind::SymInt)
      return *one;
    if (one && t.kind == ValueKind::SymBool && (*one == 0 || *one == 1))
      return *one == 1;
    JsonOut o = JsonOut::object();
    o["literal"] = type(v.recorded);
    if (v.content)
      o["content"] = dims(numbers);
    if (const auto real = m.real(id))
      o["real"] = *real;
    return o;
  }
  if (meant == id)
    return JsonOut(m.text(v.name));
  if (!v.graph || !written.contains(v.graph)) // a typed copy of a function's body
    return JsonOut::of("undefined", m.text(v.name));
  again |= valueIds.want(id);
  return JsonOut::of("ref", valueIds.give(id));
}

} // namespace condlint::json

namespace condlint {

std::string writeJson(const Model &m) { return json::JsonWriter(m).write(); }

} // namespace condlint
