//===- ModelFacts.h - What the rules share about a model --------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_MODELFACTS_H
#define CONDLINT_CHECKS_FACTS_MODELFACTS_H

#include "AssertedSizes.h"
#include "ComputedOfInputs.h"
#include "ConstantValues.h"
#include "ExportedNodes.h"
#include "LaterTrips.h"
#include "NeededValues.h"
#include "OpenShapes.h"
#include "ResultMemory.h"
#include "RunData.h"
#include "Undeclared.h"
#include "condlint/Conditional.h"
#include "condlint/Graph.h"
#include "condlint/Op.h"
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace condlint {

class NetworkFacts;
class SourceFacts;

/// How a use of a value breaks the order or the scopes.
enum class ScopeFault : std::uint8_t {
  Undefined,     ///< nothing defines it, or it stands where no scope reaches
  Later,         ///< defined after the node that uses it or holds the use, in a graph that is not the main one
  MainLater,     ///< the same in the main graph, whose nodes ONNX Runtime sorts, as it does those of no other
  Cyclic,        ///< defined after its use, and it depends on that
  PredicateSelf, ///< a predicate that depends on its own conditional
  CrossBranch,   ///< made in the other branch
  Leak,          ///< made inside a branch, used outside
  Capture,       ///< of a scope around, in a format whose graphs are closed
};

/// A use of a value that scopes do not allow.
struct ScopeProblem {
  ScopeFault fault = ScopeFault::Undefined;
  ValueId value;
  GraphId graph;      ///< where it is used
  NodeId node;        ///< who uses it; none: the graph returns it
  NodeId conditional; ///< the conditional at whose boundary it breaks, if there is one
};

/// Work outside a conditional that only one of its branches needs.
struct EagerWork {
  NodeId conditional;
  GraphId branch;
  std::vector<NodeId> nodes; ///< in the order of the graph
};

/// What several rules need to know of a model, found in few passes over it.
struct ModelFacts {
  ModelFacts(Model &model, const std::vector<Conditional> &conditionals, const Inference &inference);
  ~ModelFacts();

  std::unique_ptr<SourceFacts> source;   ///< variables and captures of C++ source
  std::unique_ptr<NetworkFacts> network; ///< what is inside what among TensorRT's layers

  Undeclared undeclared;     ///< of ONNX models
  CheckerTypes checkerTypes; ///< of ONNX models
  ComputedOfInputs ofInputs;
  ConstantValues constants; ///< of serialized models
  RunData runData;          ///< of serialized models
  LaterTrips laterTrips;    ///< of serialized models
  NeededValues needed;      ///< of ONNX models
  OpenShapes openShapes;    ///< the same
  AssertedSizes asserted;   ///< of exported programs
  ExportedNodes exported;   ///< of exported programs, in ExecuTorch
  ResultMemory results;     ///< the same

  std::vector<bool> notableOperators; ///< by operator: random (ONNX), or rejected by TensorRT in a branch
  bool anyNotable = false;            ///< some operator is
  std::vector<bool> used;             ///< by value: some node reads it or some graph returns it
  std::vector<bool> conditional;      ///< by node
  std::vector<bool> replaced;         ///< by graph: typed copies stand in for it
  std::vector<bool> uncalled;         ///< by graph: of a function that no node leads to from the main graph
  std::vector<ScopeProblem> scope;    ///< in the order of the model

  /// Conditionals whose predicate cannot be read where it stands.
  std::unordered_set<NodeId> brokenPredicates;
  /// The contradictions of each value, as positions in the inference's list.
  std::unordered_map<ValueId, std::vector<std::size_t>> contradictions;

  /// What operators find not below zero, by the graph that they stand in.
  std::unordered_map<GraphId, std::vector<Dim>> conditionsIn;

  /// The typed copies of one conditional in a function's body, \p n among them; empty for other conditionals.
  std::span<const NodeId> copiesOf(NodeId n) const;
  /// Outside of \p g some node reads what no scope gives it: what it is meant to read is not known.
  bool readsLostOutside(GraphId g) const;
  /// The conditional around \p g that is nearest, within the scopes up to \p outer.
  NodeId nearestConditional(GraphId g, GraphId outer = GraphId()) const;
  /// \p n is a conditional of recorded code whose predicate is a constant of Python: torch runs the branch that is
  /// taken as if its code stood there, and never looks at the other (P5). It is not known where it is traced within
  /// another: torch's tracer takes no size for a constant there, and its comparison is none.
  Tri specialised(NodeId n) const;
  /// The branch that is taken of what torch specialises, or may; else none.
  GraphId takenOf(NodeId n) const;
  /// Recorded: \p g is traced together with the conditional or loop around it, and not on its own.
  bool isTracedWithin(GraphId g) const;
  /// The first place of \p v among the results of its own graph; none where that does not return it.
  std::optional<std::size_t> returnedAt(ValueId v);
  /// What need not be done in every run is no work; \p defaultsHold as in `ConstantValues`.
  const std::vector<EagerWork> &eagerWork(bool defaultsHold);
  /// True when the symbol \p name is known before \p node runs: some value that
  /// reaches it has it in its type or content.
  bool knownBefore(const std::string &name, NodeId node);
  /// The nodes of the function body \p body, and of the functions it calls, that
  /// draw random numbers or that TensorRT rejects inside a branch; those inside a
  /// conditional of the function are that conditional's.
  const std::vector<NodeId> &notableNodes(GraphId body);

private:
  const Model &m;
  std::map<std::pair<GraphId, std::uint32_t>, std::vector<NodeId>> copies; ///< by the body's graph, and place there
  std::array<std::optional<std::vector<EagerWork>>, 2> eagerBy;            ///< without and with defaults that hold
  std::optional<std::map<std::string, std::vector<ValueId>, std::less<>>> holders;
  std::unordered_map<GraphId, std::vector<NodeId>> notable;
  std::optional<std::unordered_map<ValueId, std::size_t>> returned;
  std::vector<std::uint32_t> cycles; ///< by node: which it is on; found when some order is wrong

  void scanUses();
  void scanGraph(GraphId g);
  void use(ValueId v, GraphId user, NodeId node, bool predicate);
  ScopeProblem classify(ValueId v, GraphId user, NodeId node, bool predicate);
  /// Two nodes of one graph need each other, or are one.
  bool onOneCycle(NodeId a, NodeId b);
  void findCycles();
  void collectHolders();
};

/// The node of \p outer that holds \p inner in one of its regions.
NodeId holderIn(const Model &m, GraphId outer, GraphId inner);
/// The region directly under \p outer that is or holds \p inner.
GraphId regionUnder(const Model &m, GraphId outer, GraphId inner);
/// The innermost scope around both; none for scopes of two functions.
GraphId commonScope(const Model &m, GraphId a, GraphId b);

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_MODELFACTS_H
