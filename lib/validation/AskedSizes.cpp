//===- AskedSizes.cpp - Sizes that predicates ask for ---------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AskedSizes.h"
#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>

namespace condlint {

namespace {

/// What one side of a comparison is for other symbols that play a part.
constexpr std::int64_t otherSize = 3;
/// Draws that are made for one model because of its predicates.
constexpr std::size_t mostAsked = 12;

/// The one number in \p v, as an expression over the model's symbols.
Dim numberIn(const Model &m, ValueId v) {
  const ContentId content = v ? m[v].content : ContentId();
  return content && m.content(content).size() == 1 ? m.content(content)[0] : Dim();
}

/// The differences of what the comparisons that \p predicate follows from compare.
void collectDifferences(Model &m, ValueId predicate, std::vector<Dim> &differences) {
  constexpr std::size_t most = 64;
  std::vector<ValueId> todo{predicate};
  for (std::size_t i = 0; i < todo.size() && todo.size() < most; ++i) {
    const ValueId v = todo[i];
    if (!v || m[v].origin != ValueOrigin::Result)
      continue;
    const NodeId n = m[v].def;
    const std::string_view op = m.text(m[m[n].op].name);
    const auto given = m.operands(n);
    if (op == "Identity" || op == "Cast" || op == "Not" || op == "Squeeze" || op == "Unsqueeze" || op == "Reshape" ||
        op == "And" || op == "Or") {
      todo.insert(todo.end(), given.begin(), given.end());
    } else if ((op == "Equal" || op.starts_with("Less") || op.starts_with("Greater")) && given.size() == 2) {
      const Dim a = numberIn(m, given[0]), b = numberIn(m, given[1]);
      if (a.known() && b.known())
        differences.push_back(m.dims.sub(a, b));
    }
  }
}

/// Where \p difference is 0 for the symbol \p name, when the others are as \p others says; nothing where it is no
/// straight line.
std::optional<std::int64_t> zeroOf(const DimTable &dims, Dim difference, const std::string &name,
                                   const Assignment &others) {
  const auto at = [&](std::int64_t value) {
    Assignment all = others;
    all.emplace_back(name, value);
    return dims.evaluate(difference, all);
  };
  const auto first = at(1), second = at(2);
  if (!first || !second || *first == *second)
    return std::nullopt;
  const std::int64_t slope = *second - *first;
  if (*first % slope != 0)
    return std::nullopt;
  const std::int64_t zero = 1 - *first / slope;
  return at(zero) == std::int64_t{0} ? std::optional(zero) : std::nullopt;
}

} // namespace

/// The sizes of the model's inputs that are not fixed.
static std::vector<Symbol> sizesOfInputs(const Model &m) {
  std::vector<Symbol> sizes;
  const Range inputs = m[m.main()].parameters;
  for (std::uint32_t i = 0; i < inputs.count; ++i) {
    const Type &t = m.type(ValueId(inputs.first + i));
    for (const Dim d : t.hasRank ? t.dims : std::span<const Dim>())
      if (const auto symbol = d.known() ? m.dims.asSymbol(d) : std::nullopt;
          symbol && std::ranges::find(sizes, symbol->name, &Symbol::name) == sizes.end())
        sizes.push_back(*symbol);
  }
  return sizes;
}

std::vector<Assignment> askedSizes(Model &m, std::span<const Conditional> conditionals) {
  std::vector<Assignment> asked;
  const auto ask = [&](Assignment a) {
    if (asked.size() < mostAsked && std::ranges::find(asked, a) == asked.end())
      asked.push_back(std::move(a));
  };
  bool isOpen = false; ///< of some predicate nothing was understood
  for (const Conditional &c : conditionals) {
    std::vector<Dim> differences;
    if (c.predicateKind == PredicateKind::Value)
      collectDifferences(m, c.predicate, differences);
    isOpen = isOpen || (differences.empty() && c.predicateKind == PredicateKind::Value && c.predicate &&
                        m[c.predicate].origin == ValueOrigin::Result && !m[c.predicate].content);
    for (const Dim d : differences) {
      const std::vector<Symbol> symbols = m.dims.symbolsOf(d);
      for (const Symbol &s : symbols) {
        Assignment others;
        for (const Symbol &other : symbols)
          if (other.name != s.name)
            others.emplace_back(other.name, otherSize);
        const auto zero = zeroOf(m.dims, d, s.name, others);
        constexpr std::int64_t largest = 4096; // sizes of tensors that are made
        if (!zero || *zero < -1 || *zero > largest)
          continue;
        for (const std::int64_t value : {*zero, *zero + 1, *zero - 1})
          if (value >= std::max<std::int64_t>(s.bounds.min, 1) && value <= s.bounds.max) {
            Assignment a = others;
            a.emplace_back(s.name, value);
            ask(std::move(a));
          }
      }
    }
  }
  // What is computed asks most often whether a size is 1.
  constexpr std::size_t mostSizes = 4;
  if (isOpen && m.info.dialect == Dialect::Onnx && m.main())
    for (std::size_t i = 0; const Symbol &s : sizesOfInputs(m))
      if (i++ < mostSizes && s.bounds.contains(1))
        ask({{s.name, 1}});
  return asked;
}

} // namespace condlint
