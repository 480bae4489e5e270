//===- RuleFunctions.h - The functions that decide the rules ----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_RULEFUNCTIONS_H
#define CONDLINT_CHECKS_RULEFUNCTIONS_H

#include "RuleContext.h"
#include <span>
#include <string_view>

namespace condlint {

/// A rule of checks/rules.json and the function that decides it.
struct RuleFunction {
  std::string_view id;
  void (*decide)(RuleContext &);
  bool wholeModel; ///< asked once for the model instead of once for each conditional
};

/// In the order of the table.
std::span<const RuleFunction> ruleFunctions();

void checkPredicateDtype(RuleContext &ctx);
void checkPredicateShape(RuleContext &ctx);
void checkPredicateKind(RuleContext &ctx);
void checkPredicateConstant(RuleContext &ctx);
void checkPredicateMissing(RuleContext &ctx);
void checkPredicateSelf(RuleContext &ctx);
void checkBranchMissing(RuleContext &ctx);
void checkOperandCount(RuleContext &ctx);
void checkOperandType(RuleContext &ctx);
void checkOperandKind(RuleContext &ctx);
void checkOperandUnused(RuleContext &ctx);
void checkOutputCount(RuleContext &ctx);
void checkOutputNone(RuleContext &ctx);
void checkOutputKind(RuleContext &ctx);
void checkOutputDtype(RuleContext &ctx);
void checkOutputRank(RuleContext &ctx);
void checkOutputShape(RuleContext &ctx);
void checkOutputDevice(RuleContext &ctx);
void checkOutputLayout(RuleContext &ctx);
void checkOutputRequiresGrad(RuleContext &ctx);
void checkOutputDeclared(RuleContext &ctx);
void checkOutputAlias(RuleContext &ctx);
void checkOutputDuplicate(RuleContext &ctx);
void checkOutputUnused(RuleContext &ctx);
void checkClosureCapture(RuleContext &ctx);
void checkClosureScalar(RuleContext &ctx);
void checkOperandAlias(RuleContext &ctx);
void checkInputMutation(RuleContext &ctx);
void checkCaptureMutation(RuleContext &ctx);
void checkGlobalMutation(RuleContext &ctx);
void checkSideEffect(RuleContext &ctx);
void checkRandomInBranch(RuleContext &ctx);
void checkHostSync(RuleContext &ctx);
void checkCrossBranchEdge(RuleContext &ctx);
void checkBranchLeak(RuleContext &ctx);
void checkBranchEager(RuleContext &ctx);
void checkBranchEmpty(RuleContext &ctx);
void checkBranchIdentical(RuleContext &ctx);
void checkNesting(RuleContext &ctx);
void checkUnsupportedInBranch(RuleContext &ctx);
void checkOperatorType(RuleContext &ctx);
void checkValueUndefined(RuleContext &ctx);
void checkGraphMalformed(RuleContext &ctx);
void checkControlFlowFrozen(RuleContext &ctx);
void checkSelectEager(RuleContext &ctx);
void checkSelectType(RuleContext &ctx);
void checkTrainingFlag(RuleContext &ctx);
void checkSelectConvertible(RuleContext &ctx);
void checkLoopTripLimit(RuleContext &ctx);
void checkLoopTripType(RuleContext &ctx);
void checkLoopRecurrence(RuleContext &ctx);
void checkLoopOutput(RuleContext &ctx);
void checkLoopCycle(RuleContext &ctx);
void checkLoopReverse(RuleContext &ctx);
void checkLoopLeak(RuleContext &ctx);

} // namespace condlint

#endif // CONDLINT_CHECKS_RULEFUNCTIONS_H
