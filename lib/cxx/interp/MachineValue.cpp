//===- MachineValue.cpp - Reading, writing and joining values -------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "MapKeys.h"
#include "Types.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

namespace condlint::cxx {

ReasonId Machine::reason(std::string_view text) {
  auto [entry, isNew] = reasonIndex.try_emplace(llvm::StringRef(text), ReasonId());
  if (isNew) {
    entry->second = ReasonId(static_cast<std::uint32_t>(reasons.size()));
    reasons.emplace_back(text);
  }
  return entry->second;
}

std::string_view Machine::reasonText(ReasonId r) const {
  return r ? std::string_view(reasons[r.index()]) : "not known";
}

Value Machine::unknown(std::string_view text) { return Unknown{reason(text), 0}; }

Value Machine::unknown(clang::QualType type, std::string_view text) {
  if (type.isNull())
    return unknown(text);
  type = type.getNonReferenceType();
  if (auto v = dom.unknown(*this, type, reason(text)))
    return *v;
  if (type->isVoidType())
    return Void{};
  if (auto kind = numberKind(type))
    return Number::unknown(*kind);
  return unknown(text);
}

ObjectId Machine::newObject(Value v, clang::QualType type, Storage storage, const clang::ValueDecl *decl) {
  Object o;
  o.type = type;
  o.decl = decl;
  o.storage = storage;
  o.region = static_cast<std::uint16_t>(regionDepth);
  if (objects.size() > limits.objects)
    exhausted = true;
  objects.push_back(o);
  return timeless != 0 ? memory.createTimeless(std::move(v)) : memory.create(std::move(v));
}

//===----------------------------------------------------------------------===//
// What is given from outside
//===----------------------------------------------------------------------===//

Value Machine::symbolic(SymbolInfo info) {
  info.type = info.type.getNonReferenceType();
  // What a parameter names, or a pointer leads to, is only not written here.
  if (info.type.isConstQualified() && info.origin != SymbolInfo::Origin::Parameter &&
      info.origin != SymbolInfo::Origin::Pointee)
    info.isConst = true;
  ++timeless;
  const std::optional<Value> own = dom.input(*this, info);
  --timeless;
  if (own)
    return *own;
  if (auto kind = numberKind(info.type)) {
    Number n = Number::unknown(*kind, info.isConst ? Provenance::Fixed : Provenance::Varies);
    if (*kind == Number::Kind::Integer && info.name.find(Step::anyElement) == std::string::npos)
      n.dim = dimTable.fresh(info.name.empty() ? "n" : info.name, SymbolOrigin::Anonymous);
    return n;
  }
  const SymbolId id(static_cast<std::uint32_t>(symbols.size()));
  symbols.push_back(std::move(info));
  return Symbol{id};
}

namespace {

std::string stepKey(const Step &s) {
  if (s.field)
    return "." + std::to_string(reinterpret_cast<std::uintptr_t>(s.field));
  return s.str();
}

} // namespace

Value Machine::part(const Value &v, const Step &step, clang::QualType type) {
  const auto unknownPart = [&](ReasonId why) {
    return type.isNull() ? Value(Unknown{why, 0}) : unknown(type, reasonText(why));
  };
  if (const Record *r = v.record()) {
    if (const Value *f = r->find(step.field))
      return *f;
    return r->rest ? part(Symbol{r->rest}, step, type) : unknownPart(r->restReason);
  }
  if (const List *l = v.list()) {
    if (!l->sized)
      return l->every;
    if (step.index >= 0 && static_cast<std::size_t>(step.index) < l->items.size())
      return l->items[static_cast<std::size_t>(step.index)];
    if (step.index >= 0 && l->origin)
      if (auto p = dom.part(*this, Value(l->origin), step, type))
        return *p;
    if (step.index >= 0 || l->items.empty())
      return unknownPart(reason("an element that is not there"));
    // The index is not known: one of them.
    Value any = l->items.front();
    for (std::size_t i = 1; i < l->items.size(); ++i)
      any = join(any, l->items[i]);
    return any;
  }
  if (const Map *map = v.map()) {
    if (step.key && !isEnd(step))
      if (const auto at = map->entries.find(*step.key); at != map->entries.end())
        return isEntry(step) ? Value(List{{mapKeyValue(at->first), at->second}, true, {}, {}}) : at->second;
    if (map->rest && step.key && !isEnd(step))
      return part(Symbol{map->rest}, step, type);
    return unknownPart(reason("an entry that is not known"));
  }
  if (const Optional *o = v.optional())
    return o->value.isAbsent() ? unknownPart(reason("the value of an empty optional")) : o->value;
  if (const Symbol *s = v.symbol()) {
    if (isEntry(step))
      return List{{mapKeyValue(*step.key), part(v, Step::ofKey(*step.key), {})}, true, {}, {}};
    const auto key = std::make_pair(s->id.index(), stepKey(step));
    if (auto known = symbolParts.find(key); known != symbolParts.end())
      return known->second;
    SymbolInfo info;
    const SymbolInfo &whole = symbols[s->id.index()];
    info.origin = step.field ? SymbolInfo::Origin::Member : SymbolInfo::Origin::Element;
    info.name = whole.name + step.str();
    info.decl = step.field;
    info.parent = s->id;
    info.step = step;
    info.holder = whole.holder;
    info.region = whole.region;
    info.expr = whole.expr;
    info.isConst = whole.isConst && !whole.type->isPointerType();
    info.type = type.isNull() ? partType(context, whole.type, step) : type;
    if (info.type.isNull())
      return unknown("a part of something unknown");
    Value made;
    if (info.type->isReferenceType()) {
      SymbolInfo target = info;
      target.origin = SymbolInfo::Origin::Pointee;
      ++timeless;
      const ObjectId o = newObject(symbolic(std::move(target)), info.type.getNonReferenceType(), Storage::Pointee);
      --timeless;
      objects[o.index()].holder = whole.holder;
      objects[o.index()].region = static_cast<std::uint16_t>(whole.region);
      made = Pointer::to(o);
    } else {
      made = symbolic(std::move(info));
    }
    symbolParts.emplace(key, made);
    newParts.push_back(key);
    return made;
  }
  if (v.handle() || v.token() || v.datum())
    if (auto p = dom.part(*this, v, step, type))
      return *p;
  if (const Unknown *u = v.unknown())
    return u->leak ? v : unknownPart(u->reason);
  return unknownPart(reason("a part of something that has none"));
}

Pointer Machine::dereference(const Value &v, clang::QualType pointee, const clang::Expr *at) {
  if (const Pointer *p = v.pointer())
    return *p;
  if (v.isNull()) {
    Pointer nothing;
    nothing.mayBeNull = true;
    return nothing;
  }
  if (v.handle() || v.token() || v.datum()) {
    if (auto p = dom.dereference(*this, v, at)) {
      for (const Place &place : p->places)
        if (Object &o = objects[place.object.index()]; o.storage == Storage::External && numberKind(pointee))
          o.type = pointee;
      return *p;
    }
  } else if (const Symbol *s = v.symbol()) {
    auto [known, isNew] = symbolPointees.try_emplace(s->id.index(), ObjectId());
    if (isNew) {
      const SymbolInfo whole = symbols[s->id.index()];
      SymbolInfo info = whole;
      info.origin = SymbolInfo::Origin::Pointee;
      info.type = pointee;
      info.parent = s->id;
      info.isConst = !pointee.isNull() && pointee.isConstQualified() && whole.isConst;
      // It was there all along: whoever is the first to follow the pointer, all that do come to one object.
      ++timeless;
      const ObjectId o =
          newObject(pointee.isNull() ? unknown("what a pointer points to") : symbolic(info), pointee, Storage::Pointee);
      --timeless;
      if (!memory.get(o).symbol())
        newPointees.push_back(s->id.index());
      objects[o.index()].pointer = s->id;
      objects[o.index()].holder = whole.holder;
      objects[o.index()].region = static_cast<std::uint16_t>(whole.region);
      objects[o.index()].decl = whole.decl;
      symbolPointees[s->id.index()] = o;
      return Pointer::to(o);
    }
    return Pointer::to(known->second);
  }
  return Pointer::unknown();
}

void Machine::forgetScouted() {
  // What the domain recorded of them is gone.
  for (const auto &key : newParts)
    symbolParts.erase(key);
  for (const std::uint32_t s : newPointees)
    symbolPointees.erase(s);
  for (const clang::VarDecl *v : newGlobals)
    globals.erase(v);
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

clang::QualType Machine::typeOf(const Place &p) {
  clang::QualType t = objects[p.object.index()].type;
  for (const Step &s : p.path)
    t = partType(context, t, s);
  return t;
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
    v = part(v, p.path[i], t);
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
  return v;
}

Value Machine::heldAt(const Place &p) {
  Place whole = p;
  whole.path.pop_back();
  return part(peek(whole), p.path.back(), partType(context, typeOf(whole), p.path.back()));
}

Value Machine::load(const Place &p, const clang::Expr *at, clang::QualType type) {
  if (!p.object)
    return unknown(type, "what an unknown pointer points to");
  if (objects[p.object.index()].storage == Storage::External)
    return dom.readExternal(*this, p.object, at);
  Value v = peek(p, type);
  if (isOuter(p.object))
    dom.onRead(*this, p, v, at);
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

Value Machine::load(const Pointer &p, const clang::Expr *at, clang::QualType type) {
  if (p.places.empty())
    return unknown(type, "what an unknown pointer points to");
  Value v = load(p.places.front(), at, type);
  for (std::size_t i = 1; i < p.places.size(); ++i)
    v = join(v, load(p.places[i], at, type));
  return p.other ? join(v, unknown("what an unknown pointer points to")) : v;
}

Value Machine::with(const Value &v, std::span<const Step> path, const Value &leaf, clang::QualType type) {
  if (path.empty())
    return leaf;
  const Step &step = path.front();
  const clang::QualType inner = partType(context, type, step);
  const auto changed = [&](const Value &old) { return with(old, path.subspan(1), leaf, inner); };
  if (step.field) {
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
    r.set(step.field, changed(part(v, step, inner)));
    return r;
  }
  if (const List *old = v.list()) {
    List l = *old;
    if (!l.sized)
      l.every = join(l.every, changed(l.every));
    else if (step.index >= 0 && static_cast<std::size_t>(step.index) < l.items.size())
      l.items[static_cast<std::size_t>(step.index)] = changed(l.items[static_cast<std::size_t>(step.index)]);
    else if (step.index < 0)
      for (Value &item : l.items)
        item = join(item, changed(item));
    return l;
  }
  if (const Map *old = v.map(); (old || v.symbol()) && step.key) {
    if (isEnd(step))
      return v;
    Map m;
    if (old) {
      m = *old;
    } else { // given from outside: the other entries stay what they are
      m.complete = false;
      m.rest = v.symbol()->id;
    }
    auto at = m.entries.find(*step.key);
    if (at == m.entries.end())
      at = m.entries.emplace(*step.key, part(v, Step::ofKey(*step.key), inner)).first;
    if (!isEntry(step)) {
      at->second = changed(at->second);
      return m;
    }
    const Value pair = changed(List{{mapKeyValue(*step.key), at->second}, true, {}, {}});
    if (const List *l = pair.list(); l && l->items.size() == 2)
      at->second = l->items[1];
    else
      at->second = unknown("an entry of a map that changed in unknown ways");
    return m;
  }
  if (const Optional *old = v.optional()) {
    Optional o;
    o.has = old->has;
    o.value = changed(old->value);
    return o;
  }
  if (v.handle() || v.token() || v.datum() || v.unknown())
    return v;
  return unknown("a part of something unknown was written");
}

void Machine::replace(Value &v, std::span<const Step> path, const Value &leaf, clang::QualType type) {
  if (path.empty()) {
    v = leaf;
    return;
  }
  // Where the part is there and its own, in place.
  const Step &step = path.front();
  const clang::QualType inner = partType(context, type, step);
  if (const Record *r = v.record(); r && step.field && r->find(step.field))
    return replace(*v.own<Record>().find(step.field), path.subspan(1), leaf, inner);
  const auto index = static_cast<std::size_t>(step.index);
  if (const List *l = v.list(); l && l->sized && !step.field && !step.key && step.index >= 0 && index < l->items.size())
    return replace(v.own<List>().items[index], path.subspan(1), leaf, inner);
  if (const Map *map = v.map(); map && step.key && step == Step::ofKey(*step.key) && map->entries.contains(*step.key))
    return replace(v.own<Map>().entries.at(*step.key), path.subspan(1), leaf, inner);
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
    for (const Step &s : only->path) {
      const auto index = static_cast<std::size_t>(s.index);
      if (const Record *r = v->record(); r && s.field && r->find(s.field))
        v = v->own<Record>().find(s.field);
      else if (const List *l = v->list();
               l && l->sized && !s.field && !s.key && s.index >= 0 && index < l->items.size())
        v = &v->own<List>().items[index];
      else if (const Map *map = v->map(); map && s.key && s == Step::ofKey(*s.key) && map->entries.contains(*s.key))
        v = &v->own<Map>().entries.at(*s.key);
      else
        return;
    }
    change(*v);
    done = true;
  });
  return done;
}

void Machine::store(const Pointer &p, const Value &v, const clang::Expr *at) {
  if (p.places.empty() || p.other) {
    dom.onWrite(*this, Place{}, v, at);
    dom.onLost(*this, v, at);
  }
  const bool certain = p.only() != nullptr;
  for (const Place &written : p.places) {
    Place place = written;
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
    const Value leaf = certain ? v : join(peek(place), v);
    whole = Value(); // nobody else holds it now
    memory.edit(place.object, [&](Value &held) { replace(held, place.path, leaf, type); });
    // What is not kept there is not seen again.
    if (!v.number() && !v.unknown() && !v.isNull() &&
        (leaf.unknown() || (!place.path.empty() && peek(place).unknown())))
      dom.onLost(*this, v, at);
  }
}

Value Machine::load(Argument &a) {
  if (a.place)
    return load(*a.place, a.expr, a.type.isNull() ? a.type : a.type.getNonReferenceType());
  if (a.isDefault && a.value.isAbsent() && a.expr)
    a.value = eval(a.expr);
  return a.value;
}

Pointer Machine::placeOf(Argument &a) {
  if (!a.place) {
    const clang::QualType type = a.type.isNull() ? a.type : a.type.getNonReferenceType();
    Value v = load(a);
    a.place = Pointer::to(newObject(std::move(v), type));
  }
  return *a.place;
}

//===----------------------------------------------------------------------===//
// Joins
//===----------------------------------------------------------------------===//

Value Machine::joinRecords(const Record &a, const Record &b) {
  Record r;
  r.type = a.type ? a.type : b.type;
  if (a.rest == b.rest)
    r.rest = a.rest;
  r.restReason = a.restReason ? a.restReason : b.restReason;
  const auto partOf = [&](const Record &x, const clang::FieldDecl *f) {
    return part(Value(x), Step::ofField(f), f->getType());
  };
  for (const auto &[field, value] : a.fields)
    r.fields.emplace_back(field, join(value, partOf(b, field)));
  for (const auto &[field, value] : b.fields)
    if (!a.find(field))
      r.fields.emplace_back(field, join(partOf(a, field), value));
  return r;
}

Value Machine::joinLists(const List &a, const List &b) {
  List l;
  if (a.sized && b.sized && a.items.size() == b.items.size()) {
    for (std::size_t i = 0; i < a.items.size(); ++i)
      l.items.push_back(join(a.items[i], b.items[i]));
    return l;
  }
  l.sized = false;
  const auto add = [&](const Value &v) { l.every = l.every.isAbsent() ? v : join(l.every, v); };
  for (const List *side : {&a, &b}) {
    if (!side->sized)
      add(side->every);
    for (const Value &item : side->items)
      add(item);
  }
  if (l.every.isAbsent())
    l.every = unknown("an element of a list of unknown size");
  return l;
}

Value Machine::join(const Value &a, const Value &b) {
  if (a.isAbsent())
    return b;
  if (b.isAbsent())
    return a;
  if (const Number *x = a.number(), *y = b.number(); x && y) {
    Number n = *x;
    n.provenance = std::max(x->provenance, y->provenance);
    if (x->test != y->test)
      n.test = nullptr;
    if (x->source != y->source)
      n.source = nullptr;
    if (x->equals(*y))
      return n;
    n.known = false;
    n.dim = x->kind == Number::Kind::Integer && x->dim == y->dim && !x->known && !y->known ? x->dim : Dim{};
    n.test = nullptr;
    n.source = nullptr;
    n.provenance = std::max(n.provenance, Provenance::Varies);
    if (x->kind != y->kind)
      n.kind = std::max(x->kind, y->kind);
    return n;
  }
  if (a.same(b))
    return a;
  if (a.handle() || a.token() || a.datum() || b.handle() || b.token() || b.datum())
    if (auto v = dom.join(*this, a, b))
      return *v;
  if (a.unknown() || b.unknown()) {
    const Unknown *x = a.unknown();
    const Unknown *y = b.unknown();
    Unknown u = x ? *x : *y;
    if (u.leak == 0 && y)
      u.leak = y->leak;
    return u;
  }
  const Pointer *p = a.pointer();
  const Pointer *q = b.pointer();
  if ((p || a.isNull()) && (q || b.isNull())) {
    Pointer both = p ? *p : Pointer{};
    both.mayBeNull = both.mayBeNull || !p || !q || q->mayBeNull;
    if (q) {
      both.other = both.other || q->other;
      for (const Place &place : q->places)
        if (std::ranges::find(both.places, place) == both.places.end())
          both.places.push_back(place);
    }
    if (both.places.size() > 8) {
      both.places.resize(8);
      both.other = true;
    }
    return both;
  }
  if (a.record() && b.record())
    return joinRecords(*a.record(), *b.record());
  // A symbol beside a record: the record's fields, or the symbol's.
  if (a.record() && b.symbol())
    return joinRecords(*a.record(), Record{a.record()->type, {}, b.symbol()->id, {}});
  if (a.symbol() && b.record())
    return joinRecords(Record{b.record()->type, {}, a.symbol()->id, {}}, *b.record());
  if (a.list() && b.list())
    return joinLists(*a.list(), *b.list());
  if (const Map *x = a.map(), *y = b.map(); x && y) {
    Map m;
    m.complete = false;
    if (x->rest == y->rest)
      m.rest = x->rest;
    for (const auto &[key, value] : x->entries)
      if (const auto second = y->entries.find(key); second != y->entries.end())
        m.entries.emplace(key, join(value, second->second));
    m.complete =
        x->complete && y->complete && m.entries.size() == x->entries.size() && m.entries.size() == y->entries.size();
    return m;
  }
  if (const Optional *x = a.optional(), *y = b.optional(); x && y) {
    Optional o;
    if (x->has == y->has)
      o.has = x->has;
    o.value = join(x->value, y->value);
    return o;
  }
  return unknown("one of several values");
}

void Machine::mergeDeltas(std::span<const Delta *const> deltas) {
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
  const auto settle = [&](std::size_t row, const Value &base) {
    Value joined;
    for (std::size_t k = 0; k < deltas.size(); ++k) {
      const Value *v = cells[row * deltas.size() + k];
      joined = join(joined, v ? *v : base);
    }
    memory.set(order[row], std::move(joined));
  };
  // What the paths made comes first: what was there before may hold it now, and to
  // join two of these one looks into them.
  std::vector<std::size_t> changed;
  for (std::size_t row = 0; row < order.size(); ++row)
    if (memory.get(order[row]).isAbsent())
      settle(row, Value());
    else
      changed.push_back(row);
  for (std::size_t row : changed) {
    const Value base = memory.get(order[row]);
    settle(row, base);
  }
}

void Machine::fork(const std::function<void()> &first, const std::function<void()> &second) {
  if (isDead)
    return;
  const MarkScope scope(memory);
  const Store::Mark mark = memory.mark();
  const std::uint32_t outer = pathNumber;
  pathNumber = ++lastPath;
  first();
  const bool firstDead = isDead;
  const Delta firstWrites = firstDead ? Delta() : memory.changes(mark);
  memory.undo(mark);
  isDead = false;
  pathNumber = ++lastPath;
  second();
  pathNumber = outer;
  if (firstDead)
    return;
  const bool secondDead = isDead;
  const Delta secondWrites = secondDead ? Delta() : memory.changes(mark);
  memory.undo(mark);
  isDead = false;
  if (secondDead)
    return memory.apply(firstWrites);
  const Delta *both[] = {&firstWrites, &secondWrites};
  mergeDeltas(both);
}

//===----------------------------------------------------------------------===//
// Containers and constants
//===----------------------------------------------------------------------===//

std::optional<std::vector<Value>> Machine::elements(const Value &v) {
  if (const List *l = v.list())
    return l->sized ? std::optional(l->items) : std::nullopt;
  if (const Symbol *s = v.symbol()) {
    const auto size = dom.sizeOfSymbol(*this, s->id);
    const Number *n = size ? size->number() : nullptr;
    if (!n || !n->known || n->integer < 0 || n->integer > limits.elements)
      return std::nullopt;
    std::vector<Value> out;
    for (std::int64_t i = 0; i < n->integer; ++i)
      out.push_back(part(v, Step::ofIndex(i), {}));
    return out;
  }
  return std::nullopt;
}

Value Machine::sizeOf(const Value &v) {
  if (const List *l = v.list(); l && l->sized)
    return Number::ofInteger(static_cast<std::int64_t>(l->items.size()));
  if (const Map *m = v.map(); m && m->complete)
    return Number::ofInteger(static_cast<std::int64_t>(m->entries.size()));
  if (const std::string *text = v.text())
    return Number::ofInteger(static_cast<std::int64_t>(text->size()));
  if (const Symbol *s = v.symbol()) {
    if (auto n = dom.sizeOfSymbol(*this, s->id))
      return *n;
    const auto key = std::make_pair(s->id.index(), std::string("#size"));
    auto [known, isNew] = symbolParts.try_emplace(key, Value());
    if (isNew)
      known->second = Number::ofDim(dimTable.fresh(symbols[s->id.index()].name + ".size", SymbolOrigin::Anonymous),
                                    Provenance::Varies);
    return known->second;
  }
  return Number::unknown(Number::Kind::Integer);
}

Value Machine::havoc(const Value &v, ReasonId why) {
  if (const Number *n = v.number()) {
    Number lost = Number::unknown(n->kind, std::max(n->provenance, Provenance::Varies));
    return lost;
  }
  if (v.handle() || v.token() || v.datum())
    if (auto lost = dom.havoc(*this, v, why))
      return *lost;
  if (const Record *r = v.record()) {
    Record lost;
    lost.type = r->type;
    lost.restReason = why;
    for (const auto &[field, value] : r->fields)
      lost.fields.emplace_back(field, havoc(value, why));
    return lost;
  }
  if (const List *l = v.list()) {
    List lost;
    lost.sized = false;
    lost.every = Unknown{why, 0};
    if (l->sized && !l->items.empty())
      lost.every = havoc(l->items.front(), why);
    return lost;
  }
  if (v.isVoid())
    return v;
  return Unknown{why, 0};
}

Value Machine::constant(const clang::APValue &v, clang::QualType type) {
  switch (v.getKind()) {
  case clang::APValue::Int: {
    const llvm::APSInt &i = v.getInt();
    if (!i.isRepresentableByInt64())
      return Number::unknown(Number::Kind::Integer, Provenance::Literal);
    Number n = Number::ofInteger(i.getExtValue());
    if (!type.isNull() && type->isBooleanType())
      n = Number::boolean(n.integer != 0);
    return n;
  }
  case clang::APValue::Float: {
    llvm::APFloat f = v.getFloat();
    bool loses = false;
    f.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &loses);
    return Number::ofReal(f.convertToDouble());
  }
  case clang::APValue::Array: {
    List l;
    const unsigned size = v.getArraySize();
    if (size > limits.elements)
      return unknown("too large");
    const clang::ArrayType *array = type.isNull() ? nullptr : context.getAsArrayType(type);
    const clang::QualType element = array ? array->getElementType() : clang::QualType();
    for (unsigned i = 0; i < size; ++i)
      l.items.push_back(
          constant(i < v.getArrayInitializedElts() ? v.getArrayInitializedElt(i) : v.getArrayFiller(), element));
    return l;
  }
  case clang::APValue::Struct: {
    const clang::CXXRecordDecl *record = classOf(type);
    if (!record)
      return unknown("a constant");
    // A standard array is the array that it holds.
    if (std::string_view name = qualifiedName(*record); name == "std::array" && v.getStructNumFields() == 1)
      return constant(v.getStructField(0), record->field_begin()->getType());
    Record r;
    r.type = record;
    r.restReason = reason("a part of a constant");
    for (const clang::FieldDecl *f : record->fields())
      r.fields.emplace_back(f, constant(v.getStructField(f->getFieldIndex()), f->getType()));
    return r;
  }
  default:
    return unknown("a constant");
  }
}

} // namespace condlint::cxx
