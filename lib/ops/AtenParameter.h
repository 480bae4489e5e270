//===- AtenParameter.h - The parameters of ATen's overloads -----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_OPS_ATENPARAMETER_H
#define CONDLINT_OPS_ATENPARAMETER_H

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace condlint {

/// The type of a parameter in ATen's schemas; its value is the letter that stands for it in AtenEffects.inc, which
/// aten_effects.py writes.
enum class AtenType : char {
  Tensor = 'T',
  OptionalTensor = 't',
  Tensors = 'L',
  OptionalTensors = 'l', ///< a list in which there may be none in the place of a tensor
  Number = 's',
  OptionalNumber = 'z',
  Numbers = 'Z',
  Int = 'i',
  OptionalInt = 'j',
  Ints = 'I',
  OptionalInts = 'J',
  Bool = 'b',
  OptionalBool = 'c',
  Bools = 'B',
  Float = 'f',
  OptionalFloat = 'g',
  Floats = 'F',
  OptionalFloats = 'G',
  Generator = 'r', ///< or none
  String = 'S',
  OptionalString = 'u',
  MemoryFormat = 'm',
  OptionalMemoryFormat = 'n',
  Device = 'v', ///< or none
  Layout = 'y', ///< or none
  ScalarType = 'd',
  OptionalScalarType = 'e',
  Other = 'x', ///< of a schema that says another one
  // Of functions in C++ alone.
  Options = 'O', ///< TensorOptions: dtype, layout, device and pin_memory
  DimName = 'N',
  Unknown = 0,
};

constexpr bool isOneOf(AtenType type, std::initializer_list<AtenType> types) {
  return std::ranges::find(types, type) != types.end();
}

/// A tensor, or a list of tensors.
constexpr bool takesTensors(AtenType type) {
  return isOneOf(type, {AtenType::Tensor, AtenType::OptionalTensor, AtenType::Tensors, AtenType::OptionalTensors});
}

/// How a schema writes the integers of a parameter, which decides what torch converts to them.
enum class AtenIntegers : std::uint8_t {
  Plain,    ///< int, int[]: a constant of torch is an integer too; or no integers
  Symbolic, ///< SymInt, SymInt[2]: a text without letters is an empty list
  Repeated, ///< int[2]: an integer stands for that many
};

/// A parameter of an overload.
struct AtenParameter {
  std::string_view name;
  AtenType type = AtenType::Unknown;
  bool hasDefault = false;
  AtenIntegers integers = AtenIntegers::Plain;
};

} // namespace condlint

#endif // CONDLINT_OPS_ATENPARAMETER_H
