//===- MatrixProduct.cpp - Matrix products, executed ----------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "MatrixProduct.h"
#include "ElementKernels.h"
#include "Functors.h"
#include "Parts.h"
#include "Rows.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace condlint {

namespace {

/// Whole numbers have no library: 64 bits, wrapping.
void multiplyWhole(const ExecContext &c, const std::int64_t *a, const std::int64_t *b, std::int64_t *to,
                   std::int64_t pitch, std::int64_t m, std::int64_t n, std::int64_t k) {
  forEach(c.device(), m, [=] CONDLINT_HD(std::int64_t i) {
    std::int64_t *o = to + i * pitch;
    for (std::int64_t j = 0; j < n; ++j)
      o[j] = 0;
    for (std::int64_t p = 0; p < k; ++p) {
      const std::int64_t x = a[i * k + p];
      for (std::int64_t j = 0; j < n; ++j)
        o[j] = wrapAdd(o[j], wrapMul(x, b[p * n + j]));
    }
  });
}

/// A matrix for the library: dense rows, or dense columns (transposed).
struct Matrix {
  Tensor data;
  bool transposed = false;
  std::int64_t leading = 1;
};
Matrix matrixOf(const ExecContext &c, const Tensor &t) {
  const std::int64_t rows = t.size(0), columns = t.size(1);
  if ((t.stride(1) == 1 || columns == 1) && t.stride(0) >= std::max<std::int64_t>(columns, 1) &&
      t.stride(0) < INT32_MAX)
    return {t, false, std::max<std::int64_t>(t.stride(0), 1)};
  if ((t.stride(0) == 1 || rows == 1) && t.stride(1) >= std::max<std::int64_t>(rows, 1) && t.stride(1) < INT32_MAX)
    return {t, true, std::max<std::int64_t>(t.stride(1), 1)};
  return {contiguous(c, t), false, std::max<std::int64_t>(columns, 1)};
}

} // namespace

void multiplyInto(const ExecContext &c, const Tensor &a, const Tensor &b, const Tensor &out) {
  const std::int64_t m = a.size(0), k = a.size(1), n = b.size(1);
  if (m == 0 || n == 0)
    return;
  if (k == 0)
    return fill(c, out, Scalar::of(std::int64_t{0}));
  const std::int64_t pitch = std::max(out.stride(0), n); // of a single row it may be anything
  if (m > INT32_MAX || n > INT32_MAX || k > INT32_MAX)
    c.fail("a matrix is too large to be multiplied");
  if (out.dtype() == DType::Int64 || out.dtype() == DType::UInt64) {
    const Tensor x = contiguous(c, a), y = contiguous(c, b);
    return multiplyWhole(c, x.deviceAs<std::int64_t>(), y.deviceAs<std::int64_t>(), out.deviceOut<std::int64_t>(),
                         pitch, m, n, k);
  }
  const Matrix x = matrixOf(c, a), y = matrixOf(c, b);
  MatrixProduct p;
  p.dtype = out.dtype();
  p.transposeA = x.transposed;
  p.transposeB = y.transposed;
  p.m = m;
  p.n = n;
  p.k = k;
  p.a = x.data.deviceBytes();
  p.lda = x.leading;
  p.b = y.data.deviceBytes();
  p.ldb = y.leading;
  p.c = out.deviceOutBytes();
  p.ldc = pitch;
  c.device().multiply(p);
}

Tensor matmul(const ExecContext &c, const Tensor &a, const Tensor &b) {
  return cast(c, wideMatmul(c, a, b), a.dtype());
}

Tensor wideMatmul(const ExecContext &c, const Tensor &first, const Tensor &second) {
  if (first.rank() == 0 || second.rank() == 0)
    c.fail("a number is no factor of a matrix product");
  const DType computed = dtypeOf(computeOf(first.dtype()));
  Tensor a = cast(c, first, computed), b = cast(c, second, computed);
  const bool rowVector = a.rank() == 1, columnVector = b.rank() == 1;
  if (rowVector)
    a = a.unsqueezed(0);
  if (columnVector)
    b = b.unsqueezed(1);
  if (a.size(a.rank() - 1) != b.size(b.rank() - 2))
    c.fail(fmt::format("matrices of the shapes {} and {} cannot be multiplied", shapeText(first.sizes()),
                       shapeText(second.sizes())));
  const std::int64_t m = a.size(a.rank() - 2), k = a.size(a.rank() - 1), n = b.size(b.rank() - 1);
  const SizeSpan leadA = a.sizes().first(a.rank() - 2), leadB = b.sizes().first(b.rank() - 2);
  Sizes shape = broadcast(c, leadA, leadB);
  const Sizes batch = shape;
  shape.push_back(m);
  shape.push_back(n);
  Tensor out;
  if (b.rank() == 2 && a.rank() > 2) { // one tall matrix
    const std::int64_t tall[] = {product(leadA) * m, k}, wide[] = {product(leadA) * m, n};
    const Tensor flat = c.empty(computed, wide);
    multiplyInto(c, reshaped(c, a, tall), b, flat);
    out = reshaped(c, flat, shape);
  } else if (batch.empty()) {
    out = c.empty(computed, shape);
    multiplyInto(c, a, b, out);
  } else {
    Sizes fullA = batch, fullB = batch;
    fullA.push_back(m);
    fullA.push_back(k);
    fullB.push_back(k);
    fullB.push_back(n);
    const Tensor x = expanded(c, a, fullA), y = expanded(c, b, fullB);
    out = c.empty(computed, shape);
    const std::int64_t count = product(batch), flat[] = {count, m, n};
    const Tensor outs = reshaped(c, out, flat);
    for (std::int64_t i = 0; i < count; ++i) {
      Tensor p = x, q = y;
      std::int64_t rest = i;
      Sizes index(batch.size());
      for (std::size_t d = batch.size(); d-- > 0; rest /= batch[d])
        index[d] = rest % batch[d];
      std::int64_t atP = x.offset(), atQ = y.offset();
      for (std::size_t d = 0; d < batch.size(); ++d) {
        atP += index[d] * x.stride(d);
        atQ += index[d] * y.stride(d);
      }
      p = x.with(x.sizes().last(2), x.strides().last(2), atP);
      q = y.with(y.sizes().last(2), y.strides().last(2), atQ);
      multiplyInto(c, p, q, outs.selected(0, i));
    }
  }
  if (rowVector)
    out = out.squeezed(out.rank() - 2);
  if (columnVector)
    out = out.squeezed(out.rank() - 1);
  return out;
}

namespace {

/// beta * self + alpha * product as \p t; a beta of 0 ignores self, even its NaN. Added in the type that products are
/// computed in and rounded once, as torch does.
void finishSum(ExecContext &c, DType t, const Tensor &wide, const Tensor *self, const Scalar &beta,
               const Scalar &alpha) {
  const auto isOne = [](const Scalar &s) { return s.isWhole() ? s.whole == 1 : s.real == 1 && s.imaginary == 0; };
  const auto times = [&](const Tensor &x, const Scalar &factor) {
    return isOne(factor) ? x : map(c, Multiply(), {operandOf(x), {{}, factor}});
  };
  const Tensor scaled = times(wide, alpha);
  if (!self || !beta.isTrue())
    return c.finish(0, cast(c, scaled, t));
  const Tensor base = times(isOne(beta) ? *self : cast(c, *self, dtypeOf(computeOf(t))), beta);
  finishElementwise(c, Add(), computeOf(t), t, {operandOf(scaled), operandOf(base)});
}

Scalar scalarOr(const ExecContext &c, std::string_view name, double otherwise) {
  const auto s = c.maybeScalar(name);
  return s ? *s : Scalar::of(otherwise);
}

DType sameTypes(const ExecContext &c, const Tensor &a, const Tensor &b) {
  if (a.dtype() != b.dtype())
    c.fail(fmt::format("expected m1 and m2 to have the same dtype, but got: {} and {}", dtypeName(a.dtype()),
                       dtypeName(b.dtype())));
  return a.dtype();
}

} // namespace

void executeMatMul(ExecContext &c) {
  const auto [a, b] = c.isTorch() ? std::pair(firstOperand(c), c.tensor("other")) : std::pair(c.in(0), c.in(1));
  sameTypes(c, a, b);
  c.finish(0, matmul(c, a, b));
}

void executeMm(ExecContext &c) {
  const Tensor &a = firstOperand(c), &b = c.tensor("mat2");
  sameTypes(c, a, b);
  if (a.rank() != b.rank() || a.rank() != (c.opName() == "bmm" ? 3u : 2u) || (a.rank() == 3 && a.size(0) != b.size(0)))
    c.fail(fmt::format("tensors of the shapes {} and {} cannot be multiplied", shapeText(a.sizes()),
                       shapeText(b.sizes())));
  const bool whole = c.opName() == "_int_mm";
  c.finish(0, whole ? matmul(c, cast(c, a, DType::Int32), cast(c, b, DType::Int32)) : matmul(c, a, b));
}

namespace {

/// Calls \p f with each group's number, where it begins and how many rows or columns it has, of \p most in all.
template <typename F> void eachGroup(ExecContext &c, const Tensor &ends, std::int64_t most, F f) {
  std::int64_t begin = 0, group = 0;
  for (const std::int64_t end : integersOf(c, ends)) {
    if (end < begin || end > most)
      c.fail(fmt::format("group {} ends at row {}, behind row {} of {}", group, end, begin, most));
    f(group++, begin, end - begin);
    begin = end;
  }
}

} // namespace

void executeGroupedMm(ExecContext &c) {
  const Tensor &rows = c.tensor("input"), &weight = c.tensor("weight");
  const DType t = sameTypes(c, rows, weight);
  const Tensor ends = c.tensor("offs");
  if (rows.rank() != 2 || weight.rank() != 3 || ends.rank() != 1 || rows.size(1) != weight.size(1) ||
      ends.size(0) > weight.size(0))
    c.fail(fmt::format("rows of the shape {}, matrices of the shape {} and {} groups do not fit together",
                       shapeText(rows.sizes()), shapeText(weight.sizes()), shapeText(ends.sizes())));
  const std::int64_t shape[] = {rows.size(0), weight.size(2)};
  const Tensor out = filled(c, t, shape, Scalar::of(0.0)); // rows of no group stay so
  eachGroup(c, ends, rows.size(0), [&](std::int64_t group, std::int64_t begin, std::int64_t count) {
    if (count > 0)
      copyInto(c, out.sliced(0, begin, count), matmul(c, rows.sliced(0, begin, count), weight.selected(0, group)));
  });
  c.finish(0, out);
}

void executeAtenGroupedMm(ExecContext &c) {
  const Tensor &a = c.tensor("self"), &b = c.tensor("mat2");
  const DType t = sameTypes(c, a, b);
  const bool several = a.rank() == 3, each = b.rank() == 3;
  if (a.rank() < 2 || a.rank() > 3 || b.rank() < 2 || b.rank() > 3)
    c.fail("the matrices are 2-D, or several in a 3-D tensor");
  const auto doNotFit = [&] {
    c.fail(fmt::format("matrices of the shapes {} and {} do not go together by groups", shapeText(a.sizes()),
                       shapeText(b.sizes())));
  };
  if ((several || each) && a.size(a.rank() - 1) != b.size(b.rank() - 2))
    doNotFit();
  Tensor out;
  if (several && each) {
    if (a.size(0) != b.size(0))
      doNotFit();
    out = matmul(c, a, b);
  } else {
    const Tensor &ends = c.tensor("offs");
    if (ends.rank() != 1 || (several && ends.size(0) != a.size(0)) || (each && ends.size(0) != b.size(0)))
      doNotFit();
    Sizes shape;
    if (!several && !each)
      shape.push_back(ends.size(0));
    shape.push_back(a.size(a.rank() - 2));
    shape.push_back(b.size(b.rank() - 1));
    out = filled(c, t, shape, Scalar::of(0.0)); // what no group reaches, torch leaves as the memory was
    const std::int64_t most = each ? a.size(0) : several ? b.size(1) : std::min(a.size(1), b.size(0));
    eachGroup(c, ends, most, [&](std::int64_t group, std::int64_t begin, std::int64_t count) {
      if (count == 0)
        return;
      if (each)
        copyInto(c, out.sliced(0, begin, count), matmul(c, a.sliced(0, begin, count), b.selected(0, group)));
      else if (several)
        copyInto(c, out.sliced(1, begin, count), matmul(c, a.selected(0, group), b.sliced(1, begin, count)));
      else
        copyInto(c, out.selected(0, group), matmul(c, a.sliced(1, begin, count), b.sliced(0, begin, count)));
    });
  }
  // Rows begin at multiples of 16 bytes.
  const std::int64_t size = static_cast<std::int64_t>(elementBytes(t)), columns = out.size(out.rank() - 1);
  const std::int64_t pitch = (columns * size + 15) / 16 * 16 / size;
  const std::array strides{out.size(out.rank() - 2) * pitch, pitch, std::int64_t{1}};
  c.finish(0, laidOut(c, out, std::span(strides).last(out.rank())));
}

void executeAddmm(ExecContext &c) {
  const std::string_view name = c.opName();
  if (name == "_addmm_activation")
    c.fail("condlint does not execute _addmm_activation");
  const Tensor &self = c.tensor("self");
  const Scalar beta = scalarOr(c, "beta", 1), alpha = scalarOr(c, "alpha", 1);
  if (name.starts_with("addr")) {
    const Tensor &a = c.tensor("vec1"), &b = c.tensor("vec2");
    if (a.rank() != 1 || b.rank() != 1)
      c.fail("an outer product is of two vectors");
    Tensor product = mul(c, operandOf(a.unsqueezed(1)), operandOf(b.unsqueezed(0)));
    if (std::ranges::equal(self.sizes(), product.sizes())) // it lies as what it is added to
      product = laidOut(c, product, preservedStrides(self));
    return finishSum(c, product.dtype(), product, &self, beta, alpha);
  }
  const bool isVector = name.starts_with("addmv"), isOne = name.starts_with("addmm");
  const Tensor &a = c.tensor(isVector ? "mat" : isOne ? "mat1" : "batch1");
  const Tensor &b = c.tensor(isVector ? "vec" : isOne ? "mat2" : "batch2");
  Tensor product = wideMatmul(c, a, b);
  if (name.starts_with("addbmm")) {
    const std::size_t first[] = {0};
    product = reduced(c, product, first, false, Reduction::Sum, product.dtype());
  }
  finishSum(c, a.dtype(), product, &self, beta, alpha);
}

void executeLinear(ExecContext &c) {
  const Tensor &x = c.tensor("input"), &w = c.tensor("weight");
  sameTypes(c, x, w);
  if (w.rank() == 0 || w.rank() > 2)
    c.fail("the weight of linear is no matrix");
  const Tensor out = wideMatmul(c, x, w.rank() == 2 ? w.transposed(0, 1) : w);
  finishSum(c, x.dtype(), out, c.maybeTensor("bias"), Scalar::of(1.0), Scalar::of(1.0));
}

void executeDot(ExecContext &c) {
  Tensor a = firstOperand(c);
  const Tensor &b = c.tensor(c.hasArg("tensor") ? "tensor" : "other");
  if (c.opName() == "vdot" && isComplex(a.dtype()))
    a = map(c, Conjugate(), {operandOf(a)});
  if (a.rank() != 1 || b.rank() != 1)
    c.fail("dot is for vectors");
  c.finish(0, matmul(c, a, b));
}

void executeMv(ExecContext &c) { c.finish(0, matmul(c, firstOperand(c), c.tensor("vec"))); }

void executeOuter(ExecContext &c) {
  const Tensor &a = firstOperand(c), &b = c.tensor("vec2");
  if (a.rank() != 1 || b.rank() != 1)
    c.fail("outer is for vectors");
  const Operand x = operandOf(a.unsqueezed(1)), y = operandOf(b.unsqueezed(0));
  const DType t = promoted(c, {x, y});
  finishElementwise(c, Multiply(), computeOf(t), t, {x, y});
}

void executeInner(ExecContext &c) {
  const Tensor &a = firstOperand(c), &b = c.tensor("other");
  if (a.rank() == 0 || b.rank() == 0)
    return finishElementwise(c, Multiply(), computeOf(a.dtype()), a.dtype(), {operandOf(a), operandOf(b)});
  // The last axes are summed over.
  const std::int64_t k = a.size(a.rank() - 1);
  const std::int64_t left[] = {a.numel() / std::max<std::int64_t>(k, 1), k},
                     right[] = {b.numel() / std::max<std::int64_t>(k, 1), k};
  Sizes shape(a.sizes().begin(), a.sizes().end() - 1);
  shape.insert(shape.end(), b.sizes().begin(), b.sizes().end() - 1);
  c.finish(0, reshaped(c, matmul(c, reshaped(c, a, left), reshaped(c, b, right).transposed(0, 1)), shape));
}

void executeTensordot(ExecContext &c) {
  const Tensor &a = firstOperand(c), &b = c.tensor("other");
  const Sizes dimsA = c.integers("dims_self").value_or(Sizes()), dimsB = c.integers("dims_other").value_or(Sizes());
  if (dimsA.size() != dimsB.size())
    c.fail("tensordot needs as many axes on both sides");
  const auto split = [&](const Tensor &t, const Sizes &dims, bool front) {
    std::vector<std::size_t> order, summed;
    Sizes kept;
    for (std::int64_t d : dims)
      summed.push_back(axisOf(c, d, t.rank()));
    for (std::size_t i = 0; i < t.rank(); ++i)
      if (std::ranges::find(summed, i) == summed.end()) {
        order.push_back(i);
        kept.push_back(t.size(i));
      }
    order.insert(front ? order.begin() : order.end(), summed.begin(), summed.end());
    const std::int64_t k = t.numel() / std::max<std::int64_t>(product(kept), 1);
    const Sizes shape = front ? Sizes{k, product(kept)} : Sizes{product(kept), k};
    return std::pair(reshaped(c, t.permuted(order), shape), kept);
  };
  const auto [x, keptA] = split(a, dimsA, false);
  const auto [y, keptB] = split(b, dimsB, true);
  Sizes shape = keptA;
  shape.insert(shape.end(), keptB.begin(), keptB.end());
  c.finish(0, reshaped(c, matmul(c, x, y), shape));
}

void executeKron(ExecContext &c) {
  Tensor a = firstOperand(c), b = c.tensor("other");
  while (a.rank() < b.rank())
    a = a.unsqueezed(0);
  while (b.rank() < a.rank())
    b = b.unsqueezed(0);
  Sizes shape;
  Tensor x = a, y = b;
  for (std::size_t i = 0; i < a.rank(); ++i) {
    shape.push_back(a.size(i) * b.size(i));
    x = x.unsqueezed(2 * i + 1);
    y = y.unsqueezed(2 * i);
  }
  c.finish(0, reshaped(c, mul(c, operandOf(x), operandOf(y)), shape));
}

Tensor gemmOf(const ExecContext &c) {
  Tensor a = c.in(0), b = c.in(1);
  if (a.rank() != 2 || b.rank() != 2)
    c.fail("Gemm is for matrices");
  if (c.flag("transA"))
    a = a.transposed(0, 1);
  if (c.flag("transB"))
    b = b.transposed(0, 1);
  Tensor out = matmul(c, a, b);
  const double alpha = c.real("alpha", 1.0), beta = c.real("beta", 1.0);
  if (alpha != 1)
    out = mul(c, operandOf(out), operandOf(alpha));
  if (const Tensor *bias = c.maybe(2); bias && beta != 0)
    out = add(c, operandOf(out), operandOf(beta == 1 ? *bias : mul(c, operandOf(*bias), operandOf(beta))));
  return out;
}

void executeGemm(ExecContext &c) { c.set(0, gemmOf(c)); }

namespace {

/// The zero point of an integer operand, for the axis that it belongs to.
Tensor withoutZeroPoint(const ExecContext &c, const Tensor &t, const Tensor *zero, bool rows) {
  Tensor x = cast(c, t, DType::Int64);
  if (!zero)
    return x;
  Tensor z = cast(c, *zero, DType::Int64);
  if (z.rank() == 1 && z.numel() == 1)
    z = reshaped(c, z, {});
  else if (z.rank() == 1 && rows)
    z = z.unsqueezed(1);
  return sub(c, operandOf(x), operandOf(z));
}

/// Rounds to the nearest, ties to even, and saturates.
struct Requantize : ElementFunctor<3, Floats> {
  double low = 0, high = 255;
  template <class T> CONDLINT_HD T operator()(T x, T scale, T zero) const {
    const T v = std::nearbyint(x / scale) + zero;
    return v < T(low) ? T(low) : (v > T(high) ? T(high) : v);
  }
};

} // namespace

Tensor requantized(const ExecContext &c, const Tensor &x, const Tensor &scale, const Tensor &zero) {
  Requantize f;
  const bool isSignedByte = zero.dtype() == DType::Int8;
  f.low = isSignedByte ? -128 : 0;
  f.high = isSignedByte ? 127 : 255;
  return elementwise(c, f, Compute::F64, zero.dtype(), {operandOf(x), operandOf(scale), operandOf(zero)});
}

void executeMatMulInteger(ExecContext &c) {
  const Tensor a = withoutZeroPoint(c, c.in(0), c.maybe(2), true), b = withoutZeroPoint(c, c.in(1), c.maybe(3), false);
  c.set(0, cast(c, matmul(c, a, b), DType::Int32));
}

void executeQLinearMatMul(ExecContext &c) {
  const Tensor a = withoutZeroPoint(c, c.in(0), c.maybe(2), true), b = withoutZeroPoint(c, c.in(3), c.maybe(5), false);
  const auto scaleOf = [&](std::size_t i, bool rows) {
    Tensor s = cast(c, c.in(i), DType::Float64);
    if (s.rank() == 1 && s.numel() == 1)
      s = reshaped(c, s, {});
    return rows && s.rank() == 1 ? s.unsqueezed(1) : s;
  };
  const Tensor whole = cast(c, matmul(c, a, b), DType::Float64);
  const Tensor scaled =
      mul(c, operandOf(mul(c, operandOf(whole), operandOf(scaleOf(1, true)))), operandOf(scaleOf(4, false)));
  Tensor zero = c.in(7);
  if (zero.rank() == 1 && zero.numel() == 1)
    zero = reshaped(c, zero, {});
  c.set(0, requantized(c, scaled, scaleOf(6, false), zero));
}

} // namespace condlint
