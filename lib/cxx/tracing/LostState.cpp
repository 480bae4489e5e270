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

/// The member of `this` that \p e is, or a part of; null: none. \p isPart: not the whole of it.
const FieldDecl *ownMember(const Expr *e, bool &isPart) {
  for (unsigned i = 0; e != nullptr && i < deepestTraced; ++i) {
    e = plain(e);
    if (const auto *member = dyn_cast<MemberExpr>(e)) {
      const auto *field = dyn_cast<FieldDecl>(member->getMemberDecl());
      if (field == nullptr)
        return nullptr;
      if (isThis(member->getBase()))
        return field;
      e = member->getBase();
    } else if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(e)) {
      e = subscript->getBase();
    } else if (const auto *op = dyn_cast<CXXOperatorCallExpr>(e);
               op != nullptr && op->getOperator() == OO_Subscript && !isTensor(op->getArg(0)->getType())) {
      e = op->getArg(0); // an element of a tensor is written in place, which a trace records
    } else {
      return nullptr;
    }
    isPart = true;
  }
  return nullptr;
}

/// What \p x does to a member: none, gives it a value, or changes it by what it held.
struct Write {
  const FieldDecl *field = nullptr;
  const Expr *target = nullptr; ///< the member as it is written there
  bool replaces = false;        ///< nothing of what it held is left
};

Write writeBy(const Expr *x) {
  Write w;
  bool isPart = false;
  const auto take = [&](const Expr *target, bool replaces) {
    w.field = ownMember(target, isPart);
    w.target = target;
    w.replaces = replaces && !isPart;
  };
  if (const auto *b = dyn_cast<BinaryOperator>(x); b != nullptr && b->isAssignmentOp())
    take(b->getLHS(), b->getOpcode() == BO_Assign);
  else if (const auto *u = dyn_cast<UnaryOperator>(x); u != nullptr && u->isIncrementDecrementOp())
    take(u->getSubExpr(), false);
  else if (const auto *op = dyn_cast<CXXOperatorCallExpr>(x);
           op != nullptr && op->isAssignmentOp() && op->getNumArgs() == 2) {
    // `+=` of a tensor is done in place: a trace records it.
    if (op->getOperator() == OO_Equal || !isTensor(op->getArg(0)->getType()))
      take(op->getArg(0), op->getOperator() == OO_Equal);
  } else if (const auto *call = dyn_cast<CXXMemberCallExpr>(x)) {
    static const std::set<StringRef> changing{"push_back", "emplace_back", "push_front", "pop_back",
                                              "pop_front", "insert",       "emplace",    "erase",
                                              "clear",     "resize",       "reset"};
    const CXXMethodDecl *method = call->getMethodDecl();
    if (method != nullptr && isStandard(method) && method->getDeclName().isIdentifier() &&
        changing.contains(method->getName()))
      take(call->getImplicitObjectArgument(), method->getName() == "clear" || method->getName() == "reset");
  }
  return w;
}

/// The references to members of `this` in one method.
struct Uses {
  std::vector<Write> writes;
  std::vector<const Expr *> at;                                      ///< the writes, in the same order
  std::map<const FieldDecl *, std::vector<const Expr *>> reads;      ///< what no write replaces
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
    if (const Write w = writeBy(x); w.field != nullptr && !inArms.contains(x)) {
      uses.writes.push_back(w);
      uses.at.push_back(x);
      if (w.replaces)
        replaced.insert(plain(w.target));
    }
    if (const auto *member = dyn_cast<MemberExpr>(x)) {
      const auto *field = dyn_cast<FieldDecl>(member->getMemberDecl());
      if (field != nullptr && isThis(member->getBase()) && !replaced.contains(member))
        uses.reads[field].push_back(x);
    }
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
  std::set<const FieldDecl *> told;
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
    if (isSeen && (isKept || !isRead) && told.insert(w.field).second)
      out.push_back({at, w.field->getNameAsString()});
  }
  return out;
}

} // namespace condlint::cxx
