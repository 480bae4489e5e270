//===- StandardIterators.cpp - Positions in containers ----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../machine/Types.h"
#include "StandardLibrary.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>

namespace condlint::cxx {

Pointer StandardLibrary::advanced(const Pointer &p, std::int64_t by) {
  const Value v = m.offset(p, Number::ofInteger(by), 1);
  return v.pointer() ? *v.pointer() : Pointer::unknown();
}

std::optional<std::vector<Place>> StandardLibrary::range(const Value &first, const Value &last) {
  const Place *a = first.pointer() ? first.pointer()->only() : nullptr;
  const Place *b = last.pointer() ? last.pointer()->only() : nullptr;
  if (!a || !b || a->path.empty() || b->path.empty())
    return std::nullopt;
  const bool one = a->object == b->object && a->path.size() == b->path.size() &&
                   std::equal(a->path.begin(), a->path.end() - 1, b->path.begin());
  if (!one) {
    // Two views of the same elements: `x.sizes().begin()`, `x.sizes().end()`.
    const auto viewed = [&](Place p) {
      p.path.pop_back();
      return m.peek(p);
    };
    const Value x = viewed(*a), y = viewed(*b);
    const List *l = x.list(), *r = y.list();
    if (!l || !r || !l->origin || !r->origin || !l->sized || !r->sized || l->items.size() != r->items.size() ||
        !l->origin->equals(*r->origin))
      return std::nullopt;
  }
  const Step &from = a->path.back();
  const Step &to = b->path.back();
  constexpr std::int64_t most = 4096;
  std::vector<Place> out;
  if (from.key && to.key) { // entries of a map
    Place at = *a;
    while (at != *b && static_cast<std::int64_t>(out.size()) < most) {
      out.push_back(at);
      if (!m.moveEntry(at, 1))
        return std::nullopt;
    }
    return at == *b ? std::optional(std::move(out)) : std::nullopt;
  }
  if (from.field || to.field || from.key || to.key || from.index < 0 || to.index < 0 ||
      std::abs(to.index - from.index) > most)
    return std::nullopt;
  // Backwards, by positions that lie behind what they point to.
  for (std::int64_t i = from.index; i > to.index; --i) {
    Place p = *a;
    p.path.back() = Step::ofIndex(i - 1);
    out.push_back(std::move(p));
  }
  for (std::int64_t i = from.index; i < to.index; ++i) {
    Place p = *a;
    p.path.back() = Step::ofIndex(i);
    out.push_back(std::move(p));
  }
  return out;
}

std::optional<Value> StandardLibrary::iterator(Call &c, std::string_view name) {
  std::vector<Argument *> operands;
  if (c.self)
    operands.push_back(&*c.self);
  for (Argument &a : c.arguments)
    if (!a.isDefault)
      operands.push_back(&a);
  if (operands.size() == 1 && c.self && name == "base")
    return m.load(*c.self);
  if (operands.empty() || !name.starts_with("operator"))
    return std::nullopt;
  const Value a = m.load(*operands[0]);
  const Value b = operands.size() > 1 ? m.load(*operands[1]) : Value();
  const std::string_view op = name.substr(8);
  if (operands.size() == 2 && (op == "==" || op == "!=" || op == "<" || op == ">" || op == "<=" || op == ">=")) {
    if (!a.pointer() && !a.isNull() && !a.text() && !a.callable() && !a.record() && !a.symbol())
      return std::nullopt;
    const unsigned code = op == "=="   ? clang::BO_EQ
                          : op == "!=" ? clang::BO_NE
                          : op == "<"  ? clang::BO_LT
                          : op == ">"  ? clang::BO_GT
                          : op == "<=" ? clang::BO_LE
                                       : clang::BO_GE;
    const auto plain = [](const Value &v) { return v.pointer() || v.isNull() || v.text() || v.callable(); };
    if (a.record() && b.isNull())
      return Number::boolean(code == clang::BO_NE, Provenance::Fixed);
    return plain(a) && plain(b) ? m.compare(code, a, b, c.expr) : Value(Number::unknown(Number::Kind::Bool));
  }
  if (!a.pointer()) {
    if (!c.self)
      return std::nullopt;
    // A position that is not known.
    if (op == "*" || op == "->" || op == "[]")
      return Pointer::unknown();
    if (op == "++" || op == "--" || op == "+=" || op == "-=")
      return self(c);
    return m.unknown(c.type, "a position that is not known");
  }
  const Argument &first = *operands[0];
  const bool backwards = m.className(!first.type.isNull() ? first.type
                                     : first.expr         ? first.expr->getType()
                                                          : clang::QualType()) == "std::reverse_iterator";
  const int ahead = backwards ? -1 : 1;
  const Value target = backwards ? m.offset(a, Number::ofInteger(1), -1) : a;
  if (op == "*" || op == "->")
    return target;
  if (op == "[]")
    return m.offset(target, b, ahead);
  if (op == "++" || op == "--") {
    const Value now = m.offset(a, Number::ofInteger(1), op == "++" ? ahead : -ahead);
    m.store(self(c), now, c.expr);
    return operands.size() == 1 ? Value(self(c)) : a; // the postfix one has a dummy argument
  }
  if (op == "+=" || op == "-=") {
    m.store(self(c), m.offset(a, b, op == "+=" ? ahead : -ahead), c.expr);
    return self(c);
  }
  if (op == "+" || op == "-")
    return b.pointer() ? m.arithmetic(clang::BO_Sub, backwards ? b : a, backwards ? a : b, m.ast().LongTy, c.expr)
                       : m.offset(a, b, op == "+" ? ahead : -ahead);
  if (op == "=") {
    m.store(self(c), b, c.expr);
    return self(c);
  }
  return std::nullopt;
}

} // namespace condlint::cxx
