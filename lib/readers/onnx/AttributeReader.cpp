//===- AttributeReader.cpp - AttributeProto to attributes -------------- ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GraphReader.h"
#include "Proto.h"
#include <bit>
#include <fmt/format.h>

namespace condlint::onnx {

using namespace attributeProto;

/// What stands in one AttributeProto. Lists are in the reader's scratch.
struct GraphReader::AttributeFields {
  std::string_view name, text, reference;
  std::int64_t number = 0;
  double real = 0;
  std::int32_t declared = Undefined; ///< `type`
  bool wrongType = false;            ///< `type` with another wire type, said already
  unsigned kinds = 0;                ///< one bit for each Kind that has data
  Range tensors;                     ///< constants
  TypeId type;

  bool has(Kind k) const { return ((kinds >> k) & 1u) != 0; }
  void saw(Kind k) { kinds |= 1u << k; }
};

void GraphReader::collectAttribute(AttributeFields &a, std::string_view bytes, std::uint32_t depth) {
  c.reach(depth);
  a.tensors.first = static_cast<std::uint32_t>(m.constantCount());
  for (WireReader r(bytes); r.next();) {
    switch (r.key()) {
    case lengthKey(name):
      a.name = r.bytes();
      break;
    case lengthKey(refAttrName):
      a.reference = r.bytes();
      break;
    case lengthKey(docString):
      break;
    case varintKey(attributeProto::type):
      a.declared = r.enumerator();
      break;
    case fixed32Key(f):
      a.real = static_cast<double>(r.real32());
      a.saw(Float);
      break;
    case varintKey(i):
      a.number = r.integer();
      a.saw(Int);
      break;
    case lengthKey(s):
      a.text = r.bytes();
      a.saw(String);
      break;
    case lengthKey(t):
    case lengthKey(attributeProto::tensors):
      tensors.read(r.bytes(), depth + 1);
      ++a.tensors.count;
      a.saw(r.number() == t ? Tensor : Tensors);
      break;
    case lengthKey(sparseTensor):
    case lengthKey(sparseTensors):
      tensors.readSparse(r.bytes(), depth + 1);
      ++a.tensors.count;
      a.saw(r.number() == sparseTensor ? SparseTensor : SparseTensors);
      break;
    case lengthKey(g):
      graphViews.push_back(r.bytes());
      a.saw(Kind::Graph);
      break;
    case lengthKey(graphs):
      graphViews.push_back(r.bytes());
      a.saw(Graphs);
      break;
    case lengthKey(tp):
      a.type = types.read(r.bytes(), depth + 1);
      a.saw(TypeProto);
      break;
    case lengthKey(typeProtos):
      types.read(r.bytes(), depth + 1);
      a.saw(TypeProtos);
      break;
    case lengthKey(floats):
      forEachFixed<float>(r.bytes(), [&](float v) { reals.push_back(static_cast<double>(v)); });
      a.saw(Floats);
      break;
    case fixed32Key(floats):
      reals.push_back(static_cast<double>(r.real32()));
      a.saw(Floats);
      break;
    case lengthKey(attributeProto::ints):
      forEachVarint(r.bytes(), [&](std::int64_t v) { ints.push_back(v); });
      a.saw(Ints);
      break;
    case varintKey(attributeProto::ints):
      ints.push_back(r.integer());
      a.saw(Ints);
      break;
    case lengthKey(strings):
      texts.push_back(m.strings.internStable(r.bytes()));
      a.saw(Strings);
      break;
    default:
      a.wrongType = a.wrongType || r.number() == attributeProto::type;
      c.skip(r, known, depth, "AttributeProto");
    }
  }
}

void GraphReader::checkAttribute(const AttributeFields &a, std::string_view bytes) {
  const auto say = [&](std::string message) {
    c.report(FormatIssue::Kind::Malformed, bytes.data(), std::move(message));
  };
  if (a.name.empty())
    return say("an attribute has no name");
  if (!a.reference.empty() && a.kinds != 0)
    return say(fmt::format("the attribute {} refers to {} and has a value too", quoted(a.name), quoted(a.reference)));
  if (a.declared < Undefined || a.declared > TypeProtos)
    return say(fmt::format("the attribute {} is of type {}, which ONNX does not have", quoted(a.name), a.declared));
  // IR version 1 had no `type`.
  if (a.declared == Undefined && !a.wrongType && (!c.hasIrVersion || c.irVersion >= 2))
    return say(fmt::format("the attribute {} has no type", quoted(a.name)));
  if (std::popcount(a.kinds) > 1 || (a.kinds != 0 && a.declared != Undefined && !a.has(static_cast<Kind>(a.declared))))
    return say(fmt::format("the attribute {} has a value that its type does not say", quoted(a.name)));
}

Attribute GraphReader::readAttribute(std::string_view bytes, std::uint32_t depth, std::size_t firstPending) {
  AttributeFields f;
  ints.clear();
  reals.clear();
  texts.clear();
  graphViews.clear();
  collectAttribute(f, bytes, depth);
  checkAttribute(f, bytes);

  Attribute a;
  a.name = m.strings.internStable(f.name);
  const bool valid = f.declared > Undefined && f.declared <= TypeProtos;
  auto kind = static_cast<Kind>(valid ? f.declared : Undefined);
  if (f.kinds != 0 && (kind == Undefined || !f.has(kind)))
    kind = static_cast<Kind>(std::countr_zero(f.kinds));
  // A graph that stands twice: the last holds, as for every field.
  std::size_t used = kind == Kind::Graph ? 1 : kind == Graphs ? graphViews.size() : 0;
  if (firstPending == noRegions)
    used = 0;
  used = std::min(used, graphViews.size());
  for (std::size_t i = 0; i + used < graphViews.size(); ++i)
    walkGraph(graphViews[i], depth + 1);

  if (!f.reference.empty()) {
    a.kind = AttributeKind::Reference;
    a.text = m.strings.internStable(f.reference);
    for (std::size_t i = graphViews.size() - used; i < graphViews.size(); ++i)
      walkGraph(graphViews[i], depth + 1);
    return a;
  }
  switch (kind) {
  case Undefined:
    a.kind = AttributeKind::None;
    break;
  case Float:
    a.kind = AttributeKind::Float;
    a.real = f.real;
    break;
  case Int:
    a.kind = AttributeKind::Int;
    a.number = f.number;
    break;
  case String:
    a.kind = AttributeKind::String;
    a.text = m.strings.internStable(f.text);
    break;
  case Floats:
    a.kind = AttributeKind::Floats;
    a.list = m.poolReals(reals);
    break;
  case Ints:
    a.kind = AttributeKind::Ints;
    a.list = m.poolInts(ints);
    break;
  case Strings:
    a.kind = AttributeKind::Strings;
    a.list = m.poolStrings(texts);
    break;
  case Tensor:
  case SparseTensor:
    if (f.tensors.count != 0) {
      a.kind = AttributeKind::Tensor;
      a.list = {f.tensors.first + f.tensors.count - 1, 1};
    }
    break;
  case Tensors:
  case SparseTensors:
    a.kind = AttributeKind::Tensors;
    a.list = f.tensors;
    break;
  case TypeProto:
    a.kind = AttributeKind::Type;
    a.list = {f.type.index(), 1};
    break;
  case TypeProtos:
    a.kind = AttributeKind::Opaque;
    a.text = m.strings.intern("type_protos");
    break;
  case Kind::Graph:
  case Graphs:
    if (firstPending == noRegions) {
      a.kind = AttributeKind::Opaque;
      a.text = m.strings.intern("graph");
      break;
    }
    if (kind == Kind::Graph && used == 0)
      break;
    a.kind = kind == Kind::Graph ? AttributeKind::Region : AttributeKind::Regions;
    a.list = {static_cast<std::uint32_t>(pendingGraphs.size() - firstPending), static_cast<std::uint32_t>(used)};
    for (std::size_t i = 0; i < used; ++i) {
      const std::string_view view = graphViews[graphViews.size() - used + i];
      const StringId role = kind == Kind::Graph ? a.name : m.strings.intern(fmt::format("{}[{}]", m.text(a.name), i));
      pendingGraphs.push_back({view, role});
    }
    break;
  }
  return a;
}

} // namespace condlint::onnx
