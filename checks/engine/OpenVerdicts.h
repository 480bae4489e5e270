//===- OpenVerdicts.h - What a rule's answer leaves open --------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_ENGINE_OPENVERDICTS_H
#define CONDLINT_CHECKS_ENGINE_OPENVERDICTS_H

#include "RuleFunctions.h"
#include <string>
#include <string_view>

namespace condlint {

struct Construct; // NetworkFacts.h

/// Makes the answer of \p rule on the conditional that \p ctx is at unknown where it hangs on what nobody can read:
/// code that was not followed, a body that is not there, shapes that a loop changes from trip to trip. \p needs: what
/// the rule looks at.
void leaveOpen(RuleContext &ctx, const RuleInfo &rule, Needs needs);

/// Why \p rule is not decided of the loop \p c of a network; empty: it is.
std::string whyOpen(const RuleContext &ctx, const Construct &c, std::string_view rule);

} // namespace condlint

#endif // CONDLINT_CHECKS_ENGINE_OPENVERDICTS_H
