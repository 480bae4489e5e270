//===- SideGraph.h - One branch as a graph of what is drawn -----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ids alone: a branch may have a million operators, of which few are drawn. Constants and literals are no
// vertices, but for one that is returned.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_REPORT_DRAWING_SIDEGRAPH_H
#define CONDLINT_LIB_REPORT_DRAWING_SIDEGRAPH_H

#include "condlint/Conditional.h"
#include "condlint/Drawing.h"
#include <cstdint>
#include <functional>
#include <vector>

namespace condlint::drawing {

struct Vertex {
  Drawing::Kind kind = Drawing::Kind::Node;
  NodeId node;             ///< Node, Conditional
  ValueId value;           ///< ports; a constant that is returned
  std::uint32_t index = 0; ///< of an operand or an output
  StringId captured;       ///< a capture that is no value: its name
};

/// What makes and who uses: positions in the list of vertices, of each in turn.
struct SideGraph {
  std::vector<Vertex> vertices;       ///< ports, operators in their order, outputs
  std::vector<Drawing::Edge> edges;   ///< sorted, each once
  std::vector<std::uint32_t> outputs; ///< vertices

  std::vector<std::vector<std::uint32_t>> makers() const;
  std::vector<std::vector<std::uint32_t>> users() const;
};

/// Whether a layer of a network, which its conditional reads, is evaluated always.
using IsSharedLayer = std::function<bool(NodeId)>;

/// The branch \p side of \p c. Of a network: what its outputs come from, back to the conditional's inputs and to
/// the layers that \p isShared names.
SideGraph sideGraph(const Model &m, const Conditional &c, std::size_t side, const IsSharedLayer &isShared);

} // namespace condlint::drawing

#endif // CONDLINT_LIB_REPORT_DRAWING_SIDEGRAPH_H
