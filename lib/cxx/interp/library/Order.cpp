//===- Order.cpp - What orders, and what compares for it ------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sorting, partitions, the least and the greatest, priority queues: done where all
// that is compared is known, and else the same elements in an order that nobody knows.
//
//===----------------------------------------------------------------------===//
#include "../machine/Types.h"
#include "Algorithms.h"
#include "Comparisons.h"
#include <algorithm>
#include <array>
#include <clang/AST/ASTContext.h>
#include <numeric>

namespace condlint::cxx {

namespace {

/// More are not put in order: each is compared with those before it.
constexpr std::size_t mostSorted = 48;

bool comparesEqual(std::string_view algorithm) {
  static constexpr std::array<std::string_view, 17> names{
      "find",         "count",          "equal",         "mismatch",    "unique",   "unique_copy",
      "find_end",     "is_permutation", "adjacent_find", "remove",      "replace",  "remove_copy",
      "replace_copy", "find_first_of",  "search",        "starts_with", "ends_with"};
  return std::ranges::find(names, algorithm) != names.end();
}

bool comparesOrder(std::string_view algorithm) {
  static constexpr std::array<std::string_view, 28> names{"lower_bound",
                                                          "upper_bound",
                                                          "equal_range",
                                                          "binary_search",
                                                          "merge",
                                                          "inplace_merge",
                                                          "includes",
                                                          "set_union",
                                                          "set_intersection",
                                                          "set_difference",
                                                          "is_sorted",
                                                          "is_sorted_until",
                                                          "push_heap",
                                                          "pop_heap",
                                                          "make_heap",
                                                          "sort_heap",
                                                          "is_heap",
                                                          "is_heap_until",
                                                          "next_permutation",
                                                          "prev_permutation",
                                                          "minmax_element",
                                                          "minmax",
                                                          "min",
                                                          "max",
                                                          "clamp",
                                                          "partial_sort_copy",
                                                          "set_symmetric_difference",
                                                          "lexicographical_compare"};
  return std::ranges::find(names, algorithm) != names.end();
}

} // namespace

bool Algorithms::comparesNothing(std::string_view name) {
  return name == "rotate" || name == "shuffle" || name == "reverse";
}

void Algorithms::compareElements(Call &c, std::string_view name, const Elements &e) {
  const std::size_t function = functionOf(name);
  if (comparesNothing(name))
    return;
  const bool given = c.arguments.size() > function && !c.arguments[function].isDefault;
  const clang::QualType element = elementType(c, e);
  if (!given && e.projection)
    return;
  const auto compare = [&](const Pointer &at, const Value &other) {
    if (given)
      callOn(c, function, e, &at, {other});
    else
      applyOwn(m, clang::BO_LT, {nullptr, element, {}, at}, {nullptr, element, other, std::nullopt}, c.expr);
  };
  Value before; // each is compared with another one, in an order that nobody knows
  eachElement(c, e, [&](const Pointer &at, std::int64_t) {
    const Value here = elementAt(c, e, at);
    if (name.ends_with("partition"))
      callOn(c, function, e, &at);
    else if (!e.followed() || !before.isAbsent())
      compare(at, e.followed() ? before : here);
    before = here;
  });
}

clang::QualType Algorithms::elementType(const Call &c, const Elements &e) const {
  // The iterators of vectors are made of pointers.
  const bool isWrapped =
      c.arguments[0].expr && m.className(c.arguments[0].expr->getType()).ends_with("normal_iterator");
  return isWrapped && !e.type.isNull() ? pointeeType(e.type) : e.type;
}

std::optional<bool> Algorithms::isBefore(Call &c, std::size_t function, const Elements &e, const Pointer &a,
                                         const Pointer &b) {
  if (c.arguments.size() <= function || c.arguments[function].isDefault) {
    const clang::QualType element = elementType(c, e);
    return comesBefore(m, {}, element, elementAt(c, e, a), elementAt(c, e, b), c.expr);
  }
  return truthOf(m.invoke(m.placeOf(c.arguments[function]), {projected(c, e, a), projected(c, e, b)}, c.expr));
}

std::optional<std::size_t> Algorithms::numberOf(const Value &position, const Elements &e) {
  const Place *only = position.pointer() ? position.pointer()->only() : nullptr;
  const Place *end = e.last.pointer() ? e.last.pointer()->only() : nullptr;
  if (!only || !e.places)
    return std::nullopt;
  const auto at = std::ranges::find(*e.places, *only);
  if (at == e.places->end() && !(end && *end == *only))
    return std::nullopt;
  return static_cast<std::size_t>(at - e.places->begin());
}

std::optional<Algorithms::Order> Algorithms::sorted(Call &c, std::string_view name, const Elements &e) {
  const std::size_t function = functionOf(name);
  const auto middle = standsInTheMiddle(name) ? numberOf(argument(c, 1), e) : e.places->size();
  if (!middle || e.places->size() > mostSorted)
    return std::nullopt;
  Order order;
  std::vector<std::size_t> &from = order.from;
  const auto at = [&](std::size_t i) { return Pointer::to((*e.places)[i]); };
  for (std::size_t i = 0; i < e.places->size(); ++i) {
    std::size_t where = from.size();
    for (; where > 0; --where) {
      const auto less = isBefore(c, function, e, at(i), at(from[where - 1]));
      if (!less || m.dead())
        return std::nullopt;
      if (!*less)
        break;
    }
    from.insert(from.begin() + static_cast<std::ptrdiff_t>(where), i);
  }
  order.ends.assign(from.size(), true);
  order.result = from.size();
  for (std::size_t i = 0; name != "stable_sort" && i + 1 < from.size(); ++i) {
    // Of two that are alike only a stable order says which is first, and that of some elements is asked for only.
    const auto differ = isBefore(c, function, e, at(from[i]), at(from[i + 1]));
    if (!differ || m.dead())
      return std::nullopt;
    order.ends[i] = *differ && (name == "nth_element" ? i + 1 == *middle || i == *middle : i < *middle);
  }
  return order;
}

std::optional<Algorithms::Order> Algorithms::parted(Call &c, std::string_view name, const Elements &e) {
  Order order;
  std::vector<std::size_t> rest;
  for (std::size_t i = 0; i < e.places->size(); ++i) {
    const Pointer at = Pointer::to((*e.places)[i]);
    const auto truth = truthOf(callOn(c, 2, e, &at));
    if (!truth || m.dead())
      return std::nullopt;
    (*truth ? order.from : rest).push_back(i);
  }
  order.result = order.from.size();
  order.from.insert(order.from.end(), rest.begin(), rest.end());
  order.ends.assign(order.from.size(), name == "stable_partition");
  if (order.result != 0)
    order.ends[order.result - 1] = true;
  return order;
}

std::optional<Algorithms::Order> Algorithms::orderAfter(Call &c, std::string_view name, const Elements &e) {
  if (!e.places || name == "shuffle")
    return std::nullopt;
  if (name.ends_with("partition"))
    return e.followed() ? parted(c, name, e) : std::nullopt;
  if (name != "rotate")
    return sorted(c, name, e);
  const auto middle = numberOf(argument(c, 1), e);
  if (!middle)
    return std::nullopt;
  Order order;
  order.from.resize(e.places->size());
  std::iota(order.from.begin(), order.from.end(), std::size_t{0});
  std::ranges::rotate(order.from, order.from.begin() + static_cast<std::ptrdiff_t>(*middle));
  order.ends.assign(order.from.size(), true);
  order.result = order.from.size() - *middle;
  return order;
}

void Algorithms::placeRun(Call &c, const Elements &e, std::size_t first, std::span<const Value> values) {
  if (values.size() == 1)
    return m.store(Pointer::to((*e.places)[first]), values.front(), c.expr);
  // Nobody chooses which of them stands where: none is held against the code.
  Value any;
  for (const Value &v : values)
    any = m.joinWeakly(any, v);
  for (std::size_t i = 0; i < values.size(); ++i)
    m.store(Pointer::to((*e.places)[first + i]), m.anyElement(any), c.expr);
}

std::optional<Value> Algorithms::reorder(Call &c, std::string_view name, const Elements &e) {
  const std::optional<Order> order = orderAfter(c, name, e);
  if (!order)
    compareElements(c, name, e);
  // The same elements, in some order where it is not known.
  if (e.places && e.places->size() > 1)
    m.perhapsMove(Pointer::to(e.places->front()), elementType(c, e), c.expr);
  std::vector<Value> values;
  for (std::size_t i = 0; e.places && i < e.places->size(); ++i)
    values.push_back(m.load((*e.places)[order ? order->from[i] : i], c.expr, e.type));
  for (std::size_t first = 0, i = 0; i < values.size(); ++i)
    if (i + 1 == values.size() || (order && order->ends[i])) {
      placeRun(c, e, first, std::span(values).subspan(first, i + 1 - first));
      first = i + 1;
    }
  if (!e.places)
    eachElement(c, e, [&](const Pointer &at, std::int64_t) {
      m.store(at, m.unknown(e.type, "an element of a list in unknown order"), c.expr);
    });
  if (name == "shuffle" && c.arguments.size() > 2 && c.arguments[2].place)
    m.store(*c.arguments[2].place, m.unknown("an engine that was used"), c.expr);
  if (c.type->isVoidType())
    return Void{};
  if (!order)
    return somewhereIn(e.first, c);
  return order->result == values.size() ? e.last : Value(Pointer::to((*e.places)[order->result]));
}

/// Where the first of the greatest or least of \p e lies; null where that is not known.
const Place *Algorithms::extremumOf(Call &c, bool greatest, const Elements &e) {
  const Place *found = nullptr;
  for (const Place &p : *e.places) {
    const Pointer here = Pointer::to(p);
    const Pointer best = found ? Pointer::to(*found) : here;
    const auto better =
        !found ? std::optional(true) : isBefore(c, 2, e, greatest ? best : here, greatest ? here : best);
    if (!better || m.dead())
      return nullptr;
    if (*better)
      found = &p;
  }
  return found;
}

std::optional<Value> Algorithms::extremum(Call &c, std::string_view name, const Elements &e) {
  if (e.followed() && !e.places->empty() && e.places->size() <= mostSorted)
    if (const Place *found = extremumOf(c, name == "max_element", e))
      return Pointer::to(*found);
  compareElements(c, name, e);
  // Which number it is says something of the others.
  const bool isOfNumbers = m.domain().relatesAnswers() && numberKind(elementType(c, e));
  if (!e.followed() || e.places->empty() || isOfNumbers)
    return somewhereIn(e.first, c);
  Pointer any;
  any.places.append(e.places->begin(), e.places->end());
  return any;
}

std::optional<Value> Algorithms::extremumOfTwo(Call &c, std::string_view name) {
  const std::size_t count = written(c);
  if (c.self || (name != "min" && name != "max") || count < 2 || count > 3 || numberKind(c.type))
    return std::nullopt;
  const Pointer a = m.placeOf(c.arguments[0]), b = m.placeOf(c.arguments[1]);
  const clang::QualType element = c.type.getNonReferenceType();
  const Value x = m.load(a, c.expr, element), y = m.load(b, c.expr, element);
  const auto less = [&](const Value &p, const Value &q) -> std::optional<bool> {
    return count == 2 ? comesBefore(m, {}, element, p, q, c.expr)
                      : truthOf(compared(m, m.placeOf(c.arguments[2]), p, q, element, c.expr));
  };
  const auto second = name == "max" ? less(x, y) : less(y, x);
  if (second)
    return Value(*second ? b : a);
  Pointer either = a;
  either.places.append(b.places.begin(), b.places.end());
  either.other = a.other || b.other;
  return either;
}

void Algorithms::orderQueue(Call &c) {
  const Pointer where = self(c);
  const Value held = where.only() ? m.peek(*where.only()) : Value();
  const List *l = held.list();
  if (!l || !l->isComplete() || l->items.size() < 2)
    return;
  const clang::QualType element = typeArgument(c.self->type, 0);
  const clang::QualType comparison = typeArgument(c.self->type, 2);
  // The last one is new; those before it are in order.
  const Value item = l->items.back();
  std::size_t at = l->items.size() - 1;
  bool known = at < mostSorted;
  while (known && at > 0) {
    const auto less = comesBefore(m, comparison, element, item, l->items[at - 1], c.expr);
    known = less && (*less || comesBefore(m, comparison, element, l->items[at - 1], item, c.expr).value_or(false));
    if (!known || !*less)
      break;
    --at;
  }
  List now = *l;
  now.items.pop_back();
  if (known) {
    now.items.insert(now.items.begin() + static_cast<std::ptrdiff_t>(at), item);
  } else { // nobody knows which is on top
    Value any = item;
    for (const Value &one : now.items)
      any = m.join(any, one);
    now.items.assign(l->items.size(), any.number() ? m.anyElement(any) : any);
  }
  m.store(where, now, c.expr);
}

bool Algorithms::compareOwn(Call &c, std::string_view name) {
  const bool equal = comparesEqual(name), order = comparesOrder(name);
  if (c.self || (!equal && !order))
    return false;
  llvm::DenseSet<const clang::CXXRecordDecl *> done;
  for (Argument &a : c.arguments) {
    if (a.isDefault || a.type.isNull())
      continue;
    clang::QualType element = a.expr ? a.expr->getType().getNonReferenceType() : a.type.getNonReferenceType();
    const std::string_view cls = m.className(element);
    const bool isPosition = element->isPointerType() || cls.find("iterator") != std::string_view::npos;
    for (unsigned i = 0; i < 2 && (isPosition || cls.starts_with("std::")) && !element.isNull(); ++i)
      if (!Machine::classOf(element) || m.className(element).starts_with("std::") ||
          m.className(element).starts_with("__gnu_cxx::"))
        element = pointeeType(element);
    const clang::CXXRecordDecl *own = element.isNull() ? nullptr : Machine::classOf(element);
    if (!own || !done.insert(own->getCanonicalDecl()).second)
      continue;
    const Value held = m.peek(a);
    const Value one = isPosition && held.pointer() ? anyElement(somewhereIn(held, c), element, c)
                      : held.record()              ? held
                                                   : m.unknown(element, "an element of a list");
    const Argument any{nullptr, element, one, std::nullopt};
    m.summariseLoop([&] { applyOwn(m, equal ? clang::BO_EQ : clang::BO_LT, any, any, c.expr); });
  }
  return true;
}

} // namespace condlint::cxx
