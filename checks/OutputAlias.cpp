//===- OutputAlias.cpp - No output is a view of an operand or a capture (A1, A4) ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/SourceGraph.h"
#include "engine/Describe.h"
#include "engine/RuleFunctions.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {

namespace {

/// \p branch returns \p v before anything defines it, which value-undefined says.
bool isReturnedEarly(const RuleContext &ctx, const Branch &branch, ValueId v) {
  // They are in the order of the model.
  const auto inBranch = std::ranges::equal_range(ctx.facts.scope, branch.graph.index(), {},
                                                 [](const ScopeProblem &p) { return p.graph.index(); });
  return std::ranges::any_of(inBranch, [&](const ScopeProblem &p) {
    const bool early =
        p.fault == ScopeFault::Later || p.fault == ScopeFault::MainLater || p.fault == ScopeFault::Cyclic;
    return early && p.value == v &&
           ctx.tableSeverity("value-undefined", p.fault == ScopeFault::MainLater ? "later" : "") != Severity::Off;
  });
}

bool isInitializer(const Model &m, ValueId v) { return m[v].origin == ValueOrigin::Constant; }

/// OV6: a weight of the branch itself, which other systems take.
void checkOwnWeight(RuleContext &ctx, const Branch &branch, std::size_t i, ValueId v) {
  if (!ctx.isOpenVino() || ctx.tableSeverity("output-alias", "own") == Severity::Off)
    return;
  Draft d;
  d.variant = "own";
  d.message = fmt::format("'{}' returns {} directly, a weight of its own, which {} does not find", branch.name,
                          spellValue(ctx.m, v), ctx.target.str());
  d.help = "insert an Identity, or make it a Constant";
  d.fixes.push_back(
      {fmt::format("insert Identity between {} and output {} of '{}'", spellValue(ctx.m, v), i, branch.name)});
  ctx.report(std::move(d));
}

/// ONNX: a branch's output must be made inside the branch.
void checkOuterValues(RuleContext &ctx, std::size_t b) {
  const Model &m = ctx.m;
  const Branch &branch = ctx.conditional().branches[b];
  const auto results = ctx.results(b);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const ValueId v = results[i];
    if (v && isInitializer(m, v) && m[v].graph == branch.graph)
      checkOwnWeight(ctx, branch, i, v);
    if (!v || m[v].origin == ValueOrigin::Undefined || m[v].graph == branch.graph ||
        !m.encloses(m[v].graph, branch.graph) || isReturnedEarly(ctx, branch, v))
      continue;
    Draft d;
    d.message = fmt::format("'{}' returns {} directly, a value of the graph around it ({})", branch.name,
                            spellValue(m, v), spellPlace(m, v));
    if (ctx.isTensorRT())
      d.help = "TensorRT takes it; the branch is empty"; // TP10
    else if (ctx.isOpenVino() && isInitializer(m, v)) {
      d.variant = "initializer"; // OV6
      d.help = "insert an Identity: OpenVINO does not find a weight that a branch returns as it is";
    } else if (ctx.isOpenVino())
      d.help = "OpenVINO takes it; for ONNX Runtime and onnx.checker insert an Identity";
    else
      d.help = "insert an Identity: ONNX Runtime refuses to load it (\"Subgraph output is an outer scope value being "
               "returned directly\"), and so does onnx.checker since 1.17";
    d.fixes.push_back(
        {fmt::format("insert Identity between {} and output {} of '{}'", spellValue(m, v), i, branch.name)});
    d.related.push_back(relatedTo(m, v, "the outer value is made here"));
    ctx.report(std::move(d));
  }
}

/// torch: no storage of an operand or of a captured tensor leaves the branch.
bool mayBeTensor(const Type &t) { return t.isTensor() || t.kind == ValueKind::Unknown; }

/// What stands for all that was not read because a branch was too large.
bool isUnread(const RuleContext &ctx, ValueId v) {
  return ctx.isSource() && ctx.m[v].def && isCxx(ctx.m, ctx.m[v].def, CxxOp::Unknown) &&
         ctx.typeOf(v).kind == ValueKind::Unknown;
}

/// The last step on the way to a view; nothing for what is only assumed.
std::string spellThrough(const Model &m, NodeId n) {
  return n && !isCxx(m, n, CxxOp::Assume) ? fmt::format(" through {}", spellOperation(m, n)) : std::string();
}

/// The elements of \p t lie in the order of its axes; nothing where that is not known.
std::optional<bool> isRowMajor(const Model &m, const Type &t) {
  if (!t.hasRank || !t.hasStrides || t.strides.size() != t.dims.size())
    return std::nullopt;
  std::optional<std::int64_t> inner;
  for (std::size_t i = t.dims.size(); i-- > 0;) {
    const auto size = m.dims.asConstant(t.dims[i]), stride = m.dims.asConstant(t.strides[i]);
    if (!size || !stride)
      return std::nullopt;
    if (*size == 1)
      continue;
    if (inner && *stride < *inner)
      return false;
    inner = stride;
  }
  return true;
}

/// The call that copies output \p i of branch \p b, which is \p v. A plain clone keeps the order of the strides:
/// where the other branch's are in another order that would be the next break.
std::string copyingCall(const RuleContext &ctx, std::size_t b, std::size_t i, ValueId v) {
  const auto others = ctx.results(b == 0 ? 1 : 0);
  const bool differs = isRowMajor(ctx.m, ctx.typeOf(v)) == false && i < others.size() && others[i] &&
                       isRowMajor(ctx.m, ctx.typeOf(others[i])) == true;
  return !differs         ? ".clone()"
         : ctx.isSource() ? ".clone(torch::MemoryFormat::Contiguous)"
                          : ".clone(memory_format=torch.contiguous_format)";
}

void checkReturn(RuleContext &ctx, std::size_t b, const RuleContext::ReturnPoint &point) {
  const Model &m = ctx.m;
  const Branch &branch = ctx.conditional().branches[b];
  for (std::size_t i = 0; i < point.values.size(); ++i) {
    const ValueId v = point.values[i];
    if (!v || m[v].origin == ValueOrigin::Undefined)
      continue;
    const ValueKind kind = ctx.typeOf(v).kind;
    if (kind != ValueKind::Tensor && kind != ValueKind::Unknown)
      continue;
    // That a closed graph reads it at all is closure-capture.
    if (m.hasClosedGraphs() && !m.reaches(branch.graph, v))
      continue;
    for (const AliasAnalysis::Source &s : ctx.tracedSourcesOf(v)) {
      const Value &from = m[s.value];
      const bool operand = from.origin == ValueOrigin::Parameter && from.graph == branch.graph;
      const bool captured =
          from.graph && from.graph != branch.graph && m.encloses(from.graph, branch.graph) && !isUnread(ctx, s.value);
      if (!operand && !captured) {
        if (ctx.isSource() && isUnexplained(m, s.value))
          ctx.unknown(fmt::format("output {} of '{}' comes from {}, and may be anything", i, branch.name,
                                  spellOperation(m, from.def)));
        continue;
      }
      // What may be no tensor on some path is one on the path that leads here.
      if (!s.certain || (kind == ValueKind::Unknown && !ctx.isSource())) {
        ctx.unknown(fmt::format("output {} of '{}' may share storage with {}", i, branch.name, spellValue(m, s.value)));
        continue;
      }
      if (ctx.isSource() && !mayBeTensor(ctx.typeOf(s.value)))
        continue;
      Draft d;
      d.node = point.node;
      const std::string of = operand ? fmt::format("operand {} ({})", from.index, spellValue(m, s.value))
                                     : "the captured " + spellValue(m, s.value);
      const ValueId plain = withoutAssumptions(m, v);
      d.message = s.value == plain ? fmt::format("'{}' returns {} itself", branch.name, of)
                                   : fmt::format("'{}' returns {} ({}), a view of {}{}", branch.name, spellValue(m, v),
                                                 spellPlace(m, v), of, spellThrough(m, s.through));
      // What an expression of source makes has no name of the user's.
      const std::string name(ctx.isSource() && m[plain].def ? std::string_view() : m.name(plain));
      const std::string copy = copyingCall(ctx, b, i, v);
      d.help = name.empty() ? fmt::format("return a copy of output {}: append {}", i, copy)
                            : fmt::format("return a copy: replace {0} by {0}{1}", name, copy);
      // Under no_grad torch exports it.
      if (m.info.format == Format::Pt2)
        d.help += ctx.target.system == System::Aoti
                      ? "; torch loads and runs the file all the same, and AOTInductor refuses it"
                      : "; the file loads and runs all the same: run_decompositions refuses it, and what begins with "
                        "it (AOTInductor, the export to ONNX)";
      d.fixes.push_back({name.empty() ? fmt::format("return a copy of output {} from '{}'", i, branch.name)
                                      : fmt::format("return {}{} from '{}'", name, copy, branch.name),
                         editsToCopy(m, point.node, i, copy)});
      d.related.push_back(relatedTo(m, s.value, operand ? "the operand" : "the captured value"));
      if (operand && from.index < ctx.conditional().operands.size() && ctx.conditional().operands[from.index].value)
        d.related.push_back(relatedTo(m, ctx.conditional().operands[from.index].value, "what is passed for it"));
      ctx.report(std::move(d));
      break;
    }
  }
}

} // namespace

void checkOutputAlias(RuleContext &ctx) {
  const Conditional &c = ctx.conditional();
  for (std::size_t b = 0; b < c.branches.size(); ++b) {
    if (!c.branches[b].graph || !ctx.isTaken(b))
      continue;
    if (c.dialect != Dialect::Torch) {
      checkOuterValues(ctx, b);
      continue;
    }
    for (const RuleContext::ReturnPoint &point : ctx.returns(b))
      checkReturn(ctx, b, point);
  }
}

} // namespace condlint
