//===- ExecutorImpl.h - The executor of one model ---------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_EXECUTOR_EXECUTORIMPL_H
#define CONDLINT_LIB_EXECUTOR_EXECUTORIMPL_H

#include "Devices.h"
#include "GraphRecorder.h"
#include "Interpreter.h"
#include <algorithm>
#include <map>
#include <memory>

namespace condlint {

/// "float32[2, 3]".
std::string arrayText(const Array &a);

/// The executor of one model: its weights, what its inputs mean, and the interpreter that runs it.
class ExecutorImpl final : public Executor {
public:
  ExecutorImpl(const Model &model, ExecutorOptions o, std::unique_ptr<Device> on);

  std::optional<Error> prepare(OpenConstants &open);

  std::span<const Port> inputs() const override { return inputPorts; }
  std::span<const Port> outputs() const override { return outputPorts; }
  bool isOptional(std::size_t i) const override {
    const Value &v = m[inputPorts[i].value];
    return v.constant.valid() || v.role == ParameterRole::ScalarInput ||
           m.types[inputPorts[i].type].kind == ValueKind::Optional;
  }
  Expected<std::vector<RuntimeValue>> bind(std::span<const Array> arrays) override;
  Expected<std::vector<RuntimeValue>> draw(std::uint64_t seed, std::uint32_t draw, const Assignment &sizes) override;
  Expected<Array> toArray(const RuntimeValue &v) const override;
  Expected<std::vector<RuntimeValue>> run(std::span<const RuntimeValue> given) override;

  std::span<const Observation> observations() const override { return interpreter.observations; }
  std::vector<ObservedType> observed() const override {
    std::vector<ObservedType> all;
    for (const auto &[n, y] : interpreter.yielded)
      all.insert(all.end(), y.types.begin(), y.types.end());
    std::ranges::sort(all, {}, &ObservedType::value);
    return all;
  }
  void forget() override {
    interpreter.observations.clear();
    interpreter.yielded.clear();
  }
  const Assignment &symbols() const override { return interpreter.symbols; }
  std::span<const ConditionalRun> conditionals() const override { return interpreter.conditionalRuns; }
  std::span<const ExecutionProblem> problems() const override { return interpreter.problems; }
  ExecutionStatistics statistics() const override {
    ExecutionStatistics s = interpreter.statistics();
    s.graphLaunches = launches;
    s.deviceConditionals = recorded ? recorded->conditionals : 0;
    s.notOneGraph = notOneGraph;
    return s;
  }

private:
  /// A run that was recorded: its arguments and results lie where the graph finds and leaves them.
  struct Recorded {
    std::unique_ptr<RecordedGraph> graph;
    std::vector<RuntimeValue> arguments, results;
    std::size_t conditionals = 0;
    bool fits(std::span<const RuntimeValue> given) const;
  };

  /// What \p f yields, an \c Expected; what it throws becomes an error.
  template <class F> auto orError(const F &f) const -> decltype(f()) {
    std::optional<decltype(f())> result;
    if (const auto broken = guarded([&] { result.emplace(f()); }))
      return Error{m.info.path, {}, *broken, {}};
    return std::move(*result);
  }
  std::optional<Error> loadConstants(OpenConstants &open);
  Expected<std::vector<RuntimeValue>> bindAll(std::span<const Array> arrays);
  Expected<std::vector<RuntimeValue>> drawAll(std::uint64_t seed, std::uint32_t draw, const Assignment &sizes);
  Expected<std::vector<RuntimeValue>> runMain(std::span<const RuntimeValue> given);
  std::optional<Error> beginRun();
  std::vector<RuntimeValue> argumentsOf(std::span<const RuntimeValue> given) const;
  Expected<std::vector<RuntimeValue>> runNodes(std::span<const RuntimeValue> given);
  Array arrayOf(const RuntimeValue &v) const;

  // Recording.cpp
  std::optional<std::string> obstacleTo(std::span<const RuntimeValue> arguments) const;
  bool isGiven(std::size_t i, const RuntimeValue &v) const;
  void makePlacesFor(std::vector<RuntimeValue> &arguments);
  std::unique_ptr<Recorded> record(std::span<const RuntimeValue> arguments);
  RuntimeValue copyOf(const RuntimeValue &v, std::map<const Storage *, Tensor> &copies);
  Expected<std::vector<RuntimeValue>> launch(std::span<const RuntimeValue> arguments);

  Expected<RuntimeValue> fromArray(const Array &a, const Sizes *strides);
  RuntimeValue unsaid(const Port &port) const;
  Expected<RuntimeValue> bindOne(const Port &port, const Array &a);
  /// How \p a, an input of type \p t, lies in memory by the record; nothing where that is not known, or no tensor can.
  std::optional<Sizes> recordedStrides(const Type &t, const Array &a) const;
  std::optional<Error> bindSizes(const Port &port, const Type &t, const Array &a);
  /// Sizes that the inputs give, to be compared with the declared expressions.
  struct Bound {
    Dim declared;
    std::int64_t size;
    std::string place;
    bool isNumber; ///< an input that is a number itself
  };
  std::optional<Error> bindSymbols();
  /// The symbol of a size that is a \p bare one, or a multiple of it and a number.
  std::optional<Error> bindSymbol(const Bound &b, bool bare);
  Error badInput(const Port &port, std::string message) const {
    return {m.info.path, "input '" + port.name + "'", std::move(message), {}};
  }

  const Model &m;
  ExecutorOptions options;
  std::unique_ptr<Device> ownDevice;
  Device &device;
  std::map<std::string, Tensor, std::less<>> storages; ///< of weights, by record
  std::vector<std::pair<ConstantId, Array>> weights;
  std::vector<Tensor> weightTensors;
  Interpreter interpreter;
  std::vector<Port> inputPorts, outputPorts;
  std::vector<std::size_t> userResults; ///< positions in the main graph's results
  std::vector<Bound> bounds;
  bool hasConditional = false;
  std::unique_ptr<Recorded> recorded; ///< the last run, where it was one graph
  std::string notOneGraph;
  std::uint64_t launches = 0;
};

} // namespace condlint

#endif // CONDLINT_LIB_EXECUTOR_EXECUTORIMPL_H
