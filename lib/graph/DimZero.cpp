//===- DimZero.cpp - Whether an expression is zero ------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DimZero.h"
#include "DimCopier.h"
#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <vector>

namespace condlint::detail {

ZeroTest isZero(DimStore &store, ExprId d) {
  if (d == 0)
    return ZeroTest::Open;
  const std::int64_t c = store.expr(d).constant;
  if (store.isConstant(d))
    return c == 0 ? ZeroTest::Always : ZeroTest::Never;
  const Interval range = store.tightBounds(d);
  if (range.min == 0 && range.max == 0)
    return ZeroTest::Always;
  if (!range.contains(0))
    return ZeroTest::Never;
  std::int64_t g = 0;
  for (const Term &t : store.terms(d))
    g = std::gcd(g, t.coefficient == lowest ? lowest / 2 : t.coefficient);
  return c % g != 0 ? ZeroTest::Never : ZeroTest::Open;
}

std::int64_t flooring(std::int64_t bound, std::int64_t i, std::int64_t period) {
  return floorQuotient(checkedAdd(bound, -i).value_or(lowest), period);
}

std::int64_t ceiling(std::int64_t bound, std::int64_t i, std::int64_t period) {
  const std::int64_t n = checkedAdd(bound, -i).value_or(lowest);
  return floorQuotient(n, period) + (n % period != 0 ? 1 : 0);
}

namespace {

constexpr std::size_t maxResidues = 512;
constexpr std::size_t maxResidueWork = 40000; ///< cases times weight

/// Symbols that numbers divide, and a common multiple of these numbers.
struct Division {
  std::int64_t period = 1;
  std::set<std::uint32_t> symbols;

  /// How many cases of remainders there are; none: too many.
  std::optional<std::size_t> cases() const {
    std::size_t n = 1;
    for (std::size_t i = 0; i < symbols.size(); ++i)
      if ((n *= static_cast<std::size_t>(period)) > maxResidues)
        return std::nullopt;
    return n;
  }
};

/// None: the period is beyond what is followed.
std::optional<Division> divisionIn(const DimStore &store, ExprId a, ExprId b) {
  constexpr auto most = static_cast<std::int64_t>(maxResidues);
  std::vector<AtomId> atoms;
  store.atomsOf(a, atoms);
  store.atomsOf(b, atoms);
  Division out;
  for (const AtomId x : atoms) {
    const AtomKind kind = store.atom(x).kind;
    if (kind != AtomKind::FloorDiv && kind != AtomKind::Mod)
      continue;
    const auto args = store.arguments(x);
    if (!store.isConstant(args[1]))
      continue;
    const std::int64_t k = store.expr(args[1]).constant;
    if (k > most)
      return std::nullopt;
    out.period = std::lcm(out.period, k);
    if (out.period > most)
      return std::nullopt;
    for (const std::uint32_t s : store.symbolsOf(args[0]))
      out.symbols.insert(s);
  }
  return out;
}

/// The values y for which period*y + i lies within \p bounds.
Interval quotients(Interval bounds, std::int64_t i, std::int64_t period) {
  Interval y;
  if (bounds.min != lowest)
    y.min = ceiling(bounds.min, i, period);
  if (bounds.max != highest)
    y.max = flooring(bounds.max, i, period);
  return y;
}

/// The difference of \p a and \p b where the \p symbols of both that are divided leave the remainders that \p code
/// counts. None: their bounds admit no such values.
std::optional<ZeroTest> isZeroInCase(const DimStore &store, ExprId a, ExprId b,
                                     const std::vector<std::uint32_t> &symbols, const Division &division,
                                     std::size_t code) {
  DimStore scratch;
  DimCopier copier(store, scratch, true);
  for (const std::uint32_t s : symbols) {
    const Symbol &symbol = store.symbolEntry(s).symbol;
    if (!division.symbols.contains(s)) {
      copier.replace(s, scratch.symbol(symbol.name, symbol.origin, symbol.bounds));
      continue;
    }
    const auto i = static_cast<std::int64_t>(code % static_cast<std::size_t>(division.period));
    code /= static_cast<std::size_t>(division.period);
    const Interval y = quotients(symbol.bounds, i, division.period);
    if (y.min > y.max)
      return std::nullopt;
    const ExprId part = y.min == y.max ? scratch.constant(y.min) : scratch.symbol(symbol.name, symbol.origin, y);
    copier.replace(s, scratch.add(scratch.scale(part, division.period), scratch.constant(i)));
  }
  return isZero(scratch, scratch.sub(copier.copy(a), copier.copy(b)));
}

} // namespace

ZeroTest isZeroByResidues(const DimStore &store, ExprId a, ExprId b) {
  const auto division = divisionIn(store, a, b);
  const auto cases = division ? division->cases() : std::nullopt;
  const std::size_t weight = store.expr(a).summary.weight + store.expr(b).summary.weight;
  if (!cases || division->period == 1 || *cases * weight > maxResidueWork)
    return ZeroTest::Open;
  std::vector<std::uint32_t> symbols = store.symbolsOf(a);
  store.addSymbolsOf(b, symbols);
  bool everZero = false, everOther = false;
  for (std::size_t code = 0; code < *cases; ++code) {
    const auto test = isZeroInCase(store, a, b, symbols, *division, code);
    if (!test)
      continue;
    if (*test == ZeroTest::Open)
      return ZeroTest::Open;
    (*test == ZeroTest::Always ? everZero : everOther) = true;
  }
  return everZero && !everOther ? ZeroTest::Always : everOther && !everZero ? ZeroTest::Never : ZeroTest::Open;
}

} // namespace condlint::detail
