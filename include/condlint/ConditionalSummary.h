//===- ConditionalSummary.h - A conditional, as a report shows it -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CONDITIONALSUMMARY_H
#define CONDLINT_CONDITIONALSUMMARY_H

#include "condlint/Finding.h"
#include "condlint/FlatMap.h"
#include "condlint/Source.h"
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace condlint {

/// What else is known of a conditional, in words for who looks at it: reports say nothing of it.
struct ConditionalDetails {
  struct Output {
    std::string type;      ///< with strides and device, where they are known
    std::string storage;   ///< whose it is: "its own", "that of operand 0 ('x')"; empty: not known
    std::string maker;     ///< what makes it: "aten.relu.default"
    SourceLocation made;   ///< where
    std::string graphPath; ///< of what makes it
  };
  struct Branch {
    std::string name;
    SourceLocation location; ///< where its code stands: a lambda, a function's name, its first node
    std::vector<Output> outputs;
    std::vector<std::string> captures;
    std::vector<std::string> effects; ///< writes, and what it does besides computing
  };
  std::vector<Branch> branches;
  std::vector<std::string> operands;
};

/// What is known of a conditional's boundary.
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
  /// Of a network: where its condition, its inputs and its outputs are set and added.
  std::vector<SourceLocation> boundary;
  /// C++ source: the function whose body adds it, from its beginning to its end, where that is known.
  SourceLocation function;
  std::string inside;       ///< of a network: the path of the conditional around it; empty: none
  std::string insideBranch; ///< the branch of that
  std::shared_ptr<const ConditionalDetails> details; ///< where they are asked for (`RuleOptions::details`)
  FlatMap<std::string_view, Verdict> verdicts; ///< by rule, as `rules()` spells it; a rule that cannot occur is absent
  std::map<std::string, std::string, std::less<>> reasons; ///< by rule, for Unknown

  /// The worst that findings of warnings and errors say of it where several sources hold it.
  Verdict judged = Verdict::Proved;

  /// Takes over the worst verdict of each rule, and the reasons, of \p other: the same conditional seen once more.
  void absorb(ConditionalSummary &other);
};

} // namespace condlint

#endif // CONDLINT_CONDITIONALSUMMARY_H
