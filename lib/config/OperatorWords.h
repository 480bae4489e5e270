//===- OperatorWords.h - Operators as users describe them -------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CONFIG_OPERATORWORDS_H
#define CONDLINT_CONFIG_OPERATORWORDS_H

#include "condlint/Expected.h"
#include "ops/DeclaredOperators.h"
#include <nlohmann/json_fwd.hpp>
#include <optional>

namespace condlint {

/// Reads the value of "operators" in a configuration into \p out: {"my::op": {"writes": [0], "aliases": [[0, 0]],
/// "pure": true, "result": "like 0"}}. What is wrong with it has a place and a message.
std::optional<Error> readOperators(const nlohmann::json &value, OperatorDeclarations &out);

} // namespace condlint

#endif // CONDLINT_CONFIG_OPERATORWORDS_H
