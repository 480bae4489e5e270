//===- UnknownWord.cpp - What a misspelled word was meant to be -----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "UnknownWord.h"
#include "condlint/Rule.h"
#include "condlint/Spelling.h"
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace condlint {

std::string unknownWord(std::string_view kind, std::string_view word, std::initializer_list<std::string_view> known) {
  std::string_view nearest = nearestName(word, {known.begin(), known.size()});
  return fmt::format("unknown {} '{}': did you mean '{}'? (known: {})", kind, word, nearest, fmt::join(known, ", "));
}

std::string unknownRule(std::string_view id) {
  return fmt::format("unknown rule '{}': did you mean '{}'? ('condlint rules' lists all)", id, nearestRule(id));
}

} // namespace condlint
