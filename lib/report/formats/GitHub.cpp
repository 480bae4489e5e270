//===- GitHub.cpp - The report as workflow commands of GitHub Actions -----===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A line a finding, which becomes an annotation. A step shows ten of each kind, so the most severe come
// first and what does not fit is counted in words.
//
//===----------------------------------------------------------------------===//
#include "Formats.h"
#include "Groups.h"
#include "SafeText.h"
#include "SourceText.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {

namespace {

constexpr std::size_t mostOfAKind = 10;

std::string_view commandOf(Severity s) {
  return s == Severity::Error ? "error" : s == Severity::Warning ? "warning" : "notice";
}

/// What would end the command, or begin a new one, is escaped; in a property also what parts properties.
std::string escaped(std::string_view text, bool isProperty) {
  std::string out;
  for (const char c : soundUtf8(text)) {
    const bool parts = isProperty && (c == ':' || c == ',');
    if (c == '%' || c == '\r' || c == '\n' || parts)
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F)
      out += c;
  }
  return out;
}

std::string placeOf(const InputReport &input, const SourceLocation &l, const RenderOptions &o) {
  if (!l.valid())
    return "file=" + escaped(relativePath(input.path, o.workingFolder), true);
  std::string out = fmt::format("file={},line={}", escaped(relativePath(l.path, o.workingFolder), true), l.line);
  if (l.column != 0)
    out += fmt::format(",col={}", l.column);
  if (l.endLine != 0)
    out += fmt::format(",endLine={}", l.endLine);
  if (l.endColumn != 0 && l.endLine == l.line)
    out += fmt::format(",endColumn={}", l.endColumn);
  return out;
}

std::string annotation(const InputReport &input, const FindingGroup &group, const RenderOptions &o) {
  const Finding &f = *group.finding;
  std::string message = f.message;
  if (!f.graphPath.empty())
    message +=
        fmt::format(" ({}{}{})", f.location.valid() ? input.path : "", f.location.valid() ? ": " : "", f.graphPath);
  for (const Related &r : f.related)
    message += fmt::format("\n{}: {}", r.location.valid() ? r.location.str() : r.graphPath, r.message);
  if (!f.help.empty())
    message += "\nhelp: " + f.help;
  return fmt::format("::{} {},title={}::{}\n", commandOf(group.severity), placeOf(input, f.location, o),
                     escaped("condlint: " + f.rule, true), escaped(message, false));
}

} // namespace

std::string formats::github(const Report &r, const RenderOptions &options) {
  std::string out;
  std::size_t left = 0;
  for (const Severity severity : {Severity::Error, Severity::Warning, Severity::Note}) {
    std::size_t shown = 0;
    const auto add = [&](const std::string &line) {
      if (shown++ < mostOfAKind)
        out += line;
    };
    for (const InputReport &input : r.inputs) {
      const bool isFailure = input.status == InputStatus::Failed || input.status == InputStatus::Partial;
      if (severity == Severity::Error && isFailure)
        add(fmt::format("::error {},title=condlint::{}\n", placeOf(input, {}, options),
                        escaped(fmt::format("{}: {}", statusName(input.status), input.reason), false)));
      for (const FindingGroup &group : groupByTarget(input.findings))
        if (group.severity == severity)
          add(annotation(input, group, options));
    }
    left += shown - std::min(shown, mostOfAKind);
  }
  if (left != 0)
    out += fmt::format("condlint: {} more, of which GitHub would show none: a step has {} annotations of each kind. "
                       "All are in the other formats, such as --output sarif=FILE.\n",
                       left, mostOfAKind);
  return out;
}

} // namespace condlint
