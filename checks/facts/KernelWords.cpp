//===- KernelWords.cpp - Words that kernels know --------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KernelWords.h"
#include <algorithm>
#include <fmt/format.h>

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

std::optional<TargetLimit> refusedWords(const KernelNode &x) {
  if (x.op == "Normalizer")
    return unknownWord(x, "norm", "MAX", {"MAX", "L1", "L2"});
  if (x.op.starts_with("SVM"))
    if (auto refused = unknownWord(x, "kernel_type", "LINEAR", {"LINEAR", "POLY", "RBF", "SIGMOID"}))
      return refused;
  return unknownTransform(x);
}

} // namespace condlint
