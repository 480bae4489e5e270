//===- RunBoth.cpp - Both branches of every conditional, executed ---------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RunCommand.h"
#include "condlint/Conditional.h"
#include "condlint/Rule.h"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unordered_map>

namespace condlint {

namespace {

/// Turns what was seen into findings, by the severities of the rules.
class Judge {
public:
  Judge(const Model &model, const std::vector<Target> &wanted, InputReport &out)
      : m(model), targets(wanted), report(out) {}

  void add(const std::string &rule, NodeId conditional, NodeId node, const std::string &message) {
    for (const Target &t : targets) {
      const RuleInfo *info = findRule(rule);
      const Severity severity = info != nullptr ? info->severity(t) : Severity::Error;
      if (severity == Severity::Off)
        continue;
      Finding f;
      f.rule = rule;
      f.severity = severity;
      f.target = t.str();
      f.message = "when executed, " + message;
      f.input = report.path;
      if (conditional)
        f.conditional = m.path(conditional);
      if (const NodeId at = node ? node : conditional) {
        f.location = m.location(at);
        f.graphPath = m.path(at);
      }
      report.findings.push_back(std::move(f));
    }
  }

  /// The two branches of \p c, position by position.
  void compare(const Conditional &c, const std::unordered_map<ValueId, ObservedType> &seen) {
    if (!c.hasBothBranches())
      return;
    const auto a = m.results(c.branches[0].graph);
    const auto b = m.results(c.branches[1].graph);
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
      const auto x = seen.find(a[i]), y = seen.find(b[i]);
      if (x != seen.end() && y != seen.end())
        compare(c, i, x->second, y->second);
    }
  }

private:
  void compare(const Conditional &c, std::size_t i, const ObservedType &x, const ObservedType &y) {
    const auto differ = [&](const char *rule, std::string_view what, const std::string &left,
                            const std::string &right) {
      add(rule, c.node, NodeId(),
          fmt::format("the branches return different {} in output {}: {} from '{}', {} from '{}'", what, i, left,
                      c.branches[0].name, right, c.branches[1].name));
    };
    const auto shape = [](const ObservedType &t) { return fmt::format("[{}]", fmt::join(t.sizes, ", ")); };
    if (x.kind != y.kind)
      return differ("output-kind", "kinds", std::string(kindName(x.kind)), std::string(kindName(y.kind)));
    if (x.kind != ValueKind::Tensor)
      return;
    if (x.dtype != y.dtype)
      differ("output-dtype", "dtypes", std::string(dtypeName(x.dtype)), std::string(dtypeName(y.dtype)));
    if (x.sizes.size() != y.sizes.size())
      differ("output-rank", "ranks", shape(x), shape(y));
    else if (x.sizes != y.sizes)
      differ("output-shape", "shapes", shape(x), shape(y));
  }

  const Model &m;
  const std::vector<Target> &targets;
  InputReport &report;
};

/// Why not every branch was seen; empty when all ran.
std::string notSeen(const Model &m, const Executor &e, const std::vector<Conditional> &all) {
  std::vector<std::string> lines;
  for (const Conditional &c : all) {
    const ConditionalRun *run = nullptr;
    for (const ConditionalRun &r : e.conditionals())
      if (r.conditional == c.node)
        run = &r;
    if (run == nullptr || !run->reached) {
      lines.push_back(m.path(c.node) + " was not reached");
      continue;
    }
    for (std::size_t b = 0; b < run->ran.size(); ++b)
      if (!run->ran[b])
        lines.push_back(fmt::format("{}: '{}' {}", m.path(c.node), c.branches[b].name,
                                    run->problems[b].empty() ? "did not run" : run->problems[b]));
  }
  return fmt::format("{}", fmt::join(lines, "; "));
}

} // namespace

void validateModel(Model &model, const RunArguments &a, const std::vector<Array> *given, InputReport &report) {
  inferTypes(model);
  const std::vector<Target> own{defaultTarget(model)};
  const std::vector<Target> &targets = a.targets.empty() ? own : a.targets;
  for (const Target &t : targets)
    report.targets.push_back(t.str());
  report.kind = formatName(model.info.format);
  ExecutorOptions options;
  options.device = a.device;
  options.seed = a.seed;
  options.memoryLimit = a.memoryLimit;
  options.bothBranches = true;
  auto executor = Executor::create(model, options);
  if (!executor) {
    report.status = InputStatus::Failed;
    report.reason = executor.error().str();
    return;
  }
  Executor &e = **executor;
  std::string problem;
  const std::uint32_t runs = given != nullptr ? 1 : a.draws;
  for (std::uint32_t draw = 0; draw < runs; ++draw) {
    auto inputs = given != nullptr ? e.bind(*given) : e.draw(a.seed, draw, {});
    if (!inputs) {
      report.status = InputStatus::Failed;
      report.reason = inputs.error().str();
      return;
    }
    auto results = e.run(*inputs);
    if (!results && problem.empty())
      problem = results.error().str();
  }
  const std::vector<Conditional> all = conditionals(model);
  report.conditionals = all.size();
  Judge judge(model, targets, report);
  for (const Observation &o : e.observations())
    judge.add(o.rule, o.conditional, o.node, o.message);
  std::unordered_map<ValueId, ObservedType> seen;
  for (ObservedType &t : e.observed())
    seen.insert_or_assign(t.value, std::move(t));
  for (const Conditional &c : all)
    judge.compare(c, seen);
  // A branch that could not run was not validated, and that is said.
  if (const std::string unseen = notSeen(model, e, all); !unseen.empty()) {
    report.status = InputStatus::Partial;
    report.reason = unseen;
  } else if (!problem.empty()) {
    report.status = InputStatus::Partial;
    report.reason = problem;
  }
}

} // namespace condlint
