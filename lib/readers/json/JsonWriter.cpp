//===- JsonWriter.cpp - A model becomes JSON ------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "json/JsonWriter.h"
#include "condlint/Reader.h"
#include <algorithm>

namespace condlint::json {

JsonWriter::JsonWriter(const Model &model) : m(model), scope(model.info.dialect == Dialect::Torch) {}

JsonOut JsonWriter::write() {
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
  for (;;) {
    again = false;
    JsonOut out = document();
    if (!again)
      return out;
    valueIds.restart();
    nodeIds.restart();
    graphIds.restart();
  }
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

JsonOut JsonWriter::document() {
  JsonOut out = JsonOut::object();
  out["condlint"] = formatTag;
  info(out);
  out["symbols"] = JsonOut::object();
  currentOpsets = &m.info.opsets;
  out["graph"] = m.main() ? graph(m.main(), "main") : JsonOut();
  if (m.functionCount() != 0) {
    JsonOut functions = JsonOut::array();
    for (std::uint32_t f = 0; f < m.functionCount(); ++f)
      functions.push_back(function(FunctionId(f)));
    out["functions"] = std::move(functions);
  }
  out["issues"] = issues();
  symbols(out);
  return out;
}

void JsonWriter::info(JsonOut &out) const {
  const ModelInfo &i = m.info;
  out["format"] = formatName(i.format);
  out["dialect"] = dialectName(i.dialect);
  for (const auto &[key, text] :
       {std::pair("name", &i.name), std::pair("producer", &i.producer), std::pair("version", &i.version)})
    if (!text->empty())
      out[key] = *text;
  if (i.otherDefaultFloat)
    out["otherDefaultFloat"] = true;
  if (i.irVersion != 0)
    out["irVersion"] = i.irVersion;
  if (i.schemaMajor != 0 || i.schemaMinor != 0) {
    out["schemaVersion"] = JsonOut::of("major", i.schemaMajor);
    out["schemaVersion"]["minor"] = i.schemaMinor;
  }
  if (!i.opsets.empty())
    out["opsets"] = opsetsJson(i.opsets);
  if (i.wireDepth != 0)
    out["wireDepth"] = i.wireDepth;
}

/// An object where that says all: the order of its members says nothing.
JsonOut JsonWriter::opsetsJson(const Opsets &opsets) const {
  bool plain = true;
  for (std::size_t i = 0; i < opsets.size(); ++i)
    plain = plain && isUtf8(opsets[i].first) && (i == 0 || opsets[i - 1].first < opsets[i].first);
  JsonOut out = plain ? JsonOut::object() : JsonOut::array();
  for (const auto &[domain, version] : opsets)
    if (plain)
      out.append(domain, version);
    else
      out.push_back(JsonOut::array({domain, version}));
  return out;
}

void JsonWriter::symbols(JsonOut &out) const {
  if (usedSymbols.empty()) {
    out.erase("symbols");
    return;
  }
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
  out["symbols"] = std::move(all);
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

void JsonWriter::name(JsonOut &out, std::string_view key, StringId s) const {
  if (!m.text(s).empty())
    out[key] = m.text(s);
}

JsonOut JsonWriter::function(FunctionId id) {
  const Function &f = m[id];
  JsonOut out = JsonOut::object();
  name(out, "domain", f.domain);
  out["name"] = JsonOut(m.text(f.name));
  name(out, "overload", f.overload);
  if (!f.attributes.empty()) {
    JsonOut names = JsonOut::array();
    for (const StringId s : m.stringsIn(f.attributes))
      names.push_back(JsonOut(m.text(s)));
    out["attributes"] = std::move(names);
  }
  if (!f.defaults.empty()) {
    JsonOut defaults = JsonOut::array();
    for (const Attribute &a : m.attributesIn(f.defaults))
      defaults.push_back(attribute(a, NodeId(), Placement(), 0));
    out["defaults"] = std::move(defaults);
  }
  Opsets imports;
  const auto domains = m.stringsIn(f.opsetDomains);
  for (std::size_t i = 0; i < domains.size() && i < f.opsetVersions.size(); ++i)
    imports.emplace_back(m.text(domains[i]), f.opsetVersions[i]);
  if (!imports.empty())
    out["opsets"] = opsetsJson(imports);
  currentOpsets = &imports;
  std::string role(m.text(f.domain));
  role += (role.empty() ? "" : ".") + std::string(m.text(f.name));
  out["graph"] = f.body ? graph(f.body, role) : JsonOut::object();
  currentOpsets = &m.info.opsets;
  return out;
}

JsonOut JsonWriter::graph(GraphId id, std::string_view role) {
  const Graph &g = m[id];
  JsonOut out = JsonOut::object();
  name(out, "name", g.name);
  if (m.text(g.role) != role)
    out["role"] = JsonOut(m.text(g.role));
  number(out, graphIds, id);
  if (g.tooDeep)
    out["tooDeep"] = true;
  if (const SourceLocation l = m.location(id); l != SourceLocation())
    out["location"] = location(l);
  if (!m.captures(id).empty()) {
    JsonOut captures = JsonOut::array();
    for (const Capture &c : m.captures(id))
      captures.push_back(capture(c));
    out["captures"] = std::move(captures);
  }
  scope.enter();
  JsonOut parameters = JsonOut::array();
  for (std::uint32_t i = 0; i < g.parameters.count; ++i) {
    const ValueId v(g.parameters.first + i);
    JsonOut one = JsonOut::object();
    name(one, "name", m[v].name);
    if (m[v].role != ParameterRole::Input)
      one["role"] = parameterRoleName(m[v].role);
    facts(one, v);
    if (m[v].constant)
      one["data"] = constantData(m[v].constant, m[v].recorded, m[v].name);
    define(v);
    parameters.push_back(std::move(one));
  }
  if (!parameters.empty())
    out["parameters"] = std::move(parameters);
  JsonOut constants = JsonOut::array();
  for (std::uint32_t i = 0; i < g.constants.count; ++i) {
    const ValueId v(g.constants.first + i);
    JsonOut one = JsonOut::object();
    name(one, "name", m[v].name);
    facts(one, v);
    if (m[v].constant)
      one["data"] = constantData(m[v].constant, m[v].recorded, m[v].name);
    define(v);
    constants.push_back(std::move(one));
  }
  if (!constants.empty())
    out["constants"] = std::move(constants);
  JsonOut nodes = JsonOut::array();
  for (const NodeId n : m.nodes(id))
    nodes.push_back(node(n));
  out["nodes"] = std::move(nodes);
  JsonOut results = JsonOut::array();
  for (const ValueId v : m.results(id))
    results.push_back(reference(v));
  out["results"] = std::move(results);
  if (!g.resultRoles.empty()) {
    JsonOut roles = JsonOut::array();
    for (const StringId s : m.stringsIn(g.resultRoles))
      roles.push_back(JsonOut(m.text(s)));
    out["resultRoles"] = std::move(roles);
  }
  scope.leave();
  return out;
}

JsonOut JsonWriter::region(GraphId g, std::string_view attributeName) {
  if (!g)
    return JsonOut();
  return graph(g, attributeName.empty() ? m.text(m[g].name) : attributeName);
}

JsonOut JsonWriter::node(NodeId id) {
  const Node &n = m[id];
  JsonOut out = JsonOut::object();
  out["op"] = operation(m[n.op]);
  out["name"] = JsonOut(m.text(n.name));
  number(out, nodeIds, id);
  const Placement placement = placementOf(id);
  if (!placement.operandsInside) {
    JsonOut operands = JsonOut::array();
    for (const ValueId v : m.operands(id))
      operands.push_back(reference(v));
    out["operands"] = std::move(operands);
  }
  if (!placement.regionsInside) {
    JsonOut regions = JsonOut::array();
    for (const GraphId r : m.regions(id))
      regions.push_back(region(r, {}));
    out["regions"] = std::move(regions);
  }
  if (!n.attributes.empty()) {
    JsonOut attributes = JsonOut::array();
    for (const Attribute &a : m.attributes(id))
      attributes.push_back(attribute(a, id, placement, attributes.size()));
    out["attributes"] = std::move(attributes);
  }
  JsonOut results = JsonOut::array();
  for (std::size_t i = 0; i < m.resultCount(id); ++i) {
    const ValueId v = m.result(id, i);
    JsonOut one = JsonOut::object();
    name(one, "name", m[v].name);
    facts(one, v);
    define(v);
    results.push_back(std::move(one));
  }
  out["results"] = std::move(results);
  if (const SourceLocation l = m.location(id); l != SourceLocation())
    out["location"] = location(l);
  return out;
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
      parts.overload == overload && domain != "ai.onnx")
    return JsonOut(text);
  JsonOut out = JsonOut::object();
  if (op.dialect != m.info.dialect)
    out["dialect"] = dialectName(op.dialect);
  name(out, "domain", op.domain);
  out["name"] = JsonOut(opName);
  name(out, "overload", op.overload);
  if (op.version != version)
    out["version"] = op.version;
  return out;
}

JsonOut JsonWriter::capture(const Capture &c) {
  JsonOut out = JsonOut::object();
  out["name"] = JsonOut(m.text(c.name));
  out["kind"] = captureKindName(c.kind);
  out["content"] = captureContentName(c.content);
  if (c.varies)
    out["varies"] = true;
  if (c.variable >= 0)
    out["variable"] = c.variable;
  if (const SourceLocation l = m.location(c.firstUse); l != SourceLocation())
    out["firstUse"] = location(l);
  if (!c.calls.empty())
    out["calls"] = locations(c.calls);
  if (c.value)
    out["value"] = reference(c.value);
  return out;
}

JsonOut JsonWriter::locations(Range r) const {
  JsonOut out = JsonOut::array();
  for (const SourceLocation &l : m.locationsIn(r))
    out.push_back(location(l));
  return out;
}

JsonOut JsonWriter::location(const SourceLocation &l) const {
  JsonOut out = JsonOut::object();
  for (const auto &[key, text] : {std::pair("path", &l.path), std::pair("function", &l.function)})
    if (!text->empty())
      out[key] = *text;
  for (const auto &[key, value] : {std::pair("line", l.line), std::pair("column", l.column),
                                   std::pair("endLine", l.endLine), std::pair("endColumn", l.endColumn)})
    if (value != 0)
      out[key] = value;
  return out;
}

void JsonWriter::facts(JsonOut &out, ValueId id) {
  const Value &v = m[id];
  number(out, valueIds, id);
  if (v.recorded)
    out["type"] = type(v.recorded);
  if (v.type && v.type != v.recorded)
    out["inferred"] = type(v.type);
  if (v.content)
    out["content"] = dims(m.content(v.content));
  if (const auto real = m.real(id))
    out["real"] = *real;
  if (v.contradicted)
    out["contradicted"] = true;
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
    JsonOut out = JsonOut::object();
    out["literal"] = type(v.recorded);
    if (v.content)
      out["content"] = dims(numbers);
    if (const auto real = m.real(id))
      out["real"] = *real;
    return out;
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

std::string writeJson(const Model &m) { return json::JsonWriter(m).write().str(); }

} // namespace condlint
