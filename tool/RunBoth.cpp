//===- RunBoth.cpp - Both branches of every conditional, executed ---------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What happens is judged by the rules themselves: the types that the branches
// yielded take the place of those that were inferred, and the rules on outputs
// are asked again. So what a run shows is said in the words of `condlint check`.
//
//===----------------------------------------------------------------------===//
#include "CheckModel.h"
#include "RunCommand.h"
#include "condlint/Conditional.h"
#include "condlint/Rule.h"
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>
#include <unordered_map>

namespace condlint {

namespace {

/// The rules that hold for what branches return, whatever it was.
const std::set<std::string, std::less<>> outputRules{"output-kind",  "output-dtype",  "output-rank",
                                                     "output-shape", "output-layout", "output-device"};
/// The rules on memory that a run watches.
const std::set<std::string, std::less<>> storageRules{"output-alias", "output-duplicate", "input-mutation",
                                                      "capture-mutation"};
/// What they find makes other rules speak of values that the file does not mean.
const std::set<std::string, std::less<>> unsoundRules{
    "branch-leak",  "closure-capture", "cross-branch-edge", "graph-malformed", "operand-count",
    "operand-type", "operator-type",   "output-count",      "output-declared", "value-undefined"};
/// Those on outputs of which a run that reached both branches shows the break, if there is one.
constexpr std::string_view shownRules[] = {"output-kind", "output-dtype", "output-rank", "output-shape"};

/// \p word as a shell takes it for one.
std::string quotedForShell(std::string_view word) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+,=";
  if (!word.empty() && word.find_first_not_of(plain) == std::string_view::npos)
    return std::string(word);
  std::string out = "'";
  for (const char c : word)
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

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

/// Without the file's name, beside which it is said.
std::string whyOf(const Error &e) { return e.place.empty() ? e.message : e.place + ": " + e.message; }

/// Without digits: other sizes do not make another break.
std::string withoutNumbers(std::string text) {
  std::erase_if(text, [](char c) { return c >= '0' && c <= '9'; });
  return text;
}

/// The inputs of one run.
struct Draw {
  std::uint32_t number = 0;
  Assignment sizes;               ///< those of the witness that is tried
  const Finding *tried = nullptr; ///< whose witness
};

/// One model while it is validated.
class Validation {
public:
  Validation(Analysis &analysed, const std::vector<Target> &wanted, const RunArguments &arguments, InputReport &out);

  void run(Executor &e, const std::vector<Array> *given);
  /// Nothing could be executed: what analysis found stands alone.
  void cannotRun(const std::string &why);

private:
  /// A break that happened.
  struct Shown {
    Finding finding;   ///< as the rule words it for what happened
    std::string draw;  ///< "n = 3"
    std::string sides; ///< "[3] against [4]"
    bool used = false; ///< it has become a finding of the report
  };

  bool runOnce(Executor &e, const Draw &draw, const std::vector<Array> *given);
  void judgeOutputs(const Executor &e, const std::string &when);
  void judgeObservations(const Executor &e, const std::string &when);
  void declareOf(NodeId n, Finding &f) const;
  bool follows(const Shown &s) const;
  bool isExplained(const Finding &f) const;
  bool add(Finding f, std::string when, std::string sides);
  std::string sidesOf(const Finding &f) const;
  void keep(const Draw &draw, const std::string &when, std::vector<Array> arrays);
  void conclude(const Executor &e);
  void emit(Finding f, const std::string &note);
  static bool speaksOf(const Finding &f, const Shown &s);
  Shown *shownFor(const Finding &f);
  void setVerdict(const Finding &f, Verdict v, const std::string &reason = {});
  Verdict *verdictOf(const Finding &f);
  using Reasons = std::map<std::string, std::string>; ///< by the path of a conditional
  Reasons notSeen(const Executor &e) const;
  void leaveOpen(const Reasons &unseen);
  bool ranBoth(const Executor &e, const std::string &conditional) const;

  Analysis &analysis;
  Model &m;
  const std::vector<Target> &targets;
  const RunArguments &a;
  InputReport &report;
  std::vector<Finding> statics;
  std::vector<Shown> shown;
  std::unordered_map<ValueId, ObservedType> seen; ///< by the last run
  std::unordered_map<const Finding *, std::string> unconfirmed;
  std::size_t runs = 0;
  std::string problem; ///< why some run did not come to its end
};

Validation::Validation(Analysis &analysed, const std::vector<Target> &wanted, const RunArguments &arguments,
                       InputReport &out)
    : analysis(analysed), m(analysed.model), targets(wanted), a(arguments), report(out) {
  for (const Target &t : targets) {
    report.targets.push_back(t.str());
    CheckResult result = check(analysis, t, {});
    for (Finding &f : result.findings)
      f.input = report.path;
    statics.insert(statics.end(), result.findings.begin(), result.findings.end());
    result.findings.clear();
    appendResult(report, std::move(result), {});
  }
}

void Validation::cannotRun(const std::string &why) {
  report.status = InputStatus::Partial;
  report.reason = why;
  for (const Finding &f : statics)
    emit(f, {});
  Reasons unseen;
  for (const Conditional &c : analysis.conditionals)
    unseen.emplace(m.path(c.node), why);
  leaveOpen(unseen);
}

void Validation::run(Executor &e, const std::vector<Array> *given) {
  std::vector<Draw> draws;
  for (std::uint32_t i = 0; i < (given ? 1 : a.draws); ++i)
    draws.push_back({i, {}, nullptr});
  // A break that is possible is tried where the prover says that it happens.
  for (const Finding &f : statics)
    if (!given && f.verdict == Verdict::Possible && !f.witness.empty())
      draws.push_back({static_cast<std::uint32_t>(draws.size()), f.witness, &f});
  for (const Draw &d : draws)
    if (!runOnce(e, d, given))
      return;
  conclude(e);
}

/// False: nothing more can be said of the model.
bool Validation::runOnce(Executor &e, const Draw &draw, const std::vector<Array> *given) {
  auto inputs = given ? e.bind(*given) : e.draw(a.seed, draw.number, draw.sizes);
  if (!inputs && draw.tried) {
    unconfirmed[draw.tried] = whyOf(inputs.error());
    return true;
  }
  if (!inputs) {
    cannotRun(whyOf(inputs.error()));
    return false;
  }
  // As they are now: the model may write to them.
  std::vector<Array> arrays;
  for (std::size_t i = 0; !given && i < inputs->size(); ++i)
    if ((*inputs)[i].present()) {
      auto array = e.toArray((*inputs)[i]);
      if (!array) {
        cannotRun(whyOf(array.error()));
        return false;
      }
      array->name = fmt::format("in{}", i);
      arrays.push_back(std::move(*array));
    }
  e.forget();
  auto results = e.run(*inputs);
  if (!results && problem.empty())
    problem = whyOf(results.error());
  ++runs;
  std::vector<std::string> sizes;
  for (const auto &[name, value] : e.symbols())
    sizes.push_back(fmt::format("{} = {}", name, value));
  const std::string when = fmt::format("{}", fmt::join(sizes, ", "));
  const std::size_t before = shown.size();
  judgeObservations(e, when);
  judgeOutputs(e, when);
  const bool breaks = std::any_of(shown.begin() + static_cast<std::ptrdiff_t>(before), shown.end(),
                                  [](const Shown &s) { return s.finding.severity > Severity::Note; });
  if (breaks && !given)
    keep(draw, when, std::move(arrays));
  if (draw.tried && !shownFor(*draw.tried))
    unconfirmed[draw.tried] = fmt::format("it did not happen when executed with {}", when);
  return true;
}

/// Asks the rules on outputs about the types that the branches really yielded.
void Validation::judgeOutputs(const Executor &e, const std::string &when) {
  struct Former {
    ValueId value;
    TypeId type;
    bool contradicted;
  };
  std::vector<Former> former;
  seen.clear();
  for (ObservedType &o : e.observed()) {
    Value &v = m[o.value];
    former.push_back({o.value, v.type, v.contradicted});
    Type t = m.type(o.value);
    std::vector<Dim> dims, strides;
    t.kind = o.kind;
    if (o.kind == ValueKind::Tensor) {
      for (std::int64_t s : o.sizes)
        dims.push_back(m.dims.constant(s));
      for (std::int64_t s : o.strides)
        strides.push_back(m.dims.constant(s));
      t.element = o.dtype;
      t.hasRank = true;
      t.dims = dims;
      t.hasStrides = m.info.dialect == Dialect::Torch;
      t.strides = strides;
      t.storageOffset = m.info.dialect == Dialect::Torch ? m.dims.constant(o.offset) : Dim();
    }
    v.type = m.types.intern(t);
    v.contradicted = false;
    seen.insert_or_assign(o.value, std::move(o));
  }
  RuleOptions options;
  options.select = outputRules;
  std::vector<Finding> found;
  for (const Target &t : targets)
    for (Finding &f : check(analysis, t, options).findings)
      found.push_back(std::move(f));
  for (const Former &f : former) {
    m[f.value].type = f.type;
    m[f.value].contradicted = f.contradicted;
  }
  // What a rule says of values that were not computed is what it said before.
  for (Finding &f : found)
    if (const std::string sides = sidesOf(f); !sides.empty())
      add(std::move(f), when, sides);
}

/// "[3] against [4]"; empty when not both branches yielded what \p f is about.
std::string Validation::sidesOf(const Finding &f) const {
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

void Validation::judgeObservations(const Executor &e, const std::string &when) {
  for (const Observation &o : e.observations())
    for (const Target &t : targets) {
      const RuleInfo *info = findRule(o.rule);
      Finding f;
      f.rule = o.rule;
      f.severity = info ? info->severity(t) : Severity::Error;
      f.target = t.str();
      f.message = o.message;
      if (o.conditional)
        f.conditional = m.path(o.conditional);
      if (const NodeId at = o.node ? o.node : o.conditional) {
        f.location = m.location(at);
        f.graphPath = m.path(at);
      }
      if (f.rule == "graph-malformed" && o.node)
        declareOf(o.node, f);
      if (f.severity != Severity::Off)
        add(std::move(f), when, {});
    }
}

/// What a branch returns and the file lies about is, where analysis said so, the
/// conditional's matter.
void Validation::declareOf(NodeId n, Finding &f) const {
  const GraphId g = m[n].graph;
  const auto returned = m.results(g);
  const bool isReturned = std::ranges::any_of(returned, [&](ValueId v) { return v && m[v].def == n; });
  if (!isReturned || !m[g].owner)
    return;
  const std::string path = m.path(m[g].owner);
  for (const Finding &s : statics)
    if (s.rule == "output-declared" && s.target == f.target && s.conditional == path) {
      f.rule = s.rule;
      f.conditional = path;
      f.graphPath = s.graphPath;
    }
}

/// \p s follows from another break that was shown: what a file records of a value fits one
/// branch at most where the branches differ, and so for all that is computed of it.
bool Validation::follows(const Shown &s) const {
  const auto other = [&](auto test) {
    return std::ranges::any_of(
        shown, [&](const Shown &o) { return &o != &s && o.finding.target == s.finding.target && test(o.finding); });
  };
  if (s.finding.rule == "output-declared" || s.finding.rule == "graph-malformed")
    return other([](const Finding &o) { return outputRules.contains(o.rule); }) ||
           std::ranges::any_of(
               statics, [&](const Finding &f) { return f.target == s.finding.target && outputRules.contains(f.rule); });
  const std::string below = s.finding.conditional + '/';
  // A write inside of a nested conditional is the inner one's, whose operand it is first.
  if (storageRules.contains(s.finding.rule) && s.finding.rule.ends_with("mutation"))
    return other([&](const Finding &o) {
      return o.rule.ends_with("mutation") && o.graphPath == s.finding.graphPath && o.conditional.starts_with(below);
    });
  return outputRules.contains(s.finding.rule) &&
         other([&](const Finding &o) { return outputRules.contains(o.rule) && o.conditional.starts_with(below); });
}

/// Analysis has found a fault in the file where \p f happened: what is computed there is
/// not what the file means, and not another fault.
bool Validation::isExplained(const Finding &f) const {
  const auto within = [](const std::string &path, const std::string &conditional) {
    return !conditional.empty() && (path == conditional || path.starts_with(conditional + '/'));
  };
  return std::ranges::any_of(statics, [&](const Finding &s) {
    return s.target == f.target && s.rule != f.rule && s.verdict == Verdict::Violated &&
           s.severity == Severity::Error && unsoundRules.contains(s.rule) &&
           (within(f.graphPath, s.conditional) || within(f.conditional, s.conditional) ||
            within(s.graphPath, f.conditional) || within(s.conditional, f.conditional));
  });
}

/// False: that is known. Sizes do not make another break.
bool Validation::add(Finding f, std::string when, std::string sides) {
  const bool known = std::ranges::any_of(shown, [&](const Shown &s) {
    return s.finding.rule == f.rule && s.finding.target == f.target && s.finding.conditional == f.conditional &&
           s.finding.graphPath == f.graphPath && s.finding.output == f.output &&
           (!sides.empty() || withoutNumbers(s.finding.message) == withoutNumbers(f.message));
  });
  if (known)
    return false;
  f.input = report.path;
  f.executed = true;
  shown.push_back({std::move(f), std::move(when), std::move(sides)});
  return true;
}

/// Writes the inputs of a run that showed a break to a file beside the user.
void Validation::keep(const Draw &draw, const std::string &when, std::vector<Array> arrays) {
  const std::string stem = std::filesystem::path(report.path).stem().string();
  const std::string file = fmt::format("{}-seed{}-draw{}.npz", stem, a.seed, draw.number);
  if (auto error = writeNpz(file, arrays)) {
    report.notes.push_back("the inputs that show it could not be kept: " + error->str());
    return;
  }
  std::string command =
      fmt::format("condlint run {} --branch both --inputs {}", quotedForShell(report.path), quotedForShell(file));
  for (const Target &t : a.targets)
    command += " --target " + t.str();
  if (a.seed != 0)
    command += fmt::format(" --seed {}", a.seed);
  report.notes.push_back(fmt::format("the inputs of draw {}{} are kept; to repeat it: {}", draw.number,
                                     when.empty() ? "" : " (" + when + ")", command));
}

// --- what was shown against what was proved -------------------------------------

/// \p f, which is of static analysis, speaks of the break \p s.
bool Validation::speaksOf(const Finding &f, const Shown &s) {
  return s.finding.rule == f.rule && s.finding.target == f.target &&
         (s.finding.conditional == f.conditional || s.finding.conditional.empty()) &&
         (s.sides.empty() ? s.finding.graphPath == f.graphPath || f.conditional == f.graphPath
                          : s.finding.output == f.output);
}

Validation::Shown *Validation::shownFor(const Finding &f) {
  const auto at = std::ranges::find_if(shown, [&](const Shown &s) { return speaksOf(f, s); });
  return at == shown.end() ? nullptr : &*at;
}

Verdict *Validation::verdictOf(const Finding &f) {
  const RuleInfo *info = findRule(f.rule);
  for (ConditionalSummary &s : report.summaries)
    if (info && s.path == f.conditional && s.target == f.target && s.verdicts.contains(info->id))
      return &s.verdicts[info->id];
  return nullptr;
}

void Validation::setVerdict(const Finding &f, Verdict v, const std::string &reason) {
  if (Verdict *now = verdictOf(f))
    *now = v;
  for (ConditionalSummary &s : report.summaries)
    if (s.path == f.conditional && s.target == f.target) {
      s.reasons.erase(f.rule);
      if (!reason.empty())
        s.reasons.emplace(f.rule, reason);
    }
}

void Validation::emit(Finding f, const std::string &note) {
  if (!note.empty())
    f.related.push_back({note, {}, {}});
  report.findings.push_back(std::move(f));
}

void Validation::conclude(const Executor &e) {
  const auto noteOf = [](const Shown &s) {
    if (s.draw.empty())
      return s.sides.empty() ? std::string() : "when executed: " + s.sides;
    return fmt::format("when executed with {}{}{}", s.draw, s.sides.empty() ? "" : ": ", s.sides);
  };
  for (const Finding &f : statics) {
    Shown *s = shownFor(f);
    if (s) {
      // Two outputs that share a storage may be said of both: one break, once.
      Finding confirmed = f;
      confirmed.executed = true;
      // One node may write to several operands: a break for each.
      for (Shown &o : shown)
        o.used = o.used || speaksOf(f, o);
      emit(std::move(confirmed), noteOf(*s));
    } else if (const auto open = unconfirmed.find(&f); open != unconfirmed.end()) {
      emit(f, "not confirmed: " + open->second);
    } else if (f.verdict == Verdict::Possible && (outputRules.contains(f.rule) || storageRules.contains(f.rule))) {
      emit(f, fmt::format("not confirmed: it did not happen in {} run(s)", runs));
    } else if (f.verdict == Verdict::Violated && std::ranges::find(shownRules, f.rule) != std::end(shownRules) &&
               ranBoth(e, f.conditional)) {
      // What the file says of its own values, and is reported as a lie, was believed.
      if (isExplained(f)) {
        setVerdict(f, Verdict::Unknown, fmt::format("it did not happen in {} run(s)", runs));
        continue;
      }
      Finding wrong = f;
      wrong.rule = "executor";
      wrong.severity = Severity::Error;
      wrong.executed = true;
      wrong.message = fmt::format("{} is violated by static analysis ({}), but it did not happen in {} run(s)", f.rule,
                                  f.message, runs);
      wrong.help = "either the file contradicts itself, or this is a mistake of condlint's";
      emit(std::move(wrong), {});
    } else {
      emit(f, {}); // what no run could show holds nevertheless
    }
  }
  for (Shown &s : shown) {
    if (!s.used && follows(s))
      continue;
    const Verdict *verdict = verdictOf(s.finding);
    if (!s.used && (!verdict || *verdict == Verdict::Proved) && isExplained(s.finding)) {
      if (verdict)
        setVerdict(s.finding, Verdict::Unknown, "when executed, " + s.finding.message);
      continue;
    }
    if (!s.used && verdict && *verdict == Verdict::Proved) {
      Finding wrong = s.finding;
      wrong.rule = "executor";
      wrong.severity = Severity::Error;
      wrong.message =
          fmt::format("{} is proved by static analysis, but when executed, {}", s.finding.rule, s.finding.message);
      wrong.help = "either the file contradicts itself, or this is a mistake of condlint's";
      emit(std::move(wrong), noteOf(s));
    } else if (!s.used) {
      emit(s.finding, noteOf(s));
    }
    setVerdict(s.finding, Verdict::Violated);
  }
  // A branch that could not run was not validated, and that is said.
  const Reasons unseen = notSeen(e);
  leaveOpen(unseen);
  if (unseen.empty() && problem.empty())
    return;
  report.status = InputStatus::Partial;
  std::string reasons;
  for (const auto &[path, why] : unseen)
    reasons += (reasons.empty() ? "" : "; ") + path + (why.starts_with('\'') ? ": " : " ") + why;
  report.reason = reasons.empty() ? problem : reasons;
}

/// What a run would show and did not is not proved.
void Validation::leaveOpen(const Reasons &unseen) {
  for (ConditionalSummary &s : report.summaries) {
    const auto why = unseen.find(s.path);
    if (why == unseen.end())
      continue;
    const auto leave = [&](const std::string &rule) {
      const RuleInfo *info = findRule(rule);
      if (!info || !s.verdicts.contains(info->id) || s.verdicts[info->id] != Verdict::Proved)
        return;
      s.verdicts[info->id] = Verdict::Unknown;
      s.reasons.insert_or_assign(rule, "it was not executed: " + why->second);
    };
    std::ranges::for_each(outputRules, leave);
    std::ranges::for_each(storageRules, leave);
  }
}

bool Validation::ranBoth(const Executor &e, const std::string &conditional) const {
  return std::ranges::any_of(e.conditionals(), [&](const ConditionalRun &r) {
    return r.reached && m.path(r.conditional) == conditional && std::ranges::all_of(r.ran, [](bool b) { return b; });
  });
}

/// Why not every branch was seen; empty when all ran. What several calls make of a
/// function is seen when one of them is.
Validation::Reasons Validation::notSeen(const Executor &e) const {
  struct State {
    bool reached = false;
    std::vector<std::string> problems;
  };
  std::map<std::string, State> states;
  for (const Conditional &c : analysis.conditionals) {
    const std::string path = m.path(c.node);
    const auto at = states.try_emplace(path).first;
    for (const ConditionalRun &r : e.conditionals()) {
      if (r.conditional != c.node || !r.reached)
        continue;
      std::vector<std::string> problems;
      for (std::size_t b = 0; b < r.ran.size(); ++b)
        if (!r.ran[b])
          problems.push_back(
              fmt::format("'{}' {}", c.branches[b].name, r.problems[b].empty() ? "did not run" : r.problems[b]));
      if (!at->second.reached || problems.empty())
        at->second.problems = problems;
      at->second.reached = true;
    }
  }
  Reasons reasons;
  for (const auto &[path, s] : states)
    if (!s.reached)
      reasons.emplace(path, "was not reached");
    else if (!s.problems.empty())
      reasons.emplace(path, fmt::format("{}", fmt::join(s.problems, ", ")));
  return reasons;
}

} // namespace

void validateModel(Model &model, const RunArguments &a, const std::vector<Array> *given, InputReport &report) {
  Analysis analysis(model);
  const std::vector<Target> own{defaultTarget(model)};
  report.kind = formatName(model.info.format);
  report.conditionals = analysis.conditionalCount;
  ExecutorOptions options;
  options.device = a.device;
  options.seed = a.seed;
  options.memoryLimit = a.memoryLimit;
  options.timeLimit = a.timeLimit;
  options.bothBranches = true;
  options.refused = analysis.inference.invalid;
  Validation validation(analysis, a.targets.empty() ? own : a.targets, a, report);
  auto executor = Executor::create(model, options);
  if (!executor)
    return validation.cannotRun(whyOf(executor.error()));
  validation.run(**executor, given);
}

} // namespace condlint
