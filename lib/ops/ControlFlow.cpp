//===- ControlFlow.cpp - Typing what operators own ------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ControlFlow.h"
#include "Families.h"
#include "InferState.h"
#include "graph/TypeWords.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace condlint {

namespace {

/// Sets result \p i of the node to what region \p g returns at \p r.
void resultFromRegion(InferState &state, std::size_t i, GraphId g, std::size_t r) {
  const auto results = state.m.results(g);
  if (i < state.pending.size() && r < results.size() && results[r])
    state.pending[i] = state.effective(results[r]);
}

/// What a branch is passed for its parameters.
std::vector<Passed> passedTo(InferState &state, std::span<const ValueId> operands) {
  std::vector<Passed> out;
  for (ValueId v : operands)
    out.push_back(v ? Passed{state.named(v), state.m[v].content, true} : Passed());
  return out;
}

/// \p branch of an ONNX conditional is the one for \p truth.
bool isTaken(const Model &m, GraphId branch, bool truth) {
  return m.text(m[branch].role) == (truth ? "then_branch" : "else_branch");
}

/// Both branches of an ONNX If or of torch.cond; the results are what is true
/// of both. Operands go to the branches' parameters by position.
void inferConditional(InferState &state, InferContext &ctx, std::span<const ValueId> operands) {
  Model &m = state.m;
  const NodeId n = ctx.node();
  const std::optional<bool> truth = state.decided(n);
  for (std::size_t r = 0; r < m.regions(n).size(); ++r) {
    const GraphId g = m.regions(n)[r];
    if (!g || (state.assumed && truth && !isTaken(m, g, *truth)))
      continue;
    const InferState::Faults before = state.faults();
    inferBranch(state, g, passedTo(state, operands));
    // Whether the case that is assumed comes here nobody knows.
    if (state.assumed && !truth)
      state.forgetSince(before);
  }
  inferConditionalResults(state, ctx);
}

/// `wrap_with_autocast(device, dtype, enabled, cache, body, ...)` with \p n's arguments casts.
bool turnsAutocastOn(const Model &m, NodeId n) {
  for (const Attribute &a : m.attributes(n))
    if (a.kind == AttributeKind::Bool)
      return a.number != 0;
  return true;
}

/// All that follows the region of \p n are values for its parameters (`invoke_subgraph` names it first);
/// what graph JSON leaves out is not known.
bool passesValuesAlone(const Model &m, NodeId n) {
  bool isBehind = false, alone = m.info.format == Format::Pt2;
  for (const Attribute &a : m.attributes(n)) {
    alone = alone && (!isBehind || a.kind == AttributeKind::Operand || a.kind == AttributeKind::Operands ||
                      a.kind == AttributeKind::String);
    isBehind = isBehind || a.kind == AttributeKind::Region;
  }
  return isBehind && alone;
}

/// Rejects a region that takes or yields another number of values than it is run for, or takes one
/// of another type.
void checkRegion(const InferState &state, InferContext &ctx, GraphId g, std::span<const ValueId> given) {
  const Model &m = state.m;
  const Range parameters = m[g].parameters;
  if (parameters.count != given.size())
    return ctx.reject(fmt::format("its graph takes {} value(s), but is given {}", parameters.count, given.size()));
  if (m.results(g).size() < ctx.resultCount())
    return ctx.reject(
        fmt::format("its graph yields {} value(s), but {} are taken from it", m.results(g).size(), ctx.resultCount()));
  for (std::uint32_t i = 0; i < parameters.count; ++i) {
    const TypeId declared = m[ValueId(parameters.first + i)].recorded;
    if (!declared || !given[i] || m[given[i]].contradicted)
      continue;
    const Type &passed = m.types[state.effective(given[i])];
    if (neverPasses(m, m.types[declared], passed))
      return ctx.reject(fmt::format("its graph takes {} for what is passed as {}", spellType(m, m.types[declared]),
                                    spellType(m, passed)));
  }
}

/// A torch operator that owns regions: types them with the operands that reach
/// them. What the file records of the results stands; an operator that runs its
/// one region once has the region's results.
void inferTorchRegions(InferState &state, InferContext &ctx) {
  Model &m = state.m;
  const NodeId n = ctx.node();
  const std::string_view name = ctx.opName();
  const std::vector<ValueId> given = regionOperands(m, n);
  if (name == "cond")
    return inferConditional(state, ctx, given);
  if (inferTorchLoop(state, ctx))
    return;
  const bool repeats = nodeHas(m, n, OpTrait::Loop);
  const bool outside = state.autocasts;
  if (name == "wrap_with_autocast")
    state.autocasts = turnsAutocastOn(m, n);
  for (std::size_t r = 0; r < m.regions(n).size(); ++r) {
    const GraphId g = m.regions(n)[r];
    if (!g)
      continue;
    for (std::size_t i = 0; i < given.size(); ++i)
      if (given[i] && !repeats)
        state.passParameter(g, i, state.effective(given[i]), m[given[i]].content);
    inferRegion(state, g);
  }
  state.autocasts = outside;
  const bool runsOnce =
      name == "wrap_with_set_grad_enabled" || name == "wrap_with_autocast" || name == "invoke_subgraph";
  if (runsOnce && m.regions(n).size() == 1 && m.regions(n)[0] && passesValuesAlone(m, n))
    checkRegion(state, ctx, m.regions(n)[0], given);
  if (!repeats && m.regions(n).size() == 1 && m.regions(n)[0])
    for (std::size_t i = 0; i < state.pending.size(); ++i)
      resultFromRegion(state, i, m.regions(n)[0], i);
}

constexpr OpDef conditional{"conditional", nullptr, OpTrait::Conditional, nullptr};
constexpr OpDef loop{"loop", nullptr, OpTrait::Loop, nullptr};
constexpr OpDef once{"once", nullptr, OpTrait::HigherOrder, nullptr};

constexpr std::array<OpBinding, 32> torchRows{{
    {"higher_order.cond", &conditional},
    {"higher_order.while_loop", &loop},
    {"higher_order.while_loop_stack_output", &loop},
    {"higher_order.map_impl", &loop},
    {"higher_order.map", &loop},
    {"higher_order.scan", &loop},
    {"higher_order.associative_scan", &loop},
    {"higher_order.invoke_subgraph", &once},
    {"higher_order.wrap", &once},
    {"higher_order.wrap_with_set_grad_enabled", &once},
    {"higher_order.wrap_with_autocast", &once},
    {"higher_order.hints_wrapper", &once},
    {"higher_order.run_const_graph", &once},
    {"higher_order.strict_mode", &once},
    {"higher_order.tag_activation_checkpoint", &once},
    {"higher_order.wrap_activation_checkpoint", &once},
    {"higher_order.local_map_hop", &once},
    {"higher_order.invoke_quant", &once},
    {"higher_order.invoke_quant_packed", &once},
    {"higher_order.inductor_compiled_code", &once},
    {"higher_order.export_tracepoint", &once},
    {"higher_order.switch", &conditional},
    {"torch._functorch.predispatch.lazy_load_decompositions", &vmapPrepare},
    {"torch._functorch.predispatch._vmap_increment_nesting", &vmapBegin},
    {"torch._functorch.predispatch._vmap_decrement_nesting", &vmapEnd},
    {"torch._functorch.predispatch._add_batch_dim", &vmapSlice},
    {"torch._functorch.predispatch._remove_batch_dim", &vmapStack},
    {"higher_order.auto_functionalized", &functionalized},
    {"higher_order.auto_functionalized_v2", &functionalizedBases},
    {"higher_order.with_effects", &withEffects},
    {"higher_order.out_dtype", &outDtype},
    {"aten._print", &print},
}};

constexpr std::array<OpBinding, 4> onnxRows{{
    {"If", &conditional},
    {"Loop", &loop},
    {"Scan", &loop},
    {"SequenceMap", &loop},
}};

} // namespace

bool neverPasses(const Model &m, const Type &recorded, const Type &given) {
  return excludes(m, recorded, given) || onOtherDevices(recorded, given);
}

void inferRegion(InferState &state, GraphId g) {
  std::vector<TypeId> saved;
  saved.swap(state.pending);
  state.inferGraph(g);
  saved.swap(state.pending);
}

void inferBranch(InferState &state, GraphId g, std::span<const Passed> passed) {
  Model &m = state.m;
  const Range parameters = m[g].parameters;
  std::vector<std::pair<ValueId, TypeId>> contested;
  for (std::size_t i = 0; i < passed.size() && i < parameters.count && m.info.format != Format::Cxx; ++i) {
    const ValueId p(parameters.first + static_cast<std::uint32_t>(i));
    const TypeId recorded = m[p].recorded, given = passed[i].type;
    if (recorded && given && given != recorded && neverPasses(m, m.types[recorded], m.types[given]))
      contested.emplace_back(p, given);
  }
  const auto pass = [&] {
    for (std::size_t i = 0; i < passed.size() && i < parameters.count; ++i)
      if (passed[i].isThere)
        state.passParameter(g, i, passed[i].type, passed[i].content);
  };
  if (contested.empty()) {
    pass();
    return inferRegion(state, g);
  }
  state.contested += contested.size();
  const InferState::Faults before = state.faults();
  pass();
  inferRegion(state, g);
  if (state.faults() == before || !state.mayRepeat())
    return;
  state.forgetSince(before);
  for (const auto &[p, given] : contested)
    m[p].type = given;
  inferRegion(state, g);
  if (state.faults() == before)
    return;
  state.forgetSince(before);
  pass();
  inferRegion(state, g);
}

/// A .pt2 records what an int is: where that is another number it stays, for rules to compare.
static bool recordsOtherInt(const Model &m, NodeId n, std::size_t result, std::span<const Dim> yielded) {
  const Value &v = m[m.result(n, result)];
  if (!v.recorded || m.types[v.recorded].kind != ValueKind::SymInt || !v.content || yielded.size() != 1)
    return false;
  const auto recorded = m.content(v.content);
  return recorded.size() == 1 && differAlways(m, recorded[0], yielded[0]);
}

void inferConditionalResults(InferState &state, InferContext &ctx) {
  Model &m = state.m;
  std::vector<GraphId> branches;
  for (GraphId g : m.regions(ctx.node()))
    if (g)
      branches.push_back(g);
  if (branches.size() == 2 && ctx.isOnnx() && !isTaken(m, branches[0], true))
    std::swap(branches[0], branches[1]);
  const std::optional<bool> truth = ctx.isOnnx() ? state.decided(ctx.node()) : std::nullopt;
  for (std::size_t i = 0; i < state.pending.size(); ++i) {
    if (branches.size() != 2)
      break;
    const auto a = m.results(branches[0]);
    const auto b = m.results(branches[1]);
    if (i >= a.size() || i >= b.size() || !a[i] || !b[i])
      continue;
    if (truth) { // what comes is what that branch yields
      const ValueId taken = *truth ? a[i] : b[i];
      if (!state.assumed && (state.effective(a[i]) != state.effective(b[i]) || state.hangsOnDecision.contains(taken)))
        state.hangsOnDecision.insert(m.result(ctx.node(), i));
      state.pending[i] = state.effective(taken);
      m[m.result(ctx.node(), i)].content = m[taken].content;
      if (!state.assumed && !state.casesOf(taken).empty()) {
        state.pendingCases.resize(state.pending.size());
        state.pendingCases[i] = state.casesOf(taken);
      }
      continue;
    }
    if (ctx.isOnnx())
      state.uniteCases(ctx.node(), i, a[i], b[i]);
    state.pending[i] = state.join(state.named(a[i]), state.named(b[i]), &ctx);
    const auto contentA = ctx.contentOf(a[i]);
    const auto contentB = ctx.contentOf(b[i]);
    if (contentA && contentB && std::ranges::equal(*contentA, *contentB) &&
        std::ranges::none_of(*contentA, [](Dim d) { return !d.known(); }) &&
        !recordsOtherInt(m, ctx.node(), i, *contentA))
      ctx.setContent(i, *contentA);
  }
}

bool inferControlFlow(InferState &state, InferContext &ctx) {
  const Model &m = state.m;
  if (m[ctx.node()].regions.empty())
    return false;
  const Operator &op = m[m[ctx.node()].op];
  const std::string_view name = ctx.opName();
  if (op.dialect == Dialect::Torch) {
    inferTorchRegions(state, ctx);
  } else if (!m.text(op.domain).empty()) {
    for (std::size_t r = 0; r < m.regions(ctx.node()).size(); ++r)
      if (const GraphId g = m.regions(ctx.node())[r])
        inferRegion(state, g);
    return false;
  } else if (name == "If") {
    inferConditional(state, ctx, {});
  } else {
    return inferOnnxLoop(state, ctx);
  }
  return true;
}

std::vector<ValueId> regionOperands(const Model &m, NodeId n) {
  std::vector<ValueId> given;
  if (m[m[n].op].dialect != Dialect::Torch)
    return given;
  const auto operands = m.operands(n);
  // The predicate of a conditional stays outside; every other operand, single
  // or in a list, is passed on in the order of the arguments.
  const bool selects = nodeHas(m, n, OpTrait::Conditional);
  for (const Attribute &a : m.attributes(n)) {
    if (a.kind == AttributeKind::Operand && !selects && a.list.first < operands.size())
      given.push_back(operands[a.list.first]);
    for (std::uint32_t i = 0; a.kind == AttributeKind::Operands && i < a.list.count; ++i)
      if (a.list.first + i < operands.size())
        given.push_back(operands[a.list.first + i]);
  }
  return given;
}

OpFamily controlFlowFamily() { return {torchRows, onnxRows}; }

} // namespace condlint
