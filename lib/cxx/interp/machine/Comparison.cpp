//===- Comparison.cpp - Comparisons of two values -------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../library/Comparisons.h"
#include "../library/LibraryClasses.h"
#include "../values/MapKeys.h"
#include "Machine.h"
#include "Operators.h"
#include "Places.h"
#include "Types.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <limits>

namespace condlint::cxx {

namespace {

bool isEquality(clang::BinaryOperatorKind op) { return op == clang::BO_EQ || op == clang::BO_NE; }

/// What `==` or `!=` says of two values of which it is known whether they are equal.
Number equalityIs(clang::BinaryOperatorKind op, bool equal, Provenance provenance = Provenance::Fixed) {
  return Number::boolean((op == clang::BO_EQ) == equal, provenance);
}

template <class T> bool holds(clang::BinaryOperatorKind op, T l, T r) {
  switch (op) {
  case clang::BO_EQ:
    return l == r;
  case clang::BO_NE:
    return l != r;
  case clang::BO_LT:
    return l < r;
  case clang::BO_GT:
    return l > r;
  case clang::BO_LE:
    return l <= r;
  default:
    return l >= r;
  }
}

/// The comparison \p at is one of numbers without a sign.
bool isUnsigned(const clang::Expr *at) {
  const auto *written = llvm::dyn_cast_or_null<clang::BinaryOperator>(at);
  return written && written->getLHS()->getType()->isUnsignedIntegerType();
}

/// The truth of a comparison of two numbers that are known.
bool holdsOf(clang::BinaryOperatorKind op, const Number &x, const Number &y, const clang::Expr *at) {
  if (x.kind == Number::Kind::Floating || y.kind == Number::Kind::Floating)
    return holds(op, x.asReal(), y.asReal());
  if (isUnsigned(at))
    return holds(op, static_cast<std::uint64_t>(x.integer), static_cast<std::uint64_t>(y.integer));
  return holds(op, x.integer, y.integer);
}

/// Whether it holds for each number that \p x and \p y may be, or for none.
std::optional<bool> holdsAmong(clang::BinaryOperatorKind op, const Number &x, const Number &y, const clang::Expr *at) {
  std::optional<bool> all;
  if (x.kind != Number::Kind::Integer || y.kind != Number::Kind::Integer || (!x.known && !x.among) ||
      (!y.known && !y.among))
    return all;
  const std::vector<std::int64_t> l = x.known ? std::vector{x.integer} : *x.among,
                                  r = y.known ? std::vector{y.integer} : *y.among;
  for (std::int64_t a : l)
    for (std::int64_t b : r) {
      const bool holds = holdsOf(op, Number::ofInteger(a), Number::ofInteger(b), at);
      if (all && *all != holds)
        return std::nullopt;
      all = holds;
    }
  return all;
}

/// The truth of a comparison of two sizes or numbers from outside, where it is the same for all of their values.
std::optional<bool> holdsOf(Machine &m, clang::BinaryOperatorKind op, const Dim &l, const Dim &r,
                            const clang::Expr *at) {
  if (!l.known() || !r.known())
    return std::nullopt;
  if (isEquality(op)) {
    const DimComparison c = m.signedNumbers().compare(m.dims(), l, r);
    if (c.result == DimComparison::Verdict::Proved)
      return op == clang::BO_EQ;
    if (c.result == DimComparison::Verdict::Refuted && c.always)
      return op == clang::BO_NE;
    return std::nullopt;
  }
  const Dim apart = m.dims().sub(l, r);
  const auto mayBeLargest = [&](Dim d) { return m.signedNumbers().boundsOf(m.dims(), d).min < 0; };
  const Interval d = isUnsigned(at) && (mayBeLargest(l) || mayBeLargest(r))
                         ? m.dims().boundsOf(apart)
                         : m.signedNumbers().boundsOf(m.dims(), apart);
  const bool less = op == clang::BO_LT || op == clang::BO_LE;
  // `l < r` is `d < 0`, `l <= r` is `d < 1`; their opposites are >= and >.
  const std::int64_t edge = op == clang::BO_LT || op == clang::BO_GE ? 0 : 1;
  if (d.max < edge)
    return less;
  if (d.min >= edge)
    return !less;
  // The least or the greatest of some is told from each of them: `std::max(n, k) < n`.
  const auto greater = [&](std::int64_t k) {
    return m.signedNumbers().extremum(m.dims(), apart, m.dims().constant(k), true);
  };
  if (!apart.known() || isUnsigned(at))
    return std::nullopt;
  if (greater(edge) == apart)
    return !less;
  return greater(edge - 1) == m.dims().constant(edge - 1) ? std::optional(less) : std::nullopt;
}

/// A position that pointer arithmetic can order: an element of an array or a list.
bool isElement(const Place &p) {
  return !p.path.empty() && !p.path.back().field && !p.path.back().key && p.path.back().index >= 0;
}

/// An object of the class shows elements that others may show, too.
bool isViewClass(std::string_view name) {
  return name == "std::basic_string_view" || name == "std::span" || name == "std::initializer_list";
}

/// Two positions of the same map.
bool areInOneMap(const Place &x, const Place &y) {
  return !x.path.empty() && x.path.back().key && y.path.back().key && areBesideEachOther(x, y);
}

/// How many entries of the key there are that the position \p at was found by, in a map from outside.
std::optional<Value> entriesAt(Machine &m, const Place &at) {
  if (!isEntry(at.path.back()) || at.path.back().hasUnknownKey())
    return std::nullopt;
  const Place whole{at.object, {at.path.begin(), at.path.end() - 1}};
  const Value held = m.peek(whole);
  const Map *map = held.map();
  const std::string &key = *at.path.back().key;
  if (map && (map->complete || !map->rest || map->entries.contains(key)))
    return std::nullopt;
  const clang::QualType type = m.typeOf(whole);
  if (type.isNull())
    return std::nullopt;
  return countOfKey(m, map ? Value(Symbol{map->rest}) : held, mapKeyValue(key), type);
}

/// What two positions in a container from outside that are not worked out say of it where they are equal.
std::optional<Value> comparedPositions(Machine &m, unsigned opcode, const Place &x, const Place &y,
                                       const clang::Expr *at) {
  using Kind = AskedPosition::Kind;
  const auto known = [&](const Place &place) { return m.askedContainers().positionAt(place.path.back()); };
  const Place whole{x.object, {x.path.begin(), x.path.end() - 1}};
  const AskedPosition end{AskedPosition::Kind::End, {}};
  const AskedPosition *a = isEnd(x.path.back()) ? &end : known(x), *b = isEnd(y.path.back()) ? &end : known(y);
  Value held = m.peek(whole);
  if (const List *list = held.list(); list && list->rest)
    held = Symbol{list->rest};
  if (!m.domain().relatesAnswers() || !a || !b || !held.symbol())
    return std::nullopt;
  if (x.path.back() == y.path.back())
    return equalityIs(static_cast<clang::BinaryOperatorKind>(opcode), true);
  if (b->kind != Kind::End)
    std::swap(a, b);
  if (b->kind != Kind::End)
    return std::nullopt;
  const auto many = a->kind == Kind::First ? m.sizeOf(held) : countOfKey(m, held, a->key, m.typeOf(whole));
  return many && many->number() ? std::optional(m.compare(opcode, *many, Number::ofInteger(0), at)) : std::nullopt;
}

} // namespace

bool Machine::areApart(const Pointer &p, const Pointer &q) {
  if (p.other || q.other || (p.mayBeNull && q.mayBeNull))
    return false;
  // An object that is given from outside, or stands for one that is not known, may be any of them.
  const auto isOwn = [&](const Place &place) {
    const ObjectId o = place.object;
    const Object &object = objects[o.index()];
    // The elements of a view are those of what it shows.
    if (!place.path.empty() && isViewClass(className(typeOf({o, {place.path.begin(), place.path.end() - 1}}))))
      return false;
    const Value &held = memory.get(o);
    if (object.decl && object.decl->getType()->isReferenceType())
      return false;
    switch (object.storage) {
    case Storage::Local:
    case Storage::Parameter:
    case Storage::Static:
    case Storage::Global:
      return true;
    case Storage::Heap:
      return held.handle() || held.token() || held.datum() ? dom.isOwn(*this, held) : !held.isAbsent();
    default:
      return false;
    }
  };
  return std::ranges::all_of(p.places, [&](const Place &x) {
    return isOwn(x) && std::ranges::all_of(q.places, [&](const Place &y) { return x.object != y.object && isOwn(y); });
  });
}

Value Machine::Operators::comparePointers(unsigned opcode, const Pointer &p, const Pointer &q, const clang::Expr *at) {
  const auto op = static_cast<clang::BinaryOperatorKind>(opcode);
  const Number open = Number::unknown(Number::Kind::Bool);
  if (isEquality(op) && m.areApart(p, q))
    return equalityIs(op, false);
  const Place *x = p.only();
  const Place *y = q.only();
  if (!x || !y || x->object != y->object || x->path.size() != y->path.size())
    return open;
  if (*x == *y && isEquality(op) && (x->path.empty() || x->path.back().index >= 0))
    return equalityIs(op, true);
  if (!x->path.empty() && !areBesideEachOther(*x, *y))
    return open;
  if (isEquality(op) && areInOneMap(*x, *y)) {
    // An entry that is there is neither another one nor the end.
    const auto isThere = [&](const Place &place) {
      Place next = place;
      return isEntry(place.path.back()) && m.moveEntry(next, 1);
    };
    if (isThere(*x) || isThere(*y))
      return equalityIs(op, false);
    if (auto said = comparedPositions(m, opcode, *x, *y, at))
      return *said;
    if (isEnd(x->path.back()) != isEnd(y->path.back()))
      if (const auto many = entriesAt(m, isEnd(x->path.back()) ? *y : *x))
        return m.compare(opcode, *many, Number::ofInteger(0), at);
    return open;
  }
  if (isEquality(op) && !x->path.empty())
    if (auto said = comparedPositions(m, opcode, *x, *y, at))
      return *said;
  if (!isElement(*x) || y->path.back().index < 0)
    return open;
  return compareNumbers(opcode, Number::ofInteger(x->path.back().index), Number::ofInteger(y->path.back().index), at);
}

/// An equality that asks the same as an order of numbers without a sign.
struct Equality {
  clang::BinaryOperatorKind op;
  std::int64_t constant;
};

/// Of a number without a sign `n > 0`, `n >= 1` ask whether it is 0, as `n != 0` does, and `n < npos` whether it is the
/// largest of 64 bits (here -1).
static std::optional<Equality> askedByOrder(clang::BinaryOperatorKind op, const Number &x, const Number &y,
                                            const clang::Expr *at) {
  if (x.known == y.known || !clang::BinaryOperator::isRelationalOp(op) || !isUnsigned(at))
    return std::nullopt;
  op = x.known ? clang::BinaryOperator::reverseComparisonOp(op) : op;
  const std::int64_t constant = x.known ? x.integer : y.integer;
  if (constant == 0 && (op == clang::BO_GT || op == clang::BO_LE))
    return Equality{op == clang::BO_GT ? clang::BO_NE : clang::BO_EQ, 0};
  if (constant == 1 && (op == clang::BO_GE || op == clang::BO_LT))
    return Equality{op == clang::BO_GE ? clang::BO_NE : clang::BO_EQ, 0};
  if (constant == -1 && (op == clang::BO_LT || op == clang::BO_GE))
    return Equality{op == clang::BO_LT ? clang::BO_NE : clang::BO_EQ, -1};
  return std::nullopt;
}

/// No number without a sign is greater than the largest of 64 bits (here -1).
static std::optional<bool> besideLargest(clang::BinaryOperatorKind op, const Number &x, const Number &y,
                                         const clang::Expr *at) {
  if (x.known == y.known || !isUnsigned(at) || (x.known ? x : y).integer != -1)
    return std::nullopt;
  op = x.known ? clang::BinaryOperator::reverseComparisonOp(op) : op;
  return op == clang::BO_GT ? std::optional(false) : op == clang::BO_LE ? std::optional(true) : std::nullopt;
}

/// \p n of the comparison \p at as a number with a sign in the same order: those that have none there are the largest
/// one.
static Number inOrder(Machine &m, Number n, const clang::Expr *at) {
  if (n.known && n.integer < 0 && isUnsigned(at))
    n.integer = std::numeric_limits<std::int64_t>::max();
  else if (!n.known && isUnsigned(at))
    n.dim = m.askedTexts().inOrder(m.dims(), m.signedNumbers(), n.dim);
  return n;
}

Number Machine::Operators::compareNumbers(unsigned opcode, const Number &x, const Number &y, const clang::Expr *at) {
  const auto op = static_cast<clang::BinaryOperatorKind>(opcode);
  const Provenance provenance = std::max(x.provenance, y.provenance);
  const bool areTruths = isEquality(op) && x.test && y.test;
  const bool isNamed = x.source || y.source || x.dim.known() || y.dim.known() || areTruths;
  if (x.known && y.known) {
    Number known = Number::boolean(holdsOf(op, x, y, at), provenance);
    if (isNamed)
      known.test = m.dom.comparison(m, opcode, x, y);
    return known;
  }
  if (const auto always = besideLargest(op, x, y, at))
    return Number::boolean(*always, provenance);
  if (const auto same = askedByOrder(op, x, y, at))
    return compareNumbers(same->op, x.known ? y : x, Number::ofInteger(same->constant, provenance), at);
  const bool isOrder = clang::BinaryOperator::isRelationalOp(op);
  auto always = holdsOf(m, op, m.dimOf(isOrder ? inOrder(m, x, at) : x), m.dimOf(isOrder ? inOrder(m, y, at) : y), at);
  if (!always)
    always = holdsAmong(op, x, y, at);
  if (always) {
    if (isNamed)
      m.dom.comparison(m, opcode, x, y); // it may say more of the number
    return Number::boolean(*always, provenance);
  }
  Number open = Number::unknown(Number::Kind::Bool, provenance);
  if (isNamed)
    open.test = m.dom.comparison(m, opcode, inOrder(m, x, at), inOrder(m, y, at));
  // A truth value that is compared with one that is known.
  if (const Number &truth = x.known ? y : x, &fixed = x.known ? x : y;
      isEquality(op) && !open.test && truth.test && fixed.known && (fixed.integer == 0 || fixed.integer == 1))
    open.test = (op == clang::BO_EQ) == (fixed.integer == 1) ? truth.test : negated(truth.test);
  return open;
}

Value Machine::compare(unsigned opcode, const Value &a, const Value &b, const clang::Expr *at) {
  const auto op = static_cast<clang::BinaryOperatorKind>(opcode);
  const Number open = Number::unknown(Number::Kind::Bool);
  if (a.handle() || a.token() || a.datum() || b.handle() || b.token() || b.datum()) {
    auto v = dom.builtinOperator(*this, opcode, false, a, b, at);
    return v ? std::move(*v) : open;
  }
  if (op == clang::BO_Cmp) { // an order, not a truth
    const auto order = a.number() && b.number() ? orderOf(*this, a, b, {}, at) : std::nullopt;
    return order ? Value(Number::ofInteger(*order, Provenance::Fixed)) : open;
  }
  const Pointer *p = a.pointer();
  const Pointer *q = b.pointer();
  if (isEquality(op) && (a.isNull() || b.isNull())) {
    if (a.isNull() && b.isNull())
      return equalityIs(op, true);
    const Pointer *other = p ? p : q;
    const bool isSomething = other ? !other->mayBeNull && !other->other : false;
    return isSomething || a.callable() || b.callable() || a.text() || b.text() ? equalityIs(op, false) : open;
  }
  if (p && q)
    return Operators(*this).comparePointers(opcode, *p, *q, at);
  const auto *written = llvm::dyn_cast_or_null<clang::BinaryOperator>(at);
  const bool isOfPointers = written && written->getLHS()->getType()->isPointerType();
  if (const std::string *s = a.text(), *t = b.text(); s && t && isEquality(op) && !isOfPointers)
    return equalityIs(op, *s == *t);
  if (a.text() && b.text() && isOfPointers)
    return determined(open); // where they lie
  return a.number() && b.number() ? Operators(*this).compareNumbers(opcode, *a.number(), *b.number(), at) : open;
}

} // namespace condlint::cxx
