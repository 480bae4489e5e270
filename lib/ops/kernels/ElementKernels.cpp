//===- ElementKernels.cpp - Elementwise operators -------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ElementKernels.h"
#include "Functors.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace condlint {

void finishElementwise(ExecContext &c, const ElementLoops &loops, const void *functor, Compute compute, DType result,
                       std::span<const Operand> operands) {
  const Tensor *to = c.target(0);
  if (!to)
    return c.set(0, elementwise(c, loops, functor, compute, result, operands));
  const Tensor self = *to;
  // In place only what reads each element before it is written: the same view, or
  // other storage. Otherwise through a copy.
  for (const Operand &o : operands) {
    const bool overlaps = o.isTensor() && o.tensor.sharesStorage(self) && !o.tensor.same(self);
    const bool fits = !o.isTensor() || o.tensor.expanded(self.sizes()).has_value();
    if (overlaps || !fits || !isDense(self))
      return c.finish(0, elementwise(c, loops, functor, compute, result, operands));
  }
  c.noteWrite(self);
  elementwise(c, loops, functor, compute, self, operands);
  c.set(0, self);
}

DType promoted(const ExecContext &c, std::span<const Operand> operands) {
  const Operand &head = operands[0];
  // Most operands are of one type, or a number of no higher category.
  bool simple = head.isTensor();
  for (const Operand &o : operands)
    simple = simple && (o.isTensor() ? o.tensor.dtype() == head.tensor.dtype()
                                     : o.scalar.isWhole() && (isFloating(head.dtype()) || isComplex(head.dtype())));
  if (simple)
    return head.dtype();
  TypePromotion p;
  for (const Operand &o : operands) {
    if (o.isTensor())
      p.addTensor(o.tensor.dtype(), o.tensor.rank());
    else
      p.addNumber(o.scalar.category());
  }
  const DType t = p.result();
  if (t == DType::Unknown) {
    std::string names;
    for (const Operand &o : operands)
      names += (names.empty() ? "" : " and ") + std::string(dtypeName(o.dtype()));
    c.fail(fmt::format("{} have no common element type", names));
  }
  return t;
}

DType promoted(const ExecContext &c, std::initializer_list<Operand> operands) {
  return promoted(c, std::span(operands.begin(), operands.size()));
}

Operand readAs(const ExecContext &c, const Operand &o, DType t) {
  if (!isIntegral(t) || o.dtype() != DType::Int64 || t == DType::Int64)
    return o;
  if (o.isTensor())
    return operandOf(cast(c, o.tensor, t));
  alignas(std::int64_t) std::array<char, sizeof(std::int64_t)> bytes{};
  storeElement(t, bytes.data(), 0, o.scalar.whole);
  Operand read = o;
  read.scalar.whole = loadElement<std::int64_t>(t, bytes.data(), 0);
  return read;
}

DType floatOf(const ExecContext &c, DType t) {
  if (isFloating(t) || isComplex(t))
    return t;
  const DType recorded = c.recordedDType(0);
  return isFloating(recorded) ? recorded : DType::Float32;
}

const Tensor &firstOperand(const ExecContext &c) {
  if (!c.isTorch())
    return c.in(0);
  if (const Tensor *t = c.maybeTensor("self"))
    return *t;
  if (const Tensor *t = c.maybeTensor("input"))
    return *t;
  return c.in(0);
}

std::pair<Operand, Operand> binaryOperands(const ExecContext &c) {
  if (!c.isTorch()) {
    Operand a{c.in(0), {}}, b{c.in(1), {}};
    // Up to opset 6 the second operand is stretched along the axes from `axis` on.
    if (c.version() >= 1 && c.version() < 7 && c.flag("broadcast") && c.attribute("axis")) {
      const std::size_t axis = axisOf(c, c.integer("axis"), a.tensor.rank());
      Sizes sizes = sizesOf(b.tensor);
      while (axis + sizes.size() < a.tensor.rank())
        sizes.push_back(1);
      b.tensor = reshaped(c, b.tensor, sizes);
    }
    return {a, b};
  }
  // torch names them self and other, x and n of a polynomial, self and exponent.
  const bool polynomial = c.hasArg("x") && c.hasArg("n");
  const auto find = [&](std::initializer_list<std::string_view> names) -> Operand {
    for (std::string_view name : names)
      if (c.hasArg(name))
        return c.tensorOrScalar(name);
    c.fail("an operand is missing");
  };
  if (polynomial)
    return {find({"x"}), find({"n"})};
  return {find({"self", "input", "a"}), find({"other", "exponent", "values", "b"})};
}

void refuseZero(const ExecContext &c, const Operand &divisor, DType t) {
  if (!isIntegral(t) && t != DType::Bool)
    return;
  bool zero = false;
  if (divisor.isTensor()) {
    const Tensor d = contiguous(c, cast(c, divisor.tensor, DType::Int64));
    zero = std::find(d.as<std::int64_t>(), d.as<std::int64_t>() + d.numel(), 0) != d.as<std::int64_t>() + d.numel();
  } else {
    zero = !divisor.scalar.isTrue();
  }
  if (zero)
    c.fail("integers are divided by zero");
}

} // namespace condlint
