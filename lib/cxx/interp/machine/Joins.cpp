//===- Joins.cpp - What several paths leave -------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Joins.h"
#include "Determination.h"
#include "Followers.h"
#include "Jumps.h"
#include "LoopWays.h"
#include "Names.h"
#include "Places.h"
#include <algorithm>
#include <llvm/Support/SaveAndRestore.h>

namespace condlint::cxx {

/// Whether two values of one variable are objects of one class: a std::function may hold other ones.
static bool areOfOneClass(const clang::CXXRecordDecl *a, const clang::CXXRecordDecl *b) {
  return a && b && a->getCanonicalDecl() == b->getCanonicalDecl();
}

Value Machine::Joins::joinRecords(const Record &a, const Record &b) {
  Record r;
  r.type = a.type ? a.type : b.type;
  if (a.rest == b.rest)
    r.rest = a.rest;
  r.restReason = a.restReason ? a.restReason : b.restReason;
  const auto partOf = [&](const Record &x, const clang::FieldDecl *f) {
    return m.part(Value(x), Step::ofField(f), f->getType());
  };
  for (const auto &[field, value] : a.fields)
    r.fields.emplace_back(field, m.join(value, partOf(b, field)));
  for (const auto &[field, value] : b.fields)
    if (!a.find(field))
      r.fields.emplace_back(field, m.join(partOf(a, field), value));
  return r;
}

Value Machine::Joins::joinLists(const List &a, const List &b) {
  List l;
  if (a.sized && b.sized && a.items.size() == b.items.size()) {
    for (std::size_t i = 0; i < a.items.size(); ++i)
      l.items.push_back(m.join(a.items[i], b.items[i]));
    l.open = a.open || b.open;
    return l;
  }
  l.sized = false;
  if (a.rest && a.rest == b.rest) {
    l.rest = a.rest;
    for (std::size_t i = 0; i < std::max(a.items.size(), b.items.size()); ++i) {
      const Step step = Step::ofIndex(static_cast<std::int64_t>(i));
      l.items.push_back(m.join(m.part(Value(a), step, {}), m.part(Value(b), step, {})));
    }
    l.every = a.every;
    return l;
  }
  const auto add = [&](const Value &v) { l.every = l.every.isAbsent() ? v : m.join(l.every, v); };
  for (const List *side : {&a, &b}) {
    if (!side->sized)
      add(side->every);
    for (const Value &item : side->items)
      add(item);
  }
  if (l.every.isAbsent())
    l.every = m.unknown("an element of a list of unknown size");
  return l;
}

/// What either of the two whole numbers may be; null where that is anything.
static std::shared_ptr<const std::vector<std::int64_t>> amongBoth(const Number &x, const Number &y) {
  constexpr std::size_t most = 8;
  std::vector<std::int64_t> all;
  for (const Number *n : {&x, &y}) {
    if (n->kind != Number::Kind::Integer || (!n->known && !n->among))
      return nullptr;
    if (n->known)
      all.push_back(n->integer);
    else
      all.insert(all.end(), n->among->begin(), n->among->end());
  }
  std::ranges::sort(all);
  const auto rest = std::ranges::unique(all);
  all.erase(rest.begin(), rest.end());
  return all.size() > most ? nullptr : std::make_shared<const std::vector<std::int64_t>>(std::move(all));
}

/// Of one kind.
static Number joinNumbers(const Number &x, const Number &y) {
  Number n = x;
  if (!x.known && x.among != y.among)
    n.among = amongBoth(x, y);
  n.provenance = std::max(x.provenance, y.provenance);
  if (x.test != y.test)
    n.test = nullptr;
  if (x.source != y.source)
    n.source = nullptr;
  if (x.equals(y))
    return n;
  n.among = amongBoth(x, y);
  n.known = false;
  n.dim = x.kind == Number::Kind::Integer && x.dim == y.dim && !x.known && !y.known ? x.dim : Dim{};
  n.test = nullptr;
  n.source = nullptr;
  n.provenance = std::max(n.provenance, Provenance::Varies);
  return n;
}

/// One of the two is unknown, or both are.
static Unknown joinUnknown(const Unknown *x, const Unknown *y) {
  Unknown u = x ? *x : *y;
  if (u.leak == 0 && y)
    u.leak = y->leak;
  return u;
}

/// Null stands for a null pointer. \p drops: not all that they lead to is kept.
static Pointer joinPointers(const Pointer *p, const Pointer *q, bool &drops) {
  constexpr std::size_t most = 8;
  Pointer both = p ? *p : Pointer{};
  both.mayBeNull = both.mayBeNull || !p || !q || q->mayBeNull;
  if (q) {
    both.other = both.other || q->other;
    for (const Place &place : q->places)
      if (std::ranges::find(both.places, place) == both.places.end())
        both.places.push_back(place);
  }
  if (both.places.size() > most) {
    both.places.resize(most);
    both.other = drops = true;
  }
  return both;
}

/// \p p, which leads to several elements of one list, of some of which the index is not known: to one that is not
/// known.
static Pointer oneOfUnknown(Machine &m, Pointer p) {
  if (p.places.size() < 2 || !m.domain().tellsElementsApart())
    return p;
  const auto isElement = [](const Place &at) {
    return !at.path.empty() && !at.path.back().field && !at.path.back().key;
  };
  const Place &first = p.places.front();
  const auto isBeside = [&](const Place &at) { return isElement(at) && areSpelledInOne(at, first); };
  const auto isUnknown = [&](const Place &at) { return at.path.back().index < 0; };
  if (!isElement(first) || !std::ranges::all_of(p.places, isBeside) || std::ranges::none_of(p.places, isUnknown))
    return p;
  p.places.resize(1);
  p.places.front().path.back() = m.elementAt(Value());
  return p;
}

/// \p v as a list like \p made, where that is what was made of the list \p v from outside.
static std::optional<List> unchangedBeside(const Value &v, const List *made) {
  const Symbol *s = made && made->rest ? v.symbol() : nullptr;
  if (!s || s->id != made->rest)
    return std::nullopt;
  List same;
  same.sized = false;
  same.rest = made->rest;
  same.every = made->every;
  return same;
}

static Map joinMaps(Machine &m, const Map &x, const Map &y) {
  Map both;
  if (x.rest == y.rest)
    both.rest = x.rest;
  for (const auto &[key, value] : x.entries)
    if (const auto second = y.entries.find(key); second != y.entries.end())
      both.entries.emplace(key, m.join(value, second->second));
  both.complete =
      x.complete && y.complete && both.entries.size() == x.entries.size() && both.entries.size() == y.entries.size();
  return both;
}

static Optional joinOptionals(Machine &m, const Optional &x, const Optional &y) {
  Optional o;
  if (x.has == y.has)
    o.has = x.has;
  o.value = m.join(x.value, y.value);
  return o;
}

/// It is a number, or an object with one, that nothing tells from others.
static bool isNameless(const Value &v, unsigned depth = 0) {
  constexpr unsigned deepest = 4;
  if (const Number *n = v.number())
    return !n->known && !n->test && !n->source && !n->dim.known();
  const Record *r = depth < deepest ? v.record() : nullptr;
  return r && std::ranges::any_of(r->fields, [&](const auto &field) { return isNameless(field.second, depth + 1); });
}

Value withNames(Machine &m, Value v) {
  if (!isNameless(v))
    return v;
  if (const Number *n = v.number()) {
    Number same = *n;
    m.domain().identify(m, same);
    return Value(std::move(same)).asHeld(v.heldAs());
  }
  for (auto &[field, value] : v.own<Record>().fields)
    value = withNames(m, std::move(value));
  return v;
}

Value withOpenName(Machine &m, Value v) {
  if (!isNameless(v))
    return v;
  v = withNames(m, std::move(v));
  if (const Number *n = v.number())
    m.domain().leaveOpen(m, *n);
  return v;
}

Value someCount(Machine &m, std::string_view name) {
  Number n = Number::ofDim(m.dims().fresh(name, SymbolOrigin::Anonymous), Provenance::Varies);
  m.domain().identify(m, n);
  atLeast(m, n, 0);
  m.signedNumbers().leaveOpen(m.dims(), n.dim);
  return n;
}

void atLeast(Machine &m, const Number &n, std::int64_t least) {
  if (const auto is = m.domain().comparison(m, clang::BO_GE, n, Number::ofInteger(least)))
    is->assume(m, true);
}

Value Machine::join(const Value &a, const Value &b) {
  Value v = Joins(*this).joined(a, b);
  // What one of two types holds is of one of them.
  const bool isOfOne = a.isAbsent() || b.isAbsent() || a.heldAs() == b.heldAs();
  v = v.asHeld(!isOfOne ? nullptr : a.isAbsent() ? b.heldAs() : a.heldAs());
  return met.determined ? Determination(*this).madeOf(std::move(v), {&a, &b}) : v;
}

Value Machine::Joins::joinedPointers(const Value &a, const Value &b) {
  bool drops = false;
  Pointer both = joinPointers(a.pointer(), b.pointer(), drops);
  if (drops) {
    m.losePlaces(a);
    m.losePlaces(b);
  }
  if (drops && m.dom.keepsPlaces()) {
    m.dom.onLost(m, a, nullptr);
    m.dom.onLost(m, b, nullptr);
  }
  return oneOfUnknown(m, std::move(both));
}

Value Machine::Joins::joined(const Value &a, const Value &b) {
  if (a.isAbsent())
    return b;
  if (b.isAbsent())
    return a;
  // Numbers of different kinds are alternatives of a variant.
  if (const Number *x = a.number(), *y = b.number(); x && y && x->kind == y->kind)
    return joinNumbers(*x, *y);
  if (a.same(b))
    return a;
  if (a.handle() || a.token() || a.datum() || b.handle() || b.token() || b.datum())
    if (auto v = m.dom.join(m, a, b))
      return *v;
  if (a.unknown() || b.unknown()) {
    const Unknown u = joinUnknown(a.unknown(), b.unknown());
    const Value &known = a.unknown() ? b : a;
    m.losePlaces(known);
    if (u.leak != 0 || !m.dom.keepsPlaces())
      return u;
    if (known.pointer())
      return joinedPointers(known, Pointer::unknown());
    m.dom.onLost(m, known, nullptr);
    return u;
  }
  if ((a.pointer() || a.isNull()) && (b.pointer() || b.isNull()))
    return joinedPointers(a, b);
  // A symbol beside a record: the record's fields, or the symbol's.
  const auto asRecord = [&](const Value &v) -> std::optional<Record> {
    if (v.record())
      return *v.record();
    if (!v.symbol())
      return std::nullopt;
    const clang::QualType type = m.symbol(v.symbol()->id).type;
    return Record{type.isNull() ? nullptr : type.getNonReferenceType()->getAsCXXRecordDecl(), {}, v.symbol()->id, {}};
  };
  if (a.record() || b.record())
    if (const auto x = asRecord(a), y = asRecord(b); x && y && areOfOneClass(x->type, y->type))
      return joinRecords(*x, *y);
  if (a.list() && b.list())
    return joinLists(*a.list(), *b.list());
  if (const auto same = unchangedBeside(a, b.list()))
    return joinLists(*same, *b.list());
  if (const auto same = unchangedBeside(b, a.list()))
    return joinLists(*a.list(), *same);
  if (const Map *x = a.map(), *y = b.map(); x && y)
    return joinMaps(m, *x, *y);
  if (const Optional *x = a.optional(), *y = b.optional(); x && y)
    return joinOptionals(m, *x, *y);
  return m.unknown("one of several values");
}

void Machine::Joins::OneByOne::add(const Value &v, bool inDoubt) {
  const llvm::SaveAndRestore first(m.metInDoubt[0], !isFirst && isInDoubt), second(m.metInDoubt[1], inDoubt);
  Value both = m.join(joined, v);
  // What is one of both is marked where it came from a path in doubt.
  isInDoubt = isFirst ? inDoubt : isInDoubt && inDoubt && both.same(joined);
  isFirst = false;
  joined = std::move(both);
}

/// \p both, which is \p first on the path where \p chosen is true and \p second on the other: a truth value that is
/// another one on each tells them apart.
static Value tellingPaths(const Value &both, const Value &first, const Value &second,
                          const std::shared_ptr<const Test> &chosen) {
  const Number *n = both.number(), *x = first.number(), *y = second.number();
  const auto isTruth = [](const Number *of) { return of && of->known && of->kind == Number::Kind::Bool; };
  if (!n || n->known || n->test || !isTruth(x) || !isTruth(y) || x->integer == y->integer)
    return both;
  Number telling = *n;
  telling.test = x->integer != 0 ? chosen : negated(chosen);
  return Value(std::move(telling)).asHeld(both.heldAs());
}

void Machine::Joins::mergeDeltas(std::span<const Delta *const> deltas, JoinPoint where, std::span<const bool> inDoubt) {
  for (const Delta *written : deltas)
    for (const auto &[object, value] : *written)
      if (const clang::ValueDecl *d = m.objects[object.index()].decl; d && where.number != 0)
        where.written.push_back(d);
  std::ranges::sort(where.written, std::less<>());
  const llvm::SaveAndRestore joinPoint(m.met, std::move(where));
  std::vector<ObjectId> order;
  llvm::DenseMap<std::uint32_t, std::uint32_t> rows;
  std::vector<const Value *> cells;
  for (std::size_t k = 0; k < deltas.size(); ++k)
    for (const auto &[object, value] : *deltas[k]) {
      auto [row, isNew] = rows.try_emplace(object.index(), static_cast<std::uint32_t>(order.size()));
      if (isNew) {
        order.push_back(object);
        cells.resize(cells.size() + deltas.size(), nullptr);
      }
      cells[row->second * deltas.size() + k] = &value;
    }
  // What the first path is told by; to what is looked into meanwhile it says nothing.
  const std::shared_ptr<const Test> chosen = std::exchange(m.jumps->chosen, nullptr);
  const auto joinRow = [&](std::size_t row, const Value &base) {
    OneByOne joined(m);
    const auto left = [&](std::size_t k) -> const Value & {
      const Value *v = cells[row * deltas.size() + k];
      return v ? *v : base;
    };
    for (std::size_t k = 0; k < deltas.size(); ++k)
      joined.add(left(k), k < inDoubt.size() && inDoubt[k]);
    const bool isTold = chosen && deltas.size() == 2;
    m.memory.set(order[row],
                 withNames(m, isTold ? tellingPaths(joined.all(), left(0), left(1), chosen) : joined.all()));
  };
  // What the paths made comes first, and of that what the domain keeps of its objects:
  // variables may hold these, and to join two of them one looks into them.
  const auto isState = [&](std::size_t row) {
    for (std::size_t k = 0; k < deltas.size(); ++k)
      if (const Value *v = cells[row * deltas.size() + k]; v && !v->token())
        return false;
    return true;
  };
  std::vector<std::size_t> made, changed;
  for (std::size_t row = 0; row < order.size(); ++row)
    if (!m.memory.get(order[row]).isAbsent())
      changed.push_back(row);
    else if (isState(row))
      joinRow(row, Value());
    else
      made.push_back(row);
  for (const std::size_t row : made)
    joinRow(row, Value());
  for (const std::size_t row : changed) {
    const Value base = m.memory.get(order[row]);
    joinRow(row, base);
  }
}

void Machine::Jumps::setExitsApart(std::size_t before) {
  if (left.size() <= before)
    return;
  if (m.dom.separatesExits())
    m.pathNumber = ++m.lastPath;
  else
    m.dom.onBound(m, "a way that leaves early, of which is not known whether it is gone");
}

void Machine::fork(const std::function<void()> &first, const std::function<void()> &second, JoinPoint where,
                   std::span<const bool> inDoubt) {
  if (isDead)
    return;
  if (way)
    way->lose();
  openForks += where.determined ? 0 : 1;
  const MarkScope scope(memory);
  const Store::Mark mark = memory.mark();
  const std::uint32_t outer = pathNumber;
  const std::size_t leftBefore = jumps->left.size(), pathsBefore = leftPaths.size();
  const bool isAsked = where.number != 0;
  Followers::Apart apart(*leads);
  pathNumber = ++lastPath;
  first();
  const bool firstDead = isDead;
  const clang::CXXThrowExpr *firstRaised = std::exchange(raised, nullptr);
  const Value firstThrown = std::exchange(thrown, Value());
  const Delta firstWrites = firstDead ? Delta() : memory.changes(mark);
  memory.undo(mark);
  isDead = false;
  apart.next();
  pathNumber = ++lastPath;
  second();
  pathNumber = outer;
  jumps->setExitsApart(leftBefore);
  if (!isAsked) // by what is no condition
    jumps->leftIn(pathsBefore, nullptr);
  // An exception leaves where both end in the same one; one that may never run says nothing.
  const bool isFirst = inDoubt.size() > 1 && inDoubt[1];
  raised = firstDead && isDead && (isFirst || firstRaised == raised) ? firstRaised : nullptr;
  thrown = !raised ? Value() : isFirst ? firstThrown : join(firstThrown, thrown);
  if (firstDead)
    return;
  const bool secondDead = isDead;
  const Delta secondWrites = secondDead ? Delta() : memory.changes(mark);
  memory.undo(mark);
  isDead = false;
  if (secondDead)
    return memory.apply(firstWrites);
  const Delta *both[] = {&firstWrites, &secondWrites};
  Joins(*this).mergeDeltas(both, std::move(where), inDoubt);
}

} // namespace condlint::cxx
