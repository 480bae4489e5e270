//===- RuntimeOperators.h - Operators of ONNX Runtime -----------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_CHECKS_FACTS_RUNTIMEOPERATORS_H
#define CONDLINT_CHECKS_FACTS_RUNTIMEOPERATORS_H

#include <cstdint>
#include <string_view>

namespace condlint {

/// ONNX Runtime brings operators of \p domain.
bool isDomainOfRuntime(std::string_view domain);
/// ONNX Runtime 1.32 has no operator \p name in \p domain, of which all its operators are known: com.microsoft.
bool isUnknownToRuntime(std::string_view domain, std::string_view name);
/// ONNX Runtime 1.32 knows the operator \p name of ONNX's own in the opset \p version, and has no kernel for it on a
/// CPU.
bool lacksKernel(std::string_view name, std::int64_t version);

} // namespace condlint

#endif // CONDLINT_CHECKS_FACTS_RUNTIMEOPERATORS_H
