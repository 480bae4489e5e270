//===- Builders.cpp - The functions of a unit that build -------------------- -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Builders.h"
#include "../interp/machine/StmtWalk.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>

namespace condlint::cxx {

namespace {

const clang::FunctionDecl *definitionOf(const clang::FunctionDecl *f) {
  const clang::FunctionDecl *definition = nullptr;
  return f && f->hasBody(definition) ? definition : nullptr;
}

/// What bodies call, and whether they build.
class BodyScan {
public:
  explicit BodyScan(TensorRtClasses &classes) : cls(classes) {}
  bool builds = false;
  llvm::SmallSetVector<const clang::FunctionDecl *, 16> callees;

  void scan(const clang::Stmt *code) {
    forEachStatement(code, [this](const clang::Stmt &s) { visit(s); });
  }

private:
  void visit(const clang::Stmt &s) {
    switch (s.getStmtClass()) {
    case clang::Stmt::DeclRefExprClass:
      return note(llvm::dyn_cast<clang::FunctionDecl>(llvm::cast<clang::DeclRefExpr>(s).getDecl()));
    case clang::Stmt::MemberExprClass:
      return note(llvm::dyn_cast<clang::FunctionDecl>(llvm::cast<clang::MemberExpr>(s).getMemberDecl()));
    case clang::Stmt::CXXConstructExprClass:
    case clang::Stmt::CXXTemporaryObjectExprClass:
      return note(llvm::cast<clang::CXXConstructExpr>(s).getConstructor());
    // In a generic lambda what is called may still depend on its arguments.
    case clang::Stmt::UnresolvedMemberExprClass:
      return maybe(llvm::cast<clang::UnresolvedMemberExpr>(s).getMemberName());
    case clang::Stmt::CXXDependentScopeMemberExprClass:
      return maybe(llvm::cast<clang::CXXDependentScopeMemberExpr>(s).getMember());
    default:
      return;
    }
  }
  void maybe(clang::DeclarationName name) {
    if (name.isIdentifier() && name.getAsIdentifierInfo() &&
        name.getAsIdentifierInfo()->getName() == "addIfConditional")
      builds = true;
  }
  void note(const clang::FunctionDecl *f) {
    if (!f)
      return;
    const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(f);
    if (method && method->isInstance() && method->getDeclName().isIdentifier()) {
      const EntityKind entityKind = cls.of(method->getParent());
      const llvm::StringRef name = method->getName();
      const bool adds =
          name.starts_with("add") && (entityKind == EntityKind::Network || entityKind == EntityKind::Conditional ||
                                      entityKind == EntityKind::Loop);
      builds = builds || adds || (entityKind == EntityKind::Layer && name == "setInput") ||
               (entityKind == EntityKind::Conditional && name == "setCondition");
      if (entityKind != EntityKind::None)
        return;
    }
    if (const clang::FunctionDecl *definition = definitionOf(f))
      callees.insert(definition);
    else
      callees.insert(f->getCanonicalDecl());
  }
  TensorRtClasses &cls;
};

} // namespace

bool Builders::isOwn(const clang::FunctionDecl &f) { return filter.needsBody(f, context.getSourceManager()); }

bool Builders::leads(const clang::FunctionDecl *f) const {
  const clang::FunctionDecl *definition = definitionOf(f);
  return definition && leading.contains(definition);
}

void Builders::visit(const clang::FunctionDecl *f) {
  if (!f->isThisDeclarationADefinition() || f->isDependentContext() || f->isDeleted() || f->isDefaulted() ||
      !f->getBody() || !isOwn(*f) || !seen.insert(f).second)
    return;
  all.push_back(f);
  BodyScan scan(cls);
  if (const auto *ctor = llvm::dyn_cast<clang::CXXConstructorDecl>(f))
    for (const clang::CXXCtorInitializer *init : ctor->inits())
      scan.scan(init->getInit());
  scan.scan(f->getBody());
  if (scan.builds)
    direct.push_back(f);
  for (const clang::FunctionDecl *callee : scan.callees)
    if (callee != f)
      callers[callee].insert(f);
}

void Builders::walk(const clang::DeclContext &at, unsigned depth) {
  constexpr unsigned deepest = 64;
  if (depth > deepest)
    return;
  const clang::SourceManager &sm = context.getSourceManager();
  // What a shared preamble holds is library code: it is not loaded for this.
  for (const clang::Decl *d : at.noload_decls()) {
    // What stands in a system header is nobody's own.
    if (d->getLocation().isValid() && sm.isInSystemHeader(d->getLocation()))
      continue;
    if (const auto *f = llvm::dyn_cast<clang::FunctionDecl>(d)) {
      visit(f);
    } else if (const auto *t = llvm::dyn_cast<clang::FunctionTemplateDecl>(d)) {
      if (t->isThisDeclarationADefinition() || t->isFirstDecl())
        for (const clang::FunctionDecl *instance : t->specializations())
          if (const clang::FunctionDecl *definition = definitionOf(instance))
            visit(definition);
    } else if (const auto *c = llvm::dyn_cast<clang::ClassTemplateDecl>(d)) {
      if (c->isFirstDecl())
        for (const clang::ClassTemplateSpecializationDecl *instance : c->specializations())
          walk(*instance, depth + 1);
    } else if (const auto *inner = llvm::dyn_cast<clang::DeclContext>(d)) {
      if (llvm::isa<clang::NamespaceDecl, clang::CXXRecordDecl, clang::LinkageSpecDecl>(d))
        walk(*inner, depth + 1);
    }
  }
}

Builders::Builders(clang::ASTContext &ast, const SourceOptions &options, TensorRtClasses &classes)
    : context(ast), filter(options), cls(classes) {
  // Without this name nobody builds. What a preamble holds is looked up on demand.
  if (!ast.getExternalSource() && ast.Idents.find("INetworkDefinition") == ast.Idents.end())
    return;
  walk(*ast.getTranslationUnitDecl(), 0);
  std::vector<const clang::FunctionDecl *> todo = direct;
  leading.insert(direct.begin(), direct.end());
  while (!todo.empty()) {
    const clang::FunctionDecl *f = todo.back();
    todo.pop_back();
    if (const auto known = callers.find(f); known != callers.end())
      for (const clang::FunctionDecl *caller : known->second)
        if (leading.insert(caller).second)
          todo.push_back(caller);
  }
  for (const clang::FunctionDecl *f : all) {
    const auto known = callers.find(f);
    if (leading.contains(f) && (known == callers.end() || known->second.empty()))
      first.push_back(f);
  }
  // A constructor may be called by what the library does, a method by an object that
  // another root makes: those come last, and only if nobody ran them.
  const auto rank = [](const clang::FunctionDecl *f) {
    return llvm::isa<clang::CXXConstructorDecl>(f) ? 2 : llvm::isa<clang::CXXMethodDecl>(f) ? 1 : 0;
  };
  std::ranges::stable_sort(first, {}, rank);
}

} // namespace condlint::cxx
