//===- SelectType.cpp - The arms have one type (NS13) ---------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RuleFunctions.h"
#include "TracingFacts.h"

namespace condlint {

void checkSelectType(RuleContext &ctx) {
  forEachTracingFact(ctx, "types", [&](NodeId n, const std::string &types) {
    reportTracing(ctx, n, "the arms have different types: " + types, "make one arm what the other is");
  });
}

} // namespace condlint
