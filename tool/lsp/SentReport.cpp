//===- SentReport.cpp - A report between two processes --------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SentReport.h"
#include "condlint/Rule.h"
#include "report/ReportJson.h"
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

namespace condlint::lsp {

std::string textAt(const nlohmann::json &json, const char *key) {
  const auto at = json.find(key);
  return at != json.end() && at->is_string() ? at->get<std::string>() : std::string();
}

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// --- To JSON ----------------------------------------------------------------------

Json placeJson(const SourceLocation &l) {
  return Json::array({l.path, l.line, l.column, l.endLine, l.endColumn, l.function});
}

Json placesJson(const std::vector<SourceLocation> &places) {
  Json out = Json::array();
  for (const SourceLocation &l : places)
    out.push_back(placeJson(l));
  return out;
}

Json detailsJson(const ConditionalDetails &d) {
  Json branches = Json::array();
  for (const ConditionalDetails::Branch &b : d.branches) {
    Json outputs = Json::array();
    for (const ConditionalDetails::Output &o : b.outputs)
      outputs.push_back({{"type", o.type},
                         {"storage", o.storage},
                         {"maker", o.maker},
                         {"made", placeJson(o.made)},
                         {"graphPath", o.graphPath}});
    branches.push_back({{"name", b.name},
                        {"location", placeJson(b.location)},
                        {"outputs", std::move(outputs)},
                        {"captures", b.captures},
                        {"effects", b.effects}});
  }
  return {{"branches", std::move(branches)}, {"operands", d.operands}};
}

Json summaryJson(const InputReport &input, const ConditionalSummary &c) {
  Json out = Json::parse(conditionalJson(input, c));
  out["at"] = placeJson(c.location);
  out["function"] = placeJson(c.function);
  out["boundary"] = placesJson(c.boundary);
  out["predicateType"] = c.predicateType;
  if (c.details)
    out["details"] = detailsJson(*c.details);
  return out;
}

// --- From JSON --------------------------------------------------------------------

std::vector<std::string> textsAt(const Json &json, const char *key) {
  const auto at = json.find(key);
  return at != json.end() && at->is_array() ? at->get<std::vector<std::string>>() : std::vector<std::string>();
}

/// Reads what the functions above wrote.
class Reader {
public:
  explicit Reader(fs::path f) : folder(std::move(f)) {}

  InputReport report(const Json &json) const {
    InputReport out;
    out.path = absolute(textAt(json, "path"));
    out.kind = textAt(json, "kind");
    const std::string status = textAt(json, "status");
    for (const InputStatus s : {InputStatus::Ok, InputStatus::Partial, InputStatus::Failed, InputStatus::Skipped})
      if (status == statusName(s))
        out.status = s;
    out.reason = textAt(json, "reason");
    out.notes = textsAt(json, "notes");
    out.targets = textsAt(json, "targets");
    if (const auto count = json.find("conditionals"); count != json.end() && count->is_number_unsigned())
      out.conditionals = count->get<std::size_t>();
    out.root = textAt(json, "root");
    out.sources = textsAt(json, "sources");
    for (const Json &f : json.at("findings"))
      out.findings.push_back(finding(f));
    for (const Json &f : json.at("suppressed"))
      out.suppressed.push_back(finding(f));
    for (const Json &c : json.at("summaries"))
      out.summaries.push_back(summary(c));
    return out;
  }

private:
  std::string absolute(const std::string &path) const {
    return path.empty() ? path : (folder / path).lexically_normal().string();
  }

  SourceLocation place(const Json &json) const {
    SourceLocation out;
    if (!json.is_array())
      return out;
    out.path = absolute(json[0].get<std::string>());
    out.line = json[1].get<std::uint32_t>();
    out.column = json[2].get<std::uint32_t>();
    out.endLine = json[3].get<std::uint32_t>();
    out.endColumn = json[4].get<std::uint32_t>();
    out.function = json[5].get<std::string>();
    return out;
  }

  /// The same as the report spells it.
  SourceLocation reported(const Json &parent, const char *key) const {
    SourceLocation out;
    const auto at = parent.find(key);
    if (at == parent.end() || !at->is_object())
      return out;
    out.path = absolute(textAt(*at, "path"));
    out.line = at->value("line", 0U);
    out.column = at->value("column", 0U);
    out.endLine = at->value("endLine", 0U);
    out.endColumn = at->value("endColumn", 0U);
    out.function = textAt(*at, "function");
    return out;
  }

  static Verdict verdict(const std::string &name) {
    for (const Verdict v : {Verdict::Proved, Verdict::Unknown, Verdict::Possible, Verdict::Violated})
      if (name == verdictName(v))
        return v;
    return Verdict::Unknown;
  }

  Finding finding(const Json &json) const {
    Finding f;
    f.rule = textAt(json, "rule");
    f.severity = severityByName(textAt(json, "severity")).value_or(Severity::Error);
    f.verdict = verdict(textAt(json, "verdict"));
    f.target = textAt(json, "target");
    f.message = textAt(json, "message");
    f.help = textAt(json, "help");
    f.conditional = textAt(json, "conditional");
    f.location = reported(json, "location");
    f.graphPath = textAt(json, "graphPath");
    f.fingerprint = textAt(json, "fingerprint");
    f.executed = textAt(json, "evidence") == "dynamic";
    for (const Json &r : json.at("related"))
      f.related.push_back({textAt(r, "message"), reported(r, "location"), textAt(r, "graphPath")});
    for (const Json &x : json.at("fixes")) {
      Fix fix{textAt(x, "description"), {}};
      for (const Json &e : x.at("edits"))
        fix.edits.push_back({reported(e, "location"), textAt(e, "text")});
      f.fixes.push_back(std::move(fix));
    }
    return f;
  }

  static ConditionalSummary::Signature signature(const Json &json) {
    ConditionalSummary::Signature s;
    s.kind = textAt(json, "kind");
    s.dtype = textAt(json, "dtype");
    if (const auto shape = json.find("shape"); shape != json.end() && shape->is_array()) {
      s.hasShape = true;
      for (const Json &d : *shape)
        s.shape.push_back(d.is_string() ? d.get<std::string>() : d.is_null() ? "?" : d.dump());
    }
    return s;
  }

  ConditionalSummary summary(const Json &json) const {
    ConditionalSummary s;
    s.path = textAt(json, "path");
    s.target = textAt(json, "target");
    s.location = place(json.at("at"));
    s.function = place(json.at("function"));
    for (const Json &l : json.at("boundary"))
      s.boundary.push_back(place(l));
    s.predicateType = textAt(json, "predicateType");
    s.predicate = signature(json.at("predicate"));
    s.predicateKind = s.predicate.kind;
    for (const Json &o : json.at("operands"))
      s.operands.push_back(signature(o));
    for (const Json &b : json.at("branches")) {
      ConditionalSummary::BranchSummary branch{textAt(b, "name"), {}};
      for (const Json &o : b.at("outputs"))
        branch.outputs.push_back(signature(o));
      s.branches.push_back(std::move(branch));
    }
    for (const RuleInfo &rule : rules())
      if (const auto at = json.at("rules").find(std::string(rule.id)); at != json.at("rules").end())
        s.verdicts[rule.id] = verdict(at->get<std::string>());
    for (const auto &[rule, reason] : json.at("reasons").items())
      s.reasons[rule] = reason.get<std::string>();
    if (const auto layers = json.find("layers"); layers != json.end())
      for (const Json &l : *layers) {
        const std::string when = textAt(l, "evaluated");
        s.layers.push_back({textAt(l, "name"), reported(l, "location"),
                            when == "lazy"    ? ConditionalSummary::When::Lazy
                            : when == "eager" ? ConditionalSummary::When::Eager
                                              : ConditionalSummary::When::Shared,
                            textAt(l, "branch"), textAt(l, "via")});
      }
    if (const auto inside = json.find("inside"); inside != json.end()) {
      s.inside = textAt(*inside, "conditional");
      s.insideBranch = textAt(*inside, "branch");
    }
    if (const auto details = json.find("details"); details != json.end())
      s.details = this->details(*details);
    return s;
  }

  std::shared_ptr<const ConditionalDetails> details(const Json &json) const {
    auto out = std::make_shared<ConditionalDetails>();
    out->operands = textsAt(json, "operands");
    for (const Json &b : json.at("branches")) {
      ConditionalDetails::Branch branch{
          textAt(b, "name"), place(b.at("location")), {}, textsAt(b, "captures"), textsAt(b, "effects")};
      for (const Json &o : b.at("outputs"))
        branch.outputs.push_back(
            {textAt(o, "type"), textAt(o, "storage"), textAt(o, "maker"), place(o.at("made")), textAt(o, "graphPath")});
      out->branches.push_back(std::move(branch));
    }
    return out;
  }

  fs::path folder;
};

} // namespace

nlohmann::json sentReport(const InputReport &input) {
  Json findings = Json::array(), suppressed = Json::array(), conditionals = Json::array();
  for (const Finding &f : input.findings)
    findings.push_back(Json::parse(findingJson(input, f)));
  for (const Finding &f : input.suppressed)
    suppressed.push_back(Json::parse(findingJson(input, f)));
  for (const ConditionalSummary &c : input.summaries)
    conditionals.push_back(summaryJson(input, c));
  Json out = Json::parse(inputJson(input));
  out["root"] = input.root;
  out["sources"] = input.sources;
  out["findings"] = std::move(findings);
  out["suppressed"] = std::move(suppressed);
  out["summaries"] = std::move(conditionals);
  return out;
}

InputReport receivedReport(const nlohmann::json &json, const std::string &folder) {
  return Reader(folder).report(json);
}

} // namespace condlint::lsp
