//===- Shape.cpp - Shapes as values, executed -----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Shape.h"
#include "Checked.h"
#include "ElementKernels.h"
#include "Functors.h"
#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace condlint {

void executeShape(ExecContext &c) {
  const RuntimeValue &v = c.operand(0);
  const Tensor &t = v.kind == ValueKind::Optional && v.list().size() == 1 ? v.list()[0].tensor : c.in(0);
  const auto rank = static_cast<std::int64_t>(t.rank());
  const auto clamped = [&](std::int64_t i) { return std::clamp<std::int64_t>(i < 0 ? i + rank : i, 0, rank); };
  const std::int64_t begin = clamped(c.integer("start", 0)), end = std::max(begin, clamped(c.integer("end", rank)));
  c.set(0, tensorOf(c, Sizes(t.sizes().begin() + begin, t.sizes().begin() + end)));
}

void executeSize(ExecContext &c) { c.set(0, filled(c, DType::Int64, {}, Scalar::of(c.in(0).numel()))); }

namespace {

bool areChannelsLast(std::span<const Tensor> parts) { return std::ranges::all_of(parts, suggestsChannelsLast); }

Tensor laidOutChannelsLast(const ExecContext &c, const Tensor &t) {
  return laidOut(c, t, channelsLastStrides(t.sizes()));
}

} // namespace

void executeConcat(ExecContext &c) {
  std::vector<Tensor> parts;
  if (!c.isTorch()) {
    for (std::size_t i = 0; i < c.operandCount(); ++i)
      parts.push_back(c.in(i));
    if (parts.empty())
      c.fail("nothing is concatenated");
    // Up to opset 3 the axis may be left out.
    const std::int64_t along = c.version() < 4 ? c.integer("axis", 1) : c.integer("axis");
    const std::size_t axis = axisOf(c, along, parts[0].rank());
    return c.set(0, concatenated(c, parts, axis));
  }
  DType t = DType::Unknown;
  std::vector<Operand> all;
  for (const Tensor &p : c.tensors("tensors")) {
    all.push_back(operandOf(p));
    // Empty vectors are left out, as torch has always done.
    if (!(p.rank() == 1 && p.size(0) == 0))
      parts.push_back(p);
  }
  if (all.empty())
    c.fail("nothing is concatenated");
  t = promoted(c, all);
  if (parts.empty())
    parts.push_back(all[0].tensor);
  const bool channelsLast = areChannelsLast(parts);
  for (Tensor &p : parts)
    p = cast(c, p, t);
  const Tensor out = concatenated(c, parts, axisOf(c, c.integer("dim", 0), parts[0].rank()));
  c.finish(0, channelsLast ? laidOutChannelsLast(c, out) : out);
}

namespace {

Tensor stacked(const ExecContext &c, std::vector<Tensor> parts, std::int64_t dim) {
  if (parts.empty())
    c.fail("nothing is stacked");
  const std::size_t axis = axisOf(c, dim, parts[0].rank() + 1);
  std::vector<Operand> all;
  for (const Tensor &p : parts)
    all.push_back(operandOf(p));
  const DType t = promoted(c, all);
  for (Tensor &p : parts)
    p = cast(c, p, t);
  // Images in channels last are concatenated in that format, and taken apart in a view.
  if (axis < parts[0].rank() && areChannelsLast(parts)) {
    const Tensor whole = laidOutChannelsLast(c, concatenated(c, parts, axis));
    Sizes sizes = sizesOf(whole), strides(whole.strides().begin(), whole.strides().end());
    sizes[axis] /= static_cast<std::int64_t>(parts.size());
    strides.insert(strides.begin() + static_cast<std::ptrdiff_t>(axis), strides[axis] * sizes[axis]);
    sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(axis), static_cast<std::int64_t>(parts.size()));
    return whole.with(sizes, strides, 0);
  }
  for (Tensor &p : parts)
    p = p.unsqueezed(axis);
  return concatenated(c, parts, axis);
}

Tensor atLeast(const Tensor &t, std::size_t rank) {
  Tensor out = t;
  if (rank >= 1 && out.rank() == 0)
    out = out.unsqueezed(0);
  if (rank >= 2 && out.rank() == 1)
    out = out.unsqueezed(0);
  if (rank >= 3 && out.rank() == 2)
    out = out.unsqueezed(2);
  return out;
}

} // namespace

void executeStack(ExecContext &c) { c.finish(0, stacked(c, c.tensors("tensors"), c.integer("dim", 0))); }

void executeStackAlong(ExecContext &c) {
  const std::string_view name = c.opName();
  std::vector<Tensor> parts = c.tensors("tensors");
  if (parts.empty())
    c.fail("nothing is stacked");
  std::vector<Operand> all;
  for (const Tensor &p : parts)
    all.push_back(operandOf(p));
  const DType t = promoted(c, all);
  std::size_t axis = 0;
  for (Tensor &p : parts) {
    p = cast(c, p, t);
    if (name == "hstack") {
      p = atLeast(p, 1);
      axis = p.rank() == 1 ? 0 : 1;
    } else if (name == "dstack") {
      p = atLeast(p, 3);
      axis = 2;
    } else if (name == "column_stack") {
      if (p.rank() <= 1)
        p = reshaped(c, p, Sizes{p.numel(), 1});
      axis = 1;
    } else {
      p = atLeast(p, 2);
    }
  }
  c.finish(0, concatenated(c, parts, axis));
}

// --- padding --------------------------------------------------------------------

namespace {

enum class PadMode : std::uint8_t { Constant, Reflect, Edge, Wrap };

/// The place in an axis of \p size that stands for \p i outside of it; -1: none.
CONDLINT_HD inline std::int64_t padSource(std::int64_t i, std::int64_t size, PadMode mode) {
  if (i >= 0 && i < size)
    return i;
  switch (mode) {
  case PadMode::Edge:
    return i < 0 ? 0 : size - 1;
  case PadMode::Wrap: {
    const std::int64_t r = i % size;
    return r < 0 ? r + size : r;
  }
  case PadMode::Reflect: {
    if (size == 1)
      return 0;
    const std::int64_t period = 2 * (size - 1);
    std::int64_t r = i % period;
    r = r < 0 ? r + period : r;
    return r < size ? r : period - r;
  }
  default:
    return -1;
  }
}

/// Sizes of the result and of the operand, the operand's strides, and where it begins in the result.
struct Padding {
  std::int64_t size[Tensor::maxRank], own[Tensor::maxRank], stride[Tensor::maxRank], before[Tensor::maxRank];
  std::size_t rank;
};

/// \p before and \p after elements more on each axis; negative numbers crop.
Tensor padded(const ExecContext &c, const Tensor &given, const Sizes &before, const Sizes &after, PadMode mode,
              const Scalar &value, const Tensor *valueTensor = nullptr) {
  Sizes shape = sizesOf(given);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    shape[i] = plus(c, shape[i], plus(c, moderate(c, before[i], "a padding"), moderate(c, after[i], "a padding")));
    if (shape[i] < 0)
      c.fail("padding would make an axis smaller than nothing");
    if (mode != PadMode::Constant && given.size(i) == 0 && shape[i] != 0)
      c.fail("an axis without elements cannot be continued");
  }
  const Tensor out = c.empty(given.dtype(), shape);
  if (mode == PadMode::Constant) {
    if (valueTensor)
      copyInto(c, out, reshaped(c, *valueTensor, {}));
    else
      fill(c, out, value);
    // The part of the operand that is left, at its place.
    Tensor from = given, to = out;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      const std::int64_t first = std::max<std::int64_t>(-before[i], 0),
                         last = given.size(i) - std::max<std::int64_t>(-after[i], 0);
      if (last <= first)
        return out;
      from = from.sliced(i, first, last - first);
      to = to.sliced(i, std::max<std::int64_t>(before[i], 0), last - first);
    }
    copyInto(c, to, from);
    return out;
  }
  const auto width = static_cast<std::int64_t>(given.itemBytes());
  Padding l{};
  l.rank = shape.size();
  for (std::size_t i = 0; i < shape.size(); ++i) {
    l.size[i] = shape[i];
    l.own[i] = given.size(i);
    l.stride[i] = given.stride(i);
    l.before[i] = before[i];
  }
  const char *from = given.deviceBytes();
  char *to = out.deviceOutBytes();
  forEach(c.device(), out.numel(), [=] CONDLINT_HD(std::int64_t i) {
    std::int64_t rest = i, place = 0;
    for (std::size_t k = l.rank; k-- > 0; rest /= l.size[k])
      place += padSource(rest % l.size[k] - l.before[k], l.own[k], mode) * l.stride[k];
    memcpy(to + i * width, from + place * width, static_cast<std::size_t>(width));
  });
  return out;
}

PadMode padModeNamed(const ExecContext &c, std::string_view name) {
  if (name == "constant")
    return PadMode::Constant;
  if (name == "reflect")
    return PadMode::Reflect;
  if (name == "edge" || name == "replicate")
    return PadMode::Edge;
  if (name == "wrap" || name == "circular")
    return PadMode::Wrap;
  c.fail(fmt::format("condlint does not pad with '{}'", name));
}

} // namespace

void executePad(ExecContext &c) {
  if (c.isTorch()) {
    const Tensor &x = firstOperand(c);
    const std::string_view name = c.opName();
    const Sizes pad = c.integers(c.attribute("pad") ? "pad" : "padding").value_or(Sizes());
    PadMode mode = PadMode::Constant;
    if (name.starts_with("reflection"))
      mode = PadMode::Reflect;
    else if (name.starts_with("replication"))
      mode = PadMode::Edge;
    else if (name == "_pad_circular")
      mode = PadMode::Wrap;
    else if (name == "pad")
      mode = padModeNamed(c, c.text("mode", "constant"));
    else if (name == "_pad_enum")
      mode = static_cast<PadMode>(std::clamp<std::int64_t>(c.integer("mode"), 0, 3));
    if (pad.size() % 2 != 0 || pad.size() / 2 > x.rank())
      c.fail(fmt::format("the padding {} does not fit {}", shapeText(pad), shapeText(x.sizes())));
    Sizes before(x.rank()), after(x.rank());
    for (std::size_t k = 0; k < pad.size() / 2; ++k) { // from the last axis
      before[x.rank() - 1 - k] = pad[2 * k];
      after[x.rank() - 1 - k] = pad[2 * k + 1];
    }
    const Tensor out = padded(c, x, before, after, mode, c.maybeScalar("value").value_or(Scalar::of(0.0)));
    return c.finish(0, mode == PadMode::Wrap ? out : keepFormat(c, out, x));
  }
  const Tensor &x = c.in(0);
  const bool inputs = c.version() >= 11;
  const auto pads = inputs ? c.integersIn(1) : c.integers(c.version() == 1 ? "paddings" : "pads");
  auto axes = c.version() >= 18 ? c.integersIn(3) : std::nullopt;
  if (!axes) {
    axes.emplace(x.rank());
    std::iota(axes->begin(), axes->end(), 0);
  }
  if (!pads || pads->size() != 2 * axes->size())
    c.fail("the pads do not fit the axes");
  if (x.rank() == 0 && !axes->empty())
    c.fail("a tensor of rank 0 has no axis to pad");
  Sizes before(x.rank()), after(x.rank());
  for (std::size_t k = 0; k < axes->size(); ++k) {
    const std::size_t axis = axisOf(c, (*axes)[k], x.rank());
    before[axis] = (*pads)[k];
    after[axis] = (*pads)[axes->size() + k];
  }
  const Tensor *value = inputs ? c.maybe(2) : nullptr;
  if (value && value->numel() != 1)
    c.fail("the value that pads has not one element");
  c.set(0, padded(c, x, before, after, padModeNamed(c, c.text("mode", "constant")),
                  Scalar::of(inputs ? 0.0 : c.real("value", 0.0)), value));
}

// --- repeating ------------------------------------------------------------------

namespace {

Tensor tiled(const ExecContext &c, const Tensor &given, Sizes repeats) {
  Tensor t = given;
  if (std::max(t.rank(), repeats.size()) > Tensor::maxRank / 2)
    c.fail(fmt::format("condlint does not repeat a tensor along {} axes", std::max(t.rank(), repeats.size())));
  while (t.rank() < repeats.size())
    t = t.unsqueezed(0);
  while (repeats.size() < t.rank())
    repeats.insert(repeats.begin(), 1);
  Sizes wide, shape;
  Tensor view = t;
  for (std::size_t i = 0; i < t.rank(); ++i) {
    if (repeats[i] < 0)
      c.fail("a tensor is repeated a negative number of times");
    view = view.unsqueezed(2 * i);
    wide.push_back(repeats[i]);
    wide.push_back(t.size(i));
    shape.push_back(times(c, repeats[i], t.size(i)));
  }
  return contiguous(c, reshaped(c, expanded(c, view, wide), shape));
}

} // namespace

void executeRepeat(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  const Sizes repeats = c.integers(c.opName() == "tile" ? "dims" : "repeats").value_or(Sizes());
  if (c.opName() == "repeat" && repeats.size() < x.rank())
    c.fail("Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor");
  const Tensor out = tiled(c, x, repeats);
  c.finish(0, out.sharesStorage(x) ? copied(c, out) : out);
}

void executeTile(ExecContext &c) {
  if (c.version() >= 1 && c.version() < 6) { // along one axis
    const Tensor &x = c.in(0);
    if (x.rank() == 0)
      c.fail("a tensor of rank 0 has no axis to tile");
    Sizes repeats(x.rank(), 1);
    repeats[axisOf(c, c.scalarIn(2).toInt(), x.rank())] = c.scalarIn(1).toInt();
    return c.set(0, tiled(c, x, repeats));
  }
  const Sizes repeats = c.integersIn(1).value_or(Sizes());
  if (repeats.size() != c.in(0).rank())
    c.fail(fmt::format("{} numbers of repeats for {} axes", repeats.size(), c.in(0).rank()));
  c.set(0, tiled(c, c.in(0), repeats));
}

void executeRepeatInterleave(ExecContext &c) {
  std::optional<Sizes> repeats = c.integers("repeats");
  if (!repeats)
    c.fail("the repeats are missing");
  std::vector<std::int64_t> places;
  const auto collect = [&](std::int64_t size) {
    if (repeats->size() != 1 && static_cast<std::int64_t>(repeats->size()) != size)
      c.fail("there are other repeats than elements");
    std::int64_t all = 0;
    for (std::int64_t n : *repeats) {
      if (n < 0)
        c.fail("a number of repeats is negative");
      all = plus(c, all, repeats->size() == 1 ? times(c, n, size) : n);
    }
    requireRoom(c, all);
    for (std::int64_t i = 0; i < size; ++i)
      for (std::int64_t k = 0; k < (*repeats)[repeats->size() == 1 ? 0 : static_cast<std::size_t>(i)]; ++k)
        places.push_back(i);
  };
  if (!c.hasArg("self")) { // of the repeats alone: the indices
    collect(static_cast<std::int64_t>(repeats->size()));
    return c.finish(0, tensorOf(c, places));
  }
  Tensor x = firstOperand(c);
  std::size_t axis = 0;
  if (c.hasArg("dim"))
    axis = axisOf(c, c.integer("dim"), x.rank());
  else
    x = reshaped(c, x, Sizes{x.numel()});
  collect(x.rank() == 0 ? 1 : x.size(axis));
  if (x.rank() == 0) {
    if (places.size() != 1)
      c.fail("a tensor of rank 0 is repeated along an axis that it has not");
    return c.finish(0, copied(c, x));
  }
  Sizes shape = sizesOf(x);
  shape[axis] = static_cast<std::int64_t>(places.size());
  const Tensor out = c.empty(x.dtype(), shape);
  for (std::size_t i = 0; i < places.size(); ++i)
    copyInto(c, out.selected(axis, static_cast<std::int64_t>(i)), x.selected(axis, places[i]));
  c.finish(0, out);
}

// --- turning --------------------------------------------------------------------

namespace {

Tensor flipped(const ExecContext &c, const Tensor &given, std::span<const std::size_t> axes) {
  Tensor x = given;
  for (std::size_t axis : axes) {
    const Tensor out = c.empty(x.dtype(), x.sizes());
    for (std::int64_t i = 0; i < x.size(axis); ++i)
      copyInto(c, out.selected(axis, x.size(axis) - 1 - i), x.selected(axis, i));
    x = out;
  }
  return axes.empty() ? copied(c, x) : x;
}

} // namespace

void executeFlip(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  const std::string_view name = c.opName();
  if (name == "fliplr" || name == "flipud") {
    const std::size_t axis[] = {name == "fliplr" ? std::size_t{1} : std::size_t{0}};
    if (x.rank() <= axis[0])
      c.fail("the tensor has too few axes");
    return c.finish(0, laidOut(c, flipped(c, x, axis), preservedStrides(x)));
  }
  const Sizes dims = c.integers("dims").value_or(Sizes());
  const Tensor out = flipped(c, x, dims.empty() ? std::vector<std::size_t>() : axesOf(c, dims, x.rank()));
  c.finish(0, laidOut(c, out, preservedStrides(x)));
}

void executeRoll(ExecContext &c) {
  Tensor x = firstOperand(c);
  const Sizes shifts = c.integers("shifts").value_or(Sizes()), dims = c.integers("dims").value_or(Sizes());
  const Sizes shape = sizesOf(x);
  if (dims.empty())
    x = reshaped(c, x, Sizes{x.numel()});
  else if (dims.size() != shifts.size())
    c.fail("shifts and dimensions must align");
  for (std::size_t k = 0; k < shifts.size(); ++k) {
    const std::size_t axis = dims.empty() ? 0 : axisOf(c, dims[k], x.rank());
    const std::int64_t size = x.rank() == 0 ? 1 : x.size(axis);
    if (x.rank() == 0 || size == 0)
      continue;
    const std::int64_t rest = shifts[k] % size, shift = rest < 0 ? rest + size : rest;
    const Tensor parts[] = {x.sliced(axis, size - shift, shift), x.sliced(axis, 0, size - shift)};
    x = concatenated(c, parts, axis);
  }
  c.finish(0, reshaped(c, x.sharesStorage(firstOperand(c)) ? copied(c, x) : x, shape));
}

void executeRot90(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  const Sizes dims = c.integers("dims").value_or(Sizes{0, 1});
  if (dims.size() != 2 || x.rank() < 2)
    c.fail("a rotation needs two axes");
  const std::size_t a[] = {axisOf(c, dims[0], x.rank())}, b[] = {axisOf(c, dims[1], x.rank())};
  // What is reversed lies as it lay, and is turned then.
  const auto reversed = [&](const Tensor &t) { return laidOut(c, t, preservedStrides(x)); };
  switch (((c.integer("k", 1) % 4) + 4) % 4) {
  case 0:
    return c.finish(0, copied(c, x));
  case 1:
    return c.finish(0, reversed(flipped(c, x, b)).transposed(a[0], b[0]));
  case 2:
    return c.finish(0, reversed(flipped(c, flipped(c, x, a), b)));
  default:
    return c.finish(0, reversed(flipped(c, x, a)).transposed(a[0], b[0]));
  }
}

void executeTriangle(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  if (x.rank() < 2)
    c.fail("a triangle needs a matrix");
  const bool upper = c.isTorch() ? c.opName().starts_with("triu") : c.flag("upper", true);
  const std::int64_t k = c.isTorch() ? c.integer("diagonal", 0) : (c.has(1) ? c.scalarIn(1).toInt() : 0);
  const Tensor out = copied(c, x);
  const std::int64_t rows = x.size(x.rank() - 2), columns = x.size(x.rank() - 1);
  const auto width = static_cast<std::int64_t>(x.itemBytes());
  char *data = out.deviceOutBytes();
  forEach(c.device(), out.numel(), [=] CONDLINT_HD(std::int64_t i) {
    const std::int64_t column = i % columns, row = i / columns % rows;
    if (upper ? column - row < k : column - row > k)
      memset(data + i * width, 0, static_cast<std::size_t>(width));
  });
  c.finish(0, out);
}

void executeReverseSequence(ExecContext &c) {
  const Tensor &x = c.in(0);
  const Sizes lengths = integersOf(c, c.in(1));
  const std::size_t batch = axisOf(c, c.integer("batch_axis", 1), x.rank()),
                    time = axisOf(c, c.integer("time_axis", 0), x.rank());
  if (batch == time || static_cast<std::int64_t>(lengths.size()) != x.size(batch))
    c.fail("the lengths do not fit the batch");
  const Tensor out = copied(c, x);
  const std::size_t inner = time > batch ? time - 1 : time;
  for (std::int64_t b = 0; b < x.size(batch); ++b) {
    const std::int64_t n = lengths[static_cast<std::size_t>(b)];
    if (n < 0 || n > x.size(time))
      c.fail("a length is outside of the sequence");
    for (std::int64_t i = 0; i < n; ++i)
      copyInto(c, out.selected(batch, b).selected(inner, i), x.selected(batch, b).selected(inner, n - 1 - i));
  }
  c.set(0, out);
}

void executeCenterCropPad(ExecContext &c) {
  const Tensor &x = c.in(0);
  Sizes shape = c.integersIn(1).value_or(Sizes());
  Sizes axes = c.integers("axes").value_or(Sizes());
  if (axes.empty()) {
    axes.resize(x.rank());
    std::iota(axes.begin(), axes.end(), 0);
  }
  if (shape.size() == 1)
    shape.assign(axes.size(), shape[0]);
  if (axes.size() != shape.size() || axes.size() > x.rank())
    c.fail("the shape does not fit the axes");
  Sizes before(x.rank()), after(x.rank());
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const std::size_t axis = axisOf(c, axes[k], x.rank());
    const std::int64_t more = plus(c, shape[k], -x.size(axis));
    before[axis] = more >= 0 ? more / 2 : -(-more / 2);
    after[axis] = more - before[axis];
  }
  c.set(0, padded(c, x, before, after, PadMode::Constant, Scalar::of(0.0)));
}

// --- blocks of channels -----------------------------------------------------------

void executeDepthToSpace(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  const std::int64_t b = c.integer(c.isTorch() ? "upscale_factor" : "blocksize"), area = times(c, b, b);
  const std::size_t r = x.rank();
  if (r < 3 || b <= 0 || x.size(r - 3) % area != 0)
    c.fail("the channels are no whole number of blocks");
  const std::int64_t n = product(x.sizes().first(r - 3)), depth = x.size(r - 3) / area, h = x.size(r - 2),
                     w = x.size(r - 1);
  const bool columnRow = c.isTorch() || c.text("mode", "DCR") == "CRD";
  const Sizes six = columnRow ? Sizes{n, depth, b, b, h, w} : Sizes{n, b, b, depth, h, w};
  const Tensor y =
      columnRow ? permuted(reshaped(c, x, six), {0, 1, 4, 2, 5, 3}) : permuted(reshaped(c, x, six), {0, 3, 4, 1, 5, 2});
  Sizes shape(x.sizes().begin(), x.sizes().end() - 3);
  for (std::int64_t s : {depth, times(c, h, b), times(c, w, b)})
    shape.push_back(s);
  c.finish(0, keepFormat(c, contiguous(c, reshaped(c, y, shape)), x));
}

void executeSpaceToDepth(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  const std::int64_t b = c.integer(c.isTorch() ? "downscale_factor" : "blocksize");
  const std::size_t r = x.rank();
  if (r < 3 || b <= 0 || x.size(r - 2) % b != 0 || x.size(r - 1) % b != 0)
    c.fail("the image is no whole number of blocks");
  const std::int64_t n = product(x.sizes().first(r - 3)), depth = x.size(r - 3), h = x.size(r - 2) / b,
                     w = x.size(r - 1) / b;
  const Tensor six = reshaped(c, x, Sizes{n, depth, h, b, w, b});
  const Tensor y = c.isTorch() ? permuted(six, {0, 1, 3, 5, 2, 4}) : permuted(six, {0, 3, 5, 1, 2, 4});
  Sizes shape(x.sizes().begin(), x.sizes().end() - 3);
  for (std::int64_t s : {times(c, depth, times(c, b, b)), h, w})
    shape.push_back(s);
  c.finish(0, keepFormat(c, contiguous(c, reshaped(c, y, shape)), x));
}

void executeChannelShuffle(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  const std::int64_t groups = c.integer("groups");
  if (x.rank() < 3 || groups <= 0 || x.size(1) % groups != 0)
    c.fail("the channels are no whole number of groups");
  const Tensor y = reshaped(c, x, Sizes{x.size(0), groups, x.size(1) / groups, product(x.sizes().subspan(2))});
  c.finish(0, contiguous(c, reshaped(c, permuted(y, {0, 2, 1, 3}), x.sizes())));
}

// --- several results --------------------------------------------------------------

void executeMeshgrid(ExecContext &c) {
  const std::vector<Tensor> axes = c.tensors("tensors");
  const bool xy = c.text("indexing", "ij") == "xy" && axes.size() >= 2;
  Sizes shape;
  for (const Tensor &t : axes)
    shape.push_back(t.numel());
  if (xy)
    std::swap(shape[0], shape[1]);
  std::vector<Tensor> grids;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::size_t at = xy && i < 2 ? 1 - i : i;
    Sizes own(shape.size(), 1);
    own[at] = axes[i].numel();
    grids.push_back(expanded(c, reshaped(c, axes[i], own), shape));
  }
  c.setList(0, grids);
}

void executeBroadcastTensors(ExecContext &c) {
  std::vector<Tensor> list = c.tensors("tensors");
  Sizes shape;
  for (const Tensor &t : list)
    shape = broadcast(c, shape, t.sizes());
  for (Tensor &t : list)
    t = expanded(c, t, shape);
  c.setList(0, list);
}

void executeAtLeast(ExecContext &c) {
  const auto rank = static_cast<std::size_t>(c.opName()[8] - '0');
  if (const Tensor *t = c.maybeTensor("self")) {
    Tensor out = *t;
    if (rank == 3 && out.rank() == 1) // one row of an image
      out = out.unsqueezed(0).unsqueezed(2);
    else
      out = atLeast(out, rank);
    return c.set(0, out);
  }
  std::vector<Tensor> list = c.tensors("tensors");
  for (Tensor &t : list)
    t = rank == 3 && t.rank() == 1 ? t.unsqueezed(0).unsqueezed(2) : atLeast(t, rank);
  c.setList(0, list);
}

namespace {

Tensor diagonalMatrix(const ExecContext &c, const Tensor &x, std::int64_t offset) {
  const std::int64_t n = x.size(x.rank() - 1) + std::abs(moderate(c, offset, "a diagonal"));
  Sizes shape(x.sizes().begin(), x.sizes().end() - 1);
  shape.insert(shape.end(), 2, n);
  const Tensor out = filled(c, x.dtype(), shape, Scalar::of(std::int64_t{0}));
  Sizes sizes(shape.begin(), shape.end() - 2), strides(out.strides().begin(), out.strides().end() - 2);
  sizes.push_back(x.size(x.rank() - 1));
  strides.push_back(n + 1);
  copyInto(c, out.with(sizes, strides, offset >= 0 ? offset : -offset * n), x);
  return out;
}

} // namespace

void executeDiagEmbed(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  if (x.rank() == 0)
    c.fail("a diagonal is made of a vector");
  const Tensor m = diagonalMatrix(c, x, c.integer("offset", 0));
  const std::size_t rank = m.rank(), a = axisOf(c, c.integer("dim1", -2), rank),
                    b = axisOf(c, c.integer("dim2", -1), rank);
  if (a == b)
    c.fail("a diagonal needs two axes");
  std::vector<std::size_t> order(rank);
  std::size_t next = 0;
  for (std::size_t i = 0; i < rank; ++i)
    order[i] = i == a ? rank - 2 : i == b ? rank - 1 : next++;
  c.finish(0, contiguous(c, m.permuted(order)));
}

void executeDiag(ExecContext &c) {
  const Tensor &x = firstOperand(c);
  const std::int64_t k = c.integer("diagonal", 0);
  if (x.rank() == 1)
    return c.finish(0, diagonalMatrix(c, x, k));
  if (x.rank() != 2)
    c.fail("diag is for vectors and matrices");
  const std::int64_t n =
      std::max<std::int64_t>(k >= 0 ? std::min(x.size(0), x.size(1) - k) : std::min(x.size(0) + k, x.size(1)), 0);
  const std::int64_t size[] = {n}, stride[] = {x.stride(0) + x.stride(1)};
  c.finish(0, copied(c, x.with(size, stride, x.offset() + (n == 0 ? 0 : k >= 0 ? k * x.stride(1) : -k * x.stride(0)))));
}

} // namespace condlint
