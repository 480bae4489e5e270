//===- CaptureMutation.cpp - No write to a parameter, buffer or capture (M1, M6) ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/InPlaceWrites.h"
#include "engine/RuleFunctions.h"

namespace condlint {

void checkCaptureMutation(RuleContext &ctx) { checkMutation(ctx, Mutated::Capture); }

} // namespace condlint
