//===- NetworkLayers.h - When each layer of a conditional runs --*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_ENGINE_NETWORKLAYERS_H
#define CONDLINT_CHECKS_ENGINE_NETWORKLAYERS_H

#include "RuleContext.h"
#include "condlint/ConditionalSummary.h"

namespace condlint {

/// Lists in \p summary when the layers of the current conditional are evaluated, and
/// what it is inside of.
void listLayers(const RuleContext &ctx, ConditionalSummary &summary);

} // namespace condlint

#endif // CONDLINT_CHECKS_ENGINE_NETWORKLAYERS_H
