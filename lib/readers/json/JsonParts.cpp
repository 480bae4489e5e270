//===- JsonParts.cpp - Types, sizes, attributes and constants of a model in JSON ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "json/JsonWriter.h"
#include <algorithm>

namespace condlint::json {

// --- sizes and types -----------------------------------------------------------

JsonOut JsonWriter::dim(Dim d) {
  if (!d.known())
    return JsonOut();
  if (const auto number = m.dims.asConstant(d))
    return *number;
  const auto [at, isNew] = dimTexts.try_emplace(d.index);
  if (isNew) {
    at->second = m.dims.str(d);
    for (Symbol &s : m.dims.symbolsOf(d))
      usedSymbols.try_emplace(s.name, s);
  }
  return at->second;
}

JsonOut JsonWriter::dims(std::span<const Dim> list) {
  JsonOut o = JsonOut::array();
  for (const Dim d : list)
    o.push_back(dim(d));
  return o;
}

JsonOut JsonWriter::type(TypeId id, unsigned depth) {
  const Type &t = m.types[id];
  JsonOut o = JsonOut::object();
  o["kind"] = kindName(t.kind);
  if (t.element != DType::Unknown)
    o["dtype"] = dtypeName(t.element);
  if (!t.elements.empty()) {
    JsonOut all = JsonOut::array();
    for (auto i = static_cast<unsigned>(DType::Bool); i <= static_cast<unsigned>(DType::String); ++i)
      if (t.elements.contains(static_cast<DType>(i)))
        all.push_back(dtypeName(static_cast<DType>(i)));
    o["dtypes"] = std::move(all);
  }
  if (t.hasRank)
    o["shape"] = dims(t.dims);
  if (t.hasStrides)
    o["strides"] = dims(t.strides);
  if (t.storageOffset.known())
    o["storageOffset"] = dim(t.storageOffset);
  if (t.device)
    o["device"] = JsonOut(m.text(t.device));
  if (t.deviceIndex >= 0)
    o["deviceIndex"] = t.deviceIndex;
  if (t.layout != Layout::Unknown)
    o["layout"] = layoutName(t.layout);
  for (const auto &[key, value] : {std::pair("requiresGrad", t.requiresGrad), std::pair("conjugate", t.conjugate),
                                   std::pair("quantized", t.quantized)})
    if (value != Tri::Unknown)
      o[key] = value == Tri::Yes;
  if (t.item && depth < maxTypeDepth)
    o["item"] = type(t.item, depth + 1);
  return o;
}

JsonOut JsonWriter::ints(Range r) const {
  JsonOut o = JsonOut::array();
  for (const std::int64_t v : m.ints(r))
    o.push_back(v);
  return o;
}

// --- constants -----------------------------------------------------------------

/// \p implied and \p impliedName are what the value around it says already.
JsonOut JsonWriter::constantData(ConstantId id, TypeId implied, StringId impliedName) {
  JsonOut o = JsonOut::object();
  if (id.index() >= m.constantCount())
    return o;
  const Constant &c = m[id];
  if (m.text(c.name) != m.text(impliedName))
    o["name"] = JsonOut(m.text(c.name));
  if (c.type && c.type != implied)
    o["type"] = type(c.type);
  name(o, "file", c.file);
  if (c.offset != 0)
    o["offset"] = c.offset;
  if (c.size != c.bytes.size())
    o["size"] = c.size;
  if (!c.bytes.empty())
    o["bytes"] = JsonOut::base64(c.bytes);
  if (!c.ints.empty())
    o["ints"] = ints(c.ints);
  if (c.sparse)
    o["sparse"] = true;
  return o;
}

// --- attributes ----------------------------------------------------------------

/// Operands and regions stand in the attributes where these hold all of them,
/// each once, in order; operands that no attribute holds belong to the list of
/// symbolic integers before them.
JsonWriter::Placement JsonWriter::placementOf(NodeId n) const {
  Placement o;
  o.operandsInside = o.regionsInside = true;
  std::uint32_t operand = 0, region = 0;
  std::optional<std::size_t> dims;
  std::size_t position = 0;
  const auto fill = [&](std::uint32_t until) {
    if (operand >= until)
      return operand == until;
    if (!dims)
      return false;
    o.uses[*dims] = {operand, until - operand};
    operand = until;
    dims.reset();
    return true;
  };
  for (const Attribute &a : m.attributes(n)) {
    if (a.kind == AttributeKind::Operand || a.kind == AttributeKind::Operands) {
      const std::uint32_t count = a.kind == AttributeKind::Operand ? 1 : a.list.count;
      o.operandsInside = o.operandsInside && fill(a.list.first);
      operand += count;
      dims.reset();
    } else if (a.kind == AttributeKind::Dims && !dims) {
      dims = position;
    } else if (a.kind == AttributeKind::Region || a.kind == AttributeKind::Regions) {
      o.regionsInside = o.regionsInside && a.list.first == region;
      region += a.kind == AttributeKind::Region ? 1 : a.list.count;
    }
    ++position;
  }
  const auto total = static_cast<std::uint32_t>(m.operands(n).size());
  o.operandsInside = o.operandsInside && fill(total) && operand == total;
  o.regionsInside = o.regionsInside && region == m.regions(n).size();
  if (!o.operandsInside)
    o.uses.clear();
  return o;
}

void JsonWriter::operandAttribute(const Attribute &a, NodeId n, bool inside) {
  const auto all = m.operands(n);
  const bool one = a.kind == AttributeKind::Operand;
  if (!inside) {
    if (one)
      out->member("operandAt", a.list.first);
    else
      out->member("operandsAt", JsonOut::array({a.list.first, a.list.count}));
    return;
  }
  if (one)
    return out->member("operand", reference(all[a.list.first]));
  out->key("operands");
  references(all.subspan(a.list.first, a.list.count));
}

void JsonWriter::regionAttribute(const Attribute &a, NodeId n, bool inside) {
  const bool one = a.kind == AttributeKind::Region;
  if (!inside) {
    if (one)
      out->member("regionAt", a.list.first);
    else
      out->member("regionsAt", JsonOut::array({a.list.first, a.list.count}));
    return;
  }
  const auto all = m.regions(n);
  out->key(one ? "region" : "regions");
  if (one)
    return region(all[a.list.first], m.text(a.name));
  out->beginArray();
  for (const GraphId g : all.subspan(a.list.first, a.list.count))
    region(g, m.text(a.name));
  out->end();
}

void JsonWriter::attribute(const Attribute &a, NodeId n, const Placement &placement, std::size_t position) {
  out->beginObject();
  name("name", a.name);
  switch (a.kind) {
  case AttributeKind::Operand:
  case AttributeKind::Operands:
    if (n)
      operandAttribute(a, n, placement.operandsInside);
    else
      out->member("opaque", "operand");
    return out->end();
  case AttributeKind::Region:
  case AttributeKind::Regions:
    if (n)
      regionAttribute(a, n, placement.regionsInside);
    else
      out->member("opaque", "graph");
    return out->end();
  default:
    break;
  }
  std::string_view key;
  JsonOut value = attributeValue(a, key);
  out->member(key, std::move(value));
  if (a.kind == AttributeKind::Device && a.number != -1)
    out->member("index", a.number);
  if (const auto uses = placement.uses.find(position); uses != placement.uses.end()) {
    out->key("uses");
    references(m.operands(n).subspan(uses->second.first, uses->second.count));
  }
  out->end();
}

JsonOut JsonWriter::attributeValue(const Attribute &a, std::string_view &key) {
  const auto reals = [&] {
    JsonOut list = JsonOut::array();
    for (const double v : m.reals(a.list))
      list.push_back(JsonOut(v));
    return list;
  };
  switch (a.kind) {
  case AttributeKind::None:
    key = "none";
    return true;
  case AttributeKind::Bool:
    key = "bool";
    return a.number != 0;
  case AttributeKind::Int:
    key = "int";
    return a.number;
  case AttributeKind::Float:
    key = "float";
    return JsonOut(a.real);
  case AttributeKind::String:
    key = "string";
    return JsonOut(m.text(a.text));
  case AttributeKind::DType:
    key = "dtype";
    return dtypeName(a.number >= 0 && a.number <= static_cast<std::int64_t>(DType::String)
                         ? static_cast<DType>(a.number)
                         : DType::Unknown);
  case AttributeKind::Layout:
    key = "layout";
    return layoutName(a.number >= 0 && a.number <= static_cast<std::int64_t>(Layout::Jagged)
                          ? static_cast<Layout>(a.number)
                          : Layout::Unknown);
  case AttributeKind::MemoryFormat:
    key = "memoryFormat";
    return a.number;
  case AttributeKind::Device:
    key = "device";
    return JsonOut(m.text(a.text));
  case AttributeKind::Complex:
    key = "complex";
    return reals();
  case AttributeKind::Bools: {
    key = "bools";
    JsonOut list = JsonOut::array();
    for (const std::int64_t v : m.ints(a.list))
      list.push_back(v != 0);
    return list;
  }
  case AttributeKind::Ints:
    key = "ints";
    return ints(a.list);
  case AttributeKind::Floats:
    key = "floats";
    return reals();
  case AttributeKind::Strings: {
    key = "strings";
    JsonOut list = JsonOut::array();
    for (const StringId s : m.stringsIn(a.list))
      list.push_back(JsonOut(m.text(s)));
    return list;
  }
  case AttributeKind::Dims:
    key = "dims";
    return dims(m.dimsIn(a.list));
  case AttributeKind::Tensor:
    key = "tensor";
    return constantData(ConstantId(a.list.first), TypeId(), StringId());
  case AttributeKind::Tensors: {
    key = "tensors";
    JsonOut list = JsonOut::array();
    for (std::uint32_t i = 0; i < a.list.count; ++i)
      list.push_back(constantData(ConstantId(a.list.first + i), TypeId(), StringId()));
    return list;
  }
  case AttributeKind::Type:
    key = "type";
    return type(TypeId(a.list.first));
  case AttributeKind::Reference:
    key = "reference";
    return JsonOut(m.text(a.text));
  case AttributeKind::Location:
    key = "location";
    return location(m.location(a));
  case AttributeKind::Locations:
    key = "locations";
    return locations(a.list);
  case AttributeKind::Operand:
  case AttributeKind::Operands:
  case AttributeKind::Region:
  case AttributeKind::Regions:
  case AttributeKind::Opaque:
    break;
  }
  key = "opaque";
  return JsonOut(m.text(a.text));
}

} // namespace condlint::json
