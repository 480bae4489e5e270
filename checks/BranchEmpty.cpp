//===- BranchEmpty.cpp - A branch computes something ----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/SourceGraph.h"
#include "engine/RuleFunctions.h"
#include <fmt/format.h>

namespace condlint {

void checkBranchEmpty(RuleContext &ctx) {
  const Model &m = ctx.m;
  const Conditional &c = ctx.conditional();
  for (std::size_t b = 0; b < c.branches.size(); ++b) {
    const Branch &branch = c.branches[b];
    if (!branch.graph || m[branch.graph].tooDeep || !ctx.isTaken(b))
      continue;
    bool works = false, isUnderstood = true;
    for (NodeId n : m.nodes(branch.graph)) {
      works = !nodeHas(m, n, OpTrait::Trivial);
      if (works)
        break;
      isUnderstood = isUnderstood && !isCxx(m, n, CxxOp::Unknown);
    }
    if (works)
      continue;
    if (!isUnderstood) {
      ctx.unknown(fmt::format("'{}' was not understood wholly", branch.name));
      continue;
    }
    Draft d;
    d.graph = branch.graph;
    d.message = fmt::format("'{}' computes nothing: it passes on what it is given", branch.name);
    d.help = "fine where the other branch does the work; otherwise the conditional may not be needed";
    ctx.report(std::move(d));
  }
}

} // namespace condlint
