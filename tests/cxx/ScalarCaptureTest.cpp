//===- ScalarCaptureTest.cpp - Numbers that a branch reads besides operands --===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers that a branch reads besides its parameters.
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"

namespace condlint::test {
namespace {

TEST(ScalarCapture, AStructOfNumbersThatIsCopied) {
  EXPECT_AS_SAID(R"(
#include <utility>
using torch::Tensor;
struct Config { int64_t n; double k; };
struct Deep { Config c; float m[2]; };
Tensor helper(const Tensor &x, Config c) { return x * c.k + c.n; }
Tensor copied(const Tensor &x, Config config, Deep deep, std::pair<int64_t, double> both, double k) {
  auto other = [](const Tensor &x) { return x * 2; };
  auto y = condlint::cond(x.any(), [config](const Tensor &x) {
    Config c = config; // expect: warning closure-scalar
    return x * c.k + config.n;
  }, other, {x});
  y = condlint::cond(x.any(), [&](const Tensor &x) {
    auto [n, k] = config; // expect: warning closure-scalar
    return x * k + n;
  }, other, {x});
  y = condlint::cond(x.any(), [=](const Tensor &x) {
    return helper(x, config) * config.k; // expect: warning closure-scalar
  }, other, {x});
  y = condlint::cond(x.any(), [=](const Tensor &x) {
    auto d = deep; // expect: warning closure-scalar
    return x * d.m[0];
  }, other, {x});
  y = condlint::cond(x.any(), [=](const Tensor &x) {
    auto [a, b] = both; // expect: warning closure-scalar
    return x * a;
  }, other, {x});
  const Config fixed{3, 0.5};
  Config only{3, 0.5};
  Config mixed{3, k}; // which of its numbers the helper means is not asked
  y = condlint::cond(x.any(), [=](const Tensor &x) {
    Config c = fixed, d = only;
    auto inner = [c](const Tensor &x) { Config e = c; return x * e.k; };
    return helper(inner(x), mixed) * c.k + d.n;
  }, other, {x});
  return y;
}
struct Net : torch::nn::Module {
  Config config;
  const Config set{3, 0.5};
  Tensor forward(const Tensor &x) {
    return condlint::cond(x.any(), [this](const Tensor &x) {
      return helper(x, config); // expect: warning closure-scalar
    }, [this](const Tensor &x) { return helper(x, set); }, {x});
  }
};
)");
}

TEST(ScalarCapture, ABitsetOrAValarrayIsNumbers) {
  EXPECT_AS_SAID(R"(
#include <bitset>
#include <valarray>
using torch::Tensor;
Tensor sums(const Tensor &x, const std::valarray<float> &v) {
  const std::valarray<float> fixed{1, 2};
  return condlint::cond(x.any(),
      [&](const Tensor &x) {
        return x * v.sum(); // expect: warning closure-scalar
      },
      [&](const Tensor &x) { return x * fixed.max(); }, {x});
}
Tensor f(const Tensor &x, std::bitset<4> mask) {
  return condlint::cond(x.any(),
      [mask](const Tensor &x) {
        return mask.test(1) ? x.exp() : x.cos(); // expect: warning closure-scalar
      },
      [&](const Tensor &x) {
        return x * static_cast<double>(mask.count()) * (mask[2] ? 2 : 1); // expect: warning closure-scalar
      }, {x});
}
Tensor fixed(const Tensor &x, std::bitset<4> mask) {
  const std::bitset<4> always(5);
  return condlint::cond(x.any(),
      [=](const Tensor &x) { return always.test(1) ? x.exp() : x.cos(); },
      [&](const Tensor &x) {
        std::bitset<4> own(3);
        own.set(2);
        return own[1] ? x.exp() : x.sin();
      }, {x});
}
)");
}

TEST(ScalarCapture, AnElementBehindAPointerIsReachedThroughIt) {
  EXPECT_AS_SAID(R"(
using torch::Tensor;
struct Node { int n; Tensor t; };
Tensor reads(const Tensor &x, Node *node, int *count) {
  return condlint::cond(x.any(),
      [=](const Tensor &x) {
        return x * (node + 1)->n; // expect: warning closure-scalar
      },
      [=](const Tensor &x) {
        return x * *(1 + count); // expect: warning closure-scalar
      }, {x});
}
Tensor writes(const Tensor &x, Node *node, int *count) {
  return condlint::cond(x.any(),
      [=](const Tensor &x) {
        (node + 1)->n = 3; // expect: error global-mutation
        return x.exp();
      },
      [=](const Tensor &x) {
        *(count - 1) = 3; // expect: error global-mutation
        return x.sin();
      }, {x});
}
Tensor tensors(const Tensor &x, Tensor *given) {
  return condlint::cond(x.any(),
      [=](const Tensor &x) {
        return x + *(given + 1); // expect: warning closure-capture
      },
      [=](const Tensor &x) { return x.sin(); }, {x});
}
static void fill(int *first, int *last) {
  for (; first != last; ++first)
    *first = 1;
}
Tensor loops(const Tensor &x, int *count) {
  return condlint::cond(x.any(), // expect-unknown: global-mutation
      [=](const Tensor &x) {
        fill(count, count + 4);
        return x.exp();
      },
      [=](const Tensor &x) {
        int own[4];
        for (int *p = own; p != own + 4; ++p)
          *p = 1;
        return x.sin();
      }, {x});
}
)");
}

} // namespace
} // namespace condlint::test
