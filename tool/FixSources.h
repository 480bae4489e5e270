//===- FixSources.h - Applies the fixes of findings to sources --*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TOOL_FIXSOURCES_H
#define CONDLINT_TOOL_FIXSOURCES_H

#include "condlint/Report.h"
#include "report/Edits.h"
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace condlint {

/// One file and how it changes.
struct FileFix {
  std::string path;  ///< resolved: where the text lies
  std::string shown; ///< as the report spells it
  std::string before;
  std::vector<Edit> edits;
};

/// What can be mended, file by file.
struct FixPlan {
  std::vector<FileFix> files;
  std::size_t findings = 0;         ///< how many are mended
  std::vector<std::string> refused; ///< fixes that are left out, and why
};

/// The fixes of the findings in \p inputs that can be made together. A fix is left
/// out as a whole when a file of it lies outside of the input's project or has
/// changed after \p readSince, when it meets another fix, and when its source does
/// not compile.
FixPlan planFixes(const std::vector<InputReport> &inputs, std::filesystem::file_time_type readSince);

/// The changes as one unified diff, or why there is none.
Expected<std::string> diffOf(const FixPlan &plan);

/// Writes every file of \p plan: each aside first, and moved into place when all are
/// written, so that no reader meets half a file and an error leaves all as it was.
std::optional<Error> applyFixes(const FixPlan &plan);

} // namespace condlint

#endif // CONDLINT_TOOL_FIXSOURCES_H
