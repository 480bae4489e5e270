//===- Inference.cpp - Types that follow through a graph ------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "InferState.h"
#include "Shape.h"
#include "condlint/SourceGraph.h"
#include <algorithm>

namespace condlint {

bool differAlways(const Model &m, Dim a, Dim b) { return neverEqual(m.dims, a, b); }

std::string textOf(const Model &m, const InvalidOperand &i) {
  const std::string name = m.operatorName(m[i.node].op);
  const std::string_view word = m.text(m[m[i.node].op].name); // definitions call themselves so
  const std::string message = i.message.starts_with(name)   ? i.message
                              : i.message.starts_with(word) ? name + i.message.substr(word.size())
                                                            : name + ": " + i.message;
  return i.when.empty() ? message : message + ' ' + textOf(m, i.when);
}

bool excludes(const Model &m, const Type &a, const Type &b) {
  if (a.kind == ValueKind::Unknown || b.kind == ValueKind::Unknown)
    return false;
  if (a.kind != b.kind || !a.isTensor())
    return a.kind != b.kind;
  if (a.possible().disjoint(b.possible()))
    return true;
  if (!a.hasRank || !b.hasRank)
    return false;
  return !mayAgree(m.dims, a.dims, b.dims);
}

bool shapesDiffer(const Model &m, const Type &a, const Type &b) {
  if (!a.hasRank || !b.hasRank)
    return false;
  if (a.dims.size() != b.dims.size())
    return true;
  for (std::size_t i = 0; i < a.dims.size(); ++i) {
    const auto x = a.dims[i].known() ? m.dims.asConstant(a.dims[i]) : std::nullopt;
    const auto y = b.dims[i].known() ? m.dims.asConstant(b.dims[i]) : std::nullopt;
    if (x && y && *x != *y)
      return true;
  }
  return false;
}

Inference inferTypes(Model &m) {
  Inference out;
  resolveOperators(m);
  InferState(m, out).run();
  return out;
}

void inferNode(Model &m, NodeId n) {
  if (!m[m[n].op].definition)
    resolveOperator(m, m[n].op);
  Inference unused;
  InferState(m, unused).inferBuilt(n);
}

void inferParameters(Model &m, GraphId g, std::span<const ValueId> operands) {
  Inference unused;
  InferState state(m, unused);
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (operands[i])
      state.passParameter(g, i, state.named(operands[i]), m[operands[i]].content);
}

void InferState::inferBuilt(NodeId n) {
  if (m[n].regions.empty() || !nodeHas(m, n, OpTrait::Conditional))
    return inferNode(n);
  InferContext ctx(m, n, this);
  pending.assign(m.resultCount(n), TypeId());
  inferConditionalResults(*this, ctx);
  finishNode(n, true);
}

TypeId InferState::withOwnSizes(TypeId type) {
  Type t = m.types[type];
  if (!t.isTensor() || !t.hasRank || std::ranges::all_of(t.dims, &Dim::known))
    return type;
  std::vector<Dim> dims(t.dims.begin(), t.dims.end());
  for (Dim &d : dims)
    d = d.known() ? d : m.dims.fresh("size", SymbolOrigin::Unbacked);
  t.dims = dims;
  return m.types.intern(t);
}

void InferState::runAgain() {
  isAgain = true;
  run();
}

void InferState::run() {
  if (m.main()) {
    const Faults before = faults();
    inferGraph(m.main());
    settleInputs(before);
  }
  // A function that is called has been typed for each way it is called; the
  // body itself is typed only when nobody calls it.
  std::vector<GraphId> bodies;
  for (std::uint32_t f = 0; f < m.functionCount(); ++f)
    bodies.push_back(m[FunctionId(f)].body);
  std::vector<bool> called(m.graphCount(), false);
  for (std::uint32_t g = 0; g < m.graphCount(); ++g)
    if (const GraphId body = m[GraphId(g)].instanceOf)
      called[body.index()] = true;
  typedForRuns = called;
  for (GraphId body : bodies)
    if (body && !called[body.index()])
      inferGraph(body);
  forgetEntries();
}

/// While types are inferred the number in a sequence is how many entries it has, and that in an optional whether it
/// holds something. To everybody else a number is what a tensor or a scalar is.
void InferState::forgetEntries() {
  if (m.info.dialect != Dialect::Onnx)
    return;
  const auto hasEntries = [&](TypeId t) {
    return m.types[t].kind == ValueKind::Sequence || m.types[t].kind == ValueKind::Optional;
  };
  bool any = false;
  for (std::uint32_t t = 0; t < m.types.size() && !any; ++t)
    any = hasEntries(TypeId(t));
  for (std::uint32_t i = 0; any && i < m.valueCount(); ++i)
    if (Value &v = m[ValueId(i)]; v.content && hasEntries(v.type))
      v.content = ContentId();
}

void InferState::inferGraph(GraphId g) {
  const Range parameters = m[g].parameters;
  // Before IR version 4 each initializer had to be an input as well, and
  // runtimes take it for a constant; since then such an input may be replaced.
  const bool defaultsAreFixed = m.info.dialect == Dialect::Onnx && m.info.irVersion > 0 && m.info.irVersion < 4;
  for (std::uint32_t i = 0; i < parameters.count; ++i) {
    Value &v = m[ValueId(parameters.first + i)];
    if (!v.type)
      v.type = v.recorded;
    if (defaultsAreFixed && !v.content && v.constant)
      if (auto content = contentOfConstant(m, v.constant))
        m[ValueId(parameters.first + i)].content = m.addContent(*content);
  }
  const Range constants = m[g].constants;
  for (std::uint32_t i = 0; i < constants.count; ++i) {
    const ValueId id(constants.first + i);
    m[id].type = m[id].recorded;
    if (!m[id].content && m[id].constant && !m.passedInstead(id))
      if (auto content = contentOfConstant(m, m[id].constant))
        m[id].content = m.addContent(*content);
  }
  const std::size_t invalid = out.invalid.size();
  for (NodeId n = m[g].firstNode; n; n = m[n].next)
    inferNode(n);
  if (m.info.dialect != Dialect::TensorRT || !readsAhead(g))
    return;
  // Layers that were rewired read what was added after them: what those are is
  // known now.
  constexpr int rounds = 3;
  for (int round = 0; round < rounds; ++round) {
    out.invalid.resize(invalid);
    for (NodeId n = m[g].firstNode; n; n = m[n].next)
      inferNode(n);
  }
}

bool InferState::readsAhead(GraphId g) const {
  for (NodeId n = m[g].firstNode; n; n = m[n].next) {
    // The way around a loop is no reading ahead.
    const std::size_t count = m.text(m[m[n].op].name) == "Loop.addRecurrence" ? 2 : m.operands(n).size();
    for (ValueId v : m.operands(n).first(std::min(count, m.operands(n).size())))
      if (v && m[v].origin == ValueOrigin::Result && m[v].graph == g && m[m[v].def].position >= m[n].position)
        return true;
  }
  return false;
}

void InferState::forgetSince(const Faults &before) {
  out.contradictions.resize(before.contradictions);
  out.invalid.resize(before.invalid);
  out.followUps.resize(before.followUps);
  out.untyped = before.untyped;
  contested = before.contested;
}

void InferState::inferByOperator(NodeId n) {
  InferContext ctx(m, n, this);
  const std::size_t results = m.resultCount(n);
  for (std::size_t i = 0; isAgain && i < results; ++i)
    m[m.result(n, i)].content = ContentId();
  pending.assign(results, TypeId());
  if (!assumed)
    pendingCases.clear();
  const std::size_t invalid = out.invalid.size();
  if (m[n].callee) {
    callFunction(n);
    if (out.invalid.size() == invalid)
      inferCases(n);
    return finishNode(n, true);
  }
  const ContentId number = takeRecordedNumber(n);
  bool fits = inferOperator(n, ctx);
  if (asChecker)
    forgetAsChecker(n);
  if (out.invalid.size() != invalid &&
      ((m[n].regions.empty() && readsOutOfReach(n)) || castsOperands(n) || fitsAsRecorded(n))) {
    if (const ValueId lie = ctx.isOnnx() && !assumed ? sourceOfLie(n) : ValueId())
      out.followUps.push_back({lie, out.invalid[invalid]});
    out.invalid.resize(invalid);
    fits = true;
  }
  if (isMisled(n) && m[n].regions.empty()) {
    out.invalid.resize(invalid);
    fits = false;
  }
  if (fits && out.invalid.size() == invalid)
    inferCases(n);
  finishNode(n, fits);
  if (number)
    mergeNumber(n, number);
  for (std::size_t i = 0; asChecker && i < results && ctx.opName() != "Constant"; ++i)
    m[m.result(n, i)].content = ContentId();
}

bool InferState::fitsAsRecorded(NodeId n) {
  const auto isLie = [&](ValueId v) { return v && m[v].contradicted; };
  const OpDef *definition = m[m[n].op].definition;
  if (!m[n].regions.empty() || !definition || !definition->infer || std::ranges::none_of(m.operands(n), isLie))
    return false;
  const std::size_t invalid = out.invalid.size();
  pending.assign(pending.size(), TypeId());
  useRecorded = true;
  InferContext ctx(m, n, this);
  if (ctx.isOnnx() ? onnx.fits(ctx) : fitsOverload(ctx))
    definition->infer(ctx);
  useRecorded = false;
  const bool fits = out.invalid.size() == invalid;
  out.invalid.resize(invalid);
  return fits;
}

ValueId InferState::sourceOfLie(NodeId n) const {
  const auto isLie = [&](ValueId v) { return v && m[v].contradicted; };
  for (std::size_t steps = 0; n && steps <= m.nodeCount(); ++steps) {
    const auto operands = m.operands(n);
    const auto lie = std::ranges::find_if(operands, isLie);
    if (lie == operands.end())
      return {};
    if (std::ranges::find(out.contradictions, *lie, &Contradiction::value) != out.contradictions.end())
      return *lie;
    n = m[*lie].def;
  }
  return {};
}

bool InferState::fitsOverload(InferContext &ctx) {
  if (!ctx.isTorch() || m.info.format == Format::Cxx)
    return true;
  // What graph JSON leaves out is not known; a .pt2 has it all.
  return m.info.format == Format::Pt2 ? aten.fits(ctx) : aten.admitsTypes(ctx);
}

/// Takes back what was found wrong with \p n itself since there were \p before, not what was inside of its regions.
static void forgetNode(std::vector<InvalidOperand> &found, std::size_t before, NodeId n) {
  const auto since = found.begin() + static_cast<std::ptrdiff_t>(before);
  found.erase(std::remove_if(since, found.end(), [&](const InvalidOperand &i) { return i.node == n; }), found.end());
}

/// Source: code that is not seen may have changed what the layer \p n does.
static bool isSetUnseen(const Model &m, NodeId n) {
  return m.info.format == Format::Cxx && m[m[n].op].dialect == Dialect::TensorRT && has(m, n, attr::unseen);
}

bool InferState::inferOperator(NodeId n, InferContext &ctx) {
  if (!fitsOverload(ctx))
    return false;
  if (isSetUnseen(m, n))
    return true;
  const bool sound = m[m[n].op].dialect != Dialect::Onnx || fitsSchema(n, ctx);
  if (const TypeId known = sameAsLast(n)) {
    pending[0] = known;
    return true;
  }
  const std::size_t fitted = out.invalid.size(), conditions = out.conditions.size();
  bool fits = sound;
  const bool isControlFlow = inferControlFlow(*this, ctx);
  if (isControlFlow && !sound)
    forgetNode(out.invalid, fitted, n);
  if (!isControlFlow) {
    const Operator &op = m[m[n].op];
    if (op.definition && op.definition->infer)
      op.definition->infer(ctx);
    else if (m[n].regions.empty())
      ++out.untyped[m.operatorName(m[n].op)];
    fits = fits && out.invalid.size() == fitted;
    // What a definition finds wrong with a node that does not fit its schema has the same cause, and so has
    // what else it finds wrong with the operands. In source each argument stands in a line of its own.
    const std::size_t most = !sound ? fitted : m.info.format == Format::Cxx ? out.invalid.size() : fitted + 1;
    out.invalid.resize(std::min(out.invalid.size(), most));
    // What a node asks of sizes, each like it asks in its own graph.
    if (sound && out.invalid.size() == fitted && out.conditions.size() == conditions)
      rememberType(n);
    const bool isSource = m.info.format == Format::Cxx && op.definition && op.definition->infer;
    if (isSource)
      dropNames(op);
    forgetUnresolved(ctx);
    if (isSource) {
      tryElements(n);
      nameResults(n, ctx);
    }
  }
  return fits;
}

TypeId InferState::sameAsLast(NodeId n) const {
  // `fitsSchema` has just compared the call, and forgot the type if it differs.
  const std::uint32_t op = m[n].op.index();
  if (op >= fittingCalls.size() || !m[n].attributes.empty() || !fittingCalls[op].front().type)
    return TypeId();
  const auto hasNumbers = [&](ValueId v) { return m[v].content.valid(); };
  return std::ranges::none_of(m.operands(n), hasNumbers) ? fittingCalls[op].front().type : TypeId();
}

void InferState::rememberType(NodeId n) {
  const Operator &op = m[m[n].op];
  if (op.dialect != Dialect::Onnx || !m[n].attributes.empty() || pending.size() != 1 || m[m.result(n, 0)].content ||
      !op.definition || !has(op.definition->traits, OpTrait::Typewise))
    return;
  FittingCall &last = fittingCalls[m[n].op.index()].front();
  if (last.known)
    last.type = pending[0];
}

bool InferState::fitsSchema(NodeId n, InferContext &ctx) {
  if (!m[n].attributes.empty())
    return onnx.fits(ctx);
  const std::uint32_t op = m[n].op.index();
  if (op >= fittingCalls.size())
    fittingCalls.resize(m.operatorCount());
  const auto operands = m.operands(n);
  const auto typeId = [&](ValueId v) { return v ? effective(v) : TypeId(); };
  auto &[last, other] = fittingCalls[op];
  const auto isLike = [&](const FittingCall &call) {
    return call.known && call.results == m.resultCount(n) &&
           std::ranges::equal(call.operands, operands, {}, {}, typeId);
  };
  if (isLike(last))
    return true;
  std::swap(last, other);
  if (isLike(last))
    return true;
  const bool fits = onnx.fits(ctx);
  last.known = fits;
  last.type = TypeId();
  last.results = m.resultCount(n);
  last.operands.clear();
  // An absent operand and one of no type are not told apart by their types.
  for (ValueId v : operands) {
    last.operands.push_back(typeId(v));
    last.known = last.known && v.valid();
  }
  return fits;
}

bool InferState::repeatsEarlier(NodeId n) {
  const Node &node = m[n];
  const bool isPlain = m.info.dialect == Dialect::Onnx && !assumed && !asChecker && !isAgain && caseTypes.empty() &&
                       hangsOnDecision.empty();
  if (!isPlain || node.callee || node.attributes.count != 0 || node.results.count != 1 ||
      node.op.index() >= fittingCalls.size())
    return false;
  // The types of the operands are all that there is to say of them.
  const auto operands = m.operands(n);
  const auto isLike = [&](const FittingCall &call) {
    if (!call.type || call.operands.size() != operands.size())
      return false;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (!operands[i])
        return false;
      const Value &x = m[operands[i]];
      if ((x.type ? x.type : x.recorded) != call.operands[i] || x.content ||
          (x.graph != node.graph && !m.reaches(node.graph, operands[i])))
        return false;
    }
    return true;
  };
  auto &[last, other] = fittingCalls[node.op.index()];
  if (!isLike(last)) {
    if (!isLike(other))
      return false;
    std::swap(last, other);
  }
  Value &result = m[m.result(n, 0)];
  if (result.recorded && result.recorded != last.type)
    return false;
  result.type = last.type;
  result.contradicted = false;
  return true;
}

namespace {

/// Several results of one operator that are none of them as recorded have one cause, and
/// so have the facets of where they lie.
void dropEchoes(std::vector<Contradiction> &found) {
  const auto isPlace = [](const Contradiction &c) {
    return c.facet == "device" || c.facet == "strides" || c.facet == "storage offset";
  };
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto repeats = [&](const Contradiction &c) {
      return (c.value != found[i].value && c.facet == found[i].facet) || (isPlace(c) && isPlace(found[i]));
    };
    found.erase(std::remove_if(found.begin() + static_cast<std::ptrdiff_t>(i) + 1, found.end(), repeats), found.end());
  }
}

} // namespace

bool InferState::readsOutOfReach(NodeId n) const {
  const GraphId here = m[n].graph;
  return std::ranges::any_of(m.operands(n), [&](ValueId v) { return v && m[v].graph != here && !m.reaches(here, v); });
}

bool InferState::isMisled(NodeId n) const {
  if (m.info.dialect == Dialect::Onnx) // its sizes are tensors
    return false;
  return std::ranges::any_of(m.operands(n),
                             [&](ValueId v) { return v && m[v].contradicted && m.type(v).kind == ValueKind::SymInt; });
}

bool InferState::castsOperands(NodeId n) const {
  DTypeSet seen;
  for (ValueId v : m.operands(n))
    if (v && typeOf(v).isTensor() && isFloating(typeOf(v).element))
      seen = seen | DTypeSet{typeOf(v).element};
  return autocasts && seen.only() == DType::Unknown && !seen.empty();
}

bool InferState::repeatsItsRegion(NodeId n, ValueId result) {
  if (m.regions(n).size() != 1 || !m.regions(n)[0] || nodeHas(m, n, OpTrait::Loop))
    return false;
  const auto inside = m.results(m.regions(n)[0]);
  const std::uint32_t i = m[result].index;
  if (i >= inside.size() || !inside[i] || !m[inside[i]].contradicted)
    return false;
  const TypeId settled = m[result].type;
  const bool repeats = merge(result, m[inside[i]].recorded).empty();
  m[result].type = settled;
  return repeats;
}

void InferState::finishNode(NodeId n, bool fits) {
  if (readsOutOfReach(n)) {
    for (std::size_t i = 0; i < pending.size(); ++i)
      m[m.result(n, i)].type = m[m.result(n, i)].recorded;
    return;
  }
  const bool isMadeOfMisfits = !fits && m[n].regions.empty() && !m[n].callee && m.info.format != Format::Cxx;
  std::vector<Contradiction> found, inCases;
  if (!hangsOnDecision.empty() &&
      std::ranges::any_of(m.operands(n), [&](ValueId v) { return v && hangsOnDecision.contains(v); }))
    for (std::size_t i = 0; i < pending.size(); ++i)
      hangsOnDecision.insert(m.result(n, i));
  for (std::size_t i = 0; i < pending.size(); ++i) {
    const ValueId v = m.result(n, i);
    // What an operator would make of operands that it does not admit is no witness further on. A body is typed anew for
    // each trip.
    m[v].contradicted = isMadeOfMisfits && !m[v].recorded;
    if (isAgain && m[v].recorded)
      pending[i] = withOwnSizes(pending[i]);
    const bool hasCases = !assumed && i < pendingCases.size() && !pendingCases[i].empty();
    if (!assumed && !hasCases && !caseTypes.empty())
      caseTypes.erase(v);
    if (!hasCases && settle(v, pending[i]))
      continue;
    std::vector<Contradiction> here =
        hasCases ? mergeCases(v, pending[i], std::move(pendingCases[i]), inCases) : merge(v, pending[i]);
    found.insert(found.end(), std::make_move_iterator(here.begin()), std::make_move_iterator(here.end()));
  }
  if (found.empty() && inCases.empty())
    return;
  const bool follows = std::ranges::any_of(m.operands(n), [&](ValueId v) { return v && m[v].contradicted; });
  // Of a conditional's own results a rule says what is declared falsely.
  if (found.empty() && !follows && !nodeHas(m, n, OpTrait::Conditional))
    out.contradictions.insert(out.contradictions.end(), inCases.begin(), inCases.end());
  // Source records nothing of its values but what it assumes of them.
  if (found.empty() || m.info.format == Format::Cxx)
    return;
  // What a node makes of operands that it does not admit is no fault of the record's.
  if (!fits) {
    for (const Contradiction &c : found)
      m[c.value].type = m[c.value].recorded;
    return;
  }
  for (const Contradiction &c : found)
    m[c.value].contradicted = true;
  if (std::ranges::all_of(
          found, [&](const Contradiction &c) { return c.facet == "shape" && hangsOnDecision.contains(c.value); }))
    return;
  if (m[n].regions.empty())
    dropEchoes(found);
  else
    std::erase_if(found, [&](const Contradiction &c) { return repeatsItsRegion(n, c.value); });
  // A lie upstream makes honest records downstream look wrong: if the operator
  // yields what is recorded when its operands are taken as recorded, then this
  // record merely repeats the lie that was reported already.
  const auto operands = m.operands(n);
  const bool inherited = std::ranges::any_of(operands, [&](ValueId v) { return v && m[v].contradicted; });
  if (inherited && !m[n].callee && m[n].regions.empty()) {
    const OpDef *definition = m[m[n].op].definition;
    const std::size_t invalid = out.invalid.size();
    pending.assign(pending.size(), TypeId());
    useRecorded = true;
    InferContext ctx(m, n, this);
    definition->infer(ctx);
    useRecorded = false;
    out.invalid.resize(invalid);
    const std::vector<TypeId> again = pending;
    bool repeats = true;
    for (std::size_t i = 0; i < again.size(); ++i) {
      const ValueId v = m.result(n, i);
      const TypeId settled = m[v].type;
      repeats = repeats && merge(v, again[i]).empty();
      m[v].type = settled;
    }
    if (repeats)
      return;
  }
  out.contradictions.insert(out.contradictions.end(), std::make_move_iterator(found.begin()),
                            std::make_move_iterator(found.end()));
}

TypeId InferState::join(TypeId aId, TypeId bId, InferContext *freshDims, bool unite) {
  if (aId == bId)
    return aId;
  if (!aId || !bId)
    return TypeId();
  const Type &a = m.types[aId];
  const Type &b = m.types[bId];
  if (a.kind != b.kind)
    return TypeId();
  Type joined;
  joined.kind = a.kind;
  if (a.kind == ValueKind::Sequence || a.kind == ValueKind::Optional) {
    joined.item = join(a.item, b.item, nullptr, unite);
    return m.types.intern(joined);
  }
  if (!a.isTensor())
    return m.types.intern(joined);
  if (unite || !a.possible().disjoint(b.possible()))
    joined.restrict(a.possible() | b.possible());
  if (a.names.element == b.names.element)
    joined.names.element = a.names.element;
  if (a.names.shape == b.names.shape)
    joined.names.shape = a.names.shape;
  if (a.names.device == b.names.device)
    joined.names.device = a.names.device;
  if (a.names.memory == b.names.memory)
    joined.names.memory = a.names.memory;
  if (a.layout == b.layout)
    joined.layout = a.layout;
  if (a.device == b.device && a.deviceIndex == b.deviceIndex)
    joined.device = a.device, joined.deviceIndex = a.deviceIndex;
  if (a.conjugate == b.conjugate)
    joined.conjugate = a.conjugate;
  if (a.quantized == b.quantized)
    joined.quantized = a.quantized;
  std::vector<Dim> dims;
  if (a.hasRank && b.hasRank && a.dims.size() == b.dims.size()) {
    joined.hasRank = true;
    for (std::size_t i = 0; i < a.dims.size(); ++i) {
      if (a.dims[i] == b.dims[i] && a.dims[i].known())
        dims.push_back(a.dims[i]);
      else
        dims.push_back(freshDims ? freshDims->dataDependent("size") : Dim{});
    }
    joined.dims = dims;
  }
  if (a.hasStrides && b.hasStrides && std::ranges::equal(a.strides, b.strides)) {
    joined.hasStrides = true;
    joined.strides = a.strides;
  }
  if (a.storageOffset == b.storageOffset)
    joined.storageOffset = a.storageOffset;
  return m.types.intern(joined);
}

void InferState::passParameter(GraphId g, std::size_t i, TypeId type, ContentId content) {
  const Range parameters = m[g].parameters;
  if (i >= parameters.count)
    return;
  Value &v = m[ValueId(parameters.first + static_cast<std::uint32_t>(i))];
  v.content = asChecker ? ContentId() : content;
  if (!v.recorded) {
    v.type = type;
    return;
  }
  // What a branch in source checks of its parameter holds besides what is passed.
  if (m.info.format == Format::Cxx) {
    merge(ValueId(parameters.first + static_cast<std::uint32_t>(i)), type);
    return;
  }
  // What the file declares of a parameter is kept where it says more.
  const Type &recorded = m.types[v.recorded];
  const Type &given = m.types[type];
  if (m.info.dialect == Dialect::Onnx && recorded.kind == given.kind && recorded.isTensor() &&
      (recorded.element == given.element || recorded.element == DType::Unknown) && given.hasRank &&
      (!recorded.hasRank || recorded.dims.size() == given.dims.size()))
    v.type = type;
  else
    v.type = v.recorded;
}

} // namespace condlint
