//===- SizeJudgement.h - Whether two sizes agree ----------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_ENGINE_SIZEJUDGEMENT_H
#define CONDLINT_CHECKS_ENGINE_SIZEJUDGEMENT_H

#include "RuleContext.h"
#include <cstdint>
#include <string>

namespace condlint {

/// Whether two sizes agree, as the verdicts of the catalogue: always (proved), never (violated), not for the numbers of
/// a witness (possible), or not decided, with the reason (unknown).
struct Judgement {
  Verdict verdict = Verdict::Proved;
  bool assumed = false; ///< possible: the witness lies in a range that we assume
  Assignment witness;
  std::int64_t a = 0; ///< at the witness
  std::int64_t b = 0;
  std::string reason;
};

/// Whether \p a and \p b are the same number in every run of the conditional \p conditional. \p leastTraced: of an
/// exported program's inputs no smaller size counts where a larger one does not differ.
Judgement judgeEqual(const RuleContext &ctx, NodeId conditional, Dim a, Dim b, std::int64_t leastTraced = 1);

/// \p name is a dynamic size of an input of the model that the conditional \p node is in.
bool isInputSize(const Model &m, NodeId node, const std::string &name);

/// " with n = 3 they are 3 and 4", or nothing without a witness.
std::string witnessText(const Judgement &j);

} // namespace condlint

#endif // CONDLINT_CHECKS_ENGINE_SIZEJUDGEMENT_H
