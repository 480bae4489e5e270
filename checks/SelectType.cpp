//===- SelectType.cpp - The arms have one type (NS13) ---------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/SourceGraph.h"
#include "engine/RuleFunctions.h"
#include "engine/TracingFacts.h"

namespace condlint {

// Decided where source is read: lib/cxx/tracing/Tracing.cpp finds the arms, and ArmTypes.cpp their types.
void checkSelectType(RuleContext &ctx) {
  forEachTracingFact(ctx, TracingOp::Types, [&](NodeId n, const std::string &types) {
    reportTracing(ctx, n, "the arms have different types: " + types, "make one arm what the other is");
  });
}

} // namespace condlint
