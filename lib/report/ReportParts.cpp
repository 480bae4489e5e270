//===- ReportParts.cpp - The parts of a report, read back -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReportParts.h"
#include <algorithm>
#include <array>
#include <cstdint>

namespace condlint {

const Json &member(const Json &json, const char *name) {
  static const Json null;
  if (!json.is_object())
    return null;
  const auto found = json.find(name);
  return found == json.end() ? null : *found;
}

namespace {

bool readText(const Json &json, std::string &into) {
  if (json.is_null())
    return true;
  if (!json.is_string())
    return false;
  into = json.get<std::string>();
  return true;
}

template <class T> bool readNumber(const Json &json, T &into) {
  if (json.is_null())
    return true;
  if (!json.is_number_unsigned())
    return false;
  into = json.get<T>();
  return true;
}

bool readTexts(const Json &json, std::vector<std::string> &into) {
  if (json.is_null())
    return true;
  if (!json.is_array())
    return false;
  return std::ranges::all_of(json, [&](const Json &item) { return readText(item, into.emplace_back()); });
}

/// The value among \p all whose name \p json is.
template <class T, std::size_t N>
bool readName(const Json &json, const std::array<T, N> &all, std::string_view (*nameOf)(T), T &into) {
  if (!json.is_string())
    return false;
  const auto found = std::ranges::find(all, std::string_view(json.get_ref<const std::string &>()), nameOf);
  if (found == all.end())
    return false;
  into = *found;
  return true;
}

constexpr std::array verdicts{Verdict::Proved, Verdict::Unknown, Verdict::Possible, Verdict::Violated};
constexpr std::array statuses{InputStatus::Ok, InputStatus::Partial, InputStatus::Failed, InputStatus::Skipped};

bool readVerdict(const Json &json, Verdict &into) { return readName(json, verdicts, verdictName, into); }

bool readSignature(const Json &json, ConditionalSummary::Signature &into) {
  const Json &shape = member(json, "shape");
  if (!json.is_object() || !readText(member(json, "kind"), into.kind) || !readText(member(json, "dtype"), into.dtype) ||
      !(shape.is_array() || shape.is_null()))
    return false;
  into.hasShape = shape.is_array();
  for (const Json &dim : shape) {
    if (!dim.is_null() && !dim.is_string() && !dim.is_number_integer())
      return false;
    into.shape.push_back(dim.is_null()     ? "?"
                         : dim.is_string() ? dim.get<std::string>()
                                           : std::to_string(dim.get<std::int64_t>()));
  }
  return true;
}

bool readSignatures(const Json &json, std::vector<ConditionalSummary::Signature> &into) {
  return json.is_array() &&
         std::ranges::all_of(json, [&](const Json &s) { return readSignature(s, into.emplace_back()); });
}

bool readLayer(const Json &json, ConditionalSummary::Layer &into) {
  using When = ConditionalSummary::When;
  const Json &when = member(json, "evaluated");
  if (!when.is_string())
    return false;
  into.when = when == "lazy" ? When::Lazy : when == "eager" ? When::Eager : When::Shared;
  return readText(member(json, "name"), into.name) && readLocation(member(json, "location"), into.location) &&
         readText(member(json, "branch"), into.branch) && readText(member(json, "via"), into.via);
}

bool readRelated(const Json &json, Related &into) {
  return readText(member(json, "message"), into.message) && readLocation(member(json, "location"), into.location) &&
         readText(member(json, "graphPath"), into.graphPath);
}

bool readFix(const Json &json, Fix &into) {
  const Json &edits = member(json, "edits");
  return readText(member(json, "description"), into.description) && edits.is_array() &&
         std::ranges::all_of(edits, [&](const Json &e) {
           Edit &edit = into.edits.emplace_back();
           return readLocation(member(e, "location"), edit.at) && readText(member(e, "text"), edit.text);
         });
}

} // namespace

bool readLocation(const Json &json, SourceLocation &into) {
  return (json.is_null() || json.is_object()) && readText(member(json, "path"), into.path) &&
         readText(member(json, "function"), into.function) && readNumber(member(json, "line"), into.line) &&
         readNumber(member(json, "column"), into.column) && readNumber(member(json, "endLine"), into.endLine) &&
         readNumber(member(json, "endColumn"), into.endColumn);
}

bool ReportParts::input(const Json &json, InputReport &into) const {
  const Json &path = member(json, "path"), &failOn = member(json, "failOn");
  if (!path.is_string() || !readText(path, into.path) || !readText(member(json, "kind"), into.kind) ||
      !readName(member(json, "status"), statuses, statusName, into.status) ||
      !readText(member(json, "reason"), into.reason) || !readTexts(member(json, "notes"), into.notes) ||
      !readTexts(member(json, "targets"), into.targets) || !readNumber(member(json, "conditionals"), into.conditionals))
    return false;
  if (failOn.is_string()) {
    const auto severity = failOn == "never" ? Severity::Off : severityByName(failOn.get<std::string>());
    if (!severity)
      return false;
    into.failOn = *severity;
  }
  into.isJudged = member(json, "judged") != false;
  if (const Json &position = member(json, "position"); !position.is_null())
    if (!readNumber(position, into.position.emplace()))
      return false;
  for (const auto &[name, count] : member(json, "untypedOperators").items())
    if (!readNumber(count, into.untypedOperators[name]))
      return false;
  return true;
}

bool ReportParts::conditional(const Json &json, ConditionalSummary &into) const {
  const Json &branches = member(json, "branches"), &rules = member(json, "rules"), &reasons = member(json, "reasons");
  if (!readText(member(json, "input"), into.input) || !readText(member(json, "path"), into.path) ||
      !readLocation(member(json, "location"), into.location) || !readText(member(json, "target"), into.target) ||
      !readSignature(member(json, "predicate"), into.predicate) ||
      !readSignatures(member(json, "operands"), into.operands) || !branches.is_array() || !rules.is_object() ||
      !reasons.is_object())
    return false;
  for (const Json &b : branches) {
    ConditionalSummary::BranchSummary &branch = into.branches.emplace_back();
    if (!readText(member(b, "name"), branch.name) || !readSignatures(member(b, "outputs"), branch.outputs))
      return false;
  }
  for (const auto &[id, verdict] : rules.items()) {
    const auto rule = std::ranges::find(ruleIds, std::string_view(id));
    if (rule == ruleIds.end() || !readVerdict(verdict, into.verdicts[*rule]))
      return false;
  }
  for (const auto &[id, reason] : reasons.items())
    if (!readText(reason, into.reasons[id]))
      return false;
  for (const Json &layer : member(json, "layers"))
    if (!readLayer(layer, into.layers.emplace_back()))
      return false;
  const Json &inside = member(json, "inside"), &judged = member(json, "judged");
  return readText(member(inside, "conditional"), into.inside) &&
         readText(member(inside, "branch"), into.insideBranch) &&
         (judged.is_null() || readVerdict(judged, into.judged));
}

bool ReportParts::finding(const Json &json, Finding &into) const {
  const Json &severity = member(json, "severity"), &witness = member(json, "witness");
  const auto known = severity.is_string() ? severityByName(severity.get<std::string>()) : std::nullopt;
  if (!known || !readText(member(json, "rule"), into.rule) || !readVerdict(member(json, "verdict"), into.verdict) ||
      !readText(member(json, "target"), into.target) || !readText(member(json, "message"), into.message) ||
      !readText(member(json, "help"), into.help) || !readText(member(json, "input"), into.input) ||
      !readText(member(json, "conditional"), into.conditional) ||
      !readLocation(member(json, "location"), into.location) || !readText(member(json, "graphPath"), into.graphPath) ||
      !readText(member(json, "fingerprint"), into.fingerprint))
    return false;
  into.severity = *known;
  into.executed = member(json, "evidence") == "dynamic";
  for (const Json &r : member(json, "related"))
    if (!readRelated(r, into.related.emplace_back()))
      return false;
  for (const auto &[symbol, value] : witness.items()) {
    if (!value.is_number_integer())
      return false;
    into.witness.emplace_back(symbol, value.get<std::int64_t>());
  }
  for (const Json &f : member(json, "fixes"))
    if (!readFix(f, into.fixes.emplace_back()))
      return false;
  if (const Json &output = member(json, "output"); !output.is_null())
    if (!readNumber(output, into.output.emplace()))
      return false;
  const Json &suppression = member(json, "suppression");
  return readText(member(suppression, "kind"), into.suppressedBy) &&
         readText(member(suppression, "reason"), into.justification);
}

bool ReportParts::shard(const Json &json, Shard &into) const {
  return readNumber(member(json, "index"), into.index) && readNumber(member(json, "count"), into.count) &&
         readNumber(member(json, "inputs"), into.inputs) && readText(member(json, "digest"), into.digest) &&
         into.index != 0 && into.index <= into.count;
}

} // namespace condlint
