//===- KernelNumbers.cpp - Numbers that kernels refuse --------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KernelNumbers.h"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <vector>

namespace condlint {

namespace {

/// A node and what the file says of its operands and attributes.
struct Node {
  const Model &m;
  NodeId n;
  std::string_view op;

  bool has(std::size_t i) const { return i < m.operands(n).size() && m.operands(n)[i]; }
  ValueId operand(std::size_t i) const { return has(i) ? m.operands(n)[i] : ValueId(); }
  const Type &type(std::size_t i) const { return m.type(operand(i)); }
  std::optional<std::size_t> rank(std::size_t i) const {
    return has(i) && type(i).isTensor() && type(i).hasRank ? std::optional(type(i).dims.size()) : std::nullopt;
  }
  std::optional<std::int64_t> size(std::size_t i, std::size_t axis) const { return operandSize(m, n, i, axis); }
  /// The integers of operand \p i, which no caller replaces.
  std::optional<std::vector<std::int64_t>> integers(std::size_t i) const {
    const ValueId v = operand(i);
    if (!v || !m[v].content || m[v].origin == ValueOrigin::Parameter)
      return std::nullopt;
    std::vector<std::int64_t> numbers;
    for (const Dim d : m.content(m[v].content)) {
      const auto number = d.known() ? m.dims.asConstant(d) : std::nullopt;
      if (!number)
        return std::nullopt;
      numbers.push_back(*number);
    }
    return numbers;
  }
  std::optional<std::int64_t> integer(std::size_t i) const {
    const auto list = integers(i);
    return list && list->size() == 1 ? std::optional(list->front()) : std::nullopt;
  }
  /// The same of float32.
  std::vector<double> reals(std::size_t i) const {
    std::vector<double> numbers;
    const Constant *c = constant(operand(i));
    if (!c || c->sparse || m.types[c->type].element != DType::Float32)
      return numbers;
    for (std::size_t at = 0; at + sizeof(float) <= c->bytes.size(); at += sizeof(float)) {
      float number = 0;
      std::memcpy(&number, c->bytes.data() + at, sizeof number);
      numbers.push_back(static_cast<double>(number));
    }
    return numbers;
  }
  std::optional<double> real(std::size_t i) const {
    const auto list = reals(i);
    return list.size() == 1 ? std::optional(list.front()) : std::nullopt;
  }
  const Constant *constant(ValueId v) const {
    if (!v)
      return nullptr;
    if (m[v].origin == ValueOrigin::Constant && m[v].constant)
      return &m[m[v].constant];
    const NodeId maker = m[v].def;
    const Attribute *a = maker && m.operatorName(m[maker].op) == "Constant" ? m.attribute(maker, "value") : nullptr;
    return a && a->kind == AttributeKind::Tensor ? &m[ConstantId(a->list.first)] : nullptr;
  }
  std::optional<std::int64_t> number(std::string_view name) const {
    const Attribute *a = m.attribute(n, name);
    return a && a->kind == AttributeKind::Int ? std::optional(a->number) : std::nullopt;
  }
  std::string_view word(std::string_view name, std::string_view otherwise) const {
    const Attribute *a = m.attribute(n, name);
    return a && a->kind == AttributeKind::String ? m.text(a->text) : otherwise;
  }
  std::vector<std::int64_t> numbers(std::string_view name) const {
    const Attribute *a = m.attribute(n, name);
    if (!a || a->kind != AttributeKind::Ints)
      return {};
    const auto list = m.ints(a->list);
    return {list.begin(), list.end()};
  }
  std::optional<TargetLimit> limit(const std::string &what, std::optional<std::uint32_t> operand = std::nullopt) const {
    return TargetLimit{fmt::format("{}: {}", op, what), operand, false, false};
  }
  std::optional<TargetLimit> beyond(std::int64_t index, std::int64_t size) const {
    return limit(fmt::format("the index {} is beyond an axis of size {}", index, size), 1);
  }
};

std::optional<std::size_t> axisOf(std::int64_t axis, std::size_t rank) {
  const auto count = static_cast<std::int64_t>(rank);
  return axis < -count || axis >= count ? std::nullopt
                                        : std::optional(static_cast<std::size_t>(axis < 0 ? axis + count : axis));
}

bool isBeyond(std::int64_t index, std::int64_t size) { return index < -size || index >= size; }

/// How many elements the first \p axes axes of operand \p i have.
std::optional<std::int64_t> elements(const Node &x, std::size_t i, std::size_t axes) {
  std::int64_t count = 1;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const auto size = x.size(i, axis);
    if (!size || __builtin_mul_overflow(count, *size, &count))
      return std::nullopt;
  }
  return count;
}

/// Positions in one axis (gather.cc, scatter.cc).
std::optional<TargetLimit> indexOfAxis(const Node &x) {
  const auto rank = x.rank(0);
  const auto axis = rank ? axisOf(x.number("axis").value_or(0), *rank) : std::nullopt;
  const auto size = axis ? x.size(0, *axis) : std::nullopt;
  if (size == 0 && x.rank(1) && elements(x, 1, *x.rank(1)).value_or(0) > 0)
    return x.limit("no index is in an axis of size 0", 1);
  const auto indices = size ? x.integers(1) : std::nullopt;
  if (!indices)
    return std::nullopt;
  const auto bad = std::ranges::find_if(*indices, [&](std::int64_t i) { return isBeyond(i, *size); });
  return bad == indices->end() ? std::nullopt : x.beyond(*bad, *size);
}

/// Positions in several axes at once, behind those of a batch (gather_nd.cc, scatter_nd.cc).
std::optional<TargetLimit> indexOfAxes(const Node &x) {
  const auto data = x.rank(0), rank = x.rank(1);
  const std::int64_t given = x.number("batch_dims").value_or(0);
  if (!data || !rank || *rank == 0 || given < 0 || static_cast<std::uint64_t>(given) >= *data)
    return std::nullopt;
  const auto batch = static_cast<std::size_t>(given);
  const auto slices = elements(x, 1, *rank - 1), batches = elements(x, 0, batch);
  if (batches == 0 && slices)
    return x.limit("the kernel of ONNX Runtime takes no batch of size 0", 0);
  if (slices && batches && *slices % *batches != 0)
    return x.limit(fmt::format("{} indices for {} batches", *slices, *batches), 1);
  const auto width = x.size(1, *rank - 1);
  for (std::size_t axis = batch; slices.value_or(0) > 0 && axis < batch + static_cast<std::size_t>(width.value_or(0));
       ++axis)
    if (x.size(0, axis) == 0)
      return x.limit("no index is in an axis of size 0", 1);
  const auto indices = width && *width > 0 ? x.integers(1) : std::nullopt;
  if (!indices)
    return std::nullopt;
  for (std::size_t i = 0; i < indices->size(); ++i) {
    const std::size_t axis = batch + i % static_cast<std::size_t>(*width);
    if (const auto size = x.size(0, axis); size && isBeyond((*indices)[i], *size))
      return x.beyond((*indices)[i], *size);
  }
  return std::nullopt;
}

/// dft.cc.
std::optional<TargetLimit> shortTime(const Node &x) {
  if (const auto step = x.integer(1); step && *step <= 0)
    return x.limit(fmt::format("frame_step must be above 0, but is {}", *step), 1);
  if (!x.has(2) && !x.has(3))
    return x.limit("ONNX Runtime needs a window or the length of a frame");
  const auto length = x.has(2) ? x.size(2, 0) : x.integer(3), signal = x.size(0, 1);
  if (length && signal && *length > *signal)
    return x.limit(fmt::format("a frame of {} does not fit in a signal of {}", *length, *signal), 0);
  if (x.size(0, 2) == 0)
    return x.limit("the last axis of the signal must be of size 1 or 2, but is of size 0", 0);
  return std::nullopt;
}

/// A part of equal size for each output but the last, which gets what is left (split.cc).
std::optional<TargetLimit> parts(const Node &x) {
  const auto count = x.has(1) ? std::nullopt : x.number("num_outputs");
  const auto rank = x.rank(0);
  const auto axis = rank ? axisOf(x.number("axis").value_or(0), *rank) : std::nullopt;
  const auto size = axis ? x.size(0, *axis) : std::nullopt;
  if (!count || *count < 1 || !size || (*count - 1) * ((*size + *count - 1) / *count) <= *size)
    return std::nullopt;
  return x.limit(
      fmt::format("an axis of size {} has not {} parts: there is less than nothing left for the last", *size, *count),
      0);
}

std::optional<TargetLimit> depth(const Node &x) {
  const auto whole = x.integer(1);
  const auto real = whole ? std::nullopt : x.real(1);
  const double depth = whole ? static_cast<double>(*whole) : real.value_or(1);
  return depth > 0 ? std::nullopt : x.limit(fmt::format("the depth must be above 0, but is {}", depth), 1);
}

/// window_functions.cc: both edges, as bins of the spectrogram.
std::optional<TargetLimit> melEdges(const Node &x) {
  const auto length = x.integer(1), rate = x.integer(2);
  if (!length || !rate)
    return std::nullopt;
  const std::int64_t last = *length / 2;
  const auto bins = static_cast<double>(last + 1);
  for (const std::uint32_t i : {3u, 4u})
    if (const auto edge = x.real(i)) {
      const double bin = std::floor(static_cast<double>(*length + 1) * *edge / static_cast<double>(*rate));
      if (!(bin >= 0 && bin < bins))
        return x.limit(fmt::format("the edge of {} Hz is in none of the {} bins of a transform of {} at {} Hz", *edge,
                                   bins, *length, *rate),
                       i);
    }
  return std::nullopt;
}

std::optional<TargetLimit> overlap(const Node &x) {
  const auto threshold = x.real(3);
  if (!threshold || (*threshold >= 0 && *threshold <= 1))
    return std::nullopt;
  return x.limit(fmt::format("iou_threshold must be from 0 to 1, but is {}", *threshold), 3);
}

std::optional<TargetLimit> modulus(const Node &x) {
  const auto divisors = x.integers(1);
  if (!divisors || std::ranges::find(*divisors, 0) == divisors->end())
    return std::nullopt;
  return x.limit("the remainder of a division of integers by 0", 1);
}

std::optional<TargetLimit> expandedSize(const Node &x) {
  const auto sizes = x.integers(1);
  const auto bad =
      sizes ? std::ranges::find_if(*sizes, [](std::int64_t s) { return s < 0; }) : decltype(sizes->end())();
  return !sizes || bad == sizes->end() ? std::nullopt : x.limit(fmt::format("the size {} is below 0", *bad), 1);
}

/// upsamplebase.h.
std::optional<TargetLimit> scales(const Node &x) {
  const std::string_view mode = x.word("mode", "nearest");
  const bool isLinear = mode == "linear", isCubic = mode == "cubic";
  if (x.number("exclude_outside").value_or(0) != 0 && !isCubic && !(isLinear && x.number("antialias").value_or(0) != 0))
    return x.limit(
        fmt::format("ONNX Runtime takes exclude_outside of cubic, and of linear with antialias, not of {}", mode));
  const std::string_view policy = x.word("keep_aspect_ratio_policy", "stretch");
  if (policy != "stretch" && policy != "not_larger" && policy != "not_smaller")
    return x.limit(fmt::format("there is no keep_aspect_ratio_policy '{}'", policy));
  const auto given = x.reals(x.m.operands(x.n).size() > 2 ? 2 : 1);
  const auto axes = x.numbers("axes");
  const auto rank = x.rank(0);
  if (const auto bad = std::ranges::find_if(given, [](double scale) { return !(scale > 0); }); bad != given.end())
    return x.limit(fmt::format("scales must be above 0, but one is {}", *bad), 2);
  if (given.empty() || !rank || (axes.empty() ? given.size() != *rank : given.size() != axes.size()))
    return std::nullopt;
  std::vector<double> all(*rank, 1);
  for (std::size_t i = 0; i < given.size(); ++i)
    if (const auto axis = axes.empty() ? std::optional(i) : axisOf(axes[i], *rank))
      all[*axis] = given[i];
  const auto stays = [&](std::size_t axis) { return all[axis] == 1; };
  const bool outer = *rank >= 2 && stays(0) && stays(1);
  const bool taken =
      isLinear  ? *rank == 2 || *rank == 3 || (*rank == 4 && (outer || (stays(0) && stays(3)))) || (*rank == 5 && outer)
      : isCubic ? *rank == 2 || (*rank == 4 && (outer || (stays(0) && stays(3))))
                : true;
  if (taken)
    return std::nullopt;
  return x.limit(
      fmt::format("ONNX Runtime resizes no {} axes in the mode {} with the scales {}: the first two must stay", *rank,
                  mode, fmt::join(all, ", ")));
}

/// Unpool.cc.
std::optional<TargetLimit> unpooled(const Node &x) {
  const auto wanted = x.integers(2);
  const auto kernel = x.numbers("kernel_shape"), pads = x.numbers("pads"), strides = x.numbers("strides");
  const std::size_t spatial = kernel.size();
  if (!wanted || wanted->size() != spatial + 2 || (!pads.empty() && pads.size() != 2 * spatial))
    return std::nullopt;
  for (std::size_t i = 0; i < spatial; ++i) {
    const auto size = x.size(0, i + 2);
    if (!size || (!strides.empty() && strides.size() != spatial))
      continue;
    const std::int64_t least =
        (*size - 1) * (strides.empty() ? 1 : strides[i]) + kernel[i] - (pads.empty() ? 0 : pads[i] + pads[i + spatial]);
    if ((*wanted)[i + 2] < least)
      return x.limit(fmt::format("output_shape asks for the size {} in axis {}, but what was pooled takes {}",
                                 (*wanted)[i + 2], i + 2, least),
                     2);
  }
  return std::nullopt;
}

/// conv_transpose_attributes.h: what is asked for is no larger than what the strides and the kernel come to, and what
/// is added at the end of an axis is less than a step.
std::optional<TargetLimit> unrolled(const Node &x) {
  const auto wanted = x.numbers("output_shape"), added = x.numbers("output_padding"), strides = x.numbers("strides"),
             dilations = x.numbers("dilations");
  const auto at = [](const std::vector<std::int64_t> &list, std::size_t i, std::int64_t otherwise) {
    return i < list.size() ? list[i] : otherwise;
  };
  for (std::size_t i = 0; i + 2 < x.rank(1).value_or(0); ++i) {
    const std::int64_t step = at(strides, i, 1), spread = at(dilations, i, 1), more = at(added, i, 0);
    if (more >= std::max(step, spread) && more > 0)
      return x.limit(
          fmt::format("output_padding must be below the stride or the dilation of axis {}, but is {}", i + 2, more));
    const auto image = x.size(0, i + 2), kernel = x.size(1, i + 2);
    if (wanted.empty())
      continue;
    const std::int64_t size = wanted.size() == x.rank(1) ? wanted[i + 2] : at(wanted, i, 1);
    if (size <= 0)
      return x.limit(fmt::format("output_shape must be above 0, but is {}", size));
    if (!image || !kernel || step < 1 || *kernel < 1)
      continue;
    const std::int64_t window = spread * (*kernel - 1) + 1 + more;
    if (size >= window && (size - window) / step + 1 > *image)
      return x.limit(fmt::format("output_shape asks for the size {} in axis {}, which takes an image of {}, not {}",
                                 size, i + 2, (size - window) / step + 1, *image));
  }
  return std::nullopt;
}

/// conv_attributes.h, conv_transpose_attributes.h.
std::optional<TargetLimit> convolved(const Node &x) {
  const bool isTransposed = x.op == "ConvTranspose";
  for (std::size_t axis = 2; axis < x.rank(0).value_or(0); ++axis)
    if (!isTransposed && x.size(0, axis) == 0)
      return x.limit(fmt::format("ONNX Runtime takes no image of size 0, as in axis {}", axis), 0);
  for (std::size_t axis = 2; axis < x.rank(1).value_or(0); ++axis)
    if (isTransposed && x.size(1, axis) == 0)
      return x.limit(fmt::format("a kernel has elements, but axis {} is of size 0", axis), 1);
  return isTransposed ? unrolled(x) : std::nullopt;
}

/// pool_attributes.h: a window that does not fit in what it looks at.
std::optional<TargetLimit> pooled(const Node &x) {
  if (x.m.resultCount(x.n) == 0)
    return std::nullopt;
  const Type &t = x.m.type(x.m.result(x.n, 0));
  for (std::size_t axis = 0; t.isTensor() && t.hasRank && axis < t.dims.size(); ++axis)
    if (const auto size = t.dims[axis].known() ? x.m.dims.asConstant(t.dims[axis]) : std::nullopt; size && *size < 0)
      return x.limit(fmt::format("the window does not fit in axis {}: the result had the size {}", axis, *size), 0);
  return std::nullopt;
}

/// attention.cc; a mask is not spread along the two axes of what attends to what (attention_helper.h).
std::optional<TargetLimit> attended(const Node &x) {
  if (const Attribute *scale = x.m.attribute(x.n, "scale");
      scale && scale->kind == AttributeKind::Float && scale->real <= 0)
    return x.limit(fmt::format("the kernel of ONNX Runtime takes scale above 0, but it is {}", scale->real));
  const auto axes = x.rank(3), rank = x.rank(0);
  constexpr std::size_t apart = 4; // a batch, heads, positions and their features
  if (rank == apart && x.size(0, 1) == 0)
    return x.limit("the kernel of ONNX Runtime takes no queries without heads", 0);
  if (x.rank(2) == apart && x.size(2, 3) == 0)
    return x.limit("the kernel of ONNX Runtime takes no values without features", 2);
  if (!axes || !rank || *rank < 3)
    return std::nullopt;
  if (*axes < 2)
    return x.limit(fmt::format("the kernel of ONNX Runtime takes a mask of at least 2 axes, but it has {}", *axes), 3);
  const auto queries = x.size(0, *rank - 2), keys = x.size(1, *rank - 2);
  const auto past = x.has(4) ? x.size(4, 2) : std::optional<std::int64_t>(0);
  const bool isRow = x.size(3, *axes - 2) == 1 && queries.value_or(1) > 1;
  const bool isColumn = x.size(3, *axes - 1) == 1 && past && keys && *keys + *past > 1;
  // Up to version 23 the schema says how long a mask is.
  if (const auto length = x.size(3, *axes - 1);
      !isColumn && x.m[x.m[x.n].op].version > 23 && !x.has(6) && length && past && keys && *length != *keys + *past)
    return x.limit(
        fmt::format("the kernel of ONNX Runtime takes a mask for {} keys, but it is for {}", *keys + *past, *length),
        3);
  if (!isRow && !isColumn)
    return std::nullopt;
  return x.limit(fmt::format("the kernel of ONNX Runtime does not spread axis {} of the mask, which is of size 1",
                             isRow ? *axes - 2 : *axes - 1),
                 3);
}

/// To inference no axis is squeezed where none is named, and to the kernel each of size 1 (squeeze.h).
std::optional<TargetLimit> squeezed(const Node &x) {
  if (x.size(1, 0) != 0)
    return std::nullopt;
  for (std::size_t axis = 0; axis < x.rank(0).value_or(0); ++axis)
    if (x.size(0, axis) == 1)
      return x.limit(fmt::format("no axes are named, and ONNX Runtime squeezes axis {} against what it inferred", axis),
                     1);
  return std::nullopt;
}

std::optional<TargetLimit> pattern(const Node &x) {
  return x.m.attribute(x.n, "pattern") ? std::nullopt : x.limit("the kernel of ONNX Runtime needs 'pattern'");
}

/// quantize_linear.cc: it computes in float32 or float16.
std::optional<TargetLimit> precision(const Node &x) {
  const std::int64_t precision = x.number("precision").value_or(0);
  if (precision == 0 || precision == 1 || precision == 10)
    return std::nullopt;
  return x.limit(fmt::format("the kernel of ONNX Runtime takes precision 0, 1 (float32) or 10 (float16), but it is {}",
                             precision));
}

std::optional<TargetLimit> paddedAxes(const Node &x) {
  const auto axes = x.integers(3);
  const auto rank = x.rank(0);
  if (!axes || !rank)
    return std::nullopt;
  std::vector<bool> seen(*rank, false);
  for (const std::int64_t a : *axes) {
    const auto axis = axisOf(a, *rank);
    if (axis && seen[*axis])
      return x.limit(fmt::format("axis {} is padded twice", *axis), 3);
    if (axis)
      seen[*axis] = true;
  }
  return std::nullopt;
}

/// quantize_linear.cc: with a block size there is a scale for each block of an axis and each place of the others, and
/// without it one or one for each place of the axis. Zero points are as many.
std::optional<TargetLimit> blocks(const Node &x) {
  const auto rank = x.rank(0), scales = x.rank(1), zeros = x.rank(2);
  const std::int64_t block = x.number("block_size").value_or(0);
  const auto axis = rank ? axisOf(x.number("axis").value_or(1), *rank) : std::nullopt;
  if (scales && zeros) {
    for (std::size_t i = 0; i < *scales && scales == zeros; ++i)
      if (const auto one = x.size(1, i), other = x.size(2, i); one && other && *one != *other)
        return x.limit(fmt::format("axis {} of the scales is of size {}, and of the zero points {}", i, *one, *other),
                       2);
    if (scales != zeros && (*scales > 1 || *zeros > 1))
      return x.limit(fmt::format("the scales have {} axes, and the zero points {}", *scales, *zeros), 2);
  }
  if (!axis || !scales)
    return std::nullopt;
  if (block == 0)
    return *scales > 1 ? x.limit(fmt::format("scales of {} axes need a block_size", *scales), 1) : std::nullopt;
  if (block < 0)
    return std::nullopt;
  if (scales != rank)
    return x.limit(fmt::format("with a block_size the scales have {} axes as the operand, not {}", *rank, *scales), 1);
  for (std::size_t i = 0; i < *rank; ++i) {
    const auto whole = x.size(0, i), given = x.size(1, i);
    const auto wanted = whole && i == *axis ? std::optional((*whole + block - 1) / block) : whole;
    if (wanted && given && *wanted != *given)
      return x.limit(fmt::format("in axis {} there are {} scales for {} blocks", i, *given, *wanted), 1);
  }
  return std::nullopt;
}

std::optional<TargetLimit> quantized(const Node &x) {
  if (auto exceeded = x.op == "QuantizeLinear" ? precision(x) : std::nullopt)
    return exceeded;
  auto exceeded = blocks(x);
  if (exceeded)
    exceeded->isOfNumbers = true;
  return exceeded;
}

/// tree_ensemble_attribute.h: what a node leads to is one of the nodes, or of the leaves.
std::optional<TargetLimit> trees(const Node &x) {
  constexpr std::int64_t aggregations = 4, transformations = 5;
  const auto features = x.numbers("nodes_featureids");
  const auto nodes = static_cast<std::int64_t>(features.size());
  const auto leaves = static_cast<std::int64_t>(x.numbers("leaf_targetids").size());
  const auto outside = [&](std::string_view name, std::int64_t value, std::int64_t count) {
    return value >= 0 && value < count ? std::nullopt
                                       : x.limit(fmt::format("'{}' has {}, where 0 to {} are", name, value, count - 1));
  };
  for (const auto &[name, count] : {std::pair("aggregate_function", aggregations), {"post_transform", transformations}})
    if (auto bad = outside(name, x.number(name).value_or(0), count))
      return bad;
  for (const std::int64_t root : x.numbers("tree_roots"))
    if (auto bad = outside("tree_roots", root, nodes))
      return bad;
  for (const bool side : {true, false}) {
    const std::string_view name = side ? "nodes_truenodeids" : "nodes_falsenodeids";
    const auto next = x.numbers(name), isLeaf = x.numbers(side ? "nodes_trueleafs" : "nodes_falseleafs");
    for (std::size_t i = 0; i < std::min(next.size(), isLeaf.size()); ++i)
      if (auto bad = outside(name, next[i], isLeaf[i] != 0 ? leaves : nodes))
        return bad;
  }
  const auto rank = x.rank(0);
  const auto columns = rank && *rank != 0 ? x.size(0, *rank - 1) : std::nullopt;
  for (const std::int64_t feature : features) {
    if (feature < 0)
      return outside("nodes_featureids", feature, columns.value_or(1));
    if (columns && feature >= *columns) {
      auto bad = outside("nodes_featureids", feature, *columns);
      bad->isOfNumbers = true;
      return bad;
    }
  }
  return std::nullopt;
}

/// mean_variance_normalization.cc leaves out axes that there are not.
std::optional<TargetLimit> normalizedAxes(const Node &x) {
  const auto axes = x.numbers("axes");
  const auto rank = x.rank(0);
  if (axes.empty() || !rank || std::ranges::any_of(axes, [&](std::int64_t a) { return axisOf(a, *rank).has_value(); }))
    return std::nullopt;
  return x.limit(fmt::format("none of the axes {} is among {}", fmt::join(axes, ", "), *rank));
}

/// reduction_ops.cc: there is no largest bool of none.
std::optional<TargetLimit> extremeBool(const Node &x) {
  const auto rank = x.rank(0);
  if (!rank || x.type(0).element != DType::Bool || elements(x, 0, *rank) != 0)
    return std::nullopt;
  const Type &t = x.m.resultCount(x.n) != 0 ? x.m.type(x.m.result(x.n, 0)) : x.type(0);
  const auto isEmpty = [&](Dim d) { return !d.known() || x.m.dims.boundsOf(d).contains(0); };
  return std::ranges::any_of(t.dims, isEmpty)
             ? std::nullopt
             : x.limit("the kernel of ONNX Runtime takes no bools without elements", 0);
}

/// The function that ONNX Runtime computes it by casts to that type.
std::optional<TargetLimit> stashed(const Node &x) {
  const auto type = x.number("stash_type");
  const auto element = type ? dtypeOfOnnx(static_cast<std::int32_t>(*type)) : std::nullopt;
  if (!type || x.m[x.m[x.n].op].version < 21 || (element && isFloating(*element)))
    return std::nullopt;
  return x.limit(fmt::format("stash_type must be an element type of real numbers, but is {}", *type));
}

/// In the function that ONNX Runtime computes it by there is a weight for each class.
std::optional<TargetLimit> classWeights(const Node &x) {
  const auto classes = x.size(0, 1), weights = x.size(2, 0);
  if (!classes || !weights || *classes == *weights || x.m[x.m[x.n].op].version < 13)
    return std::nullopt;
  return x.limit(fmt::format("there are {} weights for {} classes", *weights, *classes), 2);
}

/// Nor are there losses without classes.
std::optional<TargetLimit> someClasses(const Node &x) {
  return x.size(0, 1) == 0 ? x.limit("there are no classes", 0) : std::nullopt;
}

/// unique.cc: what it takes apart along an axis has elements, or the process ends.
std::optional<TargetLimit> taken(const Node &x) {
  const auto rank = x.rank(0);
  const auto named = x.number("axis");
  const auto axis = rank && named ? axisOf(*named, *rank) : std::nullopt;
  if (!axis)
    return std::nullopt;
  for (std::size_t i = 0; i <= *axis; ++i)
    if (x.size(0, i).value_or(0) == 0)
      return std::nullopt;
  for (std::size_t i = *axis + 1; i < *rank; ++i)
    if (x.size(0, i) == 0)
      return x.limit(fmt::format("ONNX Runtime ends over an operand of size 0 in axis {}", i), 0);
  return std::nullopt;
}

/// deep_cpu_gru.cc: without a step or a batch the process ends.
std::optional<TargetLimit> steps(const Node &x) {
  for (const std::size_t axis : {0u, 1u})
    if (x.size(0, axis) == 0)
      return x.limit(fmt::format("ONNX Runtime ends over an operand of size 0 in axis {}", axis), 0);
  return std::nullopt;
}

/// cast_op.cc: only float8 saturates.
std::optional<TargetLimit> saturated(const Node &x) {
  const auto to = x.number("to");
  const auto element = to ? dtypeOfOnnx(static_cast<std::int32_t>(*to)) : std::nullopt;
  if (x.number("saturate").value_or(1) != 0 || !element || dtypeName(*element).starts_with("float8"))
    return std::nullopt;
  return x.limit(fmt::format("the kernel of ONNX Runtime takes saturate 0 where it casts to float8, not to {}",
                             dtypeName(*element)));
}

/// Sorted by name.
struct NumberLimit {
  std::string_view op;
  std::optional<TargetLimit> (*exceeded)(const Node &x);
  bool whenItRuns; ///< and not when the model is loaded, unless it says so itself
};
constexpr NumberLimit numberLimits[] = {{"Attention", attended, true},
                                        {"AveragePool", pooled, true},
                                        {"Cast", saturated, false},
                                        {"Conv", convolved, true},
                                        {"ConvTranspose", convolved, true},
                                        {"DequantizeLinear", quantized, false},
                                        {"Expand", expandedSize, true},
                                        {"GRU", steps, true},
                                        {"Gather", indexOfAxis, true},
                                        {"GatherElements", indexOfAxis, true},
                                        {"GatherND", indexOfAxes, true},
                                        {"GroupNormalization", stashed, false},
                                        {"LpPool", pooled, true},
                                        {"MaxPool", pooled, true},
                                        {"MaxUnpool", unpooled, true},
                                        {"MeanVarianceNormalization", normalizedAxes, true},
                                        {"MelWeightMatrix", melEdges, true},
                                        {"Mod", modulus, true},
                                        {"NegativeLogLikelihoodLoss", classWeights, false},
                                        {"NonMaxSuppression", overlap, true},
                                        {"OneHot", depth, true},
                                        {"Pad", paddedAxes, false},
                                        {"QuantizeLinear", quantized, false},
                                        {"ReduceMax", extremeBool, true},
                                        {"ReduceMin", extremeBool, true},
                                        {"RegexFullMatch", pattern, false},
                                        {"Resize", scales, false},
                                        {"STFT", shortTime, true},
                                        {"ScatterElements", indexOfAxis, true},
                                        {"ScatterND", indexOfAxes, true},
                                        {"SoftmaxCrossEntropyLoss", someClasses, false},
                                        {"Split", parts, true},
                                        {"Squeeze", squeezed, true},
                                        {"TreeEnsemble", trees, false},
                                        {"Unique", taken, true}};
static_assert(std::ranges::is_sorted(numberLimits, {}, &NumberLimit::op));

const NumberLimit *limitOf(std::string_view op) {
  const auto *at = std::ranges::lower_bound(numberLimits, op, {}, &NumberLimit::op);
  return at != std::end(numberLimits) && at->op == op ? at : nullptr;
}

} // namespace

std::optional<std::int64_t> operandSize(const Model &m, NodeId n, std::size_t i, std::size_t axis) {
  const auto operands = m.operands(n);
  if (i >= operands.size() || !operands[i])
    return std::nullopt;
  const Type &t = m.type(operands[i]);
  return t.isTensor() && t.hasRank && axis < t.dims.size() ? m.dims.asConstant(t.dims[axis]) : std::nullopt;
}

bool hasNumberLimits(std::string_view op) { return limitOf(op) != nullptr; }

std::optional<TargetLimit> exceededNumbers(const Model &m, NodeId n, std::string_view op) {
  const NumberLimit *limit = limitOf(op);
  auto exceeded = limit ? limit->exceeded({m, n, op}) : std::nullopt;
  if (exceeded)
    exceeded->isOfNumbers = exceeded->isOfNumbers || limit->whenItRuns;
  return exceeded;
}

} // namespace condlint
