//===- CpuDevice.h - Kernels on the processor ------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_EXECUTOR_CPU_CPUDEVICE_H
#define CONDLINT_LIB_EXECUTOR_CPU_CPUDEVICE_H

#include "ops/Device.h"
#include <unordered_map>
#include <vector>

namespace condlint {

/// Runs kernels in the calling thread.
class CpuDevice final : public Device {
public:
  CpuDevice();
  ~CpuDevice() override;
  CpuDevice(const CpuDevice &) = delete;
  CpuDevice &operator=(const CpuDevice &) = delete;
  std::string_view name() const override { return "cpu"; }
  std::uint64_t freeMemory() const override;
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

private:
  /// Large blocks that were given back, by size: the next node asks for as many bytes, and the
  /// system would make their pages anew.
  std::unordered_map<std::size_t, std::vector<char *>> kept;
  std::size_t keptBytes = 0;
};

} // namespace condlint

#endif // CONDLINT_LIB_EXECUTOR_CPU_CPUDEVICE_H
