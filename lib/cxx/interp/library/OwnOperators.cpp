//===- OwnOperators.cpp - Operators of the program's own classes ----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OwnOperators.h"
#include "../machine/Parts.h"
#include "../machine/Types.h"
#include "LibraryClasses.h"
#include <algorithm>
#include <array>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclFriend.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>
#include <span>

namespace condlint::cxx {

namespace {

constexpr unsigned deepest = 6; ///< of parts within one another

/// The class and its bases.
std::vector<const clang::CXXRecordDecl *> withBases(const clang::CXXRecordDecl &c) {
  constexpr std::size_t most = 32;
  std::vector<const clang::CXXRecordDecl *> all{c.getDefinition()};
  for (std::size_t i = 0; i < all.size() && all.size() < most; ++i)
    for (const clang::CXXBaseSpecifier &base : all[i]->bases())
      if (const clang::CXXRecordDecl *b = base.getType()->getAsCXXRecordDecl(); b && b->hasDefinition())
        all.push_back(b->getDefinition());
  return all;
}

/// Looks for the binary operator \p name among the members, friends and neighbours of a class.
class OperatorSearch {
public:
  explicit OperatorSearch(clang::DeclarationName operatorName) : name(operatorName) {}

  void lookIn(const clang::CXXRecordDecl &of) {
    const clang::DeclContext *const scopes[] = {&of, of.getDeclContext()->getRedeclContext()};
    for (const clang::DeclContext *scope : scopes)
      for (const clang::NamedDecl *d : scope->lookup(name))
        consider(*d, of);
    // One that is only declared as a friend is found by its class alone.
    for (const clang::FriendDecl *d : of.friends())
      if (const clang::NamedDecl *inner = d->getFriendDecl(); inner && inner->getDeclName() == name)
        consider(*inner, of);
  }
  const clang::FunctionDecl *found = nullptr;
  bool isOpen = false; ///< there is a template that may be it

private:
  void consider(const clang::NamedDecl &d, const clang::CXXRecordDecl &of) {
    const clang::NamedDecl &under = *d.getUnderlyingDecl();
    if (const auto *f = llvm::dyn_cast<clang::FunctionDecl>(&under); f && isOne(*f, of)) {
      if (!found || (!found->hasBody() && f->hasBody()))
        found = f;
    } else if (const auto *t = llvm::dyn_cast<clang::FunctionTemplateDecl>(&under)) {
      const clang::SourceManager &sources = t->getASTContext().getSourceManager();
      isOpen = isOpen || !sources.isInSystemHeader(t->getLocation());
    }
  }
  static bool isOne(const clang::FunctionDecl &f, const clang::CXXRecordDecl &of) {
    const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&f);
    if (f.isDeleted())
      return false;
    if (method && method->isInstance())
      return f.getNumParams() == 1;
    const clang::CXXRecordDecl *first =
        f.getNumParams() == 2 ? Machine::classOf(f.getParamDecl(0)->getType()) : nullptr;
    return first && first->getCanonicalDecl() == of.getCanonicalDecl();
  }

  clang::DeclarationName name;
};

/// The operators by which a class says what \p op is, the first that it has.
std::span<const clang::OverloadedOperatorKind> spellingsOf(clang::BinaryOperatorKind op) {
  using enum clang::OverloadedOperatorKind;
  static constexpr std::array less{OO_Less, OO_Spaceship}, greater{OO_Greater, OO_Spaceship},
      lessEqual{OO_LessEqual, OO_Spaceship}, greaterEqual{OO_GreaterEqual, OO_Spaceship},
      unequal{OO_ExclaimEqual, OO_EqualEqual};
  static constexpr std::array equal{OO_EqualEqual};
  static constexpr std::array order{OO_Spaceship, OO_Less};
  static constexpr std::array<clang::OverloadedOperatorKind, 5> others{OO_Plus, OO_Minus, OO_Star, OO_Slash,
                                                                       OO_Percent};
  switch (op) {
  case clang::BO_LT:
    return less;
  case clang::BO_GT:
    return greater;
  case clang::BO_LE:
    return lessEqual;
  case clang::BO_GE:
    return greaterEqual;
  case clang::BO_NE:
    return unequal;
  case clang::BO_EQ:
    return equal;
  case clang::BO_Cmp:
    return order;
  case clang::BO_Add:
    return std::span(others).subspan(0, 1);
  case clang::BO_Sub:
    return std::span(others).subspan(1, 1);
  case clang::BO_Mul:
    return std::span(others).subspan(2, 1);
  case clang::BO_Div:
    return std::span(others).subspan(3, 1);
  case clang::BO_Rem:
    return std::span(others).subspan(4, 1);
  default:
    return {};
  }
}

/// The parts of a \p type of the library by which two of them are compared: with -1 all elements are one kind.
std::vector<std::pair<Step, clang::QualType>> comparedParts(Machine &m, clang::QualType type) {
  const LibraryClass *known = libraryClass(m.className(type));
  std::vector<std::pair<Step, clang::QualType>> parts;
  if (!known || !known->has(LibraryClass::ComparedByPart))
    return parts;
  if (known->form == LibraryClass::Form::Parts)
    for (unsigned i = 0; i < typeArgumentCount(type); ++i)
      parts.emplace_back(Step::ofIndex(i), typeArgument(type, i));
  else
    parts.emplace_back(Step::ofIndex(known->form == LibraryClass::Form::Optional ? 0 : -1), typeArgument(type, 0));
  return parts;
}

bool isEmptyList(const Value &v) { return v.list() && v.list()->sized && v.list()->items.empty(); }

std::optional<Value> apply(Machine &m, clang::BinaryOperatorKind op, const Argument &a, const Argument &b,
                           const clang::Expr *site, unsigned depth);

/// Part by part, as the library does it for its own classes, and the compiler for an operator that is defaulted.
std::optional<Value> applyToParts(Machine &m, clang::BinaryOperatorKind op, const Argument &a, const Argument &b,
                                  std::span<const std::pair<Step, clang::QualType>> parts, const clang::Expr *site,
                                  unsigned depth) {
  bool any = false;
  for (const auto &[step, type] : parts)
    if (!m.dead() && apply(m, op, partOf(m, a, step, type), partOf(m, b, step, type), site, depth + 1))
      any = true;
  return any ? std::optional<Value>(Number::unknown(Number::Kind::Bool)) : std::nullopt;
}

std::optional<Value> apply(Machine &m, clang::BinaryOperatorKind op, const Argument &a, const Argument &b,
                           const clang::Expr *site, unsigned depth) {
  const clang::CXXRecordDecl *c = Machine::classOf(a.type);
  if (!c && depth == 0) { // the interpreter's own calls give values without a type
    const Value held = m.peek(a);
    c = held.record() ? held.record()->type : nullptr;
  }
  if (!c || !c->hasDefinition() || depth > deepest)
    return std::nullopt;
  if (!Machine::classOf(a.type)) {
    Argument typed = a;
    typed.type = m.ast().getCanonicalTagType(c);
    return apply(m, op, typed, b, site, depth + 1);
  }
  if (!isOfTheProgram(m, c)) {
    if (!clang::BinaryOperator::isComparisonOp(op) || isEmptyList(m.peek(a)))
      return std::nullopt;
    return applyToParts(m, op, a, b, comparedParts(m, a.type), site, depth);
  }
  for (const clang::OverloadedOperatorKind kind : spellingsOf(op)) {
    const Value own = ownOperator(m, a.type, kind);
    if (own.isAbsent())
      continue;
    if (const Callable *f = own.callable(); f && f->function->isDefaulted()) {
      std::vector<std::pair<Step, clang::QualType>> fields;
      for (const clang::CXXRecordDecl *base : withBases(*c))
        for (const clang::FieldDecl *field : base->fields())
          fields.emplace_back(Step::ofField(field), field->getType());
      return applyToParts(m, op, a, b, fields, site, depth);
    }
    const bool isDenied = op == clang::BO_NE && kind == clang::OO_EqualEqual;
    const bool isOrder = kind == clang::OO_Spaceship || op == clang::BO_Cmp;
    const Value answer = m.invoke(own, {a, b}, site);
    const Number *n = answer.number();
    if (isOrder || (isDenied && !(n && n->known)))
      return Number::unknown(Number::Kind::Bool);
    return isDenied ? Value(Number::boolean(n->integer == 0, n->provenance)) : answer;
  }
  return std::nullopt;
}

} // namespace

bool isOfTheProgram(Machine &m, const clang::CXXRecordDecl *c) {
  if (!c || !c->hasDefinition())
    return false;
  static constexpr std::array<std::string_view, 6> others{
      "std::", "__gnu_cxx::", "at::", "c10::", "torch::", "nvinfer1::"};
  const std::string_view name = m.qualifiedName(*c);
  const bool isLibrary = std::ranges::any_of(others, [&](std::string_view space) { return name.starts_with(space); });
  // A specialisation that the program adds to the library: `template <> struct std::hash<Key>`.
  return !isLibrary || (llvm::isa<clang::ClassTemplateSpecializationDecl>(c) &&
                        !m.ast().getSourceManager().isInSystemHeader(c->getDefinition()->getLocation()));
}

Value ownOperator(Machine &m, clang::QualType type, clang::OverloadedOperatorKind kind) {
  const clang::CXXRecordDecl *c = Machine::classOf(type);
  if (!isOfTheProgram(m, c))
    return {};
  OperatorSearch search(m.ast().DeclarationNames.getCXXOperatorName(kind));
  for (const clang::CXXRecordDecl *of : withBases(*c))
    if (!search.found)
      search.lookIn(*of);
  if (search.found)
    return Callable{search.found, {}, {}};
  return search.isOpen ? m.unknown("an operator that is a template") : Value();
}

std::optional<Value> applyOwn(Machine &m, clang::BinaryOperatorKind op, const Argument &a, const Argument &b,
                              const clang::Expr *site) {
  return apply(m, op, a, b, site, 0);
}

//===----------------------------------------------------------------------===//
// What is not followed
//===----------------------------------------------------------------------===//

namespace {

/// The class \p c has an operator of its own that somebody wrote.
bool hasOperators(Machine &m, const clang::CXXRecordDecl &c) {
  const auto isOperator = [&](const clang::Decl &d) {
    const clang::FunctionDecl *f = d.getAsFunction();
    if (!f || f->isImplicit() || f->isDefaulted() || f->isDeleted())
      return false;
    if (llvm::isa<clang::CXXConversionDecl>(f))
      return true;
    const clang::OverloadedOperatorKind kind = f->getOverloadedOperator();
    return kind != clang::OO_None && kind != clang::OO_Equal && kind != clang::OO_New && kind != clang::OO_Delete;
  };
  for (const clang::CXXRecordDecl *of : withBases(c)) {
    if (std::ranges::any_of(of->decls(), [&](const clang::Decl *d) { return isOperator(*d); }))
      return true;
    for (const clang::FriendDecl *d : of->friends())
      if (d->getFriendDecl() && isOperator(*d->getFriendDecl()))
        return true;
  }
  using enum clang::OverloadedOperatorKind;
  const clang::QualType type = m.ast().getCanonicalTagType(&c);
  return std::ranges::any_of(std::array{OO_Less, OO_Greater, OO_EqualEqual, OO_Spaceship, OO_Plus, OO_Star, OO_Minus},
                             [&](const auto kind) { return !ownOperator(m, type, kind).isAbsent(); });
}

bool reachesOperators(Machine &m, clang::QualType type, unsigned depth) {
  constexpr unsigned furthest = 4;
  if (type.isNull() || depth > furthest)
    return false;
  type = type.getNonReferenceType();
  if (type->isPointerType())
    return depth <= 1 && reachesOperators(m, type->getPointeeType(), depth + 1);
  const clang::CXXRecordDecl *c = type->getAsCXXRecordDecl();
  if (!c || !c->hasDefinition())
    return false;
  if (isOfTheProgram(m, c))
    return hasOperators(m, *c);
  if (!c->isInStdNamespace() && !m.className(type).starts_with("__gnu_cxx::"))
    return false;
  for (unsigned i = 0; i < typeArgumentCount(type); ++i)
    if (reachesOperators(m, typeArgument(type, i), depth + 1))
      return true;
  return false;
}

} // namespace

bool mayCallOperators(Machine &m, const Call &c) {
  return std::ranges::any_of(c.arguments,
                             [&](const Argument &a) { return !a.isDefault && reachesOperators(m, a.type, 0); });
}

} // namespace condlint::cxx
