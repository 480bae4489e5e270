//===- DeclaredOperators.h - Operators that a user describes ----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_OPS_DECLAREDOPERATORS_H
#define CONDLINT_OPS_DECLAREDOPERATORS_H

#include "condlint/Op.h"
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace condlint {

/// What a user says of an operator that condlint does not know: a custom operator of torch, an operator of an ONNX
/// domain. It writes and aliases what is said here, and nothing else.
struct OperatorDeclaration {
  /// An argument of a call: its position in the order of the call, or its name in the schema.
  using Argument = std::variant<std::uint32_t, std::string>;
  struct Alias {
    std::uint32_t result;
    Argument argument;
  };
  std::vector<Argument> writes;
  std::vector<Alias> aliases;
  /// Besides it does nothing: it draws no random number, does not wait for a device, prints nothing.
  bool pure = false;
  /// By result: the argument whose type it has; nothing where that is not known.
  std::vector<std::optional<Argument>> like;
};

/// By name: `my::op`, or `my::op.overload`, which wins.
using OperatorDeclarations = std::map<std::string, OperatorDeclaration, std::less<>>;

/// Gives the operators of \p m that condlint does not know the definitions that \p all holds of them; what condlint
/// knows of an operator stands.
void declareOperators(Model &m, std::shared_ptr<const OperatorDeclarations> all);

/// \p definition stands for what a user says.
bool isDeclared(const OpDef *definition);
/// What \p n does besides writing, aliasing and computing is not known: it may draw numbers, wait for the device,
/// print.
bool mayDoAnything(const Model &m, NodeId n, const NodeEffects &effects);

} // namespace condlint

#endif // CONDLINT_OPS_DECLAREDOPERATORS_H
