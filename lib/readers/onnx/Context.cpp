//===- Context.cpp - What all parts of the ONNX reader share ----------- ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Context.h"
#include "Proto.h"
#include <fmt/format.h>

namespace condlint::onnx {

FormatIssue *Context::report(FormatIssue::Kind kind, const char *at, std::string message, GraphId g, NodeId n,
                             ValueId v) {
  const bool isNesting = kind == FormatIssue::Kind::TooDeep || kind == FormatIssue::Kind::NestingLimit;
  if (m.issues.size() >= issueLimit && !isNesting) {
    ++dropped;
    return nullptr;
  }
  FormatIssue issue;
  issue.kind = kind;
  issue.graph = g;
  issue.node = n;
  issue.value = v;
  issue.place = place(at);
  issue.message = std::move(message);
  m.issues.push_back(std::move(issue));
  return &m.issues.back();
}

void Context::locate(std::size_t first, GraphId g, NodeId n, ValueId v) {
  for (std::size_t i = first; i < m.issues.size(); ++i) {
    FormatIssue &issue = m.issues[i];
    if (issue.graph)
      continue;
    issue.graph = g;
    issue.node = n;
    issue.value = v;
  }
}

void Context::finish() {
  if (dropped != 0 && !m.issues.empty())
    m.issues.back().message += fmt::format(" (and {} more problems in this file)", dropped);
}

void Context::skip(const WireReader &r, std::uint32_t known, std::uint32_t depth, std::string_view message) {
  if (r.isGroup())
    reach(depth + r.groupDepth());
  if (r.number() < 32 && ((known >> r.number()) & 1u) != 0)
    report(FormatIssue::Kind::Malformed, r.at(),
           fmt::format("field {} of {} has wire type {}, which is not its own, and is ignored", r.number(), message,
                       r.key() & 7));
}

std::string Context::place(const char *at) const {
  return at == nullptr ? std::string() : fmt::format("byte {}", at - file.data());
}

Entry readEntry(Context &c, std::string_view bytes, std::uint32_t depth) {
  c.reach(depth);
  Entry e;
  for (WireReader r(bytes); r.next();) {
    switch (r.key()) {
    case lengthKey(entryProto::key):
      e.key = r.bytes();
      break;
    case lengthKey(entryProto::value):
      e.value = r.bytes();
      break;
    default:
      c.skip(r, fieldSet({1, 2}), depth, "StringStringEntryProto");
    }
  }
  return e;
}

std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 120;
  if (text.size() <= longest)
    return fmt::format("'{}'", text);
  return fmt::format("'{}...'", text.substr(0, longest));
}

} // namespace condlint::onnx
