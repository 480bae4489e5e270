//===- PossibleValues.cpp - What a number of the host may be ---------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PossibleValues.h"
#include <algorithm>
#include <clang/AST/Expr.h>
#include <iterator>

namespace condlint::cxx {

clang::BinaryOperatorKind mirrored(clang::BinaryOperatorKind op) {
  return clang::BinaryOperator::isRelationalOp(op) ? clang::BinaryOperator::reverseComparisonOp(op) : op;
}

namespace {

std::optional<bool> negated(std::optional<bool> b) { return b ? std::optional(!*b) : b; }

} // namespace

void PossibleValues::restrict(clang::BinaryOperatorKind opcode, std::int64_t k) {
  switch (opcode) {
  case clang::BO_EQ:
    low = std::max(low, k);
    high = std::min(high, k);
    break;
  case clang::BO_NE:
    if (const auto at = std::ranges::lower_bound(excluded, k); at == excluded.end() || *at != k)
      excluded.insert(at, k);
    break;
  case clang::BO_LT:
    high = std::min(high, k == least ? least : k - 1);
    break;
  case clang::BO_LE:
    high = std::min(high, k);
    break;
  case clang::BO_GT:
    low = std::max(low, k == most ? most : k + 1);
    break;
  case clang::BO_GE:
    low = std::max(low, k);
    break;
  default:
    break;
  }
  moveEnds();
}

void PossibleValues::restrict(const PossibleValues &other) {
  low = std::max(low, other.low);
  high = std::min(high, other.high);
  for (const std::int64_t k : other.excluded)
    restrict(clang::BO_NE, k);
  moveEnds();
}

/// What is excluded at an end moves it.
void PossibleValues::moveEnds() {
  for (auto at = std::ranges::lower_bound(excluded, low); low < high && at != excluded.end() && *at == low; ++at)
    ++low;
  for (auto at = std::ranges::upper_bound(excluded, high); low < high && at != excluded.begin() && at[-1] == high; --at)
    --high;
}

std::vector<std::int64_t> PossibleValues::telling() const {
  std::vector<std::int64_t> out;
  const auto add = [&](std::int64_t k) {
    if (equals(k).value_or(true) && std::ranges::find(out, k) == out.end())
      out.push_back(k);
  };
  for (const std::int64_t step : {0, 1, 2}) {
    if (low != least && low <= most - step)
      add(low + step);
    if (high != most && high >= least + step)
      add(high - step);
  }
  for (const std::int64_t k : excluded)
    for (const std::int64_t step : {-1, 1})
      if (k != least && k != most)
        add(k + step);
  return out;
}

PossibleValues PossibleValues::hullWith(const PossibleValues &other) const {
  PossibleValues both;
  both.low = std::min(low, other.low);
  both.high = std::max(high, other.high);
  std::ranges::copy_if(excluded, std::back_inserter(both.excluded),
                       [&](std::int64_t k) { return other.equals(k) == std::optional(false); });
  return both;
}

std::optional<bool> PossibleValues::holds(clang::BinaryOperatorKind opcode, std::int64_t k) const {
  switch (opcode) {
  case clang::BO_EQ:
    return equals(k);
  case clang::BO_NE:
    return negated(equals(k));
  case clang::BO_LT:
    return isBelow(k);
  case clang::BO_GE:
    return negated(isBelow(k));
  case clang::BO_GT:
    return isAbove(k);
  case clang::BO_LE:
    return negated(isAbove(k));
  default:
    return std::nullopt;
  }
}

std::optional<bool> PossibleValues::equals(std::int64_t k) const {
  if (k < low || high < k || std::ranges::binary_search(excluded, k))
    return false;
  return low == high ? std::optional(true) : std::nullopt;
}

std::optional<bool> PossibleValues::isBelow(std::int64_t k) const {
  if (high < k)
    return true;
  return low >= k ? std::optional(false) : std::nullopt;
}

std::optional<bool> PossibleValues::isAbove(std::int64_t k) const {
  if (low > k)
    return true;
  return high <= k ? std::optional(false) : std::nullopt;
}

} // namespace condlint::cxx
