//===- RuleTable.cpp - Ids, severities and pages of the rules -------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "EmbeddedRules.h"
#include "condlint/Rule.h"
#include "graph/MeasuredVersions.h"
#include "graph/Spelling.h"
#include <algorithm>

namespace condlint {

namespace {

#include "RuleTable.inc" // ruleTable

/// No version is the newest.
bool admits(const RuleInfo::Row &row, const Target &t) {
  if (row.system != t.system)
    return false;
  const Version version = measuredVersion(t);
  const bool newest = version == Version{};
  if (row.to != Version{} && (newest || version > row.to))
    return false;
  return newest || version >= row.from;
}

const RuleInfo::Row *find(std::span<const RuleInfo::Row> rows, std::string_view variant, const Target &t) {
  const auto row =
      std::ranges::find_if(rows, [&](const RuleInfo::Row &r) { return r.variant == variant && admits(r, t); });
  return row == rows.end() ? nullptr : &*row;
}

} // namespace

Severity RuleInfo::severity(const Target &t, std::string_view variant) const {
  const Row *row = find(rows, variant, t);
  if (!row && !variant.empty())
    row = find(rows, {}, t);
  return row ? row->severity : Severity::Off;
}

bool RuleInfo::decidedOn(const Model &m) const {
  // Only source builds networks, also those that graph JSON spells.
  const FrontEnd reader = m.info.dialect == Dialect::TensorRT ? FrontEnd::TensorRT : m.info.frontEnd;
  return reader == FrontEnd::None ? graph : std::ranges::find(source, reader) != source.end();
}

std::span<const RuleInfo> rules() { return ruleTable; }

const RuleInfo *findRule(std::string_view id) {
  const auto *rule = std::ranges::find(ruleTable, id, &RuleInfo::id);
  return rule == std::end(ruleTable) ? nullptr : rule;
}

std::string nearestRule(std::string_view id) {
  std::vector<std::string_view> ids;
  for (const RuleInfo &rule : ruleTable)
    ids.push_back(rule.id);
  return std::string(nearestName(id, ids));
}

std::string_view rulePage(std::string_view id) {
  const auto page = std::ranges::find(embeddedPages, id, &EmbeddedPage::id);
  return id.empty() || page == embeddedPages.end() ? std::string_view() : page->text;
}

} // namespace condlint
