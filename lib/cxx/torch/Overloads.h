//===- Overloads.h - Which ATen overload a C++ call means -------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CXX_TORCH_OVERLOADS_H
#define CONDLINT_CXX_TORCH_OVERLOADS_H

#include "../../ops/AtenParameter.h"
#include <clang/AST/Type.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace condlint::cxx {

class Machine;

/// What a C++ type is in a schema.
AtenType atenTypeOf(Machine &m, clang::QualType type);

/// An overload of the schema with its parameters.
struct AtenOverload {
  std::string name;     ///< "add"
  std::string overload; ///< "Tensor"
  std::vector<AtenParameter> parameters;
  bool isOut = false; ///< writes its results into the last parameters
  const AtenParameter *find(std::string_view name) const;
};

/// The overload of `aten::<name>` that has these parameters of a C++ function, by name and type;
/// nothing when there is none. \p out: a variant that writes its results into arguments.
std::optional<AtenOverload> chooseOverload(std::string_view name, const std::vector<AtenParameter> &parameters,
                                           bool out);
/// True when the schema has an operator of this name.
bool isAtenName(std::string_view name);

} // namespace condlint::cxx

#endif // CONDLINT_CXX_TORCH_OVERLOADS_H
