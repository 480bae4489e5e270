//===- Lenience.cpp - What ONNX Runtime lets pass ---------------------- ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GraphReader.h"
#include <algorithm>

namespace condlint::onnx {

namespace {

bool holdsGraphs(const Attribute &a) { return a.kind == AttributeKind::Region || a.kind == AttributeKind::Regions; }

} // namespace

bool GraphReader::isSettled(std::string_view opType, GraphId g) const {
  return opType == "Constant" && (function || g == m.main());
}

bool GraphReader::isEmptyPassed(std::string_view opType, GraphId g) const {
  return opType.empty() && !m[g].owner && operandIds.empty() && resultNames.empty() && attributes.empty();
}

bool GraphReader::isDoublePassed(GraphId g, bool isConstant) const {
  return isConstant ? isSettled("Constant", g) : function && !m[g].owner;
}

void GraphReader::keepLastOfEach(std::size_t firstPending) {
  for (std::size_t i = attributes.size(); i-- > 0;) {
    const Attribute a = attributes[i];
    if (std::none_of(attributes.begin() + static_cast<std::ptrdiff_t>(i) + 1, attributes.end(),
                     [name = a.name](const Attribute &later) { return later.name == name; }))
      continue;
    attributes.erase(attributes.begin() + static_cast<std::ptrdiff_t>(i));
    if (!holdsGraphs(a))
      continue;
    const auto first = pendingGraphs.begin() + static_cast<std::ptrdiff_t>(firstPending + a.list.first);
    pendingGraphs.erase(first, first + a.list.count);
    for (Attribute &other : attributes)
      if (holdsGraphs(other) && other.list.first > a.list.first)
        other.list.first -= a.list.count;
  }
}

void GraphReader::passIssues(std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last && i < m.issues.size(); ++i)
    if (m.issues[i].kind == FormatIssue::Kind::Malformed)
      m.issues[i].kind = FormatIssue::Kind::MalformedWarning;
}

void GraphReader::settleWrongData() {
  if (wrongData.empty())
    return;
  std::vector<bool> isRead(m.valueCount(), false);
  const auto mark = [&](std::span<const ValueId> list) {
    for (const ValueId v : list)
      if (v)
        isRead[v.index()] = true;
  };
  for (std::uint32_t n = 0; n < m.nodeCount(); ++n)
    mark(m.operands(NodeId(n)));
  for (std::uint32_t g = 0; g < m.graphCount(); ++g)
    mark(m.results(GraphId(g)));
  for (const WrongData &w : wrongData) {
    FormatIssue &issue = m.issues[w.issue];
    if (isRead[w.initializer.index()])
      continue;
    issue.value = w.initializer;
    if (issue.kind == FormatIssue::Kind::MalformedOrt)
      issue.kind = FormatIssue::Kind::MalformedNote;
  }
}

} // namespace condlint::onnx
