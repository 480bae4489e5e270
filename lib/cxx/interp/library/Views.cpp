//===- Views.cpp - std::views ---------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `std::views` make of a range whose elements are known: the places of those
// that are left, in their order. It is a `for` over a view that looks into it; for all
// others it is what nobody knows.
//
//===----------------------------------------------------------------------===//

#include "Views.h"
#include "../machine/Types.h"
#include "../values/MapKeys.h"
#include "../values/RangeView.h"
#include <algorithm>
#include <clang/AST/DeclTemplate.h>

namespace condlint::cxx {

namespace {

constexpr std::string_view inViews = "std::ranges::views::";
constexpr std::int64_t mostElements = 4096;

std::optional<std::int64_t> countIn(const Value &v) {
  const Number *n = v.number();
  return n && n->known && n->kind != Number::Kind::Floating ? std::optional(n->integer) : std::nullopt;
}

/// "take" for an object of the class `std::ranges::views::_Take`; empty for others. `_Elements<1>` is "1".
std::string adaptorOf(Machine &m, clang::QualType type) {
  const std::string_view cls = m.className(type);
  if (!cls.starts_with(inViews) || cls.substr(inViews.size()).find(':') != std::string_view::npos)
    return {};
  const std::string_view name = cls.substr(inViews.size());
  if (name == "_Elements")
    if (const clang::CXXRecordDecl *record = Machine::classOf(type))
      if (const auto part = integerArgument(*record, 0))
        return std::to_string(*part);
  return std::string(name);
}

} // namespace

/// Where the elements of the range \p a lie; nothing where that is not known.
std::optional<List> Views::viewOf(Argument &a) {
  const clang::QualType type = a.type.isNull() ? a.type : a.type.getNonReferenceType();
  const std::string_view cls = m.className(type);
  const Value whole = m.load(a);
  if (viewIn(whole))
    return *whole.list();
  if (cls == "std::span") {
    auto places = elementsOfSpan(m, spanned(m, m.peek(a), type));
    return places ? std::optional(List{std::move(*places), true, {}, std::make_shared<RangeView>()}) : std::nullopt;
  }
  // A container that is made here is gone before its elements are.
  const bool stays = a.expr && a.expr->isLValue();
  const Place *only = a.place ? a.place->only() : nullptr;
  if (!stays || !only || !cls.starts_with("std::"))
    return std::nullopt;
  List view;
  if (const Map *map = whole.map(); map && map->complete)
    for (const auto &[key, value] : map->entries)
      view.items.emplace_back(Pointer::to(only->then(entryStep(key))));
  else if (const List *list = whole.list(); list && list->isOwn())
    for (std::size_t i = 0; i < list->items.size(); ++i)
      view.items.emplace_back(Pointer::to(only->then(Step::ofIndex(static_cast<std::int64_t>(i)))));
  else
    return std::nullopt;
  view.origin = std::make_shared<RangeView>();
  return view;
}

/// What the adaptor \p name with \p given makes of \p view.
std::optional<Value> Views::adapted(List view, std::string_view name, std::span<const Value> given) {
  const auto &made = dynamic_cast<const RangeView &>(*view.origin);
  const auto count = given.size() == 1 ? countIn(given[0]) : std::nullopt;
  if ((name == "_Take" || name == "_Drop") && count && *count >= 0 && !made.filters()) {
    const auto n = std::min<std::ptrdiff_t>(*count, std::ssize(view.items));
    if (name == "_Take")
      view.items.resize(static_cast<std::size_t>(n));
    else
      view.items.erase(view.items.begin(), view.items.begin() + n);
  } else if (name == "_Reverse" && given.empty()) {
    std::ranges::reverse(view.items);
  } else if ((name == "0" || name == "1") && given.empty() && made.steps.empty()) {
    for (Value &item : view.items)
      item = item.pointer()->then(Step::ofIndex(name == "0" ? 0 : 1));
  } else if ((name == "_Transform" || name == "_Filter") && given.size() == 1) {
    auto steps = made.steps;
    steps.push_back({given[0], name == "_Filter"});
    view.origin = std::make_shared<RangeView>(std::move(steps));
  } else if (name != "_All" && name != "_Common") {
    return std::nullopt;
  }
  return Value(std::move(view));
}

std::optional<Value> Views::view(Call &c, std::string_view cls, std::string_view name) {
  if (!cls.starts_with(inViews))
    return std::nullopt;
  if (!c.self) { // operator|
    if (name != "operator|" || c.arguments.size() != 2 || !adaptorOf(m, c.arguments[0].type).empty() ||
        m.className(c.arguments[0].type).starts_with(inViews))
      return std::nullopt;
    auto range = viewOf(c.arguments[0]);
    const Value closure = argument(c, 1);
    std::string adaptor = adaptorOf(m, c.arguments[1].type);
    std::vector<Value> given;
    if (const List *list = adaptor.empty() ? closure.list() : nullptr;
        list && !list->items.empty() && list->items[0].text()) {
      adaptor = *list->items[0].text();
      given.assign(list->items.begin() + 1, list->items.end());
    }
    return range && !adaptor.empty() ? adapted(std::move(*range), adaptor, given) : std::nullopt;
  }
  if (name != "operator()")
    return std::nullopt;
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(c.callee);
  if (cls == "std::ranges::views::__adaptor::_RangeAdaptor" && method) {
    // Without its range: what is to be done to one.
    List partial;
    partial.items.push_back(
        Value::text(adaptorOf(m, typeArgument(m.ast().getCanonicalTagType(method->getParent()), 0))));
    if (partial.items[0].text()->empty())
      return std::nullopt;
    for (std::size_t i = 0; i < c.arguments.size(); ++i)
      partial.items.push_back(kept(c, i));
    return partial;
  }
  const std::string adaptor = adaptorOf(m, m.ast().getCanonicalTagType(method->getParent()));
  if (adaptor == "_Iota") {
    const auto from = countIn(argument(c, 0)), to = c.arguments.size() == 2 ? countIn(argument(c, 1)) : std::nullopt;
    const clang::QualType type = c.arguments[0].type.getNonReferenceType();
    if (!from || !to || *to < *from || *to - *from > mostElements)
      return std::nullopt;
    List view;
    for (std::int64_t i = *from; i < *to; ++i)
      view.items.emplace_back(Pointer::to(m.newObject(Number::ofInteger(i, Provenance::Varies), type)));
    view.origin = std::make_shared<RangeView>();
    return view;
  }
  if (adaptor.empty() || c.arguments.empty())
    return std::nullopt;
  auto range = viewOf(c.arguments[0]);
  std::vector<Value> given;
  for (std::size_t i = 1; i < c.arguments.size(); ++i)
    given.push_back(kept(c, i));
  return range ? adapted(std::move(*range), adaptor, given) : std::nullopt;
}

} // namespace condlint::cxx
