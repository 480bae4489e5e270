//===- Matching.cpp - Which conditional is which --------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Matching.h"
#include <algorithm>
#include <unordered_map>

namespace condlint::compare {

namespace {

/// How much speaks for \p a and \p b being one conditional.
unsigned score(const Known &a, const Known &b) {
  unsigned s = 0;
  const bool sharesResult = std::ranges::any_of(a.results, [&](const std::string &name) {
    return !name.empty() && std::ranges::find(b.results, name) != b.results.end();
  });
  s += sharesResult ? 5U : 0U;
  s += a.name == b.name ? 3U : 0U;
  s += a.plainPath == b.plainPath ? 3U : 0U;
  s += a.predicate != 0 && (a.predicate == b.predicate || a.predicate == b.negated || a.negated == b.predicate) ? 2U
                                                                                                                : 0U;
  if (a.branches.size() == 2 && b.branches.size() == 2) {
    for (std::size_t i = 0; i < 2; ++i)
      s += a.branches[i] != 0 && a.branches[i] == b.branches[i] ? 3U : 0U;
    if (a.branches[0] != a.branches[1])
      for (std::size_t i = 0; i < 2; ++i)
        s += a.branches[i] != 0 && a.branches[i] == b.branches[1 - i] ? 2U : 0U;
  }
  s += a.outputs == b.outputs ? 1U : 0U;
  return s;
}

/// Of those that are left, the one before and the one after that alone are decided by the same: whatever became of
/// names and branches, the one stands in the other's place.
void addThoseDecidedAlike(const std::vector<Known> &before, const std::vector<Known> &after,
                          const std::vector<bool> &usedA, const std::vector<bool> &usedB,
                          std::vector<std::pair<std::size_t, std::size_t>> &out) {
  struct Places {
    std::vector<std::size_t> a, b;
  };
  std::unordered_map<std::uint64_t, Places> byPredicate;
  for (std::size_t a = 0; a < before.size(); ++a)
    if (!usedA[a] && before[a].predicate != 0)
      byPredicate[before[a].predicate].a.push_back(a);
  for (std::size_t b = 0; b < after.size(); ++b)
    if (const auto at = byPredicate.find(after[b].predicate); !usedB[b] && at != byPredicate.end())
      at->second.b.push_back(b);
  for (const auto &[predicate, places] : byPredicate)
    if (places.a.size() == 1 && places.b.size() == 1 &&
        before[places.a.front()].outputs == after[places.b.front()].outputs)
      out.emplace_back(places.a.front(), places.b.front());
}

} // namespace

std::string prefixOf(const Model &before, const Model &after) {
  if (!before.main() || !after.main())
    return {};
  const Range a = before[before.main()].parameters, b = after[after.main()].parameters;
  if (a.count == 0 || a.count != b.count)
    return {};
  const std::string_view first = before.name(ValueId(a.first)), second = after.name(ValueId(b.first));
  if (second.size() <= first.size() || !second.ends_with(first))
    return {};
  const std::string prefix(second.substr(0, second.size() - first.size()));
  for (std::uint32_t i = 0; i < a.count; ++i)
    if (after.name(ValueId(b.first + i)) != prefix + std::string(before.name(ValueId(a.first + i))))
      return {};
  return prefix;
}

std::vector<Known> knownConditionals(const Model &m, Expressions &expressions) {
  std::vector<Known> out;
  for (Conditional &c : conditionals(m, false)) {
    Known k;
    k.path = m.path(c.node);
    for (std::size_t begin = 0; begin <= k.path.size();) {
      const std::size_t end = std::min(k.path.find('/', begin), k.path.size());
      k.plainPath += (begin == 0 ? "" : "/") + expressions.plainName(k.path.substr(begin, end - begin));
      begin = end + 1;
    }
    k.name = expressions.plainName(m.text(m[c.node].name));
    for (std::size_t i = 0; i < m.resultCount(c.node); ++i)
      k.results.push_back(expressions.plainName(m.name(m.result(c.node, i))));
    if (c.predicateKind == PredicateKind::Value) {
      k.predicate = expressions.of(c.predicate);
      if (const ValueId other = expressions.negated(c.predicate))
        k.negated = expressions.of(other);
    }
    for (const Branch &b : c.branches) {
      k.branches.push_back(expressions.of(b));
      k.outputs.push_back(b.graph ? m.results(b.graph).size() : 0);
    }
    k.conditional = std::move(c);
    out.push_back(std::move(k));
  }
  return out;
}

std::vector<std::pair<std::size_t, std::size_t>> match(const std::vector<Known> &before,
                                                       const std::vector<Known> &after) {
  // Whoever shares nothing is not compared: of many conditionals all pairs would be too many.
  constexpr unsigned least = 4;
  constexpr std::size_t mostPairs = 4'000'000;
  struct Candidate {
    unsigned score;
    std::size_t a, b;
  };
  std::vector<Candidate> candidates;
  std::unordered_map<std::string_view, std::vector<std::size_t>> byPath;
  for (std::size_t b = 0; b < after.size(); ++b)
    byPath[after[b].plainPath].push_back(b);
  const bool isSmall = before.size() * after.size() <= mostPairs;
  for (std::size_t a = 0; a < before.size(); ++a) {
    const auto consider = [&](std::size_t b) {
      if (const unsigned s = score(before[a], after[b]); s >= least)
        candidates.push_back({s, a, b});
    };
    if (isSmall)
      for (std::size_t b = 0; b < after.size(); ++b)
        consider(b);
    else if (const auto found = byPath.find(before[a].plainPath); found != byPath.end())
      std::ranges::for_each(found->second, consider);
  }
  std::ranges::stable_sort(candidates, std::greater<>(), &Candidate::score);
  std::vector<bool> usedA(before.size(), false), usedB(after.size(), false);
  std::vector<std::pair<std::size_t, std::size_t>> out;
  for (const Candidate &c : candidates)
    if (!usedA[c.a] && !usedB[c.b]) {
      usedA[c.a] = usedB[c.b] = true;
      out.emplace_back(c.a, c.b);
    }
  addThoseDecidedAlike(before, after, usedA, usedB, out);
  std::ranges::sort(out);
  return out;
}

} // namespace condlint::compare
