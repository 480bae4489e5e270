//===- Sequences.cpp - Methods of containers ------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sequences.h"
#include "../machine/Followers.h"
#include "../machine/Types.h"
#include "../values/RangeView.h"
#include "Algorithms.h"
#include "Comparisons.h"
#include "LibraryClasses.h"
#include "MovedElements.h"
#include "OwnOperators.h"
#include <algorithm>
#include <array>
#include <clang/AST/ASTContext.h>
#include <utility>

namespace condlint::cxx {

namespace {

std::int64_t indexOf(const Value &v) {
  const Number *n = v.number();
  return n && n->known && n->integer >= 0 ? n->integer : -1;
}

bool isComplete(const Value &v) { return v.list() && v.list()->isComplete(); }

} // namespace

/// Whether elements of outside are among those of the copy that a closure holds at \p p.
bool Sequences::goesOnWithGiven(const Place &p) {
  const auto isCopy = [](const Step &step) {
    const auto *of = step.field ? llvm::dyn_cast<clang::CXXRecordDecl>(step.field->getParent()) : nullptr;
    return of && of->isLambda();
  };
  if (std::ranges::none_of(p.path, isCopy))
    return false;
  const Value held = m.peek(p);
  const List *list = held.list();
  const auto isGiven = [&](const Value &one) { return !one.handle() || m.isOuter(one.handle()->object); };
  return !list || (list->sized ? std::ranges::any_of(list->items, isGiven) : !list->every.isAbsent());
}

/// \p item as it is behind the last element of the container at \p where: what was on its way is there.
Value Sequences::settled(const Pointer &where, const Value &item) {
  const Place *only = m.followers().isAnyUnderWay() ? where.only() : nullptr;
  const Value held = only && only->object ? m.peek(*only) : Value();
  return isComplete(held) ? m.followers().arriving(only->then(Step::ofIndex(std::ssize(held.list()->items))), item)
                          : item;
}

void Sequences::append(Call &c, const Value &given) {
  const Pointer where = self(c);
  if (const Place *only = where.only(); only && goesOnWithGiven(*only))
    m.load(*c.self); // what stands before the new one is in use
  hold(where, given, c);
  grows(c);
  const Value item = settled(where, given);
  bool appended = false;
  const bool reached = m.modify(
      where,
      [&](Value &v) {
        if (isComplete(v)) {
          v.own<List>().items.push_back(item);
          appended = true;
        }
      },
      c.expr);
  if (reached && appended)
    return;
  const Place *only = where.only();
  const Value old = only ? m.peek(*only) : m.unknown("a list");
  List l;
  if (const List *known = old.list()) {
    l = *known;
    if (l.open) { // where the next one goes is not known
      l = List{};
      l.sized = false;
      for (const Value &one : known->items)
        l.every = m.join(l.every, one);
    }
  } else {
    l.sized = false;
    l.every = m.unknown("an element of a list that is not known");
  }
  if (l.sized) {
    l.items.push_back(item);
  } else {
    l.origin = nullptr;
    l.items.clear();
    l.rest = SymbolId();
    l.every = m.join(l.every, item);
    if (l.every.unknown())
      m.domain().onLost(m, item, c.expr);
  }
  m.store(where, l, c.expr);
}

bool Sequences::erased(Call &c, std::vector<Value> &items, std::int64_t index) {
  std::int64_t count = 1;
  if (written(c) == 2) {
    const auto which = range(argument(c, 0), argument(c, 1));
    if (!which)
      return false;
    count = static_cast<std::int64_t>(which->size());
  }
  if (static_cast<std::size_t>(index + count) > items.size())
    return false;
  for (std::int64_t i = index; i < index + count; ++i)
    m.destroy(self(c).then(Step::ofIndex(i)), typeArgument(c.self->type, 0));
  items.erase(items.begin() + index, items.begin() + index + count);
  return true;
}

bool Sequences::inserted(Call &c, std::string_view method, std::vector<Value> &items, std::int64_t index) {
  const auto at = items.begin() + index;
  const std::size_t count = written(c);
  if (method == "emplace" && count != 2) {
    const std::vector<Argument> rest(c.arguments.begin() + 1, c.arguments.end());
    items.insert(at, m.constructBest(typeArgument(c.self->type, 0), rest, c.expr));
    return true;
  }
  const Value second =
      method == "emplace" && count == 2 ? converted(c, 1, typeArgument(c.self->type, 0)) : argument(c, 1);
  if (count == 2) {
    const bool several = method == "insert" && m.className(c.arguments[1].type) == "std::initializer_list";
    const auto more = several ? m.elements(second) : std::optional(std::vector<Value>{second});
    if (!more)
      return false;
    moved(c, 1);
    items.insert(at, more->begin(), more->end());
    return true;
  }
  if (method != "insert" || count != 3)
    return false;
  constexpr std::int64_t most = 4096;
  if (const Number *n = second.number()) {
    if (!n->known || n->integer < 0 || n->integer > most)
      return false;
    items.insert(at, static_cast<std::size_t>(n->integer), argument(c, 2));
    return true;
  }
  const auto from = range(second, argument(c, 2));
  if (!from)
    return false;
  std::vector<Value> more;
  for (const Place &place : *from)
    more.push_back(m.load(place, c.expr, typeArgument(c.self->type, 0)));
  items.insert(at, more.begin(), more.end());
  return true;
}

void Sequences::grows(Call &c) {
  const clang::QualType type = typeArgument(c.self->type, 0);
  const auto n = m.isTransferredByCode(type, Machine::Transfer::Move) ? countOf(c) : 0;
  if (m.className(c.self->type) == "std::vector" && (!n || *n > 0))
    m.perhapsMove(self(c).then(Step::ofIndex(n ? 0 : -1)), type, c.expr);
}

std::optional<std::int64_t> Sequences::countOf(Call &c) {
  const Value n = m.sizeOf(m.load(*c.self));
  if (const Number *x = n.number(); x && x->known)
    return x->integer;
  return std::nullopt;
}

std::optional<Value> Sequences::sequencePlace(Call &c, std::string_view name) {
  const auto at = [&](std::int64_t i) -> Value { return self(c).then(Step::ofIndex(i)); };
  const bool isElement = name == "operator[]" || name == "at" || name == "front" || name == "back" || name == "top";
  if (isElement) // it is not asked for one that is not there
    if (const Pointer where = self(c); where.only() && where.only()->object)
      assumeElement(m, m.peek(*where.only()), c.arguments.empty() ? 0 : indexOf(argument(c, 0)));
  if (name == "operator[]" || name == "at" || name == "get" ||
      (name == "extract" && !m.className(c.self->type).ends_with("set")))
    return self(c).then(m.elementAt(argument(c, 0)));
  if (name == "front")
    return at(0);
  if (name == "back" || name == "top") {
    const auto n = countOf(c);
    return at(n && *n > 0 ? *n - 1 : m.unknownIndex(Null{}, "back"));
  }
  // A position that counts backwards is the one behind what it points to.
  if (name == "begin" || name == "cbegin" || name == "data" || name == "rend" || name == "crend")
    return at(countOf(c) ? 0 : m.positionIndex({AskedPosition::Kind::First}));
  if (name == "end" || name == "cend" || name == "rbegin" || name == "crbegin")
    return at(countOf(c).value_or(m.positionIndex({AskedPosition::Kind::End})));
  return std::nullopt;
}

std::optional<Value> Sequences::sequenceQuestion(Call &c, std::string_view name) {
  if (name == "size" || name == "length" || name == "max_size")
    return m.sizeOf(m.load(*c.self));
  if (name == "empty") {
    const Value n = m.sizeOf(m.load(*c.self));
    return m.compare(clang::BO_EQ, n, Number::ofInteger(0), c.expr);
  }
  if (name == "vec" || name == "toVec" || name == "copy")
    return m.load(*c.self);
  if (name == "slice") {
    const std::int64_t from = indexOf(argument(c, 0));
    const auto items = m.elements(m.load(*c.self));
    const std::int64_t n = written(c) > 1 ? indexOf(argument(c, 1))
                           : items        ? static_cast<std::int64_t>(items->size()) - from
                                          : -1;
    if (!items || from < 0 || n < 0 || static_cast<std::size_t>(from + n) > items->size())
      return m.unknown("a part of a list");
    return List{{items->begin() + from, items->begin() + from + n}, true, {}, {}};
  }
  if (name == "equals" || name == "operator==" || name == "operator!=") {
    m.load(*c.self);
    argument(c, 0);
    return Number::unknown(Number::Kind::Bool);
  }
  return std::nullopt;
}

std::optional<Value> Sequences::sequenceAsWhole(Call &c, std::string_view name) {
  if (name == "reserve" || name == "shrink_to_fit" || name == "get_allocator")
    return Void{};
  if (name == "clear") {
    m.destroy(self(c), c.self->type);
    m.store(self(c), List{}, c.expr);
    return Void{};
  }
  if (name == "operator=") {
    const bool isSame = m.className(c.arguments[0].type) == m.className(c.self->type);
    const Value v = isSame ? taken(c, 0, c.self->type) : argument(c, 0);
    m.destroy(self(c), c.self->type);
    m.store(self(c), v, c.expr);
    if (!isSame)
      moved(c, 0);
    return self(c);
  }
  if (name == "swap") {
    const Pointer other = m.placeOf(c.arguments[0]);
    const Value a = m.load(*c.self);
    const Value b = argument(c, 0);
    m.store(self(c), b, c.expr);
    m.store(other, a, c.expr);
    m.followers().swapped(self(c), other, c.self->type);
    return Void{};
  }
  if (name == "assign" && written(c) == 1)
    if (const Value given = argument(c, 0); given.list()) {
      m.store(self(c), given, c.expr);
      return Void{};
    }
  return std::nullopt;
}

Value Sequences::anyOf(const Value &held, std::span<const Value> added) {
  const List *list = held.list();
  Value every;
  if (list && !list->rest && !list->origin) {
    every = list->every;
    for (const Value &item : list->items)
      every = m.join(every, item);
    for (const Value &item : added)
      every = m.join(every, item);
  }
  return every;
}

std::optional<Value> Sequences::changedSomewhere(Call &c, std::string_view name, const Value &held) {
  const List *list = held.list();
  if (!list)
    return std::nullopt;
  const clang::QualType type = typeArgument(c.self->type, 0);
  std::vector<Value> added;
  if (name == "insert" || name == "emplace") {
    if (written(c) != 2 || m.className(c.arguments[1].type) == "std::initializer_list")
      return std::nullopt;
    added.push_back(converted(c, 1, type));
  } else if (name != "erase") {
    return std::nullopt;
  }
  const Value every = anyOf(held, added);
  if (every.isAbsent() || every.unknown())
    return std::nullopt;
  List l;
  const bool one = list->isComplete() && (!added.empty() || written(c) == 1);
  if (one && (!added.empty() || !list->items.empty())) {
    l.items.assign(added.empty() ? list->items.size() - 1 : list->items.size() + 1, every);
  } else {
    l.sized = false;
    l.every = every;
  }
  m.destroy(self(c).then(Step::ofIndex(-1)), type);
  m.store(self(c), l, c.expr);
  return self(c).then(Step::ofIndex(-1));
}

Value Sequences::rearranged(Call &c, std::string_view name) {
  const clang::QualType type = typeArgument(c.self->type, 0);
  const Value held = m.load(*c.self);
  const List *list = held.list();
  std::optional<std::size_t> count;
  if (list && list->isComplete())
    count = list->items.size();
  const bool isLess = name == "sort" || name == "merge";
  const bool takesAnother = name == "merge" || name.starts_with("splice");
  const Argument any{nullptr, type, {}, self(c).then(Step::ofIndex(-1))};
  const std::size_t given = written(c);
  const bool calls = given != 0 && !takesAnother && name != "remove" ? true : name == "merge" && given == 2;
  // Two that are there are compared, or one is asked for.
  const bool isAsked = !count || *count > (name.starts_with("remove") || takesAnother ? 0U : 1U);
  if (calls && isAsked)
    m.invoke(m.placeOf(c.arguments[given - 1]), std::vector<Argument>(name == "remove_if" ? 1 : 2, any), c.expr);
  else if (isAsked && (isLess || name == "unique"))
    applyOwn(m, isLess ? clang::BO_LT : clang::BO_EQ, any, any, c.expr);
  else if (isAsked && name == "remove" && given == 1)
    applyOwn(m, clang::BO_EQ, any, c.arguments[0], c.expr);
  std::vector<Value> added;
  if (takesAnother) {
    Argument &from = c.arguments[name == "merge" ? 0 : 1];
    const Value other = m.load(from);
    if (other.list() && other.list()->sized)
      added = other.list()->items;
    else
      return lostSequence(c);
    if (name == "merge" || given == 2)
      m.store(m.placeOf(from), List{}, c.expr);
  }
  const Value every = anyOf(held, added);
  if (m.dead() || every.isAbsent() || every.unknown())
    return count && *count == 0 && added.empty() ? Value(Void{}) : lostSequence(c);
  List l;
  if (name == "sort" && count) {
    l.items.assign(*count, every);
  } else {
    l.sized = false;
    l.every = every;
  }
  m.store(self(c), l, c.expr);
  return m.unknown(c.type, "how many elements a method left out");
}

Value Sequences::lostSequence(Call &c) {
  List l;
  l.sized = false;
  l.every = m.unknown(typeArgument(c.self->type, 0), "an element of a list that changed in unknown ways");
  m.store(self(c), l, c.expr);
  lose(c);
  m.escape(c, m.reason("changed by " + std::string(c.name)));
  return m.unknown(c.type, "a position in a list");
}

Value Sequences::popped(Call &c, bool first) {
  auto items = m.elements(m.load(*c.self));
  if (!items || items->empty())
    return lostSequence(c);
  m.destroy(self(c).then(Step::ofIndex(first ? 0 : static_cast<std::int64_t>(items->size()) - 1)),
            typeArgument(c.self->type, 0));
  items->erase(first ? items->begin() : items->end() - 1);
  m.store(self(c), List{std::move(*items), true, {}, {}}, c.expr);
  return Void{};
}

Value Sequences::resized(Call &c, bool keeps) {
  auto items = m.elements(m.load(*c.self));
  const Value n = argument(c, 0);
  const std::int64_t size = indexOf(n);
  if (!n.number() || size < 0 || size > 4096 || (keeps && !items))
    return lostSequence(c);
  const clang::QualType type = typeArgument(c.self->type, 0);
  const auto made = [&] { return written(c) > 1 ? taken(c, 1, type) : m.defaultValue(type, true); };
  std::vector<Value> now = keeps ? std::move(*items) : std::vector<Value>();
  const auto count = static_cast<std::size_t>(size);
  for (std::size_t i = count; i < now.size(); ++i)
    m.destroy(self(c).then(Step::ofIndex(static_cast<std::int64_t>(i))), type);
  if (now.size() < count)
    fill(now, count, made(), type, made);
  now.resize(count);
  m.store(self(c), List{std::move(now), true, {}, {}}, c.expr);
  return Void{};
}

Value Sequences::changedAt(Call &c, std::string_view name) {
  auto items = m.elements(m.load(*c.self));
  const Value where = argument(c, 0);
  const Pointer *p = where.pointer();
  const Place *only = p ? p->only() : nullptr;
  const std::int64_t index = only && !only->path.empty() ? only->path.back().index : -1;
  if (!items || index < 0 || static_cast<std::size_t>(index) > items->size()) {
    const Value held = m.peek(*c.self);
    const auto somewhere = changedSomewhere(c, name, held);
    return somewhere ? *somewhere : lostSequence(c);
  }
  if (!(name == "erase" ? erased(c, *items, index) : inserted(c, name, *items, index)))
    return lostSequence(c);
  m.store(self(c), List{std::move(*items), true, {}, {}}, c.expr);
  return self(c).then(Step::ofIndex(index));
}

std::optional<Value> Sequences::sequenceElements(Call &c, std::string_view name) {
  const clang::QualType type = typeArgument(c.self->type, 0);
  const LibraryClass *cls = libraryClass(m.className(c.self->type));
  if (name == "push_back" || name == "push" || name == "emplace_back") {
    append(c, element(c, type));
    if (cls && cls->has(LibraryClass::Heap))
      Algorithms(m).orderQueue(c);
    if (name != "emplace_back")
      return Void{};
    const Value n = m.sizeOf(m.peek(self(c).only() ? *self(c).only() : Place{}));
    return self(c).then(Step::ofIndex(n.number() && n.number()->known ? n.number()->integer - 1 : -1));
  }
  if (name == "pop_back" || name == "pop" || name == "pop_front")
    return popped(c, name == "pop_front" || (name == "pop" && cls && cls->has(LibraryClass::FirstOut)));
  if (name == "resize" || name == "assign")
    return resized(c, name == "resize");
  if (name == "emplace" && cls && (cls->has(LibraryClass::FirstOut) || cls->has(LibraryClass::LastOut))) {
    append(c, element(c, type));
    if (cls->has(LibraryClass::Heap))
      Algorithms(m).orderQueue(c);
    return self(c);
  }
  if (name == "insert" || name == "erase" || name == "emplace")
    return changedAt(c, name);
  if (name == "push_front" || name == "emplace_front" || name == "fill") {
    auto items = m.elements(m.load(*c.self));
    if (!items)
      return lostSequence(c);
    if (name == "fill")
      std::ranges::fill(*items, argument(c, 0));
    else
      items->insert(items->begin(), element(c, type));
    m.store(self(c), List{std::move(*items), true, {}, {}}, c.expr);
    return name == "emplace_front" ? Value(self(c).then(Step::ofIndex(0))) : Value(Void{});
  }
  static constexpr std::array<std::string_view, 6> rearranging{"remove", "remove_if", "splice",
                                                               "merge",  "unique",    "sort"};
  if (std::ranges::find(rearranging, name) != rearranging.end())
    return rearranged(c, name);
  if (name == "reverse")
    if (auto items = m.elements(m.load(*c.self))) {
      std::ranges::reverse(*items);
      m.store(self(c), List{std::move(*items), true, {}, {}}, c.expr);
      return Void{};
    }
  static constexpr std::array<std::string_view, 10> changing{
      "flip",    "splice_after",  "extract",     "emplace_hint", "insert_after",
      "reverse", "emplace_after", "erase_after", "append_range", "insert_range"};
  if (std::ranges::find(changing, name) != changing.end())
    return lostSequence(c);
  return std::nullopt;
}

std::optional<Value> Sequences::viewed(Call &c, std::string_view name, const Value &elements) {
  static constexpr std::array<std::string_view, 4> one{"operator[]", "at", "front", "back"};
  static constexpr std::array<std::string_view, 8> all{"data", "begin",   "cbegin", "end",
                                                       "cend", "subspan", "first",  "last"};
  if (std::ranges::find(one, name) != one.end())
    return m.dereference(elements, c.type.getNonReferenceType(), c.expr);
  if (std::ranges::find(all, name) != all.end())
    return elements;
  return m.unknown(c.type, "a question about a view of elements");
}

std::optional<Value> Sequences::sequence(Call &c, std::string_view name) {
  if (const Value held = m.peek(*c.self); held.datum() && name != "operator=")
    return viewed(c, name, held);
  const MovedElements following(m, c, name);
  for (const auto part : {&Sequences::sequencePlace, &Sequences::sequenceQuestion, &Sequences::sequenceAsWhole,
                          &Sequences::sequenceElements})
    if (auto v = (this->*part)(c, name)) {
      // Of a constant list of bits an element is a number by itself.
      const bool byValue = v->pointer() && !c.type->isReferenceType() && numberKind(c.type);
      return byValue ? m.load(*v->pointer(), c.expr, c.type) : v;
    }
  m.load(*c.self); // what is not known of it uses the whole
  return std::nullopt;
}

std::optional<Value> Sequences::elementsOfFixed(Call &c, std::string_view name) {
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(c.callee);
  if (method && method->isConst())
    m.load(*c.self); // asked for its elements
  if (name != "operator[]" || !method || method->isConst() || c.arguments.size() != 1)
    return std::nullopt;
  // A part of a valarray that a slice or a mask selects is an object of its own.
  const clang::QualType index = c.arguments[0].type;
  if (index.isNull() || !index.getNonReferenceType()->isIntegralOrEnumerationType())
    return std::nullopt;
  argument(c, 0);
  return Value(self(c).then(Step::ofIndex(-1)));
}

std::optional<Value> Sequences::bit(Call &c, std::string_view name) {
  const Value at = m.peek(*c.self);
  if (!at.pointer())
    return std::nullopt;
  if (name == "operator bool")
    return m.load(*at.pointer(), c.expr, m.ast().BoolTy);
  if (name == "flip") {
    m.store(*at.pointer(), Number::unknown(Number::Kind::Bool), c.expr);
    return Void{};
  }
  if (name != "operator=" || c.arguments.size() != 1)
    return std::nullopt;
  const Value given = m.peek(c.arguments[0]);
  m.store(*at.pointer(), given.pointer() ? m.load(*given.pointer(), c.expr, m.ast().BoolTy) : argument(c, 0), c.expr);
  return self(c);
}

/// Where the list lies that \p first points to the first element of, if \p count is how many it has.
static std::optional<Pointer> wholeFrom(Machine &m, const Value &first, const Value &count) {
  const Place *only = first.pointer() ? first.pointer()->only() : nullptr;
  const Number *n = count.number();
  if (!only || only->path.empty() || only->path.back() != Step::ofIndex(0) || !n || !n->known)
    return std::nullopt;
  Place whole = *only;
  whole.path.pop_back();
  const Value held = m.peek(whole);
  const List *list = held.list();
  const bool isAll = list && list->isComplete() && std::cmp_equal(list->items.size(), n->integer);
  return isAll ? std::optional(Pointer::to(std::move(whole))) : std::nullopt;
}

std::optional<Value> Sequences::constructList(Call &c, std::string_view) {
  const std::size_t count = written(c);
  return count == 0 ? Value(List{}) : constructSequence(c, count);
}

std::optional<Value> Sequences::constructArray(Call &c, std::string_view) {
  List l;
  const clang::CXXRecordDecl *record = Machine::classOf(c.type);
  const auto size = record ? integerArgument(*record, 1) : std::nullopt;
  if (!size || *size < 0 || *size > 4096)
    return m.unknown("an array");
  const clang::QualType type = typeArgument(c.type, 0);
  const auto made = [&] { return m.defaultValue(type, false); };
  fill(l.items, static_cast<std::size_t>(*size), made(), type, made);
  return l;
}

std::optional<Value> Sequences::constructQueue(Call &c, std::string_view) {
  const std::size_t count = written(c);
  // What it is given but for what compares is already there, in an order that is not followed.
  const bool comparesOnly = count == 1 && plainType(c.arguments[0].type) == plainType(typeArgument(c.type, 2));
  if (count == 0 || comparesOnly)
    return List{};
  const Value given = argument(c, 0);
  if (const LibraryClass *from = libraryClass(m.className(c.arguments[0].type)); from && from->has(LibraryClass::Heap))
    return given;
  List l;
  l.sized = false;
  l.every = m.unknown(typeArgument(c.type, 0), "an element of a queue");
  lose(c);
  return l;
}

/// A span of the \p count elements from \p first on.
std::optional<Value> Sequences::spanFrom(const Value &first, const Value &count) {
  const Place *only = first.pointer() ? first.pointer()->only() : nullptr;
  const Number *n = count.number();
  if (!only || only->path.empty() || only->path.back().field || only->path.back().key || !n || !n->known)
    return std::nullopt;
  Place whole = *only;
  whole.path.pop_back();
  const auto elements = elementsOfSpan(m, Pointer::to(whole));
  const std::int64_t from = only->path.back().index;
  if (!elements || from < 0 || n->integer < 0 || from > std::ssize(*elements) ||
      n->integer > std::ssize(*elements) - from)
    return std::nullopt;
  List part;
  part.items.assign(elements->begin() + from, elements->begin() + from + n->integer);
  part.origin = std::make_shared<RangeView>();
  return part;
}

/// Appends \p first, and more of them until there are \p size: each is made anew where code of the program makes it.
void Sequences::fill(std::vector<Value> &items, std::size_t size, const Value &first, clang::QualType type,
                     const std::function<Value()> &made) {
  const clang::CXXRecordDecl *of = Machine::classOf(type);
  const bool isMade = of && isOfTheProgram(m, of) && of->hasDefinition() &&
                      (of->hasUserProvidedDefaultConstructor() || m.isTransferredByCode(type, Machine::Transfer::Copy));
  if (isMade && items.size() < size) {
    items.push_back(first);
    while (items.size() < size && !m.dead())
      items.push_back(made());
  }
  items.resize(size, first);
}

Value Sequences::constructSequence(Call &c, std::size_t count) {
  const clang::QualType elementType = typeArgument(c.type, 0);
  if (const clang::CXXRecordDecl *from = Machine::classOf(c.arguments[0].type);
      count >= 2 && isOfTheProgram(m, from) && from == Machine::classOf(c.arguments[1].type) &&
      !m.ast().hasSameUnqualifiedType(c.arguments[0].type.getNonReferenceType(), elementType))
    return m.opaque(c); // a range between positions of the program's own
  Value first = argument(c, 0);
  const clang::QualType firstType = c.arguments[0].expr ? c.arguments[0].expr->getType() : c.arguments[0].type;
  const clang::QualType parameter =
      c.callee && c.callee->getNumParams() != 0 ? c.callee->getParamDecl(0)->getType() : clang::QualType();
  // An element by reference is all there is of a view; a number by value is how many.
  if (count == 1 && !parameter.isNull() && !elementType.isNull() && parameter->isReferenceType() &&
      m.ast().hasSameUnqualifiedType(parameter.getNonReferenceType(), elementType))
    return List{{first}, true, {}, {}};
  if (!parameter.isNull() && parameter->isIntegerType() && first.number()) {
    List l;
    const auto made = [&] {
      return count > 1 ? m.copyOf(c.arguments[1], elementType, c.expr) : m.defaultValue(elementType, true);
    };
    const Value every = made();
    const Number *n = first.number();
    if (n->known && n->integer >= 0 && n->integer <= 4096) {
      fill(l.items, static_cast<std::size_t>(n->integer), every, elementType, made);
    } else {
      l.sized = false;
      l.every = every;
    }
    return l;
  }
  if (const std::string_view cls = m.className(c.type);
      count == 2 && first.datum() && (cls == "std::span" || cls == "c10::ArrayRef"))
    return first; // a view of what the domain keeps: read and written where its elements are
  if (const auto all = count == 2 ? wholeFrom(m, first, argument(c, 1)) : std::nullopt;
      all && m.className(c.type) == "std::span")
    return *all;
  if (count == 1 && m.className(c.type) == "std::span" && viewIn(first))
    return first;
  if (count >= 2 && m.className(c.type) == "std::span") {
    if (auto part = spanFrom(first, argument(c, 1)))
      return *part;
    // So many elements from there on: which of them its elements are is not followed.
    m.domain().onLost(m, first, c.expr);
    if (first.pointer())
      m.forgetReached(*first.pointer(), m.reason("reached through a span"), 0);
    return m.opaque(c);
  }
  if (count >= 2 && (first.pointer() || first.text() || first.datum()))
    return constructFromRange(c, first);
  if (m.className(c.type) == "std::span" && (first.pointer() || (c.arguments[0].place && c.arguments[0].place->only())))
    return first.pointer() ? first : Value(*c.arguments[0].place);
  // Of an initialiser list each element is copied.
  if (first.list() || first.symbol())
    return m.copyOf(c.arguments[0], c.arguments[0].type, c.expr);
  // One value as a list of one (an array reference to it).
  if (count == 1 && !firstType.isNull() && !elementType.isNull() &&
      m.ast().hasSameUnqualifiedType(firstType.getNonReferenceType(), elementType.getNonReferenceType()))
    return List{{first}, true, {}, {}};
  List l;
  l.sized = false;
  l.every = m.unknown(elementType, "an element of a list that is not known");
  return l;
}

Value Sequences::constructFromRange(Call &c, const Value &first) {
  const clang::QualType elementType = typeArgument(c.type, 0);
  const Value second = argument(c, 1);
  Value last = second;
  if (const Number *n = second.number(); n && first.pointer())
    last = n->known ? Value(advanced(*first.pointer(), n->integer)) : Value();
  List l;
  if (auto places = range(first, last)) {
    for (const Place &p : *places) {
      Argument from{nullptr, elementType, {}, Pointer::to(p)};
      l.items.push_back(m.copyOf(from, elementType, c.expr));
    }
    return l;
  }
  l.sized = false;
  l.every = anyElement(first, elementType, c);
  return l;
}

} // namespace condlint::cxx
