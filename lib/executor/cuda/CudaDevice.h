//===- CudaDevice.h - Kernels on an NVIDIA GPU ------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_EXECUTOR_CUDA_CUDADEVICE_H
#define CONDLINT_LIB_EXECUTOR_CUDA_CUDADEVICE_H

#include "../GraphRecorder.h"
#include "condlint/Expected.h"
#include "ops/Device.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

struct CUgraph_st;
struct CUstream_st;

namespace condlint {

struct Cublas;

/// Runs kernels on the first GPU, in order, on one stream. All that is asked for is only
/// queued; `download` and `finish` wait. Memory comes from the device's pool, in stream
/// order, so it can be given back while kernels that use it still wait. A call that
/// fails throws a `KernelFailure` with CUDA's words.
///
/// What is recorded is captured from streams of its own, one for the graph and one for each
/// branch inside of another, while copies to the device and what is done at once go to
/// the first stream (CudaRecording.cpp).
class CudaDevice final : public Device, private GraphRecorder {
public:
  CudaDevice();
  ~CudaDevice() override;
  CudaDevice(const CudaDevice &) = delete;
  CudaDevice &operator=(const CudaDevice &) = delete;

  std::string_view name() const override { return "cuda"; }
  std::uint64_t freeMemory() const override;
  bool isParallel() const override { return true; }
  void finish() override;

  void copy(void *to, const void *from, std::size_t bytes) override;
  void fill(void *to, int byte, std::size_t bytes) override;
  void elementwise(const ElementLoops &loops, const void *functor, Compute compute, std::span<const std::int64_t> shape,
                   const ElementOperand &out, std::span<const ElementOperand> in) override;
  void convert(std::span<const std::int64_t> shape, const ElementOperand &out, const ElementOperand &in) override;
  void run(const RangeLoop &loop, const void *functor, std::int64_t count) override;
  void multiply(const MatrixProduct &p) override;
  GraphRecorder *recorder() override;

protected:
  char *obtain(std::size_t bytes) override;
  void giveBack(char *data, std::size_t bytes) override;
  bool isRemote() const override { return true; }
  void upload(char *to, const char *from, std::size_t bytes) override;
  void download(char *to, const char *from, std::size_t bytes) override;

private:
  class Graph;
  struct Block {
    char *data;
    std::size_t bytes;
  };
  /// A conditional whose branches are being recorded.
  struct OpenConditional {
    CUgraph_st *branches[2] = {};
    std::size_t next = 0;
  };

  void beginGraph() override;
  std::unique_ptr<RecordedGraph> endGraph() override;
  void cancelGraph() override;
  void suspend(bool yes) override { suspended = yes; }
  void addConditional(const Tensor &predicate) override;
  void beginBranch() override;
  void endBranch() override;
  void endConditional() override { conditionals.pop_back(); }
  void adopt(const Tensor &t) override { Device::adopt(t.storage()); }
  bool computes(const Tensor &t) const override { return isAdopted(t.storage()); }

  /// Where work goes now.
  CUstream_st *queue() const { return recordedGraph() != 0 ? streams[openGraphs.size() - 1] : stream; }
  /// A stream to capture the next graph inside from.
  CUstream_st *nextStream();
  void useLibraryOn(CUstream_st *s);

  CUstream_st *stream = nullptr;
  const Cublas *library = nullptr;      ///< null where cuBLAS is not installed
  void *handle = nullptr;               ///< cuBLAS'
  void *workspace = nullptr;            ///< cuBLAS', in a graph, which cannot obtain memory
  CUstream_st *libraryStream = nullptr; ///< where cuBLAS works
  std::vector<CUstream_st *> streams;   ///< to capture from
  std::vector<OpenConditional> conditionals;
  std::vector<Block> kept;     ///< given back while a graph is recorded, which may use it
  std::uint64_t keptBytes = 0; ///< of `kept` and of the graphs that live
  std::uint32_t graphCount = 0;
};

/// Why no GPU can be used here; nothing when one can.
std::optional<std::string> cudaProblem();
Expected<std::unique_ptr<Device>> makeCudaDevice();

} // namespace condlint

#endif // CONDLINT_LIB_EXECUTOR_CUDA_CUDADEVICE_H
