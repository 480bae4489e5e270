//===- InputMutation.cpp - No write to an operand (M1-M5) -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/InPlaceWrites.h"
#include "engine/RuleFunctions.h"

namespace condlint {

void checkInputMutation(RuleContext &ctx) { checkMutation(ctx, Mutated::Input); }

} // namespace condlint
