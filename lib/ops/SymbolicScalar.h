//===- SymbolicScalar.h - Numbers among a node's arguments ------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_SYMBOLICSCALAR_H
#define CONDLINT_LIB_OPS_SYMBOLICSCALAR_H

#include "condlint/Op.h"
#include <optional>
#include <vector>

namespace condlint {

/// A number in an argument: a literal, or a symbolic scalar with what is known of it.
struct ScalarArgument {
  ValueKind kind = ValueKind::Unknown; ///< SymInt, SymFloat, SymBool; Unknown for anything else
  Dim whole;                           ///< SymInt and SymBool (0, 1), when known
  std::optional<double> real;          ///< a literal float
};

ScalarArgument scalarOf(InferContext &c, const Attribute &a);
/// The argument \p name; Unknown when absent.
ScalarArgument scalarArg(InferContext &c, std::string_view name);
/// All arguments of the node that are numbers, in order; lists flattened.
std::vector<ScalarArgument> scalarArguments(InferContext &c);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_SYMBOLICSCALAR_H
