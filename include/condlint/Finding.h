//===- Finding.h - What is wrong, where, and what to do ---------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_FINDING_H
#define CONDLINT_FINDING_H

#include "condlint/Dim.h"
#include "condlint/Source.h"
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace condlint {

enum class Severity : std::uint8_t { Off, Note, Warning, Error };
std::string_view severityName(Severity s);
std::optional<Severity> severityByName(std::string_view name); ///< "off" too

/// What a rule says of a conditional; the worst last.
enum class Verdict : std::uint8_t { Proved, Unknown, Possible, Violated };
std::string_view verdictName(Verdict v);

/// A second place that a finding speaks of.
struct Related {
  std::string message;
  SourceLocation location;
  std::string graphPath;
};

/// A change of a source's text: what stands at a place (nothing, where its end is
/// its beginning) becomes \p text.
struct Edit {
  SourceLocation at;
  std::string text;
  friend bool operator==(const Edit &, const Edit &) = default;

  /// Writes \p text in front of what stands at \p place, and behind it.
  static Edit before(SourceLocation place, std::string text) {
    place.endLine = place.line;
    place.endColumn = place.column;
    return {std::move(place), std::move(text)};
  }
  static Edit behind(SourceLocation place, std::string text) {
    place.line = place.endLine;
    place.column = place.endColumn;
    return {std::move(place), std::move(text)};
  }
};

/// A change that repairs a finding. For a graph: words; for source also the edits,
/// where they are safe: all of them or none.
struct Fix {
  std::string description;
  std::vector<Edit> edits = {};
};

/// One broken rule of one conditional (or of the file) for one target.
struct Finding {
  std::string rule;
  Severity severity = Severity::Error;
  Verdict verdict = Verdict::Violated; ///< Violated or Possible
  std::string target;                  ///< "torch@2.13"
  std::string message;                 ///< one sentence: both branches, both values
  std::string help;                    ///< what to do, or empty
  std::string input;                   ///< path of the input
  std::string conditional;             ///< "main/cond", or empty when it is about no conditional
  SourceLocation location;             ///< the user's own line, where recorded
  std::string graphPath;               ///< "main/cond/true_graph_0/add"
  std::optional<std::size_t> output;   ///< the position among the conditional's outputs that it is about
  std::vector<Related> related;
  Assignment witness;    ///< Possible: an input that shows the break
  bool executed = false; ///< the break happened when the model ran
  std::vector<Fix> fixes;
  std::string fingerprint; ///< stable over unrelated changes; filled by the report
  /// The same for findings that are alike but for the names of values and nodes, and for numbers; filled by the report.
  std::string likeness;
  std::string suppressedBy;  ///< of a suppressed one: "source", "configuration", "baseline"
  std::string justification; ///< of a suppressed one: the reason that was given, or empty
  std::uint64_t places = 0;  ///< tells findings of conditionals and nodes that have one path apart; 0 in source
};

} // namespace condlint

#endif // CONDLINT_FINDING_H
