//===- RepeatedNotes.h - What holds of many inputs is told once -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_REPORT_REPEATEDNOTES_H
#define CONDLINT_REPORT_REPEATEDNOTES_H

#include "condlint/Report.h"
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace condlint {

/// The notes of a run for people: one that several inputs have (a version whose rules are not known) is a line with the
/// first of them and the number of the others.
class RepeatedNotes {
public:
  struct Line {
    std::string path, text;
    std::size_t others = 0; ///< inputs that have it as well

    /// " (and of 3 more inputs)", or nothing.
    std::string repeated() const;
  };

  /// More than \p mostLines lines nobody reads.
  explicit RepeatedNotes(std::size_t mostLines = SIZE_MAX) : most(mostLines) {}

  /// \returns how many lines are left out.
  std::size_t add(const InputReport &input);
  /// In the order in which they were met.
  const std::vector<Line> &lines() const { return met; }

private:
  std::size_t most;
  std::vector<Line> met;
  std::unordered_map<std::string, std::size_t> places;
};

} // namespace condlint

#endif // CONDLINT_REPORT_REPEATEDNOTES_H
