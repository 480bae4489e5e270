//===- Context.cpp - What all parts of the ONNX reader share ----------- ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Context.h"
#include "Proto.h"
#include "condlint/Reader.h"
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <memory>

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
  return at == nullptr ? std::string() : fmt::format("byte {}", offset(at));
}

std::string_view Context::join(const std::vector<std::string_view> &parts) {
  std::string all;
  for (std::string_view part : parts) {
    // A part that ends inside a field would go on in the next one.
    for (WireReader r(part); r.next();)
      ;
    all += part;
  }
  // Parts in parts are copied once a level.
  constexpr std::size_t levels = 8;
  if (copiedBytes += all.size(); copiedBytes / levels > file.size())
    throw WireError{parts.front().data(), "messages in parts, which are in parts themselves, too many times"};
  std::shared_ptr<const FileBytes> bytes = FileBytes::copy(all);
  const char *at = bytes->view().data();
  for (std::string_view part : parts) {
    copied.emplace(at, origin(part.data()));
    at += part.size();
  }
  m.backing.push_back(bytes);
  return bytes->view();
}

const char *Context::origin(const char *at) const {
  const auto isAfter = std::less<>();
  if (!isAfter(at, file.data()) && !isAfter(file.data() + file.size(), at))
    return at;
  const auto next = copied.upper_bound(at);
  return next == copied.begin() ? file.data() : std::prev(next)->second + (at - std::prev(next)->first);
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
