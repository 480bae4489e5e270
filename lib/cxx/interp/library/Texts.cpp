//===- Texts.cpp - Strings ------------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Strings whose text is known: names of layers and keys of maps are made of them.
//
//===----------------------------------------------------------------------===//

#include "Texts.h"
#include "../machine/Types.h"
#include <algorithm>
#include <array>
#include <charconv>

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

/// \p v as what an object of the class \p cls holds: a string holds characters of its own, whatever it is made of.
Value heldAs(std::string_view cls, const Value &v) { return cls == "std::basic_string" ? v.asViewOf(nullptr) : v; }

/// A search in a text: for another one, from a position or back from there.
struct Search {
  std::string_view name;
  std::size_t (*find)(std::string_view in, std::string_view sought, std::size_t at);
  std::size_t from; ///< where it begins if nobody says so
};
using View = std::string_view;
constexpr std::array searches{
    Search{"find", [](View in, View s, std::size_t at) { return in.find(s, at); }, 0},
    Search{"rfind", [](View in, View s, std::size_t at) { return in.rfind(s, at); }, View::npos},
    Search{"find_first_of", [](View in, View s, std::size_t at) { return in.find_first_of(s, at); }, 0},
    Search{"find_last_of", [](View in, View s, std::size_t at) { return in.find_last_of(s, at); }, View::npos},
    Search{"find_first_not_of", [](View in, View s, std::size_t at) { return in.find_first_not_of(s, at); }, 0},
    Search{"find_last_not_of", [](View in, View s, std::size_t at) { return in.find_last_not_of(s, at); }, View::npos},
};

/// "7" for std::to_string(7); floating numbers are spelled by the locale.
std::optional<std::string> spelled(const Value &v) {
  const Number *n = v.number();
  if (!n || !n->known || n->kind == Number::Kind::Floating)
    return std::nullopt;
  return std::to_string(n->integer);
}

/// known.compare(from, count, other)
std::optional<Value> comparedPart(View known, const Value &from, const Value &count,
                                  const std::optional<std::string> &other) {
  const Number *begin = from.number(), *length = count.number();
  if (!other || !begin || !length || !begin->known || !length->known ||
      static_cast<std::size_t>(begin->integer) > known.size())
    return std::nullopt;
  const View part = known.substr(static_cast<std::size_t>(begin->integer), static_cast<std::size_t>(length->integer));
  return Number::ofInteger(part.compare(*other), Provenance::Fixed);
}

} // namespace

std::optional<Value> Texts::construct(Call &c, std::string_view cls) {
  const std::size_t count = written(c);
  if (count == 0)
    return Value::text("");
  const Value v = argument(c, 0);
  if (count == 1 && v.text())
    return heldAs(cls, v);
  // A copy of what is not known is the same.
  const auto text = count == 1 && m.domain().relatesAnswers() ? askedText(m, v, {}) : std::nullopt;
  return text ? textValue(m, *text, c.type) : m.unknown("a string");
}

std::optional<Value> Texts::character(Call &c, std::string_view name) {
  const bool counts = name == "operator[]" || name == "at";
  const bool fromEnd = name == "back" || name == "end" || name == "cend";
  if (!counts && !fromEnd && name != "front" && name != "begin" && name != "cbegin")
    return std::nullopt;
  const Value which = counts ? argument(c, 0) : Value(Number::ofInteger(0));
  const Pointer where = self(c);
  const Value whole = where.only() ? m.peek(*where.only()) : Value();
  const Number *index = which.number();
  std::int64_t at = index && index->known ? index->integer : -1;
  if (!counts && name != "front" && !whole.text())
    at = -1; // where it ends is not known
  else if (fromEnd)
    at = static_cast<std::int64_t>(whole.text()->size()) - (name == "back" ? 1 : 0);
  return where.then(Step::ofIndex(std::max<std::int64_t>(at, -1)));
}

std::optional<Value> Texts::text(Call &c, std::string_view name) {
  if (const Answer at = character(c, name))
    return at;
  // Writing all of it is no use of what it was; nor is adding to it.
  const bool changes = name == "operator=" || name == "assign" || name == "append" || name == "operator+=" ||
                       name == "push_back" || name == "clear";
  const Pointer where = changes ? self(c) : Pointer();
  const Value v = where.only() ? m.peek(*where.only()) : m.load(*c.self);
  // Who gets a pointer to characters that are not constant may write them.
  if (name == "data" && c.type->isPointerType() && !c.type->getPointeeType().isConstQualified() && v.text()) {
    m.store(self(c), m.unknown("a text whose characters may be written"), c.expr);
    return m.unknown(c.type, "characters that may be written");
  }
  const std::string_view cls = m.className(c.self->type);
  if (name == "c_str" || name == "data" || name == "operator basic_string_view")
    return cls == "std::basic_string" && c.self->place ? m.viewOf(v, *c.self->place) : v;
  if (name == "size" || name == "length")
    return m.sizeOf(v);
  if (name == "empty")
    return m.compare(clang::BO_EQ, m.sizeOf(v), Number::ofInteger(0), c.expr);
  if (changes) {
    Value now = name == "clear"                           ? Value::text("")
                : name == "operator=" || name == "assign" ? heldAs(cls, argument(c, 0))
                                                          : m.unknown("a string");
    if (written(c) == 1 && v.text() && (name == "append" || name == "operator+=" || name == "push_back"))
      if (const auto more = textOf(argument(c, 0), c.arguments[0].type);
          more && v.text()->size() + more->size() < longest)
        now = Value::text(*v.text() + *more);
    if (name == "operator=")
      moved(c, 0);
    m.store(where, now, c.expr);
    return where;
  }
  if (const std::string *known = v.text())
    if (Answer a = textQuestion(c, name, *known))
      return a;
  const auto text = m.domain().relatesAnswers() ? askedText(m, v, c.self->type) : std::nullopt;
  return text ? openQuestion(c, name, *text) : std::nullopt;
}

std::optional<Value> Texts::openQuestion(Call &c, std::string_view name, const AskedText &whole) {
  using Kind = TextQuestion::Kind;
  const auto number = [&](std::size_t i) -> std::optional<std::int64_t> {
    const Value v = argument(c, i);
    const Number *n = v.number();
    return n && n->known ? std::optional(n->integer) : std::nullopt;
  };
  const std::size_t count = written(c);
  if (name == "substr") {
    const auto from = count == 0 ? std::optional<std::int64_t>(0) : number(0);
    const auto length = count < 2 ? std::optional<std::int64_t>(-1) : number(1);
    if (whole.isWritten() || whole.isPart || !from || !length || *from < 0)
      return std::nullopt;
    AskedText part = whole;
    part.isPart = true;
    part.from = static_cast<std::size_t>(*from);
    part.count = static_cast<std::size_t>(*length); // below zero: the greatest number that there is
    return textValue(m, part, c.type);
  }
  const std::size_t last = name == "compare" && count == 3 ? 2 : 0;
  const auto other = last < c.arguments.size() ? askedText(m, argument(c, last), c.arguments[last].type) : std::nullopt;
  if (!other)
    return std::nullopt;
  constexpr std::array<Kind, 6> kinds{Kind::Find,        Kind::FindBack,  Kind::FindAny,
                                      Kind::FindAnyBack, Kind::FindOther, Kind::FindOtherBack};
  if (const auto search = std::ranges::find(searches, name, &Search::name); search != searches.end()) {
    const auto from = count == 2 ? number(1) : std::optional(static_cast<std::int64_t>(search->from));
    if (count > 2 || !from)
      return std::nullopt;
    return askText(m, {kinds[static_cast<std::size_t>(search - searches.begin())], {}, {whole, *other}, *from});
  }
  if (name == "compare" && count == 3) {
    const auto from = number(0), length = number(1);
    if (whole.isPart || !from || !length || *from < 0)
      return std::nullopt;
    AskedText part = whole;
    part.isPart = true;
    part.from = static_cast<std::size_t>(*from);
    part.count = static_cast<std::size_t>(*length);
    return askText(m, {Kind::Order, {}, {part, *other}, 0});
  }
  constexpr std::array<std::pair<std::string_view, Kind>, 4> rows{{{"starts_with", Kind::BeginsWith},
                                                                   {"ends_with", Kind::EndsWith},
                                                                   {"contains", Kind::Contains},
                                                                   {"compare", Kind::Order}}};
  const auto *row = std::ranges::find(rows, name, [](const auto &r) { return r.first; });
  return row != rows.end() && count == 1 ? askText(m, {row->second, {}, {whole, *other}, 0}) : std::nullopt;
}

std::optional<Value> Texts::textQuestion(Call &c, std::string_view name, const std::string &known) {
  const Value first = argument(c, 0);
  if (name == "substr") {
    const Value second = written(c) > 1 ? argument(c, 1) : Value(Number::ofInteger(static_cast<std::int64_t>(longest)));
    const Number *from = first.number(), *count = second.number();
    if (written(c) == 0 || !from || !count || !from->known || !count->known || from->integer < 0 ||
        static_cast<std::size_t>(from->integer) > known.size())
      return std::nullopt;
    // The whole rest is the greatest number that there is.
    const auto most = count->integer < 0 ? std::string::npos : static_cast<std::size_t>(count->integer);
    const Value rest = Value::text(known.substr(static_cast<std::size_t>(from->integer), most));
    return m.className(c.type) == "std::basic_string_view" ? rest.asViewOf(m.load(*c.self).viewed()) : rest;
  }
  const auto sought = c.arguments.empty() ? std::nullopt : textOf(first, c.arguments[0].type);
  if (const auto *search = std::ranges::find(searches, name, &Search::name); search != searches.end()) {
    const Value start = written(c) == 2 ? argument(c, 1) : Value();
    const Number *from = start.number();
    if (!sought || written(c) > 2 || (written(c) == 2 && (!from || !from->known)))
      return std::nullopt;
    // The greatest number there is, where nothing was found, and all numbers near it have the sign bit.
    const std::size_t at = search->find(known, *sought, from ? static_cast<std::size_t>(from->integer) : search->from);
    return Number::ofInteger(static_cast<std::int64_t>(at), Provenance::Fixed);
  }
  if (name == "compare" && written(c) == 3)
    return comparedPart(known, first, argument(c, 1), textOf(argument(c, 2), c.arguments[2].type));
  if (!sought || written(c) != 1)
    return std::nullopt;
  if (name == "starts_with")
    return Number::boolean(known.starts_with(*sought), Provenance::Fixed);
  if (name == "ends_with")
    return Number::boolean(known.ends_with(*sought), Provenance::Fixed);
  if (name == "contains")
    return Number::boolean(known.find(*sought) != std::string::npos, Provenance::Fixed);
  if (name == "compare")
    return Number::ofInteger(known.compare(*sought), Provenance::Fixed);
  return std::nullopt;
}

std::optional<Value> Texts::textFunction(Call &c, std::string_view name) {
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

/// What \p text begins with, read as decimal; nothing where that is no number, or none that \p N holds.
template <class N> static std::optional<N> leading(View text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\n\v\f\r"), text.size()));
  if (text.starts_with('+') && !text.starts_with("+-"))
    text.remove_prefix(1);
  N n{};
  const auto read = std::from_chars(text.data(), text.data() + text.size(), n);
  return read.ec == std::errc() ? std::optional(n) : std::nullopt;
}

std::optional<Value> Texts::number(Call &c, std::string_view name) {
  constexpr std::array<View, 8> whole{"stoi", "stol", "stoll", "stoul", "stoull", "atoi", "atol", "atoll"};
  constexpr std::array<View, 3> real{"stof", "stod", "atof"};
  const bool isWhole = std::ranges::find(whole, name) != whole.end();
  if (written(c) != 1 || (!isWhole && std::ranges::find(real, name) == real.end()))
    return std::nullopt;
  const Value v = argument(c, 0);
  if (!v.text())
    return std::nullopt;
  if (isWhole) {
    // What wraps in an unsigned number, and what is too large for its own, is left to who runs it.
    const auto n = leading<std::int64_t>(*v.text());
    const Value said = n ? Value(Number::ofInteger(*n, Provenance::Fixed)) : Value();
    const Value held = n ? m.convertNumber(said, c.type) : Value();
    return n && held.number() && held.number()->known && held.number()->integer == *n ? Answer(held) : std::nullopt;
  }
  const auto n = leading<double>(*v.text());
  return n ? Answer(Number::ofReal(name == "stof" ? static_cast<float>(*n) : *n, Provenance::Fixed)) : std::nullopt;
}

std::optional<Value> Texts::cTextFunction(Call &c, std::string_view name) {
  const bool compares = name == "strcmp" || name == "strncmp";
  if ((!compares && name != "strlen") || c.arguments.empty())
    return std::nullopt;
  const Value a = argument(c, 0), b = argument(c, 1);
  const auto one = askedText(m, a, {}), other = askedText(m, b, {});
  if (!compares && !a.text())
    return one ? askText(m, {TextQuestion::Kind::Size, {}, {*one}, 0}) : std::nullopt;
  if (!compares)
    return Number::ofInteger(static_cast<std::int64_t>(a.text()->size()), Provenance::Fixed);
  if (name == "strcmp" && one && other && (!a.text() || !b.text()))
    return askText(m, {TextQuestion::Kind::Order, {}, {*one, *other}, 0});
  const Value most = argument(c, 2);
  const Number *count = most.number();
  if (!a.text() || !b.text() || (name == "strncmp" && (!count || !count->known || count->integer < 0)))
    return std::nullopt;
  const auto length = count ? static_cast<std::size_t>(count->integer) : View::npos;
  return Number::ofInteger(View(*a.text()).substr(0, length).compare(View(*b.text()).substr(0, length)),
                           Provenance::Fixed);
}

} // namespace condlint::cxx
