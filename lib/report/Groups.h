//===- Groups.h - Findings that several targets share -----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_REPORT_GROUPS_H
#define CONDLINT_LIB_REPORT_GROUPS_H

#include "condlint/Finding.h"
#include <string>
#include <vector>

namespace condlint {

/// Findings that are equal but for their target: told once, with the worst severity.
struct FindingGroup {
  const Finding *finding = nullptr; ///< the first
  Severity severity = Severity::Note;
  bool severitiesDiffer = false;
  std::vector<const Finding *> members;

  /// "torch@2.13, aoti", with severities where they differ.
  std::string targets() const;
};

/// The groups of \p findings, in the order of their first members. They point into \p findings.
std::vector<FindingGroup> groupByTarget(const std::vector<Finding> &findings);

} // namespace condlint

#endif // CONDLINT_LIB_REPORT_GROUPS_H
