//===- OneKernel.h - Models of one node to execute --------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_TESTS_EXECUTOR_ONEKERNEL_H
#define CONDLINT_TESTS_EXECUTOR_ONEKERNEL_H

#include "Samples.h"
#include <string>
#include <vector>

namespace condlint::test {

/// The results of one node on \p inputs.
inline std::string computed(const std::string &dialect, const std::string &node, const std::vector<Array> &inputs,
                            const std::string &results = R"("r")") {
  std::string parameters;
  for (const Array &a : inputs)
    parameters += (parameters.empty() ? "" : ", ") +
                  value(a.name, fmt::format("{}[{}]", dtypeName(a.dtype), fmt::join(a.shape, ", ")));
  return Session(
             fmt::format(
                 R"({{"condlint": "graph-1", {}, "graph": {{"parameters": [{}], "nodes": [{}], "results": [{}]}}}})",
                 dialect, parameters, node, results))
      .run(inputs);
}
inline std::string torch(const std::string &op, const std::string &attributes, const std::vector<Array> &inputs,
                         const std::string &results = R"("r")") {
  return computed(R"("dialect": "torch", "version": "2.13")",
                  fmt::format(R"({{"op": "aten.{}", "attributes": [{}], "results": [{}]}})", op, attributes, results),
                  inputs);
}
inline std::string onnxNode(const std::string &op, const std::string &operands, const std::vector<Array> &inputs,
                            const std::string &attributes = {}) {
  return computed(R"("dialect": "onnx", "opsets": {"": 20})",
                  fmt::format(R"({{"op": "{}", "operands": [{}], "attributes": [{}], "results": ["r"]}})", op, operands,
                              attributes),
                  inputs);
}
inline std::string operand(const std::string &name) {
  return fmt::format(R"({{"name": "{0}", "operand": "{0}"}})", name);
}
inline Array indices(const std::string &name, const std::vector<double> &values) {
  return array(name, DType::Int64, {static_cast<std::int64_t>(values.size())}, values);
}
inline bool refused(const std::string &outcome) { return outcome.starts_with("error: "); }

} // namespace condlint::test

#endif // CONDLINT_TESTS_EXECUTOR_ONEKERNEL_H
