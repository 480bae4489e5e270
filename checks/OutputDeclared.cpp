//===- OutputDeclared.cpp - What is declared agrees with what is yielded (R4, R12) ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/BelievedShape.h"
#include "engine/Describe.h"
#include "engine/FirstIf.h"
#include "engine/RuleFunctions.h"
#include "engine/SizeJudgement.h"
#include "facts/LoggedShape.h"
#include "graph/Returned.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {

namespace {

/// A declared facet that is not what the branches yield.
struct Lie {
  std::string declared;
  std::string yielded;
  std::string why;
  Verdict verdict = Verdict::Violated;
  bool assumed = false;
  Assignment witness;
  bool shape = false;
};

/// What is declared for certain falsely.
Lie falsely(std::string declared, std::string yielded) {
  return {std::move(declared), std::move(yielded), {}, Verdict::Violated, false, {}, false};
}

/// The same of a shape, of which ONNX Runtime logs what is wrong inside of a graph.
Lie falseShape(std::string declared, std::string yielded) {
  Lie lie = falsely(std::move(declared), std::move(yielded));
  lie.shape = true;
  return lie;
}

/// An exporter takes each size that may vary for one of two or more, and declares what follows from that: of `x[:2]` it
/// declares 2, and the program runs where there is only one.
Judgement judgeDeclaration(const RuleContext &ctx, Dim a, Dim b) {
  constexpr std::int64_t leastTraced = 2;
  return judgeEqual(ctx, ctx.conditional().node, a, b, leastTraced);
}

bool isUnbacked(const Model &m, Dim d) { return d.known() && m.dims.mentions(d, SymbolOrigin::Unbacked); }

bool contains(const std::vector<Symbol> &set, const std::vector<Symbol> &part) {
  return !part.empty() && std::ranges::all_of(part, [&](const Symbol &s) {
    return std::ranges::any_of(set, [&](const Symbol &t) { return t.name == s.name; });
  });
}

/// A name that nothing before the conditional has: it is declared here, and
/// says nothing about the size but that it is one.
bool isOwnName(RuleContext &ctx, Dim declared) {
  const auto symbol = ctx.m.dims.asSymbol(declared);
  return symbol && !ctx.facts.knownBefore(symbol->name, ctx.conditional().node);
}

/// ONNX: a `dim_param` is a name, and one that reads like arithmetic ("N + 1") may still be another
/// name than what it computes: it can confirm a size, not contradict one.
bool isLabel(RuleContext &ctx, Dim declared) {
  return !ctx.isTorch() && !ctx.m.dims.asConstant(declared) && !ctx.m.dims.asSymbol(declared);
}

/// A declared size against what one branch yields. Only what must differ counts,
/// and what can differ for the very symbols that the branch computes with.
Judgement judgeDeclared(RuleContext &ctx, Dim declared, Dim yielded) {
  Judgement j = judgeDeclaration(ctx, declared, yielded);
  if (j.verdict == Verdict::Proved)
    return j;
  if (isLabel(ctx, declared)) {
    Judgement open;
    open.verdict = Verdict::Unknown;
    open.reason = fmt::format("the dim_param '{}' may be a name of its own", ctx.m.dims.str(declared));
    return open;
  }
  if (j.verdict == Verdict::Violated)
    return j;
  if ((!ctx.isTorch() || isUnbacked(ctx.m, declared)) && isOwnName(ctx, declared))
    return {};
  if (j.verdict == Verdict::Unknown)
    return j;
  const auto a = ctx.m.dims.symbolsOf(declared);
  const auto b = ctx.m.dims.symbolsOf(yielded);
  const bool fresh = isUnbacked(ctx.m, declared) || isUnbacked(ctx.m, yielded);
  if (!fresh && (ctx.isTorch() || contains(a, b) || contains(b, a)))
    return j;
  Judgement open;
  open.verdict = Verdict::Unknown;
  open.reason = fmt::format("nothing ties the declared {} to {}", ctx.m.dims.str(declared), ctx.m.dims.str(yielded));
  return open;
}

/// One new symbol is declared for two axes in which \p yielded has different sizes.
bool contradictsItself(RuleContext &ctx, const Type &declared, const Type &yielded) {
  for (std::size_t i = 0; i < declared.dims.size(); ++i)
    for (std::size_t j = 0; j < i && isUnbacked(ctx.m, declared.dims[i]); ++j)
      if (declared.dims[i] == declared.dims[j] &&
          judgeDeclaration(ctx, yielded.dims[i], yielded.dims[j]).verdict == Verdict::Violated)
        return true;
  return false;
}

/// Sizes: where the branches agree the declared size is theirs; where they
/// differ torch merges them into a new unbacked symbol (R12), and ONNX leaves
/// the size open or gives it a name of its own (docs/Operators.md of ONNX, If).
std::optional<Lie> shapeLie(RuleContext &ctx, const Output &o, const Type &declared, const Type &a, const Type &b) {
  const Model &m = ctx.m;
  std::optional<Lie> worst;
  for (std::size_t i = 0; i < declared.dims.size(); ++i) {
    const Dim d = declared.dims[i];
    if (!d.known())
      continue; // nothing is declared
    const Judgement between = judgeDeclaration(ctx, a.dims[i], b.dims[i]);
    const bool differ = between.verdict >= Verdict::Possible;
    // Where differing sizes are an error themselves, this would be its echo.
    if (differ && o.compared && ctx.tableSeverity("output-shape", variantOfIf(ctx, o)) == Severity::Error)
      continue;
    // Torch was told, or found, what a size is that the branches differ in: it writes that, and an assertion.
    if (ctx.isTorch() && differ && ctx.facts.asserted.holds(o.declared, i)) {
      ctx.unknown(fmt::format("the model asserts what axis {} of {} is", i, spellValue(m, o.declared)));
      continue;
    }
    Judgement first = judgeDeclared(ctx, d, a.dims[i]);
    Judgement second = judgeDeclared(ctx, d, b.dims[i]);
    Judgement &j = first.verdict >= second.verdict ? first : second;
    Lie lie;
    lie.verdict = j.verdict;
    lie.assumed = j.assumed;
    lie.witness = j.witness;
    lie.why = witnessText(j);
    if (ctx.isTorch() && differ && !isUnbacked(m, d)) {
      lie.verdict = between.verdict;
      lie.assumed = between.assumed;
      lie.witness = between.verdict == Verdict::Possible ? between.witness : Assignment();
      lie.why = " (sizes that differ merge into an unbacked symbol)";
    }
    if (!ctx.isTorch() && between.verdict == Verdict::Violated && m.dims.asSymbol(d) && !isOwnName(ctx, d)) {
      // Whatever number the name stands for, one of the branches is another.
      lie.verdict = Verdict::Violated;
      lie.why = fmt::format(" ({} is the size of something else already)", m.dims.str(d));
    }
    if (lie.verdict == Verdict::Unknown)
      ctx.unknown(fmt::format("axis {} of {}: {}", i, spellValue(m, o.declared), j.reason));
    if (lie.verdict < Verdict::Possible || (worst && worst->verdict >= lie.verdict))
      continue;
    worst = std::move(lie);
  }
  if (!worst && ctx.isTorch() && (contradictsItself(ctx, declared, a) || contradictsItself(ctx, declared, b)))
    worst.emplace().why = " (one symbol is no two sizes)";
  if (worst) {
    worst->shape = true;
    worst->declared = spellDims(m.dims, declared.dims);
    worst->yielded = spellSides(ctx, o, spellDims(m.dims, a.dims), spellDims(m.dims, b.dims));
  }
  return worst;
}

/// R4: ints that agree are that int, ints that differ a new unbacked symbol whose range has both.
std::optional<Lie> intLie(RuleContext &ctx, const Output &o) {
  const Model &m = ctx.m;
  const auto number = [&](ValueId v) {
    const ContentId c = m[v].content;
    return c && m.content(c).size() == 1 ? m.content(c)[0] : Dim{};
  };
  const Dim declared = number(o.declared);
  const Dim a = number(o.values[0]);
  const Dim b = number(o.values[1]);
  if (!declared.known() || !a.known() || !b.known())
    return std::nullopt;
  const Judgement first = judgeDeclaration(ctx, declared, a);
  const Judgement second = judgeDeclaration(ctx, declared, b);
  if (first.verdict != Verdict::Violated && second.verdict != Verdict::Violated)
    return std::nullopt;
  return falsely(m.dims.str(declared), spellSides(ctx, o, m.dims.str(a), m.dims.str(b)));
}

std::optional<Lie> stridesLie(RuleContext &ctx, const Output &o, const Type &declared, const Type &a, const Type &b) {
  const Model &m = ctx.m;
  // 2.6 records no strides that are worth comparing; it merges nothing either.
  if (ctx.tableSeverity("output-layout") == Severity::Off || !declared.hasStrides || !a.hasStrides || !b.hasStrides ||
      declared.strides.size() != a.strides.size() || !std::ranges::equal(a.strides, b.strides) ||
      !std::ranges::equal(a.dims, b.dims))
    return std::nullopt;
  for (std::size_t i = 0; i < a.strides.size() && i < a.dims.size(); ++i) {
    // The stride of an axis of one or no elements means nothing.
    const Interval size = m.dims.boundsOf(a.dims[i]);
    if (size.min < 2)
      continue;
    if (judgeDeclaration(ctx, declared.strides[i], a.strides[i]).verdict == Verdict::Violated)
      return falsely("strides " + spellDims(m.dims, declared.strides),
                     spellSides(ctx, o, spellDims(m.dims, a.strides), spellDims(m.dims, b.strides)));
  }
  return std::nullopt;
}

/// R10: torch records that the result of a conditional begins where those of the branches do, or at 0, whatever these
/// do.
std::optional<Lie> offsetLie(RuleContext &ctx, const Output &o, const Type &declared, const Type &a, const Type &b) {
  const Model &m = ctx.m;
  const Dim offset = declared.storageOffset;
  // 2.6 records no offsets that are worth comparing.
  if (ctx.tableSeverity("output-layout") == Severity::Off || !offset.known() || !a.storageOffset.known() ||
      a.storageOffset != b.storageOffset)
    return std::nullopt;
  const auto excludes = [&](Dim other) { return judgeDeclaration(ctx, offset, other).verdict == Verdict::Violated; };
  if (!excludes(a.storageOffset) || !excludes(ctx.m.dims.constant(0)))
    return std::nullopt;
  return falsely("the storage offset " + m.dims.str(offset),
                 spellSides(ctx, o, m.dims.str(a.storageOffset), m.dims.str(b.storageOffset)));
}

/// torch: where and how a tensor lies.
std::optional<Lie> placeLie(RuleContext &ctx, const Output &o, const Type &declared, const Type &a, const Type &b) {
  const Model &m = ctx.m;
  if (declared.device && a.device && a.device == b.device && declared.device != a.device)
    return falsely(spellDevice(m, declared), spellSides(ctx, o, spellDevice(m, a), spellDevice(m, b)));
  if (declared.layout != Layout::Unknown && a.layout != Layout::Unknown && a.layout == b.layout &&
      declared.layout != a.layout)
    return falsely(fmt::format("the layout {}", layoutName(declared.layout)),
                   spellSides(ctx, o, std::string(layoutName(a.layout)), std::string(layoutName(b.layout))));
  if (auto lie = stridesLie(ctx, o, declared, a, b))
    return lie;
  return offsetLie(ctx, o, declared, a, b);
}

std::optional<Lie> lieAt(RuleContext &ctx, const Output &o, const Type &declared, const Type &a, const Type &b) {
  const Model &m = ctx.m;
  const auto sides = [&](const std::string &x, const std::string &y) { return spellSides(ctx, o, x, y); };
  // A facet in which the branches differ has a rule of its own.
  if (a.kind != b.kind || a.kind == ValueKind::Unknown || declared.kind == ValueKind::Unknown)
    return std::nullopt;
  if (declared.kind != a.kind)
    return falsely("a " + spellType(m, declared), sides(spellType(m, a), spellType(m, b)));
  if (a.kind == ValueKind::SymInt)
    return intLie(ctx, o);
  if (a.kind == ValueKind::Sequence || a.kind == ValueKind::Optional) {
    const Type &x = m.types[a.item];
    const Type &y = m.types[b.item];
    const Type &z = m.types[declared.item];
    if (x.isTensor() && y.isTensor() && z.isTensor() && x.element == y.element && x.element != DType::Unknown &&
        z.element != DType::Unknown && z.element != x.element)
      return falsely(spellType(m, declared), sides(spellType(m, a), spellType(m, b)));
    return std::nullopt;
  }
  if (!a.isTensor())
    return std::nullopt;
  if (a.element == b.element && a.element != DType::Unknown && declared.element != DType::Unknown &&
      declared.element != a.element)
    return falsely(std::string(dtypeName(declared.element)),
                   sides(std::string(dtypeName(a.element)), std::string(dtypeName(b.element))));
  if (a.hasRank && b.hasRank && a.dims.size() != b.dims.size()) {
    // Ranks that differ are an error of their own, except in ONNX, where no rank
    // may be declared then.
    if (declared.hasRank && !ctx.isTorch() && ctx.tableSeverity("output-rank", variantOfIf(ctx, o)) != Severity::Error)
      return falseShape(spellDims(m.dims, declared.dims), sides(spellDims(m.dims, a.dims), spellDims(m.dims, b.dims)));
    return std::nullopt;
  }
  if (declared.hasRank && a.hasRank && b.hasRank) {
    if (declared.dims.size() != a.dims.size())
      return falseShape(spellDims(m.dims, declared.dims), sides(spellDims(m.dims, a.dims), spellDims(m.dims, b.dims)));
    if (auto lie = shapeLie(ctx, o, declared, a, b))
      return lie;
  }
  return ctx.isTorch() ? placeLie(ctx, o, declared, a, b) : std::nullopt;
}

/// Up to opset 10 ONNX Runtime holds what it knows of the branches' results against each other.
bool isCompared(RuleContext &ctx, std::size_t output) {
  if (ctx.target.system != System::OnnxRuntime || ctx.conditional().sinceVersion != 1)
    return false;
  const auto yes = ctx.results(0), no = ctx.results(1);
  return output < yes.size() && output < no.size() && differForInference(ctx, yes[output], no[output]);
}

/// The target compares the branches at \p o, and finds two ranks or sizes.
bool shapesConflict(const RuleContext &ctx, const Output &o) {
  if (!o.compared || !o.sameTensors || ctx.waivesShapes())
    return false;
  const Type &a = ctx.typeOf(o.values[0]), &b = ctx.typeOf(o.values[1]);
  const bool ranks = a.hasRank && b.hasRank && a.dims.size() != b.dims.size();
  return (ranks && ctx.tableSeverity("output-rank") == Severity::Error) ||
         (!ranks && shapesDiffer(ctx.m, a, b) && ctx.tableSeverity("output-shape") == Severity::Error);
}

/// Of what the model returns ONNX Runtime 1.32 drops the rank, and each size, that is not what both branches yield,
/// logs that, and tells callers what is left; where the branches differ it knows none, and tells what is declared.
bool staysDeclared(RuleContext &ctx, const Output &o, const Type &declared) {
  const Type &a = ctx.typeOf(o.values[0]), &b = ctx.typeOf(o.values[1]);
  if (!a.hasRank || !b.hasRank || a.dims.size() != b.dims.size())
    return true;
  if (declared.dims.size() != a.dims.size())
    return false;
  for (std::size_t i = 0; i < a.dims.size(); ++i) {
    const Dim d = declared.dims[i];
    const bool isYielded = a.dims[i] == b.dims[i] && a.dims[i].known() && ctx.m.dims.asConstant(a.dims[i]);
    if (d.known() && !isYielded && (ctx.m.dims.asConstant(d) || !isOwnName(ctx, d)))
      return true;
  }
  return false;
}

void reportBranch(RuleContext &ctx, std::size_t branch, std::size_t output, ValueId v) {
  const Model &m = ctx.m;
  const FalseRecord record = spellFalseRecord(ctx, v);
  if (ctx.isTensorRT() && record.shapeAlone)
    for (const Output &o : ctx.outputs())
      if (o.position == output && shapesConflict(ctx, o))
        return; // said there: TensorRT's parser reads no declared shape
  Draft d;
  d.node = m[v].def;
  d.message =
      fmt::format("'{}' declares the {} for {}, but {} yields {}", ctx.conditional().branches[branch].name,
                  record.recorded, spellValue(m, v), m[v].def ? m.operatorName(m[m[v].def].op) : "it", record.inferred);
  d.help = "correct the declared type of the branch's output";
  const bool isLogged = isOnlyLogged(m, v, ctx.conditional().branches[branch].graph) && !isCompared(ctx, output);
  if (record.shapeAlone)
    d.variant = isLogged && !sayFollowUp(ctx, v, d) ? "inside-shape" : "shape";
  ctx.report(std::move(d));
}

/// ONNX: what is declared of a branch's output is reported where that branch is, also
/// when a conditional inside makes it.
bool isReportedOutside(RuleContext &ctx, ValueId v) {
  const Model &m = ctx.m;
  const NodeId owner = m[v].graph ? m[m[v].graph].owner : NodeId();
  return !ctx.isTorch() && owner && ctx.facts.conditional[owner.index()] && ctx.facts.contradictions.contains(v) &&
         isReturned(m, m[v].graph, v);
}

/// ONNX: \p declared agrees with all that is known of \p v; not decided where that is nothing but what declarations
/// say.
void doubtDeclared(RuleContext &ctx, const Type &declared, ValueId v) {
  const Model &m = ctx.m;
  const Type &yielded = ctx.typeOf(v), &otherwise = undeclaredTypeOf(ctx, v);
  if (ctx.isTorch() || !declared.isTensor() || !declared.hasRank || !yielded.isTensor() ||
      declared.dims.size() != yielded.dims.size())
    return;
  if (!otherwise.hasRank)
    return ctx.unknown(nothingElseSaysRank(ctx, v));
  for (std::size_t i = 0; i < std::min(declared.dims.size(), otherwise.dims.size()); ++i) {
    const Dim said = declared.dims[i], is = yielded.dims[i], known = otherwise.dims[i];
    // A name that no input has says nothing of a size but that it is one.
    const auto name = m.dims.asSymbol(said);
    const bool isTied = m.dims.asConstant(said) || (name && isInputSize(m, ctx.conditional().node, name->name));
    if (!said.known() || !isTied || judgeDeclared(ctx, said, known).verdict == Verdict::Proved)
      continue;
    if (is.known() && known == is && m.dims.asConstant(said))
      return ctx.unknown(fmt::format("axis {} of {}: it is declared as {}, and is {}", i, spellValue(m, v),
                                     m.dims.str(said), m.dims.str(is)));
    if (known != is)
      return ctx.unknown(nothingElseSaysSize(ctx, v, i));
  }
}

} // namespace

void checkOutputDeclared(RuleContext &ctx) {
  const Model &m = ctx.m;
  for (const Output &o : ctx.outputs()) {
    if (!o.known || !o.declared || isReportedOutside(ctx, o.declared))
      continue;
    const Type &declared = m.types[m[o.declared].recorded];
    if (!m[o.declared].recorded)
      continue;
    // Under a constant predicate TensorRT sees one branch alone, and one alone yields what is declared.
    Output seen = o;
    if (!ctx.isTaken(0))
      seen.values[0] = o.values[1];
    if (!ctx.isTaken(1))
      seen.values[1] = o.values[0];
    if (const auto taken = ctx.predicateValue(); taken && !ctx.isTorch())
      seen.values[*taken ? 1 : 0] = o.values[*taken ? 0 : 1];
    // What a branch declares of its own result falsely is reported there.
    if (m[seen.values[0]].contradicted || m[seen.values[1]].contradicted)
      continue;
    auto lie = lieAt(ctx, seen, declared, ctx.typeOf(seen.values[0]), ctx.typeOf(seen.values[1]));
    if (!lie) {
      for (const ValueId v : seen.values)
        doubtDeclared(ctx, declared, v);
      continue;
    }
    Draft d;
    d.verdict = lie->verdict;
    d.assumed = lie->assumed;
    d.witness = std::move(lie->witness);
    d.output = o.position;
    d.message = fmt::format("the conditional declares {} for {}{}, but the branches yield {}{}", lie->declared,
                            spellValue(m, o.declared), spellPosition(ctx, o.position), lie->yielded, lie->why);
    d.help = ctx.isTorch()
                 ? "export the model again: its own metadata does not describe it"
                 : "correct the declared type, or leave the size open (no dim_value, or a dim_param of its own)";
    if (lie->shape)
      d.variant =
          (isModelOutput(m, o.declared) && staysDeclared(ctx, seen, declared)) || sayFollowUp(ctx, o.declared, d)
              ? "shape"
              : "inside-shape";
    if (ctx.isTensorRT() && lie->shape && shapesConflict(ctx, o))
      continue; // said there: TensorRT's parser reads no declared shape
    d.related = relatedSides(ctx, o);
    ctx.report(std::move(d));
  }
  // ONNX declares the results of the branches too (graph outputs of a subgraph).
  if (ctx.isTorch())
    return;
  for (std::size_t b = 0; b < ctx.conditional().branches.size(); ++b) {
    const auto results = ctx.results(b);
    for (std::size_t k = 0; k < results.size(); ++k) {
      const ValueId v = results[k];
      if (v && ctx.facts.contradictions.contains(v) && m[v].graph == ctx.conditional().branches[b].graph)
        reportBranch(ctx, b, k, v);
      else if (v && m[v].graph == ctx.conditional().branches[b].graph)
        doubtDeclared(ctx, m.types[m[v].recorded], v);
    }
  }
}

} // namespace condlint
