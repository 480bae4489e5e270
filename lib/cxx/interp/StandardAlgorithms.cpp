//===- StandardAlgorithms.cpp - <algorithm> ---------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StandardLibrary.h"
#include "Types.h"
#include <algorithm>
#include <array>
#include <clang/AST/ASTContext.h>

namespace condlint::cxx {

namespace {

/// What std::back_inserter returns: the list that grows.
class BackInserter : public Datum {
public:
  explicit BackInserter(Pointer p) : list(std::move(p)) {}
  bool equals(const Datum &other) const override {
    const auto *o = dynamic_cast<const BackInserter *>(&other);
    return o && o->list == list;
  }
  Pointer list;
};

} // namespace

void StandardLibrary::put(const Value &out, std::int64_t i, const Value &v, const Call &c) {
  if (const auto *inserter = out.as<BackInserter>()) {
    const Place *only = inserter->list.only();
    const Value old = only ? m.peek(*only) : m.unknown("a list");
    List l;
    if (const List *known = old.list())
      l = *known;
    else
      l.sized = false;
    if (l.sized && i >= 0) {
      l.items.push_back(v);
    } else {
      Value every = l.every;
      for (const Value &item : l.items)
        every = m.join(every, item);
      l.items.clear();
      l.sized = false;
      l.every = m.join(every, v);
      if (l.every.unknown())
        m.domain().onLost(m, v, c.expr);
    }
    return m.store(inserter->list, l, c.expr);
  }
  const Value at = i == 0                   ? out
                   : i < 0 && out.pointer() ? m.offset(out, Value(), 1)
                                            : m.offset(out, Number::ofInteger(i), 1);
  m.store(m.dereference(at, {}, c.expr), v, c.expr);
}

std::optional<Value> StandardLibrary::algorithm(Call &c, std::string_view name) {
  if ((name == "back_inserter" || name == "inserter" || name == "front_inserter") && !c.self && !c.arguments.empty())
    return Value(std::make_shared<const BackInserter>(m.placeOf(c.arguments[0])));
  static constexpr std::array<std::string_view, 23> known{
      "for_each",   "transform",   "fill",   "fill_n", "copy",    "copy_n",    "iota",    "reverse",
      "sort",       "stable_sort", "any_of", "all_of", "none_of", "count_if",  "find_if", "generate",
      "accumulate", "count",       "find",   "rotate", "remove",  "remove_if", "copy_if"};
  if (c.self || std::ranges::find(known, name) == known.end() || c.arguments.size() < 2)
    return std::nullopt;
  const Value first = argument(c, 0);
  const Value last = argument(c, 1);
  const bool counted = name == "fill_n" || name == "copy_n";
  Value end = last;
  if (counted && first.pointer())
    end = m.offset(first, last, 1);
  const std::optional<std::vector<Place>> places = range(first, end);
  const clang::QualType elementType =
      c.arguments[0].expr ? pointeeType(c.arguments[0].expr->getType()) : clang::QualType();
  // Each position, or once for any of them.
  const auto each = [&](const std::function<void(const Pointer &, std::int64_t)> &f) {
    if (places && places->size() <= 64) {
      for (std::size_t i = 0; i < places->size() && !m.dead(); ++i)
        f(Pointer::to((*places)[i]), static_cast<std::int64_t>(i));
      return;
    }
    m.domain().onOpaque(m, c); // any number of times
    Pointer any = m.dereference(first, elementType, c.expr);
    for (Place &p : any.places)
      if (!p.path.empty() && !p.path.back().field && !p.path.back().key)
        p.path.back().index = -1;
    m.summariseLoop([&] { f(any, -1); });
  };
  const auto invoke = [&](std::size_t function, std::vector<Value> values, const Pointer *at) {
    std::vector<Argument> args;
    if (at) {
      Argument a;
      a.place = *at;
      a.type = elementType;
      args.push_back(std::move(a));
    }
    for (Value &v : values)
      args.push_back({nullptr, {}, std::move(v), std::nullopt, false});
    return m.invoke(m.placeOf(c.arguments[function]), std::move(args), c.expr);
  };
  if (name == "for_each") {
    each([&](const Pointer &at, std::int64_t) { invoke(2, {}, &at); });
    return argument(c, 2);
  }
  if (name == "transform") {
    const bool two = c.arguments.size() == 5;
    const Value out = argument(c, two ? 3 : 2);
    const Value second = two ? argument(c, 2) : Value();
    each([&](const Pointer &at, std::int64_t i) {
      std::vector<Value> more;
      if (two)
        more.push_back(
            m.load(m.dereference(i >= 0 ? m.offset(second, Number::ofInteger(i), 1) : second, {}, c.expr), c.expr));
      const Value v = invoke(two ? 4 : 3, std::move(more), &at);
      if (!m.dead())
        put(out, i, v, c);
    });
    return m.unknown("a position");
  }
  if (name == "fill" || name == "fill_n") {
    const Value v = argument(c, 2);
    each([&](const Pointer &at, std::int64_t) { m.store(at, v, c.expr); });
    return Void{};
  }
  if (name == "copy" || name == "copy_n") {
    const Value out = argument(c, 2);
    each([&](const Pointer &at, std::int64_t i) { put(out, i, m.load(at, c.expr, elementType), c); });
    return m.unknown("a position");
  }
  if (name == "iota") {
    const Value start = argument(c, 2);
    each([&](const Pointer &at, std::int64_t i) {
      const Value v = i >= 0 ? m.arithmetic(clang::BO_Add, start, Number::ofInteger(i),
                                            elementType.isNull() ? m.ast().LongTy : elementType, c.expr)
                             : m.unknown(elementType, "one of several numbers");
      m.store(at, v, c.expr);
    });
    return Void{};
  }
  if (name == "generate") {
    each([&](const Pointer &at, std::int64_t) { m.store(at, invoke(2, {}, nullptr), c.expr); });
    return Void{};
  }
  if (name == "reverse" && places) {
    std::vector<Value> values;
    for (const Place &p : *places)
      values.push_back(m.load(p, c.expr, elementType));
    for (std::size_t i = 0; i < values.size(); ++i)
      m.store(Pointer::to((*places)[i]), values[values.size() - 1 - i], c.expr);
    return Void{};
  }
  if (name == "reverse" || name == "sort" || name == "stable_sort" || name == "rotate") {
    // The same elements in some order.
    Value any;
    if (places)
      for (const Place &p : *places)
        any = m.join(any, m.load(p, c.expr, elementType));
    each([&](const Pointer &at, std::int64_t) {
      m.store(at, places ? any : m.unknown(elementType, "an element of a list in unknown order"), c.expr);
    });
    return m.unknown(c.type, "a position");
  }
  if (name == "accumulate") {
    Value sum = argument(c, 2);
    const bool function = c.arguments.size() > 3;
    if (!function && !sum.number())
      return std::nullopt;
    if (!places || places->size() > 64) {
      anyElement(first, elementType, c);
      return m.unknown(c.type, "a sum of several");
    }
    for (const Place &p : *places) {
      const Value v = m.load(p, c.expr, elementType);
      sum = function ? invoke(3, {sum, v}, nullptr) : m.arithmetic(clang::BO_Add, sum, v, c.type, c.expr);
    }
    return sum;
  }
  if (name == "remove" || name == "remove_if" || name == "copy_if") {
    if (places && places->size() <= 64)
      if (Answer a = removed(c, name, *places, last))
        return a;
    return std::nullopt;
  }
  if (places && places->size() <= 64 &&
      (name.ends_with("_of") || name == "find_if" || name == "find" || name == "count_if" || name == "count")) {
    // As long as each answer is known.
    const bool compares = name == "find" || name == "count";
    std::int64_t hits = 0;
    std::optional<std::size_t> hit;
    std::size_t i = 0;
    bool decided = true;
    for (; decided && i < places->size() && !m.dead(); ++i) {
      const Pointer at = Pointer::to((*places)[i]);
      const Value answer = compares ? m.compare(clang::BO_EQ, m.load(at, c.expr, elementType), argument(c, 2), c.expr)
                                    : invoke(2, {}, &at);
      const auto truth = answer.number() ? answer.number()->truth() : std::nullopt;
      decided = truth.has_value();
      if (!decided)
        break;
      hits += *truth ? 1 : 0;
      const bool ends = name == "all_of" ? !*truth : *truth && !name.starts_with("count");
      if (ends) {
        hit = i;
        break;
      }
    }
    if (decided && !m.dead()) {
      if (name.starts_with("count"))
        return Number::ofInteger(hits, Provenance::Fixed);
      if (name.ends_with("_of"))
        return Number::boolean(hit.has_value() == (name == "any_of"), Provenance::Fixed);
      return hit ? Value(Pointer::to((*places)[*hit])) : last;
    }
    // What a predicate does besides, it may do for each of those that follow.
    for (++i; !compares && i < places->size() && !m.dead(); ++i) {
      const Pointer at = Pointer::to((*places)[i]);
      invoke(2, {}, &at);
    }
    return m.unknown(c.type, "a search");
  }
  if (name.ends_with("_of") || name.ends_with("_if")) {
    each([&](const Pointer &at, std::int64_t) { invoke(2, {}, &at); });
    return m.unknown(c.type, "a search");
  }
  each([&](const Pointer &at, std::int64_t) { m.load(at, c.expr, elementType); });
  return m.unknown(c.type, "a search");
}

std::optional<Value> StandardLibrary::removed(Call &c, std::string_view name, const std::vector<Place> &places,
                                              const Value &last) {
  const bool copies = name == "copy_if";
  const clang::QualType type = c.arguments[0].expr ? pointeeType(c.arguments[0].expr->getType()) : clang::QualType();
  std::vector<Value> kept, others;
  for (const Place &p : places) {
    const Value v = m.load(p, c.expr, type);
    Argument element;
    element.place = Pointer::to(p);
    element.type = type;
    const Value answer = name == "remove" ? m.compare(clang::BO_EQ, v, argument(c, 2), c.expr)
                                          : m.invoke(m.placeOf(c.arguments[copies ? 3 : 2]), {element}, c.expr);
    const auto truth = answer.number() ? answer.number()->truth() : std::nullopt;
    if (!truth || m.dead())
      return std::nullopt;
    (*truth == copies ? kept : others).push_back(v);
  }
  if (copies) {
    const Value out = argument(c, 2);
    for (std::size_t i = 0; i < kept.size(); ++i)
      put(out, static_cast<std::int64_t>(i), kept[i], c);
    return m.unknown("a position");
  }
  for (std::size_t i = 0; i < places.size(); ++i)
    m.store(Pointer::to(places[i]), i < kept.size() ? kept[i] : m.unknown(type, "moved away"), c.expr);
  return kept.size() == places.size() ? last : Value(Pointer::to(places[kept.size()]));
}

} // namespace condlint::cxx
