//===- RuleFunctions.h - The functions that decide the rules ----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_ENGINE_RULEFUNCTIONS_H
#define CONDLINT_CHECKS_ENGINE_RULEFUNCTIONS_H

#include "RuleContext.h"
#include <cstdint>
#include <span>
#include <string_view>

namespace condlint {

/// What must be known of the branches in source before a rule that found nothing is proved.
enum class Needs : std::uint8_t {
  Nothing, ///< the call alone decides
  Layers,  ///< the same; of a network, in which branch each layer lies
  Bodies,  ///< that both branches were followed
  Edges,   ///< the same; of a network, that no layer may be in both branches
  Number,  ///< that, and how many outputs they return
  Types,   ///< that, and something of each output
  Pairs,   ///< that, and which output of one belongs to which of the other
};

/// A rule of checks/rules.json and the function that decides it.
struct RuleFunction {
  std::string_view id;
  void (*decide)(RuleContext &);
  bool wholeModel;  ///< asked once for the model instead of once for each conditional
  bool ofConstruct; ///< on what a conditional of TensorRT may hold and yield, which a folded If is none of
  Needs needs;
};

/// In the order of the table.
std::span<const RuleFunction> ruleFunctions();

// One function a rule, in a file of its own.
#define CONDLINT_RULE(id, function, wholeModel, ofConstruct, needs) void function(RuleContext &ctx);
#include "RuleFunctions.inc"
#undef CONDLINT_RULE

} // namespace condlint

#endif // CONDLINT_CHECKS_ENGINE_RULEFUNCTIONS_H
