//===- SourceFacts.h - What the rules share about C++ source ----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_SOURCEFACTS_H
#define CONDLINT_CHECKS_FACTS_SOURCEFACTS_H

#include "condlint/Alias.h"
#include "condlint/Conditional.h"
#include "condlint/Finding.h"
#include "condlint/Graph.h"
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace condlint {

/// A variable that carries a branch's work to where it must not be: read in the
/// other branch, or after the conditional.
struct VariableFlow {
  NodeId conditional;
  GraphId writer; ///< the branch that writes
  GraphId reader; ///< the branch that reads; none: outside of the conditional
  NodeId write;
  NodeId read; ///< the first one
};

/// A branch that has no body in the source that was read.
struct UnseenBranch {
  std::string_view name;
  bool isKnown; ///< which function it is
};

/// Variables and branches of a model that was read from C++ source (docs/cxx-graph.md).
class SourceFacts {
public:
  explicit SourceFacts(const Model &model);

  const std::vector<VariableFlow> &crossing() const { return crossings; }
  const std::vector<VariableFlow> &leaking() const { return leaks; }
  /// False when a variable is used so often that not all of its flows were looked for.
  bool knowsAllFlows() const { return !flowsLeft; }
  /// The captures of a branch that the closure rules speak of: what the branch
  /// writes, what the other one wrote and what a branch around it captures as well
  /// is reported elsewhere, and of `this` the first use alone counts.
  std::vector<const Capture *> reportedCaptures(const AliasAnalysis &aliases, GraphId branch) const;
  /// The capture of \p branch, or of one around it, that \p value stands for; or null.
  const Capture *captureOf(const AliasAnalysis &aliases, GraphId branch, ValueId value) const;
  /// Null where the body of \p branch was read.
  const UnseenBranch *unseen(GraphId branch) const;

private:
  const Model &m;
  struct Access {
    NodeId node;
    bool write = false;
  };
  std::unordered_map<std::int64_t, std::vector<Access>> variables; ///< in the order of the nodes
  std::vector<VariableFlow> crossings;
  std::vector<VariableFlow> leaks;
  std::unordered_map<GraphId, UnseenBranch> unseenBranches;

  bool flowsLeft = false;

  void follow(const std::vector<Access> &accesses);
  void add(std::vector<VariableFlow> &list, const VariableFlow &flow, bool byReader) const;
  bool isWritten(const AliasAnalysis &aliases, GraphId branch, const Capture &c) const;
  bool capturedAround(GraphId branch, const Capture &c) const;
  std::int64_t variableOf(NodeId n) const;
  std::int64_t wholeOf(NodeId n) const; ///< the variable of which it uses a part
  bool overlap(NodeId write, NodeId read) const;
};

/// The edits that make \p output of the `return` \p n a copy by the call \p copy; none where the
/// return does not spell it, or does so in a place that means more than this output.
std::vector<Edit> editsToCopy(const Model &m, NodeId n, std::size_t output, const std::string &copy = ".clone()");
/// The edits that write \p comparison behind the predicate of the conditional \p n; none where
/// it is written in a place that means more than this conditional.
std::vector<Edit> editsToCompare(const Model &m, NodeId n, std::string_view comparison);
/// True when nothing is known of where the storage of \p v comes from: the result
/// of what was not understood, or of a call without a body.
bool isUnexplained(const Model &m, ValueId v);

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_SOURCEFACTS_H
