//===- Sets.cpp - Methods of sets -----------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sets.h"
#include "../machine/Followers.h"
#include "../machine/Types.h"
#include "../values/MapKeys.h"
#include "Comparisons.h"
#include "LibraryClasses.h"
#include "MovedElements.h"
#include "Sequences.h"
#include <algorithm>
#include <functional>
#include <span>

namespace condlint::cxx {

namespace {

/// More are not compared one by one.
constexpr std::size_t mostCompared = 48;

} // namespace

std::optional<LibraryModel::Among> Sets::amongSorted(const Value &item, std::span<const Value> items) {
  bool isKnown = true;
  const auto compares = [&](const Value &other) {
    const auto way = compareKeys(other, item);
    isKnown = isKnown && way;
    return way.value_or(0);
  };
  const auto first = std::ranges::partition_point(items, [&](const Value &other) { return compares(other) < 0; });
  const auto end = std::partition_point(first, items.end(), [&](const Value &other) { return compares(other) <= 0; });
  if (!isKnown)
    return std::nullopt;
  return Among{static_cast<std::size_t>(first - items.begin()), static_cast<std::size_t>(end - items.begin())};
}

std::optional<LibraryModel::Among> Sets::amongElements(const Value &item, std::span<const Value> items,
                                                       clang::QualType type, const clang::Expr *at) {
  const bool sorted = isOrdered(m.className(type));
  const bool isByText = !isAddressOfText(item, typeArgument(type, 0));
  const bool isByKeys = keysBy(m, type) == KeysBy::Themselves;
  const auto key = isByText && isByKeys ? mapKey(item) : std::nullopt;
  if (!isByText && isByKeys)
    return std::nullopt;
  if (!key && (!sorted || items.size() > mostCompared))
    return std::nullopt;
  if (key && sorted)
    if (const auto found = amongSorted(item, items))
      return found;
  const auto isBefore = [&](const Value &a, const Value &b) {
    return comesBefore(m, typeArgument(type, 1), typeArgument(type, 0), a, b, at);
  };
  Among found;
  for (const Value &other : items) {
    std::optional<int> way; // of the other one to it
    if (const auto known = key ? compareKeys(other, item) : std::nullopt) {
      way = known;
    } else if (const auto less = sorted ? isBefore(other, item) : std::nullopt) {
      const auto greater = *less ? std::optional(false) : isBefore(item, other);
      if (greater)
        way = *less ? -1 : *greater ? 1 : 0;
    }
    if (!way || m.dead())
      return std::nullopt;
    if (*way == 0 && !sorted)
      return Among{found.first, found.first + 1};
    if (*way > 0 && sorted)
      break;
    ++found.end;
    found.first += *way != 0 ? 1U : 0U;
  }
  return found;
}

std::optional<Value> Sets::construct(Call &c, std::string_view cls) {
  const std::size_t count = written(c);
  return count == 0 || comparesOnly(c, cls) ? Value(List{}) : asSet(Sequences(m).constructSequence(c, count), c);
}

Value Sets::asSet(const Value &v, const Call &c) {
  const List *given = v.list();
  if (!given || !given->isComplete() || given->items.size() < 2)
    return v;
  const std::string_view cls = m.className(c.type);
  List l;
  for (const Value &item : given->items) {
    const auto at = amongElements(item, l.items, c.type, c.expr);
    if (!at) {
      l = List{};
      l.sized = false;
      for (const Value &one : given->items)
        l.every = m.join(l.every, one);
      return l;
    }
    if (at->first == at->end || isLibraryClass(cls, LibraryClass::Multi))
      l.items.insert(l.items.begin() + static_cast<std::ptrdiff_t>(at->end), item);
  }
  return l;
}

Value Sets::lostSet(Call &c) {
  const Pointer where = self(c);
  List l;
  l.sized = false;
  l.every = m.unknown(typeArgument(c.self->type, 0), "an element of a set that is not known");
  m.store(where, l, c.expr);
  lose(c);
  const Value position = where.then(Step::ofIndex(-1));
  return isLibraryClass(m.className(c.self->type), LibraryClass::Multi)
             ? position
             : Value(List{{position, Number::unknown(Number::Kind::Bool)}, true, {}, {}});
}

std::optional<Value> Sets::merged(Call &c) {
  const Pointer where = self(c), from = m.placeOf(c.arguments[0]);
  if (where == from)
    return Void{};
  const Value own = m.load(*c.self), given = argument(c, 0);
  for (const Pointer &left : {where, from}) // what leads to an element may lead into the other one now
    if (const Place *only = left.only())
      m.followers().lose(*only);
  const bool several = isLibraryClass(m.className(c.self->type), LibraryClass::Multi);
  bool isKnown = own.list() && own.list()->isOwn() && given.list() && given.list()->isOwn();
  List all, rest;
  if (isKnown)
    all = *own.list();
  for (std::size_t i = 0; isKnown && i < given.list()->items.size(); ++i) {
    const Value &item = given.list()->items[i];
    const auto at = amongElements(item, all.items, c.self->type, c.expr);
    isKnown = at.has_value();
    if (at && at->first < at->end && !several)
      rest.items.push_back(item);
    else if (at)
      all.items.insert(all.items.begin() + static_cast<std::ptrdiff_t>(at->end), item);
  }
  if (!isKnown) {
    lostSet(c);
    m.store(from, m.unknown("a set of which another one took what it lacked"), c.expr);
    return Void{};
  }
  m.store(where, all, c.expr);
  m.store(from, rest, c.expr);
  return Void{};
}

std::optional<Value> Sets::set(Call &c, std::string_view name) {
  if (name == "merge" && written(c) == 1)
    return merged(c);
  const bool adds = name == "insert" || name == "emplace";
  const bool bounds = name == "equal_range" || name == "lower_bound" || name == "upper_bound";
  const bool erases =
      name == "erase" && written(c) == 1 && m.className(c.arguments[0].type).find("iterator") == std::string_view::npos;
  if ((!adds && !bounds && !erases && name != "count" && name != "contains" && name != "find") || written(c) != 1)
    return adds && written(c) > 1 ? Sequences(m).lostSequence(c) : Sequences(m).sequence(c, name);
  const Pointer where = self(c);
  const Value item = argument(c, 0);
  Value whole = m.load(*c.self);
  const bool isOwn = whole.list() && whole.list()->isOwn();
  std::optional<std::vector<Value>> copied = isOwn ? std::nullopt : m.elements(whole);
  const std::span<const Value> items = isOwn    ? std::span<const Value>(whole.list()->items)
                                       : copied ? std::span<const Value>(*copied)
                                                : std::span<const Value>();
  const auto among = (isOwn || copied) && m.className(c.arguments[0].type) != "std::initializer_list"
                         ? amongElements(item, items, c.self->type, c.expr)
                         : std::nullopt;
  if (!among && erases) {
    lostSet(c);
    return m.unknown(c.type, "how many elements a set held of what is not known");
  }
  if (const auto asked = among ? std::nullopt : askedOfKey(m, c, name, whole, item))
    return asked;
  if (!among)
    return adds ? lostSet(c) : m.unknown(c.type, "whether a set holds what is not known");
  const std::size_t count = items.size();
  const auto change = [&](const std::function<void(std::vector<Value> &)> &how) {
    whole = Value(); // so that the set is changed where it stands
    bool isDone = false;
    const auto inPlace = [&](Value &v) {
      isDone = v.list() && v.list()->isOwn();
      if (isDone)
        how(v.own<List>().items);
    };
    if (isOwn && m.modify(where, inPlace, c.expr) && isDone)
      return;
    std::vector<Value> now = copied ? std::move(*copied) : m.elements(m.load(*c.self)).value_or(std::vector<Value>());
    how(now);
    m.store(where, List{std::move(now), true, {}, {}}, c.expr);
  };
  const auto at = [&](std::size_t i) -> Value { return where.then(Step::ofIndex(static_cast<std::int64_t>(i))); };
  const bool has = among->first < among->end;
  const MovedElements following(m, c, name);
  if (erases) {
    for (std::size_t i = among->first; i < among->end; ++i)
      m.destroy(where.then(Step::ofIndex(static_cast<std::int64_t>(i))), typeArgument(c.self->type, 0));
    change([&](std::vector<Value> &held) {
      held.erase(held.begin() + static_cast<std::ptrdiff_t>(among->first),
                 held.begin() + static_cast<std::ptrdiff_t>(among->end));
    });
    return Number::ofInteger(static_cast<std::int64_t>(among->end - among->first), Provenance::Fixed);
  }
  if (name == "find")
    return at(has ? among->first : count);
  if (name == "count")
    return Number::ofInteger(static_cast<std::int64_t>(among->end - among->first), Provenance::Fixed);
  if (name == "contains")
    return Number::boolean(has, Provenance::Fixed);
  if (name == "equal_range")
    return List{{at(among->first), at(among->end)}, true, {}, {}};
  if (bounds)
    return at(name == "lower_bound" ? among->first : among->end);
  const bool several = isLibraryClass(m.className(c.self->type), LibraryClass::Multi);
  if (!has || several) {
    hold(where, item, c);
    change(
        [&](std::vector<Value> &held) { held.insert(held.begin() + static_cast<std::ptrdiff_t>(among->end), item); });
  }
  const Value position = at(has && !several ? among->first : among->end);
  return several ? position : Value(List{{position, Number::boolean(!has, Provenance::Fixed)}, true, {}, {}});
}

} // namespace condlint::cxx
