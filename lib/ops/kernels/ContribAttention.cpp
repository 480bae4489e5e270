//===- ContribAttention.cpp - The attention of ONNX Runtime ---------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ContribAttention.h"
#include "ElementKernels.h"
#include "Functors.h"
#include "Parts.h"
#include "Rows.h"
#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace condlint {

namespace {

/// Queries, keys and values in heads: [batch, heads, length, width].
struct Heads {
  Tensor q, k, v;
  std::int64_t past = 0; ///< so many keys come before those of the queries
};

/// What is added to scores where a key is not to be seen, by the mask in its many forms and by the order of the keys.
class Hidden {
public:
  Hidden(const ExecContext &context, const Heads &h)
      : c(context), batch(h.q.size(0)), queries(h.q.size(2)), keys(h.k.size(2)), past(h.past),
        filter(c.real("mask_filter_value", -10000.0)), added(static_cast<std::size_t>(batch * queries * keys), 0.0) {}

  void apply(const Tensor &mask) {
    const Sizes seen = integersOf(c, mask);
    const auto is = [&](std::initializer_list<std::int64_t> sizes) { return std::ranges::equal(mask.sizes(), sizes); };
    const auto hide = [&](const auto &sees) {
      for (std::int64_t b = 0; b < batch; ++b)
        for (std::int64_t i = 0; i < queries; ++i)
          for (std::int64_t j = 0; j < keys; ++j)
            if (!sees(b, i, j))
              at(b, i, j) += filter;
    };
    const auto entry = [&](std::int64_t i) { return seen[static_cast<std::size_t>(i)]; };
    if (is({batch, keys}))
      return hide([&](auto b, auto, auto j) { return entry(b * keys + j) > 0; });
    if (is({batch, queries, keys}))
      return hide([&](auto b, auto i, auto j) { return entry((b * queries + i) * keys + j) > 0; });
    if (is({batch}))
      return hide([&](auto b, auto, auto j) { return j < entry(b); });
    if (is({2 * batch})) // the ends, then the starts
      return hide([&](auto b, auto, auto j) { return j < entry(b) && j >= entry(batch + b); });
    const std::int64_t most = mask.rank() == 4 ? mask.size(3) : 0;
    if (most >= keys && most >= past + queries && is({batch, 1, most, most}))
      return hide([&](auto b, auto i, auto j) { return entry((b * most + past + i) * most + j) > 0; });
    c.fail(fmt::format("a mask of shape {} does not fit the keys", shapeText(mask.sizes())));
  }

  /// Later keys than the query. Of keys that are not the queries' own ONNX Runtime shows the last query all.
  void applyOrder() {
    if (past + queries != keys)
      c.fail("condlint executes no causal attention to the keys of another sequence");
    for (std::int64_t b = 0; b < batch; ++b)
      for (std::int64_t i = 0; i < queries; ++i)
        for (std::int64_t j = past + i + 1; j < keys; ++j)
          at(b, i, j) = std::numeric_limits<float>::lowest();
  }

  Tensor bias(DType t) const { return cast(c, tensorOf(c, Sizes{batch, 1, queries, keys}, added), t); }

private:
  double &at(std::int64_t b, std::int64_t i, std::int64_t j) {
    return added[static_cast<std::size_t>((b * queries + i) * keys + j)];
  }

  const ExecContext &c;
  std::int64_t batch, queries, keys, past;
  double filter;
  std::vector<double> added;
};

/// The values by the weights of their keys, [batch, length, hidden].
Tensor attended(const ExecContext &c, const Heads &h, const Tensor *mask, const Tensor *bias) {
  const DType t = h.q.dtype(), computed = dtypeOf(computeOf(t));
  if (h.q.size(0) != h.k.size(0) || h.q.size(0) != h.v.size(0) || h.q.size(1) != h.k.size(1) ||
      h.q.size(1) != h.v.size(1) || h.k.size(2) != h.v.size(2) || h.q.size(3) != h.k.size(3))
    c.fail(fmt::format("the heads do not fit each other: {}, {} and {}", shapeText(h.q.sizes()), shapeText(h.k.sizes()),
                       shapeText(h.v.sizes())));
  const double given = c.real("scale", 0.0),
               scale = given == 0 ? 1 / std::sqrt(static_cast<double>(h.q.size(3))) : given;
  Tensor scores =
      matmul(c, mul(c, operandOf(cast(c, h.q, computed)), operandOf(scale)), cast(c, h.k, computed).transposed(2, 3));
  Hidden hidden(c, h);
  if (mask)
    hidden.apply(*mask);
  if (c.flag("unidirectional"))
    hidden.applyOrder();
  scores = add(c, operandOf(scores), operandOf(hidden.bias(computed)));
  if (bias) {
    if (!std::ranges::equal(broadcast(c, scores.sizes(), bias->sizes()), scores.sizes()))
      c.fail("what is added to the scores does not fit them");
    scores = add(c, operandOf(scores), operandOf(cast(c, *bias, computed)));
  }
  return joinHeads(c, cast(c, matmul(c, softmax(c, scores, 3, computed), cast(c, h.v, computed)), t));
}

/// The keys or values that were there, and then \p now.
Tensor behind(const ExecContext &c, const Tensor &past, const Tensor &now) {
  if (past.rank() != 4 || past.size(0) != now.size(0) || past.size(1) != now.size(1) || past.size(3) != now.size(3))
    c.fail(fmt::format("a past of shape {} does not fit the heads", shapeText(past.sizes())));
  const Tensor parts[] = {past, now};
  return concatenated(c, parts, 2);
}

} // namespace

/// One product makes queries, keys and values of the input.
void executeContribAttention(ExecContext &c) {
  const Tensor &x = c.in(0), &w = c.in(1);
  if (c.flag("do_rotary") || c.flag("past_present_share_buffer"))
    c.fail("condlint executes no attention that rotates or that shares its past");
  if (x.rank() != 3 || w.rank() != 2)
    c.fail("the input or the weights of attention have other axes than theirs");
  const std::int64_t heads = c.integer("num_heads");
  const Sizes widths = c.integers("qkv_hidden_sizes").value_or(Sizes(3, w.size(1) / 3));
  if (widths.size() != 3 || std::ranges::any_of(widths, [](std::int64_t n) { return n < 0 || n > INT32_MAX; }) ||
      widths[0] + widths[1] + widths[2] != w.size(1))
    c.fail("the weights of attention do not make queries, keys and values");
  Tensor all = wideMatmul(c, x, w);
  if (const Tensor *bias = c.maybe(2))
    all = add(c, operandOf(all), operandOf(cast(c, *bias, all.dtype())));
  all = cast(c, all, x.dtype());
  const auto part = [&](std::int64_t from, std::int64_t width) {
    return splitHeads(c, all.sliced(2, from, width), heads);
  };
  Heads h{part(0, widths[0]), part(widths[0], widths[1]), part(widths[0] + widths[1], widths[2])};
  if (const Tensor *past = c.maybe(4)) {
    if (past->rank() != 5 || past->size(0) != 2)
      c.fail(fmt::format("a past of shape {} has no keys and values", shapeText(past->sizes())));
    h.past = past->size(3);
    h.k = behind(c, past->selected(0, 0), h.k);
    h.v = behind(c, past->selected(0, 1), h.v);
  }
  c.set(0, attended(c, h, c.maybe(3), c.maybe(5)));
  if (c.wants(1)) {
    if (!std::ranges::equal(h.k.sizes(), h.v.sizes()))
      c.fail("keys and values of two widths are no present");
    const Tensor parts[] = {h.k.unsqueezed(0), h.v.unsqueezed(0)};
    c.set(1, concatenated(c, parts, 0));
  }
}

/// Queries, keys and values are given, apart or packed.
void executeMultiHeadAttention(ExecContext &c) {
  const std::int64_t heads = c.integer("num_heads");
  const Tensor &query = c.in(0);
  if (heads <= 0)
    c.fail("attention needs heads");
  if (c.has(8) || c.has(9))
    c.fail("condlint executes no attention that shares its past");
  Heads h;
  // [batch, length, heads, parts, width], of which this part.
  const auto packed = [](const Tensor &t, std::int64_t part) { return t.selected(3, part).transposed(1, 2); };
  if (query.rank() == 5 && query.size(3) == 3 && !c.has(1) && !c.has(2)) {
    h = {packed(query, 0), packed(query, 1), packed(query, 2)};
  } else if (query.rank() == 3 && c.has(1) && c.in(1).rank() == 5 && c.in(1).size(3) == 2 && !c.has(2)) {
    h = {splitHeads(c, query, heads), packed(c.in(1), 0), packed(c.in(1), 1)};
  } else if (query.rank() == 3) {
    h = {splitHeads(c, query, heads), splitHeads(c, c.in(1), heads), splitHeads(c, c.in(2), heads)};
  } else {
    c.fail(fmt::format("a query of shape {} has no heads", shapeText(query.sizes())));
  }
  if (const Tensor *bias = c.maybe(3)) {
    const std::int64_t q = h.q.size(1) * h.q.size(3), k = h.k.size(1) * h.k.size(3), v = h.v.size(1) * h.v.size(3);
    if (bias->rank() != 1 || bias->numel() != q + k + v)
      c.fail("the bias does not fit the heads");
    const auto plus = [&](Tensor &t, std::int64_t from, std::int64_t width) {
      const std::int64_t shape[] = {t.size(1), 1, t.size(3)};
      t = add(c, operandOf(t), operandOf(reshaped(c, bias->sliced(0, from, width), shape)));
    };
    plus(h.q, 0, q);
    plus(h.k, q, k);
    plus(h.v, q + k, v);
  }
  if (c.has(6) && c.has(7)) {
    h.past = c.in(6).rank() == 4 ? c.in(6).size(2) : 0;
    h.k = behind(c, c.in(6), h.k);
    h.v = behind(c, c.in(7), h.v);
  }
  c.set(0, attended(c, h, c.maybe(4), c.maybe(5)));
  c.set(1, contiguous(c, h.k));
  c.set(2, contiguous(c, h.v));
  if (c.wants(3))
    c.fail("condlint computes the scores of this attention for itself only");
}

} // namespace condlint
