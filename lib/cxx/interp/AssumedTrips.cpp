//===- AssumedTrips.cpp - Loops of unknown length, run for some trips ------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AssumedTrips.h"

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
  if (!begin())
    return std::nullopt;
  if (const auto known = n && n->test ? n->test->decided(m) : std::nullopt)
    return known;
  const bool more = made++ < *most;
  if (n && n->test)
    n->test->assume(m, more);
  return more;
}

void Machine::AssumedTrips::endTrip() {
  if (ended++ == 0 && most)
    first = m.memory.changes(start);
}

void Machine::AssumedTrips::end() {
  if (!most)
    return;
  leave();
  most.reset();
  const Delta last = m.memory.changes(start);
  // A value from before the last trip: of what the first one left, or of before it.
  llvm::DenseMap<std::uint32_t, const Value *> before;
  for (const auto &[object, value] : first)
    before.try_emplace(object.index(), &value);
  m.memory.undo(start);
  std::vector<std::pair<ObjectId, Value>> outer;
  for (const auto &[object, value] : last)
    if (const Value &old = m.memory.get(object); !old.isAbsent()) {
      const Value *then = ended > 1 ? before.lookup(object.index()) : nullptr;
      outer.emplace_back(object, then ? *then : old);
    }
  m.memory.apply(last);
  for (const auto &[object, old] : outer)
    m.memory.set(object, m.afterTrips(old, Value(m.memory.get(object))));
}

/// \p now with what every further trip would keep, as far as a trip that changed \p before shows it.
Value Machine::afterTrips(const Value &before, const Value &now) {
  if (before.same(now))
    return now;
  if (const Number *a = before.number(), *b = now.number(); a && b)
    return Number::unknown(b->kind);
  if (before.text() && now.text())
    return unknown("a text that differs from trip to trip of a loop");
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
  return now.pointer() ? dom.afterTrips(*this, before, now) : now;
}

} // namespace condlint::cxx
