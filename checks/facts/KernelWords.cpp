//===- KernelWords.cpp - Words that kernels know --------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KernelWords.h"
#include "ops/AttributeLists.h"
#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace condlint {

std::optional<TargetLimit> unknownWord(const KernelNode &x, std::string_view name, std::string_view otherwise,
                                       std::initializer_list<std::string_view> words) {
  // What a function is given stands where it is called.
  if (const Attribute *a = x.m.attribute(x.n, name); a && a->kind != AttributeKind::String)
    return std::nullopt;
  const std::string_view word = x.word(name, otherwise);
  if (std::ranges::find(words, word) != words.end())
    return std::nullopt;
  return x.limit(fmt::format("'{}' is '{}', which the kernel does not know", name, word));
}

std::optional<TargetLimit> unknownTransform(const KernelNode &x) {
  return unknownWord(x, "post_transform", "NONE", {"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"});
}

namespace {

/// The list is not there, or has no entries; what a function is given stands where it is called.
bool isEmptyList(const KernelNode &x, std::string_view name) {
  const Attribute *a = x.m.attribute(x.n, name);
  return !a || entriesOf(x.m, *a) == 0;
}

/// linear_classifier.cc: there is an intercept for each class, a label for each of several, and two for one.
std::optional<TargetLimit> refusedLabels(const KernelNode &x) {
  if (isEmptyList(x, "intercepts"))
    return x.limit("the kernel needs 'intercepts', one for each class");
  const auto count = [&](std::string_view name) {
    const Attribute *a = x.m.attribute(x.n, name);
    return a ? entriesOf(x.m, *a).value_or(0) : 0;
  };
  const std::size_t classes = x.realCount("intercepts"), numbers = x.realCount("coefficients");
  const std::size_t labels = std::max<std::size_t>(count("classlabels_ints"), count("classlabels_strings"));
  if (classes > 1 ? labels < classes : labels != 0 && labels != 2)
    return x.limit(fmt::format("there are {} labels for {} {}", labels, classes, classes == 1 ? "class" : "classes"));
  if (classes != 0 && numbers % classes != 0)
    return x.limit(fmt::format("there are {} coefficients for {} classes", numbers, classes));
  return std::nullopt;
}

} // namespace

std::optional<TargetLimit> refusedWords(const KernelNode &x) {
  if (x.op == "Normalizer")
    return unknownWord(x, "norm", "MAX", {"MAX", "L1", "L2"});
  if (x.op.starts_with("SVM"))
    if (auto refused = unknownWord(x, "kernel_type", "LINEAR", {"LINEAR", "POLY", "RBF", "SIGMOID"}))
      return refused;
  // The kernel is of float32; to the function of the other types each other word is none.
  if (x.op == "Gelu")
    return x.type(0).element == DType::Float32 ? unknownWord(x, "approximate", "none", {"none", "tanh"}) : std::nullopt;
  if (x.op == "LinearClassifier")
    if (auto refused = refusedLabels(x))
      return refused;
  return unknownTransform(x);
}

std::optional<TargetLimit> refusedGrams(const KernelNode &x) {
  if (isEmptyList(x, "pool_strings") && isEmptyList(x, "pool_int64s"))
    return x.limit("the kernel needs 'pool_strings' or 'pool_int64s'");
  const auto counts = x.numbers("ngram_counts");
  const std::int64_t least = x.number("min_gram_length").value_or(1),
                     most = x.number("max_gram_length").value_or(least);
  if (least < 1)
    return x.limit(fmt::format("the kernel takes min_gram_length above 0, but it is {}", least));
  if (most < least)
    return x.limit(fmt::format("max_gram_length is {}, below min_gram_length, which is {}", most, least));
  if (const auto skips = x.number("max_skip_count"); skips && *skips < 0)
    return x.limit(fmt::format("the kernel takes no max_skip_count below 0, but it is {}", *skips));
  for (const auto &[name, length] : {std::pair("min_gram_length", least), {"max_gram_length", most}})
    if (!counts.empty() && length > static_cast<std::int64_t>(counts.size()))
      return x.limit(fmt::format("{} is {}, where 'ngram_counts' has {} numbers", name, length, counts.size()));
  const Attribute *pool = x.m.attribute(x.n, isEmptyList(x, "pool_strings") ? "pool_int64s" : "pool_strings");
  const auto all = static_cast<std::int64_t>(pool ? entriesOf(x.m, *pool).value_or(0) : 0);
  std::int64_t found = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::int64_t end = i + 1 < counts.size() ? counts[i + 1] : all, length = static_cast<std::int64_t>(i) + 1;
    if (counts[i] >= 0 && end >= counts[i] && end <= all && (end - counts[i]) % length != 0)
      return x.limit(fmt::format("{} entries of the pool are no n-grams of {}", end - counts[i], length));
    found += length <= most && end >= counts[i] && end <= all ? (end - counts[i]) / length : 0;
  }
  const auto places = static_cast<std::int64_t>(x.numbers("ngram_indexes").size());
  if (const auto weights = static_cast<std::int64_t>(x.realCount("weights")); weights != 0 && weights != places)
    return x.limit(fmt::format("there are {} weights for {} entries of 'ngram_indexes'", weights, places));
  if (found > places)
    return x.limit(
        fmt::format("ONNX Runtime ends over {} n-grams, for which 'ngram_indexes' has {} places", found, places));
  return std::nullopt;
}

} // namespace condlint
