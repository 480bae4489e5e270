//===- ReportReader.h - Reports, read back ----------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_REPORT_REPORTREADER_H
#define CONDLINT_REPORT_REPORTREADER_H

#include "condlint/Expected.h"
#include "condlint/Report.h"
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace condlint {

/// What a report says of the run that made it.
struct ReportHead {
  std::string version; ///< of condlint
  int exitCode = 0;
  std::optional<Shard> shard;
};

/// Reads a JSON or NDJSON report of `condlint check` back, input by input: of one whose records stand a line each no
/// more than an input is in memory. It is an error where something is not as condlint writes it.
class ReportReader {
public:
  /// Opens \p path. \p ruleIds are those that are known; verdicts go on pointing into them.
  static Expected<std::unique_ptr<ReportReader>> open(const std::string &path, std::vector<std::string_view> ruleIds);
  ~ReportReader();
  ReportReader(const ReportReader &) = delete;
  ReportReader &operator=(const ReportReader &) = delete;

  const ReportHead &head() const;
  /// The next input, as it was finished; nothing at the end.
  Expected<std::optional<InputReport>> next();

private:
  struct State;
  explicit ReportReader(std::unique_ptr<State> s);
  std::unique_ptr<State> state;
};

/// One input with all that is known of it, as text: what `parseInput` reads back to the same. For what is kept between
/// runs; it is no format for others.
std::string inputText(const InputReport &input);
/// Nothing where \p text is not what `inputText` wrote.
std::optional<InputReport> parseInput(std::string_view text, const std::vector<std::string_view> &ruleIds);

} // namespace condlint

#endif // CONDLINT_REPORT_REPORTREADER_H
