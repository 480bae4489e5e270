//===- AllExecutions.h - What holds beyond the runs of a builder --*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runs of a function that builds (NetworkRuns.h) show what it does. Where something
// was assumed of them, as that a loop makes two trips, other executions may do else, and
// what all runs show is proved of none but them: `cxx.run` says so. Graphs that stand for
// all executions say what holds of the others too: only what holds there is proved, and
// only what is broken there is broken always.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_ALLEXECUTIONS_H
#define CONDLINT_CHECKS_FACTS_ALLEXECUTIONS_H

#include "condlint/Finding.h"
#include "condlint/Graph.h"
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace condlint {

class AllExecutions {
public:
  explicit AllExecutions(const Model &model);

  /// \p g is no run: it stands for all executions.
  bool isCommon(GraphId g) const;
  /// The function that \p g is a run of does more than its runs show.
  bool isBounded(GraphId g) const;
  /// A run comes to the conditional or loop \p path.
  void meet(GraphId g, const std::string &path);
  /// What all executions have in common says \p v of \p rule at \p path.
  void note(GraphId g, const std::string &path, std::string_view rule, Verdict v);
  /// Not all is shown of \p path by the runs of some function that comes to it.
  bool limits(const std::string &path) const { return met.contains(path) || beyond.contains(path); }
  /// No run comes to \p path: whether all that may come there keep \p rule.
  bool isProved(const std::string &path, std::string_view rule) const;
  /// What is left of the verdict \p v of all runs on \p rule at \p path. \p why: what bounds them, where the verdict
  /// rests on that.
  Verdict verdict(const std::string &path, std::string_view rule, Verdict v, std::string &why) const;

private:
  /// What the node `cxx.run` of a graph says of it.
  struct Run {
    std::int64_t root = 0; ///< the function that it is a run of
    std::string bound;     ///< why an execution may do what no run does; empty: each does what one of them does
    bool isCommon = false; ///< it is no run, but what all executions have in common that go its ways
  };
  const Run *runOf(GraphId g) const;

  std::map<std::uint32_t, Run> runs;                                           ///< by graph
  std::map<std::string, std::map<std::int64_t, std::string>, std::less<>> met; ///< by path and function: the bound
  std::map<std::pair<std::int64_t, std::string>, std::map<std::string_view, Verdict>> common;
  std::map<std::string, std::set<std::int64_t>> beyond; ///< by path: functions that come to it in some execution
  Verdict commonly(std::int64_t root, const std::string &path, std::string_view rule) const;
};

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_ALLEXECUTIONS_H
