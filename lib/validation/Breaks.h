//===- Breaks.h - What broke while both branches ran ------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_VALIDATION_BREAKS_H
#define CONDLINT_VALIDATION_BREAKS_H

#include "condlint/Executor.h"
#include "condlint/Rule.h"
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace condlint {

/// What a run says of the rule \p id.
RuleInfo::Run runOf(std::string_view id);
/// Whether \p id is decided on what the branches return.
bool judgesOutputs(std::string_view id);

/// A break that happened.
struct Break {
  Finding finding;   ///< as the rule words it for what happened
  std::string sizes; ///< "n = 3"
  std::string sides; ///< "[3] against [4]"; empty when it is not one of outputs
  bool used = false; ///< it has become a finding of the report

  /// Whether \p f, which is of static analysis, speaks of it.
  bool isSaidBy(const Finding &f) const;
};

/// What broke in the runs of one model so far.
class Breaks {
public:
  /// \p statics is what analysis found. All must outlive this.
  Breaks(Analysis &a, std::span<const Target> targets, const RuleOptions &rules, std::span<const Finding> statics);

  /// Takes in what \p e saw in its last run, with \p sizes. True: it showed something new that is
  /// more than a note.
  bool judge(const Executor &e, const std::string &sizes);
  std::vector<Break> &all() { return breaks; }
  /// The first that \p f speaks of, or null.
  Break *of(const Finding &f);

  /// \p b follows from another break: what a file records of a value fits one branch at most
  /// where the branches differ, and so for all that is computed of it.
  bool follows(const Break &b) const;
  /// Analysis has found a fault in the file where \p f happened: what is computed there is
  /// not what the file means, and not another fault.
  bool isExplained(const Finding &f) const;

private:
  void judgeOutputs(const Executor &e, const std::string &sizes);
  void judgeObservations(const Executor &e, const std::string &sizes);
  std::vector<Finding> checkOutputs(const std::vector<ObservedType> &observed, const Assignment &symbols);
  Severity severityOf(std::string_view rule, const Target &t) const;
  void declareOf(NodeId n, Finding &f) const;
  std::string sidesOf(const Finding &f) const;
  void add(Finding f, const std::string &sizes, std::string sides);

  Analysis &analysis;
  Model &m;
  std::span<const Target> targets;
  const RuleOptions &chosen;
  std::span<const Finding> statics;
  std::vector<Break> breaks;
  std::unordered_map<ValueId, ObservedType> seen; ///< by the last run
};

} // namespace condlint

#endif // CONDLINT_VALIDATION_BREAKS_H
