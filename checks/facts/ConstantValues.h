//===- ConstantValues.h - What is the same in every run ---------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_CONSTANTVALUES_H
#define CONDLINT_CHECKS_FACTS_CONSTANTVALUES_H

#include "Undeclared.h"
#include "condlint/Graph.h"
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace condlint {

class ComputedOfInputs;

/// An initializer that is also an input of an ONNX model. The caller can override it; of TensorRT's parser, which keeps
/// it out of the network's inputs, it is a constant.
bool isDefault(const Model &m, ValueId v);

/// All of \p content is numbers, and not names of numbers; false of none.
bool isNumbers(const Model &m, ContentId content);
/// The same of what inference knows of \p v.
bool isNumbers(const Model &m, ValueId v);

/// Which values of a serialized model follow from its constants and from sizes that never change: a transposed weight,
/// a comparison of static sizes, which do not rest on a declaration alone. Who loads the model computes them once, and
/// no run does. What is asked of a value is asked of all that it follows from, each once.
class ConstantValues {
public:
  ConstantValues(const Model &model, const ComputedOfInputs &computedOfInputs, Undeclared &undeclaredValues)
      : m(model), ofInputs(computedOfInputs), undeclared(undeclaredValues) {}

  /// \p v is the same in every run, though what it is may not be known. \p defaultsHold: nobody overrides an
  /// initializer that is an input. A parameter of a function's typed copy is where all calls of that copy give it a
  /// value that is.
  bool holds(ValueId v, bool defaultsHold);
  /// What the calls of a function's typed copy give for its parameter \p v; empty where it is no such parameter.
  const std::vector<ValueId> &given(ValueId v);
  /// The nodes that call the function of the body \p body.
  const std::vector<NodeId> &callsOf(GraphId body);

private:
  enum class State : std::uint8_t { Open, Asked, No, Yes };
  /// What one value follows from, all of which has to be the same in every run.
  struct Sources {
    bool same;                     ///< as far as the value itself goes
    std::span<const ValueId> from; ///< some may be none
    NodeId maker = {};             ///< which has to make the same of the same
  };

  const Model &m;
  const ComputedOfInputs &ofInputs;
  Undeclared &undeclared;
  std::array<std::vector<State>, 2> states; ///< by value, without and with defaults that hold
  std::optional<std::unordered_map<GraphId, std::vector<NodeId>>> calls; ///< by the body that they call
  std::unordered_map<ValueId, std::vector<ValueId>> givenFor;            ///< by the parameter of a typed copy

  Sources sourcesOf(ValueId v, bool defaultsHold);
};

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_CONSTANTVALUES_H
