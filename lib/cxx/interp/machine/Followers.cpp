//===- Followers.cpp - What leads to what moves ---------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Followers.h"
#include "../library/LibraryClasses.h"
#include "FollowerIndex.h"
#include "Places.h"
#include "Types.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <iterator>

namespace condlint::cxx {

namespace {

/// Why it is not known what lies there.
constexpr std::string_view moving = "what was moved, and nobody knows where to";

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

/// The place that \p place is in \p to, where it is that in \p from.
std::optional<Place> carriedOver(const Place &place, const Place &from, const Place &to, bool orAt) {
  const auto rest = stepsBehind(from, place);
  if (rest.empty() && !(orAt && place == from))
    return std::nullopt;
  Place now = to;
  now.path.insert(now.path.end(), rest.begin(), rest.end());
  return now;
}

using Move = std::function<bool(Place &)>;

/// Makes what leads behind \p from, or to it, lead there in \p to.
Move carry(Place from, Place to, bool orAt) {
  return [from = std::move(from), to = std::move(to), orAt](Place &place) {
    auto now = carriedOver(place, from, to, orAt);
    if (now)
      place = std::move(*now);
    return now.has_value();
  };
}

/// What \p steps lead to in \p v, where it stands in it.
const Value *partAt(const Value &v, std::span<const Step> steps) {
  const Value *at = &v;
  for (const Step &step : steps) {
    const Record *r = at->record();
    const List *l = at->list();
    const Map *map = at->map();
    if (r && step.field)
      at = r->find(step.field);
    else if (map && step.key && map->entries.contains(*step.key))
      at = &map->entries.at(*step.key);
    else if (l && static_cast<std::size_t>(step.index) < l->items.size())
      at = &l->items[static_cast<std::size_t>(step.index)];
    else
      at = at->optional() ? &at->optional()->value : nullptr;
    if (!at)
      return nullptr;
  }
  return at;
}

/// Where in \p v, which lies at \p at, \p part stands.
void findPart(const Value &v, const Value &part, const Place &at, std::vector<Place> &found, std::size_t &steps) {
  constexpr std::size_t most = 4'096, deepest = 16;
  // A variant, or what holds anything, is the value that it holds.
  if (v.kind() == part.kind() && v.asHeld(part.heldAs()).same(part)) {
    found.push_back(at);
    return;
  }
  if (++steps > most || at.path.size() > deepest)
    return;
  const auto in = [&](const Value &inner, const Step &step) {
    if (inner.list() || inner.map() || inner.record() || inner.optional() || inner.symbol())
      findPart(inner, part, at.then(step), found, steps);
  };
  if (const Record *r = v.record())
    for (const auto &[field, value] : r->fields)
      in(value, Step::ofField(field));
  if (const List *l = v.list(); l && l->sized)
    for (std::size_t i = l->items.size(); i-- > 0;)
      in(l->items[i], Step::ofIndex(static_cast<std::int64_t>(i)));
  if (const Map *map = v.map())
    for (const auto &[key, value] : map->entries)
      in(value, Step::ofKey(key));
  if (const Optional *o = v.optional())
    in(o->value, Step::ofIndex(0));
}

} // namespace

Machine::Followers::Followers(Machine &machine) : m(machine), leading(std::make_unique<Index>(machine)) {}
Machine::Followers::~Followers() = default;

void Machine::Followers::noteBound(const clang::ValueDecl &variable, const Pointer &at) {
  leading->noteBound(variable, at);
}

void Machine::Followers::noteStored(ObjectId holder, const Value &part) { leading->noteStored(holder, part); }

std::vector<ObjectId> Machine::Followers::holdersOf(ObjectId target) { return leading->holdersOf(target); }

bool Machine::Followers::isLedInto(const Place &whole) { return leading->isLedTo(whole, false); }

void Machine::Followers::follow(std::initializer_list<ObjectId> targets, const Move &move) {
  leading->follow(targets, move);
}

Machine::Followers::Bindings::Bindings(Followers &f) : all(f), before(f.leading->bindings()) {}
Machine::Followers::Bindings::~Bindings() { all.leading->endBindings(before); }

void Machine::Followers::swapped(const Pointer &a, const Pointer &b, clang::QualType type) {
  const Place *x = a.only(), *y = b.only();
  type = type.isNull() ? type : type.getNonReferenceType();
  if (!x || !y || !x->object || !y->object || *x == *y || m.isDead || numberKind(type))
    return;
  const Place first = *x, second = *y;
  // The characters of a text lie in it or elsewhere.
  if (m.className(type) == "std::basic_string") {
    lose(first);
    lose(second);
    return;
  }
  // Of what has no parts that lie elsewhere, none moved.
  const Value held = m.peek(second);
  if (held.handle() || held.token() || held.datum() || held.number() || held.text())
    return;
  const auto into = [&](Place &place, const Place &from, const Place &to) {
    auto now = carriedOver(place, from, to, false);
    const bool moves = now && leadsElsewhere(m, type, stepsBehind(from, place));
    if (moves)
      place = std::move(*now);
    return moves;
  };
  follow({first.object, second.object},
         [&](Place &place) { return into(place, first, second) || into(place, second, first); });
}

ObjectId Machine::Followers::standFor(const Place &whole, Value held, bool orAt) {
  const ObjectId stand = m.newObject(std::move(held), m.typeOf(whole), Storage::Moved);
  follow({whole.object}, carry(whole, Place{stand, {}}, orAt));
  return stand;
}

void Machine::Followers::setOut(const Place &from, const Value &held, bool whole) {
  constexpr std::size_t most = 8;
  constexpr unsigned stores = 64;
  const bool isLed = leading->isLedTo(from, whole);
  if (whole && !isLed && !concerns(held, carry(from, from, true)))
    return;
  Departed one{from, held, {}, whole, stores};
  if (isLed)
    one.stand = standFor(from, m.unknown(moving), whole);
  // Nobody tells a text from one that is the same.
  if (held.isAbsent() || held.unknown() || held.text() || held.isNull())
    return;
  if (underWay.size() == most)
    underWay.erase(underWay.begin());
  underWay.push_back(std::move(one));
}

void Machine::Followers::depart(const Place &from, const Value &held, clang::QualType type) {
  constexpr std::size_t deepest = 16, mostParts = 4'096;
  if (m.isDead || !from.object || held.handle() || held.token() || held.number() || held.isNull() ||
      from.path.size() > deepest)
    return;
  type = type.isNull() ? type : type.getNonReferenceType();
  const std::string_view name = m.className(type);
  if (holdsElsewhere(name) || name == "std::basic_string")
    return setOut(from, held, false);
  const auto part = [&](const Value &inner, const Step &step) {
    depart(from.then(step), inner, partType(m.context, type, step));
  };
  if (held.heldAs()) // of a variant
    depart(from, held.asHeld(nullptr), clang::QualType(held.heldAs(), 0));
  else if (const Record *r = held.record())
    for (const auto &[field, value] : r->fields)
      part(value, Step::ofField(field));
  else if (const List *l = held.list(); l && l->sized && l->items.size() <= mostParts)
    for (std::size_t i = 0; i < l->items.size(); ++i)
      part(l->items[i], Step::ofIndex(static_cast<std::int64_t>(i)));
  else if (const Optional *o = held.optional())
    part(o->value, Step::ofIndex(0));
}

void Machine::Followers::departWhole(const Place &from, const Value &held) {
  if (!m.isDead && from.object && !held.number() && !held.handle() && !held.token())
    setOut(from, held, true);
}

Value Machine::Followers::leaving(Value v) {
  for (std::size_t i = underWay.size(); i-- > 0 && !m.isDead;) {
    if (!concerns(v, carry(underWay[i].from, underWay[i].from, underWay[i].whole)))
      continue;
    if (!underWay[i].stand)
      underWay[i].stand = m.newObject(m.unknown(moving), m.typeOf(underWay[i].from), Storage::Moved);
    std::vector<std::vector<Place>> found(underWay.size());
    for (std::size_t k = 0; k < underWay.size(); ++k) {
      std::size_t steps = 0;
      findPart(v, underWay[k].held, {}, found[k], steps);
    }
    followIn(v, carry(underWay[i].from, Place{underWay[i].stand, {}}, underWay[i].whole));
    // It is another value now.
    for (std::size_t k = 0; k < underWay.size(); ++k)
      if (const Value *now = found[k].size() == 1 ? partAt(v, found[k].front().path) : nullptr)
        underWay[k].held = Value(*now);
  }
  return v;
}

void Machine::Followers::land(const Place &to, const Value &held, const std::function<void(const Move &)> &renew) {
  if (underWay.empty() || m.isDead)
    return;
  for (const std::vector<Departed> waiting = std::exchange(underWay, {}); const Departed &one : waiting) {
    std::vector<Place> found;
    std::size_t steps = 0;
    findPart(held, one.held, to, found, steps);
    if (found.empty() && one.waits != 0) {
      underWay.push_back(one);
      --underWay.back().waits;
    }
    // One that is the same may be a copy.
    if (found.size() != 1)
      continue;
    const Place now = found.front();
    if (one.stand) {
      const Move fromStand = carry(Place{one.stand, {}}, now, one.whole);
      follow({one.stand}, fromStand);
      renew(fromStand);
    }
    // What was on its way with it was not known to lead there.
    if (now != one.from)
      renew(carry(one.from, now, one.whole));
  }
}

void Machine::Followers::arrive(const Place &to, const Value &held) {
  land(to, held, [&](const Move &move) {
    if (!concerns(held, move))
      return;
    Value now = m.memory.get(to.object);
    if (!concerns(now, move))
      return;
    followIn(now, move);
    m.memory.set(to.object, std::move(now));
  });
}

Value Machine::Followers::arriving(const Place &to, Value held) {
  land(to, Value(held), [&](const Move &move) {
    if (concerns(held, move))
      followIn(held, move);
  });
  return held;
}

void Machine::Followers::lose(const Place &whole) {
  if (!m.isDead && whole.object && isLedInto(whole))
    standFor(whole, m.unknown(moving), false);
}

/// Where the elements of \p before stand in \p now; nothing for one that is not there, or more than once.
static std::vector<std::optional<std::int64_t>> standNow(const List &before, const List *now) {
  std::vector<std::optional<std::int64_t>> at(before.items.size());
  if (!now || !now->sized)
    return at;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const Value &one = before.items[i];
    if (i < now->items.size() && now->items[i].same(one)) {
      at[i] = static_cast<std::int64_t>(i);
      continue;
    }
    const auto first = std::ranges::find_if(now->items, [&](const Value &v) { return v.same(one); });
    if (first != now->items.end() && !one.text() && !one.unknown() &&
        std::none_of(first + 1, now->items.end(), [&](const Value &v) { return v.same(one); }))
      at[i] = first - now->items.begin();
  }
  return at;
}

void Machine::Followers::rearranged(const Place &whole, const Value &before) {
  const Value now = m.peek(whole);
  const List *held = before.list();
  if (m.isDead || !held || now.same(before))
    return;
  const clang::QualType type = partType(m.context, m.typeOf(whole), Step::ofIndex(0));
  const auto at = standNow(*held, now.list());
  const bool isLost = std::ranges::any_of(at, [](const auto &to) { return !to; });
  const ObjectId stand = isLost ? m.newObject(m.unknown(moving), m.typeOf(whole), Storage::Moved) : ObjectId();
  const auto moved = [&](const Place &place) -> std::optional<Place> {
    const auto rest = stepsBehind(whole, place);
    if (rest.size() < 2 || rest.front().field || rest.front().key || rest.front().index < 0 ||
        !(leadsElsewhere(m, type, rest.subspan(1)) || m.className(type) == "std::basic_string"))
      return std::nullopt;
    const auto index = static_cast<std::size_t>(rest.front().index);
    const auto to = index < at.size() ? at[index] : std::nullopt;
    if (to == rest.front().index)
      return std::nullopt;
    if (!to && !isLost)
      return std::nullopt;
    Place out = to ? whole : Place{stand, {}};
    out.path.push_back(to ? Step::ofIndex(*to) : rest.front());
    out.path.insert(out.path.end(), rest.begin() + 1, rest.end());
    return out;
  };
  follow({whole.object}, [&](Place &place) {
    auto to = moved(place);
    if (to)
      place = std::move(*to);
    return to.has_value();
  });
}

void Machine::Followers::leaveView(const Place &at, const Value &held) {
  if (isLedInto(at))
    standFor(at, held, false);
}

static bool areOne(const auto &a, const auto &b) {
  return std::ranges::equal(a, b, [](const auto &x, const auto &y) { return x.from == y.from && x.held.same(y.held); });
}

void Machine::Followers::Apart::next() {
  isSame = isSame && areOne(all.underWay, before);
  all.underWay = before;
}

Machine::Followers::Apart::~Apart() {
  if (!isSame || !areOne(all.underWay, before))
    all.underWay.clear();
}

} // namespace condlint::cxx
