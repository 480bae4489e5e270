//===- Assignments.cpp - What variables of traced code are given ----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Assignments.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>
#include <iterator>

namespace condlint::cxx {

namespace {

using namespace clang;
using llvm::StringRef;

Step stepOf(const FieldDecl *field) {
  const auto *owner = dyn_cast<CXXRecordDecl>(field->getParent());
  if (owner != nullptr && isStandard(owner) && owner->getIdentifier() != nullptr && owner->getName() == "pair")
    return {nullptr, field->getName() == "second" ? std::uint64_t{1} : 0};
  return {field, 0};
}

std::optional<Step> elementAt(const Expr *index, const ASTContext &ast) {
  Expr::EvalResult position;
  if (index == nullptr || index->isValueDependent() || !index->EvaluateAsInt(position, ast) ||
      position.Val.getInt().isNegative())
    return std::nullopt;
  return Step{nullptr, position.Val.getInt().getLimitedValue()};
}

/// `get<I>(t)`: I.
std::optional<Step> elementOfGet(const FunctionDecl *f) {
  const TemplateArgumentList *arguments = f->getTemplateSpecializationArgs();
  if (arguments == nullptr || arguments->size() == 0 || arguments->get(0).getKind() != TemplateArgument::Integral)
    return std::nullopt;
  return Step{nullptr, arguments->get(0).getAsIntegral().getLimitedValue()};
}

Part partOfOperator(const CXXOperatorCallExpr *o, const ASTContext &ast) {
  if (o->getOperator() == OO_Subscript && o->getNumArgs() == 2)
    return {o->getArg(0), elementAt(o->getArg(1), ast), o->getArg(1)};
  if ((o->getOperator() == OO_Star || o->getOperator() == OO_Arrow) && o->getNumArgs() == 1)
    return {o->getArg(0), std::nullopt, nullptr};
  return {};
}

Part partOfCall(const CallExpr *call, const ASTContext &ast) {
  const FunctionDecl *f = call->getDirectCallee();
  if (const auto *o = dyn_cast<CXXOperatorCallExpr>(call))
    return partOfOperator(o, ast);
  if (f == nullptr || f->getIdentifier() == nullptr)
    return {};
  const Expr *first = call->getNumArgs() != 0 ? call->getArg(0) : nullptr;
  if (isStd(f, {"get"}) && first != nullptr)
    return {first, elementOfGet(f), nullptr};
  if (isStd(f, {"move", "forward", "as_const", "ref", "cref"}) && first != nullptr)
    return {first, std::nullopt, nullptr};
  const auto *member = dyn_cast<CXXMemberCallExpr>(call);
  if (member == nullptr || !isStandard(f))
    return {};
  const StringRef name = f->getName();
  if (name == "at")
    return {member->getImplicitObjectArgument(), elementAt(first, ast), first};
  if (llvm::is_contained({"value", "get", "front", "back", "top", "begin", "end", "cbegin", "cend", "data"}, name))
    return {member->getImplicitObjectArgument(), std::nullopt, nullptr};
  return {};
}

/// The variable or own field that an assignment to an expression changes, and which part of it.
struct Target {
  const ValueDecl *of = nullptr;
  Steps into;
};

/// What the reference or pointer \p v was made for.
const Expr *referredTo(const VarDecl *v) {
  if (isa<ParmVarDecl>(v) || v->getInit() == nullptr)
    return nullptr;
  if (v->getType()->isReferenceType())
    return v->isCXXForRangeDecl() ? nullptr : v->getInit();
  const auto *address = dyn_cast<UnaryOperator>(plain(v->getInit()));
  return v->getType()->isPointerType() && address != nullptr && address->getOpcode() == UO_AddrOf
             ? address->getSubExpr()
             : nullptr;
}

Target targetOf(const Expr *e, const ASTContext &ast) {
  Steps backwards;
  const auto found = [&](const ValueDecl *d) {
    std::reverse(backwards.begin(), backwards.end());
    return Target{d, std::move(backwards)};
  };
  for (unsigned i = 0; i < deepestTraced; ++i) {
    e = plain(e);
    if (const auto *r = dyn_cast<DeclRefExpr>(e)) {
      if (const auto *b = dyn_cast<BindingDecl>(r->getDecl()); b != nullptr && b->getBinding() != nullptr) {
        e = b->getBinding();
        continue;
      }
      const auto *v = dyn_cast<VarDecl>(r->getDecl());
      const Expr *other = v != nullptr ? referredTo(v) : nullptr;
      if (other == nullptr)
        return found(v);
      e = other;
      continue;
    }
    if (const auto *address = dyn_cast<UnaryOperator>(e); address != nullptr && address->getOpcode() == UO_AddrOf) {
      e = address->getSubExpr();
      continue;
    }
    const Part part = partOf(e, ast);
    if (part.whole == nullptr)
      return {};
    if (const auto *m = dyn_cast<MemberExpr>(e); m != nullptr && isThis(part.whole))
      return found(cast<FieldDecl>(m->getMemberDecl()));
    if (part.step)
      backwards.push_back(*part.step);
    else if (part.index != nullptr)
      backwards.clear(); // some element: anything may be it
    e = part.whole;
  }
  return {};
}

bool mayAssign(QualType parameter) {
  return (parameter->isLValueReferenceType() || parameter->isPointerType()) &&
         !parameter->getPointeeType().isConstQualified();
}

} // namespace

Part partOf(const Expr *e, const ASTContext &ast) {
  e = plain(e);
  if (const auto *m = dyn_cast<MemberExpr>(e)) {
    const auto *field = dyn_cast<FieldDecl>(m->getMemberDecl());
    return field == nullptr ? Part() : Part{m->getBase(), stepOf(field), nullptr};
  }
  if (const auto *s = dyn_cast<ArraySubscriptExpr>(e))
    return {s->getBase(), elementAt(s->getIdx(), ast), s->getIdx()};
  if (const auto *u = dyn_cast<UnaryOperator>(e); u != nullptr && u->getOpcode() == UO_Deref)
    return {u->getSubExpr(), std::nullopt, nullptr};
  const auto *call = dyn_cast<CallExpr>(e);
  return call == nullptr ? Part() : partOfCall(call, ast);
}

struct Assignments::Collector : RecursiveASTVisitor<Assignments::Collector> {
  Assignments &out;
  explicit Collector(Assignments &o) : out(o) {}
  bool shouldVisitImplicitCode() const { return true; }

  void assign(const Expr *to, const Expr *value, Steps from = {}, bool asElement = false) {
    Target target = targetOf(to, out.ast);
    if (target.of != nullptr)
      out.given[target.of].push_back({value, std::move(target.into), std::move(from), asElement});
  }

  bool VisitBinaryOperator(BinaryOperator *b) {
    if (b->isAssignmentOp())
      assign(b->getLHS(), b->getRHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *u) {
    if (u->isIncrementDecrementOp())
      assign(u->getSubExpr(), u->getSubExpr());
    return true;
  }
  bool VisitCXXForRangeStmt(CXXForRangeStmt *s) {
    if (s->getLoopVariable() != nullptr && s->getRangeInit() != nullptr)
      out.given[s->getLoopVariable()].push_back({s->getRangeInit(), {}, {}, false});
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *c) {
    called(c, c->getConstructor());
    return true;
  }
  bool VisitCallExpr(CallExpr *c) {
    const FunctionDecl *f = c->getDirectCallee();
    if (f == nullptr)
      return true;
    called(c, f);
    if (const auto *o = dyn_cast<CXXOperatorCallExpr>(c)) {
      if (o->isAssignmentOp() && o->getNumArgs() == 2)
        assignOverloaded(o->getArg(0), o->getArg(1));
    } else if (const auto *member = dyn_cast<CXXMemberCallExpr>(c)) {
      mutated(member, *f);
    } else if (writesInPlace(torchCallee(c)) && c->getNumArgs() != 0) {
      assign(c->getArg(0), c);
    }
    return true;
  }

private:
  static bool writesInPlace(StringRef name) { return name.ends_with("_") && !name.starts_with("_"); }

  /// `std::tie(a, b) = pair` assigns each its element.
  void assignOverloaded(const Expr *to, const Expr *value) {
    const auto *tie = dyn_cast<CallExpr>(plain(to));
    if (tie == nullptr || !isStd(tie->getDirectCallee(), {"tie"}))
      return assign(to, value);
    for (unsigned i = 0; i < tie->getNumArgs(); ++i)
      assign(tie->getArg(i), value, {{nullptr, i}});
  }

  /// A tensor that is written in place, a container that is filled.
  void mutated(const CXXMemberCallExpr *call, const FunctionDecl &f) {
    const Expr *object = call->getImplicitObjectArgument();
    if (writesInPlace(torchCallee(call)))
      return assign(object, call);
    if (isStandard(&f) && f.getIdentifier() != nullptr &&
        llvm::is_contained({"push_back", "emplace_back", "push", "emplace", "insert", "assign", "resize", "fill"},
                           f.getName()))
      for (const Expr *argument : call->arguments())
        assign(object, argument, {}, f.getName().contains("push") || f.getName() == "emplace_back");
  }

  void called(const Expr *call, const FunctionDecl *callee) {
    const FunctionDecl *f = tracedDefinition(callee, out.ast);
    if (f == nullptr)
      return;
    out.calls[f].push_back(call);
    for (const ParmVarDecl *p : f->parameters()) {
      const Expr *argument = mayAssign(p->getType()) ? argumentOf(call, p->getFunctionScopeIndex()) : nullptr;
      if (argument == nullptr)
        continue;
      Target target = targetOf(argument, out.ast);
      if (target.of != nullptr)
        out.bound[target.of].push_back({call, p, std::move(target.into)});
    }
  }
};

void Assignments::add(const FunctionDecl &f) {
  Collector collector(*this);
  if (const auto *constructor = dyn_cast<CXXConstructorDecl>(&f))
    for (const CXXCtorInitializer *i : constructor->inits())
      collector.TraverseStmt(i->getInit());
  collector.TraverseStmt(f.getBody());
}

const std::vector<Assignments::Given> &Assignments::to(const ValueDecl *v) const {
  static const std::vector<Given> nothing;
  const auto found = given.find(v);
  return found == given.end() ? nothing : found->second;
}

const std::vector<Assignments::Passed> &Assignments::passed(const ValueDecl *v) const {
  static const std::vector<Passed> nothing;
  const auto found = bound.find(v);
  return found == bound.end() ? nothing : found->second;
}

const std::vector<const Expr *> &Assignments::callsOf(const FunctionDecl *f) const {
  static const std::vector<const Expr *> nothing;
  const auto found = calls.find(f);
  return found == calls.end() ? nothing : found->second;
}

const Expr *Assignments::onlyValue(const VarDecl *v) const {
  if (!v->isLocalVarDecl() || v->isCXXForRangeDecl() || !passed(v).empty())
    return nullptr;
  const std::vector<Given> &all = to(v);
  if (v->getInit() != nullptr && !isa<CXXConstructExpr>(plain(v->getInit())))
    return all.empty() ? v->getInit() : nullptr;
  if (all.size() == 1 && all.front().into.empty() && all.front().from.empty())
    return all.front().value;
  return all.empty() ? v->getInit() : nullptr;
}

const Expr *Assignments::lastValue(const VarDecl *v, const Expr *at) const {
  const SourceManager &sources = ast.getSourceManager();
  const Expr *last = isa<ParmVarDecl>(v) ? nullptr : v->getInit();
  for (const Given &g : to(v))
    if (g.into.empty() && sources.isBeforeInTranslationUnit(g.value->getEndLoc(), at->getBeginLoc()) &&
        (last == nullptr || sources.isBeforeInTranslationUnit(last->getBeginLoc(), g.value->getBeginLoc())))
      last = g.value;
  return last;
}

} // namespace condlint::cxx
