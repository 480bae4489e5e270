//===- ComputedOfInputs.cpp - What plainly comes of an input --------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ComputedOfInputs.h"
#include "ConstantValues.h"
#include "condlint/Op.h"
#include <algorithm>
#include <array>
#include <string_view>

namespace condlint {

namespace {

/// Operators that look at the type of their first operand and not at its elements, by canonical name.
constexpr std::array<std::string_view, 13> namesOfTypes = {
    "dim",
    "empty_strided",
    "eye_like",
    "like",
    "new",
    "new_empty_strided",
    "shape",
    "size",
    "sym_numel",
    "sym_size",
    "sym_storage_offset",
    "sym_stride",
    "type_query",
};

} // namespace

ComputedOfInputs::ComputedOfInputs(const Model &model)
    : m(model), known(model.valueCount(), 0), ofTypes(model.operatorCount(), false) {
  for (std::uint32_t o = 0; o < ofTypes.size(); ++o)
    if (const OpDef *definition = m[OperatorId(o)].definition)
      ofTypes[o] = std::ranges::binary_search(namesOfTypes, definition->name);
  const Range parameters = m.main() ? m[m.main()].parameters : Range();
  for (std::uint32_t i = 0; i < parameters.count; ++i) {
    const ValueId v(parameters.first + i);
    known[v.index()] = m[v].role != ParameterRole::Constant && !isDefault(m, v);
  }
}

void ComputedOfInputs::noteResults(NodeId n) {
  const Node &node = m[n];
  if (node.callee || ofTypes[node.op.index()])
    return;
  for (std::uint32_t i = 0; i < node.results.count; ++i) {
    const ValueId v(node.results.first + i);
    known[v.index()] = !m[v].content;
  }
}

} // namespace condlint
