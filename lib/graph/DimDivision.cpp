//===- DimDivision.cpp - Floor division and remainder ---------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both are reduced so far that equal quotients usually have equal forms:
// multiples of the divisor are split off, common factors are cancelled, nested
// divisions by numbers are joined. A divisor that can be zero is taken to be
// another value: where it is zero, the model has no such size.
//
//===----------------------------------------------------------------------===//

#include "DimStore.h"
#include <algorithm>
#include <iterator>
#include <numeric>

namespace condlint::detail {
namespace {

struct Division {
  std::int64_t quotient = 0;
  std::int64_t rest = 0;
};

/// c = quotient * k + rest for k > 0, with a rest of at most k/2 in size; one
/// of exactly half keeps the sign of \p c.
Division nearest(std::int64_t c, std::int64_t k) {
  Division d{c / k, c % k};
  const std::int64_t size = d.rest < 0 ? -d.rest : d.rest;
  if (size > k - size) {
    d.quotient += d.rest < 0 ? -1 : 1;
    d.rest += d.rest < 0 ? k : -k;
  }
  return d;
}

/// A common divisor; `lowest`, which has no positive counterpart, counts as its half.
std::int64_t gcdOf(std::int64_t a, std::int64_t b) {
  return std::gcd(a == lowest ? lowest / 2 : a, b == lowest ? lowest / 2 : b);
}

} // namespace

ExprId DimStore::floorDiv(ExprId a, ExprId b) {
  if (a == 0 || b == 0)
    return 0;
  if (isConstant(b))
    return floorDivConstant(a, exprs[b].constant);
  if (const auto q = divideExactly(a, b))
    return *q;
  if (isNegative(b))
    return floorDiv(negate(a), negate(b));
  if (const Term common = commonFactor(a, b); common.coefficient != 1 || common.monomial != 0)
    return floorDiv(divideByTerm(a, common), divideByTerm(b, common));
  const Quotient split = splitMultiples(a, b);
  if (split.rest == 0)
    return 0;
  if (split.rest != a)
    return add(split.quotient, floorDiv(split.rest, b));
  if (within(a, b))
    return constant(0);
  const ExprId args[] = {a, b};
  return atomExpr(AtomKind::FloorDiv, 0, args);
}

ExprId DimStore::mod(ExprId a, ExprId b) {
  if (a == 0 || b == 0)
    return 0;
  if (isConstant(b))
    return modConstant(a, exprs[b].constant);
  if (divideExactly(a, b))
    return constant(0);
  if (isNegative(b)) // a mod -b is -(-a mod b)
    return negate(mod(negate(a), negate(b)));
  if (const Term common = commonFactor(a, b); common.coefficient != 1 || common.monomial != 0) {
    const ExprId inner = mod(divideByTerm(a, common), divideByTerm(b, common));
    if (common.monomial == 0)
      return scale(inner, common.coefficient);
    std::vector<Term> factor{common};
    return mul(inner, polynomial(0, factor));
  }
  const Quotient split = splitMultiples(a, b);
  if (split.rest == 0)
    return 0;
  if (split.rest != a)
    return mod(split.rest, b);
  if (within(a, b))
    return a;
  const ExprId args[] = {a, b};
  return atomExpr(AtomKind::Mod, 0, args);
}

ExprId DimStore::ceilDiv(ExprId a, ExprId b) {
  if (a == 0 || b == 0)
    return 0;
  if (isConstant(b) && exprs[b].constant > 0)
    return floorDiv(add(a, constant(exprs[b].constant - 1)), b);
  return negate(floorDiv(negate(a), b));
}

ExprId DimStore::floorDivConstant(ExprId a, std::int64_t k) {
  if (k == 0 || k == lowest)
    return 0;
  if (k == 1)
    return a;
  if (k < 0)
    return floorDivConstant(negate(a), -k);
  if (isConstant(a))
    return constant(floorQuotient(exprs[a].constant, k));

  // a = k * whole + rest
  std::vector<Term> whole, rest;
  std::size_t negative = 0;
  std::int64_t g = k;
  for (const Term &t : terms(a)) {
    const auto [q, r] = nearest(t.coefficient, k);
    if (q != 0)
      whole.push_back({q, t.monomial});
    if (r == 0)
      continue;
    rest.push_back({r, t.monomial});
    negative += r < 0 ? 1 : 0;
    g = gcdOf(g, r);
  }
  std::int64_t c = exprs[a].constant;
  const std::int64_t wholeConstant = floorQuotient(c, k);
  c %= k;
  c = c < 0 ? c + k : c;
  const ExprId quotient = polynomial(wholeConstant, whole);
  if (rest.empty())
    return quotient;
  // floor(-x / k) is -floor((x + k - 1) / k): keep the form with fewer minus signs.
  const bool flip = negative * 2 > rest.size();
  if (flip) {
    for (Term &t : rest)
      t.coefficient = -t.coefficient;
    c = k - 1 - c;
  }
  // floor((g*x + c) / (g*k)) is floor((x + floor(c/g)) / k)
  for (Term &t : rest)
    t.coefficient /= g;
  c /= g;
  k /= g;
  ExprId numerator = polynomial(c, rest);
  if (numerator == 0)
    return 0;
  ExprId result = 0;
  const auto inner = soleAtom(numerator);
  if (inner && atoms[*inner].kind == AtomKind::FloorDiv && isConstant(arguments(*inner)[1])) {
    // floor((floor(x/m) + c) / k) is floor((x + m*c) / (m*k))
    const ExprId x = arguments(*inner)[0];
    const std::int64_t m = exprs[arguments(*inner)[1]].constant;
    const auto mk = checkedMul(m, k), mc = checkedMul(m, c);
    if (mk && mc)
      result = floorDivConstant(add(x, constant(*mc)), *mk);
  }
  if (result == 0) {
    const Interval range = tightBounds(numerator);
    if (range.min != lowest && range.max != highest && floorQuotient(range.min, k) == floorQuotient(range.max, k)) {
      result = constant(floorQuotient(range.min, k));
    } else {
      const ExprId args[] = {numerator, constant(k)};
      result = atomExpr(AtomKind::FloorDiv, 0, args);
    }
  }
  return combine(quotient, 1, result, flip ? -1 : 1);
}

ExprId DimStore::modConstant(ExprId a, std::int64_t k) {
  if (k == 0 || k == lowest)
    return 0;
  if (k < 0)
    return negate(modConstant(negate(a), -k));
  if (k == 1)
    return constant(0);
  std::vector<Term> rest;
  std::int64_t g = k;
  for (const Term &t : terms(a)) {
    std::int64_t r = t.coefficient % k;
    if (r > k - r)
      r -= k;
    else if (r < 0 && -r >= k + r)
      r += k;
    if (r == 0)
      continue;
    rest.push_back({r, t.monomial});
    g = gcdOf(g, r);
  }
  std::int64_t c = exprs[a].constant % k;
  c = c < 0 ? c + k : c;
  if (rest.empty())
    return constant(c);
  const ExprId reduced = polynomial(c, rest);
  if (reduced == 0)
    return 0;
  const Interval range = tightBounds(reduced);
  if (range.min >= 0 && range.max < k)
    return reduced;
  // (g*x + c) mod (g*k) is g * ((x + c/g) mod k) + c mod g
  for (Term &t : rest)
    t.coefficient /= g;
  const ExprId args[] = {polynomial(c / g, rest), constant(k / g)};
  if (args[0] == 0)
    return 0;
  return add(scale(atomExpr(AtomKind::Mod, 0, args), g), constant(c % g));
}

bool DimStore::isNegative(ExprId e) const {
  const auto t = terms(e);
  return exprs[e].constant <= 0 && std::all_of(t.begin(), t.end(), [](const Term &x) { return x.coefficient < 0; });
}

bool DimStore::within(ExprId a, ExprId b) { return tightBounds(a).min >= 0 && tightBounds(sub(b, a)).min >= 1; }

Term DimStore::commonFactor(ExprId a, ExprId b) {
  std::int64_t g = gcdOf(exprs[a].constant, exprs[b].constant);
  bool first = true;
  const bool noMonomial = exprs[a].constant != 0 || exprs[b].constant != 0;
  std::vector<AtomId> shared, next;
  for (const ExprId e : {a, b})
    for (const Term &t : terms(e)) {
      g = gcdOf(g, t.coefficient);
      const auto f = factors(t.monomial);
      next.clear();
      if (first)
        next.assign(f.begin(), f.end());
      else
        std::set_intersection(shared.begin(), shared.end(), f.begin(), f.end(), std::back_inserter(next));
      shared.swap(next);
      first = false;
    }
  if (noMonomial || shared.empty())
    return {g, 0};
  return {g, *monomial(shared)};
}

ExprId DimStore::divideByTerm(ExprId a, const Term &t) {
  std::vector<Term> out;
  std::int64_t constantPart = exprs[a].constant / t.coefficient;
  for (const Term &x : std::vector<Term>(terms(a).begin(), terms(a).end())) {
    const MonomialId m = t.monomial == 0 ? x.monomial : quotient(x.monomial, t.monomial).value_or(x.monomial);
    if (m == 0)
      constantPart += x.coefficient / t.coefficient;
    else
      out.push_back({x.coefficient / t.coefficient, m});
  }
  return polynomial(constantPart, out);
}

DimStore::Quotient DimStore::splitMultiples(ExprId a, ExprId b) {
  if (exprs[b].count != 1 || exprs[b].constant != 0)
    return {constant(0), a};
  const Term divisor = terms(b)[0]; // its coefficient is positive
  std::vector<Term> whole, rest;
  std::int64_t wholeConstant = 0;
  for (const Term &t : std::vector<Term>(terms(a).begin(), terms(a).end())) {
    const auto m = quotient(t.monomial, divisor.monomial);
    const auto [q, r] = m ? nearest(t.coefficient, divisor.coefficient) : Division{0, t.coefficient};
    if (q != 0 && *m == 0)
      wholeConstant = q;
    else if (q != 0)
      whole.push_back({q, *m});
    if (r != 0)
      rest.push_back({r, t.monomial});
  }
  return {polynomial(wholeConstant, whole), polynomial(exprs[a].constant, rest)};
}

std::optional<ExprId> DimStore::divideExactly(ExprId a, ExprId b) {
  if (isConstant(a))
    return exprs[a].constant == 0 ? std::optional(a) : std::nullopt;
  if (a == b)
    return constant(1);
  auto leading = [this](ExprId e) {
    Term best = terms(e)[0];
    for (const Term &t : terms(e))
      best = leads(t.monomial, best.monomial) ? t : best;
    return best;
  };
  const Term lead = leading(b);
  ExprId rest = a, result = constant(0);
  for (int step = 0; step < 64; ++step) {
    if (isConstant(rest))
      return exprs[rest].constant == 0 ? std::optional(result) : std::nullopt;
    const Term top = leading(rest);
    const auto m = quotient(top.monomial, lead.monomial);
    if (!m || lead.coefficient == 0 || (top.coefficient == lowest && lead.coefficient == -1) ||
        top.coefficient % lead.coefficient != 0)
      return std::nullopt;
    const std::int64_t c = top.coefficient / lead.coefficient;
    std::vector<Term> one;
    if (*m != 0)
      one.push_back({c, *m});
    const ExprId piece = polynomial(*m == 0 ? c : 0, one);
    result = add(result, piece);
    rest = sub(rest, mul(piece, b));
    if (rest == 0 || result == 0)
      return std::nullopt;
  }
  return std::nullopt;
}

} // namespace condlint::detail
