//===- PlainText.cpp - Markdown, for clients that show none ---------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PlainText.h"
#include <cstddef>

namespace condlint::lsp {

namespace {

constexpr std::size_t none = std::string_view::npos;

/// What stands at the beginning of \p text in a mark of Markdown.
struct Marked {
  std::string_view words;
  std::size_t size = 0; ///< of all of it; 0: no mark begins there
};

/// A word that is bold as the server writes it: what messages say (`**kwargs`) is none.
Marked boldAt(std::string_view text) {
  if (!text.starts_with("**"))
    return {};
  const std::size_t end = text.find("**", 2);
  if (end == none || end == 2 || text[2] == ' ' || text[end - 1] == ' ')
    return {};
  return {text.substr(2, end - 2), end + 2};
}

Marked codeAt(std::string_view text) {
  const std::size_t end = text.starts_with('`') ? text.find('`', 1) : none;
  return end == none ? Marked{} : Marked{text.substr(1, end - 1), end + 1};
}

Marked linkAt(std::string_view text) {
  const std::size_t middle = text.starts_with('[') ? text.find("](http") : none;
  const std::size_t end = middle == none ? none : text.find(')', middle);
  if (end == none || text.substr(0, middle).find_first_of(" ]") != none)
    return {};
  return {text.substr(1, middle - 1), end + 1};
}

std::string wordsOf(std::string_view line) {
  const bool isRow = line.starts_with('|');
  std::string out;
  for (std::size_t at = 0; at < line.size();) {
    const std::string_view rest = line.substr(at);
    Marked marked = codeAt(rest);
    if (marked.size == 0)
      marked = boldAt(rest);
    if (marked.size == 0)
      marked = linkAt(rest);
    if (marked.size != 0) {
      for (std::size_t i = 0; i < marked.words.size(); ++i) // also code in a row has its bars escaped
        if (marked.words[i] != '\\' || !marked.words.substr(i + 1).starts_with('|') || !isRow)
          out += marked.words[i];
      at += marked.size;
    } else if (rest.starts_with("\\|")) {
      out += '|';
      at += 2;
    } else if (isRow && rest.front() == '|') {
      if (out.ends_with(' '))
        out.pop_back();
      if (at != 0 && rest.size() > 1)
        out += '\t';
      at += rest.starts_with("| ") ? 2U : 1U;
    } else {
      out += rest.front();
      ++at;
    }
  }
  while (isRow && (out.ends_with(' ') || out.ends_with('\t')))
    out.pop_back();
  return out;
}

} // namespace

std::string plainText(std::string_view markdown) {
  std::string out;
  while (!markdown.empty()) {
    const std::size_t end = markdown.find('\n');
    const std::string_view line = markdown.substr(0, end);
    if (!line.starts_with("|---"))
      out += wordsOf(line) + (end == none ? "" : "\n");
    markdown.remove_prefix(end == none ? markdown.size() : end + 1);
  }
  return out;
}

} // namespace condlint::lsp
