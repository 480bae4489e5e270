//===- Compare.h - Two versions of one model --------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a converter, a quantiser or an optimiser made of a model's conditionals. Each of the one version is looked for
// in the other, by what it yields, what it is called and what its branches compute; then what became of it is said.
// Tools rename, fold and fuse: a change that such a tool may make is a note, and what is not known is not claimed.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_COMPARE_COMPARE_H
#define CONDLINT_LIB_COMPARE_COMPARE_H

#include "condlint/Finding.h"
#include "condlint/Graph.h"
#include "condlint/Target.h"
#include <cstdint>
#include <string>
#include <vector>

namespace condlint {

/// One thing that became different.
struct Change {
  std::string kind; ///< a word of `changeKinds`
  Severity severity = Severity::Error;
  std::string before, after; ///< paths of the conditionals; empty: none there, or about the whole model
  std::string message;       ///< one sentence
};

/// A kind of change, and what it means: what documents and reports list.
struct ChangeKind {
  std::string_view name, summary;
};
std::span<const ChangeKind> changeKinds();

struct ComparisonOptions {
  std::vector<Target> targets; ///< for what breaks a rule now; empty: each model's own
  bool run = false;            ///< execute both
  std::uint64_t seed = 0;
  std::uint32_t draws = 4;
  double rtol = 1e-4, atol = 1e-5; ///< wider where a version computes in fewer bits
};

/// What a comparison came to.
struct Comparison {
  std::size_t before = 0, after = 0;                      ///< conditionals
  std::vector<std::pair<std::string, std::string>> pairs; ///< those that are one and the same
  std::vector<Change> changes;                            ///< the most severe first
  bool hasRun = false;
  std::string notRun;              ///< why it was not executed, or not all of it
  std::vector<std::string> forced; ///< branches that no draw came to, and that both took whatever the predicate says
  std::uint32_t draws = 0;
};

/// Compares \p before with \p after, which it types.
Comparison compareModels(Model &before, Model &after, const ComparisonOptions &options);

} // namespace condlint

#endif // CONDLINT_LIB_COMPARE_COMPARE_H
