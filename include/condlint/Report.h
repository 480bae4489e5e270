//===- Report.h - Everything one run found ----------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_REPORT_H
#define CONDLINT_REPORT_H

#include "condlint/ConditionalSummary.h"
#include "condlint/Drawing.h"
#include "condlint/Finding.h"
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace condlint {

enum class InputStatus : std::uint8_t { Ok, Partial, Failed, Skipped };
std::string_view statusName(InputStatus s);

/// How long the parts of one input's analysis took, in seconds.
struct InputTimes {
  double parse = 0; ///< the compiler's work
  double read = 0;  ///< to graphs
  double rules = 0;
};

/// A path that what is known of an input depends on, beside the input's own.
struct InputDependency {
  enum class State : std::uint8_t {
    Content, ///< what the file holds
    Size,    ///< that of the file, or that it is not there
    Folder,  ///< that it is one
    Absent,  ///< that nothing is there
  };
  std::string path;
  State state = State::Content;
};

/// What became of one input.
struct InputReport {
  std::string path;
  std::string kind; ///< "pt2", "onnx", "json", "cxx"; empty when not known
  InputStatus status = InputStatus::Ok;
  std::string reason; ///< Failed, Partial, Skipped
  /// What the user should know of how it was analysed: flags that were guessed.
  std::vector<std::string> notes;
  std::vector<std::string> targets;
  std::string root; ///< C++: the folder of its project; nothing outside of it is changed
  std::size_t conditionals = 0;
  Severity failOn = Severity::Error; ///< from this one on a finding fails the run; Off: none does
  std::map<std::string, std::size_t> untypedOperators;
  std::vector<Finding> findings;
  /// What a comment in the source, the configuration or the baseline asks not to see.
  std::vector<Finding> suppressed;
  std::vector<ConditionalSummary> summaries;
  std::vector<ConditionalSummary> loops; ///< of networks that C++ builds: where they stand, and the verdicts on them
  bool isJudged = true;                  ///< false: it was run, and no rule was asked
  std::size_t leftOut = 0;               ///< conditionals of which every rule holds and that have no summary any more
  InputTimes times;                      ///< C++
  std::vector<std::string> sources;      ///< C++: the files of its project that it was read from
  std::vector<InputDependency> dependencies; ///< where they were asked for
  std::optional<std::size_t> position;       ///< of a shard: where it stands among the inputs of all
  DrawingLimits drawing;                     ///< what is asked for
  std::vector<Drawing> drawings;             ///< of conditionals, by their paths
};

/// Which part of all inputs a run was on: `--shard index/count`.
struct Shard {
  std::size_t index = 0; ///< from 1 on
  std::size_t count = 0;
  std::size_t inputs = 0; ///< how many there are in all shards
  std::string digest;     ///< of their paths: shards of one run have one
};

/// Everything one run found, in the order of the inputs.
struct Report {
  std::vector<InputReport> inputs;
  int exitCode = 0;
  std::optional<Shard> shard;
  std::size_t count(Severity s) const;
};

/// Appends what came out of one model for one target. \p prefix tells the models of an archive apart.
void append(InputReport &input, std::vector<ConditionalSummary> conditionals, std::vector<ConditionalSummary> loops,
            std::vector<Finding> findings, const std::string &prefix = {});

/// Counts the conditionals of which nothing is to be said, and forgets them: what people read tells no more of them,
/// and of a million models they would fill the memory. Not for C++, where several sources can hold the same one.
void leaveOutProved(InputReport &input);

/// Sorts what one input gave and removes what it says twice.
void orderInput(InputReport &input);

/// A header that several C++ sources include is read with each of them: what stands in it counts and is reported once,
/// with the first. Graphs have nothing in common.
void mergeUnits(std::vector<InputReport> &inputs);

/// Sorts what one input gave, removes what it says twice, and fills the fingerprints, which other inputs have no say
/// in.
void finishInput(InputReport &input);

/// All that there is to do before a report is written: \c mergeUnits, and \c finishInput for each input.
void finishReport(Report &r);

enum class ColorMode : std::uint8_t { Never, Always };

/// For people: `path:line:col: severity: message [rule]`, notes below, a summary. Where \p quiet, one
/// line for each error, each warning and each finding that fails the run, and what could not be analysed.
std::string renderText(const Report &r, ColorMode color, bool quiet);
/// The JSON report, version 1 (docs/report.schema.json): one object; an input, a conditional
/// and a finding are a line each. \p run is an object in JSON that says what was computed: the
/// member `run`, where it is not empty.
std::string renderJson(const Report &r, std::string_view run = {});

} // namespace condlint

#endif // CONDLINT_REPORT_H
