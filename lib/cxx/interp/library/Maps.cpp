//===- Maps.cpp - Methods of maps -----------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Maps.h"
#include "../machine/Followers.h"
#include "../machine/Names.h"
#include "../machine/Types.h"
#include "../values/MapKeys.h"
#include "Comparisons.h"
#include "LibraryClasses.h"
#include <algorithm>

namespace condlint::cxx {

namespace {

bool has(const Map &map, const std::string &key) { return map.entries.contains(key); }

bool isInsertion(std::string_view name) {
  return name == "emplace" || name == "insert" || name == "try_emplace" || name == "insert_or_assign" ||
         name == "emplace_hint";
}

/// How a map tells its keys apart, and puts them in order where it does. Ranked: each is compared with those that are
/// there, and keeps the position that this gives it.
enum class Keys : std::uint8_t { Ascending, Descending, ByOwn, Ranked };

Keys keysOf(Machine &m, clang::QualType map, const Value &key, const Map *known) {
  const std::string_view name = m.className(map);
  const bool sorted = isOrdered(name);
  const bool ranked = known && !known->entries.empty() && rankOf(known->entries.begin()->first);
  if (ranked || (sorted && key.record()) || isLibraryClass(name, LibraryClass::Multi))
    return Keys::Ranked;
  if (!sorted && !name.starts_with("std::unordered_"))
    return key.record() ? Keys::ByOwn : Keys::Ascending; // another library's, that is like one
  const KeysBy by = keysBy(m, map);
  if (by == KeysBy::Themselves)
    return key.record() ? Keys::ByOwn : Keys::Ascending;
  return !sorted ? Keys::ByOwn : by == KeysBy::Reversed ? Keys::Descending : Keys::Ranked;
}

/// A map by hash whose keys nothing of the program's own tells apart.
bool isToldApartByKey(Machine &m, clang::QualType map, const Value &key) {
  return !isOrdered(m.className(map)) && !key.record() && keysBy(m, map) == KeysBy::Themselves;
}

/// A position between the entry \p i and the one in front of it; nothing where there is no room.
std::optional<std::uint64_t> rankBefore(const Map &map, std::size_t i) {
  constexpr std::uint64_t room = std::uint64_t{1} << 32, middle = std::uint64_t{1} << 63;
  const auto rankAt = [&](std::size_t k) {
    return rankOf(std::next(map.entries.begin(), static_cast<std::ptrdiff_t>(k))->first).value_or(0);
  };
  if (map.entries.empty())
    return middle;
  const std::uint64_t low = i == 0 ? rankAt(0) - 2 * room : rankAt(i - 1);
  const std::uint64_t high = i == map.entries.size() ? rankAt(i - 1) + 2 * room : rankAt(i);
  return low < high && high - low > 1 ? std::optional(low + (high - low) / 2) : std::nullopt;
}

} // namespace

Value Maps::keyGiven(Call &c, std::size_t i) {
  const Value v = argument(c, i);
  return v.record() || v.isAbsent() ? v : converted(c, i, typeArgument(c.self->type, 0));
}

std::optional<LibraryModel::Among> Maps::among(Call &c, const Value &v, const Map &known) {
  const auto key = v.record() ? recordKey(v) : mapKey(v);
  if (!key || !known.complete)
    return std::nullopt;
  const KeyOrder order(m, c.self->type);
  const bool byKey = isToldApartByKey(m, c.self->type, v);
  std::size_t i = 0;
  Among at;
  if (!order.sorts())
    at = {known.entries.size(), known.entries.size()};
  for (const auto &[other, value] : known.entries) {
    const int byFields = unrankedKey(other).compare(*key);
    const auto way = byKey ? std::optional(byFields) : order.compare(mapKeyValue(other), v, byFields, c.expr);
    if (!way || m.dead())
      return std::nullopt;
    ++i;
    if (!order.sorts()) { // those that are one key stand beside each other
      if (*way == 0)
        at = {std::min(at.first, i - 1), i};
      continue;
    }
    if (*way > 0)
      break;
    ++at.end;
    at.first += *way < 0 ? 1U : 0U;
  }
  return at;
}

std::optional<std::string> Maps::keyIn(Call &c, const Value &v, const Map *known, bool another) {
  auto key = keyAmong(c, v, known, another);
  // What a key that is put in looks at may change.
  const bool looks =
      c.self && !isInsertion(c.callee->getNameAsString()) && c.callee->getOverloadedOperator() == clang::OO_None;
  return v.viewed() && !looks && key && !(known && known->entries.contains(*key)) ? std::nullopt : key;
}

std::optional<std::string> Maps::keyAmong(Call &c, const Value &v, const Map *known, bool another) {
  const Keys keys = keysOf(m, c.self->type, v, known);
  if (keys == Keys::Ascending || keys == Keys::Descending) {
    if (isAddressOfText(v, typeArgument(c.self->type, 0)))
      return std::nullopt;
    auto key = mapKey(v);
    return key && keys == Keys::Descending ? descendingKey(*key) : key;
  }
  auto key = !known ? std::nullopt : v.record() ? recordKey(v) : mapKey(v);
  if (!key)
    return std::nullopt;
  if (keys == Keys::Ranked) {
    const auto at = among(c, v, *known);
    if (!at)
      return std::nullopt;
    if (at->first < at->end && !another)
      return std::next(known->entries.begin(), static_cast<std::ptrdiff_t>(at->first))->first;
    const auto rank = rankBefore(*known, at->end);
    return rank ? std::optional(rankedKey(*rank, *key)) : std::nullopt;
  }
  const KeyOrder order(m, c.self->type);
  for (const auto &[other, value] : known->entries) {
    const auto way = order.compare(mapKeyValue(other), v, other.compare(*key), c.expr);
    if (!way || m.dead())
      return std::nullopt;
    if (*way == 0)
      return other;
  }
  return key;
}

/// `insert`, `emplace` and their kin: the position, and whether there was none yet.
std::optional<Value> Maps::insertInMap(Call &c, std::string_view name, const Map &known) {
  const Pointer where = self(c);
  const bool several = isLibraryClass(m.className(c.self->type), LibraryClass::Multi);
  Map grown = known;
  const auto add = [&](const Value &pair) {
    const List *l = pair.list();
    const auto key = l && l->items.size() == 2 ? keyIn(c, l->items[0], &grown, several) : std::nullopt;
    if (key && !has(grown, *key))
      grown.entries.emplace(*key, l->items[1]);
    return key;
  };
  const auto numberOfArguments = written(c);
  std::size_t first = 0;
  // A hint says nothing about the entry.
  if (name == "emplace_hint" || (name == "insert" && numberOfArguments == 2 && argument(c, 1).list()))
    first = 1;
  std::optional<std::string> key;
  if (numberOfArguments == first + 1) {
    const Value v = argument(c, first);
    const List *l = v.list();
    if (l && l->sized && m.className(c.arguments[first].type) == "std::initializer_list") {
      for (const Value &pair : l->items)
        if (!add(pair))
          return std::nullopt;
      m.store(where, grown, c.expr);
      return Void{};
    }
    key = add(v);
    if (!key)
      return std::nullopt;
    const bool isNew = !has(known, *key);
    m.store(where, grown, c.expr);
    const Value at = where.then(entryStep(*key));
    return first == 1 || several ? at : Value(List{{at, Number::boolean(isNew, Provenance::Fixed)}, true, {}, {}});
  }
  if (numberOfArguments == 2 && name == "insert") { // a range
    const auto places = range(argument(c, 0), argument(c, 1));
    if (!places)
      return std::nullopt;
    for (const Place &p : *places)
      if (!add(m.load(p, c.expr)))
        return std::nullopt;
    m.store(where, grown, c.expr);
    return Void{};
  }
  if (numberOfArguments < first + 2)
    return std::nullopt;
  key = keyIn(c, argument(c, first), &known, several);
  if (!key)
    return std::nullopt;
  const bool isNew = !has(known, *key);
  if (isNew || name == "insert_or_assign") {
    std::vector<Argument> rest(c.arguments.begin() + static_cast<std::ptrdiff_t>(first) + 1, c.arguments.end());
    grown.entries.insert_or_assign(*key, rest.size() == 1
                                             ? converted(c, first + 1, typeArgument(c.self->type, 1))
                                             : m.constructBest(typeArgument(c.self->type, 1), std::move(rest), c.expr));
    m.store(where, grown, c.expr);
  }
  const Value at = where.then(entryStep(*key));
  return first == 1 || several ? at : Value(List{{at, Number::boolean(isNew, Provenance::Fixed)}, true, {}, {}});
}

Value Maps::mapEntry(Call &c, std::string_view name, Value whole) {
  const Pointer where = self(c);
  const Map *known = whole.map();
  const Value given = keyGiven(c, 0);
  const auto key = keyIn(c, given, known);
  if (!known || (!known->complete && key && !has(*known, *key)))
    if (const auto many = countInOpen(c, key, whole)) {
      const Number &n = *many->number();
      if (name == "at") { // it throws where there is none
        atLeast(m, n, 1);
      } else { // it may be there from here on alone
        m.signedNumbers().leaveOpen(m.dims(), n.dim);
        if (const Value size = m.sizeOf(known ? Value(Symbol{known->rest}) : whole); size.number())
          m.signedNumbers().leaveOpen(m.dims(), size.number()->dim);
      }
    }
  if (!key) {
    // Any of those that are there, or another one.
    Pointer any;
    if (known)
      for (const auto &[other, value] : known->entries)
        for (const Place &place : where.then(Step::ofKey(other)).places)
          any.places.push_back(place);
    if (!known || !known->complete || name == "operator[]")
      for (const Place &place : where.then(m.entryAt(given)).places)
        any.places.push_back(place);
    any.other = any.places.empty();
    if (name == "operator[]" && known && known->complete) {
      Map grown = *known;
      grown.complete = false;
      m.store(where, grown, c.expr);
    }
    return any;
  }
  const bool isMissing = known && !has(*known, *key);
  if (isMissing && known->complete && name == "at") {
    m.load(*c.self);
    return Pointer::unknown();
  }
  if (isMissing && known->complete) {
    const Value fresh = m.defaultValue(typeArgument(c.self->type, 1), true);
    whole = Value(); // so that the map is changed where it stands
    const auto add = [&](Value &v) { v.own<Map>().entries.emplace(*key, fresh); };
    if (!m.modify(where, add, c.expr))
      return Pointer::unknown();
  }
  return where.then(Step::ofKey(*key));
}

/// A position in the map, of which nobody knows where it is.
Value Maps::lostPosition(Call &c) {
  m.losePlaces(self(c).then(Step::ofKey(std::string(Step::anyElement))));
  return m.unknown(c.type, "a position in a map");
}

/// The first position in the map, of which nobody knows which entry that is.
Value Maps::firstPosition(Call &c) {
  if (!m.domain().relatesAnswers())
    return lostPosition(c);
  const std::int64_t index = m.positionIndex({AskedPosition::Kind::First});
  return self(c).then(entryStep(std::string(Step::anyElement) + std::to_string(index)));
}

/// How many entries of the key that \p c is given are in the map \p whole from outside, or in one that was made of it
/// where they are not among those that were changed. \p key: as the map tells it, if it is known.
std::optional<Value> Maps::countInOpen(Call &c, const std::optional<std::string> &key, const Value &whole) {
  const Map *known = whole.map();
  if (known && (!key || !known->rest))
    return std::nullopt;
  return countOfKey(m, known ? Value(Symbol{known->rest}) : whole, keyGiven(c, 0), c.self->type);
}

std::optional<Value> Maps::mapQuestion(Call &c, std::string_view name, const Value &whole) {
  const Pointer where = self(c);
  const Map *known = whole.map();
  if (name == "size" || name == "empty") {
    const Value n = m.sizeOf(whole);
    return name == "size" ? n : m.compare(clang::BO_EQ, n, Number::ofInteger(0), c.expr);
  }
  if (name == "count" || name == "contains") {
    const auto key = keyIn(c, keyGiven(c, 0), known);
    if (!key || !known || (!known->complete && !has(*known, *key))) {
      const auto many = countInOpen(c, key, whole);
      return !many             ? m.unknown(c.type, "an entry that is not known")
             : name == "count" ? *many
                               : m.compare(clang::BO_NE, *many, Number::ofInteger(0), c.expr);
    }
    if (const auto all = name == "count" && rankOf(*key) ? among(c, keyGiven(c, 0), *known) : std::nullopt)
      return Number::ofInteger(static_cast<std::int64_t>(all->end - all->first), Provenance::Fixed);
    return name == "count" ? Number::ofInteger(has(*known, *key) ? 1 : 0, Provenance::Fixed)
                           : Number::boolean(has(*known, *key), Provenance::Fixed);
  }
  if (name == "find") {
    const auto key = keyIn(c, keyGiven(c, 0), known);
    const bool isAny = known && isLibraryClass(m.className(c.self->type), LibraryClass::Multi) &&
                       !isOrdered(m.className(c.self->type));
    if (const auto all = isAny ? among(c, keyGiven(c, 0), *known) : std::nullopt; all && all->end - all->first > 1) {
      Pointer one; // which of them comes first, the library does not say
      for (std::size_t i = all->first; i < all->end; ++i)
        for (const Place &p :
             where.then(entryStep(std::next(known->entries.begin(), static_cast<std::ptrdiff_t>(i))->first)).places)
          one.places.push_back(p);
      return one;
    }
    if (key && known && known->complete)
      return where.then(has(*known, *key) ? entryStep(*key) : endStep());
    if (key && (whole.symbol() || (known && (known->rest || has(*known, *key)))))
      return where.then(entryStep(*key));
    return lostPosition(c);
  }
  const auto at = [&](std::size_t i) -> Value {
    const bool isThere = i < known->entries.size();
    return where.then(isThere ? entryStep(std::next(known->entries.begin(), static_cast<std::ptrdiff_t>(i))->first)
                              : endStep());
  };
  // A position that counts backwards is the one behind what it points to.
  if (name == "begin" || name == "cbegin" || name == "rend" || name == "crend")
    return known && known->complete ? at(0) : firstPosition(c);
  if (name == "end" || name == "cend")
    return where.then(endStep());
  if (name == "rbegin" || name == "crbegin")
    return known && known->complete ? Value(where.then(endStep())) : m.unknown("a position in a map");
  if (name == "equal_range" || name == "lower_bound" || name == "upper_bound") {
    const bool tells = isOrdered(m.className(c.self->type)) || name == "equal_range";
    const auto all = tells && known && written(c) == 1 ? among(c, keyGiven(c, 0), *known) : std::nullopt;
    if (!all)
      return lostPosition(c);
    return name == "equal_range" ? Value(List{{at(all->first), at(all->end)}, true, {}, {}})
                                 : at(name == "lower_bound" ? all->first : all->end);
  }
  return std::nullopt;
}

/// `erase` of a key that a map may hold more than once.
std::optional<Value> Maps::eraseAll(Call &c, const Value &which, const Map &known) {
  const auto all = among(c, which, known);
  if (!all)
    return std::nullopt;
  Map less = known;
  const auto first = std::next(less.entries.begin(), static_cast<std::ptrdiff_t>(all->first));
  const auto end = std::next(less.entries.begin(), static_cast<std::ptrdiff_t>(all->end));
  for (auto entry = first; entry != end; ++entry)
    m.destroy(self(c).then(Step::ofKey(entry->first)), typeArgument(c.self->type, 1));
  less.entries.erase(first, end);
  m.store(self(c), less, c.expr);
  return Number::ofInteger(static_cast<std::int64_t>(all->end - all->first), Provenance::Fixed);
}

/// `erase` of a position or of a key.
std::optional<Value> Maps::eraseInMap(Call &c, const Map &known) {
  const Value which = argument(c, 0);
  const Place *place = which.pointer() ? which.pointer()->only() : nullptr;
  const bool position = place && !place->path.empty() && isEntry(place->path.back());
  if (!position && isLibraryClass(m.className(c.self->type), LibraryClass::Multi))
    return eraseAll(c, which, known);
  const auto key = position ? std::optional(*place->path.back().key) : keyIn(c, which, &known);
  if (!key || !known.complete) // what is not listed is as it was given
    return std::nullopt;
  Value next = Number::ofInteger(has(known, *key) ? 1 : 0, Provenance::Fixed);
  if (position)
    next = m.offset(which, Number::ofInteger(1), 1);
  Map less = known;
  if (has(known, *key))
    m.destroy(self(c).then(Step::ofKey(*key)), typeArgument(c.self->type, 1));
  less.entries.erase(*key);
  m.store(self(c), less, c.expr);
  return next;
}

/// `merge`: what is not there yet comes over, and the other map keeps the rest.
std::optional<Value> Maps::mergeInMap(Call &c, const Value &whole) {
  const Pointer where = self(c), from = m.placeOf(c.arguments[0]);
  const Value given = argument(c, 0);
  const Map *own = whole.map(), *other = given.map();
  if (where == from)
    return Void{};
  if (!own || !other || !own->complete || !other->complete)
    return std::nullopt;
  const bool several = isLibraryClass(m.className(c.self->type), LibraryClass::Multi);
  Map all = *own, rest;
  for (const auto &[key, value] : other->entries) {
    const auto here = keyIn(c, mapKeyValue(key), &all, several);
    if (!here || m.dead())
      return std::nullopt;
    if (!all.entries.emplace(*here, value).second)
      rest.entries.emplace(key, value);
  }
  for (const Pointer &left : {where, from}) // what leads to an entry may lead into the other one now
    if (const Place *only = left.only())
      m.followers().lose(*only);
  m.store(where, all, c.expr);
  m.store(from, rest, c.expr);
  return Void{};
}

/// `extract` of a position or of a key; what is made of the entry is not followed.
std::optional<Value> Maps::extracted(Call &c, const Map &known) {
  const Value which = argument(c, 0);
  const Place *place = which.pointer() ? which.pointer()->only() : nullptr;
  const bool isPosition = place && !place->path.empty() && isEntry(place->path.back());
  if (!known.complete || (!isPosition && isLibraryClass(m.className(c.self->type), LibraryClass::Multi)))
    return std::nullopt;
  const auto key = isPosition ? std::optional(*place->path.back().key) : keyIn(c, keyGiven(c, 0), &known);
  if (!key)
    return std::nullopt;
  Map less = known;
  if (const auto entry = less.entries.find(*key); entry != less.entries.end()) {
    const Value taken = entry->second;
    less.entries.erase(entry);
    m.losePlaces(taken);
    m.havoc(taken, m.reason("what was taken out of a map"));
  }
  if (const Place *whole = self(c).only())
    m.followers().lose(*whole);
  m.store(self(c), less, c.expr);
  return m.unknown("what was taken out of a map");
}

std::optional<Value> Maps::mapChange(Call &c, std::string_view name, const Value &whole) {
  const Pointer where = self(c);
  const Map *known = whole.map();
  if (name == "clear") {
    m.store(where, Map{}, c.expr);
    return Void{};
  }
  if (name == "operator=") {
    const bool isSame = m.className(c.arguments[0].type) == m.className(c.self->type);
    m.store(where, isSame ? taken(c, 0, c.self->type) : argument(c, 0), c.expr);
    return where;
  }
  if (name == "swap" && c.arguments.size() == 1) {
    const Pointer other = m.placeOf(c.arguments[0]);
    const Value theirs = argument(c, 0);
    m.store(where, theirs, c.expr);
    m.store(other, whole, c.expr);
    m.followers().swapped(where, other, c.self->type);
    return Void{};
  }
  if (name == "reserve" || name == "rehash" || name == "max_load_factor")
    return Void{};

  Answer changed;
  if (isInsertion(name)) {
    if (const std::size_t given = written(c); given > 0) {
      const Value last = argument(c, given - 1);
      const List *pair = last.list();
      hold(where, pair && pair->items.size() == 2 ? pair->items[1] : last, c);
    }
    if (known)
      changed = insertInMap(c, name, *known);
  } else if (name == "erase") {
    if (known && written(c) == 1)
      changed = eraseInMap(c, *known);
  } else if (name == "merge") {
    if (written(c) == 1)
      changed = mergeInMap(c, whole);
  } else if (name == "extract") {
    if (known && written(c) == 1)
      changed = extracted(c, *known);
  } else {
    return std::nullopt;
  }
  if (changed)
    return changed;
  if (name == "merge" || name == "extract") { // what leaves a map is another one's entry
    for (const Pointer &from : {where, name == "merge" ? m.placeOf(c.arguments[0]) : where})
      if (const Place *only = from.only())
        m.followers().lose(*only);
  }
  m.store(where, m.havoc(whole, m.reason("a map that changed in unknown ways")), c.expr);
  lose(c);
  if (name == "merge") // the other one keeps what is in both
    m.escape(c, m.reason("a map that changed in unknown ways"));
  return lostPosition(c);
}

std::optional<Value> Maps::map(Call &c, std::string_view name) {
  const Pointer where = self(c);
  // What only changes the map does not use it; what hands out an entry leaves its use to who gets it.
  const bool changes = name == "operator[]" || name == "at" || isInsertion(name) || name == "clear" ||
                       name == "operator=" || name == "erase" || name == "reserve";
  Value whole = changes && where.only() ? m.peek(*where.only()) : m.load(*c.self);
  if (name == "operator[]" || name == "at")
    return mapEntry(c, name, std::move(whole));
  if (Answer a = mapQuestion(c, name, whole))
    return a;
  return mapChange(c, name, whole);
}

std::optional<Value> Maps::construct(Call &c, std::string_view cls) {
  return written(c) == 0 || comparesOnly(c, cls) ? Value(Map{}) : constructMap(c);
}

Value Maps::constructMap(Call &c) {
  const Value first = argument(c, 0);
  const List *entries = first.list();
  if (!entries || !entries->sized)
    return first.map() ? first : m.unknown("a map");
  Map map;
  Call into = c; // as if each were inserted
  into.self.emplace();
  into.self->type = c.type;
  bool plain = true;
  for (const Value &e : entries->items) {
    const List *pair = e.list();
    const bool several = isLibraryClass(m.className(c.type), LibraryClass::Multi);
    if (const auto key = pair && pair->items.size() == 2 ? keyIn(into, pair->items[0], &map, several) : std::nullopt)
      map.entries.emplace(*key, pair->items[1]);
    else
      map.complete = false;
    plain = plain && pair && pair->items.size() == 2 && (pair->items[1].number() || pair->items[1].text());
  }
  // Nobody chooses what keys lead to that are not told apart here.
  if (!map.complete && plain && m.isDetermined(first))
    return m.determined(m.unknown("a map by keys that are not followed"));
  return map;
}

} // namespace condlint::cxx
