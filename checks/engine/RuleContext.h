//===- RuleContext.h - What a rule is given and what it answers -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_ENGINE_RULECONTEXT_H
#define CONDLINT_CHECKS_ENGINE_RULECONTEXT_H

#include "ReportedFinding.h"
#include "condlint/Rule.h"
#include "condlint/SourceGraph.h"
#include "facts/AllExecutions.h"
#include "facts/ModelFacts.h"
#include "facts/SourceFacts.h"
#include "graph/MeasuredVersions.h"
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace condlint {

/// A break as a rule sees it; the framework adds severity, paths and target.
struct Draft {
  std::string message;
  std::string help;
  Verdict verdict = Verdict::Violated;
  /// Source that builds: something is not there. A run that goes another way may end
  /// before it would be, so every run must show it.
  bool absence = false;
  /// Source that builds: something has no use. It may have one when it is configured otherwise.
  bool idle = false;
  /// Source that builds: a null pointer that is followed. Code that goes through a list of what it
  /// expects leaves one for all else, which nobody passes: one question alone must decide it.
  bool followsNull = false;
  bool assumed = false; ///< Possible: the witness lies in a range that we assume
  Assignment witness = {};
  std::string_view variant = {};          ///< a special case of the table
  NodeId node = {};                       ///< where; none: the conditional
  GraphId graph = {};                     ///< where, when it is no node
  std::optional<std::size_t> output = {}; ///< the position among the outputs that it is about
  NodeId conditional = {};                ///< of a rule on the whole model: the conditional it belongs to
  NodeId loop = {};                       ///< likewise the loop of a network
  SourceLocation at = {};                 ///< where, when it is another place of the source
  Range calls = {};                       ///< C++ source: the places of the calls that lead to `at`
  std::vector<Related> related = {};
  std::vector<Fix> fixes = {};
};

/// One position of a conditional's outputs.
struct Output {
  std::size_t position = 0;
  std::array<ValueId, 2> values; ///< of the true and of the false branch
  ValueId declared;              ///< the conditional's own result; none when it declares fewer
  bool known = false;            ///< both values are there and defined
  bool compared = false;         ///< the target compares the two branches here
  bool sameKind = false;         ///< known, and both are of one kind
  bool sameTensors = false;      ///< both are tensors, of one dtype or of unknown ones
  NodeId node;                   ///< where it stands: TensorRT's output layer; else none
};

/// \p r is asked also where torch specialises a conditional: of what is left, the predicate and that the branch which
/// is taken can be called.
bool isLeftOfSpecialised(const RuleInfo &r);

/// A rule's question and answer for one conditional, or for the whole model
/// when there is no conditional. Unless a rule says otherwise it holds.
class RuleContext {
public:
  RuleContext(const Analysis &a, const Target &t, const RuleOptions &o)
      : analysis(a), m(a.model), facts(*a.facts), target(t), version(measuredVersion(t)), options(o),
        executions(a.model) {}

  const Analysis &analysis;
  Model &m;
  ModelFacts &facts;
  const Target &target;
  const Version version; ///< whose rules hold for the target: the one asked for, where that was measured
  const RuleOptions &options;

  const Conditional &conditional() const { return *current; }
  bool isTorch() const { return m.info.dialect == Dialect::Torch; }
  /// The model was read from C++ source (docs/cxx-graph.md).
  bool isSource() const { return m.info.format == Format::Cxx; }
  /// A graph that was recorded while Python code ran, with what the code did besides.
  bool isRecorded() const { return condlint::isRecorded(m); }
  bool isTensorRT() const { return target.system == System::TensorRT; }
  bool isOpenVino() const { return target.system == System::OpenVino; }
  /// The model is a network of layers that lie flat (docs/cxx-graph.md).
  bool isNetwork() const { return m.info.dialect == Dialect::TensorRT; }
  /// \p g stands for several executions of code that builds a network (AllExecutions.h): not all that it holds is
  /// there in each.
  bool standsForSeveral(GraphId g) const { return executions.isCommon(g); }

  /// The type that counts at a conditional's boundary: of a value whose record is a
  /// lie, the record, since that is reported as such; but what its operator yields where
  /// that breaks no rule and the record would.
  const Type &typeOf(ValueId v) const;
  /// The outputs that both branches have; none where one has too many, and leaving some
  /// out makes the two agree.
  const std::vector<Output> &outputs() const { return outputList; }
  /// Calls \p visit(output, type, type) for each position where the target compares
  /// two tensors.
  template <class Visit> void forEachComparedTensor(Visit visit) const {
    for (const Output &o : outputList)
      if (o.compared && o.sameTensors)
        visit(o, typeOf(o.values[0]), typeOf(o.values[1]));
  }
  /// A `return` of a branch; for a graph that has one set of results, these.
  struct ReturnPoint {
    NodeId node; ///< none: the results of the graph
    std::span<const ValueId> values;
  };
  std::vector<ReturnPoint> returns(std::size_t branch) const;
  /// Source: a branch returns a list of which nobody knows how long it is.
  bool openOutputs() const { return listOutputs; }
  /// One branch returns more, and leaving some out makes the two agree: which belong together is not known.
  bool outputsShifted() const { return shifted; }
  /// The results of a branch; empty when it is missing.
  std::span<const ValueId> results(std::size_t branch) const;
  /// False for a branch that the target never looks at: TensorRT's parser and torch's tracer take
  /// one side of a constant predicate (TP2, P5).
  bool isTaken(std::size_t branch) const { return !untaken || *untaken != branch; }
  bool isDead(GraphId g) const;
  /// \p g is, or is inside of, a branch that a constant predicate never takes.
  bool isNeverTaken(GraphId g) const;
  /// The predicate is a constant of the model, or follows from constants and sizes that never change.
  bool predicateConstant() const { return constantPredicate; }
  /// The latter: TensorRT's builder knows which branch runs, its parser only where it folds the operators itself.
  bool predicateFolded() const { return foldedPredicate; }
  /// The same of any conditional of the model.
  bool hasConstantPredicate(NodeId node) const;
  /// In a function's body: whether the predicate is one constant for all its calls; not known where each call gives it
  /// one, and these differ or are not known.
  Tri predicateConstantForAllCalls() const;
  /// TensorRT compares the shapes of the branches where it cannot know which one runs (C12). Of ONNX's own no result
  /// hangs on the predicate where one branch alone comes, as long as the other is accepted.
  bool waivesShapes() const;
  std::optional<bool> predicateValue() const { return constantValue; }
  /// The severity that the table gives another rule (or this one) here.
  Severity tableSeverity(std::string_view rule, std::string_view variant = {}) const;

  /// Calls \p visit(problem, draft) for each value and graph with a problem of this
  /// kind, once; the draft says where it is.
  template <class Visit> void forEachProblem(ScopeFault fault, Visit visit) const {
    std::set<std::pair<ValueId, GraphId>> seen;
    for (const ScopeProblem &p : facts.scope) {
      if (p.fault != fault || !seen.insert({p.value, p.graph}).second)
        continue;
      Draft d;
      d.conditional = p.conditional;
      d.node = p.node;
      d.graph = p.node ? GraphId() : p.graph;
      visit(p, std::move(d));
    }
  }
  void report(Draft d);
  /// Not decided; \p reason says why. The first reason is kept.
  void unknown(std::string reason);
  /// Not decided, since the operator of \p n, of which nothing is known, may do what \p may says: every such operator
  /// is named.
  void unknownBy(NodeId n, std::string_view may);
  /// A rule on the whole model: not decided of the loop \p construct of a network.
  void unknownOf(NodeId construct, std::string reason);
  /// Where the storage of \p v may come from; not decided where that is not all of it.
  std::vector<AliasAnalysis::Source> sourcesOf(ValueId v);
  /// The same for what torch's tracer compares, which copies what some operators hand back.
  std::vector<AliasAnalysis::Source> tracedSourcesOf(ValueId v);
  /// Why the rule \p id is not decided of the loop \p construct; empty: nothing was said (unknownOf).
  std::string_view openOf(NodeId construct, std::string_view id) const {
    const auto open = openLoops.find({construct, id});
    return open != openLoops.end() ? std::string_view(open->second) : std::string_view();
  }
  /// The current rule applies, and has found no break and nothing that is unknown.
  bool holdsSoFar() const { return applies && verdict == Verdict::Proved; }
  /// The rule says nothing about this conditional.
  void absent() { applies = false; }

private:
  friend class Checker;
  void enter(const Conditional &c);
  /// A branch may name what it returns; what it returns of another graph says nothing of it.
  bool isReadable(ValueId v, std::size_t branch) const;
  /// The shorter list is the longer one with some left out, as far as types tell.
  bool matchInOrder(std::span<const ValueId> a, std::span<const ValueId> b) const;
  void believe(const Conditional &c);
  void sayIfIncomplete(ValueId v);

  const Conditional *current = nullptr;
  const RuleInfo *rule = nullptr;
  bool ofConstruct = false; ///< of the current rule: see `RuleFunction`
  Severity severityOf(const Draft &d) const;
  SourceLocation placeOf(const Draft &d, NodeId owner) const;
  void relateCalls(const Draft &d, Finding &f) const;

  std::vector<ValueId> believed; ///< whose operators are believed instead of their records
  std::vector<Output> outputList;
  std::array<std::vector<ValueId>, 2> flatResults; ///< of a network's conditional, by branch
  bool constantPredicate = false;
  bool foldedPredicate = false;
  std::optional<bool> constantValue;
  std::optional<std::size_t> untaken;
  Tri specialised = Tri::No; ///< see `ModelFacts::specialised`
  bool listOutputs = false, shifted = false;
  std::vector<bool> deadGraphs;

  AllExecutions executions;
  std::map<std::pair<NodeId, std::string_view>, Verdict> commonBreaks;  ///< in what all executions have in common
  std::map<std::pair<NodeId, std::string_view>, std::string> openLoops; ///< by loop and rule: why it is not decided

  // The answer of the current rule.
  bool applies = true;
  Verdict verdict = Verdict::Proved;
  std::string reason;
  std::vector<std::string> openOperators; ///< that the reason names
  std::vector<ReportedFinding> reported;
};

} // namespace condlint

#endif // CONDLINT_CHECKS_ENGINE_RULECONTEXT_H
