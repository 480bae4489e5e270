//===- Parts.cpp - What values are made of --------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parts.h"
#include "../values/MapKeys.h"
#include "Followers.h"
#include "Machine.h"
#include "Summaries.h"
#include "Trial.h"
#include "Types.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

namespace condlint::cxx {

ReasonId State::reason(std::string_view text) {
  auto [entry, isNew] = reasonIndex.try_emplace(llvm::StringRef(text), ReasonId());
  if (isNew) {
    entry->second = ReasonId(static_cast<std::uint32_t>(reasons.size()));
    reasons.emplace_back(text);
  }
  return entry->second;
}

std::string_view State::reasonText(ReasonId r) const { return r ? std::string_view(reasons[r.index()]) : "not known"; }

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
  const ObjectId id = timeless != 0 ? memory.createTimeless(std::move(v)) : memory.create(std::move(v));
  if (leads->isAnyUnderWay())
    leads->arrive(Place{id, {}}, Value(memory.get(id)));
  if (isReachable(o))
    reachable.push_back(id);
  return id;
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
    if (info.name.find(Step::anyElement) != std::string::npos && !way)
      return n; // one of several
    if (*kind == Number::Kind::Integer)
      n.dim =
          fromOutside.fresh(dimTable, info.name.empty() ? "n" : info.name, SignedNumbers::rangeOf(context, info.type));
    dom.identify(*this, n);
    return n;
  }
  const SymbolId id(static_cast<std::uint32_t>(symbols.size()));
  symbols.push_back(std::move(info));
  return Symbol{id};
}

namespace {

/// The character \p step of a text; behind the last one stands a zero.
std::optional<Value> characterOf(const std::string &text, const Step &step) {
  const auto at = static_cast<std::size_t>(step.index);
  if (step.field || step.key || step.index < 0 || at > text.size())
    return std::nullopt;
  return Number::ofInteger(at < text.size() ? text[at] : 0, Provenance::Fixed);
}

} // namespace

std::int64_t Machine::unknownIndex(const Value &which, std::string_view from) {
  return dom.tellsElementsApart() ? indexOf(which, from) : Step::anyIndex;
}

std::int64_t Machine::positionIndex(const AskedPosition &which) {
  using Kind = AskedPosition::Kind;
  if (!dom.tellsElementsApart() && !dom.relatesAnswers())
    return Step::anyIndex;
  const std::string *text = which.key.text();
  const std::int64_t index = text                        ? namedIndex("find '" + *text)
                             : which.kind == Kind::OfKey ? indexOf(which.key, "find ")
                                                         : namedIndex(which.kind == Kind::First ? "begin" : "end");
  ofContainers.notePosition(index, which);
  return index;
}

std::int64_t Machine::indexOf(const Value &which, std::string_view from) {
  const Number *n = which.number();
  std::string words;
  if (n && n->known)
    words = std::to_string(n->integer);
  else if (n && n->dim.known())
    words = "d" + std::to_string(n->dim.index); // two may be called the same
  else if (n && n->source) {
    const auto at = std::ranges::find_if(askedSources, [&](const auto &other) { return other->equals(*n->source); });
    words = "#" + std::to_string(at - askedSources.begin());
    if (at == askedSources.end())
      askedSources.push_back(n->source);
  } else if (const Symbol *s = which.symbol()) {
    words = "s" + std::to_string(s->id.index());
  } else if (which.isNull()) {
    words = "0";
  }
  if (words.empty())
    return --lastUnknownIndex;
  return namedIndex(std::string(from) + words);
}

std::int64_t Machine::namedIndex(std::string words) {
  const auto [entry, isNew] = unknownIndexes.try_emplace(std::move(words), lastUnknownIndex - 1);
  if (isNew)
    --lastUnknownIndex;
  return entry->second;
}

Step Machine::elementAt(const Value &index) {
  const Number *n = index.number();
  return Step::ofIndex(n && n->known && n->integer >= 0 ? n->integer : unknownIndex(index));
}

Step Machine::entryAt(const Value &key) {
  const std::int64_t which = unknownIndex(key, "key ");
  return Step::ofKey(std::string(Step::anyElement) + (which == Step::anyIndex ? std::string() : std::to_string(which)));
}

Value Machine::Parts::unknownPart(ReasonId why, clang::QualType type) {
  return type.isNull() ? Value(Unknown{why, 0}) : m.unknown(type, m.reasonText(why));
}

/// \p v, one of several that the code has put somewhere: which one nobody chooses.
static Value madeOpen(Machine &m, const Value &v) {
  return (v.number() || v.unknown()) && m.domain().relatesAnswers() ? m.determined(v) : v;
}

Value Machine::anyElement(const Value &every, unsigned depth) {
  constexpr unsigned deepest = 4;
  if (every.handle())
    return dom.anyElement(*this, every);
  if (every.number() || every.unknown())
    return madeOpen(*this, every);
  if (depth >= deepest)
    return every;
  if (const Record *r = every.record()) {
    Record one = *r;
    for (auto &[field, value] : one.fields)
      value = anyElement(value, depth + 1);
    return one;
  }
  if (const List *l = every.list(); l && l->sized) {
    List one = *l;
    for (Value &item : one.items)
      item = anyElement(item, depth + 1);
    return one;
  }
  return every;
}

Value Machine::Parts::partOfList(const List &l, const Step &step, clang::QualType type) {
  const auto index = static_cast<std::size_t>(step.index);
  if ((l.sized || l.rest) && step.index >= 0 && index < l.items.size())
    return l.items[index];
  if (l.rest) {
    Value any = partOfSymbol(l.rest, step, type);
    for (std::size_t i = 0; step.index < 0 && i < l.items.size(); ++i)
      any = m.join(any, l.items[i]);
    return any;
  }
  if (step.index >= 0 && l.origin)
    if (auto p = m.dom.part(m, Value(l.origin), step, type))
      return *p;
  if (!l.sized)
    return m.anyElement(l.every);
  if (step.index >= 0 || l.items.empty())
    return unknownPart(m.reason("an element that is not there"), type);
  // The index is not known: one of them.
  Value any = l.items.front();
  for (std::size_t i = 1; i < l.items.size(); ++i)
    any = m.join(any, l.items[i]);
  // Of which index nobody knows: it is none of those that it may be for certain.
  return any.number() && !any.number()->among ? madeOpen(m, any) : any;
}

/// The pair of the type \p pair that an iterator at \p step leads to, whose value is \p value.
static Value pairAt(Machine &m, const Step &step, const Value &value, clang::QualType pair) {
  const Value key = step.hasUnknownKey() ? m.unknown(typeArgument(pair, 0), "the key of an entry that is not known")
                                         : mapKeyValue(*step.key);
  return List{{key, value}, true, {}, {}};
}

Value Machine::Parts::partOfMap(const Map &map, const Step &step, clang::QualType type) {
  if (!step.key || isEnd(step))
    return unknownPart(m.reason("an entry that is not known"), type);
  const clang::QualType valueType = isEntry(step) ? typeArgument(type, 1) : type;
  const auto at = map.entries.find(*step.key);
  Value v = at != map.entries.end() ? at->second
            : map.rest              ? partOfSymbol(map.rest, Step::ofKey(*step.key), valueType)
                                    : unknownPart(m.reason("an entry that is not known"), valueType);
  if (step.hasUnknownKey() && map.rest)
    for (const auto &[key, value] : map.entries)
      v = m.join(v, value);
  return isEntry(step) ? pairAt(m, step, v, type) : v;
}

Value Machine::Parts::partOfSymbol(SymbolId s, const Step &step, clang::QualType type) {
  if (isEntry(step))
    return pairAt(m, step, partOfSymbol(s, Step::ofKey(*step.key), {}), type);
  const auto key = std::make_pair(s.index(), step.identity());
  const bool isAnother = step.isAny() && m.dom.tellsElementsApart(); // each time
  if (auto known = m.symbolParts.find(key); known != m.symbolParts.end() && !isAnother)
    return known->second;
  SymbolInfo info;
  const SymbolInfo &whole = m.symbols[s.index()];
  info.origin = step.field ? SymbolInfo::Origin::Member : SymbolInfo::Origin::Element;
  info.name = whole.name + step.str();
  info.decl = step.field;
  info.parent = s;
  info.step = step;
  info.holder = whole.holder;
  info.region = whole.region;
  info.expr = whole.expr;
  info.isConst = whole.isConst && !whole.type->isPointerType();
  info.determined = whole.determined;
  info.type = type.isNull() ? partType(m.context, whole.type, step) : type;
  if (info.type.isNull())
    return m.unknown("a part of something unknown");
  if (!step.field && m.className(whole.type) == "std::span")
    info.type = info.type.getUnqualifiedType(); // of constant elements: they are only not written here
  Value made;
  if (info.type->isReferenceType()) {
    SymbolInfo target = info;
    target.origin = SymbolInfo::Origin::Pointee;
    ++m.timeless;
    const ObjectId o = m.newObject(m.symbolic(std::move(target)), info.type.getNonReferenceType(), Storage::Pointee);
    --m.timeless;
    // `whole` may have moved.
    m.objects[o.index()].holder = info.holder;
    m.objects[o.index()].region = static_cast<std::uint16_t>(info.region);
    made = Pointer::to(o);
  } else {
    made = m.symbolic(std::move(info));
  }
  if (m.symbols[s.index()].determined)
    made = m.determined(made);
  if (isAnother)
    return made;
  m.symbolParts.emplace(key, made);
  m.newParts.push_back(key);
  return made;
}

/// How many parts of the class \p base an object of the class \p whole has, besides what it is itself.
static unsigned partsOfBase(const clang::CXXRecordDecl &whole, const clang::CXXRecordDecl &base) {
  unsigned count = 0;
  if (const clang::CXXRecordDecl *defined = whole.getDefinition())
    for (const clang::CXXBaseSpecifier &b : defined->bases())
      if (const clang::CXXRecordDecl *of = b.getType()->getAsCXXRecordDecl(); of && !b.isVirtual())
        count += (of->getCanonicalDecl() == base.getCanonicalDecl() ? 1 : 0) + partsOfBase(*of, base);
  return count;
}

bool Machine::Parts::isOfEqualBases(const clang::CXXRecordDecl *whole, const Step &step) {
  const auto *base = step.field ? llvm::dyn_cast<clang::CXXRecordDecl>(step.field->getParent()) : nullptr;
  return base && whole && whole->getCanonicalDecl() != base->getCanonicalDecl() && partsOfBase(*whole, *base) > 1;
}

Value Machine::part(const Value &v, const Step &step, clang::QualType type) {
  const clang::CXXRecordDecl *whole = v.record()   ? v.record()->type
                                      : v.symbol() ? classOf(symbols[v.symbol()->id.index()].type)
                                                   : nullptr;
  if (Parts::isOfEqualBases(whole, step))
    return Parts(*this).unknownPart(reason("a part of one of two equal bases"), type);
  if (const Record *r = v.record()) {
    if (const Value *f = r->find(step.field))
      return *f;
    return r->rest ? Parts(*this).partOfSymbol(r->rest, step, type) : Parts(*this).unknownPart(r->restReason, type);
  }
  if (const List *l = v.list())
    return Parts(*this).partOfList(*l, step, type);
  if (const Map *map = v.map())
    return Parts(*this).partOfMap(*map, step, type);
  if (const Optional *o = v.optional())
    return o->value.isAbsent() ? Parts(*this).unknownPart(reason("the value of an empty optional"), type) : o->value;
  if (const std::string *text = v.text())
    return characterOf(*text, step).value_or(Parts(*this).unknownPart(reason("a character that is not known"), type));
  if (const Symbol *s = v.symbol()) {
    if (const auto text = !step.field && !step.key && step.index >= 0 ? askedText(*this, v, {}) : std::nullopt)
      if (auto character = askText(*this, {TextQuestion::Kind::Character, {}, {*text}, step.index}))
        return *character;
    return Parts(*this).partOfSymbol(s->id, step, type);
  }
  if (v.handle() || v.token() || v.datum())
    if (auto p = dom.part(*this, v, step, type))
      return *p;
  if (const Unknown *u = v.unknown())
    return u->leak         ? v
           : u->determined ? determined(Parts(*this).unknownPart(u->reason, type))
                           : Parts(*this).unknownPart(u->reason, type);
  return Parts(*this).unknownPart(reason("a part of something that has none"), type);
}

Argument partOf(Machine &m, const Argument &whole, const Step &step, clang::QualType type) {
  Argument part;
  part.type = type;
  if (whole.place)
    part.place = whole.place->then(step);
  else
    part.value = m.part(whole.value, step, type);
  return part;
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
      Value target = pointee.isNull() ? unknown("what a pointer points to") : symbolic(info);
      if (const auto text = askedText(*this, v, {}); text && info.type->isCharType())
        if (auto first = askText(*this, {TextQuestion::Kind::Character, {}, {*text}, 0}))
          target = *first;
      const ObjectId o = newObject(std::move(target), pointee, Storage::Pointee);
      --timeless;
      if (!memory.get(o).symbol())
        newPointees.push_back(s->id.index());
      objects[o.index()].pointer = s->id;
      objects[o.index()].holder = whole.holder;
      objects[o.index()].region = static_cast<std::uint16_t>(whole.region);
      objects[o.index()].decl = whole.decl;
      // What is reached from an object that lies nowhere else lies in it.
      if (const Symbol *held = memory.get(o).symbol(); held && !whole.holder)
        symbols[held->id.index()].holder = o;
      symbolPointees[s->id.index()] = o;
      return Pointer::to(o);
    }
    return Pointer::to(known->second);
  }
  return Pointer::unknown();
}

// What is only tried out is in no state that somebody is left in: it has no traces.
Machine::Trial::Trial(Machine &machine)
    : mark(machine.memory.mark()), m(machine), traces(machine.memory.exchangeTraces({})), left(machine.leftSoFar()) {
  if (m.scoutDepth++ != 0)
    return;
  m.summaries->beginTrial();
  m.newParts.clear();
  m.newPointees.clear();
  m.newGlobals.clear();
  m.dom.beginScout();
}

Machine::Trial::~Trial() {
  m.memory.exchangeTraces(std::move(traces));
  if (--m.scoutDepth == 0) {
    m.dom.endScout();
    m.summaries->endTrial();
    m.forgetScouted();
  }
  m.memory.undo(mark);
  m.isDead = false;
  m.forgetLeft(left);
}

void State::forgetScouted() {
  // What the domain recorded of them is gone.
  for (const auto &key : newParts)
    symbolParts.erase(key);
  for (const std::uint32_t s : newPointees)
    symbolPointees.erase(s);
  for (const clang::VarDecl *v : newGlobals)
    globals.erase(v);
}

//===----------------------------------------------------------------------===//
// Containers
//===----------------------------------------------------------------------===//

std::optional<std::vector<Value>> Machine::elements(const Value &v) {
  if (const List *l = v.list())
    return l->isComplete() ? std::optional(l->items) : std::nullopt;
  if (const std::string *text = v.text()) {
    std::vector<Value> out;
    for (const char c : *text)
      out.push_back(Number::ofInteger(c, Provenance::Fixed));
    return out;
  }
  if (const Symbol *s = v.symbol()) {
    const auto parts = partCount(context, symbols[s->id.index()].type);
    const std::optional<Value> size = parts ? Value(Number::ofInteger(*parts)) : dom.sizeOfSymbol(*this, s->id);
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
  if (const List *l = v.list(); l && l->isComplete())
    return Number::ofInteger(static_cast<std::int64_t>(l->items.size()));
  if (const Map *m = v.map(); m && m->complete)
    return Number::ofInteger(static_cast<std::int64_t>(m->entries.size()));
  if (const std::string *text = v.text())
    return Number::ofInteger(static_cast<std::int64_t>(text->size()));
  if (const List *l = v.list(); l && l->rest)
    return sizeOf(Symbol{l->rest});
  if (const Symbol *s = v.symbol()) {
    if (const auto n = partCount(context, symbols[s->id.index()].type))
      return Number::ofInteger(*n);
    if (const auto text = askedText(*this, v, {}); text && !symbols[s->id.index()].type->isPointerType())
      if (auto n = askText(*this, {TextQuestion::Kind::Size, {}, {*text}, 0}))
        return *n;
    if (auto n = dom.sizeOfSymbol(*this, s->id))
      return *n;
    const auto key = std::make_pair(s->id.index(), std::string("#size"));
    auto [known, isNew] = symbolParts.try_emplace(key, Value());
    if (isNew)
      known->second = Number::ofDim(dimTable.fresh(symbols[s->id.index()].name + ".size", SymbolOrigin::Anonymous),
                                    Provenance::Varies);
    if (isNew && isDetermined(v))
      known->second = determined(known->second);
    return known->second;
  }
  return v.list() || v.map() ? madeOpen(*this, Number::unknown(Number::Kind::Integer))
                             : Number::unknown(Number::Kind::Integer);
}

Value Machine::havoc(const Value &v, ReasonId why) {
  if (const Number *n = v.number()) {
    return Number::unknown(n->kind, std::max(n->provenance, Provenance::Varies));
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
  losePlaces(v);
  return Unknown{why, 0};
}

} // namespace condlint::cxx
