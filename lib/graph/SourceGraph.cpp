//===- SourceGraph.cpp - What a front end writes of source code -----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/SourceGraph.h"
#include <algorithm>
#include <array>

namespace condlint {

namespace {

// In the order of the enumerations.
constexpr std::array<std::string_view, 20> cxxNames{
    "assume", "call",   "choice",  "effect",  "grad", "gradient", "host_read", "input", "join",    "new",
    "none",   "opaque", "outside", "perhaps", "read", "return",   "run",       "store", "unknown", "write"};
constexpr std::array<std::string_view, 12> tracingNames{"constant_flag", "convertible", "eager",        "flag",
                                                        "flag_module",   "frozen_flag", "frozen_value", "masked",
                                                        "state",         "types",       "where",        "where_write"};
static_assert(cxxNames.size() == static_cast<std::size_t>(CxxOp::Write) + 1);
static_assert(tracingNames.size() == static_cast<std::size_t>(TracingOp::WhereWrite) + 1);

const Attribute *find(const Model &m, NodeId n, std::string_view name, AttributeKind kind) {
  const Attribute *a = m.attribute(n, name);
  return a && a->kind == kind ? a : nullptr;
}

template <AttributeKind Kind> const Attribute *find(const Model &m, NodeId n, Named<Kind> a) {
  return find(m, n, a.name, Kind);
}

template <AttributeKind Kind> Attribute named(Model &m, Named<Kind> a) {
  Attribute made;
  made.name = m.strings.intern(a.name);
  made.kind = Kind;
  return made;
}

template <AttributeKind Kind> Attribute number(Model &m, Named<Kind> a, std::int64_t value) {
  Attribute made = named(m, a);
  made.number = value;
  return made;
}

template <AttributeKind Kind> Attribute run(Model &m, Named<Kind> a, Range list) {
  Attribute made = named(m, a);
  made.list = list;
  return made;
}

} // namespace

std::string_view nameOf(CxxOp op) { return cxxNames[static_cast<std::size_t>(op)]; }
std::string_view nameOf(TracingOp op) { return tracingNames[static_cast<std::size_t>(op)]; }

bool isCxx(const Model &m, NodeId n) {
  const Operator &op = m[m[n].op];
  return op.dialect != Dialect::Onnx && m.text(op.domain) == cxxDomain;
}

bool isCxx(const Model &m, NodeId n, CxxOp op) { return m.text(m[m[n].op].name) == nameOf(op) && isCxx(m, n); }

std::optional<CxxOp> cxxOpOf(const Model &m, NodeId n) {
  if (!isCxx(m, n))
    return std::nullopt;
  const auto *found = std::ranges::find(cxxNames, m.text(m[m[n].op].name));
  return found == cxxNames.end() ? std::nullopt : std::optional(static_cast<CxxOp>(found - cxxNames.begin()));
}

bool isTracing(const Model &m, NodeId n, TracingOp op) {
  const Operator &o = m[m[n].op];
  return m.text(o.domain) == tracingDomain && m.text(o.name) == nameOf(op);
}

std::string attr::inputAt(std::size_t input) { return "input" + std::to_string(input) + "_at"; }
std::string attr::argumentAt(std::size_t operand) { return "argument" + std::to_string(operand) + "_at"; }

std::optional<bool> read(const Model &m, NodeId n, NamedFlag a) {
  const Attribute *found = find(m, n, a);
  return found ? std::optional(found->number != 0) : std::nullopt;
}

std::optional<std::int64_t> read(const Model &m, NodeId n, NamedInt a) {
  const Attribute *found = find(m, n, a);
  return found ? std::optional(found->number) : std::nullopt;
}

std::string_view read(const Model &m, NodeId n, NamedText a) {
  const Attribute *found = find(m, n, a);
  return found ? m.text(found->text) : std::string_view();
}

std::span<const std::int64_t> read(const Model &m, NodeId n, NamedInts a) {
  const Attribute *found = find(m, n, a);
  return found ? m.ints(found->list) : std::span<const std::int64_t>();
}

std::span<const std::int64_t> read(const Model &m, NodeId n, NamedBools a) {
  const Attribute *found = find(m, n, a);
  return found ? m.ints(found->list) : std::span<const std::int64_t>();
}

std::span<const Dim> read(const Model &m, NodeId n, NamedDims a) {
  const Attribute *found = find(m, n, a);
  return found ? m.dimsIn(found->list) : std::span<const Dim>();
}

std::optional<SourceLocation> read(const Model &m, NodeId n, NamedPlace a) {
  const Attribute *found = find(m, n, a);
  return found ? std::optional(m.location(*found)) : std::nullopt;
}

std::vector<SourceLocation> read(const Model &m, NodeId n, NamedPlaces a) {
  const Attribute *found = find(m, n, a);
  return found ? m.locationsIn(found->list) : std::vector<SourceLocation>();
}

Attribute make(Model &m, NamedFlag a, bool value) { return number(m, a, value ? 1 : 0); }
Attribute make(Model &m, NamedInt a, std::int64_t value) { return number(m, a, value); }
Attribute make(Model &m, NamedPlace a, LocationId value) { return number(m, a, value.index()); }

Attribute make(Model &m, NamedText a, std::string_view value) {
  Attribute made = named(m, a);
  made.text = m.strings.intern(value);
  return made;
}

Attribute make(Model &m, NamedInts a, std::span<const std::int64_t> value) { return run(m, a, m.poolInts(value)); }
Attribute make(Model &m, NamedBools a, std::span<const std::int64_t> value) { return run(m, a, m.poolInts(value)); }
Attribute make(Model &m, NamedDims a, std::span<const Dim> value) { return run(m, a, m.poolDims(value)); }
Attribute make(Model &m, NamedPlaces a, std::span<const LocationId> value) { return run(m, a, m.poolLocations(value)); }

} // namespace condlint
