//===- Print.cpp - A model as text for people -----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "condlint/Print.h"
#include "DimStore.h"
#include "PrintText.h"
#include "condlint/Graph.h"
#include "condlint/Op.h"
#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace condlint {
namespace {

using detail::escaped;

constexpr std::size_t shownEntries = 16;

class Printer {
public:
  explicit Printer(const Model &model) : m(model) {}

  std::string print() {
    findCaptures();
    header();
    if (m.main())
      root("graph", m.main());
    for (std::uint32_t f = 0; f < m.functionCount(); ++f)
      if (const GraphId body = m[FunctionId(f)].body; body && body != m.main())
        root("function", body);
    issues();
    return std::move(out);
  }

private:
  // --- words -----------------------------------------------------------------

  static std::string word(std::string_view s) {
    const bool plain = !s.empty() && std::all_of(s.begin(), s.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             std::string_view("_./:-#@").find(c) != std::string_view::npos;
    });
    return plain ? std::string(s) : "'" + escaped(s, '\'') + "'";
  }
  std::string word(StringId s) const { return word(m.text(s)); }
  static std::string quoted(std::string_view s) { return '"' + escaped(s, '"') + '"'; }

  /// "[a, b, ...]": the first entries of a list.
  template <class List, class Text> static std::string list(const List &entries, Text text) {
    std::string s = "[";
    std::size_t n = 0;
    for (const auto &e : entries) {
      s += n == 0 ? "" : ", ";
      if (n++ == shownEntries) {
        s += fmt::format("... {} in all", std::size(entries));
        break;
      }
      s += text(e);
    }
    return s + "]";
  }
  std::string dims(std::span<const Dim> list) const {
    std::string s = "[";
    for (std::size_t i = 0; i < list.size(); ++i)
      s += (i == 0 ? "" : ", ") + m.dims.str(list[i]);
    return s + "]";
  }

  // --- types -----------------------------------------------------------------

  /// Elements lie in order without gaps. Only what is shown depends on it, so
  /// two trials stand for a proof.
  bool contiguous(const Type &t) const {
    if (!t.hasRank || t.strides.size() != t.dims.size())
      return false;
    for (const std::int64_t seed : {3, 17}) {
      Assignment values;
      std::int64_t next = seed;
      for (const auto list : {t.dims, t.strides})
        for (const Dim d : list)
          for (const Symbol &s : m.dims.symbolsOf(d))
            values.emplace_back(s.name, std::clamp(next += 4, s.bounds.min, s.bounds.max));
      std::optional<std::int64_t> expected = 1;
      for (std::size_t i = t.dims.size(); i-- > 0;) {
        if (!expected || m.dims.evaluate(t.strides[i], values) != expected)
          return false;
        const auto size = m.dims.evaluate(t.dims[i], values);
        expected = size ? detail::checkedMul(*expected, *size) : std::nullopt;
      }
    }
    return true;
  }

  /// "?", or "{int32, int64}" where the element type is one of a few.
  static std::string elements(const Type &t) {
    if (t.elements.empty())
      return "?";
    std::string s;
    for (auto i = static_cast<unsigned>(DType::Bool); i <= static_cast<unsigned>(DType::String); ++i)
      if (const auto dtype = static_cast<DType>(i); t.elements.contains(dtype))
        s += (s.empty() ? "{" : ", ") + std::string(dtypeName(dtype));
    return s + "}";
  }

  /// "float32[s0, 4]", "float32[...]" for an unknown rank, "?[2]" for an unknown dtype.
  std::string type(const Type &t, unsigned depth = 0) const {
    if (depth > 16)
      return "...";
    std::string s;
    switch (t.kind) {
    case ValueKind::Unknown:
      return "?";
    case ValueKind::Tensor:
      s = t.element == DType::Unknown ? elements(t) : std::string(dtypeName(t.element));
      s += t.hasRank ? dims(t.dims) : "[...]";
      break;
    case ValueKind::Sequence:
    case ValueKind::Optional:
    case ValueKind::Map:
      return fmt::format("{}<{}>", kindName(t.kind), t.item ? type(m.types[t.item], depth + 1) : "?");
    default:
      return std::string(kindName(t.kind));
    }
    if (t.hasStrides && !contiguous(t))
      s += " strides " + dims(t.strides);
    if (t.storageOffset.known() && !m.dims.isConstant(t.storageOffset, 0))
      s += " offset " + m.dims.str(t.storageOffset);
    if (t.device && m.text(t.device) != "cpu")
      s += " on " + word(t.device) + (t.deviceIndex >= 0 ? fmt::format(":{}", t.deviceIndex) : "");
    if (t.layout != Layout::Unknown && t.layout != Layout::Strided)
      s += fmt::format(" {}", layoutName(t.layout));
    s += t.requiresGrad == Tri::Yes ? " requires_grad" : "";
    s += t.conjugate == Tri::Yes ? " conjugate" : "";
    s += t.quantized == Tri::Yes ? " quantized" : "";
    return s;
  }

  std::string typed(ValueId v) const {
    const Value &x = m[v];
    std::string s = type(m.type(v));
    if (x.type && x.recorded && x.type != x.recorded)
      if (const std::string recorded = type(m.types[x.recorded]); recorded != s)
        s += " (recorded " + recorded + ")";
    if (x.content)
      s += " = " + list(m.content(x.content), [&](Dim d) { return m.dims.str(d); });
    if (const auto real = m.real(v))
      s += fmt::format(" = [{}]", *real);
    return s;
  }

  // --- values ----------------------------------------------------------------

  std::string valueName(ValueId v) const {
    const StringId name = m[v].name;
    return m.text(name).empty() ? std::string("%_") : "%" + word(name);
  }

  std::string literal(ValueId id) const {
    const Value &v = m[id];
    const Type &t = m.types[v.recorded];
    if (const auto real = m.real(id))
      return fmt::format("{}", *real);
    if (v.content) {
      const auto content = m.content(v.content);
      if (content.size() == 1) {
        const auto number = m.dims.asConstant(content[0]);
        if (t.kind == ValueKind::SymBool && number)
          return *number != 0 ? "true" : "false";
        return m.dims.str(content[0]);
      }
      return dims(content);
    }
    return t.kind == ValueKind::None ? "None" : fmt::format("<{}>", type(t));
  }

  /// \p v as it is used in \p g; what stands out of reach says where it stands.
  std::string use(ValueId v, GraphId g) const {
    if (!v)
      return "-";
    const Value &x = m[v];
    if (x.origin == ValueOrigin::Constant && !x.constant && m.text(x.name).empty())
      return literal(v);
    if (x.origin == ValueOrigin::Undefined) // an output may declare a type all the same
      return valueName(v) + (x.recorded ? fmt::format("<undefined: {}>", type(m.types[x.recorded])) : "<undefined>");
    if (x.graph && x.graph != g && !m.encloses(x.graph, g))
      return valueName(v) + "<in " + escaped(m.path(x.graph)) + ">";
    return valueName(v);
  }

  void noteUse(ValueId v, GraphId g) {
    if (!v || !m[v].graph || m[v].graph == g || m[v].origin == ValueOrigin::Undefined || !m.encloses(m[v].graph, g))
      return;
    for (GraphId at = g; at && at != m[v].graph; at = m[at].parent) {
      auto &seen = captures[at];
      if (!seen.try_emplace(v, seen.size()).second)
        return; // and so do the scopes around it
    }
  }

  void findCaptures() {
    for (std::uint32_t i = 0; i < m.nodeCount(); ++i)
      for (const ValueId v : m.operands(NodeId(i)))
        noteUse(v, m[NodeId(i)].graph);
    for (std::uint32_t i = 0; i < m.graphCount(); ++i)
      for (const ValueId v : m.results(GraphId(i)))
        noteUse(v, GraphId(i));
  }

  // --- attributes ------------------------------------------------------------

  std::string constant(ConstantId id) const {
    if (!id)
      return "<?>";
    const Constant &c = m[id];
    std::string s = "<" + type(m.types[c.type]);
    if (!c.ints.empty())
      s += " " + list(m.ints(c.ints), [](std::int64_t v) { return std::to_string(v); });
    if (c.size != 0)
      s += fmt::format(" {} bytes", c.size);
    if (c.file)
      s += " in " + word(c.file);
    return s + (c.sparse ? " sparse>" : ">");
  }

  std::string attribute(const Attribute &a, NodeId n) const {
    const auto ofOperands = [&](Range r) {
      const auto all = m.operands(n);
      const std::size_t first = std::min<std::size_t>(r.first, all.size());
      return all.subspan(first, std::min<std::size_t>(r.count, all.size() - first));
    };
    const auto region = [&](std::uint32_t i) {
      const auto all = m.regions(n);
      return i < all.size() && all[i] ? word(m[all[i]].role) : std::string("<unreadable>");
    };
    const GraphId g = m[n].graph;
    switch (a.kind) {
    case AttributeKind::None:
      return "None";
    case AttributeKind::Bool:
      return a.number != 0 ? "true" : "false";
    case AttributeKind::Int:
      return std::to_string(a.number);
    case AttributeKind::Float:
      return fmt::format("{}", a.real);
    case AttributeKind::String:
      return quoted(m.text(a.text));
    case AttributeKind::DType:
      return a.number >= 0 && a.number <= static_cast<std::int64_t>(DType::String)
                 ? std::string(dtypeName(static_cast<DType>(a.number)))
                 : "?";
    case AttributeKind::Layout:
      return a.number >= 0 && a.number <= static_cast<std::int64_t>(Layout::Jagged)
                 ? std::string(layoutName(static_cast<Layout>(a.number)))
                 : "?";
    case AttributeKind::MemoryFormat: {
      constexpr std::string_view names[] = {"?", "contiguous", "channels_last", "channels_last_3d", "preserve"};
      return std::string(names[a.number >= 0 && a.number < 5 ? a.number : 0]);
    }
    case AttributeKind::Device:
      return word(a.text) + (a.number >= 0 ? fmt::format(":{}", a.number) : "");
    case AttributeKind::Bools:
      return list(m.ints(a.list), [](std::int64_t v) { return std::string(v != 0 ? "true" : "false"); });
    case AttributeKind::Ints:
      return list(m.ints(a.list), [](std::int64_t v) { return std::to_string(v); });
    case AttributeKind::Complex:
    case AttributeKind::Floats:
      return list(m.reals(a.list), [](double v) { return fmt::format("{}", v); });
    case AttributeKind::Strings:
      return list(m.stringsIn(a.list), [&](StringId s) { return quoted(m.text(s)); });
    case AttributeKind::Dims:
      return list(m.dimsIn(a.list), [&](Dim d) { return m.dims.str(d); });
    case AttributeKind::Operand: {
      const auto one = ofOperands({a.list.first, 1});
      return one.empty() ? "?" : use(one[0], g);
    }
    case AttributeKind::Operands:
      return list(ofOperands(a.list), [&](ValueId v) { return use(v, g); });
    case AttributeKind::Tensor:
      return constant(ConstantId(a.list.first));
    case AttributeKind::Tensors: {
      std::vector<ConstantId> all;
      for (std::uint32_t i = 0; i < a.list.count; ++i)
        all.push_back(ConstantId(a.list.first + i));
      return list(all, [&](ConstantId c) { return constant(c); });
    }
    case AttributeKind::Type:
      return type(m.types[TypeId(a.list.first)]);
    case AttributeKind::Region:
      return region(a.list.first);
    case AttributeKind::Regions: {
      std::vector<std::uint32_t> all(a.list.count);
      for (std::uint32_t i = 0; i < a.list.count; ++i)
        all[i] = a.list.first + i;
      return list(all, region);
    }
    case AttributeKind::Reference:
      return "@" + word(a.text);
    case AttributeKind::Opaque:
      return "<" + word(a.text) + ">";
    case AttributeKind::Location:
      return escaped(m.location(a).str());
    case AttributeKind::Locations:
      return list(m.locationsIn(a.list), [](const SourceLocation &l) { return escaped(l.str()); });
    }
    return "?";
  }

  // --- graphs ----------------------------------------------------------------

  void header() {
    const ModelInfo &i = m.info;
    out += fmt::format("# {} graph, dialect {}", formatName(i.format), dialectName(i.dialect));
    if (!i.name.empty())
      out += ", model " + word(i.name);
    if (!i.producer.empty())
      out += ", made by " + escaped(i.producer);
    if (i.schemaMajor != 0)
      out += fmt::format(", schema {}.{}", i.schemaMajor, i.schemaMinor);
    if (i.irVersion != 0)
      out += fmt::format(", IR version {}", i.irVersion);
    for (const auto &[domain, version] : i.opsets)
      out += fmt::format(", opset {}{}", domain.empty() ? "" : word(domain) + " ", version);
    out += '\n';
    for (const auto &[name, s] : symbols())
      out += fmt::format("# {}: {} in [{}, {}]\n", word(name), originName(s.origin), bound(s.bounds.min),
                         bound(s.bounds.max));
  }

  static std::string bound(std::int64_t v) {
    return v == detail::lowest ? "-inf" : v == detail::highest ? "inf" : std::to_string(v);
  }
  static std::string_view originName(SymbolOrigin o) {
    constexpr std::string_view names[] = {"declared", "named", "unbacked", "anonymous"};
    return names[static_cast<std::size_t>(o)];
  }

  /// The symbols of the values' types, by name.
  std::map<std::string, Symbol> symbols() const {
    std::map<std::string, Symbol> found;
    std::unordered_set<std::uint32_t> seen;
    std::unordered_set<TypeId> seenType;
    for (std::uint32_t i = 0; i < m.valueCount(); ++i)
      for (const TypeId t : {m[ValueId(i)].recorded, m[ValueId(i)].type}) {
        if (!t || !seenType.insert(t).second)
          continue;
        for (const Dim d : m.types[t].dims)
          if (d.known() && !m.dims.asConstant(d) && seen.insert(d.index).second)
            for (Symbol &s : m.dims.symbolsOf(d))
              found.try_emplace(s.name, s);
      }
    return found;
  }

  void root(std::string_view what, GraphId g) {
    out += fmt::format("\n{} ", what);
    graph(g, 0);
  }

  void graph(GraphId id, unsigned depth) {
    const Graph &g = m[id];
    const std::string indent(2 * std::min(depth, 40u), ' ');
    out += word(g.role) + "(";
    for (std::uint32_t i = 0; i < g.parameters.count; ++i) {
      const ValueId v(g.parameters.first + i);
      out += (i == 0 ? "" : ", ") + valueName(v) + ": " + typed(v);
      if (m[v].role != ParameterRole::Input)
        out += fmt::format(" {}", parameterRoleName(m[v].role));
    }
    out += ")";
    if (const auto at = captures.find(id); at != captures.end()) {
      std::vector<std::pair<std::size_t, ValueId>> order;
      for (const auto &[v, n] : at->second)
        order.emplace_back(n, v);
      std::sort(order.begin(), order.end());
      out += " captures " + list(order, [&](const auto &x) { return valueName(x.second); });
    }
    if (!m.captures(id).empty())
      out += " reads " + list(m.captures(id), [&](const Capture &c) {
               return fmt::format("{} ({}, {}{})", word(c.name), captureKindName(c.kind), captureContentName(c.content),
                                  c.varies ? ", varies" : "");
             });
    if (!m.text(g.name).empty() && m.text(g.name) != m.text(g.role))
      out += "  # " + word(g.name);
    out += '\n';
    for (std::uint32_t i = 0; i < g.constants.count; ++i) {
      const ValueId v(g.constants.first + i);
      out += indent + "  " + valueName(v) + ": " + typed(v) + " = constant " + constant(m[v].constant) + "\n";
    }
    if (g.tooDeep)
      out += indent + "  # nested too deep to be read\n";
    for (const NodeId n : m.nodes(id))
      node(n, depth, indent);
    out += indent + "  return";
    const auto results = m.results(id);
    const auto roles = m.stringsIn(g.resultRoles);
    for (std::size_t i = 0; i < results.size(); ++i) {
      out += (i == 0 ? " " : ", ") + use(results[i], id);
      if (i < roles.size() && !m.text(roles[i]).empty())
        out += " (" + word(roles[i]) + ")";
    }
    out += '\n';
  }

  void node(NodeId n, unsigned depth, const std::string &indent) {
    out += indent + "  ";
    for (std::size_t i = 0; i < m.resultCount(n); ++i)
      out += (i == 0 ? "" : ", ") + valueName(m.result(n, i)) + ": " + typed(m.result(n, i));
    out += m.resultCount(n) == 0 ? "" : " = ";
    out += escaped(m.operatorName(m[n].op)) + "(" + arguments(n) + ")";
    if (const SourceLocation l = m.location(n); l.valid())
      out += "  # " + escaped(l.str());
    out += '\n';
    for (const GraphId r : m.regions(n)) {
      out += indent + "    ";
      if (r)
        graph(r, depth + 2);
      else
        out += "<unreadable>\n";
    }
  }

  std::string arguments(NodeId n) const {
    // ONNX: operands by position, then attributes. Torch: arguments name the operands.
    std::vector<bool> named(m.operands(n).size(), false);
    std::string text;
    const auto separate = [&] { text += text.empty() ? "" : ", "; };
    for (const Attribute &a : m.attributes(n)) {
      const std::uint32_t count = a.kind == AttributeKind::Operand    ? 1
                                  : a.kind == AttributeKind::Operands ? a.list.count
                                                                      : 0;
      for (std::uint32_t i = 0; i < count && a.list.first + i < named.size(); ++i)
        named[a.list.first + i] = true;
      // The values behind symbolic integers show as those integers.
      if (a.kind == AttributeKind::Dims && m[m[n].op].dialect == Dialect::Torch)
        std::fill(named.begin(), named.end(), true);
    }
    for (std::size_t i = 0; i < named.size(); ++i)
      if (!named[i]) {
        separate();
        text += use(m.operands(n)[i], m[n].graph);
      }
    for (const Attribute &a : m.attributes(n)) {
      separate();
      if (!m.text(a.name).empty())
        text += word(a.name) + "=";
      text += attribute(a, n);
    }
    return text;
  }

  void issues() {
    constexpr std::string_view names[] = {"malformed",
                                          "malformed (note)",
                                          "malformed (warning)",
                                          "malformed (onnxruntime)",
                                          "malformed (onnx)",
                                          "malformed (onnx, onnxruntime)",
                                          "redefined",
                                          "redefined (constants)",
                                          "shadowed",
                                          "shadowed (by an input)",
                                          "shadowed (constant)",
                                          "shadowed (unread)",
                                          "too deep",
                                          "nesting limit"};
    static_assert(std::size(names) == static_cast<std::size_t>(FormatIssue::Kind::NestingLimit) + 1);
    for (const FormatIssue &i : m.issues)
      out += fmt::format("\n! {}: {}{}{}", names[static_cast<std::size_t>(i.kind)], escaped(i.place),
                         i.place.empty() ? "" : ": ", escaped(i.message));
    out += m.issues.empty() ? "" : "\n";
  }

  const Model &m;
  std::string out;
  std::unordered_map<GraphId, std::unordered_map<ValueId, std::size_t>> captures; ///< in the order of use
};

} // namespace

std::string printModel(const Model &m) { return Printer(m).print(); }

} // namespace condlint
