//===- UnsupportedInBranch.cpp - No operator that the target rejects in a branch (I1) ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BranchNodes.h"
#include "Describe.h"
#include "RuleFunctions.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace condlint {

bool isUnsupportedInBranch(const Model &m, OperatorId o) {
  const Operator &op = m[o];
  if (op.dialect != Dialect::Onnx || !m.text(op.domain).empty())
    return false;
  // The layers that TensorRT's own verifier refuses in a branch (tensorrt.md,
  // 1.3), as the ONNX operators that become them. Sorted.
  constexpr std::array<std::string_view, 11> rejected{"AveragePool",  "ConvTranspose", "GlobalAveragePool",
                                                      "GlobalLpPool", "GlobalMaxPool", "LpPool",
                                                      "MaxPool",      "PRelu",         "Pad",
                                                      "Resize",       "Upsample"};
  return std::ranges::binary_search(rejected, m.text(op.name));
}

const std::vector<NodeId> &RuleFacts::notableNodes(GraphId body) {
  const auto [known, isNew] = notable.try_emplace(body);
  if (!isNew)
    return known->second;
  // A body that calls itself finds the empty list that stands here meanwhile;
  // the calls of a file nest as deep as it says, so no recursion.
  std::vector<GraphId> todo{body};
  std::vector<GraphId> seen{body};
  std::vector<NodeId> found;
  while (!todo.empty() && seen.size() < 1000) {
    const GraphId g = todo.back();
    todo.pop_back();
    forEachNode(*this, m, g, [&](NodeId n) {
      if (notableOperators[m[n].op.index()])
        found.push_back(n);
      if (const GraphId callee = m[n].callee; callee && std::ranges::find(seen, callee) == seen.end()) {
        seen.push_back(callee);
        todo.push_back(callee);
      }
    });
  }
  return notable[body] = std::move(found);
}

void checkUnsupportedInBranch(RuleContext &ctx) {
  const Model &m = ctx.m;
  if (m.info.dialect != Dialect::Onnx)
    return ctx.absent();
  if (!ctx.facts.anyNotable)
    return;
  for (std::size_t b = 0; b < ctx.conditional().branches.size(); ++b) {
    const Branch &branch = ctx.conditional().branches[b];
    if (!branch.graph || !ctx.isTaken(b))
      continue;
    const auto found = [&](NodeId n, NodeId call) {
      if (!ctx.facts.notableOperators[m[n].op.index()] || !isUnsupportedInBranch(m, m[n].op))
        return;
      Draft d;
      d.node = call ? call : n;
      d.message =
          fmt::format("'{}' holds {}{}, which {} does not take inside a conditional", branch.name,
                      m.operatorName(m[n].op), call ? fmt::format(" (in {})", m.path(n)) : "", ctx.target.str());
      d.help = "move it in front of or behind the If, or express it otherwise (a strided Slice, a MatMul, a Conv)";
      ctx.report(std::move(d));
    };
    forEachNode(ctx.facts, m, branch.graph, [&](NodeId n) {
      found(n, NodeId());
      if (m[n].callee)
        for (NodeId inner : ctx.facts.notableNodes(m[n].callee))
          found(inner, n);
    });
  }
}

} // namespace condlint
