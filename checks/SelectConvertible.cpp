//===- SelectConvertible.cpp - A selection that converts (NS2) ------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/SourceGraph.h"
#include "engine/RuleFunctions.h"
#include "engine/TracingFacts.h"

namespace condlint {

// Decided where source is read: lib/cxx/tracing/Tracing.cpp finds what a selection is.
void checkSelectConvertible(RuleContext &ctx) {
  forEachTracingFact(ctx, TracingOp::Convertible, [&](NodeId n, const std::string &) {
    reportTracing(ctx, n, "this selection is converted: both arms are evaluated, then one is picked", "");
  });
}

} // namespace condlint
