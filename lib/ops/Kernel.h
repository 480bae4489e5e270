//===- Kernel.h - What a kernel sees of a node ------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNEL_H
#define CONDLINT_LIB_OPS_KERNEL_H

#include "Device.h"
#include "Random.h"
#include "condlint/Expected.h"
#include "condlint/Op.h"
#include "condlint/Tensor.h"
#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace condlint {

/// A number that is no tensor: an argument, a symbolic scalar.
struct Scalar {
  enum class Kind : std::uint8_t { Bool, Int, Float, Complex };
  Kind kind = Kind::Int;
  std::int64_t whole = 0; ///< Bool, Int
  double real = 0;        ///< Float, Complex
  double imaginary = 0;   ///< Complex

  static Scalar of(std::int64_t v) { return {Kind::Int, v, 0, 0}; }
  static Scalar of(double v) { return {Kind::Float, 0, v, 0}; }
  static Scalar of(bool v) { return {Kind::Bool, v ? 1 : 0, 0, 0}; }
  bool isWhole() const { return kind == Kind::Bool || kind == Kind::Int; }
  double toDouble() const { return isWhole() ? static_cast<double>(whole) : real; }
  std::int64_t toInt() const;
  bool isTrue() const { return isWhole() ? whole != 0 : real != 0 || imaginary != 0; }
  /// What it counts as in torch's promotion: Bool, Int64, Float64, Complex128.
  DType category() const;
};

/// An operand that is a tensor or a number.
struct Operand {
  Tensor tensor;
  Scalar scalar;
  bool isTensor() const { return static_cast<bool>(tensor); }
  DType dtype() const { return isTensor() ? tensor.dtype() : scalar.category(); }
  std::span<const std::int64_t> sizes() const { return isTensor() ? tensor.sizes() : std::span<const std::int64_t>(); }
};

/// Memory for a result of one node, which is wanted there.
struct ResultPlace {
  NodeId node;
  Tensor tensor;
};

/// What a node's kernel needs besides its operands; one for a run.
struct KernelRuntime {
  Device *device = nullptr;
  StringPool *strings = nullptr;
  std::uint64_t seed = 0;
  std::uint64_t draws = 0; ///< random draws so far
  /// The first memory of as many bytes that the node asks for is this. Whoever asked looks
  /// whether the result has come to lie there: an operator may need such memory for other things.
  std::vector<ResultPlace> places;
  /// The place of \p bytes for a result of \p n, taken; empty: there is none.
  Tensor takePlace(NodeId n, std::size_t bytes);
};

/// What of an operator is looked up once instead of for each of its nodes.
struct KernelInfo {
  const OpDef *definition = nullptr;
  std::string_view name, overload;
  bool torch = false;
  bool writes = false;      ///< some result is an operand that is written (`add_`, `out=`)
  bool changesView = false; ///< the operand's shape is changed in place (`squeeze_`)
  /// By result: the argument it is written to; empty when it is fresh.
  std::array<std::string_view, 4> target;
  /// What torch refuses before it computes anything.
  std::vector<const struct AtenTypeDemand *> demands;
  std::vector<const struct AtenLimit *> limits;
};
KernelInfo kernelInfo(const Model &m, OperatorId op);

/// Thrown by kernels through `ExecContext::fail`, caught by `executeNode`.
struct KernelFailure {
  std::string message;
};

/// One execution of one node. Kernels read operands and arguments from it and
/// set the results; what they cannot do they `fail` with words for the user.
class ExecContext {
public:
  ExecContext(const Model &model, NodeId node, const KernelInfo &kernel, KernelRuntime &run,
              RuntimeValue *valuesOfModel)
      : m(model), n(node), info(kernel), runtime(run), values(valuesOfModel), operandIds(model.operands(node)),
        first(model[node].results.first), count(model[node].results.count) {}

  const Model &model() const { return m; }
  NodeId node() const { return n; }
  const OpDef *definition() const { return info.definition; }
  bool isTorch() const { return info.torch; }
  std::int32_t version() const { return m[m[n].op].version; }
  std::string_view opName() const { return info.name; }
  std::string_view overload() const { return info.overload; }
  /// The operator writes its result into an operand of its own.
  bool isInPlace() const { return info.writes; }

  // Operands by position (ONNX, and torch's operators on scalars).
  std::size_t operandCount() const { return operandIds.size(); }
  const RuntimeValue &operand(std::size_t i) const;
  bool has(std::size_t i) const { return operand(i).present(); }
  const Tensor &in(std::size_t i) const;
  const Tensor *maybe(std::size_t i) const;
  /// Integers of a small tensor operand; nothing when absent.
  std::optional<Sizes> integersIn(std::size_t i) const;
  /// The only element of an operand as a number.
  Scalar scalarIn(std::size_t i) const;

  // Arguments by name (torch) and attributes (ONNX).
  const Attribute *attribute(std::string_view name) const { return m.attribute(n, name); }
  /// Given, and not None.
  bool hasArg(std::string_view name) const;
  const RuntimeValue *value(std::string_view name) const; ///< null for a literal and when absent
  const Tensor &tensor(std::string_view name) const;
  const Tensor *maybeTensor(std::string_view name) const;
  Operand tensorOrScalar(std::string_view name) const;
  std::vector<Tensor> tensors(std::string_view name) const;
  std::vector<std::optional<Tensor>> optionalTensors(std::string_view name) const;
  std::optional<Scalar> maybeScalar(std::string_view name) const;
  Scalar scalar(std::string_view name) const;
  std::int64_t integer(std::string_view name, std::optional<std::int64_t> otherwise = std::nullopt) const;
  double real(std::string_view name, std::optional<double> otherwise = std::nullopt) const;
  bool flag(std::string_view name, bool otherwise = false) const { return integer(name, otherwise ? 1 : 0) != 0; }
  std::string_view text(std::string_view name, std::string_view otherwise = {}) const;
  std::vector<std::string_view> texts(std::string_view name) const;
  std::optional<Sizes> integers(std::string_view name) const; ///< a list, or one number
  std::optional<std::vector<double>> reals(std::string_view name) const;
  std::optional<DType> dtype(std::string_view name) const;
  /// An attribute that became the input \p i in a later version.
  std::optional<Sizes> integers(std::string_view name, std::size_t i) const;
  /// Arguments in order as numbers, whatever their names (`_operator.add`).
  std::vector<Scalar> scalars() const;
  /// A constant of the model as a tensor.
  Tensor constant(ConstantId c) const;

  // Results.
  std::size_t resultCount() const { return count; }
  bool wants(std::size_t i) const;
  /// The element type that the file records of result \p i; unknown when it records none.
  DType recordedDType(std::size_t i) const;
  /// Sets result \p i as it is.
  void set(std::size_t i, RuntimeValue v);
  /// Sets result \p i; written into the operand that the operator is to write.
  void finish(std::size_t i, Tensor t);
  /// Sets result 0 to a view of its operand: a copy for `_copy` operators; an operand
  /// whose shape is changed in place becomes it.
  void finishView(Tensor t);
  /// Sets the results from \p first on to a list of tensors, which torch returns as such.
  void setList(std::size_t firstResult, std::span<const Tensor> list);
  /// The operand that result \p i is to be written to; null for a fresh one.
  const Tensor *target(std::size_t i) const;

  // Memory and devices.
  Device &device() const { return *runtime.device; }
  StringPool &strings() const { return *runtime.strings; }
  Philox draw() { return {runtime.seed, runtime.draws++}; }
  Tensor empty(DType t, std::span<const std::int64_t> sizes) const;
  Tensor emptyStrided(DType t, std::span<const std::int64_t> sizes, std::span<const std::int64_t> strides) const;
  /// Notes that this node writes to \p t.
  void noteWrite(const Tensor &t) const;

  [[noreturn]] void fail(std::string message) const;

  /// Fails for arguments of element types or beyond limits that torch refuses whatever their values are.
  void checkArguments() const;

  /// Where the bytes of constants come from; set by the executor.
  using ConstantSource = Tensor (*)(void *state, ConstantId c);
  ConstantSource constantSource = nullptr;
  void *constantState = nullptr;

private:
  std::optional<Scalar> scalarOf(const RuntimeValue &v) const;
  std::optional<std::int64_t> sizeEntry(Dim d, std::uint32_t &next) const;

  const Model &m;
  NodeId n;
  const KernelInfo &info;
  KernelRuntime &runtime;
  RuntimeValue *values;
  std::span<const ValueId> operandIds;
  std::uint32_t first, count;
};

/// Runs the kernel of the node; the error says what went wrong, without place.
/// A definition without a kernel is the caller's to find out.
std::optional<std::string> executeNode(ExecContext &c);
/// Runs \p f, which may use what kernels use; what it fails with, in words.
std::optional<std::string> guarded(const std::function<void()> &f);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNEL_H
