//===- RegionArguments.cpp - What region parameters stand for -------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RegionArguments.h"
#include <algorithm>
#include <optional>

namespace condlint {

namespace {

/// Which of the lists of values that the loop \p name is called with holds what it cuts in slices, and how
/// many lists there are; nothing for a loop that calls its body with something else.
struct Lists {
  std::size_t count;
  std::optional<std::size_t> sliced;
};
std::optional<Lists> listsOf(std::string_view name) {
  if (name == "while_loop" || name == "while_loop_stack_output")
    return Lists{2, std::nullopt};
  if (name == "scan")
    return Lists{3, 1};
  if (name == "map" || name == "map_impl")
    return Lists{2, 0};
  return std::nullopt;
}

RegionArgument loopArgument(const Model &m, NodeId loop, std::size_t position) {
  const auto lists = listsOf(m.text(m[m[loop].op].name));
  const auto isList = [](const Attribute &a) { return a.kind == AttributeKind::Operands; };
  if (!lists || static_cast<std::size_t>(std::ranges::count_if(m.attributes(loop), isList)) != lists->count)
    return {};
  std::size_t list = 0;
  for (const Attribute &a : m.attributes(loop)) {
    if (!isList(a))
      continue;
    if (position < a.list.count) {
      const std::size_t operand = a.list.first + position;
      return operand < m.operands(loop).size() ? RegionArgument{m.operands(loop)[operand], list == lists->sliced}
                                               : RegionArgument();
    }
    position -= a.list.count;
    ++list;
  }
  return {};
}

} // namespace

RegionArgument regionArgument(const Model &m, ValueId v) {
  const NodeId holder = v && m[v].graph ? m[m[v].graph].owner : NodeId();
  if (!holder || m[v].origin != ValueOrigin::Parameter)
    return {};
  if (nodeHas(m, holder, OpTrait::Loop))
    return loopArgument(m, holder, m[v].index);
  const std::vector<ValueId> given = regionOperands(m, holder);
  return {m[v].index < given.size() ? given[m[v].index] : ValueId()};
}

} // namespace condlint
