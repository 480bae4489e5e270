//===- Comparisons.cpp - How the library orders the users' own ---------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Comparisons.h"
#include "AssumedTrips.h"
#include "Types.h"
#include <algorithm>
#include <array>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclFriend.h>

namespace condlint::cxx {

Value ownOrder(Machine &m, clang::QualType element, clang::OverloadedOperatorKind kind) {
  const clang::CXXRecordDecl *c = Machine::classOf(element);
  if (!c || !c->hasDefinition() || c->isInStdNamespace())
    return {};
  const clang::DeclarationName name = m.ast().DeclarationNames.getCXXOperatorName(kind);
  const auto isOne = [&](const clang::FunctionDecl &f) {
    const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&f);
    return f.hasBody() && f.getNumParams() == (method && method->isInstance() ? 1U : 2U) &&
           Machine::classOf(f.getParamDecl(0)->getType()) == c;
  };
  const clang::FunctionDecl *found = nullptr;
  const clang::DeclContext *const scopes[] = {c, c->getDeclContext()->getRedeclContext()};
  for (const clang::DeclContext *scope : scopes)
    for (const clang::NamedDecl *d : scope->lookup(name))
      if (const auto *f = llvm::dyn_cast<clang::FunctionDecl>(d); f && !found && isOne(*f))
        found = f;
  // One that is only declared as a friend is found by its class alone.
  for (const clang::FriendDecl *d : c->friends())
    if (const auto *f = llvm::dyn_cast_or_null<clang::FunctionDecl>(d->getFriendDecl());
        f && !found && f->getDeclName() == name && isOne(*f))
      found = f;
  return found ? Value(Callable{found, {}, {}}) : Value();
}

namespace {

/// The containers that compare what they hold, and which of their types does it.
struct Ordered {
  std::string_view name;
  unsigned comparison;
};
constexpr std::array<Ordered, 9> ordered{{{"std::set", 1},
                                          {"std::multiset", 1},
                                          {"std::priority_queue", 2},
                                          {"std::map", 2},
                                          {"std::multimap", 2},
                                          {"std::unordered_set", 2},
                                          {"std::unordered_multiset", 2},
                                          {"std::unordered_map", 3},
                                          {"std::unordered_multimap", 3}}};
constexpr std::array<std::string_view, 14> comparing{
    "insert",      "emplace",     "push",  "pop",        "erase", "find",        "contains",
    "lower_bound", "upper_bound", "count", "operator[]", "at",    "try_emplace", "insert_or_assign"};

/// What \p type, by which a container of \p element orders them, calls; absent for the library's own orders of numbers.
Value comparisonOf(Machine &m, clang::QualType type, clang::QualType element) {
  const clang::CXXRecordDecl *c = Machine::classOf(type);
  const std::string_view name = m.className(type);
  if (name == "std::less" || name == "std::greater" || name == "std::equal_to")
    return ownOrder(m, element,
                    name == "std::less"      ? clang::OO_Less
                    : name == "std::greater" ? clang::OO_Greater
                                             : clang::OO_EqualEqual);
  if (type.isNull() || (c && c->isInStdNamespace() && name != "std::function"))
    return {};
  if (!c || c->isInStdNamespace())
    return m.unknown("a comparison that is not known");
  Record r;
  r.type = c;
  r.restReason = m.reason("what a comparison holds");
  return r;
}

} // namespace

/// The compiler writes the operator of the class \p element for \p kind: field by field.
static bool isDefaulted(Machine &m, clang::QualType element, clang::OverloadedOperatorKind kind) {
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

KeyOrder::KeyOrder(Machine &machine, clang::QualType map)
    : m(machine), key(typeArgument(map, 0)),
      isSorted(m.className(map) == "std::map" || m.className(map) == "std::multimap") {
  const clang::QualType comparison = typeArgument(map, isSorted ? 2 : 3);
  const auto isOperator = [&](std::string_view name) { return m.className(comparison) == name; };
  if (isOperator("std::less") || isOperator("std::equal_to")) {
    const auto kind = isSorted ? clang::OO_Less : clang::OO_EqualEqual;
    isByField = isDefaulted(m, key, kind) || isDefaulted(m, key, clang::OO_Spaceship);
    if (!isByField)
      own = ownOrder(m, key, kind);
  } else {
    own = comparisonOf(m, comparison, key);
  }
}

std::optional<int> KeyOrder::compare(const Value &a, const Value &b, int byFields, const clang::Expr *at) const {
  if (isByField)
    return byFields;
  if (own.isAbsent())
    return std::nullopt;
  const auto holds = [&](const Value &x, const Value &y) -> std::optional<bool> {
    std::vector<Argument> both(2);
    both[0].value = x;
    both[1].value = y;
    both[0].type = both[1].type = key;
    const Value v = m.invoke(own, std::move(both), at);
    return v.number() ? v.number()->truth() : std::nullopt;
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
  const std::string_view name = comparison.isNull() ? "std::less" : m.className(comparison);
  const Value own = comparison.isNull() ? ownOrder(m, element) : comparisonOf(m, comparison, element);
  if (own.isAbsent()) {
    const auto order = orderOf(m, a, b, element, at);
    if (!order || (name != "std::less" && name != "std::greater"))
      return std::nullopt;
    return name == "std::less" ? *order < 0 : *order > 0;
  }
  std::vector<Argument> both(2);
  both[0].value = a;
  both[1].value = b;
  both[0].type = both[1].type = element;
  const Value v = m.invoke(own, std::move(both), at);
  return v.number() ? v.number()->truth() : std::nullopt;
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
  if (!l || !r || !l->sized || !r->sized || l->open || r->open)
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

void compareHeld(Machine &m, Call &c, std::string_view cls) {
  const auto row = std::ranges::find(ordered, cls, &Ordered::name);
  if (row == ordered.end() || std::ranges::find(comparing, c.baseName()) == comparing.end())
    return;
  const clang::QualType element = typeArgument(c.self->type, 0);
  const Value held = m.peek(*c.self);
  const Value comparison = comparisonOf(m, typeArgument(c.self->type, row->comparison), element);
  if (cls == "std::priority_queue" && held.list() && held.list()->sized)
    return; // its elements are put in order one by one
  if (held.map() && held.map()->complete && Machine::classOf(element))
    return; // its keys are told apart one by one
  const bool isEmpty = (held.list() && held.list()->sized && held.list()->items.empty()) ||
                       (held.map() && held.map()->complete && held.map()->entries.empty());
  if (comparison.isAbsent() || isEmpty)
    return;
  const bool given = !c.arguments.empty() && m.className(c.arguments.front().type) == m.className(element);
  const Value any = m.unknown(element, "an element of a container");
  std::vector<Argument> both(2);
  both[0].value = given ? m.load(c.arguments.front()) : any;
  both[1].value = held.list() ? m.part(held, Step::ofIndex(-1), element) : any;
  both[0].type = both[1].type = element;
  m.invoke(comparison, std::move(both), c.expr);
}

} // namespace condlint::cxx
