//===- Suppression.cpp - Findings that the source asks not to see ---------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Suppression.h"
#include <algorithm>
#include <fnmatch.h>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace condlint {

namespace {

/// One comment, with the list in its parentheses; "*" without any.
struct Directive {
  enum class Kind : std::uint8_t { Line, NextLine, Begin, End } kind;
  std::string checks;
};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r";
  const std::size_t begin = std::min(text.find_first_not_of(blank), text.size());
  return text.substr(begin, text.find_last_not_of(blank) + 1 - begin);
}

/// A pattern of the list fits. One with a minus takes nothing back: clang-tidy passes over it here.
bool names(const Directive &d, const std::string &check) {
  for (std::string_view left = d.checks; !left.empty();) {
    const std::size_t end = std::min(left.find(','), left.size());
    const std::string_view pattern = trimmed(left.substr(0, end));
    left.remove_prefix(std::min(end + 1, left.size()));
    if (!pattern.starts_with('-') && fnmatch(std::string(pattern).c_str(), check.c_str(), 0) == 0)
      return true;
  }
  return false;
}

std::vector<Directive> directivesOf(std::string_view line) {
  constexpr std::string_view word = "NOLINT";
  constexpr std::string_view capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::vector<Directive> all;
  for (std::size_t at = line.find(word); at != std::string_view::npos; at = line.find(word, at)) {
    const std::size_t end = std::min(line.find_first_not_of(capitals, at), line.size());
    const std::string_view kind = line.substr(at + word.size(), end - at - word.size());
    at = end;
    std::string checks = "*";
    if (end < line.size() && line[end] == '(')
      if (const std::size_t close = line.find(')', end); close != std::string_view::npos)
        checks = line.substr(end + 1, close - end - 1);
    if (kind.empty())
      all.push_back({Directive::Kind::Line, std::move(checks)});
    else if (kind == "NEXTLINE")
      all.push_back({Directive::Kind::NextLine, std::move(checks)});
    else if (kind == "BEGIN")
      all.push_back({Directive::Kind::Begin, std::move(checks)});
    else if (kind == "END")
      all.push_back({Directive::Kind::End, std::move(checks)});
  }
  return all;
}

/// What the comments of one file silence.
class MarkedSource {
public:
  explicit MarkedSource(std::istream &file) {
    std::vector<std::pair<std::size_t, Directive>> open;
    std::string text;
    for (std::size_t line = 1; std::getline(file, text); ++line)
      for (Directive &d : directivesOf(text)) {
        if (d.kind == Directive::Kind::Line)
          marks.push_back({line, line, std::move(d)});
        else if (d.kind == Directive::Kind::NextLine)
          marks.push_back({line + 1, line + 1, std::move(d)});
        else if (d.kind == Directive::Kind::Begin)
          open.emplace_back(line, std::move(d));
        else if (!open.empty() && open.back().second.checks == d.checks) { // an end that fits nothing ends nothing
          marks.push_back({open.back().first, line, std::move(d)});
          open.pop_back();
        }
      }
  }

  bool silences(std::size_t line, const std::string &check) const {
    return std::ranges::any_of(
        marks, [&](const Mark &m) { return m.first <= line && line <= m.last && names(m.directive, check); });
  }

private:
  struct Mark {
    std::size_t first, last; ///< lines, counted from 1
    Directive directive;
  };
  std::vector<Mark> marks;
};

} // namespace

void suppressMarked(InputReport &input, const UnsavedText &unsaved) {
  std::map<std::string, MarkedSource> sources;
  const auto sourceAt = [&](const std::string &path) -> const MarkedSource & {
    if (const auto known = sources.find(path); known != sources.end())
      return known->second;
    if (std::optional<std::string> text = unsaved ? unsaved(path) : std::nullopt) {
      std::istringstream open(std::move(*text));
      return sources.try_emplace(path, open).first->second;
    }
    std::ifstream file(path);
    return sources.try_emplace(path, file).first->second;
  };
  const auto isSilenced = [&](const Finding &f) {
    return f.location.valid() && sourceAt(f.location.path).silences(f.location.line, "condlint-" + f.rule);
  };
  const auto silenced = std::ranges::stable_partition(input.findings, [&](const Finding &f) { return !isSilenced(f); });
  for (Finding &f : silenced)
    f.suppressedBy = "source";
  std::ranges::move(silenced, std::back_inserter(input.suppressed));
  input.findings.erase(silenced.begin(), silenced.end());
}

std::optional<std::size_t> suppress(InputReport &input, const std::string &path, const SuppressionRule &rule) {
  const auto fits = [](const std::string &pattern, const std::string &text) {
    return fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
  };
  if (!fits(rule.input, path) && !fits(rule.input, path.substr(path.rfind('/') + 1)))
    return std::nullopt;
  const auto silenced = std::ranges::stable_partition(input.findings, [&](const Finding &f) {
    return !fits(rule.rule, f.rule) || !fits(rule.conditional, f.conditional);
  });
  for (Finding &f : silenced) {
    f.suppressedBy = "configuration";
    f.justification = rule.reason;
  }
  const std::size_t count = silenced.size();
  std::ranges::move(silenced, std::back_inserter(input.suppressed));
  input.findings.erase(silenced.begin(), silenced.end());
  return count;
}

} // namespace condlint
