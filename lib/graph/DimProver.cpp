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
#include "DimCopier.h"
#include "DimSearch.h"
#include "DimStore.h"
#include "DimTrial.h"
#include "DimZero.h"
#include <algorithm>
#include <set>

namespace condlint::detail {
namespace {

constexpr std::size_t maxConditions = 128;
constexpr std::size_t maxSearchWork = 200000; ///< terms looked at

DimComparison unknown(const char *why) {
  DimComparison c;
  c.reason = why;
  return c;
}

DimComparison proved() {
  DimComparison c;
  c.result = DimComparison::Verdict::Proved;
  return c;
}

bool areDisjoint(Interval x, Interval y) { return x.max < y.min || y.max < x.min; }

/// The comparison of two expressions, with the copy it is decided in.
class Prover {
public:
  /// Values at which an expression of \p notNegative is below zero do not count.
  Prover(const DimStore &source, ExprId left, ExprId right, std::span<const ExprId> notNegative)
      : from(source), originalLeft(left), originalRight(right), conditions(notNegative) {}

  DimComparison decide() {
    copyIn();
    if (dims.left == 0 || dims.right == 0)
      return unknown("an expression grows beyond what is followed");
    ZeroTest test = byForm();
    if (test == ZeroTest::Always)
      return proved();
    if (std::ranges::any_of(conditions, [&](ExprId e) { return from.isConstant(e) && from.expr(e).constant < 0; }))
      return unknown(leavesNothing);
    if (test == ZeroTest::Open && isOpaque())
      return unknown("the sizes depend on a function whose values are not known");

    dims.relevant = relevantSymbols();
    trial = tryValues(dims);
    if (test == ZeroTest::Open)
      test = byValues();
    if (test == ZeroTest::Always)
      return proved();
    if (trial.differ == 0 || !trial.showsSizes())
      searchUnderConditions();
    if (trial.differ == 0 && test == ZeroTest::Open && isNowhere)
      return trial.equal != 0 || isAdmitted() ? proved() : unknown(leavesNothing);
    if (trial.differ == 0 && test != ZeroTest::Never)
      return unknown(whyNothingDiffers());
    if (isCut && test != ZeroTest::Never)
      return unknown("the sizes stand under more checks than are followed");
    return refuted(test == ZeroTest::Never);
  }

private:
  static constexpr const char *leavesNothing = "the checks that the sizes stand under leave no sizes";

  /// What the forms of the two sides and their bounds say.
  ZeroTest byForm() {
    ZeroTest test = dims.left == dims.right ? ZeroTest::Always : isZero(dims.store, dims.difference);
    if (test == ZeroTest::Open)
      test = isZero(dims.store, expanded);
    if (test == ZeroTest::Open && areDisjoint(dims.store.tightBounds(dims.left), dims.store.tightBounds(dims.right)))
      test = ZeroTest::Never;
    return test;
  }

  bool isOpaque(ExprId e) const { return dims.store.expr(e).summary.opaque; }
  bool isOpaque() const {
    return dims.difference != 0 ? isOpaque(dims.difference) : isOpaque(dims.left) || isOpaque(dims.right);
  }

  /// What the values that were tried say, or else the cases of remainders.
  ZeroTest byValues() const {
    if (trial.isExhaustive && trial.equal + trial.differ != 0)
      return trial.equal == 0 ? ZeroTest::Never : trial.differ == 0 ? ZeroTest::Always : ZeroTest::Open;
    return trial.equal == 0 || trial.differ == 0 ? isZeroByResidues(dims.store, dims.left, dims.right) : ZeroTest::Open;
  }

  const char *whyNothingDiffers() const {
    if (std::ranges::any_of(dims.admitted, [&](ExprId e) { return isOpaque(e); }))
      return "a check of the sizes depends on a function whose values are not known";
    if (trial.excluded != 0)
      return "no sizes were found that differ and that the checks around them admit, and no proof that there are none";
    return "no proof was found that the sizes are equal, and no values at which they differ";
  }

  DimComparison refuted(bool always) {
    const auto symbolOf = [](const DimStore &store, std::uint32_t s) -> const Symbol & {
      return store.symbolEntry(s).symbol;
    };
    DimComparison c;
    c.result = DimComparison::Verdict::Refuted;
    c.always = always;
    for (const std::uint32_t s : dims.relevant)
      c.weakestOrigin = std::max(c.weakestOrigin, symbolOf(dims.store, s).origin);
    if (dims.relevant.empty())
      for (const auto &[s, value] : pinned)
        c.weakestOrigin = std::max(c.weakestOrigin, symbolOf(from, s).origin);
    if (trial.differ == 0)
      return c; // true for every value, but none can be shown
    for (const auto &[s, value] : trial.witness)
      c.witness.emplace_back(symbolOf(dims.store, s).name, value);
    for (const auto &[s, value] : pinned)
      c.witness.emplace_back(symbolOf(from, s).name, value);
    if (!trial.showsSizes())
      c.reason = isNowhereAbove ? "they differ only where one of them is negative"
                                : "no values were found at which they differ and neither is negative";
    // What the conditions ask of other sizes besides is part of it.
    for (const std::uint32_t s : narrowed) {
      const Symbol &symbol = symbolOf(dims.store, s);
      if (std::ranges::find(c.witness, symbol.name, [](const auto &p) { return p.first; }) == c.witness.end())
        c.witness.emplace_back(symbol.name, tellingValues(symbol.bounds, {}).front());
    }
    std::ranges::sort(c.witness);
    c.witnessA = trial.left;
    c.witnessB = trial.right;
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
    DimStore &store = dims.store;
    DimCopier plain(from, store, false), expanding(from, store, true);
    std::set<std::uint32_t> all;
    for (const ExprId e : {originalLeft, originalRight})
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
    dims.left = plain.copy(originalLeft);
    dims.right = plain.copy(originalRight);
    for (const ExprId e : related)
      if (const ExprId copied = plain.copy(e); copied != 0 && store.tightBounds(copied).min < 0)
        dims.admitted.push_back(copied);
    dims.difference = store.sub(dims.left, dims.right);
    expanded = store.sub(expanding.copy(originalLeft), expanding.copy(originalRight));
  }

  std::vector<std::uint32_t> relevantSymbols() const {
    if (dims.difference != 0)
      return dims.store.symbolsOf(dims.difference);
    std::vector<std::uint32_t> out = dims.store.symbolsOf(dims.left);
    dims.store.addSymbolsOf(dims.right, out);
    return out;
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

  /// Looks for values that the conditions admit and at which the two sides differ: first such that neither is below
  /// zero, then, where none were met yet, any.
  void searchUnderConditions() {
    if (dims.difference == 0)
      return;
    const std::set<std::int64_t> numbers = dims.tellingNumbers();
    std::size_t work = maxSearchWork;
    for (const bool above : {true, false}) {
      if (!above && trial.differ != 0)
        break;
      std::vector<ExprId> all = dims.admitted;
      if (above)
        all.insert(all.end(), {dims.left, dims.right});
      bool none = true;
      for (const std::int64_t sign : {-1, 1}) {
        std::vector<ExprId> asked = all;
        asked.push_back(dims.store.add(dims.store.scale(dims.difference, sign), dims.store.constant(-1)));
        const FoundValues found = asked.back() == 0 ? FoundValues() : findValues(dims.store, asked, numbers, work);
        none = none && found.outcome == FoundValues::Outcome::None;
        if (found.outcome != FoundValues::Outcome::Found)
          continue;
        const auto x = dims.store.evaluate(dims.left, found.values), y = dims.store.evaluate(dims.right, found.values);
        if (!x || !y || *x == *y)
          continue; // overflow
        trial.differsAt(found.values, *x, *y);
        break;
      }
      (above ? isNowhereAbove : isNowhere) = none;
      if (above && none && trial.differ != 0)
        break;
    }
  }

  /// Some sizes fulfil what the two sides stand under.
  bool isAdmitted() {
    std::size_t work = maxSearchWork;
    return dims.admitted.empty() ||
           findValues(dims.store, dims.admitted, dims.tellingNumbers(), work).outcome == FoundValues::Outcome::Found;
  }

  const DimStore &from;
  ExprId originalLeft, originalRight;
  std::span<const ExprId> conditions;
  std::vector<ExprId> related; ///< the conditions that are about the symbols compared, in the source
  ComparedDims dims;           ///< the copy; of the conditions those are admitted that do not always hold
  ExprId expanded = 0;         ///< the difference with fewer kinds of atoms
  std::vector<std::pair<std::uint32_t, std::int64_t>> pinned; ///< symbols with one value
  std::vector<std::uint32_t> narrowed; ///< symbols of the copy of which the conditions admit less than their bounds
  DimTrial trial;
  bool isCut = false;          ///< there are more conditions than are followed
  bool isNowhere = false;      ///< the two differ for no values that the conditions admit
  bool isNowhereAbove = false; ///< the same of values at which neither is below zero
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
