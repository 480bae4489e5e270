//===- StandinGraph.cpp - Streams and graphs of the stand-in --------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Faults.h"
#include "Streams.h"
#include <memory>
#include <vector>

/// One thing to do, or a conditional with its two graphs.
struct CUgraphNode_st {
  std::function<void()> work;
  bool isKernel = false;
  cudaGraphConditionalHandle handle = 0;
  std::unique_ptr<CUgraph_st> branches[2];
  cudaGraph_t addresses[2] = {};
};

/// What comes later depends on all that came before.
struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
  std::vector<cudaGraphConditionalHandle> handles;
  cudaGraphNode_t last = nullptr;
  bool isBranch = false;
};

struct CUgraphExec_st {
  cudaGraph_t graph;
};

struct CUstream_st {
  cudaGraph_t captured = nullptr; ///< null: what it is asked for is done at once
};

namespace {

// Not on the host's heap: a kernel sets them.
constexpr std::size_t mostHandles = 1 << 16;
constinit unsigned values[mostHandles] = {};
constinit cudaGraphConditionalHandle handleCount = 0;

cudaError_t keepOrDo(cudaStream_t stream, std::function<void()> work, bool isKernel) {
  if (!standin::isCapturing(stream)) {
    standin::counts.atOnce += isKernel ? 1 : 0;
    work();
    return cudaSuccess;
  }
  auto node = std::make_unique<CUgraphNode_st>();
  node->work = std::move(work);
  node->isKernel = isKernel;
  stream->captured->last = node.get();
  stream->captured->nodes.push_back(std::move(node));
  return cudaSuccess;
}

/// A conditional reads a handle that was made for the graph that it stands in.
bool isSound(const CUgraph_st &g) {
  for (const auto &node : g.nodes) {
    if (node->handle == 0)
      continue;
    bool own = false;
    for (const cudaGraphConditionalHandle h : g.handles)
      own = own || h == node->handle;
    if (!own || !isSound(*node->branches[0]) || !isSound(*node->branches[1]))
      return false;
  }
  return true;
}

void run(const CUgraph_st &g) {
  for (const cudaGraphConditionalHandle h : g.handles)
    values[h] = 2; // nobody has decided
  for (const auto &node : g.nodes) {
    standin::counts.inGraphs += node->isKernel ? 1U : 0U;
    if (node->work)
      node->work();
    else if (values[node->handle] < 2)
      run(*node->branches[values[node->handle] != 0 ? 0 : 1]);
  }
}

} // namespace

namespace standin {

Counts counts;

bool isCapturing(cudaStream_t stream) { return stream != nullptr && stream->captured != nullptr; }
cudaError_t submit(cudaStream_t stream, std::function<void()> work) { return keepOrDo(stream, std::move(work), true); }
cudaError_t submitCopy(cudaStream_t stream, std::function<void()> work) {
  return keepOrDo(stream, std::move(work), false);
}

} // namespace standin

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned) {
  *stream = new CUstream_st;
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  delete stream;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return standin::isCapturing(stream) ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  if (stream == nullptr || standin::isCapturing(stream))
    return cudaErrorInvalidValue;
  stream->captured = new CUgraph_st;
  return cudaSuccess;
}
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *,
                                          const cudaGraphEdgeData *, std::size_t, cudaStreamCaptureMode) {
  if (stream == nullptr || graph == nullptr || standin::isCapturing(stream))
    return cudaErrorInvalidValue;
  stream->captured = graph;
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
  if (!standin::isCapturing(stream))
    return cudaErrorInvalidValue;
  *graph = stream->captured;
  stream->captured = nullptr;
  return cudaSuccess;
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus *status, unsigned long long *,
                                     cudaGraph_t *graph, const cudaGraphNode_t **dependencies,
                                     const cudaGraphEdgeData **edges, std::size_t *count) {
  *status = standin::isCapturing(stream) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  if (*status == cudaStreamCaptureStatusNone)
    return cudaSuccess;
  *graph = stream->captured;
  *dependencies = &stream->captured->last;
  *edges = nullptr;
  *count = stream->captured->last != nullptr ? 1 : 0;
  return cudaSuccess;
}
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                                const cudaGraphEdgeData *, std::size_t count, unsigned) {
  // What is captured next must follow what was added last.
  return standin::isCapturing(stream) && count == 1 && !stream->captured->nodes.empty() &&
                 *dependencies == stream->captured->nodes.back().get()
             ? (stream->captured->last = *dependencies, cudaSuccess)
             : cudaErrorInvalidValue;
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph, unsigned,
                                             unsigned) {
  if (graph == nullptr || handleCount + 1 == mostHandles)
    return cudaErrorInvalidValue;
  *handle = ++handleCount;
  graph->handles.push_back(*handle);
  return cudaSuccess;
}
void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value) {
  if (standin::onDevice() && handle < mostHandles)
    values[handle] = value != 0 ? 1 : 0;
}
cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                             const cudaGraphEdgeData *, std::size_t count, cudaGraphNodeParams *params) {
  // Behind all that there is, which decides it.
  if (params->type != cudaGraphNodeTypeConditional || params->conditional.type != cudaGraphCondTypeIf ||
      params->conditional.size != 2 || count != 1 || graph->nodes.empty() || *dependencies != graph->nodes.back().get())
    return cudaErrorInvalidValue;
  auto fresh = std::make_unique<CUgraphNode_st>();
  fresh->handle = params->conditional.handle;
  for (int i = 0; i < 2; ++i) {
    fresh->branches[i] = std::make_unique<CUgraph_st>();
    fresh->branches[i]->isBranch = true;
    fresh->addresses[i] = fresh->branches[i].get();
  }
  params->conditional.phGraph_out = fresh->addresses;
  *node = fresh.get();
  graph->nodes.push_back(std::move(fresh));
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph, unsigned long long) {
  if (graph == nullptr || graph->isBranch || !isSound(*graph))
    return cudaErrorInvalidValue;
  *executable = new CUgraphExec_st{graph};
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  if (executable == nullptr || standin::isCapturing(stream))
    return cudaErrorInvalidValue;
  ++standin::counts.launches;
  run(*executable->graph);
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  delete executable;
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  if (graph == nullptr || graph->isBranch)
    return cudaErrorInvalidValue;
  delete graph;
  return cudaSuccess;
}
