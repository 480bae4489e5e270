//===- TargetLimits.h - Where ONNX and ONNX Runtime part --------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_TARGETLIMITS_H
#define CONDLINT_CHECKS_FACTS_TARGETLIMITS_H

#include "condlint/Graph.h"
#include "condlint/Target.h"
#include <optional>
#include <string>

namespace condlint {

/// What one system alone refuses of a node of ONNX that fits its schema.
struct TargetLimit {
  std::string message;
  std::optional<std::uint32_t> operand;
  bool isRisk = false;      ///< it is accepted, and fails when it runs; of onnx: sound, and its full check refuses it
  bool isOfNumbers = false; ///< the kernel finds it in the numbers that it is given: never where it does not run
};

/// Some node of the operator \p o may be refused by \p system alone.
bool mayExceedTarget(const Model &m, OperatorId o, System system);
/// What \p system alone refuses of \p n: ONNX Runtime's kernels take fewer ranks and attributes than the schemas and
/// onnx's inference admit, and onnx holds a constant of an old version to that version's types, where ONNX Runtime
/// takes any.
std::optional<TargetLimit> exceededLimit(const Model &m, NodeId n, System system);

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_TARGETLIMITS_H
