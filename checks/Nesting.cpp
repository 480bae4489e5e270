//===- Nesting.cpp - Constructs nest no deeper than readers accept --------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/DescribeNetwork.h"
#include "engine/RuleFunctions.h"
#include <fmt/format.h>

namespace condlint {

namespace {

/// F6: constructs nest by what they read, and a value of one is not there in another
/// beside it.
void checkNetwork(RuleContext &ctx) {
  const Model &m = ctx.m;
  const NetworkFacts &network = *ctx.facts.network;
  for (const Escape &e : network.escapes()) {
    if (!e.crossing)
      continue;
    const Construct &a = network.constructs()[e.construct];
    const Construct &b = network.constructs()[e.other];
    Draft d;
    d.conditional = a.isLoop ? b.isLoop ? NodeId() : b.node : a.node;
    d.node = e.user;
    d.verdict = verdictOn(ctx, e);
    d.message = fmt::format("{} reads values of {} and of {}, and neither is inside the other", spellLayer(m, e.user),
                            spellConstruct(m, a), spellConstruct(m, b));
    d.help = "lead one of the values out with an output layer first, or nest the constructs by an input layer";
    d.related.push_back(relatedTo(m, a.node, "one of the two is added here"));
    d.related.push_back(relatedTo(m, b.node, "the other one is added here"));
    d.related.push_back(relatedTo(m, e.maker, "a value of the first is made here"));
    ctx.report(std::move(d));
  }
}

} // namespace

void checkNesting(RuleContext &ctx) {
  if (ctx.isNetwork())
    return checkNetwork(ctx);
  const Model &m = ctx.m;
  // What other readers refuse says more than where condlint stops.
  const FormatIssue *worst = nullptr;
  for (const FormatIssue &issue : m.issues)
    if (issue.kind == FormatIssue::Kind::NestingLimit ||
        (issue.kind == FormatIssue::Kind::TooDeep && (!worst || worst->kind == issue.kind)))
      if (!worst || issue.kind == FormatIssue::Kind::NestingLimit)
        worst = &issue;
  if (!worst)
    return;
  Draft d;
  d.graph = worst->graph ? worst->graph : m.main();
  d.message = worst->message;
  d.help = "move inner conditionals out of the outer ones";
  if (m.info.format == Format::Onnx)
    d.help =
        fmt::format("protobuf readers accept 100 nested messages: 31 Ifs with typed outputs, 32 without; onnx then "
                    "speaks of a missing opset_import, ONNX Runtime of failed parsing. {}",
                    ctx.isOpenVino() ? "Compute both sides of inner ones and choose with Where"
                                     : "Move inner conditionals into functions");
  ctx.report(std::move(d));
}

} // namespace condlint
