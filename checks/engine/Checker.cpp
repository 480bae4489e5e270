//===- Checker.cpp - Runs the rules on a model ----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FindingsByLine.h"
#include "OpenVerdicts.h"
#include "RuleContext.h"
#include "RuleFunctions.h"
#include "RunVerdicts.h"
#include "Summarise.h"
#include "SummaryList.h"
#include "condlint/SourceGraph.h"
#include "facts/NetworkFacts.h"
#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>
#include <unordered_map>

namespace condlint {

std::span<const RuleFunction> ruleFunctions() {
  static constexpr RuleFunction table[] = {
#define CONDLINT_RULE(id, function, wholeModel, ofConstruct, needs)                                                    \
  {id, function, wholeModel, ofConstruct, Needs::needs},
#include "RuleFunctions.inc"
#undef CONDLINT_RULE
  };
  return table;
}

namespace {

/// Typed copies of a function's body are no conditionals of their own. In source, what a template or a helper makes
/// several times is one conditional.
std::size_t countConditionals(const Model &m, const std::vector<Conditional> &withCopies) {
  if (m.functionCount() == 0 && m.info.format != Format::Cxx)
    return withCopies.size();
  const std::vector<Conditional> all = conditionals(m, false);
  if (m.info.format != Format::Cxx)
    return all.size();
  std::set<std::string> paths;
  for (const Conditional &c : all)
    paths.insert(m.path(c.node));
  return paths.size();
}

} // namespace

Analysis::Analysis(Model &analysed)
    : model(analysed), inference(inferTypes(model)), aliases(model), conditionals(condlint::conditionals(model, true)),
      conditionalCount(countConditionals(model, conditionals)),
      facts(std::make_unique<ModelFacts>(model, conditionals, inference)) {}

Analysis::~Analysis() = default;

namespace {

/// A rule that can occur on the target and that the user wants.
struct ActiveRule {
  const RuleInfo *info;
  const RuleFunction *function;
};

/// Whether \p target, or else the user, makes anything of a break.
bool matters(const RuleInfo &info, const Target &target, const RuleOptions &options) {
  if (const auto chosen = options.severity.find(info.id); chosen != options.severity.end())
    return chosen->second != Severity::Off &&
           std::ranges::any_of(info.rows, [&](const RuleInfo::Row &r) { return r.system == target.system; });
  return std::ranges::any_of(info.rows, [&](const RuleInfo::Row &r) {
    return r.system == target.system && info.severity(target, r.variant) != Severity::Off;
  });
}

/// The rules that are written down in the table, each looked up once.
const std::vector<ActiveRule> &allRules() {
  static const std::vector<ActiveRule> rules = [] {
    std::vector<ActiveRule> all;
    for (const RuleFunction &f : ruleFunctions())
      if (const RuleInfo *info = findRule(f.id))
        all.push_back({info, &f});
    return all;
  }();
  return rules;
}

std::vector<ActiveRule> activeRules(const Model &m, const Target &target, const RuleOptions &options) {
  std::vector<ActiveRule> out;
  for (const ActiveRule &rule : allRules()) {
    const std::string_view id = rule.info->id;
    if (!rule.info->decidedOn(m) || !matters(*rule.info, target, options))
      continue;
    if (!options.select.empty() && !options.select.contains(id))
      continue;
    if (options.ignore.contains(id))
      continue;
    out.push_back(rule);
  }
  return out;
}

} // namespace

/// Runs the rules and gathers what they answer.
class Checker {
public:
  Checker(const Analysis &a, const Target &target, const RuleOptions &options)
      : analysis(a), rules(activeRules(a.model, target, options)), ctx(a, target, options), byId(rules.size()) {
    std::iota(byId.begin(), byId.end(), std::size_t{0});
    std::ranges::sort(byId, {}, [&](std::size_t i) { return rules[i].info->id; });
  }

  CheckResult run() {
    markDead();
    openForModel.resize(rules.size());
    for (std::size_t i = 0; i < rules.size(); ++i)
      if (rules[i].function->wholeModel) {
        decide(rules[i]);
        if (ctx.verdict == Verdict::Unknown)
          openForModel[i] = std::move(ctx.reason);
      }
    // What a rule on the whole model found belongs to a conditional's verdicts.
    for (std::size_t i = 0; i < ctx.reported.size(); ++i)
      if (const NodeId owner = ctx.reported[i].conditional ? ctx.reported[i].conditional : ctx.reported[i].loop)
        found[owner].push_back(i);
    result.conditionals.reserve(analysis.conditionals.size());
    for (const Conditional &c : analysis.conditionals)
      visit(c);
    if (ctx.isNetwork())
      for (const Construct &c : ctx.facts.network->constructs())
        if (c.isLoop)
          visitLoop(c);
    return finish();
  }

private:
  const Analysis &analysis;
  std::vector<ActiveRule> rules;
  RuleContext ctx;
  std::vector<std::size_t> byId; ///< the rules in the order of their ids
  struct Answer {
    bool applies = false;
    Verdict verdict = Verdict::Proved;
    std::string reason;
  };
  std::vector<Answer> answers;           ///< of the current conditional; what does not apply has none
  std::vector<std::string> openForModel; ///< by rule: why what is asked once for the model was not decided
  CheckResult result;
  std::unordered_map<NodeId, std::vector<std::size_t>> found;
  SummaryList conditionals{result.conditionals}, loops{result.loops};
  std::vector<ConditionalSummary> unmet; ///< what no run comes to, though some execution may

  void begin(const ActiveRule &r) {
    ctx.rule = r.info;
    ctx.ofConstruct = r.function->ofConstruct;
    ctx.applies = true;
    ctx.verdict = Verdict::Proved;
    ctx.reason.clear();
  }
  void decide(const ActiveRule &r) {
    begin(r);
    r.function->decide(ctx);
  }

  void markDead() {
    if (!ctx.isTensorRT() && !ctx.isRecorded())
      return;
    for (const Conditional &c : analysis.conditionals) {
      ctx.enter(c);
      if (!ctx.untaken || *ctx.untaken >= c.branches.size() || !c.branches[*ctx.untaken].graph)
        continue;
      ctx.deadGraphs.resize(ctx.m.graphCount(), false);
      ctx.deadGraphs[c.branches[*ctx.untaken].graph.index()] = true;
    }
    ctx.current = nullptr;
  }

  void visit(const Conditional &c) {
    ctx.enter(c);
    ConditionalSummary summary = summarise(ctx);
    std::optional<std::string_view> refused; ///< why a front end could not read it
    const bool mayRefuse = ctx.isSource() || ctx.isRecorded();
    if (const Attribute *a = mayRefuse ? ctx.m.attribute(c.node, attr::unknown.name) : nullptr)
      refused = ctx.m.text(a->text);
    const bool dead = ctx.isDead(ctx.m[c.node].graph);
    answers.resize(rules.size());
    for (std::size_t i = 0; i < rules.size(); ++i) {
      const ActiveRule &r = rules[i];
      Answer &answer = answers[i];
      answer.applies = false;
      const bool isLeft = ctx.specialised != Tri::Yes || isLeftOfSpecialised(*r.info);
      if ((!dead && isLeft) || r.function->wholeModel) {
        if (r.function->wholeModel || refused)
          begin(r);
        else
          decide(r);
        if (refused)
          ctx.unknown(std::string(*refused));
        if (!openForModel[i].empty())
          ctx.unknown(openForModel[i]);
        leaveOpen(ctx, *r.info, r.function->needs);
        answer.applies = ctx.applies;
        answer.verdict = ctx.verdict;
        if (ctx.verdict == Verdict::Unknown)
          answer.reason = std::move(ctx.reason);
      }
    }
    summary.verdicts.reserve(byId.size());
    for (std::size_t i : byId) {
      const std::string_view id = rules[i].info->id;
      if (!answers[i].applies)
        continue;
      summary.verdicts.append(id, answers[i].verdict); // in the order of their ids
      if (answers[i].verdict == Verdict::Unknown)
        summary.reasons.emplace_hint(summary.reasons.end(), id, std::move(answers[i].reason));
    }
    takeFound(c.node, summary);
    if (isCommon(c.node, summary)) {
      ctx.current = nullptr;
      return;
    }
    ctx.current = nullptr;
    if (ctx.m.functionCount() == 0 && !ctx.isSource()) {
      result.conditionals.push_back(std::move(summary));
      return;
    }
    // Typed copies of a function's body are one conditional, with the worst
    // verdict of each rule.
    ConditionalSummary *known = conditionals.add(summary);
    if (!known)
      return;
    ConditionalSummary &first = *known;
    first.absorb(summary);
    first.boundary.insert(first.boundary.end(), summary.boundary.begin(), summary.boundary.end());
    // The way of the code that puts the most into the conditional shows it best.
    if (summary.layers.size() > first.layers.size()) {
      first.layers = std::move(summary.layers);
      first.inside = std::move(summary.inside);
      first.insideBranch = std::move(summary.insideBranch);
    }
  }

  /// What a rule on the whole model found belongs to the verdicts on \p construct.
  void takeFound(NodeId construct, ConditionalSummary &summary) {
    if (const auto it = found.find(construct); it != found.end())
      for (std::size_t i : it->second) {
        const Finding &f = ctx.reported[i].finding;
        Verdict &v = summary.verdicts[findRule(f.rule)->id];
        v = std::max(v, f.verdict);
      }
  }

  /// Notes what \p summary says of \p construct where no run comes to it: it says what holds beyond them.
  bool isCommon(NodeId construct, ConditionalSummary &summary) {
    const GraphId g = ctx.m[construct].graph;
    if (!ctx.isNetwork() || !ctx.executions.isCommon(g)) {
      ctx.executions.meet(g, summary.path);
      return false;
    }
    const FlatMap<std::string_view, Verdict> before = summary.verdicts;
    for (const auto &[rule, own] : before) {
      const auto broken = ctx.commonBreaks.find({construct, rule});
      const Verdict verdict = broken != ctx.commonBreaks.end() ? std::max(own, broken->second) : own;
      summary.verdicts[rule] = verdict;
      ctx.executions.note(g, summary.path, rule, verdict);
    }
    unmet.push_back(std::move(summary));
    return true;
  }

  /// The loop \p c of a network: what the rules on loops say of it.
  void visitLoop(const Construct &c) {
    ConditionalSummary summary;
    summary.path = ctx.m.path(c.node);
    summary.location = ctx.m.location(c.node);
    summary.target = ctx.target.str();
    for (std::size_t i : byId) {
      const RuleInfo &info = *rules[i].info;
      if (info.group != "Loops")
        continue;
      std::string why = whyOpen(ctx, c, info.id);
      summary.verdicts.try_emplace(info.id, why.empty() ? Verdict::Proved : Verdict::Unknown);
      if (!why.empty())
        summary.reasons.emplace_hint(summary.reasons.end(), info.id, std::move(why));
    }
    takeFound(c.node, summary);
    if (isCommon(c.node, summary))
      return;
    if (ConditionalSummary *known = loops.add(summary))
      known->absorb(summary);
  }

  /// What no run comes to says nothing, but for what holds beyond the runs.
  void addUnmet() {
    for (ConditionalSummary &s : unmet) {
      const bool isLoop = s.predicateKind.empty();
      const FlatMap<std::string_view, Verdict> before = s.verdicts;
      for (const auto &[rule, verdict] : before)
        if (!ctx.executions.isProved(s.path, rule) &&
            (verdict != Verdict::Unknown || !s.reasons.contains(std::string(rule)))) {
          s.verdicts[rule] = Verdict::Unknown;
          s.reasons[std::string(rule)] = "no run of the code that was followed comes here";
        }
      (isLoop ? loops : conditionals).add(s);
    }
  }

  CheckResult finish() {
    RunVerdicts verdicts(ctx.m, ctx.executions, ctx.reported, result);
    verdicts.judgeRuns();
    verdicts.judgeBounds();
    addUnmet();
    FindingsByLine byLine(result.findings);
    std::set<std::tuple<std::string, std::string, std::string, std::uint64_t>> seen;
    for (ReportedFinding &e : ctx.reported) {
      Finding &f = e.finding;
      if ((ctx.isSource() || ctx.isRecorded()) && f.location.valid())
        byLine.add(std::move(f));
      else if (seen.emplace(f.rule, f.graphPath, f.message, f.places).second)
        result.findings.push_back(std::move(f));
    }
    return std::move(result);
  }
};

CheckResult check(const Analysis &a, const Target &target, const RuleOptions &options) {
  return Checker(a, target, options).run();
}

Target defaultTarget(const Model &m) {
  Target target;
  switch (m.info.dialect) {
  case Dialect::Torch:
    target.system = System::Torch;
    break;
  case Dialect::Onnx:
    target.system = System::Onnx;
    break;
  case Dialect::TensorRT:
    target.system = System::TensorRT;
    break;
  }
  for (const SystemInfo &s : systems())
    if (s.system == target.system)
      target.version = s.newest;
  if (m.info.version.empty() || target.system == System::Onnx)
    return target;
  if (const auto named = parseTarget(std::string(systemName(target.system)) + '@' + m.info.version))
    target = *named;
  return target;
}

} // namespace condlint
