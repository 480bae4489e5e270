//===- RunData.h - What the data of a run decides ---------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_RUNDATA_H
#define CONDLINT_CHECKS_FACTS_RUNDATA_H

#include "condlint/Graph.h"
#include <optional>
#include <vector>

namespace condlint {

class ComputedOfInputs;
class ConstantValues;
class Undeclared;

/// Which values of a model are computed of what a run is given or draws: of the elements of its inputs, of state that
/// calls may write, of random numbers. What is computed of sizes and constants alone is none, nor is the size of a
/// tensor unless its elements decide it. They are found for the whole model when it is
/// first asked for one that does not plainly come of an input.
class RunData {
public:
  RunData(const Model &model, const ComputedOfInputs &computedOfInputs, ConstantValues &constantValues,
          Undeclared &undeclaredValues)
      : m(model), ofInputs(computedOfInputs), constants(constantValues), undeclared(undeclaredValues) {}

  bool decides(ValueId v);

private:
  const Model &m;
  const ComputedOfInputs &ofInputs;
  ConstantValues &constants;
  Undeclared &undeclared;
  std::optional<std::vector<bool>> found; ///< by value
  enum class Origin : std::uint8_t { Open, Followed, Input };
  std::vector<Origin> fromInput; ///< by value: what comesOfInput found so far

  /// From operator to operator \p v is computed of an input's elements, as most predicates are; false where it is not,
  /// which says nothing of regions, functions and what is written. Each value is followed once.
  bool comesOfInput(ValueId v);
  /// What an operator that looks at the type of \p v sees is the same for all elements of one shape.
  bool hasSizesOfInputs(ValueId v);
  std::vector<bool> find();
  /// One pass over the model; whether it found more.
  bool extend(std::vector<bool> &values);
  bool extendParameters(GraphId g, std::vector<bool> &values);
  bool extendResults(NodeId n, std::vector<bool> &values);
};

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_RUNDATA_H
