//===- Creation.cpp - Tensors that are made, executed ---------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Creation.h"
#include "Checked.h"
#include "ElementKernels.h"
#include "Functors.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace condlint {

namespace {

/// The element type of a factory: `dtype`, else what the file records, else \p otherwise.
DType factoryType(const ExecContext &c, DType otherwise) {
  if (const auto given = c.dtype("dtype"))
    return *given;
  const DType recorded = c.recordedDType(0);
  // Without a dtype it is the default of the program that wrote the file.
  if (otherwise == DType::Float32 && recorded != DType::Unknown)
    return recorded;
  return otherwise;
}

Sizes sizesArgument(const ExecContext &c, std::string_view name = "size") {
  const auto sizes = c.integers(name);
  if (!sizes)
    c.fail(fmt::format("the argument '{}' is missing", name));
  return *sizes;
}

/// What a factory with a memory format makes.
Tensor inFormat(const ExecContext &c, DType t, const Sizes &sizes) {
  const std::int64_t format = c.integer("memory_format", 1);
  if ((format == 2 && sizes.size() == 4) || (format == 3 && sizes.size() == 5))
    return c.emptyStrided(t, sizes, channelsLastStrides(sizes));
  return c.empty(t, sizes);
}

/// Memory that torch leaves as it is has no value; here it is zero, so that runs are
/// the same each time.
void clear(const ExecContext &c, const Tensor &t) {
  c.device().fill(t.storage().deviceBytesToWrite(), 0, t.storage().size());
}

} // namespace

void executeFactory(ExecContext &c) {
  const Tensor t = c.empty(factoryType(c, DType::Float32), sizesArgument(c));
  if (c.opName() == "ones")
    fill(c, t, Scalar::of(std::int64_t{1}));
  else
    clear(c, t);
  c.finish(0, t);
}

void executeEmpty(ExecContext &c) {
  const Tensor t = inFormat(c, factoryType(c, DType::Float32), sizesArgument(c));
  clear(c, t);
  c.finish(0, t);
}

namespace {

/// The type of `full`: that of its value.
DType typeOfValue(const Scalar &v) {
  return v.category() == DType::Float64      ? DType::Float32
         : v.category() == DType::Complex128 ? DType::Complex64
                                             : v.category();
}

} // namespace

void executeFull(ExecContext &c) {
  const Scalar v = c.scalar("fill_value");
  c.finish(0, filled(c, factoryType(c, typeOfValue(v)), sizesArgument(c), v));
}

void executeScalarTensor(ExecContext &c) {
  const Scalar v = c.scalar("s");
  c.finish(0, filled(c, factoryType(c, DType::Float32), {}, v));
}

void executeLike(ExecContext &c) {
  const Tensor &self = c.tensor("self");
  const DType t = c.dtype("dtype").value_or(self.dtype());
  const Tensor out = c.emptyStrided(t, self.sizes(), formatStrides(c, self, c.integer("memory_format", 4)));
  const std::string_view name = c.opName();
  if (name == "full_like")
    fill(c, out, c.scalar("fill_value"));
  else if (name == "ones_like")
    fill(c, out, Scalar::of(std::int64_t{1}));
  else
    clear(c, out);
  c.finish(0, out);
}

void executeNew(ExecContext &c) {
  const DType t = c.dtype("dtype").value_or(c.tensor("self").dtype());
  const Tensor out = c.empty(t, sizesArgument(c));
  if (c.opName() == "new_full")
    fill(c, out, c.scalar("fill_value"));
  else if (c.opName() == "new_ones")
    fill(c, out, Scalar::of(std::int64_t{1}));
  else
    clear(c, out);
  c.finish(0, out);
}

void executeEmptyStrided(ExecContext &c) {
  const Tensor *self = c.maybeTensor("self");
  const DType t = self ? c.dtype("dtype").value_or(self->dtype()) : factoryType(c, DType::Float32);
  const Sizes sizes = sizesArgument(c), strides = sizesArgument(c, "stride");
  if (sizes.size() != strides.size())
    c.fail(fmt::format("{} strides are given for {} sizes", strides.size(), sizes.size()));
  const Tensor out = c.emptyStrided(t, sizes, strides);
  clear(c, out);
  c.finish(0, out);
}

void executeEmptyPermuted(ExecContext &c) {
  const Sizes sizes = sizesArgument(c), physical = sizesArgument(c, "physical_layout");
  std::vector<std::size_t> order = axesOf(c, physical, sizes.size());
  if (physical.size() != sizes.size())
    c.fail("the layout is no order of the axes");
  order.clear();
  for (auto axis = physical.rbegin(); axis != physical.rend(); ++axis)
    order.push_back(axisOf(c, *axis, sizes.size()));
  const Tensor out = c.emptyStrided(factoryType(c, DType::Float32), sizes, denseStrides(sizes, order));
  clear(c, out);
  c.finish(0, out);
}

void executeArange(ExecContext &c) {
  const Scalar start = c.maybeScalar("start").value_or(Scalar::of(std::int64_t{0})), end = c.scalar("end");
  const Scalar step = c.maybeScalar("step").value_or(Scalar::of(std::int64_t{1}));
  const bool whole = start.isWhole() && end.isWhole() && step.isWhole();
  const DType t = c.dtype("dtype").value_or(whole ? DType::Int64 : factoryType(c, DType::Float32));
  if (!step.isTrue())
    c.fail("the step is 0");
  const double exact = (end.toDouble() - start.toDouble()) / step.toDouble();
  std::int64_t distance = 0;
  const double count = whole && !__builtin_sub_overflow(end.whole, start.whole, &distance)
                           ? std::ceil(static_cast<double>(distance) / static_cast<double>(step.whole))
                           : std::ceil(exact);
  if (!(count >= 0) || count > 1e15)
    c.fail("the bounds are inconsistent with the sign of the step");
  const std::int64_t shape[] = {static_cast<std::int64_t>(count)};
  if (whole) {
    const Tensor out = c.empty(DType::Int64, shape);
    auto *o = out.deviceOut<std::int64_t>();
    const std::int64_t from = start.whole, by = step.whole;
    forEach(c.device(), shape[0], [=] CONDLINT_HD(std::int64_t i) { o[i] = wrapAdd(from, wrapMul(i, by)); });
    return c.finish(0, cast(c, out, t));
  }
  const Tensor out = c.empty(DType::Float64, shape);
  auto *o = out.deviceOut<double>();
  const double from = start.toDouble(), by = step.toDouble();
  forEach(c.device(), shape[0], [=] CONDLINT_HD(std::int64_t i) { o[i] = from + static_cast<double>(i) * by; });
  c.finish(0, cast(c, out, t));
}

void executeLinspace(ExecContext &c) {
  const Scalar start = c.scalar("start"), end = c.scalar("end");
  const std::int64_t steps = c.integer("steps", 100);
  if (steps < 0)
    c.fail("the number of steps is negative");
  const bool logarithmic = c.opName() == "logspace";
  const double base = logarithmic ? c.real("base", 10.0) : 0;
  const std::int64_t shape[] = {steps};
  const Tensor out = c.empty(DType::Float64, shape);
  auto *o = out.deviceOut<double>();
  const double from = start.toDouble(), to = end.toDouble(),
               step = steps > 1 ? (to - from) / static_cast<double>(steps - 1) : 0;
  forEach(c.device(), steps, [=] CONDLINT_HD(std::int64_t i) {
    // From both ends, so that the last is exact.
    const double v = i < steps / 2 || steps == 1 ? from + step * static_cast<double>(i)
                                                 : to - step * static_cast<double>(steps - 1 - i);
    o[i] = logarithmic ? std::pow(base, v) : v;
  });
  c.finish(0, cast(c, out, factoryType(c, DType::Float32)));
}

void executeEye(ExecContext &c) {
  const std::int64_t n = c.integer("n"), columns = c.integer("m", n);
  const std::int64_t shape[] = {n, columns};
  const Tensor out = filled(c, factoryType(c, DType::Float32), shape, Scalar::of(std::int64_t{0}));
  const std::int64_t diagonal[] = {std::min(n, columns)}, step[] = {plus(c, columns, 1)};
  fill(c, out.with(diagonal, step, 0), Scalar::of(std::int64_t{1}));
  c.finish(0, out);
}

void executeTriangleIndices(ExecContext &c) {
  const std::int64_t rows = c.integer("row"), columns = c.integer("col"), offset = c.integer("offset", 0);
  const bool lower = c.opName() == "tril_indices";
  if (rows < 0 || columns < 0)
    c.fail("a matrix has no negative number of rows or columns");
  requireRoom(c, times(c, rows, columns));
  moderate(c, offset, "a diagonal");
  std::vector<std::int64_t> r, k;
  // Without columns the rows may be any number.
  for (std::int64_t i = 0; columns != 0 && i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j)
      if (lower ? j - i <= offset : j - i >= offset) {
        r.push_back(i);
        k.push_back(j);
      }
  const std::int64_t shape[] = {2, static_cast<std::int64_t>(r.size())};
  const Tensor out = c.empty(DType::Int64, shape);
  std::ranges::copy(r, out.out<std::int64_t>());
  std::ranges::copy(k, out.out<std::int64_t>() + r.size());
  c.finish(0, cast(c, out, c.dtype("dtype").value_or(DType::Int64)));
}

namespace {

/// cos(2 pi i / n) terms with the given weights.
Tensor cosineWindow(const ExecContext &c, std::int64_t length, double period, std::initializer_list<double> weights) {
  const std::int64_t shape[] = {length};
  const Tensor out = c.empty(DType::Float64, shape);
  for (std::int64_t i = 0; i < length; ++i) {
    double v = 0, k = 0;
    for (double w : weights)
      v += w * std::cos(k++ * 6.283185307179586 * static_cast<double>(i) / period);
    out.out<double>()[i] = v;
  }
  return out;
}

} // namespace

void executeWindow(ExecContext &c) {
  const std::int64_t length = c.integer("window_length");
  const bool periodic = c.flag("periodic", true);
  const std::string_view name = c.opName();
  const DType t = factoryType(c, DType::Float32);
  const std::int64_t one[] = {length};
  if (length < 0)
    c.fail("the length of a window is negative");
  if (length <= 1)
    return c.finish(0, filled(c, t, one, Scalar::of(1.0)));
  const double period = static_cast<double>(periodic ? length : length - 1);
  if (name == "hann_window")
    return c.finish(0, cast(c, cosineWindow(c, length, period, {0.5, -0.5}), t));
  if (name == "hamming_window") {
    const double alpha = c.real("alpha", 0.54), beta = c.real("beta", 0.46);
    return c.finish(0, cast(c, cosineWindow(c, length, period, {alpha, -beta}), t));
  }
  if (name == "blackman_window")
    return c.finish(0, cast(c, cosineWindow(c, length, period, {0.42, -0.5, 0.08}), t));
  const Tensor out = c.empty(DType::Float64, one);
  for (std::int64_t i = 0; i < length; ++i) {
    const double x = 2 * static_cast<double>(i) / period;
    out.out<double>()[i] =
        name == "bartlett_window"
            ? 1 - std::fabs(x - 1)
            : std::cyl_bessel_i(0, c.real("beta", 12.0) * std::sqrt(std::max(0.0, 1 - (x - 1) * (x - 1)))) /
                  std::cyl_bessel_i(0, c.real("beta", 12.0));
  }
  c.finish(0, cast(c, out, t));
}

// --- ONNX -----------------------------------------------------------------------

void executeConstant(ExecContext &c) {
  if (const Attribute *a = c.attribute("value"); a && a->kind == AttributeKind::Tensor)
    return c.set(0, c.constant(ConstantId(a->list.first)));
  if (const Attribute *a = c.attribute("sparse_value"); a && a->kind == AttributeKind::Tensor)
    return c.set(0, c.constant(ConstantId(a->list.first)));
  if (c.attribute("value_int"))
    return c.set(0, filled(c, DType::Int64, {}, Scalar::of(c.integer("value_int"))));
  if (c.attribute("value_float"))
    return c.set(0, filled(c, DType::Float32, {}, Scalar::of(c.real("value_float"))));
  if (const auto list = c.attribute("value_ints") ? c.integers("value_ints") : std::nullopt)
    return c.set(0, tensorOf(c, *list));
  if (const auto list = c.attribute("value_floats") ? c.reals("value_floats") : std::nullopt) {
    const std::int64_t shape[] = {static_cast<std::int64_t>(list->size())};
    const Tensor t = c.empty(DType::Float32, shape);
    for (std::size_t i = 0; i < list->size(); ++i)
      t.out<float>()[i] = static_cast<float>((*list)[i]);
    return c.set(0, t);
  }
  if (c.attribute("value_string"))
    return c.set(0, tensorOf(c, {}, {std::string(c.text("value_string"))}));
  if (c.attribute("value_strings")) {
    std::vector<std::string> list;
    for (std::string_view s : c.texts("value_strings"))
      list.emplace_back(s);
    const std::int64_t shape[] = {static_cast<std::int64_t>(list.size())};
    return c.set(0, tensorOf(c, shape, list));
  }
  c.fail("the constant has no value");
}

void executeConstantOfShape(ExecContext &c) {
  const auto shape = c.integersIn(0);
  if (!shape)
    c.fail("the shape is missing");
  const Attribute *a = c.attribute("value");
  if (!a || a->kind != AttributeKind::Tensor)
    return c.set(0, filled(c, DType::Float32, *shape, Scalar::of(0.0)));
  const Tensor value = c.constant(ConstantId(a->list.first));
  if (value.numel() != 1)
    c.fail("the value has not one element");
  const Tensor out = c.empty(value.dtype(), *shape);
  copyInto(c, out, reshaped(c, value, {}));
  c.set(0, out);
}

void executeRange(ExecContext &c) {
  const Scalar start = c.scalarIn(0), limit = c.scalarIn(1), delta = c.scalarIn(2);
  const DType t = c.in(0).dtype();
  if (!delta.isTrue())
    c.fail("the step is 0");
  const double count = std::max(std::ceil((limit.toDouble() - start.toDouble()) / delta.toDouble()), 0.0);
  if (!(count < 1e15))
    c.fail("the range is too long");
  const std::int64_t shape[] = {static_cast<std::int64_t>(count)};
  const Tensor out = c.empty(t, shape);
  char *to = out.deviceOutBytes();
  if (start.isWhole()) {
    const std::int64_t from = start.whole, by = delta.whole;
    forEach(c.device(), shape[0],
            [=] CONDLINT_HD(std::int64_t i) { storeElement<std::int64_t>(t, to, i, wrapAdd(from, wrapMul(i, by))); });
  } else {
    const double from = start.real, by = delta.real;
    forEach(c.device(), shape[0],
            [=] CONDLINT_HD(std::int64_t i) { storeElement<double>(t, to, i, from + static_cast<double>(i) * by); });
  }
  c.set(0, out);
}

void executeEyeLike(ExecContext &c) {
  const Tensor &x = c.in(0);
  if (x.rank() != 2)
    c.fail("EyeLike is for matrices");
  const std::int64_t k = moderate(c, c.integer("k", 0), "a diagonal");
  const Tensor out = filled(c, c.dtype("dtype").value_or(x.dtype()), x.sizes(), Scalar::of(std::int64_t{0}));
  for (std::int64_t i = 0; i < x.size(0); ++i)
    if (i + k >= 0 && i + k < x.size(1))
      fill(c, out.selected(0, i).selected(0, i + k), Scalar::of(std::int64_t{1}));
  c.set(0, out);
}

void executeWindowOnnx(ExecContext &c) {
  const std::int64_t length = c.scalarIn(0).toInt();
  const DType t = c.dtype("output_datatype").value_or(DType::Float32);
  if (length < 0)
    c.fail("the window's length is negative");
  const double period = static_cast<double>(c.flag("periodic", true) ? length : length - 1);
  const std::string_view name = c.opName();
  Tensor w;
  if (name == "HannWindow")
    w = cosineWindow(c, length, period, {0.5, -0.5});
  else if (name == "HammingWindow")
    w = cosineWindow(c, length, period, {25.0 / 46, -21.0 / 46});
  else
    w = cosineWindow(c, length, period, {0.42, -0.5, 0.08});
  c.set(0, cast(c, w, t));
}

} // namespace condlint
