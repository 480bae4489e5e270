//===- ModuleContainerTest.cpp - Modules that hold others -----------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Modules that hold others: which ones, and what these do.
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"

namespace condlint::test {
namespace {

/// What these tests use of torch::nn besides the small libtorch, as the real one declares it.
std::string withContainers(const std::string &source) {
  return R"(
namespace torch::nn {
struct ActivationOptions {
  ActivationOptions(bool inplace = false);
};
struct ReLU6Impl : Cloneable<ReLU6Impl> {
  ReLU6Impl(const ActivationOptions &options = {});
  at::Tensor forward(at::Tensor input);
};
TORCH_MODULE(ReLU6);
struct AnyModule {
  template <class Result = at::Tensor, class... Inputs> Result forward(Inputs &&...inputs);
};
struct SequentialImpl : Cloneable<SequentialImpl> {
  template <class... Modules> explicit SequentialImpl(Modules &&...modules);
  template <class M> void push_back(const ModuleHolder<M> &module);
  template <class Result = at::Tensor, class... Inputs> Result forward(Inputs &&...inputs);
  template <class M> M &at(size_t index);
  std::vector<AnyModule>::iterator begin();
  std::vector<AnyModule>::iterator end();
};
TORCH_MODULE(Sequential);
struct ModuleDictImpl : Cloneable<ModuleDictImpl> {
  void update(const std::vector<std::pair<std::string, std::shared_ptr<Module>>> &modules);
  std::shared_ptr<Module> operator[](const std::string &key) const;
};
TORCH_MODULE(ModuleDict);
} // namespace torch::nn
namespace nn = torch::nn;
using torch::Tensor;
)" + source;
}

TEST(ModuleContainer, IsReadByIndexAndAsARange) {
  EXPECT_AS_SAID(withContainers(R"(
struct Net : nn::Module {
  Net() {
    for (int i = 0; i < 2; ++i)
      list->push_back(nn::Linear(4, 4));
    list->push_back(nn::Linear(4, 7));
    acts->push_back(nn::ReLU6());
    acts->push_back(nn::ReLU6(nn::ActivationOptions(true)));
  }
  Tensor forward(const Tensor &x) {
    CONDLINT_TENSOR(x, Float, 2, 4);
    auto same = [](const Tensor &x) { return x * 1; };
    auto wide = [](const Tensor &) { return torch::zeros({2, 7}); };
    auto y = condlint::cond(x.any(), [this](Tensor x) {
      for (size_t i = 0; i < list->size(); ++i) // expect: warning closure-capture
        x = (*list)[i]->as<nn::LinearImpl>()->forward(x);
      return x;
    }, wide, {x});
    y = condlint::cond(x.any(), [this](Tensor x) { // expect: error output-rank
      for (auto &one : *list) // expect: warning closure-capture
        x = one->as<nn::LinearImpl>()->forward(x);
      return x.sum(0);
    }, wide, {x});
    y = condlint::cond(x.any(), [this](const Tensor &x) {
      if (auto *other = (*acts)[0]->as<nn::LinearImpl>()) // expect: warning closure-capture
        return other->forward(x.add_(1));
      return (*acts)[0]->as<nn::ReLU6Impl>()->forward(x) * 1;
    }, same, {x});
    return condlint::cond(x.any(), [this](const Tensor &x) {
      return (*acts)[1]->as<nn::ReLU6Impl>()->forward(x) * 1; // expect: warning closure-capture; error input-mutation
    }, same, {x});
  }
  nn::ModuleList list, acts;
};
)"));
}

TEST(ModuleContainer, HoldsModulesOfOnesOwn) {
  EXPECT_AS_SAID(withContainers(R"(
struct BlockImpl : nn::Module {
  BlockImpl(int64_t in, int64_t out) : linear(in, out) {}
  Tensor forward(const Tensor &x) { return linear(x).to(torch::kDouble); }
  nn::Linear linear;
};
TORCH_MODULE(Block);
struct Net : nn::Module {
  Net() : stages(make(3)) {
    for (int i = 0; i < 3; ++i)
      layers.push_back(register_module("layer", nn::Linear(4, 4)));
    heads->update({{"wide", std::make_shared<nn::LinearImpl>(4, 7)}, {"flat", std::make_shared<nn::ReLU6Impl>()}});
  }
  nn::Sequential make(int count) {
    nn::Sequential s;
    for (int i = 0; i < count; ++i)
      s->push_back(Block(4, 4));
    return s;
  }
  Tensor forward(const Tensor &x) {
    CONDLINT_TENSOR(x, Float, 2, 4);
    auto same = [](const Tensor &x) { return x * 1; };
    auto y = condlint::cond(x.any(), [this](const Tensor &x) { return stages->forward(x); }, same, {x}); // expect: warning closure-capture; error output-dtype
    y = condlint::cond(x.any(), [this](Tensor x) {
      for (auto &layer : layers) // expect: warning closure-capture
        x = layer(x);
      return x;
    }, same, {x});
    y = condlint::cond(x.any(), [this](const Tensor &x) {
      return (*heads)["flat"]->as<nn::ReLU6Impl>()->forward(x); // expect: warning closure-capture
    }, same, {x});
    return condlint::cond(x.any(), [this](const Tensor &x) { // expect: error output-rank
      return (*heads)["wide"]->as<nn::LinearImpl>()->forward(x).sum(); // expect: warning closure-capture
    }, same, {x});
  }
  std::vector<nn::Linear> layers;
  nn::Sequential stages;
  nn::ModuleDict heads;
};
)"));
}

} // namespace
} // namespace condlint::test
