//===----------------------------------------------------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// torch::nn: what functions do by their options, and modules by how they were made.
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"

namespace condlint::test {
namespace {

/// What these tests use of torch::nn besides the small libtorch, as the real one declares it.
const std::string declarations = R"(
namespace torch {
template <size_t D, class E = int64_t> struct ExpandingArray {
  ExpandingArray(std::initializer_list<E> list);
  ExpandingArray(E one);
};
namespace nn {
template <size_t D> struct MaxPoolOptions {
  MaxPoolOptions(ExpandingArray<D> kernel_size);
  MaxPoolOptions &stride(ExpandingArray<D> stride);
};
struct ReLUOptions {
  ReLUOptions(bool inplace = false);
  ReLUOptions &inplace(bool inplace);
};
struct MaxPool2dImpl : Cloneable<MaxPool2dImpl> {
  MaxPool2dImpl(const MaxPoolOptions<2> &options);
  at::Tensor forward(const at::Tensor &input);
};
TORCH_MODULE(MaxPool2d);
struct ReLU6Impl : Cloneable<ReLU6Impl> {
  ReLU6Impl(const ReLUOptions &options = {});
  at::Tensor forward(at::Tensor input);
};
TORCH_MODULE(ReLU6);
struct FlattenImpl : Cloneable<FlattenImpl> {
  at::Tensor forward(const at::Tensor &input);
};
TORCH_MODULE(Flatten);
struct SequentialImpl : Cloneable<SequentialImpl> {
  template <class Result = at::Tensor, class... Inputs> Result forward(Inputs &&...inputs);
};
TORCH_MODULE(Sequential);
struct AnyModule {
  template <class Result = at::Tensor, class... Inputs> Result forward(Inputs &&...inputs);
};
namespace functional {
template <size_t D> struct ConvFuncOptions {
  ConvFuncOptions &bias(const at::Tensor &bias);
  ConvFuncOptions &padding(ExpandingArray<D> padding);
};
struct MSELossFuncOptions {
  MSELossFuncOptions(std::variant<enumtype::kConstant, enumtype::kReflect> reduction);
};
struct DropoutFuncOptions {
  DropoutFuncOptions &p(double p);
  DropoutFuncOptions &training(bool training);
  DropoutFuncOptions &inplace(bool inplace);
};
at::Tensor max_pool2d(const at::Tensor &input, const MaxPoolOptions<2> &options);
at::Tensor conv2d(const at::Tensor &input, const at::Tensor &weight, const ConvFuncOptions<2> &options = {});
at::Tensor mse_loss(const at::Tensor &input, const at::Tensor &target);
at::Tensor relu(at::Tensor input, const ReLUOptions &options = {});
at::Tensor dropout(at::Tensor input, const DropoutFuncOptions &options = {});
} // namespace functional
} // namespace nn
} // namespace torch
namespace F = torch::nn::functional;
namespace nn = torch::nn;
using T = const torch::Tensor &;
)";

/// The lines of \p source stand behind the declarations, to which `// expect` is relative.
std::string withNn(const std::string &source) { return declarations + source; }

TEST(Nn, FunctionsWithOptionsAreOperators_R9) {
  EXPECT_AS_SAID(withNn(R"(
torch::Tensor f(T x, T w, T b) {
  CONDLINT_TENSOR(x, Float, "N", 3, 8, 8);
  CONDLINT_TENSOR(w, Float, 3, 3, 3, 3);
  CONDLINT_TENSOR(b, Float, 3);
  auto y = condlint::cond(x.any(), [](T x) { return F::max_pool2d(x, nn::MaxPoolOptions<2>(2).stride({2, 2})); },
      [](T x) { return x.narrow(2, 0, 4).narrow(3, 0, 4) * 1; }, {x});
  y = condlint::cond(x.any(), [](T x) { return F::max_pool2d(x, nn::MaxPoolOptions<2>(2)); }, [](T x) { return x.flatten(1) * 1; }, {x}); // expect: error output-rank
  y = condlint::cond(x.any(), [](T x, T w, T b) { return F::conv2d(x, w, F::ConvFuncOptions<2>().bias(b).padding(1)); }, [](T x, T, T) { return x.exp(); }, {x, w, b});
  y = condlint::cond(x.any(), [](T x, T w, T b) { return F::conv2d(x, w).sum(); }, [](T x, T, T) { return x.exp(); }, {x, w, b}); // expect: error output-rank
  y = condlint::cond(x.any(), [](T x) { return F::mse_loss(x, x * 2); }, [](T x) { return x.mean(); }, {x});
  return condlint::cond(x.any(), [](T x) { return F::mse_loss(x, x * 2); }, [](T x) { return x * 2; }, {x}); // expect: error output-rank
})"));
}

TEST(Nn, OptionsThatWriteInPlace_M1_A1) {
  EXPECT_AS_SAID(withNn(R"(
torch::Tensor f(T x) {
  CONDLINT_TENSOR(x, Float, "N", 8);
  auto twice = [](T x) { return x * 2; };
  auto y = condlint::cond(x.any(), [](T x) { return F::relu(x, nn::ReLUOptions().inplace(true)); }, twice, {x}); // expect: error input-mutation; error output-alias
  y = condlint::cond(x.any(), [](T x) { return F::relu(x, nn::ReLUOptions(true)); }, twice, {x}); // expect: error input-mutation; error output-alias
  y = condlint::cond(x.any(), [](T x) { return F::relu(x, nn::ReLUOptions().inplace(false)); }, twice, {x});
  y = condlint::cond(x.any(), [](T x) { return F::relu(x * 3, nn::ReLUOptions().inplace(true)); }, twice, {x});
  y = condlint::cond(x.any(), [](T x) { return F::dropout(x, F::DropoutFuncOptions().training(false)); }, twice, {x}); // expect: error output-alias
  y = condlint::cond(x.any(), [](T x) { return F::dropout(x, F::DropoutFuncOptions().p(0.1).training(true)); }, twice, {x});
  return condlint::cond(x.any(), [](T x) { return F::dropout(x, F::DropoutFuncOptions().inplace(true)); }, twice, {x}); // expect: error input-mutation; error output-alias
})"));
}

TEST(Nn, ModulesThatAreMadeInTheBranch) {
  EXPECT_AS_SAID(withNn(R"(
torch::Tensor f(T x) {
  CONDLINT_TENSOR(x, Float, "N", 3, 8, 8);
  auto twice = [](T x) { return x * 2; };
  auto y = condlint::cond(x.any(), [](T x) { return nn::MaxPool2d(nn::MaxPoolOptions<2>(2))(x); }, twice, {x});
  y = condlint::cond(x.any(), [](T x) { return nn::MaxPool2d(nn::MaxPoolOptions<2>(2))->forward(x).sum(-1); }, twice, {x}); // expect: error output-rank
  y = condlint::cond(x.any(), [](T x) { return nn::ReLU6(nn::ReLUOptions().inplace(true))(x); }, twice, {x}); // expect: error input-mutation; error output-alias
  y = condlint::cond(x.any(), [](T x) { return nn::ReLU6()(x); }, twice, {x});
  y = condlint::cond(x.any(), [](T x) { return nn::Flatten()(x.exp()); }, twice, {x}); // expect: error output-rank
  y = condlint::cond(x.any(), [](T x) { return nn::Sequential(nn::ReLU6(), nn::MaxPool2d(nn::MaxPoolOptions<2>(2)))->forward(x); }, twice, {x});
  return condlint::cond(x.any(), [](T x) { return nn::Sequential(nn::ReLU6(), nn::Flatten())->forward(x); }, twice, {x}); // expect: error output-rank
})"));
}

TEST(Nn, ModulesThatAreCaptured) {
  EXPECT_AS_SAID(withNn(R"(
struct Block : nn::Module {
  nn::Sequential body{nullptr};
  nn::ReLU6 act{nullptr};
  nn::MaxPool2d pool{nullptr};
  nn::AnyModule any;
  nn::ModuleList list{nullptr};
  nn::Linear head{nullptr};
  torch::Tensor forward(T x) {
    CONDLINT_TENSOR(x, Float, "N", 3, 8, 8);
    auto twice = [](T x) { return x * 2; };
    auto y = condlint::cond(x.any(), [this](T x) { return body->forward(x); }, twice, {x}); // expect: warning closure-capture
    y = condlint::cond(x.any(), [this](T x) { return any.forward(x); }, twice, {x}); // expect: warning closure-capture
    y = condlint::cond(x.any(), [this](T x) { return pool(x).sum(); }, twice, {x}); // expect: warning closure-capture; error output-rank
    y = condlint::cond(x.any(), [this](T x) { return (*list->begin())->as<nn::LinearImpl>()->forward(x); }, twice, {x}); // expect: warning closure-capture
    y = condlint::cond(x.any(), [this](T x) { return head(x); }, twice, {x}); // expect: warning closure-capture
    y = condlint::cond(x.any(), [this](T x) { return head(x).sum(-1); }, twice, {x}); // expect: warning closure-capture; error output-rank
    y = condlint::cond(x.any(), [this](T x) { return act(x).sum(); }, twice, {x}); // expect: warning closure-capture; error output-rank
    return condlint::cond(x.any(), [this](T x) { return act(x); }, twice, {x}); // expect: warning closure-capture
  }
};)"));
}

} // namespace
} // namespace condlint::test
