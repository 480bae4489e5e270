//===- Declarations.cpp - What inputs and outputs define --------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProgramReader.h"

namespace condlint::pt2 {

/// Appends what the argument at the cursor defines: one value, or those of a
/// list (torch 2.6 writes the one output of a conditional as `as_tensors`).
void ProgramReader::declared(std::vector<Declared> &out) {
  const std::size_t before = out.size();
  const std::size_t issues = issueCount;
  bool isList = false;
  oneOf("an argument", [&](std::string_view tag) {
    const At at(*this, tag);
    isList = tag.ends_with('s');
    declaredPayload(tag, out);
  });
  // What cannot be read still takes its place.
  if (out.size() == before && (issueCount != issues || !isList))
    out.push_back({});
  scope->lostNames = scope->lostNames || issueCount != issues;
}

void ProgramReader::declaredPayload(std::string_view tag, std::vector<Declared> &out) {
  const auto named = [&](std::optional<std::string_view> name, ValueKind kind) {
    if (!name)
      return;
    Declared d;
    d.kind = kind;
    d.name = name->empty() ? StringId() : intern(*name);
    out.push_back(d);
  };
  const auto literal = [&](ValueKind kind, std::optional<std::int64_t> constant = std::nullopt) {
    Declared d;
    d.kind = kind;
    d.constant = constant;
    out.push_back(d);
  };
  const auto real = [&] {
    double number = 0;
    const std::size_t issues = issueCount;
    floatNumber(number);
    Declared d;
    d.kind = ValueKind::SymFloat;
    if (issueCount == issues)
      d.real = number;
    out.push_back(d);
  };
  const auto symbolic = [&](ValueKind kind) {
    oneOf("a symbolic value", [&](std::string_view t) {
      const At at(*this, t);
      if (same(t, "as_name"))
        return named(text("a name"), kind);
      if (same(t, "as_int") && kind == ValueKind::SymInt)
        return literal(kind, integer("an integer"));
      if (same(t, "as_bool") && kind == ValueKind::SymBool && c.is(JsonKind::Bool))
        return literal(kind, c.boolean() ? 1 : 0);
      if (same(t, "as_float") && kind == ValueKind::SymFloat)
        return real();
      unexpected("a symbolic value");
    });
  };
  const auto each = [&](auto &&element) {
    if (!c.is(JsonKind::Array))
      return unexpected("a list");
    c.array([&](std::uint32_t i) {
      const At at(*this, {}, i);
      element();
    });
  };
  const auto optional = [&] {
    std::optional<std::string_view> name;
    if (!optionalTensor(name))
      return;
    if (name)
      named(name, ValueKind::Tensor);
    else
      literal(ValueKind::None);
  };
  if (same(tag, "as_tensor"))
    named(namedArgument("a tensor"), ValueKind::Tensor);
  else if (same(tag, "as_tensors"))
    each([&] { named(namedArgument("a tensor"), ValueKind::Tensor); });
  else if (same(tag, "as_nested_tensors"))
    each([&] { each([&] { named(namedArgument("a tensor"), ValueKind::Tensor); }); });
  else if (same(tag, "as_optional_tensor"))
    optional();
  else if (same(tag, "as_optional_tensors"))
    each(optional);
  else if (same(tag, "as_custom_obj"))
    named(namedArgument("a custom object"), ValueKind::Object);
  else if (same(tag, "as_sym_int"))
    symbolic(ValueKind::SymInt);
  else if (same(tag, "as_sym_bool"))
    symbolic(ValueKind::SymBool);
  else if (same(tag, "as_sym_float"))
    symbolic(ValueKind::SymFloat);
  else if (same(tag, "as_sym_ints"))
    each([&] { symbolic(ValueKind::SymInt); });
  else if (same(tag, "as_sym_bools"))
    each([&] { symbolic(ValueKind::SymBool); });
  else if (same(tag, "as_sym_floats"))
    each([&] { symbolic(ValueKind::SymFloat); });
  else if (same(tag, "as_none")) {
    c.skip();
    literal(ValueKind::None);
  } else if (same(tag, "as_int")) {
    literal(ValueKind::SymInt, integer("an integer"));
  } else if (same(tag, "as_bool") && c.is(JsonKind::Bool)) {
    literal(ValueKind::SymBool, c.boolean() ? 1 : 0);
  } else if (same(tag, "as_float")) {
    real();
  } else if (same(tag, "as_string")) {
    c.skip();
    literal(ValueKind::String);
  } else if (same(tag, "as_graph")) {
    unexpected("a value, not a graph");
  } else {
    c.skip();
    literal(ValueKind::Object);
  }
}

} // namespace condlint::pt2
