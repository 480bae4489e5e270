//===- RecurrentOnnx.cpp - ONNX's recurrent operators, executed -----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Checked.h"
#include "ElementKernels.h"
#include "Recurrent.h"
#include "RecurrentLayer.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace condlint {

using namespace recurrent;

namespace {

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
  if (const std::int64_t named = c.integer("hidden_size", o.hidden); named != o.hidden)
    c.fail(fmt::format("hidden_size is {}, but weights of the shape {} are for {}", named, shapeText(r.sizes()),
                       o.hidden));
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

} // namespace condlint
