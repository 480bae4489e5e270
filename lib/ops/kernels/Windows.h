//===- Windows.h - Convolutions and pools -----------------------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_WINDOWS_H
#define CONDLINT_LIB_OPS_KERNELS_WINDOWS_H

#include "Functors.h"
#include "TensorOps.h"

namespace condlint {

/// How a window moves over the spatial axes (those from 2 on).
struct SlidingWindow {
  static constexpr std::size_t maxAxes = 6;
  std::size_t axes = 0;
  std::int64_t in[maxAxes] = {}, out[maxAxes] = {}, kernel[maxAxes] = {}, stride[maxAxes] = {}, dilation[maxAxes] = {};
  std::int64_t before[maxAxes] = {}, after[maxAxes] = {};

  std::int64_t inCount() const { return count(in); }
  std::int64_t outCount() const { return count(out); }
  std::int64_t kernelCount() const { return count(kernel); }

  /// Where element \p k of the window lies in the input for \p place of the output; -1 in the padding.
  CONDLINT_HD std::int64_t offset(std::int64_t place, std::int64_t k) const {
    std::int64_t at = 0, step = 1;
    for (std::size_t d = axes; d-- > 0; place /= out[d], k /= kernel[d]) {
      const std::int64_t p = place % out[d] * stride[d] + k % kernel[d] * dilation[d] - before[d];
      if (p < 0 || p >= in[d])
        return -1;
      at += p * step;
      step *= in[d];
    }
    return at;
  }

  /// Calls \p use with the place in the input of each element of the window for \p place of the output,
  /// in order; those in the padding are left out. What place it is, is worked out once.
  template <class Use> CONDLINT_HD void eachInside(std::int64_t place, const Use &use) const {
    std::int64_t begin[maxAxes], step[maxAxes], k[maxAxes]; // those of the axes
    std::int64_t size = 1;
    for (std::size_t d = axes; d-- > 0; place /= out[d]) {
      if (kernel[d] < 1)
        return;
      begin[d] = place % out[d] * stride[d] - before[d];
      step[d] = size;
      k[d] = 0;
      size *= in[d];
    }
    while (true) {
      std::int64_t at = 0;
      bool inside = true;
      for (std::size_t d = 0; d < axes; ++d) {
        const std::int64_t p = begin[d] + k[d] * dilation[d];
        inside = inside && p >= 0 && p < in[d];
        at += p * step[d];
      }
      if (inside)
        use(at);
      std::size_t d = axes; // the next element: the last axis runs fastest
      while (d > 0 && ++k[d - 1] == kernel[d - 1])
        k[--d] = 0;
      if (d == 0)
        return;
    }
  }

private:
  std::int64_t count(const std::int64_t *sizes) const {
    std::int64_t n = 1;
    for (std::size_t i = 0; i < axes; ++i)
      n *= sizes[i];
    return n;
  }
};

/// How adaptive pooling divides an input into parts, as nearly equal as possible.
struct AdaptiveParts {
  std::size_t axes = 0;
  std::int64_t in[SlidingWindow::maxAxes] = {}, to[SlidingWindow::maxAxes] = {};

  /// Parts of an input of sizes \p in, for a result of sizes \p to.
  AdaptiveParts(SizeSpan sizesIn, SizeSpan sizesTo) : axes(sizesIn.size()) {
    for (std::size_t d = 0; d < axes; ++d) {
      in[d] = sizesIn[d];
      to[d] = sizesTo[d];
    }
  }
  /// Calls \p use with the place in the input of each element of part \p i, in order; how many.
  template <class Use> CONDLINT_HD std::int64_t eachOf(std::int64_t i, const Use &use) const {
    std::int64_t begin[SlidingWindow::maxAxes], size[SlidingWindow::maxAxes], count = 1;
    for (std::size_t d = axes; d-- > 0; i /= to[d]) {
      begin[d] = i % to[d] * in[d] / to[d];
      size[d] = ((i % to[d] + 1) * in[d] + to[d] - 1) / to[d] - begin[d];
      count *= size[d];
    }
    for (std::int64_t k = 0; k < count; ++k) {
      std::int64_t rest = k, place = 0, step = 1;
      for (std::size_t d = axes; d-- > 0; rest /= size[d], step *= in[d])
        place += (begin[d] + rest % size[d]) * step;
      use(place);
    }
    return count;
  }
};

/// One number for each of \p axes axes: a list, one number for all, or \p otherwise.
Sizes perAxis(const ExecContext &c, const std::optional<Sizes> &given, std::size_t axes, std::int64_t otherwise);
/// Sizes of the result, from all the rest. \p ceiling: a last window that does not fit counts, if
/// it begins inside of the input or its padding before.
/// Refuses a window that has no size, step or dilation.
void checkWindow(const ExecContext &c, std::int64_t kernel, std::int64_t stride, std::int64_t dilation);
void setOutputSizes(const ExecContext &c, SlidingWindow &w, bool ceiling);
/// ONNX: kernel from the attribute or \p kernel, strides, dilations, pads or auto_pad.
SlidingWindow onnxWindow(const ExecContext &c, const Tensor &x, const Sizes &kernel, bool ceiling = false);

/// x [n, channels, …] with w [outputs, channels / groups, …], without bias.
Tensor convolved(const ExecContext &c, const Tensor &x, const Tensor &w, const SlidingWindow &window,
                 std::int64_t groups);
/// Its gradient with respect to the input (a transposed convolution): `w.in` are the
/// sizes of the result, `w.out` those of \p x.
Tensor convolvedBack(const ExecContext &c, const Tensor &x, const Tensor &weight, const SlidingWindow &w,
                     std::int64_t groups);
/// Its gradient with respect to the weight, of \p shape.
Tensor convolvedWeight(const ExecContext &c, const Tensor &gradient, const Tensor &x, const SlidingWindow &w,
                       std::int64_t groups, SizeSpan shape);
/// \p t with \p bias added, one number a channel, as \p dtype: rounded once.
Tensor withBias(const ExecContext &c, const Tensor &t, const Tensor *bias, DType dtype);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_WINDOWS_H
