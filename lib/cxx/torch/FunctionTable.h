//===- FunctionTable.h - What torch::nn::functional has ---------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which operator of ATen a function of torch::nn::functional is, and a module without
// parameters. Functions are called by their names without underscores, in small letters.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TORCH_FUNCTIONTABLE_H
#define CONDLINT_CXX_TORCH_FUNCTIONTABLE_H

#include "../../ops/AtenParameter.h"
#include "condlint/TensorType.h"
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace condlint::cxx {

/// The type of an argument in the schema, and what in torch::nn::functional becomes a value of it.
struct ArgumentType {
  enum class From : std::uint8_t { Value, Reduction, Padding }; ///< or an enumerator: of a reduction, of a padding
  AtenType type = AtenType::Unknown;
  From from = From::Value;
  constexpr ArgumentType(AtenType t = AtenType::Unknown, From f = From::Value) : type(t), from(f) {}
};

/// An argument of an operator: the function's argument of that number ("0"), or an option.
struct OperatorArgument {
  std::string_view name; ///< in the schema
  ArgumentType type;
  std::string_view from;
  std::string_view otherwise = {}; ///< what it is where it is not given, if the schema has no default for that
};

/// Functions by their names without underscores, in small letters, as modules are called too; #: 1, 2 or 3.
struct FunctionRow {
  std::string_view function, aten;
  std::string_view constructed; ///< the options that the options' constructor takes, in this order
  std::array<OperatorArgument, 9> arguments;
  bool mayWrite = false; ///< it has an option to work in place
};

/// Functions of one tensor that change no element type and no size.
struct Activation {
  std::string_view function, aten;
  bool mayWrite = false; ///< it has an option to work in place
};
/// What drops elements: whole channels of them, in training alone where nothing else is said.
struct Dropout {
  std::string_view function, aten;
  bool trains = false; ///< by default
};
/// Modules that pad as many dimensions as their name says, in one mode of `pad`.
struct Padding {
  std::string_view function, mode;
};
/// The row of \p function, whose dimension is a '#': "conv#d". Null: there is none.
const FunctionRow *functionRow(std::string_view function);
const Activation *findActivation(std::string_view function);
const Dropout *findDropout(std::string_view function);
const Padding *findPadding(std::string_view function); ///< whose dimension is a '#'
/// What the result of \p function has of its input, whose element type it keeps: its
/// sizes, or as many dimensions. \p dims holds the sizes of the answer.
Type keptBy(std::string_view function, const Type &input, std::vector<Dim> &dims);
/// These make a new tensor and write nothing, whatever their options are.
bool makesNew(std::string_view function);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TORCH_FUNCTIONTABLE_H
