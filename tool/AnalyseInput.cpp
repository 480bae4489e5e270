//===- AnalyseInput.cpp - From one file to its part of the report ---------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AnalyseInput.h"
#include "Inputs.h"
#include "condlint/Reader.h"
#include <algorithm>
#include <exception>
#include <new>
#include <unordered_map>

namespace condlint {

namespace {

/// Typed copies of a function's body have the path of the body: what several
/// calls make of one conditional is one entry, with the worst verdict of each
/// rule.
void mergeInstances(std::vector<ConditionalSummary> &summaries) {
  std::vector<ConditionalSummary> merged;
  std::unordered_map<std::string, std::size_t> places;
  for (ConditionalSummary &s : summaries) {
    bool inFunction = !s.path.starts_with("main/");
    auto [at, isNew] = inFunction ? places.try_emplace(s.path, merged.size()) : std::pair(places.end(), true);
    if (isNew) {
      merged.push_back(std::move(s));
      continue;
    }
    ConditionalSummary &known = merged[at->second];
    for (const auto &[rule, verdict] : s.verdicts) {
      Verdict &worst = known.verdicts.try_emplace(rule, verdict).first->second;
      worst = std::max(worst, verdict);
    }
    known.reasons.merge(s.reasons);
    std::erase_if(known.reasons, [&](const auto &reason) {
      auto verdict = known.verdicts.find(reason.first);
      return verdict != known.verdicts.end() && verdict->second != Verdict::Unknown;
    });
  }
  summaries = std::move(merged);
}

/// Appends the outcome of one model for one target. \p prefix tells the models
/// of an archive apart.
void append(InputReport &report, CheckResult result, const std::string &prefix) {
  mergeInstances(result.conditionals);
  for (ConditionalSummary &s : result.conditionals) {
    s.input = report.path;
    s.path = prefix + s.path;
    report.summaries.push_back(std::move(s));
  }
  for (Finding &f : result.findings) {
    f.input = report.path;
    for (std::string *path : {&f.conditional, &f.graphPath})
      if (!path->empty())
        *path = prefix + *path;
    for (Related &r : f.related)
      if (!r.graphPath.empty())
        r.graphPath = prefix + r.graphPath;
    report.findings.push_back(std::move(f));
  }
}

/// Why \p e happened, without the name of the file, which the report shows.
std::string reasonOf(const Error &e, const std::string &path) {
  Error reason = e;
  if (reason.file == path)
    reason.file.clear();
  return reason.str();
}

void analyse(const CheckSettings &settings, InputReport &report) {
  if (isCxxSource(report.path))
    return analyseCxx(settings, report);
  Expected<std::vector<Model>> models = readInput(report.path);
  if (!models) {
    report.status = InputStatus::Failed;
    report.reason = reasonOf(models.error(), report.path);
    return;
  }
  if (report.kind.empty() && !models->empty())
    report.kind = formatName(models->front().info.format);
  for (Model &model : *models) {
    const std::vector<Target> own{defaultTarget(model)};
    checkModel(model, settings.targets.empty() ? own : settings.targets, settings.rules,
               models->size() > 1 ? model.info.name + '/' : std::string(), report);
    model = Model(); // its memory is needed for the next
  }
}

} // namespace

void checkModel(Model &model, const std::vector<Target> &targets, const RuleOptions &rules, const std::string &prefix,
                InputReport &report) {
  Analysis analysis(model);
  report.conditionals += analysis.conditionalCount;
  for (const auto &[name, count] : analysis.inference.untyped)
    report.untypedOperators[name] += count;
  for (const Target &target : targets) {
    std::string name = target.str();
    if (std::find(report.targets.begin(), report.targets.end(), name) == report.targets.end())
      report.targets.push_back(std::move(name));
    append(report, check(analysis, target, rules), prefix);
  }
}

InputOutcome analyseInput(const std::string &path, const CheckSettings &settings) {
  InputOutcome outcome;
  InputReport &report = outcome.report;
  report.path = path;
  report.kind = kindOfPath(path);
  try {
    analyse(settings, report);
    return outcome;
  } catch (const std::bad_alloc &) {
    report.reason = "there is not enough memory to analyse it";
  } catch (const std::exception &e) {
    report.reason = std::string("internal error: ") + e.what();
    outcome.internalError = true;
  }
  report.status = InputStatus::Failed;
  report.findings.clear();
  report.summaries.clear();
  report.conditionals = 0;
  return outcome;
}

} // namespace condlint
