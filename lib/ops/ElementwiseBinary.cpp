//===- ElementwiseBinary.cpp - Elementwise operators of two operands ------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Broadcast.h"
#include "Elementwise.h"
#include "OpTable.h"
#include "Promotion.h"
#include "Shape.h"
#include "graph/DimRelation.h"
#include "kernels/ElementKernels.h"
#include "kernels/FunctorsMath.h"
#include "kernels/FunctorsSpecial.h"
#include <cmath>
#include <fmt/format.h>
#include <string>

namespace condlint {

namespace {

using Fold = Dim (*)(DimTable &, Dim, Dim);

void foldBinary(InferContext &c, Fold f) {
  if (f)
    foldElementwise(c, 2, [f](DimTable &dims, std::span<const Dim> v) { return f(dims, v[0], v[1]); });
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

void setPromoted(InferContext &c) {
  c.setPromotes();
  setElementwise(c, promoted(c));
}

/// Promotion as it is (add, mul, maximum, remainder, …).
template <Fold fold> void arithmetic(InferContext &c) {
  if (c.isOnnx())
    onnxBinary(c, std::nullopt);
  else
    setPromoted(c);
  foldBinary(c, fold);
}

/// The same of what torch composes of other operators.
void composite(InferContext &c) {
  c.setPromotes();
  setComposite(c, promoted(c));
}
void floatComposite(InferContext &c) { setComposite(c, floatOrDefault(promoted(c))); }

/// Promotion of which integers become the default float (atan2, logaddexp, …).
void floatArithmetic(InferContext &c) { setElementwise(c, floatOrDefault(promoted(c))); }

void comparison(InferContext &c) {
  if (c.isOnnx())
    onnxBinary(c, DType::Bool);
  else
    setElementwise(c, DType::Bool);
}
/// \p fold decides a comparison or leaves it open. An open one of two numbers is \p relation of them.
template <Fold fold, Fold relation> void foldedComparison(InferContext &c) {
  comparison(c);
  const auto isNumber = [&](std::size_t i) {
    const auto content = c.content(i);
    return content && content->size() == 1;
  };
  if (c.isTorch() || c.operandCount() != 2 || !isNumber(0) || !isNumber(1))
    return foldBinary(c, fold);
  foldElementwise(c, 2, [](DimTable &dims, std::span<const Dim> v) {
    const Dim decided = fold(dims, v[0], v[1]);
    return decided.known() ? decided : relation(dims, v[0], v[1]);
  });
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
/// Torch has no difference of two bools.
void inferSub(InferContext &c) {
  if (c.isTorch() && promoted(c) == DType::Bool)
    c.reject(fmt::format("{}: both operands are bool, which have no difference", c.opName()));
  c.opName() == "rsub" ? composite(c) : arithmetic<foldSub>(c);
}
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
bool bothTruths(const DimTable &d, Dim a, Dim b) { return isTruth(d, a) && isTruth(d, b); }
Dim foldAnd(DimTable &d, Dim a, Dim b) {
  if (d.isConstant(a, 0) || d.isConstant(b, 0))
    return d.constant(0);
  return bothTruths(d, a, b) ? d.min(a, b) : Dim();
}
Dim foldOr(DimTable &d, Dim a, Dim b) {
  if (d.isConstant(a, 1) || d.isConstant(b, 1))
    return d.constant(1);
  return bothTruths(d, a, b) ? d.max(a, b) : Dim();
}
Dim foldXor(DimTable &d, Dim a, Dim b) {
  const auto x = d.asConstant(a), y = d.asConstant(b);
  if (x && y)
    return d.constant((*x != 0) != (*y != 0) ? 1 : 0);
  return bothTruths(d, a, b) ? d.sub(d.max(a, b), d.min(a, b)) : Dim();
}

void inferDiv(InferContext &c) {
  if (c.isOnnx()) {
    onnxBinary(c, std::nullopt);
    const bool whole = isIntegral(c.type(0).element);
    foldElementwise(c, 2, [whole](DimTable &d, std::span<const Dim> v) {
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
  foldElementwise(c, 2, [likeC](DimTable &d, std::span<const Dim> v) {
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
  foldElementwise(c, 2, [](DimTable &d, std::span<const Dim> v) {
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

/// `gcd`, `bitwise_and`, shifts: what both promote to. Nothing computes them of floats, which finds out types alone.
void bitwise(InferContext &c) {
  if (c.isOnnx())
    return onnxBinary(c, std::nullopt);
  const DType t = promoted(c);
  const bool isReal = isFloating(t) || isComplex(t);
  if (isReal && c.model().info.format != Format::Cxx)
    c.reject(fmt::format("{}: the operands make {}, which it does not take", c.opName(), dtypeName(t)));
  setElementwise(c, isReal ? DType::Unknown : t);
}

/// `addcmul`, `addcdiv`: three tensors; `value` has no say.
void ternary(InferContext &c) { setPromoted(c); }

/// `addcdiv` divides truly and refuses integers.
void inferAddcdiv(InferContext &c) {
  if (isIntegral(c.argType("tensor1").element) && isIntegral(c.argType("tensor2").element))
    c.reject(fmt::format("{}: 'tensor1' and 'tensor2' are whole numbers, whose quotient it does not take", c.opName()));
  const DType t = promoted(c);
  setElementwise(c, isFloating(t) || isComplex(t) ? t : DType::Unknown);
}

/// `lerp`: the type of the first operand.
void keepsFirst(InferContext &c) { setElementwise(c, c.type(0).element); }

/// `masked_fill` writes to a row-major copy of what it is given, stretched to the mask.
void inferMaskedFill(InferContext &c) {
  const Type &self = c.argType("self");
  if (isInPlace(c) || !self.isTensor())
    return setElementwise(c, self.element);
  const OwnedType stretched = elementwiseType(c, self.element, inputOperands(c));
  const Type t = stretched.view();
  setFresh(c, 0,
           t.hasRank ? freshTensor(c, t.element, {t.dims.begin(), t.dims.end()}, self)
                     : freshTensor(c, t.element, self));
}

void foldVariadic(InferContext &c, Fold f) {
  if (f)
    foldElementwise(c, 1, [f](DimTable &d, std::span<const Dim> v) {
      Dim result = v[0];
      for (std::size_t i = 1; i < v.size(); ++i)
        result = f(d, result, v[i]);
      return result;
    });
}

/// `Sum`, `Mean`: any number of operands of one type. Up to opset 7 of one shape.
template <Fold fold> void variadic(InferContext &c) {
  if (!c.isOnnx())
    return setPromoted(c);
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

// --- kernels ------------------------------------------------------------------

/// torch: what both promote to; ONNX: the type that both have.
DType commonType(const ExecContext &c, const Operand &a, const Operand &b) {
  return c.isTorch() ? promoted(c, {a, b}) : a.dtype();
}

template <class F> void execute(ExecContext &c) {
  const auto [a, b] = binaryOperands(c);
  const DType t = commonType(c, a, b);
  finishElementwise(c, F(), computeOf(t), F::predicate ? DType::Bool : t, {readAs(c, a, t), readAs(c, b, t)});
}
/// Integers become floats.
template <class F> void executeFloat(ExecContext &c) {
  const auto [a, b] = binaryOperands(c);
  const DType t = floatOf(c, commonType(c, a, b));
  finishElementwise(c, F(), computeOf(t), t, {a, b});
}
/// Integers are not divided by zero.
template <class F> void executeDivision(ExecContext &c) {
  const auto [a, b] = binaryOperands(c);
  const DType t = commonType(c, a, b);
  const Operand divisor = readAs(c, b, t);
  refuseZero(c, divisor, t);
  finishElementwise(c, F(), computeOf(t), t, {readAs(c, a, t), divisor});
}

/// a + alpha * b, with the signs and the order of sub and rsub.
void executeSum(ExecContext &c, bool negative, bool reversed) {
  auto [a, b] = binaryOperands(c);
  const DType t = commonType(c, a, b);
  const auto alpha = c.isTorch() ? c.maybeScalar("alpha") : std::nullopt;
  if (reversed)
    std::swap(a, b);
  if (t == DType::Bool && negative && c.isTorch())
    c.fail("a bool is not subtracted from a bool: use ^ or logical_xor");
  if (!alpha || (alpha->isWhole() && alpha->whole == 1)) {
    if (t == DType::Bool && !negative) // true + true is true
      return finishElementwise(c, Add(), Compute::I64, t, {a, b});
    return negative ? finishElementwise(c, Subtract(), computeOf(t), t, {a, b})
                    : finishElementwise(c, Add(), computeOf(t), t, {a, b});
  }
  AddScaled f;
  f.whole = negative ? -alpha->toInt() : alpha->toInt();
  f.real = negative ? -alpha->toDouble() : alpha->toDouble();
  finishElementwise(c, f, computeOf(t), t, {a, b});
}
void executeAdd(ExecContext &c) { executeSum(c, false, false); }
void executeSub(ExecContext &c) { executeSum(c, true, false); }
void executeRsub(ExecContext &c) { executeSum(c, true, true); }

void executeDiv(ExecContext &c) {
  if (!c.isTorch())
    return executeDivision<Divide>(c);
  const std::string_view mode = c.text("rounding_mode");
  if (mode == "floor")
    return executeDivision<FloorDivide>(c);
  if (mode == "trunc")
    return executeDivision<TruncDivide>(c);
  executeFloat<Divide>(c);
}

void executeMod(ExecContext &c) {
  if (c.flag("fmod"))
    executeDivision<Fmod>(c);
  else
    executeDivision<Remainder>(c);
}

void executePow(ExecContext &c) {
  auto [a, b] = binaryOperands(c);
  if (!c.isTorch()) { // the base decides the type; a real exponent is not rounded
    const DType t = a.dtype();
    const bool real = isFloating(b.dtype()) && !isFloating(t);
    return finishElementwise(c, Power(), real ? Compute::F64 : computeOf(t), t, {a, b});
  }
  DType t = promoted(c, {a, b});
  if (t == DType::Bool)
    t = DType::Int64;
  if (isIntegral(t) && !b.isTensor() && b.scalar.toInt() < 0)
    c.fail("integers to negative integer powers are not allowed");
  // torch's kernels of a root, where the exponent is a number; not those of float16.
  const double exponent = b.isTensor() ? 0 : b.scalar.toDouble();
  if (isFloating(t) && t != DType::Float16 && !b.isTensor() && std::fabs(exponent) == 0.5)
    return exponent > 0 ? finishElementwise(c, Sqrt(), computeOf(t), t, {a})
                        : finishElementwise(c, Rsqrt(), computeOf(t), t, {a});
  finishElementwise(c, Power(), computeOf(t), t, {a, b});
}

void executeFloatPower(ExecContext &c) {
  const auto [a, b] = binaryOperands(c);
  const DType t = isComplex(a.dtype()) || isComplex(b.dtype()) ? DType::Complex128 : DType::Float64;
  finishElementwise(c, Power(), computeOf(t), t, {a, b});
}

void executeLogAddExp(ExecContext &c) {
  const auto [a, b] = binaryOperands(c);
  const DType t = commonType(c, a, b);
  LogAddExp f;
  f.base2 = c.opName() == "logaddexp2";
  finishElementwise(c, f, computeOf(t), t, {a, b});
}

void executeXLogY(ExecContext &c) {
  const auto [a, b] = binaryOperands(c);
  const DType t = floatOf(c, commonType(c, a, b));
  if (c.opName() == "special_zeta")
    return finishElementwise(c, Zeta(), computeOf(t), t, {a, b});
  XLogY f;
  f.plusOne = c.opName() == "special_xlog1py";
  finishElementwise(c, f, computeOf(t), t, {a, b});
}

void executeIncompleteGamma(ExecContext &c) {
  const auto [a, b] = binaryOperands(c);
  const DType t = floatOf(c, commonType(c, a, b));
  IncompleteGamma f;
  f.upper = c.opName().starts_with("igammac") || c.opName() == "special_gammaincc";
  finishElementwise(c, f, computeOf(t), t, {a, b});
}

void executePolynomial(ExecContext &c) {
  static constexpr std::string_view names[] = {
      "chebyshev_polynomial_t", "chebyshev_polynomial_u", "chebyshev_polynomial_v", "chebyshev_polynomial_w",
      "hermite_polynomial_h",   "hermite_polynomial_he",  "laguerre_polynomial_l",  "legendre_polynomial_p"};
  Polynomial f;
  f.shifted = c.opName().starts_with("special_shifted_");
  const std::string_view name = c.opName().substr(f.shifted ? 16 : 8);
  for (int i = 0; i < 8; ++i)
    if (name == names[i])
      f.kind = i;
  const auto [a, b] = binaryOperands(c);
  const DType t = floatOf(c, commonType(c, a, b));
  finishElementwise(c, f, computeOf(t), t, {a, b});
}

/// Before version 8 of ONNX's operators nothing is stretched.
void expectOneShape(ExecContext &c) {
  constexpr std::int32_t stretchedSince = 8;
  for (std::size_t i = 1; c.version() > 0 && c.version() < stretchedSince && i < c.operandCount(); ++i)
    if (!std::ranges::equal(c.in(i).sizes(), c.in(0).sizes()))
      c.fail(fmt::format("operands are of one shape before version {}", stretchedSince));
}

/// Maximum and minimum: torch's two operands, ONNX's any number.
template <class F, class IgnoringNan> void executeExtreme(ExecContext &c) {
  if (c.isTorch() && c.opName().starts_with("fm"))
    return execute<IgnoringNan>(c);
  if (c.isTorch())
    return execute<F>(c);
  expectOneShape(c);
  Tensor result = c.in(0);
  for (std::size_t i = 1; i < c.operandCount(); ++i)
    result = map(c, F(), {operandOf(result), operandOf(c.in(i))});
  c.set(0, result);
}

template <bool mean> void executeVariadic(ExecContext &c) {
  Tensor result = c.in(0);
  expectOneShape(c);
  for (std::size_t i = 1; i < c.operandCount(); ++i)
    result = add(c, operandOf(result), operandOf(c.in(i)));
  if (mean)
    result = div(c, operandOf(result), operandOf(static_cast<double>(c.operandCount())));
  c.set(0, result);
}

void executeEqual(ExecContext &c) {
  const auto [a, b] = binaryOperands(c);
  if (a.dtype() == DType::String) // equal strings have equal handles
    return finishElementwise(c, Equal(), Compute::U64, DType::Bool, {a, b});
  execute<Equal>(c);
}

void executeIsClose(ExecContext &c) {
  const auto [a, b] = binaryOperands(c);
  IsClose f;
  f.rtol = c.real("rtol", 1e-5);
  f.atol = c.real("atol", 1e-8);
  f.equalNan = c.flag("equal_nan");
  // In double: a difference of floats is not rounded twice.
  const DType t = commonType(c, a, b);
  finishElementwise(c, f, isFloating(t) ? Compute::F64 : computeOf(t), DType::Bool, {a, b});
}

void executeShift(ExecContext &c) {
  const auto [a, b] = binaryOperands(c);
  const DType t = commonType(c, a, b);
  const std::string_view name = c.opName();
  const bool left =
      c.isTorch() ? name.find("left") != name.npos || name.find("lsh") != name.npos : c.text("direction") == "LEFT";
  const int width = static_cast<int>(dtypeBits(t));
  if (left) {
    ShiftLeft f;
    f.bits = width;
    return finishElementwise(c, f, Compute::I64, t, {a, b});
  }
  ShiftRight f;
  f.bits = width;
  finishElementwise(c, f, computeOf(t), t, {a, b});
}

void executeGcd(ExecContext &c) {
  if (c.opName().starts_with("lcm"))
    execute<Lcm>(c);
  else
    execute<Gcd>(c);
}

void executeAddcmul(ExecContext &c) {
  const Operand a = c.tensorOrScalar("self"), x = c.tensorOrScalar("tensor1"), y = c.tensorOrScalar("tensor2");
  const Scalar value = c.maybeScalar("value").value_or(Scalar::of(std::int64_t{1}));
  const DType t = promoted(c, {a, x, y});
  AddProduct f;
  f.real = value.toDouble();
  f.whole = value.toInt();
  finishElementwise(c, f, computeOf(t), t, {a, x, y});
}

void executeAddcdiv(ExecContext &c) {
  const Operand a = c.tensorOrScalar("self"), x = c.tensorOrScalar("tensor1"), y = c.tensorOrScalar("tensor2");
  AddQuotient f;
  f.value = c.real("value", 1.0);
  const DType t = promoted(c, {a, x, y});
  finishElementwise(c, f, computeOf(t), t, {a, x, y});
}

void executeLerp(ExecContext &c) {
  const Tensor &a = c.tensor("self");
  finishElementwise(c, Lerp(), computeOf(a.dtype()), a.dtype(),
                    {operandOf(a), c.tensorOrScalar("end"), c.tensorOrScalar("weight")});
}

/// Computed in float, where the neighbours of a narrower type lie.
void executeNextAfter(ExecContext &c) {
  const auto [a, b] = binaryOperands(c);
  const DType t = commonType(c, a, b);
  NextAfter f;
  f.mantissa = t == DType::Float16 ? 10 : t == DType::BFloat16 ? 7 : 0;
  f.leastExponent = t == DType::Float16 ? -14 : -126;
  f.largestExponent = t == DType::Float16 ? 15 : 127;
  finishElementwise(c, f, computeOf(t), t, {a, b});
}

void executeMaskedFill(ExecContext &c) {
  const Tensor &a = c.tensor("self");
  if (const DType type = c.tensor("mask").dtype(); type != DType::Bool)
    c.fail(fmt::format("a mask is bool, not {}", dtypeName(type)));
  const Operand mask = operandOf(c.tensor("mask")), value = c.tensorOrScalar("value");
  if (c.isInPlace())
    return finishElementwise(c, Select(), computeOf(a.dtype()), a.dtype(), {mask, value, operandOf(a)});
  // torch fills a row-major copy.
  c.finish(0, contiguous(c, elementwise(c, Select(), computeOf(a.dtype()), a.dtype(), {mask, value, operandOf(a)})));
}

constexpr OpRow rows[] = {
    {"add", arithmetic<foldAdd>, executeAdd, "aten.add aten.add_", "Add"},
    {"sub", inferSub, executeSub, "aten.sub aten.sub_ aten.subtract aten.subtract_", "Sub"},
    {"rsub", inferSub, executeRsub, "aten.rsub", ""},
    {"mul", arithmetic<foldMul>, execute<Multiply>, "aten.mul aten.mul_ aten.multiply aten.multiply_", "Mul"},
    {"div", inferDiv, executeDiv, "aten.div aten.div_ aten.divide aten.divide_ aten.true_divide aten.true_divide_",
     "Div"},
    {"floor_divide", composite, executeDivision<FloorDivide>, "aten.floor_divide aten.floor_divide_ aten.__floordiv__",
     ""},
    {"remainder", arithmetic<nullptr>, executeDivision<Remainder>, "aten.remainder aten.remainder_", ""},
    {"fmod", arithmetic<nullptr>, executeDivision<Fmod>, "aten.fmod aten.fmod_", ""},
    {"mod", inferMod, executeMod, "", "Mod"},
    {"pow", inferPow, executePow, "aten.pow aten.pow_", "Pow"},
    {"float_power", inferFloatPower, executeFloatPower, "aten.float_power aten.float_power_", ""},
    {"ldexp", inferLdexp, executeFloat<Ldexp>, "aten.ldexp aten.ldexp_", ""},
    {"atan2", floatArithmetic, executeFloat<Atan2>, "aten.atan2 aten.atan2_ aten.arctan2 aten.arctan2_", ""},
    {"logaddexp", composite, executeLogAddExp, "aten.logaddexp aten.logaddexp2", ""},
    {"xlogy", floatComposite, executeXLogY,
     "aten.xlogy aten.xlogy_ aten.special_xlogy aten.special_xlog1py aten.special_zeta", ""},
    {"copysign", floatComposite, executeFloat<CopySign>, "aten.copysign aten.copysign_", ""},
    {"hypot", arithmetic<nullptr>, execute<Hypot>, "aten.hypot aten.hypot_", ""},
    {"nextafter", arithmetic<nullptr>, executeNextAfter, "aten.nextafter aten.nextafter_", ""},
    {"heaviside", arithmetic<nullptr>, execute<Heaviside>, "aten.heaviside aten.heaviside_", ""},
    {"igamma", floatArithmetic, executeIncompleteGamma,
     "aten.igamma aten.igamma_ aten.igammac aten.igammac_ aten.special_gammainc aten.special_gammaincc", ""},
    {"orthogonal_polynomial", floatComposite, executePolynomial,
     "aten.special_chebyshev_polynomial_t aten.special_chebyshev_polynomial_u "
     "aten.special_chebyshev_polynomial_v aten.special_chebyshev_polynomial_w "
     "aten.special_hermite_polynomial_h aten.special_hermite_polynomial_he "
     "aten.special_laguerre_polynomial_l aten.special_legendre_polynomial_p "
     "aten.special_shifted_chebyshev_polynomial_t aten.special_shifted_chebyshev_polynomial_u "
     "aten.special_shifted_chebyshev_polynomial_v aten.special_shifted_chebyshev_polynomial_w",
     ""},
    {"maximum", variadic<foldMax>, executeExtreme<Maximum, Fmax>, "aten.maximum aten.fmax", "Max"},
    {"minimum", variadic<foldMin>, executeExtreme<Minimum, Fmin>, "aten.minimum aten.fmin", "Min"},
    {"sum_variadic", variadic<foldAdd>, executeVariadic<false>, "", "Sum"},
    {"mean_variadic", variadic<nullptr>, executeVariadic<true>, "", "Mean"},

    {"equal", foldedComparison<foldEqual, isEqual>, executeEqual, "aten.eq aten.eq_", "Equal"},
    {"not_equal", foldedComparison<foldNotEqual, isUnequal>, execute<NotEqual>,
     "aten.ne aten.ne_ aten.not_equal aten.not_equal_", ""},
    {"less", foldedComparison<foldLess, isLess>, execute<Less>, "aten.lt aten.lt_ aten.less aten.less_", "Less"},
    {"less_equal", foldedComparison<foldLessEqual, isLessOrEqual>, execute<LessEqual>,
     "aten.le aten.le_ aten.less_equal aten.less_equal_", "LessOrEqual"},
    {"greater", foldedComparison<foldGreater, isGreater>, execute<Greater>,
     "aten.gt aten.gt_ aten.greater aten.greater_", "Greater"},
    {"greater_equal", foldedComparison<foldGreaterEqual, isGreaterOrEqual>, execute<GreaterEqual>,
     "aten.ge aten.ge_ aten.greater_equal aten.greater_equal_", "GreaterOrEqual"},
    {"isclose", comparison, executeIsClose, "aten.isclose", ""},
    {"logical_and", logical<foldAnd>, execute<LogicalAnd>, "aten.logical_and aten.logical_and_", "And"},
    {"logical_or", logical<foldOr>, execute<LogicalOr>, "aten.logical_or aten.logical_or_", "Or"},
    {"logical_xor", logical<foldXor>, execute<LogicalXor>, "aten.logical_xor aten.logical_xor_", "Xor"},

    {"bitwise_and", bitwise, execute<BitAnd>, "aten.bitwise_and aten.bitwise_and_ aten.__and__ aten.__iand__",
     "BitwiseAnd"},
    {"bitwise_or", bitwise, execute<BitOr>, "aten.bitwise_or aten.bitwise_or_ aten.__or__ aten.__ior__", "BitwiseOr"},
    {"bitwise_xor", bitwise, execute<BitXor>, "aten.bitwise_xor aten.bitwise_xor_ aten.__xor__ aten.__ixor__",
     "BitwiseXor"},
    {"shift", bitwise, executeShift,
     "aten.bitwise_left_shift aten.bitwise_left_shift_ aten.bitwise_right_shift aten.bitwise_right_shift_ "
     "aten.__lshift__ aten.__rshift__ aten.__ilshift__ aten.__irshift__",
     "BitShift"},
    {"gcd", bitwise, executeGcd, "aten.gcd aten.gcd_ aten.lcm aten.lcm_", ""},

    {"addcmul", ternary, executeAddcmul, "aten.addcmul aten.addcmul_", ""},
    {"addcdiv", inferAddcdiv, executeAddcdiv, "aten.addcdiv aten.addcdiv_", ""},
    {"lerp", keepsFirst, executeLerp, "aten.lerp aten.lerp_", ""},
    {"masked_fill", inferMaskedFill, executeMaskedFill, "aten.masked_fill aten.masked_fill_", ""},
};

} // namespace

std::span<const OpRow> binaryRows() { return rows; }

} // namespace condlint
