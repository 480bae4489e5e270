//===- Summaries.cpp - Calls that are like others -------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Summaries.h"
#include "Calls.h"
#include "Jumps.h"
#include <algorithm>
#include <clang/AST/DeclCXX.h>

namespace condlint::cxx {

Value Machine::Calls::inlined(const clang::FunctionDecl &function, std::optional<Pointer> self,
                              std::vector<Argument> &arguments, const clang::Expr *site,
                              const ReturnHandler &onReturn) {
  const clang::FunctionDecl *definition = nullptr;
  const bool isRepeated = function.hasBody(definition) && m.enteredFunctions.contains(definition);
  m.repeating += isRepeated ? 1 : 0;
  const auto anew = [&] { return runBody(function, self, arguments, site, onReturn); };
  Value result;
  std::optional<Summaries::Given> given;
  if (m.repeatedSteps >= m.limits.repeated && !onReturn && site && definition)
    given = Summaries::Given{definition, self, arguments};
  if (!given || !m.summaries->mayKeep(*given))
    result = anew();
  else if (auto known = m.summaries->find(*given, site))
    result = std::move(*known);
  else
    result = m.summaries->keep(*given, anew);
  m.repeating -= isRepeated ? 1 : 0;
  return result;
}

/// How deep values are looked into, and how many parts of them.
constexpr unsigned deepestValue = 16;
constexpr unsigned mostPartsToCompare = 4'096;
/// How many summaries of one function are kept.
constexpr std::size_t mostSummaries = 16;

//===----------------------------------------------------------------------===//
// What is alike
//===----------------------------------------------------------------------===//

class Machine::Summaries::Likeness {
public:
  explicit Likeness(Machine &machine) : m(machine) {}

  bool areAlike(const Value &before, const Value &now, unsigned depth = 0);
  bool areAlike(const Pointer &before, const Pointer &now);
  bool areAlike(const Argument &before, const Argument &now);
  bool areAlike(ObjectId before, ObjectId now);
  /// What stands for \p before now.
  ObjectId now(ObjectId before) const {
    const auto other = objects.find(before.index());
    return other == objects.end() ? before : ObjectId(other->second);
  }

private:
  using Id = std::pair<std::uint32_t, std::uint32_t>;
  /// Each stands for one other.
  template <class T> static bool pair(std::map<T, T> &there, std::map<T, T> &back, T before, T now) {
    return there.try_emplace(before, now).first->second == now && back.try_emplace(now, before).first->second == before;
  }
  bool areSimilar(const Object &before, const Object &now) const;

  Machine &m;
  std::map<std::uint32_t, std::uint32_t> objects, objectsBack;
  std::map<Id, Id> tokens, tokensBack;
  unsigned budget = mostPartsToCompare;
};

bool Machine::Summaries::Likeness::areSimilar(const Object &before, const Object &now) const {
  // What lies outside of the region is told by its own name.
  const auto isInner = [&](const Object &o) {
    return o.region >= m.regionDepth && !o.holder && !o.pointer && o.storage != Storage::External;
  };
  return isInner(before) && isInner(now) && before.type == now.type && before.storage == now.storage;
}

bool Machine::Summaries::Likeness::areAlike(ObjectId before, ObjectId now) {
  if (before == now)
    return pair(objects, objectsBack, before.index(), now.index());
  return before && now && areSimilar(m.objects[before.index()], m.objects[now.index()]) &&
         pair(objects, objectsBack, before.index(), now.index());
}

bool Machine::Summaries::Likeness::areAlike(const Pointer &before, const Pointer &now) {
  return before.mayBeNull == now.mayBeNull && before.other == now.other &&
         std::ranges::equal(before.places, now.places, [&](const Place &a, const Place &b) {
           return a.path == b.path && areAlike(a.object, b.object);
         });
}

bool Machine::Summaries::Likeness::areAlike(const Argument &before, const Argument &now) {
  if (before.isDefault != now.isDefault || before.place.has_value() != now.place.has_value() || before.type != now.type)
    return false;
  return before.isDefault || (before.place ? areAlike(*before.place, *now.place) : areAlike(before.value, now.value));
}

bool Machine::Summaries::Likeness::areAlike(const Value &before, const Value &now, unsigned depth) {
  if (budget == 0 || depth > deepestValue || before.kind() != now.kind())
    return false;
  --budget;
  const auto are = [&](const Value &a, const Value &b) { return areAlike(a, b, depth + 1); };
  if (const Handle *h = before.handle())
    return h->tag == now.handle()->tag && areAlike(h->object, now.handle()->object);
  if (const Token *t = before.token()) {
    const Token &other = *now.token();
    return m.dom.isAlike(m, *t, other) && pair(tokens, tokensBack, Id(t->tag, t->id), Id(other.tag, other.id));
  }
  if (const Number *n = before.number()) {
    const Number &other = *now.number();
    const bool isSameSource =
        n->source == other.source || (n->source && other.source && n->source->equals(*other.source));
    return before.same(now) && isSameSource && n->determined == other.determined && n->among == other.among;
  }
  if (const Unknown *u = before.unknown())
    return before.same(now) && u->determined == now.unknown()->determined;
  if (const Pointer *p = before.pointer())
    return areAlike(*p, *now.pointer());
  if (const Record *r = before.record()) {
    const Record &other = *now.record();
    return r->type == other.type && r->rest == other.rest && r->restReason == other.restReason &&
           std::ranges::equal(r->fields, other.fields, [&](const auto &a, const auto &b) {
             return a.first == b.first && are(a.second, b.second);
           });
  }
  if (const List *l = before.list()) {
    const List &other = *now.list();
    return l->sized == other.sized && l->open == other.open && l->rest == other.rest && l->origin == other.origin &&
           are(l->every, other.every) && std::ranges::equal(l->items, other.items, are);
  }
  if (const Map *map = before.map()) {
    const Map &other = *now.map();
    return map->complete == other.complete && map->rest == other.rest &&
           std::ranges::equal(map->entries, other.entries, [&](const auto &a, const auto &b) {
             return a.first == b.first && are(a.second, b.second);
           });
  }
  if (const Optional *o = before.optional())
    return o->has == now.optional()->has && are(o->value, now.optional()->value);
  if (const Callable *c = before.callable()) {
    const Callable &other = *now.callable();
    return c->function == other.function && are(c->target, other.target) &&
           std::ranges::equal(c->bound, other.bound, are);
  }
  return before.same(now);
}

//===----------------------------------------------------------------------===//
// Keeping in mind
//===----------------------------------------------------------------------===//

bool Machine::Summaries::mayKeep(const Given &given) const {
  const clang::FunctionDecl &f = *given.function;
  if (m.isDead || m.exhausted || m.isWeak || m.dom.doubts() != 0 || m.isOnDevice() ||
      llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(f) || f.hasCXXExplicitFunctionObjectParameter() ||
      given.arguments.size() > f.getNumParams())
    return false;
  // What is copied from a place is read where it is called.
  for (std::size_t i = 0; i < given.arguments.size(); ++i)
    if (given.arguments[i].place && !f.getParamDecl(static_cast<unsigned>(i))->getType()->isReferenceType())
      return false;
  return true;
}

Machine::Summaries::Made Machine::Summaries::made() const {
  return {m.symbols.size(), m.symbolParts.size(), m.symbolPointees.size(), m.globals.size(),
          m.damaged,        m.gapCount,           m.dom.doubts()};
}

/// Finds the objects in the result \p v that the call made; false where it holds what is not recorded.
bool Machine::Summaries::addNewObjects(const Value &v, Summary &s, unsigned depth) const {
  const auto add = [&](const Value &part) { return addNewObjects(part, s, depth + 1); };
  if (depth > deepestValue || s.newObjects.size() > mostPartsToCompare)
    return false;
  if (const Handle *h = v.handle()) {
    if (h->object.index() < s.before || std::ranges::find(s.newObjects, h->object) != s.newObjects.end())
      return true;
    s.newObjects.push_back(h->object);
    return m.memory.get(h->object).token() != nullptr;
  }
  if (const Number *n = v.number())
    return n->known && !n->source && !n->test;
  if (const List *l = v.list())
    return l->isOwn() && l->every.isAbsent() && std::ranges::all_of(l->items, add);
  if (const Record *r = v.record())
    return !r->rest && !r->type->isLambda() &&
           std::ranges::all_of(r->fields, [&](const auto &field) { return add(field.second); });
  if (const Optional *o = v.optional())
    return o->has && add(o->value);
  if (const Pointer *p = v.pointer())
    return !p->other && std::ranges::all_of(p->places, [&](const Place &place) {
      return place.object && place.object.index() < s.before;
    });
  return v.isVoid() || v.isAbsent() || v.isNull() || v.text();
}

Value Machine::Summaries::keep(const Given &given, const std::function<Value()> &run) {
  const auto start = m.dom.beginCall(m);
  if (!start)
    return run();
  Summary s;
  s.given = given;
  s.where = start->where;
  s.tripsAround = m.tripsAround;
  s.assumed = m.assumedNumber;
  s.before = static_cast<std::uint32_t>(m.memory.size());
  const Made before = made();
  const std::size_t failuresBefore = m.failures, forksBefore = m.openForks, around = m.stack.size();
  const std::size_t leftBefore = m.leftPaths.size();
  const bool askedPath = std::exchange(m.asksPath, false);
  depths.push_back(around);
  m.memory.beginWatch();
  Value result = run();
  Store::Use use = m.memory.endWatch();
  s.height = depths.back() - around;
  depths.pop_back();
  if (m.asksPath)
    s.path = m.pathNumber;
  m.asksPath = m.asksPath || askedPath;
  if (use.leavesWrites || m.isDead || m.exhausted || made() != before || !addNewObjects(result, s))
    return result;
  std::vector<Token> tokens;
  for (const ObjectId o : s.newObjects)
    tokens.push_back(*m.memory.get(o).token());
  s.recorded = m.dom.summarise(m, *start, use.reads, tokens);
  if (!s.recorded)
    return result;
  s.reads = std::move(use.reads);
  s.result = result;
  s.failures = m.failures - failuresBefore;
  s.mayLeave = m.leftPaths.size() > leftBefore;
  s.openForks = m.openForks - forksBefore;
  s.number = kept++;
  std::vector<Summary> &all = summaries[given.function];
  std::erase_if(all, [&](const Summary &old) { return old.where != s.where; });
  if (all.size() < mostSummaries)
    all.push_back(std::move(s));
  return result;
}

void Machine::Summaries::endTrial() {
  for (auto &[function, all] : summaries)
    std::erase_if(all, [&](const Summary &s) { return s.number >= firstTried; });
}

//===----------------------------------------------------------------------===//
// Telling again
//===----------------------------------------------------------------------===//

std::optional<Value> Machine::Summaries::find(const Given &given, const clang::Expr *site) {
  const auto known = summaries.find(given.function);
  const auto start = known == summaries.end() ? std::nullopt : m.dom.beginCall(m);
  if (!start)
    return std::nullopt;
  for (const Summary &s : known->second)
    if (s.where == start->where && s.tripsAround == m.tripsAround && s.assumed == m.assumedNumber &&
        s.path.value_or(m.pathNumber) == m.pathNumber && m.stack.size() + s.height <= m.limits.calls + 1)
      if (auto v = repeated(s, given, site))
        return v;
  return std::nullopt;
}

std::optional<Value> Machine::Summaries::repeated(const Summary &s, const Given &given, const clang::Expr *site) {
  Likeness alike(m);
  if (s.given.self.has_value() != given.self.has_value() || (given.self && !alike.areAlike(*s.given.self, *given.self)))
    return std::nullopt;
  if (!std::ranges::equal(s.given.arguments, given.arguments,
                          [&](const Argument &a, const Argument &b) { return alike.areAlike(a, b); }))
    return std::nullopt;
  std::vector<Value> now;
  for (const auto &[object, value] : s.reads) {
    const ObjectId other = alike.now(object);
    if (!alike.areAlike(object, other))
      return std::nullopt;
    now.push_back(m.memory.get(other));
    if (!alike.areAlike(value, now.back()))
      return std::nullopt;
  }
  if (!m.step())
    return std::nullopt;
  const auto tokens = m.dom.repeat(m, *s.recorded, now, m.qualifiedName(*given.function), site);
  if (!tokens)
    return std::nullopt;
  if (s.path)
    m.asksPath = true;
  for (std::size_t &most : depths)
    most = std::max(most, m.stack.size() + s.height);
  m.failures += s.failures;
  if (const auto *call = s.mayLeave ? llvm::dyn_cast_or_null<clang::CallExpr>(site) : nullptr) {
    m.leftPaths.push_back({nullptr, nullptr, false, {call->arg_begin(), call->arg_end()}});
    m.jumps->assumeNotLeft(m.leftPaths.size() - 1);
  }
  m.openForks += s.openForks;
  std::vector<ObjectId> newObjects;
  for (std::size_t i = 0; i < s.newObjects.size(); ++i) {
    const Object o = m.objects[s.newObjects[i].index()];
    newObjects.push_back(m.newObject((*tokens)[i], o.type, o.storage));
  }
  return rebuilt(s.result, s, alike, newObjects);
}

Value Machine::Summaries::rebuilt(const Value &v, const Summary &s, const Likeness &alike,
                                  const std::vector<ObjectId> &newObjects) const {
  const auto again = [&](const Value &part) { return rebuilt(part, s, alike, newObjects); };
  if (const Handle *h = v.handle()) {
    const auto one = std::ranges::find(s.newObjects, h->object);
    return Handle{one == s.newObjects.end() ? alike.now(h->object)
                                            : newObjects[static_cast<std::size_t>(one - s.newObjects.begin())],
                  h->tag};
  }
  if (const List *l = v.list()) {
    List other = *l;
    std::ranges::transform(l->items, other.items.begin(), again);
    return other;
  }
  if (const Record *r = v.record()) {
    Record other = *r;
    for (auto &[field, value] : other.fields)
      value = again(value);
    return other;
  }
  if (const Optional *o = v.optional()) {
    Optional other = *o;
    other.value = again(o->value);
    return other;
  }
  if (const Pointer *p = v.pointer()) {
    Pointer other = *p;
    for (Place &place : other.places)
      place.object = alike.now(place.object);
    return other;
  }
  return v;
}

} // namespace condlint::cxx
