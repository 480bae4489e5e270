//===- Ndjson.cpp - The report as one JSON record a line ------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of docs/report.schema.json, each a line with the member `type`: an input, its
// conditionals, its findings, in the order of the inputs; the summary is the last line. Who reads it
// needs no more memory than a line takes.
//
//===----------------------------------------------------------------------===//
#include "Formats.h"
#include "ReportJson.h"
#include "Tally.h"

namespace condlint {

namespace {

/// \p object on a line, with its type before its members.
std::string record(std::string_view type, std::string_view object) {
  return std::string("{\"type\":\"").append(type).append("\",").append(object.substr(1)) + '\n';
}

class NdjsonStream : public ReportStream {
public:
  std::string begin() const override {
    return record("header",
                  textOf({{"schemaVersion", "1.0"}, {"tool", {{"name", "condlint"}, {"version", CONDLINT_VERSION}}}}));
  }

  std::string partOf(const InputReport &input) const override {
    std::string out = record("input", inputJson(input));
    for (const ConditionalSummary &c : input.summaries)
      out += record("conditional", conditionalJson(input, c));
    for (const ConditionalSummary &c : input.loops)
      out += record("loop", conditionalJson(input, c));
    for (const Finding &f : input.findings)
      out += record("finding", findingJson(input, f));
    for (const Finding &f : input.suppressed)
      out += record("suppressed", findingJson(input, f));
    return out;
  }

  void remember(const InputReport &input) override { totals.add(input); }
  std::string end(const RunEnd &run) const override { return record("summary", textOf(summaryJson(totals, run))); }

private:
  ReportTotals totals;
};

} // namespace

std::unique_ptr<ReportStream> formats::openNdjson(const RenderOptions & /*options*/) {
  return std::make_unique<NdjsonStream>();
}

std::string formats::ndjson(const Report &r, const RenderOptions &options) { return streamed(openNdjson(options), r); }

} // namespace condlint
