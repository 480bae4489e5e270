//===- Device.h - Where storages lie and kernels run ------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels (lib/ops/kernels) are small functors that compile for the host and for
// a GPU. A device runs them: it owns the loops over strided tensors, the memory
// and the matrix products. lib/executor implements it.
//
// What a functor works on is asked for with `Tensor::deviceAs` and `deviceOut`; code
// that runs on the host uses `as` and `out` (condlint/Tensor.h). On the CPU these are
// the same; on a GPU the second kind brings the bytes to the host, and is counted.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_DEVICE_H
#define CONDLINT_LIB_OPS_DEVICE_H

#include "condlint/Tensor.h"
#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#ifdef __CUDACC__
#define CONDLINT_HD __host__ __device__
#else
#define CONDLINT_HD
#endif

namespace condlint {

/// The type in which an element is computed, whatever it is stored as: half
/// precision and 8-bit floats in float, integers in 64 bits, complex in double.
enum class Compute : std::uint8_t { F32, F64, I64, U64, C128 };
constexpr std::size_t computeCount = 5;
/// The type \p t is computed in.
Compute computeOf(DType t);
/// The storage type that is \p c itself.
DType dtypeOf(Compute c);

struct ElementRun;   // ElementRun.h: a strided run as a GPU gets it
class GraphRecorder; // lib/executor/GraphRecorder.h

/// An elementwise functor, compiled for the compute types it takes.
struct ElementLoops {
  /// Applies the functor \p f to \p n elements that lie densely in their compute
  /// type. The results are of the same type, or bytes (0, 1) for a predicate.
  using Loop = void (*)(const void *f, void *out, const void *const *in, std::int64_t n);
  Loop loop[computeCount] = {};
  /// Launches the same functor on a GPU, behind what \p stream (a cudaStream_t) does
  /// already. Null in a build without CUDA.
  using Launch = void (*)(const void *f, const ElementRun &run, void *stream);
  Launch launch[computeCount] = {};
  std::uint8_t arity = 1;
  bool predicate = false;
};

/// An operand of an elementwise run: strides in elements, one an axis of the run.
struct ElementOperand {
  Storage *storage = nullptr; ///< null: a number
  std::int64_t byteOffset = 0;
  const void *number = nullptr; ///< one element, on the host
  DType dtype = DType::Unknown;
  const std::int64_t *strides = nullptr;

  static ElementOperand of(const Tensor &t, const std::int64_t *strides) {
    return {&t.storage(), t.byteOffset(), nullptr, t.dtype(), strides};
  }
  static ElementOperand of(const Tensor &t) { return of(t, t.strides().data()); }
  static ElementOperand of(const void *number, DType dtype, const std::int64_t *strides) {
    return {nullptr, 0, number, dtype, strides};
  }
};

/// A functor called with each index in a range.
struct RangeLoop {
  using Loop = void (*)(const void *f, std::int64_t begin, std::int64_t end);
  Loop loop = nullptr;
  using Launch = void (*)(const void *f, std::int64_t count, void *stream);
  Launch launch = nullptr; ///< on a GPU; null in a build without CUDA
};

/// C = alpha * op(A) * op(B) + beta * C for matrices of float, double or complex
/// double; leading dimensions in elements, row-major. In the device's memory.
struct MatrixProduct {
  DType dtype = DType::Float32; ///< Float32, Float64, Complex128
  bool transposeA = false, transposeB = false;
  std::int64_t m = 0, n = 0, k = 0;
  const void *a = nullptr;
  std::int64_t lda = 0;
  const void *b = nullptr;
  std::int64_t ldb = 0;
  void *c = nullptr;
  std::int64_t ldc = 0;
  double alpha = 1, beta = 0;
  /// Libraries count rows and columns in 32 bits.
  bool fitsLibraries() const { return std::max({m, n, k, lda, ldb, ldc}) <= std::numeric_limits<std::int32_t>::max(); }
};

/// What went between the host and a device with memory of its own.
struct Traffic {
  std::uint64_t toHost = 0, toDevice = 0; ///< bytes
  std::uint64_t hostAccesses = 0;         ///< times that the host read or wrote what lay on the device
};

/// Memory and execution of one kind of hardware. One device serves one run.
class Device {
public:
  virtual ~Device() = default;
  virtual std::string_view name() const = 0;

  /// A storage of \p bytes, not initialised; null when the limit on memory or the
  /// machine does not allow it.
  Storage *allocate(std::size_t bytes);
  /// A storage over bytes of somebody else, which are copied before the first write.
  Storage *borrow(const char *data, std::size_t bytes, std::shared_ptr<const void> keepAlive);
  /// Bytes that storages of this device may take together.
  void setLimit(std::uint64_t bytes) { limit = bytes; }
  std::uint64_t memoryLimit() const { return limit; }
  std::uint64_t used() const { return usedBytes; }
  std::uint64_t peak() const { return peakBytes; }
  const Traffic &traffic() const { return moved; }
  /// What tensors could take now.
  virtual std::uint64_t freeMemory() const = 0;

  /// Whether it needs many indices in one range to be quick.
  virtual bool isParallel() const { return false; }

  /// Waits until all that it was asked for is done.
  virtual void finish() {}

  /// Within the device's memory, as all that follows.
  virtual void copy(void *to, const void *from, std::size_t bytes) = 0;
  virtual void fill(void *to, int byte, std::size_t bytes) = 0;
  /// Runs \p loops in \p compute over \p shape: each operand is loaded from its
  /// own element type, the result is stored as that of \p out. A predicate's
  /// result may be stored as any type.
  virtual void elementwise(const ElementLoops &loops, const void *functor, Compute compute,
                           std::span<const std::int64_t> shape, const ElementOperand &out,
                           std::span<const ElementOperand> in) = 0;
  /// Copies with conversion between strided operands of one shape.
  virtual void convert(std::span<const std::int64_t> shape, const ElementOperand &out, const ElementOperand &in) = 0;
  virtual void run(const RangeLoop &loop, const void *functor, std::int64_t count) = 0;
  virtual void multiply(const MatrixProduct &p) = 0;

  /// Records graphs of what this device is asked for; null: it cannot.
  virtual GraphRecorder *recorder() { return nullptr; }

protected:
  virtual char *obtain(std::size_t bytes) = 0; ///< null when there is no memory
  virtual void giveBack(char *data, std::size_t bytes) = 0;
  /// The device's memory is not the host's; `upload` and `download` copy between them.
  virtual bool isRemote() const { return false; }
  virtual void upload(char *, const char *, std::size_t) {}
  virtual void download(char *, const char *, std::size_t) {}

  /// What is being recorded: a graph, and branches inside each other, each with a number of its own.
  std::vector<std::uint32_t> openGraphs;
  /// A graph is being recorded, and what the device is asked for now is done at once nevertheless.
  bool suspended = false;
  bool isRecording() const { return !openGraphs.empty(); }
  std::uint32_t recordedGraph() const { return isRecording() && !suspended ? openGraphs.back() : 0; }
  /// \p s counts as computed by the innermost graph that is being recorded.
  void adopt(Storage &s) const { s.graph = openGraphs.back(); }
  bool isAdopted(const Storage &s) const { return s.graph == openGraphs.back(); }

private:
  friend class Storage;
  friend class Tensor;
  void release(Storage *s);
  bool charge(Storage &s);

  std::uint64_t limit = UINT64_MAX;
  std::uint64_t usedBytes = 0;
  std::uint64_t peakBytes = 0;
  Traffic moved;
};

} // namespace condlint

#endif // CONDLINT_LIB_OPS_DEVICE_H
