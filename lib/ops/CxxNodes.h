//===- CxxNodes.h - Nodes of C++ source -------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_OPS_CXXNODES_H
#define CONDLINT_OPS_CXXNODES_H

#include "condlint/Graph.h"
#include <string_view>

namespace condlint {

/// True for a node of the domain `cxx` (docs/cxx-graph.md) called \p name.
bool isCxx(const Model &m, NodeId n, std::string_view name);
/// True for a graph that was recorded while Python code ran (`"recorded"` in graph JSON): it is a
/// graph as a `.pt2` holds one, with the nodes and captures of source that say what the code did besides.
bool isRecorded(const Model &m);

} // namespace condlint

#endif // CONDLINT_OPS_CXXNODES_H
