//===- Model.cpp - Graphs, nodes, values and their places -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/Conditional.h"
#include "condlint/Graph.h"
#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

namespace condlint {

namespace {

/// \p size as what a model counts with: a file that holds more is refused by its reader.
std::uint32_t narrow(std::size_t size) {
  if (size > std::numeric_limits<std::uint32_t>::max())
    throw std::length_error("more than 2^32 entries of one kind");
  return static_cast<std::uint32_t>(size);
}

/// Makes room in \p pool for \p v, which may be a run of it. \returns where that is then.
template <class T> std::span<const T> makeRoom(std::vector<T> &pool, std::span<const T> v) {
  const bool isOwn = v.data() >= pool.data() && v.data() < pool.data() + pool.size();
  const std::ptrdiff_t from = isOwn ? v.data() - pool.data() : 0;
  pool.reserve(std::max(pool.capacity() * 2, pool.size() + v.size()));
  return isOwn ? std::span<const T>(pool.data() + from, v.size()) : v;
}

/// Runs are short: a call would cost more than they do.
template <class T> [[gnu::always_inline]] inline Range append(std::vector<T> &pool, std::span<const T> v) {
  const std::size_t first = pool.size();
  narrow(first + v.size());
  if (pool.capacity() - first < v.size()) [[unlikely]]
    v = makeRoom(pool, v);
  for (const T &entry : v)
    pool.push_back(entry);
  return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(v.size())};
}

template <class Tag, class T> Id<Tag> push(std::vector<T> &table, T entry) {
  table.push_back(std::move(entry));
  return Id<Tag>(narrow(table.size()) - 1);
}

/// Extends \p r by the entry \p index; entries of one list come one after the other.
void extend(Range &r, std::uint32_t index) {
  if (r.count == 0)
    r.first = index;
  ++r.count;
}

constexpr std::array<std::string_view, 8> captureKinds{"value",  "reference", "this",  "pointer",
                                                       "global", "static",    "bound", "member"};
constexpr std::array<std::string_view, 4> captureContents{"tensor", "scalar", "float_item", "other"};

} // namespace

std::string_view formatName(Format f) {
  constexpr std::array<std::string_view, 4> names{"pt2", "onnx", "json", "cxx"};
  return names[static_cast<std::size_t>(f)];
}

std::string_view dialectName(Dialect d) {
  constexpr std::array<std::string_view, 3> names{"torch", "onnx", "tensorrt"};
  return names[static_cast<std::size_t>(d)];
}

std::string_view frontEndName(FrontEnd f) {
  constexpr std::array<std::string_view, 4> names{"", "torch", "tensorrt", "tracing"};
  return names[static_cast<std::size_t>(f)];
}

std::string_view parameterRoleName(ParameterRole r) {
  constexpr std::array<std::string_view, 7> names{"input",  "parameter", "buffer",      "constant",
                                                  "object", "token",     "scalar_input"};
  return names[static_cast<std::size_t>(r)];
}

std::string_view captureKindName(CaptureKind k) { return captureKinds[static_cast<std::size_t>(k)]; }
std::string_view captureContentName(CaptureContent c) { return captureContents[static_cast<std::size_t>(c)]; }

Model::Model() = default;
Model::~Model() = default;
Model::Model(Model &&) noexcept = default;
Model &Model::operator=(Model &&) noexcept = default;

GraphId Model::addGraph(StringId name, StringId role, GraphId parent, NodeId owner) {
  Graph g;
  g.name = name;
  g.role = role;
  g.parent = parent;
  g.owner = owner;
  g.depth = parent ? (*this)[parent].depth + 1 : 0;
  return push<GraphTag>(graphTable, g);
}

ValueId Model::addParameter(GraphId g, StringId name, TypeId recorded, ParameterRole role) {
  Value v;
  v.name = name;
  v.recorded = recorded;
  v.graph = g;
  v.origin = ValueOrigin::Parameter;
  v.role = role;
  v.index = (*this)[g].parameters.count;
  extend((*this)[g].parameters, static_cast<std::uint32_t>(valueTable.size()));
  return push<ValueTag>(valueTable, v);
}

ValueId Model::addConstant(GraphId g, StringId name, ConstantId data) {
  Value v;
  v.name = name;
  v.recorded = data ? (*this)[data].type : TypeId();
  v.graph = g;
  v.constant = data;
  v.origin = ValueOrigin::Constant;
  v.index = (*this)[g].constants.count;
  extend((*this)[g].constants, static_cast<std::uint32_t>(valueTable.size()));
  return push<ValueTag>(valueTable, v);
}

ValueId Model::addLiteral(GraphId g, TypeId type, ContentId content) {
  Value v;
  v.recorded = type;
  v.content = content;
  v.graph = g;
  v.origin = ValueOrigin::Constant;
  return push<ValueTag>(valueTable, v);
}

ValueId Model::addUndefined(GraphId g, StringId name) {
  Value v;
  v.name = name;
  v.graph = g;
  v.origin = ValueOrigin::Undefined;
  anyUndefined = true;
  return push<ValueTag>(valueTable, v);
}

NodeId Model::addNode(GraphId g, OperatorId op, StringId name, std::span<const ValueId> operands,
                      std::span<const StringId> resultNames, std::span<const Attribute> attributes) {
  const NodeId id(static_cast<std::uint32_t>(nodeTable.size()));
  Node &n = nodeTable.emplace_back();
  n.op = op;
  n.name = name;
  n.graph = g;
  n.operands = append(operandPool, operands);
  if (!attributes.empty()) // most nodes have none
    n.attributes = append(attributePool, attributes);
  n.results = {static_cast<std::uint32_t>(valueTable.size()), static_cast<std::uint32_t>(resultNames.size())};
  Graph &graph = (*this)[g];
  n.position = graph.nodeCount++;
  if (graph.lastNode)
    (*this)[graph.lastNode].next = id;
  else
    graph.firstNode = id;
  graph.lastNode = id;
  for (std::uint32_t i = 0; i < resultNames.size(); ++i) {
    Value &v = valueTable.emplace_back();
    v.name = resultNames[i];
    v.def = id;
    v.graph = g;
    v.index = i;
    v.origin = ValueOrigin::Result;
  }
  return id;
}

void Model::setRegions(NodeId n, std::span<const GraphId> regions) { (*this)[n].regions = append(regionPool, regions); }
void Model::setResults(GraphId g, std::span<const ValueId> results) {
  (*this)[g].results = append(operandPool, results);
}
void Model::setResultRoles(GraphId g, std::span<const StringId> roles) {
  (*this)[g].resultRoles = append(stringPool, roles);
}
Model::Extent Model::extent(GraphId innermost) const {
  Extent e{nodeTable.size(),  valueTable.size(),    graphTable.size(),  operandPool.size(),
           regionPool.size(), attributePool.size(), capturePool.size(), {}};
  for (GraphId g = innermost; g; g = (*this)[g].parent)
    e.open.emplace_back(g, (*this)[g]);
  return e;
}

void Model::rewind(const Extent &e) {
  nodeTable.resize(e.nodes);
  valueTable.resize(e.values);
  graphTable.resize(e.graphs);
  operandPool.resize(e.operands);
  regionPool.resize(e.regions);
  attributePool.resize(e.attributes);
  capturePool.resize(e.captures);
  for (const auto &[id, graph] : e.open) {
    (*this)[id] = graph;
    if (graph.lastNode)
      (*this)[graph.lastNode].next = NodeId();
  }
}

void Model::setCaptures(GraphId g, std::span<const Capture> captures) {
  (*this)[g].captures = append(capturePool, captures);
}
void Model::setOperand(NodeId n, std::size_t i, ValueId v) { operandPool[(*this)[n].operands.first + i] = v; }
void Model::setOperands(NodeId n, std::span<const ValueId> operands) {
  (*this)[n].operands = append(operandPool, operands);
}
void Model::setResult(GraphId g, std::size_t i, ValueId v) { operandPool[(*this)[g].results.first + i] = v; }

OperatorId Model::addOperator(const Operator &op) {
  std::uint64_t key = static_cast<std::uint64_t>(op.dialect);
  for (std::uint64_t part : {std::uint64_t{op.domain.index()}, std::uint64_t{op.name.index()},
                             std::uint64_t{op.overload.index()}, static_cast<std::uint64_t>(op.version)})
    key = (key ^ part) * 0x9e3779b97f4a7c15u;
  const auto [first, last] = operatorIndex.equal_range(key);
  for (auto it = first; it != last; ++it) {
    const Operator &o = operatorTable[it->second];
    if (o.dialect == op.dialect && o.domain == op.domain && o.name == op.name && o.overload == op.overload &&
        o.version == op.version)
      return OperatorId(it->second);
  }
  operatorIndex.emplace(key, static_cast<std::uint32_t>(operatorTable.size()));
  return push<OperatorTag>(operatorTable, op);
}

ConstantId Model::addConstantData(const Constant &c) { return push<ConstantTag>(constantTable, c); }
FunctionId Model::addFunction(Function f) { return push<FunctionTag>(functionTable, std::move(f)); }

LocationId Model::addLocation(SourceLocation l) {
  sourceTable.push_back(std::move(l));
  Location entry;
  entry.structured = static_cast<std::uint32_t>(sourceTable.size());
  return push<LocationTag>(locationTable, entry);
}

LocationId Model::addLocation(std::string_view text, LocationDecoder decoder) {
  Location entry;
  entry.text = text;
  entry.decoder = decoder;
  return push<LocationTag>(locationTable, entry);
}

Range Model::poolInts(std::span<const std::int64_t> v) { return append(intPool, v); }
Range Model::poolLocations(std::span<const LocationId> v) {
  std::vector<std::int64_t> indexes;
  for (LocationId l : v)
    indexes.push_back(l ? static_cast<std::int64_t>(l.index()) : -1);
  return poolInts(indexes);
}
Range Model::poolReals(std::span<const double> v) { return append(realPool, v); }
Range Model::poolStrings(std::span<const StringId> v) { return append(stringPool, v); }
Range Model::poolDims(std::span<const Dim> v) { return append(dimPool, v); }
Range Model::poolAttributes(std::span<const Attribute> v) { return append(attributePool, v); }

ContentId Model::addContent(std::span<const Dim> v) {
  constexpr std::size_t blockSize = 1024;
  if (v.size() > contentLeft) {
    contentLeft = std::max(blockSize, v.size());
    contentBlocks.push_back(std::make_unique<Dim[]>(contentLeft));
    contentNext = contentBlocks.back().get();
  }
  std::ranges::copy(v, contentNext);
  const std::span<const Dim> kept(contentNext, v.size());
  contentNext += v.size();
  contentLeft -= v.size();
  return push<ContentTag>(contentTable, kept);
}

const Attribute *Model::attribute(NodeId n, std::string_view name) const {
  for (const Attribute &a : attributes(n))
    if (text(a.name) == name)
      return &a;
  return nullptr;
}

std::string Model::path(GraphId g) const {
  std::vector<std::string_view> parts;
  std::string start;
  for (;;) {
    const Graph &graph = (*this)[g];
    if (graph.instanceOf && !graph.parent) {
      g = graph.instanceOf;
      continue;
    }
    parts.push_back(text(graph.role));
    if (!graph.parent)
      break;
    if (graph.owner && info.format == Format::Cxx && isConditional(*this, graph.owner)) {
      start = path(graph.owner);
      break;
    }
    if (graph.owner)
      parts.push_back(text((*this)[graph.owner].name));
    g = graph.parent;
  }
  std::string out = std::move(start);
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    if (!out.empty())
      out += '/';
    out += *part;
  }
  return out;
}

std::string Model::path(NodeId n) const {
  const Node &node = (*this)[n];
  if (info.format == Format::Cxx && isConditional(*this, n)) {
    if (std::string function = location(n).function; !function.empty())
      return function + '/' + std::string(text(node.name));
    // Nobody says whose body holds it: it is called after the graph it stands in.
    GraphId root = node.graph;
    while ((*this)[root].parent)
      root = (*this)[root].parent;
    return std::string(text((*this)[root].role)) + '/' + std::string(text(node.name));
  }
  if (text(node.name).empty())
    return path(node.graph) + '/' + std::string(text((*this)[node.op].name)) + '_' + std::to_string(node.position);
  return path(node.graph) + '/' + std::string(text(node.name));
}

std::uint64_t Model::placeNumber(NodeId n) const {
  std::uint64_t number = 0;
  while (n) {
    constexpr std::uint64_t prime = 0x100000001b3; // of FNV-1a
    number = (number ^ ((*this)[n].position + 1)) * prime;
    n = (*this)[(*this)[n].graph].owner;
  }
  return number;
}

SourceLocation Model::location(NodeId n) const { return n ? location((*this)[n].location) : SourceLocation(); }
SourceLocation Model::location(GraphId g) const { return g ? location((*this)[g].location) : SourceLocation(); }

SourceLocation Model::location(const Attribute &a) const {
  const auto in = [&](std::int64_t index) {
    const bool known = index >= 0 && static_cast<std::size_t>(index) < locationTable.size();
    return known ? location(LocationId(static_cast<std::uint32_t>(index))) : SourceLocation();
  };
  if (a.kind == AttributeKind::Location)
    return in(a.number);
  return a.kind == AttributeKind::Locations && a.list.count != 0 ? in(ints(a.list)[0]) : SourceLocation();
}

std::vector<SourceLocation> Model::locationsIn(Range r) const {
  std::vector<SourceLocation> out;
  for (std::int64_t index : ints(r))
    if (index >= 0 && static_cast<std::size_t>(index) < locationTable.size())
      out.push_back(location(LocationId(static_cast<std::uint32_t>(index))));
  return out;
}

SourceLocation Model::location(LocationId id) const {
  if (!id)
    return {};
  const Location &l = locationTable[id.index()];
  if (l.structured != 0)
    return sourceTable[l.structured - 1];
  return l.decoder ? l.decoder(l.text) : SourceLocation();
}

bool Model::reaches(GraphId g, ValueId v) const {
  const GraphId home = (*this)[v].graph;
  return home == g || (!hasClosedGraphs() && encloses(home, g));
}

bool Model::encloses(GraphId outer, GraphId inner) const {
  while (inner && inner != outer) {
    const Graph &g = (*this)[inner];
    if (g.depth <= (*this)[outer].depth)
      return false;
    inner = g.parent;
  }
  return inner == outer;
}

std::string Model::operatorName(OperatorId o) const {
  const Operator &op = (*this)[o];
  std::string name(text(op.domain));
  if (op.dialect == Dialect::Torch) {
    if (!name.empty())
      name += '.';
    name += text(op.name);
    if (!text(op.overload).empty()) {
      name += '.';
      name += text(op.overload);
    }
    return name;
  }
  if (!name.empty())
    name += op.dialect == Dialect::TensorRT ? "." : "::";
  return name += text(op.name);
}

std::string SourceLocation::str() const {
  std::string out = path;
  if (line != 0)
    out += ':' + std::to_string(line);
  if (line != 0 && column != 0)
    out += ':' + std::to_string(column);
  return out;
}

} // namespace condlint
