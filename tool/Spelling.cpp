//===- Spelling.cpp - What a misspelled word was meant to be ----------- ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Spelling.h"
#include "condlint/Rule.h"
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <vector>

namespace condlint {

namespace {

/// Levenshtein's distance. A word of the command line or of a configuration,
/// so short enough; cut so that it stays so.
std::size_t distance(std::string_view a, std::string_view b) {
  a = a.substr(0, 64);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      std::size_t replaced = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

} // namespace

std::string unknownWord(std::string_view kind, std::string_view word, std::initializer_list<std::string_view> known) {
  std::string_view nearest = *std::min_element(known.begin(), known.end(), [&](std::string_view a, std::string_view b) {
    return distance(word, a) < distance(word, b);
  });
  return fmt::format("unknown {} '{}': did you mean '{}'? (known: {})", kind, word, nearest, fmt::join(known, ", "));
}

std::string unknownRule(std::string_view id) {
  return fmt::format("unknown rule '{}': did you mean '{}'? ('condlint rules' lists all)", id, nearestRule(id));
}

} // namespace condlint
