//===- KnownFindings.cpp - Findings that a run keeps quiet about ----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KnownFindings.h"
#include "Output.h"
#include "condlint/Reader.h"
#include "report/Fingerprint.h"
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace condlint {

namespace {

namespace fs = std::filesystem;

/// \p path as the patterns of a configuration in \p folder know it.
std::string relativeTo(const std::string &path, const std::string &folder) {
  std::error_code error;
  const fs::path whole = fs::absolute(path, error).lexically_normal();
  const fs::path relative = whole.lexically_relative(fs::absolute(folder, error).lexically_normal());
  return (relative.empty() || *relative.begin() == ".." ? fs::path(path) : relative).generic_string();
}

std::string counted(std::size_t n, std::string_view noun) { return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s"); }

/// Whether a run with \p settings over \p input can find what \p entry speaks of.
bool isAsked(const BaselineEntry &entry, const CheckSettings &settings, const InputReport &input) {
  const RuleOptions &rules = settings.rules;
  const auto chosen = rules.severity.find(entry.rule);
  if ((!rules.select.empty() && !rules.select.contains(entry.rule)) || rules.ignore.contains(entry.rule) ||
      (chosen != rules.severity.end() && chosen->second == Severity::Off))
    return false;
  if (!settings.targets.empty())
    return std::ranges::any_of(settings.targets, [&](const Target &t) { return systemName(t.system) == entry.system; });
  if (entry.system.empty() || input.targets.empty())
    return true;
  // Of a source the models that are there no more name no system.
  const bool isOwnOfSources = entry.system == systemName(System::Torch) || entry.system == systemName(System::TensorRT);
  return (input.kind == "cxx" && isOwnOfSources) ||
         std::ranges::any_of(input.targets, [&](const std::string &t) { return systemOf(t) == entry.system; });
}

} // namespace

Expected<std::unique_ptr<KnownFindings>> KnownFindings::open(const BaselineArguments &arguments) {
  std::unique_ptr<KnownFindings> known(new KnownFindings(arguments));
  std::string &file = known->arguments.file;
  if (!arguments.asked())
    return known;
  file = arguments.path();
  if (file == "-")
    return Error{"", "--baseline", "a baseline is a file, and cannot be standard input or output", "name a file"};
  if (arguments.write) {
    std::error_code error;
    if (!fs::is_regular_file(file, error))
      return known;
    const Expected<std::shared_ptr<const FileBytes>> there = FileBytes::open(file);
    if (!there || !Baseline::isOne((*there)->view()))
      return Error{file, {}, "is no baseline, and would be overwritten", "name another file, or remove this one"};
    return known;
  }
  Expected<std::shared_ptr<const FileBytes>> bytes = FileBytes::open(file);
  if (!bytes)
    return bytes.error();
  Expected<Baseline> before = Baseline::parse((*bytes)->view(), file);
  if (!before)
    return before.error();
  known->before = std::move(*before);
  return known;
}

void KnownFindings::suppressConfigured(InputReport &input, const CheckSettings &settings) {
  for (std::size_t k = 0; k < settings.suppress.size(); ++k) {
    const auto count = suppress(input, relativeTo(input.path, fs::path(settings.configFile).parent_path().string()),
                                settings.suppress[k]);
    // Who chooses rules on the command line may have left out what the entry is for.
    if (!count || input.status != InputStatus::Ok || !settings.rules.select.empty())
      continue;
    const std::scoped_lock lock(mutex);
    Use &use = uses[{settings.configFile, k}];
    ++use.inputs;
    use.findings += *count;
  }
}

void KnownFindings::useBaseline(InputReport &input, const CheckSettings &settings) {
  if (!arguments.asked())
    return;
  const std::scoped_lock lock(mutex);
  if (!arguments.write) {
    usage.apply(input, [&](const BaselineEntry &entry) { return isAsked(entry, settings, input); });
    return;
  }
  Baseline own;
  own.add(input);
  now.add(own);
  BaselineUse(own).apply(input, [](const BaselineEntry &) { return false; });
}

Expected<std::vector<std::string>> KnownFindings::finish() {
  std::vector<std::string> said;
  for (const auto &[entry, use] : uses)
    if (use.findings == 0)
      said.push_back(fmt::format("{}: suppress[{}] suppresses nothing in {}: remove it", entry.first, entry.second,
                                 counted(use.inputs, "input")));
  Expected<std::vector<std::string>> more = finishBaseline();
  if (!more)
    return more.error();
  said.insert(said.end(), more->begin(), more->end());
  return said;
}

Expected<std::vector<std::string>> KnownFindings::finishBaseline() {
  const std::string &file = arguments.file;
  std::vector<std::string> said;
  if (arguments.write) {
    if (!writeFile(file, now.text()))
      return Error{file, {}, "the baseline was not written", {}};
    said.push_back(fmt::format("{}: {} written", file, counted(now.size(), "finding")));
    return said;
  }
  if (usage.isOfElsewhere())
    said.push_back(
        fmt::format("{}: none of the files that it names is here: its paths are seen from the working folder "
                    "of --write-baseline",
                    file));
  const Baseline stale = usage.stale();
  if (stale.size() == 0)
    return said;
  if (!arguments.prune) {
    said.push_back(fmt::format("{}: {} in it {} not found any more: --prune-baseline removes {}", file,
                               counted(stale.size(), "finding"), stale.size() == 1 ? "is" : "are",
                               stale.size() == 1 ? "it" : "them"));
    return said;
  }
  if (!writeFile(file, before.without(stale).text()))
    return Error{file, {}, "the baseline was not written", {}};
  said.push_back(fmt::format("{}: {} removed", file, counted(stale.size(), "finding")));
  return said;
}

} // namespace condlint
