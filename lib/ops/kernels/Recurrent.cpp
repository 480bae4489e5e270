//===- Recurrent.cpp - torch's recurrent operators, executed --------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Recurrent.h"
#include "Checked.h"
#include "ElementKernels.h"
#include "RecurrentLayer.h"
#include <algorithm>
#include <cmath>
#include <span>

namespace condlint {

using namespace recurrent;

namespace {

std::vector<float> floatsOf(const ExecContext &c, const Tensor &t) {
  const Tensor dense = contiguous(c, cast(c, t, DType::Float32));
  return {dense.as<float>(), dense.as<float>() + dense.numel()};
}

Tensor tensorOfNumbers(const ExecContext &c, SizeSpan sizes, const Doubles &v, DType t) {
  return cast(c, tensorOf(c, sizes, v), t);
}

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
  const std::size_t each = (biases ? 4U : 2U) + (projects ? 1U : 0U);
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
