//===- MovedElements.cpp - Pointers to elements that move -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MovedElements.h"
#include "../machine/Types.h"
#include "LibraryClasses.h"
#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <utility>

namespace condlint::cxx {

namespace {

/// Makes a place that led to what moved lead there where it is now; false for others.
using Move = std::function<bool(Place &)>;

bool concerns(const Value &v, const Move &move) {
  const auto isMoved = [&](const Value &part) { return concerns(part, move); };
  const auto isPartMoved = [&](const auto &part) { return concerns(part.second, move); };
  if (const Pointer *p = v.pointer())
    return std::ranges::any_of(p->places, [&](Place place) { return move(place); });
  if (const Record *r = v.record())
    return std::ranges::any_of(r->fields, isPartMoved);
  if (const List *l = v.list())
    return isMoved(l->every) || std::ranges::any_of(l->items, isMoved);
  if (const Map *map = v.map())
    return std::ranges::any_of(map->entries, isPartMoved);
  if (const Callable *c = v.callable())
    return isMoved(c->target) || std::ranges::any_of(c->bound, isMoved);
  return v.optional() && isMoved(v.optional()->value);
}

void follow(Value &v, const Move &move) {
  const auto each = [&](Value &part) {
    if (concerns(part, move))
      follow(part, move);
  };
  const auto eachPart = [&](auto &part) { each(part.second); };
  if (v.pointer())
    std::ranges::for_each(v.own<Pointer>().places, move);
  else if (v.record())
    std::ranges::for_each(v.own<Record>().fields, eachPart);
  else if (v.map())
    std::ranges::for_each(v.own<Map>().entries, eachPart);
  else if (v.optional())
    each(v.own<Optional>().value);
  if (v.list()) {
    each(v.own<List>().every);
    std::ranges::for_each(v.own<List>().items, each);
  }
  if (v.callable()) {
    each(v.own<Callable>().target);
    std::ranges::for_each(v.own<Callable>().bound, each);
  }
}

/// A reference is bound once for all paths: on one of several it leads to either.
void followBound(Machine &m, Pointer &bound, const Move &move, bool isCertain) {
  constexpr std::size_t most = 8;
  for (std::size_t i = 0, count = bound.places.size(); i < count; ++i) {
    Place now = bound.places[i];
    if (!move(now))
      continue;
    if (isCertain)
      bound.places[i] = std::move(now);
    else if (std::ranges::find(bound.places, now) == bound.places.end())
      bound.places.push_back(std::move(now));
  }
  if (bound.places.size() > most) {
    m.losePlaces(bound);
    bound = Pointer::unknown();
  }
}

void followAll(Machine &m, const Move &move) {
  for (std::uint32_t i = 0; i < m.store().size(); ++i) {
    const ObjectId o(i);
    if (numberKind(m.object(o).type) || !concerns(m.objectValue(o), move))
      continue;
    Value v = m.objectValue(o);
    follow(v, move);
    m.setObject(o, std::move(v));
  }
  const bool isCertain = m.path() == 0 && !m.inAnyTrip() && !m.scouting();
  for (const auto &frame : m.frames())
    for (auto &[variable, bound] : frame->variables)
      followBound(m, bound, move, isCertain);
}

/// What lies behind \p whole on \p path; empty where that does not lead there.
std::span<const Step> behind(const Place &whole, const Place &place) {
  const bool leadsThere = place.object == whole.object && place.path.size() > whole.path.size() &&
                          std::equal(whole.path.begin(), whole.path.end(), place.path.begin());
  return leadsThere ? std::span(place.path).subspan(whole.path.size()) : std::span<const Step>();
}

/// The elements of the class lie apart from it, and change hands with what it holds.
bool holdsElsewhere(std::string_view cls) {
  const LibraryClass *known = libraryClass(cls);
  return known && (known->form == LibraryClass::Form::List || known->form == LibraryClass::Form::Map) &&
         !known->has(LibraryClass::MovedByPart) && cls != "std::initializer_list" && cls != "std::span";
}

/// \p steps lead from something of the \p type to what lies elsewhere.
bool leadsElsewhere(Machine &m, clang::QualType type, std::span<const Step> steps) {
  for (const Step &step : steps) {
    if (holdsElsewhere(m.className(type)))
      return true;
    type = partType(m.ast(), type, step);
  }
  return false;
}

} // namespace

static void followBetween(Machine &m, const Pointer &a, const Pointer &b, clang::QualType type, bool both) {
  const Place *x = a.only(), *y = b.only();
  type = type.isNull() ? type : type.getNonReferenceType();
  if (!x || !y || !x->object || !y->object || *x == *y || m.dead() || numberKind(type))
    return;
  const auto into = [&](Place &place, const Place &from, const Place &to) {
    const auto rest = behind(from, place);
    if (rest.empty() || !leadsElsewhere(m, type, rest))
      return false;
    Place now = to;
    now.path.insert(now.path.end(), rest.begin(), rest.end());
    place = std::move(now);
    return true;
  };
  // Of what has no parts that lie elsewhere, none moved.
  const Value held = m.peek(*y);
  if (held.handle() || held.token() || held.datum() || held.number() || held.text())
    return;
  const Place first = *x, second = *y;
  followAll(m, [&](Place &place) { return into(place, first, second) || (both && into(place, second, first)); });
}

void followSwapped(Machine &m, const Pointer &a, const Pointer &b, clang::QualType type) {
  followBetween(m, a, b, type, true);
}

void followMoved(Machine &m, const Pointer &from, const Pointer &to, clang::QualType type) {
  followBetween(m, from, to, type, false);
}

MovedElements::MovedElements(Machine &m, Call &c, std::string_view name) : machine(m), method(name) {
  const std::string_view cls = c.self ? m.className(c.self->type) : std::string_view();
  const bool isDeque = cls == "std::deque";
  static constexpr std::array<std::string_view, 4> atFront{"push_front", "emplace_front", "pop_front", "swap"};
  if ((!isDeque && cls != "std::list" && cls != "std::forward_list" && !cls.ends_with("set")) ||
      (isDeque && std::ranges::find(atFront, name) == atFront.end()) || name == "swap" || name == "operator=")
    return;
  const Place *only = c.self->place ? c.self->place->only() : nullptr;
  if (!only || !only->object)
    return;
  container = *only;
  before = m.peek(*only);
  const Value first = c.arguments.empty() || !c.arguments[0].place ? Value() : m.peek(c.arguments[0]);
  const Value &at = c.arguments.empty() || first.pointer() ? first : c.arguments[0].value;
  const Place *to = at.pointer() ? at.pointer()->only() : nullptr;
  if (name.ends_with("_front"))
    position = 0;
  else if (name == "push_back" || name == "emplace_back")
    position = before.list() ? std::ssize(before.list()->items) : 0;
  else if (to && to->path.size() == only->path.size() + 1 && !behind(*only, *to).empty() && to->path.back().index >= 0)
    position = to->path.back().index;
}

MovedElements::~MovedElements() {
  if (!container || machine.dead())
    return;
  const Value after = machine.peek(*container);
  if (after.same(before))
    return;
  const List *was = before.list(), *is = after.list();
  const auto isKnown = [](const List *l) { return l && l->sized && !l->open && !l->rest; };
  static constexpr std::array<std::string_view, 9> one{"push_front", "emplace_front", "pop_front",
                                                       "push_back",  "emplace_back",  "insert",
                                                       "emplace",    "erase",         "pop_back"};
  const bool isFollowed = isKnown(was) && isKnown(is) && std::ranges::find(one, method) != one.end();
  const std::int64_t old = isFollowed ? std::ssize(was->items) : 0, now = isFollowed ? std::ssize(is->items) : 0;
  std::int64_t at = 0; // the first that is another one
  if (position)
    at = *position;
  else
    while (isFollowed && at < std::min(old, now) &&
           was->items[static_cast<std::size_t>(at)].same(is->items[static_cast<std::size_t>(at)]))
      ++at;
  if (isFollowed && (old == now || (method == "pop_back" && now < old)))
    return;
  followAll(machine, [&](Place &place) {
    const auto rest = behind(*container, place);
    if (rest.empty() || rest.front().field || rest.front().key)
      return false;
    std::int64_t &index = place.path[container->path.size()].index;
    if (isFollowed && (index < at || index < 0))
      return false;
    const bool isGone = isFollowed && now < old && index < at + old - now;
    index = isFollowed && !isGone ? index + now - old : Step::anyIndex;
    return true;
  });
}

} // namespace condlint::cxx
