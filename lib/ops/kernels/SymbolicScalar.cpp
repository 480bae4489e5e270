//===- SymbolicScalar.cpp - Numbers of the host, executed -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SymbolicScalar.h"
#include "ElementKernels.h"
#include "Rows.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace condlint {

namespace {

RuntimeValue valueOf(const Scalar &s) {
  switch (s.kind) {
  case Scalar::Kind::Bool:
    return RuntimeValue::ofBool(s.whole != 0);
  case Scalar::Kind::Int:
    return RuntimeValue::ofInt(s.whole);
  default:
    return RuntimeValue::ofFloat(s.real);
  }
}

/// The scalar arguments; at least \p count of them.
std::vector<Scalar> arguments(const ExecContext &c, std::size_t count) {
  std::vector<Scalar> list = c.scalars();
  if (list.size() < count)
    c.fail(fmt::format("takes {} numbers, {} are given", count, list.size()));
  return list;
}

std::int64_t floorDivide(const ExecContext &c, std::int64_t a, std::int64_t b) {
  if (b == 0)
    c.fail("integers are divided by zero");
  return FloorDivide()(a, b);
}

std::int64_t checkedPower(const ExecContext &c, std::int64_t base, std::int64_t exponent) {
  std::int64_t result = 1;
  for (; exponent > 0; --exponent)
    if (__builtin_mul_overflow(result, base, &result))
      c.fail("a power is beyond 64 bits");
  return result;
}

} // namespace

// --- what tensors are -----------------------------------------------------------

void executeSymSize(ExecContext &c) {
  const Tensor &t = firstOperand(c);
  const std::string_view name = c.opName();
  const bool strides = name.ends_with("stride");
  if (c.hasArg("dim")) {
    if (t.rank() == 0)
      c.fail("a tensor of rank 0 has no axes");
    const std::size_t axis = axisOf(c, c.integer("dim"), t.rank());
    return c.set(0, RuntimeValue::ofInt(strides ? t.stride(axis) : t.size(axis)));
  }
  for (std::size_t i = 0; i < c.resultCount() && i < t.rank(); ++i)
    c.set(i, RuntimeValue::ofInt(strides ? t.stride(i) : t.size(i)));
}

void executeSymNumel(ExecContext &c) { c.set(0, RuntimeValue::ofInt(firstOperand(c).numel())); }
void executeSymStorageOffset(ExecContext &c) { c.set(0, RuntimeValue::ofInt(firstOperand(c).offset())); }
void executeDim(ExecContext &c) { c.set(0, RuntimeValue::ofInt(static_cast<std::int64_t>(firstOperand(c).rank()))); }

void executeItem(ExecContext &c) { c.set(0, valueOf(scalarOfTensor(c, firstOperand(c)))); }

void executeIsNonzero(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  const std::string_view name = c.opName();
  if (name == "is_nonzero")
    return c.set(0, RuntimeValue::ofBool(scalarOfTensor(c, x).isTrue()));
  const Tensor &y = c.tensor("other");
  if (name == "equal") {
    bool same = std::ranges::equal(x.sizes(), y.sizes());
    if (same) {
      const Tensor equal = map(c, Equal(), {operandOf(x), operandOf(y)});
      same = scalarOfTensor(c, reduced(c, equal, axesOf(c, {}, equal.rank()), false, Reduction::All, DType::Bool))
                 .isTrue();
    }
    return c.set(0, RuntimeValue::ofBool(same));
  }
  IsClose f;
  f.rtol = c.real("rtol", 1e-5);
  f.atol = c.real("atol", 1e-8);
  f.equalNan = c.flag("equal_nan");
  const Tensor close = elementwise(c, f, isFloating(x.dtype()) ? Compute::F64 : computeOf(x.dtype()), DType::Bool,
                                   {operandOf(x), operandOf(y)});
  c.set(0,
        valueOf(scalarOfTensor(c, reduced(c, close, axesOf(c, {}, close.rank()), false, Reduction::All, DType::Bool))));
}

void executeTypeQuery(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  const std::string_view name = c.opName();
  bool yes = false;
  if (name == "is_floating_point")
    yes = isFloating(x.dtype());
  else if (name == "is_complex")
    yes = isComplex(x.dtype());
  else if (name == "is_signed")
    yes = isSigned(x.dtype()) || isFloating(x.dtype()) || isComplex(x.dtype());
  else
    yes = std::ranges::equal(x.sizes(), c.tensor("other").sizes());
  c.set(0, RuntimeValue::ofBool(yes));
}

// --- assertions -----------------------------------------------------------------

void executeAssert(ExecContext &c) {
  const std::string_view name = c.opName();
  if (name == "_assert_tensor_metadata") {
    const Tensor &x = c.hasArg("a") ? c.tensor("a") : firstOperand(c);
    if (const auto t = c.dtype("dtype"); t && *t != x.dtype())
      c.fail(fmt::format("Tensor dtype mismatch! Expected: {}, got: {}", dtypeName(*t), dtypeName(x.dtype())));
    if (const auto sizes = c.integers("size"); sizes && !std::ranges::equal(*sizes, x.sizes()))
      c.fail(fmt::format("Tensor sizes mismatch! Expected: {}, got: {}", shapeText(*sizes), shapeText(x.sizes())));
    return;
  }
  if (name.starts_with("sym_constrain_range") || name == "_check_is_size" || name == "_constrain_as_size") {
    const std::vector<Scalar> given = c.scalars();
    const Scalar v = c.maybeScalar("size").value_or(given.empty() ? Scalar::of(std::int64_t{0}) : given[0]);
    const std::int64_t low = c.integer("min", name == "sym_constrain_range" ? INT64_MIN : 0),
                       high = c.integer("max", INT64_MAX);
    if (v.toInt() < low || v.toInt() > high)
      c.fail(fmt::format("the number {} is not in the range that the program relies on, [{}, {}]", v.toInt(), low,
                         high == INT64_MAX ? std::string("inf") : std::to_string(high)));
    return;
  }
  // The first argument is the condition; the message follows.
  const Attribute *condition = nullptr;
  for (std::string_view key : {"self", "a", "cond", "condition", ""})
    if (!condition)
      condition = c.attribute(key);
  std::optional<Scalar> truth;
  if (condition && condition->kind == AttributeKind::Operand) {
    const RuntimeValue &v = c.operand(condition->list.first);
    truth = v.isTensor()                    ? scalarOfTensor(c, v.tensor)
            : v.kind == ValueKind::SymFloat ? Scalar::of(v.real)
                                            : Scalar::of(v.number);
  } else if (condition && (condition->kind == AttributeKind::Bool || condition->kind == AttributeKind::Int)) {
    truth = Scalar::of(condition->number);
  }
  if (!truth)
    c.fail("the condition of an assertion is missing");
  if (!truth->isTrue()) {
    const std::string_view message = c.text("assert_msg");
    c.fail(message.empty() ? std::string("an assertion of the program does not hold") : std::string(message));
  }
  if (const RuntimeValue *token = c.value("dep_token"); token && c.resultCount() != 0)
    c.set(0, *token);
}

// --- arithmetic -----------------------------------------------------------------

/// Python's operators on int, bool and float.
void executeScalarArithmetic(ExecContext &c) {
  const std::string_view name = c.opName();
  const std::vector<Scalar> v = arguments(c, 1);
  const bool whole = std::ranges::all_of(v, [](const Scalar &s) { return s.isWhole(); });
  Scalar result = v[0];
  if (result.kind == Scalar::Kind::Bool)
    result.kind = Scalar::Kind::Int;
  for (std::size_t i = 1; i < v.size(); ++i) {
    const std::int64_t a = result.whole, b = v[i].whole;
    const double x = result.toDouble(), y = v[i].toDouble();
    std::int64_t r = 0;
    bool overflow = false;
    double real = 0;
    if (name == "add" || name == "sym_sum") {
      overflow = whole && __builtin_add_overflow(a, b, &r);
      real = x + y;
    } else if (name == "sub") {
      overflow = whole && __builtin_sub_overflow(a, b, &r);
      real = x - y;
    } else if (name == "mul") {
      overflow = whole && __builtin_mul_overflow(a, b, &r);
      real = x * y;
    } else if (name == "floordiv") {
      r = whole ? floorDivide(c, a, b) : 0;
      real = whole ? 0 : FloorDivide()(x, y);
    } else if (name == "mod") {
      if (whole && b == 0)
        c.fail("integers are divided by zero");
      r = whole ? Remainder()(a, b) : 0;
      real = whole ? 0 : Remainder()(x, y);
    } else if (name == "pow") {
      if (whole && b >= 0) {
        r = checkedPower(c, a, b);
      } else {
        result = Scalar::of(std::pow(x, y));
        continue;
      }
      real = std::pow(x, y);
    } else if (name == "lshift" || name == "rshift") {
      if (!whole || b < 0 || b > 63)
        c.fail("a shift of that many bits");
      r = name == "lshift" ? static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << b) : a >> b;
    } else if (name == "sym_min" || name == "min") {
      r = std::min(a, b);
      real = std::min(x, y);
    } else if (name == "sym_max" || name == "max") {
      r = std::max(a, b);
      real = std::max(x, y);
    } else {
      c.fail("condlint cannot execute this function of numbers");
    }
    if (overflow)
      c.fail("a number is beyond 64 bits");
    result = whole ? Scalar::of(r) : Scalar::of(real);
  }
  c.set(0, valueOf(result));
}

void executeScalarComparison(ExecContext &c) {
  const std::string_view name = c.opName();
  const std::vector<Scalar> v = arguments(c, 2);
  const bool whole = v[0].isWhole() && v[1].isWhole();
  const auto compare = [&](auto a, auto b) {
    if (name == "eq")
      return a == b;
    if (name == "ne")
      return a != b;
    if (name == "lt")
      return a < b;
    if (name == "gt")
      return a > b;
    return name == "le" ? a <= b : a >= b;
  };
  c.set(0, RuntimeValue::ofBool(whole ? compare(v[0].whole, v[1].whole) : compare(v[0].toDouble(), v[1].toDouble())));
}

void executeScalarTrueDivide(ExecContext &c) {
  const std::vector<Scalar> v = arguments(c, 1);
  if (c.opName() != "truediv")
    return c.set(0, RuntimeValue::ofFloat(v[0].toDouble()));
  if (v.size() < 2 || v[1].toDouble() == 0)
    c.fail("numbers are divided by zero");
  c.set(0, RuntimeValue::ofFloat(v[0].toDouble() / v[1].toDouble()));
}

void executeScalarUnary(ExecContext &c) {
  const std::string_view name = c.opName();
  Scalar v = arguments(c, 1)[0];
  if (v.kind == Scalar::Kind::Bool)
    v.kind = Scalar::Kind::Int;
  if (name == "neg")
    v = v.isWhole() ? Scalar::of(wrapSub(std::int64_t{0}, v.whole)) : Scalar::of(-v.real);
  else if (name == "abs")
    v = v.isWhole() ? Scalar::of(v.whole < 0 ? wrapSub(std::int64_t{0}, v.whole) : v.whole)
                    : Scalar::of(std::fabs(v.real));
  else if (name == "trunc" || name == "int" || name == "sym_int")
    v = Scalar::of(v.toInt());
  else if (name == "floor")
    v = Scalar::of(v.isWhole() ? v.whole : toInt64(std::floor(v.real)));
  else if (name == "ceil")
    v = Scalar::of(v.isWhole() ? v.whole : toInt64(std::ceil(v.real)));
  else if (name == "round")
    v = Scalar::of(v.isWhole() ? v.whole : toInt64(std::nearbyint(v.real)));
  c.set(0, valueOf(v));
}

void executeScalarLogic(ExecContext &c) {
  const std::string_view name = c.opName();
  const std::vector<Scalar> v = arguments(c, 1);
  if (name == "not_" || name == "sym_not")
    return c.set(0, RuntimeValue::ofBool(!v[0].isTrue()));
  if (name == "sym_ite")
    return c.set(0, valueOf(arguments(c, 3)[v[0].isTrue() ? 1 : 2]));
  const std::vector<Scalar> two = arguments(c, 2);
  const std::int64_t a = two[0].whole, b = two[1].whole;
  const std::int64_t r = name == "and_" ? a & b : name == "or_" ? a | b : a ^ b;
  const bool truth = two[0].kind == Scalar::Kind::Bool && two[1].kind == Scalar::Kind::Bool;
  c.set(0, truth ? RuntimeValue::ofBool(r != 0) : RuntimeValue::ofInt(r));
}

void executeScalarMath(ExecContext &c) {
  std::string_view name = c.opName();
  if (name.starts_with("_sym_"))
    name.remove_prefix(5);
  const double x = arguments(c, 1)[0].toDouble();
  static constexpr std::pair<std::string_view, double (*)(double)> table[] = {
      {"sqrt", std::sqrt}, {"sin", std::sin},   {"cos", std::cos},   {"tan", std::tan},   {"sinh", std::sinh},
      {"cosh", std::cosh}, {"tanh", std::tanh}, {"asin", std::asin}, {"acos", std::acos}, {"atan", std::atan},
      {"exp", std::exp},   {"log", std::log},   {"log2", std::log2}};
  for (const auto &[key, function] : table)
    if (key == name)
      return c.set(0, RuntimeValue::ofFloat(function(x)));
  c.fail("condlint cannot execute this function of numbers");
}

} // namespace condlint
