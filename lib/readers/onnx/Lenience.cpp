//===- Lenience.cpp - What ONNX Runtime lets pass ---------------------- ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GraphReader.h"
#include <algorithm>

namespace condlint::onnx {

bool GraphReader::isSettled(std::string_view opType, GraphId g) const {
  return opType == "Constant" && (function || g == m.main());
}

bool GraphReader::isEmptyPassed(std::string_view opType, GraphId g) const {
  return opType.empty() && !m[g].owner && operandIds.empty() && resultNames.empty() && attributes.empty();
}

bool GraphReader::isDoublePassed(GraphId g, bool isConstant) const {
  const auto holdsGraphs = [](const Attribute &a) {
    return a.kind == AttributeKind::Region || a.kind == AttributeKind::Regions;
  };
  return isConstant ? isSettled("Constant", g)
                    : function && !m[g].owner && std::ranges::none_of(attributes, holdsGraphs);
}

void GraphReader::keepLastOfEach() {
  for (std::size_t i = attributes.size(); i-- > 0;)
    if (std::any_of(attributes.begin() + static_cast<std::ptrdiff_t>(i) + 1, attributes.end(),
                    [name = attributes[i].name](const Attribute &a) { return a.name == name; }))
      attributes.erase(attributes.begin() + static_cast<std::ptrdiff_t>(i));
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
