//===- OnnxOpset.h - Which version of an ONNX operator holds ----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_OPS_ONNXOPSET_H
#define CONDLINT_OPS_ONNXOPSET_H

#include "condlint/Graph.h"
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace condlint {

/// `Operator::version` of an operator that is not the same in two versions of its domain that the model imports, of
/// which onnx's checker takes the one and ONNX Runtime the other: it has no definition.
inline constexpr std::int32_t disputedVersion = -2;

/// The version of the operator set \p domain that the operator \p name dates from where \p version is
/// imported: 13 for `ReduceMax` in version 17 of ONNX's own. 0 where that version has no such operator;
/// nothing for a domain, an operator or a version that the table of ONNX's schemas does not hold.
std::optional<std::int64_t> onnxSinceVersion(std::string_view domain, std::string_view name, std::int64_t version);

/// The newest version of \p domain that ONNX Runtime 1.32 knows; nothing for a domain that is not its own.
std::optional<std::int64_t> onnxRuntimeNewest(std::string_view domain);

/// How many outputs, from the first on, a node of the operator must name: 0 where the table does not hold its schema,
/// or any output may be left out.
std::size_t onnxSingleOutputs(std::string_view domain, std::string_view name, std::int64_t version);

/// \p attribute is one of those by which a Constant says its value.
bool saysConstant(std::string_view attribute);

/// What the schema of \p version refuses of the number of inputs and outputs and of the attributes of \p n, whatever
/// version its graph imports: "ReduceMax has no attribute 'axes' at version 18". Nothing where it fits, or where the
/// table does not hold the schema. Nothing of \p m is changed.
std::optional<std::string> onnxMisfit(Model &m, NodeId n, std::int64_t version);

} // namespace condlint

#endif // CONDLINT_OPS_ONNXOPSET_H
