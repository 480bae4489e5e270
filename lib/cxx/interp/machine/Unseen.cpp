//===- Unseen.cpp - What is not seen --------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../library/StandardLibrary.h"
#include "Machine.h"
#include "Types.h"
#include <clang/AST/ASTContext.h>

namespace condlint::cxx {

/// What code that is not seen may do.
class Machine::Unseen {
public:
  explicit Unseen(Machine &machine) : m(machine) {}
  /// Code that is not seen may have set the numbers that it can name.
  void forgetGlobals(std::string_view why);

private:
  Machine &m;
};

void Machine::forget(const Pointer &p, ReasonId why, unsigned depth) {
  for (const Place &place : p.places) {
    if (!place.object || objects[place.object.index()].storage == Storage::External)
      continue;
    const Value before = peek(place);
    if (depth < 4)
      forget(before, why, depth + 1);
    const clang::QualType type = objects[place.object.index()].type;
    if (!memory.get(place.object).isAbsent())
      memory.set(place.object, with(memory.get(place.object), place.path, havoc(before, why), type));
  }
}

/// A pointer or iterator to an element reaches its neighbours as well.
void Machine::forgetReached(const Pointer &p, ReasonId why, unsigned depth) {
  for (const Place &place : p.places) {
    if (place.path.empty() || place.path.back().field) {
      forget(Pointer::to(place), why, depth);
      continue;
    }
    Place whole = place;
    whole.path.pop_back();
    const Value before = peek(whole);
    const List *list = before.list();
    if (!list || !list->sized || !whole.object) {
      forget(Pointer::to(whole), why, depth);
      continue;
    }
    forget(before, why, depth);
    List lost = *list; // there are as many as before
    for (Value &item : lost.items)
      item = havoc(item, why);
    memory.set(whole.object, with(memory.get(whole.object), whole.path, lost, objects[whole.object.index()].type));
  }
}

void Machine::forget(const Value &v, ReasonId why, unsigned depth) {
  if (depth > 4)
    return;
  if (const Pointer *p = v.pointer())
    forgetReached(*p, why, depth + 1);
  else if (v.datum())
    forget(standard->insertsInto(v), why, depth + 1);
  else if (const Record *r = v.record())
    for (const auto &[field, value] : r->fields)
      forget(value, why, depth + 1);
  else if (const List *l = v.list())
    for (const Value &item : l->items)
      forget(item, why, depth + 1);
}

void Machine::escape(Call &call, ReasonId why) {
  const auto isConstTarget = [](clang::QualType t) {
    // A reference to a pointer that does not change leads where the pointer does.
    if (!t.isNull() && t->isReferenceType() && !t.getNonReferenceType()->isPointerType())
      return t.getNonReferenceType().isConstQualified();
    const clang::QualType p = t.isNull() ? t : t.getNonReferenceType()->getPointeeType();
    return !p.isNull() && p.isConstQualified();
  };
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
      forget(*a.place, why);
      continue;
    }
    const Value v = peek(a);
    if (v.pointer() && (isConstTarget(a.type) || isConstTarget(pointerIn(a.type))))
      continue;
    forget(v, why);
  }
  const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call.callee);
  if (call.self && call.self->place && method && !method->isConst())
    forget(*call.self->place, why);
}

void Machine::Unseen::forgetGlobals(std::string_view why) {
  for (const auto &[variable, at] : m.globals) {
    const Place *only = at.only();
    const Number *held = only && only->path.empty() ? m.memory.get(only->object).number() : nullptr;
    if (held && held->known && !variable->getType().isConstQualified() && variable->hasExternalFormalLinkage())
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
  constexpr std::string_view why = "code that is too large to be read";
  for (const Pointer &p : reached)
    forget(p, reason(why));
  Unseen(*this).forgetGlobals(why);
  return false;
}

Value Machine::opaque(Call &call) {
  const std::string called = call.callee ? std::string(qualifiedName(*call.callee)) : std::string();
  const std::string why = call.isOpen      ? "a virtual call: what overrides " + called + " is not known"
                          : called.empty() ? "no body"
                                           : "no body: " + called;
  dom.onOpaque(*this, call);
  escape(call, reason(why));
  if (call.callee && !call.callee->isInStdNamespace() && call.callee->getBuiltinID() == 0)
    Unseen(*this).forgetGlobals(why);
  Value v = dom.opaqueCall(*this, call);
  if (call.callee && call.callee->isNoReturn())
    isDead = true;
  return v;
}

} // namespace condlint::cxx
