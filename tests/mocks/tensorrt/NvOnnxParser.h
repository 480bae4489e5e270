//===- NvOnnxParser.h - A stand-in for TensorRT's ONNX parser ---*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef NV_ONNX_PARSER_H
#define NV_ONNX_PARSER_H

#include "NvInfer.h"

namespace nvonnxparser {

class IParserError {
public:
  virtual ~IParserError() noexcept = default;
  virtual char const *desc() const = 0;
};

class IParser {
public:
  virtual ~IParser() noexcept = default;
  virtual bool parse(void const *model, std::size_t size, char const *path = nullptr) noexcept = 0;
  virtual bool parseFromFile(char const *file, std::int32_t verbosity) noexcept = 0;
  virtual std::int32_t getNbErrors() const noexcept = 0;
  virtual IParserError const *getError(std::int32_t index) const noexcept = 0;
};

IParser *createParser(nvinfer1::INetworkDefinition &network, nvinfer1::ILogger &logger);

} // namespace nvonnxparser

#endif // NV_ONNX_PARSER_H
