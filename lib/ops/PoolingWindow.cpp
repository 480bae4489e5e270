//===- PoolingWindow.cpp - Windows of pooling -----------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Pooling.h"
#include "Shape.h"
#include <algorithm>
#include <string>

namespace condlint {

namespace {

/// How often a window moves in the room that is left beside it.
Dim stepsIn(DimTable &dims, Dim room, Dim stride, bool ceil) {
  return ceil ? dims.ceilDiv(room, stride) : dims.isConstant(stride, 1) ? room : dims.floorDiv(room, stride);
}

/// The same for ONNX's pools, which divide towards zero: a window that does not fit by less than its stride is counted
/// once, and one that does not by less than two of them not at all. \p size, which is part of the room, is 1 at least.
Dim truncatedStepsIn(DimTable &dims, Dim size, Dim room, Dim stride) {
  const auto beside = dims.asConstant(dims.sub(room, size)), step = dims.asConstant(stride);
  const std::int64_t least = std::max<std::int64_t>(dims.boundsOf(size).min, 1);
  if (step == 1 || dims.boundsOf(room).min >= 0 || (beside && *beside >= -least))
    return stepsIn(dims, room, stride, false);
  const Dim zero = dims.constant(0), forward = dims.floorDiv(larger(dims, room, zero), stride);
  if (beside && step && *beside > -least - *step)
    return forward;
  return dims.sub(forward, dims.floorDiv(larger(dims, dims.negate(room), zero), stride));
}

} // namespace

Dim windowCount(InferContext &c, Dim size, const Window &w, bool ceil) {
  DimTable &dims = c.dims();
  const Dim one = dims.constant(1);
  if (const auto stride = dims.asConstant(w.stride); stride && *stride <= 0) {
    c.reject(std::string(c.opName()) + ": a stride is " + std::to_string(*stride));
    return {};
  }
  // size + padding - (dilation * (kernel - 1) + 1)
  const Dim reach = dims.add(dims.mul(w.dilation, dims.sub(w.kernel, one)), one);
  const Dim room = dims.sub(dims.add(size, dims.add(w.padBegin, w.padEnd)), reach);
  if (!room.known() || !w.stride.known())
    return {};
  const bool isOnnxPool = c.isOnnx() && c.opName().ends_with("Pool");
  if (isOnnxPool)
    c.require(dims.sub(size, one));
  const Dim steps =
      isOnnxPool && !ceil ? truncatedStepsIn(dims, size, room, w.stride) : stepsIn(dims, room, w.stride, ceil);
  const Dim all = dims.add(steps, one);
  if (!ceil) {
    // How far the window of a pool of ONNX reaches beyond a size that is a symbol is not known.
    const bool mayBeNone = isOnnxPool && (!dims.asConstant(room) || dims.boundsOf(all).max >= 0);
    if (dims.boundsOf(room).max < 0 && !mayBeNone) {
      c.reject(std::string(c.opName()) + ": a window of " + dims.str(reach) + " does not fit into " + dims.str(size),
               std::nullopt, FaultKind::Window);
      return {};
    }
    c.require(isOnnxPool ? all : room);
    return all;
  }
  const Dim inside = dims.add(dims.floorDiv(dims.sub(dims.add(size, w.padBegin), one), w.stride), one);
  const Dim count = smaller(dims, all, inside);
  if (c.isTorch() && count.known() && dims.boundsOf(count).max < 1) {
    c.reject(std::string(c.opName()) + ": a window of " + dims.str(reach) + " does not fit into " + dims.str(size),
             std::nullopt, FaultKind::Window);
    return {};
  }
  c.require(isOnnxPool ? count : dims.sub(count, one));
  return count;
}

Dim unwindowedSize(DimTable &dims, Dim count, const Window &w, Dim outputPadding) {
  const Dim one = dims.constant(1);
  const Dim span = dims.mul(dims.sub(count, one), w.stride);
  const Dim reach = dims.add(dims.mul(w.dilation, dims.sub(w.kernel, one)), one);
  return dims.add(dims.sub(dims.add(span, reach), dims.add(w.padBegin, w.padEnd)), outputPadding);
}

std::optional<std::vector<std::int64_t>> expectInts(InferContext &c, std::string_view name, std::size_t count,
                                                    std::int64_t least) {
  const auto given = c.intsAttr(name);
  if (!given || (given->empty() && count == 0))
    return std::nullopt;
  if (given->size() != count) {
    c.reject(std::string(c.opName()) + ": '" + std::string(name) + "' has " + std::to_string(given->size()) +
             " entries, expected " + std::to_string(count));
    return std::nullopt;
  }
  if (const std::int64_t smallest = *std::min_element(given->begin(), given->end()); smallest < least) {
    c.reject(std::string(c.opName()) + ": '" + std::string(name) + "' holds " + std::to_string(smallest) +
             ", but must be at least " + std::to_string(least));
    return std::nullopt;
  }
  return given;
}

std::optional<OnnxWindows> onnxWindows(InferContext &c, std::size_t rank, const std::vector<Dim> &kernel) {
  // Each attribute's default is the least that it may be.
  const auto list = [&](std::string_view name, std::size_t count, std::int64_t least) -> std::vector<Dim> {
    if (!c.hasAttribute(name))
      return std::vector<Dim>(count, c.constant(least));
    if (const auto given = expectInts(c, name, count, least)) {
      std::vector<Dim> out;
      for (std::int64_t v : *given)
        out.push_back(c.constant(v));
      return out;
    }
    return std::vector<Dim>(count);
  };
  OnnxWindows out;
  if (kernel.size() != rank)
    return std::nullopt;
  const auto strides = list("strides", rank, 1), dilations = list("dilations", rank, 1);
  const std::string_view automatic = c.stringAttr("auto_pad", "NOTSET");
  auto pads = list("pads", 2 * rank, 0);
  if (automatic == "VALID")
    pads.assign(2 * rank, c.constant(0));
  out.same = automatic == "SAME_UPPER" || automatic == "SAME_LOWER";
  for (std::size_t i = 0; i < rank; ++i)
    out.windows.push_back({kernel[i], strides[i], dilations[i], pads[i], pads[rank + i]});
  return out;
}

std::vector<Dim> onnxWindowCounts(InferContext &c, const std::vector<Dim> &sizes, const OnnxWindows &w, bool ceil) {
  std::vector<Dim> out;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    out.push_back(w.same ? c.dims().ceilDiv(sizes[i], w.windows[i].stride)
                         : windowCount(c, sizes[i], w.windows[i], ceil));
  return out;
}

} // namespace condlint
