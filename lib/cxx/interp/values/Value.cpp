//===- Value.cpp - What an expression may come to -------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Value.h"
#include "MapKeys.h"
#include <clang/AST/Decl.h>
#include <cmath>

namespace condlint::cxx {

Number Number::boolean(bool b, Provenance p) {
  Number n;
  n.kind = Kind::Bool;
  n.provenance = p;
  n.known = true;
  n.integer = b ? 1 : 0;
  return n;
}

Number Number::ofInteger(std::int64_t v, Provenance p) {
  Number n;
  n.provenance = p;
  n.known = true;
  n.integer = v;
  return n;
}

Number Number::ofReal(double v, Provenance p) {
  Number n;
  n.kind = Kind::Floating;
  n.provenance = p;
  n.known = true;
  n.real = v;
  return n;
}

Number Number::unknown(Kind k, Provenance p) {
  Number n;
  n.kind = k;
  n.provenance = p;
  return n;
}

Number Number::ofDim(Dim d, Provenance p) {
  Number n;
  n.provenance = p;
  n.dim = d;
  return n;
}

std::optional<bool> Number::truth() const {
  if (!known)
    return std::nullopt;
  return kind == Kind::Floating ? real != 0 : integer != 0;
}

std::optional<bool> truthOf(const Value &v) { return v.number() ? v.number()->truth() : std::nullopt; }

bool Number::equals(const Number &o) const {
  if (kind != o.kind || known != o.known)
    return false;
  if (!known)
    return dim.known() && dim == o.dim;
  // Numbers that are no number never compare equal, but are the same value.
  if (kind == Kind::Floating)
    return real == o.real || (std::isnan(real) && std::isnan(o.real));
  return integer == o.integer;
}

std::string Step::str() const {
  if (field)
    return "." + field->getNameAsString();
  if (!key)
    return index < 0 ? std::string(anyElement) : "[" + std::to_string(index) + "]";
  return isEntry(*this) || isEnd(*this) ? "[" + spellMapKey(*key) + "]." + std::to_string(index)
                                        : "[" + spellMapKey(*key) + "]";
}

std::string Step::identity() const {
  if (field)
    return "." + std::to_string(reinterpret_cast<std::uintptr_t>(field));
  return (key ? "[" + *key + "]" : std::string()) + "[" + std::to_string(index) + "]";
}

Pointer Pointer::then(const Step &s) const {
  Pointer p;
  p.mayBeNull = false;
  p.other = other;
  p.places.reserve(places.size());
  for (const Place &place : places)
    p.places.push_back(place.then(s));
  return p;
}

Value::Value(Pointer v) : payload(std::make_shared<Pointer>(std::move(v))) {}
Value::Value(Record v) : payload(std::make_shared<Record>(std::move(v))) {}
Value::Value(List v) : payload(std::make_shared<List>(std::move(v))) {}
Value::Value(Map v) : payload(std::make_shared<Map>(std::move(v))) {}
Value::Value(Callable v) : payload(std::make_shared<Callable>(std::move(v))) {}
Value::Value(Optional v) : payload(std::make_shared<Optional>(std::move(v))) {}

static bool haveOneView(const std::shared_ptr<const Viewed> &a, const std::shared_ptr<const Viewed> &b) {
  return a == b || (a && b && a->place == b->place && a->whole.same(b->whole));
}

bool Value::same(const Value &other) const {
  if (payload.index() != other.payload.index() || heldType != other.heldType || !haveOneView(view, other.view))
    return false;
  if (isAbsent() || isNull() || isVoid())
    return true;
  if (const Unknown *u = unknown())
    return u->reason == other.unknown()->reason && u->leak == other.unknown()->leak;
  if (const Number *n = number())
    return n->equals(*other.number()) && n->provenance == other.number()->provenance && n->test == other.number()->test;
  if (symbol())
    return symbol()->id == other.symbol()->id;
  if (handle())
    return handle()->object == other.handle()->object && handle()->tag == other.handle()->tag;
  if (token())
    return token()->id == other.token()->id && token()->tag == other.token()->tag;
  if (text())
    return *text() == *other.text();
  if (pointer())
    return pointer() == other.pointer() || *pointer() == *other.pointer();
  if (datum())
    return datum() == other.datum() || datum()->equals(*other.datum());
  if (callable() && other.callable()->function == callable()->function && callable()->bound.empty() &&
      other.callable()->bound.empty() && callable()->function)
    return true;
  return record() == other.record() && list() == other.list() && map() == other.map() &&
         callable() == other.callable() && optional() == other.optional();
}

const Value *Record::find(const clang::FieldDecl *f) const {
  for (const auto &[field, value] : fields)
    if (field == f)
      return &value;
  return nullptr;
}

void Record::set(const clang::FieldDecl *f, Value v) {
  for (auto &[field, value] : fields)
    if (field == f) {
      value = std::move(v);
      return;
    }
  fields.emplace_back(f, std::move(v));
}

} // namespace condlint::cxx
