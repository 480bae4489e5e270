//===- FindingsByLine.h - One finding for each line of source ---*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_ENGINE_FINDINGSBYLINE_H
#define CONDLINT_CHECKS_ENGINE_FINDINGSBYLINE_H

#include "condlint/Finding.h"
#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace condlint {

/// Makes one finding of those of one rule on one line of source, whatever led to them: the worst, with the others
/// beside it, and with the repair that cures them all.
class FindingsByLine {
public:
  /// \p findings, which must outlive this, is where they go.
  explicit FindingsByLine(std::vector<Finding> &findings) : all(findings) {}

  /// \p f has a place in source.
  void add(Finding f);

private:
  struct Joined {
    std::size_t finding;
    std::size_t notes = 0; ///< its last notes, which say what joined it
  };
  std::vector<Finding> &all;
  std::map<std::array<std::string, 3>, Joined> lines; ///< by rule, conditional and line
};

} // namespace condlint

#endif // CONDLINT_CHECKS_ENGINE_FINDINGSBYLINE_H
