//===- JsonReport.cpp - The report as JSON, version 1 ---------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The format is docs/report.schema.json. What is not known is null, never left
// out and never guessed; only the optional parts of a location, the output of a
// finding that is about none, and evidence that is the usual one, are left out.
//
//===----------------------------------------------------------------------===//
#include "ReportJson.h"
#include "SafeText.h"
#include "Tally.h"
#include "condlint/Report.h"
#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

namespace condlint {

namespace {

Json orNull(const std::string &text) { return text.empty() ? Json(nullptr) : Json(text); }

Json locationJson(const SourceLocation &l) {
  if (!l.valid())
    return nullptr;
  Json out = {{"path", l.path}, {"line", l.line}};
  if (l.column != 0)
    out["column"] = l.column;
  if (l.endLine != 0)
    out["endLine"] = l.endLine;
  if (l.endColumn != 0)
    out["endColumn"] = l.endColumn;
  if (!l.function.empty())
    out["function"] = l.function;
  return out;
}

/// "4" is a number, "?" is not known, everything else is an expression.
Json dimJson(const std::string &text) {
  if (text.empty() || text == "?")
    return nullptr;
  std::int64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size())
    return number;
  return text;
}

Json signatureJson(const ConditionalSummary::Signature &s) {
  Json out = {{"kind", orNull(s.kind)}, {"dtype", s.dtype == "unknown" ? Json(nullptr) : orNull(s.dtype)}};
  if (s.hasShape) {
    Json dims = Json::array();
    for (const std::string &d : s.shape)
      dims.push_back(dimJson(d));
    out["shape"] = std::move(dims);
  } else {
    out["shape"] = nullptr;
  }
  return out;
}

Json signaturesJson(const std::vector<ConditionalSummary::Signature> &all) {
  Json out = Json::array();
  for (const ConditionalSummary::Signature &s : all)
    out.push_back(signatureJson(s));
  return out;
}

std::string_view whenName(ConditionalSummary::When when) {
  return when == ConditionalSummary::When::Lazy ? "lazy" : when == ConditionalSummary::When::Eager ? "eager" : "shared";
}

/// Only a network that was read from source has layers of which it is a question.
void addLayers(Json &out, const ConditionalSummary &c) {
  Json layers = Json::array();
  for (const ConditionalSummary::Layer &l : c.layers)
    layers.push_back({{"name", l.name},
                      {"location", locationJson(l.location)},
                      {"evaluated", whenName(l.when)},
                      {"branch", orNull(l.branch)},
                      {"via", orNull(l.via)}});
  if (!c.layers.empty())
    out["layers"] = std::move(layers);
  if (!c.inside.empty())
    out["inside"] = {{"conditional", c.inside}, {"branch", c.insideBranch}};
}

} // namespace

Json conditionalJson(const InputReport &input, const ConditionalSummary &c) {
  Json branches = Json::array();
  for (const ConditionalSummary::BranchSummary &b : c.branches)
    branches.push_back({{"name", b.name}, {"outputs", signaturesJson(b.outputs)}});
  Json rules = Json::object();
  for (const auto &[rule, verdict] : c.verdicts)
    rules[std::string(rule)] = verdictName(verdict);
  Json reasons = Json::object();
  for (const auto &[rule, reason] : c.reasons)
    reasons[rule] = reason;
  Json predicate = signatureJson(c.predicate);
  if (!c.predicateKind.empty())
    predicate["kind"] = c.predicateKind;
  Json out = {{"input", input.path},
              {"path", c.path},
              {"location", locationJson(c.location)},
              {"target", c.target},
              {"predicate", std::move(predicate)},
              {"operands", signaturesJson(c.operands)},
              {"branches", std::move(branches)},
              {"rules", std::move(rules)},
              {"reasons", std::move(reasons)}};
  addLayers(out, c);
  if (c.judged != Verdict::Proved)
    out["judged"] = verdictName(c.judged);
  return out;
}

Json findingJson(const InputReport &input, const Finding &f) {
  Json related = Json::array();
  for (const Related &r : f.related)
    related.push_back(
        {{"message", r.message}, {"location", locationJson(r.location)}, {"graphPath", orNull(r.graphPath)}});
  Json witness = nullptr;
  if (!f.witness.empty()) {
    witness = Json::object();
    for (const auto &[symbol, value] : f.witness)
      witness[soundUtf8(symbol)] = value;
  }
  Json fixes = Json::array();
  for (const Fix &fix : f.fixes) {
    Json edits = Json::array();
    for (const Edit &edit : fix.edits)
      edits.push_back({{"location", locationJson(edit.at)}, {"text", edit.text}});
    fixes.push_back({{"description", fix.description}, {"edits", std::move(edits)}});
  }
  Json out = {{"rule", f.rule},
              {"severity", severityName(f.severity)},
              {"verdict", verdictName(f.verdict)},
              {"target", f.target},
              {"message", f.message},
              {"help", orNull(f.help)},
              {"input", input.path},
              {"conditional", orNull(f.conditional)},
              {"location", locationJson(f.location)},
              {"graphPath", orNull(f.graphPath)},
              {"related", std::move(related)},
              {"witness", std::move(witness)},
              {"fixes", std::move(fixes)},
              {"fingerprint", f.fingerprint}};
  if (f.output)
    out["output"] = *f.output;
  if (f.executed)
    out["evidence"] = "dynamic";
  if (!f.suppressedBy.empty())
    out["suppression"] = {{"kind", f.suppressedBy}, {"reason", orNull(f.justification)}};
  return out;
}

Json inputJson(const InputReport &input) {
  bool read = input.status == InputStatus::Ok || input.status == InputStatus::Partial;
  Json out = {{"path", input.path},
              {"kind", orNull(input.kind)},
              {"status", statusName(input.status)},
              {"reason", orNull(input.reason)},
              {"notes", input.notes},
              {"targets", input.targets},
              {"conditionals", read ? Json(input.conditionals) : Json(nullptr)}};
  // What is not as usual.
  if (!input.untypedOperators.empty()) {
    Json &untyped = out["untypedOperators"] = Json::object();
    for (const auto &[name, count] : input.untypedOperators)
      untyped[soundUtf8(name)] = untyped.value(soundUtf8(name), std::size_t{0}) + count;
  }
  if (input.failOn != Severity::Error)
    out["failOn"] = input.failOn == Severity::Off ? std::string_view("never") : severityName(input.failOn);
  if (!input.isJudged)
    out["judged"] = false;
  if (input.position)
    out["position"] = *input.position;
  return out;
}

Json summaryJson(const ReportTotals &totals, const RunEnd &run) {
  const auto &[inputs, conditionals, errors, warnings, notes, operators] = totals;
  // Names that differ only in bytes that are no text are one name here.
  std::map<std::string, std::size_t> untyped;
  for (const auto &[name, count] : operators)
    untyped[soundUtf8(name)] += count;
  Json out = {{"exitCode", run.exitCode},
              {"inputs",
               {{"total", inputs.total},
                {"analyzed", inputs.analyzed},
                {"partial", inputs.partial},
                {"failed", inputs.failed},
                {"skipped", inputs.skipped}}},
              {"findings", {{"error", errors}, {"warning", warnings}, {"note", notes}}},
              {"conditionals",
               {{"total", conditionals.total},
                {"proved", conditionals.proved},
                {"violated", conditionals.violated},
                {"possible", conditionals.possible},
                {"unknown", conditionals.unknown}}},
              {"untypedOperators", std::move(untyped)}};
  if (run.shard)
    out["shard"] = {{"index", run.shard->index},
                    {"count", run.shard->count},
                    {"inputs", run.shard->inputs},
                    {"digest", run.shard->digest}};
  return out;
}

std::string textOf(const Json &json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

namespace {

/// Appends a member of the report's object: an array with one element a line. A report on
/// very many inputs is never in memory as a tree.
class Member {
public:
  Member(std::string &text, std::string_view name) : out(text) { out.append(",\n \"").append(name).append("\": ["); }
  ~Member() { out += empty ? "]" : "\n ]"; }
  Member(const Member &) = delete;
  Member &operator=(const Member &) = delete;
  void add(const Json &element) {
    out.append(empty ? "\n  " : ",\n  ").append(textOf(element));
    empty = false;
  }

private:
  std::string &out;
  bool empty = true;
};

} // namespace

std::string renderJson(const Report &r, std::string_view run) {
  std::string out = "{\n \"schemaVersion\": \"1.0\",\n \"tool\": ";
  out += textOf({{"name", "condlint"}, {"version", CONDLINT_VERSION}});
  out.append(",\n \"summary\": ").append(textOf(summaryJson(totalsOf(r), {r.exitCode, r.shard})));
  {
    Member inputs(out, "inputs");
    for (const InputReport &input : r.inputs)
      inputs.add(inputJson(input));
  }
  {
    Member conditionals(out, "conditionals");
    for (const InputReport &input : r.inputs)
      for (const ConditionalSummary &c : input.summaries)
        conditionals.add(conditionalJson(input, c));
  }
  if (std::ranges::any_of(r.inputs, [](const InputReport &input) { return !input.loops.empty(); })) {
    Member loops(out, "loops");
    for (const InputReport &input : r.inputs)
      for (const ConditionalSummary &c : input.loops)
        loops.add(conditionalJson(input, c));
  }
  {
    Member findings(out, "findings");
    for (const InputReport &input : r.inputs)
      for (const Finding &f : input.findings)
        findings.add(findingJson(input, f));
  }
  if (std::ranges::any_of(r.inputs, [](const InputReport &input) { return !input.suppressed.empty(); })) {
    Member suppressed(out, "suppressed");
    for (const InputReport &input : r.inputs)
      for (const Finding &f : input.suppressed)
        suppressed.add(findingJson(input, f));
  }
  if (!run.empty())
    out.append(",\n \"run\": ").append(run);
  return out += "\n}\n";
}

} // namespace condlint
