//===- PrintText.cpp - Foreign text made safe to show ---------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrintText.h"
#include "Utf8.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint::detail {
namespace {

bool disturbs(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x200E || c == 0x200F || c == 0x2028 || c == 0x2029 ||
         (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
}

} // namespace

std::string escaped(std::string_view text, char quote) {
  std::string out;
  out.reserve(text.size());
  eachCharacter(text, [&](const Utf8Character &c, std::string_view bytes) {
    if (bytes[0] == '\\' || (quote != 0 && bytes[0] == quote)) {
      out += '\\';
      out += bytes;
    } else if (!c.isText || disturbs(c.point)) {
      for (const char byte : bytes)
        out += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    } else {
      out += bytes;
    }
    return true;
  });
  return out;
}

bool isPlainName(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !text.empty() && letter(text[0]) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '.'; });
}

} // namespace condlint::detail
