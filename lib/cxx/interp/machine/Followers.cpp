//===- Followers.cpp - What leads to what moves ---------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Followers.h"
#include "../library/LibraryClasses.h"
#include "Places.h"
#include "Types.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <iterator>

namespace condlint::cxx {

namespace {

using Move = std::function<bool(Place &)>;

/// Why it is not known what lies there.
constexpr std::string_view moving = "what was moved, and nobody knows where to";

/// Calls \p visit with each part of \p v, until it says true.
bool anyPart(const Value &v, const std::function<bool(const Value &)> &visit) {
  const auto second = [&](const auto &part) { return visit(part.second); };
  if (const Record *r = v.record())
    return std::ranges::any_of(r->fields, second);
  if (const List *l = v.list())
    return visit(l->every) || std::ranges::any_of(l->items, visit);
  if (const Map *map = v.map())
    return std::ranges::any_of(map->entries, second);
  if (const Callable *c = v.callable())
    return visit(c->target) || std::ranges::any_of(c->bound, visit);
  return v.optional() && visit(v.optional()->value);
}

bool concerns(const Value &v, const Move &move) {
  if (const Pointer *p = v.pointer())
    return std::ranges::any_of(p->places, [&](Place place) { return move(place); });
  return anyPart(v, [&](const Value &part) { return concerns(part, move); });
}

void followIn(Value &v, const Move &move) {
  const auto each = [&](Value &part) {
    if (concerns(part, move))
      followIn(part, move);
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
  if (v.kind() == part.kind() && v.same(part)) {
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

//===----------------------------------------------------------------------===//
// Who leads where
//===----------------------------------------------------------------------===//

bool Machine::Followers::mayLead(clang::QualType type) {
  if (type.isNull())
    return true;
  type = type.getCanonicalType();
  if (numberKind(type))
    return false;
  if (const clang::Type *element = type->getArrayElementTypeNoTypeQual())
    return mayLead(clang::QualType(element, 0));
  const clang::CXXRecordDecl *record = type->isReferenceType() ? nullptr : Machine::classOf(type);
  if (!record || !record->hasDefinition())
    return true;
  record = record->getDefinition();
  // A part that is of the type itself may.
  const auto [row, isNew] = leading.try_emplace(type.getTypePtr(), true);
  if (!isNew)
    return row->second;
  const std::string_view name = m.qualifiedName(*record);
  bool may = false;
  if (const LibraryClass *cls = libraryClass(name); cls && record->isInStdNamespace()) {
    using Form = LibraryClass::Form;
    const bool isText = name == "std::basic_string" || name == "std::basic_string_view";
    may = !isText && cls->form != Form::List && cls->form != Form::Map && cls->form != Form::Parts &&
          cls->form != Form::Optional;
    for (unsigned i = 0; !may && !isText && i < typeArgumentCount(type); ++i)
      may = mayLead(typeArgument(type, i));
  } else if (!m.dom.isEmptyWhenMoved(name)) {
    const auto part = [&](clang::QualType t) { return mayLead(t); };
    may = std::ranges::any_of(record->fields(), [&](const clang::FieldDecl *f) { return part(f->getType()); }) ||
          std::ranges::any_of(record->bases(), [&](const clang::CXXBaseSpecifier &b) { return part(b.getType()); });
  }
  leading[type.getTypePtr()] = may;
  return may;
}

void Machine::Followers::noteLeads(ObjectId holder, const Value &v) {
  if (const Pointer *p = v.pointer()) {
    for (const Place &place : p->places)
      if (place.object && known.insert({holder.index(), place.object.index()}).second)
        holders[place.object.index()].push_back(holder);
    return;
  }
  anyPart(v, [&](const Value &part) {
    noteLeads(holder, part);
    return false;
  });
}

void Machine::Followers::noteStored(ObjectId holder, const Value &part) {
  if (part.pointer() || part.record() || part.list() || part.map() || part.callable() || part.optional())
    noteLeads(holder, part);
}

void Machine::Followers::refresh() {
  for (const ObjectId o : m.memory.takeChanged())
    if (mayLead(m.objects[o.index()].type))
      noteLeads(o, m.memory.get(o));
}

std::vector<ObjectId> Machine::Followers::holdersOf(ObjectId target) {
  refresh();
  const auto of = holders.find(target.index());
  return of == holders.end() ? std::vector<ObjectId>() : of->second;
}

void Machine::Followers::noteBound(const Pointer &at) {
  for (const Place &place : at.places)
    if (place.object && !place.path.empty())
      bound.insert(place.object.index());
}

/// What the pointer \p v, which is a span, leads to: the elements of what it points to.
static Value toElements(const Value &v) { return v.pointer() ? Value(v.pointer()->then(Step::ofIndex(0))) : v; }

bool Machine::Followers::isConcerned(ObjectId o, const Move &move) {
  const Value &v = m.memory.get(o);
  return concerns(m.className(m.objects[o.index()].type) == "std::span" ? toElements(v) : v, move);
}

void Machine::Followers::followFrom(ObjectId o, const Move &move) {
  if (!isConcerned(o, move))
    return;
  const bool isSpan = m.className(m.objects[o.index()].type) == "std::span";
  Value v = isSpan ? toElements(m.memory.get(o)) : m.memory.get(o);
  followIn(v, move);
  if (isSpan && v.pointer())
    for (Place &place : v.own<Pointer>().places)
      place.path.pop_back();
  m.memory.set(o, std::move(v));
}

bool Machine::Followers::isLedTo(const Place &whole, bool orAt) {
  const auto isThere = [&](const Place &place) {
    return !stepsBehind(whole, place).empty() || (orAt && place == whole);
  };
  const auto isThereIn = [&](const Pointer &p) { return std::ranges::any_of(p.places, isThere); };
  const Move is = [&](Place &place) { return isThere(place); };
  if (std::ranges::any_of(holdersOf(whole.object), [&](ObjectId o) { return isConcerned(o, is); }))
    return true;
  const bool isBound = bound.contains(whole.object.index());
  return std::ranges::any_of(m.stack, [&](const auto &frame) {
    return (frame->self && isThereIn(*frame->self)) || (frame->closure && isThereIn(*frame->closure)) ||
           (isBound &&
            std::ranges::any_of(frame->variables, [&](const auto &variable) { return isThereIn(variable.second); }));
  });
}

/// A reference is bound once for all paths: on one of several it leads to either. Only one path knows what stands
/// for something that has moved.
void Machine::Followers::followBound(Pointer &at, const Move &move, bool isCertain) {
  constexpr std::size_t most = 8;
  for (std::size_t i = 0, count = at.places.size(); i < count; ++i) {
    Place now = at.places[i];
    if (!move(now))
      continue;
    bound.insert(now.object.index());
    if (isCertain || m.objects[at.places[i].object.index()].storage == Storage::Moved)
      at.places[i] = std::move(now);
    else if (std::ranges::find(at.places, now) == at.places.end())
      at.places.push_back(std::move(now));
  }
  if (at.places.size() > most) {
    m.losePlaces(at);
    at = Pointer::unknown();
  }
}

void Machine::Followers::follow(std::initializer_list<ObjectId> targets, const Move &move) {
  std::vector<ObjectId> all;
  bool isBound = false;
  for (const ObjectId target : targets) {
    const std::vector<ObjectId> some = holdersOf(target);
    all.insert(all.end(), some.begin(), some.end());
    isBound = isBound || bound.contains(target.index());
  }
  std::ranges::sort(all, {}, &ObjectId::index);
  all.erase(std::ranges::unique(all).begin(), all.end());
  for (const ObjectId o : all)
    followFrom(o, move);
  const bool isCertain = m.path() == 0 && !m.inAnyTrip() && !m.scouting();
  for (const auto &frame : m.stack) {
    for (std::optional<Pointer> *own : {&frame->self, &frame->closure})
      if (*own)
        followBound(**own, move, isCertain);
    if (isBound)
      for (auto &[variable, at] : frame->variables)
        followBound(at, move, isCertain);
  }
  for (std::size_t i = 0, count = m.lostPlaces.size(); i < count; ++i)
    if (Place now = m.lostPlaces[i]; move(now))
      m.losePlaces(Pointer::to(std::move(now)));
}

//===----------------------------------------------------------------------===//
// What moves
//===----------------------------------------------------------------------===//

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
  const bool isLed = isLedTo(from, whole);
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

void Machine::Followers::arrive(const Place &to, const Value &held) {
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
    if (one.stand)
      follow({one.stand}, carry(Place{one.stand, {}}, now, one.whole));
    // What was on its way with it was not known to lead there.
    const Move inside = carry(one.from, now, one.whole);
    if (const Value all = m.memory.get(now.object); now != one.from && concerns(all, inside)) {
      Value renewed = all;
      followIn(renewed, inside);
      m.memory.set(now.object, std::move(renewed));
    }
  }
}

void Machine::Followers::lose(const Place &whole) {
  if (!m.isDead && whole.object && isLedTo(whole, false))
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
  if (isLedTo(at, false))
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
