//===- JsonCommon.h - What reader and writer agree on -----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_READERS_JSON_JSONCOMMON_H
#define CONDLINT_READERS_JSON_JSONCOMMON_H

#include "condlint/Graph.h"
#include "graph/OnnxDomain.h"
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace condlint::json {

constexpr std::string_view formatTag = "graph-1";
/// Graphs inside graphs that are read.
constexpr std::uint32_t maxGraphDepth = 256;
/// Types inside types (a sequence of sequences).
constexpr unsigned maxTypeDepth = 64;

constexpr std::array<std::string_view, 4> originNames{"declared", "named", "unbacked", "anonymous"};
constexpr std::array<std::string_view, 14> issueNames{
    "malformed",         "malformed_note",  "malformed_warning",  "malformed_ort", "malformed_checker",
    "malformed_onnx",    "redefined",       "redefined_constant", "shadowed",      "shadowed_by_input",
    "shadowed_constant", "shadowed_unread", "too_deep",           "nesting_limit"};
static_assert(issueNames.size() == static_cast<std::size_t>(FormatIssue::Kind::NestingLimit) + 1);

using Opsets = std::vector<std::pair<std::string, std::int64_t>>;

/// The version that an operator has when none is written: the one imported of
/// its domain, -1 when none is. Torch's operators have no versions.
inline std::int32_t impliedVersion(Dialect dialect, const Opsets &opsets, std::string_view domain) {
  if (dialect != Dialect::Onnx)
    return 0;
  for (const auto &[name, version] : opsets)
    if (name == domain || (domain.empty() && isOnnxDomain(name)))
      return static_cast<std::int32_t>(version);
  return -1;
}

/// An operator written as one string: "aten.add.Tensor" for torch, "Relu" or
/// "com.example::Magic" elsewhere.
struct OperatorParts {
  std::string_view domain, name, overload;
};
inline OperatorParts splitOperator(Dialect dialect, std::string_view text) {
  OperatorParts p;
  if (dialect == Dialect::Torch) {
    const std::size_t dot = text.find('.');
    p.domain = dot == std::string_view::npos ? std::string_view() : text.substr(0, dot);
    p.name = dot == std::string_view::npos ? text : text.substr(dot + 1);
    if (const std::size_t second = p.name.find('.'); second != std::string_view::npos) {
      p.overload = p.name.substr(second + 1);
      p.name = p.name.substr(0, second);
    }
    return p;
  }
  const std::size_t colons = text.rfind("::");
  p.domain = colons == std::string_view::npos ? std::string_view() : text.substr(0, colons);
  p.name = colons == std::string_view::npos ? text : text.substr(colons + 2);
  return p;
}

/// Which value a name means at one place of nested graphs. In a closed dialect
/// (torch) a graph sees its own names alone.
class NameScope {
public:
  explicit NameScope(bool closed) : isClosed(closed) {}

  ValueId lookup(StringId name) const {
    const Binding b = binding(name);
    return isClosed && b.level != level ? ValueId() : b.value;
  }
  /// The value of that name in the innermost graph itself.
  ValueId own(StringId name) const {
    const Binding b = binding(name);
    return b.level == level ? b.value : ValueId();
  }
  void define(StringId name, ValueId value) {
    if (bindings.size() <= name.index())
      bindings.resize(static_cast<std::size_t>(name.index()) + 1 + bindings.size());
    log.emplace_back(name, bindings[name.index()]);
    bindings[name.index()] = {value, level};
  }
  void enter() {
    marks.push_back(log.size());
    ++level;
  }
  void leave() {
    for (; log.size() > marks.back(); log.pop_back())
      bindings[log.back().first.index()] = log.back().second;
    marks.pop_back();
    --level;
  }

private:
  struct Binding {
    ValueId value;
    std::uint32_t level = 0; ///< 0: not bound
  };
  Binding binding(StringId name) const { return name.index() < bindings.size() ? bindings[name.index()] : Binding(); }

  bool isClosed;
  std::uint32_t level = 0;
  std::vector<Binding> bindings;
  std::vector<std::pair<StringId, Binding>> log;
  std::vector<std::size_t> marks;
};

} // namespace condlint::json

#endif // CONDLINT_READERS_JSON_JSONCOMMON_H
