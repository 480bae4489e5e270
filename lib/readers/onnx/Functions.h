//===- Functions.h - The functions that are local to a model --*- C++ -*- ===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_READERS_ONNX_FUNCTIONS_H
#define CONDLINT_READERS_ONNX_FUNCTIONS_H

#include "Context.h"
#include "GraphReader.h"
#include "Operators.h"
#include <deque>
#include <string_view>
#include <vector>

namespace condlint::onnx {

/// Reads the FunctionProtos of a model. All are declared before any node is
/// read, since a node may call a function that stands later in the file.
class Functions {
public:
  Functions(Context &context, Operators &ops) : c(context), m(context.m), operators(ops) {}

  void declare(std::string_view bytes, std::uint32_t depth);
  void readBodies(GraphReader &graphs, std::uint32_t depth);
  /// Takes the bodies away from calls that would never end, and from calls
  /// that nest deeper than ONNX's checker admits.
  void cutCycles(const GraphReader &graphs);

private:
  struct Declared {
    std::string_view bytes;
    FunctionId function;
    OpsetImports imports;
  };
  Context &c;
  Model &m;
  Operators &operators;
  std::deque<Declared> list; ///< imports keep their address
};

} // namespace condlint::onnx

#endif // CONDLINT_READERS_ONNX_FUNCTIONS_H
