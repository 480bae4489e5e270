//===- Random.cpp - Numbers drawn by counting -----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kernels/Random.h"
#include "AtenEffects.h"
#include "Creation.h"
#include "Elementwise.h"
#include "Families.h"
#include "OpTable.h"
#include "Promotion.h"
#include "Strides.h"
#include <string>

namespace condlint {

namespace {

// --- torch ------------------------------------------------------------------

/// `rand`, `randn`, `normal(float, float, size)`.
void inferRandomFactory(InferContext &c) { setFactory(c, DType::Float32, c.dimsArg("size")); }
void inferRandint(InferContext &c) { setFactory(c, DType::Int64, c.dimsArg("size")); }
void inferRandperm(InferContext &c) { setFactory(c, DType::Int64, std::vector<Dim>{c.dimArg("n")}); }
void inferRandomLike(InferContext &c) {
  keepsShape(c, 0, true);
  setTorchResult(c, 0, likeTensor(c, c.type(0)));
}

/// `normal(mean, std)`, either a tensor; or two numbers and a size.
void inferNormal(InferContext &c) {
  if (c.hasAttribute("size"))
    return inferRandomFactory(c);
  if (isInPlace(c))
    return setElementwise(c, c.type(0).element);
  TypePromotion p(c);
  std::vector<ValueId> operands;
  for (std::string_view name : {"mean", "std"})
    if (const ValueId v = c.arg(name)) {
      p.addTensor(c.typeOf(v));
      operands.push_back(v);
    }
  setTorchResult(c, 0, elementwiseType(c, p.result(), operands));
}

/// `bernoulli(self)`, `poisson`, `uniform_`: like self.
void inferLikeSelf(InferContext &c) {
  const ValueId self[] = {c.operand(0)};
  setTorchResult(c, 0, elementwiseType(c, c.type(0).element, self));
}

/// Row-major whatever the layout of self.
OwnedType contiguousLikeSelf(InferContext &c, DType dtype) {
  const Type &self = c.type(0);
  if (!self.hasRank)
    return freshTensor(c, dtype, self);
  return freshTensor(c, dtype, {self.dims.begin(), self.dims.end()}, self);
}

bool isFalse(const Attribute *a) { return a && a->kind == AttributeKind::Bool && a->number == 0; }

/// ONNX and torch: `[samples]` or `[rows, samples]`.
void inferMultinomial(InferContext &c) {
  const Type &self = c.type(0);
  const DType dtype = c.isOnnx()
                          ? (c.hasAttribute("dtype") ? c.dtypeAttr("dtype").value_or(DType::Unknown) : DType::Int32)
                          : DType::Int64;
  const Dim samples = c.isOnnx() ? c.constant(c.intAttr("sample_size", 1)) : c.dimArg("num_samples");
  OwnedType t = freshTensor(c, dtype, self);
  if (self.hasRank) {
    std::vector<Dim> shape(self.dims.begin(), self.dims.end());
    if (!shape.empty())
      shape.pop_back();
    shape.push_back(samples);
    t = freshTensor(c, dtype, std::move(shape), self);
  }
  if (c.isTorch())
    setTorchResult(c, 0, t);
  else
    c.setResult(0, t.view());
}

void inferDropout(InferContext &c) {
  if (c.isOnnx()) {
    setLikeOperand(c);
    // The mask has the data's type up to opset 9.
    Type mask = c.type(0);
    mask.kind = ValueKind::Tensor;
    if (c.version() <= 0 || c.version() >= 10)
      mask.element = DType::Bool;
    c.setResult(1, mask);
    return;
  }
  keepsShape(c);
  if (isInPlace(c) || !(isFalse(c.attribute("train")) || isFalse(c.attribute("training"))))
    return inferLikeSelf(c);
  if (c.model().info.format == Format::Cxx)
    return c.setResult(0, c.type(0)); // the operand itself
  OwnedType result(c.type(0));        // traced, a row-major copy of it
  if (isContiguous(c.dims(), c.type(0)) != Tri::Yes)
    result.dropStrides();
  result.type.storageOffset = Dim();
  c.setResult(0, result.view());
}

/// `native_dropout`: the result and the mask, which is bool.
void inferNativeDropout(InferContext &c) {
  const ValueId self[] = {c.operand(0)};
  OwnedType result = elementwiseType(c, c.type(0).element, self);
  if (isFalse(c.attribute("train"))) { // a copy, or traced the operand itself
    if (isContiguous(c.dims(), c.type(0)) != Tri::Yes)
      result.dropStrides();
    result.type.storageOffset = Dim();
  }
  setTorchResult(c, 1, elementwiseType(c, DType::Bool, self), "out1");
  setTorchResult(c, 0, result, "out0");
}

/// Outside of training dropout draws nothing.
void refineAnyDropout(const Model &m, NodeId n, NodeEffects &effects) {
  const Operator &op = m[m[n].op];
  if (op.dialect != Dialect::Onnx) {
    effects.random = true;
    return refineDropout(m, n, effects);
  }
  effects.random = false;
  if (op.version >= 12) { // training_mode is the third input
    const auto operands = m.operands(n);
    effects.random = operands.size() > 2 && operands[2].valid();
    if (effects.random && m[operands[2]].content) {
      const auto mode = m.content(m[operands[2]].content);
      effects.random = !(mode.size() == 1 && m.dims.isConstant(mode[0], 0));
    }
  } else if (op.version >= 1 && op.version < 7) {
    const Attribute *test = m.attribute(n, "is_test");
    effects.random = !test || test->number == 0;
  }
}

// --- ONNX -------------------------------------------------------------------

void inferOnnxRandom(InferContext &c) {
  const DType dtype = c.hasAttribute("dtype") ? c.dtypeAttr("dtype").value_or(DType::Unknown) : DType::Float32;
  const auto sizes = c.intsAttr("shape");
  if (!sizes)
    return c.setResult(0, c.tensor(dtype));
  std::vector<Dim> shape;
  for (std::int64_t s : *sizes)
    shape.push_back(c.constant(s));
  c.setResult(0, c.tensor(dtype, shape));
}

/// RandomNormalLike, Bernoulli: the operand's type unless `dtype` says otherwise.
void inferOnnxRandomLike(InferContext &c) {
  setLikeOperand(c, 0, c.hasAttribute("dtype") ? c.dtypeAttr("dtype").value_or(DType::Unknown) : c.type(0).element);
}

void inferBernoulli(InferContext &c) {
  if (c.isOnnx())
    return inferOnnxRandomLike(c);
  setTorchResult(c, 0, contiguousLikeSelf(c, c.type(0).element));
}

constexpr OpTrait random = OpTrait::Random;
constexpr OpRow rows[] = {
    {"random_factory", inferRandomFactory, executeRandomFactory, "aten.rand aten.randn", "", random},
    {"randint", inferRandint, executeRandint, "aten.randint", "", random},
    {"randperm", inferRandperm, executeRandperm, "aten.randperm", "", random},
    {"random_like", inferRandomLike, executeRandomLike, "aten.rand_like aten.randn_like aten.randint_like", "", random},
    {"normal", inferNormal, executeNormal, "aten.normal aten.normal_", "", random},
    {"random_in_place", inferLikeSelf, executeRandomInPlace,
     "aten.random_ aten.random aten.uniform_ aten.uniform aten.exponential_ aten.exponential aten.geometric_ "
     "aten.geometric aten.cauchy_ aten.cauchy aten.log_normal_ aten.log_normal aten.normal_functional aten.poisson "
     "aten._standard_gamma aten._sample_dirichlet",
     "", random},
    {"bernoulli", inferBernoulli, executeBernoulli, "aten.bernoulli aten.bernoulli_", "Bernoulli", random},
    {"multinomial", inferMultinomial, executeMultinomial, "aten.multinomial", "Multinomial", random},
    {"dropout", inferDropout, executeDropout,
     "aten.dropout aten.dropout_ aten.feature_dropout aten.feature_dropout_ aten.alpha_dropout aten.alpha_dropout_ "
     "aten.feature_alpha_dropout aten.feature_alpha_dropout_",
     "Dropout", OpTrait::None, refineAnyDropout},
    {"native_dropout", inferNativeDropout, executeNativeDropout, "aten.native_dropout", "", OpTrait::None,
     refineAnyDropout},
    {"random_onnx", inferOnnxRandom, executeRandomOnnx, "", "RandomNormal RandomUniform", random},
    {"random_like_onnx", inferOnnxRandomLike, executeRandomOnnx, "", "RandomNormalLike RandomUniformLike", random},
};

} // namespace

OpFamily randomFamily() {
  static const OpTable table{rows};
  return table.family();
}

} // namespace condlint
