//===- OpenShapes.h - What ONNX Runtime does not infer ----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_OPENSHAPES_H
#define CONDLINT_CHECKS_FACTS_OPENSHAPES_H

#include "condlint/Graph.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace condlint {

/// What type inference of ONNX Runtime 1.32 leaves open of shapes, and condlint does not. Each value is looked at once.
class OpenShapes {
public:
  enum class Open : std::uint8_t { Nothing, Sizes, Rank };

  explicit OpenShapes(const Model &model) : m(model) {}

  /// What is left open of \p v: the worst of all that its shape may come from.
  Open of(ValueId v);

private:
  struct Step { ///< a value whose sources are being looked at
    ValueId value;
    std::vector<ValueId> sources;
    std::size_t next = 0;
    Open worst = Open::Nothing;
  };
  Step stepTo(ValueId v) const;
  void look(ValueId v, NodeId n, Step &step) const;
  bool mayBeGiven(ValueId v) const;
  bool isCarried(ValueId v, NodeId n) const;

  const Model &m;
  std::vector<std::optional<Open>> known; ///< by value
};

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_OPENSHAPES_H
