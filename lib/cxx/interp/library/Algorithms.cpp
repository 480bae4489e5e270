//===- Algorithms.cpp - <algorithm> ---------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Algorithms.h"
#include "../machine/Followers.h"
#include "../machine/Names.h"
#include "../machine/Types.h"
#include "../values/RangeView.h"
#include "OwnOperators.h"
#include <algorithm>
#include <array>
#include <clang/AST/ASTContext.h>

namespace condlint::cxx {

bool Algorithms::standsInTheMiddle(std::string_view algorithm) {
  return algorithm == "rotate" || algorithm == "nth_element" || algorithm == "partial_sort";
}

std::size_t Algorithms::functionOf(std::string_view algorithm) {
  return standsInTheMiddle(algorithm) || algorithm == "transform" || algorithm == "copy_if" ? 3 : 2;
}

std::optional<Value> Algorithms::algorithm(Call &c, std::string_view name) {
  if (name != "erase_if" || c.self || c.arguments.size() != 2 || !m.peek(c.arguments[0]).list())
    return runAlgorithm(c, name, false);
  Call positions = c;
  return expandRange(positions, 0) ? runAlgorithm(positions, name, false) : std::nullopt;
}

std::optional<Value> Algorithms::runAlgorithm(Call &c, std::string_view name, bool projects) {
  struct Row {
    std::string_view name;
    std::size_t needed; ///< the arguments that its handler reads in any case
    Answer (Algorithms::*handler)(Call &, std::string_view, const Elements &);
  };
  static constexpr std::array rows{
      Row{"for_each", 3, &Algorithms::forEach},
      Row{"for_each_n", 3, &Algorithms::forEach},
      Row{"transform", 4, &Algorithms::transform},
      Row{"fill", 3, &Algorithms::fill},
      Row{"fill_n", 3, &Algorithms::fill},
      Row{"copy", 3, &Algorithms::copy},
      Row{"copy_n", 3, &Algorithms::copy},
      Row{"move", 3, &Algorithms::copy},
      Row{"iota", 3, &Algorithms::iota},
      Row{"generate", 3, &Algorithms::generate},
      Row{"generate_n", 3, &Algorithms::generate},
      Row{"reverse", 2, &Algorithms::reverse},
      Row{"sort", 2, &Algorithms::reorder},
      Row{"stable_sort", 2, &Algorithms::reorder},
      Row{"rotate", 3, &Algorithms::reorder},
      Row{"shuffle", 3, &Algorithms::reorder},
      Row{"nth_element", 3, &Algorithms::reorder},
      Row{"partial_sort", 3, &Algorithms::reorder},
      Row{"partition", 3, &Algorithms::reorder},
      Row{"stable_partition", 3, &Algorithms::reorder},
      Row{"max_element", 2, &Algorithms::extremum},
      Row{"min_element", 2, &Algorithms::extremum},
      Row{"accumulate", 3, &Algorithms::fold},
      Row{"reduce", 2, &Algorithms::fold},
      Row{"fold_left", 4, &Algorithms::fold},
      Row{"inner_product", 4, &Algorithms::fold},
      Row{"transform_reduce", 4, &Algorithms::fold},
      Row{"remove", 3, &Algorithms::removed},
      Row{"remove_if", 3, &Algorithms::removed},
      Row{"copy_if", 4, &Algorithms::removed},
      Row{"erase_if", 3, &Algorithms::removed},
      Row{"any_of", 3, &Algorithms::search},
      Row{"all_of", 3, &Algorithms::search},
      Row{"none_of", 3, &Algorithms::search},
      Row{"count", 3, &Algorithms::search},
      Row{"count_if", 3, &Algorithms::search},
      Row{"find", 3, &Algorithms::search},
      Row{"find_if", 3, &Algorithms::search},
  };
  if ((name == "back_inserter" || name == "inserter" || name == "front_inserter") && !c.self && !c.arguments.empty())
    return inserterInto(m.placeOf(c.arguments[0]), name == "front_inserter");
  const auto *row = std::ranges::find(rows, name, &Row::name);
  // Fewer than are read are those of a form that nobody knows here: it is not followed.
  if (c.self || row == rows.end() || c.arguments.size() < row->needed)
    return std::nullopt;
  Elements e;
  e.first = argument(c, 0);
  e.last = argument(c, standsInTheMiddle(name) && c.arguments.size() > 2 ? 2 : 1);
  const bool counted = name == "fill_n" || name == "copy_n" || name == "generate_n" || name == "for_each_n";
  e.places = range(e.first, counted && e.first.pointer() ? m.offset(e.first, e.last, 1) : e.last);
  if (c.arguments[0].expr)
    e.type = pointeeType(c.arguments[0].expr->getType());
  else if (const Place *first = e.first.pointer() ? e.first.pointer()->only() : nullptr; first && first->object)
    e.type = m.typeOf(*first);
  else
    e.type = pointeeType(c.arguments[0].type);
  // Positions of the program's own do what their operators say.
  if (isOfTheProgram(m, Machine::classOf(c.arguments[0].type)))
    return std::nullopt;
  if (const std::size_t behind = functionOf(name) + 1; projects && c.arguments.size() > behind)
    e.projection = behind;
  // What it moves about takes along what lies in it.
  static constexpr std::array<std::string_view, 3> apart{"copy", "copy_n", "copy_if"};
  const Place *first = e.first.pointer() ? e.first.pointer()->only() : nullptr;
  std::optional<Place> whole;
  if (first && first->object && !first->path.empty() && !isAmong(apart, name) && !numberKind(e.type)) {
    whole = Place{first->object, {first->path.begin(), first->path.end() - 1}};
    if (!m.followers().isLedInto(*whole))
      whole.reset();
  }
  const Value before = whole ? m.peek(*whole) : Value();
  Answer done = (this->*row->handler)(c, name, e);
  if (whole)
    m.followers().rearranged(*whole, before);
  return done;
}

bool Algorithms::expandRange(Call &c, std::size_t i) {
  Argument &range = c.arguments[i];
  const clang::QualType type = range.type.isNull() ? range.type : range.type.getNonReferenceType();
  std::optional<std::int64_t> count;
  if (const auto *array = type.isNull() ? nullptr : m.ast().getAsConstantArrayType(type)) {
    count = static_cast<std::int64_t>(array->getZExtSize());
  } else if (const std::string_view cls = m.className(type);
             cls.starts_with("std::") || !m.domain().standardClass(cls).empty()) {
    // Where the elements of a span lie is read, and it is not them that are.
    Value whole = cls == "std::span" ? spanned(m, m.peek(range), type) : m.load(range);
    if (whole.pointer()) { // a span
      range.place = *Value(whole).pointer();
      whole = m.peek(range);
    }
    if (whole.datum() && cls == "std::span") { // of elements that the domain keeps
      range = Argument();
      range.value = whole;
      range.type = m.ast().getPointerType(typeArgument(type, 0));
      c.arguments.insert(c.arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1, range);
      return true;
    }
    if ((!whole.list() && !whole.symbol()) || viewIn(whole))
      return false;
    const Value size = m.sizeOf(whole);
    if (const Number *n = size.number(); n && n->known)
      count = n->integer;
  } else {
    return false; // of the program's own: what its elements are its methods say
  }
  const Pointer where = m.placeOf(range);
  Argument last;
  last.value = where.then(Step::ofIndex(count.value_or(-1)));
  range = Argument();
  range.value = where.then(Step::ofIndex(count ? 0 : -1));
  c.arguments.insert(c.arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1, std::move(last));
  return true;
}

std::optional<Value> Algorithms::ranges(Call &c, std::string_view name) {
  // Positions are given by value, and a range by reference.
  const auto isRange = [&](std::size_t i) {
    return i < c.callee->getNumParams() &&
           c.callee->getParamDecl(static_cast<unsigned>(i))->getType()->isReferenceType();
  };
  Call positions = c;
  positions.self.reset();
  std::erase_if(positions.arguments, [](const Argument &a) { return a.isDefault; });
  if (positions.arguments.empty() || (isRange(0) && !expandRange(positions, 0)))
    return std::nullopt;
  if (standsInTheMiddle(name) && positions.arguments.size() > 2 && isRange(0))
    std::swap(positions.arguments[1], positions.arguments[2]);
  // A second range, from its beginning on: it has no function behind its own.
  const bool two = name == "transform" && positions.arguments.size() > 4 && isRange(0) && isRange(1);
  if (two) {
    if (!expandRange(positions, 2))
      return std::nullopt;
    positions.arguments.erase(positions.arguments.begin() + 3);
  }
  return runAlgorithm(positions, name, !two);
}

void Algorithms::eachElement(Call &c, const Elements &e,
                             const std::function<void(const Pointer &, std::int64_t)> &visit) {
  if (e.followed()) {
    for (std::size_t i = 0; i < e.places->size() && !m.dead(); ++i)
      visit(Pointer::to((*e.places)[i]), static_cast<std::int64_t>(i));
    return;
  }
  m.domain().onOpaque(m, c); // any number of times
  // What is given by value gets its place before anything is tried out, which is taken back.
  for (Argument &a : c.arguments)
    if (!a.isDefault)
      m.placeOf(a);
  const Pointer begin = m.dereference(e.first, e.type, c.expr);
  const Value count = m.arithmetic(clang::BO_Sub, e.last, e.first, m.ast().LongTy, c.expr);
  m.visitEach(c.expr, count, [&](std::int64_t i) {
    Pointer one = begin;
    for (Place &p : one.places)
      if (!p.path.empty() && !p.path.back().field && !p.path.back().key)
        p.path.back().index = i;
    visit(one, -1);
  });
}

Argument Algorithms::projected(Call &c, const Elements &e, const Pointer &at) {
  Argument element;
  element.place = at;
  element.type = e.type;
  if (!e.projection)
    return element;
  Argument made;
  made.value = m.invoke(m.placeOf(c.arguments[*e.projection]), {std::move(element)}, c.expr);
  return made;
}

Value Algorithms::elementAt(Call &c, const Elements &e, const Pointer &at) {
  return e.projection ? projected(c, e, at).value : m.load(at, c.expr, e.type);
}

Value Algorithms::callOn(Call &c, std::size_t function, const Elements &e, const Pointer *at, std::vector<Value> more) {
  std::vector<Argument> args;
  if (at)
    args.push_back(projected(c, e, *at));
  for (Value &v : more)
    args.push_back({nullptr, {}, std::move(v), std::nullopt, false});
  return m.invoke(m.placeOf(c.arguments[function]), std::move(args), c.expr);
}

std::optional<Value> Algorithms::forEach(Call &c, std::string_view name, const Elements &e) {
  eachElement(c, e, [&](const Pointer &at, std::int64_t) { callOn(c, 2, e, &at); });
  return name == "for_each_n" ? somewhereIn(e.first, c) : argument(c, 2);
}

std::optional<Value> Algorithms::transform(Call &c, std::string_view, const Elements &e) {
  const bool two = c.arguments.size() == 5 && !e.projection;
  const Value out = argument(c, two ? 3 : 2);
  const Value second = two ? argument(c, 2) : Value();
  eachElement(c, e, [&](const Pointer &at, std::int64_t i) {
    std::vector<Value> more;
    if (two)
      more.push_back(
          m.load(m.dereference(i >= 0 ? m.offset(second, Number::ofInteger(i), 1) : second, {}, c.expr), c.expr));
    const Value v = callOn(c, two ? 4 : 3, e, &at, std::move(more));
    if (!m.dead())
      put(out, i, v, c);
  });
  return somewhereIn(out, c);
}

std::optional<Value> Algorithms::fill(Call &c, std::string_view, const Elements &e) {
  const Value v = argument(c, 2);
  return give(c, e, [&] { return v; });
}

std::optional<Value> Algorithms::copy(Call &c, std::string_view, const Elements &e) {
  const Value out = argument(c, 2);
  eachElement(c, e, [&](const Pointer &at, std::int64_t i) { put(out, i, m.load(at, c.expr, e.type), c); });
  return somewhereIn(out, c);
}

std::optional<Value> Algorithms::iota(Call &c, std::string_view, const Elements &e) {
  if (isOfTheProgram(m, Machine::classOf(c.arguments[2].type)))
    return std::nullopt; // counts by an operator of its own
  const Value start = argument(c, 2);
  eachElement(c, e, [&](const Pointer &at, std::int64_t i) {
    const Value v = i >= 0 ? m.arithmetic(clang::BO_Add, start, Number::ofInteger(i),
                                          e.type.isNull() ? m.ast().LongTy : e.type, c.expr)
                           : m.unknown(e.type, "one of several numbers");
    m.store(at, v, c.expr);
  });
  return Void{};
}

std::optional<Value> Algorithms::generate(Call &c, std::string_view, const Elements &e) {
  return give(c, e, [&] { return callOn(c, 2, e, nullptr); });
}

Value Algorithms::give(Call &c, const Elements &e, const std::function<Value()> &made) {
  if (!e.first.datum()) {
    eachElement(c, e, [&](const Pointer &at, std::int64_t) { assignTo(at, made(), c); });
    return Void{};
  }
  // What is given by value gets its place before anything is tried out, which is taken back.
  for (Argument &a : c.arguments)
    if (!a.isDefault)
      m.placeOf(a);
  // As many as are asked for, where an inserter puts them.
  const Number *n = e.last.number();
  constexpr std::int64_t most = 64;
  if (n && n->known && n->integer <= most)
    for (std::int64_t i = 0; i < n->integer; ++i)
      put(e.first, i, made(), c);
  else
    m.summariseLoop([&] { put(e.first, -1, made(), c); });
  return e.first;
}

std::optional<Value> Algorithms::reverse(Call &c, std::string_view name, const Elements &e) {
  if (!e.places)
    return reorder(c, name, e);
  std::vector<Value> values;
  for (const Place &p : *e.places)
    values.push_back(m.load(p, c.expr, e.type));
  if (!e.places->empty())
    m.perhapsMove(Pointer::to(e.places->front()), elementType(c, e), c.expr);
  for (std::size_t i = 0; i < values.size(); ++i)
    m.store(Pointer::to((*e.places)[i]), values[values.size() - 1 - i], c.expr);
  return Void{};
}

Value Algorithms::equals(Call &c, const Elements &e, const Pointer &at) {
  if (!e.projection)
    if (auto own = applyOwn(m, clang::BO_EQ, {nullptr, elementType(c, e), {}, at}, c.arguments[2], c.expr))
      return *own;
  return m.compare(clang::BO_EQ, elementAt(c, e, at), argument(c, 2), c.expr);
}

std::optional<Value> Algorithms::fold(Call &c, std::string_view name, const Elements &e) {
  // What is given behind the range: a second one, what it begins with, what joins two, what makes of an element
  // what is joined.
  const std::size_t count = written(c);
  const bool two = name == "inner_product" || (name == "transform_reduce" && (count == 4 || count == 6));
  const std::size_t first = two ? 3 : 2;
  const bool transforms = name == "inner_product" || name == "transform_reduce";
  const bool joinsBy = count > first + 1;
  if (count < first || (count == first && name != "reduce") || (transforms && !two && count != 5) ||
      (two && count != 4 && count != 6))
    return std::nullopt;
  const Value start = count == first ? m.defaultValue(c.type, true) : argument(c, first);
  const Value second = two ? argument(c, 2) : Value();
  const clang::QualType type = c.type.getNonReferenceType();
  if (!start.number() && !joinsBy && !isOfTheProgram(m, Machine::classOf(type)))
    return std::nullopt;
  const auto joined = [&](std::size_t function, bool given, clang::BinaryOperatorKind op, const Value &a,
                          const Value &b) -> Value {
    if (given)
      return callOn(c, function, e, nullptr, {a, b});
    if (a.number() && b.number())
      return m.arithmetic(op, a, b, type, c.expr);
    const clang::QualType right = op == clang::BO_Add && !transforms ? elementType(c, e) : type;
    if (auto own = applyOwn(m, op, {nullptr, type, a, std::nullopt}, {nullptr, right, b, std::nullopt}, c.expr))
      return *own;
    return m.unknown(type, "a sum of several");
  };
  const Pointer sum = Pointer::to(m.newObject(start, type));
  eachElement(c, e, [&](const Pointer &at, std::int64_t i) {
    Value v;
    if (two) {
      const Value other = i >= 0 ? m.offset(second, Number::ofInteger(i), 1) : somewhereIn(second, c);
      v = joined(5, joinsBy, clang::BO_Mul, m.load(at, c.expr, e.type),
                 m.load(m.dereference(other, {}, c.expr), c.expr));
    } else {
      v = transforms ? callOn(c, 4, e, &at) : elementAt(c, e, at);
    }
    if (m.dead())
      return;
    const Value before = m.load(sum, c.expr, type);
    const Value after = joined(first + 1, joinsBy, clang::BO_Add, before, v);
    if (!m.dead())
      m.store(sum, after, c.expr);
  });
  return m.load(sum, c.expr, type);
}

std::optional<Value> Algorithms::search(Call &c, std::string_view name, const Elements &e) {
  if (e.followed())
    return searchKnown(c, name, e);
  const bool compares = name == "find" || name == "count";
  eachElement(c, e, [&](const Pointer &at, std::int64_t) {
    if (!compares)
      callOn(c, 2, e, &at);
    else
      equals(c, e, at);
  });
  m.losePlaces(e.first);
  return name.starts_with("count") ? someCount(m, "count") : m.unknown(c.type, "a search");
}

std::optional<Value> Algorithms::searchKnown(Call &c, std::string_view name, const Elements &e) {
  // As long as each answer is known.
  const std::vector<Place> &places = *e.places;
  const bool compares = name == "find" || name == "count";
  std::int64_t hits = 0;
  std::optional<std::size_t> hit;
  std::size_t i = 0;
  bool decided = true;
  for (; i < places.size() && !m.dead(); ++i) {
    const Pointer at = Pointer::to(places[i]);
    const auto truth = truthOf(compares ? equals(c, e, at) : callOn(c, 2, e, &at));
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
    return hit ? Value(Pointer::to(places[*hit])) : e.last;
  }
  // What a predicate does besides, it may do for each of those that follow.
  for (++i; i < places.size() && !m.dead(); ++i) {
    const Pointer at = Pointer::to(places[i]);
    compares ? equals(c, e, at) : callOn(c, 2, e, &at);
  }
  m.losePlaces(e.first);
  return name.starts_with("count") ? someCount(m, "count") : m.unknown(c.type, "a search");
}

/// The list of which \p position is a place in it.
static std::optional<Place> listOf(const Value &position) {
  const Place *first = position.pointer() ? position.pointer()->only() : nullptr;
  if (!first || first->path.empty())
    return std::nullopt;
  Place list = *first;
  list.path.pop_back();
  return list;
}

std::optional<Value> Algorithms::removed(Call &c, std::string_view name, const Elements &e) {
  const bool copies = name == "copy_if";
  const std::optional<Place> list = listOf(e.first);
  if (!e.followed()) {
    // Any of them may be left, at any place.
    if (copies || name == "remove" || !list)
      return std::nullopt;
    eachElement(c, e, [&](const Pointer &at, std::int64_t) { callOn(c, 2, e, &at); });
    const Value whole = m.peek(*list);
    if (!whole.list() || whole.list()->sized)
      return std::nullopt;
    m.store(Pointer::to(*list), whole, c.expr);
    return name == "erase_if" ? m.unknown(c.type, "how many were erased") : somewhereIn(e.first, c);
  }
  const std::vector<Place> &places = *e.places;
  std::vector<Value> kept, others, all;
  bool known = true;
  for (const Place &p : places) {
    all.push_back(m.load(p, c.expr, e.type));
    const Pointer at = Pointer::to(p);
    const auto truth = truthOf(name == "remove" ? equals(c, e, at) : callOn(c, copies ? 3 : 2, e, &at));
    if (m.dead())
      return std::nullopt;
    known = known && truth;
    if (truth)
      (*truth == copies ? kept : others).push_back(all.back());
  }
  if (!known && (copies || name == "remove" || !list))
    return std::nullopt;
  if (!known) { // what is behind the position that is returned counts as one of them as well
    List some;
    some.sized = false;
    Value any;
    for (const Value &v : all)
      any = m.joinWeakly(any, v);
    some.every = m.anyElement(any); // none is held against the code
    m.store(Pointer::to(*list), some, c.expr);
    return name == "erase_if" ? m.unknown(c.type, "how many were erased") : somewhereIn(e.first, c);
  }
  if (name == "erase_if") {
    const auto count = static_cast<std::int64_t>(others.size());
    if (!list)
      return std::nullopt;
    m.store(Pointer::to(*list), List{kept, true, {}, {}}, c.expr);
    return Number::ofInteger(count, Provenance::Fixed);
  }
  if (copies) {
    const Value out = argument(c, 2);
    for (std::size_t i = 0; i < kept.size(); ++i)
      put(out, static_cast<std::int64_t>(i), kept[i], c);
    return somewhereIn(out, c);
  }
  for (std::size_t i = 0; i < places.size(); ++i)
    m.store(Pointer::to(places[i]), i < kept.size() ? kept[i] : m.unknown(e.type, "moved away"), c.expr);
  return kept.size() == places.size() ? e.last : Value(Pointer::to(places[kept.size()]));
}

} // namespace condlint::cxx
