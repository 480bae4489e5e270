//===- FollowerIndex.cpp - Who leads where --------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FollowerIndex.h"
#include "../library/LibraryClasses.h"
#include "Places.h"
#include "Types.h"
#include <algorithm>
#include <clang/AST/DeclCXX.h>
#include <llvm/ADT/SetVector.h>

namespace condlint::cxx {

/// Calls \p visit with each part of \p v, until it says true.
static bool anyPart(const Value &v, const std::function<bool(const Value &)> &visit) {
  const auto second = [&](const auto &part) { return visit(part.second); };
  if (const Record *r = v.record())
    return std::ranges::any_of(r->fields, second);
  if (const List *l = v.list())
    return visit(l->every) || std::ranges::any_of(l->items, visit);
  if (const Map *map = v.map())
    return std::ranges::any_of(map->entries, second);
  if (const Callable *c = v.callable())
    return visit(c->target) || std::ranges::any_of(c->bound, visit);
  return v.optional() && visit(v.optional()->value);
}

bool Machine::Followers::concerns(const Value &v, const Move &move) {
  if (const Pointer *p = v.pointer())
    return std::ranges::any_of(p->places, [&](Place place) { return move(place); });
  return anyPart(v, [&](const Value &part) { return concerns(part, move); });
}

void Machine::Followers::followIn(Value &v, const Move &move) {
  const auto each = [&](Value &part) {
    if (concerns(part, move))
      followIn(part, move);
  };
  const auto eachPart = [&](auto &part) { each(part.second); };
  if (v.pointer())
    std::ranges::for_each(v.own<Pointer>().places, move);
  else if (v.record())
    std::ranges::for_each(v.own<Record>().fields, eachPart);
  else if (v.map())
    std::ranges::for_each(v.own<Map>().entries, eachPart);
  else if (v.optional())
    each(v.own<Optional>().value);
  if (v.list()) {
    each(v.own<List>().every);
    std::ranges::for_each(v.own<List>().items, each);
  }
  if (v.callable()) {
    each(v.own<Callable>().target);
    std::ranges::for_each(v.own<Callable>().bound, each);
  }
}

bool Machine::Followers::Index::mayLead(clang::QualType type) {
  if (type.isNull())
    return true;
  type = type.getCanonicalType();
  if (numberKind(type))
    return false;
  if (const clang::Type *element = type->getArrayElementTypeNoTypeQual())
    return mayLead(clang::QualType(element, 0));
  const clang::CXXRecordDecl *record = type->isReferenceType() ? nullptr : Machine::classOf(type);
  if (!record || !record->hasDefinition())
    return true;
  record = record->getDefinition();
  // A part that is of the type itself may.
  const auto [row, isNew] = leading.try_emplace(type.getTypePtr(), true);
  if (!isNew)
    return row->second;
  const std::string_view name = m.qualifiedName(*record);
  bool may = false;
  if (const LibraryClass *cls = libraryClass(name); cls && record->isInStdNamespace()) {
    using Form = LibraryClass::Form;
    const bool isText = name == "std::basic_string" || name == "std::basic_string_view";
    may = !isText && cls->form != Form::List && cls->form != Form::Map && cls->form != Form::Parts &&
          cls->form != Form::Optional;
    for (unsigned i = 0; !may && !isText && i < typeArgumentCount(type); ++i)
      may = mayLead(typeArgument(type, i));
  } else if (!m.dom.isEmptyWhenMoved(name)) {
    const auto part = [&](clang::QualType t) { return mayLead(t); };
    may = std::ranges::any_of(record->fields(), [&](const clang::FieldDecl *f) { return part(f->getType()); }) ||
          std::ranges::any_of(record->bases(), [&](const clang::CXXBaseSpecifier &b) { return part(b.getType()); });
  }
  leading[type.getTypePtr()] = may;
  return may;
}

void Machine::Followers::Index::noteLeads(ObjectId holder, const Value &v) {
  if (const Pointer *p = v.pointer()) {
    for (const Place &place : p->places)
      if (place.object && known.insert({holder.index(), place.object.index()}).second)
        holders[place.object.index()].push_back(holder);
    return;
  }
  anyPart(v, [&](const Value &part) {
    noteLeads(holder, part);
    return false;
  });
}

void Machine::Followers::Index::noteStored(ObjectId holder, const Value &part) {
  if (part.pointer() || part.record() || part.list() || part.map() || part.callable() || part.optional())
    noteLeads(holder, part);
}

void Machine::Followers::Index::refresh() {
  for (const ObjectId o : m.memory.takeChanged())
    if (mayLead(m.objects[o.index()].type))
      noteLeads(o, m.memory.get(o));
}

std::vector<ObjectId> Machine::Followers::Index::holdersOf(ObjectId target) {
  refresh();
  const auto of = holders.find(target.index());
  return of == holders.end() ? std::vector<ObjectId>() : of->second;
}

void Machine::Followers::Index::noteBound(const clang::ValueDecl &variable, ObjectId target) {
  const auto [row, isNew] = targets.try_emplace(&variable);
  if (isNew)
    inOrder.push_back(&variable);
  if (llvm::is_contained(row->second, target.index()))
    return;
  row->second.push_back(target.index());
  bound[target.index()].push_back(&variable);
}

void Machine::Followers::Index::noteBound(const clang::ValueDecl &variable, const Pointer &at) {
  for (const Place &place : at.places)
    if (place.object && !place.path.empty())
      noteBound(variable, place.object);
}

void Machine::Followers::Index::endBindings(std::size_t since) {
  for (; inOrder.size() > since; inOrder.pop_back()) {
    const auto row = targets.find(inOrder.back());
    for (const std::uint32_t target : row->second) {
      Variables &all = bound[target];
      all.erase(std::ranges::find(all, inOrder.back()));
      if (all.empty())
        bound.erase(target);
    }
    targets.erase(row);
  }
}

Machine::Followers::Index::Variables Machine::Followers::Index::boundTo(ObjectId target) const {
  return bound.lookup(target.index());
}

/// What the pointer \p v, which is a span, leads to: the elements of what it points to.
static Value toElements(const Value &v) { return v.pointer() ? Value(v.pointer()->then(Step::ofIndex(0))) : v; }

bool Machine::Followers::Index::isConcerned(ObjectId o, const Move &move) {
  const Value &v = m.memory.get(o);
  return concerns(m.className(m.objects[o.index()].type) == "std::span" ? toElements(v) : v, move);
}

void Machine::Followers::Index::followFrom(ObjectId o, const Move &move) {
  if (!isConcerned(o, move))
    return;
  const bool isSpan = m.className(m.objects[o.index()].type) == "std::span";
  Value v = isSpan ? toElements(m.memory.get(o)) : m.memory.get(o);
  followIn(v, move);
  if (isSpan && v.pointer())
    for (Place &place : v.own<Pointer>().places)
      place.path.pop_back();
  m.memory.set(o, std::move(v));
}

bool Machine::Followers::Index::isLedTo(const Place &whole, bool orAt) {
  const auto isThere = [&](const Place &place) {
    return !stepsBehind(whole, place).empty() || (orAt && place == whole);
  };
  const auto isThereIn = [&](const Pointer &p) { return std::ranges::any_of(p.places, isThere); };
  const Move is = [&](Place &place) { return isThere(place); };
  if (std::ranges::any_of(holdersOf(whole.object), [&](ObjectId o) { return isConcerned(o, is); }))
    return true;
  const Variables references = boundTo(whole.object);
  return std::ranges::any_of(m.stack, [&](const auto &frame) {
    return (frame->self && isThereIn(*frame->self)) || (frame->closure && isThereIn(*frame->closure)) ||
           std::ranges::any_of(references, [&](const clang::ValueDecl *variable) {
             const auto at = frame->variables.find(variable);
             return at != frame->variables.end() && isThereIn(at->second);
           });
  });
}

/// A reference is bound once for all paths: on one of several it leads to either. Only one path knows what stands
/// for something that has moved.
void Machine::Followers::Index::followBound(Pointer &at, const Move &move, bool isCertain,
                                            const clang::ValueDecl *variable) {
  constexpr std::size_t most = 8;
  for (std::size_t i = 0, count = at.places.size(); i < count; ++i) {
    Place now = at.places[i];
    if (!move(now))
      continue;
    if (variable)
      noteBound(*variable, now.object);
    if (isCertain || m.objects[at.places[i].object.index()].storage == Storage::Moved)
      at.places[i] = std::move(now);
    else if (std::ranges::find(at.places, now) == at.places.end())
      at.places.push_back(std::move(now));
  }
  if (at.places.size() > most) {
    m.losePlaces(at);
    at = Pointer::unknown();
  }
}

void Machine::Followers::Index::follow(std::initializer_list<ObjectId> moved, const Move &move) {
  std::vector<ObjectId> all;
  llvm::SetVector<const clang::ValueDecl *> references;
  for (const ObjectId target : moved) {
    const std::vector<ObjectId> some = holdersOf(target);
    all.insert(all.end(), some.begin(), some.end());
    references.insert_range(boundTo(target));
  }
  std::ranges::sort(all, {}, &ObjectId::index);
  all.erase(std::ranges::unique(all).begin(), all.end());
  for (const ObjectId o : all)
    followFrom(o, move);
  const bool isCertain = m.path() == 0 && !m.inAnyTrip() && !m.scouting();
  for (const auto &frame : m.stack) {
    for (std::optional<Pointer> *own : {&frame->self, &frame->closure})
      if (*own)
        followBound(**own, move, isCertain, nullptr);
    for (const clang::ValueDecl *variable : references)
      if (const auto at = frame->variables.find(variable); at != frame->variables.end())
        followBound(at->second, move, isCertain, variable);
  }
  for (std::size_t i = 0, count = m.lostPlaces.size(); i < count; ++i)
    if (Place now = m.lostPlaces[i]; move(now))
      m.losePlaces(Pointer::to(std::move(now)));
}

} // namespace condlint::cxx
