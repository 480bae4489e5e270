//===- IndexPlaces.cpp - Where indices point ------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "IndexPlaces.h"
#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace condlint {

Tensor nonzero(const ExecContext &c, const Tensor &t) {
  const Tensor x = contiguous(c, t);
  std::vector<std::int64_t> found;
  const Sizes sizes = sizesOf(x);
  for (std::int64_t i = 0; i < x.numel(); ++i) {
    if (loadElement<ComplexDouble>(x.dtype(), x.bytes(), i) == ComplexDouble(0))
      continue;
    const std::size_t at = found.size();
    found.resize(at + sizes.size());
    std::int64_t rest = i;
    for (std::size_t k = sizes.size(); k-- > 0; rest /= sizes[k])
      found[at + k] = rest % sizes[k];
    if (sizes.empty())
      found.push_back(0); // counted below
  }
  const auto rank = static_cast<std::int64_t>(sizes.size());
  const std::int64_t shape[] = {
      rank == 0 ? static_cast<std::int64_t>(found.size()) : static_cast<std::int64_t>(found.size()) / rank, rank};
  const Tensor out = c.empty(DType::Int64, shape);
  if (rank != 0)
    std::ranges::copy(found, out.out<std::int64_t>());
  return out;
}

std::int64_t innerCount(const Tensor &t, std::size_t axis) { return product(t.sizes().subspan(axis)); }

std::int64_t wrapped(const ExecContext &c, std::int64_t index, std::int64_t size, bool negative) {
  if (index < (negative ? -size : 0) || index >= size)
    c.fail(fmt::format("the index {} is outside of an axis of {} elements", index, size));
  return index < 0 ? index + size : index;
}

Tensor checkedIndices(const ExecContext &c, const Tensor &t, std::int64_t size, bool negative) {
  if (!isIntegral(t.dtype()) && t.dtype() != DType::Bool)
    c.fail(fmt::format("an index is {}, not an integer", dtypeName(t.dtype())));
  Tensor out = copied(c, cast(c, t, DType::Int64));
  // The device turns what counts from the end and says whether something is outside.
  const Tensor outside = filled(c, DType::Bool, {}, Scalar::of(false));
  auto *index = out.deviceOut<std::int64_t>();
  auto *flag = outside.deviceOut<std::uint8_t>();
  forEach(c.device(), out.numel(), [=] CONDLINT_HD(std::int64_t i) {
    const std::int64_t at = index[i];
    if (at < (negative ? -size : 0) || at >= size)
      *flag = 1;
    else if (at < 0)
      index[i] = at + size;
  });
  if (out.numel() != 0 && *outside.as<std::uint8_t>() != 0)
    for (std::int64_t i = 0; i < out.numel(); ++i)
      static_cast<void>(wrapped(c, out.as<std::int64_t>()[i], size, negative));
  return out;
}

Tensor takeSlices(const ExecContext &c, const Tensor &given, std::size_t axis, const Tensor &indices, bool negative) {
  if (given.rank() == 0)
    c.fail("a tensor of rank 0 has no axis to take elements along");
  const Tensor t = contiguous(c, given);
  const Tensor at = checkedIndices(c, indices, t.size(axis), negative);
  Sizes shape(t.sizes().begin(), t.sizes().begin() + static_cast<std::ptrdiff_t>(axis));
  shape.insert(shape.end(), indices.sizes().begin(), indices.sizes().end());
  shape.insert(shape.end(), t.sizes().begin() + static_cast<std::ptrdiff_t>(axis) + 1, t.sizes().end());
  const Tensor out = c.empty(t.dtype(), shape);
  const std::int64_t inner = innerCount(t, axis + 1) * static_cast<std::int64_t>(t.itemBytes());
  const std::int64_t outer = product(t.sizes().first(axis)), size = t.size(axis), count = at.numel();
  const char *from = t.deviceBytes();
  char *to = out.deviceOutBytes();
  const auto *index = at.deviceAs<std::int64_t>();
  if (inner != 0)
    forEach(c.device(), outer * count, [=] CONDLINT_HD(std::int64_t i) {
      memcpy(to + i * inner, from + (i / count * size + index[i % count]) * inner, static_cast<std::size_t>(inner));
    });
  return out;
}

AdvancedIndex advancedIndex(const ExecContext &c, const Tensor &self, const std::vector<std::optional<Tensor>> &given) {
  AdvancedIndex a;
  a.x = self;
  std::vector<std::optional<Tensor>> list;
  for (const std::optional<Tensor> &t : given) {
    if (!t || (t->dtype() != DType::Bool && t->dtype() != DType::UInt8)) {
      list.push_back(t);
      continue;
    }
    // A mask stands for the places where it is true, one index an axis.
    for (std::size_t k = 0; k < t->rank(); ++k)
      if (list.size() + k >= self.rank() || self.size(list.size() + k) != t->size(k))
        c.fail(fmt::format("a mask of shape {} does not fit {}", shapeText(t->sizes()), shapeText(self.sizes())));
    if (t->rank() == 0)
      c.fail("condlint does not index with a mask of rank 0");
    const Tensor places = nonzero(c, *t);
    for (std::size_t k = 0; k < t->rank(); ++k)
      list.emplace_back(contiguous(c, places.selected(1, static_cast<std::int64_t>(k))));
  }
  if (list.size() > self.rank())
    c.fail(fmt::format("{} indices for a tensor of shape {}", list.size(), shapeText(self.sizes())));
  bool adjacent = true;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i])
      continue;
    adjacent = adjacent && (a.axes.empty() || a.axes.back() + 1 == i);
    a.axes.push_back(i);
    a.shape = a.indices.empty() ? sizesOf(*list[i]) : broadcast(c, a.shape, list[i]->sizes());
    a.indices.push_back(*list[i]);
  }
  for (std::size_t k = 0; k < a.indices.size(); ++k)
    a.indices[k] = checkedIndices(c, expanded(c, a.indices[k], a.shape), self.size(a.axes[k]));
  a.position = adjacent && !a.axes.empty() ? a.axes[0] : 0;
  return a;
}

FlatIndex flatten(const ExecContext &c, const AdvancedIndex &a) {
  FlatIndex f;
  std::vector<std::size_t> order = a.axes;
  std::int64_t count = 1;
  for (std::size_t i = 0; i < a.x.rank(); ++i)
    if (std::ranges::find(a.axes, i) == a.axes.end()) {
      order.push_back(i);
      f.rest.push_back(a.x.size(i));
    }
  for (std::size_t axis : a.axes)
    count *= a.x.size(axis);
  const std::int64_t shape[] = {count, product(f.rest)};
  f.x = contiguous(c, reshaped(c, a.x.permuted(order), shape));
  f.places = filled(c, DType::Int64, a.shape, Scalar::of(std::int64_t{0}));
  for (std::size_t k = 0; k < a.axes.size(); ++k)
    f.places =
        add(c, operandOf(mul(c, operandOf(f.places), {{}, Scalar::of(a.x.size(a.axes[k]))})), operandOf(a.indices[k]));
  return f;
}

Tensor placeAxes(const Tensor &t, const AdvancedIndex &a) {
  std::vector<std::size_t> order;
  const std::size_t n = a.shape.size();
  for (std::size_t i = 0; i < t.rank(); ++i) {
    if (i < a.position)
      order.push_back(n + i);
    else if (i < a.position + n)
      order.push_back(i - a.position);
    else
      order.push_back(i);
  }
  return t.permuted(order);
}

} // namespace condlint
