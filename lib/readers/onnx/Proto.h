//===- Proto.h - The numbers of onnx.proto ----------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Field numbers of ONNX's messages (onnx/onnx.in.proto, IR version 13), one
// namespace a message. `known` has one bit for each of its fields.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_READERS_ONNX_PROTO_H
#define CONDLINT_READERS_ONNX_PROTO_H

#include <cstdint>
#include <initializer_list>

namespace condlint::onnx {

using Field = std::uint32_t;

constexpr std::uint32_t fieldSet(std::initializer_list<Field> fields) {
  std::uint32_t set = 0;
  for (Field f : fields)
    set |= std::uint32_t{1} << f;
  return set;
}

namespace modelProto {
inline constexpr Field irVersion = 1, producerName = 2, producerVersion = 3, domain = 4, modelVersion = 5,
                       docString = 6, graph = 7, opsetImport = 8, metadata = 14, trainingInfo = 20, functions = 25,
                       configuration = 26;
inline constexpr std::uint32_t known = fieldSet({1, 2, 3, 4, 5, 6, 7, 8, 14, 20, 25, 26});
} // namespace modelProto

namespace graphProto {
inline constexpr Field node = 1, name = 2, initializer = 5, docString = 10, input = 11, output = 12, valueInfo = 13,
                       quantization = 14, sparseInitializer = 15, metadata = 16;
inline constexpr std::uint32_t known = fieldSet({1, 2, 5, 10, 11, 12, 13, 14, 15, 16});
} // namespace graphProto

namespace nodeProto {
inline constexpr Field input = 1, output = 2, name = 3, opType = 4, attribute = 5, docString = 6, domain = 7,
                       overload = 8, metadata = 9, devices = 10;
inline constexpr std::uint32_t known = fieldSet({1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
} // namespace nodeProto

namespace attributeProto {
inline constexpr Field name = 1, f = 2, i = 3, s = 4, t = 5, g = 6, floats = 7, ints = 8, strings = 9, tensors = 10,
                       graphs = 11, docString = 13, tp = 14, typeProtos = 15, type = 20, refAttrName = 21,
                       sparseTensor = 22, sparseTensors = 23;
inline constexpr std::uint32_t known = fieldSet({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 20, 21, 22, 23});
/// AttributeProto.AttributeType.
enum Kind : std::int32_t {
  Undefined = 0,
  Float = 1,
  Int = 2,
  String = 3,
  Tensor = 4,
  Graph = 5,
  Floats = 6,
  Ints = 7,
  Strings = 8,
  Tensors = 9,
  Graphs = 10,
  SparseTensor = 11,
  SparseTensors = 12,
  TypeProto = 13,
  TypeProtos = 14,
};
} // namespace attributeProto

namespace tensorProto {
inline constexpr Field dims = 1, dataType = 2, segment = 3, floatData = 4, int32Data = 5, stringData = 6, int64Data = 7,
                       name = 8, rawData = 9, doubleData = 10, uint64Data = 11, docString = 12, externalData = 13,
                       dataLocation = 14, metadata = 16;
inline constexpr std::uint32_t known = fieldSet({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16});
} // namespace tensorProto

namespace sparseProto {
inline constexpr Field values = 1, indices = 2, dims = 3;
inline constexpr std::uint32_t known = fieldSet({1, 2, 3});
} // namespace sparseProto

namespace valueInfoProto {
inline constexpr Field name = 1, type = 2, docString = 3, metadata = 4;
inline constexpr std::uint32_t known = fieldSet({1, 2, 3, 4});
} // namespace valueInfoProto

namespace typeProto {
inline constexpr Field tensor = 1, sequence = 4, map = 5, denotation = 6, opaque = 7, sparseTensor = 8, optional = 9;
inline constexpr std::uint32_t known = fieldSet({1, 4, 5, 6, 7, 8, 9});
/// Inside Tensor, SparseTensor: element and shape; Sequence, Optional: element;
/// Map: key and value.
inline constexpr Field elementType = 1, shape = 2;
} // namespace typeProto

namespace dimensionProto {
inline constexpr Field value = 1, param = 2, denotation = 3;
} // namespace dimensionProto

namespace opsetProto {
inline constexpr Field domain = 1, version = 2;
} // namespace opsetProto

namespace entryProto {
inline constexpr Field key = 1, value = 2;
} // namespace entryProto

namespace functionProto {
inline constexpr Field name = 1, input = 4, output = 5, attribute = 6, node = 7, docString = 8, opsetImport = 9,
                       domain = 10, attributeProto = 11, valueInfo = 12, overload = 13, metadata = 14;
inline constexpr std::uint32_t known = fieldSet({1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14});
} // namespace functionProto

} // namespace condlint::onnx

#endif // CONDLINT_READERS_ONNX_PROTO_H
