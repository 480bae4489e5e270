//===- DimTrial.cpp - Two expressions at values ---------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DimTrial.h"
#include "DimSearch.h"
#include <algorithm>

namespace condlint::detail {

namespace {

constexpr std::size_t maxEvaluations = 2048;
constexpr std::size_t maxEvaluationWork = 400000; ///< evaluations times weight

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

/// Each symbol's values, and one of each in hand.
class Trials {
public:
  explicit Trials(const ComparedDims &compared) : dims(compared), store(compared.store) {
    const std::size_t weight = store.expr(dims.left).summary.weight + store.expr(dims.right).summary.weight;
    budget = std::min(maxEvaluations, std::max<std::size_t>(64, maxEvaluationWork / weight));
    collectSymbols();
  }

  DimTrial run() {
    if (!choose())
      return out;
    if (out.isExhaustive)
      tryAll();
    else if (dims.relevant.size() <= 1 && dims.admitted.empty())
      tryInOrder();
    else {
      // Several symbols: all equal first, then one apart, then mixed at random.
      tryAlike();
      tryOneApart();
      tryMixed();
    }
    return out;
  }

private:
  void collectSymbols() {
    symbols = dims.relevant;
    store.addSymbolsOf(dims.left, symbols);
    store.addSymbolsOf(dims.right, symbols);
    for (const ExprId e : dims.admitted)
      store.addSymbolsOf(e, symbols);
  }

  /// The values of each symbol that are tried. \returns whether each has some.
  bool choose() {
    const std::set<std::int64_t> numbers = dims.tellingNumbers();
    std::size_t tuples = 1;
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      const Interval range = store.symbolEntry(symbols[i]).symbol.bounds;
      const std::uint64_t width = static_cast<std::uint64_t>(range.max) - static_cast<std::uint64_t>(range.min);
      choices.push_back(tellingValues(range, numbers));
      if (i >= dims.relevant.size() && dims.admitted.empty())
        choices[i].resize(std::min<std::size_t>(choices[i].size(), 1)); // it cancels: any value will do
      else if (width < budget && tuples <= budget / (width + 1)) {
        tuples *= width + 1;
        choices[i] = allOf(range);
      } else
        tuples = budget + 1;
      if (choices[i].empty())
        return false;
    }
    out.isExhaustive = tuples <= budget;
    at.assign(symbols.size(), 0);
    return true;
  }

  static std::vector<std::int64_t> allOf(Interval range) {
    std::vector<std::int64_t> all{range.min};
    while (all.back() != range.max)
      all.push_back(all.back() + 1);
    std::ranges::sort(all, tellsMore);
    return all;
  }

  void tryAll() {
    do
      evaluate();
    while (advance());
    // An admitted value that could not be computed leaves the question open.
    out.isExhaustive = undefined == 0;
  }

  void tryInOrder() {
    do
      evaluate();
    while (!showsAll() && advance() && --budget > 0);
  }

  void tryAlike() {
    std::size_t longest = 0;
    for (const auto &each : choices)
      longest = std::max(longest, each.size());
    for (std::size_t k = 0; k < longest && goesOn(); ++k, --budget) {
      set(k);
      evaluate();
    }
  }

  void tryOneApart() {
    for (std::size_t base = 0; base < 4; ++base)
      for (std::size_t i = 0; i < dims.relevant.size(); ++i) {
        set(base);
        for (std::size_t k = 0; k < choices[i].size() && goesOn(); ++k, --budget) {
          at[i] = k;
          evaluate();
        }
      }
  }

  void tryMixed() {
    std::uint64_t random = 0x2545F4914F6CDD1Dull;
    for (; goesOn(); --budget) {
      for (std::size_t i = 0; i < symbols.size(); ++i) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        at[i] = static_cast<std::size_t>(random % choices[i].size());
      }
      evaluate();
    }
  }

  /// Both kinds of outcome were seen, with sizes to show: more values tell nothing new.
  bool showsAll() const { return out.differ != 0 && out.equal != 0 && out.showsSizes(); }
  bool goesOn() const { return budget > 0 && !showsAll(); }

  /// Takes value \p k of each symbol, or its last.
  void set(std::size_t k) {
    for (std::size_t i = 0; i < symbols.size(); ++i)
      at[i] = std::min(k, choices[i].size() - 1);
  }

  bool advance() {
    for (std::size_t i = 0; i < at.size(); ++i) {
      if (++at[i] < choices[i].size())
        return true;
      at[i] = 0;
    }
    return false;
  }

  /// Both sides at the values in hand; keeps the first at which they differ.
  void evaluate() {
    values.clear();
    for (std::size_t i = 0; i < symbols.size(); ++i)
      values.emplace_back(symbols[i], choices[i][at[i]]);
    std::ranges::sort(values);
    for (const ExprId e : dims.admitted)
      if (store.evaluate(e, values).value_or(-1) < 0) {
        ++out.excluded;
        return;
      }
    const auto x = store.evaluate(dims.left, values), y = store.evaluate(dims.right, values);
    if (!x || !y)
      ++undefined;
    else if (*x == *y)
      ++out.equal;
    // A witness with a negative size is kept only until a better one is met.
    else if (out.differ == 0 || (!out.showsSizes() && *x >= 0 && *y >= 0))
      out.differsAt(values, *x, *y);
    else
      ++out.differ;
  }

  const ComparedDims &dims;
  const DimStore &store;
  std::size_t budget = 0;
  std::vector<std::uint32_t> symbols;             ///< the relevant ones first
  std::vector<std::vector<std::int64_t>> choices; ///< of each symbol, the most telling first
  std::vector<std::size_t> at;                    ///< the choice in hand of each
  SymbolValues values;
  std::size_t undefined = 0; ///< admitted values at which a side could not be computed
  DimTrial out;
};

} // namespace

std::set<std::int64_t> ComparedDims::tellingNumbers() const {
  std::set<std::int64_t> numbers;
  for (const ExprId e : {left, right})
    collectNumbers(store, e, numbers);
  for (const ExprId e : admitted)
    collectNumbers(store, e, numbers);
  return numbers;
}

DimTrial tryValues(const ComparedDims &dims) { return Trials(dims).run(); }

} // namespace condlint::detail
