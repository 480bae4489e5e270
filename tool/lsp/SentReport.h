//===- SentReport.h - A report between two processes ---------- -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_LSP_SENTREPORT_H
#define CONDLINT_TOOL_LSP_SENTREPORT_H

#include "condlint/Report.h"
#include <nlohmann/json.hpp>
#include <string>

namespace condlint::lsp {

/// What an analysis found, on its way from the process that ran it: as the JSON report has it, and what that leaves
/// out.
nlohmann::json sentReport(const InputReport &input);
/// The same, read again, with the paths in full: they are relative to \p folder. Throws what the library throws where
/// \p json is nothing that was sent so.
InputReport receivedReport(const nlohmann::json &json, const std::string &folder);

/// The text at \p key of \p json; empty where there is none.
std::string textAt(const nlohmann::json &json, const char *key);

} // namespace condlint::lsp

#endif // CONDLINT_TOOL_LSP_SENTREPORT_H
