//===- TorchLoops.cpp - while_loop, scan and map of torch -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Source: torch/_higher_order_ops/while_loop.py, scan.py and map.py: the condition of a while_loop
// is one boolean, a body takes what it is called with, and what is carried comes back as it was.
#include "ControlFlow.h"
#include "graph/TypeWords.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {

namespace {

/// One value that the regions of a loop are called with.
struct Given {
  ValueId value;
  TypeId type;
  std::size_t operand = 0; ///< its position among the node's operands
  bool changes = true;     ///< from one trip to the next
};

/// How a loop calls its regions.
struct LoopCall {
  std::vector<Given> given;
  std::size_t carried = 0; ///< the first of \c given, which come back as results
  Dim trips;               ///< of a loop over slices
  bool sliced = false;
};

/// The \p count lists of values that a loop is called with; nothing where an argument is something
/// else. Another number of lists is rejected: a `.pt2` holds all that are given.
std::optional<std::vector<Attribute>> listsOf(InferContext &ctx, std::size_t count) {
  const Model &m = ctx.model();
  const NodeId n = ctx.node();
  std::vector<Attribute> lists;
  for (const Attribute &a : m.attributes(n)) {
    if (a.kind == AttributeKind::Region)
      continue;
    if (a.kind == AttributeKind::None && m.info.format == Format::Pt2)
      ctx.reject("takes a list of values, but is given none");
    if (a.kind != AttributeKind::Operands || a.list.first + a.list.count > m.operands(n).size())
      return std::nullopt;
    lists.push_back(a);
  }
  if (lists.size() == count)
    return lists;
  if (m.info.format == Format::Pt2)
    ctx.reject(fmt::format("takes {} lists of values, but is given {}", count, lists.size()));
  return std::nullopt;
}

/// What one trip sees of \p t, which is cut along its first axis.
TypeId sliceOf(Model &m, Type t) {
  if (!t.isTensor())
    return TypeId();
  if (t.hasRank && t.dims.empty())
    return TypeId();
  if (t.hasRank)
    t.dims = t.dims.subspan(1);
  t.hasStrides = false;
  t.strides = {};
  t.storageOffset = Dim();
  return m.types.intern(t);
}

void append(InferState &state, InferContext &ctx, const Attribute &list, bool changes, bool sliced, LoopCall &call) {
  Model &m = state.m;
  for (std::uint32_t i = 0; i < list.list.count; ++i) {
    const std::size_t operand = list.list.first + i;
    const ValueId v = m.operands(ctx.node())[operand];
    const TypeId type = v ? state.effective(v) : TypeId();
    if (sliced && !call.trips.known() && m.types[type].hasRank && !m.types[type].dims.empty())
      call.trips = m.types[type].dims[0];
    call.given.push_back({v, sliced ? sliceOf(m, m.types[type]) : type, operand, changes});
  }
}

std::string textOf(const Model &m, const Type &t, bool withDevice) {
  return withDevice ? fmt::format("{} on {}", spellType(m, t), m.text(t.device)) : spellType(m, t);
}

/// A value that is reported as recorded falsely is what is recorded of it, too.
bool mayBe(const InferState &state, const Given &g, const Type &wanted) {
  const Model &m = state.m;
  const Value &x = m[g.value];
  const bool lies = x.contradicted && x.recorded && state.effective(g.value) == g.type;
  return !neverPasses(m, wanted, m.types[g.type]) || (lies && !neverPasses(m, wanted, m.types[x.recorded]));
}

/// Rejects a region that takes another number of values than it is called with, or one of another type.
bool checkParameters(const InferState &state, InferContext &ctx, GraphId g, std::string_view what,
                     const LoopCall &call) {
  const Model &m = state.m;
  const Range parameters = m[g].parameters;
  if (parameters.count != call.given.size()) {
    ctx.reject(fmt::format("its {} takes {} value(s), but is given {}", what, parameters.count, call.given.size()));
    return false;
  }
  for (std::uint32_t i = 0; i < parameters.count; ++i) {
    const Given &given = call.given[i];
    const TypeId declared = m[ValueId(parameters.first + i)].recorded;
    if (!given.value || !given.type || !declared || mayBe(state, given, m.types[declared]))
      continue;
    const bool device = !excludes(m, m.types[declared], m.types[given.type]);
    ctx.reject(fmt::format("its {} takes {} for what is passed as {}", what, textOf(m, m.types[declared], device),
                           textOf(m, m.types[given.type], device)),
               given.operand);
    return false;
  }
  return true;
}

/// Rejects a condition that is not one boolean.
bool checkCondition(const InferState &state, InferContext &ctx, GraphId condition) {
  const Model &m = state.m;
  const auto results = m.results(condition);
  if (results.size() != 1) {
    ctx.reject(fmt::format("its condition yields {} values, but must yield one boolean", results.size()));
    return false;
  }
  const Type &t = m.types[results[0] ? state.effective(results[0]) : TypeId()];
  const bool number = t.kind == ValueKind::SymInt || t.kind == ValueKind::SymFloat;
  const bool tensor = t.isTensor() && (t.possible().disjoint(DTypeSet{DType::Bool}) || (t.hasRank && !t.dims.empty()));
  if (number || tensor)
    ctx.reject(fmt::format("its condition must yield one boolean without axes, but yields {}", spellType(m, t)));
  return !number && !tensor;
}

/// Rejects a body that yields another number of values than it must, or carries one on as another.
bool checkResults(const InferState &state, InferContext &ctx, GraphId body, std::size_t needed, bool exactly,
                  const LoopCall &call) {
  const Model &m = state.m;
  const auto results = m.results(body);
  if (exactly ? results.size() != needed : results.size() < needed) {
    ctx.reject(fmt::format("its body yields {} value(s), but {}{} are needed", results.size(),
                           exactly ? "" : "at least ", needed));
    return false;
  }
  for (std::size_t i = 0; i < call.carried; ++i) {
    const Given &given = call.given[i];
    if (!given.value || !given.type || !results[i] || m[results[i]].origin == ValueOrigin::Undefined)
      continue;
    const Type &last = m.types[state.effective(results[i])];
    const TypeId record = m[results[i]].recorded;
    const bool lies = m[results[i]].contradicted && record && mayBe(state, given, m.types[record]);
    if (lies || mayBe(state, given, last))
      continue;
    const bool device = !excludes(m, last, m.types[given.type]);
    ctx.reject(fmt::format("what is carried begins as {} and comes back as {}", textOf(m, m.types[given.type], device),
                           textOf(m, last, device)),
               given.operand);
    return false;
  }
  return true;
}

/// What is true of a value after any number of trips: nothing is said of how it lies in memory.
TypeId carriedType(InferState &state, TypeId first, TypeId last) {
  Type t = state.m.types[state.join(first, last)];
  t.hasStrides = false;
  t.strides = {};
  t.storageOffset = Dim();
  t.layout = Layout::Unknown;
  t.conjugate = t.quantized = t.requiresGrad = Tri::Unknown;
  return state.m.types.intern(t);
}

/// What all trips yield, one behind the other.
TypeId stackedType(InferState &state, const Type &item, Dim trips) {
  if (!item.isTensor())
    return TypeId();
  Type t;
  t.kind = ValueKind::Tensor;
  t.element = item.element;
  t.elements = item.elements;
  t.device = item.device;
  t.deviceIndex = item.deviceIndex;
  std::vector<Dim> dims{trips};
  if (item.hasRank) {
    t.hasRank = true;
    dims.insert(dims.end(), item.dims.begin(), item.dims.end());
    t.dims = dims;
  }
  return state.m.types.intern(t);
}

void setResults(InferState &state, GraphId body, const LoopCall &call) {
  const auto results = state.m.results(body);
  for (std::size_t i = 0; i < state.pending.size() && i < results.size(); ++i) {
    if (!results[i])
      continue;
    const TypeId last = state.effective(results[i]);
    if (i < call.carried)
      state.pending[i] = carriedType(state, call.given[i].type, last);
    else if (call.sliced)
      state.pending[i] = stackedType(state, state.m.types[last], call.trips);
  }
}

void inferRegions(InferState &state, InferContext &ctx, const LoopCall &call) {
  const Model &m = state.m;
  std::vector<Passed> passed;
  for (const Given &g : call.given)
    passed.push_back({g.type, g.value && !g.changes ? m[g.value].content : ContentId(), g.type.valid()});
  for (std::size_t r = 0; r < m.regions(ctx.node()).size(); ++r)
    if (const GraphId g = m.regions(ctx.node())[r])
      inferBranch(state, g, passed);
}

bool inferWhile(InferState &state, InferContext &ctx, bool stacks) {
  const Model &m = state.m;
  const auto lists = listsOf(ctx, 2);
  const auto regions = m.regions(ctx.node());
  if (!lists || regions.size() != 2 || !regions[0] || !regions[1])
    return false;
  const GraphId condition = regions[0], body = regions[1];
  LoopCall call;
  append(state, ctx, (*lists)[0], true, false, call);
  call.carried = call.given.size();
  append(state, ctx, (*lists)[1], false, false, call);
  inferRegions(state, ctx, call);
  if (!checkParameters(state, ctx, condition, "condition", call) || !checkParameters(state, ctx, body, "body", call) ||
      !checkCondition(state, ctx, condition) || !checkResults(state, ctx, body, call.carried, true, call))
    return true;
  if (state.pending.size() > call.carried)
    ctx.reject(fmt::format("it yields {} value(s), but {} are declared", call.carried, state.pending.size()));
  else if (!stacks)
    setResults(state, body, call);
  return true;
}

/// scan(init, xs, additional) and map(xs, arguments): the body is run on each slice of what is in \c xs.
bool inferSliced(InferState &state, InferContext &ctx, bool carries) {
  const Model &m = state.m;
  const auto lists = listsOf(ctx, carries ? 3 : 2);
  if (!lists || m.regions(ctx.node()).size() != 1 || !m.regions(ctx.node())[0])
    return false;
  const GraphId body = m.regions(ctx.node())[0];
  LoopCall call;
  call.sliced = true;
  if (carries)
    append(state, ctx, lists->front(), true, false, call);
  call.carried = call.given.size();
  append(state, ctx, (*lists)[carries ? 1 : 0], true, true, call);
  append(state, ctx, lists->back(), false, false, call);
  inferRegions(state, ctx, call);
  const std::size_t needed = std::max(call.carried, state.pending.size());
  if (checkParameters(state, ctx, body, "body", call) && checkResults(state, ctx, body, needed, false, call))
    setResults(state, body, call);
  return true;
}

} // namespace

bool inferTorchLoop(InferState &state, InferContext &ctx) {
  const std::string_view name = ctx.opName();
  if (name == "while_loop" || name == "while_loop_stack_output")
    return inferWhile(state, ctx, name != "while_loop");
  if (name == "scan")
    return inferSliced(state, ctx, true);
  return (name == "map_impl" || name == "map") && inferSliced(state, ctx, false);
}

} // namespace condlint
