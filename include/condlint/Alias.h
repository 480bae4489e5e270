//===- Alias.h - Who shares storage with whom, and who writes it -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_ALIAS_H
#define CONDLINT_ALIAS_H

#include "condlint/Graph.h"
#include "condlint/Op.h"
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace condlint {

/// Aliases and writes of a typed model, through views of views and through the
/// regions of nested conditionals and loops. Built once, linear in the nodes.
class AliasAnalysis {
public:
  explicit AliasAnalysis(const Model &m);

  /// A value whose storage another one shares: a fresh result, a parameter of
  /// the graph, or a value of a scope around it. `certain` is false when some
  /// step on the way may copy; `through` is the last node on the way (none when
  /// the two are one value).
  struct Source {
    ValueId value;
    bool certain = true;
    NodeId through;
    /// The last `cxx.join` on the way: the two share storage on one of its paths.
    NodeId join = {};
    /// Some step on the way is a copy where the model is traced (`AliasKind::Eager`).
    bool isCopiedByTracer = false;
  };
  /// Where the storage of \p v may come from; \p v itself when it is fresh.
  std::vector<Source> sources(ValueId v) const;
  /// The same of a traced model, where what a tracer copies is fresh.
  std::vector<Source> tracedSources(ValueId v) const;
  /// False when \p v may come from more values than `sources` lists.
  bool isComplete(ValueId v) const { return !incomplete.contains(v); }

  /// True when values that come from \p a and from \p b, which are of one storage,
  /// surely share it. Two that were joined may have taken different paths.
  static bool certainTogether(const Source &a, const Source &b) {
    return a.certain && b.certain && (!a.join || !b.join || a.join == b.join);
  }
  enum class Sharing : std::uint8_t { No, May, Yes };
  /// Whether \p a and \p b, both visible in one graph, share storage.
  Sharing share(ValueId a, ValueId b) const;

  /// A write to a value's storage by a node, or by a node inside its regions.
  struct Write {
    NodeId node;    ///< the node of the graph that writes or holds the writer
    NodeId writer;  ///< the innermost node that writes
    ValueId target; ///< the operand that is written
    bool certain = true;
  };
  /// The writes of the nodes of \p g in order. An opaque operator's possible
  /// writes are left out: ask `NodeEffects::opaque`.
  std::span<const Write> writes(GraphId g) const;
  /// Nodes of \p g that may do anything: not those of nested graphs, but nodes whose
  /// nested graphs write to what has too many sources to be named.
  std::span<const NodeId> opaqueNodes(GraphId g) const;

private:
  void addGraph(GraphId g);
  void addNode(NodeId n);
  void addRegions(NodeId n);
  void addAlias(ValueId result, ValueId operand, AliasKind kind, NodeId node);
  bool isJoin(NodeId n) const;
  std::span<const Source> roots(ValueId v, Source &self) const;

  const Model &m;
  /// Results that share storage with something, and with what in the end.
  std::unordered_map<ValueId, std::vector<Source>> rootTable;
  std::unordered_set<ValueId> incomplete; ///< results whose list in `rootTable` was cut off
  std::unordered_map<GraphId, std::vector<Write>> writeTable;
  std::unordered_map<GraphId, std::vector<NodeId>> opaqueTable;
};

} // namespace condlint

#endif // CONDLINT_ALIAS_H
