//===- Variants.cpp - What holds one of several types ---------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A variant, or an `any`, is what it holds: its own place is that of the value
// inside. Which alternative that is, the value says (`Value::heldAs`), or follows
// from what it can only be; of a variant from outside it is a number that is asked
// like any other.
//
//===----------------------------------------------------------------------===//
#include "Variants.h"
#include "../machine/Types.h"
#include <algorithm>
#include <array>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

namespace condlint::cxx {

namespace {

/// The classes \p a and \p b may be those of one object.
bool mayBeOneObject(const clang::CXXRecordDecl *a, const clang::CXXRecordDecl *b) {
  if (!a || !b || a->getCanonicalDecl() == b->getCanonicalDecl() || !a->hasDefinition() || !b->hasDefinition())
    return true;
  return a->isDerivedFrom(b) || b->isDerivedFrom(a);
}

bool isStandardClass(Machine &m, clang::QualType t) { return m.className(t).starts_with("std::"); }

/// A pointer, a smart pointer or a position.
bool isLikePointer(Machine &m, clang::QualType t) {
  const std::string_view name = m.className(t);
  return t->isPointerType() || name.ends_with("_ptr") || name == "std::reference_wrapper" ||
         name.find("iterator") != std::string_view::npos;
}

bool mayPointTo(Machine &m, const Pointer &p, clang::QualType t) {
  if (!isLikePointer(m, t))
    return false;
  const clang::CXXRecordDecl *wanted = Machine::classOf(pointeeType(t));
  return p.other || p.places.empty() || std::ranges::any_of(p.places, [&](const Place &place) {
           return mayBeOneObject(wanted, place.object ? Machine::classOf(m.object(place.object).type) : nullptr) ||
                  !place.path.empty();
         });
}

/// \p v as what is held as a \p type. What has a type of its own, or is nobody knows what, needs none.
Value asHeld(const Value &v, clang::QualType type) {
  const bool isOfItself = v.handle() || v.token() || v.datum() || v.symbol() || v.unknown() || v.isAbsent();
  return isOfItself || type.isNull() ? v : v.asHeld(plainType(type).getTypePtr());
}

/// \p v may be a value of the type \p t.
bool mayBe(Machine &m, const Value &v, clang::QualType t) {
  t = plainType(t);
  if (v.heldAs())
    return v.heldAs() == t.getTypePtr();
  const std::string_view name = m.className(t);
  const bool isFunction = name == "std::function" || name == "std::move_only_function" || t->isFunctionPointerType();
  const auto isClassOf = [&](std::string_view standard) {
    return standard == name || m.domain().standardClass(name) == standard;
  };
  if (const Number *n = v.number())
    return numberKind(t) == n->kind;
  if (v.text())
    return name.starts_with("std::basic_string") || (t->isPointerType() && t->getPointeeType()->isAnyCharacterType());
  if (const Pointer *p = v.pointer())
    return mayPointTo(m, *p, t);
  if (v.isNull())
    return isLikePointer(m, t) || isFunction || name == "std::any";
  if (const Record *r = v.record())
    return isFunction || name == "std::any" || !r->type || plainType(m.ast().getCanonicalTagType(r->type)) == t;
  if (v.optional())
    return name.ends_with("::optional");
  if (v.map())
    return isClassOf("std::map") || isClassOf("std::unordered_map");
  if (v.callable())
    return isFunction || t->isMemberPointerType();
  if (v.list())
    return t->isRecordType() && (isStandardClass(m, t) || !m.domain().standardClass(name).empty()) &&
           !name.starts_with("std::basic_string") && name != "std::monostate" && !isLikePointer(m, t);
  if (const Symbol *s = v.symbol())
    return plainType(m.symbol(s->id).type) == t;
  return true;
}

/// \p v, which something holds that may hold anything, is of the type \p t; nothing where that is not known.
std::optional<bool> isOf(Machine &m, const Value &v, clang::QualType t) {
  if ((v.isNull() && !v.heldAs()) || !mayBe(m, v, t))
    return false;
  const Record *r = v.record();
  const bool isOfClass = r && r->type && plainType(m.ast().getCanonicalTagType(r->type)) == plainType(t);
  return v.heldAs() || isOfClass ? std::optional(true) : std::nullopt;
}

/// The type of the alternative of the variant \p type that a value of the type \p given becomes, where that is plain.
clang::QualType alternativeFor(Machine &m, clang::QualType type, clang::QualType given) {
  const bool isText = given->isPointerType() && given->getPointeeType()->isAnyCharacterType();
  const bool isNumber = numberKind(given).has_value();
  std::optional<unsigned> only;
  for (unsigned i = 0; i < typeArgumentCount(type); ++i) {
    const clang::QualType one = plainType(typeArgument(type, i));
    if (one == plainType(given))
      return one;
    if ((isNumber && numberKind(one) && !one->isBooleanType()) ||
        (isText && m.className(one).starts_with("std::basic_string"))) {
      if (only)
        return {};
      only = i;
    }
  }
  return only ? plainType(typeArgument(type, *only)) : clang::QualType();
}

/// The first of the types that the call names: `any_cast<T>`, `make_any<T>`.
clang::QualType namedType(const Call &c) {
  const clang::TemplateArgumentList *given = c.callee ? c.callee->getTemplateSpecializationArgs() : nullptr;
  return given && given->size() != 0 && given->get(0).getKind() == clang::TemplateArgument::Type
             ? given->get(0).getAsType()
             : clang::QualType();
}

/// Which alternative `get<I>`, `get<T>`, `holds_alternative<T>` and their kin name.
std::optional<unsigned> namedAlternative(const Call &c, clang::QualType variant) {
  const clang::TemplateArgumentList *given = c.callee ? c.callee->getTemplateSpecializationArgs() : nullptr;
  if (!given || given->size() == 0)
    return std::nullopt;
  const clang::TemplateArgument &first = given->get(0);
  if (first.getKind() == clang::TemplateArgument::Integral)
    return static_cast<unsigned>(first.getAsIntegral().getZExtValue());
  if (first.getKind() != clang::TemplateArgument::Type)
    return std::nullopt;
  for (unsigned i = 0; i < typeArgumentCount(variant); ++i)
    if (plainType(typeArgument(variant, i)) == plainType(first.getAsType()))
      return i;
  return std::nullopt;
}

bool isVariant(Machine &m, clang::QualType t) { return !t.isNull() && m.className(t) == "std::variant"; }

} // namespace

Value Variants::heldAlternative(const Value &v, clang::QualType type) {
  if (const Symbol *s = v.symbol(); s && plainType(m.symbol(s->id).type) == plainType(type))
    return m.part(v, Step::ofKey("index"), m.ast().UnsignedIntTy);
  const bool isKnown = !v.isAbsent() && !v.unknown();
  std::optional<unsigned> only;
  bool several = false;
  for (unsigned i = 0; i < typeArgumentCount(type); ++i) {
    if (!mayBe(m, v, typeArgument(type, i)))
      continue;
    several = several || only;
    only = i;
  }
  if (isKnown && only && !several)
    return Number::ofInteger(*only, Provenance::Fixed);
  // Which of them it is the code says itself, by types that are not told apart here.
  const Value open = m.unknown(m.ast().UnsignedIntTy, "which of several types a variant holds");
  return isKnown || m.isDetermined(v) ? m.determined(open) : open;
}

Value Variants::isHeld(const Value &v, clang::QualType type, unsigned i, const clang::Expr *at) {
  return m.compare(clang::BO_EQ, heldAlternative(v, type), Number::ofInteger(i), at);
}

Value Variants::asAlternative(const Value &v, clang::QualType type, unsigned i) {
  const clang::QualType held = typeArgument(type, i);
  if (const Symbol *s = v.symbol(); s && plainType(m.symbol(s->id).type) == plainType(type))
    return m.part(v, Step::ofIndex(i), held);
  return mayBe(m, v, held) && !v.unknown() ? v : m.unknown(held, "what a variant holds");
}

Argument Variants::placeOfAlternative(const Pointer &at, const Value &v, clang::QualType type, unsigned i) {
  Argument held;
  held.type = typeArgument(type, i);
  const Value inside = asAlternative(v, type, i);
  if (inside.same(v) && !v.symbol())
    held.place = at;
  else
    held.place = Pointer::to(m.newObject(inside, held.type));
  return held;
}

Value Variants::visited(Call &c, std::size_t next, std::vector<Argument> held) {
  if (next == c.arguments.size())
    return m.invoke(m.placeOf(c.arguments[0]), std::move(held), c.expr);
  const Pointer at = m.placeOf(c.arguments[next]);
  const Value v = m.load(c.arguments[next]);
  const clang::QualType type = c.arguments[next].type.getNonReferenceType();
  const Value index = heldAlternative(v, type);
  const Number *number = index.number();
  std::vector<unsigned> paths;
  const auto testOf = [&](unsigned i) {
    return number && number->source ? m.domain().comparison(m, clang::BO_EQ, *number, Number::ofInteger(i)) : nullptr;
  };
  for (unsigned i = 0; i < typeArgumentCount(type); ++i) {
    const auto test = testOf(i);
    const auto truth = number && number->known ? std::optional(number->integer == i)
                       : test                  ? test->decided(m)
                                               : std::nullopt;
    if (truth.value_or(false))
      paths.assign(1, i);
    else if (!truth && (v.unknown() || v.symbol() || mayBe(m, v, typeArgument(type, i))))
      paths.push_back(i);
    if (truth.value_or(false))
      break;
  }
  if (paths.size() > 1)
    if (const auto path = m.domain().choosePath(m, c.expr, static_cast<unsigned>(paths.size()), index, {}))
      paths.assign(1, paths[*path]);
  Value result;
  const auto go = [&](unsigned i) {
    if (const auto test = testOf(i))
      test->assume(m, true);
    Argument one = placeOfAlternative(at, v, type, i);
    const Place own = one.place->places.empty() ? Place() : one.place->places.front();
    const bool isOwn = *one.place != at;
    const Value before = isOwn ? m.peek(own) : Value();
    std::vector<Argument> all = held;
    all.push_back(std::move(one));
    const Value made = visited(c, next + 1, std::move(all));
    if (m.dead())
      return;
    if (const Value now = isOwn ? m.peek(own) : Value(); isOwn && !now.same(before))
      m.store(at, now, c.expr); // what the visitor made of what it was given by reference
    result = result.isAbsent() ? made : m.join(result, made);
  };
  std::function<void(std::size_t)> from = [&](std::size_t i) {
    if (i + 1 >= paths.size())
      return go(paths[i]);
    m.fork([&] { go(paths[i]); }, [&] { from(i + 1); });
  };
  if (!paths.empty())
    from(0);
  return result.isAbsent() ? m.unknown(c.type, "what a visitor returns") : result;
}

Value Variants::anyCast(Call &c) {
  const bool byPointer = c.arguments[0].type.getNonReferenceType()->isPointerType();
  const clang::QualType wanted = namedType(c);
  if (!byPointer) {
    const Value v = argument(c, 0);
    if (!wanted.isNull() && isOf(m, v, wanted) == std::optional(false))
      return m.unknown(c.type, "a cast of what holds another type");
    return c.type->isReferenceType() ? Value(m.placeOf(c.arguments[0])) : v;
  }
  const Value pointer = argument(c, 0);
  if (pointer.isNull())
    return Null{};
  Pointer at = m.dereference(pointer, c.arguments[0].type.getNonReferenceType()->getPointeeType(), c.expr);
  const Value v = m.load(at, c.expr);
  const auto truth = wanted.isNull() ? std::nullopt : isOf(m, v, wanted);
  if (truth && !*truth)
    return Null{};
  if (!truth && !v.unknown()) // the code says itself which type it is, and not here
    return m.determined(m.unknown(c.type, "which type something holds that may hold anything"));
  if (!truth) {
    at = Pointer::to(m.newObject(m.unknown(wanted, "what something holds that may hold anything"), wanted));
    at.mayBeNull = true;
  }
  return at;
}

std::optional<Value> Variants::variant(Call &c, std::string_view name) {
  if (c.self || !c.callee || c.arguments.empty())
    return std::nullopt;
  if (name == "any_cast" && c.arguments.size() == 1)
    return anyCast(c);
  if (name == "make_any")
    return asHeld(element(c, namedType(c)), namedType(c));
  if (name == "visit" && c.arguments.size() > 1) {
    for (std::size_t i = 1; i < c.arguments.size(); ++i)
      if (!isVariant(m, c.arguments[i].type))
        return std::nullopt;
    return visited(c, 1, {});
  }
  const bool byPointer = name == "get_if";
  const clang::QualType first = c.arguments[0].type.getNonReferenceType();
  const clang::QualType type = byPointer && first->isPointerType() ? first->getPointeeType() : first;
  if ((!byPointer && name != "get" && name != "holds_alternative") || c.arguments.size() != 1 || !isVariant(m, type))
    return std::nullopt;
  const auto wanted = namedAlternative(c, type);
  if (!wanted)
    return std::nullopt;
  const Value pointer = byPointer ? argument(c, 0) : Value();
  const Pointer at = byPointer ? m.dereference(pointer, type, c.expr) : m.placeOf(c.arguments[0]);
  const Value v = m.load(at, c.expr, type);
  if (name == "get")
    return Value(*placeOfAlternative(at, v, type, *wanted).place);
  const Value holds = isHeld(v, type, *wanted, c.expr);
  if (!byPointer)
    return holds;
  const Number *n = holds.number();
  const auto truth = n && n->truth() ? n->truth() : n && n->test ? n->test->decided(m) : std::nullopt;
  if (truth && !*truth)
    return Null{};
  if (!truth && m.isDetermined(heldAlternative(v, type)))
    return m.determined(m.unknown(c.type, "which of several types a variant holds"));
  Pointer held = *placeOfAlternative(at, v, type, *wanted).place;
  held.mayBeNull = !truth;
  return held;
}

/// The type that `emplace<T>` and `emplace<I>` name.
static clang::QualType emplacedType(const Call &c) {
  const clang::TemplateArgumentList *given = c.callee ? c.callee->getTemplateSpecializationArgs() : nullptr;
  if (!given || given->size() == 0)
    return {};
  const clang::TemplateArgument &first = given->get(0);
  if (first.getKind() == clang::TemplateArgument::Type)
    return first.getAsType();
  return first.getKind() == clang::TemplateArgument::Integral
             ? typeArgument(c.self->type, static_cast<unsigned>(first.getAsIntegral().getZExtValue()))
             : clang::QualType();
}

Value Variants::typeHeld(Call &c) {
  const Value v = m.load(*c.self);
  const Record *r = v.record();
  const clang::QualType type = v.isNull() && !v.heldAs() ? m.ast().VoidTy
                               : v.heldAs()              ? clang::QualType(v.heldAs(), 0)
                               : r && r->type            ? m.ast().getCanonicalTagType(r->type)
                                                         : clang::QualType();
  if (!type.isNull())
    return Pointer::to(m.newObject(typeInfo(type), c.type.getNonReferenceType(), Storage::Pointee));
  const Value open = m.unknown("which type something holds that may hold anything");
  return v.unknown() || v.symbol() || v.isAbsent() ? open : m.determined(open);
}

std::optional<Value> Variants::info(Call &c, std::string_view name) {
  const bool equal = name == "operator==", differ = name == "operator!=";
  if ((!equal && !differ) || written(c) != 1)
    return std::nullopt;
  const Value a = m.load(*c.self), b = argument(c, 0);
  if (a.text() && b.text())
    return Number::boolean((*a.text() == *b.text()) == equal, Provenance::Fixed);
  return Number::unknown(Number::Kind::Bool);
}

std::optional<Value> Variants::holder(Call &c, std::string_view name) {
  const clang::QualType own = c.self->type.getNonReferenceType();
  if (name == "operator=" && written(c) == 1) {
    const Value given = isTakenOver(c, 0) ? argument(c, 0) : kept(c, 0);
    moved(c, 0);
    m.store(self(c), heldOf(c, own, given), c.expr);
    return self(c);
  }
  if (name == "reset") {
    m.store(self(c), Null{}, c.expr);
    return Void{};
  }
  if (name == "index" && isVariant(m, own))
    return heldAlternative(m.load(*c.self), own);
  if (name == "valueless_by_exception")
    return Number::boolean(false, Provenance::Fixed);
  if (name == "has_value") {
    const Value v = m.load(*c.self);
    return v.isNull() && !v.heldAs()                   ? Number::boolean(false, Provenance::Fixed)
           : v.unknown() || v.symbol() || v.isAbsent() ? Number::unknown(Number::Kind::Bool)
                                                       : Number::boolean(true, Provenance::Fixed);
  }
  if (name == "type" && !isVariant(m, own))
    return typeHeld(c);
  const clang::QualType type = name == "emplace" ? emplacedType(c) : clang::QualType();
  if (!type.isNull() || (name == "emplace" && written(c) == 1)) {
    m.store(self(c), type.isNull() ? argument(c, 0) : asHeld(element(c, type), type), c.expr);
    return self(c);
  }
  return std::nullopt;
}

/// What a variant holds that is given nothing: its first alternative.
Value Variants::emptyVariant(const Call &c) {
  const clang::QualType first = typeArgument(c.type, 0);
  if (m.className(first) == "std::monostate") {
    Record nothing;
    nothing.type = Machine::classOf(first);
    return asHeld(nothing, first);
  }
  const Value v = m.constructBest(first, {}, c.expr);
  return v.unknown() ? m.determined(v) : asHeld(v, first);
}

Value Variants::heldOf(const Call &c, clang::QualType own, const Value &given) {
  clang::QualType type = c.arguments[0].type;
  if (type.isNull() || plainType(type) == plainType(own))
    return given;
  type = type.getNonReferenceType();
  if (type->isArrayType() || type->isFunctionType())
    type = m.ast().getDecayedType(type);
  if (!isVariant(m, own))
    return asHeld(given, type);
  const clang::QualType one = alternativeFor(m, own, type);
  if (one.isNull())
    return given.asHeld(nullptr);
  return asHeld(numberKind(one) ? m.convertNumber(given, one) : given, one);
}

std::optional<Value> Variants::construct(Call &c, std::string_view cls) {
  const std::size_t count = written(c);
  if (count == 0)
    return cls == "std::variant" ? emptyVariant(c) : Value(Null{});
  const clang::QualType first = c.arguments[0].type.getNonReferenceType();
  if (m.className(first).starts_with("std::in_place")) {
    const std::vector<Argument> rest(c.arguments.begin() + 1, c.arguments.end());
    const clang::QualType named = m.className(first) == "std::in_place_type_t"           ? typeArgument(first, 0)
                                  : cls == "std::variant" && first->getAsCXXRecordDecl() ? [&] {
                                      const auto i = integerArgument(*first->getAsCXXRecordDecl(), 0);
                                      return i ? typeArgument(c.type, static_cast<unsigned>(*i)) : clang::QualType();
                                    }()
                                                                                         : clang::QualType();
    return named.isNull() ? m.unknown("something that holds anything")
                          : asHeld(m.constructBest(named, rest, c.expr), named);
  }
  if (count != 1)
    return m.unknown("something that holds anything");
  // What a class of an alternative makes of it.
  std::optional<unsigned> exact, only;
  for (unsigned i = 0; cls == "std::variant" && i < typeArgumentCount(c.type); ++i) {
    const Value peeked = m.peek(c.arguments[0]).asHeld(nullptr);
    if (plainType(typeArgument(c.type, i)) == plainType(first) || mayBe(m, peeked, typeArgument(c.type, i)))
      exact = i;
    else if (Machine::classOf(typeArgument(c.type, i)) && !isStandardClass(m, typeArgument(c.type, i)))
      only = only ? std::nullopt : std::optional(i);
  }
  if (cls == "std::variant" && !exact && only && !isVariant(m, first))
    return asHeld(converted(c, 0, typeArgument(c.type, *only)), typeArgument(c.type, *only));
  const Value v = argument(c, 0);
  moved(c, 0);
  return heldOf(c, c.type, v);
}

} // namespace condlint::cxx
