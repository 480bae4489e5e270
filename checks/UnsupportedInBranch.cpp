//===- UnsupportedInBranch.cpp - No operator that the target rejects in a branch (I1, OV8, OV9, ET3, ET4, ET6) ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/Describe.h"
#include "engine/DescribeNetwork.h"
#include "engine/RuleFunctions.h"
#include "facts/BranchNodes.h"
#include "facts/ExecuTorchKernels.h"
#include "facts/ExecuTorchUses.h"
#include "facts/OpenVinoOperators.h"
#include "facts/OpenVinoReading.h"
#include "facts/RejectedLayers.h"
#include "graph/GraphsInside.h"
#include <fmt/format.h>

namespace condlint {

namespace {

/// The parser makes a layer of its own of Attention from here on, which is reported to fail inside a conditional.
constexpr Version attentionSince{10, 16};

/// I1 for a network: the layers that are lazy in this conditional.
void checkNetwork(RuleContext &ctx) {
  const Model &m = ctx.m;
  const Construct &c = constructOf(ctx);
  for (std::size_t side = 0; side < 2; ++side)
    for (NodeId n : c.interior[side]) {
      if (!isRejectedLayer(m, n))
        continue;
      // An inner conditional's, unless it is that only for some of several tensors.
      const NetworkFacts &network = *ctx.facts.network;
      const Construct *innermost = network.lazyIn(n);
      const bool isOwn = innermost == &c;
      if (!isOwn && (!innermost || network.inside(n, *innermost) != Tri::Unknown))
        continue;
      Draft d;
      d.node = n;
      d.verdict = isOwn && network.inside(n, c) == Tri::Yes ? Verdict::Violated : Verdict::Possible;
      d.message = fmt::format("'{}' holds {}, which {} does not take inside a conditional",
                              side == 0 ? "true" : "false", spellLayer(m, n), ctx.target.str());
      d.help = "move it in front of or behind the conditional, or express it otherwise (addSlice, addMatrixMultiply, "
               "addConvolutionNd)";
      ctx.report(std::move(d));
    }
}

/// torch: a slice that torch.vmap takes and its results put together mean something between the markers that make it a
/// batch alone, and a branch is run without them.
void checkVmap(RuleContext &ctx) {
  const Model &m = ctx.m;
  const auto isNamed = [&](NodeId n, std::string_view name) {
    const OpDef *definition = m[m[n].op].definition;
    return definition && definition->name == name;
  };
  for (const Branch &b : ctx.conditional().branches) {
    if (!b.graph)
      continue;
    NodeId slice;
    bool marked = false;
    for (const NodeId n : m.nodes(b.graph)) {
      marked = marked || isNamed(n, "vmap_begin");
      if (!slice && !marked && (isNamed(n, "vmap_slice") || isNamed(n, "vmap_stack")))
        slice = n;
    }
    if (!slice)
      continue;
    Draft d;
    d.node = slice;
    d.message = fmt::format("'{}' holds a torch.vmap without what surrounds it: {} fails when the branch runs", b.name,
                            spellOperation(m, slice));
    d.help = "call torch.vmap around the conditional, or write what is done to one slice for the whole batch";
    ctx.report(std::move(d));
  }
}

/// Tells that \p branch holds the node \p n; \p why goes on from there.
void reportHeld(RuleContext &ctx, const Branch &branch, NodeId n, std::string_view why, std::string_view help) {
  Draft d;
  d.node = n;
  d.message = fmt::format("'{}' holds {}, {}", branch.name, ctx.m.operatorName(ctx.m[n].op), why);
  d.help = help;
  ctx.report(std::move(d));
}

/// ET4, ET6: what stands in an operator of a higher order that ExecuTorch does not lower, it does not lower either.
bool checkHigherOrderAround(RuleContext &ctx) {
  const Model &m = ctx.m;
  for (NodeId owner = m[m[ctx.conditional().node].graph].owner; owner; owner = m[m[owner].graph].owner) {
    const OperatorId op = m[owner].op;
    if (isLoweredByExecuTorch(m, op, ctx.version) != Tri::No)
      continue;
    Draft d;
    d.message = fmt::format("the conditional stands in {}, and {} lowers no {}", m.path(owner), ctx.target.str(),
                            m.text(m[op].name));
    d.help = insteadForExecuTorch(m, op);
    d.related.push_back({"what it stands in", m.location(owner), m.path(owner)});
    ctx.report(std::move(d));
    return true;
  }
  return false;
}

/// ET3: what has a kernel that is refused, or computes something else, in some uses.
void checkUses(RuleContext &ctx, const Branch &branch, NodeId n) {
  const Model &m = ctx.m;
  const std::string target = ctx.target.str();
  const Tri across = isReadAcross(m, ctx.facts.exported, n), complex = takesComplex(m, n, ctx.version);
  if (across == Tri::Yes) {
    reportHeld(ctx, branch, n,
               fmt::format("whose result {} takes to lie in another order: what reads it is refused or wrong", target),
               insteadForExecuTorch(m, m[n].op));
    return;
  }
  if (complex == Tri::No) {
    reportHeld(ctx, branch, n, fmt::format("which {} does not compute of complex numbers", target),
               "keep the real and the imaginary part as two tensors");
    return;
  }
  if (across == Tri::Unknown)
    ctx.unknown(fmt::format("{} takes what {} makes to lie in another order, and some that read it are right", target,
                            m.path(n)));
  else if (complex == Tri::Unknown)
    ctx.unknown(
        fmt::format("whether {} computes {} of complex numbers was not measured", target, m.operatorName(m[n].op)));
  else if (feedsChannelsLast(m, ctx.facts.exported, n))
    ctx.unknown(fmt::format("{} is of channels_last, and kernels of {} refuse operands that do not all lie so",
                            m.path(n), target));
}

void checkExecuTorch(RuleContext &ctx) {
  const Model &m = ctx.m;
  if (checkHigherOrderAround(ctx))
    return;
  for (const Branch &branch : ctx.conditional().branches)
    if (branch.graph)
      forEachNode(ctx.facts, m, branch.graph, [&](NodeId n) {
        const OperatorId op = m[n].op;
        // Exporting drops what nobody reads, also where it draws numbers.
        if (!isAnyResultUsed(ctx.facts, m, n))
          return;
        const Tri lowered = isLoweredByExecuTorch(m, op, ctx.version);
        const Tri kernel = updatesStatistics(m, n) ? Tri::No : hasPortableKernel(m, op, ctx.version);
        if (lowered == Tri::Unknown)
          return ctx.unknown(
              fmt::format("whether {} lowers {} was not measured", ctx.target.str(), m.operatorName(op)));
        if (kernel == Tri::Unknown)
          return ctx.unknown(fmt::format("{} takes {} with some arguments, or in one way of lowering, alone",
                                         ctx.target.str(), m.operatorName(op)));
        const std::string_view instead = insteadForExecuTorch(m, op);
        if (lowered == Tri::No)
          return reportHeld(ctx, branch, n, fmt::format("which {} does not lower", ctx.target.str()), instead);
        if (kernel == Tri::No)
          return reportHeld(
              ctx, branch, n, fmt::format("for which {} has no portable kernel", ctx.target.str()),
              instead.empty()
                  ? "compute it in front of the model and make its result an input, or link a kernel of your own"
                  : instead);
        checkUses(ctx, branch, n);
      });
}

constexpr const char *inlineFunctions = "inline the functions of the model first (onnx.inliner.inline_local_functions)";

GraphId outermost(const Model &m, GraphId g) {
  while (m[g].parent)
    g = m[g].parent;
  return g;
}

/// OV8: of a function OpenVINO asks for an operator of that name, and has none but its own.
bool isUnknownCall(const Model &m, NodeId n) {
  const std::string_view domain = m.text(m[m[n].op].domain);
  return m[n].callee && !domain.empty() && domain != "com.microsoft" && domain != "org.openvinotoolkit";
}

bool isScan(const Model &m, NodeId n) {
  const Operator &op = m[m[n].op];
  return op.dialect == Dialect::Onnx && m.text(op.name) == "Scan" && m.text(op.domain).empty();
}

/// OV11: what a Scan's body reads from around it OpenVINO counts among its inputs, but no constant; empty where it
/// reads none.
ValueId readAroundScan(const Model &m, NodeId scan) {
  const auto isConstant = [&](ValueId v) {
    return m[v].origin == ValueOrigin::Constant || (m[v].def && m.text(m[m[m[v].def].op].name) == "Constant");
  };
  ValueId first;
  forEachGraphInside(m, m.regions(scan), [&](GraphId g) {
    for (const NodeId n : m.nodes(g))
      for (const ValueId v : m.operands(n))
        if (!first && v && m.encloses(m[v].graph, m[scan].graph) && !isConstant(v))
          first = v;
  });
  return first;
}

/// True when it was told that OpenVINO may never come to \p n, which nothing needs.
bool isMaybeDropped(RuleContext &ctx, NodeId n) {
  if (ctx.facts.needed.holdsAny(n))
    return false;
  ctx.unknown(whyDropped(ctx, fmt::format("what {} computes", ctx.m.path(n))));
  return true;
}

/// OV11: nor is a conditional in a Scan read whose body reads what is around it.
bool checkScanAround(RuleContext &ctx) {
  const Model &m = ctx.m;
  for (NodeId owner = m[m[ctx.conditional().node].graph].owner; owner; owner = m[m[owner].graph].owner) {
    if (!isScan(m, owner))
      continue;
    if (isMaybeDropped(ctx, owner))
      return true;
    const ValueId v = readAroundScan(m, owner);
    if (!v) {
      ctx.unknown(fmt::format("the conditional stands in {}, which reads nothing around it: of OpenVINO few such "
                              "models were measured, which were all right",
                              m.path(owner)));
      continue;
    }
    Draft d;
    d.message = fmt::format("the conditional stands in {}, whose body reads {} from around it, and {} reads none that "
                            "does",
                            m.path(owner), spellValue(m, v), ctx.target.str());
    d.help = "pass it to the Scan as an initial state, the predicate as well, or write the Scan as a Loop";
    d.related.push_back({"the Scan", m.location(owner), m.path(owner)});
    ctx.report(std::move(d));
    return true;
  }
  return false;
}

/// Whether a call of \p function is needed, or none is seen: then so is one of its results. Of one that is a parameter
/// its calls must say it, which are not looked for where a node makes a result that is needed.
bool isCallNeeded(RuleContext &ctx, GraphId function) {
  const Model &m = ctx.m;
  const auto results = m.results(function);
  const auto isNeeded = [&](ValueId v) {
    const NodeId maker = v ? m[v].def : NodeId();
    return maker && ctx.facts.needed.holds(maker, v.index() - m[maker].results.first);
  };
  if (std::ranges::any_of(results, isNeeded))
    return true;
  if (std::ranges::all_of(results, [&](ValueId v) { return v && m[v].def; }))
    return results.empty();
  const std::vector<NodeId> &calls = ctx.facts.constants.callsOf(function);
  return calls.empty() || std::ranges::any_of(calls, [&](NodeId n) { return ctx.facts.needed.holdsAny(n); });
}

/// OV9: true when it was told that a node of a branch takes a sequence apart that OpenVINO does not find.
bool checkSequence(RuleContext &ctx, const Branch &branch, NodeId n) {
  const Model &m = ctx.m;
  if (m[n].graph != branch.graph)
    return false; // in a loop of the branch nothing was measured
  const SequenceFault fault = sequenceFault(m, n, ctx.version);
  if (fault == SequenceFault::None || openVinoReading(m, n, ctx.version).isRead == Tri::No)
    return false;
  if (isMaybeDropped(ctx, n))
    return true;
  if (fault == SequenceFault::Unsure) {
    ctx.unknown(fmt::format("{} takes an entry of a sequence that is put together in the branch: {} was seen to find "
                            "one that the branch computes, and finds none that comes from around it",
                            m.path(n), ctx.target.str()));
    return true;
  }
  struct Words {
    std::string_view which, help;
  };
  const auto words = [&]() -> Words {
    switch (fault) {
    case SequenceFault::Outer:
      return {
          "none of a sequence that the graph around the branch makes",
          "make the sequence in the branch: SplitToSequence for SequenceAt, SequenceConstruct for ConcatFromSequence"};
    case SequenceFault::Inserted:
      return {"none of a sequence that something is inserted into",
              "make it by one SequenceConstruct of all its tensors"};
    case SequenceFault::Copied:
      return {"none of a sequence behind an Identity", "leave the Identity out"};
    default:
      return {
          "none of a sequence that is put together in the branch",
          "take the tensor itself where the position is fixed; Concat of what Unsqueeze makes of the tensors and a "
          "Gather do the same where they have one shape (from 2026.1 on also ConcatFromSequence with new_axis = 1)"};
    }
  }();
  reportHeld(ctx, branch, n, fmt::format("and {} reads {}", ctx.target.str(), words.which), std::string(words.help));
  return true;
}

/// OV8, OV12: what OpenVINO does not read of \p n, or computes wrongly.
void reportReading(RuleContext &ctx, const Branch &branch, NodeId n, const OpenVinoReading &reading) {
  const std::string target = ctx.target.str();
  if (reading.isRead == Tri::No) {
    const std::string what = reading.isWrong ? fmt::format("which {} computes wrongly there: {}", target, reading.how)
                                             : fmt::format("which {} does not read{}{}", target,
                                                           reading.how.empty() ? "" : " ", reading.how);
    return reportHeld(ctx, branch, n, what, std::string(reading.help));
  }
  const std::string node = ctx.m.path(n);
  ctx.unknown(reading.how.empty()
                  ? fmt::format("{} reads {} with an extension alone, or in some uses", target, node)
                  : fmt::format("{} does not read {} {}; here they are computed, and may be folded before", target,
                                node, reading.how));
}

void checkOpenVino(RuleContext &ctx) {
  const Model &m = ctx.m;
  const Conditional &c = ctx.conditional();
  const GraphId around = outermost(m, m[c.node].graph);
  if (around != m.main() && !ctx.facts.uncalled[around.index()]) {
    if (!isCallNeeded(ctx, around))
      return ctx.unknown(whyDropped(ctx, fmt::format("what a call of {} computes", m.path(around))));
    Draft d;
    d.message = fmt::format("the conditional stands in the model-local function {}, and {} reads none", m.path(around),
                            ctx.target.str());
    d.help = inlineFunctions;
    return ctx.report(std::move(d));
  }
  if (checkScanAround(ctx))
    return;
  for (const Branch &branch : c.branches)
    if (branch.graph)
      forEachNode(ctx.facts, m, branch.graph, [&](NodeId n) {
        const bool isCall = isUnknownCall(m, n);
        if (checkSequence(ctx, branch, n))
          return;
        if (const ValueId v = isScan(m, n) ? readAroundScan(m, n) : ValueId(); v && !isMaybeDropped(ctx, n))
          return reportHeld(ctx, branch, n,
                            fmt::format("whose body reads {} from around it, and {} reads none that does",
                                        spellValue(m, v), ctx.target.str()),
                            "pass it to the Scan as an initial state, or write the Scan as a Loop");
        const OpenVinoReading reading = isCall ? OpenVinoReading{Tri::No} : openVinoReading(m, n, ctx.version);
        if (reading.isRead == Tri::Yes || isMaybeDropped(ctx, n))
          return;
        if (isCall)
          return reportHeld(ctx, branch, n, fmt::format("a model-local function, and {} reads none", ctx.target.str()),
                            inlineFunctions);
        reportReading(ctx, branch, n, reading);
      });
}

} // namespace

void checkUnsupportedInBranch(RuleContext &ctx) {
  if (ctx.isNetwork())
    return checkNetwork(ctx);
  const Model &m = ctx.m;
  if (m.info.dialect == Dialect::Torch && ctx.isSource())
    return ctx.absent();
  if (m.info.dialect == Dialect::Torch && !ctx.isTensorRT()) {
    checkVmap(ctx);
    if (ctx.target.system == System::ExecuTorch)
      checkExecuTorch(ctx);
    return;
  }
  if (ctx.isOpenVino())
    return checkOpenVino(ctx);
  if (!ctx.facts.anyNotable)
    return;
  for (std::size_t b = 0; b < ctx.conditional().branches.size(); ++b) {
    const Branch &branch = ctx.conditional().branches[b];
    if (!branch.graph || !ctx.isTaken(b))
      continue;
    const auto found = [&](NodeId n, NodeId call) {
      if (!ctx.facts.notableOperators[m[n].op.index()] || !becomesRejectedLayer(m, n))
        return;
      const bool attends = isAttention(m, m[n].op);
      if (attends && !(ctx.isTensorRT() && !(ctx.version < attentionSince)))
        return;
      Draft d;
      d.node = call ? call : n;
      d.message =
          fmt::format("'{}' holds {}{}, which {} does not take inside a conditional", branch.name,
                      m.operatorName(m[n].op), call ? fmt::format(" (in {})", m.path(n)) : "", ctx.target.str());
      if (attends)
        d.message += " (public reports against 10.16: the engine does not build)";
      d.help = attends ? "move it in front of or behind the conditional, or write it as MatMul and Softmax"
                       : "move it in front of or behind the conditional, or express it otherwise (a strided Slice, a "
                         "MatMul, a Conv)";
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
