//===- NnTest.cpp - Modules and functions of torch::nn ------------------===//
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
namespace enumtype {
struct kValid {};
struct kSame {};
} // namespace enumtype
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
  ReLUOptions options;
};
TORCH_MODULE(ReLU6);
struct ConvOptions {
  ConvOptions(int64_t in, int64_t out, ExpandingArray<2> kernel);
  ConvOptions &padding(std::variant<ExpandingArray<2>, enumtype::kValid, enumtype::kSame> padding);
  ConvOptions &stride(ExpandingArray<2> stride);
  ConvOptions &bias(bool bias);
};
template <size_t D, class Derived> struct ConvNdImpl : Cloneable<Derived> {
  at::Tensor weight, bias;
};
struct Conv2dImpl : ConvNdImpl<2, Conv2dImpl> {
  Conv2dImpl(int64_t in, int64_t out, ExpandingArray<2> kernel);
  Conv2dImpl(const ConvOptions &options);
  at::Tensor forward(const at::Tensor &input);
  ConvOptions options;
};
TORCH_MODULE(Conv2d);
struct EmbeddingImpl : Cloneable<EmbeddingImpl> {
  EmbeddingImpl(int64_t count, int64_t width);
  at::Tensor forward(const at::Tensor &indices);
  at::Tensor weight;
};
TORCH_MODULE(Embedding);
struct FunctionalImpl : Cloneable<FunctionalImpl> {
  FunctionalImpl(std::function<at::Tensor(const at::Tensor &)> function);
  at::Tensor forward(at::Tensor input);
};
TORCH_MODULE(Functional);
struct GRUImpl : Cloneable<GRUImpl> {
  GRUImpl(int64_t in, int64_t hidden);
  std::tuple<at::Tensor, at::Tensor> forward(const at::Tensor &input, at::Tensor state = {});
};
TORCH_MODULE(GRU);
struct FlattenImpl : Cloneable<FlattenImpl> {
  at::Tensor forward(const at::Tensor &input);
};
TORCH_MODULE(Flatten);
struct SequentialImpl : Cloneable<SequentialImpl> {
  template <class M> void push_back(M &&module);
  template <class Result = at::Tensor, class... Inputs> Result forward(Inputs &&...inputs);
};
TORCH_MODULE(Sequential);
struct AnyModule {
  template <class Result = at::Tensor, class... Inputs> Result forward(Inputs &&...inputs);
};
namespace functional {
template <size_t D> struct ConvFuncOptions {
  ConvFuncOptions &bias(const at::Tensor &bias);
  ConvFuncOptions &padding(std::variant<ExpandingArray<D>, enumtype::kValid, enumtype::kSame> padding);
};
struct MSELossFuncOptions {
  MSELossFuncOptions(std::variant<enumtype::kConstant, enumtype::kReflect> reduction);
};
at::Tensor max_pool2d(const at::Tensor &input, const MaxPoolOptions<2> &options);
at::Tensor conv2d(const at::Tensor &input, const at::Tensor &weight, const ConvFuncOptions<2> &options = {});
at::Tensor mse_loss(const at::Tensor &input, const at::Tensor &target);
at::Tensor relu(at::Tensor input, const ReLUOptions &options = {});
struct ThresholdFuncOptions {
  ThresholdFuncOptions(double threshold, double value);
  ThresholdFuncOptions &inplace(bool inplace);
};
struct FoldFuncOptions {
  FoldFuncOptions(ExpandingArray<2> outputSize, ExpandingArray<2> kernelSize);
};
struct SoftminFuncOptions {
  SoftminFuncOptions(int64_t dim);
};
at::Tensor threshold(at::Tensor input, const ThresholdFuncOptions &options);
at::Tensor softsign(const at::Tensor &input);
at::Tensor softmin(const at::Tensor &input, const SoftminFuncOptions &options);
at::Tensor gumbel_softmax(const at::Tensor &logits);
at::Tensor cosine_similarity(const at::Tensor &x1, const at::Tensor &x2);
at::Tensor triplet_margin_loss(const at::Tensor &anchor, const at::Tensor &positive, const at::Tensor &negative);
at::Tensor fold(const at::Tensor &input, const FoldFuncOptions &options);
} // namespace functional
} // namespace nn
} // namespace torch
namespace F = torch::nn::functional;
namespace nn = torch::nn;
using T = const torch::Tensor &;
)";

/// The lines of \p source stand behind the declarations, to which `// expect` is relative.
std::string withNn(const std::string &source) { return declarations + source; }

TEST(Nn, AModuleIsNotWhatItIsAskedFor) {
  EXPECT_AS_SAID(R"(
using torch::Tensor;
Tensor f(const Tensor &x) {
  return condlint::cond(x.any(), [](const Tensor &x) {
    auto m = std::make_shared<torch::nn::LinearImpl>(4, 4);
    torch::nn::Module *b = m.get();
    if (b->as<torch::nn::ReLU>())
      return x.add_(1) * 1;
    return x * 2;
  }, [](const Tensor &x) { return x * 3; }, {x});
}
)");
}

TEST(Nn, AModuleIsABranch) {
  EXPECT_AS_SAID(R"(
struct Writer : torch::nn::Module {
  torch::Tensor forward(torch::Tensor x) {
    return x.add_(1); // expect: error input-mutation
  }
};
struct Net : torch::nn::Module {
  torch::nn::Linear one{nullptr}, two{nullptr};
  torch::Tensor forward(const torch::Tensor &x) {
    return condlint::cond(x.any(), one, two, {x}); // expect: warning closure-capture
  }
};
torch::Tensor f(torch::nn::Linear fc, torch::nn::ModuleHolder<Writer> own, const torch::Tensor &x) {
  auto twice = [](const torch::Tensor &x) { return x * 2; };
  auto y = condlint::cond(x.any(), fc, twice, {x}); // expect: warning closure-capture
  return condlint::cond(x.any(), own, twice, {x}); // expect: error output-alias
}
)");
}

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

TEST(Nn, FunctionsOfTwoAndThreeTensorsAndOnesThatAreSeveralOperators) {
  EXPECT_AS_SAID(withNn(R"(
torch::Tensor f(T x) {
  CONDLINT_TENSOR(x, Float, 4, 8);
  auto y = condlint::cond(x.any(), [](T x) { return F::softsign(x); }, [](T x) { return F::softmin(x, 1); }, {x});
  y = condlint::cond(x.any(), [](T x) { return F::cosine_similarity(x, x.exp()); }, [](T x) { return x.select(1, 0) * 1; }, {x});
  y = condlint::cond(x.any(), [](T x) { return F::cosine_similarity(x, x.exp()); }, [](T x) { return x * 2; }, {x}); // expect: error output-rank
  y = condlint::cond(x.any(), [](T x) { return F::triplet_margin_loss(x, x.exp(), x + 1); }, [](T x) { return x.sum(); }, {x});
  y = condlint::cond(x.any(), [](T x) { return F::gumbel_softmax(x); }, [](T x) { return x * 2; }, {x}); // expect: note random-in-branch
  y = condlint::cond(x.any(), [](T x) { return F::fold(x.view({1, 4, 8}).narrow(2, 0, 6), {{3, 4}, {2, 2}}); }, [](T x) { return x.view({1, 1, 4, 8}).narrow(2, 0, 3).narrow(3, 0, 4) * 1; }, {x});
  return condlint::cond(x.any(), [](T x) { return F::fold(x.view({1, 4, 8}).narrow(2, 0, 6), {{3, 4}, {2, 2}}); }, [](T x) { return x.view({1, 4, 8}).narrow(1, 0, 3).narrow(2, 0, 4) * 1; }, {x}); // expect: error output-rank
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
  y = condlint::cond(x.any(), [](T x) { return F::threshold(x, F::ThresholdFuncOptions(0.5, 0).inplace(true)); }, twice, {x}); // expect: error input-mutation; error output-alias
  y = condlint::cond(x.any(), [](T x) { return F::threshold(x, F::ThresholdFuncOptions(0.5, 0)); }, twice, {x});
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

TEST(Nn, OptionsThatAreSetAfterwards) {
  EXPECT_AS_SAID(declarations + R"(
using torch::Tensor;
namespace nn = torch::nn;
Tensor f(const Tensor &x) {
  auto twice = [](Tensor x) { return x * 2; };
  auto y = condlint::cond(x.any(), [](Tensor x) {
    nn::ReLU6 act(nn::ReLUOptions(true));
    act->options.inplace(false);
    return act(x) * 1;
  }, twice, {x});
  return condlint::cond(x.any(), [](Tensor x) {
    nn::ReLU6 act(nn::ReLUOptions(false));
    act->options.inplace(true);
    return act(x) * 1; // expect: error input-mutation
  }, twice, {x});
}
// One option that is set says nothing of the others.
Tensor given(const Tensor &x, nn::Conv2d conv) {
  CONDLINT_TENSOR(x, Float, 1, 3, 8, 8);
  auto zeros = [](Tensor) { return torch::zeros({1, 3, 8, 8}); };
  return condlint::cond(x.any(), [conv](Tensor x) mutable { // expect-unknown: output-shape
    conv->options.stride(2); // expect: error global-mutation
    return conv(x);
  }, zeros, {x});
}
)");
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

TEST(Nn, ASequenceIsFilledWhereItIsMade_R9_A1) {
  EXPECT_AS_SAID(withNn(R"(
using torch::Tensor;
struct Net : nn::Module {
  Net() { body->push_back(nn::Linear(4, 4)); }
  Tensor run(const Tensor &x) {
    return condlint::cond(x.any(), [this](const Tensor &x) { return body->forward(x); }, // expect: warning closure-capture
                          [](const Tensor &x) { return x * 1; }, {x});
  }
  nn::Sequential body;
};
nn::Sequential make() {
  nn::Sequential s;
  s->push_back(nn::Linear(4, 4));
  s->push_back(nn::ReLU());
  return s;
}
Tensor f(const Tensor &x, bool wide) {
  auto other = [](const Tensor &x) { return x * 1; };
  auto y = condlint::cond(x.any(), [](const Tensor &x) { return make()->forward(x); }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) { // expect-unknown: output-alias
    nn::Sequential s;
    for (int64_t i = 0; i < x.size(0); ++i)
      s->push_back(nn::Linear(4, 4));
    return s->forward(x);
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) { // expect-unknown: output-alias
    nn::Sequential s(nn::Linear(4, 4));
    if (x.dim() > 2)
      s->push_back(nn::Linear(4, 4));
    return s->forward(x);
  }, other, {x});
  return y;
}
Tensor g(const Tensor &x) {
  return condlint::cond(x.any(), [](const Tensor &x) { // expect: error output-dtype
    nn::Sequential s;
    s->push_back(nn::Linear(4, 4));
    return s->forward(x).to(torch::kLong);
  }, [](const Tensor &x) { return x.sin(); }, {x});
}
)"));
}

TEST(Nn, PaddingsThatHaveNames_R9) {
  EXPECT_AS_SAID(withNn(R"(
torch::Tensor f(T x, T w, int64_t step) {
  CONDLINT_TENSOR(x, Float, "N", 3, 8, 8);
  CONDLINT_TENSOR(w, Float, 3, 3, 3, 3);
  auto twice = [](T x, T) { return x * 2; };
  auto y = condlint::cond(x.any(), [](T x, T w) { return F::conv2d(x, w, F::ConvFuncOptions<2>().padding(torch::enumtype::kSame{})); }, twice, {x, w});
  y = condlint::cond(x.any(), [](T x, T w) { return F::conv2d(x, w, F::ConvFuncOptions<2>().padding(torch::enumtype::kSame{})).sum(-1); }, twice, {x, w}); // expect: error output-rank
  y = condlint::cond(x.any(), [](T x, T w) { return F::conv2d(x, w, F::ConvFuncOptions<2>().padding(torch::enumtype::kValid{})).sum(-1); }, twice, {x, w}); // expect: error output-rank
  return y;
})"));
}

TEST(Nn, MembersAsTheConstructorMakesThem_R9_R12) {
  EXPECT_AS_SAID(withNn(R"(
struct Net : nn::Module {
  nn::Conv2d conv{nullptr}, other{nullptr}, lent{nullptr}, tuned{nullptr};
  nn::Conv2d same{nn::ConvOptions(3, 8, 3).padding(torch::enumtype::kSame{}).bias(false)};
  nn::Dropout drop{nullptr};
  nn::Sequential net{nullptr}, flat{nullptr};
  nn::Embedding table{nullptr};
  Net(int64_t width) : drop(0.1) {
    conv = register_module("conv", nn::Conv2d(nn::ConvOptions(3, 8, 3).padding(torch::ExpandingArray<2>{1, 1})));
    other = nn::Conv2d(3, width, 3);
    lent = nn::Conv2d(3, 8, 3);
    tuned = nn::Conv2d(3, 8, 3);
    net = nn::Sequential(nn::Conv2d(3, 8, 1), nn::ReLU6());
    flat = nn::Sequential(nn::Conv2d(3, 8, 1), nn::Flatten(), nn::Functional(torch::relu));
    reset();
  }
  void reset() { table = nn::Embedding(100, 16); }
  void change() { lent = nn::Conv2d(3, 8, 5); tuned->options.stride(2); }
  torch::Tensor forward(T x, T ids) {
    CONDLINT_TENSOR(x, Float, 2, 3, 8, 8);
    CONDLINT_TENSOR(ids, Long, 4);
    auto wide = [](T x) { return torch::zeros({2, 8, 8, 8}); };
    auto y = condlint::cond(x.any(), [this](T x) { return conv(x); }, wide, {x}); // expect: warning closure-capture
    y = condlint::cond(x.any(), [this](T x) { return same->forward(x); }, wide, {x}); // expect: warning closure-capture
    y = condlint::cond(x.any(), [this](T x) { return other(x); }, wide, {x}); // expect: warning closure-capture; error output-shape
    y = condlint::cond(x.any(), [this](T x) { return drop(x) * 2; }, [](T x) { return x * 2; }, {x}); // expect: warning closure-capture
    y = condlint::cond(x.any(), [this](T x) { return net->forward(x); }, wide, {x}); // expect: warning closure-capture
    y = condlint::cond(x.any(), [this](T x) { return flat->forward(x); }, wide, {x}); // expect: warning closure-capture; error output-rank
    y = condlint::cond(ids.any(), [this](T ids) { return table(ids); }, [](T ids) { return torch::zeros({4, 16}); }, {ids}); // expect: warning closure-capture
    y = condlint::cond(ids.any(), [this](T ids) { return table(ids); }, [](T ids) { return torch::zeros({4, 17}); }, {ids}); // expect: warning closure-capture; error output-shape
    y = condlint::cond(x.any(), [this](T x) { return lent(x); }, wide, {x}); // expect: warning closure-capture
    return condlint::cond(x.any(), [this](T x) { return tuned(x); }, wide, {x}); // expect: warning closure-capture
  }
};)"),
                 "torch@2.6");
}

TEST(Nn, ParametersHaveTheRankOfTheirClass_R6_R9) {
  EXPECT_AS_SAID(withNn(R"(
struct Net : nn::Module {
  nn::Linear fc{nullptr};
  nn::Conv2d conv{nullptr};
  torch::Tensor forward(T x) {
    CONDLINT_TENSOR(x, Float, "N", 16);
    auto y = condlint::cond(x.any(), [](T x, T w) { return x.matmul(w.t()); }, [](T x, T w) { return x.sum(1); }, {x, fc->weight}); // expect: error output-rank
    y = condlint::cond(x.any(), [](T x, T w) { return w * 1; }, [](T x, T w) { return x * 1; }, {x, conv->weight}); // expect: error output-rank
    y = condlint::cond(x.any(), [](T x, T w) { return w.sum(); }, [](T x, T w) { return x.argmax(); }, {x, fc->weight}); // expect: error output-dtype
    y = condlint::cond(x.any(), [](T x) { return x.matmul(nn::Linear(16, 4)->weight.t()); }, [](T x) { return x.sum(1); }, {x}); // expect: error output-rank
    return condlint::cond(x.any(), [](T x) { auto [y, state] = nn::GRU(16, 16)->forward(x); return y; }, [](T x) { return x.sum(); }, {x}); // expect: error output-rank
  }
};)"));
}

TEST(Nn, AnotherFunctionsModulesAreOthers) {
  EXPECT_AS_SAID(withNn(R"(
torch::Tensor f(T x) {
  CONDLINT_TENSOR(x, Float, 2, 3, 8, 8);
  nn::Conv2d conv(3, 8, 3);
  return condlint::cond(x.any(), [&](T x) { return conv(x); }, [](T x) { return torch::zeros({2, 8, 6, 6}); }, {x}); // expect: warning closure-capture
}
torch::Tensor g(T x, nn::Conv2d conv) {
  CONDLINT_TENSOR(x, Float, 2, 3, 8, 8);
  return condlint::cond(x.any(), [&](T x) { return conv(x); }, [](T x) { return torch::zeros({2, 9, 6, 6}); }, {x}); // expect: warning closure-capture
})"),
                 "torch@2.6");
}

TEST(Nn, ModulesThatAreCalledOtherwiseThanTheirFunctions) {
  EXPECT_AS_SAID(R"(
namespace torch {
namespace nn {
struct CrossEntropyLossImpl : Cloneable<CrossEntropyLossImpl> {
  at::Tensor forward(const at::Tensor &input, const at::Tensor &target);
};
TORCH_MODULE(CrossEntropyLoss);
struct TransformerEncoderLayerImpl : Cloneable<TransformerEncoderLayerImpl> {
  TransformerEncoderLayerImpl(int64_t d_model, int64_t nhead);
  at::Tensor forward(const at::Tensor &src);
};
TORCH_MODULE(TransformerEncoderLayer);
struct MultiheadAttentionImpl : Cloneable<MultiheadAttentionImpl> {
  MultiheadAttentionImpl(int64_t embed_dim, int64_t num_heads);
  std::tuple<at::Tensor, at::Tensor> forward(const at::Tensor &query, const at::Tensor &key, const at::Tensor &value);
};
TORCH_MODULE(MultiheadAttention);
} // namespace nn
namespace fft {
at::Tensor fftshift(const at::Tensor &x, std::optional<at::IntArrayRef> dim = std::nullopt);
} // namespace fft
} // namespace torch
using torch::Tensor;
struct Net : torch::nn::Module {
  Net() {}
  torch::nn::CrossEntropyLoss loss;
  torch::nn::TransformerEncoderLayer layer{8, 2};
  torch::nn::MultiheadAttention attention{8, 2};
  Tensor forward(const Tensor &p) {
    auto image = [] { return torch::zeros({4, 2, 8}); };
    auto ints = [] { return torch::zeros({3}, torch::kInt); };
    auto y = condlint::cond(p.any(), // expect: error output-dtype; error output-rank
                            [this] {
                              auto target = torch::zeros({5}, torch::kLong);
                              return loss->forward(torch::zeros({5, 8}), target); // expect: warning closure-capture
                            }, ints);
    y = condlint::cond(p.any(), [this] {
      return layer->forward(torch::zeros({4, 2, 8})); // expect: warning closure-capture
    }, image);
    y = condlint::cond(p.any(), // expect: error output-dtype; error output-rank
                       [this] {
                         auto x = torch::zeros({4, 2, 8});
                         return std::get<0>(attention->forward(x, x, x)); // expect: warning closure-capture
                       }, ints);
    return condlint::cond(p.any(), [] { return torch::fft::fftshift(torch::zeros({4, 2, 8})); }, image);
  }
};
)");
}

TEST(Nn, WhatIsInitialisedAtRandomIsDrawn_E4) {
  EXPECT_AS_SAID(R"(
using torch::Tensor;
namespace torch::nn::init {
Tensor xavier_uniform_(Tensor t, double gain = 1.0);
Tensor normal_(Tensor t, double mean = 0, double std = 1);
Tensor ones_(Tensor t);
}
Tensor initialised(const Tensor &x) {
  return condlint::cond(x.any(), [](const Tensor &x) {
    torch::nn::init::xavier_uniform_(x); // expect: error input-mutation; note random-in-branch
    return x * 2;
  }, [](const Tensor &x) {
    auto w = torch::empty({4, 4});
    torch::nn::init::ones_(w);
    torch::nn::init::normal_(w, 0.0, 2.0); // expect: note random-in-branch
    return x.matmul(w);
  }, {x});
}
)");
}

} // namespace
} // namespace condlint::test
