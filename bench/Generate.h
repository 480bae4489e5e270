//===- Generate.h - Models for benchmarks ------------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_BENCH_GENERATE_H
#define CONDLINT_BENCH_GENERATE_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace condlint::bench {

/// What a generated model holds.
struct OnnxShape {
  std::size_t nodes = 100'000;   ///< operators in all graphs together, about
  std::size_t ifs = 1'000;       ///< conditionals among them
  std::uint64_t weightBytes = 0; ///< raw float data in one initializer
};

/// A sound ONNX model (opset 17): a chain of element-wise operators, matrix
/// products and Ifs whose branches hold ten operators each. What it says does
/// not depend on the machine. The weights, if any, are zeros at the end.
std::string generateOnnx(const OnnxShape &shape);

/// A `.pt2` archive whose model JSON has about \p jsonBytes bytes: a chain of
/// ATen operators with stack traces as exporters write them, every hundredth of
/// them a cond.
std::string generatePt2(std::size_t jsonBytes);
/// The JSON alone.
std::string generatePt2Json(std::size_t jsonBytes);

/// C++ source (NvInfer.h) of a function that builds a TensorRT network with about
/// \p calls calls of `add*`, every hundredth of them in a conditional's branches, one
/// statement a line.
std::string generateNetwork(std::size_t calls);

} // namespace condlint::bench

#endif // CONDLINT_BENCH_GENERATE_H
