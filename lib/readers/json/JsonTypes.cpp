//===- JsonTypes.cpp - Types, sizes, attributes and constants in JSON -----===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "json/DimText.h"
#include "json/JsonReader.h"
#include <array>
#include <fmt/format.h>

namespace condlint::json {

// --- sizes ---------------------------------------------------------------------

/// What nobody declared: named as torch and ONNX name them.
Dim JsonReader::symbolByName(std::string_view name) {
  const bool unbacked = m.info.dialect == Dialect::Torch && name.size() > 1 && name[0] == 'u' &&
                        name.find_first_not_of("0123456789", 1) == std::string_view::npos;
  const SymbolOrigin origin = m.info.dialect != Dialect::Torch ? SymbolOrigin::Named
                              : unbacked                       ? SymbolOrigin::Unbacked
                                                               : SymbolOrigin::Declared;
  if (knownSymbols.emplace(name).second)
    bounds.emplace_back(name, Interval{0, std::numeric_limits<std::int64_t>::max()});
  return m.dims.symbol(name, origin, Interval());
}

Dim JsonReader::dimText(const View &v, std::string_view text) {
  const auto [at, isNew] = dimByText.try_emplace(std::string(text));
  if (isNew) {
    const auto parsed = parseDim(m.dims, text, [this](std::string_view name) { return symbolByName(name); });
    if (!parsed)
      v.refuse(parsed.error().message);
    at->second = *parsed;
  }
  return at->second;
}

Dim JsonReader::dim(const View &v) {
  if (v.isNull())
    return {};
  if (v.isInteger())
    return m.dims.constant(v.integer());
  if (!v.isString())
    v.expected("an integer, an expression in a string, or null");
  return dimText(v, v.text());
}

std::vector<Dim> JsonReader::dimList(const View &v) {
  std::vector<Dim> out;
  for (std::size_t i = 0; i < v.size(); ++i)
    out.push_back(dim(v[i]));
  return out;
}

// --- types ---------------------------------------------------------------------

/// "float32[s0, 4]", "float32[...]" or "float32" for an unknown rank, or a kind.
TypeId JsonReader::typeText(const View &v, std::string_view text) {
  Type t;
  std::vector<Dim> dims;
  const std::size_t bracket = text.find('[');
  const std::string_view name = text.substr(0, bracket);
  std::optional<DType> element = name == "?" ? std::optional(DType::Unknown) : dtypeByName(name);
  // "float32|float64": one of a few.
  for (std::size_t start = 0; name.find('|') != std::string_view::npos && start <= name.size();) {
    const std::size_t end = std::min(name.find('|', start), name.size());
    const auto one = dtypeByName(name.substr(start, end - start));
    if (!one || *one == DType::Unknown)
      v.refuse(fmt::format("'{}' is no element type", name.substr(start, end - start)));
    t.elements.add(*one);
    element = DType::Unknown;
    start = end + 1;
  }
  const auto kind = kindByName(name);
  if (bracket == std::string_view::npos && kind && name != "string") {
    t.kind = *kind;
    return m.types.intern(t);
  }
  if (!element)
    v.refuse(fmt::format("'{}' is neither an element type nor a kind of value", name));
  t.kind = ValueKind::Tensor;
  t.element = *element;
  if (bracket == std::string_view::npos)
    return m.types.intern(t);
  if (text.back() != ']')
    v.refuse("expected ']' at the end of the shape");
  const std::string_view shape = text.substr(bracket + 1, text.size() - bracket - 2);
  if (shape == "...")
    return m.types.intern(t);
  t.hasRank = true;
  std::size_t start = 0;
  int nesting = 0;
  bool quoted = false;
  for (std::size_t i = 0; i <= shape.size() && !shape.empty(); ++i) {
    const char c = i < shape.size() ? shape[i] : ',';
    if (quoted && c == '\\' && i + 1 < shape.size()) {
      ++i;
      continue;
    }
    quoted = quoted != (c == '\'');
    nesting += quoted ? 0 : c == '(' ? 1 : c == ')' ? -1 : 0;
    if (i == shape.size() || (c == ',' && nesting == 0 && !quoted)) {
      std::string_view one = shape.substr(start, i - start);
      while (one.ends_with(' '))
        one.remove_suffix(1);
      dims.push_back(dimText(v, one));
      start = i + 1;
    }
  }
  t.dims = dims;
  return m.types.intern(t);
}

DTypeSet JsonReader::elements(const View &v) {
  DTypeSet out;
  for (std::size_t i = 0; i < v.size(); ++i) {
    const auto t = dtypeByName(v[i].text());
    if (!t || *t == DType::Unknown)
      v[i].refuse(fmt::format("'{}' is no element type", v[i].text()));
    out.add(*t);
  }
  return out;
}

TypeId JsonReader::type(const View &v, unsigned depth) {
  if (v.isString())
    return typeText(v, v.text());
  v.keys({"kind", "dtype", "dtypes", "shape", "device", "deviceIndex", "layout", "strides", "storageOffset",
          "requiresGrad", "conjugate", "quantized", "item"});
  if (depth > maxTypeDepth)
    v.refuse(fmt::format("types nest deeper than {} levels", maxTypeDepth));
  Type t;
  t.kind = ValueKind::Tensor;
  const auto named = [&](std::string_view key, auto &field, auto byName, std::string_view what) {
    const auto x = v.find(key);
    if (!x)
      return;
    const auto found = byName(x->text());
    if (!found)
      x->refuse(fmt::format("'{}' is no {}", x->text(), what));
    field = *found;
  };
  named("kind", t.kind, kindByName, "kind of value");
  named("dtype", t.element, dtypeByName, "element type");
  named("layout", t.layout, layoutByName, "layout");
  if (const auto x = v.find("dtypes"))
    t.elements = elements(*x);
  std::vector<Dim> dims, strides;
  if (const auto x = v.find("shape"); x && !x->isNull()) {
    dims = dimList(*x);
    t.hasRank = true;
    t.dims = dims;
  }
  if (const auto x = v.find("strides"); x && !x->isNull()) {
    strides = dimList(*x);
    t.hasStrides = true;
    t.strides = strides;
  }
  if (const auto x = v.find("device"))
    t.device = intern(*x);
  if (const auto x = v.find("deviceIndex"))
    t.deviceIndex = static_cast<std::int16_t>(x->integer(-1, std::numeric_limits<std::int16_t>::max()));
  if (const auto x = v.find("storageOffset"))
    t.storageOffset = dim(*x);
  for (const auto &[key, field] : {std::pair("requiresGrad", &t.requiresGrad), std::pair("conjugate", &t.conjugate),
                                   std::pair("quantized", &t.quantized)})
    if (const auto x = v.find(key))
      *field = toTri(x->boolean());
  if (const auto x = v.find("item"))
    t.item = type(*x, depth + 1);
  return m.types.intern(t);
}

// --- constants -----------------------------------------------------------------

ConstantId JsonReader::constantData(const View &v, TypeId type) {
  v.keys({"name", "type", "file", "offset", "size", "bytes", "ints", "sparse"});
  Constant c;
  c.type = v.find("type") ? this->type(v.at("type")) : type;
  if (const auto x = v.find("name"))
    c.name = intern(*x);
  if (const auto x = v.find("file"))
    c.file = intern(*x);
  if (const auto x = v.find("offset"))
    c.offset = x->natural();
  if (const auto x = v.find("bytes")) {
    bytes->push_back(x->bytes());
    c.bytes = bytes->back();
    c.size = c.bytes.size();
  }
  if (const auto x = v.find("size"))
    c.size = x->natural();
  if (const auto x = v.find("ints")) {
    std::vector<std::int64_t> ints;
    for (std::size_t i = 0; i < x->size(); ++i)
      ints.push_back((*x)[i].integer());
    c.ints = m.poolInts(ints);
  }
  if (const auto x = v.find("sparse"))
    c.sparse = x->boolean();
  return m.addConstantData(c);
}

// --- attributes ----------------------------------------------------------------

void JsonReader::operandAttribute(const View &v, std::string_view key, Attribute &a, Draft &draft) {
  const auto total = static_cast<std::uint32_t>(draft.operands.size());
  const View x = v.at(key);
  const auto append = [&](const View &one) {
    draft.operands.push_back(reference(one, draft.graph, draft.patches, draft.operands.size()));
  };
  if (key == "operand") {
    a.kind = AttributeKind::Operand;
    a.list = {total, 1};
    append(x);
  } else if (key == "operands") {
    a.kind = AttributeKind::Operands;
    a.list = {total, static_cast<std::uint32_t>(x.size())};
    for (std::size_t i = 0; i < x.size(); ++i)
      append(x[i]);
  } else if (key == "operandAt") {
    a.kind = AttributeKind::Operand;
    a.list = {x.index32(), 1};
    if (a.list.first >= total)
      x.refuse(fmt::format("the node has {} operands so far", total));
  } else {
    if (x.size() != 2)
      x.refuse("expected the position of the first operand and how many there are");
    a.kind = AttributeKind::Operands;
    a.list = {x[0].index32(), x[1].index32()};
    if (a.list.first > total || a.list.count > total - a.list.first)
      x.refuse(fmt::format("the node has {} operands so far", total));
  }
}

void JsonReader::regionAttribute(const View &v, std::string_view key, Attribute &a, Draft &draft) {
  const View x = v.at(key);
  a.kind = key == "region" || key == "regionAt" ? AttributeKind::Region : AttributeKind::Regions;
  if (key == "region") {
    a.list = {draft.regions++, 1};
  } else if (key == "regions") {
    a.list = {draft.regions, static_cast<std::uint32_t>(x.size())};
    draft.regions += a.list.count;
  } else if (key == "regionAt") {
    a.list = {x.index32(), 1};
    if (a.list.first >= draft.regions)
      x.refuse(fmt::format("the node has {} regions so far", draft.regions));
  } else {
    if (x.size() != 2)
      x.refuse("expected the position of the first region and how many there are");
    a.list = {x[0].index32(), x[1].index32()};
    if (a.list.first > draft.regions || a.list.count > draft.regions - a.list.first)
      x.refuse(fmt::format("the node has {} regions so far", draft.regions));
  }
}

Attribute JsonReader::attribute(const View &v, Draft *draft) {
  static constexpr std::array kinds = std::to_array<std::string_view>(
      {"none",    "bool",    "int",       "float",     "string",   "dtype",    "layout",    "memoryFormat",
       "device",  "complex", "bools",     "ints",      "floats",   "strings",  "dims",      "tensor",
       "tensors", "type",    "reference", "opaque",    "operand",  "operands", "operandAt", "operandsAt",
       "region",  "regions", "regionAt",  "regionsAt", "location", "locations"});
  v.keys({"name",      "index",    "uses",      "none",         "bool",      "int",        "float",
          "string",    "dtype",    "layout",    "memoryFormat", "device",    "complex",    "bools",
          "ints",      "floats",   "strings",   "dims",         "tensor",    "tensors",    "type",
          "reference", "opaque",   "operand",   "operands",     "operandAt", "operandsAt", "region",
          "regions",   "regionAt", "regionsAt", "location",     "locations"});
  std::string_view key;
  for (const std::string_view k : kinds)
    if (v.find(k)) {
      if (!key.empty())
        v.refuse(fmt::format("an attribute has one value, found '{}' and '{}'", key, k));
      key = k;
    }
  if (key.empty())
    v.refuse("an attribute has a value; 'none' is one too");
  for (const auto &[extra, owner] : {std::pair("index", "device"), std::pair("uses", "dims")})
    if (v.find(extra) && key != owner)
      v.at(extra).refuse(fmt::format("belongs to '{}' alone", owner));

  Attribute a;
  a.name = v.find("name") ? intern(v.at("name")) : m.strings.intern("");
  const View x = v.at(key);
  const auto list = [&](auto read) {
    std::vector<decltype(read(x))> out;
    for (std::size_t i = 0; i < x.size(); ++i)
      out.push_back(read(x[i]));
    return out;
  };
  const auto integer = [](const View &i) { return i.integer(); };
  const auto real = [](const View &i) { return i.real(); };
  if (key.starts_with("operand") || key.starts_with("region")) {
    if (!draft)
      x.refuse("a default refers to no operands and regions");
    key.starts_with("operand") ? operandAttribute(v, key, a, *draft) : regionAttribute(v, key, a, *draft);
  } else if (key == "none") {
    a.kind = AttributeKind::None;
    if (!x.boolean())
      x.refuse("expected true");
  } else if (key == "bool") {
    a.kind = AttributeKind::Bool;
    a.number = x.boolean() ? 1 : 0;
  } else if (key == "int") {
    a.kind = AttributeKind::Int;
    a.number = x.integer();
  } else if (key == "float") {
    a.kind = AttributeKind::Float;
    a.real = x.real();
  } else if (key == "string" || key == "reference" || key == "opaque") {
    a.kind = key == "string"      ? AttributeKind::String
             : key == "reference" ? AttributeKind::Reference
                                  : AttributeKind::Opaque;
    a.text = intern(x);
    if (a.kind == AttributeKind::Opaque && m.text(a.text).empty()) // what could not be read has no tag
      a.text = StringId();
  } else if (key == "dtype") {
    a.kind = AttributeKind::DType;
    const auto t = dtypeByName(x.text());
    if (!t)
      x.refuse(fmt::format("'{}' is no element type", x.text()));
    a.number = static_cast<std::int64_t>(*t);
  } else if (key == "layout") {
    a.kind = AttributeKind::Layout;
    const auto l = layoutByName(x.text());
    if (!l)
      x.refuse(fmt::format("'{}' is no layout", x.text()));
    a.number = static_cast<std::int64_t>(*l);
  } else if (key == "memoryFormat") {
    a.kind = AttributeKind::MemoryFormat;
    a.number = x.integer();
  } else if (key == "device") {
    a.kind = AttributeKind::Device;
    a.text = intern(x);
    a.number = v.find("index") ? v.at("index").integer() : -1;
  } else if (key == "complex") {
    a.kind = AttributeKind::Complex;
    if (x.size() != 2)
      x.refuse("expected the real and the imaginary part");
    a.list = m.poolReals(list(real));
  } else if (key == "bools") {
    a.kind = AttributeKind::Bools;
    a.list = m.poolInts(list([](const View &i) { return std::int64_t{i.boolean()}; }));
  } else if (key == "ints") {
    a.kind = AttributeKind::Ints;
    a.list = m.poolInts(list(integer));
  } else if (key == "floats") {
    a.kind = AttributeKind::Floats;
    a.list = m.poolReals(list(real));
  } else if (key == "strings") {
    a.kind = AttributeKind::Strings;
    a.list = m.poolStrings(list([&](const View &i) { return intern(i); }));
  } else if (key == "dims") {
    a.kind = AttributeKind::Dims;
    a.list = m.poolDims(dimList(x));
    if (const auto uses = v.find("uses")) {
      if (!draft)
        uses->refuse("a default refers to no operands and regions");
      for (std::size_t i = 0; i < uses->size(); ++i)
        draft->operands.push_back(reference((*uses)[i], draft->graph, draft->patches, draft->operands.size()));
    }
  } else if (key == "location") {
    a.kind = AttributeKind::Location;
    a.number = location(x).index();
  } else if (key == "locations") {
    a.kind = AttributeKind::Locations;
    a.list = locations(x);
  } else if (key == "tensor") {
    a.kind = AttributeKind::Tensor;
    a.list = {constantData(x, TypeId()).index(), 1};
  } else if (key == "tensors") {
    a.kind = AttributeKind::Tensors;
    a.list = {static_cast<std::uint32_t>(m.constantCount()), static_cast<std::uint32_t>(x.size())};
    for (std::size_t i = 0; i < x.size(); ++i)
      constantData(x[i], TypeId());
  } else {
    a.kind = AttributeKind::Type;
    a.list = {type(x).index(), 1};
  }
  return a;
}

} // namespace condlint::json
