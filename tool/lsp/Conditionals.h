//===- Conditionals.h - Conditionals of a report, each once -----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_LSP_CONDITIONALS_H
#define CONDLINT_TOOL_LSP_CONDITIONALS_H

#include "condlint/Report.h"
#include <string>
#include <string_view>
#include <vector>

namespace condlint::lsp {

/// A conditional with what each target says of it.
struct Contract {
  std::vector<const ConditionalSummary *> targets; ///< never empty
  Verdict verdict = Verdict::Proved;
  std::vector<std::string_view> rules; ///< those that came to this verdict; none where it is proved

  const ConditionalSummary &first() const { return *targets.front(); }
};

/// Those of \p report in its order. The report must outlive them.
std::vector<Contract> contractsOf(const InputReport &report);

/// "proved", "violated: output-dtype", "unknown: output-shape".
std::string spellVerdict(const Contract &c);

/// What \p branch (0, 1) yields: "float32[N, 8]"; "?" where the branch is missing.
std::string spellBranch(const ConditionalSummary &c, std::size_t branch);

/// Where \p branch (0, 1) stands: its code; in a network, which has none, its layers in program order.
std::vector<SourceLocation> placesOf(const ConditionalSummary &c, std::size_t branch);
/// What makes the results of \p branch, or where it begins: whereto one goes who wants to see it.
std::vector<SourceLocation> targetsOf(const ConditionalSummary &c, std::size_t branch);
/// From where \p c begins to where it ends; a network's is what adds its conditional, its layers and its outputs, as
/// far as one function does.
SourceLocation extentOf(const ConditionalSummary &c);
/// The same of \p branch; invalid where it has no place, or layers of the other one stand between its own.
SourceLocation extentOf(const ConditionalSummary &c, std::size_t branch);

/// \p place holds \p cursor; without an end it holds the rest of its line.
bool holds(const SourceLocation &place, const SourceLocation &cursor);
/// The same for the line alone on which \p place begins: a call's name and what follows it there.
bool holdsOnFirstLine(const SourceLocation &place, const SourceLocation &cursor);

} // namespace condlint::lsp

#endif // CONDLINT_TOOL_LSP_CONDITIONALS_H
