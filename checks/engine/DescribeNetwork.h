//===- DescribeNetwork.h - Layers and constructs in words -------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_ENGINE_DESCRIBENETWORK_H
#define CONDLINT_CHECKS_ENGINE_DESCRIBENETWORK_H

#include "Describe.h"
#include "RuleContext.h"
#include "facts/NetworkFacts.h"
#include "facts/NetworkNodes.h"

namespace condlint {

/// "addUnary (net.cc:12:8)".
std::string spellLayer(const Model &m, NodeId n);
/// "'x'" for an input of the network, else "the tensor of " the layer that makes it.
std::string spellTensor(const Model &m, ValueId v);
/// "the conditional of net.cc:10:12", "the loop of …".
std::string spellConstruct(const Model &m, const Construct &c);
/// "'true' of the conditional of …": where \p n is inside; "inside" a loop.
std::string spellInside(const Model &m, const Construct &c, NodeId n);
/// The construct of the current conditional. A network has one for each.
const Construct &constructOf(const RuleContext &ctx);
/// Of a graph that stands for several executions: whether each of them has \p e.
Verdict verdictOn(const RuleContext &ctx, const Escape &e);

} // namespace condlint

#endif // CONDLINT_CHECKS_ENGINE_DESCRIBENETWORK_H
