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
#include <simdjson.h>

namespace condlint {

namespace {

using simdjson::dom::element;
using simdjson::dom::object;
using Rows = std::vector<RuleInfo::Row>;

/// Empty where \p entry has no such text.
std::string_view textOf(object entry, std::string_view key) {
  std::string_view text;
  return entry[key].get(text) == simdjson::SUCCESS ? text : std::string_view();
}

Version versionOf(std::string_view text) {
  Version v;
  const char *end = text.data() + text.size();
  const auto [dot, error] = std::from_chars(text.data(), end, v.major);
  if (error == std::errc() && dot != end)
    std::from_chars(dot + 1, end, v.minor);
  return v;
}

Severity severityOf(std::string_view name) { return severityByName(name).value_or(Severity::Error); }

/// One severity, or one for each range of versions.
void addRows(Rows &rows, System system, element entry) {
  if (std::string_view name; entry.get(name) == simdjson::SUCCESS)
    rows.push_back({system, {}, {}, severityOf(name)});
  else
    for (object row : entry.get_array())
      rows.push_back(
          {system, versionOf(textOf(row, "from")), versionOf(textOf(row, "to")), severityOf(textOf(row, "severity"))});
}

/// AOTInductor compiles what torch exports and ONNX Runtime what ONNX defines:
/// where the table does not name them, they have the severities of those.
Rows rowsOf(object bySystem) {
  Rows rows;
  for (const SystemInfo &s : systems()) {
    element entry;
    const auto has = [&](std::string_view name) { return bySystem[name].get(entry) == simdjson::SUCCESS; };
    if (has(s.name) || (s.system == System::Aoti && has("torch")) || (s.system == System::OnnxRuntime && has("onnx")))
      addRows(rows, s.system, entry);
  }
  return rows;
}

RuleInfo readRule(object entry) {
  RuleInfo rule;
  rule.id = entry["id"].get_string().value();
  rule.group = entry["group"].get_string().value();
  rule.summary = entry["summary"].get_string().value();
  if (bool graph = true; entry["graph"].get(graph) == simdjson::SUCCESS)
    rule.graph = graph;
  if (simdjson::dom::array source; entry["source"].get(source) == simdjson::SUCCESS)
    for (std::string_view frontEnd : source)
      rule.source.emplace_back(frontEnd);
  rule.rows[""] = rowsOf(entry["severity"].get_object());
  if (object variants; entry["variants"].get(variants) == simdjson::SUCCESS)
    for (const auto &[name, rows] : variants)
      rule.rows[std::string(name)] = rowsOf(rows.get_object());
  return rule;
}

std::vector<RuleInfo> readTable() {
  std::vector<RuleInfo> table;
  // The text is our own, compiled in; a test reads it back. Should it ever be
  // broken, an empty table is better than an exception.
  try {
    simdjson::dom::parser parser;
    const element document = parser.parse(embeddedTable.data(), embeddedTable.size());
    for (object entry : document["rules"].get_array())
      table.push_back(readRule(entry));
  } catch (const simdjson::simdjson_error &) {
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
