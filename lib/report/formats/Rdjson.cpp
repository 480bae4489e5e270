//===- Rdjson.cpp - The report as reviewdog's diagnostic format -----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One object of reviewdog's Diagnostic Format (proto/rdf): lines and columns from 1, columns in bytes,
// the end exclusive, as ours are. Edits become suggestions that a reviewer accepts with a click.
//
//===----------------------------------------------------------------------===//
#include "Formats.h"
#include "Groups.h"
#include "ReportJson.h"
#include "SourceText.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {

namespace {

std::string_view severityOf(Severity s) {
  return s == Severity::Error ? "ERROR" : s == Severity::Warning ? "WARNING" : "INFO";
}

Json rangeJson(const SourceLocation &l) {
  Json start = {{"line", l.line}};
  if (l.column != 0)
    start["column"] = l.column;
  Json range = {{"start", std::move(start)}};
  if (l.endLine != 0) {
    range["end"] = {{"line", l.endLine}};
    if (l.endColumn != 0)
      range["end"]["column"] = l.endColumn;
  }
  return range;
}

Json locationJson(const InputReport &input, const SourceLocation &l, const RenderOptions &o) {
  if (!l.valid())
    return {{"path", relativePath(input.path, o.workingFolder)}};
  return {{"path", relativePath(l.path, o.workingFolder)}, {"range", rangeJson(l)}};
}

/// All edits of a fix or none: reviewdog takes those of the finding's own file alone.
Json suggestionsJson(const Finding &f) {
  Json suggestions = Json::array();
  for (const Fix &fix : f.fixes)
    if (std::ranges::all_of(fix.edits, [&](const Edit &e) { return e.at.path == f.location.path; }))
      for (const Edit &e : fix.edits)
        suggestions.push_back({{"range", rangeJson(e.at)}, {"text", e.text}});
  return suggestions;
}

Json diagnosticJson(const InputReport &input, const FindingGroup &group, const RenderOptions &o) {
  const Finding &f = *group.finding;
  std::string message = f.message;
  if (!f.graphPath.empty())
    message += fmt::format(" ({})", f.graphPath);
  for (const Related &r : f.related)
    message += fmt::format("\n{}: {}", r.location.valid() ? r.location.str() : r.graphPath, r.message);
  if (!f.help.empty())
    message += "\nhelp: " + f.help;
  Json out = {{"message", std::move(message)},
              {"location", locationJson(input, f.location, o)},
              {"severity", severityOf(group.severity)},
              {"code",
               {{"value", f.rule},
                {"url", fmt::format("{}/blob/v{}/checks/{}.md", CONDLINT_HOMEPAGE, CONDLINT_VERSION, f.rule)}}}};
  if (Json suggestions = suggestionsJson(f); !suggestions.empty())
    out["suggestions"] = std::move(suggestions);
  Json related = Json::array();
  for (const Related &r : f.related)
    if (r.location.valid())
      related.push_back({{"message", r.message}, {"location", locationJson(input, r.location, o)}});
  if (!related.empty())
    out["relatedLocations"] = std::move(related);
  return out;
}

} // namespace

std::string formats::rdjson(const Report &r, const RenderOptions &options) {
  Json diagnostics = Json::array();
  for (const InputReport &input : r.inputs) {
    for (const FindingGroup &group : groupByTarget(input.findings))
      diagnostics.push_back(diagnosticJson(input, group, options));
    if (input.status == InputStatus::Failed || input.status == InputStatus::Partial)
      diagnostics.push_back({{"message", fmt::format("condlint could not analyse all of it: {}", input.reason)},
                             {"location", locationJson(input, {}, options)},
                             {"severity", severityOf(Severity::Error)}});
  }
  const Json out = {{"source", {{"name", "condlint"}, {"url", CONDLINT_HOMEPAGE}}},
                    {"diagnostics", std::move(diagnostics)}};
  return out.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace condlint
