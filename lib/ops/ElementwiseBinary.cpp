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

using Fold = Dim (*)(DimTable &, Dim, Dim);

void foldBinary(InferContext &c, Fold f) {
  if (f)
    foldElementwise(c, [f](DimTable &dims, std::span<const Dim> v) { return f(dims, v[0], v[1]); });
}

/// ONNX up to opset 6: the second operand is stretched to the first, and only
/// where the attribute `broadcast` says so.
bool broadcastsToFirst(const InferContext &c) { return c.version() >= 1 && c.version() < 7; }

/// The result of a binary ONNX operator on operands of one type.
void onnxBinary(InferContext &c, std::optional<DType> result) {
  const DType shared = sameType(c, {0, 1});
  if (broadcastsToFirst(c))
    return setLikeOperand(c, 0, result ? *result : shared);
  setElementwise(c, result.value_or(shared));
}

/// The promoted type of the two operands, whatever torch calls them.
DType promoted(InferContext &c) {
  TypePromotion p(c);
  for (std::string_view name : {"self", "other", "exponent", "x", "n", "input", "end", "tensor1", "tensor2"})
    addArgument(p, c, name);
  return p.result();
}

/// Promotion as it is (add, mul, maximum, remainder, …).
template <Fold fold> void arithmetic(InferContext &c) {
  if (c.isOnnx())
    onnxBinary(c, std::nullopt);
  else
    setElementwise(c, promoted(c));
  foldBinary(c, fold);
}

/// The same of what torch composes of other operators.
void composite(InferContext &c) { setComposite(c, promoted(c)); }
void floatComposite(InferContext &c) { setComposite(c, floatOrDefault(promoted(c))); }

/// Promotion of which integers become the default float (atan2, logaddexp, …).
void floatArithmetic(InferContext &c) { setElementwise(c, floatOrDefault(promoted(c))); }

void comparison(InferContext &c) {
  if (c.isOnnx())
    onnxBinary(c, DType::Bool);
  else
    setElementwise(c, DType::Bool);
}
template <Fold fold> void foldedComparison(InferContext &c) {
  comparison(c);
  foldBinary(c, fold);
}
template <Fold fold> void logical(InferContext &c) {
  if (c.isOnnx())
    onnxBinary(c, DType::Bool);
  else
    setComposite(c, DType::Bool);
  foldBinary(c, fold);
}

Dim foldAdd(DimTable &d, Dim a, Dim b) { return d.add(a, b); }
Dim foldSub(DimTable &d, Dim a, Dim b) { return d.sub(a, b); }
Dim foldMul(DimTable &d, Dim a, Dim b) { return d.mul(a, b); }
Dim foldNotEqual(DimTable &d, Dim a, Dim b) {
  const auto v = d.asConstant(foldEqual(d, a, b));
  return v ? d.constant(1 - *v) : Dim();
}
Dim foldGreater(DimTable &d, Dim a, Dim b) { return foldLess(d, b, a); }
Dim foldGreaterEqual(DimTable &d, Dim a, Dim b) {
  const auto v = d.asConstant(foldLess(d, a, b));
  return v ? d.constant(1 - *v) : Dim();
}
Dim foldLessEqual(DimTable &d, Dim a, Dim b) { return foldGreaterEqual(d, b, a); }
Dim foldAnd(DimTable &d, Dim a, Dim b) {
  if (d.isConstant(a, 0) || d.isConstant(b, 0))
    return d.constant(0);
  return d.isConstant(a, 1) && d.isConstant(b, 1) ? a : Dim();
}
Dim foldOr(DimTable &d, Dim a, Dim b) {
  if (d.isConstant(a, 1) || d.isConstant(b, 1))
    return d.constant(1);
  return d.isConstant(a, 0) && d.isConstant(b, 0) ? a : Dim();
}
Dim foldXor(DimTable &d, Dim a, Dim b) {
  const auto x = d.asConstant(a), y = d.asConstant(b);
  return x && y ? d.constant((*x != 0) != (*y != 0) ? 1 : 0) : Dim();
}

void inferDiv(InferContext &c) {
  if (c.isOnnx()) {
    onnxBinary(c, std::nullopt);
    const bool whole = isIntegral(c.type(0).element);
    foldElementwise(c, [whole](DimTable &d, std::span<const Dim> v) {
      if (whole)
        return foldTruncDiv(d, v[0], v[1]);
      const auto a = d.asConstant(v[0]), b = d.asConstant(v[1]);
      if (d.isConstant(v[1], 1))
        return v[0];
      return a && b && *b != 0 && *b != -1 && *a % *b == 0 ? d.constant(*a / *b) : Dim();
    });
    return;
  }
  // Without a rounding mode the quotient is true: integers become floats.
  const DType t = promoted(c);
  setElementwise(c, c.stringAttr("rounding_mode").empty() ? floatOrDefault(t) : t);
}

void inferMod(InferContext &c) {
  onnxBinary(c, std::nullopt);
  const bool likeC = c.intAttr("fmod", 0) != 0;
  foldElementwise(c, [likeC](DimTable &d, std::span<const Dim> v) {
    if (!likeC)
      return d.mod(v[0], v[1]);
    return d.sub(v[0], d.mul(v[1], foldTruncDiv(d, v[0], v[1])));
  });
}

void inferPow(InferContext &c) {
  if (!c.isOnnx()) { // bools have no power of their own
    const DType t = promoted(c);
    if (t == DType::Bool)
      c.refuse();
    return setElementwise(c, t == DType::Bool ? DType::Unknown : t);
  }
  // Since opset 12 the exponent has a type of its own; the base decides.
  if (c.version() >= 12) {
    setElementwise(c, c.type(0).element);
  } else {
    onnxBinary(c, std::nullopt);
  }
  foldElementwise(c, [](DimTable &d, std::span<const Dim> v) {
    const auto exponent = d.asConstant(v[1]);
    if (!exponent || *exponent < 0 || *exponent > 62)
      return Dim();
    Dim result = d.constant(1);
    for (std::int64_t i = 0; i < *exponent; ++i)
      result = d.mul(result, v[0]);
    return result;
  });
}

/// `float_power` computes in double precision.
void inferFloatPower(InferContext &c) {
  const DType t = promoted(c);
  setElementwise(c, t == DType::Unknown ? t : isComplex(t) ? DType::Complex128 : DType::Float64);
}

/// `ldexp(x, e)` is `x * pow(2.0, e)`.
void inferLdexp(InferContext &c) {
  TypePromotion power(c);
  power.addNumber(DType::Float64);
  addArgument(power, c, "other");
  TypePromotion p(c);
  addArgument(p, c, "self");
  p.addTensor(power.result(), c.argType("other").rank());
  // Eager and traced torch promote half precision and integers differently.
  const DType self = c.argType("self").element;
  setComposite(c, self == DType::Float32 || self == DType::Float64 ? p.result() : DType::Unknown);
}

/// `gcd`, `bitwise_and`, shifts: what both promote to, without floats.
void bitwise(InferContext &c) {
  if (c.isOnnx())
    return onnxBinary(c, std::nullopt);
  const DType t = promoted(c);
  setElementwise(c, isFloating(t) || isComplex(t) ? DType::Unknown : t);
}

/// `addcmul`, `addcdiv`: three tensors; `value` has no say.
void ternary(InferContext &c) { setElementwise(c, promoted(c)); }

/// `addcdiv` divides truly and refuses integers.
void inferAddcdiv(InferContext &c) {
  const DType t = promoted(c);
  setElementwise(c, isFloating(t) || isComplex(t) ? t : DType::Unknown);
}

/// `masked_fill`, `lerp`: the type of the first operand.
void keepsFirst(InferContext &c) { setElementwise(c, c.type(0).element); }
void keepsFirstComposite(InferContext &c) { setComposite(c, c.type(0).element); }

void foldVariadic(InferContext &c, Fold f) {
  if (f)
    foldElementwise(c, [f](DimTable &d, std::span<const Dim> v) {
      Dim result = v[0];
      for (std::size_t i = 1; i < v.size(); ++i)
        result = f(d, result, v[i]);
      return result;
    });
}

/// `Sum`, `Mean`: any number of operands of one type. Up to opset 7 of one shape.
template <Fold fold> void variadic(InferContext &c) {
  if (!c.isOnnx())
    return setElementwise(c, promoted(c));
  std::vector<std::size_t> all(c.operandCount());
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = i;
  const DType shared = sameType(c, all);
  if (c.version() >= 1 && c.version() < 8)
    setLikeOperand(c, 0, shared);
  else
    setElementwise(c, shared);
  foldVariadic(c, fold);
}
Dim foldMin(DimTable &d, Dim a, Dim b) { return d.min(a, b); }
Dim foldMax(DimTable &d, Dim a, Dim b) { return d.max(a, b); }

constexpr OpRow rows[] = {
    {"add", arithmetic<foldAdd>, "aten.add aten.add_", "Add"},
    {"sub", arithmetic<foldSub>, "aten.sub aten.sub_ aten.subtract aten.subtract_", "Sub"},
    {"rsub", composite, "aten.rsub", ""},
    {"mul", arithmetic<foldMul>, "aten.mul aten.mul_ aten.multiply aten.multiply_", "Mul"},
    {"div", inferDiv, "aten.div aten.div_ aten.divide aten.divide_ aten.true_divide aten.true_divide_", "Div"},
    {"floor_divide", composite, "aten.floor_divide aten.floor_divide_ aten.__floordiv__", ""},
    {"remainder", arithmetic<nullptr>, "aten.remainder aten.remainder_", ""},
    {"fmod", arithmetic<nullptr>, "aten.fmod aten.fmod_", ""},
    {"mod", inferMod, "", "Mod"},
    {"pow", inferPow, "aten.pow aten.pow_", "Pow"},
    {"float_power", inferFloatPower, "aten.float_power aten.float_power_", ""},
    {"ldexp", inferLdexp, "aten.ldexp aten.ldexp_", ""},
    {"atan2", floatArithmetic, "aten.atan2 aten.atan2_ aten.arctan2 aten.arctan2_", ""},
    {"logaddexp", composite, "aten.logaddexp aten.logaddexp2", ""},
    {"xlogy", floatComposite, "aten.xlogy aten.xlogy_ aten.special_xlogy aten.special_xlog1py aten.special_zeta", ""},
    {"copysign", floatComposite, "aten.copysign aten.copysign_", ""},
    {"hypot", arithmetic<nullptr>, "aten.hypot aten.hypot_", ""},
    {"nextafter", arithmetic<nullptr>, "aten.nextafter aten.nextafter_", ""},
    {"heaviside", arithmetic<nullptr>, "aten.heaviside aten.heaviside_", ""},
    {"igamma", floatArithmetic,
     "aten.igamma aten.igamma_ aten.igammac aten.igammac_ aten.special_gammainc aten.special_gammaincc", ""},
    {"orthogonal_polynomial", floatComposite,
     "aten.special_chebyshev_polynomial_t aten.special_chebyshev_polynomial_u "
     "aten.special_chebyshev_polynomial_v aten.special_chebyshev_polynomial_w "
     "aten.special_hermite_polynomial_h aten.special_hermite_polynomial_he "
     "aten.special_laguerre_polynomial_l aten.special_legendre_polynomial_p "
     "aten.special_shifted_chebyshev_polynomial_t aten.special_shifted_chebyshev_polynomial_u "
     "aten.special_shifted_chebyshev_polynomial_v aten.special_shifted_chebyshev_polynomial_w",
     ""},
    {"maximum", variadic<foldMax>, "aten.maximum aten.fmax", "Max"},
    {"minimum", variadic<foldMin>, "aten.minimum aten.fmin", "Min"},
    {"sum_variadic", variadic<foldAdd>, "", "Sum"},
    {"mean_variadic", variadic<nullptr>, "", "Mean"},

    {"equal", foldedComparison<foldEqual>, "aten.eq aten.eq_", "Equal"},
    {"not_equal", foldedComparison<foldNotEqual>, "aten.ne aten.ne_ aten.not_equal aten.not_equal_", ""},
    {"less", foldedComparison<foldLess>, "aten.lt aten.lt_ aten.less aten.less_", "Less"},
    {"less_equal", foldedComparison<foldLessEqual>, "aten.le aten.le_ aten.less_equal aten.less_equal_", "LessOrEqual"},
    {"greater", foldedComparison<foldGreater>, "aten.gt aten.gt_ aten.greater aten.greater_", "Greater"},
    {"greater_equal", foldedComparison<foldGreaterEqual>, "aten.ge aten.ge_ aten.greater_equal aten.greater_equal_",
     "GreaterOrEqual"},
    {"isclose", comparison, "aten.isclose", ""},
    {"logical_and", logical<foldAnd>, "aten.logical_and aten.logical_and_", "And"},
    {"logical_or", logical<foldOr>, "aten.logical_or aten.logical_or_", "Or"},
    {"logical_xor", logical<foldXor>, "aten.logical_xor aten.logical_xor_", "Xor"},

    {"bitwise_and", bitwise, "aten.bitwise_and aten.bitwise_and_ aten.__and__ aten.__iand__", "BitwiseAnd"},
    {"bitwise_or", bitwise, "aten.bitwise_or aten.bitwise_or_ aten.__or__ aten.__ior__", "BitwiseOr"},
    {"bitwise_xor", bitwise, "aten.bitwise_xor aten.bitwise_xor_ aten.__xor__ aten.__ixor__", "BitwiseXor"},
    {"shift", bitwise,
     "aten.bitwise_left_shift aten.bitwise_left_shift_ aten.bitwise_right_shift aten.bitwise_right_shift_ "
     "aten.__lshift__ aten.__rshift__ aten.__ilshift__ aten.__irshift__",
     "BitShift"},
    {"gcd", bitwise, "aten.gcd aten.gcd_ aten.lcm aten.lcm_", ""},

    {"addcmul", ternary, "aten.addcmul aten.addcmul_", ""},
    {"addcdiv", inferAddcdiv, "aten.addcdiv aten.addcdiv_", ""},
    {"lerp", keepsFirst, "aten.lerp aten.lerp_", ""},
    {"masked_fill", keepsFirstComposite, "aten.masked_fill aten.masked_fill_", ""},
};

} // namespace

std::span<const OpRow> binaryRows() { return rows; }

} // namespace condlint
