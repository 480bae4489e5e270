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
#include "JsonText.h"
#include "ReportJson.h"
#include "SafeText.h"
#include "Tally.h"
#include "condlint/Report.h"
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>

namespace condlint {

namespace {

/// Names that differ only in bytes that are no text are one name here.
std::map<std::string, std::size_t> soundNames(const std::map<std::string, std::size_t> &counts) {
  std::map<std::string, std::size_t> out;
  for (const auto &[name, count] : counts)
    out[soundUtf8(name)] += count;
  return out;
}

Assignment soundWitness(const Assignment &witness) {
  Assignment out;
  for (const auto &[symbol, value] : witness) {
    const std::string name = soundUtf8(symbol);
    const auto known = std::ranges::find(out, name, &Assignment::value_type::first);
    if (known != out.end())
      known->second = value;
    else
      out.emplace_back(name, value);
  }
  return out;
}

void locationJson(JsonText &json, const SourceLocation &l) {
  if (!l.valid())
    return json.null();
  json.object([&] {
    json.member("path", l.path);
    json.member("line", l.line);
    if (l.column != 0)
      json.member("column", l.column);
    if (l.endLine != 0)
      json.member("endLine", l.endLine);
    if (l.endColumn != 0)
      json.member("endColumn", l.endColumn);
    if (!l.function.empty())
      json.member("function", l.function);
  });
}

/// "4" is a number, "?" is not known, everything else is an expression.
void dimJson(JsonText &json, const std::string &text) {
  if (text.empty() || text == "?")
    return json.null();
  std::int64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size())
    json.value(number);
  else
    json.value(text);
}

void signatureJson(JsonText &json, const ConditionalSummary::Signature &s, const std::string &kind) {
  json.object([&] {
    json.memberOrNull("kind", kind);
    json.memberOrNull("dtype", s.dtype == "unknown" ? std::string_view() : s.dtype);
    json.key("shape");
    if (s.hasShape)
      json.arrayOf(s.shape, [&](const std::string &d) { dimJson(json, d); });
    else
      json.null();
  });
}

void signaturesJson(JsonText &json, const std::vector<ConditionalSummary::Signature> &all) {
  json.arrayOf(all, [&](const ConditionalSummary::Signature &s) { signatureJson(json, s, s.kind); });
}

std::string_view whenName(ConditionalSummary::When when) {
  return when == ConditionalSummary::When::Lazy ? "lazy" : when == ConditionalSummary::When::Eager ? "eager" : "shared";
}

/// Only a network that was read from source has layers of which it is a question.
void addLayers(JsonText &json, const ConditionalSummary &c) {
  if (!c.layers.empty())
    json.key("layers").arrayOf(c.layers, [&](const ConditionalSummary::Layer &l) {
      json.object([&] {
        json.member("name", l.name);
        locationJson(json.key("location"), l.location);
        json.member("evaluated", whenName(l.when));
        json.memberOrNull("branch", l.branch);
        json.memberOrNull("via", l.via);
      });
    });
  if (!c.inside.empty())
    json.key("inside").object([&] {
      json.member("conditional", c.inside);
      json.member("branch", c.insideBranch);
    });
}

} // namespace

std::string conditionalJson(const InputReport &input, const ConditionalSummary &c) {
  JsonText json;
  json.object([&] {
    json.member("input", input.path);
    json.member("path", c.path);
    locationJson(json.key("location"), c.location);
    json.member("target", c.target);
    signatureJson(json.key("predicate"), c.predicate, c.predicateKind.empty() ? c.predicate.kind : c.predicateKind);
    signaturesJson(json.key("operands"), c.operands);
    json.key("branches").arrayOf(c.branches, [&](const ConditionalSummary::BranchSummary &b) {
      json.object([&] {
        json.member("name", b.name);
        signaturesJson(json.key("outputs"), b.outputs);
      });
    });
    json.key("rules").object([&] {
      for (const auto &[rule, verdict] : c.verdicts)
        json.member(rule, verdictName(verdict));
    });
    json.key("reasons").object([&] {
      for (const auto &[rule, reason] : c.reasons)
        json.member(rule, reason);
    });
    addLayers(json, c);
    if (c.judged != Verdict::Proved)
      json.member("judged", verdictName(c.judged));
  });
  return json.take();
}

std::string findingJson(const InputReport &input, const Finding &f) {
  JsonText json;
  json.object([&] {
    json.member("rule", f.rule);
    json.member("severity", severityName(f.severity));
    json.member("verdict", verdictName(f.verdict));
    json.member("target", f.target);
    json.member("message", f.message);
    json.memberOrNull("help", f.help);
    json.member("input", input.path);
    json.memberOrNull("conditional", f.conditional);
    locationJson(json.key("location"), f.location);
    json.memberOrNull("graphPath", f.graphPath);
    json.key("related").arrayOf(f.related, [&](const Related &r) {
      json.object([&] {
        json.member("message", r.message);
        locationJson(json.key("location"), r.location);
        json.memberOrNull("graphPath", r.graphPath);
      });
    });
    json.key("witness");
    if (f.witness.empty())
      json.null();
    else
      json.object([&] {
        for (const auto &[symbol, value] : soundWitness(f.witness))
          json.member(symbol, value);
      });
    json.key("fixes").arrayOf(f.fixes, [&](const Fix &fix) {
      json.object([&] {
        json.member("description", fix.description);
        json.key("edits").arrayOf(fix.edits, [&](const Edit &edit) {
          json.object([&] {
            locationJson(json.key("location"), edit.at);
            json.member("text", edit.text);
          });
        });
      });
    });
    json.member("fingerprint", f.fingerprint);
    if (f.output)
      json.member("output", *f.output);
    if (f.executed)
      json.member("evidence", "dynamic");
    if (!f.suppressedBy.empty())
      json.key("suppression").object([&] {
        json.member("kind", f.suppressedBy);
        json.memberOrNull("reason", f.justification);
      });
  });
  return json.take();
}

std::string inputJson(const InputReport &input) {
  const bool read = input.status == InputStatus::Ok || input.status == InputStatus::Partial;
  const auto value = [&](JsonText &json) { return [&json](const auto &v) { json.value(v); }; };
  JsonText json;
  json.object([&] {
    json.member("path", input.path);
    json.memberOrNull("kind", input.kind);
    json.member("status", statusName(input.status));
    json.memberOrNull("reason", input.reason);
    json.key("notes").arrayOf(input.notes, value(json));
    json.key("targets").arrayOf(input.targets, value(json));
    json.key("conditionals");
    if (read)
      json.value(input.conditionals);
    else
      json.null();
    // What is not as usual.
    if (!input.untypedOperators.empty())
      json.key("untypedOperators").object([&] {
        for (const auto &[name, count] : soundNames(input.untypedOperators))
          json.member(name, count);
      });
    if (input.failOn != Severity::Error)
      json.member("failOn", input.failOn == Severity::Off ? std::string_view("never") : severityName(input.failOn));
    if (!input.isJudged)
      json.member("judged", false);
    if (input.position)
      json.member("position", *input.position);
  });
  return json.take();
}

Json summaryJson(const ReportTotals &totals, const RunEnd &run) {
  const auto &[inputs, conditionals, errors, warnings, notes, operators] = totals;
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
              {"untypedOperators", soundNames(operators)}};
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
  void add(std::string_view element) {
    out.append(empty ? "\n  " : ",\n  ").append(element);
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
