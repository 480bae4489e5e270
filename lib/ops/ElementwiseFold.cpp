//===- ElementwiseFold.cpp - Constants folded element by element ----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Elementwise.h"
#include <algorithm>

namespace condlint {

std::optional<std::vector<std::int64_t>> constantShape(InferContext &c, std::size_t i) {
  const Type &t = c.type(i);
  if (!t.hasRank)
    return std::nullopt;
  std::vector<std::int64_t> sizes;
  for (Dim d : t.dims) {
    const auto size = c.dims().asConstant(d);
    if (!size || *size < 0)
      return std::nullopt;
    sizes.push_back(*size);
  }
  return sizes;
}

void foldElementwise(InferContext &c, std::size_t least, const FoldFunction &f) {
  // Torch's tensors change in place: what they held says nothing later.
  if (c.isTorch() || c.operandCount() == 0 || c.operandCount() < least)
    return;
  struct Input {
    std::vector<Dim> values;
    std::vector<std::int64_t> shape;
  };
  std::vector<Input> inputs;
  std::vector<std::int64_t> shape;
  for (std::size_t i = 0; i < c.operandCount(); ++i) {
    const auto content = c.content(i);
    auto sizes = constantShape(c, i);
    if (!content || content->size() > maxContent)
      return;
    if (!sizes && content->size() == 1)
      sizes.emplace();
    if (!sizes)
      return;
    std::int64_t count = 1;
    for (std::int64_t s : *sizes) {
      if (s > static_cast<std::int64_t>(maxContent))
        return;
      count *= s; // 64 * 64 at most
      if (count > static_cast<std::int64_t>(maxContent))
        return;
    }
    if (static_cast<std::size_t>(count) != content->size())
      return;
    if (sizes->size() > shape.size())
      shape.insert(shape.begin(), sizes->size() - shape.size(), 1);
    for (std::size_t k = 0; k < sizes->size(); ++k) {
      std::int64_t &whole = shape[shape.size() - 1 - k];
      const std::int64_t here = (*sizes)[sizes->size() - 1 - k];
      if (whole == 1)
        whole = here;
      else if (here != 1 && here != whole)
        return;
    }
    inputs.push_back({{content->begin(), content->end()}, std::move(*sizes)});
  }
  std::size_t count = 1;
  for (std::int64_t s : shape) {
    count *= static_cast<std::size_t>(s);
    if (count > maxContent)
      return;
  }
  std::vector<Dim> result(count), arguments(inputs.size());
  for (std::size_t flat = 0; flat < count; ++flat) {
    bool known = true;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      std::size_t rest = flat, at = 0, step = 1;
      for (std::size_t k = 0; k < shape.size(); ++k) { // from the innermost axis
        const auto size = static_cast<std::size_t>(shape[shape.size() - 1 - k]);
        const std::size_t index = rest % size;
        rest /= size;
        if (k >= inputs[i].shape.size())
          continue;
        const auto own = static_cast<std::size_t>(inputs[i].shape[inputs[i].shape.size() - 1 - k]);
        at += own == 1 ? 0 : index * step;
        step *= own;
      }
      arguments[i] = inputs[i].values[at];
      known = known && arguments[i].known();
    }
    result[flat] = known || inputs.size() > 1 ? f(c.dims(), arguments) : Dim();
  }
  if (std::any_of(result.begin(), result.end(), [](Dim d) { return d.known(); }))
    c.setContent(0, result);
}

Dim foldEqual(DimTable &dims, Dim a, Dim b) {
  if (!a.known() || !b.known())
    return {};
  const DimComparison r = dims.compare(a, b);
  if (r.result == DimComparison::Verdict::Proved)
    return dims.constant(1);
  if (r.result == DimComparison::Verdict::Refuted && r.always)
    return dims.constant(0);
  return {};
}

Dim foldLess(DimTable &dims, Dim a, Dim b) {
  const Dim difference = dims.sub(a, b);
  if (!difference.known())
    return {};
  const Interval range = dims.boundsOf(difference);
  if (range.max < 0)
    return dims.constant(1);
  if (range.min >= 0)
    return dims.constant(0);
  return {};
}

Dim foldTruncDiv(DimTable &dims, Dim a, Dim b) {
  const auto x = dims.asConstant(a), y = dims.asConstant(b);
  if (x && y) {
    if (*y == 0 || (*y == -1 && *x == std::numeric_limits<std::int64_t>::min()))
      return {};
    return dims.constant(*x / *y);
  }
  if (!a.known() || !b.known() || dims.boundsOf(a).min < 0 || dims.boundsOf(b).min <= 0)
    return {};
  return dims.floorDiv(a, b);
}

} // namespace condlint
