//===- Tracing.cpp - What a tracer freezes --------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// control-flow-frozen, select-eager, select-type, training-flag and
// select-convertible: each is decided by facts that the C++ front end has written
// down, one node a fact, in the operators of the domain `tracing`
// (docs/cxx-graph.md).
//
//===----------------------------------------------------------------------===//
#include "RuleContext.h"
#include "RuleFunctions.h"

namespace condlint {

namespace {

/// Calls \p visit(node, text of its attribute) for each fact \p name.
template <class Visit> void forEachFact(RuleContext &ctx, std::string_view name, Visit visit) {
  const Model &m = ctx.m;
  for (std::size_t i = 0; ctx.isSource() && i < m.nodeCount(); ++i) {
    const NodeId n(static_cast<std::uint32_t>(i));
    const Operator &op = m[m[n].op];
    if (m.text(op.domain) != "tracing" || m.text(op.name) != name)
      continue;
    const Attribute *what = m.attribute(n, "what");
    visit(n, std::string(what ? m.text(what->text) : std::string_view()));
  }
}

void reportAt(RuleContext &ctx, NodeId n, std::string message, std::string help, std::string_view variant = {}) {
  Draft d;
  d.node = n;
  d.message = std::move(message);
  d.help = std::move(help);
  d.variant = variant;
  ctx.report(std::move(d));
}

} // namespace

// NS1, NS3, NS4, NS6, NS11.
void checkControlFlowFrozen(RuleContext &ctx) {
  forEachFact(ctx, "frozen_flag", [&](NodeId n, const std::string &statement) {
    reportAt(ctx, n,
             "the condition of this '" + statement +
                 "' hangs on the training flag: only the path taken while tracing survives",
             "select with `is_training() ? a : b`, without a call in either arm, or pass the flag as an argument");
  });
  forEachFact(ctx, "frozen_value", [&](NodeId n, const std::string &statement) {
    reportAt(ctx, n,
             "the condition of this '" + statement +
                 "' hangs on a tensor's value: only the path taken while tracing survives",
             "keep both sides in the graph, with torch::where or a conditional");
  });
}

// NS5, NS10.
void checkSelectEager(RuleContext &ctx) {
  forEachFact(ctx, "eager", [&](NodeId n, const std::string &why) {
    reportAt(ctx, n, "both arms of a converted selection are evaluated, and this one is not safe always: " + why,
             "compute the arms before, from what is safe on either side");
  });
  forEachFact(ctx, "where_write", [&](NodeId n, const std::string &why) {
    reportAt(ctx, n, "torch::where evaluates both arms, and one is not safe always: " + why,
             "use the operator that returns a new tensor");
  });
  forEachFact(ctx, "where", [&](NodeId n, const std::string &why) {
    reportAt(ctx, n, "torch::where evaluates both arms, and the value of one is discarded, its gradient is not: " + why,
             "guard the operand instead of the result: log(where(x > 0, x, 1))", "gradient");
  });
}

// NS13.
void checkSelectType(RuleContext &ctx) {
  forEachFact(ctx, "types", [&](NodeId n, const std::string &types) {
    reportAt(ctx, n, "the arms have different dtypes: " + types, "convert one arm to the dtype of the other");
  });
}

// NS7, NS8, NS9.
void checkTrainingFlag(RuleContext &ctx) {
  forEachFact(ctx, "flag_module", [&](NodeId n, const std::string &) {
    reportAt(ctx, n, "a module stands where the training flag is wanted, and it is always true", "pass is_training()");
  });
  forEachFact(ctx, "flag", [&](NodeId n, const std::string &what) {
    reportAt(ctx, n, what + ": a traced model has one training flag, its own", "use the flag of the traced module",
             "submodule");
  });
}

// NS2, NS12.
void checkSelectConvertible(RuleContext &ctx) {
  forEachFact(ctx, "convertible", [&](NodeId n, const std::string &) {
    reportAt(ctx, n, "this selection is converted: both arms are evaluated, then one is picked", "");
  });
}

} // namespace condlint
