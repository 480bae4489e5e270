//===- WireDepth.h - How deep a protobuf reader has to nest -----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_READERS_ONNX_WIREDEPTH_H
#define CONDLINT_READERS_ONNX_WIREDEPTH_H

#include "Proto.h"
#include <cstdint>
#include <string_view>

namespace condlint::onnx {

/// The messages of onnx.proto.
enum class Message : std::uint8_t {
  None, ///< not a message: a string, bytes, packed numbers
  Graph,
  Node,
  Attribute,
  Tensor,
  Leaf,
  SparseTensor,
  Type,
  TensorType,
  TypeHolder,
  MapType,
  Shape,
  ValueInfo,
  Annotation,
  Training,
  NodeDevices,
  Sharding,
  ShardedDim,
  Function,
};

/// What a length-delimited field \p number of \p message holds.
Message childMessage(Message message, Field number);

/// The nesting that protobuf's C++ reader allows (rule nesting).
inline constexpr std::uint32_t protobufDepthLimit = 100;

/// Depth of the deepest message in \p bytes when these lie at \p depth (the
/// whole file at 0), groups counted, as protobuf's C++ reader counts. Checks the
/// wire format on the way. Needs neither a stack nor more than one look at a
/// byte, however deep. Throws WireError.
std::uint32_t deepestMessage(std::string_view bytes, Message message, std::uint32_t depth);

} // namespace condlint::onnx

#endif // CONDLINT_READERS_ONNX_WIREDEPTH_H
