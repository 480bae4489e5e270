//===- StandardMaps.cpp - Methods of maps ----------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Comparisons.h"
#include "MapKeys.h"
#include "StandardLibrary.h"
#include "Types.h"

namespace condlint::cxx {

namespace {

bool has(const Map &map, const std::string &key) { return map.entries.contains(key); }

bool isInsertion(std::string_view name) {
  return name == "emplace" || name == "insert" || name == "try_emplace" || name == "insert_or_assign" ||
         name == "emplace_hint";
}

/// How a map tells its keys apart, and puts them in order where it does.
enum class Keys : std::uint8_t { Ascending, Descending, ByOwn };

Keys keysOf(Machine &m, clang::QualType map) {
  const std::string_view name = m.className(map);
  const bool sorted = name == "std::map" || name == "std::multimap";
  if (!sorted && !name.starts_with("std::unordered_"))
    return Keys::Ascending; // another library's, that is like one
  const clang::QualType comparison = typeArgument(map, sorted ? 2 : 3);
  const std::string_view by = comparison.isNull() ? std::string_view() : m.className(comparison);
  if (comparison.isNull() || by == "std::less" || by == "std::equal_to")
    return Keys::Ascending;
  return by == "std::greater" ? Keys::Descending : Keys::ByOwn;
}

} // namespace

Value StandardLibrary::keyGiven(Call &c, std::size_t i) {
  const Value v = argument(c, i);
  return v.record() || v.isAbsent() ? v : converted(c, i, typeArgument(c.self->type, 0));
}

std::optional<std::string> StandardLibrary::keyIn(Call &c, const Value &v, const Map *known) {
  const Keys keys = keysOf(m, c.self->type);
  if (!v.record() && keys != Keys::ByOwn) {
    auto key = mapKey(v);
    return key && keys == Keys::Descending ? descendingKey(*key) : key;
  }
  auto key = !known ? std::nullopt : v.record() ? recordKey(v) : mapKey(v);
  if (!key)
    return std::nullopt;
  const KeyOrder order(m, c.self->type);
  for (const auto &[other, value] : known->entries) {
    const auto way = order.compare(mapKeyValue(other), v, other.compare(*key), c.expr);
    if (!way || m.dead())
      return std::nullopt;
    if (*way == 0)
      return other;
    // What stands in another order than theirs would be met in the wrong one.
    if (order.sorts() && (*way < 0) != (other < *key))
      return std::nullopt;
  }
  return key;
}

/// `insert`, `emplace` and their kin: the position, and whether there was none yet.
std::optional<Value> StandardLibrary::insertInMap(Call &c, std::string_view name, const Map &known) {
  const Pointer where = self(c);
  Map grown = known;
  const auto add = [&](const Value &pair) {
    const List *l = pair.list();
    const auto key = l && l->items.size() == 2 ? keyIn(c, l->items[0], &grown) : std::nullopt;
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
    return first == 1 ? at : Value(List{{at, Number::boolean(isNew, Provenance::Fixed)}, true, {}, {}});
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
  key = keyIn(c, argument(c, first), &known);
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
  return first == 1 ? at : Value(List{{at, Number::boolean(isNew, Provenance::Fixed)}, true, {}, {}});
}

Value StandardLibrary::mapEntry(Call &c, std::string_view name, Value whole) {
  const Pointer where = self(c);
  const Map *known = whole.map();
  const auto key = keyIn(c, keyGiven(c, 0), known);
  if (!key) {
    // Any of those that are there, or another one.
    Pointer any;
    if (known)
      for (const auto &[other, value] : known->entries)
        for (const Place &place : where.then(Step::ofKey(other)).places)
          any.places.push_back(place);
    if (!known || !known->complete || name == "operator[]")
      for (const Place &place : where.then(Step::ofKey(std::string(Step::anyElement))).places)
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

std::optional<Value> StandardLibrary::mapQuestion(Call &c, std::string_view name, const Value &whole) {
  const Pointer where = self(c);
  const Map *known = whole.map();
  if (name == "size" || name == "empty") {
    const Value n = m.sizeOf(whole);
    return name == "size" ? n : m.compare(clang::BO_EQ, n, Number::ofInteger(0), c.expr);
  }
  if (name == "count" || name == "contains") {
    const auto key = keyIn(c, keyGiven(c, 0), known);
    if (!key || !known || (!known->complete && !has(*known, *key)))
      return m.unknown(c.type, "an entry that is not known");
    return name == "count" ? Number::ofInteger(has(*known, *key) ? 1 : 0, Provenance::Fixed)
                           : Number::boolean(has(*known, *key), Provenance::Fixed);
  }
  if (name == "find") {
    const auto key = keyIn(c, keyGiven(c, 0), known);
    if (key && known && known->complete)
      return where.then(has(*known, *key) ? entryStep(*key) : endStep());
    if (key && (whole.symbol() || (known && (known->rest || has(*known, *key)))))
      return where.then(entryStep(*key));
    return m.unknown("a position in a map");
  }
  if (name == "begin" || name == "cbegin")
    return known && known->complete
               ? Value(where.then(known->entries.empty() ? endStep() : entryStep(known->entries.begin()->first)))
               : m.unknown("a position in a map");
  if (name == "end" || name == "cend")
    return where.then(endStep());
  return std::nullopt;
}

/// `erase` of a position or of a key.
std::optional<Value> StandardLibrary::eraseInMap(Call &c, const Map &known) {
  const Value which = argument(c, 0);
  const Place *place = which.pointer() ? which.pointer()->only() : nullptr;
  const bool position = place && !place->path.empty() && isEntry(place->path.back());
  const auto key = position ? std::optional(*place->path.back().key) : keyIn(c, which, &known);
  if (!key || (!known.complete && !has(known, *key)))
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

std::optional<Value> StandardLibrary::mapChange(Call &c, std::string_view name, const Value &whole) {
  const Pointer where = self(c);
  const Map *known = whole.map();
  if (name == "clear") {
    m.store(where, Map{}, c.expr);
    return Void{};
  }
  if (name == "operator=") {
    m.store(where, argument(c, 0), c.expr);
    return where;
  }
  if (name == "swap" && c.arguments.size() == 1) {
    const Pointer other = m.placeOf(c.arguments[0]);
    const Value theirs = argument(c, 0);
    m.store(where, theirs, c.expr);
    m.store(other, whole, c.expr);
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
  } else if (name != "merge" && name != "extract") {
    return std::nullopt;
  }
  if (changed)
    return changed;
  m.store(where, m.havoc(whole, m.reason("a map that changed in unknown ways")), c.expr);
  lose(c);
  return m.unknown(c.type, "an entry that is not known");
}

std::optional<Value> StandardLibrary::map(Call &c, std::string_view name) {
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

} // namespace condlint::cxx
