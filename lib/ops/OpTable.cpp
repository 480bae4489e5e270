//===- OpTable.cpp - Definitions of operators as rows ---------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OpTable.h"
#include "Words.h"

namespace condlint {

OpTable::OpTable(std::initializer_list<std::span<const OpRow>> tables, OpTrait common) {
  auto bind = [](std::vector<OpBinding> &to, std::string_view names, const OpDef *def) {
    while (!names.empty())
      to.push_back({nextWord(names), def});
  };
  for (std::span<const OpRow> table : tables)
    for (const OpRow &row : table) {
      const OpDef &def =
          definitions.emplace_back(OpDef{row.name, row.infer, row.traits | common, row.refine, row.execute});
      bind(torch, row.torch, &def);
      bind(onnx, row.onnx, &def);
      bind(tensorrt, row.tensorrt, &def);
    }
}

} // namespace condlint
