//===- InferState.h - One run of type inference ------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_OPS_INFERSTATE_H
#define CONDLINT_OPS_INFERSTATE_H

#include "AtenSchema.h"
#include "Cases.h"
#include "OnnxVersions.h"
#include "condlint/Op.h"
#include <array>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace condlint {

struct ElementKinds;

/// What one run of `inferTypes` carries from node to node.
class InferState {
public:
  /// Numbers of at most this many elements are followed (shape arithmetic).
  static constexpr std::uint32_t maxContent = 64;

  InferState(Model &model, Inference &result);

  /// Types the whole model.
  void run();
  /// Types once more what another run has typed: bodies of functions have their copies, which stay.
  void runAgain();
  /// What the operator of \p n yields, whose operands and regions are typed: the types of its results, some of them
  /// none. What is recorded of them stays out of it.
  std::vector<TypeId> yieldedBy(NodeId n);
  /// Types the nodes of \p g in order; its parameters are typed already.
  void inferGraph(GraphId g);
  void inferNode(NodeId n) {
    ++typed;
    if (!repeatsEarlier(n))
      inferByOperator(n);
  }
  /// Types \p n alone: what its regions hold is typed already.
  void inferBuilt(NodeId n);
  /// Gives a region's parameter its type, unless the file records one.
  void passParameter(GraphId g, std::size_t i, TypeId type, ContentId content = ContentId());
  /// The type that is true of both \p a and \p b; what differs is unknown, and
  /// dimensions that differ are a new symbol when \p freshDims is set. The element
  /// types of both are possible; those of two that never agree, which is somebody's
  /// mistake and reported there, only when \p unite is set.
  TypeId join(TypeId a, TypeId b, InferContext *freshDims = nullptr, bool unite = false);
  /// What has been found wrong so far, and what has no definition.
  struct Faults {
    std::size_t contradictions = 0, invalid = 0, contested = 0, followUps = 0;
    std::map<std::string, std::size_t> untyped;
    /// The same faults: what has no definition is none.
    friend bool operator==(const Faults &a, const Faults &b) {
      return a.contradictions == b.contradictions && a.invalid == b.invalid && a.contested == b.contested;
    }
  };
  Faults faults() const {
    return {out.contradictions.size(), out.invalid.size(), contested, out.followUps.size(), out.untyped};
  }
  void forgetSince(const Faults &before);
  /// False when regions were typed again so often that it is enough, whatever the file claims: nodes were typed
  /// \p times as often as there are nodes.
  bool mayRepeat(std::size_t times = 4) const { return typed <= times * (m.nodeCount() + 1); }
  /// The effective type of \p v with names for what is not known of it, in C++ source.
  TypeId named(ValueId v);
  /// \p v is one tensor, not whichever of a list of unknown length.
  bool isOne(ValueId v) const;
  TypeId effective(ValueId v) const { return m[v].type ? m[v].type : m[v].recorded; }

  const Type &typeOf(ValueId v) const {
    const Value &x = m[v];
    for (const auto &[value, type] : substitutes)
      if (value == v)
        return type;
    return m.types[useRecorded && x.contradicted ? x.recorded : (x.type ? x.type : x.recorded)];
  }

  /// ONNX: which branch of the conditional \p n comes, where that is known: its predicate follows from constants and
  /// sizes, or from the case that is assumed.
  std::optional<bool> decided(NodeId n) const;
  /// The cases of result \p i of the conditional \p n, whose branches yield \p whenTrue and \p whenFalse, to
  /// `pendingCases`.
  void uniteCases(NodeId n, std::size_t i, ValueId whenTrue, ValueId whenFalse);
  /// What \p v is in each of its cases; empty where its type is all that is known.
  const std::vector<CaseType> &casesOf(ValueId v) const;

  Model &m;
  Inference &out;
  std::vector<TypeId> pending; ///< the results of the node being typed
  /// What they are in their cases; shorter than \c pending, or empty, where there are none.
  std::vector<std::vector<CaseType>> pendingCases;
  const Case *assumed = nullptr; ///< the case in which a node is typed once more
  /// What conditionals yield of which one branch alone can come, and what follows from that: exporters and runtimes
  /// that do not know it declare what is true of both branches, or of the other one.
  std::unordered_set<ValueId> hangsOnDecision;
  /// Parameters of branches whose record and what is passed exclude each other.
  std::size_t contested = 0;
  /// Types follow as onnx's checker has them: of numbers it knows those of constants of the same graph alone, and of
  /// the shapes that a Loop carries what is declared.
  bool asChecker = false;
  /// Takes from \c pending what the checker does not come to of the node \p n.
  void forgetAsChecker(NodeId n);
  /// In a region under autocast: floating operands are cast by rules that the graph does not show.
  bool autocasts = false;
  /// Values of which neither the record nor the operator says which float they are: see `doubtsFloat`.
  std::unordered_set<ValueId> doubtful;

  // While element types are tried out (ElementSets.cpp):
  std::vector<std::pair<ValueId, Type>> substitutes; ///< what operands are taken for
  std::optional<unsigned> assumedScalars;            ///< see `InferContext::assumedScalars`
  bool refused = false;                              ///< the operator takes no such operands

private:
  void forgetEntries();
  /// Finds the inputs of the model whose records are what is wrong, not those of what reads them
  /// (InputRecords.cpp). \p before: what was wrong before the main graph was typed.
  void settleInputs(const Faults &before);
  std::size_t faultsSince(const Faults &before) const {
    return out.contradictions.size() - before.contradictions + out.invalid.size() - before.invalid;
  }
  /// Some node of \p g reads what a later one makes.
  bool readsAhead(GraphId g) const;
  // Cases.cpp
  class Substitution;
  /// Types \p n, which has been typed, in each case of its operands, and keeps what is found wrong there.
  void inferCases(NodeId n);
  /// The same in one case. \returns true when a fault was kept; \p reports: it may be.
  bool inferCase(NodeId n, std::uint32_t which, std::span<const ValueId> inner, std::span<const ValueId> captured,
                 bool reports);
  std::vector<std::uint32_t> casesOfOperands(NodeId n, std::span<const ValueId> captured);
  /// Types the copy of a body that \p n calls with the types that its operands have now.
  void retypeCallee(NodeId n);
  /// The same in `runAgain`: with what is true of all its calls up to now.
  void retypeForAllCalls(NodeId n);
  /// \p type with a size of its own where one is not known.
  TypeId withOwnSizes(TypeId type);
  /// Gives the parameters of \p body the types and numbers of what \p n passes for them.
  void handOver(NodeId n, GraphId body);
  /// Types the nodes of \p body, within those of the call that is being typed.
  void inferBody(GraphId body);
  /// Takes what \p callee yields for what \p n does; \p isShared: it was typed for another call.
  void takeResults(NodeId n, GraphId callee, bool isShared);
  /// What \p v is in the case \p c; null where nothing is known of it in that case.
  const CaseType *typeIn(ValueId v, const Case &c) const;
  std::optional<bool> truthIn(ContentId content) const;
  /// What decides the predicate \p v, and whether it is that or its opposite.
  Known rootOf(ValueId v) const;
  /// In \p c nothing of \p from runs, which lies in \p outer.
  bool isDeadIn(const Case &c, GraphId from, GraphId outer) const;
  /// Some run in which \p c holds comes to \p from: its predicates, and those of the branches between \p from and
  /// \p outer, hang on nothing common.
  bool mayHappen(const Case &c, GraphId from, GraphId outer) const;
  /// `merge` for a value that has cases, which are its own from then on; what is recorded of it and contradicted in
  /// some case goes to \p inCases.
  std::vector<Contradiction> mergeCases(ValueId v, TypeId inferred, std::vector<CaseType> cases,
                                        std::vector<Contradiction> &inCases);
  TypeId unite(TypeId settled, TypeId inferred, std::span<const CaseType> cases);
  CaseTable caseTable;
  std::unordered_map<ValueId, std::vector<CaseType>> caseTypes;

  void callFunction(NodeId n);
  GraphId instantiate(GraphId body, NodeId call);
  struct Cloning;
  void mapLateUses(GraphId instance, const Cloning &cloning);
  void cloneInto(GraphId from, GraphId to, Cloning &cloning);
  void cloneInputs(GraphId from, GraphId to, Cloning &cloning);
  void cloneNode(NodeId n, GraphId to, Cloning &cloning);
  /// Graphs that \p call gives are added to \p regions, those of \p n's copy.
  std::vector<Attribute> cloneAttributes(NodeId n, FunctionId function, NodeId call, std::vector<GraphId> &regions);
  /// Types the results of \p n by its operator, in `pending`.
  /// Whether the operator admits what \p n is given.
  bool inferOperator(NodeId n, InferContext &ctx);
  /// What is wrong with \p n follows from an operand that is not what the file records
  /// of it, which is reported there; `pending` is what the operator makes of the record.
  bool fitsAsRecorded(NodeId n);
  /// The value that is told to be recorded falsely, from which one comes that \p n reads; none where there is none.
  ValueId sourceOfLie(NodeId n) const;
  /// What \p n makes of values that it cannot name says nothing: the operand itself is
  /// what is wrong there, and what is recorded of the results stands.
  bool readsOutOfReach(NodeId n) const;
  /// What \p n makes of a number that the file records falsely, where that is reported.
  bool isMisled(NodeId n) const;
  /// Autocast makes one floating element type of those of \p n's operands.
  bool castsOperands(NodeId n) const;
  /// What the file records of the \p result of \p n is what it records of the value that the region
  /// of \p n yields there, which is found wrong there.
  bool repeatsItsRegion(NodeId n, ValueId result);
  /// Takes `pending` for the types of the results, and holds it against the record
  /// where the operator \p fits what the node is given.
  void finishNode(NodeId n, bool fits);
  /// Source: takes names from the results that were copied from operands.
  void dropNames(const Operator &op);
  class ResultNames;
  /// Source: names what is not known of the results (TypeNames.cpp).
  void nameResults(NodeId n, const InferContext &ctx);
  /// The same of TensorRT's layers, of which only shapes are named: what keeps or stretches the shapes that it reads,
  /// which all have one rank, and what has a shape of its own.
  void nameShapes(NodeId n, const InferContext &ctx);
  /// Source: what hangs on arguments that are not known is not known.
  void forgetUnresolved(const InferContext &ctx);
  /// Source: finds which element types the results may have by trying those that
  /// the operands may have.
  void tryElements(NodeId n);
  struct OpenOperands;
  struct ElementAnswers;
  OpenOperands openOperands(NodeId n);
  std::vector<std::vector<DType>> elementTrials(const OpenOperands &open) const;
  ElementAnswers askElements(NodeId n, const OpenOperands &open);
  void adoptElements(std::size_t i, const OpenOperands &open, const ElementAnswers &answers);
  bool tryOnce(NodeId n, const ElementKinds &admitted, std::vector<DTypeSet> &found, bool byCategory);
  /// Takes \p inferred for the type of \p v where nothing else is recorded of it; false where the two are to be merged.
  bool settle(ValueId v, TypeId inferred);
  /// Merges what is recorded of \p v with \p inferred into its effective type;
  /// returns the facets that contradict each other (Records.cpp).
  std::vector<Contradiction> merge(ValueId v, TypeId inferred);
  /// An exporter types a branch once more without the autocast regions in it: what it records there, and of what is
  /// computed of that in the branch, is not which float the value is.
  bool doubtsFloat(ValueId v) const;
  std::vector<Contradiction> mergeDoubted(ValueId v, TypeId inferred);

  /// `.pt2`: takes from the result of \p n the int that the file says it is, before \p n is typed;
  /// none where it says nothing, or data decide.
  ContentId takeRecordedNumber(NodeId n);
  /// Holds the int that \p n yields against the one that is recorded, whose spelling stays unless
  /// it is another one.
  void mergeNumber(NodeId n, ContentId recorded);

  /// True when the torch node of \p ctx is given what its overload takes.
  bool fitsOverload(InferContext &ctx);
  /// True when the ONNX node \p n fits its operator's schema.
  bool fitsSchema(NodeId n, InferContext &ctx);

  /// By operator: how its last nodes without attributes were called, if they fitted the schema, and what they yielded.
  /// Most nodes of a model are called like the one before, or like the one before that: what adds a bias alternates
  /// with what adds a residual.
  struct FittingCall {
    std::vector<TypeId> operands;
    std::size_t results = 0;
    bool known = false;
    TypeId type; ///< of the only result of an operator that is `Typewise`; none: not known
  };
  /// What the last node of the same operator yielded, if \p n is called like it.
  TypeId sameAsLast(NodeId n) const;
  /// Types \p n like the earlier node of its operator that it is called like, where nothing else is asked of it.
  bool repeatsEarlier(NodeId n);
  /// Types \p n by its operator, its record and whatever else decides.
  void inferByOperator(NodeId n);
  void rememberType(NodeId n);
  std::vector<std::array<FittingCall, 2>> fittingCalls; ///< the last first
  AtenSchemas aten;
  OnnxSchemas onnx;
  bool useRecorded = false;
  std::map<ValueId, ContentId> recordedNumbers; ///< nodes are typed more than once
  std::size_t typed = 0;                        ///< nodes, each as often as it was
  std::map<std::string, GraphId> instances;
  std::vector<bool> typedForRuns; ///< by graph: bodies that runs of the main graph reach, once those are typed
  std::size_t clonedNodes = 0, mostClonedNodes;
  unsigned callDepth = 0;
  bool isAgain = false;
  std::unordered_set<GraphId> typedAgain; ///< copies of functions' bodies
};

/// The name of an element type that is whatever \p root decides.
std::string elementName(std::string_view root);
/// The value whose shape \p shape is the name of; none where a shape follows from several.
ValueId shapeOwner(std::string_view shape);
/// \p a and \p b are known, and differ whatever their symbols stand for.
bool differAlways(const Model &m, Dim a, Dim b);
/// The small integers in a constant, row-major; nothing when they are not small
/// integers or not known.
std::optional<std::vector<Dim>> contentOfConstant(Model &m, ConstantId c);
/// A tensor that is as \p given cannot be one that is as \p recorded for a parameter.
bool neverPasses(const Model &m, const Type &recorded, const Type &given);
/// Types a node that owns regions; nothing when it is no control flow.
bool inferControlFlow(InferState &state, InferContext &ctx);
/// The results of a conditional whose branches are typed.
void inferConditionalResults(InferState &state, InferContext &ctx);

} // namespace condlint

#endif // CONDLINT_OPS_INFERSTATE_H
