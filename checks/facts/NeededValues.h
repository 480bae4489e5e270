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
#include <optional>
#include <vector>

namespace condlint {

/// Which values a result of the model, or of a function that nothing calls, hangs on: by way of operands, and of what
/// leaves a conditional, a loop or a call by an output that is needed itself. Of what is not needed OpenVINO keeps
/// nothing, whatever it makes of it. They are found for the whole model when it is first asked for one.
class NeededValues {
public:
  explicit NeededValues(const Model &model) : m(model) {}

  /// Some result of \p n is needed.
  bool holdsAny(NodeId n);
  /// Result \p i of \p n is needed; the others may be.
  bool holds(NodeId n, std::size_t i);

private:
  const Model &m;
  std::optional<std::vector<bool>> found; ///< by value

  bool needs(ValueId v);
};

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_NEEDEDVALUES_H
