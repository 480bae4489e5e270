//===- ReportFormat.h - The forms that a report can take --------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A format is one row of one table (lib/report/formats/Formats.cpp): its name, what it
// is for, and the function that writes it. What reads each is in docs/formats.md.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_REPORTFORMAT_H
#define CONDLINT_REPORTFORMAT_H

#include "condlint/Report.h"
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace condlint {

/// What formats say of a rule; the views live as long as the program.
struct RuleText {
  std::string_view id;
  std::string_view group;
  std::string_view summary;            ///< what must hold, one sentence
  std::string_view page;               ///< Markdown
  Severity severity = Severity::Error; ///< the worst that it has for any target
};

/// What the formats need beside the report.
struct RenderOptions {
  ColorMode color = ColorMode::Never; ///< text
  bool quiet = false;                 ///< text
  std::string run;                    ///< JSON: the object that is its member `run`; may be empty
  std::vector<RuleText> rules;
  /// Absolute: what lies below it is named relative to it, and nothing outside of it is read to be quoted.
  std::string workingFolder;
};

/// What is known when all inputs have come.
struct RunEnd {
  int exitCode = 0;
  std::optional<Shard> shard;
};

/// A report that is written while the inputs come, and forgets each: it takes no more memory for a million of them
/// than for ten.
class ReportStream {
public:
  virtual ~ReportStream() = default;
  /// What stands before all inputs.
  virtual std::string begin() const { return {}; }
  /// What stands there of \p input. Several threads may ask at a time.
  virtual std::string partOf(const InputReport &input) const = 0;
  /// Remembers what the end tells of \p input: once for each, in their order.
  virtual void remember(const InputReport &input) = 0;
  /// What stands behind all inputs.
  virtual std::string end(const RunEnd &run) const = 0;
};

/// A row of the table.
struct ReportFormat {
  std::string_view name;    ///< as `--output` names it
  std::string_view suffix;  ///< of a file that is made in a folder: ".sarif"
  std::string_view summary; ///< who reads it
  bool forPeople = false;   ///< who sees it on a terminal needs no second word on what failed
  bool tellsAll = false;    ///< of conditionals without a finding and without an open question too
  std::string (*render)(const Report &, const RenderOptions &) = nullptr;
  /// The same for inputs that come one by one; null: all of the report must be there.
  std::unique_ptr<ReportStream> (*open)(const RenderOptions &) = nullptr;
  /// An input of which there is no finding, no note and no failure has no place in it.
  bool passesOverClean = false;
  bool draws = false; ///< conditionals with findings: the report has to hold their drawings
};

/// The table, in its order. Lives as long as the program.
std::span<const ReportFormat> reportFormats();
/// The format \p name, or null.
const ReportFormat *findReportFormat(std::string_view name);

} // namespace condlint

#endif // CONDLINT_REPORTFORMAT_H
