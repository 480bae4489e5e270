//===- Config.h - .condlint.json --------------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CONFIG_CONFIG_H
#define CONDLINT_CONFIG_CONFIG_H

#include "RuleWords.h"
#include "condlint/Expected.h"
#include "condlint/Finding.h"
#include "condlint/Rule.h"
#include "condlint/Target.h"
#include "cxx/CxxReader.h"
#include "ops/DeclaredOperators.h"
#include "report/Suppression.h"
#include <map>
#include <memory>
#include <optional>
#include <span>

#include <string>
#include <string_view>
#include <vector>

namespace condlint {

/// What a `.condlint.json` says; what it does not mention is empty.
struct Config {
  static constexpr std::string_view fileName = ".condlint.json";

  std::string path;
  std::optional<std::vector<Target>> targets;
  std::optional<Severity> failOn; ///< Off: never
  std::optional<RuleSet> select;
  std::optional<RuleSet> ignore;
  std::map<std::string, Severity, std::less<>> severity;
  std::vector<CondFunction> condFunctions;
  OperatorDeclarations operators;
  std::vector<SuppressionRule> suppress;

  /// The rules that it chooses.
  RuleOptions rules() const;
  /// This one where \p nearer, which wins, says nothing. What is selected there is not ignored here.
  Config with(const Config &nearer) const;
};

/// Reads a configuration. Anything it does not know is an error that names the
/// nearest word it does.
Expected<Config> parseConfig(std::string_view text, const std::string &path);

/// The keys of a configuration.
std::span<const std::string_view> configKeys();

/// "error", "warning", "note" or "never".
Expected<Severity> parseFailOn(std::string_view text);

/// Finds the configuration of each input. Every file is read once.
class ConfigFinder {
public:
  /// The nearest `.condlint.json` in the folder of \p input or above it; null
  /// where there is none.
  Expected<std::shared_ptr<const Config>> forInput(const std::string &input);
  static Expected<std::shared_ptr<const Config>> load(const std::string &path);

private:
  Expected<std::shared_ptr<const Config>> searchFrom(const std::string &input);

  std::map<std::string, std::shared_ptr<const Config>> byFolder;
  std::map<std::string, std::shared_ptr<const Config>> bySpelling; ///< the folder of an input as it was given
};

} // namespace condlint

#endif // CONDLINT_CONFIG_CONFIG_H
