//===- PredicateShape.cpp - The predicate has one element (P3, C2) --------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/BelievedShape.h"
#include "engine/Describe.h"
#include "engine/RuleFunctions.h"
#include "engine/SizeJudgement.h"
#include <algorithm>
#include <fmt/format.h>
#include <string_view>

namespace condlint {

namespace {

/// One element of several in ONNX, where these take no bool before opset 20.
constexpr std::string_view reduced = "ReduceMax or ReduceMin, below opset 20 between a Cast to int32 and one back";

/// TP3: TensorRT's parser reshapes a predicate where the product of its sizes is 1, and a size that the file leaves
/// open is -1 there. True where the product is another for that, whatever the size is in a run. Of a size that is
/// computed the parser may know more.
bool isOpenToTheParser(const RuleContext &ctx, const Type &t) {
  if (!ctx.isTensorRT() || ctx.m.info.dialect != Dialect::Onnx || !ctx.m.main())
    return false;
  bool isOpen = false, isNegative = false, isOne = true;
  for (const Dim d : t.dims) {
    const auto size = ctx.m.dims.asConstant(d);
    const auto symbol = ctx.m.dims.asSymbol(d);
    if (!size && (!symbol || !isInputSize(ctx.m, ctx.conditional().node, symbol->name)))
      return false;
    isOpen = isOpen || !size;
    isNegative = isNegative != !size;
    isOne = isOne && size.value_or(1) == 1;
  }
  return isOpen && (isNegative || !isOne);
}

/// ONNX: \p predicate has one element; not decided where nothing but a declaration says so.
void doubtElements(RuleContext &ctx, ValueId predicate) {
  const Type &t = undeclaredTypeOf(ctx, predicate);
  if (!t.hasRank)
    return ctx.unknown(nothingElseSaysRank(ctx, predicate));
  for (std::size_t i = 0; i < t.dims.size(); ++i)
    if (judgeEqual(ctx, ctx.conditional().node, t.dims[i], ctx.m.dims.constant(1)).verdict != Verdict::Proved)
      return ctx.unknown(nothingElseSaysSize(ctx, predicate, i));
}

} // namespace

void checkPredicateShape(RuleContext &ctx) {
  const Conditional &c = ctx.conditional();
  if (c.predicateKind != PredicateKind::Value)
    return ctx.absent();
  Model &m = ctx.m;
  if (ctx.facts.brokenPredicates.contains(c.node))
    return ctx.unknown("the predicate is not defined before it is needed");
  const Type &t = ctx.typeOf(c.predicate);
  if (t.kind != ValueKind::Unknown && !t.isTensor())
    return;
  if (!t.hasRank)
    return ctx.unknown(fmt::format("the shape of {} is not known", spellPredicate(m, c.predicate)));
  // C2: the network API takes rank 0 alone, of a constant too. In a file the parser reshapes what has
  // one element (TP3), and torch and ONNX admit any rank.
  if (ctx.isTensorRT() && m.info.dialect == Dialect::TensorRT && !t.dims.empty()) {
    Draft d;
    d.message = fmt::format("{} has the shape {}; TensorRT takes a scalar of rank 0", spellPredicate(m, c.predicate),
                            spellDims(m.dims, t.dims));
    d.help = "reshape it to rank 0";
    d.related.push_back(relatedTo(m, c.predicate, "the predicate is made here"));
    return ctx.report(std::move(d));
  }
  // OV2: whatever the sizes are.
  if (ctx.isOpenVino() && t.dims.size() > 1) {
    Draft d;
    d.message = fmt::format("{} has the shape {}; OpenVINO reads no If whose predicate has more than one axis ({})",
                            spellPredicate(m, c.predicate), spellDims(m.dims, t.dims), spellPlace(m, c.predicate));
    d.help = fmt::format("bring it to one axis of size 1 before the If (Reshape to [1]; of more elements {})", reduced);
    d.related.push_back(relatedTo(m, c.predicate, "the predicate is made here"));
    return ctx.report(std::move(d));
  }
  Dim elements = m.dims.constant(1);
  for (Dim dim : t.dims)
    elements = m.dims.mul(elements, dim);
  Judgement j = judgeEqual(ctx, c.node, elements, m.dims.constant(1));
  const bool isOpen = j.verdict != Verdict::Violated && isOpenToTheParser(ctx, t);
  if (isOpen) {
    j = Judgement();
    j.verdict = Verdict::Violated;
  }
  if (j.verdict == Verdict::Proved)
    return doubtElements(ctx, c.predicate);
  if (j.verdict == Verdict::Unknown)
    return ctx.unknown(
        fmt::format("the number of elements of {} is not known: {}", spellPredicate(m, c.predicate), j.reason));
  Draft d;
  d.verdict = j.verdict;
  d.assumed = j.assumed;
  d.witness = j.witness;
  d.message = fmt::format("{} has the shape {}, not one element ({}{})", spellPredicate(m, c.predicate),
                          spellDims(m.dims, t.dims), spellPlace(m, c.predicate),
                          j.verdict == Verdict::Possible && !j.witness.empty()
                              ? fmt::format("; {} elements with {} = {}", j.a, j.witness[0].first, j.witness[0].second)
                              : std::string());
  d.help =
      isOpen ? "give it one size, 1, or none: TensorRT's parser makes a scalar only of what it knows to be one"
      : ctx.isOpenVino()
          ? fmt::format("reduce it to one element before the If ({}); OpenVINO looks at the first one alone", reduced)
      : ctx.target.system == System::OnnxRuntime
          ? fmt::format("reduce it ({}); ONNX Runtime loads the model and fails when it runs", reduced)
          : "reduce it to one element (any, all, ReduceMax) before the conditional";
  d.related.push_back(relatedTo(m, c.predicate, "the predicate is made here"));
  ctx.report(std::move(d));
}

} // namespace condlint
