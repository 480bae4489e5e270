//===- CheckModels.cpp - From models to their part of the report ----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CheckModels.h"
#include "condlint/Conditional.h"
#include "report/drawing/DrawConditional.h"
#include <algorithm>
#include <set>

namespace condlint {

namespace {

/// Two branches, or two calls, that come to one line of a helper of the user's
/// are told apart by their conditional; one conditional is counted once.
std::size_t countOf(const InputReport &report) {
  std::set<std::string> paths;
  for (const ConditionalSummary &s : report.summaries)
    paths.insert(s.path);
  return paths.size();
}

} // namespace

void checkModel(Model &model, const std::vector<Target> &targets, const RuleOptions &rules, const std::string &prefix,
                InputReport &report) {
  ModelResult found = check(model, targets, rules);
  report.conditionals += found.conditionals;
  for (const auto &[name, count] : found.untypedOperators)
    report.untypedOperators[name] += count;
  for (ModelResult::Of &of : found.targets) {
    std::string name = of.target.str();
    if (std::find(report.targets.begin(), report.targets.end(), name) == report.targets.end())
      report.targets.push_back(std::move(name));
    append(report, std::move(of.result.conditionals), std::move(of.result.loops), std::move(of.result.findings),
           prefix);
  }
  drawInto(report, model, prefix);
}

bool fits(FrontEnd reader, const Target &target) {
  switch (reader) {
  case FrontEnd::Torch:
    return target.system == System::Torch || target.system == System::Aoti;
  case FrontEnd::TensorRT:
    return target.system == System::TensorRT;
  case FrontEnd::Tracing:
    return target.system == System::NnScaler;
  case FrontEnd::None:
    break;
  }
  return false;
}

bool isReadInSource(const Target &target) {
  return fits(FrontEnd::Torch, target) || fits(FrontEnd::TensorRT, target) || fits(FrontEnd::Tracing, target);
}

std::string unreadTargets(const std::vector<Target> &targets) {
  std::string names;
  for (const Target &t : targets)
    if (!isReadInSource(t))
      names += (names.empty() ? "" : ", ") + t.str();
  return names.empty() ? names : "C++ sources are read for torch, aoti, tensorrt and nnscaler, not for " + names;
}

void chooseReadings(const std::vector<Target> &targets, CxxSettings &settings) {
  const auto traced = [](const Target &t) { return fits(FrontEnd::Tracing, t); };
  settings.tracing = std::any_of(targets.begin(), targets.end(), traced);
  settings.conditionals = targets.empty() || !std::all_of(targets.begin(), targets.end(), traced);
}

void checkModels(std::vector<Model> &models, const std::vector<Target> &targets, const RuleOptions &rules,
                 InputReport &report) {
  for (Model &model : models) {
    std::vector<Target> fitting;
    std::copy_if(targets.begin(), targets.end(), std::back_inserter(fitting),
                 [&](const Target &t) { return fits(model.info.frontEnd, t); });
    if (targets.empty())
      fitting.push_back(defaultTarget(model));
    if (!fitting.empty())
      checkModel(model, fitting, rules, "", report);
    else if (!conditionals(model).empty())
      report.notes.push_back(model.info.frontEnd == FrontEnd::TensorRT
                                 ? "it builds conditionals of TensorRT, which are judged with --target tensorrt"
                                 : "its conditionals are libtorch's, which are judged with --target torch or aoti");
    model = Model(); // its memory is needed for the next
  }
  report.conditionals = countOf(report);
}

} // namespace condlint
