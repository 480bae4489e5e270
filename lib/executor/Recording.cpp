//===- Recording.cpp - A run as one graph of the device -------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The sizes of a run are known, so it is recorded by running it: nodes that depend on the
// weights alone are computed at once, what depends on the inputs is recorded, and of a
// conditional that depends on them both branches. Each writes its results to one place.
// What cannot be recorded ends the recording with the reason.
#include "ExecutorImpl.h"
#include "GraphRecorder.h"
#include "ops/kernels/TensorOps.h"
#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace condlint {

namespace {

using Values = Interpreter::Values;

/// A loop that is recorded is as long as it runs.
constexpr std::size_t mostNodes = 200'000;

bool isRecorded(const RuntimeValue &v) {
  return (v.isTensor() && v.tensor.storage().isRecorded()) || std::ranges::any_of(v.list(), isRecorded);
}

/// The elements of its storage that \p t reaches, from the storage's beginning.
std::int64_t reachOf(const Tensor &t) {
  std::int64_t reach = t.offset() + 1;
  for (std::size_t i = 0; i < t.rank(); ++i)
    reach += (t.size(i) - 1) * t.stride(i);
  return t.numel() == 0 ? 0 : reach;
}

/// Why \p a and \p b, the same result of two branches, cannot lie in one place; nothing when they can.
std::optional<std::string> differenceOf(const RuntimeValue &a, const RuntimeValue &b) {
  const bool numbers = a.isScalar() && a.kind == b.kind && a.number == b.number && a.real == b.real;
  const bool nothing = !a.present() && a.kind == b.kind;
  const bool tensors = a.isTensor() && b.isTensor() && a.tensor.dtype() == b.tensor.dtype() &&
                       std::ranges::equal(a.tensor.sizes(), b.tensor.sizes()) &&
                       std::ranges::equal(a.tensor.strides(), b.tensor.strides()) &&
                       a.tensor.offset() == b.tensor.offset();
  if (numbers || nothing || tensors)
    return std::nullopt;
  return fmt::format("the branches yield {} and {}", valueText(a), valueText(b));
}

} // namespace

/// Nothing that \p n reads depends on the inputs, and it writes to nothing.
bool Interpreter::isKnown(NodeId n) const {
  return std::ranges::none_of(m.operands(n), [&](ValueId v) { return v && isRecorded(values[v.index()]); });
}

std::optional<std::string> Interpreter::recordNode(ExecContext &c) {
  if (++recording->nodes > mostNodes)
    return fmt::format("more than {} nodes are to be recorded", mostNodes);
  const bool known = !c.isInPlace() && isKnown(c.node());
  if (!known)
    return executeNode(c);
  const Suspended atOnce(&recording->recorder);
  // Only what the graph computes may lie where a branch's results are wanted.
  auto places = std::exchange(runtime.places, {});
  auto problem = executeNode(c);
  runtime.places = std::move(places);
  return problem;
}

/// Where both branches put result \p i of \p results, of the first branch: where it lies
/// already, if that is memory of the branch's own.
RuntimeValue Interpreter::placeFor(NodeId n, const Values &results, std::size_t i) {
  if (!results[i].isTensor())
    return results[i];
  const Tensor &t = results[i].tensor;
  const std::size_t bytes = static_cast<std::size_t>(reachOf(t)) * t.itemBytes();
  const auto shares = [&](const RuntimeValue &o) { return o.isTensor() && o.tensor.sharesStorage(t); };
  if (bytes == t.storage().size() && recording->recorder.computes(t) &&
      std::none_of(results.begin(), results.begin() + std::ptrdiff_t(i), shares))
    return t;
  const Tensor place = runtime.takePlace(n, bytes); // a result of the branch around this one
  Storage *s = place ? &place.storage() : device().allocate(bytes);
  if (!s)
    throw KernelFailure{"there is not enough memory for the results of the branches"};
  return Tensor(s, t.dtype(), t.sizes(), t.strides(), t.offset());
}

/// Lets the nodes that compute the results of \p branch do that where they are wanted. A node
/// of several results might take them in another order.
void Interpreter::wantResultsAt(GraphId branch, const Values &places) {
  const auto results = m.results(branch);
  for (std::size_t i = 0; i < places.size() && i < results.size(); ++i)
    if (const ValueId v = results[i]; v && places[i].isTensor() && m[v].origin == ValueOrigin::Result &&
                                      m[m[v].def].graph == branch && m[m[v].def].results.count == 1)
      runtime.places.push_back({m[v].def, places[i].tensor});
}

/// The results of \p branch; nothing: it cannot be recorded.
std::optional<Values> Interpreter::recordBranch(NodeId n, GraphId branch, const Values &operands) {
  auto results = runRegion(branch, operands);
  if (!results) {
    failed(n, fmt::format("the branch '{}' did not run to its end", m.text(m[branch].role)));
    return std::nullopt;
  }
  for (std::size_t i = 0; i < results->size(); ++i) {
    RuntimeValue &v = (*results)[i];
    // ONNX's values have no strides.
    if (m.info.dialect == Dialect::Onnx && v.isTensor() && (!v.tensor.isContiguous() || v.tensor.offset() != 0))
      v.tensor = copied(contextOf(n), v.tensor);
    const auto shares = [&](const RuntimeValue &o) { return o.isTensor() && o.tensor.sharesStorage(v.tensor); };
    std::string problem;
    if (v.present() && !v.isTensor() && !v.isScalar())
      problem = fmt::format("a branch yields a {}", kindName(v.kind));
    else if (v.isTensor() && v.tensor.dtype() == DType::String)
      problem = "a branch yields strings";
    // With torch somebody may write to it, and so to both.
    else if (v.isTensor() && m.info.dialect == Dialect::Torch &&
             (std::ranges::any_of(operands, shares) ||
              std::any_of(results->begin(), results->begin() + std::ptrdiff_t(i), shares)))
      problem = "a branch yields what shares its storage with an operand or with another result";
    if (!problem.empty()) {
      failed(n, problem);
      return std::nullopt;
    }
  }
  return results;
}

bool Interpreter::recordConditional(NodeId n, const Conditional &c, const Values &operands) {
  GraphRecorder &recorder = recording->recorder;
  const std::uint64_t draws = runtime.draws;
  std::uint64_t drawn[2] = {};
  Values places;
  const auto adoptPlaces = [&] {
    for (const RuntimeValue &v : places)
      if (v.isTensor())
        recorder.adopt(v.tensor);
  };
  recorder.addConditional(values[c.predicate.index()].tensor);
  for (std::size_t b = 0; b < 2; ++b) {
    runtime.draws = draws;
    recorder.beginBranch();
    if (b != 0) {
      adoptPlaces();
      wantResultsAt(c.branches[b].graph, places);
    }
    const auto results = recordBranch(n, c.branches[b].graph, operands);
    if (!results)
      return false;
    std::erase_if(runtime.places, [&](const ResultPlace &r) { return m[r.node].graph == c.branches[b].graph; });
    drawn[b] = runtime.draws;
    if (b != 0 && results->size() != places.size())
      return failed(n, fmt::format("the branches yield {} and {} results", places.size(), results->size()));
    for (std::size_t i = 0; i < results->size(); ++i) {
      const RuntimeValue &v = (*results)[i];
      if (b == 0)
        places.push_back(placeFor(n, *results, i));
      else if (const auto difference = differenceOf(places[i], v))
        return failed(n, *difference);
      if (!v.isTensor() || v.tensor.sharesStorage(places[i].tensor))
        continue;
      Storage &place = places[i].tensor.storage();
      device().copy(place.deviceBytesToWrite(), v.tensor.storage().deviceBytes(), place.size());
    }
    recorder.endBranch();
  }
  recorder.endConditional();
  if (drawn[0] != drawn[1])
    return failed(n, "the branches draw random numbers differently often");
  adoptPlaces();
  ++recording->conditionals;
  return setResults(n, std::move(places));
}

// --- the run as a whole --------------------------------------------------------------

/// Why a run with \p arguments is not to be recorded; nothing when it can be tried.
std::optional<std::string> ExecutorImpl::obstacleTo(std::span<const RuntimeValue> arguments) const {
  if (!device.recorder())
    return fmt::format("the device '{}' records no graphs", device.name());
  std::vector<const Storage *> known;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const RuntimeValue &v = arguments[i];
    if (v.present() && !v.isScalar() && !v.isTensor())
      return fmt::format("an input is a {}", kindName(v.kind));
    if (!isGiven(i, v))
      continue;
    if (v.tensor.dtype() == DType::String)
      return "an input holds strings";
    if (std::ranges::find(known, &v.tensor.storage()) != known.end())
      return "two inputs share a storage";
    known.push_back(&v.tensor.storage());
  }
  return std::nullopt;
}

/// Whether the main graph's parameter \p i, which is \p v, is a tensor of the caller's and no weight.
bool ExecutorImpl::isGiven(std::size_t i, const RuntimeValue &v) const {
  if (!v.isTensor())
    return false;
  const ConstantId c = m[ValueId(m[m.main()].parameters.first + static_cast<std::uint32_t>(i))].constant;
  return !c || !v.tensor.sharesStorage(interpreter.constant(c));
}

/// Memory for the graph to find what is given in.
void ExecutorImpl::makePlacesFor(std::vector<RuntimeValue> &arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!isGiven(i, arguments[i]))
      continue;
    const Tensor &t = arguments[i].tensor;
    Storage *s = device.allocate(t.storage().size());
    if (!s)
      throw KernelFailure{"there is not enough memory for the inputs"};
    arguments[i].tensor = Tensor(s, t.dtype(), t.sizes(), t.strides(), t.offset());
    s->deviceBytesToWrite(); // from now on it is what the graph computes
  }
}

/// Whether what was recorded is a run with arguments like \p arguments.
bool ExecutorImpl::Recorded::fits(std::span<const RuntimeValue> given) const {
  return std::ranges::equal(arguments, given, [](const RuntimeValue &a, const RuntimeValue &b) {
    const bool sameBytes = !a.isTensor() || !b.isTensor() || a.tensor.storage().size() == b.tensor.storage().size();
    return !differenceOf(a, b) && sameBytes;
  });
}

/// Records a run. Nothing: it cannot be recorded, and `notOneGraph` says why.
std::unique_ptr<ExecutorImpl::Recorded> ExecutorImpl::record(std::span<const RuntimeValue> arguments) {
  if (auto obstacle = obstacleTo(arguments)) {
    notOneGraph = std::move(*obstacle);
    return nullptr;
  }
  const GraphId main = m.main();
  GraphRecorder &recorder = *device.recorder();
  Interpreter::Recording recording{recorder, 0, 0, {}};
  auto made = std::make_unique<Recorded>();
  const std::size_t before = interpreter.problems.size();
  const ExecutionStatistics counted = interpreter.statistics();
  auto broken = guarded([&] {
    recorder.beginGraph();
    interpreter.recording = &recording;
    made->arguments.assign(arguments.begin(), arguments.end());
    makePlacesFor(made->arguments);
    auto results = interpreter.runRegion(main, made->arguments);
    if (!results) {
      const Error *e = interpreter.problems.size() > before ? &interpreter.problems[before].error : nullptr;
      throw KernelFailure{e ? fmt::format("{}: {}", e->place, e->message) : "it did not run to its end"};
    }
    if (recording.conditionals == 0 && !options.asGraphAlways)
      throw KernelFailure{"no conditional depends on what the device computes"};
    for (std::size_t i = 0; i < made->arguments.size(); ++i)
      if (isGiven(i, made->arguments[i]) && made->arguments[i].tensor.storage().version() != 0)
        throw KernelFailure{"it writes to an input"};
    made->results = std::move(*results);
    made->conditionals = recording.conditionals;
    made->graph = recorder.endGraph();
  });
  interpreter.stopRecording();
  notOneGraph = broken.value_or(std::string());
  if (!broken) {
    for (const TraceEntry &e : recording.trace)
      options.trace(e);
    return made;
  }
  interpreter.problems.resize(before);
  interpreter.setCounts(counted);
  *made = Recorded();
  recorder.cancelGraph();
  return nullptr;
}

/// A value of its own memory; tensors that share a storage go on sharing it.
RuntimeValue ExecutorImpl::copyOf(const RuntimeValue &v, std::map<const Storage *, Tensor> &copies) {
  if (!v.isTensor() || !v.tensor.storage().isRecorded())
    return v;
  const Tensor &t = v.tensor;
  Tensor &copy = copies[&t.storage()];
  if (!copy) {
    const std::int64_t bytes[] = {static_cast<std::int64_t>(t.storage().size())};
    Storage *s = device.allocate(t.storage().size());
    if (!s)
      throw KernelFailure{"there is not enough memory for the outputs"};
    copy = Tensor(s, DType::UInt8, bytes);
    s->assign(t.storage());
  }
  return Tensor(&copy.storage(), t.dtype(), t.sizes(), t.strides(), t.offset());
}

/// Launches what was recorded; the main graph's results, in memory of their own.
Expected<std::vector<RuntimeValue>> ExecutorImpl::launch(std::span<const RuntimeValue> arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (const RuntimeValue &v = recorded->arguments[i]; v.isTensor() && v.tensor.storage().isRecorded())
      v.tensor.storage().assign(arguments[i].tensor.storage());
  recorded->graph->launch();
  ++launches;
  std::map<const Storage *, Tensor> copies;
  std::vector<RuntimeValue> results;
  for (const RuntimeValue &v : recorded->results)
    results.push_back(copyOf(v, copies));
  device.finish();
  return results;
}

} // namespace condlint
