//===- Contrib.cpp - ONNX Runtime's own operators -------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Contrib.h"
#include "ElementKernels.h"
#include "FunctorsMath.h"
#include "Parts.h"
#include "Rows.h"
#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace condlint {

namespace {

/// \p x through the activation that is fused to what makes it; its numbers in the order of ONNX's attributes.
Tensor activated(const ExecContext &c, const Tensor &x, std::string_view name, const std::vector<double> &numbers) {
  const auto number = [&](std::size_t i, double otherwise) { return i < numbers.size() ? numbers[i] : otherwise; };
  if (name.empty())
    return x;
  if (name == "Relu")
    return map(c, Relu(), {operandOf(x)});
  if (name == "Tanh")
    return map(c, Tanh(), {operandOf(x)});
  if (name == "Sigmoid")
    return map(c, Sigmoid(), {operandOf(x)});
  if (name == "LeakyRelu") {
    LeakyRelu f;
    f.slope = number(0, 0.01);
    return map(c, f, {operandOf(x)});
  }
  if (name == "Elu") {
    Elu f;
    f.negative = number(0, 1.0);
    return map(c, f, {operandOf(x)});
  }
  if (name == "HardSigmoid") {
    HardSigmoid f;
    f.alpha = number(0, 0.2);
    f.beta = number(1, 0.5);
    return map(c, f, {operandOf(x)});
  }
  if (name == "Clip")
    return map(c, Clamp(), {operandOf(x), operandOf(number(0, -HUGE_VAL)), operandOf(number(1, HUGE_VAL))});
  c.fail(fmt::format("condlint does not execute the fused activation {}", name));
}

/// The axes of a factor as a product takes them: its batches in front, its last two swapped where that is asked for.
Tensor factorOf(const Tensor &t, bool swaps, bool swapsBatches) {
  if (t.rank() < 2)
    return t;
  std::vector<std::size_t> order(t.rank());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (swapsBatches)
    std::rotate(order.begin(), order.begin() + 1, order.end() - 1);
  if (swaps)
    std::swap(order[order.size() - 2], order.back());
  return t.permuted(order);
}

} // namespace

void executeFusedMatMul(ExecContext &c) {
  const Tensor a = factorOf(c.in(0), c.flag("transA"), c.flag("transBatchA"));
  const Tensor b = factorOf(c.in(1), c.flag("transB"), c.flag("transBatchB"));
  if (a.dtype() != b.dtype())
    c.fail("the factors are not of one type");
  const Tensor out = wideMatmul(c, a, b);
  const double alpha = c.real("alpha", 1.0);
  c.set(0, cast(c, alpha == 1 ? out : mul(c, operandOf(out), operandOf(alpha)), a.dtype()));
}

void executeFusedGemm(ExecContext &c) {
  std::vector<double> numbers;
  for (const char *name : {"activation_alpha", "activation_beta", "activation_gamma"})
    if (c.attribute(name))
      numbers.push_back(c.real(name));
  c.set(0, activated(c, gemmOf(c), c.text("activation"), numbers));
}

void executeFusedConv(ExecContext &c) {
  Tensor out = convOf(c);
  if (const Tensor *sum = c.maybe(3)) {
    if (!std::ranges::equal(sum->sizes(), out.sizes()))
      c.fail("what is added has another shape than the convolution");
    out = add(c, operandOf(out), operandOf(*sum));
  }
  c.set(0, activated(c, out, c.text("activation"), c.reals("activation_params").value_or(std::vector<double>())));
}

/// The sum of two tensors and of a bias, normalized.
void executeSkipNormalization(ExecContext &c) {
  const bool centre = c.opName() == "SkipLayerNormalization";
  const Tensor &x = c.in(0), &skip = c.in(1);
  if (x.rank() < 2 || skip.rank() > x.rank() || !std::ranges::equal(broadcast(c, x.sizes(), skip.sizes()), x.sizes()))
    c.fail(fmt::format("what is added, of shape {}, does not fit {}", shapeText(skip.sizes()), shapeText(x.sizes())));
  Tensor sum = add(c, operandOf(x), operandOf(skip));
  if (const Tensor *bias = c.maybe(centre ? 4 : 3))
    sum = add(c, operandOf(sum), operandOf(*bias));
  const std::size_t last[] = {x.rank() - 1};
  const Normalized n =
      normalized(c, sum, last, c.maybe(2), centre ? c.maybe(3) : nullptr, c.real("epsilon", 1e-12), centre);
  c.set(0, n.out);
  c.set(1, n.mean);
  c.set(2, n.inverse);
  c.set(3, sum);
}

void executeEmbedNormalization(ExecContext &c) {
  const Tensor &ids = c.in(0);
  if (ids.rank() != 2)
    c.fail(fmt::format("the words are no matrix, but of shape {}", shapeText(ids.sizes())));
  const std::int64_t batch = ids.size(0), length = ids.size(1);
  const auto rows = [&](std::size_t table, const Tensor &at) {
    if (!std::ranges::equal(at.sizes(), ids.sizes()))
      c.fail("the words, their segments and their positions do not fit each other");
    return rowsAt(c, c.in(table), integersOf(c, at));
  };
  Tensor sum = rows(2, ids);
  Sizes places;
  if (const Tensor *given = c.maybe(8)) {
    if (given->rank() != 2 || given->size(1) != length || (given->size(0) != 1 && given->size(0) != batch))
      c.fail("the words and their positions do not fit each other");
    places = integersOf(c, expanded(c, *given, ids.sizes()));
  } else {
    for (std::int64_t i = 0; i < ids.numel(); ++i)
      places.push_back(i % length);
  }
  sum = add(c, operandOf(sum), operandOf(rowsAt(c, c.in(3), places)));
  if (c.has(1) && c.has(4))
    sum = add(c, operandOf(sum), operandOf(rows(4, c.in(1))));
  sum = reshaped(c, sum, Sizes{batch, length, sum.size(1)});
  const std::size_t last[] = {2};
  c.set(0, normalized(c, sum, last, &c.in(5), &c.in(6), c.real("epsilon", 1e-12)).out);
  // How many words each row has.
  std::vector<double> counts(static_cast<std::size_t>(batch), 0);
  if (const Tensor *mask = c.maybe(7)) {
    const Sizes seen = integersOf(c, *mask);
    if (!std::ranges::equal(mask->sizes(), ids.sizes()))
      c.fail("the words and their mask do not fit each other");
    for (std::size_t i = 0; i < seen.size(); ++i)
      counts[i / static_cast<std::size_t>(length)] += seen[i] == 1 ? 1 : 0;
  }
  c.set(1, cast(c, tensorOf(c, Sizes{batch}, counts), DType::Int32));
  c.set(2, sum);
}

/// Pairs of each head turned by their position: that of the operand 1, or the number of the place behind it.
void executeContribRotary(ExecContext &c) {
  const Tensor &given = c.in(0), &first = c.in(1), &cosines = c.in(2), &sines = c.in(3);
  if (c.flag("is_packed_batching"))
    c.fail("condlint does not execute rotary embeddings of packed batches");
  if ((given.rank() != 3 && given.rank() != 4) || cosines.rank() != 2 || sines.rank() != 2)
    c.fail(fmt::format("a tensor of shape {} has no heads to rotate", shapeText(given.sizes())));
  const bool flat = given.rank() == 3;
  std::int64_t rotated = c.integer("rotary_embedding_dim", 0), heads = c.integer("num_heads", 0);
  if (flat && heads == 0 && rotated == 0 && cosines.size(1) != 0)
    heads = given.size(2) / (2 * cosines.size(1));
  // [batch, length, heads, width]
  const Tensor x = splitHeads(c, given, heads).transposed(1, 2);
  rotated = rotated == 0 ? x.size(3) : rotated;
  if (rotated < 0 || rotated > x.size(3) || rotated % 2 != 0 || cosines.size(1) != rotated / 2 ||
      !std::ranges::equal(cosines.sizes(), sines.sizes()))
    c.fail("the part that is rotated does not fit the heads");
  const std::int64_t batch = x.size(0), length = x.size(1);
  Sizes places = integersOf(c, first);
  if (first.numel() == 1) {
    const std::int64_t start = places[0];
    places.resize(static_cast<std::size_t>(batch * length));
    for (std::size_t i = 0; i < places.size(); ++i)
      places[i] = start + static_cast<std::int64_t>(i) % length;
  } else if (first.rank() != 2 || first.size(0) != batch || first.size(1) != length) {
    c.fail("the positions do not fit the input");
  }
  const auto table = [&](const Tensor &t) {
    return reshaped(c, rowsAt(c, t, places), Sizes{batch, length, 1, rotated / 2});
  };
  const Tensor out = rotatedPairs(c, x, table(cosines), table(sines), rotated, c.flag("interleaved"));
  c.set(0, flat ? reshaped(c, out, given.sizes()) : contiguous(c, out.transposed(1, 2)));
}

} // namespace condlint
