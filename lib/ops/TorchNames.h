//===- TorchNames.h - What torch finds under an operator's name -*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_OPS_TORCHNAMES_H
#define CONDLINT_OPS_TORCHNAMES_H

#include "condlint/Graph.h"
#include <cstdint>
#include <string>

namespace condlint {

/// What is wrong with the name of an operator in a `.pt2`, which torch looks up as it loads the file.
enum class NameFault : std::uint8_t {
  None,       ///< torch has it, or it is not known whether it does
  NoOverload, ///< ATen or torch's primitives have no such overload
  LeftOut,    ///< the overload is not named
  NoOperator, ///< it is none of the names that stand for an operator
  OfLibrary,  ///< a higher-order operator that torch does not bring, but a library may
};
NameFault faultOfName(const Model &m, OperatorId o);

/// torch refuses a file with an operator of such a name, whatever libraries are loaded.
constexpr bool isRefused(NameFault f) { return f != NameFault::None && f != NameFault::OfLibrary; }

/// What a run says of an operator under whose name torch finds none.
std::string unknownName(const Model &m, OperatorId o);

} // namespace condlint

#endif // CONDLINT_OPS_TORCHNAMES_H
