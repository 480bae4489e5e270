//===- RuleContext.cpp - What a rule is given and what it answers ---------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RuleContext.h"
#include "ConstantPredicate.h"
#include "Describe.h"
#include "condlint/SourceGraph.h"
#include "facts/NetworkFacts.h"
#include "ops/Loading.h"
#include <algorithm>
#include <array>
#include <bit>
#include <fmt/format.h>

namespace condlint {

namespace {

/// Some size of \p a is another in \p b, at least for some numbers that their symbols may stand for.
bool sizesDiffer(const Model &m, const Type &a, const Type &b) {
  if (!a.hasRank || !b.hasRank || a.dims.size() != b.dims.size())
    return false;
  for (std::size_t i = 0; i < a.dims.size(); ++i)
    if (a.dims[i] != b.dims[i] && m.dims.compare(a.dims[i], b.dims[i]).result == DimComparison::Verdict::Refuted)
      return true;
  return false;
}

/// The facets in which two types differ, a bit for each.
unsigned differences(const Model &m, const Type &a, const Type &b) {
  constexpr unsigned kindBit = 1, elementBit = 2, rankBit = 4, sizesBit = 8, deviceBit = 16, stridesBit = 32,
                     offsetBit = 64;
  if (!a.isTensor() || !b.isTensor())
    return excludes(m, a, b) ? kindBit : 0;
  unsigned out = a.possible().disjoint(b.possible()) ? elementBit : 0;
  Type x = a, y = b;
  x.element = y.element = DType::Unknown;
  x.elements = y.elements = {};
  if (excludes(m, x, y))
    out |= a.dims.size() != b.dims.size() ? rankBit | sizesBit : sizesBit;
  else if (sizesDiffer(m, a, b))
    out |= sizesBit;
  if (a.device && b.device && a.device != b.device)
    out |= deviceBit;
  if (a.hasStrides && b.hasStrides && !std::ranges::equal(a.strides, b.strides))
    out |= stridesBit;
  if (a.storageOffset.known() && b.storageOffset.known() && a.storageOffset != b.storageOffset)
    out |= offsetBit;
  return out;
}

} // namespace

const Type &RuleContext::typeOf(ValueId v) const {
  const Value &x = m[v];
  // ONNX Runtime takes an initializer as it is, whatever a branch declares of it as its output.
  if (target.system == System::OnnxRuntime && x.origin == ValueOrigin::Constant && x.constant && m[x.constant].type)
    return m.types[m[x.constant].type];
  if (!x.contradicted || !x.recorded || std::ranges::find(believed, v) != believed.end())
    return m.type(v);
  // ONNX: sizes are what operators make, whatever is declared. Of a conditional's result that can have several ranks
  // what is declared is one of them.
  if (const Type &own = m.type(v), &recorded = m.types[x.recorded];
      m.info.dialect == Dialect::Onnx && own.isTensor() && recorded.isTensor() &&
      (own.element == recorded.element || recorded.element == DType::Unknown))
    return !own.hasRank && recorded.hasRank && !isTensorRT() && x.def && facts.conditional[x.def.index()] ? recorded
                                                                                                          : own;
  // What a conditional yields follows from its branches, whatever is declared of it.
  return x.def && facts.conditional[x.def.index()] ? m.type(v) : m.types[x.recorded];
}

void RuleContext::believe(const Conditional &c) {
  believed.clear();
  const auto lies = [&](ValueId v) { return v && m[v].contradicted && m[v].recorded; };
  if (c.predicateKind == PredicateKind::Value && lies(c.predicate)) {
    const Type &t = m.type(c.predicate);
    if (t.kind == ValueKind::SymBool || (t.isTensor() && t.element == DType::Bool))
      believed.push_back(c.predicate);
  }
  // The records differ in more than what the operators yield, which differs in nothing else.
  const auto explains = [](unsigned recorded, unsigned yielded) {
    return (recorded & ~yielded) != 0 && (yielded & ~recorded) == 0;
  };
  for (std::size_t i = 0; i < c.operands.size(); ++i) {
    const ValueId v = c.operands[i].value;
    for (std::size_t b = 0; lies(v) && b < c.branches.size(); ++b) {
      const GraphId g = c.branches[b].graph;
      if (!g || i >= m[g].parameters.count)
        continue;
      const Type &wanted = m.types[m[ValueId(m[g].parameters.first + static_cast<std::uint32_t>(i))].recorded];
      if (explains(differences(m, typeOf(v), wanted), differences(m, m.type(v), wanted)))
        believed.push_back(v);
    }
  }
  const auto a = results(0);
  const auto b = results(1);
  // Of several ranks that can come the operators say nothing that a record could be held against.
  const auto isOpen = [&](ValueId v) { return m.info.dialect == Dialect::Onnx && lies(v) && !m.type(v).hasRank; };
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if ((lies(a[i]) || lies(b[i])) && a[i] && b[i] && !isOpen(a[i]) && !isOpen(b[i]) &&
        explains(differences(m, typeOf(a[i]), typeOf(b[i])), differences(m, m.type(a[i]), m.type(b[i]))))
      believed.insert(believed.end(), {a[i], b[i]});
}

bool RuleContext::hasConstantPredicate(NodeId node) const {
  const auto operands = m.operands(node);
  return !operands.empty() && operands[0] && foldPredicate(*this, operands[0]).constant;
}

Tri RuleContext::predicateConstantForAllCalls() const {
  Tri all = Tri::Yes;
  for (const NodeId n : facts.copiesOf(current->node)) {
    const ConstantPredicate p = foldPredicate(*this, conditionalAt(m, n));
    if (!p.constant)
      return Tri::No;
    if (!p.value || p.value != constantValue)
      all = n == current->node ? all : Tri::Unknown;
  }
  return all;
}

std::span<const ValueId> RuleContext::results(std::size_t branch) const {
  if (current->dialect == Dialect::TensorRT)
    return branch < 2 ? std::span<const ValueId>(flatResults[branch]) : std::span<const ValueId>();
  const GraphId g = branch < current->branches.size() ? current->branches[branch].graph : GraphId();
  return g ? m.results(g) : std::span<const ValueId>();
}

bool RuleContext::isDead(GraphId g) const {
  if (deadGraphs.empty())
    return false;
  for (; g; g = m[g].parent)
    if (deadGraphs[g.index()])
      return true;
  return false;
}

bool RuleContext::waivesShapes() const {
  if (isTensorRT())
    return (isNetwork() || foldedPredicate) && constantPredicate;
  if (m.info.dialect != Dialect::Onnx || !foldedPredicate || !constantValue || isOpenVino()) // OV7
    return false;
  const std::size_t never = *constantValue ? 1 : 0;
  const GraphId dead = never < current->branches.size() ? current->branches[never].graph : GraphId();
  return std::ranges::none_of(analysis.inference.invalid, [&](const InvalidOperand &i) {
    return dead && i.when.empty() && m.encloses(dead, m[i.node].graph) && !isFoundWhenItRuns(m, i);
  });
}

bool RuleContext::isNeverTaken(GraphId g) const {
  for (; g; g = m[g].parent) {
    const NodeId owner = m[g].owner;
    if (!owner || !facts.conditional[owner.index()])
      continue;
    const Conditional c = conditionalAt(m, owner);
    const ConstantPredicate p = foldPredicate(*this, c);
    if (!p.constant || !p.value)
      continue;
    const std::size_t never = *p.value ? 1 : 0;
    if (never < c.branches.size() && c.branches[never].graph == g)
      return true;
  }
  return false;
}

bool RuleContext::isReadable(ValueId v, std::size_t branch) const {
  if (!v || m[v].origin == ValueOrigin::Undefined)
    return false;
  const GraphId g = branch < current->branches.size() ? current->branches[branch].graph : GraphId();
  return !m.hasClosedGraphs() || !g || m.reaches(g, v);
}

bool RuleContext::matchInOrder(std::span<const ValueId> a, std::span<const ValueId> b) const {
  if (a.size() > b.size())
    std::swap(a, b);
  std::size_t next = 0;
  for (std::size_t i = 0; i < b.size() && next < a.size(); ++i)
    if (!a[next] || !b[i] ||
        (!excludes(m, typeOf(a[next]), typeOf(b[i])) && !onOtherDevices(typeOf(a[next]), typeOf(b[i]))))
      ++next;
  return next == a.size();
}

Severity RuleContext::tableSeverity(std::string_view id, std::string_view variant) const {
  const RuleInfo *info = findRule(id);
  return info ? info->severity(target, variant) : Severity::Off;
}

void RuleContext::enter(const Conditional &c) {
  current = &c;
  const ConstantPredicate p = foldPredicate(*this, c);
  constantPredicate = p.constant;
  foldedPredicate = p.folded;
  constantValue = p.value;
  untaken.reset();
  for (std::size_t b = 0; b < 2; ++b) {
    flatResults[b].clear();
    for (NodeId n : c.outputLayers)
      flatResults[b].push_back(m.operands(n).size() > 1 + b ? m.operands(n)[1 + b] : ValueId());
  }
  // TP2, P5
  specialised = facts.specialised(c.node);
  if (specialised == Tri::Yes || (isTensorRT() && !isNetwork() && constantValue && !foldedPredicate))
    untaken = *constantValue ? 1 : 0;

  believe(c);
  outputList.clear();
  const auto a = results(0);
  const auto b = results(1);
  listOutputs = shifted = false;
  for (std::span<const ValueId> all : {a, b})
    for (ValueId v : all)
      listOutputs = listOutputs || (isSource() && v && typeOf(v).kind == ValueKind::Sequence);
  if (listOutputs)
    return;
  // A list that is longer in one branch shifts what stands behind it: which outputs belong together is not known.
  shifted = a.size() != b.size() && (isSource() || matchInOrder(a, b));
  if (shifted && !isSource())
    return;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    Output o;
    o.position = i;
    o.values = {a[i], b[i]};
    if (i < c.outputLayers.size()) {
      o.node = c.outputLayers[i];
      o.declared = m.result(o.node, 0);
    } else if (i < m.resultCount(c.node)) {
      o.declared = m.result(c.node, i);
    }
    o.known = isReadable(a[i], 0) && isReadable(b[i], 1);
    // TP2: of an If whose predicate is constant TensorRT's parser sees one branch. A network has both.
    // OV7: OpenVINO reads both and takes the types of one.
    o.compared = o.known && !shifted &&
                 (isNetwork() || !(isTensorRT() || isOpenVino()) || !constantPredicate || foldedPredicate);
    if (o.known && !shifted) {
      const Type &x = typeOf(a[i]);
      const Type &y = typeOf(b[i]);
      o.sameKind = x.kind != ValueKind::Unknown && x.kind == y.kind;
      o.sameTensors = o.sameKind && x.isTensor();
    }
    outputList.push_back(o);
  }
}

Severity RuleContext::severityOf(const Draft &d) const {
  Severity s = rule->severity(target, d.variant);
  if (s != Severity::Off)
    if (const auto chosen = options.severity.find(rule->id); chosen != options.severity.end())
      s = chosen->second;
  // A range that we assume shows what may happen, not what the model declares.
  if (d.verdict == Verdict::Possible && d.assumed && s == Severity::Error)
    s = Severity::Warning;
  return s;
}

SourceLocation RuleContext::placeOf(const Draft &d, NodeId owner) const {
  if (d.at.valid())
    return d.at;
  SourceLocation place;
  if (isSource() && owner && !d.node && !d.graph) {
    // In source an argument of the conditional has a place of its own.
    const bool isPredicate = rule->place == RuleInfo::Place::Predicate;
    if (rule->place != RuleInfo::Place::Conditional)
      place = read(m, owner, isPredicate ? attr::predicateAt : attr::operandsAt).value_or(SourceLocation());
    if (current && isPredicate && !current->conditionLayers.empty())
      place = m.location(current->conditionLayers.front());
  }
  const NodeId at = d.node ? d.node : d.graph ? m[d.graph].owner : owner;
  if (!place.valid() && at)
    place = m.location(at);
  // A node that an exporter or a pass made without a line belongs to the
  // conditional's line.
  if (!place.valid() && owner)
    place = m.location(owner);
  return place;
}

void RuleContext::relateCalls(const Draft &d, Finding &f) const {
  if (!isSource() && !isRecorded())
    return;
  Range calls = d.calls;
  if (d.node)
    if (const Attribute *a = m.attribute(d.node, attr::calls.name); a && a->kind == AttributeKind::Locations)
      calls = a->list;
  for (SourceLocation &l : m.locationsIn(calls))
    f.related.push_back({"called from here", std::move(l), {}});
}

std::vector<RuleContext::ReturnPoint> RuleContext::returns(std::size_t branch) const {
  std::vector<ReturnPoint> out;
  const GraphId g = branch < current->branches.size() ? current->branches[branch].graph : GraphId();
  if (g && isSource())
    for (NodeId n : m.nodes(g))
      if (isCxx(m, n, CxxOp::Return))
        out.push_back({n, m.operands(n)});
  if (g && out.empty())
    out.push_back({NodeId(), m.results(g)});
  return out;
}

bool isLeftOfSpecialised(const RuleInfo &r) { return r.group == "Predicate" || r.id == "operand-count"; }

void RuleContext::report(Draft d) {
  const Severity severity = severityOf(d);
  if (severity == Severity::Off)
    return;
  // TP2: of the branch of a constant predicate the parser makes layers as of any other, and no conditional.
  if (current && untaken && ofConstruct && !facts.nearestConditional(m[current->node].graph))
    return;
  if (d.output && (isTensorRT() || isOpenVino()) && foldedPredicate)
    return unknown(fmt::format("whether {} folds the predicate, and takes one branch alone, is not known",
                               isOpenVino() ? "OpenVINO" : "TensorRT's parser"));
  if (current && specialised == Tri::Unknown && !isLeftOfSpecialised(*rule))
    return unknown(
        "whether torch takes the predicate for a constant, and one branch alone, hangs on whether it is computed "
        "from sizes");
  const NodeId owner = current ? current->node : d.conditional;
  const GraphId place = d.node ? m[d.node].graph : d.graph ? d.graph : owner ? m[owner].graph : GraphId();
  // ONNX Runtime asks of a function that nobody calls what it imports, and no more.
  if (target.system == System::OnnxRuntime && place && facts.uncalled[place.index()] && d.variant != "ort")
    return;
  // Of a network that was not read to its end nothing is claimed.
  if (isDead(place) || (isNetwork() && place && facts.network->isIncomplete(place)))
    return;
  const bool written = isSource() && d.node && d.node != owner;
  if (const auto doubt = written ? read(m, d.node, attr::doubtAt) : std::nullopt) {
    return unknown(fmt::format("whether {} runs is not known: what decides it in line {} was not understood",
                               spellOperation(m, d.node), doubt->line));
  }
  verdict = std::max(verdict, d.verdict);
  // No run shows it: it says what is left of what runs show.
  if (isNetwork() && executions.isCommon(place)) {
    if (const NodeId construct = owner ? owner : d.loop) {
      Verdict &worst = commonBreaks[{construct, rule->id}];
      worst = std::max(worst, d.verdict);
    }
    return;
  }
  ReportedFinding e;
  e.conditional = owner;
  e.loop = d.loop;
  e.graph = place;
  e.absence = d.absence;
  e.idle = d.idle;
  e.followsNull = d.followsNull;
  if (const NodeId at = d.node ? d.node : owner)
    e.place = m[at].location;
  e.finding.rule = rule->id;
  e.finding.severity = severity;
  e.finding.verdict = d.verdict;
  e.finding.target = target.str();
  e.finding.message = std::move(d.message);
  e.finding.output = d.output;
  e.finding.help = std::move(d.help);
  if (owner)
    e.finding.conditional = m.path(owner);
  e.finding.location = placeOf(d, owner);
  if (d.node)
    e.finding.graphPath = m.path(d.node);
  else if (d.graph)
    e.finding.graphPath = m.path(d.graph);
  else if (owner)
    e.finding.graphPath = e.finding.conditional;
  if (!isSource() && !isRecorded()) // there what a helper or a loop makes several times is one
    e.finding.places = m.placeNumber(owner) ^ std::rotl(m.placeNumber(d.node    ? d.node
                                                                      : d.graph ? m[d.graph].owner
                                                                                : owner),
                                                        1);
  e.finding.related = std::move(d.related);
  relateCalls(d, e.finding);
  e.finding.witness = std::move(d.witness);
  e.finding.fixes = std::move(d.fixes);
  reported.push_back(std::move(e));
}

std::vector<AliasAnalysis::Source> RuleContext::sourcesOf(ValueId v) {
  sayIfIncomplete(v);
  return analysis.aliases.sources(v);
}

std::vector<AliasAnalysis::Source> RuleContext::tracedSourcesOf(ValueId v) {
  sayIfIncomplete(v);
  return analysis.aliases.tracedSources(v);
}

void RuleContext::sayIfIncomplete(ValueId v) {
  if (!analysis.aliases.isComplete(v))
    unknown(fmt::format("{} may be one of very many values", spellValue(m, v)));
}

void RuleContext::unknown(std::string why) {
  // What the target allows anyway is no question.
  if (isSource() && std::ranges::all_of(rule->rows, [&](const RuleInfo::Row &row) {
        return rule->severity(target, row.variant) == Severity::Off;
      }))
    return;
  if (verdict == Verdict::Proved) {
    verdict = Verdict::Unknown;
    reason = std::move(why);
  }
}

void RuleContext::unknownBy(NodeId n, std::string_view may) {
  std::string name = spellOperation(m, n);
  const bool isFirst = verdict == Verdict::Proved;
  if (isFirst)
    openOperators.clear();
  if (!isFirst && (openOperators.empty() || !reason.ends_with(may)))
    return;
  if (std::ranges::find(openOperators, name) != openOperators.end())
    return;
  openOperators.push_back(std::move(name));
  const auto last = openOperators.end() - 1;
  std::string why = fmt::format("{}{}{} may {}", fmt::join(openOperators.begin(), last, ", "),
                                openOperators.size() > 1 ? " and " : "", *last, may);
  if (isFirst)
    unknown(std::move(why));
  else
    reason = std::move(why);
}

void RuleContext::unknownOf(NodeId construct, std::string why) {
  openLoops.try_emplace({construct, rule->id}, std::move(why));
}

} // namespace condlint
