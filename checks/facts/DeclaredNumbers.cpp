//===- DeclaredNumbers.cpp - Sizes that only a declaration says -----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DeclaredNumbers.h"
#include "ConstantValues.h"
#include "ExternalNumbers.h"
#include "condlint/Op.h"
#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

namespace condlint {

namespace {

using Dims = std::span<const Dim>;

/// Some number that decides what \p n yields is known in no run before that.
bool hangsOnNumbers(const Model &m, NodeId n, const std::string &op) {
  const auto operands = m.operands(n);
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (operands[i] && readsNumbers(op, i) && !isNumbers(m, operands[i]))
      return true;
  return op == "Compress" || op == "Unique";
}

Dims sizesOf(const Model &m, ValueId v) {
  const Type &t = m.type(v);
  return t.isTensor() && t.hasRank ? Dims(t.dims) : Dims();
}

/// \p n changes some axes of what it is given, and its result has the size of axis \p i that that has.
bool keepsAxis(const Model &m, NodeId n, const std::string &op, std::size_t i, Dim size) {
  constexpr std::array<std::string_view, 5> changing{"Pad", "Resize", "Slice", "TopK", "Upsample"};
  if (std::ranges::find(changing, op) == changing.end())
    return false;
  const Dims given = sizesOf(m, m.operands(n)[0]);
  return i < given.size() && given[i] == size;
}

/// What `Reshape` and its like are told of the axis \p i: one number an axis.
bool isTold(const Model &m, NodeId n, const std::string &op, std::size_t i, Dim size) {
  const auto operands = m.operands(n);
  const std::size_t rank = sizesOf(m, m.result(n, 0)).size();
  const bool expands = op == "Expand";
  const std::size_t at = op == "ConstantOfShape" ? 0 : 1;
  if ((op != "Reshape" && !expands && at != 0) || operands.size() <= at || !operands[at] || !m[operands[at]].content)
    return false;
  const Dims told = m.content(m[operands[at]].content);
  const Dims given = at != 0 ? sizesOf(m, operands[0]) : Dims();
  if (expands) {
    // Both stand at the right; the size is that of the one that is not 1.
    const auto has = [&](Dims dims) { return i + dims.size() >= rank && dims[i + dims.size() - rank] == size; };
    const auto lacks = [&](Dims dims) { return i + dims.size() < rank; };
    const bool isOne = m.dims.asConstant(size) == 1;
    const bool isRankKnown = m.type(operands[0]).hasRank;
    const bool ofGiven = has(given) || (lacks(given) && isRankKnown), ofTold = has(told) || lacks(told);
    return isOne ? ofGiven && ofTold : has(given) || has(told);
  }
  if (told.size() != rank || !told[i].known())
    return false;
  if (told[i] == size)
    return true;
  const auto number = m.dims.asConstant(told[i]);
  const auto areKnown = [](Dims dims) { return std::ranges::all_of(dims, [](Dim d) { return d.known(); }); };
  if (number == 0) // as it was
    return i < given.size() && given[i] == size;
  return number == -1 && areKnown(given) && areKnown(told); // what is left of the others
}

} // namespace

bool isOnlyDeclared(const Model &m, ValueId v, std::size_t axis) {
  const NodeId n = m[v].def;
  if (!n || m.operands(n).empty() || !m.operands(n)[0])
    return false;
  const std::string op = m.operatorName(m[n].op);
  const Dim size = sizesOf(m, v)[axis];
  return hangsOnNumbers(m, n, op) && !keepsAxis(m, n, op, axis, size) && !isTold(m, n, op, axis, size);
}

} // namespace condlint
