//===- SummaryList.h - One summary for each conditional ---------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_ENGINE_SUMMARYLIST_H
#define CONDLINT_CHECKS_ENGINE_SUMMARYLIST_H

#include "condlint/ConditionalSummary.h"
#include <cstddef>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace condlint {

/// The summaries of the conditionals, or of the loops, of one model: one for each path.
class SummaryList {
public:
  /// \p summaries, which must outlive this, is where they go.
  explicit SummaryList(std::vector<ConditionalSummary> &summaries) : all(summaries) {}

  /// Moves \p s into the list; where its path is there already, \p s stays as it is and that summary is given back.
  ConditionalSummary *add(ConditionalSummary &s) {
    const auto [place, isNew] = places.try_emplace(s.path, all.size());
    if (!isNew)
      return &all[place->second];
    all.push_back(std::move(s));
    return nullptr;
  }

private:
  std::vector<ConditionalSummary> &all;
  std::unordered_map<std::string, std::size_t> places; ///< by path
};

} // namespace condlint

#endif // CONDLINT_CHECKS_ENGINE_SUMMARYLIST_H
