//===- Validation.h - What happens, against what analysis says --*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both branches of every conditional are executed, and what happens is judged by
// the rules themselves: the types that the branches yielded take the place of those
// that were inferred, and the rules on outputs are asked again. So what a run shows
// is said in the words of `condlint check`.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_VALIDATION_H
#define CONDLINT_VALIDATION_H

#include "condlint/Array.h"
#include "condlint/Executor.h"
#include "condlint/Report.h"
#include "condlint/Rule.h"
#include "condlint/Target.h"
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace condlint {

/// Drawn inputs with which a break happened.
struct BreakingDraw {
  std::uint32_t number = 0;
  std::string sizes;         ///< "n = 3, m = 4"; empty when the model has no symbols
  std::vector<Array> inputs; ///< by position, named in0, in1, …
};

struct ValidationOptions {
  std::vector<Target> targets;
  RuleOptions rules; ///< as \c check was given them
  std::uint64_t seed = 0;
  std::uint32_t draws = 3; ///< besides those at the witnesses of possible findings
  /// Given each draw that shows a break which is more than a note.
  std::function<void(BreakingDraw)> keep = {};
};

/// Runs every branch, on \p given inputs or, where that is null, on drawn ones, and revises
/// \p report, which holds what \c check found for the targets: what happened is confirmed or added,
/// what did not is said not to have, what contradicts analysis is an error `executor`. What could
/// not run makes the report partial, with the reason. \p e was made with \c bothBranches.
void validate(Analysis &a, Executor &e, const ValidationOptions &options, const std::vector<Array> *given,
              InputReport &report);

/// The same where nothing could be executed, because of \p why: what analysis found stands, and
/// no more is proved of what a run would show.
void leaveUnvalidated(const Analysis &a, const std::string &why, InputReport &report);

} // namespace condlint

#endif // CONDLINT_VALIDATION_H
