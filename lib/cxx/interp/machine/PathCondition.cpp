//===- PathCondition.cpp - What conditions ask ----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PathCondition.h"
#include "Domain.h"
#include "Relations.h"
#include "StmtWalk.h"
#include "Types.h"
#include <algorithm>
#include <array>
#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/FoldingSet.h>
#include <optional>

namespace condlint::cxx {

namespace {

template <class T> bool haveCommon(const std::vector<T> &a, const std::vector<T> &b) {
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
    if (*x == *y)
      return true;
    std::less<>()(*x, *y) ? ++x : ++y;
  }
  return false;
}

template <class T> void sortUnique(std::vector<T> &v) {
  std::ranges::sort(v, std::less<>());
  const auto rest = std::ranges::unique(v);
  v.erase(rest.begin(), rest.end());
}

/// What `==` compares in \p e, or `!=`, which asks the same.
std::optional<std::array<const clang::Expr *, 2>> comparedByEquality(const clang::Expr &e) {
  if (const auto *b = llvm::dyn_cast<clang::BinaryOperator>(&e); b && b->isEqualityOp())
    return std::array<const clang::Expr *, 2>{b->getLHS(), b->getRHS()};
  const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&e);
  if (call && call->getNumArgs() == 2 &&
      (call->getOperator() == clang::OO_EqualEqual || call->getOperator() == clang::OO_ExclaimEqual))
    return std::array{call->getArg(0), call->getArg(1)};
  return std::nullopt;
}

class Collector {
public:
  Collector(const clang::ASTContext &ast, const Domain &domain, Asked &out) : context(ast), dom(domain), asked(out) {}

  void add(const clang::Expr *e, unsigned depth) {
    constexpr unsigned deepest = 32;
    e = e->IgnoreParenImpCasts();
    if (const auto *full = llvm::dyn_cast<clang::FullExpr>(e))
      e = full->getSubExpr()->IgnoreParenImpCasts();
    if (depth > deepest) {
      asked.isAny = true;
      return;
    }
    if (e->getType()->isRecordType()) // of a loop over it: whether there is another element
      return addContainer(*e);
    if (const auto *u = llvm::dyn_cast<clang::UnaryOperator>(e); u && u->getOpcode() == clang::UO_LNot)
      return add(u->getSubExpr(), depth + 1);
    if (const auto *b = llvm::dyn_cast<clang::BinaryOperator>(e); b && b->isLogicalOp()) {
      add(b->getLHS(), depth + 1);
      return add(b->getRHS(), depth + 1);
    }
    if (const auto *rewritten = llvm::dyn_cast<clang::CXXRewrittenBinaryOperator>(e))
      return add(rewritten->getSemanticForm(), depth + 1);
    addQuestion(*e);
    if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(e))
      if (const auto *v = llvm::dyn_cast<clang::VarDecl>(ref->getDecl()); v && v->isLocalVarDecl() && v->getInit())
        add(v->getInit(), depth + 1);
  }

private:
  void addQuestion(const clang::Expr &e) {
    llvm::FoldingSetNodeID id;
    if (const auto sides = comparedByEquality(e))
      for (const clang::Expr *side : *sides)
        side->IgnoreParenImpCasts()->Profile(id, context, true);
    else
      e.Profile(id, context, true);
    asked.questions.push_back(id.ComputeHash());
    addUses(e, Relations::usesIn(&e, context, dom));
  }

  void addContainer(const clang::Expr &e) {
    llvm::FoldingSetNodeID id;
    e.Profile(id, context, true);
    asked.questions.push_back(id.ComputeHash());
    addUses(e, Relations::sizeOf(e, context, dom));
  }

  void addUses(const clang::Expr &e, const std::vector<Use> &uses) {
    for (const clang::Decl *name : Relations::namesIn(&e))
      asked.names.push_back(name);
    asked.uses.insert(asked.uses.end(), uses.begin(), uses.end());
  }

  const clang::ASTContext &context;
  const Domain &dom;
  Asked &asked;
};

} // namespace

/// Adds to \p all what \p more asks.
static void addTo(Asked &all, const Asked &more) {
  all.questions.insert(all.questions.end(), more.questions.begin(), more.questions.end());
  all.names.insert(all.names.end(), more.names.begin(), more.names.end());
  for (const Use &use : more.uses)
    if (std::ranges::find(all.uses, use) == all.uses.end())
      all.uses.push_back(use);
  all.isAny = all.isAny || more.isAny;
}

void JoinPoint::take(const JoinPoint &inner) {
  constexpr std::size_t most = 64; // of either
  addTo(asked, inner.asked);
  sortUnique(asked.questions);
  sortUnique(asked.names);
  written.insert(written.end(), inner.written.begin(), inner.written.end());
  sortUnique(written);
  if (asked.questions.size() <= most && asked.uses.size() <= most && written.size() <= most)
    return;
  asked = {};
  asked.isAny = true;
  written.clear();
}

bool PathCondition::isAskedBy(const JoinPoint &where, const Asked &again) const {
  if (where.asked.isAny || again.isAny)
    return true;
  // `n > 3` behind `n > 2` says which path it was, too, and `tooLong` that was made of `n`.
  return haveCommon(again.questions, where.asked.questions) || haveCommon(again.names, where.written) ||
         hangsOn->haveCommonOrigin(where.asked.uses, again.uses);
}

PathCondition::PathCondition(const clang::ASTContext &ast, const Domain &domain)
    : context(ast), dom(domain), hangsOn(std::make_unique<Relations>()) {}
PathCondition::~PathCondition() = default;

const Asked &PathCondition::asked(const clang::Stmt *condition) {
  std::unique_ptr<Asked> &entry = known[condition];
  if (!entry) {
    entry = std::make_unique<Asked>();
    if (const auto *e = llvm::dyn_cast_or_null<clang::Expr>(condition))
      Collector(context, dom, *entry).add(e, 0);
    else if (condition) { // a loop
      entry->names = Relations::namesInConditions(condition);
      for (const clang::Decl *name : entry->names)
        entry->uses.push_back({name});
    }
    sortUnique(entry->questions);
    sortUnique(entry->names);
  }
  return *entry;
}

void PathCondition::addAsked(Asked &all, std::size_t from) const {
  for (std::size_t i = from; i < open.size(); ++i)
    addTo(all, *open[i].asked);
  sortUnique(all.questions);
  sortUnique(all.names);
}

void PathCondition::add(const clang::Stmt *condition, const Test *test, const clang::Stmt *loop) {
  open.push_back({++last, &asked(condition), test && test->isKept(), loop});
}

bool PathCondition::areRelated(const Asked &a, const Asked &b) const {
  return a.isAny || b.isAny || hangsOn->areRelated(a.uses, b.uses);
}

bool PathCondition::areRelated(const clang::Stmt *a, const clang::Stmt *b) {
  const Asked one = asked(a); // the next one may move it
  return areRelated(one, asked(b));
}

bool PathCondition::asksAgain(const clang::Stmt *s) {
  return std::ranges::any_of(open, [&](const Open &o) { return areRelated(*o.asked, asked(s)); });
}

void PathCondition::addAnything() {
  static const Asked anything{{}, {}, {}, true};
  open.push_back({++last, &anything, false, nullptr});
}

void PathCondition::addKept(const clang::Stmt *condition) {
  open.push_back({++last, &asked(condition), true, nullptr});
}

/// What \p name holds is no more than that paths met, or a loop ended.
bool PathCondition::isMixed(const clang::Decl *name) const {
  if (hangsOn->counts(name) == 0 || hangsOn->isMixed(name))
    return hangsOn->isMixed(name);
  // The counter of a loop is any number in it, and what the loop left of it behind.
  return std::ranges::none_of(
      open, [&](const Open &o) { return o.loop && std::ranges::find(o.asked->names, name) != o.asked->names.end(); });
}

/// What \p e is made of by `&&` and `||`.
static void addParts(const clang::Stmt *e, std::vector<const clang::Stmt *> &out, unsigned depth) {
  constexpr unsigned deepest = 32;
  const auto *inner = llvm::dyn_cast_or_null<clang::Expr>(e);
  inner = inner ? inner->IgnoreParenImpCasts() : nullptr;
  if (const auto *no = llvm::dyn_cast_or_null<clang::UnaryOperator>(inner); no && no->getOpcode() == clang::UO_LNot)
    return addParts(no->getSubExpr(), out, depth + 1);
  const auto *both = llvm::dyn_cast_or_null<clang::BinaryOperator>(inner);
  if (!both || !both->isLogicalOp() || depth >= deepest)
    return out.push_back(e);
  addParts(both->getLHS(), out, depth + 1);
  addParts(both->getRHS(), out, depth + 1);
}

/// The type of the variable \p d; null for what is none.
static clang::QualType typeOf(const clang::Decl *d) {
  const auto *v = llvm::dyn_cast<clang::ValueDecl>(d);
  return v ? v->getType().getNonReferenceType() : clang::QualType();
}

/// A number has a part in both sides of what \p part compares: `u / 2 > u`.
static bool namesTwice(const clang::Stmt *part) {
  if (!llvm::isa<clang::Expr>(part)) // a loop
    return false;
  Relations::Names names = Relations::namesIn(part);
  std::erase_if(names, [](const clang::Decl *d) { return typeOf(d).isNull() || !typeOf(d)->isIntegerType(); });
  std::ranges::sort(names, std::less<>());
  return std::ranges::adjacent_find(names) != names.end();
}

/// Of what `&&` and `||` join in \p condition one part may imply another, or its opposite.
static bool asksTwice(PathCondition &path, const clang::Stmt *condition) {
  constexpr std::size_t most = 16;
  std::vector<const clang::Stmt *> parts;
  addParts(condition, parts, 0);
  if (std::ranges::any_of(parts, namesTwice))
    return true;
  for (std::size_t i = 1; i < parts.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (parts.size() > most ||
          path.relations().areRelated(path.asked(parts[i]).uses, path.asked(parts[k]).uses, true))
        return true;
  return false;
}

bool PathCondition::isUnsure(Domain &domain, const clang::Stmt *condition, const Test *test, bool truth) {
  const Asked &question = asked(condition);
  const bool isSoleLeave = hangsOn->isSoleLeave(condition);
  const auto isAnyMixed = [&](const Asked &a) {
    return std::ranges::any_of(a.names, [&](const clang::Decl *name) {
      return isMixed(name) || (!isSoleLeave && hangsOn->counts(name) != 0 && hangsOn->isLeftEarly(name));
    });
  };
  if (hangsOn->isIncomplete() ||
      std::ranges::any_of(question.names, [&](const clang::Decl *name) { return hangsOn->isCarried(name); }))
    return true;
  bool isRelated = asksTwice(*this, condition);
  for (const Open &o : open) {
    if (!areRelated(*o.asked, question))
      continue;
    isRelated = true;
    // What is kept of each says nothing of the other.
    if (Relations::areMeasuredAlike(o.asked->uses, question.uses) || !o.isKept || isAnyMixed(*o.asked))
      return true;
  }
  if (isRelated)
    return isAnyMixed(question) || !test || !domain.admits(*test, truth);
  // No text is such that "" is not in it, and no `n % 2` is 3.
  const bool asksText = std::ranges::any_of(question.names, [](const clang::Decl *d) { return isTextType(typeOf(d)); });
  return test && test->isKept() && (asksText || test->isOfMade()) && !domain.admits(*test, truth);
}

bool PathCondition::askAgain(const JoinPoint &where, std::uint32_t number) const {
  return std::ranges::any_of(open, [&](const Open &o) { return o.number > number && isAskedBy(where, *o.asked); });
}

} // namespace condlint::cxx
