//===- Attention.cpp - Attention ------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kernels/Attention.h"
#include "AtenEffects.h"
#include "Broadcast.h"
#include "Elementwise.h"
#include "Families.h"
#include "OpTable.h"
#include "Shape.h"
#include "graph/TypeWords.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <initializer_list>
#include <string>

namespace condlint {

namespace {

/// query [..., L, E], key [..., S, E], value [..., S, Ev] to [..., L, Ev].
void inferScaledDotProduct(InferContext &c) {
  const Type &q = c.argType("query"), &k = c.argType("key"), &v = c.argType("value");
  if (q.element != DType::Unknown && k.element != DType::Unknown && q.element != k.element)
    c.reject(std::string(c.opName()) + ": the query is " + std::string(dtypeName(q.element)) + ", the key is " +
             std::string(dtypeName(k.element)));
  if (!q.hasRank || !v.hasRank || q.dims.size() < 2 || v.dims.empty())
    return setFresh(c, 0, q.element, q);
  if (k.hasRank && !k.dims.empty())
    expectEqual(c, q.dims.back(), k.dims.back(), "the last sizes of query and key");
  std::vector<Dim> shape = copyDims(q.dims);
  shape.back() = v.dims.back();
  // What stands before the matrices broadcasts, unless heads are grouped.
  if (k.hasRank && k.dims.size() >= 2 && c.intAttr("enable_gqa", 0) == 0) {
    const Shape batch = broadcast(c.dims(), q.dims.first(q.dims.size() - 2), k.dims.first(k.dims.size() - 2));
    if (!batch.mismatch) {
      std::vector<Dim> full = batch.dims;
      full.insert(full.end(), shape.end() - 2, shape.end());
      shape = full;
    }
  }
  OwnedType t = freshTensor(c, q.element, shape, q);
  t.dropStrides(); // the kernel chooses
  setFresh(c, 0, t);
  const std::string_view name = c.opName();
  const bool fused = name.find("flash") != name.npos || name.find("cudnn") != name.npos;
  if (c.resultCount() > 1 && name.ends_with("attention_math") && k.hasRank && k.dims.size() >= 2) {
    shape.back() = k.dims[k.dims.size() - 2];
    OwnedType weights = freshTensor(c, q.element, shape, q);
    weights.dropStrides();
    setFresh(c, 1, weights);
  } else if (c.resultCount() > 1 && fused && q.dims.size() == 4 && name.find("cudnn") == name.npos) {
    OwnedType sums = freshTensor(c, DType::Float32, {q.dims[0], q.dims[1], q.dims[2]}, q);
    if (q.element == DType::Float64)
      sums.type.element = DType::Unknown;
    sums.dropStrides();
    setFresh(c, 1, sums);
  }
}

// --- ONNX ------------------------------------------------------------------------
/// Batch, heads, length and width of a 4-D operand, or of a packed 3-D one.
struct Heads {
  Dim batch, heads, length, width;
};
std::optional<Heads> headsOf(InferContext &c, const Type &t, std::string_view count) {
  if (!t.hasRank)
    return std::nullopt;
  if (t.dims.size() == 4)
    return Heads{t.dims[0], t.dims[1], t.dims[2], t.dims[3]};
  const auto heads = c.intAttr(count);
  if (t.dims.size() != 3)
    return std::nullopt;
  const Dim n = heads && *heads > 0 ? c.constant(*heads) : Dim();
  return Heads{t.dims[0], n, t.dims[1], c.dims().floorDiv(t.dims[2], n)};
}

/// Rejects operand \p i where its axis \p axis is not \p wanted long, which only kernels compare.
bool admitSize(InferContext &c, std::size_t i, std::size_t axis, Dim wanted, std::string_view what) {
  const Type &t = c.type(i);
  if (!t.hasRank || axis >= t.dims.size() || !neverEqual(c.dims(), t.dims[axis], wanted))
    return true;
  c.reject(fmt::format("{}: {} must be {}, but axis {} of input {} is {}", c.opName(), what, c.dims().str(wanted), axis,
                       i, c.dims().str(t.dims[axis])),
           i, FaultKind::Unequal);
  return false;
}
bool admitSizes(InferContext &c, std::size_t i, std::initializer_list<Dim> sizes, std::string_view what) {
  std::size_t axis = 0;
  return std::ranges::all_of(sizes, [&](Dim d) { return admitSize(c, i, axis++, d, what); });
}
bool admitMultiple(InferContext &c, Dim size, Dim of, std::string_view what) {
  DimTable &dims = c.dims();
  if (!size.known() || !of.known() || dims.isConstant(of, 0) || !neverEqual(dims, dims.mod(size, of), dims.constant(0)))
    return true;
  c.reject(fmt::format("{}: {}, but they are {} and {}", c.opName(), what, dims.str(size), dims.str(of)), std::nullopt,
           FaultKind::Multiple);
  return false;
}

/// The heads of Q, K and V, which attributes may name again, and their batches; those of Q share those of K evenly.
bool admitHeads(InferContext &c, const Heads &q, const Heads &k) {
  const bool packed = c.type(0).dims.size() == 3;
  if (c.type(1).dims.size() != c.type(0).dims.size() || c.type(2).dims.size() != c.type(0).dims.size()) {
    c.reject("Attention: Q, K and V must have as many axes as each other", std::nullopt, FaultKind::Unequal);
    return false;
  }
  const auto named = [&](std::string_view name, Dim otherwise) {
    const auto n = c.intAttr(name);
    return n && *n > 0 ? c.constant(*n) : otherwise;
  };
  const Dim heads = named("q_num_heads", q.heads), shared = named("kv_num_heads", k.heads);
  if (!admitSize(c, 1, 0, q.batch, "the batch") || !admitSize(c, 2, 0, q.batch, "the batch") ||
      !admitMultiple(c, heads, shared, "the heads of Q must be a multiple of those of K and V"))
    return false;
  constexpr std::string_view sharedHeads = "the number of heads of K and V", length = "the length of K and V";
  if (packed)
    return admitMultiple(c, c.type(0).dims[2], heads, "the width of Q must be a multiple of its heads") &&
           admitSize(c, 1, 2, c.dims().mul(q.width, shared), "the width of K, a head of Q's size each,") &&
           admitMultiple(c, c.type(2).dims[2], shared, "the width of V must be a multiple of its heads") &&
           admitSize(c, 2, 1, k.length, length);
  return admitSize(c, 0, 1, heads, "q_num_heads") && admitSize(c, 1, 1, shared, sharedHeads) &&
         admitSize(c, 2, 1, shared, sharedHeads) && admitSize(c, 1, 3, q.width, "the head's size") &&
         admitSize(c, 2, 2, k.length, length);
}

/// What came before stands there for keys and values, or for neither; the mask spreads over all that is attended to.
void admitPastAndMask(InferContext &c, const Heads &q, const Heads &k, const Heads &v, Dim total) {
  if (c.has(4) != c.has(5))
    return c.reject("Attention needs both past_key and past_value, or none", std::nullopt, FaultKind::Unequal);
  if (c.has(4) &&
      (!admitSizes(c, 4, {q.batch, k.heads, Dim(), q.width}, "past_key") ||
       !admitSizes(c, 5, {q.batch, k.heads, Dim(), v.width}, "past_value") ||
       !admitSize(c, 5, 2, c.type(4).dims.size() == 4 ? c.type(4).dims[2] : Dim(), "the length of the past")))
    return;
  const Type &mask = c.type(3);
  if (!c.has(3) || !mask.hasRank)
    return;
  const Dim spanned[] = {q.batch, q.heads, q.length, total};
  const std::size_t axes = mask.dims.size();
  if (axes > 4)
    return c.reject(fmt::format("Attention: the mask has {} axes, and must have no more than 4", axes), 3,
                    FaultKind::Unequal);
  // From version 24 on a shorter mask is filled up.
  const std::size_t compared = c.version() >= 24 && axes > 0 ? axes - 1 : axes;
  for (std::size_t axis = 0; axis < compared; ++axis)
    if (neverEqual(c.dims(), mask.dims[axis], c.constant(1)) &&
        !admitSize(c, 3, axis, spanned[4 - axes + axis], "the mask's size, where it is not 1,"))
      return;
}

/// (Q, K, V, mask, past key, past value) to Y, present key and value, Q times K.
void inferAttention(InferContext &c) {
  DimTable &dims = c.dims();
  const Type &qt = c.type(0), &kt = c.type(1), &vt = c.type(2);
  const auto q = headsOf(c, qt, "q_num_heads"), k = headsOf(c, kt, "kv_num_heads"), v = headsOf(c, vt, "kv_num_heads");
  const bool packed = qt.hasRank && qt.dims.size() == 3;
  if (!q)
    c.setResult(0, qt.hasRank ? c.tensorOfRank(qt.element, qt.dims.size()) : c.tensor(qt.element));
  else if (packed)
    c.setResult(0, c.tensor(qt.element, {q->batch, q->length, v ? dims.mul(q->heads, v->width) : Dim()}));
  else
    c.setResult(0, c.tensor(qt.element, {q->batch, q->heads, q->length, v ? v->width : Dim()}));
  const auto total = [&](std::size_t past, const std::optional<Heads> &now) -> Dim {
    if (!now)
      return {};
    if (!c.has(past))
      return now->length;
    const Type &t = c.type(past);
    return t.hasRank && t.dims.size() == 4 ? dims.add(t.dims[2], now->length) : Dim();
  };
  const auto present = [&](std::size_t i, const Type &t, const std::optional<Heads> &now, std::size_t past) {
    c.setResult(i, now ? c.tensor(t.element, {now->batch, now->heads, total(past, now), now->width})
                       : c.tensorOfRank(t.element, 4));
  };
  if (c.resultCount() > 1)
    present(1, kt, k, 4);
  if (c.resultCount() > 2)
    present(2, vt, v, 5);
  if (c.resultCount() > 3)
    c.setResult(3,
                q ? c.tensor(qt.element, {q->batch, q->heads, q->length, total(4, k)}) : c.tensorOfRank(qt.element, 4));
  for (const std::string_view window : {"left_window_size", "right_window_size"})
    if (const auto size = c.intAttr(window); size && *size < -1)
      return c.reject(fmt::format("Attention: {} is {}, but must be -1 (all) or more", window, *size));
  if (q && k && v && admitHeads(c, *q, *k))
    admitPastAndMask(c, *q, *k, *v, total(4, k));
}

/// Heads side by side are as wide in keys as in queries; decay and beta have a number for each head of the keys, decay
/// for each of a head's elements too, and beta one for all.
void expectLinearHeads(InferContext &c, const Heads &q, const Heads &k) {
  DimTable &dims = c.dims();
  if (!admitMultiple(c, c.type(0).dims[2], q.heads, "the width of the query must be a multiple of its heads") ||
      !admitMultiple(c, c.type(1).dims[2], k.heads, "the width of the key must be a multiple of its heads") ||
      !admitMultiple(c, c.type(2).dims[2], k.heads, "the width of the value must be a multiple of its heads") ||
      !admitSize(c, 1, 2, dims.mul(q.width, k.heads), "the width of the key, a head of the query's size each,"))
    return;
  const auto admitEither = [&](std::size_t i, Dim one, std::string_view what) {
    const Type &t = c.type(i);
    if (!c.has(i) || !t.hasRank || t.dims.size() != 3 || !neverEqual(dims, t.dims[2], one) ||
        !neverEqual(dims, t.dims[2], k.heads))
      return true;
    c.reject(fmt::format("LinearAttention: the last size of {} must be {} or {}, but is {}", what, dims.str(one),
                         dims.str(k.heads), dims.str(t.dims[2])),
             i);
    return false;
  };
  if (admitEither(4, dims.mul(k.heads, k.width), "decay"))
    admitEither(5, c.constant(1), "beta");
}

/// The state before is as the one behind, which inference knows too.
void expectLinearState(InferContext &c, const Heads &k, const Heads &v) {
  const Type &past = c.type(3);
  const std::array state{k.batch, k.heads, k.width, v.width};
  if (!c.has(3) || !past.hasRank || past.dims.size() != state.size())
    return;
  for (std::size_t i = 0; i < state.size(); ++i)
    if (neverEqual(c.dims(), past.dims[i], state[i]))
      return c.reject(fmt::format("LinearAttention: the past state must be of the shape {}, but is {}",
                                  spellDims(c.dims(), state), spellDims(c.dims(), past.dims)),
                      3);
}

/// (query, key, value, past state, decay, beta) to the output and the state.
void inferLinearAttention(InferContext &c) {
  DimTable &dims = c.dims();
  const auto q = headsOf(c, c.type(0), "q_num_heads"), k = headsOf(c, c.type(1), "kv_num_heads"),
             v = headsOf(c, c.type(2), "kv_num_heads");
  c.setResult(0, q && v ? c.tensor(c.type(0).element, {q->batch, q->length, dims.mul(q->heads, v->width)})
                        : c.tensorOfRank(c.type(0).element, 3));
  const DType state = c.has(3) ? c.type(3).element : c.type(0).element;
  c.setResult(1, k && v ? c.tensor(state, {k->batch, k->heads, k->width, v->width}) : c.tensorOfRank(state, 4));
  if (q && k && v && c.type(0).dims.size() == 3 && c.type(1).dims.size() == 3 && c.type(2).dims.size() == 3)
    expectLinearHeads(c, *q, *k);
  if (k && v)
    expectLinearState(c, *k, *v);
}

void inferFlexAttention(InferContext &c) {
  const Type &q = c.type(0), &v = c.type(2);
  if (!q.hasRank || q.dims.size() != 4)
    return c.setResult(0, c.tensorOfRank(q.element, 4));
  std::vector<Dim> shape = copyDims(q.dims);
  shape.back() = v.hasRank && v.dims.size() == 4 ? v.dims[3] : Dim();
  c.setResult(0, c.tensor(q.element, shape));
}

/// (X, cosines, sines, positions): the tables have rows for the batch and its steps, or are looked up by positions;
/// half a head, or half of the part that is turned, is as wide as they are.
void inferRotaryEmbedding(InferContext &c) {
  setLikeOperand(c);
  const Type &x = c.type(0), &cosines = c.type(1);
  const auto heads = c.intAttr("num_heads");
  const std::int64_t part = c.intAttr("rotary_embedding_dim", 0);
  if (x.hasRank && x.dims.size() == 3 && heads.value_or(0) <= 0)
    return c.reject("RotaryEmbedding: an input of 3 axes needs num_heads to be at least 1", 0);
  const auto q = headsOf(c, x, "num_heads");
  if (!q)
    return;
  if (x.dims.size() == 3 && !admitMultiple(c, x.dims[2], q->heads, "the width of X must be a multiple of its heads"))
    return;
  const std::size_t axes = c.has(3) ? 2 : 3;
  for (std::size_t i = 1; i < 3; ++i)
    if (const Type &t = c.type(i); t.hasRank && t.dims.size() != axes)
      return c.reject(fmt::format("RotaryEmbedding: input {} must have {} axes {} positions, but has {}", i, axes,
                                  c.has(3) ? "with" : "without", t.dims.size()),
                      i, FaultKind::Unequal);
  if (const Type &t = c.type(3); c.has(3) && t.hasRank && t.dims.size() != 2)
    return c.reject("RotaryEmbedding: the positions must have 2 axes", 3, FaultKind::Unequal);
  const auto width = c.dims().asConstant(q->width);
  if (part > 0 && width && part > *width)
    return c.reject(fmt::format("RotaryEmbedding: rotary_embedding_dim is {}, but a head is {} wide", part, *width),
                    std::nullopt, FaultKind::Unequal);
  const Dim half = part > 0 ? c.constant(part / 2) : c.dims().floorDiv(q->width, c.constant(2));
  for (std::size_t axis = 0; cosines.hasRank && axis < axes; ++axis)
    if (!admitSize(c, 2, axis, cosines.dims[axis], "the sines, like the cosines,"))
      return;
  if (!admitSize(c, 1, axes - 1, half, "half of what is turned"))
    return;
  const std::size_t rows = c.has(3) ? 3 : 1; // the positions, or the tables
  if (admitSize(c, rows, 0, q->batch, "the batch"))
    admitSize(c, rows, 1, q->length, "the number of steps");
}

constexpr OpRow rows[] = {
    {"scaled_dot_product_attention", inferScaledDotProduct, executeScaledDotProductAttention,
     "aten.scaled_dot_product_attention aten._scaled_dot_product_flash_attention "
     "aten._scaled_dot_product_flash_attention_for_cpu aten._scaled_dot_product_efficient_attention "
     "aten._scaled_dot_product_attention_math aten._scaled_dot_product_attention_math_for_mps "
     "aten._scaled_dot_product_cudnn_attention aten._scaled_dot_product_fused_attention_overrideable",
     "", OpTrait::None, refineAttention},
    {"attention", inferAttention, executeAttention, "", "Attention"},
    {"linear_attention", inferLinearAttention, executeLinearAttention, "", "LinearAttention"},
    {"flex_attention", inferFlexAttention, nullptr, "", "ai.onnx.preview::FlexAttention"},
    {"rotary_embedding", inferRotaryEmbedding, executeRotaryEmbedding, "", "RotaryEmbedding"},
};

} // namespace

OpFamily attentionFamily() {
  static const OpTable table{rows};
  return table.family();
}

} // namespace condlint
