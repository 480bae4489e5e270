//===- Admission.cpp - Values at which constraints hold -------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Admission.h"
#include <algorithm>
#include <functional>
#include <iterator>

namespace condlint::cxx {

Admission::Admission(const HostNumbers &of, const PathConstraints &all, const LeftNumbers &byLoops,
                     const std::vector<Dim> &askedFirst)
    : dims(of.dims), host(of.host), texts(of.texts), containers(of.containers), constraints(all), left(byLoops),
      first(askedFirst) {
  for (const Dim d : first)
    involve(d);
  gather();
}

std::span<const Dim> Admission::partsOf(const condlint::Symbol &s) const {
  const auto byLoop = left.find(s.name);
  return byLoop == left.end() ? host.partsOf(s) : std::span(&byLoop->second, 1);
}

/// The symbols of \p d are among those that are looked for; false where they were.
bool Admission::involve(Dim d) {
  bool isNew = false;
  for (const condlint::Symbol &s : dims.symbolsOf(d)) {
    const TextQuestion *question = texts.questionOf(s);
    auto &kind = question ? said : partsOf(s).empty() ? symbols : made;
    if (std::ranges::find(kind, s.name, &condlint::Symbol::name) != kind.end())
      continue;
    isNew = true;
    kind.push_back(s);
    for (const Dim part : partsOf(s))
      involve(part);
    for (std::size_t i = 0; question && i < question->texts.size(); ++i)
      if (const std::uint64_t text = question->texts[i].of;
          !question->texts[i].isWritten() && std::ranges::find(asked, text) == asked.end())
        asked.push_back(text);
  }
  return isNew;
}

void Admission::gather() {
  // `n % 2` hangs on `n`.
  const std::function<bool(Dim)> isInvolved = [&](Dim d) {
    return std::ranges::any_of(dims.symbolsOf(d), [&](const condlint::Symbol &s) {
      const TextQuestion *question = texts.questionOf(s);
      const ContainerAnswer *answer = containers.answerOf(s);
      const auto isOfSame = [&](const condlint::Symbol &other) {
        const ContainerAnswer *one = containers.answerOf(other);
        return one && one->container == answer->container;
      };
      return (question && std::ranges::any_of(asked, [&](std::uint64_t t) { return question->asksOf(t); })) ||
             (answer && std::ranges::any_of(symbols, isOfSame)) ||
             std::ranges::find(symbols, s.name, &condlint::Symbol::name) != symbols.end() ||
             std::ranges::any_of(partsOf(s), isInvolved);
    });
  };
  for (bool more = true; more;) {
    more = false;
    for (const auto &[what, values] : constraints.values)
      more = (isInvolved(what) && involve(what)) || more;
    for (const auto &together : constraints.never)
      if (std::ranges::any_of(together, [&](const NumberComparison &c) { return isInvolved(c.what); }))
        for (const NumberComparison &c : together)
          more = involve(c.what) || more;
  }
  for (const auto &[what, values] : constraints.values)
    if (isInvolved(what))
      std::ranges::copy(values.telling(), std::back_inserter(numbers));
  // What is divided, multiplied or moved by a number is so much greater.
  const std::size_t compared = std::min<std::size_t>(numbers.size(), 8);
  for (const condlint::Symbol &s : made)
    for (const Dim part : partsOf(s))
      if (const auto by = dims.asConstant(part))
        for (std::size_t i = 0; i < compared; ++i)
          for (const std::int64_t times : {*by, *by >= 0 && *by < 32 ? std::int64_t{1} << *by : *by})
            if (std::int64_t product = 0; !__builtin_mul_overflow(numbers[i], times, &product))
              numbers.push_back(product);
  known = answersIn({dims, host, texts, containers}, constraints);
  for (const condlint::Symbol &s : said) // what is only part of a number, too
    known.push_back({texts.questionOf(s), {}});
}

std::optional<std::int64_t> Admission::chosenFor(const condlint::Symbol &s) const {
  const auto at = std::ranges::find(chosen, s.name, [](const auto &entry) { return entry.first; });
  return at == chosen.end() ? std::nullopt : std::optional(at->second);
}

bool Admission::chooseAnswers() {
  for (const condlint::Symbol &s : said) {
    const auto answer = texts.questionOf(s)->answer(supposed);
    if (!answer)
      return false;
    chosen.emplace_back(s.name, *answer);
  }
  return true;
}

bool Admission::chooseMade() {
  Assignment values;
  unsigned depth = 0;
  const SignedNumbers::Lookup valueOf = [&](const condlint::Symbol &of) {
    constexpr unsigned deepest = 8;
    const auto value = chosenFor(of);
    const auto byLoop = left.find(of.name);
    if (value || byLoop == left.end() || depth == deepest)
      return value;
    ++depth;
    const auto inLoop = host.valueAt(dims, byLoop->second, valueOf);
    --depth;
    return inLoop;
  };
  for (const condlint::Symbol &s : made)
    if (const auto value = host.valueOf(dims, s, valueOf))
      values.emplace_back(s.name, *value);
    else
      return false;
  chosen.insert(chosen.end(), values.begin(), values.end());
  return true;
}

std::vector<std::int64_t> Admission::candidates(const condlint::Symbol &s) const {
  std::vector<std::int64_t> out;
  // What of a number from outside is below zero is tried where it has a sign for certain.
  Interval bounds = s.bounds;
  const Interval all = host.rangeOf(s);
  if (host.isOfHost(s) && all.min != Interval().min)
    bounds.min = std::min(bounds.min, all.min);
  bounds.max = std::min(bounds.max, all.max);
  const auto add = [&](std::int64_t k) {
    if (bounds.min <= k && k <= bounds.max && std::ranges::find(out, k) == out.end())
      out.push_back(k);
  };
  for (const auto &[what, values] : constraints.values)
    if (const auto own = dims.asSymbol(what); own && own->name == s.name)
      std::ranges::for_each(values.telling(), add);
  for (const std::int64_t k : {0, 1, 2, 3, 4, -1, -2})
    add(k);
  std::ranges::for_each(numbers, add);
  for (const std::int64_t k : {6, 7, 8, 10, 12}) // what is halved, and the like
    add(k);
  add(s.bounds.min);
  constexpr std::size_t most = 24;
  out.resize(std::min(out.size(), most));
  return out;
}

bool Admission::hold() const {
  const auto compared = [&](const NumberComparison &c) {
    const auto value = dims.evaluate(c.what, chosen);
    PossibleValues only;
    if (value)
      only.restrict(clang::BO_EQ, *value);
    return value ? only.holds(c.opcode, c.constant) : std::nullopt;
  };
  for (const auto &[what, values] : constraints.values)
    if (const auto value = dims.evaluate(what, chosen); value && !values.holds(clang::BO_EQ, *value).value_or(true))
      return false;
  return std::ranges::none_of(constraints.never, [&](const auto &together) {
    return std::ranges::all_of(together, [&](const NumberComparison &c) { return compared(c).value_or(false); });
  });
}

bool Admission::containersHold() const {
  const auto valueOfName = [&](const std::string &name) {
    PossibleValues value;
    for (const auto &[symbol, k] : chosen)
      if (symbol == name)
        value.restrict(clang::BO_EQ, k);
    return value;
  };
  return std::ranges::all_of(symbols, [&](const condlint::Symbol &s) {
    const ContainerAnswer *answer = containers.answerOf(s);
    return !answer || containers.mayBe(answer->container, valueOfName);
  });
}

bool Admission::search(std::size_t next) {
  if (!hold() || !containersHold()) // as far as the values that are chosen decide it
    return false;
  if (next == symbols.size()) {
    const std::size_t before = chosen.size();
    const bool isFound = chooseMade() && hold();
    chosen.resize(before);
    return isFound;
  }
  for (const std::int64_t k : candidates(symbols[next])) {
    if (choices == 0)
      return false;
    --choices;
    chosen.emplace_back(symbols[next].name, k);
    const bool isFound = search(next + 1);
    chosen.pop_back();
    if (isFound || choices == 0)
      return isFound;
  }
  return false;
}

bool Admission::searchTexts(std::size_t next) {
  if (next == asked.size()) {
    const std::size_t before = chosen.size();
    const bool isFound = chooseAnswers() && search(0);
    chosen.resize(before);
    return isFound;
  }
  for (std::string &text : textsToTry(known, asked[next])) {
    if (choices == 0)
      return false;
    --choices;
    supposed[asked[next]] = std::move(text);
    if (searchTexts(next + 1))
      return true;
  }
  return false;
}

bool Admission::isFound() {
  constexpr std::size_t most = 8, mostTexts = 2;
  // What is no expression over numbers cannot be worked out.
  const auto isOpaque = [&](Dim d) {
    Assignment zeros;
    for (const condlint::Symbol &s : dims.symbolsOf(d))
      zeros.emplace_back(s.name, 1);
    return !dims.evaluate(d, zeros);
  };
  return symbols.size() <= most && asked.size() <= mostTexts && std::ranges::none_of(first, isOpaque) && searchTexts(0);
}

} // namespace condlint::cxx
