//===- Types.cpp - Questions about C++ types ------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Types.h"
#include "../values/MapKeys.h"
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <fmt/format.h>

namespace condlint::cxx {

clang::QualType plainType(clang::QualType t) {
  return t.isNull() ? t : t.getNonReferenceType().getCanonicalType().getUnqualifiedType();
}

Value typeInfo(clang::QualType t) { return Value::text(fmt::format("type {}", fmt::ptr(plainType(t).getTypePtr()))); }

std::optional<Number::Kind> numberKind(clang::QualType type) {
  if (type.isNull())
    return std::nullopt;
  type = type.getNonReferenceType().getCanonicalType();
  if (type->isBooleanType())
    return Number::Kind::Bool;
  if (type->isIntegralOrEnumerationType())
    return Number::Kind::Integer;
  if (type->isRealFloatingType())
    return Number::Kind::Floating;
  return std::nullopt;
}

namespace {

const clang::ClassTemplateSpecializationDecl *specialisation(clang::QualType type) {
  if (type.isNull())
    return nullptr;
  return llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
      type.getNonReferenceType()->getAsCXXRecordDecl());
}

/// Calls \p f with each argument, packs flattened, until it returns true.
template <class F> void eachArgument(const clang::TemplateArgumentList &list, F f) {
  for (const clang::TemplateArgument &a : list.asArray()) {
    if (a.getKind() == clang::TemplateArgument::Pack) {
      for (const clang::TemplateArgument &b : a.pack_elements())
        if (f(b))
          return;
    } else if (f(a)) {
      return;
    }
  }
}

} // namespace

clang::QualType typeArgument(clang::QualType type, unsigned i) {
  clang::QualType found;
  if (const auto *s = specialisation(type)) {
    unsigned at = 0;
    eachArgument(s->getTemplateArgs(), [&](const clang::TemplateArgument &a) {
      if (a.getKind() != clang::TemplateArgument::Type)
        return false;
      if (at++ != i)
        return false;
      found = a.getAsType();
      return true;
    });
  }
  return found;
}

unsigned typeArgumentCount(clang::QualType type) {
  unsigned count = 0;
  if (const auto *s = specialisation(type))
    eachArgument(s->getTemplateArgs(), [&](const clang::TemplateArgument &a) {
      count += a.getKind() == clang::TemplateArgument::Type ? 1U : 0U;
      return false;
    });
  return count;
}

std::optional<std::int64_t> integerArgument(const clang::NamedDecl &d, unsigned i) {
  const clang::TemplateArgumentList *list = nullptr;
  if (const auto *s = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&d))
    list = &s->getTemplateArgs();
  else if (const auto *f = llvm::dyn_cast<clang::FunctionDecl>(&d))
    list = f->getTemplateSpecializationArgs();
  std::optional<std::int64_t> found;
  if (list) {
    unsigned at = 0;
    eachArgument(*list, [&](const clang::TemplateArgument &a) {
      if (at++ != i)
        return false;
      if (a.getKind() == clang::TemplateArgument::Integral && a.getAsIntegral().isRepresentableByInt64())
        found = a.getAsIntegral().getExtValue();
      return true;
    });
  }
  return found;
}

clang::QualType partType(clang::ASTContext &ast, clang::QualType whole, const Step &step) {
  if (step.field)
    return step.field->getType();
  if (whole.isNull())
    return {};
  whole = whole.getNonReferenceType();
  if (const clang::ArrayType *array = ast.getAsArrayType(whole))
    return array->getElementType();
  if (isEntry(step)) {
    // The type of a map's entries is a typedef in it.
    if (const auto *map = whole->getAsCXXRecordDecl())
      for (const clang::NamedDecl *d : map->lookup(&ast.Idents.get("value_type")))
        if (const auto *t = llvm::dyn_cast<clang::TypedefNameDecl>(d))
          return t->getUnderlyingType().getCanonicalType();
    return {};
  }
  if (step.key)
    return typeArgument(whole, 1);
  const auto *s = specialisation(whole);
  if (!s)
    return {};
  const llvm::StringRef name = s->getName();
  if (name == "pair" || name == "tuple")
    return step.index >= 0 ? typeArgument(whole, static_cast<unsigned>(step.index)) : clang::QualType();
  return typeArgument(whole, 0);
}

double roundedTo(clang::QualType type, double v) {
  return !type.isNull() && type.getNonReferenceType()->isSpecificBuiltinType(clang::BuiltinType::Float)
             ? static_cast<double>(static_cast<float>(v))
             : v;
}

Value callableOf(const clang::FunctionDecl &f) {
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&f);
  if (!method || !method->isLambdaStaticInvoker())
    return Callable{&f, {}, {}};
  Record lambda;
  lambda.type = method->getParent();
  return lambda;
}

std::optional<std::int64_t> partCount(clang::ASTContext &ast, clang::QualType whole) {
  if (whole.isNull())
    return std::nullopt;
  whole = whole.getNonReferenceType();
  if (const clang::ConstantArrayType *array = ast.getAsConstantArrayType(whole))
    return static_cast<std::int64_t>(array->getSize().getLimitedValue());
  const auto *s = specialisation(whole);
  if (!s || !s->isInStdNamespace())
    return std::nullopt;
  const llvm::StringRef name = s->getName();
  if (name == "pair" || name == "tuple")
    return typeArgumentCount(whole);
  return name == "array" ? integerArgument(*s, 1) : std::nullopt;
}

clang::QualType pointeeType(clang::QualType type) {
  if (type.isNull())
    return {};
  type = type.getNonReferenceType();
  if (clang::QualType p = type->getPointeeType(); !p.isNull())
    return p;
  return typeArgument(type, 0);
}

bool isTextType(clang::QualType t) {
  if (t.isNull())
    return false;
  t = t.getNonReferenceType();
  const clang::CXXRecordDecl *record = t->getAsCXXRecordDecl();
  const bool isClass = record && record->getIdentifier() &&
                       (record->getName() == "basic_string" || record->getName() == "basic_string_view");
  const clang::QualType character = isClass              ? typeArgument(t, 0)
                                    : t->isPointerType() ? t->getPointeeType()
                                                         : clang::QualType();
  return !character.isNull() && (character->isSpecificBuiltinType(clang::BuiltinType::Char_S) ||
                                 character->isSpecificBuiltinType(clang::BuiltinType::Char_U));
}

std::string qualifiedNameOf(const clang::NamedDecl &d) {
  std::string name = d.getDeclName().isIdentifier() ? d.getName().str() : d.getDeclName().getAsString();
  // A constructor is called like its class, without the template arguments.
  if (const auto *ctor = llvm::dyn_cast<clang::CXXConstructorDecl>(&d))
    name = ctor->getParent()->getName().str();
  for (const clang::DeclContext *c = d.getDeclContext(); c && !c->isTranslationUnit(); c = c->getParent()) {
    if (const auto *ns = llvm::dyn_cast<clang::NamespaceDecl>(c)) {
      if (ns->isInline() || ns->isAnonymousNamespace())
        continue;
      name = ns->getName().str() + "::" + name;
    } else if (const auto *record = llvm::dyn_cast<clang::RecordDecl>(c)) {
      name = (record->getName().empty() ? "(unnamed)" : record->getName().str()) + "::" + name;
    } else if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(c)) {
      name = function->getNameAsString() + "::" + name;
    }
  }
  return name;
}

} // namespace condlint::cxx
