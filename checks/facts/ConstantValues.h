//===- ConstantValues.h - What is the same in every run ---------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_CONSTANTVALUES_H
#define CONDLINT_CHECKS_FACTS_CONSTANTVALUES_H

#include "condlint/Graph.h"
#include <array>
#include <optional>
#include <unordered_map>
#include <vector>

namespace condlint {

/// An initializer that is also an input of an ONNX model. The caller can override it; of TensorRT's parser, which keeps
/// it out of the network's inputs, it is a constant.
bool isDefault(const Model &m, ValueId v);

/// Inference knows \p v as numbers, and not as names of numbers.
bool isNumbers(const Model &m, ValueId v);

/// Which values of a serialized model follow from its constants and from sizes that never change: a transposed weight,
/// a comparison of static sizes. Who loads the model computes them once, and no run does. They are found for the whole
/// model when it is first asked for one.
class ConstantValues {
public:
  explicit ConstantValues(const Model &model) : m(model) {}

  /// \p v is the same in every run, though what it is may not be known. \p defaultsHold: nobody overrides an
  /// initializer that is an input. A parameter of a function's typed copy is where all calls of that copy give it a
  /// value that is.
  bool holds(ValueId v, bool defaultsHold);
  /// What the calls of a function's typed copy give for its parameter \p v; empty where it is no such parameter.
  std::vector<ValueId> given(ValueId v);

private:
  const Model &m;
  std::array<std::optional<std::vector<bool>>, 2> found; ///< by value, without and with defaults that hold
  std::optional<std::unordered_map<GraphId, std::vector<NodeId>>> calls; ///< by the typed copy that they call

  const std::vector<NodeId> &callsOf(GraphId copy);
  std::vector<bool> find(bool defaultsHold);
  /// One pass over the model; whether it found more.
  bool extend(std::vector<bool> &values);
};

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_CONSTANTVALUES_H
