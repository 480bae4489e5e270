//===- Operators.cpp - Built-in operators and conversions -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"
#include "../values/FieldPointer.h"
#include "../values/MapKeys.h"
#include "../values/Tests.h"
#include "AssumedTrips.h"
#include "Determination.h"
#include "Expressions.h"
#include "LoopWays.h"
#include "Machine.h"
#include "Names.h"
#include "Places.h"
#include "Statements.h"
#include "Types.h"
#include "Unseen.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <cmath>
#include <limits>

namespace condlint::cxx {

namespace {

/// A test, and what it answers.
struct Answered {
  const Test *test;
  bool truth;
};

/// Adds to \p all what holds one by one where \p t is \p truth: `ok = ok && …;` makes a test of the one before.
void addConjuncts(const Test *t, bool truth, std::vector<Answered> &all) {
  const auto *no = dynamic_cast<const NotTest *>(t);
  const auto *both = dynamic_cast<const BothTest *>(t);
  if (no) {
    addConjuncts(&no->denied(), !truth, all);
  } else if (both && truth) {
    addConjuncts(both->left(), true, all);
    addConjuncts(both->right(), true, all);
  } else if (t) {
    all.push_back({t, truth});
  }
}

} // namespace

void BothTest::assume(Machine &m, bool truth) const {
  if (truth) {
    // Each once, not once for every test that it is part of.
    std::vector<Answered> all;
    addConjuncts(this, true, all);
    for (const Answered &each : all)
      each.test->assume(m, each.truth);
    for (std::size_t i = 0; i + 1 < all.size(); ++i)
      all[i].test->assume(m, all[i].truth); // it may say more now
  } else if (first && second) {
    m.either([&] { first->assume(m, false); },
             [&] {
               first->assume(m, true);
               second->assume(m, false);
             });
    m.domain().onNotAll(m, *this);
  }
}

std::optional<bool> BothTest::decided(Machine &m) const {
  const auto a = first ? first->decided(m) : std::nullopt;
  const auto b = second ? second->decided(m) : std::nullopt;
  if ((a && !*a) || (b && !*b))
    return false;
  if (a && b)
    return true;
  return first && second && m.domain().isExcluded(m, *this) ? std::optional(false) : std::nullopt;
}

std::shared_ptr<const Test> negated(const std::shared_ptr<const Test> &t) {
  return t ? std::make_shared<NotTest>(t) : nullptr;
}

/// The pointer that the array \p whole of the \p type becomes: characters that nobody changes are a text, as those of a
/// literal are.
static Value beginningOf(Machine &m, const Pointer &whole, clang::QualType type) {
  const clang::ArrayType *array = m.ast().getAsArrayType(type);
  const clang::QualType element = array ? array->getElementType() : clang::QualType();
  if (const Place *only = whole.only();
      only && !element.isNull() && element.isConstQualified() && element->isCharType())
    if (const Value held = m.peek(*only, type); held.text())
      return held;
  return whole.then(Step::ofIndex(0));
}

/// \p v in \p bits bits.
static std::int64_t ofWidth(std::int64_t v, unsigned bits, bool isUnsigned) {
  constexpr unsigned most = 64;
  if (bits >= most)
    return v;
  const llvm::APInt narrow(bits, static_cast<std::uint64_t>(v), false, true);
  return isUnsigned ? static_cast<std::int64_t>(narrow.getZExtValue()) : narrow.getSExtValue();
}

/// Each value of \p d, which is not below zero where it \p isNotNegative, is one of the integer \p type of so many
/// \p bits.
static bool fits(Machine &m, const Dim &d, clang::QualType type, unsigned bits, bool isNotNegative = false) {
  constexpr unsigned wide = 32, most = 64;
  constexpr std::int64_t endless = Interval().max;
  const bool isUnsigned = type->isUnsignedIntegerOrEnumerationType();
  Interval bounds = m.signedNumbers().boundsOf(m.dims(), d);
  if (isNotNegative)
    bounds.min = std::max<std::int64_t>(bounds.min, 0);
  const unsigned digits = isUnsigned ? bits : bits - 1;
  const std::int64_t above = bits >= most ? endless : std::int64_t{1} << digits;
  if (bounds.min < (isUnsigned || bits >= most ? 0 : -above))
    return false;
  // A size of which it is not known how large it may be is none that 32 bits do not hold.
  return bits >= most || bounds.max < above ||
         (bits >= wide && bounds.max == endless && bounds.min < above && m.signedNumbers().areSizes(m.dims(), d));
}

/// Every \p from is a \p to.
static bool holdsEvery(Machine &m, clang::QualType from, clang::QualType to) {
  const bool isUnsigned = to->isUnsignedIntegerOrEnumerationType(),
             wasUnsigned = from->isUnsignedIntegerOrEnumerationType();
  const unsigned bits = m.ast().getIntWidth(to), had = m.ast().getIntWidth(from);
  return isUnsigned == wasUnsigned ? bits >= had : !isUnsigned && bits > had;
}

/// \p number with \p d as what it is; where it may wrap around in the \p type, only as what is the same of the same
/// number.
static Number wrapped(Machine &m, Number number, const Dim &d, clang::QualType type, bool isNotNegative = false) {
  number.dim = d;
  if (!d.known() || fits(m, d, type, m.ast().getIntWidth(type), isNotNegative))
    return number;
  const Dim of[] = {d};
  const unsigned bits = m.ast().getIntWidth(type);
  const bool isUnsigned = type->isUnsignedIntegerOrEnumerationType();
  const auto converted = [bits, isUnsigned](std::span<const std::int64_t> parts) -> std::optional<std::int64_t> {
    constexpr unsigned widest = 64;
    const std::int64_t whole = ofWidth(parts[0], bits, isUnsigned);
    if (!isUnsigned || bits < widest || whole >= 0)
      return whole;
    // Compared, the largest one stands for those that 64 bits with a sign do not hold.
    return whole == -1 ? std::optional(std::numeric_limits<std::int64_t>::max()) : std::nullopt;
  };
  number.dim = m.signedNumbers().made(m.dims(), type.getCanonicalType().getUnqualifiedType().getAsString(), of,
                                      SignedNumbers::rangeOf(m.ast(), type), converted);
  number.source = nullptr;
  return number;
}

/// What was asked before says that \p n is not below zero.
static bool isNotNegativeHere(Machine &m, const Number &n) {
  const auto test = m.domain().comparison(m, clang::BO_GE, n, Number::ofInteger(0));
  return test && test->decided(m).value_or(false);
}

/// \p v, which is a \p from, as a \p to.
static Value convertedInteger(Machine &m, const Value &v, clang::QualType from, clang::QualType to) {
  const Value made = m.convertNumber(v, to);
  const Number *n = made.number();
  from = from.getNonReferenceType();
  to = to.getNonReferenceType();
  if (!n || n->known || n->kind != Number::Kind::Integer || !n->dim.known() || !from->isIntegralOrEnumerationType() ||
      !to->isIntegralOrEnumerationType() || holdsEvery(m, from, to))
    return made;
  return wrapped(m, *n, n->dim, to, from->isSignedIntegerOrEnumerationType() && isNotNegativeHere(m, *n));
}

Value Machine::convertNumber(const Value &v, clang::QualType to) {
  const auto kind = numberKind(to);
  if (!kind)
    return v;
  const Number *n = v.number();
  if (!n) {
    if (*kind == Number::Kind::Bool) {
      if (v.isNull())
        return Number::boolean(false);
      if (const Pointer *p = v.pointer(); p && !p->mayBeNull && !p->other)
        return Number::boolean(true, Provenance::Fixed);
      if (v.callable() || v.text() || v.record())
        return Number::boolean(true, Provenance::Fixed);
    }
    return v.handle() || v.token() || v.datum() ? v : Determination(*this).madeOf(Number::unknown(*kind), {&v});
  }
  if (n->kind == *kind && (*kind == Number::Kind::Bool || (*kind == Number::Kind::Floating && !n->known)))
    return *n;
  Number out = *n;
  out.kind = *kind;
  if (*kind != Number::Kind::Floating && n->provenance == Provenance::TensorFloat)
    out.provenance = Provenance::Varies;
  if (!n->known) {
    if (*kind != Number::Kind::Integer || n->kind != Number::Kind::Integer) {
      out.dim = {};
      out.source = nullptr;
    }
    if (out.among && (*kind != Number::Kind::Integer || !std::ranges::all_of(*out.among, [&](std::int64_t i) {
          return i >= 0 && i < std::int64_t{1} << (std::min(context.getIntWidth(to), 63U) - 1);
        })))
      out.among = nullptr;
    // A truth value as 0 or 1 and back is the same test (`__builtin_expect` takes a long).
    if (*kind == Number::Kind::Floating)
      out.test = nullptr;
    if (*kind == Number::Kind::Bool && !out.test && (n->source || n->dim.known()))
      out.test = dom.comparison(*this, clang::BO_NE, *n, Number::ofInteger(0));
    return *kind == Number::Kind::Floating ? Determination(*this).madeOf(out, {&v}) : Value(out);
  }
  if (*kind == Number::Kind::Bool) {
    out.integer = n->truth().value_or(false) ? 1 : 0;
    if (isOpen(*this, *n) && !n->test)
      out.test = dom.comparison(*this, clang::BO_NE, *n, Number::ofInteger(0));
  } else if (*kind == Number::Kind::Floating) {
    out.real = roundedTo(to, n->asReal());
  } else if (n->kind == Number::Kind::Floating) {
    if (!(std::abs(n->real) < 9.0e18))
      return Number::unknown(*kind, out.provenance);
    out.integer = static_cast<std::int64_t>(n->real);
  } else {
    to = to.getNonReferenceType();
    out.integer =
        ofWidth(n->integer, static_cast<unsigned>(context.getTypeSize(to)), to->isUnsignedIntegerOrEnumerationType());
  }
  return out;
}

/// \p v, which was read from the bit-field \p field: as many bits as that has.
static Value ofBitField(Machine &m, Value v, const clang::FieldDecl &field) {
  const Number *n = v.number();
  if (!n || n->kind != Number::Kind::Integer)
    return v;
  Number held = *n;
  if (!n->known) {
    held.among = nullptr;
    if (held.dim.known() && !fits(m, held.dim, field.getType(), field.getBitWidthValue())) {
      held.dim = {};
      held.source = nullptr;
    }
    return held;
  }
  held.integer = ofWidth(n->integer, field.getBitWidthValue(), field.getType()->isUnsignedIntegerOrEnumerationType());
  return held;
}

/// What is known of \p v, which was of the type \p from, as a number of another kind: large numbers without a sign are
/// held as negative ones.
static bool isTooLarge(const Value &v, clang::QualType from, clang::QualType to) {
  const Number *n = v.number();
  return n && n->known && n->kind == Number::Kind::Integer && n->integer < 0 &&
         from->isUnsignedIntegerOrEnumerationType() && to->isRealFloatingType();
}

/// The bytes of an object are looked at as those of another type.
static bool areOthers(clang::QualType held, clang::QualType wanted) {
  return !held.isNull() && !wanted.isNull() && numberKind(held) && numberKind(wanted) &&
         plainType(held) != plainType(wanted);
}

Value Machine::reinterpreted(const Value &v, clang::QualType pointee) {
  const Pointer *p = v.pointer();
  if (!p || pointee.isNull())
    return v;
  Pointer out = *p;
  for (Place &place : out.places)
    if (place.object && areOthers(typeOf(place), pointee)) {
      if (!place.path.empty() && !place.path.back().field && !place.path.back().key)
        place.path.back().index = Step::anyIndex; // it may reach into the next one
      place.path.push_back(Step::ofIndex(Step::anyIndex));
    }
  return out;
}

Value Machine::Operators::evalCast(const clang::CastExpr &e) {
  const clang::Expr *sub = e.getSubExpr();
  switch (e.getCastKind()) {
  case clang::CK_LValueToRValue: {
    Value v = openElement(m, *sub, m.load(m.lvalue(sub), &e, e.getType()));
    const clang::FieldDecl *bits = sub->getSourceBitField();
    return bits ? ofBitField(m, std::move(v), *bits) : v;
  }
  case clang::CK_ToVoid:
    if (sub->isGLValue() && !llvm::isa<clang::CallExpr>(sub->IgnoreParens()))
      m.lvalue(sub);
    else
      m.eval(sub);
    return Void{};
  case clang::CK_ArrayToPointerDecay:
    if (llvm::isa<clang::StringLiteral, clang::PredefinedExpr>(sub->IgnoreParens()))
      return m.eval(sub);
    return beginningOf(m, m.lvalue(sub), sub->getType());
  case clang::CK_NullToPointer:
  case clang::CK_NullToMemberPointer:
    return Null{};
  case clang::CK_IntegralCast:
  case clang::CK_IntegralToBoolean:
  case clang::CK_IntegralToFloating:
  case clang::CK_FloatingCast:
  case clang::CK_FloatingToIntegral:
  case clang::CK_FloatingToBoolean:
  case clang::CK_BooleanToSignedIntegral:
  case clang::CK_PointerToBoolean:
  case clang::CK_MemberPointerToBoolean: {
    const Value v = m.eval(sub);
    if (isTooLarge(v, sub->getType(), e.getType()))
      return m.unknown(e.getType(), "a number that is too large");
    return convertedInteger(m, v, sub->getType(), e.getType());
  }
  case clang::CK_NoOp:
  case clang::CK_ConstructorConversion:
  case clang::CK_UserDefinedConversion:
  case clang::CK_DerivedToBase:
  case clang::CK_UncheckedDerivedToBase:
  case clang::CK_BaseToDerived:
  case clang::CK_FunctionToPointerDecay:
  case clang::CK_BuiltinFnToFnPtr:
  case clang::CK_LValueBitCast:
  case clang::CK_AtomicToNonAtomic:
  case clang::CK_NonAtomicToAtomic:
    return m.eval(sub);
  case clang::CK_BitCast:
    return m.reinterpreted(m.eval(sub), e.getType()->getPointeeType());
  case clang::CK_Dynamic:
    return e.getType()->isPointerType() ? m.dynamicallyCast(m.eval(sub), e.getType()->getPointeeType()) : m.eval(sub);
  default: {
    // A pointer comes back from a number unseen.
    if (const Value v = m.eval(sub); v.pointer()) {
      m.dom.onLost(m, v, &e);
      Unseen(m).forget(v, m.reason("reached through a number"));
    }
    return m.unknown(e.getType(), "a conversion that is not followed");
  }
  }
}

bool Machine::moveEntry(Place &place, std::int64_t by) {
  Place whole = place;
  whole.path.pop_back();
  const Value held = peek(whole);
  const Map *map = held.map();
  if (!map || !map->complete)
    return false;
  auto entry = map->entries.end();
  if (isEntry(place.path.back())) {
    entry = map->entries.find(*place.path.back().key);
    if (entry == map->entries.end())
      return false;
  }
  for (; by != 0; by += by > 0 ? -1 : 1) {
    if (entry == (by > 0 ? map->entries.end() : map->entries.begin()))
      return false;
    std::advance(entry, by > 0 ? 1 : -1);
  }
  place.path.back() = entry == map->entries.end() ? endStep() : entryStep(entry->first);
  return true;
}

/// \p index moved \p by as many elements.
static std::int64_t movedIndex(Machine &m, std::int64_t index, const Value &by, int sign) {
  const Number *n = by.number();
  std::int64_t there = 0;
  if (n && n->known && index >= 0)
    return __builtin_add_overflow(index, sign * n->integer, &there) ? Step::anyIndex : there;
  if (n && n->known && n->integer == 0)
    return index;
  if (index == Step::anyIndex)
    return m.unknownIndex(Value());
  if (index < 0)
    return m.unknownIndex(by, std::to_string(index) + (sign < 0 ? " - " : " + "));
  if (!n || !n->dim.known())
    return m.unknownIndex(by,
                          index == 0 && sign > 0 ? std::string() : std::to_string(index) + (sign < 0 ? " - " : " + "));
  const Dim first = m.dims().constant(index);
  const Dim moved = sign < 0 ? m.dims().sub(first, n->dim) : m.dims().add(first, n->dim);
  return m.unknownIndex(Number::ofDim(moved, n->provenance));
}

Value Machine::offset(const Value &pointer, const Value &by, int sign) {
  const Pointer *p = pointer.pointer();
  if (!p) {
    // Into an array that nobody sees.
    return pointer;
  }
  const Number *n = by.number();
  Pointer out = *p;
  for (Place &place : out.places) {
    if (!place.path.empty() && (isEntry(place.path.back()) || isEnd(place.path.back()))) {
      if (!n || !n->known || !moveEntry(place, sign * n->integer)) {
        losePlaces(pointer);
        return Pointer::unknown();
      }
      continue;
    }
    if (place.path.empty() || place.path.back().field || place.path.back().key) {
      if (n && n->known && n->integer == 0)
        continue;
      losePlaces(pointer);
      if (!place.path.empty() && place.path.back().field) { // into its neighbours
        place.path.pop_back();
        losePlaces(Pointer::to(place));
      }
      return Pointer::unknown();
    }
    const std::int64_t index = place.path.back().index, moved = movedIndex(*this, index, by, sign);
    if (index >= 0 && moved < 0 && n && n->known && place.path.size() > 1 && !place.path[place.path.size() - 2].field) {
      losePlaces(pointer); // into the array in front of it
      place.path.pop_back();
      losePlaces(Pointer::to(place));
      return Pointer::unknown();
    }
    place.path.back().index = moved;
  }
  return out;
}

namespace {

Value floatingArithmetic(clang::BinaryOperatorKind op, const Number &x, const Number &y, clang::QualType type,
                         Provenance p) {
  if (!x.known || !y.known)
    return Number::unknown(Number::Kind::Floating, p);
  const double l = x.asReal();
  const double r = y.asReal();
  // Rounded once more a sum, a product or a quotient of floats is that of float.
  const auto of = [&](double v) { return Number::ofReal(roundedTo(type, v), p); };
  switch (op) {
  case clang::BO_Add:
    return of(l + r);
  case clang::BO_Sub:
    return of(l - r);
  case clang::BO_Mul:
    return of(l * r);
  case clang::BO_Div:
    return of(l / r);
  default:
    return Number::unknown(Number::Kind::Floating, p);
  }
}

/// Of two floats one is such that \p op leaves the other one, which is not known, as it is.
bool isNeutral(clang::BinaryOperatorKind op, const Number &x, const Number &y) {
  const auto is = [&](const Number &one, const Number &other, double neutral) {
    return one.known && !other.known && one.kind == Number::Kind::Floating && other.kind == one.kind &&
           one.real == neutral;
  };
  return (op == clang::BO_Add && (is(x, y, 0) || is(y, x, 0))) ||
         (op == clang::BO_Mul && (is(x, y, 1) || is(y, x, 1))) || (op == clang::BO_Sub && is(y, x, 0)) ||
         (op == clang::BO_Div && is(y, x, 1));
}

/// Nothing where it does not fit, or is not defined.
std::optional<std::int64_t> integerArithmetic(clang::BinaryOperatorKind op, std::int64_t l, std::int64_t r,
                                              bool isUnsigned) {
  std::int64_t out = 0;
  const bool byBits = isUnsigned && (l < 0 || r < 0);
  const bool shifts = r >= 0 && r <= 62;
  switch (op) {
  case clang::BO_Add:
    return __builtin_add_overflow(l, r, &out) ? std::nullopt : std::optional(out);
  case clang::BO_Sub:
    return __builtin_sub_overflow(l, r, &out) ? std::nullopt : std::optional(out);
  case clang::BO_Mul:
    return __builtin_mul_overflow(l, r, &out) ? std::nullopt : std::optional(out);
  case clang::BO_Div:
  case clang::BO_Rem:
    if (byBits || r == 0 || (l == std::numeric_limits<std::int64_t>::min() && r == -1))
      return std::nullopt;
    return op == clang::BO_Div ? l / r : l % r;
  case clang::BO_And:
    return l & r;
  case clang::BO_Or:
    return l | r;
  case clang::BO_Xor:
    return l ^ r;
  case clang::BO_Shl:
    return shifts && l >= 0 && l <= (std::numeric_limits<std::int64_t>::max() >> r) ? std::optional(l << r)
                                                                                    : std::nullopt;
  case clang::BO_Shr:
    return shifts && !byBits ? std::optional(l >> r) : std::nullopt;
  default:
    return std::nullopt;
  }
}

/// What \p op makes of \p l and \p r in a type of so many \p bits; nothing where it is not defined, or not told.
std::optional<std::int64_t> computed(clang::BinaryOperatorKind op, std::int64_t l, std::int64_t r, unsigned bits,
                                     bool isUnsigned) {
  constexpr unsigned widest = 64;
  const auto made = integerArithmetic(op, l, r, isUnsigned);
  if (!made || (isUnsigned && bits >= widest && *made < 0))
    return std::nullopt;
  const std::int64_t whole = ofWidth(*made, bits, isUnsigned);
  return isUnsigned || whole == *made ? std::optional(whole) : std::nullopt; // it does not overflow
}

/// None of the numbers that \p d is made of is below zero, as far as that is easily told.
bool isOfNoneBelowZero(Machine &m, Dim d) {
  const Dim only = m.signedNumbers().symbolIn(m.dims(), d);
  return m.signedNumbers().areSizes(m.dims(), d) ||
         (only.known() && m.signedNumbers().boundsOf(m.dims(), only).min >= 0);
}

/// Of what is not known as an expression over sizes.
Dim sizeArithmetic(Machine &m, clang::BinaryOperatorKind op, Dim l, Dim r) {
  DimTable &table = m.dims();
  switch (op) {
  case clang::BO_Add:
    return table.add(l, r);
  case clang::BO_Sub:
    return table.sub(l, r);
  case clang::BO_Mul:
    return table.mul(l, r);
  case clang::BO_Div:
  case clang::BO_Rem:
    // C++ rounds towards zero: the same for what is not negative, and is made of nothing that may be.
    if (const auto divisor = table.asConstant(r); l.known() && divisor && *divisor > 0 &&
                                                  m.signedNumbers().boundsOf(table, l).min >= 0 &&
                                                  isOfNoneBelowZero(m, l))
      return op == clang::BO_Div ? table.floorDiv(l, r) : table.mod(l, r);
    return {};
  default:
    return {};
  }
}

/// The largest distance from zero in \p i.
std::int64_t largest(Interval i) {
  constexpr std::int64_t endless = Interval().max;
  return std::max(i.max, i.min < -endless ? endless : -i.min);
}

/// What `l / r` and `l % r` may be, which is rounded towards zero.
Interval quotients(Interval l, Interval r) {
  const std::int64_t most = largest(l);
  if (r.min >= 0)
    return {l.min >= 0 ? 0 : l.min, l.max <= 0 ? 0 : l.max};
  return {-most, most};
}
Interval remainders(Interval l, Interval r) {
  const std::int64_t most = std::min(largest(l), std::max<std::int64_t>(largest(r) - 1, 0));
  return {l.min >= 0 ? 0 : -most, l.max <= 0 ? 0 : most};
}

/// What an operator may make of numbers of the \p type between \p l and \p r.
Interval rangeOfResult(clang::BinaryOperatorKind op, Interval l, Interval r, Interval ofType, bool isUnsigned) {
  constexpr std::int64_t endless = Interval().max;
  // The largest numbers without a sign are held as those below zero.
  const bool isAsHeld = !isUnsigned || (l.min >= 0 && r.min >= 0);
  Interval all = ofType;
  switch (op) {
  case clang::BO_Div:
    all = isAsHeld ? quotients(l, r) : ofType;
    break;
  case clang::BO_Rem:
    all = isAsHeld ? remainders(l, r) : r.min >= 1 ? Interval{0, r.max - 1} : ofType;
    break;
  case clang::BO_And:
    if (l.min >= 0 || r.min >= 0)
      all = {0, l.min < 0 ? r.max : r.min < 0 ? l.max : std::min(l.max, r.max)};
    break;
  case clang::BO_Or:
  case clang::BO_Xor:
    if (l.min >= 0 && r.min >= 0)
      all = {0, endless};
    break;
  case clang::BO_Shr:
    if (isAsHeld)
      all = {std::min<std::int64_t>(l.min, 0), std::max<std::int64_t>(l.max, l.min < 0 ? -1 : 0)};
    break;
  default:
    break;
  }
  return {std::max(all.min, ofType.min), std::min(all.max, ofType.max)};
}

} // namespace

/// `x & y`, `x | y` and `x ^ y` of two truth values, one of which is not known at least; nothing for others.
static std::optional<Number> ofTruths(Machine &m, clang::BinaryOperatorKind op, const Number &x, const Number &y) {
  const auto isTruth = [](const Number &n) {
    return n.known ? n.integer == 0 || n.integer == 1 : n.test && !n.dim.known() && !n.source && !n.among;
  };
  if ((op != clang::BO_And && op != clang::BO_Or && op != clang::BO_Xor) || x.kind == Number::Kind::Floating ||
      y.kind == Number::Kind::Floating || !isTruth(x) || !isTruth(y))
    return std::nullopt;
  Number n = x.known ? y : x;
  n.provenance = std::max(x.provenance, y.provenance);
  if (x.known || y.known) {
    const std::int64_t other = (x.known ? x : y).integer;
    if (op == clang::BO_Xor)
      n.test = other == 1 ? negated(n.test) : n.test;
    return op == clang::BO_Xor || other == (op == clang::BO_And ? 1 : 0) ? n : x.known ? x : y;
  }
  if (op == clang::BO_Xor) {
    n.test = m.domain().comparison(m, clang::BO_NE, x, y);
    return n.test ? std::optional(n) : std::nullopt;
  }
  n.test = op == clang::BO_And ? std::make_shared<const BothTest>(x.test, y.test)
                               : negated(std::make_shared<const BothTest>(negated(x.test), negated(y.test)));
  return n;
}

/// \p at is a call that takes positions of the library's classes, which are no pointers.
static bool isOfPositions(const clang::Expr *at) {
  const auto *call = llvm::dyn_cast_or_null<clang::CallExpr>(at);
  return call && call->getNumArgs() != 0 && call->getArg(0)->getType()->isRecordType();
}

bool Machine::isFirst(const Place &position) const {
  const Step *last = position.path.empty() ? nullptr : &position.path.back();
  const AskedPosition *known = last ? ofContainers.positionAt(*last) : nullptr;
  return last && !last->field && !last->key &&
         (last->index == 0 || (known && known->kind == AskedPosition::Kind::First));
}

std::optional<Value> Machine::Operators::distanceFromFirst(const Place &from, const Place &to) {
  if (!areBesideEachOther(from, to) || to.path.back().key || to.path.back().field)
    return std::nullopt;
  if (!m.isFirst(from))
    return std::nullopt;
  const AskedPosition *known = m.askedContainers().positionAt(to.path.back());
  const bool isToEnd = known && known->kind == AskedPosition::Kind::End;
  const Value size = isToEnd ? m.sizeOf(m.peek({to.object, {to.path.begin(), to.path.end() - 1}})) : Value();
  return size.number() && size.number()->dim.known() ? size : someCount(m, "distance");
}

Value Machine::arithmetic(unsigned opcode, const Value &a, const Value &b, clang::QualType type,
                          const clang::Expr *at) {
  const Number *x = a.number();
  const Number *y = b.number();
  const auto op = static_cast<clang::BinaryOperatorKind>(opcode);
  if (a.handle() || a.token() || a.datum() || b.handle() || b.token() || b.datum()) {
    if (auto v = dom.builtinOperator(*this, opcode, false, a, b, at))
      return *v;
    return unknown(type, "arithmetic on what is no number");
  }
  if (a.pointer() && y && (op == clang::BO_Add || op == clang::BO_Sub))
    return offset(a, b, op == clang::BO_Sub ? -1 : 1);
  if (b.pointer() && x && op == clang::BO_Add)
    return offset(b, a, 1);
  // Into an array that nobody sees: perhaps the element that is known, perhaps another one.
  if (const Value &base = a.symbol() ? a : b;
      base.symbol() && !type.isNull() && type->isPointerType() && (a.symbol() ? y != nullptr : x != nullptr)) {
    Pointer element = dereference(base, type->getPointeeType(), at);
    element.other = true;
    return element;
  }
  if (const Pointer *p = a.pointer(), *q = b.pointer(); p && q && op == clang::BO_Sub) {
    const Place *from = q->only();
    const Place *to = p->only();
    if (from && to && areBesideEachOther(*from, *to) && from->path.back().index >= 0 && to->path.back().index >= 0)
      return Number::ofInteger(to->path.back().index - from->path.back().index);
    // No position of a container is before its first one.
    if (from && to && isOfPositions(at))
      if (auto many = Operators(*this).distanceFromFirst(*from, *to))
        return *many;
    return unknown(type, "a distance that is not known");
  }
  if (const Place *from = b.pointer() && op == clang::BO_Sub && !x ? b.pointer()->only() : nullptr;
      from && isFirst(*from)) // in an array itself: a pointer may lead into the middle
    if (const clang::QualType whole = typeOf({from->object, {from->path.begin(), from->path.end() - 1}});
        !whole.isNull() && Places(*this).isSequence(whole))
      return someCount(*this, "distance");
  const auto kind = numberKind(type);
  if (!x || !y || !kind)
    return unknown(type, "arithmetic on what is not known");
  const Provenance p = std::max(x->provenance, y->provenance);
  if (*kind == Number::Kind::Floating || x->kind == Number::Kind::Floating || y->kind == Number::Kind::Floating)
    return way && *kind == Number::Kind::Floating && isNeutral(op, *x, *y) ? Value(x->known ? *y : *x)
                                                                           : floatingArithmetic(op, *x, *y, type, p);
  if (!x->known || !y->known)
    if (auto truth = ofTruths(*this, op, *x, *y)) {
      truth->kind = *kind;
      return *truth;
    }
  if ((!x->known || !y->known) && *kind != Number::Kind::Integer)
    return Number::unknown(*kind, p);
  if (!x->known || !y->known) {
    const Dim leftX = dom.leftByLoop(*x), leftY = dom.leftByLoop(*y);
    const Dim l = leftX.known() ? leftX : dimOf(*x), r = leftY.known() ? leftY : dimOf(*y);
    Dim made = sizeArithmetic(*this, op, l, r);
    // Whatever it comes to: it is the same of the same numbers.
    if (!made.known() && l.known() && r.known() && type->isIntegerType()) {
      const Dim both[] = {l, r};
      const Interval range = rangeOfResult(op, fromOutside.boundsOf(dimTable, l), fromOutside.boundsOf(dimTable, r),
                                           SignedNumbers::rangeOf(context, type), type->isUnsignedIntegerType());
      made = fromOutside.made(dimTable, clang::BinaryOperator::getOpcodeStr(op).str() + " " + type.getAsString(), both,
                              range, [=, width = context.getTypeSize(type)](std::span<const std::int64_t> parts) {
                                return computed(op, parts[0], parts[1], static_cast<unsigned>(width),
                                                type->isUnsignedIntegerType());
                              });
    }
    if (leftX.known() || leftY.known()) {
      Number open = Number::unknown(*kind, p);
      if (made.known() && !type->isUnsignedIntegerType())
        dom.identifyByLoop(open, made);
      return open;
    }
    const Number open = Number::ofDim(made, p);
    return type->isUnsignedIntegerType() ? wrapped(*this, open, made, type) : open;
  }
  const bool isUnsigned = type->isUnsignedIntegerType();
  const auto made = integerArithmetic(op, x->integer, y->integer, isUnsigned);
  const bool isWide = context.getTypeSize(type) >= 64;
  if (!made || (isUnsigned && isWide && *kind != Number::Kind::Bool && *made < 0))
    return Number::unknown(*kind, p);
  const std::int64_t whole = ofWidth(*made, static_cast<unsigned>(context.getTypeSize(type)), isUnsigned);
  Number n = Number::ofInteger(*kind == Number::Kind::Bool ? static_cast<std::int64_t>(*made != 0) : whole, p);
  n.kind = *kind;
  return openAs(*this, op, *x, *y, n);
}

Dim Machine::dimOf(const Number &n) {
  if (n.kind == Number::Kind::Floating)
    return {};
  return n.known ? dimTable.constant(n.integer) : n.dim;
}

Value Machine::Operators::evalLogical(const clang::BinaryOperator &e) {
  const bool isAnd = e.getOpcode() == clang::BO_LAnd;
  const Value a = m.convertNumber(m.eval(e.getLHS()), m.context.BoolTy);
  const Number *x = a.number();
  if (m.isDead)
    return m.unknown(e.getType(), "code that does not run");
  auto certain = x ? truthIn(m, *x) : std::nullopt;
  const bool mayDoMore = e.getRHS()->HasSideEffects(m.context);
  const std::shared_ptr<const Test> first = mayDoMore ? testOf(m, a, e.getLHS()) : x ? x->test : nullptr;
  if (!certain && first)
    certain = first->decided(m);
  if (certain) {
    const Provenance decides = x ? x->provenance : Provenance::Varies;
    if (*certain != isAnd)
      return x && x->known ? a : Value(Number::boolean(*certain, decides));
    Value b = m.convertNumber(m.eval(e.getRHS()), m.context.BoolTy);
    if (const Number *y = b.number()) {
      Number n = *y;
      n.provenance = std::max(n.provenance, decides);
      return n;
    }
    return b;
  }
  Value b;
  bool comes = false; // to the end of the second operand
  const auto second = [&] {
    b = m.convertNumber(m.eval(e.getRHS()), m.context.BoolTy);
    comes = !m.isDead;
  };
  const auto none = [] {};
  if (m.way) {
    const bool truth = m.way->choose(m, a, e.getLHS(), first.get());
    if (first)
      first->assume(m, truth);
    if (truth != isAnd)
      return Number::boolean(truth, Provenance::Varies);
    second();
    return b;
  }
  if (mayDoMore)
    isAnd ? Statements(m).follow({a, e.getLHS(), first, e.getLHS()}, second, none)
          : Statements(m).follow({a, e.getLHS(), first, e.getLHS()}, none, second);
  else
    m.fork(
        [&] {
          if (first)
            first->assume(m, isAnd);
          second();
        },
        none, {m.isDetermined(a), 0, {}, {}});
  if (!comes) // it was not asked for
    return Number::boolean(!isAnd, std::max(x ? x->provenance : Provenance::Literal, Provenance::Fixed));
  Number out = Number::unknown(Number::Kind::Bool);
  const Number *y = b.number();
  if (y && y->known && y->truth() == !isAnd)
    return Number::boolean(!isAnd, std::max(y->provenance, Provenance::Fixed));
  const std::shared_ptr<const Test> asked = x ? x->test : nullptr, then = y ? y->test : nullptr;
  if (asked || then) {
    // `a || b` is false where both are false.
    if (isAnd)
      out.test = std::make_shared<BothTest>(asked, then);
    else
      out.test = negated(std::make_shared<BothTest>(negated(asked), negated(then)));
  }
  return Determination(m).madeOf(out, {&a, &b});
}

Value Machine::Operators::evalUnary(const clang::UnaryOperator &e, Pointer *where) {
  const clang::Expr *sub = e.getSubExpr();
  switch (e.getOpcode()) {
  case clang::UO_AddrOf: {
    if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(sub->IgnoreParens())) {
      if (const auto *f = llvm::dyn_cast<clang::FunctionDecl>(ref->getDecl()))
        return callableOf(*f);
      if (const auto *f = llvm::dyn_cast<clang::FieldDecl>(ref->getDecl()))
        return Value(std::make_shared<const FieldPointer>(f));
    }
    if (e.getType()->isMemberPointerType())
      return m.unknown("a pointer to a member");
    return m.lvalue(sub);
  }
  case clang::UO_Deref:
    if (e.getType()->isFunctionType())
      return m.eval(sub);
    return m.load(Expressions(m).lvalueInner(&e), &e, e.getType());
  case clang::UO_Plus:
  case clang::UO_Extension:
    return m.eval(sub);
  case clang::UO_Minus:
  case clang::UO_Not: {
    const Value v = m.eval(sub);
    const Number *n = v.number();
    if (!n)
      return m.unknown(e.getType(), "arithmetic on what is not known");
    if (e.getOpcode() == clang::UO_Minus)
      return n->kind == Number::Kind::Floating && n->known
                 ? Value(Number::ofReal(-n->real, n->provenance))
                 : m.arithmetic(clang::BO_Sub, Number::ofInteger(0), v, e.getType(), &e);
    if (n->known && e.getType()->isIntegerType())
      return Number::ofInteger(
          ofWidth(~n->integer, m.context.getIntWidth(e.getType()), e.getType()->isUnsignedIntegerOrEnumerationType()),
          n->provenance);
    return m.arithmetic(clang::BO_Sub, Number::ofInteger(-1), v, e.getType(), &e);
  }
  case clang::UO_LNot: {
    const Value v = m.convertNumber(m.eval(sub), m.context.BoolTy);
    const Number *n = v.number();
    if (!n)
      return Number::unknown(Number::Kind::Bool);
    Number out = *n;
    out.kind = Number::Kind::Bool;
    if (n->known)
      out.integer = n->integer == 0 ? 1 : 0;
    out.test = negated(n->test);
    return out;
  }
  case clang::UO_PreInc:
  case clang::UO_PreDec:
  case clang::UO_PostInc:
  case clang::UO_PostDec: {
    const Pointer at = m.lvalue(sub);
    if (where)
      *where = at;
    // Counting a variable of the outside is a write; that it is read for it is no use.
    const Place *only = at.only();
    const Value old = only && only->object && m.objects[only->object.index()].storage != Storage::External
                          ? m.peek(*only, sub->getType())
                          : m.load(at, sub, sub->getType());
    const Value next =
        m.arithmetic(e.isIncrementOp() ? clang::BO_Add : clang::BO_Sub, old, Number::ofInteger(1), sub->getType(), &e);
    const Value now = convertedInteger(m, next, m.context.IntTy, sub->getType());
    m.store(at, now, &e);
    return e.isPrefix() ? now : old;
  }
  default:
    m.eval(sub);
    return m.unknown(e.getType(), "an operator that is not followed");
  }
}

Value Machine::Operators::evalBinary(const clang::BinaryOperator &e, Pointer *where) {
  const clang::BinaryOperatorKind op = e.getOpcode();
  if (op == clang::BO_LAnd || op == clang::BO_LOr)
    return evalLogical(e);
  if (op == clang::BO_Comma) {
    Statements(m).run(e.getLHS());
    return m.eval(e.getRHS());
  }
  if (op == clang::BO_Assign) {
    const Value v = m.eval(e.getRHS());
    const Pointer at = m.lvalue(e.getLHS());
    if (where)
      *where = at;
    if (!m.isDead)
      m.store(at, v, &e);
    return v;
  }
  if (e.isCompoundAssignmentOp()) {
    const Value by = m.eval(e.getRHS());
    const Pointer at = m.lvalue(e.getLHS());
    if (where)
      *where = at;
    if (m.isDead)
      return by;
    const Place *only = at.only();
    const Value old = only && only->object && m.objects[only->object.index()].storage != Storage::External
                          ? m.peek(*only, e.getLHS()->getType())
                          : m.load(at, e.getLHS(), e.getLHS()->getType());
    const auto &compound = llvm::cast<clang::CompoundAssignOperator>(e);
    Value v = m.arithmetic(clang::BinaryOperator::getOpForCompoundAssignment(op), old, by,
                           compound.getComputationResultType(), &e);
    v = convertedInteger(m, v, compound.getComputationResultType(), e.getLHS()->getType());
    m.store(at, v, &e);
    return v;
  }
  if (op == clang::BO_PtrMemD || op == clang::BO_PtrMemI)
    return e.isGLValue() ? m.load(m.lvalue(&e), &e, e.getType()) : m.unknown(e.getType(), "a pointer to a member");
  const Value a = m.eval(e.getLHS());
  const Value b = m.eval(e.getRHS());
  if (e.isComparisonOp())
    return Determination(m).madeOf(m.compare(op, a, b, &e), {&a, &b});
  return Determination(m).madeOf(m.arithmetic(op, a, b, e.getType(), &e), {&a, &b});
}

} // namespace condlint::cxx
