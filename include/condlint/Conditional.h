//===- Conditional.h - One noun for cond, If and IIfConditional -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CONDITIONAL_H
#define CONDLINT_CONDITIONAL_H

#include "condlint/Graph.h"
#include <string>
#include <vector>

namespace condlint {

/// What stands where the predicate should.
enum class PredicateKind : std::uint8_t {
  Missing, ///< nothing
  Value,   ///< a value: `Conditional::predicate`
  Literal, ///< a constant written in the node: `Conditional::literal`
  Other,   ///< a string, None, a graph, …: `Conditional::predicateInstead`
};

/// An argument of another kind than the conditional takes there.
struct Misplaced {
  AttributeKind kind = AttributeKind::None;
  StringId text; ///< Opaque: what the file calls it; none when it cannot be read

  bool readable() const { return kind != AttributeKind::Opaque || bool(text); }
};

/// "an integer", "a list of strings", "None": \p x as one would say it.
std::string spellMisplaced(const Model &m, const Misplaced &x);
/// "int", "strings", "none": \p x in one word.
std::string_view nameOfMisplaced(const Model &m, const Misplaced &x);

/// One branch: what runs when the predicate selects it.
struct Branch {
  /// Why there is no graph.
  enum class Problem : std::uint8_t {
    None,
    Absent,     ///< nothing stands there
    Misplaced,  ///< `instead` stands there
    Reference,  ///< an attribute of the function around it, whose value a call says
    Unreadable, ///< the reader has told why
  };
  std::string name; ///< how the system calls it: "true_graph_0", "then_branch"
  GraphId graph;
  Problem problem = Problem::None;
  Misplaced instead;

  /// There is, or may be, a graph that this model does not hold.
  bool isUnseen() const { return problem == Problem::Reference || problem == Problem::Unreadable; }
  bool isMissing() const { return problem == Problem::Absent || problem == Problem::Misplaced; }
};

/// An operand, or what stands in its place.
struct ConditionalOperand {
  ValueId value;     ///< none: something else is there
  Misplaced instead; ///< what, when `value` is none
};

/// A conditional whatever the source: `torch.cond` and its C++ twins, ONNX `If`,
/// TensorRT's `IIfConditional`. The true branch comes first.
struct Conditional {
  NodeId node;
  Dialect dialect = Dialect::Torch;
  PredicateKind predicateKind = PredicateKind::Missing;
  ValueId predicate;
  bool literal = false;
  Misplaced predicateInstead;
  std::vector<Branch> branches;             ///< two: true, false
  std::vector<ConditionalOperand> operands; ///< passed to both branches by position (torch)
  bool operandsMalformed = false;           ///< the operands are no list but `operandsInstead`
  Misplaced operandsInstead;
  bool capturesAllowed = false;  ///< branches may read values of the scopes around them
  std::uint32_t extraInputs = 0; ///< inputs beyond what the operator takes (ONNX If: one)
  /// ONNX: since which version this If exists ("If-1", "If-11"); 0 elsewhere.
  std::int32_t sinceVersion = 0;

  /// TensorRT: the layers at its boundary, in program order; what is inside follows
  /// from the flow of values. Its branches have no graphs of their own.
  std::vector<NodeId> conditionLayers;
  std::vector<NodeId> inputLayers;
  std::vector<NodeId> outputLayers;

  bool hasBothBranches() const { return branches.size() == 2 && branches[0].graph && branches[1].graph; }
};

/// True when \p n is a conditional of its system.
bool isConditional(const Model &m, NodeId n);
/// Describes the conditional \p n, sound or not.
Conditional conditionalAt(const Model &m, NodeId n);
/// All conditionals of \p m at every depth, in the order of the file: the main
/// graph's, then the functions'. Typed copies of function bodies are left out
/// unless \p instances is set; then the copies stand in for the bodies that
/// have some.
std::vector<Conditional> conditionals(const Model &m, bool instances = false);

} // namespace condlint

#endif // CONDLINT_CONDITIONAL_H
