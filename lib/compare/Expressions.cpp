//===- Expressions.cpp - What a value is computed from, as a number -------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Expressions.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

namespace condlint::compare {

namespace {

std::uint64_t mixed(std::uint64_t h, std::uint64_t x) {
  h ^= x + 0x9e3779b97f4a7c15ULL + (h << 6) + (h >> 2);
  return h * 0xff51afd7ed558ccdULL;
}

std::uint64_t hashOf(std::string_view s) { return std::hash<std::string_view>()(s); }

/// Operators that yield what they are given, but for its element type.
bool passesOn(std::string_view name) {
  return name == "Identity" || name == "Cast" || name == "CastLike" || name == "QuantizeLinear" ||
         name == "DequantizeLinear" || name == "alias" || name == "clone" || name == "_to_copy" || name == "to";
}

/// Half-precision keeps three digits.
std::uint64_t rounded(double x) {
  if (!std::isfinite(x) || x == 0)
    return hashOf(std::isnan(x) ? "nan" : x > 0 ? "inf" : x < 0 ? "-inf" : "0");
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  return mixed(static_cast<std::uint64_t>(static_cast<std::int64_t>(std::lround(mantissa * 256))),
               static_cast<std::uint64_t>(static_cast<std::int64_t>(exponent)));
}

double halfOf(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const double fraction = bits & 1023;
  const double size = exponent == 0    ? std::ldexp(fraction, -24)
                      : exponent == 31 ? (fraction == 0 ? std::numeric_limits<double>::infinity()
                                                        : std::numeric_limits<double>::quiet_NaN())
                                       : std::ldexp(1024 + fraction, exponent - 25);
  return (bits & 0x8000U) != 0 ? -size : size;
}

template <class T> T loaded(std::string_view bytes, std::size_t i) {
  T x{};
  std::memcpy(&x, bytes.data() + i * sizeof(T), sizeof(T));
  return x;
}

/// Element \p i of \p bytes as a number; nothing for element types that have no such form here.
std::optional<double> element(DType t, std::string_view bytes, std::size_t i) {
  if ((i + 1) * (dtypeBits(t) / 8) > bytes.size())
    return std::nullopt;
  switch (t) {
  case DType::Bool:
  case DType::UInt8:
    return loaded<std::uint8_t>(bytes, i);
  case DType::Int8:
    return loaded<std::int8_t>(bytes, i);
  case DType::Int32:
    return loaded<std::int32_t>(bytes, i);
  case DType::Int64:
    return static_cast<double>(loaded<std::int64_t>(bytes, i));
  case DType::Float16:
    return halfOf(loaded<std::uint16_t>(bytes, i));
  case DType::BFloat16:
    return std::bit_cast<float>(static_cast<std::uint32_t>(loaded<std::uint16_t>(bytes, i)) << 16);
  case DType::Float32:
    return loaded<float>(bytes, i);
  case DType::Float64:
    return loaded<double>(bytes, i);
  default:
    return std::nullopt;
  }
}

} // namespace

std::string Expressions::plainName(std::string_view name) const {
  return std::string(!prefix.empty() && name.starts_with(prefix) ? name.substr(prefix.size()) : name);
}

ValueId Expressions::origin(ValueId v) const {
  for (unsigned steps = 0; v && steps < 100; ++steps) {
    const Value &x = m[v];
    if (x.origin != ValueOrigin::Result || m.operands(x.def).empty() || !m.operands(x.def)[0] ||
        !passesOn(m.text(m[m[x.def].op].name)))
      return v;
    v = m.operands(x.def)[0];
  }
  return v;
}

ValueId Expressions::negated(ValueId v) const {
  v = origin(v);
  if (!v || m[v].origin != ValueOrigin::Result)
    return {};
  const NodeId n = m[v].def;
  const std::string_view name = m.text(m[m[n].op].name);
  return (name == "Not" || name == "logical_not") && !m.operands(n).empty() ? m.operands(n)[0] : ValueId();
}

std::uint64_t Expressions::constant(ConstantId c) const {
  constexpr std::size_t most = 64;
  const Constant &data = m[c];
  const Type &t = m.types[data.type];
  std::uint64_t h = hashOf("constant");
  std::size_t count = 1;
  for (const Dim d : t.dims) {
    const auto size = m.dims.asConstant(d);
    h = mixed(h, size ? static_cast<std::uint64_t>(*size) : 0);
    count = size && *size >= 0 && count <= most ? count * static_cast<std::size_t>(*size) : most + 1;
  }
  if (count > most) // a weight: tools keep its name
    return mixed(h, hashOf(plainName(m.text(data.name))));
  const auto ints = m.ints(data.ints);
  for (std::size_t i = 0; i < count; ++i)
    if (i < ints.size())
      h = mixed(h, rounded(static_cast<double>(ints[i])));
    else if (const auto x = element(t.element, data.bytes, i))
      h = mixed(h, rounded(*x));
  return h;
}

std::uint64_t Expressions::leaf(ValueId v) const {
  const Value &x = m[v];
  if (x.origin == ValueOrigin::Parameter && x.graph && m[x.graph].parent) // by position: both branches have the same
    return mixed(hashOf("parameter"), x.index);
  return hashOf(plainName(m.name(v)));
}

std::uint64_t Expressions::node(NodeId n, std::uint32_t result) {
  std::uint64_t h = mixed(hashOf(m.text(m[m[n].op].name)), result);
  for (const ValueId v : m.operands(n))
    h = mixed(h, v ? known[origin(v)] : 0);
  for (const GraphId g : m.regions(n))
    if (g)
      for (const ValueId v : m.results(g))
        h = mixed(h, v ? known[origin(v)] : 0);
  for (const Attribute &a : m.attributes(n)) {
    if (a.kind == AttributeKind::Int || a.kind == AttributeKind::Bool)
      h = mixed(h, static_cast<std::uint64_t>(a.number));
    else if (a.kind == AttributeKind::Float)
      h = mixed(h, rounded(a.real));
    else if (a.kind == AttributeKind::Ints)
      for (const std::int64_t i : m.ints(a.list))
        h = mixed(h, static_cast<std::uint64_t>(i));
  }
  return h;
}

std::uint64_t Expressions::of(ValueId given) {
  // Depth first without recursion: a chain may be as long as the file.
  const ValueId root = origin(given);
  if (!root)
    return 0;
  std::vector<std::pair<ValueId, bool>> stack{{root, false}};
  while (!stack.empty()) {
    const auto [v, isReady] = stack.back();
    stack.pop_back();
    if (!isReady && known.contains(v))
      continue;
    const Value &x = m[v];
    if (x.constant || (x.content && x.origin == ValueOrigin::Constant)) {
      std::uint64_t h = x.constant ? constant(x.constant) : hashOf("constant");
      if (!x.constant)
        for (const Dim d : m.content(x.content)) {
          const auto number = m.dims.asConstant(d);
          h = mixed(h, number ? rounded(static_cast<double>(*number)) : 0);
        }
      known[v] = h;
      continue;
    }
    if (const auto real = m.real(v)) {
      known[v] = mixed(hashOf("constant"), rounded(*real));
      continue;
    }
    if (x.origin != ValueOrigin::Result) {
      known[v] = leaf(v);
      continue;
    }
    if (isReady) {
      known[v] = node(x.def, x.index);
      continue;
    }
    const NodeId n = x.def;
    if (m.text(m[m[n].op].name) == "Constant")
      for (const Attribute &a : m.attributes(n))
        if (a.kind == AttributeKind::Tensor)
          known[v] = constant(ConstantId(a.list.first));
    if (known.contains(v))
      continue;
    known[v] = 0; // a circle ends here
    stack.emplace_back(v, true);
    const auto ask = [&](ValueId operand) {
      if (operand && !known.contains(origin(operand)))
        stack.emplace_back(origin(operand), false);
    };
    for (const ValueId operand : m.operands(n))
      ask(operand);
    for (const GraphId g : m.regions(n))
      if (g)
        for (const ValueId r : m.results(g))
          ask(r);
  }
  return known[root];
}

std::uint64_t Expressions::of(const Branch &b) {
  if (!b.graph)
    return 0;
  std::uint64_t h = hashOf("branch");
  for (const ValueId v : m.results(b.graph))
    h = mixed(h, of(v));
  return h;
}

} // namespace condlint::compare
