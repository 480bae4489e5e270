//===- OutputKind.cpp - The same, admitted kind in each position (R2, R3, R5, TP6, OV4) ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/Describe.h"
#include "engine/RuleFunctions.h"
#include "facts/OpenVinoSequences.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {

namespace {

/// The kinds an If admits, which grew with its versions: type V in ONNX's docs/Changelog.md.
bool onnxAdmits(const RuleContext &ctx, const Type &t) {
  const std::int32_t since = ctx.conditional().sinceVersion;
  // What is held: nothing, where that is not known.
  const Type *item = t.item ? &ctx.m.types[t.item] : nullptr;
  const auto isTensor = [](const Type *x) { return !x || x->isTensor() || x->kind == ValueKind::Unknown; };
  switch (t.kind) {
  case ValueKind::Tensor:
    return true;
  case ValueKind::Sequence:
    return !ctx.isTensorRT() && (since == 0 || since >= 13) && isTensor(item);
  case ValueKind::Optional:
    if (item && item->kind == ValueKind::Sequence)
      item = item->item ? &ctx.m.types[item->item] : nullptr;
    return !ctx.isTensorRT() && (since == 0 || since >= 16) && isTensor(item);
  default:
    return false;
  }
}

/// \p v is an initializer of a branch that is stored sparsely: ONNX gives it a sparse type, and ONNX Runtime makes it
/// dense for the nodes that read it alone. It does so with what a Constant holds sparsely as well, which by ONNX is a
/// dense tensor.
bool isSparse(const RuleContext &ctx, ValueId v) {
  const Model &m = ctx.m;
  if (m[v].origin == ValueOrigin::Constant)
    return m[v].constant && m[m[v].constant].sparse;
  return ctx.target.system == System::OnnxRuntime && m[v].origin == ValueOrigin::Result &&
         m.operatorName(m[m[v].def].op) == "Constant" && m.attribute(m[v].def, "sparse_value") != nullptr;
}

/// R2: tensors, and from 2.7 ints that are constants of the branch. AOTInductor
/// cannot compile an int (R4), 2.6 cannot trace one.
bool torchAdmits(const RuleContext &ctx, ValueId v, const Type &t) {
  if (t.isTensor())
    return true;
  if (t.kind != ValueKind::SymInt || ctx.target.system != System::Torch)
    return false;
  const bool merges = ctx.version == Version{} || ctx.version >= Version{2, 7};
  const Value &x = ctx.m[v];
  return merges && x.content && ctx.m.content(x.content).size() == 1 &&
         ctx.m.dims.asConstant(ctx.m.content(x.content)[0]).has_value();
}

bool admits(const RuleContext &ctx, ValueId v) {
  const Type &t = ctx.typeOf(v);
  if (ctx.isTensorRT() || ctx.isOpenVino()) // OV4
    return t.isTensor();
  return ctx.isTorch() ? torchAdmits(ctx, v, t) : onnxAdmits(ctx, t) && !isSparse(ctx, v);
}

/// The first version of OpenVINO that finds the entries of some sequences that leave an If.
constexpr Version findsEntriesSince{2026, 3};

/// OV4: what OpenVINO does with a sequence or an optional that leaves an If hangs on what is done with it there. False
/// where nothing is to be said of it, or was said.
bool judgeOpenVino(RuleContext &ctx, const Output &o, Draft &d) {
  const Conditional &c = ctx.conditional();
  const Type &a = ctx.typeOf(o.values[0]), &b = ctx.typeOf(o.values[1]);
  const SequenceUse use = o.declared ? sequenceUse(ctx.m, ctx.facts.needed, c.node, o.position) : SequenceUse::Dropped;
  if (use == SequenceUse::Dropped) {
    ctx.unknown(whyDropped(ctx, fmt::format("output {}", o.position)));
    return false;
  }
  const bool isOld = ctx.version != Version{} && ctx.version < findsEntriesSince;
  if (a.kind != ValueKind::Sequence || b.kind != ValueKind::Sequence || isOld)
    return true;
  if (use == SequenceUse::Whole) {
    d.message += fmt::format(", and {} finds single entries of it alone", ctx.target.str());
    return true;
  }
  const SequenceEntries entries =
      use == SequenceUse::Open ? SequenceEntries::Open : sequenceEntries(ctx.m, c, use, o.values[0], o.values[1]);
  if (entries == SequenceEntries::Open) {
    ctx.unknown(fmt::format("whether {} finds the entries of output {} is not known", ctx.target.str(), o.position));
    return false;
  }
  if (entries == SequenceEntries::Found) {
    d.variant = "entries";
    d.message += ", which since 2026.3 finds its entries; older versions do not read it";
  } else {
    d.message += ", and the branches hold other numbers of entries, of which it takes wrong ones or none";
  }
  return true;
}

/// \p v, a tensor, is none where a loop that makes it makes no trip.
bool mayBeNone(RuleContext &ctx, ValueId v) {
  return ctx.isSource() && ctx.typeOf(v).isTensor() &&
         std::ranges::any_of(ctx.sourcesOf(v), [&](const AliasAnalysis::Source &s) {
           return ctx.typeOf(s.value).kind == ValueKind::None;
         });
}

} // namespace

void checkOutputKind(RuleContext &ctx) {
  for (const Output &o : ctx.outputs()) {
    if (!o.known)
      continue;
    const Type &a = ctx.typeOf(o.values[0]);
    const Type &b = ctx.typeOf(o.values[1]);
    if (a.kind == ValueKind::Unknown || b.kind == ValueKind::Unknown) {
      ctx.unknown(
          fmt::format("nothing is known of {}", spellValue(ctx.m, o.values[a.kind == ValueKind::Unknown ? 0 : 1])));
      continue;
    }
    for (const ValueId v : o.values)
      if (mayBeNone(ctx, v))
        ctx.unknown(fmt::format("{} is None where a loop makes no trip", spellValue(ctx.m, v)));
    Draft d;
    d.node = o.node;
    const auto spelled = [&](std::size_t side) {
      const Type &t = side == 0 ? a : b;
      if (t.kind == ValueKind::None)
        return std::string("None");
      const std::string spelt = !t.isTensor()                   ? spellType(ctx.m, t)
                                : isSparse(ctx, o.values[side]) ? "sparse tensor"
                                                                : "tensor";
      return (spelt.front() == 'o' ? "an " : "a ") + spelt;
    };
    if (o.compared && a.kind != b.kind) {
      d.output = o.position;
      d.message = fmt::format("the branches return different kinds of values{}: {}", spellPosition(ctx, o.position),
                              spellSides(ctx, o, spelled(0), spelled(1)));
      d.help = "return a tensor from both branches";
    } else {
      std::size_t side = 2;
      for (std::size_t i = 2; i-- > 0;)
        if (ctx.isTaken(i) && !admits(ctx, o.values[i]))
          side = i;
      if (side == 2)
        continue;
      const bool both = o.compared && !admits(ctx, o.values[1 - side]);
      d.output = o.position;
      d.message = fmt::format("{} is no output of a conditional for {}{}: {}", spelled(side), ctx.target.str(),
                              spellPosition(ctx, o.position),
                              both ? spellSides(ctx, o, spelled(0), spelled(1))
                                   : spellSide(ctx, side, o.values[side], spelled(side)));
      if (ctx.isOpenVino() && !judgeOpenVino(ctx, o, d))
        continue;
      d.help = isSparse(ctx, o.values[side]) ? "store it densely, or put an Identity behind it"
               : ctx.isSource() ? "return tensors: wrap a number as `torch::tensor(n)`, or compute it outside"
               : ctx.isTorch()  ? "return tensors: wrap a number as `torch.tensor(n)`, or compute it outside"
               : ctx.isOpenVino()
                   ? "return tensors, and read those behind the If (a SequenceConstruct of them from 2026.1 on)"
                   : "return tensors; build the sequence or optional from them behind the If";
    }
    d.related = relatedSides(ctx, o);
    ctx.report(std::move(d));
  }
}

} // namespace condlint
