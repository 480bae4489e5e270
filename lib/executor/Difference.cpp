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
  std::int64_t count = elementCount(got.shape).value_or(0), wrong = 0, firstWrong = 0;
  double worst = 0;
  // Expected values may lie in another order.
  const Sizes strides = wanted.strides.empty() ? contiguousStrides(wanted.shape) : wanted.strides;
  const auto placeOf = [&](std::int64_t i) {
    std::int64_t at = wanted.offset;
    for (std::size_t k = wanted.shape.size(); k-- > 0; i /= std::max<std::int64_t>(wanted.shape[k], 1))
      at += i % wanted.shape[k] * strides[k];
    return at;
  };
  const auto near = [&](double a, double b) {
    return a == b || (a != a && b != b) || std::fabs(a - b) <= atol + rtol * std::fabs(b);
  };
  std::string shown, expected;
  for (std::int64_t i = 0; i < count; ++i) {
    bool same = true;
    std::string a, b;
    if (got.dtype == DType::String) {
      same = got.strings[static_cast<std::size_t>(i)] == wanted.strings[static_cast<std::size_t>(i)];
      a = got.strings[static_cast<std::size_t>(i)];
      b = wanted.strings[static_cast<std::size_t>(i)];
    } else if (isFloating(got.dtype) || isComplex(got.dtype)) {
      const auto x = loadElement<ComplexDouble>(got.dtype, got.bytes.data(), i);
      const auto y = loadElement<ComplexDouble>(wanted.dtype, wanted.bytes.data(), placeOf(i));
      same = near(x.real(), y.real()) && near(x.imag(), y.imag());
      if (!same) {
        worst = std::max(worst, math::abs(x - y));
        a = isComplex(got.dtype) ? fmt::format("{}{:+}i", x.real(), x.imag()) : fmt::format("{}", x.real());
        b = isComplex(got.dtype) ? fmt::format("{}{:+}i", y.real(), y.imag()) : fmt::format("{}", y.real());
      }
    } else {
      const auto x = loadElement<std::int64_t>(got.dtype, got.bytes.data(), i);
      const auto y = loadElement<std::int64_t>(wanted.dtype, wanted.bytes.data(), placeOf(i));
      same = x == y || near(static_cast<double>(x), static_cast<double>(y));
      if (!same) {
        a = std::to_string(x);
        b = std::to_string(y);
      }
    }
    if (same)
      continue;
    if (wrong++ == 0) {
      firstWrong = i;
      shown = a;
      expected = b;
    }
  }
  if (wrong == 0)
    return std::nullopt;
  Sizes index(got.shape.size());
  for (std::size_t k = got.shape.size(); k-- > 0; firstWrong /= got.shape[k])
    index[k] = firstWrong % got.shape[k];
  std::string text = fmt::format("differs in {} of {} elements, the first at {}: {}, expected {}", wrong, count,
                                 shapeText(index), shown, expected);
  if (worst > 0)
    text += fmt::format("; by at most {:.3g}", worst);
  return text;
}

} // namespace condlint
