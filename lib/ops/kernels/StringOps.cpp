//===----------------------------------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ElementKernels.h"
#include "Kernels.h"
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

void executeTfIdfVectorizer(ExecContext &c) {
  const Tensor &x = c.in(0);
  // Words as texts: integers and strings alike.
  std::vector<std::string> words, pool;
  if (x.dtype() == DType::String)
    words = stringsOf(c, x);
  else
    for (std::int64_t v : integersOf(c, x))
      words.push_back(std::to_string(v));
  for (std::string_view s : c.texts("pool_strings"))
    pool.emplace_back(s);
  if (pool.empty()) {
    const Sizes numbers = c.integers("pool_int64s").value_or(Sizes());
    for (std::int64_t v : numbers)
      pool.push_back(std::to_string(v));
  }
  const Sizes counts = c.integers("ngram_counts").value_or(Sizes()),
              indices = c.integers("ngram_indexes").value_or(Sizes());
  const std::vector<double> weights = c.reals("weights").value_or(std::vector<double>());
  const std::int64_t shortest = c.integer("min_gram_length"), longest = c.integer("max_gram_length"),
                     skips = c.integer("max_skip_count");
  std::map<std::vector<std::string>, std::size_t> grams;
  std::size_t id = 0;
  for (std::size_t n = 0; n < counts.size(); ++n) {
    const auto length = static_cast<std::int64_t>(n) + 1;
    const std::int64_t end = n + 1 < counts.size() ? counts[n + 1] : static_cast<std::int64_t>(pool.size());
    for (std::int64_t at = counts[n]; at + length <= end && at >= 0 && end <= static_cast<std::int64_t>(pool.size());
         at += length) {
      if (length >= shortest && length <= longest)
        grams.emplace(std::vector<std::string>(pool.begin() + at, pool.begin() + at + length), id);
      ++id;
    }
  }
  if (id != indices.size() || indices.empty() || *std::ranges::min_element(indices) < 0)
    c.fail("there is not one index for each n-gram");
  const std::int64_t width = *std::ranges::max_element(indices) + 1;
  if (width > (std::int64_t{1} << 30) || x.rank() > 2)
    c.fail("the vocabulary is too large");
  const std::int64_t rows = x.rank() == 2 ? x.size(0) : 1, length = rows == 0 ? 0 : x.numel() / rows;
  const Sizes shape = x.rank() == 2 ? Sizes{rows, width} : Sizes{width};
  const Tensor out = filled(c, DType::Float32, shape, Scalar::of(0.0));
  for (std::int64_t r = 0; r < rows; ++r) {
    float *row = out.out<float>() + r * width;
    for (std::int64_t n = shortest; n <= longest; ++n)
      for (std::int64_t skip = 1; skip <= (n == 1 ? 1 : skips + 1); ++skip)
        for (std::int64_t at = 0; at + (n - 1) * skip < length; ++at) {
          std::vector<std::string> gram;
          for (std::int64_t k = 0; k < n; ++k)
            gram.push_back(words[static_cast<std::size_t>(r * length + at + k * skip)]);
          if (const auto it = grams.find(gram); it != grams.end())
            row[indices[it->second]] += 1;
        }
    const std::string_view mode = c.text("mode");
    for (std::int64_t k = 0; k < width; ++k) {
      const float weight = weights.empty() ? 1 : 0;
      float w = weight;
      for (std::size_t g = 0; g < indices.size() && !weights.empty(); ++g)
        if (indices[g] == k && g < weights.size())
          w = static_cast<float>(weights[g]);
      if (mode == "IDF")
        row[k] = row[k] > 0 ? w : 0;
      else if (mode == "TFIDF")
        row[k] *= w;
    }
  }
  c.set(0, out);
}

} // namespace condlint
