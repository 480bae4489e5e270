//===- CheckModel.cpp - From models to their part of the report -----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CheckModel.h"
#include "condlint/Conditional.h"
#include <algorithm>
#include <set>
#include <span>

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

void appendResult(InputReport &report, CheckResult result, const std::string &prefix) {
  for (ConditionalSummary &s : result.conditionals) {
    s.input = report.path;
    s.path = prefix + s.path;
    if (!s.inside.empty())
      s.inside = prefix + s.inside;
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

namespace {

void checkTyped(Model &model, std::span<const Target> targets, const RuleOptions &rules, const std::string &prefix,
                InputReport &report) {
  Analysis analysis(model);
  report.conditionals += analysis.conditionalCount;
  for (const auto &[name, count] : analysis.inference.untyped)
    report.untypedOperators[name] += count;
  for (const Target &target : targets) {
    std::string name = target.str();
    if (std::find(report.targets.begin(), report.targets.end(), name) == report.targets.end())
      report.targets.push_back(std::move(name));
    appendResult(report, check(analysis, target, rules), prefix);
  }
}

/// The versions for which the layers of a network are typed: those of the headers
/// that it was read with, or that of the target in hand. Targets do not see each other's.
class LayerVersions {
public:
  explicit LayerVersions(Model &model) : m(model) {
    for (std::uint32_t o = 0; o < m.operatorCount(); ++o)
      asRead.push_back(m[OperatorId(o)].version);
  }

  void setFor(const Target &target) {
    // Headers without a version say nothing, and a target that names none no more.
    const bool known = target.versionGiven || !m.info.version.empty();
    for (std::uint32_t o = 0; o < m.operatorCount(); ++o)
      m[OperatorId(o)].version =
          known ? static_cast<std::int32_t>(100 * target.version.major + target.version.minor) : asRead[o];
  }

private:
  Model &m;
  std::vector<std::int32_t> asRead;
};

/// Whether the layers of a network have the same types for both: a shape is int64
/// from TensorRT 10 on.
bool sameTypes(const Target &a, const Target &b) {
  const auto wide = [](const Target &t) { return t.version == Version{} || t.version.major >= 10; };
  return wide(a) == wide(b);
}

} // namespace

void checkModel(Model &model, const std::vector<Target> &targets, const RuleOptions &rules, const std::string &prefix,
                InputReport &report) {
  if (model.info.dialect != Dialect::TensorRT || targets.empty())
    return checkTyped(model, targets, rules, prefix, report);
  std::vector<Target> sorted = targets;
  std::ranges::stable_partition(sorted, [&](const Target &t) { return sameTypes(t, targets.front()); });
  LayerVersions versions(model);
  for (std::size_t begin = 0; begin < sorted.size();) {
    std::size_t end = begin + 1;
    while (end < sorted.size() && sameTypes(sorted[begin], sorted[end]))
      ++end;
    versions.setFor(sorted[begin]);
    const std::size_t counted = report.conditionals;
    checkTyped(model, std::span<const Target>(sorted).subspan(begin, end - begin), rules, prefix, report);
    if (begin != 0)
      report.conditionals = counted;
    begin = end;
  }
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
