//===- JsonView.cpp - A JSON value and the way to it ----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "json/JsonView.h"
#include "condlint/Spelling.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <vector>

namespace condlint::json {
namespace {

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

/// Builds a document from the parser's events. (The library's own builder drops
/// members that stand twice; with a callback it takes quadratic time.)
class Builder : public nlohmann::json_sax<Json> {
public:
  Json root;

  bool null() override { return put(nullptr); }
  bool boolean(bool v) override { return put(v); }
  bool number_integer(number_integer_t v) override { return put(v); }
  bool number_unsigned(number_unsigned_t v) override { return put(v); }
  bool number_float(number_float_t v, const string_t &) override { return put(v); }
  bool string(string_t &v) override { return put(std::move(v)); }
  bool binary(binary_t &) override { return false; } // not in JSON
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t &name) override {
    const auto [at, isNew] = stack.back()->emplace(name, nullptr);
    if (!isNew)
      throw Refusal{{}, fmt::format("the key '{}' stands twice in one object", name)};
    member = &at.value();
    return true;
  }
  bool parse_error(std::size_t byte, const std::string &, const nlohmann::json::exception &e) override {
    std::string what = e.what();
    if (const std::size_t colon = what.find(": "); colon != std::string::npos)
      what.erase(0, colon + 2);
    throw Refusal{{}, "is not JSON: " + what, byte};
  }

private:
  Json &place(Json value) {
    if (stack.empty())
      return root = std::move(value);
    if (!stack.back()->is_array())
      return *member = std::move(value);
    stack.back()->push_back(std::move(value));
    return stack.back()->back();
  }
  bool put(Json value) {
    place(std::move(value));
    return true;
  }
  bool open(Json value) {
    stack.push_back(&place(std::move(value)));
    return true;
  }
  bool close() {
    stack.pop_back();
    return true;
  }

  std::vector<Json *> stack; ///< what is open; each the last element of the one before
  Json *member = nullptr;    ///< where the next value of an object goes
};

} // namespace

std::string Refusal::place() const {
  if (byte != 0)
    return fmt::format("byte {}", byte);
  return pointer.empty() ? std::string() : "at " + pointer;
}

Json parseDocument(std::string_view text) {
  Builder builder;
  Json::sax_parse(text.begin(), text.end(), &builder);
  return std::move(builder.root);
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
  const std::string_view found = json.is_null()             ? "null"
                                 : json.is_boolean()        ? "true or false"
                                 : json.is_number_integer() ? "an integer"
                                 : json.is_number()         ? "a number"
                                 : json.is_string()         ? "a string"
                                 : json.is_array()          ? "an array"
                                                            : "an object";
  refuse(fmt::format("expected {}, found {}", what, found));
}

void View::keys(std::initializer_list<std::string_view> known) const {
  if (!json.is_object())
    expected("an object");
  for (const auto &[name, value] : json.items()) {
    if (std::find(known.begin(), known.end(), name) != known.end())
      continue;
    const std::string_view nearest = nearestName(name, std::span(known.begin(), known.size()));
    View(value, *this, std::string_view(name))
        .refuse(nearest.empty() ? std::string("unknown key") : fmt::format("unknown key, did you mean '{}'?", nearest));
  }
}

std::optional<View> View::find(std::string_view name) const {
  if (!json.is_object())
    expected("an object");
  const auto it = json.find(name);
  return it == json.end() ? std::nullopt : std::optional(View(*it, *this, name));
}

View View::at(std::string_view name) const {
  const auto found = find(name);
  if (!found)
    refuse(fmt::format("the key '{}' is missing", name));
  return *found;
}

std::size_t View::size() const {
  if (!json.is_array())
    expected("an array");
  return json.size();
}

std::string View::text() const {
  if (json.is_string())
    return json.get_ref<const std::string &>();
  if (!isText() || !json.at("latin1").is_string())
    expected("a string");
  // Code points up to 255, each of which stands for a byte.
  std::string out;
  const auto &s = json.at("latin1").get_ref<const std::string &>();
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
  if (!json.is_boolean())
    expected("true or false");
  return json.get<bool>();
}

std::int64_t View::integer(std::int64_t min, std::int64_t max) const {
  if (!json.is_number_integer())
    expected("an integer");
  constexpr auto highest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (json.is_number_unsigned() && json.get<std::uint64_t>() > highest)
    refuse("expected an integer of 64 bits with sign");
  const auto v = json.get<std::int64_t>();
  if (v < min || v > max)
    refuse(fmt::format("expected an integer from {} to {}, found {}", min, max, v));
  return v;
}

std::uint64_t View::natural() const {
  if (!json.is_number_unsigned())
    expected("an integer that is not negative");
  return json.get<std::uint64_t>();
}

double View::real() const {
  if (json.is_number())
    return json.get<double>();
  if (json.is_string()) {
    const auto &s = json.get_ref<const std::string &>();
    if (s == "nan")
      return std::numeric_limits<double>::quiet_NaN();
    if (s == "inf" || s == "-inf")
      return s[0] == '-' ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  }
  expected("a number, \"nan\", \"inf\" or \"-inf\"");
}

std::string View::bytes() const {
  if (json.is_string()) {
    auto decoded = fromBase64(json.get_ref<const std::string &>());
    if (!decoded)
      refuse("expected base64 with padding");
    return *decoded;
  }
  if (!json.is_array())
    expected("base64 or a list of bytes");
  std::string out;
  for (std::size_t i = 0; i < json.size(); ++i)
    out += static_cast<char>((*this)[i].integer(0, 255));
  return out;
}

} // namespace condlint::json
