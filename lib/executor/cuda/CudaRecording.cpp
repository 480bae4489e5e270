//===- CudaRecording.cpp - A run as one CUDA graph ------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// A graph with conditional nodes whose branches are graphs inside of it. Branches for
// both outcomes exist since CUDA 12.8, for the program and for the driver.
#include "CudaCheck.h"
#include "CudaDevice.h"
#include "ops/Convert.h"
#include "ops/kernels/Launch.h"

namespace condlint {

#if CUDART_VERSION < 12080

GraphRecorder *CudaDevice::recorder() { return nullptr; }
void CudaDevice::beginGraph() {}
std::unique_ptr<RecordedGraph> CudaDevice::endGraph() { return nullptr; }
void CudaDevice::cancelGraph() {}
void CudaDevice::addConditional(const Tensor &) {}
void CudaDevice::beginBranch() {}
void CudaDevice::endBranch() {}

#else

namespace {

/// Where a capture stands: its graph, and the nodes that come last.
struct Capture {
  cudaGraph_t graph = nullptr;
  const cudaGraphNode_t *last = nullptr;
  const cudaGraphEdgeData *edges = nullptr;
  std::size_t count = 0;
};

// CUDA 13 gave these the names that earlier versions of them had.
#if CUDART_VERSION >= 13000
cudaError_t ask(cudaStream_t s, cudaStreamCaptureStatus &status, Capture &c) {
  return cudaStreamGetCaptureInfo(s, &status, nullptr, &c.graph, &c.last, &c.edges, &c.count);
}
cudaError_t add(cudaGraphNode_t &node, const Capture &c, cudaGraphNodeParams &params) {
  return cudaGraphAddNode(&node, c.graph, c.last, c.edges, c.count, &params);
}
cudaError_t continueAfter(cudaStream_t s, cudaGraphNode_t node) {
  return cudaStreamUpdateCaptureDependencies(s, &node, nullptr, 1, cudaStreamSetCaptureDependencies);
}
#else
cudaError_t ask(cudaStream_t s, cudaStreamCaptureStatus &status, Capture &c) {
  return cudaStreamGetCaptureInfo_v3(s, &status, nullptr, &c.graph, &c.last, &c.edges, &c.count);
}
cudaError_t add(cudaGraphNode_t &node, const Capture &c, cudaGraphNodeParams &params) {
  return cudaGraphAddNode_v2(&node, c.graph, c.last, c.edges, c.count, &params);
}
cudaError_t continueAfter(cudaStream_t s, cudaGraphNode_t node) {
  return cudaStreamUpdateCaptureDependencies_v2(s, &node, nullptr, 1, cudaStreamSetCaptureDependencies);
}
#endif

Capture captureOf(cudaStream_t s) {
  Capture c;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  check(ask(s, status, c), "tell what it records");
  if (status != cudaStreamCaptureStatusActive)
    throw KernelFailure{"CUDA has stopped recording"};
  return c;
}

/// Whether a kernel can be started before what goes before it has ended.
bool canWaitOnTheGpu() {
  int major = 0;
  return cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0) == cudaSuccess && major >= 9;
}

__global__ void decide(cudaGraphConditionalHandle handle, DType t, const char *predicate) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
  cudaGraphSetConditional(handle, gpu::loadConverted<ComplexDouble>(t, predicate, 0) != ComplexDouble(0) ? 1U : 0U);
}

} // namespace

/// A graph that can be launched, and the memory that it works on.
class CudaDevice::Graph final : public RecordedGraph {
public:
  Graph(CudaDevice &onDevice, cudaGraph_t recorded) : device(onDevice), graph(recorded) {
    memory.swap(device.kept);
    if (const cudaError_t status = cudaGraphInstantiate(&executable, graph, 0); status != cudaSuccess) {
      release();
      check(status, "make a graph of the run");
    }
  }
  ~Graph() override {
    cudaStreamSynchronize(device.stream);
    cudaGraphExecDestroy(executable);
    release();
  }
  Graph(const Graph &) = delete;
  Graph &operator=(const Graph &) = delete;

  void launch() override { check(cudaGraphLaunch(executable, device.stream), "launch a graph"); }

private:
  void release() {
    cudaGraphDestroy(graph);
    for (const Block &b : memory) {
      device.keptBytes -= b.bytes;
      device.giveBack(b.data, b.bytes);
    }
  }

  CudaDevice &device;
  cudaGraph_t graph;
  cudaGraphExec_t executable = nullptr;
  std::vector<Block> memory;
};

GraphRecorder *CudaDevice::recorder() { return this; }

/// The stream to capture the next graph inside from.
CUstream_st *CudaDevice::nextStream() {
  if (streams.size() == openGraphs.size()) {
    CUstream_st *fresh = nullptr;
    check(cudaStreamCreateWithFlags(&fresh, cudaStreamNonBlocking), "make a stream");
    streams.push_back(fresh);
  }
  return streams[openGraphs.size()];
}

// Relaxed: the same thread goes on using the first stream.
void CudaDevice::beginGraph() {
  check(cudaStreamBeginCapture(nextStream(), cudaStreamCaptureModeRelaxed), "record a graph");
  openGraphs.push_back(++graphCount);
}

std::unique_ptr<RecordedGraph> CudaDevice::endGraph() {
  cudaGraph_t graph = nullptr;
  check(cudaStreamEndCapture(streams[0], &graph), "record a graph to its end");
  openGraphs.clear();
  return std::make_unique<Graph>(*this, graph);
}

void CudaDevice::cancelGraph() {
  suspended = false;
  for (; !openGraphs.empty(); openGraphs.pop_back()) {
    cudaGraph_t graph = nullptr;
    cudaStreamEndCapture(streams[openGraphs.size() - 1], &graph);
    // A branch belongs to the graph around it.
    if (openGraphs.size() == 1 && graph != nullptr)
      cudaGraphDestroy(graph);
  }
  static_cast<void>(cudaGetLastError());
  conditionals.clear();
  for (const Block &b : std::exchange(kept, {})) {
    keptBytes -= b.bytes;
    giveBack(b.data, b.bytes);
  }
}

void CudaDevice::addConditional(const Tensor &predicate) {
  CUstream_st *const here = queue();
  const char *data = predicate.deviceBytes();
  cudaGraphNodeParams params = {}; // NOLINT(bugprone-invalid-enum-default-initialization): the type follows
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.type = cudaGraphCondTypeIf;
  params.conditional.size = 2;
  check(cudaGraphConditionalHandleCreate(&params.conditional.handle, captureOf(here).graph, 0, 0),
        "make a conditional");
  // It may be brought to the GPU while what computes the predicate still runs, and waits there: that
  // saves 3 of the 7 microseconds that a conditional costs.
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = config.blockDim = dim3(1);
  config.stream = here;
  config.attrs = &early;
  config.numAttrs = canWaitOnTheGpu() ? 1 : 0;
  cudaLaunchKernelEx(&config, decide, params.conditional.handle, predicate.dtype(), data);
  check(cudaGetLastError(), "launch a kernel");
  cudaGraphNode_t node = nullptr;
  check(add(node, captureOf(here), params), "make a conditional with two branches");
  check(continueAfter(here, node), "record what follows a conditional");
  conditionals.push_back({{params.conditional.phGraph_out[0], params.conditional.phGraph_out[1]}, 0});
}

void CudaDevice::beginBranch() {
  OpenConditional &c = conditionals.back();
  check(cudaStreamBeginCaptureToGraph(nextStream(), c.branches[c.next++], nullptr, nullptr, 0,
                                      cudaStreamCaptureModeRelaxed),
        "record a branch");
  openGraphs.push_back(++graphCount);
}

void CudaDevice::endBranch() {
  CUstream_st *const here = queue();
  openGraphs.pop_back();
  cudaGraph_t graph = nullptr;
  check(cudaStreamEndCapture(here, &graph), "record a branch to its end");
}

#endif

} // namespace condlint
