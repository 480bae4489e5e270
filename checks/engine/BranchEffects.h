//===- BranchEffects.h - What the branches do when they run -----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_ENGINE_BRANCHEFFECTS_H
#define CONDLINT_CHECKS_ENGINE_BRANCHEFFECTS_H

#include "Describe.h"
#include "RuleContext.h"
#include "facts/BranchNodes.h"
#include "ops/DeclaredOperators.h"

namespace condlint {

/// Calls \p visit(branch, node) for each node of either branch. What an opaque one
/// does, which may be what \p may says, is not decided.
template <class Visit> void forEachEffect(RuleContext &ctx, std::string_view may, Visit visit) {
  const Model &m = ctx.m;
  for (const Branch &b : ctx.conditional().branches)
    if (b.graph)
      forEachNode(ctx.facts, m, b.graph, [&](NodeId n) {
        if (mayDoAnything(m, n, effectsOf(m, n)))
          ctx.unknownBy(n, may);
        visit(b, n);
      });
}

} // namespace condlint

#endif // CONDLINT_CHECKS_ENGINE_BRANCHEFFECTS_H
