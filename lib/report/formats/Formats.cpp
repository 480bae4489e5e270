//===- Formats.cpp - The table of the report's formats --------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Formats.h"
#include <algorithm>

namespace condlint {

namespace {

std::string text(const Report &r, const RenderOptions &o) { return formats::streamed(formats::openText(o), r); }
std::string json(const Report &r, const RenderOptions &o) { return renderJson(r, o.run); }

constexpr ReportFormat table[] = {
    {"text", ".txt", "people, and every tool that reads a compiler's messages", true, false, text, formats::openText},
    {"json", ".json", "programs: all that is known (docs/report.schema.json)", false, true, json},
    {"sarif", ".sarif", "GitHub code scanning, CodeChecker, SARIF viewers (2.1.0)", false, false, formats::sarif,
     nullptr, true},
    {"gitlab", ".gitlab.json", "GitLab's Code Quality report", false, false, formats::gitlab, nullptr, true},
    {"rdjson", ".rdjson", "reviewdog", false, false, formats::rdjson, nullptr, true},
    {"github", ".txt", "GitHub Actions: workflow commands, which become annotations", true, false, formats::github,
     nullptr, true},
    {"junit", ".xml", "Jenkins, GitLab and others that show tests: a case a model and target", false, false,
     formats::junit},
    {"ndjson", ".ndjson", "programs that read line by line: a record a line, a summary at the end", false, true,
     formats::ndjson, formats::openNdjson},
    {"html", ".html", "people: one page with a picture of both branches of each conditional", false, false,
     formats::html, nullptr, false, true},
};

} // namespace

std::string formats::streamed(std::unique_ptr<ReportStream> stream, const Report &r) {
  std::string out = stream->begin();
  for (const InputReport &input : r.inputs) {
    out += stream->partOf(input);
    stream->remember(input);
  }
  return out += stream->end({r.exitCode, r.shard});
}

std::span<const ReportFormat> reportFormats() { return table; }

const ReportFormat *findReportFormat(std::string_view name) {
  const auto *found = std::ranges::find(table, name, &ReportFormat::name);
  return found == std::end(table) ? nullptr : found;
}

} // namespace condlint
