//===- PaddedImage.h - What each element of a window sees -------*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An image with its padding is copied once, so that each element of a window sees one
// dense run of numbers: with a stride of two, the even places and the odd ones lie apart.
// A run goes on over the ends of lines, and what it yields there is left out in the end.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_PADDEDIMAGE_H
#define CONDLINT_LIB_OPS_KERNELS_PADDEDIMAGE_H

#include "Windows.h"
#include <algorithm>
#include <array>
#include <vector>

namespace condlint {

/// How a padded image is laid out for a window.
class PaddedImage {
public:
  explicit PaddedImage(const SlidingWindow &window);
  /// All of it fits, and most of it is no padding.
  bool isWorthIt() const;
  /// Each window sees some element of the image.
  bool isSeenEverywhere() const;

  const SlidingWindow &window() const { return w; }
  std::int64_t elements() const { return static_cast<std::int64_t>(parts.size()) * partSize; }
  /// Where the run of each element of the window begins.
  const std::vector<std::int64_t> &runs() const { return taps; }
  /// How long each run is: from the first result to the last one.
  std::int64_t runLength() const { return run; }

  /// Lays out \p image, and \p padding around it.
  template <class T> void fill(const T *image, T padding, T *to) const;
  /// Of a run of results those that lie in the output.
  template <class T> void takeResults(const T *from, T *to) const;

private:
  using PerAxis = std::array<std::int64_t, SlidingWindow::maxAxes>;
  const SlidingWindow &w;
  PerAxis size{};                 ///< of one part, for each axis
  PerAxis pitch{};                ///< between neighbours along each axis of a part
  std::int64_t partSize = 1;      ///< elements
  std::vector<PerAxis> parts;     ///< where the first element of each lies in the padded image
  std::vector<std::int64_t> taps; ///< see `runs`
  std::int64_t run = 1;
  bool countable = true;

  template <class T> void fillLine(const T *line, std::int64_t first, T padding, T *to) const;
};

/// The places \p first, first + stride, … of a line of the image, \p padding around it.
template <class T> void PaddedImage::fillLine(const T *line, std::int64_t first, T padding, T *to) const {
  const std::size_t last = w.axes - 1;
  const std::int64_t step = w.stride[last], in = w.in[last], length = size[last];
  const auto reach = [&](std::int64_t at) { // the first index whose place is at least that
    return std::clamp<std::int64_t>(at <= first ? 0 : (at - first + step - 1) / step, 0, length);
  };
  const std::int64_t begin = reach(0), end = std::max(begin, reach(in));
  std::fill(to, to + begin, padding);
  const T *from = line + first;
  if (step == 1)
    std::copy(from + begin, from + end, to + begin);
  else
    for (std::int64_t i = begin; i < end; ++i)
      to[i] = from[i * step];
  std::fill(to + end, to + length, padding);
}

template <class T> void PaddedImage::fill(const T *image, T padding, T *to) const {
  const std::size_t last = w.axes - 1;
  const std::int64_t length = size[last];
  for (const PerAxis &part : parts)
    for (std::int64_t line = 0; line < partSize / length; ++line, to += length) {
      std::int64_t rest = line, at = 0, step = w.in[last];
      bool inside = true;
      for (std::size_t d = last; d-- > 0; rest /= size[d]) {
        const std::int64_t place = rest % size[d] * w.stride[d] + part[d] - w.before[d];
        inside = inside && place >= 0 && place < w.in[d];
        at += place * step;
        step *= w.in[d];
      }
      if (inside)
        fillLine(image + at, part[last] - w.before[last], padding, to);
      else
        std::fill(to, to + length, padding);
    }
}

/// From a run of results to those that lie in the output.
template <class T> void PaddedImage::takeResults(const T *from, T *to) const {
  const std::size_t last = w.axes - 1;
  const std::int64_t length = w.out[last];
  for (std::int64_t line = 0; line < w.outCount() / length; ++line, to += length) {
    std::int64_t rest = line, at = 0;
    for (std::size_t d = last; d-- > 0; rest /= w.out[d])
      at += rest % w.out[d] * pitch[d];
    std::copy(from + at, from + at + length, to);
  }
}

} // namespace condlint

#endif // CONDLINT_LIB_OPS_KERNELS_PADDEDIMAGE_H
