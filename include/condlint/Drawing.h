//===- Drawing.h - A conditional as boxes and arrows ------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a picture of a conditional shows, without places on paper: made from a model while it is in
// memory, kept in the report, laid out when a page is written.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_DRAWING_H
#define CONDLINT_DRAWING_H

#include "condlint/Source.h"
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace condlint {

/// One conditional: its predicate and its branches, each a graph of boxes.
struct Drawing {
  enum class Kind : std::uint8_t {
    Operand,     ///< what both branches are passed: a port at the top
    Capture,     ///< what a branch reads of the scopes around it: likewise
    Node,        ///< an operator, a layer
    Conditional, ///< an operator with branches of its own
    Output,      ///< what the branch returns: a port at the bottom
  };
  /// When a layer of a TensorRT network is evaluated.
  enum class Tone : std::uint8_t { Plain, Lazy, Eager, Shared };

  struct Box {
    Kind kind = Kind::Node;
    Tone tone = Tone::Plain;
    bool isInSlice = false;         ///< it belongs to what matters
    bool isNamed = false;           ///< a finding stands at it
    bool differs = false;           ///< an output whose type is another in the other branch
    std::uint32_t hiddenInputs = 0; ///< what it reads and is not among the boxes
    std::string title;              ///< "aten.add.Tensor", "operand 0", "output 1"
    std::string name;               ///< of the node or the value
    std::string type;               ///< of what it makes: "float32[s0, 4]"
    SourceLocation location;
  };
  struct Edge {
    std::uint32_t from = 0, to = 0;
    friend auto operator<=>(const Edge &, const Edge &) = default;
  };
  struct Side {
    std::string name;    ///< "then_branch"
    std::string problem; ///< why there is no graph, in words
    std::vector<Box> boxes;
    std::vector<Edge> edges; ///< positions in `boxes`
    std::size_t leftOut = 0; ///< operators of the branch that are not among the boxes
  };

  std::string path; ///< of the conditional
  std::string op;   ///< "If", "higher_order.cond"
  std::string predicate, predicateType;
  std::vector<Side> sides;
};

/// What is drawn of an input's conditionals.
struct DrawingLimits {
  enum class Which : std::uint8_t { None, WithFindings, All };
  Which which = Which::None;
  std::size_t boxesASide = 2000;  ///< of a branch with more, what matters alone is kept
  std::size_t boxesInAll = 20000; ///< of one input
};

} // namespace condlint

#endif // CONDLINT_DRAWING_H
