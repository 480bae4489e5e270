//===- RuleTable.cpp - Ids, severities and pages of the rules -------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "EmbeddedRules.h"
#include "condlint/Rule.h"
#include "condlint/Spelling.h"
#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

namespace condlint {

namespace {

using Json = nlohmann::json;
using Rows = std::vector<RuleInfo::Row>;

Version versionOf(const Json &row, const char *key) {
  Version v;
  const auto it = row.find(key);
  if (it == row.end())
    return v;
  const auto text = it->get<std::string_view>();
  const char *end = text.data() + text.size();
  const auto [dot, error] = std::from_chars(text.data(), end, v.major);
  if (error == std::errc() && dot != end)
    std::from_chars(dot + 1, end, v.minor);
  return v;
}

void addRows(Rows &rows, System system, const Json &entry) {
  if (entry.is_string()) {
    rows.push_back({system, {}, {}, severityByName(entry.get<std::string_view>()).value_or(Severity::Error)});
    return;
  }
  for (const Json &row : entry)
    rows.push_back({system, versionOf(row, "from"), versionOf(row, "to"),
                    severityByName(row.at("severity").get<std::string_view>()).value_or(Severity::Error)});
}

/// AOTInductor compiles what torch exports and ONNX Runtime what ONNX defines:
/// where the table does not name them, they have the severities of those.
Rows rowsOf(const Json &bySystem) {
  Rows rows;
  for (const SystemInfo &s : systems()) {
    auto it = bySystem.find(s.name);
    if (it == bySystem.end() && s.system == System::Aoti)
      it = bySystem.find("torch");
    if (it == bySystem.end() && s.system == System::OnnxRuntime)
      it = bySystem.find("onnx");
    if (it != bySystem.end())
      addRows(rows, s.system, *it);
  }
  return rows;
}

std::vector<RuleInfo> readTable() {
  std::vector<RuleInfo> table;
  // The text is our own, compiled in; a test reads it back. Should it ever be
  // broken, an empty table is better than an exception.
  try {
    const Json document = Json::parse(embeddedTable);
    for (const Json &entry : document.at("rules")) {
      RuleInfo rule;
      rule.id = entry.at("id").get<std::string>();
      rule.group = entry.at("group").get<std::string>();
      rule.summary = entry.at("summary").get<std::string>();
      rule.graph = entry.value("graph", true);
      rule.source = entry.value("source", std::vector<std::string>());
      rule.rows[""] = rowsOf(entry.at("severity"));
      if (const auto variants = entry.find("variants"); variants != entry.end())
        for (const auto &[name, rows] : variants->items())
          rule.rows[name] = rowsOf(rows);
      table.push_back(std::move(rule));
    }
  } catch (const std::exception &) {
    table.clear();
  }
  return table;
}

const std::vector<RuleInfo> &table() {
  static const std::vector<RuleInfo> rules = readTable();
  return rules;
}

/// No version is the newest.
bool admits(const RuleInfo::Row &row, const Target &t) {
  if (row.system != t.system)
    return false;
  const bool newest = t.version == Version{};
  if (row.to != Version{} && (newest || t.version > row.to))
    return false;
  return newest || t.version >= row.from;
}

const RuleInfo::Row *find(const Rows &rows, const Target &t) {
  const auto row = std::ranges::find_if(rows, [&](const RuleInfo::Row &r) { return admits(r, t); });
  return row == rows.end() ? nullptr : &*row;
}

} // namespace

Severity RuleInfo::severity(const Target &t, std::string_view variant) const {
  if (const auto special = rows.find(variant); special != rows.end() && !variant.empty())
    if (const Row *row = find(special->second, t))
      return row->severity;
  const auto plain = rows.find("");
  const Row *row = plain == rows.end() ? nullptr : find(plain->second, t);
  return row ? row->severity : Severity::Off;
}

bool RuleInfo::decidedOn(const Model &m) const {
  if (m.info.format != Format::Cxx)
    return graph;
  // A unit can be read twice: for its conditionals, and for what a tracer freezes.
  const std::string_view frontEnd = m.info.name == "tracing" ? "tracing" : dialectName(m.info.dialect);
  return std::ranges::find(source, frontEnd) != source.end();
}

std::span<const RuleInfo> rules() { return table(); }

const RuleInfo *findRule(std::string_view id) {
  const auto rule = std::ranges::find(table(), id, &RuleInfo::id);
  return rule == table().end() ? nullptr : &*rule;
}

std::string nearestRule(std::string_view id) {
  std::vector<std::string_view> ids;
  for (const RuleInfo &rule : table())
    ids.push_back(rule.id);
  return std::string(nearestName(id, ids));
}

std::string_view rulePage(std::string_view id) {
  const auto page = std::ranges::find(embeddedPages, id, &EmbeddedPage::id);
  return id.empty() || page == embeddedPages.end() ? std::string_view() : page->text;
}

std::string_view severityName(Severity s) {
  switch (s) {
  case Severity::Off:
    return "off";
  case Severity::Note:
    return "note";
  case Severity::Warning:
    return "warning";
  case Severity::Error:
    return "error";
  }
  return "off";
}

std::optional<Severity> severityByName(std::string_view name) {
  for (Severity s : {Severity::Off, Severity::Note, Severity::Warning, Severity::Error})
    if (severityName(s) == name)
      return s;
  return std::nullopt;
}

std::string_view verdictName(Verdict v) {
  switch (v) {
  case Verdict::Proved:
    return "proved";
  case Verdict::Unknown:
    return "unknown";
  case Verdict::Possible:
    return "possible";
  case Verdict::Violated:
    return "violated";
  }
  return "unknown";
}

} // namespace condlint
