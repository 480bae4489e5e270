//===- InPlaceWrites.cpp - Writes of a branch to what is not its own (M1-M6) ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "InPlaceWrites.h"
#include "Describe.h"
#include "facts/RegionArguments.h"
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <set>

namespace condlint {

namespace {

/// A value of the main graph's signature that keeps its value between calls.
bool isState(const Value &v) {
  return v.origin == ValueOrigin::Constant ||
         (v.origin == ValueOrigin::Parameter &&
          (v.role == ParameterRole::Parameter || v.role == ParameterRole::Buffer || v.role == ParameterRole::Constant));
}

/// What the storage of \p v comes from in its own graph, where that is one value.
ValueId rootOf(const RuleContext &ctx, ValueId v) {
  const auto sources = ctx.analysis.aliases.sources(v);
  return sources.size() == 1 ? sources[0].value : ValueId();
}

/// The value of the outermost graph that an operand's storage leads back to,
/// through the operands of what is around it (those of a loop's first trip).
ValueId leadBack(const RuleContext &ctx, ValueId v) {
  for (int hops = 0; hops < 1000; ++hops) {
    const ValueId root = rootOf(ctx, v);
    const ValueId outer = regionArgument(ctx.m, root).value;
    if (!outer)
      return root ? root : v;
    v = outer;
  }
  return v;
}

/// The conditionals around \p c whose operands the same write reaches.
void relateOuter(const RuleContext &ctx, ValueId operand, Draft &d) {
  const Model &m = ctx.m;
  for (int hops = 0; hops < 1000 && operand; ++hops) {
    const ValueId root = rootOf(ctx, operand);
    operand = regionArgument(m, root).value;
    if (const NodeId holder = operand ? m[m[root].graph].owner : NodeId(); holder && isConditional(m, holder))
      d.related.push_back(relatedTo(
          m, holder, fmt::format("the write also reaches operand {} of the conditional around it", m[root].index)));
  }
}

/// What a write to \p root, the source of a branch's storage, is a write to.
struct Written {
  bool foreign = false; ///< it is not the branch's own
  Mutated kind = Mutated::Input;
  ValueId operand; ///< what is passed for it
  std::string words;
};

Written written(const RuleContext &ctx, GraphId branch, ValueId root) {
  const Model &m = ctx.m;
  const Conditional &c = ctx.conditional();
  const Value &x = m[root];
  Written out;
  const bool parameter = x.origin == ValueOrigin::Parameter && x.graph == branch;
  const bool outer = x.graph && x.graph != branch && m.encloses(x.graph, branch);
  out.foreign = parameter || outer;
  if (!out.foreign)
    return out;
  if (outer)
    out.operand = root;
  else if (x.index < c.operands.size())
    out.operand = c.operands[x.index].value;
  const ValueId origin = out.operand && !ctx.isSource() ? leadBack(ctx, out.operand) : ValueId();
  if (outer || (origin && isState(m[origin])))
    out.kind = Mutated::Capture;
  if (ctx.isSource() && outer) {
    const Capture *capture = ctx.facts.source->captureOf(ctx.analysis.aliases, branch, root);
    const bool global = capture && (capture->kind == CaptureKind::Global || capture->kind == CaptureKind::Static);
    out.kind = global ? Mutated::Global : Mutated::Capture;
    out.words =
        fmt::format("the {} {}", global ? "global" : "captured",
                    capture && m.name(root).empty() ? fmt::format("'{}'", m.text(capture->name)) : spellValue(m, root));
    return out;
  }
  if (out.kind == Mutated::Input)
    out.words = fmt::format("operand {} ({})", x.index, spellValue(m, root));
  else if (origin && m[origin].origin == ValueOrigin::Parameter && isState(m[origin]))
    out.words = fmt::format("the {} {}", parameterRoleName(m[origin].role), spellValue(m, origin));
  else
    out.words = "the captured " + spellValue(m, root);
  return out;
}

/// A node that writes to what comes from outside: one finding, for batch norm writes two statistics at once.
struct Writer {
  NodeId node;
  std::vector<std::string> what;
  std::vector<std::string> through;
  std::vector<std::string> names;
  Draft draft;
  std::size_t norms = 0; ///< batch norms in training mode that it stands for (M6)
  bool counts = false;   ///< and they count their batches, as a module in training mode does and a function does not
};

void add(const RuleContext &ctx, std::vector<Writer> &writers, const AliasAnalysis::Write &w, ValueId source,
         const Written &found) {
  auto writer = std::ranges::find(writers, w.writer, &Writer::node);
  if (writer == writers.end()) {
    writers.push_back({w.writer, {}, {}, {}, {}, 0});
    writer = writers.end() - 1;
  }
  writer->what.push_back(found.words);
  writer->names.push_back(spellValue(ctx.m, source));
  if (const std::string through = spellValue(ctx.m, w.target);
      source != w.target && std::ranges::find(writer->through, through) == writer->through.end())
    writer->through.push_back(through);
  if (found.operand) {
    writer->draft.related.push_back(relatedTo(ctx.m, found.operand, "what is written"));
    relateOuter(ctx, found.operand, writer->draft);
  }
}

/// The writers of \p branch to what \p which names. What may be one makes the rule unknown.
std::vector<Writer> writersOf(RuleContext &ctx, GraphId branch, Mutated which) {
  const Model &m = ctx.m;
  std::vector<Writer> writers;
  std::set<ValueId> reported;
  for (const AliasAnalysis::Write &w : ctx.analysis.aliases.writes(branch)) {
    // A conditional inside reports its own writes.
    const bool inner = ctx.facts.nearestConditional(m[w.writer].graph) != ctx.conditional().node;
    for (const AliasAnalysis::Source &s : ctx.sourcesOf(w.target)) {
      if (!inner && ctx.isSource() && isUnexplained(m, s.value))
        ctx.unknown(
            fmt::format("{} writes to {}, which may be anything", spellOperation(m, w.writer), spellValue(m, s.value)));
      const Written found = written(ctx, branch, s.value);
      if (!found.foreign || found.kind != which)
        continue;
      if (!w.certain || !s.certain) {
        if (!inner)
          ctx.unknown(fmt::format("{} may write to {}", spellOperation(m, w.writer), spellValue(m, s.value)));
        continue;
      }
      // In source each place that writes is shown, in a graph the first.
      if (!inner && (reported.insert(s.value).second || ctx.isSource()))
        add(ctx, writers, w, s.value, found);
    }
  }
  return writers;
}

bool isBatchNorm(const Model &m, NodeId n) {
  return m.text(m[m[n].op].name).find("batch_norm") != std::string_view::npos;
}

/// A module that was left in training mode is one cause, however many of its layers write, and counts its batches
/// as well.
void joinTraining(const RuleContext &ctx, std::vector<Writer> &writers) {
  const Model &m = ctx.m;
  if (ctx.isSource())
    return;
  const auto first = std::ranges::find_if(writers, [&](const Writer &w) { return isBatchNorm(m, w.node); });
  if (first == writers.end())
    return;
  const auto isCounter = [&](const Writer &w) {
    return m.text(m[m[w.node].op].name) == "add_" && std::ranges::all_of(w.what, [](const std::string &name) {
             return name.find("num_batches_tracked") != name.npos;
           });
  };
  Writer joined = std::move(*first);
  joined.norms = 1;
  joined.counts = std::ranges::any_of(writers, isCounter);
  std::vector<Writer> others;
  for (auto w = writers.begin(); w != writers.end(); ++w) {
    if (w == first)
      continue;
    const bool isNorm = isBatchNorm(m, w->node);
    if (!isNorm && !isCounter(*w)) {
      others.push_back(std::move(*w));
      continue;
    }
    joined.norms += isNorm ? 1 : 0;
    std::ranges::move(w->what, std::back_inserter(joined.what));
    std::ranges::move(w->draft.related, std::back_inserter(joined.draft.related));
  }
  others.insert(others.begin(), std::move(joined));
  writers = std::move(others);
}

} // namespace

void checkMutation(RuleContext &ctx, Mutated which) {
  const Model &m = ctx.m;
  if (ctx.conditional().dialect != Dialect::Torch)
    return ctx.absent();
  for (const Branch &b : ctx.conditional().branches) {
    if (!b.graph)
      continue;
    for (NodeId n : ctx.analysis.aliases.opaqueNodes(b.graph))
      ctx.unknownBy(n, "write anything");
    std::vector<Writer> writers = writersOf(ctx, b.graph, which);
    joinTraining(ctx, writers);
    for (Writer &w : writers) {
      Draft &d = w.draft;
      d.node = w.node;
      if (which != Mutated::Global)
        d.variant = ctx.isSource() ? "source" : "";
      d.message =
          fmt::format("'{}' writes to {} in place: {}{}", b.name, fmt::join(w.what, " and "), spellOperation(m, w.node),
                      w.through.empty() ? "" : fmt::format(", through {}", fmt::join(w.through, " and ")));
      if (w.norms > 0) {
        d.message = fmt::format(
            "'{}' holds {} in training mode, which {} {} in place: {}; {}", b.name,
            w.norms == 1 ? "a batch norm" : fmt::format("{} batch norms", w.norms),
            w.norms == 1 ? "writes to" : "write to", fmt::join(w.what, ", "), spellOperation(m, w.node),
            w.counts ? "the model was exported without eval()" : "it is called with training=True, in eval() too");
        d.help = w.counts ? "call eval() before exporting: the running statistics are read then, and not written"
                          : "pass self.training instead of True and call eval() before exporting: the running "
                            "statistics are read then, and not written";
        ctx.report(std::move(d));
        continue;
      }
      d.help = which != Mutated::Input
                   ? "return the new value and store it outside of the conditional"
                   : fmt::format("write to a copy: clone {} first, or use the operator that returns a new tensor",
                                 fmt::join(w.names, " and "));
      if (which == Mutated::Input)
        d.fixes.push_back({fmt::format("clone {} and write to the copy", fmt::join(w.names, " and "))});
      ctx.report(std::move(d));
    }
  }
}

} // namespace condlint
