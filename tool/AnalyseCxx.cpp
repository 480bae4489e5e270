//===- AnalyseCxx.cpp - From a C++ source to its part of the report -------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AnalyseInput.h"
#include "CxxModule.h"
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <set>

namespace condlint {

namespace {

namespace fs = std::filesystem;

/// Whether the rules of \p target can say something about a model for \p system.
bool fits(System system, const Target &target) {
  if (system == System::Torch)
    return target.system == System::Torch || target.system == System::Aoti;
  return target.system == system;
}

/// The targets for which no C++ is read yet, spelled; empty when there is none.
std::string unreadTargets(const std::vector<Target> &targets) {
  std::string out;
  for (const Target &t : targets)
    if (!fits(System::Torch, t) && !fits(System::NnScaler, t))
      out += (out.empty() ? "" : ", ") + t.str();
  return out;
}

/// Shows paths as the user would write them: the input as it was given, what
/// lies below the working folder relative to it, the rest in full.
class ShownPaths {
public:
  ShownPaths(const std::string &unitFolder, const std::string &input) : folder(unitFolder), given(input) {
    std::error_code error;
    here = fs::current_path(error);
    absoluteInput = fs::absolute(input, error).lexically_normal();
  }

  void apply(SourceLocation &l) {
    if (l.path.empty())
      return;
    auto [entry, isNew] = known.try_emplace(l.path);
    if (isNew)
      entry->second = shown(l.path);
    l.path = entry->second;
  }

  std::string spell(CxxRemark remark) {
    apply(remark.location);
    return remark.location.valid() ? remark.location.str() + ": " + remark.message : remark.message;
  }

private:
  std::string shown(const std::string &path) const {
    const fs::path absolute = (folder / path).lexically_normal();
    if (absolute == absoluteInput)
      return given;
    const fs::path relative = absolute.lexically_relative(here);
    return relative.empty() || *relative.begin() == ".." ? absolute.string() : relative.string();
  }

  fs::path folder, here, absoluteInput;
  std::string given;
  std::map<std::string, std::string> known;
};

/// "2 errors of the compiler: a.cc:3:10: …; a.cc:9:1: …"
std::string summaryOf(const CxxUnit &unit, ShownPaths &paths) {
  constexpr std::size_t shown = 3;
  std::string out = fmt::format("{} error{} of the compiler", unit.errorCount, unit.errorCount == 1 ? "" : "s");
  for (std::size_t i = 0; i < std::min(shown, unit.errors.size()); ++i)
    out += (i == 0 ? ": " : "; ") + paths.spell(unit.errors[i]);
  return out + (unit.errorCount > shown ? "; …" : "");
}

/// What the instances of a template, and a helper that several conditionals
/// inline, make of one line of one conditional is one finding, the worst of them.
void mergeFindings(std::vector<Finding> &findings) {
  std::map<std::tuple<std::string, std::string, std::string, std::string, std::uint32_t>, std::size_t> places;
  std::vector<Finding> merged;
  for (Finding &f : findings) {
    auto [at, isNew] =
        places.try_emplace({f.rule, f.target, f.conditional, f.location.path, f.location.line}, merged.size());
    if (isNew || !f.location.valid())
      merged.push_back(std::move(f));
    else if (f.severity > merged[at->second].severity)
      merged[at->second] = std::move(f);
  }
  findings = std::move(merged);
}

/// Two branches, or two calls, that come to one line of a helper of the user's
/// are told apart by their conditional; one conditional is counted once.
std::size_t countOf(const InputReport &report) {
  std::set<std::string> paths;
  for (const ConditionalSummary &s : report.summaries)
    paths.insert(s.path);
  return paths.size();
}

} // namespace

void analyseCxx(const CheckSettings &settings, InputReport &report) {
  report.kind = "cxx";
  Expected<CxxReader *> reader = cxxReader();
  if (!reader) {
    report.status = InputStatus::Skipped;
    report.reason = "C++ source, but " + reader.error().str();
    return;
  }
  CxxSettings cxx = settings.cxx;
  const std::vector<Target> &targets = settings.targets;
  // Silence would look like proof.
  const std::string unread = unreadTargets(targets);
  const std::string unreadReason =
      fmt::format("C++ sources are read for torch, aoti and nnscaler, not yet for {}", unread);
  if (!unread.empty() && std::none_of(targets.begin(), targets.end(), [](const Target &t) {
        return fits(System::Torch, t) || fits(System::NnScaler, t);
      })) {
    report.status = InputStatus::Skipped;
    report.reason = unreadReason;
    return;
  }
  cxx.tracing = std::any_of(targets.begin(), targets.end(), [](const Target &t) { return fits(System::NnScaler, t); });
  cxx.conditionals = targets.empty() || std::any_of(targets.begin(), targets.end(),
                                                    [](const Target &t) { return !fits(System::NnScaler, t); });
  CxxUnit unit = (*reader)->read(report.path, cxx);

  for (const Target &target : targets)
    report.targets.push_back(target.str());
  for (CxxModel &read : unit.models) {
    std::vector<Target> fitting;
    std::copy_if(targets.begin(), targets.end(), std::back_inserter(fitting),
                 [&](const Target &t) { return fits(read.system, t); });
    if (targets.empty())
      fitting.push_back(defaultTarget(read.model));
    if (!fitting.empty())
      checkModel(read.model, fitting, settings.rules, "", report);
    read.model = Model(); // its memory is needed for the next
  }

  // Facts of traced code yield no values.
  std::erase_if(report.untypedOperators, [](const auto &entry) { return entry.first.starts_with("tracing."); });

  ShownPaths paths(unit.folder, report.path);
  for (Finding &f : report.findings) {
    paths.apply(f.location);
    for (Related &r : f.related)
      paths.apply(r.location);
  }
  for (ConditionalSummary &s : report.summaries)
    paths.apply(s.location);
  mergeFindings(report.findings);
  report.conditionals = countOf(report);
  for (const CxxRemark &note : unit.notes)
    report.notes.push_back(paths.spell(note));
  if (unit.status == CxxStatus::Ok) {
    if (!unread.empty()) {
      report.status = InputStatus::Partial;
      report.reason = unreadReason;
    }
    return;
  }
  report.status = unit.status == CxxStatus::Partial ? InputStatus::Partial : InputStatus::Failed;
  report.reason = unit.reason.empty() ? summaryOf(unit, paths) : unit.reason;
}

} // namespace condlint
