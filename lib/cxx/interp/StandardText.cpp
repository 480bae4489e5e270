//===- StandardText.cpp - Strings -------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Strings whose text is known: names of layers and keys of maps are made of them.
//
//===----------------------------------------------------------------------===//

#include "StandardLibrary.h"
#include "Types.h"

namespace condlint::cxx {

namespace {

constexpr std::size_t longest = 4096; ///< text that is kept

/// The text that \p v is: a string, or a single character of the type \p type.
std::optional<std::string> textOf(const Value &v, clang::QualType type) {
  if (const std::string *s = v.text())
    return *s;
  const Number *n = v.number();
  if (!n || !n->known || type.isNull() || !type.getNonReferenceType()->isCharType())
    return std::nullopt;
  return std::string(1, static_cast<char>(n->integer));
}

/// "7" for std::to_string(7); floating numbers are spelled by the locale.
std::optional<std::string> spelled(const Value &v) {
  const Number *n = v.number();
  if (!n || !n->known || n->kind == Number::Kind::Floating)
    return std::nullopt;
  return std::to_string(n->integer);
}

} // namespace

std::optional<Value> StandardLibrary::text(Call &c, std::string_view name) {
  // Writing all of it is no use of what it was; nor is adding to it.
  const bool changes = name == "operator=" || name == "assign" || name == "append" || name == "operator+=" ||
                       name == "push_back" || name == "clear";
  const Pointer where = changes ? self(c) : Pointer();
  const Value v = where.only() ? m.peek(*where.only()) : m.load(*c.self);
  if (name == "c_str" || name == "data" || name == "operator basic_string_view")
    return v;
  if (name == "size" || name == "length")
    return m.sizeOf(v);
  if (name == "empty")
    return m.compare(clang::BO_EQ, m.sizeOf(v), Number::ofInteger(0), c.expr);
  if (changes) {
    Value now = name == "clear"                           ? Value::text("")
                : name == "operator=" || name == "assign" ? argument(c, 0)
                                                          : m.unknown("a string");
    if (written(c) == 1 && v.text() && (name == "append" || name == "operator+=" || name == "push_back"))
      if (const auto more = textOf(argument(c, 0), c.arguments[0].type);
          more && v.text()->size() + more->size() < longest)
        now = Value::text(*v.text() + *more);
    m.store(where, now, c.expr);
    return where;
  }
  if (const std::string *known = v.text())
    return textQuestion(c, name, *known);
  return std::nullopt;
}

std::optional<Value> StandardLibrary::textQuestion(Call &c, std::string_view name, const std::string &known) {
  const Value first = argument(c, 0);
  if (name == "substr") {
    const Value second = written(c) > 1 ? argument(c, 1) : Value(Number::ofInteger(static_cast<std::int64_t>(longest)));
    const Number *from = first.number(), *count = second.number();
    if (written(c) == 0 || !from || !count || !from->known || !count->known || from->integer < 0 ||
        static_cast<std::size_t>(from->integer) > known.size())
      return std::nullopt;
    // The whole rest is the greatest number that there is.
    const auto most = count->integer < 0 ? std::string::npos : static_cast<std::size_t>(count->integer);
    return Value::text(known.substr(static_cast<std::size_t>(from->integer), most));
  }
  const auto sought = c.arguments.empty() ? std::nullopt : textOf(first, c.arguments[0].type);
  if (!sought || written(c) != 1)
    return std::nullopt;
  if (name == "starts_with")
    return Number::boolean(known.starts_with(*sought), Provenance::Fixed);
  if (name == "ends_with")
    return Number::boolean(known.ends_with(*sought), Provenance::Fixed);
  if (name == "contains")
    return Number::boolean(known.find(*sought) != std::string::npos, Provenance::Fixed);
  if (name == "find" || name == "rfind") {
    const std::size_t at = name == "find" ? known.find(*sought) : known.rfind(*sought);
    return Number::ofInteger(at == std::string::npos ? -1 : static_cast<std::int64_t>(at), Provenance::Fixed);
  }
  if (name == "compare")
    return Number::ofInteger(known.compare(*sought), Provenance::Fixed);
  return std::nullopt;
}

std::optional<Value> StandardLibrary::textFunction(Call &c, std::string_view name) {
  if (c.self || m.className(c.type) != "std::basic_string")
    return std::nullopt;
  if (name == "to_string" && c.arguments.size() == 1) {
    const auto text = spelled(argument(c, 0));
    return text ? Answer(Value::text(*text)) : m.unknown("a string");
  }
  if (name != "operator+" || c.arguments.size() != 2)
    return std::nullopt;
  const auto a = textOf(argument(c, 0), c.arguments[0].type);
  const auto b = textOf(argument(c, 1), c.arguments[1].type);
  return a && b && a->size() + b->size() < longest ? Value::text(*a + *b) : m.unknown("a string");
}

} // namespace condlint::cxx
