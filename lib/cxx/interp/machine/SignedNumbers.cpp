//===- SignedNumbers.cpp - Numbers from outside below zero ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SignedNumbers.h"
#include "graph/SymbolName.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>

namespace condlint::cxx {

/// While it lives, the symbols of some expressions have the bounds of numbers.
class SignedNumbers::Widened {
public:
  Widened(const SignedNumbers &numbers, DimTable &table, std::initializer_list<Dim> of) : dims(table) {
    for (const Dim d : of)
      if (d.known() && !numbers.ranges.empty())
        for (condlint::Symbol &s : dims.symbolsOf(d))
          if (const auto known = numbers.ranges.find(s.name); known != numbers.ranges.end()) {
            const Interval &all = known->second.all, &given = known->second.given;
            // What a loop does to a number says more of it.
            const Interval wide{s.bounds.min == given.min ? all.min : s.bounds.min,
                                s.bounds.max == given.max ? all.max : s.bounds.max};
            if (wide == s.bounds)
              continue;
            dims.setBounds(s.name, wide);
            narrow.push_back(std::move(s));
          }
  }
  Widened(const Widened &) = delete;
  Widened &operator=(const Widened &) = delete;
  ~Widened() {
    for (const condlint::Symbol &s : narrow)
      dims.setBounds(s.name, s.bounds);
  }

private:
  DimTable &dims;
  std::vector<condlint::Symbol> narrow;
};

Interval SignedNumbers::rangeOf(const clang::ASTContext &ast, clang::QualType type) {
  constexpr unsigned widest = 64;
  if (type.isNull() || !type->isIntegerType()) // a class of libtorch that is a number
    return {};
  if (type->isEnumeralType())
    return {0, Interval().max};
  const unsigned bits = ast.getIntWidth(type);
  if (bits >= widest)
    return {};
  const bool isUnsigned = type->isUnsignedIntegerType();
  const std::int64_t above = std::int64_t{1} << (isUnsigned ? bits : bits - 1);
  return {isUnsigned ? 0 : -above, above - 1};
}

Dim SignedNumbers::newSymbol(DimTable &dims, std::string_view hint, Interval all, std::span<const Dim> of) {
  // Nobody declares a symbol of that name, so that it stays the same.
  const Dim d = dims.fresh(std::string(hint) + hiddenNamePart, SymbolOrigin::Anonymous);
  const auto symbol = dims.asSymbol(d);
  if (!symbol)
    return d;
  Interval given = symbol->bounds;
  if (!of.empty() && all.max >= 0) {
    given = {std::max<std::int64_t>(all.min, 0), all.max};
    dims.setBounds(symbol->name, given);
  }
  ranges.emplace(symbol->name, Range{all, given, d, {of.begin(), of.end()}, {}});
  return d;
}

Dim SignedNumbers::fresh(DimTable &dims, std::string_view hint, Interval all) { return newSymbol(dims, hint, all, {}); }

Dim SignedNumbers::made(DimTable &dims, std::string_view how, std::span<const Dim> of, Interval all, Making making) {
  if (!std::ranges::all_of(of, &Dim::known))
    return {};
  const auto [entry, isNew] = results.try_emplace({std::string(how), {of.begin(), of.end()}});
  if (isNew) {
    std::string name(how);
    constexpr std::size_t longest = 96; // what is made of what is made in turn goes by numbers
    for (const Dim d : of) {
      const std::string part = dims.str(d);
      name += (d == of.front() ? " of " : ", ") + (part.size() > longest ? "#" + std::to_string(d.index) : part);
    }
    entry->second = newSymbol(dims, name, all, of);
    if (const auto symbol = dims.asSymbol(entry->second))
      ranges.find(symbol->name)->second.making = std::move(making);
  }
  return entry->second;
}

std::span<const Dim> SignedNumbers::partsOf(const condlint::Symbol &symbol) const {
  const auto known = ranges.find(symbol.name);
  return known == ranges.end() ? std::span<const Dim>() : known->second.of;
}

std::optional<std::int64_t> SignedNumbers::valueAt(const DimTable &dims, Dim d, const Lookup &known,
                                                   unsigned depth) const {
  Assignment values;
  for (const condlint::Symbol &s : dims.symbolsOf(d))
    if (const auto value = valueOf(dims, s, known, depth))
      values.emplace_back(s.name, *value);
    else
      return std::nullopt;
  return dims.evaluate(d, values);
}

std::optional<std::int64_t> SignedNumbers::valueOf(const DimTable &dims, const condlint::Symbol &symbol,
                                                   const Lookup &known, unsigned depth) const {
  constexpr unsigned deepest = 16;
  if (const auto value = known(symbol))
    return value;
  const auto range = ranges.find(symbol.name);
  if (depth == deepest || range == ranges.end() || range->second.of.empty() || !range->second.making)
    return std::nullopt;
  std::vector<std::int64_t> parts;
  for (const Dim part : range->second.of)
    if (const auto value = valueAt(dims, part, known, depth + 1))
      parts.push_back(*value);
    else
      return std::nullopt;
  const auto value = range->second.making(parts);
  const Interval &all = range->second.all;
  return value && all.min <= *value && *value <= all.max ? value : std::nullopt;
}

void SignedNumbers::leaveOpen(const DimTable &dims, Dim d) {
  if (const auto symbol = dims.asSymbol(d))
    open.insert(symbol->name);
}

bool SignedNumbers::hangsOnOpen(const DimTable &dims, Dim d, unsigned depth) const {
  constexpr unsigned deepest = 64; // beyond it may
  return depth > deepest || (!open.empty() && std::ranges::any_of(dims.symbolsOf(d), [&](const condlint::Symbol &s) {
           return open.contains(s.name) ||
                  std::ranges::any_of(partsOf(s), [&](Dim part) { return hangsOnOpen(dims, part, depth + 1); });
         }));
}

Interval SignedNumbers::rangeOf(const condlint::Symbol &symbol) const {
  const auto known = ranges.find(symbol.name);
  return known == ranges.end() ? symbol.bounds : known->second.all;
}

Dim SignedNumbers::symbolIn(const DimTable &dims, Dim d) const {
  const auto all = dims.symbolsOf(d);
  const auto known = all.size() == 1 ? ranges.find(all.front().name) : ranges.end();
  return known == ranges.end() ? Dim() : known->second.symbol;
}

bool SignedNumbers::areSizes(const DimTable &dims, Dim d) const {
  return std::ranges::none_of(dims.symbolsOf(d), [&](const condlint::Symbol &s) { return isOfHost(s); });
}

Interval SignedNumbers::boundsOf(DimTable &dims, Dim d) const {
  const Widened all(*this, dims, {d});
  return dims.boundsOf(d);
}

DimComparison SignedNumbers::compare(DimTable &dims, Dim a, Dim b) const {
  const Widened all(*this, dims, {a, b});
  return dims.compare(a, b);
}

Dim SignedNumbers::extremum(DimTable &dims, Dim a, Dim b, bool isGreatest) const {
  const Widened all(*this, dims, {a, b});
  return isGreatest ? dims.max(a, b) : dims.min(a, b);
}

} // namespace condlint::cxx
