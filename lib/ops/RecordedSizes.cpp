//===- RecordedSizes.cpp - Sizes that a .pt2 records of results -----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// torch.export writes a size as an expression over the symbols of the inputs. While it traces, it asks for comparisons
// ("is s0 at most s1?", "is s0 even?", "is s0//2 five?"), takes what its example answers and simplifies by that. What
// can be solved for a symbol it solves, and the symbol is gone from the file. Other guards narrow no range there that
// speaks of more than one bound of one symbol: s0//2 may be written as 5, and s0*s1 as a size that it was compared
// with. So a record that is not what the operator computes for all of the declared ranges may still be sound.
//
//===----------------------------------------------------------------------===//
#include "RecordedSizes.h"
#include "DoubtfulSize.h"
#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <optional>

namespace condlint {

namespace {

constexpr std::int64_t mostTried = 256;
constexpr std::int64_t unbounded = std::int64_t{1} << 40;

bool isDeclaredSymbol(const Symbol &s) { return s.origin == SymbolOrigin::Declared; }

/// The symbols of both, each once.
std::vector<Symbol> symbolsOf(const Model &m, Dim a, Dim b) {
  std::vector<Symbol> symbols = m.dims.symbolsOf(a);
  for (const Symbol &s : m.dims.symbolsOf(b))
    if (std::ranges::find(symbols, s.name, &Symbol::name) == symbols.end())
      symbols.push_back(s);
  return symbols;
}

/// Whether \p a and \p b are one, for the first numbers in the range of \p symbol and a large one, with \p others for
/// the other symbols; nothing where that cannot be computed.
std::optional<std::vector<bool>> agreements(const Model &m, Dim a, Dim b, const Symbol &symbol,
                                            const Assignment &others) {
  const std::int64_t first = std::max<std::int64_t>(symbol.bounds.min, 0);
  const std::int64_t last = symbol.bounds.max - first > mostTried ? first + mostTried : symbol.bounds.max;
  std::vector<bool> agrees;
  const auto tryValue = [&](std::int64_t n) {
    Assignment values = others;
    values.emplace_back(symbol.name, n);
    const auto x = m.dims.evaluate(a, values), y = m.dims.evaluate(b, values);
    if (x && y)
      agrees.push_back(*x == *y);
    return x && y;
  };
  for (std::int64_t n = first; n <= last; ++n)
    if (!tryValue(n))
      return std::nullopt;
  if (last < symbol.bounds.max && !tryValue(std::min(symbol.bounds.max, unbounded)))
    return std::nullopt;
  return agrees;
}

/// \p was is recorded for a size that \p is computed as, of one symbol whose range admits more: from some number on, or
/// up to one, the two agree, and beyond it they do not. The record is of a narrower range than the model declares:
/// `x[:, :5]` has 5 columns where x has as many.
bool holdsForNarrowerRange(const Model &m, Dim was, Dim is) {
  const std::vector<Symbol> symbols = symbolsOf(m, was, is);
  if (symbols.size() != 1 || (!isDeclaredSymbol(symbols[0]) && symbols[0].origin != SymbolOrigin::Named) ||
      m.dims.compare(was, is).result != DimComparison::Verdict::Refuted)
    return false;
  const auto agrees = agreements(m, was, is, symbols[0], {});
  if (!agrees)
    return false;
  // Where they agree for one number alone, the record is of that number.
  const auto change = std::ranges::adjacent_find(*agrees, std::ranges::not_equal_to());
  return change != agrees->end() && std::ranges::count(*agrees, true) > 1 &&
         std::adjacent_find(change + 1, agrees->end(), std::not_equal_to()) == agrees->end();
}

/// The numbers that \p agrees is true of are a run at either end, or lie at equal distances up to there.
bool isWide(const std::vector<bool> &agrees) {
  std::vector<std::size_t> at;
  for (std::size_t i = 0; i < agrees.size(); ++i)
    if (agrees[i])
      at.push_back(i);
  if (at.size() == agrees.size())
    return true;
  const auto reaches = [&](std::size_t a, std::size_t b, std::size_t c, bool isEnd) {
    const std::size_t gap = b - a;
    return c - b == gap && (isEnd ? c + gap >= agrees.size() : a < gap);
  };
  const std::size_t n = at.size();
  return (n == 2 && at[1] - at[0] == 1 && (at[0] == 0 || at[1] + 1 == agrees.size())) ||
         (n > 2 && (reaches(at[0], at[1], at[2], false) || reaches(at[n - 3], at[n - 2], at[n - 1], true)));
}

/// \p was and \p is agree where an inequality holds, or for every multiple of a number: what a guard leaves.
bool agreeWidely(const Model &m, Dim was, Dim is, const std::vector<Symbol> &symbols) {
  constexpr std::array<std::int64_t, 4> offsets{1, 5, 17, 50};
  return std::ranges::any_of(symbols, [&](const Symbol &moving) {
    std::size_t wide = 0;
    for (const std::int64_t offset : offsets) {
      Assignment others;
      for (const Symbol &s : symbols) {
        const std::int64_t first = std::max<std::int64_t>(s.bounds.min, 0);
        const auto spread = offset + 3 * static_cast<std::int64_t>(others.size());
        if (s.name != moving.name)
          others.emplace_back(s.name, s.bounds.max - first < spread ? s.bounds.max : first + spread);
      }
      const auto agrees = agreements(m, was, is, moving, others);
      if (!agrees || isWide(*agrees))
        ++wide;
    }
    return wide > 1;
  });
}

/// What makes \p v takes no sizes but those at which \p was is the one that it computes: it holds the operands' sizes
/// against each other, or their products against sizes that it is given. Torch writes either.
bool demandsSize(Model &m, ValueId v, Dim was) {
  const NodeId n = m[v].def;
  std::vector<std::vector<Dim>> tensors;
  for (const ValueId o : m.operands(n))
    if (o && m.type(o).isTensor() && m.type(o).hasRank)
      tensors.emplace_back(m.type(o).dims.begin(), m.type(o).dims.end());
  const bool isGivenSizes = m.attribute(n, "size") || m.attribute(n, "shape");
  if (tensors.size() < 2 && !isGivenSizes)
    return false;
  for (const std::vector<Dim> &dims : tensors)
    for (std::size_t i = 0; i < dims.size(); ++i) {
      Dim product = dims[i];
      for (std::size_t j = i + 1; isGivenSizes && product != was && j < dims.size() && product.known(); ++j)
        product = m.dims.mul(product, dims[j]);
      if (product == was)
        return true;
    }
  return false;
}

/// The difference of \p was and \p is grows or shrinks steadily with the one symbol that both speak of: they are one
/// for one number at most, and where that is asked for, the exporter writes the number for the symbol.
bool divergeSteadily(const Model &m, Dim was, Dim is, const std::vector<Symbol> &symbols) {
  if (symbols.size() != 1)
    return false;
  const auto &[name, origin, bounds] = symbols[0];
  const std::int64_t first = std::max<std::int64_t>(bounds.min, 0);
  const std::int64_t last = bounds.max - first > mostTried ? first + mostTried : bounds.max;
  const auto difference = [&](std::int64_t n) -> std::optional<std::int64_t> {
    const auto a = m.dims.evaluate(was, {{name, n}}), b = m.dims.evaluate(is, {{name, n}});
    std::int64_t d = 0;
    return a && b && !__builtin_sub_overflow(*a, *b, &d) ? std::optional(d) : std::nullopt;
  };
  const auto atFirst = difference(first), atSecond = difference(first + 1);
  if (!atFirst || !atSecond || *atFirst == *atSecond)
    return false;
  const auto isOnLine = [&](std::int64_t n) {
    std::int64_t rise = 0, expected = 0;
    return !__builtin_mul_overflow(*atSecond - *atFirst, n - first, &rise) &&
           !__builtin_add_overflow(*atFirst, rise, &expected) && difference(n) == expected;
  };
  for (std::int64_t n = first; n <= last; ++n)
    if (!isOnLine(n))
      return false;
  constexpr std::int64_t far = std::int64_t{1} << 20;
  return isOnLine(std::min(bounds.max, far));
}

/// A .pt2 calls a size by its symbol wherever it is met: what was found to be equal when the model was
/// exported has one name, or is a number. Then one that is called by another name is another size.
bool isOtherName(const Model &m, Dim was, Dim is) {
  const auto declared = [&](Dim d) {
    const auto symbol = m.dims.asSymbol(d);
    return symbol && isDeclaredSymbol(*symbol) && symbol->bounds.min < symbol->bounds.max;
  };
  const auto named = [&](Dim d) { return declared(d) || m.dims.asConstant(d); };
  return (declared(was) || declared(is)) && named(was) && named(is);
}

/// The exporter chose each symbol of both, and so how it writes what they make.
bool speakOfDeclared(const Model &m, Dim was, Dim is) {
  const std::vector<Symbol> symbols = symbolsOf(m, was, is);
  return !symbols.empty() && std::ranges::all_of(symbols, isDeclaredSymbol);
}

} // namespace

SizeRecord judgeRecordedSize(Model &m, ValueId v, Dim was, Dim is) {
  if (!was.known() || !is.known() || was == is || m.info.format == Format::Cxx)
    return SizeRecord::Fits;
  if (m.info.format == Format::Pt2 && isOtherName(m, was, is))
    return SizeRecord::Differs;
  // What is yielded by graphs inside, those have made.
  if (!m[v].def || !m.regions(m[v].def).empty())
    return SizeRecord::Fits;
  if (holdsForNarrowerRange(m, was, is))
    return SizeRecord::Narrower;
  if (m.info.format != Format::Pt2 || !speakOfDeclared(m, was, is))
    return SizeRecord::Fits;
  const DimComparison compared = m.dims.compare(was, is);
  const std::vector<Symbol> symbols = symbolsOf(m, was, is);
  if (compared.result == DimComparison::Verdict::Proved ||
      (compared.result == DimComparison::Verdict::Refuted && agreeWidely(m, was, is, symbols)))
    return SizeRecord::Fits;
  if (compared.result == DimComparison::Verdict::Refuted && divergeSteadily(m, was, is, symbols))
    return SizeRecord::Differs;
  return demandsSize(m, v, was) ? SizeRecord::Fits : SizeRecord::May;
}

bool hasDoubtfulSize(const Model &m, ValueId v) {
  if (!m[v].recorded || !m[v].type || m[v].type == m[v].recorded || m[v].contradicted)
    return false;
  const Type &recorded = m.types[m[v].recorded], &effective = m.types[m[v].type];
  if (!recorded.hasRank || !effective.hasRank || recorded.dims.size() != effective.dims.size())
    return false;
  for (std::size_t i = 0; i < recorded.dims.size(); ++i)
    if (recorded.dims[i].known() && !effective.dims[i].known())
      return true;
  return false;
}

} // namespace condlint
