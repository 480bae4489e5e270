//===- RecurrentLayer.cpp - One recurrent layer, one direction ------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RecurrentLayer.h"
#include "ColumnMatrix.h"
#include "FloatMath.h"
#include <algorithm>
#include <utility>

namespace condlint::recurrent {

bool isNarrow(DType t) { return t == DType::Float32 || t == DType::Float16 || t == DType::BFloat16; }

std::vector<float> narrowed(const Doubles &v) {
  std::vector<float> out(v.size());
  std::ranges::transform(v, out.begin(), [](double x) { return static_cast<float>(x); });
  return out;
}

/// What is left of \p v when it is written in 256 steps from its least to its largest number, 0 among them.
void quantizeDynamically(std::span<double> v) {
  constexpr double steps = 255;
  float least = 0, most = 0;
  for (const double x : v) {
    least = std::min(least, static_cast<float>(x));
    most = std::max(most, static_cast<float>(x));
  }
  const float scale = least == most ? 1.0F : static_cast<float>((most - least) / steps);
  const double zero = std::clamp(std::nearbyint(static_cast<double>(-least / scale)), 0.0, steps);
  for (double &x : v) {
    const double q = std::clamp(std::nearbyint(static_cast<double>(static_cast<float>(x) / scale)) + zero, 0.0, steps);
    x = (q - zero) * static_cast<double>(scale);
  }
}

namespace {

/// The gates of \p rows floats: sigmoids, and behind \p from hyperbolic tangents.
void activate(float *gates, std::int64_t from, std::int64_t rows) {
  withWideVectors([&] {
    for (std::int64_t i = 0; i < from; ++i)
      gates[i] = 1.0F / (1.0F + math::expOf(-gates[i]));
    for (std::int64_t i = from; i < rows; ++i)
      gates[i] = math::tanhOf(gates[i]);
  });
}

/// The steps of one layer in one direction, some sequences at a time.
class LayerSteps {
public:
  /// Sequences of one length that are taken together: the weights are read once for all of them.
  static constexpr std::int64_t most = 8;

  /// \p x is [time, batch, input].
  LayerSteps(const Layer &layer, const Doubles &x, std::int64_t time, std::int64_t batch)
      : l(layer), given(x), n(l.hidden), rows(l.gates() * n), width(l.state()), length(time), batchSize(batch),
        weights(l.isPlain ? ColumnMatrix(l.narrowW, rows, l.input) : ColumnMatrix(l.w, rows, l.input)),
        recurrence(l.isPlain ? ColumnMatrix(l.narrowR, rows, width) : ColumnMatrix(l.r, rows, width)),
        projection(l.projection, l.projection.empty() ? 0 : width, n), bias(static_cast<std::size_t>(rows)) {
    for (std::size_t k = 0; k < bias.size(); ++k)
      bias[k] = at(l.wBias, static_cast<std::int64_t>(k)) + at(l.rBias, static_cast<std::int64_t>(k));
  }

  /// From here on the sequences from \p first on, \p howMany of them.
  void begin(std::int64_t first, std::int64_t howMany) {
    sequence = first;
    count = howMany;
    blockBegin = -1;
    // All sequences of a step lie together, and so do those of the next.
    block = count == 1 || count == batchSize ? std::min(stepsAtOnce, length) : 1;
    const auto all = static_cast<std::size_t>(count);
    fromInput.resize(static_cast<std::size_t>(block * count * rows));
    fromState.resize(all * static_cast<std::size_t>(rows));
    next.resize(all * static_cast<std::size_t>(n));
    gated.resize(next.size());
    reset.resize(static_cast<std::size_t>(n));
    gates.resize(static_cast<std::size_t>(l.isPlain ? rows : 0));
  }

  /// Step \p t: the states and memories, of one sequence behind those of the other, become the next ones.
  void take(std::int64_t t, double *state, double *memory) {
    readInput(t);
    const double *last = state;
    if (l.quantizes) {
      quantized.assign(state, state + count * width);
      for (std::int64_t b = 0; b < count; ++b)
        quantizeDynamically(
            std::span(quantized).subspan(static_cast<std::size_t>(b * width), static_cast<std::size_t>(width)));
      last = quantized.data();
    }
    std::ranges::fill(fromState, 0);
    const bool isLate = l.cell == Cell::Gru && !l.linearBeforeReset; // its last gate takes what is left of the state
    recurrence.add(last, width, count, fromState.data(), 0, isLate ? 2 * n : rows);
    for (std::int64_t b = 0; b < count; ++b) {
      const Sums sums{input + b * rows, fromState.data() + b * rows};
      double *out = next.data() + b * n;
      if (l.cell == Cell::Rnn && l.isPlain)
        takePlainRnn(sums, out);
      else if (l.cell == Cell::Rnn)
        takeRnn(sums, out);
      else if (l.cell == Cell::Lstm && l.isPlain)
        takePlainLstm(sums, memory + b * n, out);
      else if (l.cell == Cell::Lstm)
        takeLstm(sums, memory + b * n, out);
      else if (l.isPlain)
        takePlainGru(sums, state + b * n, b, out);
      else
        takeGru(sums, state + b * n, b, out);
    }
    if (l.projection.empty()) {
      std::ranges::copy(next, state);
    } else {
      std::fill_n(state, count * width, 0);
      projection.add(next.data(), n, count, state);
    }
  }

private:
  /// Steps that the weights are multiplied with at a time.
  static constexpr std::int64_t stepsAtOnce = 64;

  /// What the gates of one sequence are made of.
  struct Sums {
    const double *input;
    double *state;
  };

  void readInput(std::int64_t t) {
    const std::int64_t start = t / block * block;
    if (start != blockBegin) {
      blockBegin = start;
      std::ranges::fill(fromInput, 0);
      const double *x = given.data() + (start * batchSize + sequence) * l.input;
      if (count == 1)
        weights.add(x, batchSize * l.input, std::min(block, length - start), fromInput.data());
      else
        weights.add(x, l.input, std::min(block, length - start) * count, fromInput.data());
    }
    input = fromInput.data() + (t - start) * count * rows;
  }

  double clipped(double v) const { return l.clip > 0 ? std::clamp(v, -l.clip, l.clip) : v; }
  static double at(const Doubles &v, std::int64_t i) { return v.empty() ? 0 : v[static_cast<std::size_t>(i)]; }
  double sum(const Sums &s, std::int64_t gate, std::int64_t i) const {
    const std::int64_t k = gate * n + i;
    return s.input[k] + s.state[k] + bias[static_cast<std::size_t>(k)];
  }

  void takeRnn(const Sums &s, double *out) const {
    for (std::int64_t i = 0; i < n; ++i)
      out[i] = l.f(clipped(sum(s, 0, i)));
  }

  void takePlainRnn(const Sums &s, double *out) {
    float *g = gates.data();
    for (std::int64_t k = 0; k < n; ++k)
      g[k] = static_cast<float>(sum(s, 0, k));
    if (l.rectifies)
      std::transform(g, g + n, g, [](float x) { return x < 0 ? 0 : x; });
    else
      activate(g, 0, n);
    std::copy_n(g, n, out);
  }

  void takeLstm(const Sums &s, double *memory, double *out) const {
    for (std::int64_t i = 0; i < n; ++i) {
      const double in = l.f(clipped(sum(s, 0, i) + at(l.peephole, i) * memory[i]));
      const double forget = l.inputForget ? 1 - in : l.f(clipped(sum(s, 2, i) + at(l.peephole, 2 * n + i) * memory[i]));
      memory[i] = forget * memory[i] + in * l.g(clipped(sum(s, 3, i)));
      const double output = l.f(clipped(sum(s, 1, i) + at(l.peephole, n + i) * memory[i]));
      out[i] = output * l.h(memory[i]);
    }
  }

  void takePlainLstm(const Sums &s, double *memory, double *out) {
    float *g = gates.data();
    for (std::int64_t k = 0; k < rows; ++k)
      g[k] = static_cast<float>(sum(s, 0, k));
    activate(g, 3 * n, rows);
    withWideVectors([&] {
      for (std::int64_t i = 0; i < n; ++i) {
        memory[i] = static_cast<double>(g[2 * n + i]) * memory[i] +
                    static_cast<double>(g[i]) * static_cast<double>(g[3 * n + i]);
        out[i] = static_cast<double>(g[n + i]) * static_cast<double>(math::tanhOf(static_cast<float>(memory[i])));
      }
    });
  }

  void takePlainGru(const Sums &s, const double *state, std::int64_t b, double *out) {
    float *g = gates.data(), *fresh = g + 2 * n;
    for (std::int64_t k = 0; k < 2 * n; ++k)
      g[k] = static_cast<float>(sum(s, 0, k));
    activate(g, 2 * n, 2 * n);
    if (!l.linearBeforeReset) {
      double *left = gated.data() + b * n;
      for (std::int64_t i = 0; i < n; ++i)
        left[i] = static_cast<double>(g[n + i]) * state[i];
      recurrence.add(left, n, 1, s.state, 2 * n, n);
    }
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int64_t k = 2 * n + i;
      const double last = s.state[k] + at(l.rBias, k);
      fresh[i] = static_cast<float>(s.input[k] + at(l.wBias, k) +
                                    (l.linearBeforeReset ? static_cast<double>(g[n + i]) * last : last));
    }
    activate(fresh, 0, n);
    for (std::int64_t i = 0; i < n; ++i) {
      const auto z = static_cast<double>(g[i]);
      out[i] = (1 - z) * static_cast<double>(fresh[i]) + z * state[i];
    }
  }

  void takeGru(const Sums &s, const double *state, std::int64_t b, double *out) {
    double *left = gated.data() + b * n;
    for (std::int64_t i = 0; i < n; ++i) {
      reset[static_cast<std::size_t>(i)] = l.f(clipped(sum(s, 1, i)));
      left[i] = reset[static_cast<std::size_t>(i)] * state[i];
    }
    if (!l.linearBeforeReset)
      recurrence.add(left, n, 1, s.state, 2 * n, n);
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int64_t k = 2 * n + i;
      const double last = s.state[k] + at(l.rBias, k);
      const double inner =
          s.input[k] + at(l.wBias, k) + (l.linearBeforeReset ? reset[static_cast<std::size_t>(i)] * last : last);
      const double z = l.f(clipped(sum(s, 0, i)));
      out[i] = (1 - z) * l.g(clipped(inner)) + z * state[i];
    }
  }

  const Layer &l;
  const Doubles &given;
  std::int64_t n, rows, width, length, batchSize;
  ColumnMatrix weights, recurrence, projection;
  Doubles bias;
  std::int64_t sequence = 0, count = 0, block = 1;
  std::int64_t blockBegin = -1;  ///< the step that `fromInput` begins with
  const double *input = nullptr; ///< of the step that is taken
  Doubles fromInput, fromState, next, reset, gated, quantized;
  std::vector<float> gates;
};

} // namespace

LayerRun runLayer(const Layer &l, const Doubles &x, std::int64_t time, std::int64_t batch, const Sizes &lengths,
                  Doubles h, Doubles c) {
  const std::int64_t width = l.state();
  LayerRun run;
  run.y.assign(static_cast<std::size_t>(time * batch * width), 0);
  LayerSteps steps(l, x, time, batch);
  for (std::int64_t b = 0, count = 0; b < batch; b += count) {
    count = lengths.empty() ? std::min(LayerSteps::most, batch - b) : 1;
    const std::int64_t length =
        lengths.empty() ? time : std::clamp<std::int64_t>(lengths[static_cast<std::size_t>(b)], 0, time);
    double *state = h.data() + b * width, *memory = c.empty() ? nullptr : c.data() + b * l.hidden;
    steps.begin(b, count);
    for (std::int64_t step = 0; step < length; ++step) {
      const std::int64_t t = l.reverse ? length - 1 - step : step;
      steps.take(t, state, memory);
      std::copy_n(state, count * width, run.y.begin() + (t * batch + b) * width);
    }
  }
  run.h = std::move(h);
  run.c = std::move(c);
  return run;
}

} // namespace condlint::recurrent
