//===- OutputTest.cpp - What comes out of branches ------------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What comes out of branches: kinds, dtypes, ranks, layouts, storage.
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"

namespace condlint::test {
namespace {

TEST(Output, KindsAndCounts_R1_R2_R3) {
  EXPECT_AS_SAID(R"(
struct Detection { torch::Tensor boxes, scores; };
auto f(const torch::Tensor &x) {
  auto exp = [](const torch::Tensor &x) { return x.exp(); };
  auto y = condlint::cond(x.any(), exp, [](const torch::Tensor &) { return torch::Tensor(); }, {x}); // expect: error output-kind
  auto lists = condlint::cond( // expect: error output-count
      x.any(), [](const torch::Tensor &x) { return std::vector<torch::Tensor>{x * 1, x * 2}; },
      [](const torch::Tensor &x) {
        std::vector<torch::Tensor> out;
        for (int i = 0; i < 3; ++i)
          out.push_back(x * i);
        return out;
      }, {x});
  auto one = [](const torch::Tensor &x) { return std::vector<torch::Tensor>{x * 1}; };
  auto nothing = [](const torch::Tensor &) { return std::vector<torch::Tensor>{}; };
  lists = condlint::cond(x.any(), one, nothing, {x}); // expect: error output-count
  lists = condlint::cond(x.any(), nothing, one, {x}); // expect: error output-count
  auto none = condlint::cond( // expect: error output-none
      x.any(), [](const torch::Tensor &) { return std::vector<torch::Tensor>{}; },
      [](const torch::Tensor &) { return std::vector<torch::Tensor>{}; }, {x});
  auto doubles = condlint::cond( // expect: error output-kind
      x.any(), [](const torch::Tensor &x) { return std::make_tuple(x.exp(), 1.0); },
      [](const torch::Tensor &x) { return std::make_tuple(x.sin(), 2.0); }, {x});
  auto integers = condlint::cond(
      x.any(), [](const torch::Tensor &x) { return std::make_tuple(x.exp(), int64_t(1)); },
      [](const torch::Tensor &x) { return std::make_tuple(x.sin(), int64_t(2)); }, {x});
  auto optionals = condlint::cond( // expect: error output-kind
      x.any(), [](const torch::Tensor &x) -> std::optional<torch::Tensor> { return x.exp(); },
      [](const torch::Tensor &) -> std::optional<torch::Tensor> { return std::nullopt; }, {x});
  return condlint::cond( // expect: error output-dtype
      x.any(), [](const torch::Tensor &x) { return Detection{x.exp(), x.argmax()}; },
      [](const torch::Tensor &x) { return Detection{x.sin(), x.mean()}; }, {x});
})");
}

TEST(Output, Dtypes_R6) {
  EXPECT_AS_SAID(R"(
torch::Tensor f(const torch::Tensor &x, const torch::Tensor &h) {
  CONDLINT_DTYPE(h, Half);
  auto y = condlint::cond(x.any(), [](const torch::Tensor &x) { return x.to(torch::kInt); }, [](const torch::Tensor &x) { return x.round().to(torch::kInt); }, {x});
  y = condlint::cond(x.any(), [](const torch::Tensor &x) { return x.to(torch::kInt).sum(); }, [](const torch::Tensor &x) { return x.to(torch::kInt).max(); }, {x}); // expect: error output-dtype
  y = condlint::cond(x.any(), [](const torch::Tensor &x) { return x.gt(0).sum(-1); }, [](const torch::Tensor &x) { return x.sigmoid().sum(-1); }, {x}); // expect: error output-dtype
  y = condlint::cond(x.any(), [](const torch::Tensor &) { return torch::zeros({2}, torch::kDouble); }, [](const torch::Tensor &) { return torch::zeros({2}); }, {x}); // expect: error output-dtype
  y = condlint::cond(h.any(), [](const torch::Tensor &h) { return h.to(torch::kFloat).exp().to(torch::kHalf); }, [](const torch::Tensor &h) { return h.exp(); }, {h});
  y = condlint::cond(h.any(), [](const torch::Tensor &h) { return h * 2 + 1; }, [](const torch::Tensor &h) { return h * torch::ones({}); }, {h});
  y = condlint::cond(x.any(), [](const torch::Tensor &) { return torch::full({2}, 1); }, [](const torch::Tensor &) { return torch::full({2}, 1.0); }, {x}); // expect: error output-dtype
  return condlint::cond(x.any(), [](const torch::Tensor &x) { return x.exp(); }, [](const torch::Tensor &x) { return x * 2; }, {y}); // expect-unknown: output-dtype
})");
}

TEST(Output, OptionsThatAreAssigned_R6) {
  EXPECT_AS_SAID(R"(
using torch::Tensor;
struct Config {
  torch::TensorOptions options = torch::kFloat;
  Config &half() {
    options = options.dtype(torch::kHalf);
    return *this;
  }
};
Tensor f(const Tensor &x) {
  auto half = [](const Tensor &) { return torch::zeros({2}, torch::kHalf); };
  auto y = condlint::cond(x.any(), [](const Tensor &) {
    torch::TensorOptions o;
    o = o.dtype(torch::kHalf);
    return torch::zeros({2}, o);
  }, half, {x});
  y = condlint::cond(x.any(), [](const Tensor &) {
    Config c;
    c.half();
    return torch::zeros({2}, c.options);
  }, half, {x});
  return condlint::cond(x.any(), [](const Tensor &) { // expect: error output-dtype
    torch::TensorOptions o = torch::kHalf;
    o = o.dtype(torch::kFloat);
    return torch::zeros({2}, o);
  }, half, {x});
}
)");
}

TEST(Output, DevicesThatAreAssigned_R7) {
  EXPECT_AS_SAID(R"(
using torch::Tensor;
Tensor f(const Tensor &x, bool cuda) {
  auto onCuda = [](const Tensor &) { return torch::zeros({2}, torch::Device(torch::kCUDA)); };
  auto y = condlint::cond(x.any(), [](const Tensor &) {
    torch::Device d(torch::kCPU);
    d = torch::Device(torch::kCUDA);
    return torch::zeros({2}, d);
  }, onCuda, {x});
  y = condlint::cond(x.any(), [](const Tensor &) { // expect: error output-device
    torch::Device d(torch::kCUDA);
    d = torch::Device(torch::kCPU);
    return torch::zeros({2}, d);
  }, onCuda, {x});
  y = condlint::cond(x.any(), [cuda](const Tensor &) { // expect: error output-device
    torch::Device d(torch::kCUDA);
    if (!cuda) // expect: warning closure-scalar
      d = torch::Device(torch::kCPU);
    return torch::zeros({2}, d);
  }, onCuda, {x});
  auto second = [](const Tensor &) { return torch::zeros({2}, torch::Device(torch::kCUDA, 1)); };
  y = condlint::cond(x.any(), [](const Tensor &) {
    torch::Device d(torch::kCUDA, 0);
    d.set_index(1);
    return torch::zeros({2}, d);
  }, second, {x});
  return condlint::cond(x.any(), [](const Tensor &) { // expect: error output-device
    torch::Device d(torch::kCUDA, 1);
    d.set_index(0);
    return torch::zeros({2}, d);
  }, second, {x});
}
)");
}

TEST(Output, Ranks_R9) {
  EXPECT_AS_SAID(R"(
torch::Tensor f(const torch::Tensor &x) {
  CONDLINT_TENSOR(x, Float, "B", 3, 4);
  auto same = [](const torch::Tensor &x) { return x.exp(); };
  auto y = condlint::cond(x.any(), [](const torch::Tensor &x) { return x.flatten(1).exp(); }, same, {x}); // expect: error output-rank
  y = condlint::cond(x.any(), [](const torch::Tensor &x) { return x.sum(-1); }, [](const torch::Tensor &x) { return x.select(1, 0).exp(); }, {x});
  y = condlint::cond(x.any(), [](const torch::Tensor &x) { return torch::stack({x, x}); }, [](const torch::Tensor &x) { return torch::cat({x, x}); }, {x}); // expect: error output-rank
  y = condlint::cond(x.any(), [](const torch::Tensor &x) { return x.reshape({-1}).exp(); }, [](const torch::Tensor &x) { return x.view({x.size(0), -1}).exp(); }, {x}); // expect: error output-rank
  return condlint::cond(x.any(), [](const torch::Tensor &x) { return x.sum({0}, true); }, same, {x});
}
torch::Tensor checked(const torch::Tensor &x) {
  TORCH_CHECK(x.dim() == 3 && x.size(1) == 1, "expected [B, 1, D]");
  return condlint::cond(x.any(), [](const torch::Tensor &x) { return x.squeeze(1).exp(); }, [](const torch::Tensor &x) { return x.exp(); }, {x}); // expect: error output-rank
}
torch::Tensor notOnEveryPath(const torch::Tensor &x, bool strict) {
  if (strict)
    TORCH_CHECK(x.dim() == 3);
  return condlint::cond(x.any(), [](const torch::Tensor &x) { return x.exp().sum({0}); }, [](const torch::Tensor &x) { return x.exp(); }, {x});
})");
}

TEST(Output, ANumberForSizesIsOneSize) {
  EXPECT_AS_SAID(R"(
torch::Tensor f(const torch::Tensor &x) {
  CONDLINT_TENSOR(x, Float, 3);
  auto y = condlint::cond(x.any(), [](const torch::Tensor &) { return torch::zeros(3); }, [](const torch::Tensor &x) { return x * 2; }, {x});
  y = condlint::cond(x.any(), [](const torch::Tensor &) { return torch::zeros(at::IntArrayRef(3)); }, [](const torch::Tensor &x) { return x * 2; }, {x});
  y = condlint::cond(x.any(), [](const torch::Tensor &x) { return x.exp().repeat(2); }, [](const torch::Tensor &) { return torch::zeros({6}); }, {x});
  return condlint::cond( // expect: error output-rank
      x.any(), [](const torch::Tensor &) { return torch::zeros(std::vector<int64_t>(2, 3)); }, [](const torch::Tensor &x) { return x * 2; }, {x});
})");
}

TEST(Output, ABoolAsIndexAddsADimension) {
  EXPECT_AS_SAID(R"(
torch::Tensor f(const torch::Tensor &x) {
  CONDLINT_TENSOR(x, Float, 2, 3);
  auto y = condlint::cond(x.any(), [](const torch::Tensor &x) { return x.index({true}); }, [](const torch::Tensor &) { return torch::zeros({1, 2, 3}); }, {x});
  y = condlint::cond( // expect: error output-rank
      x.any(), [](const torch::Tensor &x) { return x.index({true}); }, [](const torch::Tensor &x) { return x * 2; }, {x});
  return condlint::cond(x.any(), [](const torch::Tensor &x) { return x.index({false}); }, [](const torch::Tensor &) { return torch::zeros({0, 2, 3}); }, {x});
})");
}

TEST(Output, DevicesAndLayouts_R7_R10_R13) {
  EXPECT_AS_SAID(R"(
torch::Tensor f(const torch::Tensor &x) {
  CONDLINT_TENSOR(x, Float, 8, 4);
  TORCH_CHECK(x.device().is_cpu());
  auto zeros = [](const torch::Tensor &x) { return torch::zeros({8, 4}); };
  auto y = condlint::cond(x.any(), [](const torch::Tensor &x) { return x.exp().to(at::TensorOptions(torch::kCUDA)); }, zeros, {x}); // expect: error output-device
  y = condlint::cond(x.any(), [](const torch::Tensor &x) { return torch::zeros({4, 8}).t(); }, zeros, {x}); // expect: error output-layout
  y = condlint::cond(x.any(), [](const torch::Tensor &x) { return torch::zeros({4, 8}).t().contiguous(); }, zeros, {x});
  y = condlint::cond(x.any(), [](const torch::Tensor &x) { return torch::zeros({4, 8}).t().clone(); }, zeros, {x}); // expect: error output-layout
  // A row-major copy is filled, whatever it is a copy of.
  y = condlint::cond(x.any(), [](const torch::Tensor &x) { return torch::zeros({4, 8}).t().masked_fill(torch::zeros({4, 8}).t() > 0, 0); }, zeros, {x});
  y = condlint::cond(x.any(), [](const torch::Tensor &x) { return torch::zeros({8, 6}).narrow(1, 0, 4); }, zeros, {x}); // expect: error output-layout
  y = condlint::cond(x.any(), [](const torch::Tensor &x) { return x.exp().slice(0, 4, 8); }, [](const torch::Tensor &x) { return x.exp().slice(0, 0, 4); }, {x}); // expect: error output-layout
  y = condlint::cond(x.any(), [](const torch::Tensor &x) { return torch::ones({1, 4}).expand({8, 4}); }, zeros, {x}); // expect: error output-layout
  return condlint::cond(x.any(), [](const torch::Tensor &x) { return x.exp(); }, [](const torch::Tensor &x) { return x.sin(); }, {x});
})");
}

TEST(Output, WhatStartsWhereNobodyKnowsIsNotDecided_R10) {
  EXPECT_AS_SAID(R"(
torch::Tensor f(const torch::Tensor &x, const torch::Tensor &y) {
  CONDLINT_TENSOR(x, Float, 2, 4, 8, 8);
  CONDLINT_TENSOR(y, Float, 2, 4, 8, 8);
  auto zeros = [](const torch::Tensor &x, const torch::Tensor &y) { return torch::zeros({1, 4, 8, 8}); };
  auto z = condlint::cond(x.any(), [](const torch::Tensor &x, const torch::Tensor &y) { return (x + 1).contiguous().slice(0, 1); }, zeros, {x, y}); // expect: error output-layout
  z = condlint::cond(x.any(), [](const torch::Tensor &x, const torch::Tensor &y) { return (x + 1).contiguous().slice(0, 0, 1); }, zeros, {x, y});
  z = condlint::cond(x.any(), [](const torch::Tensor &x, const torch::Tensor &y) { return y.contiguous().slice(0, 1); }, zeros, {x, y}); // expect-unknown: output-alias, output-layout
  return z;
})");
}

TEST(Output, Storage_A1_A2) {
  EXPECT_AS_SAID(R"(
using Pair = std::tuple<torch::Tensor, torch::Tensor>;
struct State { torch::Tensor h, c; };
torch::Tensor same(const torch::Tensor &x) { return x; }
State f(const torch::Tensor &x, const torch::Tensor &w) {
  auto fresh = [](const torch::Tensor &x) { return x * 2; };
  auto y = condlint::cond(x.any(),
      [](const torch::Tensor &x) {
        return same(x); // expect: error output-alias
      },
      [](const torch::Tensor &x) {
        if (x.dim() == 2)
          return x.t(); // expect: error output-alias
        return x.clone();
      }, {x});
  y = condlint::cond(x.any(),
      [w](const torch::Tensor &x) {
        return w; // expect: error output-alias; warning closure-capture
      }, fresh, {x});
  y = condlint::cond(x.any(),
      [](const torch::Tensor &x) {
        return torch::dropout(x, 0.5, false); // expect: error output-alias
      }, [](const torch::Tensor &x) { return x.contiguous(); }, {x});
  auto [a, b] = condlint::cond(x.any(),
      [](const torch::Tensor &x) -> Pair {
        auto y = x.exp();
        return {y, y.view({-1})}; // expect: error output-duplicate
      },
      [](const torch::Tensor &x) -> Pair { return {x.exp(), x.exp().view({-1})}; }, {x});
  return condlint::cond(x.any(),
      [](const torch::Tensor &x) {
        State out{x, x};
        out.h = out.h * 2;
        return out; // expect: error output-alias
      },
      [](const torch::Tensor &x) { return State{x.exp(), x.sin()}; }, {a + b});
})");
}

TEST(Output, ComplexNumbersMakeComplexTensors_R6) {
  EXPECT_AS_SAID(R"(
void f(const torch::Tensor &x, const torch::Scalar &s) {
  CONDLINT_TENSOR(x, Float, 8);
  auto twice = [](const torch::Tensor &x) { return x * 2; };
  condlint::cond(x.any(), [](const torch::Tensor &x) { return x * c10::complex<double>(0, 1); }, [](const torch::Tensor &x) { return x + c10::complex<double>(2); }, {x});
  condlint::cond(x.any(), [](const torch::Tensor &x) { return x * c10::complex<double>(0, 1); }, twice, {x}); // expect: error output-dtype
  condlint::cond(x.any(), [](const torch::Tensor &x) { return torch::full({8}, c10::complex<double>(0, 1)); }, twice, {x}); // expect: error output-dtype
  condlint::cond(x.any(), [&s](const torch::Tensor &x) { return x * s; }, twice, {x}); // expect: warning closure-scalar
})");
}

TEST(Output, ChecksOfSizesWhereTheRankIsNotKnown_R12) {
  EXPECT_AS_SAID(R"(
torch::Tensor f(const torch::Tensor &x) {
  TORCH_CHECK(x.size(0) == 4);
  auto n = x.size(0);
  return condlint::cond(x.any(), [n](const torch::Tensor &x) { return x * n; }, [](const torch::Tensor &x) { return x * 1; }, {x});
}
torch::Tensor g(const torch::Tensor &x) {
  TORCH_CHECK(x.size(0) == 4 && x.dim() == 1);
  return condlint::cond(x.any(), [](const torch::Tensor &x) { return torch::cat({x, x}); }, [](const torch::Tensor &x) { return x * 1; }, {x}); // expect: error output-shape
}
torch::Tensor k(const torch::Tensor &x) {
  TORCH_CHECK(x.sizes() == torch::IntArrayRef({4, 8}));
  return condlint::cond(x.any(), [](const torch::Tensor &x) { return x.sum(0); }, [](const torch::Tensor &x) { return x.sum(1); }, {x}); // expect: error output-shape
})",
                 "torch@2.6");
}

TEST(Output, FunctionalPaddings_R12) {
  EXPECT_AS_SAID(R"(
namespace F = torch::nn::functional;
void f(const torch::Tensor &x) {
  CONDLINT_TENSOR(x, Float, 2, 3, 4);
  condlint::cond(x.any(), [](const torch::Tensor &x) { return F::pad(x, F::PadFuncOptions({1, 2})); }, [](const torch::Tensor &x) { return F::pad(x, F::PadFuncOptions({0, 3}).mode(torch::kReflect)); }, {x});
  condlint::cond(x.any(), [](const torch::Tensor &x) { return F::pad(x, F::PadFuncOptions({1, 2, 0, 1}).value(1)); }, [](const torch::Tensor &) { return torch::zeros({2, 4, 7}); }, {x});
  condlint::cond(x.any(), [](const torch::Tensor &x) { return F::pad(x, F::PadFuncOptions({0, 1, 1, 2})); }, [](const torch::Tensor &) { return torch::zeros({2, 4, 7}); }, {x}); // expect: error output-shape
})",
                 "torch@2.6");
}

TEST(Output, AListThatIsLongerShiftsWhatIsBehindIt_R1) {
  EXPECT_AS_SAID(R"(
struct Boxes {
  torch::Tensor all;
  std::vector<torch::Tensor> masks;
  torch::Tensor classes;
};
Boxes f(const torch::Tensor &x) {
  CONDLINT_TENSOR(x, Float, "N", 4);
  return condlint::cond(x.any(), // expect: error output-count
      [](const torch::Tensor &x) { return Boxes{x * 2, {x.sum(), x.mean()}, x.argmax()}; },
      [](const torch::Tensor &x) { return Boxes{x * 3, {x.mean()}, x.argmax()}; }, {x});
})");
}

TEST(Output, WhereOfAConditionAloneIsAnIndexForEachAxis_R6_R9) {
  EXPECT_AS_SAID(R"(
static const auto doubles = torch::TensorOptions().dtype(torch::kDouble);
torch::Tensor f(const torch::Tensor &x) {
  CONDLINT_TENSOR(x, Float, "N", 8);
  auto rows = [](const torch::Tensor &x) { return torch::where(x > 0)[1]; };
  auto z = condlint::cond(x.any(), rows, [](const torch::Tensor &x) { return x.argmax(1); }, {x});
  z = condlint::cond(x.any(), rows, [](const torch::Tensor &x) { return x.sum(1); }, {x}); // expect: error output-dtype
  z = condlint::cond(x.any(), rows, [](const torch::Tensor &x) { return x.argmax(1, true); }, {x}); // expect: error output-rank
  // Options that a constant holds.
  return condlint::cond(x.any(), [](const torch::Tensor &x) { return torch::ones({4}, doubles); }, // expect: error output-dtype
                        [](const torch::Tensor &x) { return torch::ones({4}); }, {x});
}
)");
}

TEST(Output, WhatEveryTripOfALoopMakesIsNew_A1) {
  const Checked checked = checkSource(R"(using torch::Tensor;
Tensor f(const Tensor &x, const Tensor &w, int64_t n) {
  auto twice = [](const Tensor &x, const Tensor &) { return x * 2; };
  auto y = condlint::cond(x.any(), [n](const Tensor &x, const Tensor &w) {
    Tensor h = torch::zeros_like(x);
    for (int64_t i = 0; i < n; ++i)
      h = torch::tanh(h + w);
    h.add_(1);
    return h;
  }, twice, {x, w});
  y = condlint::cond(x.any(), [n](const Tensor &x, const Tensor &w) {
    Tensor h = x * 1;
    for (int64_t i = 0; i < n; ++i)
      h = i % 2 == 0 ? h.t() : h + w;
    return h;
  }, twice, {x, w});
  y = condlint::cond(x.any(), [n](const Tensor &x, const Tensor &w) {
    Tensor h = x * 1;
    for (int64_t i = 0; i < n; ++i) {
      if (i > 0)
        h.add_(1);
      h = i % 2 == 0 ? w : h + w;
    }
    return h * 1;
  }, twice, {x, w});
  return y;
}
)");
  EXPECT_EQ(checked.verdict("input-mutation", 4), "proved");
  EXPECT_EQ(checked.verdict("output-alias", 4), "proved");
  EXPECT_EQ(checked.verdict("output-alias", 11), "proved");
  // In a later trip it may be the operand.
  EXPECT_TRUE(checked.verdict("input-mutation", 17).starts_with("unknown")) << checked.verdict("input-mutation", 17);
}

TEST(Output, ALoopMayLeaveWhatWasThereBefore_A1_A2) {
  const Checked checked = checkSource(R"(using torch::Tensor;
using Pair = std::tuple<Tensor, Tensor>;
Pair f(const Tensor &x, int64_t n) {
  auto other = [](const Tensor &x) { return Pair(x * 2, x * 3); };
  return condlint::cond(x.any(), [n](const Tensor &x) {
    Tensor h = x * 1, start = h;
    for (int64_t i = 0; i < n; ++i)
      h = h * 2;
    return Pair(h, start);
  }, other, {x});
}
Tensor g(const Tensor &x, int64_t n) {
  return condlint::cond(x.any(), [n](const Tensor &x) {
    Tensor h = x;
    for (int64_t i = 0; i < n; ++i)
      h = h * 2;
    return h;
  }, [](const Tensor &x) { return x * 3; }, {x});
}
)");
  EXPECT_TRUE(checked.verdict("output-duplicate", 5).starts_with("unknown")) << checked.verdict("output-duplicate", 5);
  EXPECT_TRUE(checked.verdict("output-alias", 13).starts_with("unknown")) << checked.verdict("output-alias", 13);
}

TEST(Output, AStackOfAnyLengthIsNew_A1) {
  const Checked c = checkSource(R"(
torch::Tensor f(const torch::Tensor &x) {
  return condlint::cond(x.any(), [](const torch::Tensor &x) {
    std::vector<torch::Tensor> states;
    for (const auto &row : x.unbind(0))
      states.push_back(row * 2);
    return torch::stack(states);
  }, [](const torch::Tensor &x) { return x * 2; }, {x});
})");
  EXPECT_TRUE(c.findings.empty());
  EXPECT_EQ(c.verdict("output-alias", 3), "proved");
  EXPECT_EQ(c.verdict("output-kind", 3), "proved");
}

TEST(Output, AListOfUnknownLengthWhoseElementsAreOperands_A1) {
  EXPECT_AS_SAID(R"(
using torch::Tensor;
using List = std::vector<Tensor>;
List each(const Tensor &p, const List &xs, const Tensor &x) {
  auto twice = [](const List &xs) {
    List out;
    for (const auto &t : xs)
      out.push_back(t * 2);
    return out;
  };
  auto y = condlint::cond(p, [](const List &xs) { return xs; }, twice, xs); // expect: error output-alias
  y = condlint::cond(p, [](const List &xs) { return List(xs.begin(), xs.end()); }, twice, xs); // expect: error output-alias
  y = condlint::cond(p, twice, twice, xs);
  y = condlint::cond(p, [](List xs) { // expect-unknown: output-alias
    for (auto &t : xs)
      t = t * 2;
    return xs;
  }, twice, xs);
  y = condlint::cond(p, [](List xs) { // expect-unknown: output-alias
    xs[0] = xs[0] * 2;
    return xs;
  }, twice, xs);
  y = condlint::cond(p, [](const Tensor &x) { return x.unbind(0); }, // expect: error output-alias
                     [](const Tensor &x) { return List{x * 1}; }, {x});
  return condlint::cond(p, [](const Tensor &x) { return (x * 2).unbind(0); }, [](const Tensor &x) { return List{x * 1}; }, {x});
}
)");
}

} // namespace
} // namespace condlint::test
