//===- SelectEager.cpp - Both arms are safe always (NS5, NS10) ------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/SourceGraph.h"
#include "engine/RuleFunctions.h"
#include "engine/TracingFacts.h"

namespace condlint {

// Decided where source is read: lib/cxx/tracing/Tracing.cpp finds what is safe in an arm, and WhereArms.cpp for
// torch::where.
void checkSelectEager(RuleContext &ctx) {
  // NS5.
  forEachTracingFact(ctx, TracingOp::Eager, [&](NodeId n, const std::string &why) {
    reportTracing(ctx, n, "both arms of a converted selection are evaluated, and this one is not safe always: " + why,
                  "compute the arms before, from what is safe on either side");
  });
  // NS10.
  forEachTracingFact(ctx, TracingOp::WhereWrite, [&](NodeId n, const std::string &why) {
    reportTracing(ctx, n, "torch::where evaluates both arms, and one is not safe always: " + why,
                  "use the operator that returns a new tensor");
  });
  forEachTracingFact(ctx, TracingOp::Masked, [&](NodeId n, const std::string &why) {
    reportTracing(ctx, n, "masked_fill discards values that were computed, not their gradients: " + why,
                  "fill the operand before: a / n.masked_fill(n == 0, 1)", "gradient");
  });
  forEachTracingFact(ctx, TracingOp::Where, [&](NodeId n, const std::string &why) {
    reportTracing(ctx, n,
                  "torch::where evaluates both arms, and the value of one is discarded, its gradient is not: " + why,
                  "guard the operand instead of the result: log(where(x > 0, x, 1))", "gradient");
  });
}

} // namespace condlint
