//===- TracingFacts.h - What the tracing rules share ------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_ENGINE_TRACINGFACTS_H
#define CONDLINT_CHECKS_ENGINE_TRACINGFACTS_H

#include "RuleContext.h"
#include "condlint/SourceGraph.h"
#include <string>
#include <string_view>

namespace condlint {

/// Calls \p visit(node, text of its attribute) for each fact \p fact about traced
/// code: the C++ front end writes them down, one node a fact, in the operators of
/// the domain `tracing` (docs/cxx-graph.md).
template <class Visit> void forEachTracingFact(RuleContext &ctx, TracingOp fact, Visit visit) {
  const Model &m = ctx.m;
  for (std::size_t i = 0; ctx.isSource() && i < m.nodeCount(); ++i) {
    const NodeId n(static_cast<std::uint32_t>(i));
    if (isTracing(m, n, fact))
      visit(n, std::string(read(m, n, attr::what)));
  }
}

inline void reportTracing(RuleContext &ctx, NodeId n, std::string message, std::string help,
                          std::string_view variant = {}) {
  Draft d;
  d.node = n;
  d.message = std::move(message);
  d.help = std::move(help);
  d.variant = variant;
  ctx.report(std::move(d));
}

} // namespace condlint

#endif // CONDLINT_CHECKS_ENGINE_TRACINGFACTS_H
