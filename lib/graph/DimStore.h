//===- DimStore.h - Canonical integer expressions ---------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What stands behind a DimTable. An expression is a polynomial
//   constant + sum of coefficient * monomial
// whose monomials are products of atoms, and whose atoms are symbols or
// functions of expressions. Each form exists once, so that equality is an
// index. Sizes are bounded (see the limits below): what would grow beyond them
// is unknown, and every walk over an expression is short.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_GRAPH_DIMSTORE_H
#define CONDLINT_LIB_GRAPH_DIMSTORE_H

#include "condlint/Dim.h"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace condlint::detail {

using ExprId = std::uint32_t;     ///< 0: unknown
using AtomId = std::uint32_t;     ///< an index
using MonomialId = std::uint32_t; ///< an index

constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();

/// Beyond these an expression is unknown.
constexpr std::size_t maxTerms = 256;
constexpr std::size_t maxDegree = 32;
constexpr std::size_t maxArguments = 16;
constexpr unsigned maxDepth = 32;         ///< atoms inside atoms
constexpr unsigned maxWeight = 1024;      ///< symbols and numbers in the written form, about
constexpr std::size_t maxProducts = 1024; ///< term products of one multiplication

enum class AtomKind : std::uint8_t { Symbol, FloorDiv, Mod, Min, Max, Opaque };

struct Term {
  std::int64_t coefficient = 0;
  MonomialId monomial = 0;
  friend bool operator==(const Term &, const Term &) = default;
};

/// What is summed up over a form: how large it is and what occurs in it.
struct Summary {
  std::uint32_t weight = 1;
  std::uint16_t depth = 0;
  bool opaque = false;  ///< an opaque function occurs
  bool extrema = false; ///< a minimum or maximum occurs
  void include(const Summary &other) {
    weight = std::min(weight + other.weight, maxWeight + 1);
    depth = std::max(depth, other.depth);
    opaque |= other.opaque;
    extrema |= other.extrema;
  }
};

struct Expr {
  std::int64_t constant = 0;
  std::uint32_t first = 0; ///< in the term pool, sorted by monomial
  std::uint32_t count = 0; ///< 0: a number
  Summary summary;
};

struct Monomial {
  std::uint32_t first = 0; ///< in the factor pool: atoms, sorted, with repetition
  std::uint32_t count = 0;
  Summary summary;
};

struct Atom {
  AtomKind kind = AtomKind::Symbol;
  std::uint32_t name = 0;  ///< Symbol: index of the symbol; Opaque: of the function's name
  std::uint32_t first = 0; ///< in the argument pool
  std::uint32_t count = 0;
  Summary summary;
};

struct SymbolEntry {
  Symbol symbol;
  AtomId atom = 0;
  bool fresh = false;
};

/// Finds entries of a table by hash: open addressing, the table holds the data.
class HashSlots {
public:
  static constexpr std::uint32_t none = 0xffffffffu;

  template <class Equal> std::uint32_t find(std::uint64_t hash, Equal equal) const {
    if (slots.empty())
      return none;
    const std::size_t mask = slots.size() - 1;
    const auto tag = static_cast<std::uint32_t>(hash >> 32);
    for (std::size_t i = static_cast<std::size_t>(hash) & mask;; i = (i + 1) & mask) {
      const Slot &s = slots[i];
      if (s.entry == none)
        return none;
      if (s.tag == tag && equal(s.entry))
        return s.entry;
    }
  }
  void insert(std::uint64_t hash, std::uint32_t entry);

private:
  struct Slot {
    std::uint32_t low = 0; ///< the hash's low half, to move it when the table grows
    std::uint32_t tag = 0;
    std::uint32_t entry = none;
  };
  void place(const Slot &s);
  std::vector<Slot> slots;
  std::size_t used = 0;
};

/// A value for each symbol, sorted by the symbol's index.
using SymbolValues = std::vector<std::pair<std::uint32_t, std::int64_t>>;

class DimStore {
public:
  DimStore();

  ExprId constant(std::int64_t value);
  /// The symbol \p name, made when new. A name that a fresh symbol happens to
  /// have is given up by it.
  ExprId symbol(std::string_view name, SymbolOrigin origin, Interval bounds);
  ExprId fresh(std::string_view hint, SymbolOrigin origin);
  void setBounds(std::string_view name, Interval bounds);
  void setSymbolBounds(std::uint32_t symbol, Interval bounds) { symbols[symbol].symbol.bounds = bounds; }

  ExprId add(ExprId a, ExprId b);
  ExprId sub(ExprId a, ExprId b);
  ExprId mul(ExprId a, ExprId b);
  ExprId negate(ExprId a) { return scale(a, -1); }
  ExprId scale(ExprId a, std::int64_t factor);
  ExprId floorDiv(ExprId a, ExprId b);
  ExprId ceilDiv(ExprId a, ExprId b);
  ExprId mod(ExprId a, ExprId b);
  /// The least (\p kind Min) or greatest (Max) of \p arguments.
  ExprId extremum(AtomKind kind, std::vector<ExprId> arguments);
  ExprId opaque(std::string_view function, std::span<const ExprId> arguments);

  bool isConstant(ExprId e) const { return e != 0 && exprs[e].count == 0; }
  const Expr &expr(ExprId e) const { return exprs[e]; }
  const Atom &atom(AtomId a) const { return atoms[a]; }
  const SymbolEntry &symbolEntry(std::uint32_t s) const { return symbols[s]; }
  std::string_view functionName(std::uint32_t f) const { return functions[f]; }
  std::span<const Term> terms(ExprId e) const { return {termPool.data() + exprs[e].first, exprs[e].count}; }
  std::span<const AtomId> factors(MonomialId m) const {
    return {factorPool.data() + monomials[m].first, monomials[m].count};
  }
  std::span<const ExprId> arguments(AtomId a) const { return {argumentPool.data() + atoms[a].first, atoms[a].count}; }
  /// The atom that \p e is, when it is one plus a number.
  std::optional<AtomId> soleAtom(ExprId e) const;
  /// The indices of the symbols in \p e, sorted.
  std::vector<std::uint32_t> symbolsOf(ExprId e) const;
  /// Appends those that \p out does not have.
  void addSymbolsOf(ExprId e, std::vector<std::uint32_t> &out) const;
  /// Appends the atoms in \p e at every depth, each once.
  void atomsOf(ExprId e, std::vector<AtomId> &out) const;

  /// Interval arithmetic over the symbols' bounds.
  Interval bounds(ExprId e) const;
  Interval termBounds(const Term &t) const;
  Interval atomBounds(AtomId a) const;
  /// The same with minima and maxima resolved case by case, for differences
  /// such as `s - min(s, 4)`.
  Interval tightBounds(ExprId e);
  std::optional<std::int64_t> evaluate(ExprId e, const SymbolValues &values) const;
  std::string str(ExprId e) const;

  /// \p constant plus \p terms in any order, with repetitions.
  ExprId polynomial(std::int64_t constant, std::vector<Term> &terms);

private:
  struct Quotient {
    ExprId quotient = 0;
    ExprId rest = 0;
  };
  ExprId combine(ExprId a, std::int64_t fa, ExprId b, std::int64_t fb);
  std::optional<std::vector<ExprId>> flatArguments(AtomKind kind, std::span<const ExprId> arguments);
  void dropBeaten(AtomKind kind, std::vector<ExprId> &flat);
  ExprId extremumInOneForm(AtomKind kind, std::vector<ExprId> flat);
  ExprId atomExpr(AtomKind kind, std::uint32_t name, std::span<const ExprId> arguments);
  AtomId newSymbol(std::string_view name, SymbolOrigin origin, Interval bounds, bool isFresh);
  std::string unusedName(std::string_view hint) const;
  std::optional<MonomialId> monomial(std::vector<AtomId> &factors);
  std::optional<MonomialId> product(MonomialId a, MonomialId b);
  /// a / b when b divides it.
  std::optional<MonomialId> quotient(MonomialId a, MonomialId b);
  bool divides(MonomialId divisor, MonomialId m) const;
  /// True when \p a stands before \p b in the lexicographic order of exponents.
  bool leads(MonomialId a, MonomialId b) const;

  ExprId floorDivConstant(ExprId a, std::int64_t k);
  ExprId modConstant(ExprId a, std::int64_t k);
  /// a / b when b divides it as a polynomial.
  std::optional<ExprId> divideExactly(ExprId a, ExprId b);
  /// What \p a and \p b have in common: a positive number times a monomial.
  Term commonFactor(ExprId a, ExprId b);
  ExprId divideByTerm(ExprId a, const Term &t);
  /// For a divisor of one term: a = quotient * b + rest with the multiples of b out of the rest.
  Quotient splitMultiples(ExprId a, ExprId b);
  bool isNegative(ExprId e) const;
  /// 0 <= a < b for all admitted values.
  bool within(ExprId a, ExprId b);
  std::int64_t lowerBound(ExprId e, int &budget);

  std::string atomText(AtomId a) const;
  std::string operandText(ExprId e) const;
  std::optional<std::int64_t> evaluateAtom(AtomId a, const SymbolValues &values) const;

  std::vector<Expr> exprs;
  std::vector<Monomial> monomials;
  std::vector<Atom> atoms;
  std::vector<SymbolEntry> symbols;
  std::vector<std::string> functions;
  std::vector<Term> termPool;
  std::vector<AtomId> factorPool;
  std::vector<ExprId> argumentPool;
  HashSlots exprSlots, monomialSlots, atomSlots;
  std::vector<ExprId> smallConstants;
  std::unordered_map<std::string, std::uint32_t> symbolByName;
  std::unordered_map<std::string, std::uint32_t> functionByName;
};

/// Decides `a == b` in \p store where no expression of \p notNegative is below zero; see DimTable::compare.
DimComparison compareDims(const DimStore &store, ExprId a, ExprId b, std::span<const ExprId> notNegative = {});

inline std::optional<std::int64_t> checkedAdd(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  return __builtin_add_overflow(a, b, &r) ? std::nullopt : std::optional(r);
}
inline std::optional<std::int64_t> checkedMul(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  return __builtin_mul_overflow(a, b, &r) ? std::nullopt : std::optional(r);
}
/// Rounds towards minus infinity. Neither b == 0 nor lowest / -1.
inline std::int64_t floorQuotient(std::int64_t a, std::int64_t b) {
  const std::int64_t q = a / b;
  return a % b != 0 && ((a < 0) != (b < 0)) ? q - 1 : q;
}

} // namespace condlint::detail

#endif // CONDLINT_LIB_GRAPH_DIMSTORE_H
