//===- DirectConvolution.cpp - Convolutions without columns ---------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each weight sees one dense run of numbers of a padded image (PaddedImage.h).
//
//===----------------------------------------------------------------------===//
#include "DirectConvolution.h"
#include "PaddedImage.h"
#include "WideVectors.h"
#include <algorithm>

namespace condlint {

namespace {

/// Adds to \p outputs runs, \p pitch apart, what four weights see, or one. Each output is summed weight by weight.
template <std::size_t outputs, std::size_t weights, class T>
[[gnu::always_inline]] inline void addRuns(T *__restrict to, std::int64_t pitch, const T *const *see, const T *k,
                                           std::size_t weightPitch, std::int64_t n) {
  const T *a = see[0], *b = see[weights > 1 ? 1 : 0], *c = see[weights > 1 ? 2 : 0], *d = see[weights > 1 ? 3 : 0];
  T factor[outputs][weights];
  for (std::size_t o = 0; o < outputs; ++o)
    for (std::size_t i = 0; i < weights; ++i)
      factor[o][i] = k[o * weightPitch + i];
  for (std::int64_t x = 0; x < n; ++x)
    for (std::size_t o = 0; o < outputs; ++o) {
      T sum = to[static_cast<std::int64_t>(o) * pitch + x] + a[x] * factor[o][0];
      if constexpr (weights > 1)
        sum = sum + b[x] * factor[o][1] + c[x] * factor[o][2] + d[x] * factor[o][3];
      to[static_cast<std::int64_t>(o) * pitch + x] = sum;
    }
}

/// The runs of \p outputs channels of output, \p pitch apart, from the images of a group.
template <std::size_t outputs, class T>
void addImages(const PaddedImage &image, const T *images, std::int64_t channels, const T *k, std::size_t weightPitch,
               T *to, std::int64_t pitch) {
  constexpr std::int64_t block = 512; // what is summed stays in the nearest cache
  const std::size_t taps = image.runs().size();
  for (std::int64_t begin = 0; begin < image.runLength(); begin += block) {
    const std::int64_t n = std::min(block, image.runLength() - begin);
    for (std::size_t o = 0; o < outputs; ++o)
      std::fill_n(to + static_cast<std::int64_t>(o) * pitch + begin, n, T(0));
    for (std::int64_t channel = 0; channel < channels; ++channel) {
      const T *from = images + channel * image.elements() + begin;
      const T *own = k + channel * static_cast<std::int64_t>(taps);
      std::size_t i = 0;
      for (; i + 4 <= taps; i += 4) {
        const T *see[] = {from + image.runs()[i], from + image.runs()[i + 1], from + image.runs()[i + 2],
                          from + image.runs()[i + 3]};
        addRuns<outputs, 4>(to + begin, pitch, see, own + i, weightPitch, n);
      }
      for (; i < taps; ++i) {
        const T *see[] = {from + image.runs()[i]};
        addRuns<outputs, 1>(to + begin, pitch, see, own + i, weightPitch, n);
      }
    }
  }
}

template <class T>
void convolveGroups(const ExecContext &c, const Tensor &x, const Tensor &weight, const PaddedImage &image,
                    std::int64_t groups, const Tensor &out) {
  constexpr std::int64_t together = 4;
  const SlidingWindow &w = image.window();
  const std::int64_t each = x.size(1) / groups, perGroup = out.size(1) / groups, pixels = w.inCount(),
                     places = w.outCount();
  const std::int64_t imagesShape[] = {each, image.elements()}, runsShape[] = {together, image.runLength()};
  const Tensor images = c.empty(x.dtype(), imagesShape), runs = c.empty(x.dtype(), runsShape);
  T *const padded = images.out<T>(), *const results = runs.out<T>();
  const std::size_t weights = static_cast<std::size_t>(each) * image.runs().size();
  const T *const k = weight.as<T>(), *const data = x.as<T>();
  T *const to = out.out<T>();
  for (std::int64_t group = 0; group < x.size(0) * groups; ++group) {
    for (std::int64_t channel = 0; channel < each; ++channel)
      image.fill(data + (group * each + channel) * pixels, T(0), padded + channel * image.elements());
    for (std::int64_t o = 0; o < perGroup;) {
      const T *own = k + (group % groups * perGroup + o) * static_cast<std::int64_t>(weights);
      const std::int64_t many = perGroup - o >= together ? together : 1;
      withWideVectors([&] {
        if (many == together)
          addImages<together>(image, padded, each, own, weights, results, image.runLength());
        else
          addImages<1>(image, padded, each, own, weights, results, image.runLength());
      });
      for (std::int64_t i = 0; i < many; ++i, ++o)
        image.takeResults(results + i * image.runLength(), to + (group * perGroup + o) * places);
    }
  }
}

} // namespace

bool convolveDirectly(const ExecContext &c, const Tensor &x, const Tensor &weight, const SlidingWindow &w,
                      std::int64_t groups, const Tensor &out) {
  // More channels in a group are the better multiplied as matrices the more results they have.
  constexpr std::int64_t narrow = 16;
  const std::int64_t each = x.size(1) / groups;
  if (groups == 1 || each > narrow || c.device().isParallel() ||
      (x.dtype() != DType::Float32 && x.dtype() != DType::Float64) || x.dtype() != out.dtype())
    return false;
  const PaddedImage image(w);
  if (!image.isWorthIt())
    return false;
  if (x.dtype() == DType::Float32)
    convolveGroups<float>(c, x, weight, image, groups, out);
  else
    convolveGroups<double>(c, x, weight, image, groups, out);
  return true;
}

} // namespace condlint
