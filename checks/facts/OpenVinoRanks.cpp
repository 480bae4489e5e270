//===- OpenVinoRanks.cpp - Ranks that OpenVINO does not find --------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OpenVinoRanks.h"
#include "ConstantValues.h"
#include "NodeText.h"
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>

namespace condlint {

namespace {

/// What the rank hangs on.
enum class By : std::uint8_t {
  Axes,    ///< the axes, however many
  Squeeze, ///< the axes; without any, which sizes are 1
  Reduce,  ///< how many axes there are, where reduced ones do not stay
  Count,   ///< how many sizes there are
};

struct Row {
  std::string_view op;
  By by;
  std::size_t operand;
};
constexpr Row rows[] = {
    {"ConstantOfShape", By::Count, 0}, {"Expand", By::Count, 1},        {"ReduceL1", By::Reduce, 1},
    {"ReduceL2", By::Reduce, 1},       {"ReduceLogSum", By::Reduce, 1}, {"ReduceLogSumExp", By::Reduce, 1},
    {"ReduceMax", By::Reduce, 1},      {"ReduceMean", By::Reduce, 1},   {"ReduceMin", By::Reduce, 1},
    {"ReduceProd", By::Reduce, 1},     {"ReduceSum", By::Reduce, 1},    {"ReduceSumSquare", By::Reduce, 1},
    {"Reshape", By::Count, 1},         {"Squeeze", By::Squeeze, 1},     {"Tile", By::Count, 1},
    {"Unsqueeze", By::Axes, 1},
};
static_assert(std::ranges::is_sorted(rows, {}, &Row::op));

/// OpenVINO takes an input with an initializer for that.
bool isConstant(const Model &m, ValueId v) {
  return m[v].origin == ValueOrigin::Constant || operatorOf(m, v) == "Constant" || isDefault(m, v) || isNumbers(m, v);
}

/// What is said of \p v, of which something has to be known: nothing is of what the model is given.
Tri isFound(const Model &m, ValueId v) {
  return m[v].origin == ValueOrigin::Parameter && m[v].graph == m.main() ? Tri::No : Tri::Unknown;
}

std::optional<std::int64_t> length(const Model &m, ValueId v) {
  const Type &t = m.type(v);
  return t.hasRank && t.dims.size() == 1 ? m.dims.asConstant(t.dims[0]) : std::nullopt;
}

Tri findsSqueezed(const Model &m, ValueId data) {
  const Type &t = m.type(data);
  const bool areKnown =
      t.hasRank && std::ranges::all_of(t.dims, [&](Dim d) { return m.dims.asConstant(d).has_value(); });
  return areKnown || isConstant(m, data) ? Tri::Yes : isFound(m, data);
}

} // namespace

Tri openVinoFindsRank(const Model &m, NodeId n, Version version) {
  constexpr Version countsAxesSince{2024, 6};
  const std::string_view name = m.text(m[m[n].op].name);
  const Row *row = std::ranges::lower_bound(rows, name, {}, &Row::op);
  if (row == std::end(rows) || row->op != name)
    return Tri::Yes;
  const auto operands = m.operands(n);
  const ValueId v = row->operand < operands.size() ? operands[row->operand] : ValueId();
  if (!v) // axes as an attribute, or none
    return row->by == By::Squeeze && !m.attribute(n, "axes") && !operands.empty() && operands[0]
               ? findsSqueezed(m, operands[0])
               : Tri::Yes;
  if (isConstant(m, v))
    return Tri::Yes;
  const std::optional<std::int64_t> count = length(m, v);
  switch (row->by) {
  case By::Axes:
    return isFound(m, v);
  case By::Squeeze:
    return count == 1 ? Tri::Yes : isFound(m, v);
  case By::Count:
    return count ? Tri::Yes : isFound(m, v);
  case By::Reduce: {
    const Attribute *keeps = m.attribute(n, "keepdims");
    const bool keepsAll = !keeps || keeps->number != 0;
    const bool isCounted = count && (keepsAll || (count == 1 && version >= countsAxesSince));
    return isCounted ? Tri::Yes : isFound(m, v);
  }
  }
  return Tri::Yes;
}

} // namespace condlint
