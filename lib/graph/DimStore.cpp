//===- DimStore.cpp - Interning and sums of products ----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DimStore.h"
#include <algorithm>
#include <array>
#include <xxhash.h>

namespace condlint::detail {
namespace {

constexpr std::int64_t smallFirst = -16;
constexpr std::size_t smallCount = 1024 + 16;

std::uint64_t hashBytes(const void *data, std::size_t size, std::uint64_t seed) {
  return XXH3_64bits_withSeed(data, size, seed);
}

std::uint64_t hashTerms(std::int64_t constant, std::span<const Term> terms) {
  std::uint64_t h = static_cast<std::uint64_t>(constant) * 0x9E3779B97F4A7C15ull;
  h ^= h >> 29;
  for (const Term &t : terms) {
    const std::array<std::uint64_t, 2> words{static_cast<std::uint64_t>(t.coefficient), t.monomial};
    h = hashBytes(words.data(), sizeof words, h);
  }
  return h * 0xBF58476D1CE4E5B9ull;
}

/// Bounds that contradict each other admit nothing, from which anything would
/// follow: they count as none.
Interval sound(Interval b) { return b.min <= b.max ? b : Interval{lowest, highest}; }

} // namespace

void HashSlots::insert(std::uint64_t hash, std::uint32_t entry) {
  if ((used + 1) * 4 > slots.size() * 3) {
    std::vector<Slot> old = std::move(slots);
    slots.assign(std::max<std::size_t>(16, old.size() * 2), Slot());
    for (const Slot &s : old)
      if (s.entry != none)
        place(s);
  }
  place({static_cast<std::uint32_t>(hash), static_cast<std::uint32_t>(hash >> 32), entry});
  ++used;
}

void HashSlots::place(const Slot &s) {
  const std::size_t mask = slots.size() - 1;
  std::size_t i = s.low & mask;
  while (slots[i].entry != none)
    i = (i + 1) & mask;
  slots[i] = s;
}

DimStore::DimStore() {
  exprs.emplace_back();     // unknown
  monomials.emplace_back(); // the empty product, never in a term
}

ExprId DimStore::constant(std::int64_t value) {
  const bool small = value >= smallFirst && value < smallFirst + static_cast<std::int64_t>(smallCount);
  const auto slot = small ? static_cast<std::size_t>(value - smallFirst) : 0;
  if (small) {
    if (smallConstants.empty())
      smallConstants.assign(smallCount, 0);
    if (smallConstants[slot] != 0)
      return smallConstants[slot];
  }
  std::vector<Term> none;
  const ExprId made = polynomial(value, none);
  if (small)
    smallConstants[slot] = made;
  return made;
}

ExprId DimStore::polynomial(std::int64_t constant, std::vector<Term> &terms) {
  if (terms.size() > 1) {
    std::sort(terms.begin(), terms.end(), [](const Term &a, const Term &b) { return a.monomial < b.monomial; });
    std::size_t kept = 0;
    for (std::size_t i = 1; i < terms.size(); ++i) {
      if (terms[i].monomial != terms[kept].monomial) {
        terms[++kept] = terms[i];
        continue;
      }
      const auto sum = checkedAdd(terms[kept].coefficient, terms[i].coefficient);
      if (!sum)
        return 0;
      terms[kept].coefficient = *sum;
    }
    terms.resize(kept + 1);
  }
  std::erase_if(terms, [](const Term &t) { return t.coefficient == 0; });
  if (terms.size() > maxTerms)
    return 0;
  const std::uint64_t hash = hashTerms(constant, terms);
  const std::uint32_t found = exprSlots.find(hash, [&](std::uint32_t e) {
    return exprs[e].constant == constant && exprs[e].count == terms.size() &&
           std::equal(terms.begin(), terms.end(), termPool.begin() + exprs[e].first);
  });
  if (found != HashSlots::none)
    return found;
  Expr e;
  e.constant = constant;
  e.first = static_cast<std::uint32_t>(termPool.size());
  e.count = static_cast<std::uint32_t>(terms.size());
  for (const Term &t : terms)
    e.summary.include(monomials[t.monomial].summary);
  if (e.summary.weight > maxWeight)
    return 0;
  termPool.insert(termPool.end(), terms.begin(), terms.end());
  const auto id = static_cast<ExprId>(exprs.size());
  exprs.push_back(e);
  exprSlots.insert(hash, id);
  return id;
}

ExprId DimStore::combine(ExprId a, std::int64_t fa, ExprId b, std::int64_t fb) {
  if (a == 0 || b == 0)
    return 0;
  const auto ca = checkedMul(exprs[a].constant, fa), cb = checkedMul(exprs[b].constant, fb);
  const auto sum = ca && cb ? checkedAdd(*ca, *cb) : std::nullopt;
  if (!sum)
    return 0;
  if (exprs[a].count == 0 && exprs[b].count == 0)
    return constant(*sum);
  std::vector<Term> out;
  out.reserve(exprs[a].count + exprs[b].count);
  for (const auto &[e, f] : {std::pair(a, fa), std::pair(b, fb)})
    for (const Term &t : terms(e)) {
      const auto c = checkedMul(t.coefficient, f);
      if (!c)
        return 0;
      out.push_back({*c, t.monomial});
    }
  return polynomial(*sum, out);
}

ExprId DimStore::add(ExprId a, ExprId b) { return combine(a, 1, b, 1); }

ExprId DimStore::sub(ExprId a, ExprId b) { return combine(a, 1, b, -1); }

ExprId DimStore::scale(ExprId a, std::int64_t factor) {
  if (a == 0)
    return 0;
  return factor == 1 ? a : combine(a, factor, constant(0), 0);
}

ExprId DimStore::mul(ExprId a, ExprId b) {
  if (a == 0 || b == 0)
    return 0;
  if (isConstant(a))
    std::swap(a, b);
  if (isConstant(b)) {
    if (!isConstant(a))
      return scale(a, exprs[b].constant);
    const auto p = checkedMul(exprs[a].constant, exprs[b].constant);
    return p ? constant(*p) : 0;
  }
  const std::vector<Term> left(terms(a).begin(), terms(a).end()), right(terms(b).begin(), terms(b).end());
  const std::int64_t ca = exprs[a].constant, cb = exprs[b].constant;
  if (left.size() * right.size() > maxProducts)
    return 0;
  const auto c = checkedMul(ca, cb);
  if (!c)
    return 0;
  std::vector<Term> out;
  auto push = [&](std::int64_t x, std::int64_t y, MonomialId m) {
    const auto p = checkedMul(x, y);
    if (p && *p != 0)
      out.push_back({*p, m});
    return p.has_value();
  };
  for (const Term &x : left) {
    if (!push(x.coefficient, cb, x.monomial))
      return 0;
    for (const Term &y : right) {
      const auto m = product(x.monomial, y.monomial);
      if (!m || !push(x.coefficient, y.coefficient, *m))
        return 0;
    }
  }
  for (const Term &y : right)
    if (!push(y.coefficient, ca, y.monomial))
      return 0;
  return polynomial(*c, out);
}

std::optional<MonomialId> DimStore::monomial(std::vector<AtomId> &f) {
  if (f.size() > maxDegree)
    return std::nullopt;
  std::sort(f.begin(), f.end());
  const std::uint64_t hash = hashBytes(f.data(), f.size() * sizeof(AtomId), 1);
  const std::uint32_t found = monomialSlots.find(hash, [&](std::uint32_t m) {
    return monomials[m].count == f.size() && std::equal(f.begin(), f.end(), factorPool.begin() + monomials[m].first);
  });
  if (found != HashSlots::none)
    return found;
  Monomial m;
  m.first = static_cast<std::uint32_t>(factorPool.size());
  m.count = static_cast<std::uint32_t>(f.size());
  for (const AtomId a : f)
    m.summary.include(atoms[a].summary);
  factorPool.insert(factorPool.end(), f.begin(), f.end());
  const auto id = static_cast<MonomialId>(monomials.size());
  monomials.push_back(m);
  monomialSlots.insert(hash, id);
  return id;
}

std::optional<MonomialId> DimStore::product(MonomialId a, MonomialId b) {
  std::vector<AtomId> f(factors(a).begin(), factors(a).end());
  f.insert(f.end(), factors(b).begin(), factors(b).end());
  return monomial(f);
}

bool DimStore::divides(MonomialId divisor, MonomialId m) const {
  const auto d = factors(divisor), f = factors(m);
  return std::includes(f.begin(), f.end(), d.begin(), d.end());
}

std::optional<MonomialId> DimStore::quotient(MonomialId a, MonomialId b) {
  if (!divides(b, a))
    return std::nullopt;
  if (a == b)
    return 0;
  std::vector<AtomId> f;
  const auto x = factors(a), y = factors(b);
  std::set_difference(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(f));
  return monomial(f);
}

bool DimStore::leads(MonomialId a, MonomialId b) const {
  const auto x = factors(a), y = factors(b);
  for (std::size_t i = 0; i < x.size() && i < y.size(); ++i)
    if (x[i] != y[i])
      return x[i] < y[i];
  return x.size() > y.size();
}

ExprId DimStore::atomExpr(AtomKind kind, std::uint32_t name, std::span<const ExprId> args) {
  std::uint64_t hash = hashBytes(args.data(), args.size_bytes(), static_cast<std::uint64_t>(kind) + 2);
  hash ^= (name + 1) * 0x9E3779B97F4A7C15ull;
  const bool isSymbol = kind == AtomKind::Symbol;
  std::uint32_t id = atomSlots.find(hash, [&](std::uint32_t a) {
    return atoms[a].kind == kind && atoms[a].name == name && atoms[a].count == args.size() &&
           std::equal(args.begin(), args.end(), argumentPool.begin() + atoms[a].first);
  });
  if (id == HashSlots::none) {
    Atom a;
    a.kind = kind;
    a.name = name;
    a.first = static_cast<std::uint32_t>(argumentPool.size());
    a.count = static_cast<std::uint32_t>(args.size());
    a.summary.opaque = kind == AtomKind::Opaque;
    a.summary.extrema = kind == AtomKind::Min || kind == AtomKind::Max;
    for (const ExprId e : args)
      a.summary.include(exprs[e].summary);
    a.summary.depth = static_cast<std::uint16_t>(a.summary.depth + (isSymbol ? 0 : 1));
    if (a.summary.depth > maxDepth || a.summary.weight > maxWeight)
      return 0;
    argumentPool.insert(argumentPool.end(), args.begin(), args.end());
    id = static_cast<AtomId>(atoms.size());
    atoms.push_back(a);
    atomSlots.insert(hash, id);
  }
  std::vector<AtomId> f{id};
  std::vector<Term> t{{1, *monomial(f)}};
  return polynomial(0, t);
}

ExprId DimStore::opaque(std::string_view function, std::span<const ExprId> args) {
  if (args.size() > maxArguments || std::find(args.begin(), args.end(), 0u) != args.end())
    return 0;
  const auto [it, isNew] = functionByName.try_emplace(std::string(function), 0);
  if (isNew) {
    it->second = static_cast<std::uint32_t>(functions.size());
    functions.emplace_back(function);
  }
  return atomExpr(AtomKind::Opaque, it->second, args);
}

std::string DimStore::unusedName(std::string_view hint) const {
  std::string name(hint);
  for (std::size_t i = 1; symbolByName.contains(name); ++i)
    name = std::string(hint) + "_" + std::to_string(symbols.size() + i);
  return name;
}

AtomId DimStore::newSymbol(std::string_view name, SymbolOrigin origin, Interval bounds, bool isFresh) {
  const auto index = static_cast<std::uint32_t>(symbols.size());
  symbols.push_back({{std::string(name), origin, sound(bounds)}, 0, isFresh});
  symbolByName[std::string(name)] = index;
  return index;
}

ExprId DimStore::symbol(std::string_view name, SymbolOrigin origin, Interval bounds) {
  std::uint32_t index = 0;
  if (const auto it = symbolByName.find(std::string(name)); it == symbolByName.end()) {
    index = newSymbol(name, origin, bounds, false);
  } else if (symbols[it->second].fresh) {
    const std::uint32_t old = it->second;
    symbols[old].symbol.name = unusedName(name);
    symbolByName[symbols[old].symbol.name] = old;
    index = newSymbol(name, origin, bounds, false);
  } else {
    index = it->second;
  }
  return atomExpr(AtomKind::Symbol, index, {});
}

ExprId DimStore::fresh(std::string_view hint, SymbolOrigin origin) {
  return atomExpr(AtomKind::Symbol, newSymbol(unusedName(hint), origin, {0, highest}, true), {});
}

void DimStore::setBounds(std::string_view name, Interval b) {
  if (const auto it = symbolByName.find(std::string(name)); it != symbolByName.end())
    symbols[it->second].symbol.bounds = sound(b);
}

std::optional<AtomId> DimStore::soleAtom(ExprId e) const {
  const auto t = terms(e);
  if (t.size() != 1 || t[0].coefficient != 1 || factors(t[0].monomial).size() != 1)
    return std::nullopt;
  return factors(t[0].monomial)[0];
}

void DimStore::atomsOf(ExprId e, std::vector<AtomId> &out) const {
  std::vector<ExprId> pending{e};
  std::vector<AtomId> seen;
  while (!pending.empty()) {
    const ExprId next = pending.back();
    pending.pop_back();
    for (const Term &t : terms(next))
      for (const AtomId a : factors(t.monomial)) {
        const auto at = std::lower_bound(seen.begin(), seen.end(), a);
        if (at != seen.end() && *at == a)
          continue;
        seen.insert(at, a);
        pending.insert(pending.end(), arguments(a).begin(), arguments(a).end());
      }
  }
  for (const AtomId a : seen)
    if (std::find(out.begin(), out.end(), a) == out.end())
      out.push_back(a);
}

std::vector<std::uint32_t> DimStore::symbolsOf(ExprId e) const {
  std::vector<std::uint32_t> found;
  if (e == 0 || isConstant(e))
    return found;
  std::vector<AtomId> all;
  atomsOf(e, all);
  for (const AtomId a : all)
    if (atoms[a].kind == AtomKind::Symbol)
      found.push_back(atoms[a].name);
  std::sort(found.begin(), found.end());
  return found;
}

void DimStore::addSymbolsOf(ExprId e, std::vector<std::uint32_t> &out) const {
  for (const std::uint32_t s : symbolsOf(e))
    if (std::find(out.begin(), out.end(), s) == out.end())
      out.push_back(s);
}

} // namespace condlint::detail
