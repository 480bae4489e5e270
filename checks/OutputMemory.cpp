//===- OutputMemory.cpp - A result lies where it is read (OV5, ET1, ET2) --===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/Describe.h"
#include "engine/RuleFunctions.h"
#include "engine/SizeJudgement.h"
#include "facts/BranchMemory.h"
#include "facts/ResultMemory.h"
#include "facts/TakenTogether.h"
#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace condlint {

namespace {

/// How an output whose sizes the file leaves open follows from them.
struct OpenSizes {
  bool isOpen = false; ///< some size is open in both branches
  bool isKnown = true; ///< each follows from sizes of inputs
  std::string symbol = {};
};

OpenSizes openSizes(const Model &m, const Type &a, const Type &b) {
  OpenSizes out;
  for (std::size_t i = 0; i < a.dims.size(); ++i) {
    if (m.dims.asConstant(a.dims[i]) || m.dims.asConstant(b.dims[i]))
      continue;
    out.isOpen = true;
    for (const Dim d : {a.dims[i], b.dims[i]}) {
      out.isKnown = out.isKnown && d.known();
      if (!d.known())
        continue;
      for (const Symbol &s : m.dims.symbolsOf(d)) {
        out.isKnown = out.isKnown && (s.origin == SymbolOrigin::Declared || s.origin == SymbolOrigin::Named);
        out.symbol = s.name;
      }
    }
  }
  return out;
}

/// The worst of the judgements of two lists of sizes: proved where they are equal.
Verdict compareSizes(RuleContext &ctx, const Type &a, const Type &b) {
  Verdict worst = Verdict::Proved;
  for (std::size_t i = 0; i < a.dims.size(); ++i)
    worst = std::max(worst, judgeEqual(ctx, ctx.conditional().node, a.dims[i], b.dims[i]).verdict);
  return worst;
}

/// In the body of a loop OpenVINO may leave open what the file says.
bool isInLoop(const Model &m, NodeId n) {
  for (NodeId owner = m[m[n].graph].owner; owner; owner = m[m[owner].graph].owner)
    if (const std::string_view name = m.text(m[m[owner].op].name); name == "Loop" || name == "Scan")
      return true;
  return false;
}

void checkOpenVino(RuleContext &ctx) {
  const Model &m = ctx.m;
  const Conditional &c = ctx.conditional();
  // Sizes alone decide: a run of the same sizes takes the same branch.
  if (c.predicate && m[c.predicate].content)
    return;
  ctx.forEachComparedTensor([&](const Output &o, const Type &a, const Type &b) {
    if (!a.hasRank || !b.hasRank || a.dims.size() != b.dims.size() || !o.declared ||
        !ctx.facts.used[o.declared.index()])
      return; // of an open rank nothing is compiled
    if (!ctx.facts.needed.holds(c.node, o.position)) {
      ctx.unknown(whyDropped(ctx, "the output" + spellPosition(ctx, o.position)));
      return;
    }
    const OpenSizes sizes = openSizes(m, a, b);
    if (!sizes.isOpen) {
      if (isInLoop(m, c.node))
        ctx.unknown(fmt::format("whether {} leaves the sizes of output {} open, which is in a loop, is not known",
                                ctx.target.str(), o.position));
      return;
    }
    const Verdict equal = compareSizes(ctx, a, b);
    if (equal == Verdict::Violated)
      return; // they never lie in one memory
    if (!sizes.isKnown || equal == Verdict::Unknown) {
      ctx.unknown(fmt::format("how {} lays out output {}, whose sizes follow from data, is not known", ctx.target.str(),
                              o.position));
      return;
    }
    Draft d;
    d.output = o.position;
    d.verdict = equal == Verdict::Proved ? Verdict::Violated : Verdict::Possible;
    d.assumed = d.verdict == Verdict::Possible;
    d.message =
        fmt::format("both branches return a tensor whose size {} is open{}: {}; where a run of {} takes another "
                    "branch than the run before it with the same sizes, what is read is not what it computed",
                    sizes.symbol, spellPosition(ctx, o.position), spellSides(ctx, o, spellType(m, a), spellType(m, b)),
                    ctx.target.str());
    d.help =
        "use OpenVINO 2026.2 or newer, fix the sizes before the model is compiled (Model.reshape), or compute both "
        "sides and choose with Where";
    d.related = relatedSides(ctx, o);
    ctx.report(std::move(d));
  });
}

/// What a later conditional does to an output.
struct Loss {
  NodeId later;
  std::size_t side = 0; ///< whose result is lost
  Overwriting by = {};
  bool isReadBehind = false;
  Verdict verdict = Verdict::Proved;
  TakenTogether::Why why = TakenTogether::Why::Free;
};

/// On what it hangs whether both branches run in one call.
std::string_view spellOpen(TakenTogether::Why why) {
  return why == TakenTogether::Why::Weights ? "which branches run follows from weights, which are not looked at"
                                            : "the two predicates follow from the same values";
}

void reportOverwritten(RuleContext &ctx, std::size_t i, const Loss &loss, const Readers &readers) {
  const Model &m = ctx.m;
  const Conditional &c = ctx.conditional();
  const NodeId later = loss.later;
  const ValueId result = m.result(c.node, i);
  Draft d;
  d.output = i;
  d.verdict = loss.verdict;
  d.assumed = d.verdict == Verdict::Possible;
  d.message =
      fmt::format("{} puts output {} ({}), as '{}' makes it, where {} makes {}, and it is needed {}: it is "
                  "overwritten{}",
                  ctx.target.str(), i, spellValue(m, result), c.branches[loss.side].name, m.path(loss.by.region),
                  loss.by.writer ? spellOperation(m, loss.by.writer) : std::string("its first tensor"),
                  loss.isReadBehind ? "behind that" : "there afterwards",
                  d.assumed ? fmt::format(" where both run; {}", spellOpen(loss.why)) : std::string());
  d.help =
      fmt::format("copy it in front of {}, where it is not lost yet: append `.clone()` to the result", m.path(later));
  d.fixes.push_back({fmt::format("append .clone() to the result {}", spellValue(m, result))});
  d.related.push_back({"the conditional that writes over it", m.location(later), m.path(later)});
  const auto reader = std::ranges::find_if(
      readers.reads, [&](NodeId n) { return n == later || ctx.facts.exported.isBehind(later, n); });
  if (reader != readers.reads.end())
    d.related.push_back({"it is read here", m.location(*reader), m.path(*reader)});
  ctx.report(std::move(d));
}

/// Operators that were seen to read what a view of a result shows, besides those that are one kernel: all that were
/// tried, through both ways of lowering.
constexpr std::string_view viewReaders[] = {
    "addmm",
    "amax",
    "argmax",
    "chunk",
    "clamp",
    "clone",
    "cumsum",
    "erf",
    "expand",
    "flip",
    "gelu",
    "gt",
    "hardtanh",
    "index",
    "layer_norm",
    "leaky_relu",
    "linalg_vector_norm",
    "linear",
    "log",
    "matmul",
    "mean",
    "permute",
    "pow",
    "repeat",
    "select",
    "silu",
    "slice",
    "softmax",
    "split",
    "squeeze",
    "stack",
    "sum",
    "t",
    "to",
    "topk",
    "transpose",
    "tril",
    "unsqueeze",
    "var",
};
static_assert(std::ranges::is_sorted(viewReaders));

/// Whether \p n was seen to read \p same by way of a view: a conditional where each branch computes with it.
bool readsForCertain(const Model &m, NodeId n, const std::vector<ValueId> &same) {
  const std::string_view name = m.text(m[m[n].op].name);
  if (isSingleKernel(m, n) || std::ranges::binary_search(viewReaders, name))
    return true;
  const auto regions = m.regions(n);
  return name == "cond" && !regions.empty() && std::ranges::all_of(regions, [&](GraphId region) {
           if (!region)
             return false;
           const std::vector<ValueId> given = parametersFor(m, n, region, same);
           return std::ranges::any_of(m.nodes(region), [&](NodeId inner) {
             return isSingleKernel(m, inner) && std::ranges::any_of(m.operands(inner), [&](ValueId v) {
                      return v && std::ranges::find(given, v) != given.end();
                    });
           });
         });
}

/// Somebody who computes with a view of an output.
struct ViewReader {
  NodeId view, reader;
  bool isCertain = true; ///< seen to be wrong
};

/// ET2: what is read by way of a view of an output is the place that was planned for that output, where nobody writes;
/// a view that the graph returns is copied from the right one.
std::optional<ViewReader> readerOfView(RuleContext &ctx, const Readers &readers) {
  const Model &m = ctx.m;
  const NodeId conditional = ctx.conditional().node;
  std::vector<NodeId> views;
  ctx.facts.exported.eachReader(readers.same, conditional, [&](NodeId n, const ExportedNodes::Follow &follow) {
    const auto isSame = [&](ValueId v) { return std::ranges::find(readers.same, v) != readers.same.end(); };
    const auto isOfView = [&](NodeId view) { return m.result(view, 0) == m.operands(n)[0]; };
    if (!isView(m, n) || (!isSame(m.operands(n)[0]) && std::ranges::none_of(views, isOfView)))
      return;
    views.push_back(n);
    follow(m.result(n, 0));
  });
  std::optional<ViewReader> open;
  for (const NodeId view : views) {
    std::vector<ValueId> same = {m.result(view, 0)};
    std::vector<NodeId> reading;
    ctx.facts.exported.eachReader(same, view, [&](NodeId n, const ExportedNodes::Follow &follow) {
      if (isView(m, n))
        return;
      if (sharedOperand(m, n)) {
        same.push_back(m.result(n, 0));
        follow(same.back());
      } else {
        reading.push_back(n);
      }
    });
    if (std::ranges::any_of(m.results(m[conditional].graph),
                            [&](ValueId v) { return std::ranges::find(same, v) != same.end(); }))
      continue;
    const bool isKnown = isLaidOut(m, m.type(same.front())) && m.text(m[m[view].op].name) != "_unsafe_view";
    for (const NodeId n : reading) {
      if (isKnown && readsForCertain(m, n, same))
        return ViewReader{view, n};
      if (!open)
        open = ViewReader{view, n, false};
    }
  }
  return open;
}

/// True when it was told that a view of output \p i is wrong.
bool checkViews(RuleContext &ctx, std::size_t i, const Readers &readers) {
  const Model &m = ctx.m;
  const Conditional &c = ctx.conditional();
  const auto found = readerOfView(ctx, readers);
  if (!found)
    return false;
  if (!found->isCertain) {
    ctx.unknown(fmt::format("whether {} lets {} read output {}, of which it has a view, is not known", ctx.target.str(),
                            m.path(found->reader), i));
    return false;
  }
  Draft d;
  d.output = i;
  d.message =
      fmt::format("{} reads a view of output {} ({}) where it planned that output, and no branch puts it there: "
                  "{} computes with something else",
                  ctx.target.str(), i, spellValue(m, m.result(c.node, i)), m.path(found->reader));
  d.help = "copy it in front of the view: append `.clone()` to the result";
  d.fixes.push_back({fmt::format("append .clone() to the result {}", spellValue(m, m.result(c.node, i)))});
  d.related.push_back({"the view", m.location(found->view), m.path(found->view)});
  d.related.push_back({"it is read here", m.location(found->reader), m.path(found->reader)});
  ctx.report(std::move(d));
  return true;
}

/// Later conditionals whose predicates are held against those of one: what each follows from is looked at.
constexpr unsigned mostCompared = 32;

/// What makes it no matter where the results lie.
constexpr std::string_view copied = "a `.clone()` of the result in front of that is right wherever it lies";

/// Whether \p later writes over output \p i (ET1); nothing where no run takes two branches of which it is known, and
/// then what is not known is told. \p compared counts whose predicates were looked at.
std::optional<Loss> lossOf(RuleContext &ctx, std::size_t i, const Readers &readers, NodeId later, unsigned &compared) {
  const Model &m = ctx.m;
  const Conditional &c = ctx.conditional();
  const bool isReadBehind =
      readers.isReturned || (!readers.reads.empty() && ctx.facts.exported.isBehind(later, readers.reads.back()));
  BranchPairs looked = 0, lost = 0;
  std::vector<std::pair<BranchPairs, Loss>> losses;
  std::vector<std::pair<BranchPairs, std::string>> open;
  const auto regions = m.regions(later);
  for (std::size_t side = 0; side < 2; ++side) {
    const auto block = ctx.facts.results.placeOf(c.branches[side].graph, i);
    if (!block)
      open.emplace_back(branchPair(side, 0) | branchPair(side, 1),
                        fmt::format("where {} puts output {} of '{}' is not known, and it is needed when {} runs: {}",
                                    ctx.target.str(), i, c.branches[side].name, m.path(later), copied));
    for (std::size_t r = 0; r < regions.size(); ++r) {
      const BranchPairs pair = branchPair(side, std::min<std::size_t>(r, 1));
      looked |= pair;
      if (!regions[r] || !block)
        continue;
      const Overwriting by =
          ctx.facts.results.overwritten(ctx.analysis.aliases, {later, regions[r], isReadBehind}, *block, readers);
      if (by.answer == Tri::Unknown)
        open.emplace_back(pair,
                          fmt::format("where {} puts what {} makes is not known, and output {} is needed behind it: {}",
                                      ctx.target.str(), m.path(regions[r]), i, copied));
      if (by.answer != Tri::Yes)
        continue;
      losses.emplace_back(pair, Loss{later, side, by, isReadBehind});
      lost |= pair;
    }
  }
  if (lost == 0 && open.empty())
    return std::nullopt;
  // Where each pair is lost it does not matter which are taken, but a pair that is taken is to be named.
  TakenTogether together{{looked}};
  if (lost != looked && ++compared > mostCompared)
    together.ways.push_back(0); // nobody knows
  else
    together = takenTogether(m, ctx.analysis.aliases, c, later);
  const Verdict verdict = lost == looked ? Verdict::Violated : together.takes(lost);
  if (verdict != Verdict::Violated)
    for (auto &[pairs, reason] : open)
      if (together.takes(pairs) != Verdict::Proved)
        ctx.unknown(std::move(reason));
  if (verdict == Verdict::Possible && compared > mostCompared)
    ctx.unknown(fmt::format("of more than {} later conditionals nobody looks which branches run with those of this one",
                            mostCompared));
  if (verdict == Verdict::Proved || (verdict == Verdict::Possible && compared > mostCompared))
    return std::nullopt;
  // Of pairs that are lost the one that most certainly is taken.
  auto named = losses.begin();
  for (auto at = losses.begin(); at != losses.end(); ++at)
    if (together.takes(at->first) > together.takes(named->first))
      named = at;
  Loss loss = named->second;
  loss.verdict = verdict;
  loss.why = together.why;
  return loss;
}

void checkExecuTorch(RuleContext &ctx) {
  const Model &m = ctx.m;
  const Conditional &c = ctx.conditional();
  if (!c.hasBothBranches() || ctx.predicateConstant())
    return;
  unsigned compared = 0;
  for (std::size_t i = 0; i < m.resultCount(c.node); ++i) {
    const Readers readers = ctx.facts.results.readersOf(c.node, i);
    if (checkViews(ctx, i, readers))
      continue;
    std::optional<Loss> worst;
    for (const NodeId later : ctx.facts.exported.regionsBehind(c.node)) {
      if (!readers.isReturned && (readers.reads.empty() || ctx.facts.exported.isBehind(readers.reads.back(), later)))
        break; // nobody needs it any more
      const auto loss = lossOf(ctx, i, readers, later, compared);
      if (loss && (!worst || loss->verdict > worst->verdict))
        worst = loss;
      if (worst && worst->verdict == Verdict::Violated)
        break;
    }
    if (worst)
      reportOverwritten(ctx, i, *worst, readers);
  }
}

} // namespace

void checkOutputMemory(RuleContext &ctx) {
  if (ctx.isOpenVino() && !ctx.predicateConstant())
    return checkOpenVino(ctx);
  if (ctx.target.system == System::ExecuTorch && ctx.conditional().dialect == Dialect::Torch)
    return checkExecuTorch(ctx);
  ctx.absent();
}

} // namespace condlint
