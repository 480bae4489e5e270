//===- MachineLoop.cpp - Loops --------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop whose condition is known on every trip is followed trip by trip. Any
// other is run twice: once only to learn what a trip writes, and, with all of
// that unknown, once for what it does.
//
//===----------------------------------------------------------------------===//

#include "AssumedTrips.h"
#include "MapKeys.h"
#include "Types.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/StmtCXX.h>
#include <limits>
#include <utility>

namespace condlint::cxx {

namespace {

/// The trips of `for (i = known; i < known; ++i)` and its kin, if the condition
/// compares a number that the increment steps with one that stays.
std::optional<std::uint64_t> tripsBetween(const Number *a, const Number *b) {
  if (!a || !b || !a->known || !b->known || a->kind == Number::Kind::Floating || b->kind == Number::Kind::Floating)
    return std::nullopt;
  std::int64_t trips = 0;
  if (__builtin_sub_overflow(b->integer, a->integer, &trips))
    return std::numeric_limits<std::uint64_t>::max();
  return trips < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(trips) : static_cast<std::uint64_t>(trips);
}

/// The trips of a loop of which its \p condition and \p increment say it.
std::optional<std::uint64_t> tripsAhead(Machine &m, const clang::Expr *condition, const clang::Expr *increment) {
  const auto *c =
      condition && increment ? llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParenImpCasts()) : nullptr;
  if (!c || !c->isRelationalOp() || c->getLHS()->HasSideEffects(m.ast()) || c->getRHS()->HasSideEffects(m.ast()))
    return std::nullopt;
  const Value a = m.eval(c->getLHS());
  const Value b = m.eval(c->getRHS());
  return llvm::isa<clang::UnaryOperator>(increment->IgnoreParens()) ? tripsBetween(a.number(), b.number())
                                                                    : std::nullopt;
}

} // namespace

void Machine::markCounters(Store::Mark since) {
  // A loop counter differs from trip to trip, though each trip knows it.
  for (auto &[object, value] : memory.changes(since))
    if (const Number *n = value.number(); n && n->known && n->provenance < Provenance::Varies) {
      Number counter = *n;
      counter.provenance = Provenance::Varies;
      memory.set(object, counter);
    }
}

bool Machine::isLong(std::uint64_t trips) const {
  return trips > limits.unroll || (trips > 1 && trips * tripsAround > limits.nested);
}

void Machine::runLoopOnce(const LoopParts &p) {
  const MarkScope scope(memory);
  const std::size_t decided = deciding.size();
  Jump again = here();
  Jump *const outer = continues;
  continues = &again;
  run(p.body);
  continues = outer;
  land(again);
  deciding.resize(decided);
}

void Machine::runLoop(const LoopParts &p) {
  if (isDead)
    return;
  const MarkScope scope(memory);
  Jump leave = here();
  Jump *const outerBreaks = breaks;
  breaks = &leave;

  // Long ones are not begun: what 64 trips do is no better known than what one does.
  const auto trips = p.conditionVariable ? std::nullopt : tripsAhead(*this, p.condition, p.increment);
  bool general = trips && isLong(*trips);
  bool settled = true;
  const std::uint64_t inside = std::max<std::uint64_t>(trips.value_or(1), 1);
  const std::uint64_t outside = tripsAround;
  tripsAround = general ? outside : outside * inside;
  bool finished = false;
  AssumedTrips assumed(*this, *p.loop);
  for (unsigned trip = 0; !general && !finished; ++trip) {
    if (trip > limits.unroll) {
      general = true;
      break;
    }
    const std::size_t alive = living.size();
    if (trip != 0 || !p.bodyFirst) {
      const Value condition = conditionOf(p.conditionVariable, p.condition);
      if (isDead)
        break;
      settled = settled && isDetermined(condition);
      openForks += settled ? 0 : 1;
      const std::optional<bool> goes = assumed.goesOn(condition);
      if (!goes) {
        // Evaluated once more below, for a trip of which nothing is known.
        general = true;
        break;
      }
      if (!*goes) {
        finished = true;
        break;
      }
    }
    if (trip == 0 && p.increment)
      if (const auto *step = llvm::dyn_cast<clang::UnaryOperator>(p.increment->IgnoreParens()))
        if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(step->getSubExpr()->IgnoreParens())) {
          const Store::Mark before = memory.mark();
          const Pointer counter = lvalue(ref);
          if (const Place *only = counter.only(); only && only->object && only->path.empty()) {
            memory.set(only->object, Value(memory.get(only->object)));
            assumed.countWith(only->object);
          }
          markCounters(before);
        }
    runLoopOnce(p);
    if (isDead)
      break;
    if (p.increment) {
      const Store::Mark before = memory.mark();
      run(p.increment);
      markCounters(before);
    }
    leaveScope(alive);
    assumed.endTrip();
  }
  if (!isDead)
    assumed.end();
  tripsAround = outside;
  if (general && !isDead) {
    const std::function<void()> trip = [&] {
      const std::size_t alive = living.size();
      if (!p.bodyFirst || p.condition)
        if (const Value condition = conditionOf(p.conditionVariable, p.condition);
            condition.number() && condition.number()->test)
          condition.number()->test->assume(*this, true);
      runLoopOnce(p);
      if (p.increment)
        run(p.increment);
      leaveScope(alive);
    };
    summariseLoop(trip, settled);
    if (!p.condition)
      isDead = true; // only a break leaves it
  }
  breaks = outerBreaks;
  land(leave);
}

void Machine::runFirstTrip(const std::function<void()> &trip, const Delta &written) {
  if (!dom.followsFirstTrip() || scoutDepth != 0 || isFirstTrip || exhausted)
    return;
  // Numbers count, and are no better known there than after it.
  if (std::ranges::none_of(written, [&](const auto &entry) {
        const Value &old = memory.get(entry.first);
        return !old.isAbsent() && !old.same(entry.second) && (old.handle() || old.list() || old.record());
      }))
    return;
  const MarkScope scope(memory);
  const Store::Mark before = memory.mark();
  const std::uint32_t path = std::exchange(pathNumber, ++lastPath); // there may be none
  isFirstTrip = true;
  trip();
  isFirstTrip = false;
  pathNumber = path;
  memory.undo(before);
  isDead = false;
}

void Machine::summariseLoop(const std::function<void()> &trip, bool settled) {
  if (isDead)
    return;
  // What does a trip write? A nested loop need not be tried out again for that.
  Delta written;
  llvm::DenseMap<std::uint32_t, std::shared_ptr<const Datum>> outlines;
  const auto scoutOnce = [&] {
    const Trial trial(*this);
    std::size_t breaksBefore = breaks ? breaks->exits.size() : 0;
    std::size_t returnsBefore = bodies.empty() ? 0 : bodies.back()->returns.exits.size();
    std::size_t continuesBefore = continues ? continues->exits.size() : 0;
    std::vector<std::size_t> jumpsBefore;
    for (const Label &l : labels)
      jumpsBefore.push_back(l.jump.exits.size());
    trip();
    // What was written on a way that leaves the loop is not met by a further trip.
    written = isDead ? Delta() : memory.changes(trial.mark);
    outlines.clear();
    for (std::size_t i = 0; scoutDepth == 1 && i < written.size(); ++i)
      outlines[written[i].first.index()] = dom.outline(*this, written[i].second);
    if (breaks)
      breaks->exits.resize(breaksBefore);
    for (std::size_t i = 0; i < jumpsBefore.size(); ++i)
      labels[i].jump.exits.resize(jumpsBefore[i]);
    if (!bodies.empty())
      bodies.back()->returns.exits.resize(returnsBefore);
    if (continues)
      continues->exits.resize(continuesBefore);
  };
  const ReasonId why = reason("assigned in a loop");
  llvm::DenseSet<std::uint32_t> given; // of these nothing is known any more
  std::vector<ObjectId> assumed;
  const auto widen = [&](bool last) {
    llvm::DenseSet<std::uint32_t> done;
    bool changed = false;
    for (const auto &[object, value] : written) {
      const Value old = memory.get(object);
      if (old.isAbsent() || !done.insert(object.index()).second || old.same(value) || given.contains(object.index()))
        continue;
      // What holds before the loop and after a trip may hold at the head of each.
      const std::shared_ptr<const Datum> outline = outlines.lookup(object.index());
      std::optional<Value> common = outline ? dom.widen(*this, old, *outline, why) : std::nullopt;
      if (common && common->same(old))
        continue;
      changed = true;
      if (common && !last) {
        memory.set(object, std::move(*common));
        assumed.push_back(object);
        continue;
      }
      given.insert(object.index());
      Value next = widened(old, value, why);
      memory.set(object, settled && isDetermined(old) && isDetermined(value) ? determined(next) : std::move(next));
    }
    // What rests on what does not settle is not settled either.
    for (std::size_t i = 0; last && changed && i < assumed.size(); ++i)
      if (given.insert(assumed[i].index()).second)
        memory.set(assumed[i], havoc(memory.get(assumed[i]), why));
    return changed;
  };
  scoutOnce();
  runFirstTrip(trip, written);
  // Until a trip that begins with what is held to be common ends with it.
  constexpr int rounds = 3;
  for (int i = 0; widen(i == rounds) && i < rounds && scoutDepth == 0 && !outlines.empty() && !exhausted; ++i)
    scoutOnce();
  const Store::Mark before = memory.mark();
  // No trip at all, or some.
  fork([&] { trip(); }, [] {}, {settled, 0, {}, {}});
  if (isDead)
    return;
  // After several trips what the last one wrote is no better known.
  written = memory.changes(before);
  llvm::DenseSet<std::uint32_t> done;
  for (const auto &[object, value] : written)
    if (const Number *n = value.number(); n && n->known && done.insert(object.index()).second)
      memory.set(object, settled ? determined(Number::unknown(n->kind)) : Value(Number::unknown(n->kind)));
}

Value Machine::widened(const Value &old, const Value &now, ReasonId why) {
  if (old.same(now))
    return old;
  // An object of outside is a record of what was written of it.
  const Record *a = old.record(), *b = now.record();
  if (b && (a ? a->rest == b->rest : old.symbol() && old.symbol()->id == b->rest)) {
    Record r = a ? *a : *b;
    for (const auto &[field, value] : b->fields) {
      const Value before = part(old, Step::ofField(field), field->getType());
      r.set(field, widened(before, value, why));
    }
    return r;
  }
  if (const List *before = old.list(), *after = now.list(); before && after) {
    List l;
    if (before->sized && after->sized && before->items.size() == after->items.size()) {
      for (std::size_t i = 0; i < before->items.size(); ++i)
        l.items.push_back(widened(before->items[i], after->items[i], why));
      l.open = before->open || after->open;
      return l;
    }
    l.sized = false;
    l.every = Unknown{why, 0};
    return l;
  }
  if (const Optional *before = old.optional(), *after = now.optional(); before && after) {
    Optional o;
    if (before->has == after->has)
      o.has = before->has;
    o.value = after->value.isAbsent()    ? before->value
              : before->value.isAbsent() ? havoc(after->value, why)
                                         : widened(before->value, after->value, why);
    return o;
  }
  if (old.pointer() && now.pointer())
    return join(old, now);
  if (old.unknown() && !now.number())
    return old;
  return havoc(now.number() ? now : old, why);
}

static bool isMap(Machine &m, clang::QualType type) {
  const std::string_view name = m.className(type);
  return name == "std::map" || name == "std::unordered_map" || m.domain().standardClass(name) == "std::map";
}

void Machine::runRange(const clang::CXXForRangeStmt &s) {
  run(s.getInit());
  const auto *range = llvm::dyn_cast_or_null<clang::DeclStmt>(s.getRangeStmt());
  const auto *rangeVariable = range ? llvm::dyn_cast<clang::VarDecl>(range->getSingleDecl()) : nullptr;
  const clang::VarDecl *item = s.getLoopVariable();
  if (!rangeVariable || !rangeVariable->getInit() || !item || isDead)
    return;
  const clang::Expr *init = rangeVariable->getInit();
  Pointer container = lvalue(init);
  adoptExtended();
  // Walking through a container is using it.
  Value whole = load(container, init, init->getType());
  if (whole.pointer() && className(init->getType()) == "std::span") {
    container = *Value(whole).pointer();
    whole = load(container, init);
  }
  const Place *place = container.only();
  std::optional<std::vector<Value>> items = elements(whole);
  const Map *map = whole.map();
  Frame &f = *stack.back();

  auto entry = map ? map->entries.begin() : std::map<std::string, Value>::const_iterator();
  const auto bind = [&](std::int64_t index) {
    Pointer at;
    if (index < 0 && (map || isMap(*this, init->getType()))) {
      at = container.then(entryStep(std::string(Step::anyElement)));
    } else if (map) {
      const auto &[key, value] = *entry++;
      at = place ? Pointer::to(place->then(entryStep(key)))
                 : Pointer::to(
                       newObject(List{{mapKeyValue(key), value}, true, {}, {}}, item->getType().getNonReferenceType()));
    } else if (whole.datum()) {
      at = dereference(whole, item->getType().getNonReferenceType(), nullptr);
    } else if (place) {
      at = Pointer::to(place->then(Step::ofIndex(index)));
    } else {
      at = container.then(Step::ofIndex(index));
    }
    if (!item->getType()->isReferenceType()) {
      Value v = load(at, init, item->getType());
      if (numberKind(item->getType()))
        v = convertNumber(v, item->getType());
      const ObjectId own = newObject(std::move(v), item->getType(), Storage::Local, item);
      keepAlive(own);
      at = Pointer::to(own);
    }
    f.variables[item] = at;
    if (const auto *d = llvm::dyn_cast<clang::DecompositionDecl>(item))
      for (std::size_t i = 0; i < d->bindings().size(); ++i)
        if (d->bindings()[i]->getHoldingVar())
          f.variables[d->bindings()[i]] = at.then(Step::ofIndex(static_cast<std::int64_t>(i)));
  };

  const MarkScope scope(memory);
  Jump leave = here();
  Jump *const outerBreaks = breaks;
  breaks = &leave;
  LoopParts parts;
  parts.loop = &s;
  parts.body = s.getBody();
  const std::size_t count = map ? map->entries.size() : items ? items->size() : 0;
  const std::uint64_t outside = tripsAround;
  if ((items || (map && map->complete)) && !isLong(count)) {
    tripsAround *= std::max<std::size_t>(count, 1);
    for (std::size_t i = 0; i < count && !isDead; ++i) {
      const std::size_t before = living.size();
      bind(static_cast<std::int64_t>(i));
      if (const Place *own = f.variables[item].only(); own && own->path.empty())
        if (const Number *n = memory.get(own->object).number(); n && n->known && !item->getType()->isReferenceType()) {
          Number counter = *n;
          counter.provenance = std::max(counter.provenance, Provenance::Varies);
          memory.set(own->object, counter);
        }
      runLoopOnce(parts);
      leaveScope(before);
    }
  } else {
    const auto trip = [&](std::int64_t index) {
      const std::size_t before = living.size();
      bind(map || isMap(*this, init->getType()) ? -1 : index);
      runLoopOnce(parts);
      leaveScope(before);
    };
    AssumedTrips assumed(*this, s);
    const List *open = whole.list() && whole.list()->open ? whole.list() : nullptr;
    if (const auto some = assumed.begin()) {
      const std::size_t most = open ? std::min<std::size_t>(open->items.size(), *some) : *some;
      for (std::size_t i = 0; i < most && !isDead; ++i) {
        trip(static_cast<std::int64_t>(i));
        assumed.endTrip();
      }
      if (!isDead)
        assumed.end();
    } else {
      summariseLoop([&] { trip(-1); }, isDetermined(whole));
    }
  }
  tripsAround = outside;
  breaks = outerBreaks;
  land(leave);
}

} // namespace condlint::cxx
