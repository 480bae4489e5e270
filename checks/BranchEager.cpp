//===- BranchEager.cpp - Work that one branch needs is inside it (F5) -----===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Describe.h"
#include "NetworkRules.h"
#include "RuleFunctions.h"
#include <fmt/format.h>

namespace condlint {

namespace {

/// F5: a branch that does not depend on an input layer runs always.
void checkNetwork(RuleContext &ctx) {
  const Model &m = ctx.m;
  for (const EagerLayers &e : ctx.facts.network->eager()) {
    const Construct &c = ctx.facts.network->constructs()[e.construct];
    const std::string_view branch = e.branch == 0 ? "true" : "false";
    Draft d;
    d.conditional = c.node;
    d.node = e.layers.front();
    const std::size_t more = e.layers.size() - 1;
    d.absence = true;
    d.message = fmt::format("only '{}' of {} needs {}{}, but nothing of it goes through addInput: it always runs",
                            branch, spellConstruct(m, c), spellLayer(m, e.layers.front()),
                            more == 0 ? "" : fmt::format(" and {} layer{} more", more, more == 1 ? "" : "s"));
    std::string through;
    constexpr std::size_t shown = 3;
    for (std::size_t i = 0; i < e.reads.size() && i < shown; ++i)
      through += (i == 0 ? "" : ", ") + spellTensor(m, e.reads[i]);
    d.help = through.empty()
                 ? "route what the branch reads through addInput, and build it on the input layer's output"
                 : fmt::format("build the branch on the output of an input layer: route {} through addInput", through);
    d.fixes.push_back({"x = conditional->addInput(*x)->getOutput(0), before the branch is built on x"});
    constexpr std::size_t related = 8;
    for (std::size_t i = 1; i < e.layers.size() && i < related; ++i)
      d.related.push_back(relatedTo(m, e.layers[i], "this layer would be lazy as well"));
    d.related.push_back(relatedTo(m, c.node, "the conditional"));
    ctx.report(std::move(d));
  }
}

} // namespace

void checkBranchEager(RuleContext &ctx) {
  if (ctx.isNetwork())
    return checkNetwork(ctx);
  const Model &m = ctx.m;
  for (const EagerWork &w : ctx.facts.eagerWork()) {
    Draft d;
    d.conditional = w.conditional;
    std::string names;
    constexpr std::size_t shown = 5;
    for (std::size_t i = 0; i < w.nodes.size() && i < shown; ++i) {
      names += fmt::format("{}{}", i == 0 ? "" : ", ", m.text(m[w.nodes[i]].name));
      d.related.push_back(relatedTo(
          m, w.nodes[i], fmt::format("{} runs whatever the predicate says", m.operatorName(m[w.nodes[i]].op))));
    }
    if (w.nodes.size() > shown)
      names += fmt::format(" and {} more", w.nodes.size() - shown);
    d.message = fmt::format("only '{}' needs {}, which {} outside of the conditional and so always runs",
                            m.text(m[w.branch].role), names, w.nodes.size() == 1 ? "stands" : "stand");
    d.help = "move the work into the branch, where it runs only when it is needed";
    ctx.report(std::move(d));
  }
}

} // namespace condlint
