//===- Analysis.h - What is done in a process of its own --------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_LSP_ANALYSIS_H
#define CONDLINT_TOOL_LSP_ANALYSIS_H

#include "CheckCommand.h"
#include "condlint/Report.h"
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace condlint::lsp {

using Json = nlohmann::json;

/// One thing to do for the editor.
struct Job {
  enum class Kind : std::uint8_t {
    Check,   ///< analyse the file
    RunBoth, ///< execute both branches of each conditional of a model
  } kind = Kind::Check;
  std::string path;   ///< absolute
  std::string folder; ///< the workspace's: paths in messages are relative to it
  std::vector<UnsavedFile> unsaved;
};

/// What came of it.
struct Outcome {
  std::optional<InputReport> report; ///< with absolute paths; none: \c problem says why
  std::string problem;               ///< the configuration is wrong, …
};

/// Does \p job as the command line \p arguments says, which may take the process with it.
Json perform(const CheckArguments &arguments, const Job &job);
Outcome outcomeOf(const Json &result, const Job &job);

Json toJson(const Job &job);
Job jobOf(const Json &json);

} // namespace condlint::lsp

#endif // CONDLINT_TOOL_LSP_ANALYSIS_H
