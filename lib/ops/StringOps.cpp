//===- StringOps.cpp - Operators on text ----------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kernels/StringOps.h"
#include "Elementwise.h"
#include "Facets.h"
#include "Families.h"
#include "OpTable.h"
#include <algorithm>

namespace condlint {
namespace {

void inferConcat(InferContext &c) { setElementwise(c, DType::String); }

/// The parts stand along a new last axis, as many as the longest text has.
void inferSplit(InferContext &c) {
  const Type &t = c.type(0);
  c.setResult(1, reshapedLike(c, DType::Int64, t));
  auto shape = batchShape(t, 0, {c.dataDependent("parts")});
  c.setResult(0, shape ? c.tensor(DType::String, *shape) : c.tensor(DType::String));
}

/// [C] or [1, C]; stop words are left out, and when nothing stays one empty text does.
void inferNormalizer(InferContext &c) {
  const Type &t = c.type(0);
  if (!admitRank(c, 0, 1, 2, "the input") || !t.hasRank)
    return c.setResult(0, c.tensor(DType::String));
  if (t.dims.size() == 2)
    mustEqual(c, t.dims[0], c.constant(1), "the first size and 1", 0);
  const Attribute *words = c.attribute("stopwords");
  const bool all = !words || (words->kind == AttributeKind::Strings && words->list.count == 0);
  const Dim kept = all ? t.dims.back() : c.dataDependent("words");
  c.setResult(0, t.dims.size() == 2 ? c.tensor(DType::String, {c.constant(1), kept}) : c.tensor(DType::String, {kept}));
}

void inferFullMatch(InferContext &c) { c.setResult(0, reshapedLike(c, DType::Bool, c.type(0))); }

/// [C] or [N, C] to as many columns as the largest of `ngram_indexes` asks for.
void inferTfIdf(InferContext &c) {
  const Type &t = c.type(0);
  Dim columns;
  const auto indexes = c.intsAttr("ngram_indexes");
  if (indexes && (indexes->empty() || std::ranges::min(*indexes) < 0))
    c.reject("TfIdfVectorizer: 'ngram_indexes' has entries, and none below 0");
  if (indexes && !indexes->empty()) {
    const std::int64_t last = *std::ranges::max_element(*indexes);
    if (last >= 0 && last < std::numeric_limits<std::int32_t>::max())
      columns = c.constant(last + 1);
  }
  if (!admitRank(c, 0, 1, 2, "the input") || !t.hasRank)
    return c.setResult(0, c.tensor(DType::Float32));
  c.setResult(0, t.dims.size() == 1 ? c.tensor(DType::Float32, {columns})
                                    : c.tensor(DType::Float32, {t.dims[0], columns}));
}

constexpr OpRow rows[] = {
    {"string_concat", inferConcat, executeStringConcat, "", "StringConcat"},
    {"string_split", inferSplit, executeStringSplit, "", "StringSplit"},
    {"string_normalizer", inferNormalizer, executeStringNormalizer, "", "StringNormalizer"},
    {"regex_full_match", inferFullMatch, nullptr, "", "RegexFullMatch"},
    {"tf_idf_vectorizer", inferTfIdf, executeTfIdfVectorizer, "", "TfIdfVectorizer"},
};

} // namespace

OpFamily stringFamily() {
  static const OpTable table{rows};
  return table.family();
}

} // namespace condlint
