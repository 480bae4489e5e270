//===- OpenVinoRanks.h - Ranks that OpenVINO does not find ------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_OPENVINORANKS_H
#define CONDLINT_CHECKS_FACTS_OPENVINORANKS_H

#include "condlint/Graph.h"
#include "condlint/Target.h"
#include "condlint/TensorType.h"

namespace condlint {

/// Whether OpenVINO finds the rank of what \p n, a node of ONNX itself, computes (OV12): it goes by the nodes alone,
/// whatever the file declares. Where the rank hangs on axes or sizes that the model is given it does not; unknown where
/// they are computed, and may be folded.
Tri openVinoFindsRank(const Model &m, NodeId n, Version version);

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_OPENVINORANKS_H
