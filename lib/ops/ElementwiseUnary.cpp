//===----------------------------------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AtenEffects.h"
#include "Elementwise.h"
#include "Promotion.h"

namespace condlint {

namespace {

/// How torch's element type of a unary result follows from its operand's.
enum class Rule {
  Same,      ///< as it is
  Float,     ///< integers and bool become the default float
  OnlyFloat, ///< defined for floating operands; nothing is known of others
  Real,      ///< the real type of a complex operand (`abs`)
  FloatReal, ///< both (`angle`)
  Bool,
};

DType resultOf(Rule rule, DType t) {
  if (t == DType::Unknown)
    return rule == Rule::Bool ? DType::Bool : t;
  switch (rule) {
  case Rule::Same:
    return t;
  case Rule::Float:
    return floatOrDefault(t);
  case Rule::OnlyFloat:
    return isFloating(t) || isComplex(t) ? t : DType::Unknown;
  case Rule::Real:
    return realType(t);
  case Rule::FloatReal:
    return realType(floatOrDefault(t));
  case Rule::Bool:
    return DType::Bool;
  }
  return DType::Unknown;
}

/// ONNX keeps the type; the rule is torch's.
template <Rule rule> void unary(InferContext &c) {
  if (c.isOnnx())
    return setLikeOperand(c, 0, rule == Rule::Bool ? std::optional(DType::Bool) : std::nullopt);
  setElementwise(c, resultOf(rule, c.type(0).element));
}

template <Rule rule, class F> void foldedUnary(InferContext &c, F f) {
  unary<rule>(c);
  foldElementwise(c, [&](DimTable &dims, std::span<const Dim> v) { return f(dims, v[0]); });
}

void inferAbs(InferContext &c) {
  foldedUnary<Rule::Real>(c, [](DimTable &d, Dim v) {
    const Interval range = d.boundsOf(v);
    if (range.min >= 0)
      return v;
    return range.max <= 0 ? d.negate(v) : d.max(v, d.negate(v));
  });
}

/// `square` is `pow(x, 2)`: bool becomes int64.
void inferSquare(InferContext &c) {
  const DType t = c.type(0).element;
  setElementwise(c, t == DType::Bool ? DType::Int64 : t);
}

/// `conj_physical` of numbers without an imaginary part is the operand itself.
void inferConjPhysical(InferContext &c) {
  const Type &self = c.type(0);
  if (self.isTensor() && self.element != DType::Unknown && !isComplex(self.element) && !c.arg("out"))
    return c.setResult(0, self);
  OwnedType t = elementwiseType(c, self.element, inputOperands(c));
  if (self.element == DType::Unknown) { // it may be the operand
    t.dropStrides();
    t.type.storageOffset = Dim();
    t.type.conjugate = self.conjugate;
  }
  setTorchResult(c, 0, t);
}

/// `frexp`: mantissa and int32 exponent.
void inferFrexp(InferContext &c) {
  const ValueId self[] = {c.operand(0)};
  const DType t = c.type(0).element;
  setTorchResult(c, 0, elementwiseType(c, isFloating(t) ? t : DType::Unknown, self), "mantissa");
  setTorchResult(c, 1, elementwiseType(c, DType::Int32, self), "exponent");
}

void inferNeg(InferContext &c) {
  foldedUnary<Rule::Same>(c, [](DimTable &d, Dim v) { return d.negate(v); });
}

/// What is followed through folding is whole, so rounding leaves it.
void inferRounding(InferContext &c) {
  foldedUnary<Rule::Same>(c, [](DimTable &, Dim v) { return v; });
}

void inferRelu(InferContext &c) {
  foldedUnary<Rule::Same>(c, [](DimTable &d, Dim v) { return d.max(v, d.constant(0)); });
}

void inferSign(InferContext &c) {
  foldedUnary<Rule::Same>(c, [](DimTable &d, Dim v) {
    const Interval range = d.boundsOf(v);
    if (range.min > 0)
      return d.constant(1);
    if (range.max < 0)
      return d.constant(-1);
    return d.isConstant(v, 0) ? v : Dim();
  });
}

void inferLogicalNot(InferContext &c) {
  foldedUnary<Rule::Bool>(c, [](DimTable &d, Dim v) {
    const auto value = d.asConstant(v);
    return value ? d.constant(*value == 0 ? 1 : 0) : Dim();
  });
}

constexpr OpRow rows[] = {
    {"abs", inferAbs, "aten.abs aten.abs_ aten.absolute aten.absolute_", "Abs"},
    {"neg", inferNeg, "aten.neg aten.neg_ aten.negative aten.negative_", "Neg"},
    {"ceil", inferRounding, "aten.ceil aten.ceil_", "Ceil"},
    {"floor", inferRounding, "aten.floor aten.floor_", "Floor"},
    {"round", inferRounding, "aten.round aten.round_", "Round"},
    {"trunc", inferRounding, "aten.trunc aten.trunc_ aten.fix aten.fix_", ""},
    {"frac", unary<Rule::OnlyFloat>, "aten.frac aten.frac_", ""},
    {"sign", inferSign, "aten.sign aten.sign_ aten.sgn aten.sgn_", "Sign"},
    {"relu", inferRelu, "aten.relu aten.relu_", "Relu"},
    {"square", inferSquare, "aten.square aten.square_", ""},
    {"conj_physical", inferConjPhysical, "aten.conj_physical aten.conj_physical_", "", OpTrait::None, refineConj},
    {"nan_to_num", unary<Rule::Same>, "aten.nan_to_num aten.nan_to_num_", ""},
    {"bitwise_not", unary<Rule::Same>, "aten.bitwise_not aten.bitwise_not_", "BitwiseNot"},
    {"frexp", inferFrexp, "aten.frexp", ""},
    {"angle", unary<Rule::FloatReal>, "aten.angle", ""},
    {"isnan", unary<Rule::Bool>, "aten.isnan", "IsNaN"},
    {"isinf", unary<Rule::Bool>, "aten.isinf", "IsInf"},
    {"isfinite", unary<Rule::Bool>, "aten.isfinite", ""},
    {"isposinf", unary<Rule::Bool>, "aten.isposinf", ""},
    {"isneginf", unary<Rule::Bool>, "aten.isneginf", ""},
    {"isreal", unary<Rule::Bool>, "aten.isreal", ""},
    {"signbit", unary<Rule::Bool>, "aten.signbit", ""},
    {"logical_not", inferLogicalNot, "aten.logical_not aten.logical_not_", "Not"},

    {"acos", unary<Rule::Float>, "aten.acos aten.acos_ aten.arccos aten.arccos_", "Acos"},
    {"acosh", unary<Rule::Float>, "aten.acosh aten.acosh_ aten.arccosh aten.arccosh_", "Acosh"},
    {"asin", unary<Rule::Float>, "aten.asin aten.asin_ aten.arcsin aten.arcsin_", "Asin"},
    {"asinh", unary<Rule::Float>, "aten.asinh aten.asinh_ aten.arcsinh aten.arcsinh_", "Asinh"},
    {"atan", unary<Rule::Float>, "aten.atan aten.atan_ aten.arctan aten.arctan_", "Atan"},
    {"atanh", unary<Rule::Float>, "aten.atanh aten.atanh_ aten.arctanh aten.arctanh_", "Atanh"},
    {"cos", unary<Rule::Float>, "aten.cos aten.cos_", "Cos"},
    {"cosh", unary<Rule::Float>, "aten.cosh aten.cosh_", "Cosh"},
    {"sin", unary<Rule::Float>, "aten.sin aten.sin_", "Sin"},
    {"sinh", unary<Rule::Float>, "aten.sinh aten.sinh_", "Sinh"},
    {"tan", unary<Rule::Float>, "aten.tan aten.tan_", "Tan"},
    {"tanh", unary<Rule::Float>, "aten.tanh aten.tanh_", "Tanh"},
    {"sinc", unary<Rule::Float>, "aten.sinc aten.sinc_ aten.special_sinc", ""},
    {"exp", unary<Rule::Float>, "aten.exp aten.exp_", "Exp"},
    {"exp2", unary<Rule::Float>, "aten.exp2 aten.exp2_ aten.special_exp2", ""},
    {"expm1", unary<Rule::Float>, "aten.expm1 aten.expm1_ aten.special_expm1", ""},
    {"log", unary<Rule::Float>, "aten.log aten.log_", "Log"},
    {"log10", unary<Rule::Float>, "aten.log10 aten.log10_", ""},
    {"log1p", unary<Rule::Float>, "aten.log1p aten.log1p_ aten.special_log1p", ""},
    {"log2", unary<Rule::Float>, "aten.log2 aten.log2_", ""},
    {"sqrt", unary<Rule::Float>, "aten.sqrt aten.sqrt_", "Sqrt"},
    {"rsqrt", unary<Rule::Float>, "aten.rsqrt aten.rsqrt_", ""},
    {"reciprocal", unary<Rule::Float>, "aten.reciprocal aten.reciprocal_", "Reciprocal"},
    {"erf", unary<Rule::Float>, "aten.erf aten.erf_ aten.special_erf", "Erf"},
    {"erfc", unary<Rule::Float>, "aten.erfc aten.erfc_ aten.special_erfc", ""},
    {"erfinv", unary<Rule::Float>, "aten.erfinv aten.erfinv_ aten.special_erfinv", ""},
    {"erfcx", unary<Rule::Float>, "aten.special_erfcx", ""},
    {"lgamma", unary<Rule::Float>, "aten.lgamma aten.lgamma_ aten.special_gammaln", ""},
    {"digamma", unary<Rule::Float>, "aten.digamma aten.digamma_ aten.special_digamma aten.special_psi", ""},
    {"polygamma", unary<Rule::Float>, "aten.polygamma_ aten.polygamma aten.special_polygamma", ""},
    {"mvlgamma", unary<Rule::Float>, "aten.mvlgamma aten.mvlgamma_", ""},
    {"bessel", unary<Rule::Float>,
     "aten.i0 aten.i0_ aten.special_i0 aten.special_i0e aten.special_i1 aten.special_i1e aten.special_bessel_j0 "
     "aten.special_bessel_j1 aten.special_bessel_y0 aten.special_bessel_y1 aten.special_modified_bessel_i0 "
     "aten.special_modified_bessel_i1 aten.special_modified_bessel_k0 aten.special_modified_bessel_k1 "
     "aten.special_scaled_modified_bessel_k0 aten.special_scaled_modified_bessel_k1 aten.special_spherical_bessel_j0 "
     "aten.special_airy_ai",
     ""},
    {"ndtr", unary<Rule::Float>, "aten.special_ndtr aten.special_ndtri aten.special_log_ndtr", ""},
    {"entr", unary<Rule::Float>, "aten.special_entr", ""},
    {"logit", unary<Rule::Float>, "aten.logit aten.logit_ aten.special_logit", ""},
    {"sigmoid", unary<Rule::Float>, "aten.sigmoid aten.sigmoid_ aten.special_expit", "Sigmoid"},
    {"deg2rad", unary<Rule::Float>, "aten.deg2rad aten.deg2rad_ aten.rad2deg aten.rad2deg_", ""},
};

} // namespace

std::span<const OpRow> unaryRows() { return rows; }

} // namespace condlint
