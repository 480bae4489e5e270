//===- Attention.cpp - Attention, executed --------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Attention.h"
#include "ElementKernels.h"
#include "FunctorsMath.h"
#include "Parts.h"
#include "Rows.h"
#include <algorithm>
#include <fmt/format.h>

namespace condlint {

namespace {

constexpr double infinity = HUGE_VAL;

/// How many keys before and behind its own position a query sees; below zero: all.
struct Window {
  std::int64_t left = -1, right = -1;
  bool isOpen() const { return left < 0 && right < 0; }
};

/// 0 where a query may see a key, -inf elsewhere: [queries, keys], of \p t.
Tensor windowBias(const ExecContext &c, std::int64_t queries, std::int64_t keys, std::int64_t past, Window sees,
                  DType t) {
  const std::int64_t shape[] = {queries, keys};
  const Tensor bias = c.empty(t, shape);
  char *to = bias.deviceOutBytes();
  forEach(c.device(), queries * keys, [=] CONDLINT_HD(std::int64_t i) {
    const std::int64_t ahead = i % keys - i / keys - past;
    const bool isSeen = (sees.right < 0 || ahead <= sees.right) && (sees.left < 0 || -ahead <= sees.left);
    storeElement<double>(t, to, i, isSeen ? 0.0 : -std::numeric_limits<double>::infinity());
  });
  return bias;
}

/// The same for each batch, in which the first \p lengths keys count and the queries are the last of them:
/// [batches, 1, queries, keys].
Tensor windowsAtEnd(const ExecContext &c, std::int64_t queries, std::int64_t keys,
                    const std::vector<std::int64_t> &lengths, Window sees, DType t) {
  const std::int64_t shape[] = {1, 1, queries, keys};
  std::vector<Tensor> parts;
  for (const std::int64_t length : lengths)
    parts.push_back(reshaped(c, windowBias(c, queries, keys, length - queries, sees, t), shape));
  return concatenated(c, parts, 0);
}

/// What a causal query sees: nothing behind itself.
constexpr Window causal{-1, 0};

/// A mask of truths as what is added to scores.
Tensor asBias(const ExecContext &c, const Tensor &mask, DType t) {
  if (mask.dtype() != DType::Bool)
    return cast(c, mask, t);
  return elementwise(c, Select(), computeOf(t), t, {operandOf(mask), operandOf(0.0), operandOf(-infinity)});
}

/// Rows that see nothing yield zeros.
Tensor safeSoftmax(const ExecContext &c, const Tensor &scores) {
  const std::size_t last[] = {scores.rank() - 1};
  const Tensor top = reduced(c, scores, last, true, Reduction::Maximum, scores.dtype());
  const Tensor blind = map(c, Equal(), {operandOf(top), operandOf(-infinity)});
  const Tensor p = softmax(c, scores, scores.rank() - 1, scores.dtype());
  return select(c, expanded(c, blind, p.sizes()), operandOf(0.0), operandOf(p));
}

/// Repeats each head of axis \p axis \p times times.
Tensor repeatedHeads(const ExecContext &c, const Tensor &t, std::size_t axis, std::int64_t times) {
  if (times == 1)
    return t;
  Sizes wide, shape = sizesOf(t);
  const Tensor view = t.unsqueezed(axis + 1);
  wide = sizesOf(view);
  wide[axis + 1] = times;
  shape[axis] *= times;
  return reshaped(c, expanded(c, view, wide), shape);
}

/// The strides of the result: a fused kernel, which takes matrices whose rows lie together, makes an empty copy of the
/// query for it; the plain formula is row-major.
Sizes attentionStrides(const ExecContext &c, const Tensor &out) {
  const Tensor &query = c.tensor("query");
  const auto isFusable = [](const Tensor &t) { return t.rank() == 4 && t.stride(3) == 1; };
  const bool fuses = c.opName() != "_scaled_dot_product_attention_math" && isFusable(query) &&
                     isFusable(c.tensor("key")) && isFusable(c.tensor("value")) &&
                     std::ranges::equal(out.sizes(), query.sizes());
  return fuses ? preservedStrides(query) : contiguousStrides(out.sizes());
}

} // namespace

void executeScaledDotProductAttention(ExecContext &c) {
  const Tensor &query = c.tensor("query");
  Tensor key = c.tensor("key"), value = c.tensor("value");
  const std::string_view name = c.opName();
  if (c.real("dropout_p", 0.0) != 0)
    c.fail("condlint does not execute attention with dropout");
  if (query.rank() < 2 || key.rank() < 2 || value.rank() < 2)
    c.fail("the operands of attention have too few axes");
  const DType t = query.dtype(), computed = dtypeOf(computeOf(t));
  const std::int64_t width = query.size(query.rank() - 1), queries = query.size(query.rank() - 2),
                     keys = key.size(key.rank() - 2);
  const double scale = c.hasArg("scale") ? c.real("scale") : 1 / std::sqrt(static_cast<double>(width));
  if (c.flag("enable_gqa") && query.rank() >= 3) {
    const std::size_t heads = query.rank() - 3;
    if (key.rank() <= heads || value.rank() <= heads || value.size(heads) == 0 || key.size(heads) == 0 ||
        query.size(heads) % key.size(heads) != 0 || query.size(heads) % value.size(heads) != 0)
      c.fail("the heads do not fit each other");
    const std::int64_t times = query.size(heads) / key.size(heads), valueTimes = query.size(heads) / value.size(heads);
    key = repeatedHeads(c, key, heads, times);
    value = repeatedHeads(c, value, heads, valueTimes);
  }
  const Tensor q = mul(c, operandOf(cast(c, query, computed)), operandOf(scale));
  Tensor scores = matmul(c, q, cast(c, key, computed).transposed(key.rank() - 2, key.rank() - 1));
  if (c.flag("is_causal"))
    scores = add(c, operandOf(scores), operandOf(windowBias(c, queries, keys, 0, causal, computed)));
  const Tensor *mask = c.maybeTensor("attn_mask");
  if (!mask)
    mask = c.maybeTensor("attn_bias");
  if (mask)
    scores = add(c, operandOf(scores), operandOf(asBias(c, *mask, computed)));
  const Tensor p = safeSoftmax(c, scores);
  const Tensor out = cast(c, matmul(c, p, cast(c, value, computed)), t);
  c.finish(0, laidOut(c, out, attentionStrides(c, out)));
  if (c.resultCount() < 2)
    return;
  if (name == "_scaled_dot_product_attention_math") {
    c.finish(1, cast(c, p, t));
  } else if (name == "_scaled_dot_product_flash_attention_for_cpu") {
    const std::size_t last[] = {scores.rank() - 1};
    c.finish(1, reduced(c, scores, last, false, Reduction::LogSumExp, computed));
  } else {
    c.fail("condlint computes the first result of this attention only");
  }
}

// --- ONNX -----------------------------------------------------------------------

Tensor splitHeads(const ExecContext &c, const Tensor &t, std::int64_t heads) {
  if (t.rank() == 4)
    return t;
  if (t.rank() != 3 || heads <= 0 || t.size(2) % heads != 0)
    c.fail(fmt::format("{} heads do not fit a tensor of shape {}", heads, shapeText(t.sizes())));
  const std::int64_t shape[] = {t.size(0), t.size(1), heads, t.size(2) / heads};
  return reshaped(c, t, shape).transposed(1, 2);
}

Tensor joinHeads(const ExecContext &c, const Tensor &t) {
  const std::int64_t shape[] = {t.size(0), t.size(2), t.size(1) * t.size(3)};
  return contiguous(c, reshaped(c, t.transposed(1, 2), shape));
}

void executeAttention(ExecContext &c) {
  const DType t = c.in(0).dtype(), computed = dtypeOf(computeOf(t));
  const bool flat = c.in(0).rank() == 3;
  const Tensor q = splitHeads(c, c.in(0), c.integer("q_num_heads", 0));
  Tensor k = splitHeads(c, c.in(1), c.integer("kv_num_heads", 0)),
         v = splitHeads(c, c.in(2), c.integer("kv_num_heads", 0));
  for (const std::size_t i : {std::size_t{4}, std::size_t{5}})
    if (const Tensor *given = c.maybe(i); given && given->rank() != 4)
      c.fail(fmt::format("a past of shape {} has no heads", shapeText(given->sizes())));
  std::int64_t past = 0;
  if (const Tensor *pastKey = c.maybe(4)) {
    past = pastKey->size(2);
    const Tensor keys[] = {*pastKey, k};
    k = concatenated(c, keys, 2);
  }
  if (const Tensor *pastValue = c.maybe(5)) {
    const Tensor parts[] = {*pastValue, v};
    v = concatenated(c, parts, 2);
  }
  c.set(1, contiguous(c, k));
  c.set(2, contiguous(c, v));
  const std::int64_t queries = q.size(2), keys = k.size(2);
  if (k.size(1) == 0 || q.size(1) % k.size(1) != 0 || v.size(1) != k.size(1))
    c.fail("the heads do not fit each other");
  const std::int64_t times = q.size(1) / k.size(1);
  k = repeatedHeads(c, k, 1, times);
  v = repeatedHeads(c, v, 1, times);
  const double scale = std::sqrt(c.hasArg("scale") ? c.real("scale") : 1 / std::sqrt(static_cast<double>(q.size(3))));
  Tensor scores = matmul(c, mul(c, operandOf(cast(c, q, computed)), operandOf(scale)),
                         mul(c, operandOf(cast(c, k, computed).transposed(2, 3)), operandOf(scale)));
  const std::int64_t mode = c.integer("qk_matmul_output_mode", 0);
  Tensor shown = scores;
  if (const double cap = c.real("softcap", 0.0); cap > 0) {
    scores = mul(c, operandOf(map(c, Tanh(), {operandOf(div(c, operandOf(scores), operandOf(cap)))})), operandOf(cap));
    if (mode == 1)
      shown = scores;
  }
  if (const Tensor *mask = c.maybe(3)) {
    Tensor bias = asBias(c, *mask, computed);
    if (bias.rank() == 0)
      c.fail("a mask has no axis of keys");
    if (const std::int64_t missing = keys - bias.size(bias.rank() - 1); missing > 0) {
      Sizes shape = sizesOf(bias);
      shape.back() = missing;
      const Tensor parts[] = {bias, filled(c, computed, shape, Scalar::of(-infinity))};
      bias = concatenated(c, parts, bias.rank() - 1);
    }
    scores = add(c, operandOf(scores), operandOf(bias));
  }
  Window sees{c.integer("left_window_size", -1), c.integer("right_window_size", -1)};
  if (c.flag("is_causal"))
    sees.right = 0;
  const auto lengths = c.integersIn(6);
  if (!sees.isOpen()) {
    const bool isAtEnd = lengths && !lengths->empty() && !c.maybe(4);
    scores = add(c, operandOf(scores),
                 operandOf(isAtEnd ? windowsAtEnd(c, queries, keys, *lengths, sees, computed)
                                   : windowBias(c, queries, keys, past, sees, computed)));
  }
  if (lengths) {
    const std::int64_t shape[] = {q.size(0), 1, 1, keys};
    const Tensor bias = filled(c, computed, shape, Scalar::of(0.0));
    for (std::int64_t b = 0; b < q.size(0) && b < static_cast<std::int64_t>(lengths->size()); ++b)
      for (std::int64_t i = std::max<std::int64_t>((*lengths)[static_cast<std::size_t>(b)], 0); i < keys; ++i)
        storeElement<double>(computed, bias.outBytes(), b * keys + i, -infinity);
    scores = add(c, operandOf(scores), operandOf(bias));
  }
  if (mode == 2)
    shown = scores;
  const Tensor p = safeSoftmax(c, scores);
  if (mode == 3)
    shown = p;
  const Tensor out = cast(c, matmul(c, p, cast(c, v, computed)), t);
  c.set(0, flat ? joinHeads(c, out) : out);
  c.set(3, cast(c, shown, t));
}

void executeLinearAttention(ExecContext &c) {
  const std::string_view rule = c.text("update_rule", "gated_delta");
  const bool gated = rule == "gated" || rule == "gated_delta", delta = rule == "delta" || rule == "gated_delta";
  const std::int64_t queryHeads = c.integer("q_num_heads"), heads = c.integer("kv_num_heads");
  const DType t = c.in(0).dtype();
  const auto real = [&](const Tensor &x, std::int64_t n) {
    return contiguous(c, cast(c, splitHeads(c, x, n), DType::Float64));
  };
  if (c.in(0).rank() != 3 || heads <= 0 || queryHeads % heads != 0)
    c.fail("the heads do not fit each other");
  const Tensor q = real(c.in(0), queryHeads), k = real(c.in(1), heads), v = real(c.in(2), heads);
  const std::int64_t batch = q.size(0), length = q.size(2), keyWidth = k.size(3), valueWidth = v.size(3),
                     group = queryHeads / heads;
  const auto fits = [&](const Tensor &x) { return x.size(0) == batch && x.size(1) == heads && x.size(2) == length; };
  if (q.size(3) != keyWidth || !fits(k) || !fits(v))
    c.fail("queries, keys and values do not fit each other");
  const std::vector<double> decay = gated ? doublesOf(c, c.in(4)) : std::vector<double>();
  const std::vector<double> beta = delta ? doublesOf(c, c.in(5)) : std::vector<double>();
  if ((gated && c.in(4).rank() != 3) || (delta && c.in(5).rank() != 3))
    c.fail("decay or beta do not fit the heads");
  const std::int64_t decayWidth = gated ? c.in(4).size(2) : 0, betaWidth = delta ? c.in(5).size(2) : 0;
  if ((gated && decayWidth != heads && decayWidth != heads * keyWidth) ||
      (delta && betaWidth != heads && betaWidth != 1) ||
      static_cast<std::int64_t>(decay.size()) != batch * length * decayWidth ||
      static_cast<std::int64_t>(beta.size()) != batch * length * betaWidth)
    c.fail("decay or beta do not fit the heads");
  const double given = c.real("scale", 0.0), scale = given == 0 ? 1 / std::sqrt(static_cast<double>(keyWidth)) : given;
  const std::int64_t stateShape[] = {batch, heads, keyWidth, valueWidth},
                     outShape[] = {batch, queryHeads, length, valueWidth};
  const Tensor *past = c.maybe(3);
  const Tensor state =
      past ? copied(c, cast(c, *past, DType::Float64)) : filled(c, DType::Float64, stateShape, Scalar::of(0.0));
  if (past && !std::ranges::equal(past->sizes(), SizeSpan(stateShape)))
    c.fail("the state does not fit the heads");
  const Tensor out = c.empty(DType::Float64, outShape);
  std::vector<double> update(static_cast<std::size_t>(valueWidth));
  for (std::int64_t b = 0; b < batch; ++b)
    for (std::int64_t h = 0; h < heads; ++h) {
      double *s = state.out<double>() + (b * heads + h) * keyWidth * valueWidth;
      for (std::int64_t i = 0; i < length; ++i) {
        const double *key = k.as<double>() + ((b * heads + h) * length + i) * keyWidth;
        const double *value = v.as<double>() + ((b * heads + h) * length + i) * valueWidth;
        for (std::int64_t d = 0; d < keyWidth && gated; ++d) {
          const std::int64_t row = (b * length + i) * decayWidth;
          const double g =
              std::exp(decay[static_cast<std::size_t>(row + (decayWidth == heads ? h : h * keyWidth + d))]);
          for (std::int64_t m = 0; m < valueWidth; ++m)
            s[d * valueWidth + m] *= g;
        }
        for (std::int64_t m = 0; m < valueWidth; ++m) {
          double known = 0;
          for (std::int64_t d = 0; d < keyWidth && delta; ++d)
            known += s[d * valueWidth + m] * key[d];
          update[static_cast<std::size_t>(m)] =
              delta ? beta[static_cast<std::size_t>((b * length + i) * betaWidth + (betaWidth == 1 ? 0 : h))] *
                          (value[m] - known)
                    : value[m];
        }
        for (std::int64_t d = 0; d < keyWidth; ++d)
          for (std::int64_t m = 0; m < valueWidth; ++m)
            s[d * valueWidth + m] += key[d] * update[static_cast<std::size_t>(m)];
        for (std::int64_t g = 0; g < group; ++g) {
          const std::int64_t head = (b * queryHeads + h * group + g) * length + i;
          const double *query = q.as<double>() + head * keyWidth;
          for (std::int64_t m = 0; m < valueWidth; ++m) {
            double sum = 0;
            for (std::int64_t d = 0; d < keyWidth; ++d)
              sum += query[d] * s[d * valueWidth + m];
            out.out<double>()[head * valueWidth + m] = scale * sum;
          }
        }
      }
    }
  c.set(0, cast(c, joinHeads(c, out), t));
  c.set(1, cast(c, state, past ? past->dtype() : t));
}

Tensor rowsAt(const ExecContext &c, const Tensor &table, const Sizes &at) {
  if (table.rank() != 2)
    c.fail("the tables are no matrices");
  // Places may repeat, so rows are taken one by one.
  const Tensor out = c.empty(table.dtype(), Sizes{static_cast<std::int64_t>(at.size()), table.size(1)});
  for (std::size_t k = 0; k < at.size(); ++k) {
    if (at[k] < 0 || at[k] >= table.size(0))
      c.fail("a position is outside of the tables");
    copyInto(c, out.selected(0, static_cast<std::int64_t>(k)), table.selected(0, at[k]));
  }
  return out;
}

Tensor rotatedPairs(const ExecContext &c, const Tensor &x, const Tensor &cosine, const Tensor &sine, std::int64_t width,
                    bool interleaved) {
  const std::int64_t half = width / 2;
  const Tensor part = x.sliced(3, 0, width);
  const Tensor a = interleaved ? part.sliced(3, 0, half, 2) : part.sliced(3, 0, half);
  const Tensor b = interleaved ? part.sliced(3, 1, half, 2) : part.sliced(3, half, half);
  const Tensor real =
      sub(c, operandOf(mul(c, operandOf(a), operandOf(cosine))), operandOf(mul(c, operandOf(b), operandOf(sine))));
  const Tensor imaginary =
      add(c, operandOf(mul(c, operandOf(a), operandOf(sine))), operandOf(mul(c, operandOf(b), operandOf(cosine))));
  const Tensor out = copied(c, x);
  const Tensor to = out.sliced(3, 0, width);
  copyInto(c, interleaved ? to.sliced(3, 0, half, 2) : to.sliced(3, 0, half), real);
  copyInto(c, interleaved ? to.sliced(3, 1, half, 2) : to.sliced(3, half, half), imaginary);
  return out;
}

void executeRotaryEmbedding(ExecContext &c) {
  const Tensor &given = c.in(0);
  if (given.rank() != 3 && given.rank() != 4)
    c.fail(fmt::format("a tensor of shape {} has no heads to rotate", shapeText(given.sizes())));
  const bool flat = given.rank() == 3, interleaved = c.flag("interleaved");
  // [batch, length, heads, width]
  Tensor x = flat ? splitHeads(c, given, c.integer("num_heads", 0)).transposed(1, 2) : given.transposed(1, 2);
  std::int64_t rotated = c.integer("rotary_embedding_dim", 0);
  if (rotated == 0)
    rotated = x.size(3);
  if (rotated < 0 || rotated > x.size(3) || rotated % 2 != 0)
    c.fail("the part that is rotated does not fit the heads");
  const std::int64_t half = rotated / 2;
  const auto table = [&](std::size_t i) {
    const Tensor &cache = c.in(i);
    if (cache.rank() < 2 || cache.rank() > 3 || (c.has(3) && c.in(3).rank() != 2))
      c.fail("the tables are no matrices");
    if (!c.has(3))
      return cache.rank() == 3 ? cache : expanded(c, cache, Sizes{x.size(0), cache.size(0), cache.size(1)});
    const Tensor &places = c.in(3);
    if (cache.rank() != 2)
      c.fail("the tables are no matrices");
    return reshaped(c, rowsAt(c, cache, integersOf(c, places)), Sizes{places.size(0), places.size(1), cache.size(1)});
  };
  const Tensor cosine = table(1).unsqueezed(2), sine = table(2).unsqueezed(2);
  if (cosine.size(3) != half)
    c.fail("the tables do not fit the part that is rotated");
  const Tensor out = rotatedPairs(c, x, cosine, sine, rotated, interleaved);
  c.set(0, flat ? reshaped(c, out, given.sizes()) : contiguous(c, out.transposed(1, 2)));
}

} // namespace condlint
