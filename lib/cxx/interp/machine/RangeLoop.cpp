//===- RangeLoop.cpp - Loops over a range ---------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A `for` over a container that the interpreter knows takes its elements one by
// one, or any of them. One over a range of the user's own runs what its class says.
//
//===----------------------------------------------------------------------===//

#include "../library/LibraryClasses.h"
#include "../library/StandardLibrary.h"
#include "../values/MapKeys.h"
#include "../values/RangeView.h"
#include "AssumedTrips.h"
#include "Calls.h"
#include "Followers.h"
#include "Jumps.h"
#include "Lifetimes.h"
#include "LoopWays.h"
#include "Loops.h"
#include "Places.h"
#include "Statements.h"
#include "Types.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/StmtCXX.h>
#include <llvm/Support/SaveAndRestore.h>
#include <utility>

namespace condlint::cxx {

/// A `for` over a range whose elements are known to the interpreter.
class Machine::RangeLoop {
public:
  RangeLoop(Machine &machine, const clang::CXXForRangeStmt &range, const clang::Expr &container, Pointer where);
  void run();

private:
  enum class Kept : std::uint8_t { Yes, No, Unknown };
  /// Whether the view has the element \p index of what it looks into.
  Kept keeps(std::size_t index);
  Pointer elementOfView(std::int64_t index);
  /// Makes the loop's variable the element \p index; with -1, any of them.
  void bind(std::int64_t index);
  Pointer element(std::int64_t index);
  void trip(std::int64_t index);
  void runEach(std::size_t count);
  void anyTrip();
  void runAny();
  /// On one way through the loop.
  void runWay();
  bool isMap() const;

  Machine &m;
  const clang::CXXForRangeStmt &loop;
  const clang::Expr &init;
  const clang::VarDecl &item;
  Pointer container;
  Value whole;
  std::optional<std::vector<Value>> items;
  const RangeView *view = nullptr;                    ///< what `whole` is, if it is one
  std::map<std::string, Value>::const_iterator entry; ///< of a map: the next one
  LoopParts parts;
};

Machine::RangeLoop::RangeLoop(Machine &machine, const clang::CXXForRangeStmt &range, const clang::Expr &from,
                              Pointer where)
    : m(machine), loop(range), init(from), item(*range.getLoopVariable()), container(std::move(where)) {
  // Walking through a container is using it.
  whole = m.load(container, &init, init.getType());
  // A view goes on showing what it does, whatever is assigned to the variable meanwhile.
  if (whole.text() && m.className(init.getType()) == "std::basic_string_view")
    container = Pointer::to(m.newObject(whole, init.getType().getNonReferenceType()));
  whole = spanned(m, whole, init.getType());
  if (whole.pointer() && m.className(init.getType()) == "std::span") {
    container = *Value(whole).pointer();
    whole = m.load(container, &init);
  }
  items = m.elements(whole);
  view = viewIn(whole);
  // What a function returns a reference to is not followed.
  if (view && view->transforms() && item.getType()->isReferenceType() && item.getInit()->isLValue()) {
    view = nullptr;
    whole = m.unknown("a view of what a function refers to");
    items.reset();
  }
  if (const Map *map = whole.map())
    entry = map->entries.begin();
  parts.loop = &loop;
  parts.body = loop.getBody();
}

bool Machine::RangeLoop::isMap() const {
  const std::string_view name = m.className(init.getType());
  return whole.map() || isMapClass(name) || m.domain().standardClass(name) == "std::map";
}

/// \p function, called with the object at \p at.
static Value invokeAt(Machine &m, const Value &function, const Pointer &at, const clang::Expr &site) {
  const Place *only = at.only();
  return m.invoke(function, {Argument{nullptr, only ? m.typeOf(*only) : clang::QualType(), {}, at}}, &site);
}

Machine::RangeLoop::Kept Machine::RangeLoop::keeps(std::size_t index) {
  if (!view || !view->filters())
    return Kept::Yes;
  Pointer at = *(*items)[index].pointer();
  for (const RangeView::Step &step : view->steps) {
    Value made = invokeAt(m, step.function, at, init);
    if (!step.filters) {
      at = Pointer::to(m.newObject(std::move(made), item.getType().getNonReferenceType()));
      continue;
    }
    const auto isThere = made.number() ? made.number()->truth() : std::nullopt;
    if (!isThere)
      return Kept::Unknown;
    if (!*isThere)
      return Kept::No;
  }
  return Kept::Yes;
}

Pointer Machine::RangeLoop::elementOfView(std::int64_t index) {
  Pointer at;
  const std::vector<Value> &all = whole.list()->items;
  if (index < 0 || index >= std::ssize(all)) { // any of them
    for (const Value &each : all)
      for (const Place &place : each.pointer()->places)
        at.places.push_back(place);
    constexpr std::size_t mostPlaces = 8;
    if (at.places.size() > mostPlaces || at.places.empty()) {
      m.forgetReached(at, m.reason("reached through a view"), 0);
      at = Pointer::unknown();
    }
  } else {
    at = *all[static_cast<std::size_t>(index)].pointer();
  }
  for (const RangeView::Step &step : view->steps)
    if (!step.filters)
      at = Pointer::to(m.newObject(invokeAt(m, step.function, at, init), item.getType().getNonReferenceType()));
  return at;
}

Pointer Machine::RangeLoop::element(std::int64_t index) {
  if (view)
    return elementOfView(index);
  const Place *place = container.only();
  if (index < 0 && isMap())
    return container.then(entryStep(index == Step::anyIndex ? *m.entryAt(Value()).key
                                                            : std::string(Step::anyElement) + std::to_string(index)));
  if (whole.map()) {
    const auto &[key, value] = *entry++;
    return place ? Pointer::to(place->then(entryStep(key)))
                 : Pointer::to(m.newObject(List{{mapKeyValue(key), value}, true, {}, {}},
                                           item.getType().getNonReferenceType()));
  }
  if (whole.datum())
    return m.dereference(whole, item.getType().getNonReferenceType(), nullptr);
  const Step step = index == Step::anyIndex ? m.elementAt(Value()) : Step::ofIndex(index);
  return place ? Pointer::to(place->then(step)) : container.then(step);
}

void Machine::RangeLoop::bind(std::int64_t index) {
  Pointer at = element(index);
  if (!at.places.empty())
    at = Places(m).unwrapped(at, m.typeOf(at.places.front()), item.getType(), &init);
  const bool isBit = isBitReference(m.className(item.getType()));
  if (isBit || !item.getType()->isReferenceType()) {
    Value v = isBit ? Value(at) : m.load(at, &init, item.getType());
    if (numberKind(item.getType()))
      v = m.convertNumber(v, item.getType());
    const ObjectId own = m.newObject(std::move(v), item.getType(), Storage::Local, &item);
    m.lifetimes->keepAlive(own);
    at = Pointer::to(own);
  }
  Frame &f = *m.stack.back();
  f.variables[&item] = at;
  m.leads->noteBound(item, at);
  if (const auto *d = llvm::dyn_cast<clang::DecompositionDecl>(&item))
    for (std::size_t i = 0; i < d->bindings().size(); ++i)
      if (d->bindings()[i]->getHoldingVar())
        m.leads->noteBound(*d->bindings()[i],
                           f.variables[d->bindings()[i]] = at.then(Step::ofIndex(static_cast<std::int64_t>(i))));
}

void Machine::RangeLoop::trip(std::int64_t index) {
  const std::size_t before = m.lifetimes->living.size();
  bind(index);
  Loops(m).runLoopOnce(parts);
  m.lifetimes->leaveScope(before);
}

void Machine::RangeLoop::runEach(std::size_t count) {
  for (std::size_t i = 0; i < count && !m.isDead; ++i) {
    const Kept kept = keeps(i);
    if (kept == Kept::No)
      continue;
    if (kept == Kept::Unknown) { // from here on any of them may come
      items.reset();
      return runAny();
    }
    const std::size_t before = m.lifetimes->living.size();
    bind(static_cast<std::int64_t>(i));
    const Place *own = m.stack.back()->variables[&item].only();
    const Number *n = own && own->path.empty() ? m.memory.get(own->object).number() : nullptr;
    if (n && n->known && !item.getType()->isReferenceType()) {
      Number counter = *n;
      counter.provenance = std::max(counter.provenance, Provenance::Varies);
      m.memory.set(own->object, counter);
    }
    Loops(m).runLoopOnce(parts);
    m.lifetimes->leaveScope(before);
  }
}

void Machine::RangeLoop::anyTrip() {
  const std::size_t decided = m.conditions.size();
  const Value count = m.sizeOf(whole);
  const std::shared_ptr<const Test> test =
      count.number() ? m.dom.comparison(m, clang::BO_GT, *count.number(), Number::ofInteger(0)) : nullptr;
  if (m.conditions.asksAgain(&init) && !(test && test->isKept() && m.dom.admits(*test, true)))
    m.dom.beginDoubt(m, m.jumps->doubted = &loop);
  m.conditions.add(&init, test.get());
  if (test) // there is one
    test->assume(m, true);
  trip(-1);
  m.conditions.resize(decided);
}

void Machine::RangeLoop::runAny() {
  if (m.way)
    return runWay();
  AssumedTrips assumed(m, loop);
  const auto some = assumed.begin();
  if (!some) {
    const bool begins = items && !items->empty();
    return m.summariseLoop([&] { anyTrip(); }, {&loop, &init, m.isDetermined(whole), begins});
  }
  const List *open = whole.list() && whole.list()->open ? whole.list() : nullptr;
  const std::size_t most = open ? std::min<std::size_t>(open->items.size(), *some) : *some;
  for (std::size_t i = 0; i < most && !m.isDead; ++i) {
    trip(isMap() ? -1 : static_cast<std::int64_t>(i));
    assumed.endTrip();
  }
  if (!m.isDead)
    assumed.end();
}

void Machine::RangeLoop::runWay() {
  const Value count = m.sizeOf(whole);
  const bool areKeys = isMap() || m.className(init.getType()).ends_with("set");
  std::size_t asked = 0;
  for (std::int64_t i = 0; !m.isDead && m.way->hasMore(m, loop, count, i); ++i) {
    const std::size_t before = m.way->answers().size();
    trip(areKeys ? m.namedIndex("trip " + std::to_string(i)) : i);
    asked += m.way->answers().size() - before;
    if (areKeys && i > 0 && asked != 0) // no two of its keys are the same
      m.way->lose();
  }
}

void Machine::RangeLoop::run() {
  const Map *map = whole.map();
  const std::size_t count = map ? map->entries.size() : items ? items->size() : 0;
  if ((!items && !(map && map->complete)) || Loops(m).isLong(count))
    return runAny();
  const llvm::SaveAndRestore around(m.tripsAround, m.tripsAround * std::max<std::size_t>(count, 1));
  runEach(count);
}

/// The function of the user's own that says where the range \p s begins; null where that is a library's.
static const clang::FunctionDecl *ownBegin(const clang::CXXForRangeStmt &s) {
  const auto *begin = llvm::dyn_cast_or_null<clang::DeclStmt>(s.getBeginStmt());
  const auto *variable = begin ? llvm::dyn_cast<clang::VarDecl>(begin->getSingleDecl()) : nullptr;
  const auto *call = variable && variable->getInit()
                         ? llvm::dyn_cast<clang::CallExpr>(variable->getInit()->IgnoreImplicit())
                         : nullptr;
  return call ? call->getDirectCallee() : nullptr;
}

void Machine::Statements::runRange(const clang::CXXForRangeStmt &s) {
  run(s.getInit());
  const auto *range = llvm::dyn_cast_or_null<clang::DeclStmt>(s.getRangeStmt());
  const auto *rangeVariable = range ? llvm::dyn_cast<clang::VarDecl>(range->getSingleDecl()) : nullptr;
  if (!rangeVariable || !rangeVariable->getInit() || !s.getLoopVariable() || m.isDead)
    return;
  const clang::Expr *init = rangeVariable->getInit();
  Pointer container = m.lvalue(init);
  m.lifetimes->adoptExtended();
  if (const clang::FunctionDecl *begin = ownBegin(s); begin && Calls(m).mayInline(*begin)) {
    // As it is defined: by the positions that the class of the range has.
    m.leads->noteBound(*rangeVariable, container);
    m.stack.back()->variables[rangeVariable] = container;
    run(s.getBeginStmt());
    run(s.getEndStmt());
    LoopParts parts;
    parts.loop = &s;
    parts.condition = s.getCond();
    parts.increment = s.getInc();
    parts.item = s.getLoopVarStmt();
    parts.body = s.getBody();
    return Loops(m).runLoop(parts);
  }
  const MarkScope scope(m.memory);
  Jump leave = m.jumps->here();
  Jump *const outerBreaks = std::exchange(m.jumps->breaks, &leave);
  RangeLoop(m, s, *init, std::move(container)).run();
  m.jumps->breaks = outerBreaks;
  m.jumps->land(leave);
}

} // namespace condlint::cxx
