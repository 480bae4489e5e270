//===- TensorRtImporter.h - What older ONNX parsers make of an If -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TensorRT's ONNX parser turns the layers of an If's branches into a conditional.
// Until 10.6 it looked for them by name, and missed some (read off its published
// source, releases 8.2 to 10.1). The versions stand in the rule table.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_TENSORRTIMPORTER_H
#define CONDLINT_CHECKS_FACTS_TENSORRTIMPORTER_H

#include "condlint/Graph.h"
#include <vector>

namespace condlint {

/// 8.6 to 10.5: a layer was given an input layer where its name began with that of a
/// tensor that enters the branch. True when \p branch reads such tensors and none of
/// its nodes can be called so: then it is evaluated always.
bool isMissedByName(const Model &m, GraphId branch);

/// Up to 8.6: the outputs of a branch were the tensors that no layer of it reads. The
/// results of \p branch that were no outputs therefore, while others were.
std::vector<ValueId> overlookedResults(const Model &m, GraphId branch);

/// Weights of two branches that have one name and are not the same.
struct ConfusedWeights {
  ValueId first, second; ///< in the order of the model
};
/// 8.4: weights became one layer for each name, the first of them. One pair for each name that operators of two
/// branches read so.
std::vector<ConfusedWeights> confusedWeights(const Model &m);

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_TENSORRTIMPORTER_H
