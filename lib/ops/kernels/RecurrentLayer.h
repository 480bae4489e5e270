//===- RecurrentLayer.h - One recurrent layer, one direction ----*- C++ -*-===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the kernels of torch's and of ONNX's recurrent operators share: the layer
// that each makes of its operands, and the steps that are taken with it.
//
//===----------------------------------------------------------------------===//
#ifndef CONDLINT_LIB_OPS_KERNELS_RECURRENTLAYER_H
#define CONDLINT_LIB_OPS_KERNELS_RECURRENTLAYER_H

#include "condlint/Tensor.h"
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace condlint::recurrent {

using Doubles = std::vector<double>;
using Activation = std::function<double(double)>;

enum class Cell : std::uint8_t { Rnn, Gru, Lstm };
inline double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

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
bool isNarrow(DType t);
std::vector<float> narrowed(const Doubles &v);

struct LayerRun {
  Doubles y; ///< [time, batch, state]
  Doubles h, c;
};

/// What is left of \p v when it is written in 256 steps from its least to its largest number, 0 among them.
void quantizeDynamically(std::span<double> v);

/// Runs \p l over \p x, [time, batch, input]. \p h, [batch, state], and, of an LSTM, \p c, [batch, hidden], are the
/// states it begins with. \p lengths are those of the sequences; empty: each is as long as \p x.
LayerRun runLayer(const Layer &l, const Doubles &x, std::int64_t time, std::int64_t batch, const Sizes &lengths,
                  Doubles h, Doubles c);

} // namespace condlint::recurrent

#endif // CONDLINT_LIB_OPS_KERNELS_RECURRENTLAYER_H
