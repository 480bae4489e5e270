//===- NetworkNodes.h - What a layer of a network reads ---------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_NETWORKNODES_H
#define CONDLINT_CHECKS_FACTS_NETWORKNODES_H

#include "NetworkFacts.h"

namespace condlint {

/// The operand of \p n that `setInput(0, ...)` sets: behind the loop or the conditional, where it is made by one.
std::size_t firstInput(const Model &m, NodeId n);
/// Where the operand \p input of \p n was set, if by `setInput`; else where \p n is added.
SourceLocation placeOfInput(const Model &m, NodeId n, std::size_t input);
/// The node that makes operand \p i of \p n; none.
NodeId makerOf(const Model &m, NodeId n, std::size_t i);
ValueId operandOf(const Model &m, NodeId n, std::size_t i);
/// The value that the loop output \p n of \p c collects is no such value of the loop: what `loop-output` says.
bool collectsOther(const Model &m, const NetworkFacts &network, const Construct &c, NodeId n);

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_NETWORKNODES_H
