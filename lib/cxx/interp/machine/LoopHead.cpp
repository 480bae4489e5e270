//===- LoopHead.cpp - What holds at the head of each trip -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopHead.h"
#include "Jumps.h"
#include "Loops.h"
#include "Names.h"
#include "Relations.h"
#include "Trial.h"
#include <algorithm>
#include <clang/AST/DeclCXX.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Support/SaveAndRestore.h>
#include <utility>

namespace condlint::cxx {

Machine::LoopHead::Outline Machine::LoopHead::outlineOf(const Value &v, unsigned depth) {
  constexpr unsigned deepest = 4;
  constexpr std::size_t most = 256;
  Outline o;
  const auto add = [&](const Value &part) { o.parts.push_back(outlineOf(part, depth + 1)); };
  if (v.handle() || v.token()) {
    o.summary = m.dom.outline(m, v);
  } else if (depth >= deepest) {
    return o;
  } else if (const List *l = v.list(); l && !l->rest && l->items.size() <= most) {
    if (!l->sized)
      add(l->every);
    for (std::size_t i = 0; l->sized && i < l->items.size(); ++i)
      add(l->items[i]);
  } else if (const Record *r = v.record(); r && !r->rest) {
    for (const auto &[field, value] : r->fields)
      add(value);
  } else if (const Optional *held = v.optional(); held && !held->value.isAbsent()) {
    add(held->value);
  }
  // Where nothing of it is known, there is nothing to keep.
  if (std::ranges::all_of(o.parts, [](const Outline &part) { return part.isEmpty(); }))
    o.parts.clear();
  return o;
}

void Machine::LoopHead::scout() {
  const Trial trial(m);
  const llvm::SaveAndRestore path(m.pathNumber, ++m.lastPath); // what holds in a trip holds there alone
  const Jumps::Exits before = m.jumps->exits();
  trip();
  // What was written on a path that leaves the loop is not met by a further trip.
  writes = m.isDead ? Delta() : m.memory.changes(trial.mark);
  m.jumps->forgetBehind(before);
  outlines.clear();
  for (std::size_t i = 0; m.scoutDepth == 1 && i < writes.size(); ++i)
    if (Outline o = outlineOf(writes[i].second); !o.isEmpty())
      outlines[writes[i].first.index()] = std::move(o);
}

void Machine::LoopHead::reachFixpoint() {
  // Until a trip that begins with what is held to be common ends with it. What is not known any more may decide
  // what was decided in the trip before, so that this one writes more: `if (second) third = true; second = true;`.
  constexpr int rounds = 4;
  constexpr int last = 2 * rounds;
  constexpr int most = 64;
  int contested = 0; // rounds in which something had less in common than it was held to have
  for (int i = 0; i < most; ++i) {
    const Doubt doubt = contested >= last ? Doubt::ForgetAll : contested >= rounds ? Doubt::Forget : Doubt::Common;
    if (!widen(doubt) || m.scoutDepth != 0 || m.exhausted)
      return;
    contested += isContested ? 1 : 0;
    scout();
  }
  m.dom.onUnfollowed(m, "what the trips of a loop change goes on and on");
}

bool Machine::LoopHead::widen(Doubt doubt) {
  llvm::DenseSet<std::uint32_t> done;
  const std::size_t before = begun.size();
  bool changed = isContested = false;
  for (const auto &[object, value] : writes) {
    const Value old = m.memory.get(object);
    if (old.isAbsent() || !done.insert(object.index()).second || old.same(value))
      continue;
    const bool asDetermined = determinedTrips && m.isDetermined(old) && m.isDetermined(value);
    // Of an object that a trip did not keep there may be parts that only this one does not keep.
    if (given.contains(object.index())) {
      const std::size_t known = placeholders.size();
      Value next = forgotten(old, value, asDetermined);
      if (placeholders.size() != known) {
        m.memory.set(object, std::move(next));
        changed = true;
      }
      continue;
    }
    // What holds before the loop and after a trip may hold at the head of each.
    if (const auto outline = outlines.find(object.index()); outline != outlines.end()) {
      Value both = common(old, value, outline->second);
      if (both.same(old))
        continue;
      changed = isContested = true;
      if (doubt == Doubt::Common) {
        m.memory.set(object, std::move(both));
        kept.push_back(object);
        continue;
      }
    }
    changed = true;
    given.insert(object.index());
    m.memory.set(object, forgotten(old, value, asDetermined));
    if (old.number() && m.objects[object.index()].decl)
      begun.emplace_back(object, *old.number());
  }
  for (std::size_t i = before; i < begun.size(); ++i) {
    const auto &[object, first] = begun[i];
    const clang::ValueDecl *variable = m.objects[object.index()].decl;
    const int counts = m.conditions.relations().counts(variable);
    const int step = counts != 0 ? counts : m.conditions.relations().steps(variable);
    const Number *now = step != 0 ? m.memory.get(object).number() : nullptr;
    if (const auto end = now ? m.dom.comparison(m, step > 0 ? clang::BO_GE : clang::BO_LE, *now, first) : nullptr)
      end->assume(m, true);
    // What is computed of it is a size, too: `i % 2`.
    if (const auto name = now && first.known ? m.dimTable.asSymbol(now->dim) : std::nullopt)
      m.dimTable.setBounds(name->name, step > 0 ? Interval{first.integer, name->bounds.max}
                                                : Interval{name->bounds.min, first.integer});
  }
  // What rests on what has no fixpoint has none either.
  for (std::size_t i = 0; doubt == Doubt::ForgetAll && changed && i < kept.size(); ++i)
    if (given.insert(kept[i].index()).second)
      m.memory.set(kept[i], m.havoc(m.memory.get(kept[i]), why));
  return changed;
}

/// \p old itself where \p made, a list, record or optional made of its parts, is nothing else.
static Value oldUnlessOther(const Value &old, Value made) {
  const auto areSame = [](const auto &a, const auto &b) {
    return std::ranges::equal(a, b, [](const Value &x, const Value &y) { return x.same(y); });
  };
  if (const List *a = old.list(), *b = made.list(); a && b)
    if (a->sized == b->sized && a->open == b->open && a->every.same(b->every) && areSame(a->items, b->items))
      return old;
  if (const Record *a = old.record(), *b = made.record(); a && b)
    if (std::ranges::equal(a->fields, b->fields,
                           [](const auto &x, const auto &y) { return x.first == y.first && x.second.same(y.second); }))
      return old;
  if (const Optional *a = old.optional(), *b = made.optional(); a && b && a->has == b->has && a->value.same(b->value))
    return old;
  return made;
}

/// The class of the objects \p a and \p b; null where it is not one: what may hold objects of several classes, a
/// std::function or a variant, may change it.
static const clang::CXXRecordDecl *classOfBoth(Machine &m, const Value &a, const Value &b) {
  const auto classOf = [&](const Value &v) -> const clang::CXXRecordDecl * {
    if (v.record())
      return v.record()->type;
    return v.symbol() ? Machine::classOf(m.symbol(v.symbol()->id).type) : nullptr;
  };
  const clang::CXXRecordDecl *x = classOf(a), *y = classOf(b);
  return x && y && x->getCanonicalDecl() == y->getCanonicalDecl() ? x : nullptr;
}

/// The symbol whose parts the fields are that \p v does not list.
static SymbolId restOf(const Value &v) {
  return v.record() ? v.record()->rest : v.symbol() ? v.symbol()->id : SymbolId();
}

/// The objects \p a and \p b of one class as one of which each field is \p part of both of theirs. One of the two, at
/// least, is a record.
static std::optional<Record> recordOfBoth(Machine &m, const Value &a, const Value &b, ReasonId why,
                                          llvm::function_ref<Value(const Value &, const Value &)> part) {
  const Record *x = a.record(), *y = b.record();
  const bool areUntyped = x && y && !x->type && !y->type && x->rest == y->rest;
  const clang::CXXRecordDecl *type = classOfBoth(m, a, b);
  const bool isSameRest = restOf(a) == restOf(b);
  if ((!x && !y) || (!type && !areUntyped && !(y && !x && restOf(a) && isSameRest)))
    return std::nullopt;
  Record r = x && isSameRest ? *x : Record();
  r.type = x ? x->type : y->type;
  if (isSameRest)
    r.rest = restOf(a);
  else
    r.restReason = why;
  for (const Record *one : {x, y})
    for (const auto &[field, value] : one ? one->fields : decltype(r.fields)())
      if (one == y || !y || !y->find(field))
        r.set(field, part(m.part(a, Step::ofField(field), field->getType()),
                          m.part(b, Step::ofField(field), field->getType())));
  return r;
}

bool Machine::LoopHead::isCovered(const Place &by, const Place &place) const {
  // What a trip makes stands for what any other one makes there.
  const auto isMade = [&](ObjectId o) { return o && m.memory.get(o).isAbsent(); };
  const auto isAny = [&](const Step &s) {
    const bool isUnknown = s.hasUnknownKey() || (!s.field && !s.key && s.index < 0);
    return isUnknown && !m.askedContainers().positionAt(s);
  };
  const bool isSameObject =
      by.object == place.object || (isMade(by.object) && isMade(place.object) &&
                                    m.objects[by.object.index()].type == m.objects[place.object.index()].type);
  return isSameObject && std::ranges::equal(by.path, place.path, [&](const Step &a, const Step &b) {
           return a == b || (isAny(a) && !b.field && !a.key == !b.key);
         });
}

bool Machine::LoopHead::isCovered(const Value &by, const Value &v) {
  if (by.unknown() || by.same(v))
    return true;
  if (const Number *n = by.number())
    return !n->known && v.number() && v.number()->kind == n->kind;
  if (const Handle *h = by.handle())
    return v.handle() && v.handle()->tag == h->tag;
  if (by.token())
    return true; // the state of an object of the domain's
  if (const List *l = by.list())
    return v.list() && !l->sized && l->every.unknown();
  if (const Pointer *p = by.pointer(); p && (v.pointer() || v.isNull())) {
    const Pointer nothing, &q = v.pointer() ? *v.pointer() : nothing;
    const auto isPlaceCovered = [&](const Place &place) {
      return std::ranges::any_of(p->places, [&](const Place &one) { return isCovered(one, place); });
    };
    return (p->mayBeNull || (v.pointer() && !q.mayBeNull)) &&
           (p->other || (!q.other && std::ranges::all_of(q.places, isPlaceCovered)));
  }
  return false;
}

Value Machine::LoopHead::forgotten(const Value &old, const Value &now, bool asDetermined) {
  // Of a number that is not known its source says which it is.
  const Number *n = old.number();
  const auto isOld = [&](const Value &v) {
    return v.same(old) || (n && !n->known && v.number() && !v.number()->known && v.number()->source == n->source);
  };
  // What stands for what was forgotten stands for what is like it alone: a trip may leave another class of objects,
  // or one place more.
  if (old.same(now) || old.unknown() || (std::ranges::any_of(placeholders, isOld) && isCovered(old, now)))
    return old;
  const auto part = [&](const Value &before, const Value &after) { return forgotten(before, after, asDetermined); };
  // What holds of the whole beside its parts is forgotten as one of them is.
  const auto whole = [&](Value made, bool isLess) -> Value {
    if (isLess)
      placeholders.push_back(made);
    return isLess ? made : oldUnlessOther(old, std::move(made));
  };
  if (auto both = recordOfBoth(m, old, now, why, part)) {
    const bool isLess = both->rest != restOf(old);
    return whole(std::move(*both), isLess);
  }
  const List *before = old.list(), *after = now.list();
  if (before && after && before->sized && after->sized && before->items.size() == after->items.size()) {
    List l;
    for (std::size_t i = 0; i < before->items.size(); ++i)
      l.items.push_back(part(before->items[i], after->items[i]));
    l.open = before->open || after->open;
    return whole(std::move(l), !before->open && after->open);
  }
  if (const Optional *a = old.optional(), *b = now.optional(); a && b && !a->value.isAbsent()) {
    Optional o;
    if (a->has == b->has)
      o.has = a->has;
    o.value = b->value.isAbsent() ? a->value : part(a->value, b->value);
    const bool isLess = o.has != a->has;
    return whole(std::move(o), isLess);
  }
  Value next = Loops(m).widened(old, now, why);
  if (next.same(old))
    return old;
  if (asDetermined)
    next = m.determined(next);
  next = withNames(m, std::move(next));
  placeholders.push_back(next);
  return next;
}

Value Machine::LoopHead::common(const Value &old, const Value &now, const Outline &outline) {
  if (outline.summary)
    if (auto both = m.dom.widen(m, old, *outline.summary, why))
      return std::move(*both);
  if (!outline.parts.empty()) {
    if (const Record *r = now.record())
      return commonRecord(old, *r, outline);
    if (const List *l = now.list())
      return commonList(old, *l, outline);
    if (const Optional *o = now.optional())
      return commonOptional(old, *o, outline);
  }
  return old.isAbsent() ? m.havoc(now, why) : Loops(m).widened(old, now, why);
}

Value Machine::LoopHead::commonRecord(const Value &old, const Record &now, const Outline &outline) {
  const Record *before = old.record();
  if (!old.isAbsent() && (!before || before->rest || before->type != now.type))
    return Loops(m).widened(old, Value(now), why);
  Record r;
  r.type = now.type;
  r.restReason = why;
  for (std::size_t i = 0; i < now.fields.size() && i < outline.parts.size(); ++i) {
    const auto &[field, value] = now.fields[i];
    const Value *held = before ? before->find(field) : nullptr;
    r.set(field, before && !held ? m.havoc(value, why) : common(held ? *held : Value(), value, outline.parts[i]));
  }
  for (const auto &[field, value] : before ? before->fields : decltype(r.fields)())
    if (!now.find(field))
      r.set(field, m.havoc(value, why));
  return oldUnlessOther(old, std::move(r));
}

Value Machine::LoopHead::commonList(const Value &old, const List &now, const Outline &outline) {
  const List *before = old.list();
  if (!old.isAbsent() && (!before || before->rest))
    return Loops(m).widened(old, Value(now), why);
  List l;
  if (before && before->sized && now.sized && before->items.size() == now.items.size()) {
    for (std::size_t i = 0; i < now.items.size() && i < outline.parts.size(); ++i) {
      const Value &held = before->items[i];
      l.items.push_back(held.same(now.items[i]) ? held : common(held, now.items[i], outline.parts[i]));
    }
    l.open = before->open || now.open;
    return oldUnlessOther(old, std::move(l));
  }
  // Of unknown length: each looks like one that was there, or like one that the trip added.
  l.sized = false;
  if (before && !before->sized)
    l.every = before->every;
  for (std::size_t i = 0; before && before->sized && i < before->items.size(); ++i)
    l.every = m.join(l.every, before->items[i]);
  const auto isOld = [&](const Value &v) {
    return before && before->sized && std::ranges::any_of(before->items, [&](const Value &b) { return b.same(v); });
  };
  for (std::size_t i = 0; i < outline.parts.size(); ++i)
    if (const Value &one = now.sized ? now.items[i] : now.every; !isOld(one))
      l.every = common(l.every, one, outline.parts[i]);
  return oldUnlessOther(old, std::move(l));
}

Value Machine::LoopHead::commonOptional(const Value &old, const Optional &now, const Outline &outline) {
  const Optional *before = old.optional();
  if (!old.isAbsent() && !before)
    return Loops(m).widened(old, Value(now), why);
  Optional o;
  if (!before || before->has == now.has)
    o.has = now.has;
  o.value = common(before ? before->value : Value(), now.value, outline.parts.front());
  return oldUnlessOther(old, std::move(o));
}

Value Machine::Loops::widened(const Value &old, const Value &now, ReasonId why) {
  if (old.same(now))
    return old;
  // An object of outside is a record of what was written of it.
  if (auto both = recordOfBoth(m, old, now, why,
                               [&](const Value &before, const Value &after) { return widened(before, after, why); }))
    return std::move(*both);
  if (const List *before = old.list(), *after = now.list(); before && after) {
    List l;
    if (before->sized && after->sized && before->items.size() == after->items.size()) {
      for (std::size_t i = 0; i < before->items.size(); ++i)
        l.items.push_back(widened(before->items[i], after->items[i], why));
      l.open = before->open || after->open;
      return l;
    }
    if (m.dom.keepsPlaces())
      m.dom.onLost(m, old, nullptr);
    l.sized = false;
    l.every = Unknown{why, 0};
    return l;
  }
  if (const Optional *before = old.optional(), *after = now.optional(); before && after) {
    Optional o;
    if (before->has == after->has)
      o.has = before->has;
    o.value = after->value.isAbsent()    ? before->value
              : before->value.isAbsent() ? m.havoc(after->value, why)
                                         : widened(before->value, after->value, why);
    return o;
  }
  if (old.pointer() && (now.pointer() || now.isNull()))
    return m.join(old, now);
  if (old.datum() && now.datum())
    if (auto both = m.dom.join(m, old, now))
      return *both;
  if (old.unknown() && !now.number())
    return old;
  if (m.dom.keepsPlaces() && old.pointer() && now.unknown())
    return m.join(old, now);
  m.losePlaces(old);
  m.losePlaces(now);
  if (m.dom.keepsPlaces())
    m.dom.onLost(m, old, nullptr);
  // Of another kind, or class, than before it may be of a third one after the next trip.
  const Number *a = old.number(), *b = now.number();
  const bool isLike = old.token() || (a && b && a->kind == b->kind) ||
                      (old.handle() && now.handle() && old.handle()->tag == now.handle()->tag);
  return isLike ? m.havoc(b ? now : old, why) : Value(Unknown{why, 0});
}

} // namespace condlint::cxx
