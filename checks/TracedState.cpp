//===- TracedState.cpp - Traced code keeps no state of its own (NS14) -----===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/RuleFunctions.h"
#include "engine/TracingFacts.h"
#include <fmt/format.h>

namespace condlint {

void checkTracedState(RuleContext &ctx) {
  forEachTracingFact(ctx, TracingOp::State, [&](NodeId n, const std::string &member) {
    reportTracing(
        ctx, n,
        fmt::format("'{}' is assigned while the code is traced, and never again: a trace records tensors, not "
                    "what members hold",
                    member),
        fmt::format("take '{0}' as an argument and return its next value, or write a registered buffer in "
                    "place ({0}.copy_(…))",
                    member));
  });
}

} // namespace condlint
