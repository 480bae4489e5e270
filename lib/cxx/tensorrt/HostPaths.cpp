//===- HostPaths.cpp - Which path code takes where that is not known ------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostPaths.h"
#include "../interp/machine/StmtWalk.h"
#include "../interp/values/Tests.h"
#include <array>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/StmtCXX.h>
#include <fmt/format.h>
#include <utility>

namespace condlint::cxx {

namespace {

/// More would be more runs than anybody waits for, though each is made the other way once.
constexpr std::size_t mostChoices = 40;
/// So many that what the first trip leaves is met by another one.
constexpr unsigned tripsAssumed = 2;
constexpr std::string_view ofTrips = "how many trips a loop makes is not known; two were followed";

/// Finds an expression that a predicate holds for.
class Finder : public clang::DynamicRecursiveASTVisitor {
public:
  explicit Finder(const std::function<bool(const clang::Expr &)> &p) : predicate(p) { ShouldVisitImplicitCode = true; }
  bool found = false;
  bool VisitExpr(clang::Expr *e) override {
    if (llvm::isa<clang::CXXNullPtrLiteralExpr, clang::GNUNullExpr>(e))
      return true;
    if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(e); cast && cast->getCastKind() == clang::CK_NullToPointer)
      return true;
    found = found || predicate(*e);
    return !found;
  }

private:
  const std::function<bool(const clang::Expr &)> &predicate;
};

/// What \p q is made of compares numbers whose values are followed.
void markNumbers(HostQuestion &q, bool isFollowed) {
  q.byNumbers = isFollowed;
  for (HostQuestion &part : q.parts)
    markNumbers(part, isFollowed);
}

void mix(std::uint64_t &hash, std::uint64_t value) { hash = (hash ^ value) * 0x9e3779b97f4a7c15U + 0x7f4a7c15U; }

} // namespace

void HostPaths::begin(std::vector<unsigned> script, Mode mode) {
  stands = mode;
  bound.clear();
  prescribed = std::move(script);
  taken.clear();
  visits.clear();
  pathsOfTrips.clear();
  tripsMade.clear();
  tripsPlanned.clear();
  timesToLeave.clear();
  bounds.clear();
  sizes.clear();
  numbers.clear();
  conditions.clear();
  answered.clear();
  symbols = 0;
  overflow = false;
  early = false;
}

bool HostPaths::isBuilding(const clang::Stmt *s) {
  if (!s)
    return false;
  const auto [at, isNew] = known.try_emplace(s, false);
  if (isNew) {
    Finder finder(concerns);
    finder.TraverseStmt(const_cast<clang::Stmt *>(s));
    known[s] = finder.found;
    return finder.found;
  }
  return at->second;
}

/// What \p s does last.
static const clang::Stmt *lastOf(const clang::Stmt *s) {
  while (const auto *block = llvm::dyn_cast_or_null<clang::CompoundStmt>(s))
    s = block->body_empty() ? nullptr : block->body_back();
  return s;
}

HostPaths::Leaving HostPaths::leaves(const clang::Stmt *s) {
  s = lastOf(s);
  if (const auto *e = llvm::dyn_cast_or_null<clang::Expr>(s)) {
    e = e->IgnoreImplicit()->IgnoreParenCasts();
    const auto *call = llvm::dyn_cast<clang::CallExpr>(e);
    const bool ends = call && call->getDirectCallee() && call->getDirectCallee()->isNoReturn();
    return ends || llvm::isa<clang::CXXThrowExpr>(e) ? Leaving::Abort : Leaving::None;
  }
  return llvm::isa_and_nonnull<clang::ReturnStmt>(s) ? Leaving::Return : Leaving::None;
}

bool HostPaths::hasBegun(const clang::FunctionDecl &f, const clang::Stmt &arm) {
  const auto *body = llvm::dyn_cast_or_null<clang::CompoundStmt>(f.getBody());
  return !body || std::ranges::any_of(body->body(), [&](const clang::Stmt *s) {
    return s->getEndLoc() < arm.getBeginLoc() && isBuilding(s);
  });
}

bool HostPaths::isDone(const Machine &m, const clang::Stmt &arm) {
  const auto *back = llvm::dyn_cast_or_null<clang::ReturnStmt>(lastOf(&arm));
  const clang::Expr *e = back ? back->getRetValue() : nullptr;
  const clang::FunctionDecl *f = m.frames().back()->function;
  bool truth = false;
  return f && e && e->getType()->isBooleanType() && !e->isValueDependent() &&
         e->EvaluateAsBooleanCondition(truth, m.ast()) && truth && hasBegun(*f, arm);
}

bool HostPaths::givesUp(const Machine &m, const clang::CXXTryStmt &s) {
  if (m.frames().size() != 1)
    return false;
  for (unsigned i = 0; i < s.getNumHandlers(); ++i) {
    const clang::Stmt *handler = s.getHandler(i)->getHandlerBlock();
    const auto *back = llvm::dyn_cast_or_null<clang::ReturnStmt>(lastOf(handler));
    const clang::Expr *e = back ? back->getRetValue() : nullptr;
    bool truth = true;
    const bool isFailure =
        e && !e->isValueDependent() &&
        ((e->getType()->isBooleanType() && e->EvaluateAsBooleanCondition(truth, m.ast()) && !truth) ||
         llvm::isa<clang::CXXNullPtrLiteralExpr>(e->IgnoreParenCasts()));
    if (!isFailure && leaves(handler) != Leaving::Abort)
      return false;
  }
  return true;
}

bool HostPaths::isEarlyEnd(std::span<const clang::Stmt *const> arms, unsigned arm) {
  const clang::Stmt *const here = arms[arm], *const other = arms[1 - arm];
  return leaves(here) != Leaving::None && !isBuilding(here) && (isBuilding(other) || leaves(other) == Leaving::None);
}

void HostPaths::noteLeaving(const Machine &m, std::span<const clang::Stmt *const> arms, unsigned arm) {
  if (!early && arms.size() == 2 && !m.scouting() && m.path() == 0 && m.frames().size() == 1)
    early = isEarlyEnd(arms, arm);
}

std::optional<unsigned> HostPaths::choosePath(Machine &m, const clang::Stmt *at, unsigned paths, const Value &condition,
                                              std::span<const clang::Stmt *const> arms) {
  if (m.scouting() || m.path() != 0 || !at)
    return std::nullopt;
  if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(at))
    return chooseTrip(m, condition.number() ? condition.number()->test.get() : nullptr);
  if (llvm::isa<clang::CXXTryStmt>(at)) {
    // What is built when something fails is nobody's network.
    if (givesUp(m, *llvm::cast<clang::CXXTryStmt>(at)))
      return 0;
    noteBound("that nothing is thrown where it is caught");
    return stands == Mode::Run ? std::optional(0U) : std::nullopt;
  }
  const auto *test = llvm::dyn_cast<clang::IfStmt>(at);
  const clang::Expr *asked = arms.size() != 2 ? nullptr : test ? test->getCond() : llvm::dyn_cast<clang::Expr>(at);
  const Number *n = condition.number();
  HostQuestion written = asked ? HostConditions::questionOf(m, asked) : HostQuestion();
  const HostQuestion computed = asked && n ? questionOf(n->test.get()) : HostQuestion();
  markNumbers(written, !computed.words.empty() && !asksOrder(n->test.get()) && !asksMade(n->test.get(), false));
  auto answer = conditions.decided(written);
  if (!answer)
    answer = conditions.decided(computed);
  if (!answer && asked && n)
    answer = isEither(numbers, m, n->test.get());
  if (!answer && asked && n)
    answer = isAlways(numbers, m, n->test.get());
  if (answer) {
    noteLeaving(m, arms, *answer ? 0 : 1);
    return *answer ? 0 : 1;
  }
  auto chosen = chooseToLeave(m, *at, arms);
  const std::size_t before = taken.size();
  if (!chosen)
    chosen = chooseAnew(m, *at, paths, condition, arms);
  if (taken.size() != before)
    taken.back().doubtful = conditions.mayBeImplied(written) ||
                            (asked && mayHangTogether(m, *asked, n ? n->test.get() : nullptr, !written.words.empty()));
  if (asked && chosen) {
    noteAnswer(m, *asked, n ? n->test.get() : nullptr);
    conditions.assume(written, *chosen == 0);
    conditions.assume(computed, *chosen == 0);
    assumeEither(numbers, n ? n->test.get() : nullptr, *chosen == 0);
  }
  return chosen;
}

void HostPaths::noteAnswer(Machine &m, const clang::Expr &asked, const Test *test) {
  const std::set<std::uint32_t> about = numbersOf(test);
  Answered &entry = answered.try_emplace(&asked, Answered{{}, about, false}).first->second;
  if (entry.uses.empty())
    entry.uses = asked.getType()->isRecordType() ? Relations::sizeOf(asked, m.ast(), m.domain())
                                                 : Relations::usesIn(&asked, m.ast(), m.domain());
  if (entry.numbers != about)
    entry.numbers.clear();
  entry.isMade = entry.isMade || asksMade(test, false);
}

/// What `!`, `&&` and `||` make \p e of.
static void addParts(const clang::Expr *e, std::vector<const clang::Expr *> &out) {
  e = e->IgnoreParenImpCasts();
  const auto *no = llvm::dyn_cast<clang::UnaryOperator>(e);
  const auto *both = llvm::dyn_cast<clang::BinaryOperator>(e);
  if (no && no->getOpcode() == clang::UO_LNot) {
    addParts(no->getSubExpr(), out);
  } else if (both && both->isLogicalOp()) {
    addParts(both->getLHS(), out);
    addParts(both->getRHS(), out);
  } else {
    out.push_back(e);
  }
}

/// \p e asks about a container that the code has made.
static bool asksOwnContainer(const clang::Expr &e) {
  static constexpr std::array<llvm::StringRef, 9> containers{
      "vector", "map", "set", "unordered_map", "unordered_set", "multimap", "multiset", "deque", "list"};
  return std::ranges::any_of(Relations::namesIn(&e), [](const clang::Decl *name) {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(name);
    const clang::CXXRecordDecl *c =
        variable && variable->isLocalVarDecl() ? Machine::classOf(variable->getType()) : nullptr;
    return c && c->isInStdNamespace() && c->getIdentifier() &&
           std::ranges::find(containers, c->getName()) != containers.end();
  });
}

static bool haveSameNames(std::span<const Use> a, std::span<const Use> b) {
  const auto isIn = [](std::span<const Use> all) {
    return [all](const Use &use) { return std::ranges::find(all, use.name, &Use::name) != all.end(); };
  };
  return std::ranges::all_of(a, isIn(b)) && std::ranges::all_of(b, isIn(a));
}

bool HostPaths::mayHangTogether(Machine &m, const clang::Expr &asked, const Test *test, bool isRecognised) {
  const bool isMade = asksMade(test, asksOwnContainer(asked) || (!test && !isRecognised));
  if (!isMade && std::ranges::none_of(answered, [](const auto &entry) { return entry.second.isMade; }))
    return false;
  for (const auto &frame : m.frames())
    if (frame->function)
      relations.read(*frame->function);
  std::vector<const clang::Expr *> parts;
  addParts(&asked, parts);
  std::vector<std::vector<Use>> uses;
  for (const clang::Expr *part : parts)
    uses.push_back(Relations::usesIn(part, m.ast(), m.domain()));
  const std::set<std::uint32_t> about = numbersOf(test);
  const std::vector<std::set<std::uint32_t>> ofParts = numbersOfParts(test);
  // `n % 2 == 1 && n < 0` ask about two numbers that are made of the same.
  const auto isFollowed = [&](std::size_t i, std::size_t k) {
    return haveSameNames(uses[i], uses[k]) && (ofParts.size() != uses.size() || ofParts[i] == ofParts[k]);
  };
  for (std::size_t i = 0; i < uses.size(); ++i) {
    for (std::size_t k = 0; isMade && k < i; ++k)
      if (!isFollowed(i, k) && relations.haveCommonOrigin(uses[i], uses[k]))
        return true;
    const auto isAnswered = [&](const auto &entry) {
      const auto &[other, answer] = entry;
      const bool isKnown =
          (!about.empty() && answer.numbers == about) || (isRecognised && haveSameNames(uses[i], answer.uses));
      return !isKnown && (isMade || answer.isMade) && other != &asked &&
             relations.haveCommonOrigin(uses[i], answer.uses);
    };
    if (std::ranges::any_of(answered, isAnswered))
      return true;
  }
  return false;
}

/// The innermost loop of \p code around \p at that only a jump leaves; null: none.
static const clang::Stmt *endlessLoopAround(const clang::Stmt &code, const clang::Stmt &at,
                                            const clang::ASTContext &ast) {
  const clang::Stmt *innermost = nullptr;
  forEachStatement(&code, [&](const clang::Stmt &s) {
    const bool isLoop =
        llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt, clang::SwitchStmt>(s);
    const auto isAt = [&](const clang::Stmt &inner) { return &inner == &at ? Walk::Found : Walk::On; };
    if (isLoop && findStatement(&s, isAt))
      innermost = &s; // what is within it comes later
  });
  const clang::Expr *condition = nullptr;
  if (const auto *counting = llvm::dyn_cast_or_null<clang::ForStmt>(innermost))
    condition = counting->getCond();
  else if (const auto *asking = llvm::dyn_cast_or_null<clang::WhileStmt>(innermost))
    condition = asking->getCond();
  else if (const auto *doing = llvm::dyn_cast_or_null<clang::DoStmt>(innermost))
    condition = doing->getCond();
  else
    return nullptr;
  bool truth = true;
  const bool isFixed =
      !condition || (!condition->isValueDependent() && condition->EvaluateAsBooleanCondition(truth, ast));
  return isFixed && truth ? innermost : nullptr;
}

std::optional<unsigned> HostPaths::chooseToLeave(const Machine &m, const clang::Stmt &at,
                                                 std::span<const clang::Stmt *const> arms) {
  const clang::FunctionDecl *f = m.frames().empty() ? nullptr : m.frames().back()->function;
  if (arms.size() != 2 || !f || !f->getBody() || stands != Mode::Run)
    return std::nullopt;
  const auto isLeaving = [](const clang::Stmt *s) {
    return llvm::isa_and_nonnull<clang::BreakStmt, clang::ReturnStmt>(lastOf(s));
  };
  if (isLeaving(arms[0]) == isLeaving(arms[1]))
    return std::nullopt;
  const auto [entry, isNew] = endless.try_emplace(&at, false);
  if (isNew)
    endless[&at] = isBuilding(endlessLoopAround(*f->getBody(), at, m.ast()));
  if (!endless[&at])
    return std::nullopt;
  const unsigned arm = isLeaving(arms[0]) ? 0 : 1;
  noteBound(ofTrips);
  return ++timesToLeave[placeOf(m, at)] < tripsAssumed ? 1 - arm : arm;
}

std::optional<unsigned> HostPaths::chooseAnew(Machine &m, const clang::Stmt &at, unsigned paths, const Value &condition,
                                              std::span<const clang::Stmt *const> arms) {
  if (arms.size() != 2) {
    const auto *picking = llvm::dyn_cast<clang::SwitchStmt>(&at);
    const Pick pick = picking && !isBuilding(&at) ? pickIn(*picking) : Pick::None;
    return isBuilding(&at) || pick != Pick::None ? decide(m, at, paths, condition, false, pick) : std::nullopt;
  }
  const bool first = isBuilding(arms[0]);
  const bool second = isBuilding(arms[1]);
  Pick pick = first || second ? Pick::None : pickOf(m.ast(), arms);
  // A function that builds may give up there.
  if (const clang::FunctionDecl *f = m.frames().back()->function;
      pick == Pick::OtherReturned && (!f || isBuilding(f->getBody())))
    pick = Pick::None;
  // An early return because something is not as it should be: nothing is built
  // from there on.
  for (const unsigned arm : {0U, 1U})
    if (!isReturned(pick) && isEarlyEnd(arms, arm))
      return leaves(arms[arm]) == Leaving::Abort || (m.frames().size() == 1 && !isDone(m, *arms[arm]))
                 ? std::optional(1 - arm)
                 : chooseReturn(m, at, condition, arms, arm);
  if (!first && !second && pick == Pick::None)
    return std::nullopt;
  return decide(m, at, paths, condition, true, pick);
}

std::optional<unsigned> HostPaths::chooseReturn(Machine &m, const clang::Stmt &at, const Value &condition,
                                                std::span<const clang::Stmt *const> arms, unsigned arm) {
  const clang::FunctionDecl *f = m.frames().back()->function;
  if (!f || !isBuilding(f->getBody()))
    return std::nullopt;
  if (succeeds(m, *f, *arms[arm]))
    return decide(m, at, 2, condition, true, Pick::None);
  noteBound("that a function which is called does not give up");
  return stands == Mode::Run ? std::optional(1 - arm) : std::nullopt;
}

bool HostPaths::succeeds(const Machine &m, const clang::FunctionDecl &f, const clang::Stmt &arm) {
  const clang::Expr *e = llvm::cast<clang::ReturnStmt>(lastOf(&arm))->getRetValue();
  if (!e)
    return !hasBegun(f, arm);
  // That there is nothing is an answer as any other.
  const clang::CXXRecordDecl *result = f.getReturnType()->getAsCXXRecordDecl();
  if (result && result->isInStdNamespace() && result->getName() == "optional")
    return true;
  clang::Expr::EvalResult number;
  if (!e->isValueDependent() && e->getType()->isIntegralOrEnumerationType() && e->EvaluateAsInt(number, m.ast()))
    return e->getType()->isBooleanType() ? number.Val.getInt() != 0 : number.Val.getInt() >= 0;
  const auto *named = llvm::dyn_cast<clang::DeclRefExpr>(e->IgnoreParenImpCasts());
  return named && llvm::isa<clang::VarDecl>(named->getDecl());
}

std::uint64_t HostPaths::placeOf(const Machine &m, const clang::Stmt &at) {
  std::uint64_t place = 0;
  mix(place, at.getBeginLoc().getRawEncoding());
  for (const auto &frame : m.frames())
    mix(place, frame->site ? frame->site->getExprLoc().getRawEncoding() : 0);
  return place;
}

std::optional<unsigned> HostPaths::decide(Machine &m, const clang::Stmt &at, unsigned paths, const Value &condition,
                                          bool isPair, Pick pick) {
  if (stands == Mode::Joined)
    return std::nullopt;
  PathChoice d;
  const bool picks = pick != Pick::None;
  d.pick = pick;
  d.place = placeOf(m, at);
  const Number *n = condition.number();
  const auto *symbol = n ? dynamic_cast<const HostSymbol *>(n->source.get()) : nullptr;
  // The labels of a switch may be there for what must not be.
  d.fromOutside = isPair && ((symbol && symbol->given) || (n && n->test && n->test->isGiven()));
  // What the code itself fixes takes one path; which one is not known, so that neither is shown.
  if (!d.fromOutside && (!symbol || symbol->made) &&
      ((n && n->provenance <= Provenance::Fixed) || m.isDetermined(condition)))
    return std::nullopt;
  // A loop that looks for something finds it once: only what is configured takes one path in all trips.
  const bool isGivenSwitch = picks && !isPair && symbol && symbol->given;
  if ((m.assumedLoop() != 0 || (picks && !isGivenSwitch)) && !d.fromOutside)
    return std::nullopt;
  // What tells the last trip from the others does not.
  const std::pair trip(m.assumedLoop(), d.place);
  const bool isAlike = m.assumedLoop() != 0 && !(n && asksOnly(n->test.get(), bounds));
  if (const auto before = pathsOfTrips.find(trip); before != pathsOfTrips.end() && isAlike)
    return std::min(before->second, paths - 1);
  if ((picks && joined) || (isOther(pick) && othersJoined))
    return std::nullopt;
  if (taken.size() >= mostChoices) {
    overflow = true; // joined from here on
    return std::nullopt;
  }
  mix(d.place, visits[d.place]++);
  mix(d.place, d.fromOutside ? 1U : 0U);
  d.paths = paths;
  d.path = taken.size() < prescribed.size() ? std::min(prescribed[taken.size()], paths - 1) : 0;
  taken.push_back(d);
  pathsOfTrips.emplace(trip, d.path);
  return d.path;
}

/// The object of \p e, the call of a method \p names of a class of the standard library; null for anything else.
static const clang::Expr *objectOf(const clang::Expr *e, std::initializer_list<llvm::StringRef> names) {
  const auto *call = llvm::dyn_cast_or_null<clang::CXXMemberCallExpr>(e ? e->IgnoreImplicit() : nullptr);
  const clang::CXXMethodDecl *method = call && call->getNumArgs() == 0 ? call->getMethodDecl() : nullptr;
  const bool is = method && method->getParent()->isInStdNamespace() && method->getIdentifier() &&
                  std::ranges::find(names, method->getName()) != names.end();
  return is ? call->getImplicitObjectArgument() : nullptr;
}

/// The container that \p loop goes through from its first element on: `for (auto &x : all)`, `for (i = 0; i <
/// all.size(); …)`, `for (it = all.begin(); it != all.end(); …)`; null: none.
static const clang::Expr *containerOf(const clang::Stmt &loop) {
  if (const auto *range = llvm::dyn_cast<clang::CXXForRangeStmt>(&loop))
    return range->getRangeInit();
  const auto *counting = llvm::dyn_cast<clang::ForStmt>(&loop);
  const auto *begins = counting ? llvm::dyn_cast_or_null<clang::DeclStmt>(counting->getInit()) : nullptr;
  const auto *first = begins && counting->getCond() ? llvm::dyn_cast<clang::VarDecl>(*begins->decl_begin()) : nullptr;
  const clang::Expr *from = first && first->getInit() ? first->getInit()->IgnoreImplicit() : nullptr;
  if (!from)
    return nullptr;
  const clang::Expr *condition = counting->getCond()->IgnoreImplicit();
  if (const auto *rewritten = llvm::dyn_cast<clang::CXXRewrittenBinaryOperator>(condition))
    return objectOf(from, {"begin", "cbegin"}) ? objectOf(rewritten->getRHS(), {"end", "cend"}) : nullptr;
  if (const auto *differs = llvm::dyn_cast<clang::CXXOperatorCallExpr>(condition);
      differs && differs->getOperator() == clang::OO_ExclaimEqual)
    return objectOf(from, {"begin", "cbegin"}) ? objectOf(differs->getArg(1), {"end", "cend"}) : nullptr;
  const auto *below = llvm::dyn_cast<clang::BinaryOperator>(condition);
  const auto *zero = llvm::dyn_cast<clang::IntegerLiteral>(from->IgnoreParenImpCasts());
  const bool counts = below && zero && zero->getValue() == 0 &&
                      (below->getOpcode() == clang::BO_LT || below->getOpcode() == clang::BO_NE);
  return counts ? objectOf(below->getRHS()->IgnoreParenCasts(), {"size"}) : nullptr;
}

std::optional<unsigned> HostPaths::trips(Machine &m, const clang::Stmt &loop) {
  if (m.scouting() || m.path() != 0 || !isBuilding(&loop) || stands != Mode::Run)
    return std::nullopt;
  noteBound(ofTrips);
  const clang::Expr *container = containerOf(loop);
  planned = container ? tripsThrough(m, *container) : tripsAssumed;
  return planned;
}

/// How many elements \p container has, where that is a number that is not known and told from others.
static std::optional<Number> openSizeOf(Machine &m, const clang::Expr &container) {
  if (!container.isGLValue() || container.HasSideEffects(m.ast()))
    return std::nullopt;
  const Pointer at = m.lvalue(&container);
  const Value size = at.only() ? m.sizeOf(m.peek(*at.only(), container.getType())) : Value();
  const Number *n = size.number();
  return n && !n->known && n->source ? std::optional(*n) : std::nullopt;
}

unsigned HostPaths::tripsThrough(Machine &m, const clang::Expr &container) {
  const std::optional<Number> number = openSizeOf(m, container);
  const auto testOf = [&](clang::BinaryOperatorKind op, std::int64_t k) {
    return number ? compare(op, *number, Number::ofInteger(k)) : nullptr;
  };
  const auto decided = [&](clang::BinaryOperatorKind op, std::int64_t k) {
    const auto answer = conditions.decided(HostConditions::sizeOf(m, container, op, k));
    const auto test = answer ? nullptr : testOf(op, k);
    return test ? test->decided(m) : answer;
  };
  if (decided(clang::BO_EQ, 0).value_or(false))
    return 0;
  const unsigned trips = decided(clang::BO_GT, 1).value_or(true) ? tripsAssumed : 1;
  if (const HostQuestion size = HostConditions::sizeOf(m, container, clang::BO_EQ, trips);
      !size.words.empty() && conditions.decided(size).value_or(true))
    conditions.assume(size, true);
  if (!number)
    noteAnswer(m, container, nullptr);
  if (const auto test = testOf(clang::BO_EQ, trips); test && test->decided(m).value_or(true))
    test->assume(m, true);
  return trips;
}

std::optional<unsigned> HostPaths::chooseTrip(Machine &m, const Test *condition) {
  const unsigned made = ++tripsMade[m.assumedLoop()];
  const unsigned most = tripsPlanned.try_emplace(m.assumedLoop(), planned).first->second;
  const bool goesOn = made <= most;
  if (condition && goesOn)
    noteBound(*condition, true, made == most);
  return goesOn ? 0 : 1;
}

void HostPaths::noteBound(const Test &test, bool goesOn, bool isLast) {
  if (const auto *no = dynamic_cast<const NotTest *>(&test))
    return noteBound(no->denied(), !goesOn, isLast);
  if (const auto *both = dynamic_cast<const BothTest *>(&test)) {
    for (const Test *part : {both->left(), both->right()})
      if (part && goesOn)
        noteBound(*part, true, isLast);
    return;
  }
  const auto *host = dynamic_cast<const HostTest *>(&test);
  if (!host)
    return;
  bounds.insert(host->symbol);
  if (!isLast || host->counting == 0)
    return;
  // The next number that the loop counts to is where it ends.
  const std::int64_t end = host->constant + host->counting;
  const auto op = goesOn ? host->opcode : clang::BinaryOperator::negateComparisonOp(host->opcode);
  PossibleValues &values = numbers.anywhere(host->symbol);
  if ((op == clang::BO_NE || op == (host->counting > 0 ? clang::BO_GT : clang::BO_LT)) &&
      values.holds(clang::BO_EQ, end).value_or(true))
    values.restrict(clang::BO_EQ, end);
  else if (op == (host->counting > 0 ? clang::BO_GE : clang::BO_LE) &&
           values.holds(clang::BO_EQ, host->constant).value_or(true))
    values.restrict(clang::BO_EQ, host->constant);
}

std::shared_ptr<const Datum> HostPaths::newSymbol(std::shared_ptr<const Test> *test, bool given) {
  const auto symbol = std::make_shared<const HostSymbol>(symbols++, given);
  if (test)
    *test = std::make_shared<HostTest>(numbers, *symbol, clang::BO_NE, 0);
  return symbol;
}

std::shared_ptr<const Datum> HostPaths::newName(std::shared_ptr<const Test> *test) {
  const auto symbol = std::make_shared<const HostSymbol>(symbols++, false, true);
  if (test)
    *test = std::make_shared<HostTest>(numbers, *symbol, clang::BO_NE, 0);
  return symbol;
}

std::shared_ptr<const Datum> HostPaths::newSize(Machine &m, Dim size) {
  numbers.anywhere(symbols).restrict(clang::BO_GE, 0);
  auto symbol = newSymbol(nullptr, false);
  if (const auto name = m.dims().asSymbol(size))
    sizes.insert_or_assign(name->name, NamedSize{size, symbol});
  return symbol;
}

int HostPaths::countingOf(const Number &n) {
  const auto *symbol = n.known ? dynamic_cast<const HostSymbol *>(n.source.get()) : nullptr;
  if (!symbol)
    return 0;
  const PossibleValues &values = numbers.anywhere(symbol->number);
  const bool shrinks = values.holds(clang::BO_LE, n.integer).value_or(false);
  return shrinks ? -1 : 1; // of others only those are followed that grow
}

std::shared_ptr<const Test> HostPaths::compare(unsigned opcode, const Number &a, const Number &b) {
  const auto *left = dynamic_cast<const HostSymbol *>(a.source.get());
  const auto *right = dynamic_cast<const HostSymbol *>(b.source.get());
  const auto op = static_cast<clang::BinaryOperatorKind>(opcode);
  if (left && b.known && b.kind != Number::Kind::Floating)
    return std::make_shared<HostTest>(numbers, *left, op, b.integer, a.known ? 0 : countingOf(b));
  if (!a.known && !b.known && a.test && b.test && (op == clang::BO_EQ || op == clang::BO_NE)) {
    const auto both = alike(a.test, b.test);
    return op == clang::BO_EQ ? both : negated(both);
  }
  if (left && right && !a.known && !b.known)
    return orderOf(numbers, *left, op, *right);
  if (!right || !a.known || a.kind == Number::Kind::Floating)
    return nullptr;
  return std::make_shared<HostTest>(numbers, *right, mirrored(op), a.integer, b.known ? 0 : countingOf(a));
}

void HostPaths::nameSize(Machine &m, const Number &n) {
  if (const auto name = m.dims().asSymbol(n.dim))
    sizes.insert_or_assign(name->name, NamedSize{n.dim, n.source});
}

void HostPaths::nameMade(Machine &m, Dim size) {
  const Dim symbol = m.signedNumbers().symbolIn(m.dims(), size);
  const Interval all = m.signedNumbers().boundsOf(m.dims(), symbol);
  PossibleValues &values = numbers.anywhere(symbols);
  if (all.min != Interval().min)
    values.restrict(clang::BO_GE, all.min);
  if (all.max != Interval().max)
    values.restrict(clang::BO_LE, all.max);
  sizes.insert_or_assign(m.dims().asSymbol(symbol)->name, NamedSize{symbol, newName(nullptr)});
}

std::shared_ptr<const Test> HostPaths::compareSizes(Machine &m, unsigned opcode, const Number &a, const Number &b) {
  if (a.known == b.known || a.kind != Number::Kind::Integer || b.kind != Number::Kind::Integer)
    return nullptr;
  const Number &fixed = a.known ? a : b;
  const Dim size = a.known ? b.dim : a.dim;
  const auto names = m.dims().symbolsOf(size);
  if (names.size() == 1 && !m.signedNumbers().partsOf(names.front()).empty() && !sizes.contains(names.front().name))
    nameMade(m, size);
  const auto named = names.size() == 1 ? sizes.find(names.front().name) : sizes.end();
  const auto *symbol = named == sizes.end() ? nullptr : dynamic_cast<const HostSymbol *>(named->second.source.get());
  if (!symbol)
    return nullptr;
  const auto more = m.dims().asConstant(m.dims().sub(size, named->second.dim));
  std::int64_t constant = 0;
  if (!more || __builtin_sub_overflow(fixed.integer, *more, &constant))
    return nullptr;
  const auto op = static_cast<clang::BinaryOperatorKind>(opcode);
  return std::make_shared<HostTest>(numbers, *symbol, a.known ? mirrored(op) : op, constant, countingOf(fixed));
}

} // namespace condlint::cxx
