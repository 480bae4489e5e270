//===- Assembly.cpp - Tensors put together of others ----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Assembly.h"
#include "Checked.h"
#include "Rows.h"
#include "TensorOps.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {

namespace {

Scalar zeroOf(DType t) { return isFloating(t) || isComplex(t) ? Scalar::of(0.0) : Scalar::of(std::int64_t{0}); }

/// The elements of \p t along its first axis at \p places.
Tensor picked(const ExecContext &c, const Tensor &t, const std::vector<std::int64_t> &places) {
  const std::int64_t shape[] = {static_cast<std::int64_t>(places.size())};
  const Tensor out = c.empty(t.dtype(), shape);
  for (std::size_t i = 0; i < places.size(); ++i)
    copyInto(c, out.selected(0, static_cast<std::int64_t>(i)), t.selected(0, places[i]));
  return out;
}

} // namespace

void executeBlockDiagonal(ExecContext &c) {
  std::vector<Tensor> blocks;
  std::int64_t rows = 0, columns = 0;
  for (Tensor t : c.tensors("tensors")) {
    if (t.rank() > 2)
      c.fail(fmt::format("a tensor of shape {} is no block", shapeText(t.sizes())));
    while (t.rank() < 2)
      t = t.unsqueezed(0);
    rows = plus(c, rows, t.size(0));
    columns = plus(c, columns, t.size(1));
    blocks.push_back(t);
  }
  if (blocks.empty())
    c.fail("there are no blocks");
  DType element = blocks.front().dtype();
  for (const Tensor &t : blocks)
    element = promoteTypes(element, t.dtype());
  const std::int64_t shape[] = {rows, columns};
  const Tensor out = filled(c, element, shape, zeroOf(element));
  rows = columns = 0;
  for (const Tensor &t : blocks) {
    copyInto(c, out.sliced(0, rows, t.size(0)).sliced(1, columns, t.size(1)), t);
    rows += t.size(0);
    columns += t.size(1);
  }
  c.finish(0, out);
}

void executeCartesianProduct(ExecContext &c) {
  const std::vector<Tensor> list = c.tensors("tensors");
  for (const Tensor &t : list)
    if (t.rank() != 1 || t.dtype() != list.front().dtype())
      c.fail("vectors of one element type are wanted");
  if (list.empty())
    c.fail("there are no vectors");
  if (list.size() == 1)
    return c.set(0, list.front());
  Sizes grid;
  std::int64_t count = 1;
  for (const Tensor &t : list) {
    grid.push_back(t.numel());
    count = times(c, count, t.numel());
  }
  if (grid.size() + 1 > Tensor::maxRank)
    c.fail(fmt::format("{} vectors are too many", list.size()));
  Sizes shape = grid;
  shape.push_back(static_cast<std::int64_t>(list.size()));
  const Tensor out = c.empty(list.front().dtype(), shape);
  for (std::size_t i = 0; i < list.size(); ++i) {
    Sizes along(list.size(), 1);
    along[i] = list[i].numel();
    copyInto(c, out.selected(list.size(), static_cast<std::int64_t>(i)), reshaped(c, list[i], along));
  }
  const std::int64_t flat[] = {count, shape.back()};
  c.finish(0, reshaped(c, out, flat));
}

void executeCombinations(ExecContext &c) {
  const Tensor &x = c.tensor("self");
  const std::int64_t r = c.integer("r", 2);
  const bool repeated = c.flag("with_replacement");
  if (x.rank() != 1 || r < 0)
    c.fail(fmt::format("{} elements of a tensor of shape {}", r, shapeText(x.sizes())));
  const std::int64_t none[] = {0};
  if (r == 0)
    return c.finish(0, c.empty(x.dtype(), none));
  const std::int64_t n = x.numel();
  constexpr std::int64_t most = 64;
  if (r > most)
    c.fail(fmt::format("condlint combines no more than {} elements", most));
  // Each choice follows from the one before it: the last place that can move does.
  std::vector<std::int64_t> choice, places;
  for (std::int64_t i = 0; i < r; ++i)
    choice.push_back(repeated ? 0 : i);
  bool more = repeated ? n > 0 : r <= n;
  while (more) {
    if (places.size() % 4096 == 0)
      requireRoom(c, static_cast<std::int64_t>(2 * places.size()));
    places.insert(places.end(), choice.begin(), choice.end());
    std::int64_t at = r - 1;
    while (at >= 0 && choice[static_cast<std::size_t>(at)] == (repeated ? n - 1 : n - r + at))
      --at;
    more = at >= 0;
    if (!more)
      break;
    const std::int64_t next = ++choice[static_cast<std::size_t>(at)];
    for (std::int64_t i = at + 1; i < r; ++i)
      choice[static_cast<std::size_t>(i)] = repeated ? next : next + i - at;
  }
  const std::int64_t shape[] = {static_cast<std::int64_t>(places.size()) / r, r};
  c.finish(0, reshaped(c, picked(c, x, places), shape));
}

void executeDiagonalOfAll(ExecContext &c) {
  const Tensor &x = c.tensor("self");
  const std::int64_t offset = moderate(c, c.integer("offset", 0), "offset"), n = x.numel();
  const std::int64_t size = n + std::abs(offset), shape[] = {size, size}, flat[] = {n}, step[] = {size + 1};
  const Tensor out = filled(c, x.dtype(), shape, zeroOf(x.dtype()));
  copyInto(c, out.with(flat, step, out.offset() + (offset > 0 ? offset : -offset * size)), reshaped(c, x, flat));
  c.finish(0, out);
}

void executePadSequence(ExecContext &c) {
  const std::vector<Tensor> list = c.tensors("sequences");
  std::int64_t longest = 0;
  for (const Tensor &t : list) {
    if (t.rank() == 0 || !std::ranges::equal(t.sizes().subspan(1), list.front().sizes().subspan(1)))
      c.fail("the sequences differ in more than their length");
    longest = std::max(longest, t.size(0));
  }
  if (list.empty())
    c.fail("there are no sequences");
  const bool left = c.text("padding_side", "right") == "left", batchFirst = c.flag("batch_first");
  Sizes shape = sizesOf(list.front());
  shape[0] = longest;
  const std::size_t axis = batchFirst ? 0 : 1;
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), static_cast<std::int64_t>(list.size()));
  const Tensor out = filled(c, list.front().dtype(), shape, Scalar::of(c.real("padding_value", 0.0)));
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::int64_t length = list[i].size(0);
    copyInto(c, out.selected(axis, static_cast<std::int64_t>(i)).sliced(0, left ? longest - length : 0, length),
             list[i]);
  }
  c.finish(0, out);
}

/// The product of three tensors with axes added, summed over some.
void executeTrilinear(ExecContext &c) {
  const auto widened = [&](std::string_view tensor, std::string_view axes) {
    Tensor t = c.tensor(tensor);
    const Sizes added = c.integers(axes).value_or(Sizes());
    if (added.empty())
      return t;
    if (t.rank() + added.size() > Tensor::maxRank)
      c.fail(fmt::format("{} axes more are too many", added.size()));
    for (std::size_t axis : axesOf(c, added, t.rank() + added.size()))
      t = t.unsqueezed(axis);
    return t;
  };
  const Tensor a = widened("i1", "expand1"), b = widened("i2", "expand2"), x = widened("i3", "expand3");
  if (a.dtype() != b.dtype() || a.dtype() != x.dtype())
    c.fail("the element types differ");
  const Tensor product = mul(c, operandOf(mul(c, operandOf(a), operandOf(b))), operandOf(x));
  const Sizes summed = c.integers("sumdim").value_or(Sizes());
  if (summed.empty())
    return c.finish(0, product);
  c.finish(0, reduced(c, product, axesOf(c, summed, product.rank()), false, Reduction::Sum, product.dtype()));
}

} // namespace condlint
