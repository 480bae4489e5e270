//===- Difference.cpp - What was computed beside what was expected --------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ExecutorImpl.h"
#include "ops/kernels/Math.h"
#include "ops/kernels/TensorOps.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace condlint {

std::string arrayText(const Array &a) {
  if (a.kind != ValueKind::Tensor)
    return std::string(kindName(a.kind));
  return std::string(dtypeName(a.dtype)) + shapeText(a.shape);
}

namespace {

/// As numpy.isclose, but NaN is near NaN: infinity is near itself alone.
bool areNear(double a, double b, double rtol, double atol) {
  if (a == b || (std::isnan(a) && std::isnan(b)))
    return true;
  return std::isfinite(a) && std::isfinite(b) && std::fabs(a - b) <= atol + rtol * std::fabs(b);
}

/// The same for whole numbers, of which doubles do not tell large neighbours apart.
bool areNear(std::int64_t a, std::int64_t b, double rtol, double atol) {
  const auto apart = a > b ? static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b)
                           : static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a);
  return a == b || static_cast<double>(apart) <= atol + rtol * std::fabs(static_cast<double>(b));
}

/// Two elements that differ, as text.
struct ElementDifference {
  std::string got, wanted;
  double by = 0; ///< of floating and complex elements
};

std::string complexText(ComplexDouble z, DType t) {
  return isComplex(t) ? fmt::format("{}{:+}i", z.real(), z.imag()) : fmt::format("{}", z.real());
}

/// Element \p i of \p got beside element \p j of \p wanted, which has the same type.
std::optional<ElementDifference> elementDifference(const Array &got, std::int64_t i, const Array &wanted,
                                                   std::int64_t j, double rtol, double atol) {
  if (got.dtype == DType::String) {
    const std::string &x = got.strings[static_cast<std::size_t>(i)];
    const std::string &y = wanted.strings[static_cast<std::size_t>(j)];
    return x == y ? std::nullopt : std::optional<ElementDifference>({x, y});
  }
  if (isFloating(got.dtype) || isComplex(got.dtype)) {
    const auto x = loadUnaligned<ComplexDouble>(got.dtype, got.bytes.data(), i);
    const auto y = loadUnaligned<ComplexDouble>(wanted.dtype, wanted.bytes.data(), j);
    if (areNear(x.real(), y.real(), rtol, atol) && areNear(x.imag(), y.imag(), rtol, atol))
      return std::nullopt;
    return ElementDifference{complexText(x, got.dtype), complexText(y, got.dtype), math::abs(x - y)};
  }
  const auto x = loadUnaligned<std::int64_t>(got.dtype, got.bytes.data(), i);
  const auto y = loadUnaligned<std::int64_t>(wanted.dtype, wanted.bytes.data(), j);
  if (areNear(x, y, rtol, atol))
    return std::nullopt;
  return ElementDifference{std::to_string(x), std::to_string(y)};
}

/// Where element \p i in row-major order lies. Expected values may lie in another order.
std::int64_t placeOf(const Array &a, std::span<const std::int64_t> strides, std::int64_t i) {
  std::int64_t at = a.offset;
  for (std::size_t k = a.shape.size(); k-- > 0; i /= std::max<std::int64_t>(a.shape[k], 1))
    at += i % a.shape[k] * strides[k];
  return at;
}

/// The same for tensors of one type and shape.
std::optional<std::string> tensorDifference(const Array &got, const Array &wanted, double rtol, double atol) {
  const std::int64_t count = elementCount(got.shape).value_or(0);
  const Sizes strides = wanted.strides.empty() ? contiguousStrides(wanted.shape) : wanted.strides;
  std::int64_t wrong = 0, firstWrong = 0;
  double worst = 0;
  ElementDifference first;
  for (std::int64_t i = 0; i < count; ++i) {
    auto d = elementDifference(got, i, wanted, placeOf(wanted, strides, i), rtol, atol);
    if (!d)
      continue;
    worst = std::max(worst, d->by);
    if (wrong++ == 0) {
      firstWrong = i;
      first = std::move(*d);
    }
  }
  if (wrong == 0)
    return std::nullopt;
  Sizes index(got.shape.size());
  for (std::size_t k = got.shape.size(); k-- > 0; firstWrong /= got.shape[k])
    index[k] = firstWrong % got.shape[k];
  std::string text = fmt::format("differs in {} of {} elements, the first at {}: {}, expected {}", wrong, count,
                                 shapeText(index), first.got, first.wanted);
  if (worst > 0)
    text += fmt::format("; by at most {:.3g}", worst);
  return text;
}

} // namespace

std::optional<std::string> differenceOf(const Array &got, const Array &wanted, double rtol, double atol) {
  if (got.kind != wanted.kind) {
    // An optional that holds something is written as what it holds.
    if (got.kind == ValueKind::Optional && got.items.size() == 1)
      return differenceOf(got.items[0], wanted, rtol, atol);
    return fmt::format("is {}, expected {}", arrayText(got), arrayText(wanted));
  }
  if (got.kind == ValueKind::Sequence || got.kind == ValueKind::Optional) {
    if (got.items.size() != wanted.items.size())
      return fmt::format("has {} items, expected {}", got.items.size(), wanted.items.size());
    for (std::size_t i = 0; i < got.items.size(); ++i)
      if (auto d = differenceOf(got.items[i], wanted.items[i], rtol, atol))
        return fmt::format("item {} {}", i, *d);
    return std::nullopt;
  }
  if (got.kind != ValueKind::Tensor)
    return std::nullopt;
  if (got.dtype != wanted.dtype || got.shape != wanted.shape)
    return fmt::format("is {}, expected {}", arrayText(got), arrayText(wanted));
  return tensorDifference(got, wanted, rtol, atol);
}

} // namespace condlint
