//===- OpenVinoReading.h - Which operators OpenVINO reads in a branch -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_OPENVINOREADING_H
#define CONDLINT_CHECKS_FACTS_OPENVINOREADING_H

#include "condlint/Graph.h"
#include "condlint/Target.h"
#include "condlint/TensorType.h"
#include <string_view>

namespace condlint {

/// Whether OpenVINO takes a node of ONNX that stands in a branch (OV8).
struct OpenVinoReading {
  Tri isRead = Tri::Yes;      ///< of what was not measured yes, of operators that an extension may bring unknown
  std::string_view how = {};  ///< not empty: it is not read so, and otherwise it is; "in training mode"
  std::string_view help = {}; ///< where it is not read: what to do
  bool isWrong = false;       ///< it is read, and computes something else in a branch: `how` says what
};

/// Of \p version, which is one of those that were measured.
OpenVinoReading openVinoReading(const Model &m, NodeId n, Version version);

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_OPENVINOREADING_H
