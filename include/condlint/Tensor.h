//===- Tensor.h - Values while a model runs ---------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor is a view (offset, sizes, strides) of a storage, as in torch, so
// that aliases and writes are real and can be observed. A runtime value is what
// a value of the graph holds while the model runs.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TENSOR_H
#define CONDLINT_TENSOR_H

#include "condlint/Id.h"
#include "condlint/TensorType.h"
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace condlint {

class Device; // lib/ops: where storages lie and kernels run

/// Bytes that one element takes in a storage. Elements below a byte are not
/// packed here (one byte each), a string is a handle of 8 bytes into a pool.
constexpr std::size_t elementBytes(DType t) {
  switch (t) {
  case DType::Unknown:
    return 0;
  case DType::UInt16:
  case DType::Int16:
  case DType::Float16:
  case DType::BFloat16:
    return 2;
  case DType::UInt32:
  case DType::Int32:
  case DType::Float32:
  case DType::Complex32:
    return 4;
  case DType::UInt64:
  case DType::Int64:
  case DType::Float64:
  case DType::Complex64:
  case DType::String:
    return 8;
  case DType::Complex128:
    return 16;
  default:
    return 1;
  }
}

/// Memory that tensors are views of. It counts its owners (not thread-safe: one
/// run lives in one thread), counts the writes after it was filled, and knows
/// which nodes wrote.
///
/// A device may have memory of its own, which the host cannot reach. Then the bytes
/// lie there, or on the host, or, while they are only read, on both; they are brought
/// to where they are asked for. A pointer holds until the bytes are asked for to be
/// written on the other side. On the CPU there is one memory, and nothing to bring.
///
/// While the device records a graph, what the graph computes is there when it is launched:
/// the host cannot read it. Bytes that are there before can be read on both sides.
class Storage {
public:
  std::size_t size() const { return byteCount; }
  Device &device() const { return *owner; }

  /// The bytes for the host to read.
  const char *hostBytes() {
    if (!shared) [[unlikely]]
      bringToHost();
    return hostData;
  }
  /// The bytes for the host to write; who asked before must have noted the write.
  char *hostBytesToWrite() {
    if (!shared) [[unlikely]]
      moveToHost();
    return hostData;
  }
  /// The same for kernels that run on the device.
  const char *deviceBytes() {
    if (!shared) [[unlikely]]
      bringToDevice();
    return deviceData;
  }
  char *deviceBytesToWrite() {
    if (!shared) [[unlikely]]
      moveToDevice();
    return deviceData;
  }
  /// Becomes a copy of \p from, which is as large.
  void assign(Storage &from);

  std::uint32_t version() const { return writeCount; }
  /// The nodes that wrote after the storage was filled, in order.
  std::span<const NodeId> writers() const { return log ? std::span<const NodeId>(*log) : std::span<const NodeId>(); }
  /// Notes that \p node writes. Memory of somebody else (a mapped weight) is copied first.
  /// False: there was no memory for that.
  [[nodiscard]] bool noteWrite(NodeId node);
  /// Forgets the writes after \p version: the caller has put back what they changed.
  void forgetWrites(std::uint32_t version);
  /// A recorded graph computes the bytes when it is launched.
  bool isRecorded() const { return graph != 0; }

private:
  friend class Device;
  friend class Tensor;
  Storage() = default;
  void bringToHost();
  void moveToHost();
  void bringToDevice();
  void moveToDevice();
  void makeRecorded();
  [[nodiscard]] bool makeOwn();
  void dropHost();

  std::uint32_t owners = 0;
  std::uint32_t writeCount = 0;
  Device *owner = nullptr;
  char *hostData = nullptr;   ///< null: not on the host
  char *deviceData = nullptr; ///< null: not on the device
  std::size_t byteCount = 0;
  bool shared = false;     ///< the device works on the host's memory: the two are one
  bool borrowed = false;   ///< `hostData` belongs to `keepAlive` and must not be written
  bool charged = false;    ///< counted as used memory of the device
  std::uint32_t graph = 0; ///< the recorded graph, or branch of one, that computes the bytes; 0: none
  std::unique_ptr<std::vector<NodeId>> log;
  std::shared_ptr<const void> keepAlive;
};

using Sizes = std::vector<std::int64_t>;

/// A view of a storage; a handle that is cheap to copy. Sizes and strides count
/// elements. Empty by default.
class Tensor {
public:
  /// torch's own limit.
  static constexpr std::size_t maxRank = 64;

  Tensor() = default;
  Tensor(const Tensor &o) : view(o.view) { retain(); }
  Tensor(Tensor &&o) noexcept : view(std::exchange(o.view, nullptr)) {}
  Tensor &operator=(const Tensor &o) {
    Tensor copy(o);
    std::swap(view, copy.view);
    return *this;
  }
  Tensor &operator=(Tensor &&o) noexcept {
    std::swap(view, o.view);
    return *this;
  }
  ~Tensor() { release(); }

  /// A view of \p s. Ranks above `maxRank` are the caller's to refuse.
  Tensor(Storage *s, DType dtype, std::span<const std::int64_t> sizes, std::span<const std::int64_t> strides,
         std::int64_t offset);
  /// Row-major, from the start of \p s.
  Tensor(Storage *s, DType dtype, std::span<const std::int64_t> sizes);

  explicit operator bool() const { return view != nullptr; }
  DType dtype() const { return view->dtype; }
  std::size_t rank() const { return view->rank; }
  std::span<const std::int64_t> sizes() const { return {view->extents(), view->rank}; }
  std::span<const std::int64_t> strides() const { return {view->extents() + view->rank, view->rank}; }
  std::int64_t size(std::size_t axis) const { return view->extents()[axis]; }
  std::int64_t stride(std::size_t axis) const { return view->extents()[view->rank + axis]; }
  std::int64_t offset() const { return view->offset; }
  std::int64_t numel() const { return view->count; }
  /// Row-major without gaps, from the outside to the inside.
  bool isContiguous() const { return view->contiguous; }
  Storage &storage() const { return *view->storage; }
  Device &device() const { return storage().device(); }
  std::size_t itemBytes() const { return elementBytes(dtype()); }

  /// The first element, for the host to read (`bytes`, `as`) and to write (`outBytes`, `out`).
  const char *bytes() const { return view->storage->hostBytes() + byteOffset(); }
  char *outBytes() const { return view->storage->hostBytesToWrite() + byteOffset(); }
  template <class T> const T *as() const { return reinterpret_cast<const T *>(bytes()); }
  template <class T> T *out() const { return reinterpret_cast<T *>(outBytes()); }
  /// The same for functors that run on the device.
  const char *deviceBytes() const { return view->storage->deviceBytes() + byteOffset(); }
  char *deviceOutBytes() const { return view->storage->deviceBytesToWrite() + byteOffset(); }
  template <class T> const T *deviceAs() const { return reinterpret_cast<const T *>(deviceBytes()); }
  template <class T> T *deviceOut() const { return reinterpret_cast<T *>(deviceOutBytes()); }
  std::int64_t byteOffset() const { return view->offset * static_cast<std::int64_t>(itemBytes()); }

  bool sharesStorage(const Tensor &o) const { return view->storage == o.view->storage; }
  /// The very same view.
  bool same(const Tensor &o) const;

  /// Another view of the same storage.
  Tensor with(std::span<const std::int64_t> sizes, std::span<const std::int64_t> strides, std::int64_t offset) const;
  Tensor withDType(DType t) const; ///< reinterprets; the element's size must not change
  Tensor permuted(std::span<const std::size_t> axes) const;
  Tensor transposed(std::size_t a, std::size_t b) const;
  Tensor sliced(std::size_t axis, std::int64_t begin, std::int64_t count, std::int64_t step = 1) const;
  Tensor selected(std::size_t axis, std::int64_t index) const;
  Tensor unsqueezed(std::size_t axis) const;
  Tensor squeezed(std::size_t axis) const;
  /// Stretched to \p sizes; nothing when that does not fit.
  std::optional<Tensor> expanded(std::span<const std::int64_t> sizes) const;
  /// With other sizes without moving a byte; nothing when the strides do not allow it.
  std::optional<Tensor> viewed(std::span<const std::int64_t> sizes) const;

private:
  struct View {
    std::uint32_t owners;
    std::uint16_t rank;
    DType dtype;
    bool contiguous;
    Storage *storage;
    std::int64_t offset;
    std::int64_t count;
    std::int64_t *extents() { return reinterpret_cast<std::int64_t *>(this + 1); }
    const std::int64_t *extents() const { return reinterpret_cast<const std::int64_t *>(this + 1); }
  };
  void retain() const {
    if (view)
      ++view->owners;
  }
  void release() {
    if (view && --view->owners == 0)
      destroy();
  }
  void destroy();
  static View *allocate(Storage *s, DType t, std::size_t rank);
  void finish();

  View *view = nullptr;
};

/// Row-major strides of \p sizes.
Sizes contiguousStrides(std::span<const std::int64_t> sizes);
/// Product of \p sizes; nothing for a negative size or beyond 62 bits.
std::optional<std::int64_t> elementCount(std::span<const std::int64_t> sizes);

/// Every distinct string of a run once; elements of string tensors are indices
/// into it.
class StringPool {
public:
  StringPool();
  ~StringPool();
  std::uint64_t intern(std::string_view text);
  std::string_view view(std::uint64_t handle) const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// What a value of the graph holds while the model runs.
struct RuntimeValue {
  ValueKind kind = ValueKind::Unknown; ///< Unknown: nothing was computed, or an absent optional input
  Tensor tensor;
  std::int64_t number = 0; ///< SymInt, SymBool
  double real = 0;         ///< SymFloat
  /// Sequence: its items. Optional: one item or none. Map: keys and values.
  std::shared_ptr<const std::vector<RuntimeValue>> items;
  std::shared_ptr<const std::string> text; ///< String

  RuntimeValue() = default;
  RuntimeValue(Tensor t) : kind(ValueKind::Tensor), tensor(std::move(t)) {}
  static RuntimeValue ofInt(std::int64_t v);
  static RuntimeValue ofBool(bool v);
  static RuntimeValue ofFloat(double v);
  static RuntimeValue none();
  static RuntimeValue sequence(std::vector<RuntimeValue> items);
  static RuntimeValue optional(std::optional<RuntimeValue> item);

  bool present() const { return kind != ValueKind::Unknown && kind != ValueKind::None; }
  bool isTensor() const { return kind == ValueKind::Tensor; }
  bool isScalar() const {
    return kind == ValueKind::SymInt || kind == ValueKind::SymBool || kind == ValueKind::SymFloat;
  }
  std::span<const RuntimeValue> list() const {
    return items ? std::span<const RuntimeValue>(*items) : std::span<const RuntimeValue>();
  }
};

} // namespace condlint

#endif // CONDLINT_TENSOR_H
