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
}

void inferFlexAttention(InferContext &c) {
  const Type &q = c.type(0), &v = c.type(2);
  if (!q.hasRank || q.dims.size() != 4)
    return c.setResult(0, c.tensorOfRank(q.element, 4));
  std::vector<Dim> shape = copyDims(q.dims);
  shape.back() = v.hasRank && v.dims.size() == 4 ? v.dims[3] : Dim();
  c.setResult(0, c.tensor(q.element, shape));
}

void inferLikeInput(InferContext &c) { setLikeOperand(c); }

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
    {"rotary_embedding", inferLikeInput, executeRotaryEmbedding, "", "RotaryEmbedding"},
};

} // namespace

OpFamily attentionFamily() {
  static const OpTable table{rows};
  return table.family();
}

} // namespace condlint
