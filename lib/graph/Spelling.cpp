//===- Spelling.cpp - The known name nearest to a misspelt one ------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Spelling.h"
#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace condlint {

std::size_t editDistance(std::string_view a, std::string_view b) {
  constexpr std::size_t longest = 64;
  a = a.substr(0, longest);
  b = b.substr(0, longest);
  std::array<std::size_t, longest + 1> row{};
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[b.size()];
}

std::string_view nearestName(std::string_view name, std::span<const std::string_view> known) {
  std::string_view best;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (std::string_view k : known)
    if (const std::size_t d = editDistance(name, k); d < least) {
      least = d;
      best = k;
    }
  // Too far, and it is no misspelling: half of what was written would have to change.
  const bool abbreviates = name.size() >= 3 && best.find(name) != std::string_view::npos;
  return abbreviates || 2 * least <= name.size() ? best : std::string_view();
}

} // namespace condlint
