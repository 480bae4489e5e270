//===- Edits.cpp - Changes of a source's text -----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Edits.h"
#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <tuple>

namespace condlint {

namespace {

using Place = std::pair<std::uint32_t, std::uint32_t>;

Place beginOf(const Edit &e) { return {e.at.line, e.at.column}; }
Place endOf(const Edit &e) { return {e.at.endLine, e.at.endColumn}; }

/// The lines of a text, each with its end of line.
std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

Error problem(const Edit &e, std::string what) { return {e.at.path, e.at.str(), std::move(what), ""}; }

/// Sorted, and each inside of \p lines and behind the one before.
Expected<std::vector<Edit>> inOrder(std::vector<Edit> edits, const std::vector<std::string_view> &lines) {
  std::sort(edits.begin(), edits.end(), [](const Edit &a, const Edit &b) {
    return std::tuple(beginOf(a), endOf(a)) < std::tuple(beginOf(b), endOf(b));
  });
  const auto isInside = [&](Place p) {
    return p.first >= 1 && p.second >= 1 && p.first <= lines.size() && p.second <= lines[p.first - 1].size() + 1;
  };
  for (std::size_t i = 0; i < edits.size(); ++i) {
    if (!isInside(beginOf(edits[i])) || !isInside(endOf(edits[i])) || endOf(edits[i]) < beginOf(edits[i]))
      return problem(edits[i], "the text to be changed is not there");
    if (i != 0 && areInConflict(edits[i - 1], edits[i]))
      return problem(edits[i], "two changes of one place");
  }
  return edits;
}

/// The lines \p first to \p last (from 1, inclusive) with the edits in them, which are in order.
std::string changed(const std::vector<std::string_view> &lines, std::size_t first, std::size_t last,
                    std::span<const Edit> edits) {
  std::string out;
  Place at{static_cast<std::uint32_t>(first), 1};
  const auto copyTo = [&](Place end) {
    for (; at.first < end.first; at = {at.first + 1, 1})
      out += lines[at.first - 1].substr(at.second - 1);
    if (end.second > at.second)
      out += lines[at.first - 1].substr(at.second - 1, end.second - at.second);
    at = end;
  };
  for (const Edit &e : edits) {
    copyTo(beginOf(e));
    out += e.text;
    at = endOf(e);
  }
  copyTo({static_cast<std::uint32_t>(last), static_cast<std::uint32_t>(lines[last - 1].size() + 1)});
  return out;
}

/// Lines that change together.
struct Block {
  std::size_t first, last; ///< from 1, inclusive
  std::size_t edit, edits; ///< a run of the edits
};

std::vector<Block> blocksOf(const std::vector<Edit> &edits) {
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < edits.size(); ++i) {
    const SourceLocation &at = edits[i].at;
    if (!blocks.empty() && at.line <= blocks.back().last) {
      blocks.back().last = std::max<std::size_t>(blocks.back().last, at.endLine);
      ++blocks.back().edits;
    } else {
      blocks.push_back({at.line, at.endLine, i, 1});
    }
  }
  return blocks;
}

class DiffWriter {
public:
  DiffWriter(const std::vector<std::string_view> &text, const std::vector<Edit> &changes)
      : lines(text), edits(changes) {}

  /// One hunk for each run of blocks between which there are few lines.
  std::string write() {
    constexpr std::size_t context = 3;
    const std::vector<Block> blocks = blocksOf(edits);
    for (std::size_t i = 0; i < blocks.size();) {
      std::size_t end = i + 1;
      while (end < blocks.size() && blocks[end].first - blocks[end - 1].last <= 2 * context + 1)
        ++end;
      const std::size_t first = blocks[i].first > context ? blocks[i].first - context : 1;
      hunk(std::span(blocks).subspan(i, end - i), first, std::min(blocks[end - 1].last + context, lines.size()));
      i = end;
    }
    return std::move(out);
  }

private:
  static void put(std::string &body, char mark, std::string_view line) {
    body += mark;
    body += line;
    if (line.empty() || line.back() != '\n')
      body += "\n\\ No newline at end of file\n";
  }

  void hunk(std::span<const Block> blocks, std::size_t first, std::size_t last) {
    std::string body;
    std::size_t before = 0, after = 0, next = first;
    const auto keepUpTo = [&](std::size_t end) {
      for (; next < end; ++next, ++before, ++after)
        put(body, ' ', lines[next - 1]);
    };
    for (const Block &b : blocks) {
      keepUpTo(b.first);
      for (; next <= b.last; ++next, ++before)
        put(body, '-', lines[next - 1]);
      const std::string text = changed(lines, b.first, b.last, std::span(edits).subspan(b.edit, b.edits));
      for (std::string_view line : linesOf(text)) {
        put(body, '+', line);
        ++after;
      }
    }
    keepUpTo(last + 1);
    const auto start = static_cast<std::ptrdiff_t>(first);
    out += fmt::format("@@ -{},{} +{},{} @@\n{}", start, before, start + grown, after, body);
    grown += static_cast<std::ptrdiff_t>(after) - static_cast<std::ptrdiff_t>(before);
  }

  const std::vector<std::string_view> &lines;
  const std::vector<Edit> &edits;
  std::ptrdiff_t grown = 0; ///< by how many lines the text before has grown
  std::string out;
};

} // namespace

bool areInConflict(const Edit &a, const Edit &b) {
  if (beginOf(a) == beginOf(b))
    return true;
  const auto &[first, second] = beginOf(a) < beginOf(b) ? std::tie(a, b) : std::tie(b, a);
  return beginOf(second) < endOf(first);
}

Expected<std::string> applyEdits(std::string_view text, std::vector<Edit> edits) {
  const std::vector<std::string_view> lines = linesOf(text);
  Expected<std::vector<Edit>> sorted = inOrder(std::move(edits), lines);
  if (!sorted)
    return sorted.error();
  return lines.empty() ? std::string(text) : changed(lines, 1, lines.size(), *sorted);
}

Expected<std::string> unifiedDiff(const std::string &path, std::string_view text, std::vector<Edit> edits) {
  const std::vector<std::string_view> lines = linesOf(text);
  Expected<std::vector<Edit>> sorted = inOrder(std::move(edits), lines);
  if (!sorted)
    return sorted.error();
  std::string_view shown = path;
  while (shown.starts_with("./"))
    shown.remove_prefix(2);
  const std::string slash = shown.starts_with('/') ? "" : "/";
  return fmt::format("--- a{0}{1}\n+++ b{0}{1}\n{2}", slash, shown, DiffWriter(lines, *sorted).write());
}

} // namespace condlint
