//===- ElementwiseUnary.cpp - Elementwise operators of one operand --------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AtenEffects.h"
#include "Elementwise.h"
#include "OpTable.h"
#include "Promotion.h"
#include "graph/DimRelation.h"
#include "kernels/ElementKernels.h"
#include "kernels/FunctorsMath.h"
#include "kernels/FunctorsSpecial.h"

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
  foldElementwise(c, 1, [&](DimTable &dims, std::span<const Dim> v) { return f(dims, v[0]); });
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
    return value ? d.constant(*value == 0 ? 1 : 0) : isNot(d, v);
  });
}

// --- kernels ------------------------------------------------------------------

template <class F> void executeWith(ExecContext &c, Rule rule, const F &f) {
  const Tensor &x = firstOperand(c);
  DType result = x.dtype();
  if (c.isTorch() || rule == Rule::Bool)
    result = resultOf(rule, rule == Rule::Float || rule == Rule::FloatReal ? floatOf(c, x.dtype()) : x.dtype());
  if (result == DType::Unknown)
    c.fail("is not defined for " + std::string(dtypeName(x.dtype())));
  const DType computed = F::predicate || isComplex(x.dtype()) ? x.dtype() : result;
  finishElementwise(c, f, computeOf(computed), result, {operandOf(x)});
}
template <Rule rule, class F> void execute(ExecContext &c) { executeWith(c, rule, F()); }

void executeRound(ExecContext &c) {
  const std::int64_t decimals = c.integer("decimals", 0);
  if (decimals == 0)
    return executeWith(c, Rule::Same, Round());
  RoundDecimals f;
  f.scale = std::pow(10.0, static_cast<double>(decimals < 0 ? -decimals : decimals));
  f.down = decimals < 0;
  executeWith(c, Rule::Same, f);
}

void executeSquare(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  const DType t = x.dtype() == DType::Bool ? DType::Int64 : x.dtype();
  finishElementwise(c, Multiply(), computeOf(t), t, {operandOf(x), operandOf(x)});
}

void executeConjPhysical(ExecContext &c) {
  if (c.isInPlace() || isComplex(c.tensor("self").dtype()))
    return executeWith(c, Rule::Same, Conjugate());
  c.set(0, c.tensor("self"));
}

/// What stands in for infinities is the extreme of the type.
void executeNanToNum(ExecContext &c) {
  double largest = std::numeric_limits<double>::max();
  switch (firstOperand(c).dtype()) {
  case DType::Float16:
    largest = 65504;
    break;
  case DType::BFloat16:
    largest = 3.3895313892515355e38;
    break;
  case DType::Float32:
    largest = static_cast<double>(std::numeric_limits<float>::max());
    break;
  default:
    break;
  }
  NanToNum f;
  f.nan = c.real("nan", 0.0);
  f.positive = c.real("posinf", largest);
  f.negative = c.real("neginf", -largest);
  executeWith(c, Rule::Same, f);
}

void executeBitwiseNot(ExecContext &c) {
  if (firstOperand(c).dtype() == DType::Bool)
    return executeWith(c, Rule::Same, LogicalNot());
  executeWith(c, Rule::Same, BitNot());
}

struct Mantissa : ElementFunctor<1, Floats> {
  template <class T> CONDLINT_HD T operator()(T a) const {
    int e = 0;
    return std::frexp(a, &e);
  }
};
struct Exponent : ElementFunctor<1, Floats> {
  template <class T> CONDLINT_HD T operator()(T a) const {
    int e = 0;
    std::frexp(a, &e);
    return static_cast<T>(e);
  }
};
void executeFrexp(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  c.finish(0, elementwise(c, Mantissa(), computeOf(x.dtype()), x.dtype(), {operandOf(x)}));
  c.finish(1, elementwise(c, Exponent(), computeOf(x.dtype()), DType::Int32, {operandOf(x)}));
}

/// ONNX says by attributes which infinities count.
void executeIsInfinite(ExecContext &c) {
  IsInfinite f;
  if (!c.isTorch()) {
    f.positive = c.flag("detect_positive", true);
    f.negative = c.flag("detect_negative", true);
  }
  if (c.opName() != "isinf" && c.isTorch() && isComplex(firstOperand(c).dtype()))
    c.fail("a complex number has no sign");
  f.negative = f.negative && c.opName() != "isposinf";
  f.positive = f.positive && c.opName() != "isneginf";
  executeWith(c, Rule::Bool, f);
}

void executePolygamma(ExecContext &c) {
  Polygamma f;
  f.n = static_cast<int>(std::clamp<std::int64_t>(c.integer("n"), -1, 1000));
  if (f.n < 0)
    c.fail("polygamma(n, x) does not support negative n");
  executeWith(c, Rule::Float, f);
}

void executeMvlgamma(ExecContext &c) {
  MultivariateLgamma f;
  f.p = static_cast<int>(std::clamp<std::int64_t>(c.integer("p"), 1, 1000));
  executeWith(c, Rule::Float, f);
}

void executeBessel(ExecContext &c) {
  const std::string_view name = c.opName();
  const auto is = [&](std::string_view what) { return name == what; };
  if (is("special_bessel_j0"))
    return executeWith(c, Rule::Float, BesselJ0());
  if (is("special_bessel_j1"))
    return executeWith(c, Rule::Float, BesselJ1());
  if (is("special_bessel_y0"))
    return executeWith(c, Rule::Float, BesselY0());
  if (is("special_bessel_y1"))
    return executeWith(c, Rule::Float, BesselY1());
  if (is("special_spherical_bessel_j0"))
    return executeWith(c, Rule::Float, SphericalBesselJ0());
  BesselI f;
  f.order = is("special_i1") || is("special_i1e") || is("special_modified_bessel_i1") ? 1 : 0;
  f.scaled = is("special_i0e") || is("special_i1e");
  if (f.order == 0 && !f.scaled && !is("i0") && !is("i0_") && !is("special_i0") && !is("special_modified_bessel_i0"))
    c.fail("condlint cannot execute this function");
  executeWith(c, Rule::Float, f);
}

void executeNdtr(ExecContext &c) {
  if (c.opName() == "special_ndtri")
    executeWith(c, Rule::Float, Ndtri());
  else if (c.opName() == "special_log_ndtr")
    executeWith(c, Rule::Float, LogNdtr());
  else
    executeWith(c, Rule::Float, Ndtr());
}

void executeLogit(ExecContext &c) {
  Logit f;
  f.eps = c.real("eps", -1.0);
  executeWith(c, Rule::Float, f);
}

/// torch has no order and no sign of truth.
template <class F> void executeSigned(ExecContext &c) {
  if (c.isTorch() && firstOperand(c).dtype() == DType::Bool)
    c.fail("is not defined for bool");
  executeWith(c, Rule::Same, F());
}

void executeSign(ExecContext &c) {
  if (c.opName().starts_with("sign") && isComplex(firstOperand(c).dtype()))
    c.fail("a complex number has no sign: sgn is its direction");
  Sign f;
  f.ofNan = !c.isTorch();
  executeWith(c, Rule::Same, f);
}

void executeDegrees(ExecContext &c) {
  if (c.opName().starts_with("deg2rad"))
    executeWith(c, Rule::Float, DegreesToRadians());
  else
    executeWith(c, Rule::Float, RadiansToDegrees());
}

constexpr OpRow rows[] = {
    {"abs", inferAbs, execute<Rule::Real, Absolute>, "aten.abs aten.abs_ aten.absolute aten.absolute_", "Abs"},
    {"neg", inferNeg, executeSigned<Negate>, "aten.neg aten.neg_ aten.negative aten.negative_", "Neg"},
    {"ceil", inferRounding, execute<Rule::Same, Ceil>, "aten.ceil aten.ceil_", "Ceil"},
    {"floor", inferRounding, execute<Rule::Same, Floor>, "aten.floor aten.floor_", "Floor"},
    {"round", inferRounding, executeRound, "aten.round aten.round_", "Round"},
    {"trunc", inferRounding, execute<Rule::Same, Trunc>, "aten.trunc aten.trunc_ aten.fix aten.fix_", ""},
    {"frac", unary<Rule::OnlyFloat>, execute<Rule::OnlyFloat, Fraction>, "aten.frac aten.frac_", ""},
    {"sign", inferSign, executeSign, "aten.sign aten.sign_ aten.sgn aten.sgn_", "Sign"},
    {"relu", inferRelu, executeSigned<Relu>, "aten.relu aten.relu_", "Relu"},
    {"square", inferSquare, executeSquare, "aten.square aten.square_", ""},
    {"conj_physical", inferConjPhysical, executeConjPhysical, "aten.conj_physical aten.conj_physical_", "",
     OpTrait::None, refineConj},
    {"conj_physical_copy", unary<Rule::Same>, execute<Rule::Same, Conjugate>, "aten._conj_physical", ""},
    {"nan_to_num", unary<Rule::Same>, executeNanToNum, "aten.nan_to_num aten.nan_to_num_", ""},
    {"bitwise_not", unary<Rule::Same>, executeBitwiseNot, "aten.bitwise_not aten.bitwise_not_", "BitwiseNot"},
    {"frexp", inferFrexp, executeFrexp, "aten.frexp", ""},
    {"angle", unary<Rule::FloatReal>, execute<Rule::FloatReal, Angle>, "aten.angle", ""},
    {"isnan", unary<Rule::Bool>, execute<Rule::Bool, IsNan>, "aten.isnan", "IsNaN"},
    {"isinf", unary<Rule::Bool>, executeIsInfinite, "aten.isinf", "IsInf"},
    {"isfinite", unary<Rule::Bool>, execute<Rule::Bool, IsFinite>, "aten.isfinite", ""},
    {"isposinf", unary<Rule::Bool>, executeIsInfinite, "aten.isposinf", ""},
    {"isneginf", unary<Rule::Bool>, executeIsInfinite, "aten.isneginf", ""},
    {"isreal", unary<Rule::Bool>, execute<Rule::Bool, IsReal>, "aten.isreal", ""},
    {"signbit", unary<Rule::Bool>, execute<Rule::Bool, SignBit>, "aten.signbit", ""},
    {"logical_not", inferLogicalNot, execute<Rule::Bool, LogicalNot>, "aten.logical_not aten.logical_not_", "Not"},

    {"acos", unary<Rule::Float>, execute<Rule::Float, Acos>, "aten.acos aten.acos_ aten.arccos aten.arccos_", "Acos"},
    {"acosh", unary<Rule::Float>, execute<Rule::Float, Acosh>, "aten.acosh aten.acosh_ aten.arccosh aten.arccosh_",
     "Acosh"},
    {"asin", unary<Rule::Float>, execute<Rule::Float, Asin>, "aten.asin aten.asin_ aten.arcsin aten.arcsin_", "Asin"},
    {"asinh", unary<Rule::Float>, execute<Rule::Float, Asinh>, "aten.asinh aten.asinh_ aten.arcsinh aten.arcsinh_",
     "Asinh"},
    {"atan", unary<Rule::Float>, execute<Rule::Float, Atan>, "aten.atan aten.atan_ aten.arctan aten.arctan_", "Atan"},
    {"atanh", unary<Rule::Float>, execute<Rule::Float, Atanh>, "aten.atanh aten.atanh_ aten.arctanh aten.arctanh_",
     "Atanh"},
    {"cos", unary<Rule::Float>, execute<Rule::Float, Cos>, "aten.cos aten.cos_", "Cos"},
    {"cosh", unary<Rule::Float>, execute<Rule::Float, Cosh>, "aten.cosh aten.cosh_", "Cosh"},
    {"sin", unary<Rule::Float>, execute<Rule::Float, Sin>, "aten.sin aten.sin_", "Sin"},
    {"sinh", unary<Rule::Float>, execute<Rule::Float, Sinh>, "aten.sinh aten.sinh_", "Sinh"},
    {"tan", unary<Rule::Float>, execute<Rule::Float, Tan>, "aten.tan aten.tan_", "Tan"},
    {"tanh", unary<Rule::Float>, execute<Rule::Float, Tanh>, "aten.tanh aten.tanh_", "Tanh"},
    {"sinc", unary<Rule::Float>, execute<Rule::Float, Sinc>, "aten.sinc aten.sinc_ aten.special_sinc", ""},
    {"exp", unary<Rule::Float>, execute<Rule::Float, Exp>, "aten.exp aten.exp_", "Exp"},
    {"exp2", unary<Rule::Float>, execute<Rule::Float, Exp2>, "aten.exp2 aten.exp2_ aten.special_exp2", ""},
    {"expm1", unary<Rule::Float>, execute<Rule::Float, Expm1>, "aten.expm1 aten.expm1_ aten.special_expm1", ""},
    {"log", unary<Rule::Float>, execute<Rule::Float, Log>, "aten.log aten.log_", "Log"},
    {"log10", unary<Rule::Float>, execute<Rule::Float, Log10>, "aten.log10 aten.log10_", ""},
    {"log1p", unary<Rule::Float>, execute<Rule::Float, Log1p>, "aten.log1p aten.log1p_ aten.special_log1p", ""},
    {"log2", unary<Rule::Float>, execute<Rule::Float, Log2>, "aten.log2 aten.log2_", ""},
    {"sqrt", unary<Rule::Float>, execute<Rule::Float, Sqrt>, "aten.sqrt aten.sqrt_", "Sqrt"},
    {"rsqrt", unary<Rule::Float>, execute<Rule::Float, Rsqrt>, "aten.rsqrt aten.rsqrt_", ""},
    {"reciprocal", unary<Rule::Float>, execute<Rule::Float, Reciprocal>, "aten.reciprocal aten.reciprocal_",
     "Reciprocal"},
    {"erf", unary<Rule::Float>, execute<Rule::Float, Erf>, "aten.erf aten.erf_ aten.special_erf", "Erf"},
    {"erfc", unary<Rule::Float>, execute<Rule::Float, Erfc>, "aten.erfc aten.erfc_ aten.special_erfc", ""},
    {"erfinv", unary<Rule::Float>, execute<Rule::Float, Erfinv>, "aten.erfinv aten.erfinv_ aten.special_erfinv", ""},
    {"erfcx", unary<Rule::Float>, execute<Rule::Float, Erfcx>, "aten.special_erfcx", ""},
    {"lgamma", unary<Rule::Float>, execute<Rule::Float, Lgamma>, "aten.lgamma aten.lgamma_ aten.special_gammaln", ""},
    {"digamma", unary<Rule::Float>, execute<Rule::Float, Digamma>,
     "aten.digamma aten.digamma_ aten.special_digamma aten.special_psi", ""},
    {"polygamma", unary<Rule::Float>, executePolygamma, "aten.polygamma_ aten.polygamma aten.special_polygamma", ""},
    {"mvlgamma", unary<Rule::Float>, executeMvlgamma, "aten.mvlgamma aten.mvlgamma_ aten.special_multigammaln", ""},
    {"bessel", unary<Rule::Float>, executeBessel,
     "aten.i0 aten.i0_ aten.special_i0 aten.special_i0e aten.special_i1 aten.special_i1e aten.special_bessel_j0 "
     "aten.special_bessel_j1 aten.special_bessel_y0 aten.special_bessel_y1 aten.special_modified_bessel_i0 "
     "aten.special_modified_bessel_i1 aten.special_modified_bessel_k0 aten.special_modified_bessel_k1 "
     "aten.special_scaled_modified_bessel_k0 aten.special_scaled_modified_bessel_k1 aten.special_spherical_bessel_j0 "
     "aten.special_airy_ai",
     ""},
    {"ndtr", unary<Rule::Float>, executeNdtr, "aten.special_ndtr aten.special_ndtri aten.special_log_ndtr", ""},
    {"entr", unary<Rule::Float>, execute<Rule::Float, Entropy>, "aten.special_entr", ""},
    {"logit", unary<Rule::Float>, executeLogit, "aten.logit aten.logit_ aten.special_logit", ""},
    {"sigmoid", unary<Rule::Float>, execute<Rule::Float, Sigmoid>, "aten.sigmoid aten.sigmoid_ aten.special_expit",
     "Sigmoid"},
    {"deg2rad", unary<Rule::Float>, executeDegrees, "aten.deg2rad aten.deg2rad_ aten.rad2deg aten.rad2deg_", ""},
};

} // namespace

std::span<const OpRow> unaryRows() { return rows; }

} // namespace condlint
