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
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace condlint {

namespace {

constexpr std::string_view prefix = "condlint-"; ///< of the checks of clang-tidy

/// One comment, with the list in its parentheses; "*" without any.
struct Directive {
  enum class Kind : std::uint8_t { Line, NextLine, Begin, End } kind;
  std::string checks;
  std::string text = {};   ///< as it stands there, for a note
  bool isAllow = false;    ///< a comment of our own, whose list names rules
  std::string reason = {}; ///< of one
};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r";
  const std::size_t begin = std::min(text.find_first_not_of(blank), text.size());
  return text.substr(begin, text.find_last_not_of(blank) + 1 - begin);
}

/// The patterns of the list of \p d. One with a minus takes nothing back: clang-tidy passes over it here.
std::vector<std::string_view> patternsOf(const Directive &d) {
  std::vector<std::string_view> all;
  for (std::string_view left = d.checks; !left.empty();) {
    const std::size_t end = std::min(left.find(','), left.size());
    const std::string_view pattern = trimmed(left.substr(0, end));
    left.remove_prefix(std::min(end + 1, left.size()));
    if (!pattern.starts_with('-'))
      all.push_back(pattern);
  }
  return all;
}

bool names(const Directive &d, const std::string &check) {
  return std::ranges::any_of(patternsOf(d), [&](std::string_view pattern) {
    const std::string whole =
        (d.isAllow && !pattern.starts_with(prefix) ? std::string(prefix) : std::string()) + std::string(pattern);
    return fnmatch(whole.c_str(), check.c_str(), 0) == 0;
  });
}

/// Whether \p d speaks of rules of condlint and of nothing else, so that it does nothing where it silences none of
/// them.
bool isOursAlone(const Directive &d) {
  if (d.isAllow)
    return true;
  const std::vector<std::string_view> all = patternsOf(d);
  return !all.empty() && std::ranges::all_of(all, [](std::string_view pattern) { return pattern.starts_with(prefix); });
}

/// `// condlint: allow(RULE, …) REASON`
std::optional<Directive> allowOf(std::string_view line) {
  constexpr std::string_view word = "condlint:", allow = "allow(";
  const std::size_t comment = line.find("//");
  const std::size_t at = comment == std::string_view::npos ? comment : line.find(word, comment);
  if (at == std::string_view::npos || !trimmed(line.substr(comment + 2, at - comment - 2)).empty())
    return std::nullopt;
  const std::string_view rest = trimmed(line.substr(at + word.size()));
  const std::size_t close = rest.find(')');
  if (!rest.starts_with(allow) || close == std::string_view::npos)
    return std::nullopt;
  Directive d{trimmed(line.substr(0, comment)).empty() ? Directive::Kind::NextLine : Directive::Kind::Line,
              std::string(rest.substr(allow.size(), close - allow.size()))};
  d.text = rest.substr(0, close + 1);
  d.isAllow = true;
  d.reason = trimmed(rest.substr(close + 1));
  return d;
}

std::vector<Directive> directivesOf(std::string_view line) {
  constexpr std::string_view word = "NOLINT";
  constexpr std::string_view capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::vector<Directive> all;
  for (std::size_t at = line.find(word); at != std::string_view::npos; at = line.find(word, at)) {
    const std::size_t begin = at;
    const std::size_t end = std::min(line.find_first_not_of(capitals, at), line.size());
    const std::string_view kind = line.substr(at + word.size(), end - at - word.size());
    at = end;
    std::string checks = "*";
    if (end < line.size() && line[end] == '(')
      if (const std::size_t close = line.find(')', end); close != std::string_view::npos) {
        checks = line.substr(end + 1, close - end - 1);
        at = close;
      }
    const std::string text(line.substr(begin, std::min(at + 1, line.size()) - begin));
    if (kind.empty())
      all.push_back({Directive::Kind::Line, std::move(checks), text});
    else if (kind == "NEXTLINE")
      all.push_back({Directive::Kind::NextLine, std::move(checks), text});
    else if (kind == "BEGIN")
      all.push_back({Directive::Kind::Begin, std::move(checks), text});
    else if (kind == "END")
      all.push_back({Directive::Kind::End, std::move(checks), text});
  }
  return all;
}

/// What the comments of one file silence.
class MarkedSource {
public:
  MarkedSource(std::istream &file, Comments comments) {
    std::vector<std::pair<std::size_t, Directive>> open;
    std::string text;
    for (std::size_t line = 1; std::getline(file, text); ++line) {
      if (std::optional<Directive> allow = allowOf(text)) {
        const std::size_t at = line + (allow->kind == Directive::Kind::NextLine ? 1 : 0);
        marks.push_back({line, at, at, std::move(*allow)});
      }
      if (comments == Comments::Allow)
        continue;
      for (Directive &d : directivesOf(text)) {
        if (d.kind == Directive::Kind::Line)
          marks.push_back({line, line, line, std::move(d)});
        else if (d.kind == Directive::Kind::NextLine)
          marks.push_back({line, line + 1, line + 1, std::move(d)});
        else if (d.kind == Directive::Kind::Begin)
          open.emplace_back(line, std::move(d));
        else if (!open.empty() && open.back().second.checks == d.checks) { // an end that fits nothing ends nothing
          marks.push_back({open.back().first, open.back().first, line, std::move(open.back().second)});
          open.pop_back();
        }
      }
    }
  }

  /// The comment that silences \p check on \p line; null when there is none.
  const Directive *silencing(std::size_t line, const std::string &check) {
    const Directive *found = nullptr;
    for (Mark &m : marks)
      if (m.first <= line && line <= m.last && names(m.directive, check) &&
          (!m.directive.isAllow || !m.directive.reason.empty())) {
        m.isUsed = true; // whichever of several counts: none of them does nothing
        found = &m.directive;
      }
    return found;
  }

  /// What to say of those that do nothing.
  std::vector<std::string> idle(const std::string &path) const {
    std::vector<std::string> said;
    for (const Mark &m : marks)
      if (m.directive.isAllow && m.directive.reason.empty())
        said.push_back(path + ':' + std::to_string(m.line) + ": " + m.directive.text +
                       " gives no reason behind it, and is passed over");
      else if (!m.isUsed && isOursAlone(m.directive))
        said.push_back(path + ':' + std::to_string(m.line) + ": " + m.directive.text +
                       " suppresses nothing: remove it");
    return said;
  }

private:
  struct Mark {
    std::size_t line;        ///< of the comment
    std::size_t first, last; ///< lines that it is about, counted from 1
    Directive directive;
    bool isUsed = false;
  };
  std::vector<Mark> marks;
};

} // namespace

std::vector<std::string> suppressMarked(InputReport &input, Comments comments, const UnsavedText &unsaved) {
  std::map<std::string, MarkedSource> sources;
  const auto sourceOf = [&](const std::string &path) -> MarkedSource & {
    if (const auto known = sources.find(path); known != sources.end())
      return known->second;
    if (std::optional<std::string> text = unsaved ? unsaved(path) : std::nullopt) {
      std::istringstream open(std::move(*text));
      return sources.try_emplace(path, open, comments).first->second;
    }
    std::ifstream file(path);
    return sources.try_emplace(path, file, comments).first->second;
  };
  const auto isSilenced = [&](Finding &f) {
    const Directive *found = f.location.valid()
                                 ? sourceOf(f.location.path).silencing(f.location.line, std::string(prefix) + f.rule)
                                 : nullptr;
    if (found != nullptr) {
      f.suppressedBy = "source";
      f.justification = found->reason;
    }
    return found != nullptr;
  };
  std::vector<Finding> left;
  for (Finding &f : input.findings)
    (isSilenced(f) ? input.suppressed : left).push_back(std::move(f));
  input.findings = std::move(left);
  return sourceOf(input.path).idle(input.path);
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
