//===- ConditionalSummary.cpp - The same conditional, seen again ----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/ConditionalSummary.h"
#include <algorithm>

namespace condlint {

void ConditionalSummary::absorb(ConditionalSummary &other) {
  for (const auto &[rule, verdict] : other.verdicts) {
    Verdict &worst = verdicts.try_emplace(rule, verdict).first->second;
    worst = std::max(worst, verdict);
  }
  judged = std::max(judged, other.judged);
  reasons.merge(other.reasons);
  std::erase_if(reasons, [&](const auto &reason) {
    const auto verdict = verdicts.find(reason.first);
    return verdict != verdicts.end() && verdict->second != Verdict::Unknown;
  });
}

} // namespace condlint
