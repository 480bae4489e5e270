//===- AlgorithmTest.cpp - Algorithms that put tensors into another order --===//
//
// Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Algorithms of the standard library that put tensors into another order.
//
//===----------------------------------------------------------------------===//
#include "Annotated.h"

namespace condlint::test {
namespace {

TEST(Algorithm, WhatIsRotatedOrPartedStandsWhereItIsPut) {
  EXPECT_AS_SAID(R"(
#include <algorithm>
using torch::Tensor;
struct Box { Tensor t; int n; };
Tensor ordered(const Tensor &x) {
  auto other = [](const Tensor &x) { return x * 2; };
  auto y = condlint::cond(x.any(), [](const Tensor &x) {
    std::vector<Tensor> v{x, x * 2, x * 3};
    auto first = std::rotate(v.begin(), v.begin() + 1, v.end());
    first->add_(1); // expect: error input-mutation
    v[1].add_(1);
    return v[0];
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    std::vector<Tensor> v{x, x * 2};
    std::ranges::rotate(v, v.begin() + 1);
    return v[1]; // expect: error output-alias
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    std::vector<Box> v{{x, 3}, {x * 2, 1}, {x * 3, 2}};
    std::nth_element(v.begin(), v.begin() + 1, v.end(), [](const Box &a, const Box &b) { return a.n < b.n; });
    v[0].t.add_(1);
    return v[2].t; // expect: error output-alias
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    std::vector<Box> v{{x * 1, 3}, {x, 1}, {x * 3, 2}};
    std::partial_sort(v.begin(), v.begin() + 1, v.end(), [](const Box &a, const Box &b) { return a.n < b.n; });
    v[1].t.add_(1);
    return v[0].t; // expect: error output-alias
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    std::vector<Box> v{{x, 3}, {x * 2, 1}, {x * 3, 2}};
    auto second = std::partition(v.begin(), v.end(), [](const Box &b) { return b.n < 3; });
    v[0].t.add_(v[1].t);
    return second->t; // expect: error output-alias
  }, other, {x});
  return y;
}
)");
}

TEST(Algorithm, WhatStandsInAnOrderThatNobodyKnowsIsNotHeldAgainstTheCode) {
  EXPECT_AS_SAID(R"(
#include <algorithm>
#include <random>
using torch::Tensor;
struct Box { Tensor t; int n; };
Tensor shuffled(const Tensor &x) {
  auto other = [](const Tensor &x) { return x * 2; };
  auto y = condlint::cond(x.any(), [](const Tensor &x) { // expect-unknown: input-mutation
    std::vector<Tensor> v{x, x * 2};
    std::mt19937 g(1);
    std::shuffle(v.begin(), v.end(), g);
    v[0].add_(1);
    return x * 3;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    std::vector<Tensor> v{x, x.neg()};
    std::mt19937 g(1);
    std::shuffle(v.begin(), v.end(), g);
    return v[0];
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) { // two that are alike may stand either way
    std::vector<Box> v{{x, 1}, {x * 2, 1}, {x * 3, 0}};
    std::sort(v.begin(), v.end(), [](const Box &a, const Box &b) { return a.n < b.n; });
    return v[1].t;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    std::vector<Box> v{{x, 1}, {x * 2, 1}, {x * 3, 0}};
    std::stable_sort(v.begin(), v.end(), [](const Box &a, const Box &b) { return a.n < b.n; });
    return v[1].t; // expect: error output-alias
  }, other, {x});
  return y;
}
std::vector<Tensor> several(const Tensor &x) {
  return condlint::cond(x.any(), [](const Tensor &x) {
    std::vector<Tensor> v{x + 1, x * 2};
    std::mt19937 g(1);
    std::shuffle(v.begin(), v.end(), g);
    return v;
  }, [](const Tensor &x) { return std::vector<Tensor>{x * 2, x * 3}; }, {x});
}
)");
}

TEST(Algorithm, WhatOnlyWritesElementsReadsNone) {
  EXPECT_AS_SAID(R"(
#include <algorithm>
#include <memory>
#include <numeric>
using torch::Tensor;
Tensor filled(const Tensor &x) {
  auto other = [](const Tensor &x) { return torch::zeros({8}); };
  auto y = condlint::cond(x.any(), [](const Tensor &x) {
    auto made = torch::ones({8});
    float *p = made.data_ptr<float>();
    std::vector<float> z(8);
    std::for_each(p, p + 8, [](float &v) { v = 1; });
    std::uninitialized_fill_n(p, 8, 1.f);
    std::partial_sum(z.begin(), z.end(), p);
    std::adjacent_difference(z.begin(), z.end(), p);
    std::reverse_copy(z.begin(), z.end(), p);
    std::rotate_copy(z.begin(), z.begin() + 1, z.end(), p);
    std::replace_copy(z.begin(), z.end(), p, 0.f, 1.f);
    std::merge(z.begin(), z.end(), z.begin(), z.end(), p);
    return made;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    auto made = torch::ones({8});
    float *p = made.data_ptr<float>();
    std::for_each(p, p + 8, [](float &v) { v *= 2; }); // expect: error host-sync
    return made;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    auto made = torch::ones({8});
    float *p = made.data_ptr<float>();
    std::partial_sum(p, p + 8, p); // expect: error host-sync
    return made;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    auto made = torch::ones({8});
    float *p = made.data_ptr<float>();
    std::ranges::reverse(p, p + 8); // expect: error host-sync
    return made;
  }, other, {x});
  return y;
}
)");
}

TEST(Algorithm, WhatChangesAVariableOfOutsideIsAWrite) {
  EXPECT_AS_SAID(R"(
#include <algorithm>
#include <bitset>
#include <map>
#include <span>
#include <vector>
using torch::Tensor;
Tensor changed(const Tensor &x, std::bitset<8> bits, std::multimap<int, int> many, std::vector<int> v, std::span<int> s) {
  auto other = [](const Tensor &x) { return x * 2; };
  auto y = condlint::cond(x.any(), [&](const Tensor &x) {
    bits.set(1);       // expect: error global-mutation
    many.emplace(3, 4); // expect: error global-mutation
    std::erase(v, 3);  // expect: error global-mutation
    return x * 3;
  }, other, {x});
  y = condlint::cond(x.any(), [=](const Tensor &x) mutable {
    bits.set(1);
    many.emplace(3, 4);
    std::bitset<8> own(5);
    own.flip();
    std::ranges::fill(s, 3); // expect: error global-mutation
    return x * 3;
  }, other, {x});
  return y;
}
)");
}

TEST(Algorithm, OfRangesGoThroughWhatASpanShows) {
  EXPECT_AS_SAID(R"(
#include <algorithm>
#include <span>
using torch::Tensor;
using Floats = std::span<float>;
Tensor spans(const Tensor &x) {
  auto other = [](const Tensor &x) { return x * 3; };
  auto y = condlint::cond(x.any(), [](const Tensor &x) {
    std::ranges::for_each(Floats(x.data_ptr<float>(), 8), [](float &v) { v = 1; }); // expect: error input-mutation
    return x * 2;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    float *p = x.data_ptr<float>();
    std::ranges::transform(Floats(p, 8), p, [](float v) { return v; }); // expect: error input-mutation; error host-sync
    return x * 2;
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    Floats s(x.data_ptr<float>(), 8);
    return std::ranges::any_of(s, [](float v) { return v > 0; }) ? x * 4 : x * 2; // expect: error host-sync
  }, other, {x});
  return condlint::cond(x.any(), [](const Tensor &x) {
    auto made = torch::empty({8});
    float *p = made.data_ptr<float>(), n = 0;
    std::vector<float> z(8);
    std::ranges::for_each(Floats(p, 8), [](float &v) { v = 1; });
    std::ranges::copy(z, p);
    std::ranges::transform(z, p, [](float v) { return v; });
    std::ranges::fill(Floats(p, 8), 2.f);
    std::generate(p, p + 8, [&n] { return n++; });
    std::for_each_n(p, 8, [](float &v) { v = 1; });
    return made * 2;
  }, [](const Tensor &x) { return torch::zeros({8}); }, {x});
}
)");
}

TEST(Algorithm, ASpanOfAPointerAndACountIsTheWholeThatItCovers) {
  EXPECT_AS_SAID(R"(
#include <span>
using torch::Tensor;
Tensor wholes(const Tensor &x, std::vector<Tensor> ws) {
  return condlint::cond(x.any(), [](const Tensor &x) {
    float w[4] = {1, 2, 3, 4};
    std::span<float> s(w, 4);
    s[1] = 5;
    std::vector<Tensor> own{x.exp(), x.sin()};
    std::span<Tensor> t(own.data(), own.size());
    t[0].add_(1);
    return w[1] == 5 ? t[0] * s[1] : x.gt(0);
  }, [](Tensor x) {
    std::vector<Tensor> own{x.exp(), x};
    std::span<Tensor> t(own.data(), 2);
    t[1].add_(1); // expect: error input-mutation
    return t[0] * 2;
  }, {x});
}
Tensor part(const Tensor &x) {
  return condlint::cond(x.any(), [](Tensor x) {
    std::vector<Tensor> own{x.exp(), x};
    std::span<Tensor> t(own.data(), 1);
    t[0].add_(1);
    return x.exp();
  }, [](Tensor x) { return x * 2; }, {x});
}
)");
}

TEST(Algorithm, WhatAPredicateTakesOutOfTensors) {
  EXPECT_AS_SAID(R"(
#include <algorithm>
using torch::Tensor;
Tensor taken(const Tensor &x) {
  auto other = [](const Tensor &x) { return x * 3; };
  auto y = condlint::cond(x.any(), [](const Tensor &x) {
    std::vector<Tensor> rows{x * 2, x.exp()};
    std::erase_if(rows, [](const Tensor &r) { return r.dim() == 0; });
    rows.erase(std::remove_if(rows.begin(), rows.end(), [](const Tensor &r) { return r.dim() == 1; }), rows.end());
    for (auto &r : rows)
      r.add_(1);
    return torch::cat(rows);
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    std::vector<Tensor> rows{x, x.exp()};
    std::erase_if(rows, [](const Tensor &r) {
      return r.sum().item<float>() < 0; // expect: error host-sync
    });
    return torch::cat(rows);
  }, other, {x});
  y = condlint::cond(x.any(), [](const Tensor &x) {
    auto rows = x.unbind(0);
    std::erase_if(rows, [](const Tensor &r) {
      r.add_(1); // expect: error input-mutation
      return r.dim() == 0;
    });
    return torch::cat(rows);
  }, other, {x});
  return condlint::cond(x.any(), [](const Tensor &x) {
    std::vector<Tensor> rows{x, x * 2};
    std::erase_if(rows, [n = 0](const Tensor &) mutable { return n++ == 0; });
    rows[0].add_(1);
    return rows[0];
  }, other, {x});
}
// Which of them is left nobody knows: the operand is not held against the code.
Tensor left(const Tensor &x) {
  auto other = [](const Tensor &x) { return x * 3; };
  auto kept = x.unbind(0);
  auto y = condlint::cond(x.any(), [](const Tensor &x) { // expect-unknown: input-mutation, output-alias
    std::vector<Tensor> rows{x, x * 2};
    std::erase_if(rows, [](const Tensor &r) { return r.requires_grad(); });
    rows[0].add_(1);
    return rows[0];
  }, other, {x});
  return condlint::cond(x.any(), [&kept](const Tensor &x) {
    std::erase_if(kept, [](const Tensor &r) { return r.dim() == 0; }); // expect: error global-mutation
    return x * 2;
  }, other, {x});
}
)");
}

} // namespace
} // namespace condlint::test
