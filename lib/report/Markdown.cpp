//===- Markdown.cpp - The pages of the rules as HTML ----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Markdown.h"
#include "HtmlText.h"
#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <vector>

namespace condlint {

namespace {

std::string_view stripped(std::string_view s) {
  const std::size_t begin = s.find_first_not_of(" \t\r");
  return begin == std::string_view::npos ? std::string_view()
                                         : s.substr(begin, s.find_last_not_of(" \t\r") + 1 - begin);
}

/// Where the text of a link at \p at, which is its `[`, ends, and where the link does; nothing where it is none.
std::optional<std::pair<std::size_t, std::size_t>> linkAt(std::string_view s, std::size_t at) {
  const std::size_t middle = s.find("](", at);
  const std::size_t end = middle == std::string_view::npos ? middle : s.find(')', middle);
  if (end == std::string_view::npos || s.substr(at + 1, middle - at - 1).find('[') != std::string_view::npos)
    return std::nullopt;
  return std::pair(middle, end);
}

/// Code, emphasis and links in a line.
std::string inlineHtml(std::string_view s) {
  std::string out;
  bool isStrong = false;
  std::size_t plain = 0;
  const auto flush = [&](std::size_t end) { out += htmlText(s.substr(plain, end - plain)); };
  for (std::size_t i = 0; i < s.size();) {
    if (s[i] == '`') {
      const std::size_t ticks = std::min(s.find_first_not_of('`', i), s.size()) - i;
      const std::size_t end = s.find(std::string(ticks, '`'), i + ticks);
      if (end != std::string_view::npos) {
        flush(i);
        out += "<code>" + htmlText(stripped(s.substr(i + ticks, end - i - ticks))) + "</code>";
        plain = i = end + ticks;
        continue;
      }
    } else if (s.substr(i).starts_with("**") && (isStrong || s.find("**", i + 2) != std::string_view::npos)) {
      flush(i);
      out += isStrong ? "</strong>" : "<strong>";
      isStrong = !isStrong;
      plain = i += 2;
      continue;
    } else if (s[i] == '[') {
      if (const auto link = linkAt(s, i)) {
        flush(i);
        out += inlineHtml(s.substr(i + 1, link->first - i - 1));
        plain = i = link->second + 1;
        continue;
      }
    }
    ++i;
  }
  flush(s.size());
  return out + (isStrong ? "</strong>" : "");
}

std::vector<std::string_view> cellsOf(std::string_view row) {
  row = stripped(row);
  row.remove_prefix(row.starts_with('|') ? 1 : 0);
  row.remove_suffix(row.ends_with('|') ? 1 : 0);
  std::vector<std::string_view> cells;
  bool isCode = false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= row.size(); ++i) {
    if (i < row.size() && row[i] == '`')
      isCode = !isCode;
    if (i == row.size() || (row[i] == '|' && !isCode)) {
      cells.push_back(stripped(row.substr(begin, i - begin)));
      begin = i + 1;
    }
  }
  return cells;
}

class Converter {
public:
  explicit Converter(unsigned levels) : below(levels) {}

  std::string run(std::string_view page) {
    while (!page.empty()) {
      const std::size_t end = std::min(page.find('\n'), page.size());
      take(page.substr(0, end));
      page.remove_prefix(std::min(end + 1, page.size()));
    }
    close();
    if (isFence)
      out += "</code></pre>\n";
    return std::move(out);
  }

private:
  enum class Block : std::uint8_t { None, Paragraph, List, Table };

  void take(std::string_view line) {
    if (line.starts_with("```")) {
      close();
      out += isFence ? "</code></pre>\n" : "<pre tabindex=\"0\"><code>";
      isFence = !isFence;
    } else if (isFence) {
      out += htmlText(line) + '\n';
    } else if (stripped(line).empty()) {
      close();
    } else if (const std::size_t level = line.find_first_not_of('#');
               level != 0 && level <= 6 && level < line.size() && line[level] == ' ') {
      close();
      const std::size_t n = std::min<std::size_t>(level + below, 6);
      out += fmt::format("<h{0}>{1}</h{0}>\n", n, inlineHtml(stripped(line.substr(level))));
    } else if (line.starts_with("- ")) {
      if (block != Block::List)
        close();
      else
        flush();
      open(Block::List, "<ul>\n");
      pending = line.substr(2);
    } else if (line.starts_with('|')) {
      if (block != Block::Table)
        close();
      row(line);
    } else {
      if (block == Block::Table)
        close();
      open(Block::Paragraph, "");
      if (!pending.empty())
        pending += '\n';
      pending += stripped(line);
    }
  }

  void open(Block b, std::string_view tag) {
    if (block != Block::None)
      return;
    block = b;
    out += tag;
  }

  void row(std::string_view line) {
    const bool isHead = block == Block::None;
    open(Block::Table, "<table>\n");
    if (line.find_first_not_of("|-: \t\r") == std::string_view::npos)
      return;
    out += "<tr>";
    for (const std::string_view cell : cellsOf(line))
      out += fmt::format("<{0}>{1}</{0}>", isHead ? "th" : "td", inlineHtml(cell));
    out += "</tr>\n";
  }

  /// Writes what was gathered of a paragraph or an item.
  void flush() {
    if (!pending.empty())
      out += fmt::format("<{0}>{1}</{0}>\n", block == Block::List ? "li" : "p", inlineHtml(pending));
    pending.clear();
  }

  void close() {
    flush();
    out += block == Block::List ? "</ul>\n" : block == Block::Table ? "</table>\n" : "";
    block = Block::None;
  }

  unsigned below;
  std::string out, pending;
  Block block = Block::None;
  bool isFence = false;
};

} // namespace

std::string markdownToHtml(std::string_view page, unsigned below) { return Converter(below).run(page); }

} // namespace condlint
