//===- DimProver.cpp - Are two sizes equal? -------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The question is asked of a small copy of the two expressions that is made
// under the symbols' present bounds. Their difference decides: a form of zero
// proves; a form that is never zero (a number, an interval without zero, no
// multiple of the coefficients' common divisor) refutes always; values at which
// it is not zero refute. Values are tried as they come to mind first, then looked
// for with the conditions in hand (DimSearch.h). Divisions by numbers are decided
// by writing each symbol as L*y + i for all remainders i: then they all resolve.
//
//===----------------------------------------------------------------------===//

#include "DimSearch.h"
#include "DimStore.h"
#include <algorithm>
#include <numeric>
#include <set>

namespace condlint::detail {
namespace {

constexpr std::size_t maxEvaluations = 2048;
constexpr std::size_t maxEvaluationWork = 400000; ///< evaluations times weight
constexpr std::size_t maxConditions = 128;
constexpr std::size_t maxSearchWork = 200000; ///< terms looked at
constexpr std::size_t maxResidues = 512;
constexpr std::size_t maxResidueWork = 40000;

enum class Truth { Zero, NeverZero, Open };

/// Writes expressions of one store into another, which simplifies them under
/// its own symbols.
class Copier {
public:
  /// \p replacement gives what stands for a symbol of \p from. \p expanding writes
  /// `a % b` and `max(a, b)` with `//` and `min`.
  Copier(const DimStore &source, DimStore &target, bool expanding) : from(source), to(target), expand(expanding) {}
  void replace(std::uint32_t symbol, ExprId by) { symbols.emplace_back(symbol, by); }

  ExprId copy(ExprId e) {
    if (e == 0)
      return 0;
    ExprId sum = to.constant(from.expr(e).constant);
    for (const Term &t : from.terms(e)) {
      ExprId product = to.constant(t.coefficient);
      for (const AtomId a : from.factors(t.monomial))
        product = to.mul(product, atom(a));
      sum = to.add(sum, product);
    }
    return sum;
  }

private:
  ExprId atom(AtomId a) {
    for (const auto &[known, e] : done)
      if (known == a)
        return e;
    const ExprId made = make(a);
    done.emplace_back(a, made);
    return made;
  }

  ExprId make(AtomId a) {
    const Atom &x = from.atom(a);
    if (x.kind == AtomKind::Symbol) {
      for (const auto &[s, by] : symbols)
        if (s == x.name)
          return by;
      return 0;
    }
    std::vector<ExprId> args;
    for (const ExprId e : from.arguments(a))
      args.push_back(copy(e));
    switch (x.kind) {
    case AtomKind::FloorDiv:
      return to.floorDiv(args[0], args[1]);
    case AtomKind::Mod:
      return expand ? to.sub(args[0], to.mul(args[1], to.floorDiv(args[0], args[1]))) : to.mod(args[0], args[1]);
    case AtomKind::Max:
      if (expand && args.size() == 2)
        return to.sub(to.add(args[0], args[1]), to.extremum(AtomKind::Min, args));
      return to.extremum(AtomKind::Max, args);
    case AtomKind::Min:
      return to.extremum(AtomKind::Min, args);
    case AtomKind::Opaque:
      return to.opaque(from.functionName(x.name), args);
    case AtomKind::Symbol:
      break;
    }
    return 0;
  }

  const DimStore &from;
  DimStore &to;
  bool expand;
  std::vector<std::pair<std::uint32_t, ExprId>> symbols;
  std::vector<std::pair<AtomId, ExprId>> done;
};

/// What the form of \p d says without looking at values.
Truth truthOf(DimStore &store, ExprId d) {
  if (d == 0)
    return Truth::Open;
  const std::int64_t c = store.expr(d).constant;
  if (store.isConstant(d))
    return c == 0 ? Truth::Zero : Truth::NeverZero;
  const Interval range = store.tightBounds(d);
  if (range.min == 0 && range.max == 0)
    return Truth::Zero;
  if (!range.contains(0))
    return Truth::NeverZero;
  std::int64_t g = 0;
  for (const Term &t : store.terms(d))
    g = std::gcd(g, t.coefficient == lowest ? lowest / 2 : t.coefficient);
  return c % g != 0 ? Truth::NeverZero : Truth::Open;
}

/// Numbers worth trying: those in the expressions and their neighbours.
void collectNumbers(const DimStore &store, ExprId e, std::set<std::int64_t> &out) {
  auto note = [&](std::int64_t v) {
    if (out.size() < 48)
      for (const std::int64_t x : {v, v < highest ? v + 1 : v, v > lowest ? v - 1 : v, v != lowest ? -v : v})
        out.insert(x);
  };
  note(store.expr(e).constant);
  for (const Term &t : store.terms(e))
    note(t.coefficient);
  std::vector<AtomId> atoms;
  store.atomsOf(e, atoms);
  for (const AtomId x : atoms)
    for (const ExprId arg : store.arguments(x)) {
      note(store.expr(arg).constant);
      for (const Term &t : store.terms(arg))
        note(t.coefficient);
    }
}

/// The comparison of two expressions, with the copy it is decided in.
class Prover {
public:
  /// Values at which an expression of \p notNegative is below zero do not count.
  Prover(const DimStore &source, ExprId left, ExprId right, std::span<const ExprId> notNegative)
      : from(source), originalA(left), originalB(right), conditions(notNegative) {}

  DimComparison decide() {
    copyIn();
    if (a == 0 || b == 0)
      return unknown("an expression grows beyond what is followed");
    Truth truth = a == b ? Truth::Zero : truthOf(store, difference);
    if (truth == Truth::Open)
      truth = truthOf(store, expanded);
    if (truth == Truth::Open && disjoint(store.tightBounds(a), store.tightBounds(b)))
      truth = Truth::NeverZero;
    if (truth == Truth::Zero)
      return proved();
    if (std::ranges::any_of(conditions, [&](ExprId e) { return from.isConstant(e) && from.expr(e).constant < 0; }))
      return unknown("the checks that the sizes stand under leave no sizes");

    const ExprId asked = difference != 0 ? difference : a;
    const bool opaque = difference != 0 ? store.expr(difference).summary.opaque
                                        : store.expr(a).summary.opaque || store.expr(b).summary.opaque;
    if (truth == Truth::Open && opaque)
      return unknown("the sizes depend on a function whose values are not known");
    const bool isCheckOpaque = std::ranges::any_of(admitted, [&](ExprId e) { return store.expr(e).summary.opaque; });

    relevant = store.symbolsOf(asked);
    if (difference == 0)
      for (const std::uint32_t s : store.symbolsOf(b))
        if (std::find(relevant.begin(), relevant.end(), s) == relevant.end())
          relevant.push_back(s);
    search();
    if (truth == Truth::Open && exhaustive && equalCount + differCount != 0)
      truth = equalCount == 0 ? Truth::NeverZero : differCount == 0 ? Truth::Zero : Truth::Open;
    else if (truth == Truth::Open && (equalCount == 0 || differCount == 0))
      truth = byResidues();
    if (truth == Truth::Zero)
      return proved();
    if (differCount == 0 || witnessA < 0 || witnessB < 0)
      searchUnderConditions();
    if (differCount == 0 && truth == Truth::Open && isNowhere) {
      if (equalCount != 0 || isAdmitted())
        return proved();
      return unknown("the checks that the sizes stand under leave no sizes");
    }
    if (differCount == 0 && truth != Truth::NeverZero)
      return unknown(isCheckOpaque ? "a check of the sizes depends on a function whose values are not known"
                     : excluded != 0
                         ? "no sizes were found that differ and that the checks around them admit, and no proof that "
                           "there are none"
                         : "no proof was found that the sizes are equal, and no values at which they differ");
    if (isCut && truth != Truth::NeverZero)
      return unknown("the sizes stand under more checks than are followed");
    return refuted(truth == Truth::NeverZero);
  }

private:
  static DimComparison unknown(const char *why) {
    DimComparison c;
    c.reason = why;
    return c;
  }
  static DimComparison proved() {
    DimComparison c;
    c.result = DimComparison::Verdict::Proved;
    return c;
  }
  static bool disjoint(Interval x, Interval y) { return x.max < y.min || y.max < x.min; }

  DimComparison refuted(bool always) {
    DimComparison c;
    c.result = DimComparison::Verdict::Refuted;
    c.always = always;
    for (const std::uint32_t s : relevant)
      c.weakestOrigin = std::max(c.weakestOrigin, store.symbolEntry(s).symbol.origin);
    if (relevant.empty())
      for (const auto &[s, value] : pinned)
        c.weakestOrigin = std::max(c.weakestOrigin, from.symbolEntry(s).symbol.origin);
    if (differCount == 0)
      return c; // true for every value, but none can be shown
    for (const auto &[s, value] : witness)
      c.witness.emplace_back(store.symbolEntry(s).symbol.name, value);
    for (const auto &[s, value] : pinned)
      c.witness.emplace_back(from.symbolEntry(s).symbol.name, value);
    if (witnessA < 0 || witnessB < 0)
      c.reason = isNowhereAbove ? "they differ only where one of them is negative"
                                : "no values were found at which they differ and neither is negative";
    // What the conditions ask of other sizes besides is part of it.
    for (const std::uint32_t s : narrowed)
      if (std::ranges::find(c.witness, store.symbolEntry(s).symbol.name, [](const auto &p) { return p.first; }) ==
          c.witness.end())
        c.witness.emplace_back(store.symbolEntry(s).symbol.name,
                               tellingValues(store.symbolEntry(s).symbol.bounds, {}).front());
    std::sort(c.witness.begin(), c.witness.end());
    c.witnessA = witnessA;
    c.witnessB = witnessB;
    return c;
  }

  /// The bounds of the symbol \p s, narrowed by the conditions that are about nothing else and linear.
  Interval boundsUnderConditions(std::uint32_t s) const {
    const Interval declared = from.symbolEntry(s).symbol.bounds;
    Interval bounds = declared;
    for (const ExprId e : conditions) {
      const auto terms = from.terms(e);
      if (terms.size() != 1 || from.factors(terms[0].monomial).size() != 1)
        continue;
      const Atom &atom = from.atom(from.factors(terms[0].monomial)[0]);
      const std::int64_t k = terms[0].coefficient, c = from.expr(e).constant;
      if (atom.kind != AtomKind::Symbol || atom.name != s || c == lowest || k == lowest)
        continue;
      if (k > 0) // k * s >= -c
        bounds.min = std::max(bounds.min, ceiling(-c, 0, k));
      else
        bounds.max = std::min(bounds.max, flooring(c, 0, -k));
    }
    return bounds.min <= bounds.max ? bounds : declared; // none is admitted: the search will see
  }

  void copyIn() {
    Copier plain(from, store, false), expanding(from, store, true);
    std::set<std::uint32_t> all;
    for (const ExprId e : {originalA, originalB})
      for (const std::uint32_t s : from.symbolsOf(e))
        all.insert(s);
    dropUnrelated(all);
    // By name: which of several witnesses is shown does not hang on the order in which the model was read.
    std::vector<std::uint32_t> named(all.begin(), all.end());
    std::ranges::sort(named, {}, [&](std::uint32_t s) { return std::string_view(from.symbolEntry(s).symbol.name); });
    for (const std::uint32_t s : named) {
      const Symbol &symbol = from.symbolEntry(s).symbol;
      const Interval bounds = boundsUnderConditions(s);
      const bool fixed = bounds.min == bounds.max;
      if (fixed)
        pinned.emplace_back(s, bounds.min);
      const ExprId e = fixed ? store.constant(bounds.min) : store.symbol(symbol.name, symbol.origin, bounds);
      if (!fixed && bounds != symbol.bounds)
        narrowed.push_back(store.symbolsOf(e).front());
      plain.replace(s, e);
      expanding.replace(s, e);
    }
    a = plain.copy(originalA);
    b = plain.copy(originalB);
    for (const ExprId e : related)
      if (const ExprId copied = plain.copy(e); copied != 0 && store.tightBounds(copied).min < 0)
        admitted.push_back(copied);
    difference = store.sub(a, b);
    expanded = store.sub(expanding.copy(originalA), expanding.copy(originalB));
  }

  /// Keeps the conditions that share a symbol with what is compared, and adds the symbols they share it with.
  void dropUnrelated(std::set<std::uint32_t> &all) {
    std::vector<ExprId> rest(conditions.begin(), conditions.end());
    for (bool grown = true; grown && !rest.empty();) {
      grown = false;
      for (ExprId &e : rest) {
        const auto symbols = from.symbolsOf(e);
        if (std::none_of(symbols.begin(), symbols.end(), [&](std::uint32_t s) { return all.contains(s); }))
          continue;
        if (related.size() >= maxConditions) {
          isCut = true;
          return;
        }
        related.push_back(e);
        all.insert(symbols.begin(), symbols.end());
        e = 0;
        grown = true;
      }
      std::erase(rest, 0u);
    }
  }

  /// Evaluates both sides, keeping the first values at which they differ.
  void tryValues(const SymbolValues &values) {
    for (const ExprId e : admitted)
      if (store.evaluate(e, values).value_or(-1) < 0) {
        ++excluded;
        return;
      }
    const auto x = store.evaluate(a, values), y = store.evaluate(b, values);
    if (!x || !y)
      return;
    if (*x == *y) {
      ++equalCount;
      return;
    }
    // Most of what is compared are sizes: a witness with a negative one is kept
    // only until a better one is met.
    const bool better = (witnessA < 0 || witnessB < 0) && *x >= 0 && *y >= 0;
    if (differCount++ == 0 || better) {
      witness = values;
      witnessA = *x;
      witnessB = *y;
    }
  }

  /// Admitted values of \p symbol, the most telling first.
  std::vector<std::int64_t> candidates(std::uint32_t symbol, const std::set<std::int64_t> &numbers) const {
    return tellingValues(store.symbolEntry(symbol).symbol.bounds, numbers);
  }

  std::set<std::int64_t> telling() const {
    std::set<std::int64_t> numbers;
    for (const ExprId e : {a, b})
      collectNumbers(store, e, numbers);
    for (const ExprId e : admitted)
      collectNumbers(store, e, numbers);
    return numbers;
  }

  /// Looks for values that the conditions admit and at which the two sides differ: first such that neither is below
  /// zero, then, where none were met yet, any.
  void searchUnderConditions() {
    if (difference == 0)
      return;
    const std::set<std::int64_t> numbers = telling();
    std::size_t work = maxSearchWork;
    for (const bool above : {true, false}) {
      if (!above && differCount != 0)
        break;
      std::vector<ExprId> all = admitted;
      if (above)
        all.insert(all.end(), {a, b});
      bool none = true;
      for (const std::int64_t sign : {-1, 1}) {
        std::vector<ExprId> asked = all;
        asked.push_back(store.add(store.scale(difference, sign), store.constant(-1)));
        const FoundValues found = asked.back() == 0 ? FoundValues() : findValues(store, asked, numbers, work);
        none = none && found.outcome == FoundValues::Outcome::None;
        if (found.outcome != FoundValues::Outcome::Found)
          continue;
        const auto x = store.evaluate(a, found.values), y = store.evaluate(b, found.values);
        if (!x || !y || *x == *y)
          continue; // overflow
        witness = found.values;
        witnessA = *x;
        witnessB = *y;
        ++differCount;
        break;
      }
      (above ? isNowhereAbove : isNowhere) = none;
      if (above && none && differCount != 0)
        break;
    }
  }

  /// Some sizes fulfil what the two sides stand under.
  bool isAdmitted() {
    std::size_t work = maxSearchWork;
    return admitted.empty() || findValues(store, admitted, telling(), work).outcome == FoundValues::Outcome::Found;
  }

  void search() {
    const std::size_t weight = store.expr(a).summary.weight + store.expr(b).summary.weight;
    std::size_t budget = std::min(maxEvaluations, std::max<std::size_t>(64, maxEvaluationWork / weight));
    const std::set<std::int64_t> numbers = telling();
    std::vector<std::uint32_t> all = relevant;
    for (const ExprId e : {a, b})
      for (const std::uint32_t s : store.symbolsOf(e))
        if (std::find(all.begin(), all.end(), s) == all.end())
          all.push_back(s);
    for (const ExprId e : admitted)
      for (const std::uint32_t s : store.symbolsOf(e))
        if (std::find(all.begin(), all.end(), s) == all.end())
          all.push_back(s);

    std::vector<std::vector<std::int64_t>> choices;
    std::size_t tuples = 1;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Interval range = store.symbolEntry(all[i]).symbol.bounds;
      const std::uint64_t width = static_cast<std::uint64_t>(range.max) - static_cast<std::uint64_t>(range.min);
      choices.push_back(candidates(all[i], numbers));
      if (i >= relevant.size() && admitted.empty())
        choices[i].resize(std::min<std::size_t>(choices[i].size(), 1)); // it cancels: any value will do
      else if (width < budget && tuples <= budget / (width + 1)) {
        tuples *= width + 1;
        choices[i].clear();
        for (std::int64_t v = range.min;; ++v) {
          choices[i].push_back(v);
          if (v == range.max)
            break;
        }
        std::sort(choices[i].begin(), choices[i].end(), tellsMore);
      } else
        tuples = budget + 1;
      if (choices[i].empty())
        return;
    }
    exhaustive = tuples <= budget;
    std::vector<std::size_t> at(all.size(), 0);
    SymbolValues values;
    std::size_t undefined = 0;
    auto evaluate = [&] {
      values.clear();
      for (std::size_t i = 0; i < all.size(); ++i)
        values.emplace_back(all[i], choices[i][at[i]]);
      std::sort(values.begin(), values.end());
      const std::size_t before = equalCount + differCount + excluded;
      tryValues(values);
      undefined += before == equalCount + differCount + excluded ? 1 : 0;
    };
    if (exhaustive) {
      do
        evaluate();
      while (advance(at, choices));
      // An admitted value that could not be computed leaves the question open.
      exhaustive = undefined == 0;
      return;
    }
    // Both kinds of outcome seen, with sizes to show: more values tell nothing new.
    auto settled = [&] { return differCount != 0 && equalCount != 0 && witnessA >= 0 && witnessB >= 0; };
    if (relevant.size() <= 1 && admitted.empty()) {
      do
        evaluate();
      while (!settled() && advance(at, choices) && --budget > 0);
      return;
    }
    // Several symbols: all equal first, then one apart, then mixed at random.
    std::size_t longest = 0;
    for (const auto &c : choices)
      longest = std::max(longest, c.size());
    for (std::size_t k = 0; k < longest && budget > 0 && !settled(); ++k, --budget) {
      for (std::size_t i = 0; i < all.size(); ++i)
        at[i] = std::min(k, choices[i].size() - 1);
      evaluate();
    }
    for (std::size_t base = 0; base < 4; ++base)
      for (std::size_t i = 0; i < relevant.size(); ++i) {
        for (std::size_t j = 0; j < all.size(); ++j)
          at[j] = std::min(base, choices[j].size() - 1);
        for (std::size_t k = 0; k < choices[i].size() && budget > 0 && !settled(); ++k, --budget) {
          at[i] = k;
          evaluate();
        }
      }
    std::uint64_t random = 0x2545F4914F6CDD1Dull;
    for (; budget > 0 && !settled(); --budget) {
      for (std::size_t i = 0; i < all.size(); ++i) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        at[i] = static_cast<std::size_t>(random % choices[i].size());
      }
      evaluate();
    }
  }

  static bool advance(std::vector<std::size_t> &at, const std::vector<std::vector<std::int64_t>> &choices) {
    for (std::size_t i = 0; i < at.size(); ++i) {
      if (++at[i] < choices[i].size())
        return true;
      at[i] = 0;
    }
    return false;
  }

  /// Writes each symbol under a division as L*y + i, L a common multiple of the
  /// divisors, and asks for each i.
  Truth byResidues() {
    std::vector<AtomId> atoms;
    store.atomsOf(a, atoms);
    store.atomsOf(b, atoms);
    std::int64_t period = 1;
    std::set<std::uint32_t> divided;
    for (const AtomId x : atoms) {
      const AtomKind kind = store.atom(x).kind;
      if (kind != AtomKind::FloorDiv && kind != AtomKind::Mod)
        continue;
      const auto args = store.arguments(x);
      if (!store.isConstant(args[1]))
        continue;
      const std::int64_t k = store.expr(args[1]).constant;
      if (k > static_cast<std::int64_t>(maxResidues))
        return Truth::Open;
      period = std::lcm(period, k);
      if (period > static_cast<std::int64_t>(maxResidues))
        return Truth::Open;
      for (const std::uint32_t s : store.symbolsOf(args[0]))
        divided.insert(s);
    }
    std::size_t cases = 1;
    for (std::size_t i = 0; i < divided.size(); ++i)
      if ((cases *= static_cast<std::size_t>(period)) > maxResidues)
        return Truth::Open;
    const std::size_t weight = store.expr(a).summary.weight + store.expr(b).summary.weight;
    if (period == 1 || cases * weight > maxResidueWork)
      return Truth::Open;

    std::vector<std::uint32_t> all = store.symbolsOf(a);
    for (const std::uint32_t s : store.symbolsOf(b))
      if (std::find(all.begin(), all.end(), s) == all.end())
        all.push_back(s);
    std::vector<std::int64_t> residue(all.size(), 0);
    bool everZero = false, everNonzero = false;
    for (std::size_t n = 0; n < cases; ++n) {
      std::size_t code = n;
      DimStore scratch;
      Copier copier(store, scratch, true);
      bool possible = true;
      for (const std::uint32_t s : all) {
        const Symbol &symbol = store.symbolEntry(s).symbol;
        if (!divided.contains(s)) {
          copier.replace(s, scratch.symbol(symbol.name, symbol.origin, symbol.bounds));
          continue;
        }
        const auto i = static_cast<std::int64_t>(code % static_cast<std::size_t>(period));
        code /= static_cast<std::size_t>(period);
        Interval y;
        if (symbol.bounds.min != lowest)
          y.min = ceiling(symbol.bounds.min, i, period);
        if (symbol.bounds.max != highest)
          y.max = flooring(symbol.bounds.max, i, period);
        if (y.min > y.max) {
          possible = false;
          break;
        }
        const ExprId part = y.min == y.max ? scratch.constant(y.min) : scratch.symbol(symbol.name, symbol.origin, y);
        copier.replace(s, scratch.add(scratch.scale(part, period), scratch.constant(i)));
      }
      if (!possible)
        continue;
      const Truth truth = truthOf(scratch, scratch.sub(copier.copy(a), copier.copy(b)));
      if (truth == Truth::Open)
        return Truth::Open;
      (truth == Truth::Zero ? everZero : everNonzero) = true;
    }
    return everZero && !everNonzero ? Truth::Zero : everNonzero && !everZero ? Truth::NeverZero : Truth::Open;
  }

  /// The largest y with period*y + i <= bound.
  static std::int64_t flooring(std::int64_t bound, std::int64_t i, std::int64_t period) {
    return floorQuotient(checkedAdd(bound, -i).value_or(lowest), period);
  }
  /// The least y with period*y + i >= bound.
  static std::int64_t ceiling(std::int64_t bound, std::int64_t i, std::int64_t period) {
    const std::int64_t n = checkedAdd(bound, -i).value_or(lowest);
    return floorQuotient(n, period) + (n % period != 0 ? 1 : 0);
  }

  const DimStore &from;
  ExprId originalA, originalB;
  std::span<const ExprId> conditions;
  std::vector<ExprId> related;  ///< the conditions that are about the symbols compared, in the source
  std::vector<ExprId> admitted; ///< the same in the copy, without those that always hold
  DimStore store;
  std::vector<std::pair<std::uint32_t, std::int64_t>> pinned; ///< symbols with one value
  std::vector<std::uint32_t> narrowed; ///< symbols of the copy of which the conditions admit less than their bounds
  ExprId a = 0, b = 0;
  ExprId difference = 0;
  ExprId expanded = 0;                 ///< the difference with fewer kinds of atoms
  std::vector<std::uint32_t> relevant; ///< the symbols of the difference
  std::size_t equalCount = 0, differCount = 0, excluded = 0;
  bool exhaustive = false;     ///< every admitted value was tried
  bool isCut = false;          ///< there are more conditions than are followed
  bool isNowhere = false;      ///< the two differ for no values that the conditions admit
  bool isNowhereAbove = false; ///< the same of values at which neither is below zero
  SymbolValues witness;
  std::int64_t witnessA = 0, witnessB = 0;
};

} // namespace

DimComparison compareDims(const DimStore &store, ExprId a, ExprId b, std::span<const ExprId> notNegative) {
  DimComparison result;
  if (a == 0 || b == 0) {
    result.reason = "a size is not known";
    return result;
  }
  if (a == b) {
    result.result = DimComparison::Verdict::Proved;
    return result;
  }
  if (store.isConstant(a) && store.isConstant(b)) {
    result.result = DimComparison::Verdict::Refuted;
    result.always = true;
    result.witnessA = store.expr(a).constant;
    result.witnessB = store.expr(b).constant;
    return result;
  }
  return Prover(store, a, b, notNegative).decide();
}

} // namespace condlint::detail
