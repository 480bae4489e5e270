//===- TensorOps.cpp - Tensors as kernels compose them --------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TensorOps.h"
#include "Checked.h"
#include "Functors.h"
#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <numeric>

namespace condlint {

Compute computeOf(DType t) {
  if (isComplex(t))
    return Compute::C128;
  if (t == DType::Float64)
    return Compute::F64;
  if (isFloating(t))
    return Compute::F32;
  return t == DType::UInt64 || t == DType::String ? Compute::U64 : Compute::I64;
}

DType dtypeOf(Compute c) {
  constexpr std::array<DType, computeCount> types{DType::Float32, DType::Float64, DType::Int64, DType::UInt64,
                                                  DType::Complex128};
  return types[static_cast<std::size_t>(c)];
}

// --- words, numbers, axes -------------------------------------------------------

std::string shapeText(SizeSpan s) {
  std::string out = "[";
  for (std::size_t i = 0; i < s.size(); ++i)
    out += (i != 0 ? ", " : "") + std::to_string(s[i]);
  return out + ']';
}

Sizes integersOf(const ExecContext &c, const Tensor &t) {
  if (!isIntegral(t.dtype()) && t.dtype() != DType::Bool)
    c.fail(fmt::format("expected integers, found a {} tensor", dtypeName(t.dtype())));
  const Tensor whole = contiguous(c, cast(c, t, DType::Int64));
  return {whole.as<std::int64_t>(), whole.as<std::int64_t>() + whole.numel()};
}

std::vector<double> doublesOf(const ExecContext &c, const Tensor &t) {
  if (t.dtype() == DType::String)
    c.fail("expected numbers, found strings");
  const Tensor real = contiguous(c, cast(c, t, DType::Float64));
  return {real.as<double>(), real.as<double>() + real.numel()};
}

std::vector<std::string> stringsOf(const ExecContext &c, const Tensor &t) {
  if (t.dtype() != DType::String)
    c.fail(fmt::format("expected strings, found a {} tensor", dtypeName(t.dtype())));
  const Tensor dense = contiguous(c, t);
  std::vector<std::string> list;
  for (std::int64_t i = 0; i < dense.numel(); ++i)
    list.emplace_back(c.strings().view(dense.as<std::uint64_t>()[i]));
  return list;
}

Tensor tensorOf(const ExecContext &c, SizeSpan sizes, const std::vector<std::string> &values) {
  Tensor t = c.empty(DType::String, sizes);
  for (std::size_t i = 0; i < values.size(); ++i)
    t.out<std::uint64_t>()[i] = c.strings().intern(values[i]);
  return t;
}

Tensor tensorOf(const ExecContext &c, const std::vector<std::int64_t> &values) {
  const std::int64_t sizes[] = {static_cast<std::int64_t>(values.size())};
  Tensor t = c.empty(DType::Int64, sizes);
  std::copy(values.begin(), values.end(), t.out<std::int64_t>());
  return t;
}

Tensor tensorOf(const ExecContext &c, SizeSpan sizes, const std::vector<double> &values) {
  Tensor t = c.empty(DType::Float64, sizes);
  std::ranges::copy(values, t.out<double>());
  return t;
}

Scalar scalarOfTensor(const ExecContext &c, const Tensor &t) {
  if (t.numel() != 1)
    c.fail(fmt::format("a tensor of shape {} has {} elements where one number is expected", shapeText(t.sizes()),
                       t.numel()));
  switch (computeOf(t.dtype())) {
  case Compute::F32:
  case Compute::F64:
    return Scalar::of(loadElement<double>(t.dtype(), t.bytes(), 0));
  case Compute::C128: {
    const auto v = loadElement<ComplexDouble>(t.dtype(), t.bytes(), 0);
    return {Scalar::Kind::Complex, 0, v.real(), v.imag()};
  }
  default:
    if (t.dtype() == DType::Bool)
      return Scalar::of(loadElement<std::int64_t>(t.dtype(), t.bytes(), 0) != 0);
    return Scalar::of(loadElement<std::int64_t>(t.dtype(), t.bytes(), 0));
  }
}

std::size_t axisOf(const ExecContext &c, std::int64_t axis, std::size_t rank) {
  const auto n = static_cast<std::int64_t>(std::max<std::size_t>(rank, 1));
  if (axis < -n || axis >= n)
    c.fail(fmt::format("the axis {} is outside of a tensor of rank {}", axis, rank));
  return static_cast<std::size_t>(axis < 0 ? axis + n : axis);
}

std::vector<std::size_t> axesOf(const ExecContext &c, SizeSpan axes, std::size_t rank) {
  std::vector<std::size_t> list;
  if (axes.empty()) {
    list.resize(rank);
    std::iota(list.begin(), list.end(), std::size_t{0});
    return list;
  }
  for (std::int64_t a : axes)
    list.push_back(axisOf(c, a, rank));
  std::ranges::sort(list);
  if (std::ranges::adjacent_find(list) != list.end())
    c.fail(fmt::format("an axis is named twice in {}", shapeText(axes)));
  if (rank == 0)
    list.clear();
  return list;
}

Sizes sizesOf(const Tensor &t) { return {t.sizes().begin(), t.sizes().end()}; }
std::int64_t product(SizeSpan s) { return std::accumulate(s.begin(), s.end(), std::int64_t{1}, std::multiplies<>()); }

// --- shapes and layouts ---------------------------------------------------------

Sizes broadcast(const ExecContext &c, SizeSpan a, SizeSpan b) {
  const SizeSpan longer = a.size() >= b.size() ? a : b, shorter = a.size() >= b.size() ? b : a;
  Sizes out(longer.begin(), longer.end());
  const std::size_t lead = longer.size() - shorter.size();
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    std::int64_t &size = out[lead + i];
    if (size == 1)
      size = shorter[i];
    else if (shorter[i] != 1 && shorter[i] != size)
      c.fail(fmt::format("the shapes {} and {} do not fit each other", shapeText(a), shapeText(b)));
  }
  return out;
}

Tensor expanded(const ExecContext &c, const Tensor &t, SizeSpan sizes) {
  auto e = t.expanded(sizes);
  if (!e)
    c.fail(fmt::format("a tensor of shape {} cannot be stretched to {}", shapeText(t.sizes()), shapeText(sizes)));
  return *e;
}

Sizes denseStrides(SizeSpan sizes, std::span<const std::size_t> order) {
  Sizes strides(sizes.size());
  std::int64_t next = 1;
  for (std::size_t axis : order) {
    strides[axis] = next;
    next *= std::max<std::int64_t>(sizes[axis], 1);
  }
  return strides;
}

bool isDense(const Tensor &t) {
  if (t.isContiguous())
    return true;
  std::array<std::size_t, Tensor::maxRank> axes;
  std::size_t n = 0;
  for (std::size_t i = 0; i < t.rank(); ++i)
    if (t.size(i) != 1)
      axes[n++] = i;
  std::sort(axes.begin(), axes.begin() + n, [&](std::size_t a, std::size_t b) { return t.stride(a) < t.stride(b); });
  std::int64_t expected = 1;
  for (std::size_t k = 0; k < n; ++k) {
    if (t.stride(axes[k]) != expected)
      return false;
    expected *= t.size(axes[k]);
  }
  return true;
}

namespace {

constexpr std::array<std::size_t, 4> last2d{1, 3, 2, 0};
constexpr std::array<std::size_t, 5> last3d{1, 4, 3, 2, 0};

} // namespace

Sizes channelsLastStrides(SizeSpan sizes) {
  return sizes.size() == 5 ? denseStrides(sizes, last3d) : denseStrides(sizes, last2d);
}

bool isChannelsLast(const Tensor &t) {
  if (t.rank() != 4 && t.rank() != 5)
    return false;
  const Sizes expected = channelsLastStrides(t.sizes());
  for (std::size_t i = 0; i < t.rank(); ++i)
    if (t.size(i) != 1 && t.stride(i) != expected[i])
      return false;
  return true;
}

bool suggestsChannelsLast(const Tensor &t) {
  if ((t.rank() != 4 && t.rank() != 5) || t.stride(1) == 0)
    return false;
  const std::span<const std::size_t> innermostFirst =
      t.rank() == 5 ? std::span<const std::size_t>(last3d) : std::span<const std::size_t>(last2d);
  std::int64_t extent = 0; // of the axes so far
  for (const std::size_t axis : innermostFirst) {
    if (t.size(axis) == 0 || t.stride(axis) < extent)
      return false;
    if (axis == 0 && extent == t.stride(1)) // a single element wide: it lies in either order
      return false;
    extent = t.stride(axis) * t.size(axis);
  }
  return true;
}

Sizes elementwiseStrides(SizeSpan shape, std::span<const Tensor *const> operands, bool numbers) {
  const std::size_t rank = shape.size();
  bool sameShape = !numbers && !operands.empty(), plain = true;
  for (const Tensor *t : operands) {
    sameShape = sameShape && std::ranges::equal(t->sizes(), shape);
    plain = plain && t->isContiguous();
  }
  if (rank < 2 || operands.empty() || (sameShape && plain))
    return contiguousStrides(shape);
  if (sameShape) {
    if (std::ranges::all_of(operands, [](const Tensor *t) { return isChannelsLast(*t); }))
      return channelsLastStrides(shape);
    const Tensor &head = *operands[0];
    if (std::ranges::all_of(
            operands, [&](const Tensor *t) { return std::ranges::equal(t->strides(), head.strides()) && isDense(*t); }))
      return {head.strides().begin(), head.strides().end()};
  }
  // The axes from the innermost, ordered by the operands' strides.
  std::array<std::size_t, Tensor::maxRank> perm;
  for (std::size_t i = 0; i < rank; ++i)
    perm[i] = rank - 1 - i;
  const auto strideAt = [&](const Tensor &t, std::size_t axis) -> std::int64_t {
    const std::size_t lead = rank - t.rank();
    if (axis < lead || (t.size(axis - lead) == 1 && shape[axis] != 1))
      return 0;
    return t.stride(axis - lead);
  };
  const auto shouldSwap = [&](std::size_t a, std::size_t b) {
    for (const Tensor *t : operands) {
      const std::int64_t x = strideAt(*t, a), y = strideAt(*t, b);
      if (x == 0 || y == 0)
        continue;
      if (x != y)
        return x < y ? -1 : 1;
      if (shape[a] > shape[b])
        return 1;
    }
    return 0;
  };
  for (std::size_t i = 1; i < rank; ++i) {
    std::size_t at = i;
    for (std::size_t j = i; j-- > 0;) {
      const int order = shouldSwap(perm[j], perm[at]);
      if (order > 0) {
        std::swap(perm[j], perm[at]);
        at = j;
      } else if (order < 0) {
        break;
      }
    }
  }
  return denseStrides(shape, std::span(perm.data(), rank));
}

Sizes preservedStrides(const Tensor &t) {
  if (isDense(t))
    return {t.strides().begin(), t.strides().end()};
  const Tensor *one[] = {&t};
  return elementwiseStrides(t.sizes(), one, false);
}

Sizes ownStrides(const Tensor &t) {
  for (std::size_t i = 0; i < t.rank(); ++i)
    if (t.stride(i) == 0 && t.size(i) > 1)
      return preservedStrides(t);
  return {t.strides().begin(), t.strides().end()};
}

Sizes formatStrides(const ExecContext &c, const Tensor &t, std::int64_t format) {
  switch (format) {
  case 0:
  case 1:
    return contiguousStrides(t.sizes());
  case 2:
  case 3:
    if (t.rank() != (format == 2 ? 4u : 5u))
      c.fail(fmt::format("a tensor of rank {} has no channels-last format", t.rank()));
    return channelsLastStrides(t.sizes());
  default:
    return preservedStrides(t);
  }
}

// --- copies ---------------------------------------------------------------------

namespace {

/// Strides of \p t as it is stretched over \p shape.
void alignedStrides(SizeSpan shape, const Tensor &t, std::int64_t *to) {
  const std::size_t lead = shape.size() - t.rank();
  for (std::size_t i = 0; i < shape.size(); ++i)
    to[i] = i < lead || (t.size(i - lead) == 1 && shape[i] != 1) ? 0 : t.stride(i - lead);
}

} // namespace

void copyInto(const ExecContext &c, const Tensor &to, const Tensor &from) {
  const Tensor source = std::ranges::equal(to.sizes(), from.sizes()) ? from : expanded(c, from, to.sizes());
  if ((to.dtype() == DType::String) != (from.dtype() == DType::String))
    c.fail(fmt::format("{} cannot be copied to {}", dtypeName(from.dtype()), dtypeName(to.dtype())));
  c.device().convert(to.sizes(), ElementOperand::of(to), ElementOperand::of(source));
}

Tensor copied(const ExecContext &c, const Tensor &t) {
  Tensor fresh = c.empty(t.dtype(), t.sizes());
  copyInto(c, fresh, t);
  return fresh;
}

Tensor contiguous(const ExecContext &c, const Tensor &t) { return t.isContiguous() ? t : copied(c, t); }

Tensor cast(const ExecContext &c, const Tensor &t, DType to) {
  if (t.dtype() == to)
    return t;
  Tensor fresh = t.isContiguous() ? c.empty(to, t.sizes()) : c.emptyStrided(to, t.sizes(), preservedStrides(t));
  copyInto(c, fresh, t);
  return fresh;
}

Tensor laidOut(const ExecContext &c, const Tensor &t, SizeSpan strides) {
  if (std::ranges::equal(t.strides(), strides))
    return t;
  Tensor fresh = c.emptyStrided(t.dtype(), t.sizes(), strides);
  copyInto(c, fresh, t);
  return fresh;
}

Tensor keepFormat(const ExecContext &c, const Tensor &out, const Tensor &like) {
  return suggestsChannelsLast(like) ? laidOut(c, out, channelsLastStrides(out.sizes())) : out;
}

Tensor reshaped(const ExecContext &c, const Tensor &t, SizeSpan sizes) {
  if (elementCount(sizes) != t.numel() || sizes.size() > Tensor::maxRank)
    c.fail(fmt::format("a tensor of shape {} cannot take the shape {}", shapeText(t.sizes()), shapeText(sizes)));
  if (auto v = t.viewed(sizes))
    return *v;
  return *copied(c, t).viewed(sizes);
}

void fill(const ExecContext &c, const Tensor &t, const Scalar &value) {
  const Operand operands[] = {{{}, value}};
  const Same same;
  const Compute compute = isComplex(t.dtype())                  ? Compute::C128
                          : value.isWhole()                     ? Compute::I64
                          : value.kind == Scalar::Kind::Complex ? Compute::C128
                                                                : Compute::F64;
  elementwise(c, elementLoops<Same>(), &same, compute, t, operands);
}

Tensor filled(const ExecContext &c, DType t, SizeSpan sizes, const Scalar &value) {
  Tensor fresh = c.empty(t, sizes);
  fill(c, fresh, value);
  return fresh;
}

Tensor scalarTensor(const ExecContext &c, const Scalar &value, DType t) { return filled(c, t, {}, value); }

Tensor computing(const ExecContext &c, const Tensor &t) {
  return contiguous(c, cast(c, t, dtypeOf(computeOf(t.dtype()))));
}

Tensor floating(const ExecContext &c, const Tensor &t) {
  const DType own = t.dtype();
  if (isComplex(own))
    return computing(c, t);
  return contiguous(c, cast(c, t, own == DType::Float64 ? DType::Float64 : DType::Float32));
}

Tensor concatenated(const ExecContext &c, std::span<const Tensor> list, std::size_t axis) {
  Sizes sizes = sizesOf(list[0]);
  if (axis >= sizes.size())
    c.fail("tensors of rank 0 cannot be concatenated");
  for (const Tensor &t : list.subspan(1)) {
    bool fits = t.rank() == sizes.size() && t.dtype() == list[0].dtype();
    for (std::size_t i = 0; fits && i < sizes.size(); ++i)
      fits = i == axis || t.size(i) == sizes[i];
    if (!fits)
      c.fail(fmt::format("tensors of shapes {} and {} cannot be concatenated along the axis {}",
                         shapeText(list[0].sizes()), shapeText(t.sizes()), axis));
    sizes[axis] = plus(c, sizes[axis], t.size(axis));
  }
  Tensor out = c.empty(list[0].dtype(), sizes);
  std::int64_t at = 0;
  for (const Tensor &t : list) {
    copyInto(c, out.sliced(axis, at, t.size(axis)), t);
    at += t.size(axis);
  }
  return out;
}

Tensor permuted(const Tensor &t, std::initializer_list<std::size_t> axes) {
  if (axes.size() != t.rank())
    throw KernelFailure{fmt::format("a tensor of shape {} has not {} axes", shapeText(t.sizes()), axes.size())};
  return t.permuted(std::span(axes.begin(), axes.size()));
}

// --- elementwise ----------------------------------------------------------------

void elementwise(const ExecContext &c, const ElementLoops &loops, const void *functor, Compute compute,
                 const Tensor &out, std::span<const Operand> operands) {
  constexpr std::size_t maxOperands = 3;
  if (!loops.loop[static_cast<std::size_t>(compute)])
    c.fail(fmt::format("is not defined for {}", dtypeName(dtypeOf(compute))));
  std::array<std::array<std::int64_t, Tensor::maxRank>, maxOperands> strides;
  std::array<ComplexDouble, maxOperands> numbers;
  std::array<ElementOperand, maxOperands> in;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const Operand &o = operands[k];
    if (o.isTensor()) {
      bool fits = o.tensor.rank() <= out.rank();
      const std::size_t lead = fits ? out.rank() - o.tensor.rank() : 0;
      for (std::size_t i = 0; fits && i < o.tensor.rank(); ++i)
        fits = o.tensor.size(i) == 1 || o.tensor.size(i) == out.size(lead + i);
      if (!fits)
        c.fail(fmt::format("the shape {} does not fit {}", shapeText(o.tensor.sizes()), shapeText(out.sizes())));
      alignedStrides(out.sizes(), o.tensor, strides[k].data());
      in[k] = ElementOperand::of(o.tensor, strides[k].data());
      continue;
    }
    std::fill_n(strides[k].begin(), out.rank(), 0);
    in[k] = ElementOperand::of(&numbers[k],
                               o.scalar.isWhole()                       ? DType::Int64
                               : o.scalar.kind == Scalar::Kind::Complex ? DType::Complex128
                                                                        : DType::Float64,
                               strides[k].data());
    if (o.scalar.isWhole())
      std::memcpy(static_cast<void *>(&numbers[k]), &o.scalar.whole, sizeof o.scalar.whole);
    else
      numbers[k] = ComplexDouble(o.scalar.real, o.scalar.imaginary);
  }
  c.device().elementwise(loops, functor, compute, out.sizes(), ElementOperand::of(out),
                         std::span(in.data(), operands.size()));
}

Tensor elementwise(const ExecContext &c, const ElementLoops &loops, const void *functor, Compute compute, DType t,
                   std::span<const Operand> operands) {
  std::array<const Tensor *, 3> tensors{};
  std::size_t n = 0;
  bool numbers = false, sameShape = true, plain = true;
  for (const Operand &o : operands) {
    if (!o.isTensor()) {
      numbers = true;
      continue;
    }
    tensors[n++] = &o.tensor;
    sameShape = sameShape && std::ranges::equal(o.tensor.sizes(), tensors[0]->sizes());
    plain = plain && o.tensor.isContiguous();
  }
  Tensor out;
  if (n == 0) {
    out = c.empty(t, {});
  } else if (sameShape && plain) {
    out = c.empty(t, tensors[0]->sizes());
  } else {
    Sizes shape = sizesOf(*tensors[0]);
    for (std::size_t i = 1; i < n; ++i)
      shape = broadcast(c, shape, tensors[i]->sizes());
    out = c.isTorch() ? c.emptyStrided(t, shape, elementwiseStrides(shape, std::span(tensors.data(), n), numbers))
                      : c.empty(t, shape);
  }
  elementwise(c, loops, functor, compute, out, operands);
  return out;
}

Tensor add(const ExecContext &c, const Operand &a, const Operand &b) { return map(c, Add(), {a, b}); }
Tensor sub(const ExecContext &c, const Operand &a, const Operand &b) { return map(c, Subtract(), {a, b}); }
Tensor mul(const ExecContext &c, const Operand &a, const Operand &b) { return map(c, Multiply(), {a, b}); }
Tensor div(const ExecContext &c, const Operand &a, const Operand &b) { return map(c, Divide(), {a, b}); }
Tensor select(const ExecContext &c, const Tensor &condition, const Operand &a, const Operand &b) {
  const DType t = a.isTensor() ? a.dtype() : b.dtype();
  return elementwise(c, Select(), computeOf(t), t, {operandOf(condition), a, b});
}

} // namespace condlint
