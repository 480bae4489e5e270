//===- Tally.h - The sums of a report ---------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_REPORT_TALLY_H
#define CONDLINT_LIB_REPORT_TALLY_H

#include "condlint/Report.h"
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace condlint {

/// Which conditional each summary of \p input is of, as a place in the list of those that have one. Several targets
/// have a summary each of a conditional; several nodes of a file may have one name, and so one path.
std::vector<std::size_t> conditionalsOf(const InputReport &input);

/// Conditionals by their worst verdict; the four add up to the total. Each counts once, whatever the number of targets.
/// A note is advice and makes no conditional wrong: `violated` and `possible` count those with a warning or an error,
/// `unknown` those where some rule is open (or that no rule looked at), `proved` the rest.
struct ConditionalTally {
  std::size_t total = 0;
  std::size_t proved = 0;
  std::size_t violated = 0;
  std::size_t possible = 0;
  std::size_t unknown = 0;
};

struct InputTally {
  std::size_t total = 0, analyzed = 0, partial = 0, failed = 0, skipped = 0;
};

/// The sums of a report, which come together input by input.
struct ReportTotals {
  InputTally inputs;
  ConditionalTally conditionals;
  std::size_t errors = 0, warnings = 0, notes = 0;     ///< findings
  std::map<std::string, std::size_t> untypedOperators; ///< how often each was met

  void add(const InputReport &input);
};

ReportTotals totalsOf(const Report &r);

} // namespace condlint

#endif // CONDLINT_LIB_REPORT_TALLY_H
