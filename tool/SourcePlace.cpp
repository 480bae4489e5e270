//===- SourcePlace.cpp - A line of a file on the command line -------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SourcePlace.h"
#include <charconv>
#include <utility>

namespace condlint {

namespace {

/// Takes ":NUMBER" off the end of \p text; zero when it does not end so.
std::uint32_t takeNumber(std::string &text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0)
    return 0;
  std::uint32_t number = 0;
  const char *end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + colon + 1, end, number);
  if (error != std::errc() || rest != end)
    return 0;
  text.resize(colon);
  return number;
}

} // namespace

std::optional<SourcePlace> sourcePlaceOf(std::string text) {
  const std::uint32_t last = takeNumber(text);
  const std::uint32_t line = last != 0 ? takeNumber(text) : 0;
  if (last == 0)
    return std::nullopt;
  return line != 0 ? SourcePlace{std::move(text), line, last} : SourcePlace{std::move(text), last, 0};
}

} // namespace condlint
