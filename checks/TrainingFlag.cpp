//===- TrainingFlag.cpp - The flag is the own module's (NS7-NS9) ----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/SourceGraph.h"
#include "engine/RuleFunctions.h"
#include "engine/TracingFacts.h"

namespace condlint {

// Decided where source is read: lib/cxx/tracing/Tracing.cpp finds whose flag it is, and TracedCode.cpp what the flag
// is.
void checkTrainingFlag(RuleContext &ctx) {
  // NS9.
  forEachTracingFact(ctx, TracingOp::FlagModule, [&](NodeId n, const std::string &) {
    reportTracing(ctx, n, "a module stands where the training flag is wanted, and it is always true",
                  "pass is_training()");
  });
  // NS7, NS8.
  forEachTracingFact(ctx, TracingOp::Flag, [&](NodeId n, const std::string &what) {
    reportTracing(ctx, n, what + ": a traced model has one training flag, its own", "use the flag of the traced module",
                  "submodule");
  });
}

} // namespace condlint
