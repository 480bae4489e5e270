//===- FirstIf.cpp - What If-1 demands of its branches --------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/FirstIf.h"
#include "facts/ConstantValues.h"
#include "facts/ExternalNumbers.h"
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace condlint {

namespace {

enum class Open : std::uint8_t { Nothing, Sizes, Rank };

/// Walks back from a value to all that its shape may come from.
class ShapeSources {
public:
  explicit ShapeSources(const Model &model) : m(model), seen(model.valueCount(), false) {}

  /// What type inference of ONNX Runtime 1.32 leaves open of \p v, and condlint does not.
  Open of(ValueId v) {
    Open worst = Open::Nothing;
    push(v);
    while (!open.empty() && worst != Open::Rank) {
      const ValueId next = open.back();
      open.pop_back();
      if (const NodeId n = m[next].def)
        worst = std::max(worst, lookAt(next, n));
    }
    return worst;
  }

private:
  void push(ValueId v) {
    if (v && !seen[v.index()]) {
      seen[v.index()] = true;
      open.push_back(v);
    }
  }

  Open lookAt(ValueId v, NodeId n) {
    const std::string op = m.operatorName(m[n].op);
    if (op == "StringNormalizer")
      return Open::Sizes;
    if (op == "Loop" && isCarried(v, n))
      return Open::Rank;
    const auto operands = m.operands(n);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (operands[i] && mayBeGiven(operands[i]) && readsNumbers(op, i))
        return Open::Rank;
      push(operands[i]);
    }
    for (const GraphId g : m.regions(n))
      for (const ValueId r : m.results(g))
        push(r);
    if (m[n].callee)
      for (const ValueId r : m.results(m[n].callee))
        push(r);
    return Open::Nothing;
  }

  /// From IR version 4 on a caller may give other numbers than an input's initializer.
  bool mayBeGiven(ValueId v) const { return isDefault(m, v) && m.info.irVersion >= 4; }

  bool isCarried(ValueId v, NodeId n) const {
    constexpr std::size_t before = 2; // the trip count and the condition
    const std::size_t carried = m.operands(n).size() > before ? m.operands(n).size() - before : 0;
    return v.index() - m[n].results.first < carried;
  }

  const Model &m;
  std::vector<bool> seen;
  std::vector<ValueId> open;
};

using Sizes = std::vector<std::optional<std::int64_t>>;

std::optional<Sizes> sizesOf(const Model &m, const Type &t) {
  if (!t.isTensor() || !t.hasRank)
    return std::nullopt;
  Sizes sizes;
  for (const Dim d : t.dims)
    sizes.push_back(d.known() ? m.dims.asConstant(d) : std::nullopt);
  return sizes;
}

std::optional<Sizes> merged(const Model &m, ValueId v) {
  const auto declared = m[v].recorded ? sizesOf(m, m.types[m[v].recorded]) : std::nullopt;
  const Open left = ShapeSources(m).of(v);
  auto yielded = left == Open::Rank ? std::nullopt : sizesOf(m, m.type(v));
  if (yielded && left == Open::Sizes)
    std::ranges::fill(*yielded, std::nullopt);
  if (!yielded || !declared)
    return yielded ? yielded : declared;
  if (yielded->size() != declared->size())
    return std::nullopt;
  for (std::size_t i = 0; i < yielded->size(); ++i) {
    std::optional<std::int64_t> &own = (*yielded)[i];
    const std::optional<std::int64_t> &said = (*declared)[i];
    if (own && said && own != said)
      own.reset();
    else if (!own)
      own = said;
  }
  return yielded;
}

/// The results have the same sizes, and so does what is declared of them: whatever inference leaves open, what is left
/// agrees.
bool agree(const Model &m, ValueId a, ValueId b) {
  const auto yielded = sizesOf(m, m.type(a));
  const auto isOther = [&](ValueId v) { return m[v].recorded && sizesOf(m, m.types[m[v].recorded]) != yielded; };
  return yielded && sizesOf(m, m.type(b)) == yielded && !isOther(a) && !isOther(b);
}

} // namespace

bool differForInference(const Model &m, ValueId a, ValueId b) {
  if (!a || !b || agree(m, a, b))
    return false;
  const auto x = merged(m, a), y = merged(m, b);
  if (!x || !y)
    return false;
  return x->size() != y->size() ||
         !std::ranges::equal(*x, *y, [](const auto &one, const auto &other) { return !one || !other || one == other; });
}

std::string_view variantOfIf(const RuleContext &ctx, const Output &o) {
  if (ctx.conditional().sinceVersion != 1)
    return {};
  const bool isSeen = ctx.target.system != System::OnnxRuntime || differForInference(ctx.m, o.values[0], o.values[1]);
  return isSeen ? "if-1" : "";
}

} // namespace condlint
