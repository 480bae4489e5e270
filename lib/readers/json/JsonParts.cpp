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
  JsonOut out = JsonOut::array();
  for (const Dim d : list)
    out.push_back(dim(d));
  return out;
}

JsonOut JsonWriter::type(TypeId id, unsigned depth) {
  const Type &t = m.types[id];
  JsonOut out = JsonOut::object();
  out["kind"] = kindName(t.kind);
  if (t.element != DType::Unknown)
    out["dtype"] = dtypeName(t.element);
  if (!t.elements.empty()) {
    JsonOut all = JsonOut::array();
    for (auto i = static_cast<unsigned>(DType::Bool); i <= static_cast<unsigned>(DType::String); ++i)
      if (t.elements.contains(static_cast<DType>(i)))
        all.push_back(dtypeName(static_cast<DType>(i)));
    out["dtypes"] = std::move(all);
  }
  if (t.hasRank)
    out["shape"] = dims(t.dims);
  if (t.hasStrides)
    out["strides"] = dims(t.strides);
  if (t.storageOffset.known())
    out["storageOffset"] = dim(t.storageOffset);
  if (t.device)
    out["device"] = JsonOut(m.text(t.device));
  if (t.deviceIndex >= 0)
    out["deviceIndex"] = t.deviceIndex;
  if (t.layout != Layout::Unknown)
    out["layout"] = layoutName(t.layout);
  for (const auto &[key, value] : {std::pair("requiresGrad", t.requiresGrad), std::pair("conjugate", t.conjugate),
                                   std::pair("quantized", t.quantized)})
    if (value != Tri::Unknown)
      out[key] = value == Tri::Yes;
  if (t.item && depth < maxTypeDepth)
    out["item"] = type(t.item, depth + 1);
  return out;
}

JsonOut JsonWriter::ints(Range r) const {
  JsonOut out = JsonOut::array();
  for (const std::int64_t v : m.ints(r))
    out.push_back(v);
  return out;
}

// --- constants -----------------------------------------------------------------

/// \p implied and \p impliedName are what the value around it says already.
JsonOut JsonWriter::constantData(ConstantId id, TypeId implied, StringId impliedName) {
  JsonOut out = JsonOut::object();
  if (id.index() >= m.constantCount())
    return out;
  const Constant &c = m[id];
  if (m.text(c.name) != m.text(impliedName))
    out["name"] = JsonOut(m.text(c.name));
  if (c.type && c.type != implied)
    out["type"] = type(c.type);
  name(out, "file", c.file);
  if (c.offset != 0)
    out["offset"] = c.offset;
  if (c.size != c.bytes.size())
    out["size"] = c.size;
  if (!c.bytes.empty())
    out["bytes"] = JsonOut::base64(c.bytes);
  if (!c.ints.empty())
    out["ints"] = ints(c.ints);
  if (c.sparse)
    out["sparse"] = true;
  return out;
}

// --- attributes ----------------------------------------------------------------

/// Operands and regions stand in the attributes where these hold all of them,
/// each once, in order; operands that no attribute holds belong to the list of
/// symbolic integers before them.
JsonWriter::Placement JsonWriter::placementOf(NodeId n) const {
  Placement out;
  out.operandsInside = out.regionsInside = true;
  std::uint32_t operand = 0, region = 0;
  std::optional<std::size_t> dims;
  std::size_t position = 0;
  const auto fill = [&](std::uint32_t until) {
    if (operand >= until)
      return operand == until;
    if (!dims)
      return false;
    out.uses[*dims] = {operand, until - operand};
    operand = until;
    dims.reset();
    return true;
  };
  for (const Attribute &a : m.attributes(n)) {
    if (a.kind == AttributeKind::Operand || a.kind == AttributeKind::Operands) {
      const std::uint32_t count = a.kind == AttributeKind::Operand ? 1 : a.list.count;
      out.operandsInside = out.operandsInside && fill(a.list.first);
      operand += count;
      dims.reset();
    } else if (a.kind == AttributeKind::Dims && !dims) {
      dims = position;
    } else if (a.kind == AttributeKind::Region || a.kind == AttributeKind::Regions) {
      out.regionsInside = out.regionsInside && a.list.first == region;
      region += a.kind == AttributeKind::Region ? 1 : a.list.count;
    }
    ++position;
  }
  const auto total = static_cast<std::uint32_t>(m.operands(n).size());
  out.operandsInside = out.operandsInside && fill(total) && operand == total;
  out.regionsInside = out.regionsInside && region == m.regions(n).size();
  if (!out.operandsInside)
    out.uses.clear();
  return out;
}

void JsonWriter::operandAttribute(JsonOut &out, const Attribute &a, NodeId n, bool inside) {
  const auto all = m.operands(n);
  const bool one = a.kind == AttributeKind::Operand;
  if (!inside) {
    if (one)
      out["operandAt"] = a.list.first;
    else
      out["operandsAt"] = JsonOut::array({a.list.first, a.list.count});
    return;
  }
  if (one) {
    out["operand"] = reference(all[a.list.first]);
    return;
  }
  JsonOut list = JsonOut::array();
  for (const ValueId v : all.subspan(a.list.first, a.list.count))
    list.push_back(reference(v));
  out["operands"] = std::move(list);
}

void JsonWriter::regionAttribute(JsonOut &out, const Attribute &a, NodeId n, bool inside) {
  const bool one = a.kind == AttributeKind::Region;
  if (!inside) {
    if (one)
      out["regionAt"] = a.list.first;
    else
      out["regionsAt"] = JsonOut::array({a.list.first, a.list.count});
    return;
  }
  const auto all = m.regions(n);
  if (one) {
    out["region"] = region(all[a.list.first], m.text(a.name));
    return;
  }
  JsonOut list = JsonOut::array();
  for (const GraphId g : all.subspan(a.list.first, a.list.count))
    list.push_back(region(g, m.text(a.name)));
  out["regions"] = std::move(list);
}

JsonOut JsonWriter::attribute(const Attribute &a, NodeId n, const Placement &placement, std::size_t position) {
  JsonOut out = JsonOut::object();
  name(out, "name", a.name);
  switch (a.kind) {
  case AttributeKind::Operand:
  case AttributeKind::Operands:
    if (n)
      operandAttribute(out, a, n, placement.operandsInside);
    else
      out["opaque"] = "operand";
    return out;
  case AttributeKind::Region:
  case AttributeKind::Regions:
    if (n)
      regionAttribute(out, a, n, placement.regionsInside);
    else
      out["opaque"] = "graph";
    return out;
  default:
    break;
  }
  std::string_view key;
  JsonOut value = attributeValue(a, key);
  out[key] = std::move(value);
  if (a.kind == AttributeKind::Device && a.number != -1)
    out["index"] = a.number;
  if (const auto uses = placement.uses.find(position); uses != placement.uses.end()) {
    JsonOut list = JsonOut::array();
    for (const ValueId v : m.operands(n).subspan(uses->second.first, uses->second.count))
      list.push_back(reference(v));
    out["uses"] = std::move(list);
  }
  return out;
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
