//===- Contrib.cpp - ONNX Runtime's own operators: com.microsoft ----------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What its optimiser and its quantiser leave in the models that they save
// (docs/ContribOperators.md of ONNX Runtime).
//
//===----------------------------------------------------------------------===//
#include "kernels/Contrib.h"
#include "Broadcast.h"
#include "Facets.h"
#include "Families.h"
#include "OpTable.h"
#include "kernels/ContribAttention.h"
#include <algorithm>
#include <utility>

namespace condlint {
namespace {

/// The first result is like the first operand.
void inferLike(InferContext &c) { c.setResult(0, reshapedLike(c, c.type(0).element, c.type(0))); }

/// So is the sum that is normalized, which is the fourth result.
void inferSkipNormalization(InferContext &c) {
  inferLike(c);
  if (c.resultCount() > 3)
    c.setResult(3, reshapedLike(c, c.type(0).element, c.type(0)));
}

/// Words [batch, length] by their rows in tables [words, hidden]; how many words each row has; and their sum.
void inferEmbedNormalization(InferContext &c) {
  const Type &ids = c.type(0), &table = c.type(2);
  const bool known = ids.hasRank && ids.dims.size() == 2 && table.hasRank && table.dims.size() == 2;
  const Type sum = known ? c.tensor(table.element, {ids.dims[0], ids.dims[1], table.dims[1]}) : c.tensor(table.element);
  c.setResult(0, sum);
  if (c.resultCount() > 1)
    c.setResult(1, known ? c.tensor(DType::Int32, {ids.dims[0]}) : c.tensor(DType::Int32));
  if (c.resultCount() > 2)
    c.setResult(2, sum);
}

/// Axes that are multiplied, the last two of \p t, swapped where the attribute \p name says so.
std::optional<std::pair<Dim, Dim>> factor(InferContext &c, const Type &t, std::string_view name) {
  if (!t.hasRank || t.dims.size() < 2)
    return std::nullopt;
  std::pair<Dim, Dim> out{dimAt(t, -2), dimAt(t, -1)};
  if (!name.empty() && c.intAttr(name, 0) != 0)
    std::swap(out.first, out.second);
  return out;
}

void setProduct(InferContext &c, const Type &a, const Type &b, DType element, std::string_view swapsA = {},
                std::string_view swapsB = {}) {
  const auto left = factor(c, a, swapsA), right = factor(c, b, swapsB);
  // Which axes are batches is another question there.
  if (!left || !right || c.intAttr("transBatchA", 0) != 0 || c.intAttr("transBatchB", 0) != 0)
    return c.setResult(0, c.tensor(element));
  mustEqual(c, left->second, right->first, "the inner sizes");
  const Shape batches = broadcast(c.dims(), a.dims.first(a.dims.size() - 2), b.dims.first(b.dims.size() - 2));
  if (!batches.hasRank || batches.mismatch)
    return c.setResult(0, c.tensor(element));
  std::vector<Dim> shape = batches.dims;
  shape.push_back(left->first);
  shape.push_back(right->second);
  c.setResult(0, c.tensor(element, shape));
}

void inferFusedMatMul(InferContext &c) { setProduct(c, c.type(0), c.type(1), c.type(0).element, "transA", "transB"); }
/// Of quantized numbers, as float.
void inferFloatProduct(InferContext &c) { setProduct(c, c.type(0), c.type(1), DType::Float32); }

/// Operands 0 and 3 are the numbers, the others their scales and zero points.
void inferQuantizedPair(InferContext &c) {
  const Type operands[] = {c.type(0), c.type(3)};
  const Shape shape = broadcast(c.dims(), operands);
  if (shape.hasRank && !shape.mismatch)
    return c.setResult(0, c.tensor(c.type(0).element, shape.dims));
  c.setResult(0, c.tensor(c.type(0).element));
}

/// [batch, length, hidden]: the weights make queries, keys and values of one size side by side.
void inferAttention(InferContext &c) {
  const Type &x = c.type(0), &w = c.type(1);
  if (!x.hasRank || x.dims.size() != 3)
    return c.setResult(0, c.tensor(x.element));
  const bool equal = !c.hasAttribute("qkv_hidden_sizes") && w.hasRank && w.dims.size() == 2;
  const Dim hidden = equal ? c.dims().floorDiv(w.dims[1], c.constant(3)) : Dim();
  c.setResult(0, c.tensor(x.element, {x.dims[0], x.dims[1], hidden}));
}

/// The same of queries and values that are given.
void inferMultiHeadAttention(InferContext &c) {
  const Type &q = c.type(0), &v = c.type(2);
  if (!q.hasRank || q.dims.size() != 3)
    return c.setResult(0, c.tensor(q.element));
  const Dim hidden = v.hasRank && v.dims.size() == 3 ? v.dims[2] : Dim();
  c.setResult(0, c.tensor(q.element, {q.dims[0], q.dims[1], hidden}));
}

constexpr OpRow rows[] = {
    {"contrib_activation", inferLike, nullptr, "",
     "com.microsoft::QLinearLeakyRelu com.microsoft::QLinearSigmoid com.microsoft::QLinearSoftmax"},
    {"contrib_rotary_embedding", inferLike, executeContribRotary, "", "com.microsoft::RotaryEmbedding"},
    {"contrib_skip_normalization", inferSkipNormalization, executeSkipNormalization, "",
     "com.microsoft::SkipLayerNormalization com.microsoft::SkipSimplifiedLayerNormalization"},
    {"contrib_embed_normalization", inferEmbedNormalization, executeEmbedNormalization, "",
     "com.microsoft::EmbedLayerNormalization"},
    {"contrib_fused_matmul", inferFusedMatMul, executeFusedMatMul, "",
     "com.microsoft::FusedMatMul com.microsoft::TransposeMatMul"},
    {"contrib_float_product", inferFloatProduct, nullptr, "",
     "com.microsoft::DynamicQuantizeMatMul com.microsoft::MatMulIntegerToFloat"},
    {"contrib_quantized_pair", inferQuantizedPair, nullptr, "", "com.microsoft::QLinearAdd com.microsoft::QLinearMul"},
    {"contrib_attention", inferAttention, executeContribAttention, "", "com.microsoft::Attention"},
    {"contrib_multi_head_attention", inferMultiHeadAttention, executeMultiHeadAttention, "",
     "com.microsoft::MultiHeadAttention"},
};

} // namespace

OpFamily contribFamily() {
  static const OpTable table{rows};
  return table.family();
}

} // namespace condlint
