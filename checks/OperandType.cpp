//===- OperandType.cpp - Operands are what the branches declare (B3, ET5) -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/Describe.h"
#include "engine/RuleFunctions.h"
#include "engine/SizeJudgement.h"
#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace condlint {

namespace {

/// How an operand differs from what a branch declares for it, in words; empty
/// when it does not. \p j is the judgement about the shape.
std::string difference(const RuleContext &ctx, const Type &given, const Type &wanted, Judgement &j) {
  const Model &m = ctx.m;
  if (given.kind == ValueKind::Unknown || wanted.kind == ValueKind::Unknown)
    return {};
  if (given.kind != wanted.kind)
    return fmt::format("a {} is passed for a {}", spellKind(given.kind), spellKind(wanted.kind));
  if (!given.isTensor())
    return {};
  if (given.possible().disjoint(wanted.possible()))
    return fmt::format("{} is passed for {}", spellElement(given), spellElement(wanted));
  if (given.hasRank && wanted.hasRank && given.dims.size() != wanted.dims.size())
    return fmt::format("rank {} is passed for rank {}", given.dims.size(), wanted.dims.size());
  if (onOtherDevices(given, wanted))
    return fmt::format("a tensor on {} is passed for one on {}", spellDevice(m, given), spellDevice(m, wanted));
  if (!given.hasRank || !wanted.hasRank)
    return {};
  for (std::size_t i = 0; i < given.dims.size(); ++i) {
    // What source calls by a name in a branch is whatever is passed.
    if (ctx.isSource() && !m.dims.asConstant(wanted.dims[i]))
      continue;
    Judgement here = judgeEqual(ctx, ctx.conditional().node, given.dims[i], wanted.dims[i]);
    if (here.verdict > j.verdict)
      j = std::move(here);
  }
  if (j.verdict < Verdict::Possible)
    return {};
  return fmt::format("the shape {} is passed for {}", spellDims(m.dims, given.dims), spellDims(m.dims, wanted.dims));
}

/// What is passed for \p operand: an input of the model is what the file says of it, even where
/// everything that reads it takes it for something else.
const Type &passed(const RuleContext &ctx, ValueId operand) {
  const Model &m = ctx.m;
  const Value &x = m[operand];
  const bool isInput = x.origin == ValueOrigin::Parameter && x.graph == m.main() && !ctx.isSource();
  return isInput && x.recorded ? m.types[x.recorded] : ctx.typeOf(operand);
}

/// ET5: each pass takes the data anew, and torch remembers of the inputs of a graph alone what item() and nonzero()
/// gave.
class RememberedSizes {
public:
  RememberedSizes(const Model &model, GraphId graph) : m(model), g(graph) {}

  /// Whether the size \p name, of a value of the graph, is one of those.
  bool holds(std::string_view name) {
    if (!isRead)
      read();
    const auto at = names.find(name);
    return at != names.end() && at->second;
  }

private:
  /// Looks once through the graph and those around it, for the first node that makes each size.
  void read() {
    isRead = true;
    for (; g; g = m[g].parent)
      for (const NodeId n : m.nodes(g)) {
        const std::string_view op = m.text(m[m[n].op].name);
        if (m.operands(n).empty() || m.resultCount(n) != 1 ||
            (op != "item" && op != "_local_scalar_dense" && op != "nonzero"))
          continue;
        const ValueId made = m.result(n, 0), of = m.operands(n)[0];
        const bool isOfParameter = of && m[of].origin == ValueOrigin::Parameter;
        const auto add = [&](Dim d) {
          if (d.known())
            for (const Symbol &s : m.dims.symbolsOf(d))
              names.emplace(s.name, isOfParameter);
        };
        if (const ContentId number = m[made].content)
          std::ranges::for_each(m.content(number), add);
        std::ranges::for_each(m.type(made).dims, add);
      }
  }

  const Model &m;
  GraphId g;
  bool isRead = false;
  std::map<std::string, bool, std::less<>> names; ///< whether what makes it reads a parameter of its graph
};

/// ET5: the name of a size of \p t that follows from data that is not remembered; empty where none does.
std::string sizeOfData(const Model &m, RememberedSizes &remembered, const Type &t) {
  if (t.isTensor() && t.hasRank)
    for (const Dim d : t.dims)
      if (d.known())
        for (const Symbol &s : m.dims.symbolsOf(d))
          if (s.origin == SymbolOrigin::Unbacked && !remembered.holds(s.name))
            return std::string(s.name);
  return {};
}

/// The first version whose passes compare the sizes of a conditional's operands with what they were.
constexpr Version sizesOfDataRefusedSince{1, 4};

/// ET5: ExecuTorch's passes give such an operand another size than the branches have.
void checkSizesOfData(RuleContext &ctx) {
  const Model &m = ctx.m;
  const Conditional &c = ctx.conditional();
  RememberedSizes remembered(m, m[c.node].graph);
  for (std::size_t i = 0; i < c.operands.size(); ++i) {
    const ValueId operand = c.operands[i].value;
    const std::string size = operand ? sizeOfData(m, remembered, ctx.typeOf(operand)) : std::string();
    if (size.empty())
      continue;
    if (ctx.version < sizesOfDataRefusedSince)
      return ctx.unknown(fmt::format("whether {} lowers an operand whose size follows from data ({}) is not known",
                                     ctx.target.str(), size));
    Draft d;
    d.message = fmt::format("operand {} ({}, {}) has a size that follows from data ({}), and {} lowers no conditional "
                            "with one",
                            i, spellValue(m, operand), spellType(m, ctx.typeOf(operand)), size, ctx.target.str());
    d.help = "keep the size fixed and mask what is not meant, with torch.where, or make the number an input of the "
             "model and take item() of that itself";
    d.related.push_back(relatedTo(m, operand, "the operand is made here"));
    return ctx.report(std::move(d));
  }
}

} // namespace

void checkOperandType(RuleContext &ctx) {
  const Model &m = ctx.m;
  const Conditional &c = ctx.conditional();
  if (c.dialect != Dialect::Torch)
    return ctx.absent();
  if (c.operandsMalformed)
    return ctx.unknown("the operands are no list");
  if (ctx.target.system == System::ExecuTorch)
    checkSizesOfData(ctx);
  // With one operand too many or too few the positions mean nothing.
  for (const Branch &b : c.branches)
    if (b.graph && m[b.graph].parameters.count != c.operands.size())
      return ctx.unknown("the number of operands is wrong");
  for (std::size_t i = 0; i < c.operands.size(); ++i) {
    const ValueId operand = c.operands[i].value;
    if (!operand || m[operand].origin == ValueOrigin::Undefined)
      continue;
    const Type &given = passed(ctx, operand);
    Draft d;
    std::string what, witness;
    for (const Branch &b : c.branches) {
      if (!b.graph)
        continue;
      const ValueId p(m[b.graph].parameters.first + static_cast<std::uint32_t>(i));
      const Type &wanted = m.types[m[p].recorded];
      Judgement j;
      const std::string here = difference(ctx, given, wanted, j);
      if (here.empty()) {
        if (j.verdict == Verdict::Unknown)
          ctx.unknown(fmt::format("operand {}: {}", i, j.reason));
        continue;
      }
      if (what.empty()) {
        what = fmt::format("{} by '{}'", here, b.name);
        d.verdict = j.verdict == Verdict::Possible ? Verdict::Possible : Verdict::Violated;
        d.assumed = j.assumed;
        d.witness = j.verdict == Verdict::Possible ? j.witness : Assignment();
        witness = witnessText(j);
      } else {
        what = fmt::format("{} and '{}'", what, b.name);
      }
      d.related.push_back(
          relatedTo(m, p, fmt::format("'{}' declares {} as {}", b.name, spellValue(m, p), spellType(m, wanted))));
    }
    if (what.empty())
      continue;
    d.message = fmt::format("operand {} ({}, {}) is not what is declared: {}{}{}", i, spellValue(m, operand),
                            spellType(m, given), what, witness.empty() ? "" : ";", witness);
    d.help = ctx.isSource() ? "pass an operand of the type that the branch checks for"
                            : "pass an operand of the type that the branch was traced with, or export the model again";
    d.related.push_back(relatedTo(m, operand, "the operand is made here"));
    ctx.report(std::move(d));
  }
}

} // namespace condlint
