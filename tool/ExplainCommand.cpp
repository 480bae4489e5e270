//===- ExplainCommand.cpp - condlint explain --at ---------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ExplainCommand.h"
#include "ExitCode.h"
#include "Signatures.h"
#include "SourcePlace.h"
#include "report/SafeText.h"
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <set>

namespace condlint {

namespace {

/// Lines that hang below one another; printed with the lines that connect them.
struct Tree {
  std::string text;
  std::vector<Tree> below;

  Tree &add(std::string line) { return below.emplace_back(Tree{std::move(line), {}}); }
  /// The same for a line that says nothing new where it stands there already.
  void addOnce(std::string line) {
    if (std::ranges::none_of(below, [&](const Tree &t) { return t.text == line; }))
      add(std::move(line));
  }
};

void draw(const Tree &tree, const std::string &before, std::string &out) {
  for (std::size_t i = 0; i < tree.below.size(); ++i) {
    const bool last = i + 1 == tree.below.size();
    out += before + (last ? "└─ " : "├─ ") + soundUtf8(tree.below[i].text) + '\n';
    draw(tree.below[i], before + (last ? "   " : "│  "), out);
  }
}

class Explainer {
public:
  explicit Explainer(const InputReport &report) : input(report) {}

  std::string text(const ConditionalSummary &c) {
    Tree root;
    describe(c, root);
    std::string out = soundUtf8(title(c)) + '\n';
    draw(root, "", out);
    return out;
  }

private:
  static std::string title(const ConditionalSummary &c) {
    std::string out = fmt::format("conditional {}, {}", c.location.valid() ? c.location.str() : c.path, c.target);
    if (!c.inside.empty())
      out += fmt::format(", inside '{}' of {}", c.insideBranch, c.inside);
    return out;
  }

  void describe(const ConditionalSummary &c, Tree &out) {
    around.push_back(c.path);
    out.add("predicate: " + (c.predicateType.empty() ? c.predicateKind : c.predicateType));
    for (const ConditionalSummary::BranchSummary &b : c.branches) {
      Tree &branch = out.add(fmt::format("{}: {}", b.name, spell(c, b)));
      bool lazy = layers(c, b.name, branch);
      for (const ConditionalSummary &inner : input.summaries)
        if (inner.inside == c.path && inner.target == c.target && inner.insideBranch == b.name) {
          lazy = true;
          // Code that calls itself puts a conditional into itself.
          if (std::ranges::find(around, inner.path) != around.end())
            branch.addOnce(title(inner) + ": the same code once more");
          else
            describe(inner, branch.add(title(inner)));
        }
      if (!lazy && !c.layers.empty())
        branch.add(isUnderstood(c) ? "no layer is lazy: the branch is empty" : "which layers are lazy is not known");
    }
    around.pop_back();
    std::vector<const ConditionalSummary::Layer *> shared;
    for (const ConditionalSummary::Layer &l : c.layers)
      if (l.when == ConditionalSummary::When::Shared)
        shared.push_back(&l);
    if (!shared.empty()) {
      Tree &always = out.add("always evaluated, and read by the conditional:");
      for (const ConditionalSummary::Layer *l : shared)
        always.addOnce(spellLayer(*l));
    }
    findings(c, out);
  }

  /// Which layers only its branches need is known.
  static bool isUnderstood(const ConditionalSummary &c) {
    const auto isOpen = [&](std::string_view rule) { return c.reasons.find(rule) != c.reasons.end(); };
    return !isOpen("branch-eager") && !isOpen("branch-leak") && !isOpen("output-dtype");
  }

  static std::string spellLayer(const ConditionalSummary::Layer &l) {
    return l.location.valid() ? fmt::format("{} ({})", l.name, l.location.str()) : l.name;
  }

  static bool layers(const ConditionalSummary &c, const std::string &branch, Tree &out) {
    bool lazy = false;
    for (const ConditionalSummary::Layer &l : c.layers) {
      if (l.when == ConditionalSummary::When::Shared || (!l.branch.empty() && l.branch != branch))
        continue;
      if (l.when == ConditionalSummary::When::Lazy) {
        lazy = true;
        out.addOnce("lazy: " + spellLayer(l) + (l.branch.empty() ? ", in both branches" : ""));
      } else if (l.via.empty()) {
        out.addOnce("eager: " + spellLayer(l) + ", lazy once what it reads is");
      } else {
        out.addOnce(fmt::format("eager: {}, lazy if {} went through addInput", spellLayer(l), l.via));
      }
    }
    return lazy;
  }

  void findings(const ConditionalSummary &c, Tree &out) const {
    for (const Finding &f : input.findings)
      if (f.conditional == c.path && f.target == c.target)
        out.addOnce(fmt::format("{}: {}: {} [{}]", f.location.valid() ? f.location.str() : f.graphPath,
                                severityName(f.severity), f.message, f.rule));
    std::vector<std::pair<std::string, std::vector<std::string>>> open; // each reason once, with its rules
    for (const auto &[rule, reason] : c.reasons) {
      auto same = std::ranges::find(open, reason, &decltype(open)::value_type::first);
      if (same == open.end())
        same = open.insert(open.end(), {reason, {}});
      same->second.push_back(rule);
    }
    for (const auto &[reason, rules] : open)
      out.add(fmt::format("{} {} not decided: {}", fmt::join(rules, ", "), rules.size() == 1 ? "is" : "are", reason));
  }

  const InputReport &input;
  std::vector<std::string> around; ///< the paths of the conditionals that are being described
};

bool isAt(const SourceLocation &l, std::string_view path, std::uint32_t line) {
  return l.valid() && l.line == line && l.path == path;
}

/// The paths of the conditionals that the function around the line adds, without those inside of them.
std::set<std::string> conditionalsAround(const InputReport &input, std::string_view path, std::uint32_t line) {
  const auto holds = [&](const SourceLocation &f) {
    return f.valid() && f.path == path && f.line <= line && line <= f.endLine;
  };
  std::uint32_t begin = 0; // of the innermost such function
  for (const ConditionalSummary &c : input.summaries)
    if (holds(c.function))
      begin = std::max(begin, c.function.line);
  std::set<std::string> out;
  for (const ConditionalSummary &c : input.summaries)
    if (holds(c.function) && c.function.line == begin)
      out.insert(c.path);
  for (const ConditionalSummary &c : input.summaries)
    if (out.contains(c.inside))
      out.erase(c.path);
  return out;
}

/// The paths of the conditionals that have to do with the line.
std::set<std::string> conditionalsAt(const InputReport &input, std::string_view path, std::uint32_t line) {
  std::set<std::string> out, owners;
  for (const ConditionalSummary &c : input.summaries) {
    if (isAt(c.location, path, line) ||
        std::ranges::any_of(c.boundary, [&](const SourceLocation &l) { return isAt(l, path, line); }))
      out.insert(c.path);
    // A layer inside of several belongs to the innermost: it is no outer one's own.
    if (std::ranges::any_of(c.layers, [&](const ConditionalSummary::Layer &l) {
          return l.when != ConditionalSummary::When::Shared && isAt(l.location, path, line);
        }))
      owners.insert(c.path);
  }
  if (out.empty())
    for (const Finding &f : input.findings)
      if (isAt(f.location, path, line) && !f.conditional.empty())
        out.insert(f.conditional);
  if (!out.empty())
    return out;
  std::set<std::string> inner = owners;
  for (const ConditionalSummary &c : input.summaries)
    if (owners.contains(c.path))
      inner.erase(c.inside);
  return inner.empty() ? conditionalsAround(input, path, line) : inner;
}

std::string nearest(const InputReport &input, std::string_view path, std::uint32_t line) {
  std::set<std::uint32_t> lines;
  for (const ConditionalSummary &c : input.summaries)
    if (c.location.valid() && c.location.path == path)
      lines.insert(c.location.line);
  if (lines.empty() && !input.summaries.empty())
    return fmt::format("of the {} in the file none has a line of its own ('condlint check' names their places)",
                       input.conditionals);
  if (lines.empty())
    return fmt::format("there are none in the file{}",
                       input.targets.empty() ? "" : fmt::format(" for {}", fmt::join(input.targets, ", ")));
  const auto distance = [&](std::uint32_t l) { return l > line ? l - line : line - l; };
  return fmt::format("the nearest is on line {}", std::ranges::min(lines, {}, distance));
}

} // namespace

int runExplainAt(ExplainArguments arguments) {
  const std::optional<SourcePlace> place = sourcePlaceOf(arguments.at);
  if (!place) {
    complain(fmt::format("--at: '{}' names no line of a file; expected FILE:LINE, such as net.cc:12", arguments.at));
    return Usage;
  }
  const std::string &path = place->path;
  const std::uint32_t line = place->line;
  arguments.check.inputs = {path};
  arguments.check.quiet = true;
  Report report;
  if (const std::optional<int> end = analyseInputs(arguments.check, report))
    return *end;
  std::string out;
  bool found = false;
  for (InputReport &input : report.inputs) {
    if (input.status == InputStatus::Failed || input.status == InputStatus::Skipped) {
      complain(fmt::format("{}: {}", input.path, input.reason));
      return Unanalysed;
    }
    const std::set<std::string> wanted = conditionalsAt(input, path, line);
    found = found || !wanted.empty();
    if (wanted.empty())
      complain(fmt::format("no conditional at {}:{}; {}", path, line, nearest(input, path, line)));
    if (arguments.format == OutputFormat::Json) {
      std::erase_if(input.summaries, [&](const ConditionalSummary &c) { return !wanted.contains(c.path); });
      std::erase_if(input.findings, [&](const Finding &f) { return !wanted.contains(f.conditional); });
      continue;
    }
    Explainer explainer(input);
    for (const ConditionalSummary &c : input.summaries)
      if (wanted.contains(c.path))
        out += (out.empty() ? "" : "\n") + explainer.text(c);
  }
  if (!found)
    return Usage;
  if (arguments.format == OutputFormat::Json)
    out = renderJson(report);
  return writeStandardOutput(out) ? Clean : Usage;
}

} // namespace condlint
