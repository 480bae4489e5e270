//===- Relations.cpp - Which variables hang on which others ---------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Relations.h"
#include "AskedContainers.h"
#include "Domain.h"
#include "StmtWalk.h"
#include "Types.h"
#include <algorithm>
#include <array>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <llvm/ADT/FoldingSet.h>
#include <llvm/Support/SaveAndRestore.h>
#include <string_view>

namespace condlint::cxx {

namespace {

const clang::Decl *nameIn(const clang::Stmt &s) {
  if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(&s)) {
    const auto *v = llvm::dyn_cast<clang::VarDecl>(ref->getDecl());
    const clang::Decl *named = v;
    if (!named)
      named = llvm::dyn_cast<clang::BindingDecl>(ref->getDecl());
    return v && v->isConstexpr() ? nullptr : named;
  }
  const auto *member = llvm::dyn_cast<clang::MemberExpr>(&s);
  return member && llvm::isa<clang::CXXThisExpr>(member->getBase()->IgnoreParenImpCasts())
             ? llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl())
             : nullptr;
}

/// What \p s asks before it goes apart; null for what does not.
const clang::Expr *conditionOf(const clang::Stmt &s) {
  if (const auto *c = llvm::dyn_cast<clang::IfStmt>(&s))
    return c->getCond();
  if (const auto *c = llvm::dyn_cast<clang::SwitchStmt>(&s))
    return c->getCond();
  if (const auto *c = llvm::dyn_cast<clang::ForStmt>(&s))
    return c->getCond();
  if (const auto *c = llvm::dyn_cast<clang::WhileStmt>(&s))
    return c->getCond();
  if (const auto *c = llvm::dyn_cast<clang::DoStmt>(&s))
    return c->getCond();
  if (const auto *c = llvm::dyn_cast<clang::CXXForRangeStmt>(&s))
    return c->getRangeInit();
  if (const auto *c = llvm::dyn_cast<clang::AbstractConditionalOperator>(&s))
    return c->getCond();
  const auto *c = llvm::dyn_cast<clang::BinaryOperator>(&s);
  return c && c->isLogicalOp() ? c->getLHS() : nullptr;
}

bool isLoop(const clang::Stmt &s) {
  return llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(s);
}

/// The object of which \p place is a part, or to which it leads.
const clang::Decl *rootOf(const clang::Expr *place) {
  while (place) {
    place = place->IgnoreParenCasts();
    if (const clang::Decl *name = nameIn(*place))
      return name;
    if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(place))
      place = member->getBase();
    else if (const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(place))
      place = element->getBase();
    else if (const auto *u = llvm::dyn_cast<clang::UnaryOperator>(place))
      place = u->getSubExpr();
    else if (const auto *call = llvm::dyn_cast<clang::CXXMemberCallExpr>(place))
      place = call->getImplicitObjectArgument();
    else if (const auto *op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(place); op && op->getNumArgs() != 0)
      place = op->getArg(0);
    else
      return nullptr;
  }
  return nullptr;
}

/// A method that only leads to what is inside, const or not.
bool onlyLooks(const clang::CXXMethodDecl &method) {
  constexpr std::array names{"at",    "back", "begin", "data", "end",        "find",  "first",
                             "front", "get",  "last",  "rend", "operator[]", "value", "rbegin"};
  return method.isConst() || std::ranges::find(names, method.getNameAsString()) != names.end();
}

/// How many statements in \p s may leave a loop around them before its condition says so.
std::size_t countLeaves(const clang::Stmt &s) {
  std::size_t count = 0;
  findStatement(&s, [&](const clang::Stmt &x) {
    count +=
        llvm::isa<clang::ReturnStmt, clang::BreakStmt, clang::GotoStmt, clang::CXXThrowExpr>(x) ? std::size_t{1} : 0;
    return llvm::isa<clang::LambdaExpr>(x) ? Walk::Past : Walk::On;
  });
  return count;
}

/// The `++k;` that each trip of a `while` that is not left before ends with; null: there is none.
const clang::Stmt *lastStepOf(const clang::Stmt &loop) {
  const auto *asking = llvm::dyn_cast<clang::WhileStmt>(&loop);
  const auto *body = asking ? llvm::dyn_cast_or_null<clang::CompoundStmt>(asking->getBody()) : nullptr;
  const auto *step = body && !body->body_empty() ? llvm::dyn_cast<clang::UnaryOperator>(body->body_back()) : nullptr;
  const bool goesOn = findStatement(&loop, [](const clang::Stmt &s) {
    return llvm::isa<clang::ContinueStmt, clang::GotoStmt>(s) ? Walk::Found : Walk::On;
  });
  return step && step->isIncrementDecrementOp() && !goesOn ? step : nullptr;
}

bool breaks(const clang::Stmt &loop) {
  return findStatement(&loop, [](const clang::Stmt &s) {
    return llvm::isa<clang::BreakStmt, clang::GotoStmt>(s) ? Walk::Found
           : llvm::isa<clang::LambdaExpr>(s)               ? Walk::Past
                                                           : Walk::On;
  });
}

/// Which of several values \p init is, or what a function made of it, and no expression over what it names.
bool isChosen(const clang::Expr *init) {
  return init && findStatement(init, [](const clang::Stmt &s) {
           const auto *call = llvm::dyn_cast<clang::CallExpr>(&s);
           return llvm::isa<clang::AbstractConditionalOperator>(s) ||
                          (call && !llvm::isa<clang::CXXMemberCallExpr, clang::CXXOperatorCallExpr>(s))
                      ? Walk::Found
                      : Walk::On;
         });
}

/// A class of the library that may hold something or nothing, or one of several.
bool isChoice(clang::QualType type) {
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return record && record->isInStdNamespace() && record->getIdentifier() &&
         (record->getName() == "optional" || record->getName() == "variant" || record->getName() == "any");
}

} // namespace

/// \p e without what stands around it.
static const clang::Expr *plain(const clang::Expr *e) { return e->IgnoreImplicit()->IgnoreParenImpCasts(); }

/// \p e is a text, or leads to one.
static bool isText(const clang::Expr &e) {
  const clang::QualType type = e.getType();
  return isTextType(type) || (type->isPointerType() && isTextType(type->getPointeeType()));
}

/// The operand of `*p`.
static const clang::Expr *dereferencedBy(const clang::Expr &e) {
  const auto *u = llvm::dyn_cast<clang::UnaryOperator>(&e);
  const auto *op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&e);
  if (op && (op->getOperator() == clang::OO_Star || op->getOperator() == clang::OO_Arrow) && op->getNumArgs() == 1)
    return plain(op->getArg(0));
  return u && u->getOpcode() == clang::UO_Deref ? plain(u->getSubExpr()) : nullptr;
}

/// What leads to the text \p e; null where it is named itself.
static const clang::Expr *pointerTo(const clang::Expr &e) {
  if (const clang::Expr *pointer = dereferencedBy(e))
    return pointer;
  return isTextType(e.getType()) ? nullptr : &e;
}

/// The text of which \p e asks or takes something, or what leads to it; null for what is nothing of the kind.
static const clang::Expr *textAskedBy(const clang::Expr &e) {
  const clang::Expr *text = nullptr;
  if (const clang::Expr *pointer = dereferencedBy(e); pointer && isTextType(e.getType()))
    text = &e;
  for (const clang::Expr *next = &e; next;) {
    const clang::Expr *inner = plain(next);
    next = nullptr;
    if (const auto *call = llvm::dyn_cast<clang::CXXMemberCallExpr>(inner))
      next = call->getImplicitObjectArgument();
    else if (const auto *op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(inner);
             op && op->getOperator() == clang::OO_Subscript)
      next = op->getArg(0);
    else if (const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(inner))
      next = element->getBase();
    else if (const clang::Expr *pointer = inner->getType()->isCharType() ? dereferencedBy(*inner) : nullptr)
      next = pointer;
    next = next ? plain(next) : nullptr;
    if (next && !isText(*next))
      break;
    text = next ? next : text;
  }
  return text;
}

/// How \p e gets at something by way of a variable, which is \p object; null where it is nothing of the kind.
static const clang::Expr *accessedBy(const clang::Expr &e, bool &isSize) {
  if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(&e))
    return llvm::isa<clang::FieldDecl>(member->getMemberDecl()) ? member->getBase() : nullptr;
  if (const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(&e))
    return element->getBase();
  if (const auto *u = llvm::dyn_cast<clang::UnaryOperator>(&e))
    return u->getOpcode() == clang::UO_Deref ? u->getSubExpr() : nullptr;
  if (const auto *op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&e))
    return op->getNumArgs() != 0 && (op->getOperator() == clang::OO_Subscript || op->getOperator() == clang::OO_Star ||
                                     op->getOperator() == clang::OO_Arrow)
               ? op->getArg(0)
               : nullptr;
  const auto *call = llvm::dyn_cast<clang::CXXMemberCallExpr>(&e);
  const clang::CXXMethodDecl *method = call ? call->getMethodDecl() : nullptr;
  if (!method || !method->isConst())
    return nullptr;
  constexpr std::array sizes{"begin", "cbegin", "cend", "empty", "end", "length", "size"};
  isSize = call->getNumArgs() == 0 && !isText(*call->getImplicitObjectArgument()) && method->getIdentifier() &&
           std::ranges::find(sizes, method->getName()) != sizes.end();
  return call->getImplicitObjectArgument();
}

/// What stands for the number of elements of \p container, as of all of its class; null for what is of none.
static const clang::Decl *sizeNameOf(const clang::Expr &container) {
  const clang::QualType type = container.IgnoreParenImpCasts()->getType();
  const clang::QualType object = type->isPointerType() ? type->getPointeeType() : type;
  const clang::CXXRecordDecl *record = object.isNull() ? nullptr : object.getNonReferenceType()->getAsCXXRecordDecl();
  return record ? record->getCanonicalDecl() : nullptr;
}

/// The container that \p init makes an iterator of; null for what is none.
static const clang::Expr *leadsInto(const clang::Expr *init) {
  const auto *call =
      init ? llvm::dyn_cast<clang::CXXMemberCallExpr>(init->IgnoreImplicit()->IgnoreParenImpCasts()) : nullptr;
  const clang::CXXMethodDecl *method = call ? call->getMethodDecl() : nullptr;
  constexpr std::array names{"begin", "cbegin", "crbegin", "find", "lower_bound", "rbegin", "upper_bound"};
  return method && method->getIdentifier() && std::ranges::find(names, method->getName()) != names.end() &&
                 !method->getReturnType()->isIntegralType(method->getASTContext())
             ? call->getImplicitObjectArgument()
             : nullptr;
}

/// The variables that what \p s comes to hangs on; of containers whose size alone is asked for, that.
static Relations::Names hangingOn(const clang::Stmt *s) {
  Relations::Names out;
  if (s)
    findStatement(s, [&](const clang::Stmt &inner) {
      const auto *e = llvm::dyn_cast<clang::Expr>(&inner);
      bool isSize = false;
      const clang::Expr *object = e ? accessedBy(*e, isSize) : nullptr;
      if (const clang::Decl *size = isSize && object ? sizeNameOf(*object) : nullptr) {
        out.push_back(size);
        if (!leadsInto(e)) // to an element it does
          return Walk::Past;
      }
      if (const clang::Decl *name = nameIn(inner))
        out.push_back(name);
      return Walk::On;
    });
  return out;
}

/// What \p namesOf finds in each condition in \p loop, and in its own.
static Relations::Names ofConditionsIn(const clang::Stmt &loop, Relations::Names (&namesOf)(const clang::Stmt *)) {
  Relations::Names out;
  forEachStatement(&loop, [&](const clang::Stmt &s) {
    const Relations::Names names = namesOf(conditionOf(s));
    out.insert(out.end(), names.begin(), names.end());
  });
  return out;
}

/// The variable that \p init is a copy of or refers to; null for what is made of more.
static const clang::Decl *copied(const clang::Expr *init) {
  if (!init)
    return nullptr;
  init = init->IgnoreImplicit()->IgnoreParenImpCasts();
  if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(init);
      made && made->getNumArgs() == 1 && made->getConstructor()->isCopyOrMoveConstructor())
    init = made->getArg(0)->IgnoreParenImpCasts();
  return nameIn(*init);
}

/// What decides whether the block of \p s is left by an exception before its end: what is asked there, and what is
/// given to what is called.
static Relations::Names decidingThrows(const clang::CXXTryStmt &s) {
  Relations::Names out = ofConditionsIn(*s.getTryBlock(), hangingOn);
  forEachStatement(s.getTryBlock(), [&](const clang::Stmt &inner) {
    const auto *call = llvm::dyn_cast<clang::CallExpr>(&inner);
    if (call && !llvm::isa<clang::CXXOperatorCallExpr, clang::CXXMemberCallExpr>(call))
      for (const clang::Expr *argument : call->arguments()) {
        const Relations::Names names = hangingOn(argument);
        out.insert(out.end(), names.begin(), names.end());
      }
  });
  return out;
}

/// Nothing goes on behind \p s that was thrown in it.
static bool letsNothingThrough(const clang::CXXTryStmt &s) {
  for (unsigned i = 0; i < s.getNumHandlers(); ++i) {
    const auto *block = llvm::dyn_cast<clang::CompoundStmt>(s.getHandler(i)->getHandlerBlock());
    const clang::Stmt *last = block && !block->body_empty() ? block->body_back() : nullptr;
    if (const auto *e = llvm::dyn_cast_or_null<clang::Expr>(last))
      last = e->IgnoreImplicit();
    if (!last || !llvm::isa<clang::ReturnStmt, clang::CXXThrowExpr>(last))
      return false;
  }
  return true;
}

/// One reading of a function's body.
class RelationReader {
public:
  explicit RelationReader(Relations &all) : r(all) {}
  void read(const clang::Stmt *s, unsigned depth = 0);

private:
  void readInner(const clang::Stmt &s, unsigned depth);
  void readChildren(const clang::Stmt &s, unsigned depth) {
    for (const clang::Stmt *child : s.children())
      read(child, depth + 1);
  }
  /// What is in \p s but the \p condition, under what that \p names.
  void readUnder(const Relations::Names &names, const clang::Stmt &s, unsigned depth, const clang::Expr *condition);
  void declare(const clang::VarDecl &v, const clang::Expr *init, unsigned depth);
  void readCall(const clang::CallExpr &call);
  /// What \p place leads to is changed by what \p from names; \p step: it counts by one.
  void change(const clang::Expr *place, Relations::Names from, int step);
  void change(const clang::Decl *v, const Relations::Names &from, int step);
  void changeOne(const clang::Decl *v, const Relations::Names &from, int step);

  Relations &r;
  Relations::Names control; ///< what the conditions around name
  unsigned loops = 0, conditions = 0;
  bool isIncrement = false;              ///< of a `for`: what it steps is the same number all through a trip
  const clang::Stmt *lastStep = nullptr; ///< of a `while`: the step that each trip ends with
  bool isLeftEarly = false;              ///< the innermost loop may be
};

void RelationReader::read(const clang::Stmt *s, unsigned depth) {
  constexpr unsigned deepest = 1'000; // a long chain of `else if` is nested as deep
  if (s && depth < deepest)
    readInner(*s, depth);
  else if (s)
    r.isCut = true;
}

void RelationReader::readUnder(const Relations::Names &names, const clang::Stmt &s, unsigned depth,
                               const clang::Expr *condition) {
  const std::size_t before = control.size();
  control.insert(control.end(), names.begin(), names.end());
  for (const clang::Stmt *child : s.children())
    if (child != condition)
      read(child, depth + 1);
  control.resize(before);
}

void RelationReader::declare(const clang::VarDecl &v, const clang::Expr *init, unsigned depth) {
  Relations::Variable &made = r.variables[&v];
  made.loops = loops;
  const clang::QualType type = v.getType();
  made.isContainer = type.getNonReferenceType()->isRecordType();
  const auto *construct = init ? llvm::dyn_cast<clang::CXXConstructExpr>(init->IgnoreImplicit()) : nullptr;
  made.holdsElements = init && !(construct && construct->getNumArgs() == 0);
  Relations::Names from = hangingOn(init);
  if (type->isReferenceType() || type->isPointerType())
    made.places = from;
  made.same = copied(init);
  if (const clang::Expr *container = leadsInto(init)) {
    made.elementOf = rootOf(container);
    made.isIterator = true;
  }
  made.isMade = !made.same && init;
  made.isMixed = !from.empty() && (type->isArithmeticType() || isChoice(type)) && isChosen(init);
  r.unite(&v, from);
  if (const auto *d = llvm::dyn_cast<clang::DecompositionDecl>(&v))
    for (const clang::BindingDecl *b : d->bindings())
      r.unite(b, {&v});
  read(init, depth + 1);
}

void RelationReader::change(const clang::Expr *place, Relations::Names from, int step) {
  const clang::Decl *root = rootOf(place);
  if (!root)
    return;
  // What is written where a pointer leads to leaves the pointer as it is.
  const auto *variable = llvm::dyn_cast<clang::ValueDecl>(root);
  if (!nameIn(*place->IgnoreParenCasts()) && variable && variable->getType()->isPointerType()) {
    r.variables[root].isWrittenThrough = true;
    const Relations::Names places = r.variables[root].places;
    for (const clang::Decl *at : places)
      change(at, from, 0);
    return;
  }
  const Relations::Names index = Relations::namesIn(place);
  from.insert(from.end(), index.begin(), index.end());
  from.insert(from.end(), control.begin(), control.end());
  change(root, from, nameIn(*place->IgnoreParenCasts()) ? step : 0);
}

void RelationReader::change(const clang::Decl *v, const Relations::Names &from, int step) {
  // A reference to a reference changes what that refers to.
  Relations::Names open{v};
  for (std::size_t i = 0; i < open.size(); ++i) {
    changeOne(open[i], from, i == 0 ? step : 0);
    for (const clang::Decl *at : r.variables[open[i]].places)
      if (std::ranges::find(open, at) == open.end())
        open.push_back(at);
  }
}

void RelationReader::changeOne(const clang::Decl *v, const Relations::Names &from, int step) {
  r.unite(v, from);
  if (const auto *value = llvm::dyn_cast<clang::ValueDecl>(v)) // its size hangs on what changes it
    if (const auto *record = value->getType().getNonReferenceType()->getAsCXXRecordDecl())
      r.unite(v, {record->getCanonicalDecl()});
  Relations::Variable &one = r.variables[v];
  if (const auto *value = llvm::dyn_cast<clang::ValueDecl>(v))
    one.isContainer = value->getType().getNonReferenceType()->isRecordType();
  const bool isCarried = loops > one.loops;
  one.steps = one.changes == 0 || one.steps == step ? step : 0;
  one.step = one.changes++ == 0 && conditions == 0 && isCarried && isIncrement ? step : 0;
  one.isLeftEarly = one.isLeftEarly || isLeftEarly;
  if (isCarried || conditions != 0) {
    one.isMixed = true;
    one.isCarried = one.isCarried || (one.isContainer && one.holdsElements);
  } else {
    one.holdsElements = true;
    one.isCarried = one.isCarried || (one.isContainer && one.isMixed);
  }
}

void RelationReader::readCall(const clang::CallExpr &call) {
  Relations::Names all;
  for (const clang::Expr *a : call.arguments())
    for (const clang::Decl *name : hangingOn(a))
      all.push_back(name);
  const auto *op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call);
  if (op &&
      (op->isAssignmentOp() || op->getOperator() == clang::OO_PlusPlus || op->getOperator() == clang::OO_MinusMinus))
    return change(op->getArg(0), all, 0);
  const clang::FunctionDecl *callee = call.getDirectCallee();
  constexpr std::array leading{"as_const", "begin", "cref", "data", "end", "forward", "get", "get_if", "move", "ref"};
  if (callee && callee->isInStdNamespace() && !llvm::isa<clang::CXXMethodDecl>(callee) &&
      std::ranges::find(leading, callee->getNameAsString()) != leading.end())
    return;
  if (const auto *method = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call))
    if (const clang::CXXMethodDecl *m = method->getMethodDecl(); m && !onlyLooks(*m))
      change(method->getImplicitObjectArgument(), all, 0);
  for (unsigned i = 0; callee && i < call.getNumArgs() && i < callee->getNumParams(); ++i) {
    const clang::QualType type = callee->getParamDecl(i)->getType();
    if ((type->isLValueReferenceType() || type->isPointerType()) && !type->getPointeeType().isConstQualified() &&
        !type->getPointeeType()->isFunctionType() && !op)
      change(call.getArg(i), all, 0);
  }
}

void RelationReader::readInner(const clang::Stmt &s, unsigned depth) {
  const llvm::SaveAndRestore stepping(isIncrement, isIncrement || &s == lastStep);
  if (isLoop(s)) {
    const llvm::SaveAndRestore ends(lastStep, lastStepOf(s));
    const Relations::Names condition = ofConditionsIn(s, hangingOn);
    const std::size_t leaves = countLeaves(s);
    const llvm::SaveAndRestore left(isLeftEarly, leaves != 0);
    if (leaves == 1)
      findStatement(&s, [&](const clang::Stmt &x) {
        if (const auto *decided = llvm::dyn_cast<clang::IfStmt>(&x); decided && countLeaves(x) == 1)
          r.soleLeaves.insert(decided->getCond());
        return Walk::On;
      });
    if (const auto *init = llvm::dyn_cast<clang::ForStmt>(&s)) // its variables are outside
      read(init->getInit(), depth + 1);
    const llvm::SaveAndRestore around(loops, loops + 1), under(conditions, 0U);
    if (const auto *range = llvm::dyn_cast<clang::CXXForRangeStmt>(&s); range && range->getLoopVariable()) {
      declare(*range->getLoopVariable(), range->getRangeInit(), depth);
      r.variables[range->getLoopVariable()].elementOf = rootOf(range->getRangeInit());
      const std::size_t before = control.size();
      control.insert(control.end(), condition.begin(), condition.end());
      read(range->getBody(), depth + 1);
      return control.resize(before);
    }
    const std::size_t before = control.size();
    control.insert(control.end(), condition.begin(), condition.end());
    const auto *counted = llvm::dyn_cast<clang::ForStmt>(&s);
    for (const clang::Stmt *child : s.children()) {
      const llvm::SaveAndRestore steps(isIncrement, counted && child == counted->getInc());
      if (isIncrement && !breaks(s)) { // there it comes to each trip that its own condition admits
        control.resize(before);
        const Relations::Names own = hangingOn(counted->getCond());
        control.insert(control.end(), own.begin(), own.end());
      }
      if (!counted || child != counted->getInit())
        read(child, depth + 1);
      control.resize(before);
      control.insert(control.end(), condition.begin(), condition.end());
    }
    return control.resize(before);
  }
  // What is written in the block, or by a handler, is so where nothing was thrown before, or something was.
  if (const auto *tried = llvm::dyn_cast<clang::CXXTryStmt>(&s); tried && !letsNothingThrough(*tried)) {
    const llvm::SaveAndRestore under(conditions, conditions + 1);
    return readUnder(decidingThrows(*tried), s, depth, nullptr);
  }
  if (const clang::Expr *condition = conditionOf(s)) {
    read(condition, depth + 1);
    const llvm::SaveAndRestore under(conditions, conditions + 1);
    return readUnder(hangingOn(condition), s, depth, condition);
  }
  if (const auto *d = llvm::dyn_cast<clang::DeclStmt>(&s)) {
    for (const clang::Decl *one : d->decls())
      if (const auto *v = llvm::dyn_cast<clang::VarDecl>(one))
        declare(*v, v->getInit(), depth);
    return;
  }
  if (const auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(&s)) {
    for (const clang::LambdaCapture &c : lambda->captures())
      if (c.capturesVariable() && llvm::isa<clang::VarDecl>(c.getCapturedVar()) &&
          llvm::cast<clang::VarDecl>(c.getCapturedVar())->isInitCapture())
        declare(*llvm::cast<clang::VarDecl>(c.getCapturedVar()),
                llvm::cast<clang::VarDecl>(c.getCapturedVar())->getInit(), depth);
    if (r.known.insert(lambda->getCallOperator()).second)
      read(lambda->getBody(), depth + 1);
    return;
  }
  if (const auto *b = llvm::dyn_cast<clang::BinaryOperator>(&s); b && b->isAssignmentOp()) {
    change(b->getLHS(), hangingOn(b->getRHS()), 0);
  } else if (const auto *u = llvm::dyn_cast<clang::UnaryOperator>(&s); u && u->isIncrementDecrementOp()) {
    change(u->getSubExpr(), {}, u->isIncrementOp() ? 1 : -1);
  } else if (const auto *call = llvm::dyn_cast<clang::CallExpr>(&s)) {
    readCall(*call);
  }
  readChildren(s, depth);
}

Relations::Names Relations::namesIn(const clang::Stmt *s) {
  Names out;
  if (s)
    forEachStatement(s, [&](const clang::Stmt &inner) {
      if (const clang::Decl *name = nameIn(inner))
        out.push_back(name);
    });
  return out;
}

/// Of what \p e says the value hangs on, by its spelling; never 0.
static std::uint64_t spelt(const clang::Expr &e, unsigned how, const clang::ASTContext &ast) {
  llvm::FoldingSetNodeID id;
  id.AddInteger(how);
  e.IgnoreParenImpCasts()->Profile(id, ast, true);
  return std::uint64_t{id.ComputeHash()} + 1;
}

/// What a function of nobody says may be the same each time.
static bool isOfFunction(const clang::CallExpr &call) {
  const clang::FunctionDecl *f = call.getDirectCallee();
  return f && !llvm::isa<clang::CXXOperatorCallExpr>(call) && !llvm::isa<clang::CXXMemberCallExpr>(call);
}

/// What the access \p e to the variable of \p use measures of it, or of what is got at by way of it.
static void addAspects(Use &use, const clang::Expr *e, const Domain &domain) {
  while (e) {
    e = e->IgnoreParenCasts();
    if (const auto *call = llvm::dyn_cast<clang::CXXMemberCallExpr>(e)) {
      use.method = call->getMethodDecl();
      use.aspects = call->getMethodDecl() ? domain.aspectsOf(*call->getMethodDecl()) : 0;
      if (use.aspects != 0)
        return;
      e = call->getImplicitObjectArgument();
    } else {
      bool isSize = false;
      e = accessedBy(*e, isSize);
    }
  }
}

/// \p e asks for the first element, or for one whose number is written, of a container.
static bool isElementAsked(const clang::Expr &e) {
  const auto *op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&e);
  const auto *call = llvm::dyn_cast<clang::CXXMemberCallExpr>(&e);
  const clang::CXXMethodDecl *method = call ? call->getMethodDecl() : nullptr;
  const clang::Expr *index = op && op->getOperator() == clang::OO_Subscript && op->getNumArgs() == 2 ? op->getArg(1)
                             : method && method->getIdentifier() && method->getName() == "at" && call->getNumArgs() == 1
                                 ? call->getArg(0)
                                 : nullptr;
  if (index)
    return llvm::isa<clang::IntegerLiteral, clang::StringLiteral>(plain(index));
  return method && method->getIdentifier() && method->getName() == "front";
}

/// What \p e asks of containers by way of \p root is asked of all of each: `m.count("a")` says something of
/// `m.empty()`. An element is asked of itself, too.
static void addContainers(std::vector<Use> &out, const clang::Decl &root, const clang::Expr &e, bool isSize,
                          const clang::ASTContext &ast) {
  bool isElement = isElementAsked(*plain(&e));
  for (const clang::Expr *next = &e; next;) {
    bool measures = false;
    const clang::Expr *inner = accessedBy(*plain(next), measures);
    if (!inner || !isContainerType(plain(inner)->getType())) {
      next = inner;
      if (next)
        isElement = isElementAsked(*plain(next));
      continue;
    }
    Use use{&root, spelt(*plain(inner), 3, ast), isSize};
    use.isElement = isElement;
    if (std::ranges::find(out, use) == out.end())
      out.push_back(use);
    next = plain(inner);
    isElement = isElementAsked(*next);
    isSize = false;
  }
}

std::vector<Use> Relations::usesIn(const clang::Stmt *s, const clang::ASTContext &ast, const Domain &domain) {
  std::vector<Use> out;
  findStatement(s, [&](const clang::Stmt &inner) {
    const auto *e = llvm::dyn_cast<clang::Expr>(&inner);
    bool isSize = false;
    const clang::Expr *object = e ? accessedBy(*e, isSize) : nullptr;
    // What is asked of a text is asked of all of it: `name[0]` says something of `name == "ab"`.
    const clang::Expr *text = e ? textAskedBy(*e) : nullptr;
    if (const clang::Decl *root = text ? rootOf(text) : nullptr) {
      const clang::Expr *pointer = pointerTo(*text); // `p->empty()`, `*p == "ab"`
      out.push_back({root, pointer ? spelt(*pointer, 2, ast) : nameIn(*text) ? 0 : spelt(*text, 0, ast)});
      for (const clang::Decl *name : namesIn(e))
        if (name != root)
          out.push_back({name, 0, false, root});
      return Walk::Past;
    }
    if (const clang::Decl *root = object ? rootOf(object) : nullptr) {
      if (domain.relatesAnswers())
        addContainers(out, *root, *e, isSize, ast);
      if (isSize)
        for (const Use &use : sizeOf(*object, ast, domain))
          out.push_back(use);
      else
        addAspects(out.emplace_back(Use{root, spelt(*e, 0, ast)}), e, domain);
      for (const clang::Decl *name : namesIn(e))
        if (name != root)
          out.push_back({name, 0, false, root});
      return Walk::Past;
    }
    if (const auto *call = e ? llvm::dyn_cast<clang::CallExpr>(e) : nullptr; call && isOfFunction(*call))
      out.push_back({call->getDirectCallee()->getCanonicalDecl(), spelt(*call, 0, ast)});
    if (const clang::Decl *name = nameIn(inner))
      out.push_back({name});
    return Walk::On;
  });
  return out;
}

std::vector<Use> Relations::sizeOf(const clang::Expr &container, const clang::ASTContext &ast, const Domain &domain) {
  const clang::Decl *root = rootOf(&container);
  if (!root)
    return usesIn(&container, ast, domain);
  std::vector<Use> out{{root, spelt(container, 1, ast), true, nullptr}};
  if (const clang::Decl *size = sizeNameOf(container)) // of which variables may hang on it
    out.push_back({size});
  return out;
}

Relations::Names Relations::namesInConditions(const clang::Stmt *loop) { return ofConditionsIn(*loop, namesIn); }

void Relations::read(const clang::FunctionDecl &f) {
  const clang::FunctionDecl *definition = nullptr;
  if (const clang::Stmt *body = f.getBody(definition); body && known.insert(definition).second)
    RelationReader(*this).read(body);
}

void Relations::bind(const clang::Decl *parameter, const clang::Expr &argument) {
  Variable &made = variables[parameter];
  const clang::Decl *whole = copied(&argument);
  made.isMade = made.isMade || !whole || (made.same && made.same != whole);
  made.same = whole;
  unite(parameter, namesIn(&argument));
}

const clang::Decl *Relations::groupOf(const clang::Decl *v) const {
  for (;;) {
    const auto at = variables.find(v);
    if (at == variables.end() || !at->second.above)
      return v;
    v = at->second.above;
  }
}

void Relations::unite(const clang::Decl *v, const Names &others) {
  Names &from = variables[v].from;
  for (const clang::Decl *other : others)
    if (other != v && std::ranges::find(from, other) == from.end())
      from.push_back(other);
  const clang::Decl *group = groupOf(v);
  for (const clang::Decl *other : others) {
    const clang::Decl *joined = groupOf(other);
    if (joined == group)
      continue;
    // The way up stays short where the lower of the two comes below the other.
    if (variables[joined].height > variables[group].height)
      std::swap(joined, group);
    variables[joined].above = group;
    variables[group].height = std::max(variables[group].height, variables[joined].height + 1);
  }
}

bool Relations::isGiven(const clang::Decl *v) const {
  for (unsigned i = 0; i < 16 && v; ++i) {
    const auto at = variables.find(v);
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(v);
    if (at == variables.end())
      return !variable || !variable->isLocalVarDecl();
    const Variable &one = at->second;
    if (one.isMade || one.changes != 0 || one.isWrittenThrough || one.elementOf)
      return false;
    if (!one.same)
      return !variable || !variable->isLocalVarDecl();
    v = one.same;
  }
  return false;
}

/// Two methods say something of one and the same.
static bool measureAlike(const Use &a, const Use &b) {
  return a.name == b.name && (a.aspects & b.aspects) != 0 && a.method != b.method;
}

bool Relations::areMeasuredAlike(std::span<const Use> a, std::span<const Use> b) {
  return std::ranges::any_of(
      a, [&](const Use &x) { return std::ranges::any_of(b, [&](const Use &y) { return measureAlike(x, y); }); });
}

bool Relations::areApart(const Use &a, const Use &b, bool atOnce) const {
  const auto onlySaysWhich = [&](const Use &use) { return use.indexOf && (atOnce || isGiven(use.indexOf)); };
  if (onlySaysWhich(a) || onlySaysWhich(b))
    return true;
  const auto isElementBeside = [&](const Use &element, const Use &size) {
    const auto at = variables.find(element.name);
    // Where an iterator leads is not what it leads to.
    return size.isSize && at != variables.end() && at->second.elementOf == size.name && isGiven(size.name) &&
           (element.access != 0 || !at->second.isIterator);
  };
  if (isElementBeside(a, b) || isElementBeside(b, a))
    return true;
  if (measureAlike(a, b))
    return false;
  // What some paths have left there says which parts belong together.
  const bool isSame = a.name == b.name && ((atOnce && !isMixed(a.name)) || isGiven(a.name));
  if (a.isElement && b.isElement && isSame)
    return true;
  const auto *variable = llvm::dyn_cast<clang::ValueDecl>(a.name);
  const auto leading = variables.find(a.name);
  const bool isPointer =
      (variable && variable->getType()->isPointerType()) || (leading != variables.end() && leading->second.isIterator);
  return isSame && a.access != b.access && ((a.access != 0 && b.access != 0) || isPointer);
}

bool Relations::areRelated(std::span<const Use> a, std::span<const Use> b, bool atOnce) const {
  return isCut || std::ranges::any_of(a, [&](const Use &x) {
           return std::ranges::any_of(
               b, [&](const Use &y) { return groupOf(x.name) == groupOf(y.name) && !areApart(x, y, atOnce); });
         });
}

std::optional<Relations::Origins> Relations::originsOf(const clang::Decl *v) const {
  constexpr std::size_t most = 1'024;
  Origins out{v};
  std::vector<const clang::Decl *> open{v};
  while (!open.empty()) {
    const auto at = variables.find(open.back());
    open.pop_back();
    if (at != variables.end())
      for (const clang::Decl *from : at->second.from)
        if (out.insert(from).second)
          open.push_back(from);
    if (out.size() > most)
      return std::nullopt;
  }
  return out;
}

bool Relations::haveCommonOrigin(std::span<const Use> a, std::span<const Use> b) const {
  if (isCut)
    return true;
  std::vector<std::optional<Origins>> ofB;
  for (const Use &y : b)
    ofB.push_back(originsOf(y.name));
  for (const Use &x : a) {
    const std::optional<Origins> ofX = originsOf(x.name);
    for (std::size_t i = 0; i < b.size(); ++i) {
      const std::optional<Origins> &ofY = ofB[i];
      if (x.name == b[i].name
              ? !areApart(x, b[i], false)
              : !ofX || !ofY || std::ranges::any_of(*ofY, [&](const clang::Decl *from) { return ofX->contains(from); }))
        return true;
    }
  }
  return false;
}

int Relations::counts(const clang::Decl *v) const {
  const auto at = variables.find(v);
  return at != variables.end() && at->second.changes == 1 ? at->second.step : 0;
}

int Relations::steps(const clang::Decl *v) const {
  const auto at = variables.find(v);
  return at == variables.end() ? 0 : at->second.steps;
}

bool Relations::isCarried(const clang::Decl *v) const {
  const auto at = variables.find(v);
  return at != variables.end() && at->second.isCarried && counts(v) == 0;
}

bool Relations::isMixed(const clang::Decl *v) const {
  const auto at = variables.find(v);
  return at != variables.end() && at->second.isMixed && counts(v) == 0;
}

bool Relations::isLeftEarly(const clang::Decl *v) const {
  const auto at = variables.find(v);
  return at != variables.end() && at->second.isLeftEarly;
}

} // namespace condlint::cxx
