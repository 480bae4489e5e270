//===- TrainingConstant.cpp - Training ends in evaluation (NS15) ----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/RuleFunctions.h"
#include "engine/TracingFacts.h"

namespace condlint {

void checkTrainingConstant(RuleContext &ctx) {
  forEachTracingFact(ctx, TracingOp::ConstantFlag, [&](NodeId n, const std::string &what) {
    reportTracing(ctx, n, what + ", whatever the training flag says",
                  "pass is_training(), or a probability that it decides: is_training() ? p : 0.0");
  });
}

} // namespace condlint
