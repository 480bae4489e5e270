//===- ReportParts.h - The parts of a report, read back ---------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_REPORT_REPORTPARTS_H
#define CONDLINT_LIB_REPORT_REPORTPARTS_H

#include "ReportJson.h"
#include <string_view>
#include <vector>

namespace condlint {

/// Reads what `ReportJson.h` writes. Each is false where something is not as it is written there.
class ReportParts {
public:
  /// \p known are the ids of all rules: verdicts go on pointing into them.
  explicit ReportParts(std::vector<std::string_view> known) : ruleIds(std::move(known)) {}

  bool input(const Json &json, InputReport &into) const;
  bool conditional(const Json &json, ConditionalSummary &into) const;
  bool finding(const Json &json, Finding &into) const;
  bool shard(const Json &json, Shard &into) const;

private:
  std::vector<std::string_view> ruleIds;
};

bool readLocation(const Json &json, SourceLocation &into);

/// The member \p name of \p json, or null where there is none.
const Json &member(const Json &json, const char *name);

} // namespace condlint

#endif // CONDLINT_LIB_REPORT_REPORTPARTS_H
