//===- DirectPooling.cpp - Pools over dense runs --------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DirectPooling.h"
#include "PaddedImage.h"
#include "WideVectors.h"
#include <cmath>
#include <limits>

namespace condlint {

namespace {

/// Calls \p use with the image of each plane, laid out with \p padding, and where it lies in the output.
template <class T, class Use>
void eachPlane(const ExecContext &c, const Tensor &x, const PaddedImage &image, std::int64_t planes, T padding,
               const Tensor &out, const Use &use) {
  const SlidingWindow &w = image.window();
  const std::int64_t shape[] = {image.elements()};
  const Tensor scratch = c.empty(x.dtype(), shape);
  T *const padded = scratch.out<T>(), *const to = out.out<T>();
  const T *const data = x.as<T>();
  for (std::int64_t plane = 0; plane < planes; ++plane) {
    image.fill(data + plane * w.inCount(), padding, padded);
    use(padded, to + plane * w.outCount());
  }
}

template <class T>
void maxPool(const ExecContext &c, const Tensor &x, const PaddedImage &image, std::int64_t planes, const Tensor &out) {
  const std::int64_t shape[] = {image.runLength()};
  const Tensor scratch = c.empty(x.dtype(), shape);
  T *const run = scratch.out<T>();
  constexpr T least = -std::numeric_limits<T>::infinity();
  eachPlane<T>(c, x, image, planes, least, out, [&](const T *padded, T *to) {
    std::fill_n(run, image.runLength(), least);
    withWideVectors([&] {
      for (const std::int64_t begin : image.runs()) {
        const T *see = padded + begin;
        T *__restrict best = run;
        for (std::int64_t i = 0; i < image.runLength(); ++i) // what is no number stays
          best[i] = ((see[i] > best[i]) | std::isnan(see[i])) ? see[i] : best[i];
      }
    });
    image.takeResults(run, to);
  });
}

template <class T>
void meanPool(const ExecContext &c, const Tensor &x, const PaddedImage &image, std::int64_t planes,
              std::span<const double> divisors, const Tensor &out) {
  const std::int64_t shape[] = {image.runLength()}, resultShape[] = {image.window().outCount()};
  const Tensor scratch = c.empty(DType::Float64, shape), results = c.empty(DType::Float64, resultShape);
  double *const run = scratch.out<double>(), *const sums = results.out<double>();
  eachPlane<T>(c, x, image, planes, T(0), out, [&](const T *padded, T *to) {
    std::fill_n(run, image.runLength(), 0.0);
    withWideVectors([&] {
      for (const std::int64_t begin : image.runs()) {
        const T *see = padded + begin;
        double *__restrict sum = run;
        for (std::int64_t i = 0; i < image.runLength(); ++i)
          sum[i] += static_cast<double>(see[i]);
      }
    });
    image.takeResults(run, sums);
    for (std::size_t i = 0; i < divisors.size(); ++i)
      to[i] = static_cast<T>(sums[i] / divisors[i]);
  });
}

bool isForHost(const ExecContext &c, const Tensor &x, const Tensor &out) {
  return !c.device().isParallel() && (x.dtype() == DType::Float32 || x.dtype() == DType::Float64) &&
         x.dtype() == out.dtype();
}

} // namespace

bool maxPoolDirectly(const ExecContext &c, const Tensor &x, const SlidingWindow &w, std::int64_t planes,
                     const Tensor &out) {
  if (w.axes == 0 || !isForHost(c, x, out))
    return false;
  const PaddedImage image(w);
  if (!image.isWorthIt() || !image.isSeenEverywhere())
    return false;
  if (x.dtype() == DType::Float32)
    maxPool<float>(c, x, image, planes, out);
  else
    maxPool<double>(c, x, image, planes, out);
  return true;
}

bool meanPoolDirectly(const ExecContext &c, const Tensor &x, const SlidingWindow &w, std::int64_t planes,
                      std::span<const double> divisors, const Tensor &out) {
  if (w.axes == 0 || !isForHost(c, x, out))
    return false;
  const PaddedImage image(w);
  if (!image.isWorthIt())
    return false;
  if (x.dtype() == DType::Float32)
    meanPool<float>(c, x, image, planes, divisors, out);
  else
    meanPool<double>(c, x, image, planes, divisors, out);
  return true;
}

} // namespace condlint
