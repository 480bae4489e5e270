//===- LostState.cpp - Members that traced code assigns ----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A trace records what becomes of tensors. That a member is given another tensor or
// number happens once, while tracing; what it held then is a constant of the trace. What
// is only handed from one line of a call to the next is no state.
//
//===----------------------------------------------------------------------===//
#include "LostState.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>
#include <map>
#include <set>

namespace condlint::cxx {

using namespace clang;
using llvm::StringRef;

namespace {

/// A member of the module: of the object, or a static one.
const ValueDecl *memberIn(const Expr *e) {
  if (const auto *member = dyn_cast<MemberExpr>(e); member != nullptr && isThis(member->getBase()))
    return isa<FieldDecl>(member->getMemberDecl()) ? member->getMemberDecl() : nullptr;
  const auto *name = dyn_cast<DeclRefExpr>(e);
  const auto *v = name != nullptr ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
  return v != nullptr && v->isStaticDataMember() && isModule(cast<CXXRecordDecl>(v->getDeclContext())) ? v : nullptr;
}

/// The expression whose part, or what it points to, \p e is; null: none.
const Expr *wholeOf(const Expr *e) {
  if (const auto *member = dyn_cast<MemberExpr>(e))
    return isa<FieldDecl>(member->getMemberDecl()) ? member->getBase() : nullptr;
  if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(e))
    return subscript->getBase();
  if (const auto *u = dyn_cast<UnaryOperator>(e))
    return u->getOpcode() == UO_Deref ? u->getSubExpr() : nullptr;
  const auto *op = dyn_cast<CXXOperatorCallExpr>(e);
  if (op == nullptr)
    return nullptr;
  const OverloadedOperatorKind kind = op->getOperator();
  // An element of a tensor is written in place, which a trace records.
  const bool isPart =
      kind == OO_Arrow || kind == OO_Star || (kind == OO_Subscript && !isTensor(op->getArg(0)->getType()));
  return isPart ? op->getArg(0) : nullptr;
}

/// What \p x does to a member: none, gives it a value, or changes it by what it held.
struct Write {
  const ValueDecl *field = nullptr;
  const Expr *target = nullptr; ///< the member as it is written there
  bool replaces = false;        ///< nothing of what it held is left
  std::string name;             ///< "fc.weight"
};

/// A write to \p target, where that is a member or a part of one. \p replaces: the whole of what is written.
Write writeTo(const Expr *target, bool replaces) {
  Write w;
  w.target = target;
  w.replaces = replaces;
  const Expr *e = target;
  for (unsigned i = 0; e != nullptr && i < deepestTraced; ++i) {
    e = plain(e);
    if ((w.field = memberIn(e)) != nullptr) {
      w.name = w.field->getNameAsString() + w.name;
      return w;
    }
    const VarDecl *v = variable(e);
    if (v != nullptr && v->getType()->isReferenceType() && !isa<ParmVarDecl>(v)) { // another name
      e = v->getInit();
      continue;
    }
    if (const auto *member = dyn_cast<MemberExpr>(e))
      w.name = "." + member->getMemberDecl()->getNameAsString() + w.name;
    e = wholeOf(e);
    w.replaces = false;
  }
  return {};
}

std::vector<Write> writesBy(const Expr *x) {
  if (const auto *b = dyn_cast<BinaryOperator>(x); b != nullptr && b->isAssignmentOp())
    return {writeTo(b->getLHS(), b->getOpcode() == BO_Assign)};
  if (const auto *u = dyn_cast<UnaryOperator>(x); u != nullptr && u->isIncrementDecrementOp())
    return {writeTo(u->getSubExpr(), false)};
  if (const auto *op = dyn_cast<CXXOperatorCallExpr>(x)) {
    // `+=` of a tensor is done in place: a trace records it.
    const bool assigns = op->isAssignmentOp() && op->getNumArgs() == 2;
    if (assigns && (op->getOperator() == OO_Equal || !isTensor(op->getArg(0)->getType())))
      return {writeTo(op->getArg(0), op->getOperator() == OO_Equal)};
    return {};
  }
  const auto *call = dyn_cast<CallExpr>(x);
  const FunctionDecl *f = call != nullptr ? call->getDirectCallee() : nullptr;
  if (f == nullptr || !isStandard(f) || !f->getDeclName().isIdentifier())
    return {};
  if (const auto *method = dyn_cast<CXXMemberCallExpr>(x)) {
    static const std::set<StringRef> changing{"push_back", "emplace_back", "push_front", "pop_back",
                                              "pop_front", "insert",       "emplace",    "erase",
                                              "clear",     "resize",       "reset",      "swap"};
    const StringRef name = f->getName();
    if (!changing.contains(name))
      return {};
    std::vector<Write> writes{writeTo(method->getImplicitObjectArgument(), name == "clear" || name == "reset")};
    if (name == "swap" && call->getNumArgs() == 1)
      writes.push_back(writeTo(call->getArg(0), false));
    return writes;
  }
  if (call->getNumArgs() == 2 && isStd(f, {"swap"}))
    return {writeTo(call->getArg(0), false), writeTo(call->getArg(1), false)};
  if (call->getNumArgs() == 2 && isStd(f, {"exchange"}))
    return {writeTo(call->getArg(0), false)};
  return {};
}

/// The references to members of `this` in one method.
struct Uses {
  std::vector<Write> writes;
  std::vector<const Expr *> at;                                      ///< the writes, in the same order
  std::map<const ValueDecl *, std::vector<const Expr *>> reads;      ///< what no write replaces
  std::vector<std::pair<const FunctionDecl *, const Expr *>> called; ///< methods of the unit
};

Uses usesIn(const FunctionDecl &f, const ASTContext &ast) {
  Uses uses;
  std::set<const Expr *> replaced, inArms;
  forEachExpr(f.getBody(), [&](const Expr *x) {
    // What an arm of a selection on the flag writes is said of that (NS5).
    if (const auto *c = dyn_cast<ConditionalOperator>(x); c != nullptr && isOwnFlag(c->getCond()))
      for (const Expr *arm : {c->getTrueExpr(), c->getFalseExpr()})
        forEachExpr(arm, [&](const Expr *inner) { return inArms.insert(inner).second; });
    for (Write &w : inArms.contains(x) ? std::vector<Write>() : writesBy(x)) {
      if (w.field == nullptr)
        continue;
      if (w.replaces)
        replaced.insert(plain(w.target));
      uses.writes.push_back(std::move(w));
      uses.at.push_back(x);
    }
    if (const ValueDecl *member = memberIn(x); member != nullptr && !replaced.contains(x))
      uses.reads[member].push_back(x);
    if (const auto *call = dyn_cast<CallExpr>(x))
      if (const FunctionDecl *callee = tracedDefinition(call->getDirectCallee(), ast))
        uses.called.emplace_back(callee, x);
    return true;
  });
  return uses;
}

} // namespace

std::vector<LostState> lostStateIn(const FunctionDecl &f, const std::vector<const FunctionDecl *> &traced,
                                   const ASTContext &ast) {
  std::vector<LostState> out;
  const auto *method = dyn_cast<CXXMethodDecl>(&f);
  if (method == nullptr || isa<CXXConstructorDecl, CXXDestructorDecl>(method) || !isModule(method->getParent()))
    return out;
  const Uses own = usesIn(f, ast);
  if (own.writes.empty())
    return out;
  const SourceManager &sm = ast.getSourceManager();
  const auto isBefore = [&](const Expr *a, const Expr *b) {
    return sm.isBeforeInTranslationUnit(sm.getExpansionLoc(a->getExprLoc()), sm.getExpansionLoc(b->getExprLoc()));
  };
  std::map<const FunctionDecl *, Uses> others;
  for (const CXXMethodDecl *other : method->getParent()->methods()) {
    const FunctionDecl *body = nullptr;
    if (other->hasBody(body) && body != &f && !isa<CXXConstructorDecl, CXXDestructorDecl>(other))
      others.emplace(body, usesIn(*body, ast));
  }
  std::set<std::string> told;
  for (std::size_t i = 0; i < own.writes.size(); ++i) {
    const Write &w = own.writes[i];
    const Expr *at = own.at[i];
    const auto reads = own.reads.find(w.field);
    bool isRead = false, isKept = !w.replaces;
    for (const Expr *read : reads == own.reads.end() ? std::vector<const Expr *>() : reads->second) {
      isRead = true;
      // What the assignment itself reads is what an earlier call left.
      const bool within = !isBefore(read, at) && sm.isBeforeInTranslationUnit(read->getBeginLoc(), at->getEndLoc());
      isKept = isKept || isBefore(read, at) || within;
    }
    for (const auto &[g, uses] : others) {
      if (!uses.reads.contains(w.field))
        continue;
      isRead = true;
      const auto call = std::ranges::find(own.called, g, &decltype(own.called)::value_type::first);
      const bool isTraced = std::ranges::find(traced, g) != traced.end();
      // What is called behind the assignment reads what this call left.
      isKept = isKept || !isTraced || (call != own.called.end() && isBefore(call->second, at));
    }
    const bool isSeen = isRead || w.field->getAccess() == AS_public;
    if (isSeen && (isKept || !isRead) && told.insert(w.name).second)
      out.push_back({at, w.name});
  }
  return out;
}

} // namespace condlint::cxx
