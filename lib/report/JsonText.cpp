//===- JsonText.cpp - JSON as it is written -------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "JsonText.h"
#include "graph/Utf8.h"
#include <fmt/format.h>

namespace condlint {

namespace {

bool isPlain(char c) { return c >= 0x20 && c < 0x7F && c != '"' && c != '\\'; }

void appendEscaped(std::string &out, char c) {
  switch (c) {
  case '"':
    out += "\\\"";
    return;
  case '\\':
    out += "\\\\";
    return;
  case '\b':
    out += "\\b";
    return;
  case '\f':
    out += "\\f";
    return;
  case '\n':
    out += "\\n";
    return;
  case '\r':
    out += "\\r";
    return;
  case '\t':
    out += "\\t";
    return;
  default:
    if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  }
}

} // namespace

void JsonText::put(std::string_view written) {
  if (needsComma)
    out += ',';
  out += written;
  needsComma = true;
}

void JsonText::quote(std::string_view text) {
  out += '"';
  while (!text.empty()) {
    std::size_t plain = 0; // nearly everything is
    while (plain < text.size() && isPlain(text[plain]))
      ++plain;
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty())
      break;
    const std::size_t bytes = firstCharacter(text).bytes;
    if (static_cast<unsigned char>(text.front()) < 0x80)
      appendEscaped(out, text.front());
    else
      appendSound(out, text.substr(0, bytes));
    text.remove_prefix(bytes);
  }
  out += '"';
}

void JsonText::value(std::string_view text) {
  put({});
  quote(text);
}

void JsonText::valueOrNull(std::string_view text) {
  if (text.empty())
    null();
  else
    value(text);
}

JsonText &JsonText::key(std::string_view name) {
  put({});
  quote(name);
  out += ':';
  needsComma = false;
  return *this;
}

} // namespace condlint
