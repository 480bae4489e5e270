//===- CudaDevice.h - Kernels on an NVIDIA GPU ------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_EXECUTOR_CUDA_CUDADEVICE_H
#define CONDLINT_LIB_EXECUTOR_CUDA_CUDADEVICE_H

#include "condlint/Expected.h"
#include "ops/Device.h"
#include <memory>
#include <optional>
#include <string>

struct CUstream_st;

namespace condlint {

struct Cublas;

/// Runs kernels on the first GPU, in order, on one stream. All that is asked for is only
/// queued; `download` and `finish` wait. Memory comes from the device's pool, in stream
/// order, so it can be given back while kernels that use it still wait. A call that
/// fails throws a `KernelFailure` with CUDA's words.
class CudaDevice final : public Device {
public:
  CudaDevice();
  ~CudaDevice() override;
  CudaDevice(const CudaDevice &) = delete;
  CudaDevice &operator=(const CudaDevice &) = delete;

  std::string_view name() const override { return "cuda"; }
  std::uint64_t freeMemory() const override;
  void finish() override;

  void copy(void *to, const void *from, std::size_t bytes) override;
  void fill(void *to, int byte, std::size_t bytes) override;
  void elementwise(const ElementLoops &loops, const void *functor, Compute compute, std::span<const std::int64_t> shape,
                   const ElementOperand &out, std::span<const ElementOperand> in) override;
  void convert(std::span<const std::int64_t> shape, const ElementOperand &out, const ElementOperand &in) override;
  void run(const RangeLoop &loop, const void *functor, std::int64_t count) override;
  void multiply(const MatrixProduct &p) override;

protected:
  char *obtain(std::size_t bytes) override;
  void giveBack(char *data, std::size_t bytes) override;
  bool isRemote() const override { return true; }
  void upload(char *to, const char *from, std::size_t bytes) override;
  void download(char *to, const char *from, std::size_t bytes) override;

private:
  CUstream_st *stream = nullptr;
  const Cublas *library = nullptr; ///< null where cuBLAS is not installed
  void *handle = nullptr;          ///< cuBLAS'
};

/// Why no GPU can be used here; nothing when one can.
std::optional<std::string> cudaProblem();
Expected<std::unique_ptr<Device>> makeCudaDevice();

} // namespace condlint

#endif // CONDLINT_LIB_EXECUTOR_CUDA_CUDADEVICE_H
