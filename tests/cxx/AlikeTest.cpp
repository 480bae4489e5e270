//===- AlikeTest.cpp - Tensors of which nothing is known ------------------===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensors of which nothing is known, and what two branches make of them: alike
// whatever they are, or perhaps not.
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"
#include <algorithm>

namespace condlint::test {
namespace {

/// What the branches return, and a letter for the verdict of each rule: dtype, rank,
/// shape, device, layout; p: proved, u: unknown, v: violated, o: possible.
struct Pair {
  const char *yes, *no, *verdicts;
};

void expectVerdicts(const std::vector<Pair> &pairs, const std::string &before = "") {
  std::string source = "#include <vector>\nusing T = torch::Tensor;\nstd::vector<int64_t> given();\n"
                       "void f(const T &x, const T &y, const std::vector<T> &xs, int64_t i, int64_t j) {\n" +
                       before + "\n";
  const auto first = static_cast<std::uint32_t>(std::count(source.begin(), source.end(), '\n') + 1);
  for (const Pair &p : pairs)
    source += std::string("condlint::cond(x.any(), [&](const T &x, const T &y) -> T { ") + p.yes +
              "; }, [&](const T &x, const T &y) -> T { " + p.no + "; }, {x, y});\n";
  const Checked checked = checkSource(source + "}\n");
  EXPECT_EQ(checked.conditionals, pairs.size());
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    std::string found;
    for (const char *rule : {"output-dtype", "output-rank", "output-shape", "output-device", "output-layout"}) {
      const std::string v = checked.verdict(rule, first + i);
      found += v.starts_with("possible") ? 'o' : v.front();
    }
    EXPECT_EQ(found, pairs[i].verdicts) << pairs[i].yes << "\n" << pairs[i].no;
  }
}

TEST(Alike, Elementwise) {
  expectVerdicts({
      {"return x.sin()", "return x.cos()", "ppppp"},
      {"return x.sin()", "return x.exp().cos()", "ppppp"},
      {"return x.abs()", "return x.sin()", "upppp"},
      {"return x + 1", "return x * 2", "ppppp"},
      {"return x + 1", "return x + 1.5", "upppp"},
      {"return x.gt(0)", "return x.isnan()", "ppppp"},
      {"return x.clone()", "return torch::zeros_like(x)", "ppppp"},
      {"return x.clone()", "return y.clone()", "uuuuu"},
      {"return x.relu() * 2", "return x * 3", "ppppp"},
      {"return x * x.sigmoid()", "return x.tanh()", "ppppp"},
      {"return x.sin() * x", "return x.sigmoid()", "ppppp"},
      // The same two in the same order; in another order they may lie differently.
      {"return x + y", "return x * y", "ppppp"},
      {"return x + y", "return y + x", "ppppu"},
      {"return x + y", "return x * 2", "uuuuu"},
      {"return torch::where(x > 0, x, y)", "return torch::where(x > 1, x, y)", "ppppp"},
      {"return x.clamp(0)", "return x.clamp_min(0)", "ppppp"},
  });
}

TEST(Alike, SizesAndViews) {
  expectVerdicts({
      {"return x.sum(0)", "return x.mean(0)", "ppppp"},
      {"return x.sum(0)", "return x.sum(1)", "puupu"},
      {"return x.sum(0)", "return x.sum(0, true)", "puupu"},
      {"return x.sum(-1)", "return x.exp().sum(-1)", "upppp"},
      {"return x.argmax(0)", "return (x > 0).sum(0)", "ppppp"},
      {"return x.softmax(-1)", "return x.sigmoid()", "ppppu"},
      {"return x.cumsum(0)", "return x.softmax(0)", "ppppu"},
      {"return x.clone().t()", "return x.clone()", "puupu"},
      {"return x.clone().t()", "return x.exp().t().clone()", "upppu"},
      {"return x.clone()", "return x.contiguous().clone()", "ppppu"},
      {"return torch::matmul(x, y)", "return torch::matmul(x, y).exp()", "upppu"},
      {"return torch::matmul(x, y)", "return torch::matmul(y, x)", "uuupu"},
      {"return torch::cat({x, y})", "return torch::cat({x, y}).relu()", "ppppu"},
      {"return torch::cat({x, y})", "return torch::cat({x, y}, 1)", "puupu"},
      {"return x.exp().reshape({-1})", "return x.sin().flatten()", "puupu"},
      {"return x.repeat({1, 2})", "return x.repeat({2, 1})", "puupu"},
      {"return x.to(torch::kFloat).exp()", "return x.exp().to(torch::kFloat)", "ppppu"},
  });
}

TEST(Alike, AsLargeAsATensor) {
  expectVerdicts({
      {"return torch::zeros(x.sizes())", "return torch::ones(x.sizes())", "ppppp"},
      {"return torch::zeros(x.sizes())", "return torch::ones(y.sizes())", "puupu"},
      {"return torch::zeros({x.size(0), x.size(1)})", "return torch::ones({x.size(0), x.size(1)})", "ppppp"},
      {"return torch::zeros({x.size(0), 2})", "return torch::ones({x.exp().size(0), 2})", "ppppp"},
      {"return torch::arange(x.size(0))", "return torch::arange(x.size(0))", "ppppp"},
      {"return torch::arange(x.size(0))", "return torch::arange(x.size(1))", "ppupp"},
      // A list of sizes that was changed, and sizes of what the tensor was before.
      {"auto s = x.sizes().vec(); s[0] = 4; return torch::zeros(s)", "return torch::ones(x.sizes())", "puupu"},
      {"auto s = x.sizes().vec(); s.pop_back(); return torch::zeros(s)", "return torch::ones(x.sizes())", "puupu"},
      {"T z = x; std::vector<int64_t> s(z.sizes().begin(), z.sizes().end()); z = z.t(); return torch::zeros(s)",
       "return torch::ones(x.t().sizes())", "puupu"},
      {"T z = x.clone(); z.resize_({3}); return torch::zeros(z.sizes())", "return torch::ones(x.sizes())", "puupu"},
  });
}

TEST(Alike, WrittenInPlace) {
  expectVerdicts({
      {"auto z = x.clone(); z.add_(1); return z", "return x.clone()", "ppppp"},
      {"auto z = x.clone(); z.resize_({3}); return z", "return x.clone()", "puuuu"},
      {"auto z = x.clone(); z.set_(y); return z", "return x.clone()", "uuuuu"},
      {"auto z = x.clone(); torch::add_out(z, x, y); return z", "return x.clone()", "uuuuu"},
      {"auto z = x.clone(); z.copy_(y); return z", "return x.clone()", "ppppp"},
      {"auto z = x.clone(); z[0] = 1; return z", "return x.clone()", "ppppp"},
  });
}

TEST(Alike, OnSeveralWays) {
  expectVerdicts({
      {"if (i > 0) return x.sin(); return x.cos()", "return x.exp()", "ppppp"},
      {"if (i > 0) return x.sin(); return x.sum(0)", "return x.exp()", "uuupu"},
      {"T z = x.sin(); for (int k = 0; k < i; ++k) z = z.cos(); return z", "return x.exp()", "uuuuu"},
      {"return x.dim() == 2 ? x.sin() : x.cos()", "return x.exp()", "ppppp"},
  });
}

TEST(Alike, OneOfMany) {
  // What stands for any element of a list is not one tensor.
  expectVerdicts(
      {
          {"return xs[0].sin()", "return xs[0].cos()", "ppppp"},
          {"return xs[0].sin()", "return xs[1].sin()", "uuuuu"},
          {"return xs[i].sin()", "return xs[j].sin()", "uuuuu"},
          {"return parts[0].sin()", "return parts[1].sin()", "puuuu"},
          {"return rows[0].sin()", "return rows[1].sin()", "puuuu"},
          {"return torch::zeros({sizes[i]})", "return torch::zeros({sizes[j] + 1})", "ppupp"},
      },
      "auto parts = x.chunk(i); auto rows = x.unbind(); std::vector<int64_t> sizes = given();");
}

} // namespace
} // namespace condlint::test
