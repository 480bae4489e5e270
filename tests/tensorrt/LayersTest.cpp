//===- LayersTest.cpp - What TensorRT's layers yield -------------------------- -===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Networks.h"
#include <gtest/gtest.h>

namespace condlint::test {
namespace {

/// The type of the tensor that \p expression gives: of one branch of a conditional
/// whose other branch is of no type that it could be.
std::string typeOf(const std::string &expression, int version = 1101) {
  const std::string code = R"(#include <NvInfer.h>
using namespace nvinfer1;
static const int32_t kInts[] = {1, 0, 2, 3};
static const int32_t kThree = 3;
void f(INetworkDefinition &n, ITensor &p) {
  auto *x = n.addInput("x", DataType::kFLOAT, Dims4{1, 3, 8, 10});
  auto *m = n.addInput("m", DataType::kHALF, Dims3{2, 4, 5});
  auto *k = n.addInput("k", DataType::kINT32, Dims2{6, 2});
  auto *ints = n.addConstant(Dims{1, {4}}, Weights{DataType::kINT32, kInts, 4})->getOutput(0);
  auto *three = n.addConstant(Dims{0, {}}, Weights{DataType::kINT32, &kThree, 1})->getOutput(0);
  auto *c = n.addIfConditional();
  c->setCondition(p);
  ITensor *y = )" + expression +
                           R"(;
  n.markOutput(*c->addOutput(*y, p)->getOutput(0));
}
)";
  const Checked c = checkNetwork(code, version);
  if (!c.compiled || c.conditionals.size() != 1 || c.conditionals.front().branches.empty() ||
      c.conditionals.front().branches[0].outputs.empty())
    return "not read";
  const ConditionalSummary::Signature &s = c.conditionals.front().branches[0].outputs[0];
  std::string out = s.dtype;
  if (!s.hasShape)
    return out;
  out += '[';
  for (std::size_t i = 0; i < s.shape.size(); ++i)
    out += (i == 0 ? "" : ", ") + s.shape[i];
  return out + ']';
}

TEST(Layers, KeepOrStretchShapes) {
  EXPECT_EQ(typeOf("n.addActivation(*x, ActivationType::kRELU)->getOutput(0)"), "float32[1, 3, 8, 10]");
  EXPECT_EQ(typeOf("n.addUnary(*x, UnaryOperation::kISNAN)->getOutput(0)"), "bool[1, 3, 8, 10]");
  EXPECT_EQ(typeOf("n.addElementWise(*m, *m, ElementWiseOperation::kGREATER)->getOutput(0)"), "bool[2, 4, 5]");
  EXPECT_EQ(typeOf("n.addCast(*m, DataType::kBF16)->getOutput(0)"), "bfloat16[2, 4, 5]");
  EXPECT_EQ(typeOf("n.addFill(Dims2{3, 4}, FillOperation::kLINSPACE, DataType::kINT32)->getOutput(0)"), "int32[3, 4]");
  EXPECT_EQ(typeOf("n.addQuantize(*x, *three, DataType::kFP8)->getOutput(0)"), "float8e4m3fn[1, 3, 8, 10]");
}

TEST(Layers, ShapesAreInt64Since10) {
  EXPECT_EQ(typeOf("n.addShape(*x)->getOutput(0)", 1003), "int64[4]");
  EXPECT_EQ(typeOf("n.addShape(*x)->getOutput(0)", 806), "int32[4]");
}

TEST(Layers, FlattenWhatTheyConnectFully) {
  EXPECT_EQ(typeOf("n.addFullyConnected(*x, 7, {}, {})->getOutput(0)", 806), "float32[1, 7, 1, 1]");
  EXPECT_EQ(typeOf("n.addFullyConnected(*m, 7, {}, {})->getOutput(0)", 806), "float16[7, 1, 1]");
}

TEST(Layers, TakeShapesApart) {
  EXPECT_EQ(typeOf("n.addReduce(*x, ReduceOperation::kSUM, 1U << 1 | 1U << 3, true)->getOutput(0)"),
            "float32[1, 1, 8, 1]");
  EXPECT_EQ(typeOf("n.addReduce(*x, ReduceOperation::kSUM, 1U << 1 | 1U << 3, false)->getOutput(0)"), "float32[1, 8]");
  EXPECT_EQ(typeOf("n.addTopK(*x, TopKOperation::kMAX, 2, 1U << 2)->getOutput(1)"), "int32[1, 3, 2, 10]");
  EXPECT_EQ(typeOf("n.addTopK(*x, TopKOperation::kMAX, 2, 1U << 2, DataType::kINT64)->getOutput(1)"),
            "int64[1, 3, 2, 10]");
  EXPECT_EQ(typeOf("n.addGather(*x, *k, 1)->getOutput(0)"), "float32[1, 6, 2, 8, 10]");
  EXPECT_EQ(typeOf("n.addGather(*x, *three, 3)->getOutput(0)"), "float32[1, 3, 8]");
  EXPECT_EQ(typeOf("n.addGatherV2(*x, *k, GatherMode::kND)->getOutput(0)"), "float32[6, 8, 10]");
  EXPECT_EQ(typeOf("n.addSlice(*m, Dims3{0, 0, 0}, Dims3{1, 2, 3}, Dims3{1, 1, 1})->getOutput(0)"), "float16[1, 2, 3]");
  EXPECT_EQ(typeOf("n.addMatrixMultiply(*m, MatrixOperation::kNONE, *m, MatrixOperation::kTRANSPOSE)->getOutput(0)"),
            "float16[2, 4, 4]");
  EXPECT_EQ(typeOf("n.addOneHot(*k, *m, *three, 1)->getOutput(0)"), "float16[6, 3, 2]");
  EXPECT_EQ(typeOf("n.addUnsqueeze(*k, *three)->getOutput(0)"), "int32");
  EXPECT_EQ(typeOf("n.addUnsqueeze(*m, *three)->getOutput(0)"), "float16[2, 4, 5, 1]");
}

TEST(Layers, Shuffle) {
  EXPECT_EQ(typeOf(R"([&] { auto *s = n.addShuffle(*x); s->setFirstTranspose(Permutation{{0, 2, 3, 1}});
    s->setReshapeDimensions(Dims3{0, -1, 3}); return s->getOutput(0); }())"),
            "float32[1, 80, 3]");
  EXPECT_EQ(typeOf("n.addShuffle(*x)->getOutput(0)"), "float32[1, 3, 8, 10]");
  EXPECT_EQ(typeOf(R"([&] { auto *s = n.addShuffle(*k); s->setInput(1, *n.addShape(*k)->getOutput(0));
    return s->getOutput(0); }())"),
            "int32[6, 2]");
}

TEST(Layers, Windows) {
  EXPECT_EQ(typeOf(R"([&] { auto *s = n.addConvolutionNd(*x, 16, DimsHW{3, 3}, Weights{}, Weights{});
    s->setStrideNd(DimsHW{2, 2}); s->setPaddingNd(DimsHW{1, 1}); return s->getOutput(0); }())"),
            "float32[1, 16, 4, 5]");
  EXPECT_EQ(typeOf(R"([&] { auto *s = n.addConvolutionNd(*x, 16, DimsHW{3, 3}, Weights{}, Weights{});
    s->setStrideNd(DimsHW{2, 2}); s->setPaddingMode(PaddingMode::kSAME_UPPER); return s->getOutput(0); }())"),
            "float32[1, 16, 4, 5]");
  EXPECT_EQ(typeOf("n.addDeconvolutionNd(*x, 4, DimsHW{2, 2}, Weights{}, Weights{})->getOutput(0)"),
            "float32[1, 4, 9, 11]");
  EXPECT_EQ(typeOf("n.addPoolingNd(*x, PoolingType::kMAX, DimsHW{2, 2})->getOutput(0)"), "float32[1, 3, 7, 9]");
  EXPECT_EQ(typeOf("n.addPaddingNd(*x, DimsHW{1, 2}, DimsHW{0, 1})->getOutput(0)"), "float32[1, 3, 9, 13]");
  EXPECT_EQ(typeOf(R"([&] { const float by[] = {1, 1, 2, 2.5F}; auto *s = n.addResize(*x); s->setScales(by, 4);
    return s->getOutput(0); }())"),
            "float32[1, 3, 16, 25]");
  EXPECT_EQ(typeOf(R"([&] { auto *s = n.addResize(*x); s->setInput(1, *ints); return s->getOutput(0); }())"),
            "float32[1, 0, 2, 3]");
}

TEST(Layers, ConcatenationsAndEquations) {
  EXPECT_EQ(typeOf(R"([&] { ITensor *all[] = {m, m, m}; auto *s = n.addConcatenation(all, 3); s->setAxis(2);
    return s->getOutput(0); }())"),
            "float16[2, 4, 15]");
  EXPECT_EQ(typeOf(R"([&] { ITensor *all[] = {m, m}; return n.addEinsum(all, 2, "bij,bkj->bik")->getOutput(0); }())"),
            "float16[2, 4, 4]");
}

TEST(Layers, CodeCanAskForSizes) {
  EXPECT_EQ(typeOf(R"([&] { auto d = m->getDimensions(); d.d[d.nbDims - 1] = 7; d.d[0] = x->getDimensions().d[2];
    return n.addFill(d, FillOperation::kLINSPACE, x->getType())->getOutput(0); }())"),
            "float32[8, 4, 7]");
}

TEST(Layers, WhatIsSetLastCounts) {
  EXPECT_EQ(typeOf(R"([&] { auto *r = n.addReduce(*m, ReduceOperation::kMAX, 1U, true); r->setKeepDimensions(false);
    r->setReduceAxes(1U << 2); return r->getOutput(0); }())"),
            "float16[2, 4]");
  // A type that is wished for in a weakly typed network.
  EXPECT_EQ(
      typeOf(R"([&] { auto *r = n.addSoftMax(*m); r->setOutputType(0, DataType::kFLOAT); return r->getOutput(0); }())",
             1003),
      "unknown[2, 4, 5]");
  EXPECT_EQ(
      typeOf(R"([&] { auto *r = n.addIdentity(*m); r->setOutputType(0, DataType::kFLOAT); return r->getOutput(0); }())",
             806),
      "float32[2, 4, 5]");
}

// An equation that is not known is no equation of one term.
TEST(Layers, AnEinsumOfUnknownEquationIsUnknown) {
  EXPECT_EQ(differences(R"(#include <NvInfer.h>
#include <string>
using namespace nvinfer1;
std::string equation();
void f(INetworkDefinition &n, ITensor *a, ITensor *b) {
  ITensor *all[] = {a, b};
  n.markOutput(*n.addEinsum(all, 2, equation().c_str())->getOutput(0));
  n.markOutput(*n.addEinsum(all, 2, "ij->i")->getOutput(0)); // expect: error operator-type
}
)"),
            "");
}

TEST(Layers, AxesAreThoseOfTheTensor) {
  expectNone(R"(
void breaks(INetworkDefinition &n) {
  auto &x = *n.addInput("x", DataType::kFLOAT, Dims3{2, 3, 4});
  auto &i = *n.addInput("i", DataType::kINT32, Dims{1, {5}});
  auto &pairs = *n.addInput("pairs", DataType::kINT32, Dims2{7, 4});
  ITensor *two[] = {&x, &x};
  n.addConcatenation(two, 2)->setAxis(3);                          // expect: error operator-type
  n.addSoftMax(x)->setAxes(0b110);                                 // expect: error operator-type
  n.addSoftMax(x)->setAxes(1 << 3);                                // expect: error operator-type
  n.addTopK(x, TopKOperation::kMAX, 2, 0b11);                      // expect: error operator-type
  n.addTopK(x, TopKOperation::kMAX, 2, 1 << 3);                    // expect: error operator-type
  n.addGather(x, i, 3);                                            // expect: error operator-type
  n.addGatherV2(x, i, GatherMode::kELEMENT);                       // expect: error operator-type
  n.addGatherV2(x, pairs, GatherMode::kND);                        // expect: error operator-type
  n.addSlice(x, Dims2{0, 0}, Dims2{1, 1}, Dims2{1, 1});            // expect: error operator-type
  n.addSlice(x, Dims3{0, 0, 0}, Dims3{1, 1, 1}, Dims2{1, 1});      // expect: error operator-type
  n.addSlice(x, Dims2{0, 0}, Dims2{1, 1}, Dims2{1, 1})->setAxes(Dims2{1, 3}); // expect: error operator-type
  n.addShuffle(x)->setFirstTranspose(Permutation{{0, 2, 2}});      // expect: error operator-type
  n.addShuffle(x)->setSecondTranspose(Permutation{{1, 2, 3}});     // expect: error operator-type
}
void fine(INetworkDefinition &n, ITensor &any, int k) {
  auto &x = *n.addInput("x", DataType::kFLOAT, Dims3{2, 3, 4});
  auto &i = *n.addInput("i", DataType::kINT32, Dims{1, {3}});
  auto &at = *n.addInput("at", DataType::kINT32, Dims3{2, 3, 1});
  auto &pairs = *n.addInput("pairs", DataType::kINT32, Dims2{7, 3});
  ITensor *two[] = {&x, &x};
  n.addConcatenation(two, 2)->setAxis(2);
  n.addConcatenation(two, 2)->setAxis(k);
  n.addSoftMax(x)->setAxes(1 << 2);
  n.addSoftMax(any)->setAxes(1 << 5);
  n.addTopK(x, TopKOperation::kMAX, 2, 1 << 2);
  n.addGather(x, i, 2);
  n.addGather(any, i, 5);
  n.addGatherV2(x, at, GatherMode::kELEMENT)->setGatherAxis(2);
  n.addGatherV2(x, pairs, GatherMode::kND);
  n.addSlice(x, Dims3{0, 0, 0}, Dims3{1, 1, 1}, Dims3{1, 1, 1});
  n.addSlice(x, Dims{1, {0}}, Dims{1, {1}}, Dims{1, {1}})->setAxes(Dims{1, {2}});
  n.addSlice(any, Dims2{0, 0}, Dims2{1, 1}, Dims2{1, 1});
  auto *computed = n.addSlice(x, Dims{0, {}}, Dims{0, {}}, Dims{0, {}});
  for (int input = 1; input < 4; ++input)
    computed->setInput(input, i);
  n.addShuffle(x)->setFirstTranspose(Permutation{{0, 2, 1}}); // what stands behind the rank is not read
  auto *s = n.addShuffle(x);
  s->setReshapeDimensions(Dims2{6, 4});
  s->setSecondTranspose(Permutation{{1, 0}});
}
)",
             1101);
}

TEST(Layers, AttentionIsLikeItsQuery) {
  EXPECT_EQ(differences(R"(#include <NvInfer.h>
using namespace nvinfer1;
void attend(INetworkDefinition &n, ITensor &p) {
  auto *q = n.addInput("q", DataType::kHALF, Dims4{1, 8, 16, 64});
  auto *c = n.addIfConditional();
  c->setCondition(p);
  auto *in = c->addInput(*q)->getOutput(0);
  auto *a = n.addAttentionV2(*in, *in, *in, AttentionNormalizationOp::kSOFTMAX, CausalMaskKind::kNONE)->getOutput(0);
  n.markOutput(*c->addOutput(*a, *n.addUnary(*in, UnaryOperation::kABS)->getOutput(0))->getOutput(0));
  auto *d = n.addIfConditional();
  d->setCondition(p);
  auto *other = d->addInput(*q)->getOutput(0);
  auto *b = n.addAttention(*other, *other, *other, AttentionNormalizationOp::kSOFTMAX, false)->getOutput(0);
  auto *f = n.addCast(*other, DataType::kFLOAT)->getOutput(0);
  n.markOutput(*d->addOutput(*b, *f)->getOutput(0)); // expect: error output-dtype
}
)",
                        1101),
            "");
}

} // namespace
} // namespace condlint::test
