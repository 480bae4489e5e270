//===- Executor.h - Runs a model --------------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reference executor: it runs a model as its system would, one node after the
// other, and, where asked, both branches of every conditional, to see whether they
// really fit together.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_EXECUTOR_H
#define CONDLINT_EXECUTOR_H

#include "condlint/Array.h"
#include "condlint/Graph.h"
#include "condlint/Op.h"
#include "condlint/Tensor.h"
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace condlint {

/// One node that ran.
struct TraceEntry {
  NodeId node;
  std::string path;
  std::vector<std::string> results; ///< "float32[2, 3] strides [3, 1]"
  double microseconds = 0;
  bool onHost = false;  ///< the device is a GPU, and some of the node's work was done on the host
  bool inGraph = false; ///< recorded in the graph that the run is; it has no time of its own
};

/// What the runs of an executor took.
struct ExecutionStatistics {
  std::uint64_t nodes = 0;                          ///< that ran
  std::uint64_t hostNodes = 0;                      ///< of these, on a GPU: some of their work was done on the host
  std::uint64_t bytesToHost = 0, bytesToDevice = 0; ///< between a GPU and the host
  std::uint64_t graphLaunches = 0;                  ///< runs that were one graph of the device
  std::uint64_t deviceConditionals = 0;             ///< in that graph: the device decides them when it is launched
  std::string notOneGraph;                          ///< `asGraph`: why the last run was none
};

struct ExecutorOptions {
  std::string device = "cpu";
  std::uint64_t seed = 0;
  /// Bytes that tensors may take; 0: four fifths of what the machine has free.
  std::uint64_t memoryLimit = 0;
  /// Seconds that one run may take, looked at between nodes; 0: no limit.
  double timeLimit = 0;
  /// Run every branch of every conditional that is reached, and compare them.
  bool bothBranches = false;
  /// Which branch a conditional takes whatever its predicate says; nothing: the one that the predicate selects.
  std::function<std::optional<std::size_t>(NodeId)> chooses = {};
  /// On a GPU: record a run as one graph whose conditionals the device decides, where that can be.
  bool asGraph = false;
  /// `asGraph`: a run in which no conditional depends on the inputs as well. What is recorded keeps its
  /// memory, so this is to measure what a conditional costs.
  bool asGraphAlways = false;
  /// What \c inferTypes refused: these nodes do not run, with its words for why.
  std::vector<InvalidOperand> refused = {};
  std::function<void(const TraceEntry &)> trace = {};
};

/// What a value was when it was computed.
struct ObservedType {
  ValueId value;
  ValueKind kind = ValueKind::Unknown;
  DType dtype = DType::Unknown;
  std::vector<std::int64_t> sizes, strides;
  std::int64_t offset = 0;
};

/// Something that really happened and that a conditional forbids.
struct Observation {
  enum class Kind : std::uint8_t {
    WroteOperand,       ///< a branch wrote to an operand
    WroteWeight,        ///< a branch wrote to a parameter, buffer or constant of the model
    SharesOperand,      ///< an output shares storage with an operand
    SharesOutput,       ///< two outputs of a branch share storage
    FalseRecord,        ///< the file records another type of a value than was computed
    FalseDeclaration,   ///< the same of an output of the conditional
    PredicateNotScalar, ///< the predicate has not one element
    NotRepeatable,      ///< what a branch does is not what it does alone
  };
  Kind kind = Kind::NotRepeatable;
  NodeId conditional;
  NodeId node; ///< where it happened
  std::string message;
};

/// What became of one conditional while all branches ran.
struct ConditionalRun {
  NodeId conditional;
  bool reached = false;
  std::size_t times = 0;             ///< that all branches ran
  std::vector<bool> ran;             ///< by branch: it ran to its end
  std::vector<std::string> problems; ///< why a branch could not run
};

/// An operator that condlint cannot execute, or a node that could not be executed.
struct ExecutionProblem {
  NodeId node;
  bool missingOperator = false;
  Error error; ///< place: the node's path
};

/// Runs one model. The model's types must have been inferred. Nothing here throws: want of memory
/// and what a device reports are errors.
class Executor {
public:
  /// What a caller gives or gets.
  struct Port {
    ValueId value;
    std::string name;
    TypeId type;
  };

  /// Reads the constants from what \p open opens, where there are some, and makes ready. The error
  /// says which constant is absent or too short, or which device is not there. \p m must outlive
  /// the result.
  static Expected<std::unique_ptr<Executor>> create(const Model &m, const ExecutorOptions &options,
                                                    OpenConstants &open);
  virtual ~Executor() = default;

  /// The inputs that the caller gives, in order.
  virtual std::span<const Port> inputs() const = 0;
  /// The outputs that the caller gets, in order; those that only write back are left out.
  virtual std::span<const Port> outputs() const = 0;
  /// Inputs that need not be given: an ONNX input with an initializer, an optional, what a `.pt2`
  /// was exported with (a number, None).
  virtual bool isOptional(std::size_t input) const = 0;

  /// Checks \p arrays (by name, or by position where none is named) against the declared
  /// inputs: number, kind, dtype, rank, sizes, the ranges of their symbols.
  virtual Expected<std::vector<RuntimeValue>> bind(std::span<const Array> arrays) = 0;
  /// Inputs drawn inside of the declared shapes and ranges; small sizes first, as \p draw
  /// grows. \p sizes fixes symbols by name.
  virtual Expected<std::vector<RuntimeValue>> draw(std::uint64_t seed, std::uint32_t draw, const Assignment &sizes) = 0;
  /// A copy of \p v in memory of the host. Values are of this executor, and must not outlive it.
  virtual Expected<Array> toArray(const RuntimeValue &v) const = 0;

  /// Runs the model; the outputs, or what went wrong. With `bothBranches` what could be
  /// reached ran nevertheless.
  virtual Expected<std::vector<RuntimeValue>> run(std::span<const RuntimeValue> inputs) = 0;

  /// What the inputs that were bound last say of the model's symbols.
  virtual const Assignment &symbols() const = 0;

  /// Since `forget`.
  virtual std::span<const Observation> observations() const = 0;
  /// What the branches of conditionals yielded since `forget`; where a conditional ran
  /// several times, the first time that they did not agree.
  virtual std::vector<ObservedType> observed() const = 0;
  virtual void forget() = 0;
  /// Of all runs so far.
  virtual std::span<const ConditionalRun> conditionals() const = 0;
  virtual std::span<const ExecutionProblem> problems() const = 0;
  virtual ExecutionStatistics statistics() const = 0;
};

/// The inputs of \p m that a caller gives, in order.
std::vector<Executor::Port> inputPortsOf(const Model &m);
/// The outputs that he gets, in order.
std::vector<Executor::Port> outputPortsOf(const Model &m);

/// The devices of this build: "cpu", and "cuda" where it is built with CUDA.
std::vector<std::string> executorDevices();
/// Why \p device cannot be used on this machine; nothing when it can.
std::optional<std::string> deviceProblem(const std::string &device);

/// How two values differ beyond |a - b| <= atol + rtol * |b|; nothing when they do not.
/// NaN equals NaN.
std::optional<std::string> differenceOf(const Array &got, const Array &wanted, double rtol, double atol);

} // namespace condlint

#endif // CONDLINT_EXECUTOR_H
