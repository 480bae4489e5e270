//===- UnsupportedInBranch.cpp - No operator that the target rejects in a branch (I1) ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BranchNodes.h"
#include "Describe.h"
#include "NetworkRules.h"
#include "RuleFunctions.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace condlint {

namespace {

/// The same as ATen operators; `aten.convolution` where an argument makes it transposed.
bool becomesRejectedLayer(std::string_view name) {
  name = name.substr(0, name.find('.'));
  constexpr std::array<std::string_view, 8> families{"_adaptive_avg_pool", "_upsample", "adaptive_avg_pool",
                                                     "adaptive_max_pool",  "avg_pool",  "conv_transpose",
                                                     "max_pool",           "upsample_"};
  // The gradients of these are other layers.
  return !name.ends_with("_backward") &&
         (name == "prelu" || name == "_prelu_kernel" || name == "convolution" || name == "_convolution" ||
          std::ranges::any_of(families, [&](std::string_view f) { return name.starts_with(f); }));
}

bool isPlainConvolution(const Model &m, NodeId n) {
  const Operator &op = m[m[n].op];
  if (op.dialect != Dialect::Torch || m.text(op.name).find("convolution") == std::string_view::npos)
    return false;
  const Attribute *a = m.attribute(n, "transposed");
  return !a || a->kind != AttributeKind::Bool || a->number == 0;
}

} // namespace

bool isUnsupportedInBranch(const Model &m, OperatorId o) {
  const Operator &op = m[o];
  if (op.dialect == Dialect::Torch)
    return m.text(op.domain) == "aten" && becomesRejectedLayer(m.text(op.name));
  if (op.dialect != Dialect::Onnx || !m.text(op.domain).empty())
    return false;
  // The layers that TensorRT's own verifier refuses in a branch (I1), as
  // the ONNX operators that become them. Sorted.
  constexpr std::array<std::string_view, 11> rejected{"AveragePool",  "ConvTranspose", "GlobalAveragePool",
                                                      "GlobalLpPool", "GlobalMaxPool", "LpPool",
                                                      "MaxPool",      "PRelu",         "Pad",
                                                      "Resize",       "Upsample"};
  return std::ranges::binary_search(rejected, m.text(op.name));
}

bool isRejectedInBranch(const Model &m, NodeId layer) {
  // Sorted.
  constexpr std::array<std::string_view, 10> rejected{
      "addDeconvolution", "addDeconvolutionNd", "addPadding",       "addPaddingNd", "addParametricReLU",
      "addPooling",       "addPoolingNd",       "addRaggedSoftMax", "addResize",    "addResizeNd"};
  return std::ranges::binary_search(rejected, layerName(m, layer));
}

namespace {

/// I1 for a network: the layers that are lazy in this conditional.
void checkNetwork(RuleContext &ctx) {
  const Model &m = ctx.m;
  const Construct &c = constructOf(ctx);
  for (std::size_t side = 0; side < 2; ++side)
    for (NodeId n : c.interior[side]) {
      if (!isRejectedInBranch(m, n) || ctx.facts.network->lazyIn(n) != &c)
        continue;
      Draft d;
      d.node = n;
      d.message = fmt::format("'{}' holds {}, which {} does not take inside a conditional",
                              side == 0 ? "true" : "false", spellLayer(m, n), ctx.target.str());
      d.help = "move it in front of or behind the conditional, or express it otherwise (addSlice, addMatrixMultiply, "
               "addConvolutionNd)";
      ctx.report(std::move(d));
    }
}

} // namespace

void checkUnsupportedInBranch(RuleContext &ctx) {
  if (ctx.isNetwork())
    return checkNetwork(ctx);
  const Model &m = ctx.m;
  if (m.info.dialect == Dialect::Torch && ctx.isSource())
    return ctx.absent();
  if (!ctx.facts.anyNotable)
    return;
  for (std::size_t b = 0; b < ctx.conditional().branches.size(); ++b) {
    const Branch &branch = ctx.conditional().branches[b];
    if (!branch.graph || !ctx.isTaken(b))
      continue;
    const auto found = [&](NodeId n, NodeId call) {
      if (!ctx.facts.notableOperators[m[n].op.index()] || !isUnsupportedInBranch(m, m[n].op) ||
          isPlainConvolution(m, n))
        return;
      Draft d;
      d.node = call ? call : n;
      d.message =
          fmt::format("'{}' holds {}{}, which {} does not take inside a conditional", branch.name,
                      m.operatorName(m[n].op), call ? fmt::format(" (in {})", m.path(n)) : "", ctx.target.str());
      d.help =
          "move it in front of or behind the conditional, or express it otherwise (a strided Slice, a MatMul, a Conv)";
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
