//===- Recurrent.cpp - Recurrent layers and cells -------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kernels/Recurrent.h"
#include "Elementwise.h"
#include "Facets.h"
#include "Families.h"
#include "OpTable.h"
#include "Shape.h"
#include "graph/TypeWords.h"
#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <initializer_list>
#include <vector>

namespace condlint {
namespace {

// --- ONNX -------------------------------------------------------------------

/// Whether \p name is a function that a recurrent layer may apply, in any case of its letters, as ONNX Runtime reads
/// it.
bool isActivation(std::string_view name) {
  constexpr std::string_view known[] = {"affine",   "elu",        "hardsigmoid",    "leakyrelu",
                                        "relu",     "scaledtanh", "sigmoid",        "softplus",
                                        "softsign", "tanh",       "thresholdedrelu"};
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return std::ranges::binary_search(known, lower);
}

/// The functions that are named, of each direction as many as the cell applies; the kernels read them as they are made.
/// That of RNN takes two in one direction, too.
void expectActivations(InferContext &c, Dim directions, std::size_t each) {
  const Attribute *a = c.attribute("activations");
  if (!a || a->kind != AttributeKind::Strings || a->list.count == 0)
    return;
  for (const StringId name : c.model().stringsIn(a->list))
    if (!isActivation(c.model().text(name)))
      return c.reject(fmt::format("{} has no activation '{}'", c.opName(), c.model().text(name)), std::nullopt,
                      FaultKind::Unequal);
  const auto n = c.dims().asConstant(directions);
  const std::size_t needed = n ? each * static_cast<std::size_t>(*n) : 0;
  const bool hasSpare = each == 1 && needed == 1 && a->list.count == 2;
  if (n && a->list.count != needed && !hasSpare)
    c.reject(fmt::format("{} names {} activations, and needs {}", c.opName(), a->list.count, needed), std::nullopt,
             FaultKind::Unequal);
}

/// Bias, lengths, first states and peepholes, which kernels alone compare with the rest.
void expectStates(InferContext &c, std::int64_t gates, Dim directions, Dim hidden, Dim batch, bool batchFirst) {
  DimTable &dims = c.dims();
  const auto times = [&](std::int64_t n) { return dims.mul(hidden, dims.constant(n)); };
  const auto admit = [&](std::size_t i, std::initializer_list<Dim> sizes, std::string_view what) {
    const Type &t = c.type(i);
    if (!c.has(i) || !t.hasRank || mayAgree(dims, t.dims, std::vector<Dim>(sizes)))
      return true;
    c.reject(fmt::format("{}: {} must be of the shape {}, but is of {}", c.opName(), what,
                         spellDims(dims, std::vector<Dim>(sizes)), spellDims(dims, t.dims)),
             i, FaultKind::Unequal);
    return false;
  };
  const Dim outer = batchFirst ? batch : directions, inner = batchFirst ? directions : batch;
  if (!admit(2, {directions, times(gates), hidden}, "R") || !admit(3, {directions, times(2 * gates)}, "B") ||
      !admit(4, {batch}, "sequence_lens") || !admit(5, {outer, inner, hidden}, "initial_h") || gates != 4)
    return;
  if (admit(6, {outer, inner, hidden}, "initial_c"))
    admit(7, {directions, times(3)}, "P");
}

/// RNN, GRU and LSTM differ in the number of gates and in the state of the cell.
void inferLayer(InferContext &c, std::int64_t gates) {
  const Type &x = c.type(0), &weights = c.type(1), &recurrence = c.type(2);
  bool sound = admitRank(c, 0, 3, 3, "the input");
  sound &= admitRank(c, 1, 3, 3, "W");
  sound &= admitRank(c, 2, 3, 3, "R");

  // GRU's first version misspells its default.
  const std::string_view direction = c.stringAttr("direction", "forward");
  Dim directions;
  if (direction == "bidirectional")
    directions = c.constant(2);
  else if (direction == "forward" || direction == "foward" || direction == "reverse")
    directions = c.constant(1);
  else
    c.reject(fmt::format("{} has no direction '{}'", c.opName(), direction));
  if (weights.dims.size() == 3)
    directions = mustEqual(c, directions, weights.dims[0], "the number of directions and the first size of W", 1);

  Dim hidden;
  if (const auto size = c.intAttr("hidden_size"))
    hidden = c.constant(*size);
  if (recurrence.dims.size() == 3) {
    hidden = mustEqual(c, hidden, recurrence.dims[2], "hidden_size and the last size of R", 2);
    mustEqual(c, c.dims().mul(hidden, c.constant(gates)), recurrence.dims[1],
              fmt::format("{} times hidden_size and the second size of R", gates), 2);
  }
  if (!hidden.known() && weights.dims.size() == 3)
    if (const auto rows = c.dims().asConstant(weights.dims[1]); rows && *rows % gates == 0)
      hidden = c.constant(*rows / gates);
  if (hidden.known() && weights.dims.size() == 3)
    mustEqual(c, c.dims().mul(hidden, c.constant(gates)), weights.dims[1],
              fmt::format("{} times hidden_size and the second size of W", gates), 1);
  if (x.dims.size() == 3 && weights.dims.size() == 3)
    mustEqual(c, x.dims[2], weights.dims[2], "the last sizes of the input and of W", 1);

  const DType element = x.element != DType::Unknown ? x.element : weights.element;
  const bool batchFirst = c.version() >= 14 && c.intAttr("layout", 0) == 1;
  const bool shaped = sound && x.hasRank;
  const Dim steps = shaped ? x.dims[batchFirst ? 1 : 0] : Dim();
  const Dim batch = shaped ? x.dims[batchFirst ? 0 : 1] : Dim();
  c.setResult(0, batchFirst ? c.tensor(element, {batch, steps, directions, hidden})
                            : c.tensor(element, {steps, directions, batch, hidden}));
  for (std::size_t i = 1; i < c.resultCount(); ++i)
    c.setResult(i, batchFirst ? c.tensor(element, {batch, directions, hidden})
                              : c.tensor(element, {directions, batch, hidden}));
  expectActivations(c, directions, gates == 1 ? 1 : static_cast<std::size_t>(gates - 1));
  if (sound)
    expectStates(c, gates, directions, hidden, batch, batchFirst);
}
void inferRnn(InferContext &c) { inferLayer(c, 1); }
void inferGru(InferContext &c) { inferLayer(c, 3); }
void inferLstm(InferContext &c) { inferLayer(c, 4); }

/// ONNX Runtime's DynamicQuantizeLSTM: W [directions, input, 4 * hidden] and R [directions, hidden, 4 * hidden] of
/// whole numbers; what it yields is an LSTM's.
void inferQuantizedLstm(InferContext &c) {
  const Type &x = c.type(0), &recurrence = c.type(2);
  bool sound = admitRank(c, 0, 3, 3, "the input");
  sound &= admitRank(c, 1, 3, 3, "W");
  sound &= admitRank(c, 2, 3, 3, "R");
  const Dim directions = c.constant(c.stringAttr("direction", "forward") == "bidirectional" ? 2 : 1);
  Dim hidden;
  if (const auto size = c.intAttr("hidden_size"))
    hidden = c.constant(*size);
  if (recurrence.dims.size() == 3)
    hidden = mustEqual(c, hidden, recurrence.dims[1], "hidden_size and the second size of R", 2);
  if (x.dims.size() == 3 && c.type(1).dims.size() == 3)
    mustEqual(c, x.dims[2], c.type(1).dims[1], "the last size of the input and the second of W", 1);
  const bool shaped = sound && x.hasRank;
  const Dim steps = shaped ? x.dims[0] : Dim(), batch = shaped ? x.dims[1] : Dim();
  c.setResult(0, c.tensor(x.element, {steps, directions, batch, hidden}));
  for (std::size_t i = 1; i < c.resultCount(); ++i)
    c.setResult(i, c.tensor(x.element, {directions, batch, hidden}));
}

// --- torch ------------------------------------------------------------------

/// `lstm.input(input, hx[], ...)`, `lstm.data(data, batch_sizes, hx[], ...)` and
/// the same of gru and rnn with one `hx`: the outputs of all steps, then the
/// last states, which are as large as the first.
void inferTorchLayer(InferContext &c) {
  const bool packed = c.overload() == "data";
  const Type &input = c.argType(packed ? "data" : "input");
  const std::vector<ValueId> states = c.argList("hx");
  if (!input.isTensor() || states.empty() || !states[0])
    return;
  for (std::size_t i = 0; i < states.size() && i + 1 < c.resultCount(); ++i)
    if (states[i] && c.typeOf(states[i]).isTensor())
      c.setResult(i + 1, looseLike(c, input.element, c.typeOf(states[i])).view());
  const Type &state = c.typeOf(states[0]);
  const auto bidirectional = c.intAttr("bidirectional");
  Dim width = dimAt(state, -1);
  width = bidirectional ? c.dims().mul(width, c.constant(*bidirectional != 0 ? 2 : 1)) : Dim();
  const auto shape = batchShape(input, 1, {width});
  c.setResult(0, (shape ? looseTensor(c, input.element, *shape, input) : freshTensor(c, input.element, input)).view());
}

/// The rows of the weights of a cell are the gates of each hidden feature.
void expectGates(InferContext &c, const Type &state) {
  const std::string_view name = c.opName();
  const std::int64_t gates = name == "lstm_cell" ? 4 : name == "gru_cell" ? 3 : 1;
  const Dim rows = state.hasRank && state.dims.size() == 2 ? c.dims().mul(state.dims[1], c.constant(gates)) : Dim();
  for (const std::string_view weight : {"w_ih", "w_hh"})
    if (const Type &w = c.argType(weight); rows.known() && w.hasRank && w.dims.size() == 2)
      expectEqual(c, w.dims[0], rows, fmt::format("the rows of {} and {} times the hidden size", weight, gates));
  for (const std::string_view bias : {"b_ih", "b_hh"})
    if (const Type &b = c.argType(bias); rows.known() && b.hasRank && !b.dims.empty())
      if (!stretches(c.dims(), b.dims.last(1), std::span(&rows, 1)))
        c.reject(fmt::format("{}: the {} {} does not broadcast to {} gates", name, bias, spellDims(c.dims(), b.dims),
                             c.dims().str(rows)));
}

/// One step: each result is as large as the state it replaces.
void inferTorchCell(InferContext &c) {
  // One state, or a list of two.
  std::vector<ValueId> states = c.argList("hx");
  if (!states.empty() && states[0])
    expectGates(c, c.typeOf(states[0]));
  for (std::size_t i = 0; i < states.size() && i < c.resultCount(); ++i)
    if (states[i] && c.typeOf(states[i]).isTensor())
      c.setResult(i, looseLike(c, c.typeOf(states[i]).element, c.typeOf(states[i])).view());
}

/// The fused steps of CUDA: new states, and a workspace for the gradient.
void inferFusedLstmCell(InferContext &c) {
  const Type &state = c.argType("cx"), &gates = c.argType("input_gates");
  if (!state.isTensor())
    return;
  c.setResult(0, looseLike(c, state.element, state).view());
  c.setResult(1, looseLike(c, state.element, state).view());
  if (gates.isTensor())
    c.setResult(2, looseLike(c, gates.element, gates).view());
}
void inferFusedGruCell(InferContext &c) {
  const Type &state = c.argType("hx");
  if (!state.isTensor())
    return;
  c.setResult(0, looseLike(c, state.element, state).view());
  const auto workspace = batchShape(state, 1, {c.dims().mul(dimAt(state, -1), c.constant(5))});
  if (workspace)
    c.setResult(1, looseTensor(c, state.element, *workspace, state).view());
}

constexpr OpRow rows[] = {
    {"rnn", inferRnn, executeRecurrentOnnx, "", "RNN"},
    {"gru", inferGru, executeRecurrentOnnx, "", "GRU"},
    {"lstm", inferLstm, executeRecurrentOnnx, "", "LSTM"},
    {"quantized_lstm", inferQuantizedLstm, executeRecurrentOnnx, "", "com.microsoft::DynamicQuantizeLSTM"},
    {"recurrent_layer", inferTorchLayer, executeRecurrentLayer, "aten.lstm aten.gru aten.rnn_tanh aten.rnn_relu", ""},
    {"recurrent_cell", inferTorchCell, executeRecurrentCell,
     "aten.lstm_cell aten.gru_cell aten.rnn_tanh_cell aten.rnn_relu_cell", ""},
    {"fused_lstm_cell", inferFusedLstmCell, nullptr, "aten._thnn_fused_lstm_cell", ""},
    {"fused_gru_cell", inferFusedGruCell, nullptr, "aten._thnn_fused_gru_cell", ""},
};

} // namespace

OpFamily recurrentFamily() {
  static const OpTable table{rows};
  return table.family();
}

} // namespace condlint
