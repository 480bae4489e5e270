//===- OnnxDomain.h - The two names of one domain ---------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_GRAPH_ONNXDOMAIN_H
#define CONDLINT_GRAPH_ONNXDOMAIN_H

#include <string_view>

namespace condlint {

/// What files may write for the domain of ONNX's own operators, which is called "" else.
constexpr std::string_view longOnnxDomain = "ai.onnx";

inline bool isOnnxDomain(std::string_view domain) { return domain.empty() || domain == longOnnxDomain; }

/// The one name of \p domain.
inline std::string_view plainDomain(std::string_view domain) {
  return isOnnxDomain(domain) ? std::string_view() : domain;
}

} // namespace condlint

#endif // CONDLINT_GRAPH_ONNXDOMAIN_H
