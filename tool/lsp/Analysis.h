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
#include <memory>
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
    Draw,    ///< a page with a picture of both branches of one conditional
  } kind = Kind::Check;
  std::string path;   ///< absolute
  std::string at;     ///< Draw: the conditional's path
  std::string folder; ///< the workspace's: paths in messages are relative to it
  std::vector<UnsavedFile> unsaved;
  bool keeps = false; ///< the process waits with the parsed source for other texts of it
};

/// What came of it.
struct Outcome {
  std::optional<InputReport> report; ///< with absolute paths; none: \c problem says why
  std::string problem;               ///< the configuration is wrong, …
  std::string page;                  ///< Draw: the file
};

/// Does \p job as the command line \p arguments says, which may take the process with it. With \p rereading, which may
/// be null, it returns once for each text of the source.
Json perform(const CheckArguments &arguments, const Job &job, std::shared_ptr<const CxxRereading> rereading);
Outcome outcomeOf(const Json &result, const Job &job);

Json toJson(const Job &job);
Job jobOf(const Json &json);

} // namespace condlint::lsp

#endif // CONDLINT_TOOL_LSP_ANALYSIS_H
