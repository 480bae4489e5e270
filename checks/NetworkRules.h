//===- NetworkRules.h - What the rules on networks share ------------*- C++ -* -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_NETWORKRULES_H
#define CONDLINT_CHECKS_NETWORKRULES_H

#include "Describe.h"
#include "NetworkFacts.h"
#include "RuleContext.h"

namespace condlint {

/// "addUnary (net.cc:12:8)".
std::string spellLayer(const Model &m, NodeId n);
/// "'x'" for an input of the network, else "the tensor of " the layer that makes it.
std::string spellTensor(const Model &m, ValueId v);
/// "the conditional of net.cc:10:12", "the loop of …".
std::string spellConstruct(const Model &m, const Construct &c);
/// "'true' of the conditional of …": where \p n is inside; "inside" a loop.
std::string spellInside(const Model &m, const Construct &c, NodeId n);
/// The construct of the conditional in hand. A network has one for each.
const Construct &constructOf(const RuleContext &ctx);
/// The operand of \p n that `setInput(0, ...)` sets: behind the loop or the conditional, where it is made by one.
std::size_t firstInput(const Model &m, NodeId n);
/// Where the operand \p input of \p n was set, if by `setInput`; else where \p n is added.
SourceLocation placeOfInput(const Model &m, NodeId n, std::size_t input);
/// The node that makes operand \p i of \p n; none.
NodeId makerOf(const Model &m, NodeId n, std::size_t i);
ValueId operandOf(const Model &m, NodeId n, std::size_t i);
/// The value that the loop output \p n of \p c collects is no such value of the loop: what `loop-output` says.
bool collectsOther(const Model &m, const NetworkFacts &network, const Construct &c, NodeId n);
/// Lists in \p summary when the layers of the conditional in hand are evaluated, and
/// what it is inside of.
void listLayers(const RuleContext &ctx, ConditionalSummary &summary);

} // namespace condlint

#endif // CONDLINT_CHECKS_NETWORKRULES_H
