//===- LoopNumbers.cpp - What loops leave in numbers ----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `for (int i : v) ++k; if (k > 2)`: whether some list leaves so many is asked of the ways
// that the machine has gone through the loop (`LoopWays`).
//
//===----------------------------------------------------------------------===//

#include "LoopNumbers.h"
#include "TorchDomain.h"
#include <algorithm>

namespace condlint::cxx {

void LoopNumbers::add(const std::vector<std::string> &names, std::vector<Way> ways) {
  for (const std::string &name : names)
    loopOf.insert_or_assign(name, loops.size());
  loops.push_back(std::move(ways));
}

bool LoopNumbers::admit(const HostNumbers &of, const PathConstraints &constraints,
                        const std::vector<NumberComparison> &first) const {
  std::size_t budget = 256; // ways
  std::vector<Dim> asked;
  for (const NumberComparison &c : first)
    asked.push_back(c.what);
  return admit(of, constraints, asked, derived, budget, 0);
}

bool LoopNumbers::admit(const HostNumbers &of, const PathConstraints &constraints, const std::vector<Dim> &first,
                        const LeftNumbers &left, std::size_t &budget, unsigned depth) const {
  constexpr unsigned deepest = 3; // loops
  Admission admission(of, constraints, left, first);
  const auto open = std::ranges::find_if(admission.open(), [&](const auto &s) { return loopOf.contains(s.name); });
  if (open == admission.open().end())
    return admission.isFound();
  if (depth == deepest)
    return false;
  for (const Way &way : loops[loopOf.find(open->name)->second]) {
    if (budget == 0)
      return false;
    --budget;
    PathConstraints both = constraints;
    LeftNumbers all = left;
    all.insert(way.left.begin(), way.left.end());
    if (!all[open->name].known() || !both.addAll(*way.holds))
      continue;
    // The way is gone where all that holds there does.
    std::vector<Dim> asked = first;
    for (const auto &[what, possible] : both.values)
      if (const auto before = constraints.values.find(what);
          before == constraints.values.end() || !(before->second == possible))
        asked.push_back(what);
    if (admit(of, both, asked, all, budget, depth + 1))
      return true;
  }
  return false;
}

Dim TorchDomain::leftByLoop(const Number &n) {
  if (n.known || n.dim.known() || !n.source)
    return {};
  const Dim d = identityOf(n);
  const auto symbol = d.known() ? graphs.dims.asSymbol(d) : std::nullopt;
  return symbol && loopNumbers.contains(symbol->name) ? d : Dim();
}

bool TorchDomain::isLeftByLoop(const Number &n) {
  const Dim d = n.known ? Dim() : identityOf(n);
  return d.known() && std::ranges::any_of(graphs.dims.symbolsOf(d),
                                          [&](const condlint::Symbol &s) { return loopNumbers.contains(s.name); });
}

void TorchDomain::identifyByLoop(Number &n, Dim made) {
  identify(*machine, n);
  if (const auto symbol = graphs.dims.asSymbol(identityOf(n)))
    loopNumbers.derive(symbol->name, made);
}

Value TorchDomain::whatHolds(Machine &m) { return m.objectValue(pathConstraints); }

void TorchDomain::onLoopLeft(Machine &, std::span<const Number> numbers, std::vector<LoopEnd> ends,
                             std::uint64_t before) {
  DimTable &dims = graphs.dims;
  std::vector<std::string> names;
  std::vector<std::pair<std::string, Dim>> named; // by number: its symbol, and how much more it is
  for (const Number &n : numbers) {
    named.emplace_back();
    const Dim d = identityOf(n);
    const auto all = d.known() ? dims.symbolsOf(d) : std::vector<condlint::Symbol>();
    // What was there before the loop is no more than it was.
    const auto source = all.size() == 1 ? identifiedAs.find(all.front().name) : identifiedAs.end();
    if (source == identifiedAs.end() || source->second <= before)
      continue;
    const Dim more = dims.sub(d, identityOf(all.front().name));
    if (!dims.asConstant(more))
      continue;
    named.back() = {all.front().name, more};
    names.push_back(all.front().name);
  }
  if (names.empty())
    return;
  std::vector<LoopNumbers::Way> ways;
  for (const LoopEnd &end : ends) {
    const auto *holds = end.holds.as<PathConstraints>();
    if (!holds || holds->isCut)
      continue;
    LoopNumbers::Way way{std::make_shared<PathConstraints>(*holds), {}};
    for (std::size_t i = 0; i < named.size() && i < end.left.size(); ++i)
      if (!named[i].first.empty()) {
        const Dim value = end.left[i] ? identityOf(*end.left[i]) : Dim();
        const bool isOpen = machine->signedNumbers().hangsOnOpen(dims, value);
        way.left.emplace(named[i].first, isOpen ? Dim() : dims.sub(value, named[i].second));
      }
    ways.push_back(std::move(way));
  }
  loopNumbers.add(names, std::move(ways));
}

} // namespace condlint::cxx
