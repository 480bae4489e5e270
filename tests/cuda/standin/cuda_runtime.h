//===- cuda_runtime.h - A host that plays the GPU ---------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What condlint calls of the CUDA runtime, so that lib/executor/cuda and the launchers
// of the kernels can be tested where there is no GPU. A kernel runs on the host, one
// thread after the other. The device's memory is a heap of its own whose pages can be
// touched only while a kernel runs or CUDA copies; what `operator new` gives, and so
// every container, can be touched only while none does. Memory that is given back is
// overwritten. So code that takes one memory for the other fails here too.
//
// What a stream captures is kept and runs when its graph is launched; a conditional's
// handle is set by a kernel and read there, as on a GPU (StandinGraph.cpp).
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TESTS_CUDA_STANDIN_CUDA_RUNTIME_H
#define CONDLINT_TESTS_CUDA_STANDIN_CUDA_RUNTIME_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <tuple>

#define CUDART_VERSION 13000

#define __global__
#define __device__
#define __host__
#define __grid_constant__
// Nothing: libstdc++'s headers write __attribute__((__noinline__)).
#define __noinline__

enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorNoDevice = 100,
  cudaErrorStreamCaptureUnsupported = 900
};
enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2, cudaMemcpyDeviceToDevice = 3 };
enum cudaMemPoolAttr { cudaMemPoolAttrReleaseThreshold = 4 };
enum { cudaStreamNonBlocking = 1 };
struct CUstream_st;
using cudaStream_t = CUstream_st *;
struct CUmemPoolHandle_st;
using cudaMemPool_t = CUmemPoolHandle_st *;

enum cudaStreamCaptureMode { cudaStreamCaptureModeRelaxed = 2 };
enum cudaStreamCaptureStatus { cudaStreamCaptureStatusNone, cudaStreamCaptureStatusActive };
enum { cudaStreamSetCaptureDependencies = 1 };
struct CUgraph_st;
using cudaGraph_t = CUgraph_st *;
struct CUgraphNode_st;
using cudaGraphNode_t = CUgraphNode_st *;
struct CUgraphExec_st;
using cudaGraphExec_t = CUgraphExec_st *;
struct cudaGraphEdgeData {};
using cudaGraphConditionalHandle = unsigned long long;
enum cudaGraphConditionalNodeType { cudaGraphCondTypeIf };
enum cudaGraphNodeType { cudaGraphNodeTypeConditional = 13 };
struct cudaConditionalNodeParams {
  cudaGraphConditionalHandle handle;
  cudaGraphConditionalNodeType type;
  unsigned size;
  cudaGraph_t *phGraph_out;
};
struct cudaGraphNodeParams {
  cudaGraphNodeType type;
  cudaConditionalNodeParams conditional;
};

struct dim3 {
  unsigned x = 1, y = 1, z = 1;
  dim3() = default;
  explicit dim3(unsigned size) : x(size) {}
};
enum cudaLaunchAttributeID { cudaLaunchAttributeProgrammaticStreamSerialization };
union cudaLaunchAttributeValue {
  int programmaticStreamSerializationAllowed;
};
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  cudaStream_t stream = nullptr;
  const cudaLaunchAttribute *attrs = nullptr; // kernels run one after the other here
  unsigned numAttrs = 0;
};
inline dim3 gridDim, blockDim;
inline dim3 blockIdx, threadIdx;

enum cudaDeviceAttr { cudaDevAttrComputeCapabilityMajor };
inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr, int) {
  *value = 9;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetLastError();
const char *cudaGetErrorString(cudaError_t status);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value);
cudaError_t cudaMemGetInfo(std::size_t *available, std::size_t *total);
cudaError_t cudaMallocAsync(void **data, std::size_t bytes, cudaStream_t stream);
cudaError_t cudaFreeAsync(void *data, cudaStream_t stream);
cudaError_t cudaMemcpyAsync(void *to, const void *from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t cudaMemsetAsync(void *to, int byte, std::size_t bytes, cudaStream_t stream);

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                                          const cudaGraphEdgeData *edges, std::size_t count,
                                          cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus *status, unsigned long long *id,
                                     cudaGraph_t *graph, const cudaGraphNode_t **dependencies,
                                     const cudaGraphEdgeData **edges, std::size_t *count);
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                                const cudaGraphEdgeData *edges, std::size_t count, unsigned flags);
cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                             const cudaGraphEdgeData *edges, std::size_t count, cudaGraphNodeParams *params);
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph, unsigned value,
                                             unsigned flags);
void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph, unsigned long long flags);
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);

namespace standin {

/// Does \p work, or keeps it for the graph that \p stream captures.
cudaError_t submit(cudaStream_t stream, std::function<void()> work);

/// While one lives the device's memory can be touched, and the host's cannot.
class OnDevice {
public:
  OnDevice();
  ~OnDevice();
  OnDevice(const OnDevice &) = delete;
  OnDevice &operator=(const OnDevice &) = delete;
};

} // namespace standin

namespace standin {

/// All threads of a kernel. Its arguments lie on the stack, which both sides may touch.
template <class... Parameters>
void runKernel(dim3 grid, dim3 block, void (*kernel)(Parameters...), std::tuple<Parameters...> arguments) {
  gridDim = grid;
  blockDim = block;
  const OnDevice scope;
  for (blockIdx.x = 0; blockIdx.x < gridDim.x; ++blockIdx.x)
    for (threadIdx.x = 0; threadIdx.x < blockDim.x; ++threadIdx.x)
      std::apply(kernel, arguments);
}

} // namespace standin

template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Parameters...),
                               const Arguments &...arguments) {
  return standin::submit(config->stream, [grid = config->gridDim, block = config->blockDim, kernel,
                                          kept = std::tuple<Parameters...>(arguments...)] {
    standin::runKernel(grid, block, kernel, kept);
  });
}

#endif // CONDLINT_TESTS_CUDA_STANDIN_CUDA_RUNTIME_H
