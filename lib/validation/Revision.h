//===- Revision.h - A report, after what happened ---------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_VALIDATION_REVISION_H
#define CONDLINT_VALIDATION_REVISION_H

#include "Breaks.h"
#include "condlint/Report.h"
#include <map>
#include <string>
#include <unordered_map>

namespace condlint {

/// What the runs came to, besides their breaks.
struct RunsOfModel {
  std::size_t count = 0;
  /// Findings that are possible and did not happen at their witness: why.
  std::unordered_map<const Finding *, std::string> unconfirmed;
};

/// Why a conditional was not validated, by its path.
using Unseen = std::map<std::string, std::string>;

/// Writes the report anew: what analysis found, held against what happened, both ways.
class Revision {
public:
  Revision(const Model &m, Breaks &breaks, const RunsOfModel &runs, const Executor &e, InputReport &report);

  /// \p statics is what analysis found.
  void revise(std::span<const Finding> statics);

private:
  void confirm(const Finding &f, const Break &b);
  void reviseStatic(const Finding &f);
  void reviseBreak(Break &b);
  bool ranBoth(const std::string &conditional) const;
  void emit(Finding f, const std::string &note);
  void setVerdict(const Finding &f, Verdict v, const std::string &reason = {});
  Verdict *verdictOf(const Finding &f);
  std::string didNotHappen() const;

  const Model &m;
  Breaks &breaks;
  const RunsOfModel &runs;
  const Executor &executor;
  InputReport &report;
};

/// Which of \p conditionals did not run both branches; empty when all did. What several
/// calls make of a function is seen when one of them is.
/// \p stopped: where and why the first run that did not come to its end stopped; empty: all did.
Unseen unseenOf(const Model &m, std::span<const Conditional> conditionals, const Executor &e,
                const std::string &stopped);

/// What a run would show and did not is not proved.
void leaveOpen(const Unseen &unseen, InputReport &report);

} // namespace condlint

#endif // CONDLINT_VALIDATION_REVISION_H
