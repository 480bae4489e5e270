//===- Launch.h - Functors on a GPU -----------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What Element.h is for the host: from a functor, what runs it on a GPU. Compiled in
// builds with CUDA only. An error of a launch is the runtime's last error, which the
// device asks for.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_LAUNCH_H
#define CONDLINT_LIB_OPS_KERNELS_LAUNCH_H

#include "../ElementRun.h"
#include <cuda_runtime.h>
#include <type_traits>

namespace condlint {

namespace gpu {

/// Calls \p kernel with enough threads for \p count indices; it takes those beyond in rounds.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), std::int64_t count, void *stream, const Arguments &...arguments) {
  constexpr std::int64_t threads = 256, mostBlocks = 1 << 16;
  if (count <= 0)
    return;
  const std::int64_t blocks = (count + threads - 1) / threads;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(blocks < mostBlocks ? blocks : mostBlocks));
  config.blockDim = dim3(static_cast<unsigned>(threads));
  config.stream = static_cast<cudaStream_t>(stream);
  cudaLaunchKernelEx(&config, kernel, arguments...);
}

__device__ inline std::int64_t firstIndex() {
  return static_cast<std::int64_t>(blockIdx.x) * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
}
__device__ inline std::int64_t indexStep() {
  return static_cast<std::int64_t>(gridDim.x) * static_cast<std::int64_t>(blockDim.x);
}

// --- a functor on each index --------------------------------------------------------

template <class F> __global__ void rangeKernel(const F f, std::int64_t count) {
  for (std::int64_t i = firstIndex(); i < count; i += indexStep())
    f(i);
}
template <class F> void launchRange(const void *functor, std::int64_t count, void *stream) {
  launch(rangeKernel<F>, count, stream, *static_cast<const F *>(functor), count);
}

// --- a functor on each element --------------------------------------------------------

/// The element type that a \p T is.
template <class T> constexpr DType ownType() {
  if constexpr (std::is_same_v<T, float>)
    return DType::Float32;
  else if constexpr (std::is_same_v<T, double>)
    return DType::Float64;
  else if constexpr (std::is_same_v<T, std::int64_t>)
    return DType::Int64;
  else if constexpr (std::is_same_v<T, std::uint64_t>)
    return DType::UInt64;
  else
    return DType::Complex128;
}

// Most elements have the type that they are computed in. What has not is converted out of
// line: the many element types inside of each of the kernels would take minutes to compile.
template <class T> __device__ __noinline__ T loadConverted(DType t, const char *data, std::int64_t i) {
  return loadElement<T>(t, data, i);
}
template <class T> __device__ __noinline__ void storeConverted(DType t, char *data, std::int64_t i, T v) {
  storeElement<T>(t, data, i, v);
}

template <class T> __device__ T loadOperand(const ElementRun &run, int k, std::int64_t at) {
  const char *data = run.place[k].data ? run.place[k].data : run.number[k];
  const DType t = run.place[k].dtype;
  return t == ownType<T>() ? reinterpret_cast<const T *>(data)[at] : loadConverted<T>(t, data, at);
}

template <class T> __device__ void storeResult(const ElementRun &run, std::int64_t at, T v) {
  const auto [data, t] = run.place[0];
  if (t == ownType<T>())
    reinterpret_cast<T *>(data)[at] = v;
  else
    storeConverted<T>(t, data, at, v);
}
__device__ inline void storeResult(const ElementRun &run, std::int64_t at, bool v) {
  const auto [data, t] = run.place[0];
  if (t == DType::Bool)
    reinterpret_cast<std::uint8_t *>(data)[at] = v ? 1 : 0;
  else
    storeConverted<std::int64_t>(t, data, at, v ? 1 : 0);
}

template <class F, class T> __global__ void elementKernel(const F f, const __grid_constant__ ElementRun run) {
  using Result = std::conditional_t<F::predicate, bool, T>;
  for (std::int64_t i = firstIndex(); i < run.count; i += indexStep()) {
    std::int64_t at[F::arity + 1] = {}, rest = i;
    for (std::uint32_t axis = run.rank; axis-- > 0;) {
      const ElementRun::Axis &a = run.axes[axis];
      std::int64_t index = rest;
      if (axis != 0) {
        index = rest % a.size;
        rest /= a.size;
      }
      for (unsigned k = 0; k <= F::arity; ++k)
        at[k] += index * a.stride[k];
    }
    const T x = loadOperand<T>(run, 1, at[1]);
    if constexpr (F::arity == 1) {
      storeResult(run, at[0], static_cast<Result>(f(x)));
    } else {
      const T y = loadOperand<T>(run, 2, at[2]);
      if constexpr (F::arity == 2)
        storeResult(run, at[0], static_cast<Result>(f(x, y)));
      else
        storeResult(run, at[0], static_cast<Result>(f(x, y, loadOperand<T>(run, 3, at[3]))));
    }
  }
}
template <class F, class T> void launchElements(const void *functor, const ElementRun &run, void *stream) {
  launch(elementKernel<F, T>, run.count, stream, *static_cast<const F *>(functor), run);
}

} // namespace gpu

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_LAUNCH_H
