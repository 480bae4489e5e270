//===- Revision.cpp - A report, after what happened -----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Revision.h"
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace condlint {

using Run = RuleInfo::Run;

namespace {

std::string noteOf(const Break &b) {
  return fmt::format("{}when executed{}{}{}{}", b.sides.empty() ? "it happened " : "", b.sizes.empty() ? "" : " with ",
                     b.sizes, b.sides.empty() ? "" : ": ", b.sides);
}

/// \p f was executed, and that contradicts analysis.
Finding contradiction(const Finding &f, std::string message) {
  Finding wrong = f;
  wrong.rule = "executor";
  wrong.severity = Severity::Error;
  wrong.executed = true;
  wrong.message = std::move(message);
  wrong.help = "either the file contradicts itself, or this is a mistake of condlint's";
  return wrong;
}

} // namespace

Revision::Revision(const Model &model, Breaks &happened, const RunsOfModel &made, const Executor &e, InputReport &r)
    : m(model), breaks(happened), runs(made), executor(e), report(r) {}

void Revision::revise(std::span<const Finding> statics) {
  for (const Finding &f : statics)
    reviseStatic(f);
  for (Break &b : breaks.all())
    reviseBreak(b);
}

void Revision::reviseStatic(const Finding &f) {
  const Run run = runOf(f.rule);
  if (const Break *b = breaks.of(f)) {
    confirm(f, *b);
  } else if (const auto open = runs.unconfirmed.find(&f); open != runs.unconfirmed.end()) {
    emit(f, "not confirmed: " + open->second);
  } else if (f.verdict == Verdict::Possible && (judgesOutputs(f.rule) || run == Run::Watched)) {
    emit(f, "not confirmed: " + didNotHappen());
  } else if (f.verdict == Verdict::Violated && run == Run::Shown && ranBoth(f.conditional)) {
    // What the file says of its own values, and is reported as a lie, was believed.
    if (breaks.isExplained(f))
      return setVerdict(f, Verdict::Unknown, didNotHappen());
    emit(contradiction(
             f, fmt::format("{} is violated by static analysis ({}), but {}", f.rule, f.message, didNotHappen())),
         {});
  } else {
    emit(f, {}); // what no run could show holds nevertheless
  }
}

/// Two outputs that share a storage may be said of both: one break, once. One node may
/// write to several operands: a break for each.
void Revision::confirm(const Finding &f, const Break &b) {
  for (Break &o : breaks.all())
    o.used = o.used || o.isSaidBy(f);
  Finding confirmed = f;
  confirmed.executed = true;
  emit(std::move(confirmed), noteOf(b));
}

void Revision::reviseBreak(Break &b) {
  if (b.used || breaks.follows(b))
    return;
  const Verdict *verdict = verdictOf(b.finding);
  const bool wasProved = verdict && *verdict == Verdict::Proved;
  if ((!verdict || wasProved) && breaks.isExplained(b.finding)) {
    if (verdict)
      setVerdict(b.finding, Verdict::Unknown, "when executed, " + b.finding.message);
    return;
  }
  if (wasProved)
    emit(contradiction(b.finding, fmt::format("{} is proved by static analysis, but when executed, {}", b.finding.rule,
                                              b.finding.message)),
         noteOf(b));
  else
    emit(b.finding, noteOf(b));
  setVerdict(b.finding, Verdict::Violated);
}

bool Revision::ranBoth(const std::string &conditional) const {
  return std::ranges::any_of(executor.conditionals(), [&](const ConditionalRun &r) {
    return r.reached && m.path(r.conditional) == conditional && std::ranges::all_of(r.ran, [](bool b) { return b; });
  });
}

void Revision::emit(Finding f, const std::string &note) {
  f.input = report.path;
  if (!note.empty())
    f.related.push_back({note, {}, {}});
  report.findings.push_back(std::move(f));
}

std::string Revision::didNotHappen() const { return fmt::format("it did not happen in {} run(s)", runs.count); }

Verdict *Revision::verdictOf(const Finding &f) {
  const RuleInfo *info = findRule(f.rule);
  for (ConditionalSummary &s : report.summaries)
    if (info && s.path == f.conditional && s.target == f.target && s.verdicts.contains(info->id))
      return &s.verdicts[info->id];
  return nullptr;
}

void Revision::setVerdict(const Finding &f, Verdict v, const std::string &reason) {
  if (Verdict *now = verdictOf(f))
    *now = v;
  for (ConditionalSummary &s : report.summaries)
    if (s.path == f.conditional && s.target == f.target) {
      s.reasons.erase(f.rule);
      if (!reason.empty())
        s.reasons.emplace(f.rule, reason);
    }
}

/// What stopped the run before the branch stops the branch: it has no cause of its own then.
static std::string problemOf(const std::string &ofBranch, const std::string &cause) {
  const bool isOwn = !ofBranch.empty() && ofBranch != "did not run to its end";
  return isOwn ? ofBranch : (ofBranch.empty() ? "did not run" : ofBranch) + cause;
}

Unseen unseenOf(const Model &m, std::span<const Conditional> conditionals, const Executor &e,
                const std::string &stopped) {
  const std::string cause = stopped.empty() ? "" : ": stopped at " + stopped;
  struct State {
    bool reached = false;
    std::vector<std::string> problems;
  };
  std::map<std::string, State> states;
  for (const Conditional &c : conditionals) {
    State &state = states[m.path(c.node)];
    for (const ConditionalRun &r : e.conditionals()) {
      if (r.conditional != c.node || !r.reached)
        continue;
      std::vector<std::string> problems;
      for (std::size_t b = 0; b < r.ran.size(); ++b)
        if (!r.ran[b])
          problems.push_back(fmt::format("'{}' {}", c.branches[b].name, problemOf(r.problems[b], cause)));
      if (!state.reached || problems.empty())
        state.problems = std::move(problems);
      state.reached = true;
    }
  }
  Unseen unseen;
  for (const auto &[path, s] : states)
    if (!s.reached)
      unseen.emplace(path, "the conditional was not reached" + cause);
    else if (!s.problems.empty())
      unseen.emplace(path, fmt::format("{}", fmt::join(s.problems, ", ")));
  return unseen;
}

void leaveOpen(const Unseen &unseen, InputReport &report) {
  for (ConditionalSummary &s : report.summaries) {
    const auto why = unseen.find(s.path);
    if (why == unseen.end())
      continue;
    for (const RuleInfo &rule : rules())
      if ((judgesOutputs(rule.id) || rule.run == Run::Watched) && s.verdicts.contains(rule.id) &&
          s.verdicts[rule.id] == Verdict::Proved) {
        s.verdicts[rule.id] = Verdict::Unknown;
        s.reasons.insert_or_assign(std::string(rule.id), "it was not executed: " + why->second);
      }
  }
}

} // namespace condlint
