//===- NnModuleTest.cpp - What less common modules of torch::nn compute --===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the forward of less common modules of torch::nn computes.
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"

namespace condlint::test {
namespace {

/// As the real libtorch declares them.
const std::string declarations = R"(
namespace torch {
template <size_t D> struct ExpandingArray {
  ExpandingArray(std::initializer_list<int64_t> list);
  ExpandingArray(int64_t one);
};
namespace enumtype {
struct kNone {};
struct kMean {};
} // namespace enumtype
constexpr enumtype::kNone kNone;
namespace nn {
using Reduction = std::variant<enumtype::kNone, enumtype::kMean>;
#define UNARY(name)                                                                                                    \
  struct name##Impl : Cloneable<name##Impl> {                                                                          \
    name##Impl(const name##Options &options);                                                                          \
    at::Tensor forward(const at::Tensor &input);                                                                       \
  };                                                                                                                   \
  TORCH_MODULE(name);
struct UnflattenOptions {
  UnflattenOptions(int64_t dim, std::vector<int64_t> sizes);
};
UNARY(Unflatten)
struct PixelUnshuffleOptions {
  PixelUnshuffleOptions(int64_t downscale_factor);
};
UNARY(PixelUnshuffle)
template <size_t D> struct ReflectionPadOptions {
  ReflectionPadOptions(ExpandingArray<D * 2> padding);
};
using ReflectionPad2dOptions = ReflectionPadOptions<2>;
UNARY(ReflectionPad2d)
template <size_t D> struct ConstantPadOptions {
  ConstantPadOptions(ExpandingArray<D * 2> padding, double value);
};
using ConstantPad1dOptions = ConstantPadOptions<1>;
UNARY(ConstantPad1d)
struct CrossMapLRN2dOptions {
  CrossMapLRN2dOptions(int64_t size);
};
UNARY(CrossMapLRN2d)
struct Softmax2dImpl : Cloneable<Softmax2dImpl> {
  at::Tensor forward(const at::Tensor &input);
};
TORCH_MODULE(Softmax2d);
struct PReLUImpl : Cloneable<PReLUImpl> {
  at::Tensor forward(const at::Tensor &input);
  at::Tensor weight;
};
TORCH_MODULE(PReLU);
template <size_t D, class Derived> struct NormImplBase : Cloneable<Derived> {
  at::Tensor weight, bias, running_mean, running_var;
};
template <size_t D, class Derived> struct BatchNormImplBase : NormImplBase<D, Derived> {
  at::Tensor forward(const at::Tensor &input);
};
struct BatchNorm1dImpl : BatchNormImplBase<1, BatchNorm1dImpl> {
  BatchNorm1dImpl(int64_t num_features);
};
TORCH_MODULE(BatchNorm1d);
struct MultiMarginLossImpl : Cloneable<MultiMarginLossImpl> {
  at::Tensor forward(const at::Tensor &input, const at::Tensor &target);
};
TORCH_MODULE(MultiMarginLoss);
struct MultiLabelSoftMarginLossOptions {
  MultiLabelSoftMarginLossOptions &reduction(Reduction reduction);
};
struct MultiLabelSoftMarginLossImpl : Cloneable<MultiLabelSoftMarginLossImpl> {
  MultiLabelSoftMarginLossImpl(MultiLabelSoftMarginLossOptions options = {});
  at::Tensor forward(const at::Tensor &input, const at::Tensor &target);
};
TORCH_MODULE(MultiLabelSoftMarginLoss);
struct CTCLossImpl : Cloneable<CTCLossImpl> {
  at::Tensor forward(const at::Tensor &log_probs, const at::Tensor &targets, const at::Tensor &input_lengths,
                     const at::Tensor &target_lengths);
};
TORCH_MODULE(CTCLoss);
} // namespace nn
} // namespace torch
namespace nn = torch::nn;
using T = const torch::Tensor &;
)";

TEST(NnModule, ShapesAreMovedAndPadded_R9_A1) {
  EXPECT_AS_SAID(declarations + R"(
torch::Tensor f(T x) {
  CONDLINT_TENSOR(x, Float, 2, 4, 8, 8);
  auto y = condlint::cond(x.any(), [](T x) { return nn::Unflatten(nn::UnflattenOptions(1, {2, 2}))(x.exp()); }, // expect: error output-rank
                          [](T x) { return x * 2; }, {x});
  y = condlint::cond(x.any(), [](T x) { return nn::Unflatten(nn::UnflattenOptions(1, {2, 2}))(x); }, // expect: error output-alias
                     [](T x) { return x.view({2, 2, 2, 8, 8}) * 2; }, {x});
  y = condlint::cond(x.any(), [](T x) { return nn::PixelUnshuffle(2)(x.exp()); },
                     [](T x) { return x.view({2, 16, 4, 4}) * 2; }, {x});
  y = condlint::cond(x.any(), [](T x) { return nn::PixelUnshuffle(2)(x.exp()).sum(0); }, // expect: error output-rank
                     [](T x) { return x.view({2, 16, 4, 4}) * 2; }, {x});
  y = condlint::cond(x.any(), [](T x) { return nn::Softmax2d()(x); }, [](T x) { return x * 2; }, {x});
  y = condlint::cond(x.any(), [](T x) { return nn::Softmax2d()(x).sum(0); }, [](T x) { return x * 2; }, {x}); // expect: error output-rank
  return condlint::cond(x.any(), [](T x) { return nn::CrossMapLRN2d(3)(x); }, // expect: error output-dtype
                        [](T x) { return x.to(torch::kLong); }, {x});
})");
  // At 2.6 sizes are compared.
  EXPECT_AS_SAID(declarations + R"(
torch::Tensor f(T x) {
  CONDLINT_TENSOR(x, Float, 2, 4, 8, 8);
  auto y = condlint::cond(x.any(), [](T x) { return nn::ReflectionPad2d(1)(x); },
                          [](T) { return torch::zeros({2, 4, 10, 10}); }, {x});
  y = condlint::cond(x.any(), [](T x) { return nn::ReflectionPad2d(nn::ReflectionPad2dOptions({0, 1, 0, 0}))(x); },
                     [](T) { return torch::zeros({2, 4, 8, 9}); }, {x});
  y = condlint::cond(x.any(), [](T x) { return nn::ConstantPad1d(nn::ConstantPad1dOptions(1, 3.5))(x); },
                     [](T) { return torch::zeros({2, 4, 8, 10}); }, {x});
  return condlint::cond(x.any(), [](T x) { return nn::ReflectionPad2d(2)(x); }, // expect: error output-shape
                        [](T) { return torch::zeros({2, 4, 10, 10}); }, {x});
})",
                 "torch@2.6");
}

TEST(NnModule, LossesAreOneNumberOrOneARow_R9) {
  EXPECT_AS_SAID(declarations + R"(
torch::Tensor f(T x) {
  CONDLINT_TENSOR(x, Float, 5, 8);
  auto y = condlint::cond(x.any(), [](T x) { return nn::MultiMarginLoss()(x, torch::zeros({5}, torch::kLong)); },
                          [](T x) { return x.sum(); }, {x});
  y = condlint::cond(x.any(), [](T x) { return nn::MultiMarginLoss()(x, torch::zeros({5}, torch::kLong)); }, // expect: error output-rank
                     [](T x) { return x * 2; }, {x});
  y = condlint::cond(x.any(), [](T x) { return nn::MultiLabelSoftMarginLoss()(x, x.exp()); },
                     [](T x) { return x.sum(); }, {x});
  y = condlint::cond(x.any(), [](T x) { return nn::MultiLabelSoftMarginLoss(nn::MultiLabelSoftMarginLossOptions().reduction(torch::kNone))(x, x.exp()); },
                     [](T x) { return x.select(1, 0) * 2; }, {x});
  y = condlint::cond(x.any(), [](T x) { return nn::MultiLabelSoftMarginLoss()(x, x.exp()); }, // expect: error output-rank
                     [](T x) { return x.select(1, 0) * 2; }, {x});
  auto lengths = torch::zeros({5}, torch::kLong);
  y = condlint::cond(x.any(), [](T x, T n) { return nn::CTCLoss()(x.exp(), n, n, n); },
                     [](T x, T) { return x.sum(); }, {x, lengths});
  return condlint::cond(x.any(), [](T x, T n) { return nn::CTCLoss()(x.exp(), n, n, n); }, // expect: error output-rank
                        [](T x, T) { return x * 2; }, {x, lengths});
})");
}

TEST(NnModule, WhatNeedsNoOptionsIsKnownWithoutThem_R6_M6) {
  EXPECT_AS_SAID(declarations + R"(
torch::Tensor f(T x, nn::BatchNorm1d bn, nn::PReLU act) {
  CONDLINT_TENSOR(x, Float, 5, 8);
  auto y = condlint::cond(x.any(), // expect: error output-dtype
                          [bn](T x) mutable { return bn(x); }, // expect: warning closure-capture
                          [](T x) { return x.to(torch::kLong); }, {x});
  y = condlint::cond(x.any(), // expect-unknown: capture-mutation
                     [&bn](T x) { return bn->forward(x); }, // expect: warning closure-capture
                     [](T x) { return x * 2; }, {x});
  y = condlint::cond(x.any(), [act](T x) mutable { return act(x); }, // expect: warning closure-capture
                     [](T x) { return x * 2; }, {x});
  return condlint::cond(x.any(), [act](T x) mutable { return act(x); }, // expect: warning closure-capture; error output-rank
                        [](T x) { return x.sum(); }, {x});
})");
}

} // namespace
} // namespace condlint::test
