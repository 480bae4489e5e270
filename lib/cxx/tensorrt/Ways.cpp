//===- Ways.cpp - Which way code goes where that is not known -------------- -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ways.h"
#include "Picks.h"
#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/AST/StmtCXX.h>

namespace condlint::cxx {

namespace {

/// More would be more runs than anybody waits for.
constexpr std::size_t mostDecisions = 12;

/// A number that is given from outside, or that code which is not seen gives back.
class HostSymbol : public Datum {
public:
  HostSymbol(std::uint32_t n, bool fromOutside) : number(n), given(fromOutside) {}
  bool equals(const Datum &other) const override {
    const auto *o = dynamic_cast<const HostSymbol *>(&other);
    return o && o->number == number;
  }
  std::uint32_t number;
  bool given;
};

class HostTest : public Test {
public:
  HostTest(Ways &w, const HostSymbol &s, clang::BinaryOperatorKind op, std::int64_t c)
      : ways(w), symbol(s.number), given(s.given), opcode(op), constant(c) {}
  bool isGiven() const override { return given; }
  void assume(Machine &m, bool truth) const override {
    // What holds on one of two paths that are joined later holds there alone.
    if (m.path() == 0 && !m.scouting())
      ways.numbers[symbol].restrict(truth ? opcode : clang::BinaryOperator::negateComparisonOp(opcode), constant);
  }
  std::optional<bool> decided(Machine &) const override {
    const auto known = ways.numbers.find(symbol);
    return known == ways.numbers.end() ? std::nullopt : known->second.holds(opcode, constant);
  }

private:
  Ways &ways;
  std::uint32_t symbol;
  bool given;
  clang::BinaryOperatorKind opcode;
  std::int64_t constant;
};

/// Finds an expression that a predicate holds for.
class Finder : public clang::RecursiveASTVisitor<Finder> {
public:
  explicit Finder(const std::function<bool(const clang::Expr &)> &p) : predicate(p) {}
  bool found = false;
  bool shouldVisitImplicitCode() const { return true; }
  bool VisitExpr(clang::Expr *e) {
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

void mix(std::uint64_t &hash, std::uint64_t value) { hash = (hash ^ value) * 0x9e3779b97f4a7c15U + 0x7f4a7c15U; }

} // namespace

void Ways::begin(std::vector<unsigned> script) {
  prescribed = std::move(script);
  taken.clear();
  visits.clear();
  waysOfTrips.clear();
  numbers.clear();
  conditions.clear();
  symbols = 0;
  overflow = false;
}

bool Ways::isBuilding(const clang::Stmt *s) {
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

bool Ways::leaves(const clang::Stmt *s) {
  while (s) {
    if (const auto *block = llvm::dyn_cast<clang::CompoundStmt>(s)) {
      s = block->body_empty() ? nullptr : block->body_back();
      continue;
    }
    if (const auto *e = llvm::dyn_cast<clang::Expr>(s)) {
      e = e->IgnoreImplicit()->IgnoreParenCasts();
      if (const auto *call = llvm::dyn_cast<clang::CallExpr>(e))
        return call->getDirectCallee() && call->getDirectCallee()->isNoReturn();
      return llvm::isa<clang::CXXThrowExpr>(e);
    }
    return llvm::isa<clang::ReturnStmt>(s);
  }
  return false;
}

std::optional<unsigned> Ways::choose(Machine &m, const clang::Stmt *at, unsigned ways, const Value &condition,
                                     std::span<const clang::Stmt *const> arms) {
  if (m.scouting() || m.path() != 0 || !at)
    return std::nullopt;
  if (llvm::isa<clang::CXXTryStmt>(at))
    return 0; // what is built when something fails is nobody's network
  const auto *test = llvm::dyn_cast<clang::IfStmt>(at);
  const clang::Expr *asked = arms.size() != 2 ? nullptr : test ? test->getCond() : llvm::dyn_cast<clang::Expr>(at);
  if (asked)
    if (const auto answer = conditions.decided(m, asked))
      return *answer ? 0 : 1;
  const auto chosen = chooseAnew(m, *at, ways, condition, arms);
  if (asked && chosen)
    conditions.assume(m, asked, *chosen == 0);
  return chosen;
}

std::optional<unsigned> Ways::chooseAnew(Machine &m, const clang::Stmt &at, unsigned ways, const Value &condition,
                                         std::span<const clang::Stmt *const> arms) {
  if (arms.size() != 2)
    return isBuilding(&at) ? decide(m, at, ways, condition, false, false) : std::nullopt;
  const bool first = isBuilding(arms[0]);
  const bool second = isBuilding(arms[1]);
  const Pick pick = first || second ? Pick::None : pickOf(m.ast(), arms);
  // An early return because something is not as it should be: nothing is built
  // from there on.
  if (!first && pick != Pick::Returned && leaves(arms[0]) && (second || !leaves(arms[1])))
    return 1;
  if (!second && pick != Pick::Returned && leaves(arms[1]) && (first || !leaves(arms[0])))
    return 0;
  if (!first && !second && pick == Pick::None)
    return std::nullopt;
  return decide(m, at, ways, condition, true, pick != Pick::None);
}

std::optional<unsigned> Ways::decide(Machine &m, const clang::Stmt &at, unsigned ways, const Value &condition,
                                     bool isPair, bool picks) {
  Decision d;
  d.picks = picks;
  mix(d.place, at.getBeginLoc().getRawEncoding());
  for (const auto &frame : m.frames())
    mix(d.place, frame->site ? frame->site->getExprLoc().getRawEncoding() : 0);
  const Number *n = condition.number();
  const auto *symbol = n ? dynamic_cast<const HostSymbol *>(n->source.get()) : nullptr;
  // The labels of a switch may be there for what must not be.
  d.fromOutside = isPair && ((symbol && symbol->given) || (n && n->test && n->test->isGiven()));
  // What the code itself fixes goes one way; which one is not known, so that neither is shown.
  if (!d.fromOutside && !symbol && ((n && n->provenance <= Provenance::Fixed) || m.isDetermined(condition)))
    return std::nullopt;
  // A loop that looks for something finds it once: only what is configured goes one way in all trips.
  if ((m.assumedLoop() != 0 || picks) && !d.fromOutside)
    return std::nullopt;
  const std::pair trip(m.assumedLoop(), d.place);
  if (const auto before = waysOfTrips.find(trip); before != waysOfTrips.end() && m.assumedLoop() != 0)
    return std::min(before->second, ways - 1);
  if (picks && joined)
    return std::nullopt;
  if (taken.size() >= mostDecisions) {
    overflow = true;
    return std::nullopt;
  }
  mix(d.place, visits[d.place]++);
  mix(d.place, d.fromOutside ? 1U : 0U);
  d.ways = ways;
  d.way = taken.size() < prescribed.size() ? std::min(prescribed[taken.size()], ways - 1) : 0;
  taken.push_back(d);
  waysOfTrips.emplace(trip, d.way);
  return d.way;
}

std::optional<unsigned> Ways::trips(Machine &m, const clang::Stmt &loop) {
  constexpr unsigned some = 2;
  return !m.scouting() && m.path() == 0 && isBuilding(&loop) ? std::optional(some) : std::nullopt;
}

std::shared_ptr<const Datum> Ways::newSymbol(std::shared_ptr<const Test> *test, bool given) {
  const auto symbol = std::make_shared<const HostSymbol>(symbols++, given);
  if (test)
    *test = std::make_shared<HostTest>(*this, *symbol, clang::BO_NE, 0);
  return symbol;
}

std::shared_ptr<const Test> Ways::compare(unsigned opcode, const Number &a, const Number &b) {
  const auto *left = dynamic_cast<const HostSymbol *>(a.source.get());
  const auto *right = dynamic_cast<const HostSymbol *>(b.source.get());
  auto op = static_cast<clang::BinaryOperatorKind>(opcode);
  if (left && b.known && b.kind != Number::Kind::Floating)
    return std::make_shared<HostTest>(*this, *left, op, b.integer);
  if (!right || !a.known || a.kind == Number::Kind::Floating)
    return nullptr;
  if (clang::BinaryOperator::isRelationalOp(op))
    op = op == clang::BO_LT   ? clang::BO_GT
         : op == clang::BO_GT ? clang::BO_LT
         : op == clang::BO_LE ? clang::BO_GE
                              : clang::BO_LE;
  return std::make_shared<HostTest>(*this, *right, op, a.integer);
}

} // namespace condlint::cxx
