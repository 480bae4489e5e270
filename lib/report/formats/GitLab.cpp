//===- GitLab.cpp - The report as GitLab's Code Quality report ------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An array of objects with the five members that GitLab reads. A fingerprint that comes twice is
// shown once, so each is the finding's own; a model, which has no lines, stands at its first.
//
//===----------------------------------------------------------------------===//
#include "Formats.h"
#include "Groups.h"
#include "ReportJson.h"
#include "SourceText.h"
#include <fmt/format.h>

namespace condlint {

namespace {

std::string_view severityOf(Severity s) {
  return s == Severity::Error ? "critical" : s == Severity::Warning ? "major" : "info";
}

Json locationJson(const std::string &path, std::uint32_t line, const RenderOptions &o) {
  return {{"path", relativePath(path, o.workingFolder)}, {"lines", {{"begin", line}}}};
}

Json issueJson(const InputReport &input, const FindingGroup &group, const RenderOptions &o) {
  const Finding &f = *group.finding;
  std::string description = f.message;
  if (!f.graphPath.empty())
    description += fmt::format(" ({})", f.graphPath);
  if (!f.help.empty())
    description += ". " + f.help;
  return {{"description", std::move(description)},
          {"check_name", f.rule},
          {"fingerprint", f.fingerprint},
          {"severity", severityOf(group.severity)},
          {"location",
           f.location.valid() ? locationJson(f.location.path, f.location.line, o) : locationJson(input.path, 1, o)}};
}

} // namespace

std::string formats::gitlab(const Report &r, const RenderOptions &options) {
  Json issues = Json::array();
  for (const InputReport &input : r.inputs) {
    for (const FindingGroup &group : groupByTarget(input.findings))
      issues.push_back(issueJson(input, group, options));
    // What was not looked at is nothing that a green report should hide.
    if (input.status == InputStatus::Failed || input.status == InputStatus::Partial)
      issues.push_back(
          {{"description", fmt::format("condlint could not analyse all of it: {}", input.reason)},
           {"check_name", "not-analysed"},
           {"fingerprint", fmt::format("not-analysed:{}", relativePath(input.path, options.workingFolder))},
           {"severity", input.status == InputStatus::Failed ? "blocker" : "major"},
           {"location", locationJson(input.path, 1, options)}});
  }
  return issues.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace condlint
