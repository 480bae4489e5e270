//===- EmbeddedRules.h - The pages of the rules as text ---------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_ENGINE_EMBEDDEDRULES_H
#define CONDLINT_CHECKS_ENGINE_EMBEDDEDRULES_H

#include <span>
#include <string_view>

namespace condlint {

/// A rule's page, as the file beside the rule holds it.
struct EmbeddedPage {
  std::string_view id;
  std::string_view text;
};

/// checks/*.md, compiled in by EmbedRules.cmake.
extern const std::span<const EmbeddedPage> embeddedPages;

} // namespace condlint

#endif // CONDLINT_CHECKS_ENGINE_EMBEDDEDRULES_H
