//===- DimExtrema.cpp - Minimum and maximum, and bounds -------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DimInterval.h"
#include "DimStore.h"
#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace condlint::detail {
namespace {

Interval power(Interval base, std::size_t n) {
  Interval result{1, 1};
  for (std::size_t i = 0; i < n; ++i)
    result = mulIntervals(result, base);
  if (n % 2 == 0)
    result.min = std::max<std::int64_t>(result.min, 0);
  return result;
}

Interval floorDiv(Interval a, Interval b) {
  if (b.min == 0) // a zero divisor means no value
    b.min = 1;
  if (b.max == 0)
    b.max = -1;
  if (b.min > b.max || (b.min < 0 && b.max > 0)) {
    const std::int64_t size =
        std::max(a.min == lowest ? highest : std::abs(a.min), a.max == lowest ? highest : std::abs(a.max));
    return size == highest ? Interval() : Interval{-size, size};
  }
  const auto [low, high] =
      std::minmax({divEnds(a.min, b.min), divEnds(a.min, b.max), divEnds(a.max, b.min), divEnds(a.max, b.max)});
  return {low, high};
}

Interval mod(Interval a, Interval b) {
  Interval result{b.min >= 0 ? 0 : addEnds(b.min, 1), b.max <= 0 ? 0 : addEnds(b.max, -1)};
  if (a.min >= 0 && b.min >= 0)
    result.max = std::min(result.max, a.max);
  return result;
}

} // namespace

Interval DimStore::atomBounds(AtomId a) const {
  const Atom &x = atoms[a];
  const auto args = arguments(a);
  switch (x.kind) {
  case AtomKind::Symbol:
    return symbols[x.name].symbol.bounds;
  case AtomKind::FloorDiv:
    return detail::floorDiv(bounds(args[0]), bounds(args[1]));
  case AtomKind::Mod:
    return detail::mod(bounds(args[0]), bounds(args[1]));
  case AtomKind::Min:
  case AtomKind::Max: {
    Interval result = bounds(args[0]);
    for (const ExprId e : args.subspan(1)) {
      const Interval next = bounds(e);
      result = x.kind == AtomKind::Min ? Interval{std::min(result.min, next.min), std::min(result.max, next.max)}
                                       : Interval{std::max(result.min, next.min), std::max(result.max, next.max)};
    }
    return result;
  }
  case AtomKind::Opaque:
    break;
  }
  return {};
}

Interval DimStore::termBounds(const Term &t) const {
  Interval product{t.coefficient, t.coefficient};
  const auto f = factors(t.monomial);
  for (std::size_t i = 0; i < f.size();) {
    std::size_t n = 1;
    while (i + n < f.size() && f[i + n] == f[i])
      ++n;
    product = mulIntervals(product, power(atomBounds(f[i]), n));
    i += n;
  }
  return product;
}

Interval DimStore::bounds(ExprId e) const {
  if (e == 0)
    return {};
  Interval result{exprs[e].constant, exprs[e].constant};
  for (const Term &t : terms(e))
    result = addIntervals(result, termBounds(t));
  return result;
}

std::int64_t DimStore::lowerBound(ExprId e, int &budget) {
  const std::int64_t plain = bounds(e).min;
  if (e == 0 || !exprs[e].summary.extrema)
    return plain;
  // The value is that of one argument: the bound is that of the worst one when
  // the extremum pulls down, and of any one when it pushes up. What asks for
  // the worst comes first, so that any can be chosen anew in each case.
  const Term *chosen = nullptr;
  bool worst = false;
  for (const Term &t : terms(e)) {
    const auto f = factors(t.monomial);
    const AtomKind kind = atoms[f[0]].kind;
    if (f.size() != 1 || (kind != AtomKind::Min && kind != AtomKind::Max))
      continue;
    const bool pullsDown = (kind == AtomKind::Min) == (t.coefficient > 0);
    if (!chosen || (pullsDown && !worst)) {
      chosen = &t;
      worst = pullsDown;
    }
  }
  if (!chosen)
    return plain;
  const Term t = *chosen;
  const auto choices = arguments(factors(t.monomial)[0]);
  const std::vector<ExprId> args(choices.begin(), choices.end());
  if ((budget -= static_cast<int>(args.size())) < 0)
    return plain;
  std::vector<Term> one{t};
  const ExprId others = sub(e, polynomial(0, one));
  std::int64_t split = worst ? highest : lowest;
  for (const ExprId arg : args) {
    const std::int64_t low = lowerBound(combine(others, 1, arg, t.coefficient), budget);
    split = worst ? std::min(split, low) : std::max(split, low);
  }
  return std::max(plain, split);
}

Interval DimStore::tightBounds(ExprId e) {
  if (e == 0)
    return {};
  if (!exprs[e].summary.extrema)
    return bounds(e);
  int budget = 40;
  const std::int64_t low = lowerBound(e, budget);
  budget = 40;
  const std::int64_t high = lowerBound(negate(e), budget);
  return {low, high == lowest ? highest : high == highest ? lowest : -high};
}

ExprId DimStore::extremum(AtomKind kind, std::vector<ExprId> args) {
  if (args.size() == 2 && isConstant(args[0]) && isConstant(args[1]))
    return (exprs[args[0]].constant <= exprs[args[1]].constant) == (kind == AtomKind::Min) ? args[0] : args[1];
  std::optional<std::vector<ExprId>> flat = flatArguments(kind, args);
  if (!flat || flat->size() > 2 * maxArguments)
    return 0;
  dropBeaten(kind, *flat);
  if (flat->empty() || flat->size() > maxArguments)
    return 0;
  return flat->size() == 1 ? flat->front() : extremumInOneForm(kind, std::move(*flat));
}

/// min(min(a, b) + 1, 4, c, 7) as the arguments a + 1, b + 1, c, 4. Nothing when one is unknown.
std::optional<std::vector<ExprId>> DimStore::flatArguments(AtomKind kind, std::span<const ExprId> args) {
  std::vector<ExprId> flat;
  std::optional<std::int64_t> number;
  const auto take = [&](ExprId e) {
    if (!isConstant(e)) {
      flat.push_back(e);
      return;
    }
    const std::int64_t c = exprs[e].constant;
    number = !number ? c : kind == AtomKind::Min ? std::min(*number, c) : std::max(*number, c);
  };
  for (const ExprId e : args) {
    if (e == 0)
      return std::nullopt;
    const auto inner = soleAtom(e);
    if (!inner || atoms[*inner].kind != kind) {
      take(e);
      continue;
    }
    const ExprId offset = constant(exprs[e].constant);
    for (const ExprId x : std::vector<ExprId>(arguments(*inner).begin(), arguments(*inner).end())) {
      const ExprId shifted = add(x, offset);
      if (shifted == 0)
        return std::nullopt;
      take(shifted);
    }
  }
  if (number)
    flat.push_back(constant(*number));
  std::sort(flat.begin(), flat.end());
  flat.erase(std::unique(flat.begin(), flat.end()), flat.end());
  return flat;
}

/// Drops from the arguments \p flat what another one always beats.
void DimStore::dropBeaten(AtomKind kind, std::vector<ExprId> &flat) {
  for (std::size_t i = 0; i < flat.size(); ++i)
    for (std::size_t j = i + 1; j < flat.size(); ++j) {
      const Interval d = tightBounds(sub(flat[i], flat[j]));
      const bool dropFirst = kind == AtomKind::Min ? d.min >= 0 : d.max <= 0;
      const bool dropSecond = kind == AtomKind::Min ? d.max <= 0 : d.min >= 0;
      if (dropFirst) {
        flat.erase(flat.begin() + static_cast<std::ptrdiff_t>(i));
        j = i; // the next one stands at i now
      } else if (dropSecond) {
        flat.erase(flat.begin() + static_cast<std::ptrdiff_t>(j));
        --j;
      }
    }
}

/// The extremum of \p flat without a common offset, without a common factor, with few minus signs.
ExprId DimStore::extremumInOneForm(AtomKind kind, std::vector<ExprId> flat) {
  std::int64_t offset = lowest;
  for (const ExprId e : flat)
    if (!isConstant(e))
      offset = std::max(offset, exprs[e].constant);
  std::int64_t g = 0;
  std::size_t positive = 0, negative = 0;
  for (ExprId &e : flat) {
    e = combine(e, 1, constant(offset), -1);
    if (e == 0)
      return 0;
    const std::int64_t c = exprs[e].constant;
    g = std::gcd(g, c == lowest ? lowest / 2 : c);
    for (const Term &t : terms(e)) {
      g = std::gcd(g, t.coefficient == lowest ? lowest / 2 : t.coefficient);
      ++(t.coefficient < 0 ? negative : positive);
    }
  }
  const std::int64_t factor = negative > positive ? -g : g;
  if (factor != 1) {
    for (ExprId &e : flat) {
      e = g == 1 ? e : divideByTerm(e, {g, 0});
      e = e != 0 && factor < 0 ? negate(e) : e;
      if (e == 0)
        return 0;
    }
    // A change of sign turns the offsets around.
    if (factor < 0) {
      const AtomKind other = kind == AtomKind::Min ? AtomKind::Max : AtomKind::Min;
      return combine(extremum(other, flat), factor, constant(offset), 1);
    }
  }
  std::sort(flat.begin(), flat.end());
  return combine(atomExpr(kind, 0, flat), factor, constant(offset), 1);
}

} // namespace condlint::detail
