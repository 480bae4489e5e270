//===- KernelWords.h - Words that kernels know ------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_KERNELWORDS_H
#define CONDLINT_CHECKS_FACTS_KERNELWORDS_H

#include "facts/KernelNode.h"
#include <initializer_list>
#include <string_view>

namespace condlint {

/// The attribute \p name, \p otherwise where it is not there, is none of \p words.
std::optional<TargetLimit> unknownWord(const KernelNode &x, std::string_view name, std::string_view otherwise,
                                       std::initializer_list<std::string_view> words);
/// What models of ai.onnx.ml make of their scores (ml_common.h): `post_transform`.
std::optional<TargetLimit> unknownTransform(const KernelNode &x);

/// Linear models, those of support vectors and Normalizer, of ai.onnx.ml, are made when a model is loaded, and know
/// these words alone (ml_common.h); onnx's checker knows none.
std::optional<TargetLimit> refusedWords(const KernelNode &x);
/// What TfIdfVectorizer looks for, and how long it is (tfidfvectorizer.cc).
std::optional<TargetLimit> refusedGrams(const KernelNode &x);

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_KERNELWORDS_H
