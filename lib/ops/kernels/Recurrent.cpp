//===- Recurrent.cpp - Recurrent layers, executed -------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Recurrent.h"
#include "Checked.h"
#include "ColumnMatrix.h"
#include "ElementKernels.h"
#include "FloatMath.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <span>

namespace condlint {

namespace {

using Doubles = std::vector<double>;
using Activation = std::function<double(double)>;

enum class Cell : std::uint8_t { Rnn, Gru, Lstm };

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

/// One layer in one direction. Gates stand in ONNX's order: LSTM i, o, f, c; GRU z, r, h.
struct Layer {
  Cell cell = Cell::Rnn;
  std::int64_t input = 0, hidden = 0;
  Doubles w, r;         ///< [gates * hidden, input], [gates * hidden, state]
  Doubles wBias, rBias; ///< [gates * hidden]; empty: none
  Doubles peephole;     ///< LSTM: [3 * hidden] for i, o, f; empty: none
  Doubles projection;   ///< [state, hidden]: what becomes of the cell's output; empty: it stays
  Activation f = sigmoid, g = [](double x) { return std::tanh(x); }, h = g;
  bool linearBeforeReset = false, reverse = false, inputForget = false;
  double clip = 0;
  bool quantizes = false; ///< the state is taken in 256 steps, anew for each row
  /// Of floats, with the cell's own activations and nothing beside them: gates are computed as floats, several at once.
  bool isPlain = false;
  bool rectifies = false;              ///< a plain RNN, with max(x, 0) and no hyperbolic tangent
  std::vector<float> narrowW, narrowR; ///< of a plain layer, in place of \c w and \c r
  /// How many numbers the state has.
  std::int64_t state() const {
    return projection.empty() ? hidden : static_cast<std::int64_t>(projection.size()) / hidden;
  }
  std::int64_t gates() const { return cell == Cell::Lstm ? 4 : cell == Cell::Gru ? 3 : 1; }
};

/// Floats hold all elements of the type.
bool isNarrow(DType t) { return t == DType::Float32 || t == DType::Float16 || t == DType::BFloat16; }

std::vector<float> narrowed(const Doubles &v) {
  std::vector<float> out(v.size());
  std::ranges::transform(v, out.begin(), [](double x) { return static_cast<float>(x); });
  return out;
}

std::vector<float> floatsOf(const ExecContext &c, const Tensor &t) {
  const Tensor dense = contiguous(c, cast(c, t, DType::Float32));
  return {dense.as<float>(), dense.as<float>() + dense.numel()};
}

struct LayerRun {
  Doubles y; ///< [time, batch, state]
  Doubles h, c;
};

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

Tensor tensorOfNumbers(const ExecContext &c, SizeSpan sizes, const Doubles &v, DType t) {
  return cast(c, tensorOf(c, sizes, v), t);
}

Activation activationNamed(const ExecContext &c, std::string_view given, double alpha, double beta) {
  std::string name(given);
  std::ranges::transform(name, name.begin(),
                         [](char ch) { return ch >= 'A' && ch <= 'Z' ? static_cast<char>(ch - 'A' + 'a') : ch; });
  if (name == "sigmoid")
    return sigmoid;
  if (name == "tanh")
    return [](double x) { return std::tanh(x); };
  if (name == "relu")
    return [](double x) { return std::max(x, 0.0); };
  if (name == "affine")
    return [alpha, beta](double x) { return alpha * x + beta; };
  if (name == "leakyrelu")
    return [alpha](double x) { return x < 0 ? alpha * x : x; };
  if (name == "thresholdedrelu")
    return [alpha](double x) { return x > alpha ? x : 0; };
  if (name == "scaledtanh")
    return [alpha, beta](double x) { return alpha * std::tanh(beta * x); };
  if (name == "hardsigmoid")
    return [alpha, beta](double x) { return std::clamp(alpha * x + beta, 0.0, 1.0); };
  if (name == "elu")
    return [alpha](double x) { return x < 0 ? alpha * std::expm1(x) : x; };
  if (name == "softsign")
    return [](double x) { return x / (1 + std::fabs(x)); };
  if (name == "softplus")
    return [](double x) { return std::log1p(std::exp(x)); };
  c.fail(fmt::format("condlint does not know the activation '{}'", given));
}

/// What an activation takes when nothing is given.
std::pair<double, double> activationDefaults(std::string_view name) {
  if (name == "LeakyRelu")
    return {0.01, 0};
  if (name == "HardSigmoid")
    return {0.2, 0.5};
  if (name == "ThresholdedRelu" || name == "Elu" || name == "Affine")
    return {1, 0};
  return {1, 1};
}

/// A part of \p v; nothing of nothing.
Doubles part(const Doubles &v, std::int64_t begin, std::int64_t count) {
  return v.empty() ? Doubles() : Doubles(v.begin() + begin, v.begin() + begin + count);
}

/// What ONNX gives a recurrent node: numbers of all directions, one after the other.
struct OnnxRecurrence {
  Cell cell = Cell::Rnn;
  bool batchFirst = false;
  bool quantizes = false;
  std::string_view direction;
  std::int64_t time = 0, batch = 0, input = 0, directions = 0, hidden = 0, gates = 0;
  Doubles x, w, r, bias, peephole, h, c;
  Sizes lengths;

  std::int64_t states() const { return directions * batch * hidden; }
};

/// Operand \p i, an initial state; zeros where it is not given.
Doubles initialState(const ExecContext &c, std::size_t i, const OnnxRecurrence &o) {
  if (!c.has(i))
    return Doubles(static_cast<std::size_t>(o.states()), 0);
  if (c.in(i).rank() != 3)
    c.fail("an initial state has not three axes");
  return doublesOf(c, o.batchFirst ? c.in(i).transposed(0, 1) : c.in(i));
}

/// Weights \p i, [directions, from, gates * hidden] of whole numbers, as [directions, gates * hidden, from] of what
/// they stand for: their scales and zero points are one for each direction, or for each of its rows.
Tensor dequantizedWeights(const ExecContext &c, std::size_t i, std::size_t scale, std::size_t zero) {
  const Tensor &q = c.in(i);
  if (q.rank() != 3)
    c.fail("the operands have not three axes");
  const std::int64_t directions = q.size(0), from = q.size(1), rows = q.size(2);
  const Doubles numbers = doublesOf(c, q), scales = doublesOf(c, c.in(scale)), zeros = doublesOf(c, c.in(zero));
  const auto each = static_cast<std::int64_t>(scales.size());
  if (scales.size() != zeros.size() || (each != directions && each != directions * rows))
    c.fail("the scales and zero points do not fit the weights");
  const std::int64_t shape[] = {directions, rows, from};
  Tensor w = c.empty(DType::Float64, shape);
  auto *out = w.out<double>();
  for (std::int64_t d = 0; d < directions; ++d)
    for (std::int64_t r = 0; r < rows; ++r) {
      const auto k = static_cast<std::size_t>(each == directions ? d : d * rows + r);
      for (std::int64_t f = 0; f < from; ++f)
        out[(d * rows + r) * from + f] =
            (numbers[static_cast<std::size_t>((d * from + f) * rows + r)] - zeros[k]) * scales[k];
    }
  return w;
}

OnnxRecurrence recurrenceOf(const ExecContext &c) {
  OnnxRecurrence o;
  const std::string_view name = c.opName();
  o.quantizes = name == "DynamicQuantizeLSTM";
  o.cell = name == "LSTM" || o.quantizes ? Cell::Lstm : name == "GRU" ? Cell::Gru : Cell::Rnn;
  o.gates = o.cell == Cell::Lstm ? 4 : o.cell == Cell::Gru ? 3 : 1;
  o.batchFirst = c.flag("layout");
  o.direction = c.text("direction", "forward");
  constexpr std::size_t scaleOfW = 8, zeroOfW = 9, scaleOfR = 10, zeroOfR = 11;
  const Tensor w = o.quantizes ? dequantizedWeights(c, 1, scaleOfW, zeroOfW) : c.in(1);
  const Tensor r = o.quantizes ? dequantizedWeights(c, 2, scaleOfR, zeroOfR) : c.in(2);
  if (c.in(0).rank() != 3 || w.rank() != 3 || r.rank() != 3)
    c.fail("the operands have not three axes");
  const Tensor x = o.batchFirst ? c.in(0).transposed(0, 1) : c.in(0);
  o.time = x.size(0);
  o.batch = x.size(1);
  o.input = x.size(2);
  o.directions = w.size(0);
  o.hidden = r.size(2);
  if (o.directions != (o.direction == "bidirectional" ? 2 : 1) || w.size(1) != o.gates * o.hidden ||
      w.size(2) != o.input || r.size(0) != o.directions || r.size(1) != o.gates * o.hidden)
    c.fail(fmt::format("weights of the shapes {} and {} do not fit an input of shape {}", shapeText(w.sizes()),
                       shapeText(r.sizes()), shapeText(x.sizes())));
  o.x = doublesOf(c, x);
  if (o.quantizes)
    quantizeDynamically(o.x);
  o.w = doublesOf(c, w);
  o.r = doublesOf(c, r);
  const bool lstm = o.cell == Cell::Lstm;
  o.bias = c.has(3) ? doublesOf(c, c.in(3)) : Doubles();
  o.lengths = c.integersIn(4).value_or(Sizes());
  o.h = initialState(c, 5, o);
  o.c = lstm ? initialState(c, 6, o) : Doubles();
  o.peephole = lstm && c.has(7) ? doublesOf(c, c.in(7)) : Doubles();
  const auto check = [&](const Doubles &v, std::int64_t count, std::string_view what, bool given = false) {
    if ((given || !v.empty()) && static_cast<std::int64_t>(v.size()) != count)
      c.fail(fmt::format("the {} has {} numbers, expected {}", what, v.size(), count));
  };
  check(o.bias, o.directions * 2 * o.gates * o.hidden, "bias");
  check(o.peephole, o.directions * 3 * o.hidden, "peephole");
  check(o.h, o.states(), "initial state", true);
  check(o.c, o.states(), "initial memory", lstm);
  if (!o.lengths.empty() && static_cast<std::int64_t>(o.lengths.size()) != o.batch)
    c.fail("there is not one length for each sequence");
  return o;
}

/// The activations of an ONNX node, which each take their numbers from two lists in turn.
class OnnxActivations {
public:
  OnnxActivations(const ExecContext &context, const OnnxRecurrence &o)
      : c(context), perDirection(o.cell == Cell::Lstm  ? 3
                                 : o.cell == Cell::Gru ? 2
                                                       : 1),
        names(c.texts("activations")), alphas(c.reals("activation_alpha").value_or(Doubles())),
        betas(c.reals("activation_beta").value_or(Doubles())) {
    if (!names.empty() && names.size() != perDirection * static_cast<std::size_t>(o.directions))
      c.fail("there are other activations than the cell needs");
  }

  /// Those of the next direction.
  void setNext(Layer &l) {
    if (l.cell == Cell::Rnn)
      l.f = [](double v) { return std::tanh(v); };
    Activation *slots[] = {&l.f, &l.g, &l.h};
    for (std::size_t k = 0; k < perDirection && !names.empty(); ++k) {
      const std::string_view name = names[used++];
      auto [alpha, beta] = activationDefaults(name);
      if (usedAlphas < alphas.size() && name != "Sigmoid" && name != "Tanh" && name != "Relu")
        alpha = alphas[usedAlphas++];
      if (usedBetas < betas.size() && (name == "Affine" || name == "ScaledTanh" || name == "HardSigmoid"))
        beta = betas[usedBetas++];
      *slots[k] = activationNamed(c, name, alpha, beta);
    }
  }

private:
  const ExecContext &c;
  std::size_t perDirection;
  std::vector<std::string_view> names;
  Doubles alphas, betas;
  std::size_t used = 0, usedAlphas = 0, usedBetas = 0;
};

/// Direction \p d of \p o, but for its activations.
Layer layerOf(const ExecContext &c, const OnnxRecurrence &o, std::int64_t d) {
  const std::int64_t rows = o.gates * o.hidden;
  Layer l;
  l.cell = o.cell;
  l.input = o.input;
  l.hidden = o.hidden;
  l.w = part(o.w, d * rows * o.input, rows * o.input);
  l.r = part(o.r, d * rows * o.hidden, rows * o.hidden);
  l.wBias = part(o.bias, d * 2 * rows, rows);
  l.rBias = part(o.bias, (2 * d + 1) * rows, rows);
  l.peephole = part(o.peephole, d * 3 * o.hidden, 3 * o.hidden);
  l.reverse = o.direction == "reverse" || d == 1;
  l.linearBeforeReset = c.flag("linear_before_reset");
  l.inputForget = c.flag("input_forget");
  l.clip = c.real("clip", 0.0);
  l.quantizes = o.quantizes;
  l.isPlain = isNarrow(c.in(0).dtype()) && !o.quantizes && l.peephole.empty() && !l.inputForget && l.clip <= 0 &&
              c.texts("activations").empty();
  if (l.isPlain) {
    l.narrowW = narrowed(l.w);
    l.narrowR = narrowed(l.r);
  }
  return l;
}

} // namespace

/// ONNX's RNN, GRU and LSTM.
void executeRecurrentOnnx(ExecContext &c) {
  const OnnxRecurrence o = recurrenceOf(c);
  const DType t = c.in(0).dtype();
  const std::int64_t step = o.batch * o.hidden;
  const std::int64_t outShape[] = {o.time, o.directions, o.batch, o.hidden},
                     stateShape[] = {o.directions, o.batch, o.hidden};
  const Tensor y = c.empty(DType::Float64, outShape), yh = c.empty(DType::Float64, stateShape),
               yc = c.empty(DType::Float64, stateShape);
  OnnxActivations activations(c, o);
  for (std::int64_t d = 0; d < o.directions; ++d) {
    Layer l = layerOf(c, o, d);
    activations.setNext(l);
    const LayerRun run =
        runLayer(l, o.x, o.time, o.batch, o.lengths, part(o.h, d * step, step), part(o.c, d * step, step));
    for (std::int64_t i = 0; i < o.time; ++i)
      std::copy_n(run.y.begin() + i * step, step, y.out<double>() + (i * o.directions + d) * step);
    std::ranges::copy(run.h, yh.out<double>() + d * step);
    std::ranges::copy(run.c, yc.out<double>() + d * step);
  }
  c.set(0, contiguous(c, cast(c, o.batchFirst ? permuted(y, {2, 0, 1, 3}) : y, t)));
  c.set(1, contiguous(c, cast(c, o.batchFirst ? yh.transposed(0, 1) : yh, t)));
  if (o.cell == Cell::Lstm)
    c.set(2, contiguous(c, cast(c, o.batchFirst ? yc.transposed(0, 1) : yc, t)));
}

// --- torch ----------------------------------------------------------------------

namespace {

/// torch's gates in ONNX's order: LSTM i, f, c, o; GRU r, z, h.
template <class T> std::vector<T> reorderedGates(std::vector<T> v, Cell cell) {
  if (cell == Cell::Rnn || v.empty())
    return v;
  const std::size_t gates = cell == Cell::Lstm ? 4 : 3, each = v.size() / gates;
  const std::size_t lstm[] = {0, 3, 1, 2}, gru[] = {1, 0, 2};
  std::vector<T> out;
  out.reserve(v.size());
  for (std::size_t g = 0; g < gates; ++g) {
    const std::size_t from = cell == Cell::Lstm ? lstm[g] : gru[g];
    out.insert(out.end(), v.begin() + static_cast<std::ptrdiff_t>(from * each),
               v.begin() + static_cast<std::ptrdiff_t>((from + 1) * each));
  }
  return out;
}

Cell cellNamed(std::string_view name) {
  return name.find("lstm") != name.npos ? Cell::Lstm : name.find("gru") != name.npos ? Cell::Gru : Cell::Rnn;
}

Layer torchLayer(const ExecContext &c, Cell cell, std::string_view name, std::span<const Tensor> weights,
                 std::int64_t input, std::int64_t hidden, const Tensor *projection = nullptr) {
  Layer l;
  l.cell = cell;
  l.input = input;
  l.hidden = hidden;
  const std::int64_t gates = l.gates();
  const auto isBias = [&](const Tensor &t) { return t.numel() == gates * hidden; };
  if (weights.size() >= 4 && !(isBias(weights[2]) && isBias(weights[3])))
    c.fail("the biases do not fit the state");
  if (projection) {
    if (projection->rank() != 2 || projection->size(1) != hidden || projection->numel() == 0)
      c.fail("the projection does not fit the cell");
    l.projection = doublesOf(c, *projection);
  }
  if (weights.size() < 2 || weights[0].numel() != gates * hidden * input ||
      weights[1].numel() != gates * hidden * l.state())
    c.fail("the weights do not fit the input and the state");
  l.isPlain = isNarrow(weights[0].dtype()) && isNarrow(weights[1].dtype());
  if (l.isPlain) {
    l.narrowW = reorderedGates(floatsOf(c, weights[0]), cell);
    l.narrowR = reorderedGates(floatsOf(c, weights[1]), cell);
  } else {
    l.w = reorderedGates(doublesOf(c, weights[0]), cell);
    l.r = reorderedGates(doublesOf(c, weights[1]), cell);
  }
  if (weights.size() >= 4) {
    l.wBias = reorderedGates(doublesOf(c, weights[2]), cell);
    l.rBias = reorderedGates(doublesOf(c, weights[3]), cell);
  }
  l.linearBeforeReset = true;
  l.rectifies = name.find("relu") != name.npos;
  if (cell == Cell::Rnn)
    l.f = l.rectifies ? Activation([](double v) { return std::max(v, 0.0); })
                      : Activation([](double v) { return std::tanh(v); });
  return l;
}

} // namespace

void executeRecurrentLayer(ExecContext &c) {
  const std::string_view name = c.opName();
  const Cell cell = cellNamed(name);
  if (c.overload() == "data")
    c.fail("condlint does not execute packed sequences");
  const bool batchFirst = c.flag("batch_first"), biases = c.flag("has_biases"), both = c.flag("bidirectional");
  if (c.flag("train") && c.real("dropout", 0.0) != 0)
    c.fail("condlint does not execute dropout between layers");
  Tensor x = c.tensor("input");
  const DType t = x.dtype();
  std::vector<Tensor> states = c.tensors("hx");
  const std::vector<Tensor> params = c.tensors("params");
  const std::int64_t layers = moderate(c, c.integer("num_layers"), "a number of layers"), directions = both ? 2 : 1;
  // An LSTM whose two states differ in width projects its output.
  const auto widthOf = [](const Tensor &s) { return s.rank() == 0 ? 1 : s.size(s.rank() - 1); };
  const bool projects = cell == Cell::Lstm && states.size() > 1 && widthOf(states[0]) != widthOf(states[1]);
  const std::size_t each = (biases ? 4 : 2) + (projects ? 1 : 0);
  const bool unbatched = x.rank() == 2;
  if (unbatched)
    x = x.unsqueezed(batchFirst ? 0 : 1);
  if (batchFirst && x.rank() == 3)
    x = x.transposed(0, 1);
  if (x.rank() != 3 || states.empty() || states[0].rank() == 0 || layers < 0 ||
      params.size() != each * static_cast<std::size_t>(layers * directions))
    c.fail("the weights or states do not fit the layers");
  const std::int64_t time = x.size(0), batch = x.size(1), state = widthOf(states[0]),
                     hidden = widthOf(states[projects ? 1 : 0]);
  Doubles in = doublesOf(c, x);
  const Doubles h0 = doublesOf(c, states[0]),
                c0 = cell == Cell::Lstm && states.size() > 1 ? doublesOf(c, states[1]) : Doubles();
  const std::int64_t stateSize = batch * state, memorySize = batch * hidden;
  if (static_cast<std::int64_t>(h0.size()) != layers * directions * stateSize ||
      (cell == Cell::Lstm && static_cast<std::int64_t>(c0.size()) != layers * directions * memorySize))
    c.fail("the initial state does not fit the layers");
  const std::int64_t widest[] = {time, batch, std::max(state, hidden), directions};
  c.empty(DType::Float64, widest); // there is room for what a layer yields
  std::int64_t width = x.size(2);
  Doubles hn, cn;
  for (std::int64_t layer = 0; layer < layers; ++layer) {
    Doubles joined(static_cast<std::size_t>(time * batch * state * directions));
    for (std::int64_t d = 0; d < directions; ++d) {
      const std::int64_t k = layer * directions + d;
      const auto given = std::span(params).subspan(static_cast<std::size_t>(k) * each, each);
      Layer l = torchLayer(c, cell, name, projects ? given.first(each - 1) : given, width, hidden,
                           projects ? &given.back() : nullptr);
      l.reverse = d == 1;
      const auto part = [&](const Doubles &v, std::int64_t size) {
        return v.empty() ? Doubles() : Doubles(v.begin() + k * size, v.begin() + (k + 1) * size);
      };
      const LayerRun run = runLayer(l, in, time, batch, {}, part(h0, stateSize), part(c0, memorySize));
      for (std::int64_t i = 0; i < time * batch; ++i)
        std::copy_n(run.y.begin() + i * state, state, joined.begin() + (i * directions + d) * state);
      hn.insert(hn.end(), run.h.begin(), run.h.end());
      cn.insert(cn.end(), run.c.begin(), run.c.end());
    }
    in = std::move(joined);
    width = state * directions;
  }
  const std::int64_t shape[] = {time, batch, width}, stateShape[] = {layers * directions, batch, state},
                     memoryShape[] = {layers * directions, batch, hidden};
  Tensor y = tensorOfNumbers(c, shape, in, t);
  if (batchFirst)
    y = y.transposed(0, 1);
  const auto squeezed = [&](const Tensor &v, std::size_t axis) { return unbatched ? v.squeezed(axis) : v; };
  c.finish(0, squeezed(y, batchFirst ? 0 : 1));
  c.finish(1, squeezed(tensorOfNumbers(c, stateShape, hn, t), 1));
  if (cell == Cell::Lstm)
    c.finish(2, squeezed(tensorOfNumbers(c, memoryShape, cn, t), 1));
}

void executeRecurrentCell(ExecContext &c) {
  const std::string_view name = c.opName();
  const Cell cell = cellNamed(name);
  const Tensor &x = c.tensor("input");
  const std::vector<Tensor> states = c.tensors("hx");
  std::vector<Tensor> weights{c.tensor("w_ih"), c.tensor("w_hh")};
  if (c.hasArg("b_ih") && c.hasArg("b_hh")) {
    weights.push_back(c.tensor("b_ih"));
    weights.push_back(c.tensor("b_hh"));
  }
  if (x.rank() != 2 || states.empty() || states[0].rank() != 2)
    c.fail("the input or the state is no matrix");
  if (states[0].size(0) != x.size(0) ||
      (cell == Cell::Lstm && (states.size() < 2 || states[1].numel() != states[0].numel())))
    c.fail("the states do not fit the input");
  const std::int64_t batch = x.size(0), hidden = states[0].size(1);
  const Layer l = torchLayer(c, cell, name, weights, x.size(1), hidden);
  const LayerRun run = runLayer(l, doublesOf(c, x), 1, batch, {}, doublesOf(c, states[0]),
                                states.size() > 1 ? doublesOf(c, states[1]) : Doubles());
  c.finish(0, tensorOfNumbers(c, states[0].sizes(), run.h, x.dtype()));
  if (cell == Cell::Lstm)
    c.finish(1, tensorOfNumbers(c, states[0].sizes(), run.c, x.dtype()));
}

} // namespace condlint
