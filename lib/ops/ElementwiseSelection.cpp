//===- ElementwiseSelection.cpp - where, clamp and their kin --------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Broadcast.h"
#include "Elementwise.h"
#include "OpTable.h"
#include "Promotion.h"
#include "kernels/ElementKernels.h"
#include "kernels/FunctorsMath.h"
#include <algorithm>
#include <fmt/format.h>
#include <string>

namespace condlint {

namespace {

/// `clamp` promotes with its bounds, tensors or numbers.
/// Torch: one bound or both; what graph JSON leaves out is not known.
void inferClamp(InferContext &c) {
  const auto isGiven = [&](std::string_view name) {
    const Attribute *a = c.attribute(name);
    return a && a->kind != AttributeKind::None;
  };
  if (c.model().info.format == Format::Pt2 && !isGiven("min") && !isGiven("max"))
    c.reject(fmt::format("{}: neither 'min' nor 'max' is given", c.opName()));
  setElementwise(c, resultType(c, {"self", "min", "max"}));
}

/// Bounds are attributes up to opset 10, then inputs of rank 0 and the same type.
void inferClip(InferContext &c) {
  if (c.version() >= 11) {
    std::vector<std::size_t> present{0};
    for (std::size_t i : {std::size_t{1}, std::size_t{2}})
      if (c.has(i))
        present.push_back(i);
    sameType(c, present);
  }
  setLikeOperand(c);
  const auto x = c.content(0);
  if (!x || c.version() < 11)
    return;
  auto bound = [&](std::size_t i) -> std::optional<Dim> {
    if (!c.has(i))
      return std::nullopt;
    const auto content = c.content(i);
    return content && content->size() == 1 ? (*content)[0] : Dim();
  };
  const auto low = bound(1), high = bound(2);
  std::vector<Dim> values(x->begin(), x->end());
  for (Dim &v : values) {
    if (low)
      v = c.dims().max(v, *low);
    if (high)
      v = c.dims().min(v, *high);
  }
  c.setContent(0, values);
}

Dim foldWhere(DimTable &dims, std::span<const Dim> v) {
  if (v.size() != 3)
    return {};
  if (const auto condition = dims.asConstant(v[0]))
    return *condition != 0 ? v[1] : v[2];
  return v[1] == v[2] ? v[1] : Dim();
}

void inferWhere(InferContext &c) {
  if (c.isOnnx()) {
    if (const DType t = c.type(0).element; t != DType::Unknown && t != DType::Bool)
      c.reject("the condition of Where is " + std::string(dtypeName(t)) + ", not bool", 0);
    setElementwise(c, sameType(c, {1, 2}));
    foldElementwise(c, 3, foldWhere);
    return;
  }
  // `where(condition)` alone is nonzero: one index tensor an axis, in a list.
  if (!c.hasAttribute("self") && !c.hasAttribute("other") && c.operandCount() < 2) {
    const Dim count = c.dataDependent("count");
    for (std::size_t i = 0; i < c.resultCount(); ++i) {
      OwnedType t = freshTensor(c, DType::Int64, {count}, c.type(0));
      t.dropStrides();
      t.type.storageOffset = Dim();
      c.setResult(i, t.view());
    }
    return;
  }
  TypePromotion p(c);
  addArgument(p, c, "self");
  addArgument(p, c, "other");
  setElementwise(c, p.result());
}

/// `fill(self, value)`: like self, densely laid out as self is.
void inferFill(InferContext &c) {
  const ValueId self[] = {c.operand(0)};
  setTorchResult(c, 0, elementwiseType(c, c.type(0).element, self));
}

/// `complex(real, imag)`, `polar(abs, angle)`.
void inferComplex(InferContext &c) {
  TypePromotion p(c);
  for (std::size_t i = 0; i < 2; ++i)
    p.addTensor(c.type(i));
  const DType t = p.result();
  if (t != DType::Unknown && !isFloating(t))
    c.refuse();
  setElementwise(c, isFloating(t) ? complexType(t) : DType::Unknown);
}

/// `isin`: the shape of the elements.
void inferIsin(InferContext &c) {
  if (const ValueId elements = c.arg("elements")) {
    const ValueId operands[] = {elements};
    setTorchResult(c, 0, elementwiseType(c, DType::Bool, operands));
  } else {
    setTorchResult(c, 0, freshTensor(c, DType::Bool, {}, c.type(0)));
  }
}

// --- kernels ------------------------------------------------------------------

/// Bounds that may be missing: then one-sided.
void executeBounded(ExecContext &c, const Operand &x, std::optional<Operand> low, std::optional<Operand> high,
                    DType t) {
  if (low && high)
    return finishElementwise(c, Clamp(), computeOf(t), t, {x, *low, *high});
  if (low)
    return finishElementwise(c, Maximum(), computeOf(t), t, {x, *low});
  if (high)
    return finishElementwise(c, Minimum(), computeOf(t), t, {x, *high});
  finishElementwise(c, Same(), computeOf(t), t, {x});
}

void executeClamp(ExecContext &c) {
  const Operand x = c.tensorOrScalar("self");
  std::optional<Operand> low, high;
  if (c.hasArg("min"))
    low = c.tensorOrScalar("min");
  if (c.hasArg("max"))
    high = c.tensorOrScalar("max");
  std::vector<Operand> all{x};
  if (low)
    all.push_back(*low);
  if (high)
    all.push_back(*high);
  const DType t = promoted(c, all);
  for (std::optional<Operand> *bound : {&low, &high}) {
    if (!*bound)
      continue;
    const Operand read = readAs(c, **bound, t);
    // A negative bound of unsigned numbers wraps around; another one that does not fit is refused.
    const std::int64_t wanted = (*bound)->scalar.whole, size = wanted == INT64_MIN || wanted > 0 ? wanted : -wanted;
    if (!read.isTensor() && read.scalar.whole != wanted && readAs(c, {{}, Scalar::of(size)}, t).scalar.whole != size)
      c.fail(fmt::format("{} is no {}", wanted, dtypeName(t)));
    *bound = read;
  }
  executeBounded(c, x, low, high, t);
}

void executeClip(ExecContext &c) {
  const Operand x = operandOf(c.in(0));
  std::optional<Operand> low, high;
  if (c.version() >= 11) {
    if (c.has(1))
      low = operandOf(reshaped(c, c.in(1), {}));
    if (c.has(2))
      high = operandOf(reshaped(c, c.in(2), {}));
  } else {
    if (c.hasArg("min"))
      low = operandOf(c.real("min"));
    if (c.hasArg("max"))
      high = operandOf(c.real("max"));
  }
  executeBounded(c, x, low, high, x.dtype());
}

void executeWhere(ExecContext &c) {
  if (!c.isTorch()) {
    const DType t = c.in(1).dtype();
    return finishElementwise(c, Select(), computeOf(t), t,
                             {operandOf(c.in(0)), operandOf(c.in(1)), operandOf(c.in(2))});
  }
  const Tensor &condition = c.tensor("condition");
  if (!c.hasArg("self")) {
    const Tensor indices = nonzero(c, condition);
    std::vector<Tensor> columns;
    for (std::size_t i = 0; i < std::max<std::size_t>(condition.rank(), 1); ++i)
      columns.push_back(indices.selected(1, static_cast<std::int64_t>(i)));
    return c.setList(0, columns);
  }
  if (condition.dtype() != DType::Bool && condition.dtype() != DType::UInt8)
    c.fail(fmt::format("a condition is bool, not {}", dtypeName(condition.dtype())));
  const Operand a = c.tensorOrScalar("self"), b = c.tensorOrScalar("other");
  const DType t = promoted(c, {a, b});
  finishElementwise(c, Select(), computeOf(t), t, {operandOf(condition), a, b});
}

void executeFill(ExecContext &c) {
  const Tensor &self = c.tensor("self");
  const Scalar value = c.opName().starts_with("zero") ? Scalar::of(std::int64_t{0}) : c.scalar("value");
  if (const Tensor *target = c.target(0)) {
    const Tensor to = *target;
    c.noteWrite(to);
    fill(c, to, value);
    return c.set(0, to);
  }
  const Tensor fresh = c.emptyStrided(self.dtype(), self.sizes(), preservedStrides(self));
  fill(c, fresh, value);
  c.finish(0, fresh);
}

void executeComplex(ExecContext &c) {
  const bool polar = c.opName() == "polar";
  const Operand a = c.tensorOrScalar(polar ? "abs" : "real"), b = c.tensorOrScalar(polar ? "angle" : "imag");
  const DType t = complexType(promoted(c, {a, b}));
  if (polar)
    finishElementwise(c, Polar(), Compute::C128, t, {a, b});
  else
    finishElementwise(c, MakeComplex(), Compute::C128, t, {a, b});
}

void executeIsin(ExecContext &c) {
  const auto listOf = [&](std::string_view tensor, std::string_view number) {
    if (const Tensor *t = c.maybeTensor(tensor))
      return doublesOf(c, *t);
    return std::vector<double>{c.scalar(number).toDouble()};
  };
  std::vector<double> wanted = listOf("test_elements", "test_element");
  std::ranges::sort(wanted);
  const std::vector<double> elements = listOf("elements", "element");
  const Tensor *shaped = c.maybeTensor("elements");
  Tensor out = c.empty(DType::Bool, shaped ? shaped->sizes() : SizeSpan());
  const bool invert = c.flag("invert");
  for (std::size_t i = 0; i < elements.size(); ++i)
    out.out<std::uint8_t>()[i] = std::ranges::binary_search(wanted, elements[i]) != invert ? 1 : 0;
  c.finish(0, out);
}

constexpr OpRow rows[] = {
    {"clamp", inferClamp, executeClamp,
     "aten.clamp aten.clamp_ aten.clip aten.clip_ aten.clamp_min aten.clamp_min_ aten.clamp_max aten.clamp_max_", ""},
    {"clip", inferClip, executeClip, "", "Clip"},
    {"where", inferWhere, executeWhere, "aten.where", "Where"},
    {"fill", inferFill, executeFill, "aten.fill aten.fill_ aten.zero aten.zero_", ""},
    {"complex", inferComplex, executeComplex, "aten.complex aten.polar", ""},
    {"isin", inferIsin, executeIsin, "aten.isin", ""},
};

} // namespace

std::span<const OpRow> selectionRows() { return rows; }

} // namespace condlint
