//===- Edits.h - Changes of a source's text ---------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_REPORT_EDITS_H
#define CONDLINT_REPORT_EDITS_H

#include "condlint/Expected.h"
#include "condlint/Finding.h"
#include <string>
#include <string_view>
#include <vector>

namespace condlint {

/// \p text with \p edits applied, which are all of one file and do not touch each
/// other. An error where one lies outside of the text or in another.
Expected<std::string> applyEdits(std::string_view text, std::vector<Edit> edits);

/// What \p edits change in \p text as a unified diff with three lines around each
/// change, which `patch -p1` takes. The errors are those of `applyEdits`.
Expected<std::string> unifiedDiff(const std::string &path, std::string_view text, std::vector<Edit> edits);

/// True when the two cannot both be applied: they overlap, or insert at one place.
bool areInConflict(const Edit &a, const Edit &b);

} // namespace condlint

#endif // CONDLINT_REPORT_EDITS_H
