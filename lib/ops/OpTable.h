//===- OpTable.h - Definitions of operators as rows -------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_OPTABLE_H
#define CONDLINT_LIB_OPS_OPTABLE_H

#include "condlint/Op.h"
#include <deque>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

namespace condlint {

/// One operator of a table of definitions: its name, its inference, its kernel, and its names
/// in torch, ONNX and TensorRT, separated by blanks ("aten.sin aten.sin_").
struct OpRow {
  using Infer = void (*)(InferContext &);
  using Execute = void (*)(ExecContext &);
  using Refine = void (*)(const Model &, NodeId, NodeEffects &);
  std::string_view name;
  Infer infer = nullptr;
  Execute execute = nullptr; ///< null: condlint cannot execute it
  std::string_view torch;
  std::string_view onnx;
  OpTrait traits = OpTrait::None;
  Refine refine = nullptr; ///< see `OpDef::refineEffects`
  std::string_view tensorrt = {};

  constexpr OpRow(std::string_view n, Infer i, Execute e, std::string_view t, std::string_view o,
                  OpTrait has = OpTrait::None, Refine r = nullptr, std::string_view trt = {})
      : name(n), infer(i), execute(e), torch(t), onnx(o), traits(has), refine(r), tensorrt(trt) {}
  /// An operator without a kernel.
  constexpr OpRow(std::string_view n, Infer i, std::string_view t, std::string_view o, OpTrait has = OpTrait::None,
                  Refine r = nullptr, std::string_view trt = {})
      : OpRow(n, i, nullptr, t, o, has, r, trt) {}
};

/// Definitions and bindings made from rows; lives as long as the program.
class OpTable {
public:
  /// \p common holds for every row.
  OpTable(std::initializer_list<std::span<const OpRow>> tables, OpTrait common = OpTrait::None);
  OpFamily family() const { return {torch, onnx, tensorrt}; }

private:
  std::deque<OpDef> definitions;
  std::vector<OpBinding> torch;
  std::vector<OpBinding> onnx;
  std::vector<OpBinding> tensorrt;
};

} // namespace condlint

#endif // CONDLINT_LIB_OPS_OPTABLE_H
