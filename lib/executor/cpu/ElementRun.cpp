//===- ElementRun.cpp - An element's work, on the CPU ---------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ops/ElementRun.h"
#include "CpuDevice.h"
#include "ops/Convert.h"
#include <algorithm>
#include <array>
#include <cstring>

namespace condlint {

namespace {

// --- loading and storing runs of elements -----------------------------------------

using Load = void (*)(const char *data, std::int64_t stride, void *to, std::int64_t n);
using Store = void (*)(char *data, std::int64_t stride, const void *from, std::int64_t n);

template <class C, DType t> void loadRun(const char *data, std::int64_t stride, void *to, std::int64_t n) {
  auto *o = static_cast<C *>(to);
  if (stride == 1)
    for (std::int64_t i = 0; i < n; ++i)
      o[i] = loadElement<C>(t, data, i);
  else if (stride == 0)
    std::fill_n(o, n, loadElement<C>(t, data, 0));
  else
    for (std::int64_t i = 0; i < n; ++i)
      o[i] = loadElement<C>(t, data, i * stride);
}

template <class C, DType t> void storeRun(char *data, std::int64_t stride, const void *from, std::int64_t n) {
  const auto *v = static_cast<const C *>(from);
  if (stride == 1)
    for (std::int64_t i = 0; i < n; ++i)
      storeElement<C>(t, data, i, v[i]);
  else
    for (std::int64_t i = 0; i < n; ++i)
      storeElement<C>(t, data, i * stride, v[i]);
}

constexpr std::size_t dtypeCount = static_cast<std::size_t>(DType::String) + 1;

template <class C, std::size_t... I> constexpr std::array<Load, dtypeCount> loadsOf(std::index_sequence<I...>) {
  return {loadRun<C, static_cast<DType>(I)>...};
}
template <class C, std::size_t... I> constexpr std::array<Store, dtypeCount> storesOf(std::index_sequence<I...>) {
  return {storeRun<C, static_cast<DType>(I)>...};
}
using AllTypes = std::make_index_sequence<dtypeCount>;

constexpr std::array<std::array<Load, dtypeCount>, computeCount> loads{
    loadsOf<float>(AllTypes()), loadsOf<double>(AllTypes()), loadsOf<std::int64_t>(AllTypes()),
    loadsOf<std::uint64_t>(AllTypes()), loadsOf<ComplexDouble>(AllTypes())};
constexpr std::array<std::array<Store, dtypeCount>, computeCount> stores{
    storesOf<float>(AllTypes()), storesOf<double>(AllTypes()), storesOf<std::int64_t>(AllTypes()),
    storesOf<std::uint64_t>(AllTypes()), storesOf<ComplexDouble>(AllTypes())};

/// A predicate's bytes to any element type.
void storeTruths(DType t, char *data, std::int64_t stride, const std::uint8_t *from, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i)
    storeElement<std::int64_t>(t, data, i * stride, from[i]);
}

/// Copies a run of elements of \p width bytes.
template <std::size_t width>
void copyRun(char *to, std::int64_t toStride, const char *from, std::int64_t fromStride, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i)
    std::memcpy(to + i * toStride * static_cast<std::int64_t>(width),
                from + i * fromStride * static_cast<std::int64_t>(width), width);
}

// --- the iteration ----------------------------------------------------------------

using Addresses = std::array<char *, ElementRun::maxOperands>;

/// Calls \p row with the operands' addresses for each run of the innermost axis.
template <class Row> void eachRow(const ElementRun &run, const Row &row) {
  Addresses at{};
  std::array<std::int64_t, ElementRun::maxOperands> width{};
  for (std::size_t k = 0; k < run.operands; ++k) {
    at[k] = run.place[k].data;
    width[k] = static_cast<std::int64_t>(elementBytes(run.place[k].dtype));
  }
  const std::size_t outer = run.rank - 1;
  if (outer == 0)
    return row(at);
  std::array<std::int64_t, Tensor::maxRank> index;
  std::fill_n(index.begin(), outer, 0);
  for (;;) {
    row(at);
    std::size_t axis = outer;
    while (axis-- > 0) {
      const ElementRun::Axis &a = run.axes[axis];
      for (std::size_t k = 0; k < run.operands; ++k)
        at[k] += a.stride[k] * width[k];
      if (++index[axis] < a.size)
        break;
      for (std::size_t k = 0; k < run.operands; ++k)
        at[k] -= a.stride[k] * width[k] * a.size;
      index[axis] = 0;
      if (axis == 0)
        return;
    }
  }
}

/// The run with its operands where the host finds them.
ElementRun onHost(std::span<const std::int64_t> shape, const ElementOperand &out, std::span<const ElementOperand> in) {
  ElementRun run(shape, out, in);
  for (std::size_t k = 0; k < in.size(); ++k) {
    const ElementOperand &o = in[k];
    const char *data = o.storage ? o.storage->hostBytes() + o.byteOffset : static_cast<const char *>(o.number);
    run.place[k + 1] = {const_cast<char *>(data), o.dtype}; // NOLINT: operands are only read
  }
  run.place[0] = {out.storage->hostBytesToWrite() + out.byteOffset, out.dtype};
  return run;
}

/// Elements handled at a time when something must be converted.
constexpr std::int64_t chunk = 512;

} // namespace

void CpuDevice::elementwise(const ElementLoops &loops, const void *functor, Compute compute,
                            std::span<const std::int64_t> shape, const ElementOperand &out,
                            std::span<const ElementOperand> in) {
  const ElementLoops::Loop loop = loops.loop[static_cast<std::size_t>(compute)];
  const std::size_t arity = in.size();
  const ElementRun it = onHost(shape, out, in);
  if (it.count == 0)
    return;
  const ElementRun::Axis &inner = it.inner();
  const DType own = dtypeOf(compute);
  const auto &load = loads[static_cast<std::size_t>(compute)];
  const Store store = stores[static_cast<std::size_t>(compute)][static_cast<std::size_t>(out.dtype)];

  alignas(64) char buffers[ElementRun::maxOperands][chunk * sizeof(ComplexDouble)];
  std::array<bool, ElementRun::maxOperands> direct{};
  std::array<bool, ElementRun::maxOperands> loaded{};
  const bool single = inner.size == 1;
  direct[0] = (inner.stride[0] == 1 || single) && out.dtype == (loops.predicate ? DType::Bool : own);
  bool allDirect = direct[0];
  for (std::size_t k = 1; k <= arity; ++k) {
    const ElementRun::Place &o = it.place[k];
    direct[k] = o.dtype == own && (inner.stride[k] == 1 || single);
    if (!direct[k]) {
      bool constant = true;
      for (std::size_t a = 0; a < it.rank; ++a)
        constant = constant && (it.axes[a].stride[k] == 0 || it.axes[a].size == 1);
      if (constant) {
        load[static_cast<std::size_t>(o.dtype)](o.data, 0, buffers[k], std::min(inner.size, chunk));
        loaded[k] = true;
      }
    }
    allDirect = allDirect && direct[k];
  }
  const std::int64_t step = allDirect ? inner.size : chunk;
  const auto ownBytes = static_cast<std::int64_t>(elementBytes(own));
  const auto outBytes = static_cast<std::int64_t>(elementBytes(out.dtype));
  eachRow(it, [&](const Addresses &at) {
    for (std::int64_t begin = 0; begin < inner.size; begin += step) {
      const std::int64_t n = std::min(step, inner.size - begin);
      std::array<const void *, ElementRun::maxOperands> from{};
      for (std::size_t k = 1; k <= arity; ++k) {
        if (direct[k]) {
          from[k - 1] = at[k] + begin * ownBytes;
          continue;
        }
        if (!loaded[k]) {
          const DType t = it.place[k].dtype;
          load[static_cast<std::size_t>(t)](at[k] +
                                                begin * inner.stride[k] * static_cast<std::int64_t>(elementBytes(t)),
                                            inner.stride[k], buffers[k], n);
        }
        from[k - 1] = buffers[k];
      }
      char *to = at[0] + begin * inner.stride[0] * outBytes;
      if (direct[0]) {
        loop(functor, to, from.data(), n);
        continue;
      }
      loop(functor, buffers[0], from.data(), n);
      if (loops.predicate)
        storeTruths(out.dtype, to, inner.stride[0], reinterpret_cast<const std::uint8_t *>(buffers[0]), n);
      else
        store(to, inner.stride[0], buffers[0], n);
    }
  });
}

void CpuDevice::convert(std::span<const std::int64_t> shape, const ElementOperand &out, const ElementOperand &in) {
  const ElementRun it = onHost(shape, out, std::span(&in, 1));
  if (it.count == 0)
    return;
  const ElementRun::Axis &inner = it.inner();
  if (in.dtype == out.dtype) {
    const std::size_t width = elementBytes(in.dtype);
    eachRow(it, [&](const Addresses &at) {
      if ((inner.stride[0] == 1 && inner.stride[1] == 1) || inner.size == 1) {
        std::memmove(at[0], at[1], static_cast<std::size_t>(inner.size) * width);
        return;
      }
      switch (width) {
      case 1:
        return copyRun<1>(at[0], inner.stride[0], at[1], inner.stride[1], inner.size);
      case 2:
        return copyRun<2>(at[0], inner.stride[0], at[1], inner.stride[1], inner.size);
      case 4:
        return copyRun<4>(at[0], inner.stride[0], at[1], inner.stride[1], inner.size);
      case 8:
        return copyRun<8>(at[0], inner.stride[0], at[1], inner.stride[1], inner.size);
      default:
        return copyRun<16>(at[0], inner.stride[0], at[1], inner.stride[1], inner.size);
      }
    });
    return;
  }
  const auto compute = static_cast<std::size_t>(computeOf(in.dtype));
  const Load load = loads[compute][static_cast<std::size_t>(in.dtype)];
  const Store store = stores[compute][static_cast<std::size_t>(out.dtype)];
  alignas(64) char buffer[chunk * sizeof(ComplexDouble)];
  const auto inBytes = static_cast<std::int64_t>(elementBytes(in.dtype));
  const auto outBytes = static_cast<std::int64_t>(elementBytes(out.dtype));
  eachRow(it, [&](const Addresses &at) {
    for (std::int64_t begin = 0; begin < inner.size; begin += chunk) {
      const std::int64_t n = std::min(chunk, inner.size - begin);
      load(at[1] + begin * inner.stride[1] * inBytes, inner.stride[1], buffer, n);
      store(at[0] + begin * inner.stride[0] * outBytes, inner.stride[0], buffer, n);
    }
  });
}

} // namespace condlint
