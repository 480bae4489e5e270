//===- JsonView.cpp - A JSON value and the way to it ----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "json/JsonView.h"
#include "graph/Spelling.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <span>
#include <unordered_set>

namespace condlint::json {
namespace {

/// Containers of more tokens than this are not walked to find their end.
constexpr std::uint32_t shortContainer = 256;

constexpr std::string_view base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::optional<std::string> fromBase64(std::string_view text) {
  if (text.size() % 4 != 0)
    return std::nullopt;
  std::string out;
  out.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const bool last = i + 4 == text.size();
    const std::size_t padding = !last ? 0 : text[i + 3] != '=' ? 0 : text[i + 2] != '=' ? 1 : 2;
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const std::size_t digit = k < 4 - padding ? base64Digits.find(text[i + k]) : 0;
      if (digit == std::string_view::npos)
        return std::nullopt;
      bits = bits << 6 | static_cast<std::uint32_t>(digit);
    }
    for (std::size_t k = 0; k < 3 - padding; ++k)
      out += static_cast<char>(bits >> (16 - 8 * k) & 0xFF);
  }
  return out;
}

/// The keys of one object; memory is kept for the next at that depth.
class Keys {
public:
  void clear() {
    count = 0;
    many.clear();
  }
  /// False where it is there already.
  bool add(std::string_view name) {
    constexpr std::size_t most = 16;
    if (std::find(few.begin(), few.begin() + static_cast<std::ptrdiff_t>(count), name) !=
        few.begin() + static_cast<std::ptrdiff_t>(count))
      return false;
    if (count == most)
      return many.emplace(name).second;
    if (count == few.size())
      few.emplace_back();
    few[count++] = name;
    return true;
  }

private:
  std::vector<std::string> few;
  std::size_t count = 0; ///< of `few`
  std::unordered_set<std::string> many;
};

/// Follows the parser's events, keeping nothing but the keys of what is open: it finds what is wrong, and has the words
/// for it.
class Checker : public nlohmann::json_sax<nlohmann::json> {
public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t &) override { return true; }
  bool string(string_t &) override { return true; }
  bool binary(binary_t &) override { return false; } // not in JSON
  bool start_object(std::size_t) override { return open(); }
  bool start_array(std::size_t) override { return open(); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t &name) override {
    if (!stack[depth - 1].add(name))
      throw Refusal{{}, fmt::format("the key '{}' stands twice in one object", name)};
    return true;
  }
  bool parse_error(std::size_t byte, const std::string &, const nlohmann::json::exception &e) override {
    std::string what = e.what();
    if (const std::size_t colon = what.find(": "); colon != std::string::npos)
      what.erase(0, colon + 2);
    throw Refusal{{}, "is not JSON: " + what, byte};
  }

private:
  bool open() {
    if (depth == stack.size())
      stack.emplace_back();
    stack[depth++].clear();
    return true;
  }
  bool close() {
    --depth;
    return true;
  }

  std::vector<Keys> stack; ///< of what is open, and was
  std::size_t depth = 0;
};

} // namespace

std::string Refusal::place() const {
  if (byte != 0)
    return fmt::format("byte {}", byte);
  return pointer.empty() ? std::string() : "at " + pointer;
}

Document::Document(std::string_view text) {
  constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
  const std::string_view marked = text;
  if (text.starts_with(byteOrderMark))
    text.remove_prefix(byteOrderMark.size());
  if (cursor.open(text, JsonCursor::wholeDocument) && isSound(text))
    return;
  Checker checker;
  nlohmann::json::sax_parse(marked.begin(), marked.end(), &checker);
  // Nothing was: only a closer look could tell.
  if (!cursor.open(text, JsonCursor::wholeDocument))
    throw Refusal{{}, cursor.problem()};
  findEnds();
}

void Document::findEnds() {
  ends.clear();
  std::vector<std::uint32_t> open;
  for (std::uint32_t i = 0; i < cursor.tokens(); ++i) {
    const char c = cursor.at(i);
    if (c == '{' || c == '[') {
      open.push_back(i);
    } else if ((c == '}' || c == ']') && !open.empty()) {
      if (i - open.back() >= shortContainer)
        ends.emplace_back(open.back(), i + 1);
      open.pop_back();
    }
  }
  std::ranges::sort(ends);
}

bool Document::isSound(std::string_view text) {
  cursor.seek(0);
  cursor.skip();
  if (cursor.failed() || cursor.position() != cursor.tokens())
    return false;
  // A half of a surrogate pair, perhaps.
  if (text.find("\\ud") != text.npos || text.find("\\uD") != text.npos)
    return false;
  findEnds();
  std::vector<Keys> stack;
  std::size_t depth = 0;
  for (std::uint32_t i = 0; i < cursor.tokens(); ++i) {
    const char c = cursor.at(i);
    if (c == '{' || c == '[') {
      if (depth == stack.size())
        stack.emplace_back();
      stack[depth++].clear();
    } else if (c == '}' || c == ']') {
      --depth;
    } else if (c == '"' && i + 1 < cursor.tokens() && cursor.at(i + 1) == ':') {
      const std::string_view t = token(i), inside = t.substr(1, t.size() - 2);
      if (!stack[depth - 1].add(inside.find('\\') == inside.npos ? inside : std::string_view(string(i))))
        return false;
    } else if (c == '-' || (c >= '0' && c <= '9')) {
      const std::string_view t = token(i);
      constexpr std::size_t neverInfinite = 300;
      if ((t.size() > neverInfinite || t.find_first_of("eE") != t.npos) &&
          !std::isfinite(std::strtod(std::string(t).c_str(), nullptr)))
        return false;
    }
  }
  return true;
}

std::string Document::string(std::uint32_t at) const {
  const std::string_view t = token(at);
  const std::string_view inside = t.substr(1, t.size() - 2);
  return inside.find('\\') == inside.npos ? std::string(inside) : unescapeJson(inside).value_or(std::string());
}

bool Document::isString(std::uint32_t at, std::string_view text) const {
  const std::string_view t = token(at);
  const std::string_view inside = t.substr(1, t.size() - 2);
  return inside == text || (inside.find('\\') != inside.npos && unescapeJson(inside) == text);
}

std::uint32_t Document::after(std::uint32_t at) const {
  const auto opens = [](char c) { return c == '{' || c == '['; };
  if (!opens(cursor.at(at)))
    return at + 1;
  std::uint32_t depth = 1, i = at + 1;
  for (; depth != 0 && i - at <= shortContainer; ++i) {
    const char c = cursor.at(i);
    depth += opens(c) ? 1U : 0U;
    depth -= c == '}' || c == ']' ? 1 : 0;
  }
  if (depth == 0)
    return i;
  return std::ranges::lower_bound(ends, at, {}, &std::pair<std::uint32_t, std::uint32_t>::first)->second;
}

std::string View::pointer() const {
  std::vector<std::string> parts;
  for (const View *v = this; v->up; v = v->up) {
    std::string part;
    if (!v->isMember)
      part = std::to_string(v->index);
    else
      for (const char c : v->key)
        part += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    parts.push_back(std::move(part));
  }
  std::string out;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part)
    out += "/" + *part;
  return out;
}

void View::expected(std::string_view what) const {
  const std::string_view found = isNull()      ? "null"
                                 : isBoolean() ? "true or false"
                                 : isInteger() ? "an integer"
                                 : isNumber()  ? "a number"
                                 : isString()  ? "a string"
                                 : isArray()   ? "an array"
                                               : "an object";
  refuse(fmt::format("expected {}, found {}", what, found));
}

void View::keys(std::initializer_list<std::string_view> known) const {
  if (!isObject())
    expected("an object");
  std::optional<std::pair<std::string, std::uint32_t>> unknown; // the first by name
  json->members(place, [&](std::uint32_t k, std::uint32_t value) {
    const auto isKnown = [&](std::string_view name) { return json->isString(k, name); };
    if (std::any_of(known.begin(), known.end(), isKnown))
      return false;
    if (std::string name = json->string(k); !unknown || name < unknown->first)
      unknown = {std::move(name), value};
    return false;
  });
  if (!unknown)
    return;
  const std::string_view name = unknown->first;
  const std::string_view nearest = nearestName(name, std::span(known.begin(), known.size()));
  View(unknown->second, *this, name)
      .refuse(nearest.empty() ? std::string("unknown key") : fmt::format("unknown key, did you mean '{}'?", nearest));
}

std::optional<View> View::find(std::string_view name) const {
  if (!isObject())
    expected("an object");
  std::optional<View> found;
  json->members(place, [&](std::uint32_t k, std::uint32_t value) {
    if (json->isString(k, name))
      found.emplace(value, *this, name);
    return found.has_value();
  });
  return found;
}

View View::at(std::string_view name) const {
  const auto found = find(name);
  if (!found)
    refuse(fmt::format("the key '{}' is missing", name));
  return *found;
}

std::size_t View::size() const {
  if (!isArray())
    expected("an array");
  if (!elements) {
    elements = 0;
    for (std::uint32_t i = place + 1; json->isElement(i); i = json->nextElement(i))
      ++*elements;
  }
  return *elements;
}

View View::operator[](std::size_t i) const {
  auto &[number, token] = last;
  if (token == 0 || i < number)
    last = {0, place + 1};
  for (; number < i; ++number)
    token = json->nextElement(token);
  return View(token, *this, i);
}

std::optional<std::uint32_t> View::latin1() const {
  std::optional<std::uint32_t> only;
  std::size_t count = 0;
  json->members(place, [&](std::uint32_t k, std::uint32_t value) {
    if (json->isString(k, "latin1"))
      only = value;
    return ++count > 1;
  });
  return count == 1 ? only : std::nullopt;
}

std::string View::text() const {
  if (isString())
    return json->string(place);
  const auto bytes = isObject() ? latin1() : std::nullopt;
  if (!bytes || json->kind(*bytes) != JsonKind::String)
    expected("a string");
  // Code points up to 255, each of which stands for a byte.
  std::string out;
  const std::string s = json->string(*bytes);
  for (std::size_t i = 0; i < s.size(); ++i) {
    const auto c = static_cast<unsigned char>(s[i]);
    if (c < 0x80)
      out += s[i];
    else if ((c == 0xC2 || c == 0xC3) && i + 1 < s.size())
      out += static_cast<char>((c & 3u) << 6 | (static_cast<unsigned char>(s[++i]) & 0x3Fu));
    else
      refuse("expected characters up to U+00FF, one for each byte");
  }
  return out;
}

bool View::boolean() const {
  if (!isBoolean())
    expected("true or false");
  return json->token(place) == "true";
}

std::optional<View::Whole> View::whole() const {
  const std::string_view t = json->token(place);
  Whole out{0, t.starts_with('-')};
  std::int64_t number = 0;
  const auto [end, error] = out.isNegative ? std::from_chars(t.data(), t.data() + t.size(), number)
                                           : std::from_chars(t.data(), t.data() + t.size(), out.bits);
  if (error != std::errc() || end != t.data() + t.size())
    return std::nullopt;
  if (out.isNegative)
    out.bits = static_cast<std::uint64_t>(number);
  return out;
}

std::int64_t View::integer(std::int64_t min, std::int64_t max) const {
  const auto number = isNumber() ? whole() : std::nullopt;
  if (!number)
    expected("an integer");
  constexpr auto highest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (!number->isNegative && number->bits > highest)
    refuse("expected an integer of 64 bits with sign");
  const auto v = static_cast<std::int64_t>(number->bits);
  if (v < min || v > max)
    refuse(fmt::format("expected an integer from {} to {}, found {}", min, max, v));
  return v;
}

std::uint64_t View::natural() const {
  const auto number = isNumber() ? whole() : std::nullopt;
  if (!number || number->isNegative)
    expected("an integer that is not negative");
  return number->bits;
}

double View::real() const {
  if (isNumber()) {
    if (const auto number = whole())
      return number->isNegative ? static_cast<double>(static_cast<std::int64_t>(number->bits))
                                : static_cast<double>(number->bits);
    return std::strtod(std::string(json->token(place)).c_str(), nullptr);
  }
  if (isString()) {
    const std::string s = json->string(place);
    if (s == "nan")
      return std::numeric_limits<double>::quiet_NaN();
    if (s == "inf" || s == "-inf")
      return s[0] == '-' ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  }
  expected("a number, \"nan\", \"inf\" or \"-inf\"");
}

std::string View::bytes() const {
  if (isString()) {
    auto decoded = fromBase64(json->string(place));
    if (!decoded)
      refuse("expected base64 with padding");
    return *decoded;
  }
  if (!isArray())
    expected("base64 or a list of bytes");
  std::string out;
  for (std::size_t i = 0; i < size(); ++i)
    out += static_cast<char>((*this)[i].integer(0, 255));
  return out;
}

} // namespace condlint::json
