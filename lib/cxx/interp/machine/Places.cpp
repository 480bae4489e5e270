//===- Places.cpp - Reading and writing where values lie ------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Places.h"
#include "../library/LibraryClasses.h"
#include "../values/MapKeys.h"
#include "AskedContainers.h"
#include "Followers.h"
#include "Names.h"
#include "Parts.h"
#include "Types.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <utility>

namespace condlint::cxx {

clang::QualType Machine::typeOf(const Place &p) {
  clang::QualType t = objects[p.object.index()].type;
  for (const Step &s : p.path)
    t = partType(context, t, s);
  return t;
}

Value Machine::viewOf(const Value &v, const Pointer &where) {
  if (where.places.empty() || where.other)
    return where.other ? unknown("a view of something that is not known") : v;
  const Place *only = where.only();
  if (!only)
    return unknown("a view of one of several objects");
  if (!only->object || objects[only->object.index()].storage == Storage::External)
    return v;
  hasViews = true;
  return v.asViewOf(std::make_shared<const Viewed>(Viewed{*only, v}));
}

/// A view is a part of \p v, or it is one.
static bool holdsView(const Value &v) {
  if (v.viewed())
    return true;
  if (const Record *r = v.record())
    return std::ranges::any_of(r->fields, [](const auto &field) { return holdsView(field.second); });
  if (const List *l = v.list())
    return holdsView(l->every) || std::ranges::any_of(l->items, holdsView);
  if (const Map *map = v.map())
    return std::ranges::any_of(map->entries, [](const auto &entry) { return holdsView(entry.second); });
  if (const Callable *c = v.callable())
    return std::ranges::any_of(c->bound, holdsView);
  return v.optional() && holdsView(v.optional()->value);
}

Value Machine::Places::asItIsNow(Value v) {
  if (!m.hasViews || !holdsView(v))
    return v;
  if (const std::shared_ptr<const Viewed> of = v.viewed()) {
    const Value now = m.peek(of->place);
    if (now.same(of->whole))
      return v;
    const Value changed = m.unknown("what a view looks at has changed since it was made");
    return m.isDetermined(now) && m.isDetermined(of->whole) ? m.determined(changed) : changed;
  }
  const auto renew = [&](Value &part) { part = asItIsNow(std::move(part)); };
  if (v.record())
    std::ranges::for_each(v.own<Record>().fields, [&](auto &field) { renew(field.second); });
  if (v.list()) {
    renew(v.own<List>().every);
    std::ranges::for_each(v.own<List>().items, renew);
  }
  if (v.map())
    std::ranges::for_each(v.own<Map>().entries, [&](auto &entry) { renew(entry.second); });
  if (v.callable())
    std::ranges::for_each(v.own<Callable>().bound, renew);
  if (v.optional())
    renew(v.own<Optional>().value);
  return v;
}

/// How many elements an array of the \p type has, which lie one behind the other in it.
static std::optional<std::int64_t> arraySize(Machine &m, clang::QualType type) {
  if (type.isNull())
    return std::nullopt;
  if (const auto *array = m.ast().getAsConstantArrayType(type.getNonReferenceType()))
    return static_cast<std::int64_t>(array->getSize().getZExtValue());
  const clang::CXXRecordDecl *record = m.className(type) == "std::array" ? Machine::classOf(type) : nullptr;
  return record ? integerArgument(*record, 1) : std::nullopt;
}

/// \p step leads out of \p whole.
static bool leadsOut(const Value &whole, const Step &step) {
  const List *l = whole.list();
  return l && l->sized && !step.field && !step.key && step.index >= std::ssize(l->items);
}

Value Machine::peek(const Place &p, clang::QualType type) {
  if (!p.object)
    return unknown(type, "what an unknown pointer points to");
  Value v = memory.get(p.object);
  if (v.isAbsent())
    return unknown(type, "something of another path");
  clang::QualType t = objects[p.object.index()].type;
  for (std::size_t i = 0; i < p.path.size(); ++i) {
    t = partType(context, t, p.path[i]);
    if (t.isNull() && i + 1 == p.path.size())
      t = type;
    if (i != 0 && leadsOut(v, p.path[i]))
      if (const Place next = Places(*this).carried(p); next != p)
        return peek(next, type);
    v = part(v.viewed() ? Places(*this).asItIsNow(v) : v, p.path[i], t);
    // A part that is a reference is where it refers to.
    if (const Pointer *q = v.pointer(); q && !t.isNull() && t->isReferenceType()) {
      if (const Place *only = q->only()) {
        Place rest{only->object, only->path};
        rest.path.insert(rest.path.end(), p.path.begin() + static_cast<std::ptrdiff_t>(i) + 1, p.path.end());
        return peek(rest, type);
      }
      return unknown(type, "a reference that is not known");
    }
  }
  return Places(*this).asItIsNow(std::move(v));
}

Place Machine::Places::carried(Place p) const {
  if (!p.object)
    return p;
  std::vector<clang::QualType> types{m.objects[p.object.index()].type}; // of what each step leads into
  for (const Step &s : p.path)
    types.push_back(partType(m.context, types.back(), s));
  const auto isElement = [](const Step &s) { return !s.field && !s.key && s.index >= 0; };
  for (std::size_t i = p.path.size(); i-- > 1;) {
    Step &inner = p.path[i], &outer = p.path[i - 1];
    const auto size = isElement(inner) && isElement(outer) ? arraySize(m, types[i]) : std::nullopt;
    if (!size || *size == 0 || inner.index < *size || !arraySize(m, types[i - 1]))
      continue;
    outer.index += inner.index / *size;
    inner.index %= *size;
  }
  return p;
}

Pointer Machine::Places::unwrapped(const Pointer &at, clang::QualType held, clang::QualType wanted,
                                   const clang::Expr *site) {
  constexpr std::string_view wrapper = "std::reference_wrapper";
  if (held.isNull() || wanted.isNull() || m.className(held) != wrapper || m.className(wanted) == wrapper)
    return at;
  const clang::QualType pointee = typeArgument(held.getNonReferenceType(), 0);
  return m.dereference(m.load(at, site, held.getNonReferenceType()), pointee, site);
}

Value Machine::Places::heldAt(const Place &p) {
  Place whole = p;
  whole.path.pop_back();
  return m.part(m.peek(whole), p.path.back(), partType(m.context, m.typeOf(whole), p.path.back()));
}

std::optional<Place> Machine::Places::copiedFrom(const Place &p) const {
  const auto copy = p.path.empty() ? m.copies.end() : m.copies.find(p.path.front().field);
  if (copy == m.copies.end() || !m.isOuter(copy->second.object))
    return std::nullopt;
  Place from = copy->second;
  from.path.insert(from.path.end(), p.path.begin() + 1, p.path.end());
  return from;
}

Value Machine::load(const Place &p, const clang::Expr *at, clang::QualType type) {
  if (!p.object)
    return unknown(type, "what an unknown pointer points to");
  if (objects[p.object.index()].storage == Storage::External)
    return dom.readExternal(*this, p.object, at);
  Value v = peek(p, type);
  if (isOuter(p.object))
    dom.onRead(*this, p, v, at);
  else if (const auto from = Places(*this).copiedFrom(p); from && (v.number() || peek(*from, type).same(v)))
    dom.onRead(*this, *from, v, at);
  if (const Unknown *u = v.unknown(); u && u->leak) {
    const std::uint32_t leak = u->leak;
    if (auto before = dom.onLeakRead(*this, leak, at)) {
      // What leaked may be a whole of which this is a part.
      Place whole{p.object, {}};
      clang::QualType t = objects[p.object.index()].type;
      std::size_t depth = 0;
      const auto leaked = [&] {
        const Value held = peek(whole);
        return held.unknown() && held.unknown()->leak == leak;
      };
      for (; depth < p.path.size() && !leaked(); ++depth) {
        t = partType(context, t, p.path[depth]);
        whole.path.push_back(p.path[depth]);
      }
      v = std::move(*before);
      for (; depth < p.path.size(); ++depth) {
        t = partType(context, t, p.path[depth]);
        v = part(v, p.path[depth], t);
      }
    }
  }
  return v;
}

Value Machine::loadPointer(const Pointer &p, const clang::Expr *at, clang::QualType type) {
  if (const Place *only = p.only(); only && only->object && objects[only->object.index()].storage != Storage::External)
    if (Value v = peek(*only, type); v.symbol() || v.pointer())
      return v;
  return load(p, at, type);
}

Value Machine::evalPointer(const clang::Expr *e) {
  const auto castIn = [](const clang::Expr *x) { return llvm::dyn_cast<clang::ImplicitCastExpr>(x->IgnoreParens()); };
  const clang::ImplicitCastExpr *cast = castIn(e);
  while (cast && (cast->getCastKind() == clang::CK_UncheckedDerivedToBase || cast->getCastKind() == clang::CK_NoOp ||
                  cast->getCastKind() == clang::CK_DerivedToBase))
    cast = castIn(cast->getSubExpr());
  if (!cast || cast->getCastKind() != clang::CK_LValueToRValue || !cast->getType()->isPointerType() || isDead)
    return eval(e);
  const clang::Expr *from = cast->getSubExpr();
  return loadPointer(lvalue(from), from, e->getType());
}

Value Machine::joinWeakly(const Value &old, const Value &now) {
  const bool outer = std::exchange(isWeak, true);
  Value v = join(old, now);
  isWeak = outer;
  return v;
}

Value Machine::load(const Pointer &p, const clang::Expr *at, clang::QualType type) {
  if (p.places.empty())
    return unknown(type, "what an unknown pointer points to");
  Value v = load(p.places.front(), at, type);
  for (std::size_t i = 1; i < p.places.size(); ++i)
    v = join(v, load(p.places[i], at, type));
  return p.other ? join(v, unknown("what an unknown pointer points to")) : v;
}

bool Machine::Places::isSequence(clang::QualType type) {
  return isLibraryClass(m.className(type), LibraryClass::Indexed) || type.getNonReferenceType()->isArrayType();
}

void Machine::Places::changeUnsized(List &l, const Step &step, const Change &changed, clang::QualType elementType) {
  constexpr std::int64_t most = 64;
  if (l.rest && step.index >= 0 && step.index < most) {
    const auto index = static_cast<std::size_t>(step.index);
    while (l.items.size() <= index)
      l.items.push_back(m.part(Symbol{l.rest}, Step::ofIndex(static_cast<std::int64_t>(l.items.size())), elementType));
    l.items[index] = changed(l.items[index]);
    return;
  }
  // Whichever it was: each is what it was, or that.
  if (l.rest)
    l.every = Parts(m).partOfList(l, Step::ofIndex(-1), elementType);
  l.every = m.joinWeakly(l.every, changed(l.every));
  l.items.clear();
  l.rest = SymbolId();
  l.origin = nullptr;
}

Value Machine::Places::withField(const Value &v, const Step &step, const Change &changed, clang::QualType type) {
  Record r;
  if (const Record *old = v.record())
    r = *old;
  else if (const Symbol *s = v.symbol())
    r.rest = s->id;
  else if (const Unknown *u = v.unknown())
    r.restReason = u->reason;
  else
    return v;
  if (!r.type)
    r.type = classOf(type);
  Value now = changed(m.part(v, step, partType(m.context, type, step)));
  // The members of a union share their bytes.
  if (step.field->getParent()->isUnion())
    r = {r.type, {}, {}, m.reason("another member of the union was written")};
  r.set(step.field, std::move(now));
  return r;
}

Value Machine::Places::withElement(const List &old, const Step &step, const Change &changed,
                                   clang::QualType elementType) {
  List l = old;
  if (!l.sized) {
    changeUnsized(l, step, changed, elementType);
    return l;
  }
  const auto index = static_cast<std::size_t>(step.index);
  if (step.index >= 0 && index < l.items.size())
    l.items[index] = changed(l.items[index]);
  else if (step.index < 0)
    for (Value &item : l.items)
      item = m.joinWeakly(item, changed(item));
  return l;
}

Value Machine::Places::withEntry(const Value &v, const Step &step, const Change &changed, clang::QualType entryType) {
  if (isEnd(step))
    return v;
  Map map;
  if (const Map *old = v.map()) {
    map = *old;
  } else { // given from outside: the other entries stay what they are
    map.complete = false;
    map.rest = v.symbol()->id;
  }
  auto at = map.entries.find(*step.key);
  if (at == map.entries.end())
    at = map.entries.emplace(*step.key, m.part(v, Step::ofKey(*step.key), entryType)).first;
  if (!isEntry(step)) {
    at->second = changed(at->second);
    return map;
  }
  const Value pair = changed(List{{mapKeyValue(*step.key), at->second}, true, {}, {}});
  if (const List *l = pair.list(); l && l->items.size() == 2)
    at->second = l->items[1];
  else
    at->second = m.unknown("an entry of a map that changed in unknown ways");
  return map;
}

/// Some entry of the map \p v, and nobody knows which, is what \p changed makes of it.
static Value withAnyEntry(Machine &m, const Value &v, const Step &step,
                          const std::function<Value(const Value &)> &changed) {
  Map out;
  if (const Map *old = v.map())
    out = *old;
  else if (!v.symbol())
    return m.unknown("a map of which some entry was written");
  out.complete = false; // and of the entries that are not listed nobody knows which it was
  out.rest = SymbolId();
  for (auto &[key, value] : out.entries) {
    const Value now = changed(isEntry(step) ? Value(List{{mapKeyValue(key), value}, true, {}, {}}) : value);
    const List *pair = isEntry(step) ? now.list() : nullptr;
    value = m.join(value, pair && pair->items.size() == 2 ? pair->items[1] : now);
  }
  return out;
}

/// \p text with \p leaf in the place \p path; nothing where that is no character that is known.
static std::optional<Value> withCharacter(const std::string &text, std::span<const Step> path, const Value &leaf) {
  const Step &step = path.front();
  const Number *c = leaf.number();
  if (path.size() != 1 || step.index < 0 || static_cast<std::size_t>(step.index) >= text.size() || !c || !c->known)
    return std::nullopt;
  std::string now = text;
  now[static_cast<std::size_t>(step.index)] = static_cast<char>(c->integer);
  return Value::text(std::move(now));
}

Value Machine::Places::with(const Value &v, std::span<const Step> path, const Value &leaf, clang::QualType type) {
  if (path.empty())
    return leaf;
  const Step &step = path.front();
  const clang::QualType inner = partType(m.context, type, step);
  const Places::Change changed = [&](const Value &old) { return with(old, path.subspan(1), leaf, inner); };
  if (step.hasUnknownKey())
    return withAnyEntry(m, v, step, changed);
  if (step.field)
    return withField(v, step, changed, type);
  if (const List *old = v.list())
    return withElement(*old, step, changed, inner);
  if ((v.map() || v.symbol()) && step.key)
    return withEntry(v, step, changed, inner);
  if (const Optional *old = v.optional()) {
    Optional o;
    o.has = old->has;
    o.value = changed(old->value);
    return o;
  }
  if (const std::string *text = v.text())
    return withCharacter(*text, path, leaf).value_or(m.unknown("a text of which a character changed"));
  if (v.handle() || v.token() || v.datum() || v.unknown())
    return v;
  if (const Symbol *s = v.symbol()) {
    const clang::QualType whole = m.symbol(s->id).type;
    if (const std::string_view cls = m.className(whole); cls == "std::pair" || cls == "std::tuple") {
      List parts; // as many as the type says
      parts.sized = true;
      for (unsigned i = 0; i < typeArgumentCount(whole.getNonReferenceType()); ++i)
        parts.items.push_back(m.part(v, Step::ofIndex(i), typeArgument(whole.getNonReferenceType(), i)));
      return withElement(parts, step, changed, inner);
    }
  }
  if (const Symbol *s = v.symbol(); s && isSequence(m.symbol(s->id).type)) {
    List l;
    l.sized = false;
    l.every = m.unknown("an element of a list in which some were changed");
    l.rest = s->id;
    changeUnsized(l, step, changed, inner);
    return l;
  }
  return m.unknown("a part of something unknown was written");
}

Value *Machine::Places::ownPart(Value &v, const Step &step) {
  const auto index = static_cast<std::size_t>(step.index);
  if (const Record *r = v.record(); r && step.field && r->find(step.field) && !step.field->getParent()->isUnion() &&
                                    !Parts::isOfEqualBases(r->type, step))
    return v.own<Record>().find(step.field);
  if (const List *l = v.list(); l && l->sized && !step.field && !step.key && step.index >= 0 && index < l->items.size())
    return &v.own<List>().items[index];
  if (const Map *map = v.map(); map && step.key && step == Step::ofKey(*step.key) && map->entries.contains(*step.key))
    return &v.own<Map>().entries.at(*step.key);
  return nullptr;
}

void Machine::Places::replace(Value &v, std::span<const Step> path, const Value &leaf, clang::QualType type) {
  if (path.empty())
    v = leaf;
  else if (Value *inner = ownPart(v, path.front()))
    replace(*inner, path.subspan(1), leaf, partType(m.context, type, path.front()));
  else
    v = with(v, path, leaf, type);
}

bool Machine::modify(const Pointer &p, const std::function<void(Value &)> &change, const clang::Expr *at) {
  const Place *only = p.only();
  if (!only || !only->object || objects[only->object.index()].storage == Storage::External)
    return false;
  // Through references nobody walks here.
  clang::QualType t = objects[only->object.index()].type;
  for (const Step &s : only->path) {
    t = partType(context, t, s);
    if (!t.isNull() && t->isReferenceType())
      return false;
  }
  if (isOuter(only->object))
    dom.onWrite(*this, *only, peek(*only), at);
  bool done = false;
  memory.edit(only->object, [&](Value &whole) {
    Value *v = &whole;
    for (const Step &s : only->path)
      if (v = Places::ownPart(*v, s); !v)
        return;
    change(*v);
    done = true;
  });
  return done;
}

/// So many lost places are kept; where there is one more, a write may go anywhere.
static constexpr std::size_t mostLostPlaces = 256;

void Machine::losePlaces(const Value &v) {
  const Pointer nothing, &p = v.pointer() ? *v.pointer() : nothing;
  for (Place place : p.places) {
    if (!place.object || objects[place.object.index()].storage == Storage::External)
      continue;
    // From one element, or entry, it may have been moved to any other.
    if (!place.path.empty() && !place.path.back().field)
      place.path.back() =
          place.path.back().key ? Step::ofKey(std::string(Step::anyElement)) : Step::ofIndex(Step::anyIndex);
    if (lostPlaces.size() <= mostLostPlaces && std::ranges::find(lostPlaces, place) == lostPlaces.end())
      lostPlaces.push_back(std::move(place));
  }
}

void Machine::Places::storeSomewhere(const Value &v) {
  if (m.lostPlaces.size() > mostLostPlaces)
    return m.dom.onUnfollowed(m, "a pointer may lead to more places than are kept apart");
  for (const Place &place : std::vector<Place>(m.lostPlaces)) {
    if (m.memory.get(place.object).isAbsent())
      continue;
    const clang::QualType type = m.typeOf(place);
    const bool isNumber = numberKind(type).has_value();
    if (isNumber && !v.number() && !v.unknown())
      continue;
    // Of an object it may be a part.
    const bool isPart = !isNumber && v.number();
    const Value written = isPart ? m.unknown("written through a pointer that is not known") : v;
    const Step *last = place.path.empty() ? nullptr : &place.path.back();
    const bool isAny = last && (last->isAny() || last->hasUnknownKey());
    const Value leaf = withNames(m, isAny ? written : m.joinWeakly(m.peek(place), written));
    const clang::QualType whole = m.objects[place.object.index()].type;
    m.memory.edit(place.object, [&](Value &held) { replace(held, place.path, leaf, whole); });
  }
}

/// What was stored is still found in \p held, or may be.
static bool mayHold(const Value &held, const Value &stored) {
  const Pointer *now = held.pointer(), *then = stored.pointer();
  if (!then)
    return !held.unknown();
  return now && std::ranges::all_of(then->places, [&](const Place &place) {
           return std::ranges::find(now->places, place) != now->places.end();
         });
}

void Machine::store(const Pointer &p, const Value &v, const clang::Expr *at) {
  if (p.places.empty() || p.other) {
    dom.onWrite(*this, Place{}, v, at);
    dom.onLost(*this, v, at);
    Places(*this).storeSomewhere(v);
  }
  const bool certain = p.only() != nullptr;
  for (const Place &written : p.places) {
    Place place = written.path.size() > 1 ? Places(*this).carried(written) : written;
    // A part that is a reference: what it refers to is written.
    Value whole = memory.get(place.object);
    clang::QualType t = objects[place.object.index()].type;
    for (std::size_t i = 0; i < place.path.size(); ++i) {
      t = partType(context, t, place.path[i]);
      whole = part(whole, place.path[i], t);
      const Pointer *q = whole.pointer();
      if (!q || t.isNull() || !t->isReferenceType())
        continue;
      const Place *only = q->only();
      if (!only) {
        dom.onWrite(*this, Place{}, v, at);
        place.object = ObjectId();
        break;
      }
      Place target = *only;
      target.path.insert(target.path.end(), place.path.begin() + static_cast<std::ptrdiff_t>(i) + 1, place.path.end());
      place = std::move(target);
      whole = memory.get(place.object);
      t = objects[place.object.index()].type;
      i = static_cast<std::size_t>(-1);
    }
    if (!place.object)
      continue;
    const Object &o = objects[place.object.index()];
    if (o.storage == Storage::External) {
      dom.writeExternal(*this, place.object, v, at);
      continue;
    }
    const clang::QualType type = o.type;
    if (isOuter(place.object))
      dom.onWrite(*this, place, v, at);
    const Value &old = memory.get(place.object);
    if (old.isAbsent() && !place.path.empty())
      continue;
    if (o.storage == Storage::Moved) {
      dom.onUnfollowed(*this, "something is written that was moved, and it is not known where it is now");
      continue;
    }
    if (whole.text() && v.text() && className(t) == "std::basic_string_view")
      leads->leaveView(place, whole);
    // Of what is made of a text or a container it is not worked out what else it hangs on.
    const bool isOpen = certain && v.number() && !v.number()->known && at && dom.relatesAnswers() &&
                        (asksText(at) || asksContainer(at));
    const Value leaf = isOpen ? v : certain ? withOpenName(*this, v) : withNames(*this, joinWeakly(peek(place), v));
    whole = Value(); // nobody else holds it now
    leads->noteStored(place.object, leaf);
    memory.edit(
        place.object, [&](Value &held) { Places(*this).replace(held, place.path, leaf, type); }, Store::Told::Yes);
    if (certain && leads->isAnyUnderWay())
      leads->arrive(place, v);
    // What is not kept there is not seen again.
    if (!v.number() && !v.unknown() && !v.isNull() &&
        (leaf.unknown() || (!place.path.empty() && !mayHold(peek(place), leaf))))
      dom.onLost(*this, v, at);
  }
}

Value Machine::load(Argument &a) {
  if (a.place)
    return load(*a.place, a.expr, a.type.isNull() ? a.type : a.type.getNonReferenceType());
  if (a.isDefault && a.value.isAbsent() && a.expr)
    a.value = eval(a.expr);
  return Places(*this).asItIsNow(a.value);
}

Value Machine::peek(const Argument &a) {
  if (!a.place)
    return a.value;
  const Place *only = a.place->only();
  return only ? peek(*only) : Value();
}

Value Machine::loadPointer(Argument &a) {
  const clang::QualType type = a.type.isNull() ? a.type : a.type.getNonReferenceType();
  return a.place ? loadPointer(*a.place, a.expr, type) : load(a);
}

Pointer Machine::placeOf(Argument &a) {
  if (!a.place) {
    const clang::QualType type = a.type.isNull() ? a.type : a.type.getNonReferenceType();
    Value v = load(a);
    a.place = Pointer::to(newObject(std::move(v), type));
  }
  return *a.place;
}

} // namespace condlint::cxx
