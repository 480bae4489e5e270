//===----------------------------------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Broadcast.h"
#include "Elementwise.h"
#include "Promotion.h"
#include <string>

namespace condlint {

namespace {

/// `clamp` promotes with its bounds, tensors or numbers.
void inferClamp(InferContext &c) { setElementwise(c, resultType(c, {"self", "min", "max"})); }

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
    foldElementwise(c, foldWhere);
    return;
  }
  // `where(condition)` alone is nonzero: one index tensor an axis, in a list.
  if (!c.hasAttribute("self") && !c.hasAttribute("other") && c.operandCount() < 2)
    return;
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

constexpr OpRow rows[] = {
    {"clamp", inferClamp,
     "aten.clamp aten.clamp_ aten.clip aten.clip_ aten.clamp_min aten.clamp_min_ aten.clamp_max aten.clamp_max_", ""},
    {"clip", inferClip, "", "Clip"},
    {"where", inferWhere, "aten.where", "Where"},
    {"fill", inferFill, "aten.fill aten.fill_ aten.zero aten.zero_", ""},
    {"complex", inferComplex, "aten.complex aten.polar", ""},
    {"isin", inferIsin, "aten.isin", ""},
};

} // namespace

std::span<const OpRow> selectionRows() { return rows; }

} // namespace condlint
