//===- RuleWords.h - Rules as the user names them ---------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CONFIG_RULEWORDS_H
#define CONDLINT_CONFIG_RULEWORDS_H

#include <optional>
#include <set>
#include <string>

namespace condlint {

/// Rules by their ids.
using RuleSet = std::set<std::string, std::less<>>;

/// Adds the rules that \p word means to \p into: the id of one, or a pattern with `*` and `?` for all that it fits,
/// as a shell has them. What is wrong with the word when it means none.
std::optional<std::string> addRules(const std::string &word, RuleSet &into);

} // namespace condlint

#endif // CONDLINT_CONFIG_RULEWORDS_H
