//===- Rule.h - What must hold, and who decides it --------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rule is one file in checks/, one page beside it, one test, and one entry of
// checks/rules.json, which holds its id, summary and severities.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_RULE_H
#define CONDLINT_RULE_H

#include "condlint/Alias.h"
#include "condlint/Conditional.h"
#include "condlint/ConditionalSummary.h"
#include "condlint/Finding.h"
#include "condlint/Graph.h"
#include "condlint/Op.h"
#include "condlint/Target.h"
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace condlint {

/// A row of checks/rules.json.
struct RuleInfo {
  /// What a run of both branches says of the rule.
  enum class Run : std::uint8_t {
    None,    ///< nothing
    Shown,   ///< it is decided on what the branches returned: a break, if there is one, happens
    Seen,    ///< decided so too, but what one run did not show may be there
    Watched, ///< the memory of operands, captures and outputs is watched
    Unsound, ///< where it is broken, other rules speak of values that the file does not mean
  };
  /// What a finding without a place of its own stands at, in source.
  enum class Place : std::uint8_t { Conditional, Predicate, Operands };
  struct Row {
    std::string_view variant; ///< a special case of the rule ("if-1", "escapes"); empty: the plain rule
    System system;
    Version from, to; ///< inclusive; 0.0: open
    Severity severity;
  };

  std::string_view id;
  std::string_view group;   ///< "Predicate", "Signature", "Outputs", "Closures", "Effects", "Structure", …
  std::string_view summary; ///< the rule that must hold, one sentence
  bool graph;               ///< decided for serialized graphs
  Place place;
  Run run;
  std::span<const FrontEnd> source; ///< the readers of C++ source that it is decided for
  std::span<const Row> rows;        ///< the plain rule's first

  /// True when the rule is decided on what \p m was read from.
  bool decidedOn(const Model &m) const;
  /// Severity for \p t. A \p variant that the table does not list is the plain rule.
  Severity severity(const Target &t, std::string_view variant = {}) const;
};

/// The table, in its order. Lives as long as the program.
std::span<const RuleInfo> rules();
/// The rule \p id, or null.
const RuleInfo *findRule(std::string_view id);
/// The id that \p id may be a misspelling of; empty when there is none.
std::string nearestRule(std::string_view id);
/// The page of a rule in Markdown: what, why, an example, the repair.
std::string_view rulePage(std::string_view id);

/// What the user chose.
struct RuleOptions {
  std::set<std::string, std::less<>> select; ///< empty: all
  std::set<std::string, std::less<>> ignore;
  std::map<std::string, Severity, std::less<>> severity;
  bool details = false; ///< describe each conditional for who looks at it
};

/// The outcome of all rules on one model for one target.
struct CheckResult {
  std::vector<Finding> findings;
  std::vector<ConditionalSummary> conditionals;
  std::vector<ConditionalSummary> loops; ///< of networks: place and verdicts, nothing else
};

struct ModelFacts; // checks: what the rules share besides

/// A model with the analyses that the rules share; made once for all targets.
class Analysis {
public:
  /// Types \p model and analyses it. \p model must outlive this.
  explicit Analysis(Model &model);
  ~Analysis();

  Model &model;
  Inference inference;
  AliasAnalysis aliases;
  std::vector<Conditional> conditionals; ///< instances stand in for function bodies
  std::size_t conditionalCount = 0;      ///< as the file holds them
  std::unique_ptr<ModelFacts> facts;     ///< who uses what, and what stands out of reach
};

/// The outcome of all rules on one model for some targets.
struct ModelResult {
  struct Of {
    Target target;
    CheckResult result;
  };
  std::vector<Of> targets;                             ///< in the order in which they were checked
  std::size_t conditionals = 0;                        ///< as the file holds them
  std::map<std::string, std::size_t> untypedOperators; ///< whose results have no type, and how often
};

/// Types \p model, analyses it and runs every selected rule on every conditional for each of \p targets, as the program
/// does. The layers of a TensorRT network are typed for the version in hand: it is analysed once more where the
/// versions of the targets differ in that, and what has the same types as for the first of them comes first.
/// Deterministic.
ModelResult check(Model &model, std::span<const Target> targets, const RuleOptions &options);
/// The same for one target and a model that was analysed before, the layers of a TensorRT network as they were read.
CheckResult check(const Analysis &a, const Target &target, const RuleOptions &options);
/// The target a model is checked for when none is given.
Target defaultTarget(const Model &m);

} // namespace condlint

#endif // CONDLINT_RULE_H
