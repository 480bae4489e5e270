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

private:
  std::int64_t count(const std::int64_t *sizes) const {
    std::int64_t n = 1;
    for (std::size_t i = 0; i < axes; ++i)
      n *= sizes[i];
    return n;
  }
};

/// One of the parts that adaptive pooling divides an input into, as nearly equal as possible.
class AdaptivePart {
public:
  /// Part \p i of those that a result of sizes \p to makes of an input of sizes \p in.
  AdaptivePart(SizeSpan in, SizeSpan to, std::int64_t i);
  std::int64_t count() const { return elements; }
  /// Calls \p use with the place in the input of each element, in order.
  template <class Use> void forEach(Use &&use) const {
    Sizes at = begin;
    for (bool more = true; more;) {
      std::int64_t place = 0;
      for (std::size_t d = 0; d < at.size(); ++d)
        place = place * in[d] + at[d];
      use(place);
      more = false;
      for (std::size_t d = at.size(); d-- > 0 && !more;) {
        if (++at[d] < end[d])
          more = true;
        else
          at[d] = begin[d];
      }
    }
  }

private:
  SizeSpan in;
  Sizes begin, end;
  std::int64_t elements = 1;
};

/// One number for each of \p axes axes: a list, one number for all, or \p otherwise.
Sizes perAxis(const ExecContext &c, const std::optional<Sizes> &given, std::size_t axes, std::int64_t otherwise);
/// Sizes of the result, from all the rest. \p ceiling: a last window that does not fit counts, if
/// it begins inside of the input or its padding before.
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
/// Adds \p bias, one number a channel.
Tensor withBias(const ExecContext &c, const Tensor &t, const Tensor *bias);

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_WINDOWS_H
