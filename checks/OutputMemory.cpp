//===- OutputMemory.cpp - A result lies where it is read (OV5, ET1, ET2) --===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/Describe.h"
#include "engine/RuleFunctions.h"
#include "facts/BranchMemory.h"
#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <string>
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

/// A node of the graph around the conditional that runs regions in the memory that they share.
bool runsRegions(const Model &m, NodeId n) {
  const std::string_view name = m.text(m[m[n].op].name);
  return name == "cond" || name == "map_impl" || name == "scan" || name == "while_loop";
}

/// What a later conditional does to a result that lies at \p block.
struct Overwriting {
  Tri answer = Tri::No;
  GraphId region; ///< that does it
  NodeId writer;  ///< none: whatever makes its first tensor
};

/// ET1: whether \p region, which begins in the same memory, writes over \p block; of one that is passed to it as
/// \p parameters what it reads afterwards counts, and everything where it is read behind the region.
Overwriting overwritten(const Model &m, GraphId region, const MemoryBlock &block, bool isReadBehind,
                        const std::vector<ValueId> &parameters) {
  const BranchMemory memory = layOut(m, region);
  if (!memory.isKnown) {
    // Something lies at the beginning, whatever else is made.
    if (isReadBehind && memory.makesAny && block.offset == 0)
      return {Tri::Yes, region, NodeId()};
    return {Tri::Unknown, region, NodeId()};
  }
  Overwriting out;
  std::vector<ValueId> same = parameters;
  std::vector<const MemoryBlock *> written;
  for (const NodeId n : m.nodes(region)) {
    const auto operands = m.operands(n);
    const bool reads =
        std::ranges::any_of(operands, [&](ValueId v) { return std::ranges::find(same, v) != same.end(); });
    const auto made = std::ranges::find(memory.blocks, n, &MemoryBlock::maker);
    const bool overlaps = made != memory.blocks.end() && made->overlaps(block);
    if (reads && !written.empty())
      return {Tri::Yes, region, written.front()->maker};
    if (reads && overlaps) {
      const bool isSamePlace = made->isInPlace && made->offset == block.offset && made->size == block.size;
      if (!made->isInPlace)
        return {Tri::Yes, region, n};
      if (!isSamePlace)
        out = {Tri::Unknown, region, n};
    }
    if (const ValueId from = sharedOperand(m, n); from && std::ranges::find(same, from) != same.end())
      same.push_back(m.result(n, 0));
    if (overlaps) {
      written.push_back(&*made);
      if (isReadBehind)
        return {Tri::Yes, region, n};
    }
  }
  return out;
}

/// The place of output \p i of a branch; nothing where it is not known.
std::optional<MemoryBlock> placeOf(const Model &m, GraphId branch, std::size_t i) {
  const BranchMemory memory = layOut(m, branch);
  const auto results = m.results(branch);
  if (!memory.isKnown || i >= results.size())
    return std::nullopt;
  const auto block = memory.blockOf.find(results[i]);
  return block == memory.blockOf.end() ? std::nullopt : std::optional(memory.blocks[block->second]);
}

/// What of the graph around it reads output \p i, in the order of the graph.
struct Readers {
  std::vector<ValueId> same; ///< the output, and what lies in its memory
  std::vector<NodeId> later; ///< conditionals and loops behind the conditional
  std::vector<NodeId> reads; ///< nodes that read it
  bool isReturned = false;
};

/// The nodes behind \p conditional, in order, without those that nothing needs: exporting drops them.
std::vector<NodeId> neededBehind(const Model &m, NodeId conditional) {
  std::vector<NodeId> behind, needed;
  for (NodeId n = m[conditional].next; n; n = m[n].next)
    behind.push_back(n);
  const auto results = m.results(m[conditional].graph);
  std::set<ValueId> read(results.begin(), results.end());
  for (std::size_t k = behind.size(); k-- > 0;) {
    // What writes is needed, and what asserts; but to_edge drops assertions of metadata.
    const std::string_view name = m.text(m[m[behind[k]].op].name);
    bool isRead = name.ends_with('_') || (m.resultCount(behind[k]) == 0 && name != "_assert_tensor_metadata");
    for (std::size_t r = 0; r < m.resultCount(behind[k]); ++r)
      isRead = isRead || read.contains(m.result(behind[k], r));
    if (!isRead)
      continue;
    needed.insert(needed.begin(), behind[k]);
    for (const ValueId v : m.operands(behind[k]))
      read.insert(v);
  }
  return needed;
}

/// `copy_` of a tensor of the same type, which exporting makes that tensor itself: what it writes to.
ValueId writtenWhole(const Model &m, NodeId n) {
  const auto operands = m.operands(n);
  if (m.text(m[m[n].op].name) != "copy_" || operands.size() < 2 || !operands[0] || !operands[1] ||
      m.resultCount(n) != 1)
    return {};
  const Type &to = m.type(operands[0]), &from = m.type(operands[1]);
  return isLaidOut(m, to) && to.element == from.element && std::ranges::equal(to.dims, from.dims) ? operands[0]
                                                                                                  : ValueId();
}

bool isParameter(const Model &m, GraphId g, ValueId v) {
  const std::uint32_t first = m[g].parameters.first;
  return v.index() >= first && v.index() < first + m[g].parameters.count;
}

Readers readersOf(const Model &m, NodeId conditional, std::size_t i) {
  Readers out;
  const GraphId g = m[conditional].graph;
  out.same.push_back(m.result(conditional, i));
  const auto isSame = [&](ValueId v) { return v && std::ranges::find(out.same, v) != out.same.end(); };
  const auto isResult = [&](ValueId v) { return std::ranges::find(m.results(g), v) != m.results(g).end(); };
  std::vector<ValueId> viewed; // views of the output that the graph does not return
  for (const NodeId n : neededBehind(m, conditional)) {
    // A view of a view that the graph returns is copied where it is taken.
    if (isView(m, n) && (isSame(m.operands(n)[0]) || std::ranges::find(viewed, m.operands(n)[0]) != viewed.end())) {
      if (!isResult(m.result(n, 0)))
        viewed.push_back(m.result(n, 0));
      else if (!isSame(m.operands(n)[0]))
        out.reads.push_back(n);
    }
    if (std::ranges::any_of(m.operands(n), isSame)) {
      out.reads.push_back(n);
      if (const ValueId written = writtenWhole(m, n); written && isSame(m.operands(n)[1])) {
        // What is written is read from there when all else is done.
        out.isReturned = out.isReturned || isParameter(m, g, written);
        out.same.push_back(written);
        out.same.push_back(m.result(n, 0));
      }
      // A view is copied, or reads another place (below).
      if (const ValueId from = sharedOperand(m, n); isSame(from) && !isView(m, n))
        out.same.push_back(m.result(n, 0));
    }
    if (runsRegions(m, n))
      out.later.push_back(n);
  }
  out.isReturned = out.isReturned || std::ranges::any_of(m.results(g), isSame);
  return out;
}

/// The parameters of \p region that are given what \p readers says is the output.
std::vector<ValueId> parametersFor(const Model &m, NodeId node, GraphId region, const Readers &readers) {
  std::vector<ValueId> out;
  if (m.text(m[m[node].op].name) != "cond")
    return out;
  const Conditional c = conditionalAt(m, node);
  for (std::size_t i = 0; i < c.operands.size() && i < m[region].parameters.count; ++i)
    if (const ValueId v = c.operands[i].value; v && std::ranges::find(readers.same, v) != readers.same.end())
      out.emplace_back(m[region].parameters.first + static_cast<std::uint32_t>(i));
  return out;
}

/// Nodes stand in the order of their ids within the nodes behind a conditional.
bool isBehind(const Model &m, NodeId later, NodeId n) {
  for (NodeId at = m[later].next; at; at = m[at].next)
    if (at == n)
      return true;
  return false;
}

void reportOverwritten(RuleContext &ctx, std::size_t i, std::size_t side, NodeId later, const Overwriting &by,
                       const Readers &readers, bool isReadBehind) {
  const Model &m = ctx.m;
  const Conditional &c = ctx.conditional();
  const ValueId result = m.result(c.node, i);
  Draft d;
  d.output = i;
  d.message = fmt::format("{} puts output {} ({}), as '{}' makes it, where {} makes {}, and it is needed {}: it is "
                          "overwritten",
                          ctx.target.str(), i, spellValue(m, result), c.branches[side].name, m.path(by.region),
                          by.writer ? spellOperation(m, by.writer) : std::string("its first tensor"),
                          isReadBehind ? "behind that" : "there afterwards");
  d.help =
      fmt::format("copy it in front of {}, where it is not lost yet: append `.clone()` to the result", m.path(later));
  d.fixes.push_back({fmt::format("append .clone() to the result {}", spellValue(m, result))});
  d.related.push_back({"the conditional that writes over it", m.location(later), m.path(later)});
  const auto reader =
      std::ranges::find_if(readers.reads, [&](NodeId n) { return n == later || isBehind(m, later, n); });
  if (reader != readers.reads.end())
    d.related.push_back({"it is read here", m.location(*reader), m.path(*reader)});
  ctx.report(std::move(d));
}

/// Operators that were seen to read what a view of a result shows, besides those that are one kernel.
bool readsForCertain(const Model &m, NodeId n) {
  const std::string_view name = m.text(m[m[n].op].name);
  return isSingleKernel(m, n) || name == "clone" || name == "matmul" || name == "permute" || name == "sum";
}

/// Somebody who computes with a view of an output.
struct ViewReader {
  NodeId view, reader;
  bool isCertain = true; ///< seen to be wrong
};

/// ET2: what is read by way of a view of an output is the place that was planned for that output, where nobody writes;
/// a view that the graph returns is copied from the right one.
std::optional<ViewReader> readerOfView(const Model &m, NodeId conditional, const Readers &readers) {
  std::optional<ViewReader> open;
  std::vector<ValueId> bases = readers.same;
  const std::vector<NodeId> behind = neededBehind(m, conditional);
  for (const NodeId view : behind) {
    if (!isView(m, view) || std::ranges::find(bases, m.operands(view)[0]) == bases.end())
      continue;
    std::vector<ValueId> same = {m.result(view, 0)};
    bases.push_back(same.front());
    std::vector<NodeId> reading;
    for (const NodeId n : behind) {
      const bool isRead =
          std::ranges::any_of(m.operands(n), [&](ValueId v) { return v && std::ranges::find(same, v) != same.end(); });
      if (!isRead || isView(m, n) || m.text(m[m[n].op].name) == "_assert_tensor_metadata")
        continue;
      if (sharedOperand(m, n))
        same.push_back(m.result(n, 0));
      else
        reading.push_back(n);
    }
    if (std::ranges::any_of(m.results(m[conditional].graph),
                            [&](ValueId v) { return std::ranges::find(same, v) != same.end(); }))
      continue;
    const bool isKnown = isLaidOut(m, m.type(same.front())) && m.text(m[m[view].op].name) != "_unsafe_view";
    for (const NodeId n : reading) {
      if (isKnown && readsForCertain(m, n))
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
  const auto found = readerOfView(m, c.node, readers);
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

void checkExecuTorch(RuleContext &ctx) {
  const Model &m = ctx.m;
  const Conditional &c = ctx.conditional();
  if (!c.hasBothBranches() || ctx.predicateConstant())
    return;
  for (std::size_t i = 0; i < m.resultCount(c.node); ++i) {
    const Readers readers = readersOf(m, c.node, i);
    bool isTold = checkViews(ctx, i, readers);
    for (const NodeId later : readers.later) {
      const bool isReadThere = std::ranges::find(readers.reads, later) != readers.reads.end();
      const bool isReadBehind = readers.isReturned || std::ranges::any_of(readers.reads, [&](NodeId n) {
                                  return n != later && isBehind(m, later, n);
                                });
      if (isTold || (!isReadThere && !isReadBehind))
        continue;
      for (std::size_t side = 0; side < 2 && !isTold; ++side) {
        const auto block = placeOf(m, c.branches[side].graph, i);
        if (!block) {
          ctx.unknown(fmt::format("where {} puts output {} of '{}' is not known, and it is needed when {} runs",
                                  ctx.target.str(), i, c.branches[side].name, m.path(later)));
          continue;
        }
        for (const GraphId region : m.regions(later)) {
          if (!region || isTold)
            continue;
          const Overwriting by = overwritten(m, region, *block, isReadBehind, parametersFor(m, later, region, readers));
          if (by.answer == Tri::Yes) {
            reportOverwritten(ctx, i, side, later, by, readers, isReadBehind);
            isTold = true;
          } else if (by.answer == Tri::Unknown) {
            ctx.unknown(fmt::format("where {} puts what {} makes is not known, and output {} is needed behind it",
                                    ctx.target.str(), m.path(region), i));
          }
        }
      }
    }
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
