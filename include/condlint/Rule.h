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
#include "condlint/Finding.h"
#include "condlint/FlatMap.h"
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
  std::string id;
  std::string group;   ///< "Predicate", "Signature", "Outputs", "Closures", "Effects", "Structure", …
  std::string summary; ///< the rule that must hold, one sentence
  bool graph = true;   ///< decided for serialized graphs
  /// The front ends for C++ source that decide it: "torch", "tensorrt", "tracing".
  std::vector<std::string> source;
  /// True when the rule is decided on what \p m was read from.
  bool decidedOn(const Model &m) const;
  /// Severity for \p t. \p variant names a special case of the rule that the
  /// table lists ("if-1", "escapes"); one it does not list is the plain rule.
  Severity severity(const Target &t, std::string_view variant = {}) const;

  struct Row {
    System system;
    Version from, to;
    Severity severity;
  }; ///< versions inclusive; 0.0: open
  std::map<std::string, std::vector<Row>, std::less<>> rows; ///< by variant; "" is the plain rule
};

/// The table, in its order: empty only if this build's own rules.json were broken,
/// which a test would say. Lives as long as the program.
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
};

/// What is known of a conditional's boundary, for the report.
struct ConditionalSummary {
  std::string input;
  std::string path;
  SourceLocation location;
  std::string target;
  std::string predicateKind;
  std::string predicateType; ///< "bool[]"
  struct Signature {
    std::string kind, dtype;
    bool hasShape = false;
    std::vector<std::string> shape;
  };
  Signature predicate;
  std::vector<Signature> operands;
  struct BranchSummary {
    std::string name;
    std::vector<Signature> outputs;
  };
  std::vector<BranchSummary> branches;
  /// When a layer of a network that was read from source is evaluated: in one branch
  /// alone; always, though one branch alone needs it; always, for others too.
  enum class When { Lazy, Eager, Shared };
  struct Layer {
    std::string name; ///< the method that adds it: "addUnary"
    SourceLocation location;
    When when = When::Shared;
    std::string branch; ///< the one that it is for; empty: both
    std::string via;    ///< an eager layer: what would have to go through `addInput`, in words
  };
  std::vector<Layer> layers; ///< what the conditional decides about and what only it needs, in program order
  std::string inside;        ///< of a network: the path of the conditional around it; empty: none
  std::string insideBranch;  ///< the branch of that
  FlatMap<std::string_view, Verdict> verdicts; ///< by rule, as `rules()` spells it; a rule that cannot occur is absent
  std::map<std::string, std::string, std::less<>> reasons; ///< by rule, for Unknown

  /// Takes over the worst verdict of each rule, and the reasons, of \p other: the same conditional seen once more.
  void absorb(ConditionalSummary &other);
};

/// The outcome of all rules on one model for one target.
struct CheckResult {
  std::vector<Finding> findings;
  std::vector<ConditionalSummary> conditionals;
};

struct RuleFacts; // checks: what the rules share besides

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
  std::unique_ptr<RuleFacts> facts;      ///< who uses what, and what stands out of reach
};

/// Runs every selected rule on every conditional for \p target. Deterministic.
CheckResult check(const Analysis &a, const Target &target, const RuleOptions &options);
/// The target a model is checked for when none is given.
Target defaultTarget(const Model &m);

} // namespace condlint

#endif // CONDLINT_RULE_H
