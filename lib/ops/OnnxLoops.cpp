//===- OnnxLoops.cpp - Loop, Scan and SequenceMap of ONNX -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Source: onnx/defs/controlflow/utils.cc and onnx/defs/sequence/defs.cc: a body yields exactly what its node
// has outputs for; what a Scan or a SequenceMap passes keeps its shape, what a Loop carries may change it.
#include "ControlFlow.h"
#include "Shape.h"
#include "graph/GraphsInside.h"
#include "graph/TypeWords.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>
#include <limits>

namespace condlint {

namespace {

/// The region of \p n whose role or argument position is meant; none when absent.
GraphId region(const Model &m, NodeId n, std::string_view attribute) {
  const Attribute *a = m.attribute(n, attribute);
  if (!a || a->kind != AttributeKind::Region || a->list.first >= m.regions(n).size())
    return {};
  return m.regions(n)[a->list.first];
}

TypeId scalarType(InferContext &ctx, DType dtype) {
  return ctx.model().types.intern(ctx.tensor(dtype, std::span<const Dim>()));
}

/// What a trip sees of \p passed in \p parameter: where the file declares numbers for its sizes those hold for every
/// trip, as in onnx's own inference, to which a first trip says nothing of the others.
TypeId seenInTrip(Model &m, ValueId parameter, TypeId passed) {
  const Type &declared = m.types[m[parameter].recorded];
  const Type &given = m.types[passed];
  if (!given.isTensor() || !declared.isTensor() || !given.hasRank || !declared.hasRank ||
      given.dims.size() != declared.dims.size())
    return passed;
  std::vector<Dim> dims(given.dims.begin(), given.dims.end());
  for (std::size_t i = 0; i < dims.size(); ++i)
    if (declared.dims[i].known() && m.dims.asConstant(declared.dims[i]))
      dims[i] = declared.dims[i];
  Type seen = given;
  seen.dims = dims;
  return m.types.intern(seen);
}

/// \p passed without its shape.
TypeId elementAlone(Model &m, TypeId passed) {
  Type t = m.types[passed];
  t.hasRank = t.hasStrides = false;
  t.dims = t.strides = {};
  return m.types.intern(t);
}

/// What a Loop carries has one element type, that of \p first: \p joined, of all trips, with that.
TypeId carriedElement(Model &m, TypeId first, TypeId joined) {
  const DType element = m.types[first].element;
  if (!m.types[first].isTensor() || element == DType::Unknown || m.types[joined].element == element)
    return joined;
  Type t = m.types[joined];
  t.kind = ValueKind::Tensor;
  t.element = element;
  t.elements = {};
  t.item = {};
  return m.types.intern(t);
}

/// What a former trip knew of the numbers in what the nodes of \p body make says nothing of another.
void forgetNumbers(Model &m, GraphId body) {
  forEachGraphInside(m, std::span(&body, 1), [&](GraphId g) {
    for (const NodeId n : m.nodes(g))
      for (std::uint32_t i = 0; i < m.resultCount(n); ++i)
        m[m.result(n, i)].content = ContentId();
  });
}

/// What the first trip, whose types are known as they are, found wrong since \p before with nodes that every trip comes
/// to: it fails, whatever later ones would be given.
std::vector<InvalidOperand> ownFaults(const InferState &state, GraphId body, const InferState::Faults &before) {
  std::vector<InvalidOperand> own;
  for (std::size_t i = before.invalid; i < state.out.invalid.size(); ++i)
    if (const InvalidOperand &fault = state.out.invalid[i]; state.m[fault.node].graph == body && fault.when.empty())
      own.push_back(fault);
  return own;
}

/// Adds those of \p first, of which the node is not found wrong since \p before: nobody sees them before the loop runs,
/// which it does where the condition that its \p body is given holds.
void keepFaults(InferState &state, GraphId body, std::span<const InvalidOperand> first,
                const InferState::Faults &before) {
  const Range parameters = state.m[body].parameters;
  if (parameters.count < 2)
    return;
  const auto found = std::span(state.out.invalid).subspan(before.invalid);
  std::vector<InvalidOperand> missing;
  for (const InvalidOperand &fault : first)
    if (std::ranges::find(found, fault.node, &InvalidOperand::node) == found.end()) {
      missing.push_back(fault);
      missing.back().message += ", in the loop's first trip,";
      missing.back().when = {Known{ValueId(parameters.first + 1), true}};
    }
  std::ranges::move(missing, std::back_inserter(state.out.invalid));
}

/// Types a loop body until its carried values are stable. A facet only ever
/// becomes unknown, so two rounds settle all but the rarest, and what a third
/// still changes is given up. Of loops in loops in loops each would double the
/// rounds of those in it: what the innermost carry is given up at once.
/// \p contents: by carried value, the number in it, where it counts the trips.
/// \p runs: there may be a first trip.
void inferLoopBody(InferState &state, GraphId body, std::size_t firstCarried, std::size_t firstResult,
                   std::vector<TypeId> &carried, std::span<const ContentId> contents, bool runs) {
  constexpr int rounds = 4;
  constexpr std::size_t mostTimes = 32;
  const std::vector<TypeId> first = carried;
  if (!state.mayRepeat(mostTimes))
    for (TypeId &t : carried)
      t = carriedElement(state.m, t, TypeId());
  const Range parameters = state.m[body].parameters;
  const InferState::Faults start = state.faults();
  std::vector<InvalidOperand> inFirst;
  for (int round = 0; round < rounds; ++round) {
    const InferState::Faults before = state.faults();
    forgetNumbers(state.m, body);
    for (std::size_t i = firstCarried; i < firstCarried + carried.size() && i < parameters.count; ++i) {
      const ValueId parameter(parameters.first + static_cast<std::uint32_t>(i));
      state.passParameter(body, i,
                          state.asChecker ? elementAlone(state.m, carried[i - firstCarried])
                                          : seenInTrip(state.m, parameter, carried[i - firstCarried]),
                          i - firstCarried < contents.size() ? contents[i - firstCarried] : ContentId());
    }
    inferRegion(state, body);
    if (round == 0 && runs && carried == first)
      inFirst = ownFaults(state, body, before);
    bool stable = true;
    const auto results = state.m.results(body);
    for (std::size_t i = 0; i < carried.size(); ++i) {
      const TypeId after = firstResult + i < results.size() && results[firstResult + i]
                               ? state.effective(results[firstResult + i])
                               : TypeId();
      const TypeId joined = round + 2 == rounds ? TypeId() : state.join(carried[i], after);
      const TypeId wide = carriedElement(state.m, first[i], joined);
      if (wide != carried[i]) {
        carried[i] = wide;
        stable = false;
      }
    }
    if (stable || round + 1 == rounds)
      return keepFaults(state, body, inFirst, start);
    // What a round found with types that were too narrow does not count.
    state.forgetSince(before);
  }
}

/// The one number in \p v.
Dim numberIn(const Model &m, ValueId v) {
  const ContentId content = v ? m[v].content : ContentId();
  return content && m.content(content).size() == 1 ? m.content(content)[0] : Dim();
}

/// What is carried around a Loop as one whole number, which grows by the same from trip to trip.
struct Counter {
  std::size_t carried = 0; ///< which of the carried values
  std::int64_t first = 0;
  Dim number; ///< in a trip
};

/// The carried values that begin as a number: each may be a counter.
std::vector<Counter> counters(InferContext &ctx, std::size_t carriedCount) {
  const Model &m = ctx.model();
  std::vector<Counter> all;
  for (std::size_t i = 0; i < carriedCount; ++i) {
    const ValueId v = ctx.operand(i + 2);
    const auto first = v && isIntegral(ctx.typeOf(v).element) ? m.dims.asConstant(numberIn(m, v)) : std::nullopt;
    if (first)
      all.push_back({i, *first, {}});
  }
  return all;
}

/// A number of which nothing is known but that it is one, in \p range.
Dim someNumber(InferContext &ctx, std::string_view hint, Interval range) {
  const Dim d = ctx.dataDependent(hint);
  const auto symbols = ctx.dims().symbolsOf(d);
  return symbols.empty() ? d : ctx.dims().symbol(symbols[0].name + "'", SymbolOrigin::Unbacked, range);
}

/// The most that the counter \p c, which grows by \p step, can be at the beginning of a trip: the loop goes on where
/// its number of trips allows it and the condition that the body yields, `number + k < limit`, holds.
std::int64_t mostOf(InferContext &ctx, GraphId body, const Counter &c, std::int64_t step) {
  Model &m = ctx.model();
  std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (const auto trips = m.dims.asConstant(numberIn(m, ctx.operand(0))); trips && *trips > 0 && *trips < most)
    most = std::min(most, c.first + step * (*trips - 1));
  const auto results = m.results(body);
  const NodeId decides =
      !results.empty() && results[0] && m[results[0]].origin == ValueOrigin::Result ? m[results[0]].def : NodeId();
  const std::string name = decides ? m.operatorName(m[decides].op) : std::string();
  if ((name != "Less" && name != "LessOrEqual") || m.operands(decides).size() != 2)
    return most;
  const auto ahead = m.dims.asConstant(m.dims.sub(numberIn(m, m.operands(decides)[0]), c.number));
  const auto limit = m.dims.asConstant(numberIn(m, m.operands(decides)[1]));
  if (!ahead || !limit)
    return most;
  const std::int64_t last = *limit - (name == "Less" ? 1 : 0) - *ahead; // the number where it still holds
  return std::min(most, std::max(c.first, last + step));
}

/// The Loop of \p ctx may come to its body: its number of trips is not known to be none, nor its condition to be false,
/// and no conditional is known to leave it out.
bool mayRun(const InferState &state, InferContext &ctx) {
  const Model &m = ctx.model();
  for (GraphId g = m[ctx.node()].graph; g && m[g].owner; g = m[g].parent)
    if (const auto truth = state.decided(m[g].owner);
        truth && m.text(m[g].role) != (*truth ? "then_branch" : "else_branch"))
      return false;
  const auto trips = m.dims.asConstant(numberIn(m, ctx.operand(0)));
  const auto condition = m.dims.asConstant(numberIn(m, ctx.operand(1)));
  return trips.value_or(1) > 0 && condition.value_or(1) != 0;
}

/// Types the body of a Loop, whose counters it finds: what is sliced by them has a size that is known.
void inferCountedBody(InferState &state, InferContext &ctx, GraphId body, std::vector<TypeId> &carried) {
  Model &m = state.m;
  constexpr std::int64_t unlimited = std::numeric_limits<std::int32_t>::max();
  std::vector<Counter> all = state.mayRepeat() ? counters(ctx, carried.size()) : std::vector<Counter>();
  const std::vector<TypeId> first = carried;
  std::vector<ContentId> contents(carried.size());
  for (Counter &c : all) {
    c.number = someNumber(ctx, "counter", {-unlimited, unlimited});
    contents[c.carried] = m.addContent({&c.number, 1});
  }
  const InferState::Faults before = state.faults();
  const bool runs = mayRun(state, ctx);
  inferLoopBody(state, body, 2, 1, carried, contents, runs);
  if (all.empty())
    return;
  const auto results = m.results(body);
  for (Counter &c : all) {
    const ValueId after = c.carried + 1 < results.size() ? results[c.carried + 1] : ValueId();
    const auto step = m.dims.asConstant(m.dims.sub(numberIn(m, after), c.number));
    contents[c.carried] = ContentId();
    if (!step || *step < 0)
      continue;
    const Dim number = someNumber(ctx, "counter", {c.first, mostOf(ctx, body, c, *step)});
    contents[c.carried] = m.addContent({&number, 1});
  }
  state.forgetSince(before);
  carried = first;
  inferLoopBody(state, body, 2, 1, carried, contents, runs);
}

/// \p t without sizes that are of one trip alone: outside of \p body, which counts them, they say nothing.
TypeId withoutCounters(InferContext &ctx, GraphId body, TypeId type) {
  Model &m = ctx.model();
  Type t = m.types[type];
  if (!t.isTensor() || !t.hasRank)
    return type;
  std::vector<std::string> names;
  const Range parameters = m[body].parameters;
  for (std::uint32_t i = 0; i < parameters.count; ++i)
    if (const Dim d = numberIn(m, ValueId(parameters.first + i)); d.known())
      for (const Symbol &s : m.dims.symbolsOf(d))
        names.push_back(s.name);
  std::vector<Dim> dims(t.dims.begin(), t.dims.end());
  for (Dim &d : dims)
    if (d.known() && !m.dims.asConstant(d) && std::ranges::any_of(m.dims.symbolsOf(d), [&](const Symbol &s) {
          return std::ranges::find(names, s.name) != names.end();
        }))
      d = Dim();
  t.dims = dims;
  return m.types.intern(t);
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
  std::vector<TypeId> given;    ///< by parameter: what every trip passes; none where that is not known
  std::size_t yielded = 0;      ///< values that it must yield
  std::size_t carried = 0;      ///< how many come back as results
  std::size_t firstOperand = 0; ///< of what is carried, likewise
  std::size_t firstParameter = 0;
  std::size_t firstResult = 0;
  bool shapesStay = false; ///< ranks and sizes are those of every trip, too
};

/// Rejects parameters that are declared as something else than what is passed.
/// \returns false where there are some.
bool checkPassed(InferState &state, InferContext &ctx, GraphId body, const BodyCall &call) {
  const Model &m = state.m;
  bool sound = true;
  const Range parameters = m[body].parameters;
  for (std::size_t i = 0; i < call.given.size() && i < parameters.count; ++i) {
    const TypeId declared = m[ValueId(parameters.first + static_cast<std::uint32_t>(i))].recorded;
    if (!declared || !call.given[i])
      continue;
    const Type &wanted = m.types[declared];
    const Type &given = m.types[call.given[i]];
    const bool apart = areApart(given, wanted);
    if (!apart && !(call.shapesStay && shapesDiffer(m, given, wanted)))
      continue;
    const std::size_t operand = call.firstOperand + i - call.firstParameter;
    sound = false;
    ctx.reject(fmt::format("its body takes {} for what is passed as {}", apart ? nameOf(wanted) : spellType(m, wanted),
                           apart ? nameOf(given) : spellType(m, given)),
               i < call.firstParameter ? std::nullopt : std::optional(operand));
  }
  return sound;
}

/// Some parameter of \p body is declared of another rank than what is passed: every trip was typed by the declaration,
/// as onnx's own inference does it, and runs with what is passed.
bool takesOtherRanks(const Model &m, GraphId body, const BodyCall &call) {
  const Range parameters = m[body].parameters;
  for (std::size_t i = call.firstParameter; i < call.given.size() && i < parameters.count; ++i) {
    const Type &declared = m.types[m[ValueId(parameters.first + static_cast<std::uint32_t>(i))].recorded];
    const Type &given = m.types[call.given[i]];
    if (declared.hasRank && given.hasRank && declared.dims.size() != given.dims.size())
      return true;
  }
  return false;
}

/// Rejects what is carried as one type, or in one shape where that must stay, and comes back as another:
/// no trip could follow the first.
void checkCarried(InferState &state, InferContext &ctx, GraphId body, const BodyCall &call) {
  const Model &m = state.m;
  const auto results = m.results(body);
  for (std::size_t i = 0; i < call.carried; ++i) {
    const ValueId operand = ctx.operand(call.firstOperand + i);
    const ValueId last = results[call.firstResult + i];
    if (!operand || !last)
      continue;
    const Type &first = m.types[call.given[call.firstParameter + i]]; // of Scan-8 without the batch
    const Type &after = m.types[state.effective(last)];
    const bool apart = areApart(first, after);
    if (apart || (call.shapesStay && shapesDiffer(m, first, after)))
      ctx.reject(fmt::format("what is carried begins as {} and comes back as {}",
                             apart ? nameOf(first) : spellType(m, first), apart ? nameOf(after) : spellType(m, after)),
                 call.firstOperand + i);
  }
}

/// Rejects a body that takes or yields another number of values than it is called for, or values of
/// another type.
void checkBody(InferState &state, InferContext &ctx, GraphId body, const BodyCall &call) {
  const Model &m = state.m;
  const Range parameters = m[body].parameters;
  const auto parameter = [&](std::size_t i) { return ValueId(parameters.first + static_cast<std::uint32_t>(i)); };
  std::size_t needed = parameters.count; // before IR version 4 an initializer is a parameter too
  while (needed > call.given.size() && m[parameter(needed - 1)].constant)
    --needed;
  const std::size_t yielded = m.results(body).size();
  if (needed != call.given.size())
    return ctx.reject(fmt::format("its body takes {} value(s), but is given {}", needed, call.given.size()));
  if (yielded != call.yielded)
    return ctx.reject(fmt::format("its body yields {} value(s), but {} are needed", yielded, call.yielded));
  if (checkPassed(state, ctx, body, call))
    checkCarried(state, ctx, body, call);
}

/// Rejects what a body is to be passed and is left out: it has no type. The inputs before \p first may be.
/// \returns false where there is some.
bool checkAllGiven(InferContext &ctx, std::size_t first) {
  for (std::size_t i = first; i < ctx.operandCount(); ++i)
    if (!ctx.has(i)) {
      ctx.reject(fmt::format("{} needs its input {}", ctx.opName(), i), i);
      return false;
    }
  return true;
}

/// Rejects a condition of another rank than the body declares for it.
void checkCondition(const InferState &state, InferContext &ctx, GraphId body) {
  const Model &m = state.m;
  const ValueId given = ctx.operand(1);
  if (!given || m[body].parameters.count < 2)
    return;
  const Type &first = m.types[state.effective(given)];
  const Type &declared = m.types[m[ValueId(m[body].parameters.first + 1)].recorded];
  if (first.hasRank && declared.hasRank && first.dims.size() != declared.dims.size())
    ctx.reject(fmt::format("its body takes a condition of rank {} for the one of rank {}", declared.dims.size(),
                           first.dims.size()),
               1);
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
  inferCountedBody(state, ctx, body, carried);
  for (TypeId &t : carried)
    t = withoutCounters(ctx, body, t);
  BodyCall call{{scalarType(ctx, DType::Int64), scalarType(ctx, DType::Bool)}, 0, carriedCount, 2, 2, 1, false};
  for (std::size_t i = 0; i < carriedCount; ++i)
    call.given.push_back(ctx.operand(i + 2) ? state.effective(ctx.operand(i + 2)) : TypeId());
  call.yielded = std::max(state.pending.size(), carriedCount) + 1;
  if (state.pending.size() < carriedCount)
    ctx.reject(fmt::format("it carries {} value(s), but has {} output(s)", carriedCount, state.pending.size()));
  else if (checkAllGiven(ctx, 2))
    checkBody(state, ctx, body, call);
  checkCondition(state, ctx, body);
  for (std::size_t i = 0; i < carriedCount && i < state.pending.size(); ++i)
    state.pending[i] = carried[i];
  const auto results = m.results(body);
  const bool isMisled = takesOtherRanks(m, body, call);
  for (std::size_t i = carriedCount; i < state.pending.size(); ++i) {
    if (i + 1 >= results.size() || !results[i + 1])
      continue;
    const Type &item = m.types[withoutCounters(ctx, body, state.effective(results[i + 1]))];
    if (!item.isTensor())
      continue;
    Type stacked = ctx.tensor(item.element);
    std::vector<Dim> dims;
    if (item.hasRank && !isMisled) {
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

/// \p t without its axis \p axis; the element type alone where that is not one of its axes.
TypeId withoutAxis(InferContext &ctx, const Type &t, std::int64_t axis) {
  Model &m = ctx.model();
  if (!t.isTensor())
    return TypeId();
  const auto rank = static_cast<std::int64_t>(t.dims.size());
  axis = axis < 0 ? axis + rank : axis;
  if (!t.hasRank || axis < 0 || axis >= rank)
    return m.types.intern(ctx.tensor(t.element));
  std::vector<Dim> dims(t.dims.begin(), t.dims.end());
  dims.erase(dims.begin() + axis);
  return m.types.intern(ctx.tensor(t.element, dims));
}

/// How a Scan runs: over slices of its last operands, with the others carried on.
struct ScanCall {
  std::size_t states = 0;
  std::size_t scanned = 0;
  bool batched = false; ///< Scan-8 has a batch dimension and a first, optional input of lengths
  std::size_t skip() const { return batched ? 1 : 0; }
};

/// The size of the axis that is scanned, and of the batch.
struct ScanSizes {
  Dim length, batch;
};

/// Appends what each trip sees of the scanned operands to \p given.
ScanSizes sliceOperands(InferContext &ctx, const ScanCall &scan, std::vector<TypeId> &given) {
  Model &m = ctx.model();
  const auto axes = ctx.intsAttr("scan_input_axes");
  ScanSizes sizes;
  for (std::size_t i = 0; i < scan.scanned; ++i) {
    const std::size_t operand = scan.skip() + scan.states + i;
    const Type &t = ctx.type(operand);
    const auto rank = static_cast<std::int64_t>(t.dims.size());
    if (scan.batched) {
      given.push_back(withoutAxis(ctx, m.types[withoutAxis(ctx, t, 0)], 0));
      if (t.hasRank && rank > 1)
        sizes.length = t.dims[1];
      continue;
    }
    const std::int64_t axis = axisAt(axes, i);
    const std::int64_t at = axis < 0 ? axis + rank : axis;
    given.push_back(withoutAxis(ctx, t, axis));
    if (!t.isTensor() || !t.hasRank)
      continue;
    if (at < 0 || at >= rank)
      ctx.reject(fmt::format("it scans axis {} of an input of rank {}", axis, rank), operand);
    else if (const Dim length = t.dims[static_cast<std::size_t>(at)]; !sizes.length.known())
      sizes.length = length;
    else if (neverEqual(m.dims, sizes.length, length))
      ctx.reject(fmt::format("it scans {} and {} slices at once", m.dims.str(sizes.length), m.dims.str(length)),
                 operand);
  }
  for (std::size_t i = 0; scan.batched && i < scan.states + scan.scanned; ++i)
    if (ctx.type(scan.skip() + i).hasRank && !ctx.type(scan.skip() + i).dims.empty())
      sizes.batch = ctx.type(scan.skip() + i).dims[0];
  return sizes;
}

/// Rejects axes and directions that are not one for each value that is scanned or put together, or are none that there
/// are: onnx's inference looks at the axes, and the kernel of ONNX Runtime at the directions as well.
bool checkScanLists(InferContext &ctx, GraphId body, const ScanCall &scan) {
  const Model &m = ctx.model();
  const auto results = m.results(body);
  const std::size_t stacked = results.size() - std::min(results.size(), scan.states);
  struct List {
    std::string_view name;
    std::size_t values;
    bool areDirections;
  };
  for (const List &l : {List{"scan_input_axes", scan.scanned, false},
                        {"scan_output_axes", stacked, false},
                        {scan.batched ? "directions" : "scan_input_directions", scan.scanned, true},
                        {"scan_output_directions", stacked, true}}) {
    const auto list = ctx.intsAttr(l.name);
    if (!list || list->empty())
      continue;
    if (list->size() != l.values) {
      ctx.reject(fmt::format("{} has {} numbers for {} value(s)", l.name, list->size(), l.values));
      return false;
    }
    for (std::size_t i = 0; i < list->size(); ++i) {
      const std::int64_t n = (*list)[i];
      if (l.areDirections && n != 0 && n != 1) {
        ctx.reject(fmt::format("{} has {}, and forward is 0, backward 1", l.name, n));
        return false;
      }
      if (l.name != "scan_output_axes" || !results[scan.states + i])
        continue;
      const Type &item = m.type(results[scan.states + i]);
      const auto rank = static_cast<std::int64_t>(item.dims.size()) + 1;
      if (item.isTensor() && item.hasRank && (n < -rank || n >= rank)) {
        ctx.reject(fmt::format("it puts slices together along axis {} of a result of rank {}", n, rank));
        return false;
      }
    }
  }
  return true;
}

/// Types what a Scan yields: what was carried, and the slices put together along their axis.
void scanResults(InferState &state, InferContext &ctx, GraphId body, const ScanCall &scan, const ScanSizes &sizes,
                 std::span<const TypeId> carried) {
  Model &m = state.m;
  const auto axes = ctx.intsAttr("scan_output_axes");
  const auto results = m.results(body);
  for (std::size_t i = 0; i < state.pending.size() && i < results.size(); ++i) {
    const bool isState = i < scan.states;
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
      std::int64_t axis = axisAt(axes, i - scan.states);
      const auto rank = static_cast<std::int64_t>(dims.size()) + 1;
      axis = axis < 0 ? axis + rank : axis;
      if (axis < 0 || axis >= rank)
        continue;
      dims.insert(dims.begin() + axis, sizes.length);
    }
    if (scan.batched)
      dims.insert(dims.begin(), sizes.batch);
    state.pending[i] = m.types.intern(ctx.tensor(item.element, dims));
  }
}

/// ONNX Scan: inputs state…, scanned…; body (state…, slices…) -> (state…, slices…). What it carries keeps
/// its shape.
void inferScan(InferState &state, InferContext &ctx) {
  Model &m = state.m;
  const GraphId body = region(m, ctx.node(), "body");
  const auto scanned = ctx.intAttr("num_scan_inputs");
  if (!body || !scanned || *scanned < 0)
    return;
  ScanCall scan;
  scan.batched = ctx.version() == 8;
  scan.scanned = static_cast<std::size_t>(*scanned);
  const std::size_t inputs = ctx.operandCount() > scan.skip() ? ctx.operandCount() - scan.skip() : 0;
  if (scan.scanned > inputs)
    return ctx.reject(fmt::format("num_scan_inputs is {}, but it has {} input(s)", scan.scanned, inputs));
  scan.states = inputs - scan.scanned;
  std::vector<TypeId> given;
  for (std::size_t i = 0; i < scan.states; ++i) {
    const Type &t = ctx.type(scan.skip() + i);
    given.push_back(scan.batched ? withoutAxis(ctx, t, 0) : m.types.intern(t));
  }
  std::vector<TypeId> carried = given;
  const ScanSizes sizes = sliceOperands(ctx, scan, given);
  // With a shape that stays one round shows what comes back.
  const Range parameters = m[body].parameters;
  for (std::size_t i = 0; i < given.size() && i < parameters.count; ++i)
    state.passParameter(body, i, seenInTrip(m, ValueId(parameters.first + static_cast<std::uint32_t>(i)), given[i]));
  inferRegion(state, body);
  const std::size_t yielded = std::max(state.pending.size(), scan.states);
  if (checkAllGiven(ctx, scan.skip()) && checkScanLists(ctx, body, scan))
    checkBody(state, ctx, body, {given, yielded, scan.states, scan.skip(), 0, 0, true});
  scanResults(state, ctx, body, scan, sizes, carried);
}

/// ONNX SequenceMap: the first input is a sequence; further ones are sequences
/// of the same length or tensors; each result is a sequence.
void inferSequenceMap(InferState &state, InferContext &ctx) {
  Model &m = state.m;
  const GraphId body = region(m, ctx.node(), "body");
  if (!body)
    return;
  BodyCall call;
  for (std::size_t i = 0; i < ctx.operandCount(); ++i) {
    const Type &t = ctx.type(i);
    call.given.push_back(t.kind == ValueKind::Sequence ? t.item : m.types.intern(t));
    state.passParameter(body, i, call.given.back());
  }
  inferRegion(state, body);
  call.yielded = state.pending.size();
  call.shapesStay = true;
  if (checkAllGiven(ctx, 0))
    checkBody(state, ctx, body, call);
  const auto results = m.results(body);
  for (std::size_t i = 0; i < state.pending.size() && i < results.size(); ++i)
    if (results[i]) {
      state.pending[i] = m.types.intern(ctx.sequenceOf(state.effective(results[i])));
      if (const Dim entries = numberIn(m, ctx.operand(0)); entries.known() && ctx.type(0).kind == ValueKind::Sequence)
        ctx.setContent(i, std::array{entries});
    }
}

} // namespace

bool inferOnnxLoop(InferState &state, InferContext &ctx) {
  const std::string_view name = ctx.opName();
  if (name == "Loop")
    inferLoop(state, ctx);
  else if (name == "Scan")
    inferScan(state, ctx);
  else if (name == "SequenceMap")
    inferSequenceMap(state, ctx);
  else
    return false;
  return true;
}

} // namespace condlint
