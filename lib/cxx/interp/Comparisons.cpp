//===- Comparisons.cpp - How the library orders the users' own ---------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Comparisons.h"
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
constexpr std::array<Ordered, 3> ordered{{{"std::set", 1}, {"std::multiset", 1}, {"std::priority_queue", 2}}};
constexpr std::array<std::string_view, 10> comparing{"insert", "emplace",  "push",        "pop",         "erase",
                                                     "find",   "contains", "lower_bound", "upper_bound", "count"};

/// What \p type, by which a container of \p element orders them, calls; absent for the library's own orders of numbers.
Value comparisonOf(Machine &m, clang::QualType type, clang::QualType element) {
  const clang::CXXRecordDecl *c = Machine::classOf(type);
  const std::string_view name = m.className(type);
  if (name == "std::less" || name == "std::greater")
    return ownOrder(m, element, name == "std::less" ? clang::OO_Less : clang::OO_Greater);
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

void compareHeld(Machine &m, Call &c, std::string_view cls) {
  const auto row = std::ranges::find(ordered, cls, &Ordered::name);
  if (row == ordered.end() || std::ranges::find(comparing, c.baseName()) == comparing.end())
    return;
  const clang::QualType element = typeArgument(c.self->type, 0);
  const Value held = m.peek(*c.self);
  const Value comparison = comparisonOf(m, typeArgument(c.self->type, row->comparison), element);
  const bool isEmpty = held.list() && held.list()->sized && held.list()->items.empty();
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
