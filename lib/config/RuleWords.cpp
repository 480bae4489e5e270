//===- RuleWords.cpp - Rules as the user names them -----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RuleWords.h"
#include "UnknownWord.h"
#include "condlint/Rule.h"
#include <fmt/format.h>
#include <fnmatch.h>

namespace condlint {

std::optional<std::string> addRules(const std::string &word, RuleSet &into) {
  if (word.find_first_of("*?") == std::string::npos) {
    if (findRule(word) == nullptr)
      return unknownRule(word);
    into.insert(word);
    return std::nullopt;
  }
  bool isAny = false;
  for (const RuleInfo &rule : rules())
    if (fnmatch(word.c_str(), std::string(rule.id).c_str(), 0) == 0) {
      into.insert(std::string(rule.id));
      isAny = true;
    }
  return isAny ? std::nullopt : std::optional(fmt::format("no rule is called '{}' ('condlint rules' lists all)", word));
}

} // namespace condlint
