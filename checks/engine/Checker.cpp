//===- Checker.cpp - Runs the rules on a model ----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Describe.h"
#include "DescribeNetwork.h"
#include "Details.h"
#include "NetworkLayers.h"
#include "RuleContext.h"
#include "RuleFunctions.h"
#include "condlint/SourceGraph.h"
#include "facts/NetworkRuns.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
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
  return std::ranges::any_of(info.rows,
                             [&](const RuleInfo::Row &r) { return info.severity(target, r.variant) != Severity::Off; });
}

std::vector<ActiveRule> activeRules(const Model &m, const Target &target, const RuleOptions &options) {
  std::vector<ActiveRule> out;
  for (const RuleFunction &f : ruleFunctions()) {
    const RuleInfo *info = findRule(f.id);
    if (!info || !info->decidedOn(m) || !matters(*info, target, options))
      continue;
    if (!options.select.empty() && !options.select.contains(f.id))
      continue;
    if (options.ignore.contains(f.id))
      continue;
    out.push_back({info, &f});
  }
  return out;
}

ConditionalSummary::Signature signatureOf(const Model &m, const Type &t) {
  ConditionalSummary::Signature s;
  s.kind = kindName(t.kind);
  if (!t.isTensor())
    return s;
  s.dtype = dtypeName(t.element);
  s.hasShape = t.hasRank;
  if (t.hasRank)
    for (Dim d : t.dims)
      s.shape.push_back(m.dims.str(d));
  return s;
}

ConditionalSummary summarise(const RuleContext &ctx) {
  const Model &m = ctx.m;
  const Conditional &c = ctx.conditional();
  ConditionalSummary s;
  s.path = m.path(c.node);
  s.location = m.location(c.node);
  s.target = ctx.target.str();
  switch (c.predicateKind) {
  case PredicateKind::Missing:
    s.predicateKind = "missing";
    break;
  case PredicateKind::Value:
    s.predicate = signatureOf(m, ctx.typeOf(c.predicate));
    s.predicateKind = s.predicate.kind;
    s.predicateType = spellType(m, ctx.typeOf(c.predicate));
    break;
  case PredicateKind::Literal:
    s.predicateKind = "literal";
    s.predicateType = c.literal ? "true" : "false";
    break;
  case PredicateKind::Other:
    s.predicateKind = nameOfMisplaced(m, c.predicateInstead);
    break;
  }
  if (s.predicate.kind.empty())
    s.predicate.kind = s.predicateKind;
  for (const ConditionalOperand &o : c.operands) {
    s.operands.push_back(o.value ? signatureOf(m, ctx.typeOf(o.value)) : ConditionalSummary::Signature{});
    if (!o.value)
      s.operands.back().kind = nameOfMisplaced(m, o.instead);
  }
  for (std::size_t b = 0; b < c.branches.size(); ++b) {
    ConditionalSummary::BranchSummary branch;
    branch.name = c.branches[b].name;
    for (ValueId v : ctx.results(b))
      branch.outputs.push_back(v ? signatureOf(m, ctx.typeOf(v)) : ConditionalSummary::Signature{});
    s.branches.push_back(std::move(branch));
  }
  if (ctx.isNetwork())
    listLayers(ctx, s);
  if (ctx.options.details)
    s.details = describe(ctx);
  return s;
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
    for (std::size_t i = 0; i < ctx.entries.size(); ++i)
      if (const NodeId owner = ctx.entries[i].conditional ? ctx.entries[i].conditional : ctx.entries[i].loop)
        found[owner].push_back(i);
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
  std::vector<Answer> answers;           ///< of the current conditional
  std::vector<std::string> openForModel; ///< by rule: why what is asked once for the model was not decided
  CheckResult result;
  std::unordered_map<NodeId, std::vector<std::size_t>> found;
  std::unordered_map<std::string, std::size_t> places, loopPlaces; ///< of summaries, by path
  std::vector<ConditionalSummary> unmet;                           ///< what no run comes to, though some execution may
  struct Joined {
    std::size_t finding;
    std::size_t notes = 0; ///< its last notes, which say what joined it
  };
  std::map<std::array<std::string, 3>, Joined> lines; ///< by rule, conditional and line

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
    answers.assign(rules.size(), Answer());
    for (std::size_t i = 0; i < rules.size(); ++i) {
      const ActiveRule &r = rules[i];
      Answer &answer = answers[i];
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
        leaveOpen(r);
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
      summary.verdicts.try_emplace(id, answers[i].verdict);
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
    const auto [place, isNew] = places.try_emplace(summary.path, result.conditionals.size());
    if (isNew) {
      result.conditionals.push_back(std::move(summary));
      return;
    }
    ConditionalSummary &first = result.conditionals[place->second];
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
        const Finding &f = ctx.entries[i].finding;
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
      std::string why = openLoop(c, info.id);
      summary.verdicts.try_emplace(info.id, why.empty() ? Verdict::Proved : Verdict::Unknown);
      if (!why.empty())
        summary.reasons.emplace_hint(summary.reasons.end(), info.id, std::move(why));
    }
    takeFound(c.node, summary);
    if (isCommon(c.node, summary))
      return;
    const auto [place, isNew] = loopPlaces.try_emplace(summary.path, result.loops.size());
    if (isNew)
      result.loops.push_back(std::move(summary));
    else
      result.loops[place->second].absorb(summary);
  }

  /// Why \p rule is not decided of the loop \p c; empty: it is.
  std::string openLoop(const Construct &c, std::string_view rule) {
    const NetworkFacts &network = *ctx.facts.network;
    const GraphId g = ctx.m[c.node].graph;
    if (network.isIncomplete(g))
      return std::string(unfollowed);
    if (c.uncertain)
      return "a layer of the loop is added on some paths only, or several times";
    if (const auto open = ctx.openLoops.find({c.node, rule}); open != ctx.openLoops.end())
      return open->second;
    if ((rule == "loop-leak" || rule == "loop-cycle") && network.readsUnknown(g))
      return std::string(unknownFlow);
    if (rule == "loop-leak" && c.mayMingle)
      return std::string(mingled);
    if (rule == "loop-cycle" && c.mayHoldCycle)
      return std::string(several);
    return {};
  }

  static constexpr std::string_view unfollowed = "the code that builds the network was not followed to its end";
  static constexpr std::string_view mingled = "what lies inside, or leaves it, hangs on what is not known";
  static constexpr std::string_view several = "some layer reads one of several tensors, and may so depend on itself";
  static constexpr std::string_view unknownFlow = "some layer reads a tensor that is not known";

  /// What of the current conditional hangs on shapes that a loop around it changes from trip to trip.
  void leaveOpenToLaterTrips(const RuleInfo &rule) {
    const Conditional &c = ctx.conditional();
    if (rule.id == "operator-type") {
      if (const NodeId reader = ctx.facts.laterTrips.readerIn(c))
        ctx.unknown(fmt::format("{} reads what the loop carries in other shapes from trip to trip ({})",
                                spellOperation(ctx.m, reader), ctx.m.path(reader)));
      return;
    }
    const auto isOpen = [&](ValueId v) { return v && ctx.facts.laterTrips.isBelieved(v); };
    const bool ofOutputs =
        rule.id == "output-rank" || rule.id == "output-shape" || rule.id == "output-declared" ||
        (ctx.isTorch() && (rule.id == "output-dtype" || rule.id == "output-device" || rule.id == "output-layout"));
    const bool ofPredicate = rule.id == "predicate-shape";
    if ((ofOutputs && (std::ranges::any_of(ctx.results(0), isOpen) || std::ranges::any_of(ctx.results(1), isOpen))) ||
        (ofPredicate && isOpen(c.predicate)))
      ctx.unknown("what the loop carries has the shape that its body declares in some trips only, as far as is known");
    const auto isMoved = [&](ValueId v) { return v && ctx.facts.laterTrips.isMoved(v); };
    if (rule.id == "output-layout" &&
        (std::ranges::any_of(ctx.results(0), isMoved) || std::ranges::any_of(ctx.results(1), isMoved)))
      ctx.unknown("what the loop carries lies in memory in some trips only as in the first, as far as is known");
  }

  /// What of the current conditional hangs on code that nobody can read.
  void leaveOpen(const ActiveRule &r) {
    const Needs needs = r.function->needs;
    if (ctx.isNetwork()) {
      const NetworkFacts &network = *ctx.facts.network;
      const Construct *c = network.at(ctx.conditional().node);
      const GraphId g = ctx.m[ctx.conditional().node].graph;
      if (network.isIncomplete(g))
        ctx.unknown(std::string(unfollowed));
      if (c && needs == Needs::Layers)
        if (const std::string_view why = network.eagerUnknown(*c); !why.empty())
          ctx.unknown(std::string(why));
      if (c && c->mayCross && needs == Needs::Edges)
        ctx.unknown("some layer reads one of several tensors: of which branch is not known");
      if (c && c->mayDependOnSelf && r.info->id == "predicate-self")
        ctx.unknown(std::string(several));
      if (r.info->group == "Structure" && network.readsUnknown(g))
        ctx.unknown(std::string(unknownFlow));
      if (r.info->group == "Structure" && c && c->mayMingle)
        ctx.unknown(std::string(mingled));
      if (c && ctx.executions.isCommon(g))
        leaveOpenBeyondRuns(*c, *r.info);
      return;
    }
    if (ctx.verdict == Verdict::Proved && ctx.applies)
      leaveOpenToLaterTrips(*r.info);
    if (ctx.verdict != Verdict::Proved || !ctx.applies || needs == Needs::Nothing || needs == Needs::Layers)
      return;
    for (const Branch &b : ctx.conditional().branches)
      if (b.isUnseen())
        ctx.unknown("'" + b.name + "' could not be read");
    const bool ofTypes = needs == Needs::Types || needs == Needs::Pairs;
    if (needs == Needs::Pairs && std::ranges::any_of(ctx.conditional().branches, &Branch::isMissing))
      ctx.unknown("a branch is missing");
    else if (needs == Needs::Pairs && ctx.outputsShifted())
      ctx.unknown("the branches return different numbers of outputs: which belong together is not known");
    // ONNX's values are no memory: which one a branch returns is known, whatever it is.
    const bool typed = ctx.conditional().dialect == Dialect::Torch || r.info->run != RuleInfo::Run::Watched;
    if (ofTypes && typed)
      for (const Output &o : ctx.outputs())
        for (ValueId v : o.values)
          if (o.known && ctx.typeOf(v).kind == ValueKind::Unknown)
            ctx.unknown("nothing is known of " + spellValue(ctx.m, v));
    if (!ctx.isSource())
      return;
    if ((needs == Needs::Number || ofTypes) && ctx.openOutputs())
      ctx.unknown("how many outputs a branch returns is not known");
    for (const Branch &b : ctx.conditional().branches)
      if (const UnseenBranch *unseen = ctx.facts.source->unseen(b.graph))
        ctx.unknown("no body: " + std::string(unseen->name));
  }

  /// What of \p c in a graph that stands for all executions need not hold of each of them.
  void leaveOpenBeyondRuns(const Construct &c, const RuleInfo &info) {
    if (c.uncertain)
      ctx.unknown("a layer of the conditional is added on some paths only, or several times");
    const bool ofUse = info.id == "operand-unused" || info.id == "output-unused";
    for (const std::vector<NodeId> *layers : {&c.inputs, &c.outputs})
      if (ofUse && std::ranges::any_of(*layers, [&](NodeId n) { return ctx.facts.network->isReadElsewhere(n); }))
        ctx.unknown("whether the code comes to what uses it is not known");
  }

  /// Findings of one rule on one line of source are one, whatever led to them: the
  /// worst, with the others beside it.
  bool joins(const Finding &f) {
    const auto [place, isNew] =
        lines.try_emplace({f.rule, f.conditional, f.location.path + ':' + std::to_string(f.location.line)},
                          Joined{result.findings.size()});
    if (isNew)
      return false;
    Joined &joined = place->second;
    Finding &other = result.findings[joined.finding];
    Finding less = f;
    if (std::tie(less.severity, less.verdict) > std::tie(other.severity, other.verdict)) {
      std::swap(less, other);
      const auto first = less.related.end() - static_cast<std::ptrdiff_t>(joined.notes);
      std::move(first, less.related.end(), std::back_inserter(other.related));
    }
    if (less.message != other.message) {
      other.related.push_back({less.message, less.location, less.graphPath});
      ++joined.notes;
    }
    addRepair(other, less);
    return true;
  }

  /// The finding \p f joins \p first: the repair is what cures both.
  static void addRepair(Finding &first, const Finding &f) {
    if (first.fixes.size() != 1 || f.fixes.size() != 1 || first.fixes[0].edits == f.fixes[0].edits)
      return;
    Fix &all = first.fixes[0];
    if (all.edits.empty() || f.fixes[0].edits.empty()) {
      all.edits.clear(); // half a repair leaves the finding
      return;
    }
    for (const Edit &e : f.fixes[0].edits)
      if (std::ranges::find(all.edits, e) == all.edits.end())
        all.edits.push_back(e);
    all.description += ", " + f.fixes[0].description;
  }

  /// What only some of the ways show that a builder can go.
  void judgeRuns() {
    const NetworkRuns runs(ctx.m, ctx.executions);
    if (!runs.several())
      return;
    using Key = std::tuple<int, std::string, std::string, std::string>;
    const auto keyOf = [&](const RuleContext::Entry &e) {
      const Finding &f = e.finding;
      return Key{runs.groupOf(e.graph), f.rule, pathOf(e), f.location.path + ':' + std::to_string(f.location.line)};
    };
    std::map<Key, RunSet> shown, certain;                       ///< at all, and where nothing is left open
    std::map<Key, std::map<RunSet, std::vector<Edit>>> repairs; ///< of each run
    for (const RuleContext::Entry &e : ctx.entries)
      if (runs.groupOf(e.graph) >= 0) {
        const Key key = keyOf(e);
        shown[key] |= runs.bitOf(e.graph);
        if (e.finding.verdict == Verdict::Violated)
          certain[key] |= runs.bitOf(e.graph);
        std::vector<Edit> &edits = repairs[key][runs.bitOf(e.graph)];
        for (const Fix &f : e.finding.fixes)
          edits.insert(edits.end(), f.edits.begin(), f.edits.end());
      }
    // An edit changes what all runs do that come to its place: it is one of them all, or none.
    const auto isCure = [&](const Key &key, Occurrence o) {
      const auto &ofRuns = repairs[key];
      return (o == Occurrence::Always || o == Occurrence::WhereReached) &&
             std::ranges::all_of(ofRuns, [&](const auto &r) { return r.second == ofRuns.begin()->second; });
    };
    std::set<std::pair<std::string, std::string>> changed;
    std::vector<RuleContext::Entry> kept;
    for (RuleContext::Entry &e : ctx.entries) {
      const int group = runs.groupOf(e.graph);
      const Sighting seen = group < 0 ? Sighting{Occurrence::Always} : runs.judge(group, shown[keyOf(e)], e.place);
      const Occurrence o = seen.occurrence;
      if (o != Occurrence::Always)
        changed.emplace(pathOf(e), e.finding.rule);
      if (o == Occurrence::Unclear || (o == Occurrence::OneWay && e.absence))
        continue;
      // What one configuration has no use for another one may.
      if (o == Occurrence::Configured && e.idle)
        continue;
      if (e.followsNull && (o == Occurrence::OneWay || (o == Occurrence::Configured && !seen.everyRunDecides)))
        continue;
      if (group >= 0 && !isCure(keyOf(e), o))
        for (Fix &f : e.finding.fixes)
          f.edits.clear();
      // Which of the runs show it that leave it open, nobody knows.
      const bool isOpen = o == Occurrence::Always && group >= 0 && e.finding.verdict == Verdict::Violated &&
                          runs.judge(group, certain[keyOf(e)], e.place).occurrence != Occurrence::Always;
      if (isOpen)
        changed.emplace(pathOf(e), e.finding.rule);
      if (o != Occurrence::Always || isOpen)
        e.finding.verdict = Verdict::Possible;
      if (seen.choiceSite)
        e.finding.related.push_back({fmt::format("it is so where '{}' is {}", seen.choiceSite->condition, seen.truth),
                                     seen.choiceSite->location,
                                     {}});
      kept.push_back(std::move(e));
    }
    ctx.entries = std::move(kept);
    for (auto *all : {&result.conditionals, &result.loops})
      for (ConditionalSummary &s : *all)
        judgeAgain(s, changed);
  }

  /// Some findings of rules on \p s are gone, or no longer certain: \p changed.
  void judgeAgain(ConditionalSummary &s, const std::set<std::pair<std::string, std::string>> &changed) {
    const FlatMap<std::string_view, Verdict> before = s.verdicts;
    for (const auto &[rule, old] : before) {
      if (!changed.contains({s.path, std::string(rule)}))
        continue;
      Verdict verdict = Verdict::Unknown;
      for (const RuleContext::Entry &e : ctx.entries)
        if (e.finding.rule == rule && pathOf(e) == s.path)
          verdict = std::max(verdict, e.finding.verdict);
      s.verdicts[rule] = verdict;
      if (verdict == Verdict::Unknown)
        s.reasons[std::string(rule)] = "it depends on which way the code goes";
    }
  }

  /// The path of the conditional or loop that \p e is about.
  std::string pathOf(const RuleContext::Entry &e) const {
    return e.finding.conditional.empty() && e.loop ? ctx.m.path(e.loop) : e.finding.conditional;
  }

  /// What the runs of a builder show holds of all executions only where these have it in common.
  void judgeBounds() {
    for (auto *all : {&result.conditionals, &result.loops})
      for (ConditionalSummary &s : *all) {
        if (!ctx.executions.limits(s.path))
          continue;
        const FlatMap<std::string_view, Verdict> before = s.verdicts;
        for (const auto &[rule, shown] : before) {
          std::string why;
          s.verdicts[rule] = ctx.executions.verdict(s.path, rule, shown, why);
          if (s.verdicts[rule] == Verdict::Unknown && !why.empty())
            s.reasons[std::string(rule)] = why;
        }
      }
    for (RuleContext::Entry &e : ctx.entries) {
      std::string why;
      if (const std::string path = pathOf(e); !path.empty())
        e.finding.verdict = ctx.executions.verdict(path, e.finding.rule, e.finding.verdict, why);
      if (!why.empty())
        e.finding.related.push_back({"another execution may do without: " + why, e.finding.location, {}});
    }
    for (ConditionalSummary &s : unmet) {
      const bool isLoop = s.predicateKind.empty();
      auto &known = isLoop ? loopPlaces : places;
      auto &all = isLoop ? result.loops : result.conditionals;
      if (!known.try_emplace(s.path, all.size()).second)
        continue;
      const FlatMap<std::string_view, Verdict> before = s.verdicts;
      for (const auto &[rule, verdict] : before)
        if (!ctx.executions.isProved(s.path, rule) &&
            (verdict != Verdict::Unknown || !s.reasons.contains(std::string(rule)))) {
          s.verdicts[rule] = Verdict::Unknown;
          s.reasons[std::string(rule)] = "no run of the code that was followed comes here";
        }
      all.push_back(std::move(s));
    }
  }

  CheckResult finish() {
    judgeRuns();
    judgeBounds();
    std::set<std::tuple<std::string, std::string, std::string, std::uint64_t>> seen;
    for (RuleContext::Entry &e : ctx.entries) {
      Finding &f = e.finding;
      if ((ctx.isSource() || ctx.isRecorded()) && f.location.valid()) {
        if (!joins(f))
          result.findings.push_back(std::move(f));
        continue;
      }
      if (seen.emplace(f.rule, f.graphPath, f.message, f.places).second)
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
