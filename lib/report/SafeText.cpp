//===- SafeText.cpp - Names of a hostile file, made printable -------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SafeText.h"
#include "graph/Utf8.h"
#include <fmt/format.h>

namespace condlint {

namespace {

bool isControl(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

} // namespace

std::string safeText(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  eachCharacter(text, [&](const Utf8Character &c, std::string_view bytes) {
    if (!isControl(c.point))
      appendSound(out, bytes);
    else
      for (const char byte : bytes)
        out += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    return true;
  });
  return out;
}

std::string soundUtf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  appendSound(out, text);
  return out;
}

} // namespace condlint
