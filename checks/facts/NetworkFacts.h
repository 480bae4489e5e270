//===- NetworkFacts.h - What is inside what in a network --------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TensorRT's layers lie flat in one graph, and what is inside a conditional or a loop
// follows from what reads what (F5, F6): a layer is inside a branch, and so
// lazy, when it depends on an input layer of the conditional and the branch's output
// depends on it. This is where that is worked out, once for all rules.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_NETWORKFACTS_H
#define CONDLINT_CHECKS_FACTS_NETWORKFACTS_H

#include "NetworkWalk.h"
#include "condlint/Graph.h"
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace condlint {

/// A conditional or a loop of a network. Nodes stand in program order.
struct Construct {
  NodeId node; ///< `addIfConditional` or `addLoop`
  bool isLoop = false;
  std::vector<NodeId> conditions; ///< `setCondition`, or the trip limits
  std::vector<NodeId> inputs;     ///< input layers, or recurrences and iterators
  std::vector<NodeId> outputs;
  /// Of a conditional: the input layers that lead in what is inside already, whatever else the code may mean.
  std::vector<NodeId> leadsAgain;
  /// What is inside: of the true and of the false branch; of a loop all in the first.
  std::array<std::vector<NodeId>, 2> interior;
  /// Of that what is there whichever of several tensors the code means (`cxx.join`): it depends on an input layer, and
  /// what ends the branch on it.
  std::array<std::vector<NodeId>, 2> certain;
  /// Some layer with work is inside for some of several tensors, and for others would stand outside.
  bool mayStandOutside = false;
  /// Something is inside of both branches, but not for certain.
  bool mayCross = false;
  /// What lies inside, or leaves it, is not known: code that is not seen gets something of it, and may use that outside
  /// or give it back; or what is inside for some of several tensors is read outside too.
  bool mayMingle = false;
  std::uint32_t depth = 0; ///< how many constructs it lies in
  /// It, or something of it, is given to code that is not seen: what it lacks may be
  /// added there.
  bool open = false;
  /// Some of its layers are added on some paths only, or several times.
  bool uncertain = false;
  /// Its condition depends on it.
  bool selfDependent = false;
  /// The same, or something inside of it lies on a cycle, for some of several tensors.
  bool mayDependOnSelf = false, mayHoldCycle = false;
};

/// A value that is used where it does not exist.
struct Escape {
  NodeId user;
  std::uint32_t operand = 0;
  NodeId maker;
  std::uint32_t construct = 0; ///< what it escapes from, the innermost
  std::uint32_t other = 0;     ///< when `crossing`: the other one
  bool crossing = false;       ///< the user reads values of two constructs that do not nest
};

/// Layers outside of a conditional that only one of its branches needs.
struct EagerLayers {
  std::uint32_t construct = 0;
  std::size_t branch = 0;
  std::vector<NodeId> layers; ///< those that work, in program order
  std::vector<ValueId> reads; ///< what they read from outside: what would have to go through `addInput`
};

class NetworkFacts {
public:
  /// Empty for a model that is no TensorRT network read from source.
  explicit NetworkFacts(const Model &model);

  std::span<const Construct> constructs() const { return list; }
  /// The construct that \p node adds, or null.
  const Construct *at(NodeId node) const;
  /// The innermost construct that \p n is inside of or an input layer of; null: none.
  const Construct *innermost(NodeId n) const;
  /// For some of several tensors that the code may mean, at least.
  bool isInside(NodeId n, const Construct &c) const;
  /// Unknown: for some of several tensors that the code may mean, or \p n is one of several.
  Tri inside(NodeId n, const Construct &c) const;
  /// The innermost conditional around \p n, lazy in it; none.
  const Construct *lazyIn(NodeId n) const;

  const std::vector<Escape> &escapes() const { return escaped; }
  /// Each execution that its graph stands for has it: of a graph that stands for several, not all that it holds is
  /// there in each.
  bool isCertain(const Escape &e) const;
  /// Whichever of several tensors the code means, what escapes is inside, and somebody who counts needs its user.
  bool isOfOneTensor(const Escape &e) const;
  const std::vector<EagerLayers> &eager() const { return eagerLayers; }
  /// Why it is not known whether only one branch needs what stands outside; empty: it is known.
  std::string_view eagerUnknown(const Construct &c) const;
  /// For a cycle that no recurrence closes: the layers in it.
  const std::vector<std::vector<NodeId>> &cycles() const { return cyclic; }
  /// Somebody who counts reads \p v: not only what is never used itself.
  bool isUsed(ValueId v) const { return usedValue[v.index()]; }
  /// All that reads what \p n yields reads one of several tensors, and may mean another one.
  bool isReadPerhaps(NodeId n) const;
  /// An output, an assertion or a return reads what is computed of \p n wherever the code comes to \p n: in each
  /// execution that its graph stands for.
  bool isReadInEach(NodeId n) const;
  /// A branch reads what the input layer \p in of \p c yields, or somebody else does
  /// who counts.
  bool isRead(NodeId in, const Construct &c) const;
  /// The same whichever of several tensors the code means.
  bool isSurelyRead(NodeId in, const Construct &c) const;
  /// Code that is not seen gets the layer \p n itself, and may set its inputs; from a tensor nobody gets at it.
  bool isHandedOut(NodeId n) const;
  /// It may depend on anything: computed from what is not known.
  bool isTainted(NodeId n) const { return tainted[n.index()]; }
  /// Computed while TensorRT builds: from constants alone.
  bool isConstant(NodeId n) const { return constant[n.index()]; }
  /// On the way from a conditional's inside to its own condition.
  bool isBeforeOwnCondition(NodeId n) const { return leadsToCondition[n.index()]; }
  /// The rest of the graph may be changed by code that is not seen after \p n.
  bool isOpen(NodeId n) const;
  /// Some layer of the graph reads a tensor that is not known: it may be any that \p g holds.
  bool readsUnknown(GraphId g) const { return unknownRead[g.index()]; }
  /// What is computed of \p n is read where the code need not come to, or comes to more often than to \p n.
  bool isReadElsewhere(NodeId n) const;
  /// The graph holds code that was not followed to its end, or does not compile.
  bool isIncomplete(GraphId g) const { return incomplete[g.index()]; }

private:
  friend class EagerSearch;
  const Model &m;
  std::vector<Construct> list;
  std::vector<std::uint32_t> constructOf; ///< by node: the construct that it adds, + 1
  std::vector<std::uint32_t> ownerOf;     ///< by node: the construct whose boundary it is, + 1
  struct Use {
    NodeId user;
    std::uint32_t operand;
  };
  std::vector<std::uint32_t> firstUse; ///< by node, into `uses`
  std::vector<Use> uses;
  std::vector<bool> usedValue, tainted, constant, workless, live, leadsToCondition;
  std::vector<bool> watched;                       ///< `markDebug` shows it, or what is computed of it
  std::vector<bool> needed;                        ///< live or watched whichever of several tensors the code means
  std::vector<bool> leavesSight;                   ///< what code that is not seen may be given of it
  std::vector<bool> handedOut;                     ///< by construct: code that is not seen gets its handle
  std::vector<NodeId> lastEvent;                   ///< by graph: the last one that may change the network unseen
  std::vector<bool> incomplete;                    ///< by graph
  std::vector<bool> unknownRead;                   ///< by graph
  std::vector<std::vector<std::uint32_t>> insides; ///< by node: the constructs that it is inside of
  std::vector<Escape> escaped;
  std::vector<EagerLayers> eagerLayers;
  std::vector<std::string_view> eagerDoubts; ///< by construct
  std::vector<std::vector<NodeId>> cyclic;
  NodeMarks ahead, behind, dependent; ///< of the construct whose inside is looked for
  mutable NodeMarks reached;          ///< of a walk that nothing is asked of behind it

  void collect();
  void collectUses();
  void spread();
  void findUnknownReads();
  void findCycles();
  void findPossibleCycles();
  bool isCycle(const std::vector<NodeId> &component) const;
  template <class Mark> bool markOwnConditions(const std::vector<NodeId> &cycle, Mark mark);
  void findInteriors(std::uint32_t c);
  void findAhead(std::uint32_t c);
  void findDependent(std::uint32_t c);
  void findCertain(Construct &c, std::size_t side, const std::vector<NodeId> &ends);
  void findLeadsAgain(Construct &c);
  bool mayLeave(const Construct &c);
  void findDepths();
  void findHandedOut();
  void findEscapes();
  void findEager(std::uint32_t c, std::vector<bool> &claimed);
  std::span<const Use> usesOf(NodeId n) const;
  /// What \p n yields goes where nobody looks, and what ends \p c comes from there, or its
  /// handle goes there too: it may be inside.
  bool mayComeBack(NodeId n, const Construct &c) const;
  /// What ends \p c hangs on what is not known.
  bool endsInUnknown(const Construct &c) const;
  bool isSurelyInside(NodeId n, const Construct &c) const;
  void findMingled(NodeId user, NodeId join);
  /// \p n stands for one of several values, or for one that need have nothing to do with what it reads.
  bool isOneOf(NodeId n) const;
  bool isOutputOf(NodeId n, std::uint32_t construct) const;
  bool mayNest(const Construct &outer, const Construct &inner) const;
  NodeId defOf(ValueId v) const;
  bool isHandle(NodeId n, std::size_t operand) const;
  bool isBackEdge(NodeId n, std::size_t operand) const;
  bool isCount(NodeId limit) const;
  bool hasStaticShape(ValueId v) const;
  bool contains(const Construct &outer, const Construct &inner) const;
  std::int64_t pathOf(NodeId n) const;
  template <class Visit> void successors(NodeId n, Visit visit) const;
  template <class Visit> void predecessors(NodeId n, Visit visit) const;
};

/// The name of a layer's method, "addUnary"; empty for what is no layer of TensorRT's.
std::string_view layerName(const Model &m, NodeId n);

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_NETWORKFACTS_H
