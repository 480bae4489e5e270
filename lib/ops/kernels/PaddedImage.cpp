//===- PaddedImage.cpp - What each element of a window sees ---------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PaddedImage.h"

namespace condlint {

PaddedImage::PaddedImage(const SlidingWindow &window) : w(window) {
  for (std::size_t d = 0; d < w.axes; ++d)
    size[d] = w.out[d] + w.dilation[d] * (w.kernel[d] - 1) / w.stride[d];
  const auto count = elementCount(SizeSpan(size.data(), w.axes));
  countable = count && *count > 0 && *count < INT32_MAX && w.kernelCount() < 4096 && w.outCount() > 0;
  if (!countable)
    return;
  partSize = *count;
  std::int64_t step = 1;
  for (std::size_t d = w.axes; d-- > 0; step *= size[d]) {
    pitch[d] = step;
    run += (w.out[d] - 1) * step;
  }
  for (std::int64_t k = 0; k < w.kernelCount(); ++k) {
    PerAxis part{};
    std::int64_t rest = k, at = 0;
    for (std::size_t d = w.axes; d-- > 0; rest /= w.kernel[d]) {
      const std::int64_t place = rest % w.kernel[d] * w.dilation[d];
      part[d] = place % w.stride[d];
      at += place / w.stride[d] * pitch[d];
    }
    auto known = std::ranges::find(parts, part);
    if (known == parts.end())
      known = parts.insert(parts.end(), part);
    taps.push_back((known - parts.begin()) * partSize + at);
  }
}

bool PaddedImage::isWorthIt() const { return countable && elements() <= 4 * (w.inCount() + w.outCount()) + 4096; }

bool PaddedImage::isSeenEverywhere() const {
  for (std::size_t d = 0; d < w.axes; ++d)
    for (std::int64_t o = 0; o < w.out[d]; ++o) {
      bool sees = false;
      for (std::int64_t k = 0; k < w.kernel[d] && !sees; ++k) {
        const std::int64_t at = o * w.stride[d] + k * w.dilation[d] - w.before[d];
        sees = at >= 0 && at < w.in[d];
      }
      if (!sees)
        return false;
    }
  return true;
}

} // namespace condlint
