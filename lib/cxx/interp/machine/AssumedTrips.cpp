//===- AssumedTrips.cpp - Loops of unknown length, run for some trips -----===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AssumedTrips.h"
#include "Loops.h"
#include "Names.h"
#include <clang/AST/ExprCXX.h>
#include <utility>

namespace condlint::cxx {

std::optional<unsigned> Machine::AssumedTrips::begin() {
  if (asked)
    return most;
  asked = true;
  most = m.dom.trips(m, loop);
  if (most) {
    around = m.assumedNumber;
    m.assumedNumber = ++m.lastAssumed;
  }
  return most;
}

std::optional<bool> Machine::AssumedTrips::goesOn(const Value &condition) {
  const Number *n = condition.number();
  if (n && n->truth())
    return n->truth();
  const bool assumes = begin().has_value();
  const auto known = n && n->test ? n->test->decided(m) : std::nullopt;
  if (!assumes)
    return known;
  if (known && !*known)
    return false;
  // Another trip, or the end: a loop goes apart as a condition does.
  const auto path = m.dom.choosePath(m, &loop, 2, condition, {});
  const bool more = known.value_or(path ? *path == 0 : made < *most);
  made += more ? 1 : 0;
  if (n && n->test && !known)
    n->test->assume(m, more);
  return more;
}

void Machine::AssumedTrips::endTrip() {
  if (ended++ != 0 || !most)
    return;
  first = m.memory.changes(start);
  openCounters();
}

/// What objects that were there before the loop held then, of those that \p now, the changes since, sets.
Delta Machine::AssumedTrips::before(const Delta &now) {
  m.memory.undo(start);
  Delta outer;
  for (const auto &[object, value] : now)
    if (const Value &old = m.memory.get(object); !old.isAbsent())
      outer.emplace_back(object, old);
  m.memory.apply(now);
  return outer;
}

/// What the first trip changed is another number in each further one.
void Machine::AssumedTrips::openCounters() {
  for (const auto &[object, old] : before(first))
    if (std::optional<Value> open = inFurtherTrips(old, m.memory.get(object), object == counter))
      m.memory.set(object, std::move(*open));
}

/// \p n, which is something else in further trips.
static Number opened(Machine &m, Number n) {
  SymbolInfo info;
  info.origin = SymbolInfo::Origin::Result;
  info.type = m.ast().LongLongTy;
  const Value symbol = m.symbolic(std::move(info));
  n.source = symbol.number() ? symbol.number()->source : nullptr;
  return n;
}

/// In further trips \p n is at least, or at most, what it is now.
static void goOn(Machine &m, const Number &n, clang::BinaryOperatorKind towards) {
  if (const auto end = m.domain().comparison(m, towards, n, Number::ofInteger(n.integer)))
    end->assume(m, true);
}

/// \p now with a source where it differs from \p before, so that what is asked of it is asked of all
/// that it will be; nothing where there is no such number.
std::optional<Value> Machine::AssumedTrips::inFurtherTrips(const Value &before, const Value &now, bool counts) {
  if (const Number *a = before.number(), *b = now.number(); a && b) {
    // What is set to another value once and for all is that from then on.
    const bool steps = counts || (a->integer < b->integer && b->integer - 1 == a->integer);
    if (!a->known || !b->known || b->kind != Number::Kind::Integer || a->integer == b->integer || !steps)
      return std::nullopt;
    const Number open = opened(m, *b);
    if (counts) // it goes on as it began
      goOn(m, open, a->integer < b->integer ? clang::BO_GE : clang::BO_LE);
    return open.source ? std::optional<Value>(open) : std::nullopt;
  }
  const Record *a = before.record(), *b = now.record();
  if (!a || !b)
    return std::nullopt;
  Record r = *b;
  bool any = false;
  for (auto &[field, value] : r.fields)
    if (const Value *old = a->find(field))
      if (std::optional<Value> open = inFurtherTrips(*old, value, false)) {
        value = std::move(*open);
        any = true;
      }
  return any ? std::optional<Value>(r) : std::nullopt;
}

bool isOpen(const Machine &m, const Number &n) { return n.known && n.source && m.assumedLoop() != 0; }

/// Whether an open number only grows (BO_GE) or only shrinks (BO_LE) from here on.
static std::optional<clang::BinaryOperatorKind> directionOf(Machine &m, const Number &n) {
  for (const auto towards : {clang::BO_GE, clang::BO_LE})
    if (const auto end = m.domain().comparison(m, towards, n, Number::ofInteger(n.integer)))
      if (end->decided(m).value_or(false))
        return towards;
  return std::nullopt;
}

Number openAs(Machine &m, unsigned opcode, const Number &x, const Number &y, Number made) {
  if (!made.known || made.kind == Number::Kind::Floating || (!isOpen(m, x) && !isOpen(m, y)))
    return made;
  made = opened(m, made);
  const bool isSum = opcode == clang::BO_Add || opcode == clang::BO_Sub;
  const bool isScaled = (opcode == clang::BO_Mul || opcode == clang::BO_Div) && y.integer > 0;
  const auto towards = isOpen(m, x) && !isOpen(m, y) && (isSum || isScaled) ? directionOf(m, x) : std::nullopt;
  if (made.source && towards)
    goOn(m, made, *towards);
  if (made.kind == Number::Kind::Bool)
    made.test = m.domain().comparison(m, clang::BO_NE, made, Number::ofInteger(0));
  return made;
}

/// The index of `v[i]`, and of `v[i].part`, where it is a variable.
static const clang::DeclRefExpr *indexOf(const clang::Expr *e) {
  e = e->IgnoreParenImpCasts();
  while (const auto *part = llvm::dyn_cast<clang::MemberExpr>(e))
    e = part->getBase()->IgnoreParenImpCasts();
  const clang::Expr *index = nullptr;
  if (const auto *s = llvm::dyn_cast<clang::ArraySubscriptExpr>(e))
    index = s->getIdx();
  else if (const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e);
           call && call->getOperator() == clang::OO_Subscript && call->getNumArgs() == 2)
    index = call->getArg(1);
  return index ? llvm::dyn_cast<clang::DeclRefExpr>(index->IgnoreParenImpCasts()) : nullptr;
}

Value openElement(Machine &m, const clang::Expr &e, Value v) {
  const Number *n = v.number();
  const clang::DeclRefExpr *by = n && n->known && m.assumedLoop() != 0 ? indexOf(&e) : nullptr;
  const Pointer at = by ? m.lvalue(by) : Pointer();
  const Value index = at.only() ? m.peek(*at.only()) : Value();
  return index.number() && isOpen(m, *index.number()) ? openAs(m, clang::BO_Rem, *n, *index.number(), *n)
                                                      : std::move(v);
}

std::optional<bool> truthIn(Machine &m, const Number &n) {
  return n.known && n.test && m.assumedLoop() != 0 ? n.test->decided(m) : n.truth();
}

void Machine::AssumedTrips::end() {
  if (!most)
    return;
  leave();
  most.reset();
  // A value from before the last trip: of what the first one left, or of before it.
  llvm::DenseMap<std::uint32_t, const Value *> left;
  for (const auto &[object, value] : first)
    left.try_emplace(object.index(), &value);
  for (const auto &[object, old] : before(m.memory.changes(start))) {
    const Value *then = ended > 1 ? left.lookup(object.index()) : nullptr;
    const Value before = then ? *then : old;
    m.memory.set(object, withNames(m, Loops(m).afterTrips(before, Value(m.memory.get(object)))));
    if (const Number *number = before.number())
      Loops(m).keepCount(object, *number);
  }
}

/// \p now with what every further trip would keep, as far as a trip that changed \p before shows it.
Value Machine::Loops::afterTrips(const Value &before, const Value &now) {
  if (before.same(now))
    return now;
  if (const Number *a = before.number(), *b = now.number(); a && b)
    return Number::unknown(b->kind);
  if (before.text() && now.text())
    return m.unknown("a text that differs from trip to trip of a loop");
  if (const Record *a = before.record(), *b = now.record(); a && b) {
    Record r = *b;
    for (auto &[field, value] : r.fields)
      if (const Value *old = a->find(field))
        value = afterTrips(*old, value);
    return r;
  }
  if (const List *a = before.list(), *b = now.list(); a && b && a->sized && b->sized) {
    List l = *b;
    l.open = l.open || a->open || a->items.size() != b->items.size();
    for (std::size_t i = 0; i < std::min(a->items.size(), l.items.size()); ++i)
      l.items[i] = afterTrips(a->items[i], l.items[i]);
    return l;
  }
  if (const Map *a = before.map(), *b = now.map(); a && b) {
    Map map = *b;
    map.complete = map.complete && a->entries.size() == b->entries.size();
    for (auto &[key, value] : map.entries)
      if (const auto old = a->entries.find(key); old != a->entries.end())
        value = afterTrips(old->second, value);
    return map;
  }
  if (const Optional *a = before.optional(), *b = now.optional(); a && b) {
    Optional o = *b;
    if (a->has != b->has)
      o.has = std::nullopt;
    if (!a->value.isAbsent() && !b->value.isAbsent())
      o.value = afterTrips(a->value, b->value);
    return o;
  }
  return now.pointer() ? m.dom.afterTrips(m, before, now) : now;
}

} // namespace condlint::cxx
