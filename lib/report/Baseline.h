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
  std::string rule, input, message;      ///< for people, of the first
};

/// What `condlint.baseline.json` holds.
class Baseline {
public:
  static constexpr std::string_view usualFile = "condlint.baseline.json";

  /// All findings of a finished report but those that are suppressed.
  static Baseline from(const Report &r);
  /// Adds those of one finished input.
  void add(const InputReport &input);
  /// Reads what \c text wrote; \p path is for the error.
  static Expected<Baseline> parse(std::string_view text, const std::string &path);
  /// As JSON, sorted: two branches of a repository merge well.
  std::string text() const;

  /// Moves the findings of \p r that it knows to `suppressed`.
  /// \returns what it holds and \p r does not, in inputs that \p r analysed.
  Baseline apply(Report &r) const;
  /// The same for one finished input: a finding is known by its input too, so that others have no say in it.
  Baseline apply(InputReport &input) const;
  /// Takes over the entries of \p other.
  void add(const Baseline &other);
  /// What is left of it without the findings that \p stale counts.
  Baseline without(const Baseline &stale) const;

  std::size_t size() const; ///< in findings

private:
  void insert(BaselineEntry entry);
  std::map<std::string, BaselineEntry, std::less<>> entries;         ///< by likeness
  std::map<std::string, std::set<std::string>, std::less<>> byInput; ///< the likenesses of its entries
};

} // namespace condlint

#endif // CONDLINT_REPORT_BASELINE_H
