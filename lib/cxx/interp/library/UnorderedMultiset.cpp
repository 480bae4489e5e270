//===- UnorderedMultiset.cpp - std::unordered_multiset --------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A list in which elements that are the same stand beside each other. They are told
// apart by their keys, where what compares and hashes them is the library's own.
//
//===----------------------------------------------------------------------===//

#include "../machine/Types.h"
#include "../values/MapKeys.h"
#include "Comparisons.h"
#include "LibraryClasses.h"
#include "Sequences.h"
#include <algorithm>
#include <span>

namespace condlint::cxx {

namespace {

class UnorderedMultiset : public LibraryModel {
public:
  using LibraryModel::LibraryModel;
  Answer construct(Call &c, std::string_view cls);
  Answer method(Call &c, std::string_view name);

private:
  /// Where those that are the same as \p item stand in \p items, or where it would; nothing where that is not known.
  std::optional<Among> same(const Value &item, std::span<const Value> items, clang::QualType type) const;
};

std::optional<LibraryModel::Among> UnorderedMultiset::same(const Value &item, std::span<const Value> items,
                                                           clang::QualType type) const {
  const auto key = keysBy(m, type) == KeysBy::Themselves ? mapKey(item) : std::nullopt;
  if (!key)
    return std::nullopt;
  Among found{items.size(), items.size()};
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto other = mapKey(items[i]);
    if (!other)
      return std::nullopt;
    if (other->compare(*key) == 0)
      found = Among{std::min(found.first, i), i + 1};
  }
  return found;
}

LibraryModel::Answer UnorderedMultiset::construct(Call &c, std::string_view /*cls*/) {
  const std::size_t count = written(c);
  // A number is how many buckets there are.
  const bool isEmpty = count == 0 || c.arguments[0].type.getNonReferenceType()->isIntegerType();
  Value given = isEmpty ? Value(List{}) : Sequences(m).constructSequence(c, count);
  const List *list = given.list();
  if (!list || !list->isComplete())
    return given;
  List l;
  for (const Value &item : list->items) {
    const auto at = same(item, l.items, c.type);
    if (!at) {
      l = List{};
      l.sized = false;
      for (const Value &one : list->items)
        l.every = m.join(l.every, one);
      return l;
    }
    l.items.insert(l.items.begin() + static_cast<std::ptrdiff_t>(at->end), item);
  }
  return l;
}

LibraryModel::Answer UnorderedMultiset::method(Call &c, std::string_view name) {
  const bool adds = name == "insert" || name == "emplace";
  const bool looks = name == "find" || name == "count" || name == "contains" || name == "equal_range";
  const bool isPosition =
      written(c) == 1 && m.className(c.arguments[0].type).find("iterator") != std::string_view::npos;
  if (!adds && !looks && (name != "erase" || isPosition || written(c) != 1))
    return Sequences(m).sequence(c, name);
  if (written(c) != 1 || m.className(c.arguments[0].type) == "std::initializer_list")
    return Sequences(m).lostSequence(c);
  const Pointer where = self(c);
  const Value item = argument(c, 0);
  const Value whole = m.load(*c.self);
  auto items = m.elements(whole);
  const auto among = items ? same(item, *items, c.self->type) : std::nullopt;
  if (const auto asked = among ? std::nullopt : askedOfKey(m, c, name, whole, item))
    return asked;
  if (!among)
    return looks ? m.unknown(c.type, "whether a set holds what is not known") : Sequences(m).lostSequence(c);
  const auto at = [&](std::size_t i) -> Value { return where.then(Step::ofIndex(static_cast<std::int64_t>(i))); };
  const auto begin = items->begin();
  const Value count = Number::ofInteger(static_cast<std::int64_t>(among->end - among->first), Provenance::Fixed);
  if (name == "count")
    return count;
  if (name == "contains")
    return Number::boolean(among->first < among->end, Provenance::Fixed);
  if (name == "find")
    return at(among->first < among->end ? among->first : items->size());
  if (name == "equal_range")
    return List{{at(among->first), at(among->end)}, true, {}, {}};
  if (adds) {
    hold(where, item, c);
    items->insert(begin + static_cast<std::ptrdiff_t>(among->end), item);
  } else {
    for (std::size_t i = among->first; i < among->end; ++i)
      m.destroy(where.then(Step::ofIndex(static_cast<std::int64_t>(i))), typeArgument(c.self->type, 0));
    items->erase(begin + static_cast<std::ptrdiff_t>(among->first), begin + static_cast<std::ptrdiff_t>(among->end));
  }
  m.store(where, List{std::move(*items), true, {}, {}}, c.expr);
  return adds ? at(among->end) : count;
}

} // namespace

std::optional<Value> makeUnorderedMultiset(Machine &m, Call &c, std::string_view cls) {
  return UnorderedMultiset(m).construct(c, cls);
}

std::optional<Value> inUnorderedMultiset(Machine &m, Call &c, std::string_view method) {
  return UnorderedMultiset(m).method(c, method);
}

} // namespace condlint::cxx
