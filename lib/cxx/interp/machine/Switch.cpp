//===- Switch.cpp - switch ------------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AssumedTrips.h"
#include "Jumps.h"
#include "LoopWays.h"
#include "Machine.h"
#include "Statements.h"
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/StmtCXX.h>
#include <set>

namespace condlint::cxx {

/// One run through a switch: which of its labels are reached, and what holds there.
class Machine::Switch {
public:
  Switch(Machine &machine, const clang::SwitchStmt &statement, Value on);

  /// Whether every label stands before a statement of the body itself, not inside one (Duff's device).
  bool isPlain() const;
  void run();

private:
  /// A label, with the statement of the body at which it stands.
  struct Label {
    const clang::SwitchCase *label;
    std::size_t at;
    bool isDefault() const { return llvm::isa<clang::DefaultStmt>(label); }
  };
  /// The values of a `case`, both ends in it.
  struct Range {
    std::int64_t low;
    std::int64_t high;
  };

  std::optional<Range> rangeOf(const Label &label) const;
  /// What is switched on compared with the only value of the label; null where the domain cannot say that.
  std::shared_ptr<const Test> testOf(const Label &label) const;
  void findEntries();
  bool enterByValue(std::int64_t value);
  void enterAnywhere();
  bool isCovered() const;
  /// What is switched on may be none of what leads to \p start.
  bool isUnsure(std::size_t start) const;
  /// Each of the labels asks what is kept.
  bool isKept() const;
  void assumeCase(std::size_t start);
  void runFrom(std::size_t start, Jump &leave);

  Machine &m;
  const clang::SwitchStmt &s;
  Value condition;
  std::vector<const clang::Stmt *> statements;
  std::vector<Label> labels;
  std::vector<std::size_t> starts; ///< the statements at which it may begin
  bool mayPassBy = true;           ///< no label may hold
};

Machine::Switch::Switch(Machine &machine, const clang::SwitchStmt &statement, Value on)
    : m(machine), s(statement), condition(std::move(on)) {
  if (const auto *block = llvm::dyn_cast<clang::CompoundStmt>(s.getBody()))
    statements.assign(block->body_begin(), block->body_end());
  else
    statements.push_back(s.getBody());
  for (std::size_t i = 0; i < statements.size(); ++i)
    for (const clang::Stmt *at = statements[i]; at;) {
      const auto *attributed = llvm::dyn_cast<clang::AttributedStmt>(at); // `[[likely]] case 2:`
      const auto *label = llvm::dyn_cast<clang::SwitchCase>(at);
      if (label)
        labels.push_back({label, i});
      at = attributed ? attributed->getSubStmt() : label ? label->getSubStmt() : nullptr;
    }
}

bool Machine::Switch::isPlain() const {
  std::size_t all = 0;
  for (const clang::SwitchCase *c = s.getSwitchCaseList(); c; c = c->getNextSwitchCase())
    ++all;
  return all == labels.size();
}

std::optional<Machine::Switch::Range> Machine::Switch::rangeOf(const Label &label) const {
  const auto end = [&](const clang::Expr *e) -> std::optional<std::int64_t> {
    clang::Expr::EvalResult value;
    if (e->isValueDependent() || !e->EvaluateAsInt(value, m.context) || !value.Val.getInt().isRepresentableByInt64())
      return std::nullopt;
    return value.Val.getInt().getExtValue();
  };
  const auto *c = llvm::cast<clang::CaseStmt>(label.label);
  const auto low = end(c->getLHS());
  const auto high = c->getRHS() ? end(c->getRHS()) : low;
  if (!low || !high)
    return std::nullopt;
  return Range{*low, *high};
}

/// Enters at the label that \p value chooses; false where a label is not a constant.
bool Machine::Switch::enterByValue(std::int64_t value) {
  const Label *chosen = nullptr;
  const Label *otherwise = nullptr;
  for (const Label &l : labels) {
    if (l.isDefault()) {
      otherwise = &l;
      continue;
    }
    const auto range = rangeOf(l);
    if (!range)
      return false;
    if (!chosen && range->low <= value && value <= range->high)
      chosen = &l;
  }
  if (!chosen)
    chosen = otherwise;
  mayPassBy = chosen == nullptr;
  if (chosen)
    starts.push_back(chosen->at);
  return true;
}

std::shared_ptr<const Test> Machine::Switch::testOf(const Label &label) const {
  const Number *n = condition.number();
  const auto range = !n || n->known || label.isDefault() ? std::nullopt : rangeOf(label);
  return range && range->low == range->high
             ? m.dom.comparison(m, clang::BO_EQ, *n, Number::ofInteger(range->low, Provenance::Literal))
             : nullptr;
}

/// Enters at every label that what was asked before does not exclude.
void Machine::Switch::enterAnywhere() {
  const auto answerTo = [&](const Label &l) -> std::optional<bool> {
    const auto range = l.isDefault() ? std::nullopt : rangeOf(l);
    const auto lies = [&](clang::BinaryOperatorKind op, std::int64_t end) {
      return truthOf(m.compare(op, condition, Number::ofInteger(end), nullptr));
    };
    // For no number that it may be: `case 5` of `n & 3`.
    if (range && !(lies(clang::BO_GE, range->low).value_or(true) && lies(clang::BO_LE, range->high).value_or(true)))
      return false;
    const auto test = testOf(l);
    return test ? test->decided(m) : std::nullopt;
  };
  const auto it = std::ranges::find_if(labels, [&](const Label &l) { return answerTo(l).value_or(false); });
  if (it != labels.end()) {
    starts.push_back(it->at);
    mayPassBy = false;
    return;
  }
  for (const Label &l : labels) {
    if (!answerTo(l).value_or(true))
      continue;
    if (starts.empty() || starts.back() != l.at)
      starts.push_back(l.at);
    mayPassBy = mayPassBy && !l.isDefault();
  }
  mayPassBy = mayPassBy && !s.isAllEnumCasesCovered() && !isCovered();
}

/// What is switched on lies between labels that leave no gap.
bool Machine::Switch::isCovered() const {
  std::set<std::int64_t> values;
  for (const Label &l : labels)
    if (const auto range = l.isDefault() ? std::nullopt : rangeOf(l); range && range->low == range->high)
      values.insert(range->low);
  const Number *n = condition.number();
  const auto distance = [](std::int64_t low, std::int64_t high) {
    return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  };
  if (s.getCond()->IgnoreParenImpCasts()->getType()->isBooleanType() && values.contains(0) && values.contains(1))
    return true;
  if (values.empty() || !n || n->known || distance(*values.begin(), *values.rbegin()) != values.size() - 1)
    return false;
  const auto holds = [&](clang::BinaryOperatorKind op, std::int64_t end) {
    const auto test = m.dom.comparison(m, op, *n, Number::ofInteger(end));
    return test && test->decided(m).value_or(false);
  };
  return holds(clang::BO_GE, *values.begin()) && holds(clang::BO_LE, *values.rbegin());
}

void Machine::Switch::findEntries() {
  const Number *n = condition.number();
  if (!n || !n->known || isOpen(m, *n) || !enterByValue(n->integer))
    enterAnywhere();
  const auto paths = static_cast<unsigned>(starts.size()) + (mayPassBy ? 1U : 0U);
  if (paths < 2)
    return;
  std::optional<unsigned> path = m.way ? std::nullopt : m.dom.choosePath(m, &s, paths, condition, {});
  if (m.way) {
    if (m.isDetermined(condition) || !isKept())
      m.way->lose();
    path = paths - 1;
    for (unsigned i = 0; i + 1 < paths && *path == paths - 1; ++i)
      if (m.way->next())
        path = i;
  }
  if (path) {
    mayPassBy = *path >= starts.size();
    starts = mayPassBy ? std::vector<std::size_t>() : std::vector<std::size_t>{starts[*path]};
    if (mayPassBy)
      assumeCase(statements.size());
  }
}

/// What is switched on is what a label there says, and none of what the labels elsewhere say.
void Machine::Switch::assumeCase(std::size_t start) {
  const auto here = [&](const Label &l) { return l.at == start; };
  const bool isOnly = std::ranges::count_if(labels, here) == 1;
  std::optional<Range> between;
  bool isKnown = true;
  for (const Label &l : labels) {
    if (!here(l) || isOnly) {
      if (const auto test = testOf(l))
        test->assume(m, here(l));
      continue;
    }
    const auto range = l.isDefault() ? std::nullopt : rangeOf(l);
    isKnown = isKnown && range;
    if (isKnown)
      between = between ? Range{std::min(between->low, range->low), std::max(between->high, range->high)} : *range;
  }
  const Number *n = condition.number();
  if (!between || !isKnown || !n || n->known)
    return;
  for (const auto &[op, end] : {std::pair(clang::BO_GE, between->low), std::pair(clang::BO_LE, between->high)})
    if (const auto test = m.dom.comparison(m, op, *n, Number::ofInteger(end)))
      test->assume(m, true);
}

bool Machine::Switch::isKept() const {
  return std::ranges::all_of(labels, [&](const Label &l) {
    const auto test = l.isDefault() ? nullptr : testOf(l);
    return l.isDefault() || (test && test->isKept());
  });
}

bool Machine::Switch::isUnsure(std::size_t start) const {
  const auto may = [&](const Label &l) {
    const auto test = testOf(l);
    return !m.conditions.isUnsure(m.dom, s.getCond(), test.get(), true);
  };
  return std::ranges::none_of(labels, [&](const Label &l) { return l.at == start && may(l); });
}

void Machine::Switch::runFrom(std::size_t start, Jump &leave) {
  assumeCase(start);
  for (std::size_t i = start; i < statements.size() && !m.isDead; ++i)
    Statements(m).run(statements[i]);
  m.jumps->jump(&leave);
  m.memory.undo(leave.mark);
  m.isDead = false;
}

void Machine::Switch::run() {
  findEntries();
  const MarkScope scope(m.memory);
  Jump leave = m.jumps->here();
  Jump *const outerBreaks = m.jumps->breaks;
  m.jumps->breaks = &leave;
  const std::uint32_t outerPath = m.pathNumber;
  const bool goesApart = starts.size() > 1 || mayPassBy;
  const bool isDoubt = goesApart && m.isDetermined(condition);
  m.openForks += goesApart && !isDoubt ? 1 : 0;
  const std::size_t doubts = m.dom.doubts();
  if (isDoubt)
    m.dom.beginDoubt(m, m.jumps->doubted = &s);
  const std::size_t outside = m.conditions.size(), leftPaths = m.leftPaths.size();
  for (const std::size_t start : starts) {
    if (goesApart)
      m.pathNumber = ++m.lastPath;
    const std::size_t decided = m.conditions.size(), within = m.dom.doubts();
    if (goesApart && !isDoubt && isUnsure(start))
      m.dom.beginDoubt(m, m.jumps->doubted = &s);
    if (goesApart)
      m.conditions.add(s.getCond());
    runFrom(start, leave);
    m.conditions.resize(decided);
    m.dom.endDoubts(within);
  }
  m.pathNumber = outerPath;
  m.jumps->breaks = outerBreaks;
  const bool someLeft = leave.exits.size() < starts.size();
  m.isDead = !mayPassBy;
  if (starts.size() > 1) // the last of them did
    m.raised = nullptr;
  if (mayPassBy && goesApart) {
    if (someLeft && !isDoubt && m.conditions.isUnsure(m.dom, s.getCond(), nullptr, false))
      m.dom.beginDoubt(m, m.jumps->doubted = &s);
    assumeCase(statements.size());
  }
  if (!someLeft) // none was left for good
    m.dom.endDoubts(doubts);
  m.jumps->land(leave);
  m.conditions.resize(outside);
  if (someLeft && goesApart && isKept())
    m.conditions.addKept(s.getCond());
  else if (someLeft && goesApart)
    m.conditions.add(s.getCond());
  if (goesApart) {
    const bool isAsked = std::ranges::any_of(m.leftPaths.begin() + static_cast<std::ptrdiff_t>(leftPaths),
                                             m.leftPaths.end(), [](const LeftPath &l) { return !l.asked.empty(); });
    m.jumps->leftIn(leftPaths, s.getCond());
    if (isAsked) // within a case
      m.jumps->assumeNotLeft(leftPaths);
  }
}

void Machine::Statements::runSwitch(const clang::SwitchStmt &s) {
  run(s.getInit());
  Value on = conditionOf(s.getConditionVariable(), s.getCond());
  if (!s.getBody() || m.isDead)
    return;
  Switch parts(m, s, std::move(on));
  if (parts.isPlain())
    parts.run();
  else
    m.exhausted = true; // what runs is not followed: nothing is claimed of what comes after
}

} // namespace condlint::cxx
