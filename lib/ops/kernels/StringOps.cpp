//===- StringOps.cpp - Texts, executed ------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "StringOps.h"
#include "ElementKernels.h"
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace condlint {

namespace {

/// ASCII letters; others stay as they are.
std::string inCase(std::string text, bool upper) {
  for (char &ch : text) {
    if (upper && ch >= 'a' && ch <= 'z')
      ch = static_cast<char>(ch - 'a' + 'A');
    else if (!upper && ch >= 'A' && ch <= 'Z')
      ch = static_cast<char>(ch - 'A' + 'a');
  }
  return text;
}

std::vector<std::string> splitAt(const std::string &text, const std::string &delimiter, std::int64_t most) {
  std::vector<std::string> parts;
  std::size_t at = 0;
  const auto full = [&] { return most >= 0 && static_cast<std::int64_t>(parts.size()) >= most; };
  if (delimiter.empty()) { // runs of blanks, none at the ends
    const auto blank = [&](std::size_t i) { return text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r'); };
    for (;;) {
      while (at < text.size() && blank(at))
        ++at;
      if (at == text.size())
        return parts;
      std::size_t end = at;
      while (end < text.size() && !blank(end))
        ++end;
      if (full()) {
        end = text.size();
        while (end > at && blank(end - 1))
          --end;
        parts.push_back(text.substr(at, end - at));
        return parts;
      }
      parts.push_back(text.substr(at, end - at));
      at = end;
    }
  }
  for (;;) {
    const std::size_t end = full() ? std::string::npos : text.find(delimiter, at);
    parts.push_back(text.substr(at, end == std::string::npos ? end : end - at));
    if (end == std::string::npos)
      return parts;
    at = end + delimiter.size();
  }
}

} // namespace

void executeStringConcat(ExecContext &c) {
  const Tensor &a = c.in(0), &b = c.in(1);
  const Sizes shape = broadcast(c, a.sizes(), b.sizes());
  std::vector<std::string> x = stringsOf(c, expanded(c, a, shape));
  const std::vector<std::string> y = stringsOf(c, expanded(c, b, shape));
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] += y[i];
  c.set(0, tensorOf(c, shape, x));
}

void executeStringSplit(ExecContext &c) {
  const Tensor &x = c.in(0);
  const std::string delimiter(c.text("delimiter"));
  const std::int64_t most = c.integer("maxsplit", -1);
  std::vector<std::vector<std::string>> rows;
  std::vector<std::int64_t> counts;
  std::size_t width = 0;
  for (const std::string &text : stringsOf(c, x)) {
    rows.push_back(splitAt(text, delimiter, most));
    counts.push_back(static_cast<std::int64_t>(rows.back().size()));
    width = std::max(width, rows.back().size());
  }
  std::vector<std::string> all;
  for (std::vector<std::string> &row : rows) {
    row.resize(width);
    all.insert(all.end(), row.begin(), row.end());
  }
  Sizes shape = sizesOf(x);
  shape.push_back(static_cast<std::int64_t>(width));
  c.set(0, tensorOf(c, shape, all));
  c.set(1, reshaped(c, tensorOf(c, counts), x.sizes()));
}

void executeStringNormalizer(ExecContext &c) {
  const Tensor &x = c.in(0);
  const std::string_view action = c.text("case_change_action", "NONE");
  const bool sensitive = c.flag("is_case_sensitive");
  std::set<std::string> stops;
  for (std::string_view s : c.texts("stopwords"))
    stops.insert(sensitive || action == "NONE" ? std::string(s) : inCase(std::string(s), action == "UPPER"));
  std::vector<std::string> words;
  for (std::string text : stringsOf(c, x)) {
    if (std::ranges::any_of(text, [](char ch) { return static_cast<signed char>(ch) < 0; }))
      c.fail("condlint normalises ASCII only");
    const std::string changed = action == "NONE" ? text : inCase(text, action == "UPPER");
    const std::string &compared = sensitive ? text : changed;
    if (!stops.contains(compared) && !changed.empty())
      words.push_back(changed);
  }
  if (x.rank() == 0 || x.rank() > 2 || (x.rank() == 2 && x.size(0) != 1))
    c.fail("the input is no vector");
  if (words.empty())
    words.emplace_back();
  Sizes shape{static_cast<std::int64_t>(words.size())};
  if (x.rank() == 2)
    shape.insert(shape.begin(), 1);
  c.set(0, tensorOf(c, shape, words));
}

namespace {

/// Texts to look for, and for each sequence of them the place among `ngram_indexes`.
struct Vocabulary {
  std::map<std::vector<std::string>, std::size_t> grams;
  Sizes places; ///< of each sequence its place in the result
  std::int64_t shortest = 1, longest = 1;
};

/// Integers and strings alike as texts.
std::vector<std::string> wordsOf(const ExecContext &c, const Tensor &x) {
  if (x.dtype() == DType::String)
    return stringsOf(c, x);
  std::vector<std::string> words;
  for (std::int64_t v : integersOf(c, x))
    words.push_back(std::to_string(v));
  return words;
}

Vocabulary vocabularyOf(const ExecContext &c) {
  std::vector<std::string> pool;
  for (std::string_view s : c.texts("pool_strings"))
    pool.emplace_back(s);
  const bool isOfTexts = !pool.empty();
  if (!isOfTexts)
    for (std::int64_t v : c.integers("pool_int64s").value_or(Sizes()))
      pool.push_back(std::to_string(v));
  Vocabulary v;
  v.shortest = std::max<std::int64_t>(c.integer("min_gram_length"), 1);
  v.longest = c.integer("max_gram_length");
  v.places = c.integers("ngram_indexes").value_or(Sizes());
  // Where the sequences of one text begin, of two, …
  const Sizes counts = c.integers("ngram_counts").value_or(Sizes());
  const std::int64_t all = std::ssize(pool);
  std::size_t id = 0;
  for (std::size_t n = 0; n < counts.size(); ++n) {
    const auto length = static_cast<std::int64_t>(n) + 1;
    const std::int64_t end = n + 1 < counts.size() ? counts[n + 1] : all;
    if (counts[n] < 0 || end > all)
      continue;
    for (std::int64_t at = counts[n]; at <= end - length; at += length, ++id)
      if (length >= v.shortest && length <= v.longest)
        v.grams.emplace(std::vector<std::string>(pool.begin() + at, pool.begin() + at + length), id);
  }
  if (id != v.places.size() || v.places.empty() || *std::ranges::min_element(v.places) < 0)
    c.fail("there is not one index for each n-gram");
  if (isOfTexts != (c.in(0).dtype() == DType::String))
    v.grams.clear(); // no text is a number
  return v;
}

/// Counts in \p row what of \p v stands in \p words, with up to \p skips words left out between two.
void countGrams(const Vocabulary &v, std::span<const std::string> words, std::int64_t skips, float *row) {
  const std::int64_t length = std::ssize(words);
  for (std::int64_t n = v.shortest; n <= std::min(v.longest, length); ++n)
    for (std::int64_t step = 1; step <= (n == 1 ? 1 : std::min(skips, length) + 1); ++step)
      for (std::int64_t at = 0; at + (n - 1) * step < length; ++at) {
        std::vector<std::string> gram;
        for (std::int64_t k = 0; k < n; ++k)
          gram.push_back(words[static_cast<std::size_t>(at + k * step)]);
        if (const auto it = v.grams.find(gram); it != v.grams.end())
          row[v.places[it->second]] += 1;
      }
}

} // namespace

void executeTfIdfVectorizer(ExecContext &c) {
  const Tensor &x = c.in(0);
  const std::vector<std::string> words = wordsOf(c, x);
  const Vocabulary v = vocabularyOf(c);
  const std::int64_t width = *std::ranges::max_element(v.places) + 1;
  if (width > (std::int64_t{1} << 30) || x.rank() > 2)
    c.fail("the vocabulary is too large");
  std::vector<float> weights(static_cast<std::size_t>(width), 1.0F);
  if (const auto given = c.reals("weights"); given && !given->empty()) {
    std::ranges::fill(weights, 0.0F);
    for (std::size_t g = 0; g < std::min(v.places.size(), given->size()); ++g)
      weights[static_cast<std::size_t>(v.places[g])] = static_cast<float>((*given)[g]);
  }
  const std::int64_t rows = x.rank() == 2 ? x.size(0) : 1, length = rows == 0 ? 0 : x.numel() / rows;
  const Sizes shape = x.rank() == 2 ? Sizes{rows, width} : Sizes{width};
  const Tensor out = filled(c, DType::Float32, shape, Scalar::of(0.0));
  const std::string_view mode = c.text("mode");
  for (std::int64_t r = 0; r < rows; ++r) {
    float *row = out.out<float>() + r * width;
    countGrams(v, std::span(words).subspan(static_cast<std::size_t>(r * length), static_cast<std::size_t>(length)),
               c.integer("max_skip_count"), row);
    for (std::int64_t k = 0; k < width; ++k) {
      const float w = weights[static_cast<std::size_t>(k)];
      if (mode == "IDF")
        row[k] = row[k] > 0 ? w : 0;
      else if (mode == "TFIDF")
        row[k] *= w;
    }
  }
  c.set(0, out);
}

} // namespace condlint
