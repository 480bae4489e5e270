//===- LoopOutput.cpp - What leaves a loop leaves through a loop output (L4) -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/SourceGraph.h"
#include "engine/Describe.h"
#include "engine/DescribeNetwork.h"
#include "engine/RuleFunctions.h"
#include <fmt/format.h>

namespace condlint {

namespace {

void checkOutput(RuleContext &ctx, const Construct &c, NodeId n) {
  const Model &m = ctx.m;
  const NetworkFacts &network = *ctx.facts.network;
  const NodeId maker = makerOf(m, n, 1);
  const std::string_view name = attributeText(m, n, "outputKind");
  if (!maker || name.empty())
    return ctx.unknownOf(c.node, "what an output collects is not known");
  const bool last = name == "kLAST_VALUE";
  Draft d;
  d.node = n;
  d.loop = c.node;
  if (network.isTainted(maker))
    ctx.unknownOf(c.node, "what computes that which an output collects is not known");
  if (collectsOther(m, network, c, n)) {
    const bool given = layerName(m, maker).empty();
    const std::string value = given ? spellTensor(m, operandOf(m, n, 1)) : spellLayer(m, maker);
    d.message =
        last ? fmt::format("the last value is that of {}, which is no recurrence of {}", value, spellConstruct(m, c))
             : fmt::format("the output collects {}{}, which is not computed in {}", given ? "" : "the result of ",
                           value, spellConstruct(m, c));
    d.help = last ? "pass the recurrence's tensor; for any other value use kCONCATENATE with the number of trips"
                  : "a loop output collects what each trip computes";
    d.related.push_back(relatedTo(m, maker, "the value is made here"));
    return ctx.report(std::move(d));
  }
  if (isCxx(m, maker, CxxOp::Join) && (last || network.inside(maker, c) != Tri::Yes))
    ctx.unknownOf(c.node, "what an output collects is one of several tensors");
  else if (!last && network.inside(maker, c) == Tri::Unknown)
    ctx.unknownOf(c.node, "whether the loop computes what an output collects is not known");
  if (last)
    return;
  const ValueId length = operandOf(m, n, 2);
  if (!length) {
    if (c.open || c.uncertain || network.isOpen(n) || network.isHandedOut(n))
      return ctx.unknownOf(c.node, "code that is not seen may set the length of an output");
    d.absence = true;
    d.message = fmt::format("the output {} has no length: its second input is never set", name);
    d.help = "call setInput(1, ...) with the number of trips, a 0-D int32 or int64 from before the loop";
    return ctx.report(std::move(d));
  }
  d.at = placeOfInput(m, n, 2);
  const Type &t = m.type(length);
  if (t.isTensor() && t.possible().disjoint(DTypeSet{DType::Int32, DType::Int64})) {
    d.message = fmt::format("the length of the output {} is {}, not int32 or int64", name, spellElement(t));
    d.help = "cast the number of trips to int32 or int64";
    return ctx.report(std::move(d));
  }
  if (t.hasRank && !t.dims.empty()) {
    d.message = fmt::format("the length of the output {} has the shape {}; it is a scalar of rank 0", name,
                            spellDims(m.dims, t.dims));
    d.help = "reshape or reduce it to rank 0";
    return ctx.report(std::move(d));
  }
  if (!t.isTensor() || t.element == DType::Unknown || !t.hasRank)
    ctx.unknownOf(c.node, "the type of an output's length is not known");
  const NodeId lengthMaker = m[length].def;
  if (!lengthMaker || network.isTainted(lengthMaker))
    ctx.unknownOf(c.node, "what computes the length of an output is not known");
  const Tri inside = lengthMaker ? network.inside(lengthMaker, c) : Tri::No;
  if (inside == Tri::Unknown)
    ctx.unknownOf(c.node, "whether the loop computes the length of an output is not known");
  if (inside == Tri::Yes && !network.isTainted(lengthMaker)) {
    d.message = fmt::format("the length of the output {} is computed inside of {}, by {}", name, spellConstruct(m, c),
                            spellLayer(m, lengthMaker));
    d.help = "the length must be known before the loop";
    ctx.report(std::move(d));
  }
}

} // namespace

void checkLoopOutput(RuleContext &ctx) {
  for (const Construct &c : ctx.facts.network->constructs())
    if (c.isLoop)
      for (NodeId n : c.outputs)
        checkOutput(ctx, c, n);
}

} // namespace condlint
