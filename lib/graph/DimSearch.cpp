//===- DimSearch.cpp - Values that conditions admit -----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A search with propagation: before a value is tried, and after each, every
// condition narrows the bounds of its symbols as far as it can alone, until
// nothing changes. An equality, which is two conditions, then leaves one value
// where the others are chosen, and a contradiction shows before values are
// tried. What was narrowed to nothing everywhere has no values: that is a proof
// where every value of each symbol was looked at or narrowed away.
//
//===----------------------------------------------------------------------===//

#include "DimSearch.h"
#include "DimInterval.h"
#include <algorithm>

namespace condlint::detail {
namespace {

constexpr std::size_t maxSymbols = 48;
constexpr std::size_t maxRounds = 24;
constexpr std::uint64_t maxListed = 64; ///< a symbol with fewer values has each of them tried

std::int64_t ceilEnds(std::int64_t a, std::int64_t k) { return isInfinite(a) ? a : -floorQuotient(-a, k); }
std::int64_t floorEnds(std::int64_t a, std::int64_t k) { return isInfinite(a) ? a : floorQuotient(a, k); }

/// x^n for x >= 0.
std::int64_t powerEnd(std::int64_t x, std::size_t n) {
  std::int64_t result = 1;
  for (std::size_t i = 0; i < n; ++i)
    result = mulEnds(result, x);
  return result;
}

/// The largest x >= 0 with x^n <= \p value, which is not negative.
std::int64_t rootOf(std::int64_t value, std::size_t n) {
  if (value == highest)
    return highest;
  std::int64_t low = 0, high = value;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2 + (high - low) % 2;
    if (powerEnd(middle, n) <= value)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

class Search {
public:
  Search(DimStore &where, std::span<const ExprId> notNegative, const std::set<std::int64_t> &worthTrying,
         std::size_t &left)
      : store(where), conditions(notNegative), numbers(worthTrying), work(left) {}

  FoundValues run() {
    FoundValues found;
    std::set<std::uint32_t> all;
    for (const ExprId e : conditions)
      for (const std::uint32_t s : store.symbolsOf(e))
        all.insert(s);
    symbols.assign(all.begin(), all.end());
    if (symbols.size() > maxSymbols)
      return found;
    const bool isThere = !contradicts() && descend();
    if (isThere)
      for (const std::uint32_t s : symbols)
        found.values.emplace_back(s, boundsOf(s).min);
    undo(0);
    found.outcome = isThere      ? FoundValues::Outcome::Found
                    : isComplete ? FoundValues::Outcome::None
                                 : FoundValues::Outcome::GivenUp;
    return found;
  }

private:
  Interval boundsOf(std::uint32_t s) const { return store.symbolEntry(s).symbol.bounds; }

  void set(std::uint32_t s, Interval to) {
    trail.emplace_back(s, boundsOf(s));
    store.setSymbolBounds(s, to);
    isChanged = true;
  }

  void undo(std::size_t length) {
    for (; trail.size() > length; trail.pop_back())
      store.setSymbolBounds(trail.back().first, trail.back().second);
  }

  bool spend(std::size_t n) {
    work -= std::min(work, n);
    isComplete = isComplete && work != 0;
    return work != 0;
  }

  /// Some values of the symbols, inside their bounds as they are now, fulfil the conditions: the bounds then hold one
  /// value each.
  bool descend() {
    if (!propagate())
      return false;
    std::uint32_t next = 0;
    std::uint64_t least = 0;
    for (const std::uint32_t s : symbols)
      if (const std::uint64_t width = widthOf(s); width != 0 && (least == 0 || width < least)) {
        next = s;
        least = width;
      }
    if (least == 0)
      return holds();
    const std::size_t before = trail.size();
    for (const std::int64_t v : valuesOf(next)) {
      if (!spend(1))
        return false;
      set(next, {v, v});
      if (descend())
        return true;
      undo(before);
    }
    return false;
  }

  /// Two of the conditions, or a sum of several, cannot hold at once: `h - w - 1` and `w - h`. Propagation alone would
  /// narrow two sizes without an end against each other.
  bool contradicts() {
    for (const ExprId e : conditions)
      if (!spend(store.terms(e).size()) || store.tightBounds(e).max < 0)
        return true;
    ExprId sum = conditions.back();
    for (bool isShorter = true; isShorter;) {
      isShorter = false;
      for (const ExprId e : conditions) {
        if (e == conditions.back() || !spend(store.terms(sum).size() + store.terms(e).size()))
          continue;
        const ExprId more = store.add(sum, e);
        if (more == 0)
          continue;
        if (store.tightBounds(more).max < 0)
          return true;
        if (store.terms(more).size() < store.terms(sum).size()) {
          sum = more;
          isShorter = true;
        }
      }
    }
    return false;
  }

  std::uint64_t widthOf(std::uint32_t s) const {
    return static_cast<std::uint64_t>(boundsOf(s).max) - static_cast<std::uint64_t>(boundsOf(s).min);
  }

  std::vector<std::int64_t> valuesOf(std::uint32_t s) {
    const Interval range = boundsOf(s);
    if (widthOf(s) >= maxListed) {
      isComplete = false;
      return tellingValues(range, numbers);
    }
    std::vector<std::int64_t> all;
    for (std::int64_t v = range.min; v < range.max; ++v)
      all.push_back(v);
    all.push_back(range.max);
    std::ranges::sort(all, tellsMore);
    return all;
  }

  /// Every symbol has one value: what could not be computed there was not looked at.
  bool holds() {
    SymbolValues values;
    for (const std::uint32_t s : symbols)
      values.emplace_back(s, boundsOf(s).min);
    for (const ExprId e : conditions) {
      const auto value = store.evaluate(e, values);
      isComplete = isComplete && value.has_value();
      if (value.value_or(-1) < 0)
        return false;
    }
    return true;
  }

  /// Narrows until nothing changes; false where a condition cannot hold.
  bool propagate() {
    for (std::size_t round = 0; round < maxRounds; ++round) {
      isChanged = false;
      for (const ExprId e : conditions)
        if (!spend(1) || !narrow(e, {0, highest}) || isBelowZero(e))
          return false;
      if (!isChanged)
        break;
    }
    return true;
  }

  /// Case by case of its minima and maxima, which the bounds of each by itself do not show.
  bool isBelowZero(ExprId e) {
    return store.expr(e).summary.extrema && spend(store.expr(e).summary.weight) && store.tightBounds(e).max < 0;
  }

  /// The expression \p e is inside \p allowed; false where it cannot be.
  bool narrow(ExprId e, Interval allowed) {
    const auto terms = store.terms(e);
    if (!spend(terms.size()))
      return false;
    const std::int64_t constant = store.expr(e).constant;
    std::vector<Interval> parts, rest(terms.size() + 1, {constant, constant});
    Interval sum{constant, constant};
    for (const Term &t : terms) {
      parts.push_back(store.termBounds(t));
      sum = addIntervals(sum, parts.back());
    }
    if (sum.max < allowed.min || sum.min > allowed.max)
      return false;
    if (allowed.min <= sum.min && sum.max <= allowed.max)
      return true;
    // What the others leave for each term, which is itself as before.
    rest.back() = {0, 0};
    for (std::size_t i = terms.size(); i > 0; --i)
      rest[i - 1] = addIntervals(rest[i], parts[i - 1]);
    Interval before{constant, constant};
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const Interval others = addIntervals(before, rest[i + 1]);
      before = addIntervals(before, parts[i]);
      const Interval room{addEnds(allowed.min, negateEnd(others.max)), addEnds(allowed.max, negateEnd(others.min))};
      const std::int64_t k = terms[i].coefficient;
      if (k == lowest || room.min == highest || room.max == lowest)
        continue;
      const Interval each = k > 0 ? Interval{ceilEnds(room.min, k), floorEnds(room.max, k)}
                                  : Interval{ceilEnds(negateEnd(room.max), -k), floorEnds(negateEnd(room.min), -k)};
      if (!narrowProduct(terms[i].monomial, each))
        return false;
    }
    return true;
  }

  bool narrowProduct(MonomialId m, Interval allowed) {
    const auto factors = store.factors(m);
    if (factors.size() == 1)
      return narrowAtom(factors[0], allowed);
    if (std::ranges::any_of(factors, [&](AtomId f) { return store.atomBounds(f).min < 0; }))
      return true;
    if (allowed.max < 0)
      return false;
    if (allowed.min > 0)
      for (const AtomId f : factors)
        if (!narrowAtom(f, {1, highest}))
          return false;
    for (std::size_t i = 0; i < factors.size();) {
      std::size_t n = 1;
      Interval others{1, 1};
      while (i + n < factors.size() && factors[i + n] == factors[i])
        ++n;
      for (std::size_t j = 0; j < factors.size(); ++j)
        if (j < i || j >= i + n)
          others = mulIntervals(others, store.atomBounds(factors[j]));
      Interval own{0, highest};
      if (others.min > 0)
        own.max = rootOf(floorEnds(allowed.max, others.min), n);
      if (allowed.min > 0) {
        const std::int64_t least =
            isInfinite(others.max) ? 1 : ceilEnds(allowed.min, std::max<std::int64_t>(others.max, 1));
        const std::int64_t root = rootOf(least, n);
        own.min = isInfinite(root) || powerEnd(root, n) >= least ? root : root + 1;
      }
      if (own.min > own.max || !narrowAtom(factors[i], own))
        return false;
      i += n;
    }
    return true;
  }

  bool narrowAtom(AtomId a, Interval allowed) {
    const Interval now = store.atomBounds(a);
    if (now.max < allowed.min || now.min > allowed.max || allowed.min > allowed.max)
      return false;
    if (allowed.min <= now.min && now.max <= allowed.max)
      return true;
    const Atom &atom = store.atom(a);
    const auto args = store.arguments(a);
    switch (atom.kind) {
    case AtomKind::Symbol:
      set(atom.name, {std::max(now.min, allowed.min), std::min(now.max, allowed.max)});
      return true;
    case AtomKind::FloorDiv:
      return narrowQuotient(args[0], args[1], allowed);
    case AtomKind::Mod: { // of what is less than the divisor
      const Interval value = store.bounds(args[0]), divisor = store.bounds(args[1]);
      return value.min < 0 || value.max >= divisor.min || narrow(args[0], allowed);
    }
    case AtomKind::Min:
    case AtomKind::Max:
      return narrowExtremum(atom.kind, args, allowed);
    case AtomKind::Opaque:
      break;
    }
    return true;
  }

  /// \p value // \p divisor is inside \p allowed.
  bool narrowQuotient(ExprId value, ExprId divisor, Interval allowed) {
    const Interval by = store.bounds(divisor);
    if (by.min <= 0 || (by.max != by.min && (allowed.min < 0 || allowed.max < 0)))
      return true;
    Interval room;
    room.min = allowed.min == lowest ? lowest : mulEnds(allowed.min, by.min);
    if (!isInfinite(allowed.max))
      if (const std::int64_t above = mulEnds(allowed.max + 1, by.max); !isInfinite(above))
        room.max = above - 1;
    return room.min == highest || room.min > room.max || narrow(value, room);
  }

  /// Every argument of a minimum is as large as it at least, and one is as small.
  bool narrowExtremum(AtomKind kind, std::span<const ExprId> args, Interval allowed) {
    const bool isMin = kind == AtomKind::Min;
    const Interval all = isMin ? Interval{allowed.min, highest} : Interval{lowest, allowed.max};
    const Interval one = isMin ? Interval{lowest, allowed.max} : Interval{allowed.min, highest};
    const std::vector<ExprId> each(args.begin(), args.end());
    ExprId only = 0;
    std::size_t able = 0;
    for (const ExprId e : each) {
      if (!narrow(e, all))
        return false;
      const Interval is = store.bounds(e);
      if (is.min <= one.max && is.max >= one.min) {
        only = e;
        ++able;
      }
    }
    return able > 1 || (able == 1 && narrow(only, one));
  }

  DimStore &store;
  std::span<const ExprId> conditions;
  const std::set<std::int64_t> &numbers;
  std::size_t &work;
  std::vector<std::uint32_t> symbols;
  std::vector<std::pair<std::uint32_t, Interval>> trail; ///< bounds as they were
  bool isChanged = false;
  bool isComplete = true; ///< every value was tried or narrowed away so far
};

} // namespace

FoundValues findValues(DimStore &store, std::span<const ExprId> notNegative, const std::set<std::int64_t> &numbers,
                       std::size_t &work) {
  return Search(store, notNegative, numbers, work).run();
}

std::vector<std::int64_t> tellingValues(Interval range, const std::set<std::int64_t> &numbers) {
  std::set<std::int64_t> values(numbers);
  for (std::int64_t v = -3; v <= 9; ++v)
    values.insert(v);
  for (const std::int64_t v : {16, 17, 31, 64, 97, 128, 1000, 1009})
    values.insert(v);
  for (std::int64_t i = 0; i < 5; ++i) {
    if (range.min != lowest && range.min <= highest - i)
      values.insert(range.min + i);
    if (range.max != highest && range.max >= lowest + i)
      values.insert(range.max - i);
  }
  // Multiples of what is divided by, as small as they may be.
  constexpr std::int64_t largestDivisor = 4096;
  if (range.min > -largestDivisor && range.min < highest - 2 * largestDivisor)
    for (const std::int64_t k : numbers)
      if (k > 1 && k <= largestDivisor) {
        const std::int64_t least = -floorQuotient(-range.min, k) * k;
        values.insert(least);
        values.insert(least + k);
      }
  std::vector<std::int64_t> out;
  for (const std::int64_t v : values)
    if (range.contains(v))
      out.push_back(v);
  std::ranges::sort(out, tellsMore);
  return out;
}

} // namespace condlint::detail
