//===- UnknownWord.cpp - What a misspelled word was meant to be -----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "UnknownWord.h"
#include "condlint/Rule.h"
#include "graph/Spelling.h"
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace condlint {

std::string unknownWord(std::string_view kind, std::string_view word, std::span<const std::string_view> known) {
  const std::string_view nearest = nearestName(word, known);
  if (nearest.empty())
    return fmt::format("unknown {} '{}' (known: {})", kind, word, fmt::join(known, ", "));
  return fmt::format("unknown {} '{}': did you mean '{}'? (known: {})", kind, word, nearest, fmt::join(known, ", "));
}

std::string unknownWord(std::string_view kind, std::string_view word, std::initializer_list<std::string_view> known) {
  return unknownWord(kind, word, std::span(known.begin(), known.size()));
}

std::string unknownRule(std::string_view id) {
  const std::string nearest = nearestRule(id);
  if (nearest.empty())
    return fmt::format("unknown rule '{}' ('condlint rules' lists all)", id);
  return fmt::format("unknown rule '{}': did you mean '{}'? ('condlint rules' lists all)", id, nearest);
}

} // namespace condlint
