//===- AssertedSizes.cpp - Sizes that a program asserts to be others ------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AssertedSizes.h"
#include "condlint/Op.h"
#include <unordered_map>

namespace condlint {

namespace {

std::string_view canonicalName(const Model &m, NodeId n) {
  const OpDef *definition = m[m[n].op].definition;
  return definition ? definition->name : std::string_view();
}

} // namespace

bool AssertedSizes::holds(ValueId tensor, std::size_t axis) {
  if (!found)
    found = find();
  return found->contains({tensor, static_cast<std::int64_t>(axis)});
}

/// In the order of the nodes, which is the order in which they run: which sizes each number is made of.
std::set<AssertedSizes::Size> AssertedSizes::find() const {
  constexpr std::size_t most = 16; // sizes that one number is made of
  std::unordered_map<ValueId, std::set<Size>> madeOf;
  std::set<Size> asserted;
  for (std::uint32_t i = 0; i < m.nodeCount(); ++i) {
    const NodeId n(i);
    const std::string_view name = canonicalName(m, n);
    const auto operands = m.operands(n);
    if (name == "sym_size") {
      const Attribute *axis = m.attribute(n, "dim");
      if (axis && axis->kind == AttributeKind::Int && m.resultCount(n) == 1 && !operands.empty())
        madeOf[m.result(n, 0)] = {{operands[0], axis->number}};
      continue;
    }
    const bool isAssertion = name == "assert";
    if (!isAssertion && (!name.starts_with("scalar_") || m.resultCount(n) != 1))
      continue;
    std::set<Size> sizes;
    for (ValueId v : operands)
      if (const auto known = madeOf.find(v); known != madeOf.end() && sizes.size() + known->second.size() <= most)
        sizes.insert(known->second.begin(), known->second.end());
    if (sizes.empty())
      continue;
    if (!isAssertion)
      madeOf[m.result(n, 0)] = std::move(sizes);
    else if (m[operands[0]].def && canonicalName(m, m[operands[0]].def) == "scalar_eq")
      asserted.insert(sizes.begin(), sizes.end());
  }
  return asserted;
}

} // namespace condlint
