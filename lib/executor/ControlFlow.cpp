//===- ControlFlow.cpp - Conditionals and loops, run ----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Copies.h"
#include "GraphRecorder.h"
#include "Interpreter.h"
#include "Slices.h"
#include "ops/kernels/TensorOps.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {

namespace {

using Values = Interpreter::Values;

/// The truth of a predicate; nothing when it has not one element.
std::optional<bool> truthOf(const RuntimeValue &v) {
  switch (v.kind) {
  case ValueKind::SymBool:
  case ValueKind::SymInt:
    return v.number != 0;
  case ValueKind::SymFloat:
    return v.real != 0;
  case ValueKind::Tensor:
    if (v.tensor.numel() != 1 || v.tensor.dtype() == DType::String)
      return std::nullopt;
    return loadElement<ComplexDouble>(v.tensor.dtype(), v.tensor.bytes(), 0) != ComplexDouble(0);
  default:
    return std::nullopt;
  }
}

/// How many rounds a loop over \p list takes: the common size of an axis.
std::int64_t lengthOf(const ExecContext &c, std::span<const RuntimeValue> list, const Sizes &axes) {
  std::optional<std::int64_t> length;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i].isTensor() || list[i].tensor.rank() == 0)
      c.fail("a loop runs over something that has no axis");
    const std::int64_t size = list[i].tensor.size(axisOf(c, axes[i], list[i].tensor.rank()));
    if (length && *length != size)
      c.fail(fmt::format("a loop runs over axes of {} and {} elements", *length, size));
    length = size;
  }
  return length.value_or(0);
}

/// What a loop without a trip yields of what it was given: values of their own, as after any trip. A runtime copies
/// them, and torch takes them for new wherever it asks what shares memory.
Values untouched(const ExecContext &c, const Values &carried) {
  std::vector<std::pair<Storage *, Tensor>> copies;
  Values own;
  for (const RuntimeValue &v : carried)
    own.push_back(deepCopy(c, v, copies));
  return own;
}

} // namespace

// --- arguments and results ------------------------------------------------------

Values Interpreter::operandsOf(NodeId n) const {
  Values list;
  for (ValueId v : m.operands(n))
    list.push_back(v ? values[v.index()] : RuntimeValue());
  return list;
}

Values Interpreter::listArgument(NodeId n, std::size_t which) const {
  const auto operands = m.operands(n);
  Values list;
  for (const Attribute &a : m.attributes(n)) {
    const bool isList = a.kind == AttributeKind::Operands || a.kind == AttributeKind::Ints;
    if (!isList || which-- != 0)
      continue;
    if (a.kind == AttributeKind::Ints)
      for (std::int64_t v : m.ints(a.list))
        list.push_back(RuntimeValue::ofInt(v));
    else
      for (std::uint32_t i = 0; i < a.list.count; ++i)
        if (const ValueId v = operands[a.list.first + i])
          list.push_back(values[v.index()]);
    break;
  }
  return list;
}

GraphId Interpreter::regionAt(NodeId n, std::size_t i) const {
  const auto regions = m.regions(n);
  return i < regions.size() ? regions[i] : GraphId();
}

bool Interpreter::setResults(NodeId n, Values results) {
  const std::size_t count = m.resultCount(n);
  if (results.size() < count)
    return failed(n, fmt::format("{} results come of what runs inside, the node has {}", results.size(), count));
  for (std::size_t i = 0; i < count; ++i)
    values[m.result(n, i).index()] = std::move(results[i]);
  return true;
}

// --- operators that own graphs ----------------------------------------------------

bool Interpreter::runControl(NodeId n) {
  const Operator &op = m[m[n].op];
  const std::string_view name = m.text(op.name);
  bool ok = false;
  const auto run = [&] {
    if (m[n].callee) {
      auto results = runRegion(m[n].callee, operandsOf(n));
      ok = results ? setResults(n, std::move(*results)) : failed(n, "the function did not run to its end");
    } else if (nodeHas(m, n, OpTrait::Conditional)) {
      ok = runConditional(n);
    } else if (op.dialect == Dialect::Onnx) {
      ok = name == "Loop"          ? runOnnxLoop(n)
           : name == "Scan"        ? runOnnxScan(n)
           : name == "SequenceMap" ? runSequenceMap(n)
                                   : failed(n, fmt::format("condlint cannot execute the operator {}", name), true);
    } else if (name == "while_loop") {
      ok = runWhile(n);
    } else if (name == "map_impl" || name == "map") {
      ok = runMap(n);
    } else if (name == "scan") {
      ok = runTorchScan(n);
    } else if (name == "associative_scan") {
      ok = runAssociativeScan(n);
    } else if (nodeHas(m, n, OpTrait::HigherOrder)) {
      ok = runOnce(n);
    } else {
      ok = failed(n, fmt::format("condlint cannot execute the operator {}", m.operatorName(m[n].op)), true);
    }
  };
  if (auto problem = guarded(run))
    return failed(n, fmt::format("{}: {}", m.operatorName(m[n].op), *problem));
  return ok;
}

/// The conditional at \p n; looked up once.
const Conditional &Interpreter::conditionalOf(NodeId n) {
  auto [at, isNew] = conditionalTable.try_emplace(n);
  if (isNew) {
    at->second = conditionalAt(m, n);
    // (index, branches, operands)
    if (m.text(m[m[n].op].name) == "switch") {
      at->second.branches.clear();
      for (GraphId g : m.regions(n))
        at->second.branches.push_back({g ? std::string(m.text(m[g].role)) : std::string(), g, {}, {}});
      at->second.operands.clear();
      for (ValueId v : regionOperands(m, n))
        at->second.operands.push_back({v, {}});
    }
  }
  return at->second;
}

/// Which branch the predicate or the index selects.
Interpreter::Choice Interpreter::choiceOf(NodeId n, const Conditional &c) const {
  Choice choice;
  if (const auto branch = options.chooses ? options.chooses(n) : std::nullopt) {
    choice.branch = *branch;
  } else if (m.text(m[m[n].op].name) == "switch") {
    const auto operands = m.operands(n);
    const RuntimeValue &index = operands.empty() || !operands[0] ? RuntimeValue() : values[operands[0].index()];
    if (c.branches.empty() || (!index.isScalar() && !(index.isTensor() && index.tensor.numel() == 1))) {
      choice.problem = "the index of the switch is no number";
      return choice;
    }
    const std::int64_t i =
        index.isTensor() ? loadElement<std::int64_t>(index.tensor.dtype(), index.tensor.bytes(), 0) : index.number;
    choice.branch = static_cast<std::size_t>(std::clamp<std::int64_t>(i, 0, std::ssize(c.branches) - 1));
  } else if (c.predicateKind == PredicateKind::Literal) {
    choice.branch = c.literal ? 0 : 1;
  } else if (c.predicateKind == PredicateKind::Value) {
    const RuntimeValue &p = values[c.predicate.index()];
    const auto truth = truthOf(p);
    if (!truth)
      choice.problem = p.isTensor()
                           ? fmt::format("the predicate has the shape {}, not one element", shapeText(p.tensor.sizes()))
                           : std::string("the predicate is no tensor and no number");
    // The branches can be compared also where nothing says which of them is to run.
    choice.isAnyone = !truth && validate;
    choice.branch = truth.value_or(true) ? 0 : 1;
  } else {
    choice.problem = c.predicateKind == PredicateKind::Missing
                         ? "the conditional has no predicate"
                         : "the predicate is " + spellMisplaced(m, c.predicateInstead);
  }
  return choice;
}

/// Whether only the device knows the predicate of \p c: it has one element, which a recorded graph computes.
bool Interpreter::isDecidedLater(const Conditional &c) const {
  if (!recording || options.chooses || c.predicateKind != PredicateKind::Value || c.branches.size() != 2)
    return false;
  const RuntimeValue &p = values[c.predicate.index()];
  return p.isTensor() && p.tensor.numel() == 1 && p.tensor.storage().isRecorded();
}

bool Interpreter::runConditional(NodeId n) {
  const Conditional &c = conditionalOf(n);
  const bool decidedLater = isDecidedLater(c);
  Choice choice;
  if (!decidedLater)
    choice = choiceOf(n, c);
  const bool both = validate && timesValidated(n) < mostValidations;
  if (!choice.problem.empty() && !(choice.isAnyone && both))
    return failed(n, choice.problem);
  Values operands;
  for (const ConditionalOperand &o : c.operands)
    operands.push_back(o.value ? values[o.value.index()] : RuntimeValue());
  for (std::size_t b = 0; b < c.branches.size(); ++b) {
    if (b != choice.branch && !decidedLater)
      continue;
    const GraphId g = c.branches[b].graph;
    if (!g)
      return failed(n, "the branch that the predicate selects is not there");
    if (m.info.dialect == Dialect::Torch && m[g].parameters.count != operands.size())
      return failed(n, fmt::format("the branch '{}' takes {} operands, {} are given", m.text(m[g].role),
                                   m[g].parameters.count, operands.size()));
  }
  if (decidedLater)
    return recordConditional(n, c, operands);
  if (choice.branch >= c.branches.size())
    return failed(n, "the branch that the predicate selects is not there");
  if (both) {
    const bool ran = runAllBranches(n, c, choice.branch, operands);
    if (choice.problem.empty())
      return ran;
    // How many elements it has is a rule's to say; the run goes on as if it were true.
    const RuntimeValue &p = values[c.predicate.index()];
    if (!p.isTensor() || p.tensor.numel() == 1)
      return failed(n, choice.problem);
    observe(Observation::Kind::PredicateNotScalar, n, NodeId(), choice.problem);
    return ran;
  }
  const GraphId taken = c.branches[choice.branch].graph;
  auto results = runRegion(taken, operands);
  if (!results)
    return failed(n, fmt::format("the branch '{}' did not run to its end", m.text(m[taken].role)));
  return setResults(n, std::move(*results));
}

bool Interpreter::runOnnxLoop(NodeId n) {
  const ExecContext c = contextOf(n);
  const GraphId body = regionAt(n, 0);
  if (!body)
    return failed(n, "the loop has no body");
  const Values given = operandsOf(n);
  std::int64_t trips = INT64_MAX;
  if (!given.empty() && given[0].present())
    trips = scalarOfTensor(c, given[0].tensor).toInt();
  bool go = true;
  if (given.size() > 1 && given[1].present())
    go = truthOf(given[1]).value_or(false);
  Values carried(given.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(given.size(), 2)), given.end());
  const std::size_t outputs = m.results(body).size();
  if (outputs < carried.size() + 1)
    return failed(n, fmt::format("the loop carries {} values, its body yields {} results", carried.size(), outputs));
  std::vector<Stack> stacks(outputs - 1 - carried.size());
  const Range parameters = m[body].parameters;
  // Old models declare the counter as a tensor of one element.
  const auto counterShape = [&](std::size_t i) {
    const Type &t = i < parameters.count
                        ? m.types[m[ValueId(parameters.first + static_cast<std::uint32_t>(i))].recorded]
                        : m.types[TypeId()];
    return t.hasRank && t.dims.size() == 1 ? Sizes{1} : Sizes{};
  };
  const Sizes iterationShape = counterShape(0), conditionShape = counterShape(1);
  if (trips <= 0 || !go)
    carried = untouched(c, carried);
  for (std::int64_t i = 0; i < trips && go; ++i) {
    Values arguments;
    {
      const Suspended atOnce(recording ? &recording->recorder : nullptr);
      arguments = {filled(c, DType::Int64, iterationShape, Scalar::of(i)),
                   filled(c, DType::Bool, conditionShape, Scalar::of(go))};
    }
    arguments.insert(arguments.end(), carried.begin(), carried.end());
    auto results = runRegion(body, arguments);
    if (!results)
      return failed(n, "the loop's body did not run to its end");
    const auto truth = truthOf((*results)[0]);
    if (!truth)
      return failed(n, "the loop's condition has not one element");
    go = *truth;
    for (std::size_t k = 0; k < carried.size(); ++k)
      carried[k] = std::move((*results)[k + 1]);
    for (std::size_t k = 0; k < stacks.size(); ++k)
      stacks[k].add(c, (*results)[1 + carried.size() + k]);
  }
  Values out = std::move(carried);
  const std::size_t carriedCount = out.size();
  for (std::size_t k = 0; k < stacks.size(); ++k) {
    const ValueId v = m.results(body)[1 + carriedCount + k];
    out.emplace_back(stacks[k].stacked(c, 0, m, v ? &m.type(v) : nullptr));
  }
  return setResults(n, std::move(out));
}

bool Interpreter::runOnnxScan(NodeId n) {
  const ExecContext c = contextOf(n);
  const GraphId body = regionAt(n, 0);
  const std::int64_t scanned = c.integer("num_scan_inputs", 0);
  const bool batched = c.version() == 8;
  Values given = operandsOf(n);
  if (batched && !given.empty()) {
    if (given[0].present())
      return failed(n, "condlint does not execute Scan with lengths of sequences");
    given.erase(given.begin());
  }
  if (!body || scanned <= 0 || static_cast<std::size_t>(scanned) > given.size())
    return failed(n, "the Scan has no body or nothing to scan");
  const std::size_t states = given.size() - static_cast<std::size_t>(scanned);
  const std::size_t outputs = m.results(body).size();
  if (outputs < states)
    return failed(n, fmt::format("the Scan carries {} values, its body yields {} results", states, outputs));
  const auto orZeros = [&](std::string_view name, std::size_t count) {
    Sizes list = c.integers(name).value_or(Sizes());
    list.resize(count, 0);
    return list;
  };
  const Sizes axes = orZeros("scan_input_axes", static_cast<std::size_t>(scanned));
  const Sizes directions = orZeros(batched ? "directions" : "scan_input_directions", static_cast<std::size_t>(scanned));
  const Sizes outAxes = orZeros("scan_output_axes", outputs - states);
  const Sizes outDirections = orZeros("scan_output_directions", outputs - states);

  const auto runOnce = [&](const Values &inputs) -> std::optional<Values> {
    Values carried(inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(states));
    const std::span<const RuntimeValue> lists = std::span(inputs).subspan(states);
    const std::int64_t length = lengthOf(c, lists, axes);
    std::vector<Stack> stacks(outputs - states);
    if (length == 0)
      carried = untouched(c, carried);
    for (std::int64_t i = 0; i < length; ++i) {
      Values arguments = carried;
      for (std::size_t k = 0; k < lists.size(); ++k)
        arguments.emplace_back(slice(c, lists[k], axes[k], directions[k] != 0 ? length - 1 - i : i));
      auto results = runRegion(body, arguments);
      if (!results)
        return std::nullopt;
      for (std::size_t k = 0; k < states; ++k)
        carried[k] = std::move((*results)[k]);
      for (std::size_t k = 0; k < stacks.size(); ++k)
        stacks[k].add(c, (*results)[states + k]);
    }
    Values out = std::move(carried);
    for (std::size_t k = 0; k < stacks.size(); ++k) {
      if (outDirections[k] != 0)
        stacks[k].reverse();
      const ValueId v = m.results(body)[states + k];
      out.emplace_back(stacks[k].stacked(c, outAxes[k], m, v ? &m.type(v) : nullptr));
    }
    return out;
  };
  if (!batched) {
    auto out = runOnce(given);
    return out ? setResults(n, std::move(*out)) : failed(n, "the Scan's body did not run to its end");
  }
  // Scan-8: every operand has a batch in front.
  const std::int64_t batch = lengthOf(c, given, Sizes(given.size(), 0));
  std::vector<Stack> stacks(outputs);
  for (std::int64_t b = 0; b < batch; ++b) {
    Values inputs;
    for (const RuntimeValue &v : given)
      inputs.emplace_back(slice(c, v, 0, b));
    auto out = runOnce(inputs);
    if (!out)
      return failed(n, "the Scan's body did not run to its end");
    for (std::size_t k = 0; k < outputs; ++k)
      stacks[k].add(c, (*out)[k]);
  }
  Values results;
  for (const Stack &s : stacks)
    results.emplace_back(s.stacked(c, 0, m, nullptr));
  return setResults(n, std::move(results));
}

bool Interpreter::runSequenceMap(NodeId n) {
  const GraphId body = regionAt(n, 0);
  const Values given = operandsOf(n);
  if (!body || given.empty() || given[0].kind != ValueKind::Sequence)
    return failed(n, "SequenceMap has no body or no sequence");
  const std::size_t length = given[0].list().size();
  std::vector<Values> lists(m.results(body).size());
  for (std::size_t i = 0; i < length; ++i) {
    Values arguments;
    for (const RuntimeValue &v : given) {
      if (v.kind == ValueKind::Sequence && v.list().size() != length)
        return failed(n, fmt::format("sequences of {} and {} items", length, v.list().size()));
      arguments.push_back(v.kind == ValueKind::Sequence ? v.list()[i] : v);
    }
    auto results = runRegion(body, arguments);
    if (!results)
      return failed(n, "the body did not run to its end");
    for (std::size_t k = 0; k < lists.size(); ++k)
      lists[k].push_back(std::move((*results)[k]));
  }
  Values out;
  for (Values &l : lists)
    out.push_back(RuntimeValue::sequence(std::move(l)));
  return setResults(n, std::move(out));
}

// --- torch ----------------------------------------------------------------------

bool Interpreter::runWhile(NodeId n) {
  const GraphId condition = regionAt(n, 0), body = regionAt(n, 1);
  if (!condition || !body)
    return failed(n, "the loop has no condition or no body");
  Values carried = listArgument(n, 0);
  const Values further = listArgument(n, 1);
  for (bool isFirst = true;; isFirst = false) {
    Values arguments = carried;
    arguments.insert(arguments.end(), further.begin(), further.end());
    auto test = runRegion(condition, arguments);
    const auto go = test && !test->empty() ? truthOf((*test)[0]) : std::nullopt;
    if (!go)
      return failed(n, "the loop's condition did not yield one truth");
    if (!*go && isFirst)
      carried = untouched(contextOf(n), carried);
    if (!*go)
      break;
    auto results = runRegion(body, arguments);
    if (!results)
      return failed(n, "the loop's body did not run to its end");
    if (results->size() != carried.size())
      return failed(n, fmt::format("the loop carries {} values, its body yields {}", carried.size(), results->size()));
    carried = std::move(*results);
  }
  return setResults(n, std::move(carried));
}

bool Interpreter::runMap(NodeId n) {
  const ExecContext c = contextOf(n);
  const GraphId body = regionAt(n, 0);
  const Values lists = listArgument(n, 0), further = listArgument(n, 1);
  if (!body || lists.empty())
    return failed(n, "the map has no body or nothing to map");
  const std::int64_t length = lengthOf(c, lists, Sizes(lists.size(), 0));
  std::vector<Stack> stacks(m.results(body).size());
  for (std::int64_t i = 0; i < length; ++i) {
    Values arguments;
    for (const RuntimeValue &l : lists)
      arguments.emplace_back(slice(c, l, 0, i));
    arguments.insert(arguments.end(), further.begin(), further.end());
    auto results = runRegion(body, arguments);
    if (!results)
      return failed(n, "the map's body did not run to its end");
    for (std::size_t k = 0; k < stacks.size(); ++k)
      stacks[k].add(c, (*results)[k]);
  }
  Values out;
  for (std::size_t k = 0; k < stacks.size(); ++k) {
    const ValueId v = m.results(body)[k];
    out.emplace_back(stacks[k].stacked(c, 0, m, v ? &m.type(v) : nullptr));
  }
  return setResults(n, std::move(out));
}

/// scan(body, init, xs, further): carries, then what every round yields.
bool Interpreter::runTorchScan(NodeId n) {
  const ExecContext c = contextOf(n);
  const GraphId body = regionAt(n, 0);
  Values carried = listArgument(n, 0);
  const Values lists = listArgument(n, 1), further = listArgument(n, 2);
  if (!body)
    return failed(n, "the scan has no body");
  const std::size_t outputs = m.results(body).size();
  if (outputs < carried.size())
    return failed(n, fmt::format("the scan carries {} values, its body yields {}", carried.size(), outputs));
  const bool reverse = c.flag("reverse");
  const std::int64_t length = lengthOf(c, lists, Sizes(lists.size(), 0));
  std::vector<Stack> stacks(outputs - carried.size());
  if (length == 0)
    carried = untouched(c, carried);
  for (std::int64_t i = 0; i < length; ++i) {
    Values arguments = carried;
    for (const RuntimeValue &l : lists)
      arguments.emplace_back(slice(c, l, 0, reverse ? length - 1 - i : i));
    arguments.insert(arguments.end(), further.begin(), further.end());
    auto results = runRegion(body, arguments);
    if (!results)
      return failed(n, "the scan's body did not run to its end");
    for (std::size_t k = 0; k < carried.size(); ++k)
      carried[k] = std::move((*results)[k]);
    for (std::size_t k = 0; k < stacks.size(); ++k)
      stacks[k].add(c, (*results)[carried.size() + k]);
  }
  Values out = std::move(carried);
  const std::size_t states = out.size();
  for (std::size_t k = 0; k < stacks.size(); ++k) {
    if (reverse)
      stacks[k].reverse();
    const ValueId v = m.results(body)[states + k];
    out.emplace_back(stacks[k].stacked(c, 0, m, v ? &m.type(v) : nullptr));
  }
  return setResults(n, std::move(out));
}

/// associative_scan(combine, xs, further): running combinations along the first axis.
bool Interpreter::runAssociativeScan(NodeId n) {
  const ExecContext c = contextOf(n);
  const GraphId body = regionAt(n, 0);
  const Values lists = listArgument(n, 0), further = listArgument(n, 1);
  if (!body || m.results(body).size() != lists.size())
    return failed(n, "the scan has no body that combines what it runs over");
  const std::int64_t length = lengthOf(c, lists, Sizes(lists.size(), 0));
  std::vector<Stack> stacks(lists.size());
  Values last;
  for (std::int64_t i = 0; i < length; ++i) {
    Values now;
    for (const RuntimeValue &l : lists)
      now.emplace_back(slice(c, l, 0, i));
    if (i != 0) {
      Values arguments = last;
      arguments.insert(arguments.end(), now.begin(), now.end());
      arguments.insert(arguments.end(), further.begin(), further.end());
      auto results = runRegion(body, arguments);
      if (!results)
        return failed(n, "the scan's body did not run to its end");
      now = std::move(*results);
    }
    for (std::size_t k = 0; k < stacks.size(); ++k)
      stacks[k].add(c, now[k]);
    last = std::move(now);
  }
  Values out;
  for (std::size_t k = 0; k < stacks.size(); ++k)
    out.emplace_back(stacks[k].stacked(c, 0, m, nullptr));
  return setResults(n, std::move(out));
}

/// A wrapper that runs its one region on its operands.
bool Interpreter::runOnce(NodeId n) {
  const std::string_view name = m.text(m[m[n].op].name);
  const GraphId body = regionAt(n, 0);
  if (!body)
    return failed(n, "what the wrapper runs is not there");
  if (name == "wrap_with_autocast") {
    // (device, dtype, enabled, cache, body, …): casts that the graph does not show.
    bool enabled = true;
    for (const Attribute &a : m.attributes(n))
      if (a.kind == AttributeKind::Bool) {
        enabled = a.number != 0;
        break;
      }
    if (enabled)
      return failed(n, "condlint does not execute under autocast", true);
  }
  Values arguments;
  for (ValueId v : regionOperands(m, n))
    arguments.push_back(v ? values[v.index()] : RuntimeValue());
  auto results = runRegion(body, arguments);
  if (!results)
    return failed(n, "what the wrapper runs did not run to its end");
  return setResults(n, std::move(*results));
}

} // namespace condlint
