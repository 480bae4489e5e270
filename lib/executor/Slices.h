//===- Slices.h - What loops take and put together --------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_EXECUTOR_SLICES_H
#define CONDLINT_LIB_EXECUTOR_SLICES_H

#include "ops/kernels/TensorOps.h"
#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace condlint {

/// Collects what the rounds of a loop yield at one place and stacks it.
class Stack {
public:
  void add(const ExecContext &c, const RuntimeValue &v) {
    if (!v.isTensor())
      c.fail("a loop collects something that is no tensor");
    if (!items.empty() &&
        (v.tensor.dtype() != items[0].dtype() || !std::ranges::equal(v.tensor.sizes(), items[0].sizes())))
      c.fail(fmt::format("a loop collects tensors of the shapes {} and {}", shapeText(items[0].sizes()),
                         shapeText(v.tensor.sizes())));
    items.push_back(v.tensor);
  }
  void reverse() { std::ranges::reverse(items); }
  /// Along a new axis; \p like says what there would be without rounds.
  Tensor stacked(const ExecContext &c, std::int64_t axis, const Model &m, const Type *like) const {
    Sizes sizes;
    DType t = DType::Unknown;
    if (!items.empty()) {
      sizes = sizesOf(items[0]);
      t = items[0].dtype();
    } else if (like && like->isTensor()) {
      t = like->element;
      for (Dim d : like->dims)
        sizes.push_back(m.dims.asConstant(d).value_or(0));
    }
    const std::size_t at = axisOf(c, axis, sizes.size() + 1);
    sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(at), static_cast<std::int64_t>(items.size()));
    Tensor out = c.empty(t, sizes);
    for (std::size_t i = 0; i < items.size(); ++i)
      copyInto(c, out.selected(at, static_cast<std::int64_t>(i)), items[i]);
    return out;
  }

private:
  std::vector<Tensor> items;
};

/// One slice of \p v, without the axis that it is cut along.
inline Tensor slice(const ExecContext &c, const RuntimeValue &v, std::int64_t axis, std::int64_t i) {
  if (!v.isTensor() || v.tensor.rank() == 0)
    c.fail("a loop runs over something that has no axis");
  const std::size_t at = axisOf(c, axis, v.tensor.rank());
  if (i < 0 || i >= v.tensor.size(at))
    c.fail(fmt::format("the slice {} of an axis of {} elements is asked for", i, v.tensor.size(at)));
  return v.tensor.selected(at, i);
}

} // namespace condlint

#endif // CONDLINT_LIB_EXECUTOR_SLICES_H
