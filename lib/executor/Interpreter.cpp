//===- Interpreter.cpp - Graphs, scopes and control flow ------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Interpreter.h"
#include "ops/TorchNames.h"
#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace condlint {

namespace {

/// Graphs that run inside each other: regions nest to 256, functions call to 100.
constexpr unsigned maxDepth = 4000;

} // namespace

Tensor constantOf(void *state, ConstantId c) { return static_cast<Interpreter *>(state)->constants[c.index()]; }

Interpreter::Interpreter(const Model &model, Device &device, const ExecutorOptions &o)
    : m(model), options(o), values(model.valueCount()), constants(model.constantCount()),
      kernels(model.operatorCount()), kernelKnown(model.operatorCount()), plans(model.graphCount()),
      lastUse(model.valueCount()), active(model.graphCount()), incomplete(model.graphCount()),
      validate(o.bothBranches) {
  runtime.device = &device;
  runtime.strings = &pool;
  runtime.seed = o.seed;
  if (o.bothBranches)
    poisoned.resize(model.valueCount());
  // A conditional runs whatever is passed to it: the rules say what is wrong with that.
  for (const InvalidOperand &i : o.refused)
    if (!nodeHas(m, i.node, OpTrait::Conditional) && i.when.empty())
      refused.try_emplace(i.node, textOf(m, i));
  // What torch finds under no name it finds in no branch either.
  for (std::uint32_t i = 0; i < m.nodeCount() && o.bothBranches; ++i)
    if (const NodeId n(i); isRefused(faultOfName(m, m[n].op)))
      refused.insert_or_assign(n, unknownName(m, m[n].op));
  // Literals stand for themselves for good.
  for (std::uint32_t i = 0; i < m.valueCount(); ++i) {
    const Value &v = m[ValueId(i)];
    if (v.origin != ValueOrigin::Constant || v.constant)
      continue;
    const ValueKind kind = m.type(ValueId(i)).kind;
    std::optional<std::int64_t> number;
    if (v.content && m.content(v.content).size() == 1)
      number = m.dims.asConstant(m.content(v.content)[0]);
    if (kind == ValueKind::None)
      values[i] = RuntimeValue::none();
    else if (const auto real = m.real(ValueId(i)); real && kind == ValueKind::SymFloat)
      values[i] = RuntimeValue::ofFloat(*real);
    else if (kind == ValueKind::SymBool && number)
      values[i] = RuntimeValue::ofBool(*number != 0);
    else if (kind == ValueKind::SymInt && number)
      values[i] = RuntimeValue::ofInt(*number);
  }
}

Interpreter::~Interpreter() = default;

const KernelInfo &Interpreter::kernelOf(OperatorId op) {
  if (!kernelKnown[op.index()]) {
    kernels[op.index()] = kernelInfo(m, op);
    kernelKnown[op.index()] = true;
  }
  return kernels[op.index()];
}

std::optional<Interpreter::Values> Interpreter::runRegion(GraphId g, std::span<const RuntimeValue> arguments) {
  const Range parameters = m[g].parameters;
  if (active[g.index()] || depth >= maxDepth) {
    failed(m[g].owner, active[g.index()] ? "a graph that runs already would run inside of itself"
                                         : "graphs run more deeply inside each other than condlint executes");
    return std::nullopt;
  }
  for (std::uint32_t i = 0; i < parameters.count; ++i) {
    const ValueId v(parameters.first + i);
    // An initializer that is an input as well, as ONNX demanded before IR version 4, is what nobody passes.
    const ConstantId otherwise = m[v].constant;
    if (i < arguments.size())
      values[v.index()] = arguments[i];
    else
      values[v.index()] = otherwise && constants[otherwise.index()] ? constants[otherwise.index()] : RuntimeValue();
    if (!poisoned.empty())
      poisoned[v.index()] = false;
  }
  const Range own = m[g].constants;
  for (std::uint32_t i = 0; i < own.count; ++i)
    if (const ConstantId c = m[ValueId(own.first + i)].constant; c && constants[c.index()]) {
      // As ONNX Runtime does: a value around the branch that it reads by the same name takes the initializer's place.
      const ValueId outer = m.passedInstead(ValueId(own.first + i));
      values[own.first + i] = outer ? values[outer.index()] : RuntimeValue(constants[c.index()]);
    }
  active[g.index()] = true;
  incomplete[g.index()] = false;
  ++depth;
  const bool ok = runSteps(g);
  --depth;
  active[g.index()] = false;
  std::optional<Values> results;
  if (ok && !incomplete[g.index()])
    results = resultsOf(g);
  // Another graph that uses what is this one's own finds nothing.
  for (std::uint32_t i = 0; i < own.count; ++i)
    if (m[ValueId(own.first + i)].constant)
      values[own.first + i] = RuntimeValue();
  const Plan &plan = planOf(g);
  for (ValueId v : plan.atEnd)
    values[v.index()] = RuntimeValue();
  if (!ok)
    for (ValueId v : plan.releases)
      values[v.index()] = RuntimeValue();
  return results;
}

std::optional<Interpreter::Values> Interpreter::resultsOf(GraphId g) {
  Values results;
  for (ValueId v : m.results(g)) {
    if (v && !poisoned.empty() && poisoned[v.index()])
      return std::nullopt;
    // What a branch returns is its own initializer, whatever its nodes read in the place of that.
    const bool isOwn = v && m[v].constant && m.passedInstead(v);
    results.push_back(!v ? RuntimeValue() : isOwn ? RuntimeValue(constants[m[v].constant.index()]) : values[v.index()]);
    if (!v || results.back().kind != ValueKind::Unknown)
      continue;
    const ValueOrigin origin = m[v].origin;
    const ValueKind kind = m.type(v).kind;
    std::string problem;
    if (origin == ValueOrigin::Undefined)
      problem = fmt::format("returns '{}', which nothing defines", m.name(v));
    else if (origin == ValueOrigin::Result && kind == ValueKind::Tensor)
      problem = fmt::format("returns '{}', which was not computed", m.name(v));
    else if (origin == ValueOrigin::Constant && !m[v].constant && kind == ValueKind::SymFloat && !options.bothBranches)
      problem = "returns a literal float, of which the model keeps no number";
    if (!problem.empty()) {
      note(m[g].owner, m.path(g), std::move(problem), false);
      return std::nullopt;
    }
    // What kind of thing a literal is can be compared all the same.
    if (origin != ValueOrigin::Constant || m[v].constant)
      continue;
    if (kind == ValueKind::SymFloat)
      results.back() = RuntimeValue::ofFloat(std::numeric_limits<double>::quiet_NaN());
    else if (kind == ValueKind::String || kind == ValueKind::Object)
      results.back().kind = kind;
  }
  return results;
}

void Interpreter::startClock() {
  using Clock = std::chrono::steady_clock;
  constexpr double longest = 1e9; // seconds, that the clock can count
  deadline = Clock::time_point::max();
  saidLate = false;
  if (options.timeLimit > 0 && options.timeLimit < longest)
    deadline =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.timeLimit));
}

bool Interpreter::isLate(GraphId g) {
  if (deadline == std::chrono::steady_clock::time_point::max() || std::chrono::steady_clock::now() < deadline)
    return false;
  if (std::exchange(saidLate, true))
    return true;
  note(m[g].owner, m.path(g), fmt::format("the run takes longer than the {} s that it may take", options.timeLimit),
       false);
  return true;
}

bool Interpreter::runSteps(GraphId g) {
  const Plan &plan = planOf(g);
  return !isLate(g) && runRange(g, plan, 0, static_cast<std::uint32_t>(plan.steps.size()), true);
}

bool Interpreter::runRange(GraphId g, const Plan &plan, std::uint32_t from, std::uint32_t to, bool releases) {
  for (std::uint32_t at = from; at < to; ++at) {
    if (isLate(g))
      return false;
    if (!plan.batches.empty())
      if (const auto inner = plan.batches.find(at); inner != plan.batches.end()) {
        if (!runBatch(g, plan, at, inner->second, releases))
          return false;
        at = inner->second;
        continue;
      }
    const Step &s = plan.steps[at];
    if (!poisoned.empty())
      for (std::uint32_t i = 0; i < m[s.node].results.count; ++i)
        poisoned[m.result(s.node, i).index()] = false;
    if (!poisoned.empty() && isPoisoned(s.node)) {
      for (std::uint32_t i = 0; i < m[s.node].results.count; ++i)
        poisoned[m.result(s.node, i).index()] = true;
    } else if (!slicesRun.empty() && isOfBatch(s.node)) {
      if (!runOfBatch(s.node))
        return false;
    } else if (!runNode(s.node)) {
      return false;
    } else if (validate) {
      checkRecorded(s.node);
    }
    for (std::uint32_t i = 0; releases && i < s.releases; ++i)
      values[plan.releases[s.firstRelease + i].index()] = RuntimeValue();
  }
  return true;
}

bool Interpreter::isPoisoned(NodeId n) const {
  const auto bad = [&](ValueId v) { return v && poisoned[v.index()]; };
  return std::ranges::any_of(m.operands(n), bad);
}

void Interpreter::note(NodeId n, std::string place, std::string message, bool missing) {
  ExecutionProblem p;
  p.node = n;
  p.missingOperator = missing;
  p.error.file = m.info.path;
  p.error.place = std::move(place);
  p.error.message = std::move(message);
  const bool known = std::ranges::any_of(problems, [&](const ExecutionProblem &o) {
    return o.node == n && o.error.place == p.error.place && o.error.message == p.error.message;
  });
  if (!known)
    problems.push_back(std::move(p));
}

bool Interpreter::failed(NodeId n, std::string message, bool missing) {
  note(n, n ? m.path(n) : std::string(), std::move(message), missing);
  if (poisoned.empty() || !n)
    return false;
  incomplete[m[n].graph.index()] = true;
  for (std::uint32_t i = 0; i < m[n].results.count; ++i)
    poisoned[m.result(n, i).index()] = true;
  return true;
}

bool Interpreter::runNode(NodeId n) {
  if (!refused.empty())
    if (const auto why = refused.find(n); why != refused.end())
      return failed(n, why->second);
  ++nodesRun;
  const std::uint64_t accesses = device().traffic().hostAccesses;
  if (!options.trace) {
    const bool ok = executeOne(n);
    hostNodes += device().traffic().hostAccesses != accesses ? 1U : 0U;
    return ok;
  }
  const auto begin = std::chrono::steady_clock::now();
  const bool ok = executeOne(n);
  device().finish();
  const bool onHost = device().traffic().hostAccesses != accesses;
  hostNodes += onHost ? 1 : 0;
  if (ok)
    trace(n, std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count(), onHost);
  return ok;
}

ExecContext Interpreter::contextOf(NodeId n) {
  ExecContext c(m, n, kernelOf(m[n].op), runtime, values.data());
  c.constantSource = constantOf;
  c.constantState = this;
  return c;
}

bool Interpreter::executeOne(NodeId n) {
  const Node &node = m[n];
  if (!node.regions.empty() || node.callee)
    return runControl(n);
  const KernelInfo &info = kernelOf(node.op);
  if (!info.definition || !info.definition->execute)
    return failed(n, fmt::format("condlint cannot execute the operator {}", m.operatorName(node.op)), true);
  ExecContext c = contextOf(n);
  if (auto problem = recording ? recordNode(c) : executeNode(c)) [[unlikely]]
    return failed(n, fmt::format("{}: {}", m.operatorName(node.op), *problem));
  return true;
}

std::string valueText(const RuntimeValue &v) {
  const auto list = [](std::span<const std::int64_t> numbers) {
    std::string out = "[";
    for (std::size_t i = 0; i < numbers.size(); ++i)
      out += (i != 0 ? ", " : "") + std::to_string(numbers[i]);
    return out + ']';
  };
  switch (v.kind) {
  case ValueKind::Tensor: {
    std::string text = std::string(dtypeName(v.tensor.dtype())) + list(v.tensor.sizes());
    if (!v.tensor.isContiguous())
      text += " strides " + list(v.tensor.strides());
    if (v.tensor.offset() != 0)
      text += " offset " + std::to_string(v.tensor.offset());
    return text;
  }
  case ValueKind::SymInt:
    return "int " + std::to_string(v.number);
  case ValueKind::SymBool:
    return v.number != 0 ? "true" : "false";
  case ValueKind::SymFloat:
    return "float " + fmt::format("{}", v.real);
  case ValueKind::Sequence:
    return "sequence of " + std::to_string(v.list().size());
  case ValueKind::Unknown:
    return "nothing";
  default:
    return std::string(kindName(v.kind));
  }
}

void Interpreter::trace(NodeId n, double microseconds, bool onHost) {
  TraceEntry e;
  e.node = n;
  e.path = m.path(n);
  e.microseconds = microseconds;
  e.onHost = onHost;
  for (std::uint32_t i = 0; i < m[n].results.count; ++i)
    e.results.push_back(valueText(values[m.result(n, i).index()]));
  if (!recording)
    return options.trace(e);
  e.inGraph = true;
  recording->trace.push_back(std::move(e));
}

} // namespace condlint
