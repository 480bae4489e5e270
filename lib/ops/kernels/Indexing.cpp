//===- Indexing.cpp - Indexing, executed ----------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Indexing.h"
#include "ElementKernels.h"
#include "Functors.h"
#include "IndexPlaces.h"
#include "Rows.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace condlint {

namespace {

/// Where elements are gathered from: indices count along one axis, places along the others.
struct Gathering {
  std::int64_t size[Tensor::maxRank], stride[Tensor::maxRank];
  std::size_t rank, axis;
};

} // namespace

Tensor gatherAlong(const ExecContext &c, const Tensor &t, std::size_t axis, const Tensor &indices) {
  if (t.rank() == 0 || indices.rank() == 0)
    return copied(c, reshaped(c, t, indices.sizes()));
  if (indices.rank() != t.rank())
    c.fail(
        fmt::format("indices of shape {} into a tensor of shape {}", shapeText(indices.sizes()), shapeText(t.sizes())));
  for (std::size_t i = 0; i < t.rank(); ++i)
    if (i != axis && indices.size(i) > t.size(i))
      c.fail(fmt::format("indices of shape {} into a tensor of shape {}", shapeText(indices.sizes()),
                         shapeText(t.sizes())));
  // ONNX counts from the end, torch refuses.
  const Tensor at = checkedIndices(c, indices, t.size(axis), !c.isTorch());
  const Tensor out = c.empty(t.dtype(), indices.sizes());
  const auto width = static_cast<std::int64_t>(t.itemBytes());
  Gathering layout{};
  layout.rank = t.rank();
  layout.axis = axis;
  for (std::size_t i = 0; i < t.rank(); ++i) {
    layout.size[i] = indices.size(i);
    layout.stride[i] = t.stride(i);
  }
  const char *from = t.deviceBytes();
  char *to = out.deviceOutBytes();
  const auto *index = at.deviceAs<std::int64_t>();
  forEach(c.device(), out.numel(), [=] CONDLINT_HD(std::int64_t i) {
    std::int64_t rest = i, place = 0;
    for (std::size_t k = layout.rank; k-- > 0; rest /= layout.size[k])
      place += (k == layout.axis ? index[i] : rest % layout.size[k]) * layout.stride[k];
    memcpy(to + i * width, from + place * width, static_cast<std::size_t>(width));
  });
  return out;
}

void executeGather(ExecContext &c) {
  if (!c.isTorch()) {
    const Tensor &x = c.in(0);
    if (x.rank() == 0)
      c.fail("a tensor of rank 0 has no axis to gather along");
    return c.set(0, takeSlices(c, x, axisOf(c, c.integer("axis", 0), x.rank()), c.in(1)));
  }
  const Tensor &x = firstOperand(c);
  c.finish(0, gatherAlong(c, x, axisOf(c, c.integer("dim"), x.rank()), c.tensor("index")));
}

void executeGatherElements(ExecContext &c) {
  const Tensor &x = c.in(0);
  c.set(0, gatherAlong(c, x, axisOf(c, c.integer("axis", 0), x.rank()), c.in(1)));
}

void executeGatherNd(ExecContext &c) {
  const Tensor x = contiguous(c, c.in(0)), &indices = c.in(1);
  const std::int64_t batch = c.integer("batch_dims", 0);
  if (indices.rank() == 0 || batch < 0 || batch >= static_cast<std::int64_t>(std::min(x.rank(), indices.rank())))
    c.fail("the indices do not fit what they index");
  const auto b = static_cast<std::size_t>(batch);
  const std::int64_t depth = indices.size(indices.rank() - 1);
  if (depth < 0 || b + static_cast<std::size_t>(depth) > x.rank())
    c.fail("the indices do not fit what they index");
  const auto k = static_cast<std::size_t>(depth);
  Sizes shape(indices.sizes().begin(), indices.sizes().end() - 1);
  shape.insert(shape.end(), x.sizes().begin() + static_cast<std::ptrdiff_t>(b + k), x.sizes().end());
  const Sizes at = integersOf(c, indices);
  const std::int64_t inner = innerCount(x, b + k);
  if (inner == 0)
    return c.set(0, c.empty(x.dtype(), shape));
  const std::int64_t batches = product(x.sizes().first(b)), rows = indices.numel() / std::max<std::int64_t>(depth, 1);
  const std::int64_t each = batches == 0 ? 0 : rows / batches;
  const std::int64_t perBatch = product(x.sizes().subspan(b, k));
  std::vector<std::int64_t> places;
  for (std::int64_t r = 0; r < rows; ++r) {
    std::int64_t place = 0;
    for (std::size_t d = 0; d < k; ++d)
      place = place * x.size(b + d) + wrapped(c, at[static_cast<std::size_t>(r) * k + d], x.size(b + d));
    places.push_back(r / std::max<std::int64_t>(each, 1) * perBatch + place);
  }
  const std::int64_t flat[] = {batches * perBatch, inner};
  c.set(0, reshaped(c, takeSlices(c, reshaped(c, x, flat), 0, tensorOf(c, places)), shape));
}

void executeIndexSelect(ExecContext &c) {
  const Tensor &x = firstOperand(c), &index = c.tensor("index");
  const std::size_t axis = axisOf(c, c.integer("dim"), x.rank());
  if (x.rank() == 0)
    return c.finish(0, copied(c, x));
  const std::int64_t flat[] = {index.numel()};
  c.finish(0, takeSlices(c, x, axis, reshaped(c, index, flat), false));
}

void executeTakeAlongDim(ExecContext &c) {
  Tensor x = firstOperand(c), indices = c.tensor("indices");
  if (!c.hasArg("dim")) {
    const std::int64_t flat[] = {x.numel()}, flatIndices[] = {indices.numel()};
    return c.finish(0, gatherAlong(c, reshaped(c, x, flat), 0, reshaped(c, indices, flatIndices)));
  }
  const std::size_t axis = axisOf(c, c.integer("dim"), x.rank());
  Sizes a = sizesOf(x), b = sizesOf(indices);
  if (a.size() != b.size())
    c.fail(fmt::format("indices of shape {} do not fit {}", shapeText(b), shapeText(a)));
  if (a.empty())
    return c.finish(0, gatherAlong(c, x, axis, indices));
  const std::int64_t own = a[axis], theirs = b[axis];
  a[axis] = b[axis] = 1;
  Sizes common = broadcast(c, a, b);
  common[axis] = own;
  x = expanded(c, x, common);
  common[axis] = theirs;
  c.finish(0, gatherAlong(c, x, axis, expanded(c, indices, common)));
}

void executeTake(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  const std::int64_t flat[] = {x.numel()};
  c.finish(0, takeSlices(c, reshaped(c, x, flat), 0, c.tensor("index")));
}

namespace {

/// torch iterates over the axes of the operand that are left, where the indexed ones have no stride.
Sizes indexedStrides(const Tensor &out, const AdvancedIndex &a) {
  Sizes strides;
  for (std::size_t i = 0; i < a.x.rank(); ++i)
    if (std::ranges::find(a.axes, i) == a.axes.end())
      strides.push_back(a.x.stride(i));
  strides.insert(strides.begin() + static_cast<std::ptrdiff_t>(a.position), a.shape.size(), 0);
  const Tensor iterated = a.x.with(out.sizes(), strides, 0);
  const Tensor *operands[] = {&iterated};
  return elementwiseStrides(out.sizes(), operands, false);
}

} // namespace

void executeIndex(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  const AdvancedIndex a = advancedIndex(c, x, c.optionalTensors("indices"));
  if (a.axes.empty())
    return c.set(0, copied(c, x));
  const FlatIndex f = flatten(c, a);
  const std::int64_t flat[] = {f.places.numel()};
  Sizes shape = a.shape;
  shape.insert(shape.end(), f.rest.begin(), f.rest.end());
  const Tensor taken = reshaped(c, takeSlices(c, f.x, 0, reshaped(c, f.places, flat)), shape);
  const Tensor out = placeAxes(taken, a);
  c.finish(0, laidOut(c, out, indexedStrides(out, a)));
}

void executeNonzero(ExecContext &c) {
  const Tensor found = nonzero(c, firstOperand(c));
  const Tensor byAxis = contiguous(c, found.transposed(0, 1));
  c.finish(0, c.isTorch() ? byAxis.transposed(0, 1) : byAxis); // torch's lie in memory as ONNX's
}

void executeNonzeroStatic(ExecContext &c) {
  const Tensor found = nonzero(c, firstOperand(c));
  const std::int64_t size = c.integer("size");
  const std::int64_t shape[] = {size, found.size(1)};
  const Tensor out = filled(c, DType::Int64, shape, Scalar::of(c.integer("fill_value", -1)));
  const std::int64_t n = std::min(size, found.size(0));
  copyInto(c, out.sliced(0, 0, n), found.sliced(0, 0, n));
  c.finish(0, out);
}

void executeNonzeroNumpy(ExecContext &c) {
  const Tensor found = nonzero(c, firstOperand(c));
  std::vector<Tensor> columns;
  for (std::int64_t k = 0; k < found.size(1); ++k)
    columns.push_back(found.selected(1, k));
  c.setList(0, columns);
}

void executeMaskedSelect(ExecContext &c) {
  const Tensor &x = firstOperand(c), &mask = c.tensor("mask");
  const Sizes shape = broadcast(c, x.sizes(), mask.sizes());
  const Tensor values = contiguous(c, expanded(c, x, shape)), chosen = contiguous(c, expanded(c, mask, shape));
  std::vector<std::int64_t> places;
  for (std::int64_t i = 0; i < chosen.numel(); ++i)
    if (chosen.as<std::uint8_t>()[i] != 0)
      places.push_back(i);
  const std::int64_t flat[] = {values.numel()};
  c.finish(0, takeSlices(c, reshaped(c, values, flat), 0, tensorOf(c, places)));
}

void executeCompress(ExecContext &c) {
  Tensor x = c.in(0);
  std::size_t axis = 0;
  if (c.hasArg("axis")) {
    axis = axisOf(c, c.integer("axis"), x.rank());
  } else {
    const std::int64_t flat[] = {x.numel()};
    x = reshaped(c, x, flat);
  }
  const Sizes condition = integersOf(c, c.in(1));
  std::vector<std::int64_t> places;
  for (std::size_t i = 0; i < condition.size(); ++i)
    if (condition[i] != 0)
      places.push_back(static_cast<std::int64_t>(i));
  c.set(0, takeSlices(c, x, axis, tensorOf(c, places)));
}

void executeEmbedding(ExecContext &c) { c.finish(0, takeSlices(c, c.tensor("weight"), 0, c.tensor("indices"), false)); }

void executeOneHot(ExecContext &c) {
  const Tensor &given = firstOperand(c);
  if (c.isTorch()) {
    const Sizes x = integersOf(c, given);
    std::int64_t classes = c.integer("num_classes", -1);
    for (std::int64_t v : x)
      if (v < 0)
        c.fail("Class values must be non-negative.");
    if (classes <= 0)
      for (std::int64_t v : x)
        classes = std::max(classes, v + 1);
    Sizes shape = sizesOf(given);
    shape.push_back(classes);
    const Tensor out = filled(c, DType::Int64, shape, Scalar::of(std::int64_t{0}));
    for (std::size_t i = 0; i < x.size(); ++i)
      out.out<std::int64_t>()[static_cast<std::int64_t>(i) * classes + wrapped(c, x[i], classes, false)] = 1;
    return c.set(0, out);
  }
  const std::int64_t depth = c.scalarIn(1).toInt();
  const Tensor values = contiguous(c, c.in(2));
  const std::size_t axis = axisOf(c, c.integer("axis", -1), given.rank() + 1);
  if (depth < 0 || values.numel() != 2)
    c.fail("OneHot needs a depth and two values");
  Sizes shape = sizesOf(given);
  shape.push_back(depth);
  const Tensor rows = expanded(c, reshaped(c, values.selected(0, 0), Sizes(shape.size(), 1)), shape);
  const Tensor out = copied(c, rows);
  const std::vector<double> x = doublesOf(c, given);
  for (std::size_t i = 0; i < x.size(); ++i) {
    auto index = static_cast<std::int64_t>(x[i]);
    index += index < 0 ? depth : 0;
    if (index >= 0 && index < depth)
      copyInto(c, reshaped(c, out, Sizes{out.numel()}).selected(0, static_cast<std::int64_t>(i) * depth + index),
               values.selected(0, 1));
  }
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < shape.size(); ++i)
    order.push_back(i < axis ? i : i == axis ? shape.size() - 1 : i - 1);
  c.set(0, contiguous(c, out.permuted(order)));
}

void executeBucketize(ExecContext &c) {
  const bool search = c.opName() == "searchsorted";
  const Tensor &edges = c.tensor(search ? "sorted_sequence" : "boundaries");
  const Operand given = c.tensorOrScalar("self");
  const bool right = c.flag("right") || c.text("side") == "right";
  const DType to = c.flag("out_int32") ? DType::Int32 : DType::Int64;
  const Tensor x = given.isTensor() ? given.tensor : scalarTensor(c, given.scalar, DType::Float64);
  if (c.hasArg("sorter"))
    c.fail("condlint does not execute searchsorted with a sorter");
  const std::vector<double> sequence = doublesOf(c, edges), values = doublesOf(c, x);
  const std::int64_t n = edges.rank() == 0 ? 1 : edges.size(edges.rank() - 1);
  const std::int64_t each = edges.rank() <= 1 ? static_cast<std::int64_t>(values.size()) : x.size(x.rank() - 1);
  const Tensor out = c.empty(DType::Int64, x.sizes());
  const auto isBefore = [](double a, double b) { return !std::isnan(a) && (std::isnan(b) || a < b); }; // NaN is last
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto row = sequence.begin() + (edges.rank() <= 1 ? 0 : static_cast<std::int64_t>(i) / each * n);
    const auto at = right ? std::upper_bound(row, row + n, values[i], isBefore)
                          : std::lower_bound(row, row + n, values[i], isBefore);
    out.out<std::int64_t>()[i] = at - row;
  }
  c.finish(0, cast(c, out, to));
}

} // namespace condlint
