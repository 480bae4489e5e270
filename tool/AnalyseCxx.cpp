//===- AnalyseCxx.cpp - From a C++ source to its part of the report -------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AnalyseInput.h"
#include "CxxModule.h"
#include "config/CheckModels.h"
#include "report/Suppression.h"
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <map>

namespace condlint {

namespace {

namespace fs = std::filesystem;

/// Shows paths as the user would write them: the input as it was given, what
/// lies below the working folder relative to it, the rest in full.
class ShownPaths {
public:
  ShownPaths(const std::string &unitFolder, const std::string &input) : folder(unitFolder), given(input) {
    std::error_code error;
    here = fs::current_path(error);
    absoluteInput = fs::absolute(input, error).lexically_normal();
  }

  /// Each place of \p report, and then what its sentences say of places.
  void apply(InputReport &report) {
    for (Finding &f : report.findings) {
      apply(f.location);
      for (Related &r : f.related)
        apply(r.location);
      for (Fix &fix : f.fixes)
        for (Edit &edit : fix.edits)
          apply(edit.at);
    }
    for (Drawing &d : report.drawings)
      for (Drawing::Side &side : d.sides)
        for (Drawing::Box &box : side.boxes)
          apply(box.location);
    for (ConditionalSummary &s : report.loops) {
      apply(s.location);
      for (auto &[rule, reason] : s.reasons)
        apply(reason);
    }
    for (ConditionalSummary &s : report.summaries) {
      apply(s.location);
      for (SourceLocation &l : s.boundary)
        apply(l);
      for (ConditionalSummary::Layer &l : s.layers)
        apply(l.location);
    }
    for (Finding &f : report.findings) {
      apply(f.message);
      apply(f.help);
      for (Related &r : f.related)
        apply(r.message);
      for (Fix &fix : f.fixes)
        apply(fix.description);
    }
    for (ConditionalSummary &s : report.summaries) {
      apply(s.function);
      for (ConditionalSummary::Layer &l : s.layers)
        apply(l.via);
      for (auto &[rule, reason] : s.reasons)
        apply(reason);
    }
  }

  std::string spell(CxxRemark remark) {
    apply(remark.location);
    return remark.location.valid() ? remark.location.str() + ": " + remark.message : remark.message;
  }

private:
  void apply(SourceLocation &l) {
    if (l.path.empty())
      return;
    auto [entry, isNew] = known.try_emplace(l.path);
    if (isNew)
      entry->second = shown(l.path);
    l.path = entry->second;
  }

  /// The same for the places that a sentence names.
  void apply(std::string &text) const {
    for (const auto &[path, instead] : known) {
      if (path == instead)
        continue;
      const std::string wanted = path + ':';
      for (std::size_t at = text.find(wanted); at != std::string::npos; at = text.find(wanted, at + instead.size()))
        text.replace(at, path.size(), instead);
    }
  }

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

/// \p message without what it names.
std::string withoutNames(const std::string &message) {
  std::string out;
  bool isName = false;
  for (const char c : message) {
    isName = isName != (c == '\'');
    if (!isName)
      out += c;
  }
  return out;
}

/// A missing header makes one part after the other not understood: of notes that are alike a few are told.
void addNotes(const std::vector<CxxRemark> &notes, ShownPaths &paths, InputReport &report) {
  constexpr std::size_t told = 3;
  std::map<std::string, std::size_t> met;
  for (const CxxRemark &note : notes)
    if (const std::size_t before = met[withoutNames(note.message)]++; before < told)
      report.notes.push_back(paths.spell(note));
  for (const CxxRemark &note : notes)
    if (std::size_t &count = met[withoutNames(note.message)]; count > told) {
      report.notes.push_back(fmt::format("{} more notes like this one: {}", count - told, note.message));
      count = 0;
    }
}

/// Headers that do not say their version (another vendor's perhaps) are taken for the newest that is known.
void noteVersion(const std::vector<Model> &models, const std::vector<Target> &targets, InputReport &report) {
  const auto unsaid = std::ranges::find_if(
      models, [](const Model &m) { return m.info.dialect == Dialect::TensorRT && m.info.version.empty(); });
  if (targets.empty() && unsaid != models.end())
    report.notes.push_back(fmt::format("the headers of TensorRT do not say their version: {} is checked; name "
                                       "another with --target tensorrt@X.Y",
                                       defaultTarget(*unsaid).str()));
}

/// What an editor holds of the file that the report calls \p path.
std::optional<std::string> unsavedText(const CxxSettings &settings, const std::string &path) {
  if (!settings.unsaved)
    return std::nullopt;
  std::error_code error;
  const std::string absolute = fs::absolute(path, error).lexically_normal().string();
  const auto open = std::ranges::find(*settings.unsaved, absolute, &UnsavedFile::path);
  return open == settings.unsaved->end() ? std::nullopt : std::optional(open->text);
}

std::vector<std::string> absolutePaths(const CxxUnit &unit) {
  std::vector<std::string> out;
  for (const std::string &file : unit.files)
    out.push_back((fs::path(unit.folder) / file).lexically_normal().string());
  return out;
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
  if (!unread.empty() && std::none_of(targets.begin(), targets.end(), isReadInSource)) {
    report.status = InputStatus::Skipped;
    report.reason = unread;
    return;
  }
  chooseReadings(targets, cxx);
  CxxUnit unit = (*reader)->read(report.path, cxx);

  report.root = unit.root;
  report.sources = absolutePaths(unit);
  for (CxxDependency &d : unit.dependencies)
    report.dependencies.push_back(
        {std::move(d.path), d.state == CxxDependency::State::File     ? InputDependency::State::Content
                            : d.state == CxxDependency::State::Folder ? InputDependency::State::Folder
                                                                      : InputDependency::State::Absent});
  for (const Target &target : targets)
    report.targets.push_back(target.str());
  noteVersion(unit.models, targets, report);
  const auto read = std::chrono::steady_clock::now();
  checkModels(unit.models, targets, settings.rules, report);
  const std::chrono::duration<double> checked = std::chrono::steady_clock::now() - read;
  report.times = {unit.parseSeconds, unit.readSeconds, checked.count()};

  // Facts of traced code yield no values, nor does a conditional that does not compile.
  std::erase_if(report.untypedOperators, [](const auto &entry) {
    return entry.first.starts_with("tracing.") || entry.first.starts_with("higher_order.cond");
  });

  ShownPaths paths(unit.folder, report.path);
  paths.apply(report);
  std::vector<std::string> idle =
      suppressMarked(report, Comments::All, [&](const std::string &path) { return unsavedText(cxx, path); });
  // Where less was asked or understood, a comment may be for what was left out.
  const RuleOptions &rules = settings.rules;
  if (unit.status == CxxStatus::Ok && unread.empty() && rules.select.empty() && rules.ignore.empty())
    std::ranges::move(idle, std::back_inserter(report.notes));
  addNotes(unit.notes, paths, report);
  if (unit.status == CxxStatus::Ok) {
    if (!unread.empty()) {
      report.status = InputStatus::Partial;
      report.reason = unread;
    }
    return;
  }
  report.status = unit.status == CxxStatus::Partial ? InputStatus::Partial : InputStatus::Failed;
  report.reason = unit.reason.empty() ? summaryOf(unit, paths) : unit.reason;
}

} // namespace condlint
