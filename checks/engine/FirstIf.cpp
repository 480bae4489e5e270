//===- FirstIf.cpp - What If-1 demands of its branches --------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine/FirstIf.h"
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace condlint {

namespace {

using Sizes = std::vector<std::optional<std::int64_t>>;

std::optional<Sizes> sizesOf(const Model &m, const Type &t) {
  if (!t.isTensor() || !t.hasRank)
    return std::nullopt;
  Sizes sizes;
  for (const Dim d : t.dims)
    sizes.push_back(d.known() ? m.dims.asConstant(d) : std::nullopt);
  return sizes;
}

std::optional<Sizes> merged(const Model &m, OpenShapes &open, ValueId v) {
  const auto declared = m[v].recorded ? sizesOf(m, m.types[m[v].recorded]) : std::nullopt;
  const OpenShapes::Open left = open.of(v);
  auto yielded = left == OpenShapes::Open::Rank ? std::nullopt : sizesOf(m, m.type(v));
  if (yielded && left == OpenShapes::Open::Sizes)
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

/// Two numbers of axes, or two sizes that are known.
bool differ(const Sizes &a, const Sizes &b) {
  return a.size() != b.size() ||
         !std::ranges::equal(a, b, [](const auto &one, const auto &other) { return !one || !other || one == other; });
}

} // namespace

bool differForInference(RuleContext &ctx, ValueId a, ValueId b) {
  const Model &m = ctx.m;
  if (!a || !b || agree(m, a, b))
    return false;
  const auto x = merged(m, ctx.facts.openShapes, a), y = merged(m, ctx.facts.openShapes, b);
  if (!x || !y)
    return false;
  return differ(*x, *y);
}

bool differForChecker(RuleContext &ctx, ValueId a, ValueId b) {
  const Model &m = ctx.m;
  if (!a || !b)
    return false;
  const auto x = sizesOf(m, ctx.facts.checkerTypes.of(a)), y = sizesOf(m, ctx.facts.checkerTypes.of(b));
  return x && y && differ(*x, *y);
}

std::string_view variantOfIf(RuleContext &ctx, const Output &o) {
  if (ctx.conditional().sinceVersion != 1)
    return {};
  if (ctx.target.system == System::OnnxRuntime)
    return differForInference(ctx, o.values[0], o.values[1]) ? "if-1" : "";
  if (ctx.target.system == System::Onnx)
    return differForChecker(ctx, o.values[0], o.values[1]) ? "if-1" : "if-1-unseen";
  return "if-1";
}

} // namespace condlint
