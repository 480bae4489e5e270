//===- RejectedLayers.h - Layers that TensorRT takes in no branch -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_REJECTEDLAYERS_H
#define CONDLINT_CHECKS_FACTS_REJECTEDLAYERS_H

#include "condlint/Graph.h"

namespace condlint {

/// The layer \p n of a network is one that TensorRT's own verifier refuses in a branch (I1).
bool isRejectedLayer(const Model &m, NodeId n);
/// Nodes of the operator \p o, of torch or ONNX, may become such a layer.
bool mayBecomeRejectedLayer(const Model &m, OperatorId o);
/// \p o is ONNX's Attention, which some versions of TensorRT alone fail with in a branch.
bool isAttention(const Model &m, OperatorId o);
/// The node \p n, of torch or ONNX, becomes such a layer.
bool becomesRejectedLayer(const Model &m, NodeId n);

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_REJECTEDLAYERS_H
