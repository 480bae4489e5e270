//===- Statements.cpp - Statements ----------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Statements.h"
#include "../values/Tests.h"
#include "AskedContainers.h"
#include "AssumedTrips.h"
#include "Construction.h"
#include "Expressions.h"
#include "Followers.h"
#include "Joins.h"
#include "Jumps.h"
#include "Lifetimes.h"
#include "LoopWays.h"
#include "Loops.h"
#include "Names.h"
#include "StmtWalk.h"
#include "Types.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/StmtCXX.h>
#include <clang/AST/StmtOpenMP.h>
#include <llvm/Support/SaveAndRestore.h>
#include <utility>

namespace condlint::cxx {

bool State::step() {
  if (stepsLeft == 0 || exhausted) {
    exhausted = true;
    return false;
  }
  --stepsLeft;
  repeatedSteps += repeating != 0 ? 1 : 0;
  return true;
}

namespace {

/// Whether a statement of the function itself, in \p in, is what \p wanted says; what a lambda does there is its own.
template <class Wanted> bool holds(const clang::Stmt *in, const Wanted &wanted) {
  return findStatement(in, [&](const clang::Stmt &s) {
    return wanted(s) ? Walk::Found : llvm::isa<clang::LambdaExpr>(s) ? Walk::Past : Walk::On;
  });
}

bool jumpsTo(const clang::Stmt *in, const clang::LabelDecl *label) {
  return holds(in, [&](const clang::Stmt &s) {
    const auto *jump = llvm::dyn_cast<clang::GotoStmt>(&s);
    return jump && jump->getLabel() == label;
  });
}

/// Behind the last statement of \p block from the label \p at on that jumps back to it; \p at without one.
clang::CompoundStmt::const_body_iterator backEdge(const clang::CompoundStmt &block,
                                                  clang::CompoundStmt::const_body_iterator at) {
  auto end = at;
  for (auto i = at; i != block.body_end(); ++i)
    if (jumpsTo(*i, llvm::cast<clang::LabelStmt>(*at)->getDecl()))
      end = i + 1;
  return end;
}

/// Whether \p jump goes back to a label of a block around it.
bool goesBack(const clang::GotoStmt &jump, const clang::Stmt *body) {
  return holds(body, [&](const clang::Stmt &s) {
    const auto *block = llvm::dyn_cast<clang::CompoundStmt>(&s);
    if (!block)
      return false;
    const auto label = std::find_if(block->body_begin(), block->body_end(), [&](const clang::Stmt *inner) {
      const auto *l = llvm::dyn_cast<clang::LabelStmt>(inner);
      return l && l->getDecl() == jump.getLabel();
    });
    return std::any_of(label, block->body_end(), [&](const clang::Stmt *inner) {
      return holds(inner, [&](const clang::Stmt &x) { return &x == &jump; });
    });
  });
}

/// What is declared in \p s, but not in a block of its own, ends with it.
bool isScope(const clang::Stmt &s) {
  return llvm::isa<clang::IfStmt, clang::SwitchStmt, clang::ForStmt, clang::WhileStmt, clang::DoStmt,
                   clang::CXXForRangeStmt, clang::CXXTryStmt, clang::Expr>(s);
}

} // namespace

void Machine::Statements::discard(const clang::Expr &e) {
  Value v = Expressions(m).evalInner(&e);
  if (m.isDead || !e.isPRValue() || !m.isDestroyed(e.getType()))
    return;
  const ObjectId o = m.newObject(std::move(v), e.getType());
  m.destroy(Pointer::to(o), e.getType());
}

void Machine::Statements::run(const clang::Stmt *s) {
  if (!s || m.isDead || !m.step())
    return;
  if (m.nestingDepth >= m.limits.nesting) {
    m.exhausted = true;
    return;
  }
  ++m.nestingDepth;
  const std::size_t before = m.lifetimes->living.size(), leftPaths = m.leftPaths.size();
  const std::size_t doubts = m.dom.doubts();
  switch (s->getStmtClass()) {
  case clang::Stmt::CompoundStmtClass:
    runBlock(*llvm::cast<clang::CompoundStmt>(s));
    break;
  case clang::Stmt::DeclStmtClass:
    runDecl(s);
    break;
  case clang::Stmt::IfStmtClass:
    runIf(*llvm::cast<clang::IfStmt>(s));
    break;
  case clang::Stmt::ReturnStmtClass:
    runReturn(*llvm::cast<clang::ReturnStmt>(s));
    break;
  case clang::Stmt::ForStmtClass: {
    const auto *f = llvm::cast<clang::ForStmt>(s);
    LoopWays(m).run(*f, [&] {
      run(f->getInit());
      Loops(m).runLoop({f, f->getConditionVariable(), f->getCond(), f->getInc(), nullptr, f->getBody(), false});
    });
    break;
  }
  case clang::Stmt::WhileStmtClass: {
    const auto *w = llvm::cast<clang::WhileStmt>(s);
    LoopWays(m).run(*w, [&] {
      Loops(m).runLoop({w, w->getConditionVariable(), w->getCond(), nullptr, nullptr, w->getBody(), false});
    });
    break;
  }
  case clang::Stmt::DoStmtClass: {
    const auto *d = llvm::cast<clang::DoStmt>(s);
    LoopWays(m).run(*d, [&] { Loops(m).runLoop({d, nullptr, d->getCond(), nullptr, nullptr, d->getBody(), true}); });
    break;
  }
  case clang::Stmt::CXXForRangeStmtClass:
    LoopWays(m).run(*s, [&] { runRange(*llvm::cast<clang::CXXForRangeStmt>(s)); });
    break;
  case clang::Stmt::SwitchStmtClass:
    runSwitch(*llvm::cast<clang::SwitchStmt>(s));
    break;
  case clang::Stmt::CXXTryStmtClass:
    runTry(*llvm::cast<clang::CXXTryStmt>(s));
    break;
  case clang::Stmt::BreakStmtClass:
    m.jumps->jump(m.jumps->breaks);
    break;
  case clang::Stmt::ContinueStmtClass:
    m.jumps->jump(m.jumps->continues);
    break;
  case clang::Stmt::AttributedStmtClass:
    run(llvm::cast<clang::AttributedStmt>(s)->getSubStmt());
    break;
  case clang::Stmt::LabelStmtClass:
    run(llvm::cast<clang::LabelStmt>(s)->getSubStmt());
    break;
  case clang::Stmt::CaseStmtClass:
  case clang::Stmt::DefaultStmtClass:
    run(llvm::cast<clang::SwitchCase>(s)->getSubStmt());
    break;
  case clang::Stmt::NullStmtClass:
    break;
  case clang::Stmt::GotoStmtClass:
    if (const auto to = std::ranges::find(m.jumps->labels, llvm::cast<clang::GotoStmt>(s)->getLabel(), &Label::decl);
        to != m.jumps->labels.end()) {
      m.jumps->jump(&to->jump);
      for (LeftPath &one : m.leftPaths)
        one.to = one.to == &to->jump ? static_cast<const void *>(to->decl) : one.to; // which stays where it is
      break;
    }
    if (goesBack(*llvm::cast<clang::GotoStmt>(s), m.stack.back()->function->getBody())) {
      // Its label was run for every trip. What only tries out what a trip writes goes on.
      m.isDead = m.isDead || !m.scouting();
      break;
    }
    [[fallthrough]];
  case clang::Stmt::IndirectGotoStmtClass:
    // Where it goes is not followed: nothing is claimed of what comes after.
    m.exhausted = true;
    break;
  case clang::Stmt::CoreturnStmtClass: {
    if (const clang::Expr *e = llvm::cast<clang::CoreturnStmt>(s)->getOperand())
      discard(*e);
    if (m.isDead || m.jumps->bodies.empty())
      break;
    // What its caller gets is the promise's affair.
    Body &body = *m.jumps->bodies.back();
    const Value v = m.unknown(m.stack.back()->function->getReturnType(), "what a coroutine returns");
    if (body.onReturn && *body.onReturn)
      (*body.onReturn)(v, nullptr);
    m.jumps->jump(&body.returns, v);
    break;
  }
  case clang::Stmt::CoroutineBodyStmtClass: // of a root: what calls one does not see into it
    run(llvm::cast<clang::CoroutineBodyStmt>(s)->getBody());
    break;
  default:
    if (const auto *directive = llvm::dyn_cast<clang::OMPExecutableDirective>(s)) {
      // In whichever order the trips are made.
      if (directive->hasAssociatedStmt())
        run(directive->getInnermostCapturedStmt()->getCapturedStmt());
    } else if (const auto *e = llvm::dyn_cast<clang::Expr>(s)) {
      if (e->isGLValue() && !llvm::isa<clang::CallExpr>(e->IgnoreParens()))
        m.lvalue(e); // not a use of what it names
      else
        discard(*e);
    }
    break;
  }
  if (m.lifetimes->living.size() != before && isScope(*s))
    m.lifetimes->leaveScope(before);
  if (llvm::isa<clang::CXXTryStmt>(s))
    m.dom.endDoubts(doubts);
  if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(s))
    Loops(m).leave(*s, leftPaths);
  --m.nestingDepth;
}

void Machine::Statements::runBlock(const clang::CompoundStmt &block) {
  const MarkScope scope(m.memory);
  const Followers::Bindings bindings(*m.leads);
  const std::size_t outer = m.jumps->labels.size();
  for (auto i = block.body_begin(); i != block.body_end(); ++i)
    if (const auto *l = llvm::dyn_cast<clang::LabelStmt>(*i);
        l && std::any_of(block.body_begin(), i, [&](const clang::Stmt *s) { return jumpsTo(s, l->getDecl()); }))
      m.jumps->labels.push_back({l->getDecl(), m.jumps->here()});
  const std::size_t before = m.lifetimes->living.size();
  for (auto i = block.body_begin(); i != block.body_end(); ++i) {
    // What is declared up to here outlives a jump to one of the labels.
    for (std::size_t k = outer; k < m.jumps->labels.size(); ++k)
      m.jumps->labels[k].jump.living = m.lifetimes->living.size();
    if (const auto *l = llvm::dyn_cast<clang::LabelStmt>(*i)) {
      if (outer < m.jumps->labels.size() && m.jumps->labels[outer].decl == l->getDecl()) {
        Jump here = std::move(m.jumps->labels[outer].jump);
        m.jumps->labels.erase(m.jumps->labels.begin() + static_cast<std::ptrdiff_t>(outer));
        std::erase_if(m.leftPaths, [&](const LeftPath &one) { return one.to == l->getDecl(); });
        m.jumps->land(here);
      }
      // A label that is jumped back to is the head of a loop: what is assigned in it is
      // not known there.
      if (const auto end = backEdge(block, i); end != i) {
        m.dom.onBound(m, "a jump back to a label");
        m.summariseLoop([&] {
          for (auto k = i; k != end && m.scouting(); ++k)
            run(*k);
        });
      }
    }
    run(*i);
  }
  m.lifetimes->leaveScope(before);
}

void Machine::Statements::runDecl(const clang::Stmt *s) {
  for (const clang::Decl *d : llvm::cast<clang::DeclStmt>(s)->decls())
    if (const auto *v = llvm::dyn_cast<clang::VarDecl>(d); v && !m.isDead)
      runVariable(*v);
}

void Machine::Statements::initialiseOnce(const clang::VarDecl &v) {
  const clang::Expr *init = v.getInit();
  if (m.regionDepth == 0 || m.isDead || !init || init->isValueDependent() || v.hasConstantInitialization())
    return;
  // Who comes first makes it, and that may be this branch; what it holds is anybody's.
  m.fork(
      [&] {
        if (v.getType()->isReferenceType())
          m.lvalue(init);
        else
          Construction(m).initialise(Pointer::to(m.newObject(Value(), v.getType())), v.getType(), init);
      },
      [] {});
}

void Machine::Statements::runVariable(const clang::VarDecl &v) {
  Frame &f = *m.stack.back();
  if (v.isStaticLocal()) {
    f.variables[&v] = Expressions(m).globalVariable(v);
    initialiseOnce(v);
    return;
  }
  if (v.hasGlobalStorage())
    return;
  if (v.getType()->isReferenceType()) {
    f.variables[&v] = v.getInit() ? m.lvalue(v.getInit()) : Pointer::unknown();
    m.leads->noteBound(v, f.variables[&v]);
    m.lifetimes->adoptExtended();
  } else {
    const clang::QualType type = v.getType();
    const clang::Expr *init = v.getInit();
    // The object is there before its constructor runs: what the constructor
    // keeps of it stays right.
    const ObjectId o = m.newObject(Value(), type, Storage::Local, &v);
    f.variables[&v] = Pointer::to(o);
    if (!init)
      m.memory.set(o, m.defaultValue(type, false));
    else
      Construction(m).initialise(Pointer::to(o), type, init);
    const bool isOpen =
        m.dom.relatesAnswers() && init && m.memory.get(o).number() && (asksText(init) || asksContainer(init));
    if (const Value held = m.memory.get(o); !isOpen && (held.number() || held.record()))
      m.memory.set(o, withOpenName(m, held));
    m.lifetimes->adoptExtended();
    m.lifetimes->keepAlive(o);
  }
  if (const auto *d = llvm::dyn_cast<clang::DecompositionDecl>(&v)) {
    // Tuples are lists here: the i-th name is the i-th element.
    const Pointer whole = f.variables[&v];
    for (std::size_t i = 0; i < d->bindings().size(); ++i)
      if (d->bindings()[i]->getHoldingVar())
        m.leads->noteBound(*d->bindings()[i],
                           f.variables[d->bindings()[i]] = whole.then(Step::ofIndex(static_cast<std::int64_t>(i))));
  }
}

Value Machine::Statements::conditionOf(const clang::VarDecl *variable, const clang::Expr *condition) {
  if (variable)
    runVariable(*variable);
  return condition ? m.eval(condition) : Value(Number::boolean(true));
}

std::shared_ptr<const Test> testOf(Machine &m, const Value &value, const clang::Stmt *e) {
  const Number *n = value.number();
  const auto *condition = llvm::dyn_cast_or_null<clang::Expr>(e);
  if ((n && n->test) || !condition)
    return n ? n->test : nullptr;
  return m.domain().question(m, *condition);
}

void Machine::Statements::branchOn(const Value &condition, const std::function<void()> &yes,
                                   const std::function<void()> &no, const clang::Stmt *at, const clang::Stmt *yesArm,
                                   const clang::Stmt *noArm) {
  if (m.isDead)
    return;
  const Number *n = condition.number();
  const clang::Stmt *const arms[] = {yesArm, noArm};
  if (const auto certain = n ? truthIn(m, *n) : std::nullopt) {
    const bool truth = *certain;
    m.dom.onDecided(m, arms, truth ? 0 : 1);
    const std::shared_ptr<const Test> known = n->test;
    const std::size_t before = m.failures;
    truth ? yes() : no();
    if (m.isDead && m.failures != before && known)
      known->refuted(m, !truth);
    return;
  }
  const auto *decided = llvm::dyn_cast_or_null<clang::IfStmt>(at);
  const clang::Stmt *const asked = decided ? decided->getCond() : at;
  const std::shared_ptr<const Test> test = testOf(m, condition, asked);
  if (const auto truth = test ? test->decided(m) : std::nullopt) {
    m.dom.onDecided(m, arms, *truth ? 0 : 1);
    return *truth ? yes() : no();
  }
  if (m.way)
    return follow({condition, asked, test, at}, yes, no, m.way->choose(m, condition, asked, test.get()));
  const auto path = m.dom.choosePath(m, at, 2, condition, arms);
  follow({condition, asked, test, at}, yes, no, path ? std::optional(*path == 0) : std::nullopt);
}

void Machine::Statements::follow(const Followed &what, const std::function<void()> &yes,
                                 const std::function<void()> &no, std::optional<bool> only) {
  const auto &[condition, asked, test, at] = what;
  const std::size_t outer = m.conditions.size(), leftBefore = m.leftPaths.size();
  bool isLeft[2] = {false, false}, isUnsure[2] = {false, false}, endsInDoubt[2] = {false, false};
  bool inDoubt[2] = {false, false};
  const std::size_t doubts = m.dom.doubts();
  const auto go = [&](bool truth) {
    const std::size_t within = m.dom.doubts(), arm = truth ? 0 : 1;
    if (isUnsure[arm])
      m.dom.beginDoubt(m, m.jumps->doubted = at);
    const std::size_t inner = m.dom.doubts(), leftPaths = m.leftPaths.size();
    m.conditions.resize(outer);
    m.conditions.add(asked, test.get());
    if (test)
      test->assume(m, truth);
    truth ? yes() : no();
    m.conditions.resize(outer);
    m.jumps->leftUnder(leftPaths, asked, test, truth);
    endsInDoubt[arm] = m.dom.doubts() > inner;
    inDoubt[arm] = m.dom.doubts() > within;
    m.dom.endDoubts(within);
    isLeft[arm] = m.isDead;
    m.jumps->chosen = test;
  };
  if (only) {
    go(*only);
    m.jumps->chosen = nullptr;
    return;
  }
  const bool isDoubt = m.isDetermined(condition);
  for (const bool truth : {true, false})
    isUnsure[truth ? 0 : 1] = !isDoubt && m.conditions.isUnsure(m.dom, asked, test.get(), truth);
  if (isDoubt)
    m.dom.beginDoubt(m, m.jumps->doubted = at);
  m.fork([&] { go(true); }, [&] { go(false); }, {isDoubt, m.conditions.lastNumber() + 1, m.conditions.asked(asked), {}},
         inDoubt);
  m.jumps->chosen = nullptr;
  if (!m.isDead)
    m.raised = nullptr;
  if (isLeft[0] != isLeft[1])
    m.conditions.add(asked, test.get()); // what follows runs on one of the two paths alone
  m.jumps->assumeNotLeft(leftBefore, 2); // and on none that was left within them
  m.dom.endDoubts(doubts);
  // Where one path was left, what follows runs or not as the other does.
  const auto staysInDoubt = [&](unsigned arm) {
    return isLeft[arm] || endsInDoubt[arm] || (isLeft[1 - arm] && (isDoubt || isUnsure[arm]));
  };
  if (!m.isDead && staysInDoubt(0) && staysInDoubt(1))
    m.dom.beginDoubt(m, m.jumps->doubted = at);
}

void Machine::Statements::runIf(const clang::IfStmt &s) {
  if (s.isConsteval())
    return run(s.isNonNegatedConsteval() ? s.getElse() : s.getThen());
  run(s.getInit());
  const Value condition = conditionOf(s.getConditionVariable(), s.getCond());
  branchOn(condition, [&] { run(s.getThen()); }, [&] { run(s.getElse()); }, &s, s.getThen(), s.getElse());
}

void Machine::Statements::runReturn(const clang::ReturnStmt &s) {
  if (m.jumps->bodies.empty())
    return;
  Body &body = *m.jumps->bodies.back();
  Value v = Void{};
  ObjectId returned;
  if (const clang::Expr *e = s.getRetValue()) {
    const clang::FunctionDecl *f = m.stack.back()->function;
    // A variable that is built where the result is needs neither a move nor an end.
    const clang::VarDecl *same = s.getNRVOCandidate();
    if (same && same->isNRVOVariable() && Machine::classOf(same->getType())) {
      const Pointer at = Expressions(m).variable(*same, e);
      v = m.load(at, e, same->getType());
      if (const Place *only = at.only()) {
        returned = only->object;
        m.lifetimes->loseDeleter(returned);
        m.leads->departWhole(*only, v);
        v = m.leads->leaving(std::move(v));
      }
    } else if (f && f->getReturnType()->isReferenceType() && e->isGLValue())
      v = m.lvalue(e);
    else
      v = m.eval(e);
  }
  if (m.isDead)
    return;
  if (body.onReturn && *body.onReturn)
    (*body.onReturn)(v, &s);
  m.jumps->jump(&body.returns, std::move(v), returned);
}

Machine::Jump Machine::Jumps::here() {
  return {m.memory.mark(),
          m.lifetimes->living.size(),
          m.openForks,
          m.conditions.size(),
          m.conditions.lastNumber(),
          m.pathNumber,
          left.size(),
          m.dom.doubts(),
          m.failures,
          m.leftPaths.size()};
}

void Machine::Jumps::jump(Jump *to, Value v, ObjectId returned) {
  if (m.isDead)
    return;
  if (to)
    m.lifetimes->endLives(to->living, returned);
  if (m.isDead)
    return;
  m.endPath();
  m.leftPaths.back().to = to;
  m.raised = nullptr;
  if (to) {
    noteAsked(*to);
    to->isCertain = to->isCertain || m.dom.doubts() <= to->doubts;
    if (to->path != m.pathNumber)
      left.push_back(to);
    settle(to->mark, to->conditions);
    to->exits.push_back({m.memory.changes(to->mark), std::move(v), m.dom.doubts() > to->doubts});
  } else {
    m.exhausted = true;
  }
}

void Machine::Jumps::leftUnder(std::size_t from, const clang::Stmt *condition, const std::shared_ptr<const Test> &test,
                               bool truth) {
  constexpr std::size_t most = 8; // of which it is followed what held on each
  for (std::size_t i = from; i < m.leftPaths.size(); ++i) {
    LeftPath &one = m.leftPaths[i];
    one.asked.push_back(condition);
    one.isKept = one.isKept && test && test->isKept();
    const std::shared_ptr<const Test> held = !one.isKept ? nullptr : truth ? test : negated(test);
    one.test = held && one.test ? std::make_shared<BothTest>(held, one.test) : held;
  }
  if (m.leftPaths.size() > from + most)
    leftIn(from, condition);
}

void Machine::Jumps::leftIn(std::size_t from, const clang::Stmt *by) {
  constexpr std::size_t most = 32; // a null pointer stands for those beyond
  std::vector<LeftPath> &all = m.leftPaths;
  std::vector<LeftPath> each; // one for each place that they lead to
  for (std::size_t i = from; i < all.size(); ++i) {
    auto same = std::ranges::find(each, all[i].to, &LeftPath::to);
    if (same == each.end()) {
      each.push_back({all[i].to, nullptr, false, {}});
      if (by)
        each.back().asked.push_back(by);
      same = std::prev(each.end());
    }
    for (const clang::Stmt *s : all[i].asked)
      if (same->asked.size() <= most && std::ranges::find(same->asked, s) == same->asked.end())
        same->asked.push_back(same->asked.size() < most ? s : nullptr);
  }
  all.resize(std::min(from, all.size()));
  std::ranges::move(each, std::back_inserter(all));
}

void Machine::Jumps::assumeNotLeft(std::size_t from, std::size_t least) {
  for (std::size_t i = from; i < m.leftPaths.size() && !m.isDead; ++i) {
    const LeftPath one = m.leftPaths[i];
    if (one.asked.size() < least)
      continue;
    if (one.test)
      one.test->assume(m, false);
    for (const clang::Stmt *s : one.asked)
      if (s)
        m.conditions.add(s, one.test.get());
      else
        m.conditions.addAnything();
  }
}

void Machine::Jumps::settle(Store::Mark mark, std::size_t decided) {
  if (m.isDead || m.conditions.size() <= decided)
    return;
  for (const auto &[object, value] : m.memory.changes(mark))
    if (value.token())
      if (Value known = m.dom.onThisWay(m, value); !known.same(value))
        m.memory.set(object, std::move(known));
}

void Machine::Jumps::noteAsked(Jump &to) { m.conditions.addAsked(to.asked, to.conditions); }

Machine::Jumps::Exits Machine::Jumps::exits() const {
  Exits now{left.size(), breaks ? breaks->exits.size() : 0, continues ? continues->exits.size() : 0,
            bodies.empty() ? 0 : bodies.back()->returns.exits.size()};
  for (const Label &l : labels)
    now.labels.push_back(l.jump.exits.size());
  return now;
}

void Machine::Jumps::forgetBehind(const Exits &before) {
  left.resize(std::min(before.left, left.size()));
  if (breaks)
    breaks->exits.resize(before.breaks);
  if (continues)
    continues->exits.resize(before.continues);
  if (!bodies.empty())
    bodies.back()->returns.exits.resize(before.returns);
  for (std::size_t i = 0; i < before.labels.size(); ++i)
    labels[i].jump.exits.resize(before.labels[i]);
}

void Machine::Jumps::land(Jump &from, Value *result) {
  left.erase(
      std::remove(left.begin() + static_cast<std::ptrdiff_t>(std::min(from.leaving, left.size())), left.end(), &from),
      left.end());
  std::vector<LeftPath> &all = m.leftPaths;
  all.erase(std::remove_if(all.begin() + static_cast<std::ptrdiff_t>(std::min(from.leftPaths, all.size())), all.end(),
                           [&](const LeftPath &l) { return l.to == &from; }),
            all.end());
  m.pathNumber = from.path;
  const bool isInDoubt = m.dom.doubts() > from.doubts;
  // Where some left for further out, it is as certain that one comes here as it is that the others do not.
  const bool isCertain = from.isCertain || (!m.isDead && m.dom.doubts() <= from.doubts) ||
                         (left.size() <= from.leaving && m.failures == from.failures);
  m.dom.endDoubts(from.doubts);
  if (!isCertain && doubted && (!m.isDead || !from.exits.empty()))
    m.dom.beginDoubt(m, doubted);
  setExitsApart(from.leaving);
  if (!m.isDead) {
    noteAsked(from);
    settle(from.mark, from.conditions);
    from.exits.push_back({m.memory.changes(from.mark), Void{}, isInDoubt});
  }
  if (from.exits.empty()) {
    m.isDead = true;
    return;
  }
  m.memory.undo(from.mark);
  m.isDead = false;
  m.raised = nullptr;
  if (from.exits.size() == 1) {
    m.memory.apply(from.exits.front().delta);
    if (result)
      *result = from.exits.front().value;
    return;
  }
  std::vector<const Delta *> deltas;
  llvm::SmallVector<bool> inDoubt;
  for (const Exit &e : from.exits) {
    deltas.push_back(&e.delta);
    inDoubt.push_back(e.isInDoubt);
  }
  // The paths here were chosen by what is determined where nothing else was asked on the path.
  const llvm::SaveAndRestore where(
      m.met, JoinPoint{m.openForks == from.openForks, from.condition + 1, std::move(from.asked), {}});
  Joins(m).mergeDeltas(deltas, m.met, inDoubt);
  if (result) {
    Joins::OneByOne joined(m);
    for (const Exit &e : from.exits)
      joined.add(e.value, e.isInDoubt);
    *result = joined.all();
  }
}

void Machine::Statements::enterHandlers(const Trace &written) {
  // An exception may come from anywhere in the block: each variable holds what it held
  // before, or anything that was written to it on whichever path.
  std::vector<Delta> states(Trace::most + 1);
  for (const Trace::Entry &e : written.entries()) {
    for (std::size_t i = 0; i < e.values.size(); ++i)
      states[i].emplace_back(e.object, e.values[i]);
    if (e.overflown)
      states.back().emplace_back(e.object,
                                 m.havoc(e.values.back(), m.reason("assigned many times before an exception")));
  }
  const Delta before;
  std::vector<const Delta *> all{&before};
  for (const Delta &d : states)
    if (!d.empty())
      all.push_back(&d);
  Joins(m).mergeDeltas(all, {});
}

/// An exception of the type \p thrown ends in \p handler.
static bool isCaughtBy(const clang::CXXCatchStmt &handler, clang::QualType thrown) {
  if (handler.getCaughtType().isNull())
    return true; // `catch (...)`
  const clang::QualType caught = handler.getCaughtType().getNonReferenceType().getCanonicalType().getUnqualifiedType();
  thrown = thrown.getCanonicalType().getUnqualifiedType();
  const auto *base = caught->getAsCXXRecordDecl(), *made = thrown->getAsCXXRecordDecl();
  return caught == thrown || (base && made && made->hasDefinition() && made->isDerivedFrom(base));
}

std::optional<unsigned> handlerOf(const clang::CXXTryStmt &s, clang::QualType thrown) {
  for (unsigned i = 0; i < s.getNumHandlers(); ++i)
    if (isCaughtBy(*s.getHandler(i), thrown))
      return i;
  return std::nullopt;
}

void Machine::Statements::runInTry(const clang::CXXTryStmt &s) {
  m.jumps->tries.emplace_back(&s, m.lifetimes->living.size());
  run(s.getTryBlock());
  m.jumps->tries.pop_back();
}

void Machine::Statements::runHandler(const clang::CXXCatchStmt &handler, const clang::CXXThrowExpr *from,
                                     const Value &what) {
  if (const clang::VarDecl *thrown = handler.getExceptionDecl()) {
    const clang::QualType type = thrown->getType().getNonReferenceType();
    // Of an object of a derived class a handler for its base sees a part.
    const bool isWhole = from && m.ast().hasSameUnqualifiedType(from->getSubExpr()->getType(), type);
    m.stack.back()->variables[thrown] =
        Pointer::to(m.newObject(isWhole ? what : m.unknown(type, "what was thrown"), type, Storage::Local, thrown));
  }
  m.jumps->caught.emplace_back(from, what);
  run(handler.getHandlerBlock());
  m.jumps->caught.pop_back();
}

bool Machine::Statements::runCertainHandler(const clang::CXXTryStmt &s) {
  const clang::CXXThrowExpr *thrown = m.isDead ? std::exchange(m.raised, nullptr) : nullptr;
  const auto handler = thrown && thrown->getSubExpr() ? handlerOf(s, thrown->getSubExpr()->getType()) : std::nullopt;
  if (!handler) {
    m.raised = thrown; // whoever is around may catch it
    return false;
  }
  m.isDead = false;
  runHandler(*s.getHandler(*handler), thrown, std::exchange(m.thrown, Value()));
  return true;
}

/// The block alone is followed: a handler only where the block ends in what it catches for certain.
void Machine::Statements::runTryBlock(const clang::CXXTryStmt &s) {
  m.raised = nullptr;
  runInTry(s);
  runCertainHandler(s);
}

void Machine::Statements::runTry(const clang::CXXTryStmt &s) {
  if (const auto path = m.dom.choosePath(m, &s, 2, Value(), {}); path && *path == 0)
    return runTryBlock(s);
  Trace written;
  const std::function<void(unsigned)> handlers = [&](unsigned i) {
    if (i + 1 >= s.getNumHandlers())
      return runHandler(*s.getHandler(i), nullptr, {});
    m.fork([&] { runHandler(*s.getHandler(i), nullptr, {}); }, [&] { handlers(i + 1); });
  };
  const std::size_t leftBefore = m.leftPaths.size(), conditionsBefore = m.conditions.size();
  // What is asked in the block says which way it was left.
  JoinPoint where{false, m.conditions.lastNumber() + 1, m.conditions.asked(&s), {}};
  bool inDoubt[2] = {false, false};
  m.raised = nullptr;
  m.fork(
      [&] {
        {
          const TraceScope scope(m.memory, written);
          runInTry(s);
        }
        inDoubt[0] = m.conditions.size() > conditionsBefore; // what it asked before it was left is forgotten
        m.conditions.resize(conditionsBefore); // behind it that is no longer so: what was thrown is caught
        // What was thrown may be caught, and gone on from.
        m.leftPaths.erase(std::remove_if(m.leftPaths.begin() + static_cast<std::ptrdiff_t>(leftBefore),
                                         m.leftPaths.end(), [](const LeftPath &l) { return !l.to; }),
                          m.leftPaths.end());
        inDoubt[1] = runCertainHandler(s);
      },
      [&] {
        // Where it is known what the block ends in, it is not that it ends in something else before.
        const std::size_t doubts = m.dom.doubts();
        if (inDoubt[1])
          m.dom.beginDoubt(m, m.jumps->doubted = &s);
        enterHandlers(written);
        if (s.getNumHandlers() != 0 && s.getNumHandlers() <= 16)
          handlers(0);
        m.dom.endDoubts(doubts);
      },
      std::move(where), inDoubt);
  m.jumps->leftIn(leftBefore, &s);
  m.jumps->assumeNotLeft(leftBefore);
}

} // namespace condlint::cxx
