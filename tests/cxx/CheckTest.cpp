//===- CheckTest.cpp - What comparisons of metadata say of what follows --===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What comparisons of tensors' metadata say of what follows.
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"

namespace condlint::test {
namespace {

TEST(Check, OneOfSeveralIsWhatTheyHaveInCommon) {
  EXPECT_AS_SAID(R"(
using T = const torch::Tensor &;
torch::Tensor dtypes(T x) {
  TORCH_CHECK(x.scalar_type() == torch::kFloat || x.scalar_type() == torch::kDouble);
  auto y = condlint::cond(x.any(), [](T x) { return x.to(torch::kLong); }, [](T x) { return x + 1; }, {x}); // expect: error output-dtype
  return condlint::cond(x.any(), [](T x) { return x.cos(); }, [](T x) { return x + 1; }, {x});
}
torch::Tensor ranks(T x) {
  TORCH_CHECK(x.dim() == 2 || x.dim() == 3);
  return condlint::cond(x.any(), [](T x) { return x.sum(-1); }, [](T x) { return x + 1; }, {x}); // expect-unknown: output-rank
}
torch::Tensor arms(T x) {
  if (x.scalar_type() != torch::kFloat && x.scalar_type() != torch::kHalf)
    throw 1;
  return condlint::cond(x.any(), [](T x) { return x.to(torch::kBool); }, [](T x) { return x * 2; }, {x}); // expect: error output-dtype
}
)");
}

TEST(Check, ACaseIsWhatItsLabelSays) {
  EXPECT_AS_SAID(R"(
using T = const torch::Tensor &;
torch::Tensor f(T x) {
  switch (x.dim()) {
  case 2:
    return condlint::cond(x.any(), [](T x) { return x.sum(-1); }, [](T x) { return x + 1; }, {x}); // expect: error output-rank
  case 3:
  case 4:
    return condlint::cond(x.any(), [](T x) { return x.sum(-1); }, [](T x) { return x + 1; }, {x}); // expect-unknown: output-rank
  default:
    return x;
  }
}
torch::Tensor g(T x) {
  switch (x.scalar_type()) {
  case torch::kLong:
    return condlint::cond(x.any(), [](T x) { return x.cos(); }, [](T x) { return x + 1; }, {x}); // expect: error output-dtype
  case torch::kFloat:
    return condlint::cond(x.any(), [](T x) { return x.cos(); }, [](T x) { return x + 1; }, {x});
  case torch::kInt:
    return condlint::cond(x.any(), [](T x) { return x.to(torch::kHalf); }, [](T x) { return x + 1; }, {x}); // expect: error output-dtype
  default:
    auto y = condlint::cond(x.any(), [](T x) { return x.to(torch::kFloat); }, [](T x) { return x + 1; }, {x}); // expect: error output-dtype
    return condlint::cond(x.any(), [](T x) { return x.to(torch::kHalf); }, [](T x) { return x + 1; }, {x}); // expect-unknown: output-dtype
  }
}
)");
}

TEST(Check, TwoTensorsThatAgree) {
  EXPECT_AS_SAID(R"(
using T = const torch::Tensor &;
torch::Tensor sizes(T x, T y) {
  TORCH_CHECK(y.dim() == 2 && x.sizes() == y.sizes());
  auto z = condlint::cond(x.any(), [](T x) { return x.sum(1); }, [](T x) { return x + 1; }, {x}); // expect: error output-rank
  return condlint::cond(x.any(), [](T x) { return x.exp(); }, [](T x) { return x.view(x.sizes()).sin(); }, {x});
}
torch::Tensor differing(T x, T y) {
  TORCH_CHECK(y.dim() == 2 && x.sizes() != y.sizes());
  return condlint::cond(x.any(), [](T x) { return x.sum(1); }, [](T x) { return x + 1; }, {x}); // expect-unknown: output-rank
}
torch::Tensor copies(T x, T y) {
  TORCH_CHECK(y.dim() == 2);
  auto s = x.sizes().vec();
  s.push_back(1);
  TORCH_CHECK(y.sizes() == torch::IntArrayRef(s)); // which is no longer what x has
  return condlint::cond(x.any(), [](T x) { return x.sum(1); }, [](T x) { return x + 1; }, {x}); // expect-unknown: output-rank
}
torch::Tensor counted(T x) {
  TORCH_CHECK(x.sizes().size() == 2 && x.sizes().back() == 1);
  auto y = condlint::cond(x.any(), [](T x) { return x.squeeze(1).exp(); }, [](T x) { return x.exp(); }, {x}); // expect: error output-rank
  return condlint::cond(x.any(), [](T x) { return x.sum(0); }, [](T x) { return x.sum(1); }, {x});
}
torch::Tensor ranks(T x, T y) {
  TORCH_CHECK(x.dim() == y.dim() && y.dim() == 3);
  return condlint::cond(x.any(), [](T x) { return x.sum(1); }, [](T x) { return x + 1; }, {x}); // expect: error output-rank
}
torch::Tensor dtypes(T x, T y) {
  TORCH_CHECK(y.scalar_type() == torch::kLong);
  if (x.scalar_type() != y.scalar_type())
    return x;
  return condlint::cond(x.any(), [](T x) { return x.cos(); }, [](T x) { return x + 1; }, {x}); // expect: error output-dtype
}
torch::Tensor elements(T x, T y) {
  CONDLINT_TENSOR(y, Float, "N", 4);
  TORCH_CHECK(x.dim() == 2 && x.size(0) == y.size(0) && x.size(1) == 4);
  TORCH_CHECK(x.scalar_type() == y.scalar_type());
  auto z = condlint::cond(x.any(), [](T x, T) { return x.to(torch::kDouble); }, [](T x, T y) { return x + y; }, {x, y}); // expect: error output-dtype
  return condlint::cond(x.any(), [](T x, T y) { return x * y; }, [](T x, T y) { return x + y; }, {x, y});
}
torch::Tensor withoutARank(T x) {
  std::vector<int64_t> shape(x.sizes().begin(), x.sizes().end());
  return condlint::cond(x.any(), [](T x) { return torch::zeros({x.sizes()[0], x.size(0)}); }, [](T x) { return x.sum(); }, {x}); // expect: error output-rank
}
torch::Tensor twoViews(T x) {
  CONDLINT_TENSOR(x, Float, "N", 4);
  return condlint::cond(x.any(), // expect: error output-rank
      [](T x) {
        std::vector<int64_t> shape(x.sizes().begin(), x.sizes().end());
        shape.push_back(1);
        return torch::zeros(shape);
      },
      [](T x) { return x.exp(); }, {x});
}
)");
}

TEST(Check, AConversionToWhatATensorIs_A1) {
  EXPECT_AS_SAID(R"(
using T = const torch::Tensor &;
torch::Tensor f(T x, T y) {
  auto twice = [](T x) { return x * 2; };
  auto z = condlint::cond(x.any(), [](T x) { return x.to(x.options()); }, twice, {x}); // expect: error output-alias
  z = condlint::cond(x.any(), [](T x) { return x.to(torch::TensorOptions(x.device())); }, twice, {x}); // expect: error output-alias
  z = condlint::cond(x.any(), [](T x) { return x.to(x.options().dtype(torch::kHalf)); }, [](T x) { return x.to(torch::kHalf) * 2; }, {x}); // expect-unknown: output-alias
  z = condlint::cond(x.any(), [](T x) { return x.to(x); }, twice, {x}); // expect: error output-alias
  z = condlint::cond(x.any(), [](T x) { return x.to(x.dtype()); }, twice, {x}); // expect: error output-alias
  z = condlint::cond(x.any(), [](T x) { return x.type_as(x); }, twice, {x}); // expect: error output-alias
  z = condlint::cond(x.any(), [](T x) { return x.to(x.options(), false, true); }, [](T x) { return x.clone(); }, {x});
  z = condlint::cond(x.any(), [](T x) { return x.to(torch::kFloat).to(x.dtype()); }, [](T x) { return x.clone(); }, {x}); // expect-unknown: output-alias
  z = condlint::cond(x.any(), [](T x, T y) { return x.to(y); }, [](T x, T y) { return y.clone(); }, {x, y}); // expect-unknown: output-alias
  return z;
}
)");
}

TEST(Check, TwoContractsOnOneLine) {
  EXPECT_AS_SAID(R"(
#define CHECKED(x, n) CONDLINT_TENSOR(x, Half, "N", 4); CONDLINT_SCALAR(n, Long)
torch::Tensor f(torch::Tensor p, torch::Tensor x, torch::Tensor n) {
  CHECKED(x, n);
  auto y = condlint::cond(p, [](torch::Tensor x) { return x * 1; }, [](torch::Tensor x) { return x.to(torch::kLong); }, {x}); // expect: error output-dtype
  return condlint::cond(p, [](torch::Tensor n) { return n * 1; }, [](torch::Tensor n) { return n.to(torch::kLong) + 1; }, {n});
})");
}

} // namespace
} // namespace condlint::test
