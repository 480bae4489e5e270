//===----------------------------------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ControlFlow.h"
#include "Families.h"
#include "InferState.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace condlint {

namespace {

/// The region of \p n whose role or argument position is meant; none when absent.
GraphId region(const Model &m, NodeId n, std::string_view attribute) {
  const Attribute *a = m.attribute(n, attribute);
  if (!a || a->kind != AttributeKind::Region || a->list.first >= m.regions(n).size())
    return {};
  return m.regions(n)[a->list.first];
}

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

/// Both branches of an ONNX If or of torch.cond; the results are what is true
/// of both. Operands go to the branches' parameters by position.
void inferConditional(InferState &state, InferContext &ctx, std::span<const ValueId> operands) {
  Model &m = state.m;
  const NodeId n = ctx.node();
  for (std::size_t r = 0; r < m.regions(n).size(); ++r)
    if (const GraphId g = m.regions(n)[r])
      inferBranch(state, g, passedTo(state, operands));
  inferConditionalResults(state, ctx);
}

TypeId scalarType(InferContext &ctx, DType dtype) {
  return ctx.model().types.intern(ctx.tensor(dtype, std::span<const Dim>()));
}

/// Types a loop body until its carried values are stable. A facet only ever
/// becomes unknown, so two rounds settle all but the rarest, and what a third
/// still changes is given up.
void inferLoopBody(InferState &state, GraphId body, std::size_t firstCarried, std::size_t firstResult,
                   std::vector<TypeId> &carried) {
  constexpr int rounds = 4;
  for (int round = 0; round < rounds; ++round) {
    const InferState::Faults before = state.faults();
    for (std::size_t i = 0; i < carried.size(); ++i)
      state.passParameter(body, firstCarried + i, carried[i]);
    inferRegion(state, body);
    bool stable = true;
    const auto results = state.m.results(body);
    for (std::size_t i = 0; i < carried.size(); ++i) {
      const TypeId after = firstResult + i < results.size() && results[firstResult + i]
                               ? state.effective(results[firstResult + i])
                               : TypeId();
      const TypeId wide = round + 2 == rounds ? TypeId() : state.join(carried[i], after);
      if (wide != carried[i]) {
        carried[i] = wide;
        stable = false;
      }
    }
    if (stable || round + 1 == rounds)
      return;
    // What a round found with types that were too narrow does not count.
    state.forgetSince(before);
  }
}

/// Two tensors of which no element type is common; an optional may carry what it holds.
bool areApart(const Type &a, const Type &b) {
  return a.isTensor() && b.isTensor() && a.possible().disjoint(b.possible());
}

/// "float32", or "tensor" where that is not known.
std::string_view nameOf(const Type &t) {
  return t.isTensor() && t.element != DType::Unknown ? dtypeName(t.element) : kindName(t.kind);
}

/// How the body of a Loop, a Scan or a SequenceMap is called.
struct BodyCall {
  std::size_t given = 0;        ///< values that it is given: what is carried, and the rest
  std::size_t yielded = 0;      ///< values that it must yield at least
  std::size_t firstOperand = 0; ///< of what is carried, likewise
  std::size_t firstParameter = 0;
  std::size_t firstResult = 0;
};

/// Rejects a body that takes or yields another number of values than it is called for, or that
/// carries a value of one element type on as another: no trip could follow the first.
void checkBody(InferState &state, InferContext &ctx, GraphId body, const BodyCall &call, std::size_t carried) {
  const Model &m = state.m;
  const Range parameters = m[body].parameters;
  const auto parameter = [&](std::size_t i) { return ValueId(parameters.first + static_cast<std::uint32_t>(i)); };
  std::size_t needed = parameters.count; // before IR version 4 an initializer is a parameter too
  while (needed > call.given && m[parameter(needed - 1)].constant)
    --needed;
  const auto results = m.results(body);
  if (needed != call.given)
    return ctx.reject(fmt::format("its body takes {} value(s), but is given {}", needed, call.given));
  if (results.size() < call.yielded)
    return ctx.reject(
        fmt::format("its body yields {} value(s), but at least {} are needed", results.size(), call.yielded));
  for (std::size_t i = 0; i < carried; ++i) {
    const ValueId operand = ctx.operand(call.firstOperand + i);
    if (!operand)
      continue;
    const Type &first = m.types[state.effective(operand)];
    const TypeId declared = m[parameter(call.firstParameter + i)].recorded;
    const ValueId last = results[call.firstResult + i];
    if (declared && areApart(first, m.types[declared]))
      ctx.reject(fmt::format("its body takes {} for what is carried as {}", nameOf(m.types[declared]), nameOf(first)),
                 call.firstOperand + i);
    else if (last && areApart(first, m.types[state.effective(last)]))
      ctx.reject(fmt::format("what is carried begins as {} and comes back as {}", nameOf(first),
                             nameOf(m.types[state.effective(last)])),
                 call.firstOperand + i);
  }
}

/// ONNX Loop: inputs M, cond, carried…; body (iteration, cond, carried…) ->
/// (cond, carried…, scanned…); results carried…, scanned….
void inferLoop(InferState &state, InferContext &ctx) {
  Model &m = state.m;
  const GraphId body = region(m, ctx.node(), "body");
  if (!body)
    return;
  const std::size_t carriedCount = ctx.operandCount() > 2 ? ctx.operandCount() - 2 : 0;
  std::vector<TypeId> carried;
  for (std::size_t i = 0; i < carriedCount; ++i) {
    const ValueId v = ctx.operand(i + 2);
    carried.push_back(v ? state.effective(v) : TypeId());
  }
  state.passParameter(body, 0, scalarType(ctx, DType::Int64));
  state.passParameter(body, 1, scalarType(ctx, DType::Bool));
  inferLoopBody(state, body, 2, 1, carried);
  const std::size_t yielded = std::max(state.pending.size(), carriedCount) + 1;
  checkBody(state, ctx, body, {2 + carriedCount, yielded, 2, 2, 1}, carriedCount);
  for (std::size_t i = 0; i < carriedCount && i < state.pending.size(); ++i)
    state.pending[i] = carried[i];
  const auto results = m.results(body);
  for (std::size_t i = carriedCount; i < state.pending.size(); ++i) {
    if (i + 1 >= results.size() || !results[i + 1])
      continue;
    const Type &item = m.types[state.effective(results[i + 1])];
    if (!item.isTensor())
      continue;
    Type stacked = ctx.tensor(item.element);
    std::vector<Dim> dims;
    if (item.hasRank) {
      // Loop carries no promise about the trips: the condition may end it early.
      dims.push_back(ctx.dataDependent("trips"));
      dims.insert(dims.end(), item.dims.begin(), item.dims.end());
      stacked = ctx.tensor(item.element, dims);
    }
    state.pending[i] = m.types.intern(stacked);
  }
}

std::int64_t axisAt(const std::optional<std::vector<std::int64_t>> &axes, std::size_t i) {
  return axes && i < axes->size() ? (*axes)[i] : 0;
}

/// ONNX Scan: inputs state…, scanned…; body (state…, slices…) -> (state…, slices…).
/// Scan-8 has a batch dimension and a first, optional input of lengths.
void inferScan(InferState &state, InferContext &ctx) {
  Model &m = state.m;
  const GraphId body = region(m, ctx.node(), "body");
  const auto scanned = ctx.intAttr("num_scan_inputs");
  if (!body || !scanned || *scanned < 0)
    return;
  const bool batched = ctx.version() == 8;
  const std::size_t skip = batched ? 1 : 0;
  const std::size_t inputs = ctx.operandCount() > skip ? ctx.operandCount() - skip : 0;
  if (static_cast<std::size_t>(*scanned) > inputs)
    return;
  const std::size_t states = inputs - static_cast<std::size_t>(*scanned);
  const auto inputAxes = ctx.intsAttr("scan_input_axes");
  const auto outputAxes = ctx.intsAttr("scan_output_axes");

  const auto withoutDim = [&](const Type &t, std::int64_t axis) {
    if (!t.isTensor() || !t.hasRank || t.dims.empty())
      return t.isTensor() ? m.types.intern(ctx.tensor(t.element)) : TypeId();
    const auto rank = static_cast<std::int64_t>(t.dims.size());
    axis = axis < 0 ? axis + rank : axis;
    std::vector<Dim> dims(t.dims.begin(), t.dims.end());
    if (axis < 0 || axis >= rank)
      return m.types.intern(ctx.tensor(t.element));
    dims.erase(dims.begin() + axis);
    return m.types.intern(ctx.tensor(t.element, dims));
  };

  std::vector<TypeId> carried;
  for (std::size_t i = 0; i < states; ++i) {
    const Type &t = ctx.type(skip + i);
    carried.push_back(batched ? withoutDim(t, 0) : m.types.intern(t));
  }
  Dim length;
  for (std::size_t i = 0; i < static_cast<std::size_t>(*scanned); ++i) {
    const Type &t = ctx.type(skip + states + i);
    TypeId slice;
    if (batched) {
      slice = withoutDim(m.types[withoutDim(t, 0)], 0);
      if (t.hasRank && t.dims.size() > 1)
        length = t.dims[1];
    } else {
      const std::int64_t axis = axisAt(inputAxes, i);
      slice = withoutDim(t, axis);
      if (t.hasRank) {
        const auto rank = static_cast<std::int64_t>(t.dims.size());
        const std::int64_t at = axis < 0 ? axis + rank : axis;
        if (at >= 0 && at < rank && !length.known())
          length = t.dims[static_cast<std::size_t>(at)];
      }
    }
    state.passParameter(body, states + i, slice);
  }
  inferLoopBody(state, body, 0, 0, carried);
  checkBody(state, ctx, body, {inputs, std::max(state.pending.size(), states), skip, 0, 0}, states);
  Dim batch;
  for (std::size_t i = 0; batched && i < inputs; ++i)
    if (ctx.type(skip + i).hasRank && !ctx.type(skip + i).dims.empty())
      batch = ctx.type(skip + i).dims[0];
  const auto results = m.results(body);
  for (std::size_t i = 0; i < state.pending.size() && i < results.size(); ++i) {
    const bool isState = i < states;
    const TypeId itemId = isState ? carried[i] : (results[i] ? state.effective(results[i]) : TypeId());
    const Type &item = m.types[itemId];
    if (!item.isTensor())
      continue;
    if (!item.hasRank) {
      state.pending[i] = m.types.intern(ctx.tensor(item.element));
      continue;
    }
    std::vector<Dim> dims(item.dims.begin(), item.dims.end());
    if (!isState) {
      std::int64_t axis = axisAt(outputAxes, i - states);
      const auto rank = static_cast<std::int64_t>(dims.size()) + 1;
      axis = axis < 0 ? axis + rank : axis;
      if (axis < 0 || axis >= rank)
        continue;
      dims.insert(dims.begin() + axis, length);
    }
    if (batched)
      dims.insert(dims.begin(), batch);
    state.pending[i] = m.types.intern(ctx.tensor(item.element, dims));
  }
}

/// ONNX SequenceMap: the first input is a sequence; further ones are sequences
/// of the same length or tensors; each result is a sequence.
void inferSequenceMap(InferState &state, InferContext &ctx) {
  Model &m = state.m;
  const GraphId body = region(m, ctx.node(), "body");
  if (!body)
    return;
  for (std::size_t i = 0; i < ctx.operandCount(); ++i) {
    const Type &t = ctx.type(i);
    state.passParameter(body, i, t.kind == ValueKind::Sequence ? t.item : m.types.intern(t));
  }
  inferRegion(state, body);
  checkBody(state, ctx, body, {ctx.operandCount(), state.pending.size(), 0, 0, 0}, 0);
  const auto results = m.results(body);
  for (std::size_t i = 0; i < state.pending.size() && i < results.size(); ++i)
    if (results[i])
      state.pending[i] = m.types.intern(ctx.sequenceOf(state.effective(results[i])));
}

/// `wrap_with_autocast(device, dtype, enabled, cache, body, ...)` with \p n's arguments casts.
bool turnsAutocastOn(const Model &m, NodeId n) {
  for (const Attribute &a : m.attributes(n))
    if (a.kind == AttributeKind::Bool)
      return a.number != 0;
  return true;
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
  if (!repeats && m.regions(n).size() == 1 && m.regions(n)[0])
    for (std::size_t i = 0; i < state.pending.size(); ++i)
      resultFromRegion(state, i, m.regions(n)[0], i);
}

constexpr OpDef conditional{"conditional", nullptr, OpTrait::Conditional, nullptr};
constexpr OpDef loop{"loop", nullptr, OpTrait::Loop, nullptr};
constexpr OpDef once{"once", nullptr, OpTrait::HigherOrder, nullptr};

constexpr std::array<OpBinding, 22> torchRows{{
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
  const Model &m = state.m;
  std::vector<GraphId> branches;
  for (GraphId g : m.regions(ctx.node()))
    if (g)
      branches.push_back(g);
  for (std::size_t i = 0; i < state.pending.size(); ++i) {
    if (branches.size() != 2)
      break;
    const auto a = m.results(branches[0]);
    const auto b = m.results(branches[1]);
    if (i >= a.size() || i >= b.size() || !a[i] || !b[i])
      continue;
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
  } else if (name == "Loop") {
    inferLoop(state, ctx);
  } else if (name == "Scan") {
    inferScan(state, ctx);
  } else if (name == "SequenceMap") {
    inferSequenceMap(state, ctx);
  } else {
    return false;
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
