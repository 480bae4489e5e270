//===- AtenEffectsTest.cpp - Effects of ATen's operators ----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ops/AtenEffects.h"
#include "OneNode.h"
#include <gtest/gtest.h>

using namespace condlint;
using namespace condlint::test;
using enum DType;

namespace {

/// A tensor with a layout, on the CPU.
Type strided(OneNode &n, DType element, std::vector<OneNode::Size> sizes, std::vector<OneNode::Size> strides) {
  Type t = n.tensorType(element, std::move(sizes));
  const Type s = n.tensorType(element, std::move(strides));
  t.strides = s.dims;
  t.hasStrides = true;
  t.layout = Layout::Strided;
  t.storageOffset = n.m.dims.constant(0);
  t.device = n.m.strings.intern("cpu");
  return n.m.types[n.m.types.intern(t)];
}

/// "writes 0; 0=1 must; random": what a node does.
std::string effects(OneNode &n, std::size_t outputs = 1) {
  n.run(outputs);
  const NodeEffects e = effectsOf(n.m, n.node);
  std::string text;
  const auto add = [&](std::string part) { text += (text.empty() ? "" : "; ") + part; };
  for (std::uint32_t w : e.writes)
    add("writes " + std::to_string(w));
  for (const NodeEffects::Alias &a : e.aliases)
    add(std::to_string(a.result) + "=" + std::to_string(a.operand) +
        (a.kind == AliasKind::Must    ? " must"
         : a.kind == AliasKind::Eager ? " eager"
                                      : " may"));
  if (e.random)
    add("random");
  if (e.hostSync)
    add("sync");
  if (e.opaque)
    add("opaque");
  return text;
}

std::string effects(OneNode &&n, std::size_t outputs = 1) { return effects(n, outputs); }

TEST(AtenEffects, EveryOverloadIsFound) {
  EXPECT_GE(atenEffectsCount(), 3757u);
  for (const char *key : {"aten.Bool.Tensor", "aten.zeros_like.default", "aten._foreach_add_.Scalar",
                          "aten.cholesky.default", "aten.linalg_polar.out", "prims.view_of.default"}) {
    const std::string text = key;
    const std::size_t first = text.find('.'), second = text.find('.', first + 1);
    const EffectsRow *row =
        findAtenEffects(text.substr(0, first), text.substr(first + 1, second - first - 1), text.substr(second + 1));
    ASSERT_TRUE(row) << key;
    EXPECT_EQ(row->name(), key);
  }
  EXPECT_EQ(findAtenEffects("aten", "relu", ""), findAtenEffects("aten", "relu", "default"));
  EXPECT_FALSE(findAtenEffects("aten", "nothing", "default"));
  EXPECT_FALSE(findAtenEffects("mylib", "relu", "default"));
  EXPECT_FALSE(findAtenEffects("aten", std::string(300, 'x'), "default"));
}

TEST(AtenEffects, M1WritesAndWhatTheyReturn) {
  EXPECT_EQ(effects(OneNode::torch("add_", "Tensor").arg("self", Float32, {2}).arg("other", Float32, {2})),
            "writes 0; 0=0 must");
  EXPECT_EQ(effects(OneNode::torch("add", "Tensor").arg("self", Float32, {2}).arg("other", Float32, {2})), "");
  EXPECT_EQ(effects(OneNode::torch("sin", "out").arg("self", Float32, {2}).arg("out", Float32, {2})),
            "writes 1; 0=1 must");
  // Not every in-place name ends in an underscore, and not every underscore writes.
  EXPECT_EQ(effects(OneNode::torch("__iand__", "Tensor").arg("self", Int64, {2}).arg("other", Int64, {2})),
            "writes 0; 0=0 must");
  EXPECT_EQ(effects(OneNode::torch("rrelu_with_noise").arg("self", Float32, {2}).arg("noise", Float32, {2})),
            "writes 1");
  EXPECT_TRUE(findAtenEffects("aten", "_no_grad_embedding_renorm_", "default"));
  EXPECT_EQ(findAtenEffects("aten", "_no_grad_embedding_renorm_", "default")->writeCount(), 0u);
}

TEST(AtenEffects, ListsAreWrittenAndSharedElementByElement) {
  OneNode n = OneNode::torch("_foreach_add_", "Scalar");
  const Type a = n.tensorType(Float32, {2}), b = n.tensorType(Float32, {3});
  EXPECT_EQ(effects(std::move(n.args("self", {a, b}).attr("scalar", 1)), 0), "writes 0; writes 1");
  OneNode many = OneNode::torch("broadcast_tensors");
  const Type x = many.tensorType(Float32, {2, 1}), y = many.tensorType(Float32, {3});
  EXPECT_EQ(effects(std::move(many.args("tensors", {x, y})), 2), "0=0 must; 1=1 must");
  EXPECT_EQ(effects(OneNode::torch("split", "Tensor").arg("self", Float32, {4}).attr("split_size", 2), 2),
            "0=0 must; 1=0 must");
}

TEST(AtenEffects, TagsBecomeEffects) {
  EXPECT_EQ(effects(OneNode::torch("rand_like").arg("self", Float32, {2})), "random");
  EXPECT_EQ(effects(OneNode::torch("item").arg("self", Float32, {})), "sync");
  EXPECT_TRUE(findAtenEffects("aten", "nonzero", "default")->dynamicShape());
  EXPECT_TRUE(findAtenEffects("aten", "squeeze_", "dim")->changesView());
  EXPECT_EQ(effects(OneNode::torch("fused_tail", "default", "mylib").arg("x", Float32, {2})), "opaque");
}

TEST(AtenEffects, DecomposedQuantisationYieldsTensorsOfItsOwn) {
  EXPECT_EQ(
      effects(OneNode::torch("quantize_per_tensor", "default", "quantized_decomposed").arg("input", Float32, {2})), "");
  EXPECT_EQ(effects(OneNode::torch("choose_qparams", "tensor", "quantized_decomposed").arg("input", Float32, {2}), 2),
            "");
  // What is not known of that library may do anything.
  EXPECT_EQ(effects(OneNode::torch("fused_tail", "default", "quantized_decomposed").arg("input", Float32, {2})),
            "opaque");
}

TEST(AtenEffects, A1EinsumMayReturnItsOnlyOperand) {
  OneNode product = OneNode::torch("einsum"), permuted = OneNode::torch("einsum");
  const Type a = product.tensorType(Float32, {2, 3}), b = product.tensorType(Float32, {3, 4});
  EXPECT_EQ(effects(std::move(product.args("tensors", {a, b}))), "");
  EXPECT_EQ(effects(std::move(permuted.args("tensors", {permuted.tensorType(Float32, {2, 3})}))), "0=0 may");
}

TEST(AtenEffects, A1ReshapeSharesStorageWhereTheLayoutAdmitsIt) {
  const auto reshape = [](std::vector<OneNode::Size> sizes, std::vector<OneNode::Size> strides,
                          std::vector<std::int64_t> shape) {
    OneNode n = OneNode::torch("reshape");
    return effects(std::move(
        n.arg("self", strided(n, Float32, std::move(sizes), std::move(strides))).ints("shape", std::move(shape))));
  };
  EXPECT_EQ(reshape({2, 3}, {3, 1}, {6}), "0=0 must");
  EXPECT_EQ(reshape({2, 3}, {1, 2}, {6}), "");
  EXPECT_EQ(reshape({2, 3}, {1, 2}, {2, 3, 1}), "0=0 must");
  EXPECT_EQ(reshape({"n", 4}, {4, 1}, {-1}), "0=0 must");
  // Transposed: a copy, unless n is 1, which its range does not exclude.
  EXPECT_EQ(reshape({4, "n"}, {1, 4}, {-1}), "0=0 may");
  EXPECT_EQ(effects(OneNode::torch("reshape").arg("self", Float32, {2, 3}).ints("shape", {6})), "0=0 may");
  EXPECT_EQ(effects(OneNode::torch("view").arg("self", Float32, {2, 3}).ints("size", {6})), "0=0 must");
}

TEST(AtenEffects, A1RavelAndContiguousReturnWhatIsRowMajor) {
  const auto of = [](const char *name, std::vector<OneNode::Size> sizes, std::vector<OneNode::Size> strides) {
    OneNode n = OneNode::torch(name);
    return effects(std::move(n.arg("self", strided(n, Float32, std::move(sizes), std::move(strides)))));
  };
  EXPECT_EQ(of("contiguous", {2, 3}, {3, 1}), "0=0 must");
  EXPECT_EQ(of("contiguous", {2, 3}, {1, 2}), "");
  EXPECT_EQ(of("contiguous", {1, 3}, {17, 1}), "0=0 must"); // the stride of one element is none
  EXPECT_EQ(of("ravel", {3}, {2}), "");
  EXPECT_EQ(of("ravel", {3}, {1}), "0=0 must");
  EXPECT_EQ(of("clone", {2, 3}, {3, 1}), "");
}

TEST(AtenEffects, A1ConversionsReturnWhatNeedsNone) {
  const auto to = [](DType from, DType wanted, bool copy = false) {
    OneNode n = OneNode::torch("to", "dtype");
    n.arg("self", strided(n, from, {2}, {1})).attr("dtype", wanted).attr("copy", copy ? 1 : 0);
    return effects(std::move(n));
  };
  EXPECT_EQ(to(Float32, Float32), "0=0 must");
  EXPECT_EQ(to(Float32, Float64), "");
  EXPECT_EQ(to(Float32, Float32, true), "");
  EXPECT_EQ(effects(OneNode::torch("conj_physical").arg("self", Float32, {2})), "0=0 must");
  EXPECT_EQ(effects(OneNode::torch("conj_physical").arg("self", Complex64, {2})), "");
  EXPECT_EQ(effects(OneNode::torch("resolve_conj").arg("self", Float32, {2})), "0=0 must");
}

TEST(AtenEffects, E4DropoutIsRandomOnlyInTraining) {
  const auto dropout = [](bool train, double p, Format format = Format::Json) {
    OneNode n = OneNode::torch("dropout");
    n.m.info.format = format;
    n.arg("input", Float32, {2}).real("p", p).attr("train", train ? 1 : 0);
    return effects(std::move(n));
  };
  EXPECT_EQ(dropout(true, 0.5), "random");
  EXPECT_EQ(dropout(false, 0.5, Format::Cxx), "0=0 must");
  EXPECT_EQ(dropout(true, 0, Format::Cxx), "0=0 must");
  EXPECT_EQ(dropout(false, 0.5), "0=0 eager"); // decomposed into a clone
}

TEST(AtenEffects, E4AttentionIsRandomOnlyWithDropout) {
  const auto attention = [](double p) {
    OneNode n = OneNode::torch("scaled_dot_product_attention");
    for (const char *name : {"query", "key", "value"})
      n.arg(name, Float32, {2, 4, 8});
    n.real("dropout_p", p);
    return effects(std::move(n));
  };
  EXPECT_EQ(attention(0), "");
  EXPECT_EQ(attention(0.1), "random");
}

OneNode batchNorm(const char *name, const char *flag, bool value) {
  OneNode n = OneNode::torch(name);
  n.arg("input", Float32, {2, 3, 4}).arg("running_mean", Float32, {3}).arg("running_var", Float32, {3});
  n.attr(flag, value ? 1 : 0);
  return n;
}

TEST(AtenEffects, M6TrainingBatchNormWritesItsRunningStatistics) {
  for (const char *name : {"batch_norm", "native_batch_norm", "cudnn_batch_norm", "_native_batch_norm_legit"}) {
    EXPECT_EQ(effects(batchNorm(name, "training", true)), "writes 1; writes 2") << name;
    EXPECT_EQ(effects(batchNorm(name, "training", false)), "") << name;
  }
  EXPECT_EQ(effects(batchNorm("instance_norm", "use_input_stats", true)), "writes 1; writes 2");
  EXPECT_EQ(effects(batchNorm("instance_norm", "use_input_stats", false)), "");
  EXPECT_EQ(effects(batchNorm("_native_batch_norm_legit_functional", "training", true)), "");
  OneNode without = OneNode::torch("batch_norm");
  EXPECT_EQ(effects(std::move(without.arg("input", Float32, {2, 3, 4}).attr("training", 1))), "");
  OneNode updating = OneNode::torch("_batch_norm_with_update");
  updating.arg("input", Float32, {2, 3, 4}).arg("running_mean", Float32, {3}).arg("running_var", Float32, {3});
  EXPECT_EQ(effects(std::move(updating)), "writes 1; writes 2");
}

} // namespace
