//===- TypeReader.cpp - What a .pt2 records of its values -------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TypeReader.h"
#include "graph/DimRelation.h"
#include <algorithm>
#include <limits>

namespace condlint::pt2 {

std::optional<DType> dtypeOfNumber(std::int64_t n) {
  switch (n) {
  case 0:
    return DType::Unknown;
  case 1:
    return DType::UInt8;
  case 2:
    return DType::Int8;
  case 3:
    return DType::Int16;
  case 4:
    return DType::Int32;
  case 5:
    return DType::Int64;
  case 6:
    return DType::Float16;
  case 7:
    return DType::Float32;
  case 8:
    return DType::Float64;
  case 9:
    return DType::Complex32;
  case 10:
    return DType::Complex64;
  case 11:
    return DType::Complex128;
  case 12:
    return DType::Bool;
  case 13:
    return DType::BFloat16;
  case 28:
    return DType::UInt16;
  case 29:
    return DType::Float8E4M3FN;
  case 30:
    return DType::Float8E5M2;
  case 31:
    return DType::Float8E4M3FNUZ;
  case 32:
    return DType::Float8E5M2FNUZ;
  case 33:
    return DType::Float8E8M0FNU;
  case 34:
    return DType::UInt32;
  case 35:
    return DType::UInt64;
  default:
    return std::nullopt;
  }
}

std::optional<Layout> layoutOfNumber(std::int64_t n) {
  switch (n) {
  case 0:
    return Layout::Unknown;
  case 1:
    return Layout::SparseCoo;
  case 2:
    return Layout::SparseCsr;
  case 3:
    return Layout::SparseCsc;
  case 4:
    return Layout::SparseBsr;
  case 5:
    return Layout::SparseBsc;
  case 6:
    return Layout::Mkldnn;
  case 7:
    return Layout::Strided;
  default:
    return std::nullopt;
  }
}

TypeId TypeReader::kindType(ValueKind k) {
  TypeId &id = kindTypes[static_cast<std::size_t>(k)];
  if (!id) {
    Type t;
    t.kind = k;
    id = m.types.intern(t);
  }
  return id;
}

TypeId TypeReader::tensorMeta(bool withOffset) {
  if (!c.is(JsonKind::Object)) {
    unexpected("a tensor's metadata");
    return kindType(ValueKind::Tensor);
  }
  const std::string_view rest = c.rest();
  for (const Known &k : known) {
    if (k.tokens != 0 && k.withOffset == withOffset && rest.starts_with(k.text)) {
      c.seek(c.position() + k.tokens);
      return k.type;
    }
  }
  const std::size_t begin = c.offset();
  const std::uint32_t from = c.position();
  const std::size_t before = issueCount;
  const TypeId type = readTensorMeta(withOffset);
  if (issueCount == before && !c.failed()) {
    known[nextKnown] = {c.since(begin), c.position() - from, type, withOffset};
    nextKnown = (nextKnown + 1) % known.size();
  }
  return type;
}

TypeId TypeReader::readTensorMeta(bool withOffset) {
  Type t;
  t.kind = ValueKind::Tensor;
  std::optional<std::vector<Dim>> sizes;
  std::optional<std::vector<Dim>> strides;
  constexpr std::array<std::string_view, 7> demanded{"dtype",   "sizes",          "requires_grad", "device",
                                                     "strides", "storage_offset", "layout"};
  std::array<bool, demanded.size()> isGiven{};
  fields([&](std::string_view key) {
    for (std::size_t i = 0; i < demanded.size(); ++i)
      isGiven[i] = isGiven[i] || key == demanded[i];
    if (same(key, "dtype")) {
      t.element = dtype().value_or(DType::Unknown);
    } else if (same(key, "sizes")) {
      sizes = dimList(Role::Size);
    } else if (same(key, "strides")) {
      strides = dimList(Role::Stride);
    } else if (same(key, "requires_grad")) {
      if (c.is(JsonKind::Bool))
        t.requiresGrad = toTri(c.boolean());
      else
        unexpected("true or false");
    } else if (same(key, "device")) {
      device(t);
    } else if (same(key, "storage_offset")) {
      const Dim offset = symInt(Role::Offset);
      if (withOffset)
        t.storageOffset = offset;
    } else if (same(key, "layout")) {
      t.layout = layout().value_or(Layout::Unknown);
    } else {
      c.skip();
    }
  });
  for (std::size_t i = 0; i < demanded.size(); ++i)
    if (!isGiven[i])
      malformed(fmt::format("a tensor's metadata has no '{}'", demanded[i]));
  if (t.requiresGrad == Tri::Yes && (isIntegral(t.element) || t.element == DType::Bool))
    malformed(fmt::format("a tensor of {} cannot require gradients", dtypeName(t.element)));
  if (sizes && strides && sizes->size() != strides->size()) {
    // One of the two is wrong, and so there is no shape that anything could follow from.
    malformed(fmt::format("{} sizes and {} strides, expected one stride a dimension", sizes->size(), strides->size()));
    return m.types.intern(t);
  }
  if (sizes) {
    t.hasRank = true;
    t.dims = *sizes;
  }
  // A sparse tensor has none; 2.6 writes zeros there.
  if (sizes && strides && (t.layout == Layout::Strided || t.layout == Layout::Unknown)) {
    t.hasStrides = true;
    t.strides = *strides;
  }
  return m.types.intern(t);
}

std::optional<DType> TypeReader::dtype(bool isAsked) {
  const auto n = integer("a scalar type's number");
  const auto t = n ? dtypeOfNumber(*n) : std::nullopt;
  if (n && *n < 0)
    malformed(fmt::format("expected a scalar type's number, found {}", *n));
  else if (n && !t && isAsked)
    unknownKind(fmt::format("{} is the number of no scalar type", *n));
  else if (n && !t)
    issue(FormatIssue::Kind::MalformedNote, fmt::format("unknown scalar type {}, the value is untyped", *n));
  else if (t == DType::Unknown)
    unknownKind("0 is the number of no scalar type");
  return t;
}

std::optional<Layout> TypeReader::layoutAsked() {
  const auto n = integer("a layout's number");
  const auto l = n ? layoutOfNumber(*n) : std::nullopt;
  if (n && (!l || *l == Layout::Unknown))
    unknownKind(fmt::format("{} is the number of no layout", *n));
  return l;
}

void TypeReader::unknownKind(std::string message) {
  const std::size_t before = m.issues.size();
  malformed(std::move(message));
  if (m.issues.size() != before)
    unknownKinds.push_back(before);
}

std::optional<Layout> TypeReader::layout() {
  const auto n = integer("a layout's number");
  const auto l = n ? layoutOfNumber(*n) : std::nullopt;
  if (n && !l)
    issue(FormatIssue::Kind::MalformedNote, fmt::format("unknown layout {}", *n));
  return l;
}

void TypeReader::device(Type &t) {
  if (!c.is(JsonKind::Object))
    return unexpected("a device");
  bool hasType = false;
  fields([&](std::string_view key) {
    if (same(key, "type")) {
      hasType = true;
      if (const auto name = text("a device's type"))
        t.device = intern(*name);
    } else if (same(key, "index") && !c.is(JsonKind::Null)) {
      const auto n = integer("a device's number");
      if (n && (*n < 0 || *n > std::numeric_limits<std::int16_t>::max()))
        malformed(fmt::format("device number {} is out of range", *n));
      else if (n)
        t.deviceIndex = static_cast<std::int16_t>(*n);
    } else {
      c.skip();
    }
  });
  if (!hasType)
    malformed("the device has no 'type'");
}

std::optional<std::vector<Dim>> TypeReader::dimList(Role role) {
  if (!c.is(JsonKind::Array)) {
    unexpected(role == Role::Size ? "a list of sizes" : "a list of strides");
    return std::nullopt;
  }
  std::vector<Dim> list;
  c.array([&](std::uint32_t i) {
    const At at(*this, {}, i);
    list.push_back(symInt(role));
  });
  return list;
}

Dim TypeReader::symInt(Role role) {
  constexpr std::array<std::string_view, 4> names{"a size", "a stride", "a storage offset", "an integer"};
  const std::string_view what = names[static_cast<std::size_t>(role)];
  Dim dim;
  const auto literal = [&] {
    // torch looks no further than that it stands there.
    if (role == Role::Offset)
      return offset(dim);
    const auto n = integer(what);
    if (n && *n < 0 && role != Role::Value)
      malformed(fmt::format("expected {}, found {}, which is negative", what, *n));
    else if (n)
      dim = m.dims.constant(*n);
  };
  // Schemas before 5 wrote the offset as a plain number. What it is is not known: torch reads none.
  if (role == Role::Offset && c.is(JsonKind::Number)) {
    if (!plainOffset)
      plainOffset = made(FormatIssue::Kind::Malformed, "expected a storage offset, found a number");
    c.skip();
    return dim;
  }
  oneOf(what, [&](std::string_view tag) {
    const At at(*this, tag);
    if (same(tag, "as_int"))
      literal();
    else if (same(tag, "as_expr"))
      dim = expression(role);
    else {
      malformed(fmt::format("expected {}, 'as_int' or 'as_expr', found '{}'", what, tag));
      c.skip();
    }
  });
  return dim;
}

void TypeReader::offset(Dim &dim) {
  const bool isNumber = c.is(JsonKind::Number);
  const std::string_view found = jsonKindName(c.kind());
  const auto n = isNumber ? c.number().integer : std::nullopt;
  if (!isNumber)
    c.skip();
  if (n && *n >= 0)
    dim = m.dims.constant(*n);
  else
    issue(FormatIssue::Kind::MalformedWarning,
          fmt::format("expected a storage offset, found {}; torch does not read it, and the program runs",
                      n          ? fmt::format("{}, which is negative", *n)
                      : isNumber ? "no number of 64 bits"
                                 : found));
}

Dim TypeReader::expression(Role role) {
  if (!c.is(JsonKind::Object)) {
    unexpected("a symbolic expression");
    return {};
  }
  bool found = false;
  Parsed p;
  std::optional<std::int64_t> hint;
  fields([&](std::string_view key) {
    if (same(key, "expr_str")) {
      found = true;
      if (const auto s = text("a symbolic expression"))
        p = parsed(*s);
    } else if (same(key, "hint") && !c.is(JsonKind::Null)) {
      oneOf("the value of an example", [&](std::string_view tag) {
        const At at(*this, tag);
        if (!same(tag, "as_int") || c.is(JsonKind::Null) || c.is(JsonKind::Bool))
          c.skip();
        else if (c.is(JsonKind::Number))
          hint = c.number().integer;
        else
          unexpected("an integer");
      });
    } else {
      c.skip();
    }
  });
  if (!found)
    malformed("a symbolic expression has no 'expr_str'");
  if (!p.symbol)
    return p.dim;
  // A size is not negative, whatever else is known of its symbol.
  if (role == Role::Size)
    p.symbol->bounds.min = std::max<std::int64_t>(p.symbol->bounds.min, 0);
  if (hint)
    p.symbol->addHint(*hint);
  return p.dim;
}

TypeReader::Parsed TypeReader::parsed(std::string_view expression) {
  const StringId id = intern(expression);
  if (expressions.size() <= id.index())
    expressions.resize(std::max<std::size_t>(id.index() + 1, expressions.size() * 2));
  Parsed &p = expressions[id.index()];
  if (p.tried && (p.sound || c.failed()))
    return p;
  const SymExpr read = parseSymExpr(expression, m.dims, symbols);
  p.tried = true;
  p.sound = read.problem.empty();
  p.dim = read.dim;
  if (!p.sound)
    malformed(fmt::format("the expression '{}' cannot be read: {}", expression.substr(0, 200), read.problem));
  if (const auto symbol = p.sound ? m.dims.asSymbol(p.dim) : std::nullopt)
    if (const auto it = symbols.find(symbol->name); it != symbols.end())
      p.symbol = &it->second;
  return p;
}

Dim TypeReader::symBool() {
  Dim dim;
  oneOf("a symbolic boolean", [&](std::string_view tag) {
    const At at(*this, tag);
    if (same(tag, "as_bool") && c.is(JsonKind::Bool))
      dim = m.dims.constant(c.boolean() ? 1 : 0);
    else if (same(tag, "as_expr"))
      dim = expression(Role::Value);
    else
      unexpected("a symbolic boolean, 'as_bool' or 'as_expr'");
  });
  return isTruth(m.dims, dim) ? dim : Dim();
}

void TypeReader::symFloat() {
  oneOf("a symbolic number", [&](std::string_view tag) {
    const At at(*this, tag);
    if (same(tag, "as_expr"))
      expression(Role::Value);
    else if (same(tag, "as_float"))
      c.skip();
    else
      unexpected("a symbolic number, 'as_float' or 'as_expr'");
  });
}

} // namespace condlint::pt2
