//===- Determination.cpp - What the code itself determines ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `if (std::hash<int>()(42) != 42)` is no choice that anybody has: it takes one path always.
// Where it is not worked out which one, neither path may be held against the code.
// What comes of determined things alone, by functions that ask nobody else, is
// determined itself.
//
//===----------------------------------------------------------------------===//

#include "Determination.h"
#include "../library/StandardLibrary.h"
#include "Machine.h"
#include "Places.h"
#include "Types.h"
#include <algorithm>

namespace condlint::cxx {

/// Parts that are looked at; what has more of them is not looked through.
constexpr unsigned mostDecidingParts = 256;

/// The whole of what \p at is a position in: a position leads to all of its container.
static Place containerOf(Place at) {
  while (!at.path.empty() && !at.path.back().field)
    at.path.pop_back();
  return at;
}

bool Machine::isDetermined(const Value &v) {
  unsigned budget = mostDecidingParts;
  return Determination(*this).isDetermined(v, budget);
}

bool Machine::Determination::isDetermined(const Pointer &p, unsigned &budget) {
  return !p.other && std::ranges::all_of(p.places, [&](const Place &place) {
    if (!place.object || m.objects[place.object.index()].storage == Storage::External)
      return false;
    const Place whole = containerOf(place);
    // Objects of the library that can be called hold nothing.
    if (const clang::CXXRecordDecl *c = classOf(m.typeOf(whole));
        c && c->isInStdNamespace() && c->hasDefinition() && c->isEmpty())
      return true;
    return isDetermined(m.peek(whole), budget);
  });
}

bool Machine::Determination::isDetermined(const Value &v, unsigned &budget) {
  if (budget == 0)
    return false;
  --budget;
  const auto is = [&](const Value &part) { return isDetermined(part, budget); };
  if (const Number *n = v.number())
    return n->known || n->determined;
  if (const Unknown *u = v.unknown())
    return u->determined;
  if (const Symbol *s = v.symbol())
    return m.symbols[s->id.index()].determined;
  if (v.text() || v.isNull() || v.isVoid() || v.isAbsent())
    return true;
  if (const Pointer *p = v.pointer())
    return isDetermined(*p, budget);
  if (const Record *r = v.record())
    return !r->rest && std::ranges::all_of(r->fields, [&](const auto &field) { return is(field.second); });
  if (const List *l = v.list())
    return !l->origin && !l->rest && !l->open && std::ranges::all_of(l->items, is) && (l->sized || is(l->every));
  if (const Map *map = v.map())
    return map->complete && std::ranges::all_of(map->entries, [&](const auto &entry) { return is(entry.second); });
  if (const Callable *c = v.callable())
    return std::ranges::all_of(c->bound, is) && is(c->target);
  if (const Optional *o = v.optional())
    return o->has && is(o->value);
  if (!v.datum())
    return false;
  const Pointer list = StandardLibrary::insertsInto(v);
  return list.places.empty() ? m.dom.isPlain(v) : isDetermined(list, budget);
}

bool Machine::Determination::isDetermined(const Call &call) {
  if (!StandardLibrary::isClosed(m, call))
    return false;
  unsigned budget = mostDecidingParts;
  const auto is = [&](const Argument &a) {
    return a.isDefault || (a.place ? isDetermined(*a.place, budget) : isDetermined(a.value, budget));
  };
  return (!call.self || is(*call.self)) && std::ranges::all_of(call.arguments, is);
}

/// A part of \p v is not known, and not marked as determined.
static bool isUndetermined(const Value &v) {
  if (const Number *n = v.number())
    return !n->known && !n->determined;
  if (const Unknown *u = v.unknown())
    return !u->determined;
  if (const List *l = v.list())
    return isUndetermined(l->every) || std::ranges::any_of(l->items, isUndetermined);
  if (const Record *r = v.record())
    return std::ranges::any_of(r->fields, [](const auto &field) { return isUndetermined(field.second); });
  return v.symbol() || (v.optional() && isUndetermined(v.optional()->value));
}

Value Machine::determined(const Value &v) {
  if (!isUndetermined(v)) // it stays the same one
    return v;
  if (const Number *n = v.number()) {
    if (n->known)
      return v;
    Number same = Number::unknown(n->kind, n->provenance);
    same.determined = true;
    return same;
  }
  if (const Unknown *u = v.unknown())
    return Unknown{u->reason, u->leak, true};
  if (const Symbol *s = v.symbol()) {
    SymbolInfo &info = symbols[s->id.index()];
    info.determined = info.determined || info.origin == SymbolInfo::Origin::Result;
    return v;
  }
  if (const List *l = v.list()) {
    List same = *l;
    for (Value &item : same.items)
      item = determined(item);
    same.every = determined(same.every);
    return same;
  }
  if (const Record *r = v.record()) {
    Record same = *r;
    for (auto &[field, value] : same.fields)
      value = determined(value);
    return same;
  }
  if (const Optional *o = v.optional(); o && o->has) {
    Optional same = *o;
    same.value = determined(o->value);
    return same;
  }
  return v;
}

/// The number \p n goes by a name, by which what is asked of it is kept.
static bool isNamed(const Number *n) { return n && (n->test || n->source || n->dim.known()); }

Value Machine::Determination::madeOf(Value made, std::initializer_list<const Value *> inputs) {
  const Number *n = made.number();
  const bool open = n ? !n->known && !n->determined : made.unknown() && !made.unknown()->determined;
  const auto isMadeOpen = [&](const Value *v) {
    const Number *part = v->number();
    const bool isLeft = part && !isNamed(n) && m.dom.isLeftByLoop(*part);
    return part ? !part->known && (part->determined || isLeft) : v->unknown() && v->unknown()->determined;
  };
  return open && (std::ranges::all_of(inputs, [&](const Value *v) { return m.isDetermined(*v); }) ||
                  (m.dom.relatesAnswers() && std::ranges::any_of(inputs, isMadeOpen)))
             ? m.determined(made)
             : std::move(made);
}

/// \p v is what a function gave back that was not followed, and no part of a text from outside.
static bool isResult(Machine &m, const Value &v) {
  return v.symbol() && m.symbol(v.symbol()->id).origin == SymbolInfo::Origin::Result &&
         !m.askedTexts().noted(v.symbol()->id);
}

Value Machine::Determination::answeredBy(const Call &call, Value v) {
  const Number *n = v.number();
  const bool isClosed = m.dom.relatesAnswers() && StandardLibrary::isClosed(m, call);
  // A text that is made of others, as far as it is no part of one, and any other object: `std::minmax({n, 2})`.
  if (isClosed && ((v.unknown() && !call.type.isNull() && isTextType(call.type)) || isResult(m, v)))
    return m.determined(v);
  const bool isKept = isNamed(n) && !(n->dim.known() && m.signedNumbers().hangsOnOpen(m.dims(), n->dim));
  if (!isClosed || !n || n->known || n->determined || isKept)
    return v;
  const auto isMade = [&](const Place &place) {
    const Value held = place.object ? m.peek(containerOf(place)) : Value();
    return held.list() || held.map();
  };
  const auto isOfMade = [&](const Argument &a) {
    if (a.place && std::ranges::any_of(a.place->places, isMade))
      return true;
    const Value held = m.peek(a);
    return held.list() || held.map() || (held.unknown() && held.unknown()->determined) ||
           (held.pointer() && std::ranges::any_of(held.pointer()->places, isMade));
  };
  // Not each number is one that a function makes of another: `std::sqrt(d) < 0`.
  const auto isNumber = [&](const Argument &a) { return m.peek(a).number() != nullptr; };
  const bool isOfNumbers = n->kind != Number::Kind::Bool && !call.self && std::ranges::all_of(call.arguments, isNumber);
  if (isOfNumbers || (call.self && isOfMade(*call.self)) || std::ranges::any_of(call.arguments, isOfMade)) {
    Number open = *n;
    open.determined = true;
    return open;
  }
  return v;
}

std::vector<Place> Machine::Determination::containersGiven(const Call &call) {
  std::vector<Place> out;
  if (!m.dom.relatesAnswers() || !StandardLibrary::isClosed(m, call))
    return out;
  const auto add = [&](const Place &at) {
    const Place place = containerOf(at);
    const clang::QualType type = place.object ? m.typeOf(place) : clang::QualType();
    if ((isContainerType(type) || (!type.isNull() && isTextType(type))) && !m.peek(place).unknown())
      out.push_back(place);
  };
  const auto addAll = [&](const Argument &a) {
    if (a.place)
      std::ranges::for_each(a.place->places, add);
    if (const Value held = m.peek(a); held.pointer())
      std::ranges::for_each(held.pointer()->places, add);
  };
  if (call.self)
    addAll(*call.self);
  std::ranges::for_each(call.arguments, addAll);
  return out;
}

void Machine::Determination::leaveMade(const std::vector<Place> &containers) {
  for (const Place &place : containers)
    if (m.peek(place).unknown())
      mark(place);
}

void Machine::Determination::mark(const Place &at) {
  const Place place = containerOf(at);
  const Object *o = place.object ? &m.objects[place.object.index()] : nullptr;
  if (!o || o->storage == Storage::External)
    return;
  if (const Value now = m.peek(place); !m.isDetermined(now))
    m.memory.set(place.object, Places(m).with(m.memory.get(place.object), place.path, m.determined(now), o->type));
}

void Machine::Determination::determine(const Call &call) {
  const auto markEach = [&](const Pointer &p) {
    for (const Place &at : p.places)
      mark(at);
  };
  const auto markAll = [&](const Argument &a) {
    if (const Place *only = a.place ? a.place->only() : nullptr)
      mark(*only);
    const Value held = m.peek(a);
    if (const Pointer *p = held.pointer())
      markEach(*p);
    else if (held.datum())
      markEach(StandardLibrary::insertsInto(held));
  };
  if (call.self)
    markAll(*call.self);
  std::ranges::for_each(call.arguments, markAll);
}

} // namespace condlint::cxx
