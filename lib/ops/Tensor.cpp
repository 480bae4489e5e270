//===- Tensor.cpp - Values while a model runs -----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "condlint/Tensor.h"
#include "Kernel.h"
#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>
#include <memory>
#include <new>
#include <unordered_map>

namespace condlint {

// --- storages -------------------------------------------------------------------

/// Counts \p s as used memory; false when that is beyond the limit.
bool Device::charge(Storage &s) {
  if (s.charged)
    return true;
  if (s.byteCount > limit || usedBytes > limit - s.byteCount)
    return false;
  s.charged = true;
  usedBytes += s.byteCount;
  peakBytes = std::max(peakBytes, usedBytes);
  return true;
}

Storage *Device::allocate(std::size_t bytes) {
  std::unique_ptr<Storage> s(new Storage);
  s->owner = this;
  s->byteCount = bytes;
  if (!charge(*s))
    return nullptr;
  // Memory of a remote device is obtained when somebody asks for it there.
  if (!isRemote()) {
    s->hostData = s->deviceData = obtain(bytes);
    s->shared = true;
    if (!s->hostData) {
      usedBytes -= bytes;
      return nullptr;
    }
  }
  return s.release();
}

Storage *Device::borrow(const char *data, std::size_t bytes, std::shared_ptr<const void> keepAlive) {
  auto *s = new Storage;
  s->owner = this;
  s->hostData = const_cast<char *>(data); // NOLINT: never written while `borrowed`
  s->byteCount = bytes;
  s->borrowed = true;
  s->keepAlive = std::move(keepAlive);
  if (!isRemote()) {
    s->deviceData = s->hostData;
    s->shared = true;
  }
  return s;
}

void Device::release(Storage *s) {
  if (!s->shared)
    s->dropHost();
  if (s->deviceData && !(s->shared && s->borrowed))
    giveBack(s->deviceData, s->byteCount);
  if (s->charged)
    usedBytes -= s->byteCount;
  delete s;
}

bool Storage::noteWrite(NodeId node) {
  if (owner->isRecording())
    makeRecorded();
  if (borrowed && !makeOwn())
    return false;
  ++writeCount;
  if (!log)
    log = std::make_unique<std::vector<NodeId>>();
  log->push_back(node);
  return true;
}

/// Copies what is borrowed, so that it can be written.
bool Storage::makeOwn() {
  if (!owner->charge(*this))
    return false;
  if (!shared) {
    bringToDevice();
    dropHost();
    return true;
  }
  char *own = owner->obtain(byteCount);
  if (!own)
    return false;
  owner->copy(own, hostData, byteCount);
  hostData = deviceData = own;
  borrowed = false;
  keepAlive.reset();
  return true;
}

void Storage::assign(Storage &from) {
  const char *source = from.deviceBytes();
  owner->copy(deviceBytesToWrite(), source, byteCount);
}

// What follows is for devices with memory of their own. When one side asks for the
// bytes to write them, the other side's memory is freed at once: nobody can go on
// with a stale copy unseen.

void Storage::dropHost() {
  if (borrowed) {
    borrowed = false;
    keepAlive.reset();
  } else {
    std::free(hostData);
  }
  hostData = nullptr;
}

void Storage::bringToHost() {
  if (hostData)
    return;
  if (isRecorded() && owner->isRecording())
    throw KernelFailure{"the host reads what is computed on the device"};
  hostData = static_cast<char *>(std::malloc(std::max<std::size_t>(byteCount, 1)));
  if (!hostData)
    throw std::bad_alloc();
  ++owner->moved.hostAccesses;
  if (!deviceData) // nobody has written yet
    return;
  owner->download(hostData, deviceData, byteCount);
  owner->moved.toHost += byteCount;
}

void Storage::moveToHost() {
  if (!deviceData && hostData)
    return;
  bringToHost();
  if (deviceData) {
    owner->giveBack(deviceData, byteCount);
    deviceData = nullptr;
  }
}

void Storage::bringToDevice() {
  if (deviceData) {
    if (isRecorded() && owner->isRecording() && std::ranges::find(owner->openGraphs, graph) == owner->openGraphs.end())
      throw KernelFailure{"what a branch wrote is read outside of it"};
    return;
  }
  // A borrowed storage counts from its first use there.
  deviceData = owner->charge(*this) ? owner->obtain(byteCount) : nullptr;
  if (!deviceData)
    throw std::bad_alloc();
  if (!hostData) {
    graph = owner->recordedGraph();
    return;
  }
  owner->upload(deviceData, hostData, byteCount);
  owner->moved.toDevice += byteCount;
  // Whoever holds the address that he may have written to must ask for it again.
  if (!borrowed)
    dropHost();
}

void Storage::moveToDevice() {
  bringToDevice();
  if (hostData)
    dropHost();
  if (owner->isRecording() && graph != owner->recordedGraph())
    throw KernelFailure{"memory is written that is filled before the graph runs, or outside of the branch"};
}

/// Before a recorded graph writes: bytes that are there already become a copy that the graph
/// makes, so that each launch begins with them. The graph keeps what it copies from.
void Storage::makeRecorded() {
  const std::uint32_t now = owner->recordedGraph();
  if (now == 0)
    throw KernelFailure{"memory is written in place before the graph runs"};
  if (graph == now || (!hostData && !deviceData))
    return;
  if (graph != 0)
    throw KernelFailure{"a branch writes to memory that lies outside of it"};
  bringToDevice();
  char *copy = owner->obtain(byteCount);
  if (!copy)
    throw std::bad_alloc();
  owner->copy(copy, deviceData, byteCount);
  owner->giveBack(deviceData, byteCount);
  deviceData = copy;
  graph = now;
  if (hostData)
    dropHost();
}

void Storage::forgetWrites(std::uint32_t version) {
  if (log && writeCount > version)
    log->resize(version);
  writeCount = version;
}

// --- tensors --------------------------------------------------------------------

Tensor::View *Tensor::allocate(Storage *s, DType t, std::size_t rank) {
  // One axis at least: that of rank 0, which counts as an axis of size 1 and stride 1.
  void *memory = std::malloc(sizeof(View) + 2 * std::max<std::size_t>(rank, 1) * sizeof(std::int64_t));
  if (!memory)
    throw std::bad_alloc();
  auto *v = new (memory) View{1, static_cast<std::uint16_t>(rank), t, false, s, 0, 0};
  if (rank == 0)
    *v->extents() = 1;
  ++s->owners;
  return v;
}

void Tensor::destroy() {
  Storage *s = view->storage;
  std::free(view); // trivially destructible
  if (--s->owners == 0)
    s->owner->release(s);
}

void Tensor::finish() {
  const std::int64_t *sizes = view->extents(), *strides = sizes + view->rank;
  std::int64_t count = 1;
  bool contiguous = true;
  for (std::size_t i = view->rank; i-- > 0;) {
    contiguous = contiguous && (sizes[i] == 1 || strides[i] == count);
    count *= sizes[i];
  }
  view->count = count;
  view->contiguous = contiguous || count == 0;
}

Tensor::Tensor(Storage *s, DType dtype, std::span<const std::int64_t> sizes, std::span<const std::int64_t> strides,
               std::int64_t offset)
    : view(allocate(s, dtype, sizes.size())) {
  std::copy(sizes.begin(), sizes.end(), view->extents());
  std::copy(strides.begin(), strides.end(), view->extents() + sizes.size());
  view->offset = offset;
  finish();
}

Tensor::Tensor(Storage *s, DType dtype, std::span<const std::int64_t> sizes) : view(allocate(s, dtype, sizes.size())) {
  std::int64_t *extents = view->extents(), *strides = extents + sizes.size();
  std::int64_t stride = 1, count = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    extents[i] = sizes[i];
    strides[i] = stride;
    stride *= std::max<std::int64_t>(sizes[i], 1);
    count *= sizes[i];
  }
  view->count = count;
  view->contiguous = true;
}

bool Tensor::same(const Tensor &o) const {
  return view == o.view ||
         (view->storage == o.view->storage && view->offset == o.view->offset && view->dtype == o.view->dtype &&
          std::ranges::equal(sizes(), o.sizes()) && std::ranges::equal(strides(), o.strides()));
}

Tensor Tensor::with(std::span<const std::int64_t> sizes, std::span<const std::int64_t> strides,
                    std::int64_t offset) const {
  return {view->storage, view->dtype, sizes, strides, offset};
}

Tensor Tensor::withDType(DType t) const { return {view->storage, t, sizes(), strides(), offset()}; }

Tensor Tensor::permuted(std::span<const std::size_t> axes) const {
  Sizes s(axes.size()), d(axes.size());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    s[i] = size(axes[i]);
    d[i] = stride(axes[i]);
  }
  return with(s, d, offset());
}

namespace {

/// Sizes or strides to change. Rank 0 has one axis here, as it has for who names an axis of it.
Sizes extentsOf(std::span<const std::int64_t> extents) {
  return extents.empty() ? Sizes{1} : Sizes(extents.begin(), extents.end());
}

} // namespace

Tensor Tensor::transposed(std::size_t a, std::size_t b) const {
  Sizes s = extentsOf(sizes()), d = extentsOf(strides());
  std::swap(s[a], s[b]);
  std::swap(d[a], d[b]);
  return with(s, d, offset());
}

Tensor Tensor::sliced(std::size_t axis, std::int64_t begin, std::int64_t n, std::int64_t step) const {
  Sizes s = extentsOf(sizes()), d = extentsOf(strides());
  const std::int64_t at = offset() + begin * d[axis];
  s[axis] = n;
  // A step beyond the axis is taken by nobody, and may be any number.
  if (__builtin_mul_overflow(d[axis], step, &d[axis]))
    d[axis] = 1;
  return with(s, d, at);
}

Tensor Tensor::selected(std::size_t axis, std::int64_t index) const {
  Sizes s = extentsOf(sizes()), d = extentsOf(strides());
  const std::int64_t at = offset() + index * d[axis];
  s.erase(s.begin() + static_cast<std::ptrdiff_t>(axis));
  d.erase(d.begin() + static_cast<std::ptrdiff_t>(axis));
  return with(s, d, at);
}

Tensor Tensor::unsqueezed(std::size_t axis) const {
  Sizes s(sizes().begin(), sizes().end()), d(strides().begin(), strides().end());
  std::int64_t fresh = 1;
  if (axis < s.size() && __builtin_mul_overflow(s[axis], d[axis], &fresh))
    fresh = 1;
  s.insert(s.begin() + static_cast<std::ptrdiff_t>(axis), 1);
  d.insert(d.begin() + static_cast<std::ptrdiff_t>(axis), fresh);
  return with(s, d, offset());
}

Tensor Tensor::squeezed(std::size_t axis) const { return selected(axis, 0); }

std::optional<Tensor> Tensor::expanded(std::span<const std::int64_t> to) const {
  if (to.size() < rank() || to.size() > maxRank || !elementCount(to))
    return std::nullopt;
  std::array<std::int64_t, maxRank> d{};
  const std::size_t lead = to.size() - rank();
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (i < lead)
      continue;
    const std::int64_t was = size(i - lead);
    if (was == to[i])
      d[i] = stride(i - lead);
    else if (was != 1)
      return std::nullopt;
  }
  return with(to, std::span(d.data(), to.size()), offset());
}

std::optional<Tensor> Tensor::viewed(std::span<const std::int64_t> to) const {
  if (to.size() > maxRank)
    return std::nullopt;
  if (isContiguous() && numel() != 0) // its strides follow from the sizes
    return with(to, contiguousStrides(to), offset());
  // As torch's computeStride_impl: runs of axes that lie in memory as one.
  if (numel() == 0)
    return with(to, std::ranges::equal(to, sizes()) ? Sizes(strides().begin(), strides().end()) : contiguousStrides(to),
                offset());
  if (rank() == 0)
    return with(to, Sizes(to.size(), 1), offset());
  Sizes result(to.size());
  auto viewAxis = static_cast<std::ptrdiff_t>(to.size()) - 1;
  std::int64_t base = stride(rank() - 1), tensorCount = 1, viewCount = 1;
  for (std::size_t i = rank(); i-- > 0;) {
    tensorCount *= size(i);
    if (i != 0 && (size(i - 1) == 1 || stride(i - 1) == tensorCount * base))
      continue;
    while (viewAxis >= 0 && (viewCount < tensorCount || to[static_cast<std::size_t>(viewAxis)] == 1)) {
      result[static_cast<std::size_t>(viewAxis)] = viewCount * base;
      viewCount *= to[static_cast<std::size_t>(viewAxis)];
      --viewAxis;
    }
    if (viewCount != tensorCount)
      return std::nullopt;
    if (i > 0) {
      base = stride(i - 1);
      tensorCount = viewCount = 1;
    }
  }
  if (viewAxis != -1)
    return std::nullopt;
  return with(to, result, offset());
}

Sizes contiguousStrides(std::span<const std::int64_t> sizes) {
  Sizes strides(sizes.size());
  std::int64_t stride = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= std::max<std::int64_t>(sizes[i], 1);
  }
  return strides;
}

std::optional<std::int64_t> elementCount(std::span<const std::int64_t> sizes) {
  std::int64_t n = 1;
  bool empty = false;
  for (std::int64_t s : sizes) {
    if (s < 0)
      return std::nullopt;
    empty = empty || s == 0;
    if (__builtin_mul_overflow(n, std::max<std::int64_t>(s, 1), &n) || n > (std::int64_t{1} << 59))
      return std::nullopt;
  }
  return empty ? 0 : n;
}

// --- strings --------------------------------------------------------------------

struct StringPool::Impl {
  std::deque<std::string> texts{std::string()};
  std::unordered_map<std::string_view, std::uint64_t> index{{std::string_view(), 0}};
};

StringPool::StringPool() : impl(std::make_unique<Impl>()) {}
StringPool::~StringPool() = default;

std::uint64_t StringPool::intern(std::string_view text) {
  if (const auto it = impl->index.find(text); it != impl->index.end())
    return it->second;
  const std::uint64_t handle = impl->texts.size();
  impl->index.emplace(impl->texts.emplace_back(text), handle);
  return handle;
}

std::string_view StringPool::view(std::uint64_t handle) const {
  return handle < impl->texts.size() ? std::string_view(impl->texts[handle]) : std::string_view();
}

// --- values ---------------------------------------------------------------------

RuntimeValue RuntimeValue::ofInt(std::int64_t v) {
  RuntimeValue r;
  r.kind = ValueKind::SymInt;
  r.number = v;
  return r;
}
RuntimeValue RuntimeValue::ofBool(bool v) {
  RuntimeValue r;
  r.kind = ValueKind::SymBool;
  r.number = v ? 1 : 0;
  return r;
}
RuntimeValue RuntimeValue::ofFloat(double v) {
  RuntimeValue r;
  r.kind = ValueKind::SymFloat;
  r.real = v;
  return r;
}
RuntimeValue RuntimeValue::none() {
  RuntimeValue r;
  r.kind = ValueKind::None;
  return r;
}
RuntimeValue RuntimeValue::sequence(std::vector<RuntimeValue> items) {
  RuntimeValue r;
  r.kind = ValueKind::Sequence;
  r.items = std::make_shared<const std::vector<RuntimeValue>>(std::move(items));
  return r;
}
RuntimeValue RuntimeValue::optional(std::optional<RuntimeValue> item) {
  std::vector<RuntimeValue> items;
  if (item)
    items.push_back(std::move(*item));
  RuntimeValue r = sequence(std::move(items));
  r.kind = ValueKind::Optional;
  return r;
}

} // namespace condlint
