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

} // namespace

std::optional<Hover> hover(const InputReport &report, const SourceLocation &cursor) {
  const std::vector<Contract> all = contractsOf(report);
  const Contract *found = nullptr;
  SourceLocation at;
  const auto consider = [&](const Contract &c, const SourceLocation &l) {
    // Of one in another the inner one.
    if (holdsOnFirstLine(l, cursor) && (found == nullptr || l.column >= at.column)) {
      found = &c;
      at = l;
    }
  };
  for (const Contract &c : all) {
    consider(c, c.first().location);
    for (const SourceLocation &l : c.first().boundary)
      consider(c, l);
  }
  if (found != nullptr)
    return Hover{at, contract(report, *found)};
  return layer(report, cursor);
}

} // namespace condlint::lsp
