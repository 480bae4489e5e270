//===- Unseen.cpp - What is not seen --------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Unseen.h"
#include "../library/StandardLibrary.h"
#include "Machine.h"
#include "Places.h"
#include "Types.h"
#include <clang/AST/ASTContext.h>

namespace condlint::cxx {

/// A reference or pointer of type \p t leads to what is constant.
static bool isConstTarget(clang::QualType t) {
  // A reference to a pointer that does not change leads where the pointer does.
  if (!t.isNull() && t->isReferenceType() && !t.getNonReferenceType()->isPointerType())
    return t.getNonReferenceType().isConstQualified();
  const clang::QualType p = t.isNull() ? t : t.getNonReferenceType()->getPointeeType();
  return !p.isNull() && p.isConstQualified();
}

/// What has the type \p type may hold objects of several classes.
static bool holdsSeveralClasses(Machine &m, clang::QualType type) {
  const std::string_view name = m.className(type.getNonReferenceType());
  return name == "std::function" || name == "std::move_only_function" || name == "std::variant" || name == "std::any";
}

/// \p lost, which is left of what had the type \p type, without the class of what may hold objects of several.
static Value withoutClasses(Machine &m, Value lost, clang::QualType type, ReasonId why) {
  if (type.isNull() || lost.unknown())
    return lost;
  if (holdsSeveralClasses(m, type))
    return Unknown{why, 0};
  if (const Record *r = lost.record()) {
    Record left = *r;
    for (auto &[field, value] : left.fields)
      value = withoutClasses(m, std::move(value), field->getType(), why);
    return left;
  }
  if (const List *l = lost.list()) {
    List left = *l;
    const auto one = [&](Value &item, std::int64_t i) {
      item = withoutClasses(m, std::move(item), partType(m.ast(), type, Step::ofIndex(i)), why);
    };
    for (std::size_t i = 0; i < left.items.size(); ++i)
      one(left.items[i], static_cast<std::int64_t>(i));
    if (!left.sized)
      one(left.every, Step::anyIndex);
    return left;
  }
  return lost;
}

/// What code that is not seen leaves of \p v, which has the type \p type.
static Value lostOf(Machine &m, const Value &v, clang::QualType type, ReasonId why) {
  return withoutClasses(m, m.havoc(v, why), type, why);
}

void Machine::Unseen::forget(const Pointer &p, ReasonId why, unsigned depth) {
  m.losePlaces(p); // what it returns later, or keeps, may lead there
  for (const Place &place : p.places) {
    if (!place.object || m.objects[place.object.index()].storage == Storage::External)
      continue;
    noteEscape(place.object);
    const Value before = m.peek(place);
    const clang::QualType type = m.objects[place.object.index()].type;
    if (!m.memory.get(place.object).isAbsent())
      m.memory.set(place.object, Places(m).with(m.memory.get(place.object), place.path,
                                                lostOf(m, before, m.typeOf(place), why), type));
    forget(before, why, depth + 1); // what leads back to it finds nothing any more
  }
}

void Machine::Unseen::forgetBehind(const Pointer &p, ReasonId why, unsigned depth) {
  for (Place place : p.places) {
    if (!place.object || m.objects[place.object.index()].storage == Storage::External)
      continue;
    if (!place.path.empty() && !place.path.back().field) // an iterator may stand behind the last element
      place.path.pop_back();
    forget(m.peek(place), why, depth + 1);
  }
}

/// A pointer or iterator to an element reaches its neighbours as well.
void Machine::forgetReached(const Pointer &p, ReasonId why, unsigned depth) {
  for (const Place &place : p.places) {
    if (place.path.empty() || place.path.back().field) {
      Unseen(*this).forget(Pointer::to(place), why, depth);
      continue;
    }
    Place whole = place;
    whole.path.pop_back();
    const Value before = peek(whole);
    const List *list = before.list();
    if (!list || !list->sized || !whole.object) {
      Unseen(*this).forget(Pointer::to(whole), why, depth);
      continue;
    }
    Unseen(*this).forget(before, why, depth);
    List lost = *list; // there are as many as before
    for (std::size_t i = 0; i < lost.items.size(); ++i) {
      const Step step = Step::ofIndex(static_cast<std::int64_t>(i));
      lost.items[i] = lostOf(*this, lost.items[i], partType(context, typeOf(whole), step), why);
    }
    memory.set(whole.object,
               Places(*this).with(memory.get(whole.object), whole.path, lost, objects[whole.object.index()].type));
  }
}

void Machine::Unseen::forget(const Value &v, ReasonId why, unsigned depth) {
  constexpr unsigned deepest = 64;
  if (depth > deepest)
    return m.dom.onUnfollowed(m, "what code that is not seen can reach lies behind too many others");
  const auto inner = [&](const Value &part) { forget(part, why, depth + 1); };
  if (const Pointer *p = v.pointer()) {
    m.forgetReached(*p, why, depth + 1);
  } else if (v.datum()) {
    inner(m.standard->insertsInto(v));
  } else if (const Record *r = v.record()) {
    for (const auto &[field, value] : r->fields)
      if (const Pointer *to = value.pointer(); to && isConstTarget(field->getType()))
        forgetBehind(*to, why, depth + 1);
      else
        inner(value);
  } else if (const List *l = v.list()) {
    std::ranges::for_each(l->items, inner);
    inner(l->every);
  } else if (const Map *map = v.map()) {
    for (const auto &[key, value] : map->entries)
      inner(value);
  } else if (const Optional *o = v.optional()) {
    inner(o->value);
  } else if (const Callable *c = v.callable()) {
    inner(c->target);
    std::ranges::for_each(c->bound, inner);
  }
}

void Machine::escape(Call &call, ReasonId why) {
  // The iterators of vectors are made of pointers.
  const auto pointerIn = [&](clang::QualType t) {
    const clang::QualType first = classOf(t) ? typeArgument(t, 0) : clang::QualType();
    return !first.isNull() && first->isPointerType() ? first : clang::QualType();
  };
  for (Argument &a : call.arguments) {
    if (a.isDefault)
      continue;
    // The interpreter's own calls give values without a type.
    if (a.place && !a.type.isNull() && a.type->isReferenceType() && !isConstTarget(a.type) && a.expr &&
        a.expr->isLValue()) {
      Unseen(*this).forget(*a.place, why);
      continue;
    }
    const Value v = peek(a);
    if (v.pointer() && (isConstTarget(a.type) || isConstTarget(pointerIn(a.type))))
      Unseen(*this).forgetBehind(*v.pointer(), why);
    else
      Unseen(*this).forget(v, why);
  }
  const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call.callee);
  // A `const` method leaves its object as it is, and not what that leads to.
  if (call.self && call.self->place && method && method->isConst())
    Unseen(*this).forgetBehind(*call.self->place, why);
  else if (call.self && call.self->place && method)
    Unseen(*this).forget(*call.self->place, why);
}

void Machine::Unseen::noteEscape(ObjectId o) {
  if (m.escaped.insert(o.index()).second)
    m.reachable.push_back(o);
}

bool State::isReachable(const Object &o) {
  switch (o.storage) {
  case Storage::This:
  case Storage::Pointee:
    return !o.type.isConstQualified();
  case Storage::Global:
    return !o.type.isConstQualified() && o.decl && o.decl->hasExternalFormalLinkage();
  case Storage::Parameter: // of a root: what a reference leads to
    return o.decl && o.decl->getType()->isReferenceType() && !o.type.isConstQualified();
  default:
    return false;
  }
}

std::vector<Pointer> Machine::Unseen::seenElsewhere() const {
  std::vector<Pointer> out;
  for (const ObjectId o : m.reachable)
    if (const Value &v = m.memory.get(o); !v.isAbsent() && !v.symbol() && !v.token())
      out.push_back(Pointer::to(o));
  return out;
}

void Machine::Unseen::forgetReachable(std::string_view why) {
  ++m.unseenCalls;
  const std::vector<ObjectId> all = m.reachable; // more may be met on the way
  for (const ObjectId o : all) {
    const Value v = m.memory.get(o);
    if (v.isAbsent())
      continue;
    if (m.dom.unseenChanges() == Domain::Unseen::Anything)
      forget(Pointer::to(o), m.reason(why));
    else if (Value left = withoutWritten(v, m.objects[o.index()].type, m.reason(why)); !left.same(v)) {
      m.memory.set(o, std::move(left));
      forget(v, m.reason(why), 0);
    }
  }
}

/// What is left of \p v, which code that is not seen can get at, where it keeps what was there before.
Value Machine::Unseen::withoutWritten(const Value &v, clang::QualType type, ReasonId why) {
  if (v.unknown())
    return v;
  // In a branch what was there before is another value than the other branch meets.
  if (const Symbol *symbol = v.symbol())
    return m.regionDepth != 0 ? m.symbolic(SymbolInfo(m.symbol(symbol->id))) : v;
  const Record *r = v.record();
  if (!r || (!type.isNull() && holdsSeveralClasses(m, type)))
    return lostOf(m, v, type, why);
  Record left = *r;
  for (auto &[field, value] : left.fields)
    if (!field->getType()->isReferenceType())
      value = withoutWritten(value, field->getType(), why);
  return left;
}

void Machine::Unseen::forgetGlobals(std::string_view why) {
  for (const auto &[variable, at] : m.globals) {
    const Place *only = at.only();
    const Number *held = only && only->path.empty() ? m.memory.get(only->object).number() : nullptr;
    const bool isNamed = variable->hasExternalFormalLinkage() || (held && m.escaped.contains(only->object.index()));
    if (held && held->known && !variable->getType().isConstQualified() && isNamed)
      m.memory.set(only->object, m.unknown(variable->getType(), why));
  }
}

bool Machine::runShare(const std::function<void()> &part, std::span<const Pointer> reached) {
  const bool wasExhausted = exhausted;
  const unsigned others = stepsLeft / 2;
  stepsLeft -= others;
  part();
  stepsLeft += others;
  if (!exhausted)
    return true;
  exhausted = wasExhausted;
  leftOut = true;
  constexpr std::string_view why = "code that is too large to be read";
  for (const Pointer &p : reached)
    Unseen(*this).forget(p, reason(why));
  Unseen(*this).forgetGlobals(why);
  return false;
}

Value Machine::opaque(Call &call) {
  const std::string called = call.callee ? std::string(qualifiedName(*call.callee)) : std::string();
  const std::string why = call.isOpen      ? "a virtual call: what overrides " + called + " is not known"
                          : called.empty() ? "no body"
                                           : "no body: " + called;
  const bool isUsers = !call.callee || (!call.callee->isInStdNamespace() && call.callee->getBuiltinID() == 0 &&
                                        !dom.writesNothing(call));
  if (isUsers && dom.unseenChanges() != Domain::Unseen::Nothing)
    call.reached = Unseen(*this).seenElsewhere();
  dom.onOpaque(*this, call);
  escape(call, reason(why));
  if (isUsers && dom.unseenChanges() != Domain::Unseen::Nothing) {
    Unseen(*this).forgetReachable(why);
  } else if (isUsers) {
    Unseen(*this).forgetGlobals(why);
    if (!reachable.empty())
      dom.onBound(*this, why + ": it may change what it can get at");
  }
  Value v = dom.opaqueCall(*this, call);
  if (call.callee && call.callee->isNoReturn())
    endPath();
  return v;
}

} // namespace condlint::cxx
