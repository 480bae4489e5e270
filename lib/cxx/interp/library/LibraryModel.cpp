//===- LibraryModel.cpp - What the models of library classes share --------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LibraryModel.h"
#include "../machine/Followers.h"
#include "../machine/Places.h"
#include "../machine/Types.h"
#include "../values/RangeView.h"
#include "LibraryClasses.h"
#include "OwnOperators.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

namespace condlint::cxx {

namespace {

/// What std::back_inserter and its kin return: the list that grows.
class Inserter : public Datum {
public:
  Inserter(Pointer p, bool first) : list(std::move(p)), atFront(first) {}
  bool equals(const Datum &other) const override {
    const auto *o = dynamic_cast<const Inserter *>(&other);
    return o && o->list == list && o->atFront == atFront;
  }
  Pointer list;
  bool atFront = false;
};

} // namespace

Value LibraryModel::inserterInto(Pointer list, bool atFront) {
  return Value(std::make_shared<const Inserter>(std::move(list), atFront));
}

bool LibraryModel::isTakenOver(const Call &c, std::size_t i) {
  if (!c.callee || i >= c.arguments.size() || i >= c.callee->getNumParams())
    return false;
  const clang::QualType type = c.callee->getParamDecl(static_cast<unsigned>(i))->getType();
  return type->isRValueReferenceType() && !type->getPointeeType().isConstQualified();
}

void LibraryModel::moved(Call &c, std::size_t i) {
  if (isTakenOver(c, i))
    m.moveFrom(c.arguments[i], c.arguments[i].type);
}

Value LibraryModel::taken(Call &c, std::size_t i, clang::QualType type) {
  return m.copyOf(c.arguments[i], type, c.expr, isTakenOver(c, i) ? Machine::Transfer::Move : Machine::Transfer::Copy);
}

Value LibraryModel::kept(Call &c, std::size_t i) {
  const clang::QualType type = c.arguments[i].type.getNonReferenceType();
  return m.isTransferredByCode(type, Machine::Transfer::Copy) ? taken(c, i, type) : argument(c, i);
}

Value LibraryModel::converted(Call &c, std::size_t i, clang::QualType type) {
  if (const clang::QualType given = c.arguments[i].type; !type.isNull() && !given.isNull() && !c.arguments[i].isDefault)
    if (m.ast().hasSameUnqualifiedType(given.getNonReferenceType(), type.getNonReferenceType()))
      return taken(c, i, type);
  Value v = argument(c, i);
  moved(c, i);
  v = m.followers().leaving(std::move(v));
  if (numberKind(type))
    return m.convertNumber(v, type);
  const clang::CXXRecordDecl *wanted = Machine::classOf(type), *given = Machine::classOf(c.arguments[i].type);
  if (v.record() && v.record()->type)
    given = v.record()->type;
  if (const std::string_view to = m.className(type); v.text() && to == "std::basic_string")
    return v.asViewOf(nullptr);
  else if (const auto &at = c.arguments[i].place;
           v.text() && at && to == "std::basic_string_view" && m.className(c.arguments[i].type) == "std::basic_string")
    return m.viewOf(v, *at);
  // What is a value of its own for the domain, or for the library, is what it is made of.
  if (!isOfTheProgram(m, wanted) || wanted->isLambda() ||
      (given && (given->getCanonicalDecl() == wanted->getCanonicalDecl() ||
                 (given->hasDefinition() && given->isDerivedFrom(wanted)))) ||
      (!v.pointer() && !v.number() && !v.text() && !v.isNull() && !v.record()))
    return v;
  return m.constructBest(type, {c.arguments[i]}, c.expr);
}

Value LibraryModel::element(Call &c, clang::QualType type) {
  if (c.arguments.size() == 1)
    return converted(c, 0, type);
  return m.constructBest(type, c.arguments, c.expr);
}

void LibraryModel::hold(const Pointer &where, const Value &item, const Call &c) {
  // What a container of unknown content is like afterwards does not say what it was given.
  if (const Place *only = where.only(); only && item.pointer() && m.isOuter(only->object))
    m.domain().onWrite(m, only->then(Step::ofIndex(-1)), item, c.expr);
}

Pointer LibraryModel::insertsInto(const Value &v) {
  const auto *inserter = v.as<Inserter>();
  return inserter ? inserter->list : Pointer();
}

Value LibraryModel::somewhereIn(const Value &position, const Call &c) {
  const Pointer *p = position.pointer();
  const auto isElement = [](const Place &at) {
    return !at.path.empty() && !at.path.back().field && !at.path.back().key;
  };
  if (!p || p->other || !std::ranges::all_of(p->places, isElement))
    return position.datum() ? position : m.unknown(c.type, "a position");
  Pointer any = *p;
  for (Place &at : any.places)
    at.path.back().index = -1;
  return any;
}

void LibraryModel::put(const Value &out, std::int64_t i, const Value &v, const Call &c) {
  if (const auto *inserter = out.as<Inserter>()) {
    const Place *only = inserter->list.only();
    const Value old = only ? m.peek(*only) : m.unknown("a list");
    List l;
    if (const List *known = old.list())
      l = *known;
    else
      l.sized = false;
    if (l.sized && i >= 0) {
      l.items.insert(inserter->atFront ? l.items.begin() : l.items.end(), v);
    } else {
      Value every = l.every;
      for (const Value &item : l.items)
        every = m.join(every, item);
      l.items.clear();
      l.rest = SymbolId();
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
  assignTo(m.dereference(at, {}, c.expr), v, c);
}

void LibraryModel::assignTo(const Pointer &at, const Value &v, const Call &c) {
  Argument from;
  from.value = v;
  const Place *only = at.only();
  const clang::QualType type = only && only->object ? m.typeOf(*only) : clang::QualType();
  from.type = type;
  if (!type.isNull() && m.isTransferredByCode(type, Machine::Transfer::Copy))
    return m.assign(at, from, type, c.expr);
  m.store(at, v, c.expr);
}

Pointer LibraryModel::advanced(const Pointer &p, std::int64_t by) {
  const Value v = m.offset(p, Number::ofInteger(by), 1);
  return v.pointer() ? *v.pointer() : Pointer::unknown();
}

std::optional<std::vector<Place>> LibraryModel::range(const Value &first, const Value &last) {
  const Place *a = first.pointer() ? first.pointer()->only() : nullptr;
  const Place *b = last.pointer() ? last.pointer()->only() : nullptr;
  if (!a || !b || a->path.empty() || b->path.empty())
    return std::nullopt;
  if (!areSpelledInOne(*a, *b)) {
    // Two views of the same elements: `x.sizes().begin()`, `x.sizes().end()`.
    const auto viewed = [&](Place p) {
      p.path.pop_back();
      return m.peek(p);
    };
    const Value x = viewed(*a), y = viewed(*b);
    const List *l = x.list(), *r = y.list();
    if (!l || !r || !l->origin || !r->origin || !l->sized || !r->sized || l->items.size() != r->items.size() ||
        !l->origin->equals(*r->origin))
      return std::nullopt;
  }
  const Step &from = a->path.back();
  const Step &to = b->path.back();
  constexpr std::int64_t most = 4096;
  std::vector<Place> out;
  if (from.key && to.key) { // entries of a map
    Place at = *a;
    while (at != *b && static_cast<std::int64_t>(out.size()) < most) {
      out.push_back(at);
      if (!m.moveEntry(at, 1))
        return std::nullopt;
    }
    return at == *b ? std::optional(std::move(out)) : std::nullopt;
  }
  if (from.field || to.field || from.key || to.key || from.index < 0 || to.index < 0 ||
      std::abs(to.index - from.index) > most)
    return std::nullopt;
  // Backwards, by positions that lie behind what they point to.
  for (std::int64_t i = from.index; i > to.index; --i) {
    Place p = *a;
    p.path.back() = Step::ofIndex(i - 1);
    out.push_back(std::move(p));
  }
  for (std::int64_t i = from.index; i < to.index; ++i) {
    Place p = *a;
    p.path.back() = Step::ofIndex(i);
    out.push_back(std::move(p));
  }
  return out;
}

std::size_t LibraryModel::written(const Call &c) const {
  return static_cast<std::size_t>(std::ranges::count_if(c.arguments, [](const Argument &a) { return !a.isDefault; }));
}

void LibraryModel::lose(Call &c) {
  for (const Argument &a : c.arguments) {
    if (a.isDefault)
      continue;
    if (const Value v = m.peek(a); !v.isAbsent())
      m.domain().onLost(m, v, c.expr);
  }
}

bool LibraryModel::comparesOnly(const Call &c, std::string_view cls) const {
  const LibraryClass *known = libraryClass(cls);
  return written(c) == 1 && known && known->compares.order != 0 &&
         plainType(c.arguments[0].type) == plainType(typeArgument(c.type, known->compares.order));
}

Value spanned(Machine &m, const Value &span, clang::QualType type) {
  const Symbol *s = span.symbol();
  const clang::QualType whole = s ? m.symbol(s->id).type : clang::QualType();
  return s && m.className(whole.isNull() ? type : whole) == "std::span"
             ? Value(m.dereference(span, whole.isNull() ? type.getNonReferenceType() : whole, nullptr))
             : span;
}

std::optional<std::vector<Value>> elementsOfSpan(Machine &m, const Value &span) {
  if (const RangeView *view = viewIn(span))
    return view->steps.empty() ? std::optional(span.list()->items) : std::nullopt;
  const Place *only = span.pointer() ? span.pointer()->only() : nullptr;
  const Value whole = only ? m.peek(*only) : Value();
  const List *list = whole.list();
  constexpr std::size_t mostElements = 4096;
  if (!list || !list->isOwn() || list->items.size() > mostElements)
    return std::nullopt;
  std::vector<Value> places;
  for (std::size_t i = 0; i < list->items.size(); ++i)
    places.emplace_back(Pointer::to(only->then(Step::ofIndex(static_cast<std::int64_t>(i)))));
  return places;
}

} // namespace condlint::cxx
