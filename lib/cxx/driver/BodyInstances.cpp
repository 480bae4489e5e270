//===- BodyInstances.cpp - What templates became for one body -------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BodyInstances.h"
#include "../interp/machine/StmtWalk.h"
#include <algorithm>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <llvm/ADT/STLExtras.h>
#include <utility>

namespace condlint::cxx {

namespace {

/// The function that \p s names or calls, by its definition where there is one; null: it names none.
const clang::FunctionDecl *usedBy(const clang::Stmt &s) {
  const clang::Decl *d = nullptr;
  if (const auto *named = llvm::dyn_cast<clang::DeclRefExpr>(&s))
    d = named->getDecl();
  else if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(&s))
    d = member->getMemberDecl();
  else if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(&s))
    d = made->getConstructor();
  const auto *function = llvm::dyn_cast_or_null<clang::FunctionDecl>(d);
  const clang::FunctionDecl *definition = function != nullptr ? function->getDefinition() : nullptr;
  return definition != nullptr ? definition : function;
}

bool isOfLambda(const clang::FunctionDecl &f) {
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&f);
  return method != nullptr && method->getParent()->isLambda();
}

/// Looks for a class among the types of template arguments.
class ClassSearch : public clang::DynamicRecursiveASTVisitor {
public:
  explicit ClassSearch(const std::function<bool(const clang::TagDecl &)> &w) : wanted(w) {}

  bool VisitTagType(clang::TagType *type) override {
    const clang::TagDecl &d = *type->getDecl();
    if (wanted(d))
      return false;
    const auto *made = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&d);
    return made == nullptr || lacks(made->getTemplateArgs().asArray());
  }

  bool lacks(llvm::ArrayRef<clang::TemplateArgument> arguments) {
    return std::ranges::all_of(arguments, [&](const clang::TemplateArgument &a) {
      // What an alias stands for is what counts.
      return a.getKind() == clang::TemplateArgument::Type   ? TraverseType(a.getAsType().getCanonicalType())
             : a.getKind() == clang::TemplateArgument::Pack ? lacks(a.getPackAsArray())
                                                            : TraverseTemplateArgument(a);
    });
  }

private:
  const std::function<bool(const clang::TagDecl &)> &wanted;
};

/// Gives what is written in the bodies and initializers of a declaration.
class Code : public clang::DynamicRecursiveASTVisitor {
public:
  explicit Code(const std::function<void(const clang::Stmt *)> &v) : visit(v) {}

  bool TraverseStmt(clang::Stmt *root) override {
    visit(root);
    return true;
  }

private:
  const std::function<void(const clang::Stmt *)> &visit;
};

} // namespace

BodyInstances::BodyInstances(std::vector<clang::Decl *> &d, Test project, Test body)
    : declarations(d), isOfProject(std::move(project)), isInBody(std::move(body)) {}

bool BodyInstances::isInstance(const clang::FunctionDecl &f) const {
  const clang::FunctionDecl *pattern = f.getTemplateInstantiationPattern();
  return pattern != nullptr && isOfProject(*pattern);
}

/// Within the body, or within what is there for it alone.
bool BodyInstances::standsWithin(const clang::DeclContext *context) const {
  for (; context != nullptr && !context->isFileContext(); context = context->getParent()) {
    if (const auto *f = llvm::dyn_cast<clang::FunctionDecl>(context); f != nullptr && own.contains(f))
      return true;
    if (context->isRecord() && isInBody(*llvm::cast<clang::Decl>(context)))
      return true;
  }
  return false;
}

bool BodyInstances::mentionsBody(llvm::ArrayRef<clang::TemplateArgument> arguments) const {
  const std::function<bool(const clang::TagDecl &)> isWithin = [this](const clang::TagDecl &d) {
    return isInBody(d) || standsWithin(d.getDeclContext());
  };
  return !ClassSearch(isWithin).lacks(arguments);
}

bool BodyInstances::isOfBody(const clang::FunctionDecl &f) const {
  if (standsWithin(f.getDeclContext()))
    return true;
  if (const clang::TemplateArgumentList *arguments = f.getTemplateSpecializationArgs();
      arguments != nullptr && mentionsBody(arguments->asArray()))
    return true;
  const auto *of = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(f.getDeclContext());
  return of != nullptr && mentionsBody(of->getTemplateArgs().asArray());
}

/// Adds the instances that \p code uses, and what these use.
void BodyInstances::follow(const clang::Stmt *code, Functions &out) const {
  std::vector<const clang::Stmt *> open{code};
  while (!open.empty()) {
    const clang::Stmt *next = open.back();
    open.pop_back();
    forEachStatement(next, [&](const clang::Stmt &s) {
      const clang::FunctionDecl *f = usedBy(s);
      if (f != nullptr && isInstance(*f) && out.insert(f).second)
        open.push_back(f->getBody());
    });
  }
}

bool BodyInstances::collect(const clang::FunctionDecl &function) {
  for (bool isMore = true; isMore;) { // what is made for a lambda may have lambdas of its own
    isMore = false;
    for (const clang::Decl *d : declarations)
      if (const auto *f = llvm::dyn_cast<clang::FunctionDecl>(d);
          f != nullptr && f->getTemplateInstantiationPattern() != nullptr && !own.contains(f) && isOfBody(*f)) {
        own.insert(f);
        isMore = true;
      }
  }
  follow(function.getBody(), used);
  for (const clang::FunctionDecl *f : own)
    follow(f->getBody(), used);
  // A class template's other members are made when somebody asks for them.
  return llvm::all_of(used, [&](const clang::FunctionDecl *f) {
    return own.contains(f) || isOfBody(*f) || isOfLambda(*f) ||
           (f->getInstantiatedFromMemberFunction() == nullptr && !llvm::isa<clang::CXXConstructorDecl>(f));
  });
}

void BodyInstances::takeOutUnused() {
  Functions others;
  const auto isCandidate = [&](const clang::Decl *d) {
    const auto *f = llvm::dyn_cast<clang::FunctionDecl>(d);
    return f != nullptr && (own.contains(f) || used.contains(f));
  };
  const std::function<void(const clang::Stmt *)> note = [&](const clang::Stmt *s) { follow(s, others); };
  Code code(note);
  for (clang::Decl *d : declarations) {
    if (isCandidate(d))
      continue;
    if (const auto *f = llvm::dyn_cast<clang::FunctionDecl>(d); f != nullptr && f->getTemplateInstantiationPattern())
      follow(f->getBody(), others);
    else
      code.TraverseDecl(d);
  }
  std::erase_if(declarations, [&](clang::Decl *d) {
    if (!isCandidate(d) || others.contains(llvm::cast<clang::FunctionDecl>(d)))
      return false;
    auto *f = llvm::cast<clang::FunctionDecl>(d);
    f->setBody(nullptr);
    f->setInvalidDecl(); // or it would be made again
    return true;
  });
}

} // namespace condlint::cxx
