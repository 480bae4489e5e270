//===- WireDepth.cpp - How deep a protobuf reader has to nest ------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "WireDepth.h"
#include "Wire.h"
#include <algorithm>
#include <vector>

namespace condlint::onnx {

Message childMessage(Message message, Field number) {
  switch (message) {
  case Message::Graph:
    switch (number) {
    case graphProto::node:
      return Message::Node;
    case graphProto::initializer:
      return Message::Tensor;
    case graphProto::input:
    case graphProto::output:
    case graphProto::valueInfo:
      return Message::ValueInfo;
    case graphProto::quantization:
      return Message::Annotation;
    case graphProto::sparseInitializer:
      return Message::SparseTensor;
    case graphProto::metadata:
      return Message::Leaf;
    default:
      return Message::None;
    }
  case Message::Node:
    if (number == nodeProto::attribute)
      return Message::Attribute;
    if (number == nodeProto::metadata)
      return Message::Leaf;
    return number == nodeProto::devices ? Message::NodeDevices : Message::None;
  case Message::Attribute:
    switch (number) {
    case attributeProto::t:
    case attributeProto::tensors:
      return Message::Tensor;
    case attributeProto::g:
    case attributeProto::graphs:
      return Message::Graph;
    case attributeProto::tp:
    case attributeProto::typeProtos:
      return Message::Type;
    case attributeProto::sparseTensor:
    case attributeProto::sparseTensors:
      return Message::SparseTensor;
    default:
      return Message::None;
    }
  case Message::Tensor:
    return number == tensorProto::segment || number == tensorProto::externalData || number == tensorProto::metadata
               ? Message::Leaf
               : Message::None;
  case Message::SparseTensor:
    return number == sparseProto::values || number == sparseProto::indices ? Message::Tensor : Message::None;
  case Message::Type:
    switch (number) {
    case typeProto::tensor:
    case typeProto::sparseTensor:
      return Message::TensorType;
    case typeProto::sequence:
    case typeProto::optional:
      return Message::TypeHolder;
    case typeProto::map:
      return Message::MapType;
    case typeProto::opaque:
      return Message::Leaf;
    default:
      return Message::None;
    }
  case Message::TensorType:
    return number == typeProto::shape ? Message::Shape : Message::None;
  case Message::TypeHolder:
    return number == 1 ? Message::Type : Message::None;
  case Message::MapType:
    return number == 2 ? Message::Type : Message::None;
  case Message::Shape:
    return number == 1 ? Message::Leaf : Message::None;
  case Message::ValueInfo:
    if (number == valueInfoProto::type)
      return Message::Type;
    return number == valueInfoProto::metadata ? Message::Leaf : Message::None;
  case Message::Annotation:
    return number == 2 ? Message::Leaf : Message::None;
  case Message::Training:
    if (number == 1 || number == 2)
      return Message::Graph;
    return number == 3 || number == 4 ? Message::Leaf : Message::None;
  case Message::NodeDevices:
    return number == 2 ? Message::Sharding : Message::None;
  case Message::Sharding:
    if (number == 3)
      return Message::Leaf;
    return number == 4 ? Message::ShardedDim : Message::None;
  case Message::ShardedDim:
    return number == 2 ? Message::Leaf : Message::None;
  case Message::Function:
    switch (number) {
    case functionProto::node:
      return Message::Node;
    case functionProto::attributeProto:
      return Message::Attribute;
    case functionProto::valueInfo:
      return Message::ValueInfo;
    case functionProto::opsetImport:
    case functionProto::metadata:
      return Message::Leaf;
    default:
      return Message::None;
    }
  case Message::Leaf:
  case Message::None:
    return Message::None;
  }
  return Message::None;
}

std::uint32_t deepestMessage(std::string_view bytes, Message message, std::uint32_t depth) {
  struct Frame {
    WireReader reader;
    Message message;
  };
  std::vector<Frame> stack{{WireReader(bytes), message}};
  std::size_t deepest = depth;
  while (!stack.empty()) {
    Frame &top = stack.back();
    if (!top.reader.next()) {
      stack.pop_back();
      continue;
    }
    const std::size_t here = depth + stack.size() - 1;
    if (top.reader.isGroup()) {
      deepest = std::max(deepest, here + top.reader.groupDepth());
      continue;
    }
    if ((top.reader.key() & 7) != 2)
      continue;
    const Message child = childMessage(top.message, top.reader.number());
    if (child == Message::None)
      continue;
    deepest = std::max(deepest, here + 1);
    stack.push_back({WireReader(top.reader.bytes()), child});
  }
  return static_cast<std::uint32_t>(std::min<std::size_t>(deepest, 0xffffffffu));
}

} // namespace condlint::onnx
