//===- Baseline.h - The findings that were there before ---------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A team that begins with condlint writes down what is found today and fails on what comes
// later. A finding is known again by its fingerprint, and where names or numbers changed
// (an export anew renames nodes) by what it is like: then as many are known as there were.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_REPORT_BASELINE_H
#define CONDLINT_REPORT_BASELINE_H

#include "condlint/Expected.h"
#include "condlint/Report.h"
#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace condlint {

/// Findings that are alike but for names and numbers (`Finding::likeness`).
struct BaselineEntry {
  std::string likeness;
  std::vector<std::string> fingerprints; ///< sorted; as many as there are findings
  std::string rule;
  std::string input;   ///< what the finding stands in: an input, or a C++ header
  std::string message; ///< for people, of the first
  std::string system;  ///< whose rule it is; empty where an older file does not say it
  std::string source;  ///< of a header: the source that it was found with
};

/// What `condlint.baseline.json` holds.
class Baseline {
public:
  static constexpr std::string_view usualFile = "condlint.baseline.json";

  /// All findings of a finished report but those that are suppressed.
  static Baseline from(const Report &r);
  /// Adds those of one finished input.
  void add(const InputReport &input);
  /// Whether \p text may be given up for a new baseline: it is empty, or one of some version, whole or not.
  static bool isOne(std::string_view text);
  /// Reads what \c text wrote; \p path is for the error.
  static Expected<Baseline> parse(std::string_view text, const std::string &path);
  /// As JSON, sorted: two branches of a repository merge well.
  std::string text() const;

  /// Moves the findings of \p r that it knows to `suppressed`.
  /// \returns what it holds and \p r does not, in inputs that \p r analysed.
  Baseline apply(Report &r) const;
  /// Takes over the entries of \p other.
  void add(const Baseline &other);
  /// What is left of it without the findings that \p stale counts.
  Baseline without(const Baseline &stale) const;

  std::size_t size() const; ///< in findings

private:
  friend class BaselineUse;
  void insert(BaselineEntry entry);
  std::map<std::string, BaselineEntry, std::less<>> entries;         ///< by likeness
  std::map<std::string, std::set<std::string>, std::less<>> byInput; ///< the likenesses of its entries
};

/// A baseline beside the inputs of one run, as they come. Those of sources that share headers come one after the other.
class BaselineUse {
public:
  explicit BaselineUse(const Baseline &b) : baseline(b) {}

  /// Whether the run looks in an input for what an entry speaks of.
  using Asked = std::function<bool(const BaselineEntry &)>;
  /// Moves the findings of the finished \p input that the baseline knows to `suppressed`.
  void apply(InputReport &input, const Asked &asked);
  /// What the baseline holds and no input had, of what was looked for in inputs that were analysed, and of files that
  /// are no more. Of the latter nothing while `isOfElsewhere`.
  Baseline stale() const;
  /// None of the files that the baseline names is there: it was written in another working folder.
  bool isOfElsewhere() const;

private:
  void know(InputReport &input);
  void lookFor(const InputReport &input, const Asked &asked);
  bool isLookedFor(const BaselineEntry &entry) const;

  const Baseline &baseline;
  std::map<std::string, std::vector<std::string>, std::less<>> left; ///< fingerprints, of the entries that were met
  std::set<std::string, std::less<>> lookedFor;                      ///< likenesses
  std::set<std::string, std::less<>> analysed;                       ///< C++ sources, by their paths
  std::set<std::string, std::less<>> unclear; ///< C++ files of which sources were read that could not be analysed
  bool anyUnread = false;                     ///< a C++ source of which nothing is known
};

} // namespace condlint

#endif // CONDLINT_REPORT_BASELINE_H
