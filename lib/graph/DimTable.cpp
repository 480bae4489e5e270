//===- DimTable.cpp - Symbolic sizes: the public face ---------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DimStore.h"
#include "PrintText.h"
#include "SymbolName.h"
#include "condlint/Dim.h"
#include <algorithm>

namespace condlint {
namespace detail {

std::optional<std::int64_t> DimStore::evaluateAtom(AtomId a, const SymbolValues &values) const {
  const Atom &x = atoms[a];
  if (x.kind == AtomKind::Opaque)
    return std::nullopt;
  if (x.kind == AtomKind::Symbol) {
    const auto at = std::lower_bound(values.begin(), values.end(), std::pair(x.name, lowest));
    return at != values.end() && at->first == x.name ? std::optional(at->second) : std::nullopt;
  }
  std::optional<std::int64_t> result;
  for (const ExprId e : arguments(a)) {
    const auto v = evaluate(e, values);
    if (!v)
      return std::nullopt;
    if (!result) {
      result = v;
      continue;
    }
    if (x.kind == AtomKind::Min || x.kind == AtomKind::Max) {
      result = x.kind == AtomKind::Min ? std::min(*result, *v) : std::max(*result, *v);
      continue;
    }
    if (*v == 0 || (*v == -1 && *result == lowest))
      return std::nullopt;
    const std::int64_t q = floorQuotient(*result, *v);
    result = x.kind == AtomKind::FloorDiv ? q : *result - q * *v;
  }
  return result;
}

std::optional<std::int64_t> DimStore::evaluate(ExprId e, const SymbolValues &values) const {
  if (e == 0)
    return std::nullopt;
  std::int64_t sum = exprs[e].constant;
  for (const Term &t : terms(e)) {
    std::int64_t product = t.coefficient;
    for (const AtomId a : factors(t.monomial)) {
      const auto v = evaluateAtom(a, values);
      const auto p = v ? checkedMul(product, *v) : std::nullopt;
      if (!p)
        return std::nullopt;
      product = *p;
    }
    const auto s = checkedAdd(sum, product);
    if (!s)
      return std::nullopt;
    sum = *s;
  }
  return sum;
}

namespace {

std::string nameText(std::string_view whole) {
  const std::string_view name = shownName(whole);
  const bool plain = isPlainName(name) && name != "min" && name != "max";
  return plain ? std::string(name) : "'" + escaped(name, '\'') + "'";
}

bool isDivision(AtomKind k) { return k == AtomKind::FloorDiv || k == AtomKind::Mod; }

} // namespace

/// An operand of `//` or `%`: in parentheses unless it is one word or call.
std::string DimStore::operandText(ExprId e) const {
  const auto a = soleAtom(e);
  const bool bare = isConstant(e) ? exprs[e].constant >= 0 : a && exprs[e].constant == 0 && !isDivision(atoms[*a].kind);
  return bare ? str(e) : "(" + str(e) + ")";
}

std::string DimStore::atomText(AtomId a) const {
  const Atom &x = atoms[a];
  const auto args = arguments(a);
  switch (x.kind) {
  case AtomKind::Symbol:
    return nameText(symbols[x.name].symbol.name);
  case AtomKind::FloorDiv:
    return operandText(args[0]) + "//" + operandText(args[1]);
  case AtomKind::Mod:
    return operandText(args[0]) + " % " + operandText(args[1]);
  case AtomKind::Min:
  case AtomKind::Max:
  case AtomKind::Opaque:
    break;
  }
  // Texts do not depend on the order in which expressions were made.
  std::vector<std::pair<bool, std::string>> texts;
  for (const ExprId e : args)
    texts.emplace_back(isConstant(e), str(e));
  std::string out = x.kind == AtomKind::Opaque ? nameText(functions[x.name]) : x.kind == AtomKind::Min ? "min" : "max";
  if (x.kind != AtomKind::Opaque)
    std::sort(texts.begin(), texts.end());
  out += '(';
  for (std::size_t i = 0; i < texts.size(); ++i)
    out += (i == 0 ? "" : ", ") + texts[i].second;
  return out + ")";
}

std::string DimStore::str(ExprId e) const {
  if (e == 0)
    return "?";
  // Most sizes are numbers and names.
  if (isConstant(e))
    return std::to_string(exprs[e].constant);
  if (const auto a = soleAtom(e); a && exprs[e].constant == 0 && atoms[*a].kind == AtomKind::Symbol)
    return atomText(*a);
  struct Piece {
    std::size_t degree;
    std::string text;
    std::int64_t coefficient;
  };
  std::vector<Piece> pieces;
  for (const Term &t : terms(e)) {
    const auto f = factors(t.monomial);
    std::vector<std::string> texts;
    for (const AtomId a : f) {
      const bool alone = f.size() == 1 && t.coefficient == 1;
      texts.push_back(isDivision(atoms[a].kind) && !alone ? "(" + atomText(a) + ")" : atomText(a));
    }
    std::sort(texts.begin(), texts.end());
    std::string product;
    for (const std::string &x : texts)
      product += (product.empty() ? "" : "*") + x;
    pieces.push_back({f.size(), std::move(product), t.coefficient});
  }
  std::sort(pieces.begin(), pieces.end(), [](const Piece &a, const Piece &b) {
    return a.degree != b.degree ? a.degree > b.degree : a.text < b.text;
  });
  std::string out;
  auto sign = [&](std::int64_t v) { out += out.empty() ? (v < 0 ? "-" : "") : v < 0 ? " - " : " + "; };
  auto magnitude = [](std::int64_t v) {
    std::string digits = std::to_string(v);
    return v < 0 ? digits.substr(1) : digits;
  };
  for (const Piece &p : pieces) {
    sign(p.coefficient);
    if (p.coefficient != 1 && p.coefficient != -1)
      out += magnitude(p.coefficient) + "*";
    out += p.text;
  }
  if (const std::int64_t c = exprs[e].constant; c != 0 || pieces.empty()) {
    sign(c);
    out += magnitude(c);
  }
  return out;
}

} // namespace detail

struct DimTable::Impl : detail::DimStore {};

DimTable::DimTable() : impl(std::make_unique<Impl>()) {}
DimTable::~DimTable() = default;
DimTable::DimTable(DimTable &&) noexcept = default;
DimTable &DimTable::operator=(DimTable &&) noexcept = default;

Dim DimTable::constant(std::int64_t value) { return {impl->constant(value)}; }
Dim DimTable::symbol(std::string_view name, SymbolOrigin origin, Interval bounds) {
  return {impl->symbol(name, origin, bounds)};
}
Dim DimTable::fresh(std::string_view hint, SymbolOrigin origin) { return {impl->fresh(hint, origin)}; }
void DimTable::setBounds(std::string_view name, Interval bounds) { impl->setBounds(name, bounds); }

Dim DimTable::add(Dim a, Dim b) { return {impl->add(a.index, b.index)}; }
Dim DimTable::sub(Dim a, Dim b) { return {impl->sub(a.index, b.index)}; }
Dim DimTable::mul(Dim a, Dim b) { return {impl->mul(a.index, b.index)}; }
Dim DimTable::negate(Dim a) { return {impl->negate(a.index)}; }
Dim DimTable::floorDiv(Dim a, Dim b) { return {impl->floorDiv(a.index, b.index)}; }
Dim DimTable::ceilDiv(Dim a, Dim b) { return {impl->ceilDiv(a.index, b.index)}; }
Dim DimTable::mod(Dim a, Dim b) { return {impl->mod(a.index, b.index)}; }
Dim DimTable::min(Dim a, Dim b) { return {impl->extremum(detail::AtomKind::Min, {a.index, b.index})}; }
Dim DimTable::max(Dim a, Dim b) { return {impl->extremum(detail::AtomKind::Max, {a.index, b.index})}; }

Dim DimTable::opaque(std::string_view function, std::span<const Dim> arguments) {
  std::vector<detail::ExprId> ids;
  for (const Dim d : arguments)
    ids.push_back(d.index);
  return {impl->opaque(function, ids)};
}

std::optional<std::int64_t> DimTable::asConstant(Dim d) const {
  return impl->isConstant(d.index) ? std::optional(impl->expr(d.index).constant) : std::nullopt;
}

bool DimTable::isConstant(Dim d, std::int64_t value) const {
  return impl->isConstant(d.index) && impl->expr(d.index).constant == value;
}

std::optional<Symbol> DimTable::asSymbol(Dim d) const {
  const auto atom = d.known() && impl->expr(d.index).constant == 0 ? impl->soleAtom(d.index) : std::nullopt;
  if (!atom || impl->atom(*atom).kind != detail::AtomKind::Symbol)
    return std::nullopt;
  return impl->symbolEntry(impl->atom(*atom).name).symbol;
}

std::vector<Symbol> DimTable::symbolsOf(Dim d) const {
  std::vector<Symbol> out;
  for (const std::uint32_t s : impl->symbolsOf(d.index))
    out.push_back(impl->symbolEntry(s).symbol);
  std::sort(out.begin(), out.end(), [](const Symbol &a, const Symbol &b) { return a.name < b.name; });
  return out;
}

bool DimTable::mentions(Dim d, SymbolOrigin origin) const {
  const auto all = impl->symbolsOf(d.index);
  return std::any_of(all.begin(), all.end(),
                     [&](std::uint32_t s) { return impl->symbolEntry(s).symbol.origin == origin; });
}

Interval DimTable::boundsOf(Dim d) const { return impl->bounds(d.index); }

std::optional<std::int64_t> DimTable::evaluate(Dim d, const Assignment &values) const {
  detail::SymbolValues known;
  for (const std::uint32_t s : impl->symbolsOf(d.index))
    for (const auto &[name, value] : values)
      if (name == impl->symbolEntry(s).symbol.name) {
        known.emplace_back(s, value);
        break;
      }
  return impl->evaluate(d.index, known);
}

std::string DimTable::str(Dim d) const { return impl->str(d.index); }

DimComparison DimTable::compare(Dim a, Dim b, std::span<const Dim> notNegative) const {
  std::vector<detail::ExprId> conditions;
  for (const Dim d : notNegative)
    if (d.known())
      conditions.push_back(d.index);
  return detail::compareDims(*impl, a.index, b.index, conditions);
}

} // namespace condlint
