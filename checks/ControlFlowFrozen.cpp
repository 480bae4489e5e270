//===- ControlFlowFrozen.cpp - No control flow on flag or value (NS1-NS11) ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/SourceGraph.h"
#include "engine/RuleFunctions.h"
#include "engine/TracingFacts.h"

namespace condlint {

// Decided where source is read: lib/cxx/tracing/Tracing.cpp finds how conditions depend on the flag and on values.
void checkControlFlowFrozen(RuleContext &ctx) {
  // NS1, NS3, NS4, NS6.
  forEachTracingFact(ctx, TracingOp::FrozenFlag, [&](NodeId n, const std::string &statement) {
    reportTracing(ctx, n,
                  "the condition of this '" + statement +
                      "' hangs on the training flag: only the path taken while tracing survives",
                  "select with `is_training() ? a : b`, without a call in either arm, or pass the flag as an argument");
  });
  // NS11.
  forEachTracingFact(ctx, TracingOp::FrozenValue, [&](NodeId n, const std::string &statement) {
    reportTracing(ctx, n,
                  "the condition of this '" + statement +
                      "' hangs on a tensor's value: only the path taken while tracing survives",
                  "keep both sides in the graph, with torch::where or a conditional");
  });
}

} // namespace condlint
