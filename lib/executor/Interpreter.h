//===- Interpreter.h - Graphs, scopes and control flow ----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_EXECUTOR_INTERPRETER_H
#define CONDLINT_LIB_EXECUTOR_INTERPRETER_H

#include "condlint/Conditional.h"
#include "condlint/Executor.h"
#include "ops/Kernel.h"
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace condlint {

class GraphRecorder;

/// "float32[2, 3] strides [1, 2]" for people.
std::string valueText(const RuntimeValue &v);

/// Runs the graphs of one model. A value of the model holds one runtime value at a
/// time, which is enough: no graph runs while it runs already.
class Interpreter {
public:
  using Values = std::vector<RuntimeValue>;

  Interpreter(const Model &model, Device &device, const ExecutorOptions &options);
  ~Interpreter();

  /// The data of a constant; set before anything runs.
  void setConstant(ConstantId c, Tensor t) { constants[c.index()] = std::move(t); }
  const Tensor &constant(ConstantId c) const { return constants[c.index()]; }
  /// A run begins: what time it may take counts from now.
  void startClock();
  /// Runs \p g on \p arguments. Nothing: it failed, and `problems` says how.
  std::optional<Values> runRegion(GraphId g, std::span<const RuntimeValue> arguments);

  StringPool &strings() { return pool; }
  Device &device() { return *runtime.device; }
  ExecutionStatistics statistics() const {
    const Traffic &t = runtime.device->traffic();
    ExecutionStatistics s;
    s.nodes = nodesRun;
    s.hostNodes = hostNodes;
    s.bytesToHost = t.toHost;
    s.bytesToDevice = t.toDevice;
    return s;
  }
  /// What was counted since does not count.
  void setCounts(const ExecutionStatistics &s) {
    nodesRun = s.nodes;
    hostNodes = s.hostNodes;
  }
  void stopRecording() {
    recording = nullptr;
    runtime.places.clear();
  }
  void setSeed(std::uint64_t seed) {
    runtime.seed = seed;
    runtime.draws = 0;
  }

  std::vector<ExecutionProblem> problems;
  std::vector<Observation> observations;
  std::vector<ConditionalRun> conditionalRuns;

private:
  friend Tensor constantOf(void *state, ConstantId c);

  /// One node, and the values that nobody reads after it.
  struct Step {
    NodeId node;
    std::uint32_t firstRelease, releases;
  };
  struct Plan {
    std::vector<Step> steps;
    std::vector<ValueId> releases;
    std::vector<ValueId> atEnd; ///< what is left when the graph has run
    /// The steps that torch.vmap runs once a slice, from its first to its last.
    std::map<std::uint32_t, std::uint32_t> batches;
  };

  const KernelInfo &kernelOf(OperatorId op);
  bool runSteps(GraphId g);
  /// The steps of \p plan from \p from on, up to \p to. \p releases: what nobody reads afterwards is freed.
  bool runRange(GraphId g, const Plan &plan, std::uint32_t from, std::uint32_t to, bool releases);
  /// The time of the run is over; said once.
  bool isLate(GraphId g);
  bool runNode(NodeId n);
  bool executeOne(NodeId n);
  /// Notes why \p n did not run. False: the run ends.
  bool failed(NodeId n, std::string message, bool missing = false);
  void note(NodeId n, std::string place, std::string message, bool missing);
  /// The results of \p g as they are; nothing when something of it has not been computed.
  std::optional<Values> resultsOf(GraphId g);
  bool isPoisoned(NodeId n) const;
  void trace(NodeId n, double microseconds, bool onHost);

  // Plans.cpp
  const Plan &planOf(GraphId g);
  /// The nodes of \p g as they stand in the file; in an ONNX model each after what it reads, as
  /// ONNX Runtime sorts them.
  std::vector<NodeId> executionOrder(GraphId g);
  const std::vector<ValueId> &capturesOf(GraphId g);
  /// Calls \p use for each operand of \p n and for each value that its regions take from around them.
  template <class Use> void forEachUse(NodeId n, Use &&use);

  // ControlFlow.cpp
  bool runControl(NodeId n);
  /// Which branch is to run, or why none.
  struct Choice {
    std::size_t branch = 0;
    std::string problem;
    bool isAnyone = false; ///< in spite of the problem all branches can run
  };
  const Conditional &conditionalOf(NodeId n);
  Choice choiceOf(NodeId n, const Conditional &c) const;
  bool isDecidedLater(const Conditional &c) const;
  bool runConditional(NodeId n);
  bool runOnnxLoop(NodeId n);
  bool runOnnxScan(NodeId n);
  bool runSequenceMap(NodeId n);
  bool runWhile(NodeId n);
  bool runMap(NodeId n);
  bool runTorchScan(NodeId n);
  bool runAssociativeScan(NodeId n);
  bool runOnce(NodeId n);
  bool setResults(NodeId n, Values results);
  Values listArgument(NodeId n, std::size_t which) const;
  Values operandsOf(NodeId n) const;
  GraphId regionAt(NodeId n, std::size_t i) const;
  /// A context for kernels' helpers outside of a kernel.
  ExecContext contextOf(NodeId n);

  // Batches.cpp
  struct Collected;
  void findBatches(Plan &plan) const;
  bool runBatch(GraphId g, const Plan &plan, std::uint32_t from, std::uint32_t to, bool releases);
  /// \p n takes a slice of the batch that runs, or yields one of a result.
  bool isOfBatch(NodeId n) const;
  bool runOfBatch(NodeId n);
  bool collect(std::span<Collected> results);
  bool putTogether(std::span<const Collected> results, bool isEmpty);
  std::optional<std::int64_t> wholeArgument(NodeId n, std::size_t i) const;

  // Recording.cpp
  bool isKnown(NodeId n) const;
  std::optional<std::string> recordNode(ExecContext &c);
  bool recordConditional(NodeId n, const Conditional &c, const Values &operands);
  std::optional<Values> recordBranch(NodeId n, GraphId branch, const Values &operands);
  RuntimeValue placeFor(NodeId n, const Values &results, std::size_t i);
  void wantResultsAt(GraphId branch, const Values &places);

  // Branches.cpp
  /// The memory that a conditional's operands lie in, as it was before a branch ran.
  class Memory;
  bool runAllBranches(NodeId n, const Conditional &c, std::size_t taken, std::span<const RuntimeValue> operands);
  void compareBranches(NodeId n, const Conditional &c, const std::vector<std::optional<Values>> &results);
  void checkStorages(NodeId n, const Conditional &c, std::size_t branch, std::span<const RuntimeValue> operands,
                     std::span<const std::uint32_t> entered, const Values &results);
  void checkRecorded(NodeId n);
  void observe(Observation::Kind kind, NodeId conditional, NodeId node, std::string message);
  bool isWeight(const Storage &s) const;

  const Model &m;
  const ExecutorOptions &options;
  StringPool pool;
  KernelRuntime runtime;
  std::vector<RuntimeValue> values;
  std::vector<Tensor> constants;
  std::vector<KernelInfo> kernels;
  std::vector<bool> kernelKnown;
  std::vector<std::unique_ptr<Plan>> plans;
  std::vector<std::uint32_t> lastUse;
  std::vector<bool> active;
  std::vector<bool> incomplete; ///< by graph: some node of it did not run
  std::unordered_map<NodeId, std::string> refused;
  std::vector<bool> poisoned; ///< by value: its node did not run
  std::unordered_map<GraphId, std::vector<ValueId>> captures;
  std::unordered_map<NodeId, Conditional> conditionalTable;
  unsigned depth = 0;
  std::vector<std::int64_t> slicesRun; ///< by level of vmap: which slice runs
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  bool saidLate = false;
  std::uint64_t nodesRun = 0, hostNodes = 0;
  bool validate; ///< run all branches; off inside of a branch that runs alone
  /// How often one conditional is validated: branches that call functions with conditionals double it at each level.
  static constexpr std::size_t mostValidations = 1000;
  std::size_t timesValidated(NodeId conditional) const;

public:
  /// By conditional: what its branches yielded, and whether they agreed.
  struct Yielded {
    std::vector<ObservedType> types;
    bool differ = false;
  };
  std::unordered_map<NodeId, Yielded> yielded;
  Assignment symbols; ///< what the inputs say of the model's symbols

  /// What a recording adds to a run.
  struct Recording {
    GraphRecorder &recorder;
    std::size_t conditionals = 0; ///< that the device decides
    std::size_t nodes = 0;
    std::vector<TraceEntry> trace;
  };
  Recording *recording = nullptr; ///< set while a run is recorded
};

} // namespace condlint

#endif // CONDLINT_LIB_EXECUTOR_INTERPRETER_H
