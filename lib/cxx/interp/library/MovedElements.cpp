//===- MovedElements.cpp - Pointers to elements that move -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MovedElements.h"
#include "../machine/Followers.h"
#include "../machine/Places.h"
#include "../machine/Types.h"
#include <algorithm>
#include <array>

namespace condlint::cxx {

/// Of what it is given the elements become its own.
static bool takesAnother(std::string_view method) { return method == "merge" || method.starts_with("splice"); }

/// How many elements the container \p v has, where all of them are known.
static std::optional<std::int64_t> sizeOf(const Value &v) {
  const List *l = v.list();
  return l && l->isComplete() && !l->rest ? std::optional(std::ssize(l->items)) : std::nullopt;
}

MovedElements::MovedElements(Machine &m, Call &c, std::string_view name) : machine(m), method(name) {
  const std::string_view cls = c.self ? m.className(c.self->type) : std::string_view();
  // What leaves a container by itself, or comes with another one, is nobody's element until it arrives.
  const auto lose = [&](const Pointer &from) {
    if (const Place *only = from.only())
      m.followers().lose(*only);
  };
  if (name == "extract" && c.self)
    lose(m.placeOf(*c.self));
  if (takesAnother(name))
    for (Argument &a : c.arguments)
      if (!a.isDefault && m.className(a.type) == cls)
        lose(m.placeOf(a));
  const Place *only = c.self && c.self->place ? c.self->place->only() : nullptr;
  if (!only || !only->object || name == "swap" || name == "operator=" || !m.followers().isLedInto(*only))
    return;
  const bool isDeque = cls == "std::deque";
  static constexpr std::array<std::string_view, 3> atFront{"push_front", "emplace_front", "pop_front"};
  keepsPlaces = isDeque ? std::ranges::find(atFront, name) != atFront.end()
                        : cls == "std::list" || cls == "std::forward_list" || cls.ends_with("set");
  // What stands before the last one stays.
  const bool isBehind = name == "push_back" || name == "emplace_back";
  const auto size = sizeOf(m.peek(*only));
  if (isBehind && size && !keepsPlaces)
    return;
  // Nothing lies in a number or a pointer that would go with it.
  const clang::QualType element = typeArgument(c.self->type, 0);
  if (!keepsPlaces && !element.isNull() && (numberKind(element) || element->isPointerType()))
    return;
  container = *only;
  if (isBehind && size) {
    sizeBefore = position = size;
    return;
  }
  before = m.peek(*only);
  sizeBefore = size;
  const Value first = c.arguments.empty() || !c.arguments[0].place ? Value() : m.peek(c.arguments[0]);
  const Value &at = c.arguments.empty() || first.pointer() ? first : c.arguments[0].value;
  const Place *to = at.pointer() ? at.pointer()->only() : nullptr;
  if (name.ends_with("_front"))
    position = 0;
  else if (isBehind)
    position = before.list() ? std::ssize(before.list()->items) : 0;
  else if (to && to->path.size() == only->path.size() + 1 && !stepsBehind(*only, *to).empty() &&
           to->path.back().index >= 0)
    position = to->path.back().index;
}

MovedElements::~MovedElements() {
  if (!container || machine.dead())
    return;
  const Value after = machine.peek(*container);
  if (after.same(before))
    return;
  if (!keepsPlaces) {
    machine.followers().rearranged(*container, before);
    return;
  }
  const auto sizeAfter = sizeOf(after);
  static constexpr std::array<std::string_view, 9> one{"push_front", "emplace_front", "pop_front",
                                                       "push_back",  "emplace_back",  "insert",
                                                       "emplace",    "erase",         "pop_back"};
  const bool isFollowed = sizeBefore && sizeAfter && std::ranges::find(one, method) != one.end();
  const std::int64_t old = isFollowed ? *sizeBefore : 0, now = isFollowed ? *sizeAfter : 0;
  std::int64_t at = 0; // the first that is another one
  if (position)
    at = *position;
  else
    while (isFollowed && at < std::min(old, now) &&
           before.list()->items[static_cast<std::size_t>(at)].same(after.list()->items[static_cast<std::size_t>(at)]))
      ++at;
  if (isFollowed && (old == now || (method == "pop_back" && now < old)))
    return;
  machine.followers().follow({container->object}, [&](Place &place) {
    const auto rest = stepsBehind(*container, place);
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
