//===- TypeReader.cpp - TypeProto to types ----------------------------- ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TypeReader.h"
#include "DimExpression.h"
#include "Proto.h"
#include "WireDepth.h"
#include <fmt/format.h>
#include <utility>

namespace condlint::onnx {

namespace {
/// Types nest in types (a sequence of optionals of ...); deeper ones are unknown.
constexpr unsigned deepestType = 32;

/// A member of TypeProto's oneof: what kind of value the type is of.
bool isAlternative(const WireReader &r) {
  constexpr std::uint32_t members = fieldSet({typeProto::tensor, typeProto::sequence, typeProto::map, typeProto::opaque,
                                              typeProto::sparseTensor, typeProto::optional});
  return (r.key() & 7) == 2 && r.number() < 32 && ((members >> r.number()) & 1u) != 0;
}
} // namespace

TypeId TypeReader::read(std::string_view bytes, std::uint32_t depth) {
  const StringId encoding = encodings.internStable(bytes);
  if (encoding.index() == known.size()) {
    Known k;
    k.depth = deepestMessage(bytes, Message::Type, 0);
    input = {};
    isIncomplete = false;
    k.type = parse(bytes, 0);
    k.isIncomplete = isIncomplete;
    known.push_back(k);
  }
  const Known &k = known[encoding.index()];
  c.reach(depth + k.depth);
  isIncomplete = k.isIncomplete;
  return k.type;
}

TypeId TypeReader::readInput(std::string_view bytes, std::uint32_t depth, std::string_view name) {
  c.reach(deepestMessage(bytes, Message::Type, depth));
  input = name;
  isIncomplete = false;
  return parse(bytes, 0);
}

DType TypeReader::element(const WireReader &r) {
  // The last two of onnx 1.23, of floats of six bits, are no element types of anything here.
  constexpr std::int64_t newest = 28;
  const std::int64_t number = r.enumerator();
  const std::optional<DType> type = dtypeOfOnnx(number);
  if (!type && number > 0 && number <= newest)
    c.report(FormatIssue::Kind::MalformedNote, r.at(),
             fmt::format("condlint does not know element type {}; the value is untyped", number));
  else if (!type)
    c.report(FormatIssue::Kind::Malformed, r.at(), fmt::format("element type {} is not one of ONNX's", number));
  isIncomplete = number == 0;
  return type.value_or(DType::Unknown);
}

TypeId TypeReader::parse(std::string_view bytes, unsigned level) {
  if (level > deepestType)
    return {};
  // A oneof: the last member that is there holds, in as many parts as follow
  // one another without another member between them.
  Embedded content;
  Field member = 0;
  for (WireReader r(bytes); r.next();) {
    if (isAlternative(r)) {
      if (std::exchange(member, r.number()) != r.number())
        content.clear();
      content.add(r.bytes());
    } else if (r.key() != lengthKey(typeProto::denotation)) {
      c.skip(r, typeProto::known, 0, "TypeProto");
    }
  }
  switch (member) {
  case typeProto::tensor:
    return parseTensor(content.whole(c), Layout::Unknown);
  case typeProto::sparseTensor:
    return parseTensor(content.whole(c), Layout::SparseCoo);
  case typeProto::sequence:
    return parseHolder(content.whole(c), ValueKind::Sequence, level);
  case typeProto::optional:
    return parseHolder(content.whole(c), ValueKind::Optional, level);
  case typeProto::map:
    return parseHolder(content.whole(c), ValueKind::Map, level);
  case typeProto::opaque: {
    Type t;
    t.kind = ValueKind::Object;
    return m.types.intern(t);
  }
  default:
    return {};
  }
}

TypeId TypeReader::parseTensor(std::string_view bytes, Layout layout) {
  Type t;
  t.kind = ValueKind::Tensor;
  t.layout = layout;
  dims.clear();
  isIncomplete = true;
  for (WireReader r(bytes); r.next();) {
    switch (r.key()) {
    case varintKey(typeProto::elementType):
      t.element = element(r);
      break;
    case lengthKey(typeProto::shape):
      t.hasRank = true;
      parseShape(r.bytes());
      break;
    default:
      c.skip(r, fieldSet({1, 2}), 0, "TypeProto.Tensor");
    }
  }
  t.dims = dims;
  return m.types.intern(t);
}

TypeId TypeReader::parseHolder(std::string_view bytes, ValueKind kind, unsigned level) {
  Type t;
  t.kind = kind;
  const bool isMap = kind == ValueKind::Map;
  isIncomplete = isMap;
  Embedded item;
  for (WireReader r(bytes); r.next();) {
    if (isMap && r.key() == varintKey(typeProto::elementType))
      t.element = element(r);
    else if (r.key() == lengthKey(isMap ? 2 : 1))
      item.add(r.bytes());
    else
      c.skip(r, isMap ? fieldSet({1, 2}) : fieldSet({1}), 0, "TypeProto");
  }
  const bool lacksKey = isIncomplete;
  if (item.isGiven())
    t.item = parse(item.whole(c), level + 1);
  isIncomplete = isIncomplete || lacksKey || (!t.item && level < deepestType);
  return m.types.intern(t);
}

void TypeReader::parseShape(std::string_view bytes) {
  for (WireReader r(bytes); r.next();) {
    if (r.key() == lengthKey(1))
      dims.push_back(parseDim(r.bytes()));
    else
      c.skip(r, fieldSet({1}), 0, "TensorShapeProto");
  }
}

Dim TypeReader::parseDim(std::string_view bytes) {
  Dim d;
  bool given = false;
  for (WireReader r(bytes); r.next();) {
    switch (r.key()) {
    case varintKey(dimensionProto::value):
      given = r.integer() >= 0;
      d = given ? m.dims.constant(r.integer()) : Dim();
      // -1 is what converters write for a size that nobody knows; every runtime takes any negative one for that.
      if (r.integer() < -1)
        c.report(FormatIssue::Kind::MalformedNote, r.at(), fmt::format("a dimension of size {}", r.integer()));
      break;
    case lengthKey(dimensionProto::param):
      given = !r.bytes().empty();
      d = given ? readDimParam(m.dims, r.bytes(), c.isTorch) : Dim();
      break;
    case lengthKey(dimensionProto::denotation):
      break;
    default:
      c.skip(r, fieldSet({1, 2, 3}), 0, "TensorShapeProto.Dimension");
    }
  }
  if (!given && !input.empty())
    d = m.dims.fresh(fmt::format("{}.{}", input, dims.size()), SymbolOrigin::Anonymous);
  return d;
}

TypeId TypeReader::merge(TypeId a, TypeId b, std::string &conflict) { return mergeAt(a, b, conflict, 0); }

TypeId TypeReader::mergeAt(TypeId a, TypeId b, std::string &conflict, unsigned level) {
  if (a == b || !b || level > deepestType)
    return a;
  if (!a)
    return b;
  Type t = m.types[a];
  const Type &other = m.types[b];
  if (t.kind != other.kind) {
    conflict = fmt::format("{} and {}", kindName(t.kind), kindName(other.kind));
    return a;
  }
  if (t.element == DType::Unknown)
    t.element = other.element;
  else if (other.element != DType::Unknown && other.element != t.element)
    conflict = fmt::format("{} and {}", dtypeName(t.element), dtypeName(other.element));
  if (t.layout == Layout::Unknown)
    t.layout = other.layout;
  t.item = mergeAt(t.item, other.item, conflict, level + 1);
  if (!t.hasRank) {
    t.hasRank = other.hasRank;
    t.dims = other.dims;
    return m.types.intern(t);
  }
  if (!other.hasRank)
    return m.types.intern(t);
  if (other.dims.size() != t.dims.size()) {
    conflict = fmt::format("rank {} and rank {}", t.dims.size(), other.dims.size());
    return m.types.intern(t);
  }
  dims.assign(t.dims.begin(), t.dims.end());
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const Dim d = other.dims[i];
    if (!dims[i].known()) {
      dims[i] = d;
      continue;
    }
    const auto x = m.dims.asConstant(dims[i]);
    const auto y = m.dims.asConstant(d);
    if (x && y && *x != *y)
      conflict = fmt::format("size {} and size {} of dimension {}", *x, *y, i);
  }
  t.dims = dims;
  return m.types.intern(t);
}

} // namespace condlint::onnx
