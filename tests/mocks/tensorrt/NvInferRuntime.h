//===- NvInferRuntime.h - A stand-in for what TensorRT's runtime has --------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the network API shares with code that runs engines, and the names that such
// code uses. Written for condlint from TensorRT's documented API; nothing here runs.
//
//===----------------------------------------------------------------------===//
#ifndef NV_INFER_RUNTIME_H
#define NV_INFER_RUNTIME_H

#include "NvInferVersion.h"
#include <cstddef>
#include <cstdint>

#define MOCK_BEFORE(version) (CONDLINT_MOCK_TENSORRT < (version))
#define MOCK_SINCE(version) (CONDLINT_MOCK_TENSORRT >= (version))

struct CUstream_st;

namespace nvinfer1 {

using AsciiChar = char;
#if MOCK_BEFORE(1000)
using Extent = std::int32_t;
#else
using Extent = std::int64_t;
#endif

enum class DataType : std::int32_t {
  kFLOAT = 0,
  kHALF = 1,
  kINT8 = 2,
  kINT32 = 3,
  kBOOL = 4,
  kUINT8 = 5,
  kFP8 = 6,
#if MOCK_SINCE(1000)
  kBF16 = 7,
  kINT64 = 8,
  kINT4 = 9,
#endif
#if MOCK_SINCE(1008)
  kFP4 = 10,
#endif
#if MOCK_SINCE(1013)
  kE8M0 = 11,
#endif
};

class Dims32 {
public:
  static constexpr std::int32_t MAX_DIMS{8};
  std::int32_t nbDims;
  std::int32_t d[MAX_DIMS];
};
class Dims64 {
public:
  static constexpr std::int32_t MAX_DIMS{8};
  std::int32_t nbDims;
  std::int64_t d[MAX_DIMS];
};
#if MOCK_BEFORE(1000)
using Dims = Dims32;
#else
using Dims = Dims64;
#endif

class Weights {
public:
  DataType type;
  void const *values;
  std::int64_t count;
};

enum class TensorLocation : std::int32_t { kDEVICE, kHOST };

class INoCopy {
public:
  INoCopy() = default;
  virtual ~INoCopy() = default;
  INoCopy(INoCopy const &) = delete;
  INoCopy &operator=(INoCopy const &) = delete;
};

struct PluginField {
  char const *name;
  void const *data;
  std::int32_t type;
  std::int32_t length;
};
struct PluginFieldCollection {
  std::int32_t nbFields;
  PluginField const *fields;
};
class IPluginV2 {
public:
  virtual void destroy() noexcept = 0;

protected:
  virtual ~IPluginV2() noexcept = default;
};
class IPluginV3 {
public:
  virtual ~IPluginV3() noexcept = default;
};
class IPluginCreator {
public:
  virtual IPluginV2 *createPlugin(AsciiChar const *name, PluginFieldCollection const *fc) noexcept = 0;
  virtual ~IPluginCreator() = default;
};
class IPluginRegistry {
public:
  virtual IPluginCreator *getPluginCreator(AsciiChar const *name, AsciiChar const *version,
                                           AsciiChar const *pluginNamespace = "") noexcept = 0;

protected:
  virtual ~IPluginRegistry() noexcept = default;
};

class ILogger {
public:
  enum class Severity : std::int32_t { kINTERNAL_ERROR, kERROR, kWARNING, kINFO, kVERBOSE };
  virtual void log(Severity severity, AsciiChar const *msg) noexcept = 0;
  virtual ~ILogger() = default;
};

class IHostMemory : public INoCopy {
public:
  void *data() const noexcept;
  std::size_t size() const noexcept;
};
class IOptimizationProfile;
class IExecutionContext : public INoCopy {
public:
  bool setInputShape(char const *tensorName, Dims const &dims) noexcept;
  Dims getTensorShape(char const *tensorName) const noexcept;
  bool setTensorAddress(char const *tensorName, void *data) noexcept;
  bool enqueueV3(CUstream_st *stream) noexcept;
};
class ICudaEngine : public INoCopy {
public:
  std::int32_t getNbIOTensors() const noexcept;
  char const *getIOTensorName(std::int32_t index) const noexcept;
  Dims getTensorShape(char const *tensorName) const noexcept;
  DataType getTensorDataType(char const *tensorName) const noexcept;
  IExecutionContext *createExecutionContext() noexcept;
  IHostMemory *serialize() const noexcept;
};
class IRuntime : public INoCopy {
public:
  ICudaEngine *deserializeCudaEngine(void const *blob, std::size_t size) noexcept;
};

IRuntime *createInferRuntime(ILogger &logger) noexcept;

} // namespace nvinfer1

extern "C" nvinfer1::IPluginRegistry *getPluginRegistry() noexcept;

#endif // NV_INFER_RUNTIME_H
