//===- Comparisons.cpp - How the library orders the users' own ------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Comparisons.h"
#include "../machine/AssumedTrips.h"
#include "../machine/Types.h"
#include "LibraryClasses.h"
#include <algorithm>
#include <array>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclFriend.h>

namespace condlint::cxx {

Value compared(Machine &m, const Value &function, const Value &a, const Value &b, clang::QualType type,
               const clang::Expr *at) {
  return m.invoke(function, {{nullptr, type, a, std::nullopt}, {nullptr, type, b, std::nullopt}}, at);
}

namespace {

/// An object of the class \p type, by which a container works, of which nobody knows what it holds.
Value objectOf(Machine &m, clang::QualType type) {
  const clang::CXXRecordDecl *c = Machine::classOf(type);
  if (!c || m.className(type) == "std::function")
    return m.unknown("a comparison that is not known");
  Record r;
  r.type = c;
  r.restReason = m.reason("what a comparison holds");
  return r;
}

/// The library's own function objects compare as operators do: which one; nothing for others.
std::optional<clang::BinaryOperatorKind> operatorOf(std::string_view cls) {
  if (cls == "std::less")
    return clang::BO_LT;
  if (cls == "std::greater")
    return clang::BO_GT;
  if (cls == "std::less_equal")
    return clang::BO_LE;
  if (cls == "std::greater_equal")
    return clang::BO_GE;
  if (cls == "std::equal_to")
    return clang::BO_EQ;
  return std::nullopt;
}

/// Whether \p comparison, by which the library orders two of the \p type or tells them apart, holds of \p a and \p b,
/// run as somebody wrote it; absent where nobody did. Null is \p usual.
Value heldBetween(Machine &m, clang::QualType comparison, clang::BinaryOperatorKind usual, const Value &a,
                  const Value &b, clang::QualType type, const clang::Expr *at) {
  const std::string_view name = comparison.isNull() ? std::string_view() : m.className(comparison);
  const auto op = comparison.isNull() ? std::optional(usual) : operatorOf(name);
  if (op)
    return applyOwn(m, *op, {nullptr, type, a, std::nullopt}, {nullptr, type, b, std::nullopt}, at).value_or(Value());
  const clang::CXXRecordDecl *c = Machine::classOf(comparison);
  if (c && !isOfTheProgram(m, c) && name != "std::function")
    return {};
  return compared(m, objectOf(m, comparison), a, b, type, at);
}

/// The compiler writes the operator of the class \p element for \p kind: field by field.
bool isDefaulted(Machine &m, clang::QualType element, clang::OverloadedOperatorKind kind) {
  const clang::CXXRecordDecl *c = Machine::classOf(element);
  if (!c || !c->hasDefinition())
    return false;
  const clang::DeclarationName name = m.ast().DeclarationNames.getCXXOperatorName(kind);
  const auto isOne = [&](const clang::NamedDecl *d) {
    const auto *f = llvm::dyn_cast_or_null<clang::FunctionDecl>(d);
    return f && f->getDeclName() == name && f->isDefaulted();
  };
  return std::ranges::any_of(c->lookup(name), isOne) ||
         std::ranges::any_of(c->friends(), [&](const clang::FriendDecl *d) { return isOne(d->getFriendDecl()); });
}

} // namespace

KeysBy keysBy(Machine &m, clang::QualType container) {
  const LibraryClass *row = libraryClass(m.className(container));
  const unsigned at = !row ? 0 : row->compares.order != 0 ? row->compares.order : row->compares.equality;
  const clang::QualType comparison = at != 0 ? typeArgument(container, at) : clang::QualType();
  if (comparison.isNull()) // another library's, that is like one
    return KeysBy::Themselves;
  const auto op = operatorOf(m.className(comparison));
  return op == clang::BO_LT || op == clang::BO_EQ ? KeysBy::Themselves
         : op == clang::BO_GT                     ? KeysBy::Reversed
                                                  : KeysBy::Own;
}

std::optional<Value> countOfKey(Machine &m, const Value &whole, const Value &key, clang::QualType container) {
  // What a key that is put in looks at may change.
  if (container.isNull() || keysBy(m, container) == KeysBy::Own || key.viewed())
    return std::nullopt;
  return askCount(m, whole, key, typeArgument(container, 0),
                  isLibraryClass(m.className(container), LibraryClass::Multi));
}

std::optional<Value> askedOfKey(Machine &m, Call &c, std::string_view name, const Value &whole, const Value &key) {
  const bool asks = name == "count" || name == "contains" || name == "find";
  const auto many = asks ? countOfKey(m, whole, key, c.self->type) : std::nullopt;
  if (!many || name == "count")
    return many;
  if (name == "contains")
    return m.compare(clang::BO_NE, *many, Number::ofInteger(0), c.expr);
  return m.placeOf(*c.self).then(Step::ofIndex(m.positionIndex({AskedPosition::Kind::OfKey, key})));
}

KeyOrder::KeyOrder(Machine &machine, clang::QualType map)
    : m(machine), key(typeArgument(map, 0)), isSorted(isOrdered(m.className(map))) {
  comparison = typeArgument(map, isSorted ? 2 : 3);
  const std::string_view name = comparison.isNull() ? std::string_view() : m.className(comparison);
  if (name == "std::less" || name == "std::equal_to")
    isByField = isDefaulted(m, key, isSorted ? clang::OO_Less : clang::OO_EqualEqual) ||
                isDefaulted(m, key, clang::OO_Spaceship);
}

std::optional<int> KeyOrder::compare(const Value &a, const Value &b, int byFields, const clang::Expr *at) const {
  if (isByField)
    return byFields;
  const auto holds = [&](const Value &x, const Value &y) {
    return isSorted ? comesBefore(m, comparison, key, x, y, at)
                    : truthOf(heldBetween(m, comparison, clang::BO_EQ, x, y, key, at));
  };
  const auto there = holds(a, b);
  if (!isSorted)
    return there ? std::optional(*there ? 0 : 1) : std::nullopt;
  if (there && *there)
    return -1;
  const auto back = there ? holds(b, a) : std::nullopt;
  return back ? std::optional(*back ? 1 : 0) : std::nullopt;
}

std::optional<bool> comesBefore(Machine &m, clang::QualType comparison, clang::QualType element, const Value &a,
                                const Value &b, const clang::Expr *at) {
  if (const Value own = heldBetween(m, comparison, clang::BO_LT, a, b, element, at); !own.isAbsent())
    return truthOf(own);
  const std::string_view name = comparison.isNull() ? "std::less" : m.className(comparison);
  const auto order = name == "std::less" || name == "std::greater" ? orderOf(m, a, b, element, at) : std::nullopt;
  if (!order)
    return std::nullopt;
  return name == "std::less" ? *order < 0 : *order > 0;
}

std::optional<int> orderOf(Machine &m, const Value &a, const Value &b, clang::QualType type, const clang::Expr *at) {
  if (const Number *x = a.number(), *y = b.number(); x && y) {
    if (!x->known || !y->known || isOpen(m, *x) || isOpen(m, *y))
      return std::nullopt;
    if (x->kind == Number::Kind::Floating || y->kind == Number::Kind::Floating)
      return x->asReal() < y->asReal() ? -1 : x->asReal() > y->asReal() ? 1 : 0;
    return x->integer < y->integer ? -1 : x->integer > y->integer ? 1 : 0;
  }
  if (a.text() && b.text())
    return a.text()->compare(*b.text());
  const List *l = a.list(), *r = b.list();
  if (!l || !r || !l->isComplete() || !r->isComplete())
    return std::nullopt;
  const std::string_view cls = m.className(type);
  const bool isTuple = cls == "std::tuple" || cls == "std::pair";
  for (std::size_t i = 0; i < std::min(l->items.size(), r->items.size()); ++i) {
    const clang::QualType part = typeArgument(type, isTuple ? static_cast<unsigned>(i) : 0);
    const auto held = [&](const Value &v) {
      return v.pointer() && !part.isNull() && part->isReferenceType()
                 ? m.load(*v.pointer(), at, part.getNonReferenceType())
                 : v;
    };
    const auto one = orderOf(m, held(l->items[i]), held(r->items[i]), part, at);
    if (!one || *one != 0)
      return one;
  }
  return l->items.size() < r->items.size() ? -1 : l->items.size() > r->items.size() ? 1 : 0;
}

//===----------------------------------------------------------------------===//
// Containers
//===----------------------------------------------------------------------===//

namespace {

constexpr std::array<std::string_view, 18> looking{
    "insert",      "emplace",     "emplace_hint", "try_emplace", "insert_or_assign", "operator[]", "at",
    "push",        "pop",         "erase",        "find",        "contains",         "count",      "lower_bound",
    "upper_bound", "equal_range", "extract",      "merge"};

class Lookup {
public:
  Lookup(Machine &machine, Call &call, const LibraryClass &how)
      : m(machine), c(call), row(how), whole(call.self ? call.self->type : call.type), key(typeArgument(whole, 0)) {}

  void run() {
    const Value held = c.self ? m.peek(*c.self) : Value();
    const std::vector<Value> given = keysGiven();
    const bool isOwn = comparesByOwnCode();
    const Value any = isOwn ? anyKey(held) : Value();
    const bool isAlone = !isOwn || (isEmpty(held) && given.size() < 2) || comparesLater(held);
    for (std::size_t i = 0; i < given.size() && !m.dead(); ++i) {
      if (row.compares.hash != 0)
        hash(given[i]);
      if (!isAlone)
        compare(given[i], c.self && !isEmpty(held) ? any : given[i == 0 ? given.size() - 1 : i - 1]);
    }
    // It orders anew what it holds.
    if (isOwn && c.self && !isEmpty(held) && !comparesLater(held) && (c.baseName() == "pop" || c.baseName() == "merge"))
      compare(any, any);
  }

private:
  bool isMap() const { return row.form == LibraryClass::Form::Map; }
  bool isKey(clang::QualType type) const {
    return !type.isNull() && !key.isNull() &&
           m.ast().hasSameUnqualifiedType(type.getNonReferenceType(), key.getNonReferenceType());
  }
  static bool isEmpty(const Value &held) {
    return (held.list() && held.list()->sized && held.list()->items.empty()) ||
           (held.map() && held.map()->complete && held.map()->entries.empty());
  }
  /// What follows the method compares one by one: the elements of a queue, keys to tell them apart.
  bool comparesLater(const Value &held) const {
    if (row.has(LibraryClass::Heap))
      return held.list() && held.list()->sized;
    const std::string_view name = c.baseName();
    return held.map() && held.map()->complete && Machine::classOf(key) && name != "extract" && name != "merge" &&
           name != "equal_range" && name != "lower_bound" && name != "upper_bound";
  }
  clang::QualType comparison() const {
    return typeArgument(whole, row.compares.order != 0 ? row.compares.order : row.compares.equality);
  }
  /// Somebody's code may run where two keys are compared. What the library does with numbers and pointers is no such.
  bool comparesByOwnCode() const {
    const clang::QualType by = comparison();
    const bool isPlain = !key.isNull() && (numberKind(key) || key->isPointerType());
    return !isPlain || (!by.isNull() && !operatorOf(m.className(by)));
  }
  Value anyKey(const Value &held) const {
    return held.list() && !isMap() ? m.part(held, Step::ofIndex(-1), key) : m.unknown(key, "an element of a container");
  }
  /// The key in \p v, an element or a key.
  Value keyIn(const Value &v) const {
    const List *pair = isMap() ? v.list() : nullptr;
    return pair && pair->sized && pair->items.size() == 2 && m.className(key) != "std::pair" ? pair->items[0] : v;
  }
  /// What the call puts in or looks for, as far as that is known.
  std::vector<Value> keysGiven() {
    std::vector<Value> keys;
    const std::string_view name = c.baseName();
    const Value unknown = m.unknown(key, "an element of a container");
    for (std::size_t i = 0; i < c.arguments.size() && keys.empty() && !c.arguments[i].isDefault; ++i) {
      const Argument &a = c.arguments[i];
      const Value v = m.peek(a);
      const std::string_view cls = m.className(a.type);
      if (cls == "std::initializer_list")
        for (const Value &one : m.elements(v).value_or(std::vector<Value>{unknown, unknown}))
          keys.push_back(keyIn(one));
      else if (isKey(a.type))
        keys.push_back(v);
      else if (cls == "std::pair" && isMap())
        keys.push_back(keyIn(v));
      else if (isPosition(a))
        keys = inRange(i, unknown);
      else if (c.self && name != "erase" && name != "extract" && name != "merge")
        keys.push_back(unknown); // made of something else
    }
    return keys;
  }
  bool isPosition(const Argument &a) const {
    return (a.expr && a.expr->getType()->isPointerType()) ||
           m.className(a.type).find("iterator") != std::string_view::npos;
  }
  /// From the argument \p i to the next one; a position by itself is a hint, or what is erased.
  std::vector<Value> inRange(std::size_t i, const Value &unknown) {
    if (i + 1 >= c.arguments.size() || !isPosition(c.arguments[i + 1]) || c.baseName() == "erase")
      return {};
    const Value first = m.peek(c.arguments[i]);
    const Pointer at = first.pointer() ? m.dereference(first, key, c.expr) : Pointer();
    return std::vector<Value>(2, at.only() ? keyIn(m.peek(*at.only(), key)) : unknown);
  }

  void hash(const Value &v) {
    const clang::QualType type = typeArgument(whole, row.compares.hash);
    if (isOfTheProgram(m, Machine::classOf(type)) || m.className(type) == "std::function")
      m.invoke(objectOf(m, type), {argument(v)}, c.expr);
  }
  void compare(const Value &a, const Value &b) { heldBetween(m, comparison(), clang::BO_LT, a, b, key, c.expr); }
  Argument argument(const Value &v) const {
    Argument a;
    a.value = v;
    a.type = key;
    return a;
  }

  Machine &m;
  Call &c;
  const LibraryClass &row;
  clang::QualType whole, key;
};

} // namespace

void compareHeld(Machine &m, Call &c, std::string_view cls) {
  const LibraryClass *row = libraryClass(cls);
  if (!row || !row->compares.any() || (c.self && std::ranges::find(looking, c.baseName()) == looking.end()))
    return;
  Lookup(m, c, *row).run();
}

} // namespace condlint::cxx
