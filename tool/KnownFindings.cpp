//===- KnownFindings.cpp - Findings that a run keeps quiet about ----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KnownFindings.h"
#include "Output.h"
#include "condlint/Reader.h"
#include "report/Baseline.h"
#include <filesystem>
#include <fmt/format.h>
#include <map>

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

} // namespace

std::vector<std::string> suppressConfigured(Report &report, const std::vector<const CheckSettings *> &settings) {
  struct Use {
    std::size_t inputs = 0, findings = 0;
  };
  std::map<std::pair<std::string, std::size_t>, Use> uses; // by configuration and entry
  for (std::size_t i = 0; i < report.inputs.size(); ++i) {
    const CheckSettings &own = *settings[i];
    InputReport &input = report.inputs[i];
    for (std::size_t k = 0; k < own.suppress.size(); ++k) {
      const auto count =
          suppress(input, relativeTo(input.path, fs::path(own.configFile).parent_path().string()), own.suppress[k]);
      // Who chooses rules on the command line may have left out what the entry is for.
      if (!count || input.status != InputStatus::Ok || !own.rules.select.empty())
        continue;
      Use &use = uses[{own.configFile, k}];
      ++use.inputs;
      use.findings += *count;
    }
  }
  std::vector<std::string> unused;
  for (const auto &[entry, use] : uses)
    if (use.findings == 0)
      unused.push_back(fmt::format("{}: suppress[{}] suppresses nothing in {}: remove it", entry.first, entry.second,
                                   counted(use.inputs, "input")));
  return unused;
}

Expected<std::vector<std::string>> useBaseline(Report &report, const BaselineArguments &arguments) {
  const std::string file = arguments.file.empty() ? std::string(Baseline::usualFile) : arguments.file;
  std::vector<std::string> said;
  if (arguments.write) {
    const Baseline now = Baseline::of(report);
    if (!writeFile(file, now.text()))
      return Error{file, {}, "the baseline was not written", {}};
    said.push_back(fmt::format("{}: {} written", file, counted(now.size(), "finding")));
    now.apply(report);
    return said;
  }
  Expected<std::shared_ptr<const FileBytes>> bytes = FileBytes::open(file);
  if (!bytes)
    return bytes.error();
  Expected<Baseline> before = Baseline::parse((*bytes)->view(), file);
  if (!before)
    return before.error();
  const Baseline stale = before->apply(report);
  if (stale.size() == 0)
    return said;
  if (!arguments.prune) {
    said.push_back(fmt::format("{}: {} in it {} not found any more: --prune-baseline removes {}", file,
                               counted(stale.size(), "finding"), stale.size() == 1 ? "is" : "are",
                               stale.size() == 1 ? "it" : "them"));
    return said;
  }
  if (!writeFile(file, before->without(stale).text()))
    return Error{file, {}, "the baseline was not written", {}};
  said.push_back(fmt::format("{}: {} removed", file, counted(stale.size(), "finding")));
  return said;
}

} // namespace condlint
