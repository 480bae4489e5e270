//===- NeededValues.h - What a result of an ONNX model hangs on -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_NEEDEDVALUES_H
#define CONDLINT_CHECKS_FACTS_NEEDEDVALUES_H

#include "condlint/Graph.h"
#include <cstddef>

namespace condlint {

/// Whether a result of the model, or of a function, hangs on some result of \p n: by way of operands, and of what
/// leaves a conditional or a loop by an output that is needed itself. Of what does not OpenVINO keeps nothing, whatever
/// it makes of it.
bool isNeeded(const Model &m, NodeId n);

/// The same of result \p i of \p n alone: the other results may be needed.
bool isResultNeeded(const Model &m, NodeId n, std::size_t i);

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_NEEDEDVALUES_H
