//===- CudaDevice.cpp - Kernels on an NVIDIA GPU --------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The kernels are not here: each functor of lib/ops/kernels brings what launches it
// (Launch.h). tests/cuda compiles this file for a host that plays the GPU.
#include "CudaDevice.h"
#include "../PlainProduct.h"
#include "Cublas.h"
#include "CudaCheck.h"
#include "ops/Kernel.h"
#include "ops/kernels/Functors.h"
#include <array>
#include <cuda_runtime.h>
#include <fmt/format.h>

namespace condlint {

namespace {

/// What NVIDIA advises for the newest GPUs.
constexpr std::size_t workspaceBytes = std::size_t{32} << 20;

void checkCublas(int status, std::string_view what) {
  if (status != 0)
    throw KernelFailure{fmt::format("cuBLAS cannot {}: its status is {}", what, status)};
}

/// The run with its operands where the device finds them. The result comes last: who
/// writes it may read it too.
ElementRun onDevice(std::span<const std::int64_t> shape, const ElementOperand &out,
                    std::span<const ElementOperand> in) {
  ElementRun run(shape, out, in);
  for (std::size_t k = 0; k < in.size(); ++k) {
    const ElementOperand &o = in[k];
    run.place[k + 1] = {nullptr, o.dtype};
    if (o.storage) // NOLINTNEXTLINE: operands are only read
      run.place[k + 1].data = const_cast<char *>(o.storage->deviceBytes()) + o.byteOffset;
    else
      std::memcpy(run.number[k + 1], o.number, elementBytes(o.dtype));
  }
  run.place[0] = {out.storage->deviceBytesToWrite() + out.byteOffset, out.dtype};
  return run;
}

/// An element type of \p bytes that is copied bit for bit.
DType bitsType(std::size_t bytes) {
  switch (bytes) {
  case 1:
    return DType::UInt8;
  case 2:
    return DType::UInt16;
  case 4:
    return DType::UInt32;
  case 8:
    return DType::Int64;
  default:
    return DType::Complex128;
  }
}

} // namespace

CudaDevice::CudaDevice() : library(cublas()) {
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "make a stream");
  // What is given back stays in the pool, for what comes next.
  cudaMemPool_t pool = nullptr;
  check(cudaDeviceGetDefaultMemPool(&pool, 0), "find the memory pool");
  std::uint64_t keep = UINT64_MAX;
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep), "set up the memory pool");
  if (!library)
    return;
  checkCublas(library->create(&handle), "start");
  useLibraryOn(stream);
}

CudaDevice::~CudaDevice() {
  if (handle)
    library->destroy(handle);
  if (workspace)
    cudaFreeAsync(workspace, stream);
  for (CUstream_st *s : streams)
    cudaStreamDestroy(s);
  cudaStreamDestroy(stream);
}

/// Sets cuBLAS' stream, which takes its workspace away: one to record from needs another.
void CudaDevice::useLibraryOn(CUstream_st *s) {
  if (libraryStream == s)
    return;
  checkCublas(library->setStream(handle, s), "use the stream");
  libraryStream = nullptr;
  if (s != stream) {
    if (!workspace)
      workspace = obtain(workspaceBytes);
    if (!workspace)
      throw KernelFailure{"there is no memory for cuBLAS"};
    checkCublas(library->setWorkspace(handle, workspace, workspaceBytes), "use its workspace");
  }
  libraryStream = s;
}

std::uint64_t CudaDevice::freeMemory() const {
  std::size_t available = 0, total = 0;
  check(cudaMemGetInfo(&available, &total), "tell its memory");
  return available;
}

void CudaDevice::finish() { check(cudaStreamSynchronize(stream), "finish"); }

char *CudaDevice::obtain(std::size_t bytes) {
  if (keptBytes > memoryLimit() || used() > memoryLimit() - keptBytes)
    return nullptr;
  void *data = nullptr;
  if (cudaMallocAsync(&data, bytes == 0 ? 1 : bytes, stream) == cudaSuccess)
    return static_cast<char *>(data);
  static_cast<void>(cudaGetLastError()); // the caller says it
  return nullptr;
}

// An error would come up again where the next call is checked.
void CudaDevice::giveBack(char *data, std::size_t bytes) {
  if (!isRecording()) {
    static_cast<void>(cudaFreeAsync(data, stream));
    return;
  }
  kept.push_back({data, bytes});
  keptBytes += bytes;
}

void CudaDevice::copy(void *to, const void *from, std::size_t bytes) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, queue()), "copy");
}

void CudaDevice::fill(void *to, int byte, std::size_t bytes) {
  check(cudaMemsetAsync(to, byte, bytes, queue()), "fill memory");
}

// The host's side is ordinary memory: CUDA has read it when `upload` returns.
void CudaDevice::upload(char *to, const char *from, std::size_t bytes) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream), "copy to the GPU");
}

void CudaDevice::download(char *to, const char *from, std::size_t bytes) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream), "copy from the GPU");
  finish();
}

void CudaDevice::elementwise(const ElementLoops &loops, const void *functor, Compute compute,
                             std::span<const std::int64_t> shape, const ElementOperand &out,
                             std::span<const ElementOperand> in) {
  const ElementLoops::Launch launch = loops.launch[static_cast<std::size_t>(compute)];
  if (!launch) // a file that is missing among device_sources of lib/ops/CMakeLists.txt
    throw KernelFailure{"this operator is compiled without CUDA"};
  launch(functor, onDevice(shape, out, in), queue());
  check(cudaGetLastError(), "launch a kernel");
}

void CudaDevice::convert(std::span<const std::int64_t> shape, const ElementOperand &out, const ElementOperand &in) {
  ElementRun r = onDevice(shape, out, std::span(&in, 1));
  Compute compute = computeOf(in.dtype);
  if (in.dtype == out.dtype) {
    const std::size_t width = elementBytes(in.dtype);
    const ElementRun::Axis &axis = r.inner();
    if (r.rank == 1 && ((axis.stride[0] == 1 && axis.stride[1] == 1) || axis.size == 1))
      return copy(r.place[0].data, r.place[1].data, static_cast<std::size_t>(r.count) * width);
    r.place[0].dtype = r.place[1].dtype = bitsType(width);
    compute = computeOf(bitsType(width));
  }
  const Same same;
  elementLoops<Same>().launch[static_cast<std::size_t>(compute)](&same, r, queue());
  check(cudaGetLastError(), "launch a copy");
}

void CudaDevice::run(const RangeLoop &loop, const void *functor, std::int64_t count) {
  if (!loop.launch)
    throw KernelFailure{"this operator is compiled without CUDA"};
  loop.launch(functor, count, queue());
  check(cudaGetLastError(), "launch a kernel");
}

void CudaDevice::multiply(const MatrixProduct &p) {
  if (!library || !p.fitsLibraries())
    return multiplyPlainly(*this, p);
  useLibraryOn(queue());
  // Rows that lie densely are the columns of the transposed matrix: C' = B' A'.
  const auto i = [](std::int64_t v) { return static_cast<int>(v); };
  const auto call = [&](auto gemm, const auto *alpha, const auto *beta) {
    using T = std::remove_const_t<std::remove_pointer_t<decltype(alpha)>>;
    checkCublas(gemm(handle, p.transposeB ? 1 : 0, p.transposeA ? 1 : 0, i(p.n), i(p.m), i(p.k), alpha,
                     static_cast<const T *>(p.b), i(p.ldb), static_cast<const T *>(p.a), i(p.lda), beta,
                     static_cast<T *>(p.c), i(p.ldc)),
                "multiply matrices");
  };
  if (p.dtype == DType::Float32) {
    const auto alpha = static_cast<float>(p.alpha), beta = static_cast<float>(p.beta);
    call(library->sgemm, &alpha, &beta);
  } else if (p.dtype == DType::Float64) {
    call(library->dgemm, &p.alpha, &p.beta);
  } else {
    const ComplexDouble alpha(p.alpha), beta(p.beta);
    call(library->zgemm, static_cast<const void *>(&alpha), static_cast<const void *>(&beta));
  }
}

std::optional<std::string> cudaProblem() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  static_cast<void>(cudaGetLastError());
  if (status != cudaSuccess)
    return fmt::format("there is no device 'cuda' here: {}", cudaGetErrorString(status));
  if (count == 0)
    return "there is no device 'cuda' here: CUDA finds no GPU";
  return std::nullopt;
}

Expected<std::unique_ptr<Device>> makeCudaDevice() {
  try {
    return std::unique_ptr<Device>(std::make_unique<CudaDevice>());
  } catch (const KernelFailure &e) {
    return Error{{}, {}, "the device 'cuda' cannot be used: " + e.message, {}};
  }
}

} // namespace condlint
