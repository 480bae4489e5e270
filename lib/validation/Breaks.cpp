//===- Breaks.cpp - What broke while both branches ran --------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Breaks.h"
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace condlint {

using Run = RuleInfo::Run;
using Happened = Observation::Kind;

RuleInfo::Run runOf(std::string_view id) {
  const RuleInfo *info = findRule(id);
  return info ? info->run : Run::None;
}

bool judgesOutputs(std::string_view id) {
  const Run run = runOf(id);
  return run == Run::Shown || run == Run::Seen;
}

bool Break::isSaidBy(const Finding &f) const {
  return finding.rule == f.rule && finding.target == f.target &&
         (finding.conditional == f.conditional || finding.conditional.empty()) &&
         (sides.empty() ? finding.graphPath == f.graphPath || f.conditional == f.graphPath
                        : finding.output == f.output);
}

namespace {

/// "[3]", "float16", "strides [4, 1]": the part of \p t that \p rule is about.
std::string facetOf(std::string_view rule, const ObservedType &t) {
  if (rule == "output-dtype" && t.kind == ValueKind::Tensor)
    return std::string(dtypeName(t.dtype));
  if ((rule == "output-shape" || rule == "output-rank") && t.kind == ValueKind::Tensor)
    return fmt::format("[{}]", fmt::join(t.sizes, ", "));
  if (rule == "output-layout" && t.kind == ValueKind::Tensor)
    return fmt::format("strides [{}] from {}", fmt::join(t.strides, ", "), t.offset);
  return std::string(kindName(t.kind));
}

/// The rule that forbids what was seen.
std::string_view ruleAgainst(Happened kind) {
  switch (kind) {
  case Happened::WroteOperand:
    return "input-mutation";
  case Happened::WroteWeight:
    return "capture-mutation";
  case Happened::SharesOperand:
    return "output-alias";
  case Happened::SharesOutput:
    return "output-duplicate";
  case Happened::FalseRecord:
    return "graph-malformed";
  case Happened::FalseDeclaration:
    return "output-declared";
  case Happened::PredicateNotScalar:
    return "predicate-shape";
  case Happened::NotRepeatable:
    break;
  }
  return "executor";
}

bool isOf(const Finding &f, Happened one, Happened other) {
  return f.rule == ruleAgainst(one) || f.rule == ruleAgainst(other);
}

/// Without digits: other sizes do not make another break.
std::string withoutNumbers(std::string text) {
  std::erase_if(text, [](char c) { return c >= '0' && c <= '9'; });
  return text;
}

/// The strides of \p o, to be judged. An axis with at most one element has no distance, and its
/// stride is an accident of the sizes that were drawn: it is what analysis says it is. Nothing where
/// that is not known.
std::optional<std::vector<Dim>> stridesOf(Model &m, const Type &inferred, const ObservedType &o,
                                          const Assignment &symbols) {
  if (m.info.dialect != Dialect::Torch || o.strides.size() != o.sizes.size())
    return std::nullopt;
  const bool empty = std::ranges::find(o.sizes, 0) != o.sizes.end();
  const bool isKnown = inferred.hasRank && inferred.hasStrides && inferred.strides.size() == o.strides.size();
  std::vector<Dim> strides;
  for (std::size_t i = 0; i < o.sizes.size(); ++i) {
    const bool hasDistance = !empty && o.sizes[i] > 1;
    if (!hasDistance && !isKnown)
      return std::nullopt;
    const auto stride = hasDistance                   ? std::optional(o.strides[i])
                        : inferred.strides[i].known() ? m.dims.evaluate(inferred.strides[i], symbols)
                                                      : std::nullopt;
    if (!stride)
      return std::nullopt;
    strides.push_back(m.dims.constant(*stride));
  }
  return strides;
}

/// \p before with what \p o shows in the place of what was inferred.
TypeId observedType(Model &m, TypeId before, const ObservedType &o, const Assignment &symbols) {
  Type t = m.types[before];
  t.kind = o.kind;
  std::vector<Dim> dims;
  const auto strides = stridesOf(m, t, o, symbols);
  if (o.kind == ValueKind::Tensor) {
    for (std::int64_t s : o.sizes)
      dims.push_back(m.dims.constant(s));
    t.element = o.dtype;
    t.hasRank = true;
    t.dims = dims;
    t.hasStrides = strides.has_value();
    t.strides = strides ? std::span<const Dim>(*strides) : std::span<const Dim>();
    t.storageOffset = m.info.dialect == Dialect::Torch ? m.dims.constant(o.offset) : Dim();
  }
  return m.types.intern(t);
}

} // namespace

Breaks::Breaks(Analysis &a, std::span<const Target> wanted, const RuleOptions &options, std::span<const Finding> found)
    : analysis(a), m(a.model), targets(wanted), chosen(options), statics(found) {}

bool Breaks::judge(const Executor &e, const std::string &sizes) {
  const auto before = static_cast<std::ptrdiff_t>(breaks.size());
  judgeObservations(e, sizes);
  judgeOutputs(e, sizes);
  return std::any_of(breaks.begin() + before, breaks.end(),
                     [](const Break &b) { return b.finding.severity > Severity::Note; });
}

Break *Breaks::of(const Finding &f) {
  const auto at = std::ranges::find_if(breaks, [&](const Break &b) { return b.isSaidBy(f); });
  return at == breaks.end() ? nullptr : &*at;
}

void Breaks::judgeOutputs(const Executor &e, const std::string &sizes) {
  const std::vector<ObservedType> observed = e.observed();
  seen.clear();
  for (const ObservedType &o : observed)
    seen.insert_or_assign(o.value, o);
  // What a rule says of values that were not computed is what it said before.
  for (Finding &f : checkOutputs(observed, e.symbols()))
    if (std::string sides = sidesOf(f); !sides.empty())
      add(std::move(f), sizes, std::move(sides));
}

namespace {

/// While it lives the values have the types that a run yielded.
class ObservedTypes {
public:
  ObservedTypes(Model &model, const std::vector<ObservedType> &observed, const Assignment &symbols) : m(model) {
    for (const ObservedType &o : observed) {
      Value &v = m[o.value];
      former.push_back({o.value, v.type, v.contradicted});
      v.type = observedType(m, v.type, o, symbols);
      v.contradicted = false;
    }
  }
  ~ObservedTypes() {
    for (const Former &f : former) {
      m[f.value].type = f.type;
      m[f.value].contradicted = f.contradicted;
    }
  }
  ObservedTypes(const ObservedTypes &) = delete;
  ObservedTypes &operator=(const ObservedTypes &) = delete;

private:
  struct Former {
    ValueId value;
    TypeId type;
    bool contradicted;
  };
  Model &m;
  std::vector<Former> former;
};

} // namespace

/// Asks the rules on outputs about the types that the branches really yielded.
std::vector<Finding> Breaks::checkOutputs(const std::vector<ObservedType> &observed, const Assignment &symbols) {
  RuleOptions options = chosen;
  options.select.clear();
  for (const RuleInfo &rule : rules())
    if (judgesOutputs(rule.id) && (chosen.select.empty() || chosen.select.contains(rule.id)))
      options.select.emplace(rule.id);
  if (options.select.empty())
    return {};
  const ObservedTypes types(m, observed, symbols);
  std::vector<Finding> found;
  for (const Target &t : targets)
    for (Finding &f : check(analysis, t, options).findings)
      found.push_back(std::move(f));
  return found;
}

/// "[3] against [4]"; empty when not both branches yielded what \p f is about.
std::string Breaks::sidesOf(const Finding &f) const {
  const std::size_t position = f.output.value_or(0);
  for (const Conditional &c : analysis.conditionals) {
    if (!c.hasBothBranches() || m.path(c.node) != f.conditional)
      continue;
    const auto x = m.results(c.branches[0].graph), y = m.results(c.branches[1].graph);
    if (position >= x.size() || position >= y.size())
      continue;
    const auto one = seen.find(x[position]), other = seen.find(y[position]);
    if (one != seen.end() && other != seen.end())
      return fmt::format("{} against {}", facetOf(f.rule, one->second), facetOf(f.rule, other->second));
  }
  return {};
}

void Breaks::judgeObservations(const Executor &e, const std::string &sizes) {
  for (const Observation &o : e.observations())
    for (const Target &t : targets) {
      Finding f;
      f.rule = ruleAgainst(o.kind);
      f.severity = severityOf(f.rule, t);
      f.target = t.str();
      f.message = o.message;
      if (o.conditional)
        f.conditional = m.path(o.conditional);
      if (const NodeId at = o.node ? o.node : o.conditional) {
        f.location = m.location(at);
        f.graphPath = m.path(at);
      }
      if (o.kind == Happened::FalseRecord && o.node)
        declareOf(o.node, f);
      if (f.severity != Severity::Off)
        add(std::move(f), sizes, {});
    }
}

Severity Breaks::severityOf(std::string_view rule, const Target &t) const {
  if (chosen.ignore.contains(rule) || (!chosen.select.empty() && !chosen.select.contains(rule)))
    return Severity::Off;
  const RuleInfo *info = findRule(rule);
  const Severity usual = info ? info->severity(t) : Severity::Error;
  const auto own = chosen.severity.find(rule);
  return usual == Severity::Off || own == chosen.severity.end() ? usual : own->second;
}

/// What a branch returns and the file lies about is, where analysis said so, the
/// conditional's matter.
void Breaks::declareOf(NodeId n, Finding &f) const {
  const GraphId g = m[n].graph;
  const auto returned = m.results(g);
  const bool isReturned = std::ranges::any_of(returned, [&](ValueId v) { return v && m[v].def == n; });
  if (!isReturned || !m[g].owner)
    return;
  const std::string path = m.path(m[g].owner);
  for (const Finding &s : statics)
    if (s.rule == ruleAgainst(Happened::FalseDeclaration) && s.target == f.target && s.conditional == path) {
      f.rule = s.rule;
      f.conditional = path;
      f.graphPath = s.graphPath;
    }
}

bool Breaks::follows(const Break &b) const {
  const Finding &f = b.finding;
  const auto isStatic = [&](auto test) {
    return std::ranges::any_of(statics, [&](const Finding &s) { return s.target == f.target && test(s); });
  };
  const auto other = [&](auto test) {
    return std::ranges::any_of(
        breaks, [&](const Break &o) { return &o != &b && o.finding.target == f.target && test(o.finding); });
  };
  // Where there is no predicate that could be had, it has no shape either.
  if (f.rule == ruleAgainst(Happened::PredicateNotScalar))
    return isStatic([&](const Finding &s) {
      return s.conditional == f.conditional &&
             (s.rule == "predicate-self" || s.rule == "predicate-kind" || s.rule == "predicate-missing");
    });
  if (isOf(f, Happened::FalseDeclaration, Happened::FalseRecord))
    return other([](const Finding &o) { return judgesOutputs(o.rule); }) || isStatic([&](const Finding &s) {
             // What a branch declares wrongly of what it returns, the conditional repeats.
             const bool ofBranch = s.rule == ruleAgainst(Happened::FalseDeclaration) && s.conditional == f.graphPath &&
                                   s.graphPath != f.graphPath;
             return ofBranch || judgesOutputs(s.rule);
           });
  const std::string below = f.conditional + '/';
  // A write inside of a nested conditional is the inner one's, whose operand it is first.
  if (isOf(f, Happened::WroteOperand, Happened::WroteWeight))
    return other([&](const Finding &o) {
      return isOf(o, Happened::WroteOperand, Happened::WroteWeight) && o.graphPath == f.graphPath &&
             o.conditional.starts_with(below);
    });
  // A nested conditional returns its operand, and the one around it what that one returns.
  if (f.rule == ruleAgainst(Happened::SharesOperand))
    return isStatic([&](const Finding &s) {
      return s.rule == f.rule && (s.conditional + '/').starts_with(f.graphPath + '/') && s.conditional != f.conditional;
    });
  return judgesOutputs(f.rule) &&
         other([&](const Finding &o) { return judgesOutputs(o.rule) && o.conditional.starts_with(below); });
}

bool Breaks::isExplained(const Finding &f) const {
  const auto within = [](const std::string &path, const std::string &conditional) {
    return !conditional.empty() && (path == conditional || path.starts_with(conditional + '/'));
  };
  return std::ranges::any_of(statics, [&](const Finding &s) {
    return s.target == f.target && s.rule != f.rule && s.verdict == Verdict::Violated &&
           s.severity == Severity::Error && runOf(s.rule) == Run::Unsound &&
           (within(f.graphPath, s.conditional) || within(f.conditional, s.conditional) ||
            within(s.graphPath, f.conditional) || within(s.conditional, f.conditional));
  });
}

/// Sizes do not make another break.
void Breaks::add(Finding f, const std::string &sizes, std::string sides) {
  const bool known = std::ranges::any_of(breaks, [&](const Break &b) {
    const Finding &o = b.finding;
    return o.rule == f.rule && o.target == f.target && o.conditional == f.conditional && o.graphPath == f.graphPath &&
           o.output == f.output && (!sides.empty() || withoutNumbers(o.message) == withoutNumbers(f.message));
  });
  if (known)
    return;
  f.executed = true;
  breaks.push_back({std::move(f), sizes, std::move(sides)});
}

} // namespace condlint
