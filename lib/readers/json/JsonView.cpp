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

bool isUtf8(std::string_view text) {
  if (std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }))
    return true;
  try {
    (void)Json(std::string(text)).dump();
    return true;
  } catch (const nlohmann::json::exception &) {
    return false;
  }
}

} // namespace

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
    const bool close = !nearest.empty() && editDistance(name, nearest) <= 3;
    View(value, *this, std::string_view(name))
        .refuse(close ? fmt::format("unknown key, did you mean '{}'?", nearest) : std::string("unknown key"));
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

Json textJson(std::string_view text) {
  if (isUtf8(text))
    return std::string(text);
  std::string latin1;
  for (const char c : text) {
    const auto b = static_cast<unsigned char>(c);
    if (b < 0x80) {
      latin1 += c;
    } else {
      latin1 += static_cast<char>(0xC0u | b >> 6);
      latin1 += static_cast<char>(0x80u | (b & 0x3Fu));
    }
  }
  Json j = Json::object();
  j["latin1"] = std::move(latin1);
  return j;
}

Json realJson(double value) {
  if (std::isnan(value))
    return "nan";
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  return value;
}

Json bytesJson(std::string_view bytes) {
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (k < n ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      out += k <= n ? base64Digits[bits >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

} // namespace condlint::json
