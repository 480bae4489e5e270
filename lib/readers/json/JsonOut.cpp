//===- JsonOut.cpp - JSON on its way out ----------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "json/JsonOut.h"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

namespace condlint::json {
namespace {

constexpr std::size_t lineWidth = 180; // a full type on one line
/// Deeper levels are not indented further, or deep nests would grow with the square of their depth.
constexpr std::size_t maxIndent = 60;

/// Throws for what is no UTF-8.
std::string quoted(std::string_view text) { return nlohmann::json(text).dump(); }

} // namespace

bool isUtf8(std::string_view text) {
  if (std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }))
    return true;
  try {
    (void)quoted(text);
    return true;
  } catch (const nlohmann::json::exception &) {
    return false;
  }
}

JsonOut::JsonOut(double v)
    : text(std::isnan(v)   ? "\"nan\""
           : std::isinf(v) ? (v < 0 ? "\"-inf\"" : "\"inf\"")
                           : nlohmann::json(v).dump()) {}

JsonOut::JsonOut(std::string_view v) {
  if (isUtf8(v)) {
    text = quoted(v);
    return;
  }
  std::string latin1;
  for (const char c : v) {
    const auto b = static_cast<unsigned char>(c);
    if (b < 0x80) {
      latin1 += c;
    } else {
      latin1 += static_cast<char>(0xC0u | b >> 6);
      latin1 += static_cast<char>(0x80u | (b & 0x3Fu));
    }
  }
  *this = of("latin1", latin1);
}

JsonOut JsonOut::array(std::initializer_list<JsonOut> elements) {
  JsonOut out(Shape::Array);
  for (const JsonOut &e : elements)
    out.push_back(e);
  return out;
}

JsonOut JsonOut::of(std::string_view key, JsonOut value) {
  JsonOut out = object();
  out[key] = std::move(value);
  return out;
}

JsonOut JsonOut::base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (k < n ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      out += k <= n ? digits[bits >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

JsonOut &JsonOut::operator[](std::string_view key) {
  std::string written = quoted(key);
  for (auto &[name, value] : children)
    if (name == written)
      return value;
  return children.emplace_back(std::move(written), JsonOut()).second;
}

void JsonOut::append(std::string_view key, JsonOut value) { children.emplace_back(quoted(key), std::move(value)); }

void JsonOut::erase(std::string_view key) {
  std::erase_if(children, [written = quoted(key)](const auto &c) { return c.first == written; });
}

/// Appends the value on one line; false when that takes more than \p limit characters.
bool JsonOut::oneLine(std::string &out, std::size_t limit) const {
  if (shape == Shape::Scalar) {
    out += text;
    return out.size() <= limit;
  }
  const bool isObject = shape == Shape::Object;
  out += isObject ? '{' : '[';
  for (std::size_t i = 0; i < children.size(); ++i) {
    out += i == 0 ? "" : ", ";
    if (isObject)
      out += children[i].first + ": ";
    if (out.size() > limit || !children[i].second.oneLine(out, limit))
      return false;
  }
  out += isObject ? '}' : ']';
  return out.size() <= limit;
}

void JsonOut::lines(std::string &out, std::size_t indent) const {
  std::string line;
  if (shape == Shape::Scalar || children.empty() || oneLine(line, lineWidth - std::min(indent, maxIndent))) {
    out += shape == Shape::Scalar ? text : !children.empty() ? line : shape == Shape::Object ? "{}" : "[]";
    return;
  }
  const bool isObject = shape == Shape::Object;
  out += isObject ? '{' : '[';
  for (std::size_t i = 0; i < children.size(); ++i) {
    out += i == 0 ? "\n" : ",\n";
    out.append(std::min(indent + 1, maxIndent), ' ');
    if (isObject)
      out += children[i].first + ": ";
    children[i].second.lines(out, indent + 1);
  }
  out += '\n';
  out.append(std::min(indent, maxIndent), ' ');
  out += isObject ? '}' : ']';
}

void JsonStream::begin(JsonOut::Shape shape) { stack.push_back({shape, std::exchange(next, {}), JsonOut(shape)}); }

void JsonStream::key(std::string_view name) { next = quoted(name); }

void JsonStream::startLine(std::size_t level, const std::string &name) {
  Open &parent = stack[level];
  text += parent.children++ == 0 ? "\n" : ",\n";
  text.append(std::min(level + 1, maxIndent), ' ');
  if (parent.shape == JsonOut::Shape::Object)
    text += name + ": ";
}

/// Writes a child of what is open at \p level.
void JsonStream::write(std::size_t level, const std::string &name, const JsonOut &v) {
  startLine(level, name);
  v.lines(text, level + 1);
  count();
}

/// What is open does not fit on a line, nor does then what it stands in.
void JsonStream::breakLines() {
  for (std::size_t level = 0; level < stack.size(); ++level) {
    Open &open = stack[level];
    if (open.isBroken)
      continue;
    if (level > 0)
      startLine(level - 1, open.key);
    text += open.shape == JsonOut::Shape::Object ? '{' : '[';
    open.isBroken = true;
    for (const auto &[name, v] : open.held.children)
      write(level, name, v);
    open.held.children = {};
  }
}

void JsonStream::value(JsonOut v) {
  const std::string name = std::exchange(next, {});
  if (stack.empty()) {
    v.lines(text, 0);
    return;
  }
  Open &open = stack.back();
  const std::size_t level = stack.size() - 1;
  if (!open.isBroken) {
    const std::size_t limit = lineWidth - std::min(level, maxIndent);
    std::string line;
    const bool fits = v.oneLine(line, limit);
    open.length +=
        line.size() + (open.held.empty() ? 0 : 2) + (open.shape == JsonOut::Shape::Object ? name.size() + 2 : 0);
    if (fits && open.length <= limit) {
      open.held.children.emplace_back(name, std::move(v));
      return;
    }
    breakLines();
  }
  write(level, name, v);
}

void JsonStream::end() {
  Open open = std::move(stack.back());
  stack.pop_back();
  if (!open.isBroken) {
    next = std::move(open.key);
    return value(std::move(open.held));
  }
  text += '\n';
  text.append(std::min(stack.size(), maxIndent), ' ');
  text += open.shape == JsonOut::Shape::Object ? '}' : ']';
}

void JsonStream::count() {
  if (isKept)
    return;
  counted += text.size();
  text.clear();
}

std::string JsonStream::take() {
  text += '\n';
  return std::move(text);
}

} // namespace condlint::json
