//===- Hover.cpp - The contract of a conditional, to read -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Conditionals.h"
#include "Features.h"
#include "Signatures.h"
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tuple>

namespace condlint::lsp {

namespace {

std::string code(const std::string &text) {
  if (text.empty())
    return "";
  std::string out;
  for (const char c : text)
    out += c == '`' ? '\'' : c == '\n' ? ' ' : c;
  return '`' + out + '`';
}

/// \p text in a cell of a table.
std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
    text.insert(at, "\\");
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::string place(const SourceLocation &at, const std::string &seenFrom) {
  if (!at.valid())
    return {};
  return at.path == seenFrom ? fmt::format("line {}", at.line)
                             : fmt::format("{}:{}", std::filesystem::path(at.path).filename().string(), at.line);
}

/// One output of one branch: what it is, what makes it and whose storage it has.
std::string output(const ConditionalSummary &c, std::size_t b, std::size_t i) {
  if (b >= c.branches.size() || i >= c.branches[b].outputs.size())
    return "—";
  std::string out = code(spell(c.branches[b].outputs[i]));
  if (!c.details || b >= c.details->branches.size() || i >= c.details->branches[b].outputs.size())
    return out;
  const ConditionalDetails::Output &o = c.details->branches[b].outputs[i];
  if (!o.type.empty())
    out = code(o.type);
  if (!o.maker.empty()) {
    out += " of " + code(o.maker);
    if (const std::string at = place(o.made, c.location.path); !at.empty())
      out += ", " + at;
  }
  if (!o.storage.empty() && o.storage != "its own")
    out += "; its storage is " + o.storage;
  return cell(out);
}

std::string named(const ConditionalSummary &c, std::size_t b) {
  return b < c.branches.size() ? (b == 0 ? "then " : "else ") + code(c.branches[b].name) : "—";
}

void addOutputs(const ConditionalSummary &c, std::string &out) {
  std::size_t count = 0;
  for (const ConditionalSummary::BranchSummary &b : c.branches)
    count = std::max(count, b.outputs.size());
  out += fmt::format("\n| output | {} | {} |\n|---|---|---|\n", cell(named(c, 0)), cell(named(c, 1)));
  for (std::size_t i = 0; i < count; ++i)
    out += fmt::format("| {} | {} | {} |\n", i, output(c, 0, i), output(c, 1, i));
  if (count == 0)
    out += "| | nothing | nothing |\n";
}

void addInputs(const ConditionalSummary &c, std::string &out) {
  out += "\n- predicate: " + code(c.predicateType.empty() ? c.predicateKind : c.predicateType);
  std::vector<std::string> operands;
  if (c.details)
    for (const std::string &o : c.details->operands)
      operands.push_back(code(o));
  else
    for (const ConditionalSummary::Signature &s : c.operands)
      operands.push_back(code(spell(s)));
  if (!operands.empty())
    out += fmt::format("\n- operands: {}", fmt::join(operands, ", "));
  if (!c.details)
    return;
  for (const ConditionalDetails::Branch &b : c.details->branches) {
    if (!b.captures.empty())
      out += fmt::format("\n- {} captures {}", code(b.name), fmt::join(b.captures, ", "));
    if (!b.effects.empty())
      out += fmt::format("\n- {}: {}", code(b.name), fmt::join(b.effects, "; "));
  }
}

/// Which layers of a network run when.
void addLayers(const ConditionalSummary &c, std::string &out) {
  using When = ConditionalSummary::When;
  for (const auto &[when, words] : {std::pair(When::Lazy, "lazy"), {When::Eager, "eager"}, {When::Shared, "shared"}}) {
    std::vector<std::string> all;
    for (const ConditionalSummary::Layer &l : c.layers)
      if (l.when == when) {
        std::string text = code(l.name);
        if (const std::string at = place(l.location, c.location.path); !at.empty())
          text += fmt::format(" ({})", at);
        if (!l.branch.empty())
          text += fmt::format(" for {}", code(l.branch));
        if (when == When::Eager && !l.via.empty())
          text += fmt::format(", lazy if {} went through `addInput`", l.via);
        if (std::ranges::find(all, text) == all.end())
          all.push_back(std::move(text));
      }
    if (!all.empty())
      out += fmt::format("\n- {}: {}", words, fmt::join(all, ", "));
  }
}

void addRules(const InputReport &report, const ConditionalSummary &c, std::string &out) {
  std::vector<std::string_view> proved;
  for (const auto &[rule, verdict] : c.verdicts) {
    if (verdict == Verdict::Proved) {
      proved.push_back(rule);
      continue;
    }
    std::string why;
    if (const auto reason = c.reasons.find(rule); reason != c.reasons.end())
      why = reason->second;
    for (const std::vector<Finding> *all : {&report.findings, &report.suppressed})
      for (const Finding &f : *all)
        if (why.empty() && f.rule == rule && f.conditional == c.path && f.target == c.target)
          why = f.message;
    out +=
        fmt::format("\n- **{}** [{}]({}){}{}", verdictName(verdict), rule, pageOf(rule), why.empty() ? "" : ": ", why);
  }
  if (!proved.empty())
    out += fmt::format("\n- proved: {}", fmt::join(proved, ", "));
}

std::string contract(const InputReport &report, const Contract &c) {
  std::string out;
  for (const ConditionalSummary *s : c.targets) {
    // The verdict is that of all targets together.
    const std::string verdict = s == c.targets.front() ? fmt::format(": **{}**", spellVerdict(c)) : "";
    out += fmt::format("{}**conditional** {} for {}{}\n", out.empty() ? "" : "\n\n---\n", code(s->path),
                       code(s->target), verdict);
    addOutputs(*s, out);
    addInputs(*s, out);
    addLayers(*s, out);
    out += "\n";
    addRules(report, *s, out);
  }
  return out;
}

/// When the layer under the cursor is evaluated.
std::optional<Hover> layer(const InputReport &report, const SourceLocation &cursor) {
  std::string out;
  SourceLocation at;
  for (const ConditionalSummary &c : report.summaries)
    for (const ConditionalSummary::Layer &l : c.layers) {
      if (!holdsOnFirstLine(l.location, cursor))
        continue;
      const bool lazy = l.when == ConditionalSummary::When::Lazy, shared = l.when == ConditionalSummary::When::Shared;
      std::string line = fmt::format("{} is **{}** for the conditional at {}", code(l.name),
                                     lazy     ? "lazy"
                                     : shared ? "shared"
                                              : "eager",
                                     place(c.location, cursor.path));
      line += shared ? ": always evaluated"
              : lazy ? fmt::format(": evaluated in {} alone", l.branch.empty() ? "its branches" : code(l.branch))
              : l.via.empty() ? ": always evaluated; lazy once what it reads is"
                              : fmt::format(": always evaluated; lazy if {} went through `addInput`", l.via);
      if (out.find(line) == std::string::npos)
        out += (out.empty() ? "" : "\n\n") + line;
      at = l.location;
    }
  return out.empty() ? std::nullopt : std::optional(Hover{at, out});
}

bool isOfName(char c) { return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

/// Where the expression begins whose last name stands at \p column, from 1, of \p line: `condlint::cond`.
std::uint32_t beginOfCallee(std::string_view line, std::uint32_t column) {
  std::size_t begin = column - 1;
  while (begin > 0 && begin <= line.size()) {
    const std::string_view before = line.substr(0, begin);
    if (before.ends_with("::") || before.ends_with("->"))
      begin -= 2;
    else if (isOfName(before.back()) || before.back() == '.')
      --begin;
    else
      break;
  }
  return static_cast<std::uint32_t>(begin + 1);
}

/// All of a conditional's call, from where its callee begins.
SourceLocation wholeCall(SourceLocation call, const LineOf &lineOf) {
  if (!call.valid() || call.column == 0 || !lineOf)
    return call;
  const std::string_view line = lineOf(call.line);
  if (call.endColumn == 0 || std::tie(call.endLine, call.endColumn) < std::tie(call.line, call.column)) {
    call.endLine = call.line;
    call.endColumn = std::max(static_cast<std::uint32_t>(line.size() + 1), call.column);
  }
  call.column = beginOfCallee(line, call.column);
  return call;
}

/// What stands before the body of a branch on the line where that begins: `[](const Tensor &a)`; of what is no lambda
/// its name and what follows it there.
SourceLocation headOfBranch(SourceLocation branch, const LineOf &lineOf) {
  if (!branch.valid() || branch.column == 0 || !lineOf)
    return branch;
  const std::string_view line = lineOf(branch.line);
  const std::size_t at = branch.column - 1;
  std::size_t end = branch.endLine == branch.line && branch.endColumn != 0 ? branch.endColumn - 1 : line.size();
  end = std::min({end, line.find('{', at), line.size()});
  if (at < line.size() && !isOfName(line[at])) {
    // The place of a lambda is where its parameters end.
    const std::size_t begin = line.substr(0, at + 1).rfind('[');
    branch.column = static_cast<std::uint32_t>(
        (begin == std::string_view::npos ? std::min(line.find_first_not_of(" \t"), at) : begin) + 1);
  }
  branch.endLine = branch.line;
  branch.endColumn = std::max(static_cast<std::uint32_t>(end + 1), branch.column);
  return branch;
}

/// The body of \p branch, with its braces, where it is some lines of code; invalid where that stands elsewhere.
SourceLocation bodyOfBranch(SourceLocation branch, const LineOf &lineOf) {
  if (!branch.valid() || branch.column == 0 || branch.endLine == 0 || branch.endColumn == 0 || !lineOf)
    return {};
  const std::string_view line = lineOf(branch.line);
  const bool isOneLine = branch.endLine == branch.line;
  const std::size_t brace = line.find('{', branch.column - 1);
  if (isOneLine && (brace == std::string_view::npos || brace + 1 >= branch.endColumn))
    return {};
  branch.column = static_cast<std::uint32_t>(std::min(brace, line.size()) + 1);
  return branch;
}

/// \p layer is the conditional's own: what adds it, or one of its inputs and outputs.
bool isCallOf(const Contract &c, const SourceLocation &layer) {
  return layer == c.first().location || std::ranges::find(c.first().boundary, layer) != c.first().boundary.end();
}

/// What of \p call stands on the cursor's line around it, and in no branch's body; invalid where nothing does.
SourceLocation partOfCall(const SourceLocation &call, const std::vector<SourceLocation> &bodies,
                          const SourceLocation &cursor, const LineOf &lineOf) {
  if (call.column == 0 || call.endColumn == 0 || !lineOf)
    return holdsOnFirstLine(call, cursor) ? call : SourceLocation();
  if (!holds(call, cursor))
    return {};
  const std::string_view line = lineOf(cursor.line);
  SourceLocation part = cursor;
  part.column =
      call.line == cursor.line
          ? call.column
          : static_cast<std::uint32_t>(std::min(line.find_first_not_of(" \t"), std::size_t{cursor.column} - 1) + 1);
  part.endLine = cursor.line;
  part.endColumn = call.endLine == cursor.line ? call.endColumn : static_cast<std::uint32_t>(line.size() + 1);
  for (const SourceLocation &body : bodies) {
    if (!body.valid() || body.line > cursor.line || body.endLine < cursor.line ||
        std::tie(body.line, body.column) < std::tie(call.line, call.column)) // the call stands in it
      continue;
    if (body.endLine == cursor.line && cursor.column >= body.endColumn) // it ends before the cursor
      part.column = std::max(part.column, body.endColumn);
    else if (body.line == cursor.line && cursor.column < body.column) // it begins behind it
      part.endColumn = std::min(part.endColumn, body.column);
    else
      return {};
  }
  part.endColumn = std::max(part.endColumn, part.column);
  return part;
}

} // namespace

std::optional<Hover> hover(const InputReport &report, const SourceLocation &cursor, const LineOf &lineOf) {
  const std::vector<Contract> all = contractsOf(report);
  const Contract *found = nullptr;
  SourceLocation at, begin;
  // Of one in another the inner one.
  const auto take = [&](const Contract &c, const SourceLocation &part, const SourceLocation &whole) {
    if (!part.valid() || (found != nullptr && std::tie(whole.line, whole.column) < std::tie(begin.line, begin.column)))
      return;
    found = &c;
    at = part;
    begin = whole;
  };
  for (const Contract &c : all) {
    std::vector<SourceLocation> bodies;
    if (c.first().details)
      for (const ConditionalDetails::Branch &b : c.first().details->branches) {
        if (b.location.path != cursor.path)
          continue;
        bodies.push_back(bodyOfBranch(b.location, lineOf));
        if (const SourceLocation head = headOfBranch(b.location, lineOf); holdsOnFirstLine(head, cursor))
          take(c, head, head);
      }
    std::vector<SourceLocation> calls = c.first().boundary;
    calls.push_back(c.first().location);
    for (const SourceLocation &l : calls)
      if (l.path == cursor.path) {
        const SourceLocation whole = wholeCall(l, lineOf);
        take(c, partOfCall(whole, bodies, cursor, lineOf), whole);
      }
  }
  // A layer that is made within the call says more.
  std::optional<Hover> made = layer(report, cursor);
  if (found != nullptr && (!made || std::tie(made->at.line, made->at.column) <= std::tie(begin.line, begin.column) ||
                           isCallOf(*found, made->at)))
    return Hover{at, contract(report, *found)};
  return made;
}

} // namespace condlint::lsp
